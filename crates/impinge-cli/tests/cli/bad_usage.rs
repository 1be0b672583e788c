//! What is typed wrongly: status 2, nothing on standard output, and a way out on standard error.

use crate::files;
use crate::harness::Folder;

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("p.obj", files::cube_obj()).write("two.obj", files::two_cubes_obj());
    folder
}

#[test]
fn typos_are_answered_with_suggestions() {
    let folder = folder("usage_typos");
    for (line, words) in [
        ("overlp p.obj p.obj", &["'overlap'"][..]),
        ("overlap p.obj p.obj --sold", &["'--solid'"]),
        ("overlap p.obj p.obj --method bruta", &["'brute'"]),
        ("overlap p.obj p.obj --tree obb", &["aabb-sah", "aabb-ploc"]),
        ("overlap p.obj p.obj --units miles", &["mm"]),
        ("overlap p.obj p.obj --format xml", &["jsonl"]),
        ("overlap p.obj", &["<B>"]),
        ("within p.obj p.obj", &["--tolerance"]),
        ("overlap p.obj p.obj --solid --surface", &["--surface"]),
        ("overlap p.obj p.obj --cold", &["--poses"]),
        ("overlap p.obj p.obj --pose-b 1,2,3 --poses p.csv", &["--poses"]),
        ("contacts p.obj p.obj --all --limit 3", &["--limit"]),
        ("contacts p.obj p.obj --limit 0", &["0"]),
        ("completions klingon", &["bash"]),
        ("", &["Usage"]),
    ] {
        folder.run(line).refused(words);
    }
}

#[test]
fn poses_that_are_no_poses() {
    let folder = folder("usage_poses");
    for (pose, words) in [
        ("0,0,0,0,0,0,0", &["length 0", "divide it by its length"][..]),
        ("0,0,0,0,0,0,2", &["length 2", "divide it by its length"]),
        ("0,0,0,0,0,0.00001,1.00001", &["length 1.00001"]),
        ("nan,0,0", &["not finite"]),
        ("0,0,inf", &["not finite"]),
        ("0,0,1e300", &["supported"]),
        ("1,2", &["3 or 7 numbers", "not 2"]),
        ("1,2,3,0,0,1", &["3 or 7 numbers", "not 6"]),
        ("1,2,three", &["`three` is not a number"]),
        ("1,2,", &["`` is not a number"]),
    ] {
        for option in ["--pose-a", "--pose-b"] {
            let ran = folder.run(&format!("overlap p.obj p.obj {option} {pose}"));
            ran.refused(&[option, pose]);
            ran.refused(words);
        }
    }
    let near_unit = folder.run("overlap p.obj p.obj --pose-b -5,0,0,0,0,0.0000001,-1");
    assert_eq!(near_unit.status, Some(0), "{near_unit:#?}");
}

#[test]
fn tolerances_that_are_no_lengths() {
    let folder = folder("usage_tolerance");
    for tolerance in ["-1", "nan", "inf", "near"] {
        folder.run(&format!("within p.obj p.obj --tolerance {tolerance}")).refused(&["--tolerance", tolerance]);
    }
}

#[test]
fn parts_that_are_not_there() {
    let folder = folder("usage_parts");
    folder.run("overlap two.obj p.obj --part-a lft").refused_with_help(&["two.obj", "`lft`", "did you mean `left`?"]);
    let far = folder.run("overlap p.obj two.obj --part-b wheel");
    far.refused_with_help(&["two.obj", "`wheel`", "its parts are `left`, `right`"]);
    folder.run("overlap box:1,1,1 p.obj --part-a side").refused_with_help(&["box:1,1,1", "no parts", "--part-a"]);
}

#[test]
fn shapes_in_words() {
    let folder = folder("usage_shapes");
    for shape in ["sphere:0.5", "capsule:1,2", "cylinder:1,2", "cone:1,2"] {
        folder.run(&format!("overlap p.obj {shape}")).refused_with_help(&[shape, "not in yet", "mesh file"]);
    }
    for shape in ["box:", "box:1,2", "box:1,2,3,4", "box:1,2,x", "box:1,2,0", "box:1,2,-3", "box:1,2,inf"] {
        folder.run(&format!("overlap {shape} p.obj")).refused_with_help(&[shape, "box:1,2,3"]);
    }
    folder.run("overlap box:1,1,1e300 p.obj").refused_with_help(&["box:1,1,1e300"]);
}
