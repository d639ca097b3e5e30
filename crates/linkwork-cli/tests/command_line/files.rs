//! Files appear whole or not at all.

use std::io::Read;
use std::process::Stdio;

use crate::folder::{FOUR_BAR, Folder};

#[test]
fn a_run_that_fails_leaves_what_was_there() {
    let folder = Folder::new("files-kept");
    for file in ["a.csv", "b.jsonl", "c.svg", "d.glb", "e.json"] {
        folder.write(file, "before");
    }
    let all = "--csv a.csv --jsonl b.jsonl --plot c.svg --gltf d.glb --save e.json";
    let drifting = "--integrator euler --stabilization none --require 1e-9";
    let failed = folder.run(&format!("run four-bar {drifting} {all}"));
    assert_eq!(failed.code, 3);
    let files = ["a.csv", "b.jsonl", "c.svg", "d.glb", "e.json"];
    assert_eq!(folder.files(), files);
    assert!(files.iter().all(|file| folder.read(file) == "before"));
    folder.run(&format!("run four-bar {all}")).fine();
    assert_eq!(folder.files(), files);
    assert!(
        ["a.csv", "c.svg", "e.json"]
            .iter()
            .all(|file| folder.read(file) != "before")
    );
}

#[test]
fn what_cannot_be_written_is_said_before_the_work() {
    let folder = Folder::new("files-unwritable");
    let huge = "run four-bar --seconds 1e6";
    folder
        .run(&format!("{huge} --csv no/such/folder/a.csv"))
        .refuses(1, "no/such/folder/a.csv");
    folder
        .run(&format!("{huge} --save ."))
        .refuses(1, "is a folder");
    folder
        .run(&format!("{huge} --csv a --jsonl a"))
        .refuses(1, "--csv and --jsonl both write to a");
    folder
        .run(&format!("{huge} --csv - --report json"))
        .refuses(1, "both write to standard output");
    assert!(folder.files().is_empty());
}

/// A disk that is full is no pipe that was closed.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = Folder::new("files-full");
    folder
        .run("run four-bar --csv /dev/full")
        .refuses(1, "/dev/full: No space left on device");
    for option in ["--jsonl", "--plot", "--gltf", "--save"] {
        folder
            .run(&format!("run four-bar --seconds 0.1 {option} /dev/full"))
            .refuses(1, "/dev/full: No space left on device");
    }
    let output = std::fs::File::options().write(true).open("/dev/full");
    let mut command = folder.command("format four-bar");
    let answer = command.stdout(output.unwrap()).output().unwrap();
    let said = String::from_utf8_lossy(&answer.stderr);
    assert!(said.contains("standard output: No space left"), "{said}");
}

/// Words that nobody can read change no result.
#[cfg(target_os = "linux")]
#[test]
fn a_standard_error_that_is_full_or_closed_is_no_error() {
    let folder = Folder::new("files-stderr");
    let full = || {
        std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap()
    };
    let code = |line: &str, err: Stdio| {
        let mut command = folder.command(line);
        let status = command.stdout(Stdio::null()).stderr(err).status().unwrap();
        status.code().unwrap()
    };
    for (line, wanted) in [
        ("run four-bar --seconds 0.1", 0),
        ("assemble four-bar", 0),
        ("check nope", 2),
        ("frobnicate", 1),
    ] {
        assert_eq!(code(line, full().into()), wanted, "{line}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(code(line, writer.into()), wanted, "{line}");
    }
}

/// `| head` has seen enough: no error, no half of a file.
#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = Folder::new("files-pipe");
    let mut command = folder.command("run four-bar --seconds 1000 --csv - --save end.json");
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut start = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    // The pipe is closed here.
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(folder.files().is_empty());
}

