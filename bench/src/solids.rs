//! `solids`: M and a step of solids that deform, alone and in the scenes of the library.

use linkwork::body::{Body, Freedom, Matter, ShapeBody};
use linkwork::prelude::*;
use linkwork::shape::SuperquadricForm;
use linkwork_scene::library;

use crate::table::table;
use crate::timing::fastest;

/// Measures and lays out the result.
pub(crate) fn run() -> Result<String, String> {
    let mut lines = Vec::new();
    let free = Some(Freedom {
        stiffness: 4.0,
        damping: 0.0,
    });
    let held = [free, None, free, None, None, free];
    for (what, free) in [("exponents held", held), ("all free", [free; 6])] {
        let (mass, step) = alone(free).map_err(|problem| problem.to_string())?;
        lines.push(vec![what.to_owned(), micros(mass), micros(step)]);
    }
    for name in ["superquadrics", "dragonfly"] {
        let step = of_scene(name)?;
        lines.push(vec![name.to_owned(), String::new(), micros(step)]);
    }
    Ok(table(&["solid", "µs for M", "µs a step"], &lines))
}

fn micros(seconds: f64) -> String {
    format!("{:.1}", 1e6 * seconds)
}

/// Seconds for M, and for a step of one solid that spins, pulses and bends.
fn alone(free: [Option<Freedom>; 6]) -> Result<(f64, f64), linkwork::Error> {
    let form = SuperquadricForm {
        taper: [0.1, 0.0],
        bend: [0.2, 0.0],
        ..SuperquadricForm::new([0.10, 0.15, 0.40], [1.0, 1.0])
    };
    let matter = Matter {
        density: 300.0,
        free,
        ..Matter::default()
    };
    let body = ShapeBody::superquadric(form, matter)?;
    let (mut q, n) = (vec![0.0; body.n_q()], body.n_v());
    body.initial_q(&mut q);
    let mut mass = vec![0.0; n * n];
    let of_mass = fastest(|| {
        body.mass(&q, &mut mass);
        Ok(())
    })?;
    let mut world = World::new();
    let id = world.add_body("solid", body)?;
    let mut v = world.v(id)?.to_vec();
    v[..6].copy_from_slice(&[1.0, 0.0, 0.0, 1.5, 3.0, 0.9]);
    world.set_v(id, &v)?;
    let options = StepOptions::interactive(1.0 / 60.0);
    let mut simulator = Simulator::new();
    let of_step = fastest(|| simulator.step(&mut world, &options).map(|_| ()))?;
    Ok((of_mass, of_step))
}

/// Seconds for a step of a scene, once it is put together.
fn of_scene(name: &str) -> Result<f64, String> {
    let text = |problem: &dyn std::fmt::Display| problem.to_string();
    let mut scene = library::open(name).map_err(|problem| text(&problem))?;
    let mut simulator = Simulator::new();
    simulator
        .assemble(&mut scene.world, &AssembleOptions::default())
        .map_err(|problem| text(&problem))?;
    let step = || simulator.step(&mut scene.world, &scene.options).map(|_| ());
    fastest(step).map_err(|problem| text(&problem))
}
