//! Discrete orientation polytopes: J. Klosowski, M. Held, J. Mitchell, H. Sowizral, K. Zikan, *Efficient collision
//! detection using bounding volume hierarchies of k-DOPs*, TVCG 4(1), 1998 (QuickCD).
//!
//! A k-DOP is the common part of `k/2` slabs with fixed directions: the axes, the diagonals of the faces of a cube, and
//! those of the cube. Two of them are compared slab by slab, if their directions are the same; so those of the moving
//! tree have to be *tumbled* into the frame of the other, each when it is first met.
//!
//! **Tumbling.** Up to [`MOST_POINTS`] corners are kept with the volume; turned, they give the exact slabs. Of
//! larger sets the slabs are turned: the extent of a k-DOP along `d` is at most `Σ λ_i h_i` for any `λ ≥ 0` with
//! `Σ λ_i n_i = d`, where `h_i` is its extent along its direction `n_i` (linear programming's weak duality). With the
//! components of `d` in falling order, `x ≥ y ≥ z ≥ 0` up to signs, and `e` the axes in that order, these are closed:
//!
//! ```text
//!     d = x·e₁ + y·e₂ + z·e₃                                                  any
//!       = (x−y)·e₁ + ½(y+z)·(e₁+e₂+e₃) + ½(y−z)·(e₁+e₂−e₃)                    with corners (14, 26)
//!       = (x−y−z)·e₁ + y·(e₁+e₂) + z·(e₁+e₃)                      x ≥ y+z     with edges (18, 26)
//!       = ½(x+y−z)·(e₁+e₂) + ½(x−y+z)·(e₁+e₃) + ½(y+z−x)·(e₂+e₃)  else        with edges
//!       = (x−y)·e₁ + y·(e₁+e₂) + z·e₃                                         with edges
//!       = (x−y)·e₁ + (y−z)·(e₁+e₂) + z·(e₁+e₂+e₃)                             with both (26)
//! ```
//!
//! The least of them is taken. QuickCD turns the corners of the k-DOP instead, which have to be kept: fifty of them.
//!
//! **Distance.** A gap along a direction, divided by its length, bounds the distance; so does the Euclidean length of
//! the gaps along three directions at right angles.
//!
//! Error: extents are sums of three products; turned ones of nine: 30 roundings.

use glam::DVec3;

use super::node_volume::{Bound, Placement};

/// Most corners that are kept to be turned.
const MOST_POINTS: usize = 32;

/// Axes, edges, corners: the directions of the 26-DOP. The 14-DOP has no edges, the 18-DOP no corners.
pub(super) const DIRECTIONS: [DVec3; 13] = [
    DVec3::new(1.0, 0.0, 0.0),
    DVec3::new(0.0, 1.0, 0.0),
    DVec3::new(0.0, 0.0, 1.0),
    DVec3::new(1.0, 1.0, 0.0),
    DVec3::new(1.0, -1.0, 0.0),
    DVec3::new(1.0, 0.0, 1.0),
    DVec3::new(1.0, 0.0, -1.0),
    DVec3::new(0.0, 1.0, 1.0),
    DVec3::new(0.0, 1.0, -1.0),
    DVec3::new(1.0, 1.0, 1.0),
    DVec3::new(1.0, 1.0, -1.0),
    DVec3::new(1.0, -1.0, 1.0),
    DVec3::new(1.0, -1.0, -1.0),
];

/// Slabs along `N` = 7, 9 or 13 directions, and the corners inside where they are few.
///
/// ```
/// use impinge::{bound::{Bound, Kdop14, Placement}, glam::DVec3};
/// let triangle = [DVec3::ZERO, DVec3::X * 2.0, DVec3::Y * 2.0];
/// let around = Kdop14::around(&[triangle]);
/// let above = around.place(&Placement { translation: DVec3::Z * 3.0, ..Placement::IDENTITY });
/// assert!((around.apart(&above) - 3.0).abs() < 1e-9);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Kdop<const N: usize> {
    slabs: Slabs<N>,
    /// All of them, each once; none where there are more than 32.
    points: Box<[DVec3]>,
}

