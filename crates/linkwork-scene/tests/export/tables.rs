//! Rows written and read back.

use linkwork::prelude::*;
use linkwork_scene::Scene;
use linkwork_scene::export::{Columns, CsvWriter, JsonLinesWriter};

/// Some rows of a run.
fn rows() -> (Vec<String>, Vec<Vec<f64>>) {
    let mut scene = Scene::from(linkwork_scene::scene("double-pendulum").unwrap());
    let mut columns = Columns::parse(&scene, &["*"]).unwrap();
    let mut simulator = Simulator::new();
    let mut rows = vec![];
    let mut report = None;
    for _ in 0..20 {
        let mut row = vec![];
        columns.sample(&scene, report.as_ref(), &mut row);
        rows.push(row);
        report = Some(simulator.step(&mut scene.world, &scene.options).unwrap());
    }
    (columns.header(), rows)
}

#[test]
fn csv_reads_back_bit_for_bit() {
    let (header, rows) = rows();
    let mut csv = CsvWriter::new(Vec::new(), &header).unwrap();
    rows.iter().for_each(|row| csv.row(row).unwrap());
    let text = String::from_utf8(csv.finish().unwrap()).unwrap();
    assert!(text.ends_with('\n') && !text.contains('\r'));
    let mut lines = text.lines();
    assert_eq!(lines.next().unwrap(), header.join(","));
    for (line, row) in lines.by_ref().zip(&rows) {
        let values: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        let bits = |row: &[f64]| row.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&values), bits(row));
    }
    assert_eq!(text.lines().count(), rows.len() + 1);
}

#[test]
fn json_lines_read_back_bit_for_bit() {
    let (header, rows) = rows();
    let mut lines = JsonLinesWriter::new(Vec::new(), &header);
    rows.iter().for_each(|row| lines.row(row).unwrap());
    let text = String::from_utf8(lines.finish().unwrap()).unwrap();
    assert_eq!(text.lines().count(), rows.len());
    for (line, row) in text.lines().zip(&rows) {
        let object: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(line).unwrap();
        assert_eq!(object.len(), header.len());
        for (name, value) in header.iter().zip(row) {
            let back = object[name].as_f64().unwrap();
            // "-0" and "0" are the same number in JSON.
            assert!(back.to_bits() == value.to_bits() || (back == 0.0 && *value == 0.0));
        }
    }
}
