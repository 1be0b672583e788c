//! A grid of rows: the world is cut along two axes, each row is a sweep along the third.
//!
//! A box is *in* every row it reaches into. Two boxes that meet do so in a common row, and in exactly one common row
//! does one of them begin on each of the two axes: there the pair is found (the rule of the canonical cell). The sweep
//! itself is in [`super::row`].
//!
//! **How wide.** Let boxes have sides s and a volume v of the world each, and rows a cross-section w². A box costs A
//! for each row it is in, (1 + s/w)² of them, and there B for each eight boxes that begin along its length, s·w²/v.
//! So the cost of a box is about A (1 + 2s/w + s²/w²) + B (s w² + 2 s² w + s³)/8v. w is chosen where the mean over a
//! sample is least. The world is taken to be the middle of the sample's centres: the grid need not reach the few that
//! are far out, they lie in its outermost rows.
//!
//! **Wide boxes.** A box in very many rows would cost memory. Boxes in 1024 rows or more are kept apart, and compared
//! with all others one by one; when the rest have more than [`COPIES`] entries each on the average, those in a fourth
//! of that, and so on.

use std::sync::atomic::{AtomicU32, Ordering};

use super::spatial_order::GRAIN;
use crate::broad::store::local::LocalBox;
use crate::threads::same_threads::{SERIAL, SHARES};
use crate::threads::share;

/// The most entries for each box, on average.
const COPIES: usize = 3;
/// The cost of an entry, relative to that of a comparison with eight boxes.
const ENTRY: f64 = 8.0;
const EIGHT: f64 = 2.5;
/// At least so many boxes, or one in [`STRIDE`], are looked at to choose the grid.
const SAMPLE: usize = 1 << 8;
const STRIDE: usize = 64;
/// The most rows along an axis.
const ROWS: f32 = 2048.0;
/// The number of parts into which boxes are divided to be counted, so that the order within rows is that of the places.
const PARTS: usize = 16;
/// The least and the greatest number of entries in a group of rows.
const GROUP: [usize; 2] = [1 << 10, 1 << 13];

/// The cut along one axis.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cut {
    axis: usize,
    start: f32,
    per_unit: f32,
    last: f32,
}

impl Cut {
    fn new(axis: usize, span: [f32; 2], pieces: f32) -> Cut {
        let length = (span[1] - span[0]).max(f32::MIN_POSITIVE);
        Cut { axis, start: span[0], per_unit: (pieces / length).min(f32::MAX), last: pieces - 1.0 }
    }

    /// The piece in which a coordinate lies: it never falls where the coordinate rises. Adding 2²³ rounds to a whole
    /// number, which is then in the last bits.
    #[inline(always)]
    pub(crate) fn of(&self, x: f32) -> u32 {
        let pieces = (x - self.start) * self.per_unit - 0.5;
        // Written so that each is one instruction; NaN comes out as 0.
        let pieces = if pieces > 0.0 { pieces } else { 0.0 };
        let pieces = if pieces < self.last { pieces } else { self.last };
        (pieces + (1 << 23) as f32).to_bits() & 0x7f_ffff
    }

    #[inline(always)]
    pub(crate) fn low(&self, b: &LocalBox) -> u32 {
        self.of(b[self.axis])
    }

    #[inline(always)]
    fn high(&self, b: &LocalBox) -> u32 {
        self.of(-b[self.axis + 4])
    }

    /// The same range divided into so many pieces.
    pub(crate) fn into_pieces(self, pieces: usize) -> Cut {
        let per_unit = (self.per_unit / (self.last + 1.0) * pieces as f32).min(f32::MAX);
        Cut { per_unit, last: pieces as f32 - 1.0, ..self }
    }

    pub(crate) fn pieces(&self) -> u32 {
        self.last as u32 + 1
    }
}

/// Which boxes are in which rows.
#[derive(Debug, Default)]
pub(crate) struct RowGrid {
    /// The axis of the sweep, then the two axes across.
    pub(crate) axes: [usize; 3],
    /// The cuts on the two axes across; the cut of the sweep's own axis is made where its sort begins.
    pub(crate) across: [Cut; 2],
    pub(crate) along: Cut,
    offsets: Vec<u32>,
    entries: Vec<AtomicU32>,
    /// Boxes that are in too many rows.
    pub(crate) wide: Vec<u32>,
    cap: usize,
    reaches: Vec<Reach>,
}

/// The first and the last piece on both axes across.
type Reach = [u16; 4];

/// By hand, as there is no copy of an atomic number.
impl Clone for RowGrid {
    fn clone(&self) -> RowGrid {
        let entries = self.entries.iter().map(|entry| AtomicU32::new(entry.load(Ordering::Relaxed))).collect();
        let (offsets, wide, reaches) = (self.offsets.clone(), self.wide.clone(), self.reaches.clone());
        RowGrid { entries, offsets, wide, reaches, ..*self }
    }
}

/// The reach of a box that is in no row.
const NOWHERE: Reach = [1, 0, 1, 0];

