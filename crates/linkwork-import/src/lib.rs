//! Robots from other programs: URDF and MJCF, as scenes of Linkwork.
//!
//! ```no_run
//! use linkwork_import::{ImportOptions, import};
//!
//! let imported = import("robot.urdf".as_ref(), &ImportOptions::default())?;
//! println!("{}", imported.report);
//! let scene = linkwork_scene::build(&imported.document)?;
//! # Ok::<(), linkwork_scene::Fault>(())
//! ```
//!
//! - [`import`] reads a file with what it includes, [`import_text`] a text, [`import_files`] a file of those
//!   that are given.
//! - [`ImportOptions`] say how the robot stands on the ground ([`Base`]), where it starts, what is merged
//!   and what is left out.
//! - [`Imported`] is a document of [`linkwork_scene`], to be built, written or changed, and an
//!   [`ImportReport`].
//!
//! Nothing is dropped in silence: every element and every attribute of the model is either in the
//! scene or in the report. Both formats become one model of links and freedoms, and that becomes the
//! scene:
//!
//! ```text
//!     text → xml → urdf  ↘
//!                          model → merge → document (pairs, forces, bounds, touch) → Document, ImportReport
//!            xml → mjcf  ↗
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use linkwork_scene::Fault;
use linkwork_scene::format::Document;

mod bounds;
mod closures;
mod document;
mod entries;
mod files;
mod forces;
mod mass;
mod merge;
mod mesh;
mod mjcf;
mod model;
mod names;
mod pairs;
mod place;
mod report;
mod shapes;
mod touch;
mod urdf;
mod xml;

pub use files::Files;
pub use report::ImportReport;

use files::Source;
use mesh::Meshes;
use model::{Freedom, FreedomKind, Link, Model};
use report::Notes;
use xml::Element;

/// A scene that was made from another program's model.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The scene.
    pub document: Document,
    /// What it has of the model, and what not.
    pub report: ImportReport,
    /// The files on disk that were read: the model, what it includes, meshes, closures.
    pub files: Vec<PathBuf>,
}

/// How a robot stands on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Base {
    /// As the model has it: the root of a URDF is fixed, a body of an MJCF has the joints it has.
    #[default]
    AsGiven,
    /// Bodies that move freely are fixed where they stand.
    Fixed,
    /// Bodies that are fixed to the ground move freely.
    Floating,
}

/// Where a floor is, along the direction against gravity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FloorAt {
    /// So high, m.
    Height(f64),
    /// Right below what collides, where it starts.
    Lowest,
}

/// What to make of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportOptions {
    /// How the robot stands on the ground.
    pub base: Base,
    /// Links that are fixed to their parents become parts of them, rather than bodies of their own
    /// with a weld. Both are exact; one is faster, one keeps the bodies apart.
    pub merge_fixed: bool,
    /// The keyframe of an MJCF to start at.
    pub keyframe: Option<String>,
    /// Loop closures of a URDF; a file `robot.closures.json` beside `robot.urdf` when left out.
    pub closures: Option<PathBuf>,
    /// Whether loops are closed and joints coupled.
    pub loops: bool,
    /// Whether armatures become rotors.
    pub armature: bool,
    /// Whether joints have limits and dry friction.
    pub limits: bool,
    /// Whether actuators become motors.
    pub motors: bool,
    /// Whether shapes collide.
    pub contacts: bool,
    /// A floor; where the model has one when left out.
    pub floor: Option<FloorAt>,
    /// The folder of mesh files, which are drawn then. Those that give a body its mass are looked for in the
    /// model's folder when left out.
    pub meshes: Option<PathBuf>,
    /// Whether a body may lose its mass, and a robot all of it; else that is a fault.
    pub lossy: bool,
    /// Coordinates of joints to start with, as the model counts them: a number, or the quaternion of
    /// a ball, or position and quaternion of a free body.
    pub coordinates: BTreeMap<String, Vec<f64>>,
    /// Rates of joints to start with: a number, or ω in the link's axes, or the velocity of the
    /// origin in world axes and ω in the link's.
    pub rates: BTreeMap<String, Vec<f64>>,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self {
            base: Base::AsGiven,
            merge_fixed: false,
            keyframe: None,
            closures: None,
            loops: true,
            armature: true,
            limits: true,
            motors: true,
            contacts: true,
            floor: None,
            meshes: None,
            lossy: false,
            coordinates: BTreeMap::new(),
            rates: BTreeMap::new(),
        }
    }
}

