//! A convex body as the engines take it: a core and a margin around it.

use crate::model::Convex;
use crate::model::round::Core;

/// A convex body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Solid<'m> {
    pub(crate) core: Core<'m>,
    pub(crate) margin: f64,
}

impl<'m> Solid<'m> {
    pub(crate) fn polyhedron(convex: &'m Convex) -> Solid<'m> {
        Solid { core: Core::Polyhedron(convex), margin: 0.0 }
    }
}
