//! `--set`: a field of a scene from the command line.

use crate::folder::{FOUR_BAR, Folder};

/// A value that is set is the same as one in the file, to the last bit of the state.
#[test]
fn what_is_set_is_as_if_it_stood_in_the_file() {
    let folder = Folder::new("set-as-file");
    folder.write("mine.json", FOUR_BAR);
    let hash = |line: &str| {
        let report = folder.run(&format!("run {line} --seconds 0.2 --report json"));
        report.json()["state_hash"].clone()
    };
    for (written, instead, set) in [
        ("-9.81", "-1.62", "world.gravity.1=-1.62"),
        (
            r#""density": 7850"#,
            r#""density": 2700"#,
            "bodies.crank.density=2700",
        ),
        (
            r#""gravity": [0, -9.81, 0]"#,
            r#""gravity": [0, -9.81, 0], "preset": "precise", "dt": 0.01"#,
            "world.preset=precise --set world.dt=1/100",
        ),
        (
            r#""from": [0, 0, 0], "to": [0, 0.1, 0]"#,
            r#""from": [0, 0, 0], "to": [0, 0.1, 0], "velocity": [1, 0, 0]"#,
            "bodies[0].velocity=[1,0,0]",
        ),
    ] {
        let text = FOUR_BAR.replacen(written, instead, 1);
        assert_ne!(text, FOUR_BAR);
        folder.write("other.json", text);
        assert_eq!(
            hash("other.json"),
            hash(&format!("mine.json --set {set}")),
            "{set}"
        );
    }
    // A scene of the library, which is a file, and one that is built.
    assert_ne!(
        hash("four-bar --set world.gravity.1=-1.62"),
        hash("four-bar")
    );
    assert_ne!(hash("chain:3 --set bodies.1.mass=7"), hash("chain:3"));
}

/// A crank that grows has its pins at its ends again, and the joints are closed before the run.
#[test]
fn a_size_takes_along_what_sits_on_the_body() {
    let folder = Folder::new("set-size");
    folder.write("mine.json", FOUR_BAR);
    let reach = |set: &str| {
        let line = format!("run mine.json {set} --seconds 0 --measure body.crank.position.y:last");
        let answer = folder.run(&format!("{line} --report json")).json();
        answer["measures"][0]["value"].as_f64().unwrap()
    };
    assert!((reach("") - 0.05).abs() < 1e-12);
    let longer = "--set bodies.crank.length=0.14 --set bodies.crank.radius=0.012";
    folder
        .run(&format!("assemble mine.json {longer} -o longer.json"))
        .fine();
    let text = folder.read("longer.json");
    assert!(
        text.contains(r#""length": 0.14"#) && text.contains(r#""radius": 0.012"#),
        "{text}"
    );
    // From the middle of the crank to its pin on the ground.
    assert!(reach(longer) > 0.06);
    let warned = folder.run(&format!("run mine.json {longer} --seconds 0.1"));
    assert!(!warned.err.contains("warning"), "{}", warned.err);
    let checked = folder
        .run(&format!("check mine.json {longer} --json"))
        .json();
    assert_eq!(checked["closure"], "closable");
    folder
        .run("run mine.json --set bodies.crank.length=3 --csv a.csv")
        .refuses(3, "with these values no pose closes all joints");
    let formatted = folder.run(&format!("format mine.json {longer}")).fine();
    assert!(formatted.contains(r#""length": 0.14"#), "{formatted}");
}

#[test]
fn names_may_have_dots_and_spaces() {
    let folder = Folder::new("set-names");
    folder.write("mine.json", FOUR_BAR.replace("crank", "left.arm 1"));
    let mut command = folder.command("run mine.json --seconds 0 --set");
    let output = command
        .arg("bodies.\"left.arm 1\".density=1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
}

#[test]
fn what_does_not_exist_is_refused_with_a_suggestion() {
    let folder = Folder::new("set-refused");
    folder.write("mine.json", FOUR_BAR);
    for (set, words) in [
        (
            "bodies.crnak.length=0.1",
            "error: --set bodies.crnak.length=0.1: nothing in bodies is called \"crnak\"\n  hint: did you mean \"crank\"?",
        ),
        (
            "bodies.crank.lenght=0.1",
            "there is no field \"lenght\"\n  hint: did you mean \"length\"?",
        ),
        (
            "bodys.crank.length=0.1",
            "there is no field \"bodys\"\n  hint: did you mean \"bodies\"?",
        ),
        ("world.preset=exact", "--set world.preset=exact: "),
        ("joints.A.type=hing", "did you mean \"hinge\"?"),
        // As in a file.
        (
            "bodies.crank.length=-1",
            "is -1; give a finite number greater than zero",
        ),
        (
            "bodies.crank.density=heavy",
            "is \"heavy\", but must be a number",
        ),
        ("joints.A.at[3]=1", "has 3 entries, and none of number 3"),
        ("joints.A.at.x=1", "nothing in joints[0].at is called \"x\""),
        ("name.first=1", "which has no \"first\""),
        ("joints.A.b=crankk", "did you mean \"crank\"?"),
        ("gravity", "write PATH=VALUE"),
        ("bodies..mass=1", "empty part"),
    ] {
        for command in ["run", "check", "assemble", "format"] {
            folder
                .run(&format!("{command} mine.json --set {set}"))
                .refuses(1, words);
        }
    }
    // A file that is wrong by itself is told so, with its place.
    folder.write(
        "wrong.json",
        FOUR_BAR
            .replacen("raduis", "radius", 1)
            .replacen("hinge", "hing", 1),
    );
    folder
        .run("run wrong.json --set world.dt=0.01")
        .refuses(2, "wrong.json:11:");
}

/// The version of the format is checked as that of a file; a field in a field that is not there says what is.
#[test]
fn what_cannot_be_set_says_why() {
    let folder = Folder::new("set-why");
    let hinge = r#""b": "crank", "at": [0, 0, 0], "axis": [0, 0, 1]"#;
    let motor = format!(r#"{hinge}, "motor": {{ "speed_deg": 180 }}"#);
    folder.write("mine.json", FOUR_BAR.replacen(hinge, &motor, 1));
    folder
        .run("run mine.json --seconds 0 --set linkwork=99")
        .refuses(
            1,
            "--set linkwork=99: is 99, but this program reads versions up to 1",
        );
    for line in [
        "run mine.json --seconds 0 --set joints.A.drive.rate_deg=90",
        "sweep mine.json --seconds 0 --over joints.A.drive.rate_deg=90,180 --measure time",
    ] {
        folder
            .run(line)
            .refuses(1, "hint: joints[0] has no \"drive\", but \"motor\"");
    }
}