/// The axes and the diagonals of a cube.
///
/// ```
/// use impinge::{bound::{Bound, Kdop14, Placement}, glam::DVec3};
/// let around = Kdop14::around(&[[DVec3::ZERO, DVec3::X, DVec3::Y]]);
/// assert_eq!(around.place(&Placement::IDENTITY).low.len(), 7, "one slab for each two of its 14 sides");
/// ```
pub type Kdop14 = Kdop<7>;
/// The axes and the diagonals of a cube's faces.
///
/// ```
/// use impinge::{bound::{Bound, Kdop18, Placement}, glam::DVec3};
/// let around = Kdop18::around(&[[DVec3::ZERO, DVec3::X, DVec3::Y]]);
/// assert_eq!(around.place(&Placement::IDENTITY).low.len(), 9, "one slab for each two of its 18 sides");
/// ```
pub type Kdop18 = Kdop<9>;
/// All three kinds of directions.
///
/// ```
/// use impinge::{bound::{Bound, Kdop26, Placement}, glam::DVec3};
/// let around = Kdop26::around(&[[DVec3::ZERO, DVec3::X, DVec3::Y]]);
/// assert_eq!(around.place(&Placement::IDENTITY).low.len(), 13, "one slab for each two of its 26 sides");
/// ```
pub type Kdop26 = Kdop<13>;

/// The extents along `N` directions, in the order of axes, diagonals of faces, diagonals of the cube.
///
/// ```
/// use impinge::{bound::{Bound, Kdop14, Placement, Slabs}, glam::DVec3};
/// let around = Kdop14::around(&[[DVec3::ZERO, DVec3::X * 2.0, DVec3::Y * 2.0]]);
/// // The first three directions are the axes.
/// let Slabs { low, high } = around.place(&Placement::IDENTITY);
/// assert_eq!((low[..3].to_vec(), high[..3].to_vec()), (vec![0.0; 3], vec![2.0, 2.0, 0.0]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slabs<const N: usize> {
    /// Least extents.
    pub low: [f64; N],
    /// Greatest extents.
    pub high: [f64; N],
}

impl<const N: usize> Slabs<N> {
    const EDGES: bool = N != 7;
    const CORNERS: bool = N != 9;

    const KNOWN: () = assert!(N == 7 || N == 9 || N == 13, "k-DOPs have 7, 9 or 13 directions");

    fn direction(k: usize) -> DVec3 {
        DIRECTIONS[if N == 7 && k >= 3 { k + 6 } else { k }]
    }

    fn of(points: impl Iterator<Item = DVec3> + Clone) -> Slabs<N> {
        let () = Self::KNOWN;
        let (mut low, mut high) = ([f64::INFINITY; N], [f64::NEG_INFINITY; N]);
        for p in points {
            for k in 0..N {
                let x = Self::direction(k).dot(p);
                low[k] = low[k].min(x);
                high[k] = high[k].max(x);
            }
        }
        Slabs { low, high }
    }

    #[inline]
    fn end(&self, k: usize, sign: f64) -> f64 {
        if sign > 0.0 { self.high[k] } else { -self.low[k] }
    }

    /// Extent along the sum of two signed axes.
    #[inline]
    fn edge(&self, signs: DVec3, i: usize, j: usize) -> f64 {
        let (i, j) = (i.min(j), i.max(j));
        let k = 3 + 2 * (i + j - 1) + usize::from(signs[i] != signs[j]);
        self.end(k, signs[i])
    }

    /// Extent along the sum of all signed axes.
    #[inline]
    fn corner(&self, signs: DVec3) -> f64 {
        let k = N - 4 + 2 * usize::from(signs.x != signs.y) + usize::from(signs.x != signs.z);
        self.end(k, signs.x)
    }

    /// At least the greatest `d·x` over the points of the k-DOP.
    fn reach(&self, d: DVec3) -> f64 {
        let size = d.abs();
        let signs = DVec3::new(1f64.copysign(d.x), 1f64.copysign(d.y), 1f64.copysign(d.z));
        let mut order = [0, 1, 2];
        if size[order[0]] < size[order[1]] {
            order.swap(0, 1);
        }
        if size[order[1]] < size[order[2]] {
            order.swap(1, 2);
        }
        if size[order[0]] < size[order[1]] {
            order.swap(0, 1);
        }
        let [i, j, k] = order;
        let (x, y, z) = (size[i], size[j], size[k]);
        let [e1, e2, e3] = [i, j, k].map(|axis| self.end(axis, signs[axis]));
        let mut least = x * e1 + y * e2 + z * e3;
        if Self::CORNERS {
            let mut turned = signs;
            turned[k] = -turned[k];
            let (all, two) = (self.corner(signs), self.corner(turned));
            least = least.min((x - y) * e1 + 0.5 * (y + z) * all + 0.5 * (y - z) * two);
            if Self::EDGES {
                least = least.min((x - y) * e1 + (y - z) * self.edge(signs, i, j) + z * all);
            }
        }
        if Self::EDGES {
            let (f12, f13) = (self.edge(signs, i, j), self.edge(signs, i, k));
            let fan = if x >= y + z {
                (x - y - z) * e1 + y * f12 + z * f13
            } else {
                0.5 * ((x + y - z) * f12 + (x - y + z) * f13 + (y + z - x) * self.edge(signs, j, k))
            };
            least = least.min(fan).min((x - y) * e1 + y * f12 + z * e3);
        }
        least
    }

