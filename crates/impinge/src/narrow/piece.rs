//! Convex pieces that bodies are made of, two at a time: a direction between them, and the gap along it.
//!
//! What an engine for moving bodies needs of two pieces at one moment is a plane between them that is as wide as can be,
//! or the word that they touch. The direction may come from anywhere: the gap across it is then measured with the
//! support mappings, so that nothing depends on how good the direction is.

use glam::DVec3;

use super::Method;
use super::mesh_solid;
use super::stand::{Recollection, Solid, Stand, stand};
use crate::answer::{Element, Stats};
use crate::math::{EPS, Relative, normalising_scale};
use crate::model::Core;
use crate::prim::{Part, Triangle, gap_across, nearest, triangles_overlap};

/// A convex piece of a body, in the body's frame.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Piece<'m> {
    Triangle(Triangle),
    Solid(Solid<'m>),
}

/// The part of a piece that carries a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Carrier {
    /// Of a triangle.
    Part(Part),
    Element(Element),
}

/// Two closest or common points in `a`'s frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Witnessed {
    pub(crate) points: [DVec3; 2],
    pub(crate) carriers: [Carrier; 2],
}

/// How two pieces stand to each other.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sight {
    /// Apart, along this unit direction from `a` to `b` as a rule.
    Apart(DVec3, Witnessed),
    /// With a common point.
    Touch(Witnessed),
}

impl Piece<'_> {
    /// The point farthest along `d`, margin left out; `None` for a half-space.
    #[inline(always)]
    pub(crate) fn farthest(&self, d: DVec3) -> Option<DVec3> {
        match self {
            Piece::Triangle([p, q, r]) => {
                let (q_up, r_up) = (d.dot(*q - *p), d.dot(*r - *p));
                Some(if q_up > 0.0 && q_up >= r_up {
                    *q
                } else if r_up > 0.0 {
                    *r
                } else {
                    *p
                })
            }
            Piece::Solid(solid) => match solid.core {
                Core::Polyhedron(body) => Some(body.vertex(body.support(d, 0))),
                Core::Smooth(body) => Some(body.support(d)),
                Core::HalfSpace { .. } => None,
            },
        }
    }

    pub(crate) fn margin(&self) -> f64 {
        if let Piece::Solid(solid) = self { solid.margin } else { 0.0 }
    }

    /// A ball around it; `None` for a half-space.
    pub(crate) fn ball(&self) -> Option<(DVec3, f64)> {
        match self {
            Piece::Triangle([p, q, r]) => {
                let centre = *p + ((*q - *p) + (*r - *p)) / 3.0;
                Some((centre, centre.distance(*p).max(centre.distance(*q)).max(centre.distance(*r))))
            }
            Piece::Solid(solid) => match solid.core {
                Core::Polyhedron(body) => Some((body.centre(), body.radius() + solid.margin)),
                Core::Smooth(body) => Some((body.centre(), body.radius() + solid.margin)),
                Core::HalfSpace { .. } => None,
            },
        }
    }

    fn half_space(&self) -> Option<(DVec3, f64)> {
        match self {
            Piece::Solid(Solid { core: Core::HalfSpace { normal, offset }, margin }) => {
                Some((*normal, offset + margin))
            }
            _ => None,
        }
    }
}

