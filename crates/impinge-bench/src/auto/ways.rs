//! The ways to ask when two bodies first touch.

use impinge::{Impact, ImpactMethod, ImpactOptions, Interval, Motion, Pair, Span, SweepOptions};

/// A way to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    By(ImpactMethod),
    /// A sweep for a contact, and advancement where it does not prove that there is none.
    SweptFirst,
}

impl Way {
    pub(super) const EACH: [Way; 6] = [
        Way::By(ImpactMethod::Auto),
        Way::By(ImpactMethod::Advancement),
        Way::SweptFirst,
        Way::By(ImpactMethod::BySpeed),
        Way::By(ImpactMethod::ContactFunctions),
        Way::By(ImpactMethod::Bisection),
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Way::By(ImpactMethod::Auto) => "auto",
            Way::By(ImpactMethod::Advancement) => "advancement",
            Way::By(ImpactMethod::ContactFunctions) => "contact-functions",
            Way::By(ImpactMethod::BySpeed) => "by-speed",
            Way::By(ImpactMethod::Bisection) => "bisection",
            Way::SweptFirst => "swept-first",
        }
    }

    /// Whether its answers are proofs: samples prove nothing about the time between them.
    pub(super) fn proves(self) -> bool {
        self != Way::By(ImpactMethod::Bisection)
    }

    pub(super) fn ask(self, pair: &mut Pair, [a, b]: [&dyn Motion; 2]) -> Told {
        let by = |pair: &mut Pair, method| {
            let options = ImpactOptions { method, ..ImpactOptions::default() };
            pair.impact_with(a, b, Span::UNIT, &options)
        };
        match self {
            Way::By(method) => Told::from(by(pair, method)),
            Way::SweptFirst => {
                let contact = SweepOptions { enough: Some(0.0), ..SweepOptions::default() };
                let swept = pair.sweep_with(a, b, Span::UNIT, &contact);
                let before = swept.stats.volume_tests + swept.stats.primitive_tests + swept.stats.iterations;
                if swept.interval.lower > 0.0 {
                    return Told { time: None, certain: true, work: before };
                }
                let told = Told::from(by(pair, ImpactMethod::Advancement));
                Told { work: told.work + before, ..told }
            }
        }
    }
}

/// An answer, and the work that the library counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Told {
    pub(super) time: Option<Interval>,
    pub(super) certain: bool,
    pub(super) work: u64,
}

impl From<Impact> for Told {
    fn from(impact: Impact) -> Told {
        let stats = impact.stats;
        let work = stats.volume_tests + stats.primitive_tests + stats.iterations;
        Told { time: impact.time, certain: impact.certain, work }
    }
}
