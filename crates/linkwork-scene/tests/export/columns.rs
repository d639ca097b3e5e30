//! Quantities by name against closed forms and against the engine's own answers.

use std::f64::consts::PI;

use linkwork::connector::Site;
use linkwork::math::{
    Mat3, Vec3, add, column, mat_mul, mat_t_mul, mat_t_vec, norm, quat_to_matrix, rotation_exp,
    scale, sub,
};
use linkwork::prelude::*;
use linkwork_scene::export::{Columns, ColumnsChoice, Reactions};
use linkwork_scene::{Scene, Trace};

const G: f64 = 9.81;
const LENGTH: f64 = 0.8;
const MASS: f64 = 2.5;

/// A thin bar on a hinge at the origin, let go from the horizontal.
fn pendulum() -> Scene {
    let mut world = World::with_gravity([0.0, -G, 0.0]).unwrap();
    let rod = Rod {
        length: LENGTH,
        radius: 1e-3,
        mass: MASS,
    };
    let bar = world
        .add_body_at("left arm", rod, Pose::at([LENGTH / 2.0, 0.0, 0.0]))
        .unwrap();
    let hinge = Hinge {
        axis_world: [0.0, 0.0, 1.0],
    };
    let end = bar.at([-LENGTH / 2.0, 0.0, 0.0]);
    world.join("pin", hinge, GROUND.at([0.0; 3]), end).unwrap();
    let mut scene = Scene::from(world);
    scene.options = StepOptions::precise(1e-3);
    let tip = bar.at([LENGTH / 2.0, 0.0, 0.0]);
    scene.connectors.push(("tip".into(), tip));
    scene.traces.push(Trace {
        name: "path".into(),
        of: tip,
        color: None,
    });
    scene
}

/// Moment of inertia about the hinge.
fn inertia() -> f64 {
    MASS * (LENGTH * LENGTH / 3.0 + 1e-6 / 4.0)
}

/// With θ from the horizontal, downward: `θ̇² = m·g·l·sin θ/I`, `θ̈ = m·g·l·cos θ/(2·I)`; the force
/// on the bar is `m·(a − g)` with `a = l/2·(−θ̇²·r + θ̈·t)`.
fn pin_force(sin: f64, cos: f64) -> [f64; 2] {
    let spin_square = MASS * G * LENGTH * sin / inertia();
    let spin_rate = MASS * G * LENGTH * cos / (2.0 * inertia());
    let half = LENGTH / 2.0;
    let (radial, tangent) = ([cos, -sin], [-sin, -cos]);
    let a = |k: usize| half * (-spin_square * radial[k] + spin_rate * tangent[k]);
    [MASS * a(0), MASS * (a(1) + G)]
}

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

#[test]
fn the_pendulum_has_the_closed_form() {
    let mut scene = pendulum();
    let names = [
        "time",
        "energy",
        "body.left arm.position",
        "body.\"left arm\".angular_velocity.z",
        "joint.pin.force",
        "joint.pin.force.magnitude",
        "connector.tip",
        "trace.path.position",
    ];
    let mut columns = Columns::parse(&scene, &names).unwrap();
    let header = columns.header();
    assert_eq!(header.len(), 1 + 4 + 3 + 1 + 3 + 1 + 6 + 3);
    assert_eq!(header[5], "body.\"left arm\".position.x");
    let mut simulator = Simulator::new();
    let mut row = Vec::new();
    let mut report = None;
    for _ in 0..400 {
        columns.sample(&scene, report.as_ref(), &mut row);
        let at = |name: &str| row[header.iter().position(|own| own == name).unwrap()];
        let (x, y) = (
            at("body.\"left arm\".position.x"),
            at("body.\"left arm\".position.y"),
        );
        let (cos, sin) = (2.0 * x / LENGTH, -2.0 * y / LENGTH);
        close(cos * cos + sin * sin, 1.0, 1e-8);
        close(at("energy.total"), 0.0, 1e-7);
        let spin = at("body.\"left arm\".angular_velocity.z");
        close(spin * spin, MASS * G * LENGTH * sin / inertia(), 1e-6);
        let [f_x, f_y] = pin_force(sin, cos);
        close(at("joint.pin.force.x"), f_x, 1e-5);
        close(at("joint.pin.force.y"), f_y, 1e-5);
        close(at("joint.pin.force.magnitude"), f_x.hypot(f_y), 1e-5);
        close(at("connector.tip.position.x"), 2.0 * x, 1e-9);
        assert_eq!(at("trace.path.position.y"), at("connector.tip.position.y"));
        close(at("connector.tip.velocity.y"), LENGTH * spin * cos, 1e-6);
        report = Some(simulator.step(&mut scene.world, &scene.options).unwrap());
    }
    close(row[0], 0.399, 1e-12);
}

