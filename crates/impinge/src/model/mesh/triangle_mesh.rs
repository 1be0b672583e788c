//! Triangle meshes: validated, welded, laid out in the order of their tree.

use std::sync::OnceLock;

use glam::DVec3;

use super::copies;
use super::copies::Duplicate;
use super::hull_slots::{HullChoice, HullSlots};
use super::original_corners::OriginalCorners;
use super::topology;
use super::topology::KnownSides;
use super::topology::MeshReport;
use super::weld;
use super::winding_moments::WindingMoments;
use crate::bound::{Aabb, Bound, HullTree, Volume};
use crate::error::{BuildError, NotClosed};
use crate::math::simd::axes;
use crate::math::{LIMIT, normalising_scale};
use crate::model::convex::parts::Parts;
use crate::model::convex::polyhedron::Convex;
use crate::prim::Triangle;
use crate::threads::share;
use crate::tree::Builder;
use crate::tree::nodes::{MAX_TRIANGLES, SERIAL, Tree};
use crate::tree::oriented;
use crate::tree::oriented::Oriented;
use crate::tree::volumes::fitted_volumes::{FittedVolumes, VolumeChoice};

/// Triangles with a tree over them: a polygon soup, or a closed solid with an inside.
///
/// Any triangles will do: duplicate, degenerate or crossing ones are kept, answered for exactly, and counted in the
/// [report](Mesh::report). Indices in answers are those given here.
///
/// ```
/// use impinge::{glam::DVec3, Mesh};
/// let v = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(DVec3::from_array).to_vec();
/// let tetrahedron = Mesh::new(v.clone(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// assert!(tetrahedron.is_solid());
/// assert_eq!(tetrahedron.report().volume, Some(1.0 / 6.0));
///
/// let open = Mesh::new(v, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3]])?;
/// assert!(!open.is_solid());
/// assert_eq!(open.into_solid().unwrap_err().open_edges, 3);
/// # Ok::<(), impinge::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Mesh {
    /// Welded vertices, in the order in which the leaves use them.
    pub(crate) vertices: Vec<DVec3>,
    /// Index, as given, of each of them (of the first, where several are equal).
    pub(crate) vertex_ids: Vec<u32>,
    /// Corners, as given, of the triangles in leaf order.
    pub(crate) original_corners: OriginalCorners,
    /// Corners of the triangles, one of each, in leaf order.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Index, as given, of each triangle in leaf order.
    pub(crate) ids: Vec<u32>,
    /// Place in leaf order of each triangle as given.
    pub(crate) places: Vec<u32>,
    /// Copies of these triangles, by place.
    pub(crate) duplicates: Vec<Duplicate>,
    /// Corners, as given, of these copies; empty when no vertices are equal.
    pub(crate) original_copies: Vec<[u32; 3]>,
    /// How the tree was built, to build it again.
    pub(crate) builder: Builder,
    pub(crate) tree: Tree,
    /// Oriented boxes beside the tree, fitted when first needed.
    oriented: OnceLock<Vec<Oriented>>,
    /// How far the farthest point is from the middle of the box.
    radius: OnceLock<f64>,
    /// Other volumes, if the user chose them, fitted when first needed.
    pub(crate) volumes: VolumeChoice,
    /// Hulls of the tree's slots, if the user chose them, built when first needed.
    pub(crate) hulls: HullChoice,
    /// The convex hull, built when first needed.
    pub(crate) hull: OnceLock<Option<Convex>>,
    /// Whether the mesh is the boundary of its hull, decided when first needed.
    pub(crate) convexity: OnceLock<bool>,
    /// How far the mesh stands out of its hull, where it seems to be convex; measured when first needed.
    pub(crate) out_of_hull: OnceLock<Option<f64>>,
    /// Few convex pieces that make up the solid, cut when first needed.
    pub(crate) pieces: OnceLock<Option<Box<Parts>>>,
    /// Moments of the tree's nodes, summed when a winding number is first needed.
    winding: OnceLock<WindingMoments>,
    /// Made when contacts are first asked for their normals.
    pub(crate) surroundings: OnceLock<Box<NormalCones>>,
    /// Found once it would have served many questions about points.
    pub(crate) known_sides: KnownSides,
    pub(crate) bounds: Aabb,
    pub(crate) interior: Interior,
    pub(crate) report: MeshReport,
    first_open: Option<NotClosed>,
    /// A vertex of each component.
    component_vertices: Vec<u32>,
}

