//! Poses as matrices and plain arrays, for code that writes them in another way.
//!
//! What is read is validated as by [`Pose::new`] and [`Pose::from_matrix`]. What is written reads back to the same
//! pose, up to the rounding of a rotation in a matrix, and to the last bit as a quaternion.

use glam::{DAffine3, DMat4, DQuat, DVec3, DVec4};

use super::pose::{Pose, UNIT_TOLERANCE};
use super::pose_error::PoseError;

impl Pose {
    /// From a translation and a quaternion as arrays, `[x, y, z]` and `[x, y, z, w]`: the order of glam, ROS and glTF.
    /// For code that puts `w` first there is [`Pose::from_wxyz`].
    ///
    /// ```
    /// use impinge::Pose;
    /// let pose = Pose::from_xyzw([1.0, 2.0, 3.0], [0.0, 0.0, 1.0, 0.0])?;
    /// assert_eq!(pose.apply([1.0, 0.0, 0.0].into()).to_array(), [0.0, 2.0, 3.0], "half a turn about z");
    /// assert_eq!(pose.to_xyzw(), ([1.0, 2.0, 3.0], [0.0, 0.0, 1.0, 0.0]));
    /// # Ok::<(), impinge::PoseError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Pose::new`].
    pub fn from_xyzw(translation: [f64; 3], quaternion: [f64; 4]) -> Result<Pose, PoseError> {
        Pose::new(DVec3::from_array(translation), DQuat::from_array(quaternion))
    }

    /// From a translation and a quaternion as arrays, `[x, y, z]` and `[w, x, y, z]`: the order of MuJoCo, Eigen's
    /// constructor and most textbooks.
    ///
    /// ```
    /// use impinge::Pose;
    /// let pose = Pose::from_wxyz([1.0, 2.0, 3.0], [0.0, 0.0, 0.0, 1.0])?;
    /// assert_eq!(pose, Pose::from_xyzw([1.0, 2.0, 3.0], [0.0, 0.0, 1.0, 0.0])?);
    /// assert_eq!(pose.to_wxyz().1, [0.0, 0.0, 0.0, 1.0]);
    /// # Ok::<(), impinge::PoseError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Pose::new`].
    pub fn from_wxyz(translation: [f64; 3], [w, x, y, z]: [f64; 4]) -> Result<Pose, PoseError> {
        Pose::from_xyzw(translation, [x, y, z, w])
    }

    /// Translation and quaternion as arrays, `[x, y, z]` and `[x, y, z, w]`; see [`Pose::from_xyzw`].
    pub fn to_xyzw(&self) -> ([f64; 3], [f64; 4]) {
        (self.translation().to_array(), self.rotation().to_array())
    }

    /// Translation and quaternion as arrays, `[x, y, z]` and `[w, x, y, z]`; see [`Pose::from_wxyz`].
    pub fn to_wxyz(&self) -> ([f64; 3], [f64; 4]) {
        let (translation, [x, y, z, w]) = self.to_xyzw();
        (translation, [w, x, y, z])
    }

    /// From the rows of a matrix of four rows and columns, as it is written on paper: the translation is the last
    /// column. NumPy and URDF tools write them so.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pose};
    /// let rows = [[0., -1., 0., 5.], [1., 0., 0., 6.], [0., 0., 1., 7.], [0., 0., 0., 1.]];
    /// let pose = Pose::from_rows(rows)?;
    /// assert_eq!(pose.translation(), DVec3::new(5.0, 6.0, 7.0));
    /// assert!(pose.rotate(DVec3::X).distance(DVec3::Y) < 1e-15);
    /// assert!(pose.to_rows().as_flattened().iter().zip(rows.as_flattened()).all(|(x, y)| (x - y).abs() < 1e-15));
    /// # Ok::<(), impinge::PoseError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Pose::from_mat4`].
    pub fn from_rows(rows: [[f64; 4]; 4]) -> Result<Pose, PoseError> {
        Pose::from_mat4(DMat4::from_cols_array_2d(&rows).transpose())
    }

    /// From the columns of a matrix of four rows and columns: the translation is the last array. OpenGL, glTF and glam
    /// keep them so.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pose};
    /// let columns = [[0., 1., 0., 0.], [-1., 0., 0., 0.], [0., 0., 1., 0.], [5., 6., 7., 1.]];
    /// let pose = Pose::from_columns(columns)?;
    /// assert_eq!(pose.translation(), DVec3::new(5.0, 6.0, 7.0));
    /// assert_eq!(pose.to_columns()[3], [5.0, 6.0, 7.0, 1.0]);
    /// # Ok::<(), impinge::PoseError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Pose::from_mat4`].
    pub fn from_columns(columns: [[f64; 4]; 4]) -> Result<Pose, PoseError> {
        Pose::from_mat4(DMat4::from_cols_array_2d(&columns))
    }

