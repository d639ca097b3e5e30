//! Files and logs that an earlier version wrote still load and replay to the same bits.
//!
//! `recorded.txt` has three FNV-1a hashes for each: of q, v and λ, as that version left them 40 steps
//! after loading a scene, or at the end of a log. A log has the state's hash in its last line, which
//! may mix the state otherwise in another version: it is passed over here. Never write these files
//! anew: they stand for those that people have. A hash may change where arithmetic was changed on purpose and
//! the changelog says so: that of `plane.json` did when pins in the plane got formulas of their own, by 7e-12 m, and
//! that of `grips.jsonl` when what a hand pulls taut got whole steps, by 2e-15 m. Those of `budgets.jsonl` and
//! `puppet.jsonl`, which iterate, did when each constraint got to meet the tolerance: by up to 1.2 in a coordinate,
//! where solves are asked for 1e-4 only and most frames are cut short, and by 4e-4; and again, with `budget.json`, when
//! frames within a budget got to go on from the last multipliers. Those of `soft.json` and `assembly.jsonl`, on
//! `forest-dense`, did by round-off when its matrix got to be found by forward sweeps.

#![allow(clippy::unwrap_used)]

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use linkwork::prelude::*;
use linkwork::world::State;
use linkwork_scene::command::{Line, Session, lines};
use linkwork_scene::load;

/// Steps after loading a scene.
const STEPS: usize = 40;

/// A test for each file.
macro_rules! kept {
    ($($test:ident $file:literal)*) => {
        /// Every file, in the order of the record.
        const FILES: &[&str] = &[$($file),*];

        $(
            #[test]
            fn $test() {
                check($file);
            }
        )*
    };
}

kept! {
    scene_everything "everything.json"
    scene_budget "budget.json"
    scene_soft "soft.json"
    scene_first_order "first-order.json"
    scene_plane "plane.json"
    log_edits "edits.jsonl"
    log_grips "grips.jsonl"
    log_budgets "budgets.jsonl"
    log_assembly "assembly.jsonl"
    log_puppet "puppet.jsonl"
    log_parameters "parameters.jsonl"
}

#[test]
fn every_kept_file_is_checked() {
    let mut found: Vec<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains(".json"))
        .collect();
    found.sort();
    let mut listed = FILES.to_vec();
    listed.sort_unstable();
    assert_eq!(found, listed);
}

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kept"))
}

fn check(file: &str) {
    let text = fs::read_to_string(folder().join(file)).unwrap();
    let state = if file.ends_with(".jsonl") {
        replayed(&text)
    } else {
        stepped(&text)
    };
    let mut now = file.to_owned();
    for part in [&state.q, &state.v, &state.lambda] {
        write!(now, " {:016x}", hash(part)).unwrap();
    }
    let recorded = fs::read_to_string(folder().join("recorded.txt")).unwrap();
    let mut recorded = recorded.lines();
    let was = recorded.find(|line| line.split(' ').next() == Some(file));
    assert_eq!(was, Some(now.as_str()), "file, q, v, λ");
}

/// Loads a saved scene and goes on.
fn stepped(text: &str) -> State {
    let mut scene = load(text).unwrap();
    let mut simulator = Simulator::new();
    for _ in 0..STEPS {
        simulator.step(&mut scene.world, &scene.options).unwrap();
    }
    scene.world.state().clone()
}

/// Does again what a log has.
fn replayed(log: &str) -> State {
    let mut session: Option<Session> = None;
    for line in lines(log) {
        match line.unwrap().1 {
            Line::Scene(document) => {
                let scene = linkwork_scene::build(&document).unwrap();
                session = Some(Session::new(scene).unwrap());
            }
            Line::Command(command) => {
                session.as_mut().unwrap().apply(&command).unwrap();
            }
            Line::Hash(_) => {}
        }
    }
    session.unwrap().scene().world.state().clone()
}

/// FNV-1a over the bytes.
fn hash(values: &[f64]) -> u64 {
    let bytes = values
        .iter()
        .flat_map(|value| value.to_bits().to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
