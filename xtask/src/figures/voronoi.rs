//! Voronoi regions of a convex body, here in the plane: a walk of Lin-Canny to the feature whose region holds a point,
//! and an edge that V-Clip clips to a region.

use super::picture::{BLUE, GREEN, GREY, ORANGE, Picture, RED, Side, pen};
use super::plane::{Point, clip, cut, nearest, point};

/// Counterclockwise.
const BODY: [Point; 5] = [point(0.0, 0.0), point(2.6, -0.4), point(3.5, 1.3), point(1.9, 2.7), point(0.1, 1.9)];

/// A corner, or the edge from a corner to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cell {
    Corner(usize),
    Edge(usize),
}

fn corner(i: usize) -> Point {
    BODY[i % BODY.len()]
}

fn along(i: usize) -> Point {
    (corner(i + 1) - corner(i)).unit()
}

/// The sides of a region as `normal·x ≤ offset`, with the feature that lies beyond each.
fn region(cell: Cell) -> Vec<(Point, f64, Option<Cell>)> {
    let n = BODY.len();
    let side = |normal: Point, at: Point, beyond| (normal, normal.dot(at), beyond);
    match cell {
        // Between the lines across the edge at its ends, and outside of the edge.
        Cell::Edge(i) => vec![
            side(-along(i), corner(i), Some(Cell::Corner(i))),
            side(along(i), corner(i + 1), Some(Cell::Corner((i + 1) % n))),
            side(-along(i).right(), corner(i), None),
        ],
        // Beyond the ends of both edges.
        Cell::Corner(i) => {
            let before = (i + n - 1) % n;
            vec![
                side(-along(before), corner(i), Some(Cell::Edge(before))),
                side(along(i), corner(i), Some(Cell::Edge(i))),
            ]
        }
    }
}

/// From feature to feature, over the side of a region that the point violates most.
fn walk(start: Cell, x: Point) -> Vec<Cell> {
    let mut way = vec![start];
    loop {
        let sides = region(way[way.len() - 1]);
        let over = |side: &(Point, f64, Option<Cell>)| side.0.dot(x) - side.1;
        let worst = sides.iter().filter(|side| side.2.is_some() && over(side) > 0.0);
        let Some(next) = worst.max_by(|s, t| over(s).total_cmp(&over(t))).and_then(|side| side.2) else { return way };
        way.push(next);
    }
}

fn middle(cell: Cell) -> Point {
    match cell {
        Cell::Corner(i) => corner(i),
        Cell::Edge(i) => (corner(i) + corner(i + 1)) * 0.5,
    }
}

pub(super) fn draw() -> String {
    let mut picture = Picture::new(860.0, 410.0, "Voronoi regions: a walk from feature to feature, and a clipped edge");
    picture.place(110.0, 150.0, 62.0);
    walk_to_a_point(&mut picture);
    picture.place(440.0, -192.0, 130.0);
    clipped_edge(&mut picture);
    picture.finish()
}

fn regions(picture: &mut Picture, [low, high]: [Point; 2]) {
    let frame = [low, point(high.x, low.y), high, point(low.x, high.y)];
    for i in 0..BODY.len() {
        for (cell, color) in [(Cell::Edge(i), BLUE), (Cell::Corner(i), ORANGE)] {
            let part = region(cell).iter().fold(frame.to_vec(), |part, side| cut(&part, side.0, side.1));
            picture.area(&part, pen(color).wide(0.75).filled(0.1));
        }
    }
    let (right, up) = (point(1.0, 0.0), point(0.0, 1.0));
    let sides = [(right, high.x), (-right, -low.x), (up, high.y), (-up, -low.y)];
    let body = sides.iter().fold(BODY.to_vec(), |part, side| cut(&part, side.0, side.1));
    picture.area(&body, pen(GREY).wide(2.0).filled(0.25));
}

fn walk_to_a_point(picture: &mut Picture) {
    regions(picture, [point(-1.4, -1.4), point(5.1, 3.8)]);
    picture.word(point(1.6, 1.1), Side::On, GREY, "the body");
    let (start, x) = (Cell::Edge(0), point(4.3, 3.2));
    let way = walk(start, x);
    let mut places = Vec::new();
    for (step, &cell) in way.iter().enumerate() {
        let place = middle(cell);
        let out = (place - point(1.6, 1.1)).unit() * 0.28;
        picture.dot(place, RED);
        picture.word(place - out, Side::On, RED, &format!("{}", step + 1));
        places.push(place);
    }
    picture.path(&places, pen(RED).wide(2.5));
    let Some(Cell::Edge(i)) = way.last().copied() else { return };
    let foot = nearest([corner(i), corner(i + 1)], x);
    picture.path(&[x, foot], pen(GREEN).dashed());
    picture.dot(x, GREEN);
    picture.dot(foot, GREEN);
    picture.word(x, Side::Above, GREEN, "p");
    picture.caption(point(1.85, -1.4), Side::Below, "Regions of points with the same nearest edge (blue) or corner");
    picture.caption(point(1.85, -1.72), Side::Below, "(orange). A walk to that of p: over the side it violates most.");
}

fn clipped_edge(picture: &mut Picture) {
    regions(picture, [point(0.6, 1.96), point(3.1, 4.44)]);
    let v = corner(3);
    let [e, f] = [point(0.9, 3.75), point(2.9, 3.35)];
    let sides: Vec<(Point, f64)> = region(Cell::Corner(3)).iter().map(|side| (side.0, side.1)).collect();
    picture.path(&[e, f], pen(GREEN).wide(2.5));
    picture.word(e, Side::Left, GREEN, "e");
    let Some(ends) = clip(e, f - e, &sides) else { return };
    for (end, name) in ends.iter().zip(["λ₁", "λ₂"]) {
        let at = e + (f - e) * *end;
        // The slope of the distance from the corner along the edge: towards which end it falls.
        let slope = (f - e).dot(at - v);
        let downhill = (f - e).unit() * (-slope.signum() * 0.3);
        picture.path(&[v, at], pen(GREY).dashed());
        picture.arrow(at + point(0.0, 0.06), at + downhill + point(0.0, 0.06), pen(RED).wide(2.0));
        picture.dot(at, GREEN);
        picture.word(at + point(0.0, 0.05), Side::Above, GREEN, name);
    }
    picture.dot(v, ORANGE);
    picture.word(v, Side::Below, ORANGE, "v");
    picture.caption(point(1.85, 1.96), Side::Below, "Edge e, clipped to the region of v. The arrows show");
    picture.caption(point(1.85, 1.807), Side::Below, "where the distance from v falls: it is least between.");
}
