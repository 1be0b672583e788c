//! Whether two convex polyhedra of which nothing is known overlap: GJK by signs alone, without nearest points.
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
//! Bodies are called apart only when a plane separates them, and overlapping only when a tetrahedron of points of the
//! difference holds the origin, both by more than rounding. Otherwise the test decides nothing, and GJK starts from the
//! last simplex.
//!
//! Cost: some six supports; no allocation; at most [`MOST_STEPS`] steps.

use arrayvec::ArrayVec;
use glam::{DMat3, DVec3};

use super::gjk::Simplex;
use super::minkowski::{Apex, At, Difference};
use crate::answer::Stats;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::model::Convex;
use crate::narrow::convex::polyhedra::Polyhedra;

/// Steps after which GJK takes over.
const MOST_STEPS: usize = 16;

/// What is certain about two bodies after the test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum BooleanVerdict {
    /// A plane has `gap` between the bodies, across `axis`, which leads from `b` to `a`.
    Apart { gap: f64, axis: DVec3 },
    /// The tetrahedron of [`TriedPoints::simplex`] holds the origin.
    Inside,
    /// Neither is certain.
    Unclear,
}

/// Whether they overlap; `Unclear` within `noise` of touching, and where the steps run out.
pub(crate) fn decide(
    pair: &Polyhedra<'_>,
    m: &Difference<'_, Convex, Convex>,
    noise: f64,
    tried: &mut TriedPoints,
    stats: &mut Stats,
) -> BooleanVerdict {
    dispatch(Decide { pair, m, noise, tried, stats })
}

struct Decide<'q> {
    pair: &'q Polyhedra<'q>,
    m: &'q Difference<'q, Convex, Convex>,
    noise: f64,
    tried: &'q mut TriedPoints,
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

/// The points tried so far, and which of them the simplex has.
#[derive(Debug)]
pub(crate) struct TriedPoints {
    all: ArrayVec<Apex, MOST_STEPS>,
    /// Points towards the origin, the newest first, and their places among all.
    w: [DVec3; 4],
    places: [u8; 4],
    count: usize,
}

impl TriedPoints {
    #[inline(always)]
    pub(crate) fn nothing() -> TriedPoints {
        TriedPoints { all: ArrayVec::new(), w: [DVec3::ZERO; 4], places: [0; 4], count: 0 }
    }

    /// The points of the last plane or simplex, the newest only if it is new.
    #[inline(always)]
    pub(crate) fn last(&self) -> ArrayVec<Apex, 4> {
        let at = |k: usize| self.all[usize::from(self.places[k])];
        let known = (1..self.count).any(|k| at(k).names == at(0).names);
        (usize::from(known)..self.count).map(at).collect()
    }

    /// The last simplex, if it is a tetrahedron.
    #[inline(always)]
    pub(crate) fn simplex(&self) -> Simplex {
        Simplex::around_origin(self.places.map(|place| self.all[usize::from(place)]))
    }

    #[inline(always)]
    fn push(&mut self, apex: Apex) {
        let ([p, q, r, _], [i, j, k, _]) = (self.w, self.places);
        self.w = [apex.w, p, q, r];
        self.places = [self.all.len() as u8, i, j, k];
        self.all.push(apex);
        self.count = (self.count + 1).min(4);
    }

    #[inline(always)]
    fn keep<const N: usize>(&mut self, kept: [usize; N]) {
        let (w, places) = (self.w, self.places);
        for (k, from) in kept.into_iter().enumerate() {
            (self.w[k], self.places[k]) = (w[from], places[from]);
        }
        self.count = N;
    }

    /// Drops what is not nearest to the origin and gives the direction there; `None` when it is inside.
    #[inline(always)]
    fn towards_origin(&mut self) -> Option<DVec3> {
        let w = |k: usize| self.w[k];
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
        let along = self.w[other] - self.w[0];
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
        let (b, c) = (self.w[i] - self.w[0], self.w[j] - self.w[0]);
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

impl Kernel for Decide<'_> {
    type Output = BooleanVerdict;

    #[inline(always)]
    fn run<S: Simd>(self) -> BooleanVerdict {
        let Decide { pair, m, noise, tried, stats } = self;
        let [a, b] = &At::<S>::both(m);
        let m = &m.between(a, b);
        let mut n = -fisher(pair, m.centre);
        let mut hints = [0; 2];
        for _ in 0..MOST_STEPS {
            stats.iterations += 1;
            let apex = m.support(-n, hints, stats);
            hints = apex.names;
            let height = n.dot(apex.w);
            tried.push(apex);
            if height <= 0.0 {
                let gap = -height / n.length();
                let gap = gap / m.scale;
                return if gap > noise { BooleanVerdict::Apart { gap, axis: -n } } else { BooleanVerdict::Unclear };
            }
            match tried.towards_origin() {
                Some(next) => n = next,
                None => {
                    let sure = tried.simplex().surely_holds_origin(noise, m.scale);
                    return if sure { BooleanVerdict::Inside } else { BooleanVerdict::Unclear };
                }
            }
        }
        BooleanVerdict::Unclear
    }
}
