//! What lies around each corner and edge of a mesh: the normals between which a contact there may point.
//!
//! A contact on an edge or a corner has many directions to choose from, and the one computed from two shapes may point
//! sideways where the surface goes on flat (a ghost edge). So a direction is *clamped* to what the adjacent faces
//! allow. At a convex edge these are the directions between the normals of its faces, the Voronoi region of the edge;
//! at a convex corner those of its Voronoi region, which no edge that leaves it rises above; elsewhere (on flat or
//! hollow edges, at borders, next to triangles without area) the normals of the faces alone.
//!
//! Triangles that meet in flat edges make up a *patch*, named by the least of their indices.
//!
//! A triangle that occurs wound both ways is *two-sided*. Each side has surroundings of its own, in which the normals
//! of all such triangles are turned about; which side is the front is one choice for all that hang together.
//!
//! Cost: made once a mesh, in one pass over its triangles; a question costs the triangles around a corner.

use glam::DVec3;

use super::sheets::FaceSide;
use super::triangle_mesh::{Incidence, Mesh, NormalCones};
use crate::prim::{Part, Triangle};

/// Normals that differ by less than this, in radians, are those of one plane.
const FLAT: f64 = 1e-6;

/// How much one point may be above a plane, by its distance, and still be on it.
const LEVEL: f64 = 1e-9;

impl Mesh {
    /// Seen from the front. Made when first asked for.
    pub(crate) fn surroundings(&self) -> &NormalCones {
        self.surroundings.get_or_init(|| {
            let turned = self.turned_sheets();
            let backs = self.has_sheets().then(|| {
                let is_back = |place: usize| self.is_two_sided(place as u32);
                let turned = turned.iter().enumerate().map(|(place, &turned)| turned != is_back(place));
                let mut backs = NormalCones::new(self, turned.collect());
                // Counted from the other end: no back belongs to the patch of a front.
                backs.patches.iter_mut().for_each(|patch| *patch = !*patch);
                Box::new(backs)
            });
            Box::new(NormalCones { backs, ..NormalCones::new(self, turned) })
        })
    }

    /// Seen from this side.
    pub(crate) fn surroundings_from(&self, side: FaceSide) -> &NormalCones {
        let front = self.surroundings();
        match side {
            FaceSide::Front => front,
            FaceSide::Back => front.backs.as_deref().unwrap_or(front),
        }
    }

    /// The side to which a triangle, by its index as given, pushes.
    pub(crate) fn side_of(&self, id: u32) -> FaceSide {
        let Some(place) = self.place(id).filter(|&place| self.is_two_sided(place)) else { return FaceSide::Front };
        let is_flipped = self.copies(place).iter().any(|copy| copy.id == id && copy.is_flipped());
        let is_turned = self.surroundings().turned.get(place as usize) == Some(&true);
        if is_flipped == is_turned { FaceSide::Front } else { FaceSide::Back }
    }

    /// The first triangle at a place that pushes to this side.
    pub(crate) fn id_from(&self, place: u32, side: FaceSide) -> u32 {
        let mut all = self.all_at(place);
        all.find(|&id| self.side_of(id) == side).unwrap_or(self.id(place))
    }
}

/// The unit normal by the winding; zero without an area.
pub(crate) fn unit_normal([a, b, c]: &Triangle) -> DVec3 {
    let (u, v) = (*b - *a, *c - *a);
    let largest = u.abs().max_element().max(v.abs().max_element());
    if largest == 0.0 {
        return DVec3::ZERO;
    }
    let (u, v) = (u / largest, v / largest);
    let n = u.cross(v);
    // Shorter than its rounding, a normal says nothing.
    if n.length_squared() <= 1e-28 { DVec3::ZERO } else { n.normalize_or_zero() }
}

impl NormalCones {
    fn new(mesh: &Mesh, turned: Vec<bool>) -> NormalCones {
        let side = if mesh.report.volume.is_some_and(|volume| volume < 0.0) { -1.0 } else { 1.0 };
        // A sheet encloses nothing, whatever the volume is by rounding.
        let turn = |place: u32| match turned.get(place as usize) {
            Some(true) => -1.0,
            Some(false) if mesh.is_two_sided(place) => 1.0,
            _ => side,
        };
        let normals = (0..mesh.place_count()).map(|place| unit_normal(&mesh.corners(place)) * turn(place)).collect();
        let incidence = Incidence::of(mesh);
        let mut surroundings = NormalCones { normals, incidence, patches: Vec::new(), turned, backs: None };
        surroundings.patches = surroundings.flat_patches(mesh);
        surroundings
    }

