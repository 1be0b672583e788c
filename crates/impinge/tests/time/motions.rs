//! Every kind of motion does what its bounds say: rates, accelerations, margins and swept boxes against dense sampling.

use impinge::bound::Aabb;
use impinge::glam::{DQuat, DVec3};
use impinge::{
    Ballistic, ChainLink, Convex, Flight, Joint, Model, Motion, MotionError, Outline, Pair, Pose, Round, SampleBounds,
    SampledPoses, Span, SplineKey, SplinePoses, SplineTurns, Steady, TimedPoses, next_contact,
};
use impinge_testing::environment::is_long;

/// Numbers from a seed (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn real(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.real(-size, size), self.real(-size, size), self.real(-size, size))
    }

    fn rotation(&mut self) -> DQuat {
        let v = [0; 4].map(|_| self.real(-1.0, 1.0));
        DQuat::from_xyzw(v[0], v[1], v[2], v[3] + 1e-3).normalize()
    }

    fn pose(&mut self, size: f64) -> Pose {
        Pose::new(self.vector(size), self.rotation()).unwrap()
    }
}

fn steady(n: &mut Numbers) -> Steady {
    let spin = n.vector(1.0) * 10f64.powf(n.real(-3.0, 1.0));
    Steady::new(n.pose(3.0), n.vector(1.0), n.vector(3.0), spin, n.real(-1.0, 1.0)).unwrap()
}

fn rows(n: &mut Numbers) -> Vec<(f64, Pose)> {
    let count = 1 + n.bits() as usize % 6;
    (0..count).map(|k| (k as f64 * 0.7 - 0.5, n.pose(2.0))).collect()
}

fn flight(n: &mut Numbers) -> Flight {
    let mut moments = n.vector(0.5) + 1.0;
    match n.bits() % 5 {
        0 => moments.y = moments.x,
        1 => moments = DVec3::ONE,
        2 => moments.z = moments.y * (1.0 + 1e-9),
        _ => {}
    }
    let mut spin = n.vector(8.0);
    if n.bits().is_multiple_of(6) {
        // About an axis, or nearly.
        spin = DVec3::new(n.real(-1e-9, 1e-9), 5.0, if n.bits().is_multiple_of(2) { 0.0 } else { 1e-12 });
    }
    Flight {
        pose: n.pose(2.0),
        centre: n.vector(0.5),
        velocity: n.vector(4.0),
        spin,
        gravity: DVec3::Z * -9.8,
        moments,
        axes: n.rotation(),
        start: n.real(-0.5, 0.5),
    }
}

fn chain(n: &mut Numbers) -> ChainLink {
    let joints = (0..n.bits() % 6)
        .map(|_| {
            let (point, axis) = (n.vector(1.5), n.vector(1.0));
            let (position, rate) = (n.real(-2.0, 2.0), n.real(-1.5, 1.5));
            if n.bits().is_multiple_of(3) {
                Joint::sliding(point, axis, position, rate).unwrap()
            } else {
                Joint::turning(point, axis, position, rate).unwrap()
            }
        })
        .collect();
    ChainLink::new(joints, n.pose(2.0), n.real(-0.5, 0.5)).unwrap()
}

/// Through random keys, or through those of a path that is smooth; the times of places and rotations differ.
fn spline(n: &mut Numbers) -> SplinePoses {
    loop {
        let smooth = n.bits().is_multiple_of(2);
        let mut q = n.rotation();
        let path: Vec<SplineKey<DVec3>> = (0..1 + n.bits() % 4)
            .map(|k| {
                let (arrives, leaves) = (n.vector(3.0), n.vector(3.0));
                let leaves = if smooth { arrives } else { leaves };
                SplineKey { time: k as f64 * 0.8 - 0.3, arrives, value: n.vector(2.0), leaves }
            })
            .collect();
        let turns: Vec<SplineKey<DQuat>> = (0..1 + n.bits() % 4)
            .map(|k| {
                q = (q + n.rotation() * 0.8).normalize();
                let (arrives, leaves) = (n.rotation() * n.real(-2.0, 2.0), n.rotation() * n.real(-2.0, 2.0));
                let leaves = if smooth { arrives } else { leaves };
                SplineKey { time: k as f64 * 0.7 - 0.2, arrives, value: q, leaves }
            })
            .collect();
        let turns = match n.bits() % 3 {
            0 => SplineTurns::Steady(turns.iter().map(|key| (key.time, key.value)).collect()),
            _ => SplineTurns::Spline(turns),
        };
        // A spline that passes by 0 is refused.
        match SplinePoses::new(n.vector(0.5), &path, &turns) {
            Ok(motion) => return motion,
            Err(refused) => assert!(matches!(refused, MotionError::NoRotation { .. }), "{refused}"),
        }
    }
}

