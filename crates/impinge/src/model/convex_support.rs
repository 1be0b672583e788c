//! The vertex of a convex polyhedron farthest along a direction: the support mapping that GJK and its kin live on.
//!
//! Few vertices are scanned, four to a register. Many are climbed: S. Cameron, *Enhancing GJK: computing minimum and
//! penetration distances between convex polyhedra*, ICRA 1997, §3. On a convex polyhedron a vertex without a better
//! neighbour is the best of all, so a walk along the edges ends there. It starts from the hinted vertex or from that of
//! the *table*, whichever is farther: the directions are the cells of a cube's faces, about as many as there are
//! vertices, and each cell knows the vertex farthest along its middle. So cold or warm, a step or two are left.
//!
//! Coordinates are kept relative to the centre, so that a body far from its own origin loses nothing. Of vertices that
//! differ by rounding any may come; of equal ones always the same.
//!
//! Cost: a scan is `n / 4` steps of three products; a climb costs the edges around the vertices passed.

use glam::DVec3;

use super::Convex;
use crate::math::simd::{F64x4, Kernel, Simd, Vector, dispatch};

/// Up to this many vertices are scanned.
const SCANNED: usize = 32;

/// Where a search starts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start {
    ring: u32,
    /// Spokes of the ring, read so that the ring is on its way; 0 for bodies that are scanned.
    count: u32,
}

/// Up to this many vertices the table has a start near enough to spare the look at the hint.
const COVERED: usize = 2048;

/// What the support mapping reads: offsets of the vertices from the centre, and who is whose neighbour.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spread {
    /// `[x, y, z]` of four vertices each; an even number of blocks, filled up with the last vertex. For scanned bodies.
    blocks: Vec<[[f64; 4]; 3]>,
    offsets: Vec<DVec3>,
    /// Where the ring of each vertex begins in `rings`.
    first: Vec<u32>,
    /// Each vertex with its spokes, in the order of its half-edges: a climb goes from ring to ring and looks nothing
    /// else up.
    rings: Vec<Spoke>,
    /// Cells along a side of a face of the cube of directions.
    side: u32,
    /// Ring of the farthest vertex of each cell: faces `+x −x +y −y +z −z`, row by row.
    table: Vec<u32>,
}

/// The way from a vertex to a neighbour; at the head of a ring, the vertex itself.
#[derive(Debug, Clone, Copy)]
struct Spoke {
    along: DVec3,
    /// The neighbour's ring; at the head, the vertex.
    to: u32,
    /// At the head, how many spokes follow.
    count: u32,
}

/// Rings are filled up with spokes to nowhere to a multiple of four: few lengths are easier to foresee than many.
fn padded(spokes: usize) -> usize {
    spokes.next_multiple_of(4)
}

impl Spread {
    pub(super) fn of(convex: &Convex) -> Spread {
        let offsets: Vec<DVec3> = convex.vertices().iter().map(|v| *v - convex.centre()).collect();
        let mut spread = Spread::default();
        let mut first = 0;
        for v in 0..offsets.len() as u32 {
            spread.first.push(first);
            first += 1 + padded(convex.vertex_edges(v).len()) as u32;
        }
        spread.rings.reserve_exact(first as usize);
        for v in 0..offsets.len() as u32 {
            let around = convex.vertex_edges(v);
            let count = padded(around.len());
            spread.rings.push(Spoke { along: DVec3::ZERO, to: v, count: count as u32 });
            for head in around.iter().map(|&h| convex.head(h) as usize) {
                let along = offsets[head] - offsets[v as usize];
                spread.rings.push(Spoke { along, to: spread.first[head], count: 0 });
            }
            let nowhere = Spoke { along: DVec3::ZERO, to: spread.first[v as usize], count: 0 };
            spread.rings.extend(std::iter::repeat_n(nowhere, count - around.len()));
        }
        if offsets.len() <= SCANNED {
            let last = offsets.last().copied().unwrap_or(DVec3::ZERO);
            let at = |k: usize| offsets.get(k).copied().unwrap_or(last);
            spread.blocks = (0..offsets.len().div_ceil(8) * 2)
                .map(|block| [0, 1, 2].map(|axis| [0, 1, 2, 3].map(|lane| at(4 * block + lane)[axis])))
                .collect();
        }
        spread.offsets = offsets;
        if spread.offsets.len() > SCANNED {
            spread.fill_table();
        }
        spread
    }

