//! One point and one body beside parry3d-f64: how far, on which side, and the nearest point of the surface.
//!
//! Both are given the point in the world, and a body that is turned and moved. Parry's `project_point` gives the same:
//! on a mesh that it was told is oriented with the side, by the normal at the nearest feature, which it computes when
//! it is built, else without. Ours gives an interval and the feature besides; the side by the nearest triangle, since
//! the mesh is told that points will be asked about (`Mesh::ready_for_points`), or by crossings of a ray.

use std::time::{Duration, Instant};

use impinge::glam::DVec3;
use impinge::{Builder, Model};
use parry3d_f64::shape::{Shape, TriMesh, TriMeshFlags};

use super::sides::Options;
use super::sides::parry::vector;
use super::single_shapes::{BothPlaces, SingleShape, single_shapes};
use crate::error::BenchError;
use crate::random::Random;
use crate::report::{Report, Table, figure};
use crate::shapes::{Soup, sphere, torus};
use crate::timing::{Side, interleaved};

const SLOT: Duration = Duration::from_millis(4);

/// Distances that differ by more, of bodies of size 1 and points as far as given, are counted as different.
const SAME: f64 = 1e-9;

/// A body on both sides, and the surface to take points from.
struct Rival {
    name: String,
    ours: Model,
    theirs: Box<dyn Shape>,
    /// Whether distances inside are compared with a sign.
    signed: bool,
    /// Points of the surface, about.
    surface: Vec<DVec3>,
    place: BothPlaces,
}

pub(super) fn run(options: Options) -> Result<(Report, bool), BenchError> {
    let title = format!("Distance of points: impinge and parry3d-f64 (seed {})", options.seed);
    let mut report = Report::new("rivals-point", title);
    report.add(format!(
        "Nanoseconds a point, one thread, one point after another: medians of {} rounds in which the sides take turns. \
         Ratio: parry's time over ours. Each point is also measured alone, the least of {} times: `worst` is the \
         longest of these, and `least ratio` the least ratio of any one point. `same`: distances within 1e-9 of the \
         size of the body and the distance. `near`: within a hundredth of the size of the surface; `about`: in a box \
         a fifth larger than the body; `far`: 5 to 50 sizes away; `middle`: around the middle of a ball, where all of \
         the surface is nearly as near.",
        options.passes, options.passes
    ));
    let mut table = Table::new(
        2,
        &[
            "body",
            "points",
            "number",
            "impinge ns",
            "parry ns",
            "ratio",
            "worst ns",
            "parry worst",
            "least ratio",
            "same",
        ],
    );
    let mut random = Random::new(options.seed, 71);
    let mut all_same = true;
    for rival in rivals(options, &mut random)? {
        for place in ["near", "about", "far", "middle"] {
            let round = rival.name.contains("ball");
            if place == "middle" && !round {
                continue;
            }
            eprintln!("{}, {place}", rival.name);
            let count = if place == "middle" { 16 } else { 2000 };
            let placed = |p| rival.place.ours.apply(p);
            let points: Vec<DVec3> = (0..count).map(|_| placed(point(&rival, place, &mut random))).collect();
            let row = measured(options, &rival, &points);
            all_same &= row.same == count;
            let [ours, theirs] = row.seconds.map(|s| s * 1e9 / count as f64);
            table.row([
                rival.name.clone(),
                place.to_owned(),
                count.to_string(),
                figure(ours),
                figure(theirs),
                figure(theirs / ours),
                figure(row.worst[0] * 1e9),
                figure(row.worst[1] * 1e9),
                figure(row.least_ratio),
                format!("{}/{count}", row.same),
            ]);
        }
    }
    report.add(table);
    Ok((report, all_same))
}

fn point(rival: &Rival, place: &str, random: &mut Random) -> DVec3 {
    let on = rival.surface[random.below(rival.surface.len() as u32) as usize];
    match place {
        "near" => on + random.direction() * random.between(0.0, 0.01),
        "far" => random.direction() * random.between(5.0, 50.0),
        "middle" => random.direction() * random.between(0.0, 1e-6),
        _ => {
            let most = rival.surface.iter().fold(DVec3::ZERO, |most, p| most.max(p.abs())) * 1.2;
            most * DVec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0))
        }
    }
}