/// What one part of the boxes puts into the rows.
struct Tally {
    /// The number of entries in each row; then where the next entry goes.
    rows: Vec<u32>,
    wide: Vec<u32>,
    entries: usize,
}

/// The middle of the world, as estimated from a sample of boxes, and the sides of these boxes.
struct Sample {
    spans: [[f32; 2]; 3],
    /// Means of s, s² and s³, with s the longest side.
    moments: [f64; 3],
}

impl Sample {
    fn of(boxes: &[LocalBox]) -> Sample {
        let stride = (boxes.len() / SAMPLE).clamp(1, STRIDE);
        let picked = || boxes.iter().step_by(stride).filter(|b| !b[0].is_nan());
        let spans = [0, 1, 2].map(|axis| {
            let mut middles: Vec<f32> = picked().map(|b| 0.5 * (b[axis] - b[axis + 4])).collect();
            if middles.is_empty() {
                return [0.0, 1.0];
            }
            let trim = middles.len() / 64;
            let high = middles.len() - 1 - trim;
            let low = *middles.select_nth_unstable_by(trim, f32::total_cmp).1;
            let high = *middles.select_nth_unstable_by(high, f32::total_cmp).1;
            let room = (high - low) / 32.0;
            [low - room, high + room]
        });
        let longest = spans.map(|s| s[1] - s[0]).into_iter().fold(0.0, f32::max);
        let (mut moments, mut count) = ([0.0; 3], 0.0f64);
        for b in picked() {
            let s = f64::from((-b[0] - b[4]).max(-b[1] - b[5]).max(-b[2] - b[6]).min(longest));
            moments = [moments[0] + s, moments[1] + s * s, moments[2] + s * s * s];
            count += 1.0;
        }
        Sample { spans, moments: moments.map(|m| m / count.max(1.0)) }
    }

    /// The width of rows that costs least, for `n` boxes swept along `axis`.
    fn width(&self, n: usize, axes: [usize; 3]) -> f64 {
        let length = |axis: usize| f64::from(self.spans[axis][1] - self.spans[axis][0]).max(1e-30);
        let [x, y, z] = axes.map(length);
        let [m1, m2, m3] = self.moments;
        let cost = |w: f64| {
            // Where the world is thinner than a row there is one row along that axis, and no box is in two.
            let (wy, wz) = (w.min(y), w.min(z));
            let (ey, ez) = (f64::from(u8::from(w < y)) / w, f64::from(u8::from(w < z)) / w);
            let copies = 1.0 + m1 * (ey + ez) + m2 * ey * ez;
            let along = m1 + m2 * (ey + ez) + m3 * ey * ez;
            let density = n as f64 * wy * wz / (x * y * z);
            ENTRY * copies + EIGHT * (copies + along * density / 8.0)
        };
        let widest = y.max(z);
        let widths = (0..40).map(|k| widest * 2f64.powf(-0.25 * f64::from(k)));
        let rows = |w: f64| (y / w).max(1.0) * (z / w).max(1.0);
        let few = widths.filter(|&w| rows(w) <= (n / 8 + 1) as f64);
        few.min_by(|a, b| cost(*a).total_cmp(&cost(*b))).unwrap_or(widest)
    }
}

impl RowGrid {
    /// Cuts the world for these boxes.
    pub(crate) fn cut(&mut self, boxes: &[LocalBox]) {
        let sample = Sample::of(boxes);
        let length = |axis: usize| sample.spans[axis][1] - sample.spans[axis][0];
        let mut axes = [0, 1, 2];
        axes.sort_by(|a, b| length(*b).total_cmp(&length(*a)));
        let width = sample.width(boxes.len(), axes) as f32;
        let cut = |axis: usize| {
            let pieces = (length(axis) / width).floor().clamp(1.0, ROWS);
            Cut::new(axis, sample.spans[axis], pieces)
        };
        self.axes = axes;
        self.across = [cut(axes[1]), cut(axes[2])];
        self.along = Cut::new(axes[0], sample.spans[axes[0]], 1.0);
    }

    /// Puts each box into its rows; boxes that are NaN go into none.
    pub(crate) fn build(&mut self, boxes: &[LocalBox]) {
        let mut reaches = std::mem::take(&mut self.reaches);
        reaches.clear();
        if boxes.len() > SERIAL {
            reaches.resize(boxes.len(), NOWHERE);
            share::each_piece(boxes.chunks(GRAIN).zip(reaches.chunks_mut(GRAIN)), |_, (boxes, reaches)| {
                boxes.iter().zip(reaches).for_each(|(b, reach)| *reach = self.reach(b));
            });
        } else {
            reaches.extend(boxes.iter().map(|b| self.reach(b)));
        }
        let most = COPIES * boxes.len() + SAMPLE;
        self.cap = 1 << 10;
        let mut counts = self.tally(&reaches);
        while self.cap > 1 && counts.iter().map(|c| c.entries).sum::<usize>() > most {
            self.cap >>= 2;
            counts = self.tally(&reaches);
        }
        self.fill(&reaches, &mut counts);
        self.reaches = reaches;
    }

