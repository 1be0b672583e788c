//! Makes closed solids of the kinds that workshops make: turned, bored and sawn.

use std::f64::consts::TAU;

use impinge::glam::{DQuat, DVec2, DVec3};

use crate::shapes::Soup;

impl Soup {
    /// Beside another.
    pub(super) fn and(mut self, other: Soup) -> Soup {
        let first = self.vertices.len() as u32;
        self.vertices.extend(other.vertices);
        self.triangles.extend(other.triangles.into_iter().map(|t| t.map(|v| v + first)));
        self
    }

    /// Turned, then moved.
    pub(super) fn placed(mut self, at: DVec3, turn: DQuat) -> Soup {
        self.vertices.iter_mut().for_each(|v| *v = turn * *v + at);
        self
    }
}

/// A profile `(radius, height)`, listed upwards, turned about z, closed above and below by fans: for `k` points in it
/// `2·k·sides` triangles.
pub(super) fn turned(profile: &[DVec2], sides: u32) -> Soup {
    let (low, high) = (profile[0].y, profile[profile.len() - 1].y);
    let mut vertices = vec![DVec3::Z * low, DVec3::Z * high];
    for p in profile {
        vertices.extend((0..sides).map(|i| (direction(i, sides) * p.x).extend(p.y)));
    }
    let rings = profile.len() as u32;
    let at = |ring: u32, i: u32| 2 + ring * sides + i % sides;
    let mut triangles = Vec::new();
    for i in 0..sides {
        triangles.extend([[0, at(0, i + 1), at(0, i)], [1, at(rings - 1, i), at(rings - 1, i + 1)]]);
        for ring in 0..rings - 1 {
            triangles.extend(quad([at(ring, i), at(ring, i + 1), at(ring + 1, i + 1), at(ring + 1, i)]));
        }
    }
    Soup { vertices, triangles }
}

/// A plate between two outlines of as many points each, counterclockwise, from half the height below the plane to half
/// of it above. Its faces are cut into `rings`, its outer wall into `layers`, and its inner wall is one layer:
/// `2·n·(2·rings + layers + 1)` triangles.
pub(super) fn bored(outer: &[DVec2], inner: &[DVec2], height: f64, rings: u32, layers: u32) -> Soup {
    let n = outer.len() as u32;
    let mut vertices = Vec::new();
    let blend = |from: DVec3, to: DVec3, k: u32, of: u32| from.lerp(to, f64::from(k) / f64::from(of));
    let (up, down) = (0.5 * height, -0.5 * height);
    let mut ring =
        |along: &dyn Fn(DVec2, DVec2) -> DVec3| vertices.extend(outer.iter().zip(inner).map(|(o, i)| along(*o, *i)));
    // Once around the section: out on the upper face, down the outer wall, in on the lower face.
    for k in 0..rings {
        ring(&|o, i| blend(i.extend(up), o.extend(up), k, rings));
    }
    for k in 0..layers {
        ring(&|o, _| blend(o.extend(up), o.extend(down), k, layers));
    }
    for k in 0..=rings {
        ring(&|o, i| blend(o.extend(down), i.extend(down), k, rings));
    }
    let around = 2 * rings + layers + 1;
    let at = |k: u32, i: u32| k % around * n + i % n;
    let cells = (0..around).flat_map(|k| (0..n).map(move |i| (k, i)));
    let triangles = cells.flat_map(|(k, i)| quad([at(k, i), at(k + 1, i), at(k + 1, i + 1), at(k, i + 1)])).collect();
    Soup { vertices, triangles }
}

/// A bar of these half extents, each side cut into squares: `4·(x·y + y·z + z·x)` triangles.
pub(super) fn bar(half: DVec3, cuts: [u32; 3]) -> Soup {
    let mut soup = Soup { vertices: Vec::new(), triangles: Vec::new() };
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in [-1.0, 1.0] {
            let first = soup.vertices.len() as u32;
            for i in 0..=cuts[u] {
                for j in 0..=cuts[v] {
                    let mut p = DVec3::ZERO;
                    p[axis] = side * half[axis];
                    p[u] = half[u] * (2.0 * f64::from(i) / f64::from(cuts[u]) - 1.0);
                    p[v] = half[v] * (2.0 * f64::from(j) / f64::from(cuts[v]) - 1.0);
                    soup.vertices.push(p);
                }
            }
            let at = |i: u32, j: u32| first + i * (cuts[v] + 1) + j;
            for (i, j) in (0..cuts[u]).flat_map(|i| (0..cuts[v]).map(move |j| (i, j))) {
                let [p, q, r, s] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                soup.triangles.extend(quad(if side > 0.0 { [p, q, r, s] } else { [p, s, r, q] }));
            }
        }
    }
    soup
}

/// The direction of one of `sides` points on the unit circle.
pub(super) fn direction(i: u32, sides: u32) -> DVec2 {
    DVec2::from_angle(TAU * f64::from(i) / f64::from(sides))
}

fn quad([a, b, c, d]: [u32; 4]) -> [[u32; 3]; 2] {
    [[a, b, c], [a, c, d]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::Builder;

    #[test]
    fn solids_are_closed_and_outward() {
        let circle = |r: f64| (0..12).map(|i| direction(i, 12) * r).collect::<Vec<_>>();
        let profile = [[0.5, 0.0], [1.0, 1.0], [0.2, 2.0]].map(DVec2::from_array);
        let solids = [
            (turned(&profile, 9), 2 * 3 * 9, 2.0..4.5),
            (bored(&circle(2.0), &circle(1.0), 0.5, 3, 2), 2 * 12 * 9, 4.4..4.6),
            (bar(DVec3::new(1.0, 2.0, 3.0), [2, 3, 4]), 4 * (6 + 12 + 8), 47.9..48.1),
        ];
        for (soup, count, volume) in solids {
            assert_eq!(soup.triangles.len(), count);
            let mesh = soup.surface(Builder::Auto).unwrap();
            let report = mesh.report();
            assert!(report.closed && report.manifold && report.oriented && report.components == 1, "{report:?}");
            assert!(volume.contains(&report.volume.unwrap()), "{:?}", report.volume);
        }
    }
}
