//! Random edits, drags and steps: the log replays, undo goes all the way back.

use linkwork::prelude::Simulator;
use linkwork_scene::command::{Command, replay};
use linkwork_scene::{load, save};

use crate::{command, session};

/// A small generator of numbers: what is random here is the same on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % sides
    }
    fn length(&mut self) -> f64 {
        self.roll(2001) as f64 / 1000.0 - 1.0
    }
}

/// Some command; many are refused, which is as good a test.
fn some(dice: &mut Dice, frame: u64) -> Command {
    let (a, b) = (dice.roll(5), dice.roll(5));
    let (x, y, z) = (dice.length(), dice.length(), dice.length());
    let mass = 0.1 + dice.roll(30) as f64 / 10.0;
    let line = match dice.roll(23) {
        0 => format!(
            r#"{{"add_body": {{"name": "new {frame}", "type": "sphere", "radius": 0.1, "mass": {mass}, "position": [{x}, {y}, {z}]}}}}"#
        ),
        1 => format!(r#"{{"remove_body": "bar {a}"}}"#),
        2 => format!(
            r#"{{"set_body": {{"name": "bar {a}", "type": "rod", "length": 1, "radius": 0.05, "mass": {mass}}}}}"#
        ),
        3 => format!(
            r#"{{"join": {{"name": "link {frame}", "type": "ball", "a": "bar {a}", "b": "bar {b}", "close_over": 0.3, "level": 1}}}}"#
        ),
        4 => format!(
            r#"{{"join": {{"name": "link {frame}", "type": "spring", "a": "bar {a}", "b": "bar {b}", "stiffness": 40, "damping": 3, "rest_length": 1}}}}"#
        ),
        5 => format!(r#"{{"detach": "joint {a}"}}"#),
        6 => format!(
            r#"{{"set_joint": {{"name": "joint {a}", "type": "hinge", "a": "bar {a}", "b": "bar {b}", "axis": [0, 1, 0], "level": 1}}}}"#
        ),
        7 => format!(r#"{{"set_world": {{"gravity": [{x}, {y}, -9.81]}}}}"#),
        8 => format!(
            r#"{{"grab": {{"name": "hand {a}", "held": {{"body": "bar {b}", "point": [0.2, 0, 0]}}, "drag": {{"type": "force", "stiffness": 30, "damping": 5}}}}}}"#
        ),
        9 => format!(r#"{{"drag": {{"hand": "hand {a}", "goal": [{x}, {y}, {z}]}}}}"#),
        10 => format!(r#"{{"release": "hand {a}"}}"#),
        11 => r#""undo""#.to_owned(),
        12 => r#""redo""#.to_owned(),
        13 => format!(
            r#"{{"add_connector": {{"name": "point {frame}", "body": "bar {a}", "point": [{x}, 0, 0]}}}}"#
        ),
        14 => format!(r#"{{"put": {{"body": "new {a}", "position": [{x}, {y}, {z}]}}}}"#),
        15 => r#"{"pose": {}}"#.to_owned(),
        16 => format!(
            r#"{{"resize": {{"name": "bar {a}", "type": "rod", "length": {mass}, "radius": 0.05, "mass": {mass}}}}}"#
        ),
        17 => r#"{"assemble": {"iterations": 20}}"#.to_owned(),
        18 => r#""reset""#.to_owned(),
        19 => format!(r#"{{"rewind": {{"time": {}}}}}"#, 0.01 * a as f64),
        20 => format!(
            r#"{{"rename": {{"kind": "{}", "name": "bar {a}", "to": "bar {b}'"}}}}"#,
            ["body", "joint"][a as usize % 2]
        ),
        _ => r#"{"step": {"dt": 0.01}}"#.to_owned(),
    };
    command(&line)
}

#[test]
fn random_sessions_replay_and_undo() {
    for seed in 0..12 {
        let mut dice = Dice(seed);
        let mut session = session("chain:4");
        let start = save(session.scene()).unwrap();
        let mut refused = 0;
        for frame in 0..60 {
            let command = some(&mut dice, frame);
            let before = save(session.scene()).unwrap();
            if session.apply(&command).is_err() {
                refused += 1;
                assert_eq!(
                    save(session.scene()).unwrap(),
                    before,
                    "{seed}: {command:?}"
                );
            }
        }
        assert!(refused < 50, "{seed}: {refused} of 60 were refused");
        let log = session.to_log().unwrap();
        let again = replay(&log).unwrap_or_else(|fault| panic!("{seed}: {fault}\n{log}"));
        let (one, two) = (save(session.scene()).unwrap(), save(again.scene()).unwrap());
        assert_eq!(one, two, "{seed}");
        // Where no hand stands between the bodies, the file is the same world too.
        let world = &session.scene().world;
        if world.grips().is_empty() {
            let mut loaded = load(&one).unwrap();
            assert_eq!(loaded.world.state_hash(), world.state_hash(), "{seed}");
            let mut kept = session.scene().clone();
            let options = kept.options;
            let stepped = [
                Simulator::new().step(&mut kept.world, &options).is_ok(),
                Simulator::new().step(&mut loaded.world, &options).is_ok(),
            ];
            assert_eq!(stepped[0], stepped[1], "{seed}");
            assert_eq!(kept.world.state_hash(), loaded.world.state_hash(), "{seed}");
        }
        // All the way back: what was said at the start is said again, wherever things are now.
        while session.depth().0 > 0 {
            if session.apply(&Command::Undo).is_err() {
                break;
            }
        }
        if session.depth().0 == 0 {
            let labels = |text: &str| -> Vec<String> {
                let scene = load(text).unwrap();
                let bodies = scene.world.bodies().iter().map(|r| r.label().to_owned());
                let joints = scene
                    .world
                    .constraints()
                    .iter()
                    .map(|r| r.label().to_owned());
                let names: Vec<_> = bodies.chain(joints).collect();
                names
                    .into_iter()
                    .filter(|name| !name.starts_with("hand"))
                    .collect()
            };
            assert_eq!(
                labels(&save(session.scene()).unwrap()),
                labels(&start),
                "{seed}"
            );
        }
    }
}
