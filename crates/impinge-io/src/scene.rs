//! Scenes: bodies, their poses and how they move, as TOML. `docs/scene.md` describes the file.
//!
//! What is read here is complete and plausible: numbers are finite, names differ, groups exist. The caller finds out
//! whether the models can be read.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::error::{Fault, Place, ReadError};

/// The most bytes of a scene: larger files are no scenes.
const MOST_BYTES: u64 = 1 << 28;
/// The number of groups for which a mask has bits.
const GROUPS: u8 = 32;
const REMEDY: &str = "docs/scene.md describes the file";

/// Bodies, and how long to watch them.
///
/// ```
/// let text = "steps = 3\n[[body]]\nname = \"ball\"\nmodel = \"sphere:0.5\"\nmotion.velocity = [1, 0, 0]\n";
/// let scene = impinge_io::read_scene_text(text, "roll.toml")?;
/// assert_eq!((scene.steps, scene.bodies.len(), scene.clearance), (3, 1, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// How often bodies are moved and looked at.
    #[serde(default = "one")]
    pub steps: u64,
    /// Seconds from one step to the next.
    #[serde(default = "sixtieth")]
    pub interval: f64,
    /// Name of the broad phase.
    #[serde(default = "auto")]
    pub phase: String,
    /// Bodies closer than this are reported with their distance.
    #[serde(default)]
    pub clearance: f64,
    /// Pairs of names that are left out.
    #[serde(default)]
    pub ignore: Vec<[String; 2]>,
    /// The bodies, in their order.
    #[serde(default, rename = "body")]
    pub bodies: Vec<SceneBody>,
}

fn one() -> u64 {
    1
}

fn sixtieth() -> f64 {
    1.0 / 60.0
}

fn auto() -> String {
    "auto".to_owned()
}

/// A body of a scene.
///
/// ```
/// let text = "steps = 3\n[[body]]\nname = \"ball\"\nmodel = \"sphere:0.5\"\nmotion.velocity = [1, 0, 0]\n";
/// let scene = impinge_io::read_scene_text(text, "roll.toml")?;
/// assert_eq!((scene.bodies[0].name.as_str(), scene.bodies[0].model.as_str()), ("ball", "sphere:0.5"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneBody {
    /// The body's name; no two bodies have the same.
    pub name: String,
    /// A file, relative to the scene's folder, or a shape in words.
    pub model: String,
    /// Only this part of the file.
    pub part: Option<String>,
    /// A file with the same triangles: the vertices move straight to where it has them, from time 0 to 1, and stay.
    pub end: Option<String>,
    /// Whether the body is the convex hull of the file's points.
    #[serde(default)]
    pub hull: bool,
    /// Whether the body is the surface only, without its inside.
    #[serde(default)]
    pub surface: bool,
    /// `x, y, z` or `x, y, z, qx, qy, qz, qw`.
    #[serde(default)]
    pub pose: Vec<f64>,
    /// Whether it stays where it is.
    #[serde(default, rename = "static")]
    pub is_static: bool,
    /// The groups it belongs to, of 0 to 31; all when left out.
    pub groups: Option<Vec<u8>>,
    /// The groups it may meet; all when left out.
    pub meets: Option<Vec<u8>>,
    /// How it moves.
    #[serde(default)]
    pub motion: SceneMotion,
}

/// How a body moves: from its first pose by constants, from pose to pose, along a path in time, or as its file says.
///
/// ```
/// let text = "steps = 3\n[[body]]\nname = \"ball\"\nmodel = \"sphere:0.5\"\nmotion.velocity = [1, 0, 0]\n";
/// let scene = impinge_io::read_scene_text(text, "roll.toml")?;
/// assert!(!scene.bodies[0].motion.is_still());
/// assert_eq!(scene.bodies[0].motion.velocity, [1.0, 0.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneMotion {
    /// The velocity of its origin, in units per second.
    #[serde(default)]
    pub velocity: [f64; 3],
    /// The acceleration of its origin, in units per second squared.
    #[serde(default)]
    pub acceleration: [f64; 3],
    /// The angular velocity about its origin and an axis of the world, in radians per second.
    #[serde(default)]
    pub spin: [f64; 3],
    /// A CSV file with one pose a step, relative to the scene's folder; the last one stays.
    pub poses: Option<PathBuf>,
    /// A CSV file with a time and a pose a row, relative to the scene's folder.
    pub path: Option<PathBuf>,
    /// An animation of the body's own glTF file, by its name or its number from 0.
    pub animation: Option<String>,
}

