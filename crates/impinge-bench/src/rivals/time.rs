//! First time of impact beside parry3d-f64: its nonlinear cast for bodies that turn, its linear one for those that only
//! translate. Of FCL's continuous collision and Bullet's casts the rivals folder has the figures, in one table with
//! ours by `impinge-bench table`.

use std::time::Duration;

use impinge::glam::DVec3;
use impinge::{Builder, Convex, ImpactMethod, ImpactOptions, Model, Pair, Pose, Span, Steady};
use parry3d_f64::math::Vector;
use parry3d_f64::query::{self, NonlinearRigidMotion, ShapeCastHit, ShapeCastOptions};
use parry3d_f64::shape::{ConvexPolyhedron, Shape, TriMesh};

use super::sides::Options;
use super::sides::parry::ParryPoses;
use crate::agreement::Differences;
use crate::bodies::random_points;
use crate::error::BenchError;
use crate::random::Random;
use crate::report::{Report, Table, figure};
use crate::shapes::{Soup, torus};
use crate::timing::{Side, interleaved};

const SLOT: Duration = Duration::from_millis(4);

/// The answer where there is no impact from 0 to 1.
const NEVER: f64 = 2.0;

/// The bodies as parry holds them.
type Shapes = Vec<Box<dyn Shape>>;

/// One query: two bodies and how they move.
struct Query {
    ours: [Model; 2],
    theirs: [usize; 2],
    motions: [Steady; 2],
    start: [Pose; 2],
}

pub(super) fn run(options: Options) -> Result<(Report, bool), BenchError> {
    let title = format!("First time of impact: impinge and parry3d-f64 (seed {})", options.seed);
    let mut report = Report::new("rivals-time", title);
    report.add(format!(
        "Medians of {} rounds in which the sides take turns. Ratio: parry's time over ours. `same`: times within 1e-6; \
         where they differ, static distances and a bound on speeds decide (`ImpactMethod::BySpeed`). Both are cold.",
        options.passes
    ));
    let mut table = Table::new(1, &["bodies", "queries", "hits", "impinge µs", "parry µs", "ratio", "same"]);
    let (mut remarks, mut against_us) = (Vec::new(), 0);
    for (name, bodies, count, turning) in [
        ("hulls that turn", Bodies::Hulls, 256, true),
        ("hulls that translate", Bodies::Hulls, 256, false),
        ("tori of 512 triangles that turn", Bodies::Tori(16), if options.quick { 2 } else { 8 }, true),
        ("tori of 8192 triangles that translate", Bodies::Tori(64), if options.quick { 8 } else { 32 }, false),
    ] {
        eprintln!("{name}");
        let mut random = Random::new(options.seed, count as u64 + u64::from(turning));
        let (queries, shapes) = bodies.queries(count, turning, &mut random)?;
        let (seconds, answers) = timed(options, &queries, &shapes, turning);
        let us = seconds.map(|s| s * 1e6 / count as f64);
        let slow = ImpactOptions { method: ImpactMethod::BySpeed, ..ImpactOptions::default() };
        let found = Differences::between(&answers[0], &answers[1], |i| ours(&queries[i], &slow));
        against_us += found.against_us();
        remarks.extend(found.told(name, "parry"));
        let hits = answers[0].iter().filter(|&&t| t < NEVER).count();
        let same = format!("{}/{}", found.compared - found.differ, found.compared);
        let cells = [figure(us[0]), figure(us[1]), figure(us[1] / us[0]), same];
        table.row([name.to_owned(), count.to_string(), hits.to_string()].into_iter().chain(cells));
    }
    report.add(table);
    for remark in &remarks {
        report.add(format!("- {remark}"));
    }
    Ok((report, against_us == 0))
}

#[derive(Clone, Copy)]
enum Bodies {
    Hulls,
    /// Of this many sections around, and half across.
    Tori(u32),
}

impl Bodies {
    fn queries(self, count: usize, turning: bool, random: &mut Random) -> Result<(Vec<Query>, Shapes), BenchError> {
        let refused = |source| BenchError::Build { name: "body".to_owned(), source };
        let mut models: Vec<Model> = Vec::new();
        let mut shapes = Shapes::new();
        match self {
            Bodies::Hulls => {
                for _ in 0..32 {
                    let points = random_points(random);
                    models.push(Convex::hull(&points).map_err(refused)?.into());
                    let points: Vec<Vector> = points.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
                    let hull = ConvexPolyhedron::from_convex_hull(&points);
                    let refused = || BenchError::Rival { name: "hull".to_owned(), reason: "no hull".to_owned() };
                    shapes.push(Box::new(hull.ok_or_else(refused)?));
                }
            }
            Bodies::Tori(around) => {
                let Soup { vertices, triangles } = torus(around, around / 2 + 8 * u32::from(around < 32), random);
                let soup = Soup { vertices, triangles };
                models.push(soup.surface(Builder::Auto).map_err(refused)?.into());
                let points = soup.vertices.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
                let mesh = TriMesh::new(points, soup.triangles.clone());
                let refused = |e: parry3d_f64::shape::TriMeshBuilderError| BenchError::Rival {
                    name: "torus".to_owned(),
                    reason: e.to_string(),
                };
                shapes.push(Box::new(mesh.map_err(refused)?));
            }
        }
        let queries = (0..count).map(|_| query(&models, turning, random)).collect::<Result<_, _>>()?;
        Ok((queries, shapes))
    }
}