/// One of every kind.
fn kinds(n: &mut Numbers) -> Vec<(&'static str, Box<dyn Motion>)> {
    let rows = rows(n);
    let loose = SampleBounds::speeds(40.0, 20.0);
    vec![
        ("still", Box::new(Steady::still(n.pose(2.0)))),
        ("straight", Box::new(Steady::straight(n.pose(2.0), n.vector(3.0), 0.25).unwrap())),
        ("steady", Box::new(steady(n))),
        ("timed", Box::new(TimedPoses::new(&rows, n.vector(0.5)).unwrap())),
        ("sampled", Box::new(SampledPoses::new(&rows, n.vector(0.5), loose).unwrap())),
        ("ballistic", Box::new(Ballistic::new(flight(n)).unwrap())),
        ("chain", Box::new(chain(n))),
        ("spline", Box::new(spline(n))),
    ]
}

fn model(n: &mut Numbers) -> Model {
    match n.bits() % 3 {
        0 => Round::cuboid(DVec3::new(0.2, 1.0, 2.0)).unwrap().into(),
        1 => Round::capsule(0.1, 1.5).unwrap().into(),
        _ => Convex::hull(&(0..20).map(|_| n.vector(1.0)).collect::<Vec<_>>()).unwrap().into(),
    }
}

/// Many more with `IMPINGE_LONG` set: 10⁵ pairs for the bounds on the next contact.
fn rounds(few: u32) -> u32 {
    if is_long() { few * 250 } else { few }
}

/// Velocity of the centre and the spin, by differences over a short time.
fn measured(motion: &dyn Motion, centre: DVec3, t: f64, h: f64) -> [DVec3; 2] {
    let (before, after) = (motion.pose(t - h), motion.pose(t + h));
    let turn = after.rotation() * before.rotation().conjugate();
    let axis = DVec3::new(turn.x, turn.y, turn.z) * turn.w.signum();
    let sine = axis.length();
    let turn = if sine > 1e-6 { axis / sine * 2.0 * sine.atan2(turn.w.abs()) } else { 2.0 * axis };
    [(after.apply(centre) - before.apply(centre)) / (2.0 * h), turn / (2.0 * h)]
}

#[test]
fn rates_hold_the_velocities() {
    let mut n = Numbers(1);
    for round in 0..rounds(300) {
        for (kind, motion) in kinds(&mut n) {
            let (from, length) = (n.real(-1.5, 3.0), 10f64.powf(n.real(-4.0, 0.5)));
            let rates = motion.rates(from, from + length);
            let h = (1e-5_f64).min(length * 1e-2);
            for k in 0..40 {
                let t = from + h + (length - 2.0 * h) * f64::from(k) / 39.0;
                let [v, w] = measured(&*motion, rates.centre, t, h);
                // Of the difference quotient, and of cutting it off: bounds are reached.
                let rounding = 1e-15 * 20.0 / h + 1e-7;
                assert!(
                    v.distance(rates.velocity) <= rates.velocity_spread + rounding,
                    "{round} {kind}: {v} {rates:?}"
                );
                assert!(w.distance(rates.spin) <= rates.spin_spread + rounding, "{round} {kind}: {w} {rates:?}");
            }
        }
    }
}

