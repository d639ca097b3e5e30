//! Random forests and random loopy graphs: every method, every motion, many right-hand sides.

use linkwork::prelude::*;
use linkwork::simulator::SolveOptions;
use linkwork::solve::{Outcome, Solution};
use linkwork::system::Motion;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestCaseResult};

use crate::dense::{self, Answer, Dense};
use crate::random_world::{self, Random};
use crate::{assembled, right_hand_side};

pub(crate) fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1996),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn forests(seed in any::<u64>(), n_bodies in 1usize..12) {
        check(&random_world::world(seed, n_bodies, 0), seed)?;
    }

    #[test]
    fn loopy_graphs(seed in any::<u64>(), n_bodies in 2usize..12, n_extra in 1usize..6) {
        check(&random_world::world(seed, n_bodies, n_extra), seed)?;
    }
}

/// Every method against the reference: the three motions, then other right-hand sides on the same
/// factor.
pub(crate) fn check(world: &World, seed: u64) -> TestCaseResult {
    for motion in [Motion::Acceleration, Motion::Velocity, Motion::Displacement] {
        let (dense, b) = assembled(world, motion, &SolveOptions::default());
        let mut simulator = Simulator::new();
        for method in Method::ALL {
            simulator.prepare(world, motion, method);
            let own = right_hand_side(simulator.system(), motion);
            prop_assert_eq!(&own, &b);
            let force = match motion {
                Motion::Acceleration => simulator.system().force().to_vec(),
                _ => vec![0.0; dense.n_v],
            };
            let answer = dense.solve(&force, &b);
            prop_assume!(answer.rank_is_clear());
            // Where rows contradict each other, forest methods give way in loops only: see
            // `redundancy`.
            let can_be_met = answer.left[0] <= 1e-11 * (1.0 + dense::largest(&b));
            if can_be_met || !keeps_forest(&method) {
                let solution = simulator.solve_prepared().clone();
                compare(&dense, &answer, &solution, &method)?;
            }
            let mut random = Random::new(seed);
            for _ in 0..3 {
                // Right-hand sides that some motion fulfils, whatever the rank.
                let force = random.numbers(dense.n_v, 5.0);
                let b = dense.jacobian.times(&random.numbers(dense.n_v, 2.0));
                let answer = dense.solve(&force, &b);
                let solution = simulator.solve_for(Some(&force), Some(&b)).clone();
                compare(&dense, &answer, &solution, &method)?;
                prop_assert_eq!(solution.outcome, Outcome::Exact, "{}", method.name());

                let zero = vec![0.0; b.len()];
                let response = simulator.respond(&force).clone();
                compare(&dense, &dense.solve(&force, &zero), &response, &method)?;
                let same = simulator.solve_for(Some(&force), Some(&zero)).clone();
                prop_assert_eq!(response.motion, same.motion);
            }
        }
    }
    Ok(())
}

fn keeps_forest(method: &Method) -> bool {
    matches!(method, Method::ForestDense | Method::ForestKrylov(_))
}

fn compare(dense: &Dense, answer: &Answer, solution: &Solution, method: &Method) -> TestCaseResult {
    let error = dense.motion_error(answer, &solution.motion);
    let condition = answer.sigma_max / answer.sigma_min;
    prop_assert!(
        error <= 1.0,
        "{}: motion off by {error:.1e} of what is allowed, condition {condition:.1e}, left {:.1e}, \
         {:?}, residual {:?}",
        method.name(),
        answer.left[0],
        solution.outcome,
        solution.residual,
    );
    prop_assert!(solution.lambda.iter().all(|x| x.is_finite()));
    if answer.full_rank {
        let error = dense.lambda_error(answer, &solution.lambda);
        prop_assert!(error <= 1.0, "{}: λ off by {error:.1e}", method.name());
    }
    Ok(())
}
