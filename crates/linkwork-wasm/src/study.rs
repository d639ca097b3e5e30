//! What can still move, what is held twice, what contradicts: a diagnosis by name, and the motions that
//! are left as poses to be shown. The page puts it into words.

use linkwork::assembly::AssemblyOutcome;
use linkwork::body::PlanarBody;
use linkwork::diagnose::{Closure, Diagnosis, Permanence, diagnose};
use linkwork::prelude::*;
use linkwork::world::{BodyRecord, GripId, GripRecord, Overlap};
use linkwork_scene::export::{ClosureFound, Contradictory, Held, undetermined};
use linkwork_scene::{Scene, export};
use serde::Serialize;

/// A diagnosis for people.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Findings {
    /// Degrees of freedom left.
    pub mobility: usize,
    /// Velocities of all bodies.
    pub velocities: usize,
    /// Hard rows of priority 0.
    pub rows: usize,
    /// How many of them are independent.
    pub rank: usize,
    /// Whether all joints can be closed.
    pub closure: ClosureFound,
    /// Joints that repeat what others say.
    pub redundant: Vec<Redundant>,
    /// Joints that cannot hold together.
    pub contradictory: Vec<Contradictory>,
    /// Joints whose reactions statics cannot determine.
    pub undetermined: Vec<String>,
    /// What holds on one side only, and is there: limits at their stops, bodies that touch.
    pub held: Vec<Held>,
    /// Degrees of freedom left while that stays so; none if too much touches to find out.
    pub held_mobility: Option<usize>,
    /// Bodies that are in each other.
    pub overlaps: Vec<Overlapping>,
    /// The motions that are left: for each the bodies that move most.
    pub motions: Vec<Vec<String>>,
}

/// Two bodies that are in each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Overlapping {
    /// Their names.
    pub bodies: [String; 2],
    /// How far.
    pub depth_m: f64,
    /// Whether they collide, so that contacts push them apart; not, where their groups keep them from it.
    pub collide: bool,
}

/// A joint that repeats what others say.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Redundant {
    /// Its name.
    pub joint: String,
    /// How many of its rows do.
    pub rows: usize,
    /// The joints that say the same together.
    pub with: Vec<String>,
    /// Whether it is so in this pose only.
    pub momentary: bool,
}

/// The most motions that are shown.
const MOST_MOTIONS: usize = 32;
/// A motion goes so far, as a part of the scene's extent, and turns no body further than this, rad.
const REACH: f64 = 0.08;
const TURN: f64 = 0.5;

/// A diagnosis and the pose it is of.
#[derive(Debug)]
pub(crate) struct Study {
    pub(crate) findings: Findings,
    scene: Scene,
    /// Displacements to one side, as far as they are shown.
    motions: Vec<Vec<f64>>,
    simulator: Simulator,
}

impl Study {
    pub(crate) fn of(scene: &Scene) -> Result<Self, Error> {
        let mut scene = scene.clone();
        let hands: Vec<GripId> = scene.world.grips().iter().map(GripRecord::id).collect();
        for hand in hands {
            scene.world.release(hand)?;
        }
        let overlaps = overlapping(&scene.world);
        let mut diagnosis = diagnose(&scene.world);
        let contradictions = diagnosis.contradictory.iter();
        let mut contradictory = contradictions.map(Contradictory::from).collect();
        let mut simulator = Simulator::new();
        if diagnosis.closure != Closure::Closed {
            // Bring the parts where they belong, on the copy.
            let options = AssembleOptions::default();
            if let Ok(report) = simulator.assemble(&mut scene.world, &options) {
                match report.outcome {
                    AssemblyOutcome::Assembled | AssemblyOutcome::GaveWay
                        if diagnosis.closure == Closure::Unknown =>
                    {
                        diagnosis = diagnose(&scene.world);
                        diagnosis.closure = Closure::Closable;
                    }
                    AssemblyOutcome::LeastSquares if diagnosis.closure == Closure::Unknown => {
                        diagnosis.closure = Closure::Contradictory;
                        contradictory = report.residuals.iter().map(Contradictory::from).collect();
                    }
                    _ => {}
                }
            }
        }
        let extent = export::look(&scene).extent;
        let mut motions = std::mem::take(&mut diagnosis.motions);
        motions.truncate(MOST_MOTIONS);
        let mut moved = Vec::new();
        for motion in &mut motions {
            moved.push(moving(&scene.world, motion, extent));
            let most = moved_most(&scene.world, motion, extent);
            motion
                .iter_mut()
                .for_each(|x| *x /= most.max(f64::MIN_POSITIVE));
        }
        Ok(Self {
            findings: Findings {
                overlaps,
                ..findings(&diagnosis, contradictory, moved)
            },
            scene,
            motions,
            simulator,
        })
    }

