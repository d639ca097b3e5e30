//! `shells`: soft shells of 100 to 3,000 nodes: the numbers of the factor, a solve, and frames of a balloon on a
//! string.

use std::time::Instant;

use linkwork::behavior::OutputForce;
use linkwork::body::{SoftBody, SoftMaterial, SoftShape};
use linkwork::constraint::Distance;
use linkwork::prelude::*;
use linkwork::shape::SuperquadricForm;
use linkwork::simulator::SolveOptions;
use linkwork::system::Motion;

use crate::table::table;

/// Bands and nodes of a parallel: 114 to 2,966 nodes.
const RINGS: [[u32; 2]; 6] = [[8, 16], [12, 24], [16, 20], [24, 26], [32, 36], [52, 58]];
/// Factors of a batch, the fastest of which counts.
const FACTORS: usize = 5;
/// Beads of the string.
const BEADS: usize = 7;

/// Measures and lays out the result. Frames are those of `seconds` of a balloon of up to `nodes` nodes.
pub(crate) fn run(seconds: f64, nodes: usize) -> Result<String, String> {
    let mut lines = Vec::new();
    for rings in RINGS {
        lines.push(line(rings, seconds, nodes).map_err(|problem| problem.to_string())?);
    }
    let head = [
        "nodes",
        "compile ms",
        "fill ms",
        "factor ms",
        "frame ms",
        "slowest ms",
        "steps a frame",
    ];
    Ok(table(&head, &lines))
}

fn line(rings: [u32; 2], seconds: f64, nodes: usize) -> Result<Vec<String>, linkwork::Error> {
    let world = balloon(rings)?;
    let n = world.q(world.find_body("balloon").unwrap_or(GROUND))?.len() / 3;
    let mut simulator = Simulator::new();
    // Over a frame, so that strains fill the pattern of the mass.
    let options = SolveOptions::default().with_horizon(Some(1.0 / 60.0));
    let clock = Instant::now();
    simulator.fill(&world, Motion::Acceleration, &options);
    let compile = clock.elapsed().as_secs_f64();
    let (mut fill, mut factor) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..FACTORS {
        let clock = Instant::now();
        simulator.fill(&world, Motion::Acceleration, &options);
        fill = fill.min(clock.elapsed().as_secs_f64());
        let clock = Instant::now();
        simulator.factor(&Method::Direct);
        factor = factor.min(clock.elapsed().as_secs_f64());
    }
    let mut cells = vec![n.to_string()];
    cells.extend([compile, fill, factor].map(|time| format!("{:.2}", 1e3 * time)));
    cells.extend(match n <= nodes {
        true => frames(world, seconds)?.map(|number| format!("{number:.2}")),
        false => ["–", "–", "–"].map(str::to_owned),
    });
    Ok(cells)
}

/// Milliseconds of a frame, of the slowest, and sub-steps a frame.
fn frames(mut world: World, seconds: f64) -> Result<[f64; 3], linkwork::Error> {
    let options = StepOptions::interactive(1.0 / 60.0);
    let mut simulator = Simulator::new();
    let count = (60.0 * seconds).max(1.0).round();
    let (mut sum, mut slowest, mut steps) = (0.0, 0.0f64, 0.0);
    for _ in 0..count as usize {
        let clock = Instant::now();
        steps += simulator.step(&mut world, &options)?.substeps as f64;
        let time = clock.elapsed().as_secs_f64();
        sum += time;
        slowest = slowest.max(time);
    }
    Ok([1e3 * sum / count, 1e3 * slowest, steps / count])
}

/// The scene `balloon` with other numbers of nodes.
fn balloon([bands, around]: [u32; 2]) -> Result<World, linkwork::Error> {
    let mut world = World::with_gravity([0.0, 0.0, -9.81])?;
    let material = SoftMaterial {
        young: 1e6,
        poisson: 0.45,
        density: 1100.0,
        damping: 0.002,
    };
    let shape = SoftShape::Rings {
        form: SuperquadricForm::new([0.15; 3], [1.0; 2]),
        rings: [bands, around],
    };
    let body = SoftBody::shell(shape, 3e-5, material)?;
    let id = world.add_body_at("balloon", body, Pose::at([0.0, 0.0, 0.3]))?;
    for (label, scalar, force) in [
        ("pressure", SoftBody::VOLUME, 100.0),
        ("buoyancy", SoftBody::MOMENT + 2, 10.1),
    ] {
        let push = OutputForce::on_scalar(force);
        world.add_behavior(label, push, &[id.scalar(scalar)])?;
    }
    let mut last = id.surface(-std::f64::consts::FRAC_PI_2, 0.0);
    for k in 1..=BEADS + 1 {
        let at = [0.1 * k as f64, 0.0, 0.15];
        let next = match k > BEADS {
            true => GROUND.at(at),
            false => {
                let bead = Particle { mass: 2e-4 };
                let bead = world.add_body_at(&format!("bead {k}"), bead, Pose::at(at))?;
                bead.at([0.0; 3])
            }
        };
        let string = Distance { length: 0.1 };
        world.add_constraint(&format!("string {k}"), string, &[last, next])?;
        last = next;
    }
    Ok(world)
}
