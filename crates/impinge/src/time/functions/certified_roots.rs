//! Finds intervals of time that certainly contain all roots of a contact function.
//!
//! The intervals contain every time at which the absolute value of the function is at most `error_bound`, the bound on
//! its rounding error. Between two intervals the function has one sign, which rounding cannot change. A simple root
//! gives an interval a few roundings wide. Where the function touches zero, the interval lasts as long as the value
//! stays within rounding. A function that is zero everywhere gives one interval.
//!
//! The span is cut into pieces on which the function is monotone, so that its values at the two ends decide.
//!
//! - `a + bC + cS + s·e` is stationary where `sin(sθ − φ) = e/(θA)`, with `A = √(b² + c²)`, `φ = atan2(c, b)`: two
//!   times a turn in closed form, or none. A stationary time that is off by `ε` leaves an error of `ε²` in the value.
//! - With drifting terms the second derivative is bounded by `K = θ²(|(b,c)| + s|(f,g)|) + 2θ|(f,g)|`. On a piece of
//!   half width `h` about `m` there is no root if `|F(m)| − |F'(m)|h − ½Kh²` is larger than `error_bound`; the
//!   function is monotone there if `|F'(m)| > Kh`; else the piece is halved.
//!
//! Cost: a few values for each turn and each root. At most [`MOST_PIECES`] pieces are tested; the rest of the span is
//! then returned as one interval.

use std::f64::consts::{PI, TAU};

use smallvec::SmallVec;

use super::contact_functions::ContactFunction;

/// The most pieces of one function in one span.
const MOST_PIECES: usize = 1 << 10;
/// The most steps towards one root.
const MOST_STEPS: usize = 64;

/// Disjoint intervals in ascending order.
pub(crate) type PossibleRoots = SmallVec<[[f64; 2]; 4]>;

impl ContactFunction {
    /// The times from 0 to `end` at which the function may be zero.
    pub(crate) fn possible_roots(&self, end: f64) -> PossibleRoots {
        let mut found = PossibleRoots::new();
        if !self.is_finite() {
            found.push([0.0, end]);
        } else if self.rate == 0.0 || self.drift[1] == 0.0 && self.drift[2] == 0.0 {
            self.between_stationary(end, &mut found);
        } else {
            self.by_curvature(end, &mut found);
        }
        found
    }

    /// [`ContactFunction::possible_roots`] for a function without drifting terms.
    fn between_stationary(&self, end: f64, found: &mut PossibleRoots) {
        let ([_, b, c], e) = (self.constant, self.drift[0]);
        let sine = e / (self.rate * b.hypot(c));
        let mut last = 0.0;
        if sine.abs() < 1.0 {
            let (phase, base) = (c.atan2(b), sine.asin());
            let time = |angle: f64| angle.rem_euclid(TAU) / self.rate;
            let (first, second) = (time(phase + base), time(phase + PI - base));
            let (first, second) = (first.min(second), first.max(second));
            for turn in 0..MOST_PIECES / 2 {
                let turned = turn as f64 * TAU / self.rate;
                for s in [first + turned, second + turned] {
                    if s >= end {
                        return self.monotone(last, end, found);
                    }
                    if s > last {
                        self.monotone(last, s, found);
                        last = s;
                    }
                }
            }
            return join(found, [last, end]);
        }
        self.monotone(0.0, end, found);
    }

    /// [`ContactFunction::possible_roots`] for a function with drifting terms.
    fn by_curvature(&self, end: f64, found: &mut PossibleRoots) {
        let mut open: SmallVec<[[f64; 2]; 32]> = SmallVec::from_iter([[0.0, end]]);
        let mut pieces = 0;
        while let Some([low, high]) = open.pop() {
            pieces += 1;
            let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
            let [value, slope] = self.with_slope(middle);
            let slope_change = self.curvature(high) * half;
            let value_change = (slope.abs() + 0.5 * slope_change) * half;
            if value.abs() - value_change > self.error_bound {
                continue;
            }
            if slope.abs() > slope_change {
                self.monotone(low, high, found);
            } else if value.abs() + value_change <= 2.0 * self.error_bound
                || middle <= low
                || middle >= high
                || pieces > MOST_PIECES
            {
                join(found, [low, high]);
            } else {
                open.extend([[middle, high], [low, middle]]);
            }
        }
    }

    /// Adds the times between `low` and `high` at which the function may be zero; it is monotone between them.
    fn monotone(&self, low: f64, high: f64, found: &mut PossibleRoots) {
        let ends = [self.value(low), self.value(high)];
        let [first, last] = ends.map(|x| x.abs() > self.error_bound);
        if first && last && (ends[0] > 0.0) == (ends[1] > 0.0) {
            return;
        }
        let from =
            if first { self.level_crossing(low, high, ends, ends[0].signum() * self.error_bound)[0] } else { low };
        let to = if last {
            self.level_crossing(from, high, [self.value(from), ends[1]], ends[1].signum() * self.error_bound)[1]
        } else {
            high
        };
        join(found, [from, to]);
    }

