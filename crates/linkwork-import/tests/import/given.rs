//! Files that are given one by one, as a browser does.

use std::collections::BTreeMap;
use std::rc::Rc;

use linkwork_import::{Files, ImportOptions, Imported, import_files};
use linkwork_scene::Fault;

use super::meshes::{HIGH, LOW, assert_is_the_block, obj};
use super::{body, build};

/// Contents by path, and what they say their size is.
struct Given(BTreeMap<String, (Vec<u8>, u64)>);

impl Files for Given {
    fn paths(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    fn size(&self, path: &str) -> u64 {
        self.0[path].1
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        Ok(self.0[path].0.clone())
    }
}

fn given(files: &[(&str, &str)], model: &str) -> Result<Imported, Fault> {
    let entry = |(path, text): &(&str, &str)| {
        let bytes = text.as_bytes().to_vec();
        let size = bytes.len() as u64;
        ((*path).to_owned(), (bytes, size))
    };
    let files = files.iter().map(entry).collect();
    import_files(Rc::new(Given(files)), model, &ImportOptions::default())
}

const URDF: &str = r#"<robot name="r"><link name="base"/>
  <link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="package://robot_description/meshes/arm.obj"/></geometry></visual></link>
  <joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
    <limit effort="1" velocity="1" lower="0" upper="1"/></joint></robot>"#;

const MJCF: &str = r#"<mujoco><compiler meshdir="assets"/>
  <asset><mesh name="a" file="a.obj"/><mesh name="b" file="b.obj"/><mesh name="c" file="c.obj"/></asset>
  <worldbody><include file="parts/arm.xml"/></worldbody></mujoco>"#;

const ARM: &str = r#"<mujocoinclude><body name="arm"><joint name="j"/>
  <geom type="mesh" mesh="a" density="16"/></body>
  <body name="leg"><joint name="k"/><geom type="mesh" mesh="b"/><geom type="mesh" mesh="c"/></body></mujocoinclude>"#;

/// A URDF names packages, which nobody has: a file that ends as its path does is meant, in whatever folder.
#[test]
fn meshes_are_found_in_the_folder_that_was_given() {
    let mesh = obj(LOW, HIGH);
    for path in [
        "robot/meshes/arm.obj",
        "robot_description/meshes/arm.obj",
        "arm.obj",
    ] {
        let files = [("robot/urdf/arm.urdf", URDF), (path, mesh.as_str())];
        let imported = given(&files, "robot/urdf/arm.urdf").unwrap();
        assert!(imported.report.missing.is_empty(), "{:?}", imported.report);
        let drawn = imported.document.to_owned();
        let text = linkwork_scene::write::text(&drawn).unwrap();
        assert!(text.contains("\"mesh\""), "{text}");
        build(&imported);
    }
}

/// In its folder, or loose: included files and meshes by their names alone.
#[test]
fn included_files_are_found_among_them() {
    let mesh = obj(LOW, HIGH);
    for folders in [["arm/parts/", "arm/assets/"], ["", ""]] {
        let [parts, assets] = folders;
        let model = if parts.is_empty() {
            "robot.xml"
        } else {
            "arm/robot.xml"
        };
        let part = format!("{parts}arm.xml");
        let meshes = ["a", "b", "c"].map(|own| format!("{assets}{own}.obj"));
        let mut files = vec![(model, MJCF), (part.as_str(), ARM)];
        files.extend(meshes.iter().map(|path| (path.as_str(), mesh.as_str())));
        let imported = given(&files, model).unwrap_or_else(|fault| panic!("{fault}"));
        assert_is_the_block(&imported, 2.0);
        assert!(imported.report.missing.is_empty());
    }
}

#[test]
fn what_is_missing_is_named() {
    // Nothing is lost but a drawing: it is named, and the robot is there.
    let imported = given(&[("arm.urdf", URDF)], "arm.urdf").unwrap();
    assert_eq!(
        imported.report.missing,
        ["package://robot_description/meshes/arm.obj"]
    );
    assert_eq!(
        body(&imported.document, "arm").get::<f64>("mass").unwrap(),
        1.0
    );
    // Masses would be lost: all files are named.
    let files = [("robot.xml", MJCF), ("parts/arm.xml", ARM)];
    let fault = given(&files, "robot.xml").unwrap_err().to_string();
    for words in [
        "assets/a.obj",
        "assets/b.obj",
        "assets/c.obj",
        "with the model",
    ] {
        assert!(fault.contains(words), "{fault}");
    }
    assert!(!fault.contains("--"), "{fault}");
    // So is a file that is to be included.
    let fault = given(&[("robot.xml", MJCF)], "robot.xml").unwrap_err();
    assert!(fault.to_string().contains("\"parts/arm.xml\""), "{fault}");
    // And the model.
    let fault = given(&[], "robot.xml").unwrap_err().to_string();
    assert!(fault.contains("robot.xml: no such file"), "{fault}");
}

#[test]
fn files_that_lie_or_go_in_circles_are_refused() {
    let round = r#"<mujoco><worldbody><include file="round.xml"/></worldbody></mujoco>"#;
    let fault = given(&[("round.xml", round)], "round.xml").unwrap_err();
    assert!(fault.to_string().contains("includes itself"), "{fault}");
    // Half a gigabyte is not even read.
    let files = BTreeMap::from([
        (
            "robot.xml".to_owned(),
            (MJCF.replace("parts/", "").into_bytes(), 300),
        ),
        ("arm.xml".to_owned(), (ARM.as_bytes().to_vec(), 300)),
        ("a.obj".to_owned(), (Vec::new(), 500 << 20)),
    ]);
    let options = ImportOptions::default();
    let fault = import_files(Rc::new(Given(files)), "robot.xml", &options).unwrap_err();
    assert!(
        fault.to_string().contains("is larger than 64 MiB"),
        "{fault}"
    );
}
