//! `linkwork run`.

use crate::folder::{FOUR_BAR, Folder, torn};

#[test]
fn ten_seconds_at_a_millisecond_are_ten_thousand_steps() {
    let folder = Folder::new("run-steps");
    let steps = |line: &str| folder.run(&format!("{line} --report json")).json()["steps"].clone();
    assert_eq!(steps("run chain:2 --seconds 10 --dt 0.001"), 10_000);
    assert_eq!(steps("run chain:2 --seconds 0.3 --dt 0.1"), 3);
    assert_eq!(steps("run chain:2 --seconds 1 --dt 1/60"), 60);
    assert_eq!(steps("run chain:2 --seconds 0.25 --dt 0.1"), 3);
    assert_eq!(steps("run chain:2 --seconds 0"), 0);
    assert_eq!(steps("run chain:2"), 300);
    let short = folder.run("run chain:2 --seconds 0.25 --dt 0.1 --csv - --columns time");
    let times = short.fine();
    let last: f64 = times.lines().last().unwrap().parse().unwrap();
    assert_eq!(last, 0.25);
    // However many steps were added up.
    let twentieths = folder.run("run chain:2 --seconds 1 --dt 0.05 --csv - --columns time");
    let twentieths = twentieths.fine();
    let times: Vec<&str> = twentieths.lines().skip(1).collect();
    let expected: Vec<String> = (0..=20)
        .map(|k| format!("{}", f64::from(k) / 20.0))
        .collect();
    assert_eq!(times, expected);
}

/// Turns between two rows are counted too: the second arm of this pendulum whirls round and back.
#[test]
fn angles_are_the_same_however_few_rows_are_written() {
    let folder = Folder::new("run-angles");
    let arm = |name, from, to, spin| {
        format!(
            "{{ \"name\": \"{name}\", \"type\": \"rod\", \"from\": [{from}, 0, 0], \"to\": [{to}, 0, 0], \"radius\": 0.005, \
             \"density\": 1000, \"angular_velocity\": [0, 0, {spin}] }}"
        )
    };
    let hinge = |name, a, b, at| {
        format!(
            "{{ \"name\": \"{name}\", \"type\": \"hinge\", \"a\": \"{a}\", \"b\": \"{b}\", \"at\": [{at}, 0, 0], \"axis\": [0, 0, 1] }}"
        )
    };
    let bodies = [arm("upper", 0.0, 0.1, 25), arm("lower", 0.1, 0.2, 0)].join(", ");
    let joints = [
        hinge("A", "ground", "upper", 0.0),
        hinge("B", "upper", "lower", 0.1),
    ];
    let joints = joints.join(", ");
    folder.write(
        "mine.json",
        format!(
            "{{ \"linkwork\": 1, \"world\": {{ \"gravity\": [0, -9.81, 0] }}, \"bodies\": [{bodies}], \"joints\": [{joints}] }}"
        ),
    );
    let last = |rows: &str| {
        let line = "run mine.json --seconds 5 --dt 0.01 --columns time,joint.A.angle,joint.B.angle";
        let table = folder.run(&format!("{line} {rows} --csv -")).fine();
        table.lines().last().unwrap().to_owned()
    };
    let all = last("--every 1");
    for rows in ["--every 10", "--every 25", "--every 100", "--fps 2"] {
        assert_eq!(last(rows), all, "{rows}");
    }
}

#[test]
fn rows_come_as_often_as_asked() {
    let folder = Folder::new("run-rows");
    let rows = |line: &str| {
        let table = folder.run(&format!(
            "run chain:2 --seconds 1 --dt 0.001 --csv - {line}"
        ));
        table.fine().lines().count() - 1
    };
    assert_eq!(rows(""), 1001);
    assert_eq!(rows("--every 10"), 101);
    assert_eq!(rows("--fps 60"), 61);
}

