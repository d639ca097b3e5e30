//! Baraff 1996, §9: 96 multipliers of joints and 3 of contacts without friction.
//!
//! The paper does not say how its structure looked. Here a trunk of two bars carries three chains of ten, all on ball
//! joints. It hangs along a wall, toward which gravity leans a little, and the three tips touch it.

use linkwork::collide::Shape;
use linkwork::prelude::*;
use linkwork::solve::ContactSolver;
use linkwork::world::Collider;

use crate::drive::{Run, drive, time};
use crate::table::{table, us};

/// The frame, which is one step with and without contacts, and how many are taken.
const DT: f64 = 2e-3;
const FRAMES: usize = 500;

const TRUNK: usize = 2;
const CHAINS: usize = 3;
const LINKS: usize = 10;

/// Multipliers of joints, as published.
const PRIMARY: usize = 96;

/// The published milliseconds of one solve, contacts included.
const PUBLISHED_MS: &str = "18";

const LENGTH: f64 = 0.2;
const TIP: f64 = 0.01;

/// Measures steps of it by the paper's method and by ours, and lays out the result.
pub(super) fn contacts() -> Result<String, String> {
    let joints = structure(false).map_err(|error| error.to_string())?;
    let touching = structure(true).map_err(|error| error.to_string())?;
    let n_rows: usize = joints
        .constraints()
        .iter()
        .map(|own| own.rows().len())
        .sum();
    if n_rows != PRIMARY {
        return Err(format!("{n_rows} multipliers, the paper has {PRIMARY}"));
    }
    let mut lines = vec![];
    // The paper's method for joints; on a tree ours is the same.
    let base = StepOptions::interactive(DT).by(Method::ForestDense);
    let alone = Measured::new(&joints, &base)?;
    lines.push(alone.line("96 + 0", "", &alone));
    for solver in ContactSolver::all() {
        let own = Measured::new(&touching, &base.with_contact_solver(solver))?;
        lines.push(own.line("96 + 3", solver.name(), &alone));
    }
    let heading = [
        "multipliers",
        "contacts by",
        "µs a step",
        "/ joints alone",
        "sub-steps",
        "factors",
        "solves",
        "iterations",
        "touching",
        "law m/s",
    ];
    Ok(format!(
        "Baraff 1996, §9: 3D, 96 multipliers and 3 frictionless contacts, published {PUBLISHED_MS} ms for one solve,\n\
         twice as fast as the O(n³) method. Ours are whole steps of 2 ms, which solve for impulses at both ends.\n\
         Iterations count solves, steps of Newton's method and pivots.\n\n{}",
        table(&heading, &lines)
    ))
}

/// What frames of a world cost and do.
struct Measured {
    us: f64,
    run: Run,
    /// The least and the most contacts that pushed at the end of a frame, and what is left of their law.
    touching: (usize, usize),
    law: f64,
}

impl Measured {
    fn new(world: &World, options: &StepOptions) -> Result<Self, String> {
        let run = drive(&mut world.clone(), options, FRAMES)?;
        if let Some(failed) = run.failed {
            return Err(failed);
        }
        let (mut touching, mut law) = ((usize::MAX, 0), 0.0f64);
        let (mut copy, mut simulator) = (world.clone(), Simulator::new());
        for _ in 0..FRAMES {
            let report = simulator.step(&mut copy, options);
            let report = report.map_err(|error| error.to_string())?;
            law = law.max(report.law_error);
            let n = copy.state().touching.len();
            touching = (touching.0.min(n), touching.1.max(n));
        }
        Ok(Self {
            us: time(world, options, FRAMES) / FRAMES as f64,
            run,
            touching,
            law,
        })
    }

    fn line(&self, multipliers: &str, by: &str, alone: &Self) -> Vec<String> {
        let mean = |sum: usize| format!("{:.1}", self.run.mean(sum));
        vec![
            multipliers.to_owned(),
            by.to_owned(),
            us(self.us),
            format!("{:.2}", self.us / alone.us),
            mean(self.run.substeps),
            mean(self.run.effort.factors),
            mean(self.run.effort.solves),
            mean(self.run.effort.iterations),
            format!("{}–{}", self.touching.0, self.touching.1),
            format!("{:.0e}", self.law),
        ]
    }
}

/// The structure; with a wall or without.
fn structure(has_wall: bool) -> Result<World, Error> {
    let lean = 0.1f64;
    let mut world = World::with_gravity([9.81 * lean.sin(), -9.81 * lean.cos(), 0.0])?;
    let mut height = 0.0;
    let mut inner = GROUND.at([0.0; 3]);
    let mut fork = GROUND;
    for _ in 0..TRUNK {
        fork = add_bar(&mut world, inner, [height, 0.0])?;
        inner = fork.at([0.5 * LENGTH, 0.0, 0.0]);
        height -= LENGTH;
    }
    for chain in 0..CHAINS {
        // Side by side, on the last bar of the trunk.
        let aside = 0.1 * (chain as f64 - 1.0);
        let mut inner = fork.at([0.5 * LENGTH, 0.0, aside]);
        let mut from = height;
        for link in 0..LINKS {
            let bar = add_bar(&mut world, inner, [from, aside])?;
            inner = bar.at([0.5 * LENGTH, 0.0, 0.0]);
            from -= LENGTH;
            if has_wall && link == LINKS - 1 {
                let tip = Collider::new(Shape::Sphere { radius: TIP })
                    .placed(Pose::at([0.5 * LENGTH, 0.0, 0.0]))
                    .with_friction(0.0);
                world.set_colliders(bar, vec![tip])?;
            }
        }
    }
    if has_wall {
        // A plane's own x is its normal: here −x.
        let away = Pose::turned([TIP, 0.0, 0.0], [0.0, 0.0, std::f64::consts::PI]);
        let wall = Collider::new(Shape::Plane).placed(away).with_friction(0.0);
        world.set_colliders(GROUND, vec![wall])?;
    }
    Ok(world)
}

/// Hangs a bar on a connector at a height, so far aside, along −y.
fn add_bar(
    world: &mut World,
    inner: linkwork::connector::Connector,
    [height, aside]: [f64; 2],
) -> Result<BodyId, Error> {
    let rod = Rod {
        length: LENGTH,
        radius: 0.01,
        mass: 0.1,
    };
    let label = format!("bar {}", world.bodies().len());
    let down = [0.0, 0.0, -std::f64::consts::FRAC_PI_2];
    let pose = Pose::turned([0.0, height - 0.5 * LENGTH, aside], down);
    let bar = world.add_body_at(&label, rod, pose)?;
    let joint = format!("joint {}", world.constraints().len());
    world.join(&joint, Ball, inner, bar.at([-0.5 * LENGTH, 0.0, 0.0]))?;
    Ok(bar)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three contacts that last, and their law: what is measured is what is said.
    #[test]
    fn three_tips_touch_the_wall() {
        let world = structure(true).unwrap();
        for solver in ContactSolver::all() {
            let options = StepOptions::interactive(DT).with_contact_solver(solver);
            let (mut world, mut simulator) = (world.clone(), Simulator::new());
            for frame in 0..FRAMES {
                let report = simulator.step(&mut world, &options).unwrap();
                assert!(report.law_error < 1e-9 && report.overrun < 1e-9);
                assert!(report.position_error < 1e-8);
                assert_eq!(world.state().touching.len(), CHAINS, "{frame}");
            }
        }
    }
}
