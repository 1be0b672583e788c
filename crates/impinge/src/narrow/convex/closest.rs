//! How two convex bodies stand to each other: the engines behind one question, margins, and what is exact.
//!
//! A body is a core and a margin. The cores are asked; the margins come off the distance, or on to the depth.
//!
//! Engines compute in rounded arithmetic. Where one finds two polyhedra farther apart than rounding can be, or the
//! origin deeper inside a simplex of their difference, that is the answer. In between, `exact_touch` decides; so all
//! engines give the same yes or no.
//!
//! `Auto` is the hybrid. Of polyhedra about which nothing is remembered a first look tells whether they overlap
//! ([`boolean_gjk`]); how far they are apart, V-Clip or GJK from what was seen. After that V-Clip goes on from the
//! remembered features, and where bodies overlap, or only that is asked, GJK from the last simplex and direction.

use std::sync::Arc;

use glam::DVec3;

use super::axes::rabbitz::Rabbitz;
use super::axes::separating_vector::SeparatingVector;
use super::axes::witness_plane::{Sides, WitnessPlane};
use super::features::lin_canny_cells::ConstantSizeCells;
use super::features::{lin_canny, v_clip};
use super::half_space;
use super::polyhedra::feature_points::{Standing, closest_on_segment};
use super::polyhedra::{Cell, Near, Polyhedra, Verdict};
use super::polyhedra::{brute, facing};
use super::simplex::boolean_gjk;
use super::simplex::boolean_gjk::{Seen, Sight};
use super::simplex::enhanced_gjk;
use super::simplex::flat_gap::{MET, flat_gap};
use super::simplex::gjk;
use super::simplex::gjk::{Ask, End, Found};
use super::simplex::gjk_polyhedra;
use super::simplex::gjk_polyhedra::{Recall, Variant};
use super::simplex::minkowski::{Difference, Mapped};
use super::within_rounding::doubtful;
use crate::answer::{Element, Stats};
use crate::math::{EPS, Interval, Relative};
use crate::model::Convex;
use crate::model::convex::polyhedron::NONE;
use crate::model::round::Core;
use crate::narrow::method::Method;
use crate::prim::RegionWalk;

/// Below this a distance is not told from 0: its square has lost digits, or is 0.
const FAINT: f64 = 1e-150;

/// A convex body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Solid<'m> {
    pub(crate) core: Core<'m>,
    pub(crate) margin: f64,
}

impl<'m> Solid<'m> {
    pub(crate) fn polyhedron(convex: &'m Convex) -> Solid<'m> {
        Solid { core: Core::Polyhedron(convex), margin: 0.0 }
    }
}

/// How two bodies stand to each other, in `a`'s frame.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stand {
    /// Apart, by between `lower` and `upper`.
    Apart { lower: f64, upper: f64, near: Witnesses },
    /// Farther apart than was asked for.
    Beyond,
    /// With a common point.
    Overlap(Witnesses),
}

/// Two points and what carries them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Witnesses {
    pub(crate) points: [DVec3; 2],
    pub(crate) elements: [Element; 2],
}

impl Witnesses {
    pub(crate) fn inside(p: DVec3) -> Witnesses {
        Witnesses { points: [p; 2], elements: [Element::Inside; 2] }
    }
}

/// Regions of constant size, made when they are first asked for, and the last ones visited.
#[derive(Debug, Clone)]
struct Regions {
    bodies: Arc<[ConstantSizeCells; 2]>,
    places: [u32; 2],
}

impl Regions {
    fn of(pair: &Polyhedra<'_>) -> Regions {
        let bodies = Arc::new([ConstantSizeCells::new(pair.a), ConstantSizeCells::new(pair.b)]);
        Regions { bodies, places: [NONE; 2] }
    }
}

/// What is remembered of two convex bodies. Anything may be in it: it is only ever a start.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recollection {
    /// The closest features of polyhedra.
    pub(crate) cells: Option<[Cell; 2]>,
    pub(crate) recall: Recall,
    separation: Separation,
    regions: Option<Regions>,
    /// Whether polyhedra overlapped: then no features are closest, and the simplex is the better start.
    overlapping: bool,
    /// The last pose and how the bodies stood there.
    last: Option<(Relative, Stand)>,
}

