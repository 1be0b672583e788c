//! Four triangles side by side, tested at once against one: what is certainly apart, and at least how far.
//!
//! Everything here is a filter. A lane is ruled out only when its triangle is apart beyond rounding; the rest goes to
//! the exact test or to the full distance, one by one.
//!
//! **Error.** Coordinates are scaled so that none exceeds 1. With `L` the largest edge component of the triangle that
//! spans the plane, its normal is off by at most `8εL²` a component and the height of a point over the plane, which is
//! at most 2 away along each axis, by at most `96εL²` (ε = 2⁻⁵³). Heights within `128εL²` of zero count as zero. The
//! absolute term stands for underflow.

use glam::DVec3;

use super::Triangle;
use crate::math::simd::{F64x4, Simd, Vector, axes};
use crate::math::{EPS, Sign};

/// Lanes of a block.
pub(crate) const LANES: usize = 4;

/// Heights as small as this may be nothing but rounding, for edges of this size.
#[inline(always)]
fn noise(edge: f64) -> f64 {
    128.0 * EPS * edge * edge + 1e-300
}

/// Squared length below which a normal has too little of its direction left: `(2⁻²⁰L²)²`.
#[inline(always)]
fn thin(noise: f64) -> f64 {
    let length = noise * 67_108_864.0;
    length * length
}

/// Up to four triangles, coordinate by coordinate: `[corner][axis][lane]`.
///
/// Aligned to a vector of four lanes: where the lanes of a block lie across two cache lines, the distances of meshes
/// (W4, `graze` and `near`) take 5 % longer.
#[repr(align(32))]
#[derive(Debug, Clone)]
pub(crate) struct TriangleBlock {
    corners: [[[f64; LANES]; 3]; 3],
    len: usize,
    noise: f64,
}

impl TriangleBlock {
    pub(crate) const EMPTY: TriangleBlock = TriangleBlock { corners: [[[0.0; LANES]; 3]; 3], len: 0, noise: 0.0 };

    /// No triangles.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        (self.len, self.noise) = (0, 0.0);
    }

    /// One more triangle; a fifth is not taken.
    #[inline(always)]
    pub(crate) fn push(&mut self, t: &Triangle) {
        let lane = self.len;
        if lane >= LANES {
            return;
        }
        for (corner, x) in t.iter().enumerate() {
            self.corners[corner][0][lane] = x.x;
            self.corners[corner][1][lane] = x.y;
            self.corners[corner][2][lane] = x.z;
        }
        self.len = lane + 1;
        self.noise = self.noise.max(noise(longest(t)));
    }

    #[inline(always)]
    pub(crate) fn triangle(&self, lane: usize) -> Triangle {
        [0, 1, 2].map(|c| DVec3::new(self.corners[c][0][lane], self.corners[c][1][lane], self.corners[c][2][lane]))
    }

    #[inline(always)]
    pub(super) fn corner<S: Simd>(&self, c: usize) -> V<S> {
        V(axes!(i => S::F64x4::load(&self.corners[c][i])))
    }

    /// Least projection of each triangle on `n`; infinite in empty lanes.
    #[inline(always)]
    pub(crate) fn lowest(&self, n: DVec3) -> [f64; LANES] {
        let mut low = [f64::INFINITY; LANES];
        for (lane, low) in low.iter_mut().enumerate().take(self.len) {
            let t = self.triangle(lane);
            *low = n.dot(t[0]).min(n.dot(t[1])).min(n.dot(t[2]));
        }
        low
    }

    #[inline(always)]
    fn live(&self) -> u32 {
        (1 << self.len) - 1
    }
}

/// Largest component of an edge.
#[inline(always)]
fn longest(t: &Triangle) -> f64 {
    let edge = (t[1] - t[0]).abs().max((t[2] - t[0]).abs()).max((t[2] - t[1]).abs());
    edge.max_element()
}

/// Four points.
#[derive(Clone, Copy)]
pub(super) struct V<S: Simd>(pub(super) [S::F64x4; 3]);

impl<S: Simd> V<S> {
    #[inline(always)]
    pub(super) fn splat(x: DVec3) -> Self {
        V([S::F64x4::splat(x.x), S::F64x4::splat(x.y), S::F64x4::splat(x.z)])
    }

    #[inline(always)]
    pub(super) fn sub(self, o: Self) -> Self {
        V(axes!(i => self.0[i].sub(o.0[i])))
    }

