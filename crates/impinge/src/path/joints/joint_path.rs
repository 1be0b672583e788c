//! The path of one joint: its value over time, as polynomials one after the other.
//!
//! Over a part of its time, a polynomial is written in Bernstein's form by blossoming at both ends (G. Farin, *Curves
//! and surfaces for CAGD*, 5th ed., 2002, §4): it lies between its least and its greatest coefficient, and so do its
//! derivatives between theirs. The error falls with the square of the part's length.
//!
//! Where a joint is known at some times only, the values between are known up to a slack: with a rate of at most `V`,
//! and `v` the mean rate of a gap that lasts `T = s + u`, `s` after its begin and `u` before its end, the value is off
//! the straight line by no more than `(V + |v|)·min(s, u)` and `(V² − v²)·T/2V`; with an acceleration of at most `A`,
//! by no more than `A·s·u/2`.
//!
//! Invariant: pieces begin at ascending times. Before the first and after the last the joint stands still.

use super::joint_line::JointRange;
use super::vector_ball::Range;
use crate::math::EPS;

/// The coefficients of a polynomial.
pub(super) type Powers = [f64; 6];

/// The number of ways to choose `k` of `i`.
const CHOOSE: [[f64; 6]; 6] = [
    [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [1.0, 1.0, 0.0, 0.0, 0.0, 0.0],
    [1.0, 2.0, 1.0, 0.0, 0.0, 0.0],
    [1.0, 3.0, 3.0, 1.0, 0.0, 0.0],
    [1.0, 4.0, 6.0, 4.0, 1.0, 0.0],
    [1.0, 5.0, 10.0, 10.0, 5.0, 1.0],
];
/// Rates that differ by less than this share of the greatest are the same but for rounding.
const SAME_RATE: f64 = 1e-11;
/// The most halvings of a piece to find out whether it leaves a range.
const MOST_HALVINGS: u32 = 40;

/// A polynomial in the time since it begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Piece {
    pub(super) from: f64,
    pub(super) powers: Powers,
}

/// Bounds on a joint's rate and acceleration; infinite where there is none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Slack {
    pub(super) rate: f64,
    pub(super) acceleration: f64,
}

/// The path of one joint.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JointPath {
    pieces: Vec<Piece>,
    to: f64,
    /// Times at which the rate jumps.
    jumps: Vec<f64>,
    /// Where the values between the pieces' ends are not known: what bounds them.
    slack: Option<Slack>,
    /// The greatest rate.
    pub(super) fastest: f64,
    /// The greatest degree of its polynomials.
    degree: usize,
}

impl JointPath {
    /// The pieces, at least one, each until the next; the last until `to`.
    pub(super) fn new(pieces: Vec<Piece>, to: f64, slack: Option<Slack>) -> JointPath {
        let degree = |piece: &Piece| piece.powers.iter().rposition(|c| *c != 0.0).unwrap_or(0);
        let degree = pieces.iter().map(degree).max().unwrap_or(0);
        let mut path = JointPath { pieces, to, jumps: Vec::new(), slack, fastest: 0.0, degree };
        let whole = path.range(path.begin(), to);
        path.fastest = whole.rate[0].abs().max(whole.rate[1].abs());
        path.jumps = path.jumps();
        path
    }

    /// The times at which the rate jumps by more than rounding.
    fn jumps(&self) -> Vec<f64> {
        let ends = (0..self.pieces.len()).map(|k| {
            let Piece { from, powers } = self.pieces[k];
            derivative(&powers, self.until(k) - from)
        });
        let before = [0.0].into_iter().chain(ends);
        let after = self.pieces.iter().map(|piece| (piece.from, piece.powers[1])).chain([(self.to, 0.0)]);
        let jumping = |(before, (_, after)): &(f64, (f64, f64))| (after - before).abs() > SAME_RATE * self.fastest;
        before.zip(after).filter(jumping).map(|(_, (time, _))| time).collect()
    }

    fn begin(&self) -> f64 {
        self.pieces.first().map_or(self.to, |piece| piece.from)
    }

    fn until(&self, piece: usize) -> f64 {
        self.pieces.get(piece + 1).map_or(self.to, |next| next.from)
    }

    fn piece_at(&self, t: f64) -> usize {
        self.pieces.partition_point(|piece| piece.from <= t).saturating_sub(1)
    }

    pub(super) fn value(&self, t: f64) -> f64 {
        let t = t.max(self.begin()).min(self.to);
        self.pieces.get(self.piece_at(t)).map_or(0.0, |piece| {
            let since = t - piece.from;
            piece.powers.iter().rev().fold(0.0, |sum, c| sum * since + c)
        })
    }

    pub(super) fn rate(&self, t: f64) -> f64 {
        if t < self.begin() || t >= self.to {
            return 0.0;
        }
        self.pieces.get(self.piece_at(t)).map_or(0.0, |piece| derivative(&piece.powers, t - piece.from))
    }