/// Reads a URDF or MJCF file, whichever it is.
pub fn import(path: &Path, options: &ImportOptions) -> Result<Imported, Fault> {
    of_file(&Source::default(), path, options)
}

/// Reads the file `model`, a URDF or MJCF, of those that are given, and no others. Mesh files are drawn; they and what
/// is included are looked for in the model's folder first, then wherever a path ends as the model says.
pub fn import_files(
    files: Rc<dyn Files>,
    model: &str,
    options: &ImportOptions,
) -> Result<Imported, Fault> {
    of_file(&Source::Given(files), Path::new(model), options)
}

fn of_file(source: &Source, path: &Path, options: &ImportOptions) -> Result<Imported, Fault> {
    let text = xml::read(source, path)?;
    let beside = closures::beside(path);
    let mut options = options.clone();
    if options.closures.is_none() && source.is_file(&beside) {
        options.closures = Some(beside);
    }
    let file = path.display().to_string();
    let folder = path.parent().map(|folder| {
        if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        }
    });
    let root = xml::parse(source, &text, &file, folder)?;
    of_element(source, &root, folder, &options).map_err(|fault| {
        if fault.file.is_some() {
            fault
        } else {
            fault.in_file(&file)
        }
    })
}

/// Reads a URDF or MJCF, whichever it is; what it includes must be in `folder`.
pub fn import_text(
    text: &str,
    folder: Option<&Path>,
    options: &ImportOptions,
) -> Result<Imported, Fault> {
    let source = Source::default();
    let root = xml::parse(&source, text, "", folder)?;
    of_element(&source, &root, folder, options)
}

fn of_element(
    source: &Source,
    root: &Element,
    folder: Option<&Path>,
    options: &ImportOptions,
) -> Result<Imported, Fault> {
    let mut notes = Notes::default();
    let given = options.meshes.as_deref();
    let is_given = matches!(source, Source::Given(_));
    let mut meshes = Meshes::of(
        source.clone(),
        given.or(folder),
        given.is_some() || is_given,
    );
    root.see();
    let mut model = match root.tag.as_str() {
        "robot" => {
            if let Some(name) = &options.keyframe {
                let problem = format!("a URDF has no keyframes, so none is called \"{name}\"");
                let hint = "say of each joint where it starts";
                return Err(root.fault(problem).hint(hint));
            }
            urdf::read(root, &mut meshes, &mut notes)?
        }
        "mujoco" => mjcf::read(root, options.keyframe.as_deref(), &mut meshes, &mut notes)?,
        _ => {
            let hint = "a URDF begins with <robot>, an MJCF with <mujoco>";
            return Err(root.fault("is no robot description").hint(hint));
        }
    };
    if !options.lossy {
        let advice = if is_given { GIVE_ALL } else { ASK_FOR_LOSS };
        notes.nothing_lost(&meshes.missing, advice)?;
        if model.links.iter().all(|link| link.mass.is_none()) {
            let problem = "has no body with a mass: nothing would move";
            return Err(root.fault(problem).hint(advice));
        }
    }
    if options.base == Base::Floating {
        float(&mut model, &mut notes);
    }
    start(&mut model, options, &mut notes)?;
    if options.base == Base::Fixed {
        fix(&mut model, &mut notes);
    }
    if !options.loops {
        for name in model.closures.drain(..).map(|own| own.name) {
            notes.refuse("closures, as asked for", name);
        }
        for name in model.followers.drain(..).map(|own| own.name) {
            notes.refuse("couplings, as asked for", name);
        }
    } else if let Some(path) = &options.closures {
        model.extra = closures::read(source, path)?;
        model.extra_file = path.display().to_string();
    }
    bounds::leave_out(
        &mut model.freedoms,
        options.limits,
        options.motors,
        &mut notes,
    );
    let merged = merge::merge(&mut model, options.merge_fixed, &mut notes)?;
    mass::mend(&mut model, &mut notes);
    let document = document::write(&model, &merged, options, &mut notes)?;
    closures::check(&document, &model)?;
    Ok(Imported {
        document,
        report: notes.finish(root, meshes.missing),
        files: source.read_so_far(),
    })
}

