//! The point of a simplex nearest to the origin, by a walk over its regions: GJK's subproblem.
//!
//! G. van den Bergen, *A fast and robust GJK implementation*, 1999, and C. Ericson, *Real-Time Collision Detection*,
//! §5.1: the origin lies in the Voronoi region of one vertex, edge or face of the simplex, or inside. A nearest point
//! lies on a facet whose outer side the origin sees, so each step walks only into such facets; the first facet whose
//! inside holds the foot of the perpendicular ends the walk.
//!
//! Here we deviate: no product of two dot products is formed, which would lose half the digits. Triangles are decided
//! by `n·(b × (c − b))`, and the sides of a tetrahedron by the exact predicate wherever the filter cannot tell, so that
//! "inside" is the truth about the points given. Any simplex may come, degenerate ones and those of a warm start too:
//! nothing is assumed of the order of the points.
//!
//! The other solvers are [`SignedVolumes`](super::SignedVolumes) and [`Johnson`](super::Johnson).

use glam::DVec3;

use crate::math::{EPS, Sign, orient3d};

/// The nearest point and the points that carry it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Foot {
    /// Places of the points kept, among those given, ascending.
    pub(crate) kept: [u8; 4],
    /// How many; four when the origin lies inside.
    pub(crate) count: usize,
    /// Barycentric weights of the points kept: positive, with sum 1 up to rounding.
    pub(crate) weights: [f64; 4],
    /// The nearest point.
    pub(crate) point: DVec3,
}

impl Foot {
    #[inline(always)]
    pub(super) fn vertex(i: u8, point: DVec3) -> Foot {
        Foot { kept: [i, 0, 0, 0], count: 1, weights: [1.0, 0.0, 0.0, 0.0], point }
    }

    #[inline(always)]
    pub(super) fn edge(kept: [u8; 2], weights: [f64; 2], point: DVec3) -> Foot {
        Foot { kept: [kept[0], kept[1], 0, 0], count: 2, weights: [weights[0], weights[1], 0.0, 0.0], point }
    }

    #[inline(always)]
    pub(super) fn face(kept: [u8; 3], weights: [f64; 3], point: DVec3) -> Foot {
        let [i, j, k] = kept;
        let [x, y, z] = weights;
        Foot { kept: [i, j, k, 0], count: 3, weights: [x, y, z, 0.0], point }
    }

    #[inline(always)]
    pub(super) fn inside(weights: [f64; 4]) -> Foot {
        Foot { kept: [0, 1, 2, 3], count: 4, weights, point: DVec3::ZERO }
    }

    /// The one nearer to the origin.
    #[inline(always)]
    pub(super) fn nearer(self, other: Foot) -> Foot {
        if other.point.length_squared() < self.point.length_squared() { other } else { self }
    }
}

/// A way to find the point of the hull of one to four points that is nearest to the origin.
pub(crate) trait Solver {
    fn foot(points: &[DVec3]) -> Foot;
}

/// The walk of this file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RegionWalk;

impl Solver for RegionWalk {
    #[inline(always)]
    fn foot(points: &[DVec3]) -> Foot {
        match *points {
            [a, b] => segment([a, b], [0, 1]),
            [a, b, c] => triangle([a, b, c], [0, 1, 2]),
            [a, b, c, d] => tetrahedron([a, b, c, d]),
            [a, ..] => Foot::vertex(0, a),
            [] => Foot::vertex(0, DVec3::ZERO),
        }
    }
}

/// With `u = b − a` the weights are `b·u` and `−a·u`, each with its own rounding, over `u²`. The foot is measured from
/// the nearer end and then made perpendicular to `u` once more: near the origin the rounding of `a` would tilt it, and
/// the plane across it would have less between the bodies than there is.
#[inline(always)]
fn segment([a, b]: [DVec3; 2], [i, j]: [u8; 2]) -> Foot {
    let u = b - a;
    let (x, y) = (b.dot(u), -a.dot(u));
    if y <= 0.0 {
        return Foot::vertex(i, a);
    }
    if x <= 0.0 {
        return Foot::vertex(j, b);
    }
    let inverse = 1.0 / (x + y);
    let (x, y) = (x * inverse, y * inverse);
    let foot = if x > y { a + u * y } else { b - u * x };
    Foot::edge([i, j], [x, y], foot - u * (foot.dot(u) * inverse))
}

