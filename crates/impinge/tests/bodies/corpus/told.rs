//! Compares what a case says about its bodies with what a pair answers.

use impinge::{DepthKind, Limit, Method, Pair, Pose};

use super::cases::Case;

/// Everything that is wrong about a pair of meshes of this size.
pub(crate) fn of_meshes(case: &Case, size: f64, pair: &mut Pair) -> Result<(), String> {
    let [pa, pb] = case.poses();
    let mut wrong = of_any(case, size, [&pa, &pb], pair);
    let (interval, widest) = (pair.distance(&pa, &pb).interval, case.tolerance(size).max(1e-12 * size));
    if case.expect.distance.is_some_and(|d| interval.mid() != d && interval.width() > widest) {
        wrong.push(format!("distance {interval:?} is wider than {widest:e}"));
    }
    if let Some(count) = case.expect.contacts {
        let found = pair.contacts(&pa, &pb, Limit::All).pairs.len();
        if found != count {
            wrong.push(format!("{found} contacts, not {count}"));
        }
    }
    all_of(wrong)
}

/// Everything that is wrong about a pair of convex bodies of this size, at these poses.
pub(crate) fn of_convex(case: &Case, size: f64, poses: [&Pose; 2], pair: &mut Pair, by: Method) -> Result<(), String> {
    let mut wrong = of_any(case, size, poses, pair);
    let (expect, deep) = (&case.expect, pair.penetration(poses[0], poses[1]));
    let estimate = deep.kind == DepthKind::Estimate;
    if deep.direction.is_some() != expect.overlap {
        wrong.push(format!("penetration {deep:?}"));
    }
    if let (Some(depth), false) = (expect.depth, estimate)
        && (deep.interval.mid() - depth).abs() > case.depth_tolerance(size)
    {
        wrong.push(format!("depth {:?}, not {depth:e}", deep.interval));
    }
    if estimate && by != Method::VClip {
        wrong.push(format!("{by} estimates {deep:?}"));
    }
    if !expect.overlap && deep.interval.upper != 0.0 {
        wrong.push(format!("apart, and deep: {deep:?}"));
    }
    all_of(wrong)
}

/// What every kind of body has to answer.
fn of_any(case: &Case, size: f64, [pa, pb]: [&Pose; 2], pair: &mut Pair) -> Vec<String> {
    let (mut wrong, expect) = (Vec::new(), &case.expect);
    let overlap = pair.overlap(pa, pb).overlap;
    if overlap != expect.overlap {
        wrong.push(format!("overlap is {overlap}"));
    }
    let got = pair.distance(pa, pb);
    if (got.interval.upper == 0.0) != expect.overlap || got.penetrating != expect.overlap {
        wrong.push(format!("distance {:?}, penetrating {}", got.interval, got.penetrating));
    }
    if let Some(distance) = expect.distance {
        let (middle, tolerance) = (got.interval.mid(), case.tolerance(size));
        if middle != distance && (middle - distance).abs().total_cmp(&tolerance).is_gt() {
            wrong.push(format!("distance {:?} is not {distance:e} within {tolerance:e}", got.interval));
        }
    }
    for &(tolerance, near) in &expect.within {
        if pair.within(pa, pb, tolerance).within != near {
            wrong.push(format!("within {tolerance:e} is not {near}"));
        }
    }
    wrong
}

fn all_of(wrong: Vec<String>) -> Result<(), String> {
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
}
