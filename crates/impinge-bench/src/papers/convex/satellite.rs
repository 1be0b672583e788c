//! The satellite (Mirtich §3.2): a small cube circles a sphere of N facets. Tracking must pass O(√N) features an orbit;
//! at a steady pace the cost of a call hardly changes.

use std::f64::consts::TAU;

use impinge::glam::{DQuat, DVec3};
use impinge::{Convex, Method, Model, Pair, Pose};

use super::laps::{PASSES, lap, timed};
use crate::bodies::{cube, geodesic};
use crate::error::BenchError;
use crate::report::{Report, Table, figure};

const ENGINES: [Method; 3] = [Method::Auto, Method::VClip, Method::LinCanny];
/// 320 to 81920 facets, four times as many each time.
const FREQUENCIES: [u32; 5] = [4, 8, 16, 32, 64];
const SIZE: f64 = 0.05;
const HEIGHT: f64 = 1.3;
const CALLS: u32 = 3600;

pub(super) fn run(quick: bool, report: &mut Report) -> Result<(), BenchError> {
    let (frequencies, passes) = if quick { (&FREQUENCIES[..3], 1) } else { (&FREQUENCIES[..], PASSES) };
    let orbit = orbit(CALLS)?;
    let satellite = satellite()?;
    let mut spheres = Vec::new();
    for &frequency in frequencies {
        let soup = geodesic(frequency);
        eprintln!("satellite of {} facets", soup.triangles.len());
        spheres.push((soup.triangles.len(), soup.hull("sphere")?));
    }
    report.add("## The satellite (§3.2)");
    report.add(format!(
        "A cube of side {} circles the unit sphere at height {HEIGHT}, one orbit in {CALLS} calls. Features walked: steps \
         beyond one a call.",
        2.0 * SIZE
    ));
    let heads = ENGINES.map(|engine| [format!("{engine}: walked"), "ns a call".to_owned()]);
    let heads: Vec<&str> = ["facets"].into_iter().chain(heads.iter().flatten().map(String::as_str)).collect();
    let mut table = Table::new(0, &heads);
    let found: Vec<Vec<[f64; 2]>> = ENGINES.map(|m| measure(passes, m, &satellite, &spheres, &orbit)).to_vec();
    for (s, (facets, _)) in spheres.iter().enumerate() {
        let cells = found.iter().flat_map(|found| found[s].map(figure));
        table.row([facets.to_string()].into_iter().chain(cells));
    }
    report.add(table);
    let mut text = "Features walked grow as N to the power of:\n".to_owned();
    for (engine, found) in ENGINES.iter().zip(&found) {
        let points: Vec<_> = spheres.iter().zip(found).map(|((n, _), [walked, _])| [*n as f64, *walked]).collect();
        let cost = found[found.len() - 1][1] / found[0][1];
        text +=
            &format!("\n- {engine}: {:.2}; a call costs {} times as much at the end", exponent(&points), figure(cost));
    }
    report.add(text);
    Ok(())
}

fn satellite() -> Result<Model, BenchError> {
    let corners: Vec<DVec3> = cube().vertices.iter().map(|v| *v * SIZE).collect();
    let refused = |source| BenchError::Build { name: "satellite".to_owned(), source };
    Convex::hull(&corners).map(Model::from).map_err(refused)
}

/// A circle about an axis that is none of the sphere's symmetry; the satellite keeps its attitude.
fn orbit(calls: u32) -> Result<Vec<Pose>, BenchError> {
    let axis = DVec3::new(1.0, 2.0, 3.0).normalize();
    let start = axis.any_orthonormal_vector() * HEIGHT;
    let pose = |i: u32| {
        let turn = DQuat::from_axis_angle(axis, TAU * f64::from(i) / f64::from(calls));
        Pose::new(turn * start, DQuat::from_rotation_y(0.3))
    };
    Ok((0..calls).map(pose).collect::<Result<_, _>>()?)
}

/// For each sphere the features walked in an orbit and the nanoseconds of a call.
fn measure(
    passes: usize,
    method: Method,
    satellite: &Model,
    spheres: &[(usize, Model)],
    orbit: &[Pose],
) -> Vec<[f64; 2]> {
    let mut pairs: Vec<Pair> =
        spheres.iter().map(|(_, sphere)| Pair::new(sphere, satellite).with_method(method)).collect();
    let times = timed(passes, &mut pairs, orbit);
    pairs.iter_mut().zip(times).map(|(pair, ns)| [walked(pair, orbit), ns]).collect()
}

/// Steps of one orbit beyond the one a call that finds the features still closest.
fn walked(pair: &mut Pair, orbit: &[Pose]) -> f64 {
    lap(pair, orbit) as f64 - orbit.len() as f64
}

/// The slope of the line through the logarithms, by least squares.
fn exponent(points: &[[f64; 2]]) -> f64 {
    let logs: Vec<[f64; 2]> = points.iter().map(|point| point.map(f64::ln)).collect();
    let mean = [0, 1].map(|k| logs.iter().map(|p| p[k]).sum::<f64>() / logs.len() as f64);
    let sum = |k: usize| logs.iter().map(|p| (p[0] - mean[0]) * (p[k] - mean[k])).sum::<f64>();
    sum(1) / sum(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_of_powers() {
        let points = [1.0f64, 3.0, 10.0].map(|x| [x, 2.0 * x.powf(0.5)]);
        assert!((exponent(&points) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn features_walked_grow_as_the_root_of_the_facets() {
        let (satellite, orbit) = (satellite().unwrap(), orbit(1200).unwrap());
        for method in ENGINES {
            let mut points = Vec::new();
            for frequency in [4, 8, 16] {
                let sphere = geodesic(frequency).hull("sphere").unwrap();
                let mut pair = Pair::new(sphere, &satellite).with_method(method);
                walked(&mut pair, &orbit);
                points.push([f64::from(frequency).powi(2), walked(&mut pair, &orbit)]);
            }
            let power = exponent(&points);
            assert!((0.35..0.65).contains(&power), "{method}: {power}, {points:?}");
        }
    }
}