#[test]
fn accelerations_hold_the_change_of_velocities() {
    let mut n = Numbers(2);
    for round in 0..rounds(300) {
        for (kind, motion) in kinds(&mut n) {
            let (from, length) = (n.real(-1.5, 3.0), 10f64.powf(n.real(-2.0, 0.5)));
            let [a, alpha] = motion.accelerations(from, from + length);
            let centre = motion.rates(from, from + length).centre;
            let h = 1e-4 * length;
            for k in 0..30 {
                let t = from + 3.0 * h + (length - 6.0 * h) * f64::from(k) / 29.0;
                let [v0, w0] = measured(&*motion, centre, t - h, h);
                let [v1, w1] = measured(&*motion, centre, t + h, h);
                let rounding = 1e-15 * 20.0 / (h * h);
                assert!((v1 - v0).length() / (2.0 * h) <= a * (1.0 + 1e-6) + rounding, "{round} {kind} {motion:?}");
                assert!((w1 - w0).length() / (2.0 * h) <= alpha * (1.0 + 1e-6) + rounding, "{round} {kind} {motion:?}");
                if let Some(fall) = motion.fall(from, from + length) {
                    assert!(
                        ((v1 - v0) / (2.0 * h)).distance(fall) <= 1e-6 + rounding,
                        "{round} {kind} falls by {fall}"
                    );
                }
            }
        }
    }
}

#[test]
fn steady_pieces_are_the_motion() {
    let mut n = Numbers(3);
    for _ in 0..rounds(300) {
        for (kind, motion) in kinds(&mut n) {
            let from = n.real(-1.5, 4.0);
            let Some((piece, until)) = motion.steady(from) else { continue };
            assert!(until > from, "{kind}: nothing is steady from {from} to {until}");
            for k in 0..20 {
                let t = from + (until.min(from + 2.0) - from) * f64::from(k) / 20.0;
                let p = n.vector(1.0);
                assert!(piece.pose(t).apply(p).distance(motion.pose(t).apply(p)) < 1e-12, "{kind}");
            }
        }
    }
}

/// How much wider on average than the box around the samples.
#[test]
fn swept_boxes_hold_the_body() {
    let mut n = Numbers(4);
    let mut excess: std::collections::BTreeMap<&str, Vec<f64>> = Default::default();
    for round in 0..rounds(200) {
        let model = model(&mut n);
        for (kind, motion) in kinds(&mut n) {
            let (from, length) = (n.real(-1.5, 3.0), 10f64.powf(n.real(-3.0, 0.7)));
            let length = if round % 10 == 0 { 0.0 } else { length };
            let swept = motion.swept_box(&model, from, from + length).unwrap();
            let mut seen = Aabb::EMPTY;
            for k in 0..=200 {
                let t = from + length * f64::from(k) / 200.0;
                let still = model.outline(&motion.pose(t), Outline::Fitted).unwrap().grown(-1e-12);
                assert!(swept.contains(&still), "{round} {kind} at {t}: {still:?} is not in {swept:?}");
                seen = seen.join(&still);
            }
            if kind != "sampled" {
                excess.entry(kind).or_default().push((swept.max - swept.min).length() / (seen.max - seen.min).length());
            }
        }
    }
    for (kind, mut ratios) in excess {
        ratios.sort_by(f64::total_cmp);
        let (middle, worst) = (ratios[ratios.len() / 2], ratios[ratios.len() - 1]);
        println!("{kind}: swept box {middle:.4} times as wide as the samples at the median, {worst:.3} at most");
        assert!(middle < 1.05, "{kind}: {middle}");
    }
}

/// Case I18, for a body and not for a ball only.
#[test]
fn i18_the_apex_is_in_the_swept_box() {
    let thrown = Flight { velocity: DVec3::Y * 10.0, gravity: DVec3::Y * -9.8, ..Flight::at(Pose::IDENTITY) };
    let ball = Model::from(Round::sphere(1.0).unwrap());
    for spin in [DVec3::ZERO, DVec3::new(3.0, 1.0, 2.0)] {
        let motion = Ballistic::new(Flight { spin, ..thrown }).unwrap();
        let swept = motion.swept_box(&ball, 0.0, 2.0).unwrap();
        assert!(swept.min.y <= -1.0 && swept.max.y >= 6.1020408163265305, "{swept:?}");
        assert!(swept.min.y > -1.0 - 1e-9 && swept.max.y < 6.10204081633, "{swept:?}");
    }
}

