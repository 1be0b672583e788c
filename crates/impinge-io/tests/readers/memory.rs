//! The bound on memory, 8 × the file + 4 MiB, holds for valid files and for files that claim more than they contain.
#![allow(unsafe_code, reason = "counting what is allocated needs a global allocator, which is an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::Write;

use super::samples::{self, glb_of, gzip};

struct Counting;

thread_local! {
    static NOW: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the system's allocator unchanged; the cells need neither allocation nor
// destructor. `realloc` is the default one, allocate, copy, free, so that a moving vector counts twice.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        NOW.set(NOW.get().wrapping_add(layout.size()));
        PEAK.set(PEAK.get().max(NOW.get()));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.set(NOW.get().wrapping_sub(layout.size()));
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const MIB: usize = 1 << 20;

/// Whether the file was accepted, and the most memory that this thread, which does all the reading, had allocated at
/// once.
fn measure(read: impl FnOnce() -> bool) -> (bool, usize) {
    NOW.set(0);
    PEAK.set(0);
    let accepted = read();
    (accepted, PEAK.get())
}

/// Reads from memory, where the file's own bytes count as well.
fn bounded(bytes: &[u8], name: &str) -> bool {
    let (accepted, peak) = measure(|| impinge_io::read_bytes(bytes, name).is_ok());
    let (used, most) = (peak + bytes.len(), 8 * bytes.len() + 4 * MIB);
    assert!(used <= most, "{name}: {used} bytes for a file of {}, {most} allowed", bytes.len());
    accepted
}

fn repeat(head: &str, line: &str, times: usize) -> Vec<u8> {
    format!("{head}{}", line.repeat(times)).into_bytes()
}

#[test]
fn m01_binary_stl_with_a_false_count() {
    let mut bytes = vec![0; 80];
    bytes.extend(u32::MAX.to_le_bytes());
    let (accepted, peak) = measure(|| impinge_io::read_bytes(&bytes, "liar.stl").is_ok());
    assert!(!accepted && peak < MIB, "{peak} bytes");
    let path = std::env::temp_dir().join(format!("impinge-io-liar-{}.stl", std::process::id()));
    std::fs::write(&path, &bytes).unwrap();
    let (accepted, peak) = measure(|| impinge_io::read(&path).is_ok());
    std::fs::remove_file(&path).unwrap();
    assert!(!accepted && peak < MIB, "{peak} bytes");
}

#[test]
fn m07_ply_with_false_counts() {
    let vertex = "ply\nformat binary_little_endian 1.0\nelement vertex 4294967295\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
    let face = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uint int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n4294967295 0 1 2\n";
    let binary = |count: &[u8]| {
        let mut bytes = face
            .replace("ascii", "binary_little_endian")
            .split_inclusive("end_header\n")
            .next()
            .unwrap()
            .as_bytes()
            .to_vec();
        bytes.extend([0; 36]);
        bytes.extend(count);
        bytes
    };
    let negative = String::from_utf8(face.as_bytes().to_vec())
        .unwrap()
        .replace("list uint", "list int")
        .replace("4294967295", "-1");
    let files = [
        vertex.as_bytes().to_vec(),
        vertex.replace("binary_little_endian", "ascii").into_bytes(),
        face.as_bytes().to_vec(),
        binary(&u32::MAX.to_le_bytes()),
        negative.into_bytes(),
        vertex.replace("vertex 4294967295", "vertex 0").replace("face 1", "face 4294967295").into_bytes(),
    ];
    for bytes in files {
        let (accepted, peak) = measure(|| impinge_io::read_bytes(&bytes, "liar.ply").is_ok());
        assert!(!accepted && peak < MIB, "{peak} bytes");
    }
}

#[test]
fn other_files_with_false_counts() {
    let data = r#"{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":4294967295,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":4294967295}],"buffers":[{"byteLength":4294967295}]}"#;
    let files = [
        ("liar.off", b"OFF\n1000000000 1000000000 0\n0 0 0\n".to_vec()),
        ("liar.off", b"OFF\n1 1 0\n0 0 0\n1000000000 0 0 0\n".to_vec()),
        ("liar.glb", glb_of(data, &[0; 12])),
        (
            "liar.glb",
            glb_of(&data.replace(r#""bufferView":0,"componentType":5126,"#, r#""componentType":5126,"#), &[0; 12]),
        ),
        ("liar.gltf", data.as_bytes().to_vec()),
        ("liar.obj.gz", [&gzip(b"v 0 0 0\n")[..24], &[0xff; 4]].concat()),
    ];
    for (name, bytes) in files {
        let (accepted, peak) = measure(|| impinge_io::read_bytes(&bytes, name).is_ok());
        assert!(!accepted && peak < MIB, "{name}: {peak} bytes");
    }
}

#[test]
fn a_gzip_bomb_is_refused() {
    let bomb = gzip(&vec![b' '; 64 * MIB]);
    assert!(bomb.len() < MIB / 8);
    let (accepted, peak) = measure(|| impinge_io::read_bytes(&bomb, "bomb.obj.gz").is_ok());
    assert!(!accepted && peak < 48 * MIB, "{peak} bytes");
}

#[test]
fn valid_files_are_read_within_the_bound() {
    let triangle =
        format!("{}\n{}{}", "facet normal 0 0 0\nouter loop", "vertex 0 0 0\n".repeat(3), "endloop\nendfacet\n");
    let mut stl = vec![0; 80];
    stl.extend(100_000_u32.to_le_bytes());
    stl.resize(84 + 50 * 100_000, 0);
    assert!(bounded(&stl, "big.stl"));
    assert!(bounded(
        &repeat("solid\n", &triangle, 50_000).into_iter().chain(*b"endsolid").collect::<Vec<_>>(),
        "big.stl"
    ));
    assert!(bounded(&repeat("", &format!("solid a\n{triangle}endsolid a\n"), 50_000), "solids.stl"));
    assert!(bounded(&repeat("f 1 2 3\n", "v 0 0 0\n", 1_000_000), "vertices.obj"));
    assert!(bounded(&repeat("v 0 0 0\nv 1 0 0\nv 0 1 0\n", "f 1 2 3\n", 1_000_000), "faces.obj"));
    assert!(bounded(&repeat("v 0 0 0\nv 1 0 0\nv 0 1 0\n", "f 1 2 3 1 2 3 1 2 3\n", 300_000), "polygons.obj"));
    assert!(bounded(
        &repeat(
            "",
            "o part\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf -1 -2 -3\nf -1 -3 -4\nf -4 -1 -2\nf -2 -3 -4\n",
            50_000
        ),
        "objects.obj"
    ));
    assert!(bounded(
        &repeat("OFF\n1000000 1 0\n", "0 0 0\n", 1_000_000).into_iter().chain(*b"3 0 1 2\n").collect::<Vec<_>>(),
        "big.off"
    ));
    assert!(bounded(
        &repeat("OFF\n3 300000 0\n0 0 0\n1 0 0\n0 1 0\n", "9 0 1 2 0 1 2 0 1 2\n", 300_000),
        "polygons.off"
    ));
    let head = "ply\nformat ascii 1.0\nelement vertex 3\nproperty char x\nproperty char y\nproperty char z\nelement face 300000\nproperty list uchar uint vertex_index\nend_header\n0 0 0\n1 0 0\n0 1 0\n";
    assert!(bounded(&repeat(head, "9 0 1 2 0 1 2 0 1 2\n", 300_000), "polygons.ply"));
}

/// A file whose content would need more memory is refused before that memory is allocated.
#[test]
fn dense_files_stay_within_the_bound() {
    let mut groups = "v 0 0 0\nv 1 0 0\nv 0 1 0\n".to_owned();
    for i in 0..200_000 {
        write!(groups, "g {i:x}\nf 1 2 3\n").unwrap();
    }
    bounded(groups.as_bytes(), "groups.obj");
    bounded(&repeat("v 0 0 0\nv 1 0 0\nv 0 1 0\n", "o\nf 1 2 3\n", 500_000), "objects.obj");
    bounded(&repeat("v 0 0 0\nv 1 0 0\nv 0 1 0\nf", " 1 2 3", 1_000_000), "polygon.obj");
    let chars = "ply\nformat binary_little_endian 1.0\nelement vertex 3000000\nproperty char x\nproperty char y\nproperty char z\nelement face 1\nproperty list uchar uchar vertex_index\nend_header\n";
    bounded(&repeat(chars, "\0", 9_000_000).into_iter().chain([3, 0, 1, 2]).collect::<Vec<_>>(), "chars.ply");
    let lists = "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty char x\nproperty char y\nproperty char z\nelement face 40000\nproperty list uchar uchar vertex_index\nend_header\n\0\0\0\u{1}\0\0\0\u{1}\0";
    bounded(&repeat(lists, &format!("{}{}", '\u{7f}', "\0".repeat(127)), 40_000), "lists.ply");
    let properties = format!("ply\nformat ascii 1.0\nelement vertex 1\n{}", "property int a\n".repeat(500_000));
    assert!(!bounded(properties.as_bytes(), "properties.ply"));
    assert!(!bounded(repeat("ply\nformat ascii 1.0\n", "element a 0\n", 500_000).as_slice(), "elements.ply"));
    assert!(!bounded(repeat("OFF ", "1 ", 3_000_000).as_slice(), "numbers.off"));
}

#[test]
fn gltf_stays_within_the_bound() {
    let mesh = r#""meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":COUNT,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":BYTES}],"buffers":[{"byteLength":BYTES}]}"#;
    let file = |nodes: String, corners: usize| {
        let mesh = mesh.replace("COUNT", &corners.to_string()).replace("BYTES", &(12 * corners).to_string());
        glb_of(&format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}],{mesh}"#), &vec![0; 12 * corners])
    };
    assert!(bounded(&file(r#"{"mesh":0}"#.to_owned(), 3 * 100_000), "big.glb"));
    assert!(bounded(&file(r#"{"mesh":0},{"mesh":0},{"mesh":0}"#.to_owned(), 3 * 1000), "instances.glb"));
    assert!(!bounded(&file(vec![r#"{"mesh":0}"#; 1000].join(","), 3 * 1000), "instances.glb"));
    bounded(&file(format!(r#"{{"mesh":0}},{}"#, vec!["{}"; 1_000_000].join(",")), 3), "nodes.glb");
    let chain: Vec<String> = (1..100_000).map(|i| format!(r#"{{"children":[{i}]}}"#)).collect();
    bounded(&file(format!(r#"{},{{"mesh":0}}"#, chain.join(",")), 3), "chain.glb");
    let children: Vec<String> = (1..100_000).map(|i| i.to_string()).collect();
    let fan = format!(r#"{{"children":[{}]}},{}"#, children.join(","), vec!["{}"; 99_999].join(","));
    bounded(&file(fan, 3), "fan.glb");
    let primitives: Vec<String> = (0..50_000).map(|i| format!(r#"{{"attributes":{{"POSITION":{i}}}}}"#)).collect();
    let accessors = vec![r#"{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}"#; 50_000].join(",");
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{}]}}],"accessors":[{accessors}],
        "bufferViews":[{{"buffer":0,"byteLength":36}}],"buffers":[{{"byteLength":36}}]}}"#,
        primitives.join(",")
    );
    assert!(bounded(&glb_of(&json, &[0; 36]), "primitives.glb"));
    let extras = format!(r#"{{"mesh":0,"extras":[{}]}}"#, vec!["[]"; 1_000_000].join(","));
    assert!(bounded(&file(extras, 3), "extras.glb"));
}

#[test]
fn files_are_read_within_the_bound() {
    let mut stl = vec![0; 80];
    stl.extend(200_000_u32.to_le_bytes());
    stl.resize(84 + 50 * 200_000, 0);
    let obj = repeat("v 0 0 0\nv 1 0 0\nv 0 1 0\n", "f 1 2 3\n", 500_000);
    for (name, bytes, plain) in [
        ("a.stl", stl.clone(), stl.len()),
        ("b.obj", obj.clone(), obj.len()),
        ("c.obj.gz", gzip(&samples::obj().into_bytes().repeat(1)), samples::obj().len()),
    ] {
        let path = std::env::temp_dir().join(format!("impinge-io-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        let (accepted, peak) = measure(|| impinge_io::read(&path).is_ok());
        std::fs::remove_file(&path).unwrap();
        assert!(accepted && peak <= 8 * plain + 4 * MIB, "{name}: {peak} bytes for {plain}");
    }
}
