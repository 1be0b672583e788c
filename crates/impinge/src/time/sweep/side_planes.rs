//! How far a triangle stays beyond the plane of another while both turn, to the third order.
//!
//! The hull of a swept piece reaches beyond it by the square of the angle (`chord.rs`), so pieces that pass each other
//! closely have to be bounded over many short stretches. Along a direction that is fixed to one of the bodies there is
//! more: the height `h(t)` of a point of the other, over the plane of a triangle, is known at the ends and in the
//! middle of a stretch, and differs from the parabola through these three values by at most `|h'''|/(72·√3)`, for a
//! stretch of length 1. The plane turns with its triangle, so nothing is lost to its far corners.
//!
//! In the frame of `o` with the spin `ω_o`, a point at `D` from the centre of `o` is at `q = RᵀD`, and
//! `|q'''| ≤ |D'''| + 3|ω_o||D''| + 3|ω_o|²|D'| + |ω_o|²|ω_o × D|`. The other body turns steadily, its points at most
//! `ρ` from its axis: `|D'| ≤ |v| + |ω|ρ`, `|D''| ≤ |ω|²ρ` and `|D'''| ≤ |ω|³ρ`.
//!
//! Cost: two triangles, six parabolas.

use glam::DVec3;

use super::stretch::SweptStretch;
use crate::math::{EPS, Pose};
use crate::time::movers::two_bodies::Movers;

/// `1/(72·√3)`, rounded up.
const CUBIC: f64 = 0.008_018_8;

/// Two triangles are no nearer than this over a stretch; 0 where nothing is known.
pub(crate) fn beyond_planes(movers: &Movers<'_>, stretch: &SweptStretch, triangles: [&[DVec3; 3]; 2]) -> f64 {
    if !stretch.chords.iter().all(|chord| chord.angle.is_finite()) {
        return 0.0;
    }
    let middle = movers.poses(stretch.at(0.5));
    (0..2).map(|o| beyond_plane(stretch, middle, triangles, o)).fold(0.0, f64::max)
}

/// How far the other triangle stays beyond the plane of the triangle of body `o`.
fn beyond_plane(stretch: &SweptStretch, middle: [Pose; 2], triangles: [&[DVec3; 3]; 2], o: usize) -> f64 {
    let k = 1 - o;
    let [own, other] = [&stretch.chords[o], &stretch.chords[k]];
    let [p, q, r] = *triangles[o];
    let Some(n) = (q - p).cross(r - p).try_normalize() else { return 0.0 };
    let heights = [p, q, r].map(|p| n.dot(p));
    let [low, high] = [heights[0].min(heights[1]).min(heights[2]), heights[0].max(heights[1]).max(heights[2])];
    let times = [[own.ends[0], other.ends[0]], [middle[o], middle[k]], [own.ends[1], other.ends[1]]];
    let planes = times.map(|[own, other]| {
        let n = own.rotate(n);
        let along = other.rotation_matrix().transpose() * n;
        (along, n.dot(other.translation() - own.translation()))
    });
    let mut beyond = [f64::INFINITY; 2];
    for corner in triangles[k] {
        let [a, b, c] = planes.map(|(along, off)| along.dot(*corner) + off);
        beyond[0] = beyond[0].min(least([a - high, b - high, c - high]));
        beyond[1] = beyond[1].min(least([low - a, low - b, low - c]));
    }
    let centre = triangles[k].iter().sum::<DVec3>() / 3.0;
    let radius = triangles[k].iter().fold(0.0, |m: f64, p| m.max(p.distance(centre)));
    let arm = other.arm(centre, radius);
    let [spin, spin_o] = [other.rates.spin.length(), own.rates.spin.length()];
    let speed = (other.rates.velocity - own.rates.velocity).length() + spin * arm;
    let away = other.ends[0].apply(centre) - own.ends[0].apply(own.centre);
    let across = own.rates.spin.cross(away).length() + spin_o * (radius + speed);
    let third = spin.powi(3) * arm
        + 3.0 * spin_o * spin * spin * arm
        + 3.0 * spin_o * spin_o * speed
        + spin_o * spin_o * across;
    let size = own.ends[0].translation().abs().max_element()
        + other.ends[0].translation().abs().max_element()
        + own.centre.length()
        + other.centre.length()
        + p.length()
        + centre.length()
        + radius
        + speed;
    beyond[0].max(beyond[1]) - CUBIC * third * (1.0 + 64.0 * EPS) - stretch.margin - 64.0 * EPS * size
}

/// The least value, from 0 to 1, of the parabola with these values at 0, ½ and 1.
fn least([first, middle, last]: [f64; 3]) -> f64 {
    let bend = 2.0 * (first + last) - 4.0 * middle;
    let slope = 4.0 * middle - 3.0 * first - last;
    let ends = first.min(last);
    let share = -slope / (2.0 * bend);
    if bend > 0.0 && share > 0.0 && share < 1.0 { ends.min(first - slope * slope / (4.0 * bend)) } else { ends }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::model::{Mesh, Model};
    use crate::path::{Motion, Steady};
    use crate::prim::nearest;
    use crate::time::sweep::chord::tests::spread;
    use crate::time::sweep::stretch::SweepBound;

    /// Triangles are never nearer than said; over short stretches that is nearly their distance.
    #[test]
    fn triangles_stay_beyond_planes() {
        let mut tight = 0;
        for case in 0..400 {
            let triangle = |k: u32, at: DVec3| [0, 1, 2].map(|i| at + spread(7 * case + 100 * k + i) * 0.2);
            let triangles = [triangle(1, DVec3::X), triangle(2, DVec3::X * 1.4)];
            let motion = |k: u32| {
                let pose = Pose::new(spread(case + k) * 0.05, DQuat::from_scaled_axis(spread(case + 10 + k) * 0.05));
                let spin = spread(case + 20 + k) * [0.0, 1.0, 3.0][(case + k) as usize % 3];
                Steady::new(pose.unwrap(), spread(case + 30 + k), spread(case + 40 + k) * 0.3, spin, 0.0).unwrap()
            };
            let motions = [motion(0), motion(500)];
            let models = triangles.map(|t| Model::from(Mesh::new(t.to_vec(), vec![[0, 1, 2]]).unwrap()));
            let movers = Movers { models: [&models[0], &models[1]], motions: [&motions[0], &motions[1]] };
            for length in [0.3, 0.03, 0.001] {
                let stretch = SweptStretch::new(&movers, 0.1, 0.1 + length, SweepBound::Bulge);
                let bound = beyond_planes(&movers, &stretch, [&triangles[0], &triangles[1]]);
                let mut least = f64::INFINITY;
                for i in 0..=50 {
                    let t = 0.1 + length * f64::from(i) / 50.0;
                    let placed = [0, 1].map(|k| triangles[k].map(|p| motions[k].pose(t).apply(p)));
                    least = least.min(nearest(&placed[0], &placed[1]).squared.sqrt());
                }
                assert!(bound <= least + 1e-12, "{case} {length}: {bound} {least}");
                tight += usize::from(bound > 0.5 * least);
            }
        }
        assert!(tight > 200, "{tight}");
    }
}
