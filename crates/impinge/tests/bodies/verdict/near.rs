//! How far a point is from a hull, in `f64`, for checking witnesses.

use glam::DVec3;
use impinge_testing::hulls::clouds::Clouds;
use impinge_testing::hulls::shell::Shell;

/// The hull's boundary, prepared for queries.
#[derive(Debug)]
pub(crate) struct Solid {
    points: Vec<DVec3>,
    shell: Shell,
    planes: Vec<(DVec3, DVec3)>,
}

impl Solid {
    pub(crate) fn new(points: &[DVec3]) -> Solid {
        let clouds = Clouds::new(points, &[]);
        let shell = Shell::of(&clouds, clouds.a());
        let middle = clouds.points.iter().map(|p| *p / clouds.points.len() as f64).sum::<DVec3>();
        let plane = |&[i, j, k]: &[usize; 3]| {
            let p = clouds.points[i];
            let n = (clouds.points[j] - p).cross(clouds.points[k] - p).normalize();
            (p, if n.dot(middle - p) > 0.0 { -n } else { n })
        };
        let planes = if shell.dimension == 3 { shell.triangles.iter().map(plane).collect() } else { vec![] };
        Solid { points: clouds.points, shell, planes }
    }

    /// How far `p` lies outside.
    pub(crate) fn outside(&self, p: DVec3) -> f64 {
        if self.shell.dimension == 3 && self.planes.iter().all(|(q, n)| n.dot(p - *q) <= 0.0) {
            return 0.0;
        }
        self.surface(p)
    }

    /// How far `p` lies from the boundary; from the whole body where that is flat.
    pub(crate) fn surface(&self, p: DVec3) -> f64 {
        let corners = self.points.iter().map(|q| q.distance(p));
        let edges = self.shell.edges.iter().map(|&[i, j]| segment(p, self.points[i], self.points[j]));
        let faces = self.shell.triangles.iter().filter_map(|t| face(p, t.map(|i| self.points[i])));
        corners.chain(edges).chain(faces).fold(f64::INFINITY, f64::min)
    }
}

/// From `p` to the segment `qr`.
pub(crate) fn segment(p: DVec3, q: DVec3, r: DVec3) -> f64 {
    let d = r - q;
    let square = d.length_squared();
    let x = if square > 0.0 { ((p - q).dot(d) / square).clamp(0.0, 1.0) } else { 0.0 };
    (q + d * x).distance(p)
}

/// The distance from `p` to its projection on the triangle's plane, where that lies in the triangle.
fn face(p: DVec3, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let n = (b - a).cross(c - a).normalize();
    let left = |x: DVec3, y: DVec3| (y - x).cross(p - x).dot(n) >= 0.0;
    (left(a, b) && left(b, c) && left(c, a)).then(|| n.dot(p - a).abs())
}

/// From `p` to the convex polygon with these corners in order.
pub(crate) fn polygon(p: DVec3, corners: &[DVec3]) -> f64 {
    let n = corners.len();
    let edges = (0..n).map(|i| segment(p, corners[i], corners[(i + 1) % n]));
    let faces = (2..n).filter_map(|i| face(p, [corners[0], corners[i - 1], corners[i]]));
    edges.chain(faces).fold(f64::INFINITY, f64::min)
}