#[test]
fn the_standard_output_has_what_was_asked_for() {
    let folder = Folder::new("run-pure");
    let answer = folder.run("run chain:2 --csv -");
    assert!(answer.err.contains("300 steps"), "{}", answer.err);
    assert!(answer.out.starts_with("time,"));
    assert!(answer.out.lines().skip(1).all(|line| {
        line.split(',')
            .all(|cell| cell.is_empty() || cell.parse::<f64>().is_ok())
    }));
    let answer = folder.run("run chain:2 --csv a.csv");
    assert_eq!((answer.code, answer.out.as_str()), (0, ""));
    let quiet = folder.run("run chain:2 --csv a.csv --quiet");
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
    let report = folder.run("run chain:2 --report json");
    assert_eq!(report.err, "");
    report.json();
}

#[test]
fn the_report_has_stable_keys() {
    let folder = Folder::new("run-report");
    let report = folder.run("run four-bar --report json").json();
    let keys: Vec<&str> = report
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        keys,
        [
            "apart",
            "begun",
            "blows",
            "dt",
            "effort",
            "energy",
            "events",
            "gave_way",
            "interrupted",
            "last_resorts",
            "law_error",
            "measures",
            "method",
            "open",
            "overrun",
            "preset",
            "refused",
            "rungs",
            "scene",
            "state_hash",
            "steps",
            "steps_open",
            "steps_retaken",
            "steps_spent",
            "steps_starved",
            "steps_unlawful",
            "stiffest",
            "substeps",
            "time",
            "time_advanced",
            "undetermined",
            "wall_seconds",
            "warnings",
            "worst_closure"
        ]
    );
    assert_eq!(report["preset"], "interactive");
    assert_eq!(report["rungs"][0]["rung"], "whole");
    assert_eq!(report["rungs"][0]["cause"], "regular");
    assert!(report["worst_closure"]["position"].as_f64().unwrap() < 2e-9);
    assert_eq!(report["state_hash"].as_str().unwrap().len(), 16);
}

#[test]
fn plots_and_motion_are_written() {
    let folder = Folder::new("run-pictures");
    folder.write("mine.json", FOUR_BAR);
    folder
        .run("run mine.json --plot forces.svg --plot-columns joint.*.force.magnitude --gltf motion.glb")
        .fine();
    let svg = folder.read("forces.svg");
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("my four-bar") && svg.contains("joint.A.force"));
    let glb = std::fs::read(folder.path("motion.glb")).unwrap();
    assert_eq!(&glb[..4], b"glTF");
    // Energy, when nothing is asked for; the standard output is a file too.
    assert!(
        folder
            .run("run mine.json --plot -")
            .fine()
            .contains("energy.total")
    );
}

/// A curve of a coupler: one column against another.
#[test]
fn a_column_may_be_plotted_against_another() {
    let folder = Folder::new("run-against");
    let line = "run four-bar --seconds 1 --plot a.svg --plot-columns body.coupler.position.y";
    folder
        .run(&format!("{line} --plot-x body.coupler.position.x"))
        .fine();
    let svg = folder.read("a.svg");
    assert!(svg.contains(">body.coupler.position.x (m)<"), "{svg}");
    assert!(!svg.contains("time"), "{svg}");
    folder
        .run(&format!("{line} --plot-x body.coupler.position"))
        .refuses(1, "stands for 3 columns");
    folder
        .run(&format!("{line} --plot-x body.copler.position.x"))
        .refuses(1, "did you mean \"coupler\"?");
}

