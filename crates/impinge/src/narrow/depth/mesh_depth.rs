//! A short translation that separates two bodies, at least one of them a mesh that is not convex, checked to do so.
//!
//! C. Je, M. Tang, Y. Lee, M. Lee and Y. J. Kim, *PolyDepth: real-time penetration depth computation using iterative
//! contact-space projection*, TOG 31(1), 2012. Shifts of `b` at which the bodies overlap are an obstacle; all others
//! are *free*. The depth is the distance of the zero shift, which lies inside the obstacle, from its border. From a
//! free shift, a distance query finds the nearest point of the obstacle, which begins there at a plane across the two
//! closest points. The shortest vector beyond the planes found so far is the next shift tried, whole or half the way,
//! and so on, until nothing is gained.
//!
//! Departures. Free shifts are found by trying, not by motions: overlap is decided exactly, and faster than a distance.
//! A shift is kept only if an overlap query found nothing there, insides included. Planes are moved out by a distance,
//! the *stand-off*: first a coarse one, so that a finely cut surface looks smooth, then a fine one, and at the end only
//! some roundings. The search begins with the last answer; the way out of the hulls, which is free for certain; the
//! normals of touching triangles, in clusters; and the axes of both bodies.
//!
//! Invariant: `best` is free, by a query at that very shift. Cost: at most [`MOST_TESTS`] overlap queries and
//! [`MOST_GAPS`] distance queries, counted; no heap.

use glam::DVec3;
use smallvec::SmallVec;

use super::shortest::{Beyond, shortest};
use crate::answer::Witness;

/// Overlap queries for one depth.
pub(crate) const MOST_TESTS: u32 = 512;

/// Distance queries for one depth.
pub(crate) const MOST_GAPS: u32 = 128;

/// Planes that stand in the way of one shift.
const MOST_PLANES: usize = 12;

/// Steps from one start at one stand-off.
const MOST_STEPS: usize = 24;

/// Clusters of normals.
const MOST_CLUSTERS: usize = 6;

/// Stand-offs: coarse by the length of the shift, fine by the size of the bodies.
const COARSE: f64 = 1e-2;
const FINE: f64 = 1e-8;

/// What a step has to gain to be followed by another, by the length of the shift.
const COARSE_GAIN: f64 = 1e-3;
const FINE_GAIN: f64 = 1e-9;

/// Lengths tried along a direction, by that of the best shift: where touching triangles point, and anywhere.
const NEARBY: [f64; 8] = [0.0009765625, 0.00390625, 0.015625, 0.0625, 0.125, 0.25, 0.5, 0.9375];
const ANYWHERE: [f64; 3] = [0.0625, 0.25, 0.9375];

/// How far apart the bodies are after a shift.
pub(crate) enum GapAfterShift {
    /// They overlap.
    Overlap,
    /// They do not overlap; how far apart they are was not asked.
    Free,
    Apart(Witness),
}

/// The question about the bodies after a shift.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShiftQuestion {
    /// Whether they overlap.
    IsFree,
    /// How far apart they are.
    HowFar,
}

/// Planes in shift space, at the obstacle.
type Planes = SmallVec<[Beyond; MOST_PLANES]>;

/// The search for one pair of bodies. `near` is called with a shift of `b` and a question about the bodies after it.
pub(crate) struct ShiftSearch<N> {
    near: N,
    /// Sum of the bodies' radii.
    size: f64,
    /// What rounding may do to a shift.
    touch: f64,
    best: DVec3,
    tests: u32,
    gaps: u32,
}

impl<N: FnMut(DVec3, ShiftQuestion) -> GapAfterShift> ShiftSearch<N> {
    /// From a shift that should be free, up to rounding; `None` when neither it nor a somewhat longer one is.
    pub(crate) fn from(near: N, out: DVec3, size: f64, touch: f64) -> Option<ShiftSearch<N>> {
        let mut search = ShiftSearch { near, size, touch, best: out, tests: 0, gaps: 0 };
        let (length, way) = (out.length(), out.try_normalize()?);
        search.best = (0..16).map(|k| way * (length + touch * 4f64.powi(k))).find(|x| search.is_free(*x))?;
        Some(search)
    }

    /// The shortest free shift found.
    pub(crate) fn best(&self) -> DVec3 {
        self.best
    }

    /// Offers a shift that should be free.
    pub(crate) fn offer(&mut self, shift: DVec3) -> bool {
        let better = shift.length() < self.best.length() && self.is_free(shift);
        if better {
            self.best = shift;
        }
        better
    }

    /// From the last answer, of poses much like these; whether it is near a free shift.
    pub(crate) fn again(&mut self, last: DVec3) -> bool {
        [1.0 + 1e-9, 1.01, 1.2, 1.5].into_iter().any(|share| self.starts(last * share))
    }

    /// From the best shift so far.
    pub(crate) fn onward(&mut self) {
        self.slide(self.best);
    }