    pub(crate) fn count(&self) -> usize {
        self.across.iter().map(|c| c.pieces() as usize).product()
    }

    /// The numbers of a row on both axes across.
    pub(crate) fn coordinates(&self, row: usize) -> [u32; 2] {
        let pieces = self.across[0].pieces() as usize;
        [(row % pieces) as u32, (row / pieces) as u32]
    }

    /// The first row that a box is in; row 0 for a box that is NaN.
    #[inline(always)]
    pub(crate) fn home(&self, b: &LocalBox) -> u32 {
        self.across[1].low(b) * self.across[0].pieces() + self.across[0].low(b)
    }

    /// The boxes in a row.
    pub(crate) fn entries(&self, row: usize) -> &[AtomicU32] {
        &self.entries[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }

    /// The rows in groups of about as many entries, for threads to share. No answer depends on where the groups begin.
    pub(crate) fn groups(&self) -> Vec<std::ops::Range<usize>> {
        let threads = share::count();
        let shared = threads > 1 && self.entries.len() > SERIAL;
        let [least, most] = GROUP;
        let share = if shared { (self.entries.len() / (SHARES * threads)).clamp(least, most) } else { most };
        let mut groups = Vec::new();
        let mut first = 0;
        for row in 0..self.count() {
            if (self.offsets[row + 1] - self.offsets[first]) as usize >= share || row + 1 == self.count() {
                groups.push(first..row + 1);
                first = row + 1;
            }
        }
        groups
    }

    /// The pieces of both cuts that a box reaches into; none for a box that is NaN.
    #[inline(always)]
    fn reach(&self, b: &LocalBox) -> Reach {
        let [y, z] = &self.across;
        if b[0].is_nan() { NOWHERE } else { [y.low(b), y.high(b), z.low(b), z.high(b)].map(|piece| piece as u16) }
    }

    /// Divides the boxes into parts. Each part is counted by itself, so that all can be put in place at once and the
    /// order within a row is that of the boxes.
    fn parts(boxes: &[Reach]) -> impl Iterator<Item = (usize, &[Reach])> {
        let size = if boxes.len() > SERIAL { boxes.len().div_ceil(PARTS) } else { boxes.len().max(1) };
        boxes.chunks(size).enumerate().map(move |(c, part)| (c * size, part))
    }

    /// How many entries each row gets from each part.
    fn tally(&self, reaches: &[Reach]) -> Vec<Tally> {
        share::each_piece(RowGrid::parts(reaches), |_, (first, part)| {
            let mut tally = Tally { rows: vec![0; self.count()], wide: Vec::new(), entries: 0 };
            for (k, reach) in part.iter().enumerate() {
                let wide = || tally.wide.push((first + k) as u32);
                self.each_row(reach, |row| tally.rows[row] += 1, wide);
            }
            tally.entries = tally.rows.iter().map(|&count| count as usize).sum();
            tally
        })
    }

    /// Counting sort by rows.
    fn fill(&mut self, reaches: &[Reach], counts: &mut [Tally]) {
        self.offsets.clear();
        self.offsets.reserve_exact(self.count() + 1);
        let mut total = 0u32;
        for row in 0..self.count() {
            self.offsets.push(total);
            for part in &mut *counts {
                (part.rows[row], total) = (total, total + part.rows[row]);
            }
        }
        self.offsets.push(total);
        self.wide.clear();
        counts.iter().for_each(|part| self.wide.extend(&part.wide));
        let mut entries = std::mem::take(&mut self.entries);
        if entries.capacity() < total as usize || entries.capacity() > 2 * total as usize {
            entries = Vec::with_capacity(total as usize + total as usize / 16);
        }
        entries.resize_with(total as usize, AtomicU32::default);
        share::each_piece(RowGrid::parts(reaches).zip(counts), |_, ((first, part), tally)| {
            for (k, reach) in part.iter().enumerate() {
                let place = |row: usize| {
                    entries[tally.rows[row] as usize].store((first + k) as u32, Ordering::Relaxed);
                    tally.rows[row] += 1;
                };
                self.each_row(reach, place, || {});
            }
        });
        self.entries = entries;
    }

    #[inline(always)]
    fn each_row(&self, reach: &Reach, mut row: impl FnMut(usize), wide: impl FnOnce()) {
        let [y0, y1, z0, z1] = reach.map(usize::from);
        let pieces = self.across[0].pieces() as usize;
        if (y0, z0) == (y1, z1) {
            return row(z0 * pieces + y0);
        }
        if *reach == NOWHERE {
            return;
        }
        if (y1 - y0 + 1) * (z1 - z0 + 1) >= self.cap {
            return wide();
        }
        for z in z0..=z1 {
            for y in y0..=y1 {
                row(z * pieces + y);
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let numbers = self.offsets.capacity() + self.entries.capacity() + self.wide.capacity();
        numbers * 4 + self.reaches.capacity() * size_of::<Reach>()
    }
}