/// Extremes, mean and integral are those of the table with every step.
#[test]
fn columns_are_measured() {
    let folder = Folder::new("run-measure");
    folder.write("mine.json", FOUR_BAR);
    let column = "body.rocker.position.x";
    let line = format!("run mine.json --seconds 1 --dt 0.01 --columns {column} --csv a.csv");
    let report = format!("{line} --every 7 --measure {column},{column}:at=0.255 --report json");
    let report = folder.run(&report).json();
    folder.run(&line).fine();
    let csv = folder.read("a.csv");
    let rows = csv.lines().skip(1).map(|row| {
        let mut cells = row.split(',').map(|cell| cell.parse::<f64>().unwrap());
        (cells.next().unwrap(), cells.next().unwrap())
    });
    let rows: Vec<(f64, f64)> = rows.collect();
    let measured = |at: usize, key: &str| report["measures"][at][key].as_f64().unwrap();
    let max = rows
        .iter()
        .copied()
        .fold((0.0, f64::MIN), |a, b| if b.1 > a.1 { b } else { a });
    assert_eq!((measured(1, "time"), measured(1, "value")), max);
    let min = rows.iter().map(|row| row.1).fold(f64::MAX, f64::min);
    assert_eq!(measured(0, "value"), min);
    let integral: f64 = rows
        .windows(2)
        .map(|pair| 0.5 * (pair[0].1 + pair[1].1) * (pair[1].0 - pair[0].0))
        .sum();
    assert!(
        (measured(2, "value") - integral).abs() < 1e-12,
        "mean over one second"
    );
    assert!((measured(3, "value") - integral).abs() < 1e-12);
    assert_eq!(report["measures"][3]["unit"], "m·s");
    assert_eq!(measured(4, "value"), rows[100].1);
    let between = 0.5 * (rows[25].1 + rows[26].1);
    assert!((measured(5, "value") - between).abs() < 1e-12);
    let words = folder
        .run("run mine.json --seconds 1 --measure energy.total:max")
        .err;
    assert!(words.contains("measured   energy.total: max "), "{words}");
    assert!(words.contains(" sub-steps, "), "{words}");
    folder
        .run("run mine.json --measure energy.total:most")
        .refuses(1, "nothing is called \"most\"");
}

#[test]
fn columns_are_listed() {
    let folder = Folder::new("run-columns");
    let list = folder.run("run four-bar --list-columns").fine();
    assert!(list.lines().any(|line| line.starts_with("joint.A.force ")));
    let json = folder
        .run("run four-bar --list-columns --report json")
        .json();
    assert_eq!(json[0]["name"], "time");
    assert_eq!(json[0]["unit"], "s");
}

#[test]
fn joints_that_must_be_closed_are() {
    let folder = Folder::new("run-require");
    folder.run("run four-bar --require 1e-6").fine();
    folder
        .run("run four-bar --require on")
        .refuses(1, "\"on\" is not a number, or off");
    let drifting = "run four-bar --integrator euler --stabilization none --require 1e-6";
    folder
        .run(&format!("{drifting} --csv drift.csv"))
        .refuses(3, "is open by");
    assert!(folder.files().is_empty());
    // What cannot close says where.
    folder.write("torn.json", torn("3"));
    let answer = folder.run("run torn.json --require 1e-3");
    assert!(!answer.err.contains("--dt"), "{}", answer.err);
    assert!(answer.err.contains("priority"), "{}", answer.err);
    answer.refuses(3, "no pose closes them all: \"");
}

