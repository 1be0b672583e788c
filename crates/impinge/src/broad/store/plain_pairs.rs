//! Every pair of boxes that meets, by two loops and one comparison: what every phase is tested against.

use super::boxes::Boxes;

/// Every pair that meets, sorted, by two loops and one comparison in `f64`: the oracle.
pub fn plain_pairs(boxes: &Boxes) -> Vec<[u32; 2]> {
    let slots: Vec<u32> = boxes.live().collect();
    let mut pairs = Vec::new();
    for (k, &i) in slots.iter().enumerate() {
        pairs.extend(slots[k + 1..].iter().filter(|&&j| boxes.meet(i, j)).map(|&j| [i, j]));
    }
    pairs
}
