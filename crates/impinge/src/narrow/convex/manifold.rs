//! Where two polyhedra touch: the polygon that two faces share, clipped; or the one pair of points of other contacts.
//!
//! Of the faces that look along the contact normal the one that looks most that way is the *reference*. If it looks
//! (almost) exactly that way, the face of the other body that looks most against it is clipped to the sides of the
//! reference (Sutherland and Hodgman), and the corners that are not above it are the contact: a polygon of two faces,
//! two points of an edge, one of a vertex. Without such a face two edges touch, and the contact is the pair of closest
//! points.

use glam::DVec3;
use smallvec::SmallVec;

use super::polyhedra::Polyhedra;
use super::polyhedra::placed_polyhedron::PlacedPolyhedron;
use crate::answer::Points;
use crate::model::convex::polyhedron::NONE;

/// Cosine of the angle to the contact normal at which a face is a reference.
const ALIGNED: f64 = 1.0 - 1e-7;

type Polygon = SmallVec<[DVec3; 32]>;

/// Points of the contact in `a`'s frame, on `a` and on `b`; `normal` leads from `a` to `b`, and points higher over the
/// reference face than `above` do not count. `witness` is the contact where no faces meet.
pub(crate) fn manifold(pair: &Polyhedra<'_>, normal: DVec3, above: f64, witness: [DVec3; 2]) -> Points {
    let [a, b] = pair.placed();
    let (face_a, cos_a) = facing(&a, normal);
    let (face_b, cos_b) = facing(&b, -normal);
    if cos_a.max(cos_b) < ALIGNED {
        return Points::from_iter([witness]);
    }
    let swapped = cos_b > cos_a;
    let (reference, face, incident, other) = if swapped { (&b, face_b, &a, face_a) } else { (&a, face_a, &b, face_b) };
    let mut polygon = corners(incident, other);
    for &h in reference.convex.face_edges(face) {
        let inward = reference.turn(reference.convex.edge(h.edge()).inward[h.side()]);
        let corner = reference.vertex(reference.convex.tail(h));
        clip(&mut polygon, |x| inward.dot(x - corner));
    }
    let up = reference.normal(face);
    let kept = polygon.iter().filter_map(|&x| {
        let height = reference.height(face, x);
        let on_reference = x - up * height;
        let points = if swapped { [x, on_reference] } else { [on_reference, x] };
        (height <= above).then_some(points)
    });
    let points: Points = kept.collect();
    if points.is_empty() { Points::from_iter([witness]) } else { points }
}

/// The face that looks most along `d`, and the cosine; a body without faces has none.
fn facing(body: &PlacedPolyhedron<'_>, d: DVec3) -> (u32, f64) {
    let own = body.turn_back(d);
    let mut best = (NONE, f64::NEG_INFINITY);
    for (f, face) in body.convex.faces().iter().enumerate() {
        let cosine = face.normal.dot(own);
        if cosine > best.1 {
            best = (f as u32, cosine);
        }
    }
    best
}

/// Corners of the face, or of a body without faces.
fn corners(body: &PlacedPolyhedron<'_>, face: u32) -> Polygon {
    if face == NONE {
        return (0..body.convex.vertex_count() as u32).map(|v| body.vertex(v)).collect();
    }
    body.convex.face_edges(face).iter().map(|&h| body.vertex(body.convex.tail(h))).collect()
}

/// Cuts off what lies on the negative side.
fn clip(polygon: &mut Polygon, side: impl Fn(DVec3) -> f64) {
    let before: Polygon = std::mem::take(polygon);
    let count = before.len();
    for k in 0..count {
        let (x, y) = (before[k], before[(k + 1) % count]);
        let (at_x, at_y) = (side(x), side(y));
        if at_x >= 0.0 {
            polygon.push(x);
        }
        // Of a segment, each way is an edge: the crossing is met twice, and kept once.
        if (at_x < 0.0) != (at_y < 0.0) && (count > 2 || k == 0) {
            polygon.push(x + (y - x) * (at_x / (at_x - at_y)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::convex::polyhedra::cases::{at, cuboid, placed};
    use glam::DMat3;

    #[test]
    fn stacked_boxes_share_a_polygon() {
        let (a, b) = (cuboid(DVec3::ONE), cuboid(DVec3::new(0.5, 2.0, 1.0)));
        let pair = Polyhedra { a: &a, b: &b, b_in_a: at(DVec3::new(0.75, 0.0, 2.0)) };
        let points = manifold(&pair, DVec3::Z, 0.0, [DVec3::ZERO; 2]);
        assert_eq!(points.len(), 4);
        for [p, q] in points.iter() {
            assert_eq!((p, p.z), (q, 1.0));
            assert!((0.25..=1.0).contains(&p.x) && p.y.abs() == 1.0);
        }
    }

    #[test]
    fn edge_and_vertex_on_a_face() {
        let cube = cuboid(DVec3::ONE);
        let lift = 1.0 + 2f64.sqrt();
        let on_edge = placed(DMat3::from_rotation_x(std::f64::consts::FRAC_PI_4), DVec3::new(0.0, 0.0, lift));
        let pair = Polyhedra { a: &cube, b: &cube, b_in_a: on_edge };
        assert_eq!(manifold(&pair, DVec3::Z, 1e-9, [DVec3::ZERO; 2]).len(), 2);
        let point = Convex::hull(&[DVec3::new(0.1, 0.2, 1.0)]).unwrap();
        let pair = Polyhedra { a: &cube, b: &point, b_in_a: at(DVec3::ZERO) };
        let points = manifold(&pair, DVec3::Z, 0.0, [DVec3::ZERO; 2]);
        assert_eq!(&points[..], &[[DVec3::new(0.1, 0.2, 1.0); 2]]);
    }

    use crate::model::Convex;

    #[test]
    fn crossed_edges_meet_in_one_point() {
        let cube = cuboid(DVec3::ONE);
        let turn = DMat3::from_rotation_x(std::f64::consts::FRAC_PI_4);
        let a_turned = DMat3::from_rotation_y(std::f64::consts::FRAC_PI_4);
        let pair = Polyhedra { a: &cube, b: &cube, b_in_a: placed(turn * a_turned, DVec3::new(3.0, 0.0, 0.0)) };
        let witness = [DVec3::X, DVec3::Y];
        let normal = DVec3::new(1.0, 1.0, 1.0).normalize();
        assert_eq!(&manifold(&pair, normal, 0.0, witness)[..], &[witness]);
    }
}
