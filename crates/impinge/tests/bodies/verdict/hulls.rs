//! Two posed convex hulls, what is true of them, and the comparison of every verb's answer with it.

use glam::DVec3;
use impinge::{Convex, Method, Model, Pair, Pose};
use impinge_testing::hulls::{Truth, exact, size, truth};

use crate::verdict::frames::into_frame_of_a;

/// Two hulls of points at two poses.
#[derive(Clone)]
pub(crate) struct Scene {
    pub(crate) a: Vec<DVec3>,
    pub(crate) b: Vec<DVec3>,
    pub(crate) pose_a: Pose,
    pub(crate) pose_b: Pose,
}

impl std::fmt::Debug for Scene {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (points, pose) in [(&self.a, &self.pose_a), (&self.b, &self.pose_b)] {
            let points: Vec<[f64; 3]> = points.iter().map(|p| p.to_array()).collect();
            writeln!(f, "{points:?} at {:?} {:?}", pose.translation().to_array(), pose.rotation().to_array())?;
        }
        Ok(())
    }
}

impl Scene {
    pub(crate) fn new(a: Vec<DVec3>, b: Vec<DVec3>, pose_a: Pose, pose_b: Pose) -> Scene {
        Scene { a, b, pose_a, pose_b }
    }

    /// Both at the world's origin.
    pub(crate) fn still(a: Vec<DVec3>, b: Vec<DVec3>) -> Scene {
        Scene::new(a, b, Pose::IDENTITY, Pose::IDENTITY)
    }

    /// `a` at the origin, `b` moved.
    pub(crate) fn moved(a: Vec<DVec3>, b: Vec<DVec3>, by: DVec3) -> Scene {
        Scene::new(a, b, Pose::IDENTITY, Pose::at(by).unwrap())
    }

    pub(crate) fn swapped(&self) -> Scene {
        Scene::new(self.b.clone(), self.a.clone(), self.pose_b, self.pose_a)
    }

    pub(crate) fn models(&self) -> [Model; 2] {
        [&self.a, &self.b].map(|points| Convex::hull(points).unwrap().into())
    }

    pub(crate) fn pair(&self, method: Method) -> Pair {
        let [a, b] = self.models();
        Pair::new(a, b).with_method(method)
    }

    /// `b`'s points in `a`'s frame, with the roundings that the definition of exactness names.
    pub(crate) fn moved_b(&self) -> Vec<DVec3> {
        self.b.iter().copied().map(into_frame_of_a(&self.pose_a, &self.pose_b)).collect()
    }

    pub(crate) fn truth(&self) -> Truth {
        truth(&self.a, &self.moved_b())
    }

    /// To an ulp.
    pub(crate) fn exact(&self) -> Truth {
        exact(&self.a, &self.moved_b())
    }

    pub(crate) fn size(&self) -> f64 {
        size(&self.a).max(size(&self.b))
    }

    /// Rounding of `b`'s points on their way into `a`'s frame, or of `a`'s into `b`'s.
    pub(crate) fn posing(&self) -> f64 {
        if self.pose_a == self.pose_b {
            return 0.0;
        }
        let most = |points: &[DVec3]| points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
        let back: Vec<DVec3> = self.a.iter().copied().map(into_frame_of_a(&self.pose_b, &self.pose_a)).collect();
        16.0 * f64::EPSILON * most(&self.a).max(most(&self.b)).max(most(&self.moved_b())).max(most(&back))
    }

    /// Rounding of a witness on its way into the world.
    pub(crate) fn ulp(&self) -> f64 {
        let reach = |points: &[DVec3], pose: &Pose| {
            let most = points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
            most + pose.translation().abs().max_element()
        };
        4.0 * f64::EPSILON * reach(&self.a, &self.pose_a).max(reach(&self.b, &self.pose_b))
    }
}
