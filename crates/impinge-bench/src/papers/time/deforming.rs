//! A sheet that deforms, beside bodies of every kind, with and without turning: what the choice of engine costs beside
//! distances and speeds alone, on the same input.
//!
//! The sheet sags by a bump of its middle while its motion carries it; the other body stands below. A little turn, or a
//! span a little beyond the step from 0 to 1, must cost little more than the straight step.

use std::hint::black_box;
use std::time::Instant;

use impinge::glam::DVec3;
use impinge::{
    Builder, Deforming, EncounterOptions, ImpactMethod, ImpactOptions, Mesh, Model, Pair, Parts, Pose, Round, Span,
    Steady,
};

use crate::error::BenchError;
use crate::report::{Report, Table, figure};
use crate::shapes;
use crate::timing::median;

fn usage(error: impl std::fmt::Display) -> BenchError {
    BenchError::usage(error.to_string())
}

/// A square sheet of `side²` cells at a height of 1, whose middle sags by 0.9 in the step.
fn sheet(side: u32) -> Result<Deforming, BenchError> {
    let at = |i: u32| f64::from(i) / f64::from(side) * 2.0 - 1.0;
    let row = side + 1;
    let start: Vec<DVec3> = (0..row * row).map(|k| DVec3::new(at(k % row), at(k / row), 1.0)).collect();
    let sag = |v: &DVec3| *v - DVec3::Z * 0.9 * (-3.0 * (v.x * v.x + v.y * v.y)).exp();
    let end: Vec<DVec3> = start.iter().map(sag).collect();
    let corners = (0..side * side).map(|k| k / side * row + k % side);
    let triangles = corners.flat_map(|v| [[v, v + 1, v + row + 1], [v, v + row + 1, v + row]]).collect();
    Deforming::new(Mesh::new(start, triangles).map_err(usage)?, &end).map_err(usage)
}

/// Bodies of every kind, about as large as the sphere of radius ½.
fn others() -> Result<Vec<(&'static str, Model)>, BenchError> {
    let cube = |x: f64| -> Vec<DVec3> {
        (0..8).map(|k| DVec3::new(x + f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)) * 0.5).collect()
    };
    let ball = shapes::sphere(4);
    let mesh = Mesh::new(ball.vertices.iter().map(|v| *v * 0.5).collect(), ball.triangles.clone()).map_err(usage)?;
    Ok(vec![
        ("mesh", mesh.into()),
        ("sphere", Round::sphere(0.5).map_err(usage)?.into()),
        ("cylinder", Round::cylinder(0.5, 1.0).map_err(usage)?.into()),
        ("hull", shapes::sphere(3).hull("ball")?),
        ("parts", Parts::from_hulls([&cube(-1.0)[..], &cube(0.0)[..]]).map_err(usage)?.into()),
    ])
}

/// Motions of the sheet, and spans.
fn motions() -> Result<Vec<(&'static str, Steady, Span)>, BenchError> {
    let turning = |spin: f64| Steady::turning(Pose::IDENTITY, DVec3::ZERO, DVec3::new(0.3, 0.2, 1.0) * spin, 0.0);
    Ok(vec![
        ("straight", Steady::still(Pose::IDENTITY), Span::UNIT),
        ("to 1.01", Steady::still(Pose::IDENTITY), Span::new(0.0, 1.01).map_err(usage)?),
        ("turns by 1e-6", turning(1e-6).map_err(usage)?, Span::UNIT),
        ("turns by 0.1", turning(0.1).map_err(usage)?, Span::UNIT),
        ("turns by 3", turning(3.0).map_err(usage)?, Span::UNIT),
    ])
}

pub(super) fn run(quick: bool, report: &mut Report) -> Result<(), BenchError> {
    report.add("## Deforming: first contact of a sheet that sags, by choice and by distances and speeds alone");
    let side = if quick { 16 } else { 64 };
    let sheet = sheet(side)?;
    let mut table = Table::new(2, &["body", "sheet", "hit", "µs", "by speed, µs", "of the choice", "earlier by"]);
    let still = Steady::still(Pose::at(DVec3::Z * -0.2).map_err(usage)?);
    for (name, other) in others()? {
        for (motion_name, motion, span) in motions()? {
            let ask = |method| {
                let options = ImpactOptions { method, ..ImpactOptions::default() };
                let mut times = Vec::new();
                let mut time = None;
                for _ in 0..if quick { 1 } else { 5 } {
                    let mut pair = Pair::new(sheet.clone(), &other);
                    let start = Instant::now();
                    time = black_box(pair.impact_with(&motion, &still, span, &options)).time;
                    times.push(start.elapsed().as_secs_f64() * 1e6);
                }
                (time, median(times))
            };
            let ((chosen, cost), (slow, by_speed)) = (ask(ImpactMethod::Auto), ask(ImpactMethod::BySpeed));
            let hit = chosen.map_or("-".to_owned(), |time| format!("{:.6}", time.lower));
            let earlier = chosen.zip(slow).map_or(0.0, |(x, y)| y.lower - x.lower);
            table.row([
                name.to_owned(),
                motion_name.to_owned(),
                hit,
                figure(cost),
                figure(by_speed),
                figure(by_speed / cost),
                format!("{earlier:.1e}"),
            ]);
        }
    }
    report.add(table);
    encounters(side, report)
}

/// Lists of encounters of the sheet with a ball, and with itself.
fn encounters(side: u32, report: &mut Report) -> Result<(), BenchError> {
    report.add("## Deforming: every encounter of a step");
    let sheet = sheet(side)?;
    let ball = Deforming::still(shapes::sphere(4).surface(Builder::Auto).map_err(usage)?);
    let mut table = Table::new(1, &["meshes", "thickness", "encounters", "ms"]);
    for thickness in [0.0, 0.01] {
        let options = EncounterOptions { thickness, ..EncounterOptions::default() };
        for (name, other) in [("sheet and ball", Some(&ball)), ("sheet with itself", None)] {
            let start = Instant::now();
            let all = match other {
                Some(other) => sheet.encounters(other, &options),
                None => sheet.self_encounters(&options),
            };
            let ms = start.elapsed().as_secs_f64() * 1e3;
            table.row([name.to_owned(), thickness.to_string(), all.list.len().to_string(), figure(ms)]);
        }
    }
    report.add(table);
    Ok(())
}
