//! Numbers that may be infinite, for formats that cannot write these.
//!
//! JSON and other formats for people have no infinity: there it is the word `"inf"`, `"-inf"` or `"nan"`. Other formats
//! write the number itself.

use std::fmt;

use glam::DVec3;
use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// A number that is written by itself, or as a word.
struct Number(f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() || !serializer.is_human_readable() {
            return serializer.serialize_f64(self.0);
        }
        serializer.serialize_str(if self.0.is_nan() { "nan" } else { ["-inf", "inf"][usize::from(self.0 > 0.0)] })
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(NumberOrWord)
        } else {
            f64::deserialize(deserializer).map(Number)
        }
    }
}

struct NumberOrWord;

impl Visitor<'_> for NumberOrWord {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or \"inf\", \"-inf\" or \"nan\"")
    }

    fn visit_f64<E: Error>(self, x: f64) -> Result<Number, E> {
        Ok(Number(x))
    }

    fn visit_i64<E: Error>(self, x: i64) -> Result<Number, E> {
        Ok(Number(x as f64))
    }

    fn visit_u64<E: Error>(self, x: u64) -> Result<Number, E> {
        Ok(Number(x as f64))
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Number, E> {
        match word {
            "inf" => Ok(Number(f64::INFINITY)),
            "-inf" => Ok(Number(f64::NEG_INFINITY)),
            "nan" => Ok(Number(f64::NAN)),
            _ => Err(E::invalid_value(serde::de::Unexpected::Str(word), &self)),
        }
    }
}

pub(crate) fn serialize<S: Serializer>(x: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    Number(*x).serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Number::deserialize(deserializer).map(|number| number.0)
}

/// The same for the coordinates of a point.
pub(crate) mod vector {
    use super::{DVec3, Deserialize, Deserializer, Number, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(p: &DVec3, serializer: S) -> Result<S::Ok, S::Error> {
        p.to_array().map(Number).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DVec3, D::Error> {
        <[Number; 3]>::deserialize(deserializer).map(|p| DVec3::from_array(p.map(|x| x.0)))
    }
}
