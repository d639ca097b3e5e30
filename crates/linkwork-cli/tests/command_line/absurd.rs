//! Numbers that nobody means, in files: each is refused with a place and a cause, or survived, and what was lost is
//! told.

use crate::folder::{Answer, Folder};

/// A bar of 1 m and 1 kg on a joint at the origin, in a file with more in it.
fn bar(more: &str, joint: &str, joints: &str, rest: &str) -> String {
    format!(
        r#"{{ "linkwork": 1,
  "world": {{ "gravity": [0, -9.81, 0] }},
  "bodies": [{{ "name": "bar", "type": "rod", "from": [0, 0, 0], "to": [1, 0, 0], "radius": 0.01, "mass": 1{more} }}],
  "joints": [{{ "name": "axle", "a": "ground", "b": "bar", "at": [0, 0, 0], {joint} }}{joints}]{rest} }}"#
    )
}

const HINGE: &str = r#""type": "hinge", "axis": [0, 0, 1]"#;
const SLIDER: &str = r#""type": "prismatic", "axis": [1, 0, 0]"#;

/// What `linkwork run` answers under each preset.
fn answers(name: &str, text: &str) -> [Answer; 3] {
    let folder = Folder::new(name);
    folder.write("mine.json", text);
    ["interactive", "precise", "symplectic4"]
        .map(|preset| folder.run(&format!("run mine.json --seconds 0.2 --preset {preset}")))
}

/// It ended well and told what it lost, or it was refused.
fn told(answer: &Answer) {
    let err = &answer.err;
    match answer.code {
        0 => assert!(err.contains("warning: ") && err.contains("los"), "{err}"),
        3 => assert!(err.contains("error: at 0 s: step refused: "), "{err}"),
        code => panic!("{code}: {err}"),
    }
    assert!(!err.contains("NaN"), "{err}");
}

#[test]
fn a_spring_of_1e300() {
    let spring = r#", { "name": "string", "type": "spring", "a": { "body": "ground", "point": [1, 1, 0] },
        "b": { "body": "bar", "point": [0.5, 0, 0] }, "stiffness": 1e300, "rest_length": 0.9 }"#;
    answers("absurd-spring", &bar("", HINGE, spring, ""))
        .iter()
        .for_each(told);
}

