//! How near two convex bodies are: chooses the engine, applies the margins, and makes the decision to touch exact.
//!
//! A body is a core and a margin. Engines work on the cores; then the margins are subtracted from the distance.
//!
//! Engines compute in rounded arithmetic. Where one finds two polyhedra farther apart than rounding can be, or the
//! origin deeper inside a simplex of their difference, that is the answer. In between, `exact_touch` decides; so all
//! engines give the same yes or no.
//!
//! `Auto` chooses among three engines for polyhedra. When nothing is remembered, [`boolean_gjk`] decides whether they
//! overlap; if they do not and the query is for their distance, V-Clip or GJK goes on from the points that it tried. In
//! later queries V-Clip starts from the features that were closest. Where the bodies overlapped, or the query is for a
//! yes or no only, GJK starts from the last simplex and direction.

use super::convex_memory::{ConvexMemory, RegionsMemory};
use super::features::{lin_canny, v_clip};
use super::half_space;
use super::polyhedra::brute;
use super::polyhedra::{Claim, ClosestFeatures, HullFeature, Polyhedra};
use super::simplex::boolean_gjk;
use super::simplex::boolean_gjk::{BooleanVerdict, TriedPoints};
use super::simplex::enhanced_gjk;
use super::simplex::flat_gap::{MET, flat_gap};
use super::simplex::gjk;
use super::simplex::gjk::{GjkEnd, GjkQuestion, GjkResult};
use super::simplex::gjk_polyhedra;
use super::simplex::gjk_polyhedra::{SimplexMemory, Variant};
use super::simplex::minkowski::{Difference, Mapped};
use super::within_rounding;
use super::witnesses::{ConvexOutcome, ConvexWitness};
use crate::answer::{Element, Stats};
use crate::math::{EPS, Interval, Relative};
use crate::model::round::Core;
use crate::narrow::context::Context;
use crate::narrow::method::Method;
use crate::narrow::outcome::Outcome;
use crate::narrow::solid::Solid;
use crate::prim::RegionWalk;

/// The closest points of polyhedra whose closest features are remembered, as long as V-Clip finds and proves them
/// apart. This serves every query on a body that moves a little between queries; where it returns `None`, [`nearest`]
/// follows.
#[inline(always)]
pub(crate) fn tracked(pair: &Polyhedra<'_>, cx: Context<'_, ConvexMemory>) -> Option<ClosestFeatures> {
    let mut features = cx.memory.features?;
    if let Some((pose, _)) = &cx.memory.last {
        if *pose == pair.b_in_a {
            return None;
        }
        cx.memory.last = None;
    }
    if pair.are_worlds_apart() {
        return None;
    }
    let end = v_clip::advance(pair, &mut features, cx.stats);
    cx.memory.features = (end == v_clip::VClipEnd::Apart).then_some(features);
    let near = (end == v_clip::VClipEnd::Apart).then(|| pair.closest_points(features))?;
    pair.is_proven(&near).then_some(near)
}

