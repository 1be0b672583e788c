//! The bodies of a scene, and where they are at each step.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use impinge::broad::{Filter, Mobility, Phase};
use impinge::glam::{DQuat, DVec3};
use impinge::{Ballistic, Body, BodyId, Deforming, Flight, Model, Motion, Pose, TimedPoses, World};
use impinge_io::{Scene, SceneBody, SceneMotion};

use crate::input::body::{self, Source};
use crate::input::deforming;
use crate::input::motion;
use crate::input::poses::Poses;
use crate::input::shape;
use crate::input::timed_poses;
use crate::output::error::Failure;

/// A scene that runs.
pub(super) struct Stage {
    file: String,
    pub(super) world: World,
    pub(super) clearance: f64,
    pub(super) interval: f64,
    pub(super) names: BTreeMap<BodyId, String>,
    movers: Vec<Mover>,
    /// Bodies that deform: at each step their meshes are those of its time.
    deforming: Vec<(BodyId, Arc<Deforming>)>,
}

/// A body that moves.
struct Mover {
    id: BodyId,
    name: String,
    start: Pose,
    way: Way,
}

/// What the scene says of how a body moves.
enum Way {
    Constants(SceneMotion),
    /// One pose a step.
    Steps(Poses),
    Timed(Arc<dyn Motion>),
}

impl Way {
    fn of(folder: &Path, body: &SceneBody) -> Result<Way, Failure> {
        let motion = &body.motion;
        if let Some(file) = &motion.poses {
            return Ok(Way::Steps(Poses::open(&folder.join(file))?));
        }
        if let Some(file) = &motion.path {
            return Ok(Way::Timed(Arc::new(timed_poses::read(&folder.join(file))?)));
        }
        if let Some(name) = &motion.animation {
            let file = folder.join(&body.model);
            return Ok(Way::Timed(motion::animated(&file, name, body.part.as_deref())?.into()));
        }
        Ok(Way::Constants(motion.clone()))
    }
}

impl Stage {
    pub(super) fn new(path: &Path, scene: Scene, phase: Option<&str>) -> Result<Stage, Failure> {
        let file = path.display().to_string();
        let folder = path.parent().unwrap_or(Path::new(""));
        let name = phase.unwrap_or(&scene.phase);
        let phase: Phase = name.parse().map_err(|unknown: impinge::UnknownName| Failure::Read {
            place: file.clone(),
            problem: format!("there is no broad phase `{name}`"),
            help: unknown.to_string(),
        })?;
        let mut world = World::with_phase(phase.start());
        let (mut names, mut movers, mut models) = (BTreeMap::new(), Vec::new(), Models::default());
        let mut deforming = Vec::new();
        let mut ids = BTreeMap::new();
        for body in scene.bodies {
            let refuse =
                |problem: String, help| Failure::Scene { scene: file.clone(), body: body.name.clone(), problem, help };
            let start = pose(&body.pose)
                .map_err(|problem| refuse(problem.to_string(), "give a unit quaternion and finite numbers"))?;
            let model = models.get(folder, &body).map_err(|failure| failure.of_body(&file, &body.name))?;
            let changing = if let Model::Deforming(changing) = &model { Some(Arc::clone(changing)) } else { None };
            let mobility = if body.is_static { Mobility::Static } else { Mobility::Moving };
            let filter = Filter { group: mask(body.groups.as_deref()), mask: mask(body.meets.as_deref()) };
            let added = world.add(Body { mobility, filter, ..Body::new(model, start) });
            let id = added.map_err(|problem| {
                refuse(problem.to_string(), "choose a larger unit, or move it nearer to the origin")
            })?;
            deforming.extend(changing.map(|changing| (id, changing)));
            if !body.motion.is_still() {
                let way = Way::of(folder, &body).map_err(|failure| failure.of_body(&file, &body.name))?;
                movers.push(Mover { id, name: body.name.clone(), start, way });
            }
            ids.insert(body.name.clone(), id);
            names.insert(id, body.name);
        }
        for [a, b] in &scene.ignore {
            if let (Some(a), Some(b)) = (ids.get(a), ids.get(b)) {
                // Both bodies are in the scene.
                let _ = world.ignore(*a, *b, true);
            }
        }
        Ok(Stage { file, world, clearance: scene.clearance, interval: scene.interval, names, movers, deforming })
    }

