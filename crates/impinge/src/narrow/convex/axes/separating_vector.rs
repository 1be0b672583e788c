//! Chung and Wang's search for a separating vector, as in Q-Collide.
//!
//! K. Chung and W. Wang, *Quick collision detection of polytopes in virtual environments*, VRST 1996. With `s` a unit
//! vector, `p` the vertex of `a` farthest along `s`, `q` that of `b` farthest along `−s`, and `r` the unit vector from
//! `p` to `q`: if `s·r > 0`, `s` separates. If not, no vector on the wrong side of `r` does, and `s` is reflected
//! there: `s ← s − 2(s·r)r`, which turns it nearer to every vector that separates.
//!
//! Every `r` found leaves only half of the sphere to `s`. What all of them leave is a spherical polygon, clipped each
//! time; when nothing is left, the `r` span all directions, the origin is a blend of the differences `q − p`, and the
//! bodies overlap. If the reflected vector is not in the polygon, its middle is tried instead (here we depart: the
//! paper reflects on).
//!
//! Apart and overlapping bodies take some four to six steps; those that nearly touch make the search stall: after
//! twelve steps another engine takes over. Boolean only. Cost: two supports a step; no heap.

use glam::DVec3;

use super::witness_plane::PlaneVerdict;
use crate::answer::Stats;
use crate::narrow::convex::polyhedra::Polyhedra;

/// Steps before the search is handed over.
const MOST_STEPS: usize = 12;

/// Sines below which rounding decides, not the polygon.
const TOO_THIN: f64 = 1e-9;

/// What is remembered of a pair.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SeparatingVector {
    /// From `a` to `b`, in `a`'s frame.
    direction: Option<DVec3>,
    vertices: [u32; 2],
}

impl SeparatingVector {
    /// Whether they are apart by more than `enough` along a vector.
    pub(crate) fn apart(&mut self, pair: &Polyhedra<'_>, enough: f64, stats: &mut Stats) -> PlaneVerdict {
        let [a, b] = &pair.placed();
        let centres = (b.centre() - a.centre()).try_normalize().unwrap_or(DVec3::X);
        let mut s = self.direction.unwrap_or(centres);
        let mut left = Left::default();
        for _ in 0..MOST_STEPS {
            stats.iterations += 1;
            stats.primitive_tests += 2;
            let [v, w] = self.vertices;
            self.vertices = [a.convex.support(s, v), b.convex.support(b.turn_back(-s), w)];
            let between = b.vertex(self.vertices[1]) - a.vertex(self.vertices[0]);
            if s.dot(between) > enough {
                self.direction = Some(s);
                return PlaneVerdict::Apart(s);
            }
            let Some(r) = between.try_normalize() else { return PlaneVerdict::Unknown };
            match left.clip(r) {
                Polygon::Empty => return PlaneVerdict::Overlap,
                Polygon::Unsure => return PlaneVerdict::Unknown,
                Polygon::Left => {}
            }
            let reflected = (s - r * (2.0 * s.dot(r))).normalize_or_zero();
            s = if left.holds(reflected) { reflected } else { left.middle() };
        }
        self.direction = Some(s);
        PlaneVerdict::Unknown
    }
}

/// What the clips leave.
#[derive(Debug, PartialEq, Eq)]
enum Polygon {
    Left,
    Empty,
    /// So thin that rounding decides.
    Unsure,
}

/// The unit vectors `s` with `s·r > 0` for every `r` so far.
#[derive(Default)]
struct Left {
    normals: [DVec3; MOST_STEPS],
    clips: usize,
    /// Corners in order, from the second clip on: a lune has its two and the middles of its sides.
    corners: [DVec3; MOST_STEPS + 4],
    count: usize,
}

impl Left {
    /// Keeps the side of `r`.
    fn clip(&mut self, r: DVec3) -> Polygon {
        let earlier = self.clips;
        self.normals[earlier.min(MOST_STEPS - 1)] = r;
        self.clips = (earlier + 1).min(MOST_STEPS);
        match earlier {
            0 => Polygon::Left,
            1 => self.lune(self.normals[0], r),
            _ => self.cut(r),
        }
    }

    /// Two half spheres share a lune: its ends, and half way along each side.
    fn lune(&mut self, q: DVec3, r: DVec3) -> Polygon {
        let end = q.cross(r);
        if end.length() < TOO_THIN {
            if q.dot(r) > 0.0 {
                // The same half sphere again.
                self.clips = 1;
                return Polygon::Left;
            }
            return Polygon::Unsure;
        }
        let end = end.normalize();
        let sides = [r.reject_from_normalized(q).normalize(), q.reject_from_normalized(r).normalize()];
        self.corners[..4].copy_from_slice(&[end, sides[0], -end, sides[1]]);
        self.count = 4;
        Polygon::Left
    }

