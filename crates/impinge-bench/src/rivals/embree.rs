//! Rays in batches beside Embree 3: single rays on one thread, the same meshes and rays, in turns.
//!
//! Embree is C++ and computes in single precision. Its program (`embree.cpp`) is compiled here, with the compiler and
//! the library that the system has; without them the report says so. Ours answers in double precision, with the exact
//! part of the triangle that is met.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use impinge::glam::DVec3;
use impinge::{Mesh, Model, Pose, Ray, RayHit};

use super::sides::Options;
use crate::error::BenchError;
use crate::random::Random;
use crate::report::{Report, Table, figure};
use crate::shapes::{Soup, sphere, torus};
use crate::timing::median;

const SOURCE: &str = include_str!("embree.cpp");
const COUNT: usize = 20_000;
/// Passes over all rays in each turn; the first warms up.
const PASSES: usize = 4;
/// Distances that differ by more, of bodies of size 1 in single precision, are counted as different.
const SAME: f64 = 1e-4;

pub(super) fn run(options: Options) -> Result<(Report, bool), BenchError> {
    let title = format!("Rays in batches: impinge and Embree 3 (seed {})", options.seed);
    let mut report = Report::new("rivals-embree", title);
    let folder = std::env::temp_dir().join(format!("impinge-embree-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(BenchError::write(&folder))?;
    let program = match compiled(&folder)? {
        Ok(program) => program,
        Err(reason) => {
            report.add(format!("Embree was not measured: {reason}"));
            return Ok((report, true));
        }
    };
    report.add(format!(
        "Nanoseconds a ray, one thread, single rays: medians of {} rounds in which the sides take turns. Rate: Embree's \
         time over ours. `batch`: `Model::rays` on a pool of one thread. `same`: both miss, or the distances agree to \
         1e-4. `at`: from outside towards the body; `in`: from inside out.",
        options.passes
    ));
    let mut table = Table::new(2, &["body", "rays", "hits", "impinge ns", "batch ns", "embree ns", "rate", "same"]);
    let mut random = Random::new(options.seed, 74);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    for (name, soup) in bodies(options, &mut random) {
        let refused = |source| BenchError::Build { name: name.clone(), source };
        let model = Model::from(Mesh::new(soup.vertices.clone(), soup.triangles.clone()).map_err(refused)?);
        for kind in ["at", "in"] {
            eprintln!("{name}, {kind}");
            let rays: Vec<Ray> = (0..COUNT).filter_map(|_| ray(kind, &mut random)).collect();
            let scene = folder.join("scene");
            fs::write(&scene, bytes(&soup, &rays)).map_err(BenchError::write(&scene))?;
            let mut times = [Vec::new(), Vec::new(), Vec::new()];
            let mut hits: Vec<Option<RayHit>> = Vec::new();
            for _ in 0..options.passes.max(1) {
                let alone = || rays.iter().map(|ray| model.ray(&Pose::IDENTITY, ray)).collect();
                let batch = || pool.install(|| model.rays(&Pose::IDENTITY, &rays));
                times[0].push(timed(rays.len(), &mut hits, &alone));
                times[1].push(timed(rays.len(), &mut hits, &batch));
                times[2].push(theirs(&program, &scene)?);
            }
            let [ours, batch, theirs] = times.map(median);
            let distances = answers(&scene)?;
            let ours_at = |hit: &Option<RayHit>| hit.map_or(f64::INFINITY, |hit| hit.distance);
            let same = |hit: &Option<RayHit>, x: &f64| ours_at(hit) == *x || (ours_at(hit) - x).abs() <= SAME;
            table.row([
                name.clone(),
                kind.to_owned(),
                hits.iter().flatten().count().to_string(),
                figure(ours),
                figure(batch),
                figure(theirs),
                figure(theirs / batch),
                format!("{}/{}", hits.iter().zip(&distances).filter(|(hit, x)| same(hit, x)).count(), rays.len()),
            ]);
        }
    }
    report.add(table);
    fs::remove_dir_all(&folder).map_err(BenchError::write(&folder))?;
    Ok((report, true))
}

/// Median nanoseconds a ray of our passes.
fn timed(rays: usize, hits: &mut Vec<Option<RayHit>>, pass: &dyn Fn() -> Vec<Option<RayHit>>) -> f64 {
    let mut times = Vec::new();
    for _ in 0..PASSES {
        let start = Instant::now();
        *hits = pass();
        times.push(start.elapsed().as_secs_f64() * 1e9 / rays as f64);
    }
    median(times.split_off(1))
}

/// The same of Embree's.
fn theirs(program: &Path, scene: &Path) -> Result<f64, BenchError> {
    let output = Command::new(program).arg(scene).arg(PASSES.to_string()).output();
    let output = output.map_err(|source| BenchError::Read { path: program.to_owned(), source })?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(median(text.lines().skip(1).filter_map(|line| line.trim().parse().ok()).collect()))
}

/// The distances that the program left beside the scene.
fn answers(scene: &Path) -> Result<Vec<f64>, BenchError> {
    let path = scene.with_file_name("scene.answers");
    let bytes = fs::read(&path).map_err(|source| BenchError::Read { path, source })?;
    Ok(bytes.chunks_exact(4).map(|b| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]))).collect())
}

