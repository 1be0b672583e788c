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
    vertex: u32,
    /// Where its neighbours end, read so that they are on their way; 0 for bodies that are scanned.
    first: u32,
}

/// Up to this many vertices the table has a start near enough to spare the look at the hint.
const COVERED: usize = 2048;

/// What the support mapping reads: offsets of the vertices from the centre, and who is whose neighbour.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spread {
    /// `[x, y, z]` of four vertices each; an even number of blocks, filled up with the last vertex. For scanned bodies.
    blocks: Vec<[[f64; 4]; 3]>,
    offsets: Vec<DVec3>,
    /// Where the neighbours of each vertex begin; one more than there are vertices.
    first: Vec<u32>,
    /// Neighbours of the vertices, in the order of their half-edges.
    neighbours: Vec<u32>,
    /// Cells along a side of a face of the cube of directions.
    side: u32,
    /// The farthest vertex of each cell: faces `+x −x +y −y +z −z`, row by row.
    table: Vec<u32>,
}

impl Spread {
    pub(super) fn of(convex: &Convex) -> Spread {
        let offsets: Vec<DVec3> = convex.vertices().iter().map(|v| *v - convex.centre()).collect();
        let mut spread = Spread { first: vec![0], ..Spread::default() };
        spread.neighbours.reserve_exact(2 * convex.edge_count());
        for v in 0..offsets.len() as u32 {
            spread.neighbours.extend(convex.vertex_edges(v).iter().map(|&h| convex.head(h)));
            spread.first.push(spread.neighbours.len() as u32);
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

    /// About a cell a vertex, and no more than 32 × 32 to a face.
    fn fill_table(&mut self) {
        let side = ((self.offsets.len() as f64 / 6.0).sqrt() as u32).next_power_of_two().clamp(4, 32);
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

    /// The vertex of the direction's cell.
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

    /// The farthest vertex, from a given one. Each step is strictly upward, so none is passed twice.
    #[inline(always)]
    fn climb(&self, d: DVec3, start: u32) -> u32 {
        let mut at = start;
        for _ in 0..self.offsets.len() {
            match self.neighbours(at).get(self.steepest(at, d)) {
                Some(&next) => at = next,
                None => break,
            }
        }
        at
    }

    #[inline(always)]
    fn neighbours(&self, v: u32) -> &[u32] {
        &self.neighbours[self.first[v as usize] as usize..self.first[v as usize + 1] as usize]
    }

    /// The place of the neighbour farthest along `d`; beyond the last if none is farther than the vertex.
    #[inline(always)]
    fn steepest(&self, v: u32, d: DVec3) -> usize {
        let here = self.offset(v);
        let (mut most, mut found) = (0.0, usize::MAX);
        for (k, &next) in self.neighbours(v).iter().enumerate() {
            let rise = d.dot(self.offset(next) - here);
            let more = rise > most;
            found = if more { k } else { found };
            most = if more { rise } else { most };
        }
        found
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
        let k = self.spread().steepest(v, d);
        Some((*self.spread().neighbours(v).get(k)?, k))
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

    /// Where the search for the vertex farthest along `d` starts. Two bodies' starts are asked for before either
    /// search, so that both wait for memory at once.
    #[inline(always)]
    pub(crate) fn start(&self, d: DVec3, hint: u32) -> Start {
        let spread = self.spread();
        if spread.table.is_empty() {
            return Start { vertex: 0, first: 0 };
        }
        let mut vertex = spread.start(d);
        if self.vertex_count() > COVERED {
            let hint = hint.min(self.vertex_count() as u32 - 1);
            let better = d.dot(spread.offset(hint)) > d.dot(spread.offset(vertex));
            vertex = if better { hint } else { vertex };
        }
        Start { vertex, first: spread.first[vertex as usize + 1] }
    }

    /// A vertex farthest along `d`, from a start that was made for it.
    #[inline(always)]
    pub(crate) fn support_from(&self, d: DVec3, start: Start) -> u32 {
        if start.first == 0 {
            return self.support_by_scan(d);
        }
        self.spread().climb(d, start.vertex)
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
        self.spread().climb(d, hint.min(self.vertex_count() as u32 - 1))
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
