//! On which side of a line an edge passes, by numbers of twice the precision.
//!
//! T. Dekker, *A floating-point technique for extending the available precision*, 1971: a sum of two doubles holds 106
//! bits. The volume that a segment `o f` spans with an edge `q r`, computed so, decides all but what is zero or nearly:
//! at a quarter of the cost of the adaptive predicate, which is left to decide these.
//!
//! **Error.** Differences are exact. No product or sum is off by more than `2⁻¹⁰²` of what it adds up; with `d` and
//! `m` for the greatest components of `f − o` and of the corners from `o`, the volume sums six products of up to
//! `dm²`, each through four operations: `2⁻⁹⁶dm²` covers it. So small a `dm²` that parts vanish decides nothing.
//!
//! **Past a vertex.** A line that passes closely by a vertex `v` is asked about every edge there. The volume with the
//! edge to `r` is `w·(r − v)` with `w = (f − o) × (v − o)`, so `w` is computed once with twice the precision
//! ([`PastVertex`]), and an edge then costs one product. Where all differences are exact numbers, a `w` of zero is
//! found too.
//!
//! Cost: some 220 operations without a branch; past a vertex 80, and 10 for each edge.

use glam::DVec3;

use crate::math::{EPS, Sign};

/// The sum of two numbers, of which the second is at most a rounding of the first.
#[derive(Debug, Clone, Copy)]
struct Twofold(f64, f64);

#[inline(always)]
fn sum(a: f64, b: f64) -> Twofold {
    let s = a + b;
    let from_b = s - a;
    Twofold(s, (a - (s - from_b)) + (b - from_b))
}

#[inline(always)]
fn halves(a: f64) -> [f64; 2] {
    let wide = 134_217_729.0 * a;
    let high = wide - (wide - a);
    [high, a - high]
}

#[inline(always)]
fn product(a: f64, b: f64) -> Twofold {
    let (p, [a1, a2], [b1, b2]) = (a * b, halves(a), halves(b));
    Twofold(p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2)
}

impl Twofold {
    #[inline(always)]
    fn times(self, o: Twofold) -> Twofold {
        let Twofold(p, e) = product(self.0, o.0);
        let e = e + (self.0 * o.1 + self.1 * o.0);
        let s = p + e;
        Twofold(s, e - (s - p))
    }

    #[inline(always)]
    fn plus(self, o: Twofold) -> Twofold {
        let Twofold(s, e) = sum(self.0, o.0);
        let e = e + (self.1 + o.1);
        let t = s + e;
        Twofold(t, e - (t - s))
    }

    #[inline(always)]
    fn minus(self, o: Twofold) -> Twofold {
        self.plus(Twofold(-o.0, -o.1))
    }
}

/// A vector from one point to another, exactly.
#[inline(always)]
fn from_to(o: DVec3, p: DVec3) -> [Twofold; 3] {
    [sum(p.x, -o.x), sum(p.y, -o.y), sum(p.z, -o.z)]
}

#[inline(always)]
fn greatest(v: &[Twofold; 3]) -> f64 {
    v[0].0.abs().max(v[1].0.abs()).max(v[2].0.abs())
}

/// The sign of `(f − o)·((q − o) × (r − o))`, for coordinates of at most 1; `None` where it is zero or nearly.
pub(crate) fn edge_side([o, f]: [DVec3; 2], q: DVec3, r: DVec3) -> Option<Sign> {
    let (d, q, r) = (from_to(o, f), from_to(o, q), from_to(o, r));
    let cross = |i: usize, j: usize| q[i].times(r[j]).minus(q[j].times(r[i]));
    let x = d[0].times(cross(1, 2));
    let y = d[1].times(cross(2, 0));
    let z = d[2].times(cross(0, 1));
    let volume = x.plus(y).plus(z);
    let m = greatest(&q).max(greatest(&r));
    let size = greatest(&d) * m * m;
    // 2⁻⁹⁶, and 2⁻⁸⁰⁰.
    (volume.0.abs() > 1.3e-29 * size && size > 1e-240).then(|| Sign::of(volume.0))
}

/// How the line from `o` to `f` passes a vertex `v`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PastVertex {
    vertex: DVec3,
    /// `(f − o) × (v − o)`, each component rounded once and then off by at most `error`.
    offset: DVec3,
    error: f64,
    is_through: bool,
}

