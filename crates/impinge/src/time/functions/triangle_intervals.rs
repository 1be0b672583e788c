//! All times at which two triangles touch while one of them turns steadily.
//!
//! Xavier 1997 §3.3 (iii). Whether two triangles touch follows from the signs of 15 volumes: of six corners over the
//! other's plane and of nine pairs of edges. Each is a function of time in closed form ([`super::contact_functions`]).
//! Between two times at which one of them may vanish ([`super::certified_roots`]) no sign changes, so one static test
//! in the middle decides for the whole stretch: exact intervals, any number of them, however far the body turns.
//!
//! The stretches in which a function may vanish are left. Most are too short to matter, or the triangles are far apart
//! in them, which the gap and the speed at which it closes show. Some are neither: triangles that stay in one plane
//! have functions that vanish altogether. Such a stretch is divided, and the triangles are tested at single times
//! ([`TrianglePair::look_closely`]): where they are not proven apart the stretch counts as contact, and as a certain
//! one where a static test finds them touching.
//!
//! Invariant: outside of the contacts returned the triangles are apart. Cost: 3 to 15 functions, and a test for each
//! time at which one of them vanishes.

use glam::DVec3;
use smallvec::SmallVec;

use super::certified_roots::Doubts;
use super::contact_functions::{FeaturePairs, RelativeMotion, times};
use super::timeline::{ContactSpan, Timeline};
use crate::answer::Stats;
use crate::math::{EPS, Interval, Relative, normalising_scale};
use crate::path::{Motion, Steady};
use crate::prim::{Nearest, Part, Triangle, is_degenerate, nearest, triangles_overlap};
use crate::time::impact::closing::time_to_close;

/// The most times that are looked at in one stretch in which a function may vanish.
const MOST_LOOKS: usize = 1 << 10;
/// Of a stretch divided by this number: in a part no longer than that, triangles that touch at both ends and in the
/// middle are taken to touch throughout.
/// as touching throughout.
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

/// How the triangles stand at one time.
#[derive(Debug, Clone, Copy)]
enum Look {
    /// Apart, and for this long before and after.
    Apart([f64; 2]),
    /// Too near to be told from touching, and whether a static test finds that they touch.
    Near(bool),
}

type Stretches = SmallVec<[Stretch; 16]>;
type Contacts = SmallVec<[ContactSpan; 2]>;

/// Bounds on the effect of rounding, and on speeds.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    speed: f64,
    /// The bound on the acceleration.
    bend: f64,
    blur: f64,
}

impl Bounds {
    /// A length of time in which no point moves by more than rounding may hide.
    fn moment(&self) -> f64 {
        if self.speed > 0.0 { 16.0 * self.blur / self.speed } else { 0.0 }
    }
}

/// A stretch that is still to be looked at, with what was found at its two ends, or a finished result.
enum Task {
    Open { from: f64, to: f64, ends: [Option<bool>; 2] },
    Done(Stretch),
}

impl Stretch {
    /// A stretch in which the triangles are not known to be apart, with times at which they touch, in order.
    fn near(from: f64, to: f64, sure: [Option<f64>; 3]) -> Stretch {
        let first = sure.iter().flatten().next();
        let last = sure.iter().flatten().last();
        Stretch { from, to, state: State::Near(first.zip(last).map(|(first, last)| [*first, *last])) }
    }
}

