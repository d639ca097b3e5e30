//! MJCF, feature by feature.

use linkwork::assembly::AssemblyOutcome;
use linkwork::prelude::*;
use linkwork_import::{Base, ImportOptions, import};
use linkwork_scene::format::BodyView;

use super::{acceleration, assert_close, body, build, joint, read, read_with, says};

fn model(world: &str) -> String {
    format!(r#"<mujoco><worldbody>{world}</worldbody></mujoco>"#)
}

/// Mass 2, its center half a meter along x, moments 0.1, 0.2, 0.25.
const ROD: &str = r#"<inertial pos="0.5 0 0" mass="2" diaginertia="0.1 0.2 0.25"/>"#;

/// What a rod's own weight does about y, level.
const TORQUE: f64 = 2.0 * 9.81 * 0.5;
const MOMENT: f64 = 0.2 + 2.0 * 0.25;

fn position_of(text: &str, name: &str, point: [f64; 3]) -> [f64; 3] {
    let world = build(&read(text)).world;
    let at = world.find_body(name).unwrap().at(point);
    world.position_world(&at).unwrap()
}

#[test]
fn orientations_are_read_in_every_way() {
    // The y axis of each body, in the world.
    let cases = [
        ("", r#"quat="1 0 0 1""#, [-1.0, 0.0, 0.0]),
        ("", r#"axisangle="1 0 0 90""#, [0.0, 0.0, 1.0]),
        (
            r#"angle="radian""#,
            r#"axisangle="1 0 0 1.5707963267948966""#,
            [0.0, 0.0, 1.0],
        ),
        ("", r#"xyaxes="0 0 1 0 2 5""#, [0.0, 1.0, 0.0]),
        ("", r#"zaxis="0 1 0""#, [0.0, 0.0, -1.0]),
        // About moving axes: x by 90°, then the new z by 90°; y goes to −x.
        ("", r#"euler="90 0 90""#, [-1.0, 0.0, 0.0]),
        // About fixed axes: y goes to z by x, and stays there by z.
        (r#"eulerseq="XYZ""#, r#"euler="90 0 90""#, [0.0, 0.0, 1.0]),
        (r#"eulerseq="zyx""#, r#"euler="90 0 0""#, [-1.0, 0.0, 0.0]),
    ];
    for (compiler, orientation, expected) in cases {
        let text = format!(
            r#"<mujoco><compiler {compiler}/><worldbody>
               <body name="b" {orientation}>{ROD}<freejoint/></body></worldbody></mujoco>"#
        );
        let found = position_of(&text, "b", [0.0, 1.0, 0.0]);
        assert_close(&found, &expected, 1e-14);
    }
}

#[test]
fn bodies_stand_in_bodies_and_frames() {
    let text = model(&format!(
        r#"<frame pos="1 0 0" euler="0 0 90"><body name="a" pos="1 0 0">{ROD}<freejoint/>
             <frame pos="0 0 1"><body name="b" pos="0 1 0">{ROD}<joint axis="0 0 1"/></body></frame>
           </body></frame>"#
    ));
    assert_close(&position_of(&text, "a", [0.0; 3]), &[1.0, 1.0, 0.0], 1e-14);
    assert_close(&position_of(&text, "b", [0.0; 3]), &[0.0, 1.0, 1.0], 1e-14);
}

/// Masses, centers and moments as MuJoCo 3 computes them (its compiled model, printed).
#[test]
fn shapes_weigh_what_they_weigh() {
    let text = model(
        r#"<body name="capsule"><freejoint/><geom type="capsule" size="0.1 0.2"/></body>
           <body name="ellipsoid"><freejoint/><geom type="ellipsoid" size="0.1 0.2 0.3"/></body>
           <body name="cylinder"><freejoint/><geom type="cylinder" size="0.1" fromto="0 0 0 0.3 0 0.4" density="500"/></body>
           <body name="two"><freejoint/><geom type="box" size="0.1 0.2 0.3" mass="2" pos="1 0 0" euler="0 0 90"/>
             <geom type="sphere" size="0.1" mass="1"/></body>"#,
    );
    let expected: [(&str, f64, [f64; 3], [f64; 3]); 4] = [
        (
            "capsule",
            16.75516081914557,
            [0.0; 3],
            [
                0.07958701389094144,
                0.44610615680975085,
                0.44610615680975085,
            ],
        ),
        (
            "ellipsoid",
            25.132741228718345,
            [0.0; 3],
            [0.25132741228718347, 0.5026548245743669, 0.653451271946677],
        ),
        (
            "cylinder",
            7.853981633974484,
            [0.15, 0.0, 0.2],
            [
                0.03926990816987242,
                0.18325957145940464,
                0.18325957145940464,
            ],
        ),
        (
            "two",
            3.0,
            [2.0 / 3.0, 0.0, 0.0],
            [0.07066666666666667, 0.704, 0.7573333333333334],
        ),
    ];
    let imported = read(&text);
    for (name, mass, com, moments) in expected {
        let entry = body(&imported.document, name);
        assert_close(&[entry.get("mass").unwrap()], &[mass], 1e-13);
        assert_close(entry.get("com").unwrap(), &com, 1e-13);
        let inertia: [f64; 6] = entry.get("inertia").unwrap();
        let (mut found, _) = linkwork::math::sym_eigen(&inertia);
        found.sort_by(f64::total_cmp);
        assert_close(&found, &moments, 1e-13);
        assert!(!entry.get::<&BodyView>("view").unwrap().draw.is_empty());
    }
    assert!(says(&imported.report.approximated, &["ellipsoid"]));
}

#[test]
fn classes_give_what_elements_leave_out() {
    let text = format!(
        r#"<mujoco><default><joint damping="1" axis="0 1 0"/>
             <default class="outer"><joint damping="2"/>
               <default class="inner"><joint armature="0.5"/></default></default></default>
           <worldbody><body name="a" childclass="outer">{ROD}<joint name="j" class="inner"/>
             <body name="b" pos="1 0 0">{ROD}<joint name="k" damping="3"/></body></body>
             <body name="c">{ROD}<joint name="l"/></body></worldbody></mujoco>"#
    );
    let imported = read(&text);
    let damping = |name: &str| {
        let wanted = format!("damping of {name}");
        let found = imported
            .document
            .behaviors
            .iter()
            .find(|own| own.name == wanted);
        found.unwrap().get::<f64>("angular").unwrap()
    };
    assert_eq!([damping("j"), damping("k"), damping("l")], [2.0, 3.0, 1.0]);
    assert_eq!(joint(&imported.document, "j").get("armature"), Some(0.5));
}

/// (I + m·l² + armature)·α = m·g·l, to the last digits.
#[test]
fn an_armature_is_a_rotor() {
    let text = model(&format!(
        r#"<body name="rod">{ROD}<joint name="j" axis="0 1 0" armature="0.3"/></body>"#
    ));
    let found = acceleration(&read(&text), "rod");
    assert_close(&found[3..], &[0.0, TORQUE / (MOMENT + 0.3), 0.0], 1e-12);
    // Of a slide it is a mass that has no weight.
    let text = model(&format!(
        r#"<body name="rod">{ROD}<joint name="j" type="slide" axis="0 0 1" armature="3"/></body>"#
    ));
    let found = acceleration(&read(&text), "rod");
    assert_close(&found[..3], &[0.0, 0.0, -9.81 * 2.0 / 5.0], 1e-12);
    let without = ImportOptions {
        armature: false,
        ..ImportOptions::default()
    };
    let imported = read_with(&text, &without);
    assert_close(
        &acceleration(&imported, "rod")[..3],
        &[0.0, 0.0, -9.81],
        1e-12,
    );
    assert!(says(&imported.report.refused, &["armature", "\"j\""]));
}

/// A hinge of 30° at its reference and a spring that rests at 50°, started at 40°.
#[test]
fn coordinates_count_from_the_reference() {
    let text = model(&format!(
        r#"<body name="rod">{ROD}<joint name="j" axis="0 0 1" ref="30" stiffness="4" springref="50"/></body>"#
    ));
    let mut options = ImportOptions::default();
    options
        .coordinates
        .insert("j".to_owned(), vec![40.0_f64.to_radians()]);
    let imported = read_with(&text, &options);
    let found = acceleration(&imported, "rod");
    let alpha = 4.0 * 10.0_f64.to_radians() / (0.25 + 2.0 * 0.25);
    assert_close(&found[3..], &[0.0, 0.0, alpha], 1e-12);
    let world = build(&imported).world;
    let tip = world.find_body("rod").unwrap().at([1.0, 0.0, 0.0]);
    let angle = 10.0_f64.to_radians();
    let expected = [angle.cos(), angle.sin(), 0.0];
    assert_close(&world.position_world(&tip).unwrap(), &expected, 1e-14);
}

#[test]
fn slides_and_balls_have_springs_and_dampers() {
    let text = model(&format!(
        r#"<body name="cart">{ROD}<joint name="s" type="slide" axis="1 0 0" stiffness="30" springref="0.2" damping="5"/></body>
           <body name="ball"><inertial pos="0 0 0" mass="1" diaginertia="0.1 0.2 0.25"/>
             <joint name="b" type="ball" stiffness="3" damping="0.5"/></body>"#
    ));
    let mut options = ImportOptions::default();
    options.coordinates.insert("s".to_owned(), vec![0.5]);
    options.rates.insert("s".to_owned(), vec![0.1]);
    let (sin, cos) = 0.2_f64.sin_cos();
    options
        .coordinates
        .insert("b".to_owned(), vec![cos, sin, 0.0, 0.0]);
    options.rates.insert("b".to_owned(), vec![0.0, 0.3, 0.0]);
    let imported = read_with(&text, &options);
    let found = acceleration(&imported, "cart");
    assert_close(
        &found[..3],
        &[(-30.0 * 0.3 - 5.0 * 0.1) / 2.0, 0.0, 0.0],
        1e-12,
    );
    // Turned by 0.4 about x: torque −3·0.4 about x, −0.5·0.3 about the body's y.
    let found = acceleration(&imported, "ball");
    let y = -0.5 * 0.3 / 0.2;
    let (sin, cos) = 0.4_f64.sin_cos();
    assert_close(&found[3..], &[-12.0, y * cos, y * sin], 1e-11);
}

/// What is too fast for an explicit force is a soft row, with the same acceleration.
#[test]
fn fast_springs_and_dampers_are_soft_rows() {
    let text = |numbers: &str| {
        model(&format!(
            r#"<body name="rod">{ROD}<joint name="j" axis="0 0 1" {numbers}/></body>"#
        ))
    };
    let mut options = ImportOptions::default();
    options.coordinates.insert("j".to_owned(), vec![0.1]);
    options.rates.insert("j".to_owned(), vec![0.2]);
    let moment = 0.25 + 2.0 * 0.25;
    for (stiffness, damping, kind) in [
        (0.0, 100.0, "gear"),
        (5000.0, 3.0, "angle-drive"),
        (5.0, 100.0, "angle-drive"),
    ] {
        let numbers = format!(r#"stiffness="{stiffness}" damping="{damping}""#);
        let imported = read_with(&text(&numbers), &options);
        assert!(imported.document.behaviors.is_empty());
        assert!(
            imported
                .document
                .joints
                .iter()
                .any(|own| own.word() == kind)
        );
        let alpha = -(stiffness * 0.1 + damping * 0.2) / moment;
        let found = acceleration(&imported, "rod");
        assert_close(&found[3..], &[0.0, 0.0, alpha], 1e-12);
    }
}

#[test]
fn several_joints_of_a_body_are_one_joint_where_there_is_one() {
    let cases = [
        (
            r#"<joint axis="1 0 0" damping="1"/><joint axis="0 1 0"/>"#,
            Some("universal"),
            2,
        ),
        (
            r#"<joint axis="1 0 0"/><joint axis="0 1 0"/><joint axis="0 0 1"/>"#,
            Some("ball"),
            3,
        ),
        (
            r#"<joint type="slide" axis="1 0 0"/><joint axis="-1 0 0"/>"#,
            Some("cylindrical"),
            2,
        ),
        (
            r#"<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint axis="0 1 0"/>"#,
            Some("planar"),
            3,
        ),
        (
            r#"<joint axis="1 0 0"/><joint axis="0 1 0" pos="0 0 1"/>"#,
            None,
            2,
        ),
        (r#"<joint axis="1 0 0"/><joint axis="1 1 0"/>"#, None, 2),
        (
            r#"<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>"#,
            None,
            2,
        ),
    ];
    for (joints, kind, free) in cases {
        let imported = read(&model(&format!(r#"<body name="b">{ROD}{joints}</body>"#)));
        let document = &imported.document;
        match kind {
            Some(kind) => assert_eq!(joint(document, "b joint").word(), kind, "{joints}"),
            None => {
                assert_eq!(document.bodies.len(), 2, "{joints}");
                let approximated = &imported.report.approximated;
                assert!(
                    says(approximated, &["carrier", "\"b\""]),
                    "{approximated:?}"
                );
            }
        }
        let world = build(&imported).world;
        assert_eq!(diagnose(&world).mobility, free, "{joints}");
    }
}

/// The same two hinges as one universal joint and as two bodies with almost all mass in the second:
/// damping and springs act on the same coordinates.
#[test]
fn a_universal_joint_has_the_coordinates_of_its_hinges() {
    let with = |joint: &str, inertial: &str| {
        let first = r#"<joint name="j" axis="0 0 1" damping="0.3" stiffness="2"/>"#;
        let second = r#"<joint name="k" axis="0 1 0" damping="0.2" stiffness="1"/>"#;
        let text = model(&format!(
            r#"<body name="outer">{inertial}{first}{joint}{second}{ROD}</body>{}"#,
            if joint.is_empty() { "" } else { "</body>" }
        ));
        let mut options = ImportOptions::default();
        for (name, q, v) in [("j", 0.3, 0.5), ("k", -0.2, 0.7)] {
            options.coordinates.insert(name.to_owned(), vec![q]);
            options.rates.insert(name.to_owned(), vec![v]);
        }
        read_with(&text, &options)
    };
    let one = with("", "");
    assert_eq!(joint(&one.document, "j").word(), "universal");
    let between = r#"<inertial pos="0 0 0" mass="1e-6" diaginertia="1e-9 1e-9 1e-9"/>"#;
    let two = with(r#"<body name="inner">"#, between);
    let (one, two) = (acceleration(&one, "outer"), acceleration(&two, "inner"));
    assert_close(&one, &two, 1e-7);
}

/// Two hinges with armatures are joints of their own, with a carrier that is nothing beside the link:
/// (I + a)·q̈ = τ about axes that cross.
#[test]
fn hinges_of_one_body_have_their_armatures() {
    let hinges = r#"<joint name="j" axis="0 0 1" armature="0.1"/><joint name="k" axis="0 1 0" armature="0.4"/>"#;
    let imported = read(&model(&format!(r#"<body name="rod">{hinges}{ROD}</body>"#)));
    let armature = |name: &str| joint(&imported.document, name).get::<f64>("armature");
    assert_eq!([armature("j"), armature("k")], [Some(0.1), Some(0.4)]);
    let found = acceleration(&imported, "rod");
    assert_close(&found[3..], &[0.0, TORQUE / (MOMENT + 0.4), 0.0], 1e-8);
}

/// ½·a·(v² + ω²) of a free body's origin is mass without weight: (m + a)·z̈ = −m·g.
#[test]
fn a_free_joint_has_an_armature() {
    let free = r#"<joint name="j" type="free" armature="3"/>"#;
    let centered = r#"<inertial pos="0 0 0" mass="2" diaginertia="0.1 0.1 0.1"/>"#;
    let imported = read(&model(&format!(
        r#"<body name="ball">{free}{centered}</body>"#
    )));
    let found = acceleration(&imported, "ball");
    assert_close(&found, &[0.0, 0.0, -9.81 * 2.0 / 5.0, 0.0, 0.0, 0.0], 1e-12);
    // A center of mass beside the origin: its weight turns the body against m·l² + I + a.
    let aside = r#"<inertial pos="0.5 0 0" mass="2" diaginertia="0.1 0.1 0.1"/>"#;
    let imported = read(&model(&format!(r#"<body name="bat">{free}{aside}</body>"#)));
    let found = acceleration(&imported, "bat");
    // Of the origin: (m + a)·z̈ − m·l·α = −m·g,  (I + m·l² + a)·α − m·l·z̈ = m·g·l.
    let (m, a, l, i, g) = (2.0, 3.0, 0.5, 0.1, 9.81);
    let turning = i + m * l * l + a;
    let det = (m + a) * turning - m * l * m * l;
    let z = (-m * g * turning + m * l * m * g * l) / det;
    let alpha = ((m + a) * m * g * l - m * l * m * g) / det;
    assert_close(&found, &[0.0, 0.0, z, 0.0, alpha, 0.0], 1e-12);
}

#[test]
fn connect_holds_the_point_that_coincides_at_the_reference() {
    let text = format!(
        r#"<mujoco><worldbody>
             <body name="a" pos="0 0 1">{ROD}<joint name="j" axis="0 1 0"/></body>
             <body name="b" pos="1 0 1" euler="0 0 90">{ROD}<joint name="k" axis="1 0 0"/></body></worldbody>
           <equality><connect name="pin" body1="a" body2="b" anchor="0.8 0.1 0"/>
             <connect name="off" body1="a" anchor="0.5 0 0" active="false"/></equality></mujoco>"#
    );
    let imported = read(&text);
    let pin = joint(&imported.document, "pin");
    let json = serde_json::to_value(pin).unwrap();
    assert_eq!(json["type"], "ball");
    let point: Vec<f64> = serde_json::from_value(json["b"]["point"].clone()).unwrap();
    // (0.8, 0.1, 1) − (1, 0, 1) = (−0.2, 0.1, 0), turned back by 90° about z: (0.1, 0.2, 0).
    assert_close(&point, &[0.1, 0.2, 0.0], 1e-14);
    assert_eq!(joint(&imported.document, "off").get("enabled"), Some(false));
}

#[test]
fn welds_and_sites_and_joint_equalities() {
    let text = format!(
        r#"<mujoco><worldbody>
             <body name="a">{ROD}<freejoint/><site name="tip" pos="1 0 0"/></body>
             <body name="b" pos="1 0 0">{ROD}<freejoint/><site name="eye" pos="0 0 0"/></body>
             <body name="c">{ROD}<joint name="x" axis="0 0 1" ref="10"/></body>
             <body name="d">{ROD}<joint name="y" axis="0 0 1"/></body></worldbody>
           <equality><weld name="glue" body1="a" body2="b" relpose="1 0 0 1 0 0 0"/>
             <connect name="eyelet" site1="tip" site2="eye"/>
             <joint name="couple" joint1="y" joint2="x" polycoef="0.1 2 0.5 0 0"/>
             <joint name="hold" joint1="x"/></equality></mujoco>"#
    );
    let imported = read(&text);
    assert_eq!(joint(&imported.document, "glue").word(), "weld");
    assert_eq!(joint(&imported.document, "eyelet").word(), "ball");
    let couple = joint(&imported.document, "couple");
    assert_eq!(couple.word(), "coupling");
    assert_eq!(couple.get("coefficients"), Some([0.1, 2.0, 0.5]));
    assert_eq!(joint(&imported.document, "hold").word(), "angle-drive");
    let mut world = build(&imported).world;
    let report = Simulator::new()
        .assemble(&mut world, &AssembleOptions::default())
        .unwrap();
    assert_eq!(report.outcome, AssemblyOutcome::Assembled);
    let angle = |name: &str| {
        let tip = world.find_body(name).unwrap().at([1.0, 0.0, 0.0]);
        let [x, y, _] = world.position_world(&tip).unwrap();
        y.atan2(x)
    };
    let x = angle("c");
    assert_close(&[angle("d")], &[0.1 + 2.0 * x + 0.5 * x * x], 1e-8);
}

#[test]
fn a_tendon_between_two_sites_is_a_spring() {
    let text = r#"<mujoco><option gravity="0 0 0"/><worldbody><site name="hook" pos="0 0 3"/>
             <body name="a"><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><freejoint/><site name="eye"/></body>
           </worldbody><tendon>
             <spatial name="rope" stiffness="10" springlength="1"><site site="hook"/><site site="eye"/></spatial>
             <fixed name="split"><joint joint="none" coef="1"/></fixed></tendon></mujoco>"#;
    let imported = read(text);
    let found = acceleration(&imported, "a");
    assert_close(&found[..3], &[0.0, 0.0, 10.0 * 2.0 / 2.0], 1e-12);
    assert!(says(&imported.report.refused, &["tendons", "split"]));
}

#[test]
fn keyframes_are_where_to_start() {
    let text = format!(
        r#"<mujoco><worldbody><body name="a" pos="0 0 1">{ROD}<freejoint name="root"/>
             <body name="b" pos="1 0 0">{ROD}<joint name="j" axis="0 0 1"/></body></body></worldbody>
           <keyframe><key name="up" qpos="1 2 3 0 0 0 2 1.5707963267948966"/><key name="other"/></keyframe></mujoco>"#
    );
    let options = ImportOptions {
        keyframe: Some("up".to_owned()),
        base: Base::Fixed,
        ..ImportOptions::default()
    };
    let imported = read_with(&text, &options);
    let world = build(&imported).world;
    // Half a turn about z, then a quarter: x of b points along −y.
    let tip = world.find_body("b").unwrap().at([1.0, 0.0, 0.0]);
    assert_close(
        &world.position_world(&tip).unwrap(),
        &[0.0, 1.0, 3.0],
        1e-14,
    );
    assert_eq!(diagnose(&world).mobility, 1);
    assert!(says(&imported.report.refused, &["keyframes", "\"other\""]));
    assert!(says(&imported.report.approximated, &["fixed", "\"a\""]));
    let wrong = ImportOptions {
        keyframe: Some("upp".to_owned()),
        ..ImportOptions::default()
    };
    let fault = linkwork_import::import_text(&text, None, &wrong).unwrap_err();
    assert!(
        fault.to_string().contains("did you mean \"up\"?"),
        "{fault}"
    );
}

#[test]
fn every_body_has_a_name_of_its_own() {
    let text = model(&format!(
        r#"<body>{ROD}<joint/></body><body name="a">{ROD}<joint name="j"/></body>
           <body name="a">{ROD}<joint name="j"/></body><body name="ground">{ROD}<joint/></body>"#
    ));
    let imported = read(&text);
    let names: Vec<&str> = imported
        .document
        .bodies
        .iter()
        .map(|own| own.name.as_str())
        .collect();
    assert_eq!(names, ["body 1", "a", "a 2", "ground 2"]);
    assert!(says(
        &imported.report.approximated,
        &["second body \"a\"", "\"a 2\""]
    ));
    assert!(says(
        &imported.report.approximated,
        &["second joint \"j\"", "\"j 2\""]
    ));
    build(&imported);
}

#[test]
fn nothing_is_dropped_in_silence() {
    let text = format!(
        r#"<mujoco><worldbody><light name="lamp"/><body name="a" user="1">{ROD}
             <joint name="j" range="-1 1" frictionloss="0.2" margin="0.1"/><camera name="eye"/></body></worldbody>
           <actuator><motor name="m1" joint="j"/><motor name="m2" joint="j"/></actuator>
           <sensor><jointpos joint="j"/></sensor><custom><numeric name="n" data="1"/></custom></mujoco>"#
    );
    let report = read(&text).report;
    for words in [
        &["limits", "\"j\""][..],
        &["dry friction", "\"j\""],
        &["motors", "\"j\""],
    ] {
        assert!(says(&report.read, words), "{words:?}: {report}");
    }
    let refused = report.refused;
    for words in [
        &["<light> in <worldbody>", "lamp"][..],
        &["<camera>", "eye"],
        &["a second actuator", "m2"],
        &["1 <jointpos> in <sensor>"],
        &["<numeric> in <custom>"],
        &["<joint>", "margin (1)"],
        &["<body>", "user (1)"],
    ] {
        assert!(says(&refused, words), "{words:?}: {refused:#?}");
    }
}

#[test]
fn files_are_included_from_the_models_folder() {
    let folder = std::env::temp_dir().join(format!("linkwork-include-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("parts")).unwrap();
    let main = r#"<mujoco><include file="parts/arm.xml"/></mujoco>"#;
    let arm = format!(
        r#"<mujocoinclude><worldbody><body name="arm">{ROD}<joint axis="0 1 0"/></body></worldbody></mujocoinclude>"#
    );
    std::fs::write(folder.join("main.xml"), main).unwrap();
    std::fs::write(folder.join("parts/arm.xml"), arm).unwrap();
    let imported = import(&folder.join("main.xml"), &ImportOptions::default()).unwrap();
    assert_eq!(body(&imported.document, "arm").word(), "rigid");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// What stands in the world without joints is fixed to it, and needs no mass.
#[test]
fn bodies_without_joints_are_fixed() {
    let text = model(&format!(
        r#"<body name="post"><geom type="box" size="1 1 1" mass="0"/><body name="arm" pos="0 0 2">{ROD}<joint name="j" axis="0 1 0"/>
             <body name="tool" pos="1 0 0">{ROD}</body></body></body>"#
    ));
    let imported = read(&text);
    assert_eq!(body(&imported.document, "post").word(), "kinematic");
    assert_eq!(joint(&imported.document, "tool to arm").word(), "weld");
    let merged = read_with(
        &text,
        &ImportOptions {
            merge_fixed: true,
            ..ImportOptions::default()
        },
    );
    let (a, b) = (acceleration(&imported, "arm"), acceleration(&merged, "arm"));
    assert_close(&a, &b, 1e-11);
}

/// Fixed tendons are sums of joints, and equalities hold them.
#[test]
fn fixed_tendons_couple_joints() {
    let text = r#"<mujoco><worldbody>
        <body name="a"><joint name="x"/><geom size="1"/></body>
        <body name="b"><joint name="y"/><geom size="1"/></body>
      </worldbody>
      <tendon>
        <fixed name="sum"><joint joint="x" coef="2"/><joint joint="y" coef="-4"/></fixed>
        <fixed name="of x"><joint joint="x" coef="2"/></fixed>
        <fixed name="of y"><joint joint="y" coef="4"/></fixed>
        <fixed name="loose"><joint joint="y" coef="4"/></fixed>
      </tendon>
      <equality>
        <tendon name="one" tendon1="sum" polycoef="3"/>
        <tendon name="two" tendon1="of x" tendon2="of y" polycoef="1 0 5"/>
        <tendon name="three" tendon1="sum" tendon2="of y"/>
      </equality></mujoco>"#;
    let imported = read(text);
    // 2·x − 4·y = 3.
    let one = joint(&imported.document, "one");
    assert_close(
        one.get::<&[f64]>("coefficients").unwrap(),
        &[1.5, 2.0],
        1e-15,
    );
    // 2·x = 1 + 5·(4·y)².
    let two = joint(&imported.document, "two");
    assert_close(
        two.get::<&[f64]>("coefficients").unwrap(),
        &[0.5, 0.0, 40.0],
        1e-15,
    );
    assert!(says(&imported.report.refused, &["tendons", "\"three\""]));
    assert!(says(
        &imported.report.refused,
        &["no equality", "\"loose\""]
    ));
    build(&imported);
}

/// A part of the weight of a body is carried.
#[test]
fn gravity_is_compensated() {
    let text = r#"<mujoco><worldbody><body name="a" gravcomp="0.25"><freejoint/>
        <inertial pos="0.1 0.2 0.3" mass="2" diaginertia="1 1 1"/></body></worldbody></mujoco>"#;
    let found = acceleration(&read(text), "a");
    assert_close(&found, &[0.0, 0.0, -0.75 * 9.81, 0.0, 0.0, 0.0], 1e-12);
}