#[test]
fn the_first_row_has_the_forces_of_the_instant() {
    let scene = pendulum();
    let hash = scene.world.state_hash();
    let names = [
        "joint.pin.force",
        "joint.pin.torque",
        "joint.pin.multipliers",
    ];
    let mut columns = Columns::parse(&scene, &names).unwrap();
    let mut row = Vec::new();
    columns.sample(&scene, None, &mut row);
    // Horizontal and at rest, the pin carries a quarter of the weight.
    let [f_x, f_y] = pin_force(0.0, 1.0);
    close(f_y, MASS * G / 4.0, 1e-4);
    close(row[0], f_x, 1e-12);
    close(row[1], f_y, 1e-12);
    close(row[5], 0.0, 1e-12);
    assert_eq!(row.len(), 6 + 5);
    let units: Vec<_> = columns.columns().iter().map(|column| column.unit).collect();
    assert_eq!(units[..6], ["N", "N", "N", "N·m", "N·m", "N·m"]);
    assert_eq!(units.iter().filter(|unit| **unit == "N·m").count(), 5);
    assert_eq!(scene.world.state_hash(), hash);
}

/// A box on the floor, a bar on its stop, an arm whose motor gives way: what is bounded holds them from the first row
/// on.
#[test]
fn the_first_row_has_what_limits_contacts_and_motors_push_with() {
    let text = r#"{"linkwork": 1, "world": {"gravity": [0, -10, 0], "floor": 0},
        "bodies": [
            {"name": "box", "type": "box", "size": [0.2, 0.2, 0.2], "mass": 1, "position": [0, 0.1, 0], "collide": true},
            {"name": "bar", "type": "rod", "from": [2, 1, 0], "to": [3, 1, 0], "radius": 0.02, "mass": 1},
            {"name": "arm", "type": "rod", "from": [0, 3, 0], "to": [0.5, 3, 0], "radius": 0.01, "mass": 1}],
        "joints": [
            {"name": "H", "type": "hinge", "a": "ground", "b": "bar", "at": [2, 1, 0], "axis": [0, 0, 1], "limits": {"lower_deg": 0}},
            {"name": "J", "type": "hinge", "a": "ground", "b": "arm", "at": [0, 3, 0], "axis": [0, 0, 1],
                "motor": {"speed": 2, "max_torque": 1.5}}]}"#;
    let scene = linkwork_scene::load(text).unwrap();
    let hash = scene.world.state_hash();
    let names = [
        "body.box.acceleration.y",
        "body.box.contact.force.y",
        "body.bar.acceleration.y",
        "joint.H.force.y",
        "joint.J.motor.torque",
        "body.arm.angular_acceleration.z",
    ];
    let mut columns = Columns::parse(&scene, &names).unwrap();
    let mut row = Vec::new();
    columns.sample(&scene, None, &mut row);
    // The arm: (1.5 − ½·m·g·l) / (m·(l²/3 + r²/4)).
    let arm = (1.5 - 10.0 * 0.25) / (0.25 / 3.0 + 0.01 * 0.01 / 4.0);
    for (found, expected) in row.iter().zip([0.0, 10.0, 0.0, 10.0, 1.5, arm]) {
        close(*found, expected, 1e-6);
    }
    assert_eq!(scene.world.state_hash(), hash);
}

