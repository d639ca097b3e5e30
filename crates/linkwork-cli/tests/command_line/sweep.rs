//! `linkwork sweep`: one run for every combination of values.

use std::process::Stdio;

use crate::folder::{FOUR_BAR, Folder};

/// A four-bar whose crank is driven.
fn driven() -> String {
    let hinge = r#""b": "crank", "at": [0, 0, 0], "axis": [0, 0, 1]"#;
    let drive = format!(r#"{hinge}, "drive": {{ "type": "ramp", "rate_deg": 360 }}"#);
    let text = FOUR_BAR.replacen(hinge, &drive, 1);
    assert_ne!(text, FOUR_BAR);
    text
}

const MEASURE: &str = "--measure body.rocker.position.x:max,joint.D.force.x:integral";

fn cells(row: &str) -> Vec<&str> {
    row.split(',').collect()
}

#[test]
fn every_row_is_a_run_bit_by_bit() {
    let folder = Folder::new("sweep-bits");
    folder.write("mine.json", driven());
    let steps = "--seconds 0.5 --dt 0.005 --preset precise --set world.gravity.1=-5";
    let overs = "--over bodies.crank.length=0.06:0.12:3 --over joints.A.drive.rate_deg=180,360";
    let table = folder
        .run(&format!("sweep mine.json {overs} {steps} {MEASURE}"))
        .fine();
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(
        rows[0],
        "variant,bodies.crank.length,joints.A.drive.rate_deg,body.rocker.position.x:max,\
         joint.D.force.x:integral,status,why"
    );
    assert_eq!(rows.len(), 1 + 6);
    assert_eq!(&cells(rows[4])[..3], ["3", "0.09", "360"]);
    for row in &rows[1..] {
        let row = cells(row);
        assert_eq!(row[5..], ["ok", ""]);
        let set = format!(
            "--set bodies.crank.length={} --set joints.A.drive.rate_deg={}",
            row[1], row[2]
        );
        let run = format!("run mine.json {steps} {set} {MEASURE} --report json");
        let report = folder.run(&run).json();
        for (at, cell) in row[3..5].iter().enumerate() {
            let single = report["measures"][at]["value"].as_f64().unwrap();
            assert_eq!(cell.parse::<f64>().unwrap().to_bits(), single.to_bits());
        }
    }
    // However many work on it.
    for jobs in [1, 5] {
        let again = format!("sweep mine.json {overs} {steps} {MEASURE} --jobs {jobs} --csv a.csv");
        folder.run(&again).fine();
        assert_eq!(folder.read("a.csv"), table);
        assert_eq!(folder.files(), ["a.csv", "mine.json"]);
    }
}

/// Lengths that cannot be closed have their rows, and so have the others.
#[test]
fn variants_that_fail_say_why() {
    let folder = Folder::new("sweep-fails");
    folder.write("mine.json", driven());
    let over = "--over bodies.crank.length=-1,0.1,0.5,3";
    let line = format!("sweep mine.json {over} {MEASURE} --seconds 1 --dt 0.01");
    let answer = folder.run(&line);
    assert!(
        answer
            .err
            .contains("4 variants, 3 failed: their rows say why"),
        "{}",
        answer.err
    );
    let table = answer.fine();
    let rows: Vec<&str> = table.lines().collect();
    let status = |row: usize, words: &str| {
        let row = rows[row];
        assert!(row.contains(words), "{row}\nwanted: {words}");
    };
    status(1, "0,-1,,,failed,");
    status(1, "give a finite number greater than zero");
    status(2, ",ok,");
    status(3, "2,0.5,,,failed,");
    status(3, " is open by ");
    status(4, "3,3,,,failed,");
    status(4, "no pose closes all joints");
    folder
        .run(&format!("{line} --set bodies.rocker.length=9"))
        .code_is(3);
}

#[test]
fn what_no_variant_can_do_is_refused() {
    let folder = Folder::new("sweep-refused");
    folder.write("mine.json", driven());
    for (line, words) in [
        (
            "--over bodies.crnak.length=1:2:3 --measure time",
            "--over bodies.crnak.length: nothing in bodies is called \"crnak\"\n  hint: did you mean \"crank\"?",
        ),
        (
            "--over bodies.crank.lenght=1:2:3 --measure time",
            "did you mean \"length\"?",
        ),
        (
            "--over bodies.crank.length=1:2:2 --measure body.rockr.position",
            "did you mean \"rocker\"?",
        ),
        (
            "--over bodies.crank.length=1:2:0 --measure time",
            "takes from 1 to",
        ),
        (
            "--over bodies.crank.length --measure time",
            "PATH=FROM:TO:N",
        ),
        (
            "--over world.dt=1:2:10000 --over state.time=1:2:10000 --measure time",
            "more than 10000000 variants",
        ),
        ("--over world.dt=1", "--measure"),
        (
            "--over world.gravity.1=1,2 --over world.gravity[1]=3 --measure time",
            "world.gravity.1 and world.gravity[1] set the same field",
        ),
        (
            "--over world.dt=0.01 --measure time:at=5 --seconds 0.02",
            "at=5 is not in the run, which is from 0 s to 0.02 s",
        ),
        (
            "--over bodies.crank.length=1:2 --measure time",
            "\"1:2\" is not FROM:TO:N",
        ),
        (
            "--over world.dt=0.1 --measure time -j 0",
            "give a whole number above zero",
        ),
        ("--over world.dt=1 --measure time:most", "\"most\""),
        (
            "--over world.dt=0.1 --measure time --csv no/such/a.csv",
            "no/such/a.csv",
        ),
    ] {
        folder
            .run(&format!("sweep mine.json {line}"))
            .refuses(1, words);
    }
    assert_eq!(folder.files(), ["mine.json"]);
}

/// A row of a design table is a run with these settings; what a cell leaves out stays as the scene has it.
#[test]
fn a_design_table_is_swept() {
    let folder = Folder::new("sweep-designs");
    folder.write("mine.json", driven());
    folder.write(
        "sizes.csv",
        "bodies.crank.length,world.gravity\n0.06,\"[0, -1, 0]\"\n,\"[0, -2, 0]\"\n0.12,\n",
    );
    let steps = "--seconds 0.2 --dt 0.005";
    let over = "--over joints.A.drive.rate_deg=180,360";
    let table = folder
        .run(&format!(
            "sweep mine.json --designs sizes.csv {over} {steps} {MEASURE}"
        ))
        .fine();
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows.len(), 1 + 6);
    assert!(rows[4].starts_with("3,,\"[0, -2, 0]\",360,"), "{}", rows[4]);
    let run = format!(
        "run mine.json {steps} --set joints.A.drive.rate_deg=360 --set world.gravity.1=-2 {MEASURE}"
    );
    let report = folder.run(&format!("{run} --report json")).json();
    let own: Vec<&str> = rows[4].rsplit(',').collect();
    for (at, cell) in [own[3], own[2]].iter().enumerate() {
        let single = report["measures"][at]["value"].as_f64().unwrap();
        assert_eq!(cell.parse::<f64>().unwrap().to_bits(), single.to_bits());
    }
    for (text, words) in [
        ("bodies.crank.lenght\n1\n", "did you mean \"length\"?"),
        ("world.dt\n", "designs.csv: has paths, but no values"),
        (
            "world.dt,world.dt\n1,2\n",
            "world.dt and world.dt set the same field",
        ),
        (
            "world.dt\n1,2\n",
            "designs.csv:2:1: has 2 cells for 1 paths",
        ),
    ] {
        folder.write("designs.csv", text);
        let line = "sweep mine.json --designs designs.csv --measure time";
        folder.run(line).refuses(1, words);
    }
    // The design table is read: no output takes its place.
    let line = "sweep mine.json --designs sizes.csv --measure time --csv sizes.csv";
    folder.run(line).refuses(1, "read too");
}

