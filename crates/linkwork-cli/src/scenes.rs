//! `linkwork scenes`: what the library has.

use clap::Args;
use serde::Serialize;

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
    /// Write JSON: a list of { name, usage }.
    #[arg(long)]
    json: bool,
}

/// A scene of the library.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    /// How it is written, with the numbers it takes.
    usage: &'static str,
}

pub(crate) fn perform(arguments: &Arguments) -> Result<(), Failure> {
    let listed: Vec<Listed> = linkwork_scene::scenes()
        .map(|(name, usage)| Listed { name, usage })
        .collect();
    if arguments.json {
        return output::print_json(&listed);
    }
    let lines = listed.iter().map(|scene| format!("{}\n", scene.usage));
    output::print(&lines.collect::<String>())
}
