//! Proves that two features certainly meet: Miranda's theorem on a small box around the root.
//!
//! C. Miranda, *Un'osservazione su un teorema di Brouwer*, 1940: a continuous map of a box that is negative in its
//! `k`-th coordinate on the one face across `k`, and positive on the other, for every `k`, has a root inside. The map
//! is `J⁻¹·F`, with `J` the derivative of the vector between the features ([`Between`]) at a root found by Newton's
//! method. There it is nearly the identity, so the theorem applies to every root at which features cross, and to none
//! at which they only touch. Each of its coordinates is affine in each parameter, as `F` is, so the corners of a face
//! decide.
//!
//! Cost: a few steps of Newton's method, and up to 24 values for each of four sizes of the box.

use glam::{DMat3, DVec3};

use super::between::{Between, ERROR};
use super::encounter::FeatureEncounter;
use super::inclusion::Meeting;
use crate::math::{EPS, Interval};

/// Steps of Newton's method.
const STEPS: usize = 6;

/// Half widths of the boxes tried.
const SIZES: [f64; 4] = [1.0 / (1u64 << 40) as f64, 1.0 / (1u64 << 32) as f64, 1.0 / (1 << 22) as f64, 1.0 / 4096.0];

impl FeatureEncounter {
    /// The same meeting, if the features certainly meet; they have then met by `upper`.
    pub(crate) fn certain(&self, meeting: &Meeting) -> Option<Meeting> {
        let between = Between::of(self);
        let [t, u, v] = between.root_near([meeting.time.mid(), meeting.place[0], meeting.place[1]])?;
        let size = SIZES.into_iter().find(|&size| between.crosses([t, u, v], size))?;
        let time = Interval { lower: meeting.time.lower, upper: (t + size).max(meeting.time.lower) };
        Some(Meeting { time, place: [u, v], nearness: 0.0 })
    }
}

impl Between {
    fn value(&self, [t, u, v]: [f64; 3]) -> DVec3 {
        let along = |k: usize| {
            let [d0, d1, d2] = self.at(t, k);
            d0 + u * d1 + v * d2
        };
        DVec3::new(along(0), along(1), along(2))
    }

    /// Columns are the derivatives by `t`, `u` and `v`.
    fn derivative(&self, [t, u, v]: [f64; 3]) -> DMat3 {
        let wide = |f: &dyn Fn(usize) -> f64| DVec3::new(f(0), f(1), f(2));
        let speed = |i: usize, k: usize| self.ends[i][1][k] - self.ends[i][0][k];
        let by_t = wide(&|k| speed(0, k) + u * speed(1, k) + v * speed(2, k));
        DMat3::from_cols(by_t, wide(&|k| self.at(t, k)[1]), wide(&|k| self.at(t, k)[2]))
    }

    fn root_near(&self, start: [f64; 3]) -> Option<[f64; 3]> {
        let mut at = DVec3::from_array(start);
        for _ in 0..STEPS {
            let step = inverse(&self.derivative(at.to_array()))? * self.value(at.to_array());
            at -= step;
        }
        at.is_finite().then_some(at.to_array())
    }

    /// Whether a root lies within `size` of the parameters given, and of the features.
    fn crosses(&self, middle: [f64; 3], size: f64) -> bool {
        let (low, high) = (middle.map(|x| x - size), middle.map(|x| x + size));
        let beyond = if self.is_face { high[1] + high[2] > 1.0 } else { high[1].max(high[2]) > 1.0 };
        if !low.iter().all(|&x| x >= 0.0) || high[0] > 1.0 || beyond {
            return false;
        }
        let Some(inverse) = inverse(&self.derivative(middle)) else { return false };
        (0..3).all(|k| {
            let row = inverse.row(k);
            (0..8u32).all(|corner| {
                let is_high = |j: usize| corner >> j & 1 == 1;
                let value = self.value([0, 1, 2].map(|j| if is_high(j) { high[j] } else { low[j] }));
                // The parameters of a corner are rounded, so that `1 − t` is not exact either: two roundings more.
                let error = 2.0 * ERROR * row.abs().element_sum() + 4.0 * EPS * (row * value).abs().element_sum();
                let along = row.dot(value);
                if is_high(k) { along > error } else { along < -error }
            })
        })
    }
}

fn inverse(m: &DMat3) -> Option<DMat3> {
    let inverse = m.inverse();
    (m.determinant() != 0.0 && inverse.is_finite()).then_some(inverse)
}
