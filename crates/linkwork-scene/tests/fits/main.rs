//! Fits to tables: truths that are known, outliers, units, what is wrong with tables, and that everything is saved,
//! undone and replayed.

#![allow(clippy::unwrap_used)]

mod cutout;
mod ellipse;
mod files;
mod film;
mod given;
mod packed;
mod points;
mod rows;
mod snake;
mod surface;
mod valley;

use std::sync::Arc;

use linkwork::prelude::*;
use linkwork::step::{Found, MinimizeOptions};
use linkwork_scene::formula::{FitErrors, fit_errors};
use linkwork_scene::{Scene, load};

/// Numbers from −1 to 1, the same everywhere.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

fn table(columns: &[&str], rows: &[Vec<f64>]) -> String {
    format!("{{ \"name\": \"data\", \"columns\": {columns:?}, \"rows\": {rows:?} }}")
}

/// A world without momentum with one table.
fn scene(bodies: &str, table: &str, joints: &str) -> Scene {
    let text = format!(
        "{{ \"linkwork\": 1, \"world\": {{ \"dynamics\": \"first-order\" }}, \"bodies\": [{bodies}], \"tables\": [{table}], \"joints\": [{joints}] }}"
    );
    load(&text).unwrap_or_else(|fault| panic!("{fault}\n{text}"))
}

fn minimize(scene: &mut Scene) -> usize {
    let report = Simulator::new()
        .minimize(&mut scene.world, &MinimizeOptions::default())
        .unwrap();
    assert_eq!(report.found, Found::Minimum, "{report:?}");
    report.iterations
}

fn q(scene: &Scene, body: &str) -> Vec<f64> {
    let id = scene.world.find_body(body).unwrap();
    scene.world.q(id).unwrap().to_vec()
}

fn errors(scene: &Scene, joint: &str) -> FitErrors {
    let id = scene.world.find_constraint(joint).unwrap();
    fit_errors(&scene.world, scene.world.constraint_record(id).unwrap()).unwrap()
}

fn step(scene: &mut Scene, simulator: &mut Simulator) {
    simulator.step(&mut scene.world, &scene.options).unwrap();
}

fn near(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() <= tolerance, "{a:?} {b:?}");
    }
}

/// A law that is what a fit is, seen from outside.
#[test]
fn a_fit_is_a_constraint_by_contract() {
    let data: Vec<Vec<f64>> = (0..7)
        .map(|k| vec![0.3 * f64::from(k), 1.0 - 0.1 * f64::from(k * k)])
        .collect();
    let bodies =
        r#"{ "name": "p", "type": "numbers", "names": ["a", "b"], "values": [0.2, -0.4] }"#;
    let joint = r#"{ "name": "fit", "type": "formula", "is": "p.a + p.b*x ~ y", "for": "data" }"#;
    let scene = scene(bodies, &table(&["x", "y"], &data), joint);
    let id = scene.world.find_constraint("fit").unwrap();
    let record = scene.world.constraint_record(id).unwrap();
    assert!(record.constraint().is_objective() && record.constraint().tells_energy());
    assert_eq!(record.rows().len(), 2);
    let _: Arc<dyn linkwork::constraint::Constraint> = record.shared_constraint();
    // ½·Σ r², its slope, by hand.
    let (mut energy, mut slope) = (0.0, [0.0; 2]);
    for row in &data {
        let r = 0.2 - 0.4 * row[0] - row[1];
        energy += 0.5 * r * r;
        slope = [slope[0] + r, slope[1] + r * row[0]];
    }
    let objectives = scene.world.objectives().unwrap();
    assert!((objectives[0].value - energy).abs() < 1e-14);
    let steepest = slope[0].abs().max(slope[1].abs());
    assert!((objectives[0].slope - steepest).abs() < 1e-13);
}