    /// Gaps along the directions, of unit length, where there are any.
    #[inline]
    fn gaps(&self, o: &Slabs<N>) -> [f64; N] {
        std::array::from_fn(|k| {
            let gap = (o.low[k] - self.high[k]).max(self.low[k] - o.high[k]).max(0.0);
            gap / Self::direction(k).length()
        })
    }
}

impl<const N: usize> Bound for Kdop<N> {
    type Placed = Slabs<N>;

    fn around(triangles: &[[DVec3; 3]]) -> Kdop<N> {
        let corners = || triangles.iter().flatten().copied();
        let mut points: Vec<DVec3> = Vec::new();
        for p in corners() {
            if !points.contains(&p) {
                if points.len() == MOST_POINTS {
                    points.clear();
                    break;
                }
                points.push(p);
            }
        }
        Kdop { slabs: Slabs::of(corners()), points: points.into_boxed_slice() }
    }

    fn place(&self, to: &Placement) -> Slabs<N> {
        let back = to.rotation.transpose();
        let (mut low, mut high) = ([0.0; N], [0.0; N]);
        for k in 0..N {
            let n = Slabs::<N>::direction(k);
            let d = back * n;
            let [least, most] = if self.points.is_empty() {
                [-self.slabs.reach(-d), self.slabs.reach(d)]
            } else {
                self.points
                    .iter()
                    .map(|p| d.dot(*p))
                    .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
            };
            let shift = n.dot(to.translation);
            (low[k], high[k]) = (least * to.scale + shift, most * to.scale + shift);
        }
        Slabs { low, high }
    }

    fn apart(&self, other: &Slabs<N>) -> f64 {
        let gaps = self.slabs.gaps(other);
        let squared = |i: usize, j: usize, k: usize| gaps[i] * gaps[i] + gaps[j] * gaps[j] + gaps[k] * gaps[k];
        let mut most = squared(0, 1, 2);
        if Slabs::<N>::EDGES {
            most = most.max(squared(2, 3, 4)).max(squared(1, 5, 6)).max(squared(0, 7, 8));
        }
        gaps.iter().fold(most.sqrt(), |most, gap| most.max(*gap))
    }

    /// The greatest distance of two points of the boxes along the axes.
    fn at_most(&self, other: &Slabs<N>) -> f64 {
        let s = &self.slabs;
        let widest = |k: usize| (s.high[k] - other.low[k]).max(other.high[k] - s.low[k]);
        DVec3::new(widest(0), widest(1), widest(2)).length()
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::trials::Trials;

    /// The extents along every direction, by the slabs alone, contain those of points inside; along the k-DOP's own
    /// directions they are its own.
    fn reach_contains<const N: usize>() {
        let mut random = Trials::new(N as u64);
        for _ in 0..200 {
            let stretch = random.point(1.0);
            let points: Vec<DVec3> = (0..40).map(|_| random.point(1.0) * stretch).collect();
            let slabs = Slabs::<N>::of(points.iter().copied());
            for _ in 0..50 {
                let d = random.rotation() * DVec3::X;
                let most = points.iter().map(|p| d.dot(*p)).fold(f64::NEG_INFINITY, f64::max);
                let reach = slabs.reach(d);
                assert!(most <= reach + 1e-15, "{most} > {reach} along {d}");
                let boxed = (0..3).map(|i| d[i].abs() * slabs.end(i, d[i])).sum::<f64>();
                assert!(reach <= boxed + 1e-15, "no better than a box");
            }
            for k in 0..N {
                let d = Slabs::<N>::direction(k);
                assert!((slabs.reach(d) - slabs.high[k]).abs() < 1e-15);
                assert!((slabs.reach(-d) + slabs.low[k]).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn reach_contains_what_is_inside() {
        reach_contains::<7>();
        reach_contains::<9>();
        reach_contains::<13>();
    }
}
