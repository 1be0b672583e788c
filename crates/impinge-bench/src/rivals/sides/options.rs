//! The options of a comparison.

/// What is asked of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Options {
    pub(crate) seed: u64,
    /// The number of rounds in which the sides take turns; the figure is the median.
    pub(crate) passes: usize,
    /// Whether fewer poses are used, and parry's slow walks are left out.
    pub(crate) quick: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { seed: 1, passes: 5, quick: false }
    }
}
