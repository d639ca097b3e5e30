//! A four-bar linkage, driven once round: what it takes to turn it, and what its coupler draws.
//!
//! At each angle of the crank the linkage is assembled, positions and velocities, and one solve gives
//! the motor's torque and the forces in the pins.
//!
//! Run with `cargo run --example four_bar`.

#![allow(clippy::print_stdout)]

use linkwork::math::norm;
use linkwork::prelude::*;

/// A rod between two points of the plane; its ends are at half its length to either side.
fn rod(world: &mut World, label: &str, from: [f64; 2], to: [f64; 2]) -> Result<BodyId, Error> {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = dx.hypot(dy);
    let rod = Rod {
        length,
        radius: 0.01,
        mass: 2.0 * length,
    };
    let middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
    world.add_body_at(label, rod, Pose::in_plane(middle, dy.atan2(dx)))
}

/// Crank 0.10, coupler 0.35, rocker 0.25, and 0.40 between the pivots: the crank can go all round.
fn build() -> Result<World, Error> {
    let mut world = World::with_gravity([0.0, -9.81, 0.0])?;
    let [b, c, d] = [[0.1, 0.0], [0.35, 0.06f64.sqrt()], [0.4, 0.0]];
    let crank = rod(&mut world, "crank", [0.0, 0.0], b)?;
    let coupler = rod(&mut world, "coupler", b, c)?;
    let rocker = rod(&mut world, "rocker", d, c)?;
    let end = |body: BodyId, x: f64| body.at([x, 0.0, 0.0]);
    let z = [0.0, 0.0, 1.0];
    let hinge = Hinge { axis_world: z };
    world.join("A", hinge, end(GROUND, 0.0), end(crank, -0.05))?;
    world.join("B", hinge, end(crank, 0.05), end(coupler, -0.175))?;
    world.join("C", hinge, end(coupler, 0.175), end(rocker, 0.125))?;
    world.join("D", hinge, end(GROUND, 0.4), end(rocker, -0.125))?;
    // One turn per second.
    let (start, rate) = (0.0, std::f64::consts::TAU);
    let function = Ramp { start, rate };
    let axle = crank.frame_along([-0.05, 0.0, 0.0], z);
    let frames = [GROUND.frame_along([0.0; 3], z), axle];
    world.add_constraint("motor", AngleDrive::new(function), &frames)?;
    Ok(world)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut world, mut simulator) = (build()?, Simulator::new());
    let [coupler, rocker] = [1, 2].map(|i| world.bodies()[i].id());
    let (n_rows, n_v) = (world.state().lambda.len(), world.state().v.len());
    println!(
        "{n_rows} rows, motor included, hold {n_v} velocities, and still it turns: a flat loop"
    );
    println!("of hinges in space repeats {} rows.\n", n_rows - n_v);
    println!(" crank  rocker   motor     |A|     |B|     |C|     |D|   steps");
    println!("   deg     deg     N·m       N       N       N       N");
    let mut picture = vec![vec![' '; 64]; 16];
    let mut draw = |x: [f64; 3], mark| {
        let (column, row) = (100.0 * (x[0] + 0.12), 50.0 * (0.28 - x[1]));
        picture[row.round() as usize][column.round() as usize] = mark;
    };
    let pins = ["A", "B", "C", "D"].map(|label| world.find_constraint(label));
    let motor = world.find_constraint("motor").ok_or("no motor")?;
    for i in 0..=96 {
        world.set_time(f64::from(i) / 96.0)?;
        let assembled = simulator.assemble(&mut world, &AssembleOptions::default())?;
        draw(world.position_world(&coupler.at([0.0, 0.12, 0.0]))?, '·');
        if i % 8 == 0 {
            let solution = simulator.accelerations(&world, Method::Direct);
            let torque = solution.of_constraint(&world, motor)?[0];
            let from = world.position_world(&rocker.at([0.0; 3]))?;
            let to = world.position_world(&rocker.at([1.0, 0.0, 0.0]))?;
            let angle = (to[1] - from[1]).atan2(to[0] - from[0]).to_degrees();
            print!("{:6.0} {angle:7.2} {torque:7.3}", 3.75 * f64::from(i));
            for pin in pins.into_iter().flatten() {
                let on_b = ReactionOptions::default();
                let reaction = world.reaction(pin, &solution.lambda, on_b)?;
                print!(" {:7.2}", norm(reaction.force));
            }
            println!(" {:7}", assembled.iterations);
        }
    }
    println!("\nPivots A and D, pins B and C, and the curve of a point above the coupler:\n");
    for record in world.constraints().iter().take(4) {
        let mark = record.label().chars().next().unwrap_or('?');
        draw(world.position_world(&record.connectors()[0])?, mark);
    }
    let lines = picture.into_iter().map(String::from_iter);
    lines.for_each(|line: String| println!("{}", line.trim_end()));
    Ok(())
}
