//! Rays, points, boxes and casts in worlds of many bodies beside parry3d-f64: its tree of boxes, and its queries about
//! the bodies in the leaves.
//!
//! Both worlds have the same bodies at the same poses: single shapes of about size 1, twice as far apart as they are
//! large. Parry's tree is built with its better builder, and its leaves are asked with the best answer so far where its
//! queries take one; ours is the view of a world.

use std::cell::RefCell;
use std::hint::black_box;
use std::time::Duration;

use impinge::bound::Aabb as OurBox;
use impinge::glam::{DQuat, DVec3};
use impinge::{Body, Mobility, Model, Pose, Round, Span, Steady, World};
use parry3d_f64::bounding_volume::{Aabb, BoundingVolume};
use parry3d_f64::math::{Pose as Isometry, Rotation};
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};
use parry3d_f64::query::{Ray, ShapeCastOptions, cast_shapes};
use parry3d_f64::shape::{Ball, Shape};

use super::sides::Options;
use super::sides::parry::vector;
use super::single_shapes::{SingleShape, single_shapes, stands_along_y};
use crate::error::BenchError;
use crate::random::Random;
use crate::report::{Report, Table, figure};
use crate::timing::{Side, interleaved};

const SLOT: Duration = Duration::from_millis(20);
const SIZES: [usize; 3] = [1_000, 20_000, 100_000];
/// Questions of each kind in one round.
const COUNT: usize = 400;
/// The radius of the ball that is cast.
const BALL: f64 = 0.25;
/// Answers that differ by more, for worlds of this size, count as different.
const SAME: f64 = 1e-5;

/// The bodies of parry, and its tree.
struct Theirs {
    shapes: Vec<Box<dyn Shape>>,
    /// Which shape each body has, and its place.
    bodies: Vec<(usize, Isometry)>,
    tree: Bvh,
}

pub(super) fn run(options: Options) -> Result<(Report, bool), BenchError> {
    let title = format!("Queries of worlds: impinge and parry3d-f64 (seed {})", options.seed);
    let mut report = Report::new("rivals-queries", title);
    report.add(format!(
        "Nanoseconds a question, one thread, one after another: medians of {} rounds in which the sides take turns. \
         Ratio: parry's time over ours. `all cores`: the batch of ours, per question. Bodies: spheres, boxes, \
         capsules, cylinders, cones and hulls of about size 1, about 2 apart. `ray`: the first hit, through the whole \
         world; `any`: whether there is one; `short`: rays of length 5; `point`: the nearest body; `box`: the bodies \
         whose boxes meet one of side 6; `cast`: the first body that a ball of radius {BALL} meets on a way of length \
         20. `same`: both find nothing, or the same within {SAME}.",
        options.passes
    ));
    let heads = ["bodies", "question", "found", "impinge ns", "parry ns", "ratio", "all cores ns", "same"];
    let mut table = Table::new(2, &heads);
    let mut all_same = true;
    for size in SIZES.into_iter().filter(|&size| !options.quick || size <= 20_000) {
        let mut random = Random::new(options.seed, 81);
        let (mut world, theirs, half) = worlds(size, &mut random)?;
        let questions = Questions::new(half, &mut random)?;
        for kind in ["ray", "any", "short", "point", "box", "cast"] {
            eprintln!("{size} bodies, {kind}");
            let row = measured(kind, options, &mut world, &theirs, &questions)?;
            all_same &= row.same == COUNT;
            table.row([
                size.to_string(),
                kind.to_owned(),
                row.found.to_string(),
                figure(row.nanoseconds[0]),
                figure(row.nanoseconds[1]),
                figure(row.nanoseconds[1] / row.nanoseconds[0]),
                row.nanoseconds.get(2).map_or("-".to_owned(), |ns| figure(*ns)),
                format!("{}/{COUNT}", row.same),
            ]);
        }
    }
    report.add(table);
    Ok((report, all_same))
}

