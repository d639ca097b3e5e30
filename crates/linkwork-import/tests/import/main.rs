//! Robots from other programs: each feature on a model small enough to compute by hand, real robots
//! where their files are there, and input that nobody should send.

#![allow(clippy::unwrap_used)]

mod bad_input;
mod contact;
mod given;
mod meshes;
mod mjcf;
mod points;
mod recorded;
mod robots;
mod urdf;

use linkwork::prelude::*;
use linkwork_import::{ImportOptions, Imported, import_text};
use linkwork_scene::Scene;
use linkwork_scene::format::{BodyEntry, Document, JointEntry};

fn read(text: &str) -> Imported {
    read_with(text, &ImportOptions::default())
}

fn read_with(text: &str, options: &ImportOptions) -> Imported {
    import_text(text, None, options).unwrap_or_else(|fault| panic!("{fault}"))
}

fn build(imported: &Imported) -> Scene {
    linkwork_scene::build(&imported.document).unwrap_or_else(|fault| panic!("{fault}"))
}

fn body<'a>(document: &'a Document, name: &str) -> &'a BodyEntry {
    let found = document.bodies.iter().find(|body| body.name == name);
    found.unwrap_or_else(|| panic!("no body {name}"))
}

fn joint<'a>(document: &'a Document, name: &str) -> &'a JointEntry {
    let found = document.joints.iter().find(|joint| joint.name == name);
    found.unwrap_or_else(|| panic!("no joint {name}: {:?}", document.joints))
}

/// Acceleration of a body's origin and its angular acceleration.
fn acceleration(imported: &Imported, name: &str) -> [f64; 6] {
    let world = build(imported).world;
    let mut simulator = Simulator::new();
    let solution = simulator.accelerations(&world, Method::Direct).clone();
    let id = world
        .find_body(name)
        .unwrap_or_else(|| panic!("no body {name}"));
    let all = world.connector_acceleration(&id.frame_at([0.0; 3]), &solution.motion);
    all.unwrap().try_into().unwrap()
}

fn assert_close(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().zip(b) {
        assert!(
            (x - y).abs() <= tolerance * (1.0 + y.abs()),
            "{a:?} is not {b:?}"
        );
    }
}

/// Whether a list of the report has a line with all of these words.
fn says(list: &[String], words: &[&str]) -> bool {
    list.iter()
        .any(|line| words.iter().all(|word| line.contains(word)))
}
