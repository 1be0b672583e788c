//! Reads `testdata/cases/*.toml`, the corpus that every engine runs through. The format is told in
//! `testdata/README.md`.
#![allow(unreachable_pub, reason = "a module of a test program")]
#![allow(clippy::unwrap_used, reason = "a test may stop where its own premises fail")]

use std::path::{Path, PathBuf};

use glam::{DQuat, DVec3};
use impinge::Pose;
use serde::Deserialize;

use super::oracle::soup::Soup;
use super::shapes;
use super::verdict::Scene;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

/// One question and its answer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub id: String,
    pub source: String,
    a: Body,
    b: Body,
    #[serde(default)]
    pose_a: Vec<f64>,
    #[serde(default)]
    pose_b: Vec<f64>,
    #[serde(default)]
    surface: bool,
    pub expect: Expect,
}

/// What is known of the answer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    pub overlap: bool,
    pub distance: Option<f64>,
    pub tolerance: Option<f64>,
    pub contacts: Option<usize>,
    #[serde(default)]
    pub within: Vec<(f64, bool)>,
}

#[derive(Deserialize)]
#[serde(tag = "shape", rename_all = "lowercase", deny_unknown_fields)]
enum Body {
    Empty {},
    Mesh {
        vertices: Vec<[f64; 3]>,
        triangles: Vec<[u32; 3]>,
    },
    Triangle {
        corners: [[f64; 3]; 3],
    },
    Point {
        at: [f64; 3],
    },
    Box {
        #[serde(default)]
        centre: [f64; 3],
        half: [f64; 3],
    },
    Tetra {
        corners: [[f64; 3]; 4],
    },
    Prism {
        sides: u32,
        radius: f64,
        height: f64,
    },
    Ring {
        sides: u32,
        outer: f64,
        inner: f64,
        height: f64,
    },
    Torus {
        major: f64,
        minor: f64,
        rings: u32,
        sides: u32,
    },
    Grid {
        cells: u32,
        pitch: f64,
    },
    Sphere {
        level: u32,
        radius: f64,
    },
    Copies {
        count: usize,
        corners: [[f64; 3]; 3],
    },
    Parts {
        parts: Vec<Body>,
    },
    Moved {
        by: [f64; 3],
        body: Box<Body>,
    },
    Scaled {
        by: f64,
        body: Box<Body>,
    },
}

impl Body {
    fn soup(&self) -> Soup {
        let v = DVec3::from_array;
        match self {
            Body::Empty {} => Soup::default(),
            Body::Mesh { vertices, triangles } => {
                Soup { vertices: vertices.iter().copied().map(v).collect(), triangles: triangles.clone() }
            }
            Body::Triangle { corners } => shapes::triangle(corners.map(v)),
            Body::Point { at } => shapes::point(v(*at)),
            Body::Box { centre, half } => shapes::cuboid(v(*centre), v(*half)),
            Body::Tetra { corners } => shapes::tetra(corners.map(v)),
            Body::Prism { sides, radius, height } => shapes::prism(*sides, *radius, *height),
            Body::Ring { sides, outer, inner, height } => shapes::ring(*sides, *outer, *inner, *height),
            Body::Torus { major, minor, rings, sides } => shapes::torus(*major, *minor, *rings, *sides),
            Body::Grid { cells, pitch } => shapes::grid(*cells, *pitch),
            Body::Sphere { level, radius } => shapes::sphere(*level, *radius),
            Body::Copies { count, corners } => shapes::copies(*count, corners.map(v)),
            Body::Parts { parts } => parts.iter().fold(Soup::default(), |all, part| all.and(&part.soup())),
            Body::Moved { by, body } => body.soup().map(|p| p + v(*by)),
            Body::Scaled { by, body } => body.soup().map(|p| p * *by),
        }
    }
}

fn pose(numbers: &[f64]) -> Pose {
    match *numbers {
        [] => Pose::IDENTITY,
        [x, y, z] => Pose::at(DVec3::new(x, y, z)).unwrap(),
        [x, y, z, qx, qy, qz, qw] => Pose::new(DVec3::new(x, y, z), DQuat::from_xyzw(qx, qy, qz, qw)).unwrap(),
        _ => panic!("a pose has no, three or seven numbers, not {}", numbers.len()),
    }
}

impl Case {
    /// The bodies at their poses.
    pub fn scene(&self) -> Scene {
        let scene = Scene::new(self.a.soup(), self.b.soup(), pose(&self.pose_a), pose(&self.pose_b));
        if self.surface { scene.without_insides() } else { scene }
    }

    /// How far a distance may be off: as the case says, or `1e-12 · max(answer, body size)`.
    pub fn tolerance(&self, scene: &Scene) -> f64 {
        self.expect.tolerance.unwrap_or(1e-12 * self.expect.distance.unwrap_or(0.0).max(scene.size()))
    }
}

/// Every case of every file, in the order of file names and then of the file.
pub fn all() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/cases");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "toml"));
    files.sort();
    let read = |file: &PathBuf| -> File {
        toml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
    };
    files.iter().flat_map(|file| read(file).case).collect()
}
