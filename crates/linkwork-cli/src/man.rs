//! `linkwork man`: manual pages, one for each command.

use std::path::Path;

use clap::{Args, Command};
use clap_mangen::Man;

use crate::failure::Failure;
use crate::numbers::count;
use crate::output;

const AFTER_HELP: &str = "\
Examples:
  linkwork man ~/.local/share/man/man1
  linkwork man . && man ./linkwork-run.1";

/// Write manual pages to a folder, one for each command.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The folder; created if missing.
    folder: String,
}

pub(crate) fn perform(arguments: &Arguments, command: Command, quiet: bool) -> Result<(), Failure> {
    let folder = Path::new(&arguments.folder);
    let made = std::fs::create_dir_all(folder);
    made.map_err(|error| Failure::usage(format!("{}: {error}", arguments.folder)))?;
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let mut n = 1;
    write(folder, &command)?;
    for own in command.get_subcommands() {
        write(folder, own)?;
        n += 1;
    }
    if !quiet {
        let folder = &arguments.folder;
        output::say(format!("{} in {folder}", count(n, "page", "pages")));
    }
    Ok(())
}

/// The page of a command, as `linkwork-run.1`.
fn write(folder: &Path, command: &Command) -> Result<(), Failure> {
    let name = command
        .get_display_name()
        .unwrap_or(command.get_name())
        .to_owned();
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render(&mut page)?;
    let path = folder.join(format!("{name}.1"));
    output::write(&path.display().to_string(), &String::from_utf8_lossy(&page))
}
