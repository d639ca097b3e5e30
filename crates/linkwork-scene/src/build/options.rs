//! World options of entries.

use linkwork::prelude::*;

use super::body::need;
use super::check_fields;
use crate::fault::Fault;
use crate::format::{
    DynamicsKind, IntegratorKind, MethodKind, PresetKind, StabilizationEntry, StabilizationKind,
    WorldEntry,
};
use crate::scene::{FRAME, Scene};
use crate::write::json;

/// Sets gravity, dynamics and how steps are taken, of a scene that has no gravity yet.
pub(crate) fn set(scene: &mut Scene, entry: &WorldEntry) -> Result<(), Fault> {
    scene.options = options(entry)?;
    scene.world.set_dynamics(dynamics(entry));
    if let Some(acceleration_world) = entry.gravity {
        let law = Gravity { acceleration_world };
        scene.world.add_behavior("gravity", law, &[])?;
    }
    Ok(())
}

/// What forces do.
pub(crate) fn dynamics(entry: &WorldEntry) -> Dynamics {
    match entry.dynamics {
        DynamicsKind::SecondOrder => Dynamics::SecondOrder,
        DynamicsKind::FirstOrder => Dynamics::FirstOrder,
        DynamicsKind::Assembly => Dynamics::Assembly,
    }
}

/// How steps are taken.
pub(crate) fn options(entry: &WorldEntry) -> Result<StepOptions, Fault> {
    let only = |field: &str, given: bool, preset: PresetKind| {
        if given && entry.preset != preset {
            let hint = format!("give \"preset\": {}", json(&preset)?);
            return Err(Fault::at(field, "belongs to another preset").hint(hint));
        }
        Ok(())
    };
    only("integrator", entry.integrator.is_some(), PresetKind::Parts)?;
    only(
        "stabilization",
        entry.stabilization.is_some(),
        PresetKind::Parts,
    )?;
    only(
        "step_tolerance",
        entry.step_tolerance.is_some(),
        PresetKind::Precise,
    )?;
    only(
        "max_level",
        entry.max_level.is_some(),
        PresetKind::Interactive,
    )?;
    let dt = entry.dt.unwrap_or(FRAME);
    if dt <= 0.0 {
        return Err(Fault::at("dt", format!("is {dt}")).hint("give seconds, such as 0.001"));
    }
    let mut options = match entry.preset {
        PresetKind::Interactive => StepOptions::interactive(dt),
        PresetKind::Precise => StepOptions::precise(dt),
        PresetKind::Symplectic4 => StepOptions::symplectic4(dt),
        PresetKind::Parts => {
            let integrator = need(entry.integrator, "integrator", "such as \"rk4\"")?;
            let integrator = match integrator {
                IntegratorKind::Euler => Integrator::Euler,
                IntegratorKind::SymplecticEuler => Integrator::SymplecticEuler,
                IntegratorKind::Rk4 => Integrator::Rk4,
                IntegratorKind::Stoermer => Integrator::Stoermer,
            };
            let stabilization = match &entry.stabilization {
                Some(own) => stabilization(own).map_err(|fault| fault.under("stabilization"))?,
                None => Stabilization::Post { iterations: 10 },
            };
            StepOptions::parts(dt, integrator, stabilization)
        }
    };
    match &mut options.scheme {
        Scheme::Interactive(guards) => {
            guards.max_depth = entry.max_level.unwrap_or(guards.max_depth);
        }
        Scheme::Precise(control) => {
            control.tolerance = entry.step_tolerance.or(control.tolerance);
        }
        _ => {}
    }
    options.method = method(entry)?;
    let budget = &mut options.budget;
    budget.max_iterations = entry.iterations.unwrap_or(budget.max_iterations);
    budget.tolerance = entry.tolerance.unwrap_or(budget.tolerance);
    Ok(options)
}

/// How multipliers are found.
fn method(entry: &WorldEntry) -> Result<Method, Fault> {
    let defaults = Krylov::default();
    let krylov = Krylov {
        tolerance: entry.solve_tolerance.unwrap_or(defaults.tolerance),
        max_iterations: entry.solve_iterations.unwrap_or(defaults.max_iterations),
        warm_start: entry.warm_start.unwrap_or(true),
    };
    let method = match entry.method {
        MethodKind::Direct => Method::Direct,
        MethodKind::ForestDense => Method::ForestDense,
        MethodKind::ForestKrylov => Method::ForestKrylov(krylov),
        MethodKind::NormalDense => Method::NormalDense,
        MethodKind::NormalCg => Method::NormalCg(krylov),
    };
    let iterates = matches!(method, Method::ForestKrylov(_) | Method::NormalCg(_));
    for (field, given) in [
        ("solve_iterations", entry.solve_iterations.is_some()),
        ("solve_tolerance", entry.solve_tolerance.is_some()),
        ("warm_start", entry.warm_start.is_some()),
    ] {
        if given && !iterates {
            let hint = "give \"method\": \"forest-krylov\" or \"normal-cg\"";
            return Err(Fault::at(field, "belongs to iterative methods").hint(hint));
        }
    }
    Ok(method)
}

fn stabilization(entry: &StabilizationEntry) -> Result<Stabilization, Fault> {
    check_fields(entry)?;
    let iterations = entry.iterations.unwrap_or(10);
    Ok(match entry.kind {
        StabilizationKind::None => Stabilization::None,
        StabilizationKind::Post => Stabilization::Post { iterations },
        StabilizationKind::Displacement => Stabilization::Displacement { iterations },
        StabilizationKind::Feedback => Stabilization::Feedback {
            stiffness: need(entry.stiffness, "stiffness", "per row unit")?,
            damping: need(entry.damping, "damping", "per row unit and second")?,
        },
        StabilizationKind::Baumgarte => Stabilization::Baumgarte {
            alpha: need(entry.alpha, "alpha", "in 1/s")?,
            beta: need(entry.beta, "beta", "in 1/s")?,
        },
    })
}
