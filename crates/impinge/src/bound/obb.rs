//! Oriented boxes: S. Gottschalk, M. Lin, D. Manocha, *OBBTree: a hierarchical structure for rapid interference
//! detection*, SIGGRAPH 1996; Lin §5.2.
//!
//! **Fit** (§4). The axes are the principal axes of the triangles: of their corners ([`Fit::Vertices`]), of their area
//! ([`Fit::Area`]), or of the area of their hull ([`Fit::HullArea`], the default), on which neither the density of
//! corners nor what lies inside has any weight. Where eigenvalues are equal, as of cubes and spheres, the axes are
//! arbitrary; so the axes of the body's frame are tried too, and the box of least surface is taken.
//!
//! **Test** (§5). The gaps along the faces of each box bound the distance (see `tree/descent/gap.rs`); where they show
//! none, the nine axes across two edges may still separate. The axis across the edges `i` and `j` is their cross
//! product `m`, which is noise where they are nearly parallel: the rounding of its gap is taken off before the gap is
//! divided by `|m|`, and an `m` shorter than `2⁻²⁰` is left out. Nothing is lost then, since the faces are nearly axes
//! of both.
//!
//! Error: axes are orthonormal to `4·2⁻⁵³`; a gap along a face is a sum of seven products, each off by at most eight
//! roundings: 60 in all, below what [`SLACK`](super::SLACK) is for.

use glam::{DMat3, DVec3};

use super::moments::Moments;
use super::node_volume::{Bound, Placement};
use super::rough_hull::hull_triangles;
use crate::math::principal_axes;

/// From what the principal axes of a box are computed.
///
/// ```
/// use impinge::{bound::{Fit, Obb}, glam::DVec3};
/// let triangle = [DVec3::ZERO, DVec3::X * 2.0, DVec3::Y * 2.0];
/// for fit in [Fit::Vertices, Fit::Area, Fit::HullArea] {
///     assert!(Obb::fitted(&[triangle], fit).half.length() < 1.5);
/// }
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Fit {
    /// Those of the corners.
    Vertices,
    /// Those of the triangles, by area.
    Area,
    /// Those of the convex hull, by area; of the triangles where the hull is flat.
    #[default]
    HullArea,
}

crate::error::named! { Fit { Vertices = "vertices", Area = "area", HullArea = "hull-area" } }

/// A box along axes of its own.
///
/// ```
/// use impinge::{bound::{Bound, Obb}, glam::DVec3};
/// let triangle = [DVec3::ZERO, DVec3::X * 2.0, DVec3::Y * 2.0];
/// let around = Obb::around(&[triangle]);
/// assert!(around.half.min_element() < 1e-12, "it is flat, as the triangle is");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Obb {
    /// Its middle.
    pub centre: DVec3,
    /// Its axes: orthonormal columns.
    pub axes: DMat3,
    /// Half its extents along them.
    pub half: DVec3,
}

impl Obb {
    /// The box along the principal axes of `fit`, or along the axes of the frame where that is smaller.
    pub fn fitted(triangles: &[[DVec3; 3]], fit: Fit) -> Obb {
        let fitted = Obb::along(orthonormal(principal_axes(spread(triangles, fit))), triangles);
        let plain = Obb::along(DMat3::IDENTITY, triangles);
        // Flat sets have boxes without surface in more than one way: a little more than zero decides between them.
        let surface = |b: &Obb| b.half.x * b.half.y + b.half.y * b.half.z + b.half.z * b.half.x;
        if surface(&fitted) < surface(&plain) { fitted } else { plain }
    }

    fn along(axes: DMat3, triangles: &[[DVec3; 3]]) -> Obb {
        let back = axes.transpose();
        let ends = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (low, high) = triangles.iter().flatten().fold(ends, |(low, high), &p| {
            let q = back * p;
            (low.min(q), high.max(q))
        });
        let middle = (low + high) * 0.5;
        Obb { centre: axes * middle, axes, half: (high - middle).max(middle - low) }
    }

    /// How far the boxes are apart at least, by the axes of their faces.
    #[inline]
    pub(super) fn gap_along_faces(&self, other: &Obb) -> f64 {
        self.seen_from(other).gap_along_faces()
    }

