//! Every pair of boxes that meets, by two loops and one comparison: what every phase is tested against.

use super::boxes::Boxes;

/// Every pair that meets, sorted, by two loops and one comparison in `f64`: the oracle.
///
/// ```
/// use impinge::{bound::Aabb, broad::{plain_pairs, Boxes, Filter, Mobility}, glam::DVec3};
/// let mut boxes = Boxes::new();
/// let unit = |x: f64| Aabb::new(DVec3::X * x, DVec3::X * x + 1.0);
/// for x in [0.0, 0.5, 3.0] {
///     boxes.insert(unit(x), Filter::ALL, Mobility::Moving)?;
/// }
/// assert_eq!(plain_pairs(&boxes), [[0, 1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plain_pairs(boxes: &Boxes) -> Vec<[u32; 2]> {
    let slots: Vec<u32> = boxes.live().collect();
    let mut pairs = Vec::new();
    for (k, &i) in slots.iter().enumerate() {
        pairs.extend(slots[k + 1..].iter().filter(|&&j| boxes.meet(i, j)).map(|&j| [i, j]));
    }
    pairs
}