impl SceneMotion {
    /// Whether the body moves at all.
    #[must_use]
    pub fn is_still(&self) -> bool {
        *self == SceneMotion::default()
    }
}

/// Reads a scene.
///
/// ```
/// let path = std::env::temp_dir().join("impinge-scene-example.toml");
/// std::fs::write(&path, "steps = 3\n[[body]]\nname = \"ball\"\nmodel = \"sphere:0.5\"\n")?;
/// let scene = impinge_io::read_scene(&path)?;
/// assert_eq!((scene.steps, scene.bodies[0].name.as_str()), (3, "ball"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// There is no such file, it is not TOML, or not a scene: the error names the line.
pub fn read_scene(path: &Path) -> Result<Scene, ReadError> {
    text_of(path).and_then(|text| parse(&text)).map_err(|fault| ReadError::new(path, fault))
}

/// Reads a scene from memory; `name` is the name in errors.
///
/// ```
/// let text = "steps = 3\n[[body]]\nname = \"ball\"\nmodel = \"sphere:0.5\"\nmotion.velocity = [1, 0, 0]\n";
/// let scene = impinge_io::read_scene_text(text, "roll.toml")?;
/// assert_eq!(scene.bodies[0].model, "sphere:0.5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The text is not TOML, or not a scene: the error names the line.
pub fn read_scene_text(text: &str, name: &str) -> Result<Scene, ReadError> {
    parse(text).map_err(|fault| ReadError::new(Path::new(name), fault))
}

fn text_of(path: &Path) -> Result<String, Fault> {
    let unreadable = |error: std::io::Error| Fault::new(error.to_string(), "name a scene file that can be read");
    let size = std::fs::metadata(path).map_err(unreadable)?.len();
    if size > MOST_BYTES {
        return Err(Fault::new(format!("{size} bytes are too many for a scene"), "put bodies into mesh files"));
    }
    std::fs::read_to_string(path).map_err(unreadable)
}

fn parse(text: &str) -> Result<Scene, Fault> {
    let scene: Scene = toml::from_str(text).map_err(|error| {
        let fault = Fault::new(error.message().trim(), REMEDY);
        let lines = |end: usize| text.bytes().take(end).filter(|&byte| byte == b'\n').count() as u64;
        error.span().map(|span| Place::Line(1 + lines(span.start))).into_iter().fold(fault, Fault::at)
    })?;
    check(&scene)?;
    Ok(scene)
}

/// Refuses scenes that TOML allows and that make no sense.
fn check(scene: &Scene) -> Result<(), Fault> {
    if !(scene.interval > 0.0 && scene.interval.is_finite()) {
        return Err(Fault::new(format!("the interval {} is no time", scene.interval), "give seconds, more than 0"));
    }
    if scene.steps == 0 {
        return Err(Fault::new("with 0 steps nothing is looked at", "give 1 or more, or leave `steps` out"));
    }
    if !(scene.clearance >= 0.0 && scene.clearance.is_finite()) {
        return Err(Fault::new(
            format!("the clearance {} is no length", scene.clearance),
            "give a length of 0 or more",
        ));
    }
    let mut names: Vec<&str> = scene.bodies.iter().map(|body| body.name.as_str()).collect();
    names.sort_unstable();
    if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Fault::new(format!("two bodies are called `{}`", twice[0]), "give each body a name of its own"));
    }
    if let Some(unknown) = scene.ignore.iter().flatten().find(|name| names.binary_search(&name.as_str()).is_err()) {
        return Err(Fault::new(format!("`ignore` names `{unknown}`, and no body is called so"), REMEDY));
    }
    scene.bodies.iter().try_for_each(check_body)
}