/// Meshes of ten thousand to a million triangles, and single shapes.
fn rivals(options: Options, random: &mut Random) -> Result<Vec<Rival>, BenchError> {
    let tori: &[(u32, u32)] = if options.quick { &[(100, 50)] } else { &[(100, 50), (320, 160), (1000, 500)] };
    let balls: &[u32] = if options.quick { &[4] } else { &[4, 6, 8] };
    let mut rivals = Vec::new();
    for &(around, across) in tori {
        let soup = torus(around, across, random);
        rivals.push(of_mesh("torus", &soup, true)?);
        rivals.push(of_mesh("torus", &soup, false)?);
    }
    for &depth in balls {
        rivals.push(of_mesh("ball", &sphere(depth), true)?);
    }
    let surface: Vec<DVec3> = (0..500).map(|_| random.direction()).collect();
    for SingleShape { name, ours, theirs } in single_shapes(random, 1.0)? {
        let (place, name) = (BothPlaces::of(name)?, name.to_owned());
        rivals.push(Rival { name, ours, theirs, signed: true, surface: surface.clone(), place });
    }
    Ok(rivals)
}

fn of_mesh(name: &str, soup: &Soup, solid: bool) -> Result<Rival, BenchError> {
    let what = if solid { "solid" } else { "surface" };
    let name = format!("{name}, {} triangles, {what}", soup.triangles.len());
    let refused = |source| BenchError::Build { name: name.clone(), source };
    let mesh = impinge::Mesh::with_builder(soup.vertices.clone(), soup.triangles.clone(), Builder::Auto);
    let mesh = mesh.map_err(refused)?;
    let ours = Model::from(if solid { mesh.ready_for_points() } else { mesh.into_surface() });
    let flags = if solid { TriMeshFlags::ORIENTED } else { TriMeshFlags::empty() };
    let vertices = soup.vertices.iter().map(|v| vector(*v)).collect();
    let theirs = TriMesh::with_flags(vertices, soup.triangles.clone(), flags);
    let theirs = theirs.map_err(|e| BenchError::Rival { name: name.clone(), reason: e.to_string() })?;
    let place = BothPlaces::of(&name)?;
    Ok(Rival { name, ours, theirs: Box::new(theirs), signed: solid, surface: soup.vertices.clone(), place })
}

impl Rival {
    fn ours(&self, p: DVec3) -> f64 {
        self.ours.point_distance(&self.place.ours, p).map_or(f64::NAN, |answer| answer.interval.mid())
    }

    fn theirs(&self, p: DVec3) -> f64 {
        let p = vector(p);
        let found = self.theirs.project_point(&self.place.theirs, p, false);
        let distance = (found.point - p).length();
        if self.signed && found.is_inside { -distance } else { distance }
    }
}

/// What came of the points of one row.
struct Measured {
    /// Ours, parry's, for all points.
    seconds: [f64; 2],
    /// The longest of any point.
    worst: [f64; 2],
    least_ratio: f64,
    same: usize,
}

fn measured(options: Options, rival: &Rival, points: &[DVec3]) -> Measured {
    let mut answers = [(); 2].map(|()| vec![0.0; points.len()]);
    let [mine, other] = &mut answers;
    let mut sides: [Side<'_>; 2] = [
        Box::new(|| mine.iter_mut().zip(points).for_each(|(answer, p)| *answer = rival.ours(*p))),
        Box::new(|| other.iter_mut().zip(points).for_each(|(answer, p)| *answer = rival.theirs(*p))),
    ];
    let seconds = interleaved(options.passes, SLOT, &mut sides);
    drop(sides);
    let alone = |ask: &dyn Fn(DVec3) -> f64, p: DVec3| {
        let start = Instant::now();
        std::hint::black_box(ask(p));
        start.elapsed().as_secs_f64()
    };
    let mut least = vec![[f64::INFINITY; 2]; points.len()];
    for _ in 0..options.passes.max(1) {
        for (least, p) in least.iter_mut().zip(points) {
            least[0] = least[0].min(alone(&|p| rival.ours(p), *p));
            least[1] = least[1].min(alone(&|p| rival.theirs(p), *p));
        }
    }
    let most = |side: usize| least.iter().fold(0.0, |most: f64, times| most.max(times[side]));
    let ratios = least.iter().map(|times| times[1] / times[0]);
    let [ours, theirs] = &answers;
    let far = |p: &DVec3| SAME * (1.0 + p.length());
    let same = (0..points.len()).filter(|&i| (ours[i] - theirs[i]).abs() <= far(&points[i])).count();
    Measured {
        seconds: [seconds[0], seconds[1]],
        worst: [most(0), most(1)],
        least_ratio: ratios.fold(f64::INFINITY, f64::min),
        same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_find_the_same_distances() {
        let options = Options { seed: 1, passes: 1, quick: true };
        let mut random = Random::new(1, 0);
        for rival in rivals(options, &mut random).unwrap() {
            for place in ["near", "about", "far"] {
                for _ in 0..100 {
                    let p = point(&rival, place, &mut random);
                    let [ours, theirs] = [rival.ours(p), rival.theirs(p)];
                    assert!((ours - theirs).abs() <= 1e-6 * (1.0 + p.length()), "{}: {p} {ours} {theirs}", rival.name);
                }
            }
        }
    }
}