/// Both worlds, and half of the side of the cube that the bodies are in.
fn worlds(size: usize, random: &mut Random) -> Result<(World, Theirs, f64), BenchError> {
    let half = (size as f64).cbrt();
    let (mut world, mut bodies) = (World::new(), Vec::new());
    let shapes = single_shapes(random, 1.0)?;
    for k in 0..size {
        let which = k % shapes.len();
        let SingleShape { name, ours, .. } = &shapes[which];
        let at = DVec3::new(random.between(-half, half), random.between(-half, half), random.between(-half, half));
        let turn = random.rotation();
        let refused = |reason: String| BenchError::Rival { name: (*name).to_owned(), reason };
        let pose = Pose::new(at, turn).map_err(|e| refused(e.to_string()))?;
        let mobility = if k % 2 == 0 { Mobility::Static } else { Mobility::Moving };
        let body = Body { mobility, ..Body::new(ours.clone(), pose) };
        world.add(body).map_err(|e| refused(e.to_string()))?;
        // Parry's y is our z, where a shape has an axis.
        let upright =
            if stands_along_y(name) { DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2) } else { DQuat::IDENTITY };
        bodies.push((which, isometry(at, turn * upright)));
    }
    let shapes: Vec<Box<dyn Shape>> = shapes.into_iter().map(|shape| shape.theirs).collect();
    let boxes: Vec<Aabb> = bodies.iter().map(|(which, place)| shapes[*which].compute_aabb(place)).collect();
    let tree = Bvh::from_leaves(BvhBuildStrategy::Ploc, &boxes);
    Ok((world, Theirs { shapes, bodies, tree }, half))
}

fn isometry(at: DVec3, turn: DQuat) -> Isometry {
    Isometry::from_parts(vector(at), Rotation::from_xyzw(turn.x, turn.y, turn.z, turn.w))
}

struct Questions {
    rays: Vec<impinge::Ray>,
    short: Vec<impinge::Ray>,
    points: Vec<DVec3>,
    boxes: Vec<OurBox>,
    casts: Vec<Steady>,
    ball: Model,
}

impl Questions {
    fn new(half: f64, random: &mut Random) -> Result<Questions, BenchError> {
        let refused = |reason: String| BenchError::Rival { name: "question".to_owned(), reason };
        let mut inside =
            || DVec3::new(random.between(-half, half), random.between(-half, half), random.between(-half, half));
        let points: Vec<DVec3> = (0..COUNT).map(|_| inside()).collect();
        let aims: Vec<DVec3> = (0..COUNT).map(|_| inside()).collect();
        let boxes = points.iter().map(|p| OurBox::new(*p - 3.0, *p + 3.0)).collect();
        let ball = Round::sphere(BALL).map_err(|e| refused(e.to_string()))?.into();
        let mut questions = Questions { rays: vec![], short: vec![], casts: vec![], points, boxes, ball };
        for (from, aim) in questions.points.iter().zip(aims) {
            // From outside, through the whole world.
            let way = (aim - *from).normalize();
            let ray = impinge::Ray::new(aim - way * (4.0 * half), way).map_err(|e| refused(e.to_string()))?;
            let short = impinge::Ray::new(*from, way).and_then(|ray| ray.with_length(5.0));
            questions.rays.push(ray);
            questions.short.push(short.map_err(|e| refused(e.to_string()))?);
            let start = Pose::at(*from).map_err(|e| refused(e.to_string()))?;
            questions.casts.push(Steady::straight(start, way * 20.0, 0.0).map_err(|e| refused(e.to_string()))?);
        }
        Ok(questions)
    }
}

impl Theirs {
    fn ray(&self, ray: &impinge::Ray) -> f64 {
        let ray_of = Ray::new(vector(ray.origin()), vector(ray.direction()));
        let found = self.tree.cast_ray(&ray_of, ray.length().min(f64::MAX), |leaf, best| {
            let (which, place) = &self.bodies[leaf as usize];
            Some(self.shapes[*which].cast_ray_and_get_normal(place, &ray_of, best, false)?.time_of_impact)
        });
        found.map_or(f64::INFINITY, |(_, time)| time)
    }

    /// The signed distance of the nearest body.
    fn point(&self, point: DVec3) -> f64 {
        let point = vector(point);
        let found = self.tree.project_point(point, f64::MAX, |leaf, _| {
            let (which, place) = &self.bodies[leaf as usize];
            Some(self.shapes[*which].project_point(place, point, true))
        });
        found.map_or(f64::INFINITY, |(_, (distance, _))| distance)
    }

    fn in_box(&self, region: &OurBox) -> usize {
        let region = Aabb::new(vector(region.min), vector(region.max));
        self.tree.intersect_aabb(&region).count()
    }

