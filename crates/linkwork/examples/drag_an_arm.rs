//! An arm of three links and three ways to drag it: within reach, and a meter beyond.
//!
//! The hand goes out and back again. Joints stay closed in every frame, whatever the hand asks for;
//! what gave way is named. Afterwards the arm is nearly where it was.
//!
//! Run with `cargo run --example drag_an_arm`.

#![allow(clippy::print_stdout)]

use linkwork::connector::Connector;
use linkwork::prelude::*;

/// Three hinged links of a meter in a zigzag, and the tip of the last.
fn build() -> Result<(World, Connector), Error> {
    let mut world = World::new();
    // Everything stops the moment the hand does.
    world.set_dynamics(Dynamics::FirstOrder);
    let mut end = GROUND.at([0.0; 3]);
    for (name, angle) in [("shoulder", 0.6f64), ("elbow", -0.6), ("wrist", 0.6)] {
        let from = world.position_world(&end)?;
        let middle = [from[0] + 0.5 * angle.cos(), from[1] + 0.5 * angle.sin()];
        let rod = Rod {
            length: 1.0,
            radius: 0.03,
            mass: 1.0,
        };
        let label = format!("link after the {name}");
        let link = world.add_body_at(&label, rod, Pose::in_plane(middle, angle))?;
        let hinge = Hinge {
            axis_world: [0.0, 0.0, 1.0],
        };
        world.join(name, hinge, end, link.at([-0.5, 0.0, 0.0]))?;
        end = link.at([0.5, 0.0, 0.0]);
    }
    Ok((world, end))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pull = Drag::Force {
        stiffness: 200.0,
        damping: 20.0,
    };
    let drags = [
        ("force", pull),
        ("follow", Drag::Follow),
        ("pin", Drag::Pin),
    ];
    println!("                          hand to tip   largest gap   home again");
    println!("drag    the hand goes              mm            mm           mm   gave way");
    for (name, drag) in drags {
        for (where_to, goal) in [("within reach", [1.4, 1.2]), ("beyond reach", [4.0, 0.5])] {
            let (mut world, tip) = build()?;
            let home = world.position_world(&tip)?;
            let grip = world.grab(tip, drag)?;
            let mut simulator = Simulator::new();
            let (mut off, mut gap, mut gave_way) = (0.0, 0.0f64, vec![]);
            for frame in 1..=270 {
                // Out in two seconds, half a second there, back in two.
                let way = f64::from(frame.min(120).min(270 - frame)) / 120.0;
                let hand = [0, 1].map(|k| home[k] + way * (goal[k] - home[k]));
                world.drag(grip, [hand[0], hand[1], 0.0])?;
                let options = StepOptions::interactive(1.0 / 60.0);
                let report = simulator.step(&mut world, &options)?;
                gap = gap.max(report.position_error);
                if frame == 150 {
                    let now = world.position_world(&tip)?;
                    off = (now[0] - hand[0]).hypot(now[1] - hand[1]);
                    for open in report.gave_way {
                        let record = world.constraint_record(open.constraint)?;
                        let mm = 1e3 * open.error;
                        gave_way.push(format!("{} by {mm:.0} mm", record.label()));
                    }
                }
            }
            world.release(grip)?;
            let now = world.position_world(&tip)?;
            let back = (now[0] - home[0]).hypot(now[1] - home[1]);
            let [off, gap, back] = [off, gap, back].map(|meters| 1e3 * meters);
            let gave_way = gave_way.join(", ");
            let line =
                format!("{name:7} {where_to} {off:17.3} {gap:13.1e} {back:12.3}   {gave_way}");
            println!("{}", line.trim_end());
        }
    }
    println!("\nThe arm is 3 m long and the far goal 4.031 m away: 1031 mm is the least there is.");
    Ok(())
}
