//! One ray and one body beside parry3d-f64: where it first meets the surface.
//!
//! Parry's `cast_ray_and_get_normal` gives the distance, the normal and the face. Ours decides exactly which triangle,
//! edge or vertex is met. Both are given the ray in the world, and a body that is turned and moved.

use std::time::{Duration, Instant};

use impinge::Model;
use impinge::glam::{DQuat, DVec3};
use parry3d_f64::shape::{Shape, TriMesh};

use super::sides::Options;
use super::sides::parry::vector;
use super::single_shapes::{BothPlaces, SingleShape, single_shapes};
use crate::error::BenchError;
use crate::random::Random;
use crate::report::{Report, Table, figure};
use crate::shapes::{Soup, sphere, torus};
use crate::timing::{Side, interleaved};

const SLOT: Duration = Duration::from_millis(4);
const COUNT: usize = 2000;

/// Distances that differ by more, of bodies of size 1, are counted as different.
const SAME: f64 = 1e-7;

/// A body on both sides.
struct Rival {
    name: String,
    ours: Model,
    theirs: Box<dyn Shape>,
    place: BothPlaces,
}

/// A ray on both sides.
struct Rays {
    ours: impinge::Ray,
    theirs: parry3d_f64::query::Ray,
}

pub(super) fn run(options: Options) -> Result<(Report, bool), BenchError> {
    let title = format!("Rays: impinge and parry3d-f64 (seed {})", options.seed);
    let mut report = Report::new("rivals-ray", title);
    report.add(format!(
        "Nanoseconds a ray, one thread, one ray after another: medians of {} rounds in which the sides take turns. \
         Ratio: parry's time over ours. Each ray is also measured alone, the least of {} times: `worst` is the longest \
         of these. `same`: both miss, or the distances agree. `at`: from outside towards the body; `by`: past it by a \
         little; `in`: from inside out; `vertex`: at a vertex of the mesh; of a \
         flat grid from above, far away, within its plane and just above it.",
        options.passes, options.passes
    ));
    let mut table = Table::new(
        2,
        &["body", "rays", "hits", "impinge ns", "any ns", "parry ns", "ratio", "worst ns", "parry worst", "same"],
    );
    let mut random = Random::new(options.seed, 72);
    for (rival, vertices) in rivals(options, &mut random)? {
        for kind in kinds(&rival, &vertices).iter().copied() {
            eprintln!("{}, {kind}", rival.name);
            let rays: Vec<Rays> = (0..COUNT).filter_map(|_| ray(&rival, kind, &vertices, &mut random)).collect();
            let row = measured(options, &rival, &rays);
            let [ours, any, theirs] = [0, 1, 2].map(|k: usize| row.seconds[k] * 1e9 / rays.len() as f64);
            table.row([
                rival.name.clone(),
                kind.to_owned(),
                row.hits.to_string(),
                figure(ours),
                figure(any),
                figure(theirs),
                figure(theirs / ours),
                figure(row.worst[0] * 1e9),
                figure(row.worst[1] * 1e9),
                format!("{}/{}", row.same, rays.len()),
            ]);
        }
    }
    report.add(table);
    Ok((report, true))
}

fn kinds(rival: &Rival, vertices: &[DVec3]) -> &'static [&'static str] {
    match vertices {
        [] if rival.name.starts_with("grid") => {
            &["down", "1e9 away", "1e12 away", "1e15 away", "in plane", "1e-9 above"]
        }
        [] => &["at", "by", "in"],
        _ => &["at", "by", "in", "vertex"],
    }
}

/// Rays at a flat grid from far, along it, and just above it.
fn grid_ray(kind: &str, random: &mut Random) -> [DVec3; 2] {
    let mut across = || DVec3::new(random.between(-0.9, 0.9), random.between(-0.9, 0.9), 0.0);
    let (from, aim) = (across(), across());
    let away = |distance: f64| [aim + DVec3::new(0.3, 0.2, 1.0) * distance, aim];
    match kind {
        "1e9 away" => away(1e9),
        "1e12 away" => away(1e12),
        "1e15 away" => away(1e15),
        "in plane" => [from.with_x(-2.0), aim],
        "1e-9 above" => [from.with_x(-2.0).with_z(1e-9), aim.with_z(1e-9)],
        _ => [from.with_z(2.0), aim],
    }
}

fn ray(rival: &Rival, kind: &str, vertices: &[DVec3], random: &mut Random) -> Option<Rays> {
    let outside = random.direction() * random.between(3.0, 6.0);
    let (from, aim) = match kind {
        _ if rival.name.starts_with("grid") => grid_ray(kind, random).into(),
        "at" => (outside, random.direction() * random.between(0.0, 0.7)),
        "by" => (outside, outside.any_orthonormal_vector() * random.between(1.0, 1.3)),
        "in" => (random.direction() * random.between(0.0, 0.2), outside),
        _ => (outside, vertices[random.below(vertices.len() as u32) as usize]),
    };
    let [from, aim] = [from, aim].map(|p| rival.place.ours.apply(p));
    let ours = impinge::Ray::new(from, aim - from).ok()?;
    let theirs = parry3d_f64::query::Ray::new(vector(from), vector(ours.direction()));
    Some(Rays { ours, theirs })
}