/// With `--require off` a run goes on with open joints; one that ends so has failed and has no numbers.
#[test]
fn a_variant_that_failed_has_no_numbers() {
    let folder = Folder::new("sweep-no-numbers");
    folder.write("torn.json", crate::folder::torn("0.4"));
    let table = folder.run(
        "sweep torn.json --over joints.D.a.point.0=0.4,3 --measure energy.total:last --seconds 0.1 --require off",
    );
    let table = table.fine();
    let rows: Vec<&str> = table.lines().collect();
    assert!(rows[1].ends_with(",ok,"), "{table}");
    assert!(rows[2].starts_with("1,3,,failed,"), "{table}");
}

/// Two sweeps do not write one table.
#[test]
fn a_second_sweep_is_kept_away() {
    let folder = Folder::new("sweep-lock");
    let line = "sweep four-bar --over world.dt=0.01,0.02 --measure energy.total:last --seconds 0.1";
    folder.write("a.csv.lock", "");
    folder
        .run(&format!("{line} --csv a.csv"))
        .refuses(1, "another sweep writes a.csv: a.csv.lock is there\n  hint: wait for it, or give another --csv; if that sweep was killed, remove a.csv.lock");
    assert_eq!(folder.files(), ["a.csv.lock"]);
    std::fs::remove_file(folder.path("a.csv.lock")).unwrap();
    folder.run(&format!("{line} --csv a.csv")).fine();
    assert_eq!(folder.files(), ["a.csv"]);
}

