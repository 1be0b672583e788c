//! The unit normal of a polygon, however thin.
//!
//! Newell's sum `Σ p_k × p_{k+1}` is twice the vector area. From differences to a corner it is off by a few `ε` of the
//! products in it, which is nothing where the polygon is about as wide as long. For slivers the products cancel, and
//! the sum is taken exactly: every product is two numbers (an FMA gives the second), and numbers are added to an
//! expansion as in J. R. Shewchuk, *Adaptive precision floating-point arithmetic*, 1997, §2.4.

use glam::DVec3;

use crate::math::normalising_scale;

/// Below this part of the sum of the products' sizes the sum is taken exactly.
const THIN: f64 = 1.0 / 256.0;

/// The unit normal of the polygon, counterclockwise seen from its tip. Zero for a polygon without area.
pub(crate) fn normal(corners: &[DVec3]) -> DVec3 {
    let Some((&origin, rest)) = corners.split_first() else { return DVec3::ZERO };
    let (mut sum, mut size) = (DVec3::ZERO, 0.0);
    for pair in rest.windows(2) {
        let (u, v) = (pair[0] - origin, pair[1] - origin);
        sum += u.cross(v);
        size += u.length() * v.length();
    }
    if sum.length() >= THIN * size && size > 0.0 { sum.normalize() } else { unit(exact_sum(corners)) }
}

/// The vector of unit length in this direction, whatever its own length. Zero stays zero.
pub(crate) fn unit(v: DVec3) -> DVec3 {
    (v * normalising_scale(v.abs().max_element())).normalize_or_zero()
}

/// Newell's sum, each component off by less than one unit in the last place.
pub(crate) fn exact_sum(corners: &[DVec3]) -> DVec3 {
    let mut sums = [const { Vec::new() }; 3];
    for (k, p) in corners.iter().enumerate() {
        let q = corners[(k + 1) % corners.len()];
        for (i, sum) in sums.iter_mut().enumerate() {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            add_product(sum, p[j], q[k]);
            add_product(sum, -p[k], q[j]);
        }
    }
    // From the least component to the greatest.
    DVec3::from_array(sums.map(|sum| sum.iter().sum()))
}

fn add_product(sum: &mut Vec<f64>, x: f64, y: f64) {
    let product = x * y;
    add(sum, x.mul_add(y, -product));
    add(sum, product);
}

/// Adds a number to a sum of numbers that do not overlap, least first.
fn add(sum: &mut Vec<f64>, x: f64) {
    let mut carry = x;
    let mut kept = 0;
    for k in 0..sum.len() {
        let part = sum[k];
        let total = carry + part;
        let virtual_part = total - carry;
        let error = (carry - (total - virtual_part)) + (part - virtual_part);
        carry = total;
        if error != 0.0 {
            sum[kept] = error;
            kept += 1;
        }
    }
    sum.truncate(kept);
    if carry != 0.0 {
        sum.push(carry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slivers_keep_their_normal() {
        for width in [1.0, 1e-3, 1e-8, 1e-14, 1e-30, 1e-60] {
            let corners = [DVec3::ZERO, DVec3::X, DVec3::new(0.5, width, width)];
            let n = normal(&corners);
            assert!((n - DVec3::new(0.0, -1.0, 1.0).normalize()).length() < 1e-15, "{width}: {n}");
        }
        // The points are collinear but for the rounding of 0.1·k: the exact sum still has a direction, perpendicular to
        // the edges.
        let d = DVec3::new(0.1, 0.2, 0.7);
        let corners = [d, 3.0 * d, 7.0 * d + DVec3::new(0.0, 0.0, 1e-16)];
        let n = normal(&corners);
        assert!((n.length() - 1.0).abs() < 1e-15);
        for k in 0..3 {
            assert!(n.dot(corners[(k + 1) % 3] - corners[k]).abs() < 1e-15);
        }
    }

    #[test]
    fn no_area_no_normal() {
        assert_eq!(normal(&[DVec3::X, 2.0 * DVec3::X, 3.0 * DVec3::X]), DVec3::ZERO);
    }
}
