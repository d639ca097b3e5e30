//! Andrews' squeezing mechanism at its start.
//!
//! References: IVP test set, problem Andrews; IFToMM A03.

use linkwork_scene::scene;

use crate::support::{Answer, accelerations, assembly_error};

const BETA: f64 = 14222.4439199541;
const THETA: f64 = -10666.8329399656;
const LAMBDA: [f64; 6] = [98.5668703962411, -6.12268834425566, 0.0, 0.0, 0.0, 0.0];

/// Angular accelerations of K1…K7. The problem's coordinates are relative: K2 turns with β + Θ.
fn check(answer: &Answer<'_>, spin: usize) {
    let alpha: Vec<f64> = (1..=7).map(|i| answer.of(&format!("K{i}"))[spin]).collect();
    let expected = [BETA, BETA + THETA, 0.0, 0.0, 0.0, 0.0, 0.0];
    answer.close(&alpha, &expected, 1e-9);
    // There the force is −Gᵀλ for g = E(K2) − E(Kᵢ); here it is +Jᵀλ for the same difference.
    let lambda: Vec<f64> = ["E K3", "E K4", "E K6"]
        .iter()
        .flat_map(|pin| answer.lambda(pin)[..2].to_vec())
        .collect();
    answer.close(&lambda, &LAMBDA.map(|l| -l), 1e-9);
}

#[test]
fn in_the_plane() {
    let world = scene("andrews").unwrap();
    assert!(assembly_error(&world) < 1e-15);
    accelerations(&world, |answer| check(answer, 2));
}

/// Hinges in space repeat rows in every loop; what is unique must not change.
#[test]
fn in_space() {
    let world = scene("andrews-3d").unwrap();
    assert!(assembly_error(&world) < 1e-15);
    accelerations(&world, |answer| check(answer, 5));
}

/// References: IVP test set, the points at t = 0.
#[test]
fn points_at_the_start() {
    let world = scene("andrews").unwrap();
    for (label, on, point) in [
        ("K1", [0.007, 0.0], [0.00698667, -0.00043172]),
        ("K2", [-0.028, 0.0], [-0.02096002, 0.00129517]),
        ("K5", [0.04, 0.0], [-0.0339972, 0.01646197]),
        ("K7", [0.0, -0.04], [-0.03163313, -0.01561887]),
        ("K3", [0.02, -0.018], [-0.01047239, 0.02535779]),
    ] {
        let body = world.find_body(label).unwrap();
        let x = world.position_world(&body.at(on)).unwrap();
        for k in 0..2 {
            assert!((x[k] - point[k]).abs() < 0.6e-8, "{label}: {x:?}");
        }
    }
}
