//! What must hold of every scene: exact answers from every engine, symmetry, invariance, scaling, and no effect of
//! memory.

use impinge::{Builder, Limit, Method, Pose};
use proptest::prelude::*;

use crate::verdict::mesh_answers::{all_verbs, cold};
use crate::verdict::meshes::Scene;
use crate::verdict::scenes::{
    body, closed, config, exact_rotations, free_pose, free_scene, lattice_pose, lattice_scene, scaled, wild_scene,
};

const METHODS: [Method; 2] = [Method::Brute, Method::Tree];

fn exact_on_every_path(scene: &Scene) -> Result<(), TestCaseError> {
    let truth = scene.truth();
    for builder in [Builder::Sah, Builder::Ploc] {
        let models = scene.models(builder);
        for method in METHODS {
            let checked = all_verbs(&mut cold(&models, method), scene, &truth);
            prop_assert!(checked.is_ok(), "{method}, {builder}: {}", checked.unwrap_err());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn lattice_scenes_are_answered_exactly(scene in lattice_scene()) {
        exact_on_every_path(&scene)?;
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn free_scenes_are_answered_exactly(scene in free_scene()) {
        exact_on_every_path(&scene)?;
    }

    #[test]
    fn wild_scenes_are_answered_exactly(scene in wild_scene()) {
        exact_on_every_path(&scene)?;
    }

    /// Two closed bodies, of which one is small: it is inside the other, cuts its surface, or is outside.
    #[test]
    fn solids_are_answered_exactly(a in closed(), b in closed(), shrink in 0.05..0.5, pose in free_pose()) {
        let inner = b.map(|p| p * shrink);
        let pose_b = Pose::new(pose.translation() * 0.5, pose.rotation()).unwrap();
        exact_on_every_path(&Scene::new(a, inner, Pose::IDENTITY, pose_b))?;
    }

    #[test]
    fn swapping_the_bodies_swaps_the_answer(scene in lattice_scene()) {
        let there = scene.models(Builder::Auto);
        let (pa, pb) = (&scene.pose_a, &scene.pose_b);
        for method in METHODS {
            let (mut ab, mut ba) = (cold(&there, method), cold(&[there[1].clone(), there[0].clone()], method));
            prop_assert_eq!(ab.overlap(pa, pb).overlap, ba.overlap(pb, pa).overlap);
            let mut back: Vec<[u32; 2]> = ba.contacts(pb, pa, Limit::All).pairs.iter().map(|&[j, i]| [i, j]).collect();
            back.sort_unstable();
            prop_assert_eq!(ab.contacts(pa, pb, Limit::All).pairs.to_vec(), back);
            let (there, back) = (ab.distance(pa, pb), ba.distance(pb, pa));
            prop_assert!(agree(&there.interval, &back.interval), "{:?} {:?}", there, back);
            prop_assert_eq!(there.penetrating, back.penetrating);
        }
    }

    /// Both bodies carried along by a motion without rounding: the same bits.
    #[test]
    fn exact_motions_change_no_bit(scene in lattice_scene(), motion in lattice_pose()) {
        let carried = |pose: &Pose| {
            let group = exact_rotations();
            let product = motion.rotation() * pose.rotation();
            let rotation = *group.iter().find(|q| q.dot(product).abs() > 0.99).unwrap();
            Pose::new(motion.apply(pose.translation()), rotation).unwrap()
        };
        let moved = Scene { pose_a: carried(&scene.pose_a), pose_b: carried(&scene.pose_b), ..scene.clone() };
        let models = scene.models(Builder::Auto);
        for method in METHODS {
            let (mut here, mut there) = (cold(&models, method), cold(&models, method));
            let x = here.distance(&scene.pose_a, &scene.pose_b);
            let y = there.distance(&moved.pose_a, &moved.pose_b);
            prop_assert_eq!((x.interval, x.penetrating, x.stats), (y.interval, y.penetrating, y.stats));
            let x = here.contacts(&scene.pose_a, &scene.pose_b, Limit::All);
            let y = there.contacts(&moved.pose_a, &moved.pose_b, Limit::All);
            prop_assert_eq!(x.pairs, y.pairs);
        }
    }

    /// Both bodies carried along by any motion: the same but for rounding.
    #[test]
    fn any_motion_changes_little(scene in free_scene(), motion in free_pose()) {
        let carried = |pose: &Pose| {
            let rotation = (motion.rotation() * pose.rotation()).normalize();
            Pose::new(motion.apply(pose.translation()), rotation).unwrap()
        };
        let models = scene.models(Builder::Auto);
        let x = cold(&models, Method::Auto).distance(&scene.pose_a, &scene.pose_b).interval;
        let y = cold(&models, Method::Auto).distance(&carried(&scene.pose_a), &carried(&scene.pose_b)).interval;
        prop_assert!((x.mid() - y.mid()).abs() <= 1e-13, "{:?} {:?}", x, y);
    }

    #[test]
    fn scaling_by_a_power_of_two_scales_the_bits(scene in free_scene(), k in -800..450i32) {
        let s = 2f64.powi(k);
        let large = scaled(&scene, s);
        for builder in [Builder::Sah, Builder::Ploc] {
            let (one, other) = (scene.models(builder), large.models(builder));
            for method in METHODS {
                let x = cold(&one, method).distance(&scene.pose_a, &scene.pose_b);
                let y = cold(&other, method).distance(&large.pose_a, &large.pose_b);
                prop_assert_eq!((x.interval.lower * s, x.interval.upper * s), (y.interval.lower, y.interval.upper));
                prop_assert_eq!(x.witness.map(|w| w.points.map(|p| p * s)), y.witness.map(|w| w.points));
                prop_assert_eq!(x.witness.map(|w| w.features), y.witness.map(|w| w.features));
                let x = cold(&one, method).contacts(&scene.pose_a, &scene.pose_b, Limit::All);
                let y = cold(&other, method).contacts(&large.pose_a, &large.pose_b, Limit::All);
                prop_assert_eq!(x.pairs, y.pairs);
            }
        }
    }

    /// One `Pair` taken through many poses answers as a new one does at each.
    #[test]
    fn memory_leaves_no_trace(
        a in body(),
        b in body(),
        poses in prop::collection::vec((free_pose(), lattice_pose()), 1..8),
    ) {
        let still = Scene::at_origin(a, b);
        let models = still.models(Builder::Auto);
        for method in [Method::Auto, Method::Tree] {
            let mut warm = cold(&models, method);
            for (pa, pb) in poses.iter().flat_map(|(free, exact)| [(free, exact), (exact, exact), (exact, free)]) {
                let (x, y) = (warm.distance(pa, pb), cold(&models, method).distance(pa, pb));
                prop_assert!(agree(&x.interval, &y.interval), "{:?} {:?}", x, y);
                prop_assert_eq!(x.penetrating, y.penetrating);
                prop_assert_eq!(x.contained, y.contained);
                prop_assert_eq!(warm.overlap(pa, pb).overlap, x.penetrating);
                let (c, d) = (warm.contacts(pa, pb, Limit::All), cold(&models, method).contacts(pa, pb, Limit::All));
                prop_assert_eq!(c.pairs, d.pairs);
                let near = x.interval.upper * 1.5;
                prop_assert!(warm.within(pa, pb, near).within || x.witness.is_none());
            }
        }
    }
}

/// Whether two intervals can contain the same number.
fn agree(x: &impinge::Interval, y: &impinge::Interval) -> bool {
    (x.lower <= y.upper && y.lower <= x.upper) && ((x.upper == 0.0) == (y.upper == 0.0))
}
