//! A design that many poses share: a hub of the core, with constraints that go before it. What each pose
//! holds by itself is factored exactly, also where soft rows are as good as hard for the poses alone.

use linkwork::body::{Number, Numbers};
use linkwork::connector::{ConnectorKind, Input};
use linkwork::constraint::{Constraint, RowUnit, Rows};
use linkwork::prelude::*;
use linkwork::simulator::SolveOptions;
use linkwork::solve::Outcome;
use linkwork::system::Motion;

use crate::assembled;
use crate::dense::{difference, largest, solve_kkt};
use crate::random_world::Random;

const N_POSES: usize = 12;
const N_POSE: usize = 3;
const N_DESIGN: usize = 6;
/// What poses and the design resist with, as in synthesis: pins decide the poses.
const MASS_OF_POSE: f64 = 1e-6;
const MASS_OF_DESIGN: f64 = 1e-3;

/// Two linear rows: `c = A·pose + B·design`.
#[derive(Debug)]
struct Linear {
    kinds: [ConnectorKind; 2],
    coefficients: Vec<f64>,
}

impl Linear {
    fn new(random: &mut Random) -> Self {
        Self {
            kinds: [N_POSE, N_DESIGN].map(|n| ConnectorKind::Vector(n as u32)),
            coefficients: random.numbers(2 * (N_POSE + N_DESIGN), 1.0),
        }
    }
}

impl Constraint for Linear {
    fn inputs(&self) -> &[ConnectorKind] {
        &self.kinds
    }

    fn rows(&self) -> &[RowUnit] {
        &[RowUnit::Meter, RowUnit::Meter]
    }

    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let mut coefficients = self.coefficients.iter();
        for (at, input) in inputs.iter().enumerate() {
            for row in 0..2 {
                for (column, &a) in (0..input.x.len()).zip(&mut coefficients) {
                    out.c[row] += a * input.x[column];
                    out.c_dot[row] += a * input.x_dot[column];
                    out.dc_dx(at).set(row, column, a);
                }
            }
        }
    }
}

/// Poses that share a design: two hard rows for each, and two soft ones, one more than what is left free.
fn poses(compliance: f64) -> World {
    let mut random = Random::new(31);
    let mut world = World::new();
    let numbers = |n: usize, mass: f64| {
        Numbers::new((0..n).map(|k| Number::new(format!("n{k}"), 0.0).with_mass(mass)))
    };
    let design = world.add_body("design", numbers(N_DESIGN, MASS_OF_DESIGN));
    let design = design.unwrap();
    for k in 0..N_POSES {
        let pose = world.add_body(&format!("pose {k}"), numbers(N_POSE, MASS_OF_POSE));
        let ends = [pose.unwrap().coordinates(), design.coordinates()];
        let pins = Linear::new(&mut random);
        world
            .add_constraint(&format!("pins {k}"), pins, &ends)
            .unwrap();
        let pen = Linear::new(&mut random);
        let pen = world
            .add_constraint(&format!("pen {k}"), pen, &ends)
            .unwrap();
        world.set_compliance(pen, &[compliance; 2]).unwrap();
    }
    world
}

/// The proximal term would be 1e-2 here, beside compliances of 2e-2 and less: each correction would leave a
/// good part of the error. An exact factor loses the digits of `J·W·Jᵀ/C`, which is 6e7, 1e10 and 1e13; each
/// correction gains the rest of sixteen, until there are twelve.
#[test]
fn soft_rows_before_their_hub_take_few_corrections() {
    for (compliance, n_solves) in [(1.0 / 60.0, 2), (1e-4, 3), (1e-7, 6)] {
        let world = poses(compliance);
        // With a horizon of one second rows have the compliance that was set.
        let options = SolveOptions::from(Method::Direct).with_horizon(Some(1.0));
        let (dense, _) = assembled(&world, Motion::Acceleration, &options);
        let mut random = Random::new(7);
        let force = random.numbers(dense.n_v, 1.0);
        let b = random.numbers(dense.compliance.len(), 1.0);
        let rows: Vec<usize> = (0..b.len()).collect();
        let (y, lambda) = solve_kkt(&dense, &rows, &dense.jacobian, &force, &b);

        let mut simulator = Simulator::new();
        simulator.prepare(&world, Motion::Acceleration, options);
        let solution = simulator.solve_for(Some(&force), Some(&b));
        assert_eq!(solution.outcome, Outcome::Exact, "compliance {compliance}");
        for (found, expected) in [(&solution.motion, &y), (&solution.lambda, &lambda)] {
            let off = largest(&difference(found, expected)) / largest(expected);
            assert!(off <= 1e-7, "compliance {compliance}: off by {off:.1e}");
        }
        let n = solution.iterations;
        assert!(n <= n_solves, "compliance {compliance}: {n} solves");
    }
}
