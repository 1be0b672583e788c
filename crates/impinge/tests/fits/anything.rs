//! Any bytes as robots and as documents: the checks of the fuzz targets `robots` and `documents`, as an ordinary test.

use proptest::prelude::*;

#[allow(dead_code, unreachable_pub, reason = "the fuzz targets share this file, and use all of it")]
#[path = "../../../../fuzz/src/bytes.rs"]
mod bytes;

#[cfg(feature = "serde")]
#[path = "any_document.rs"]
mod any_document;
#[path = "any_robot.rs"]
mod any_robot;

use bytes::Bytes;

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_robot_is_refused_or_sound(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        any_robot::check_robot(&bytes);
    }
}

#[cfg(feature = "serde")]
proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_document_is_refused_or_sound(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        any_document::check_document(&bytes);
    }
}

#[cfg(feature = "serde")]
#[test]
fn the_documents_that_are_changed_are_read_as_they_are() {
    assert_eq!(any_document::unread(), Vec::<serde_json::Value>::new());
}
