//! What the papers print.

use linkwork::behavior::PointForce;
use linkwork::connector::Connector;
use linkwork::math::{Vec3, add, dot, norm, scale, sub};
use linkwork::prelude::*;
use linkwork::system::Motion;
use linkwork_scene::{builders, scene};

use crate::numerics::{multiply, rank, solve_dense};
use crate::support::{G, accelerations, close, rigid};

fn prepared(world: &World) -> Simulator {
    let mut simulator = Simulator::new();
    simulator.prepare(world, Motion::Acceleration, Method::Direct);
    simulator
}

/// Witkin 1990: the dumbbell by hand. Two unit masses, forces f on each, velocities across the bar:
/// 2·λ = −γ − n·(f_b − f_a), γ = |ḋ across n|²/r.
#[test]
fn witkin_dumbbell() {
    for (force_a, force_b, spin) in [
        ([0.3, 0.2, -0.7], [1.5, -0.4, 0.6], 0.0),
        ([0.0; 3], [0.0; 3], 1.7),
        ([-1.0, 2.0, 0.5], [0.4, 0.3, -0.2], -0.8),
    ] {
        let mut world = scene("dumbbell").unwrap();
        let id = |label: &str| world.find_body(label).unwrap();
        let (a, b) = (id("a"), id("b"));
        // Somewhere askew, turning about an axis across the bar, and drifting.
        let direction: Vec3 = [2.0 / 3.0, 1.0 / 3.0, -2.0 / 3.0];
        let across: Vec3 = [1.0 / 5f64.sqrt(), -2.0 / 5f64.sqrt(), 0.0];
        let middle: Vec3 = [0.4, -0.2, 0.9];
        let drift: Vec3 = [0.3, 0.1, -0.6];
        for (body, side, force, label) in
            [(a, -1.0, force_a, "push a"), (b, 1.0, force_b, "push b")]
        {
            let place = add(middle, scale(side, direction));
            world.set_pose(body, Pose::at(place)).unwrap();
            world
                .set_v(body, &add(drift, scale(side * spin, across)))
                .unwrap();
            let force = PointForce { force_world: force };
            world
                .add_behavior(label, force, &[body.at([0.0; 3])])
                .unwrap();
        }
        let gamma = (2.0 * spin) * (2.0 * spin) / 2.0;
        let lambda = 0.5 * (-gamma - dot(direction, sub(force_b, force_a)));
        accelerations(&world, |answer| {
            answer.close(answer.lambda("bar"), &[lambda], 1e-13);
            let pull = scale(lambda, direction);
            answer.close(answer.of("a"), &sub(force_a, pull), 1e-13);
            answer.close(answer.of("b"), &add(force_b, pull), 1e-13);
        });
    }
}

/// Baraff 1996, eq. 9: a graph of 11 nodes factors without fill.
#[test]
fn baraff_figure_2() {
    let world = scene("baraff-fig2").unwrap();
    assert_eq!(world.bodies().len() + world.constraints().len(), 11);
    let simulator = prepared(&world);
    let topology = simulator.topology();
    assert_eq!(topology.n_components(), 1);
    assert_eq!(topology.n_loop_rows(), 0);
    assert_eq!(topology.n_core_blocks(), 0);
    // It turns, so the joints have something to hold, by every method alike.
    accelerations(&world, |answer| {
        assert!(answer.lambda("joint 1").iter().any(|l| l.abs() > 0.1));
        let mut direct = Simulator::new();
        let expected = direct.accelerations(&world, Method::Direct);
        let found = answer.simulator.solution();
        answer.close(&found.lambda, &expected.lambda, 1e-12);
        answer.close(&found.motion, &expected.motion, 1e-12);
    });
    // A brace between two bodies that are joined already closes a loop.
    let mut doubled = world.clone();
    let (a, b) = (world.find_body("5").unwrap(), world.find_body("6").unwrap());
    let ends = [a.at([0.1, 0.1, 0.0]), b.at([-0.1, 0.2, 0.0])];
    let place = |c: &Connector| world.position_world(c).unwrap();
    let length = norm(sub(place(&ends[0]), place(&ends[1])));
    doubled
        .add_constraint("brace", Distance { length }, &ends)
        .unwrap();
    assert_eq!(prepared(&doubled).topology().n_loop_rows(), 1);
}

