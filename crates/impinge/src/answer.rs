//! What the verbs answer: booleans with witnesses, intervals that contain the truth, and what it cost.

use glam::DVec3;
use smallvec::SmallVec;

use crate::math::Interval;

/// Whether the inside of at least one body counted.
///
/// ```
/// use impinge::{glam::DVec3, Mesh, Model, Pose, Round, Semantics};
/// let triangle = || Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]]);
/// let (sheet, ball) = (Model::from(triangle()?), Model::from(Round::sphere(1.0)?));
/// assert_eq!(impinge::overlap(&sheet, &Pose::IDENTITY, &sheet, &Pose::IDENTITY).semantics, Semantics::Surface);
/// assert_eq!(impinge::overlap(&sheet, &Pose::IDENTITY, &ball, &Pose::IDENTITY).semantics, Semantics::Solid);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Semantics {
    /// At least one body is a solid: lying inside it is touching it.
    Solid,
    /// Both bodies are surfaces without an inside.
    Surface,
}

crate::error::named! { Semantics { Solid = "solid", Surface = "surface" } }

/// Which body lies wholly inside the other (with surfaces apart).
///
/// ```
/// use impinge::{glam::DVec3, Containment, Mesh, Pair, Pose, Touch};
/// let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// let corners = |size: f64| [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|v| v * size).to_vec();
/// let (large, small) = (Mesh::new(corners(9.0), faces.clone())?, Mesh::new(corners(1.0), faces)?);
/// let answer = Pair::new(large, small).overlap(&Pose::IDENTITY, &Pose::at(DVec3::ONE)?);
/// assert_eq!(answer.witness, Some(Touch::Contained(Containment::BInA)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Containment {
    /// A component of `a` lies inside the solid `b`.
    AInB,
    /// A component of `b` lies inside the solid `a`.
    BInA,
    /// Both, and neither body lies inside the other: one is around a cavity of the other, or they are in several
    /// pieces.
    Mutual,
}

crate::error::named! { Containment { AInB = "a_in_b", BInA = "b_in_a", Mutual = "mutual" } }

impl Containment {
    /// The same with the bodies exchanged.
    pub(crate) fn swapped(self) -> Containment {
        match self {
            Containment::AInB => Containment::BInA,
            Containment::BInA => Containment::AInB,
            Containment::Mutual => Containment::Mutual,
        }
    }
}

/// The work a query did, in the units of the papers' tables.
///
/// | bodies | `volume_tests` | `primitive_tests` | `iterations` |
/// |---|---|---|---|
/// | two meshes | pairs of boxes | pairs of triangles, cheap rejections included | pairs of nodes opened |
/// | two meshes in hulls | pairs of boxes, and of hulls | pairs of triangles, as above | steps of GJK on hulls |
/// | mesh and convex or round body | boxes against the body | triangles against the body | none |
/// | convex and round bodies | none | points supported, two for a direction; or features tested | steps of the engine |
/// | parts and any body | pairs of hulls over the pieces | pairs of pieces | pairs of nodes opened |
///
/// A step is what the engine repeats: a pair of features for V-Clip and Lin-Canny, a direction for GJK and the
/// expanding polytope, an axis for the Gauss map, a plane or a vector for those that only tell apart. Brute force has
/// no steps, only pairs of features. So the steps of one engine compare with each other, not with those of another.
/// Where one hands over to another, those of both count; where rounding could decide, so do the triangles that decide
/// instead.
///
/// Not counted: what an engine does for one pair of pieces, or for one triangle against a convex body; a half-space,
/// which is one height; an answer that a pair remembers from the same poses.
///
/// ```
/// use impinge::{glam::DVec3, Convex, Method, Pair, Pose};
/// let body = Convex::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z])?;
/// let mut pair = Pair::new(body.clone(), body).with_method(Method::Gjk);
/// let stats = pair.distance(&Pose::IDENTITY, &Pose::at(DVec3::X * 3.0)?).stats;
/// assert!(stats.volume_tests == 0 && stats.iterations > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stats {
    /// Bounding volumes tested: boxes of meshes, hulls over parts. Single convex bodies have none.
    pub volume_tests: u64,
    /// Primitives tested, by pairs: triangles, pieces, features of polyhedra; or points supported.
    pub primitive_tests: u64,
    /// Steps of the main loop: node pairs opened, or steps of an engine for convex bodies.
    pub iterations: u64,
}

