//! How many contacts a list may have.

/// How many contacts are wanted.
///
/// ```
/// use impinge::{glam::DVec3, Limit, Pair, Parts, Pose, Round};
/// let posts = [0.0, 0.5, 1.0].map(|x| [DVec3::X * x, DVec3::X * x + DVec3::Z]);
/// let posts = Parts::from_hulls(posts.iter().map(|post| &post[..]))?;
/// let mut pair = Pair::new(Round::sphere(2.0)?, posts);
/// let some = pair.contacts(&Pose::IDENTITY, &Pose::IDENTITY, Limit::UpTo(2));
/// assert_eq!((some.pairs.len(), some.complete), (2, false));
/// assert_eq!(pair.contacts(&Pose::IDENTITY, &Pose::IDENTITY, Limit::All).pairs.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Limit {
    /// One, whichever is found first.
    First,
    /// At most so many.
    UpTo(usize),
    /// Every one, up to 2²⁶ of them.
    #[default]
    All,
}

/// Most contacts a list may have: half a gigabyte of them.
const MOST_CONTACTS: usize = 1 << 26;

impl Limit {
    /// As a number.
    pub(crate) fn most(self) -> usize {
        match self {
            Limit::First => 1,
            Limit::UpTo(n) => n.min(MOST_CONTACTS),
            Limit::All => MOST_CONTACTS,
        }
    }
}
