//! A mesh whose vertices move straight, each by itself, from where they are at time 0 to where they are at time 1.
//!
//! Two vertices are one when they are equal at both times: a seam may open. Triangles of the same vertices are one,
//! too. Each vertex and each edge belongs to the first triangle that has it, after S. Curtis, R. Tamstorf and D.
//! Manocha, *Fast collision detection for deformable models using representative-triangles*, I3D 2008: pairs of
//! triangles then test every pair of features exactly once, without a table of those tested.
//!
//! The tree is built over the boxes that triangles sweep, and fitted twice: to the start and to the end.
//!
//! Invariant: what moves is validated; both trees have the same nodes and units.

use std::fmt;
use std::sync::Arc;

use glam::DVec3;

use crate::bound::{Aabb, MovingBox};
use crate::error::BuildError;
use crate::model::Mesh;
use crate::model::mesh::triangle_mesh::validate_positions;
use crate::tree::Builder;
use crate::tree::nodes::Tree;

/// A mesh that deforms from time 0 to time 1: every vertex moves straight, at a constant speed. Before and after that
/// it does not deform.
///
/// The verbs about bodies that stand take it as it is at time 0; those about bodies that move, as it is at each time,
/// carried along by the motion.
///
/// ```
/// use impinge::{glam::DVec3, Deforming, Mesh, Pair, Pose, Span, Steady};
/// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(DVec3::from_array).to_vec();
/// let body = Mesh::new(corners.clone(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// let mut stretched = corners.clone();
/// stretched[1].x = 5.0;
/// let growing = Deforming::new(body.clone(), &stretched)?;
/// let aside: Vec<DVec3> = corners.iter().map(|v| *v + DVec3::X * 3.0 - DVec3::splat(0.1)).collect();
/// let still = Deforming::still(Mesh::new(aside, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?);
/// let there = Steady::still(Pose::IDENTITY);
/// let impact = Pair::new(growing, still).impact(&there, &there, Span::UNIT);
/// let time = impact.time.expect("its tip reaches the other");
/// assert!(time.contains(0.475) && time.width() < 1e-8 && impact.certain);
/// assert!(impact.normal.is_some_and(|n| n.distance(DVec3::X) < 1e-9));
/// # Ok::<(), impinge::BuildError>(())
/// ```
///
/// A motion carries it along, and the other body may be any:
///
/// ```
/// use impinge::{glam::DVec3, Deforming, Mesh, Pair, Pose, Round, Span, Steady};
/// let tent = [[-3., -3., 0.], [3., -3., 0.], [0., 3., 0.], [0., 0., 1.]].map(DVec3::from_array).to_vec();
/// let mut drawn = tent.clone();
/// drawn[3].z = 3.0;
/// let tent = Deforming::new(Mesh::new(tent, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?, &drawn)?;
/// let mut pair = Pair::new(tent, Round::half_space(-DVec3::Z, -4.0)?);
/// assert!(pair.distance(&Pose::IDENTITY, &Pose::IDENTITY).interval.contains(3.0), "as it is at time 0");
///
/// let still = Steady::still(Pose::IDENTITY);
/// let lifted = Steady::straight(Pose::IDENTITY, DVec3::Z * 2.0, 0.0)?;
/// assert!(pair.sweep(&still, &still, Span::UNIT).interval.contains(1.0));
/// // Its top rises to 1 + 2t by itself, and the motion lifts it by 2t.
/// let time = pair.impact(&lifted, &still, Span::UNIT).time.expect("it hits the ceiling");
/// assert!(time.lower <= 0.75 && time.lower > 0.749);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Every contact of a body that is drawn through two sheets:
///
/// ```
/// use impinge::{glam::DVec3, Deforming, Mesh, Pair, Pose, Span, Steady};
/// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(DVec3::from_array).to_vec();
/// let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// let sheets: Vec<DVec3> = [2.0, 6.0].iter()
///     .flat_map(|&x| [[x, -9., -9.], [x, 9., -9.], [x, 0., 30.]].map(DVec3::from_array)).collect();
/// let end: Vec<DVec3> = corners.iter().map(|v| *v + DVec3::X * 10.0).collect();
/// let passing = Deforming::new(Mesh::new(corners, faces)?, &end)?;
/// let mut pair = Pair::new(passing, Mesh::new(sheets, vec![[0, 1, 2], [3, 4, 5]])?);
/// let there = Steady::still(Pose::IDENTITY);
/// let contacts = pair.contacts_over_time(&there, &there, Span::UNIT);
/// assert_eq!(contacts.len(), 2);
/// assert!((contacts[1].begins.lower - 0.5).abs() < 1e-9);
/// assert!(contacts[0].ends.is_some_and(|ends| (ends.upper - 0.2).abs() < 0.1));
/// # Ok::<(), impinge::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Deforming {
    /// As it is at time 0.
    pub(crate) mesh: Arc<Mesh>,
    /// Where each vertex is at time 0 and at time 1.
    pub(crate) vertices: Vec<[DVec3; 2]>,
    /// Index, as given, of each of them (of the first, where several are one).
    pub(crate) vertex_ids: Vec<u32>,
    /// Corners of the triangles in leaf order.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Index, as given, of each triangle in leaf order.
    pub(crate) ids: Vec<u32>,
    /// Which of its corners, bits 0 to 2, and edges, bits 3 to 5, belong to a triangle.
    pub(crate) owned: Vec<u8>,
    /// At time 0 and at time 1.
    pub(crate) trees: [Tree; 2],
    /// Around where the vertices are at both times.
    pub(crate) bounds: Aabb,
    /// Number among the vertices of each vertex as given; 0 of those that no triangle names.
    numbers: Vec<u32>,
    /// No point moves farther during the step.
    fastest: f64,
}