    /// Joins triangles over flat edges, by union-find with path halving.
    fn flat_patches(&self, mesh: &Mesh) -> Vec<u32> {
        let mut parent: Vec<u32> = (0..mesh.place_count()).collect();
        fn root(parent: &mut [u32], mut t: u32) -> u32 {
            while parent[t as usize] != t {
                parent[t as usize] = parent[parent[t as usize] as usize];
                t = parent[t as usize];
            }
            t
        }
        for place in 0..mesh.place_count() {
            for side in 0..3 {
                if let Some(other) = self.flat_neighbour(mesh, place, side) {
                    let [x, y] = [place, other].map(|t| root(&mut parent, t));
                    let lower = if mesh.id(x) <= mesh.id(y) { x } else { y };
                    parent[x as usize] = lower;
                    parent[y as usize] = lower;
                }
            }
        }
        (0..mesh.place_count()).map(|place| mesh.id(root(&mut parent, place))).collect()
    }

    /// The only other triangle at an edge, where the two lie in one plane.
    fn flat_neighbour(&self, mesh: &Mesh, place: u32, side: usize) -> Option<u32> {
        let mut beside = self.beside(mesh, place, side);
        let (other, forward) = beside.next()?;
        let alone = beside.next().is_none();
        let [n, m] = [place, other].map(|t| self.normals[t as usize]);
        (alone && !forward && n != DVec3::ZERO && n.distance_squared(m) <= FLAT * FLAT).then_some(other)
    }

    /// The other triangles at an edge, and whether they run through it in the same direction, as seen.
    fn beside<'s>(&'s self, mesh: &'s Mesh, place: u32, side: usize) -> impl Iterator<Item = (u32, bool)> + 's {
        let is_turned = |t: u32| self.turned.get(t as usize) == Some(&true);
        self.incidence
            .beside(mesh, place, side)
            .map(move |(other, forward)| (other, forward != (is_turned(place) != is_turned(other))))
    }

    /// The triangles around a vertex.
    fn around(&self, v: u32) -> &[u32] {
        self.incidence.around(v)
    }

    /// The triangles around a corner of one.
    pub(crate) fn around_corner(&self, mesh: &Mesh, place: u32, corner: usize) -> &[u32] {
        self.around(mesh.corner_places(place)[corner])
    }

    /// The outward unit normal; zero without an area.
    pub(crate) fn normal(&self, place: u32) -> DVec3 {
        self.normals[place as usize]
    }

    /// The patch that the triangle belongs to.
    pub(crate) fn patch(&self, place: u32) -> u32 {
        self.patches[place as usize]
    }

    /// Whether a part of a triangle's border lies within its patch: the surface goes on flat there.
    pub(crate) fn is_within_patch(&self, mesh: &Mesh, place: u32, part: Part) -> bool {
        match part {
            Part::Face => false,
            Part::Edge(side) => self.flat_neighbour(mesh, place, usize::from(side) % 3).is_some(),
            Part::Vertex(corner) => {
                let v = mesh.corner_places(place)[usize::from(corner) % 3];
                self.around(v).iter().all(|&t| {
                    let k = (0..3).find(|&k| mesh.corner_places(t)[k] == v).unwrap_or(0);
                    [k, (k + 2) % 3].iter().all(|&side| self.flat_neighbour(mesh, t, side).is_some())
                })
            }
        }
    }

    /// The direction nearest to `m` that a contact on this part of a triangle may have.
    pub(crate) fn clamp(&self, mesh: &Mesh, place: u32, part: Part, m: DVec3) -> DVec3 {
        let n = self.normal(place);
        if n == DVec3::ZERO {
            return self.clamp_without_area(mesh, place, m);
        }
        match part {
            Part::Face => n,
            Part::Edge(side) => self.clamp_to_edge(mesh, place, usize::from(side) % 3, m),
            Part::Vertex(corner) => self.clamp_to_corner(mesh, place, usize::from(corner) % 3, m),
        }
    }

    /// Of a triangle without an area: what those around its corners allow, else anything.
    fn clamp_without_area(&self, mesh: &Mesh, place: u32, m: DVec3) -> DVec3 {
        let around = (0..3).flat_map(|corner| self.around_corner(mesh, place, corner)).map(|&t| self.normal(t));
        around.filter(|n| *n != DVec3::ZERO).max_by(|x, y| x.dot(m).total_cmp(&y.dot(m))).unwrap_or(m)
    }

    fn clamp_to_edge(&self, mesh: &Mesh, place: u32, side: usize, m: DVec3) -> DVec3 {
        let (n, t) = (self.normal(place), mesh.corners(place));
        let (tail, along) = (t[side], t[(side + 1) % 3] - t[side]);
        let across = (m - along * (m.dot(along) / along.length_squared())).normalize_or_zero();
        let mut best = n;
        for (other, forward) in self.beside(mesh, place, side) {
            let o = self.normal(other) * if forward { -1.0 } else { 1.0 };
            if o == DVec3::ZERO || self.rises_over(mesh, n, tail, other) {
                return n;
            }
            let turn = n.cross(o);
            let between = n.cross(across).dot(turn) >= 0.0 && across.cross(o).dot(turn) >= 0.0;
            let nearest = if between && across != DVec3::ZERO && n.dot(o) > -1.0 + LEVEL {
                across
            } else if o.dot(m) > n.dot(m) {
                o
            } else {
                n
            };
            if nearest.dot(m) > best.dot(m) {
                best = nearest;
            }
        }
        best
    }

