//! Divides polygons into triangles: a fan where the polygon is strictly convex, ear clipping where it is not.
//!
//! The polygon is looked at along the largest component of its (Newell) normal, and every turn is decided by the exact
//! orientation predicate on the coordinates as given. An ear is a left turn whose closed triangle holds no other corner
//! that is not itself one of its three points; the two-ears theorem (Meisters 1975) promises one in every simple
//! polygon. A polygon that crosses itself may have none: then the next corner is clipped as it is, so that n corners
//! always give n − 2 triangles. Each corner's state is kept and only re-examined when a neighbour goes, which costs
//! O(n²) in all.

use crate::error::Fault;
use glam::DVec3;
use robust::{Coord, orient2d};

/// Corner tests allowed for any file, and per byte of the file: about a second for a small one.
const WORK: u64 = 1 << 28;
const WORK_PER_BYTE: u64 = 256;

/// Triangulates the polygons of one file, within a bounded amount of work.
#[derive(Debug)]
pub(crate) struct Triangulator {
    work_left: u64,
    points: Vec<Coord<f64>>,
    ring: Vec<Corner>,
}

#[derive(Debug, Clone, Copy)]
struct Corner {
    previous: u32,
    next: u32,
    turn: Turn,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Turn {
    /// Not a left turn.
    Reflex,
    /// A left turn with another corner in its triangle.
    Blocked,
    Ear,
}

impl Triangulator {
    pub(crate) fn new(file_len: usize) -> Triangulator {
        let work_left = (file_len as u64).saturating_mul(WORK_PER_BYTE).saturating_add(WORK);
        Triangulator { work_left, points: Vec::new(), ring: Vec::new() }
    }

    /// Appends the `corners.len() − 2` triangles of a polygon. `corners` are valid indices, at least three.
    pub(crate) fn append(&mut self, vertices: &[DVec3], corners: &[u32], out: &mut Vec<[u32; 3]>) -> Result<(), Fault> {
        if let &[a, b, c] = corners {
            out.push([a, b, c]);
            return Ok(());
        }
        let Some(view) = View::of(vertices, corners) else {
            out.extend(fan(corners));
            return Ok(());
        };
        let point = |i: usize| view.project(vertices[corners[i] as usize]);
        if strictly_convex(corners.len(), point) {
            out.extend(fan(corners));
            return Ok(());
        }
        let n = corners.len() as u64;
        self.work_left = n.checked_mul(3 * n).and_then(|work| self.work_left.checked_sub(work)).ok_or_else(|| {
            Fault::new(
                format!("the polygon of {n} corners is not convex, and the file has too many of that size"),
                "triangulate it when exporting",
            )
        })?;
        self.points.clear();
        self.points.extend((0..corners.len()).map(point));
        self.clip(corners, out);
        Ok(())
    }

    fn clip(&mut self, corners: &[u32], out: &mut Vec<[u32; 3]>) {
        let n = corners.len() as u32;
        self.ring.clear();
        self.ring.extend((0..n).map(|i| Corner { previous: (i + n - 1) % n, next: (i + 1) % n, turn: Turn::Blocked }));
        for i in 0..n {
            self.ring[i as usize].turn = self.turn(i);
        }
        for i in 0..n {
            self.examine(i);
        }
        let (mut at, mut passed, mut left) = (0, 0, n);
        while left > 3 {
            let Corner { previous, next, turn } = self.ring[at as usize];
            if turn != Turn::Ear && passed < left {
                passed += 1;
                at = next;
                continue;
            }
            out.push([previous, at, next].map(|i| corners[i as usize]));
            self.ring[previous as usize].next = next;
            self.ring[next as usize].previous = previous;
            left -= 1;
            passed = 0;
            for i in [previous, next] {
                self.ring[i as usize].turn = self.turn(i);
                self.examine(i);
            }
            at = self.ring[next as usize].next;
        }
        let Corner { previous, next, .. } = self.ring[at as usize];
        out.push([previous, at, next].map(|i| corners[i as usize]));
    }

    fn turn(&self, i: u32) -> Turn {
        let [a, b, c] = self.ear_points(i);
        if orient2d(a, b, c) > 0.0 { Turn::Blocked } else { Turn::Reflex }
    }

    fn ear_points(&self, i: u32) -> [Coord<f64>; 3] {
        let corner = self.ring[i as usize];
        [corner.previous, i, corner.next].map(|i| self.points[i as usize])
    }

