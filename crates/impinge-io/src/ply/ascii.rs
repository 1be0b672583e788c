//! The body of an ASCII PLY file.

use super::body::Body;
use super::header::{Header, Scalar};
use crate::error::{CUT_OFF, Fault, MALFORMED, Place};
use crate::text::{Cursor, coordinate, quote};

#[derive(Clone)]
pub(super) struct Text<'a>(Cursor<'a>);

impl<'a> Text<'a> {
    pub(super) fn new(bytes: &'a [u8], header: &Header<'_>) -> Text<'a> {
        Text(Cursor::starting(bytes, header.body, header.line))
    }

    fn token(&mut self) -> Result<&'a [u8], Fault> {
        let message = "the file ends before all the elements that the header claims";
        self.0.token().ok_or_else(|| Fault::at_line(self.0.line(), message, CUT_OFF))
    }
}

impl Body for Text<'_> {
    fn scalar(&mut self, _: Scalar) -> Result<f64, Fault> {
        let token = self.token()?;
        coordinate(token, self.0.line())
    }

    fn skip(&mut self, _: Scalar, count: usize) -> Result<(), Fault> {
        for _ in 0..count {
            self.token()?;
        }
        Ok(())
    }

    /// A digit and a blank; the last one may lack the blank.
    fn least(_: Scalar) -> usize {
        2
    }

    fn remaining(&self) -> usize {
        self.0.remaining()
    }

    fn place(&self) -> Place {
        Place::Line(self.0.line())
    }

    fn last(&self, _: Scalar) -> Place {
        Place::Line(self.0.line())
    }

    fn finish(mut self) -> Result<(), Fault> {
        match self.0.token() {
            None => Ok(()),
            Some(token) => {
                let message = format!("{} follows after the last element that the header claims", quote(token));
                Err(Fault::at_line(self.0.line(), message, MALFORMED))
            }
        }
    }
}
