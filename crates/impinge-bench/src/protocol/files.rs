//! Readers of the workload files: little-endian, no padding, a magic word of four bytes.
//!
//! `.msh`: `MSH1`, `u32` vertices, `u32` triangles, `f64[3]` each, `u32[3]` each.
//! `.cvx`: `CVX1`, `u32` hulls, then each as in `.msh` after its magic word.
//! `.pos`: `POS1`, `u32` poses, then `f64[24]` each: pose of `a`, pose of `b`; a pose is a rotation by rows, then a
//! translation. `.prs`: `PRS1`, the same with `u32[2]`, the hulls of `a` and of `b`, before each.
//! `.mov`: `MOV1`, as `.prs` with `f64[12]` after each: linear and angular velocity of `a`, and of `b`, about the
//! origin of its frame, for times from 0 to 1.
//! `.box`: `BOX1`, `u32` boxes, `u32` frames, then for each frame `f32[6]` each: least and greatest coordinates.
//! `.f64`: the answers, `f64` each.

use std::fs;
use std::path::Path;

use impinge::glam::{DMat3, DVec3};
use impinge::{Pose, Steady};

use crate::error::{BenchError, Flaw};
use crate::shapes::Soup;

/// The two poses of one query.
pub(crate) type Poses = [Pose; 2];

/// One query: which hulls, and where they are.
#[derive(Debug, PartialEq)]
pub(crate) struct Record {
    pub(crate) hulls: [usize; 2],
    pub(crate) poses: Poses,
}

/// Reads a `.msh` file.
pub(crate) fn read_mesh(path: &Path) -> Result<Soup, BenchError> {
    parse_mesh(&read(path)?).map_err(flawed(path))
}

/// Reads a `.cvx` file.
pub(crate) fn read_hulls(path: &Path) -> Result<Vec<Soup>, BenchError> {
    parse_hulls(&read(path)?).map_err(flawed(path))
}

/// Reads a `.pos` file.
pub(crate) fn read_poses(path: &Path) -> Result<Vec<Poses>, BenchError> {
    let raw = parse_poses(&read(path)?).map_err(flawed(path))?;
    raw.iter().enumerate().map(|(index, x)| poses(path, index, x)).collect()
}

/// Reads a `.prs` file on `hulls` hulls.
pub(crate) fn read_records(path: &Path, hulls: usize) -> Result<Vec<Record>, BenchError> {
    let raw = parse_records(&read(path)?, hulls).map_err(flawed(path))?;
    let record = |(index, (hulls, x)): (usize, &([usize; 2], Numbers))| {
        Ok(Record { hulls: *hulls, poses: poses(path, index, x)? })
    };
    raw.iter().enumerate().map(record).collect()
}

/// One query about bodies that move: which, and how.
#[derive(Debug, PartialEq)]
pub(crate) struct Motions {
    pub(crate) bodies: [usize; 2],
    pub(crate) motions: [Steady; 2],
}

/// Reads a `.mov` file on `count` bodies.
pub(crate) fn read_motions(path: &Path, count: usize) -> Result<Vec<Motions>, BenchError> {
    let raw = parse_motions(&read(path)?, count).map_err(flawed(path))?;
    let record = |(index, (bodies, x, v)): (usize, &RawMotions)| {
        let [a, b] = poses(path, index, x)?;
        let bad = |source| BenchError::Motion { path: path.to_owned(), index, source };
        let motion = |pose: Pose, k: usize| Steady::new(pose, DVec3::ZERO, v[k], v[k + 1], 0.0).map_err(bad);
        Ok(Motions { bodies: *bodies, motions: [motion(a, 0)?, motion(b, 2)?] })
    };
    raw.iter().enumerate().map(record).collect()
}

/// Boxes that move: `count` of them in each frame.
#[derive(Debug, PartialEq)]
pub(crate) struct Frames {
    pub(crate) count: usize,
    pub(crate) boxes: Vec<[f32; 6]>,
}

/// Reads a `.box` file.
pub(crate) fn read_frames(path: &Path) -> Result<Frames, BenchError> {
    parse_frames(&read(path)?).map_err(flawed(path))
}