    /// Poses along a motion: `amount` from −1 to 1.
    pub(crate) fn wiggle(
        &mut self,
        motion: usize,
        amount: f64,
        out: &mut Vec<f64>,
    ) -> Result<(), String> {
        let Some(motion) = self.motions.get(motion) else {
            return Err(format!("there is no motion {motion}"));
        };
        let mut moved = self.scene.clone();
        let mut state = moved.world.state().clone();
        for record in moved.world.bodies() {
            let step = motion[record.v_range()].iter().map(|x| amount * x);
            let step: Vec<f64> = step.collect();
            record
                .body()
                .displace(&mut state.q[record.q_range()], &step);
        }
        moved
            .world
            .set_state(state)
            .map_err(|error| error.to_string())?;
        // The straight way leaves the joints open by its square; what cannot be closed is shown so.
        let options = AssembleOptions::default()
            .with_tolerance(1e-6)
            .with_max_iterations(12);
        let _ = self.simulator.assemble(&mut moved.world, &options);
        export::affine_poses(&moved, out);
        Ok(())
    }
}

fn findings(
    diagnosis: &Diagnosis,
    contradictory: Vec<Contradictory>,
    motions: Vec<Vec<String>>,
) -> Findings {
    let mut redundant: Vec<Redundant> = Vec::new();
    for own in &diagnosis.redundant {
        let momentary = own.permanence == Permanence::Momentary;
        let label = &own.row.label;
        let at = redundant.iter().position(|known| known.joint == *label);
        let at = at.unwrap_or_else(|| {
            redundant.push(Redundant {
                joint: label.clone(),
                rows: 0,
                with: Vec::new(),
                momentary: true,
            });
            redundant.len() - 1
        });
        let known = &mut redundant[at];
        known.rows += 1;
        known.momentary &= momentary;
        for row in &own.with {
            if row.label != *label && !known.with.contains(&row.label) {
                known.with.push(row.label.clone());
            }
        }
    }
    // What cannot hold is told as that alone: without it the motion is another.
    redundant.retain(|own| !contradictory.iter().any(|bad| bad.joint == own.joint));
    Findings {
        mobility: diagnosis.mobility,
        velocities: diagnosis.n_v,
        rows: diagnosis.n_rows,
        rank: diagnosis.rank,
        closure: diagnosis.closure.into(),
        redundant,
        contradictory,
        undetermined: undetermined(diagnosis),
        held: diagnosis.holds.by.iter().map(Held::from).collect(),
        held_mobility: diagnosis.held_mobility(),
        overlaps: Vec::new(),
        motions,
    }
}

/// Bodies that are in each other by more than numbers of files are rounded by.
fn overlapping(world: &World) -> Vec<Overlapping> {
    const ROUNDING: f64 = 1e-6;
    let name = |id| world.body_label(id).unwrap_or("ground").to_owned();
    let told = |own: &Overlap| Overlapping {
        bodies: own.bodies.map(name),
        depth_m: own.depth,
        collide: own.collide,
    };
    let all = world.overlaps();
    let all = all.iter().filter(|own| own.depth > ROUNDING);
    all.map(told).collect()
}

