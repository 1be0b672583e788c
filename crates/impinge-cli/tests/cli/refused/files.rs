//! Files that cannot be used: status 2, nothing on standard output, the file and the remedy on standard error.

use std::fs;

use crate::files;
use crate::harness::Folder;

/// Every verb, and `info`, must refuse the file, whether it is the first or the second body.
fn refused_everywhere(folder: &Folder, file: &str, words: &[&str]) {
    let mut words = words.to_vec();
    words.push(file);
    for line in [
        format!("info {file}"),
        format!("overlap {file} box:1,1,1"),
        format!("contacts box:1,1,1 {file} --format json"),
        format!("distance {file} box:1,1,1 --format jsonl"),
        format!("within box:1,1,1 {file} --tolerance 1"),
        format!("penetration {file} sphere:1"),
        format!("distance {file} sphere:1 --hull"),
        format!("overlap cone:1,2 {file} --hull-parts --format json"),
    ] {
        folder.run(&line).refused_with_help(&words);
    }
}

#[test]
fn coordinates_that_are_no_numbers() {
    let folder = Folder::new("bad_coordinates");
    let cube = files::cube_obj();
    for (file, with, words) in [
        ("nan.obj", "v nan -1 -1", &["nan.obj:2", "finite"][..]),
        ("inf.obj", "v -1 inf -1", &["inf.obj:2", "finite"]),
        ("overflow.obj", "v 1e999 -1 -1", &["overflow.obj:2", "finite"]),
        ("word.obj", "v one -1 -1", &["word.obj:2", "one"]),
        ("huge.obj", "v 1e300 -1 -1", &["vertex 0", "1e300"]),
    ] {
        folder.write(file, cube.replacen("v -1 -1 -1", with, 1));
        refused_everywhere(&folder, file, words);
    }
    let mut stl = files::cube_stl();
    stl[84 + 12..84 + 16].copy_from_slice(&f32::NAN.to_le_bytes());
    folder.write("nan.stl", &stl);
    refused_everywhere(&folder, "nan.stl", &["byte 96", "finite"]);
    let mut ply = files::cube_ply_binary();
    let start = files::ply_header("binary_little_endian", 8, 12).len();
    ply[start..start + 8].copy_from_slice(&f64::NEG_INFINITY.to_le_bytes());
    folder.write("inf.ply", &ply);
    refused_everywhere(&folder, "inf.ply", &["finite"]);
}

#[test]
fn indices_out_of_range() {
    let folder = Folder::new("bad_indices");
    folder.write("past.obj", files::cube_obj() + "f 1 2 9\n");
    refused_everywhere(&folder, "past.obj", &["past.obj:22", "9"]);
    folder.write("zero.obj", files::cube_obj() + "f 0 1 2\n");
    refused_everywhere(&folder, "zero.obj", &["zero.obj:22"]);
    folder.write("past.off", files::cube_off().replacen("3 0 4 6", "3 0 4 8", 1));
    refused_everywhere(&folder, "past.off", &["8"]);
}

#[test]
fn nothing_to_collide() {
    let folder = Folder::new("bad_empty");
    folder.write("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n").write("none.off", "OFF\n0 0 0\n").write("zero.stl", "");
    folder.write("points.ply", files::ply_header("ascii", 1, 0) + "0 0 0\n");
    for file in ["points.obj", "none.off", "zero.stl", "points.ply"] {
        refused_everywhere(&folder, file, &[]);
    }
}

#[test]
fn files_cut_off_anywhere() {
    let folder = Folder::new("bad_cut");
    for (file, bytes) in [
        ("cut.stl", files::cube_stl()),
        ("cut.ply", files::cube_ply_binary()),
        ("cut.glb", files::cube_glb()),
        ("cut.off", files::cube_off().trim_end().as_bytes().to_vec()),
        ("cut.stl.gz", files::gzip(&files::cube_stl())),
    ] {
        assert_eq!(
            folder.write(file, &bytes).run(&format!("info {file}")).status,
            Some(0),
            "{file} is good when whole"
        );
        // Nothing may show that the last byte of an OFF file was cut off: "3 4 7 60" and "3 4 7 6" are both faces.
        let ends = (0..bytes.len()).step_by(13).chain(bytes.len().saturating_sub(9)..bytes.len());
        for end in ends {
            folder.write(file, &bytes[..end]);
            folder.run(&format!("overlap box:1,1,1 {file} --format json")).refused_with_help(&[file]);
        }
    }
}