/// Fourth-order Runge-Kutta on Euler's equations and the quaternion.
fn integrated(flight: &Flight, duration: f64, steps: u32) -> DQuat {
    let to_world = flight.pose.rotation() * flight.axes;
    let mut w = to_world.conjugate() * flight.spin;
    let mut q = to_world;
    let i = flight.moments;
    let rate = |w: DVec3| {
        DVec3::new((i.y - i.z) / i.x * w.y * w.z, (i.z - i.x) / i.y * w.z * w.x, (i.x - i.y) / i.z * w.x * w.y)
    };
    let turn = |q: DQuat, w: DVec3| q * DQuat::from_xyzw(w.x, w.y, w.z, 0.0) * 0.5;
    let h = duration / f64::from(steps);
    for _ in 0..steps {
        let (k1, q1) = (rate(w), turn(q, w));
        let (k2, q2) = (rate(w + k1 * (0.5 * h)), turn(q + q1 * (0.5 * h), w + k1 * (0.5 * h)));
        let (k3, q3) = (rate(w + k2 * (0.5 * h)), turn(q + q2 * (0.5 * h), w + k2 * (0.5 * h)));
        let (k4, q4) = (rate(w + k3 * h), turn(q + q3 * h, w + k3 * h));
        w += (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (h / 6.0);
        q = (q + (q1 + q2 * 2.0 + q3 * 2.0 + q4) * (h / 6.0)).normalize();
    }
    q * flight.axes.conjugate()
}

#[test]
fn free_rotation_solves_eulers_equations() {
    let mut n = Numbers(5);
    let mut worst = 0.0_f64;
    for round in 0..rounds(60) {
        let flight = flight(&mut n);
        let motion = Ballistic::new(flight).unwrap();
        for duration in [0.3, 2.0, -1.0] {
            let exact = motion.pose(flight.start + duration).rotation();
            let stepped = integrated(&flight, duration, 4000);
            let off = 1.0 - exact.dot(stepped).abs();
            worst = worst.max(off);
            assert!(off < 1e-11, "{round}: off by {off:e} after {duration}: {flight:?}");
        }
        assert!(motion.pose(flight.start).rotation().dot(flight.pose.rotation()).abs() > 1.0 - 1e-14);
    }
    println!("free rotation against Runge-Kutta: 1 - |q.q'| at most {worst:e}");
}

/// About the middle axis what is off grows until the body turns over: no digit of how little it is off may be lost.
#[test]
fn free_rotation_near_the_unstable_axis() {
    let off = [(1e-2, 1e-2), (1e-6, 1e-6), (1e-6, 1e-9), (1e-8, 1e-8), (1e-10, 1e-10), (1e-6, 0.0), (0.0, 1e-6)];
    // Where L² is 2T·I₂ nearly, or exactly: between the two kinds of motion.
    let between = [(0.01, 0.01 / 3f64.sqrt()), (1e-3, 5.773_502_69e-4)];
    for (x, z) in off.into_iter().chain(between) {
        let spin = DVec3::new(x, 10.0, z);
        let flight = Flight { spin, moments: DVec3::new(1.0, 2.0, 3.0), ..Flight::at(Pose::IDENTITY) };
        let motion = Ballistic::new(flight).unwrap();
        for duration in [0.5, 2.0, -1.5] {
            let stepped = integrated(&flight, duration, 40_000);
            let exact = motion.pose(duration).rotation();
            let turned = |axis: DVec3| (exact * axis).distance(stepped * axis);
            let error = turned(DVec3::X).max(turned(DVec3::Y)).max(turned(DVec3::Z));
            assert!(error < 1e-9, "{spin}: off by {error:e} after {duration}");
        }
    }
}

/// Samples of a motion that is known, within the bounds that it respects: it stays within the margin.
#[test]
fn margins_hold_what_was_not_seen() {
    let mut n = Numbers(6);
    let mut tightest = 0.0_f64;
    for round in 0..rounds(300) {
        let truth: Box<dyn Motion> = match round % 3 {
            0 => Box::new(Ballistic::new(flight(&mut n)).unwrap()),
            1 => Box::new(chain(&mut n)),
            _ => Box::new(steady(&mut n)),
        };
        let gap = 10f64.powf(n.real(-2.0, -0.3));
        let rows: Vec<(f64, Pose)> = (0..5).map(|k| f64::from(k) * gap).map(|t| (t, truth.pose(t))).collect();
        let (rates, [a, alpha]) = (truth.rates(-gap, 5.0 * gap), truth.accelerations(-gap, 5.0 * gap));
        let (speed, spin) = (rates.speed(0.0), rates.spin.length() + rates.spin_spread);
        if spin * gap > 3.0 {
            continue;
        }
        let each = [
            SampleBounds::speeds(speed, spin),
            SampleBounds::accelerations(a, spin, alpha),
            SampleBounds { speed, spin, acceleration: a, spin_acceleration: alpha },
        ];
        for bounds in each {
            let sampled = SampledPoses::new(&rows, rates.centre, bounds).unwrap();
            for k in 0..60 {
                let t = gap * (f64::from(k) * 0.1 - 1.0) + 0.013 * gap;
                let p = n.vector(1.0);
                let off = sampled.pose(t).apply(p).distance(truth.pose(t).apply(p));
                let margin = sampled.margin(t, t, p.length());
                assert!(off <= margin + 1e-12, "{round}: {off} off at {t}, margin {margin}, {bounds:?}, {truth:?}");
                let wider = sampled.margin(t - 0.1 * gap, t + 0.2 * gap, p.length());
                // Half of the digits of an angle are lost near 0; what is lost is added.
                assert!(margin <= wider + 1e-7, "{round}: {margin} at {t}, {wider} around it, {bounds:?}");
                if k > 10 && k < 50 && margin > 1e-9 {
                    tightest = tightest.max(off / margin);
                }
            }
        }
    }
    println!("margins: used to {tightest:.3} at most");
}

/// A body that goes there and back as its bound allows uses the whole margin.
#[test]
fn margins_are_reached() {
    let rows = [(0.0, Pose::IDENTITY), (2.0, Pose::IDENTITY)];
    let sampled = SampledPoses::new(&rows, DVec3::ZERO, SampleBounds::speeds(3.0, 0.0)).unwrap();
    assert!((sampled.margin(0.0, 2.0, 5.0) - 3.0).abs() < 1e-9);
    assert!((sampled.margin(0.0, 0.5, 5.0) - 1.5).abs() < 1e-9);
    // Accelerating away and back: ½·a·1² at the middle of 2.
    let pushed = SampledPoses::new(&rows, DVec3::ZERO, SampleBounds::accelerations(4.0, 0.0, 0.0)).unwrap();
    assert!((pushed.margin(0.0, 2.0, 5.0) - 2.0).abs() < 1e-9);
    // Turning there and back by a quarter: the chord.
    let turned = SampledPoses::new(&rows, DVec3::ZERO, SampleBounds::speeds(0.0, 0.5)).unwrap();
    assert!((turned.margin(0.0, 2.0, 1.0) - 2.0 * 0.25f64.sin()).abs() < 1e-6);
}

/// Case H10.
#[test]
fn h10_bounds_with_acceleration() {
    let cases = [(1.0, 0.0, 2.0, 1.0), (4.0, 3.0, 2.0, 1.0), (1.0, 1.0, 1e-30, 1.0), (1.0, 0.0, 0.0, f64::INFINITY)];
    for (d, v, a, time) in cases {
        assert_eq!(next_contact::accelerating(d, v, a), time, "{d} {v} {a}");
    }
    assert_eq!(next_contact::accelerating(0.0, 5.0, 1.0), 0.0);
    for (d, v, a) in [(1.0, -1e9, 1e-9), (1e-300, 1e150, 1e300), (f64::NAN, 1.0, 1.0), (1.0, -3.0, 1.0)] {
        assert!(next_contact::accelerating(d, v, a) >= 0.0);
    }
    assert_eq!(next_contact::accelerating(4.0, -3.0, 2.0), 4.0, "receding first");
}

/// Bounds on the next contact are never later than what dense sampling finds.
#[test]
fn next_contact_is_never_late() {
    let mut n = Numbers(7);
    let mut tightness = Vec::new();
    let span = Span::new(0.0, 1.0).unwrap();
    let mut hits = 0;
    for round in 0..rounds(400) {
        let (a, b) = (model(&mut n), model(&mut n));
        let mut pair = Pair::new(a, b);
        let (motions_a, motions_b) = (kinds(&mut n), kinds(&mut n));
        let (ka, ma) = &motions_a[n.bits() as usize % 7];
        let (kb, mb) = &motions_b[n.bits() as usize % 7];
        // What is not seen cannot be checked.
        if *ka == "sampled" || *kb == "sampled" {
            continue;
        }
        let bound = pair.next_contact(&**ma, &**mb, span);
        let first = (0..=1000).map(|k| f64::from(k) / 1000.0).find(|&t| pair.overlap(&ma.pose(t), &mb.pose(t)).overlap);
        if let Some(first) = first {
            let bound = bound.unwrap_or_else(|| panic!("{round} {ka} {kb}: none before 1, but at {first}"));
            assert!(bound <= first, "{round} {ka} {kb}: {bound} is later than {first}");
            hits += 1;
            if first > 0.0 {
                tightness.push(bound / first);
            }
        }
    }
    tightness.sort_by(f64::total_cmp);
    let at = |share: f64| tightness[(share * (tightness.len() - 1) as f64) as usize];
    println!("{hits} contacts; bound/first contact: {:.3} {:.3} {:.3} (quartiles)", at(0.25), at(0.5), at(0.75));
    assert!(hits > 20 && at(0.5) > 0.1);
}

#[test]
fn bad_input_is_refused_by_name() {
    let here = Pose::IDENTITY;
    assert_eq!(TimedPoses::new(&[], DVec3::ZERO), Err(MotionError::NoPoses));
    let late = TimedPoses::new(&[(0.0, here), (2.0, here), (1.0, here)], DVec3::ZERO);
    assert_eq!(late, Err(MotionError::NotLater { row: 2, time: 1.0, before: 2.0 }));
    let twice = TimedPoses::new(&[(0.0, here), (0.0, here)], DVec3::ZERO);
    assert_eq!(twice, Err(MotionError::NotLater { row: 1, time: 0.0, before: 0.0 }));
    let never = TimedPoses::new(&[(0.0, here), (f64::INFINITY, here)], DVec3::ZERO);
    assert_eq!(never, Err(MotionError::BadTime { row: 1, time: f64::INFINITY }));
    assert!(TimedPoses::new(&[(f64::NAN, here)], DVec3::ZERO).is_err());
    let far = Pose::at(DVec3::X * 1e149).unwrap();
    assert_eq!(TimedPoses::new(&[(0.0, here), (1e-9, far)], DVec3::ZERO), Err(MotionError::TooFast { row: 1 }));

    let seen = [(0.0, here), (1.0, Pose::at(DVec3::X).unwrap()), (2.0, here)];
    for bounds in
        [SampleBounds::speeds(f64::NAN, 1.0), SampleBounds::speeds(-1.0, 1.0), SampleBounds::speeds(2.0, f64::INFINITY)]
    {
        assert!(matches!(SampledPoses::new(&seen, DVec3::ZERO, bounds), Err(MotionError::BadBound { .. })));
    }
    let none = SampleBounds::speeds(f64::INFINITY, 0.0);
    assert!(matches!(SampledPoses::new(&seen, DVec3::ZERO, none), Err(MotionError::BadBound { what: "speed", .. })));
    let slow = SampledPoses::new(&seen, DVec3::ZERO, SampleBounds::speeds(0.5, 0.0));
    assert!(matches!(slow, Err(MotionError::Contradicts { what: "speed", row: 1, .. })), "{slow:?}");
    let stiff = SampledPoses::new(&seen, DVec3::ZERO, SampleBounds::accelerations(1.9, 0.0, 0.0));
    assert!(matches!(stiff, Err(MotionError::Contradicts { what: "acceleration", row: 2, .. })), "{stiff:?}");
    assert!(SampledPoses::new(&seen, DVec3::ZERO, SampleBounds::accelerations(2.0, 0.0, 0.0)).is_ok());

    assert_eq!(Joint::turning(DVec3::ZERO, DVec3::ZERO, 0.0, 1.0), Err(MotionError::NoAxis));
    assert!(Joint::sliding(DVec3::ZERO, DVec3::X, 0.0, f64::INFINITY).is_err());
    let flat = Flight { moments: DVec3::new(1.0, 0.0, 1.0), ..Flight::at(here) };
    assert!(matches!(Ballistic::new(flat), Err(MotionError::NotPositive { .. })));
    let skew = Flight { axes: DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0), ..Flight::at(here) };
    assert!(matches!(Ballistic::new(skew), Err(MotionError::NotUnit { .. })));
    assert!(Ballistic::new(Flight { spin: DVec3::splat(f64::NAN), ..Flight::at(here) }).is_err());
}

