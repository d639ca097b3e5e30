//! `linkwork run --replay`.

use linkwork_scene::command::Session;

use crate::folder::Folder;

/// A session in which somebody pulls at a four-bar.
fn session() -> Session {
    let scene = linkwork_scene::library::open("four-bar").unwrap();
    let mut session = Session::new(scene).unwrap();
    for line in [
        r#"{"step": {"dt": 0.01, "count": 20}}"#,
        r#"{"grab": {"name": "hand", "held": {"body": "coupler"}, "drag": {"type": "follow"}}}"#,
        r#"{"drag": {"hand": "hand", "goal": [2, 1, 0]}}"#,
        r#"{"step": {"dt": 0.01, "count": 30}}"#,
        r#"{"release": "hand"}"#,
        r#"{"step": {}}"#,
    ] {
        session.apply(&line.parse().unwrap()).unwrap();
    }
    session
}

#[test]
fn a_log_is_done_again_to_the_last_bit() {
    let folder = Folder::new("replay");
    let session = session();
    folder.write("log.jsonl", session.to_log().unwrap());
    let hash = format!("{:016x}", session.scene().world.state_hash());
    for line in ["run --replay log.jsonl", "run four-bar --replay log.jsonl"] {
        let report = folder.run(&format!("{line} --report json")).json();
        assert_eq!(report["state_hash"], hash.as_str());
        assert_eq!(report["steps"], 51);
    }
    // Every step has its row, and the run may go on.
    let csv = folder
        .run("run --replay log.jsonl --csv - --columns time")
        .fine();
    assert_eq!(csv.lines().count(), 1 + 1 + 51);
    let on = folder
        .run("run --replay log.jsonl --seconds 1 --report json")
        .json();
    assert_eq!(on["steps"], 51 + 60);
}

/// A log has its own steps, and the report tells of those.
#[test]
fn the_report_has_the_steps_of_the_log() {
    let folder = Folder::new("replay-steps");
    let step = |dt: &str| format!("{{\"step\": {{\"dt\": {dt}, \"count\": 5}}}}\n");
    folder.write("same.jsonl", step("0.01").repeat(2));
    folder.write("various.jsonl", step("0.01") + &step("0.02"));
    let said = folder.run("run four-bar --replay same.jsonl").err;
    assert!(
        said.contains("10 steps of 0.01 s, 0.1 s advanced"),
        "{said}"
    );
    let said = folder.run("run four-bar --replay various.jsonl").err;
    assert!(said.contains("10 steps of various lengths"), "{said}");
    let report = folder.run("run four-bar --replay various.jsonl --report json");
    assert_eq!(report.json()["dt"], serde_json::Value::Null);
    let on = folder.run("run four-bar --replay same.jsonl --seconds 0.1 --dt 0.01 --report json");
    assert_eq!(on.json()["dt"], 0.01);
}

#[test]
fn a_log_may_come_in_and_its_scene_may_be_passed_over() {
    let folder = Folder::new("replay-input");
    let log = session().to_log().unwrap();
    let report = folder.run_with("run --replay - --report json", &log).json();
    assert_eq!(report["steps"], 51);
    let said = folder.run_with("run four-bar --replay -", &log).err;
    let note = "note: standard input has a scene too, which is ignored: its commands are applied \
                to four-bar\n";
    assert!(said.starts_with(note), "{said}");
    let quiet = folder.run_with("run four-bar --replay - --quiet", &log).err;
    assert_eq!(quiet, "");
    folder
        .run_with("run - --replay -", &log)
        .refuses(1, "both read standard input");
}

/// Columns of what comes later are there from the first row on, and empty until then.
#[test]
fn what_a_log_adds_and_takes_away_has_columns() {
    let folder = Folder::new("replay-columns");
    let body = r#"{"add_body": {"name": "ball", "type": "sphere", "radius": 0.1, "mass": 1}}"#;
    let log = [
        r#"{"step": {}}"#,
        body,
        r#"{"step": {}}"#,
        r#"{"remove_body": "ball"}"#,
        r#"{"step": {}}"#,
    ];
    folder.write("log.jsonl", log.join("\n"));
    let run = "run four-bar --replay log.jsonl --csv - --columns";
    let csv = folder.run(&format!("{run} body.ball.position.y")).fine();
    let cells: Vec<bool> = csv
        .lines()
        .skip(1)
        .map(|line| {
            line.split(',')
                .nth(1)
                .unwrap()
                .parse()
                .is_ok_and(f64::is_finite)
        })
        .collect();
    assert_eq!(cells, [false, false, true, false], "{csv}");
    let all = folder.run(&format!("{run} body.*.position.y")).fine();
    let header = all.lines().next().unwrap();
    assert!(header.ends_with("body.ball.position.y"), "{header}");
    folder
        .run(&format!("{run} body.bal.position"))
        .refuses(1, "no body is called \"bal\"");
}

#[test]
fn logs_that_do_not_fit_are_refused() {
    let folder = Folder::new("replay-wrong");
    let log = session().to_log().unwrap();
    folder.write("log.jsonl", log.replace("\"count\":30", "\"count\":31"));
    folder
        .run("run --replay log.jsonl")
        .refuses(3, "log.jsonl:8:1: hash: the state's hash is");
    folder.write(
        "log.jsonl",
        log.replace("{\"release\":\"hand\"}", "{\"release\":\"hnad\"}"),
    );
    folder.run("run --replay log.jsonl").refuses(
        2,
        "log.jsonl:6:1: release: no hand is called \"hnad\"\n  hint: did you mean \"hand\"?",
    );
    folder.write("log.jsonl", log.replace("release", "relase"));
    folder
        .run("run --replay log.jsonl")
        .refuses(2, "log.jsonl:6:");
    folder.write(
        "log.jsonl",
        log.lines().skip(1).collect::<Vec<_>>().join("\n"),
    );
    folder
        .run("run --replay log.jsonl")
        .refuses(2, "does not begin with a scene");
    folder.run("run four-bar --replay log.jsonl").fine();
    folder
        .run("run four-bar --replay no.jsonl")
        .refuses(2, "no.jsonl: no such file\n");
    let step = |step: &str| format!("{{\"step\": {{}}}}\n{{\"step\": {step}}}\n");
    folder.write("log.jsonl", step(r#"{"count": 1000001}"#));
    folder.run("run four-bar --replay log.jsonl").refuses(
        2,
        "log.jsonl:2:1: step.count: is 1000001, more than the 1000000",
    );
    folder.write("log.jsonl", step(r#"{"dt": -1}"#));
    folder
        .run("run four-bar --replay log.jsonl")
        .refuses(3, "log.jsonl:2:1: step.dt: is -1");
    let scene = log.lines().next().unwrap();
    folder.write("log.jsonl", format!("{log}{scene}\n"));
    folder.run("run --replay log.jsonl").refuses(
        2,
        "log.jsonl:9:1: scene: a log has one scene, in its first line",
    );
}
