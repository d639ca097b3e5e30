//! The builders behind files: what derives their numbers.

use linkwork::world::World;

use super::{SceneError, looks, table};
use crate::fault::Fault;
use crate::scene::Scene;
use crate::{baraff, characters, describe, faure, mechanisms, write};

type Build = fn() -> Result<World, linkwork::Error>;

/// Name and builder of every file that is not written by hand.
const DERIVED: &[(&str, Build)] = &[
    ("four-bar", mechanisms::four_bar),
    ("bricard", mechanisms::bricard),
    ("bennett", mechanisms::bennett),
    ("sarrus", mechanisms::sarrus),
    ("andrews", mechanisms::andrews),
    ("andrews-3d", mechanisms::andrews_3d),
    ("dumbbell", mechanisms::dumbbell),
    ("baraff-fig2", mechanisms::baraff_fig2),
    ("baraff-127", baraff::structure_127),
    ("baraff-chains-108", baraff::chains_108),
    ("baraff-chains-96-12", baraff::chains_96_12),
    ("heavy-top", mechanisms::heavy_top),
    ("double-pendulum", mechanisms::double_pendulum),
    ("peaucellier", mechanisms::peaucellier),
    ("peaucellier-driven", mechanisms::peaucellier_driven),
    ("jansen", mechanisms::jansen),
    ("jansen-walker", mechanisms::jansen_walker),
    ("chebyshev", mechanisms::chebyshev_lambda),
    ("hoecken", mechanisms::chebyshev_lambda),
    ("chebyshev-crossed", mechanisms::chebyshev_crossed),
    ("watt", mechanisms::watt),
    ("scotch-yoke", mechanisms::scotch_yoke),
    ("hooke", mechanisms::hooke),
    ("double-hooke", mechanisms::double_hooke),
    ("stewart", mechanisms::stewart),
    ("stewart-driven", mechanisms::stewart_driven),
    ("plate-on-strings", mechanisms::plate_on_strings),
    ("humanoid", characters::humanoid),
    ("three-characters", characters::three_characters),
    ("three-characters-torn", characters::three_characters_torn),
    ("bar-between-discs", faure::bar_between_discs),
    ("structure-56", faure::structure_56),
    ("shaken-plate", faure::shaken_plate),
    ("sea-weeds", faure::sea_weeds),
    ("string-pendulum", faure::string_pendulum),
];

/// The names alone: a program that only asks for these need not have the builders in it.
static NAMES: [&str; DERIVED.len()] = {
    let mut names = [""; DERIVED.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = DERIVED[index].0;
        index += 1;
    }
    names
};

/// Whether a file has a builder.
pub(super) fn is_derived(name: &str) -> bool {
    NAMES.contains(&name)
}

/// The scene of a file, made by its builder anew; `None` for files that are written by hand.
pub fn derive(name: &str) -> Option<Result<Scene, SceneError>> {
    let (_, build) = DERIVED.iter().find(|(own, _)| *own == name)?;
    let why = table::SCENES.iter().find(|entry| entry.name == name)?.why;
    Some(
        build()
            .map_err(SceneError::from)
            .and_then(|world| looks::dressed_for_file(name, why, world)),
    )
}

/// The text of a file, made by its builder anew.
pub fn derived_text(scene: &Scene) -> Result<String, Fault> {
    let mut document = describe(scene)?;
    document.schema = Some("linkwork.schema.json".into());
    write::text(&document)
}