/// Control-C ends tables after a whole row, and says when that was.
#[cfg(unix)]
#[test]
fn an_interrupted_run_ends_its_tables() {
    let folder = Folder::new("files-interrupt");
    folder.write("a.csv", "before");
    let line = "run chain:100 --seconds 1e6 --dt 0.01 --csv a.csv --jsonl b.jsonl --save end.json";
    let mut command = folder.command(line);
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    // Its own files are there once it runs.
    while folder.files().len() < 4 {
        std::thread::yield_now();
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(folder.files(), ["a.csv", "b.jsonl", "end.json"]);
    let (csv, jsonl) = (folder.read("a.csv"), folder.read("b.jsonl"));
    let rows: Vec<&str> = csv.lines().collect();
    let n_columns = rows[0].split(',').count();
    assert!(csv.ends_with('\n') && rows.len() > 2, "{csv}");
    assert!(rows.iter().all(|row| row.split(',').count() == n_columns));
    assert_eq!(jsonl.lines().count(), rows.len() - 1);
    let last = rows[rows.len() - 1].split(',').next().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let words = format!("interrupted at {last} s, where these end: a.csv, b.jsonl, end.json\n");
    assert!(said.ends_with(&words), "{said}\n{words}");
    // The saved scene is that of the last row.
    let report = folder.run("run end.json --seconds 0 --report json").json();
    let time = report["time"].as_f64().unwrap();
    assert!((time - last.parse::<f64>().unwrap()).abs() < 1e-7);
}

/// As control-C does it.
#[cfg(unix)]
pub(crate) fn interrupt(child: &std::process::Child) {
    let id = child.id().to_string();
    let mut kill = std::process::Command::new("kill");
    kill.args(["-INT", &id]).status().unwrap();
}

/// A slip of the fingers must not cost the scene.
#[test]
fn no_output_takes_the_place_of_what_is_read() {
    let folder = Folder::new("files-inputs");
    folder.write("mine.json", FOUR_BAR);
    let table = r#""linkwork": 1, "tables": [{ "name": "data", "file": "data.csv" }],"#;
    folder.write("tabled.json", FOUR_BAR.replace(r#""linkwork": 1,"#, table));
    folder.write("data.csv", "x,y\n0,1\n1,2\n");
    folder.write("log.jsonl", "{\"step\": {\"count\": 2}}\n");
    let robot = r#"<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"#;
    folder.write("robot.urdf", robot);
    folder.write(
        "model.xml",
        r#"<mujoco><include file="part.xml"/></mujoco>"#,
    );
    let part =
        r#"<mujoco><worldbody><body><geom type="sphere" size="0.1"/></body></worldbody></mujoco>"#;
    folder.write("part.xml", part);
    let before: Vec<String> = folder.files().iter().map(|own| folder.read(own)).collect();
    for (line, file) in [
        ("run mine.json --seconds 0 --csv mine.json", "mine.json"),
        ("run mine.json --seconds 0 --csv ./mine.json", "./mine.json"),
        ("run mine.json --seconds 0 --plot mine.json", "mine.json"),
        ("run mine.json --seconds 0 --events mine.json", "mine.json"),
        ("run tabled.json --seconds 0 --csv data.csv", "data.csv"),
        ("run tabled.json --seconds 0 --save data.csv", "data.csv"),
        (
            "run mine.json --replay log.jsonl --csv log.jsonl",
            "log.jsonl",
        ),
        (
            "run mine.json --replay log.jsonl --save log.jsonl",
            "log.jsonl",
        ),
        (
            "sweep mine.json --over world.dt=0.01 --measure time --seconds 0 --csv mine.json",
            "mine.json",
        ),
        ("fit fit-ellipse data.csv --csv data.csv", "data.csv"),
        ("assemble tabled.json -o data.csv", "data.csv"),
        ("format tabled.json -o data.csv", "data.csv"),
        ("import robot.urdf -o robot.urdf", "robot.urdf"),
        ("import model.xml -o part.xml", "part.xml"),
    ] {
        let words = format!("{file}: would be overwritten, but it is read too");
        folder.run(line).refuses(1, &words);
    }
    folder
        .run("run four-bar --csv a --jsonl ./a")
        .refuses(1, "--csv and --jsonl both write to ./a");
    let after: Vec<String> = folder.files().iter().map(|own| folder.read(own)).collect();
    assert_eq!(after, before);
    // In place, where that is what the command is for.
    for line in [
        "format mine.json -o mine.json",
        "assemble mine.json -o mine.json",
    ] {
        folder.run(line).fine();
    }
}

#[test]
fn a_scene_may_be_saved_over_itself() {
    let folder = Folder::new("files-itself");
    folder.write("mine.json", FOUR_BAR);
    folder
        .run("run mine.json --seconds 1 --save mine.json")
        .fine();
    let report = folder.run("run mine.json --seconds 0 --report json").json();
    assert!((report["time"].as_f64().unwrap() - 1.0).abs() < 1e-9);
}