impl Deforming {
    /// A mesh as it is at time 0, and where its vertices are at time 1: of all vertices as given to [`Mesh::new`], in
    /// that order.
    ///
    /// # Errors
    /// There is not one position for each vertex, or one is not finite or beyond the supported scale.
    pub fn new(mesh: Mesh, end: &[DVec3]) -> Result<Deforming, BuildError> {
        let (count, vertices) = (end.len(), mesh.vertex_count());
        if count != vertices {
            return Err(BuildError::WrongCount { count, vertices });
        }
        validate_positions(end)?;
        Ok(Deforming::assemble(mesh, |id, _| end[id as usize]))
    }

    /// A mesh that does not move.
    pub fn still(mesh: Mesh) -> Deforming {
        Deforming::assemble(mesh, |_, start| start)
    }

    /// The mesh at time 0.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// Where the vertices are at time 1, as they were given to [`Deforming::new`]; those that no triangle names are not
    /// kept: they are at the origin.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Deforming, Mesh};
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let end = [DVec3::Z, DVec3::X, DVec3::Y];
    /// assert_eq!(Deforming::new(mesh, &end)?.end_positions(), end);
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn end_positions(&self) -> Vec<DVec3> {
        let mut positions = vec![DVec3::ZERO; self.numbers.len()];
        for id in self.mesh.original_triangles().into_flattened() {
            positions[id as usize] = self.vertices[self.numbers[id as usize] as usize][1];
        }
        positions
    }

