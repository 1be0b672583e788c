//! Whether two convex polyhedra of which nothing is known overlap: GJK without feet.
//!
//! G. van den Bergen, *A fast and robust GJK implementation*, 1999, §4 (only the separating axis is wanted), and the
//! well-known form of it that goes by signs: of a simplex of points of the [`Difference`], the newest of which lies
//! towards the origin, some face looks at the origin; its normal is the next direction. No nearest point is computed
//! and no predicate is exact, so that a step costs half of one of [`gjk`](super::gjk)'s.
//!
//! The first direction is Fisher's, `(Σa + Σb)⁻¹(cₐ − c_b)` with the covariances `Σ` and the means `c` of the vertices:
//! the axis that would best separate two clouds of that shape (R. Fisher, *The use of multiple measurements in
//! taxonomic problems*, 1936). Nearly half of the bodies apart are found so at once.
//!
//! Bodies are called apart on the word of a plane, overlapping when a tetrahedron of points of the difference holds the
//! origin, both by more than rounding. Otherwise nothing is said, and the last simplex is a start for GJK.
//!
//! Cost: some six supports; no allocation; at most [`MOST_STEPS`] steps.

use glam::{DMat3, DVec3};

use super::Polyhedra;
use super::gjk::Simplex;
use super::minkowski::{Apex, Difference};
use super::stand::holds_origin;
use crate::answer::Stats;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::model::Convex;

/// Steps after which GJK is asked.
const MOST_STEPS: usize = 16;

/// What is seen.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::large_enum_variant, reason = "a box would be an allocation in every query")]
pub(crate) enum Sight {
    /// A plane has `gap` between the bodies, across `axis`, which leads from `b` to `a`.
    Apart { gap: f64, axis: DVec3 },
    /// The points hold the origin.
    Inside(Simplex),
    /// It cannot be told.
    Unclear,
}

/// Points of the difference by their names, those of the plane or the simplex last seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    pub(crate) names: [[u32; 2]; 4],
    pub(crate) count: usize,
}

/// Looks. What is within `noise` of touching is unclear.
pub(crate) fn look(
    pair: &Polyhedra<'_>,
    m: &Difference<'_, Convex, Convex>,
    noise: f64,
    stats: &mut Stats,
) -> (Sight, Seen) {
    dispatch(Look { pair, m, noise: noise * m.scale, stats })
}

struct Look<'q> {
    pair: &'q Polyhedra<'q>,
    m: &'q Difference<'q, Convex, Convex>,
    noise: f64,
    stats: &'q mut Stats,
}

/// Roughly the direction, from `b` to `a`, along which the bodies are farthest apart for their extent.
#[inline(always)]
fn fisher(pair: &Polyhedra<'_>, between: DVec3) -> DVec3 {
    let turn = pair.b_in_a.rotation;
    let scatter = pair.a.scatter() + turn * pair.b.scatter() * turn.transpose();
    let size = scatter.x_axis.x + scatter.y_axis.y + scatter.z_axis.z;
    if size <= 0.0 {
        return between;
    }
    // Flat bodies are given some thickness.
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = scatter * size.recip() + DMat3::from_diagonal(DVec3::splat(1e-3));
    // The adjugate of a symmetric matrix is the inverse but for a positive factor.
    DVec3::new(y.cross(z).dot(between), z.cross(x).dot(between), x.cross(y).dot(between))
}

/// Points towards the origin, the newest first, and the direction from them to it.
struct Points {
    at: [Apex; 4],
    count: usize,
}

impl Points {
    #[inline(always)]
    fn push(&mut self, apex: Apex) {
        let [p, q, r, _] = self.at;
        self.at = [apex, p, q, r];
        self.count = (self.count + 1).min(4);
    }

    /// Their names, that of the newest only if it is new.
    #[inline(always)]
    fn seen(&self) -> Seen {
        let names = self.at.map(|apex| apex.names);
        if names[1..self.count].contains(&names[0]) {
            let [_, p, q, r] = names;
            return Seen { names: [p, q, r, r], count: self.count - 1 };
        }
        Seen { names, count: self.count }
    }

    #[inline(always)]
    fn keep<const N: usize>(&mut self, places: [usize; N]) {
        let at = self.at;
        for (k, place) in places.into_iter().enumerate() {
            self.at[k] = at[place];
        }
        self.count = N;
    }

