//! Makes bodies of the cases: each body once, with what is exactly true of it, for whichever test asks about it.

use std::sync::LazyLock;

use impinge::{Builder, Convex, Model, Pose};
use impinge_testing::hulls::size;

use crate::corpus::cases::{self, Case, Shape};
use crate::corpus::round_words;
use crate::verdict::hull_answers::{CASE, Judge};
use crate::verdict::{hulls, meshes};

/// The largest product of triangle counts for which brute force and the exact verdict are asked.
const FEW_TRIANGLES: usize = 30_000;
/// The oracle is not asked about hulls of more points than this.
const FEW_POINTS: usize = 100;

/// A case about meshes.
pub(crate) struct OfMeshes {
    pub(crate) case: &'static Case,
    pub(crate) scene: meshes::Scene,
    /// The exact answers for the meshes, where these are small.
    pub(crate) truth: Option<meshes::Truth>,
    /// The poses of the case before this one.
    pub(crate) before: [Pose; 2],
}

/// A case about convex solids.
pub(crate) struct OfConvex {
    pub(crate) case: &'static Case,
    pub(crate) models: [Model; 2],
    /// The larger body's half extent.
    pub(crate) size: f64,
    /// The bodies as given and exchanged, where both are hulls of few points.
    pub(crate) judges: Option<[Judge; 2]>,
    /// The poses of the case before this one.
    pub(crate) before: [Pose; 2],
}

/// Every case about meshes.
pub(crate) fn of_meshes() -> &'static [OfMeshes] {
    static ALL: LazyLock<Vec<OfMeshes>> = LazyLock::new(|| {
        let cases: Vec<&Case> = cases::all().iter().filter(|case| case.is_about_meshes()).collect();
        with_poses_before(&cases)
            .map(|(case, before)| {
                let scene = case.scene();
                let is_small = scene.a.triangles.len() * scene.b.triangles.len() <= FEW_TRIANGLES;
                OfMeshes { case, truth: is_small.then(|| scene.truth()), scene, before }
            })
            .collect()
    });
    &ALL
}

/// Every case about convex solids: the hulls and shapes in words, and the meshes that are convex.
pub(crate) fn of_convex() -> &'static [OfConvex] {
    static ALL: LazyLock<Vec<OfConvex>> = LazyLock::new(|| {
        let cases: Vec<&Case> = cases::all().iter().filter(|case| case.shapes().is_some()).collect();
        with_poses_before(&cases).map(|(case, before)| convex(case, before)).collect()
    });
    &ALL
}

/// Each case with the poses of the case before it; the first one has those of the last.
fn with_poses_before(cases: &[&'static Case]) -> impl Iterator<Item = (&'static Case, [Pose; 2])> {
    (0..cases.len()).map(|i| (cases[i], cases[i.checked_sub(1).unwrap_or(cases.len() - 1)].poses()))
}

fn convex(case: &'static Case, before: [Pose; 2]) -> OfConvex {
    let (shapes, [pose_a, pose_b]) = (case.shapes().unwrap(), case.poses());
    let scene = match &shapes {
        [Shape::Hull(a), Shape::Hull(b)] if a.len().max(b.len()) <= FEW_POINTS => {
            Some(hulls::Scene::new(a.clone(), b.clone(), pose_a, pose_b))
        }
        _ => None,
    };
    OfConvex {
        case,
        models: shapes.each_ref().map(model),
        size: shapes.iter().map(extent).fold(0.0, f64::max),
        judges: scene.map(|s| [s.clone(), s.swapped()].map(|s| Judge::with(&s, s.exact(), CASE))),
        before,
    }
}

fn model(shape: &Shape) -> Model {
    match shape {
        Shape::Hull(points) => Convex::hull(points).unwrap().into(),
        Shape::Round(word, margin) => {
            let round = round_words::round(word);
            if *margin > 0.0 { round.with_margin(*margin).unwrap().into() } else { round.into() }
        }
    }
}

fn extent(shape: &Shape) -> f64 {
    match shape {
        Shape::Hull(points) => size(points),
        Shape::Round(word, _) if word.starts_with("half-space") => 0.0,
        Shape::Round(word, margin) => {
            let numbers = word.split_once(':').unwrap().1.split(',').map(|x| x.parse::<f64>().unwrap());
            margin + numbers.fold(0.0, f64::max)
        }
    }
}

/// Every pair of bodies that a case is about: meshes as they are, and the same bodies as convex solids.
pub(crate) fn bodies() -> impl Iterator<Item = (&'static Case, [Model; 2])> {
    let meshes = of_meshes().iter().map(|q| (q.case, q.scene.models(Builder::Auto)));
    meshes.chain(of_convex().iter().map(|q| (q.case, q.models.clone())))
}
