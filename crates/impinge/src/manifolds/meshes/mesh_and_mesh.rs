//! The manifolds of two meshes: the region in which surfaces cross has one normal, and its points are the vertices that
//! lie below the other surface, the crossings of edges, and the corners of faces that lie on each other.
//!
//! Pairs of triangles that share one are a region. The normal along which the volume of what two bodies have in common
//! falls fastest is the vector area of the curve in which their surfaces cross (the divergence theorem: it is that of
//! either surface within the other), `½ Σ (p − c) × (q − c)` over its segments. So where one surface is flat it is its
//! normal, however it is cut into triangles. Where the curve bends around a corner, as that of a box on a floor and
//! against a wall, the pairs are told apart: each takes the normal of that triangle of the two that is nearer to the
//! area's, and those of like normals are a manifold.
//!
//! The depth of a vertex is its distance from the other surface along the normal. From the triangles that cross the
//! search goes on to their neighbours while these are below the surface.
//!
//! Pairs that are apart, by less than the prediction, have the direction between their closest points, clamped to what
//! the faces there allow, or the normal of faces that lie on each other.
//!
//! Cost: some hundred products a pair, a line through the tree for each vertex.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use glam::DVec3;

use super::mesh_line::below_surface;
use super::triangle_pair::{PairPoint, TrianglesMeet, deepest_along, meeting};
use crate::answer::{DepthKind, Feature};
use crate::manifolds::gather::{Gathered, Gathering};
use crate::manifolds::list::ContactPoint;
use crate::math::{Pose, Relative};
use crate::model::Mesh;
use crate::model::mesh::sheets::FaceSide;
use crate::model::mesh::triangle_mesh::NormalCones;
use crate::narrow::mesh::mesh_contact::feature;
use crate::narrow::mesh::placed::placed_meshes::PlacedMeshes;
use crate::prim::{Part, Triangle, triangles_overlap};

/// Cosine of the angle within which normals belong to one manifold.
const ALIKE: f64 = 0.9;

/// How far, in radians, a direction may be from what the faces allow.
const ALLOWED: f64 = 1e-6;

/// Most vertices of a region that are looked at.
const MOST_VERTICES: usize = 4096;

/// Most pairs of a region of which edges are compared with edges.
const MOST_EDGE_PAIRS: usize = 4096;

/// Two meshes in `a`'s frame.
pub(crate) struct TwoMeshes<'q> {
    pub(crate) placed: &'q PlacedMeshes<'q>,
    /// From where the two-sided triangles of each are seen.
    pub(crate) sides: [FaceSide; 2],
    pub(crate) poses: [&'q Pose; 2],
    pub(crate) reach: f64,
}

/// Two triangles that are near each other, in `a`'s frame.
struct NearPair {
    places: [u32; 2],
    normals: [DVec3; 2],
    meeting: TrianglesMeet,
    overlap: bool,
    /// From `a` to `b`.
    normal: DVec3,
}