/// What to do where mass is lost.
const ASK_FOR_LOSS: &str =
    "name the folder of its mesh files (--meshes DIR), or import the rest (--lossy)";
/// The same where files are given one by one.
const GIVE_ALL: &str = "give the mesh files with the model, or the folder that contains them";

/// Starts where the options say.
fn start(model: &mut Model, options: &ImportOptions, notes: &mut Notes) -> Result<(), Fault> {
    let known: Vec<String> = model.freedoms.iter().map(|own| own.name.clone()).collect();
    let find = |name: &str, what: &str| {
        known.iter().position(|own| own == name).ok_or_else(|| {
            let fault = Fault::at(what, format!("no joint is called \"{name}\""));
            fault.meant(name, known.iter().map(String::as_str))
        })
    };
    let mut is_set = vec![false; known.len()];
    for (name, coordinates) in &options.coordinates {
        let freedom = find(name, "coordinates")?;
        let finite = coordinates.iter().all(|number| number.is_finite());
        if !finite || !model.freedoms[freedom].start(coordinates) {
            let path = format!("coordinates of \"{name}\"");
            return Err(Fault::at(
                path,
                "are not as many finite numbers as the joint has",
            ));
        }
        is_set[freedom] = true;
        notes.read("starts as asked for", name);
    }
    if options.limits && options.loops {
        lead_limits(model, notes);
    }
    if options.limits && options.keyframe.is_none() && !(options.loops && has_loops(model, options))
    {
        start_within_limits(model, &mut is_set, notes);
    }
    if options.loops {
        follow(model, &mut is_set, notes);
    }
    for (name, rates) in &options.rates {
        let freedom = &mut model.freedoms[find(name, "rates")?];
        let (_, n) = freedom.kind.counts();
        if rates.len() != n || !rates.iter().all(|number| number.is_finite()) {
            let problem = format!("are not {n} finite numbers");
            return Err(Fault::at(format!("rates of \"{name}\""), problem));
        }
        freedom.rates[..n].copy_from_slice(rates);
    }
    Ok(())
}

/// Whether joints are not those of a tree alone: where one is moved, others would open.
fn has_loops(model: &Model, options: &ImportOptions) -> bool {
    options.closures.is_some() || model.closures.iter().any(|own| own.enabled)
}

/// Gives the limits of joints that follow others in proportion to those that lead them. Where each had its own, one
/// stop of the leader would be several rows that repeat each other but for how far the coupling is open; where they say
/// the opposite of each other, no impulses obey both.
fn lead_limits(model: &mut Model, notes: &mut Notes) {
    // Once for each joint of the longest chain of followers.
    for _ in 0..model.followers.len() {
        for follower in model.followers.iter().filter(|own| own.enabled) {
            let (Some(leading), [offset, factor]) = (follower.leading, &follower.coefficients[..])
            else {
                continue;
            };
            let (x, y) = (
                &model.freedoms[leading],
                &model.freedoms[follower.following],
            );
            let are_numbers = x.kind.is_one_number() && y.kind.is_one_number();
            if !are_numbers || !y.is_limited() || *factor == 0.0 || leading == follower.following {
                continue;
            }
            let [a, b] = y.limits.map(|own| (own - offset) / factor);
            let (lower, upper) = (x.limits[0].max(a.min(b)), x.limits[1].min(a.max(b)));
            // What contradicts itself stays where it was said.
            if lower <= upper {
                model.freedoms[leading].limits = [lower, upper];
                let following = &mut model.freedoms[follower.following];
                following.limits = [f64::NEG_INFINITY, f64::INFINITY];
                let kind = "limits of joints that follow others, as limits of those they follow";
                notes.read(kind, &following.name);
            }
        }
    }
}

