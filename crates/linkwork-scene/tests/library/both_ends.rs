//! Frames that are split and joined keep their energy: steps are judged from both of their ends
//! (`docs/adr/0055-steps-judged-from-both-ends.md`).

use linkwork::prelude::*;
use linkwork_scene::library;

/// What a scene gains and loses at most in `seconds` in its own steps, as parts of the largest kinetic energy.
fn drift(name: &str, seconds: f64) -> (f64, f64) {
    let mut scene = library::open(name).unwrap();
    let mut simulator = Simulator::new();
    let total = |world: &World| world.energy().unwrap();
    let start = total(&scene.world).total();
    let (mut gain, mut loss, mut kinetic) = (0.0f64, 0.0f64, 0.0f64);
    let n_frames = (seconds / scene.options.dt).round() as usize;
    for _ in 0..n_frames {
        simulator.step(&mut scene.world, &scene.options).unwrap();
        let now = total(&scene.world);
        kinetic = kinetic.max(now.kinetic);
        gain = gain.max(now.total() - start);
        loss = loss.max(start - now.total());
    }
    (gain / kinetic, loss / kinetic)
}

/// Judged from their start alone these lost 2.3, 2.3, 3.5, 8, 9 and 2.6 % in 20 s.
#[test]
fn frames_that_are_split_and_joined_keep_their_energy() {
    for (name, most) in [
        ("chain:10", 0.006),
        ("tree:31", 0.006),
        ("grid:4,4", 0.008),
        ("shaken-plate", 0.01),
        ("swinging-lamp", 0.015),
        ("scissor", 0.008),
    ] {
        let (gain, loss) = drift(name, 20.0);
        assert!(gain < 5e-3, "{name} gains {gain:.1e}");
        assert!(loss < most, "{name} loses {loss:.1e}");
    }
}
