//! Closing a copy of a world by displacements, here and nearby.

use std::borrow::Cow;

use super::Closure;
use super::echelon::echelon;
use super::geometry::Geometry;
use super::tolerances::{AT_REST, CLOSED, LEFT_BY_STEPS, MAX_ITERATIONS, MAX_TURN, NEARBY};
use crate::body::MassKind;
use crate::simulator::Simulator;
use crate::solve::{Method, Outcome};
use crate::system::Motion;
use crate::world::World;

/// A world closed as well as possible.
pub(super) struct Closed<'a> {
    /// The world itself where it is closed already: large worlds are not held twice.
    pub(super) world: Cow<'a, World>,
    pub(super) closure: Closure,
    /// Remaining error of each row, meters.
    pub(super) errors: Vec<f64>,
}

/// Closes a copy of `world`, unless it is closed.
pub(super) fn close(world: &World) -> Closed<'_> {
    let mut nearer = Cow::Borrowed(world);
    let mut simulator = Simulator::new();
    let mut errors = Vec::new();
    let mut closure = Closure::Closable;
    for iteration in 0..MAX_ITERATIONS {
        let largest = fill_errors(&mut simulator, &nearer, &mut errors);
        if largest == f64::INFINITY {
            // There is no displacement from or to a state where a formula has no value.
            break;
        }
        let enough = CLOSED * simulator.system().characteristic_length();
        if iteration == 0 && largest <= enough.max(LEFT_BY_STEPS) {
            closure = Closure::Closed;
        }
        if largest <= enough {
            return Closed {
                world: nearer,
                closure,
                errors,
            };
        }
        // The best displacement is zero: the rest is contradiction.
        if correct(&mut simulator, nearer.to_mut()) <= AT_REST {
            return Closed {
                world: nearer,
                closure: Closure::Contradictory,
                errors,
            };
        }
    }
    Closed {
        world: Cow::Borrowed(world),
        closure: Closure::Unknown,
        errors,
    }
}

/// Fills the equations of a displacement. Writes what each row is open by, and returns the largest:
/// infinity, if one is not a number.
fn fill_errors(simulator: &mut Simulator, world: &World, errors: &mut Vec<f64>) -> f64 {
    simulator.fill(world, Motion::Displacement, &Method::Direct.into());
    let system = simulator.system();
    let active = system.active_rows();
    errors.clear();
    for (row, c) in system.c().iter().enumerate() {
        let counts = active[row] == Some(0) && system.compliance()[row] == 0.0;
        errors.push(if counts {
            c * system.row_scale()[row]
        } else {
            0.0
        });
    }
    let larger = |m: f64, error: &f64| match error.is_finite() {
        true => m.max(error.abs()),
        false => f64::INFINITY,
    };
    errors.iter().fold(0.0, larger)
}

/// One displacement of what was filled. Returns its length in sizes of the bodies.
fn correct(simulator: &mut Simulator, world: &mut World) -> f64 {
    simulator.factor(&Method::Direct);
    let mut motion = simulator.solve_prepared().motion.clone();
    let length = simulator.system().characteristic_length();
    let moved = largest_step(world, &motion, length);
    let turned = largest_turn(world, &motion);
    if turned > MAX_TURN {
        motion.iter_mut().for_each(|x| *x *= MAX_TURN / turned);
    }
    displace(world, &motion, 1.0);
    moved
}

/// How far a displacement moves any body's mass on average, `√(dqᵀ·M·dq/m)`, in sizes of the bodies.
fn largest_step(world: &World, dq: &[f64], length: f64) -> f64 {
    let mut largest = 0.0f64;
    for record in world.bodies() {
        let (q, dq) = (&world.state().q[record.q_range()], &dq[record.v_range()]);
        let n = dq.len();
        let (mass, _) = record.body().center_of_mass(q);
        let mut m = vec![0.0; n * n];
        let square: f64 = match record.body().mass_kind() {
            MassKind::Dense => {
                record.body().mass(q, &mut m);
                let rows = m.chunks_exact(n.max(1)).zip(dq);
                rows.map(|(row, a)| a * row.iter().zip(dq).map(|(m, b)| m * b).sum::<f64>())
                    .sum()
            }
            MassKind::Diagonal => {
                record.body().mass(q, &mut m[..n]);
                m.iter().zip(dq).map(|(m, a)| m * a * a).sum()
            }
            MassKind::Patterned(pattern) => {
                let mut values = vec![0.0; pattern.entries().len()];
                record.body().mass(q, &mut values);
                pattern.multiply(&values, dq, &mut m[..n]);
                m.iter().zip(dq).map(|(m, a)| m * a).sum()
            }
            MassKind::Opaque(_) => mass * dq.iter().map(|a| a * a).sum::<f64>(),
        };
        let (mass, length) = match mass > 0.0 {
            true => (mass, length),
            // Plain numbers have no mass; each counts with its own metric, without a length.
            false => (m.iter().fold(0.0, |most: f64, own| most.max(*own)), 1.0),
        };
        largest = largest.max((square / mass.max(f64::MIN_POSITIVE)).sqrt() / length);
    }
    largest
}

