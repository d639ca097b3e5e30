//! Baraff 1996, §8: forces along K where Jᵀ is not their direction, in scenes.

use linkwork::math::{norm, sub};
use linkwork::output::{ReactionOptions, Side};
use linkwork::prelude::*;
use linkwork::solve::Outcome;
use linkwork_scene::{Scene, library, load};

use crate::build;

const G: f64 = 9.81;

/// The multipliers of a joint by the accelerations of one instant, and what they do to a connector.
fn force_on(world: &World, joint: &str, connector: usize) -> [f64; 3] {
    let id = world.find_constraint(joint).unwrap();
    let mut simulator = Simulator::new();
    let lambda = simulator
        .accelerations(world, Method::Direct)
        .lambda
        .to_vec();
    let mut on = ReactionOptions::default();
    on.on = Side::Connector(connector);
    world.reaction(id, &lambda, on).unwrap().force
}

/// Three rows of one joint push along a tilted normal: a = g·(sin α − μ·cos α), and the normal force is that
/// of the weight.
#[test]
fn a_block_slides_down_as_the_law_of_friction_says() {
    let (sin, cos, mu) = (0.6, 0.8, 0.72);
    let expected = G * (sin - mu * cos);
    for method in Method::ALL {
        let mut scene = library::open("sliding-block").unwrap();
        let world = &mut scene.world;
        let block = world.find_body("block").unwrap();
        let mut simulator = Simulator::new();
        let y = simulator.accelerations(world, method).motion.to_vec();
        let along = cos * y[0] - sin * y[1];
        assert!((along - expected).abs() < 1e-9, "{method:?}: {along}");
        assert!((sin * y[0] + cos * y[1]).abs() < 1e-9, "{method:?}");
        let force = force_on(world, "slope", 3);
        let normal = sin * force[0] + cos * force[1];
        let friction = cos * force[0] - sin * force[1];
        assert!(
            (normal - 2.0 * G * cos).abs() < 1e-9,
            "{method:?}: {normal}"
        );
        assert!(
            (friction + mu * normal).abs() < 1e-9,
            "{method:?}: {friction}"
        );
        // What is held pushes nothing.
        assert_eq!(force_on(world, "slope", 1), [0.0; 3]);

        let options = scene.options.by(method);

        let world = &mut scene.world;
        for _ in 0..120 {
            simulator.step(world, &options).unwrap();
        }
        let t = world.state().t;
        let q = world.q(block).unwrap();
        let way = cos * q[0] - sin * q[1];
        let law = 0.5 * expected * t * t;
        assert!((way - law).abs() < 1e-6, "{method:?}: {way} {law}");
        assert!((sin * q[0] + cos * q[1]).abs() < 1e-6, "{method:?}");
    }
}

/// The cable alone turns the bridge: T·(arm of the cable) = I·θ̈ + m·g·(L/2)·cos θ about the hinge.
#[test]
fn a_cable_holds_the_angle_of_the_bridge() {
    let mut scene = library::open("drawbridge").unwrap();
    let deck = scene.world.find_body("deck").unwrap();
    let mut simulator = Simulator::new();
    let inertia = 800.0 * ((16.0 + 0.04) / 12.0 + 4.0);
    for frame in 0..240 {
        let world = &mut scene.world;
        let w = std::f64::consts::TAU * 0.25;
        let t = world.state().t;
        let (theta, ahead) = (0.5 - 0.5 * (w * t).cos(), 0.5 * w * w * (w * t).cos());
        let tip = world.position_world(&deck.at([2.0, 0.0, 0.0])).unwrap();
        let law = [4.0 * theta.cos(), 4.0 * theta.sin(), 0.0];
        assert!(norm(sub(tip, law)) < 1e-7, "frame {frame}: {tip:?} {law:?}");
        let force = force_on(world, "winch", 3);
        let torque = tip[0] * force[1] - tip[1] * force[0];
        let needed = inertia * ahead + 800.0 * G * 2.0 * theta.cos();
        assert!(
            (torque / needed - 1.0).abs() < 1e-6,
            "frame {frame}: {torque} {needed}"
        );
        // Along the cable, and with its reaction at the tower.
        let cable = sub([0.0, 5.0, 0.0], tip);
        let off = (cable[0] * force[1] - cable[1] * force[0]) / norm(cable);
        assert!(off.abs() < 1e-9 * norm(force), "frame {frame}: {off}");
        let back = force_on(world, "winch", 2);
        for k in 0..3 {
            assert!((back[k] + force[k]).abs() < 1e-9 * norm(force));
        }
        simulator.step(world, &scene.options).unwrap();
    }
}

