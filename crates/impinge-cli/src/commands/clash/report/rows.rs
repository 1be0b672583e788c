//! The report: the clashes found, compared with the baseline, grouped, in the order of the names.

use std::collections::HashSet;

use impinge::{DepthKind, Interval};

use super::super::bodies::id;
use super::super::found::asked::Asked;
use super::super::found::baseline::{Baseline, Ends, Old, State};
use super::super::found::findings::{Findings, FoundClash, Totals};
use super::super::found::kind::ReportedKind;
use super::groups::{self, Group};
use crate::commands::penetration;
use crate::output::error::note;
use crate::output::json::contained;
use crate::output::text::plural;

/// One clash, found now or only then.
#[derive(Debug, Clone)]
pub(crate) struct ClashRow<'r> {
    pub(crate) id: String,
    pub(crate) a: &'r str,
    pub(crate) b: &'r str,
    pub(crate) kind: ReportedKind,
    pub(crate) status: Option<State>,
    /// The kind that it had in the baseline, if that was another.
    pub(crate) was: Option<ReportedKind>,
    pub(crate) depth: Option<Length<'r>>,
    pub(crate) distance: Option<Length<'r>>,
    pub(crate) points: Option<[[f64; 3]; 2]>,
    pub(crate) contained: Option<&'r str>,
    /// The body of the group that it is in.
    pub(crate) group: Option<&'r str>,
}

/// An interval by its ends, and of a depth what it is worth.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Length<'r> {
    pub(crate) lower: Option<f64>,
    pub(crate) upper: Option<f64>,
    pub(crate) kind: Option<&'r str>,
}

impl<'r> Length<'r> {
    fn of(interval: Interval, kind: Option<DepthKind>) -> Length<'r> {
        let finite = |x: f64| x.is_finite().then_some(x);
        let kind = kind.map(penetration::name);
        Length { lower: finite(interval.lower), upper: finite(interval.upper), kind }
    }

    fn of_old(ends: &'r Ends) -> Length<'r> {
        Length { lower: ends.lower, upper: ends.upper, kind: ends.kind.as_deref() }
    }
}

/// Everything that a format writes.
pub(crate) struct Report<'r> {
    pub(crate) findings: &'r Findings,
    pub(crate) totals: Totals,
    /// How many there are of each kind, resolved ones not counted.
    pub(crate) counts: [usize; 5],
    pub(crate) groups: Vec<Group>,
    /// Sorted by the names of `a`, then of `b`.
    pub(crate) rows: Vec<ClashRow<'r>>,
    /// With a baseline: how many are new, still there, resolved, and not asked about again.
    pub(crate) states: Option<[usize; 4]>,
}

impl<'r> Report<'r> {
    /// What is reported of all that was found.
    pub(crate) fn new(findings: &'r Findings, clashes: &'r [FoundClash], totals: Totals) -> Report<'r> {
        let bodies = &findings.assembly.bodies;
        let pairs: Vec<(ReportedKind, [u32; 2])> = clashes.iter().map(|clash| (clash.kind, clash.pair)).collect();
        let (groups, owners) = groups::gather(&pairs);
        let mut rows: Vec<ClashRow<'_>> = clashes
            .iter()
            .zip(owners)
            .map(|(clash, owner)| ClashRow { group: Some(&bodies[owner as usize].name), ..row(clash, findings) })
            .collect();
        let found: HashSet<String> = rows.iter().map(|row| row.id.clone()).collect();
        let gone: Vec<&Old> =
            findings.baseline.iter().flat_map(Baseline::iter).filter(|old| !found.contains(&old.id)).collect();
        // Where not every pair was tested, no clash is known to be resolved.
        let asked = Asked::new(findings);
        let resolved = gone.iter().copied().filter(|old| totals.stopped.is_none() && asked.about(old));
        rows.extend(resolved.map(row_of_old));
        rows.sort_by(|x, y| (x.a, x.b).cmp(&(y.a, y.b)));
        let count = |state: State| rows.iter().filter(|row| row.status == Some(state)).count();
        let states = findings.baseline.is_some().then(|| {
            let [new, still, resolved] = [State::New, State::Still, State::Resolved].map(count);
            [new, still, resolved, gone.len() - resolved]
        });
        if let Some([_, _, _, unasked]) = states
            && unasked > 0
        {
            let clashes = plural(unasked as u64, "clash", "clashes");
            let why = "files, kinds, rules or lengths are others, or not all pairs were compared";
            note(&format!("{clashes} of the baseline not asked about again, and so not resolved: {why}"));
        }
        let counts = ReportedKind::EACH.map(|kind| pairs.iter().filter(|pair| pair.0 == kind).count());
        Report { findings, totals, counts, groups, rows, states }
    }

    pub(crate) fn is_partial(&self) -> bool {
        self.totals.stopped.is_some()
    }

    pub(crate) fn name(&self, body: u32) -> &str {
        &self.findings.assembly.bodies[body as usize].name
    }
}

fn row<'r>(clash: &'r FoundClash, findings: &'r Findings) -> ClashRow<'r> {
    let [a, b] = clash.pair.map(|i| findings.assembly.bodies[i as usize].name.as_str());
    let (kind, clash) = (clash.kind, &clash.clash);
    let id = id::of(a, b);
    let old = findings.baseline.as_ref().map(|baseline| baseline.get(&id));
    ClashRow {
        a,
        b,
        kind,
        status: old.map(|old| if old.is_some() { State::Still } else { State::New }),
        was: old.flatten().map(|old| old.kind).filter(|was| *was != kind),
        depth: clash.depth.map(|(interval, kind)| Length::of(interval, Some(kind))),
        distance: clash.distance.map(|interval| Length::of(interval, None)),
        points: clash.points.map(|points| points.map(|p| p.to_array())),
        contained: contained(clash.contained),
        group: None,
        id,
    }
}

/// A clash of the baseline that is no more, told as it was.
fn row_of_old(old: &Old) -> ClashRow<'_> {
    ClashRow {
        id: old.id.clone(),
        a: &old.a,
        b: &old.b,
        kind: old.kind,
        status: Some(State::Resolved),
        was: None,
        depth: old.depth.as_ref().map(Length::of_old),
        distance: old.distance.as_ref().map(Length::of_old),
        points: old.points,
        contained: old.contained.as_deref(),
        group: None,
    }
}
