//! Reads `testdata/cases/*.toml`, the corpus that every engine runs through. The format is told in
//! `testdata/README.md`.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use glam::{DQuat, DVec3};
use impinge::Pose;
use impinge_testing::shapes;
use impinge_testing::soup::Soup;
use serde::Deserialize;

use crate::verdict::meshes::Scene;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

/// One question and its answer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) source: String,
    a: Body,
    b: Body,
    #[serde(default)]
    pose_a: Vec<f64>,
    #[serde(default)]
    pose_b: Vec<f64>,
    #[serde(default)]
    surface: bool,
    pub(crate) expect: Expect,
}

/// What is known of the answer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expect {
    pub(crate) overlap: bool,
    pub(crate) distance: Option<f64>,
    pub(crate) tolerance: Option<f64>,
    pub(crate) contacts: Option<usize>,
    /// The depth of the bodies as convex solids.
    pub(crate) depth: Option<f64>,
    pub(crate) depth_tolerance: Option<f64>,
    #[serde(default)]
    pub(crate) within: Vec<(f64, bool)>,
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
    Hull {
        points: Vec<[f64; 3]>,
    },
    Round {
        #[serde(rename = "as")]
        word: String,
        #[serde(default)]
        margin: f64,
    },
}

/// A convex body.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// The hull of points.
    Hull(Vec<DVec3>),
    /// A shape in words, and the margin around it.
    Round(String, f64),
}

impl Shape {
    /// Whether the shape is of a size that convex bodies can have.
    fn is_allowed(&self) -> bool {
        match self {
            Shape::Hull(points) => {
                let most = points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
                let spread = points.iter().map(|p| (*p - points[0]).abs().max_element()).fold(0.0, f64::max);
                most <= 1e50 && (spread == 0.0 || spread >= 1e-50)
            }
            Shape::Round(..) => true,
        }
    }
}

impl Body {
    /// The body as a convex solid, where it is one.
    fn shape(&self) -> Option<Shape> {
        let of = |body: &Body, f: &dyn Fn(DVec3) -> DVec3| match body.shape()? {
            Shape::Hull(points) => Some(Shape::Hull(points.into_iter().map(f).collect())),
            Shape::Round(..) => None,
        };
        match self {
            Body::Hull { points } => Some(Shape::Hull(points.iter().copied().map(DVec3::from_array).collect())),
            Body::Round { word, margin } => Some(Shape::Round(word.clone(), *margin)),
            Body::Triangle { .. }
            | Body::Point { .. }
            | Body::Box { .. }
            | Body::Tetra { .. }
            | Body::Prism { .. }
            | Body::Sphere { .. }
            | Body::Copies { .. } => Some(Shape::Hull(self.soup().vertices)),
            Body::Moved { by, body } => of(body, &|p| p + DVec3::from_array(*by)),
            Body::Scaled { by, body } => of(body, &|p| p * *by),
            _ => None,
        }
    }

    /// Whether the body is given by triangles.
    fn is_mesh(&self) -> bool {
        match self {
            Body::Hull { .. } | Body::Round { .. } => false,
            Body::Moved { body, .. } | Body::Scaled { body, .. } => body.is_mesh(),
            _ => true,
        }
    }

    fn soup(&self) -> Soup {
        let v = DVec3::from_array;
        match self {
            Body::Hull { .. } | Body::Round { .. } => panic!("not made of triangles"),
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
    /// Whether both bodies are given by triangles.
    pub(crate) fn is_about_meshes(&self) -> bool {
        self.a.is_mesh() && self.b.is_mesh()
    }

    /// The bodies as convex solids, where both are, and of a size that convex bodies can have.
    pub(crate) fn shapes(&self) -> Option<[Shape; 2]> {
        let shapes = if self.surface { None } else { Some([self.a.shape()?, self.b.shape()?]) };
        shapes.filter(|shapes| shapes.iter().all(Shape::is_allowed))
    }

    /// The poses.
    pub(crate) fn poses(&self) -> [Pose; 2] {
        [pose(&self.pose_a), pose(&self.pose_b)]
    }

    /// The meshes at their poses.
    pub(crate) fn scene(&self) -> Scene {
        let [pose_a, pose_b] = self.poses();
        let scene = Scene::new(self.a.soup(), self.b.soup(), pose_a, pose_b);
        if self.surface { scene.without_insides() } else { scene }
    }

    /// How far a distance between bodies of this size may be off: as the case says, or `1e-12 · max(answer, size)`.
    pub(crate) fn tolerance(&self, size: f64) -> f64 {
        self.expect.tolerance.unwrap_or(1e-12 * self.expect.distance.unwrap_or(0.0).max(size))
    }

    /// How far a depth may be off, likewise.
    pub(crate) fn depth_tolerance(&self, size: f64) -> f64 {
        self.expect.depth_tolerance.unwrap_or(1e-12 * self.expect.depth.unwrap_or(0.0).max(size))
    }
}

/// Every case, in the order of file names and then of the file.
pub(crate) fn all() -> &'static [Case] {
    static ALL: LazyLock<Vec<Case>> = LazyLock::new(read);
    &ALL
}

fn read() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/cases");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "toml"));
    files.sort();
    let read = |file: &PathBuf| -> File {
        toml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
    };
    files.iter().flat_map(|file| read(file).case).collect()
}
