//! Puts convex pieces together whose union is convex, or nearly: when the hull of two has hardly more volume than both.
//!
//! What Hertel and Mehlhorn do with the diagonals of a polygon. Each piece is tried against those it touches, again
//! whenever it has grown. Cost: O(k²) tests of boxes and a hull for each pair that touches.

use crate::bound::Aabb;
use crate::error::BuildError;
use crate::model::convex::measure::volume;
use crate::model::convex::polyhedron::Convex;

struct Piece {
    body: Convex,
    volume: f64,
    bounds: Aabb,
}

impl Piece {
    fn new(body: Convex) -> Piece {
        Piece { volume: volume(&body), bounds: Aabb::of(body.vertices().iter().copied()), body }
    }

    fn touches(&self, other: &Piece, near: f64) -> bool {
        let (a, b) = (&self.bounds, &other.bounds);
        (a.min - b.max).max(b.min - a.max).max_element() <= near
    }
}

/// Merges pieces of a body of about this volume whenever the volume that the merge adds is allowed.
pub(crate) fn merge(pieces: &mut Vec<Convex>, whole: f64, allowed: impl Fn(f64) -> bool) -> Result<(), BuildError> {
    let mut alive: Vec<Option<Piece>> = pieces.drain(..).map(|body| Some(Piece::new(body))).collect();
    let near = 1e-9 * whole.cbrt();
    let mut open: Vec<usize> = (0..alive.len()).rev().collect();
    while let Some(i) = open.pop() {
        let Some(mut one) = alive[i].take() else { continue };
        let mut grown = false;
        for other in &mut alive {
            let Some(two) = other.as_ref().filter(|two| one.touches(two, near)) else { continue };
            let both = Piece::new(Convex::hull(&[one.body.vertices(), two.body.vertices()].concat())?);
            if allowed(both.volume - one.volume - two.volume) {
                one = both;
                *other = None;
                grown = true;
            }
        }
        alive[i] = Some(one);
        if grown {
            open.push(i);
        }
    }
    pieces.extend(alive.into_iter().flatten().map(|piece| piece.body));
    Ok(())
}
