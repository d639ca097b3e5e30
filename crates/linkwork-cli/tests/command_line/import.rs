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

/// Two fingers, of which one mimics the other.
#[test]
fn what_is_coupled_starts_where_it_belongs() {
    let folder = Folder::new("import-start");
    let link = |name: &str| {
        format!(
            r#"<link name="{name}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>"#
        )
    };
    let joint = |name: &str, child: &str, inside: &str| {
        format!(
            r#"<joint name="{name}" type="continuous"><parent link="palm"/><child link="{child}"/>
               <axis xyz="0 1 0"/>{inside}</joint>"#
        )
    };
    let mimic = r#"<mimic joint="jl" multiplier="-2" offset="0.1"/>"#;
    let hand = [
        link("palm"),
        link("left"),
        link("right"),
        joint("jl", "left", ""),
        joint("jr", "right", mimic),
    ];
    folder.write(
        "hand.urdf",
        format!("<robot name=\"hand\">{}</robot>", hand.concat()),
    );
    for start in ["jl=0.3", "jr=-0.5"] {
        let answer = folder.run(&format!("import hand.urdf --start {start}"));
        assert!(
            answer.err.contains("starts as asked for: \"j"),
            "{}",
            answer.err
        );
        assert!(
            answer.err.contains("starts where its coupling asks: \"j"),
            "{}",
            answer.err
        );
        let found = folder.run_with("check - --json", answer.fine()).json();
        assert_eq!(found["closure"], "closed", "{start}: {found}");
    }
    folder
        .run("import hand.urdf --start zz=1")
        .refuses(2, "hand.urdf: --start: no joint is called \"zz\"");
    folder
        .run("import hand.urdf --start jl=1,2")
        .refuses(2, "--start \"jl\": are not as many");
    folder
        .run("import hand.urdf --start zz=")
        .refuses(1, "--start");
    folder
        .run("import hand.urdf --keyframe home")
        .refuses(2, "a URDF has no keyframes");
}

#[test]
fn closures_are_a_list_or_the_joints_of_a_scene() {
    let folder = Folder::new("import-closures");
    folder.write("arm.urdf", ARM);
    let list = r#"[{ "name": "lock", "type": "ball",
      "a": { "body": "base", "point": [0, 0, 1] }, "b": { "body": "fore", "point": [0, 0, 0] } }]"#;
    let run = "import arm.urdf --closures loops.json";
    for text in [list.to_owned(), format!("{{ \"joints\": {list} }}")] {
        folder.write("loops.json", text);
        let scene = folder.run(run).fine();
        assert!(scene.contains("\"lock\""), "{scene}");
    }
    folder
        .run("import arm.urdf --closures nope")
        .refuses(2, "nope: no such file\n");
    for (right, wrong, words) in [
        (
            "\"ball\"",
            "\"bal\"",
            "loops.json:1:28: [0].type: there is no type \"bal\"\n  hint: did you mean \"ball\"?",
        ),
        (
            "\"fore\"",
            "\"foer\"",
            "loops.json: closure \"lock\": no link is called \"foer\"",
        ),
        (
            "\"ball\"",
            "\"distance\", \"length\": -1",
            "loops.json: closure \"lock\"",
        ),
    ] {
        folder.write("loops.json", list.replace(right, wrong));
        folder.run(run).refuses(2, words);
    }
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
        .refuses(1, "both write to standard output");
    assert_eq!(folder.files(), ["arm.urdf", "cut.urdf", "page.html"]);
}

const MESHES: &str = r#"<mujoco><asset><mesh name="m" file="m.stl"/></asset><worldbody>
  <body name="a"><joint name="x"/><geom type="mesh" mesh="m"/></body>
  <body name="b"><joint name="y"/><geom size="1"/></body></worldbody></mujoco>"#;

#[test]
fn a_mass_is_lost_only_if_asked_for() {
    let folder = Folder::new("import-lost");
    folder.write("robot.xml", MESHES);
    let answer = folder.run("import robot.xml -o robot.json");
    assert_eq!(answer.code, 2, "{}", answer.err);
    assert!(
        answer.err.contains("\"a\": mesh \"m.stl\" is not in"),
        "{}",
        answer.err
    );
    assert!(answer.err.contains("--lossy"), "{}", answer.err);
    folder.run("import robot.xml --lossy").fine();
    std::fs::create_dir_all(folder.path("meshes")).unwrap();
    folder.write("meshes/m.stl", "solid x\nendsolid x\n");
    let answer = folder.run("import robot.xml --meshes meshes");
    assert!(answer.err.contains("has no triangles"), "{}", answer.err);
}