#[test]
fn sampling_changes_no_bit_of_a_run() {
    let run = |is_sampled: bool| {
        let mut scene = Scene::from(linkwork_scene::scene("four-bar").unwrap());
        let mut columns = Columns::parse(&scene, &["*"]).unwrap();
        let mut simulator = Simulator::new();
        let mut row = Vec::new();
        for _ in 0..30 {
            if is_sampled {
                columns.sample(&scene, None, &mut row);
            }
            simulator.step(&mut scene.world, &scene.options).unwrap();
        }
        scene.world.state_hash()
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn forces_are_those_of_the_engine() {
    let mut scene = Scene::from(linkwork_scene::scene("four-bar").unwrap());
    let columns = Columns::parse(&scene, &["joint.*.force", "joint.*.torque"]).unwrap();
    let mut columns = columns.with_reactions(Reactions::OfStep);
    let mut simulator = Simulator::new();
    let mut row = Vec::new();
    for _ in 0..20 {
        let report = simulator.step(&mut scene.world, &scene.options).unwrap();
        columns.sample(&scene, Some(&report), &mut row);
    }
    let world = &scene.world;
    let n = world.constraints().len();
    assert_eq!(row.len(), 6 * n);
    for (at, record) in world.constraints().iter().enumerate() {
        let options = ReactionOptions::default();
        let lambda = &world.state().lambda;
        let reaction = world.reaction(record.id(), lambda, options).unwrap();
        assert_eq!(row[3 * at..3 * at + 3], reaction.force);
        assert_eq!(row[3 * (n + at)..3 * (n + at) + 3], reaction.torque);
    }
    assert!(row.iter().any(|value| value.abs() > 0.1));
}

/// What a step was taken with lags behind by a part of it; the instant does not.
#[test]
fn forces_of_steps_approach_those_of_instants() {
    let worst = |dt: f64| {
        let mut scene = pendulum();
        scene.options = StepOptions::interactive(dt);
        let of_step = Columns::parse(&scene, &["joint.pin.force"]).unwrap();
        let mut of_step = of_step.with_reactions(Reactions::OfStep);
        let mut of_instant = Columns::parse(&scene, &["joint.pin.force"]).unwrap();
        let mut simulator = Simulator::new();
        let (mut a, mut b) = (Vec::new(), Vec::new());
        let mut worst = 0.0f64;
        for _ in 0..(0.4 / dt) as usize {
            let report = simulator.step(&mut scene.world, &scene.options).unwrap();
            of_step.sample(&scene, Some(&report), &mut a);
            of_instant.sample(&scene, Some(&report), &mut b);
            for (a, b) in a.iter().zip(&b) {
                worst = worst.max((a - b).abs());
            }
        }
        worst
    };
    let (coarse, fine) = (worst(1e-2), worst(1e-3));
    assert!(coarse > 1e-2 && fine < 0.15 * coarse, "{coarse} {fine}");
}

#[test]
fn the_plane_has_angles_and_no_z() {
    let mut world = World::with_gravity([0.0, -G, 0.0]).unwrap();
    let rod = PlanarRod {
        length: 1.0,
        mass: 1.0,
    };
    let pose = Pose::in_plane([0.5, 0.25], 0.5 * PI);
    let bar = world.add_body_at("bar", rod, pose).unwrap();
    world.set_v(bar, &[1.0, 2.0, 3.0]).unwrap();
    let scene = Scene::from(world);
    let mut columns = Columns::parse(&scene, &[]).unwrap();
    let expected = [
        "time",
        "energy.total",
        "step.position_error",
        "body.bar.position.x",
        "body.bar.position.y",
        "body.bar.angle",
    ];
    assert_eq!(columns.header(), expected);
    let mut row = Vec::new();
    columns.sample(&scene, None, &mut row);
    assert_eq!(row[3..], [0.5, 0.25, 0.5 * PI]);
    let names = [
        "body.bar.velocity",
        "body.bar.angular_velocity",
        "body.bar.spin",
    ];
    let mut columns = Columns::parse(&scene, &names).unwrap();
    columns.sample(&scene, None, &mut row);
    assert_eq!(row, [1.0, 2.0, 0.0, 0.0, 3.0, 3.0]);
}

#[test]
fn a_free_body_has_its_momentum() {
    let mut world = World::new();
    let size = [0.2, 0.4, 0.6];
    let pose = Pose::at([1.0, 2.0, 3.0]);
    let cuboid = Cuboid { size, mass: 3.0 };
    let block = world.add_body_at("block", cuboid, pose).unwrap();
    let v = [0.5, -1.0, 2.0, 0.25, 0.0, 0.0];
    world.set_v(block, &v).unwrap();
    let scene = Scene::from(world);
    let names = [
        "momentum",
        // As it was spelled once.
        "centre_of_mass",
        "body.block.velocity",
        "body.block.angular_velocity",
        "body.block.quaternion",
        "body.block.v",
        "energy.kinetic",
    ];
    let mut columns = Columns::parse(&scene, &names).unwrap();
    let mut row = Vec::new();
    columns.sample(&scene, None, &mut row);
    // L = x × m·v + I·ω, with I_xx = m·(y² + z²)/12.
    let inertia = 3.0 * (0.16 + 0.36) / 12.0;
    let angular = [
        3.0 * (4.0 + 3.0) + inertia * 0.25,
        3.0 * (1.5 - 2.0),
        3.0 * (-1.0 - 1.0),
    ];
    let kinetic = 1.5 * (0.25 + 1.0 + 4.0) + 0.5 * inertia * 0.0625;
    let mut expected = vec![1.5, -3.0, 6.0];
    expected.extend(angular);
    expected.extend([1.0, 2.0, 3.0]);
    expected.extend(v);
    expected.extend([1.0, 0.0, 0.0, 0.0]);
    expected.extend(v);
    expected.push(kinetic);
    assert_eq!(row.len(), expected.len());
    for (value, expected) in row.iter().zip(expected) {
        close(*value, expected, 1e-12);
    }
}

#[test]
fn every_listed_column_can_be_asked_for_and_has_a_number() {
    let names = [
        "four-bar",
        "double-pendulum",
        "andrews",
        "plate-on-strings",
        "bar-between-discs",
    ];
    for name in names {
        let scene = Scene::from(linkwork_scene::scene(name).unwrap());
        let list = Columns::list(&scene);
        let names: Vec<&str> = list.iter().map(|info| info.name.as_str()).collect();
        let mut columns = Columns::parse(&scene, &names).unwrap();
        let mut row = Vec::new();
        columns.sample(&scene, None, &mut row);
        assert_eq!(row.len(), columns.columns().len());
        for (value, column) in row.iter().zip(columns.columns()) {
            assert!(value.is_finite(), "{name}: {} is {value}", column.name);
        }
        // Once more by full names: the same columns.
        let header = columns.header();
        let again: Vec<&str> = header.iter().map(String::as_str).collect();
        assert_eq!(Columns::parse(&scene, &again).unwrap().header(), header);
    }
}

#[test]
fn hands_have_forces() {
    let mut scene = pendulum();
    let tip = scene.connectors[0].1;
    let drag = Drag::Force {
        stiffness: 100.0,
        damping: 0.0,
    };
    let grip = scene.world.grab(tip, drag).unwrap();
    let mut columns = Columns::parse(&scene, &["hand.*.force", "body.*.position"]).unwrap();
    assert_eq!(columns.header()[0], "hand.\"hand 1\".force.x");
    assert_eq!(columns.header().len(), 6);
    scene.world.drag(grip, [LENGTH, 0.1, 0.0]).unwrap();
    let mut simulator = Simulator::new();
    let report = simulator.step(&mut scene.world, &scene.options).unwrap();
    let mut row = Vec::new();
    columns.sample(&scene, Some(&report), &mut row);
    assert!(row[1] > 1.0, "{row:?}");
    // What is gone is not a number.
    scene.world.release(grip).unwrap();
    columns.sample(&scene, Some(&report), &mut row);
    assert!(row[1].is_nan() && row[3].is_finite());
}

/// A name is looked for in every scene that is shown; where it is not, it is not a number.
#[test]
fn names_of_later_scenes_are_found() {
    let now = pendulum();
    let mut later = pendulum();
    let ball = Particle { mass: 1.0 };
    let place = Pose::at([0.0, 3.0, 0.0]);
    later.world.add_body_at("ball", ball, place).unwrap();
    let mut choice = ColumnsChoice::new(&["time", "body.ball.position.y"]).unwrap();
    choice.look(&now);
    choice.look(&later);
    let mut columns = choice.finish().unwrap();
    let mut row = Vec::new();
    columns.sample(&now, None, &mut row);
    assert!(row[1].is_nan());
    columns.sample(&later, None, &mut row);
    assert_eq!(row[1], 3.0);
    let mut choice = ColumnsChoice::new(&["body.bell.position"]).unwrap();
    choice.look(&now);
    choice.look(&later);
    let fault = choice.finish().unwrap_err();
    assert_eq!(fault.problem, "no body is called \"bell\"");
}

#[test]
fn wrong_names_are_named() {
    let scene = pendulum();
    let fault = |name: &str| {
        Columns::parse(&scene, &["time", name])
            .unwrap_err()
            .to_string()
    };
    let check = |name: &str, problem: &str, meant: &str| {
        let fault = fault(name);
        assert!(
            fault.starts_with(&format!("column {name}: {problem}")),
            "{fault}"
        );
        assert!(fault.contains(meant), "{fault}");
        assert!(fault.contains("List the columns"), "{fault}");
    };
    check(
        "enery.total",
        "no column begins with \"enery\"",
        "\"energy\"",
    );
    check("energy.totl", "\"energy\" has no \"totl\"", "\"total\"");
    check(
        "body.left ram.q",
        "no body is called \"left ram\"",
        "\"left arm\"",
    );
    check(
        "body.\"left arm\".postion",
        "body \"left arm\" has no \"postion\"",
        "\"position\"",
    );
    check(
        "joint.pin.force.w",
        "joint \"pin\" has no \"force.w\"",
        "\"force",
    );
    check(
        "body.*.angle",
        "no body that matches \"*\" has \"angle\"",
        "",
    );
    check("hand.*.force", "the scene has no hands", "");
    assert!(fault("body.\"left").contains("not closed"));
}

/// What measures an angle has a column for it that goes on through full turns.
#[test]
fn angles_of_joints_count_turns() {
    let text = r#"{ "linkwork": 1,
        "bodies": [{ "name": "wheel", "type": "sphere", "radius": 0.1, "mass": 1 }],
        "joints": [{ "name": "axle", "type": "hinge", "a": "ground", "b": "wheel", "at": [0, 0, 0],
            "axis": [0, 0, 1], "drive": { "type": "ramp", "rate": -20 } }] }"#;
    let mut scene = linkwork_scene::load(text).unwrap();
    let names = ["joint.\"axle drive\".angle", "joint.\"axle drive\".spin"];
    let mut columns = Columns::parse(&scene, &names).unwrap();
    let mut row = Vec::new();
    let mut simulator = Simulator::new();
    for step in 0..100 {
        columns.sample(&scene, None, &mut row);
        close(row[0], -20.0 * f64::from(step) / 60.0, 1e-9);
        close(row[1], -20.0, 1e-9);
        simulator.step(&mut scene.world, &scene.options).unwrap();
    }
}

/// A box of 2 kg at rest on a floor, with another on it: what each pushes with, by pairs and in all.
#[test]
fn contacts_have_forces() {
    let text = r#"{ "linkwork": 1, "world": { "gravity": [0, -9.81, 0], "floor": 0 },
  "bodies": [ { "name": "low", "type": "box", "size": [0.2, 0.2, 0.2], "mass": 2, "position": [0, 0.1, 0], "collide": true },
    { "name": "high", "type": "box", "size": [0.1, 0.1, 0.1], "mass": 1, "position": [0, 0.25, 0], "collide": true } ] }"#;
    let mut scene = linkwork_scene::load(text).unwrap();
    let names = [
        "contact.ground.low.force.y",
        "contact.low.high.force.y",
        "contact.high.low.force.y",
        "body.low.contact.force.y",
        "body.high.contact.force.magnitude",
        "contact.low.high.points",
        "contact.ground.high.force.y",
    ];
    let mut columns = Columns::parse(&scene, &names).unwrap();
    let mut simulator = Simulator::new();
    for _ in 0..30 {
        simulator.step(&mut scene.world, &scene.options).unwrap();
    }
    let mut row = Vec::new();
    columns.sample(&scene, None, &mut row);
    let wanted = [3.0 * G, G, -G, 2.0 * G, G, 4.0, 0.0];
    for ((name, own), wanted) in names.iter().zip(&row).zip(wanted) {
        assert!(
            (own - wanted).abs() < 1e-6,
            "{name}: {own} instead of {wanted}"
        );
    }
    let listed = Columns::list(&scene);
    let has = |name: &str| listed.iter().any(|own| own.name == name);
    assert!(has("contact.ground.low.force") && !has("contact.ground.high.force"));
    let fault = Columns::parse(&scene, &["contact.ground.lo.force"]).unwrap_err();
    assert!(fault.to_string().contains("lo"), "{fault}");
}

