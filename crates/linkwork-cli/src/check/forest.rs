//! The spanning forest: which joints are in it, which close loops, and which asked for another place.

use linkwork::prelude::*;
use linkwork::simulator::Standing;
use linkwork::world::{ConstraintRecord, Tree};
use serde::Serialize;

use super::warnings::Warning;
use crate::numbers::{count, escaped, names};

/// The spanning forest, with the keys of `--json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Forest {
    /// Rows that are solved exactly.
    pub(crate) rows: usize,
    /// Joints in it, each with the body that it holds to the rest.
    pub(crate) tree: Vec<Held>,
    /// Joints that close loops.
    pub(crate) loops: Vec<String>,
    /// Their rows.
    pub(crate) loop_rows: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Held {
    joint: String,
    holds: String,
}

impl Forest {
    pub(crate) fn of(world: &World) -> Result<Self, Error> {
        let mut forest = Self::default();
        let standings = Simulator::new().standings(world);
        for (record, standing) in world.constraints().iter().zip(standings) {
            let (joint, n_rows) = (record.label().to_owned(), record.rows().len());
            match standing {
                Standing::Holds(body) => {
                    let holds = world.body_record(body)?.label().to_owned();
                    forest.tree.push(Held { joint, holds });
                    forest.rows += n_rows;
                }
                Standing::ClosesLoop => {
                    forest.loops.push(joint);
                    forest.loop_rows += n_rows;
                }
                Standing::Apart => {}
            }
        }
        Ok(forest)
    }

    pub(crate) fn in_words(&self) -> String {
        let rows = count(self.rows, "row", "rows");
        let loops = count(self.loop_rows, "row of loops", "rows of loops");
        format!("{rows} in the tree, {loops}: {}", names(&self.loops))
    }
}

/// Joints that asked for a place which they cannot have.
pub(super) fn not_granted(world: &World) -> Vec<Warning> {
    let standings = Simulator::new().standings(world);
    let all = world.constraints().iter().zip(standings);
    all.filter(|(record, standing)| !standing.grants(record.tree()))
        .map(|(record, standing)| {
            let name = escaped(record.label());
            let (why, hint) = reason(world, record, standing);
            Warning {
                kind: "tree",
                names: vec![record.label().to_owned()],
                text: format!(
                    "\"{name}\" asks for \"tree\": \"{}\", but {why}",
                    record.tree()
                ),
                hint: hint.to_owned(),
            }
        })
        .collect()
}

fn reason(
    world: &World,
    record: &ConstraintRecord,
    standing: Standing,
) -> (&'static str, &'static str) {
    let freedoms = |body: BodyId| {
        let own = world.body_record(body).ok()?;
        Some(own.v_range().len()).filter(|n| *n > 0)
    };
    let mut bodies: Vec<BodyId> = record
        .connectors()
        .iter()
        .flat_map(|own| world.bodies_of(own))
        .copied()
        .collect();
    bodies.retain(|body| freedoms(*body).is_some());
    bodies.sort_unstable();
    bodies.dedup();
    let n_rows = record.rows().len();
    match standing {
        Standing::Apart => (
            "it is not in the exact equations: it is inactive, or gives way",
            "leave \"tree\" out, or make it exact (\"priority\": 0)",
        ),
        Standing::Holds(_) => (
            "its body absorbs it with its other springs",
            "leave \"tree\" out: it costs nothing there",
        ),
        Standing::ClosesLoop if record.tree() == Tree::In && bodies.len() > 2 => (
            "it holds more than two bodies; it closes a loop",
            "leave \"tree\" out",
        ),
        Standing::ClosesLoop
            if bodies
                .iter()
                .any(|body| freedoms(*body).is_some_and(|n| n_rows > n)) =>
        {
            (
                "it has more rows than its body has degrees of freedom; it closes a loop",
                "leave \"tree\" out",
            )
        }
        Standing::ClosesLoop => (
            "other joints that ask for it already connect its bodies; it closes a loop",
            "leave \"tree\" out of one of the joints of that loop",
        ),
    }
}
