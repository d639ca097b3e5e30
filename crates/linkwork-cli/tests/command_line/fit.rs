//! `linkwork fit`.

use crate::folder::Folder;

const LINE: &str = r#"{ "linkwork": 1, "parameters": { "k": 1 }, "world": { "dynamics": "first-order" },
  "bodies": [ { "name": "p", "type": "numbers", "names": ["a", "b"], "values": [0, 0] } ],
  "tables": [ { "name": "data", "file": "points.csv" } ],
  "joints": [ { "name": "fit", "type": "formula", "is": "p.a + p.b*x ~ k*y", "for": "data" },
              { "name": "least", "type": "formula", "is": "p.a >= 0.5" } ] }"#;

#[test]
fn a_line_is_fitted_to_a_file_and_its_errors_are_told() {
    let folder = Folder::new("fit");
    folder.write("line.json", LINE);
    folder.write("points.csv", "x [mm],y\n0,1\n1000,3\n2000,\n3000,7\n");
    let answer = folder.run("fit line.json --csv errors.csv -o fitted.json --report json");
    let report = answer.json();
    assert_eq!(report["outcome"], "minimum");
    let number = |at: usize| report["numbers"][at]["value"].as_f64().unwrap();
    assert!((number(0) - 1.0).abs() < 1e-9 && (number(1) - 2.0).abs() < 1e-9);
    assert_eq!(report["fits"][0]["rows"], 3);
    assert_eq!(report["fits"][0]["skipped"], 1);
    assert!(report["fits"][0]["rms"].as_f64().unwrap() < 1e-8);
    let errors = folder.read("errors.csv");
    let lines: Vec<&str> = errors.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[0] == "joint,row,at,error" && lines[3].starts_with("fit,4,,"));
    // The fitted scene has its rows, and stays where it is.
    std::fs::remove_file(folder.path("points.csv")).unwrap();
    let again = folder.run("fit fitted.json --report json").json();
    assert_eq!(again["numbers"], report["numbers"]);

    folder.write("others.csv", "x,y\n0,0\n1,1\n");
    let answer = folder.run("fit fitted.json others.csv --set k=2");
    assert!(answer.out.contains("p.a = 0.5"), "{}", answer.out);
    assert!(answer.out.contains("at its bound: least"), "{}", answer.out);
    assert!(answer.out.contains("fit fit: rms"), "{}", answer.out);
    answer.fine();
}

#[test]
fn mistakes_of_data_have_file_line_and_column() {
    let folder = Folder::new("fit-refuses");
    folder.write("line.json", LINE);
    folder.write("points.csv", "x,y\n0,1\n1,two\n");
    folder.run("fit line.json").refuses(
        2,
        "line.json:3:41: tables[0].file: points.csv:3:3: \"two\" is no number",
    );
    folder
        .run("fit fit-ellipse points.csv")
        .refuses(2, "points.csv:3:3: \"two\" is no number");
    folder.write("points.csv", "x,z\n0,1\n1,2\n");
    folder
        .run("fit fit-ellipse points.csv")
        .refuses(2, "\"y\" is not known");
    folder
        .run("fit nowhere.json points.csv")
        .refuses(2, "no such file");
    folder
        .run("fit four-bar")
        .refuses(3, "goes through a table");
    // Where it has come to is told all the same.
    let answer = folder.run("fit fit-ellipse --iterations 1 -o out.json");
    assert!(
        answer.err.contains("no minimum within 1 step"),
        "{}",
        answer.err
    );
    answer.code_is(3);
    assert_eq!(folder.files(), ["line.json", "points.csv"]);
}

#[test]
fn the_ellipse_of_the_library_is_found_in_spite_of_wrong_points() {
    let folder = Folder::new("fit-ellipse");
    let report = folder.run("fit fit-ellipse --report json").json();
    for (at, truth) in [1.0, 0.5, 2.0, 0.8, 0.5].into_iter().enumerate() {
        let own = &report["numbers"][at];
        assert!(
            (own["value"].as_f64().unwrap() - truth).abs() < 0.03,
            "{own}"
        );
    }
    folder.run("fit fit-spline").fine();
}

#[test]
fn a_column_may_be_a_formula() {
    let folder = Folder::new("typed-column");
    let line = "run fit-ellipse --seconds 1/60 --csv - --columns ";
    let answer = folder.run(&format!("{line}=max(egg.a,3)+t,=egg.b,joint.fit.rms"));
    let lines: Vec<&str> = answer.out.lines().collect();
    assert_eq!(lines[0], "time,\"=max(egg.a,3)+t\",=egg.b,joint.fit.rms");
    assert!(lines[1].starts_with("0,3,1,"), "{}", lines[1]);
    answer.fine();
    folder
        .run(&format!("{line}=egg.bb"))
        .refuses(1, "column =egg.bb: \"egg.bb\" is not known");
    folder
        .run(&format!("{line}=[egg.a,1]"))
        .refuses(1, "is a vector, but a column is a number");
}
