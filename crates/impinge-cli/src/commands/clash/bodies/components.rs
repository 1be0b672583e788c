//! A part taken apart into its connected pieces: triangles that share a vertex, by position, belong together.
//!
//! Union by the least index with path halving; equal positions are found by sorting. Cost: n log n for n vertices.

use impinge::glam::DVec3;
use impinge_io::Part;

const NONE: u32 = u32::MAX;

/// The pieces in the order of their first triangle, named `part/01`, `part/02`, … when there are several. Vertices that
/// no triangle names are dropped.
pub(crate) fn split(part: Part) -> Vec<Part> {
    let mut above: Vec<u32> = (0..part.vertices.len() as u32).collect();
    join_equal(&part.vertices, &mut above);
    for &[a, b, c] in &part.triangles {
        join(&mut above, a, b);
        join(&mut above, b, c);
    }
    let mut number = vec![NONE; above.len()];
    let mut local = vec![NONE; above.len()];
    let mut pieces: Vec<Part> = Vec::new();
    for t in &part.triangles {
        let root = root(&mut above, t[0]) as usize;
        if number[root] == NONE {
            number[root] = pieces.len() as u32;
            pieces.push(Part { group: part.group, ..Part::default() });
        }
        let piece = &mut pieces[number[root] as usize];
        let corners = t.map(|v| {
            let place = &mut local[v as usize];
            if *place == NONE {
                *place = piece.vertices.len() as u32;
                piece.vertices.push(part.vertices[v as usize]);
            }
            *place
        });
        piece.triangles.push(corners);
    }
    let width = pieces.len().to_string().len();
    let several = pieces.len() > 1;
    for (i, piece) in pieces.iter_mut().enumerate() {
        piece.name = if several { format!("{}/{:0width$}", part.name, i + 1) } else { part.name.clone() };
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

/// Vertices at equal positions are one; `-0` equals `0`.
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

    fn strip(count: u32, gap: u32) -> Part {
        let vertices = (0..3 * count).map(|i| DVec3::new(f64::from(i / 3 * gap + i % 3), f64::from(i % 3 % 2), 0.0));
        let triangles = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Part { name: "strip".into(), vertices: vertices.collect(), triangles, group: Some(4) }
    }

    #[test]
    fn pieces_are_counted_in_order_and_keep_their_triangles() {
        let pieces = split(strip(12, 10));
        assert_eq!(pieces.len(), 12);
        assert_eq!((pieces[0].name.as_str(), pieces[11].name.as_str()), ("strip/01", "strip/12"));
        for (i, piece) in pieces.iter().enumerate() {
            assert_eq!((piece.vertices.len(), &piece.triangles[..], piece.group), (3, &[[0, 1, 2]][..], Some(4)));
            assert_eq!(piece.vertices[0].x, 10.0 * i as f64);
        }
    }

    /// Corners at equal places connect, also `0` and `-0`, and whatever the vertices are called.
    #[test]
    fn equal_positions_connect() {
        let chain = split(strip(5, 2));
        assert_eq!((chain.len(), chain[0].name.as_str(), chain[0].triangles.len()), (1, "strip", 5));
        let mut zero = strip(2, 10);
        zero.vertices[3] = DVec3::new(-0.0, 0.0, -0.0);
        assert_eq!(split(zero).len(), 1);
    }
}