impl TwoMeshes<'_> {
    /// Adds the manifolds of these pairs of triangles, by their places.
    pub(crate) fn add(&self, pairs: &[[u32; 2]], gathering: &mut Gathering) {
        for cluster in self.clusters(pairs) {
            self.points(&cluster, gathering);
        }
    }

    /// The normal of each pair of triangles, by their places, ascending.
    pub(crate) fn normals(&self, pairs: &[[u32; 2]]) -> Vec<([u32; 2], DVec3)> {
        let clusters = self.clusters(pairs);
        let mut all: Vec<([u32; 2], DVec3)> = Vec::new();
        for cluster in &clusters {
            all.extend(cluster.pairs.iter().map(|pair| (pair.places, cluster.normal)));
            all.extend(cluster.minor.iter().map(|&places| (places, cluster.normal)));
        }
        all.sort_unstable_by_key(|(places, _)| *places);
        all
    }

    fn clusters(&self, pairs: &[[u32; 2]]) -> Vec<Cluster> {
        let near: Vec<NearPair> = pairs.iter().filter_map(|&places| self.near(places)).collect();
        // Pairs that touch and do not cross go with those that do, or that lie on each other, where there are any: the
        // sides of boxes that stand on each other touch along edges, too.
        let is_minor = |pair: &NearPair| match pair.meeting {
            TrianglesMeet::Facing(_) => false,
            TrianglesMeet::Crossing([p, q]) => p.distance(q) <= 16.0 * self.noise() || !self.is_proper(pair),
            TrianglesMeet::Beside(_) => pair.overlap,
        };
        let (minor, major): (Vec<NearPair>, Vec<NearPair>) = near.into_iter().partition(is_minor);
        let (first, minor) = if major.is_empty() { (minor, major) } else { (major, minor) };
        let regions = regions(first, |pair| pair.places);
        let mut clusters: Vec<Cluster> = regions.into_iter().flat_map(told_apart).collect();
        for pair in minor {
            let alike = |cluster: &&mut Cluster| cluster.normal.dot(pair.normal);
            if let Some(cluster) = clusters.iter_mut().max_by(|x, y| alike(x).total_cmp(&alike(y))) {
                cluster.minor.push(pair.places);
            }
        }
        clusters
    }

    fn place(&self) -> &Relative {
        &self.placed.b_in_a
    }

    fn around(&self) -> [&NormalCones; 2] {
        [self.placed.a.surroundings_from(self.sides[0]), self.placed.b.surroundings_from(self.sides[1])]
    }

    fn triangles(&self, [i, j]: [u32; 2]) -> [Triangle; 2] {
        [self.placed.a.corners(i), self.placed.b.corners(j).map(|x| self.place().apply(x))]
    }

    fn near(&self, places: [u32; 2]) -> Option<NearPair> {
        let [a, b] = self.triangles(places);
        let around = self.around();
        let normals = [around[0].normal(places[0]), self.place().rotation * around[1].normal(places[1])];
        let overlap = triangles_overlap(&self.placed.a_triangle(places[0]), &self.placed.b_triangle(places[1]));
        let meeting = meeting(&a, &b, normals, overlap);
        let [n, _] = normals;
        let normal = match &meeting {
            TrianglesMeet::Facing(_) | TrianglesMeet::Crossing(_) => n,
            TrianglesMeet::Beside(x) => self.beside(places, x, normals, overlap)?,
        };
        let normal = normal.try_normalize().unwrap_or(DVec3::Z);
        Some(NearPair { places, normals, meeting, overlap, normal })
    }

    /// The normal of triangles that are apart, or touch in a point. Apart they count where the faces of both allow the
    /// direction between them.
    fn beside(&self, places: [u32; 2], x: &PairPoint, [n, m]: [DVec3; 2], overlap: bool) -> Option<DVec3> {
        let [p, q] = x.points;
        let distance = p.distance(q);
        let around = self.around();
        let way = match x.parts {
            [Part::Face, _] if n != DVec3::ZERO => n,
            [_, Part::Face] if m != DVec3::ZERO => -m,
            _ if overlap || distance <= self.noise() => match (overlap, n == DVec3::ZERO) {
                (false, _) => return None,
                (true, false) => n,
                (true, true) => -m,
            },
            _ => (q - p) / distance,
        };
        let on_a = around[0].clamp(self.placed.a, places[0], x.parts[0], way);
        if overlap {
            return Some(on_a);
        }
        let turn = self.place().rotation;
        let on_b = turn * around[1].clamp(self.placed.b, places[1], x.parts[1], turn.transpose() * -way);
        let allowed = on_a.distance(way) <= ALLOWED && on_b.distance(-way) <= ALLOWED;
        let ahead = (q - p).dot(way) >= -self.noise();
        (allowed && ahead && distance <= self.reach + self.noise()).then_some(way)
    }

    /// Whether each of two triangles reaches to both sides of the other's plane.
    fn is_proper(&self, pair: &NearPair) -> bool {
        let [a, b] = self.triangles(pair.places);
        let noise = self.noise();
        let on_both = |t: &Triangle, plane: &Triangle, n: DVec3| {
            let heights = t.map(|x| n.dot(x - plane[0]));
            heights.iter().any(|h| *h > noise) && heights.iter().any(|h| *h < -noise)
        };
        on_both(&b, &a, pair.normals[0]) && on_both(&a, &b, pair.normals[1])
    }

    /// The points of a manifold.
    fn points(&self, cluster: &Cluster, gathering: &mut Gathering) {
        let n = cluster.normal;
        let mut found = 0;
        for pair in &cluster.pairs {
            match &pair.meeting {
                TrianglesMeet::Facing(corners) => {
                    for x in corners {
                        found += usize::from(self.offer(cluster, pair.places, *x, gathering));
                    }
                }
                TrianglesMeet::Beside(x) => found += usize::from(self.offer(cluster, pair.places, *x, gathering)),
                TrianglesMeet::Crossing(_) => {}
            }
        }
        let crossing = || cluster.pairs.iter().filter(|pair| matches!(pair.meeting, TrianglesMeet::Crossing(_)));
        if crossing().next().is_none() {
            return;
        }
        let before = found;
        found += self.vertices(cluster, 0, gathering) + self.vertices(cluster, 1, gathering);
        if crossing().count() <= MOST_EDGE_PAIRS {
            for pair in crossing() {
                let [a, b] = self.triangles(pair.places);
                if let Some((_, x)) = deepest_along(&a, &b, n)
                    && matches!(x.parts, [Part::Edge(_), Part::Edge(_)])
                {
                    found += usize::from(self.offer(cluster, pair.places, x, gathering));
                }
            }
        }
        if found > before {
            return;
        }
        for pair in crossing() {
            let TrianglesMeet::Crossing([p, q]) = pair.meeting else { continue };
            let x = PairPoint { points: [p.midpoint(q); 2], parts: [Part::Face; 2] };
            self.offer(cluster, pair.places, x, gathering);
        }
    }

    /// The vertices of one body that lie below the surface of the other: those of the triangles that cross, and on from
    /// these.
    fn vertices(&self, cluster: &Cluster, of: usize, gathering: &mut Gathering) -> usize {
        let meshes = [self.placed.a, self.placed.b];
        let (mesh, other) = (meshes[of], meshes[1 - of]);
        let (turn, place) = (self.place().rotation, self.place());
        // From a vertex of `b` the surface of `a` is along the normal; from one of `a` that of `b` is against it.
        let direction = if of == 1 { cluster.normal } else { -(turn.transpose() * cluster.normal) };
        let most = 2.0 * (other.aabb().max - other.aabb().min).length();
        let (mut open, mut seen) = (VecDeque::new(), BTreeSet::new());
        for pair in cluster.pairs.iter().filter(|pair| matches!(pair.meeting, TrianglesMeet::Crossing(_))) {
            for corner in 0..3 {
                if seen.insert(mesh.corner_places(pair.places[of])[corner]) {
                    open.push_back((pair.places[of], corner));
                }
            }
        }
        let mut found = 0;
        while let Some((at, corner)) = open.pop_front() {
            let x = mesh.corners(at)[corner];
            let seen_from_other = if of == 1 { place.apply(x) } else { place.inverse().apply(x) };
            let Some((depth, below)) = below_surface(other, seen_from_other, direction, most) else { continue };
            let x = if of == 1 { seen_from_other } else { x };
            let y = if of == 1 { x + cluster.normal * depth } else { x - cluster.normal * depth };
            let (points, parts, places) = if of == 1 {
                ([y, x], [Part::Face, Part::Vertex(corner as u8)], [below, at])
            } else {
                ([x, y], [Part::Vertex(corner as u8), Part::Face], [at, below])
            };
            found += usize::from(self.offer(cluster, places, PairPoint { points, parts }, gathering));
            for &t in self.around()[of].around_corner(mesh, at, corner) {
                for k in 0..3 {
                    if seen.len() < MOST_VERTICES && seen.insert(mesh.corner_places(t)[k]) {
                        open.push_back((t, k));
                    }
                }
            }
        }
        found
    }

    fn offer(&self, cluster: &Cluster, places: [u32; 2], x: PairPoint, gathering: &mut Gathering) -> bool {
        let depth = (x.points[0] - x.points[1]).dot(cluster.normal);
        if depth.is_nan() || depth < -self.reach - self.noise() {
            return false;
        }
        let meshes: [&Mesh; 2] = [self.placed.a, self.placed.b];
        let (features, around) = ([0, 1].map(|k| feature(meshes[k], places[k], x.parts[k])), self.around());
        let named = [0, 1].map(|k| match features[k] {
            Feature::Face { .. } => Feature::Face { triangle: around[k].patch(places[k]) },
            other => other,
        });
        let seam = [0, 1].iter().any(|&k| around[k].is_within_patch(meshes[k], places[k], x.parts[k]));
        let points = x.points.map(|p| self.poses[0].apply(p));
        let point = ContactPoint { features, ..ContactPoint::new(points, depth, named) };
        let gathered = Gathered {
            pair: [0, 1].map(|k| meshes[k].id_from(places[k], self.sides[k])),
            normal: self.poses[0].rotate(cluster.normal),
            patch: None,
            point,
            noise: self.noise(),
            seam,
        };
        gathering.add(&gathered, DepthKind::Local);
        true
    }

    fn noise(&self) -> f64 {
        4.0 * self.placed.noise(0.0) / self.placed.scale
    }
}

