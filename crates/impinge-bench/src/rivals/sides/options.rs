//! How a comparison is run.

/// What is asked of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Options {
    pub(crate) seed: u64,
    /// Rounds in which the sides take turns; the figure is the median.
    pub(crate) passes: usize,
    /// Fewer poses and no walk of parry that takes long.
    pub(crate) quick: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { seed: 1, passes: 5, quick: false }
    }
}
