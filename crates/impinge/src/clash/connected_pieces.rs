//! Divides a mesh into connected pieces: triangles that share a vertex, by position, belong together.
//!
//! Union by the least index with path halving; equal positions are found by sorting. Cost: n log n for n vertices.

use glam::DVec3;

const NONE: u32 = u32::MAX;

/// The vertices and triangles of each connected piece, in the order of the pieces' first triangles. Vertices that no
/// triangle uses are dropped.
///
/// Every index has to be below the number of vertices, as in a [`Mesh`](crate::Mesh).
///
/// ```
/// use impinge::clash::connected_pieces;
/// use impinge::glam::DVec3;
/// let corners = |x: f64| [DVec3::X * x, DVec3::X * x + DVec3::Y, DVec3::X * x + DVec3::Z];
/// let vertices = [corners(0.0), corners(0.0), corners(5.0)].concat();
/// let pieces = connected_pieces(&vertices, &[[0, 1, 2], [3, 5, 4], [6, 7, 8]]);
/// assert_eq!(pieces.iter().map(|(_, triangles)| triangles.len()).collect::<Vec<_>>(), [2, 1]);
/// ```
pub fn connected_pieces(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Vec<(Vec<DVec3>, Vec<[u32; 3]>)> {
    let mut above: Vec<u32> = (0..vertices.len() as u32).collect();
    join_equal(vertices, &mut above);
    for &[a, b, c] in triangles {
        join(&mut above, a, b);
        join(&mut above, b, c);
    }
    let mut number = vec![NONE; above.len()];
    let mut local = vec![NONE; above.len()];
    let mut pieces: Vec<(Vec<DVec3>, Vec<[u32; 3]>)> = Vec::new();
    for t in triangles {
        let root = root(&mut above, t[0]) as usize;
        if number[root] == NONE {
            number[root] = pieces.len() as u32;
            pieces.push((Vec::new(), Vec::new()));
        }
        let (points, own) = &mut pieces[number[root] as usize];
        let corners = t.map(|v| {
            let place = &mut local[v as usize];
            if *place == NONE {
                *place = points.len() as u32;
                points.push(vertices[v as usize]);
            }
            *place
        });
        own.push(corners);
    }
    pieces
}

fn root(above: &mut [u32], mut v: u32) -> u32 {
    while above[v as usize] != v {
        above[v as usize] = above[above[v as usize] as usize];
        v = above[v as usize];
    }
    v
}

fn join(above: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(above, a), root(above, b));
    above[a.max(b) as usize] = a.min(b);
}

/// Joins vertices at equal positions; `-0` equals `0`.
fn join_equal(vertices: &[DVec3], above: &mut [u32]) {
    let key = |v: u32| vertices[v as usize].to_array().map(|x| (x + 0.0).to_bits());
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    order.sort_unstable_by_key(|&v| key(v));
    for two in order.windows(2) {
        if key(two[0]) == key(two[1]) {
            join(above, two[0], two[1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strip(count: u32, gap: u32) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let vertices = (0..3 * count).map(|i| DVec3::new(f64::from(i / 3 * gap + i % 3), f64::from(i % 3 % 2), 0.0));
        (vertices.collect(), (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
    }

    fn split((vertices, triangles): (Vec<DVec3>, Vec<[u32; 3]>)) -> Vec<(Vec<DVec3>, Vec<[u32; 3]>)> {
        connected_pieces(&vertices, &triangles)
    }

    #[test]
    fn pieces_come_in_order_and_keep_their_triangles() {
        let pieces = split(strip(12, 10));
        assert_eq!(pieces.len(), 12);
        for (i, (vertices, triangles)) in pieces.iter().enumerate() {
            assert_eq!((vertices.len(), &triangles[..]), (3, &[[0, 1, 2]][..]));
            assert_eq!(vertices[0].x, 10.0 * i as f64);
        }
    }

    /// Corners at equal places connect, also `0` and `-0`, and whatever the vertices are called.
    #[test]
    fn equal_positions_connect() {
        let chain = split(strip(5, 2));
        assert_eq!((chain.len(), chain[0].1.len()), (1, 5));
        let mut zero = strip(2, 10);
        zero.0[3] = DVec3::new(-0.0, 0.0, -0.0);
        assert_eq!(split(zero).len(), 1);
    }
}
