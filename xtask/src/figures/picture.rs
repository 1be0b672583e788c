//! A picture as SVG: lines, areas and words in coordinates with `y` upwards. It has no ground of its own, and colours
//! of middle lightness, so that it can be read on white and on black.

use super::plane::{Point, point};

pub(super) const GREY: &str = "#767b82";
pub(super) const BLUE: &str = "#2f7fd6";
pub(super) const ORANGE: &str = "#d2701a";
pub(super) const GREEN: &str = "#2a9459";
pub(super) const RED: &str = "#d6424e";

/// How a line or the border of an area is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pen {
    color: &'static str,
    width: f64,
    dashed: bool,
    /// How much of the colour fills the area.
    fill: f64,
}

pub(super) const fn pen(color: &'static str) -> Pen {
    Pen { color, width: 1.5, dashed: false, fill: 0.0 }
}

impl Pen {
    pub(super) const fn wide(self, width: f64) -> Pen {
        Pen { width, ..self }
    }

    pub(super) const fn dashed(self) -> Pen {
        Pen { dashed: true, ..self }
    }

    pub(super) const fn filled(self, fill: f64) -> Pen {
        Pen { fill, ..self }
    }

    fn style(self) -> String {
        let Pen { color, width, .. } = self;
        let dashes = if self.dashed { " stroke-dasharray=\"4 3\"" } else { "" };
        let fill = match self.fill {
            0.0 => "fill=\"none\"".to_owned(),
            part => format!("fill=\"{color}\" fill-opacity=\"{part}\""),
        };
        format!("{fill} stroke=\"{color}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"{dashes}")
    }
}

/// On which side of its point a word stands.
#[derive(Debug, Clone, Copy)]
pub(super) enum Side {
    Right,
    Left,
    Above,
    Below,
    On,
}

/// A picture being drawn. What is drawn last lies on top.
#[derive(Debug)]
pub(super) struct Picture {
    size: [f64; 2],
    /// Where the origin lies from the lower left corner, and how many pixels a unit has.
    origin: [f64; 2],
    scale: f64,
    body: String,
}

impl Picture {
    /// Of this size in pixels; `title` is read out where the picture cannot be seen.
    pub(super) fn new(width: f64, height: f64, title: &str) -> Picture {
        let body = format!("<title>{title}</title>\n");
        Picture { size: [width, height], origin: [0.0; 2], scale: 1.0, body }
    }

    /// From here on the origin lies at these pixels from the lower left corner, and a unit has `scale` of them.
    pub(super) fn place(&mut self, x: f64, y: f64, scale: f64) {
        self.origin = [x, y];
        self.scale = scale;
    }

    fn pixel(&self, p: Point) -> String {
        let [x, y] = self.at(p);
        format!("{} {}", short(x), short(y))
    }

    fn at(&self, p: Point) -> [f64; 2] {
        [self.origin[0] + self.scale * p.x, self.size[1] - self.origin[1] - self.scale * p.y]
    }

    /// A line through points.
    pub(super) fn path(&mut self, points: &[Point], pen: Pen) {
        self.trace(points, "", pen);
    }

    /// An area.
    pub(super) fn area(&mut self, corners: &[Point], pen: Pen) {
        self.trace(corners, " Z", pen);
    }

    fn trace(&mut self, points: &[Point], end: &str, pen: Pen) {
        let places: Vec<String> = points.iter().map(|&p| self.pixel(p)).collect();
        self.body += &format!("<path d=\"M {}{end}\" {}/>\n", places.join(" L "), pen.style());
    }

    /// The box between two corners.
    pub(super) fn rectangle(&mut self, low: Point, high: Point, pen: Pen) {
        self.area(&[low, point(high.x, low.y), high, point(low.x, high.y)], pen);
    }

    pub(super) fn circle(&mut self, centre: Point, radius: f64, pen: Pen) {
        let ([x, y], r) = (self.at(centre), radius * self.scale);
        self.body += &format!("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}/>\n", short(x), short(y), short(r), pen.style());
    }

    /// A point, as a dot.
    pub(super) fn dot(&mut self, p: Point, color: &str) {
        let [x, y] = self.at(p);
        self.body += &format!("<circle cx=\"{}\" cy=\"{}\" r=\"3.5\" fill=\"{color}\"/>\n", short(x), short(y));
    }

    /// A line with a head at its end.
    pub(super) fn arrow(&mut self, from: Point, to: Point, pen: Pen) {
        let back = (from - to).unit() * (8.0 / self.scale);
        self.path(&[from, to + back * 0.8], Pen { fill: 0.0, ..pen });
        let head = [to, to + back.turned(0.4), to + back.turned(-0.4)];
        self.area(&head, Pen { dashed: false, fill: 1.0, width: 1.0, ..pen });
    }

    /// Words beside a point.
    pub(super) fn word(&mut self, p: Point, side: Side, color: &str, text: &str) {
        self.words(p, side, color, 14, text);
    }

    /// Words as large as a caption.
    pub(super) fn caption(&mut self, p: Point, side: Side, text: &str) {
        self.words(p, side, GREY, 13, text);
    }

    fn words(&mut self, p: Point, side: Side, color: &str, height: u32, text: &str) {
        let [x, y] = self.at(p);
        let (dx, dy, anchor) = match side {
            Side::Right => (8.0, 4.5, "start"),
            Side::Left => (-8.0, 4.5, "end"),
            Side::Above => (0.0, -8.0, "middle"),
            Side::Below => (0.0, 18.0, "middle"),
            Side::On => (0.0, 4.5, "middle"),
        };
        let place = format!("x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\"", short(x + dx), short(y + dy));
        self.body += &format!("<text {place} font-size=\"{height}\" fill=\"{color}\">{text}</text>\n");
    }

    pub(super) fn finish(self) -> String {
        let [width, height] = self.size.map(short);
        let head = format!("width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\"");
        let font = "font-family=\"Helvetica, Arial, DejaVu Sans, sans-serif\"";
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {head} {font}>\n{}</svg>\n", self.body)
    }
}

/// A number of pixels to a tenth, so that rounding elsewhere does not show.
fn short(x: f64) -> String {
    let text = format!("{x:.1}");
    text.strip_suffix(".0").map(|whole| if whole == "-0" { "0" } else { whole }.to_owned()).unwrap_or(text)
}