    #[inline(always)]
    pub(super) fn min(self, o: Self) -> Self {
        V(axes!(i => self.0[i].min(o.0[i])))
    }

    #[inline(always)]
    pub(super) fn max(self, o: Self) -> Self {
        V(axes!(i => self.0[i].max(o.0[i])))
    }

    #[inline(always)]
    pub(super) fn dot(self, o: Self) -> S::F64x4 {
        let [x, y, z] = axes!(i => self.0[i].mul(o.0[i]));
        x.add(y).add(z)
    }

    #[inline(always)]
    pub(super) fn cross(self, o: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, o.0);
        V([b.mul(z).sub(c.mul(y)), c.mul(x).sub(a.mul(z)), a.mul(y).sub(b.mul(x))])
    }
}

#[inline(always)]
fn extremes<F: F64x4>(x: [F; 3]) -> (F, F) {
    (x[0].min(x[1]).min(x[2]), x[0].max(x[1]).max(x[2]))
}

/// How far four pairs of triangles are apart at least, and which of them may overlap.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Apart {
    /// Lower bounds on the squared distances.
    pub(crate) squared: [f64; LANES],
    /// Bit `k` is set unless lane `k` is certainly apart.
    pub(crate) may_overlap: u32,
}

/// Heights of the corners of one triangle and of four others over each other's planes: `[corner][lane]`, and below what
/// they may be nothing but rounding. Heights have the sign of the orientation that the exact test asks for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Heights {
    of_a: [[f64; LANES]; 3],
    of_b: [[f64; LANES]; 3],
    noise: [f64; 2],
}

impl Heights {
    const NONE: Heights = Heights { of_a: [[0.0; LANES]; 3], of_b: [[0.0; LANES]; 3], noise: [0.0; 2] };

    /// Signs of the heights of `a` and of `b` in a lane, where they are certain.
    #[inline(always)]
    pub(crate) fn signs(&self, lane: usize) -> [[Option<Sign>; 3]; 2] {
        [axes!(k => certain(self.of_a[k][lane], self.noise[0])), axes!(k => certain(self.of_b[k][lane], self.noise[1]))]
    }
}

#[inline(always)]
fn certain(height: f64, noise: f64) -> Option<Sign> {
    (height.abs() > noise).then(|| Sign::of(height))
}

/// One triangle with its plane and box, ready to meet blocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TrianglePlane {
    triangle: Triangle,
    normal: DVec3,
    noise: f64,
    low: DVec3,
    high: DVec3,
}

impl TrianglePlane {
    #[inline(always)]
    pub(crate) fn of(t: &Triangle) -> TrianglePlane {
        TrianglePlane {
            triangle: *t,
            normal: (t[1] - t[0]).cross(t[2] - t[0]),
            noise: noise(longest(t)),
            low: t[0].min(t[1]).min(t[2]),
            high: t[0].max(t[1]).max(t[2]),
        }
    }

    pub(crate) fn triangle(&self) -> &Triangle {
        &self.triangle
    }

    /// Greatest projection of the triangle on `n`.
    #[inline(always)]
    pub(crate) fn highest(&self, n: DVec3) -> f64 {
        n.dot(self.triangle[0]).max(n.dot(self.triangle[1])).max(n.dot(self.triangle[2]))
    }

    /// Heights of the block's corners over this plane, times the length of its normal.
    #[inline(always)]
    fn heights<S: Simd>(&self, b: [V<S>; 3]) -> [S::F64x4; 3] {
        let (n, o) = (V::<S>::splat(self.normal), V::<S>::splat(self.triangle[0]));
        axes!(k => n.dot(b[k].sub(o)))
    }

    /// Heights of this triangle's corners over the planes of the block's triangles, likewise, and the planes' normals.
    #[inline(always)]
    fn heights_over<S: Simd>(&self, b: [V<S>; 3]) -> ([S::F64x4; 3], V<S>) {
        let n = b[1].sub(b[0]).cross(b[2].sub(b[0]));
        (axes!(k => n.dot(V::<S>::splat(self.triangle[k]).sub(b[0]))), n)
    }

    /// Gaps between the boxes along the axes; negative where the boxes overlap.
    #[inline(always)]
    fn box_gaps<S: Simd>(&self, b: [V<S>; 3]) -> V<S> {
        let (low, high) = (b[0].min(b[1]).min(b[2]), b[0].max(b[1]).max(b[2]));
        low.sub(V::splat(self.high)).max(V::splat(self.low).sub(high))
    }

