//! A structure of 56 solids and 261 rows, dragged at low and at high precision (Faure 1998, fig. 5).
//!
//! A hand takes one corner round a circle for two seconds and then rests. Two geometric iterations of five conjugate
//! gradient iterations each leave joints open while it moves; three of fifty close them. When the hand rests, precision
//! is recovered. The forest method closes the tree exactly and iterates the loops only.
//!
//! Run with `cargo run --example structure_56`.

#![allow(clippy::print_stdout)]

use linkwork::integrate::Integrator;
use linkwork::prelude::*;
use linkwork::solve::Krylov;
use linkwork::stabilize::Stabilization;
use linkwork::world::BodyRecord;

/// Geometric iterations, and the method they are solved by.
fn faure(iterations: usize, method: Method) -> StepOptions {
    let rule = Stabilization::Displacement { iterations };
    StepOptions::parts(1.0 / 60.0, Integrator::Stoermer, rule).by(method)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let at_most = |max_iterations| {
        Krylov::default()
            .with_tolerance(1e-12)
            .with_max_iterations(max_iterations)
    };
    let schemes = [
        ("2 × 5 cg", faure(2, Method::NormalCg(at_most(5)))),
        ("3 × 50 cg", faure(3, Method::NormalCg(at_most(50)))),
        ("2 × 5 forest", faure(2, Method::ForestKrylov(at_most(5)))),
        ("3 × 50 forest", faure(3, Method::ForestKrylov(at_most(50)))),
        ("3 direct", faure(3, Method::Direct)),
        ("interactive", StepOptions::interactive(1.0 / 60.0)),
    ];
    println!("largest gap in each half second, mm, and iterations per frame");
    println!(
        "{:14} {:32}| {:31} iterations",
        "", "the hand moves", "it rests"
    );
    for (name, options) in schemes {
        let mut world = linkwork_scene::scene("structure-56")?;
        // Afloat in something thick, so that it comes to rest when the hand does.
        let gravity = world.behaviors()[0].id();
        world.set_behavior_enabled(gravity, false)?;
        let bodies: Vec<BodyId> = world.bodies().iter().map(BodyRecord::id).collect();
        for (k, body) in bodies.iter().enumerate() {
            let thick = ViscousDrag {
                linear: 0.5,
                angular: 2e-4,
            };
            world.add_behavior(&format!("thick {k}"), thick, &[body.frame_at([0.0; 3])])?;
        }
        let corner = world.constraints()[0].connectors()[0];
        let start = world.position_world(&corner)?;
        let grip = world.grab(corner, Drag::Pin)?;
        let mut simulator = Simulator::new();
        let mut gaps = [0.0f64; 8];
        let mut iterations = 0;
        for frame in 0..240usize {
            let phase = std::f64::consts::TAU * (frame + 1).min(120) as f64 / 120.0;
            let [x, y, z] = start;
            world.drag(
                grip,
                [x + 0.3 * phase.sin(), y, z + 0.3 * (1.0 - phase.cos())],
            )?;
            let report = simulator.step(&mut world, &options)?;
            let gap = &mut gaps[frame / 30];
            *gap = gap.max(report.position_error);
            iterations += report.effort.iterations;
        }
        print!("{name:14}");
        for (half, gap) in gaps.iter().enumerate() {
            let bar = if half == 4 { " |" } else { "" };
            print!("{bar} {:7.1e}", 1e3 * gap);
        }
        println!(" {:10.1}", iterations as f64 / 240.0);
    }
    Ok(())
}
