//! Any bytes taken as text, and as changes of documents that `serde` wrote: refused, or sound and written as read.
#![no_main]

use impinge_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;

#[allow(dead_code, reason = "an ordinary test uses the rest")]
#[path = "../../crates/impinge/tests/fits/any_document.rs"]
mod any_document;

fuzz_target!(|bytes: &[u8]| any_document::check_document(bytes));