#[test]
fn reports_are_brief_unless_asked() {
    let folder = Folder::new("import-brief");
    let bodies: String = (0..9)
        .map(|i| {
            format!(r#"<body name="b{i}"><joint name="j{i}" range="0 1"/><geom size="1"/></body>"#)
        })
        .collect();
    let text = format!("<mujoco><worldbody>{bodies}</worldbody></mujoco>");
    folder.write("robot.xml", &text);
    let brief = folder.run("import robot.xml -o robot.json").err;
    assert!(
        brief.contains("9: \"j0\", \"j1\", \"j2\" and 6 more"),
        "{brief}"
    );
    assert!(brief.contains("--verbose"), "{brief}");
    let all = folder.run("import robot.xml -o robot.json --verbose").err;
    assert!(
        all.contains("\"j7\", \"j8\"") && !all.contains("more"),
        "{all}"
    );
}

/// A bar that is held twice, with numbers that were rounded: at best its joints are open by 4 nm.
#[test]
fn rounding_is_no_contradiction() {
    let folder = Folder::new("import-rounding");
    for (length, code) in [("0.3000000075", 0), ("0.301", 3)] {
        let bar = format!(
            r#"{{ "linkwork": 1, "bodies": [
              {{ "name": "bar", "type": "rigid", "mass": 1, "inertia": [1, 1, 1, 0, 0, 0] }}],
            "joints": [
              {{ "name": "left", "type": "weld", "a": {{ "body": "bar" }}, "b": {{ "body": "ground" }} }},
              {{ "name": "right", "type": "weld", "a": {{ "body": "bar", "point": [0.3, 0, 0] }},
                "b": {{ "body": "ground", "point": [{length}, 0, 0] }} }}] }}"#
        );
        folder.write("bar.json", &bar);
        let answer = folder.run("check bar.json");
        assert_eq!(answer.code, code, "{length}: {}{}", answer.out, answer.err);
        assert_eq!(folder.run("assemble bar.json").code, code);
    }
}

/// Joints that lead each other in a circle would be held where they are.
#[test]
fn a_circle_of_mimics_is_named_and_left_out() {
    let folder = Folder::new("import-mimics");
    let link = |name: &str| {
        let inertia = r#"<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>"#;
        format!(r#"<link name="{name}"><inertial><mass value="1"/>{inertia}</inertial></link>"#)
    };
    let joint = |name: &str, parent: &str, child: &str, mimics: &str| {
        format!(
            r#"<joint name="{name}" type="continuous"><parent link="{parent}"/><child link="{child}"/>
            <axis xyz="0 0 1"/><mimic joint="{mimics}"/></joint>"#
        )
    };
    let joints = [
        joint("own", "a", "b", "own"),
        joint("one", "b", "c", "two"),
        joint("two", "c", "d", "one"),
    ];
    let links: String = ["a", "b", "c", "d"].map(link).concat();
    folder.write(
        "r.urdf",
        format!(r#"<robot name="r">{links}{}</robot>"#, joints.concat()),
    );
    let answer = folder.run("import r.urdf -o r.json");
    assert!(
        answer.err.contains("<mimic> of itself: \"own mimics own\""),
        "{}",
        answer.err
    );
    assert!(
        answer
            .err
            .contains("<mimic> that closes a circle: \"two mimics one\""),
        "{}",
        answer.err
    );
    answer.fine();
    let check = folder.run("check r.json --json").json();
    assert_eq!(check["mobility"], 2);
}

#[test]
fn a_circle_of_includes_is_named() {
    let folder = Folder::new("import-includes");
    folder.write("a.xml", r#"<mujoco><include file="b.xml"/></mujoco>"#);
    folder.write("b.xml", r#"<mujoco><include file="a.xml"/></mujoco>"#);
    folder
        .run("import a.xml -o c.json")
        .refuses(2, "\"a.xml\" includes itself: a.xml → b.xml → a.xml");
}
