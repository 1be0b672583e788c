//! The shortest vector beyond some planes: `min |x|` with `n·x ≥ h` for each of them.
//!
//! R. Seidel, *Small-dimensional linear programming and convex hulls made easy*, DCG 6, 1991: planes are added one by
//! one, and where the shortest vector so far does not lie beyond the next, the new one lies on it. Departure: the
//! smaller problem on that plane is not solved by recursion, but by looking at all: the shortest vector on the plane,
//! on its lines with one other, and at its points with two others; the shortest of those beyond all planes.
//!
//! Cost: `k³` for `k` planes, of which the callers have some dozen; no heap. Planes parallel up to rounding have no
//! line: either one of them lies beyond the other, or whatever lies beyond both is very far away.

use glam::DVec3;

use crate::math::EPS;

/// The half-space `normal·x ≥ offset`; the normal has unit length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beyond {
    pub(crate) normal: DVec3,
    pub(crate) offset: f64,
}

/// Sine of the angle of planes that count as parallel.
const PARALLEL: f64 = 1e-13;

impl Beyond {
    /// Whether `x` lies beyond the plane, up to rounding.
    pub(crate) fn holds(&self, x: DVec3) -> bool {
        let slack = 64.0 * EPS * (x.length() + self.offset.abs());
        self.normal.dot(x) >= self.offset - slack
    }

    /// The same plane, moved on.
    pub(crate) fn moved(&self, by: f64) -> Beyond {
        Beyond { offset: self.offset + by, ..*self }
    }

    /// The shortest vector on it.
    fn foot(&self) -> DVec3 {
        self.normal * self.offset
    }

    /// The shortest vector on both planes, and the direction of their line.
    fn line(&self, other: &Beyond) -> Option<(DVec3, DVec3)> {
        let across = self.normal.cross(other.normal);
        let sine = across.length();
        if sine < PARALLEL {
            return None;
        }
        let along = across / sine;
        let (foot, up) = (self.foot(), along.cross(self.normal));
        Some((foot + up * ((other.offset - other.normal.dot(foot)) / sine), along))
    }
}

/// The shortest vector; `None` when nothing lies beyond all planes.
pub(crate) fn shortest(planes: &[Beyond]) -> Option<DVec3> {
    planes
        .iter()
        .enumerate()
        .try_fold(DVec3::ZERO, |x, (k, plane)| if plane.holds(x) { Some(x) } else { shortest_on(plane, &planes[..k]) })
}

/// The shortest vector on a plane and beyond the others.
pub(crate) fn shortest_on(plane: &Beyond, others: &[Beyond]) -> Option<DVec3> {
    let mut best: Option<DVec3> = None;
    let mut offer = |x: DVec3| {
        let shorter = best.is_none_or(|b| x.length_squared() < b.length_squared());
        if shorter && others.iter().all(|o| o.holds(x)) {
            best = Some(x);
        }
    };
    offer(plane.foot());
    for (k, other) in others.iter().enumerate() {
        let Some((point, along)) = plane.line(other) else { continue };
        offer(point);
        for third in &others[..k] {
            let slope = third.normal.dot(along);
            if slope.abs() >= PARALLEL {
                offer(point + along * ((third.offset - third.normal.dot(point)) / slope));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::convex::polyhedra::cases::Random;

    fn beyond(normal: DVec3, offset: f64) -> Beyond {
        Beyond { normal: normal.normalize(), offset }
    }

    #[test]
    fn one_two_three_planes_and_none() {
        assert_eq!(shortest(&[]), Some(DVec3::ZERO));
        assert_eq!(shortest(&[beyond(DVec3::X, -1.0)]), Some(DVec3::ZERO));
        let walls = [beyond(DVec3::X, 1.0), beyond(DVec3::Y, 2.0), beyond(DVec3::Z, -3.0), beyond(-DVec3::Z, 4.0)];
        assert_eq!(shortest(&walls[..1]), Some(DVec3::X));
        assert_eq!(shortest(&walls[..3]), Some(DVec3::new(1.0, 2.0, 0.0)));
        assert_eq!(shortest(&[walls[0], walls[1], walls[3]]), Some(DVec3::new(1.0, 2.0, -4.0)));
        assert_eq!(shortest(&[walls[0], beyond(-DVec3::X, -0.5)]), None);
        assert_eq!(shortest(&walls), None);
    }

    /// It lies beyond all planes, and a shorter one would not: `x` is a sum of normals of planes it lies on, none taken
    /// negatively, which no random step towards the origin improves.
    #[test]
    fn random_planes_about_a_known_point() {
        let mut r = Random(5);
        let (mut solved, mut corners) = (0, 0);
        for round in 0..2000 {
            let inside = r.direction() * 2.0;
            let planes: Vec<Beyond> = (0..1 + round % 9)
                .map(|_| {
                    let n = r.direction();
                    Beyond { normal: n, offset: n.dot(inside) - 0.5 * r.direction().x.abs() }
                })
                .collect();
            let x = shortest(&planes).unwrap();
            assert!(x.length() <= inside.length() + 1e-12);
            assert!(planes.iter().all(|p| p.normal.dot(x) >= p.offset - 1e-12), "{planes:?} {x}");
            for _ in 0..40 {
                let y = x + r.direction() * 10f64.powf(-1.0 - 3.0 * r.direction().x.abs());
                let feasible = planes.iter().all(|p| p.normal.dot(y) >= p.offset);
                assert!(!feasible || y.length() >= x.length() - 1e-12, "{planes:?}: {y} beats {x}");
            }
            solved += usize::from(x != DVec3::ZERO);
            corners += usize::from(planes.iter().filter(|p| (p.normal.dot(x) - p.offset).abs() < 1e-12).count() == 3);
        }
        assert!(solved > 500 && corners > 50, "{solved} {corners}");
    }
}