/// The closest points of polyhedra whose closest features were remembered, while V-Clip finds them apart: the way that
/// a coherent motion goes, call after call. `None` sends the question to [`stand`].
#[inline(always)]
pub(crate) fn tracked(pair: &Polyhedra<'_>, memory: &mut Recollection, stats: &mut Stats) -> Option<Near> {
    let mut cells = memory.cells?;
    if let Some((pose, _)) = &memory.last {
        if *pose == pair.b_in_a {
            return None;
        }
        memory.last = None;
    }
    if pair.are_worlds_apart() {
        return None;
    }
    let end = v_clip::advance(pair, &mut cells, stats);
    memory.cells = (end == v_clip::End::Apart).then_some(cells);
    let near = (end == v_clip::End::Apart).then(|| pair.closest_points(cells))?;
    pair.is_proven(&near).then_some(near)
}

/// What the engines that only tell whether bodies are apart remember.
#[derive(Debug, Clone, Copy, Default)]
enum Separation {
    #[default]
    Nothing,
    Plane(WitnessPlane),
    Vector(SeparatingVector),
    Rabbitz(Rabbitz),
}

impl Separation {
    /// Whether they are apart by more than `enough`.
    #[inline(never)]
    fn apart(&mut self, pair: &Polyhedra<'_>, method: Method, enough: f64, stats: &mut Stats) -> bool {
        *self = match (method, *self) {
            (Method::WitnessPlane, Separation::Plane(_)) => *self,
            (Method::WitnessPlane, _) => Separation::Plane(WitnessPlane::default()),
            (Method::SeparatingVector, Separation::Vector(_)) => *self,
            (Method::SeparatingVector, _) => Separation::Vector(SeparatingVector::default()),
            (_, Separation::Rabbitz(_)) => *self,
            _ => Separation::Rabbitz(Rabbitz::default()),
        };
        let sides = match self {
            Separation::Plane(plane) => plane.apart(pair, enough, true, stats),
            Separation::Vector(vector) => vector.apart(pair, enough, stats),
            Separation::Rabbitz(rabbitz) => rabbitz.apart(pair, enough, stats),
            Separation::Nothing => Sides::Unknown,
        };
        matches!(sides, Sides::Apart(_))
    }
}

