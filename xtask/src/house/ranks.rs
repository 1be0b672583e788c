//! The ranks of the library's rooms: the one place where they are written.
//!
//! A room uses only rooms of lower rank. The other crates have no ranks: of their folders, and of the folders inside a
//! room, only cycles are forbidden.

/// The crate whose rooms have ranks.
pub(super) const RANKED: &str = "crates/impinge/src";

/// The rooms of each rank, from 0.
const RANKS: [&[&str]; 11] = [
    &["math", "search", "threads"],
    &["error"],
    &["answer", "prim", "bound", "planar"],
    &["tree", "broad"],
    &["model"],
    &["narrow", "path"],
    &["time", "point", "manifolds"],
    &["ray"],
    &["pair"],
    &["world", "written"],
    &["clash"],
];

/// The rank of a room, by the path of its folder or of its only file.
pub(super) fn rank(path: &str) -> Option<usize> {
    let name = path.strip_prefix(RANKED)?.strip_prefix('/')?.trim_end_matches(".rs");
    RANKS.iter().position(|rooms| rooms.contains(&name))
}
