//! The stable names of JSON answers.

use impinge::{Containment, Element, Feature, Interval, Semantics, Stats, Witness};
use serde::Serialize;

/// One answer: what every verb says, with what this verb says in the middle.
#[derive(Debug, Serialize)]
pub(crate) struct AnswerRow<'a, T: Serialize> {
    pub(crate) verb: &'static str,
    pub(crate) a: &'a str,
    pub(crate) b: &'a str,
    pub(crate) semantics: &'static str,
    pub(crate) index: u64,
    #[serde(flatten)]
    pub(crate) answer: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) approximate: Option<[bool; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) envelope: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) units: Option<&'static str>,
    pub(crate) stats: StatsJson,
}

/// Stands after the last answer when not every row was answered.
#[derive(Debug, Serialize)]
pub(crate) struct Partial<'a> {
    pub(crate) verb: &'static str,
    pub(crate) a: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) b: Option<&'a str>,
    pub(crate) partial: bool,
    pub(crate) answered: u64,
}

#[derive(Debug, Serialize)]
pub(crate) struct StatsJson {
    volume_tests: u64,
    primitive_tests: u64,
    iterations: u64,
}

impl From<Stats> for StatsJson {
    fn from(stats: Stats) -> StatsJson {
        let Stats { volume_tests, primitive_tests, iterations } = stats;
        StatsJson { volume_tests, primitive_tests, iterations }
    }
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum FeatureJson {
    Vertex {
        triangle: u32,
        vertex: u32,
    },
    Edge {
        triangle: u32,
        vertices: [u32; 2],
    },
    Face {
        triangle: u32,
    },
    #[serde(untagged)]
    Convex(ConvexJson),
}

/// A part of a convex body.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum ConvexJson {
    Vertex { piece: u32, vertex: u32 },
    Edge { piece: u32, vertices: [u32; 2] },
    Face { piece: u32, face: u32 },
    Surface { piece: u32 },
    Inside { piece: u32 },
}

impl From<Feature> for FeatureJson {
    fn from(feature: Feature) -> FeatureJson {
        match feature {
            Feature::Vertex { triangle, vertex } => FeatureJson::Vertex { triangle, vertex },
            Feature::Edge { triangle, vertices } => FeatureJson::Edge { triangle, vertices },
            Feature::Face { triangle } => FeatureJson::Face { triangle },
            Feature::Convex { piece, element } => FeatureJson::Convex(match element {
                Element::Vertex(vertex) => ConvexJson::Vertex { piece, vertex },
                Element::Edge(vertices) => ConvexJson::Edge { piece, vertices },
                Element::Face(face) => ConvexJson::Face { piece, face },
                Element::Surface => ConvexJson::Surface { piece },
                Element::Inside => ConvexJson::Inside { piece },
            }),
        }
    }
}

/// An interval by its ends; `null` where they are not finite.
#[derive(Debug, Serialize)]
pub(crate) struct IntervalJson {
    pub(crate) lower: Option<f64>,
    pub(crate) upper: Option<f64>,
}

impl From<Interval> for IntervalJson {
    fn from(interval: Interval) -> IntervalJson {
        let finite = |x: f64| x.is_finite().then_some(x);
        IntervalJson { lower: finite(interval.lower), upper: finite(interval.upper) }
    }
}

/// `null`, or the two points in the world frame.
pub(crate) fn points(witness: &Option<Witness>) -> Option<[[f64; 3]; 2]> {
    witness.map(|w| w.points.map(|p| p.to_array()))
}

/// `null`, or the features that carry the points.
pub(crate) fn features(witness: &Option<Witness>) -> Option<[FeatureJson; 2]> {
    witness.map(|w| w.features.map(FeatureJson::from))
}

pub(crate) fn semantics(semantics: Semantics) -> &'static str {
    match semantics {
        Semantics::Solid => "solid",
        Semantics::Surface => "surface",
    }
}

pub(crate) fn contained(which: Option<Containment>) -> Option<&'static str> {
    which.map(|which| match which {
        Containment::AInB => "a_in_b",
        Containment::BInA => "b_in_a",
        Containment::Mutual => "mutual",
    })
}