/// Whatever is asked, a pose comes back, and boxes hold it where numbers still can.
#[test]
fn huge_values_are_survived() {
    let mut n = Numbers(8);
    let model = model(&mut n);
    let far = Pose::at(DVec3::splat(1e149)).unwrap();
    let fast = DVec3::new(1e149, -1e149, 1e140);
    let motions: Vec<Box<dyn Motion>> = vec![
        Box::new(Steady::new(far, fast, fast, fast, 1e149).unwrap()),
        Box::new(
            Ballistic::new(Flight {
                velocity: fast,
                spin: fast,
                gravity: fast,
                moments: DVec3::new(1.0, 2.0, 3.0),
                ..Flight::at(far)
            })
            .unwrap(),
        ),
        Box::new(
            Ballistic::new(Flight {
                spin: DVec3::splat(1e-170),
                moments: DVec3::new(1.0, 2.0, 3.0),
                ..Flight::at(far)
            })
            .unwrap(),
        ),
        Box::new(
            ChainLink::new(
                vec![
                    Joint::turning(fast, fast, 1e140, 1e149).unwrap(),
                    Joint::sliding(fast, fast, 1e149, 1e149).unwrap(),
                ],
                far,
                0.0,
            )
            .unwrap(),
        ),
        Box::new(
            SampledPoses::new(&[(0.0, Pose::IDENTITY), (1.0, far)], fast, SampleBounds::speeds(1e200, 1e200)).unwrap(),
        ),
        Box::new(TimedPoses::new(&[(-1e149, far), (1e149, Pose::IDENTITY)], fast).unwrap()),
    ];
    let mut pair = Pair::new(&model, &model);
    for motion in &motions {
        for t in [0.0, 1.0, -1e149, 1e149, f64::MAX, f64::INFINITY, f64::NAN] {
            let pose = motion.pose(t);
            assert!(pose.translation().is_finite() && pose.rotation().is_finite(), "{motion:?} at {t}");
            let _ = (motion.rates(t, t), motion.accelerations(0.0, t), motion.margin(t, t, 1.0), motion.steady(t));
            let swept = motion.swept_box(&model, 0.0, t);
            assert!(swept.is_some_and(|b| !b.min.is_nan() && !b.max.is_nan()), "{motion:?} to {t}: {swept:?}");
        }
        let _ = pair.next_contact(&**motion, &*motions[0], Span::new(0.0, 1e100).unwrap());
    }
}

