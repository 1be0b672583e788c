//! Units of length.

use clap::ValueEnum;
use impinge::glam::DVec3;

/// The unit in which coordinates, poses and answers are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Units {
    M,
    Cm,
    Mm,
    In,
    Ft,
}

impl Units {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Units::M => "m",
            Units::Cm => "cm",
            Units::Mm => "mm",
            Units::In => "in",
            Units::Ft => "ft",
        }
    }

    /// A point given in metres, in this unit; one rounding a coordinate.
    pub(crate) fn of_metres(self, p: DVec3) -> DVec3 {
        match self {
            Units::M => p,
            Units::Cm => p * 100.0,
            Units::Mm => p * 1000.0,
            Units::In => DVec3::from_array(p.to_array().map(|x| x / 0.0254)),
            Units::Ft => DVec3::from_array(p.to_array().map(|x| x / 0.3048)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_metre_in_every_unit() {
        let all = Units::value_variants().iter().map(|u| u.of_metres(DVec3::splat(0.0254)).x).collect::<Vec<_>>();
        assert_eq!(all, [0.0254, 0.0254 * 100.0, 0.0254 * 1000.0, 1.0, 0.0254 / 0.3048]);
    }
}