    fn assemble(mesh: Mesh, end: impl Fn(u32, DVec3) -> DVec3) -> Deforming {
        let original = mesh.original_triangles();
        let mut moving: Vec<Option<[DVec3; 2]>> = vec![None; mesh.vertex_count()];
        for (t, corners) in original.iter().enumerate() {
            for (&id, start) in corners.iter().zip(mesh.triangle(t as u32).unwrap_or_default()) {
                moving[id as usize] = Some([start, end(id, start)]);
            }
        }
        let (first, vertices, vertex_ids) = distinct(&moving);
        let welded: Vec<[u32; 3]> = original.iter().map(|t| t.map(|v| first[v as usize])).collect();
        let unique = without_copies(&welded);
        let around = |t: u32| MovingBox::around(welded[t as usize].map(|v| vertices[v as usize]));
        let bounds = Aabb::of(vertices.iter().flatten().copied());
        let (trees, order) = if unique.is_empty() {
            ([Tree::empty(), Tree::empty()], Vec::new())
        } else {
            // The builders see the box of a triangle and nothing else of it.
            let swept = |i: usize| {
                let Aabb { min, max } = around(unique[i]).swept();
                [min, max, min]
            };
            let (tree, order) = Tree::build(&bounds, unique.len(), swept, Builder::Auto);
            let at = |moment: usize| {
                let mut tree = tree.clone();
                tree.refit(&bounds, |place| {
                    welded[unique[order[place as usize] as usize] as usize].map(|v| vertices[v as usize][moment])
                });
                tree
            };
            ([at(0), at(1)], order)
        };
        let ids: Vec<u32> = order.iter().map(|&i| unique[i as usize]).collect();
        let triangles: Vec<[u32; 3]> = ids.iter().map(|&id| welded[id as usize]).collect();
        let owned = owned(&triangles, vertices.len());
        let fastest = vertices.iter().fold(0.0, |most: f64, [start, end]| most.max(start.distance(*end)));
        let (mesh, numbers) = (Arc::new(mesh), first);
        Deforming { mesh, vertices, vertex_ids, triangles, ids, owned, trees, bounds, numbers, fastest }
    }

    /// Where the corners of the triangle at a place are at time 0 and at time 1.
    #[inline(always)]
    pub(crate) fn corners(&self, place: u32) -> [[DVec3; 2]; 3] {
        self.triangles[place as usize].map(|v| self.vertices[v as usize])
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// No point moves farther during the step.
    pub(crate) fn fastest(&self) -> f64 {
        self.fastest
    }

    /// No point moves faster between two times: none moves before the step and after it.
    pub(crate) fn fastest_between(&self, from: f64, to: f64) -> f64 {
        if to < 0.0 || from > 1.0 { 0.0 } else { self.fastest }
    }

    pub(crate) fn is_still(&self) -> bool {
        self.vertices.iter().all(|[start, end]| start == end)
    }

    /// Where each of the vertices is at a time of the step.
    pub(crate) fn positions_at(&self, t: f64) -> Vec<DVec3> {
        // What does not move is not rounded either.
        let at = |[start, end]: &[DVec3; 2]| DVec3::select(start.cmpeq(*end), *start, *start * (1.0 - t) + *end * t);
        self.vertices.iter().map(at).collect()
    }

    /// Where each vertex as given to [`Mesh::new`] is at any time; those that no triangle names are somewhere.
    pub(crate) fn given_positions_at(&self, t: f64) -> Vec<DVec3> {
        let positions = self.positions_at(t.clamp(0.0, 1.0));
        self.numbers.iter().map(|&number| positions.get(number as usize).copied().unwrap_or_default()).collect()
    }

    /// How fast a point of a triangle, by its index as given, moves at a time, in the body's frame. `point` is where it
    /// is then.
    pub(crate) fn velocity(&self, triangle: u32, point: DVec3, t: f64) -> DVec3 {
        let Some(&place) = self.mesh.places.get(triangle as usize).filter(|_| (0.0..1.0).contains(&t)) else {
            return DVec3::ZERO;
        };
        let corners = self.mesh.corner_ids(place).map(|id| self.vertices[self.numbers[id as usize] as usize]);
        let at = corners.map(|[start, end]| start * (1.0 - t) + end * t);
        let (sides, along) = ([at[1] - at[0], at[2] - at[0]], point - at[0]);
        let normal = sides[0].cross(sides[1]);
        let share = |k: usize, v: DVec3| v.dot(normal) / normal.length_squared() * [1.0, -1.0][k];
        let (u, v) = (share(0, along.cross(sides[1])), share(1, along.cross(sides[0])));
        // A triangle without an area has no shares: its middle stands for all of it.
        let (u, v) = if u.is_finite() && v.is_finite() { (u, v) } else { (1.0 / 3.0, 1.0 / 3.0) };
        let [first, second, third] = corners.map(|[start, end]| end - start);
        first * (1.0 - u - v) + second * u + third * v
    }

    /// The mesh as it is at any time: before the step as at its start, after it as at its end. Its tree is refitted
    /// from that of the start, so that it depends on nothing but the time.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Deforming, Mesh, Model, Pose, Round};
    /// let leaf = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
    /// let raised: Vec<DVec3> = leaf.iter().map(|v| *v + DVec3::Z * 4.0).collect();
    /// let rising = Deforming::new(Mesh::new(leaf, vec![[0, 1, 2]])?, &raised)?;
    /// let ball = Model::from(Round::sphere(1.0)?);
    /// let half_way = Model::Mesh(rising.mesh_at(0.5));
    /// assert!(impinge::distance(&half_way, &Pose::IDENTITY, &ball, &Pose::IDENTITY).interval.contains(1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mesh_at(&self, t: f64) -> Arc<Mesh> {
        let mut mesh = Arc::clone(&self.mesh);
        if t > 0.0 && !self.is_still() {
            // Nothing between valid positions is refused.
            let _ = Arc::make_mut(&mut mesh).deform(&self.given_positions_at(t));
        }
        mesh
    }
}

