//! Principal axes of a symmetric 3×3 matrix by cyclic Jacobi rotations.
//!
//! Golub and Van Loan, *Matrix Computations*, §8.5. Robust for repeated eigenvalues, which boxes and spheres have; the
//! closed form by the cubic is not.

use glam::{DMat3, DVec3};

/// Most sweeps over the three off-diagonal entries. They shrink quadratically: from any matrix six are enough, and
/// should they not be, the axes are still orthonormal.
const SWEEPS: usize = 8;

/// Orthonormal eigenvectors, the columns, in no particular order.
pub(crate) fn principal_axes(m: DMat3) -> DMat3 {
    let mut diagonal = [m.x_axis.x, m.y_axis.y, m.z_axis.z];
    // The entry beside the diagonal that lies in neither row nor column `k`, at `k`.
    let mut beside = [m.z_axis.y, m.z_axis.x, m.y_axis.x];
    let mut axes = [DVec3::X, DVec3::Y, DVec3::Z];
    for _ in 0..SWEEPS {
        let off: f64 = beside.iter().map(|x| x * x).sum();
        let trace: f64 = diagonal.iter().map(|x| x.abs()).sum();
        if off <= (1e-15 * trace).powi(2) {
            break;
        }
        for (p, q, r) in [(0, 1, 2), (0, 2, 1), (1, 2, 0)] {
            let entry = beside[r];
            if entry == 0.0 {
                continue;
            }
            // The rotation in the plane of axes `p` and `q` that makes their entry zero.
            let theta = (diagonal[q] - diagonal[p]) / (2.0 * entry);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let cosine = 1.0 / (t * t + 1.0).sqrt();
            let sine = t * cosine;
            diagonal[p] -= t * entry;
            diagonal[q] += t * entry;
            beside[r] = 0.0;
            let (x, y) = (beside[q], beside[p]);
            (beside[q], beside[p]) = (cosine * x - sine * y, sine * x + cosine * y);
            let (x, y) = (axes[p], axes[q]);
            (axes[p], axes[q]) = (x * cosine - y * sine, x * sine + y * cosine);
        }
    }
    DMat3::from_cols(axes[0], axes[1], axes[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_diagonalise() {
        let turn = DMat3::from_quat(glam::DQuat::from_xyzw(0.1, -0.7, 0.3, 0.64).normalize());
        for values in [DVec3::new(1.0, 2.0, 3.0), DVec3::new(5.0, 5.0, 1e-9), DVec3::ONE, DVec3::ZERO] {
            let m = turn * DMat3::from_diagonal(values) * turn.transpose();
            let axes = principal_axes(m);
            let d = axes.transpose() * m * axes;
            assert!(d.y_axis.x.abs() + d.z_axis.x.abs() + d.z_axis.y.abs() < 1e-12, "{d}");
            assert!((axes.transpose() * axes - DMat3::IDENTITY).to_cols_array().iter().all(|x| x.abs() < 1e-14));
        }
    }
}
