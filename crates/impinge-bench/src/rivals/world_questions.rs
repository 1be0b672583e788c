//! The questions that both worlds are asked.

use std::hint::black_box;
use std::ops::ControlFlow;

use impinge::bound::Aabb;
use impinge::glam::DVec3;
use impinge::{Model, Pose, View};

use super::both_worlds::{Theirs, ball};
use crate::error::BenchError;
use crate::random::Random;

/// Questions of each kind in one round.
pub(super) const COUNT: usize = 400;
/// The radius of the ball that is cast.
pub(super) const BALL: f64 = 0.25;
/// The kinds of questions.
pub(super) const KINDS: [&str; 6] = ["ray", "any", "short", "point", "box", "cast"];

pub(super) struct Questions {
    rays: Vec<impinge::Ray>,
    short: Vec<impinge::Ray>,
    points: Vec<DVec3>,
    boxes: Vec<Aabb>,
    casts: Vec<(Pose, DVec3)>,
    ball: Model,
}

impl Questions {
    pub(super) fn new(half: f64, random: &mut Random) -> Result<Questions, BenchError> {
        let refused = |reason: String| BenchError::Rival { name: "question".to_owned(), reason };
        let mut inside =
            || DVec3::new(random.between(-half, half), random.between(-half, half), random.between(-half, half));
        let points: Vec<DVec3> = (0..COUNT).map(|_| inside()).collect();
        let aims: Vec<DVec3> = (0..COUNT).map(|_| inside()).collect();
        let boxes = points.iter().map(|p| Aabb::new(*p - 3.0, *p + 3.0)).collect();
        let mut questions = Questions { rays: vec![], short: vec![], casts: vec![], points, boxes, ball: ball(BALL)? };
        for (from, aim) in questions.points.iter().zip(aims) {
            // From outside, through the whole world.
            let way = (aim - *from).normalize();
            let ray = impinge::Ray::new(aim - way * (4.0 * half), way).map_err(|e| refused(e.to_string()))?;
            let short = impinge::Ray::new(*from, way).and_then(|ray| ray.with_length(5.0));
            questions.rays.push(ray);
            questions.short.push(short.map_err(|e| refused(e.to_string()))?);
            questions.casts.push((Pose::at(*from).map_err(|e| refused(e.to_string()))?, way * 20.0));
        }
        Ok(questions)
    }

    /// What our world answers to a question: a distance, a time, or a number of bodies.
    pub(super) fn ask(&self, kind: &str, view: &View<'_>, k: usize) -> f64 {
        let first = |ray: &impinge::Ray| view.ray(ray).map_or(f64::INFINITY, |found| found.answer.distance);
        match kind {
            "ray" => first(&self.rays[k]),
            "any" => any(view.meets_ray(&self.rays[k])),
            "short" => first(&self.short[k]),
            "point" => {
                let found = view.point_distance(self.points[k]).ok().flatten();
                found.map_or(f64::INFINITY, |found| found.answer.interval.upper.max(0.0))
            }
            "box" => {
                let mut count = 0.0;
                view.boxes_near(&self.boxes[k], |_| {
                    count += 1.0;
                    ControlFlow::Continue(())
                });
                count
            }
            _ => {
                let (start, way) = &self.casts[k];
                let found = view.cast(&self.ball, start, *way).ok().flatten();
                found.map_or(f64::INFINITY, |found| found.answer.time.upper)
            }
        }
    }

    /// What parry's answers.
    pub(super) fn ask_parry(&self, kind: &str, theirs: &Theirs, k: usize) -> f64 {
        match kind {
            "ray" => theirs.ray(&self.rays[k]),
            "any" => any(theirs.ray(&self.rays[k]).is_finite()),
            "short" => theirs.ray(&self.short[k]),
            "point" => theirs.point(self.points[k]),
            "box" => theirs.in_box(&self.boxes[k]) as f64,
            _ => theirs.cast(BALL, self.points[k], self.casts[k].1),
        }
    }

    /// All questions of a kind at once, on all cores; `false` where there is no such call.
    pub(super) fn ask_all(&self, kind: &str, view: &View<'_>) -> bool {
        match kind {
            "ray" => drop(black_box(view.rays(&self.rays))),
            "short" => drop(black_box(view.rays(&self.short))),
            "point" => drop(black_box(view.point_distances(&self.points))),
            "cast" => drop(black_box(view.casts(&self.ball, &self.casts))),
            _ => return false,
        }
        true
    }
}

fn any(met: bool) -> f64 {
    if met { 1.0 } else { f64::INFINITY }
}