/// Against the sum of Hermite's cubics as the specification of glTF writes it.
#[test]
fn splines_are_those_of_gltf() {
    let mut n = Numbers(12);
    for _ in 0..200 {
        let key = |n: &mut Numbers, time| {
            (time, n.vector(1.0), n.vector(2.0), n.vector(1.0), n.rotation() * 0.3, n.rotation(), n.rotation() * 0.3)
        };
        let (x, y) = (key(&mut n, 0.5), key(&mut n, 2.0));
        // The quaternions of both keys are on one side.
        let side = if x.5.dot(y.5) < 0.0 { -1.0 } else { 1.0 };
        let path = [x, y].map(|k| SplineKey { time: k.0, arrives: k.1, value: k.2, leaves: k.3 });
        let turns = [(x, 1.0), (y, side)];
        let turns = turns.map(|(k, sign)| SplineKey { time: k.0, arrives: k.4, value: k.5 * sign, leaves: k.6 });
        let Ok(motion) = SplinePoses::new(DVec3::ZERO, &path, &SplineTurns::Spline(turns.to_vec())) else { continue };
        for k in 0..=20 {
            let (s, td) = (f64::from(k) / 20.0, 1.5);
            let (s2, s3) = (s * s, s * s * s);
            let weights = [2.0 * s3 - 3.0 * s2 + 1.0, td * (s3 - 2.0 * s2 + s), -2.0 * s3 + 3.0 * s2, td * (s3 - s2)];
            let place = path[0].value * weights[0]
                + path[0].leaves * weights[1]
                + path[1].value * weights[2]
                + path[1].arrives * weights[3];
            let turn = turns[0].value * weights[0]
                + turns[0].leaves * weights[1]
                + turns[1].value * weights[2]
                + turns[1].arrives * weights[3];
            let pose = motion.pose(0.5 + td * s);
            assert!(pose.translation().distance(place) < 1e-12, "{s}: {pose:?} {place}");
            assert!(1.0 - pose.rotation().dot(turn.normalize()).abs() < 1e-12, "{s}: {pose:?} {turn}");
        }
        for (t, key) in [(-3.0, 0), (0.5, 0), (2.0, 1), (9.0, 1)] {
            assert!(motion.pose(t).translation().distance(path[key].value) < 1e-12, "{t}");
        }
    }
}

