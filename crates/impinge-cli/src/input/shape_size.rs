//! What a shape in words measures: bounds, area, volume; and its corners and triangles where it has any.

use impinge::glam::DVec3;

use super::shape::Shape;
use crate::input::body_kind::BodyKind;

impl Shape {
    /// Lowest and highest corner; `None` when it has no end.
    pub(crate) fn bounds(&self) -> Option<[DVec3; 2]> {
        let points = || self.numbers.chunks_exact(3).map(DVec3::from_slice);
        let half = match (self.word, &self.numbers[..]) {
            ("half-space", _) => return None,
            ("sphere", &[r]) => DVec3::splat(r),
            ("capsule", &[r, h]) => DVec3::new(r, r, 0.5 * h + r),
            ("cylinder" | "cone", &[r, h]) => DVec3::new(r, r, 0.5 * h),
            ("box", sides) => DVec3::from_slice(sides) * 0.5,
            ("ellipsoid", radii) => DVec3::from_slice(radii),
            _ => {
                let low = points().reduce(DVec3::min)? - self.margin;
                return Some([low, points().reduce(DVec3::max)? + self.margin]);
            }
        };
        Some([-half - self.margin, half + self.margin])
    }

    /// Area and volume, where there are formulas for them.
    pub(crate) fn measures(&self) -> [Option<f64>; 2] {
        use std::f64::consts::PI;
        let m = self.margin;
        let round = |r: f64, h: f64| {
            [Some(4.0 * PI * r * r + 2.0 * PI * r * h), Some(4.0 / 3.0 * PI * r.powi(3) + PI * r * r * h)]
        };
        match (self.word, &self.numbers[..]) {
            ("sphere", &[r]) => round(r + m, 0.0),
            ("capsule", &[r, h]) => round(r + m, h),
            _ if m > 0.0 => [None, None],
            ("box", &[x, y, z]) => [Some(2.0 * (x * y + y * z + z * x)), Some(x * y * z)],
            ("cylinder", &[r, h]) => [Some(2.0 * PI * r * (r + h)), Some(PI * r * r * h)],
            ("cone", &[r, h]) => [Some(PI * r * (r + r.hypot(h))), Some(PI * r * r * h / 3.0)],
            ("ellipsoid", &[x, y, z]) => [None, Some(4.0 / 3.0 * PI * x * y * z)],
            _ => [None, None],
        }
    }

    /// The points whose hull it is, when it has no margin and is a polyhedron.
    pub(crate) fn corners(&self) -> Option<Vec<DVec3>> {
        match (self.word, self.kind) {
            _ if self.round.margin() > 0.0 => None,
            ("box", _) => Some(cuboid(DVec3::from_slice(&self.numbers)).0),
            (_, BodyKind::Polyhedron) => Some(self.numbers.chunks_exact(3).map(DVec3::from_slice).collect()),
            _ => None,
        }
    }

    /// Its surface as triangles, which only a box without a margin has.
    pub(crate) fn triangles(&self) -> Option<Triangles> {
        (self.word == "box" && self.margin == 0.0).then(|| cuboid(DVec3::from_slice(&self.numbers)))
    }

    pub(crate) fn margin(&self) -> f64 {
        self.margin
    }
}

/// Vertices and triangles of a closed mesh, wound outwards.
pub(crate) type Triangles = (Vec<DVec3>, Vec<[u32; 3]>);

/// The box of these full sides about the origin: vertex `i` is at the high end of axis `k` when bit `k` of `i` is set.
pub(crate) fn cuboid(sides: DVec3) -> Triangles {
    let half = sides * 0.5;
    let end = |bit: u32, h: f64| if bit == 0 { -h } else { h };
    let vertices = (0..8u32).map(|i| DVec3::new(end(i & 1, half.x), end(i & 2, half.y), end(i & 4, half.z))).collect();
    let quads: [[u32; 4]; 6] = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    (vertices, quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
}

#[cfg(test)]
mod tests {
    use super::super::shape::{WORDS, parse};
    use super::*;
    use impinge::{Mesh, Pose, Round};

    fn good(text: &str) -> Shape {
        parse(text).unwrap().unwrap()
    }

    #[test]
    fn the_triangles_of_a_box_are_a_solid_of_its_volume() {
        let shape = good("box:1,2,3");
        let (vertices, triangles) = shape.triangles().unwrap();
        let mesh = Mesh::new(vertices, triangles).unwrap();
        let report = mesh.report();
        assert!(mesh.is_solid() && report.closed && report.manifold && report.oriented);
        assert_eq!([Some(report.area), report.volume], shape.measures());
        assert_eq!(mesh.bounds(), shape.bounds());
    }

    /// Compares the bounds of each shape with the engine: a half-space one unit beyond a side of the bounds is at
    /// distance 1.
    #[test]
    fn bounds_are_those_of_the_body() {
        for word in WORDS.iter().filter(|word| word.kind != BodyKind::HalfSpace) {
            for shape in [good(word.example), good(&format!("{}+0.25", word.example))] {
                let [low, high] = shape.bounds().unwrap();
                for (normal, reach) in [DVec3::X, DVec3::Y, DVec3::Z]
                    .into_iter()
                    .enumerate()
                    .flat_map(|(axis, n)| [(-n, high[axis]), (n, -low[axis])])
                {
                    // A half-space that begins one unit beyond this side of the bounds.
                    let wall = Round::half_space(normal, -reach - 1.0).unwrap();
                    let far =
                        impinge::distance(&shape.round.clone().into(), &Pose::IDENTITY, &wall.into(), &Pose::IDENTITY);
                    assert!((far.interval.mid() - 1.0).abs() < 1e-12, "{}: {far:?}", word.name);
                }
            }
        }
    }

    #[test]
    fn measures_follow_the_formulas() {
        use std::f64::consts::PI;
        let near = |text: &str, area: f64, volume: f64| {
            let [a, v] = good(text).measures().map(Option::unwrap);
            assert!((a - area).abs() < 1e-12 * area && (v - volume).abs() < 1e-12 * volume, "{text}: {a} {v}");
        };
        near("sphere:2", 16.0 * PI, 32.0 / 3.0 * PI);
        near("sphere:1+1", 16.0 * PI, 32.0 / 3.0 * PI);
        near("capsule:1,3", 10.0 * PI, 13.0 / 3.0 * PI);
        near("cylinder:1,3", 8.0 * PI, 3.0 * PI);
        near("cone:3,4", 24.0 * PI, 12.0 * PI);
        near("box:1,2,3", 22.0, 6.0);
        assert_eq!(good("box:1,2,3+1").measures(), [None, None]);
        assert_eq!(good("ellipsoid:1,1,1").measures(), [None, Some(4.0 / 3.0 * PI)]);
    }
}
