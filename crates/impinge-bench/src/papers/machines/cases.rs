//! The pairs and motions of the table of machines.

use std::f64::consts::{PI, TAU};

use impinge::glam::{DQuat, DVec3};
use impinge::{ChainLink, Joint, Mesh, Model, Motion, MotionError, Pose, Steady, TimedPoses};
use impinge_testing::machines::{Gear, thread};
use impinge_testing::shapes::{prism, ring};
use impinge_testing::soup::Soup;

use crate::error::BenchError;

type Motions = Vec<[Box<dyn Motion>; 2]>;

/// Two bodies, and motions that differ by the angle at which they begin.
pub(super) struct MachineCase {
    pub(super) bodies: String,
    pub(super) motion: String,
    pub(super) models: [Model; 2],
    pub(super) motions: Motions,
    pub(super) triangles: usize,
    /// The sum of the radii.
    pub(super) size: f64,
}

fn moved(source: MotionError) -> BenchError {
    BenchError::Motion { path: "generated".into(), index: 0, source }
}

impl MachineCase {
    fn new(bodies: String, motion: String, soups: [&Soup; 2], motions: Motions) -> Result<MachineCase, BenchError> {
        let mesh = |soup: &Soup| {
            let mesh = Mesh::new(soup.vertices.clone(), soup.triangles.clone());
            mesh.map(Model::from).map_err(|source| BenchError::Build { name: bodies.clone(), source })
        };
        let models = [mesh(soups[0])?, mesh(soups[1])?];
        let radius = |soup: &Soup| soup.vertices.iter().fold(0.0, |m: f64, v| m.max(v.length()));
        let triangles = soups[0].triangles.len() + soups[1].triangles.len();
        Ok(MachineCase { bodies, motion, models, motions, triangles, size: radius(soups[0]) + radius(soups[1]) })
    }
}

pub(super) fn cases(quick: bool) -> Result<Vec<MachineCase>, BenchError> {
    let mut all = rods(quick)?;
    all.extend(gears(quick)?);
    all.extend(screws(quick)?);
    Ok(all)
}

/// How a rod turns in its bore.
#[derive(Clone, Copy, PartialEq)]
enum Fit {
    Exact,
    BothTurn,
    OffCentre,
    Tilted,
    Rounded,
    Wobbling,
    TooThick,
    LittleOffCentre,
    Eccentric,
    Keyway,
    OpenBore,
}

const FITS: [(Fit, &str); 7] = [
    (Fit::Exact, "turns"),
    (Fit::BothTurn, "both turn"),
    (Fit::OffCentre, "turns off centre"),
    (Fit::Tilted, "turns about a tilted axis"),
    (Fit::Rounded, "turns, rounded coordinates"),
    (Fit::Wobbling, "turns and wobbles"),
    (Fit::TooThick, "turns until it jams"),
];

/// Further ones, for one size.
const RARER_FITS: [(Fit, &str); 4] = [
    (Fit::LittleOffCentre, "turns off centre by 1e-6"),
    (Fit::Eccentric, "turns, eccentric"),
    (Fit::Keyway, "turns, with a keyway in the bore"),
    (Fit::OpenBore, "turns in a bore that is an open mesh"),
];

fn rods(quick: bool) -> Result<Vec<MachineCase>, BenchError> {
    let mut all = Vec::new();
    let sizes: &[(u32, f64, f64)] = if quick {
        &[(64, 1e-2, 90.0)]
    } else {
        &[
            (256, 1e-2, 90.0),
            (256, 1e-3, 90.0),
            (256, 1e-4, 90.0),
            (64, 1e-2, 90.0),
            (64, 1e-4, 90.0),
            (1024, 1e-2, 90.0),
            (1024, 1e-4, 90.0),
            (256, 1e-3, 1.0),
            (256, 1e-3, 360.0),
            (1024, 1e-4, 360.0),
        ]
    };
    for &(sides, clearance, degrees) in sizes {
        for (fit, name) in FITS {
            all.push(rod(sides, clearance, degrees, (fit, name))?);
        }
    }
    let (sides, clearance) = if quick { (64, 1e-2) } else { (256, 1e-3) };
    for fit in RARER_FITS {
        all.push(rod(sides, clearance, 90.0, fit)?);
    }
    Ok(all)
}

