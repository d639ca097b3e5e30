//! What the program writes is what the library computes, to the last bit.

use linkwork::prelude::*;
use linkwork_scene::Scene;

use crate::folder::{FOUR_BAR, Folder};

/// Steps a scene and gives positions of the crank, one row for each step and one before.
fn stepped(scene: &mut Scene, n_steps: usize) -> Vec<Vec<f64>> {
    let mut simulator = Simulator::new();
    let mut rows = vec![];
    for step in 0..=n_steps {
        if step > 0 {
            simulator.step(&mut scene.world, &scene.options).unwrap();
        }
        let crank = scene.world.find_body("crank").unwrap();
        let position = scene.world.pose(crank).unwrap().unwrap().position;
        let energy = scene.world.energy().unwrap().total();
        let mut row = vec![scene.world.state().t];
        row.extend(position);
        row.push(energy);
        rows.push(row);
    }
    rows
}

fn table(csv: &str) -> Vec<Vec<f64>> {
    let row = |line: &str| line.split(',').map(|cell| cell.parse().unwrap()).collect();
    csv.lines().skip(1).map(row).collect()
}

/// But for times, which are rounded to a millionth of a step.
fn same_bits(a: &[Vec<f64>], b: &[Vec<f64>]) -> bool {
    let bits = |rows: &[Vec<f64>]| -> Vec<Vec<u64>> {
        let row = |row: &Vec<f64>| row.iter().map(|value| value.to_bits()).collect();
        rows.iter().map(row).collect()
    };
    let is_near = |(a, b): (&Vec<f64>, &Vec<f64>)| (a[0] - b[0]).abs() < 1e-8;
    let apart =
        |rows: &[Vec<f64>]| -> Vec<Vec<f64>> { rows.iter().map(|row| row[1..].to_vec()).collect() };
    bits(&apart(a)) == bits(&apart(b)) && a.iter().zip(b).all(is_near)
}

const COLUMNS: &str = "--columns body.crank.position,energy.total";

#[test]
fn a_library_scene() {
    let folder = Folder::new("bits-library");
    let csv = folder
        .run(&format!("run four-bar --seconds 10 --csv - {COLUMNS}"))
        .fine();
    let mut scene = linkwork_scene::library::open("four-bar").unwrap();
    let expected = stepped(&mut scene, 600);
    assert!(same_bits(&table(&csv), &expected));
    let report = folder.run("run four-bar --seconds 10 --report json").json();
    assert_eq!(report["steps"], 600);
    let hash = format!("{:016x}", scene.world.state_hash());
    assert_eq!(report["state_hash"], hash.as_str());
}

#[test]
fn a_file_with_options() {
    let folder = Folder::new("bits-file");
    folder.write("mine.json", FOUR_BAR);
    let run = "run mine.json --seconds 1 --dt 0.001 --preset precise --method forest-dense";
    let csv = folder.run(&format!("{run} --csv - {COLUMNS}")).fine();
    let mut scene = linkwork_scene::load(FOUR_BAR).unwrap();
    scene.options = StepOptions::precise(0.001).by(Method::ForestDense);
    assert!(same_bits(&table(&csv), &stepped(&mut scene, 1000)));
    // The same numbers as JSON lines, also when both are written and rows are sampled for a plot.
    let both = format!("{run} --csv a.csv --jsonl b.jsonl --plot c.svg {COLUMNS}");
    folder.run(&both).fine();
    assert_eq!(folder.read("a.csv"), csv);
    for (line, row) in folder.read("b.jsonl").lines().zip(table(&csv)) {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let x = line["body.crank.position.x"].as_f64().unwrap();
        assert_eq!(x.to_bits(), row[1].to_bits());
    }
}

/// Two halves with a file between them are the whole.
#[test]
fn a_pause_changes_no_bit() {
    let folder = Folder::new("bits-pause");
    for options in [
        "--dt 0.01",
        "--dt 1/60 --preset precise",
        "--method normal-cg",
    ] {
        let hash =
            |line: &str| folder.run(&format!("{line} --report json")).json()["state_hash"].clone();
        let whole = hash(&format!("run four-bar --seconds 2 {options}"));
        hash(&format!(
            "run four-bar --seconds 1 {options} --save half.json"
        ));
        assert_eq!(hash("run half.json --seconds 1"), whole, "{options}");
    }
}
