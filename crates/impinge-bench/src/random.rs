//! Random numbers from a seed: SplitMix64 (Steele, Lea, Flood 2014), the same on every machine.

use impinge::glam::{DQuat, DVec3};
use std::f64::consts::TAU;

#[derive(Debug, Clone)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    /// A stream of its own for every `(seed, purpose)`.
    pub(crate) fn new(seed: u64, purpose: u64) -> Random {
        let mut first = Random { state: seed };
        Random { state: first.bits() ^ purpose.wrapping_mul(0xD134_2543_DE82_EF95) }
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in `[0, 1)`.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (0.5 * f64::EPSILON)
    }

    /// Uniform in `[low, high)`.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// One of `0..n`.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u32
    }

    /// Uniform on the unit sphere (Archimedes: height and angle are independent).
    pub(crate) fn direction(&mut self) -> DVec3 {
        let (z, angle) = (self.between(-1.0, 1.0), self.between(0.0, TAU));
        let r = (1.0 - z * z).max(0.0).sqrt();
        DVec3::new(r * angle.cos(), r * angle.sin(), z).normalize()
    }

    /// Uniform over the rotations (Shoemake 1992).
    pub(crate) fn rotation(&mut self) -> DQuat {
        let (u, s, t) = (self.unit(), self.between(0.0, TAU), self.between(0.0, TAU));
        let (p, q) = ((1.0 - u).sqrt(), u.sqrt());
        DQuat::from_xyzw(p * s.sin(), p * s.cos(), q * t.sin(), q * t.cos()).normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_first_values_of_splitmix64() {
        let mut random = Random { state: 1234567 };
        let expected = [6457827717110365317, 3203168211198807973, 9817491932198370423];
        assert_eq!(std::array::from_fn(|_| random.bits()), expected);
    }

    #[test]
    fn draws_stay_in_range_and_spread() {
        let mut random = Random::new(1, 2);
        let mut mean = DVec3::ZERO;
        for _ in 0..4000 {
            let d = random.direction();
            assert!((d.length() - 1.0).abs() < 1e-12 && random.below(7) < 7 && (0.0..1.0).contains(&random.unit()));
            mean += d / 4000.0;
        }
        assert!(mean.length() < 0.08);
    }
}
