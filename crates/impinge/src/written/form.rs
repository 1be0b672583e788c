//! What all forms share: the number of the format, and the door that every document goes through.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The format that is written, and the only one that is read.
const FORMAT: u64 = 1;

/// The number of the format, with which every model begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Format;

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(FORMAT)
    }
}

impl<'de> Deserialize<'de> for Format {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Format, D::Error> {
        let format = u64::deserialize(deserializer)?;
        if format == FORMAT {
            return Ok(Format);
        }
        Err(D::Error::custom(format_args!(
            "the model is written in format {format}, but this version of impinge reads format {FORMAT} only"
        )))
    }
}

/// Writes a type as its form, and reads it by what turns a form into it or says why not.
macro_rules! written_as {
    ($type:ty as $form:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let form = <$form>::try_from(self).map_err(<S::Error as serde::ser::Error>::custom)?;
                serde::Serialize::serialize(&form, serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let form = <$form as serde::Deserialize>::deserialize(deserializer)?;
                <$type>::try_from(form).map_err(<D::Error as serde::de::Error>::custom)
            }
        }
    };
}
pub(super) use written_as;
