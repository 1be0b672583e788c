//! Which vertices of a convex polyhedron can be farthest along a direction, looked up by the direction.
//!
//! The directions are the points of a cube around the origin, its faces cut into square cells. The directions along
//! which a vertex is farthest form a cone, its region of the Gauss map, bounded by a plane for each neighbour; the cell
//! lists the vertices whose regions it meets, about five where there are twice as many vertices as cells. The farthest
//! of these is the farthest of all: one look at a cell replaces the climb of S. Cameron, *Enhancing GJK*, ICRA 1997,
//! §3. Their coordinates lie in the cell, eight to a block, so that nothing else is read.
//!
//! Invariant: a vertex that is farthest along a direction of the cell, up to `10⁻¹²` of the radius, is in its list. The
//! regions that meet a cell are convex there and fill it, so they are found by going from neighbour to neighbour.
//!
//! A cell that would list more than [`MOST`] vertices lists none: the caller climbs from its first vertex. Bodies of up
//! to [`SCANNED`] vertices have one cell.
//!
//! Cost: 256 bytes a cell, a cell for two vertices; building clips a square some thirty times a cell. Lists of half
//! the size, in `f32`, were measured: what has to be done to make them exact costs more than the memory saves. So
//! were cells of names alone, with the coordinates in one place: no faster cold, and slower warm.

use glam::{DVec2, DVec3};

use crate::math::simd::{F64x4, Kernel, Simd, Vector, axes, dispatch};

/// Up to this many vertices are looked at for every direction.
const SCANNED: usize = 16;

/// Most vertices that a cell lists.
const MOST: usize = 32;

/// Most cells along a side of the cube.
const MOST_SIDE: f64 = 32.0;

/// No further block.
const NO_BLOCK: u32 = u32::MAX;

/// Vertices in a block.
const BLOCK: usize = 8;

/// Up to eight vertices of a cell; missing ones repeat the last.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
struct Block {
    /// `[x, y, z]`, four vertices and four more.
    at: [[[f64; 4]; 2]; 3],
    vertex: [u32; BLOCK],
    /// The block with the cell's further vertices, or [`NO_BLOCK`].
    more: u32,
    /// Whether there are too many to list.
    climb: bool,
}

impl Block {
    fn of(list: &[u32], vertices: &[DVec3]) -> Block {
        let vertex: [u32; BLOCK] = std::array::from_fn(|lane| list[lane.min(list.len() - 1)]);
        let four = |i: usize, half: usize| axes4(|lane| vertices[vertex[4 * half + lane] as usize][i]);
        Block { at: axes!(i => [four(i, 0), four(i, 1)]), vertex, more: NO_BLOCK, climb: false }
    }

    #[inline(always)]
    fn point(&self, lane: usize) -> DVec3 {
        DVec3::from_array(axes!(i => self.at[i][lane / 4][lane % 4]))
    }

    /// The height along `d`, from `c`, of the highest vertex, and its lane.
    #[inline(always)]
    fn highest<S: Simd>(&self, d: [S::F64x4; 3], c: [S::F64x4; 3]) -> (f64, usize) {
        let low = axes!(i => S::F64x4::load(&self.at[i][0]).sub(c[i]).mul(d[i]));
        let high = axes!(i => S::F64x4::load(&self.at[i][1]).sub(c[i]).mul(d[i]));
        let (low, high) = (low[0].add(low[1]).add(low[2]), high[0].add(high[1]).add(high[2]));
        let [p, q, r, s] = low.max(high).array();
        let max = |x: f64, y: f64| if x > y { x } else { y };
        let top = max(max(p, q), max(r, s));
        let below = low.lt(S::F64x4::splat(top)) | high.lt(S::F64x4::splat(top)) << 4;
        (top, ((!below).trailing_zeros() as usize).min(BLOCK - 1))
    }
}

fn axes4(lane: impl Fn(usize) -> f64) -> [f64; 4] {
    std::array::from_fn(lane)
}

/// The cells, first one block for each, then the blocks that these name.
#[derive(Debug, Clone, Default)]
pub(crate) struct DirectionCells {
    /// Cells along a side of a face of the cube; 0 when there is one cell in all.
    side: u32,
    blocks: Vec<Block>,
}

