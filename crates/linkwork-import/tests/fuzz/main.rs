//! Hostile input: robots that were broken at random, byte by byte and tag by tag.
//!
//! Nothing may panic, hang or eat memory. A few seconds by default;
//! `LINKWORK_FUZZ_SECONDS=600 cargo test --release --test fuzz` is a long run.

#![allow(clippy::unwrap_used)]

#[path = "../../../linkwork-scene/tests/fuzz/harness.rs"]
mod harness;

use harness::fuzz;
use linkwork_import::{ImportOptions, import_text};
use linkwork_scene::save;

#[test]
fn robots() {
    let seeds = [include_str!("robot.urdf"), include_str!("robot.xml")];
    let options = ImportOptions::default();
    fuzz("robots", &seeds.map(str::to_owned), |text| {
        let Ok(imported) = import_text(text, None, &options) else {
            return false;
        };
        // What is imported can be built, or is refused by name; never half.
        if let Ok(scene) = linkwork_scene::build(&imported.document) {
            save(&scene).unwrap_or_else(|fault| panic!("{fault}: {text}"));
        }
        true
    });
}
