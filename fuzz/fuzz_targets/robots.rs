//! Any bytes taken as a robot, values of its joints and a trajectory: refused, or sound.
#![no_main]

use impinge_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;

#[path = "../../crates/impinge/tests/fits/any_robot.rs"]
mod any_robot;

fuzz_target!(|bytes: &[u8]| any_robot::check_robot(bytes));