/// What a lookup gives.
pub(crate) enum Farthest {
    Vertex(u32, DVec3),
    /// The farthest vertex is to be found by climbing from this one.
    From(u32),
}

/// The vertices and neighbours of a body, as the building of cells needs them.
pub(crate) struct Surroundings<'s, N: Fn(u32) -> &'s [u32]> {
    pub(crate) vertices: &'s [DVec3],
    /// From the centre to the vertices.
    pub(crate) offsets: &'s [DVec3],
    pub(crate) radius: f64,
    pub(crate) neighbours: N,
}

impl DirectionCells {
    pub(crate) fn of<'s, N: Fn(u32) -> &'s [u32]>(body: &Surroundings<'s, N>) -> DirectionCells {
        let count = body.offsets.len();
        if count <= SCANNED {
            return DirectionCells::listing(0, &[(0..count as u32).collect()], body.vertices);
        }
        let side = (count as f64 / 12.0).sqrt().ceil().clamp(2.0, MOST_SIDE) as u32;
        let mut search =
            Search { body, seen: vec![0; count], stamp: 0, start: 0, square: Vec::new(), clipped: Vec::new() };
        let mut lists = Vec::with_capacity((6 * side * side) as usize);
        for face in 0..6 {
            for row in 0..side {
                for column in 0..side {
                    let edge = |k: u32| f64::from(2 * k) / f64::from(side) - 1.0;
                    let (low, high) =
                        (DVec2::new(edge(column), edge(row)), DVec2::new(edge(column + 1), edge(row + 1)));
                    lists.push(search.meeting(face, low, high));
                }
            }
        }
        DirectionCells::listing(side, &lists, body.vertices)
    }

    fn listing(side: u32, lists: &[Vec<u32>], vertices: &[DVec3]) -> DirectionCells {
        let head = |list: &Vec<u32>| Block { climb: list.len() > MOST, ..Block::of(list, vertices) };
        let mut blocks: Vec<Block> = lists.iter().map(head).collect();
        for (cell, list) in lists.iter().enumerate().filter(|(_, list)| list.len() <= MOST) {
            let mut before = cell;
            for rest in list.chunks(BLOCK).skip(1) {
                blocks[before].more = blocks.len() as u32;
                before = blocks.len();
                blocks.push(Block::of(rest, vertices));
            }
        }
        blocks.shrink_to_fit();
        DirectionCells { side, blocks }
    }

    /// The cell of a direction.
    #[inline(always)]
    pub(crate) fn cell(&self, d: DVec3) -> u32 {
        // Without branches: the CPU could not predict them, as directions come in no order.
        let (m, d) = (d.abs(), d.to_array());
        let (of_two, largest) = (usize::from(m.y > m.x), m.x.max(m.y));
        let axis = if m.z > largest { 2 } else { of_two };
        let (main, u, v) = (d[axis], d[[1, 2, 0][axis]], d[[2, 0, 1][axis]]);
        let half = 0.5 * f64::from(self.side);
        let scale = half / main.abs();
        // A direction of zero gives NaN, which is cell 0.
        let place = |x: f64| ((x * scale + half) as u32).min(self.side.saturating_sub(1));
        let face = 2 * axis as u32 + u32::from(main < 0.0);
        (face * self.side + place(v)) * self.side + place(u)
    }

    /// The vertex farthest along `d`, whose cell is given; of equal ones the first.
    #[inline(always)]
    pub(crate) fn farthest(&self, d: DVec3, cell: u32, centre: DVec3) -> Farthest {
        dispatch(self.look(d, cell, centre))
    }

    /// The same inside a kernel.
    #[inline(always)]
    pub(crate) fn farthest_at<S: Simd>(&self, d: DVec3, cell: u32, centre: DVec3) -> Farthest {
        self.look(d, cell, centre).run::<S>()
    }

    #[inline(always)]
    fn look(&self, d: DVec3, cell: u32, centre: DVec3) -> Look<'_> {
        Look { blocks: &self.blocks, first: &self.blocks[cell as usize], d, centre }
    }
}

struct Look<'s> {
    blocks: &'s [Block],
    first: &'s Block,
    d: DVec3,
    centre: DVec3,
}

