//! `linkwork assemble`.

use crate::folder::{Folder, torn};

#[test]
fn open_joints_are_closed() {
    let folder = Folder::new("assemble-closes");
    folder.write("torn.json", torn("0.45"));
    let answer = folder.run("assemble torn.json -o closed.json");
    assert!(answer.err.starts_with("assembled in "), "{}", answer.err);
    answer.fine();
    let found = folder.run("check closed.json --json").json();
    assert_eq!(found["closure"], "closed");
    folder.run("run closed.json --require 1e-8").fine();
    // The scene on the standard output, and nothing else there.
    let text = folder.run("assemble torn.json -o -").fine();
    assert_eq!(text, folder.read("closed.json"));
}

#[test]
fn what_stays_open_is_named() {
    let folder = Folder::new("assemble-open");
    folder.write("torn.json", torn("3"));
    folder
        .run("assemble torn.json -o closed.json")
        .refuses(3, "contradict each other");
    folder.run("assemble torn.json").refuses(3, "\"D\" by ");
    assert_eq!(folder.files(), ["torn.json"]);
    let answer = folder.run("assemble torn.json -o nearest.json --anyway");
    assert_eq!(answer.code, 3);
    assert!(folder.read("nearest.json").contains("\"linkwork\": 1"));
}

#[test]
fn the_report_is_json_if_asked() {
    let folder = Folder::new("assemble-report");
    folder.write("torn.json", torn("0.45"));
    let report = folder.run("assemble torn.json --report json").json();
    assert_eq!(report["outcome"], "assembled");
    assert_eq!(report["open"], serde_json::json!([]));
    folder.write("torn.json", torn("3"));
    let answer = folder.run("assemble torn.json --report json");
    assert_eq!(answer.code, 3);
    let report: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(report["outcome"], "least-squares");
    assert!(
        report["open"]
            .as_array()
            .unwrap()
            .iter()
            .any(|own| own["joint"] == "D")
    );
    let few = folder.run("assemble torn.json --iterations 1");
    few.refuses(3, "not assembled after 1 displacement");
}

/// Faure 1998, fig. 3, as the help has it: six displacements of thirty gradients.
#[test]
fn the_solver_can_be_chosen() {
    let folder = Folder::new("assemble-solver");
    let few = "assemble crowd --iterations 6 --solve-iterations 30 --method";
    folder
        .run(&format!("{few} normal-cg --tolerance 0.02"))
        .fine();
    let answer = folder.run(&format!("{few} normal-cg"));
    assert!(!answer.err.contains("\\n"), "{}", answer.err);
    answer.refuses(
        3,
        "not assembled after 6 displacements; these stay open: \"",
    );
    folder
        .run(&format!("{few} forest-krylov --tolerance 1e-3"))
        .fine();
    folder
        .run(&format!("{few} direct"))
        .refuses(1, "the method \"direct\" does not iterate");
    folder
        .run("assemble crowd --solve-iterations 0 --method normal-cg")
        .refuses(1, "--solve-iterations");
}

/// A limit that is met by turning the joint is no assembly in nothing.
#[test]
fn what_moves_only_into_its_limits_is_told() {
    let folder = Folder::new("assemble-limit");
    folder.write(
        "arm.json",
        r#"{ "linkwork": 1, "bodies": [
          { "name": "arm", "type": "rod", "from": [0, 0, 0], "to": [1, 0, 0], "radius": 0.01, "mass": 1 }],
        "joints": [{ "name": "J", "type": "hinge", "a": "ground", "b": "arm", "at": [0, 0, 0], "axis": [0, 0, 1],
          "limits": { "lower_deg": 30, "upper_deg": 90 } }] }"#,
    );
    let answer = folder.run("assemble arm.json -o arm.json");
    assert!(
        answer
            .err
            .starts_with("assembled by moving joints into their limits:"),
        "{}",
        answer.err
    );
    answer.fine();
    let again = folder.run("assemble four-bar").err;
    assert!(again.starts_with("assembled as it is:"), "{again}");
}
