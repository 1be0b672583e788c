//! Convex pieces of a simple polygon: ear clipping, then removal of the diagonals that convexity does not need.
//!
//! An *ear* is a corner that turns left and whose triangle contains no other corner. By the two-ears theorem (Meisters
//! 1975) a simple polygon has one as long as it has four corners; clipping may leave corners that go straight on, which
//! are never ears themselves. Hertel and Mehlhorn 1983: a diagonal may go when the corners at its two ends still turn
//! left without it; what is left are at most four times as many pieces as there must be.
//!
//! Invariant: the pieces tile the polygon, and each turns left at all of its corners. All tests are exact. Cost O(n²):
//! only the corners beside a clipped ear are looked at again, each against those that do not turn left.

use glam::DVec2;

use crate::math::{Sign, orient2d};

/// Convex pieces of the polygon with these corners, counterclockwise, by places in `corners`.
pub(super) fn convex_pieces(corners: &[DVec2]) -> Vec<Vec<usize>> {
    let (mut pieces, diagonals) = triangulate(corners);
    for [u, v] in diagonals {
        merge(corners, &mut pieces, u, v);
    }
    pieces
}

/// The ring of corners that are still there.
struct Ring<'c> {
    corners: &'c [DVec2],
    before: Vec<usize>,
    after: Vec<usize>,
    is_left: Vec<bool>,
}

impl Ring<'_> {
    fn turn(&self, i: usize) -> Sign {
        orient2d(self.corners[self.before[i]], self.corners[i], self.corners[self.after[i]])
    }

    fn is_ear(&self, i: usize) -> bool {
        if !self.is_left[i] {
            return false;
        }
        let (from, to) = (self.before[i], self.after[i]);
        let [p, q, r] = [from, i, to].map(|k| self.corners[k]);
        let inside = |x: DVec2| [(p, q), (q, r), (r, p)].iter().all(|&(s, t)| orient2d(s, t, x) != Sign::Negative);
        let mut k = self.after[to];
        while k != from {
            if !self.is_left[k] && inside(self.corners[k]) {
                return false;
            }
            k = self.after[k];
        }
        true
    }

    fn clip(&mut self, i: usize) {
        let (from, to) = (self.before[i], self.after[i]);
        self.after[from] = to;
        self.before[to] = from;
        self.is_left[from] = self.turn(from) == Sign::Positive;
        self.is_left[to] = self.turn(to) == Sign::Positive;
    }
}

/// Triangles, and the diagonals between them.
fn triangulate(corners: &[DVec2]) -> (Vec<Vec<usize>>, Vec<[usize; 2]>) {
    let n = corners.len();
    let mut ring = Ring {
        corners,
        before: (0..n).map(|i| (i + n - 1) % n).collect(),
        after: (0..n).map(|i| (i + 1) % n).collect(),
        is_left: vec![true; n],
    };
    ring.is_left = (0..n).map(|i| ring.turn(i) == Sign::Positive).collect();
    let (mut triangles, mut diagonals) = (Vec::new(), Vec::new());
    let mut ears: Vec<usize> = (0..n).rev().filter(|&i| ring.is_ear(i)).collect();
    let mut clipped = vec![false; n];
    // A corner comes into the list when it is an ear, and is tested again when it comes out.
    while let Some(i) = ears.pop() {
        if clipped[i] || !ring.is_ear(i) {
            continue;
        }
        let (from, to) = (ring.before[i], ring.after[i]);
        triangles.push(vec![from, i, to]);
        clipped[i] = true;
        if triangles.len() == n - 2 {
            break;
        }
        diagonals.push([from, to]);
        ring.clip(i);
        ears.extend([to, from].into_iter().filter(|&k| ring.is_ear(k)));
    }
    (triangles, diagonals)
}

/// Joins the two pieces on the diagonal `uv` if both of its ends turn left without it.
fn merge(corners: &[DVec2], pieces: &mut Vec<Vec<usize>>, u: usize, v: usize) {
    let along = |piece: &Vec<usize>, s: usize, t: usize| {
        let n = piece.len();
        (0..n).find(|&k| piece[k] == s && piece[(k + 1) % n] == t)
    };
    let find = |s: usize, t: usize| pieces.iter().enumerate().find_map(|(i, p)| along(p, s, t).map(|k| (i, k)));
    let (Some((left, at_left)), Some((right, at_right))) = (find(u, v), find(v, u)) else { return };
    // Each piece from the far end of the diagonal around to its near end.
    let around = |piece: usize, at: usize| {
        let loop_of = &pieces[piece];
        (1..=loop_of.len()).map(move |k| loop_of[(at + k) % loop_of.len()])
    };
    let mut joined: Vec<usize> = around(left, at_left).collect();
    let middle = joined.len() - 1;
    joined.pop();
    joined.extend(around(right, at_right));
    joined.pop();
    let n = joined.len();
    let turns_left = |k: usize| {
        let [p, q, r] = [joined[(k + n - 1) % n], joined[k], joined[(k + 1) % n]].map(|i| corners[i]);
        orient2d(p, q, r) == Sign::Positive
    };
    if turns_left(0) && turns_left(middle) {
        pieces[left] = joined;
        pieces.swap_remove(right);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planar::polygon::area;

    #[test]
    fn a_comb_falls_into_convex_pieces_of_the_same_area() {
        let teeth = 20;
        let mut corners = vec![DVec2::new(f64::from(2 * teeth - 1), -1.0)];
        for k in (0..teeth).rev() {
            let x = f64::from(2 * k);
            let tooth = [[x + 1.0, 5.0], [x, 5.0], [x, 0.0], [x - 1.0, 0.0]];
            corners.extend(tooth[..if k == 0 { 2 } else { 4 }].iter().map(|&c| DVec2::from_array(c)));
        }
        corners.push(DVec2::new(0.0, -1.0));
        let pieces = convex_pieces(&corners);
        let total: f64 = pieces.iter().map(|p| area(&p.iter().map(|&i| corners[i]).collect::<Vec<_>>())).sum();
        assert_eq!(total, area(&corners));
        assert!(pieces.len() < 4 * teeth as usize, "{}", pieces.len());
        for piece in &pieces {
            let n = piece.len();
            let corner = |k: usize| corners[piece[k % n]];
            assert!((0..n).all(|k| orient2d(corner(k), corner(k + 1), corner(k + 2)) == Sign::Positive));
        }
    }
}
