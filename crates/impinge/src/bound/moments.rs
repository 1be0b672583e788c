//! Area, middle and scatter of a surface, put together from those of its parts: from these the axes of oriented boxes
//! are computed (OBBTree, §4).
//!
//! The scatter is kept about the middle of each part, so that nothing cancels where a small part lies far off. Of a
//! triangle with area `A`, centroid `m` and corners `p` it is `A/12·Σ (p−m)(p−m)ᵀ`, and of two parts with areas `A`,
//! `B` and the way `d` between their middles the sum of both and `AB/(A+B)·ddᵀ`. With the scatter over the area as
//! covariance that is the paper's `Σ A/12·(9mmᵀ + Σ ppᵀ)/ΣA − μμᵀ`.

use std::iter::Sum;

use glam::{DMat3, DVec3};

/// The area that a triangle without area is given, so that needles have axes too.
const LITTLE: f64 = 1e-30;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Moments {
    area: f64,
    middle: DVec3,
    scatter: DMat3,
}

impl Moments {
    pub(crate) const NONE: Moments = Moments { area: 0.0, middle: DVec3::ZERO, scatter: DMat3::ZERO };

    pub(crate) fn of(&[p, q, r]: &[DVec3; 3]) -> Moments {
        let area = (q - p).cross(r - p).length() + LITTLE;
        let middle = (p + q + r) / 3.0;
        let [u, v, w] = [p - middle, q - middle, r - middle];
        Moments { area, middle, scatter: (square(u) + square(v) + square(w)) * (area / 12.0) }
    }

    pub(crate) fn and(&self, other: &Moments) -> Moments {
        let area = self.area + other.area;
        if area == 0.0 {
            return *self;
        }
        let (way, share) = (other.middle - self.middle, other.area / area);
        let scatter = self.scatter + other.scatter + square(way) * (self.area * share);
        Moments { area, middle: self.middle + way * share, scatter }
    }

    pub(crate) fn middle(&self) -> DVec3 {
        self.middle
    }

    pub(crate) fn covariance(&self) -> DMat3 {
        self.scatter * self.area.max(LITTLE).recip()
    }
}

impl Sum for Moments {
    fn sum<I: Iterator<Item = Moments>>(parts: I) -> Moments {
        parts.fold(Moments::NONE, |sum, part| sum.and(&part))
    }
}

/// `vvᵀ`.
fn square(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's formula.
    fn by_the_paper(triangles: &[[DVec3; 3]]) -> DMat3 {
        let (mut total, mut mean, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for &[p, q, r] in triangles {
            let (area, m) = ((q - p).cross(r - p).length(), (p + q + r) / 3.0);
            total += area;
            mean += m * area;
            second += (square(m) * 9.0 + square(p) + square(q) + square(r)) * (area / 12.0);
        }
        second * total.recip() - square(mean / total)
    }

    #[test]
    fn parts_make_the_whole() {
        let corner = |k: usize| DVec3::new((k * 7 % 11) as f64, (k * 5 % 13) as f64, (k * 3 % 17) as f64);
        let triangles: Vec<[DVec3; 3]> = (0..40).map(|k| [corner(k), corner(k + 3), corner(k * k + 1)]).collect();
        let sum = |part: &[[DVec3; 3]]| part.iter().map(Moments::of).sum::<Moments>();
        let whole = by_the_paper(&triangles);
        for cut in [0, 1, 17, 40] {
            let joined = sum(&triangles[..cut]).and(&sum(&triangles[cut..])).covariance();
            assert!((joined - whole).to_cols_array().iter().all(|x| x.abs() < 1e-12), "{joined} {whole}");
        }
    }

    #[test]
    fn far_off_nothing_cancels() {
        let near = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let far = near.map(|x| x + DVec3::splat(1e10));
        let both = [near, far].map(|t| Moments::of(&t).covariance());
        assert!((both[0] - both[1]).to_cols_array().iter().all(|x| x.abs() < 1e-5), "{both:?}");
        assert_eq!(Moments::NONE.covariance(), DMat3::ZERO);
        assert!(Moments::of(&[DVec3::X; 3]).covariance().is_finite());
    }
}
