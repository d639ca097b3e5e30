//! What the tests share: solving by every method, and reading answers by label.

use linkwork::body::MassProperties;
use linkwork::connector::Connector;
use linkwork::math::{Vec3, add, cross, mat_t_vec, quat_to_matrix, sub};
use linkwork::prelude::*;
use linkwork::solve::Outcome;

pub(crate) const G: f64 = 9.81;

/// Solves for accelerations by every method; each answer must meet the equations.
pub(crate) fn accelerations(world: &World, mut check: impl FnMut(&Answer<'_>)) {
    for method in Method::ALL {
        let mut simulator = Simulator::new();
        simulator.accelerations(world, method);
        check(&Answer::new(world, &simulator, method));
    }
}

/// Velocities made consistent by every method.
pub(crate) fn velocities(world: &World, mut check: impl FnMut(&World, Method)) {
    for method in Method::ALL {
        check(&with_consistent_velocities(world, method), method);
    }
}

/// The world with the nearest velocities that keep every constraint.
pub(crate) fn with_consistent_velocities(world: &World, method: Method) -> World {
    let mut simulator = Simulator::new();
    let mut world = world.clone();
    let mut state = world.state().clone();
    let solution = simulator.velocity_correction(&world, method);
    for (v, dv) in state.v.iter_mut().zip(&solution.motion) {
        *v += dv;
    }
    world.set_state(state).unwrap();
    world
}

/// An answer, read by labels.
pub(crate) struct Answer<'a> {
    pub(crate) world: &'a World,
    pub(crate) simulator: &'a Simulator,
    pub(crate) method: Method,
}

impl<'a> Answer<'a> {
    fn new(world: &'a World, simulator: &'a Simulator, method: Method) -> Self {
        let answer = Self {
            world,
            simulator,
            method,
        };
        let solution = simulator.solution();
        assert!(
            solution.residual.rows_relative < 1e-9 && solution.residual.force_relative < 1e-9,
            "{}: {:?} after {} iterations, {:?}",
            answer.name(),
            solution.residual,
            solution.iterations,
            solution.outcome
        );
        assert_eq!(solution.outcome, Outcome::Exact, "{}", answer.name());
        answer
    }

    pub(crate) fn name(&self) -> &'static str {
        self.method.name()
    }

    /// The motion of a body, in its velocity coordinates.
    pub(crate) fn of(&self, label: &str) -> &[f64] {
        let id = self.world.find_body(label).unwrap();
        let range = self.world.body_record(id).unwrap().v_range();
        &self.simulator.solution().motion[range]
    }

    /// The multipliers of a constraint.
    pub(crate) fn lambda(&self, label: &str) -> &[f64] {
        let id = self.world.find_constraint(label).unwrap();
        let range = self.world.constraint_record(id).unwrap().row_range();
        &self.simulator.solution().lambda[range]
    }

    /// Acceleration of a point of a rigid body, `a + α × r + ω × (ω × r)`, given where it is now.
    pub(crate) fn point(&self, label: &str, x_world: Vec3) -> Vec3 {
        let id = self.world.find_body(label).unwrap();
        let (q, v, a) = (
            self.world.q(id).unwrap(),
            self.world.v(id).unwrap(),
            self.of(label),
        );
        let r = sub(x_world, vec3(q));
        let (alpha, omega) = (vec3(&a[3..]), vec3(&v[3..]));
        let bend = cross(omega, cross(omega, r));
        add(vec3(a), add(cross(alpha, r), bend))
    }

    /// Compares numbers, relative to the largest expected (and at least to `floor`).
    #[track_caller]
    pub(crate) fn close(&self, found: &[f64], expected: &[f64], tolerance: f64) {
        close(self.name(), found, expected, tolerance);
    }
}

/// Compares numbers to a tolerance relative to the largest expected, absolute if all are small.
#[track_caller]
pub(crate) fn close(name: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{name}: {found:?}");
    let size = expected.iter().fold(0.0f64, |m, e| m.max(e.abs())).max(1.0);
    for (f, e) in found.iter().zip(expected) {
        assert!(
            (f - e).abs() <= tolerance * size,
            "{name}: found {found:?}, expected {expected:?}"
        );
    }
}

pub(crate) fn vec3(values: &[f64]) -> Vec3 {
    [values[0], values[1], values[2]]
}

/// Where a world point is on a rigid body (or the ground).
pub(crate) fn point_on(world: &World, body: BodyId, x_world: Vec3) -> Connector {
    let pose = world.pose(body).unwrap().unwrap();
    let rotation = quat_to_matrix(pose.rotation);
    body.at(mat_t_vec(&rotation, sub(x_world, pose.position)))
}

/// A rigid body with principal moments along its axes.
pub(crate) fn rigid(mass: f64, moments: Vec3) -> RigidBody {
    RigidBody::new(MassProperties::centered(mass, moments))
}

pub(crate) fn down_y() -> World {
    World::with_gravity([0.0, -G, 0.0]).unwrap()
}

/// The value of every row at this moment, largest in meters or radians.
pub(crate) fn assembly_error(world: &World) -> f64 {
    let mut simulator = Simulator::new();
    simulator.prepare(
        world,
        linkwork::system::Motion::Displacement,
        Method::Direct,
    );
    let system = simulator.system();
    let mut b = vec![0.0; system.n_rows()];
    system.right_hand_side(linkwork::system::Motion::Displacement, &mut b);
    b.iter().fold(0.0, |m, value| m.max(value.abs()))
}

/// Closes every constraint by repeated displacements from where the bodies are (Newton's method).
pub(crate) fn assemble(world: &mut World, method: Method) {
    let mut simulator = Simulator::new();
    for _ in 0..30 {
        if assembly_error(world) < 1e-13 {
            return;
        }
        let solution = simulator.displacement(world, method);
        let residual = solution.residual;
        let honest = solution.outcome != Outcome::Exact || residual.rows_relative < 1e-9;
        assert!(
            honest || residual.rows < 1e-13,
            "{}: {residual:?}",
            method.name()
        );
        let motion = solution.motion.clone();
        let mut state = world.state().clone();
        for record in world.bodies() {
            let q = &mut state.q[record.q_range()];
            record.body().displace(q, &motion[record.v_range()]);
        }
        world.set_state(state).unwrap();
    }
    let error = assembly_error(world);
    assert!(error < 1e-11, "{}: {error:e} after 30 steps", method.name());
}
