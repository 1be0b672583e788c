//! `impinge demo`: every verb on models made here, so that the user needs no files.

use std::f64::consts::TAU;
use std::fmt::Write as _;
use std::time::Instant;

use clap::Args;
use impinge::glam::{DQuat, DVec3};
use impinge::{Limit, Mesh, Pair, Pose, Round, Span, Steady, Touch};

use crate::input::body_kind::BodyKind;
use crate::input::shape_size::{Triangles, cuboid};
use crate::output::error::Failure;
use crate::output::text;
use crate::question::context::Context;

/// Show every question on built-in models, no files needed
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {}

/// Steps round the ring and round the tube of a torus.
const STEPS: [u32; 2] = [192, 96];

/// The text of the show.
pub(crate) fn run() -> Result<String, Failure> {
    let mut out = String::new();
    linked_rings(&mut out)?;
    box_in_a_box(&mut out)?;
    pill_in_a_brick(&mut out)?;
    ball_on_its_way(&mut out)?;
    out.push_str(
        "\nYour turn:\n  impinge distance a.stl b.stl --pose-b 0.1,0,0\n  impinge penetration a.stl sphere:0.5\n  impinge impact a.stl sphere:0.5 --to-b 5,0,0\n  impinge info a.stl\n  impinge --help\n",
    );
    Ok(out)
}

/// Two rings of a chain: one lies in the hole of the other, then is pulled until they touch.
fn linked_rings(out: &mut String) -> Result<(), Failure> {
    let ring = solid("ring", torus(1.0, 0.25))?;
    let turn = DQuat::from_rotation_z(0.1) * DQuat::from_rotation_x(TAU / 4.0);
    let linked = pose(DVec3::new(1.2, 0.05, 0.1), turn)?;
    let pulled = pose(DVec3::new(1.8, 0.05, 0.1), turn)?;
    let count = ring.triangle_count();
    let mut pair = Pair::new(ring.clone(), ring);
    say(out, format_args!("Two links of a chain, {count} triangles each\n"));

    let (answer, time) = timed(|| pair.overlap(&Pose::IDENTITY, &linked));
    say(out, format_args!("  overlap   do they touch?            {}{time}", yes(answer.overlap)));

    let (answer, time) = timed(|| pair.distance(&Pose::IDENTITY, &linked));
    say(out, format_args!("  distance  how far apart?            {:.6}{time}", answer.interval.mid()));
    let (lower, upper) = (text::number(answer.interval.lower), text::number(answer.interval.upper));
    say(out, format_args!("            surely between            {lower} and {upper}"));
    if let Some(witness) = answer.witness {
        say(out, format_args!("            from                      {}", text::point(witness.points[0])));
        say(out, format_args!("            to                        {}", text::point(witness.points[1])));
    }

    for tolerance in [0.2, 0.4] {
        let (answer, time) = timed(|| pair.within(&Pose::IDENTITY, &linked, tolerance));
        say(out, format_args!("  within    closer than {tolerance}?          {}{time}", yes(answer.within)));
    }

    say(out, format_args!("\nThe second link pulled by 0.6, into the first\n"));
    let (answer, time) = timed(|| pair.overlap(&Pose::IDENTITY, &pulled));
    say(out, format_args!("  overlap   do they touch?            {}{time}", yes(answer.overlap)));
    let (answer, time) = timed(|| pair.contacts(&Pose::IDENTITY, &pulled, Limit::All));
    say(out, format_args!("  contacts  which triangles touch?    {} pairs{time}", answer.pairs.len()));
    if let Some(contact) = answer.iter().next() {
        let ([i, j], at) = (contact.pair, text::point(contact.points[0][0]));
        say(out, format_args!("            the first                 {i} of a and {j} of b, at {at}"));
    }
    Ok(())
}

/// Surfaces far apart, and still a collision: a closed mesh is a solid.
fn box_in_a_box(out: &mut String) -> Result<(), Failure> {
    let crate_ = solid("crate", cuboid(DVec3::splat(4.0)))?;
    let parcel = solid("parcel", cuboid(DVec3::ONE))?;
    say(out, format_args!("\nA box of side 1 inside a box of side 4\n"));
    let (as_solids, as_surfaces) =
        (Pair::new(crate_.clone(), parcel.clone()), Pair::new(crate_.into_surface(), parcel));
    let context = Context { units: None, kinds: [BodyKind::Mesh; 2], one_piece: [true, true] };
    for (mut pair, taken) in [(as_solids, "as solids"), (as_surfaces, "crate as a surface")] {
        let (answer, time) = timed(|| pair.overlap(&Pose::IDENTITY, &Pose::IDENTITY));
        let why = match answer.witness {
            Some(Touch::Contained(which)) => format!(", {}", context.contained(which)),
            _ => String::new(),
        };
        say(out, format_args!("  overlap   {taken:<25} {}{why}{time}", yes(answer.overlap)));
    }
    Ok(())
}

