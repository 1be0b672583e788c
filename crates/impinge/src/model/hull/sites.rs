//! The points of a hull in coordinates where determinants are exact, and the planes through them.

use glam::DVec3;

use super::newell;
use crate::math::{EPS, Sign, normalising_scale, orient3d};

/// Scaled coordinates below this are zero, so that every bit of every coordinate is a multiple of 2⁻²⁴³ and the product
/// of three keeps all of its bits. It moves no point by more than 2⁻¹³⁰ of the extent.
const SMALLEST: f64 = f64::from_bits((1023 - 190) << 52);

/// The points given and their scaled copies.
pub(super) struct Sites<'a> {
    /// As given.
    pub(super) points: &'a [DVec3],
    /// Each axis scaled by a power of two to within ±1.
    pub(super) at: Vec<DVec3>,
    /// The powers of two.
    scale: DVec3,
    /// Differences of scaled coordinates do not exceed these.
    spread: DVec3,
    /// Largest extent along an axis, as given.
    pub(super) extent: f64,
    /// `τ`: what is nearer than this is the same.
    pub(super) tolerance: f64,
}

impl<'a> Sites<'a> {
    pub(super) fn new(points: &'a [DVec3]) -> Sites<'a> {
        let (low, high) = bounds(points);
        let reach = low.abs().max(high.abs());
        let scale = DVec3::from_array(reach.to_array().map(normalising_scale));
        let at = points.iter().map(|p| DVec3::from_array((*p * scale).to_array().map(to_lattice))).collect();
        let extent = (high - low).max_element();
        Sites {
            points,
            at,
            scale,
            spread: (high - low) * scale * (1.0 + 4.0 * EPS),
            extent,
            tolerance: (3.0 * EPS * reach.element_sum()).clamp(16.0 * EPS * extent, 90.0 * EPS * extent),
        }
    }

    /// The plane through three points that are not in line.
    ///
    /// A height computed is off by Shewchuk's `(7 + 56ε)ε` times the permanent at most. Where that hides `4τ`, as it
    /// does over slivers, the normal is computed exactly and rounded: heights are then off by less than `4ε` times
    /// `Σ|nᵢ||xᵢ|`, which is below `τ` by the choice of `τ`.
    pub(super) fn plane(&self, corners: [u32; 3]) -> SitePlane {
        let corners @ [origin, b, c] = corners.map(|v| self.at[v as usize]);
        let (u, v) = (b - origin, c - origin);
        let (s, t) = (u.abs(), v.abs());
        // The terms of the products, all with the same sign.
        let size = DVec3::new(s.y * t.z + s.z * t.y, s.z * t.x + s.x * t.z, s.x * t.y + s.y * t.x);
        let normal = u.cross(v);
        let bound = 8.0 * EPS * size.dot(self.spread);
        let slack = |normal: DVec3| self.tolerance * (normal * self.scale).length();
        if bound <= 4.0 * slack(normal) {
            return SitePlane { origin, normal, bound, slack: slack(normal) };
        }
        let normal = newell::exact_sum(&corners);
        SitePlane { origin, normal, bound: 4.0 * EPS * normal.abs().dot(self.spread), slack: slack(normal) }
    }

    /// On which side of the plane through `corners` the point lies, exactly.
    #[inline]
    pub(super) fn side(&self, plane: &SitePlane, corners: [u32; 3], x: u32) -> Sign {
        let height = plane.height(self.at[x as usize]);
        if height.abs() > plane.bound {
            return Sign::of(height);
        }
        self.exact_side(corners, x)
    }

    #[cold]
    pub(super) fn exact_side(&self, corners: [u32; 3], x: u32) -> Sign {
        let [a, b, c] = corners.map(|v| self.at[v as usize]);
        orient3d(a, b, c, self.at[x as usize])
    }

    /// How high above the plane the point lies, if it is above by more than `τ` and than rounding. Heights above one
    /// plane can be compared.
    #[inline]
    pub(super) fn above(&self, plane: &SitePlane, x: u32) -> Option<f64> {
        let height = plane.height(self.at[x as usize]);
        (height > plane.bound.max(plane.slack)).then_some(height)
    }

    /// How high above the plane the point lies, up to rounding.
    pub(super) fn height(&self, plane: &SitePlane, x: u32) -> f64 {
        plane.height(self.at[x as usize])
    }

    /// The same in units of `τ`, so that heights above different planes can be compared.
    pub(super) fn height_in_tau(&self, plane: &SitePlane, x: u32) -> f64 {
        self.height(plane, x) / plane.slack
    }

    /// Whether the point is below the plane, by more than `τ` and than rounding.
    #[inline]
    pub(super) fn is_below(&self, plane: &SitePlane, x: u32) -> bool {
        plane.height(self.at[x as usize]) < -plane.bound.max(plane.slack)
    }

    /// The unit normal of the plane among the points as given.
    pub(super) fn unit_normal(&self, plane: &SitePlane) -> DVec3 {
        newell::unit(plane.normal * self.scale)
    }
}

/// A plane through three scaled points; its normal is outward and of any length.
#[derive(Debug, Clone, Copy)]
pub(super) struct SitePlane {
    origin: DVec3,
    normal: DVec3,
    /// A height computed is off by no more than this.
    bound: f64,
    /// The height of a point at distance `τ`.
    slack: f64,
}

impl SitePlane {
    #[inline(always)]
    fn height(&self, x: DVec3) -> f64 {
        self.normal.dot(x - self.origin)
    }
}

fn to_lattice(x: f64) -> f64 {
    if x.abs() < SMALLEST { 0.0 } else { x }
}

fn bounds(points: &[DVec3]) -> (DVec3, DVec3) {
    points.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(*p), h.max(*p)))
}
