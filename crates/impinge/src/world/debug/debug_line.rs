//! A line of a picture of a world, and which lines are wanted.

use std::ops::BitOr;

use glam::DVec3;

use crate::world::body::BodyId;

/// What a line is part of.
///
/// ```
/// use impinge::{Body, DebugFlags, LineKind, Pose, Round, World};
/// let mut world = World::new();
/// world.add(Body::new(Round::sphere(1.0)?, Pose::IDENTITY))?;
/// let lines = world.debug_lines(DebugFlags::BOXES);
/// assert!(lines.len() == 12 && lines.iter().all(|line| line.kind == LineKind::Box));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LineKind {
    /// The box around a body, as the broad phase has it, without the reach of the world.
    Box,
    /// An edge of a mesh or a polyhedron; of other shapes, circles and the like upon them.
    Outline,
    /// A cross at a contact.
    Contact,
    /// The normal at a contact, from the body of the lesser id to the other.
    Normal,
    /// A box of the tree that views search, around several bodies or with room to move around one.
    Tree,
}

/// A line of a picture of a world, in the world frame.
///
/// ```
/// use impinge::{glam::DVec3, Body, DebugFlags, Pose, Round, World};
/// let mut world = World::new();
/// let rod = world.add(Body::new(Round::segment(DVec3::ZERO, DVec3::X)?, Pose::at(DVec3::Y)?))?;
/// let line = world.debug_lines(DebugFlags::OUTLINES)[0];
/// assert_eq!((line.ends, line.body), ([DVec3::Y, DVec3::X + DVec3::Y], Some(rod)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DebugLine {
    /// What it is part of.
    pub kind: LineKind,
    /// Its two ends.
    pub ends: [DVec3; 2],
    /// The body that it is about, of a contact the one with the lesser id; `None` for the tree.
    pub body: Option<BodyId>,
}

/// Which lines are wanted; `|` joins them.
///
/// ```
/// use impinge::DebugFlags;
/// let both = DebugFlags::BOXES | DebugFlags::TREE;
/// assert!(both.contains(DebugFlags::TREE) && !both.contains(DebugFlags::CONTACTS));
/// assert!(DebugFlags::ALL.contains(both));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct DebugFlags(u8);

impl DebugFlags {
    /// The boxes around bodies.
    pub const BOXES: DebugFlags = DebugFlags(1);
    /// The bodies themselves.
    pub const OUTLINES: DebugFlags = DebugFlags(2);
    /// Where bodies touch.
    pub const CONTACTS: DebugFlags = DebugFlags(4);
    /// In which directions they push each other.
    pub const NORMALS: DebugFlags = DebugFlags(8);
    /// The tree of boxes.
    pub const TREE: DebugFlags = DebugFlags(16);
    /// All of these.
    pub const ALL: DebugFlags = DebugFlags(31);

    /// Whether all that the other asks for is asked for here.
    pub fn contains(self, other: DebugFlags) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for DebugFlags {
    type Output = DebugFlags;

    fn bitor(self, other: DebugFlags) -> DebugFlags {
        DebugFlags(self.0 | other.0)
    }
}