    /// A few cells a vertex, and no more than 32 × 32 to a face.
    fn fill_table(&mut self) {
        let side = ((self.offsets.len() as f64 / 2.0).sqrt() as u32).next_power_of_two().clamp(4, 32);
        let mut table = Vec::with_capacity((6 * side * side) as usize);
        let mut last = 0;
        for face in 0..6 {
            for row in 0..side {
                for column in 0..side {
                    // Back and forth, so that the last answer is a good start.
                    let column = if row % 2 == 0 { column } else { side - 1 - column };
                    let middle = |k: u32| (2 * k + 1) as f64 / f64::from(side) - 1.0;
                    let (u, v) = (middle(column), middle(row));
                    let out = if face % 2 == 0 { 1.0 } else { -1.0 };
                    let d = match face / 2 {
                        0 => DVec3::new(out, u, v),
                        1 => DVec3::new(v, out, u),
                        _ => DVec3::new(u, v, out),
                    };
                    last = self.climb(d, last);
                    table.push(last);
                }
            }
        }
        for rows in table.chunks_exact_mut(2 * side as usize) {
            rows[side as usize..].reverse();
        }
        (self.side, self.table) = (side, table);
    }

    /// The ring of the direction's cell.
    #[inline(always)]
    fn start(&self, d: DVec3) -> u32 {
        // Without branches: directions come in no order that could be foreseen.
        let (m, d) = (d.abs(), d.to_array());
        let (of_two, largest) = (usize::from(m.y > m.x), m.x.max(m.y));
        let axis = if m.z > largest { 2 } else { of_two };
        let (main, u, v) = (d[axis], d[[1, 2, 0][axis]], d[[2, 0, 1][axis]]);
        let half = 0.5 * f64::from(self.side);
        let scale = half / main.abs();
        // A direction of zero gives NaN, which is cell 0.
        let cell = |x: f64| ((x * scale + half) as u32).min(self.side - 1);
        let face = 2 * axis as u32 + u32::from(main < 0.0);
        self.table[((face * self.side + cell(v)) * self.side + cell(u)) as usize]
    }

    /// The ring of the farthest vertex, from a given one. Each step is strictly upward, so none is passed twice.
    #[inline(always)]
    fn climb(&self, d: DVec3, start: u32) -> u32 {
        let mut at = start;
        for _ in 0..self.offsets.len() {
            match self.steepest(at, d) {
                Some(spoke) => at = spoke.to,
                None => break,
            }
        }
        at
    }

    /// The spokes of a ring.
    #[inline(always)]
    fn spokes(&self, ring: u32) -> &[Spoke] {
        let (head, rest) = (ring as usize, ring as usize + 1);
        &self.rings[rest..rest + self.rings[head].count as usize]
    }

    /// The spoke that rises most along `d`.
    #[inline(always)]
    fn steepest(&self, ring: u32, d: DVec3) -> Option<&Spoke> {
        self.spokes(ring).get(self.steepest_place(ring, d))
    }

    /// Its place in the ring; beyond its end if none rises.
    #[inline(always)]
    fn steepest_place(&self, ring: u32, d: DVec3) -> usize {
        let (mut most, mut found) = (0.0, usize::MAX);
        for (k, spoke) in self.spokes(ring).iter().enumerate() {
            let rise = d.dot(spoke.along);
            let more = rise > most;
            found = if more { k } else { found };
            most = if more { rise } else { most };
        }
        found
    }

    /// The vertex of a ring.
    #[inline(always)]
    fn vertex(&self, ring: u32) -> u32 {
        self.rings[ring as usize].to
    }

    /// From the centre to the vertex.
    #[inline(always)]
    pub(crate) fn offset(&self, v: u32) -> DVec3 {
        self.offsets[v as usize]
    }
}

impl Convex {
    /// The neighbour of `v` farthest along `d`, if it is farther, and its place among [`Convex::vertex_edges`].
    #[inline(always)]
    pub(crate) fn steepest(&self, v: u32, d: DVec3) -> Option<(u32, usize)> {
        let spread = self.spread();
        let ring = spread.first[v as usize];
        let k = spread.steepest_place(ring, d);
        Some((spread.vertex(spread.spokes(ring).get(k)?.to), k))
    }

    /// How much farther along `d` the second vertex is than the first; exactly the negative of the way back, and what
    /// [`Convex::steepest`] compares.
    #[inline(always)]
    pub(crate) fn rise(&self, [tail, head]: [u32; 2], d: DVec3) -> f64 {
        d.dot(self.spread().offset(head) - self.spread().offset(tail))
    }

    /// A vertex farthest along `d`, which is not zero and has any length; sought from vertex `hint` where that helps.
    #[inline]
    pub(crate) fn support(&self, d: DVec3, hint: u32) -> u32 {
        self.support_from(d, self.start(d, hint))
    }

    /// Where the search for the vertex farthest along `d` starts. Two bodies' starts are asked for before either search,
    /// so that both wait for memory at once.
    #[inline(always)]
    pub(crate) fn start(&self, d: DVec3, hint: u32) -> Start {
        let spread = self.spread();
        if spread.table.is_empty() {
            return Start { ring: 0, count: 0 };
        }
        let mut ring = spread.start(d);
        if self.vertex_count() > COVERED {
            let hint = hint.min(self.vertex_count() as u32 - 1);
            let better = d.dot(spread.offset(hint)) > d.dot(spread.offset(spread.vertex(ring)));
            ring = if better { spread.first[hint as usize] } else { ring };
        }
        Start { ring, count: spread.rings[ring as usize].count }
    }

