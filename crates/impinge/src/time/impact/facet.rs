//! Proves that two polyhedra touch, by one facet of their difference.
//!
//! Where two polyhedra come together from apart, the origin enters their [`Difference`] through a facet, which belongs
//! to a face of the one and a vertex of the other, or to an edge of each. The normal of the facet is that of the
//! contact, and a short time later the origin lies in a tetrahedron between a triangle of the facet and the centre of
//! the difference, by more than rounding: this proves that the bodies touch, without another search. All corners are
//! differences of points of the bodies, so the proof holds however the facet was found. There is no proof if the origin
//! passes so near to the border of the triangle that rounding may put it outside of the tetrahedron.

use arrayvec::ArrayVec;
use glam::DVec3;
use smallvec::{SmallVec, smallvec};

use super::closing::Closing;
use super::piece_contact::PieceContact;
use crate::answer::Element;
use crate::math::{Interval, Relative};
use crate::model::Convex;
use crate::model::round::Core;
use crate::narrow::convex::polyhedra::{HullFeature, Polyhedra};
use crate::narrow::convex::simplex::gjk::Simplex;
use crate::narrow::convex::simplex::gjk_polyhedra::feature_with;
use crate::narrow::convex::simplex::minkowski::{Apex, Difference};
use crate::narrow::convex::witnesses::element;
use crate::narrow::parts::closest_features::between_cells;
use crate::narrow::parts::piece_outcome::{PointCarrier, WitnessedPoints};
use crate::narrow::solid::Solid;
use crate::prim::normal;

/// A triangle of points of the difference. Each point is named by the two vertices whose difference it is.
pub(crate) type Names = [[u32; 2]; 3];

/// How near the points of a contact are, as a share of the radii.
const MEET_WITHIN: f64 = 1e-6;
/// The most triangles of a face that are tried.
const MOST_TRIANGLES: usize = 16;

/// A facet of the difference.
#[derive(Debug)]
pub(crate) struct DifferenceFacet<'m> {
    pair: Polyhedra<'m>,
    triangles: SmallVec<[Names; 2]>,
    /// The unit normal of the facet, from `a` to `b`.
    pub(crate) normal: DVec3,
    cells: [HullFeature; 2],
}

impl<'m> DifferenceFacet<'m> {
    /// The facet through three points of the difference, where `a` moves along `way`; `None` where the points have no
    /// normal.
    pub(crate) fn of_points(pair: &Polyhedra<'m>, [p, q, r]: [DVec3; 3], names: Names, way: DVec3) -> Option<Self> {
        let n = normal([q - p, r - q, p - r]).try_normalize()?;
        let n = if n.dot(way) < 0.0 { -n } else { n };
        let in_b = pair.b_in_a.rotation.transpose() * n;
        let cells =
            [cell_of(names, 0, |v| feature_with(pair.a, v, n)), cell_of(names, 1, |v| feature_with(pair.b, v, -in_b))];
        let normal = between_cells([pair.a, pair.b], cells, &pair.b_in_a, n);
        Some(DifferenceFacet { pair: *pair, triangles: smallvec![names], normal, cells })
    }