    /// Along directions that touching triangles point in, from `a` to `b`.
    pub(crate) fn along_normals(&mut self, normals: impl Iterator<Item = DVec3>) {
        let (mut clusters, mut sum) = (SmallVec::<[DVec3; MOST_CLUSTERS]>::new(), DVec3::ZERO);
        for n in normals {
            sum += n;
            match clusters.iter().position(|c| c.dot(n) > 0.85 * c.length()) {
                Some(at) => clusters[at] += n,
                None if clusters.len() < MOST_CLUSTERS => clusters.push(n),
                None => {}
            }
        }
        clusters.sort_unstable_by(|x, y| y.length_squared().total_cmp(&x.length_squared()));
        for way in clusters.into_iter().chain([sum]) {
            self.along(way, &NEARBY);
        }
    }

    /// Along any direction.
    pub(crate) fn along_axis(&mut self, way: DVec3) {
        self.along(way, &ANYWHERE);
    }

    fn along(&mut self, way: DVec3, shares: &[f64]) {
        let Some(way) = way.try_normalize() else { return };
        for share in shares {
            if self.starts(way * (share * self.best.length())) {
                return;
            }
        }
    }

    /// Slides from a shift, if it is free and shorter than the best.
    fn starts(&mut self, shift: DVec3) -> bool {
        let free = self.offer(shift);
        if free {
            self.slide(shift);
        }
        free
    }

    /// Makes a free shift shorter, as far as planes lead.
    fn slide(&mut self, start: DVec3) {
        let (mut shift, mut planes) = (start, Planes::new());
        for gain in [COARSE_GAIN, FINE_GAIN] {
            for _ in 0..MOST_STEPS {
                let stand_off = if gain == FINE_GAIN { FINE * self.size } else { COARSE * shift.length() };
                let Some(next) = self.step(shift, stand_off, gain, &mut planes) else { break };
                shift = next;
            }
        }
        // At the end the stand-off is reduced to some roundings.
        for stand_off in [self.touch, 1e-3 * FINE * self.size, 0.1 * FINE * self.size] {
            if let Some(x) = shortest_at(&planes, stand_off)
                && self.offer(x)
            {
                return;
            }
        }
    }

    /// From a free shift to one beyond the planes found, or some of the way; `None` when that is no shorter.
    ///
    /// `planes` are those that stood in the way since the last shift that was reached.
    fn step(&mut self, shift: DVec3, stand_off: f64, gain: f64, planes: &mut Planes) -> Option<DVec3> {
        let (plane, gap) = self.plane(shift)?;
        if planes.len() == MOST_PLANES {
            planes.clear();
        }
        planes.push(plane);
        let target = shortest_at(planes, stand_off)?;
        if target.length() >= (1.0 - gain) * shift.length() {
            return None;
        }
        // A shift part of the way is shorter, too, and one by less than the gap is free.
        let safe = 0.9 * gap / target.distance(shift);
        let shares = [1.0, 0.5, 0.25, 0.125, safe.min(0.0625)];
        let share = shares.into_iter().find(|share| self.is_free(shift.lerp(target, *share)))?;
        if share == 1.0 {
            planes.clear();
        }
        let next = shift.lerp(target, share);
        if next.length() < self.best.length() {
            self.best = next;
        }
        Some(next)
    }

    /// The plane at which the obstacle begins, nearest to a free shift, and its distance from the shift.
    fn plane(&mut self, shift: DVec3) -> Option<(Beyond, f64)> {
        let [p, q] = self.witness(shift)?.points;
        let gap = q.distance(p);
        let normal = (q - p).try_normalize()?;
        Some((Beyond { normal, offset: normal.dot(shift) - gap }, gap))
    }

    /// The answer, as a length along a unit vector once more, and the points that come to touch.
    pub(crate) fn end(mut self) -> (DVec3, Option<Witness>) {
        let (length, way) = (self.best.length(), self.best.normalize_or_zero());
        let longer = |k: i32| if k == 0 { 0.0 } else { self.touch * 4f64.powi(k - 1) };
        let lengths: SmallVec<[f64; 9]> = (0..9).map(|k| length + longer(k)).collect();
        // The result is always checked, however many overlap queries were made before.
        self.tests = 0;
        self.gaps = 0;
        let found = lengths.into_iter().map(|length| way * length).find(|x| self.is_free(way * x.length()));
        let shift = found.unwrap_or(self.best);
        let witness = self.witness(shift).map(|w| Witness { points: [w.points[0], w.points[1] - shift], ..w });
        (shift, witness)
    }

    /// The closest points after a shift.
    fn witness(&mut self, shift: DVec3) -> Option<Witness> {
        if self.gaps >= MOST_GAPS {
            return None;
        }
        self.gaps += 1;
        match (self.near)(shift, ShiftQuestion::HowFar) {
            GapAfterShift::Apart(witness) => Some(witness),
            GapAfterShift::Overlap | GapAfterShift::Free => None,
        }
    }