#[test]
fn a_spin_of_1e12() {
    let spin = r#", "angular_velocity": [0, 0, 1e12], "velocity": [0, 0.5e12, 0]"#;
    answers("absurd-spin", &bar(spin, HINGE, "", ""))
        .iter()
        .for_each(told);
    let spin = r#", "angular_velocity": [0, 1e11, 1e12]"#;
    let ball = bar(spin, r#""type": "ball""#, "", "");
    answers("absurd-tumble", &ball).iter().for_each(told);
}

#[test]
fn armatures() {
    for (armature, words) in [
        ("-1", "mine.json:4:"),
        (
            "-1",
            "joints[0].armature: is -1; give a finite number, zero or greater",
        ),
        ("1e999", "joints[0].armature: number out of range"),
    ] {
        let joint = format!(r#"{HINGE}, "armature": {armature}"#);
        for answer in answers("absurd-armature", &bar("", &joint, "", "")) {
            answer.refuses(2, words);
        }
    }
    let joint = format!(r#"{HINGE}, "armature": 1e300"#);
    for answer in answers("absurd-rotor", &bar("", &joint, "", "")) {
        answer.fine();
    }
}

/// One that is a kilometer away already, which is told, and one that goes it in a frame.
#[test]
fn a_drive_that_jumps_by_a_kilometer() {
    let joint = format!(r#"{SLIDER}, "drive": {{ "type": "ramp", "start": 1000, "rate": 0 }}"#);
    for answer in answers("absurd-jump", &bar("", &joint, "", "")) {
        let open = "warning: a joint is open: \"axle drive\" by 1000 m";
        assert!(answer.err.contains(open), "{}", answer.err);
        // Where it was brought, it rests.
        assert!(answer.err.contains("energy     0 J"), "{}", answer.err);
        answer.fine();
    }
    let joint = format!(r#"{SLIDER}, "drive": {{ "type": "ramp", "rate": 60000 }}"#);
    for answer in answers("absurd-drive", &bar("", &joint, "", "")) {
        // ½·m·v²
        assert!(answer.err.contains("energy     1.8e9 J"), "{}", answer.err);
        answer.fine();
    }
}

#[test]
fn a_turn_count_of_1e18() {
    let joint = r#""type": "screw", "axis": [1, 0, 0], "pitch": 0.01"#;
    let turns = r#", "state": { "turns": { "axle": [1e18] } }"#;
    for answer in answers("absurd-turns", &bar("", joint, "", turns)) {
        answer.refuses(
            2,
            "state.turns.axle: is 1000000000000000000; give a whole number from -1e12 to 1e12",
        );
    }
}

/// Steps so far from the origin that no digit of a length is left.
#[test]
fn a_gravity_of_1e300() {
    let folder = Folder::new("absurd-gravity");
    folder.write(
        "mine.json",
        r#"{ "linkwork": 1, "world": { "gravity": [1e300, -1e300, 0] },
  "bodies": [{ "name": "a", "type": "particle", "mass": 1, "position": [-1, 0, 0] },
             { "name": "b", "type": "particle", "mass": 1, "position": [1, 0, 0] }],
  "joints": [{ "name": "bar", "type": "distance", "a": "a", "b": "b", "length": 2 }] }"#,
    );
    let answer = folder.run("run mine.json --seconds 0.1 --preset precise");
    answer.refuses(3, "is too fast for a frame of this length");
}

/// A mechanism meant for hundredths of a second, driven for long by its motor: what it loses is told.
#[test]
fn what_a_motor_puts_in_and_steps_lose_is_told() {
    let folder = Folder::new("absurd-motor");
    let report = folder
        .run("run andrews --seconds 3 --preset interactive --report json")
        .json();
    assert_eq!(report["warnings"][0]["kind"], "energy", "{report}");
    let text = report["warnings"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("the motion lost "), "{text}");
    // As it is meant, nothing is lost.
    let report = folder
        .run("run andrews --seconds 0.05 --report json")
        .json();
    assert_eq!(report["warnings"].as_array().unwrap().len(), 0, "{report}");
}

/// The integrators of the papers take steps that gain, but nobody calls the result a motion. A spring that is a force,
/// h·ω = 4, in a world with nothing else, and beside a limit, where only single steps tell.
#[test]
fn integrators_of_the_papers_that_gain_are_told() {
    let folder = Folder::new("absurd-papers");
    let coil = r#", "behaviors": [{ "name": "coil", "type": "torsion-spring", "stiffness": 19200, "rest_angle": 0.1,
        "a": { "body": "ground", "point": [0, 0, 0], "axis": [0, 0, 1] },
        "b": { "body": "bar", "point": [0, 0, 0], "axis": [0, 0, 1] } }]"#;
    for joint in [
        HINGE.to_owned(),
        format!(r#"{HINGE}, "limits": {{ "lower": -1e6, "upper": 1e6 }}"#),
    ] {
        folder.write("mine.json", bar("", &joint, "", coil));
        for integrator in ["euler", "symplectic-euler", "stoermer", "rk4"] {
            let line = format!("run mine.json --integrator {integrator} --seconds 0.1");
            let answer = folder.run(&format!("{line} --csv a.csv"));
            assert!(answer.err.contains("nothing put it in"), "{}", answer.err);
            assert_eq!(folder.read("a.csv").lines().count(), 1 + 1 + 6);
            answer.refuses(3, "most of the energy in motion is what nothing put in");
            let accepted = folder.run(&format!("{line} --require off"));
            let is_refused = accepted.err.contains("most of the energy");
            assert!(!is_refused, "{}", accepted.err);
        }
    }
}

/// What they drift by as anybody expects is told of none: reproductions of the papers.
#[test]
fn integrators_of_the_papers_that_drift_are_not_accused() {
    let folder = Folder::new("papers-drift");
    for line in [
        "run particle-on-circle --seconds 5",
        "run bricard --integrator rk4 --dt 0.005 --seconds 1",
        "run baraff-fig2 --integrator symplectic-euler --dt 0.001 --seconds 1",
        "run paper-doll --integrator stoermer --stabilization displacement --dt 0.01 --seconds 1",
        "run dragonfly --integrator euler --stabilization baumgarte --dt 0.0031 --seconds 1",
    ] {
        let answer = folder.run(line);
        // The paper's joints are still closing.
        let is_open = answer.err.contains(": open at the end: ");
        assert_eq!(
            answer.code,
            if is_open { 3 } else { 0 },
            "{line}: {}",
            answer.err
        );
        assert!(
            !answer.err.contains("nothing put it in"),
            "{line}: {}",
            answer.err
        );
    }
}
