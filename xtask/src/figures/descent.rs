//! Two curves, a tree of boxes over each, and which pairs of nodes a descent of both trees opens, rules out and
//! measures, as a map: every point of the square is a pair of segments.
//!
//! Here both nodes of a pair are halved; the library opens the one with the larger box into eight.

use super::picture::{BLUE, GREEN, GREY, ORANGE, Picture, RED, Side, pen};
use super::plane::{Point, nearest, point};

/// Segments of each curve, a power of two.
const COUNT: usize = 16;

/// A run of segments: a node of the tree, which halves it.
type Run = [usize; 2];

fn curve_a(i: usize) -> Point {
    let t = i as f64 / COUNT as f64;
    point(4.6 * t, 2.35 + 0.55 * (7.0 * t).sin() + 0.5 * t)
}

fn curve_b(i: usize) -> Point {
    let t = i as f64 / COUNT as f64;
    point(0.2 + 4.4 * t, 0.9 + 0.6 * (6.0 * t - 1.2).sin() - 0.9 * t)
}

/// The box around a run of segments of a curve.
fn bounds(curve: fn(usize) -> Point, run: Run) -> [Point; 2] {
    let mut both = [curve(run[0]); 2];
    for p in (run[0]..=run[1]).map(curve) {
        both = [point(both[0].x.min(p.x), both[0].y.min(p.y)), point(both[1].x.max(p.x), both[1].y.max(p.y))];
    }
    both
}

fn gap([p, q]: [Point; 2], [r, s]: [Point; 2]) -> f64 {
    let between = |low: f64, high: f64, from: f64, to: f64| (from - high).max(low - to).max(0.0);
    point(between(p.x, q.x, r.x, s.x), between(p.y, q.y, r.y, s.y)).length()
}

/// The distance of two segments that do not cross, with the points.
fn distance(a: Run, b: Run) -> (f64, [Point; 2]) {
    let [p, q] = [a, b].map(|run| run[0]);
    let (s, t) = ([curve_a(p), curve_a(p + 1)], [curve_b(q), curve_b(q + 1)]);
    let pairs =
        [[s[0], nearest(t, s[0])], [s[1], nearest(t, s[1])], [nearest(s, t[0]), t[0]], [nearest(s, t[1]), t[1]]];
    let length = |pair: &[Point; 2]| (pair[0] - pair[1]).length();
    let least = pairs.into_iter().fold(pairs[0], |best, pair| if length(&pair) < length(&best) { pair } else { best });
    (length(&least), least)
}

/// What became of a pair of nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fate {
    RuledOut,
    Measured,
}

/// A descent of both trees.
#[derive(Debug)]
struct Descent {
    cut_off: f64,
    points: [Point; 2],
    seen: Vec<(Run, Run, Fate)>,
    opened: usize,
}

impl Descent {
    /// Opens both nodes of a pair and goes on with the nearest children first.
    fn visit(&mut self, a: Run, b: Run) {
        if gap(bounds(curve_a, a), bounds(curve_b, b)) >= self.cut_off {
            self.seen.push((a, b, Fate::RuledOut));
            return;
        }
        if a[1] - a[0] == 1 {
            let (length, points) = distance(a, b);
            if length < self.cut_off {
                (self.cut_off, self.points) = (length, points);
            }
            self.seen.push((a, b, Fate::Measured));
            return;
        }
        self.opened += 1;
        let halves = |[from, to]: Run| [[from, (from + to) / 2], [(from + to) / 2, to]];
        let mut children: Vec<(Run, Run)> = halves(a).iter().flat_map(|&x| halves(b).map(|y| (x, y))).collect();
        let far = |&(x, y): &(Run, Run)| gap(bounds(curve_a, x), bounds(curve_b, y));
        children.sort_by(|x, y| far(x).total_cmp(&far(y)));
        for (x, y) in children {
            self.visit(x, y);
        }
    }
}

pub(super) fn draw() -> String {
    let mut descent = Descent { cut_off: f64::INFINITY, points: [curve_a(0); 2], seen: Vec::new(), opened: 0 };
    descent.visit([0, COUNT], [0, COUNT]);
    let mut picture = Picture::new(860.0, 400.0, "A descent of two trees of boxes, and the pairs that it rules out");
    picture.place(40.0, 120.0, 78.0);
    curves(&mut picture, &descent);
    picture.place(500.0, 70.0, 280.0 / COUNT as f64);
    map(&mut picture, &descent);
    picture.finish()
}

fn curves(picture: &mut Picture, descent: &Descent) {
    for (curve, color) in [(curve_a as fn(usize) -> Point, BLUE), (curve_b, ORANGE)] {
        for (parts, width) in [(2, 1.4), (4, 0.9), (8, 0.5)] {
            let length = COUNT / parts;
            for part in 0..parts {
                let [low, high] = bounds(curve, [part * length, (part + 1) * length]);
                picture.rectangle(low, high, pen(color).wide(width).filled(0.04));
            }
        }
        picture.path(&(0..=COUNT).map(curve).collect::<Vec<_>>(), pen(color).wide(2.5));
    }
    picture.word(curve_a(0), Side::Left, BLUE, "a");
    picture.word(curve_b(0), Side::Left, ORANGE, "b");
    picture.path(&descent.points, pen(GREEN).wide(2.5));
    for p in descent.points {
        picture.dot(p, GREEN);
    }
    picture.caption(point(2.3, -1.0), Side::Below, "Boxes of three levels, and the least distance");
}

fn map(picture: &mut Picture, descent: &Descent) {
    for &(a, b, fate) in &descent.seen {
        let [low, high] = [0, 1].map(|end| point(a[end] as f64, b[end] as f64));
        match fate {
            Fate::RuledOut => picture.rectangle(low, high, pen(GREY).wide(1.0).filled(0.1)),
            Fate::Measured => picture.rectangle(low, high, pen(GREEN).wide(1.0).filled(0.5)),
        }
    }
    let last = descent.seen.iter().filter(|seen| seen.2 == Fate::Measured);
    let best = last.min_by(|x, y| distance(x.0, x.1).0.total_cmp(&distance(y.0, y.1).0));
    if let Some(&(a, b, _)) = best {
        picture.circle(point(a[0] as f64 + 0.5, b[0] as f64 + 0.5), 1.1, pen(RED).wide(2.0));
    }
    let (n, middle) = (COUNT as f64, 0.5 * COUNT as f64);
    picture.word(point(middle, n), Side::Above, BLUE, "segments of a");
    picture.word(point(n, middle), Side::Right, ORANGE, "of b");
    let count = |fate| descent.seen.iter().filter(|seen| seen.2 == fate).count();
    let told = format!("{} pairs of nodes opened, {} too far apart (grey),", descent.opened, count(Fate::RuledOut));
    picture.caption(point(middle, 0.0), Side::Below, &told);
    let told =
        format!("{} of {} pairs of segments measured (green; the nearest: red)", count(Fate::Measured), COUNT * COUNT);
    picture.caption(point(middle, -1.1), Side::Below, &told);
}