/// Meshes of ten thousand to a million triangles with some of their vertices, and single shapes.
fn rivals(options: Options, random: &mut Random) -> Result<Vec<(Rival, Vec<DVec3>)>, BenchError> {
    let tori: &[(u32, u32)] = if options.quick { &[(100, 50)] } else { &[(100, 50), (320, 160), (1000, 500)] };
    let balls: &[u32] = if options.quick { &[4] } else { &[4, 6, 8] };
    let mut rivals = Vec::new();
    for &(around, across) in tori {
        rivals.push(of_mesh("torus", &torus(around, across, random))?);
    }
    for &depth in balls {
        rivals.push(of_mesh("ball", &sphere(depth))?);
    }
    let (mut flat, _) = of_mesh("grid", &grid(if options.quick { 50 } else { 316 }))?;
    flat.place = BothPlaces::at("grid", DVec3::ZERO, DQuat::IDENTITY)?;
    rivals.push((flat, Vec::new()));
    for SingleShape { name, ours, theirs } in single_shapes(random, 1.0)? {
        let place = BothPlaces::of(name)?;
        rivals.push((Rival { name: name.to_owned(), ours, theirs, place }, Vec::new()));
    }
    Ok(rivals)
}

/// A flat grid of this many cells a side, from −1 to 1.
fn grid(cells: u32) -> Soup {
    let at = |k: u32| f64::from(k) * 2.0 / f64::from(cells) - 1.0;
    let (row, each) = (cells + 1, 0..=cells);
    let vertices = each.clone().flat_map(|y| each.clone().map(move |x| DVec3::new(at(x), at(y), 0.0))).collect();
    let corners = (0..cells).flat_map(|y| (0..cells).map(move |x| y * row + x));
    let triangles = corners.flat_map(|k| [[k, k + 1, k + row], [k + 1, k + row + 1, k + row]]).collect();
    Soup { vertices, triangles }
}

fn of_mesh(name: &str, soup: &Soup) -> Result<(Rival, Vec<DVec3>), BenchError> {
    let name = format!("{name}, {} triangles", soup.triangles.len());
    let mesh = impinge::Mesh::new(soup.vertices.clone(), soup.triangles.clone());
    let ours = mesh.map_err(|source| BenchError::Build { name: name.clone(), source })?.into();
    let theirs = TriMesh::new(soup.vertices.iter().map(|v| vector(*v)).collect(), soup.triangles.clone());
    let theirs = theirs.map_err(|e| BenchError::Rival { name: name.clone(), reason: e.to_string() })?;
    let place = BothPlaces::of(&name)?;
    let rival = Rival { name, ours, theirs: Box::new(theirs), place };
    Ok((rival, soup.vertices.iter().copied().step_by(7).collect()))
}

impl Rival {
    fn ours(&self, ray: &Rays) -> f64 {
        self.ours.ray(&self.place.ours, &ray.ours).map_or(f64::INFINITY, |hit| hit.distance)
    }

    fn any(&self, ray: &Rays) -> bool {
        self.ours.meets_ray(&self.place.ours, &ray.ours)
    }

    fn theirs(&self, ray: &Rays) -> f64 {
        let hit = self.theirs.cast_ray_and_get_normal(&self.place.theirs, &ray.theirs, f64::MAX, false);
        hit.map_or(f64::INFINITY, |hit| hit.time_of_impact)
    }
}

/// What came of the rays of one row.
struct Measured {
    /// Ours for the first hit, ours for any, parry's; for all rays.
    seconds: Vec<f64>,
    /// The longest of any ray: ours, parry's.
    worst: [f64; 2],
    hits: usize,
    same: usize,
}

fn measured(options: Options, rival: &Rival, rays: &[Rays]) -> Measured {
    let mut answers = [(); 2].map(|()| vec![0.0; rays.len()]);
    let mut met = vec![false; rays.len()];
    let [mine, other] = &mut answers;
    let mut sides: [Side<'_>; 3] = [
        Box::new(|| mine.iter_mut().zip(rays).for_each(|(answer, ray)| *answer = rival.ours(ray))),
        Box::new(|| met.iter_mut().zip(rays).for_each(|(answer, ray)| *answer = rival.any(ray))),
        Box::new(|| other.iter_mut().zip(rays).for_each(|(answer, ray)| *answer = rival.theirs(ray))),
    ];
    let seconds = interleaved(options.passes, SLOT, &mut sides);
    drop(sides);
    let alone = |ask: &dyn Fn(&Rays) -> f64, ray: &Rays| {
        let start = Instant::now();
        std::hint::black_box(ask(ray));
        start.elapsed().as_secs_f64()
    };
    let mut worst = [0.0f64; 2];
    for ray in rays {
        let mut least = [f64::INFINITY; 2];
        for _ in 0..options.passes {
            least[0] = alone(&|ray| rival.ours(ray), ray).min(least[0]);
            least[1] = alone(&|ray| rival.theirs(ray), ray).min(least[1]);
        }
        worst = [worst[0].max(least[0]), worst[1].max(least[1])];
    }
    let same = |x: &f64, y: &f64| x == y || (x - y).abs() <= SAME + 1e-15 * y.abs();
    Measured {
        seconds,
        worst,
        hits: answers[0].iter().filter(|x| x.is_finite()).count(),
        same: answers[0].iter().zip(&answers[1]).filter(|(x, y)| same(x, y)).count(),
    }
}
