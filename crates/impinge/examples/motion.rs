//! What is a motion? Where a body is at every time, and how fast it can be: of the library, or one of your own.
//!
//! `cargo run -p impinge --example motion`

use impinge::{Motion, Pair, Pose, Rates, Round, Span, Steady, TimedPoses, glam::DVec3};

/// Up and down between −1 and 1, once in 2π.
#[derive(Debug)]
struct Bobbing;

impl Motion for Bobbing {
    fn pose(&self, t: f64) -> Pose {
        Pose::at(DVec3::Z * t.sin()).unwrap_or_default()
    }

    /// Never faster than 1. A bound that holds is all that it takes to miss nothing.
    fn rates(&self, _: f64, _: f64) -> Rates {
        Rates { velocity_spread: 1.0, ..Rates::STILL }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut pair = Pair::new(Round::sphere(0.25)?, Round::half_space(-DVec3::Z, -0.75)?);
    let ceiling = Steady::still(Pose::IDENTITY);
    let time = pair.impact(&Bobbing, &ceiling, Span::new(0.0, 3.0)?).time.expect("it hits the ceiling");
    // sin t = 0.75 − 0.25
    println!("the bobbing ball hits between {} and {}", time.lower, time.upper);
    assert!((time.lower - 0.5_f64.asin()).abs() < 1e-3 && time.lower <= 0.5_f64.asin());

    // Through poses at given times: up by 0.4, to the side, and up again.
    let way = [(0.0, DVec3::ZERO), (1.0, DVec3::Z * 0.4), (2.0, DVec3::new(1.0, 0.0, 0.4)), (3.0, DVec3::Z)];
    let rows: Vec<_> = way.iter().map(|&(t, p)| Ok((t, Pose::at(p)?))).collect::<Result<_, impinge::PoseError>>()?;
    let time = pair.impact(&TimedPoses::new(&rows, DVec3::ZERO)?, &ceiling, Span::new(0.0, 3.0)?).time;
    println!("the lifted ball hits at {:.6}", time.expect("at the end of its way").mid());
    assert!(time.is_some_and(|time| (time.mid() - 13.0 / 6.0).abs() < 1e-6));
    Ok(())
}
