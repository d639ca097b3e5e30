//! Why a command did not do what it was asked, and the exit code that says so.

use std::fmt;
use std::io;
use std::process::ExitCode;

use linkwork::prelude::Error;
use linkwork_scene::Fault;
use linkwork_scene::command::Session;

/// Why a command ended early.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Failure {
    /// The command line asks for what cannot be: exit code 1.
    Usage(Fault),
    /// The scene or model could not be read or built: exit code 2.
    Scene(Fault),
    /// The simulation did not get there: exit code 3.
    Simulation(Fault),
    /// Somebody pressed control-C: exit code 130, as shells have it. Says what there is so far.
    Interrupted(String),
    /// Whoever read the output has had enough (`| head`): nothing went wrong.
    PipeClosed,
}

impl Failure {
    /// A mistake on the command line.
    pub(crate) fn usage(problem: impl Into<String>) -> Self {
        Self::Usage(Fault::at("", problem))
    }

    /// A simulation that did not get there.
    pub(crate) fn simulation(problem: impl Into<String>) -> Self {
        Self::Simulation(Fault::at("", problem))
    }

    /// Control-C, and nothing was written.
    pub(crate) fn interrupted() -> Self {
        Self::Interrupted("; no file was written".into())
    }

    /// The same with advice.
    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        match self {
            Self::Usage(fault) => Self::Usage(fault.hint(hint)),
            Self::Scene(fault) => Self::Scene(fault.hint(hint)),
            Self::Simulation(fault) => Self::Simulation(fault.hint(hint)),
            other => other,
        }
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::PipeClosed => 0,
            Self::Usage(_) => 1,
            Self::Scene(_) => 2,
            Self::Simulation(_) => 3,
            Self::Interrupted(_) => 130,
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(fault) | Self::Scene(fault) | Self::Simulation(fault) => {
                write!(f, "error: {fault}")
            }
            Self::Interrupted(words) => write!(f, "interrupted{words}"),
            Self::PipeClosed => Ok(()),
        }
    }
}

/// What goes wrong with an output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::PipeClosed,
            _ => Self::usage(format!("cannot write: {error}")),
        }
    }
}

/// An option that makes no sense is the caller's; anything else is the simulation's.
impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Option { .. } => Self::usage(error.to_string()),
            Error::NonFinite { .. }
            | Error::TooFast { .. }
            | Error::EnergyGrew { .. }
            | Error::NotClosed { .. } => Self::Simulation(Session::refusal(&error)),
            // The engine's answer to a question about a world: none can fail for a scene that was built.
            _ => Self::simulation(error.to_string()),
        }
    }
}
