//! Sweeps farther along a straight line than a step asks, so that the next steps along it need no search.
//!
//! A path is often queried step by step (Xavier 1997, §3.2). Where surfaces slide along each other a step opens nearly
//! as many boxes as a way many times as long does, and so does the next step. So when steps have followed each other on
//! one line, and nothing came near, the next sweep goes on beyond its step, by half as many steps as there were. If
//! nothing comes near on all of that way, the steps on it are answered without a descent. The way so far grows by half
//! each time, so that n steps take about log n sweeps; and where the line ends, or something is met, at most a third of
//! the way was swept for nothing.
//!
//! Such a look ahead is broken off when it finds something, or takes [`PATIENCE`] times the work of the steps before
//! it. Then the step is swept by itself, as always when something may be near: the only answer taken from a look ahead
//! is "clear". After it has found something, the next look on this line goes a quarter as far. After each look some
//! steps pass before another, twice as many each time, until a look has saved a search.
//!
//! Invariant: with `b` turned as on the line, and no farther than `pad` from the stretch between `since` and `clear`,
//! nothing is as near as `within`.

use glam::{DMat3, DVec3};

use super::swept_meshes::MeshSweep;
use super::swept_trees::SweptTrees;
use crate::math::Relative;
use crate::search::backoff::Backoff;

/// Room beside the line for the rounding of where steps begin and end, as a part of the bodies' reach.
const PAD: f64 = 1e-12;
/// Node pairs that a step has to open for a line to begin with it, and that the steps of a line have to open together
/// before a look ahead.
const WORTH: [u64; 2] = [16, 64];
/// How far to look, as a part of the way so far; rounded down to whole steps.
const SHARE: f64 = 0.5;
/// How many times as many a look ahead may open.
const PATIENCE: u64 = 2;
/// Steps that pass after a look ahead that was of no use, at most.
const LONGEST_PAUSE: u16 = 64;

/// What is known of the line that steps follow.
#[derive(Debug, Clone, Default)]
pub(crate) struct LookAhead {
    line: Option<Line>,
    /// Steps until the next look ahead.
    pause: Backoff<1, LONGEST_PAUSE>,
}

#[derive(Debug, Clone, Copy)]
struct Line {
    rotation: DMat3,
    /// Where the first step began and the last one ended.
    from: DVec3,
    to: DVec3,
    /// From `since` to `clear`, and as far as `pad` beside that stretch, nothing is as near as `within`.
    since: DVec3,
    clear: DVec3,
    pad: f64,
    within: f64,
    /// The farthest that a look ahead may go.
    farthest: f64,
    /// Node pairs opened by steps.
    opened: u64,
}

impl Line {
    fn of(step: &MeshSweep<'_>, within: f64) -> Line {
        let (from, to) = (step.start, step.start + step.way);
        let rotation = step.placed.b_in_a.rotation;
        Line { rotation, from, to, since: to, clear: to, pad: 0.0, within, farthest: f64::INFINITY, opened: 0 }
    }

    /// Whether a step lies on the stretch that is clear.
    fn has(&self, step: &MeshSweep<'_>, within: f64) -> bool {
        let pad = self.pad - 2.0 * step.noise / step.placed.scale;
        self.rotation == step.placed.b_in_a.rotation
            && within <= self.within
            && [step.start, step.start + step.way].iter().all(|p| beside(*p, self.since, self.clear) <= pad)
    }

    /// Whether a step begins where the last one ended, and goes on as the others did.
    fn is_continued_by(&self, step: &MeshSweep<'_>, within: f64) -> bool {
        let (pad, behind) = (PAD / step.placed.scale, self.to - self.from);
        self.rotation == step.placed.b_in_a.rotation
            && within == self.within
            && (step.start - self.to).length() <= pad
            && step.way.dot(behind) > 0.0
            && beside(self.from, step.start, step.start - step.way * (behind.length() / step.way.length())) <= pad
    }
}

