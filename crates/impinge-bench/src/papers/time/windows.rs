//! What a window of time costs when few of many bodies move: boxes and milliseconds, by the phase that was chosen.

use std::sync::Arc;
use std::time::Instant;

use impinge::broad::Phase;
use impinge::glam::DVec3;
use impinge::{Advance, Body, Pose, Round, Schedule, Span, Steady, World};

use crate::error::BenchError;
use crate::report::{Report, Table, figure};

/// Windows of a span, gone through after one that makes all pairs known.
const WINDOWS: u32 = 64;

/// Still balls in a square, and above them balls that fly along the rows and touch none.
fn world(side: u32, movers: u32, phase: Phase) -> Result<World, BenchError> {
    let trouble = |error: &dyn std::fmt::Display| BenchError::usage(error.to_string());
    let ball = Round::sphere(0.4).map_err(|e| trouble(&e))?;
    let mut world = World::with_phase(phase.start());
    for k in 0..side * side {
        let corner = DVec3::new(f64::from(k % side), f64::from(k / side), 0.0);
        let pose = Pose::at(corner).map_err(|e| trouble(&e))?;
        let motion = if k < side * side - movers {
            None
        } else {
            let above = Pose::at(corner + DVec3::Z * 0.9).map_err(|e| trouble(&e))?;
            Some(Arc::new(Steady::straight(above, DVec3::X * 4.0, 0.0).map_err(|e| trouble(&e))?) as _)
        };
        world.add(Body { motion, ..Body::new(ball.clone(), pose) }).map_err(|e| trouble(&e))?;
    }
    Ok(world)
}

pub(super) fn run(quick: bool, report: &mut Report) -> Result<(), BenchError> {
    report.add("## Windows in which few bodies move");
    let side = if quick { 30 } else { 100 };
    let head = ["phase", "bodies", "moving", "ms a window", "boxes moved a window", "tests and nodes a window"];
    let mut table = Table::new(1, &head);
    let span = |from: f64, to: f64| Span::new(from, to).map_err(|error| BenchError::usage(error.to_string()));
    for phase in [Phase::Auto, Phase::DynamicTree] {
        for movers in [10, 100, 1000].into_iter().filter(|&movers| movers < side * side) {
            let mut world = world(side, movers, phase)?;
            let how = Advance { windows: WINDOWS, ..Advance::new(Schedule::Queue) };
            world.advance(span(0.0, 0.01)?, &how, |_, _| {});
            let (before, start) = (world.counts(), Instant::now());
            world.advance(span(0.01, 1.0)?, &how, |_, _| {});
            let (after, seconds) = (world.counts(), start.elapsed().as_secs_f64());
            let each = |count: u64| figure(count as f64 / f64::from(WINDOWS));
            table.row([
                phase.to_string(),
                (side * side).to_string(),
                movers.to_string(),
                figure(1e3 * seconds / f64::from(WINDOWS)),
                each(after.moves - before.moves),
                each(after.tests + after.nodes - before.tests - before.nodes),
            ]);
        }
    }
    report.add(
        "All others stand still. Boxes moved are those that left their fat boxes; comparisons are those of the phase \
         alone, pairs that it keeps among them.",
    );
    report.add(table);
    Ok(())
}
