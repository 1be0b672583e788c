//! The depth of two hulls, and whether they have a common point.
//!
//! Let `M` be the set of all `p − q`, `p` of `a`, `q` of `b`, and `h(n) = max n·p − min n·q` over unit `n`. The bodies
//! meet when `h ≥ 0` for every `n`, and the least translation that parts them is the least `h`; it is taken at the
//! normal of a face of `M`, and each of those is normal to a face of `a`, to a face of `b`, or to an edge of each. Any
//! other `n` gives a larger `h`, so trying too many does no harm.

use glam::DVec3;
use num_bigint::BigInt;

use super::clouds::{Clouds, Step};
use super::shell::Shell;
use crate::distance::Square;
use crate::number::Number;
use crate::overlap::{cross, dot};
use crate::soup::meet;

const EPS: f64 = f64::EPSILON / 2.0;

/// Bounds on `h(n)` for one `n`, along `u × v` or against it.
#[derive(Debug, Clone, Copy)]
struct Height {
    lower: f64,
    upper: f64,
    /// The exact sign, once known.
    sign: Option<i8>,
    normal: [Step; 2],
    reversed: bool,
}

/// Whether the bodies meet, and where they do bounds on the depth, at most `width` apart.
pub fn depth(clouds: &Clouds, a: &Shell, b: &Shell, width: f64) -> Option<[f64; 2]> {
    if is_flat(clouds, a, b) {
        return flat_bodies_meet(clouds, a, b).then_some([0.0, 0.0]);
    }
    let mut heights = Vec::new();
    let faces = [a, b].into_iter().flat_map(|s| &s.triangles).map(|&[i, j, k]| [[i, j], [i, k]]);
    let edges = a.edges.iter().flat_map(|&e| b.edges.iter().map(move |&f| [e, f]));
    let frame = Frame::new(clouds);
    for normal in faces.chain(edges) {
        let [along, against] = frame.heights(normal);
        if along.upper < 0.0 || against.upper < 0.0 {
            return None;
        }
        heights.extend([along, against]);
    }
    let mut least = heights.iter().map(|h| h.upper).fold(f64::INFINITY, f64::min);
    for height in &mut heights {
        let open = height.lower <= 0.0 || height.upper - height.lower > width;
        if height.lower <= least && open {
            *height = exact(clouds, height);
            if height.sign == Some(-1) {
                return None;
            }
            least = least.min(height.upper);
        }
    }
    let lower = heights.iter().map(|h| h.lower).fold(f64::INFINITY, f64::min);
    Some([lower.max(0.0), least])
}

/// Coordinates about a point of `a`.
struct Frame {
    points: Vec<DVec3>,
    split: usize,
    reach: f64,
}

impl Frame {
    fn new(clouds: &Clouds) -> Frame {
        let points: Vec<DVec3> = clouds.points.iter().map(|p| *p - clouds.points[0]).collect();
        let reach = points.iter().map(|p| p.length()).fold(0.0, f64::max);
        Frame { points, split: clouds.split, reach }
    }

    /// With `e`, `f` rounded differences, `|error of e × f| ≤ 8ε|e||f|`; a dot product of two points with a unit vector
    /// errs by `4ε·reach` each, and turning the vector by `δ` changes it by `δ·reach`.
    fn heights(&self, normal: [Step; 2]) -> [Height; 2] {
        let [e, f] = normal.map(|[i, j]| self.points[j] - self.points[i]);
        let n = e.cross(f);
        let (length, size) = (n.length(), self.reach * EPS * 16.0);
        // The differences here are of points that were rounded once before, by `ε·reach` at most.
        let turned =
            (8.0 * EPS * e.length() * f.length() + 4.0 * EPS * self.reach * (e.length() + f.length())) / length;
        let unit = n / length;
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for (i, p) in self.points.iter().enumerate() {
            let (body, h) = (usize::from(i >= self.split), unit.dot(*p));
            low[body] = low[body].min(h);
            high[body] = high[body].max(h);
        }
        let error = size + 4.0 * turned * self.reach;
        [(high[0] - low[1], false), (high[1] - low[0], true)].map(|(h, reversed)| {
            let certain = error.is_finite() && turned < 0.1;
            let (lower, upper) = if certain { (h - error, h + error) } else { (f64::NEG_INFINITY, f64::INFINITY) };
            Height { lower, upper, sign: None, normal, reversed }
        })
    }
}

fn exact(clouds: &Clouds, height: &Height) -> Height {
    let (points, exponent) = clouds.integers();
    let [e, f] = height.normal.map(|s| clouds.exact_step(s));
    let n = cross(&e, &f);
    let square = dot(&n, &n);
    if square == BigInt::ZERO {
        return Height { lower: f64::INFINITY, upper: f64::INFINITY, sign: Some(1), ..*height };
    }
    let along = points.iter().map(|p| dot(&n, p)).collect::<Vec<BigInt>>();
    let (a, b) = along.split_at(clouds.split);
    let (from, to) = if height.reversed { (b, a) } else { (a, b) };
    let h = from.iter().max().unwrap() - to.iter().min().unwrap();
    let root = Square::new(&h * &h, square, *exponent).root();
    let sign = Number::sign(&h).unwrap();
    let value = f64::from(sign) * root;
    Height { lower: value.next_down(), upper: value.next_up(), sign: Some(sign), ..*height }
}

/// Whether all differences within `a` and within `b` lie in one plane.
fn is_flat(clouds: &Clouds, a: &Shell, b: &Shell) -> bool {
    if a.dimension == 3 || b.dimension == 3 {
        return false;
    }
    let steps = |s: &Shell| s.points.clone().skip(1).map(|p| [s.points.start, p]).collect::<Vec<Step>>();
    let all = [steps(a), steps(b)].concat();
    for (i, &u) in all.iter().enumerate() {
        if let Some(&v) = all[i + 1..].iter().find(|&&v| clouds.cross_axis(u, v).is_some()) {
            return all.iter().all(|&w| clouds.determinant(u, v, w) == 0);
        }
    }
    true
}

/// Points, segments and polygons as triangles.
fn pieces(clouds: &Clouds, shell: &Shell) -> Vec<[DVec3; 3]> {
    let at = |i: usize| clouds.points[i];
    match shell.dimension {
        0 => vec![[at(shell.points.start); 3]],
        1 => shell.edges.iter().map(|&[i, j]| [at(i), at(j), at(j)]).collect(),
        _ => shell.triangles.iter().map(|t| t.map(at)).collect(),
    }
}

fn flat_bodies_meet(clouds: &Clouds, a: &Shell, b: &Shell) -> bool {
    let (a, b) = (pieces(clouds, a), pieces(clouds, b));
    a.iter().any(|s| b.iter().any(|t| meet(s, t)))
}