/// Reads a `.f64` file.
pub(crate) fn read_answers(path: &Path) -> Result<Vec<f64>, BenchError> {
    parse_answers(&read(path)?).map_err(flawed(path))
}

fn flawed(path: &Path) -> impl FnOnce(Flaw) -> BenchError + '_ {
    |flaw| BenchError::Format { path: path.to_owned(), flaw }
}

/// Two poses as they are written.
type Numbers = [f64; 24];

/// Two bodies, their poses and their velocities as they are written.
type RawMotions = ([usize; 2], Numbers, [DVec3; 4]);

fn poses(path: &Path, index: usize, x: &Numbers) -> Result<Poses, BenchError> {
    let pose = |x: &[f64]| {
        let rows = [[x[0], x[1], x[2]], [x[3], x[4], x[5]], [x[6], x[7], x[8]]];
        Pose::from_matrix(DVec3::new(x[9], x[10], x[11]), DMat3::from_cols_array_2d(&rows).transpose())
    };
    let bad = |source| BenchError::Pose { path: path.to_owned(), index, source };
    Ok([pose(&x[..12]).map_err(bad)?, pose(&x[12..]).map_err(bad)?])
}

fn read(path: &Path) -> Result<Vec<u8>, BenchError> {
    fs::read(path).map_err(|source| BenchError::Read { path: path.to_owned(), source })
}

fn parse_mesh(bytes: &[u8]) -> Result<Soup, Flaw> {
    let mut cursor = Cursor::new(bytes, *b"MSH1")?;
    let soup = cursor.soup()?;
    cursor.end().map(|()| soup)
}

fn parse_hulls(bytes: &[u8]) -> Result<Vec<Soup>, Flaw> {
    let mut cursor = Cursor::new(bytes, *b"CVX1")?;
    let hulls = (0..cursor.u32()?).map(|_| cursor.soup()).collect::<Result<_, _>>()?;
    cursor.end().map(|()| hulls)
}

fn parse_poses(bytes: &[u8]) -> Result<Vec<Numbers>, Flaw> {
    let mut cursor = Cursor::new(bytes, *b"POS1")?;
    let poses = (0..cursor.u32()?).map(|_| cursor.numbers()).collect::<Result<_, _>>()?;
    cursor.end().map(|()| poses)
}

fn parse_records(bytes: &[u8], count: usize) -> Result<Vec<([usize; 2], Numbers)>, Flaw> {
    let mut cursor = Cursor::new(bytes, *b"PRS1")?;
    let mut records = Vec::new();
    for record in 0..cursor.u32()? as usize {
        records.push((cursor.bodies(record, count)?, cursor.numbers()?));
    }
    cursor.end().map(|()| records)
}

fn parse_motions(bytes: &[u8], count: usize) -> Result<Vec<RawMotions>, Flaw> {
    let mut cursor = Cursor::new(bytes, *b"MOV1")?;
    let mut records = Vec::new();
    for record in 0..cursor.u32()? as usize {
        let (bodies, x) = (cursor.bodies(record, count)?, cursor.numbers()?);
        let mut velocities = [DVec3::ZERO; 4];
        for v in &mut velocities {
            *v = DVec3::new(cursor.f64()?, cursor.f64()?, cursor.f64()?);
        }
        records.push((bodies, x, velocities));
    }
    cursor.end().map(|()| records)
}

fn parse_frames(bytes: &[u8]) -> Result<Frames, Flaw> {
    let mut cursor = Cursor::new(bytes, *b"BOX1")?;
    let (count, frames) = (cursor.u32()?, cursor.u32()?);
    cursor.announce(u64::from(count) * u64::from(frames) * 24)?;
    let (floats, _) = bytes[cursor.at..].as_chunks::<4>();
    let (boxes, rest) = floats.as_chunks::<6>();
    let wanted = count as usize * frames as usize;
    if boxes.len() != wanted || !rest.is_empty() {
        return Err(Flaw::Long(bytes.len() - cursor.at - wanted * 24));
    }
    let boxes = boxes.iter().map(|b| b.map(f32::from_le_bytes)).collect();
    Ok(Frames { count: count as usize, boxes })
}