    /// Whether bodies are certainly apart after a shift.
    fn is_free(&mut self, shift: DVec3) -> bool {
        if self.tests >= MOST_TESTS || !shift.is_finite() {
            return false;
        }
        self.tests += 1;
        !matches!((self.near)(shift, ShiftQuestion::IsFree), GapAfterShift::Overlap)
    }
}

/// The shortest vector beyond planes at a stand-off.
fn shortest_at(planes: &Planes, stand_off: f64) -> Option<DVec3> {
    let moved: Planes = planes.iter().map(|plane| plane.moved(stand_off)).collect();
    shortest(&moved)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::answer::Feature;
    use crate::narrow::convex::polyhedra::cases::Random;

    fn apart(p: DVec3, q: DVec3) -> GapAfterShift {
        GapAfterShift::Apart(Witness { points: [p, q], features: [Feature::Face { triangle: 0 }; 2] })
    }

    /// An obstacle of balls: the nearest of those that hold no point of the shift.
    fn balls(centres: &[DVec3], radius: f64) -> impl Fn(DVec3, ShiftQuestion) -> GapAfterShift + '_ {
        move |shift, _| {
            let Some(c) = centres.iter().min_by(|x, y| x.distance(shift).total_cmp(&y.distance(shift))) else {
                return GapAfterShift::Free;
            };
            let gap = c.distance(shift) - radius;
            if gap <= 0.0 { GapAfterShift::Overlap } else { apart(shift - (shift - *c).normalize() * gap, shift) }
        }
    }

    #[test]
    fn the_nearest_point_of_a_ball_is_found_from_any_start() {
        let mut r = Random(1);
        for _ in 0..100 {
            let (centre, start) = (r.direction() * 0.4, r.direction() * 3.0);
            let near = balls(std::slice::from_ref(&centre), 1.0);
            let mut search = ShiftSearch::from(&near, start, 2.0, 1e-14).unwrap();
            search.onward();
            assert!(search.best().length() >= 0.6 && search.best().length() < 0.6 + 1e-4, "{}", search.best());
            let (shift, witness) = search.end();
            assert!(shift.length() < 0.6 + 1e-4 && witness.is_some(), "{shift} and {centre}: {witness:?}");
        }
    }

    /// Between two balls the nearest free shifts form a circle; from above, its nearest point is found.
    #[test]
    fn two_planes_at_once() {
        let centres = [DVec3::new(0.6, 0.1, 0.0), DVec3::new(-0.6, 0.1, 0.0)];
        let near = balls(&centres, 1.0);
        let mut search = ShiftSearch::from(&near, DVec3::new(0.2, 2.5, 0.3), 2.0, 1e-14).unwrap();
        search.onward();
        // The circle x = 0 of radius 0.8 about (0, 0.1, 0), nearest below: 0.7.
        search.along_axis(-DVec3::Y);
        assert!((search.best().length() - 0.7).abs() < 1e-3, "{}", search.best());
    }

    /// Whatever the obstacle answers, the number of queries is bounded, and the shift returned is one that was found
    /// free.
    #[test]
    fn contradictory_answers_end_and_the_shift_was_checked() {
        let mut r = Random(2);
        for _ in 0..50 {
            let (calls, freed) = (Cell::new(0), Cell::new([DVec3::ZERO; 1024]));
            let count = Cell::new(0);
            let state = Cell::new(r.bits());
            let near = |shift: DVec3, asked: ShiftQuestion| {
                calls.set(calls.get() + 1);
                let mut own = Random(state.get());
                let (coin, way) = (own.index(3), own.direction());
                state.set(own.bits());
                match coin {
                    0 if calls.get() > 1 => GapAfterShift::Overlap,
                    _ if asked == ShiftQuestion::HowFar => apart(way, way * own.signed()),
                    _ => {
                        let mut all = freed.get();
                        all[count.get() % 1024] = shift;
                        freed.set(all);
                        count.set(count.get() + 1);
                        GapAfterShift::Free
                    }
                }
            };
            let mut search = ShiftSearch::from(near, DVec3::X * 5.0, 1.0, 1e-14).unwrap();
            search.again(DVec3::Y);
            search.onward();
            search.along_normals((0..100).map(|_| r.direction()));
            for _ in 0..40 {
                search.along_axis(r.direction());
            }
            let best = search.best();
            assert!(freed.get().contains(&best));
            search.end();
            assert!(calls.get() <= MOST_TESTS + MOST_GAPS + 10, "{}", calls.get());
        }
    }

    #[test]
    fn an_unbounded_obstacle_has_no_way_out() {
        assert!(ShiftSearch::from(|_, _| GapAfterShift::Overlap, DVec3::X, 1.0, 1e-14).is_none());
        assert!(ShiftSearch::from(|_, _| GapAfterShift::Free, DVec3::ZERO, 1.0, 1e-14).is_none());
        assert!(ShiftSearch::from(|_, _| GapAfterShift::Free, DVec3::NAN, 1.0, 1e-14).is_none());
    }
}