/// What counts as inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interior {
    /// Nothing.
    Nothing,
    /// What the surface encloses, when it is closed.
    Enclosed,
    /// Where the winding number is more than a half.
    Winding,
}

/// Which triangles are around each vertex, by places in leaf order.
#[derive(Debug, Clone)]
pub(crate) struct Incidence {
    /// Where the triangles around each vertex begin in `around`.
    pub(super) first: Vec<u32>,
    pub(super) around: Vec<u32>,
}

/// The normals of a mesh and what lies around its corners, by places in leaf order.
#[derive(Debug, Clone)]
pub(crate) struct NormalCones {
    /// Outward on a closed mesh; zero for triangles without area.
    pub(super) normals: Vec<DVec3>,
    pub(super) incidence: Incidence,
    /// The patch of each triangle.
    pub(super) patches: Vec<u32>,
    /// Which triangles have their normal against their winding, so that the fronts of a sheet look one way; empty where
    /// none have.
    pub(super) turned: Vec<bool>,
    /// The same with all two-sided triangles seen from their backs, if there are any.
    pub(super) backs: Option<Box<NormalCones>>,
}

impl Mesh {
    /// A mesh from vertices and triangles. A closed one is a solid, any other a surface without an inside.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Mesh};
    /// let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].to_vec();
    /// let open = Mesh::new(corners.clone(), vec![[0, 2, 1], [0, 1, 3]])?;
    /// let closed = Mesh::new(corners.clone(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// assert!(!open.is_solid() && closed.is_solid());
    /// assert!(Mesh::new(corners, vec![[0, 1, 4]]).is_err(), "there is no vertex 4");
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn new(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Mesh, BuildError> {
        Mesh::with_builder(vertices, triangles, Builder::Auto)
    }

    /// As [`Mesh::new`], with a choice of how the tree is built.
    pub fn with_builder(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>, builder: Builder) -> Result<Mesh, BuildError> {
        validate_positions(&vertices)?;
        validate_triangles(vertices.len(), &triangles)?;
        Ok(Mesh::assemble(&vertices, &triangles, builder))
    }

    /// A mesh from what was validated.
    pub(crate) fn assemble(vertices: &[DVec3], triangles: &[[u32; 3]], builder: Builder) -> Mesh {
        let first = weld::first_equal(vertices);
        let welded: Vec<[u32; 3]> = triangles.iter().map(|t| axes!(k => first[t[k] as usize])).collect();
        let bounds = Aabb::of(welded.iter().flatten().map(|&v| vertices[v as usize]));
        let scale = normalising_scale(bounds.reach());
        let examine = || topology::examine(vertices, &first, &welded, scale);
        let build = || {
            let (unique, duplicates) = copies::separate(vertices.len(), &welded);
            let corners = |t: usize| axes!(k => vertices[welded[unique[t] as usize][k] as usize]);
            let built = Tree::build(&bounds, unique.len(), corners, builder);
            (unique, duplicates, built)
        };
        let (topology, (unique, duplicates, (tree, order))) =
            if welded.len() > SERIAL { share::join(examine, build) } else { (examine(), build()) };
        let mut mesh = Mesh {
            vertices: Vec::new(),
            vertex_ids: Vec::new(),
            original_corners: OriginalCorners::Kept,
            triangles: Vec::with_capacity(order.len()),
            places: vec![0; welded.len()],
            ids: order.iter().map(|&t| unique[t as usize]).collect(),
            duplicates,
            original_copies: Vec::new(),
            builder,
            tree,
            oriented: OnceLock::new(),
            radius: OnceLock::new(),
            volumes: VolumeChoice::default(),
            hulls: HullChoice::default(),
            hull: OnceLock::new(),
            convexity: OnceLock::new(),
            out_of_hull: OnceLock::new(),
            pieces: OnceLock::new(),
            winding: OnceLock::new(),
            surroundings: OnceLock::new(),
            known_sides: KnownSides::default(),
            bounds,
            interior: Interior::Enclosed,
            report: MeshReport { duplicate_triangles: welded.len() - unique.len(), ..topology.report },
            first_open: topology.first_open,
            component_vertices: topology.component_vertices,
        };
        mesh.lay_out(vertices, &welded);
        if mesh.report.merged_vertices > 0 {
            mesh.original_corners = OriginalCorners::of(triangles, &mesh.ids, |place| mesh.kept_corners(place as u32));
            mesh.original_copies = mesh.duplicates.iter().map(|c| triangles[c.id as usize]).collect();
        }
        mesh
    }

    /// The body without points. It touches nothing, and is at distance ∞ from everything.
    pub fn empty() -> Mesh {
        Mesh {
            vertices: Vec::new(),
            vertex_ids: Vec::new(),
            original_corners: OriginalCorners::Kept,
            triangles: Vec::new(),
            ids: Vec::new(),
            places: Vec::new(),
            duplicates: Vec::new(),
            original_copies: Vec::new(),
            builder: Builder::Auto,
            tree: Tree::empty(),
            oriented: OnceLock::new(),
            radius: OnceLock::new(),
            volumes: VolumeChoice::default(),
            hulls: HullChoice::default(),
            hull: OnceLock::new(),
            convexity: OnceLock::new(),
            out_of_hull: OnceLock::new(),
            pieces: OnceLock::new(),
            winding: OnceLock::new(),
            surroundings: OnceLock::new(),
            known_sides: KnownSides::default(),
            bounds: Aabb::EMPTY,
            interior: Interior::Enclosed,
            report: topology::examine(&[], &[], &[], 1.0).report,
            first_open: None,
            component_vertices: Vec::new(),
        }
    }

    /// Copies the triangles in leaf order, and the vertices in the order in which these first name them.
    fn lay_out(&mut self, vertices: &[DVec3], welded: &[[u32; 3]]) {
        const UNSEEN: u32 = u32::MAX;
        let mut place = vec![UNSEEN; vertices.len()];
        let used = vertices.len() - self.report.merged_vertices.min(vertices.len());
        self.vertices.reserve_exact(used);
        self.vertex_ids.reserve_exact(used);
        for (at, &id) in self.ids.iter().enumerate() {
            self.places[id as usize] = at as u32;
            let corners = welded[id as usize].map(|v| {
                let p = &mut place[v as usize];
                if *p == UNSEEN {
                    *p = self.vertices.len() as u32;
                    self.vertices.push(vertices[v as usize]);
                    self.vertex_ids.push(v);
                }
                *p
            });
            self.triangles.push(corners);
        }
        for copy in &mut self.duplicates {
            copy.of = self.places[copy.of as usize];
            self.places[copy.id as usize] = copy.of;
        }
        self.duplicates.sort_unstable();
        self.component_vertices.iter_mut().for_each(|v| *v = place[*v as usize]);
    }

    /// The same body as a solid, which it is already when closed; otherwise why it cannot be one.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Mesh};
    /// let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].to_vec();
    /// let open = Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3]])?;
    /// assert_eq!(open.into_solid().map_err(|why| why.open_edges).err(), Some(3));
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn into_solid(mut self) -> Result<Mesh, NotClosed> {
        match self.first_open.clone() {
            Some(open) => Err(open),
            None => {
                self.interior = Interior::Enclosed;
                Ok(self)
            }
        }
    }

    /// The same triangles without an inside.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Mesh};
    /// let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].to_vec();
    /// let mesh = Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// assert!(mesh.is_solid() && !mesh.into_surface().is_solid());
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn into_surface(mut self) -> Mesh {
        self.interior = Interior::Nothing;
        self
    }

    /// The same triangles, with an inside if the other mesh has one, by the same rule.
    pub(crate) fn with_inside_of(mut self, other: &Mesh) -> Mesh {
        self.interior = other.interior;
        self
    }

    /// The same triangles with an inside, closed or not: where the [winding number](Mesh::winding_number) is more than
    /// a half. For soups with holes, wound consistently and outwards; `docs/contract.md` says what counts as contained.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Mesh};
    /// let v = [[0., 0., 0.], [3., 0., 0.], [0., 3., 0.], [0., 0., 3.]].map(DVec3::from_array).to_vec();
    /// let open = Mesh::new(v, vec![[0, 2, 1], [0, 1, 3], [2, 0, 3]])?;
    /// assert!(!open.is_solid() && open.into_solid_by_winding().is_solid());
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn into_solid_by_winding(mut self) -> Mesh {
        self.interior = Interior::Winding;
        self
    }

    /// The same body with other volumes around the nodes of its tree. They are fitted when a query first needs them. A
    /// query about two meshes with different volumes uses those of [`Volume::Auto`], which every mesh has.
    ///
    /// ```
    /// use impinge::{bound::Volume, glam::DVec3, Mesh, Pair, Pose};
    /// let v = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]].map(DVec3::from_array).to_vec();
    /// let mesh = Mesh::new(v, vec![[0, 1, 2]])?.with_volume(Volume::SweptSphere);
    /// let mut pair = Pair::new(mesh.clone(), mesh);
    /// assert!(pair.distance(&Pose::IDENTITY, &Pose::at(DVec3::Z)?).interval.contains(1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_volume(self, volume: Volume) -> Mesh {
        let hulls = if volume == Volume::Hull { HullChoice::of(HullTree::default()) } else { HullChoice::default() };
        Mesh { volumes: VolumeChoice::of(volume), hulls, out_of_hull: OnceLock::new(), ..self }
    }

