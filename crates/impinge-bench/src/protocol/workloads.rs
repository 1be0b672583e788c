//! Runs the workloads that were asked for, W1 to W7, each by its own module.

use super::request::Request;
use super::{boxes, hulls, meshes, moving, tracking};
use crate::error::BenchError;

/// Runs the workloads asked for.
pub(crate) fn run(request: &Request) -> Result<(), BenchError> {
    if request.wants("W1") {
        tracking::run(request)?;
    }
    if request.wants("W2") {
        hulls::run(request)?;
    }
    let (w3, w4) = (request.wants("W3"), request.wants("W4"));
    if w3 || w4 {
        meshes::run(request, w3, w4)?;
    }
    if request.wants("W5") {
        boxes::run(request)?;
    }
    if request.wants("W6") {
        moving::w6(request)?;
    }
    if request.wants("W7") { moving::w7(request) } else { Ok(()) }
}