    fn cast(&self, start: DVec3, velocity: DVec3) -> f64 {
        let (ball, place) = (Ball::new(BALL), isometry(start, DQuat::IDENTITY));
        let first = ball.compute_aabb(&place);
        let way = first.merged(&ball.compute_aabb(&isometry(start + velocity, DQuat::IDENTITY)));
        // As parry casts shapes against compounds: a ray against boxes made larger by the half of the moving one.
        let ray = Ray::new(first.center(), vector(velocity));
        let extents = first.half_extents();
        let found = self.tree.find_best(
            1.0,
            |node, _| {
                let b = node.aabb();
                let wide = Aabb::new(b.mins - extents, b.maxs + extents);
                if wide.intersects(&way) {
                    parry3d_f64::query::RayCast::cast_local_ray(&wide, &ray, 1.0, true).unwrap_or(f64::MAX)
                } else {
                    f64::MAX
                }
            },
            |leaf, best: f64| {
                let (which, other) = &self.bodies[leaf as usize];
                let options = ShapeCastOptions::with_max_time_of_impact(best);
                let still = vector(DVec3::ZERO);
                let hit = cast_shapes(&place, vector(velocity), &ball, other, still, &*self.shapes[*which], options);
                Some(hit.ok()??.time_of_impact)
            },
        );
        found.map_or(f64::INFINITY, |(_, time)| time)
    }
}

/// What came of one kind of question.
struct Measured {
    /// A question: ours, parry's, ours on all threads.
    nanoseconds: Vec<f64>,
    found: usize,
    same: usize,
}

fn measured(
    kind: &str,
    options: Options,
    world: &mut World,
    theirs: &Theirs,
    questions: &Questions,
) -> Result<Measured, BenchError> {
    let view = world.view();
    let answers = RefCell::new([vec![0.0; COUNT], vec![0.0; COUNT]]);
    let keep = |side: usize, k: usize, answer: f64| answers.borrow_mut()[side][k] = answer;
    let first = |ray: &impinge::Ray| view.ray(ray).map_or(f64::INFINITY, |found| found.answer.distance);
    let any = |met: bool| if met { 1.0 } else { f64::INFINITY };
    let ours = |k: usize| match kind {
        "ray" => first(&questions.rays[k]),
        "any" => any(view.meets_ray(&questions.rays[k])),
        "short" => first(&questions.short[k]),
        "point" => {
            let found = view.point_distance(questions.points[k]).ok().flatten();
            found.map_or(f64::INFINITY, |found| found.answer.interval.upper.max(0.0))
        }
        "box" => {
            let mut count = 0.0;
            view.boxes_near(&questions.boxes[k], |_| {
                count += 1.0;
                std::ops::ControlFlow::Continue(())
            });
            count
        }
        _ => {
            let found = view.impact(&questions.ball, &questions.casts[k], Span::UNIT);
            found.and_then(|found| found.answer.time).map_or(f64::INFINITY, |time| time.upper)
        }
    };
    let rival = |k: usize| match kind {
        "ray" => theirs.ray(&questions.rays[k]),
        "any" => any(theirs.ray(&questions.rays[k]).is_finite()),
        "short" => theirs.ray(&questions.short[k]),
        "point" => theirs.point(questions.points[k]),
        "box" => theirs.in_box(&questions.boxes[k]) as f64,
        _ => theirs.cast(questions.points[k], questions.casts[k].velocity()),
    };
    let mut sides: Vec<Side<'_>> = vec![
        Box::new(|| (0..COUNT).for_each(|k| keep(0, k, ours(k)))),
        Box::new(|| (0..COUNT).for_each(|k| keep(1, k, rival(k)))),
    ];
    match kind {
        "ray" => sides.push(Box::new(|| drop(black_box(view.rays(&questions.rays))))),
        "short" => sides.push(Box::new(|| drop(black_box(view.rays(&questions.short))))),
        "point" => sides.push(Box::new(|| drop(black_box(view.point_distances(&questions.points))))),
        "cast" => {
            sides.push(Box::new(|| drop(black_box(view.impacts(&questions.ball, &questions.casts, Span::UNIT)))));
        }
        _ => {}
    }
    let seconds = interleaved(options.passes, SLOT, &mut sides);
    drop(sides);
    let [mine, other] = answers.into_inner();
    // Boxes of bodies that touch a box only just may be told or not: ours are larger by rounding.
    let slack = if kind == "box" { 1.0 } else { SAME };
    let same = |x: &f64, y: &f64| x == y || (x - y).abs() <= slack;
    Ok(Measured {
        nanoseconds: seconds.iter().map(|s| s * 1e9 / COUNT as f64).collect(),
        found: mine.iter().filter(|x| x.is_finite()).count(),
        same: mine.iter().zip(&other).filter(|(x, y)| same(x, y)).count(),
    })
}
