//! The axis about which one body turns as seen from the other, and how far from such a turn its points may get.
//!
//! With both motions steady, the centre of `b` seen from that of `a` is `D(t) = D₀ + v·t` in the world, and a point `x`
//! of `b`, from its centre, is at
//!
//! ```text
//!     q(t) = R_aᵀ·exp(−ω_a t)·(D(t) + exp(ω_b t)·R_b·x)
//! ```
//!
//! from the centre of `a`, in the frame of `a`. Let `w` be the direction of `ω_b − ω_a`, and `α`, `β` the parts of the
//! spins along it. With `αw` and `βw` in place of the spins, turns about `w` commute, and
//!
//! ```text
//!     q(t) = R_aᵀ·(exp((β − α)wt)·R_b·x + w·(w·D(t)) + exp(−αwt)·D⊥(t))
//! ```
//!
//! The first two terms are a screw along `w` with the advance `(w·v)/(β − α)` for each radian; the last is its axis, if
//! that does not move. So `q` differs from a screw about the axis through `c` by
//!
//! - what was left out of the spins: a turn by `ω` differs from one by `ω'` by an angle of at most `|ω − ω'|·t`;
//! - how far `exp(−αwt)·D⊥(t)` gets from `c`, for which two places are tried: on the axis of `a`, and where the axis of
//!   `b` is at half the time.
//!
//! Where `b` does not turn, each of its points may count as its centre: the one at the centre of `a` is taken.
//!
//! A shaft in its bearing has no deviation; wheels in mesh have one as large as the distance of their axes, which says
//! that they have no axis in common.

use glam::{DQuat, DVec3};

use crate::math::EPS;
use crate::path::Motion;

/// A screw motion of `b` in the frame of `a`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CommonAxis {
    /// A point of the axis.
    pub(crate) point: DVec3,
    /// The direction of the axis, of unit length.
    pub(crate) direction: DVec3,
    /// How far `b` advances along the axis while it turns by a radian; 0 for a turn.
    pub(crate) advance: f64,
    /// How far a point of `b` may be from where the screw motion puts it.
    pub(crate) deviation: f64,
}