/// A wheel that turns freely in space, without anything that counts its turns.
fn wheel(spin: f64, more: &str) -> Scene {
    let text = format!(
        r#"{{ "linkwork": 1, "world": {{ "preset": "precise" }},
        "bodies": [{{ "name": "wheel", "type": "sphere", "radius": 0.1, "mass": 1,
            "angular_velocity": [0, 0, {spin}] }}],
        "joints": [{{ "name": "axle", "type": "hinge", "a": "ground", "b": "wheel", "at": [0, 0, 0],
            "axis": [0, 0, 1] }}]{more} }}"#
    );
    linkwork_scene::load(&text).unwrap()
}

/// The angle of a hinge that nothing counts goes on through many turns a step and between rows: at a steady rate, at
/// one that grows steadily, and where columns are asked for anew.
#[test]
fn angles_of_plain_hinges_count_turns() {
    let torque =
        r#", "behaviors": [{ "name": "push", "type": "motor", "joint": "axle", "torque": 40 }]"#;
    for (spin, more, growth) in [(3000.0, "", 0.0), (-500.0, torque, 40.0 / 0.004)] {
        let mut scene = wheel(spin, more);
        let mut columns = Columns::parse(&scene, &["joint.axle.angle"]).unwrap();
        let mut simulator = Simulator::new();
        let mut row = Vec::new();
        for step in 0..=120 {
            if step == 50 {
                let anew = Columns::parse(&scene, &["time", "joint.axle.angle"]).unwrap();
                columns = anew.after(&scene, &columns);
            }
            if step % 30 == 0 {
                columns.sample(&scene, None, &mut row);
                let t = f64::from(step) / 60.0;
                let expected = spin * t + 0.5 * growth * t * t;
                close(*row.last().unwrap(), expected, 1e-6 * spin.abs());
            } else {
                columns.follow(&scene);
            }
            simulator.step(&mut scene.world, &scene.options).unwrap();
        }
    }
}

