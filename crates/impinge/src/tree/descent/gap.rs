//! How far two oriented boxes are apart at least: the bound of the distance queries, eight at once, in `f64`.
//!
//! With `t` between the centres, `C_ij` the cosines between the axes of the two boxes, and `ha`, `hb` their half
//! extents, the gaps along the axes of one box bound the distance by their Euclidean length, because the other lies in
//! a box along these axes; so do the gaps along the axes of the other; and so does the gap along any
//! direction `n`. The bound, squared, is the largest:
//!
//! ```text
//!     g_i = max(0, |a_i·t| − ha_i − Σ_j |C_ij|·hb_j)    g'_j = max(0, |b_j·t| − hb_j − Σ_i |C_ij|·ha_i)
//!     g'' = max(0, n·t − Σ_i |a_i·n|·ha_i − Σ_j |b_j·n|·hb_j)
//!     bound² = max(Σ_i g_i², Σ_j g'_j², g''²)
//! ```
//!
//! Two directions are tried. With `n` between the closest points known so far the gap is sharp for the pairs that
//! matter most; with `n = t/|t|`, between the centres, whose products with the axes are there already, for boxes far
//! apart for their size, wherever they lie: measured, a quarter fewer pairs are opened between bodies half their size
//! apart.
//!
//! Bodies about as far apart as they are large are bounded in `f32`, eight boxes in one register. Those farther apart
//! are bounded in `f64`: their gaps differ in digits that `f32` does not have, and a bound that cannot tell them apart
//! would visit every pair.
//!
//! A body that is *swept*, from `−y` to `y` about where it stands (Xavier 1997, §2.2), has all its boxes swept alike:
//! along any direction each reaches `|y|`'s part in it farther, so `|a_i·y|`, `|b_j·y|` and `|n·y|` come off the gaps.
//! Instead of `t` the way between the middles is then `n = t − u·y`, with `u` in `[−1, 1]` where it is shortest: along
//! it no position is nearer than that one, `n·t − |n·y| = n·n`, and its products with the axes are `a_i·t − u·(a_i·y)`.
//!
//! **Error.** The boxes are stored in `f32` with axes orthonormal to `2⁻²²`: the sums of squares are reduced by `10⁻⁶`.
//! In `f64` the arithmetic is off by some 60 roundings of `2⁻⁵³` of the largest term, which is at most `4 + |T|`:
//! `2⁻⁴⁶` times that is taken off every gap. In `f32` each box counts for itself: entries of the axes are off by at
//! most five roundings, of the third axis, a cross product, by a dozen, those of `t` by two, and a gap, with its
//! products and sums, by 24 of `2⁻²⁴` times `|t|₁ + Σha + Σhb`: 32 are taken off, and another `10⁻⁶` of the square,
//! or as much is added to the square of what a gap is compared with.
//! With a sweep `|y|₁` counts as `|t|₁` does. There `u` is off by 6 roundings of `|t|·|y|/y²`, `n` by one of
//! `|t| + 2|y|`, and so `n·n` and the products with the axes together by 16 of `|t| + |y|` times all of that: the gap
//! along `n` has twice the slack taken off, times `|t|₁ + |y|₁`.

use glam::DVec3;

use super::descend::{ChildBounds, Metric, TreeFrame};
use crate::math::simd::{F32x8, F64x4, Kernel, Simd, Vector, axes};
use crate::tree::nodes::WIDTH;
use crate::tree::oriented::{Oriented, OrientedBox};

/// Both trees' oriented boxes, and the maps between the trees' units; with `SWEPT`, of which one is swept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OrientedGap<'t, const SWEPT: bool = false> {
    outer: &'t [Oriented],
    inner: &'t [Oriented],
    /// Into the outer tree's units, and into the inner's.
    to_outer: IntoTree,
    to_inner: IntoTree,
    /// Whether `f32` is precise enough to compare the gaps.
    close: bool,
}

/// The map into the units of one of the trees, and the direction that leads to the other body there.
#[derive(Debug, Clone, Copy)]
struct IntoTree {
    to: TreeFrame,
    /// Rows of its rotation.
    turn: [[f32; 3]; 3],
    direction: DVec3,
    /// Half the way of the swept body, and one over its square.
    sweep: DVec3,
    per_square: f64,
}

