//! What is refused, with which words and which exit code.

use crate::folder::{FOUR_BAR, Folder};

#[test]
fn arguments_that_make_no_sense() {
    let folder = Folder::new("refuse-arguments");
    for (line, words) in [
        ("frobnicate", "unrecognized subcommand"),
        ("run", "required"),
        ("run four-bar --color red", "unexpected argument"),
        ("run four-bar --dt 0", "more than zero"),
        ("run four-bar --dt -1", "more than zero"),
        ("run four-bar --dt nan", "finite"),
        ("run four-bar --dt inf", "finite"),
        ("run four-bar --dt x", "not a number"),
        ("run four-bar --dt 1000 --seconds 1000", "step: dt is 1000"),
        ("run four-bar --seconds NaN", "finite"),
        ("run four-bar --seconds -1", "zero or more"),
        ("run four-bar --seconds 1e9 --dt 1e-6", "1e15 steps"),
        ("run four-bar --iterations 0", "0"),
        ("run four-bar --tolerance 0", "above zero"),
        ("run four-bar --every 0", "0"),
        ("run four-bar --every 2 --fps 3", "cannot be used with"),
        ("run four-bar --preset exact", "precise"),
        ("run four-bar --step-tolerance 1e-6", "--preset precise"),
        ("run four-bar --columns time", "--csv FILE"),
        ("run four-bar --plot-columns time", "--plot"),
        (
            "run four-bar --csv - --columns bdy.crank",
            "did you mean \"body\"?",
        ),
        (
            "run four-bar --csv - --columns body.crnak.position",
            "did you mean \"crank\"?",
        ),
        (
            "run four-bar --plot a.svg --plot-columns joint.A.forse",
            "did you mean \"force\"? `linkwork run SCENE --list-columns` lists them\n",
        ),
        (
            "run four-bar --csv - --columns xyzzy",
            "hint: `linkwork run SCENE --list-columns` lists them\n",
        ),
        ("assemble four-bar --tolerance -1", "tolerance"),
    ] {
        let answer = folder.run(line);
        assert!(answer.err.starts_with("error: "), "{line}: {}", answer.err);
        answer.refuses(1, words);
    }
    assert!(folder.files().is_empty());
}

#[test]
fn scenes_that_are_none() {
    let folder = Folder::new("refuse-scenes");
    folder.write("binary.json", [0xff, 0xd8, 0xff, 0x00]);
    folder.write("empty.json", "");
    folder.write("robot.urdf", "<robot name=\"r\"/>");
    folder.write("four-bar.json", FOUR_BAR);
    for command in ["check", "run", "assemble", "format", "lab"] {
        for (scene, words) in [
            (
                "four-bra",
                "four-bra: no such file, and no scene of the library has this name\n  hint: did you mean four-bar?",
            ),
            (
                "four-bra.json",
                "four-bra.json: no such file\n  hint: did you mean four-bar.json?",
            ),
            ("no/such/file", "no/such/file: no such file"),
            (".", ".: is a folder"),
            ("binary.json", "binary.json: is not text"),
            ("empty.json", "empty.json: the file is empty"),
            ("-", "standard input: is empty"),
            (
                "chain",
                "chain: needs numbers\n  hint: write chain:N, such as chain:10; each is a whole \
                 number from 1 to 1000000",
            ),
            ("chain:0", "such as chain:10; each is a whole number from 1"),
            (
                "chain:abc",
                "such as chain:10; each is a whole number from 1",
            ),
            ("four-bar:3", "takes no numbers\n  hint: write four-bar"),
            ("robot.urdf", "linkwork import robot.urdf"),
        ] {
            let answer = folder.run(&format!("{command} {scene}"));
            assert!(answer.err.starts_with("error: "), "{scene}: {}", answer.err);
            answer.refuses(2, words);
        }
    }
}

#[test]
fn mistakes_in_a_file_have_a_place_a_cause_and_a_hint() {
    let folder = Folder::new("refuse-mistakes");
    for (wrong, right, words) in [
        (
            r#""b": "cranc""#,
            r#""b": "crank""#,
            "error: mine.json:11:57: joints[0].b: no body is called \"cranc\"\n  hint: did you mean \"crank\"?",
        ),
        (
            r#""raduis": 0.01"#,
            r#""radius": 0.01"#,
            "bodies[0].raduis: there is no field \"raduis\"\n  hint: did you mean \"radius\"?",
        ),
        (
            r#""type": "hing""#,
            r#""type": "hinge""#,
            "there is no type \"hing\"\n  hint: did you mean \"hinge\"?",
        ),
        (r#""linkwork": 7"#, r#""linkwork": 1"#, "linkwork: is 7"),
        ("] ]", "]", "mine.json:"),
    ] {
        let text = FOUR_BAR.replacen(right, wrong, 1);
        assert_ne!(text, FOUR_BAR);
        folder.write("mine.json", text);
        folder.run("check mine.json").refuses(2, words);
    }
}

/// A force that no step can take: the world keeps its last state, and no file is written.
#[test]
fn a_step_that_is_refused() {
    let folder = Folder::new("refuse-step");
    let text = r#"{ "linkwork": 1,
      "bodies": [{ "name": "bob", "type": "particle", "mass": 1e-3, "position": [1, 0, 0] }],
      "behaviors": [{ "name": "string", "type": "explicit-spring", "a": "ground", "b": "bob",
                      "stiffness": 1e300, "rest_length": 0.5 }] }"#;
    folder.write("stiff.json", text);
    let answer = folder.run("run stiff.json --save end.json");
    assert!(!answer.err.contains("World::"), "{}", answer.err);
    assert!(
        answer.err.contains("a joint of type \"spring\""),
        "{}",
        answer.err
    );
    // There is no good state but the first.
    assert!(!answer.err.contains("--seconds"), "{}", answer.err);
    assert!(!answer.err.contains("inf J"), "{}", answer.err);
    answer.refuses(3, "body \"bob\" is not finite");
    assert_eq!(folder.files(), ["stiff.json"]);
}

/// A force that is too stiff for the step must not end as energy that nobody put in.
#[test]
fn energy_that_nothing_put_in() {
    let folder = Folder::new("refuse-energy");
    let scene = |mass: &str, stiffness: &str| {
        format!(
            r#"{{ "linkwork": 1,
      "bodies": [{{ "name": "bob", "type": "particle", "mass": {mass}, "position": [1, 0, 0] }}],
      "behaviors": [{{ "name": "string", "type": "explicit-spring", "a": "ground", "b": "bob",
                      "stiffness": {stiffness}, "rest_length": 0.5 }}] }}"#
        )
    };
    folder.write("stiff.json", scene("1e-3", "1e12"));
    let answer = folder.run("run stiff.json --save end.json");
    assert!(answer.err.contains("at 0 s: "), "{}", answer.err);
    assert!(answer.err.contains("--dt"), "{}", answer.err);
    answer.refuses(3, "body \"bob\" would have gained ");
    assert_eq!(folder.files(), ["stiff.json"]);
    // Less stiff, shorter parts can take it, and the report says so.
    folder.write("stiff.json", scene("1", "2e4"));
    let report = folder.run("run stiff.json --report json").json();
    assert!(report["steps_retaken"].as_u64().unwrap() > 0, "{report}");
    assert_eq!(report["warnings"][0]["kind"], "energy");
    assert!(report["energy"]["end"].as_f64().unwrap() < 3000.0);
}
