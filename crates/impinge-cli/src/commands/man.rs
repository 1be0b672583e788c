//! `impinge man`: the manual page.

use std::io::{self, Write};

use clap::{Args, Command, ValueEnum};
use clap_mangen::Man;

const EXAMPLES: &str = "\
Examples:
  impinge man | man -l -                              read it here
  impinge man overlap | man -l -                      the page of one command
  impinge man | sudo tee /usr/local/share/man/man1/impinge.1 > /dev/null";

/// Print the manual page
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub(crate) struct ManArgs {
    /// The page of this command rather than of the whole
    #[arg(value_name = "COMMAND")]
    page: Option<Page>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Page {
    Info,
    Overlap,
    Contacts,
    Distance,
    Within,
    Penetration,
    Point,
    Ray,
    Sweep,
    Impact,
    #[value(name = "self")]
    SelfContacts,
    Clash,
    Run,
    Demo,
    Completions,
    Man,
    Help,
}

impl Page {
    fn name(self) -> &'static str {
        match self {
            Page::Info => "info",
            Page::Overlap => "overlap",
            Page::Contacts => "contacts",
            Page::Distance => "distance",
            Page::Within => "within",
            Page::Penetration => "penetration",
            Page::Point => "point",
            Page::Ray => "ray",
            Page::Sweep => "sweep",
            Page::Impact => "impact",
            Page::SelfContacts => "self",
            Page::Clash => "clash",
            Page::Run => "run",
            Page::Demo => "demo",
            Page::Completions => "completions",
            Page::Man => "man",
            Page::Help => "help",
        }
    }
}

pub(crate) fn run(args: &ManArgs, mut whole: Command) -> io::Result<Vec<u8>> {
    whole.build();
    let command = match args.page.and_then(|page| whole.find_subcommand(page.name())) {
        Some(command) => command.clone(),
        None => whole,
    };
    let mut page = Vec::new();
    render(command, &mut page)?;
    Ok(page)
}

fn render(command: Command, page: &mut Vec<u8>) -> io::Result<()> {
    let examples = command.get_before_help().map(ToString::to_string).unwrap_or_default();
    let has_commands = command.has_subcommands();
    let has_ending = command.get_after_help().is_some();
    let man = Man::new(command);
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    render_examples(&examples, page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    if has_commands {
        man.render_subcommands_section(page)?;
    }
    if has_ending {
        man.render_extra_section(page)?;
    }
    Ok(())
}

/// The examples of the help, line by line as they stand there.
fn render_examples(examples: &str, page: &mut Vec<u8>) -> io::Result<()> {
    let lines = examples.lines().filter(|line| *line != "Examples:");
    if examples.is_empty() {
        return Ok(());
    }
    page.write_all(b".SH EXAMPLES\n.nf\n")?;
    for line in lines {
        writeln!(page, "{}", line.trim_start().replace('\\', "\\e").replace('-', "\\-"))?;
    }
    page.write_all(b".fi\n")
}