    /// The rows of a matrix of four rows and columns; see [`Pose::from_rows`].
    pub fn to_rows(&self) -> [[f64; 4]; 4] {
        self.to_mat4().transpose().to_cols_array_2d()
    }

    /// The columns of a matrix of four rows and columns; see [`Pose::from_columns`].
    pub fn to_columns(&self) -> [[f64; 4]; 4] {
        self.to_mat4().to_cols_array_2d()
    }

    /// From a matrix that turns and moves (its last row is 0, 0, 0, 1, and the rest a rotation, within 1e-6; the
    /// rotation is made exact).
    ///
    /// ```
    /// use impinge::{glam::{DMat4, DVec3}, Pose};
    /// assert_eq!(Pose::from_mat4(DMat4::from_translation(DVec3::X))?, Pose::at(DVec3::X)?);
    /// assert!(Pose::from_mat4(DMat4::from_scale(DVec3::splat(2.0))).is_err(), "it scales");
    /// # Ok::<(), impinge::PoseError>(())
    /// ```
    ///
    /// # Errors
    /// An entry is not finite, the last row is another, the rest is no rotation or the translation is too large.
    pub fn from_mat4(matrix: DMat4) -> Result<Pose, PoseError> {
        if !matrix.is_finite() {
            return Err(PoseError::NotFinite);
        }
        let error = (matrix.row(3) - DVec4::W).abs().max_element();
        if error > UNIT_TOLERANCE {
            return Err(PoseError::NotAffine { error });
        }
        Pose::from_affine(DAffine3::from_mat4(matrix))
    }

    /// As a matrix.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pose};
    /// assert_eq!(Pose::at(DVec3::X)?.to_mat4().transform_point3(DVec3::Y), DVec3::X + DVec3::Y);
    /// # Ok::<(), impinge::PoseError>(())
    /// ```
    pub fn to_mat4(&self) -> DMat4 {
        DMat4::from(self.to_affine())
    }

    /// From an affine map that turns and moves (a rotation within 1e-6; it is made exact).
    ///
    /// ```
    /// use impinge::{glam::{DAffine3, DVec3}, Pose};
    /// assert_eq!(Pose::from_affine(DAffine3::from_translation(DVec3::X))?, Pose::at(DVec3::X)?);
    /// assert!(Pose::from_affine(DAffine3::from_scale(-DVec3::ONE)).is_err(), "it mirrors");
    /// # Ok::<(), impinge::PoseError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Pose::from_matrix`].
    pub fn from_affine(map: DAffine3) -> Result<Pose, PoseError> {
        Pose::from_matrix(map.translation, map.matrix3)
    }

    /// As an affine map.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pose};
    /// assert_eq!(Pose::at(DVec3::X)?.to_affine().transform_point3(DVec3::Y), DVec3::X + DVec3::Y);
    /// # Ok::<(), impinge::PoseError>(())
    /// ```
    pub fn to_affine(&self) -> DAffine3 {
        DAffine3 { matrix3: self.rotation_matrix(), translation: self.translation() }
    }
}

#[cfg(feature = "mint")]
impl From<Pose> for mint::ColumnMatrix4<f64> {
    fn from(pose: Pose) -> Self {
        pose.to_columns().into()
    }
}

#[cfg(feature = "mint")]
impl From<Pose> for mint::RowMatrix4<f64> {
    fn from(pose: Pose) -> Self {
        pose.to_rows().into()
    }
}

#[cfg(feature = "mint")]
impl TryFrom<mint::ColumnMatrix4<f64>> for Pose {
    type Error = PoseError;

    fn try_from(matrix: mint::ColumnMatrix4<f64>) -> Result<Pose, PoseError> {
        Pose::from_columns(matrix.into())
    }
}

#[cfg(feature = "mint")]
impl TryFrom<mint::RowMatrix4<f64>> for Pose {
    type Error = PoseError;

    fn try_from(matrix: mint::RowMatrix4<f64>) -> Result<Pose, PoseError> {
        Pose::from_rows(matrix.into())
    }
}
