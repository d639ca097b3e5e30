//! A four-bar linkage whose parts lie about: assembled, then driven once round.
//!
//! Nothing has to fit when it is joined. The assembly moves and turns the parts until every joint is
//! closed; the motor's angle is one of the constraints. (Faure 1998, §3.4.)
//!
//! Run with `cargo run --example assemble`.

#![allow(clippy::print_stdout)]

use std::ops::ControlFlow;

use linkwork::constraint::FramePair;
use linkwork::prelude::*;

/// Crank 0.2 m, coupler 0.5 m, rocker 0.4 m, and 0.5 m between the pivots.
fn build() -> Result<World, Error> {
    let mut world = World::with_gravity([0.0, -9.81, 0.0])?;
    let rod = |length| Rod {
        length,
        radius: 0.01,
        mass: length,
    };
    let strewn = [
        Pose::turned([2.0, 1.0, 0.3], [0.4, 2.0, -0.5]),
        Pose::turned([-1.5, 0.2, -1.0], [-1.0, 0.3, 2.5]),
        Pose::turned([0.3, -2.0, 0.8], [2.0, 1.0, 0.2]),
    ];
    let crank = world.add_body_at("crank", rod(0.2), strewn[0])?;
    let coupler = world.add_body_at("coupler", rod(0.5), strewn[1])?;
    let rocker = world.add_body_at("rocker", rod(0.4), strewn[2])?;
    // Axes are given on each body, since the bodies are not where they will be.
    let z = [0.0, 0.0, 1.0];
    let axle = |body: BodyId, x: f64| body.frame_along([x, 0.0, 0.0], z);
    for (label, a, b) in [
        ("A", axle(GROUND, 0.0), axle(crank, -0.1)),
        ("B", axle(crank, 0.1), axle(coupler, -0.25)),
        ("C", axle(coupler, 0.25), axle(rocker, 0.2)),
        ("D", axle(GROUND, 0.5), axle(rocker, -0.2)),
    ] {
        world.add_constraint(label, FramePair::hinge(), &[a, b])?;
    }
    // One turn in two seconds.
    let function = Ramp {
        start: 0.0,
        rate: std::f64::consts::PI,
    };
    let frames = [axle(GROUND, 0.0), axle(crank, -0.1)];
    world.add_constraint("motor", AngleDrive::new(function), &frames)?;
    Ok(world)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = build()?;
    let mut simulator = Simulator::new();
    println!("displacement     largest gap   largest angle");
    println!("                           m             rad");
    let options = AssembleOptions::default();
    let report = simulator.assemble_with(&mut world, &options, &mut |progress| {
        let (gap, angle) = (progress.position_error, progress.angle_error);
        println!("{:12} {gap:15.1e} {angle:15.1e}", progress.iteration);
        ControlFlow::Continue(())
    })?;
    println!("{:?}, {} restarts\n", report.outcome, report.restarts);

    println!("time   crank pin B        rocker pin C       largest gap");
    println!("   s         m, m                m, m                  m");
    let (crank, rocker) = (world.find_body("crank"), world.find_body("rocker"));
    let (Some(crank), Some(rocker)) = (crank, rocker) else {
        return Ok(());
    };
    for frame in 0..=120 {
        if frame % 20 == 0 {
            let b = world.position_world(&crank.at([0.1, 0.0, 0.0]))?;
            let c = world.position_world(&rocker.at([0.2, 0.0, 0.0]))?;
            let errors = world.constraint_errors()?;
            let gap = errors.iter().fold(0.0f64, |m, error| m.max(error.size()));
            let t = world.state().t;
            println!(
                "{t:4.2}   {:6.3}, {:6.3}      {:6.3}, {:6.3}      {gap:14.1e}",
                b[0], b[1], c[0], c[1]
            );
        }
        simulator.step(&mut world, &StepOptions::interactive(1.0 / 60.0))?;
    }
    Ok(())
}