impl TrianglePair<'_> {
    /// All contacts between two times, and the shortest gap that can be seen; `seen` is the relative motion from the
    /// first time on.
    pub(crate) fn contacts(&self, seen: &RelativeMotion, from: f64, to: f64, stats: &mut Stats) -> (Contacts, f64) {
        let [speed, bend] = seen.speed_of(self.triangles[seen.mover]);
        let bounds = Bounds { speed, bend, blur: seen.blur(self.triangles) };
        let moment = bounds.moment();
        if bounds.blur.is_nan() || moment > to - from && self.size() <= bounds.blur {
            return (SmallVec::from_iter([ContactSpan::perhaps(from, to)]), 0.0);
        }
        let mut doubts = Doubts::new();
        if !self.all_doubts(seen, to - from, &mut doubts) {
            return (SmallVec::new(), moment);
        }
        let mut stretches = Stretches::new();
        let mut last = from;
        for doubt in doubts {
            let Interval { lower, upper } = times(from, doubt, to);
            if lower > last {
                stretches.push(self.undoubted(last, lower, stats));
            }
            let lower = lower.max(last);
            if upper >= lower {
                self.look_closely([from, lower, upper], seen, &bounds, &mut stretches, stats);
                last = upper;
            }
        }
        if last < to {
            stretches.push(self.undoubted(last, to, stats));
        }
        (together(&stretches, moment), moment)
    }

    fn size(&self) -> f64 {
        self.triangles.iter().map(|t| t[0].distance(t[1]).max(t[1].distance(t[2]))).sum()
    }

    /// Collects the times at which a sign may change, in order; returns whether there may be a contact at all.
    ///
    /// Where all corners of one triangle stay on one side of the other there is no contact, and edges need no
    /// functions. A triangle that is a segment has no plane, and only its edges count (as in the static test). Where no
    /// function is left, as of two points, the whole stretch has to be looked at.
    fn all_doubts(&self, seen: &RelativeMotion, duration: f64, all: &mut Doubts) -> bool {
        let size = seen.blur(self.triangles) / EPS;
        let pairs = FeaturePairs::new(seen, self.triangles, normalising_scale(size));
        let flat = self.triangles.map(is_degenerate);
        let planes = [(1 - seen.mover, pairs.vertices_over_face()), (seen.mover, pairs.face_under_vertices())];
        let mut asked = false;
        for (k, functions) in planes {
            if flat[k] {
                continue;
            }
            asked = true;
            let before = all.len();
            functions.iter().for_each(|f| all.extend(f.doubts(duration)));
            let side = functions.map(|f| f.value(0.0) > 0.0);
            if all.len() == before && side[0] == side[1] && side[1] == side[2] {
                return false;
            }
        }
        for f in (0..9).filter_map(|k| pairs.edges(k / 3, k % 3)) {
            asked = true;
            all.extend(f.doubts(duration));
        }
        if !asked {
            all.push([0.0, duration]);
        }
        all.sort_unstable_by(|x, y| x[0].total_cmp(&y[0]));
        true
    }

    /// A stretch in which no sign changes.
    fn undoubted(&self, from: f64, to: f64, stats: &mut Stats) -> Stretch {
        let touch = self.touch_at(0.5 * from + 0.5 * to, stats);
        Stretch { from, to, state: if touch { State::Near(Some([from, to])) } else { State::Apart } }
    }

    /// A stretch in which signs may change.
    fn look_closely(
        &self,
        [start, from, to]: [f64; 3],
        seen: &RelativeMotion,
        bounds: &Bounds,
        out: &mut Stretches,
        stats: &mut Stats,
    ) {
        let whole = to - from;
        let mut tasks: SmallVec<[Task; 16]> = SmallVec::from_iter([Task::Open { from, to, ends: [None; 2] }]);
        let mut looks = 0;
        while let Some(task) = tasks.pop() {
            let (from, to, ends) = match task {
                Task::Open { from, to, ends } => (from, to, ends),
                Task::Done(stretch) => {
                    out.push(stretch);
                    continue;
                }
            };
            let sure = |end: usize, t: f64| (ends[end] == Some(true)).then_some(t);
            if looks >= MOST_LOOKS {
                out.push(Stretch::near(from, to, [sure(0, from), sure(1, to), None]));
                continue;
            }
            looks += 1;
            let middle = 0.5 * from + 0.5 * to;
            let touches = match self.look(middle, seen, middle - start, bounds, stats) {
                Look::Near(touches) => touches,
                Look::Apart([before, after]) => {
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
            // Where the triangles hardly move, one look decides for the whole stretch, except for its ends.
            let ends = if bounds.speed > 0.0 { ends } else { [from, to].map(|t| Some(self.touch_at(t, stats))) };
            let sure = |end: usize, t: f64| (ends[end] == Some(true)).then_some(t);
            let short = (to - from) * bounds.speed <= 8.0 * bounds.blur || !(from < middle && middle < to);
            let within = ends[0].is_some() && ends[1].is_some() && (to - from) * PARTS <= whole;
            if short || within {
                out.push(Stretch::near(from, to, [sure(0, from), touches.then_some(middle), sure(1, to)]));
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

    /// How the triangles stand at `t`, and for how long a gap stays open. Along a direction `n` from the standing
    /// triangle to the moving one, the gap changes as fast as the height of a corner does, and that speed changes no
    /// faster than `bend` allows: so long at least the gap stays open, before and after.
    fn look(&self, t: f64, seen: &RelativeMotion, since: f64, bounds: &Bounds, stats: &mut Stats) -> Look {
        stats.primitive_tests += 1;
        let (mover, still) = (seen.mover, 1 - seen.mover);
        let place = Relative::new(&self.motions[still].pose(t), &self.motions[mover].pose(t));
        let [standing, moving] = [*self.triangles[still], self.triangles[mover].map(|x| place.apply(x))];
        let ([s, m], scale) = scaled(standing, moving);
        let near = nearest(&s, &m);
        let velocities = moving.map(|x| seen.velocity_at(x, since));
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
            let gap = gap / scale - 2.0 * bounds.blur;
            let speeds = velocities.map(|x| n.dot(x));
            let rounding = 16.0 * EPS * bounds.speed;
            let closing = -speeds.into_iter().fold(f64::INFINITY, f64::min) + rounding;
            let opening = speeds.into_iter().fold(f64::NEG_INFINITY, f64::max) + rounding;
            before = before.max(time_to_close(gap, opening, bounds.bend));
            after = after.max(time_to_close(gap, closing, bounds.bend));
            widest = widest.max(gap);
        }
        // Smaller gaps would be passed a few roundings at a time.
        if widest > 4.0 * bounds.blur { Look::Apart([before, after]) } else { Look::Near(self.touch_at(t, stats)) }
    }
}

/// Directions along which there may be a gap: the one between the closest points, which near contact is mostly
/// rounding; the same without its part along the edges that carry these points, and across them; and the normals.
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

/// Both scaled to one, and the scale.
fn scaled(a: Triangle, b: Triangle) -> ([Triangle; 2], f64) {
    let reach = a.iter().chain(&b).fold(0.0, |m: f64, x| m.max(x.abs().max_element()));
    let scale = normalising_scale(reach);
    ([a.map(|x| x * scale), b.map(|x| x * scale)], scale)
}

/// The contacts that stretches in order of time make: the stretches in which the triangles are not known to be apart,
/// joined where the gap between them is no longer than a `moment`.
fn together(stretches: &[Stretch], moment: f64) -> Contacts {
    let mut line = Timeline::default();
    for stretch in stretches {
        let Stretch { from, to, state } = *stretch;
        let sure = match state {
            State::Apart => continue,
            State::Near(sure) => sure,
        };
        let contact = sure.map_or(ContactSpan::perhaps(from, to), |[first, last]| ContactSpan {
            begin: Interval { lower: from, upper: first },
            end: Interval { lower: last, upper: to },
            certain: true,
        });
        line.insert(contact, moment);
    }
    line.into_contacts().into_iter().collect()
}
