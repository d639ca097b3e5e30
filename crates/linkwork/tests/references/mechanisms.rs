//! Assembly, rank and mobility of the mechanisms, and Bricard's first acceleration.

use linkwork::behavior::PointForce;
use linkwork::prelude::*;
use linkwork::system::Motion;
use linkwork_scene::{mechanisms, scene};

use crate::numerics::rank;
use crate::support::{G, accelerations, assembly_error, close};

/// Rows, velocity coordinates, and the rank of J by singular values.
fn counts(world: &World) -> (usize, usize, usize) {
    let mut simulator = Simulator::new();
    simulator.prepare(world, Motion::Acceleration, Method::Direct);
    let system = simulator.system();
    let rank = rank(&system.jacobian_matrix(), system.n_v());
    (system.n_rows(), system.n_v(), rank)
}

/// References: mechanisms with dimensions and facts; IFToMM A02 and A04; IVP test set, Andrews.
#[test]
fn ranks_and_mobilities() {
    // Name, rows, velocities, mobility.
    for (name, n_rows, n_v, mobility) in [
        ("four-bar", 20, 18, 1),
        ("bricard", 30, 30, 1),
        ("bennett", 20, 18, 1),
        ("sarrus", 30, 30, 1),
        ("andrews", 20, 21, 1),
        ("andrews-3d", 50, 42, 1),
        ("catenary:5", 18, 30, 12),
        ("dumbbell", 1, 6, 5),
        ("baraff-fig2", 15, 36, 21),
        ("heavy-top", 3, 6, 3),
        ("double-pendulum", 4, 6, 2),
        ("n-four-bar:3", 20, 21, 1),
        ("peaucellier", 20, 21, 1),
        ("scissor:3", 20, 21, 1),
        ("umbrella:5", 80, 66, 1),
        ("stewart", 78, 78, 0),
        ("plate-on-strings", 4, 6, 3),
    ] {
        let world = scene(name).unwrap();
        let found = counts(&world);
        let expected = (n_rows, n_v, n_v - mobility);
        assert_eq!(found, expected, "{name}: rows, velocities, rank");
        let error = assembly_error(&world);
        assert!(error < 1e-13, "{name} is assembled to {error:e}");
    }
}

/// Redundant rows by row count less rank: four-bar 3, Bricard 1, Bennett 3, Sarrus 1.
#[test]
fn redundant_rows() {
    for (name, redundant) in [
        ("four-bar", 3),
        ("bricard", 1),
        ("bennett", 3),
        ("sarrus", 1),
    ] {
        let (n_rows, _, rank) = counts(&scene(name).unwrap());
        assert_eq!(n_rows - rank, redundant, "{name}");
    }
}

/// Freed of its drives the platform has six degrees of freedom.
#[test]
fn a_stewart_platform_without_drives() {
    let mut world = scene("stewart").unwrap();
    for i in 0..6 {
        let drive = world.find_constraint(&format!("drive {i}")).unwrap();
        world.remove_constraint(drive).unwrap();
    }
    let (n_rows, n_v, rank) = counts(&world);
    assert_eq!((n_rows, n_v - rank), (72, 6));
}

/// Where the rods of A02 lie level, mobility jumps from 1 to N + 1.
#[test]
fn a_row_of_four_bars_branches_where_it_lies_flat() {
    let n = 3;
    let mut world = mechanisms::n_four_bar(n).unwrap();
    for i in 0..=n {
        let x = i as f64;
        let post = world.find_body(&format!("post {i}")).unwrap();
        world
            .set_pose(post, Pose::in_plane([x + 0.5, 0.0], 0.0))
            .unwrap();
        if i > 0 {
            let beam = world.find_body(&format!("beam {i}")).unwrap();
            world
                .set_pose(beam, Pose::in_plane([x + 0.5, 0.0], 0.0))
                .unwrap();
        }
    }
    assert!(assembly_error(&world) < 1e-14);
    let (_, n_v, rank) = counts(&world);
    assert_eq!(n_v - rank, n + 1);
}

/// References: IFToMM A04, acceleration of the point that starts at (1, −1, 0).
#[test]
fn bricard_starts_to_fall() {
    accelerations(&scene("bricard").unwrap(), |answer| {
        let a = answer.point("rod 2", [1.0, -1.0, 0.0]);
        answer.close(&a, &[-1.958083832, 0.0, -1.958083832], 0.6e-9);
    });
}