impl IntoTree {
    fn new(to: TreeFrame, direction: DVec3, sweep: DVec3) -> IntoTree {
        let per_square = (sweep.length_squared() + 1e-30).recip();
        IntoTree { to, turn: to.rotation.map(narrow), direction, sweep, per_square }
    }
}

fn narrow(v: [f64; 3]) -> [f32; 3] {
    [v[0] as f32, v[1] as f32, v[2] as f32]
}

/// Farthest that bodies bounded in `f32` may be apart, in either tree's unit.
const CLOSE: f64 = 16.0;

impl<'t> OrientedGap<'t> {
    /// `direction` leads from the outer body to the inner, in the outer's frame; it has length 1 or 0.
    pub(crate) fn new(
        outer: &'t [Oriented],
        inner: &'t [Oriented],
        to_outer: &TreeFrame,
        direction: DVec3,
    ) -> OrientedGap<'t> {
        OrientedGap::between(outer, inner, to_outer, direction, DVec3::ZERO)
    }
}

impl<'t> OrientedGap<'t, true> {
    /// The same with one body swept from `−sweep` to `sweep`, in the outer tree's frame and unit.
    pub(crate) fn swept(
        outer: &'t [Oriented],
        inner: &'t [Oriented],
        to_outer: &TreeFrame,
        direction: DVec3,
        sweep: DVec3,
    ) -> OrientedGap<'t, true> {
        OrientedGap::between(outer, inner, to_outer, direction, sweep)
    }
}

impl<'t, const SWEPT: bool> OrientedGap<'t, SWEPT> {
    fn between(
        outer: &'t [Oriented],
        inner: &'t [Oriented],
        to_outer: &TreeFrame,
        direction: DVec3,
        sweep: DVec3,
    ) -> OrientedGap<'t, SWEPT> {
        let to_inner = to_outer.inverse();
        let swept = to_inner.rotate(sweep) * to_inner.scale;
        let far = sweep.abs().max_element().max(swept.abs().max_element());
        let close = to_outer.reach().max(to_inner.reach()).max(far) <= CLOSE;
        let back = -to_inner.rotate(direction);
        let (to_outer, to_inner) = (IntoTree::new(*to_outer, direction, sweep), IntoTree::new(to_inner, back, swept));
        OrientedGap { outer, inner, to_outer, to_inner, close }
    }
}

impl<const SWEPT: bool> Metric for OrientedGap<'_, SWEPT> {
    type Bound = f64;

    #[inline(always)]
    fn outer_children<S: Simd>(&self, node: usize, inner: usize, cutoff: f64) -> ChildBounds<f64> {
        let (node, other) = (&self.outer[node], (&self.inner[inner / WIDTH], inner % WIDTH));
        S::brief_part(Children { gap: self, node, way: &self.to_outer, other, unit2: 1.0, cutoff })
    }

    #[inline(always)]
    fn inner_children<S: Simd>(&self, outer: usize, node: usize, cutoff: f64) -> ChildBounds<f64> {
        let unit2 = self.to_outer.to.scale * self.to_outer.to.scale;
        let (node, other) = (&self.inner[node], (&self.outer[outer / WIDTH], outer % WIDTH));
        S::brief_part(Children { gap: self, node, way: &self.to_inner, other, unit2, cutoff })
    }
}