    /// Drops what is not nearest to the origin and gives the direction there; `None` when it is inside.
    #[inline(always)]
    fn towards_origin(&mut self) -> Option<DVec3> {
        let w = |k: usize| self.at[k].w;
        let to_origin = -w(0);
        match self.count {
            1 => Some(to_origin),
            2 => Some(self.edge(to_origin, 1)),
            3 => Some(self.triangle(to_origin, [1, 2])),
            _ => {
                let (b, c, d) = (w(1) - w(0), w(2) - w(0), w(3) - w(0));
                let (bc, cd, db) = (b.cross(c), c.cross(d), d.cross(b));
                let out = if bc.dot(d) > 0.0 { -1.0 } else { 1.0 };
                // Squared distances of the origin from the faces that look at it; the farthest is the one to leave by.
                let [p, q, r] = [bc, cd, db].map(|n| {
                    let height = (out * n.dot(to_origin)).max(0.0);
                    height * height / n.length_squared()
                });
                if p > q && p > r {
                    Some(self.triangle(to_origin, [1, 2]))
                } else if q > r {
                    Some(self.triangle(to_origin, [2, 3]))
                } else if r > 0.0 {
                    Some(self.triangle(to_origin, [3, 1]))
                } else {
                    None
                }
            }
        }
    }

    /// The newest point and another.
    #[inline(always)]
    fn edge(&mut self, to_origin: DVec3, other: usize) -> DVec3 {
        let along = self.at[other].w - self.at[0].w;
        let reach = along.dot(to_origin);
        if reach > 0.0 {
            self.keep([0, other]);
            to_origin * along.length_squared() - along * reach
        } else {
            self.count = 1;
            to_origin
        }
    }

    /// The newest point and two others.
    #[inline(always)]
    fn triangle(&mut self, to_origin: DVec3, [i, j]: [usize; 2]) -> DVec3 {
        let (b, c) = (self.at[i].w - self.at[0].w, self.at[j].w - self.at[0].w);
        let n = b.cross(c);
        let beyond_c = n.cross(c).dot(to_origin) > 0.0;
        let beyond_b = b.cross(n).dot(to_origin) > 0.0;
        if beyond_c && c.dot(to_origin) > 0.0 {
            return self.edge(to_origin, j);
        }
        if beyond_b || beyond_c {
            return self.edge(to_origin, i);
        }
        self.keep([0, i, j]);
        if n.dot(to_origin) > 0.0 { n } else { -n }
    }
}

impl Kernel for Look<'_> {
    type Output = (Sight, Seen);

    #[inline(always)]
    fn run<S: Simd>(self) -> (Sight, Seen) {
        let mut points = Points { at: [Apex::NONE; 4], count: 0 };
        let mut n = -fisher(self.pair, self.m.centre);
        let mut sight = Sight::Unclear;
        for _ in 0..MOST_STEPS {
            self.stats.iterations += 1;
            let apex = self.m.support(-n, points.at[0].names, self.stats);
            let height = n.dot(apex.w);
            points.push(apex);
            if height <= 0.0 {
                let gap = -height / n.length();
                if gap > self.noise {
                    sight = Sight::Apart { gap: gap / self.m.scale, axis: -n };
                }
                break;
            }
            match points.towards_origin() {
                Some(next) => n = next,
                None => {
                    sight = inside(&points.at, self.noise, self.m.scale);
                    break;
                }
            }
        }
        (sight, points.seen())
    }
}

/// The tetrahedron, if it holds the origin for certain.
#[inline(always)]
fn inside(at: &[Apex; 4], noise: f64, scale: f64) -> Sight {
    let [a, b, c, d] = at.map(|apex| apex.w);
    let volumes = [b.dot(c.cross(d)), -a.dot(c.cross(d)), a.dot(b.cross(d)), -a.dot(b.cross(c))];
    let volume: f64 = volumes.iter().sum();
    let simplex = Simplex {
        count: 4,
        w: [a, b, c, d],
        points: at.map(|apex| apex.points),
        names: at.map(|apex| apex.names),
        weights: volumes.map(|v| v / volume),
    };
    let sure = simplex.weights.iter().all(|w| *w > 0.0) && holds_origin(&simplex, noise);
    if sure && simplex.is_exact(noise / scale) { Sight::Inside(simplex) } else { Sight::Unclear }
}
