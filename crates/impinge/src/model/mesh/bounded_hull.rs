//! A polytope with at most so many corners around a convex hull, which it contains: the hulls of Xavier's trees.
//!
//! P. Xavier, 1997, §2.1 and A (4): interior nodes have hulls of a bounded number of vertices; how they are made is not
//! said. Dropping vertices would shrink them, so faces are dropped instead: the half-spaces behind `K` supporting
//! planes have at most `2K − 4` corners in common. Six planes lie across the principal axes and bound the body; the
//! others are those of faces of the hull, chosen one after the other where the planes chosen so far fit worst, by area
//! times the squared difference of the unit normals (after D. Cohen-Steiner, P. Alliez, M. Desbrun, *Variational shape
//! approximation*, 2004). The corners follow by duality: the plane `n·x = h` is the point `n/h`, and the plane `N·y =
//! D` of a facet of the hull of these is the corner `N/D`.
//!
//! Hulls and the polytopes around them are made in units of the extents along the principal axes, where nothing is
//! thin: the variance along any direction is at least one in the number of points. What is flat there is so up to
//! rounding; it gets the polygon between supporting lines.
//!
//! Invariant: the hull of the corners contains the points, up to rounding of the extent. Polytopes are blown up by
//! [`MARGIN`] and checked against their own hull; one that fails is replaced by the box.

use glam::{DMat3, DVec3};

use crate::math::principal_axes;
use crate::model::hull::boundary::Hull;
use crate::model::hull::newell;
use crate::model::hull::of_points;

/// Growth, relative to the extents.
const MARGIN: f64 = 1e-9;

/// Least height of a plane over the middle, relative to the extents.
const THIN: f64 = 1e-6;

/// Extents below this, relative to the largest, are rounding.
const FLAT: f64 = 1e-15;

/// Fewest corners that such a polytope can do with: those of a box.
pub(crate) const FEWEST: usize = 8;

/// Most lines around a flat thing.
const MOST_LINES: usize = 16;

/// The points, not all in one place, that are corners of the hull of all.
pub(crate) fn extremes(points: &[DVec3]) -> (Vec<DVec3>, Extremes) {
    let frame = Frame::of(points);
    let local: Vec<DVec3> = points.iter().map(|p| frame.enter(*p)).collect();
    let hull = of_points::hull(&local);
    (hull.corners.iter().map(|&v| points[v as usize]).collect(), Extremes { frame, local, hull })
}

/// The same in their own frame, to be wrapped.
pub(crate) struct Extremes {
    frame: Frame,
    local: Vec<DVec3>,
    hull: Hull,
}

impl Extremes {
    /// Corners, at most `cap` and at least [`FEWEST`], around the points.
    pub(crate) fn wrapped(&self, cap: usize) -> Vec<DVec3> {
        let share = 1.0 / self.hull.corners.len() as f64;
        let at = |&v: &u32| self.local[v as usize];
        let middle = self.hull.corners.iter().map(at).fold(DVec3::ZERO, |sum, q| sum + q * share);
        let local: Vec<DVec3> = self.hull.corners.iter().map(|v| at(v) - middle).collect();
        let found =
            if self.frame.extent.z > 0.0 { polytope(&self.normals(), &local, cap) } else { Some(polygon(&local, cap)) };
        found.unwrap_or_else(|| cuboid(&local)).into_iter().map(|q| self.frame.leave(q + middle)).collect()
    }

    /// Normals of the facets, each twice the area long.
    fn normals(&self) -> Vec<DVec3> {
        let at = |&v: &u32| self.local[v as usize];
        let normal = |facet: &[u32]| {
            let base = facet.first().map_or(DVec3::ZERO, at);
            facet.windows(2).fold(DVec3::ZERO, |sum, e| sum + (at(&e[0]) - base).cross(at(&e[1]) - base))
        };
        self.hull.facets().map(normal).filter(|n| n.length_squared() > 0.0).collect()
    }
}

/// Principal axes about the mean, the longest first, in units of the extents along them.
struct Frame {
    mean: DVec3,
    axes: DMat3,
    /// Zero where it is rounding.
    extent: DVec3,
}

impl Frame {
    fn of(points: &[DVec3]) -> Frame {
        let share = 1.0 / points.len() as f64;
        let mean = points.iter().fold(DVec3::ZERO, |sum, p| sum + *p * share);
        // In units of the largest offset, so that squares of tiny ones do not vanish.
        let size = points.iter().fold(0.0, |m: f64, p| m.max((*p - mean).abs().max_element()));
        let scatter = points.iter().fold(DMat3::ZERO, |sum, p| {
            let x = (*p - mean) / size;
            sum + DMat3::from_cols(x * x.x, x * x.y, x * x.z) * share
        });
        let found = principal_axes(scatter);
        let reach = |axis: DVec3| points.iter().fold(0.0, |m: f64, p| m.max(axis.dot(*p - mean).abs()));
        let mut axes = [found.x_axis, found.y_axis, found.z_axis].map(|axis| (reach(axis), axis));
        axes.sort_by(|p, q| q.0.total_cmp(&p.0));
        let [(x, u), (y, v), (z, w)] = axes;
        let flatten = |e: f64| if e > FLAT * x { e } else { 0.0 };
        Frame { mean, axes: DMat3::from_cols(u, v, w), extent: DVec3::new(x, flatten(y), flatten(z)) }
    }

