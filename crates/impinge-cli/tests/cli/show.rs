//! What needs no files: demo, help, version, completions, the manual.

use crate::harness::Folder;

#[test]
fn the_demo_runs() {
    let ran = Folder::new("show_demo").run("demo");
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    for word in ["overlap", "distance", "within", "contacts", "penetration", "b lies inside a", "Your turn"] {
        assert!(ran.out.contains(word), "{word} in {}", ran.out);
    }
}

#[test]
fn help_starts_with_examples() {
    let folder = Folder::new("show_help");
    for command in
        ["", "info", "overlap", "contacts", "distance", "within", "penetration", "clash", "completions", "man", "help"]
    {
        for option in ["-h", "--help"] {
            let ran = folder.run(&format!("{command} {option}"));
            assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
            assert!(ran.out.starts_with("Examples:\n  impinge "), "{command}: {}", ran.out);
            assert!(ran.out.contains("\nUsage: impinge"));
        }
    }
    let version = folder.run("--version");
    assert_eq!(version.out, format!("impinge {}\n", env!("CARGO_PKG_VERSION")));
}

/// Every command of the list that the help prints.
fn commands(help: &str) -> Vec<String> {
    let list = help.split("\nCommands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let first_word = |line: &str| line.split_whitespace().next().map(str::to_owned);
    list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   ")).filter_map(first_word).collect()
}

#[test]
fn help_of_a_command_is_what_its_option_prints() {
    let folder = Folder::new("show_help_command");
    let whole = folder.run("--help");
    assert_eq!(folder.run("help").out, whole.out);
    let commands = commands(&whole.out);
    assert!(commands.len() >= 14 && commands.iter().any(|name| name == "distance"), "{commands:?}");
    for command in &commands {
        let [asked, option] = [format!("help {command}"), format!("{command} --help")].map(|line| folder.run(&line));
        assert_eq!((asked.status, asked.err.as_str()), (Some(0), ""), "{command}");
        assert_eq!(asked.out, option.out, "{command}");
        assert_eq!(folder.run(&format!("man {command}")).status, Some(0), "{command}");
    }
}

#[test]
fn help_of_a_misspelt_command_says_what_the_command_itself_would() {
    let folder = Folder::new("show_help_misspelt");
    let (asked, typed) = (folder.run("help distnce"), folder.run("distnce"));
    asked.refused(&["'distnce'", "'distance'"]);
    assert_eq!(asked.err, typed.err);
    folder.run("help distance overlap").refused(&["'overlap'"]);
}

#[test]
fn completions_know_the_options() {
    let folder = Folder::new("show_completions");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = folder.run(&format!("completions {shell}"));
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{shell}");
        for word in ["tolerance", "pose-b", "hull-parts", "penetration", "ignore-same-file"] {
            assert!(ran.out.contains(word), "{word} for {shell}");
        }
        // The other two shells do not complete values.
        assert!(ran.out.contains("gjk-signed-volumes") || ["elvish", "powershell"].contains(&shell), "{shell}");
    }
}

#[test]
fn the_manual_has_its_sections() {
    let folder = Folder::new("show_man");
    for command in
        ["", "info", "overlap", "contacts", "distance", "within", "penetration", "clash", "demo", "completions", "man"]
    {
        let ran = folder.run(&format!("man {command}"));
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{command}");
        for section in [".TH impinge", ".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION"] {
            assert!(ran.out.contains(section), "{section} of {command}: {}", ran.out);
        }
        assert_eq!(ran.out.contains(".SH EXAMPLES\n.nf\nimpinge "), command != "demo", "{command}: {}", ran.out);
    }
}

#[test]
fn the_long_help_lists_shapes_and_engines() {
    let folder = Folder::new("show_lists");
    let long = folder.run("overlap --help").out;
    for word in ["sphere:r", "half-space:nx,ny,nz,d", "+m", "gjk-nesterov", "separating-vector", "gauss-map"] {
        assert!(long.contains(word), "{word} in {long}");
    }
    let short = folder.run("overlap -h").out;
    assert!(!short.contains("gauss-map") && short.contains("--help lists"), "{short}");
    let page = folder.run("man penetration").out;
    for word in ["hull\\-parts", "lin\\-canny\\-cells", "sphere:r"] {
        assert!(page.contains(word), "{word} in {page}");
    }
}