/// The smallest part of a triangle that carries a witness point. Indices are those given to the builder.
///
/// ```
/// use impinge::{glam::DVec3, Feature, Mesh, Pair, Pose};
/// let mesh = |corners: [[f64; 3]; 3]| Mesh::new(corners.map(DVec3::from_array).to_vec(), vec![[0, 1, 2]]);
/// let floor = mesh([[-9., -9., 0.], [9., -9., 0.], [0., 9., 0.]])?;
/// let drop = mesh([[0., 0., 1.], [1., 0., 2.], [0., 1., 2.]])?;
/// let near = Pair::new(floor, drop).distance(&Pose::IDENTITY, &Pose::IDENTITY).witness.expect("they are apart");
/// assert_eq!(near.features, [Feature::Face { triangle: 0 }, Feature::Vertex { triangle: 0, vertex: 0 }]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Feature {
    /// A corner.
    Vertex {
        /// The triangle it was found on.
        triangle: u32,
        /// The vertex.
        vertex: u32,
    },
    /// The inside of an edge.
    Edge {
        /// The triangle it was found on.
        triangle: u32,
        /// Its two ends.
        vertices: [u32; 2],
    },
    /// The inside of a face.
    Face {
        /// The triangle.
        triangle: u32,
    },
    /// A part of a convex body.
    Convex {
        /// Which piece of a body of parts; 0 for a single body.
        piece: u32,
        /// The part of it.
        element: Element,
    },
}

impl Feature {
    /// The triangle of a mesh that the feature belongs to.
    pub fn triangle(&self) -> Option<u32> {
        match *self {
            Feature::Vertex { triangle, .. } | Feature::Edge { triangle, .. } | Feature::Face { triangle } => {
                Some(triangle)
            }
            Feature::Convex { .. } => None,
        }
    }

    /// What tells the feature from all others of its body, as three numbers: corners and edges of meshes are the same
    /// on each of their triangles.
    #[inline]
    pub(crate) fn words(&self) -> [u64; 3] {
        let ends = |[v, w]: [u32; 2]| u64::from(v.min(w)) << 32 | u64::from(v.max(w));
        match *self {
            Feature::Vertex { vertex, .. } => [1, 0, vertex.into()],
            Feature::Edge { vertices, .. } => [2, 0, ends(vertices)],
            Feature::Face { triangle } => [3, 0, triangle.into()],
            Feature::Convex { piece, element } => match element {
                Element::Vertex(v) => [4, piece.into(), v.into()],
                Element::Edge(e) => [5, piece.into(), ends(e)],
                Element::Face(f) => [6, piece.into(), f.into()],
                Element::Surface => [7, piece.into(), 0],
                Element::Inside => [8, piece.into(), 0],
            },
        }
    }
}

/// A part of a convex body. Vertices are named by the index of the point given; faces are counted by the hull.
///
/// ```
/// use impinge::{glam::DVec3, Convex, Element, Feature, Pair, Pose, Round};
/// let body = Convex::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z])?;
/// let mut pair = Pair::new(body, Round::sphere(1.0)?);
/// let near = pair.distance(&Pose::IDENTITY, &Pose::at(DVec3::Z * 4.0)?).witness.expect("they are apart");
/// let [corner, ball] = [Element::Vertex(3), Element::Surface].map(|element| Feature::Convex { piece: 0, element });
/// assert_eq!(near.features, [corner, ball]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Element {
    /// A corner.
    Vertex(u32),
    /// The inside of an edge, by its ends.
    Edge([u32; 2]),
    /// The inside of a face.
    Face(u32),
    /// The curved surface of a smooth shape, or that of a margin.
    Surface,
    /// The inside.
    Inside,
}

/// The number of a pair of features; of corners and edges of meshes the triangle that they were found on is left out.
#[inline]
pub(crate) fn feature_pair_id(features: [Feature; 2]) -> u64 {
    features.into_iter().fold(0x243f_6a88_85a3_08d3, |id, feature| {
        let [kind, x, y] = feature.words();
        mixed(mixed(id ^ kind << 32 ^ x).wrapping_add(y))
    })
}

