//! Witnesses of how near two convex bodies are: their closest or common points, and the features these lie on.

use glam::DVec3;

use super::polyhedra::{ClosestFeatures, HullFeature, Polyhedra};
use crate::answer::{Element, Feature, Witness};
use crate::math::{EPS, Interval, Relative};
use crate::model::Convex;
use crate::narrow::outcome::Outcome;

/// Two points and the features that they lie on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ConvexWitness {
    pub(crate) points: [DVec3; 2],
    pub(crate) elements: [Element; 2],
}

impl ConvexWitness {
    /// A point inside both bodies.
    pub(crate) fn inside(p: DVec3) -> ConvexWitness {
        ConvexWitness { points: [p; 2], elements: [Element::Inside; 2] }
    }

    /// From a result for `b` and `a`, in `b`'s frame, to the result for `a` and `b`, in `a`'s frame.
    pub(crate) fn seen_from_b(self, b_in_a: &Relative) -> ConvexWitness {
        let [q, p] = self.points.map(|x| b_in_a.apply(x));
        ConvexWitness { points: [p, q], elements: [self.elements[1], self.elements[0]] }
    }

    /// As the witness of two bodies of any kind.
    pub(crate) fn of_bodies(self) -> Witness {
        let features = self.elements.map(|element| Feature::Convex { piece: 0, element });
        Witness { points: self.points, features }
    }
}

/// How far two convex bodies are apart, and closest points that show it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ConvexGap {
    pub(crate) interval: Interval,
    pub(crate) witness: ConvexWitness,
}

/// How near two convex bodies are, in `a`'s frame. Neither ever contains the other without touching it.
pub(crate) type ConvexOutcome = Outcome<ConvexGap, ConvexWitness>;

impl ConvexOutcome {
    /// Apart, by as much as the interval says.
    pub(crate) fn apart(interval: Interval, witness: ConvexWitness) -> ConvexOutcome {
        Outcome::Apart(ConvexGap { interval, witness })
    }

    /// The same for the bodies with margins around them.
    pub(super) fn widened(self, a: f64, b: f64) -> ConvexOutcome {
        let Outcome::Apart(ConvexGap { interval, witness }) = self else { return self };
        let [p, q] = witness.points;
        let between = p.distance(q);
        let normal = (q - p).normalize_or_zero();
        let noise = 4.0 * EPS * (a + b);
        let elements = [(witness.elements[0], a), (witness.elements[1], b)]
            .map(|(element, margin)| if margin > 0.0 { Element::Surface } else { element });
        if between <= a + b {
            // Half way between the surfaces, but between the cores: a small margin may lie all inside the other.
            let at = (0.5 * (between + a - b)).clamp(0.0, between);
            return Outcome::Touching(ConvexWitness { points: [p + normal * at; 2], elements });
        }
        let points = [p + normal * a, q - normal * b];
        let lower = (interval.lower - a - b - noise).max(0.0);
        let upper = (interval.upper - a - b + noise).max(lower);
        ConvexOutcome::apart(Interval { lower, upper }, ConvexWitness { points, elements })
    }

    /// From a result for `b` and `a`, in `b`'s frame, to the result for `a` and `b`, in `a`'s frame.
    pub(crate) fn exchanged(self, b_in_a: &Relative) -> ConvexOutcome {
        self.swapped(
            |gap| ConvexGap { witness: gap.witness.seen_from_b(b_in_a), ..gap },
            |common| common.seen_from_b(b_in_a),
        )
    }
}

impl Polyhedra<'_> {
    #[inline(always)]
    pub(crate) fn elements(&self, features: [HullFeature; 2]) -> [Element; 2] {
        [element(self.a, features[0]), element(self.b, features[1])]
    }

    /// The closest points as the witness of two bodies of any kind.
    #[inline(always)]
    pub(crate) fn witness(&self, near: &ClosestFeatures) -> Witness {
        let features = self.elements(near.features).map(|element| Feature::Convex { piece: 0, element });
        Witness { points: near.points, features }
    }

    /// Apart, with these closest points; their distance is at least `lower`.
    pub(crate) fn apart(&self, near: &ClosestFeatures, lower: f64) -> ConvexOutcome {
        let witness = ConvexWitness { points: near.points, elements: self.elements(near.features) };
        ConvexOutcome::apart(self.interval(near.distance(), lower), witness)
    }
}

/// The feature by the indices of the points given.
#[inline(always)]
pub(crate) fn element(body: &Convex, feature: HullFeature) -> Element {
    let id = |v: u32| body.vertex_id(v).unwrap_or(v);
    match feature {
        HullFeature::Vertex(v) => Element::Vertex(id(v)),
        HullFeature::Edge(e) => Element::Edge(body.edge(e).ends.map(id)),
        HullFeature::Face(f) => Element::Face(f),
    }
}