/// What cannot close is told at once, not at the end.
#[test]
fn a_drive_out_of_reach_is_told_at_once() {
    let folder = Folder::new("run-reach");
    let drive = r#""joints": [
    { "name": "leg", "type": "distance-drive", "a": "ground", "b": "rocker",
      "function": { "type": "ramp", "start": 0.4, "rate": 0.5 } },"#;
    let far = FOUR_BAR.replacen(r#""joints": ["#, drive, 1);
    folder.write("far.json", far);
    let answer = folder.run("run far.json --seconds 100 --csv a.csv");
    assert!(answer.err.contains("--require off"), "{}", answer.err);
    assert!(
        answer.err.contains("contradict each other"),
        "{}",
        answer.err
    );
    assert!(answer.err.contains(" m, more than 1e-6"), "{}", answer.err);
    answer.refuses(3, " is open by ");
    assert_eq!(folder.files(), ["far.json"]);
}

/// Who asks for a scheme that drifts, or for few iterations, gets what it leaves open.
#[test]
fn what_drifts_as_asked_runs_to_its_end() {
    let folder = Folder::new("run-drifts");
    for line in [
        "run four-bar --integrator euler --stabilization none --seconds 1",
        "run ladder3:3,2 --method forest-krylov --iterations 1 --seconds 1",
        "run ladder3:3,2 --method normal-cg --solve-iterations 2 --iterations 4 --seconds 1",
        "run four-bar --integrator rk4 --stabilization baumgarte --seconds 1",
        "run four-bar --integrator rk4 --stabilization feedback --seconds 1",
    ] {
        let answer = folder.run(&format!("{line} --csv a.csv"));
        assert!(!answer.err.contains("--require"), "{}", answer.err);
        assert_eq!(folder.read("a.csv").lines().count(), 1 + 1 + 60);
    }
}

#[test]
fn iterations_of_a_solve_are_a_matter_of_methods_that_iterate() {
    let folder = Folder::new("run-solve-iterations");
    folder
        .run("run four-bar --solve-iterations 5")
        .refuses(1, "the method \"direct\" does not iterate");
    let one = "run four-bar --method normal-cg --seconds 0.1 --solve-iterations 20 --save end.json";
    folder.run(one).fine();
    assert!(folder.read("end.json").contains("\"solve_iterations\": 20"));
}

/// The solver of contacts is chosen by its word, saved with the scene, and leaves what does not touch as it is.
#[test]
fn contacts_are_solved_as_asked() {
    let folder = Folder::new("run-contact-solver");
    let line = "run cradle --seconds 1 --contact-solver pivoting --save end.json";
    folder.run(line).fine();
    let saved = folder.read("end.json");
    assert!(saved.contains("\"contact_solver\": \"pivoting\""));
    folder.run("run end.json --seconds 0.1").fine();
    folder
        .run("run cradle --contact-solver lemke")
        .refuses(1, "newton");
}

/// Files are written whole; the summary and the exit code say that joints did not close.
#[test]
fn joints_that_cannot_close_are_an_error_at_the_end() {
    let folder = Folder::new("run-contradiction");
    folder.write("torn.json", torn("3"));
    let line = "run torn.json --require off --seconds 0.2";
    let answer = folder.run(&format!("{line} --csv a.csv --save end.json"));
    assert_eq!(answer.code, 3, "{}", answer.err);
    let warning = answer.err.lines().next().unwrap();
    assert!(
        warning.starts_with("warning: a joint is open: \"D\" by "),
        "{warning}"
    );
    assert!(warning.contains("contradict each other"), "{warning}");
    assert!(!answer.err.contains("linkwork assemble"), "{}", answer.err);
    assert!(answer.err.contains("at the end open: \""), "{}", answer.err);
    assert!(
        answer
            .err
            .contains("error: my four-bar: open at the end: \""),
        "{}",
        answer.err
    );
    assert_eq!(folder.files(), ["a.csv", "end.json", "torn.json"]);
    assert_eq!(folder.read("a.csv").lines().count(), 1 + 1 + 12);
    let quiet = folder.run(&format!("{line} --quiet"));
    assert!(quiet.err.starts_with("error: "), "{}", quiet.err);
    let json = folder.run(&format!("{line} --report json"));
    assert_eq!(json.code, 3);
    let report: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert!(
        report["open"][0]["position"].as_f64().unwrap() > 0.1,
        "{report}"
    );
    // What the first step closes is closed at the end.
    folder.write("torn.json", torn("0.45"));
    folder.run("run torn.json --seconds 0.5").fine();
}

/// Where most sub-steps were damped, the report says what that means and what to do.
#[test]
fn a_run_that_was_mostly_damped_says_so() {
    let folder = Folder::new("run-damped");
    let torn = "run three-characters-torn --seconds 0.2";
    let words = folder.run(torn).err;
    let last = words.lines().rev().nth(1).unwrap();
    assert!(last.starts_with("warning: "), "{words}");
    assert!(last.contains("sub-steps were damped"), "{words}");
    assert!(last.contains("loses energy"), "{words}");
    assert!(words.contains("hint: a shorter --dt"), "{words}");
    let report = folder.run(&format!("{torn} --report json")).json();
    assert_eq!(report["warnings"][0]["kind"], "damped");
    let whole = folder.run("run four-bar --report json").json();
    assert_eq!(whole["warnings"].as_array().unwrap().len(), 0);
}

/// The first step closes what is open, with a jerk that nobody should wonder about.
#[test]
fn joints_that_start_open_are_told() {
    let folder = Folder::new("run-open");
    folder.write("torn.json", torn("0.45"));
    let answer = folder.run("run torn.json --seconds 1");
    assert!(
        answer
            .err
            .starts_with("warning: a joint is open: \"D\" by 0.05 m"),
        "{}",
        answer.err
    );
    assert_eq!(folder.run("run torn.json --quiet").err, "");
}

#[test]
fn standard_input_is_a_scene() {
    let folder = Folder::new("run-stdin");
    let report = folder
        .run_with("run - --seconds 1 --report json", FOUR_BAR)
        .json();
    assert_eq!(report["scene"], "my four-bar");
    // As some editors write it.
    folder
        .run_with("run - --seconds 0", format!("\u{feff}{FOUR_BAR}"))
        .fine();
}

/// A path that exists wins over a name of the library.
#[test]
fn files_win_over_names() {
    let folder = Folder::new("run-wins");
    folder.write("four-bar", FOUR_BAR);
    let report = folder.run("run four-bar --seconds 0 --report json").json();
    assert_eq!(report["scene"], "my four-bar");
}

/// The last hinge of a four-bar in space repeats rows of the others: how they share what is across the plane is
/// nobody's to say. What is in the plane, and the torque that drives it, is certain.
#[test]
fn forces_that_are_only_shares_are_named() {
    let folder = Folder::new("run-shares");
    let hinge = r#""b": "crank", "at": [0, 0, 0], "axis": [0, 0, 1]"#;
    let drive = format!(r#"{hinge}, "drive": {{ "type": "ramp", "rate_deg": 360 }}"#);
    folder.write("mine.json", FOUR_BAR.replacen(hinge, &drive, 1));
    let run = |columns: &str| {
        let line =
            format!("run mine.json --seconds 0.1 --csv t.csv --jsonl t.jsonl --columns {columns}");
        folder.run(&format!("{line} --report json")).json()["undetermined"].clone()
    };
    let certain = "joint.A.motor,joint.*.force.x,joint.*.force.y,joint.*.torque.z,joint.*.power,joint.A.angle";
    assert_eq!(run(certain), serde_json::json!([]));
    assert!(!folder.read("t.csv").contains("undetermined"));
    // About a point beside the plane's normal, a force in the plane has no torque along x but what is shared.
    let shares = run("joint.A.force,joint.D.torque,joint.A.about.origin.z,joint.B.force.magnitude");
    let names = [
        "joint.A.force.z",
        "joint.D.torque.x",
        "joint.D.torque.y",
        "joint.B.force.magnitude",
    ];
    assert_eq!(shares, serde_json::json!(names));
    // Tables say so themselves: a column for each, behind all others.
    let table = folder.read("t.csv");
    let flags: Vec<String> = names
        .iter()
        .map(|own| format!("{own}.undetermined"))
        .collect();
    let mut lines = table.lines();
    assert!(lines.next().unwrap().ends_with(&flags.join(",")), "{table}");
    assert!(lines.all(|line| line.ends_with(",1,1,1,1")), "{table}");
    let row = folder.read("t.jsonl");
    let row: serde_json::Value = serde_json::from_str(row.lines().next().unwrap()).unwrap();
    assert_eq!(row["joint.A.force.z.undetermined"], 1.0);
    // So do the words of a run, and the rows of a sweep.
    let words = folder
        .run("run mine.json --seconds 0.1 --measure joint.A.force.z:last")
        .err;
    assert!(
        words.contains("undetermined: joint.A.force.z: several joints share this load"),
        "{words}"
    );
    let sweep = "sweep mine.json --over world.gravity.1=-1,-9 --seconds 0.1 --measure";
    let table = folder.run(&format!("{sweep} joint.A.force.z:last")).fine();
    assert!(
        table
            .lines()
            .skip(1)
            .all(|row| row.contains(",shares,joint.A.force.z: several joints share")),
        "{table}"
    );
    let table = folder
        .run(&format!(
            "{sweep} joint.A.force.x:last,joint.A.motor.torque:max"
        ))
        .fine();
    assert!(
        table.lines().skip(1).all(|row| row.ends_with(",ok,")),
        "{table}"
    );
    let chain =
        folder.run("run chain:2 --seconds 0.1 --csv c.csv --columns joint.*.force --report json");
    assert_eq!(chain.json()["undetermined"], serde_json::json!([]));
}

/// What is listed, what a beginning stands for and what can be asked for are the same columns.
#[test]
fn the_list_of_columns_is_what_there_is() {
    let folder = Folder::new("run-columns");
    let trace = r#""traces": [{ "name": "tip", "of": { "body": "rocker" } }], "joints": ["#;
    folder.write("mine.json", FOUR_BAR.replacen(r#""joints": ["#, trace, 1));
    let header = |columns: &str| {
        let table = folder.run(&format!(
            "run mine.json --seconds 0 --csv - --columns {columns}"
        ));
        let table = table.fine();
        let names = table.lines().next().unwrap().split(',').skip(1);
        let names = names.filter(|own| !own.ends_with(".undetermined"));
        names.map(str::to_owned).collect::<Vec<String>>()
    };
    let list = folder
        .run("run mine.json --list-columns --report json")
        .json();
    let list: Vec<&str> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|own| own["name"].as_str().unwrap())
        .collect();
    for name in [
        "joint.D.about.tip",
        "joint.D.about.origin",
        "joint.D.on_first.force",
    ] {
        assert!(list.contains(&name), "{name}");
    }
    let of_joint: Vec<&str> = list
        .iter()
        .copied()
        .filter(|own| own.starts_with("joint.D."))
        .collect();
    assert_eq!(header("joint.D"), header(&of_joint.join(",")));
    assert_eq!(
        header("joint.D.about"),
        header("joint.D.about.origin,joint.D.about.tip")
    );
    // A whole name stands for itself.
    assert_eq!(header("joint.D.force").len(), 3);
    folder
        .run("run mine.json --seconds 0 --csv - --columns angle")
        .refuses(
            1,
            "did you mean joint.A.angle, joint.B.angle, joint.C.angle, joint.D.angle?",
        );
    // A word that no name has is looked for in what the columns are.
    folder
        .run("run mine.json --seconds 0 --csv - --columns distance")
        .refuses(
            1,
            "did you mean step.position_error, joint.A.error, joint.B.error, joint.C.error or 1 more?",
        );
    // The second of three wheels has its torque too.
    let wheel = |name: &str, x: f64| {
        format!(
            r#"{{ "name": "{name}", "type": "sphere", "radius": 0.1, "mass": 1, "position": [{x}, 0, 0] }}"#
        )
    };
    let hinge = |name: &str, x: f64, more: &str| {
        format!(
            r#"{{ "name": "h{name}", "type": "hinge", "a": "ground", "b": "{name}", "at": [{x}, 0, 0], "axis": [0, 0, 1]{more} }}"#
        )
    };
    let gears = format!(
        r#"{{ "linkwork": 1, "bodies": [{}, {}], "joints": [{}, {}, {{ "name": "mesh", "type": "gear",
        "connectors": ["u", "v", "ground"], "axis": [0, 0, 1], "coefficients": [20, 60] }}] }}"#,
        wheel("u", 0.0),
        wheel("v", 0.4),
        hinge("u", 0.0, r#", "motor": { "torque": 2 }"#),
        hinge("v", 0.4, "")
    );
    folder.write("gears.json", gears);
    let torques = "--columns joint.mesh.on_first.torque.z,joint.mesh.on_middle.torque.z";
    let table = folder
        .run(&format!("run gears.json --seconds 0 --csv - {torques}"))
        .fine();
    let row = table.lines().nth(1).unwrap().split(',').skip(1);
    let row: Vec<f64> = row.map(|own| own.parse().unwrap()).collect();
    assert!(
        row[0].abs() > 0.1 && (row[1] - 3.0 * row[0]).abs() < 1e-9,
        "{row:?}"
    );
}

