//! URDF, feature by feature.

use linkwork_scene::format::BodyView;
use std::f64::consts::FRAC_PI_2;

use linkwork::prelude::*;
use linkwork_import::{Base, ImportOptions, import, import_text};

use super::{acceleration, assert_close, body, build, joint, read, read_with, says};

/// A link with mass 2 and its center `along` x, with principal moments that suit it.
fn link(name: &str, along: f64) -> String {
    format!(
        r#"<link name="{name}"><inertial><origin xyz="{along} 0 0"/><mass value="2"/>
           <inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0" iyz="0"/></inertial></link>"#
    )
}

fn robot(inside: &str) -> String {
    format!(r#"<robot name="test"><link name="base"/>{inside}</robot>"#)
}

fn revolute(name: &str, parent: &str, child: &str, inside: &str) -> String {
    format!(
        r#"<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/>
           <axis xyz="0 1 0"/>{inside}</joint>"#
    )
}

/// A rod that leaves the horizontal: α = m·g·l/(I + m·l²), about −y it falls.
#[test]
fn a_pendulum_falls_as_it_should() {
    let text = robot(&(link("rod", 0.5) + &revolute("pivot", "base", "rod", "")));
    let alpha = 2.0 * 9.81 * 0.5 / (0.2 + 2.0 * 0.25);
    let found = acceleration(&read(&text), "rod");
    assert_close(&found, &[0.0, 0.0, 0.0, 0.0, alpha, 0.0], 1e-12);
}

#[test]
fn inertias_turn_with_their_origin_and_links_stand_where_joints_say() {
    let text = robot(
        r#"<link name="arm"><inertial><origin xyz="0.1 0.2 0.3" rpy="0 0 1.5707963267948966"/>
             <mass value="3"/><inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0.1" iyz="0"/></inertial></link>
           <joint name="shoulder" type="continuous"><parent link="base"/><child link="arm"/>
             <origin xyz="1 2 3" rpy="1.5707963267948966 0 1.5707963267948966"/><axis xyz="0 0 2"/></joint>"#,
    );
    let imported = read(&text);
    let arm = body(&imported.document, "arm");
    assert_eq!(arm.word(), "rigid");
    assert_close(arm.get("com").unwrap(), &[0.1, 0.2, 0.3], 1e-14);
    // x → y: xx and yy change places, xz becomes yz.
    let expected = [2.0, 1.0, 2.5, 0.0, 0.0, 0.1];
    assert_close(arm.get("inertia").unwrap(), &expected, 1e-14);
    assert_close(arm.get("position").unwrap(), &[1.0, 2.0, 3.0], 1e-14);
    // Rz·Rx takes y to z.
    let world = build(&imported).world;
    let tip = world.find_body("arm").unwrap().at([0.0, 1.0, 0.0]);
    assert_close(
        &world.position_world(&tip).unwrap(),
        &[1.0, 2.0, 4.0],
        1e-14,
    );
    assert_eq!(joint(&imported.document, "shoulder").word(), "hinge");
}

#[test]
fn every_type_of_joint_has_its_freedoms() {
    let kinds = ["prismatic", "floating", "planar", "fixed", "spherical"];
    let free = [1, 6, 3, 0, 3];
    for (kind, free) in kinds.iter().zip(free) {
        let text = robot(&format!(
            r#"{}<joint name="j" type="{kind}"><parent link="base"/><child link="arm"/>
               <axis xyz="0 0 1"/></joint>"#,
            link("arm", 0.1),
        ));
        let world = build(&read(&text)).world;
        assert_eq!(diagnose(&world).mobility, free, "{kind}");
    }
}

#[test]
fn damping_acts_and_what_does_not_is_named() {
    let inside = r#"<dynamics damping="3" friction="0.5"/><limit lower="-1" upper="1" effort="5" velocity="2"/>
        <safety_controller k_velocity="1"/>"#;
    let text = robot(&(link("rod", 0.0) + &revolute("pivot", "base", "rod", inside)));
    let mut options = ImportOptions::default();
    options.rates.insert("pivot".to_owned(), vec![0.7]);
    let imported = read_with(&text, &options);
    let found = acceleration(&imported, "rod");
    assert_close(&found[3..], &[0.0, -3.0 * 0.7 / 0.2, 0.0], 1e-12);
    let refused = &imported.report.refused;
    let read = &imported.report.read;
    assert!(says(read, &["limits", "\"pivot\""]), "{read:?}");
    assert!(says(read, &["dry friction", "\"pivot\""]), "{read:?}");
    assert!(says(refused, &["effort", "\"pivot\""]), "{refused:?}");
    assert_eq!(
        joint(&imported.document, "pivot limits").get("upper"),
        Some(1.0)
    );
    assert_eq!(
        joint(&imported.document, "pivot friction").get("most"),
        Some(0.5)
    );
    assert!(says(refused, &["<safety_controller>"]), "{refused:?}");
}

/// θ₃ follows θ₂ follows θ₁: whichever is moved, the others go with it; what is not coupled stays.
#[test]
fn what_is_coupled_moves_along() {
    let mimic = |joint: &str| format!(r#"<mimic joint="{joint}" multiplier="-2" offset="0.1"/>"#);
    let text = robot(
        &(["a", "b", "c", "d"].map(|name| link(name, 0.5)).concat()
            + &revolute("first", "base", "a", "")
            + &revolute("second", "base", "b", &mimic("first"))
            + &revolute("third", "base", "c", &mimic("second"))
            + &revolute("alone", "base", "d", "")),
    );
    for (name, angle) in [("first", 0.2), ("second", -0.3), ("third", 0.7)] {
        let mut options = ImportOptions::default();
        options.coordinates.insert(name.to_owned(), vec![angle]);
        let imported = read_with(&text, &options);
        let world = build(&imported).world;
        let worst = world.worst_constraint_error().unwrap().unwrap();
        assert!(worst.size() < 1e-14, "{worst:?}");
        assert!(says(&imported.report.read, &["as asked for", name]));
        assert!(!says(&imported.report.read, &["alone"]));
        // Nothing follows where nothing is coupled.
        options.loops = false;
        let loose = read_with(&text, &options);
        assert!(!says(&loose.report.read, &["coupling asks"]));
    }
    let options = ImportOptions {
        keyframe: Some("home".into()),
        ..Default::default()
    };
    let fault = import_text(&text, None, &options).unwrap_err().to_string();
    assert!(fault.contains("a URDF has no keyframes"), "{fault}");
}

/// θ₂ = −2·θ₁ + 0.1 within [−0.5, 0.5] and θ₃ = −θ₂ within [−0.4, 1] are θ₁ within [−0.15, 0.3], which is one stop and
/// not three that repeat each other. What would leave nothing between stays where it was said.
#[test]
fn limits_of_followers_are_those_of_the_leader() {
    let limit = |lower: f64, upper: f64| {
        format!(r#"<limit lower="{lower}" upper="{upper}" effort="1" velocity="1"/>"#)
    };
    let mimic = |joint: &str, times: f64, offset: f64| {
        format!(r#"<mimic joint="{joint}" multiplier="{times}" offset="{offset}"/>"#)
    };
    let text = robot(
        &(["a", "b", "c", "d"].map(|name| link(name, 0.5)).concat()
            + &revolute("first", "base", "a", &limit(-1.0, 1.0))
            + &revolute(
                "second",
                "base",
                "b",
                &(limit(-0.5, 0.5) + &mimic("first", -2.0, 0.1)),
            )
            + &revolute(
                "third",
                "base",
                "c",
                &(limit(-0.4, 1.0) + &mimic("second", -1.0, 0.0)),
            )
            + &revolute(
                "fourth",
                "base",
                "d",
                &(limit(3.0, 4.0) + &mimic("first", 1.0, 0.0)),
            )),
    );
    let imported = read(&text);
    let limits = joint(&imported.document, "first limits");
    let bounds = ["lower", "upper"].map(|own| limits.get::<f64>(own).unwrap());
    assert_close(&bounds, &[-0.15, 0.3], 1e-14);
    let has = |name: &str| imported.document.joints.iter().any(|own| own.name == name);
    assert!(!has("second limits") && !has("third limits") && has("fourth limits"));
    let read = &imported.report.read;
    assert!(
        says(read, &["of those they follow", "\"second\"", "\"third\""]),
        "{read:?}"
    );
    // Where nothing is coupled, each keeps its own.
    let options = ImportOptions {
        loops: false,
        ..Default::default()
    };
    let loose = read_with(&text, &options);
    assert_eq!(
        joint(&loose.document, "second limits").get("upper"),
        Some(0.5)
    );
}

/// θ₂ = −2·θ₁ + 0.1 of two rods on the base: (I₁ + 4·I₂)·α₁ = τ₁ − 2·τ₂.
#[test]
fn a_mimic_follows() {
    let mimic = r#"<mimic joint="first" multiplier="-2" offset="0.1"/>"#;
    let text = robot(
        &(link("a", 0.5)
            + &link("b", 0.3)
            + &revolute("first", "base", "a", "")
            + &revolute("second", "base", "b", mimic)),
    );
    let mut options = ImportOptions::default();
    options.coordinates.insert("first".to_owned(), vec![0.2]);
    options.coordinates.insert("second".to_owned(), vec![-0.3]);
    let imported = read_with(&text, &options);
    let world = build(&imported).world;
    let worst = world.worst_constraint_error().unwrap().unwrap();
    assert!(worst.size() < 1e-14, "{worst:?}");
    let torque = |along: f64, angle: f64| 2.0 * 9.81 * along * angle.cos();
    let inertia = |along: f64| 0.2 + 2.0 * along * along;
    let alpha = (torque(0.5, 0.2) - 2.0 * torque(0.3, -0.3)) / (inertia(0.5) + 4.0 * inertia(0.3));
    assert_close(
        &acceleration(&imported, "a")[3..],
        &[0.0, alpha, 0.0],
        1e-11,
    );
    assert_close(
        &acceleration(&imported, "b")[3..],
        &[0.0, -2.0 * alpha, 0.0],
        1e-11,
    );
}

#[test]
fn fixed_links_are_welded_or_merged_with_the_same_motion() {
    let text = robot(
        &(link("rod", 0.5)
            + &link("tool", 0.2)
            + r#"<link name="tip"/>"#
            + &revolute("pivot", "base", "rod", "")
            + r#"<joint name="flange" type="fixed"><parent link="rod"/><child link="tool"/>
                 <origin xyz="1 0 0.1" rpy="0 0.5 0"/></joint>
                 <joint name="end" type="fixed"><parent link="tool"/><child link="tip"/>
                 <origin xyz="0.4 0 0"/></joint>"#),
    );
    let welded = read(&text);
    let merged = read_with(
        &text,
        &ImportOptions {
            merge_fixed: true,
            ..ImportOptions::default()
        },
    );
    assert_eq!(joint(&welded.document, "flange").word(), "weld");
    assert_eq!(merged.document.bodies.len(), 1);
    assert!(says(&merged.report.read, &["merged", "\"tool\""]));
    let (a, b) = (acceleration(&welded, "rod"), acceleration(&merged, "rod"));
    assert_close(&a, &b, 1e-11);
    // A link without mass is a named place on the body that carries it.
    let scene = build(&merged);
    let tip = scene.connector("tip").unwrap();
    let expected = [1.0 + 0.4 * 0.5_f64.cos(), 0.0, 0.1 - 0.4 * 0.5_f64.sin()];
    let found = scene.world.position_world(tip).unwrap();
    assert_close(&found, &expected, 1e-12);
}

/// Two hinges with a link of no mass between are a universal joint.
#[test]
fn a_link_without_mass_hands_its_freedoms_on() {
    let text = robot(
        &(r#"<link name="cross"/>"#.to_owned()
            + &link("rod", 0.5)
            + r#"<joint name="yaw" type="continuous"><parent link="base"/><child link="cross"/>
                 <axis xyz="0 0 1"/><dynamics damping="0.3"/></joint>"#
            + &revolute("pitch", "cross", "rod", r#"<origin xyz="0 0 0.2"/>"#)),
    );
    let mut options = ImportOptions::default();
    options
        .coordinates
        .insert("yaw".to_owned(), vec![FRAC_PI_2]);
    options.rates.insert("yaw".to_owned(), vec![0.4]);
    let imported = read_with(&text, &options);
    assert_eq!(joint(&imported.document, "yaw").word(), "universal");
    // About y for the yaw of a quarter turn: pitch about −x; yaw slows by 0.3·0.4/(I_zz + m·l²).
    let pitch = 2.0 * 9.81 * 0.5 / (0.2 + 2.0 * 0.25);
    let yaw = -0.3 * 0.4 / (0.25 + 2.0 * 0.25);
    let found = acceleration(&imported, "rod");
    // The yaw's rate turns the rod by itself: α_pitch − (I_zz' − I_xx')·ω²·sin·cos, zero when level.
    assert_close(&found[3..], &[-pitch, 0.0, yaw], 1e-11);
    assert!(says(&imported.report.read, &["no mass", "\"cross\""]));
}

#[test]
fn a_floating_base_falls() {
    let text = format!("<robot name=\"r\">{}</robot>", link("drone", 0.0));
    let floating = ImportOptions {
        base: Base::Floating,
        ..ImportOptions::default()
    };
    let found = acceleration(&read_with(&text, &floating), "drone");
    assert_close(&found, &[0.0, 0.0, -9.81, 0.0, 0.0, 0.0], 1e-14);
    let found = acceleration(&read(&text), "drone");
    assert_close(&found, &[0.0; 6], 1e-12);
}

#[test]
fn shapes_are_drawn_and_meshes_are_named() {
    let text = r#"<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material>
        <link name="part"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
        <visual><origin xyz="0 0 1"/><geometry><cylinder radius="0.1" length="0.4"/></geometry><material name="red"/></visual>
        <visual><geometry><mesh filename="package://x.stl"/></geometry></visual>
        <collision><geometry><box size="1 1 1"/></geometry></collision></link></robot>"#;
    let imported = read(text);
    let drawn = &body(&imported.document, "part")
        .get::<&BodyView>("view")
        .unwrap()
        .draw;
    assert_eq!(drawn.len(), 1);
    assert_eq!(drawn[0].get("color"), Some("#ff0000"));
    assert_eq!(drawn[0].get("length"), Some(0.4));
    assert!(says(&imported.report.refused, &["<mesh>", "\"part\""]));
    let own = body(&imported.document, "part");
    assert_eq!(own.get("collide"), Some(true));
    assert!(own.fields.value("shapes").is_some());
}

/// A parallelogram: crank and rocker hang from the base, the coupler from the crank, and a file
/// beside the model holds the coupler to the rocker.
#[test]
fn a_file_beside_the_model_closes_loops() {
    let text = robot(
        &(link("crank", 0.1)
            + &link("coupler", 0.5)
            + &link("rocker", 0.1)
            + &revolute(
                "A",
                "base",
                "crank",
                r#"<origin rpy="0 1.5707963267948966 0"/>"#,
            )
            + &revolute(
                "B",
                "crank",
                "coupler",
                r#"<origin xyz="0.3 0 0" rpy="0 -1.5707963267948966 0"/>"#,
            )
            + &revolute(
                "D",
                "base",
                "rocker",
                r#"<origin xyz="1 0 0" rpy="0 1.5707963267948966 0"/>"#,
            )),
    );
    let folder = std::env::temp_dir().join(format!("linkwork-closures-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("bars.urdf"), &text).unwrap();
    let closures = r#"[{ "name": "C", "type": "hinge",
        "a": { "body": "coupler", "point": [1, 0, 0], "axis": [0, 1, 0] },
        "b": { "body": "rocker", "point": [0.3, 0, 0], "axis": [0, 1, 0] } }]"#;
    std::fs::write(folder.join("bars.closures.json"), closures).unwrap();
    let imported = import(&folder.join("bars.urdf"), &ImportOptions::default()).unwrap();
    let world = build(&imported).world;
    let worst = world.worst_constraint_error().unwrap().unwrap();
    assert!(worst.size() < 1e-12, "{worst:?}");
    assert_eq!(diagnose(&world).mobility, 1);
    assert!(says(&imported.report.read, &["beside", "\"C\""]));

    let wrong = closures.replace("rocker", "roker");
    std::fs::write(folder.join("bars.closures.json"), wrong).unwrap();
    let fault = import(&folder.join("bars.urdf"), &ImportOptions::default()).unwrap_err();
    let text = fault.to_string();
    assert!(
        text.contains("bars.closures.json: closure \"C\"")
            && text.contains("did you mean \"rocker\"?"),
        "{text}"
    );

    let object = format!("{{ \"joints\": {closures} }}");
    std::fs::write(folder.join("bars.closures.json"), &object).unwrap();
    let same = import(&folder.join("bars.urdf"), &ImportOptions::default()).unwrap();
    assert_eq!(same, imported);
    std::fs::write(
        folder.join("bars.closures.json"),
        object.replace("joints", "joint"),
    )
    .unwrap();
    let fault = import(&folder.join("bars.urdf"), &ImportOptions::default()).unwrap_err();
    assert_eq!(fault.problem, "there is no field \"joint\"");
    assert_eq!(fault.hint.as_deref(), Some("did you mean \"joints\"?"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn loop_joints_inside_the_model_close_loops() {
    let text = robot(
        &(link("a", 0.5)
            + &revolute("pivot", "base", "a", "")
            + r#"<loop_joint name="close" type="ball"><link1 link="a" xyz="1 0 0"/>
                 <link2 link="base" xyz="1 0 0"/></loop_joint>"#),
    );
    let imported = read(&text);
    assert_eq!(joint(&imported.document, "close").word(), "ball");
    assert_close(&acceleration(&imported, "a"), &[0.0; 6], 1e-12);
}

#[test]
fn impossible_moments_are_mended_and_named() {
    let text = robot(
        r#"<link name="point"><inertial><mass value="1"/>
             <inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial></link>
           <link name="flat"><inertial><mass value="1"/>
             <inertia ixx="1" iyy="1" izz="3" ixy="0" ixz="0" iyz="0"/></inertial></link>
           <joint name="p" type="floating"><parent link="base"/><child link="point"/></joint>
           <joint name="f" type="floating"><parent link="base"/><child link="flat"/></joint>"#,
    );
    let imported = read(&text);
    let moments = body(&imported.document, "flat")
        .get::<&[f64]>("inertia")
        .unwrap();
    assert_close(moments, &[1.5, 1.5, 3.0, 0.0, 0.0, 0.0], 1e-12);
    let approximated = &imported.report.approximated;
    assert!(says(approximated, &["points", "\"point\""]));
    assert!(says(approximated, &["principal moments", "\"flat\""]));
    build(&imported);
}

#[test]
fn prefixes_without_a_namespace_are_read() {
    let text = robot(
        r#"<link name="a"><inertial><mass value="1"/>
             <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
           <joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint>
           <gazebo:plugin drake:size="1"/>"#,
    );
    let imported = read(&text);
    assert!(says(&imported.report.refused, &["<plugin>"]));
    joint(&imported.document, "j");
}

#[test]
fn a_xacro_is_recognized() {
    for (inside, words) in [
        (r#"<xacro:arm prefix="left"/>"#, "is a macro"),
        (
            r#"<link name="a"><inertial><mass value="${m}"/></inertial></link>"#,
            "has \"${m}\"",
        ),
    ] {
        let text = format!(
            r#"<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">{inside}</robot>"#
        );
        let undeclared = text.replace(" xmlns:xacro=\"http://www.ros.org/wiki/xacro\"", "");
        for text in [text, undeclared] {
            let fault = import_text(&text, None, &ImportOptions::default()).unwrap_err();
            assert!(fault.problem.contains(words), "{fault}");
            assert!(fault.hint.unwrap().contains("expand it first"));
        }
    }
}

#[test]
fn a_mimic_of_nothing_is_named_and_left_out() {
    let link = |name: &str| {
        format!(
            r#"<link name="{name}"><inertial><mass value="1"/>
             <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>"#
        )
    };
    let text = robot(&format!(
        r#"{}{}<joint name="j" type="continuous"><parent link="base"/><child link="a"/>
             <mimic joint="gone" multiplier="2"/></joint>
           <joint name="k" type="fixed"><parent link="base"/><child link="b"/>
             <mimic joint="j"/></joint>"#,
        link("a"),
        link("b")
    ));
    let refused = read(&text).report.refused;
    assert!(
        says(&refused, &["mimic", "\"gone\"", "\"j\""]),
        "{refused:?}"
    );
    assert!(says(&refused, &["mimic", "fixed", "\"k\""]), "{refused:?}");
}