impl Kernel for Look<'_> {
    type Output = Farthest;

    #[inline(always)]
    fn run<S: Simd>(self) -> Farthest {
        if self.first.climb {
            return Farthest::From(self.first.vertex[0]);
        }
        let d = axes!(i => S::F64x4::splat(self.d[i]));
        let c = axes!(i => S::F64x4::splat(self.centre[i]));
        let mut block = self.first;
        let (mut top, mut lane) = block.highest::<S>(d, c);
        let mut next = block.more;
        while let Some(further) = self.blocks.get(next as usize) {
            let (height, at) = further.highest::<S>(d, c);
            if height > top {
                (top, lane, block) = (height, at, further);
            }
            next = further.more;
        }
        Farthest::Vertex(block.vertex[lane], block.point(lane))
    }
}

/// Finds the regions that meet a cell.
struct Search<'b, 's, N: Fn(u32) -> &'s [u32]> {
    body: &'b Surroundings<'s, N>,
    /// When each vertex was last met.
    seen: Vec<u32>,
    stamp: u32,
    /// The vertex that the next climb starts from.
    start: u32,
    square: Vec<DVec2>,
    clipped: Vec<DVec2>,
}

impl<'s, N: Fn(u32) -> &'s [u32]> Search<'_, 's, N> {
    /// The vertices whose regions meet the cell from `low` to `high` on a face of the cube (`+x −x +y −y +z −z`), in
    /// ascending order; the one in its middle first, and no more than one too many, if there are too many.
    fn meeting(&mut self, face: usize, low: DVec2, high: DVec2) -> Vec<u32> {
        let main = face / 2;
        let out = if face & 1 == 0 { 1.0 } else { -1.0 };
        let slack = 4e-12 * self.body.radius;
        // How far the one vertex is beyond the other along the direction (u, v): `f.0 + f.1·(u, v)`.
        let beyond = |offsets: &[DVec3], v: u32, w: u32| {
            let way = (offsets[v as usize] - offsets[w as usize]).to_array();
            (out * way[main], DVec2::new(way[(main + 1) % 3], way[(main + 2) % 3]))
        };
        let middle = (low + high) * 0.5;
        self.climb(|offsets, v, w| {
            let (f, g) = beyond(offsets, v, w);
            f + g.dot(middle)
        });
        self.stamp += 1;
        self.seen[self.start as usize] = self.stamp;
        let mut found = vec![self.start];
        let mut next = 0;
        while next < found.len() && found.len() <= MOST {
            let v = found[next];
            next += 1;
            self.square.clear();
            self.square.extend([low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)]);
            for &w in (self.body.neighbours)(v) {
                let (f, g) = beyond(self.body.offsets, v, w);
                clip(&self.square, &mut self.clipped, |x| f + g.dot(x) + slack);
                std::mem::swap(&mut self.square, &mut self.clipped);
            }
            for &w in (self.body.neighbours)(v) {
                let (f, g) = beyond(self.body.offsets, v, w);
                let seen = &mut self.seen[w as usize];
                if *seen != self.stamp && self.square.iter().any(|x| f + g.dot(*x) <= slack) {
                    *seen = self.stamp;
                    found.push(w);
                }
            }
        }
        if found.len() <= MOST {
            found.sort_unstable();
        }
        found
    }

    /// Moves `start` to the farthest vertex; each step is upward, so none is passed twice.
    fn climb(&mut self, beyond: impl Fn(&[DVec3], u32, u32) -> f64) {
        let offsets = self.body.offsets;
        for _ in 0..offsets.len() {
            let here = self.start;
            let rise = |w: u32| beyond(offsets, w, here);
            let steepest = (self.body.neighbours)(here).iter().copied().max_by(|v, w| rise(*v).total_cmp(&rise(*w)));
            match steepest {
                Some(w) if rise(w) > 0.0 => self.start = w,
                _ => return,
            }
        }
    }
}

/// The part of a convex polygon where `height`, which is linear, is not negative.
fn clip(polygon: &[DVec2], out: &mut Vec<DVec2>, height: impl Fn(DVec2) -> f64) {
    out.clear();
    let Some(&last) = polygon.last() else { return };
    let (mut p, mut f) = (last, height(last));
    for &q in polygon {
        let g = height(q);
        if (f < 0.0) != (g < 0.0) {
            out.push(p + (q - p) * (f / (f - g)));
        }
        if g >= 0.0 {
            out.push(q);
        }
        (p, f) = (q, g);
    }
}