/// The axis of two motions from one time to another; `reach` is how far points of `b` are from its origin at most.
/// `None` where a motion is not steady, and where the bodies do not turn relative to each other.
pub(crate) fn common_axis(motions: [&dyn Motion; 2], from: f64, to: f64, reach: f64) -> Option<CommonAxis> {
    let [Some((a, until_a)), Some((b, until_b))] = motions.map(|motion| motion.steady(from)) else { return None };
    if until_a.min(until_b) < to {
        return None;
    }
    let duration = to - from;
    let w = (b.spin() - a.spin()).try_normalize()?;
    let along = |v: DVec3| w * v.dot(w);
    let [alpha, beta] = [a.spin().dot(w), b.spin().dot(w)];
    let [centre_a, centre_b] = [a.centre_at(from), b.centre_at(from)];
    let (start, radius) = if b.is_straight() {
        (DVec3::ZERO, reach + b.origin_at(from).distance(centre_a))
    } else {
        (centre_b - centre_a, reach + b.centre().length())
    };
    let velocity = b.velocity() - a.velocity();
    let end = start + velocity * duration;
    let farthest = start.length().max(end.length());
    let [left_out_a, left_out_b] = [a.spin(), b.spin()].map(|spin| (spin - along(spin)).length());
    let by_spins = (left_out_a * (radius + farthest) + left_out_b * radius) * duration;

    let [across_start, across_end] = [start - along(start), end - along(end)];
    let most_across = across_start.length().max(across_end.length());
    let half = 0.5 * duration;
    let drift = (velocity - along(velocity)).length();
    let from_half_time = (alpha.abs() * most_across + drift) * half;
    let (place, by_place) = if from_half_time < most_across {
        let halfway = 0.5 * (across_start + across_end);
        (DQuat::from_scaled_axis(w * (-alpha * half)) * halfway, from_half_time)
    } else {
        (DVec3::ZERO, most_across)
    };

    let size = radius + farthest + centre_a.abs().max_element() + centre_b.abs().max_element();
    let rise = velocity.dot(w);
    let (advance, by_rise) = if (rise * duration).abs() <= 16.0 * EPS * size {
        (0.0, (rise * duration).abs())
    } else {
        (rise / (beta - alpha), 0.0)
    };
    let deviation = by_spins + by_place + by_rise + 64.0 * EPS * size;
    let into_a = motions[0].pose(from).rotation_matrix().transpose();
    let axis = CommonAxis { point: a.centre() + into_a * place, direction: into_a * w, advance, deviation };
    (advance.is_finite() && deviation.is_finite()).then_some(axis)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Pose, Relative};
    use crate::narrow::convex::polyhedra::cases::Random;
    use crate::path::Steady;

    /// Points of `b` stay as near to their screw as is said, for axes that are the same, near each other, or far apart.
    #[test]
    fn points_stay_near_their_screw() {
        let mut r = Random(3);
        let mut tight = 0;
        for k in 0..2000 {
            let apart = [0.0, 1e-6, 0.1][k % 3];
            let pose = |r: &mut Random| Pose::new(r.vector() * 3.0, DQuat::from_scaled_axis(r.vector() * 3.0)).unwrap();
            let (axis, pivot) = (r.vector().normalize(), r.vector());
            let rise = if k % 2 == 0 { DVec3::ZERO } else { axis * 0.7 };
            let a = Steady::screw(pose(&mut r), pivot, axis * 2.0, DVec3::ZERO, 0.0).unwrap();
            let spin = axis * -1.0 + r.vector() * apart;
            let b = Steady::screw(pose(&mut r), pivot + r.vector() * apart, spin, rise, 0.0).unwrap();
            let found = common_axis([&a, &b], 0.25, 1.0, 2.0).unwrap();
            let x = r.vector().normalize() * 2.0;
            let at = |t: f64| Relative::new(&a.pose(t), &b.pose(t)).apply(x);
            let angle = (b.spin() - a.spin()).length();
            let mut most: f64 = 0.0;
            for i in 0..=20 {
                let t = 0.25 + 0.75 * f64::from(i) / 20.0;
                let turn = DQuat::from_scaled_axis(found.direction * angle * (t - 0.25));
                let risen = found.direction * found.advance * angle * (t - 0.25);
                let screwed = found.point + turn * (at(0.25) - found.point) + risen;
                most = most.max(screwed.distance(at(t)));
            }
            // The screw starts at the true place, the bound is from a screw that need not.
            assert!(most <= 2.0 * found.deviation, "{k}: {most} {}", found.deviation);
            tight += usize::from(found.deviation < 1e-13 + 20.0 * apart);
        }
        assert!(tight > 1900, "{tight}");
    }

    #[test]
    fn a_body_that_stands_anywhere_turns_about_the_axis_of_the_other() {
        let a = Steady::turning(Pose::at(DVec3::Y * 2.0).unwrap(), DVec3::Y * 2.0, DVec3::Z, 0.0).unwrap();
        let b = Steady::still(Pose::at(DVec3::new(7.0, -3.0, 1.0)).unwrap());
        let axis = common_axis([&a, &b], 0.0, 1.0, 2.0).unwrap();
        assert!(axis.deviation < 1e-12 && axis.point.length() < 1e-12, "{axis:?}");
        assert!((axis.direction.z.abs() - 1.0).abs() < 1e-15 && axis.advance == 0.0, "{axis:?}");
    }

    #[test]
    fn bodies_that_do_not_turn_have_no_axis() {
        let still = Steady::still(Pose::IDENTITY);
        let flying = Steady::straight(Pose::IDENTITY, DVec3::X, 0.0).unwrap();
        assert!(common_axis([&still, &flying], 0.0, 1.0, 1.0).is_none());
    }
}
