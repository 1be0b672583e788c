//! Resolutions of the hierarchical spatial hash: which cells a box lies in, and to which size of cells it belongs.
//!
//! Mirtich 1997, §2.1, (1), (2). Cells of level `k` are cubes of side ρₖ = (β/α)ᵏ, for every integer `k`, coarser as
//! `k` grows; a box of size `s` (its longest side) belongs to the level with α ≤ s/ρₖ < β. Figure:
//! `docs/figures/levels.svg`.
//!
//! Departures. The paper numbers resolutions from coarse to fine and then, in Lemma 1, from fine to coarse; here there
//! is one order. Levels exist for all sizes beforehand, so none need be chosen again when bodies come and go; who uses
//! them keeps a list of those that are occupied. The size that counts is at least 2⁻²⁶ of the largest coordinate, so
//! that cell coordinates fit into `i32` wherever a box lies: a box smaller than that belongs to a coarser level, and
//! one whose sides overflow on the coarsest, of which 27 cells cover all there is.
//!
//! Invariant: every box has one level, and a box inside another has its cells inside the other's on every level. Both
//! hold in rounded arithmetic: a level is where the size falls between borders that ascend, and rounding is monotone.

use glam::DVec3;

use crate::bound::Aabb;

/// β may not exceed this: a box covers up to (⌈β⌉ + 1)³ cells.
const WIDEST: f64 = 16.0;
/// β/α is at least this, so that borders ascend whatever rounding does to them.
const NARROWEST: f64 = 1.01;
/// The least size that counts, as a part of the largest coordinate.
const FINEST: f64 = 1.0 / (1 << 26) as f64;

/// α and β that make no levels.
///
/// ```
/// use impinge::broad::{LevelError, Levels};
/// assert_eq!(Levels::new(2.0, 1.0).err(), Some(LevelError { alpha: 2.0, beta: 1.0 }));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("alpha = {alpha} and beta = {beta}: 0 < alpha < 1 <= beta <= 16 and beta / alpha >= 1.01 are needed")]
pub struct LevelError {
    /// As given.
    pub alpha: f64,
    /// As given.
    pub beta: f64,
}

/// Sizes of cells, in the ratio β/α.
///
/// ```
/// use impinge::broad::Levels;
/// let thirds = Levels::new(1.0 / 3.0, 1.0)?;
/// assert_eq!((thirds.beta(), Levels::default().alpha()), (1.0, 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Levels {
    alpha: f64,
    beta: f64,
    ratio: f64,
    /// 1 / log₂(β/α).
    per_octave: f64,
    /// Whether every cell lies in one cell of the next level, also in rounded arithmetic.
    nested: bool,
}

impl Default for Levels {
    /// α = ½, β = 1: a box covers at most eight cells, and cells double from level to level.
    fn default() -> Levels {
        Levels { alpha: 0.5, beta: 1.0, ratio: 2.0, per_octave: 1.0, nested: true }
    }
}

/// The cells from `low` to `high` on each axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CellRange {
    pub(crate) low: [i32; 3],
    pub(crate) high: [i32; 3],
}

impl CellRange {
    pub(crate) fn contains(&self, at: [i32; 3]) -> bool {
        (0..3).all(|axis| self.low[axis] <= at[axis] && at[axis] <= self.high[axis])
    }

    /// Extends the range to a cell, and to all cells between.
    pub(crate) fn extend(&mut self, at: [i32; 3]) {
        self.low.iter_mut().zip(at).for_each(|(low, x)| *low = x.min(*low));
        self.high.iter_mut().zip(at).for_each(|(high, x)| *high = x.max(*high));
    }

    pub(crate) fn cells(self) -> impl Iterator<Item = [i32; 3]> {
        let ([x0, y0, z0], [x1, y1, z1]) = (self.low, self.high);
        (x0..=x1).flat_map(move |x| (y0..=y1).flat_map(move |y| (z0..=z1).map(move |z| [x, y, z])))
    }
}

impl Levels {
    /// A small α needs few levels, a large α separates neighbours; a small β covers few cells (Mirtich §2.1).
    ///
    /// ```
    /// use impinge::broad::Levels;
    /// assert!(Levels::new(0.3, 1.0).is_ok());
    /// assert!(Levels::new(1.0, 1.0).is_err());
    /// ```
    pub fn new(alpha: f64, beta: f64) -> Result<Levels, LevelError> {
        let ratio = beta / alpha;
        if !(alpha > 0.0 && alpha < 1.0 && (1.0..=WIDEST).contains(&beta) && (NARROWEST..1e6).contains(&ratio)) {
            return Err(LevelError { alpha, beta });
        }
        let nested = ratio.log2().fract() == 0.0 && ratio.log2().exp2() == ratio;
        Ok(Levels { alpha, beta, ratio, per_octave: 1.0 / ratio.log2(), nested })
    }