    /// The lanes of `block` that are not certainly apart from this triangle, and the heights that say so.
    #[inline(always)]
    pub(crate) fn may_overlap<S: Simd>(&self, block: &TriangleBlock) -> (u32, Heights) {
        let b = [block.corner::<S>(0), block.corner(1), block.corner(2)];
        let zero = S::F64x4::splat(0.0);
        let mut heights = Heights { noise: [block.noise, self.noise], ..Heights::NONE };
        let [x, y, z] = self.box_gaps(b).0;
        let mut together = block.live() & !zero.lt(x.max(y).max(z));
        if together == 0 {
            return (0, heights);
        }
        let over = self.heights::<S>(b);
        heights.of_b = axes!(k => over[k].array());
        let (low, high) = extremes(over);
        together &= !S::F64x4::splat(self.noise).lt(low.max(zero.sub(high)));
        if together == 0 {
            return (0, heights);
        }
        let (over, _) = self.heights_over::<S>(b);
        heights.of_a = axes!(k => over[k].array());
        let (low, high) = extremes(over);
        together &= !S::F64x4::splat(block.noise).lt(low.max(zero.sub(high)));
        (together, heights)
    }

    /// The lanes of `block` that may come as near as `enough` while the block moves from `−half` to `half` about where
    /// it is: those that no axis separates. For a triangle and the prism that another one sweeps, the axes are the
    /// normals of both triangles and the products of their edges with the way; products of two edges are left out, and
    /// the axes of the coordinates come first.
    ///
    /// Any direction `n` may be used, however it was rounded, if all corners are projected on it. Beside the heights,
    /// `n·half` is off by `30εL²` for a normal, and for a product, where it is nothing, by `16εL|half|₁`.
    #[inline(always)]
    pub(crate) fn may_come_near<S: Simd>(&self, block: &TriangleBlock, half: DVec3, enough: f64) -> u32 {
        let b = [block.corner::<S>(0), block.corner(1), block.corner(2)];
        let zero = S::F64x4::splat(0.0);
        let most = S::F64x4::splat(enough + 8.0 * EPS);
        let way = V::<S>::splat(half);
        let [x, y, z] = self.box_gaps(b).sub(V::splat(half.abs())).0;
        let mut near = block.live() & !most.lt(x.max(y).max(z));
        if near == 0 {
            return 0;
        }
        let (low, high) = extremes(self.heights::<S>(b));
        let past = self.normal.dot(half).abs() + enough * self.normal.length() * (1.0 + 1e-12) + 2.0 * self.noise;
        near &= !S::F64x4::splat(past).lt(low.max(zero.sub(high)));
        if near == 0 {
            return 0;
        }
        let (over, n) = self.heights_over::<S>(b);
        let (low, high) = extremes(over);
        let reach = n.dot(n).sqrt().mul(S::F64x4::splat(enough * (1.0 + 1e-12)));
        let past = n.dot(way).abs().add(reach).add(S::F64x4::splat(2.0 * block.noise));
        near &= !past.lt(low.max(zero.sub(high)));
        let (o, t) = (V::<S>::splat(self.triangle[0]), &self.triangle);
        let (mine, theirs) = (axes!(k => V::<S>::splat(t[k] - t[0])), axes!(k => b[k].sub(o)));
        let size = S::F64x4::splat(128.0 * EPS * half.abs().element_sum());
        for k in 0..6 {
            if near == 0 {
                break;
            }
            let edge = match k {
                0..3 => mine[(k + 1) % 3].sub(mine[k]),
                _ => b[(k - 2) % 3].sub(b[k - 3]),
            };
            let n = edge.cross(way);
            let (low, high) = extremes(axes!(k => n.dot(theirs[k])));
            let (mine_low, mine_high) = extremes(axes!(k => n.dot(mine[k])));
            let gap = low.sub(mine_high).max(mine_low.sub(high));
            let sum = n.0[0].abs().add(n.0[1].abs()).add(n.0[2].abs());
            let rounding = sum.mul(S::F64x4::splat(32.0 * EPS)).add(size);
            let reach = n.dot(n).sqrt().mul(S::F64x4::splat(enough * (1.0 + 1e-12)));
            near &= !reach.add(rounding).lt(gap);
        }
        near
    }