    /// What a body is called.
    pub(super) fn name(&self, id: BodyId) -> &str {
        self.names.get(&id).map_or("", String::as_str)
    }

    /// That the scene as a whole cannot run.
    pub(super) fn refuse(&self, problem: String) -> Failure {
        let help = "ask for fewer steps, or for another interval".to_owned();
        Failure::Read { place: self.file.clone(), problem, help }
    }

    /// Gives every body that moves its motion in continuous time; poses of a file are those at the steps.
    pub(super) fn set_motions(&mut self, steps: u64) -> Result<(), Failure> {
        for mover in &mut self.movers {
            let refuse = |problem: String| Failure::Scene {
                scene: self.file.clone(),
                body: mover.name.clone(),
                problem,
                help: "give finite numbers, and no more than 1e150",
            };
            let motion: Arc<dyn Motion> = match &mut mover.way {
                Way::Steps(poses) => {
                    let mut rows = Vec::new();
                    for (row, step) in poses.zip(0..=steps) {
                        let row = row.map_err(|failure| failure.of_body(&self.file, &mover.name))?;
                        rows.push((step as f64 * self.interval, row));
                    }
                    if rows.is_empty() {
                        rows.push((0.0, mover.start));
                    }
                    Arc::new(TimedPoses::new(&rows, DVec3::ZERO).map_err(|error| refuse(error.to_string()))?)
                }
                Way::Timed(motion) => Arc::clone(motion),
                Way::Constants(motion) => {
                    Arc::new(Ballistic::new(flight(mover.start, motion)).map_err(|error| refuse(error.to_string()))?)
                }
            };
            self.world.set_motion(mover.id, Some(motion)).map_err(|error| refuse(error.to_string()))?;
        }
        Ok(())
    }

    /// Moves the bodies to where they are at a step; returns the time.
    pub(super) fn advance(&mut self, step: u64) -> Result<f64, Failure> {
        let time = step as f64 * self.interval;
        for mover in &mut self.movers {
            let refuse = |problem: String| Failure::Scene {
                scene: self.file.clone(),
                body: mover.name.clone(),
                problem: format!("at step {step} {problem}"),
                help: "it has left the space that can be asked about: run fewer steps",
            };
            let of_body = |failure: Failure| failure.of_body(&self.file, &mover.name);
            let pose = match &mut mover.way {
                Way::Steps(poses) => match poses.next().transpose().map_err(of_body)? {
                    Some(pose) => pose,
                    None => continue,
                },
                Way::Timed(motion) => motion.pose(time),
                Way::Constants(motion) => {
                    moved(mover.start, motion, time).map_err(|error| refuse(error.to_string()))?
                }
            };
            self.world.place(mover.id, pose).map_err(|error| refuse(error.to_string()))?;
        }
        for (id, changing) in &self.deforming {
            let then = Model::Mesh(changing.mesh_at(time));
            self.world.replace(*id, then).map_err(|error| self.refuse(error.to_string()))?;
        }
        Ok(time)
    }
}

/// With the same moment about every axis the spin stays as it is.
fn flight(start: Pose, motion: &SceneMotion) -> Flight {
    let [velocity, gravity, spin] = [motion.velocity, motion.acceleration, motion.spin].map(DVec3::from_array);
    Flight { velocity, gravity, spin, ..Flight::at(start) }
}

fn moved(start: Pose, motion: &SceneMotion, time: f64) -> Result<Pose, impinge::PoseError> {
    let [velocity, acceleration, spin] = [motion.velocity, motion.acceleration, motion.spin].map(DVec3::from_array);
    let at = start.translation() + velocity * time + acceleration * (0.5 * time * time);
    Pose::new(at, DQuat::from_scaled_axis(spin * time) * start.rotation())
}

/// What was read and built so far.
#[derive(Default)]
struct Models {
    /// Each file is read once, however many bodies are parts of it.
    files: BTreeMap<PathBuf, Source>,
    /// By what was asked for: file, part, hull, surface.
    built: BTreeMap<(PathBuf, Option<String>, bool, bool), Model>,
}