/// The mesh that it is at time 0, and how far its fastest point moves.
impl fmt::Debug for Deforming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deforming").field("mesh", &self.mesh).field("fastest", &self.fastest).finish_non_exhaustive()
    }
}

/// For each vertex its number among those that differ, and these with the first index of each. Unused ones have none.
fn distinct(moving: &[Option<[DVec3; 2]>]) -> (Vec<u32>, Vec<[DVec3; 2]>, Vec<u32>) {
    // Adding zero makes −0 into 0.
    let key = |[s, e]: [DVec3; 2]| [s.x, s.y, s.z, e.x, e.y, e.z].map(|x| x + 0.0);
    let order = |x: &[f64; 6], y: &[f64; 6]| {
        x.iter().zip(y).map(|(x, y)| x.total_cmp(y)).find(|o| o.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
    };
    let mut keys: Vec<([f64; 6], u32)> =
        moving.iter().enumerate().filter_map(|(i, m)| m.map(|m| (key(m), i as u32))).collect();
    keys.sort_unstable_by(|x, y| order(&x.0, &y.0).then(x.1.cmp(&y.1)));
    let mut lead: Vec<u32> = (0..moving.len() as u32).collect();
    for group in keys.chunk_by(|x, y| x.0 == y.0) {
        group.iter().for_each(|&(_, i)| lead[i as usize] = group[0].1);
    }
    let (mut number, mut vertices, mut ids) = (vec![0; moving.len()], Vec::new(), Vec::new());
    for (i, m) in moving.iter().enumerate() {
        match m {
            Some(m) if lead[i] == i as u32 => {
                number[i] = vertices.len() as u32;
                vertices.push(*m);
                ids.push(i as u32);
            }
            _ => number[i] = number[lead[i] as usize],
        }
    }
    (number, vertices, ids)
}

/// The first triangle of each three vertices, ascending.
fn without_copies(triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut keys: Vec<([u32; 3], u32)> = triangles
        .iter()
        .enumerate()
        .map(|(i, t)| {
            let mut sorted = *t;
            sorted.sort_unstable();
            (sorted, i as u32)
        })
        .collect();
    keys.sort_unstable();
    keys.dedup_by_key(|(corners, _)| *corners);
    let mut unique: Vec<u32> = keys.into_iter().map(|(_, i)| i).collect();
    unique.sort_unstable();
    unique
}

/// Gives each vertex and each edge to the first triangle that has it. An edge from a vertex to itself is none.
fn owned(triangles: &[[u32; 3]], vertices: usize) -> Vec<u8> {
    let mut owned = vec![0; triangles.len()];
    let mut taken = vec![false; vertices];
    let mut edges = Vec::with_capacity(3 * triangles.len());
    for (place, t) in triangles.iter().enumerate() {
        for k in 0..3 {
            if !std::mem::replace(&mut taken[t[k] as usize], true) {
                owned[place] |= 1 << k;
            }
            let (p, q) = (t[k], t[(k + 1) % 3]);
            if p != q {
                edges.push((p.min(q), p.max(q), place as u32, k));
            }
        }
    }
    edges.sort_unstable();
    edges.dedup_by_key(|&mut (p, q, ..)| (p, q));
    edges.iter().for_each(|&(_, _, place, k)| owned[place as usize] |= 8 << k);
    owned
}