    /// Whether a triangle at an edge reaches above the plane through it, or lies in it.
    fn rises_over(&self, mesh: &Mesh, n: DVec3, on_plane: DVec3, other: u32) -> bool {
        mesh.corners(other).iter().any(|x| {
            let off = *x - on_plane;
            n.dot(off) > LEVEL * off.length()
        }) || mesh.corners(other).iter().all(|x| {
            let off = *x - on_plane;
            n.dot(off) >= -LEVEL * off.length()
        })
    }

    fn clamp_to_corner(&self, mesh: &Mesh, place: u32, corner: usize, m: DVec3) -> DVec3 {
        let v = mesh.corner_places(place)[corner];
        let at = mesh.points()[v as usize];
        let around = self.around(v);
        if around.iter().any(|&t| self.normal(t) == DVec3::ZERO) {
            return self.normal(place);
        }
        let is_closed = [corner, (corner + 2) % 3].iter().all(|&side| self.beside(mesh, place, side).next().is_some());
        let rises = |t: &u32| mesh.corners(*t).iter().any(|x| m.dot(*x - at) > LEVEL * (*x - at).length());
        if is_closed && around.len() >= 3 && !around.iter().any(rises) {
            return m;
        }
        let mut best = self.normal(place);
        for &t in around {
            let Some(k) = (0..3).find(|&k| mesh.corner_places(t)[k] == v) else { continue };
            for side in [k, (k + 2) % 3] {
                let nearest = self.clamp_to_edge(mesh, t, side, m);
                if nearest.dot(m) > best.dot(m) + LEVEL {
                    best = nearest;
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ridge along y, and beside it a plane of two triangles.
    fn roof() -> Mesh {
        let v = [[0., 0., 1.], [0., 1., 1.], [1., 0., 0.], [1., 1., 0.], [-1., 0., 0.], [-1., 1., 0.]];
        let t = vec![[0, 2, 1], [1, 2, 3], [0, 1, 4], [1, 5, 4]];
        Mesh::new(v.map(DVec3::from_array).to_vec(), t).unwrap()
    }

    fn place_of(mesh: &Mesh, id: u32) -> u32 {
        mesh.place(id).unwrap()
    }

    /// The side of a triangle between two of its corners.
    fn side(mesh: &Mesh, place: u32, ends: [u32; 2]) -> u8 {
        let ids = mesh.corner_ids(place);
        (0..3u8)
            .find(|&k| {
                let [v, w] = [ids[usize::from(k)], ids[(usize::from(k) + 1) % 3]];
                [v.min(w), v.max(w)] == ends
            })
            .unwrap()
    }

    #[test]
    fn directions_stay_between_the_faces_of_a_ridge() {
        let mesh = roof();
        let around = mesh.surroundings();
        let place = place_of(&mesh, 0);
        let ridge = Part::Edge(side(&mesh, place, [0, 1]));
        let steep = DVec3::new(1.0, 0.0, 1.0).normalize();
        for (m, clamped) in [
            (DVec3::Z, DVec3::Z),
            (DVec3::new(0.3, 0.0, 1.0).normalize(), DVec3::new(0.3, 0.0, 1.0).normalize()),
            (DVec3::X, steep),
            (DVec3::new(0.0, 0.7, 1.0).normalize(), DVec3::Z),
            (-DVec3::X, DVec3::new(-1.0, 0.0, 1.0).normalize()),
        ] {
            assert!(around.clamp(&mesh, place, ridge, m).distance(clamped) < 1e-12, "{m}");
        }
    }

    #[test]
    fn flat_edges_and_borders_have_the_normal_of_the_plane() {
        let mesh = roof();
        let around = mesh.surroundings();
        let steep = DVec3::new(1.0, 0.0, 1.0).normalize();
        for (id, ends) in [(0, [1, 2]), (1, [1, 2]), (1, [2, 3])] {
            let place = place_of(&mesh, id);
            let part = Part::Edge(side(&mesh, place, ends));
            for m in [DVec3::X, DVec3::Y, -DVec3::Z, DVec3::ONE.normalize()] {
                assert!(around.clamp(&mesh, place, part, m).distance(steep) < 1e-12, "{id} {ends:?} {m}");
            }
        }
        let [p, q, r] = [0, 1, 2].map(|id| around.patch(place_of(&mesh, id)));
        assert!(p == q && q != r);
    }
}
