//! Shapes in closed form: their name, their parameters and the margin beside these.

use std::sync::Arc;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::form::{Format, written_as};
use crate::error::BuildError;
use crate::model::{Convex, Round, Shape};

/// The names are those of [`Shape::name`].
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum ShapeForm {
    Sphere { radius: f64 },
    Capsule { radius: f64, height: f64 },
    Box { sides: DVec3 },
    Cylinder { radius: f64, height: f64 },
    Cone { radius: f64, height: f64 },
    Ellipsoid { radii: DVec3 },
    HalfSpace { normal: DVec3, offset: f64 },
    Point(DVec3),
    Segment([DVec3; 2]),
    Triangle([DVec3; 3]),
    Polygon(Vec<DVec3>),
    Hull(Box<Convex>),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RoundForm {
    format: Format,
    shape: ShapeForm,
    #[serde(default)]
    margin: f64,
}

impl TryFrom<&Round> for RoundForm {
    type Error = &'static str;

    fn try_from(round: &Round) -> Result<RoundForm, &'static str> {
        let shape = match round.shape().clone() {
            Shape::Sphere { radius } => ShapeForm::Sphere { radius },
            Shape::Capsule { radius, height } => ShapeForm::Capsule { radius, height },
            Shape::Cuboid { sides } => ShapeForm::Box { sides },
            Shape::Cylinder { radius, height } => ShapeForm::Cylinder { radius, height },
            Shape::Cone { radius, height } => ShapeForm::Cone { radius, height },
            Shape::Ellipsoid { radii } => ShapeForm::Ellipsoid { radii },
            Shape::HalfSpace { normal, offset } => ShapeForm::HalfSpace { normal, offset },
            Shape::Point(p) => ShapeForm::Point(p),
            Shape::Segment(ends) => ShapeForm::Segment(ends),
            Shape::Triangle(corners) => ShapeForm::Triangle(corners),
            Shape::Polygon(points) => ShapeForm::Polygon(points.to_vec()),
            Shape::Hull(convex) => ShapeForm::Hull(Box::new(Convex::clone(&convex))),
            Shape::Custom(_) => return Err("a body of your own, known by its support alone, cannot be written"),
        };
        Ok(RoundForm { format: Format, shape, margin: round.extra_margin() })
    }
}

impl TryFrom<RoundForm> for Round {
    type Error = BuildError;

    fn try_from(form: RoundForm) -> Result<Round, BuildError> {
        let shape = match form.shape {
            ShapeForm::Sphere { radius } => Shape::Sphere { radius },
            ShapeForm::Capsule { radius, height } => Shape::Capsule { radius, height },
            ShapeForm::Box { sides } => Shape::Cuboid { sides },
            ShapeForm::Cylinder { radius, height } => Shape::Cylinder { radius, height },
            ShapeForm::Cone { radius, height } => Shape::Cone { radius, height },
            ShapeForm::Ellipsoid { radii } => Shape::Ellipsoid { radii },
            ShapeForm::HalfSpace { normal, offset } => Shape::HalfSpace { normal, offset },
            ShapeForm::Point(p) => Shape::Point(p),
            ShapeForm::Segment(ends) => Shape::Segment(ends),
            ShapeForm::Triangle(corners) => Shape::Triangle(corners),
            ShapeForm::Polygon(points) => Shape::Polygon(points.into()),
            ShapeForm::Hull(convex) => Shape::Hull(Arc::from(convex)),
        };
        Round::try_from(shape)?.with_margin(form.margin)
    }
}

written_as!(Round as RoundForm);
