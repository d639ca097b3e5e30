//! `snap`: two bodies of a large scene are taken apart and joined again, new topology included.

use std::time::Instant;

use linkwork::connector::Connector;
use linkwork::constraint::RowUnit;
use linkwork::prelude::*;
use linkwork::world::ConstraintRecord;

use crate::table::table;

/// Scenes of about a thousand bodies: in a row, in a tree, in loops.
pub(crate) const SCENES: [&str; 3] = ["chain:1000", "tree:1000", "ladder:6,77"];

/// So often each scene is taken apart and joined again.
const ROUNDS: usize = 60;
/// The step that follows an edit.
const DT: f64 = 1e-3;

/// Milliseconds, each the fastest of the rounds.
#[derive(Clone, Debug)]
pub(crate) struct Snap {
    pub(crate) scene: String,
    pub(crate) bodies: usize,
    /// Removing the joint, and the first answer without it.
    pub(crate) unsnap: Answer,
    /// Joining, and the first answer.
    pub(crate) snap: Answer,
    /// One direct solve, and one step, when nothing was edited.
    pub(crate) direct: f64,
    pub(crate) step: f64,
}

/// Milliseconds from the edit to what follows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    /// The edit alone.
    pub(crate) edit: f64,
    /// To accelerations and reactions.
    pub(crate) solve: f64,
    /// To the end of an interactive step.
    pub(crate) step: f64,
}

/// Measures and lays out the result.
pub(crate) fn run(scenes: &[String]) -> Result<String, String> {
    let mut lines = vec![];
    for name in scenes {
        let snap = measure(name)?;
        let ms = |value: f64| format!("{value:.3}");
        let ratio = |value: f64| format!("{:.1}", value / snap.direct);
        for (what, answer) in [("snap", snap.snap), ("unsnap", snap.unsnap)] {
            lines.push(vec![
                snap.scene.clone(),
                snap.bodies.to_string(),
                what.to_owned(),
                ms(answer.edit),
                ms(answer.solve),
                ratio(answer.solve),
                ms(answer.step),
                ratio(answer.step),
                ms(snap.direct),
                ms(snap.step),
            ]);
        }
    }
    let heading = [
        "scene",
        "bodies",
        "what",
        "edit ms",
        "and solve ms",
        "/ direct",
        "and step ms",
        "/ direct",
        "direct ms",
        "step ms",
    ];
    Ok(table(&heading, &lines))
}

/// Takes one ball joint in the middle of the scene apart and joins it again.
pub(crate) fn measure(name: &str) -> Result<Snap, String> {
    let mut snapping = Snapping::new(name)?;
    for _ in 0..ROUNDS {
        snapping.round()?;
    }
    Ok(snapping.best)
}

/// A scene whose joint is taken apart and joined again, round by round.
pub(crate) struct Snapping {
    world: World,
    label: String,
    connectors: [Connector; 2],
    solver: Simulator,
    stepper: Simulator,
    best: Snap,
}

impl Snapping {
    pub(crate) fn new(name: &str) -> Result<Self, String> {
        let world = linkwork_scene::scene(name).map_err(|error| error.to_string())?;
        let (label, connectors) = joint_in_the_middle(&world)
            .ok_or_else(|| format!("{name} has no ball joint between two bodies"))?;
        let best = Snap {
            scene: name.to_owned(),
            bodies: world.bodies().len(),
            unsnap: Answer::NEVER,
            snap: Answer::NEVER,
            direct: f64::INFINITY,
            step: f64::INFINITY,
        };
        Ok(Self {
            world,
            label,
            connectors,
            solver: Simulator::new(),
            stepper: Simulator::new(),
            best,
        })
    }

    /// The fastest of the rounds so far.
    pub(crate) fn best(&self) -> &Snap {
        &self.best
    }

    /// Removes the joint and makes it again, with a solve and a step after each.
    pub(crate) fn round(&mut self) -> Result<(), String> {
        let Self {
            world,
            label,
            connectors: [a, b],
            solver,
            stepper,
            best,
        } = self;
        let engine = |error: Error| error.to_string();
        let stepping = |error: Error| error.to_string();
        let options = StepOptions::interactive(DT);
        // As it is, compiled and warm.
        solver.accelerations(world, Method::Direct);
        stepper.step(world, &options).map_err(stepping)?;
        let clock = Clock::new();
        solver.accelerations(world, Method::Direct);
        clock.read(&mut best.direct);
        let clock = Clock::new();
        stepper.step(world, &options).map_err(stepping)?;
        clock.read(&mut best.step);
        for answer in [&mut best.unsnap, &mut best.snap] {
            let edit = |world: &mut World| match world.find_constraint(label) {
                Some(id) => world.remove_constraint(id).map(drop).map_err(engine),
                None => world.join(label, Ball, *a, *b).map(drop).map_err(engine),
            };
            // A copy is for the solve, the world itself for the step.
            let mut copy = world.clone();
            let clock = Clock::new();
            edit(&mut copy)?;
            clock.read(&mut answer.edit);
            solver.accelerations(&copy, Method::Direct);
            clock.read(&mut answer.solve);
            let clock = Clock::new();
            edit(world)?;
            stepper.step(world, &options).map_err(stepping)?;
            clock.read(&mut answer.step);
        }
        Ok(())
    }
}

/// Label and connectors of the ball joint between two bodies nearest to the middle of the list.
fn joint_in_the_middle(world: &World) -> Option<(String, [Connector; 2])> {
    let records = world.constraints();
    let middle = records.len() / 2;
    let joint = |record: &ConstraintRecord| {
        let [a, b] = record.connectors() else {
            return None;
        };
        let is_ball = record.rows() == [RowUnit::Meter; 3];
        let is_between = !a.is_on(GROUND) && !b.is_on(GROUND);
        (is_ball && is_between).then(|| (record.label().to_owned(), [*a, *b]))
    };
    records[middle..]
        .iter()
        .chain(records[..middle].iter().rev())
        .find_map(joint)
}

impl Answer {
    const NEVER: Self = Self {
        edit: f64::INFINITY,
        solve: f64::INFINITY,
        step: f64::INFINITY,
    };
}

struct Clock(Instant);

impl Clock {
    fn new() -> Self {
        Self(Instant::now())
    }

    /// Keeps the milliseconds since the start if they are fewer.
    fn read(&self, best: &mut f64) {
        *best = best.min(self.0.elapsed().as_secs_f64() * 1e3);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_joint_is_taken_out_and_put_back() {
        let world = linkwork_scene::scene("ladder:2,3").unwrap();
        let (label, _) = joint_in_the_middle(&world).unwrap();
        assert_eq!(label, "right 1.1");
        let snap = measure("ladder:2,3").unwrap();
        assert_eq!(snap.bodies, 15);
        for ms in [snap.snap.solve, snap.unsnap.step, snap.direct, snap.step] {
            assert!(ms > 0.0 && ms.is_finite(), "{snap:?}");
        }
        assert!(measure("double-pendulum").is_err());
    }
}