    /// As [`Mesh::with_volume`], with volumes of your own.
    pub fn with_bound<B: Bound>(self) -> Mesh {
        Mesh {
            volumes: VolumeChoice::of_kind::<B>(),
            hulls: HullChoice::default(),
            out_of_hull: OnceLock::new(),
            ..self
        }
    }

    /// As [`Mesh::with_volume`] with [`Volume::Hull`], with a choice of what is done to be fast.
    pub fn with_hulls(self, options: HullTree) -> Mesh {
        Mesh { volumes: VolumeChoice::default(), hulls: HullChoice::of(options), out_of_hull: OnceLock::new(), ..self }
    }

    /// Whether the inside counts.
    pub fn is_solid(&self) -> bool {
        match self.interior {
            Interior::Nothing => false,
            Interior::Enclosed => self.report.closed,
            Interior::Winding => !self.is_empty(),
        }
    }

    /// What was found about the triangles.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Mesh};
    /// let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].to_vec();
    /// let mesh = Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// assert_eq!((mesh.report().closed, mesh.report().components), (true, 1));
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn report(&self) -> &MeshReport {
        &self.report
    }

    /// Number of triangles given.
    pub fn triangle_count(&self) -> usize {
        self.report.triangles
    }

    /// Number of vertices given.
    pub fn vertex_count(&self) -> usize {
        self.report.vertices
    }