    /// α.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// β.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    pub(crate) fn nested(&self) -> bool {
        self.nested
    }

    /// The side of a cell, from the least normal number to the largest finite one.
    pub(crate) fn cell(&self, level: i32) -> f64 {
        self.ratio.powi(level).clamp(f64::MIN_POSITIVE, f64::MAX)
    }

    /// The size by which a box finds its level.
    pub(crate) fn size(b: &Aabb) -> f64 {
        (b.max - b.min).max_element().max(b.reach() * FINEST)
    }

    /// The level `k` with β·ρₖ₋₁ ≤ `size` < β·ρₖ, within what levels there are. The logarithm may err by one either
    /// way; the borders decide.
    pub(crate) fn level(&self, size: f64) -> i32 {
        let (lowest, highest) = self.ends();
        let guess = (size / self.beta).max(f64::MIN_POSITIVE).log2() * self.per_octave;
        let mut level = (guess.floor() as i32 - 1).clamp(lowest, highest);
        for _ in 0..4 {
            if level < highest && size >= self.beta * self.cell(level) {
                level += 1;
            }
        }
        level
    }

    /// The sizes that belong to a level: from the first on and below the second.
    pub(crate) fn sizes(&self, level: i32) -> [f64; 2] {
        let (lowest, highest) = self.ends();
        let from = if level == lowest { 0.0 } else { self.beta * self.cell(level - 1) };
        [from, if level == highest { f64::INFINITY } else { self.beta * self.cell(level) }]
    }

    /// The finest and the coarsest level: below and above them ρ is no normal number.
    fn ends(&self) -> (i32, i32) {
        ((-1022.0 * self.per_octave).ceil() as i32, (1024.0 * self.per_octave).ceil() as i32)
    }

    /// The cells that a closed box touches: ⌊x/ρ⌋ of its corners, and all between.
    #[inline]
    pub(crate) fn range(b: &Aabb, cell: f64) -> CellRange {
        let per_cell = 1.0 / cell;
        let tile = |p: DVec3| (p * per_cell).to_array().map(floor);
        CellRange { low: tile(b.min), high: tile(b.max) }
    }
}

