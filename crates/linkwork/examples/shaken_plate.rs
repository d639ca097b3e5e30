//! A plate on nine strings, shaken by hand: 28 solids, 108 rows (Faure 1998, fig. 6).
//!
//! The hand holds a corner and goes to and fro for two seconds, then lets go. The same by three
//! schemes at 60 frames a second: the default, the paper's with one geometric iteration of fifteen
//! conjugate gradient iterations, and the paper's solved exactly.
//!
//! Run with `cargo run --example shaken_plate`.

#![allow(clippy::print_stdout)]

use linkwork::integrate::Integrator;
use linkwork::prelude::*;
use linkwork::solve::Krylov;
use linkwork::stabilize::Stabilization;

/// As in the paper: move as if free, then assemble.
fn faure(iterations: usize) -> StepOptions {
    let rule = Stabilization::Displacement { iterations };
    StepOptions::parts(1.0 / 60.0, Integrator::Stoermer, rule)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fifteen = Method::NormalCg(
        Krylov::default()
            .with_tolerance(1e-12)
            .with_max_iterations(15),
    );
    let schemes = [
        ("interactive", StepOptions::interactive(1.0 / 60.0)),
        ("Faure 1998, 1 × 15", faure(1).by(fifteen)),
        ("Faure 1998, exact", faure(10)),
    ];
    for (name, options) in schemes {
        let mut world = linkwork_scene::scene("shaken-plate")?;
        let plate = world.bodies()[0].id();
        let corner = plate.at([0.6, 0.0, 0.6]);
        let start = world.position_world(&corner)?;
        let pull = Drag::Force {
            stiffness: 400.0,
            damping: 10.0,
        };
        let grip = world.grab(corner, pull)?;
        let mut simulator = Simulator::new();
        let (mut gap, mut iterations, mut last_resorts) = (0.0f64, 0, 0);
        println!("{name}: {} rows", world.state().lambda.len() - 3);
        println!("   time   plate x, y, z                  energy   largest gap   iterations");
        println!("      s   m                                   J             m    per frame");
        for frame in 0..240 {
            if frame < 120 {
                // One stroke a second, 0.2 m to either side.
                let phase = std::f64::consts::TAU * f64::from(frame + 1) / 60.0;
                let goal = [start[0] + 0.2 * phase.sin(), start[1], start[2]];
                world.drag(grip, goal)?;
            } else if frame == 120 {
                world.release(grip)?;
            }
            let report = simulator.step(&mut world, &options)?;
            gap = gap.max(report.position_error);
            iterations += report.effort.iterations;
            last_resorts += report.last_resorts();
            if frame % 40 == 39 {
                let [x, y, z] = world.position_world(&plate.at([0.0; 3]))?;
                let (t, energy) = (world.state().t, world.energy()?.total());
                let mean = f64::from(u32::try_from(iterations)?) / 40.0;
                println!(
                    "{t:7.2}   {x:7.3}, {y:7.3}, {z:7.3} {energy:14.2} {gap:13.1e} {mean:12.1}"
                );
                (gap, iterations) = (0.0, 0);
            }
        }
        println!("{last_resorts} last resorts\n");
    }
    Ok(())
}
