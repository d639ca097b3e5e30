//! What nobody should send is answered by a fault with a place, and costs nothing.

use std::path::PathBuf;

use linkwork_import::{ImportOptions, import, import_text};
use linkwork_scene::Fault;

fn refused(text: &str) -> Fault {
    match import_text(text, None, &ImportOptions::default()) {
        Ok(imported) => panic!("was read: {:?}", imported.report),
        Err(fault) => fault,
    }
}

pub(super) fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("linkwork-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (file, text) in files {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

#[test]
fn what_is_no_model_is_refused() {
    for text in [
        "",
        "not XML",
        "{\"linkwork\": 1}",
        "<robot",
        "<robot></link></robot>",
    ] {
        let fault = refused(text);
        assert!(fault.to_string().contains("XML"), "{text}: {fault}");
        assert!(fault.place.is_some(), "{text}");
    }
    let fault = refused("<svg/>");
    assert!(fault.to_string().contains("<robot>"), "{fault}");
}

#[test]
fn entities_are_not_expanded() {
    let mut bomb = String::from("<!DOCTYPE robot [<!ENTITY a0 \"lol\">");
    for i in 1..20 {
        let before = format!("&a{};", i - 1).repeat(10);
        bomb += &format!("<!ENTITY a{i} \"{before}\">");
    }
    bomb += "]><robot name=\"&a19;\"/>";
    let fault = refused(&bomb);
    assert!(fault.to_string().contains("DOCTYPE"), "{fault}");
    let external = r#"<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="&x;"/>"#;
    assert!(refused(external).to_string().contains("DOCTYPE"));
}

#[test]
fn deep_nesting_is_refused() {
    for (depth, tag) in [(300, "body"), (5000, "body"), (1_000_000, "b")] {
        let text = format!(
            "<mujoco><worldbody>{}{}</worldbody></mujoco>",
            format!("<{tag}>").repeat(depth),
            format!("</{tag}>").repeat(depth)
        );
        let fault = refused(&text);
        assert!(fault.to_string().contains("256 deep"), "{depth}: {fault}");
        assert!(fault.place.is_some());
    }
    // As deep as it goes.
    let text = format!(
        "<mujoco><worldbody>{}{}</worldbody></mujoco>",
        "<body><frame>".repeat(126),
        "</frame></body>".repeat(126)
    );
    let options = ImportOptions {
        lossy: true,
        ..ImportOptions::default()
    };
    let imported = import_text(&text, None, &options).unwrap();
    assert!(imported.report.read[0].contains("126 bodies"));
    // Never closed.
    let fault = refused(&"<robot>".repeat(1_000_000));
    assert!(fault.to_string().contains("deep"), "{fault}");
}

#[test]
fn a_missing_file_is_named() {
    let fault = import("no/such/robot.urdf".as_ref(), &ImportOptions::default()).unwrap_err();
    assert_eq!(fault.to_string(), "no/such/robot.urdf: no such file");
    let here = std::env::temp_dir();
    let fault = import(&here, &ImportOptions::default()).unwrap_err();
    assert!(fault.to_string().contains("is not a file"), "{fault}");
}

#[test]
fn a_huge_file_is_refused_unread() {
    let folder = folder("huge", &[]);
    let path = folder.join("huge.xml");
    let file = std::fs::File::create(&path).unwrap();
    file.set_len(65 << 20).unwrap();
    let fault = import(&path, &ImportOptions::default()).unwrap_err();
    assert!(fault.to_string().contains("larger than 64 MiB"), "{fault}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn includes_stay_in_the_models_folder() {
    let cases = [
        "../secret.xml",
        "/etc/passwd",
        "a/../../secret.xml",
        "..\\secret.xml",
        "missing.xml",
    ];
    let folder = folder("escape", &[]);
    for case in cases {
        let text = format!("<mujoco>\n  <include file=\"{case}\"/>\n</mujoco>");
        std::fs::write(folder.join("main.xml"), text).unwrap();
        let fault = import(&folder.join("main.xml"), &ImportOptions::default()).unwrap_err();
        let text = fault.to_string();
        let expected = match case {
            "missing.xml" => "cannot be read",
            _ => "is not in the model's folder",
        };
        assert!(
            text.contains(expected) && text.contains("main.xml:2:3"),
            "{text}"
        );
    }
    let fault = refused(r#"<mujoco><include file="x.xml"/></mujoco>"#);
    assert!(fault.to_string().contains("no folder"), "{fault}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_the_folder() {
    let outside = folder("outside", &[("secret.xml", "<mujoco/>")]);
    let inside = folder(
        "inside",
        &[("main.xml", r#"<mujoco><include file="link.xml"/></mujoco>"#)],
    );
    std::os::unix::fs::symlink(outside.join("secret.xml"), inside.join("link.xml")).unwrap();
    let fault = import(&inside.join("main.xml"), &ImportOptions::default()).unwrap_err();
    assert!(
        fault.to_string().contains("is not in the model's folder"),
        "{fault}"
    );
    std::fs::remove_dir_all(&outside).unwrap();
    std::fs::remove_dir_all(&inside).unwrap();
}

#[test]
fn includes_in_a_circle_are_refused() {
    let folder = folder(
        "circle",
        &[
            ("main.xml", r#"<mujoco><include file="a.xml"/></mujoco>"#),
            ("a.xml", r#"<mujoco><include file="b.xml"/></mujoco>"#),
            ("b.xml", r#"<mujoco><include file="a.xml"/></mujoco>"#),
        ],
    );
    let fault = import(&folder.join("main.xml"), &ImportOptions::default()).unwrap_err();
    assert!(fault.to_string().contains("includes itself"), "{fault}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The order of MuJoCo: in the model's folder, then beside the file that includes.
#[test]
fn nested_includes_are_found_in_two_places() {
    let inside = |mass: &str| {
        format!(
            r#"<mujoco><worldbody><body name="b"><inertial pos="0 0 0" mass="{mass}" diaginertia="1 1 1"/>
               </body></worldbody></mujoco>"#
        )
    };
    let main = r#"<mujoco><include file="parts/arm.xml"/></mujoco>"#;
    let arm = r#"<mujoco><include file="hand.xml"/></mujoco>"#;
    let here = folder(
        "nested",
        &[
            ("main.xml", main),
            ("parts/arm.xml", arm),
            ("parts/hand.xml", &inside("2")),
        ],
    );
    let mass = || {
        let imported = import(&here.join("main.xml"), &ImportOptions::default()).unwrap();
        super::body(&imported.document, "b")
            .get::<f64>("mass")
            .unwrap()
    };
    assert!((mass() - 2.0).abs() < 1e-15);
    std::fs::write(here.join("hand.xml"), inside("3")).unwrap();
    assert!((mass() - 3.0).abs() < 1e-15);
    // Up, but not out.
    std::fs::write(here.join("top.xml"), inside("4")).unwrap();
    let up = r#"<mujoco><include file="../top.xml"/></mujoco>"#;
    std::fs::write(here.join("parts/arm.xml"), up).unwrap();
    assert!((mass() - 4.0).abs() < 1e-15);
    std::fs::write(
        here.join("parts/arm.xml"),
        r#"<mujoco><include file="../../top.xml"/></mujoco>"#,
    )
    .unwrap();
    let fault = import(&here.join("main.xml"), &ImportOptions::default()).unwrap_err();
    assert!(fault.to_string().contains("top.xml\""), "{fault}");
    std::fs::remove_dir_all(&here).unwrap();
}

/// A file that includes two others twice each, and so on, grows without a circle.
#[test]
fn includes_do_not_multiply_without_end() {
    let mut files = Vec::new();
    for i in 0..40 {
        let twice = format!(r#"<include file="{}.xml"/>"#, i + 1).repeat(2);
        files.push((format!("{i}.xml"), format!("<mujoco>{twice}</mujoco>")));
    }
    let padding = " ".repeat(1 << 20);
    files.push(("40.xml".to_owned(), format!("<mujoco>{padding}</mujoco>")));
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let folder = folder("multiply", &files);
    let fault = import(&folder.join("0.xml"), &ImportOptions::default()).unwrap_err();
    assert!(fault.to_string().contains("larger than 64 MiB"), "{fault}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn mistakes_have_a_place_and_a_hint() {
    let urdf =
        |inside: &str| format!("<robot name=\"r\">\n<link name=\"base\"/>\n{inside}</robot>");
    let mjcf = |inside: &str| format!("<mujoco>\n<worldbody>\n{inside}</worldbody></mujoco>");
    for (text, words) in [
        (
            urdf("<link name=\"base\"/>"),
            &["two of this name", "line 3"][..],
        ),
        (
            urdf(
                "<joint name=\"j\" type=\"fixed\"><parent link=\"bass\"/><child link=\"base\"/></joint>",
            ),
            &["no link is called \"bass\"", "did you mean \"base\"?"],
        ),
        (
            urdf(
                "<joint name=\"j\" type=\"fixed\"><parent link=\"base\"/><child link=\"base\"/></joint>",
            ),
            &["its own ancestor"],
        ),
        (
            urdf(
                "<link name=\"a\"/><joint name=\"j\" type=\"hing\"><parent link=\"base\"/><child link=\"a\"/></joint>",
            ),
            &["<joint name=\"j\">", "\"hing\"", "revolute"],
        ),
        (
            urdf(
                "<link name=\"a\"/><joint name=\"j\" type=\"revolute\"><parent link=\"base\"/><child link=\"a\"/><axis xyz=\"0 0 0\"/></joint>",
            ),
            &["axis of no length"],
        ),
        (
            urdf("<link name=\"a\"><inertial><mass value=\"NaN\"/></inertial></link>"),
            &["<mass>", "\"NaN\""],
        ),
        (urdf("<link/>"), &["has no attribute \"name\""]),
        (
            mjcf("<body pos=\"1 2\"/>"),
            &["<body>", "2 numbers in place of 3", "line 3"],
        ),
        (
            mjcf("<body><joint type=\"screw\"/></body>"),
            &["\"screw\"", "hinge"],
        ),
        (
            mjcf("<body><geom size=\"-1\"/></body>"),
            &["<geom>", "does not suit"],
        ),
        (
            mjcf("<body childclass=\"x\"><joint/></body>"),
            &["no default class is called \"x\""],
        ),
        (mjcf("<body quat=\"0 0 0 0\"/>"), &["no length"]),
        (mjcf("<joint/>"), &["is in the world"]),
    ] {
        let fault = refused(&text).to_string();
        assert!(
            words.iter().all(|word| fault.contains(word)),
            "{text}: {fault}"
        );
    }
}

/// Cut anywhere, or with a byte changed, a model is read or refused, and nothing else happens.
#[test]
fn broken_models_do_not_break_the_importer() {
    let whole = r#"<mujoco><compiler angle="radian"/><default><joint damping="1"/></default><worldbody>
        <body name="a" pos="0 0 1"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="j" axis="0 1 0" armature="0.1"/>
        <geom type="capsule" size="0.1" fromto="0 0 0 0 0 1"/><site name="s"/></body></worldbody>
        <equality><connect body1="a" anchor="0 0 1"/></equality><keyframe><key qpos="0"/></keyframe></mujoco>"#;
    for cut in 0..whole.len() {
        let _ = import_text(&whole[..cut], None, &ImportOptions::default());
        for byte in ["0", "-", "\"", "<", "e9"] {
            let text = format!("{}{byte}{}", &whole[..cut], &whole[cut + 1..]);
            if let Ok(imported) = import_text(&text, None, &ImportOptions::default()) {
                let _ = linkwork_scene::build(&imported.document);
            }
        }
    }
}