/// What is known of a step before it is swept by itself.
#[allow(clippy::large_enum_variant, reason = "a box would be an allocation")]
pub(crate) enum Ahead<'q> {
    /// Nothing comes near.
    Clear,
    /// Nothing is known.
    Unknown,
    /// The way ahead is to be swept with the step.
    Look(LongStep<'q>),
}

/// A step that is made longer, to look ahead.
pub(crate) struct LongStep<'q> {
    pub(crate) sweep: MeshSweep<'q>,
    /// How near still counts, and after how many node pairs the look is broken off.
    pub(crate) within: f64,
    pub(crate) patience: u64,
    /// How much longer it is.
    further: f64,
    pad: f64,
}

/// What a look ahead found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LookedAhead {
    /// Nothing comes near.
    Clear,
    /// Something does.
    Near,
    /// Nothing so far, but it took too long.
    BrokenOff,
}

/// How far a point is from the segment between two others; NaN where they are one.
fn beside(p: DVec3, from: DVec3, to: DVec3) -> f64 {
    let along = to - from;
    let at = ((p - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    (p - from - along * at).length()
}

impl LookAhead {
    pub(crate) fn forget(&mut self) {
        *self = LookAhead::default();
    }

    /// What is known of a step before it is swept by itself.
    pub(crate) fn before<'q>(&mut self, step: &MeshSweep<'q>, within: f64) -> Ahead<'q> {
        let ahead = self;
        let Some(line) = &mut ahead.line else { return Ahead::Unknown };
        if line.has(step, within) {
            line.to = step.start + step.way;
            ahead.pause.paid();
            return Ahead::Clear;
        }
        if line.opened < WORTH[1] || !line.is_continued_by(step, within) {
            return Ahead::Unknown;
        }
        if ahead.pause.sits_out() {
            return Ahead::Unknown;
        }
        let (length, pad) = (step.way.length(), PAD / step.placed.scale);
        let steps = SHARE * (line.to - line.from).length().min(line.farthest) / length;
        let further = length * (steps + 1e-6).floor();
        if further < length {
            return Ahead::Unknown;
        }
        // The first step that this look ahead shows to be clear undoes this.
        ahead.pause.failed();
        let (patience, way) = (PATIENCE * line.opened, step.way * (1.0 + further / length));
        let start = Relative { translation: step.start, ..step.placed.b_in_a };
        let long = MeshSweep::new(step.placed.a, step.placed.b, &start, way, step.blur);
        if !SweptTrees::new(&long).is_touch_and_go((within + pad) * long.placed.scale + long.noise) {
            line.farthest = 0.5 * further;
            return Ahead::Unknown;
        }
        Ahead::Look(LongStep { sweep: long, within: within + pad, patience, further, pad })
    }

    /// Takes note of what the look ahead of a step found.
    pub(crate) fn looked(&mut self, step: &MeshSweep<'_>, long: &LongStep<'_>, seen: LookedAhead) {
        let Some(line) = &mut self.line else { return };
        match seen {
            LookedAhead::Clear => {
                (line.to, line.since) = (step.start + step.way, step.start);
                (line.clear, line.pad) = (step.start + long.sweep.way, long.pad);
            }
            LookedAhead::Near => line.farthest = 0.25 * long.further,
            LookedAhead::BrokenOff => {}
        }
    }

    /// Takes note of a step that was swept by itself.
    pub(crate) fn follow(&mut self, step: &MeshSweep<'_>, within: f64, clear: bool, opened: u64) {
        match &mut self.line {
            Some(line) if clear && line.is_continued_by(step, within) => {
                line.to = step.start + step.way;
                line.opened = line.opened.saturating_add(opened);
            }
            line if clear && opened >= WORTH[0] => *line = Some(Line { opened, ..Line::of(step, within) }),
            line => *line = None,
        }
    }
}
