//! `linkwork check`: parts of a scene, degrees of freedom, redundant rows, likely mistakes.

use clap::Args;
use linkwork::diagnose::{
    Closure, Contradiction, DiagnoseOptions, Permanence, Redundancy, diagnose_with,
};
use linkwork_scene::Scene;
use linkwork_scene::export::{ClosureFound, Contradictory, Held, undetermined};
use serde::Serialize;

use crate::closing::{CONTRADICTORY, Closing, ROUNDING};
use crate::failure::Failure;
use crate::numbers::{count, escaped, names, short};
use crate::output;
use crate::progress::Progress;
use crate::source::{self, SetArguments};

mod forest;
pub(crate) mod overlap;
mod size;
mod structure;
pub(crate) mod warnings;

use forest::Forest;
use overlap::{Overlaps, Pair, never_collide};
use structure::Structure;
use warnings::Warning;

const AFTER_HELP: &str = "\
Examples:
  linkwork check four-bar
  linkwork check mine.json --json
  linkwork check mine.json --strict && linkwork run mine.json

Redundant rows are harmless: the motion is exact; only how they share their forces is arbitrary.
Contradictory joints cannot all hold in any pose: exit code 3.";

/// Report what a scene is made of, its degrees of freedom, redundant rows and likely mistakes.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// A file, - for the standard input, or a name of the library.
    scene: String,
    #[command(flatten)]
    set: SetArguments,
    /// Write JSON.
    #[arg(long)]
    json: bool,
    /// Exit with 3 also if there are warnings, not only for contradictions.
    #[arg(long)]
    strict: bool,
}

/// What was found, with the keys of `--json`.
#[derive(Serialize)]
struct Found {
    scene: String,
    bodies: usize,
    joints: usize,
    behaviors: usize,
    hands: usize,
    /// Velocities of all bodies together.
    velocities: usize,
    /// Hard rows of priority 0.
    rows: usize,
    /// How many of them are independent.
    rank: usize,
    /// Degrees of freedom left.
    mobility: usize,
    mechanisms: usize,
    loops: usize,
    /// The joints that close them.
    loops_closed_by: Vec<String>,
    /// The spanning forest of the methods `forest-dense` and `forest-krylov`.
    forest: Forest,
    /// Joints that prescribe a motion.
    drives: Vec<String>,
    closure: ClosureFound,
    redundant: Vec<Redundant>,
    contradictory: Vec<Contradictory>,
    /// Joints of lower priorities that cannot hold, with what they are open by at best.
    gave_way: Vec<Contradictory>,
    /// Joints with reactions that statics cannot determine.
    undetermined: Vec<String>,
    /// What holds on one side only, and is there: limits at their stops, bodies that touch.
    held: Vec<Held>,
    /// Degrees of freedom left while that stays so; none if too much touches to find out.
    held_mobility: Option<usize>,
    /// Bodies that overlap, and never collide because of their groups.
    apart: Vec<Pair>,
    warnings: Vec<Warning>,
}

#[derive(Serialize)]
struct Redundant {
    joint: String,
    row: usize,
    repeats: Vec<Row>,
    /// Whether it stays when the mechanism moves.
    permanent: bool,
}

#[derive(Serialize)]
struct Row {
    joint: String,
    row: usize,
}

pub(crate) fn perform(arguments: &Arguments, quiet: bool) -> Result<(), Failure> {
    let scene = source::open(&arguments.scene, &arguments.set)?;
    let mut progress = Progress::endless("looking for degrees of freedom", quiet);
    progress.at(0, String::new);
    let found = look(&scene, &arguments.scene)?;
    drop(progress);
    match arguments.json {
        true => output::print_json(&found)?,
        false => output::print(&in_words(&found))?,
    }
    let scene = &arguments.scene;
    if !found.contradictory.is_empty() {
        let joints: Vec<&str> = found
            .contradictory
            .iter()
            .map(|own| own.joint.as_str())
            .collect();
        let problem = format!("{scene}: joints contradict each other: {}", names(&joints));
        return Err(Failure::simulation(problem).hint(CONTRADICTORY));
    }
    let n = found.warnings.len();
    match arguments.strict && n > 0 {
        true => Err(Failure::simulation(format!(
            "{scene}: {}",
            count(n, "warning", "warnings")
        ))),
        false => Ok(()),
    }
}