    /// Decides whether a left turn is an ear. Only a corner that is not a left turn can be the first one inside.
    fn examine(&mut self, i: u32) {
        if self.ring[i as usize].turn == Turn::Reflex {
            return;
        }
        let ear = self.ear_points(i);
        let Corner { previous, next, .. } = self.ring[i as usize];
        let mut at = self.ring[next as usize].next;
        let mut free = true;
        while at != previous && free {
            let corner = self.ring[at as usize];
            free = corner.turn != Turn::Reflex || !inside(self.points[at as usize], ear);
            at = corner.next;
        }
        self.ring[i as usize].turn = if free { Turn::Ear } else { Turn::Blocked };
    }
}

/// Whether `p` lies in the closed triangle, and is not one of its corners.
fn inside(p: Coord<f64>, [a, b, c]: [Coord<f64>; 3]) -> bool {
    if p == a || p == b || p == c {
        return false;
    }
    let beside = |low: f64, high: f64, x: f64, y: f64, z: f64| low < x.min(y).min(z) || high > x.max(y).max(z);
    if beside(p.x, p.x, a.x, b.x, c.x) || beside(p.y, p.y, a.y, b.y, c.y) {
        return false;
    }
    orient2d(a, b, p) >= 0.0 && orient2d(b, c, p) >= 0.0 && orient2d(c, a, p) >= 0.0
}

fn fan(corners: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    let first = corners[0];
    corners[1..].windows(2).map(move |pair| [first, pair[0], pair[1]])
}

/// Every turn is a left turn, and the direction goes round once: its sign along x changes twice only.
fn strictly_convex(n: usize, point: impl Fn(usize) -> Coord<f64>) -> bool {
    let forward = |a: Coord<f64>, b: Coord<f64>| a.x < b.x || (a.x == b.x && a.y < b.y);
    let (mut a, mut b) = (point(n - 2), point(n - 1));
    let mut was_forward = forward(a, b);
    let mut changes = 0;
    for i in 0..n {
        let c = point(i);
        let left_turn = orient2d(a, b, c) > 0.0;
        if !left_turn {
            return false;
        }
        changes += u32::from(forward(b, c) != was_forward);
        was_forward = forward(b, c);
        (a, b) = (b, c);
    }
    changes <= 2
}

/// The coordinate plane in which the polygon is largest, seen from the side where it runs counter-clockwise.
#[derive(Debug, Clone, Copy)]
struct View {
    x: usize,
    y: usize,
}

impl View {
    /// `None` for a polygon without a normal: all corners on a line, or too large to tell.
    fn of(vertices: &[DVec3], corners: &[u32]) -> Option<View> {
        let origin = vertices[corners[0] as usize];
        let mut normal = DVec3::ZERO;
        for pair in corners[1..].windows(2) {
            normal += (vertices[pair[0] as usize] - origin).cross(vertices[pair[1] as usize] - origin);
        }
        let size = normal.abs();
        let axis = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
        match normal[axis] {
            n if !normal.is_finite() || n == 0.0 => None,
            n if n > 0.0 => Some(View { x, y }),
            _ => Some(View { x: y, y: x }),
        }
    }