/// A rod of radius 1 in a bore whose flat sides are `clearance` away.
fn rod(sides: u32, clearance: f64, degrees: f64, (fit, name): (Fit, &str)) -> Result<MachineCase, BenchError> {
    let flat = (PI / f64::from(sides)).cos();
    // Corners of the one that jams are beyond the flat sides of the bore, which is parallel to it when it begins.
    let bore = if fit == Fit::TooThick { 1.0 / flat.sqrt() } else { (1.0 + clearance) / flat };
    let turned = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -0.5).normalize(), 0.7);
    let round = |p: DVec3| if fit == Fit::Rounded { (turned * p).as_vec3().as_dvec3() } else { p };
    let mut soups = [prism(sides, 1.0, 3.0).map(round), ring(sides, 1.5, bore, 2.0).map(round)];
    let radius = |p: &DVec3| p.x.hypot(p.y);
    if fit == Fit::Keyway {
        let in_keyway = |p: &DVec3| radius(p) < 1.25 && p.y.abs() < 0.1 && p.x > 0.0;
        soups[1] = soups[1].map(|p| if in_keyway(&p) { p + DVec3::X * 0.1 } else { p });
    }
    if fit == Fit::OpenBore {
        let Soup { vertices, triangles } = &mut soups[1];
        triangles.retain(|corners| corners.iter().all(|&i| radius(&vertices[i as usize]) < 1.25));
    }
    let spin = degrees.to_radians();
    let starts = if fit == Fit::TooThick { vec![0.0] } else { (0..5).map(|k| 0.011 * f64::from(k * k)).collect() };
    let motions = starts.into_iter().map(|start| rod_motion(fit, start, spin, clearance, turned));
    let motions: Result<Motions, BenchError> = motions.collect();
    let bodies = format!("rod of {sides} sides, clearance {clearance:.0e}");
    MachineCase::new(bodies, format!("{name}, {degrees}°"), [&soups[0], &soups[1]], motions?)
}

fn rod_motion(
    fit: Fit,
    start: f64,
    spin: f64,
    clearance: f64,
    turned: DQuat,
) -> Result<[Box<dyn Motion>; 2], BenchError> {
    let still: Box<dyn Motion> = Box::new(Steady::still(Pose::IDENTITY));
    let axis = if fit == Fit::Rounded { turned * DVec3::Z } else { DVec3::Z };
    let tilt = DQuat::from_rotation_x(if fit == Fit::Tilted { 0.2 * clearance } else { 0.0 });
    let shift = match fit {
        Fit::OffCentre => DVec3::X * 0.3 * clearance,
        Fit::LittleOffCentre => DVec3::X * 1e-6,
        _ => DVec3::ZERO,
    };
    let off_axis = if fit == Fit::Eccentric { DVec3::Y * 0.5 * clearance } else { DVec3::ZERO };
    let pose = Pose::new(shift + off_axis, tilt * DQuat::from_axis_angle(axis, start))?;
    let turning = |pose, spin| Steady::turning(pose, shift, tilt * axis * spin, 0.0).map_err(moved);
    if fit == Fit::BothTurn {
        return Ok([Box::new(turning(pose, 1.7 * spin)?), Box::new(turning(Pose::IDENTITY, 0.7 * spin)?)]);
    }
    if fit == Fit::Wobbling {
        let rows: Result<Vec<(f64, Pose)>, BenchError> = (0..=24)
            .map(|k| {
                let t = f64::from(k) / 24.0;
                let about = DVec3::new((9.0 * t).cos(), (9.0 * t).sin(), 0.0);
                let turn = DQuat::from_scaled_axis(about * 0.2 * clearance);
                Ok((t, Pose::new(about * 0.3 * clearance, turn * DQuat::from_rotation_z(start + spin * t))?))
            })
            .collect();
        return Ok([Box::new(TimedPoses::new(&rows?, DVec3::ZERO).map_err(moved)?), still]);
    }
    Ok([Box::new(turning(pose, spin)?), still])
}