/// References: IFToMM A02; the upright start: posts turn with θ̈ = 0, beams with v²/l downwards.
#[test]
fn a_row_of_four_bars_at_its_start() {
    for n in [1, 2, 40] {
        accelerations(&mechanisms::n_four_bar(n).unwrap(), |answer| {
            for i in 0..=n {
                answer.close(answer.of(&format!("post {i}")), &[0.0, -0.5, 0.0], 1e-9);
                if i > 0 {
                    answer.close(answer.of(&format!("beam {i}")), &[0.0, -1.0, 0.0], 1e-9);
                }
            }
        });
    }
}

/// The table of Sarrus's mechanism moves straight down and does not turn.
#[test]
fn sarrus_moves_straight() {
    accelerations(&scene("sarrus").unwrap(), |answer| {
        let a = answer.of("table");
        assert!(a[1] < -1.0, "{a:?}");
        let still = [a[0], a[2], a[3], a[4], a[5]];
        answer.close(&still, &[0.0; 5], 1e-9);
    });
}

/// Peaucellier's point D runs on a line across x: its acceleration along x vanishes from rest.
#[test]
fn peaucellier_draws_a_line() {
    let world = scene("peaucellier").unwrap();
    let bar = world.find_body("CD").unwrap();
    let d = world.position_world(&bar.at([1.5, 0.0])).unwrap();
    close("D", &d[..1], &[4.0], 1e-15);
    accelerations(&world, |answer| {
        let a = answer.of("CD");
        let center = world.position_world(&bar.at([0.0, 0.0])).unwrap();
        let r = [d[0] - center[0], d[1] - center[1]];
        let along = [a[0] - a[2] * r[1], a[1] + a[2] * r[0]];
        assert!(along[1].abs() > 0.1, "D moves: {along:?}");
        answer.close(&along[..1], &[0.0], 1e-9);
    });
}

/// References: scissor lift. By virtual work a load W on top needs a push of n·W/tan θ at the
/// sliding foot; the bars add their own share.
#[test]
fn a_scissor_lift_is_held_by_its_foot() {
    for n in [1, 4] {
        let mut world = mechanisms::scissor(n).unwrap();
        // Height of the table n·s, of both bars of cell k (k + ½)·s, with s = sin θ (bars of 1 m);
        // the foot is at x = cos θ, so dh/dx = −(dh/ds)/tan θ.
        let bars: f64 = (0..n).map(|k| 2.0 * G * (k as f64 + 0.5)).sum();
        let lifted = 10.0 * G * n as f64 + bars;
        let push = lifted / (1.0 / 3f64.sqrt());
        let foot = world.find_body("falling 0").unwrap().at([0.5, 0.0]);
        let force = PointForce {
            force_world: [-push, 0.0, 0.0],
        };
        world.add_behavior("push", force, &[foot]).unwrap();
        accelerations(&world, |answer| {
            let motion = &answer.simulator.solution().motion;
            answer.close(motion, &vec![0.0; motion.len()], 1e-8);
        });
    }
}

/// All ribs of an umbrella turn alike, whatever the order of elimination.
#[test]
fn an_umbrella_opens_evenly() {
    let k = 7;
    accelerations(&mechanisms::umbrella(k).unwrap(), |answer| {
        let runner = answer.of("runner");
        answer.close(&[runner[0], runner[2]], &[0.0; 2], 1e-9);
        let size = |i: usize| {
            let a = answer.of(&format!("rib {i}"));
            (a[3] * a[3] + a[4] * a[4] + a[5] * a[5]).sqrt()
        };
        assert!(size(0) > 0.1);
        for i in 1..k {
            answer.close(&[size(i)], &[size(0)], 1e-9);
        }
    });
}

/// The legs of a Stewart platform at rest carry its weight: vertical leg forces sum to it.
#[test]
fn a_stewart_platform_stands() {
    accelerations(&scene("stewart").unwrap(), |answer| {
        let motion = &answer.simulator.solution().motion;
        answer.close(motion, &vec![0.0; motion.len()], 1e-9);
        let feet: f64 = (0..6).map(|i| answer.lambda(&format!("foot {i}"))[1]).sum();
        answer.close(&[feet], &[32.0 * G], 1e-9);
    });
}

/// Four strings hold a plate where three would do: only the sum of their forces is determined.
#[test]
fn a_plate_on_four_strings() {
    accelerations(&scene("plate-on-strings").unwrap(), |answer| {
        answer.close(answer.of("plate"), &[0.0; 6], 1e-10);
        // The row grows downwards, away from the ground's point: the strings pull against it.
        let sum: f64 = (0..4)
            .map(|i| answer.lambda(&format!("string {i}"))[0])
            .sum();
        answer.close(&[sum], &[-4.0 * G], 1e-10);
    });
}