    fn project(self, p: DVec3) -> Coord<f64> {
        Coord { x: p[self.x], y: p[self.y] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangulate(points: &[[f64; 3]]) -> Vec<[u32; 3]> {
        let vertices: Vec<DVec3> = points.iter().map(|p| DVec3::from(*p)).collect();
        let corners: Vec<u32> = (0..points.len() as u32).collect();
        let mut out = Vec::new();
        Triangulator::new(0).append(&vertices, &corners, &mut out).unwrap();
        assert_eq!(out.len(), points.len() - 2);
        out
    }

    /// Twice the signed area of each triangle in the xy plane.
    fn areas(points: &[[f64; 3]]) -> Vec<f64> {
        let area = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| points[i as usize]);
            (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        };
        triangulate(points).iter().map(area).collect()
    }

    #[test]
    fn a_convex_polygon_is_a_fan() {
        let square = [[0., 0., 5.], [1., 0., 5.], [1., 1., 5.], [0., 1., 5.]];
        assert_eq!(triangulate(&square), [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn an_arrow_is_cut_at_its_notch() {
        let arrow = [[0., 0., 0.], [2., -2., 0.], [0., 3., 0.], [-2., -2., 0.]];
        assert!(areas(&arrow).iter().all(|a| *a > 0.0));
        assert_eq!(areas(&arrow).iter().sum::<f64>(), 12.0);
        let clockwise: Vec<_> = arrow.iter().rev().copied().collect();
        assert!(areas(&clockwise).iter().all(|a| *a < 0.0));
    }

    #[test]
    fn a_comb_keeps_its_area() {
        let mut comb = vec![[0., -1., 0.]];
        comb.push([40., -1., 0.]);
        for tooth in (0..20).rev() {
            let x = f64::from(2 * tooth);
            comb.extend([[x + 2., 0., 0.], [x + 1.5, 9., 0.], [x + 0.5, 0.25, 0.]]);
        }
        let areas = areas(&comb);
        assert!(areas.iter().all(|a| *a > 0.0), "{areas:?}");
        let doubled: f64 = (0..comb.len())
            .map(|i| (comb[i], comb[(i + 1) % comb.len()]))
            .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
            .sum();
        assert!((areas.iter().sum::<f64>() - doubled).abs() < 1e-9);
    }

    /// Star-shaped polygons on a grid, with collinear corners. No triangle is turned over, and none overlaps another,
    /// because their areas (exact for such small numbers) add up to that of the polygon.
    #[test]
    fn random_stars_keep_their_area() {
        let mut state = 1_u64;
        let mut random = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % n) as f64
        };
        let mut stars = 0;
        for round in 0..2000 {
            let n = 4 + round % 30;
            let mut star: Vec<[f64; 3]> = (0..n).map(|_| [random(41) - 20.0, random(41) - 20.0, 0.0]).collect();
            star.retain(|p| *p != [0.0; 3]);
            let angle = |p: &[f64; 3]| p[1].atan2(p[0]);
            star.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
            star.dedup_by(|a, b| a[0] * b[1] == a[1] * b[0] && a[0] * b[0] + a[1] * b[1] > 0.0);
            let turn = |i: usize| {
                let (a, b) = (star[i], star[(i + 1) % star.len()]);
                a[0] * b[1] - a[1] * b[0]
            };
            let about_the_origin = star.len() > 3 && (0..star.len()).all(|i| turn(i) > 0.0);
            if about_the_origin {
                stars += 1;
                let areas = areas(&star);
                assert!(areas.iter().all(|a| *a >= 0.0), "{star:?}");
                assert_eq!(areas.iter().sum::<f64>(), (0..star.len()).map(turn).sum::<f64>(), "{star:?}");
            }
        }
        assert!(stars > 1000, "{stars}");
    }

    #[test]
    fn a_corner_on_an_edge_is_no_degenerate_triangle() {
        let square = [[0., 0., 0.], [1., 0., 0.], [2., 0., 0.], [2., 2., 0.], [0., 2., 0.]];
        assert!(areas(&square).iter().all(|a| *a > 0.0));
    }

    #[test]
    fn a_hole_joined_by_a_bridge_keeps_its_area() {
        let ring = [
            [0., 0., 0.],
            [9., 0., 0.],
            [9., 9., 0.],
            [0., 9., 0.],
            [0., 0., 0.], // outline, back to the bridge
            [3., 3., 0.],
            [3., 6., 0.],
            [6., 6., 0.],
            [6., 3., 0.],
            [3., 3., 0.], // hole, clockwise
        ];
        let areas = areas(&ring);
        assert!(areas.iter().all(|a| *a >= 0.0), "{areas:?}");
        assert_eq!(areas.iter().sum::<f64>(), 2.0 * 72.0);
    }

    #[test]
    fn degenerate_and_crossing_polygons_still_give_triangles() {
        triangulate(&[[0., 0., 0.]; 7]);
        triangulate(&[[0., 0., 0.], [1., 1., 1.], [2., 2., 2.], [3., 3., 3.]]);
        triangulate(&[[0., 0., 0.], [1., 1., 0.], [1., 0., 0.], [0., 1., 0.]]);
        triangulate(&[[1e308, 0., 0.], [0., 1e308, 0.], [-1e308, 0., 0.], [0., -1e308, 0.], [1., 1., 1.]]);
        let star = |i: u32| (f64::from(i) * 2.0 * std::f64::consts::TAU / 5.0).sin_cos();
        triangulate(&(0..5).map(star).map(|(y, x)| [x, y, 0.0]).collect::<Vec<_>>());
    }

    #[test]
    fn work_is_bounded() {
        let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(0.1, 0.1, 0.0)];
        let corners: Vec<u32> = (0..100_000).map(|i| i % 4).collect();
        let mut out = Vec::new();
        Triangulator::new(200_000).append(&vertices, &corners, &mut out).unwrap_err();
        assert!(out.is_empty());
    }
}
