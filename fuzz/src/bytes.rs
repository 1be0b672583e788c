//! Bytes taken as numbers, points and poses, and what the oracles need to know of poses.

use impinge::Pose;
use impinge::glam::{DQuat, DVec3};

/// The input, read from the front; zeros when it is used up.
pub struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    pub fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().map_or((0, self.0), |(b, rest)| (*b, rest));
        self.0 = rest;
        first
    }

    pub fn word(&mut self) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// A coordinate: a small integer or half of one, a number of modest size, or any bits at all.
    pub fn number(&mut self, kind: u8) -> f64 {
        match kind {
            0 => f64::from(self.byte() as i8 % 4) * 0.5,
            1 => {
                let bits = self.word();
                let exponent = 1023 - 20 + (bits >> 52 & 0x1f);
                f64::from_bits(bits & 0x800f_ffff_ffff_ffff | exponent << 52)
            }
            _ => f64::from_bits(self.word()),
        }
    }

    /// A length, not negative unless it is any bits at all.
    pub fn length(&mut self, kind: u8) -> f64 {
        match kind {
            0 => f64::from(1 + self.byte() % 6) * 0.5,
            1 => self.number(1).abs(),
            _ => self.number(kind),
        }
    }

    pub fn point(&mut self, kind: u8) -> DVec3 {
        DVec3::new(self.number(kind), self.number(kind), self.number(kind))
    }

    /// A rotation: none, a third of a turn, which is exact, any, or any bits at all.
    pub fn rotation(&mut self, kind: u8) -> DQuat {
        match self.byte() % 4 {
            0 => DQuat::IDENTITY,
            1 => DQuat::from_xyzw(0.5, -0.5, 0.5, 0.5),
            2 => DQuat::from_xyzw(self.number(1), self.number(1), self.number(1), self.number(1)).normalize(),
            _ => DQuat::from_xyzw(self.number(kind), self.number(kind), self.number(kind), self.number(kind)),
        }
    }

    pub fn pose(&mut self, kind: u8) -> Option<Pose> {
        let rotation = self.rotation(kind);
        Pose::new(self.point(kind), rotation).ok()
    }

    /// Some points, at most `most`: free, or repeating, halving or nearly repeating earlier ones, on a line or in a
    /// plane, turned or not.
    pub fn points(&mut self, kind: u8, most: u8) -> Vec<DVec3> {
        let (count, shape) = (1 + self.byte() % most, self.byte());
        let (origin, along, across) = match shape % 4 {
            2 => (self.point(kind), self.point(kind), DVec3::ZERO),
            3 => (self.point(kind), self.point(kind), self.point(kind)),
            _ => (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO),
        };
        let turn = if shape & 4 == 0 { DQuat::IDENTITY } else { self.rotation(1) };
        let mut points: Vec<DVec3> = Vec::new();
        for k in 0..usize::from(count) {
            let how = if shape & 8 == 0 || k == 0 { 0 } else { self.byte() % 8 };
            let mut earlier = || points[usize::from(self.byte()) % k];
            let p = match how {
                1 => earlier(),
                2 => earlier().midpoint(earlier()),
                // Next to nothing is nothing: the rest is outside of what is promised (the contract's span).
                3 => DVec3::from_array(earlier().to_array().map(|x| if x == 0.0 { x } else { x.next_up() })),
                4 => earlier() * (1.0 + 1e-13),
                _ if shape % 4 > 1 => turn * (origin + along * self.number(kind) + across * self.number(kind)),
                _ => turn * self.point(kind),
            };
            points.push(p);
        }
        points
    }
}

/// The map from `b`'s frame to `a`'s, with the roundings that the library promises.
pub fn into_frame_of_a(pose_a: &Pose, pose_b: &Pose) -> impl Fn(DVec3) -> DVec3 + use<> {
    let parts = |pose: &Pose| (pose.translation(), pose.rotation());
    impinge_testing::soup::into_frame_of_a(parts(pose_a), parts(pose_b))
}
