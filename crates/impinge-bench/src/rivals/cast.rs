//! Casts of shapes that move straight beside parry3d-f64: round shapes and hulls on each other, and on meshes.
//!
//! Parry's `cast_shapes` gives the time, the points and the normals; ours an interval of time with a proof of contact,
//! the point, the normal and the feature.

use std::hint::black_box;
use std::time::{Duration, Instant};

use impinge::Pose;
use impinge::glam::DVec3;
use parry3d_f64::math::Pose as ParryPose;
use parry3d_f64::query::{ShapeCastOptions, cast_shapes};
use parry3d_f64::shape::TriMesh;

use super::sides::Options;
use super::sides::parry::vector;
use super::single_shapes::{BothPlaces, SingleShape, single_shapes};
use crate::error::BenchError;
use crate::random::Random;
use crate::report::{Report, Table, figure};
use crate::shapes::{Soup, torus};
use crate::timing::{Side, interleaved};

const SLOT: Duration = Duration::from_millis(4);
const COUNT: usize = 500;
/// The length of long ways, and how many there are.
const LONG: f64 = 1000.0;
const LONG_COUNT: usize = 200;
const HEADS: [&str; 10] =
    ["moves", "stands", "casts", "hits", "impinge µs", "parry µs", "ratio", "worst µs", "parry's worst", "same"];
/// The answer where there is no contact.
const NEVER: f64 = 2.0;
/// Times that differ by more are counted as different.
const SAME: f64 = 1e-5;

/// One cast on both sides.
struct BothCasts {
    ours: (Pose, DVec3),
    theirs: ParryPose,
}

pub(super) fn run(options: Options) -> Result<(Report, bool), BenchError> {
    let title = format!("Shapes that move straight: impinge and parry3d-f64 (seed {})", options.seed);
    let mut report = Report::new("rivals-cast", title);
    report.add(format!(
        "Microseconds a cast, one thread, one after another: medians of {} rounds in which the sides take turns. Ratio: parry's \
         time over ours. `same`: no contact for both, or times within 1e-5. Shapes on meshes are a tenth of the \
         size that they are on each other. Worst: the slowest single cast, of three tries the fastest.",
        options.passes
    ));
    let mut table = Table::new(2, &HEADS);
    let mut long = Table::new(2, &HEADS);
    let mut random = Random::new(options.seed, 75);
    let shapes = single_shapes(&mut random, 1.0)?;
    for (k, shape) in shapes.iter().enumerate() {
        for body in &shapes[k..] {
            row(options, [shape, body], body.name, &near_casts(shape, &mut random)?, &mut table)?;
        }
        long_rows(options, shape, &shapes[(k + 2) % shapes.len()], &mut random, &mut long)?;
    }
    let small = single_shapes(&mut random, 0.1)?;
    let tori: &[(u32, u32)] = if options.quick { &[(100, 50)] } else { &[(100, 50), (320, 160), (1000, 500)] };
    for &(around, across) in tori {
        let soup = torus(around, across, &mut random);
        let body = of_mesh(&soup)?;
        for shape in &small {
            row(options, [shape, &body], body.name, &near_casts(shape, &mut random)?, &mut table)?;
            if across == 50 {
                long_rows(options, shape, &body, &mut random, &mut long)?;
            }
        }
    }
    report.add(table);
    report.add(
        "Ways of 1000 units: past the middle of the body, a millionth beside its outline, and 30 units away."
            .to_owned(),
    );
    report.add(long);
    Ok((report, true))
}

fn of_mesh(soup: &Soup) -> Result<SingleShape, BenchError> {
    let name = "torus of triangles".to_owned();
    let mesh = impinge::Mesh::new(soup.vertices.clone(), soup.triangles.clone());
    let ours = mesh.map_err(|source| BenchError::Build { name: name.clone(), source })?.into_surface().into();
    let theirs = TriMesh::new(soup.vertices.iter().map(|v| vector(*v)).collect(), soup.triangles.clone());
    let theirs = theirs.map_err(|e| BenchError::Rival { name, reason: e.to_string() })?;
    let name = match soup.triangles.len() {
        0..50_000 => "torus, 10 k triangles",
        50_000..500_000 => "torus, 102 k triangles",
        _ => "torus, 1 M triangles",
    };
    Ok(SingleShape { name, ours, theirs: Box::new(theirs) })
}

fn near_casts(shape: &SingleShape, random: &mut Random) -> Result<Vec<BothCasts>, BenchError> {
    (0..COUNT).map(|_| cast(shape.name, random)).collect()
}

