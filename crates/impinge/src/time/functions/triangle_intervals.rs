//! All times at which two triangles touch while one of them turns steadily.
//!
//! Xavier 1997 §3.3 (iii). Whether two triangles touch follows from the signs of 15 volumes: of six corners over the
//! other's plane and of nine pairs of edges. Each is a function of time in closed form ([`super::contact_functions`]).
//! In a stretch of time in which none of them is zero ([`super::certified_roots`]), no sign changes, so one static test
//! in its middle decides for the whole stretch. So all contacts are found, however far the body turns.
//!
//! In the other stretches a function may be zero. Most of these are very short, or the gap between the triangles and
//! the speed at which it closes prove them apart. Some are long: the functions of triangles that stay in one plane are
//! always zero. Such a stretch is divided, and the triangles are tested at single times
//! ([`TrianglePair::divide_and_test`]). Where nothing proves them apart, the stretch counts as a contact; it is a
//! certain one if a static test finds that they touch.
//!
//! Invariant: outside of the contacts returned the triangles are apart. Cost: 3 to 15 functions, and a test for each of
//! their roots.

use glam::DVec3;
use smallvec::SmallVec;

use super::certified_roots::PossibleRoots;
use super::contact_functions::{FeaturePairs, RelativeMotion, times};
use super::timeline::{ContactSpan, Timeline};
use crate::answer::Stats;
use crate::math::{EPS, Interval, Relative, normalising_scale};
use crate::path::{Motion, Steady};
use crate::prim::{Nearest, Part, Triangle, is_degenerate, nearest, triangles_overlap};
use crate::time::impact::closing::time_to_close;

/// The most times tested in one stretch in which a function may be zero.
const MOST_MEASUREMENTS: usize = 1 << 10;
/// A part of a stretch is divided no further when it was tested at both ends and in the middle and is no longer than
/// the stretch divided by this number. Triangles that touch at these times then count as touching all the time between.
const PARTS: f64 = 64.0;

/// Two triangles in their own frames, `a` and `b`, and how they move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TrianglePair<'q> {
    pub(crate) triangles: [&'q Triangle; 2],
    pub(crate) motions: &'q [Steady; 2],
}

/// A stretch of time.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    from: f64,
    to: f64,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    Apart,
    /// Not known to be apart; the first and the last time at which they certainly touch, if there is one.
    Near(Option<[f64; 2]>),
}

/// What is found about the triangles at one time.
#[derive(Debug, Clone, Copy)]
enum Measurement {
    /// They are apart, for at least this long before and after that time.
    Apart([f64; 2]),
    /// They are so near that rounding leaves it open whether they touch; the flag is what the static test says.
    Near(bool),
}

type Stretches = SmallVec<[Stretch; 16]>;
type Contacts = SmallVec<[ContactSpan; 2]>;

/// Bounds on the effect of rounding, and on speeds.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    speed: f64,
    /// The bound on the acceleration.
    acceleration: f64,
    corner_error: f64,
}

impl Bounds {
    /// A length of time in which no point moves by more than rounding errors.
    fn moment(&self) -> f64 {
        if self.speed > 0.0 { 16.0 * self.corner_error / self.speed } else { 0.0 }
    }
}

/// A stretch that is still to be tested, with what the static test found at its ends, or a stretch that is decided.
enum Task {
    Open { from: f64, to: f64, ends: [Option<bool>; 2] },
    Done(Stretch),
}

impl Stretch {
    /// A stretch in which nothing proves the triangles apart; they touch at the times given, which are in order.
    fn near(from: f64, to: f64, touching_times: [Option<f64>; 3]) -> Stretch {
        let first = touching_times.iter().flatten().next();
        let last = touching_times.iter().flatten().last();
        Stretch { from, to, state: State::Near(first.zip(last).map(|(first, last)| [*first, *last])) }
    }
}