fn look(scene: &Scene, source: &str) -> Result<Found, Failure> {
    let world = &scene.world;
    let options = DiagnoseOptions::default().max_motions(0);
    let mut diagnosis = diagnose_with(world, &options);
    // Nothing of speeds is rounded.
    let is_rounding = |own: &Contradiction| !own.of_speeds && own.residual <= ROUNDING;
    if diagnosis.contradictory.iter().all(is_rounding)
        && diagnosis.closure == Closure::Contradictory
    {
        diagnosis.contradictory.clear();
        diagnosis.closure = Closure::Closed;
    }
    let mut contradictory: Vec<Contradictory> = diagnosis
        .contradictory
        .iter()
        .map(Contradictory::from)
        .collect();
    let mut gave_way = Vec::new();
    if diagnosis.closure == Closure::Unknown {
        // The parts are far from where they belong: bring them there, on a copy.
        match Closing::of(world)? {
            Closing::Closes(nearer, lower) => {
                diagnosis = diagnose_with(&nearer, &options);
                diagnosis.closure = Closure::Closable;
                gave_way = lower;
            }
            Closing::Contradicts(residuals) => {
                diagnosis.closure = Closure::Contradictory;
                contradictory = residuals.iter().map(Contradictory::from).collect();
            }
            Closing::Unknown => {}
        }
    } else if world.constraints().iter().any(|own| own.priority() > 0)
        && let Closing::Closes(_, lower) = Closing::of(world)?
    {
        gave_way = lower;
    }
    let structure = Structure::of(world)?;
    let forest = Forest::of(world)?;
    let overlaps = Overlaps::of(world);
    let mut warnings = warnings::all(scene, source, &structure, &diagnosis)?;
    warnings.extend(overlaps.warning());
    let n_hands = world.grips().len();
    Ok(Found {
        scene: source::title(scene, source),
        bodies: world.bodies().len() - n_hands,
        joints: world.constraints().len() - n_hands,
        behaviors: world.behaviors().len(),
        hands: n_hands,
        velocities: diagnosis.n_v,
        rows: diagnosis.n_rows,
        rank: diagnosis.rank,
        mobility: diagnosis.mobility,
        mechanisms: structure.n_mechanisms,
        loops: structure.closing.len(),
        loops_closed_by: structure.closing,
        forest,
        drives: structure.drives,
        closure: diagnosis.closure.into(),
        redundant: diagnosis.redundant.iter().map(redundant).collect(),
        contradictory,
        gave_way: gave_way.iter().map(Contradictory::from).collect(),
        undetermined: undetermined(&diagnosis),
        held: diagnosis.holds.by.iter().map(Held::from).collect(),
        held_mobility: diagnosis.held_mobility(),
        apart: overlaps.apart,
        warnings,
    })
}

fn redundant(own: &Redundancy) -> Redundant {
    let with = own.with.iter().map(|row| Row {
        joint: row.label.clone(),
        row: row.row,
    });
    Redundant {
        joint: own.row.label.clone(),
        row: own.row.row,
        repeats: with.collect(),
        permanent: own.permanence == Permanence::Permanent,
    }
}

