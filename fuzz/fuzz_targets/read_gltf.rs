//! Any bytes, read as glTF or GLB: an error or a valid document, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| impinge_fuzz::read(bytes, "fuzz.gltf"));
