//! For tests: random triangles and placements for the tests of volumes.

use glam::{DMat3, DQuat, DVec3};

use super::node_volume::Placement;

/// Random numbers, the same on every machine: SplitMix64.
pub(crate) struct Trials(u64);

impl Trials {
    pub(crate) fn new(seed: u64) -> Trials {
        Trials(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    pub(crate) fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 * 0.5f64.powi(53))
    }

    pub(crate) fn point(&mut self, reach: f64) -> DVec3 {
        DVec3::from_array([0; 3].map(|_| self.within(-reach, reach)))
    }

    pub(crate) fn rotation(&mut self) -> DQuat {
        let q = DQuat::from_xyzw(
            self.within(-1.0, 1.0),
            self.within(-1.0, 1.0),
            self.within(-1.0, 1.0),
            self.within(-1.0, 1.0),
        );
        if q.length_squared() > 1e-3 { q.normalize() } else { DQuat::IDENTITY }
    }

    /// Triangles within ±1: a cloud, flat, a needle, a point, or few; turned or along the axes.
    pub(crate) fn soup(&mut self) -> Vec<[DVec3; 3]> {
        let count = [1, 2, 4, 11, 40][self.below(5)];
        let thin = [1.0, 1.0, 1e-3, 1e-9, 0.0];
        let size = [0.5, 0.5, 0.1, 1e-6][self.below(4)];
        let stretch = DVec3::new(1.0, thin[self.below(5)], thin[self.below(5)]) * size;
        let turn = if self.below(2) == 0 { DQuat::IDENTITY } else { self.rotation() };
        let at = if self.below(2) == 0 { DVec3::ZERO } else { self.point(0.1) };
        let small = [1.0, 0.2][self.below(2)];
        (0..count)
            .map(|_| {
                let middle = self.point(0.8);
                [0; 3].map(|_| at + turn * ((middle * (1.0 - small) + self.point(small * 0.8)) * stretch))
            })
            .collect()
    }

    pub(crate) fn placement(&mut self) -> Placement {
        let rotation = match self.below(4) {
            0 => DMat3::IDENTITY,
            1 => DMat3::from_quat(DQuat::from_rotation_z(10f64.powi(-(self.below(17) as i32)))),
            2 => DMat3::from_cols(DVec3::Y, DVec3::NEG_X, DVec3::Z),
            _ => DMat3::from_quat(self.rotation()),
        };
        let reach = [0.0, 1e-9, 0.5, 2.0, 30.0, 1e6][self.below(6)];
        let scale = [1.0, 1.0, 0.5, 2f64.powi(-20), 2f64.powi(-100)][self.below(5)];
        Placement { rotation, translation: self.point(reach), scale }
    }
}
