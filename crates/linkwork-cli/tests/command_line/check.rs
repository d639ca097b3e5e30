//! `linkwork check`.

use crate::folder::{FOUR_BAR, Folder, torn};

fn kinds(folder: &Folder, text: &str) -> Vec<String> {
    let found = folder.run_with("check - --json", text).json();
    let warnings = found["warnings"].as_array().unwrap().iter();
    warnings
        .map(|warning| warning["kind"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_four_bar_is_told_by_its_numbers() {
    let folder = Folder::new("check-four-bar");
    let found = folder.run_with("check - --json", FOUR_BAR).json();
    assert_eq!(found["scene"], "my four-bar");
    assert_eq!((&found["bodies"], &found["joints"]), (&3.into(), &4.into()));
    assert_eq!((&found["rows"], &found["rank"]), (&20.into(), &17.into()));
    assert_eq!(
        (&found["mobility"], &found["loops"]),
        (&1.into(), &1.into())
    );
    assert_eq!(found["loops_closed_by"][0], "D");
    assert_eq!(found["closure"], "closed");
    assert_eq!(found["redundant"].as_array().unwrap().len(), 3);
    assert_eq!(found["redundant"][0]["joint"], "D");
    assert_eq!(found["warnings"], serde_json::json!([]));
    let words = folder.run_with("check -", FOUR_BAR).fine();
    assert!(words.contains("1 degree of freedom"), "{words}");
    assert!(
        words.contains("\"D\" repeat \"A\", \"B\", \"C\""),
        "{words}"
    );
}

#[test]
fn open_joints_are_named_with_what_to_do() {
    let folder = Folder::new("check-open");
    folder.write("torn.json", torn("0.45"));
    let words = folder.run("check torn.json").fine();
    assert!(words.contains("\"D\" by 0.05 m"), "{words}");
    assert!(
        words.contains("linkwork assemble torn.json -o closed.json"),
        "{words}"
    );
    folder.run("check torn.json --strict -q").code_is(3);
    folder.run("check four-bar --strict").fine();
}

#[test]
fn contradictions_are_named() {
    let folder = Folder::new("check-contradiction");
    let answer = folder.run_with("check - --json", torn("3"));
    assert_eq!(answer.code, 3);
    assert!(
        answer.err.contains("joints contradict each other"),
        "{}",
        answer.err
    );
    let found: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(found["closure"], "contradictory");
    let joints = found["contradictory"].as_array().unwrap();
    assert!(joints.iter().any(|own| own["joint"] == "D"), "{found}");
}

/// Of lower priorities, what cannot hold is named with what it is open by at best; the rest is closed.
#[test]
fn what_gives_way_is_named() {
    let folder = Folder::new("check-gives-way");
    let words = folder.run("check three-characters-torn").fine();
    assert!(words.contains("yes, at priority 0"), "{words}");
    assert!(words.contains("\"left post\" by 0.59 m"), "{words}");
    assert!(!words.contains("foot on ground\" by"), "{words}");
    let words = folder.run("assemble three-characters-torn").err;
    assert!(words.contains("\"left post\" by 0.59 m"), "{words}");
    let words = folder
        .run("assemble three-characters-torn --report json")
        .out;
    assert!(words.contains("gave-way"), "{words}");
}

/// A name cannot move the cursor, clear the screen or begin a line.
#[test]
fn names_are_shown_and_not_obeyed() {
    let folder = Folder::new("check-escape");
    let wicked = FOUR_BAR
        .replace("\"D\"", r#""D\u001b[2J\nerror""#)
        .replace("my four-bar", r"my\u0007 four-bar");
    folder.write("wicked.json", &wicked);
    for line in [
        "check wicked.json",
        "run wicked.json --list-columns",
        "run wicked.json",
        "run wicked.json --integrator euler --stabilization none --require 1e-6",
    ] {
        let answer = folder.run(line);
        let said = answer.out + &answer.err;
        let control = |own: char| own.is_control() && own != '\n';
        assert!(!said.contains(control), "{line}: {said}");
        assert!(!said.contains("\nerror\""), "{line}: {said}");
    }
    let words = folder.run("check wicked.json").fine();
    assert!(words.contains(r#""D\u{1b}[2J\nerror""#), "{words}");
}

#[test]
fn a_long_chain_repeats_nothing() {
    let folder = Folder::new("check-long");
    let found = folder.run("check chain:2000 --json").json();
    assert_eq!(
        (&found["rank"], &found["mobility"]),
        (&6000.into(), &6000.into())
    );
    for none in ["loops_closed_by", "redundant", "undetermined", "warnings"] {
        assert_eq!(found[none], serde_json::json!([]), "{none}");
    }
}

#[test]
fn suspicions() {
    let folder = Folder::new("check-suspicions");
    let free = FOUR_BAR.replace(
        r#""bodies": ["#,
        r#""bodies": [ { "name": "ball", "type": "sphere", "radius": 0.1, "mass": 1 }, "#,
    );
    assert_eq!(kinds(&folder, &free), ["free-body"]);
    let heavy = FOUR_BAR.replacen("\"density\": 7850", "\"mass\": 1e7", 1);
    assert_eq!(kinds(&folder, &heavy), ["mass-ratio"]);
    let millimeters = FOUR_BAR
        .replace("0.01", "10")
        .replace("0.1", "100")
        .replace("0.3", "300")
        .replace("0.4", "400");
    assert_eq!(kinds(&folder, &millimeters), ["units"]);
    let gravity = FOUR_BAR.replace("-9.81", "-9810");
    assert_eq!(kinds(&folder, &gravity), ["units"]);
    let still = FOUR_BAR.replace(r#""world": { "gravity": [0, -9.81, 0] },"#, "");
    assert_eq!(kinds(&folder, &still), ["nothing-moves"]);
    let far = FOUR_BAR.replace(r#""at": [0.4, 0, 0]"#, r#""at": [0.5, 0, 0]"#);
    assert_eq!(kinds(&folder, &far), ["far-joint"]);
    let drive = r#""axis": [0, 0, 1], "drive": { "type": "ramp", "rate": 2 } },"#;
    let driven = FOUR_BAR.replacen(r#""axis": [0, 0, 1] },"#, drive, 1);
    assert!(kinds(&folder, &driven).is_empty());
    let words = folder.run_with("check -", &driven).fine();
    assert!(words.contains("driven by"), "{words}");
    let resting = driven.replacen(
        "\"density\": 7850",
        "\"density\": 7850, \"velocity\": [0, 0, 0]",
        1,
    );
    assert_eq!(kinds(&folder, &resting), ["speeds"]);
}

/// What the library has is as it should be, or says what it is for.
#[test]
fn the_library_is_not_suspicious() {
    let folder = Folder::new("check-library");
    for scene in [
        "chain:5", "four-bar", "jansen", "stewart", "humanoid", "andrews", "hub:4", "sheet:3",
    ] {
        let found = folder.run(&format!("check {scene} --json")).json();
        assert_eq!(found["warnings"], serde_json::json!([]), "{scene}");
    }
}

/// Faure 1999, fig. 2: which joints close loops, and what cannot be as was asked.
#[test]
fn the_tree_is_told_and_so_is_what_cannot_be_in_it() {
    let folder = Folder::new("check-tree");
    let asking = |joints: &[&str], tree: &str| {
        let mut scene = linkwork_scene::library::open("four-bar").unwrap();
        for joint in joints {
            let id = scene.world.find_constraint(joint).unwrap();
            scene.world.set_tree(id, tree.parse().unwrap()).unwrap();
        }
        folder.write("mine.json", linkwork_scene::save(&scene).unwrap());
        folder.run("check mine.json --json").json()
    };
    let found = asking(&[], "in");
    assert_eq!(found["forest"]["loops"], serde_json::json!(["D"]));
    assert_eq!(found["forest"]["tree"][1]["holds"], "coupler");
    let found = asking(&["B"], "loop");
    assert_eq!(found["forest"]["loops"], serde_json::json!(["B"]));
    assert_eq!(found["loops_closed_by"], serde_json::json!(["B"]));
    assert_eq!(found["warnings"], serde_json::json!([]));
    let found = asking(&["A", "B", "C", "D"], "in");
    let warning = &found["warnings"][0];
    assert_eq!(warning["names"], serde_json::json!(["D"]));
    let text = warning["text"].as_str().unwrap();
    assert!(
        text.starts_with("\"D\" asks for \"tree\": \"in\", but other joints"),
        "{text}"
    );
    let words = folder.run("check mine.json").fine();
    assert!(
        words.contains("15 rows in the tree, 5 rows of loops: \"D\""),
        "{words}"
    );
    // The choice is saved, and a run is the same to the last bit.
    assert!(folder.read("mine.json").contains("\"tree\": \"in\""));
    let state = |scene: &str| {
        let line = format!("run {scene} --seconds 0.5 --report json");
        folder.run(&line).json()["state_hash"].clone()
    };
    assert_eq!(state("mine.json"), state("four-bar"));
    folder.write(
        "bad.json",
        folder.read("mine.json").replace("\"in\"", "\"inside\""),
    );
    folder.run("check bad.json").refuses(2, "\"inside\"");
}

/// A block on a floor, and a bar at its stop.
const TOUCHING: &str = r#"{ "linkwork": 1, "world": { "gravity": [0, -9.81, 0], "floor": 0 },
  "bodies": [ { "name": "block", "type": "box", "size": [1, 0.2, 1], "mass": 1, "position": [0, 0.1, 0], "collide": true },
    { "name": "bar", "type": "rod", "from": [5, 2, 0], "to": [6, 2, 0], "radius": 0.05, "mass": 1 } ],
  "joints": [ { "name": "pin", "type": "hinge", "a": "ground", "b": "bar", "at": [5, 2, 0], "axis": [0, 0, 1], "limits": { "lower": 0, "upper": 1 } } ] }"#;

/// What touches is counted as held, limits at their stops are named, and what statics leave open is a share.
#[test]
fn what_touches_is_told() {
    let folder = Folder::new("check-touching");
    let found = folder.run_with("check - --json", TOUCHING).json();
    assert_eq!(
        (&found["mobility"], &found["held_mobility"]),
        (&7.into(), &3.into())
    );
    let held = serde_json::json!([
        { "of": ["pin limits"], "rows": 1, "shared": false },
        { "of": ["ground", "block"], "rows": 4, "shared": true },
    ]);
    assert_eq!(found["held"], held);
    let words = folder.run_with("check -", TOUCHING).fine();
    for wanted in [
        "while contacts stay closed, 3 ways to move are left:",
        "\"pin limits\" is at its stop",
        "\"ground\" and \"block\" touch at 4 points; statics does not determine their forces",
    ] {
        assert!(words.contains(wanted), "{wanted}\n{words}");
    }
}

/// What has no effect in a world that only closes joints is named by a check and by a run.
#[test]
fn bounded_forces_in_assembly_are_named() {
    let folder = Folder::new("check-momentum");
    let text = FOUR_BAR
        .replace("\"world\": {", "\"world\": { \"dynamics\": \"assembly\",")
        .replace("\"name\": \"D\",", "\"name\": \"D\", \"friction\": 0.1,");
    assert_eq!(kinds(&folder, &text), ["needs-momentum"]);
    let found = folder
        .run_with("run - --seconds 0.1 --report json", &text)
        .json();
    assert_eq!(
        found["warnings"][0]["names"],
        serde_json::json!(["D friction"])
    );
    for dynamics in ["first-order", "second-order"] {
        let other = text.replace("assembly", dynamics);
        assert_eq!(kinds(&folder, &other), [""; 0]);
    }
}

/// At its start a formula has no value, or the way to where it holds leads over such a place.
#[test]
fn formulas_without_a_value_are_told() {
    let folder = Folder::new("check-no-value");
    let text = |is: &str| {
        format!(
            r#"{{ "linkwork": 1, "bodies": [ {{ "name": "p", "type": "numbers", "names": ["x"], "values": [1] }} ],
                "joints": [ {{ "name": "f", "type": "formula", "is": "{is}" }} ] }}"#
        )
    };
    let at_start = folder.run_with("check -", text("1/(p.x - 1) == 2"));
    at_start.refuses(3, "division by 0, at column 1 (\"1/(p.x - 1)\")");
    // Newton's step from 1 leads to x = −3.
    let found = folder
        .run_with("check - --json", text("sqrt(p.x) == -1"))
        .json();
    assert_eq!(found["closure"], "unknown");
    assert_eq!((&found["rank"], &found["mobility"]), (&1.into(), &0.into()));
}

/// Who is in whom at the start is named by a check and by a run: what contacts push apart, and what never collides.
#[test]
fn bodies_that_overlap_at_the_start_are_named() {
    let folder = Folder::new("check-overlap");
    let text = r#"{ "linkwork": 1, "world": { "gravity": [0, -9.81, 0] }, "bodies": [
        { "name": "low", "type": "box", "size": [0.2, 0.2, 0.2], "mass": 1, "collide": true },
        { "name": "high", "type": "box", "size": [0.2, 0.2, 0.2], "mass": 1, "position": [0, 0.15, 0],
          "collide": true },
        { "name": "arm", "type": "sphere", "radius": 0.1, "mass": 1, "position": [0.17, -0.05, 0], "collide": true,
          "not_with": ["low", "high"] } ] }"#;
    let (pushed, apart) = (
        "\"low\" and \"high\" by 0.05 m; contacts push them apart at once",
        "\"low\" and \"arm\" by 0.03 m; their groups keep them from colliding",
    );
    assert!(kinds(&folder, text).contains(&"overlap".to_owned()));
    let run = folder.run_with("run - --seconds 0.05", text);
    let check = folder.run_with("check -", text).fine();
    for words in [&check, &run.err] {
        assert!(words.contains(pushed), "{words}");
        assert!(words.contains(apart), "{words}");
    }
    for command in ["check - --json", "run - --seconds 0.05 --report json"] {
        let found = folder.run_with(command, text).json();
        assert_eq!(
            found["apart"][0]["bodies"],
            serde_json::json!(["low", "arm"]),
            "{command}"
        );
        let mut warnings = found["warnings"].as_array().unwrap().iter();
        let own = warnings.find(|own| own["kind"] == "overlap").unwrap();
        assert_eq!(own["names"], serde_json::json!(["low", "high"]));
    }
    // What only touches is beside each other.
    let beside = text.replace("0.15", "0.2").replace("0.17", "0.2");
    assert!(!kinds(&folder, &beside).contains(&"overlap".to_owned()));
    assert!(
        !folder
            .run_with("check -", &beside)
            .fine()
            .contains("overlap")
    );
}