/// How `b` stands to `a`. Beyond `enough` it need not be known how far apart they are.
pub(crate) fn stand(
    [a, b]: [&Solid<'_>; 2],
    b_in_a: &Relative,
    enough: f64,
    method: Method,
    memory: &mut Recollection,
    stats: &mut Stats,
) -> Stand {
    if let Some((pose, stand)) = &memory.last
        && pose == b_in_a
    {
        return *stand;
    }
    let margins = a.margin + b.margin;
    let cores = cores([a, b], b_in_a, enough + margins, method, memory, stats);
    let stand = if margins > 0.0 { cores.widened(a.margin, b.margin) } else { cores };
    if enough == f64::INFINITY {
        memory.last = Some((*b_in_a, stand));
    }
    stand
}

/// The same without the margins.
pub(crate) fn cores(
    [a, b]: [&Solid<'_>; 2],
    b_in_a: &Relative,
    enough: f64,
    method: Method,
    memory: &mut Recollection,
    stats: &mut Stats,
) -> Stand {
    match (a.core, b.core) {
        (Core::Polyhedron(p), Core::Polyhedron(q)) => {
            let pair = Polyhedra { a: p, b: q, b_in_a: *b_in_a };
            polyhedra(&pair, enough, method, memory, stats)
        }
        (Core::Polyhedron(p), Core::Smooth(q)) => smooth(p, q, b_in_a, enough, stats),
        (Core::Smooth(p), Core::Polyhedron(q)) => smooth(p, q, b_in_a, enough, stats),
        (Core::Smooth(p), Core::Smooth(q)) => smooth(p, q, b_in_a, enough, stats),
        (Core::HalfSpace { normal, offset }, _) => half_space::stand(normal, offset, b, b_in_a),
        (_, Core::HalfSpace { normal, offset }) => {
            half_space::stand(normal, offset, a, &b_in_a.inverse()).seen_from_b(b_in_a)
        }
    }
}

impl Stand {
    /// The same for the bodies with margins around them.
    fn widened(self, a: f64, b: f64) -> Stand {
        let Stand::Apart { lower, upper, near } = self else { return self };
        let [p, q] = near.points;
        let between = p.distance(q);
        let normal = (q - p).normalize_or_zero();
        let noise = 4.0 * EPS * (a + b);
        let elements = [(near.elements[0], a), (near.elements[1], b)]
            .map(|(element, margin)| if margin > 0.0 { Element::Surface } else { element });
        if between <= a + b {
            // Half way between the surfaces, but between the cores: a small margin may lie all inside the other.
            let at = (0.5 * (between + a - b)).clamp(0.0, between);
            return Stand::Overlap(Witnesses { points: [p + normal * at; 2], elements });
        }
        let points = [p + normal * a, q - normal * b];
        let lower = (lower - a - b - noise).max(0.0);
        Stand::Apart { lower, upper: (upper - a - b + noise).max(lower), near: Witnesses { points, elements } }
    }

    /// Bodies exchanged, and from the frame of the one to that of the other.
    pub(crate) fn seen_from_b(self, b_in_a: &Relative) -> Stand {
        let turned = |w: Witnesses| {
            let [q, p] = w.points.map(|x| b_in_a.apply(x));
            Witnesses { points: [p, q], elements: [w.elements[1], w.elements[0]] }
        };
        match self {
            Stand::Apart { lower, upper, near } => Stand::Apart { lower, upper, near: turned(near) },
            Stand::Overlap(w) => Stand::Overlap(turned(w)),
            Stand::Beyond => Stand::Beyond,
        }
    }
}

impl Polyhedra<'_> {
    /// How far a computed distance may be from that of the true bodies; see `Placed::noise` for the count.
    #[inline(always)]
    pub(crate) fn noise(&self, distance: f64) -> f64 {
        let (reach, shift) = (self.b.reach(), self.b_in_a.translation.abs().max_element());
        let placing = match (self.b_in_a.is_rotated(), shift > 0.0) {
            (true, _) => 64.0 * reach + 8.0 * shift,
            (false, true) => 2.0 * reach + 8.0 * shift,
            (false, false) => 0.0,
        };
        EPS * (placing + 24.0 * (self.a.radius() + self.b.radius()) + 12.0 * distance)
    }

    #[inline(always)]
    pub(crate) fn elements(&self, cells: [Cell; 2]) -> [Element; 2] {
        [element(self.a, cells[0]), element(self.b, cells[1])]
    }

    pub(crate) fn apart(&self, near: &Near, lower: f64) -> Stand {
        let interval = self.interval(near.distance(), lower);
        let near = Witnesses { points: near.points, elements: self.elements(near.cells) };
        Stand::Apart { lower: interval.lower, upper: interval.upper, near }
    }

    /// The interval around a computed distance that is at least `lower`.
    #[inline(always)]
    pub(crate) fn interval(&self, distance: f64, lower: f64) -> Interval {
        let noise = self.noise(distance);
        let lower = if distance < FAINT { 0.0 } else { (lower.min(distance) - noise).max(0.0) };
        Interval { lower, upper: (distance + noise).max(FAINT) }
    }
}

/// The feature by the indices of the points given.
#[inline(always)]
pub(crate) fn element(body: &Convex, cell: Cell) -> Element {
    let id = |v: u32| body.vertex_id(v).unwrap_or(v);
    match cell {
        Cell::Vertex(v) => Element::Vertex(id(v)),
        Cell::Edge(e) => Element::Edge(body.edge(e).ends.map(id)),
        Cell::Face(f) => Element::Face(f),
    }
}

#[inline(never)]
fn polyhedra(pair: &Polyhedra<'_>, enough: f64, method: Method, memory: &mut Recollection, stats: &mut Stats) -> Stand {
    let gjk = |variant, stats: &mut Stats| gjk_polyhedra::found(pair, variant, &Ask::DISTANCE, stats);
    if pair.are_worlds_apart() {
        return pair.apart(&pair.closest_points(pair.extremes()), f64::INFINITY);
    }
    let verdict = match method {
        Method::Brute => brute::closest(pair, stats),
        Method::LinCanny => {
            let (verdict, cells) = lin_canny::walk(pair, memory.cells.unwrap_or_else(|| pair.extremes()), stats);
            memory.cells = Some(cells);
            verdict
        }
        Method::LinCannyCells => {
            let start = memory.cells.unwrap_or_else(|| pair.extremes());
            let regions = memory.regions.get_or_insert_with(|| Regions::of(pair));
            let bodies = [Some(&regions.bodies[0]), Some(&regions.bodies[1])];
            let (verdict, cells) = lin_canny::walk_in(pair, bodies, &mut regions.places, start, stats);
            memory.cells = Some(cells);
            verdict
        }
        Method::VClip => {
            let (verdict, cells) = v_clip::walk(pair, memory.cells.unwrap_or_else(|| pair.extremes()), stats);
            memory.cells = Some(cells);
            verdict
        }
        Method::Gjk => proven(pair, &gjk(Variant::RegionWalk, stats)),
        Method::GjkSignedVolumes => proven(pair, &gjk(Variant::SignedVolumes, stats)),
        Method::GjkJohnson => proven(pair, &gjk(Variant::Johnson, stats)),
        Method::GjkNesterov => proven(pair, &gjk(Variant::Nesterov, stats)),
        Method::EnhancedGjk => {
            let found = enhanced_gjk::found(pair, &mut memory.recall, &Ask::DISTANCE, stats);
            proven(pair, &found)
        }
        Method::WitnessPlane | Method::SeparatingVector | Method::Rabbitz if enough < f64::INFINITY => {
            if memory.separation.apart(pair, method, enough + pair.noise(enough), stats) {
                return Stand::Beyond;
            }
            Verdict::Unknown
        }
        _ if memory.is_blank() => match at_first_sight(pair, enough, memory, stats) {
            Ok(stand) => return stand,
            Err(verdict) => verdict,
        },
        _ => match memory.cells {
            Some(cells) if enough == f64::INFINITY && !memory.overlapping => {
                let (verdict, cells) = v_clip::walk(pair, cells, stats);
                memory.cells = matches!(verdict, Verdict::Apart(_)).then_some(cells);
                verdict
            }
            _ => Verdict::Unknown,
        },
    };
    match verdict {
        Verdict::Apart(near) if pair.is_proven(&near) => pair.apart(&near, f64::INFINITY),
        _ => by_gjk(pair, enough, memory, stats),
    }
}

/// What is seen of polyhedra of which nothing is remembered. If the first plane tried is between them, V-Clip tells how
/// far they are apart, from the vertices that it goes through; if a later one, GJK from the simplex found.
fn at_first_sight(
    pair: &Polyhedra<'_>,
    enough: f64,
    memory: &mut Recollection,
    stats: &mut Stats,
) -> Result<Stand, Verdict> {
    let far = enough + pair.noise(enough.min(f64::MAX));
    if pair.balls_are_apart(far) {
        return Ok(Stand::Beyond);
    }
    let m = Difference::of(pair);
    let mut seen = Seen::nothing();
    let sight = boolean_gjk::look(pair, &m, pair.noise(0.0), &mut seen, stats);
    let points = seen.last();
    memory.recall = Recall::seen(&points, &sight);
    match sight {
        Sight::Inside => {
            memory.overlapping = true;
            Ok(Stand::Overlap(Witnesses::inside(seen.simplex().blend(0))))
        }
        Sight::Apart { gap, .. } if gap > far => Ok(Stand::Beyond),
        Sight::Apart { .. } if enough == f64::INFINITY && points.len() == 1 => {
            let (verdict, cells) = v_clip::walk(pair, points[0].names.map(Cell::Vertex), stats);
            memory.cells = matches!(verdict, Verdict::Apart(_)).then_some(cells);
            Err(verdict)
        }
        _ => {
            let start = gjk::Start { direction: None, names: &[], points: &points };
            let found = gjk::polyhedra(&m, &Ask { enough: far, ..Ask::DISTANCE }, &start, stats);
            memory.recall = Recall::of(&found);
            Ok(settled(pair, &found, memory, stats))
        }
    }
}

impl Recollection {
    /// Goes back to features that were closest, from wherever a question about another pose has led.
    pub(crate) fn return_to(&mut self, cells: Option<[Cell; 2]>) {
        if let Some(cells) = cells {
            (self.cells, self.overlapping, self.last) = (Some(cells), false, None);
        }
    }

    /// Whether nothing is remembered of polyhedra.
    pub(crate) fn is_blank(&self) -> bool {
        self.cells.is_none() && self.recall.is_blank()
    }
}

impl Polyhedra<'_> {
    /// How far a point of `a`'s frame lies outside the bodies, by their planes: negative inside both.
    pub(crate) fn outside(&self, p: DVec3) -> f64 {
        outside(self.a, p).max(outside(self.b, self.b_in_a.inverse().apply(p)))
    }

    /// Whether the balls around the bodies have more than `enough` between them.
    #[inline(always)]
    pub(crate) fn balls_are_apart(&self, enough: f64) -> bool {
        let reach = enough + self.a.radius() + self.b.radius();
        self.b_in_a.apply(self.b.centre()).distance_squared(self.a.centre()) > reach * reach * (1.0 + 16.0 * EPS)
    }

    /// So far apart that to each other they are points, and products of lengths might overflow.
    #[inline(always)]
    fn are_worlds_apart(&self) -> bool {
        self.b_in_a.translation.abs().max_element() > 1e17 * (self.a.reach() + self.b.reach())
    }

    /// The features that face each other along `n`, and where they would meet.
    pub(crate) fn facing(&self, n: DVec3) -> Near {
        let [a, b] = &self.standing();
        let back = -(self.b_in_a.rotation.transpose() * n);
        let (points, cells) =
            facing::touch([a, b], [self.a.support(n, 0), self.b.support(back, 0)], n, self.noise(0.0));
        Near { points, cells }
    }

    /// The vertices farthest towards each other along the line of the centres.
    pub(crate) fn extremes(&self) -> [Cell; 2] {
        let way = self.b_in_a.apply(self.b.centre()) - self.a.centre();
        let back = -(self.b_in_a.rotation.transpose() * way);
        [Cell::Vertex(self.a.support(way, 0)), Cell::Vertex(self.b.support(back, 0))]
    }
}