    /// All that the joint does between two times.
    pub(super) fn range(&self, from: f64, to: f64) -> JointRange {
        if from == to && self.begin() <= to && to <= self.to {
            return self.at(to);
        }
        let middle = self.value(0.5 * from + 0.5 * to);
        let mut all: [Option<Range>; 3] = [None; 3];
        let mut add = |parts: [Range; 3]| {
            for (all, part) in all.iter_mut().zip(parts) {
                *all = Some(all.map_or(part, |all| [all[0].min(part[0]), all[1].max(part[1])]));
            }
        };
        for outside in [self.begin(), self.to].into_iter().zip([from < self.begin(), to > self.to]) {
            if let (end, true) = outside {
                add([[self.value(end); 2], [0.0; 2], [0.0; 2]]);
            }
        }
        let (first, last) = (from.max(self.begin()), to.min(self.to));
        if first <= last {
            for k in self.piece_at(first)..self.pieces.len() {
                let Piece { from, powers } = self.pieces[k];
                if from > last || from == last && from > first {
                    break;
                }
                let ends = [first.max(from) - from, last.min(self.until(k)) - from];
                let shifted = shifted(&powers, self.degree, ends[0]);
                let length = (ends[1] - ends[0]).max(0.0);
                add([0, 1, 2].map(|order| hull(&shifted, self.degree, order, length)));
            }
        }
        let [value, rate, acceleration] = all.map(|range| range.unwrap_or([0.0; 2]));
        // By rounding, the value in the middle may be a little outside.
        let value = [value[0].min(middle), value[1].max(middle)];
        JointRange { middle, value, rate, acceleration }
    }

    /// What the joint does at a time within its pieces, and from then on where two of them meet.
    fn at(&self, t: f64) -> JointRange {
        let [mut value, mut rate, mut bend] = [0.0; 3];
        if let Some(Piece { from, powers }) = self.pieces.get(self.piece_at(t)) {
            let since = t - from;
            for k in (0..=self.degree).rev() {
                bend = bend * since + rate;
                rate = rate * since + value;
                value = value * since + powers[k];
            }
        }
        let acceleration = 2.0 * bend;
        JointRange { middle: value, value: [value; 2], rate: [rate; 2], acceleration: [acceleration; 2] }
    }

    /// The first time after `t` at which the rate jumps; infinite where there is none.
    pub(super) fn next_jump(&self, t: f64) -> f64 {
        self.jumps.get(self.jumps.partition_point(|&jump| jump <= t)).copied().unwrap_or(f64::INFINITY)
    }

    /// A time and a value beyond the limits by more than rounding.
    pub(super) fn beyond(&self, [lower, upper]: Range) -> Option<[f64; 2]> {
        let rounding = 1e-9 * (1.0 + lower.abs().min(upper.abs()));
        let outside = |[least, most]: Range| least < lower - rounding || most > upper + rounding;
        let ends = |k: usize| [self.pieces[k].from, self.until(k)];
        let mut open: Vec<([f64; 2], u32)> = (0..self.pieces.len()).rev().map(|k| (ends(k), 0)).collect();
        while let Some(([from, to], depth)) = open.pop() {
            let value = self.value(from);
            if outside([value; 2]) {
                return Some([from, value]);
            }
            let range = self.range(from, to).value;
            if !outside(range) {
                continue;
            }
            let middle = 0.5 * from + 0.5 * to;
            if depth == MOST_HALVINGS || middle <= from || middle >= to {
                return Some([from, if range[0] < lower { range[0] } else { range[1] }]);
            }
            open.extend([([middle, to], depth + 1), ([from, middle], depth + 1)]);
        }
        let value = self.value(self.to);
        outside([value; 2]).then_some([self.to, value])
    }

    /// How far the true value may be from the path between two times.
    pub(super) fn off(&self, from: f64, to: f64) -> f64 {
        let Some(Slack { rate, acceleration }) = self.slack else { return 0.0 };
        let mut most = 0.0_f64;
        for k in self.piece_at(from)..self.pieces.len() {
            let (Piece { from: begins, powers }, ends) = (self.pieces[k], self.until(k));
            if begins > to {
                break;
            }
            // Where the span comes nearest to the middle of the gap.
            let t = (0.5 * begins + 0.5 * ends).max(from).min(to).max(begins).min(ends);
            let (s, u, mean) = (t - begins, ends - t, powers[1].abs());
            let by_rate =
                ((rate + mean) * s.min(u)).min((rate - mean).max(0.0) * (rate + mean) * (s + u) / (2.0 * rate));
            let by_acceleration = 0.5 * acceleration * s * u;
            let known = |x: f64| if x.is_nan() { f64::INFINITY } else { x };
            most = most.max(known(by_rate).min(known(by_acceleration)));
        }
        most * (1.0 + 1e-12)
    }
}

fn derivative(powers: &Powers, since: f64) -> f64 {
    (1..6).rev().fold(0.0, |sum, k| sum * since + powers[k] * k as f64)
}

/// The same polynomial, of a degree, in the time since a later begin.
fn shifted(powers: &Powers, degree: usize, later: f64) -> Powers {
    let mut shifted = *powers;
    if later == 0.0 {
        return shifted;
    }
    for first in 0..degree {
        for k in (first..degree).rev() {
            shifted[k] += later * shifted[k + 1];
        }
    }
    shifted
}

/// The least and the greatest coefficient of a derivative, in Bernstein's form, over a time from the begin.
fn hull(powers: &Powers, degree: usize, order: usize, length: f64) -> Range {
    let Some(degree) = degree.checked_sub(order) else { return [0.0; 2] };
    let (mut scaled, mut scale, mut size) = ([0.0; 6], 1.0, 0.0);
    for k in 0..=degree {
        let falling: f64 = (0..order).map(|i| (k + order - i) as f64).product();
        let term = powers[k + order] * falling * scale;
        size += term.abs();
        scaled[k] = term / CHOOSE[degree][k];
        scale *= length;
    }
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    for choose in &CHOOSE[..=degree] {
        let b: f64 = (0..=degree).map(|k| choose[k] * scaled[k]).sum();
        range = [range[0].min(b), range[1].max(b)];
    }
    if range[0] == range[1] { range } else { [range[0] - 32.0 * EPS * size, range[1] + 32.0 * EPS * size] }
}