    /// Lower bounds on the squared distances to the lanes of `block`, along the lines between the middles of the
    /// triangles: nearly exact for triangles farther apart than they are large. The direction may be any; the heights
    /// of corners, which are at most 2 away along each axis, are off by at most eight roundings of the sum of its
    /// components.
    #[inline(always)]
    pub(crate) fn between<S: Simd>(&self, block: &TriangleBlock) -> [f64; LANES] {
        let b = [block.corner::<S>(0), block.corner(1), block.corner(2)];
        let t = &self.triangle;
        let o = V::<S>::splat(t[0]);
        let n = V(axes!(i => b[0].0[i].add(b[1].0[i]).add(b[2].0[i]))).sub(V::splat(t[0] + t[1] + t[2]));
        let (low, _) = extremes(axes!(k => n.dot(b[k].sub(o))));
        let zero = S::F64x4::splat(0.0);
        let high = zero.max(n.dot(V::splat(t[1] - t[0]))).max(n.dot(V::splat(t[2] - t[0])));
        let sum = n.0[0].abs().add(n.0[1].abs()).add(n.0[2].abs());
        let gap = low.sub(high).sub(sum.mul(S::F64x4::splat(32.0 * EPS))).max(zero);
        let squared = gap.mul(gap).div(n.dot(n).max(S::F64x4::splat(1e-300)));
        squared.mul(S::F64x4::splat(1.0 - 1e-12)).array()
    }

    /// The same while the block moves from `−half` to `half`, which is no more than 1 along each axis: along the lines
    /// between the middles when these are nearest.
    #[inline(always)]
    pub(crate) fn between_swept<S: Simd>(&self, block: &TriangleBlock, half: DVec3) -> [f64; LANES] {
        let b = [block.corner::<S>(0), block.corner(1), block.corner(2)];
        let t = &self.triangle;
        let (o, way) = (V::<S>::splat(t[0]), V::<S>::splat(half));
        let three = V(axes!(i => b[0].0[i].add(b[1].0[i]).add(b[2].0[i]))).sub(V::splat(t[0] + t[1] + t[2]));
        let most = S::F64x4::splat(3.0);
        let square = S::F64x4::splat((half.length_squared() + 1e-300).recip());
        let at = way.dot(three).mul(square).max(S::F64x4::splat(-3.0)).min(most);
        let n = V(axes!(i => three.0[i].sub(at.mul(way.0[i]))));
        let (low, _) = extremes(axes!(k => n.dot(b[k].sub(o))));
        let zero = S::F64x4::splat(0.0);
        let high = zero.max(n.dot(V::splat(t[1] - t[0]))).max(n.dot(V::splat(t[2] - t[0])));
        let sum = n.0[0].abs().add(n.0[1].abs()).add(n.0[2].abs());
        let past = n.dot(way).abs().add(sum.mul(S::F64x4::splat(64.0 * EPS)));
        let gap = low.sub(high).sub(past).max(zero);
        let squared = gap.mul(gap).div(n.dot(n).max(S::F64x4::splat(1e-300)));
        squared.mul(S::F64x4::splat(1.0 - 1e-12)).array()
    }

