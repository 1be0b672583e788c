//! Each verb's answer against the exact verdict. Every function says what is wrong, or nothing.

use glam::DVec3;
use impinge::{
    Contact, Contacts, Containment, Distance, Feature, Limit, Model, Overlap, Pair, Pose, Semantics, Touch, Within,
};
use impinge_testing::soup::{Soup, separation};

use super::meshes::{Scene, Truth, is_closed};

type Check = Result<(), String>;

fn demand(holds: bool, otherwise: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// All verbs of one `Pair`, asked in turn.
pub(crate) fn all_verbs(pair: &mut Pair, scene: &Scene, truth: &Truth) -> Check {
    let (pa, pb) = (&scene.pose_a, &scene.pose_b);
    overlap(&pair.overlap(pa, pb), scene, truth)?;
    let distance = pair.distance(pa, pb);
    self::distance(&distance, scene, truth)?;
    contacts(&pair.contacts(pa, pb, Limit::All), Limit::All, scene, truth)?;
    contacts(&pair.contacts(pa, pb, Limit::First), Limit::First, scene, truth)?;
    contacts(&pair.contacts(pa, pb, Limit::UpTo(3)), Limit::UpTo(3), scene, truth)?;
    let exact = truth.distance();
    for factor in [0.0, 0.5, 1.0 - 1e-9, 1.0 + 1e-9, 2.0] {
        let tolerance = if exact.is_finite() { exact * factor } else { factor };
        within(&pair.within(pa, pb, tolerance), tolerance, scene, truth)?;
    }
    within(&pair.within(pa, pb, distance.interval.upper), distance.interval.upper, scene, truth)
}

/// A cold pair of these models.
pub(crate) fn cold(models: &[Model; 2], method: impinge::Method) -> Pair {
    Pair::new(models[0].clone(), models[1].clone()).with_method(method)
}

fn semantics(got: Semantics, scene: &Scene) -> Check {
    let solid = |soup: &Soup| !soup.triangles.is_empty() && is_closed(soup);
    let proper = |soup: &Soup| soup.corners().iter().any(|[a, b, c]| (*b - *a).cross(*c - *a) != DVec3::ZERO);
    let expected = if scene.surface || !(solid(&scene.a) || solid(&scene.b)) {
        Semantics::Surface
    } else if (solid(&scene.a) && proper(&scene.a)) || (solid(&scene.b) && proper(&scene.b)) {
        Semantics::Solid
    } else {
        // Whether a body of points and segments only is closed depends on the definition: both answers are accepted.
        return Ok(());
    };
    demand(got == expected, || format!("semantics {got:?}, not {expected:?}"))
}

fn containment(got: Option<Containment>, truth: &Truth) -> Check {
    let fits = match got {
        None => !(truth.a_in_b || truth.b_in_a),
        Some(Containment::AInB) => truth.a_in_b && !truth.b_in_a,
        Some(Containment::BInA) => truth.b_in_a && !truth.a_in_b,
        Some(Containment::Mutual) => truth.a_in_b && truth.b_in_a,
    };
    demand(fits, || format!("contained {got:?}, but a in b: {}, b in a: {}", truth.a_in_b, truth.b_in_a))
}

pub(crate) fn overlap(got: &Overlap, scene: &Scene, truth: &Truth) -> Check {
    semantics(got.semantics, scene)?;
    demand(got.overlap == truth.overlap(), || format!("overlap {}, not {}", got.overlap, truth.overlap()))?;
    match &got.witness {
        None => demand(!got.overlap, || "an overlap without a witness".to_string()),
        Some(Touch::Contained(c)) => containment(Some(*c), truth),
        Some(Touch::Common(_)) => Err("a common point of meshes, which have triangles".to_string()),
        Some(Touch::Surfaces(c)) => {
            demand(truth.pairs.binary_search(&c.pair).is_ok(), || format!("witness {c:?} do not meet"))?;
            contact(c, scene)
        }
    }
}

pub(crate) fn contacts(got: &Contacts, limit: Limit, scene: &Scene, truth: &Truth) -> Check {
    semantics(got.semantics, scene)?;
    let most = match limit {
        Limit::First => 1,
        Limit::UpTo(n) => n,
        Limit::All => usize::MAX,
    };
    let n = got.pairs.len();
    let (say, all) = (|s: &str| format!("contacts: {s}: {:?} of {:?}", got.pairs, truth.pairs), &truth.pairs);
    demand(n == all.len().min(most), || say("wrong count"))?;
    demand(got.pairs.windows(2).all(|w| w[0] < w[1]), || say("not sorted"))?;
    demand(got.pairs.iter().all(|p| all.binary_search(p).is_ok()), || say("a pair that does not meet"))?;
    demand(!got.complete || n == all.len(), || say("called complete"))?;
    demand(got.complete || n == most, || say("called incomplete, though the limit was not reached"))?;
    demand(got.touching() == truth.overlap(), || say("touching() is wrong"))?;
    containment(got.contained, truth)?;
    let listed: Vec<Contact> = got.iter().collect();
    demand(listed.iter().map(|c| c.pair).eq(got.pairs.iter().copied()), || say("iter() differs"))?;
    listed.iter().try_for_each(|c| contact(c, scene))
}

/// How far a rounded world point may be off: rounding of the world frame, and of the bodies' own.
fn slack(scene: &Scene) -> f64 {
    1e-12 * scene.size() + 16.0 * scene.ulp()
}

fn world(soup: &Soup, pose: &Pose, i: u32) -> [DVec3; 3] {
    soup.triangle(i as usize).map(|p| pose.apply(p))
}

/// How far a point is from a triangle: to an ulp, or a bound from above that is less than `enough`.
fn near(p: DVec3, t: &[DVec3; 3], enough: f64) -> f64 {
    let bound = at_most(p, t);
    if bound < enough { bound } else { separation(&[p; 3], t).root() }
}

/// How far a point is from some point of the triangle, chosen near it in rounded arithmetic.
fn at_most(p: DVec3, [a, b, c]: &[DVec3; 3]) -> f64 {
    let along = |q: DVec3, r: DVec3| {
        let d = r - q;
        let x = (p - q).dot(d) / d.length_squared();
        if x > 0.0 { q + d * x.min(1.0) } else { q }
    };
    // Where the triangle has no area, `inside` may be no number; then the edges are enough.
    let (e, f, w) = (*b - *a, *c - *a, p - *a);
    let (ee, ef, ff, we, wf) = (e.dot(e), e.dot(f), f.dot(f), w.dot(e), w.dot(f));
    let area = ee * ff - ef * ef;
    let x = ((ff * we - ef * wf) / area).clamp(0.0, 1.0);
    let y = ((ee * wf - ef * we) / area).max(0.0).min(1.0 - x);
    let inside = *a + e * x + f * y;
    [inside, along(*a, *b), along(*b, *c), along(*c, *a)].map(|q| apart(p, q)).into_iter().fold(f64::INFINITY, f64::min)
}

/// The distance of two points, whose squares may be too large or too small for a number.
fn apart(p: DVec3, q: DVec3) -> f64 {
    let unit = (p - q).abs().max_element();
    if unit == 0.0 { 0.0 } else { ((p - q) / unit).length() * unit }
}

fn contact(c: &Contact, scene: &Scene) -> Check {
    let (s, t) = (world(&scene.a, &scene.pose_a, c.pair[0]), world(&scene.b, &scene.pose_b, c.pair[1]));
    let slack = slack(scene);
    let Some(segment) = c.segment else { return Err(format!("{c:?} has no segment")) };
    for p in segment {
        demand(p.is_finite(), || format!("{c:?} is not finite"))?;
        let off = near(p, &s, slack).max(near(p, &t, slack));
        demand(off <= 4.0 * slack, || format!("{c:?}: {p} is {off} off its triangles {s:?} {t:?}"))?;
    }
    for [p, q] in c.points.iter().copied() {
        demand(p.is_finite() && q.is_finite(), || format!("{c:?} is not finite"))?;
        let off = near(p, &s, slack).max(near(q, &t, slack));
        let reach = if c.depth.is_some() { 1e-7 * scene.size() + 4.0 * slack } else { 4.0 * slack };
        demand(off <= reach, || format!("{c:?}: {p} and {q} are {off} off their triangles {s:?} {t:?}"))?;
    }
    let unit = (c.normal.length() - 1.0).abs() < 1e-9;
    demand(unit || c.normal == DVec3::ZERO, || format!("{c:?}: the normal is neither unit nor zero"))
}

fn feature(f: Feature, p: DVec3, soup: &Soup, pose: &Pose, slack: f64) -> Check {
    let triangle = f.triangle().and_then(|t| soup.triangles.get(t as usize));
    let Some(&corners) = triangle else { return Err(format!("{f:?} is not there")) };
    let place = |v: u32| pose.apply(soup.vertices[v as usize]);
    let (named, carrier) = match f {
        Feature::Vertex { vertex, .. } => (vec![vertex], [place(vertex); 3]),
        Feature::Edge { vertices: [v, w], .. } => (vec![v, w], [place(v), place(w), place(w)]),
        Feature::Face { triangle } => (vec![], world(soup, pose, triangle)),
        Feature::Convex { .. } => return Err(format!("{f:?} of a mesh")),
    };
    demand(named.iter().all(|v| corners.contains(v)), || format!("{f:?} names a vertex not of triangle {corners:?}"))?;
    let off = near(p, &carrier, 0.5 * slack);
    demand(off <= slack, || format!("witness {p} is {off} off its {f:?}"))
}

pub(crate) fn distance(got: &Distance, scene: &Scene, truth: &Truth) -> Check {
    semantics(got.semantics, scene)?;
    let exact = truth.distance();
    let say = |s: String| format!("distance: {s}: {:?}, exactly {exact:e}", got.interval);
    let (lower, upper) = (got.interval.lower, got.interval.upper);
    demand(lower <= upper && lower >= 0.0, || say("not an interval".into()))?;
    demand(got.penetrating == truth.overlap(), || say(format!("penetrating {}", got.penetrating)))?;
    demand((upper == 0.0) == truth.overlap(), || say("upper is zero exactly when they overlap".into()))?;
    containment(got.contained, truth)?;
    if truth.empty {
        let none = lower == f64::INFINITY && upper == f64::INFINITY && got.witness.is_none();
        return demand(none, || say(format!("nothing is near the empty set, {:?}", got.witness)));
    }
    if let (false, Some(square)) = (truth.overlap(), &truth.surface) {
        demand(square.compare_root(lower).is_ge(), || say("the lower end is too large".into()))?;
        demand(square.compare_root(upper).is_le(), || say("the upper end is too small".into()))?;
    }
    let width = 1e-12 * exact.max(scene.size()) + scene.posing() + 4.0 * f64::from_bits(1);
    demand(upper - lower <= width, || say(format!("wider than {width:e}")))?;
    let Some(w) = got.witness else {
        return demand(got.contained.is_some(), || say("no witness".into()));
    };
    let slack = slack(scene) + 1e-12 * exact;
    let apart = apart(w.points[0], w.points[1]);
    demand((apart - exact).abs() <= 2.0 * slack, || say(format!("witnesses {:?} are {apart:e} apart", w.points)))?;
    feature(w.features[0], w.points[0], &scene.a, &scene.pose_a, slack)?;
    feature(w.features[1], w.points[1], &scene.b, &scene.pose_b, slack)
}

pub(crate) fn within(got: &Within, tolerance: f64, scene: &Scene, truth: &Truth) -> Check {
    semantics(got.semantics, scene)?;
    let exact = truth.distance();
    let say = |s: &str| format!("within {tolerance:e}: {s}: {}, exactly {exact:e}", got.within);
    let near = match &truth.surface {
        _ if truth.overlap() => true,
        Some(square) => square.compare_root(tolerance).is_le(),
        None => false,
    };
    demand(got.within || !near, || say("they are that near"))?;
    let rounding = 1e-12 * exact.max(scene.size()) + scene.posing() + 4.0 * f64::from_bits(1);
    let far = !near && (exact - tolerance > rounding || tolerance == 0.0);
    demand(!got.within || !far, || say("they are farther than rounding can excuse"))?;
    if let Some(w) = got.witness {
        let slack = slack(scene) + 1e-12 * exact;
        let apart = apart(w.points[0], w.points[1]);
        demand(apart <= tolerance + 2.0 * slack, || say(&format!("witnesses {:?} are {apart:e} apart", w.points)))?;
        feature(w.features[0], w.points[0], &scene.a, &scene.pose_a, slack)?;
        feature(w.features[1], w.points[1], &scene.b, &scene.pose_b, slack)?;
    }
    Ok(())
}