    /// A vertex farthest along `d`, from a start that was made for it.
    #[inline]
    pub(crate) fn support_from(&self, d: DVec3, start: Start) -> u32 {
        if start.count == 0 {
            return self.support_by_scan(d);
        }
        let spread = self.spread();
        spread.vertex(spread.climb(d, start.ring))
    }

    /// The farthest vertex of all, each looked at.
    #[inline]
    pub(crate) fn support_by_scan(&self, d: DVec3) -> u32 {
        let spread = self.spread();
        if spread.blocks.is_empty() {
            let along = |v: &u32| d.dot(spread.offset(*v));
            let farther = |best, v| if along(&v) > along(&best) { v } else { best };
            return (1..self.vertex_count() as u32).fold(0, farther);
        }
        dispatch(Scan { blocks: &spread.blocks, d }).min(self.vertex_count() as u32 - 1)
    }

    /// The farthest vertex, by climbing from `hint`.
    pub(crate) fn support_by_climb(&self, d: DVec3, hint: u32) -> u32 {
        let spread = self.spread();
        spread.vertex(spread.climb(d, spread.first[hint.min(self.vertex_count() as u32 - 1) as usize]))
    }
}

struct Scan<'s> {
    blocks: &'s [[[f64; 4]; 3]],
    d: DVec3,
}

impl Kernel for Scan<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Simd>(self) -> u32 {
        let (x, y, z) = (S::F64x4::splat(self.d.x), S::F64x4::splat(self.d.y), S::F64x4::splat(self.d.z));
        let low = S::F64x4::splat(f64::NEG_INFINITY);
        let eight = S::F64x4::splat(8.0);
        let mut number = [S::F64x4::load(&[0.0, 1.0, 2.0, 3.0]), S::F64x4::load(&[4.0, 5.0, 6.0, 7.0])];
        let (mut best, mut vertex) = ([low, low], number);
        for pair in self.blocks.chunks_exact(2) {
            for k in 0..2 {
                let [px, py, pz] = &pair[k];
                let px = S::F64x4::load(px).mul(x);
                let height = px.add(S::F64x4::load(py).mul(y)).add(S::F64x4::load(pz).mul(z));
                vertex[k] = best[k].if_lt(height, number[k], vertex[k]);
                best[k] = best[k].max(height);
                number[k] = number[k].add(eight);
            }
        }
        // Without branches, which nobody could predict: the top, and the first vertex that reaches it.
        let [p, q, r, s] = best[0].max(best[1]).array();
        let max = |x: f64, y: f64| if x > y { x } else { y };
        let top = S::F64x4::splat(max(max(p, q), max(r, s)));
        let none = S::F64x4::splat(f64::from(u32::MAX));
        let first = best[0].if_lt(top, none, vertex[0]).min(best[1].if_lt(top, none, vertex[1]));
        let [p, q, r, s] = first.array();
        let min = |x: f64, y: f64| if x < y { x } else { y };
        min(min(p, q), min(r, s)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(count: usize) -> Convex {
        let turn = std::f64::consts::PI * (3.0 - 5f64.sqrt());
        let points: Vec<DVec3> = (0..count)
            .map(|i| {
                let z = 1.0 - (2 * i + 1) as f64 / count as f64;
                let r = (1.0 - z * z).sqrt();
                DVec3::new(r * (turn * i as f64).cos(), r * (turn * i as f64).sin(), z) + DVec3::new(1e6, 0.0, 0.0)
            })
            .collect();
        Convex::hull(&points).unwrap()
    }

    #[test]
    fn scan_and_climb_find_the_farthest() {
        for count in [4, 5, 8, 13, 64, 65, 500] {
            let convex = ball(count);
            let mut hint = 0;
            for i in 0..200 {
                let t = f64::from(i);
                let d = DVec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin()) * 10f64.powi(i % 60 - 30);
                let height = |v: u32| d.dot(convex.vertex(v) - convex.centre());
                let best = (0..convex.vertex_count() as u32).map(height).fold(f64::NEG_INFINITY, f64::max);
                hint = convex.support_by_climb(d, hint);
                assert!(height(convex.support_by_scan(d)) >= best - 1e-15 * d.length());
                assert!(height(hint) >= best - 1e-15 * d.length());
            }
            assert!(convex.support(DVec3::X, u32::MAX) < convex.vertex_count() as u32);
        }
    }

    #[test]
    fn levels_agree_on_ties() {
        let corners: Vec<DVec3> =
            (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64)).collect();
        let cube = Convex::hull(&corners).unwrap();
        for d in [DVec3::X, -DVec3::Y, DVec3::new(1.0, 1.0, 0.0), DVec3::ZERO] {
            let winner = cube.support(d, 0);
            let height = |v: u32| d.dot(cube.vertex(v));
            let first = (0..8).filter(|&v| (0..8).all(|u| height(u) <= height(v))).min();
            assert_eq!(Some(winner), first);
        }
    }
}
