//! `linkwork format`: a scene in its canonical text.

use clap::Args;

use linkwork_scene::write;

use crate::failure::Failure;
use crate::output;
use crate::source::{self, SetArguments};

const AFTER_HELP: &str = "\
Examples:
  linkwork format mine.json                    to standard output
  linkwork format mine.json -o mine.json       in place
  linkwork format four-bar -o mine.json        a scene of the library, to start from
  linkwork format mine.json --computed         with every pose and every site computed

The scene is built first. A scene that cannot be built is not written.";

/// Write the canonical text of a scene: one entry per line, the shortest exact numbers.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// A file, - for standard input, or a library name.
    scene: String,
    #[command(flatten)]
    set: SetArguments,
    /// The file to write; - is standard output.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: String,
    /// Write computed values: poses as numbers, joints by their sites on bodies.
    #[arg(long)]
    computed: bool,
}

pub(crate) fn perform(arguments: &Arguments) -> Result<(), Failure> {
    let name = arguments.scene.as_str();
    // What is set is a scene that nobody wrote: it is described.
    let text = match arguments.computed || !arguments.set.is_empty() {
        true => linkwork_scene::save(&source::open(name, &arguments.set)?),
        false => write::text(&source::document(name)?),
    };
    let text = text.map_err(|fault| Failure::Scene(fault.in_file(name)))?;
    output::fill(output::begin_scene(&arguments.output)?, &text)
}