impl TrianglePair<'_> {
    /// All contacts between two times, and the length of time below which a gap between contacts is not resolved.
    /// `relative` is the relative motion from the first time on.
    pub(crate) fn contacts(&self, relative: &RelativeMotion, from: f64, to: f64, stats: &mut Stats) -> (Contacts, f64) {
        let [speed, acceleration] = relative.speed_of(self.triangles[relative.mover]);
        let bounds = Bounds { speed, acceleration, corner_error: relative.corner_error(self.triangles) };
        let moment = bounds.moment();
        if bounds.corner_error.is_nan() || moment > to - from && self.size() <= bounds.corner_error {
            return (SmallVec::from_iter([ContactSpan::possible(from, to)]), 0.0);
        }
        let mut roots = PossibleRoots::new();
        if !self.collect_possible_roots(relative, to - from, &mut roots) {
            return (SmallVec::new(), moment);
        }
        let mut stretches = Stretches::new();
        let mut last = from;
        for root in roots {
            let Interval { lower, upper } = times(from, root, to);
            if lower > last {
                stretches.push(self.without_sign_change(last, lower, stats));
            }
            let lower = lower.max(last);
            if upper >= lower {
                self.divide_and_test([from, lower, upper], relative, &bounds, &mut stretches, stats);
                last = upper;
            }
        }
        if last < to {
            stretches.push(self.without_sign_change(last, to, stats));
        }
        (joined_contacts(&stretches, moment), moment)
    }

    fn size(&self) -> f64 {
        self.triangles.iter().map(|t| t[0].distance(t[1]).max(t[1].distance(t[2]))).sum()
    }

    /// Collects the times at which a function may be zero, in order; returns whether there may be a contact at all.
    ///
    /// Where all corners of one triangle stay on one side of the other there is no contact, and the functions of edges
    /// are not needed. A triangle that is a segment has no plane, so only its edges count, as in the static test. Where
    /// there is no function at all, as for two points, the whole stretch is returned.
    fn collect_possible_roots(&self, relative: &RelativeMotion, duration: f64, all: &mut PossibleRoots) -> bool {
        let size = relative.corner_error(self.triangles) / EPS;
        let pairs = FeaturePairs::new(relative, self.triangles, normalising_scale(size));
        let flat = self.triangles.map(is_degenerate);
        let planes = [(1 - relative.mover, pairs.vertices_over_face()), (relative.mover, pairs.face_under_vertices())];
        let mut asked = false;
        for (k, functions) in planes {
            if flat[k] {
                continue;
            }
            asked = true;
            let before = all.len();
            functions.iter().for_each(|f| all.extend(f.possible_roots(duration)));
            let side = functions.map(|f| f.value(0.0) > 0.0);
            if all.len() == before && side[0] == side[1] && side[1] == side[2] {
                return false;
            }
        }
        for f in (0..9).filter_map(|k| pairs.edges(k / 3, k % 3)) {
            asked = true;
            all.extend(f.possible_roots(duration));
        }
        if !asked {
            all.push([0.0, duration]);
        }
        all.sort_unstable_by(|x, y| x[0].total_cmp(&y[0]));
        true
    }

    /// Decides a stretch in which no function is zero, by one test in its middle.
    fn without_sign_change(&self, from: f64, to: f64, stats: &mut Stats) -> Stretch {
        let touch = self.touch_at(0.5 * from + 0.5 * to, stats);
        Stretch { from, to, state: if touch { State::Near(Some([from, to])) } else { State::Apart } }
    }

    /// Decides a stretch in which a function may be zero: divides it and tests single times.
    fn divide_and_test(
        &self,
        [start, from, to]: [f64; 3],
        relative: &RelativeMotion,
        bounds: &Bounds,
        out: &mut Stretches,
        stats: &mut Stats,
    ) {
        let whole = to - from;
        let mut tasks: SmallVec<[Task; 16]> = SmallVec::from_iter([Task::Open { from, to, ends: [None; 2] }]);
        let mut measurements = 0;
        while let Some(task) = tasks.pop() {
            let (from, to, ends) = match task {
                Task::Open { from, to, ends } => (from, to, ends),
                Task::Done(stretch) => {
                    out.push(stretch);
                    continue;
                }
            };
            let touch_time = |end: usize, t: f64| (ends[end] == Some(true)).then_some(t);
            if measurements >= MOST_MEASUREMENTS {
                out.push(Stretch::near(from, to, [touch_time(0, from), touch_time(1, to), None]));
                continue;
            }
            measurements += 1;
            let middle = 0.5 * from + 0.5 * to;
            let touches = match self.measure(middle, relative, middle - start, bounds, stats) {
                Measurement::Near(touches) => touches,
                Measurement::Apart([before, after]) => {
                    let (low, high) = ((middle - before).max(from), (middle + after).min(to));
                    if high < to {
                        tasks.push(Task::Open { from: high, to, ends: [None, ends[1]] });
                    }
                    tasks.push(Task::Done(Stretch { from: low, to: high, state: State::Apart }));
                    if low > from {
                        tasks.push(Task::Open { from, to: low, ends: [ends[0], None] });
                    }
                    continue;
                }
            };
            // Where nothing moves, one test decides for the whole stretch; its ends are tested as well.
            let ends = if bounds.speed > 0.0 { ends } else { [from, to].map(|t| Some(self.touch_at(t, stats))) };
            let touch_time = |end: usize, t: f64| (ends[end] == Some(true)).then_some(t);
            let short = (to - from) * bounds.speed <= 8.0 * bounds.corner_error || !(from < middle && middle < to);
            let within = ends[0].is_some() && ends[1].is_some() && (to - from) * PARTS <= whole;
            if short || within {
                out.push(Stretch::near(from, to, [touch_time(0, from), touches.then_some(middle), touch_time(1, to)]));
            } else {
                tasks.push(Task::Open { from: middle, to, ends: [Some(touches), ends[1]] });
                tasks.push(Task::Open { from, to: middle, ends: [ends[0], Some(touches)] });
            }
        }
    }

    /// Whether the triangles touch at `t`, by the test that all overlap queries use.
    fn touch_at(&self, t: f64, stats: &mut Stats) -> bool {
        stats.primitive_tests += 1;
        let place = Relative::new(&self.motions[0].pose(t), &self.motions[1].pose(t));
        let ([a, b], _) = scaled(*self.triangles[0], self.triangles[1].map(|x| place.apply(x)));
        triangles_overlap(&a, &b)
    }

    /// Whether there is a gap at `t`, and how long it certainly lasts. Along a direction `n` from the fixed triangle to
    /// the moving one, the gap changes no faster than the height of a corner, and that speed changes by no more than
    /// the bound on the acceleration.
    fn measure(
        &self,
        t: f64,
        relative: &RelativeMotion,
        since: f64,
        bounds: &Bounds,
        stats: &mut Stats,
    ) -> Measurement {
        stats.primitive_tests += 1;
        let (mover, still) = (relative.mover, 1 - relative.mover);
        let place = Relative::new(&self.motions[still].pose(t), &self.motions[mover].pose(t));
        let [fixed, moving] = [*self.triangles[still], self.triangles[mover].map(|x| place.apply(x))];
        let ([s, m], scale) = scaled(fixed, moving);
        let near = nearest(&s, &m);
        let velocities = moving.map(|x| relative.velocity_at(x, since));
        let (mut before, mut after, mut widest) = (0.0_f64, 0.0_f64, 0.0_f64);
        for d in directions([&s, &m], &near) {
            let Some(n) = (d * normalising_scale(d.abs().max_element())).try_normalize() else { continue };
            let ends = |t: &Triangle| {
                let [x, y, z] = t.map(|x| n.dot(x - s[0]));
                [x.min(y).min(z), x.max(y).max(z)]
            };
            let ([s_low, s_high], [m_low, m_high]) = (ends(&s), ends(&m));
            let (above, below) = (m_low - s_high, s_low - m_high);
            let (n, gap) = if above >= below { (n, above) } else { (-n, below) };
            let gap = gap / scale - 2.0 * bounds.corner_error;
            let speeds = velocities.map(|x| n.dot(x));
            let rounding = 16.0 * EPS * bounds.speed;
            let closing = -speeds.into_iter().fold(f64::INFINITY, f64::min) + rounding;
            let opening = speeds.into_iter().fold(f64::NEG_INFINITY, f64::max) + rounding;
            before = before.max(time_to_close(gap, opening, bounds.acceleration));
            after = after.max(time_to_close(gap, closing, bounds.acceleration));
            widest = widest.max(gap);
        }
        // A smaller gap would prove only a few roundings of time.
        if widest > 4.0 * bounds.corner_error {
            Measurement::Apart([before, after])
        } else {
            Measurement::Near(self.touch_at(t, stats))
        }
    }
}