#[test]
fn a_claim_of_a_billion_triangles() {
    let folder = Folder::new("bad_claim");
    let mut stl = files::cube_stl();
    stl[80..84].copy_from_slice(&1_000_000_000u32.to_le_bytes());
    folder.write("claim.stl", &stl[..100]);
    refused_everywhere(&folder, "claim.stl", &[]);
    folder.write("claim.ply", files::ply_header("ascii", 3, 1_000_000_000) + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    refused_everywhere(&folder, "claim.ply", &[]);
}

#[test]
fn unknown_formats_and_folders() {
    let folder = Folder::new("bad_formats");
    folder.write("notes.txt", "dear reader, this is not a mesh\n").write("noise.bin", [0x9b, 0xff, 0x00, 0x13, 0x37]);
    refused_everywhere(&folder, "notes.txt", &["format"]);
    refused_everywhere(&folder, "noise.bin", &["format"]);
    fs::create_dir(folder.path("models")).unwrap();
    refused_everywhere(&folder, "models", &["folder"]);
}

#[test]
fn missing_files_suggest_their_neighbours() {
    let folder = Folder::new("bad_missing");
    folder.write("teapot.obj", files::cube_obj());
    refused_everywhere(&folder, "teapto.obj", &["no such file", "did you mean `teapot.obj`?"]);
    refused_everywhere(&folder, "nowhere/a.obj", &["no such file", "no folder nowhere"]);
    refused_everywhere(&folder, "spere:1", &["no such file", "did you mean the shape sphere:r, such as sphere:0.5?"]);
    refused_everywhere(&folder, "ball:1", &["no such file", "did you mean the shape sphere:r"]);
    refused_everywhere(&folder, "cylinder", &["no such file", "did you mean the shape cylinder:r,h"]);
    refused_everywhere(&folder, "bxo:1,2,3", &["did you mean the shape box:x,y,z, such as box:1,2,3?"]);
}

#[cfg(unix)]
#[test]
fn unreadable_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new("bad_unreadable");
    folder.write("locked.obj", files::cube_obj());
    fs::set_permissions(folder.path("locked.obj"), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(folder.path("locked.obj")).is_ok() {
        println!("skipped: this user may read every file");
        return;
    }
    refused_everywhere(&folder, "locked.obj", &[]);
}

/// The file can be opened, but every read fails. (A user who may read everything cannot have an unreadable file.)
#[cfg(target_os = "linux")]
#[test]
fn files_whose_reading_fails() {
    let folder = Folder::new("bad_reading");
    folder.run("info /proc/self/mem").refused_with_help(&["/proc/self/mem"]);
    folder.run("overlap box:1,1,1 box:1,1,1 --poses /proc/self/mem").refused_with_help(&["/proc/self/mem"]);
}

#[test]
fn a_gltf_uri_must_stay_in_its_folder() {
    let folder = Folder::new("bad_uri");
    fs::create_dir(folder.path("sub")).unwrap();
    folder.write("secret.bin", files::cube_buffer()).write("sub/near.bin", files::cube_buffer());
    let absolute = folder.path("secret.bin").display().to_string();
    for uri in ["../secret.bin", "sub/../../secret.bin", "%2e%2e/secret.bin", "file:///secret.bin", &absolute] {
        folder.write("sub/leaves.gltf", files::cube_gltf(&format!(r#""uri":"{uri}","#)));
        // Of a long URI only the beginning is quoted.
        let beginning: String = uri.chars().take(13).collect();
        refused_everywhere(&folder, "sub/leaves.gltf", &[&beginning]);
    }
    folder.write("sub/stays.gltf", files::cube_gltf(r#""uri":"near.bin","#));
    assert_eq!(folder.run("info sub/stays.gltf").status, Some(0));
    folder.write("sub/lost.gltf", files::cube_gltf(r#""uri":"gone.bin","#));
    refused_everywhere(&folder, "sub/lost.gltf", &["gone.bin"]);
}
