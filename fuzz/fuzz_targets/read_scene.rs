//! Any text as a scene: a scene that can be run, or an error that names the file and a remedy.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| match impinge_io::read_scene_text(text, "fuzz.toml") {
    Ok(scene) => {
        assert!(scene.interval > 0.0 && scene.interval.is_finite() && scene.clearance >= 0.0);
        let poses = scene.bodies.iter().flat_map(|body| &body.pose);
        assert!(poses.chain(scene.bodies.iter().flat_map(|body| &body.motion.velocity)).all(|x| x.is_finite()));
    }
    Err(error) => assert!(error.to_string().starts_with("fuzz.toml: ") && !error.help().is_empty()),
});
