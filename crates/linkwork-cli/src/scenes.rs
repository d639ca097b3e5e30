//! `linkwork scenes`: what the library has.

use clap::Args;
use linkwork_scene::library::{self, Listing};

use crate::failure::Failure;
use crate::output;

const AFTER_HELP: &str = "\
Examples:
  linkwork scenes
  linkwork scenes --json
  linkwork check chain:100          names with numbers: as many as the list says";

/// List the scenes of the library.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Write JSON, with what the tests check for each scene.
    #[arg(long)]
    json: bool,
}

pub(crate) fn perform(arguments: &Arguments) -> Result<(), Failure> {
    let listed: Vec<Listing> = library::list().collect();
    if arguments.json {
        return output::print_json(&listed);
    }
    let longest = listed.iter().map(|scene| scene.usage.len()).max();
    let width = longest.unwrap_or(0);
    let lines = listed
        .iter()
        .map(|scene| format!("{:<width$}  {}\n", scene.usage, scene.why));
    output::print(&lines.collect::<String>())
}