/// Baraff 1996, §9: the structure of 127 constraints.
#[test]
fn baraff_127() {
    let world = scene("tree:127").unwrap();
    assert_eq!(world.constraints().len(), 127);
    let simulator = prepared(&world);
    assert_eq!(simulator.topology().n_core_blocks(), 0);
    let mut simulator = Simulator::new();
    let solution = simulator.accelerations(&world, Method::Direct);
    assert!(
        solution.residual.rows_relative < 1e-13,
        "{:?}",
        solution.residual
    );
    assert!(
        solution.residual.force_relative < 1e-13,
        "{:?}",
        solution.residual
    );
    let expected = solution.clone();
    accelerations(&world, |answer| {
        let found = answer.simulator.solution();
        answer.close(&found.motion, &expected.motion, 1e-10);
        answer.close(&found.lambda, &expected.lambda, 1e-10);
    });
}

/// Baraff 1996, §8: rows moved to the auxiliary constraints give what the direct factor gives.
#[test]
fn auxiliary_rows_change_nothing() {
    for (p, m) in [(1, 1), (3, 2), (1, 8), (6, 4)] {
        let world = builders::ladder(p, m, 3.0).unwrap();
        let mut direct = Simulator::new();
        let expected = direct.accelerations(&world, Method::Direct);
        let mut auxiliary = Simulator::new();
        let found = auxiliary.accelerations(&world, Method::ForestDense);
        let name = format!("ladder {p},{m}");
        close(&name, &found.motion, &expected.motion, 1e-11);
        close(&name, &found.lambda, &expected.lambda, 1e-11);
    }
}

/// Faure 1999, Table 2: rows of the forest and of the loops of five ladders.
#[test]
fn faure_table_2() {
    for (p, m, a, l) in [
        (12, 1, 75, 3),
        (12, 4, 300, 12),
        (1, 48, 432, 144),
        (1, 96, 864, 288),
        (6, 96, 3744, 288),
    ] {
        let world = builders::ladder(p, m, 1.0).unwrap();
        let simulator = prepared(&world);
        let loops = simulator.topology().n_loop_rows();
        let found = (simulator.system().n_rows() - loops, loops);
        assert_eq!(found, (a, l), "ladder ({p},{m})");
    }
}

/// Metaxas 1993, eq. 31–38: three parts and two joints by hand, N·f = −r with blocks
/// L·M⁻¹·Lᵀ summed over the parts two joints share.
#[test]
fn metaxas_three_parts() {
    let mut world = World::with_gravity([0.0, -G, 0.0]).unwrap();
    let shapes = [
        (1.0, [0.3, 0.4, 0.5]),
        (2.0, [0.5, 0.6, 0.7]),
        (1.5, [0.2, 0.3, 0.3]),
    ];
    let parts: Vec<BodyId> = shapes
        .iter()
        .enumerate()
        .map(|(i, (mass, moments))| {
            let pose = Pose::at([2.0 * i as f64, 0.0, 0.0]);
            world
                .add_body_at(&format!("part {i}"), rigid(*mass, *moments), pose)
                .unwrap()
        })
        .collect();
    let out = [1.0, 0.0, 0.0];
    let back = [-1.0, 0.0, 0.0];
    world
        .join("first", Ball, parts[0].at(out), parts[1].at(back))
        .unwrap();
    world
        .join("second", Ball, parts[1].at(out), parts[2].at(back))
        .unwrap();
    // The first part stands on an upward force and the last is turned: the joints have work to do.
    let lift = PointForce {
        force_world: [0.0, 30.0, 4.0],
    };
    world
        .add_behavior("lift", lift, &[parts[0].at([0.0, 0.0, 0.0])])
        .unwrap();

    // By hand. A joint at r of a body: L = [1, −[r]×], L·M⁻¹·L'ᵀ = 1/m + [r]×ᵀ·I⁻¹·[r']× and so on;
    // with r along ±x and principal axes this is diagonal: 1/m + (0, r·r'/I_z, r·r'/I_y).
    let response = |i: usize, r: f64, s: f64| -> Vec3 {
        let (mass, moments) = shapes[i];
        [
            1.0 / mass,
            1.0 / mass + r * s / moments[2],
            1.0 / mass + r * s / moments[1],
        ]
    };
    let sum = |a: Vec3, b: Vec3| add(a, b);
    let n_11 = sum(response(0, 1.0, 1.0), response(1, -1.0, -1.0));
    let n_22 = sum(response(1, 1.0, 1.0), response(2, -1.0, -1.0));
    let n_12 = scale(-1.0, response(1, -1.0, 1.0));
    // Without joints part 0 is pushed up by 30/m; the others only fall. r = ẍ_b − ẍ_a.
    let r_1 = sub([0.0, -G, 0.0], [0.0, 30.0 - G, 4.0]);
    let mut lambda = [0.0; 6];
    for k in 0..3 {
        let x = solve_dense(&[n_11[k], n_12[k], n_12[k], n_22[k]], &[-r_1[k], 0.0]);
        (lambda[k], lambda[3 + k]) = (x[0], x[1]);
    }
    accelerations(&world, |answer| {
        answer.close(answer.lambda("first"), &lambda[..3], 1e-12);
        answer.close(answer.lambda("second"), &lambda[3..], 1e-12);
    });
}