/// Without momentum the same force moves along K: the deck stays at its angle.
#[test]
fn the_bridge_is_held_in_a_world_of_first_order() {
    let mut world = build("drawbridge");
    world.set_dynamics(Dynamics::FirstOrder);
    let deck = world.find_body("deck").unwrap();
    let mut simulator = Simulator::new();
    for _ in 0..60 {
        simulator
            .step(&mut world, &StepOptions::interactive(1.0 / 60.0))
            .unwrap();
        let t = world.state().t;
        let theta = 0.5 - 0.5 * (std::f64::consts::TAU * 0.25 * t).cos();
        let tip = world.position_world(&deck.at([2.0, 0.0, 0.0])).unwrap();
        let law = [4.0 * theta.cos(), 4.0 * theta.sin(), 0.0];
        assert!(norm(sub(tip, law)) < 1e-6, "{tip:?} {law:?}");
    }
}

fn scene_with(pushes: &str) -> Result<Scene, linkwork_scene::Fault> {
    load(&format!(
        r#"{{ "linkwork": 1, "world": {{ "gravity": [0, -9.81, 0] }}, "bodies": [
            {{ "name": "bar", "type": "rod", "length": 1, "radius": 0.05, "mass": 1, "position": [0.5, 0, 0] }},
            {{ "name": "arm", "type": "planar-rod", "length": 1, "mass": 1, "position": [0.5, 3] }},
            {{ "name": "far", "type": "particle", "mass": 1, "position": [5, 0, 0] }} ],
          "joints": [
            {{ "name": "pin", "type": "hinge", "a": "ground", "b": "bar", "at": [0, 0, 0], "axis": [0, 0, 1] }},
            {{ "name": "axle", "type": "hinge", "a": {{ "body": "ground", "point": [0, 3] }}, "b": {{ "body": "arm", "point": [-0.5, 0] }} }},
            {{ "name": "held", "type": "point-on-plane", "a": {{ "body": "ground", "axis": [0, 1, 0] }},
              "b": {{ "body": "bar", "point": [0.5, 0, 0] }}, "pushes": {pushes} }} ] }}"#
    ))
}

/// Any type, of space or of the plane, in a file and back.
#[test]
fn what_pushes_is_saved_and_read_again() {
    let all = [
        r#"{ "type": "distance", "a": { "body": "ground", "point": [1, 2, 0] }, "b": { "body": "bar", "point": [0.5, 0, 0] }, "length": 2 }"#,
        r#"{ "type": "angle-drive", "a": { "body": "ground", "axis": [0, 0, 1] }, "b": { "body": "bar", "axis": [0, 0, 1] }, "function": { "type": "constant", "value": 0 } }"#,
        r#"{ "type": "knife-edge", "a": { "body": "bar", "axis": [1, 0, 0] } }"#,
        r#"{ "type": "gear", "connectors": ["bar", "ground"], "axis": [0, 0, 1], "coefficients": [1] }"#,
        r#"{ "type": "point-on-plane", "a": { "body": "ground", "axis": [1, 2, 0] }, "b": { "body": "bar", "point": [0.2, 0, 0] } }"#,
    ];
    for pushes in all {
        let mut scene = scene_with(pushes).unwrap_or_else(|fault| panic!("{pushes}: {fault}"));
        let text = linkwork_scene::save(&scene).unwrap();
        let mut again = load(&text).unwrap_or_else(|fault| panic!("{pushes}: {fault}"));
        assert_eq!(text, linkwork_scene::save(&again).unwrap());
        let mut simulator = Simulator::new();
        for _ in 0..20 {
            for own in [&mut scene, &mut again] {
                simulator.step(&mut own.world, &own.options).unwrap();
            }
        }
        assert_eq!(scene.world.state().q, again.world.state().q);
        // It holds: the bar stays level.
        let bar = scene.world.find_body("bar").unwrap();
        let tip = scene
            .world
            .position_world(&bar.at([0.5, 0.0, 0.0]))
            .unwrap();
        assert!(tip[1].abs() < 1e-6, "{pushes}: {tip:?}");
    }
}