    fn enter(&self, p: DVec3) -> DVec3 {
        let off = p - self.mean;
        let along = DVec3::new(self.axes.x_axis.dot(off), self.axes.y_axis.dot(off), self.axes.z_axis.dot(off));
        DVec3::select(self.extent.cmpgt(DVec3::ZERO), along / self.extent, DVec3::ZERO)
    }

    fn leave(&self, q: DVec3) -> DVec3 {
        self.mean + self.axes * (q * self.extent)
    }
}

/// Least and greatest coordinates, with the margin.
fn bounds(local: &[DVec3]) -> [DVec3; 2] {
    let low = local.iter().fold(DVec3::INFINITY, |m, q| m.min(*q));
    let high = local.iter().fold(DVec3::NEG_INFINITY, |m, q| m.max(*q));
    // A coordinate that is zero throughout stays so.
    let margin = (high - low) * MARGIN;
    [low - margin, high + margin]
}

fn cuboid(local: &[DVec3]) -> Vec<DVec3> {
    let [low, high] = bounds(local);
    (0..8).map(|i| DVec3::select(glam::BVec3::new(i & 1 == 1, i & 2 == 2, i & 4 == 4), high, low)).collect()
}

/// The polygon between supporting lines in the plane of the two longer axes.
fn polygon(local: &[DVec3], cap: usize) -> Vec<DVec3> {
    let lines = cap.clamp(4, MOST_LINES);
    let line = |k: usize| {
        let (sin, cos) = (std::f64::consts::TAU * k as f64 / lines as f64).sin_cos();
        let height = local.iter().fold(f64::NEG_INFINITY, |m, q| m.max(cos * q.x + sin * q.y));
        (cos, sin, height + MARGIN)
    };
    let corner = |k: usize| {
        let ((a, b, h), (c, d, i)) = (line(k), line(k + 1));
        let across = a * d - b * c;
        DVec3::new((h * d - i * b) / across, (a * i - c * h) / across, 0.0)
    };
    (0..lines).map(corner).collect()
}

/// The corners of the half-spaces behind the chosen planes; `None` when rounding spoils them.
fn polytope(normals: &[DVec3], local: &[DVec3], cap: usize) -> Option<Vec<DVec3>> {
    let mut dual = Vec::with_capacity(cap / 2 + 2);
    for n in chosen(normals, (cap + 4) / 2) {
        let height = local.iter().fold(f64::NEG_INFINITY, |m, q| m.max(n.dot(*q)));
        if height < THIN {
            return None;
        }
        dual.push(n / (height * (1.0 + MARGIN)));
    }
    let corners = planes(&dual)
        .map(|(n, offset)| (offset > 0.0).then(|| n / offset).filter(|c| c.is_finite()))
        .collect::<Option<Vec<DVec3>>>()?;
    let fits = corners.len() <= cap
        && planes(&corners).count() >= 4
        && planes(&corners).all(|(n, offset)| local.iter().all(|q| n.dot(*q) <= offset));
    fits.then_some(corners)
}

/// Unit normals and offsets of the facets of the hull of some points.
fn planes(points: &[DVec3]) -> impl Iterator<Item = (DVec3, f64)> {
    let hull = of_points::hull(points);
    let facets: Vec<_> = hull
        .facets()
        .map(|facet| {
            let around: Vec<DVec3> = facet.iter().map(|&v| points[v as usize]).collect();
            let normal = newell::normal(&around);
            (normal, around.iter().map(|p| normal.dot(*p) / around.len() as f64).sum())
        })
        .collect();
    facets.into_iter()
}