/// ⌊x⌋, and not the cast, which rounds towards zero; values beyond `i32` become its last number.
#[inline(always)]
fn floor(x: f64) -> i32 {
    let cast = x as i32;
    if f64::from(cast) > x { cast.saturating_sub(1) } else { cast }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cube(at: DVec3, side: f64) -> Aabb {
        Aabb { min: at, max: at + DVec3::splat(side) }
    }

    #[test]
    fn i13_floor_not_truncation() {
        for x in [-2.0, -1.5, -1.0, -0.5, -1e-300, -0.0, 0.0, 0.5, 1.0, 2147483646.5, -2147483647.5] {
            assert_eq!(f64::from(floor(x)), x.floor(), "{x}");
        }
        assert_eq!([-1e300, 1e300].map(floor), [i32::MIN, i32::MAX]);
        let b = Aabb { min: DVec3::splat(-0.5), max: DVec3::splat(0.5) };
        assert_eq!(Levels::range(&b, 1.0), CellRange { low: [-1; 3], high: [0; 3] });
    }

    /// A size on a border between levels, or next to one, has exactly one level, and the levels are those of equation
    /// (2).
    #[test]
    fn i20_one_level_on_every_border() {
        for (alpha, beta) in [(0.3, 1.0), (0.5, 1.0), (0.25, 1.0), (0.7, 1.3), (0.9, 1.0), (0.1, 4.0)] {
            let levels = Levels::new(alpha, beta).unwrap();
            for k in -60..60 {
                let border = beta * levels.cell(k);
                assert_eq!(levels.level(border), k + 1, "{alpha} {beta} {k}");
                assert_eq!(levels.level(border.next_down()), k, "{alpha} {beta} {k}");
                assert_eq!((levels.sizes(k + 1)[0], levels.sizes(k)[1]), (border, border));
            }
        }
    }

    #[test]
    fn refuses_bad_alpha_and_beta() {
        for (alpha, beta) in
            [(0.0, 1.0), (1.0, 1.0), (0.5, 0.9), (0.5, f64::NAN), (0.999, 1.0), (0.5, 17.0), (-1.0, 1.0)]
        {
            assert!(Levels::new(alpha, beta).is_err(), "{alpha} {beta}");
        }
    }

    #[test]
    fn sizes_beyond_all_levels_have_one_still() {
        for (alpha, beta) in [(0.5, 1.0), (0.3, 1.0), (0.01, 10.0), (0.99, 1.0)] {
            let levels = Levels::new(alpha, beta).unwrap();
            for size in [0.0, 5e-324, 1e-300, 1.0, 1e300, f64::MAX, f64::INFINITY] {
                let k = levels.level(size);
                let [from, below] = levels.sizes(k);
                assert!(from <= size && (size < below || below == size), "{alpha} {beta} {size} {k}");
                assert!(levels.cell(k).is_normal());
            }
            let all = Aabb { min: DVec3::splat(-f64::MAX), max: DVec3::splat(f64::MAX) };
            let range = Levels::range(&all, levels.cell(levels.level(Levels::size(&all))));
            assert!(range.cells().count() <= 27);
        }
    }

    proptest! {
        /// (2), and the count of cells in Theorem 1: the paper's (β + 1)³ holds for whole β, else it is (⌈β⌉ + 1)³; a
        /// further cell an axis where ρ is no power of two and rounding lifts a corner over a border.
        #[test]
        fn theorem_1_cells_of_a_box(
            alpha in 0.05..0.95, beta in prop_oneof![Just(1.0), Just(2.0), 1.0..4.0], size in 1e-3..1e3,
            at in prop::array::uniform3(-1e3..1e3),
        ) {
            let levels = Levels::new(alpha, beta).unwrap();
            let b = cube(DVec3::from_array(at), size);
            let size = Levels::size(&b);
            let k = levels.level(size);
            let (low, high) = (size / levels.cell(k), size / levels.cell(k));
            prop_assert!(low >= alpha * (1.0 - 1e-9) && high < beta * (1.0 + 1e-9));
            let an_axis = beta.ceil() as usize + 1 + usize::from(!levels.nested());
            for coarser in k..k + 5 {
                prop_assert!(Levels::range(&b, levels.cell(coarser)).cells().count() <= an_axis.pow(3));
            }
        }

        /// Lemma 1. Borders that begin at the smallest size, as in its proof, give ⌊log R⌋ + 1 levels (the paper's ⌈log
        /// R⌉ leaves out sizes that are whole powers apart, and the case R = 1); borders that lie fast may cut the same
        /// sizes once more.
        #[test]
        fn lemma_1_number_of_levels(
            alpha in 0.1..0.95, smallest in 1e-3..1e3,
            parts in prop::collection::vec(0.0..1.0, 1..50), span in 1.0..1e6,
        ) {
            let levels = Levels::new(alpha, 1.0).unwrap();
            let sizes: Vec<f64> = parts.iter().map(|t| smallest * f64::powf(span, *t)).collect();
            let (least, most) = sizes.iter().fold((f64::MAX, 0.0), |(a, b): (f64, f64), &s| (a.min(s), b.max(s)));
            let log = (most / least).ln() / (1.0 / alpha).ln();
            let mut used: Vec<i32> = sizes.iter().map(|&s| levels.level(s)).collect();
            used.sort_unstable();
            used.dedup();
            prop_assert!(used.len() as f64 <= log.floor() + 2.0);
            let anchored: Vec<i32> = sizes.iter().map(|&s| levels.level(s / least)).collect();
            let span = anchored.iter().max().unwrap() - anchored.iter().min().unwrap() + 1;
            prop_assert!(f64::from(span) <= (log + 1e-9).floor() + 1.0);
        }

        #[test]
        fn cells_of_a_part_are_among_those_of_the_whole(
            a in prop::array::uniform3(-1e9..1e9), t in prop::array::uniform6(0.0..1.0), k in -40..40i32,
        ) {
            let whole = cube(DVec3::from_array(a), 100.0);
            let at = |x: f64, y: f64, z: f64| whole.min + DVec3::new(x, y, z) * 100.0;
            let part = Aabb::of([at(t[0], t[1], t[2]), at(t[3], t[4], t[5])]);
            let part = Aabb { min: part.min.min(whole.max), max: part.max.min(whole.max) };
            let levels = Levels::new(0.3, 1.0).unwrap();
            let (p, w) = (Levels::range(&part, levels.cell(k)), Levels::range(&whole, levels.cell(k)));
            prop_assert!(w.contains(p.low) && w.contains(p.high));
        }
    }
}