/// GJK from what is remembered, and the exact decision where it cannot tell.
fn by_gjk(pair: &Polyhedra<'_>, enough: f64, memory: &mut Recollection, stats: &mut Stats) -> Stand {
    let ask = Ask { enough: enough + pair.noise(enough.min(f64::MAX)), ..Ask::DISTANCE };
    if pair.balls_are_apart(ask.enough) {
        return Stand::Beyond;
    }
    let m = Difference::of(pair);
    if memory.overlapping
        && let Some(simplex) = memory.recall.tetrahedron(&m)
        && simplex.surely_holds_origin(pair.noise(0.0), m.scale)
    {
        stats.iterations += 1;
        return Stand::Overlap(Witnesses::inside(simplex.blend(0)));
    }
    let found = gjk::polyhedra(&m, &ask, &memory.recall.start(), stats);
    memory.recall = Recall::of(&found);
    settled(pair, &found, memory, stats)
}

/// The closest points that a variant of GJK found, if its own bound proves them.
fn proven(pair: &Polyhedra<'_>, found: &Found) -> Verdict {
    let distance = found.v.length();
    let tight = distance - found.lower <= 4.0 * pair.noise(distance);
    if found.end == End::Met && found.lower > 0.0 && tight {
        return Verdict::Apart(gjk_polyhedra::near(pair, found));
    }
    Verdict::Unknown
}

