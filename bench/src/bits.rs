//! `bits`: fingerprints of where scenes are after many steps, to compare two builds bit by bit.

use std::fmt::Write;
use std::path::Path;

use linkwork::prelude::*;
use linkwork::solve::Krylov;
use linkwork::world::{BodyRecord, GripId, State};
use linkwork_scene::library;

use crate::preset::parse_presets;

/// Frames of the wide runs: short, because there are many.
const WIDE_STEPS: usize = 40;

/// One line a run: its name, then a hash of t, q, v, λ and the sub-step, in this order.
pub(crate) fn run(
    steps: usize,
    wide: bool,
    scenes: &[String],
    against: Option<&Path>,
) -> Result<String, String> {
    let mut lines = vec![];
    for listing in library::list() {
        let name = listing.small;
        if !scenes.is_empty() && !scenes.iter().any(|asked| asked == name) {
            continue;
        }
        let scene = library::open(name).map_err(|error| error.to_string())?;
        lines.push(fingerprint(
            name,
            scene.world.clone(),
            &scene.options,
            steps,
            |_, _| {},
        ));
        if wide {
            widen(name, &scene, &mut lines)?;
        }
    }
    let Some(path) = against else {
        return Ok(lines.join("\n"));
    };
    let recorded = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    compare(&recorded, &lines, 1)
}

/// Every scheme, every method, budgets, and hands in every dynamics.
fn widen(name: &str, scene: &linkwork_scene::Scene, lines: &mut Vec<String>) -> Result<(), String> {
    let (world, dt) = (&scene.world, scene.options.dt);
    let schemes = "precise:1e-6,symplectic4,euler,symplectic-euler+baumgarte,rk4+none,\
                   stoermer+feedback,faure1998";
    for preset in parse_presets(schemes)? {
        let options = preset.options(dt);
        let run = format!("{name}/{}", preset.name);
        lines.push(fingerprint(
            &run,
            world.clone(),
            &options,
            WIDE_STEPS,
            |_, _| {},
        ));
    }
    for method in Method::ALL {
        let options = StepOptions::interactive(dt).by(method);
        let run = format!("{name}/{}", method.name());
        lines.push(fingerprint(
            &run,
            world.clone(),
            &options,
            WIDE_STEPS,
            |_, _| {},
        ));
    }
    for method in [
        Method::ForestKrylov(Krylov::default()),
        Method::NormalCg(Krylov::default()),
        Method::Direct,
    ] {
        for dynamics in [
            Dynamics::SecondOrder,
            Dynamics::FirstOrder,
            Dynamics::Assembly,
        ] {
            for drag in [None, Some("follow"), Some("pin"), Some("force")] {
                for iterations in [5, usize::MAX] {
                    let budget = Budget::default().with_max_iterations(iterations);
                    let options = StepOptions::interactive(dt).by(method).within(budget);
                    let run = format!(
                        "{name}/{}/{dynamics:?}/{}/{iterations}",
                        method.name(),
                        drag.unwrap_or("free"),
                    );
                    let mut world = world.clone();
                    world.set_dynamics(dynamics);
                    let grip = drag.and_then(|drag| grab(&mut world, drag));
                    let start = grip.map(|(_, start)| start).unwrap_or_default();
                    lines.push(fingerprint(
                        &run,
                        world,
                        &options,
                        WIDE_STEPS,
                        |world, step| {
                            let Some((grip, _)) = grip else { return };
                            // A hand that pulls sideways for half of the run, then rests.
                            let part = step.min(WIDE_STEPS / 2) as f64 / WIDE_STEPS as f64;
                            let goal = [start[0] + 0.2 * part, start[1] + 0.3 * part, start[2]];
                            let _ = world.drag(grip, goal);
                        },
                    ));
                }
            }
        }
    }
    Ok(())
}

/// Takes the last body that can be held by a point in space.
fn grab(world: &mut World, drag: &str) -> Option<(GripId, [f64; 3])> {
    let drag = match drag {
        "follow" => Drag::Follow,
        "pin" => Drag::Pin,
        _ => Drag::Force {
            stiffness: 200.0,
            damping: 5.0,
        },
    };
    let bodies: Vec<BodyId> = world.bodies().iter().rev().map(BodyRecord::id).collect();
    bodies.into_iter().find_map(|body| {
        let held = body.at([0.0; 3]);
        let start = world.position_world(&held).ok()?;
        let grip = world.grab(held, drag).ok()?;
        Some((grip, start))
    })
}

fn fingerprint(
    name: &str,
    mut world: World,
    options: &StepOptions,
    steps: usize,
    mut before: impl FnMut(&mut World, usize),
) -> String {
    let mut simulator = Simulator::new();
    let mut refused = 0;
    for step in 0..steps {
        before(&mut world, step);
        if simulator.step(&mut world, options).is_err() {
            refused += 1;
        }
    }
    let State {
        t,
        q,
        v,
        lambda,
        substep,
        ..
    } = world.state();
    let mut line = name.replace(' ', "_");
    for part in [&[*t][..], q, v, lambda, &[*substep]] {
        let _ = write!(line, " {:016x}", hash(part));
    }
    if refused > 0 {
        let _ = write!(line, " refused:{refused}");
    }
    line
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

/// Says which runs differ; an error if any does. Lines begin with so many words that name a run.
pub(crate) fn compare(recorded: &str, lines: &[String], words: usize) -> Result<String, String> {
    let name = |line: &str| -> Vec<String> {
        let parts = line.split_whitespace().take(words);
        parts.map(str::to_owned).collect()
    };
    let (mut same, mut wrong) = (0, String::new());
    for line in lines {
        match recorded.lines().find(|other| name(other) == name(line)) {
            Some(other) if other == line => same += 1,
            Some(other) => {
                let _ = write!(wrong, "\nnow {line}\nwas {other}");
            }
            None => {
                let _ = write!(wrong, "\nnew {line}");
            }
        }
    }
    if wrong.is_empty() {
        return Ok(format!("{same} runs are as recorded"));
    }
    Err(format!("{same} runs are as recorded; these do not:{wrong}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_repeats_its_bits_and_a_changed_one_is_named() {
        let scenes = ["four-bar".to_owned()];
        let line = run(3, false, &scenes, None).unwrap();
        assert_eq!(line, run(3, false, &scenes, None).unwrap());
        assert_eq!(line.split(' ').count(), 6);
        assert!(compare(&line, std::slice::from_ref(&line), 1).is_ok());
        let other = run(4, false, &scenes, None).unwrap();
        let message = compare(&line, &[other], 1).unwrap_err();
        assert!(message.contains("now four-bar"), "{message}");
    }
}