/// With `n` the normal, the foot of the perpendicular has the weights `n·(b × c)`, `n·(c × a)`, `n·(a × b)` over `n²`.
/// A negative weight says that the opposite edge is seen from the foot.
#[inline(always)]
fn triangle([a, b, c]: [DVec3; 3], [i, j, k]: [u8; 3]) -> Foot {
    let edges = [b - a, c - b, a - c];
    let n = normal(edges);
    let (x, y, z) = (n.dot(b.cross(edges[1])), n.dot(c.cross(edges[2])), n.dot(a.cross(edges[0])));
    let sum = x + y + z;
    if x >= 0.0 && y >= 0.0 && z >= 0.0 && sum > 0.0 {
        let near = if x > y && x > z {
            a
        } else if y > z {
            b
        } else {
            c
        };
        let square = n.length_squared();
        return Foot::face([i, j, k], [x / sum, y / sum, z / sum], n * (n.dot(near) / square));
    }
    let flat = sum <= 0.0;
    let mut best: Option<Foot> = None;
    let mut offer = |foot: Foot| best = Some(best.map_or(foot, |b| b.nearer(foot)));
    if flat || z < 0.0 {
        offer(segment([a, b], [i, j]));
    }
    if flat || x < 0.0 {
        offer(segment([b, c], [j, k]));
    }
    if flat || y < 0.0 {
        offer(segment([a, c], [i, k]));
    }
    best.unwrap_or(Foot::vertex(i, a))
}

/// The faces seen from the origin, or the foot inside.
#[inline(always)]
fn tetrahedron(p: [DVec3; 4]) -> Foot {
    let sides = SimplexSides::of(p);
    if let Some(weights) = sides.inside() {
        return Foot::inside(weights);
    }
    let flat = sides.total == Sign::Zero;
    let mut best: Option<Foot> = None;
    for (corner, face) in [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]].into_iter().enumerate() {
        if flat || sides.signs[corner] == sides.total.flipped() {
            let foot = triangle(face.map(|i: u8| p[usize::from(i)]), face);
            if foot.count == 3 && !flat {
                return foot;
            }
            best = Some(best.map_or(foot, |b| b.nearer(foot)));
        }
    }
    best.unwrap_or(Foot::vertex(0, p[0]))
}

/// On which side of each face of a tetrahedron the origin lies, exactly.
///
/// Replacing one corner by the origin gives four volumes, whose sum is the whole. A face is seen from the origin when
/// the volume without its opposite corner has the other sign; none is seen from inside.
pub(super) struct SimplexSides {
    volumes: [f64; 4],
    whole: f64,
    signs: [Sign; 4],
    total: Sign,
}

impl SimplexSides {
    #[inline(always)]
    pub(super) fn of([a, b, c, d]: [DVec3; 4]) -> SimplexSides {
        let (u, v, w) = (b - a, c - a, d - a);
        let (uv, vw, wu) = (u.cross(v), v.cross(w), w.cross(u));
        let whole = u.dot(vw);
        let [x, y, z] = [-a.dot(vw), -a.dot(wu), -a.dot(uv)];
        let volumes = [whole - (x + y + z), x, y, z];
        // Each product of three is off by less than 32 EPS times its largest possible value.
        let spread = u.abs().max(v.abs()).max(w.abs()).max_element();
        let unsure = 32.0 * EPS * spread * spread * (4.0 * a.abs().max_element() + spread);
        let sign = |x: f64, p: [DVec3; 4]| {
            if x.abs() > unsure { Sign::of(x) } else { orient3d(p[0], p[1], p[2], p[3]) }
        };
        let o = DVec3::ZERO;
        let signs = [
            sign(volumes[0], [o, b, c, d]),
            sign(volumes[1], [a, o, c, d]),
            sign(volumes[2], [a, b, o, d]),
            sign(volumes[3], [a, b, c, o]),
        ];
        SimplexSides { volumes, whole, signs, total: sign(whole, [a, b, c, d]) }
    }

    /// The weights of the corners when the tetrahedron has a volume and holds the origin.
    #[inline(always)]
    pub(super) fn inside(&self) -> Option<[f64; 4]> {
        let out = self.total.flipped();
        let inside = self.total != Sign::Zero && self.signs.iter().all(|s| *s != out);
        inside.then(|| {
            // Of a sliver the volumes are mostly rounding.
            let shares = self.volumes.map(|x| (x / self.whole).clamp(0.0, 1.0));
            let sum: f64 = shares.iter().sum();
            if sum > 0.0 { shares.map(|x| x / sum) } else { [0.25; 4] }
        })
    }
}

/// The normal of a triangle, twice its area long, from its edges in order.
///
/// The two shorter edges give it best; when they too are nearly parallel, products are taken in twice the precision.
#[inline(always)]
pub(crate) fn normal([u, v, w]: [DVec3; 3]) -> DVec3 {
    let (uu, vv, ww) = (u.length_squared(), v.length_squared(), w.length_squared());
    let (x, y, squares) = if ww >= uu && ww >= vv {
        (u, v, uu * vv)
    } else if uu >= vv {
        (v, w, vv * ww)
    } else {
        (w, u, ww * uu)
    };
    let n = x.cross(y);
    if n.length_squared() > 1e-6 * squares { n } else { careful_cross(x, y) }
}

/// Each component within two units in the last place.
#[cold]
pub(crate) fn careful_cross(u: DVec3, v: DVec3) -> DVec3 {
    DVec3::new(
        difference_of_products(u.y, v.z, u.z, v.y),
        difference_of_products(u.z, v.x, u.x, v.z),
        difference_of_products(u.x, v.y, u.y, v.x),
    )
}

