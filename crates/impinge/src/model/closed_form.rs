//! Shapes of which rays and points are answered by formulas: what these need to know of a core.

use glam::DVec3;

use super::convex::polyhedron::Convex;
use crate::prim::{Cone, Cylinder, Ellipsoid};

/// A core in its own frame, without the margin around it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ClosedForm {
    Point(DVec3),
    /// All points within `half` of the centre along a unit vector and back.
    Segment {
        centre: DVec3,
        axis: DVec3,
        half: f64,
    },
    /// No coordinate beyond `±half`; the faces of the polyhedron by axes, the one at the lower end first.
    Cuboid {
        half: DVec3,
        faces: [[u32; 2]; 3],
    },
    Cylinder(Cylinder),
    Cone(Cone),
    Ellipsoid(Ellipsoid),
    /// `normal·x ≤ offset`.
    HalfSpace {
        normal: DVec3,
        offset: f64,
    },
}

impl ClosedForm {
    /// That of a polyhedron with one or two vertices.
    pub(crate) fn of_few_vertices(core: &Convex) -> Option<ClosedForm> {
        match *core.vertices() {
            [p] => Some(ClosedForm::Point(p)),
            [p, q] => {
                let axis = (q - p).try_normalize()?;
                Some(ClosedForm::Segment { centre: p.midpoint(q), axis, half: 0.5 * p.distance(q) })
            }
            _ => None,
        }
    }

    /// That of a box, the hull of the corners `±half`; `None` where rounding made the hull simpler than a box.
    pub(crate) fn of_box(core: &Convex, half: DVec3) -> Option<ClosedForm> {
        let exact = core.vertex_count() == 8 && core.vertices().iter().all(|v| v.abs() == half);
        let face = |out: DVec3| (0u32..).zip(core.faces()).find(|(_, face)| face.normal.dot(out) > 0.9).map(|(f, _)| f);
        let both = |axis: DVec3| Some([face(-axis)?, face(axis)?]);
        let faces = [both(DVec3::X)?, both(DVec3::Y)?, both(DVec3::Z)?];
        (exact && core.face_count() == 6).then_some(ClosedForm::Cuboid { half, faces })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_knows_its_faces() {
        let half = DVec3::new(1.0, 2.0, 1e-9);
        let sign = |i: u32, bit: u32| if i & bit == 0 { -1.0 } else { 1.0 };
        let corners: Vec<DVec3> = (0..8).map(|i| half * DVec3::new(sign(i, 1), sign(i, 2), sign(i, 4))).collect();
        let hull = Convex::hull(&corners).unwrap();
        let Some(ClosedForm::Cuboid { faces, .. }) = ClosedForm::of_box(&hull, half) else { panic!("{hull:?}") };
        for (axis, [low, high]) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().zip(faces) {
            assert!(hull.face(low).normal.distance(-axis) + hull.face(high).normal.distance(axis) < 1e-15);
        }
        assert!(ClosedForm::of_box(&hull, DVec3::ONE).is_none());
    }
}