impl PastVertex {
    /// For coordinates of at most 1.
    pub(crate) fn new([o, f]: [DVec3; 2], v: DVec3) -> PastVertex {
        let (d, p) = (from_to(o, f), from_to(o, v));
        let products = |i: usize, j: usize| [d[i].times(p[j]), d[j].times(p[i])];
        let crossed = [products(1, 2), products(2, 0), products(0, 1)];
        let [x, y, z] = crossed.map(|[p, q]| p.minus(q).0);
        // Products of such numbers are held by two doubles, exactly.
        let is_exact = |x: &Twofold| x.1 == 0.0 && (x.0 == 0.0 || x.0.abs() > 1e-120);
        let is_through = d.iter().chain(&p).all(is_exact) && crossed.iter().all(|[p, q]| p.0 == q.0 && p.1 == q.1);
        let size = greatest(&d) * greatest(&p);
        // 2⁻¹⁰⁰; nothing is known where parts vanish.
        let error = if size > 1e-240 { 7.9e-31 * size } else { f64::INFINITY };
        PastVertex { vertex: v, offset: DVec3::new(x, y, z), error, is_through }
    }

    /// The sign of `(f − o)·((v − o) × (r − o))`; `None` where it is nearly zero.
    ///
    /// Each of the three products is off by five roundings of itself, those of its factors and of the sums included.
    pub(crate) fn side(&self, r: DVec3) -> Option<Sign> {
        if self.is_through {
            return Some(Sign::Zero);
        }
        let way = r - self.vertex;
        let (volume, size) = (self.offset.dot(way), self.offset.abs().dot(way.abs()));
        let doubt = 8.0 * EPS * size + self.error * (way.x.abs() + way.y.abs() + way.z.abs()) + 1e-280;
        (volume.abs() > doubt).then(|| Sign::of(volume))
    }
}

/// The point `o + (f − o)·share`, rounded once but for 2⁻¹⁰⁰ of the way.
pub(crate) fn point_of_way([o, f]: [DVec3; 2], share: f64) -> DVec3 {
    let way = from_to(o, f);
    let at = |o: f64, d: Twofold| {
        let Twofold(p, e) = d.times(Twofold(share, 0.0));
        let Twofold(s, t) = sum(o, p);
        s + (t + e)
    };
    DVec3::new(at(o.x, way[0]), at(o.y, way[1]), at(o.z, way[2]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::orient3d;

    #[test]
    fn agrees_with_the_exact_predicate_and_seldom_passes() {
        let mut state = 11u64;
        let mut coordinate = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let mut point = || DVec3::new(coordinate(), coordinate(), coordinate());
        let (mut passed, mut by_vertex) = (0, [0; 4]);
        for round in 0..20_000 {
            let (o, q, share) = (point(), point(), point().x + 0.5);
            let mut r = point();
            // Nearly or exactly through the edge, or far from it.
            let aim = match round % 4 {
                0 => q.lerp(r, share),
                1 => q,
                2 => q.lerp(r, share) + point() * 1e-20,
                _ => point(),
            };
            let f = o + (aim - o) * 2.0;
            if round % 8 == 5 {
                r = (q + f) * 0.5;
            }
            if let Some(sign) = PastVertex::new([o, f], q).side(r) {
                assert_eq!(sign, orient3d(o, q, r, f), "{o} {f} {q} {r}");
                by_vertex[(round % 4) as usize] += 1;
            }
            let exact = orient3d(o, q, r, f);
            match edge_side([o, f], q, r) {
                Some(sign) => assert_eq!(sign, exact, "{o} {f} {q} {r}"),
                None => passed += usize::from(exact != Sign::Zero),
            }
        }
        assert!(passed < 1000 && by_vertex[1] > 4300 && by_vertex[3] > 4900, "{passed} {by_vertex:?}");
        assert_eq!(edge_side([DVec3::ZERO, DVec3::X], DVec3::X, DVec3::Y), None);
    }

    /// On a grid, lines pass exactly through vertices, and through points near them.
    #[test]
    fn a_line_through_a_vertex_is_seen_exactly() {
        let mut state = 3u64;
        let mut whole = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 60) as f64 / 16.0 - 0.5
        };
        let mut point = || DVec3::new(whole(), whole(), whole());
        let mut zeros = 0;
        for round in 0..4000 {
            let (o, v, r) = (point(), point(), point());
            let f = if round % 2 == 0 { v + (v - o) } else { point() };
            if let Some(sign) = PastVertex::new([o * 0.25, f * 0.25], v * 0.25).side(r * 0.25) {
                assert_eq!(sign, orient3d(o, v, r, f), "{o} {f} {v} {r}");
                zeros += usize::from(sign == Sign::Zero);
            }
        }
        assert!(zeros > 1900, "{zeros}");
        let tiny = PastVertex::new([DVec3::ZERO, DVec3::new(1e-200, 2e-200, 0.0)], DVec3::new(1e-200, 1e-200, 0.0));
        assert_eq!(tiny.side(DVec3::Z), None);
    }

    #[test]
    fn a_point_of_a_long_way_is_rounded_once() {
        let (o, f) = (DVec3::new(1e15, 0.5, -3.0), DVec3::new(-1e15, 2.5, 1.0));
        assert_eq!(point_of_way([o, f], 0.5), DVec3::new(0.0, 1.5, -1.0));
    }
}