/// The gap along the unit direction `n` of `a`'s frame, from `a` to `b`, less what rounding may add to it; negative
/// where no plane across `n` is between the pieces.
///
/// A half-space has a gap along its own normal only, and is taken to be asked about no other direction.
#[inline]
pub(crate) fn gap([a, b]: [&Piece<'_>; 2], b_in_a: &Relative, n: DVec3) -> f64 {
    let (p, q) = (a.farthest(n), b.farthest(-(b_in_a.rotation.transpose() * n)));
    let margins = a.margin() + b.margin();
    let shift = b_in_a.translation.abs().max_element();
    match (p, q) {
        (Some(p), Some(q)) => {
            let at = b_in_a.apply(q);
            let size = p.abs().max_element() + q.abs().max_element() + shift + margins;
            n.dot(at - p) - margins - 32.0 * EPS * size
        }
        (None, Some(q)) => {
            let Some((normal, offset)) = a.half_space() else { return f64::NEG_INFINITY };
            let size = offset.abs() + q.abs().max_element() + shift + b.margin();
            normal.dot(b_in_a.apply(q)) - offset - b.margin() - 32.0 * EPS * size
        }
        (Some(p), None) => {
            let Some((normal, offset)) = b.half_space() else { return f64::NEG_INFINITY };
            let size = offset.abs() + p.abs().max_element() + shift + a.margin();
            normal.dot(b_in_a.inverse().apply(p)) - offset - a.margin() - 32.0 * EPS * size
        }
        (None, None) => f64::NEG_INFINITY,
    }
}

/// How two pieces stand to each other, with the closest points as the direction.
pub(crate) fn look([a, b]: [&Piece<'_>; 2], b_in_a: &Relative, memory: &mut Recollection, stats: &mut Stats) -> Sight {
    match (a, b) {
        (Piece::Triangle(a), Piece::Triangle(b)) => look_at_triangles(a, b, b_in_a, stats),
        (Piece::Solid(a), Piece::Solid(b)) => {
            match stand([a, b], b_in_a, f64::INFINITY, Method::Auto, memory, stats) {
                Stand::Apart { near, .. } => {
                    let [p, q] = near.points;
                    apart(q - p, near.points, near.elements.map(Carrier::Element))
                }
                Stand::Overlap(near) => {
                    Sight::Touch(Witnessed { points: near.points, carriers: near.elements.map(Carrier::Element) })
                }
                // Without a limit nothing is beyond it.
                Stand::Beyond => apart(b_in_a.translation, [DVec3::ZERO; 2], [Carrier::Element(Element::Inside); 2]),
            }
        }
        (Piece::Triangle(t), Piece::Solid(solid)) => mesh_solid::look(t, solid, b_in_a, stats),
        (Piece::Solid(solid), Piece::Triangle(t)) => {
            mesh_solid::look(t, solid, &b_in_a.inverse(), stats).seen_from_b(b_in_a)
        }
    }
}

pub(super) fn apart(way: DVec3, points: [DVec3; 2], carriers: [Carrier; 2]) -> Sight {
    let scale = normalising_scale(way.abs().max_element());
    let witnessed = Witnessed { points, carriers };
    match (way * scale).try_normalize() {
        Some(normal) => Sight::Apart(normal, witnessed),
        None => Sight::Touch(witnessed),
    }
}

fn look_at_triangles(a: &Triangle, b: &Triangle, b_in_a: &Relative, stats: &mut Stats) -> Sight {
    stats.primitive_tests += 1;
    let b = b.map(|x| b_in_a.apply(x));
    let reach = |t: &Triangle| t.iter().fold(0.0, |m: f64, x| m.max(x.abs().max_element()));
    let scale = normalising_scale(reach(a).max(reach(&b)));
    let (a, b) = (&a.map(|x| x * scale), &b.map(|x| x * scale));
    let near = nearest(a, b);
    let [p, q] = near.points();
    let (points, carriers) = ([p / scale, q / scale], near.parts.map(Carrier::Part));
    if gap_across(a, b, &near) <= 0.0 && triangles_overlap(a, b) {
        return Sight::Touch(Witnessed { points, carriers });
    }
    apart(q - p, points, carriers)
}

impl Sight {
    /// Bodies exchanged, and from the frame of the one to that of the other.
    fn seen_from_b(self, b_in_a: &Relative) -> Sight {
        let turned = |w: Witnessed| {
            let [q, p] = w.points.map(|x| b_in_a.apply(x));
            Witnessed { points: [p, q], carriers: [w.carriers[1], w.carriers[0]] }
        };
        match self {
            Sight::Apart(normal, w) => Sight::Apart(-(b_in_a.rotation * normal), turned(w)),
            Sight::Touch(w) => Sight::Touch(turned(w)),
        }
    }
}
