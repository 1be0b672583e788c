//! Two deforming meshes asked about over their step, as a pair of bodies whose frames stand still.

use impinge::{ContactInterval, Deforming, Impact, ImpactOptions, Pair, Pose, Span, Steady, Sweep, SweepOptions};

fn standing() -> Steady {
    Steady::still(Pose::IDENTITY)
}

fn pair(a: &Deforming, b: &Deforming) -> Pair {
    Pair::new(a.clone(), b.clone())
}

pub(super) fn impact_of(a: &Deforming, b: &Deforming) -> Impact {
    pair(a, b).impact(&standing(), &standing(), Span::UNIT)
}

/// Also when they part again; bodies as near as `tolerance` count as touching.
pub(super) fn impact_and_parting_of(a: &Deforming, b: &Deforming, tolerance: f64) -> Impact {
    let options = ImpactOptions { tolerance, parting: true, ..ImpactOptions::default() };
    pair(a, b).impact_with(&standing(), &standing(), Span::UNIT, &options)
}

pub(super) fn contacts_of(a: &Deforming, b: &Deforming, tolerance: f64) -> Vec<ContactInterval> {
    pair(a, b).near_over_time(&standing(), &standing(), Span::UNIT, tolerance)
}

pub(super) fn sweep_of(a: &Deforming, b: &Deforming, options: &SweepOptions) -> Sweep {
    pair(a, b).sweep_with(&standing(), &standing(), Span::UNIT, options)
}