    /// Corners of triangle `i`, counted as given.
    pub fn triangle(&self, i: u32) -> Option<[DVec3; 3]> {
        let place = *self.places.get(i as usize)?;
        let corners = self.corners(place);
        let copy = self.copies(place).iter().find(|c| c.id == i);
        Some(copy.map_or(corners, |c| c.turn.map(|k| corners[usize::from(k)])))
    }

    /// Least and greatest corner of the box around the triangles; `None` when there are none.
    pub fn bounds(&self) -> Option<[DVec3; 2]> {
        (!self.bounds.is_empty()).then_some([self.bounds.min, self.bounds.max])
    }

    /// Nodes of the tree.
    pub fn tree_nodes(&self) -> usize {
        self.tree.nodes()
    }

    /// Bytes kept beyond the vertices and triangles: the tree, and the tables between its order and the order given.
    pub fn tree_bytes(&self) -> usize {
        let tables = self.ids.capacity() + self.places.capacity() + self.vertex_ids.capacity();
        let oriented = self.tree.nodes() * size_of::<Oriented>();
        let copies = self.duplicates.capacity() * size_of::<Duplicate>() + 12 * self.original_copies.capacity();
        let volumes = oriented + self.volumes.bytes() + self.hulls.bytes();
        self.tree.bytes() + volumes + self.original_corners.bytes() + copies + tables * size_of::<u32>()
    }