/// Reports round times as tables do.
#[test]
fn the_time_of_a_report_is_that_of_the_tables() {
    let folder = Folder::new("run-time");
    let report = folder.run("run four-bar --dt 0.1 --seconds 0.3 --report json");
    assert!(report.fine().contains("\"time\": 0.3,"));
}

/// A limit that a weld keeps from being met is open at the end, in words and in the exit code.
#[test]
fn a_limit_that_cannot_hold_is_told() {
    let folder = Folder::new("run-limit");
    folder.write(
        "stop.json",
        r#"{ "linkwork": 1, "bodies": [ { "name": "bar", "type": "rod", "length": 1, "radius": 0.02, "mass": 1 } ], "joints": [
            { "name": "weld", "type": "weld", "a": "ground", "b": "bar", "at": [0, 0, 0] },
            { "name": "stop", "type": "angle-limit", "a": "ground", "b": "bar", "at": [0, 0, 0], "axis": [0, 0, 1], "lower": 0.5 } ] }"#,
    );
    folder
        .run("run stop.json --seconds 0.1")
        .refuses(3, "\"stop\" by 28.6 degrees");
}

/// A ball falls on a floor and a bar on its stop: who touched whom and when is a table.
#[test]
fn what_begins_and_ends_is_a_table() {
    let folder = Folder::new("run-events");
    folder.write(
        "drop.json",
        r#"{ "linkwork": 1, "world": { "gravity": [0, -9.81, 0], "floor": 0 },
  "bodies": [ { "name": "ball, red", "type": "sphere", "radius": 0.1, "mass": 1, "position": [0, 0.5, 0], "collide": true, "restitution": 0.5 },
    { "name": "bar", "type": "rod", "from": [2, 1, 0], "to": [3, 1, 0], "radius": 0.02, "mass": 1 } ],
  "joints": [ { "name": "hinge", "type": "hinge", "a": "ground", "b": "bar", "at": [2, 1, 0], "axis": [0, 0, 1],
    "limits": { "lower_deg": -20 } } ] }"#,
    );
    let report = folder
        .run("run drop.json -s 3 --events events.csv --report json")
        .json();
    let events = folder.read("events.csv");
    let mut lines = events.lines();
    assert_eq!(lines.next(), Some("time,event,first,second"));
    let touches = events.matches("touch begins,ground,\"ball, red\"").count();
    let ends = events.matches("touch ends").count();
    assert!(touches > 0 && touches == ends + 1, "{events}");
    assert!(events.contains("stop begins,hinge limits,"), "{events}");
    assert_eq!(report["begun"]["touches"].as_u64(), Some(touches as u64));
    let answer = folder.run("run drop.json -s 3 --measure contact.ground.*.force.y:last");
    assert!(answer.err.contains("began"), "{}", answer.err);
    assert!(answer.err.contains("9.81"), "{}", answer.err);
}

