//! Which bodies hang together, and which joints close loops.

use std::collections::{BTreeMap, BTreeSet};

use linkwork::prelude::*;
use linkwork::world::{BehaviorRecord, ConstraintRecord, Tree};

/// The graph of a world: bodies and the ground are nodes, joints are edges.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Structure {
    /// Groups of bodies that joints connect, the ground left out.
    pub(crate) n_mechanisms: usize,
    /// Joints that close a loop, the ground being one node. Further joints between two bodies that
    /// are joined already, such as the drive of a hinge, close none; nor do gears and other couplings
    /// of three and more connectors.
    pub(crate) closing: Vec<String>,
    /// Bodies that move and that no joint holds.
    pub(crate) free: Vec<String>,
    /// Joints that prescribe a motion.
    pub(crate) drives: Vec<String>,
}

impl Structure {
    /// Of the joints that act and are not all soft.
    pub(crate) fn of(world: &World) -> Result<Self, linkwork::Error> {
        let mut structure = Self::default();
        let mut with_ground = Groups::default();
        let mut without = Groups::default();
        let mut edges = BTreeSet::new();
        let mut touched = BTreeSet::new();
        let mut couplings = Vec::new();
        // Joints that ask for the tree come first, and those that ask to close loops last.
        let mut records: Vec<&ConstraintRecord> = world.constraints().iter().collect();
        records.sort_by_key(|record| match record.tree() {
            Tree::In => 0,
            Tree::Automatic => 1,
            Tree::Loop => 2,
        });
        for record in records {
            if !world.is_active(record.id())? {
                continue;
            }
            let ends = record.connectors().iter();
            let bodies = ends.flat_map(|own| world.bodies_of(own));
            let bodies: Vec<BodyId> = bodies.copied().collect();
            touched.extend(bodies.iter().copied());
            if record.compliance().iter().all(|alpha| *alpha > 0.0) {
                continue;
            }
            if bodies.len() > 2 {
                couplings.push(bodies);
                continue;
            }
            for pair in bodies.windows(2) {
                let edge = (pair[0].min(pair[1]), pair[0].max(pair[1]));
                if edge.0 == edge.1 || !edges.insert(edge) {
                    continue;
                }
                if !with_ground.join(edge.0, edge.1) {
                    structure.closing.push(record.label().to_owned());
                }
                without.join_above_ground(edge.0, edge.1);
            }
        }
        for pair in couplings.iter().flat_map(|bodies| bodies.windows(2)) {
            without.join_above_ground(pair[0], pair[1]);
        }
        let pulled = world.behaviors().iter().filter(|record| record.enabled());
        let ends = pulled.flat_map(BehaviorRecord::connectors);
        touched.extend(ends.flat_map(|own| world.bodies_of(own)));
        let moving = world
            .bodies()
            .iter()
            .filter(|record| record.enabled() && !record.v_range().is_empty());
        let mut groups = BTreeSet::new();
        for record in moving {
            groups.insert(without.leader(record.id()));
            if !touched.contains(&record.id()) {
                structure.free.push(record.label().to_owned());
            }
        }
        structure.n_mechanisms = groups.len();
        structure.drives = drives(world)?;
        Ok(structure)
    }
}

/// Joints whose rows change when nothing but time passes: drives, paths, and what holds on to bodies
/// with prescribed motion.
fn drives(world: &World) -> Result<Vec<String>, linkwork::Error> {
    // Not likely to be a period of anything.
    const LATER: f64 = 0.123_456_789;
    let mut later = world.clone();
    later.set_time(world.state().t + LATER)?;
    let mut drives = Vec::new();
    for record in world.constraints() {
        let is_active = world.is_active(record.id())?;
        if is_active
            && world.constraint_values(record.id())? != later.constraint_values(record.id())?
        {
            drives.push(record.label().to_owned());
        }
    }
    Ok(drives)
}

/// Disjoint sets of bodies.
#[derive(Default)]
struct Groups(BTreeMap<BodyId, BodyId>);

impl Groups {
    fn leader(&mut self, body: BodyId) -> BodyId {
        let mut top = body;
        while let Some(above) = self.0.get(&top).copied().filter(|above| *above != top) {
            top = above;
        }
        // What was passed on the way points to the top from now on.
        let mut at = body;
        while let Some(above) = self.0.insert(at, top).filter(|above| *above != top) {
            at = above;
        }
        top
    }

    fn join_above_ground(&mut self, a: BodyId, b: BodyId) {
        if a != GROUND && b != GROUND {
            self.join(a, b);
        }
    }

    /// Whether the two were apart.
    fn join(&mut self, a: BodyId, b: BodyId) -> bool {
        let (a, b) = (self.leader(a), self.leader(b));
        self.0.insert(a, b);
        a != b
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_and_mechanisms_are_counted() {
        let of = |name: &str| Structure::of(&linkwork_scene::scene(name).unwrap()).unwrap();
        let four_bar = of("four-bar");
        assert_eq!((four_bar.n_mechanisms, four_bar.closing.len()), (1, 1));
        let chain = of("chain:20");
        assert_eq!((chain.n_mechanisms, chain.closing.len()), (1, 0));
        let differential = of("differential");
        assert_eq!(
            (differential.n_mechanisms, differential.closing.len()),
            (1, 0)
        );
        assert_eq!(of("sheet:3").closing.len(), {
            let world = linkwork_scene::scene("sheet:3").unwrap();
            // Cycle rank: edges − nodes + components; it lies free, and joints join different pairs.
            world.constraints().len() - world.bodies().len() + 1
        });
    }
}