    #[inline]
    fn seen_from<'b>(&'b self, other: &'b Obb) -> Pair<'b> {
        let between = other.centre - self.centre;
        Pair {
            a: self,
            b: other,
            cosines: self.axes.transpose() * other.axes,
            mine: self.axes.transpose() * between,
            theirs: other.axes.transpose() * between,
        }
    }
}

/// Two boxes: what both tests need.
struct Pair<'b> {
    a: &'b Obb,
    b: &'b Obb,
    /// Column `j` has the axis `j` of `b` in the axes of `a`.
    cosines: DMat3,
    /// From the centre of `a` to that of `b`, in the axes of `a`, and in those of `b`.
    mine: DVec3,
    theirs: DVec3,
}

impl Pair<'_> {
    #[inline]
    fn gap_along_faces(&self) -> f64 {
        let (a, b) = (self.a.half, self.b.half);
        let [x, y, z] = [self.cosines.x_axis.abs(), self.cosines.y_axis.abs(), self.cosines.z_axis.abs()];
        let mine = (self.mine.abs() - a - (x * b.x + y * b.y + z * b.z)).max(DVec3::ZERO);
        let theirs = (self.theirs.abs() - b - DVec3::new(x.dot(a), y.dot(a), z.dot(a))).max(DVec3::ZERO);
        mine.length_squared().max(theirs.length_squared()).sqrt()
    }

    /// The widest gap along the nine cross products of axes, with its rounding taken off.
    fn gap_along_edges(&self) -> f64 {
        let (t, a, b) = (self.mine, self.a.half, self.b.half);
        let rounding = (t.abs().element_sum() + a.element_sum() + b.element_sum()) / (1u64 << 46) as f64;
        let mut widest = 0.0;
        for j in 0..3 {
            let [j1, j2] = [(j + 1) % 3, (j + 2) % 3];
            let c = self.cosines.col(j);
            for i in 0..3 {
                let [i1, i2] = [(i + 1) % 3, (i + 2) % 3];
                let squared = c[i1] * c[i1] + c[i2] * c[i2];
                if squared < 1.0 / (1u64 << 40) as f64 {
                    continue;
                }
                let apart = (t[i2] * c[i1] - t[i1] * c[i2]).abs();
                let mine = a[i1] * c[i2].abs() + a[i2] * c[i1].abs();
                let theirs = b[j1] * self.cosines.col(j2)[i].abs() + b[j2] * self.cosines.col(j1)[i].abs();
                let gap = apart - mine - theirs - rounding;
                if gap > 0.0 {
                    widest = f64::max(widest, gap / squared.sqrt());
                }
            }
        }
        widest
    }
}

impl Bound for Obb {
    type Placed = Obb;

    fn around(triangles: &[[DVec3; 3]]) -> Obb {
        Obb::fitted(triangles, Fit::HullArea)
    }

    #[inline]
    fn place(&self, to: &Placement) -> Obb {
        Obb { centre: to.apply(self.centre), axes: to.rotation * self.axes, half: self.half * to.scale }
    }

    #[inline]
    fn apart(&self, other: &Obb) -> f64 {
        let pair = self.seen_from(other);
        let gap = pair.gap_along_faces();
        if gap > 0.0 { gap } else { pair.gap_along_edges() }
    }

    #[inline]
    fn at_most(&self, other: &Obb) -> f64 {
        self.centre.distance(other.centre) + self.half.length() + other.half.length()
    }
}

fn spread(triangles: &[[DVec3; 3]], fit: Fit) -> DMat3 {
    match fit {
        // A triangle that is a point counts as one.
        Fit::Vertices => triangles.iter().flatten().map(|&p| Moments::of(&[p; 3])).sum::<Moments>(),
        Fit::Area => triangles.iter().map(Moments::of).sum(),
        Fit::HullArea => match hull_triangles(triangles) {
            Some(hull) => hull.iter().map(Moments::of).sum(),
            None => triangles.iter().map(Moments::of).sum(),
        },
    }
    .covariance()
}

