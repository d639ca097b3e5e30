//! From parts strewn anywhere to a closed structure: `Simulator::assemble`.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)] // A panic is how a test fails.

#[path = "../common/random.rs"]
mod random_world;

mod strewn;

use linkwork::prelude::*;
use random_world::Random;

fn scene(name: &str) -> World {
    linkwork_scene::scene(name).unwrap()
}

/// Puts every body that moves somewhere within `distance` of where it is, turned by up to `angle`
/// about each axis.
fn strew(world: &mut World, random: &mut Random, distance: f64, angle: f64) {
    let mut state = world.state().clone();
    for record in world.bodies() {
        let n = record.v_range().len();
        let mut dq: Vec<f64> = (0..n).map(|_| random.between(-1.0, 1.0)).collect();
        for i in 0..n {
            let mut unit = vec![0.0; n];
            unit[i] = 1.0;
            let turns = record.body().turn_of(&unit) > 0.0;
            dq[i] *= if turns { angle } else { distance };
        }
        if n > 0 {
            let q = &mut state.q[record.q_range()];
            record.body().displace(q, &dq);
        }
    }
    state.v.iter_mut().for_each(|v| *v = random.between(-1.0, 1.0));
    world.set_state(state).unwrap();
}

fn assemble(world: &mut World) -> AssemblyReport {
    Simulator::new()
        .assemble(world, &AssembleOptions::default())
        .unwrap()
}
