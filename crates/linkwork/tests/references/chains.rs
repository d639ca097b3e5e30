//! Chains of uniform rods: released level, and hanging at rest.

use linkwork::constraint::FramePair;
use linkwork::prelude::*;
use linkwork_scene::mechanisms::catenary;

use crate::support::{Answer, G, accelerations, assembly_error, close, down_y, rigid};

/// How a chain is made.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Planar,
    Balls,
    Hinges,
}

const KINDS: [Kind; 3] = [Kind::Planar, Kind::Balls, Kind::Hinges];

/// `n` thin rods of 1 m and 1 kg in a row along x, pinned at the origin.
fn level_chain(kind: Kind, n: usize) -> World {
    let mut world = down_y();
    let mut before = None;
    for i in 0..n {
        let center = [i as f64 + 0.5, 0.0, 0.0];
        let (body_label, joint_label) = (format!("rod {i}"), format!("joint {i}"));
        if let Kind::Planar = kind {
            let rod = PlanarRod {
                length: 1.0,
                mass: 1.0,
            };
            let rod = world
                .add_body_at(&body_label, rod, Pose::at(center))
                .unwrap();
            let end = before.unwrap_or(GROUND.at([0.0, 0.0]));
            let ends = [end, rod.at([-0.5, 0.0])];
            world
                .add_constraint(&joint_label, FramePair::ball(), &ends)
                .unwrap();
            before = Some(rod.at([0.5, 0.0]));
            continue;
        }
        // Thin: the transverse moment is exactly m·l²/12; the axial one plays no part.
        let rod = rigid(1.0, [1e-3, 1.0 / 12.0, 1.0 / 12.0]);
        let rod = world
            .add_body_at(&body_label, rod, Pose::at(center))
            .unwrap();
        let end = before.unwrap_or(GROUND.at([0.0; 3]));
        let inner = rod.at([-0.5, 0.0, 0.0]);
        let hinge = Hinge {
            axis_world: [0.0, 0.0, 1.0],
        };
        match kind {
            Kind::Hinges => world.join(&joint_label, hinge, end, inner).unwrap(),
            _ => world.join(&joint_label, Ball, end, inner).unwrap(),
        };
        before = Some(rod.at([0.5, 0.0, 0.0]));
    }
    world
}

/// Angular accelerations downwards in units of g/l, and the tip's acceleration downwards over g.
fn turning(kind: Kind, answer: &Answer<'_>, n: usize) -> (Vec<f64>, f64) {
    let spin = match kind {
        Kind::Planar => 2,
        _ => 5,
    };
    let alpha: Vec<f64> = (0..n)
        .map(|i| -answer.of(&format!("rod {i}"))[spin] / G)
        .collect();
    let tip = alpha.iter().sum();
    (alpha, tip)
}

/// References: analytic cases, horizontal chain of n uniform rods.
#[test]
fn a_level_chain_released() {
    let known: [(usize, &[f64]); 3] = [
        (1, &[1.5]),
        (2, &[9.0 / 7.0, -3.0 / 7.0]),
        // 33/26, −9/26, 3/26: 1.26923077, −0.34615385, 0.11538461 in print.
        (3, &[33.0 / 26.0, -9.0 / 26.0, 3.0 / 26.0]),
    ];
    let tips = [1.5, 0.857_142_857, 1.038_461_538];
    for kind in KINDS {
        for ((n, expected), tip_expected) in known.into_iter().zip(tips) {
            accelerations(&level_chain(kind, n), |answer| {
                let (alpha, tip) = turning(kind, answer, n);
                answer.close(&alpha, expected, 1e-12);
                answer.close(&[tip], &[tip_expected], 1e-9);
            });
        }
        accelerations(&level_chain(kind, 5), |answer| {
            let (_, tip) = turning(kind, answer, 5);
            answer.close(&[tip], &[1.002_762_431], 1e-9);
        });
    }
}

/// References: analytic cases; the first link falls with 3 − √3, each next with −(2 − √3) of it.
#[test]
fn a_long_level_chain_released() {
    let root = 3f64.sqrt();
    for kind in KINDS {
        accelerations(&level_chain(kind, 200), |answer| {
            let (alpha, _) = turning(kind, answer, 200);
            answer.close(&alpha[..1], &[3.0 - root], 1e-10);
            for i in 0..6 {
                answer.close(&[alpha[i + 1]], &[-(2.0 - root) * alpha[i]], 1e-10);
            }
        });
    }
}

/// The support of a released rod carries a quarter of its weight.
#[test]
fn the_support_of_a_level_rod() {
    for kind in KINDS {
        accelerations(&level_chain(kind, 1), |answer| {
            let up = answer.lambda("joint 0")[1];
            answer.close(&[up], &[0.25 * G], 1e-12);
        });
    }
}

/// References: statics, catenary of N rigid links: horizontal force over link weight, and sag.
#[test]
fn a_catenary_hangs_still() {
    for (n, length, h_expected, sag) in [
        (10, 1.5, 2.051_051_014, 0.505_945_932),
        (20, 2.0, 2.295_667_632, 0.798_273_109),
        (50, 1.5, 10.273_771_775, 0.502_762_806),
    ] {
        let world = catenary(n, length, 1.0).unwrap();
        assert!(assembly_error(&world) < 1e-14);
        let middle = world.find_body(&format!("link {}", n / 2)).unwrap();
        let half = 0.5 * length / n as f64;
        let lowest = world.position_world(&middle.at([-half, 0.0, 0.0])).unwrap();
        close("sag", &[lowest[1]], &[-sag], 1e-9);

        let weight = G * length / n as f64;
        accelerations(&world, |answer| {
            let motion = &answer.simulator.solution().motion;
            let scale = G * 12.0 * n as f64;
            assert!(
                motion.iter().all(|a| a.abs() < 1e-10 * scale),
                "{}",
                answer.name()
            );
            for i in 0..=n {
                // The force on link i (on the ground at the far end) by what came before.
                let lambda = answer.lambda(&format!("joint {i}"));
                let expected = [-h_expected, 0.5 * n as f64 - i as f64, 0.0];
                let found = [0, 1, 2].map(|k| lambda[k] / weight);
                answer.close(&found, &expected, 1e-9);
            }
        });
    }
}
