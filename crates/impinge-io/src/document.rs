//! The result of a reader: named parts of vertices and triangles.

use glam::{DQuat, DVec3};

/// One body of a file: an STL solid, a glTF node, the whole of a PLY or OFF file, an OBJ object.
///
/// In an OBJ file with objects (`o`), groups (`g`) only divide an object and are ignored; in a file without objects,
/// groups are the parts.
///
/// ```
/// let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
/// let document = impinge_io::read_bytes(text.as_bytes(), "corner.obj")?;
/// let part = &document.parts[0];
/// assert_eq!((part.name.as_str(), part.triangles.as_slice()), ("corner", &[[0, 1, 2]][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Part {
    /// The name in the file, or the file's stem where the file gives none.
    pub name: String,
    /// Finite positions, as stored.
    pub vertices: Vec<DVec3>,
    /// Triples of indices into `vertices`, all in range.
    pub triangles: Vec<[u32; 3]>,
    /// The number of the part's container, where the file names one: parts of one file with the same number belong
    /// together. For a glTF node the container is the parent, for an OBJ object the group (`g`) that its first face is
    /// in.
    pub group: Option<u32>,
}

/// How a part of a glTF file moves, relative to where its vertices are.
///
/// ```
/// use impinge_io::{Keyframes, read_animation};
/// # let file = std::path::Path::new("../../testdata/animations/slide.gltf");
/// let animation = read_animation(file, "slide", None)?;
/// // Where the part is at each time of the file.
/// let Keyframes::Poses(keys) = animation.keyframes else { panic!("it has no splines") };
/// let path: Vec<_> = keys.iter().map(|key| (key.time, key.translation.x)).collect();
/// assert_eq!(path, [(0.0, 0.0), (2.0, 4.0)]);
/// # Ok::<(), impinge_io::ReadError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Animation {
    /// The point whose path is given; the part turns about it.
    pub centre: DVec3,
    /// The path of that point, and how the part turns.
    pub keyframes: Keyframes,
}

/// The path of a part's centre, and how the part turns.
///
/// ```
/// use impinge_io::{Keyframes, read_animation};
/// # let file = std::path::Path::new("../../testdata/animations/slide.gltf");
/// for (name, count) in [("slide", 2), ("ease", 2)] {
///     let keys = match read_animation(file, name, None)?.keyframes {
///         Keyframes::Poses(poses) => poses.len(),
///         Keyframes::Splines(splines) => splines.path.len(),
///     };
///     assert_eq!(keys, count);
/// }
/// # Ok::<(), impinge_io::ReadError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Keyframes {
    /// Straight and at a constant rate from each pose to the next: at least one pose, in the order of time.
    Poses(Vec<Key>),
    /// Along cubic splines, where the file has tangents.
    Splines(Splines),
}

/// Cubic splines of an animation, each with times of its own.
///
/// ```
/// use impinge_io::{Keyframes, Turns, read_animation};
/// # let file = std::path::Path::new("../../testdata/animations/slide.gltf");
/// let Keyframes::Splines(splines) = read_animation(file, "ease", None)?.keyframes else { panic!() };
/// assert_eq!(splines.path.len(), 2);
/// assert!(matches!(splines.turns, Turns::Steady(keys) if keys.len() == 1), "it does not turn");
/// # Ok::<(), impinge_io::ReadError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Splines {
    /// Where the centre is, in metres; at least one key.
    pub path: Vec<SplineKey<DVec3>>,
    /// How the part is turned.
    pub turns: Turns,
}

/// How a part that follows splines turns; at least one key.
///
/// ```
/// use impinge_io::{Keyframes, Turns, read_animation};
/// # let file = std::path::Path::new("../../testdata/animations/slide.gltf");
/// let Keyframes::Splines(splines) = read_animation(file, "ease", None)?.keyframes else { panic!() };
/// let angle = match &splines.turns {
///     Turns::Steady(keys) => keys[0].1.to_axis_angle().1,
///     Turns::Spline(keys) => keys[0].value.to_axis_angle().1,
/// };
/// assert_eq!(angle, 0.0);
/// # Ok::<(), impinge_io::ReadError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Turns {
    /// At a constant rate from each rotation to the next, by the shorter way round.
    Steady(Vec<(f64, DQuat)>),
    /// By a spline of quaternions, to be scaled to unit length.
    Spline(Vec<SplineKey<DQuat>>),
}