/// The finaliser of splitmix64 (Steele, Lea and Flood, 2014), a bijection in which every bit depends on every other.
#[inline]
fn mixed(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Two points that realise a distance, the first on `a`, the second on `b`, in the world frame.
///
/// ```
/// use impinge::{glam::DVec3, Pair, Pose, Round};
/// let mut pair = Pair::new(Round::sphere(1.0)?, Round::sphere(1.0)?);
/// let near = pair.distance(&Pose::IDENTITY, &Pose::at(DVec3::X * 5.0)?).witness.expect("they are apart");
/// assert_eq!(near.points, [DVec3::X, DVec3::X * 4.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Witness {
    /// The points.
    pub points: [DVec3; 2],
    /// The features that carry them.
    pub features: [Feature; 2],
}

/// Points of a contact, in the world frame: of each pair the first lies on `a`, the second on `b`.
///
/// Up to eight pairs are kept without an allocation.
///
/// ```
/// use impinge::{glam::DVec3, Limit, Pair, Pose, Round};
/// let cube = Round::cuboid(DVec3::splat(2.0))?;
/// let contacts = Pair::new(cube.clone(), cube).contacts(&Pose::IDENTITY, &Pose::at(DVec3::Z * 2.0)?, Limit::All);
/// let contact = contacts.iter().next().expect("one lies on the other");
/// assert!(contact.points.len() == 4 && contact.points.iter().all(|[on_a, on_b]| on_a.z == 1.0 && on_b.z == 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Points(SmallVec<[[DVec3; 2]; 8]>);

impl std::ops::Deref for Points {
    type Target = [[DVec3; 2]];

    fn deref(&self) -> &[[DVec3; 2]] {
        &self.0
    }
}

impl FromIterator<[DVec3; 2]> for Points {
    fn from_iter<I: IntoIterator<Item = [DVec3; 2]>>(points: I) -> Points {
        Points(points.into_iter().collect())
    }
}

/// One pair of primitives with a common point: triangles of meshes, pieces of bodies of parts, whole convex bodies.
///
/// ```
/// use impinge::{glam::DVec3, Limit, Pair, Pose, Round};
/// let mut pair = Pair::new(Round::half_space(DVec3::Z, 0.0)?, Round::sphere(1.0)?);
/// let contacts = pair.contacts(&Pose::IDENTITY, &Pose::at(DVec3::Z * 0.75)?, Limit::All);
/// let contact = contacts.iter().next().expect("the ball is in the floor");
/// assert_eq!((contact.pair, contact.normal), ([0, 0], DVec3::Z));
/// assert!(contact.depth.is_some_and(|depth| depth.contains(0.25)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// Index of the triangle or the piece of `a` and of `b`, as given to the builders; 0 for a single convex body.
    pub pair: [u32; 2],
    /// Points on each body. Of triangles the pair that is deepest along the normal. Of convex bodies the corners of the
    /// contact: of two faces that lie on each other the polygon that they share.
    pub points: Points,
    /// Unit normal from `a` to `b`. Of convex bodies the direction of the least way out. Of a triangle and a convex
    /// body the direction in which the surface pushes the body: the normal of the face, or one between those of the
    /// faces at the edge or corner touched. Of two triangles that of the region in which the surfaces cross. From
    /// `overlap` that of `a`'s triangle, by its winding; where that is degenerate, of `b`'s, reversed; zero where
    /// both are.
    pub normal: DVec3,
    /// How deep the two are in each other along the normal; negative where they are apart, within an envelope. `None`
    /// for triangles that `overlap` tells of.
    pub depth: Option<Interval>,
    /// What the depth is worth.
    pub kind: DepthKind,
    /// The features that make the deepest point.
    pub features: [Feature; 2],
    /// A number made from the features, in the same way in every run; see [`ContactPoint`](crate::ContactPoint).
    pub id: u64,
    /// Of two triangles the ends of the common segment, equal where they meet in one point; of coplanar ones that share
    /// an area, two points of it.
    pub segment: Option<[DVec3; 2]>,
}

