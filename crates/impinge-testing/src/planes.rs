//! Polygons with integer corners, and exact answers about them by looking at every pair of edges.

use glam::DVec2;

use crate::random::Random;

/// Corners that are exact as `f64` and whose cross products fit an `i128`.
pub type Corners = Vec<[i128; 2]>;

/// The corners as the library takes them.
pub fn points(corners: &Corners) -> Vec<DVec2> {
    corners.iter().map(|c| DVec2::new(c[0] as f64, c[1] as f64)).collect()
}

/// The vector from `q` to `p`.
pub fn minus(p: [i128; 2], q: [i128; 2]) -> [i128; 2] {
    [p[0] - q[0], p[1] - q[1]]
}

/// The cross product.
pub fn cross(p: [i128; 2], q: [i128; 2]) -> i128 {
    p[0] * q[1] - p[1] * q[0]
}

/// The scalar product.
pub fn dot(p: [i128; 2], q: [i128; 2]) -> i128 {
    p[0] * q[0] + p[1] * q[1]
}

/// Positive where `p`, `q`, `r` turn left, negative where they turn right, zero on one line.
pub fn turn(p: [i128; 2], q: [i128; 2], r: [i128; 2]) -> i128 {
    cross(minus(q, p), minus(r, p))
}

/// Every edge, from corner to next corner.
pub fn edges(c: &Corners) -> impl Iterator<Item = [[i128; 2]; 2]> + '_ {
    (0..c.len()).map(|i| [c[i], c[(i + 1) % c.len()]])
}

/// The polygon shifted by `x`.
pub fn moved(c: &Corners, x: [i128; 2]) -> Corners {
    c.iter().map(|p| [p[0] + x[0], p[1] + x[1]]).collect()
}

fn on_segment(p: [i128; 2], q: [i128; 2], x: [i128; 2]) -> bool {
    turn(p, q, x) == 0 && (0..2).all(|k| p[k].min(q[k]) <= x[k] && x[k] <= p[k].max(q[k]))
}

/// Whether two segments have a common point.
pub fn segments_meet([p, q]: [[i128; 2]; 2], [r, s]: [[i128; 2]; 2]) -> bool {
    let opposite = |x: i128, y: i128| x.signum() * y.signum() < 0;
    (opposite(turn(p, q, r), turn(p, q, s)) && opposite(turn(r, s, p), turn(r, s, q)))
        || on_segment(p, q, r)
        || on_segment(p, q, s)
        || on_segment(r, s, p)
        || on_segment(r, s, q)
}

/// Whether the point lies in the polygon or on its outline: crossings of the ray to the right.
pub fn inside(c: &Corners, x: [i128; 2]) -> bool {
    let mut odd = false;
    for [p, q] in edges(c) {
        if on_segment(p, q, x) {
            return true;
        }
        let (low, high) = if p[1] < q[1] { (p, q) } else { (q, p) };
        if low[1] <= x[1] && x[1] < high[1] && turn(low, high, x) > 0 {
            odd = !odd;
        }
    }
    odd
}

/// Whether the outlines have a common point.
pub fn outlines_meet(a: &Corners, b: &Corners) -> bool {
    edges(a).any(|e| edges(b).any(|f| segments_meet(e, f)))
}

/// Whether two polygons, as closed sets, have a common point.
pub fn overlap(a: &Corners, b: &Corners) -> bool {
    outlines_meet(a, b) || inside(a, b[0]) || inside(b, a[0])
}

/// Whether the corners bound a polygon: no edges meet but neighbours, and these only in their corner.
pub fn is_simple(c: &Corners) -> bool {
    let n = c.len();
    let e: Vec<_> = edges(c).collect();
    (0..n).all(|i| {
        let [p, q] = e[i];
        let r = e[(i + 1) % n][1];
        let folds = turn(p, q, r) == 0 && dot(minus(q, p), minus(r, q)) <= 0;
        let meets = (i + 2..n).any(|j| !(i == 0 && j == n - 1) && segments_meet(e[i], e[j]));
        p != q && !folds && !meets
    })
}