fn check_body(body: &SceneBody) -> Result<(), Fault> {
    let SceneMotion { velocity, acceleration, spin, poses, path, animation } = &body.motion;
    let named = |what: String, remedy: &'static str| Err(Fault::new(format!("body `{}`: {what}", body.name), remedy));
    if !matches!(body.pose.len(), 0 | 3 | 7) {
        return named(
            format!("a pose has 3 or 7 numbers, not {}", body.pose.len()),
            "give x, y, z or x, y, z, qx, qy, qz, qw",
        );
    }
    let numbers = body.pose.iter().chain(velocity).chain(acceleration).chain(spin);
    if let Some(x) = numbers.copied().find(|x| !x.is_finite()) {
        return named(format!("{x} is not a finite number"), "correct it");
    }
    let constant = [velocity, acceleration, spin].into_iter().flatten().any(|x| *x != 0.0);
    let ways = [(constant, "a velocity"), (poses.is_some(), "poses"), (path.is_some(), "a path")];
    let ways = ways.into_iter().chain([(animation.is_some(), "an animation")]);
    if let [first, second, ..] = ways.filter(|way| way.0).map(|way| way.1).collect::<Vec<_>>()[..] {
        return named(format!("it has {first} and {second}"), "give one of them");
    }
    if !body.pose.is_empty() && (poses.is_some() || path.is_some() || animation.is_some()) {
        return named("it has a pose, and a motion that says where it is".to_owned(), "leave out `pose`");
    }
    if body.is_static && !body.motion.is_still() {
        return named("it is static and moves".to_owned(), "leave out `static`, or `motion`");
    }
    if body.end.is_some() && body.hull {
        return named("a convex hull does not deform".to_owned(), "leave out `hull`, or `end`");
    }
    if body.end.is_some() && body.is_static {
        return named("it is static and deforms".to_owned(), "leave out `static`, or `end`");
    }
    let groups = body.groups.iter().chain(&body.meets).flatten();
    match groups.copied().find(|group| *group >= GROUPS) {
        Some(group) => named(format!("there is no group {group}"), "groups are 0 to 31"),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        read_scene_text(text, "s.toml").unwrap_err().to_string()
    }

    #[test]
    fn a_scene_has_defaults() {
        let scene = parse("[[body]]\nname = 'a'\nmodel = 'sphere:1'\n").unwrap();
        assert_eq!((scene.steps, scene.phase.as_str(), scene.clearance), (1, "auto", 0.0));
        assert!(scene.bodies[0].pose.is_empty() && scene.bodies[0].motion.is_still());
        assert!(parse("").unwrap().bodies.is_empty());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let body = |rest: &str| format!("[[body]]\nname = 'a'\nmodel = 'sphere:1'\n{rest}\n");
        for (text, said) in [
            ("steps = 'x'".to_owned(), "s.toml: line 1: "),
            ("\n\nspeed = 3".to_owned(), "unknown field `speed`"),
            ("[[body]]\nname = 'a'".to_owned(), "missing field `model`"),
            ("interval = 0".to_owned(), "no time"),
            ("interval = nan".to_owned(), "no time"),
            ("clearance = -1".to_owned(), "no length"),
            (body("") + &body(""), "two bodies are called `a`"),
            ("ignore = [['a', 'b']]\n".to_owned() + &body(""), "`ignore` names `b`"),
            (body("pose = [1, 2]"), "3 or 7 numbers, not 2"),
            (body("pose = [1, 2, inf]"), "not a finite number"),
            (body("motion.velocity = [1, 2]"), "s.toml: line 4: "),
            (body("static = true\nmotion.spin = [0, 0, 1]"), "static and moves"),
            (body("motion = { poses = 'p.csv', spin = [0, 0, 1] }"), "it has a velocity and poses"),
            (body("motion = { path = 'p.csv', animation = '0' }"), "it has a path and an animation"),
            (body("pose = [1, 2, 3]\nmotion.path = 'p.csv'"), "leave out `pose`"),
            (body("pose = [1, 2, 3]\nmotion.poses = 'p.csv'"), "leave out `pose`"),
            (body("static = true\nmotion.animation = '0'"), "static and moves"),
            (body("groups = [32]"), "no group 32"),
            (body("groups = [-1]"), "s.toml: line 4: "),
        ] {
            let message = error(&text);
            assert!(message.contains(said), "{message}");
        }
    }
}
