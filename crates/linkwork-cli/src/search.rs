//! What `assemble`, `minimize` and `fit` share: a scene that is looked at until something holds, and the file it goes
//! to.

use clap::Args;
use linkwork_scene::Scene;
use linkwork_scene::export::WholeFile;

use crate::failure::Failure;
use crate::output::{self, Form};
use crate::solver::SolverArguments;
use crate::source::{self, SetArguments};

/// The scene, where it goes, and how it is told.
#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    /// A file, - for standard input, or a library name.
    pub(crate) scene: String,
    #[command(flatten)]
    pub(crate) set: SetArguments,
    /// The file for the scene where the search ends; - is standard output.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<String>,
    /// Write the file even if the search fails.
    #[arg(long, requires = "output")]
    pub(crate) anyway: bool,
    #[command(flatten)]
    pub(crate) solver: SolverArguments,
    /// Form of the report.
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text)]
    pub(crate) report: Form,
}

impl SearchArguments {
    /// The scene, and the file that was begun for it. `others` are files beside it, by their options.
    pub(crate) fn begin(
        &self,
        others: &[(&str, Option<&str>)],
        open: impl FnOnce() -> Result<Scene, Failure>,
    ) -> Result<(Scene, Option<WholeFile>), Failure> {
        let on_output = (self.report == Form::Json).then_some("-");
        let to = self.output.as_deref();
        let own = [("--output", to), ("--report json", on_output)];
        output::check_distinct(&[&own, others].concat())?;
        let scene = open()?;
        let file = to.map(output::begin_scene).transpose()?;
        Ok((scene, file))
    }

    /// The scene as it is named.
    pub(crate) fn open(&self) -> Result<Scene, Failure> {
        source::open(&self.scene, &self.set)
    }

    /// Writes the scene, if the search ended well or it is wanted all the same.
    pub(crate) fn write(
        &self,
        scene: &Scene,
        file: Option<WholeFile>,
        is_found: bool,
    ) -> Result<(), Failure> {
        let Some(file) = file.filter(|_| is_found || self.anyway) else {
            return Ok(());
        };
        let text = linkwork_scene::save(scene)
            .map_err(|fault| Failure::Scene(fault.in_file(&self.scene)))?;
        output::fill(file, &text)
    }
}
