//! Files written so as to keep a reader busy are answered in time.

use std::fmt::Write;
use std::time::{Duration, Instant};

use super::samples::glb_of;

/// A generous limit, for a slow machine in a debug build; without a bound on the work these files would take minutes or
/// never end.
const LIMIT: Duration = Duration::from_secs(20);

#[track_caller]
fn in_time(bytes: &[u8], name: &str) -> bool {
    let start = Instant::now();
    let accepted = impinge_io::read_bytes(bytes, name).is_ok();
    assert!(start.elapsed() < LIMIT, "{name} took {:?}", start.elapsed());
    accepted
}

/// A comb-shaped polygon: every second corner is reflex, and each ear is near some other corner.
#[test]
fn polygons_with_many_corners() {
    for corners in [1000, 4000, 20_000, 200_000] {
        let mut text = String::new();
        for i in 0..corners {
            let y = if i % 2 == 0 { 0 } else { 1 + i % 7 };
            writeln!(text, "v {i} {y} 0").unwrap();
        }
        writeln!(
            text,
            "v {corners} -1 0\nv 0 -1 0\nf {}",
            (1..=corners + 2).rev().map(|i| format!("{i} ")).collect::<String>()
        )
        .unwrap();
        assert_eq!(in_time(text.as_bytes(), "comb.obj"), corners <= 4000);
    }
}

#[test]
fn instances_of_a_mesh_with_a_long_description() {
    let extras = format!("\"extras\":[{}]", vec!["0"; 200_000].join(","));
    let sparse = format!(
        r#","sparse":{{{extras},"count":1,"indices":{{"bufferView":1,"componentType":5121}},"values":{{"bufferView":0}}}}"#
    );
    for (accessor, mesh) in
        [(String::new(), format!("{extras},")), (format!(",{extras}"), String::new()), (sparse, String::new())]
    {
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{}],"meshes":[{{{mesh}"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"{accessor}}}],
            "bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":1}}],"buffers":[{{"byteLength":37}}]}}"#,
            vec![r#"{"mesh":0}"#; 20_000].join(",")
        );
        assert!(in_time(&glb_of(&json, &[0; 40]), "instances.glb"));
    }
}

#[test]
fn counts_without_content() {
    let header = "ply\nformat ascii 1.0\nelement nothing 999999999999999999\nelement vertex 3\nproperty int x\nproperty int y\nproperty int z\nelement face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    assert!(in_time(header.as_bytes(), "nothing.ply"));
    assert!(!in_time("f 1 2 3 \\\n".repeat(200_000).as_bytes(), "continued.obj"));
    assert!(!in_time("[".repeat(5_000_000).as_bytes(), "deep.gltf"));
    assert!(!in_time(format!("{{{}", "\"a\":{".repeat(1_000_000)).as_bytes(), "deep.gltf"));
}
