//! Poses, rays and spans of time.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::form::written_as;
use crate::error::{MotionError, RayError};
use crate::math::{Pose, PoseError};
use crate::path::Span;
use crate::ray::Ray;

/// The quaternion is `[x, y, z, w]`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PoseForm {
    translation: DVec3,
    rotation: DQuat,
}

impl From<&Pose> for PoseForm {
    fn from(pose: &Pose) -> PoseForm {
        PoseForm { translation: pose.translation(), rotation: pose.rotation() }
    }
}

impl TryFrom<PoseForm> for Pose {
    type Error = PoseError;

    fn try_from(form: PoseForm) -> Result<Pose, PoseError> {
        Pose::new(form.translation, form.rotation)
    }
}

written_as!(Pose as PoseForm);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RayForm {
    origin: DVec3,
    direction: DVec3,
    #[serde(with = "crate::math::number", default = "without_end")]
    length: f64,
}

fn without_end() -> f64 {
    f64::INFINITY
}

impl From<&Ray> for RayForm {
    fn from(ray: &Ray) -> RayForm {
        RayForm { origin: ray.origin(), direction: ray.kept_direction(), length: ray.length() }
    }
}

impl TryFrom<RayForm> for Ray {
    type Error = RayError;

    fn try_from(form: RayForm) -> Result<Ray, RayError> {
        Ray::new(form.origin, form.direction)?.with_length(form.length)
    }
}

written_as!(Ray as RayForm);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SpanForm {
    from: f64,
    to: f64,
}

impl From<&Span> for SpanForm {
    fn from(span: &Span) -> SpanForm {
        SpanForm { from: span.from(), to: span.to() }
    }
}

impl TryFrom<SpanForm> for Span {
    type Error = MotionError;

    fn try_from(form: SpanForm) -> Result<Span, MotionError> {
        Span::new(form.from, form.to)
    }
}

written_as!(Span as SpanForm);