    /// A narrow bracket of the time at which the function passes `level`. At `low` and `high` it is on different sides
    /// of the level. Newton's method; the bracket is halved where a step leaves it or shrinks it too little.
    fn level_crossing(&self, low: f64, high: f64, ends: [f64; 2], level: f64) -> [f64; 2] {
        let ([mut low, mut high], rising) = ([low, high], ends[1] > ends[0]);
        // A value equal to the level may be a rounded zero: it counts as between the two levels `±error_bound`.
        let is_past = |over: f64| if over == 0.0 { (level > 0.0) != rising } else { (over > 0.0) == rising };
        let mut guess = low + (high - low) * ((level - ends[0]) / (ends[1] - ends[0]));
        let mut width = high - low;
        for step in 0..MOST_STEPS {
            if !(guess > low && guess < high) {
                guess = 0.5 * (low + high);
            }
            if guess <= low || guess >= high {
                break;
            }
            let [value, slope] = self.with_slope(guess);
            if is_past(value - level) {
                high = guess;
            } else {
                low = guess;
            }
            let next = guess - (value - level) / slope;
            // Newton's steps come from one side. A value on either side of the root then closes the bracket.
            let reach = 4.0 * f64::EPSILON * high + 0.01 * self.error_bound / slope.abs();
            if reach.is_finite() && (next - guess).abs() <= reach {
                for s in [next - reach, next + reach] {
                    if s > low && s < high {
                        if is_past(self.value(s) - level) { high = s } else { low = s }
                    }
                }
                break;
            }
            let halve = step % 4 == 3 && high - low > 0.25 * width;
            if step % 4 == 3 {
                width = high - low;
            }
            guess = if halve { 0.5 * (low + high) } else { next };
        }
        [low, high]
    }
}

/// Adds an interval, which begins no earlier than the last one, and joins the two where they overlap.
fn join(found: &mut PossibleRoots, [low, high]: [f64; 2]) {
    match found.last_mut() {
        Some(last) if last[1] >= low => last[1] = last[1].max(high),
        _ => found.push([low, high]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(constant: [f64; 3], drift: [f64; 3], rate: f64) -> ContactFunction {
        ContactFunction { constant, drift, rate, error_bound: 1e-13 }
    }

    fn number(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    #[test]
    fn roots_are_found_in_every_turn() {
        let end = 5.0 * TAU;
        let zeros = function([0.0, 1.0, 0.0], [0.0; 3], 1.0).possible_roots(end);
        assert_eq!(zeros.len(), 10);
        for (k, [low, high]) in zeros.iter().enumerate() {
            let root = (k as f64 + 0.5) * PI;
            assert!(*low <= root && root <= *high && high - low < 1e-12, "{k}: {low} {high}");
        }
        assert_eq!(function([1.5, 1.0, 0.0], [0.0; 3], 1.0).possible_roots(end).len(), 0);
        assert_eq!(function([0.0; 3], [0.0; 3], 1.0).possible_roots(end)[..], [[0.0, end]]);
        assert_eq!(function([f64::NAN; 3], [0.0; 3], 1.0).possible_roots(end)[..], [[0.0, end]]);
        // This function touches zero once a turn, without a change of sign.
        let touches = function([-1.0, 1.0, 0.0], [0.0; 3], 1.0).possible_roots(4.5 * TAU);
        assert_eq!(touches.len(), 5);
        for (k, [low, high]) in touches.iter().enumerate() {
            let root = k as f64 * TAU;
            assert!(*low <= root && root <= *high && high - low < 2e-6, "{k}: {low} {high}");
        }
    }

    /// The span has more turns than the search goes through. It must return the rest as one interval, since there may
    /// be roots in it.
    #[test]
    fn times_beyond_the_cap_count_as_possible_roots() {
        for f in [function([0.0, 1.0, 0.0], [0.0; 3], 1.0), function([0.0, 1.0, 0.0], [0.0, 1.0, 0.5], 1.0)] {
            let found = f.possible_roots(1e9);
            assert!(found.len() < 2 * MOST_PIECES && found.last().unwrap()[1] == 1e9);
        }
    }

    /// Between the intervals returned, the sign is certain and stays the same, for every kind of function.
    #[test]
    fn signs_are_constant_between_possible_roots() {
        let mut state = 7;
        let mut roots = 0;
        for trial in 0..4000 {
            let mut three = |n: usize| [0, 1, 2].map(|k| if k < n { number(&mut state) } else { 0.0 });
            let (constant, drift) = (three(3), three([0, 1, 3][trial % 3]));
            let rate = if trial % 5 == 0 { 0.0 } else { 4.0 * (number(&mut state) + 1.0) };
            let f = function(constant, drift, rate);
            let end = 6.0;
            let found = f.possible_roots(end);
            roots += found.len();
            assert!(found.windows(2).all(|w| w[0][1] < w[1][0]));
            assert!(found.iter().all(|[low, high]| high - low < 1e-5), "{f:?} {found:?}");
            let mut last = (0.0, f.value(0.0));
            for k in 1..=600 {
                let s = end * f64::from(k) / 600.0;
                let value = f.value(s);
                if (value > 0.0) != (last.1 > 0.0) {
                    assert!(found.iter().any(|[low, high]| *low <= s && *high >= last.0), "{f:?} at {s}");
                }
                assert!(value.abs() > f.error_bound || found.iter().any(|[low, high]| *low <= s && s <= *high));
                last = (s, value);
            }
            for [low, high] in found {
                let beyond = |s: f64| s <= 0.0 || s >= end || f.value(s).abs() > f.error_bound;
                assert!(beyond(low) && beyond(high), "{f:?} {low} {high}");
            }
        }
        assert!(roots > 5000, "{roots}");
    }
}
