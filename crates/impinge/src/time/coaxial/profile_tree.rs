//! A tree over the profiles of a body's pieces, whose nodes are bounded along a few directions of the plane.
//!
//! A turned part has few directions in its profile: cylinders, end faces and cones each give one, a thread two. Along
//! just these the pieces of two parts that run close to each other are apart, though their boxes overlap. So the
//! directions of a tree are the two axes, and normals of the edges that are longest in sum. Pieces at the same place of
//! the profile all round the axis end up in the same node, which is no larger than one of them; so two threads are told
//! apart at the nodes, without comparing each piece of the one with each of the other.
//!
//! The tree is split at the median of the longer side of the box around the centres.
//! Cost: `n·log n` to build.

use std::f64::consts::PI;
use std::ops::Range;

use arrayvec::ArrayVec;
use glam::DVec2;

use super::profile::ProfileTriangle;

/// The directions besides the axes of the plane.
const MOST_NORMALS: usize = 6;
/// The normals are told apart in steps of this share of a half turn.
const ANGLES: usize = 512;
/// Normals that are nearer to each other than this number of steps count as one.
const SAME: usize = 3;
/// The most triangles of a leaf.
const LEAF: usize = 4;

/// Unit directions of the plane of `(r, u)`, the axes of the plane left out.
pub(crate) type Normals = ArrayVec<DVec2, MOST_NORMALS>;

/// The normals of the edges that are longest in sum.
pub(crate) fn common_normals(profiles: [&[ProfileTriangle]; 2]) -> Normals {
    let mut lengths = vec![0.0; ANGLES];
    let mut exact = vec![DVec2::ZERO; ANGLES];
    for triangle in profiles.into_iter().flatten() {
        let [p, q, r] = triangle.corners;
        for edge in [q - p, r - q, p - r] {
            let length = edge.length();
            // The axes are tested anyway.
            if edge.x.abs().min(edge.y.abs()) <= 1e-9 * length || !length.is_finite() {
                continue;
            }
            let normal = if edge.x > 0.0 { edge.perp() } else { -edge.perp() } / length;
            let step = (normal.to_angle() / PI * ANGLES as f64) as usize % ANGLES;
            lengths[step] += length;
            exact[step] += normal * length;
        }
    }
    let mut normals = Normals::new();
    while !normals.is_full() {
        let best = (0..ANGLES).fold(0, |best, step| if lengths[step] > lengths[best] { step } else { best });
        if lengths[best] <= 0.0 {
            break;
        }
        normals.extend(exact[best].try_normalize());
        for near in 0..=2 * SAME {
            lengths[(best + ANGLES + near - SAME) % ANGLES] = 0.0;
        }
    }
    normals
}

/// How far what is in a node reaches: the box, and from and to along each of the normals.
#[derive(Debug, Clone)]
pub(crate) struct Extent {
    pub(crate) low: DVec2,
    pub(crate) high: DVec2,
    along: ArrayVec<[f64; 2], MOST_NORMALS>,
}

impl Extent {
    fn of(triangle: &ProfileTriangle, normals: &Normals) -> Extent {
        let along = normals.iter().map(|&n| triangle.along(n)).collect();
        Extent { low: triangle.low, high: triangle.high, along }
    }

    fn add(&mut self, other: &Extent) {
        (self.low, self.high) = (self.low.min(other.low), self.high.max(other.high));
        for ([from, to], [f, t]) in self.along.iter_mut().zip(&other.along) {
            (*from, *to) = (from.min(*f), to.max(*t));
        }
    }

    /// How far two are apart at least; negative or 0 where that is not known.
    #[inline(always)]
    pub(crate) fn gap(&self, other: &Extent) -> f64 {
        let sides = (self.low - other.high).max(other.low - self.high);
        let by_box = if sides.x > 0.0 && sides.y > 0.0 { sides.length() } else { sides.max_element() };
        let pairs = self.along.iter().zip(&other.along);
        pairs.fold(by_box, |gap, ([from, to], [f, t])| gap.max(f - to).max(from - t))
    }

    pub(crate) fn size(&self) -> f64 {
        (self.high - self.low).max_element()
    }
}

/// A node: its extent, and its two children or its triangles.
#[derive(Debug)]
pub(crate) struct ProfileNode {
    pub(crate) extent: Extent,
    pub(crate) below: ProfileBelow,
}

#[derive(Debug, Clone)]
pub(crate) enum ProfileBelow {
    Nodes([usize; 2]),
    Triangles(Range<usize>),
}

/// A tree; its root is the first node. There is none where there are no triangles.
#[derive(Debug)]
pub(crate) struct ProfileTree {
    pub(crate) nodes: Vec<ProfileNode>,
    pub(crate) triangles: Vec<(ProfileTriangle, Extent)>,
}

impl ProfileTree {
    pub(crate) fn new(triangles: Vec<ProfileTriangle>, normals: &Normals) -> ProfileTree {
        let triangles = triangles.into_iter().map(|triangle| (triangle, Extent::of(&triangle, normals))).collect();
        let mut tree = ProfileTree { nodes: Vec::new(), triangles };
        if !tree.triangles.is_empty() {
            tree.add_node(0..tree.triangles.len());
        }
        tree
    }

    /// The depth is the logarithm of the number of triangles, since every split is at the median.
    fn add_node(&mut self, range: Range<usize>) -> usize {
        let of_range = &mut self.triangles[range.clone()];
        let centre = |triangle: &ProfileTriangle| 0.5 * (triangle.low + triangle.high);
        let mut extent = of_range[0].1.clone();
        let (mut low, mut high) = (centre(&of_range[0].0), centre(&of_range[0].0));
        for (triangle, own) in of_range.iter() {
            extent.add(own);
            (low, high) = (low.min(centre(triangle)), high.max(centre(triangle)));
        }
        let node = self.nodes.len();
        let leaf = ProfileBelow::Triangles(range.clone());
        self.nodes.push(ProfileNode { extent, below: leaf });
        if range.len() > LEAF && low != high {
            let axis = usize::from(high.y - low.y > high.x - low.x);
            let middle = of_range.len() / 2;
            of_range.select_nth_unstable_by(middle, |x, y| centre(&x.0)[axis].total_cmp(&centre(&y.0)[axis]));
            let split = range.start + middle;
            let below = [self.add_node(range.start..split), self.add_node(split..range.end)];
            self.nodes[node].below = ProfileBelow::Nodes(below);
        }
        node
    }
}