/// Metaxas 1993, steps 1-1 and 1-2: blocks must add up. Two ball joints between the same two parts
/// are a hinge; the row they repeat is along the line through both.
#[test]
fn two_joints_between_the_same_parts() {
    let build = |hinge: bool| {
        let mut world = World::with_gravity([0.0, -G, 0.0]).unwrap();
        let parts = [0, 1, 2].map(|i| {
            let x = f64::from(i);
            let body = rigid(1.0 + x, [0.3 + 0.1 * x, 0.4, 0.5]);
            let pose = Pose::at([2.0 * x, 0.0, 0.0]);
            world.add_body_at(&format!("part {i}"), body, pose).unwrap()
        });
        world
            .join(
                "ground",
                Ball,
                GROUND.at([-1.0, 0.0, 0.0]),
                parts[0].at([-1.0, 0.0, 0.0]),
            )
            .unwrap();
        for i in 0..2 {
            let (a, b) = (parts[i], parts[i + 1]);
            if hinge {
                let axis = Hinge {
                    axis_world: [0.0, 0.0, 1.0],
                };
                let ends = (a.at([1.0, 0.0, 0.0]), b.at([-1.0, 0.0, 0.0]));
                world
                    .join(&format!("hinge {i}"), axis, ends.0, ends.1)
                    .unwrap();
            } else {
                for z in [-0.2, 0.2] {
                    let ends = (a.at([1.0, 0.0, z]), b.at([-1.0, 0.0, z]));
                    world
                        .join(&format!("ball {i} {z}"), Ball, ends.0, ends.1)
                        .unwrap();
                }
            }
        }
        // A push off the middle turns the parts every way.
        let push = PointForce {
            force_world: [1.0, 5.0, -7.0],
        };
        world
            .add_behavior("push", push, &[parts[2].at([0.5, 0.1, 0.4])])
            .unwrap();
        world
    };
    let (hinged, balled) = (build(true), build(false));
    let simulator = prepared(&balled);
    let system = simulator.system();
    assert_eq!(system.n_rows(), 15);
    assert_eq!(rank(&system.jacobian_matrix(), system.n_v()), 13);
    accelerations(&hinged, |expected| {
        accelerations(&balled, |answer| {
            for i in 0..3 {
                let label = format!("part {i}");
                answer.close(answer.of(&label), expected.of(&label), 1e-10);
            }
        });
    });
}

/// Witkin 1990, eq. 5 and Baraff 1996, eq. 7: A·λ = b with A = J·M⁻¹·Jᵀ, by the tests' own algebra.
#[test]
fn normal_equations_by_hand() {
    for name in [
        "chain:4",
        "tree:6",
        "ladder3:2,2",
        "andrews",
        "stewart",
        "double-pendulum",
    ] {
        let world = scene(name).unwrap();
        let simulator = prepared(&world);
        let system = simulator.system();
        let (n_v, n_rows) = (system.n_v(), system.n_rows());
        let (mass, jacobian) = (system.mass_matrix(), system.jacobian_matrix());
        // The motion without constraints, from a world that has none.
        let mut free = world.clone();
        for record in world.constraints() {
            free.remove_constraint(record.id()).unwrap();
        }
        let mut loose = Simulator::new();
        let fall = loose.accelerations(&free, Method::Direct).motion.clone();
        let mut b = vec![0.0; n_rows];
        system.right_hand_side(Motion::Acceleration, &mut b);
        for (b, row) in b.iter_mut().zip(multiply(&jacobian, &fall)) {
            *b -= row;
        }
        let columns: Vec<Vec<f64>> = jacobian
            .chunks(n_v)
            .map(|row| solve_dense(&mass, row))
            .collect();
        let mut a = vec![0.0; n_rows * n_rows];
        for i in 0..n_rows {
            for (j, value) in multiply(&jacobian, &columns[i]).into_iter().enumerate() {
                a[j * n_rows + i] = value;
            }
        }
        let lambda = solve_dense(&a, &b);
        accelerations(&world, |answer| {
            let label = format!("{name} {}", answer.name());
            close(&label, &answer.simulator.solution().lambda, &lambda, 1e-9);
        });
    }
}
