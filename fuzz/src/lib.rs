//! What the fuzz targets share: bytes taken as numbers, and what every reader is checked for.

mod bytes;

pub use bytes::{Bytes, into_frame_of_a};

/// Reads `bytes`; a document must keep what the readers promise, an error must name the file and a remedy.
pub fn read(bytes: &[u8], name: &str) {
    match impinge_io::read_bytes(bytes, name) {
        Ok(document) => {
            assert!(document.triangle_count() > 0);
            for part in &document.parts {
                assert!(!part.triangles.is_empty());
                assert!(part.vertices.iter().all(|v| v.is_finite()));
                assert!(part.triangles.iter().flatten().all(|i| (*i as usize) < part.vertices.len()));
            }
            let (vertices, triangles) = (document.vertex_count(), document.triangle_count());
            let whole = document.merged();
            assert_eq!((whole.vertices.len(), whole.triangles.len()), (vertices, triangles));
            assert!(whole.triangles.iter().flatten().all(|i| (*i as usize) < vertices));
        }
        Err(error) => {
            assert!(error.to_string().starts_with(name));
            assert!(!error.help().is_empty() && !error.message().is_empty());
        }
    }
}
