//! Malformed files: each a clear error that names file, place, fault and remedy.

use impinge_io::{Place, ReadError, read_bytes};

use super::samples::{self, Encoding, glb_of, gzip};

fn refused(bytes: impl AsRef<[u8]>, name: &str) -> ReadError {
    read_bytes(bytes.as_ref(), name).expect_err(name)
}

#[track_caller]
fn at_line(text: &str, name: &str, line: u64, message: &str) {
    let error = refused(text, name);
    assert_eq!(error.place(), Some(Place::Line(line)), "{error}");
    assert!(error.message().contains(message), "{error}");
}

#[track_caller]
fn at_byte(bytes: &[u8], name: &str, byte: u64, message: &str) {
    let error = refused(bytes, name);
    assert_eq!(error.place(), Some(Place::Byte(byte)), "{error}");
    assert!(error.message().contains(message), "{error}");
}

#[test]
fn an_error_is_one_line() {
    let error = refused("v 0 0 0\nv 1 0 x\u{1b}[2J\n\nf 1 1 1", "folder/bunny.obj");
    assert_eq!(
        error.to_string(),
        "folder/bunny.obj: line 2: \"x\\u{1b}[2J\" is not a number; correct it, or export the file again"
    );
    let parts = (error.path().to_str(), error.place().map(|p| p.to_string()), error.message(), error.help());
    assert_eq!(
        parts,
        (
            Some("folder/bunny.obj"),
            Some("line 2".to_owned()),
            "\"x\\u{1b}[2J\" is not a number",
            "correct it, or export the file again"
        )
    );
}

#[test]
fn unknown_format() {
    for name in ["x.step", "x", "x.txt.gz"] {
        let error = refused("ISO-10303-21;", name);
        assert!(
            ["STL", "OBJ", "PLY", "OFF", "glTF", "GLB"].iter().all(|known| error.help().contains(known)),
            "{error}"
        );
    }
}

#[test]
fn stl() {
    let ascii = samples::ascii_stl();
    at_line(&ascii.replace("endsolid tetra\n", ""), "x.stl", 30, "\"endsolid\"");
    at_line(&ascii.replacen("endloop", "vertex 1 1 1\nendloop", 1), "x.stl", 7, "\"endloop\"");
    at_line(&ascii.replacen("vertex 0 1 0", "vertex 0 1,0 0", 1), "x.stl", 5, "not a number");
    at_line("solid\nendsolid\n", "x.stl", 3, "no facets");
    at_line(&format!("{ascii}garbage"), "x.stl", 31, "\"solid\"");
    let mut binary = samples::binary_stl();
    binary[84 + 50 + 24..84 + 50 + 28].copy_from_slice(&f32::NAN.to_le_bytes());
    at_byte(&binary, "x.stl", 84 + 50 + 24, "triangle 1 has a corner that is not finite");
    at_byte(&[samples::binary_stl(), vec![1]].concat(), "x.stl", 284, "data follows");
    at_byte(&samples::binary_stl()[..200], "x.stl", 80, "claims 4 triangles");
    let mut none = samples::binary_stl()[..84].to_vec();
    none[80] = 0;
    at_byte(&none, "x.stl", 80, "no triangles");
}

#[test]
fn obj() {
    at_line("v 0 0\nf 1 1 1", "x.obj", 1, "three coordinates");
    at_line("v 0 0 0\nv 0 nan 0\nf 1 2 1", "x.obj", 2, "not a finite number");
    at_line("v 0 0 0\nv 0 1e999 0\nf 1 2 1", "x.obj", 2, "not a finite number");
    at_line("v 0 0 0\nf 1 1\nf 1 1 1", "x.obj", 2, "three corners");
    at_line("v 0 0 0\nF 1 1 1", "x.obj", 2, "not an OBJ statement");
    at_line("v 0 0 0\nsurf 0 1 0 1 1 2\nf 1 1 1", "x.obj", 2, "free-form");
    at_line("v 0 0 0\ncall other.obj\nf 1 1 1", "x.obj", 2, "not followed");
    at_line("v 0 0 0\nv 1 0 0\n", "x.obj", 2, "no faces");
    at_line("v 0 0 0\nf 1 \\\n 1 7\n", "x.obj", 2, "index 7 is out of range");
}

