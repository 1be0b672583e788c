//! The adversarial cases for readers, each under its id. M01 and M07, which measure memory, are in `memory.rs`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use impinge_io::{Place, ReadError, read, read_bytes};

use super::samples;

fn refused(bytes: impl AsRef<[u8]>, name: &str) -> ReadError {
    let error = read_bytes(bytes.as_ref(), name).expect_err(name);
    assert!(error.to_string().starts_with(&format!("{name}: ")));
    error
}

/// A folder of its own that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("impinge-io-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(&path, bytes).expect("a file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The error for a path, or a failure if none comes within ten seconds.
fn refused_in_time(path: &Path) -> ReadError {
    let (send, receive) = std::sync::mpsc::channel();
    let owned = path.to_owned();
    std::thread::spawn(move || send.send(read(&owned)));
    let result = receive.recv_timeout(Duration::from_secs(10)).expect("reading hangs");
    let error = result.expect_err("an error is expected");
    assert_eq!(error.path(), path);
    error
}

#[test]
fn m03_not_finite_in_ascii_stl() {
    for bad in ["nan", "1e999", "inf", "-infinity"] {
        let text = samples::ascii_stl().replacen("vertex 0 1 0", &format!("vertex {bad} 0 0"), 1);
        assert_eq!(refused(text, "bad.stl").place(), Some(Place::Line(5)), "{bad}");
    }
}

#[test]
fn m05_obj_indices() {
    let with = |face: &str| format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{face}\n");
    for bad in ["f 1 2 999999999", "f 0 1 2", "f 1 2 4", "f -4 -1 -2", "f 1 2 99999999999999999999", "f 1 2 x"] {
        assert_eq!(refused(with(bad), "bad.obj").place(), Some(Place::Line(4)), "{bad}");
    }
    let document = read_bytes(with("f -1 -2 -3").as_bytes(), "good.obj").unwrap();
    assert_eq!(document.parts[0].triangles, [[2, 1, 0]]);
}

#[test]
fn m09_gltf_uris_that_leave_the_folder() {
    let outer = Folder::new("m09");
    outer.write("x.bin", samples::gltf_data());
    outer.write("in/deep/x.bin", samples::gltf_data());
    let absolute = outer.0.join("x.bin").to_string_lossy().replace('\\', "/");
    let uris = [
        "../../x.bin",
        "%2e%2e/x.bin",
        "%2e%2e/%2e%2e/x.bin",
        "../deep/x.bin",
        absolute.as_str(),
        "file:///x",
        "http://h/x",
        "C:\\\\x",
        "\\\\\\\\h\\\\x",
        "..\\\\..\\\\x.bin",
        "%5c%5ch%5cx",
        "//h/x",
        "FILE:x.bin",
        "",
    ];
    for uri in uris {
        let text = samples::gltf_json(&format!(r#","uri":"{uri}""#));
        let path = outer.write("in/deep/scene.gltf", &text);
        let error = read(&path).expect_err(uri);
        assert!(error.message().contains("does not lie in the folder"), "{error}");
        assert!(matches!(error.place(), Some(Place::Line(_))), "{error}");
        assert!(read_bytes(text.as_bytes(), "scene.gltf").is_err());
    }
    let path = outer.write("in/deep/scene.gltf", samples::gltf_json(r#","uri":"x.bin""#));
    assert!(read(&path).is_ok(), "a buffer in the folder is read");
    assert!(read_bytes(&std::fs::read(&path).unwrap(), "scene.gltf").is_err(), "but not from memory");
}

#[cfg(unix)]
#[test]
fn m09_gltf_link_that_leaves_the_folder() {
    let outer = Folder::new("m09-link");
    outer.write("x.bin", samples::gltf_data());
    let path = outer.write("in/scene.gltf", samples::gltf_json(r#","uri":"link.bin""#));
    std::os::unix::fs::symlink("../x.bin", outer.0.join("in/link.bin")).unwrap();
    assert!(read(&path).unwrap_err().message().contains("does not lie in the folder"));
}

#[test]
fn m14_obj_materials_are_not_opened() {
    for library in ["../../../x", "/x", "pipe"] {
        let text = format!("mtllib {library}\nusemtl x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
        assert_eq!(read_bytes(text.as_bytes(), "x.obj").unwrap().triangle_count(), 1);
    }
}

#[cfg(unix)]
#[test]
fn m14_obj_material_pipe_is_not_opened() {
    let folder = Folder::new("m14");
    make_pipe(&folder.0.join("pipe"));
    let path = folder.write("x.obj", "mtllib pipe\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::spawn(move || send.send(read(&path)));
    assert!(receive.recv_timeout(Duration::from_secs(10)).expect("reading hangs").is_ok());
}

#[test]
fn m17_empty_files_and_folders() {
    let folder = Folder::new("m17");
    for extension in ["stl", "obj", "ply", "off", "gltf", "glb", "obj.gz", "xyz", ""] {
        refused_in_time(&folder.write(&format!("empty.{extension}"), b""));
        for byte in [b's', b'{', 0, 0x1f, 0xff] {
            refused_in_time(&folder.write(&format!("one.{extension}"), [byte]));
        }
    }
    let error = refused_in_time(&folder.0);
    assert!(error.message().contains("folder"), "{error}");
    std::fs::create_dir(folder.0.join("folder.stl")).unwrap();
    assert!(refused_in_time(&folder.0.join("folder.stl")).message().contains("folder"));
    assert!(refused_in_time(&folder.0.join("missing.stl")).help().contains("path"));
}

#[cfg(unix)]
fn make_pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
}

#[cfg(unix)]
#[test]
fn m17_pipes_and_devices() {
    let folder = Folder::new("m17-pipe");
    make_pipe(&folder.0.join("pipe.stl"));
    assert!(refused_in_time(&folder.0.join("pipe.stl")).message().contains("pipe"));
    for device in ["/dev/null", "/dev/zero"] {
        assert!(refused_in_time(Path::new(device)).message().contains("device"));
    }
    let path = folder.write("scene.gltf", samples::gltf_json(r#","uri":"pipe.stl""#));
    assert!(refused_in_time(&path).message().contains("pipe"));
}

#[cfg(unix)]
#[test]
fn unreadable_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("unreadable");
    let path = folder.write("x.obj", samples::obj());
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::File::open(&path).is_ok() {
        println!("skipped: this user may read everything");
        return;
    }
    assert!(read(&path).unwrap_err().help().contains("permissions"));
}
