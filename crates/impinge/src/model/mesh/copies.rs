//! Triangles that occur more than once: all are kept and appear in answers, but only one of each goes into the tree.
//!
//! A tree cannot tell copies apart, and n copies against n copies would be n² equal distances. They are found on welded
//! vertices, whatever corner they begin with and whichever way round they are.

/// A copy of an earlier triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Duplicate {
    /// The triangle it is a copy of; first its index, after the tree is built its place in leaf order.
    pub(crate) of: u32,
    pub(crate) id: u32,
    /// Which corner of that triangle each of its own is.
    pub(crate) turn: [u8; 3],
}

impl Duplicate {
    /// Its corners, from those of the triangle that it is a copy of.
    pub(crate) fn corners_of<T: Copy>(&self, corners: [T; 3]) -> [T; 3] {
        self.turn.map(|k| corners[usize::from(k)])
    }

    /// Whether its orientation is the opposite.
    pub(crate) fn is_flipped(&self) -> bool {
        is_odd(self.turn.map(u32::from))
    }
}

/// The triangles without copies, ascending, and the copies, by what they are copies of.
pub(crate) fn separate(vertices: usize, triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<Duplicate>) {
    let keys = sorted_by_corners(vertices, triangles);
    let mut duplicates = Vec::new();
    for group in keys.chunk_by(|&i, &j| sorted(triangles[i as usize]) == sorted(triangles[j as usize])) {
        duplicates.extend(group[1..].iter().map(|&id| Duplicate {
            of: group[0],
            id,
            turn: turn(triangles[group[0] as usize], triangles[id as usize]),
        }));
    }
    let mut is_copy = vec![false; triangles.len()];
    duplicates.iter().for_each(|copy| is_copy[copy.id as usize] = true);
    let unique = (0..triangles.len() as u32).filter(|&t| !is_copy[t as usize]).collect();
    (unique, duplicates)
}

/// Indices of the triangles such that copies lie together, the first of them first: a counting sort by the smallest
/// corner, then a sort of each small group.
fn sorted_by_corners(vertices: usize, triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut start = vec![0u32; vertices + 1];
    triangles.iter().for_each(|&t| start[sorted(t)[0] as usize + 1] += 1);
    for v in 0..vertices {
        start[v + 1] += start[v];
    }
    let mut next = start.clone();
    let mut order = vec![0u32; triangles.len()];
    for (i, &t) in triangles.iter().enumerate() {
        let at = &mut next[sorted(t)[0] as usize];
        order[*at as usize] = i as u32;
        *at += 1;
    }
    for v in 0..vertices {
        order[start[v] as usize..start[v + 1] as usize].sort_unstable_by_key(|&i| (sorted(triangles[i as usize]), i));
    }
    order
}

fn sorted([a, b, c]: [u32; 3]) -> [u32; 3] {
    let (low, high) = (a.min(b), a.max(b));
    [low.min(c), low.max(c.min(high)), high.max(c)]
}

/// For each corner of `copy` the place in `of` of the same corner; of equal corners the first that is left.
fn turn(of: [u32; 3], copy: [u32; 3]) -> [u8; 3] {
    let mut left = [true; 3];
    copy.map(|v| {
        let k = (0..3).find(|&k| left[k] && of[k] == v).unwrap_or(0);
        left[k] = false;
        k as u8
    })
}

/// Whether sorting the corners takes an odd number of exchanges.
fn is_odd([a, b, c]: [u32; 3]) -> bool {
    (a > b) ^ (b > c) ^ (a > c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_found_in_any_order_and_direction() {
        let triangles = [[0, 1, 2], [3, 1, 2], [2, 0, 1], [1, 0, 2], [2, 1, 3]];
        let (unique, duplicates) = separate(4, &triangles);
        assert_eq!(unique, [0, 1]);
        let copy = |of, id, turn| Duplicate { of, id, turn };
        assert_eq!(duplicates, [copy(0, 2, [2, 0, 1]), copy(0, 3, [1, 0, 2]), copy(1, 4, [2, 1, 0])]);
        assert_eq!(duplicates.iter().map(Duplicate::is_flipped).collect::<Vec<_>>(), [false, true, true]);
        assert_eq!([[3, 1, 2], [2, 3, 1], [1, 2, 3]].map(sorted), [[1, 2, 3]; 3]);
    }
}
