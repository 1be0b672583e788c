//! Boxes of different sizes in a hierarchical hash: each belongs to the level whose cells are about as large, and is
//! looked up there and on every coarser level.

use super::picture::{BLUE, GREEN, GREY, ORANGE, Pen, Picture, Side, pen};
use super::plane::{Point, point};

/// Corners of boxes, all in the square from 0 to 4.
const BOXES: [[Point; 2]; 6] = [
    [point(1.15, 1.7), point(2.95, 3.1)],
    [point(0.25, 2.6), point(1.05, 3.55)],
    [point(2.7, 0.55), point(3.3, 1.35)],
    [point(1.75, 0.35), point(2.15, 0.75)],
    [point(2.8, 2.75), point(3.25, 3.15)],
    [point(0.6, 0.9), point(0.95, 1.35)],
];
/// The box that is looked up.
const ASKED: usize = 4;

/// `k` with ½ ≤ size/2ᵏ < 1: the level to which a box belongs with α = ½ and β = 1.
fn level([low, high]: [Point; 2]) -> i32 {
    let size = (high.x - low.x).max(high.y - low.y);
    size.log2().floor() as i32 + 1
}

/// The least and the greatest cell of a side that a box has points of.
fn cells([low, high]: [Point; 2], side: f64) -> [[i32; 2]; 2] {
    [low, high].map(|p| [p.x, p.y].map(|x| (x / side).floor() as i32))
}

pub(super) fn draw() -> String {
    let mut picture = Picture::new(860.0, 325.0, "Boxes in a hierarchical spatial hash, on three levels of cells");
    for (panel, k) in (-1..=1).enumerate() {
        picture.place(25.0 + 285.0 * panel as f64, 55.0, 60.0);
        sheet(&mut picture, k);
    }
    picture.finish()
}

/// One level: its grid, the boxes that belong there with their cells, and where the one box is looked up.
fn sheet(picture: &mut Picture, k: i32) {
    let side = f64::from(k).exp2();
    let asked = BOXES[ASKED];
    for other in BOXES.iter().filter(|other| level(**other) == k) {
        fill(picture, cells(*other, side), side, pen(BLUE).wide(0.0).filled(0.2));
    }
    if k >= level(asked) {
        fill(picture, cells(asked, side), side, pen(ORANGE).wide(2.0).filled(0.2));
    }
    let lines = (4.0 / side) as i32;
    for i in 0..=lines {
        let x = side * f64::from(i);
        picture.path(&[point(x, 0.0), point(x, 4.0)], pen(GREY).wide(0.6));
        picture.path(&[point(0.0, x), point(4.0, x)], pen(GREY).wide(0.6));
    }
    for (i, &[low, high]) in BOXES.iter().enumerate() {
        let pen = match (i == ASKED, level([low, high]) == k) {
            (true, _) => pen(ORANGE).wide(2.5),
            (false, true) => pen(BLUE).wide(2.5),
            (false, false) => pen(GREEN).wide(1.0).dashed(),
        };
        picture.rectangle(low, high, pen);
    }
    picture.word(point(2.0, 4.0), Side::Above, GREY, &format!("cells of side {side}"));
    let count = BOXES.iter().filter(|other| level(**other) == k).count();
    picture.caption(point(2.0, 0.0), Side::Below, &format!("{count} belong here (solid, cells blue);"));
    let told =
        if k == level(asked) { "the orange one is stored here" } else { "the orange one is looked up here, too" };
    picture.caption(point(2.0, -0.32), Side::Below, told);
}

fn fill(picture: &mut Picture, [low, high]: [[i32; 2]; 2], side: f64, pen: Pen) {
    let corner = |x: i32, y: i32| point(side * f64::from(x), side * f64::from(y));
    picture.rectangle(corner(low[0], low[1]), corner(high[0] + 1, high[1] + 1), pen);
}
