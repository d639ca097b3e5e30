//! World options as entries.

use linkwork::prelude::*;

use super::is;
use crate::format::{
    DynamicsKind, IntegratorKind, MethodKind, PresetKind, StabilizationEntry, StabilizationKind,
    WorldEntry,
};
use crate::scene::{FRAME, Scene};

/// The world's own gravity: the first behavior, of that name.
pub(super) fn is_gravity(world: &World, record: &BehaviorRecord) -> bool {
    let first = world.behaviors().first();
    record.label() == "gravity"
        && record.enabled()
        && first.is_some_and(|first| first.id() == record.id())
        && is::<Gravity>(record.behavior()).is_some()
}

pub(super) fn entry(scene: &Scene) -> WorldEntry {
    let (world, options) = (&scene.world, &scene.options);
    let gravity = world
        .behaviors()
        .first()
        .filter(|record| is_gravity(world, record));
    let gravity = gravity.and_then(|record| is::<Gravity>(record.behavior()));
    let mut entry = WorldEntry {
        gravity: gravity.map(|gravity| gravity.acceleration_world),
        dynamics: match world.dynamics() {
            Dynamics::SecondOrder => DynamicsKind::SecondOrder,
            Dynamics::FirstOrder => DynamicsKind::FirstOrder,
            Dynamics::Assembly => DynamicsKind::Assembly,
        },
        dt: (options.dt != FRAME).then_some(options.dt),
        ..WorldEntry::default()
    };
    match options.scheme {
        Scheme::Interactive(guards) => {
            let own = guards != InteractiveOptions::default();
            entry.max_level = own.then_some(guards.max_depth);
        }
        Scheme::Precise(control) => {
            entry.preset = PresetKind::Precise;
            let own = control != PreciseOptions::default();
            entry.step_tolerance = control.tolerance.filter(|_| own);
        }
        Scheme::Symplectic4 => entry.preset = PresetKind::Symplectic4,
        Scheme::Parts {
            integrator,
            stabilization,
        } => {
            entry.preset = PresetKind::Parts;
            entry.integrator = Some(match integrator {
                Integrator::Euler => IntegratorKind::Euler,
                Integrator::SymplecticEuler => IntegratorKind::SymplecticEuler,
                Integrator::Rk4 => IntegratorKind::Rk4,
                Integrator::Stoermer => IntegratorKind::Stoermer,
            });
            entry.stabilization = Some(stabilization_entry(stabilization));
        }
    }
    let mut iterates = |kind: MethodKind, krylov: Krylov| {
        let defaults = Krylov::default();
        let own = krylov.max_iterations != defaults.max_iterations;
        entry.solve_iterations = own.then_some(krylov.max_iterations);
        let own = krylov.tolerance != defaults.tolerance;
        entry.solve_tolerance = own.then_some(krylov.tolerance);
        entry.warm_start = (!krylov.warm_start).then_some(false);
        kind
    };
    entry.method = match options.method {
        Method::Direct => MethodKind::Direct,
        Method::ForestDense => MethodKind::ForestDense,
        Method::ForestKrylov(krylov) => iterates(MethodKind::ForestKrylov, krylov),
        Method::NormalDense => MethodKind::NormalDense,
        Method::NormalCg(krylov) => iterates(MethodKind::NormalCg, krylov),
    };
    let (budget, defaults) = (options.budget, Budget::default());
    let own = budget.max_iterations != defaults.max_iterations;
    entry.iterations = own.then_some(budget.max_iterations);
    let own = budget.tolerance != defaults.tolerance;
    entry.tolerance = own.then_some(budget.tolerance);
    entry
}

fn stabilization_entry(stabilization: Stabilization) -> StabilizationEntry {
    let mut entry = StabilizationEntry {
        kind: StabilizationKind::None,
        stiffness: None,
        damping: None,
        alpha: None,
        beta: None,
        iterations: None,
    };
    match stabilization {
        Stabilization::None => {}
        Stabilization::Post { iterations } => {
            (entry.kind, entry.iterations) = (StabilizationKind::Post, Some(iterations));
        }
        Stabilization::Displacement { iterations } => {
            (entry.kind, entry.iterations) = (StabilizationKind::Displacement, Some(iterations));
        }
        Stabilization::Feedback { stiffness, damping } => {
            entry.kind = StabilizationKind::Feedback;
            (entry.stiffness, entry.damping) = (Some(stiffness), Some(damping));
        }
        Stabilization::Baumgarte { alpha, beta } => {
            entry.kind = StabilizationKind::Baumgarte;
            (entry.alpha, entry.beta) = (Some(alpha), Some(beta));
        }
    }
    entry
}
