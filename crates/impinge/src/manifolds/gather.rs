//! Gathers points of contact of many triangles into manifolds: what has the same normal, or lies on the same flat
//! patch, is one; points of the same features are one point; and up to four of a manifold are kept.
//!
//! Cost: a manifold is found by its patch, or among the last ones by its normal; points are sorted.

use std::collections::BTreeMap;

use glam::DVec3;

use super::choose_four::choose_four;
use super::list::{ContactPoint, Manifolds};
use super::options::{KeptPoints, ManifoldOptions};
use crate::answer::DepthKind;
use crate::math::Interval;

/// Normals that differ by less than this, in radians, are one.
const SAME: f64 = 1e-6;

/// How many manifolds back one of the same normal is looked for.
const BACK: usize = 256;

/// A manifold as it is being gathered.
#[derive(Debug)]
struct Group {
    normal: DVec3,
    pair: [u32; 2],
    depth: Interval,
    kind: DepthKind,
    points: Vec<ContactPoint>,
    /// Points on seams within a flat patch, which count where there are no others.
    seams: Vec<ContactPoint>,
}

/// One point of a contact, on its way to a manifold.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gathered {
    pub(crate) pair: [u32; 2],
    pub(crate) normal: DVec3,
    /// The flat patch that it lies on.
    pub(crate) patch: Option<u32>,
    pub(crate) point: ContactPoint,
    /// What rounding may have done to the depth.
    pub(crate) noise: f64,
    /// Whether it lies on a seam within the patch.
    pub(crate) seam: bool,
}

/// The manifolds gathered so far.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    groups: Vec<Group>,
    of_patch: BTreeMap<u32, usize>,
}

impl Gathering {
    /// Points beyond the range of numbers are left out.
    pub(crate) fn add(&mut self, x: &Gathered, kind: DepthKind) {
        let [p, q] = x.point.points;
        if !(x.normal.is_finite() && p.is_finite() && q.is_finite() && x.point.depth.is_finite()) {
            return;
        }
        let at = self.group(x, kind);
        let group = &mut self.groups[at];
        let depth = Interval { lower: x.point.depth - x.noise, upper: x.point.depth + x.noise };
        if depth.upper > group.depth.upper {
            (group.depth, group.pair, group.kind) = (depth, x.pair, kind);
        }
        let points = if x.seam { &mut group.seams } else { &mut group.points };
        points.push(x.point);
    }

    /// How deep the deepest point is; `None` where there are none.
    pub(crate) fn deepest(&self) -> Option<f64> {
        self.groups.iter().map(|group| group.depth.upper).max_by(f64::total_cmp)
    }

    fn group(&mut self, x: &Gathered, kind: DepthKind) -> usize {
        if let Some(&at) = x.patch.and_then(|patch| self.of_patch.get(&patch)) {
            return at;
        }
        let first = self.groups.len().saturating_sub(BACK);
        let same = |group: &Group| group.normal.distance_squared(x.normal) <= SAME * SAME;
        let found = self.groups[first..].iter().position(same).map(|at| first + at);
        let at = found.unwrap_or_else(|| {
            let depth = Interval { lower: f64::NEG_INFINITY, upper: f64::NEG_INFINITY };
            let (points, seams) = (Vec::new(), Vec::new());
            self.groups.push(Group { normal: x.normal, pair: x.pair, depth, kind, points, seams });
            self.groups.len() - 1
        });
        if let Some(patch) = x.patch {
            self.of_patch.insert(patch, at);
        }
        at
    }

    /// Puts the manifolds into the list, in the order in which they began.
    pub(crate) fn finish(self, options: &ManifoldOptions, out: &mut Manifolds) {
        for mut group in self.groups {
            if group.points.is_empty() {
                std::mem::swap(&mut group.points, &mut group.seams);
            }
            let points = &mut group.points;
            // Of the same features the deepest; the deepest first of all.
            points.sort_by(|x, y| x.id.cmp(&y.id).then(y.depth.total_cmp(&x.depth)));
            points.dedup_by_key(|point| point.id);
            points.sort_by(|x, y| y.depth.total_cmp(&x.depth).then(x.id.cmp(&y.id)));
            let (chosen, count) = match options.points {
                KeptPoints::All => ([0; 4], points.len()),
                KeptPoints::Four => {
                    choose_four(points.len(), |k| points[k].points[0], |k| points[k].depth, group.normal)
                }
            };
            for k in 0..count {
                out.push(points[if options.points == KeptPoints::All { k } else { chosen[k] }]);
            }
            out.close(group.pair, group.normal, group.depth, group.kind);
        }
    }
}
