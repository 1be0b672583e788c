//! The distance of two hulls that are apart: the least over corners against triangles and edges against edges.
//!
//! It is found in `f64` and then proved: two points of the bodies bound it from above, and any direction `n` bounds it
//! from below, by the gap of the bodies' extents along `n`. Where the bounds are not near enough, exact arithmetic.

use glam::DVec3;

use super::clouds::Clouds;
use super::shell::Shell;
use crate::distance::{Fraction, Square, least, point_face, segment_segment};

const EPS: f64 = f64::EPSILON / 2.0;

/// Two points that may be nearest, and directions that may prove it.
#[derive(Debug, Clone, Copy)]
struct Guess {
    points: [DVec3; 2],
    square: f64,
    normal: DVec3,
}

/// Bounds on the distance of bodies that are apart, at most `width · max(distance, size)` apart.
pub fn distance(clouds: &Clouds, a: &Shell, b: &Shell, size: f64, width: f64) -> [f64; 2] {
    let points: Vec<DVec3> = clouds.points.iter().map(|p| *p - clouds.points[0]).collect();
    let reach = points.iter().map(|p| p.length()).fold(0.0, f64::max);
    let guess = nearest(&points, a, b);
    let upper = guess.square.sqrt() + 32.0 * EPS * reach;
    let gap = |n: DVec3| {
        let extent = |i: usize| n.dot(points[i]);
        let a = a.points.clone().map(extent).fold(f64::NEG_INFINITY, f64::max);
        let b = b.points.clone().map(extent).fold(f64::INFINITY, f64::min);
        (b - a) / n.length() - 32.0 * EPS * reach
    };
    let along = guess.points[1] - guess.points[0];
    let lower = [along, guess.normal, -guess.normal].map(gap).into_iter().fold(0.0, f64::max);
    if upper - lower <= width * upper.max(size) { [lower, upper] } else { exact(clouds, a, b) }
}

/// Segments of the boundary; a point is one too.
fn sides(shell: &Shell) -> Vec<[usize; 2]> {
    if shell.dimension == 0 { vec![[shell.points.start; 2]] } else { shell.edges.clone() }
}

fn nearest(points: &[DVec3], a: &Shell, b: &Shell) -> Guess {
    let mut best = Guess { points: [DVec3::ZERO; 2], square: f64::INFINITY, normal: DVec3::ZERO };
    let mut offer = |p: DVec3, q: DVec3, normal: DVec3| {
        let square = p.distance_squared(q);
        if square < best.square {
            best = Guess { points: [p, q], square, normal };
        }
    };
    for &[i, j] in &sides(a) {
        for &[k, l] in &sides(b) {
            let (p, q) = segments(points[i], points[j], points[k], points[l]);
            offer(p, q, (points[j] - points[i]).cross(points[l] - points[k]));
        }
    }
    for (face, corner, swapped) in [(a, b, false), (b, a, true)] {
        for &[i, j, k] in &face.triangles {
            let normal = (points[j] - points[i]).cross(points[k] - points[i]);
            for c in corner.points.clone() {
                let Some(foot) = foot(points[c], [points[i], points[j], points[k]], normal) else { continue };
                if swapped { offer(points[c], foot, normal) } else { offer(foot, points[c], normal) }
            }
        }
    }
    best
}

/// Nearest points of two segments, by projecting to and fro once from the unclamped answer.
fn segments(p: DVec3, q: DVec3, r: DVec3, s: DVec3) -> (DVec3, DVec3) {
    let (u, v, w) = (q - p, s - r, p - r);
    let (uu, vv, uv) = (u.length_squared(), v.length_squared(), u.dot(v));
    let over = |x: f64, y: f64| if y > 0.0 { (x / y).clamp(0.0, 1.0) } else { 0.0 };
    let x = over(uv * v.dot(w) - vv * u.dot(w), u.cross(v).length_squared());
    let y = over((p + u * x - r).dot(v), vv);
    let x = over((r + v * y - p).dot(u), uu);
    (p + u * x, r + v * y)
}

/// The foot of `p` on the triangle's plane where it lies in the triangle.
fn foot(p: DVec3, [a, b, c]: [DVec3; 3], n: DVec3) -> Option<DVec3> {
    let square = n.length_squared();
    let weight = |x: DVec3, y: DVec3| (y - x).cross(p - x).dot(n) / square;
    let (z, x, y) = (weight(a, b), weight(b, c), weight(c, a));
    if !(x >= 0.0 && y >= 0.0 && z >= 0.0) {
        return None;
    }
    let sum = x + y + z;
    Some(a + (b - a) * (y / sum) + (c - a) * (z / sum))
}

/// By fractions of big integers, rounded to the neighbouring `f64` either way.
fn exact(clouds: &Clouds, a: &Shell, b: &Shell) -> [f64; 2] {
    let (points, exponent) = clouds.integers();
    let mut best: Option<Fraction> = None;
    let mut offer = |x: Fraction| best = Some(best.take().map_or(x.clone(), |y| least(x, y)));
    for &[i, j] in &sides(a) {
        for &[k, l] in &sides(b) {
            offer(segment_segment(&points[i], &points[j], &points[k], &points[l]));
        }
    }
    for (face, corner) in [(a, b), (b, a)] {
        for t in &face.triangles {
            let triangle = t.map(|i| points[i].clone());
            for c in corner.points.clone() {
                point_face(&points[c], &triangle).into_iter().for_each(&mut offer);
            }
        }
    }
    let (num, den) = best.unwrap();
    let root = Square::new(num, den, *exponent).root();
    [root.next_down(), root.next_up()]
}
