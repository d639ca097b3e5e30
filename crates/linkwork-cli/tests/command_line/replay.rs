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
        session.apply(&serde_json::from_str(line).unwrap()).unwrap();
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
        .refuses(2, "no.jsonl: ");
}
