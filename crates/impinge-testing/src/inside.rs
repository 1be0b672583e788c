//! Whether a point lies inside a closed mesh: the parity of crossings of a segment to a far point, exactly.
//!
//! A segment that passes through an edge or a corner proves nothing; another far point is tried then.

use num_bigint::BigInt;

use super::number::Number;
use super::overlap::{Point, Triangle, cross, dot, minus, segment_meets_triangle};

/// Where a point lies with respect to a closed surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Inside the surface.
    Inside,
    /// On the surface.
    Surface,
    /// Outside the surface.
    Outside,
}

fn side(a: &Point<BigInt>, b: &Point<BigInt>, c: &Point<BigInt>, p: &Point<BigInt>) -> i8 {
    Number::sign(&dot(&minus(p, a), &cross(&minus(b, a), &minus(c, a)))).expect("integers have a sign")
}

/// Place of `p` with respect to the closed surface made of `triangles`.
pub fn place(p: &Point<BigInt>, triangles: &[Triangle<BigInt>]) -> Place {
    if triangles.iter().any(|t| segment_meets_triangle(p, p, t) == Some(true)) {
        return Place::Surface;
    }
    let reach = triangles.iter().flatten().flatten().chain(p).map(|x| x.magnitude().clone()).max();
    let reach = BigInt::from(reach.unwrap_or_default()) * 1024 + 1024;
    let proper: Vec<&Triangle<BigInt>> = triangles.iter().filter(|t| has_area(t)).collect();
    (0..1000).find_map(|attempt| parity(p, &far_point(&reach, attempt), &proper)).expect("some direction is generic")
}

/// Triangles without area bound nothing.
fn has_area([a, b, c]: &Triangle<BigInt>) -> bool {
    cross(&minus(b, a), &minus(c, a)).iter().any(|x| Number::sign(x) != Some(0))
}

fn far_point(reach: &BigInt, attempt: i64) -> Point<BigInt> {
    let k = attempt + 1;
    [reach * 1009, reach * (k * 769 % 2003 - 1001), reach * (k * k * 523 % 1999 - 999)]
}

fn parity(p: &Point<BigInt>, far: &Point<BigInt>, triangles: &[&Triangle<BigInt>]) -> Option<Place> {
    let mut odd = false;
    for [a, b, c] in triangles {
        let (near, beyond) = (side(a, b, c, p), side(a, b, c, far));
        let turns = [side(p, far, a, b), side(p, far, b, c), side(p, far, c, a)];
        let missed = turns.contains(&1) && turns.contains(&-1);
        if missed || near * beyond > 0 {
            continue;
        }
        if turns.contains(&0) || near == 0 || beyond == 0 {
            return None;
        }
        odd = !odd;
    }
    Some(if odd { Place::Inside } else { Place::Outside })
}