/// A pinion of 17 teeth in a ring gear of 34, of radius 17.
fn gears(quick: bool) -> Result<Vec<MachineCase>, BenchError> {
    let mut all = Vec::new();
    let kinds: &[(f64, u32, f64)] = if quick {
        &[(0.05, 4, 20.0)]
    } else {
        &[(0.05, 8, 90.0), (0.02, 8, 90.0), (0.0108, 8, 90.0), (0.02, 16, 90.0), (0.02, 8, 360.0), (-0.01, 8, 90.0)]
    };
    for &(play, edges, degrees) in kinds {
        all.push(gear(play, edges, degrees, false)?);
        all.push(gear(play, edges, degrees, true)?);
    }
    Ok(all)
}

fn gear(play: f64, edges: u32, degrees: f64, planetary: bool) -> Result<MachineCase, BenchError> {
    let pinion = Gear { teeth: 17, module: 1.0, addendum: 0.8, dedendum: 1.0, play, edges, height: 4.0 };
    let hole = Gear { teeth: 34, addendum: 1.0, dedendum: 0.8, play: 0.0, height: 3.0, ..pinion };
    let soups = [pinion.solid(), hole.ring(20.0)];
    let centre = DVec3::X * 8.5;
    let spin = DVec3::Z * degrees.to_radians();
    // A gap of the ring, which is a tooth of its hole, is at the angle 0, and so is a tooth of the pinion.
    let motions: Result<Motions, BenchError> = (0..3)
        .map(|k| -> Result<[Box<dyn Motion>; 2], BenchError> {
            let start = 0.05 * f64::from(k);
            if planetary {
                let arm = Joint::turning(DVec3::ZERO, DVec3::Z, start, spin.z).map_err(moved)?;
                let own = Joint::turning(centre, DVec3::Z, -2.0 * start, -2.0 * spin.z).map_err(moved)?;
                let link = ChainLink::new(vec![arm, own], Pose::at(centre)?, 0.0).map_err(moved)?;
                return Ok([Box::new(link), Box::new(Steady::still(Pose::IDENTITY))]);
            }
            let own = Pose::new(centre, DQuat::from_rotation_z(2.0 * start))?;
            let ring = Pose::new(DVec3::ZERO, DQuat::from_rotation_z(start))?;
            let turning = |pose, pivot, spin| Steady::turning(pose, pivot, spin, 0.0).map_err(moved);
            Ok([Box::new(turning(own, centre, 2.0 * spin)?), Box::new(turning(ring, DVec3::ZERO, spin)?)])
        })
        .collect();
    let bodies = format!("pinion in ring gear, play {play}, {edges} edges a flank");
    let motion = format!("{}, {degrees}°", if planetary { "rolls" } else { "both turn" });
    MachineCase::new(bodies, motion, [&soups[0], &soups[1]], motions?)
}

/// A screw in a nut.
fn screws(quick: bool) -> Result<Vec<MachineCase>, BenchError> {
    let kinds: &[(u32, f64, f64)] = if quick {
        &[(32, 0.02, 90.0)]
    } else {
        &[(64, 1e-2, 360.0), (256, 1e-2, 360.0), (256, 1e-3, 360.0), (256, 1e-2, 3600.0)]
    };
    kinds.iter().map(|&(sides, clearance, degrees)| screw(sides, clearance, degrees)).collect()
}

fn screw(sides: u32, clearance: f64, degrees: f64) -> Result<MachineCase, BenchError> {
    let pitch = 0.25;
    let flat = (PI / f64::from(sides)).cos();
    let nut = [0.85, 1.0].map(|r| (r + clearance) / flat);
    let soups = [thread(sides, 1, [0.85, 1.0], pitch, 8), thread(sides, 1, nut, pitch, 4)];
    let spin = degrees.to_radians();
    let motions: Result<Motions, BenchError> = (0..3)
        .map(|k| -> Result<[Box<dyn Motion>; 2], BenchError> {
            let start = 0.4 * f64::from(k);
            let pose = Pose::new(DVec3::Z * pitch * start / TAU, DQuat::from_rotation_z(start))?;
            let rise = DVec3::Z * pitch * spin / TAU;
            let turning = Steady::screw(pose, DVec3::ZERO, DVec3::Z * spin, rise, 0.0).map_err(moved)?;
            Ok([Box::new(turning), Box::new(Steady::still(Pose::IDENTITY))])
        })
        .collect();
    MachineCase::new(
        format!("screw of {sides} sides, clearance {clearance:.0e}"),
        format!("turns in its nut, {degrees}°"),
        [&soups[0], &soups[1]],
        motions?,
    )
}
