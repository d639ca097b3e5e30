//! MJCF: nested bodies with joints, default classes, and equalities.
//!
//! | file         | what it reads                                     |
//! |--------------|---------------------------------------------------|
//! | `actuator`   | `<actuator>`: motors                              |
//! | `compiler`   | `<compiler>`, and orientations as it says         |
//! | `defaults`   | `<default>` classes                               |
//! | `body`       | `<worldbody>`: bodies, joints, inertials          |
//! | `geom`       | shapes, their masses and pictures                 |
//! | `fitted`     | shapes that are fitted to meshes                  |
//! | `equality`   | `<equality>`                                      |
//! | `tendon`     | `<tendon>`: springs, and sums of joints           |
//! | `keyframe`   | `<keyframe>`: where to start                      |

use std::collections::BTreeMap;

use linkwork::body::Pose;
use linkwork_scene::Fault;

use crate::mesh::Meshes;
use crate::model::Model;
use crate::names::Names;
use crate::report::Notes;
use crate::shapes::color;
use crate::xml::Element;

mod actuator;
mod body;
mod compiler;
mod defaults;
mod equality;
mod fitted;
mod geom;
mod height_field;
mod keyframe;
mod tendon;

use compiler::Compiler;
use defaults::Defaults;

/// A sum of freedoms, each with its coefficient.
type Sum = Vec<(usize, f64)>;

/// What is known of a model while it is read.
struct Reader<'a, 'm> {
    meshes: &'m mut Meshes,
    /// Fixed tendons by name: joints with their coefficients, and whether joints are coupled by it.
    tendons: BTreeMap<&'a str, (Sum, bool)>,
    /// `<mesh>` assets by name.
    assets: BTreeMap<String, &'a Element>,
    /// `<hfield>` assets by name.
    fields: BTreeMap<String, &'a Element>,
    /// The link of what stands in the world.
    ground: Option<usize>,
    compiler: Compiler,
    defaults: Defaults<'a>,
    /// Colors of materials.
    materials: BTreeMap<&'a str, String>,
    model: Model,
    /// Sites by name: the link (none: the world) and the pose on it.
    sites: BTreeMap<&'a str, (Option<usize>, Pose)>,
    /// Names of links and of freedoms.
    links: Names,
    joints: Names,
    /// Bodies so far, for names of those that have none.
    n_bodies: usize,
}

/// Reads the model of a `<mujoco>`.
pub(crate) fn read(
    model: &Element,
    keyframe: Option<&str>,
    meshes: &mut Meshes,
    notes: &mut Notes,
) -> Result<Model, Fault> {
    let mut reader = Reader {
        meshes,
        tendons: BTreeMap::new(),
        assets: BTreeMap::new(),
        fields: BTreeMap::new(),
        ground: None,
        compiler: Compiler::of(model)?,
        defaults: Defaults::of(model)?,
        materials: BTreeMap::new(),
        model: Model {
            name: model.text("model").map(str::to_owned),
            gravity: [0.0, 0.0, -9.81],
            ..Model::default()
        },
        sites: BTreeMap::new(),
        links: Names::of_bodies(),
        joints: Names::default(),
        n_bodies: 0,
    };
    for option in model.all("option") {
        if let Some(gravity) = option.array("gravity")? {
            reader.model.gravity = gravity;
        }
        for flag in option.all("flag") {
            if flag.text("gravity") == Some("disable") {
                reader.model.gravity = [0.0; 3];
            }
        }
    }
    for asset in model.all("asset") {
        for mesh in asset.children.iter().filter(|own| own.tag == "mesh") {
            if let Some(name) = geom::name_of(mesh) {
                reader.assets.insert(name, mesh);
            }
        }
        for field in asset.children.iter().filter(|own| own.tag == "hfield") {
            if let Some(name) = geom::name_of(field) {
                reader.fields.insert(name, field);
            }
        }
        for material in asset.all("material") {
            let rgba = material.numbers("rgba")?;
            if let (Some(name), Some(rgba)) = (material.text("name"), rgba)
                && let Some(own) = color(&rgba)
            {
                reader.materials.insert(name, own);
            }
        }
    }
    for world in model.all("worldbody") {
        reader.world(world, notes)?;
    }
    for tendons in model.all("tendon") {
        reader.tendons(tendons, notes)?;
    }
    for equalities in model.all("equality") {
        reader.equalities(equalities, notes)?;
    }
    for contact in model.all("contact") {
        for exclude in contact.all("exclude") {
            exclude.skip("name");
            let sides = [exclude.need("body1")?, exclude.need("body2")?];
            match sides.map(|own| reader.model.link(own)) {
                [Some(a), Some(b)] => reader.model.excluded.push([a, b]),
                _ => notes.refuse("<exclude> of a body that is not there", sides.join(" and ")),
            }
        }
    }
    for actuators in model.all("actuator") {
        reader.actuators(actuators, notes)?;
    }
    reader.slack(notes);
    reader.keyframe(model, keyframe, notes)?;
    let model = reader.model;
    notes.count(model.links.len(), "body", "bodies");
    notes.count(model.freedoms.len(), "joint", "joints");
    notes.count(model.closures.len(), "closure", "closures");
    notes.count(model.followers.len(), "joint equality", "joint equalities");
    Ok(model)
}