    fn cut(&mut self, r: DVec3) -> Polygon {
        let old = self.corners;
        let heights = old.map(|corner| corner.dot(r));
        let highest = heights[..self.count].iter().fold(f64::NEG_INFINITY, |m, h| m.max(*h));
        if highest < -TOO_THIN {
            return Polygon::Empty;
        }
        if highest < TOO_THIN {
            return Polygon::Unsure;
        }
        let before = self.count;
        self.count = 0;
        for k in 0..before {
            let next = (k + 1) % before;
            if heights[k] >= 0.0 {
                self.push(old[k]);
            }
            if (heights[k] >= 0.0) != (heights[next] >= 0.0) {
                // A blend of both with positive weights, on the circle of r.
                let (x, y) = (heights[next].abs(), heights[k].abs());
                self.push((old[k] * x + old[next] * y).normalize_or_zero());
            }
        }
        if self.count < 3 { Polygon::Unsure } else { Polygon::Left }
    }

    fn push(&mut self, corner: DVec3) {
        if self.count < self.corners.len() {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    fn holds(&self, s: DVec3) -> bool {
        self.normals[..self.clips].iter().all(|r| r.dot(s) > 0.0)
    }

    fn middle(&self) -> DVec3 {
        if self.clips < 2 {
            return self.normals[0];
        }
        let sum = self.corners[..self.count].iter().fold(DVec3::ZERO, |sum, corner| sum + *corner);
        sum.try_normalize().unwrap_or(self.normals[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::convex::polyhedra::Claim;
    use crate::narrow::convex::polyhedra::brute;
    use crate::narrow::convex::polyhedra::cases::{Random, families, gap};

    #[test]
    fn never_wrong_and_mostly_decided() {
        let mut counts = std::collections::BTreeMap::<String, [u32; 2]>::new();
        let mut memory = SeparatingVector::default();
        families(51, 200, |name, pair| {
            let truth = brute::closest(pair, &mut Stats::default());
            let count = counts.entry(name.into()).or_default();
            let cold = SeparatingVector::default();
            for (cached, mut vector) in [cold, memory].into_iter().enumerate() {
                let mut stats = Stats::default();
                let sides = vector.apart(pair, pair.slack(), &mut stats);
                assert!(stats.iterations <= MOST_STEPS as u64);
                match (sides, &truth) {
                    (PlaneVerdict::Apart(n), _) => assert!(gap(pair, n) > 0.0, "{name}: {n}"),
                    (PlaneVerdict::Overlap, Claim::Apart(near)) => panic!("{name}: overlap, but {near:?}"),
                    _ => {}
                }
                count[0] += u32::from(cached == 0);
                count[1] += u32::from(cached == 0 && sides == PlaneVerdict::Unknown);
                memory = vector;
            }
        });
        for name in ["apart", "overlapping", "deep"] {
            let [all, unknown] = counts[name];
            assert!(unknown * 10 <= all, "{name}: {unknown} of {all} undecided");
        }
    }

    #[test]
    fn a_vector_found_is_found_at_once_the_next_time() {
        families(52, 30, |name, pair| {
            let mut memory = SeparatingVector::default();
            if let PlaneVerdict::Apart(n) = memory.apart(pair, pair.slack(), &mut Stats::default()) {
                let mut stats = Stats::default();
                assert_eq!(memory.apart(pair, pair.slack(), &mut stats), PlaneVerdict::Apart(n), "{name}");
                assert_eq!(stats.iterations, 1, "{name}");
            }
        });
    }

    /// Compared with sampling: a polygon that is reported empty contains no vector, and any other contains its middle.
    #[test]
    fn polygons_hold_what_their_clips_leave() {
        let mut r = Random(77);
        let (mut empty, mut left) = (0, 0);
        for _ in 0..2000 {
            let lean = r.direction() * r.signed().abs() * 1.5;
            let mut polygon = Left::default();
            for _ in 0..MOST_STEPS {
                let normal = (r.direction() + lean).normalize();
                match polygon.clip(normal) {
                    Polygon::Left => {
                        left += 1;
                        assert!(polygon.holds(polygon.middle()));
                    }
                    Polygon::Empty => {
                        empty += 1;
                        assert!((0..200).all(|_| !polygon.holds(r.direction())));
                        break;
                    }
                    Polygon::Unsure => break,
                }
            }
        }
        assert!(empty > 300 && left > 5000, "{empty} {left}");
    }
}