/// The largest turn of a rigid body in a displacement.
fn largest_turn(world: &World, dq: &[f64]) -> f64 {
    let rigid = world
        .bodies()
        .iter()
        .filter(|record| record.body().as_rigid().is_some());
    rigid.fold(0.0, |largest, record| {
        let d = &dq[record.v_range()];
        largest.max((d[3] * d[3] + d[4] * d[4] + d[5] * d[5]).sqrt())
    })
}

/// Moves every body by `factor·dq`.
fn displace(world: &mut World, dq: &[f64], factor: f64) {
    let mut state = world.state().clone();
    for record in world.bodies() {
        let step: Vec<f64> = dq[record.v_range()].iter().map(|d| factor * d).collect();
        record
            .body()
            .displace(&mut state.q[record.q_range()], &step);
    }
    // A state that is not finite is refused; the copy then stays where it was.
    let _ = world.set_state(state);
}

/// The rows that are redundant at nearby closed poses: those that name a dependency at the pose
/// that has the fewest. `None` if no such pose was found.
pub(super) fn nearby_dependencies(world: &World, geometry: &mut Geometry) -> Option<Vec<usize>> {
    // A pose picked at random has the fewest dependencies; other tries are for poses that do not
    // close.
    for _ in 0..3 {
        let motion = geometry.motion();
        let size = largest_step(world, &motion, geometry.length());
        if size < AT_REST {
            return None;
        }
        let mut copy = world.clone();
        displace(&mut copy, &motion, NEARBY / size);
        let closed = close(&copy);
        if matches!(closed.closure, Closure::Closed | Closure::Closable) {
            geometry.factor(&closed.world);
            let groups = echelon(geometry.dependencies());
            geometry.factor(world);
            return Some(groups.iter().map(|group| group.pivot).collect());
        }
    }
    None
}

/// Remaining error of each row's prescribed speed when all are met in least squares, m/s; zero if all can be
/// met.
pub(super) fn speed_errors(world: &World) -> Vec<f64> {
    let n_rows = world.state().lambda.len();
    let Some(mut rest) = at_rest(world) else {
        return vec![0.0; n_rows];
    };
    let mut simulator = Simulator::new();
    simulator.fill(&rest, Motion::Velocity, &Method::Direct.into());
    if simulator.system().c_dot().iter().all(|rate| *rate == 0.0) {
        // No speed is prescribed, so all can be met.
        return vec![0.0; n_rows];
    }
    simulator.factor(&Method::Direct);
    let solution = simulator.solve_prepared();
    if solution.outcome != Outcome::LeastSquares {
        return vec![0.0; n_rows];
    }
    let motion = solution.motion.clone();
    let mut state = rest.state().clone();
    state.v.copy_from_slice(&motion);
    if rest.to_mut().set_state(state).is_err() {
        return vec![0.0; n_rows];
    }
    simulator.velocity_correction(&rest, Method::Direct);
    let system = simulator.system();
    let active = system.active_rows();
    (0..n_rows)
        .map(|row| {
            let counts = active[row] == Some(0) && system.compliance()[row] == 0.0;
            if counts {
                system.c_dot()[row] * system.row_scale()[row]
            } else {
                0.0
            }
        })
        .collect()
}

/// The same world at rest, a copy where it moves.
fn at_rest(world: &World) -> Option<Cow<'_, World>> {
    if world.state().v.iter().all(|v| *v == 0.0) {
        return Some(Cow::Borrowed(world));
    }
    let mut rest = world.clone();
    let mut state = rest.state().clone();
    state.v.fill(0.0);
    rest.set_state(state).ok()?;
    Some(Cow::Owned(rest))
}
