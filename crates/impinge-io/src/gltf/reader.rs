//! Reads the bytes of a file: its parts, or one of its animations.

use super::buffers::Buffers;
use super::glb::open;
use super::tables::Tables;
use super::uri::Folder;
use super::{animation, scene};
use crate::budget::Budget;
use crate::document::{Animation, Part};
use crate::error::Fault;

/// A part without a name is named `stem`.
pub(crate) fn read(bytes: &[u8], stem: &str, folder: Folder, budget: &mut Budget) -> Result<Vec<Part>, Fault> {
    let (root, binary) = open(bytes)?;
    let tables = Tables::read(root, budget)?;
    let buffers = Buffers::new(&tables, binary, folder, budget)?;
    scene::read(&tables, buffers, stem, budget)
}

/// An animation by its name or its number, of the mesh of this name, or of the only one.
pub(crate) fn read_animation(
    bytes: &[u8],
    which: (&str, Option<&str>),
    folder: Folder,
    budget: &mut Budget,
) -> Result<Animation, Fault> {
    let (root, binary) = open(bytes)?;
    let tables = Tables::read(root, budget)?;
    let buffers = Buffers::new(&tables, binary, folder, budget)?;
    animation::read(root, &tables, buffers, which, budget)
}