fn parse_answers(bytes: &[u8]) -> Result<Vec<f64>, Flaw> {
    let (words, rest) = bytes.as_chunks();
    if rest.is_empty() {
        Ok(words.iter().copied().map(f64::from_le_bytes).collect())
    } else {
        Err(Flaw::Long(rest.len()))
    }
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn new(bytes: &'a [u8], magic: [u8; 4]) -> Result<Cursor<'a>, Flaw> {
        if bytes.starts_with(&magic) { Ok(Cursor { bytes, at: 4 }) } else { Err(Flaw::Magic(magic)) }
    }

    /// So much must be left: checked before anything is allocated for it.
    fn announce(&self, needed: u64) -> Result<(), Flaw> {
        let left = self.bytes.len() - self.at;
        if left as u64 >= needed { Ok(()) } else { Err(Flaw::Short { at: self.at, needed, left }) }
    }

    fn end(&self) -> Result<(), Flaw> {
        let left = self.bytes.len() - self.at;
        if left == 0 { Ok(()) } else { Err(Flaw::Long(left)) }
    }

    fn soup(&mut self) -> Result<Soup, Flaw> {
        let [vertices, triangles] = [self.u32()?, self.u32()?];
        self.announce(u64::from(vertices) * 24 + u64::from(triangles) * 12)?;
        let mut soup = Soup { vertices: Vec::new(), triangles: Vec::new() };
        for _ in 0..vertices {
            soup.vertices.push(DVec3::new(self.f64()?, self.f64()?, self.f64()?));
        }
        for _ in 0..triangles {
            soup.triangles.push([self.u32()?, self.u32()?, self.u32()?]);
        }
        Ok(soup)
    }

    /// The bodies of a record.
    fn bodies(&mut self, record: usize, count: usize) -> Result<[usize; 2], Flaw> {
        let hulls = [self.u32()?, self.u32()?];
        match hulls.iter().find(|&&hull| hull as usize >= count) {
            Some(&hull) => Err(Flaw::Hull { record, hull, count }),
            None => Ok(hulls.map(|hull| hull as usize)),
        }
    }

    fn numbers(&mut self) -> Result<Numbers, Flaw> {
        let mut x = [0.0; 24];
        for value in &mut x {
            *value = self.f64()?;
        }
        Ok(x)
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Flaw> {
        let rest = &self.bytes[self.at..];
        let word = rest.first_chunk().ok_or(Flaw::Short { at: self.at, needed: N as u64, left: rest.len() })?;
        self.at += N;
        Ok(*word)
    }

    fn u32(&mut self) -> Result<u32, Flaw> {
        self.take().map(u32::from_le_bytes)
    }

    fn f64(&mut self) -> Result<f64, Flaw> {
        self.take().map(f64::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh_file() -> Vec<u8> {
        let mut bytes = b"MSH1".to_vec();
        bytes.extend([3u32, 1].into_iter().flat_map(u32::to_le_bytes));
        bytes.extend([0.0f64, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].into_iter().flat_map(f64::to_le_bytes));
        bytes.extend([0u32, 1, 2].into_iter().flat_map(u32::to_le_bytes));
        bytes
    }

    fn poses_file(rotation: [f64; 9]) -> Vec<u8> {
        let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        let mut bytes = b"POS1".to_vec();
        bytes.extend(1u32.to_le_bytes());
        let values = rotation.into_iter().chain([1.0, 2.0, 3.0]).chain(identity).chain([0.0; 3]);
        bytes.extend(values.flat_map(f64::to_le_bytes));
        bytes
    }

    /// Writes `bytes` to a file of its own, reads it as poses and removes it.
    fn poses_from(name: &str, bytes: &[u8]) -> Result<Vec<Poses>, BenchError> {
        let path = std::env::temp_dir().join(format!("impinge-bench-{}-{name}.pos", std::process::id()));
        fs::write(&path, bytes).unwrap();
        let poses = read_poses(&path);
        fs::remove_file(&path).unwrap();
        poses
    }

    #[test]
    fn reads_what_the_generator_writes() {
        let soup = parse_mesh(&mesh_file()).unwrap();
        assert_eq!((soup.vertices[1], soup.triangles.as_slice()), (DVec3::X, [[0, 1, 2]].as_slice()));
        // A quarter turn about z, by rows: x goes to y.
        let poses = poses_from("rows", &poses_file([0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0])).unwrap();
        assert!(poses[0][0].apply(DVec3::X).distance(DVec3::new(1.0, 3.0, 3.0)) < 1e-15);
        assert_eq!(poses[0][1], Pose::IDENTITY);
    }

    #[test]
    fn reads_hulls_and_the_records_on_them() {
        let hulls = [b"CVX1".as_slice(), &2u32.to_le_bytes(), &mesh_file()[4..], &mesh_file()[4..]].concat();
        assert_eq!(parse_hulls(&hulls).unwrap(), vec![parse_mesh(&mesh_file()).unwrap(); 2]);
        assert!((0..hulls.len()).all(|n| parse_hulls(&hulls[..n]).is_err()));
        let numbers = &poses_file([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])[8..];
        let records = [b"PRS1".as_slice(), &1u32.to_le_bytes(), &[1, 0, 0, 0, 2, 0, 0, 0], numbers].concat();
        assert_eq!(parse_records(&records, 3).unwrap()[0].0, [1, 2]);
        assert_eq!(parse_records(&records, 2), Err(Flaw::Hull { record: 0, hull: 2, count: 2 }));
        assert!((0..records.len()).all(|n| parse_records(&records[..n], 3).is_err()));
    }

    #[test]
    fn answers_are_whole_numbers_of_words() {
        let bytes: Vec<u8> = [1.5, f64::NAN].into_iter().flat_map(f64::to_le_bytes).collect();
        let answers = parse_answers(&bytes).unwrap();
        assert!(answers.len() == 2 && answers[0] == 1.5 && answers[1].is_nan());
        assert_eq!(parse_answers(&bytes[..9]), Err(Flaw::Long(1)));
    }

    #[test]
    fn a_file_cut_off_at_any_byte_is_an_error() {
        let (mesh, poses) = (mesh_file(), poses_file([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]));
        assert!((0..mesh.len()).all(|n| parse_mesh(&mesh[..n]).is_err()));
        assert!((0..poses.len()).all(|n| parse_poses(&poses[..n]).is_err()));
        let longer: Vec<u8> = mesh.iter().copied().chain([0]).collect();
        assert_eq!(parse_mesh(&longer), Err(Flaw::Long(1)));
        assert_eq!(parse_poses(&mesh), Err(Flaw::Magic(*b"POS1")));
    }

    #[test]
    fn a_claim_of_billions_is_refused_before_allocating() {
        let claim = [b"MSH1".as_slice(), &[0xff; 8]].concat();
        assert!(matches!(parse_mesh(&claim), Err(Flaw::Short { at: 12, left: 0, .. })));
        let claim = [b"POS1".as_slice(), &[0xff; 4]].concat();
        assert!(matches!(parse_poses(&claim), Err(Flaw::Short { at: 8, left: 0, .. })));
        let claim = [b"CVX1".as_slice(), &[0xff; 4]].concat();
        assert!(matches!(parse_hulls(&claim), Err(Flaw::Short { at: 8, left: 0, .. })));
    }

    #[test]
    fn a_matrix_that_is_no_rotation_names_its_pose() {
        for (name, x) in [("nan", f64::NAN), ("zero", 0.0)] {
            let error = poses_from(name, &poses_file([x; 9])).unwrap_err();
            assert!(matches!(error, BenchError::Pose { index: 0, .. }), "{error}");
        }
        let missing = read_poses("no/such/file.pos".as_ref()).unwrap_err();
        assert!(missing.to_string().contains("no/such/file.pos"));
    }
}
