//! Manifolds in one list that is filled again and again: the points of all of them lie one after the other.

use glam::DVec3;

use crate::answer::{Containment, DepthKind, Feature, Semantics, Stats, feature_pair_id};
use crate::math::Interval;

/// A point of contact: where it is on each body, how deep, and which features meet there.
///
/// ```
/// use impinge::{glam::DVec3, Element, Feature, ManifoldOptions, Manifolds, Pair, Pose, Round};
/// let mut pair = Pair::new(Round::half_space(DVec3::Z, 0.0)?, Round::sphere(1.0)?);
/// let mut found = Manifolds::new();
/// pair.manifolds(&Pose::IDENTITY, &Pose::at(DVec3::Z * 0.75)?, &ManifoldOptions::default(), &mut found);
/// let point = found.points()[0];
/// assert_eq!((point.points, point.depth), ([DVec3::ZERO, DVec3::Z * -0.25], 0.25));
/// assert_eq!(point.features[1], Feature::Convex { piece: 0, element: Element::Vertex(0) }, "the centre");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactPoint {
    /// On `a` and on `b`, in the frame of the world.
    pub points: [DVec3; 2],
    /// How far the first point lies beyond the second along the normal: negative where the bodies are apart.
    pub depth: f64,
    /// The features of `a` and of `b` that meet here; of a body with a margin those of what the margin is around.
    pub features: [Feature; 2],
    /// A number made from the features, in the same way in every run: the point keeps it from frame to frame while the
    /// contact lasts. Triangles that make up one flat face count as one there.
    ///
    /// ```
    /// use impinge::{glam::DVec3, ManifoldOptions, Manifolds, Pair, Pose, Round};
    /// let cube = Round::cuboid(DVec3::splat(2.0))?;
    /// let mut pair = Pair::new(cube.clone(), cube);
    /// let mut ids = |x: f64| -> Result<Vec<u64>, Box<dyn std::error::Error>> {
    ///     let (mut found, beside) = (Manifolds::new(), Pose::at(DVec3::new(x, 0.5, 1.99))?);
    ///     pair.manifolds(&Pose::IDENTITY, &beside, &ManifoldOptions::default(), &mut found);
    ///     Ok(found.points().iter().map(|point| point.id).collect())
    /// };
    /// assert_eq!(ids(0.25)?, ids(0.26)?, "slid a little");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub id: u64,
}

impl ContactPoint {
    /// A point whose identity is that of its features.
    #[inline]
    pub(crate) fn new(points: [DVec3; 2], depth: f64, features: [Feature; 2]) -> ContactPoint {
        ContactPoint { points, depth, features, id: feature_pair_id(features) }
    }
}

/// A contact of two primitives or regions: one normal, and points.
///
/// ```
/// use impinge::{glam::DVec3, ManifoldOptions, Manifolds, Pair, Pose, Round};
/// let cube = Round::cuboid(DVec3::splat(2.0))?;
/// let mut found = Manifolds::new();
/// let on_top = Pose::at(DVec3::Z * 1.75)?;
/// Pair::new(cube.clone(), cube).manifolds(&Pose::IDENTITY, &on_top, &ManifoldOptions::default(), &mut found);
/// let manifold = found.iter().next().expect("they overlap");
/// assert!(manifold.normal == DVec3::Z && manifold.points.len() == 4 && manifold.depth.contains(0.25));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Manifold<'m> {
    /// The piece or triangle of `a` and of `b`, by the indices given; 0 for a single convex body. Of a region of
    /// several triangles the one of the deepest point.
    pub pair: [u32; 2],
    /// Unit normal from `a` to `b` in the frame of the world.
    pub normal: DVec3,
    /// Contains the depth: of the kind that `kind` says; negative where the primitives are apart.
    pub depth: Interval,
    /// What the depth is worth.
    pub kind: DepthKind,
    /// The points, at least one.
    pub points: &'m [ContactPoint],
}

/// All manifolds of two bodies. A list that is filled again reuses its memory.
///
/// ```
/// use impinge::{glam::DVec3, ManifoldOptions, Manifolds, Pair, Pose, Round};
/// let mut pair = Pair::new(Round::sphere(1.0)?, Round::sphere(1.0)?);
/// let mut found = Manifolds::new();
/// for (x, count) in [(1.5, 1), (2.5, 0)] {
///     pair.manifolds(&Pose::IDENTITY, &Pose::at(DVec3::X * x)?, &ManifoldOptions::default(), &mut found);
///     assert_eq!((found.len(), found.iter().count()), (count, count));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Manifolds {
    heads: Vec<Head>,
    points: Vec<ContactPoint>,
    /// Set when no surfaces touch and one body lies inside the other.
    pub contained: Option<Containment>,
    /// Whether these are certainly all: false when a cap was reached.
    pub complete: bool,
    /// Whether an inside counted.
    pub semantics: Semantics,
    /// The work done.
    pub stats: Stats,
}

/// A manifold without its points: these are in the list up to `end`, from where those of the manifold before end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Head {
    pub(crate) pair: [u32; 2],
    pub(crate) normal: DVec3,
    pub(crate) depth: Interval,
    pub(crate) kind: DepthKind,
    end: u32,
}

impl Default for Manifolds {
    fn default() -> Manifolds {
        Manifolds::new()
    }
}

impl Manifolds {
    /// An empty list.
    pub fn new() -> Manifolds {
        Manifolds {
            heads: Vec::new(),
            points: Vec::new(),
            contained: None,
            complete: true,
            semantics: Semantics::Surface,
            stats: Stats::default(),
        }
    }

    /// Takes everything out, and keeps the memory.
    pub fn clear(&mut self) {
        self.heads.clear();
        self.points.clear();
        (self.contained, self.complete) = (None, true);
        (self.semantics, self.stats) = (Semantics::Surface, Stats::default());
    }

    /// The manifolds, in ascending order of their pairs of primitives.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Manifold<'_>> + '_ {
        let mut first = 0;
        self.heads.iter().map(move |head| {
            let &Head { pair, normal, depth, kind, end } = head;
            let points = &self.points[std::mem::replace(&mut first, end as usize)..end as usize];
            Manifold { pair, normal, depth, kind, points }
        })
    }

    /// The points of all manifolds.
    pub fn points(&self) -> &[ContactPoint] {
        &self.points
    }

    /// How many manifolds there are.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Keeps the manifolds, known by their pairs, for which `keep` says so; it is asked once of each, in order.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut([u32; 2]) -> bool) {
        let (mut first, mut end) = (0, 0);
        let points = &mut self.points;
        self.heads.retain_mut(|head| {
            let own = std::mem::replace(&mut first, head.end as usize)..head.end as usize;
            let kept = keep(head.pair);
            if kept {
                let count = own.len();
                points.copy_within(own, end);
                end += count;
                head.end = end as u32;
            }
            kept
        });
        self.points.truncate(end);
    }

    /// Adds a point to the manifold that [`Manifolds::close`] ends.
    #[inline]
    pub(crate) fn push(&mut self, point: ContactPoint) {
        self.points.push(point);
    }

    /// Where the points begin that belong to no manifold yet.
    pub(crate) fn open_from(&self) -> usize {
        self.heads.last().map_or(0, |head| head.end as usize)
    }

    /// Ends a manifold with the points added since the last one; without points there is none.
    #[inline]
    pub(crate) fn close(&mut self, pair: [u32; 2], normal: DVec3, depth: Interval, kind: DepthKind) {
        if self.points.len() > self.open_from() {
            self.heads.push(Head { pair, normal, depth, kind, end: self.points.len() as u32 });
        }
    }
}