/// Directions along which there may be a gap: the one between the closest points, which near contact is mostly
/// rounding; the same without its components along the edges that carry these points; the cross product of these edges;
/// and both normals.
fn directions([s, m]: [&Triangle; 2], near: &Nearest) -> [DVec3; 5] {
    let [p, q] = near.points();
    let edge = |t: &Triangle, part: Part| match part {
        Part::Edge(i) => (t[(usize::from(i) + 1) % 3] - t[usize::from(i)]).normalize_or_zero(),
        _ => DVec3::ZERO,
    };
    let (e, h) = (edge(s, near.parts[0]), edge(m, near.parts[1]));
    let normal = |[p, q, r]: &Triangle| (*q - *p).cross(*r - *p);
    let way = q - p;
    let off = way - e * e.dot(way);
    [way, off - h * h.dot(off), e.cross(h), normal(s), normal(m)]
}

/// Both triangles scaled so that their largest coordinate is about 1, and the scale.
fn scaled(a: Triangle, b: Triangle) -> ([Triangle; 2], f64) {
    let reach = a.iter().chain(&b).fold(0.0, |m: f64, x| m.max(x.abs().max_element()));
    let scale = normalising_scale(reach);
    ([a.map(|x| x * scale), b.map(|x| x * scale)], scale)
}

/// Turns stretches in order of time into contacts: every stretch in which the triangles are not proven apart, joined
/// with the next where the gap between them is no longer than `moment`.
fn joined_contacts(stretches: &[Stretch], moment: f64) -> Contacts {
    let mut line = Timeline::default();
    for stretch in stretches {
        let Stretch { from, to, state } = *stretch;
        let touching_times = match state {
            State::Apart => continue,
            State::Near(touching_times) => touching_times,
        };
        let contact = touching_times.map_or(ContactSpan::possible(from, to), |[first, last]| ContactSpan {
            begin: Interval { lower: from, upper: first },
            end: Interval { lower: last, upper: to },
            certain: true,
        });
        line.insert(contact, moment);
    }
    line.into_contacts().into_iter().collect()
}
