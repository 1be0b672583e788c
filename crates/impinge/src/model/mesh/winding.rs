//! How often a surface winds about a point, for triangles with holes, gaps and crossings too.
//!
//! The generalised winding number of A. Jacobson, L. Kavan and O. Sorkine-Hornung, *Robust inside-outside segmentation
//! using generalized winding numbers*, TOG 32(4), 2013, §4: the solid angles of the triangles over 4π, each by A. Van
//! Oosterom and J. Strackee, *The solid angle of a plane triangle*, 1983. With `a`, `b`, `c` from the point to the
//! corners
//!
//! ```text
//!     tan(Ω/2) = a·(b×c) / (|a||b||c| + (a·b)|c| + (b·c)|a| + (c·a)|b|)
//! ```
//!
//! Far triangles are taken together, after G. Barill et al., *Fast winding numbers for soups and clouds*, TOG 37(4),
//! 2018, §3: over a node, with `r` from the point to its area centre `p`, `N = ∫n dA` and `C = ∫(x − p)nᵀ dA`,
//!
//! ```text
//!     4πw ≈ N·r/|r|³ + tr C/|r|³ − 3·rᵀC r/|r|⁵
//! ```
//!
//! Departure: the paper opens a node by its distance over its radius, with an error seen in experiments; here a bound
//! decides. What is left out is the second-order remainder of `x ↦ (x − q)/|x − q|³`, a derivative of `1/|x − q|`. Its
//! k-th derivative is at most `k!/d^(k+1)` in norm (Legendre polynomials are at most 1), so with the radius `ρ` of the
//! node about `p` and `d = |r| − ρ` the remainder is at most `½ρ²·3!/d⁴`, and a node of area `A` adds at most
//! `3Aρ²/(4πd⁴)`. A node is taken as a whole when that is at most its share by area of the error allowed, so the sum is
//! within it.
//!
//! Everything is in the tree's units. Cost: a pass over the triangles once; then a walk, or for no error a full sum.

use glam::DVec3;
use std::f64::consts::PI;

use super::triangle_mesh::Mesh;
use crate::math::{Sign, normalising_scale, orient3d};
use crate::tree::nodes::Below;

/// Farthest that a point may be from the mesh, in units of its tree, to count; beyond it no digit of the sum is left.
const FAR: f64 = 1e60;

impl Mesh {
    /// The generalised winding number about a point: the solid angles of all triangles over 4π, positive where they are
    /// seen from behind. For a closed mesh wound outwards it is 1 inside and 0 outside, up to rounding; where there are
    /// holes it changes smoothly across them. A triangle that the point lies on counts for nothing.
    ///
    /// Takes the time of looking at every triangle; see [`Mesh::winding_number_within`].
    ///
    /// ```
    /// use impinge::{glam::DVec3, Mesh};
    /// let v = [[0., 0., 0.], [3., 0., 0.], [0., 3., 0.], [0., 0., 3.]].map(DVec3::from_array).to_vec();
    /// let closed = Mesh::new(v.clone(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// assert!((closed.winding_number(DVec3::splat(0.5)) - 1.0).abs() < 1e-12);
    /// assert!(closed.winding_number(DVec3::splat(1.5)).abs() < 1e-12);
    /// // From their common corner the three faces that are left fill all but an eighth of the view.
    /// let open = Mesh::new(v, vec![[0, 2, 1], [0, 1, 3], [2, 0, 3]])?;
    /// let near = open.winding_number(DVec3::splat(1e-6));
    /// assert!((near - 0.875).abs() < 1e-5);
    /// let far = DVec3::splat(9.0);
    /// assert!((open.winding_number_within(far, 0.01) - open.winding_number(far)).abs() < 0.01);
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn winding_number(&self, point: DVec3) -> f64 {
        self.winding_number_within(point, 0.0)
    }

    /// As [`Mesh::winding_number`], off by at most `error` and rounding, from moments of far triangles taken together.
    /// The moments are summed when first needed. An error that is negative or NaN counts as 0.
    pub fn winding_number_within(&self, point: DVec3, error: f64) -> f64 {
        let tree = self.tree();
        let q = (point - tree.centre) * tree.unit.recip();
        let in_sight = q.is_finite() && q.abs().max_element() < FAR;
        if self.is_empty() || !in_sight {
            return 0.0;
        }
        let eye = Eye::new(self, point);
        let fan = |places: std::ops::Range<u32>| places.map(|place| eye.angle(place)).sum::<f64>();
        if error.max(0.0) == 0.0 {
            return fan(0..self.place_count()) / (4.0 * PI);
        }
        let winding = self.winding();
        let allowed = error * 4.0 * PI / winding.area;
        let (mut sum, mut open) = (0.0, vec![0]);
        while let Some(n) = open.pop() {
            match winding.nodes[n].seen_from(q, allowed) {
                Some(far) => sum += far,
                None => tree.below(n).for_each(|below| match below {
                    Below::Node(child) => open.push(child),
                    Below::Leaf(leaf) => sum += fan(leaf.places()),
                }),
            }
        }
        sum / (4.0 * PI)
    }

    /// Whether the winding number is more than a half. Nothing outside of the mesh's box counts as inside.
    pub(crate) fn holds_by_winding(&self, point: DVec3) -> bool {
        let b = self.aabb();
        if !(b.min.cmple(point).all() && point.cmple(b.max).all()) {
            return false;
        }
        for error in [0.25, 0.03] {
            let number = self.winding_number_within(point, error);
            if (number - 0.5).abs() > error {
                return number > 0.5;
            }
        }
        self.winding_number(point) > 0.5
    }
}

/// A point whose winding number is computed, with the mesh.
struct Eye<'m> {
    mesh: &'m Mesh,
    point: DVec3,
    /// Into the tree's units.
    scale: f64,
    /// The scale for the exact predicate.
    exact: f64,
}

impl Eye<'_> {
    fn new(mesh: &Mesh, point: DVec3) -> Eye<'_> {
        let exact = normalising_scale(mesh.aabb().reach().max(point.abs().max_element()));
        Eye { mesh, point, scale: mesh.tree().unit.recip(), exact }
    }

    /// Solid angle of the triangle at a place, and of its copies.
    fn angle(&self, place: u32) -> f64 {
        let t = self.mesh.corners(place);
        let [a, b, c] = t.map(|x| (x - self.point) * self.scale);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let volume = a.dot(b.cross(c));
        let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        let half = if below >= 0.0 {
            volume.atan2(below)
        } else {
            // More than half of the view: the sign is that of a whole turn, and is taken from the exact side.
            let [p, q, r] = t.map(|x| x * self.exact);
            match orient3d(p, q, r, self.point * self.exact) {
                Sign::Negative => volume.abs().atan2(below),
                Sign::Positive => -volume.abs().atan2(below),
                Sign::Zero => 0.0,
            }
        };
        2.0 * half * self.mesh.weight(place) as f64
    }
}
