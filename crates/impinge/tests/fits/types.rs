//! Every public type can go to another thread and be shared, and none of them prints a million triangles.

use impinge::glam::DVec3;
use impinge::{Mesh, Model, Pair};
use impinge_testing::random::Random;

use crate::models;

const fn everywhere<T: Send + Sync>() {}

/// Compiles only if each type is `Send` and `Sync`.
macro_rules! everywhere {
    ($($type:ty),* $(,)?) => { $(const _: () = everywhere::<$type>();)* };
}

everywhere! {
    impinge::Mesh, impinge::Convex, impinge::Round, impinge::Parts, impinge::Deforming, impinge::Model,
    impinge::Shape, impinge::Edge, impinge::Face, impinge::MeshReport, impinge::Refit, impinge::Dropped,
    impinge::Pose, impinge::Interval, impinge::Pair, impinge::Contacts, impinge::World, impinge::View<'static>,
    impinge::ContactEvent, impinge::Found<impinge::RayHit>, impinge::broad::NearPairs, impinge::Body,
    impinge::BodyId, impinge::Advance, impinge::Encounter, impinge::Progress, impinge::Met<impinge::Distance>,
    impinge::Overlap, impinge::Distance, impinge::Within, impinge::Penetration, impinge::Sweep, impinge::Impact,
    impinge::Contact, impinge::Points, impinge::Witness, impinge::Touch, impinge::Stats, impinge::Pairs,
    impinge::SelfContacts, impinge::ContactInterval, impinge::Inclusion, impinge::Meeting, impinge::SweptPair,
    impinge::PointEvent, impinge::Crossings, impinge::CrossingCurve, impinge::SharedFace,
    impinge::ContactPoint, impinge::Manifold<'static>, impinge::Manifolds, impinge::ManifoldOptions,
    impinge::Ray, impinge::RayHit, impinge::PointDistance, impinge::Method, impinge::Limit, impinge::Precision,
    impinge::SweepOptions, impinge::ImpactOptions, impinge::Steady, impinge::TimedPoses, impinge::SampledPoses,
    impinge::SplinePoses, impinge::Ballistic, impinge::ChainLink, impinge::Joint, impinge::Rates, impinge::Span,
    impinge::Robot, impinge::RobotError, impinge::RobotJoint, impinge::JointTrajectory, impinge::LinkMotion,
    Box<dyn impinge::Motion>, Box<dyn impinge::Support>, impinge::BuildError, impinge::PoseError,
    impinge::MotionError, impinge::RayError, impinge::PointError, impinge::WorldError, impinge::UnknownName,
    impinge::bound::Aabb, impinge::bound::Obb, impinge::bound::HullTree, impinge::broad::Boxes,
    impinge::broad::PairSet, impinge::broad::Auto, impinge::planar::Polygon,
    impinge::clash::Clash, impinge::clash::PairStream,
}

#[test]
fn models_print_what_they_are_and_not_all_they_have() {
    let grid = 200;
    let vertices = (0..grid * grid).map(|i| DVec3::new(f64::from(i % grid), f64::from(i / grid), 0.0)).collect();
    let corner = |i: u32| i / (grid - 1) * grid + i % (grid - 1);
    let triangles = (0..(grid - 1) * (grid - 1)).map(corner).map(|c| [c, c + 1, c + grid]).collect();
    let large = Model::from(Mesh::new(vertices, triangles).unwrap());
    let mut random = Random::new(4);
    let mut models = models::all(&mut random);
    models.extend([large.clone(), Model::from(models::hull(&mut random, 500))]);
    for model in models {
        for text in [format!("{model:?}"), format!("{:?}", Pair::new(&model, &model))] {
            assert!(text.len() < 1500, "{} characters: {}", text.len(), &text[..500]);
        }
    }
    assert_eq!(
        format!("{large:?}"),
        "Mesh(Mesh { vertices: 40000, triangles: 39601, solid: false, bounds: Some([DVec3(0.0, 0.0, 0.0), \
         DVec3(199.0, 199.0, 0.0)]), .. })"
    );
}