/// Two bodies about three apart, of which one comes towards the other, more or less.
fn query(models: &[Model], turning: bool, random: &mut Random) -> Result<Query, BenchError> {
    let theirs = [0, 1].map(|_| random.below(models.len() as u32) as usize);
    let away = random.direction();
    let start =
        [Pose::new(away * random.between(2.2, 3.0), random.rotation())?, Pose::new(DVec3::ZERO, random.rotation())?];
    let aside = away.cross(random.direction()) * random.between(-0.8, 0.8);
    let mut motion = |pose: Pose, velocity: DVec3| {
        let spin = if turning { random.direction() * random.between(0.0, 2.5) } else { DVec3::ZERO };
        Steady::new(pose, DVec3::ZERO, velocity, spin, 0.0).map_err(|source| BenchError::Motion {
            path: "generated".into(),
            index: 0,
            source,
        })
    };
    let motions = [motion(start[0], aside - away * 3.0)?, motion(start[1], DVec3::ZERO)?];
    Ok(Query { ours: theirs.map(|i| models[i].clone()), theirs, motions, start })
}

fn ours(query: &Query, options: &ImpactOptions) -> f64 {
    let mut pair = Pair::new(&query.ours[0], &query.ours[1]);
    let [a, b] = &query.motions;
    pair.impact_with(a, b, Span::UNIT, options).time.map_or(NEVER, |time| time.lower)
}

fn theirs(query: &Query, shapes: &[Box<dyn Shape>], turning: bool) -> f64 {
    let poses = ParryPoses::new(&query.start);
    let [a, b] = query.theirs.map(|i| shapes[i].as_ref());
    let vector = |v: DVec3| Vector::new(v.x, v.y, v.z);
    let hit: Result<Option<ShapeCastHit>, _> = if turning {
        let motion = |pose, steady: &Steady| {
            NonlinearRigidMotion::new(pose, Vector::ZERO, vector(steady.velocity()), vector(steady.spin()))
        };
        let motions = [motion(poses.0, &query.motions[0]), motion(poses.1, &query.motions[1])];
        query::cast_shapes_nonlinear(&motions[0], a, &motions[1], b, 0.0, 1.0, true)
    } else {
        let [v, w] = query.motions.map(|motion| vector(motion.velocity()));
        query::cast_shapes(&poses.0, v, a, &poses.1, w, b, ShapeCastOptions::with_max_time_of_impact(1.0))
    };
    hit.map_or(f64::NAN, |hit| hit.map_or(NEVER, |hit| hit.time_of_impact))
}

/// Seconds for all queries, and the answers: ours, parry's.
fn timed(options: Options, queries: &[Query], shapes: &[Box<dyn Shape>], turning: bool) -> ([f64; 2], [Vec<f64>; 2]) {
    let mut answers = [(); 2].map(|()| vec![0.0; queries.len()]);
    let [mine, other] = &mut answers;
    let default = ImpactOptions::default();
    let mut sides: [Side<'_>; 2] = [
        Box::new(|| mine.iter_mut().zip(queries).for_each(|(answer, query)| *answer = ours(query, &default))),
        Box::new(|| other.iter_mut().zip(queries).for_each(|(answer, query)| *answer = theirs(query, shapes, turning))),
    ];
    let seconds = interleaved(options.passes, SLOT, &mut sides);
    drop(sides);
    ([seconds[0], seconds[1]], answers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_find_the_same_times() {
        let options = Options { seed: 1, passes: 1, quick: true };
        for turning in [false, true] {
            let (queries, shapes) = Bodies::Hulls.queries(24, turning, &mut Random::new(1, 0)).unwrap();
            let (_, [ours, theirs]) = timed(options, &queries, &shapes, turning);
            assert!(ours.iter().any(|&t| t < NEVER));
            for (x, y) in ours.iter().zip(&theirs) {
                assert!((x - y).abs() < 1e-3, "{x} {y}");
            }
        }
    }
}