#[test]
fn ply() {
    let ascii = String::from_utf8(samples::ply(Encoding::Ascii)).unwrap();
    at_line(&ascii.replace("2 2 0 9", "2 inf 0 9"), "x.ply", 20, "not a finite number");
    at_line(&ascii.replace("5 0 1 2 3 4", "5 0 1 2 3 5"), "x.ply", 25, "index 5 is out of range");
    at_line(&ascii.replace("5 0 1 2 3 4", "5 0 1 2 3 -4"), "x.ply", 25, "index -4 is out of range");
    at_line(&ascii.replace("5 0 1 2 3 4", "2 0 1"), "x.ply", 25, "2 corners");
    at_line(&format!("{ascii}1 2 3\n"), "x.ply", 26, "follows after the last element");
    at_line(&ascii.replace("property double y", "property real y"), "x.ply", 7, "not a valid header line");
    at_line(&ascii.replace("format ascii 1.0", "format ascii 2.0"), "x.ply", 2, "not a valid header line");
    at_line(&ascii.replace("format ascii 1.0\n", ""), "x.ply", 16, "no \"format\" line");
    at_line("ply\nformat ascii 1.0\n", "x.ply", 3, "ends within its header");
    let cloud =
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int y\nproperty int z\nend_header\n0 0 0\n";
    assert!(refused(cloud, "x.ply").message().contains("only points"));
    assert!(refused(ascii.replace("double y", "double w"), "x.ply").message().contains("\"y\""));
    assert!(refused(ascii.replace("vertex_indices", "corners"), "x.ply").message().contains("vertex_indices"));
    let mut little = samples::ply(Encoding::Little);
    let body = little.windows(11).position(|w| w == b"end_header\n").unwrap() + 11;
    little[body + 15 + 4..body + 15 + 12].copy_from_slice(&f64::NAN.to_le_bytes());
    at_byte(&little, "x.ply", body as u64 + 15 + 4, "not finite");
    let mut big = samples::ply(Encoding::Big);
    big.push(1);
    at_byte(&big, "x.ply", big.len() as u64 - 1, "data follows");
}

#[test]
fn off() {
    let off = samples::OFF;
    at_line(&off.replace("1 1 0\n0", "1 nan 0\n0"), "x.off", 7, "not a finite number");
    at_line(&off.replace("3 4\n", "3 5\n"), "x.off", 10, "index 5 is out of range");
    at_line(&off.replace("3 4\n", "3 -1\n"), "x.off", 10, "index -1 is out of range");
    at_line(&off.replace("3 0 1 3 1 0 0", "2 0 1"), "x.off", 9, "2 corners");
    at_line(&format!("{off}3 0 1 2\n"), "x.off", 11, "follows after the 2 faces");
    at_line(&off.replace("OFF", "4OFF"), "x.off", 1, "three-dimensional");
    at_line(&off.replace("OFF\n", "OFF BINARY\n"), "x.off", 1, "binary OFF");
    at_line("OFF\n1 0 0\n0 0 0\n", "x.off", 3, "no faces");
    at_line("hello", "x.off", 1, "\"OFF\"");
}

