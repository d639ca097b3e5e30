//! Structures that cannot close end where their errors are smallest together.

use super::*;
use linkwork::assembly::AssemblyOutcome;

/// `‖Jᵀ·c‖/‖c‖` in rows scaled to meters, from the dense matrices.
fn slope(world: &World) -> f64 {
    let mut simulator = Simulator::new();
    simulator.fill(world, Motion::Displacement, &SolveOptions::default());
    let system = simulator.system();
    let (n, jacobian) = (system.n_v(), system.jacobian_matrix());
    let mut gradient = vec![0.0; n];
    let mut square = 0.0;
    for (row, c) in system.c().iter().enumerate() {
        let scale = system.row_scale()[row];
        square += (scale * c) * (scale * c);
        for (g, j) in gradient.iter_mut().zip(&jacobian[row * n..(row + 1) * n]) {
            *g += scale * scale * j * c;
        }
    }
    (gradient.iter().map(|g| g * g).sum::<f64>() / square).sqrt()
}

#[test]
fn a_triangle_of_bars_1_1_3_ends_stretched() {
    for seed in 0..10 {
        let mut world = triangle([1.0, 1.0, 3.0]);
        strew(&mut world, &mut Random::new(seed), 1.0, 1.0);
        let report = assemble(&mut world);
        let what = format!("seed {seed}: {report:?}");
        assert_eq!(report.outcome, AssemblyOutcome::LeastSquares, "{what}");
        // Three meters of bar over two: a third of a meter at each corner.
        let labels: Vec<_> = report.residuals.iter().map(|r| r.label.as_str()).collect();
        assert_eq!(labels.len(), 3, "{what}");
        for label in ["a-b", "b-c", "c-a"] {
            assert!(labels.contains(&label), "{what}");
        }
        let errors = world.constraint_errors().unwrap();
        for error in &errors {
            let d = gap(&world, &error.label);
            assert!((d - 1.0 / 3.0).abs() < 1e-6, "{d}; {what}");
        }
        assert!(slope(&world) <= 1e-6, "{:e}; {what}", slope(&world));
        assert!(report.rate_error <= 1e-9, "{what}");
    }
}

#[test]
fn every_method_ends_in_least_squares() {
    for method in Method::ALL {
        let mut world = triangle([1.0, 1.0, 3.0]);
        strew(&mut world, &mut Random::new(3), 0.5, 0.5);
        let options = AssembleOptions::default().by(method);
        let report = Simulator::new().assemble(&mut world, &options).unwrap();
        let what = format!("{}: {report:?}", method.name());
        assert_eq!(report.outcome, AssemblyOutcome::LeastSquares, "{what}");
        assert!(slope(&world) <= 1e-6, "{what}");
    }
}

#[test]
fn the_rest_closes_beside_a_contradiction() {
    let mut world = triangle([1.0, 1.0, 3.0]);
    let rod = Rod {
        length: 1.0,
        radius: 0.02,
        mass: 1.0,
    };
    let free = world
        .add_body_at("free", rod, Pose::at([4.0, 4.0, 4.0]))
        .unwrap();
    world
        .join("hook", Ball, GROUND.at([0.0; 3]), free.at([-0.5, 0.0, 0.0]))
        .unwrap();
    let report = assemble(&mut world);
    assert_eq!(report.outcome, AssemblyOutcome::LeastSquares, "{report:?}");
    assert_eq!(report.residuals.len(), 3, "{report:?}");
    assert!(
        report.residuals.iter().all(|r| r.label != "hook"),
        "{report:?}"
    );
}

/// Two welds that ask one body to be in two places, turned differently.
#[test]
fn a_body_welded_twice_ends_between_the_places() {
    let mut world = World::new();
    let plate = Cuboid {
        size: [1.0, 0.6, 0.4],
        mass: 1.0,
    };
    let body = world.add_body("body", plate).unwrap();
    world
        .join("here", Weld, GROUND.at([0.0; 3]), body.at([0.0; 3]))
        .unwrap();
    world
        .join("there", Weld, GROUND.at([0.0, 0.4, 0.0]), body.at([0.0; 3]))
        .unwrap();
    let report = assemble(&mut world);
    assert_eq!(report.outcome, AssemblyOutcome::LeastSquares, "{report:?}");
    let y = world.pose(body).unwrap().unwrap().position[1];
    assert!((y - 0.2).abs() < 1e-6, "{y}");
    assert!(slope(&world) <= 1e-6);
}
