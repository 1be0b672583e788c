//! Whether two segments in the plane have a common point: exact, closed, any of them possibly a point.

use glam::DVec2;

use crate::math::{Sign, orient2d};

/// Whether the closed segments `pq` and `rs` meet.
///
/// They do when each segment's ends lie on different sides of the other's line, the line itself belonging to both
/// sides. When all four signs vanish the four points are collinear, and their boxes decide.
pub(crate) fn segments_meet(p: DVec2, q: DVec2, r: DVec2, s: DVec2) -> bool {
    let (o1, o2) = (orient2d(p, q, r), orient2d(p, q, s));
    if o1 == o2 && o1 != Sign::Zero {
        return false;
    }
    let (o3, o4) = (orient2d(r, s, p), orient2d(r, s, q));
    if o3 == o4 && o3 != Sign::Zero {
        return false;
    }
    let collinear = [o1, o2, o3, o4] == [Sign::Zero; 4];
    !collinear || (p.min(q).cmple(r.max(s)).all() && r.min(s).cmple(p.max(q)).all())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossing_touching_collinear_and_points() {
        let v = DVec2::new;
        assert!(segments_meet(v(0.0, 0.0), v(2.0, 2.0), v(0.0, 2.0), v(2.0, 0.0)));
        assert!(segments_meet(v(0.0, 0.0), v(2.0, 0.0), v(1.0, 0.0), v(1.0, 5.0)));
        assert!(segments_meet(v(0.0, 0.0), v(2.0, 0.0), v(2.0, 0.0), v(3.0, 0.0)));
        assert!(!segments_meet(v(0.0, 0.0), v(1.0, 0.0), v(2.0, 0.0), v(3.0, 0.0)));
        assert!(segments_meet(v(1.0, 1.0), v(1.0, 1.0), v(0.0, 0.0), v(2.0, 2.0)));
        assert!(!segments_meet(v(1.0, 1.5), v(1.0, 1.5), v(0.0, 0.0), v(2.0, 2.0)));
        assert!(!segments_meet(v(1.0, 1.0), v(1.0, 1.0), v(2.0, 2.0), v(2.0, 2.0)));
    }
}