/// A ball rolls through a gate: when it came and went is in the table and the report, and a column counts it.
#[test]
fn what_is_in_a_sensor_is_told() {
    let folder = Folder::new("run-sensor");
    folder.write(
        "gate.json",
        r#"{ "linkwork": 1, "world": { "gravity": [0, -9.81, 0], "floor": 0 },
  "bodies": [ { "name": "ball", "type": "sphere", "radius": 0.1, "mass": 1, "position": [0, 0.1, 0],
      "velocity": [1, 0, 0], "angular_velocity": [0, 0, -10], "collide": true },
    { "name": "gate", "type": "kinematic", "position": [1, 0.3, 0], "motion": { "type": "fixed" },
      "collide": true, "sensor": true, "shapes": [ { "type": "box", "size": [0.2, 0.4, 0.4] } ] } ] }"#,
    );
    let report = folder
        .run("run gate.json -s 2 --dt 0.01 --events events.csv --csv a.csv --columns body.gate.sensor --report json")
        .json();
    let events = folder.read("events.csv");
    assert!(
        events.contains("\n0.81,inside begins,gate,ball\n"),
        "{events}"
    );
    assert!(events.contains("\n1.2,inside ends,gate,ball\n"), "{events}");
    assert_eq!(report["begun"]["entries"].as_u64(), Some(1));
    let table = folder.read("a.csv");
    assert!(
        table.starts_with("time,body.gate.sensor.count\n"),
        "{table}"
    );
    assert!(
        table.contains("\n1,1\n") && table.contains("\n2,0\n"),
        "{table}"
    );
    assert!(
        folder
            .run("run gate.json -s 1")
            .err
            .contains("1 in sensors")
    );
}

