//! Walks over the body of a file, text or binary, scalar by scalar.

use super::header::{Kind, Property, Scalar};
use crate::error::{CUT_OFF, Fault, Place};

/// A walk over the body of a file.
pub(super) trait Body: Clone {
    /// The next scalar.
    fn scalar(&mut self, scalar: Scalar) -> Result<f64, Fault>;
    /// Skips `count` scalars.
    fn skip(&mut self, scalar: Scalar, count: usize) -> Result<(), Fault>;
    /// Fewest bytes a scalar takes.
    fn least(scalar: Scalar) -> usize;
    /// Bytes not yet walked over.
    fn remaining(&self) -> usize;
    /// The place that the walk has reached: for messages about what follows.
    fn place(&self) -> Place;
    /// The place of the scalar returned last.
    fn last(&self, scalar: Scalar) -> Place;
    /// Refuses anything but padding after the last element.
    fn finish(self) -> Result<(), Fault>;
}

/// Skips one item of these properties.
pub(super) fn skip_properties<B: Body>(properties: &[Property<'_>], body: &mut B) -> Result<(), Fault> {
    for property in properties {
        match property.kind {
            Kind::Scalar(scalar) => body.skip(scalar, 1)?,
            Kind::List { count, item } => {
                let n = list_len(body, count, item)?;
                body.skip(item, n)?;
            }
        }
    }
    Ok(())
}

/// The length of a list, refused where the rest of the file is too short for it.
pub(super) fn list_len<B: Body>(body: &mut B, count: Scalar, item: Scalar) -> Result<usize, Fault> {
    let n = body.scalar(count)?;
    let room = (body.remaining() + 1) / B::least(item);
    if n >= 0.0 && n.fract() == 0.0 && n <= room as f64 {
        return Ok(n as usize);
    }
    let message = format!("a list claims {n} items, but only {} bytes follow", body.remaining());
    Err(Fault::new(message, CUT_OFF).at(body.last(count)))
}