    /// Lower bounds on the squared distances to the lanes of `block`; infinite in empty lanes.
    #[inline(always)]
    pub(crate) fn apart<S: Simd>(&self, block: &TriangleBlock) -> Apart {
        let b = [block.corner::<S>(0), block.corner(1), block.corner(2)];
        let zero = S::F64x4::splat(0.0);
        let gaps = self.box_gaps(b);
        let positive = gaps.max(V([zero; 3]));
        let boxes = positive.dot(positive);

        let (low, high) = extremes(self.heights::<S>(b));
        let mine = low.max(zero.sub(high)).sub(S::F64x4::splat(self.noise)).max(zero);
        let (over, normals) = self.heights_over::<S>(b);
        let (low, high) = extremes(over);
        let theirs = low.max(zero.sub(high)).sub(S::F64x4::splat(block.noise)).max(zero);

        // Squared heights. A normal longer than 2⁻²⁰L² has its length to 2⁻²⁸; what is thinner bounds nothing.
        let thin = S::F64x4::splat(thin(self.noise));
        let n2 = S::F64x4::splat(self.normal.length_squared());
        let mine2 = thin.if_lt(n2, mine.mul(mine).div(n2.max(thin)), zero);
        let thin = S::F64x4::splat(self::thin(block.noise));
        let m2 = normals.dot(normals);
        let theirs2 = thin.if_lt(m2, theirs.mul(theirs).div(m2.max(thin)), zero);

        let shrink = S::F64x4::splat(1.0 - 1e-8);
        let mut squared = boxes.max(mine2).max(theirs2).mul(shrink).array();
        for lane in &mut squared[block.len..] {
            *lane = f64::INFINITY;
        }
        let [x, y, z] = gaps.0;
        let certain = zero.lt(x.max(y).max(z)) | zero.lt(mine) | zero.lt(theirs);
        Apart { squared, may_overlap: block.live() & !certain }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::simd::{Kernel, dispatch};
    use crate::prim::{nearest, triangles_overlap};

    struct Both<'a>(&'a TrianglePlane, &'a TriangleBlock);
    impl Kernel for Both<'_> {
        type Output = (u32, Apart, [f64; LANES]);
        fn run<S: Simd>(self) -> Self::Output {
            (self.0.may_overlap::<S>(self.1).0, self.0.apart::<S>(self.1), self.0.between::<S>(self.1))
        }
    }

    #[test]
    fn never_rules_out_what_overlaps_nor_overstates_a_distance() {
        let mut state = 7u64;
        let mut coordinate = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            f64::from((state >> 60) as u32) / 8.0 - 1.0
        };
        let mut triangle = move || [(); 3].map(|()| DVec3::new(coordinate(), coordinate(), coordinate()));
        let mut block = TriangleBlock::EMPTY;
        for _ in 0..20_000 {
            let a = triangle();
            let b = [triangle(), triangle(), triangle()];
            block.clear();
            b.iter().for_each(|t| block.push(t));
            let (mask, apart, between) = dispatch(Both(&TrianglePlane::of(&a), &block));
            assert_eq!((mask | apart.may_overlap) >> 3, 0);
            for (lane, t) in b.iter().enumerate() {
                assert!(between[lane] <= nearest(&a, t).squared * (1.0 + 1e-14));
                if triangles_overlap(&a, t) {
                    assert!(
                        between[lane] == 0.0 && mask & apart.may_overlap & 1 << lane != 0 && apart.squared[lane] == 0.0
                    );
                } else {
                    assert!(apart.squared[lane] <= nearest(&a, t).squared * (1.0 + 1e-14));
                }
            }
        }
    }

    struct Passing<'a>(&'a TrianglePlane, &'a TriangleBlock, DVec3, f64);
    impl Kernel for Passing<'_> {
        type Output = u32;
        fn run<S: Simd>(self) -> u32 {
            self.0.may_come_near::<S>(self.1, self.2, self.3)
        }
    }

    /// Against distances at nine times; on a coarse grid, so that many only touch, at an end or in passing.
    #[test]
    fn never_rules_out_what_comes_near_in_passing() {
        let mut state = 11u64;
        let mut coordinate = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            f64::from((state >> 60) as u32) / 8.0 - 1.0
        };
        let mut point = move || DVec3::new(coordinate(), coordinate(), coordinate());
        let (mut block, mut dropped) = (TriangleBlock::EMPTY, 0);
        for round in 0..20_000 {
            let mut triangle = || [point(), point(), point()];
            let (a, b) = (triangle(), [triangle(), triangle(), triangle()]);
            block.clear();
            b.iter().for_each(|t| block.push(t));
            let along = [DVec3::ONE, DVec3::X, DVec3::Z, DVec3::ZERO][round % 4];
            let (half, enough) = (point() * 0.5 * along, [0.0, 1e-12, 0.125][round % 3]);
            let near = dispatch(Passing(&TrianglePlane::of(&a), &block, half, enough));
            assert_eq!(near >> 3, 0);
            dropped += 3 - near.count_ones();
            for (lane, t) in b.iter().enumerate() {
                let at = |k: i32| t.map(|x| x + half * (f64::from(k) / 4.0));
                let comes = (-4..=4).any(|k| {
                    let t = at(k);
                    triangles_overlap(&a, &t) || nearest(&a, &t).squared.sqrt() <= enough
                });
                assert!(!comes || near >> lane & 1 == 1, "{a:?} {t:?} {half} {enough}");
            }
        }
        assert!(dropped > 10_000, "{dropped}");
    }
}
