//! `curves`: frames of a closed spline that is pulled, with nails, without momentum and with it.

use linkwork::body::{Elasticity, ShapeBody};
use linkwork::prelude::*;
use linkwork::shape::Spline;

use crate::table::table;
use crate::timing::fastest;

/// Measures and lays out the result.
pub(crate) fn run() -> Result<String, String> {
    let mut lines = Vec::new();
    for n_points in [50, 200] {
        for nails in [0, 3, 12] {
            for (what, plate) in [("reach", 0.0), ("plate", 0.02)] {
                let time = frame(n_points, nails, plate).map_err(|problem| problem.to_string())?;
                lines.push(vec![
                    n_points.to_string(),
                    nails.to_string(),
                    what.to_owned(),
                    format!("{:.3}", 1e3 * time),
                ]);
            }
        }
    }
    Ok(table(
        &["points", "nails", "resists by", "ms a frame"],
        &lines,
    ))
}

/// Seconds for a frame of a closed curve without momentum that a hand leads round.
fn frame(n_points: usize, nails: usize, plate: f64) -> Result<f64, linkwork::Error> {
    let circle = |k: usize| {
        let angle = std::f64::consts::TAU * k as f64 / n_points as f64;
        [angle.cos(), angle.sin()]
    };
    let points: Vec<[f64; 2]> = (0..n_points).map(circle).collect();
    let elasticity = Elasticity {
        plate,
        reach: 0.3,
        ..Elasticity::default()
    };
    let body = ShapeBody::spline(Spline::in_plane(&points, 3, true), 1.0, elasticity)?;
    let mut world = World::new();
    world.set_dynamics(Dynamics::FirstOrder);
    let curve = world.add_body("curve", body)?;
    for k in 0..nails {
        let u = (k as f64 + 0.5) / nails as f64 * 0.8 + 0.1;
        let at = world.position_world(&curve.curve2(u))?;
        world.join(
            &format!("nail {k}"),
            Ball,
            GROUND.at([at[0], at[1]]),
            curve.curve2(u),
        )?;
    }
    let grip = world.grab(curve.curve2(0.0), Drag::Follow)?;
    let start = world.position_world(&curve.curve2(0.0))?;
    let options = StepOptions::interactive(1.0 / 60.0);
    let mut simulator = Simulator::new();
    let mut angle = 0.0f64;
    fastest(|| {
        angle += 0.05;
        let goal = [
            start[0] + 0.2 * angle.sin(),
            start[1] + 0.1 * angle.sin(),
            0.0,
        ];
        world.drag(grip, goal)?;
        simulator.step(&mut world, &options).map(|_| ())
    })
}
