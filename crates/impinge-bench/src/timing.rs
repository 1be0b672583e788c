//! How long a query takes: medians, of passes that take turns.

use std::time::{Duration, Instant};

/// The median, the upper one of two middle values; NaN where there are no values.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Nanoseconds of one of the `n` queries of `pass`, by the rivals' protocol: a warming pass, then the median of 3 to 15
/// passes within `budget`; a pass of more than 1.5 s is its own answer.
pub(crate) fn per_query_ns(n: usize, budget: Duration, mut pass: impl FnMut()) -> f64 {
    let per_query = |t: Duration| t.as_secs_f64() * 1e9 / n.max(1) as f64;
    let start = Instant::now();
    pass();
    let first = start.elapsed();
    if first > Duration::from_millis(1500) {
        return per_query(first);
    }
    let mut samples = Vec::new();
    while samples.len() < 3 || (samples.len() < 15 && start.elapsed() < budget) {
        let t = Instant::now();
        pass();
        samples.push(per_query(t.elapsed()));
    }
    median(samples)
}

/// Seconds that something takes.
pub(crate) fn seconds_of(what: impl FnOnce()) -> f64 {
    let t = Instant::now();
    what();
    t.elapsed().as_secs_f64()
}

/// One of the sides of a comparison: runs all its queries once.
pub(crate) type Side<'a> = Box<dyn FnMut() + 'a>;

/// Median seconds of each side over `passes` rounds in which the sides take turns (A, B, A, B, …), so that a slow spell
/// of the machine meets all of them. A side that is over sooner than `slot` is repeated to fill it.
pub(crate) fn interleaved(passes: usize, slot: Duration, sides: &mut [Side<'_>]) -> Vec<f64> {
    let repeats: Vec<u32> = sides.iter_mut().map(|side| repeats_to_fill(slot, side)).collect();
    let mut samples = vec![Vec::new(); sides.len()];
    for _ in 0..passes.max(1) {
        for ((side, &n), samples) in sides.iter_mut().zip(&repeats).zip(&mut samples) {
            let t = Instant::now();
            (0..n).for_each(|_| side());
            samples.push(t.elapsed().as_secs_f64() / f64::from(n));
        }
    }
    samples.into_iter().map(median).collect()
}

fn repeats_to_fill(slot: Duration, side: &mut Side<'_>) -> u32 {
    side();
    let t = Instant::now();
    side();
    let once = t.elapsed().as_secs_f64().max(1e-9);
    (slot.as_secs_f64() / once).ceil().clamp(1.0, 1e6) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_is_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert!(median(vec![]).is_nan());
    }

    #[test]
    fn sides_take_turns() {
        let order = std::cell::RefCell::new(Vec::new());
        let side = |name: char| -> Side<'_> {
            let order = &order;
            Box::new(move || order.borrow_mut().push(name))
        };
        let medians = interleaved(3, Duration::ZERO, &mut [side('a'), side('b')]);
        assert_eq!(medians.len(), 2);
        assert_eq!(order.borrow()[4..], ['a', 'b', 'a', 'b', 'a', 'b']);
    }
}