/// A value of a spline, and its slopes just before and just after, per second.
///
/// ```
/// use impinge_io::{Keyframes, read_animation};
/// # let file = std::path::Path::new("../../testdata/animations/slide.gltf");
/// let Keyframes::Splines(splines) = read_animation(file, "ease", None)?.keyframes else { panic!() };
/// let last = splines.path[1];
/// assert_eq!((last.time, last.value.x), (2.0, 4.0));
/// assert_eq!(last.arrives.length(), 0.0, "it has come to rest");
/// # Ok::<(), impinge_io::ReadError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SplineKey<V> {
    /// In seconds.
    pub time: f64,
    /// The slope before.
    pub arrives: V,
    /// The value at that time.
    pub value: V,
    /// The slope after.
    pub leaves: V,
}

/// One pose of an animation.
///
/// ```
/// use impinge_io::{Keyframes, read_animation};
/// # let file = std::path::Path::new("../../testdata/animations/slide.gltf");
/// let Keyframes::Poses(keys) = read_animation(file, "slide", None)?.keyframes else { panic!() };
/// assert_eq!((keys[1].time, keys[1].translation.x), (2.0, 4.0));
/// assert_eq!(keys[1].rotation.to_array(), [0.0, 0.0, 0.0, 1.0], "not turned");
/// # Ok::<(), impinge_io::ReadError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key {
    /// In seconds.
    pub time: f64,
    /// The translation of the pose, in metres.
    pub translation: DVec3,
    /// The rotation of the pose, of unit length.
    pub rotation: DQuat,
}

/// The content of one file.
///
/// ```
/// let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
/// use impinge_io::Format;
/// let document = impinge_io::read_bytes(text.as_bytes(), "corner.obj")?;
/// assert_eq!((document.name.as_str(), document.format, document.parts.len()), ("corner", Format::Obj, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The file's stem: `bunny` for `bunny.stl.gz`.
    pub name: String,
    /// The format that the content turned out to have.
    pub format: Format,
    /// The parts that have triangles, in the order of the file; at least one.
    pub parts: Vec<Part>,
}

impl Document {
    /// All parts joined to one, named after the file.
    #[must_use]
    pub fn merged(mut self) -> Part {
        let mut whole = if self.parts.len() == 1 { self.parts.swap_remove(0) } else { concatenate(self.parts) };
        whole.name = self.name;
        whole
    }

    /// Number of triangles in all parts together.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.parts.iter().map(|part| part.triangles.len()).sum()
    }

    /// Number of vertices in all parts together.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.parts.iter().map(|part| part.vertices.len()).sum()
    }
}

/// Joins all parts to one. The readers refuse documents with more vertices than a `u32` can number.
fn concatenate(parts: Vec<Part>) -> Part {
    let mut whole = Part {
        name: String::new(),
        vertices: Vec::with_capacity(parts.iter().map(|part| part.vertices.len()).sum()),
        triangles: Vec::with_capacity(parts.iter().map(|part| part.triangles.len()).sum()),
        group: None,
    };
    for part in parts {
        let base = whole.vertices.len() as u32;
        whole.vertices.extend_from_slice(&part.vertices);
        whole.triangles.extend(part.triangles.iter().map(|t| t.map(|i| i + base)));
    }
    whole
}

/// The file formats that can be read.
///
/// ```
/// use impinge_io::Format;
/// assert_eq!((Format::from_extension("glb"), Format::from_extension("txt")), (Some(Format::Gltf), None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Stereolithography, ASCII or binary.
    Stl,
    /// Wavefront OBJ.
    Obj,
    /// Polygon file format, ASCII or binary.
    Ply,
    /// Object file format of Geomview.
    Off,
    /// glTF 2.0, as JSON or as GLB.
    Gltf,
}

impl Format {
    /// The format that a file extension names, without the dot and in any case: `"stl"`, `"GLB"`.
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Format> {
        match extension.to_ascii_lowercase().as_str() {
            "stl" => Some(Format::Stl),
            "obj" => Some(Format::Obj),
            "ply" => Some(Format::Ply),
            "off" | "coff" | "noff" | "cnoff" => Some(Format::Off),
            "gltf" | "glb" => Some(Format::Gltf),
            _ => None,
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Format::Stl => "STL",
            Format::Obj => "OBJ",
            Format::Ply => "PLY",
            Format::Off => "OFF",
            Format::Gltf => "glTF",
        })
    }
}