/// A sweep that was killed leaves its lock; the same command goes on all the same.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_sweep_goes_on_where_it_stopped() {
    let folder = Folder::new("sweep-killed");
    folder.write("mine.json", driven());
    let line = format!(
        "sweep mine.json --over bodies.crank.length=0.06:0.12:24 {MEASURE} --seconds 2 --dt 0.001"
    );
    let mut child = folder
        .command(&format!("{line} --csv a.csv"))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines =
        || std::fs::read_to_string(folder.path("a.csv.part")).map_or(0, |own| own.lines().count());
    while lines() < 2 + 3 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(folder.files(), ["a.csv.lock", "a.csv.part", "mine.json"]);
    let lock = folder.read("a.csv.lock");
    // Of another machine, or of a process that is there, it is somebody's.
    let own = lock.replacen(&child.id().to_string(), &std::process::id().to_string(), 1);
    for other in [format!("{lock}x"), own] {
        folder.write("a.csv.lock", &other);
        folder
            .run(&format!("{line} --csv a.csv"))
            .refuses(1, "another sweep writes a.csv");
        assert_eq!(folder.read("a.csv.lock"), other);
    }
    folder.write("a.csv.lock", &lock);
    let on = folder.run(&format!("{line} --csv a.csv"));
    assert!(on.err.contains("going on: "), "{}", on.err);
    on.fine();
    assert_eq!(folder.files(), ["a.csv", "mine.json"]);
    assert_eq!(folder.read("a.csv"), folder.run(&line).fine());
}

/// A device takes rows as they come; nothing is put beside it.
#[cfg(target_os = "linux")]
#[test]
fn a_device_takes_rows() {
    let folder = Folder::new("sweep-device");
    let line = "sweep four-bar --over world.dt=0.01,0.02 --measure energy.total:last --seconds 0.1";
    folder.run(&format!("{line} --csv /dev/null")).fine();
    assert!(!std::path::Path::new("/dev/null.part").exists());
    folder
        .run(&format!("{line} --csv /dev/full"))
        .refuses(1, "/dev/full: No space left on device");
}

/// What was done before control-C is not done again, and the table is that of a sweep in one go. Lines that are no
/// rows of this sweep count for nothing.
#[cfg(unix)]
#[test]
fn an_interrupted_sweep_goes_on_where_it_stopped() {
    let folder = Folder::new("sweep-interrupted");
    folder.write("mine.json", driven());
    let line = format!(
        "sweep mine.json --over bodies.crank.length=0.06:0.12:24 {MEASURE} --seconds 2 --dt 0.001"
    );
    let mut command = folder.command(&format!("{line} --csv a.csv"));
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    let lines =
        || std::fs::read_to_string(folder.path("a.csv.part")).map_or(0, |own| own.lines().count());
    while lines() < 2 + 3 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    // Two at a time would garble the rows.
    folder
        .run(&format!("{line} --csv a.csv"))
        .refuses(1, "another sweep writes a.csv");
    crate::files::interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("variants, which are in a.csv.part; the same command goes on"),
        "{said}"
    );
    assert_eq!(folder.files(), ["a.csv.part", "mine.json"]);
    // A row that was cut off counts for nothing.
    let part = folder.read("a.csv.part");
    let done = part.lines().count() - 2;
    assert!((3..24).contains(&done), "{done}");
    // So it is with one that has too few fields, a variant that is not there, another value than its variant has,
    // a status that is none, or the variant of a row before it.
    let first = part.lines().nth(2).unwrap();
    let odd = "23,hello\n24,0.12,1,2,ok,\n23,0.1,1,2,ok,\n23,0.12,1,2,fine,\n023,0.12,1,2,ok,";
    folder.write("a.csv.part", format!("{part}{odd}\n{first}\n23,0.12,0.5"));
    // Another sweep is refused, and loses nothing.
    folder
        .run(&format!("{line} --set world.gravity.1=-1 --csv a.csv"))
        .refuses(1, "a.csv.part has rows of another sweep");
    let on = folder.run(&format!("{line} --csv a.csv"));
    let words = format!("going on: {done} of 24 rows are there");
    assert!(on.err.contains(&words), "{}\n{words}", on.err);
    let words = "left out 7 lines of a.csv.part";
    assert!(on.err.contains(words), "{}\n{words}", on.err);
    on.fine();
    assert_eq!(folder.files(), ["a.csv", "mine.json"]);
    assert_eq!(folder.read("a.csv"), folder.run(&line).fine());
}
