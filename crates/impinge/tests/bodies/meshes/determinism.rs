//! The same input gives the same bits: for any number of threads, and for any vector instructions.

use glam::DVec3;
use impinge::{Builder, Contact, Contacts, Distance, Limit, Method, Model, Overlap, Pair, Pose, Within, cpu};
use impinge_testing::random::Random;
use impinge_testing::shapes;
use impinge_testing::soup::Soup;

use crate::verdict::levels::Levels;
use crate::verdict::meshes::model;

/// All answers of a pair at some poses, and their counts.
#[derive(Debug, PartialEq)]
struct Answers {
    overlap: Vec<Overlap>,
    distance: Vec<Distance>,
    within: Vec<Within>,
    contacts: Vec<(Vec<[u32; 2]>, Vec<Contact>, impinge::Stats)>,
    bytes: [usize; 2],
}

fn ask(a: &Model, b: &Model, method: Method, poses: &[Pose]) -> Answers {
    let mut pair = Pair::new(a.clone(), b.clone()).with_method(method);
    let still = Pose::IDENTITY;
    let listed = |c: Contacts| (c.pairs.to_vec(), c.iter().collect(), c.stats);
    let (Model::Mesh(mesh_a), Model::Mesh(mesh_b)) = (a, b) else { panic!("meshes were asked for") };
    Answers {
        overlap: poses.iter().map(|p| pair.overlap(&still, p)).collect(),
        distance: poses.iter().map(|p| pair.distance(&still, p)).collect(),
        within: poses.iter().map(|p| pair.within(&still, p, 0.25)).collect(),
        contacts: poses.iter().map(|p| listed(pair.contacts(&still, p, Limit::All))).collect(),
        bytes: [mesh_a.tree_bytes(), mesh_b.tree_bytes()],
    }
}

fn poses(seed: u64, n: usize, reach: f64) -> Vec<Pose> {
    let mut random = Random::new(seed);
    (0..n).map(|_| Pose::new(random.point(reach), random.rotation()).unwrap()).collect()
}

/// Random triangles, a tenth of them given again.
fn rubble(seed: u64, n: usize) -> Soup {
    let mut random = Random::new(seed);
    let mut soup = Soup::default();
    for i in 0..n {
        let middle = random.point(2.0);
        let corners = if i % 10 == 9 { soup.triangle(i - 9) } else { [(); 3].map(|()| middle + random.point(0.05)) };
        let first = soup.vertices.len() as u32;
        soup.vertices.extend(corners);
        soup.triangles.push([first, first + 1, first + 2]);
    }
    soup
}

#[test]
fn threads_change_no_bit() {
    let bodies = [shapes::torus(2.0, 0.7, 160, 80), shapes::sphere(5, 1.3), rubble(7, 20_000)];
    let placed = poses(3, 6, 2.5);
    for builder in [Builder::Sah, Builder::Ploc, Builder::Auto] {
        let run = |threads: usize| -> Vec<Answers> {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let models: Vec<Model> = bodies.iter().map(|soup| model(soup, builder, false)).collect();
                [(0, 1), (0, 2), (1, 2)].map(|(i, j)| ask(&models[i], &models[j], Method::Tree, &placed)).into()
            })
        };
        let one_thread = run(1);
        for threads in [2, 3, 8] {
            assert!(run(threads) == one_thread, "{builder} with {threads} threads differs from one thread");
        }
    }
}

#[test]
fn vector_instructions_change_no_bit() {
    let levels = Levels::take();
    let small = [
        shapes::torus(1.0, 0.3, 12, 9),
        shapes::sphere(2, 0.8),
        rubble(11, 60),
        shapes::cuboid(DVec3::ZERO, DVec3::ONE),
    ];
    let mut placed = poses(5, 8, 2.0);
    placed.extend([0.0, 0.5, 1.0, 2.0, 3.0].map(|x| Pose::at(DVec3::new(x, 0.0, 0.0)).unwrap()));
    for scale in [1e-300, 1e-100, 1.0, 1e100] {
        let sized = small.each_ref().map(|soup| soup.map(|p| p * scale));
        let placed: Vec<Pose> =
            placed.iter().map(|p| Pose::new(p.translation() * scale, p.rotation()).unwrap()).collect();
        for (i, a) in sized.iter().enumerate() {
            for b in &sized[i..] {
                for (builder, method) in
                    [(Builder::Sah, Method::Tree), (Builder::Ploc, Method::Tree), (Builder::Sah, Method::Brute)]
                {
                    let run = |level| {
                        levels.choose(level);
                        ask(&model(a, builder, false), &model(b, builder, false), method, &placed)
                    };
                    let plain = run(cpu::Level::Portable);
                    for level in cpu::available() {
                        assert!(run(level) == plain, "{level:?} differs: {builder}, {method}, scale {scale:e}");
                    }
                }
            }
        }
    }
}

#[test]
fn asking_twice_gives_the_same_bits() {
    let (a, b) =
        (model(&shapes::sphere(4, 1.0), Builder::Auto, false), model(&rubble(13, 3_000), Builder::Auto, false));
    let placed = poses(17, 10, 3.0);
    assert!(ask(&a, &b, Method::Auto, &placed) == ask(&a, &b, Method::Auto, &placed));
}