/// Where time goes back, turns are counted anew.
#[test]
fn angles_of_plain_hinges_begin_anew_where_time_goes_back() {
    let start = wheel(20.0, "");
    let mut scene = start.clone();
    let mut columns = Columns::parse(&scene, &["joint.axle.angle"]).unwrap();
    let mut row = Vec::new();
    for _ in 0..60 {
        columns.sample(&scene, None, &mut row);
        Simulator::new()
            .step(&mut scene.world, &scene.options)
            .unwrap();
    }
    columns.sample(&start, None, &mut row);
    assert_eq!(row, [0.0]);
}

/// What slides, and what pulls two points together, has its coordinate and the rate of it.
#[test]
fn what_slides_or_stretches_has_its_coordinate() {
    let sides = r#""a": "ground", "b": "block", "at": [0, 0, 0], "axis": [1, 0, 0]"#;
    let ramp = r#""function": { "type": "ramp", "start": 0.2, "rate": 0.5 }"#;
    let points = r#""a": "ground", "b": "block", "stiffness": 1"#;
    for (joint, name) in [
        (format!(r#""type": "slot", {sides}"#), "position"),
        (
            format!(r#""type": "length-drive", {sides}, {ramp}"#),
            "position",
        ),
        (
            format!(r#""type": "length-armature", {sides}, "inertia": 1"#),
            "position",
        ),
        (
            format!(r#""type": "length-limit", {sides}, "upper": 5"#),
            "position",
        ),
        (
            format!(r#""type": "length-servo", {sides}, "speed": 1, "most": 1"#),
            "position",
        ),
        (
            format!(r#""type": "spring", {points}, "rest_length": 0.1"#),
            "distance",
        ),
        (format!(r#""type": "spring", {points}"#), "distance"),
    ] {
        let text = format!(
            r#"{{ "linkwork": 1, "bodies": [{{ "name": "block", "type": "sphere", "radius": 0.1, "mass": 1,
                "position": [0.2, 0, 0], "velocity": [0.5, 0, 0] }}], "joints": [{{ "name": "j", {joint} }}] }}"#
        );
        // Sides with "at" start together: the block is where it slides to.
        let scene = linkwork_scene::load(&text).unwrap();
        let names = [format!("joint.j.{name}"), "joint.j.speed".to_owned()];
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut columns =
            Columns::parse(&scene, &names).unwrap_or_else(|fault| panic!("{joint}: {fault}"));
        let mut row = Vec::new();
        columns.sample(&scene, None, &mut row);
        let expected = if name == "distance" { 0.2 } else { 0.0 };
        close(row[0], expected, 1e-12);
        close(row[1], 0.5, 1e-12);
    }
}

/// A wheel on a torsion spring swings to and fro within a step: 1 rad at 300 rad/s, which from step to step looks like
/// turns. The spring counts them, and so do limits.
#[test]
fn angles_of_hinges_with_springs_and_limits_are_counted_in_sub_steps() {
    let spring = r#", "behaviors": [{ "name": "s", "type": "torsion-spring", "joint": "axle", "stiffness": 360 }]"#;
    let mut scene = wheel(300.0, spring);
    let mut columns = Columns::parse(&scene, &["joint.axle.angle"]).unwrap();
    let mut row = Vec::new();
    let mut simulator = Simulator::new();
    for step in 0..=120 {
        columns.sample(&scene, None, &mut row);
        close(row[0], (5.0 * f64::from(step)).sin(), 1e-3);
        simulator.step(&mut scene.world, &scene.options).unwrap();
    }
    // From stop to stop, 4 rad apart, many times a step.
    let text = linkwork_scene::save(&wheel(2000.0, "")).unwrap();
    let limited = text.replace(
        r#""type": "hinge","#,
        r#""type": "hinge", "limits": { "lower": 0, "upper": 4, "restitution": 1 },"#,
    );
    let mut scene = linkwork_scene::load(&limited).unwrap();
    let mut columns = Columns::parse(&scene, &["joint.axle.angle"]).unwrap();
    for _ in 0..30 {
        columns.sample(&scene, None, &mut row);
        assert!((-1e-6..4.0 + 1e-6).contains(&row[0]), "{row:?}");
        simulator.step(&mut scene.world, &scene.options).unwrap();
    }
}

/// A scene of one box on one joint, after `n` steps, and numbers of these columns.
fn after(n: usize, joint: &str, body: &str, names: &[&str]) -> (Scene, Vec<f64>) {
    let text = format!(
        r#"{{ "linkwork": 1, "world": {{ "gravity": [0, 0, 0], "dt": 0.01 }},
        "bodies": [{{ "name": "plate", "type": "box", "size": [0.2, 0.3, 0.1], "mass": 2, {body} }}],
        "joints": [{{ "name": "j", "a": "ground", "b": "plate", "at": [0.1, 0.2, 0.3], {joint} }}] }}"#
    );
    let mut scene = linkwork_scene::load(&text).unwrap();
    let names: Vec<String> = names.iter().map(|own| format!("joint.j.{own}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut columns = Columns::parse(&scene, &names).unwrap();
    let mut simulator = Simulator::new();
    for _ in 0..n {
        simulator.step(&mut scene.world, &scene.options).unwrap();
    }
    let mut row = Vec::new();
    columns.sample(&scene, None, &mut row);
    (scene, row)
}

/// The frames of the joint of such a scene, and how they turn, world axes.
fn frames(scene: &Scene) -> [(Mat3, Vec3, Vec3); 2] {
    let world = &scene.world;
    let sides = world.constraints()[0].connectors();
    [sides[0], sides[1]].map(|side| {
        let Some((body, Site::Frame { rotation, .. })) = side.place() else {
            panic!("a frame");
        };
        let pose = world.pose(body).unwrap();
        let turned = pose.map_or(rotation, |pose| {
            mat_mul(&quat_to_matrix(pose.rotation), &rotation)
        });
        let rate = world.connector_value(&side).unwrap().x_dot;
        let omega = [rate[3], rate[4], rate[5]];
        (turned, world.position_world(&side).unwrap(), omega)
    })
}

/// `R_aᵀ·R_b = Rx(α)·Ry(β)` and `ω_b − ω_a = α̇·x_a + β̇·y_b`.
#[test]
fn a_universal_joint_has_two_angles() {
    let (scene, row) = after(
        70,
        r#""type": "universal", "axis": [0, 0.6, 0.8], "axis_b": [1, 0, 0]"#,
        r#""position": [0.1, 0.2, 0.3], "angular_velocity": [1.3, 1.2, 1.6]"#,
        &["angle", "spin", "angle_b", "spin_b"],
    );
    let [alpha, spin, beta, spin_b] = row[..] else {
        panic!("four columns");
    };
    let [(a, _, _), (b, _, omega)] = frames(&scene);
    let about = |axis: Vec3, angle: f64| rotation_exp(scale(angle, axis));
    let wanted = mat_mul(
        &about([1.0, 0.0, 0.0], alpha),
        &about([0.0, 1.0, 0.0], beta),
    );
    let found = mat_t_mul(&a, &b);
    assert!(beta.abs() > 0.2, "{beta}");
    for (own, other) in found.as_flattened().iter().zip(wanted.as_flattened()) {
        close(*own, *other, 1e-8);
    }
    let turns = add(scale(spin, column(&a, 0)), scale(spin_b, column(&b, 1)));
    for (own, other) in turns.into_iter().zip(omega) {
        close(own, other, 1e-8);
    }
}

#[test]
fn a_planar_joint_has_an_angle_and_two_positions() {
    let (scene, row) = after(
        100,
        r#""type": "planar", "normal": [0, 0, 1]"#,
        r#""position": [0.1, 0.2, 0.3], "velocity": [0.3, -0.2, 0], "angular_velocity": [0, 0, 4]"#,
        &[
            "angle",
            "spin",
            "position.y",
            "position.z",
            "speed.y",
            "speed.z",
        ],
    );
    let [(a, from, _), (_, to, _)] = frames(&scene);
    let place = mat_t_vec(&a, sub(to, from));
    let speed = mat_t_vec(&a, [0.3, -0.2, 0.0]);
    // Four radians in the last second, seen for the first time: within a turn.
    let wanted = [4.0 - 2.0 * PI, 4.0, place[1], place[2], speed[1], speed[2]];
    assert!(norm(place) > 0.3, "{place:?}");
    assert_eq!(row.len(), wanted.len());
    for (own, wanted) in row.into_iter().zip(wanted) {
        close(own, wanted, 1e-6);
    }
}