/// How far a body goes in a displacement: 1 is as far as is shown.
fn moved(record: &BodyRecord, motion: &[f64], extent: f64) -> f64 {
    let own = &motion[record.v_range()];
    let norm = |part: &[f64]| part.iter().map(|x| x * x).sum::<f64>().sqrt();
    match own.len() {
        6 if record.body().as_rigid().is_some() => {
            (norm(&own[..3]) / (REACH * extent)).max(norm(&own[3..]) / TURN)
        }
        3 if (record.body() as &dyn std::any::Any).is::<PlanarBody>() => {
            (norm(&own[..2]) / (REACH * extent)).max(own[2].abs() / TURN)
        }
        _ => norm(own) / (REACH * extent),
    }
}

fn moved_most(world: &World, motion: &[f64], extent: f64) -> f64 {
    let bodies = world.bodies().iter();
    bodies.fold(0.0, |most, record| moved(record, motion, extent).max(most))
}

/// The bodies that move most, at most six.
fn moving(world: &World, motion: &[f64], extent: f64) -> Vec<String> {
    let least = 0.05 * moved_most(world, motion, extent);
    let bodies = world.bodies().iter();
    let mut bodies: Vec<(f64, &str)> = bodies
        .map(|record| (moved(record, motion, extent), record.label()))
        .filter(|own| own.0 > least)
        .collect();
    let mut names = Vec::new();
    // One by one, the first among equals: a sort is 5 kB of the browser's module.
    while names.len() < 6 && !bodies.is_empty() {
        let mut most = 0;
        for k in 1..bodies.len() {
            if bodies[k].0 > bodies[most].0 {
                most = k;
            }
        }
        names.push(bodies.remove(most).1.to_owned());
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork_scene::command::Session;
    use linkwork_scene::library;

    /// What contacts push apart, and what its groups let pass through for good.
    #[test]
    fn bodies_that_are_in_each_other_are_named() {
        let scene = r#"{"linkwork": 1, "bodies": [
            {"name": "low", "type": "sphere", "radius": 0.1, "mass": 1, "collide": true},
            {"name": "high", "type": "sphere", "radius": 0.1, "mass": 1, "position": [0, 0.15, 0], "collide": true},
            {"name": "ghost", "type": "sphere", "radius": 0.1, "mass": 1, "position": [0, -0.12, 0], "collide": true,
             "not_with": ["low", "high"]}]}"#;
        let scene = linkwork_scene::load(scene).unwrap();
        let found = Study::of(&scene).unwrap().findings.overlaps;
        let [pushed, apart] = &found[..] else {
            panic!("{found:?}");
        };
        assert_eq!(pushed.bodies, ["low", "high"]);
        assert!(pushed.collide && (pushed.depth_m - 0.05).abs() < 1e-12);
        assert_eq!(apart.bodies, ["low", "ghost"]);
        assert!(!apart.collide && (apart.depth_m - 0.08).abs() < 1e-12);
    }

    #[test]
    fn a_joint_that_cannot_hold_is_not_called_harmless_too() {
        let mut session = Session::new(library::open("four-bar").unwrap()).unwrap();
        let cord = r#"{"join": {"name": "cord", "type": "distance", "length": 0.1,
            "a": {"body": "ground", "point": [0, 3, 0]}, "b": {"body": "crank", "point": [0.5, 0, 0]}}}"#;
        session.apply(&cord.parse().unwrap()).unwrap();
        let found = Study::of(session.scene()).unwrap().findings;
        assert_eq!(found.closure, ClosureFound::Contradictory);
        let open = found.contradictory.iter().find(|own| own.joint == "cord");
        // The crank reaches up to 1 m: 1.9 m are left, shared by the cord and the pin it pulls at.
        let open = open.unwrap();
        assert!((open.residual - 0.95).abs() < 1e-6, "{open:?}");
        assert!(found.redundant.iter().all(|own| own.joint != "cord"));
        assert!(found.redundant.iter().any(|own| own.joint == "D"));
    }
}