/// Shapes in words know how deep they are in each other.
fn pill_in_a_brick(out: &mut String) -> Result<(), Failure> {
    let refused = |problem| Failure::build("demo".to_owned(), problem);
    let brick = Round::cuboid(DVec3::new(4.0, 2.0, 1.0)).map_err(refused)?;
    let pill = Round::capsule(0.25, 1.0).map_err(refused)?;
    let mut pair = Pair::new(brick, pill);
    say(out, format_args!("\nbox:4,2,1 and capsule:0.25,1, which is lowered into it\n"));
    for height in [1.5, 1.125] {
        let lowered = pose(DVec3::new(0.0, 0.0, height), DQuat::IDENTITY)?;
        let (apart, time) = timed(|| pair.distance(&Pose::IDENTITY, &lowered));
        say(out, format_args!("  distance  how far apart?            {:.6}{time}", apart.interval.mid()));
        let (deep, time) = timed(|| pair.penetration(&Pose::IDENTITY, &lowered));
        say(out, format_args!("  penetration  how deep?              {:.6}{time}", deep.interval.mid()));
        if let Some(direction) = deep.direction {
            say(out, format_args!("            the way out               {}", text::point(direction)));
        }
    }
    Ok(())
}

/// A ball thrown past a box, and one thrown at it.
fn ball_on_its_way(out: &mut String) -> Result<(), Failure> {
    let refused = |problem| Failure::build("demo".to_owned(), problem);
    let mut pair = Pair::new(Round::sphere(0.5).map_err(refused)?, Round::cuboid(DVec3::splat(2.0)).map_err(refused)?);
    let still = Steady::still(Pose::IDENTITY);
    say(out, format_args!("\nsphere:0.5 on its way from x = -5 to x = 5, box:2,2,2 in the middle\n"));
    for height in [2.0, 1.0] {
        let start = pose(DVec3::new(-5.0, height, 0.0), DQuat::IDENTITY)?;
        let Ok(flight) = Steady::straight(start, DVec3::X * 10.0, 0.0) else { continue };
        let (near, time) = timed(|| pair.sweep(&flight, &still, Span::UNIT));
        say(out, format_args!("  sweep     how near do they come?    {:.6}{time}", near.interval.mid()));
        let (hit, time) = timed(|| pair.impact(&flight, &still, Span::UNIT));
        let when = hit.time.map_or("never".to_owned(), |time| format!("at {:.6}", time.mid()));
        say(out, format_args!("  impact    when do they touch?       {when}{time}"));
    }
    Ok(())
}

fn say(out: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "{line}");
}

fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

fn timed<T>(ask: impl FnOnce() -> T) -> (T, String) {
    let start = Instant::now();
    let answer = ask();
    (answer, format!("   ({:.0?})", start.elapsed()))
}

fn solid(name: &str, (vertices, triangles): Triangles) -> Result<Mesh, Failure> {
    let mesh = Mesh::new(vertices, triangles).map_err(|problem| Failure::build(name.to_owned(), problem))?;
    mesh.into_solid().map_err(|problem| Failure::NotClosed { body: name.to_owned(), problem })
}

fn pose(translation: DVec3, rotation: DQuat) -> Result<Pose, Failure> {
    Pose::new(translation, rotation).map_err(|problem| Failure::Poses {
        place: "demo".to_owned(),
        problem: problem.to_string(),
        help: "this is a mistake in impinge: please report it",
    })
}

/// A torus about the z axis, wound outwards.
fn torus(ring: f64, tube: f64) -> Triangles {
    let [m, n] = STEPS;
    let angle = |i: u32, of: u32| TAU * f64::from(i) / f64::from(of);
    let vertex = |i: u32, j: u32| {
        let ((sin_u, cos_u), (sin_v, cos_v)) = (angle(i, m).sin_cos(), angle(j, n).sin_cos());
        let r = ring + tube * cos_v;
        DVec3::new(r * cos_u, r * sin_u, tube * sin_v)
    };
    let index = |i: u32, j: u32| (i % m) * n + j % n;
    let cells = || (0..m).flat_map(move |i| (0..n).map(move |j| (i, j)));
    let vertices = cells().map(|(i, j)| vertex(i, j)).collect();
    let triangles = cells()
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    (vertices, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torus_is_a_solid_of_nearly_its_volume() {
        let mesh = solid("torus", torus(1.0, 0.25)).unwrap();
        let report = mesh.report();
        assert!(report.closed && report.manifold && report.oriented && report.components == 1);
        let exact = 0.5 * TAU * TAU * 0.25 * 0.25;
        let volume = report.volume.unwrap();
        assert!(volume > 0.99 * exact && volume < exact, "{volume} of {exact}");
    }

    #[test]
    fn the_demo_prints_the_right_answers() {
        let text = run().unwrap();
        for line in [
            "  overlap   do they touch?            no ",
            "  within    closer than 0.2?          no ",
            "  within    closer than 0.4?          yes ",
            "  overlap   do they touch?            yes ",
            "  overlap   as solids                 yes, b lies inside a ",
            "  overlap   crate as a surface        no ",
            "  distance  how far apart?            0.250000 ",
            "  penetration  how deep?              0.000000 ",
            "  penetration  how deep?              0.125000 ",
            "            the way out               (0, 0, 1)",
        ] {
            assert!(text.contains(line), "{line:?} in\n{text}");
        }
    }
}