/// A force on another body, or at right angles, moves nothing of what it shall hold; it is named before anything runs.
#[test]
fn forces_that_move_nothing_are_named() {
    let named = |world: &World| -> Vec<String> {
        let found = linkwork::diagnose::powerless(world);
        let label = |id: ConstraintId| world.constraint_record(id).unwrap().label().to_owned();
        found.into_iter().map(label).collect()
    };
    for vain in [
        r#"{ "type": "distance", "a": { "body": "ground", "point": [9, 0, 0] }, "b": "far", "length": 4 }"#,
        r#"{ "type": "point-on-plane", "a": { "body": "ground", "axis": [0, 0, 1] }, "b": { "body": "bar", "point": [0.5, 0, 0] } }"#,
        r#"{ "type": "distance", "a": { "body": "ground", "point": [-1, 0, 0] }, "b": { "body": "bar", "point": [0.5, 0, 0] }, "length": 2 }"#,
    ] {
        assert_eq!(named(&scene_with(vain).unwrap().world), ["held"], "{vain}");
    }
    let held = r#"{ "type": "angle-drive", "a": { "body": "ground", "axis": [0, 0, 1] }, "b": { "body": "bar", "axis": [0, 0, 1] }, "function": { "type": "constant", "value": 0 } }"#;
    assert!(named(&scene_with(held).unwrap().world).is_empty());
    for name in ["drawbridge", "sliding-block", "four-bar"] {
        assert!(named(&build(name)).is_empty(), "{name}");
    }
}

/// Clear words for what cannot be.
#[test]
fn refuses_what_cannot_push() {
    let bad = [
        (
            r#"{ "type": "ball", "a": "ground", "b": "bar", "at": [0, 0, 0] }"#,
            "joints[2].pushes",
            "has 3 rows; what it holds has 1",
        ),
        (
            r#"{ "type": "spring", "a": "ground", "b": "bar", "stiffness": 1 }"#,
            "joints[2].pushes.type",
            "spring",
        ),
        (
            r#"{ "type": "distance", "a": "ground", "b": "nobody", "length": 1 }"#,
            "joints[2].pushes.b",
            "nobody",
        ),
        (
            r#"{ "type": "distance", "a": "bar", "b": "bar", "length": 1 }"#,
            "joints[2].pushes",
            "bar",
        ),
        (
            r#"{ "type": "hinge", "a": "ground", "b": "bar", "at": [0, 0, 0], "axis": [0, 0, 1], "armature": 1 }"#,
            "joints[2].pushes.armature",
            "only pushes",
        ),
    ];
    for (pushes, path, words) in bad {
        let fault = scene_with(pushes).unwrap_err();
        assert_eq!(fault.path, path, "{pushes}: {fault}");
        assert!(fault.to_string().contains(words), "{pushes}: {fault}");
    }
}

/// A force that moves nothing of the row is no cure: the solve says that rows contradict, and the step that it
/// went no further.
#[test]
fn what_pushes_in_vain_is_reported() {
    let far = r#"{ "type": "distance", "a": "ground", "b": "far", "length": 5 }"#;
    let mut scene = scene_with(far).unwrap();
    let mut simulator = Simulator::new();
    let solution = simulator.accelerations(&scene.world, Method::Direct);
    assert_eq!(solution.outcome, Outcome::LeastSquares);
    assert!(solution.residual.rows > 1.0, "{:?}", solution.residual);
    for _ in 0..30 {
        let report = simulator.step(&mut scene.world, &scene.options).unwrap();
        assert!(report.last_resorts() > 0);
        assert!(report.position_error < 1e-6, "{report:?}");
    }
}
