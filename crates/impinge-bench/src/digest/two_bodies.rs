//! Two bodies that stand still: every verb, between all kinds of models, by every engine, tree and builder.

use impinge::bound::Volume;
use impinge::{Builder, Limit, Mesh, Method, Model, Pair, Pose, Precision, Stats};

use super::bodies::Named;
use super::refused::Refused;
use super::tally::Tally;
use crate::random::Random;
use crate::shapes::{sphere, torus};

const VOLUMES: [&str; 9] = ["auto", "aabb", "obb", "rss", "kdop14", "kdop18", "kdop26", "sphere", "hull"];

/// The pairs of kinds that the engines differ on.
const TELLING: [[&str; 2]; 8] = [
    ["mesh/ring", "mesh/ball"],
    ["mesh/stairs", "mesh/patch"],
    ["mesh/ring", "convex/random"],
    ["convex/ball", "convex/random"],
    ["convex/cube", "convex/cube"],
    ["convex/random", "round/cone"],
    ["parts/beads", "convex/ball"],
    ["parts/stairs", "mesh/ring"],
];

pub(super) fn ask(bodies: &[Named], tally: &mut Tally) -> Result<(), Refused> {
    let mut random = Random::new(21, 2);
    for a in bodies {
        for b in bodies {
            let way = way(4, &mut random)?;
            along(a, b, Method::Auto, &way, tally);
        }
    }
    let find = |name: &str| bodies.iter().find(|body| body.name == name).ok_or(format!("there is no {name}"));
    for [a, b] in TELLING {
        let way = way(12, &mut random)?;
        for &method in Method::EACH {
            along(find(a)?, find(b)?, method, &way, tally);
        }
    }
    trees(&mut random, tally)?;
    batches(bodies, &mut random, tally)
}

/// Poses of one body beside another: a walk in small steps from a place nearby, and then a leap each time.
pub(super) fn way(steps: u32, random: &mut Random) -> Result<Vec<Pose>, Refused> {
    let mut way = Vec::new();
    let (start, turn) = (random.direction() * random.between(0.2, 2.2), random.rotation());
    let step = random.direction() * 0.02;
    for i in 0..steps {
        way.push(Pose::new(start + step * f64::from(i), turn)?);
    }
    for _ in 0..steps {
        way.push(Pose::new(random.direction() * random.between(0.0, 2.5), random.rotation())?);
    }
    Ok(way)
}

/// Runs all verbs at all poses: on a new pair each time, and on one pair that remembers.
fn along(a: &Named, b: &Named, method: Method, way: &[Pose], tally: &mut Tally) {
    let kind = |body: &Named| body.name.split('/').next().unwrap_or_default().to_owned();
    let kinds = format!("{} {}, {method}", kind(a), kind(b));
    let fresh = || Pair::new(&a.model, &b.model).with_method(method);
    let mut warm = fresh();
    for pose in way {
        verbs(&format!("cold {kinds}"), pose, fresh, tally);
        verbs(&format!("warm {kinds}"), pose, || warm.clone(), tally);
        warm.distance(&Pose::IDENTITY, pose);
        warm.overlap(&Pose::IDENTITY, pose);
        warm.within(&Pose::IDENTITY, pose, 0.1);
        warm.penetration(&Pose::IDENTITY, pose);
    }
}

fn verbs(kinds: &str, pose: &Pose, pair: impl Fn() -> Pair, tally: &mut Tally) {
    let still = &Pose::IDENTITY;
    let overlap = pair().overlap(still, pose);
    tally.add(&format!("overlap {kinds}"), &(&overlap.witness, overlap.semantics), overlap.stats);
    let near = pair().with_envelope(0.05).overlap(still, pose);
    tally.add(&format!("overlap {kinds}"), &near.witness, near.stats);
    let distance = pair().distance(still, pose);
    let told = (distance.interval, distance.witness, distance.contained, distance.penetrating);
    tally.add(&format!("distance {kinds}"), &told, distance.stats);
    let rough = pair().distance_to(still, pose, Precision { relative: 0.05, absolute: 0.01 });
    tally.add(&format!("distance {kinds}"), &(rough.interval, rough.witness), rough.stats);
    for tolerance in [0.01, 0.3] {
        let within = pair().within(still, pose, tolerance);
        tally.add(&format!("within {kinds}"), &(within.within, within.witness, within.contained), within.stats);
    }
    for (limit, envelope) in [(Limit::All, 0.0), (Limit::UpTo(3), 0.0), (Limit::All, 0.05)] {
        let contacts = pair().with_envelope(envelope).contacts(still, pose, limit);
        let points: Vec<_> = contacts.iter().collect();
        tally.add(&format!("contacts {kinds}"), &(points, contacts.contained, contacts.complete), contacts.stats);
    }
    let deep = pair().penetration(still, pose);
    let told = (deep.interval, deep.direction, deep.witness, deep.kind);
    tally.add(&format!("penetration {kinds}"), &told, deep.stats);
}

/// Meshes in all volumes and by all builders, with themselves and with each other.
fn trees(random: &mut Random, tally: &mut Tally) -> Result<(), Refused> {
    let (ring, ball) = (torus(20, 10, random).normalised(), sphere(2));
    let ways = way(8, random)?;
    for volume in VOLUMES {
        for builder in [Builder::Ploc, Builder::Sah, Builder::Mean] {
            let wear = |mesh: Mesh| Ok::<_, Refused>(Model::from(mesh.with_volume(volume.parse::<Volume>()?)));
            let a = wear(ring.surface(builder)?)?;
            let b = wear(ball.surface(builder)?)?;
            let mut pair = Pair::new(a, b).with_method(Method::Tree);
            for pose in &ways {
                verbs(&format!("in trees of {volume}"), pose, || pair.clone(), tally);
                pair.distance(&Pose::IDENTITY, pose);
            }
        }
    }
    let itself = torus(16, 8, random);
    let tangled = Mesh::new(itself.vertices.iter().map(|v| *v * v.x.abs()).collect(), itself.triangles)?;
    let met = tangled.self_contacts(Limit::All);
    tally.add("contacts with itself", &met.pairs, Stats::default());
    Ok(())
}

/// Lists of poses, on one thread and on two: the library promises the same answers.
fn batches(bodies: &[Named], random: &mut Random, tally: &mut Tally) -> Result<(), Refused> {
    let poses = way(40, random)?;
    for [a, b] in TELLING {
        let find = |name: &str| bodies.iter().find(|body| body.name == name).ok_or(format!("there is no {name}"));
        let pair = Pair::new(&find(a)?.model, &find(b)?.model);
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
            let told = pool.install(|| pair.many(&poses, |pair, pose| pair.distance(&Pose::IDENTITY, pose)));
            for answer in told {
                tally.add("many distances", &(answer.interval, answer.witness), answer.stats);
            }
        }
    }
    Ok(())
}
