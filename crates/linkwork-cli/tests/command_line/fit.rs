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
    folder.run("fit four-bar").refuses(3, "uses a table");
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

/// Bodies follow markers: centers of joints are found, and a table has poses, turns and errors of each frame.
#[test]
fn an_arm_follows_markers_frame_by_frame() {
    let folder = Folder::new("fit-arm");
    let centers = "--centers shoulder --centers elbow --centers wrist";
    let command = format!("fit arm {centers} --csv poses.csv -o last.json --report json");
    let report = folder.run(&command).json();
    assert_eq!(report["frames"], 31);
    assert_eq!(report["unsettled"], 0);
    assert!(report["position_error"].as_f64().unwrap() < 1e-12);
    for own in report["pulls"].as_array().unwrap() {
        assert!(own["rms"].as_f64().unwrap() < 2.2e-3, "{own}");
    }
    let poses = folder.read("poses.csv");
    let lines: Vec<&str> = poses.lines().collect();
    assert_eq!(lines.len(), 32);
    let names: Vec<&str> = lines[0].split(',').collect();
    for name in [
        "time",
        "forearm.x",
        "hand.qw",
        "elbow.turn",
        "markers of hand.rms",
    ] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    assert!(
        lines[1..]
            .iter()
            .all(|own| own.split(',').count() == names.len())
    );
    folder.run("check last.json").fine();
}

#[test]
fn a_cloud_is_read_searched_and_refused_in_words() {
    let folder = Folder::new("fit-cloud");
    let shape = r#"{ "linkwork": 1, "world": { "dynamics": "first-order" },
        "bodies": [ { "name": "egg", "type": "superquadric", "a": [1, 1, 1], "mass": 1, "free": { "size": {} } } ],
        "joints": [ { "name": "pull", "type": "points", "body": "egg", "for": "cloud" } ] }"#;
    folder.write("shape.json", shape);
    let mut text = String::new();
    for k in 0..200 {
        let (u, v) = (
            (2.0 * (f64::from(k) + 0.5) / 200.0 - 1.0).asin(),
            2.4 * f64::from(k),
        );
        let (x, y, z) = (u.cos() * v.cos(), u.cos() * v.sin(), u.sin());
        text += &format!("{} {} {}\n", 200.0 * x, 300.0 * y, 500.0 * z + 40.0);
    }
    folder.write("cloud.xyz", &text);
    let scaled = "--set joints.pull.scale=0.001";
    let command = format!("fit shape.json cloud.xyz --search --csv - {scaled}");
    let answer = folder.run(&command);
    let lines: Vec<&str> = answer.out.lines().collect();
    let at = lines[0].split(',').position(|own| own == "egg.a1").unwrap();
    let row: Vec<f64> = lines[1]
        .split(',')
        .map(|own| own.parse().unwrap())
        .collect();
    let mut sizes = row[at..at + 3].to_vec();
    sizes.sort_by(f64::total_cmp);
    assert!(
        (sizes[0] - 0.2).abs() < 1e-6 && (sizes[2] - 0.5).abs() < 1e-6,
        "{sizes:?}"
    );
    let head = "ply\nformat ascii 1.0\nelement vertex 1000000\nproperty float x\nproperty float y\nproperty float z\nend_header\n";
    folder.write("cloud.ply", head);
    folder.run("fit shape.json cloud.ply").refuses(
        2,
        "cloud.ply: has 1000000 rows, more than the 100000 of one table",
    );
    folder.write("markers.trc", "PathFileType\t4\nDataRate\tUnits\n100\tinch\nFrame#\tTime\tA\n\t\tX1\tY1\tZ1\n1\t0\t1\t2\t3\n");
    folder
        .run("fit shape.json markers.trc")
        .refuses(2, "markers.trc:3:5: the unit \"inch\" is not known");
    folder.write("text.csv", "x,y\n1,2\n");
    folder
        .run("fit shape.json text.csv")
        .refuses(2, "\"cloud\" has no points");
}