/// Pairs of like normals in one region.
struct Cluster {
    normal: DVec3,
    pairs: Vec<NearPair>,
    /// Pairs, by their places, that touch in a point and add none.
    minor: Vec<[u32; 2]>,
}

/// Splits a region into manifolds by normals.
fn told_apart(mut region: Vec<NearPair>) -> Vec<Cluster> {
    let area = vector_area(&region);
    for pair in &mut region {
        let [n, m] = pair.normals;
        if matches!(pair.meeting, TrianglesMeet::Crossing(_)) && (-m).dot(area) > n.dot(area) + 1e-9 * area.length() {
            pair.normal = -m;
        }
    }
    let mut clusters: Vec<Cluster> = Vec::new();
    for pair in region {
        match clusters.iter_mut().find(|cluster| cluster.normal.dot(pair.normal) > ALIKE) {
            Some(cluster) => cluster.pairs.push(pair),
            None => clusters.push(Cluster { normal: pair.normal, pairs: vec![pair], minor: Vec::new() }),
        }
    }
    for cluster in &mut clusters {
        cluster.normal = common_normal(&cluster.pairs);
    }
    clusters
}

/// Pairs that share a triangle, directly or through others, together; in the order of their first pairs.
pub(crate) fn regions<P>(pairs: Vec<P>, places: impl Fn(&P) -> [u32; 2]) -> Vec<Vec<P>> {
    let mut parent: Vec<usize> = (0..pairs.len()).collect();
    fn root(parent: &mut [usize], mut k: usize) -> usize {
        while parent[k] != k {
            parent[k] = parent[parent[k]];
            k = parent[k];
        }
        k
    }
    let mut first: [BTreeMap<u32, usize>; 2] = Default::default();
    for (k, pair) in pairs.iter().enumerate() {
        for (first, place) in first.iter_mut().zip(places(pair)) {
            let other = *first.entry(place).or_insert(k);
            let [x, y] = [other, k].map(|k| root(&mut parent, k));
            parent[x.max(y)] = x.min(y);
        }
    }
    let mut regions: BTreeMap<usize, Vec<P>> = BTreeMap::new();
    for (k, pair) in pairs.into_iter().enumerate() {
        regions.entry(root(&mut parent, k)).or_default().push(pair);
    }
    regions.into_values().collect()
}