/// Why two bodies overlap.
///
/// ```
/// use impinge::{glam::DVec3, Mesh, Pair, Pose, Touch};
/// let corners = |z: f64| [[0., 0., z], [1., 0., 0.], [0., 1., 0.]].map(DVec3::from_array).to_vec();
/// let (flat, steep) = (Mesh::new(corners(0.0), vec![[0, 1, 2]])?, Mesh::new(corners(1.0), vec![[0, 1, 2]])?);
/// match Pair::new(flat, steep).overlap(&Pose::IDENTITY, &Pose::IDENTITY).witness {
///     Some(Touch::Surfaces(contact)) => assert_eq!(contact.pair, [0, 0]),
///     other => panic!("{other:?}"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "a box would be an allocation in every query")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Touch {
    /// Their surfaces have a common point.
    Surfaces(Contact),
    /// Their surfaces are apart, and one lies inside the other.
    Contained(Containment),
    /// They are convex and have this point in common, up to rounding.
    Common(DVec3),
}

/// Answer to `overlap`.
///
/// ```
/// use impinge::{glam::DVec3, Pair, Pose, Round};
/// let mut pair = Pair::new(Round::sphere(1.0)?, Round::sphere(1.0)?);
/// let answer = pair.overlap(&Pose::IDENTITY, &Pose::at(DVec3::X * 2.0)?);
/// assert!(answer.overlap && answer.witness.is_some(), "touching in one point counts");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Overlap {
    /// Whether the bodies have a common point. Bodies are closed sets: touching counts.
    pub overlap: bool,
    /// One reason, when they do.
    pub witness: Option<Touch>,
    /// Whether an inside counted.
    pub semantics: Semantics,
    /// The work done.
    pub stats: Stats,
}

/// Answer to `distance`.
///
/// ```
/// use impinge::{glam::DVec3, Pair, Pose, Round};
/// let mut pair = Pair::new(Round::sphere(1.0)?, Round::sphere(1.0)?);
/// let apart = pair.distance(&Pose::IDENTITY, &Pose::at(DVec3::X * 5.0)?);
/// assert!(apart.interval.contains(3.0) && apart.witness.is_some() && !apart.penetrating);
/// let over = pair.distance(&Pose::IDENTITY, &Pose::at(DVec3::X)?);
/// assert!(over.interval.upper == 0.0 && over.penetrating);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Distance {
    /// Contains the true distance; `[0, 0]` exactly when the bodies overlap, `[∞, ∞]` when one of them is empty.
    pub interval: Interval,
    /// Two closest points; `None` when one body is empty, or when one lies inside the other.
    pub witness: Option<Witness>,
    /// Set when one body lies inside the other with surfaces apart.
    pub contained: Option<Containment>,
    /// Whether the bodies overlap (touching counts): the same answer as `overlap`.
    pub penetrating: bool,
    /// Whether an inside counted.
    pub semantics: Semantics,
    /// The work done.
    pub stats: Stats,
}

/// Answer to `within`.
///
/// ```
/// use impinge::{glam::DVec3, Pair, Pose, Round};
/// let mut pair = Pair::new(Round::sphere(1.0)?, Round::sphere(1.0)?);
/// let answer = pair.within(&Pose::IDENTITY, &Pose::at(DVec3::X * 2.5)?, 0.75);
/// assert!(answer.within && answer.tolerance == 0.75);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Within {
    /// Whether the bodies come as near as the tolerance. Never `false` when they do; where rounding leaves it open,
    /// `true`.
    pub within: bool,
    /// The tolerance asked about.
    pub tolerance: f64,
    /// Two points (nearly) that near, when they are, and the surfaces realise it.
    pub witness: Option<Witness>,
    /// Set when one body lies inside the other with surfaces farther apart than the tolerance.
    pub contained: Option<Containment>,
    /// Whether an inside counted.
    pub semantics: Semantics,
    /// The work done.
    pub stats: Stats,
}

/// What a depth is worth.
///
/// ```
/// use impinge::{glam::DVec3, DepthKind, Pair, Pose, Round};
/// let mut pair = Pair::new(Round::sphere(1.0)?, Round::sphere(1.0)?);
/// assert_eq!(pair.penetration(&Pose::IDENTITY, &Pose::at(DVec3::X)?).kind, DepthKind::Exact);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DepthKind {
    /// The least translation of all, within the interval.
    Exact,
    /// Of bodies made of parts: no less than the deepest pair of parts, no more than a translation that separates all.
    PerPiece,
    /// The translation separates the bodies, by a check; a shorter one might, but none shorter than the lower bound.
    UpperBound,
    /// Read from one pair of features, without a guarantee: the interval's lower end is 0.
    Estimate,
    /// Of a contact of triangles, along its normal: moved along it by as much, the bodies there just touch. Other
    /// parts of them may not allow that.
    Local,
}