/// What GJK found, where it can tell, else what is exact.
fn settled(pair: &Polyhedra<'_>, found: &Found, memory: &mut Recollection, stats: &mut Stats) -> Stand {
    let noise = pair.noise(0.0);
    memory.overlapping = false;
    match found.end {
        End::Enough => Stand::Beyond,
        End::Origin if found.simplex.holds_origin(noise * found.scale) && found.simplex.is_exact(noise) => {
            (memory.cells, memory.overlapping) = (None, true);
            Stand::Overlap(Witnesses::inside(found.simplex.blend(0)))
        }
        End::Met | End::Cap if found.lower > noise => {
            let near = gjk_polyhedra::near(pair, found);
            memory.cells = Some(near.cells);
            pair.apart(&near, pair.at_least(&near, found.lower))
        }
        _ => {
            memory.cells = None;
            doubtful(pair, found, stats)
        }
    }
}

/// How far a point lies above the faces of a body; of one without volume, how far from it, by its planes.
pub(crate) fn outside(body: &Convex, p: DVec3) -> f64 {
    match body.face_count() {
        0 => {
            let last = body.vertex_count() as u32 - 1;
            closest_on_segment([body.vertex(0), body.vertex(last)], p).distance(p)
        }
        2 => body.face_edges(0).iter().fold(body.height(0, p).abs(), |most, &h| {
            let inward = body.edge(h.edge()).inward[h.side()];
            most.max(inward.dot(body.vertex(body.tail(h)) - p))
        }),
        faces => (0..faces as u32).map(|f| body.height(f, p)).fold(f64::NEG_INFINITY, f64::max),
    }
}

