//! The path of a point that turns while its axis moves straight, its chord, and the triangle of chord and bulge that
//! holds it; then the same after halving the time.

use super::picture::{BLUE, GREEN, GREY, ORANGE, Picture, Side, pen};
use super::plane::{Point, point};

/// The axis moves along `WAY` while the point, at distance `RADIUS` from it, turns by `ANGLE`.
const WAY: Point = point(2.2, 0.0);
const RADIUS: f64 = 2.0;
const START: f64 = 2.75;
const ANGLE: f64 = -2.1;

fn axis(u: f64) -> Point {
    WAY * u
}

fn path(u: f64) -> Point {
    axis(u) + point(RADIUS, 0.0).turned(START + ANGLE * u)
}

/// `M`: the middle of the chord, moved along the radius at half the angle by `G·r`, with `G = (θ/2)·sin θ/2`.
fn bulge(from: f64, to: f64) -> Point {
    let half = 0.5 * (ANGLE * (to - from)).abs();
    let outwards = (path(0.5 * (from + to)) - axis(0.5 * (from + to))).unit();
    (path(from) + path(to)) * 0.5 + outwards * (half * half.sin() * RADIUS)
}

pub(super) fn draw() -> String {
    let mut picture = Picture::new(860.0, 290.0, "The path of a point, its chord and its bulge");
    picture.place(155.0, 75.0, 60.0);
    stretch(&mut picture, 1);
    picture.word(bulge(0.0, 1.0), Side::Above, ORANGE, "M");
    picture.word(path(0.0), Side::Left, BLUE, "p(0)");
    picture.word(path(1.0), Side::Right, BLUE, "p(1)");
    picture.arrow((path(0.0) + path(1.0)) * 0.5, bulge(0.0, 1.0), pen(ORANGE).wide(1.2));
    picture.word((path(0.0) + path(1.0)) * 0.5 + point(0.0, 0.35), Side::Right, ORANGE, "G·r");
    picture.caption(point(1.1, -0.35), Side::Below, "The path lies within τ·r of the triangle of p(0), p(1) and M.");
    picture.place(585.0, 75.0, 60.0);
    stretch(&mut picture, 2);
    picture.caption(point(1.1, -0.35), Side::Below, "Half the time: about a quarter of the bulge, an eighth of τ.");
    picture.finish()
}

/// The triangles of so many equal parts of the time, and the path.
fn stretch(picture: &mut Picture, parts: u32) {
    for part in 0..parts {
        let [from, to] = [part, part + 1].map(|k| f64::from(k) / f64::from(parts));
        picture.area(&[path(from), bulge(from, to), path(to)], pen(ORANGE).filled(0.15));
        picture.path(&[path(from), path(to)], pen(BLUE).wide(2.0).dashed());
    }
    let points: Vec<Point> = (0..=48).map(|i| path(f64::from(i) / 48.0)).collect();
    picture.path(&points, pen(BLUE).wide(2.5));
    picture.arrow(axis(0.0), axis(1.0), pen(GREEN));
    for k in 0..=parts {
        let u = f64::from(k) / f64::from(parts);
        picture.path(&[axis(u), path(u)], pen(GREY).wide(1.0).dashed());
        picture.dot(path(u), BLUE);
    }
    picture.caption(axis(0.5), Side::Below, "the axis");
}