impl<const SWEPT: bool> OrientedGap<'_, SWEPT> {
    /// Whether the bodies are close enough for `f32`.
    pub(crate) fn is_close(&self) -> bool {
        self.close
    }

    /// Whether the box in an outer slot is thicker than the one in an inner slot: its two lesser extents together.
    /// Between boxes along surfaces that lie along each other, thickness is a better guide to which to open than
    /// length. Measured on a gear on its spindle: by the sum of all extents a fifth more boxes are tested, a third if
    /// swept.
    #[inline(always)]
    pub(crate) fn is_outer_thicker(&self, outer: usize, inner: usize) -> bool {
        let thickness = |boxes: &[Oriented], slot: usize| {
            let [x, y, z] = axes!(i => boxes[slot / WIDTH].half[i][slot % WIDTH]);
            x + y + z - x.max(y).max(z)
        };
        thickness(self.outer, outer) >= thickness(self.inner, inner) * self.to_outer.to.scale as f32
    }

    /// Of the eight boxes of an outer node those that no axis of a box shows to be more than `cutoff` apart from the
    /// box in an inner slot. For bodies close enough for `f32`.
    #[inline(always)]
    pub(crate) fn outer_within<S: Simd>(&self, node: usize, inner: usize, cutoff: f32) -> u32 {
        let other = (&self.inner[inner / WIDTH], inner % WIDTH);
        S::brief_part(ChildrenWithin::<SWEPT> {
            node: &self.outer[node],
            way: &self.to_outer,
            other,
            unit: 1.0,
            cutoff,
        })
    }

    /// The same of an inner node.
    #[inline(always)]
    pub(crate) fn inner_within<S: Simd>(&self, outer: usize, node: usize, cutoff: f32) -> u32 {
        let other = (&self.outer[outer / WIDTH], outer % WIDTH);
        let unit = self.to_outer.to.scale;
        S::brief_part(ChildrenWithin::<SWEPT> { node: &self.inner[node], way: &self.to_inner, other, unit, cutoff })
    }
}

/// Those of the eight boxes of a node that no axis shows to be farther than `cutoff` from a slot of the other tree;
/// gaps count times `unit`.
struct ChildrenWithin<'g, const SWEPT: bool> {
    node: &'g Oriented,
    way: &'g IntoTree,
    other: (&'g Oriented, usize),
    unit: f64,
    cutoff: f32,
}

impl<const SWEPT: bool> Kernel for ChildrenWithin<'_, SWEPT> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Simd>(self) -> u32 {
        let close = Close::<S>::new(self.node, self.way, self.other.0, self.other.1, SWEPT);
        let gap = close.widest_gap::<SWEPT>().mul(S::F32x8::rounded(self.unit));
        gap.le(S::F32x8::splat(self.cutoff * (1.0 + 2e-6)))
    }
}

/// Squared bounds of the eight boxes of a node against a slot of the other tree, times `unit2`.
struct Children<'g, 'b, const SWEPT: bool> {
    gap: &'g OrientedGap<'b, SWEPT>,
    node: &'g Oriented,
    way: &'g IntoTree,
    other: (&'g Oriented, usize),
    unit2: f64,
    cutoff: f64,
}

impl<const SWEPT: bool> Kernel for Children<'_, '_, SWEPT> {
    type Output = ChildBounds<f64>;

