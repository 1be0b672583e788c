//! When two convex pieces that only translate touch: a ray cast against their difference.
//!
//! G. van den Bergen, *Ray casting against general convex objects*, 2004. With `a` moving by `r` relative to `b`, the
//! bodies touch at the share `λ` of the way for which `λ·r` is a point of `C = b − a`. The simplex of GJK walks towards
//! `x = λ·r` instead of the origin; whenever the plane through the support `p` across `v` has `x` on the far side, `x`
//! is moved along the ray on to that plane. Every move is by a plane that has all of `C` behind it, so `λ` never
//! overshoots.
//!
//! Invariant: no point `μ·r` with `μ < λ` is in `C`. The end: `x` is not told from a point of `C`, or the ray leaves it
//! aside. The general engine ([`super::advance`]) does the same for every motion; this one is the classic, and its
//! oracle for translations. Cost: as a GJK query.

use glam::DVec3;
use smallvec::SmallVec;

use crate::answer::Stats;
use crate::math::{EPS, Relative, normalising_scale};
use crate::narrow::Piece;
use crate::prim::{RegionWalk, Solver};

/// Steps after which what is known is the answer.
const MOST_STEPS: usize = 256;

/// The share of the way after which the pieces touch, or are not told from touching, when `a` is moved by `way`, a
/// vector of its own frame, past `b`; and the unit normal from `a` to `b`. `None` when they do not touch, `Some` of 0
/// when they do at once, up to rounding. Half-spaces have no difference to cast against.
pub(super) fn ray_cast(
    [a, b]: [&Piece<'_>; 2],
    b_in_a: &Relative,
    way: DVec3,
    stats: &mut Stats,
) -> Option<(f64, DVec3)> {
    let ((centre_a, radius_a), (centre_b, radius_b)) = (a.ball()?, b.ball()?);
    let centre = b_in_a.apply(centre_b) - centre_a;
    let size = centre.length() + radius_a + radius_b + way.length();
    let scale = normalising_scale(size);
    let (r, margins) = (way * scale, a.margin() + b.margin());
    let support = |v: DVec3| {
        let (p, q) = (a.farthest(-v)?, b.farthest(b_in_a.rotation.transpose() * v)?);
        Some((b_in_a.apply(q) - p + v.normalize_or_zero() * margins) * scale)
    };
    let near = 64.0 * EPS * size * scale;
    let (mut share, mut slack, mut normal) = (0.0, 0.0, DVec3::ZERO);
    let mut x = DVec3::ZERO;
    let mut v = -centre * scale;
    // Points of the difference that carry the one nearest to `x`.
    let mut simplex: SmallVec<[DVec3; 4]> = SmallVec::new();
    for _ in 0..MOST_STEPS {
        stats.iterations += 1;
        stats.primitive_tests += 2;
        if v.length_squared() <= near * near {
            break;
        }
        let p = support(v)?;
        let height = v.dot(x - p);
        let noise = near * v.length();
        if height > noise {
            let along = v.dot(r);
            if along >= 0.0 {
                return None;
            }
            share -= height / along;
            slack = noise / -along;
            if share - slack > 1.0 {
                return None;
            }
            (x, normal) = (r * share, v);
        } else if simplex.contains(&p) {
            break;
        }
        if simplex.len() == 4 {
            simplex.pop();
        }
        if !simplex.contains(&p) {
            simplex.push(p);
        }
        let seen: SmallVec<[DVec3; 4]> = simplex.iter().map(|p| x - *p).collect();
        let foot = RegionWalk::foot(&seen);
        simplex = foot.kept[..foot.count].iter().map(|&k| simplex[usize::from(k)]).collect();
        v = foot.point;
    }
    // The plane last crossed has all of the difference on the far side: it faces back, from `b` to `a`.
    Some(((share - slack).max(0.0), -normal.normalize_or_zero()))
}