/// The columns made orthonormal to a few roundings.
fn orthonormal(m: DMat3) -> DMat3 {
    let x = m.x_axis.normalize_or(DVec3::X);
    let z = x.cross(m.y_axis).normalize_or(x.any_orthonormal_vector());
    DMat3::from_cols(x, z.cross(x), z)
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;

    fn plate(turn: DQuat, at: DVec3) -> Vec<[DVec3; 3]> {
        let corner = |x: f64, y: f64| at + turn * DVec3::new(x, y, 0.0);
        let quad = [corner(-1.0, -0.5), corner(1.0, -0.5), corner(1.0, 0.5), corner(-1.0, 0.5)];
        vec![[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]
    }

    #[test]
    fn a_slanted_plate_has_a_flat_box_by_every_fit() {
        let turn = DQuat::from_xyzw(0.3, -0.2, 0.5, 0.7).normalize();
        for fit in [Fit::Vertices, Fit::Area, Fit::HullArea] {
            let b = Obb::fitted(&plate(turn, DVec3::new(0.1, 0.2, 0.3)), fit);
            let mut half = b.half.to_array();
            half.sort_by(f64::total_cmp);
            assert!(half[0] < 1e-14, "{fit:?}: {b:?}");
            // Two corners of the plate count twice, which turns the axes found from corners within the plane.
            let tight = (half[1] - 0.5).abs() < 1e-12 && (half[2] - 1.0).abs() < 1e-12;
            assert!(tight || fit == Fit::Vertices, "{fit:?}: {b:?}");
        }
    }

    /// OBBTree §4: a thousand small triangles in one corner turn the axes that are found from the corners, but not
    /// those that are found from the hull.
    #[test]
    fn density_does_not_turn_the_hull_fit() {
        let turn = DQuat::from_rotation_z(0.4);
        let at = |x: f64, y: f64, z: f64| turn * DVec3::new(x, y, z);
        let corner = |i: usize| at([-1.0, 1.0][i & 1], [-0.5, 0.5][i >> 1 & 1], [-0.25, 0.25][i >> 2]);
        let faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
        let mut soup: Vec<[DVec3; 3]> =
            faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]].map(|t| t.map(corner))).collect();
        for i in 0..1000 {
            let x = 0.7 + 1e-4 * f64::from(i);
            let y = 0.3 + 1e-4 * f64::from(i % 13);
            soup.push([at(x, y, 0.0), at(x + 0.01, y, 0.1), at(x, y + 0.01, 0.2)]);
        }
        let volume = |b: Obb| 8.0 * b.half.element_product();
        let (hull, corners) = (Obb::fitted(&soup, Fit::HullArea), Obb::fitted(&soup, Fit::Vertices));
        assert!((volume(hull) - 1.0).abs() < 1e-9, "{hull:?}");
        assert!(volume(corners) > 1.05, "{corners:?}");
    }

    /// Two crossed bars that only the cross product of their edges separates.
    #[test]
    fn edges_separate_what_faces_do_not() {
        let half = DVec3::new(1.0, 0.1, 0.1);
        let bar = |turn: DQuat, centre: DVec3| Obb { centre, axes: DMat3::from_quat(turn), half };
        let tilt = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
        let across = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2) * tilt;
        let reach = 2.0 * 0.1 * 2f64.sqrt();
        let (a, b) = (bar(tilt, DVec3::ZERO), bar(across, DVec3::new(0.0, 0.0, reach + 0.01)));
        assert_eq!(a.gap_along_faces(&b), 0.0);
        assert!((a.apart(&b) - 0.01).abs() < 1e-12, "{}", a.apart(&b));
        assert_eq!(a.apart(&bar(across, DVec3::new(0.0, 0.0, reach - 0.01))), 0.0);
    }

    /// The edges are parallel up to rounding: their cross product is noise, and must not separate the boxes.
    #[test]
    fn nearly_parallel_edges_do_not_separate() {
        for exponent in 0..60 {
            let turn =
                DQuat::from_rotation_z(2f64.powi(-exponent)) * DQuat::from_rotation_x(1.3 * 2f64.powi(-exponent));
            let one = Obb { centre: DVec3::ZERO, axes: DMat3::IDENTITY, half: DVec3::ONE };
            let two = Obb { centre: DVec3::new(0.3, 1.9, 1.9), axes: DMat3::from_quat(turn), half: DVec3::ONE };
            assert_eq!(one.apart(&two), 0.0, "2^-{exponent}");
        }
    }
}