impl Polyhedra<'_> {
    /// The two points, slid along a face until the other lies on its vertex or edge exactly.
    pub(crate) fn slid(&self, [p, q]: [DVec3; 2], cells: [Cell; 2]) -> [DVec3; 2] {
        let [a, b] = self.standing();
        match cells {
            [Cell::Face(_), Cell::Vertex(_) | Cell::Edge(_)] => {
                let on_b = on_feature(&b, cells[1], q);
                [p + (on_b - q), on_b]
            }
            [Cell::Vertex(_) | Cell::Edge(_), Cell::Face(_)] => {
                let on_a = on_feature(&a, cells[0], p);
                [on_a, q + (on_a - p)]
            }
            _ => [p, q],
        }
    }
}

/// The point of a vertex or an edge nearest to a point by it; of a face the point itself.
fn on_feature(body: &Standing<'_>, cell: Cell, p: DVec3) -> DVec3 {
    match cell {
        Cell::Vertex(v) => body.vertex(v),
        Cell::Edge(e) => closest_on_segment(body.ends(e), p),
        Cell::Face(_) => p,
    }
}

/// Bodies of which at least one is known by its support mapping only.
fn smooth<A: Mapped + ?Sized, B: Mapped + ?Sized>(
    a: &A,
    b: &B,
    b_in_a: &Relative,
    enough: f64,
    stats: &mut Stats,
) -> Stand {
    let m = Difference::new(a, b, *b_in_a);
    let size = a.radius() + b.radius();
    let noise = |distance: f64| EPS * (64.0 * (size + b_in_a.apply(b.centre()).abs().max_element()) + 16.0 * distance);
    let ask = Ask { enough: enough + noise(enough.min(f64::MAX)), ..Ask::DISTANCE };
    let mut found = gjk::distance::<RegionWalk, _, _>(&m, &ask, &gjk::Start::default(), stats);
    let is_open = matches!(found.end, End::Met | End::Cap) && found.lower < MET * found.upper() - noise(0.0);
    if is_open && let Some(gap) = flat_gap(&m, &found, stats) {
        found.lower = gap.max(found.lower);
        if gap > ask.enough {
            return Stand::Beyond;
        }
    }
    let points = found.points();
    match found.end {
        End::Enough => Stand::Beyond,
        End::Origin => Stand::Overlap(Witnesses::inside(found.simplex.common::<RegionWalk>(noise(0.0)).blend(0))),
        _ if found.lower <= 0.0 => Stand::Overlap(Witnesses { points, elements: [Element::Surface; 2] }),
        _ => {
            let upper = found.upper() + noise(found.upper());
            let lower = (found.lower.min(found.upper()) - noise(found.lower)).max(0.0);
            Stand::Apart { lower, upper, near: Witnesses { points, elements: [Element::Surface; 2] } }
        }
    }
}