    #[inline(always)]
    fn run<S: Simd>(self) -> ChildBounds<f64> {
        let Children { gap, node, way, other: (other, k), unit2, cutoff } = self;
        if gap.close {
            let squared = Close::<S>::new(node, way, other, k, SWEPT).squared_gap::<SWEPT>(way);
            let squared = squared.mul(S::F32x8::rounded(unit2 * (1.0 - 2e-6)));
            let within = squared.le(S::F32x8::splat((cutoff as f32).next_up().min(f32::MAX)));
            let [s, t, u, v, w, x, y, z] = squared.array();
            let bound = [s.into(), t.into(), u.into(), v.into(), w.into(), x.into(), y.into(), z.into()];
            return ChildBounds { bound, within };
        }
        bounds::<S, SWEPT>(node, &place(&way.to, &other.slot(k)), way, unit2, cutoff)
    }
}

fn slack(way: &IntoTree) -> f64 {
    (4.0 + 4.0 * way.to.scale + way.to.reach() + way.sweep.abs().element_sum()) / (1u64 << 46) as f64
}

/// The box in the other tree's units.
#[inline(always)]
fn place(to: &TreeFrame, b: &OrientedBox) -> OrientedBox {
    OrientedBox {
        centre: to.rotate(b.centre * to.scale) + DVec3::from_array(to.translation),
        axes: axes!(j => to.rotate(b.axes[j])),
        half: b.half * to.scale,
    }
}

/// Eight boxes and the one that they are compared with, in `f32`. Only the middle of the one is placed in `f64`, and
/// kept in two parts.
struct Close<S: Simd> {
    node: BoxLanes<S::F32x8>,
    b: [[f32; 3]; 3],
    hb: [f32; 3],
    slack: S::F32x8,
    sweep: SweepLanes<S::F32x8>,
}

impl<S: Simd> Close<S> {
    #[inline(always)]
    fn new(node: &Oriented, way: &IntoTree, other: &Oriented, k: usize, swept: bool) -> Close<S> {
        let middle = axes!(i => f64::from(other.centre[i][k]) * way.to.scale);
        let centre = (way.to.rotate(DVec3::from_array(middle)) + DVec3::from_array(way.to.translation)).to_array();
        let (x, y) = (turned(&way.turn, &other.axes[0], k), turned(&way.turn, &other.axes[1], k));
        let b = [x, y, [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]];
        let hb = axes!(j => other.half[j][k] * way.to.scale as f32);
        let mut size_b = hb[0] + hb[1] + hb[2];
        let zero = S::F32x8::splat(0.0);
        let mut sweep = SweepLanes { y: [zero; 3], b_y: [zero; 3], length: zero, per_square: zero };
        if swept {
            let y = narrow(way.sweep.to_array());
            let length = y[0].abs() + y[1].abs() + y[2].abs();
            size_b += length;
            sweep = SweepLanes {
                y: axes!(i => S::F32x8::splat(y[i])),
                b_y: axes!(j => S::F32x8::splat(dot3(b[j], y))),
                length: S::F32x8::splat(length),
                per_square: S::F32x8::rounded(way.per_square),
            };
        }
        let ha = axes!(i => S::F32x8::load(&node.half[i]));
        let t = axes!(i => {
            let high = centre[i] as f32;
            let low = (centre[i] - f64::from(high)) as f32;
            S::F32x8::splat(high).sub(S::F32x8::load(&node.centre[i])).add(S::F32x8::splat(low))
        });
        let extent = t[0].abs().add(t[1].abs()).add(t[2].abs()).add(ha[0]).add(ha[1]).add(ha[2]);
        let slack = extent.add(S::F32x8::splat(size_b)).mul(S::F32x8::splat(1.0 / (1 << 19) as f32));
        let node = BoxLanes {
            x: axes!(i => S::F32x8::load(&node.axes[0][i])),
            y: axes!(i => S::F32x8::load(&node.axes[1][i])),
            half: ha,
            t,
        };
        Close { node, b, hb, slack, sweep }
    }

    #[inline(always)]
    fn splat3(v: [f32; 3]) -> [S::F32x8; 3] {
        axes!(i => S::F32x8::splat(v[i]))
    }

    /// The bounds, squared.
    #[inline(always)]
    fn squared_gap<const SWEPT: bool>(&self, way: &IntoTree) -> S::F32x8 {
        let n = narrow(way.direction.to_array());
        let mut radius_b = (0..3).fold(0.0, |sum, j| sum + dot3(self.b[j], n).abs() * self.hb[j]);
        if SWEPT {
            radius_b += dot3(narrow(way.sweep.to_array()), n).abs();
        }
        squared_gap::<_, SWEPT>(
            &self.node,
            axes!(j => Self::splat3(self.b[j])),
            Self::splat3(self.hb),
            Self::splat3(n),
            S::F32x8::splat(radius_b),
            self.slack,
            &self.sweep,
        )
    }

