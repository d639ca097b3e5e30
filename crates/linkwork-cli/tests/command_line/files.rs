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
        .refuses(1, "No space left on device");
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

/// Control-C cleans up.
#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_nothing() {
    let folder = Folder::new("files-interrupt");
    folder.write("a.csv", "before");
    let mut command = folder.command("run chain:100 --seconds 1e6 --csv a.csv");
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    while folder.files().len() < 2 {
        std::thread::yield_now();
    }
    let id = child.id().to_string();
    std::process::Command::new("kill")
        .args(["-INT", &id])
        .status()
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(folder.files(), ["a.csv"]);
    assert_eq!(folder.read("a.csv"), "before");
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
