//! Forces where nothing has moved yet.

use linkwork::prelude::*;
use linkwork::world::ConstraintRecord;

use crate::scene::Scene;

/// The scene with what limits, motors that give way and contacts push with where it begins: what they push its first
/// step with. An instant is not solved for them (`Simulator::accelerations`), and before the first step nobody knows.
///
/// None where nothing is bounded, and where the first step is refused.
pub(super) fn begin(scene: &Scene) -> Option<Scene> {
    let world = &scene.world;
    let is_bounded = |record: &ConstraintRecord| record.constraint().bound().is_some();
    let has_bounds = world.constraints().iter().any(is_bounded)
        || world.bodies().iter().any(|own| !own.colliders().is_empty());
    if !has_bounds || world.dynamics() == Dynamics::Assembly {
        return None;
    }
    let mut ahead = world.clone();
    let mut simulator = Simulator::new().remembering(0);
    simulator.step(&mut ahead, &scene.options).ok()?;
    // Joints may have broken.
    if ahead.state().lambda.len() != world.state().lambda.len() {
        return None;
    }
    let mut state = world.state().clone();
    for record in world.constraints().iter().filter(|own| is_bounded(own)) {
        let rows = record.row_range();
        state.lambda[rows.clone()].copy_from_slice(&ahead.state().lambda[rows]);
    }
    state.touching.clone_from(&ahead.state().touching);
    let mut begun = scene.clone();
    begun.world.set_state(state).ok()?;
    Some(begun)
}
