//! Splines with a patterned mass beside the same with a dense one: strains, soft and hard rows, every method.

#![allow(non_snake_case)] // L, M, S: the letters of the papers.

use std::any::Any;
use std::sync::Arc;

use linkwork::body::{Body, Elasticity, MassKind, Momentum, Pose as BodyPose, ShapeBody, Strain};
use linkwork::connector::{ConnectorKind, ConnectorMut, Site};
use linkwork::error::Error;
use linkwork::math::Vec3;
use linkwork::prelude::*;
use linkwork::shape::Spline;

use crate::dense::largest;

/// A body that writes its patterned mass out in full, and its strains over all coordinates.
#[derive(Debug)]
struct Full(ShapeBody);

impl Full {
    fn expand(&self, write: impl Fn(&mut [f64]), M: &mut [f64]) {
        let MassKind::Patterned(pattern) = self.0.mass_kind() else {
            panic!("the spline is small");
        };
        let mut values = vec![0.0; pattern.entries().len()];
        write(&mut values);
        M.copy_from_slice(&pattern.expand(&values));
    }
}

impl Body for Full {
    fn n_q(&self) -> usize {
        self.0.n_q()
    }
    fn n_v(&self) -> usize {
        self.0.n_v()
    }
    fn validate(&self) -> Result<(), Error> {
        self.0.validate()
    }
    fn initial_q(&self, q: &mut [f64]) {
        self.0.initial_q(q);
    }
    fn mass(&self, q: &[f64], M: &mut [f64]) {
        self.expand(|values| self.0.mass(q, values), M);
    }
    fn drag_metric(&self, q: &[f64], D: &mut [f64]) {
        self.expand(|values| self.0.drag_metric(q, values), D);
    }
    fn internal_force(&self, q: &[f64], v: &[f64], f: &mut [f64]) {
        self.0.internal_force(q, v, f);
    }
    fn internal_energy(&self, q: &[f64]) -> f64 {
        self.0.internal_energy(q)
    }
    fn n_strains(&self) -> usize {
        self.0.n_strains()
    }
    fn strain(&self, i: usize, q: &[f64], v: &[f64], S: &mut [f64]) -> Strain {
        let columns = self.0.strain_columns(i).unwrap();
        let mut packed = vec![0.0; columns.len()];
        let strain = self.0.strain(i, q, v, &mut packed);
        for (&column, s) in columns.iter().zip(packed) {
            S[column as usize] = s;
        }
        strain
    }
    fn uniform_field(&self, q: &[f64], acceleration_world: Vec3, f: &mut [f64]) {
        self.0.uniform_field(q, acceleration_world, f);
    }
    fn center_of_mass(&self, q: &[f64]) -> (f64, Vec3) {
        self.0.center_of_mass(q)
    }
    fn momentum(&self, q: &[f64], v: &[f64]) -> Momentum {
        self.0.momentum(q, v)
    }
    fn pose(&self, t: f64, q: &[f64]) -> Option<BodyPose> {
        self.0.pose(t, q)
    }
    fn gyration_radius(&self) -> Option<f64> {
        self.0.gyration_radius()
    }
    fn offers(&self) -> &'static str {
        self.0.offers()
    }
    fn connector_kind(&self, site: &Site) -> Result<Option<ConnectorKind>, Error> {
        self.0.connector_kind(site)
    }
    fn columns(&self, site: &Site) -> Option<Vec<u32>> {
        self.0.columns(site)
    }
    fn connector(&self, site: &Site, t: f64, q: &[f64], v: &[f64], out: &mut ConnectorMut<'_>) {
        self.0.connector(site, t, q, v, out);
    }
}

fn spline(closed: bool) -> ShapeBody {
    let points: Vec<[f64; 2]> = (0..24)
        .map(|k| {
            let angle = 0.25 * f64::from(k);
            [angle.cos() * (1.0 + 0.1 * (3.0 * angle).sin()), angle.sin()]
        })
        .collect();
    let elasticity = Elasticity {
        membrane: 2.0,
        plate: 0.05,
        damping: 0.002,
        reach: 0.2,
    };
    ShapeBody::spline(Spline::in_plane(&points, 3, closed), 0.5, elasticity).unwrap()
}

