//! Balls fly among thin pillars, so fast that a step takes them past several. Casts find every hit, and balls bounce.
use impinge::{Body, Mobility, Model, Pose, Ray, Round, Span, Steady, World, glam::DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new();
    let pillar = Model::from(Round::cuboid(DVec3::new(0.1, 0.1, 4.0))?);
    for k in 0..400 {
        let at = DVec3::new(f64::from(k % 20), f64::from(k / 20), 0.0);
        world.add(Body { mobility: Mobility::Static, ..Body::new(pillar.clone(), Pose::at(at)?) })?;
    }
    // Two hundred balls start in the middle of the grid, in all directions, at 500 metres a second.
    let ball = Model::from(Round::sphere(0.02)?);
    let speed = |k: u32| DVec3::from((f64::from(k).sin_cos().into(), 0.0)) * 500.0;
    let mut balls: Vec<(DVec3, DVec3)> = (0..200).map(|k| (DVec3::new(9.5, 9.5, 0.0), speed(k))).collect();
    let (view, step, mut hits) = (world.view(), Span::new(0.0, 1.0 / 60.0)?, 0);
    for _ in 0..4 {
        let ways = balls.iter().map(|(at, velocity)| Ok(Steady::straight(Pose::at(*at)?, *velocity, 0.0)?));
        let ways = ways.collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?;
        for ((at, velocity), hit) in balls.iter_mut().zip(view.impacts(&ball, &ways, step)) {
            let (from, going) = (*at, *velocity);
            let time = hit.as_ref().and_then(|hit| hit.answer.time).map_or(step.to(), |time| time.lower);
            *at += going * time;
            if let Some(normal) = hit.and_then(|hit| hit.answer.normal) {
                // It bounces off, a little before it touches; the rest of the step is not flown.
                *velocity -= normal * (2.0 * normal.dot(going));
                *at -= normal * 1e-6;
                hits += 1;
            }
            // Nothing was missed: no pillar stands between where the ball was and where it is.
            let flown = Ray::new(from, going)?.with_length(from.distance(*at))?;
            assert!(!view.meets_ray(&flown) && view.near_point(*at, 0.0199, impinge::Limit::First)?.is_empty());
        }
    }
    println!("{hits} hits of 200 balls, none missed");
    assert!(hits > 200);
    Ok(())
}
