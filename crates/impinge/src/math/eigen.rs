//! Principal axes of a symmetric 3×3 matrix by cyclic Jacobi rotations.
//!
//! Golub and Van Loan, *Matrix Computations*, §8.5. Robust for repeated eigenvalues, which boxes and spheres have; the
//! closed form by the cubic is not.

use glam::{DMat3, DVec3};

/// Most sweeps over the three off-diagonal entries. They shrink quadratically: from any matrix six are enough, and
/// should they not be, the axes are still orthonormal.
const SWEEPS: usize = 8;

/// Orthonormal eigenvectors, the columns, in no particular order.
pub(crate) fn principal_axes(mut m: DMat3) -> DMat3 {
    let mut axes = DMat3::IDENTITY;
    for _ in 0..SWEEPS {
        let off = m.y_axis.x.powi(2) + m.z_axis.x.powi(2) + m.z_axis.y.powi(2);
        let trace = m.x_axis.x.abs() + m.y_axis.y.abs() + m.z_axis.z.abs();
        if off <= (1e-15 * trace).powi(2) {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let turn = rotation(&m, p, q);
            m = turn.transpose() * m * turn;
            axes *= turn;
        }
    }
    axes
}

/// The rotation in the plane of axes `p` and `q` that makes the entry `(p, q)` zero.
fn rotation(m: &DMat3, p: usize, q: usize) -> DMat3 {
    let (a, b, c) = (m.col(p)[p], m.col(q)[q], m.col(q)[p]);
    if c == 0.0 {
        return DMat3::IDENTITY;
    }
    let theta = (b - a) / (2.0 * c);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cosine = 1.0 / (t * t + 1.0).sqrt();
    let sine = t * cosine;
    let mut columns = [DVec3::X, DVec3::Y, DVec3::Z];
    columns[p][p] = cosine;
    columns[q][q] = cosine;
    columns[q][p] = sine;
    columns[p][q] = -sine;
    DMat3::from_cols(columns[0], columns[1], columns[2])
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
