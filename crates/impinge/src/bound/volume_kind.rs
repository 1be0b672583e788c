//! The names of the volumes that a tree can have around its nodes.

/// Which volumes are around the triangles of a tree's nodes. The speed of queries differs; the answers do not.
///
/// ```
/// use impinge::bound::Volume;
/// assert_eq!("rss".parse(), Ok(Volume::SweptSphere));
/// assert_eq!(Volume::default().to_string(), "auto");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Volume {
    /// Those that measured best: axis-aligned boxes in `f32` for overlap and contacts, oriented ones for distance and
    /// `within`, eight in a vector.
    #[default]
    Auto,
    /// Axis-aligned boxes, for every verb.
    Aabb,
    /// Oriented boxes.
    Obb,
    /// Spheres swept over points, segments and rectangles.
    SweptSphere,
    /// Slabs along 7 directions.
    Kdop14,
    /// Slabs along 9 directions.
    Kdop18,
    /// Slabs along 13 directions.
    Kdop26,
    /// Spheres.
    Sphere,
    /// Convex hulls behind oriented boxes, with all that [`HullTree`](super::HullTree) has to offer.
    Hull,
}

crate::error::named! { Volume {
    Auto = "auto", Aabb = "aabb", Obb = "obb", SweptSphere = "rss", Kdop14 = "kdop14", Kdop18 = "kdop18",
    Kdop26 = "kdop26", Sphere = "sphere", Hull = "hull",
} }