fn in_words(found: &Found) -> String {
    let mut text = format!(
        "{}: {}, {}, {}\n",
        escaped(&found.scene),
        count(found.bodies, "body", "bodies"),
        count(found.joints, "joint", "joints"),
        count(found.rows, "row", "rows"),
    );
    let mut line = |head: &str, words: String| text += &format!("  {head:<13} {words}\n");
    line(
        "mobility",
        match found.mobility {
            0 if !found.drives.is_empty() => {
                format!("0: driven by {}", names(&found.drives))
            }
            0 => "0: rigid".to_owned(),
            n => format!(
                "{} ({}, {})",
                count(n, "degree of freedom", "degrees of freedom"),
                count(found.velocities, "velocity", "velocities"),
                count(found.rank, "independent row", "independent rows")
            ),
        },
    );
    let loops = match found.loops {
        0 => "no loops".to_owned(),
        n => format!(
            "{}, closed by {}",
            count(n, "loop", "loops"),
            names(&found.loops_closed_by)
        ),
    };
    let mechanisms = count(found.mechanisms, "mechanism", "mechanisms");
    line("structure", format!("{mechanisms}, {loops}"));
    if !found.forest.loops.is_empty() {
        line("forest", found.forest.in_words());
    }
    line(
        "closed",
        match found.closure {
            ClosureFound::Closed if found.gave_way.is_empty() => "yes".to_owned(),
            ClosureFound::Closed => "yes, at priority 0".to_owned(),
            ClosureFound::Closable => "no, but there is a pose in which all joints hold".to_owned(),
            ClosureFound::Contradictory => "no: joints contradict each other".to_owned(),
            ClosureFound::Unknown => "unknown: the parts are too far from a closed pose".to_owned(),
        },
    );
    if !found.gave_way.is_empty() {
        let each = |own: &Contradictory| {
            let (joint, size) = (escaped(&own.joint), short(own.residual));
            format!("\"{joint}\" by {size} {}", own.unit.word())
        };
        let joints: Vec<String> = found.gave_way.iter().map(each).collect();
        let joints = joints.join(", ");
        line("gives way", format!("of lower priority, at best: {joints}"));
    }
    if !found.redundant.is_empty() {
        line("redundant", repeated(&found.redundant));
    }
    if !found.undetermined.is_empty() {
        let joints = names(&found.undetermined);
        line("undetermined", format!("reaction forces in {joints}"));
    }
    if !found.held.is_empty() {
        line("held", one_sided(found));
    }
    if !found.apart.is_empty() {
        line("apart", never_collide(&found.apart));
    }
    for own in &found.contradictory {
        let left = format!("{} {}", short(own.residual), own.unit.word());
        line(
            "contradictory",
            format!(
                "\"{}\" cannot hold: at best {left} remain",
                escaped(&own.joint)
            ),
        );
    }
    for warning in &found.warnings {
        text += &format!("warning: {}\n  hint: {}\n", warning.text, warning.hint);
    }
    text
}

/// What holds on one side only.
fn one_sided(found: &Found) -> String {
    const SHOWN: usize = 6;
    let left = match found.held_mobility {
        Some(0) => "nothing can move".to_owned(),
        Some(n) => format!("{} left", count(n, "way to move is", "ways to move are")),
        None => "too many contacts to compute the remaining mobility".to_owned(),
    };
    let mut lines = vec![format!("while contacts stay closed, {left}:")];
    for own in found.held.iter().take(SHOWN) {
        let what = match &own.of[..] {
            [limit] => format!("\"{}\" is at its stop", escaped(limit)),
            [a, b] => {
                let points = count(own.rows, "point", "points");
                let (a, b) = (escaped(a), escaped(b));
                format!("\"{a}\" and \"{b}\" touch at {points}")
            }
            _ => continue,
        };
        let share = match own.shared {
            Some(true) => "; statics does not determine their forces",
            _ => "",
        };
        lines.push(format!("{what}{share}"));
    }
    if found.held.len() > SHOWN {
        lines.push(format!("and {} more", found.held.len() - SHOWN));
    }
    lines.join("\n                  ")
}

/// Redundant rows by joint, each with what it repeats.
fn repeated(redundant: &[Redundant]) -> String {
    const SHOWN: usize = 6;
    let mut by_joint: Vec<(&str, usize, Vec<&str>, bool)> = Vec::new();
    for own in redundant {
        let at = by_joint.iter().position(|(joint, ..)| *joint == own.joint);
        let at = at.unwrap_or_else(|| {
            by_joint.push((&own.joint, 0, Vec::new(), false));
            by_joint.len() - 1
        });
        let (_, n, with, permanent) = &mut by_joint[at];
        *n += 1;
        *permanent |= own.permanent;
        for row in own.repeats.iter().filter(|row| row.joint != own.joint) {
            if !with.contains(&row.joint.as_str()) {
                with.push(&row.joint);
            }
        }
    }
    let rows = count(redundant.len(), "row, harmless", "rows, harmless");
    let mut lines = vec![format!("{rows}:")];
    for (joint, n, with, permanent) in by_joint.iter().take(SHOWN) {
        let verb = if *n == 1 { "repeats" } else { "repeat" };
        let rows = count(*n, "row", "rows");
        let only = if *permanent {
            ""
        } else {
            " (only in this pose)"
        };
        let with = match with.is_empty() {
            true => "its own".to_owned(),
            false => names(with),
        };
        let joint = escaped(joint);
        lines.push(format!("{rows} of \"{joint}\" {verb} {with}{only}"));
    }
    if by_joint.len() > SHOWN {
        let more = count(by_joint.len() - SHOWN, "more joint", "more joints");
        lines.push(format!("and {more}; --json lists all"));
    }
    lines.join("\n                  ")
}