/// The sample with one piece of its text replaced.
fn gltf(from: &str, to: &str) -> String {
    let text = samples::gltf();
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

#[test]
fn gltf_structure() {
    let message = |from: &str, to: &str| refused(gltf(from, to), "x.gltf").message().to_owned();
    at_line(&gltf("\"children\":[1]", "\"children\":[1"), "x.gltf", 2, "not valid JSON");
    at_line("garbage", "x.glb", 1, "neither as GLB");
    at_line(&gltf("\"children\":[1]", "\"children\":[0]"), "x.gltf", 2, "own ancestor");
    at_line(&gltf("\"children\":[1]", "\"children\":[9]"), "x.gltf", 2, "no node 9");
    at_line(&gltf("\"nodes\":[0,2]", "\"nodes\":[0,1]"), "x.gltf", 2, "two parents");
    at_line(&gltf("\"mesh\":1", "\"mesh\":7"), "x.gltf", 3, "no mesh 7");
    at_line(&gltf("\"POSITION\":0", "\"POSITION\":7"), "x.gltf", 4, "no accessor 7");
    at_line(&gltf("\"scale\":[-1,2,1]", "\"scale\":[-1,2]"), "x.gltf", 2, "longer array");
    at_line(&gltf("\"scale\":[-1,2,1]", "\"rotation\":[0,0,0,0]"), "x.gltf", 2, "length 0");
    at_line(&gltf("\"scale\":[-1,2,1]", "\"scale\":[1e999,2,1]"), "x.gltf", 2, "finite number");
    at_line(&gltf("\"scale\":[-1,2,1]", "\"skin\":0"), "x.gltf", 2, "skin");
    at_line(&gltf("1,2,3,1]", "1,2,3,2]"), "x.gltf", 3, "last row");
    at_line(&gltf("\"version\":\"2.0\"", "\"version\":\"1.0\""), "x.gltf", 1, "version 1.0");
    assert!(message("\"scene\":0", "\"scene\":3").contains("no scene 3"));
    assert!(message("\"indices\":1", "\"indices\":1,\"mode\":9").contains("mode 9"));
    assert!(message("\"name\":\"tetra\"", "\"weights\":[0,1]").contains("morph"));
    assert!(refused("{}", "x.gltf").message().contains("asset"));
    assert!(refused(r#"{"asset":{"version":"2.0"}}"#, "x.gltf").message().contains("no mesh"));
}

#[test]
fn gltf_compression_and_extensions() {
    let message = |from: &str, to: &str| refused(gltf(from, to), "x.gltf").message().to_owned();
    let draco = "\"indices\":1,\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":0,\"attributes\":{}}}";
    assert!(message("\"indices\":1", draco).contains("Draco"));
    let meshopt = "\"byteLength\":48,\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0}}";
    assert!(message("\"byteLength\":48", meshopt).contains("meshopt"));
    let instancing = "\"mesh\":1,\"extensions\":{\"EXT_mesh_gpu_instancing\":{}}";
    assert!(message("\"mesh\":1", instancing).contains("instancing"));
    for (extension, known) in
        [("KHR_draco_mesh_compression", false), ("VENDOR_secret", false), ("KHR_materials_unlit", true)]
    {
        let text = gltf("\"scene\":0", &format!("\"scene\":0,\"extensionsRequired\":[\"{extension}\"]"));
        assert_eq!(read_bytes(text.as_bytes(), "x.gltf").is_ok(), known, "{extension}");
    }
}

#[test]
fn gltf_accessors() {
    let message = |from: &str, to: &str| refused(gltf(from, to), "x.gltf").message().to_owned();
    for (from, to) in [
        ("\"count\":4", "\"count\":5"),
        ("\"count\":4", "\"count\":4,\"byteOffset\":4"),
        ("\"count\":4", "\"count\":18446744073709551"),
        ("\"count\":4", "\"count\":4,\"byteOffset\":999999999999999999"),
        ("\"byteLength\":48", "\"byteLength\":48,\"byteStride\":16"),
        ("\"byteLength\":48", "\"byteLength\":480"),
        ("\"byteLength\":48", "\"byteLength\":48,\"byteOffset\":999999999999999999"),
    ] {
        assert!(message(from, to).contains("do not fit"), "{to}");
    }
    assert!(message("\"byteLength\":48", "\"byteLength\":48,\"byteStride\":0").contains("stride"));
    assert!(message("\"count\":12", "\"count\":11").contains("whole number of triangles"));
    assert!(message("\"count\":12", "\"count\":0").contains("no elements"));
    assert!(message("\"componentType\":5123", "\"componentType\":5126").contains("indices must be"));
    assert!(message("\"componentType\":5126", "\"componentType\":5130").contains("positions must be"));
    assert!(message("\"bufferView\":0,", "").contains("no data"));
    assert!(message("\"sparse\":{\"count\":1", "\"sparse\":{\"count\":0").contains("replaces nothing"));
    assert!(message("\"byteLength\":88", "\"byteLength\":89").contains("claims 89 bytes"));
    assert!(message(";base64,", ";base64,!").contains("base64"));
    let mut data = samples::gltf_data();
    data[50] = 9;
    let error = refused(glb_of(&samples::gltf_json(""), &data), "x.glb");
    assert!(
        error.message().contains("index 1 names vertex 9") && matches!(error.place(), Some(Place::Byte(_))),
        "{error}"
    );
    let mut data = samples::gltf_data();
    data[..4].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert!(refused(glb_of(&samples::gltf_json(""), &data), "x.glb").message().contains("not finite"));
}

#[test]
fn glb_container() {
    let glb = samples::glb();
    let with = |at: usize, byte: u8| {
        let mut bytes = glb.clone();
        bytes[at] = byte;
        bytes
    };
    at_byte(&with(4, 1), "x.glb", 4, "version 1");
    at_byte(&with(11, 1), "x.glb", 8, "claims");
    at_byte(&with(15, 1), "x.glb", 12, "claims");
    at_byte(&with(16, b'X'), "x.glb", 16, "must be JSON");
    at_byte(&[glb.clone(), vec![7]].concat(), "x.glb", glb.len() as u64, "data follows");
}

#[test]
fn compressed_files() {
    let mut bytes = gzip(samples::obj().as_bytes());
    let last = bytes.len() - 1;
    bytes[last - 5] ^= 1;
    assert!(refused(&bytes, "x.obj.gz").message().contains("damaged"));
    assert!(refused(gzip(&gzip(samples::obj().as_bytes())), "x.obj.gz").message().contains("twice"));
    assert!(refused(gzip(b""), "x.obj.gz").message().contains("empty"));
    let error = refused(gzip(b"v 0 0 0\nf 1 2 3\n"), "x.obj.gz");
    assert_eq!(
        error.to_string().split(';').next(),
        Some("x.obj.gz: line 2: vertex index 2 is out of range: the file has 1 vertices")
    );
}
