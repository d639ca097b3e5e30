//! `linkwork format`: a scene in its canonical text.

use clap::Args;

use linkwork_scene::write;

use crate::failure::Failure;
use crate::{output, source};

const AFTER_HELP: &str = "\
Examples:
  linkwork format mine.json                    on the standard output
  linkwork format mine.json -o mine.json       in place
  linkwork format four-bar -o mine.json        a scene of the library, to begin from
  linkwork format mine.json --computed         with every pose and every site computed

The scene is built first: what cannot be built is not written.";

/// Write a scene in its canonical text: one entry a line, numbers as short as they can be.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// A file, - for the standard input, or a name of the library.
    scene: String,
    /// The file to write; - is the standard output.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: String,
    /// Write what the engine has: poses as numbers, joints by their sites on bodies.
    #[arg(long)]
    computed: bool,
}

pub(crate) fn perform(arguments: &Arguments) -> Result<(), Failure> {
    let name = arguments.scene.as_str();
    let text = match arguments.computed {
        true => linkwork_scene::save(&source::open(name)?),
        false => write::text(&source::document(name)?),
    };
    let text = text.map_err(|fault| Failure::Scene(fault.in_file(name)))?;
    output::write(&arguments.output, &text)
}
