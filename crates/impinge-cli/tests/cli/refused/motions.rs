//! Motions that are not possible: every error names the file, the row and what to do.

use crate::files;
use crate::harness::Folder;

#[test]
fn timed_poses() {
    let folder = Folder::new("motion_bad_rows");
    for (text, words) in [
        ("t,x,y,z\n0,0,0,0\n0,1,0,0\n", &["m.csv:3", "the time 0 is not later than that of the row before, 0"][..]),
        ("1,0,0,0\n0.5,1,0,0\n", &["m.csv:2", "0.5 is not later"]),
        ("0,0,0\n", &["m.csv:1", "4 or 8 numbers", "not 3"]),
        ("0,0,0,zero\n", &["m.csv:1", "`zero` is not a number"]),
        ("nan,0,0,0\n", &["m.csv:1", "the time NaN is not"]),
        ("inf,0,0,0\n", &["m.csv:1", "the time inf is not"]),
        ("0,0,0,nan\n", &["m.csv:1", "not finite"]),
        ("0,0,0,0,0,0,0,2\n", &["m.csv:1", "length 2"]),
        ("0,-1e150,0,0\n1e-9,1e150,0,0\n", &["m.csv:2", "a speed beyond the supported scale"]),
        ("x,y,z,t\n0,0,0,0\n", &["m.csv:1", "column 1 is named x, but it is t"]),
        ("t,x,y,z\nt,x,y,z\n", &["m.csv:2", "`t` is not a number"]),
        ("t,x,y,z\n", &["m.csv", "there are no poses in it"]),
        ("", &["m.csv", "there are no poses in it"]),
    ] {
        folder.write("m.csv", text);
        for verb in ["impact", "sweep"] {
            folder.run(&format!("{verb} sphere:1 sphere:1 --motion-a m.csv")).refused_with_help(words);
        }
    }
    folder.run("impact sphere:1 sphere:1 --motion-b none.csv").refused_with_help(&["none.csv", "no such file"]);
    folder.write("long.csv", "1".repeat(5000));
    folder.run("impact sphere:1 sphere:1 --motion-b long.csv").refused_with_help(&["long.csv:1", "longer than"]);
    folder.write("bytes.csv", [0xff, 0xfe, b'\n']);
    folder.run("impact sphere:1 sphere:1 --motion-b bytes.csv").refused_with_help(&["bytes.csv:1", "not UTF-8"]);
}

#[test]
fn ends_of_meshes() {
    let folder = Folder::new("motion_bad_ends");
    folder.write("p.obj", files::cube_obj()).write("two.obj", files::two_cubes_obj());
    folder
        .write("open.obj", files::open_cube_obj())
        .write("turned.obj", files::cube_obj().replacen("f 1 5 7", "f 5 7 1", 1));
    for (line, words) in [
        ("impact p.obj p.obj --end-a two.obj", &["two.obj", "it has 16 vertices, but p.obj has 8", "same order"][..]),
        ("impact p.obj p.obj --end-b open.obj", &["open.obj", "it has 11 triangles, but p.obj has 12"]),
        ("impact p.obj p.obj --end-a turned.obj", &["turned.obj", "triangle 0", "p.obj"]),
        ("impact p.obj p.obj --end-a none.obj", &["none.obj", "no such file"]),
        ("impact p.obj sphere:1 --end-a p.obj", &["sphere:1", "no triangles", "give a mesh file"]),
        ("impact p.obj p.obj --end-a p.obj --to-b 0,0,0,0,0,1,0", &["--to-b", "it turns", "same rotation"]),
        ("sweep p.obj p.obj --end-a two.obj", &["two.obj", "it has 16 vertices, but p.obj has 8", "same order"]),
        ("sweep p.obj p.obj --end-b open.obj", &["open.obj", "it has 11 triangles, but p.obj has 12"]),
        ("sweep sphere:1 p.obj --end-b p.obj", &["sphere:1", "no triangles", "give a mesh file"]),
    ] {
        folder.run(line).refused_with_help(words);
    }
}

#[test]
fn usage() {
    let folder = Folder::new("motion_bad_usage");
    folder.write("m.csv", "0,0,0,0\n").write("p.obj", files::cube_obj());
    for (line, words) in [
        ("sweep sphere:1 sphere:1 --pose-a 1,0,0 --from-a 0,0,0", &["--from-a", "--pose-a"][..]),
        ("sweep sphere:1 sphere:1 --motion-a m.csv --to-a 0,0,0", &["--motion-a", "--to-a"]),
        ("impact sphere:1 sphere:1 --poses m.csv --to-b 0,0,0", &["--poses", "--to-b"]),
        ("impact p.obj p.obj --end-a p.obj --motion-b m.csv", &["--end-a", "--motion-b"]),
        ("impact p.obj p.obj --end-a p.obj --hull", &["--end-a", "--hull"]),
        ("sweep sphere:1 sphere:1 --to-a 0,0", &["3 or 7 numbers"]),
        ("sweep sphere:1 sphere:1 --within=-1", &["length of 0 or more"]),
        ("sweep sphere:1 sphere:1 --sweep-method fast", &["--sweep-method"]),
        ("sweep sphere:1 sphere:1 --method gjk", &["gjk does not answer sweep", "by auto"]),
        ("sweep p.obj p.obj --end-a p.obj --sweep-method simple", &["--end-a", "--sweep-method"]),
        ("sweep p.obj p.obj --end-b p.obj --motion-b m.csv", &["--end-b", "--motion-b"]),
        ("impact sphere:1 sphere:1 --impact-method fast", &["--impact-method"]),
        ("impact sphere:1 sphere:1 --method v-clip", &["v-clip does not answer impact"]),
        ("impact sphere:1 sphere:1 --from-a=-1e150,0,0 --to-a 1e150,0,0", &["--to-a", "larger unit"]),
    ] {
        folder.run(line).refused(words);
    }
}

/// A row that would need a speed beyond the supported scale is refused, as the same pose in an option is. The error
/// names the row.
#[test]
fn rows_too_far_off() {
    let folder = Folder::new("motion_bad_far_rows");
    folder.write("ends.csv", "x,y,z\n1e150,0,0\n");
    for verb in ["impact", "sweep"] {
        let line = format!("{verb} sphere:1 box:1,1,1 --from-b=-1e150,0,0 --poses ends.csv --format jsonl");
        folder.run(&line).refused_with_help(&["ends.csv:2", "beyond the supported", "larger unit"]);
    }
}
