//! The body of a binary PLY file, little- or big-endian.

use super::body::Body;
use super::header::{Header, Scalar};
use crate::error::{CUT_OFF, Fault, Place};

#[derive(Clone)]
pub(super) struct Binary<'a, const BIG: bool> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a, const BIG: bool> Binary<'a, BIG> {
    pub(super) fn new(bytes: &'a [u8], header: &Header<'_>) -> Binary<'a, BIG> {
        Binary { bytes, at: header.body }
    }

    #[inline]
    fn chunk<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let Some(chunk) = self.bytes[self.at..].first_chunk::<N>() else { return Err(self.cut_off()) };
        self.at += N;
        let mut chunk = *chunk;
        if BIG {
            chunk.reverse();
        }
        Ok(chunk)
    }

    #[cold]
    fn cut_off(&self) -> Fault {
        Fault::at_byte(self.bytes.len(), "the file ends before all the elements that the header claims", CUT_OFF)
    }
}

impl<const BIG: bool> Body for Binary<'_, BIG> {
    #[inline]
    fn scalar(&mut self, scalar: Scalar) -> Result<f64, Fault> {
        Ok(match scalar {
            Scalar::I8 => f64::from(i8::from_le_bytes(self.chunk()?)),
            Scalar::U8 => f64::from(u8::from_le_bytes(self.chunk()?)),
            Scalar::I16 => f64::from(i16::from_le_bytes(self.chunk()?)),
            Scalar::U16 => f64::from(u16::from_le_bytes(self.chunk()?)),
            Scalar::I32 => f64::from(i32::from_le_bytes(self.chunk()?)),
            Scalar::U32 => f64::from(u32::from_le_bytes(self.chunk()?)),
            Scalar::F32 => f64::from(f32::from_le_bytes(self.chunk()?)),
            Scalar::F64 => f64::from_le_bytes(self.chunk()?),
        })
    }

    #[inline]
    fn skip(&mut self, scalar: Scalar, count: usize) -> Result<(), Fault> {
        match count.checked_mul(scalar.size()).filter(|len| *len <= self.remaining()) {
            Some(len) => {
                self.at += len;
                Ok(())
            }
            None => Err(self.cut_off()),
        }
    }

    fn least(scalar: Scalar) -> usize {
        scalar.size()
    }

    fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn place(&self) -> Place {
        Place::Byte(self.at as u64)
    }

    fn last(&self, scalar: Scalar) -> Place {
        Place::Byte((self.at - scalar.size()) as u64)
    }

    fn finish(self) -> Result<(), Fault> {
        let extra = &self.bytes[self.at..];
        match extra.iter().position(|b| *b != 0 && !b.is_ascii_whitespace()) {
            None => Ok(()),
            Some(at) => Err(Fault::at_byte(
                self.at + at,
                "data follows after the last element that the header claims",
                "the counts are wrong: export the file again",
            )),
        }
    }
}
