//! `--decompose exact` and `--decompose approximate`.

use serde_json::json;

use crate::files;
use crate::harness::Folder;

/// A U of three bars, 4 wide, 3 high, 1 thick: bars from x = 0 to 1 and from 3 to 4, and the floor below y = 1.
fn u_obj() -> String {
    let outline = [[0, 0], [4, 0], [4, 3], [3, 3], [3, 1], [1, 1], [1, 3], [0, 3]];
    let mut text = String::new();
    for z in [0, 1] {
        for [x, y] in outline {
            text += &format!("v {x} {y} {z}\n");
        }
    }
    for [a, b, c, d] in [[1, 2, 5, 6], [2, 3, 4, 5], [1, 6, 7, 8]] {
        text += &format!("f {a} {d} {c} {b}\nf {} {} {} {}\n", a + 8, b + 8, c + 8, d + 8);
    }
    for i in 0..8 {
        let next = (i + 1) % 8;
        text += &format!("f {} {} {} {}\n", i + 1, next + 1, next + 9, i + 9);
    }
    text
}

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("u.obj", u_obj()).write("p.obj", files::cube_obj()).write("open.obj", files::open_cube_obj());
    folder.write("two.obj", files::two_cubes_obj());
    folder
}

/// A ball in the hollow of the U, and one in a bar.
const HOLLOW: &str = "sphere:0.5 --pose-b 2,2,0.5";
const BAR: &str = "sphere:0.25 --pose-b 0.5,2,0.5";

#[test]
fn the_hollow_stays_free() {
    let folder = folder("decompose_hollow");
    assert_eq!(folder.run("info u.obj --format json").json()["volume"], json!(8.0));
    assert_eq!(folder.run(&format!("overlap u.obj {HOLLOW} --hull")).status, Some(1), "the hull fills it");
    for (how, near) in [("exact", 1e-12), ("approximate", 0.1)] {
        let ran = folder.run(&format!("distance u.obj {HOLLOW} --decompose {how} --format json"));
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{how}: {ran:#?}");
        let answer = ran.json();
        assert!((answer["upper"].as_f64().unwrap() - 0.5).abs() < near, "{how}: {answer}");
        assert_eq!(answer["semantics"], "solid");
        assert_eq!(folder.run(&format!("overlap u.obj {BAR} --decompose {how}")).status, Some(1), "{how}");
        let deep = folder.run(&format!("penetration u.obj {BAR} --decompose {how} --format json")).json();
        assert_eq!((&deep["kind"], &deep["penetrating"]), (&json!("per-piece"), &json!(true)), "{how}: {deep}");
    }
}

#[test]
fn an_approximation_says_so() {
    let folder = folder("decompose_says_so");
    for (line, mark) in [
        (format!("u.obj {HOLLOW} --decompose approximate"), json!([true, false])),
        ("u.obj u.obj --decompose approximate --pose-b 9,0,0".to_owned(), json!([true, true])),
        (format!("u.obj {HOLLOW} --decompose exact"), json!(null)),
        ("two.obj p.obj --hull-parts".to_owned(), json!(null)),
    ] {
        for verb in ["overlap", "contacts", "distance", "within --tolerance 0.1", "penetration"] {
            let answer = folder.run(&format!("{verb} {line} --format json")).json();
            assert_eq!(answer["approximate"], mark, "{verb} {line}: {answer}");
        }
    }
    let text = folder.run(&format!("overlap u.obj {HOLLOW} --decompose approximate"));
    assert!(text.out.starts_with("a: u (approximated by ") && text.out.contains(" convex parts)\nb: "), "{text:#?}");
    let text = folder.run(&format!("overlap u.obj {HOLLOW} --decompose exact"));
    assert!(text.out.starts_with("a: u (3 convex parts)\n"), "{text:#?}");
}

#[test]
fn what_cannot_be_cut_is_refused_with_a_way_on() {
    let folder = folder("decompose_refused");
    let flat = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n";
    folder.write("flat.obj", flat);
    for how in ["exact", "approximate"] {
        folder.run(&format!("overlap open.obj p.obj --decompose {how}")).refused(&["not closed", "--hull-parts"]);
    }
    folder.run("overlap flat.obj p.obj --decompose exact").refused(&["no volume", "--decompose approximate"]);
    folder.run("overlap flat.obj p.obj --decompose approximate").refused(&["no volume", "leave out --decompose"]);
    folder.run("overlap p.obj p.obj --decompose roughly").refused(&["exact", "approximate"]);
    for other in ["--hull", "--hull-parts", "--surface"] {
        folder.run(&format!("overlap p.obj p.obj --decompose exact {other}")).refused(&["--decompose"]);
    }
}

#[test]
fn engines_take_the_parts() {
    let folder = folder("decompose_engines");
    for method in ["v-clip", "lin-canny", "gjk", "brute", "enhanced-gjk"] {
        let line = format!("distance u.obj p.obj --decompose exact --pose-b 9,0,0 --method {method} --format json");
        let answer = folder.run(&line).json();
        assert!((answer["lower"].as_f64().unwrap() - 4.0).abs() < 1e-9, "{method}: {answer}");
    }
}
