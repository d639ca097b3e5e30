//! Accelerations of an imported robot at a pose, as JSON: for comparison with other programs.
//!
//! ```text
//! forward_dynamics MODEL [--fixed | --floating] [--no-loops] [--no-armature] [--merge] [--lossy]
//!                  [--meshes DIR] [--keyframe NAME] [--start FILE.json] [--assemble] [--method NAME] [--report]
//! ```
//!
//! The file of `--start` has `coordinates` and `rates` by joint, as [`ImportOptions`] takes them.
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;

use linkwork::prelude::*;
use linkwork_import::{Base, ImportOptions, import};
use serde::Deserialize;
use serde_json::{Map, json};

#[derive(Deserialize)]
struct Start {
    #[serde(default)]
    coordinates: BTreeMap<String, Vec<f64>>,
    #[serde(default)]
    rates: BTreeMap<String, Vec<f64>>,
}

fn main() -> Result<(), Box<dyn Error>> {
    // What peers compute without contacts and limits.
    let mut options = ImportOptions {
        limits: false,
        motors: false,
        contacts: false,
        ..ImportOptions::default()
    };
    let (mut model, mut assemble, mut report) = (None, false, false);
    let mut method = Method::Direct;
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--fixed" => options.base = Base::Fixed,
            "--floating" => options.base = Base::Floating,
            "--no-loops" => options.loops = false,
            "--no-armature" => options.armature = false,
            "--lossy" => options.lossy = true,
            "--meshes" => options.meshes = words.next().map(PathBuf::from),
            "--merge" => options.merge_fixed = true,
            "--keyframe" => options.keyframe = words.next(),
            "--assemble" => assemble = true,
            "--report" => report = true,
            "--method" => {
                let name = words.next().ok_or("--method needs a name")?;
                let mut all = Method::ALL.into_iter();
                method = all.find(|own| own.name() == name).ok_or("no such method")?;
            }
            "--start" => {
                let file = words.next().ok_or("--start needs a file")?;
                let start: Start = serde_json::from_str(&std::fs::read_to_string(file)?)?;
                (options.coordinates, options.rates) = (start.coordinates, start.rates);
            }
            _ => model = Some(PathBuf::from(word)),
        }
    }
    let imported = import(&model.ok_or("give a model")?, &options)?;
    if report {
        println!("{}", imported.report);
        return Ok(());
    }
    let mut world = linkwork_scene::build(&imported.document)?.world;
    let mut simulator = Simulator::new();
    if assemble {
        simulator.assemble(&mut world, &AssembleOptions::default())?;
    }
    let solution = simulator.accelerations(&world, method).clone();
    let mut bodies = Map::new();
    for record in world.bodies() {
        let Some(pose) = world
            .pose(record.id())?
            .filter(|_| record.q_range().len() == 7)
        else {
            continue;
        };
        let origin = record.id().frame_at([0.0; 3]);
        let acceleration = world.connector_acceleration(&origin, &solution.motion)?;
        bodies.insert(
            record.label().to_owned(),
            json!({
                "position": pose.position,
                "quaternion": pose.rotation,
                "acceleration": &acceleration[..3],
                "angular_acceleration": &acceleration[3..],
            }),
        );
    }
    println!("{}", json!({ "bodies": bodies }));
    Ok(())
}