/// The program, or why there is none.
fn compiled(folder: &Path) -> Result<Result<PathBuf, String>, BenchError> {
    let (source, program) = (folder.join("embree.cpp"), folder.join("embree"));
    fs::write(&source, SOURCE).map_err(BenchError::write(&source))?;
    let mut compiler = Command::new("c++");
    compiler.args(["-std=c++17", "-O3", "-march=native", "-o"]).arg(&program).arg(&source).arg("-lembree3");
    Ok(match compiler.output() {
        Err(reason) => Err(format!("no compiler `c++`: {reason}")),
        Ok(output) if output.status.success() => Ok(program),
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr);
            let first = text.lines().find(|line| line.contains("error")).unwrap_or("it does not compile");
            Err(format!("{} (Debian: `apt install g++ libembree-dev`)", first.trim()))
        }
    })
}

fn bodies(options: Options, random: &mut Random) -> Vec<(String, Soup)> {
    let tori: &[(u32, u32)] = if options.quick { &[(100, 50)] } else { &[(100, 50), (320, 160), (1000, 500)] };
    let balls: &[u32] = if options.quick { &[4] } else { &[4, 6, 8] };
    let mut bodies: Vec<Soup> = tori.iter().map(|(around, across)| torus(*around, *across, random)).collect();
    bodies.extend(balls.iter().map(|depth| sphere(*depth)));
    let shape = |k: usize| if k < tori.len() { "torus" } else { "ball" };
    let named = |(k, soup): (usize, Soup)| (format!("{}, {} triangles", shape(k), soup.triangles.len()), soup);
    bodies.into_iter().enumerate().map(named).collect()
}

fn ray(kind: &str, random: &mut Random) -> Option<Ray> {
    let outside = random.direction() * random.between(3.0, 6.0);
    let (from, aim) = match kind {
        "at" => (outside, random.direction() * random.between(0.0, 0.7)),
        _ => (random.direction() * random.between(0.0, 0.2), outside),
    };
    // As Embree sees them.
    let single = |v: DVec3| v.as_vec3().as_dvec3();
    Ray::new(single(from), single((aim - from).normalize())).ok()
}

/// The scene as `embree.cpp` reads it.
fn bytes(soup: &Soup, rays: &[Ray]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for count in [soup.vertices.len(), soup.triangles.len(), rays.len()] {
        bytes.extend((count as u32).to_le_bytes());
    }
    let vector = |bytes: &mut Vec<u8>, v: DVec3| {
        v.as_vec3().to_array().iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    };
    soup.vertices.iter().for_each(|v| vector(&mut bytes, *v));
    soup.triangles.iter().flatten().for_each(|v| bytes.extend(v.to_le_bytes()));
    for ray in rays {
        vector(&mut bytes, ray.origin());
        vector(&mut bytes, ray.direction());
    }
    bytes
}
