//! `linkwork completions`: what shells need to complete commands and options.

use clap::{Args, Command};
use clap_complete::{Shell, generate};

use crate::failure::Failure;
use crate::output;

const AFTER_HELP: &str = "\
Examples:
  linkwork completions bash > ~/.local/share/bash-completion/completions/linkwork
  linkwork completions zsh > ~/.zfunc/_linkwork
  linkwork completions fish > ~/.config/fish/completions/linkwork.fish";

/// Write completions of commands and options for a shell to standard output.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The shell.
    shell: Shell,
}

pub(crate) fn perform(arguments: &Arguments, mut command: Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut command, "linkwork", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}