crate::error::named! { DepthKind {
    Exact = "exact", PerPiece = "per-piece", UpperBound = "upper-bound", Estimate = "estimate",
    Local = "local",
} }

/// Answer to `penetration`.
///
/// ```
/// use impinge::{glam::DVec3, Pair, Pose, Round};
/// let mut pair = Pair::new(Round::sphere(1.0)?, Round::sphere(1.0)?);
/// let deep = pair.penetration(&Pose::IDENTITY, &Pose::at(DVec3::X * 1.5)?);
/// assert!(deep.interval.contains(0.5));
/// assert_eq!(deep.direction, Some(DVec3::X), "moved that way by as much, b is free");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Penetration {
    /// Contains the depth: the length of the least translation that separates the bodies. `[0, 0]` when apart.
    pub interval: Interval,
    /// Unit vector from `a` to `b` in the world frame: moving `b` along it by the upper depth separates the bodies.
    /// `None` when they are apart.
    pub direction: Option<DVec3>,
    /// The deepest points, the first of `a`, the second of `b`.
    pub witness: Option<Witness>,
    /// What the depth is worth.
    pub kind: DepthKind,
    /// Whether an inside counted.
    pub semantics: Semantics,
    /// The work done.
    pub stats: Stats,
}

/// Answer to `sweep`.
///
/// ```
/// use impinge::{glam::DVec3, Pair, Pose, Round, Span, Steady};
/// let mut pair = Pair::new(Round::sphere(1.0)?, Round::sphere(1.0)?);
/// let past = Steady::straight(Pose::at(DVec3::new(-5.0, 3.0, 0.0))?, DVec3::X * 10.0, 0.0)?;
/// let answer = pair.sweep(&Steady::still(Pose::IDENTITY), &past, Span::UNIT);
/// assert!(answer.interval.contains(1.0) && (answer.time - 0.5).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sweep {
    /// Contains the least distance during the motion; `[0, 0]` when the bodies touch at some time, `[∞, ∞]` when one of
    /// them is empty.
    pub interval: Interval,
    /// When they are (nearly) that near.
    pub time: f64,
    /// Two points that are as near as `interval.upper` then; `None` where the distance has none, see [`Distance`].
    pub witness: Option<Witness>,
    /// Whether the bodies touch at that time.
    pub penetrating: bool,
    /// Whether an inside counted.
    pub semantics: Semantics,
    /// The work done.
    pub stats: Stats,
}

/// Answer to `impact`.
///
/// ```
/// use impinge::{glam::DVec3, Pair, Pose, Round, Span, Steady};
/// let mut pair = Pair::new(Round::sphere(1.0)?, Round::sphere(1.0)?);
/// let towards = Steady::straight(Pose::at(DVec3::X * 12.0)?, DVec3::X * -20.0, 0.0)?;
/// let impact = pair.impact(&Steady::still(Pose::IDENTITY), &towards, Span::UNIT);
/// let time = impact.time.expect("they meet");
/// assert!(time.lower <= 0.5 && time.upper < 0.5 + 1e-6 && impact.certain);
/// assert!(impact.normal.is_some_and(|normal| normal.distance(DVec3::X) < 1e-6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Impact {
    /// When they first touch: not before `lower`, and no later than `upper`. `None` when they do not.
    pub time: Option<Interval>,
    /// Whether they touch for certain, or do not. Where they come so near that rounding, or the tolerance asked for,
    /// leaves it open, there is a time, and `upper` is when they are that near. What
    /// [`Bisection`](crate::ImpactMethod::Bisection) does not see is not certain either: it samples.
    pub certain: bool,
    /// Whether they touch when the motion begins and then move apart.
    pub separating: bool,
    /// Where they touch: points of each, and the features that carry them.
    pub witness: Option<Witness>,
    /// Unit normal from `a` to `b` at that time; `None` where they touched from the beginning and none is known.
    pub normal: Option<DVec3>,
    /// When they part again: they touch until `lower`, and are apart at `upper`. `None` when they are not seen to part
    /// within the span.
    pub leaves: Option<Interval>,
    /// Whether an inside counted.
    pub semantics: Semantics,
    /// The work done.
    pub stats: Stats,
}
