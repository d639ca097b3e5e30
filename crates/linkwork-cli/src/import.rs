//! `linkwork import`: a URDF or MJCF robot as a scene.

use std::path::{Path, PathBuf};

use clap::Args;
use linkwork_import::{Base, FloorAt, ImportOptions, ImportReport, import};
use linkwork_scene::{Fault, write};
use serde::Serialize;

use crate::failure::Failure;
use crate::inputs::{self, Input};
use crate::output::{self, Form};

const AFTER_HELP: &str = "\
Examples:
  linkwork import robot.urdf -o robot.json
  linkwork import robot.xml -o robot.json --keyframe home
  linkwork import robot.urdf -o robot.json --meshes robot_description
  linkwork import robot.urdf --floating-base --floor -o robot.json      it stands on a floor
  linkwork import robot.urdf --report json           see what is read and what is not
  linkwork import robot.urdf --start elbow=0.5 --start wrist=-0.2 | linkwork check -

Nothing is dropped silently: the report lists what was read, what was approximated and what was
refused. A body that would lose its mass is an error, unless --lossy imports the rest. Mesh files are
read from the model's folder, or from that of --meshes. Joints coupled to a joint of --start move with
it.

Loops of a URDF are closed by a file robot.closures.json beside it, or by --closures. It lists
joints in the format of a scene, with links as bodies and points in the frames of the links:
  [{ \"name\": \"coupler\", \"type\": \"ball\",
     \"a\": { \"body\": \"crank\", \"point\": [0.1, 0, 0] },
     \"b\": { \"body\": \"rocker\", \"point\": [0, 0.2, 0] } }]";

/// Convert a URDF or MJCF model to a scene.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// A URDF or MJCF file.
    model: PathBuf,
    /// The scene file to write. Default: standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<String>,
    /// Free bodies that are fixed to the ground.
    #[arg(long, conflicts_with = "fixed_base")]
    floating_base: bool,
    /// Fix free bodies where they are.
    #[arg(long)]
    fixed_base: bool,
    /// Merge links that are fixed to their parents into them.
    #[arg(long)]
    merge_fixed: bool,
    /// The keyframe of an MJCF to start at.
    #[arg(long, value_name = "NAME")]
    keyframe: Option<String>,
    /// Loop closures of a URDF.
    #[arg(long, value_name = "FILE")]
    closures: Option<PathBuf>,
    /// Leave loops open and joints uncoupled.
    #[arg(long)]
    no_loops: bool,
    /// Leave out the inertia of rotors.
    #[arg(long)]
    no_armature: bool,
    /// Leave out limits and dry friction of joints.
    #[arg(long)]
    no_limits: bool,
    /// Leave out motors.
    #[arg(long)]
    no_motors: bool,
    /// Leave out contacts.
    #[arg(long)]
    no_contacts: bool,
    /// A floor at this height, m; without a number, right below the robot.
    #[arg(long, value_name = "HEIGHT", num_args = 0..=1, allow_negative_numbers = true)]
    floor: Option<Option<f64>>,
    /// Initial coordinates of a joint, rad or m.
    #[arg(long, value_name = "JOINT=NUMBERS", value_parser = coordinates)]
    start: Vec<(String, Vec<f64>)>,
    /// Folder of the mesh files (STL, OBJ): weighed where nothing else gives a mass, and drawn.
    #[arg(long, value_name = "DIR")]
    meshes: Option<PathBuf>,
    /// Import even if bodies lose their mass, or if there is no mass at all.
    #[arg(long)]
    lossy: bool,
    /// List all names in the report.
    #[arg(long, short)]
    verbose: bool,
    /// Form of the report.
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text)]
    report: Form,
}

/// The report as JSON.
#[derive(Serialize)]
struct Report<'r> {
    read: &'r [String],
    approximated: &'r [String],
    refused: &'r [String],
}

pub(crate) fn perform(arguments: &Arguments, quiet: bool) -> Result<(), Failure> {
    let json = arguments.report == Form::Json;
    let to = match (&arguments.output, json) {
        (Some(path), _) => Some(path.as_str()),
        (None, false) => Some("-"),
        (None, true) => None,
    };
    output::check_distinct(&[("--output", to), ("--report json", json.then_some("-"))])?;
    let file = arguments.model.display().to_string();
    if !arguments.model.exists() {
        let fault = Fault::at("", "no such file");
        return Err(Failure::Scene(fault.in_file(&file)));
    }
    let imported = import(&arguments.model, &arguments.options())
        .map_err(|fault| Failure::Scene(in_options(fault)))?;
    for file in &imported.files {
        inputs::remember(file, Input::Other);
    }
    // A scene that cannot be built is no scene.
    let built = linkwork_scene::build(&imported.document);
    built.map_err(|fault| Failure::Scene(fault.in_file(&file)))?;
    if let Some(path) = to {
        output::write(
            path,
            &write::text(&imported.document)
                .map_err(|fault| Failure::Scene(fault.in_file(&file)))?,
        )?;
    }
    match json {
        true => output::print_json(&listed(&imported.report)),
        false if quiet => Ok(()),
        false => {
            let brief = imported.report.brief();
            let is_brief = !arguments.verbose && brief != imported.report;
            let shown = if is_brief { &brief } else { &imported.report };
            output::say(shown.to_string().trim_end());
            if is_brief {
                output::say("--verbose lists all names");
            }
            Ok(())
        }
    }
}

impl Arguments {
    fn options(&self) -> ImportOptions {
        ImportOptions {
            base: match (self.floating_base, self.fixed_base) {
                (true, _) => Base::Floating,
                (_, true) => Base::Fixed,
                _ => Base::AsGiven,
            },
            merge_fixed: self.merge_fixed,
            keyframe: self.keyframe.clone(),
            closures: self.closures.as_deref().map(Path::to_owned),
            loops: !self.no_loops,
            armature: !self.no_armature,
            limits: !self.no_limits,
            motors: !self.no_motors,
            contacts: !self.no_contacts,
            floor: self
                .floor
                .map(|height| height.map_or(FloorAt::Lowest, FloorAt::Height)),
            meshes: self.meshes.clone(),
            lossy: self.lossy,
            coordinates: self.start.iter().cloned().collect(),
            ..ImportOptions::default()
        }
    }
}

fn listed(report: &ImportReport) -> Report<'_> {
    Report {
        read: &report.read,
        approximated: &report.approximated,
        refused: &report.refused,
    }
}

/// A fault of what the command line gave, by the option's name.
fn in_options(mut fault: Fault) -> Fault {
    if let Some(of) = fault.path.strip_prefix("coordinates") {
        fault.path = format!("--start{}", of.strip_prefix(" of").unwrap_or(of));
    }
    fault
}

/// `elbow=0.5`, `hip=1,0,0,0`.
fn coordinates(text: &str) -> Result<(String, Vec<f64>), String> {
    let form = "write JOINT=NUMBER, such as elbow=0.5";
    let (joint, numbers) = text.rsplit_once('=').ok_or(form)?;
    let parse = |number: &str| number.trim().parse::<f64>().ok().filter(|n| n.is_finite());
    let numbers: Option<Vec<f64>> = numbers.split(',').map(parse).collect();
    let numbers = numbers.ok_or_else(|| format!("not all are numbers; {form}"))?;
    Ok((joint.to_owned(), numbers))
}