/// A curve on two nails, with a soft one, a bar between two of its points, and a pull.
fn world(body: Arc<dyn Body>, dynamics: Dynamics) -> World {
    let mut world = World::with_gravity([0.3, -2.0, 0.0]).unwrap();
    world.set_dynamics(dynamics);
    let curve = world.add_body("curve", body).unwrap();
    for u in [0.11, 0.58] {
        let at = world.position_world(&curve.curve2(u)).unwrap();
        let on = GROUND.at([at[0], at[1]]);
        world
            .join(&format!("nail {u}"), Ball, on, curve.curve2(u))
            .unwrap();
    }
    let soft = world
        .join("soft", Ball, GROUND.at([0.4, 1.2]), curve.curve2(0.3))
        .unwrap();
    world.set_compliance(soft, &[0.02, 0.02]).unwrap();
    let rod = PlanarRod {
        length: 0.4,
        mass: 0.3,
    };
    let at = world.position_world(&curve.curve2(0.8)).unwrap();
    let rod = world
        .add_body_at("rod", rod, Pose::in_plane([at[0] + 0.2, at[1]], 0.0))
        .unwrap();
    world
        .join("hung", Ball, rod.at([-0.2, 0.0]), curve.curve2(0.8))
        .unwrap();
    world
}

#[test]
fn patterned_and_dense_splines_agree_under_every_method_and_scheme() {
    for closed in [false, true] {
        for dynamics in [Dynamics::SecondOrder, Dynamics::FirstOrder] {
            let bodies: [Arc<dyn Body>; 2] =
                [Arc::new(spline(closed)), Arc::new(Full(spline(closed)))];
            let full: &dyn Any = &*bodies[1];
            assert!(full.is::<Full>());
            for method in Method::ALL {
                // With momentum, "interactive" judges the stiffness of a strain by the diagonal of a patterned mass and
                // by a solve in a dense one, and lets it decay accordingly: only what is exact is compared.
                let schemes: &[StepOptions] = match dynamics {
                    Dynamics::SecondOrder => &[StepOptions::precise(0.01)],
                    _ => &[StepOptions::interactive(0.01), StepOptions::precise(0.01)],
                };
                for scheme in schemes {
                    let mut ends = Vec::new();
                    for body in &bodies {
                        let mut world = world(body.clone(), dynamics);
                        let mut simulator = Simulator::new();
                        for _ in 0..5 {
                            simulator.step(&mut world, &scheme.by(method)).unwrap();
                        }
                        ends.push(world.state().q.clone());
                    }
                    let apart: Vec<f64> =
                        ends[0].iter().zip(&ends[1]).map(|(a, b)| a - b).collect();
                    let error = largest(&apart);
                    assert!(
                        error < 1e-6,
                        "{closed} {dynamics:?} {}: {error:.1e}",
                        method.name()
                    );
                }
            }
        }
    }
}

/// At one instant nothing is judged: the answers are equal to round-off.
#[test]
fn accelerations_of_patterned_and_dense_splines_are_equal() {
    for closed in [false, true] {
        let [patterned, full]: [Arc<dyn Body>; 2] =
            [Arc::new(spline(closed)), Arc::new(Full(spline(closed)))];
        let reference = Simulator::new()
            .accelerations(&world(full, Dynamics::SecondOrder), Method::NormalDense)
            .clone();
        for method in Method::ALL {
            let world = world(patterned.clone(), Dynamics::SecondOrder);
            let solution = Simulator::new().accelerations(&world, method).clone();
            let size = largest(&reference.motion);
            for (a, b) in solution.motion.iter().zip(&reference.motion) {
                assert!(
                    (a - b).abs() < 1e-8 * size,
                    "{closed} {}: {a} {b}",
                    method.name()
                );
            }
        }
    }
}
