//! Faure 1999, fig. 2: which joints are in the tree can be chosen, and where that cannot be, it is said.

use linkwork::prelude::*;
use linkwork::simulator::Standing;
use linkwork::solve::Krylov;
use linkwork::system::Motion;
use linkwork::world::Tree;

use crate::dense::{Matrix, largest};
use crate::faure::shaken;
use crate::scene;

/// The names of the joints that close loops.
fn closing(world: &World) -> Vec<String> {
    let standings = Simulator::new().standings(world);
    let all = world.constraints().iter().zip(standings);
    all.filter(|(_, standing)| *standing == Standing::ClosesLoop)
        .map(|(record, _)| record.label().to_owned())
        .collect()
}

fn ask(world: &mut World, joint: &str, tree: Tree) {
    let id = world.find_constraint(joint).unwrap();
    world.set_tree(id, tree).unwrap();
}

#[test]
fn joints_go_where_they_ask_to() {
    let mut world = scene("four-bar");
    assert_eq!(closing(&world), ["D"]);
    ask(&mut world, "D", Tree::In);
    assert_eq!(closing(&world), ["C"], "the last that does not ask");
    ask(&mut world, "B", Tree::Loop);
    assert_eq!(closing(&world), ["B"]);
    ask(&mut world, "A", Tree::Loop);
    assert_eq!(closing(&world), ["A", "B"], "one more than must");
    for joint in ["A", "B", "D"] {
        ask(&mut world, joint, Tree::Automatic);
    }
    assert_eq!(closing(&world), ["D"], "as before");
}

#[test]
fn a_tree_is_told_from_its_root_outwards() {
    let world = scene("four-bar");
    let held: Vec<Option<&str>> = Simulator::new()
        .standings(&world)
        .iter()
        .map(|standing| match standing {
            Standing::Holds(body) => Some(world.body_record(*body).unwrap().label()),
            _ => None,
        })
        .collect();
    assert_eq!(held, [Some("crank"), Some("coupler"), Some("rocker"), None]);
}

/// Wishes that cannot be granted: the joint closes a loop, and nothing else changes.
#[test]
fn what_cannot_be_is_said() {
    let mut world = scene("four-bar");
    for joint in ["A", "B", "C", "D"] {
        ask(&mut world, joint, Tree::In);
    }
    let standings = Simulator::new().standings(&world);
    let granted: Vec<bool> = standings.iter().map(|own| own.grants(Tree::In)).collect();
    assert_eq!(granted, [true, true, true, false]);
    // What gives way or rests is in no tree and closes no loop.
    let id = world.find_constraint("A").unwrap();
    world.set_priority(id, 1).unwrap();
    let id = world.find_constraint("B").unwrap();
    world.set_constraint_enabled(id, false).unwrap();
    let standings = Simulator::new().standings(&world);
    assert_eq!(standings[..2], [Standing::Apart; 2]);
    assert!(standings[2..].iter().all(|own| own.grants(Tree::In)));
    // More than two bodies make no branch.
    let mut world = scene("differential");
    let standings = Simulator::new().standings(&world);
    let (record, _) = world
        .constraints()
        .iter()
        .zip(&standings)
        .find(|(record, _)| record.connectors().len() > 2)
        .unwrap();
    let label = record.label().to_owned();
    ask(&mut world, &label, Tree::In);
    assert!(closing(&world).contains(&label));
}

/// The effect: after any number of iterations the rows of the tree hold exactly, those of loops as far as
/// iterations went. Which are which is the user's choice.
#[test]
fn what_is_in_the_tree_is_exact_under_any_budget() {
    for in_loop in ["rung 0 left", "rung 0 right"] {
        let mut world = shaken(scene("ladder3:4,3"));
        for k in 0..3 {
            for side in ["left", "right"] {
                let joint = format!("rung {k} {side}");
                let tree = match joint == in_loop {
                    true => Tree::Loop,
                    false => Tree::Automatic,
                };
                ask(&mut world, &joint, tree);
            }
        }
        let krylov = Krylov::default().with_max_iterations(1);
        let mut simulator = Simulator::new();
        simulator.prepare(&world, Motion::Acceleration, Method::ForestKrylov(krylov));
        let solution = simulator.solve_prepared().clone();
        let system = simulator.system();
        let mut b = vec![0.0; system.n_rows()];
        system.right_hand_side(Motion::Acceleration, &mut b);
        let jacobian = Matrix::new(system.n_rows(), system.n_v(), system.jacobian_matrix());
        let moved = jacobian.times(&solution.motion);
        let closing = closing(&world);
        assert!(closing.contains(&in_loop.to_owned()), "{closing:?}");
        for record in world.constraints() {
            let rows = record.row_range();
            let off: Vec<f64> = rows.map(|row| moved[row] - b[row]).collect();
            let (label, off) = (record.label(), largest(&off));
            let is_loop = closing.iter().any(|own| own == label);
            assert!(is_loop || off < 1e-11, "{label}: {off:e}");
            assert!(label != in_loop || off > 1e-5, "{label}: {off:e}");
        }
    }
}

/// Every method gives the same, whatever is asked for; `Direct` to the last bit.
#[test]
fn choices_change_no_solution() {
    for name in ["four-bar", "stewart", "ladder3:2,2", "structure-56"] {
        let world = scene(name);
        let expected = Simulator::new()
            .accelerations(&world, Method::Direct)
            .clone();
        let mut chosen = world.clone();
        for (k, record) in world.constraints().iter().enumerate() {
            let tree = [Tree::Loop, Tree::In, Tree::Automatic][k % 3];
            chosen.set_tree(record.id(), tree).unwrap();
        }
        for method in Method::ALL {
            let found = Simulator::new().accelerations(&chosen, method).clone();
            if method == Method::Direct {
                assert_eq!(found.motion, expected.motion, "{name}");
                assert_eq!(found.lambda, expected.lambda, "{name}");
            }
            let scale = largest(&expected.motion).max(1.0);
            let pairs = found.motion.iter().zip(&expected.motion);
            let off = pairs.fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
            assert!(off <= 1e-8 * scale, "{name} {method}: {off:e} of {scale:e}");
        }
    }
}