/// What cannot keep the law of contacts is written whole, and the exit code says so, unless nobody asks or one asks for
/// more.
#[test]
fn a_law_that_is_missed_is_an_exit_code() {
    let folder = Folder::new("run-law");
    // A press leaves a ball less room than it needs.
    folder.write(
        "press.json",
        r#"{ "linkwork": 1, "world": { "gravity": [0, -9.81, 0], "floor": 0 },
  "bodies": [ { "name": "ball", "type": "sphere", "radius": 0.1, "mass": 1, "position": [0, 0.1, 0], "collide": true },
    { "name": "press", "type": "kinematic", "position": [0, 0.2505, 0], "collide": true,
      "motion": { "type": "sine", "amplitude": [0, -0.001, 0], "frequency": 1 },
      "shapes": [ { "type": "box", "size": [0.5, 0.1, 0.5] } ] } ] }"#,
    );
    let answer = folder.run("run press.json -s 0.1 --csv a.csv --report json");
    let says_so = answer.err.contains("missed the law of contacts");
    assert!(answer.code == 3 && says_so, "{}", answer.err);
    let report: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    assert!(report["steps_unlawful"].as_u64().unwrap() > 0);
    assert!(report["law_error"].as_f64().unwrap() > 1e-6);
    assert!(report["warnings"].to_string().contains("\"limits\""));
    assert_eq!(folder.read("a.csv").lines().count(), 8);
    folder
        .run("run press.json -s 0.1 --csv b.csv --require 1e-4")
        .refuses(3, " s the law of contacts");
    assert!(!folder.path("b.csv").exists());
    folder.run("run press.json -s 0.1 --require off").fine();
    folder.run("run press.json -s 0.03").fine();
}

/// A formula of a column that comes to no number says why, and from when on.
#[test]
fn columns_without_a_number_are_told() {
    let folder = Folder::new("run-no-number");
    folder.write(
        "fall.json",
        r#"{ "linkwork": 1, "world": { "gravity": [0, -9.81, 0] },
             "bodies": [ { "name": "bob", "type": "particle", "mass": 1, "position": [0, 0.1, 0] } ] }"#,
    );
    let line = "run fall.json --seconds 0.5 --dt 0.1 --columns =sqrt(bob.y),=1/bob.x,=bob.y --csv out.csv --report json";
    let report = folder.run(line).json();
    let warnings = report["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(warnings[0]["kind"], "no-number");
    let names = warnings[0]["names"].as_array().unwrap();
    assert_eq!(names, &["=1/bob.x", "=sqrt(bob.y)"]);
    let text = warnings[0]["text"].as_str().unwrap();
    // 0.1 − ½·9.81·t² is below zero from 0.143 s on.
    for own in ["from 0 s on: division by 0", "from 0.2 s on: sqrt of -0.09"] {
        assert!(text.contains(own), "{text}");
    }
}
