//! While time stands, undo gives back the state to the last bit: whatever was edited, and whatever the lab closed
//! after it.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod dice;

use dice::Dice;
use linkwork_scene::command::replay;
use linkwork_scene::library;
use linkwork_wasm::Laboratory;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const UNDO: &str = r#""undo""#;
const REDO: &str = r#""redo""#;

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Edits that can be taken back.
fn depth(lab: &mut Laboratory) -> u64 {
    value(&lab.report().unwrap())["undo"].as_u64().unwrap()
}

/// One edit as the lab makes it: what it opens is closed at once.
fn edit(lab: &mut Laboratory, command: &str) -> bool {
    let is_done = lab.apply(command).is_ok();
    if is_done {
        lab.settle().unwrap();
    }
    is_done
}

/// A drag while time stands, as the pointer sends it: it ends with a joint, or with nothing.
fn drag(lab: &mut Laboratory, dice: &mut Dice, join: Option<String>) -> bool {
    let scene = lab.scene();
    let bodies = scene.world.bodies();
    let Some(body) = bodies.get(dice.roll(bodies.len().max(1))) else {
        return false;
    };
    let grab = json!({ "grab": { "name": "pointer", "held": { "body": body.label() }, "drag": { "type": "follow" } } });
    let mut goal: Vec<f64> = body
        .q_range()
        .take(3)
        .map(|k| scene.world.state().q[k])
        .collect();
    let before = (depth(lab), lab.state_hash());
    if lab.apply(&grab.to_string()).is_err() {
        assert_eq!((depth(lab), lab.state_hash()), before);
        return false;
    }
    let mut is_aimed = false;
    for _ in 0..2 {
        for x in &mut goal {
            *x += 0.1 * dice.length();
        }
        // In the plane a goal has two numbers.
        for n in [3, 2] {
            let goal = &goal[..n.min(goal.len())];
            let aim = json!({ "drag": { "hand": "pointer", "goal": goal } });
            if lab.apply(&aim.to_string()).is_ok() {
                is_aimed = true;
                break;
            }
        }
        // A pose that is refused leaves everything as it was, which is asked of its undo too.
        let before = lab.state_hash();
        if lab.apply(r#"{"pose": {"iterations": 20}}"#).is_err() {
            assert_eq!(lab.state_hash(), before);
        }
    }
    if let Some(join) = join {
        let _ = lab.apply(&join);
    }
    lab.apply(r#"{"release": "pointer"}"#).unwrap();
    let after = (depth(lab), lab.state_hash());
    assert!(after.0 > before.0 || after == before, "nothing was moved");
    lab.settle().unwrap();
    is_aimed
}

/// Random edits, and all of them taken back and done again: every hash on the way is the one that was there.
/// Returns how many: fewer where they take longer than `time`.
fn check(name: &str, n_edits: usize, time: Duration) -> usize {
    let start = Instant::now();
    let mut lab = Laboratory::open(name).unwrap();
    let mut dice = Dice(7);
    // A scene at rest has nothing but zeros to give back.
    for _ in 0..2 {
        lab.step(None).unwrap();
    }
    let mut hashes = vec![lab.state_hash()];
    for attempt in 0..20 * n_edits {
        if hashes.len() > n_edits || start.elapsed() > time {
            break;
        }
        let before = depth(&mut lab);
        let turn = dice.roll(8);
        let is_done = match turn {
            0 => {
                let join = (dice.roll(2) == 0)
                    .then(|| dice.join(&lab, attempt))
                    .flatten();
                drag(&mut lab, &mut dice, join)
            }
            1 => edit(&mut lab, r#"{"assemble": {}}"#),
            _ => match dice.edit(&lab, attempt) {
                Some(command) => edit(&mut lab, &command),
                None => false,
            },
        };
        let after = depth(&mut lab);
        assert!(after <= before + 1, "{name}: one edit, one undo");
        if after > before {
            hashes.push(lab.state_hash());
        } else if turn <= 1 {
            // An assembly after an edit is a part of it; a drag that moves nothing ends with one, too.
            *hashes.last_mut().unwrap() = lab.state_hash();
        } else {
            assert_eq!(Some(&lab.state_hash()), hashes.last(), "{name} {is_done}");
        }
    }
    let n = hashes.len() - 1;
    assert!(n == n_edits || start.elapsed() > time, "{name}: {n} edits");
    for k in (0..n).rev() {
        lab.apply(UNDO).unwrap();
        lab.settle().unwrap();
        assert_eq!(
            lab.state_hash(),
            hashes[k],
            "{name}: undo of edit {k} of {n}"
        );
    }
    assert_eq!(depth(&mut lab), 0, "{name}");
    for (k, hash) in hashes.iter().enumerate().skip(1) {
        lab.apply(REDO).unwrap();
        lab.settle().unwrap();
        assert_eq!(&lab.state_hash(), hash, "{name}: edit {k} of {n} again");
    }
    if n <= 25 {
        let log = lab.log().unwrap();
        replay(&log).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    }
    n
}

/// So many tests share the scenes, and run side by side.
const PARTS: usize = 4;

/// Sixty edits where they are cheap, fewer where a single one takes long, or as many of every scene as
/// `LINKWORK_UNDO_EDITS` says: 200 are recorded in `bench/recorded/undo.txt`. `LINKWORK_UNDO_SECONDS` ends the edits
/// of a scene, `LINKWORK_UNDO_SCENES` names the scenes.
fn edits_are_taken_back_to_the_bit(part: usize) {
    let own = |name| std::env::var(name).ok();
    let asked: Option<usize> = own("LINKWORK_UNDO_EDITS").map(|own| own.parse().unwrap());
    let seconds: Option<u64> = own("LINKWORK_UNDO_SECONDS").map(|own| own.parse().unwrap());
    let time = seconds.map_or(Duration::MAX, Duration::from_secs);
    let scenes = own("LINKWORK_UNDO_SCENES");
    for listing in library::list().skip(part).step_by(PARTS) {
        if (scenes.as_ref()).is_some_and(|scenes| scenes.split(' ').all(|own| own != listing.small))
        {
            continue;
        }
        let lab = Laboratory::open(listing.small).unwrap();
        // Velocities: three bodies, seven, thirty.
        let few = match lab.scene().world.state().v.len() {
            ..=18 => 60,
            19..=42 => 12,
            43..=180 => 4,
            _ => 2,
        };
        let n = check(listing.small, asked.unwrap_or(few), time);
        if asked.is_some() {
            println!("{}: {n} edits", listing.small);
        }
    }
}

#[test]
fn edits_of_the_first_part_of_scenes_are_taken_back() {
    edits_are_taken_back_to_the_bit(0);
}

#[test]
fn edits_of_the_second_part_of_scenes_are_taken_back() {
    edits_are_taken_back_to_the_bit(1);
}

#[test]
fn edits_of_the_third_part_of_scenes_are_taken_back() {
    edits_are_taken_back_to_the_bit(2);
}

#[test]
fn edits_of_the_last_part_of_scenes_are_taken_back() {
    edits_are_taken_back_to_the_bit(PARTS - 1);
}

/// Found in the lab: loops that an undone size had opened were closed in another branch.
#[test]
fn a_size_that_is_taken_back_leaves_no_other_branch() {
    for (name, body) in [
        ("four-bar", "crank"),
        ("peaucellier", ""),
        ("tinkertoy", ""),
        ("jansen", ""),
        ("scissor:3", ""),
        ("umbrella:6", ""),
    ] {
        let mut lab = Laboratory::open(name).unwrap();
        let names: Vec<String> = lab
            .scene()
            .world
            .bodies()
            .iter()
            .map(|own| own.label().to_owned())
            .collect();
        let mut n = 0;
        for own in names.iter().filter(|own| body.is_empty() || *own == body) {
            let before = (lab.state_hash(), lab.affine_poses().to_vec());
            for factor in [1.3, 0.7] {
                let Some(resize) = dice::resize(&lab, own, factor) else {
                    continue;
                };
                if !edit(&mut lab, &resize) {
                    continue;
                }
                n += 1;
                let after = lab.state_hash();
                edit(&mut lab, UNDO);
                assert_eq!(lab.state_hash(), before.0, "{name} {own}");
                assert_eq!(lab.affine_poses(), before.1, "{name} {own}");
                edit(&mut lab, REDO);
                assert_eq!(lab.state_hash(), after, "{name} {own}");
                edit(&mut lab, UNDO);
            }
        }
        assert!(n > 0, "{name}");
    }
}
