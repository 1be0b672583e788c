//! Which axes separate boxes best: the phases that reduce dimensions sort by these first.
//!
//! On an axis where centres lie about d from their mean and boxes are s long, a box overlaps a part of the others that
//! grows with s/d. Where parts have settled on a floor, that is large along the vertical (Mirtich 1997, Figure 6).

use glam::DVec3;

use crate::broad::store::boxes::Boxes;

/// The axes, the one that separates most boxes first.
pub(crate) fn axes_by_spread(boxes: &Boxes) -> [usize; 3] {
    let n = boxes.len().max(1) as f64;
    let all = || boxes.live().map(|slot| &boxes.all()[slot as usize]);
    let mean = all().fold(DVec3::ZERO, |sum, b| sum + b.centre() / n);
    let (apart, side) = all().fold((DVec3::ZERO, DVec3::ZERO), |(apart, side), b| {
        (apart + (b.centre() - mean).abs() / n, side + (b.max - b.min) / n)
    });
    // Zero over zero (points in one place) counts as the worst.
    let crowd = (side / apart).to_array().map(|x| if x.is_nan() { f64::INFINITY } else { x });
    let mut axes = [0, 1, 2];
    axes.sort_by(|&i, &j| crowd[i].total_cmp(&crowd[j]));
    axes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::Aabb;
    use crate::broad::store::filter::{Filter, Mobility};

    #[test]
    fn a_floor_is_told_apart_along_itself() {
        let mut boxes = Boxes::new();
        for k in 0..100 {
            let at = DVec3::new(f64::from(k % 10) * 3.0, 0.0, f64::from(k / 10) * 5.0);
            boxes.insert(Aabb::new(at, at + DVec3::ONE), Filter::ALL, Mobility::Moving).unwrap();
        }
        assert_eq!(axes_by_spread(&boxes), [2, 0, 1]);
        assert_eq!(axes_by_spread(&Boxes::new()), [0, 1, 2]);
    }
}