impl Models {
    fn get(&mut self, folder: &Path, body: &SceneBody) -> Result<Model, Failure> {
        if let Some(end) = &body.end {
            let [start, end] = [&body.model, end].map(|file| folder.join(file));
            return deforming::between_files(&start, body.part.as_deref(), &end, body.surface);
        }
        let words = shape::parse(&body.model).is_some();
        let typed = if words { PathBuf::from(&body.model) } else { folder.join(&body.model) };
        let key = (typed, body.part.clone(), body.hull, body.surface);
        if let Some(model) = self.built.get(&key) {
            return Ok(model.clone());
        }
        let source = match self.files.entry(key.0.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(body::source(&key.0)?),
        };
        let model = body::load_single(source, &key.0, key.1.as_deref(), body.hull, body.surface)?;
        self.built.insert(key, model.clone());
        Ok(model)
    }
}

fn pose(numbers: &[f64]) -> Result<Pose, impinge::PoseError> {
    match *numbers {
        [x, y, z] => Pose::at(DVec3::new(x, y, z)),
        [x, y, z, qx, qy, qz, qw] => Pose::new(DVec3::new(x, y, z), DQuat::from_xyzw(qx, qy, qz, qw)),
        _ => Ok(Pose::IDENTITY),
    }
}

fn mask(groups: Option<&[u8]>) -> u32 {
    groups.map_or(u32::MAX, |groups| groups.iter().fold(0, |mask, group| mask | 1u32.wrapping_shl((*group).into())))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// At every step a body that deforms is the mesh of that time: a tip that rises touches what is above it.
    #[test]
    fn a_body_deforms_from_step_to_step() {
        let folder = std::env::temp_dir().join(format!("impinge-deform-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let tent = |top: f64| format!("v -1 -1 0\nv 1 -1 0\nv 0 1 0\nv 0 0 {top}\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
        fs::write(folder.join("low.obj"), tent(1.0)).unwrap();
        fs::write(folder.join("high.obj"), tent(3.0)).unwrap();
        fs::write(folder.join("other.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
        let bodies = |end: &str| {
            format!(
                "steps = 5\ninterval = 0.25\n[[body]]\nname = 'tent'\nmodel = 'low.obj'\nend = '{end}'\n\
                 [[body]]\nname = 'ball'\nmodel = 'sphere:0.5'\npose = [0, 0, 2.75]\n"
            )
        };
        let scene = |end: &str| impinge_io::read_scene_text(&bodies(end), "s.toml").unwrap();
        let path = folder.join("s.toml");
        let mut stage = Stage::new(&path, scene("high.obj"), None).unwrap();
        let touching: Vec<bool> =
            (0..=4).map(|step| stage.advance(step).map(|_| !stage.world.overlap().is_empty()).unwrap()).collect();
        assert_eq!(touching, [false, false, false, true, true]);
        assert!(Stage::new(&path, scene("other.obj"), None).is_err(), "other triangles");
        let mut timed = Stage::new(&path, scene("high.obj"), None).unwrap();
        timed.set_motions(5).unwrap();
        let mut times = Vec::new();
        let how = impinge::Advance { envelope: 1e-6, windows: 5, ..impinge::Advance::new(impinge::Schedule::Queue) };
        timed.world.advance(impinge::Span::new(0.0, 1.25).unwrap(), &how, |_, met| times.push(met.time));
        assert!(times.first().is_some_and(|t| (t - 0.625).abs() < 1e-3), "{times:?}");
        fs::remove_dir_all(&folder).unwrap();
    }

    /// The file is deleted before its second part is asked for: the parts have to come from the first reading.
    #[test]
    fn a_file_of_several_parts_is_read_once() {
        let folder = std::env::temp_dir().join(format!("impinge-stage-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("two.obj");
        fs::write(&file, "v 0 0 0\nv 1 0 0\nv 0 1 0\no p\nf 1 2 3\no q\nf 3 2 1\nf 1 2 3\n").unwrap();
        let text = ["p", "q"].map(|part| format!("[[body]]\nname = '{part}'\nmodel = 'two.obj'\npart = '{part}'\n"));
        let scene = impinge_io::read_scene_text(&text.concat(), "s.toml").unwrap();
        let mut models = Models::default();
        let triangles = |model: Model| match model {
            Model::Mesh(mesh) => mesh.triangle_count(),
            _ => 0,
        };
        assert_eq!(triangles(models.get(&folder, &scene.bodies[0]).unwrap()), 1);
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(triangles(models.get(&folder, &scene.bodies[1]).unwrap()), 2);
    }
}
