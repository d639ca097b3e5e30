//! Accelerations that other programs gave: Pinocchio for the URDF, MuJoCo for the MJCF.
//!
//! `docs/import-check/compare.py --record` wrote them; no test needs these programs.

use std::collections::BTreeMap;
use std::path::Path;

use linkwork::prelude::*;
use linkwork_import::{Base, ImportOptions, import};
use serde::Deserialize;

use super::build;

#[derive(Deserialize)]
struct Recorded {
    model: String,
    flags: Vec<String>,
    coordinates: BTreeMap<String, Vec<f64>>,
    rates: BTreeMap<String, Vec<f64>>,
    /// Of the origins of bodies, and angular.
    accelerations: BTreeMap<String, [f64; 6]>,
}

#[test]
fn accelerations_are_those_that_were_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/import/recorded");
    let text = std::fs::read_to_string(folder.join("accelerations.json")).unwrap();
    let recorded: Vec<Recorded> = serde_json::from_str(&text).unwrap();
    assert_eq!(recorded.len(), 20);
    for own in recorded {
        let has = |flag: &str| own.flags.iter().any(|word| word == flag);
        let options = ImportOptions {
            base: if has("--floating") {
                Base::Floating
            } else {
                Base::AsGiven
            },
            armature: !has("--no-armature"),
            limits: false,
            motors: false,
            contacts: false,
            coordinates: own.coordinates,
            rates: own.rates,
            ..ImportOptions::default()
        };
        let imported = import(&folder.join(&own.model), &options).unwrap();
        let world = build(&imported).world;
        let mut simulator = Simulator::new();
        let solution = simulator.accelerations(&world, Method::Direct).clone();
        let (mut off, mut most) = ([0.0_f64; 2], [1.0_f64; 2]);
        for (name, theirs) in &own.accelerations {
            let Some(id) = world.find_body(name) else {
                panic!("{}: no body {name}", own.model);
            };
            let origin = id.frame_at([0.0; 3]);
            let mine = world
                .connector_acceleration(&origin, &solution.motion)
                .unwrap();
            for (k, (mine, theirs)) in mine.iter().zip(theirs).enumerate() {
                off[k / 3] = off[k / 3].max((mine - theirs).abs());
                most[k / 3] = most[k / 3].max(theirs.abs());
            }
        }
        // Points and plain joints are exact, carriers have 1e-9 of the mass.
        let tolerance = if own.model == "points.urdf" {
            1e-11
        } else {
            1e-8
        };
        for (off, most) in off.iter().zip(most) {
            assert!(*off < tolerance * most, "{}: {off:e} of {most}", own.model);
        }
    }
}