    /// As [`DifferenceFacet::of_points`], for bodies that are polyhedra without a margin.
    pub(crate) fn of_solids(
        [a, b]: [&Solid<'m>; 2],
        b_in_a: &Relative,
        (points, names): ([DVec3; 3], Names),
        way: DVec3,
    ) -> Option<Self> {
        let (Core::Polyhedron(p), Core::Polyhedron(q)) = (a.core, b.core) else { return None };
        let pair = Polyhedra { a: p, b: q, b_in_a: *b_in_a };
        (a.margin + b.margin == 0.0).then(|| DifferenceFacet::of_points(&pair, points, names, way)).flatten()
    }

    /// The facet that two features span, with its normal; `None` where they span none.
    pub(crate) fn of_cells(pair: &Polyhedra<'m>, cells: [HullFeature; 2], normal: DVec3) -> Option<Self> {
        let triangles = match cells {
            [HullFeature::Face(f), HullFeature::Vertex(w)] => fan(pair.a, f).map(|t| t.map(|v| [v, w])).collect(),
            [HullFeature::Vertex(v), HullFeature::Face(f)] => fan(pair.b, f).map(|t| t.map(|w| [v, w])).collect(),
            [HullFeature::Edge(e), HullFeature::Edge(f)] => {
                let ([i, j], [k, l]) = (pair.a.edge(e).ends, pair.b.edge(f).ends);
                smallvec![[[i, k], [j, k], [j, l]], [[i, k], [i, l], [j, l]]]
            }
            _ => return None,
        };
        Some(DifferenceFacet { pair: *pair, triangles, normal, cells })
    }

    /// The contact at `t`, if the bodies certainly touch at `later`; the caller knows that they are apart before `t`.
    pub(crate) fn touch(&self, closing: &Closing<'_>, t: f64, later: f64) -> Option<PieceContact> {
        let (_, b_in_a) = closing.relative(later);
        let (names, weights) = self.surely_touch(&b_in_a)?;
        let (_, b_in_a) = closing.relative(t);
        let point = |body: &Convex, k: usize| {
            let [p, q, r] = names.map(|name| body.vertex(name[k]));
            p + (q - p) * weights[1] + (r - p) * weights[2]
        };
        let points = [point(self.pair.a, 0), b_in_a.apply(point(self.pair.b, 1))];
        // Features that were closest from far away may span a facet within the difference: then they touch elsewhere.
        if points[0].distance(points[1]) > MEET_WITHIN * (self.pair.a.radius() + self.pair.b.radius()) {
            return None;
        }
        let carriers = self.pair.elements(self.cells).map(PointCarrier::Element);
        let witness = WitnessedPoints { points, carriers, lower: 0.0 };
        let time = Interval { lower: t, upper: later };
        Some(PieceContact { time, certain: true, normal: self.normal, witness: Some(witness) })
    }

    /// The triangle such that the origin lies between it and the centre of the difference, and the weights of its
    /// corners for its point that is about nearest to the origin. The error of that point is no more than the origin's
    /// depth.
    fn surely_touch(&self, b_in_a: &Relative) -> Option<(Names, [f64; 3])> {
        let pair = Polyhedra { b_in_a: *b_in_a, ..self.pair };
        let m = Difference::of(&pair);
        let noise = pair.noise(0.0);
        let centres = [pair.a.centre(), pair.b_in_a.apply(pair.b.centre())];
        let centre = Apex { w: m.centre, points: centres, names: [0; 2] };
        self.triangles.iter().find_map(|&names| {
            let simplex = Simplex::around_origin([m.named(names[0])?, m.named(names[1])?, m.named(names[2])?, centre]);
            let [x, y, z, _] = simplex.weights;
            let sum = x + y + z;
            simplex.surely_holds_origin(noise, m.scale).then_some((names, [x / sum, y / sum, z / sum]))
        })
    }
}

/// The part of one body that carries three points of the difference: body 0 is the first of the names.
pub(crate) fn element_of(solid: &Solid<'_>, names: Names, body: usize, outward: DVec3) -> Element {
    match solid.core {
        Core::Polyhedron(core) if solid.margin == 0.0 => {
            element(core, cell_of(names, body, |v| feature_with(core, v, outward)))
        }
        _ => Element::Surface,
    }
}

/// The feature of one body that has the vertices which the names contain for this body.
fn cell_of(names: Names, body: usize, find: impl Fn(&[u32]) -> HullFeature) -> HullFeature {
    let mut vertices = ArrayVec::<u32, 3>::new();
    for name in names {
        if !vertices.contains(&name[body]) {
            vertices.push(name[body]);
        }
    }
    find(&vertices)
}

/// The triangles of a face that all have its first corner.
fn fan(body: &Convex, face: u32) -> impl Iterator<Item = [u32; 3]> {
    let around = body.face_edges(face);
    let corner = |k: usize| body.tail(around[k]);
    (1..around.len().saturating_sub(1).min(MOST_TRIANGLES + 1)).map(move |k| [corner(0), corner(k), corner(k + 1)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square and the vertex of a pyramid above it, pointing down.
    fn bodies() -> [Convex; 2] {
        let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let at = |z: f64| square.map(|[x, y]| DVec3::new(x, y, z)).to_vec();
        let slab = Convex::hull(&[at(0.0), at(-1.0)].concat()).unwrap();
        let pyramid = Convex::hull(&[at(1.0), vec![DVec3::ZERO]].concat()).unwrap();
        [slab, pyramid]
    }

    fn touches(a: &Convex, b: &Convex, cells: [HullFeature; 2], shift: DVec3) -> bool {
        let b_in_a = Relative { translation: shift, ..Relative::IDENTITY };
        let pair = Polyhedra { a, b, b_in_a };
        DifferenceFacet::of_cells(&pair, cells, DVec3::Z).unwrap().surely_touch(&b_in_a).is_some()
    }

    #[test]
    fn a_vertex_below_a_face_by_more_than_rounding_touches_it() {
        let [slab, pyramid] = &bodies();
        let top = (0..slab.face_count() as u32).find(|&f| slab.face(f).normal.z > 0.9).unwrap();
        let tip = (0..5).find(|&v| pyramid.vertex(v) == DVec3::ZERO).unwrap();
        let cells = [HullFeature::Face(top), HullFeature::Vertex(tip)];
        for (x, y, z, expected) in [
            (0.3, 0.2, -1e-11, true),
            (-0.3, -0.2, -1e-11, true),
            (0.3, 0.2, 0.0, false),
            (0.3, 0.2, 1e-9, false),
            (1.5, 0.2, -1e-11, false),
        ] {
            assert_eq!(touches(slab, pyramid, cells, DVec3::new(x, y, z)), expected, "{x} {y} {z}");
            // The bodies in the other order.
            let turned = [cells[1], cells[0]];
            assert_eq!(touches(pyramid, slab, turned, -DVec3::new(x, y, z)), expected, "{x} {y} {z}");
        }
    }

    #[test]
    fn a_difference_without_volume_proves_no_contact() {
        let rod = |d: DVec3| Convex::hull(&[-d, d]).unwrap();
        let (a, b) = (&rod(DVec3::X), &rod(DVec3::Y));
        let cells = [HullFeature::Edge(0), HullFeature::Edge(0)];
        assert!(!touches(a, b, cells, DVec3::ZERO) && !touches(a, b, cells, DVec3::Z * -1e-11));
        assert!(
            DifferenceFacet::of_cells(
                &Polyhedra { a, b, b_in_a: Relative::IDENTITY },
                [HullFeature::Vertex(0); 2],
                DVec3::Z
            )
            .is_none()
        );
    }
}
