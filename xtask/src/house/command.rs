//! The command `cargo xtask house`.

use std::path::Path;

use super::building::House;
use super::rules::Rule;

/// The document with the map.
pub const DOCUMENT: &str = "ARCHITECTURE.md";

/// Forms of the command.
const FORMS: &str = "cargo xtask house                  the house, and what breaks a rule
cargo xtask house --map            writes the map in ARCHITECTURE.md
cargo xtask house files [folder]   what every file is for
cargo xtask house reach <file>     all files that it uses, directly or by others
cargo xtask house <file|folder>    what it uses, and who uses it";

/// Prints what was asked for. The answer is whether all rules hold.
///
/// # Errors
///
/// When a file cannot be read or written, or the arguments name nothing that is there.
pub fn run(root: &Path, arguments: &[String]) -> Result<bool, String> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["help" | "--help" | "-h"] = arguments[..] {
        println!("{FORMS}");
        return Ok(true);
    }
    let house = House::read(root)?;
    match arguments[..] {
        [] => {
            print!("{}", house.overview());
            return Ok(Rule::EACH.iter().all(|rule| house.broken(*rule).is_empty()));
        }
        ["--map"] => write_map(root, &house)?,
        ["files"] => print!("{}", house.purposes(None)),
        ["files", folder] => print!("{}", house.purposes(Some(&house.find(folder)?))),
        ["reach", file] => print!("{}", house.reach(&house.find(file)?)),
        [name] if !name.starts_with('-') => print!("{}", house.neighbours(&house.find(name)?)),
        _ => return Err(format!("`house` is called in one of these forms:\n{FORMS}")),
    }
    Ok(true)
}

fn write_map(root: &Path, house: &House) -> Result<(), String> {
    let path = root.join(DOCUMENT);
    let old = std::fs::read_to_string(&path).map_err(|e| format!("{DOCUMENT} cannot be read: {e}"))?;
    let new = house.with_map(&old).map_err(|what| format!("{DOCUMENT}: {what}"))?;
    if new == old {
        println!("the map in {DOCUMENT} is right already");
        return Ok(());
    }
    std::fs::write(&path, new).map_err(|e| format!("{DOCUMENT} cannot be written: {e}"))?;
    println!("the map in {DOCUMENT} is written");
    Ok(())
}
