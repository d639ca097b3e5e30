//! `linkwork import`.

use crate::folder::Folder;

const ARM: &str = r#"<robot name="arm">
  <link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="fore"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="elbow" type="revolute">
    <parent link="base"/><child link="fore"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="5" velocity="2"/>
  </joint>
</robot>"#;

#[test]
fn a_robot_becomes_a_scene() {
    let folder = Folder::new("import");
    folder.write("arm.urdf", ARM);
    let answer = folder.run("import arm.urdf -o arm.json");
    assert!(answer.err.contains("read:"), "{}", answer.err);
    assert_eq!(answer.fine(), "");
    let found = folder.run("check arm.json --json").json();
    assert_eq!(found["mobility"], 1);
    let floating = folder.run("import arm.urdf --floating-base -q").fine();
    let found = folder.run_with("check - --json", floating).json();
    assert_eq!(found["mobility"], 7);
    folder.run("import arm.urdf --start elbow=0.5").fine();
}

#[test]
fn the_report_says_what_is_missing() {
    let folder = Folder::new("import-report");
    folder.write("arm.urdf", ARM);
    let report = folder.run("import arm.urdf --report json").json();
    let words = report.to_string();
    assert!(words.contains("limit"), "{words}");
    assert!(!report["read"].as_array().unwrap().is_empty());
    assert_eq!(folder.files(), ["arm.urdf"]);
}

#[test]
fn what_is_no_robot_is_refused() {
    let folder = Folder::new("import-refused");
    folder.write("arm.urdf", ARM);
    folder.write("cut.urdf", &ARM[..200]);
    folder.write("page.html", "<html/>");
    folder
        .run("import no.urdf -o a.json")
        .refuses(2, "no.urdf: no such file");
    folder
        .run("import cut.urdf -o a.json")
        .refuses(2, "cut.urdf");
    folder
        .run("import page.html -o a.json")
        .refuses(2, "a URDF begins with <robot>");
    folder
        .run("import arm.urdf --start elbwo=1")
        .refuses(2, "did you mean \"elbow\"?");
    folder
        .run("import arm.urdf --start elbow")
        .refuses(1, "JOINT=NUMBER");
    folder
        .run("import arm.urdf -o - --report json")
        .refuses(1, "both write to the standard output");
    assert_eq!(folder.files(), ["arm.urdf", "cut.urdf", "page.html"]);
}