/// Unit normals of the planes to keep: across the axes, and where these fit worst.
fn chosen(normals: &[DVec3], count: usize) -> Vec<DVec3> {
    let mut chosen = vec![DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];
    let far = |n: &DVec3, from: DVec3| n.normalize().distance_squared(from);
    let nearest = |n: &DVec3| chosen.iter().fold(f64::INFINITY, |m, c| m.min(far(n, *c)));
    let mut misfit: Vec<f64> = normals.iter().map(nearest).collect();
    while chosen.len() < count {
        let cost = |f: &usize| misfit[*f] * normals[*f].length();
        let worst = (0..normals.len()).max_by(|f, g| cost(f).total_cmp(&cost(g)));
        let Some(next) = worst.filter(|&f| misfit[f] > 1e-9) else { break };
        let n = normals[next].normalize();
        chosen.push(n);
        for (least, normal) in misfit.iter_mut().zip(normals) {
            *least = least.min(far(normal, n));
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Sign, orient3d};

    /// On the inner side of a triangle that is counterclockwise from outside.
    const INSIDE: Sign = Sign::Negative;

    fn wrapped(points: &[DVec3], cap: usize) -> Vec<DVec3> {
        extremes(points).1.wrapped(cap)
    }

    /// How far the points are outside at most, along many directions and across the facets of what is around them.
    fn outside(points: &[DVec3], around: &[DVec3]) -> f64 {
        let spread =
            |k: u32| DVec3::new((f64::from(k) * 0.7).sin(), (f64::from(k) * 1.3).cos(), (f64::from(k) * 0.31).sin());
        let across = |facet: &[u32]| newell::normal(&facet.iter().map(|&v| around[v as usize]).collect::<Vec<_>>());
        let frame = Frame::of(around);
        let local: Vec<DVec3> = around.iter().map(|p| frame.enter(*p)).collect();
        let facets: Vec<DVec3> = of_points::hull(&local).facets().map(across).collect();
        let most = |p: &[DVec3], d: DVec3| p.iter().fold(f64::NEG_INFINITY, |m, p| m.max(d.dot(*p)));
        let out = |d: DVec3| most(points, d) - most(around, d);
        (0..500).map(spread).map(DVec3::normalize_or_zero).chain(facets).map(out).fold(0.0, f64::max)
    }

    fn spiral(stretch: DVec3) -> Vec<DVec3> {
        let turn = glam::DQuat::from_xyzw(0.1, 0.7, -0.3, 0.5).normalize();
        let point = |k: u32| {
            let (z, angle) = (1.0 - f64::from(k) / 500.0, 2.4 * f64::from(k));
            let r = (1.0 - z * z).max(0.0).sqrt();
            turn * (DVec3::new(r * angle.cos(), r * angle.sin(), z) * stretch) + DVec3::new(0.5, -0.7, 0.1)
        };
        (0..=1000).map(point).collect()
    }

    #[test]
    fn polytopes_contain_with_few_corners() {
        for stretch in
            [[1.0, 1.0, 1.0], [1.0, 0.2, 0.01], [1.0, 1.0, 1e-9], [1.0, 1.0, 1e-14], [1.0, 1e-3, 0.0], [1e-8, 0.0, 1.0]]
        {
            let points = spiral(DVec3::from_array(stretch));
            for cap in [8, 9, 16, 32, 64, 200] {
                let (exact, extremes) = extremes(&points);
                assert!(outside(&points, &exact) < 4e-15, "{stretch:?}");
                let around = extremes.wrapped(cap);
                assert!(around.len() <= cap, "{} corners for {cap}", around.len());
                let out = outside(&points, &around);
                assert!(out < 1e-14, "{out} outside, {stretch:?}, {cap}");
            }
        }
    }

    /// Not up to rounding: by exact predicates, strictly.
    #[test]
    fn polytopes_around_what_is_not_thin_contain_exactly() {
        for stretch in [[1.0, 1.0, 1.0], [1.0, 0.5, 0.3], [1.0, 0.2, 0.01], [1.0, 0.02, 0.01]] {
            let points = spiral(DVec3::from_array(stretch));
            for cap in [8, 9, 16, 32, 64, 200] {
                let around = wrapped(&points, cap);
                let facets = of_points::hull(&around);
                let mut checked = 0;
                for facet in facets.facets() {
                    let at = |k: usize| around[facet[k] as usize];
                    for k in 1..facet.len() - 1 {
                        let below = |p: &DVec3| orient3d(at(0), at(k), at(k + 1), *p) == INSIDE;
                        assert!(points.iter().all(below), "a point out of {cap} corners, {stretch:?}");
                        checked += 1;
                    }
                }
                assert!(checked >= 4, "{checked} triangles around {cap} corners");
            }
        }
    }

    #[test]
    fn polytopes_are_tight() {
        let volume = |p: &[DVec3]| {
            crate::model::convex::measure::volume(&crate::model::convex::polyhedron::Convex::hull(p).unwrap())
        };
        for stretch in [[1.0, 1.0, 1.0], [1.0, 0.2, 0.01]] {
            let points = spiral(DVec3::from_array(stretch));
            let exact = volume(&points);
            let [coarse, fine] = [32, 100].map(|cap| volume(&wrapped(&points, cap)) / exact);
            assert!(fine > 1.0 && fine < coarse && fine < 1.12 && coarse < 1.4, "{coarse} {fine}");
        }
    }

    #[test]
    fn a_flat_disc_gets_a_polygon() {
        let disc: Vec<DVec3> =
            (0..100).map(|k| f64::from(k) * 0.0628).map(|t| DVec3::new(t.cos(), t.sin(), 0.25)).collect();
        let around = wrapped(&disc, 32);
        assert!(
            around.len() == 16 && around.iter().all(|p| (p.z - 0.25).abs() < 1e-15 && p.truncate().length() < 1.03)
        );
    }
}
