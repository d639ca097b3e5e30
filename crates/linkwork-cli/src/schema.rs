//! `linkwork schema`: the JSON Schema of scene files.

use clap::Args;

use crate::failure::Failure;
use crate::output;

const AFTER_HELP: &str = "\
Examples:
  linkwork schema -o linkwork.schema.json
  linkwork schema | less

Editors complete and check a scene that begins with
{ \"$schema\": \"linkwork.schema.json\", \"linkwork\": 1, … as you type.";

/// Write the JSON Schema of scene files, for editors.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The file to write; - is standard output.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: String,
}

pub(crate) fn perform(arguments: &Arguments) -> Result<(), Failure> {
    output::write(&arguments.output, &linkwork_scene::schema())
}
