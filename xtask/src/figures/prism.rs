//! A triangle that moves straight: the prism of all its positions, and its farthest corner along a direction.

use super::picture::{BLUE, GREEN, GREY, ORANGE, Pen, Picture, Side, pen};
use super::plane::{Point, point};

type Vector = [f64; 3];

const CORNERS: [Vector; 3] = [[-0.9, -0.7, -0.5], [1.0, -0.4, -0.3], [0.1, 0.3, 1.1]];
/// Half of the way that the triangle goes.
const HALF: Vector = [1.55, 0.9, 0.35];
/// The direction along which the farthest corner is asked for.
const ALONG: Vector = [0.75, 0.1, 0.65];
/// Where the picture is seen from: to the right, upwards and towards the eye.
const EYE: [Vector; 3] = [[0.94, 0.34, 0.0], [-0.12, 0.33, 0.936], [0.317, -0.88, 0.352]];

fn dot(p: Vector, q: Vector) -> f64 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

fn sum(p: Vector, q: Vector, factor: f64) -> Vector {
    [p[0] + factor * q[0], p[1] + factor * q[1], p[2] + factor * q[2]]
}

fn cross(p: Vector, q: Vector) -> Vector {
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}

fn seen(p: Vector) -> Point {
    point(dot(EYE[0], p), dot(EYE[1], p))
}

/// Corner `i` of the prism: the first three at the start of the way, the others at its end.
fn corner(i: usize) -> Vector {
    sum(CORNERS[i % 3], HALF, if i < 3 { -1.0 } else { 1.0 })
}

/// Faces by their corners, in order around each.
const FACES: [&[usize]; 5] = [&[0, 1, 2], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]];

fn faces_the_eye(face: &[usize]) -> bool {
    let [p, q, r] = [face[0], face[1], face[2]].map(corner);
    let normal = cross(sum(q, p, -1.0), sum(r, p, -1.0));
    // Outwards, away from the middle of the prism.
    let middle = CORNERS.iter().fold([0.0; 3], |m, &c| sum(m, c, 1.0 / 3.0));
    let out = dot(normal, sum(p, middle, -1.0)).signum();
    out * dot(normal, EYE[2]) > 0.0
}

/// Whether a face that can be seen has the edge.
fn visible(i: usize, j: usize) -> bool {
    FACES.iter().any(|face| face.contains(&i) && face.contains(&j) && faces_the_eye(face))
}

fn farthest(among: impl Iterator<Item = usize>) -> usize {
    among.max_by(|&i, &j| dot(corner(i), ALONG).total_cmp(&dot(corner(j), ALONG))).unwrap_or(0)
}

pub(super) fn draw() -> String {
    let mut picture = Picture::new(620.0, 360.0, "The prism of a triangle that moves straight");
    picture.place(280.0, 175.0, 80.0);
    for face in FACES.iter().filter(|face| faces_the_eye(face)) {
        let corners: Vec<Point> = face.iter().map(|&i| seen(corner(i))).collect();
        picture.area(&corners, pen(BLUE).wide(0.0).filled(0.12));
    }
    for i in 0..3 {
        edge(&mut picture, i, i + 3, pen(GREY));
    }
    for [i, j] in [[0, 1], [1, 2], [2, 0]] {
        edge(&mut picture, i, j, pen(BLUE).wide(2.5));
        edge(&mut picture, i + 3, j + 3, pen(BLUE).wide(2.5));
    }
    supports(&mut picture);
    picture.caption(
        point(0.2, -1.45),
        Side::Below,
        "The farthest corner of the triangle along d, then the end of the way",
    );
    picture.caption(
        point(0.2, -1.68),
        Side::Below,
        "that is farther along d: no other corner of the prism is looked at.",
    );
    picture.finish()
}

fn edge(picture: &mut Picture, i: usize, j: usize, pen: Pen) {
    let pen = if visible(i, j) { pen } else { pen.dashed() };
    picture.path(&[seen(corner(i)), seen(corner(j))], pen);
}

fn supports(picture: &mut Picture) {
    let first = farthest(0..3);
    let best = if dot(HALF, ALONG) > 0.0 { first + 3 } else { first };
    debug_assert_eq!(best, farthest(0..6));
    let [from, to] = [first, best].map(|i| seen(corner(i)));
    picture.arrow(from, to, pen(ORANGE).wide(2.5));
    picture.dot(from, ORANGE);
    picture.dot(to, ORANGE);
    picture.word((from + to) * 0.5 + point(-0.1, 0.05), Side::Above, ORANGE, "the way");
    picture.arrow(to, to + seen(ALONG) * 0.9, pen(GREEN).wide(2.0));
    picture.word(to + seen(ALONG) * 0.9, Side::Right, GREEN, "d");
    for (name, k) in [("at the start", 0), ("at the end", 3)] {
        let middle = (0..3).fold([0.0; 3], |m, i| sum(m, corner(i + k), 1.0 / 3.0));
        picture.word(seen(middle), Side::On, BLUE, name);
    }
}