    pub(crate) fn aabb(&self) -> &Aabb {
        &self.bounds
    }

    /// No point is farther from the middle of the box, up to rounding.
    pub(crate) fn radius(&self) -> f64 {
        *self.radius.get_or_init(|| {
            let (centre, scale) = (self.bounds.centre(), normalising_scale(self.bounds.reach()));
            let squared = |v: &DVec3| ((*v - centre) * scale).length_squared();
            self.vertices.iter().map(squared).fold(0.0, f64::max).sqrt() / scale
        })
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Oriented boxes of the tree's slots.
    pub(crate) fn oriented(&self) -> &[Oriented] {
        self.oriented.get().unwrap_or_else(|| {
            // Not within the lock: a rayon thread that waits for others may start another query of this mesh, which
            // takes the lock too.
            let fitted = oriented::fit(&self.tree, |place| self.corners(place));
            self.oriented.get_or_init(|| fitted)
        })
    }

    /// The volumes of the tree's slots that the user chose; `None` for `Auto`.
    pub(crate) fn fitted_volumes(&self) -> Option<&dyn FittedVolumes> {
        self.volumes.fitted_to(&self.tree, |place| self.corners(place))
    }

    /// The options of the hulls of the tree's slots; `None` when the mesh was given none.
    pub(crate) fn hull_tree(&self) -> Option<HullTree> {
        self.hulls.asked()
    }

    /// The hulls of the tree's slots, if the user chose them.
    pub(crate) fn hull_slots(&self) -> Option<&HullSlots> {
        self.hulls.on(&self.tree, |place| self.corners(place))
    }

    /// Whether the winding number decides what is inside; see [`Mesh::into_solid_by_winding`].
    pub fn is_solid_by_winding(&self) -> bool {
        self.interior == Interior::Winding
    }

    /// Moments of the tree's nodes, for winding numbers.
    pub(crate) fn winding(&self) -> &WindingMoments {
        self.winding
            .get_or_init(|| WindingMoments::new(&self.tree, |place| self.corners(place), |place| self.weight(place)))
    }

    /// Drops what was fitted to positions that no longer hold.
    pub(crate) fn forget_fitted(&mut self) {
        self.oriented = OnceLock::new();
        self.radius = OnceLock::new();
        self.volumes = self.volumes.unfitted();
        self.hulls = self.hulls.unbuilt();
        self.hull = OnceLock::new();
        self.convexity = OnceLock::new();
        self.out_of_hull = OnceLock::new();
        self.pieces = OnceLock::new();
        self.winding = OnceLock::new();
        self.surroundings = OnceLock::new();
        self.known_sides = KnownSides::default();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Corners of the triangle at a place in leaf order.
    #[inline(always)]
    pub(crate) fn corners(&self, place: u32) -> Triangle {
        let t = &self.triangles[place as usize];
        axes!(k => self.vertices[t[k] as usize])
    }

    /// Index, as given, of the triangle at a place in leaf order.
    pub(crate) fn id(&self, place: u32) -> u32 {
        self.ids[place as usize]
    }

    /// Number of places in leaf order: copies share one.
    pub(crate) fn place_count(&self) -> u32 {
        self.triangles.len() as u32
    }

    /// Further triangles with the corners of the one at a place in leaf order.
    #[inline(always)]
    pub(crate) fn copies(&self, place: u32) -> &[Duplicate] {
        if self.duplicates.is_empty() {
            return &[];
        }
        let start = self.duplicates.partition_point(|c| c.of < place);
        let len = self.duplicates[start..].partition_point(|c| c.of == place);
        &self.duplicates[start..start + len]
    }

    /// How often the triangle at a place in leaf order counts; copies of opposite orientation count negatively.
    pub(crate) fn weight(&self, place: u32) -> i64 {
        let copies = self.copies(place);
        1 + copies.len() as i64 - 2 * copies.iter().filter(|c| c.is_flipped()).count() as i64
    }

    /// Indices, as given, of all triangles at a place in leaf order.
    pub(crate) fn all_at(&self, place: u32) -> impl Iterator<Item = u32> + Clone + '_ {
        std::iter::once(self.id(place)).chain(self.copies(place).iter().map(|c| c.id))
    }

    /// Places of the corners of the triangle at a place in leaf order: equal for corners at equal positions.
    #[inline(always)]
    pub(crate) fn corner_places(&self, place: u32) -> [u32; 3] {
        self.triangles[place as usize]
    }

    /// Place in leaf order of a triangle.
    pub(crate) fn place(&self, id: u32) -> Option<u32> {
        self.places.get(id as usize).copied()
    }

    /// Indices, as given, of the corners of the (first) triangle at a place in leaf order.
    pub(crate) fn corner_ids(&self, place: u32) -> [u32; 3] {
        self.original_corners.at(place, self.id(place), self.kept_corners(place))
    }

    /// The same by the vertices that were kept where several are equal.
    pub(crate) fn kept_corners(&self, place: u32) -> [u32; 3] {
        self.triangles[place as usize].map(|v| self.vertex_ids[v as usize])
    }

    /// The vertices that triangles use.
    pub(crate) fn points(&self) -> &[DVec3] {
        &self.vertices
    }

    /// A point of each connected piece.
    pub(crate) fn component_points(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.component_vertices.iter().map(|&v| self.vertices[v as usize])
    }
}

/// Refuses positions for which no query could give an answer, and names the first of them.
pub(crate) fn validate_positions(vertices: &[DVec3]) -> Result<(), BuildError> {
    if vertices.len() >= u32::MAX as usize {
        let (count, limit) = (vertices.len(), u32::MAX as usize - 1);
        return Err(BuildError::TooMany { what: "vertices", count, limit });
    }
    for (vertex, v) in vertices.iter().enumerate() {
        let position = v.to_array();
        if !v.is_finite() {
            return Err(BuildError::NotFinite { vertex, position });
        }
        if v.abs().max_element() > LIMIT {
            return Err(BuildError::TooLarge { vertex, position, limit: LIMIT });
        }
    }
    Ok(())
}

/// Refuses triangles that name vertices beyond their number, and a list without triangles.
fn validate_triangles(vertices: usize, triangles: &[[u32; 3]]) -> Result<(), BuildError> {
    if triangles.len() > MAX_TRIANGLES {
        let (count, limit) = (triangles.len(), MAX_TRIANGLES);
        return Err(BuildError::TooMany { what: "triangles", count, limit });
    }
    for (triangle, t) in triangles.iter().enumerate() {
        if let Some(&index) = t.iter().find(|&&v| v as usize >= vertices) {
            return Err(BuildError::IndexOutOfRange { triangle, index, vertices });
        }
    }
    if triangles.is_empty() { Err(BuildError::Empty) } else { Ok(()) }
}
