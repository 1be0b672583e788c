//! SplitMix64: small, fast, and the same numbers on every machine.

use glam::{DQuat, DVec3};

/// A source of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts the sequence that belongs to `seed`.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// An integer of `0..n`.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u64
    }

    /// A number of `[low, high)`.
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 * (0.5f64).powi(53))
    }

    /// A point of the cube `[-r, r)³`.
    pub fn point(&mut self, r: f64) -> DVec3 {
        DVec3::new(self.within(-r, r), self.within(-r, r), self.within(-r, r))
    }

    /// A point with integer coordinates of `-r..=r`.
    pub fn grid_point(&mut self, r: i64) -> DVec3 {
        let mut one = || (self.below(2 * r as u64 + 1) as i64 - r) as f64;
        DVec3::new(one(), one(), one())
    }

    /// A rotation, uniform over all of them.
    pub fn rotation(&mut self) -> DQuat {
        loop {
            let q = glam::DVec4::from((self.point(1.0), self.within(-1.0, 1.0)));
            if (1e-3..=1.0).contains(&q.length_squared()) {
                return DQuat::from_vec4(q.normalize());
            }
        }
    }
}
