//! Finds vertices with equal coordinates, so that triangles which share a corner share its number.
//!
//! Files like STL repeat every corner; whether a surface is closed can only be decided on shared ones. Only exact
//! equality counts (0 and −0 are equal): nothing moves.

use std::hash::{BuildHasher, RandomState};

use glam::DVec3;

const FREE: u32 = u32::MAX;

/// For each vertex the first one with equal coordinates, itself if it is the first.
///
/// An open-addressed table of vertex numbers, at most half full. The hash is seeded at random, so that no input can be
/// made to collide; the result does not depend on it.
pub(crate) fn first_equal(vertices: &[DVec3]) -> Vec<u32> {
    let seed = RandomState::new().hash_one(0) | 1;
    let slots = (2 * vertices.len()).next_power_of_two();
    let mut table = vec![FREE; slots];
    let mut first = Vec::with_capacity(vertices.len());
    for (i, v) in vertices.iter().enumerate() {
        let mut at = hash(*v, seed) as usize & (slots - 1);
        let found = loop {
            match table[at] {
                FREE => {
                    table[at] = i as u32;
                    break i as u32;
                }
                j if vertices[j as usize] == *v => break j,
                _ => at = (at + 1) & (slots - 1),
            }
        };
        first.push(found);
    }
    first
}

/// Folded multiplication of the three coordinates' bits.
fn hash(v: DVec3, seed: u64) -> u64 {
    let fold = |h: u64, x: f64| {
        // Adding zero makes −0 into 0.
        let product = u128::from(h ^ (x + 0.0).to_bits()) * u128::from(seed.rotate_left(17) | 1);
        (product as u64) ^ (product >> 64) as u64
    };
    fold(fold(fold(seed, v.x), v.y), v.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_vertices_share_the_first() {
        let v = DVec3::new;
        let vertices = [v(0.0, 1.0, 2.0), v(3.0, 0.0, 0.0), v(-0.0, 1.0, 2.0), v(3.0, -0.0, 0.0), v(3.0, 1e-300, 0.0)];
        assert_eq!(first_equal(&vertices), [0, 1, 0, 1, 4]);
    }
}
