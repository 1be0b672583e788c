//! The lengths by which bodies are moved or shrunk on trial: fixed steps, so that a larger tolerance never finds less.
//!
//! That bodies are free of each other when one is moved, or made smaller, by some length says nothing about a longer
//! one: moved farther, a part runs into the next wall, and shrunk by more than its thickness it turns inside out. So
//! several lengths are tried for a tolerance, none longer than the tolerance itself, except for the least length that
//! can be told from rounding, which is always tried. They are the same for every tolerance, 1, 1.5, 2, 3, 5 and 7 times
//! a power of ten, so that those of a smaller tolerance are among those of a larger one. Tolerances that people type
//! are mostly among them; for one between two of them the lower one decides.

/// The steps of a decade.
const STEPS: [f64; 6] = [1.0, 1.5, 2.0, 3.0, 5.0, 7.0];
/// The decades that `f64` covers.
const DECADES: std::ops::RangeInclusive<i32> = -300..=300;

/// The steps up to the tolerance, the longest first, and at last `least`, the shortest of all, which is tried whatever
/// the tolerance. No step is shorter than that.
pub(super) fn trial_lengths(tolerance: f64, least: f64) -> impl Iterator<Item = f64> {
    let top = (tolerance.max(f64::MIN_POSITIVE).log10().floor() as i32 + 1).clamp(*DECADES.start(), *DECADES.end());
    let steps = (*DECADES.start()..=top).rev().flat_map(|decade| STEPS.iter().rev().map(move |step| at(*step, decade)));
    let steps = steps.skip_while(move |length| *length > tolerance).take_while(move |length| *length > least);
    steps.chain(std::iter::once(least))
}

/// The floating-point number that the decimal one, as typed, is read as.
fn at(step: f64, decade: i32) -> f64 {
    format!("{step}e{decade}").parse().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_a_smaller_tolerance_are_among_those_of_a_larger() {
        assert_eq!(trial_lengths(0.005, 0.0008).collect::<Vec<_>>(), [0.005, 0.003, 0.002, 0.0015, 0.001, 0.0008]);
        for tolerance in [0.0, 1e-9, 0.001, 0.00149, 0.02, 1.0, 6.9, 1e12] {
            let less: Vec<f64> = trial_lengths(tolerance, 1e-11).collect();
            assert!(less.iter().all(|length| *length <= tolerance.max(1e-11)), "{tolerance}: {less:?}");
            assert!(tolerance < 1e-11 || tolerance / less[0] < 1.7, "{tolerance}: {less:?}");
            for larger in [1.01, 2.0, 1e5].map(|times| times * tolerance) {
                let more: Vec<f64> = trial_lengths(larger, 1e-11).collect();
                assert!(less.iter().all(|length| more.contains(length)), "{tolerance} {larger}");
            }
        }
        for (tolerance, least) in [(0.0, 0.0), (1e300, 1e288), (1e-300, 0.0), (f64::MAX, 1e290)] {
            assert!(trial_lengths(tolerance, least).count() < 120, "{tolerance}");
        }
    }
}
