//! Commands with typing errors: the status is 2, standard output is empty, and standard error says what to do.

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
        ("overlap p.obj p.obj --tree octopus", &["aabb-sah", "aabb-ploc", "obb", "rss", "kdop18", "sphere"]),
        ("info box:1,2,3 --tune", &["no tree", "--tune"]),
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
fn envelopes_that_are_no_lengths() {
    let folder = folder("usage_envelope");
    for envelope in ["-1", "nan", "inf", "near"] {
        for verb in ["overlap", "contacts"] {
            folder.run(&format!("{verb} p.obj p.obj --envelope {envelope}")).refused(&["--envelope", envelope]);
        }
    }
    folder.run("distance p.obj p.obj --envelope 1").refused(&["--envelope"]);
}

#[test]
fn shapes_in_words() {
    let folder = folder("usage_shapes");
    for (shape, words) in [
        ("box:", &["number 1 (x) is missing"][..]),
        ("box:1,2", &["a box has 3 numbers (x,y,z), not 2"]),
        ("box:1,2,3,4", &["a box has 3 numbers (x,y,z), not 4"]),
        ("box:1,2,x", &["number 3 (z) is `x`, which is not a number"]),
        ("box:1,2,0", &["the side is 0, but has to be positive"]),
        ("box:1,2,-3", &["the side is -3, but has to be positive"]),
        ("box:1,2,inf", &["number 3 (z) is `inf`, but has to be finite"]),
        ("box:1,1,1e300", &["1e300", "supported"]),
        ("sphere:nan", &["number 1 (r) is `nan`, but has to be finite", "sphere:0.5"]),
        ("sphere:-1", &["the radius is -1"]),
        ("sphere:1e-300", &["1e-300", "supported"]),
        ("capsule:1", &["a capsule has 2 numbers (r,h), not 1"]),
        ("cylinder:0,1", &["the radius is 0"]),
        ("cone:1,2,3", &["a cone has 2 numbers (r,h), not 3", "cone:0.5,2"]),
        ("ellipsoid:1,2", &["an ellipsoid has 3 numbers"]),
        ("half-space:0,0,0,1", &["the normal has no length", "half-space:0,0,1,0"]),
        ("half-space:0,0,1", &["4 numbers (nx,ny,nz,d), not 3"]),
        ("half-space:0,0,1,1e300", &["supported"]),
        ("point:1,2", &["a point has 3 numbers"]),
        ("point:1,2,nan", &["number 3 (z) is `nan`"]),
        ("segment:1,2,3", &["6 numbers"]),
        ("triangle:1,2,3,4,5,6,7,8", &["9 numbers"]),
        ("polygon:1,2,3,4,5,6,7,8,9,10", &["9, 12, 15 or more numbers, not 10"]),
        ("box:1,1,1+", &["the margin is missing"]),
        ("box:1,1,1+-1", &["the margin is -1, but has to be 0 or more"]),
        ("box:1,1,1+nan", &["the margin is `nan`"]),
        ("box:1,1,1+1e300", &["the margin is 1e300", "supported"]),
    ] {
        for line in [format!("overlap {shape} p.obj"), format!("penetration p.obj {shape}"), format!("info {shape}")] {
            let ran = folder.run(&line);
            ran.refused_with_help(words);
            ran.refused_with_help(&[shape, "write ", "+0.1"]);
        }
    }
}

#[test]
fn shapes_are_no_surfaces() {
    let folder = folder("usage_surfaces");
    for (shape, words) in [("sphere:1", "a sphere cannot"), ("box:1,1,1+0.1", "a box with a margin cannot")] {
        folder.run(&format!("overlap p.obj {shape} --surface")).refused_with_help(&[shape, words, "--surface"]);
    }
    assert_eq!(folder.run("overlap p.obj box:1,1,1 --surface").status, Some(0));
    folder.run("overlap p.obj p.obj --hull --surface").refused(&["--surface"]);
    folder.run("overlap p.obj p.obj --hull-parts --surface").refused(&["--surface"]);
    folder.run("overlap p.obj p.obj --hull --hull-parts").refused(&["--hull-parts"]);
}
