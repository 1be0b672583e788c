//! How two bodies lie relative to each other: one type for the results of all engines.
//!
//! The witness, which shows that an outcome is true, differs by engine: the places of two triangles in leaf order, two
//! points with the features that they lie on, or points that are still to be computed. So an outcome is generic in its
//! witness. Points and directions are in `a`'s frame.

use crate::answer::Containment;

/// How two bodies lie relative to each other. `A` is the witness that they are apart, `T` that they touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Outcome<A, T = A> {
    /// Farther apart than was asked for, or one of them is empty.
    Beyond,
    /// Apart, by as much as `A` says.
    Apart(A),
    /// With a common point.
    Touching(T),
    /// The surfaces are apart, and one body contains the other, or a component of it.
    Contained(Containment),
}

impl<A, T> Outcome<A, T> {
    /// The same with other witnesses.
    pub(crate) fn map<B, U>(self, apart: impl FnOnce(A) -> B, touching: impl FnOnce(T) -> U) -> Outcome<B, U> {
        match self {
            Outcome::Beyond => Outcome::Beyond,
            Outcome::Apart(shown) => Outcome::Apart(apart(shown)),
            Outcome::Touching(shown) => Outcome::Touching(touching(shown)),
            Outcome::Contained(containment) => Outcome::Contained(containment),
        }
    }

    /// The outcome for the bodies exchanged; the functions exchange the bodies in the witnesses.
    pub(crate) fn swapped(self, apart: impl FnOnce(A) -> A, touching: impl FnOnce(T) -> T) -> Outcome<A, T> {
        match self.map(apart, touching) {
            Outcome::Contained(containment) => Outcome::Contained(containment.swapped()),
            other => other,
        }
    }
}
