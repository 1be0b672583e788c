//! What each of Xavier's five optimisations saves, counted; and that none changes an answer.

use glam::{DMat3, DVec3};

use crate::answer::Stats;
use crate::bound::HullTree;
use crate::math::Relative;
use crate::model::Mesh;
use crate::narrow::context::Context;
use crate::narrow::mesh::hulls::hull_tree::Count;
use crate::narrow::mesh::memory::MeshMemory;
use crate::narrow::mesh::mesh_query::MeshQuery;
use crate::narrow::method::Method;
use crate::narrow::outcome::Outcome;
use crate::narrow::precision::Precision;

/// Hulls of any size, each pair compared by the whole of GJK, from scratch.
const NONE: HullTree = HullTree::PLAIN;
const ALL: HullTree =
    HullTree { vertex_cap: 32, leaf_cache: true, maxdist: true, cut_table: true, simplex_cache: true };

/// A torus with bumps, so that the closest pair wanders.
fn torus(around: u32, across: u32) -> Mesh {
    let vertex = |i: u32| {
        let (u, v) = (i / across, i % across);
        let (u, v) = (f64::from(u) / f64::from(around), f64::from(v) / f64::from(across));
        let (u, v) = (std::f64::consts::TAU * u, std::f64::consts::TAU * v);
        let tube = 0.4 * (1.0 + 0.1 * (5.0 * u + v).sin());
        let ring = 1.0 + tube * v.cos();
        DVec3::new(ring * u.cos(), ring * u.sin(), tube * v.sin())
    };
    let quad = |i: u32| {
        let at = |u: u32, v: u32| (i / across + u) % around * across + (i % across + v) % across;
        let [p, q, r, s] = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
        [[p, q, r], [p, r, s]]
    };
    let triangles = (0..around * across).flat_map(quad).collect();
    Mesh::new((0..around * across).map(vertex).collect(), triangles).unwrap()
}

/// Two tori near each other, the one passing the other in small steps.
fn path(steps: u32) -> Vec<Relative> {
    let step = |k: u32| {
        let t = f64::from(k) / f64::from(steps);
        let rotation = DMat3::from_rotation_z(0.05 * t) * DMat3::from_rotation_x(0.3);
        Relative { rotation, translation: DVec3::new(2.86, 0.2 * t, 0.1) }
    };
    (0..steps).map(step).collect()
}

struct Run {
    distances: Vec<f64>,
    all: Count,
}

/// Whether memory is kept from query to query.
#[derive(Clone, Copy, PartialEq)]
enum Start {
    Warm,
    Cold,
}

fn ask(mesh: &Mesh, options: HullTree, poses: &[Relative], start: Start) -> Run {
    let mesh = mesh.clone().with_hulls(options);
    let mut memory = MeshMemory::default();
    let mut run = Run { distances: Vec::new(), all: Count::default() };
    for b_in_a in poses {
        if start == Start::Cold {
            memory.forget();
        }
        let query = MeshQuery::new(&mesh, &mesh, b_in_a, Method::Tree);
        let mut stats = Stats::default();
        let Outcome::Apart(found) = query.closest(None, Precision::EXACT, Context::new(&mut memory, &mut stats)) else {
            panic!("apart")
        };
        run.distances.push(found.upper());
        let last = memory.hulls.last;
        assert_eq!((stats.volume_tests, stats.iterations), (last.boxes + last.hulls, last.steps));
        run.all = Count {
            boxes: run.all.boxes + last.boxes,
            hulls: run.all.hulls + last.hulls,
            steps: run.all.steps + last.steps,
            scanned: run.all.scanned + last.scanned,
        };
    }
    run
}

fn same(x: &Run, y: &Run) {
    for (x, y) in x.distances.iter().zip(&y.distances) {
        assert!((x - y).abs() <= 1e-13, "{x} {y}");
    }
}

/// Compares the counts with and without one optimisation, all else being equal, along a path of small steps.
fn with_and_without(with: HullTree, without: HullTree) -> [Count; 2] {
    let (mesh, poses) = (torus(72, 30), path(40));
    let [with, without] = [with, without].map(|options| ask(&mesh, options, &poses, Start::Warm));
    same(&with, &without);
    println!("with {:?}\nwithout {:?}", with.all, without.all);
    [with.all, without.all]
}

/// A (1): "uses this pair in initially bounding the distance": pairs of hulls beyond it need not be opened.
#[test]
fn the_last_leaf_pair_saves_comparisons() {
    let [with, without] = with_and_without(HullTree { leaf_cache: true, ..NONE }, NONE);
    assert!(with.hulls < without.hulls && with.boxes < without.boxes, "{with:?} {without:?}");
}

/// A (2): "can cut short computation if the actual distance exceeds it": the same pairs, in fewer steps.
#[test]
fn maxdist_saves_steps() {
    for base in [NONE, HullTree { leaf_cache: true, ..NONE }] {
        let [with, without] = with_and_without(HullTree { maxdist: true, ..base }, base);
        assert!(with.steps < without.steps, "{with:?} {without:?}");
        assert!(with.hulls == without.hulls && with.boxes == without.boxes, "{with:?} {without:?}");
    }
}

/// A (3): "the pre-recursion check is only done on node-pairs in this table".
#[test]
fn the_cut_table_saves_comparisons() {
    for base in [NONE, HullTree { cut_table: false, ..ALL }] {
        let [with, without] = with_and_without(HullTree { cut_table: true, ..base }, base);
        assert!(2 * with.hulls < without.hulls && with.steps < without.steps, "{with:?} {without:?}");
        assert!(with.hulls > 0, "the table is never used");
    }
}

/// A (4): hulls with few vertices are searched sooner.
#[test]
fn the_vertex_cap_saves_vertices() {
    let [with, without] = with_and_without(HullTree { vertex_cap: 16, ..NONE }, NONE);
    assert!(2 * with.scanned < without.scanned, "{with:?} {without:?}");
}

/// A (5): "uses them as initial simplices when the same arguments are encountered again".
#[test]
fn simplices_save_steps() {
    for base in [NONE, HullTree { simplex_cache: false, cut_table: false, ..ALL }] {
        let [with, without] = with_and_without(HullTree { simplex_cache: true, ..base }, base);
        assert!(with.steps < without.steps, "{with:?} {without:?}");
        assert!(with.hulls <= without.hulls + without.hulls / 100, "{with:?} {without:?}");
    }
}

/// Memory saves work on small steps, compared with queries at the same poses without memory.
#[test]
fn warm_does_less_than_cold() {
    let (mesh, poses) = (torus(72, 30), path(60));
    for options in [ALL, HullTree { cut_table: false, ..ALL }] {
        let [warm, cold] = [Start::Warm, Start::Cold].map(|start| ask(&mesh, options, &poses, start));
        same(&warm, &cold);
        println!("warm {:?}\ncold {:?}", warm.all, cold.all);
        assert!(warm.all.boxes < cold.all.boxes, "{:?} {:?}", warm.all, cold.all);
        // In a cold query the table is empty, so no hulls are compared.
        assert!(options.cut_table || warm.all.hulls < cold.all.hulls, "{:?} {:?}", warm.all, cold.all);
    }
}