#[test]
fn bad_splines_are_refused_by_name() {
    let place = |time: f64, value: DVec3| SplineKey { time, arrives: DVec3::ZERO, value, leaves: DVec3::ZERO };
    let turn = |time: f64, value: DQuat| SplineKey { time, arrives: value * 0.0, value, leaves: value * 0.0 };
    let (x, q) = (place(0.0, DVec3::X), turn(0.0, DQuat::IDENTITY));
    let still = SplineTurns::Steady(vec![(0.0, DQuat::IDENTITY)]);
    let new = |path: &[SplineKey<DVec3>], turns: &SplineTurns| SplinePoses::new(DVec3::ZERO, path, turns).unwrap_err();
    assert_eq!(new(&[], &still), MotionError::NoPoses);
    assert_eq!(new(&[x], &SplineTurns::Spline(Vec::new())), MotionError::NoPoses);
    let late = new(&[x, x], &still);
    assert_eq!(late, MotionError::NotLater { row: 1, time: 0.0, before: 0.0 });
    assert!(matches!(new(&[place(f64::NAN, DVec3::X)], &still), MotionError::BadTime { row: 0, .. }));
    assert!(matches!(new(&[place(0.0, DVec3::NAN)], &still), MotionError::NotFinite { .. }));
    assert!(matches!(new(&[SplineKey { leaves: DVec3::INFINITY, ..x }], &still), MotionError::NotFinite { .. }));
    let short = SplineTurns::Spline(vec![turn(0.0, DQuat::IDENTITY * 0.5)]);
    assert_eq!(new(&[x], &short), MotionError::NotUnit { what: "rotations" });
    let bent = SplineTurns::Spline(vec![SplineKey { leaves: q.value * f64::NAN, ..q }]);
    assert!(matches!(new(&[x], &bent), MotionError::NotFinite { .. }));
    // From a rotation to its negative, straight through 0.
    let through = SplineTurns::Spline(vec![q, turn(1.0, -DQuat::IDENTITY)]);
    assert_eq!(new(&[x], &through), MotionError::NoRotation { row: 1 });
    assert_eq!(new(&[x, place(1e-9, DVec3::X * 1e149)], &still), MotionError::TooFast { row: 1 });
    let one = SplinePoses::new(DVec3::ZERO, &[x], &still).unwrap();
    assert_eq!((one.pose(-1.0), one.pose(5.0)), (Pose::at(DVec3::X).unwrap(), Pose::at(DVec3::X).unwrap()));
}