/// Twice the area.
pub fn double_area(c: &Corners) -> i128 {
    edges(c).map(|[p, q]| cross(p, q)).sum()
}

/// The convex hull, counterclockwise, without straight corners (Andrew's chains).
pub fn hull(mut points: Corners) -> Corners {
    points.sort_unstable();
    points.dedup();
    let chain = |points: &mut dyn Iterator<Item = [i128; 2]>| {
        let mut chain: Corners = Vec::new();
        for p in points {
            while chain.len() >= 2 && turn(chain[chain.len() - 2], chain[chain.len() - 1], p) <= 0 {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut hull = chain(&mut points.iter().copied());
    hull.extend(chain(&mut points.iter().rev().copied()));
    hull
}

/// Least distance of two polygons that do not overlap.
pub fn distance(a: &Corners, b: &Corners) -> f64 {
    let mut least = f64::INFINITY;
    for (s, t) in [(a, b), (b, a)] {
        for &x in s {
            for [p, q] in edges(t) {
                let e = minus(q, p);
                let length = (dot(e, e) as f64).sqrt();
                let far = |from: [i128; 2]| (dot(minus(x, from), minus(x, from)) as f64).sqrt();
                let foot = dot(minus(x, p), e);
                let one = if foot <= 0 {
                    far(p)
                } else if foot >= dot(e, e) {
                    far(q)
                } else {
                    turn(p, q, x).abs() as f64 / length
                };
                least = least.min(one);
            }
        }
    }
    least
}

/// The least `t` of `[0, 1]` at which a corner of `b + t·m` reaches an edge of `a`, or an edge a corner: the bodies are
/// apart, so one of the two comes first.
pub fn time_of_impact(a: &Corners, b: &Corners, m: [i128; 2]) -> Option<f64> {
    let mut least: Option<f64> = None;
    let back = [-m[0], -m[1]];
    for (still, moving, m) in [(a, b, m), (b, a, back)] {
        for &x in moving {
            for [p, q] in edges(still) {
                let e = minus(q, p);
                // x + t·m = p + s·e
                let (below, above) = (cross(m, e), cross(minus(p, x), e));
                let at = cross(minus(p, x), m);
                let (t, unit, s) = if below == 0 { continue } else { (above, below, at) };
                let sign = unit.signum();
                let within = |v: i128| 0 <= sign * v && sign * v <= sign * unit;
                if within(t) && within(s) {
                    let t = t as f64 / unit as f64;
                    least = Some(least.map_or(t, |l| l.min(t)));
                }
            }
        }
    }
    least
}

/// A number with at most 53 bits, of size at most `range`.
fn number(random: &mut Random, range: u64) -> i128 {
    let n = random.below(2 * range + 1) as i64 - range as i64;
    i128::from((n as f64) as i64)
}

/// A point of the square of this half side about the origin.
pub fn point(random: &mut Random, range: u64) -> [i128; 2] {
    [number(random, range), number(random, range)]
}

/// A convex polygon.
pub fn convex(random: &mut Random, range: u64) -> Corners {
    loop {
        let count = 3 + random.below(10);
        let hull = hull((0..count).map(|_| point(random, range)).collect());
        if hull.len() >= 3 {
            return hull;
        }
    }
}

/// A simple polygon, mostly not convex: random corners, untangled by reversing the outline between edges that meet.
pub fn simple(random: &mut Random, range: u64) -> Corners {
    loop {
        let count = 4 + random.below(9) as usize;
        let mut c: Corners = (0..count).map(|_| point(random, range)).collect();
        for _ in 0..200 {
            let n = c.len();
            let e: Vec<_> = edges(&c).collect();
            let tangle = (0..n)
                .flat_map(|i| (i + 2..n).map(move |j| (i, j)))
                .find(|&(i, j)| !(i == 0 && j == n - 1) && segments_meet(e[i], e[j]));
            match tangle {
                Some((i, j)) => c[i + 1..=j].reverse(),
                None => break,
            }
        }
        if is_simple(&c) {
            return c;
        }
    }
}