/// `ab − cd` without cancellation (Kahan): the rounding of `cd` is made good.
fn difference_of_products(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let cd = c * d;
    a.mul_add(b, -cd) + (-c).mul_add(d, cd)
}

#[cfg(test)]
mod tests {
    use super::super::{Johnson, SignedVolumes};
    use super::*;

    struct Dice(u64);

    impl Dice {
        fn below(&mut self, n: i128) -> i128 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            i128::from(self.0 >> 33) % n
        }

        fn simplex(&mut self, reach: i128) -> Vec<[i128; 3]> {
            let count = 1 + self.below(4);
            let shift = [0; 3].map(|_: i32| (self.below(3) - 1) * self.below(reach));
            (0..count).map(|_| shift.map(|s| s + self.below(2 * reach + 1) - reach)).collect()
        }
    }

    fn dot(p: [i128; 3], q: [i128; 3]) -> i128 {
        (0..3).map(|k| p[k] * q[k]).sum()
    }

    /// Distance of the hull of integer points from the origin: every subset's determinants, in integers.
    fn exact(points: &[[i128; 3]]) -> f64 {
        let mut best = f64::INFINITY;
        for subset in 1..1u32 << points.len() {
            let y: Vec<[i128; 3]> = (0..points.len()).filter(|i| subset >> i & 1 == 1).map(|i| points[i]).collect();
            let weights: Vec<i128> = (0..y.len()).map(|j| weight(&y, j)).collect();
            if weights.iter().all(|w| *w > 0) {
                let sum: f64 = weights.iter().sum::<i128>() as f64;
                let at = |k: usize| (0..y.len()).map(|i| weights[i] * y[i][k]).sum::<i128>() as f64 / sum;
                best = best.min(DVec3::new(at(0), at(1), at(2)).length());
            }
        }
        best
    }

    /// Johnson's determinant of point `j` in the set `y`.
    fn weight(y: &[[i128; 3]], j: usize) -> i128 {
        if y.len() == 1 {
            return 1;
        }
        let rest: Vec<[i128; 3]> = (0..y.len()).filter(|i| *i != j).map(|i| y[i]).collect();
        (0..rest.len()).map(|i| weight(&rest, i) * (dot(rest[i], rest[0]) - dot(rest[i], y[j]))).sum()
    }

    fn check<S: Solver>(points: &[[i128; 3]], tolerance: f64) {
        let truth = exact(points);
        let p: Vec<DVec3> = points.iter().map(|q| DVec3::from_array(q.map(|x| x as f64))).collect();
        let foot = S::foot(&p);
        let size = p.iter().fold(1.0, |m: f64, q| m.max(q.length()));
        let name = std::any::type_name::<S>();
        assert!((foot.point.length() - truth).abs() <= tolerance * size, "{name} {points:?}: {foot:?} not {truth}");
        let (mut sum, mut blend) = (0.0, DVec3::ZERO);
        for k in 0..foot.count {
            let ascending = k == 0 || foot.kept[k - 1] < foot.kept[k];
            assert!(foot.weights[k] >= 0.0 && ascending, "{name} {points:?}: {foot:?}");
            sum += foot.weights[k];
            blend += p[usize::from(foot.kept[k])] * foot.weights[k];
        }
        assert!(
            (sum - 1.0).abs() < 1e-12 && blend.distance(foot.point) <= tolerance * size,
            "{name} {points:?}: {foot:?}"
        );
        assert!(foot.count < 4 || truth == 0.0, "{name} {points:?}: {foot:?} is not inside, but {truth} away");
    }

    #[test]
    fn solvers_find_the_exact_distance() {
        let mut dice = Dice(7);
        for round in 0..100_000 {
            let reach = [2, 5, 2000][round % 3];
            let points = dice.simplex(reach);
            check::<RegionWalk>(&points, 1e-13);
            check::<SignedVolumes>(&points, 1e-12);
            check::<Johnson>(&points, 1e-9);
        }
    }

    #[test]
    fn needles_keep_their_digits() {
        let tip = DVec3::new(0.5, 1e-12, 0.25);
        let flat = [DVec3::new(0.0, 0.0, 0.25), DVec3::new(1.0, 0.0, 0.25), tip];
        let foot = RegionWalk::foot(&flat.map(|p| p - DVec3::new(0.5, 0.5e-12, 0.0)));
        assert_eq!(foot.count, 3);
        assert!(foot.point.distance(DVec3::new(0.0, 0.0, 0.25)) < 1e-15);
        let solid = [flat[0], flat[1], tip, DVec3::new(0.5, 0.0, 0.25 + 1e-12)];
        let inside = solid.iter().fold(DVec3::ZERO, |s, p| s + *p / 4.0);
        assert_eq!(RegionWalk::foot(&solid.map(|p| p - inside)).count, 4);
    }
}