/// Moves joints to the nearest of their limits where the pose of the file is beyond them: the zero of a URDF often is,
/// and no step leads back from there without a jerk.
fn start_within_limits(model: &mut Model, is_set: &mut [bool], notes: &mut Notes) {
    let followers: Vec<usize> = model.followers.iter().map(|own| own.following).collect();
    for (at, freedom) in model.freedoms.iter_mut().enumerate() {
        let [lower, upper] = freedom.limits;
        let is_free = !is_set[at] && !followers.contains(&at) && freedom.kind.is_one_number();
        if !is_free || lower > upper || (lower..=upper).contains(&freedom.shift) {
            continue;
        }
        freedom.shift = freedom.shift.clamp(lower, upper);
        is_set[at] = true;
        let kind = "starts at its limit: the pose of the file is beyond it";
        notes.approximate(kind, &freedom.name);
    }
}

/// Moves what is coupled to joints that were moved, as far as nothing was said about it: followers
/// to where they follow, and leaders by the inverse where that is one number.
fn follow(model: &mut Model, is_set: &mut [bool], notes: &mut Notes) {
    let mut goes_on = true;
    while goes_on {
        goes_on = false;
        for follower in model.followers.iter().filter(|own| own.enabled) {
            let Some(leading) = follower.leading else {
                continue;
            };
            let following = follower.following;
            let (x, y) = (&model.freedoms[leading], &model.freedoms[following]);
            if !x.kind.is_one_number() || !y.kind.is_one_number() {
                continue;
            }
            let coefficients = &follower.coefficients;
            let (moved, shift) = match (is_set[leading], is_set[following]) {
                (true, false) => {
                    let horner = |sum: f64, c: &f64| sum * x.shift + c;
                    (following, coefficients.iter().rev().fold(0.0, horner))
                }
                (false, true) => match coefficients.as_slice() {
                    [offset, factor] if *factor != 0.0 => (leading, (y.shift - offset) / factor),
                    _ => continue,
                },
                _ => continue,
            };
            model.freedoms[moved].shift = shift;
            is_set[moved] = true;
            notes.read(
                "starts where its coupling asks",
                &model.freedoms[moved].name,
            );
            goes_on = true;
        }
    }
}

/// Frees the links that are fixed to the ground.
fn float(model: &mut Model, notes: &mut Notes) {
    let fixed = |link: &&mut Link| link.parent.is_none() && link.freedoms.is_empty();
    for link in model.links.iter_mut().filter(fixed) {
        link.freedoms.push(model.freedoms.len());
        let name = format!("{} free", link.name);
        model.freedoms.push(Freedom::new(name, FreedomKind::Free));
        notes.approximate("fixed body moves freely, as asked for", &link.name);
    }
}

/// Fixes the links that are free where they stand.
fn fix(model: &mut Model, notes: &mut Notes) {
    for link in model.links.iter_mut().filter(|link| link.parent.is_none()) {
        let free = |own: &&usize| model.freedoms[**own].kind == FreedomKind::Free;
        let Some(freedom) = link.freedoms.iter().find(free).copied() else {
            continue;
        };
        link.freedoms.retain(|own| *own != freedom);
        link.place = model.freedoms[freedom].pose.unwrap_or(link.place);
        notes.approximate("free body fixed where it stands, as asked for", &link.name);
    }
}

/// The README's example is tested like any other.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