    /// The widest of the gaps along the axes of the boxes: for boxes that nearly touch as good as their distance, and
    /// little more than half the work.
    #[inline(always)]
    fn widest_gap<const SWEPT: bool>(&self) -> S::F32x8 {
        let (a, b) = (self.node.axes(), axes!(j => Self::splat3(self.b[j])));
        let (ha, hb) = (self.node.half, Self::splat3(self.hb));
        let (mine, theirs, _) = gaps_along_axes::<_, SWEPT>(&self.node, a, b, ha, hb, &self.sweep);
        let [x, y, z] = axes!(i => theirs[i].max(mine[i]));
        x.max(y).max(z).sub(self.slack)
    }
}

/// Axis of box `k`, turned.
#[inline(always)]
fn turned(turn: &[[f32; 3]; 3], axis: &[[f32; WIDTH]; 3], k: usize) -> [f32; 3] {
    let axis = axes!(i => axis[i][k]);
    axes!(i => dot3(turn[i], axis))
}

#[inline(always)]
fn dot3(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The same in `f64`.
#[inline(always)]
fn bounds<S: Simd, const SWEPT: bool>(
    node: &Oriented,
    fixed: &OrientedBox,
    way: &IntoTree,
    unit2: f64,
    cutoff: f64,
) -> ChildBounds<f64> {
    let low = half_bounds::<S, SWEPT>(node, 0, fixed, way, unit2);
    let high = half_bounds::<S, SWEPT>(node, 1, fixed, way, unit2);
    let cutoff = S::F64x4::splat(cutoff);
    let beyond = cutoff.lt(low) | cutoff.lt(high) << 4;
    let (l, h) = (low.array(), high.array());
    ChildBounds { bound: [l[0], l[1], l[2], l[3], h[0], h[1], h[2], h[3]], within: 0xff ^ beyond }
}

#[inline(always)]
fn half_bounds<S: Simd, const SWEPT: bool>(
    node: &Oriented,
    half: usize,
    fixed: &OrientedBox,
    way: &IntoTree,
    unit2: f64,
) -> S::F64x4 {
    let (n, y) = (way.direction, way.sweep);
    let centre = splat3::<S::F64x4>(fixed.centre);
    let node = BoxLanes {
        x: axes!(i => S::F64x4::widen(&node.axes[0][i], half)),
        y: axes!(i => S::F64x4::widen(&node.axes[1][i], half)),
        half: axes!(i => S::F64x4::widen(&node.half[i], half)),
        t: axes!(i => centre[i].sub(S::F64x4::widen(&node.centre[i], half))),
    };
    let b = axes!(j => splat3::<S::F64x4>(fixed.axes[j]));
    let b_y = DVec3::from_array(axes!(j => fixed.axes[j].dot(y)));
    let sweep = SweepLanes {
        y: splat3(y),
        b_y: splat3(b_y),
        length: S::F64x4::rounded(y.abs().element_sum()),
        per_square: S::F64x4::rounded(way.per_square),
    };
    let squared = squared_gap::<_, SWEPT>(
        &node,
        b,
        splat3(fixed.half),
        splat3(n),
        S::F64x4::rounded(radius(fixed, n) + n.dot(y).abs()),
        S::F64x4::rounded(slack(way)),
        &sweep,
    );
    squared.mul(S::F64x4::rounded(unit2 * (1.0 - 1e-6)))
}

/// Half the extent of the box along `n`.
#[inline(always)]
fn radius(b: &OrientedBox, n: DVec3) -> f64 {
    DVec3::from_array(axes!(j => b.axes[j].dot(n).abs())).dot(b.half)
}

#[inline(always)]
fn splat3<F: Vector>(v: DVec3) -> [F; 3] {
    [F::rounded(v.x), F::rounded(v.y), F::rounded(v.z)]
}

/// Boxes in lanes: two axes, half extents, and the way from their centres to that of the fixed box.
struct BoxLanes<F> {
    x: [F; 3],
    y: [F; 3],
    half: [F; 3],
    t: [F; 3],
}

/// Half the way of a swept body, what it is along the axes of the fixed box, the sum of its components, and one over
/// its square.
struct SweepLanes<F> {
    y: [F; 3],
    b_y: [F; 3],
    length: F,
    per_square: F,
}

impl<F: Vector> BoxLanes<F> {
    #[inline(always)]
    fn axes(&self) -> [[F; 3]; 3] {
        [self.x, self.y, cross(self.x, self.y)]
    }
}

/// The way between the centres along the axes of either box, and what a sweep is along those in lanes.
struct Along<F> {
    a_t: [F; 3],
    b_t: [F; 3],
    a_y: [F; 3],
}

/// The gaps along the axes of the boxes in lanes, and along those of the fixed one.
#[inline(always)]
fn gaps_along_axes<F: Vector, const SWEPT: bool>(
    node: &BoxLanes<F>,
    a: [[F; 3]; 3],
    b: [[F; 3]; 3],
    ha: [F; 3],
    hb: [F; 3],
    sweep: &SweepLanes<F>,
) -> ([F; 3], [F; 3], Along<F>) {
    let t = node.t;
    let cosines = axes!(i => axes!(j => dot(a[i], b[j]).abs()));
    let (a_t, b_t) = (axes!(i => dot(a[i], t)), axes!(j => dot(b[j], t)));
    let a_y = if SWEPT { axes!(i => dot(a[i], sweep.y)) } else { [F::rounded(0.0); 3] };
    let mine = axes!(i => {
        let gap = a_t[i].abs().sub(ha[i]).sub(dot(cosines[i], hb));
        if SWEPT { gap.sub(a_y[i].abs()) } else { gap }
    });
    let theirs = axes!(j => {
        let column = [cosines[0][j], cosines[1][j], cosines[2][j]];
        let hb = if SWEPT { hb[j].add(sweep.b_y[j].abs()) } else { hb[j] };
        b_t[j].abs().sub(hb).sub(dot(column, ha))
    });
    (mine, theirs, Along { a_t, b_t, a_y })
}

/// The formula above; `radius_b` is with the sweep's part. A lane without a box has half extents of −∞ and comes out
/// infinite: NaN goes in first operands of `max` only.
#[inline(always)]
fn squared_gap<F: Vector, const SWEPT: bool>(
    node: &BoxLanes<F>,
    b: [[F; 3]; 3],
    hb: [F; 3],
    n: [F; 3],
    radius_b: F,
    slack: F,
    sweep: &SweepLanes<F>,
) -> F {
    let (a, ha, t) = (node.axes(), node.half, node.t);
    let zero = F::rounded(0.0);
    let (mine, theirs, Along { a_t, b_t, a_y }) = gaps_along_axes::<_, SWEPT>(node, a, b, ha, hb, sweep);
    let (mine, theirs) = (axes!(i => mine[i].sub(slack).max(zero)), axes!(j => theirs[j].sub(slack).max(zero)));
    let radius = dot(axes!(i => dot(a[i], n).abs()), ha).add(radius_b).add(slack);
    let along = dot(n, t).sub(radius).max(zero);
    let most = dot(mine, mine).max(dot(theirs, theirs)).max(along.mul(along));
    // Between the middles.
    let length = t[0].abs().add(t[1].abs()).add(t[2].abs());
    let (square, a_n, b_n, slack) = if SWEPT {
        let one = F::rounded(1.0);
        let at = dot(t, sweep.y).mul(sweep.per_square).max(zero.sub(one)).min(one);
        let n = axes!(i => t[i].sub(at.mul(sweep.y[i])));
        let slack = slack.add(slack).mul(length.add(sweep.length));
        let a_n = axes!(i => a_t[i].sub(at.mul(a_y[i])));
        (dot(n, n), a_n, axes!(j => b_t[j].sub(at.mul(sweep.b_y[j]))), slack)
    } else {
        (dot(t, t), a_t, b_t, slack.mul(length))
    };
    let (a_n, b_n) = (axes!(i => a_n[i].abs()), axes!(j => b_n[j].abs()));
    let between = square.sub(dot(a_n, ha)).sub(dot(b_n, hb)).sub(slack).max(zero);
    most.max(between.mul(between).div(square.add(F::rounded(1e-30))))
}

#[inline(always)]
fn dot<F: Vector>(a: [F; 3], b: [F; 3]) -> F {
    a[0].mul(b[0]).add(a[1].mul(b[1])).add(a[2].mul(b[2]))
}

#[inline(always)]
fn cross<F: Vector>(a: [F; 3], b: [F; 3]) -> [F; 3] {
    [a[1].mul(b[2]).sub(a[2].mul(b[1])), a[2].mul(b[0]).sub(a[0].mul(b[2])), a[0].mul(b[1]).sub(a[1].mul(b[0]))]
}