/// Casts whose ways are long: hits, near misses and far misses.
fn long_rows(
    options: Options,
    shape: &SingleShape,
    body: &SingleShape,
    random: &mut Random,
    table: &mut Table,
) -> Result<(), BenchError> {
    let place = BothPlaces::of(body.name)?;
    for (kind, stands) in
        ["hit", "near miss", "far miss"].into_iter().map(|kind| (kind, format!("{}: {kind}", body.name)))
    {
        let mut casts = Vec::new();
        for _ in 0..LONG_COUNT {
            let turn = random.rotation();
            let (unit, side) = loop {
                let unit = random.direction();
                if let Some(side) = unit.cross(random.direction()).try_normalize() {
                    break (unit, side);
                }
            };
            let at = |off: f64| -> Result<BothCasts, BenchError> {
                let from = unit * -(0.5 * LONG) + side * off;
                let (pose, theirs) = BothPlaces::at(shape.name, from, turn)?.into_parts();
                Ok(BothCasts { ours: (pose, unit * LONG), theirs })
            };
            let off = match kind {
                "hit" => random.between(0.0, 0.2),
                "far miss" => 30.0,
                _ => {
                    let (mut met, mut passed) = (0.0, 8.0);
                    while passed - met > 1e-6 {
                        let middle = 0.5 * (met + passed);
                        let (pose, motion) = at(middle)?.ours;
                        let hit = body.ours.cast(&place.ours, &shape.ours, &pose, motion);
                        *(if hit.is_ok_and(|hit| hit.is_some()) { &mut met } else { &mut passed }) = middle;
                    }
                    passed
                }
            };
            casts.push(at(off)?);
        }
        row(options, [shape, body], &stands, &casts, table)?;
    }
    Ok(())
}

/// The slowest of some questions, each asked three times and the fastest taken, in microseconds.
fn worst<T>(questions: &[T], mut ask: impl FnMut(&T) -> f64) -> f64 {
    let mut once = |question: &T| {
        let start = Instant::now();
        black_box(ask(question));
        start.elapsed().as_secs_f64() * 1e6
    };
    questions.iter().map(|q| once(q).min(once(q)).min(once(q))).fold(0.0, f64::max)
}

fn row(
    options: Options,
    [shape, body]: [&SingleShape; 2],
    stands: &str,
    casts: &[BothCasts],
    table: &mut Table,
) -> Result<(), BenchError> {
    eprintln!("{} on {stands}", shape.name);
    let place = BothPlaces::of(body.name)?;
    let mut answers = [(); 2].map(|()| vec![0.0; casts.len()]);
    let [mine, other] = &mut answers;
    let ours = |cast: &BothCasts| {
        let (from, motion) = &cast.ours;
        let hit = body.ours.cast(&place.ours, &shape.ours, from, *motion);
        hit.map_or(f64::NAN, |hit| hit.map_or(NEVER, |hit| hit.time.lower))
    };
    let theirs = |cast: &BothCasts| {
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        let (still, moving) = (vector(DVec3::ZERO), vector(cast.ours.1));
        let [fixed, moved] = [body.theirs.as_ref(), shape.theirs.as_ref()];
        let hit = cast_shapes(&place.theirs, still, fixed, &cast.theirs, moving, moved, options);
        hit.map_or(f64::NAN, |hit| hit.map_or(NEVER, |hit| hit.time_of_impact))
    };
    let mut sides: [Side<'_>; 2] = [
        Box::new(|| mine.iter_mut().zip(casts).for_each(|(answer, cast)| *answer = ours(cast))),
        Box::new(|| other.iter_mut().zip(casts).for_each(|(answer, cast)| *answer = theirs(cast))),
    ];
    let seconds = interleaved(options.passes, SLOT, &mut sides);
    drop(sides);
    let [our_worst, their_worst] = [worst(casts, ours), worst(casts, theirs)];
    let [ours, theirs] = [0, 1].map(|k: usize| seconds[k] * 1e6 / casts.len() as f64);
    let same = answers[0].iter().zip(&answers[1]).filter(|(x, y)| (*x - *y).abs() <= SAME).count();
    table.row([
        shape.name.to_owned(),
        stands.to_owned(),
        casts.len().to_string(),
        answers[0].iter().filter(|t| **t < NEVER).count().to_string(),
        figure(ours),
        figure(theirs),
        figure(theirs / ours),
        figure(our_worst),
        figure(their_worst),
        format!("{same}/{}", casts.len()),
    ]);
    Ok(())
}

/// From outside towards the body, or past it.
fn cast(name: &str, random: &mut Random) -> Result<BothCasts, BenchError> {
    let from = random.direction() * random.between(3.0, 5.0);
    let aim = random.direction() * random.between(0.0, 1.4);
    let (pose, theirs) = BothPlaces::at(name, from, random.rotation())?.into_parts();
    Ok(BothCasts { ours: (pose, (aim - from) * 1.5), theirs })
}
