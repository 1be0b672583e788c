//! Any bytes as a gzip file, and any bytes compressed to one: an error or a valid document, never a panic.
#![no_main]

use flate2::{Compression, write::GzEncoder};
use libfuzzer_sys::fuzz_target;
use std::io::Write;

fuzz_target!(|bytes: &[u8]| {
    let mut damaged = vec![0x1f, 0x8b];
    damaged.extend_from_slice(bytes);
    impinge_fuzz::read(&damaged, "fuzz.obj.gz");

    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("writing to memory");
    impinge_fuzz::read(&encoder.finish().expect("writing to memory"), "fuzz.ply.gz");
});