/// How near `b` is to `a`. Beyond `enough` it need not be known how far apart they are.
pub(crate) fn nearest(
    [a, b]: [&Solid<'_>; 2],
    b_in_a: &Relative,
    enough: f64,
    method: Method,
    mut cx: Context<'_, ConvexMemory>,
) -> ConvexOutcome {
    if let Some((pose, outcome)) = &cx.memory.last
        && pose == b_in_a
    {
        return *outcome;
    }
    let margins = a.margin + b.margin;
    let cores = nearest_cores([a, b], b_in_a, enough + margins, method, cx.lend());
    let outcome = if margins > 0.0 { cores.widened(a.margin, b.margin) } else { cores };
    if enough == f64::INFINITY {
        cx.memory.last = Some((*b_in_a, outcome));
    }
    outcome
}

/// The same without the margins.
pub(crate) fn nearest_cores(
    [a, b]: [&Solid<'_>; 2],
    b_in_a: &Relative,
    enough: f64,
    method: Method,
    cx: Context<'_, ConvexMemory>,
) -> ConvexOutcome {
    match (a.core, b.core) {
        (Core::Polyhedron(p), Core::Polyhedron(q)) => {
            let pair = Polyhedra { a: p, b: q, b_in_a: *b_in_a };
            polyhedra(&pair, enough, method, cx)
        }
        (Core::Polyhedron(p), Core::Smooth(q)) => smooth(p, q, b_in_a, enough, cx.stats),
        (Core::Smooth(p), Core::Polyhedron(q)) => smooth(p, q, b_in_a, enough, cx.stats),
        (Core::Smooth(p), Core::Smooth(q)) => smooth(p, q, b_in_a, enough, cx.stats),
        (Core::HalfSpace { normal, offset }, _) => half_space::nearest(normal, offset, b, b_in_a),
        (_, Core::HalfSpace { normal, offset }) => {
            half_space::nearest(normal, offset, a, &b_in_a.inverse()).exchanged(b_in_a)
        }
    }
}

#[inline(never)]
fn polyhedra(pair: &Polyhedra<'_>, enough: f64, method: Method, mut cx: Context<'_, ConvexMemory>) -> ConvexOutcome {
    let gjk = |variant, stats: &mut Stats| gjk_polyhedra::found(pair, variant, &GjkQuestion::DISTANCE, stats);
    if pair.are_worlds_apart() {
        return pair.apart(&pair.closest_points(pair.extremes()), f64::INFINITY);
    }
    let verdict = match method {
        Method::Brute => brute::closest(pair, cx.stats),
        Method::LinCanny => {
            let (verdict, features) =
                lin_canny::walk(pair, cx.memory.features.unwrap_or_else(|| pair.extremes()), cx.stats);
            cx.memory.features = Some(features);
            verdict
        }
        Method::LinCannyCells => {
            let start = cx.memory.features.unwrap_or_else(|| pair.extremes());
            let regions = cx.memory.regions.get_or_insert_with(|| RegionsMemory::of(pair));
            let bodies = [Some(&regions.bodies[0]), Some(&regions.bodies[1])];
            let (verdict, features) = lin_canny::walk_in(pair, bodies, &mut regions.places, start, cx.stats);
            cx.memory.features = Some(features);
            verdict
        }
        Method::VClip => {
            let (verdict, features) =
                v_clip::walk(pair, cx.memory.features.unwrap_or_else(|| pair.extremes()), cx.stats);
            cx.memory.features = Some(features);
            verdict
        }
        Method::Gjk => proven(pair, &gjk(Variant::RegionWalk, cx.stats)),
        Method::GjkSignedVolumes => proven(pair, &gjk(Variant::SignedVolumes, cx.stats)),
        Method::GjkJohnson => proven(pair, &gjk(Variant::Johnson, cx.stats)),
        Method::GjkNesterov => proven(pair, &gjk(Variant::Nesterov, cx.stats)),
        Method::EnhancedGjk => {
            let found = enhanced_gjk::found(pair, &GjkQuestion::DISTANCE, cx.part(|m| &mut m.simplex));
            proven(pair, &found)
        }
        Method::WitnessPlane | Method::SeparatingVector | Method::Rabbitz if enough < f64::INFINITY => {
            if cx.memory.separation.apart(pair, method, enough + pair.noise(enough), cx.stats) {
                return Outcome::Beyond;
            }
            Claim::Unknown
        }
        _ if cx.memory.is_blank() => match cold_start(pair, enough, cx.lend()) {
            Ok(outcome) => return outcome,
            Err(verdict) => verdict,
        },
        _ => match cx.memory.features {
            Some(features) if enough == f64::INFINITY && !cx.memory.overlapping => {
                let (verdict, features) = v_clip::walk(pair, features, cx.stats);
                cx.memory.features = matches!(verdict, Claim::Apart(_)).then_some(features);
                verdict
            }
            _ => Claim::Unknown,
        },
    };
    match verdict {
        Claim::Apart(near) if pair.is_proven(&near) => pair.apart(&near, f64::INFINITY),
        _ => by_gjk(pair, enough, cx),
    }
}

/// Polyhedra of which nothing is remembered. Where a distance is asked and the first plane tried separates them, V-Clip
/// starts from the vertices beside that plane; where a later plane does, GJK starts from the simplex found. `Err` holds
/// what V-Clip claims, which is still to be proven.
fn cold_start(pair: &Polyhedra<'_>, enough: f64, cx: Context<'_, ConvexMemory>) -> Result<ConvexOutcome, Claim> {
    let far = enough + pair.noise(enough.min(f64::MAX));
    if pair.balls_are_apart(far) {
        return Ok(Outcome::Beyond);
    }
    let m = Difference::of(pair);
    let mut tried = TriedPoints::nothing();
    let verdict = boolean_gjk::decide(pair, &m, pair.noise(0.0), &mut tried, cx.stats);
    let points = tried.last();
    cx.memory.simplex = SimplexMemory::of_tried(&points, &verdict);
    match verdict {
        BooleanVerdict::Inside => {
            cx.memory.overlapping = true;
            Ok(Outcome::Touching(ConvexWitness::inside(tried.simplex().blend(0))))
        }
        BooleanVerdict::Apart { gap, .. } if gap > far => Ok(Outcome::Beyond),
        BooleanVerdict::Apart { .. } if enough == f64::INFINITY && points.len() == 1 => {
            let (verdict, features) = v_clip::walk(pair, points[0].names.map(HullFeature::Vertex), cx.stats);
            cx.memory.features = matches!(verdict, Claim::Apart(_)).then_some(features);
            Err(verdict)
        }
        _ => {
            let start = gjk::GjkStart { direction: None, names: &[], points: &points };
            let found = gjk::polyhedra(&m, &GjkQuestion { enough: far, ..GjkQuestion::DISTANCE }, &start, cx.stats);
            cx.memory.simplex = SimplexMemory::of(&found);
            Ok(settled(pair, &found, cx))
        }
    }
}

/// By GJK from what is remembered; where rounding leaves that open, by the exact test.
fn by_gjk(pair: &Polyhedra<'_>, enough: f64, cx: Context<'_, ConvexMemory>) -> ConvexOutcome {
    let ask = GjkQuestion { enough: enough + pair.noise(enough.min(f64::MAX)), ..GjkQuestion::DISTANCE };
    if pair.balls_are_apart(ask.enough) {
        return Outcome::Beyond;
    }
    let m = Difference::of(pair);
    if cx.memory.overlapping
        && let Some(simplex) = cx.memory.simplex.tetrahedron(&m)
        && simplex.surely_holds_origin(pair.noise(0.0), m.scale)
    {
        cx.stats.iterations += 1;
        return Outcome::Touching(ConvexWitness::inside(simplex.blend(0)));
    }
    let found = gjk::polyhedra(&m, &ask, &cx.memory.simplex.start(), cx.stats);
    cx.memory.simplex = SimplexMemory::of(&found);
    settled(pair, &found, cx)
}

/// The closest points that a variant of GJK found, if its own lower bound proves them.
fn proven(pair: &Polyhedra<'_>, found: &GjkResult) -> Claim {
    let distance = found.v.length();
    let tight = distance - found.lower <= 4.0 * pair.noise(distance);
    if found.end == GjkEnd::Met && found.lower > 0.0 && tight {
        return Claim::Apart(gjk_polyhedra::near(pair, found));
    }
    Claim::Unknown
}

/// What GJK found, where that is beyond rounding; else the answer of the exact test.
fn settled(pair: &Polyhedra<'_>, found: &GjkResult, cx: Context<'_, ConvexMemory>) -> ConvexOutcome {
    let noise = pair.noise(0.0);
    cx.memory.overlapping = false;
    match found.end {
        GjkEnd::Enough => Outcome::Beyond,
        GjkEnd::Origin if found.simplex.holds_origin(noise * found.scale) && found.simplex.is_exact(noise) => {
            (cx.memory.features, cx.memory.overlapping) = (None, true);
            Outcome::Touching(ConvexWitness::inside(found.simplex.blend(0)))
        }
        GjkEnd::Met | GjkEnd::Cap if found.lower > noise => {
            let near = gjk_polyhedra::near(pair, found);
            cx.memory.features = Some(near.features);
            pair.apart(&near, pair.at_least(&near, found.lower))
        }
        _ => {
            cx.memory.features = None;
            within_rounding::decide(pair, found, cx.stats)
        }
    }
}

/// Two cores of which at least one is smooth: known by its support mapping only.
fn smooth<A: Mapped + ?Sized, B: Mapped + ?Sized>(
    a: &A,
    b: &B,
    b_in_a: &Relative,
    enough: f64,
    stats: &mut Stats,
) -> ConvexOutcome {
    let m = Difference::new(a, b, *b_in_a);
    let size = a.radius() + b.radius();
    let noise = |distance: f64| EPS * (64.0 * (size + b_in_a.apply(b.centre()).abs().max_element()) + 16.0 * distance);
    let ask = GjkQuestion { enough: enough + noise(enough.min(f64::MAX)), ..GjkQuestion::DISTANCE };
    let mut found = gjk::distance::<RegionWalk, _, _>(&m, &ask, &gjk::GjkStart::default(), stats);
    let is_open = matches!(found.end, GjkEnd::Met | GjkEnd::Cap) && found.lower < MET * found.upper() - noise(0.0);
    if is_open && let Some(gap) = flat_gap(&m, &found, stats) {
        found.lower = gap.max(found.lower);
        if gap > ask.enough {
            return Outcome::Beyond;
        }
    }
    let points = found.points();
    match found.end {
        GjkEnd::Enough => Outcome::Beyond,
        GjkEnd::Origin => {
            Outcome::Touching(ConvexWitness::inside(found.simplex.common::<RegionWalk>(noise(0.0)).blend(0)))
        }
        _ if found.lower <= 0.0 => Outcome::Touching(ConvexWitness { points, elements: [Element::Surface; 2] }),
        _ => {
            let upper = found.upper() + noise(found.upper());
            let lower = (found.lower.min(found.upper()) - noise(found.lower)).max(0.0);
            let witness = ConvexWitness { points, elements: [Element::Surface; 2] };
            ConvexOutcome::apart(Interval { lower, upper }, witness)
        }
    }
}