/// The vector area of the curve in which triangles cross, about its middle: from `a` to `b`.
fn vector_area(pairs: &[NearPair]) -> DVec3 {
    let segments = || {
        pairs.iter().filter_map(|pair| match pair.meeting {
            TrianglesMeet::Crossing(ends) => Some(ends),
            _ => None,
        })
    };
    let count = segments().count();
    if count == 0 {
        return DVec3::ZERO;
    }
    let middle = segments().fold(DVec3::ZERO, |sum, [p, q]| sum + p.midpoint(q) / count as f64);
    segments().fold(DVec3::ZERO, |sum, [p, q]| sum + (p - middle).cross(q - middle) * 0.5)
}

/// The normal of a manifold: that of faces that lie on each other, that which all pairs have, the vector area where it
/// leads the same way, or the mean.
fn common_normal(pairs: &[NearPair]) -> DVec3 {
    let facing = pairs.iter().filter(|pair| matches!(pair.meeting, TrianglesMeet::Facing(_))).map(|pair| pair.normal);
    let touching = pairs.iter().filter(|pair| pair.overlap).map(|pair| pair.normal);
    let normals: Vec<DVec3> = match (facing.clone().next(), touching.clone().next()) {
        (Some(_), _) => facing.collect(),
        (_, Some(_)) => touching.collect(),
        _ => pairs.iter().map(|pair| pair.normal).collect(),
    };
    let first = normals[0];
    if normals.iter().all(|n| n.distance_squared(first) < 1e-18) {
        return first;
    }
    let mean = normals.iter().sum::<DVec3>().try_normalize().unwrap_or(first);
    match vector_area(pairs).try_normalize() {
        Some(area) if area.dot(mean) > ALIKE => area,
        _ => mean,
    }
}
