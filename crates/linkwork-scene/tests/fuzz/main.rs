//! Hostile input: texts that were broken at random, byte by byte and part by part.
//!
//! Nothing may panic, hang or eat memory; what is read must be written and read again as it was. A
//! few seconds by default; `LINKWORK_FUZZ_SECONDS=600 cargo test --release --test fuzz` is a long run.

#![allow(clippy::unwrap_used)]

mod mutate;

use std::time::{Duration, Instant};

use linkwork_scene::command::{Command, Session};
use linkwork_scene::export::Columns;
use linkwork_scene::import::{ImportOptions, import_text};
use linkwork_scene::{Scene, load, save, scene};
use mutate::Dice;

/// Longest time one input may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long each parser is tried.
fn budget() -> Duration {
    let seconds = std::env::var("LINKWORK_FUZZ_SECONDS").ok();
    let seconds = seconds.and_then(|seconds| seconds.parse().ok());
    Duration::from_secs(seconds.unwrap_or(2))
}

/// Breaks seeds at random until the time is up; `accepts` says whether an input was read.
fn fuzz(what: &str, seeds: &[String], mut accepts: impl FnMut(&str) -> bool) {
    let mut dice = Dice(0x9e3779b97f4a7c15);
    let (start, budget) = (Instant::now(), budget());
    let (mut tried, mut accepted) = (0_u64, 0_u64);
    while start.elapsed() < budget {
        let seed = &seeds[dice.roll(seeds.len())];
        let other = &seeds[dice.roll(seeds.len())];
        let input = match dice.roll(3) {
            0 => mutate::bytes(&mut dice, seed, other),
            _ if seed.starts_with('<') => mutate::tags(&mut dice, seed, other),
            _ => mutate::parts(&mut dice, seed, other),
        };
        let begun = Instant::now();
        accepted += u64::from(accepts(&input));
        let took = begun.elapsed();
        assert!(took < PATIENCE, "{what} took {took:?}: {input}");
        tried += 1;
    }
    eprintln!("{what}: {tried} inputs, {accepted} of them read");
    assert!(tried > 10 && accepted > 0, "{what}: {accepted} of {tried}");
    let most = peak_memory_mib();
    assert!(most.is_none_or(|mib| mib < 1024), "{what}: {most:?} MiB");
}

/// The most memory this process has had, where the system says.
fn peak_memory_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}

fn seeds() -> Vec<String> {
    let names = [
        "four-bar",
        "jansen",
        "bricard",
        "scotch-yoke",
        "chain:3",
        "dumbbell",
        "hooke",
        "plate-on-strings",
        "bar-between-discs",
        "stewart",
        "heavy-top",
    ];
    let library = names.map(|name| save(&Scene::from(scene(name).unwrap())).unwrap());
    let mut seeds = library.to_vec();
    seeds.push(include_str!("everything.json").to_owned());
    seeds
}

#[test]
fn scenes() {
    fuzz("scenes", &seeds(), |text| match load(text) {
        Err(fault) => {
            assert!(!fault.to_string().is_empty());
            false
        }
        Ok(scene) => {
            let kept = save(&scene).unwrap_or_else(|fault| panic!("{fault}: {text}"));
            let again = load(&kept).unwrap_or_else(|fault| panic!("{fault}: {text}\n{kept}"));
            assert_eq!(save(&again).unwrap(), kept, "{text}");
            true
        }
    });
}

#[test]
fn commands() {
    let seeds: Vec<String> = include_str!("commands.jsonl")
        .lines()
        .map(str::to_owned)
        .collect();
    let start = Scene::from(scene("chain:3").unwrap());
    let mut session = Session::new(start.clone()).unwrap();
    fuzz("commands", &seeds, |line| {
        let Ok(command) = line.parse::<Command>() else {
            return false;
        };
        if matches!(
            command,
            Command::Step(_) | Command::Pose(_) | Command::Assemble(_)
        ) {
            return true;
        }
        if session.log().len() > 100 {
            session = Session::new(start.clone()).unwrap();
        }
        let before = save(session.scene()).unwrap();
        match session.apply(&command) {
            Ok(_) => true,
            Err(_) => {
                assert_eq!(save(session.scene()).unwrap(), before, "{line}");
                false
            }
        }
    });
}

#[test]
fn columns() {
    let seeds = [
        "body.crank.position",
        "joint.*.force.x",
        "energy.total",
        "time",
        "body.\"a b\".q",
    ];
    let scene = Scene::from(scene("four-bar").unwrap());
    fuzz("columns", &seeds.map(str::to_owned), |name| {
        Columns::parse(&scene, &[name]).is_ok()
    });
}

#[test]
fn robots() {
    let seeds = [include_str!("robot.urdf"), include_str!("robot.xml")];
    let options = ImportOptions::default();
    fuzz("robots", &seeds.map(str::to_owned), |text| {
        let Ok(imported) = import_text(text, None, &options) else {
            return false;
        };
        // What is imported can be built, or is refused by name; never half.
        if let Ok(scene) = linkwork_scene::build(&imported.document) {
            save(&scene).unwrap_or_else(|fault| panic!("{fault}: {text}"));
        }
        true
    });
}
