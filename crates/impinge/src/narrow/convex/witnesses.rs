//! What shows how two convex bodies are to each other: their closest or common points, and what carries these.

use glam::DVec3;

use super::polyhedra::{Cell, Near, Polyhedra};
use crate::answer::Element;
use crate::math::{EPS, Relative};
use crate::model::Convex;

/// How two bodies stand to each other, in `a`'s frame.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stand {
    /// Apart, by between `lower` and `upper`.
    Apart { lower: f64, upper: f64, near: Witnesses },
    /// Farther apart than was asked for.
    Beyond,
    /// With a common point.
    Overlap(Witnesses),
}

/// Two points and what carries them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Witnesses {
    pub(crate) points: [DVec3; 2],
    pub(crate) elements: [Element; 2],
}

impl Witnesses {
    pub(crate) fn inside(p: DVec3) -> Witnesses {
        Witnesses { points: [p; 2], elements: [Element::Inside; 2] }
    }
}

impl Stand {
    /// The same for the bodies with margins around them.
    pub(super) fn widened(self, a: f64, b: f64) -> Stand {
        let Stand::Apart { lower, upper, near } = self else { return self };
        let [p, q] = near.points;
        let between = p.distance(q);
        let normal = (q - p).normalize_or_zero();
        let noise = 4.0 * EPS * (a + b);
        let elements = [(near.elements[0], a), (near.elements[1], b)]
            .map(|(element, margin)| if margin > 0.0 { Element::Surface } else { element });
        if between <= a + b {
            // Half way between the surfaces, but between the cores: a small margin may lie all inside the other.
            let at = (0.5 * (between + a - b)).clamp(0.0, between);
            return Stand::Overlap(Witnesses { points: [p + normal * at; 2], elements });
        }
        let points = [p + normal * a, q - normal * b];
        let lower = (lower - a - b - noise).max(0.0);
        Stand::Apart { lower, upper: (upper - a - b + noise).max(lower), near: Witnesses { points, elements } }
    }

    /// Bodies exchanged, and from the frame of the one to that of the other.
    pub(crate) fn seen_from_b(self, b_in_a: &Relative) -> Stand {
        let turned = |w: Witnesses| {
            let [q, p] = w.points.map(|x| b_in_a.apply(x));
            Witnesses { points: [p, q], elements: [w.elements[1], w.elements[0]] }
        };
        match self {
            Stand::Apart { lower, upper, near } => Stand::Apart { lower, upper, near: turned(near) },
            Stand::Overlap(w) => Stand::Overlap(turned(w)),
            Stand::Beyond => Stand::Beyond,
        }
    }
}

impl Polyhedra<'_> {
    #[inline(always)]
    pub(crate) fn elements(&self, cells: [Cell; 2]) -> [Element; 2] {
        [element(self.a, cells[0]), element(self.b, cells[1])]
    }

    pub(crate) fn apart(&self, near: &Near, lower: f64) -> Stand {
        let interval = self.interval(near.distance(), lower);
        let near = Witnesses { points: near.points, elements: self.elements(near.cells) };
        Stand::Apart { lower: interval.lower, upper: interval.upper, near }
    }
}

/// The feature by the indices of the points given.
#[inline(always)]
pub(crate) fn element(body: &Convex, cell: Cell) -> Element {
    let id = |v: u32| body.vertex_id(v).unwrap_or(v);
    match cell {
        Cell::Vertex(v) => Element::Vertex(id(v)),
        Cell::Edge(e) => Element::Edge(body.edge(e).ends.map(id)),
        Cell::Face(f) => Element::Face(f),
    }
}
