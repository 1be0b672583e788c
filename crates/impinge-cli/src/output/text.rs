//! Numbers, points and features as words for a reader.

use impinge::glam::DVec3;
use impinge::{Element, Feature, Interval, Witness};

/// Shortest form that reads back to the same number; `3` rather than `3.0`.
pub(crate) fn number(x: f64) -> String {
    let text = format!("{x:?}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// The shortest number near the middle of the interval that lies in it.
pub(crate) fn shortest(interval: &Interval) -> f64 {
    let mid = interval.mid();
    (0..17).filter_map(|digits| format!("{mid:.digits$e}").parse().ok()).find(|x| interval.contains(*x)).unwrap_or(mid)
}

/// Both ends of an interval.
pub(crate) fn between(interval: &Interval) -> String {
    format!("between {} and {}", number(interval.lower), number(interval.upper))
}

pub(crate) fn point(p: DVec3) -> String {
    format!("({}, {}, {})", number(p.x), number(p.y), number(p.z))
}

/// Two lines: where on `a`, where on `b`.
pub(crate) fn witness(witness: &Witness) -> Vec<String> {
    let line =
        |i: usize, body: char| format!("  on {body}: {}, {}", point(witness.points[i]), feature(&witness.features[i]));
    vec![line(0, 'a'), line(1, 'b')]
}

pub(crate) fn feature(feature: &Feature) -> String {
    match *feature {
        Feature::Vertex { triangle, vertex } => format!("vertex {vertex} of triangle {triangle}"),
        Feature::Edge { triangle, vertices: [u, v] } => format!("edge {u}-{v} of triangle {triangle}"),
        Feature::Face { triangle } => format!("face of triangle {triangle}"),
        Feature::Convex { piece, element } => {
            let of = if piece == 0 { String::new() } else { format!(" of piece {piece}") };
            match element {
                Element::Vertex(vertex) => format!("vertex {vertex}{of}"),
                Element::Edge([u, v]) => format!("edge {u}-{v}{of}"),
                Element::Face(face) => format!("face {face}{of}"),
                Element::Surface => format!("surface{of}"),
                Element::Inside => format!("inside{of}"),
            }
        }
    }
}

/// Why a list of contacts is not complete.
pub(crate) fn stopped(limit: Option<u32>) -> &'static str {
    if limit.is_some() { "stopped by --limit" } else { "stopped at the most that are listed" }
}

pub(crate) fn plural(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_read_back() {
        assert_eq!(
            [3.0, 0.1, 1e-300, 1e300, -0.0, f64::INFINITY].map(number),
            ["3", "0.1", "1e-300", "1e300", "-0", "inf"]
        );
    }

    #[test]
    fn intervals_are_shown_by_their_shortest_number() {
        for (lower, upper, x) in [
            (0.24999999999998923, 0.2500000000000085, 0.25),
            (0.0, 0.0, 0.0),
            (0.0, 1e-15, 5e-16),
            (1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0),
            (1e300, 1.0000001e300, 1e300),
            (f64::INFINITY, f64::INFINITY, f64::INFINITY),
            (0.0, f64::INFINITY, f64::INFINITY),
        ] {
            assert_eq!(shortest(&Interval { lower, upper }), x, "{lower} {upper}");
        }
    }
}
