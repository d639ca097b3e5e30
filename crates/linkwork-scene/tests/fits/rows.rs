//! What each row may say: numbers of bodies, implicit curves, splines, gaps, outliers, units.

use super::*;

fn parabola(unit: f64, noise: f64) -> Vec<Vec<f64>> {
    let mut random = Noise(7);
    let rows = (0..400).map(|k| {
        let x = -1.0 + f64::from(k) / 200.0;
        let y = 0.5 - 1.5 * x + 2.0 * x * x + noise * random.next();
        vec![unit * x, unit * y]
    });
    rows.collect()
}

const PARABOLA: &str =
    r#"{ "name": "p", "type": "numbers", "names": ["a", "b", "c"], "values": [0, 0, 0] }"#;
const ROW: &str =
    r#"{ "name": "fit", "type": "formula", "is": "p.a + p.b*x + p.c*x^2 ~ y", "for": "data" }"#;

/// Linear least squares by normal equations of its own.
fn least_squares(data: &[Vec<f64>]) -> [f64; 3] {
    let mut h = [[0.0; 4]; 3];
    for row in data {
        let basis = [1.0, row[0], row[0] * row[0], row[1]];
        for i in 0..3 {
            for j in 0..4 {
                h[i][j] += basis[i] * basis[j];
            }
        }
    }
    for i in 0..3 {
        for k in i + 1..3 {
            let part = h[k][i] / h[i][i];
            for j in i..4 {
                h[k][j] -= part * h[i][j];
            }
        }
    }
    let mut x = [0.0; 3];
    for i in (0..3).rev() {
        x[i] = (h[i][3] - (i + 1..3).map(|j| h[i][j] * x[j]).sum::<f64>()) / h[i][i];
    }
    x
}

#[test]
fn a_line_of_400_points_is_that_of_least_squares() {
    let data = parabola(1.0, 0.1);
    let mut scene = scene(PARABOLA, &table(&["x", "y"], &data), ROW);
    minimize(&mut scene);
    near(&q(&scene, "p"), &least_squares(&data), 1e-9);
    let errors = errors(&scene, "fit");
    assert_eq!((errors.rows.len(), errors.n_skipped), (400, 0));
    // Even noise of ±0.1 has 0.1/√3.
    assert!(
        (errors.rms() - 0.1 / 3f64.sqrt()).abs() < 3e-3,
        "{}",
        errors.rms()
    );
    assert!(errors.largest().unwrap().error < 0.11);
}

/// In millimeters or kilometers the same curve is found, if errors count by their size beside that of the noise.
#[test]
fn units_do_not_matter() {
    let mut steps = Vec::new();
    for unit in [1e-3, 1.0, 1e3] {
        let data = parabola(unit, 0.1);
        let joint = ROW.replace("~ y", &format!("~ y weight {}", 1.0 / (unit * unit)));
        let mut scene = scene(PARABOLA, &table(&["x", "y"], &data), &joint);
        let options = MinimizeOptions::default().with_tolerance(1e-10);
        let report = Simulator::new()
            .minimize(&mut scene.world, &options)
            .unwrap();
        let [a, b, c] = least_squares(&data);
        let found = q(&scene, "p");
        near(
            &[found[0] / unit, found[1], found[2] * unit],
            &[a / unit, b, c * unit],
            1e-7,
        );
        steps.push(report.iterations);
    }
    assert!(steps.iter().all(|n| *n < 40), "{steps:?}");
}

#[test]
fn outliers_pull_a_plain_fit_and_hardly_a_robust_one() {
    let mut data = parabola(1.0, 0.02);
    for row in data.iter_mut().step_by(7) {
        row[1] += 5.0;
    }
    let truth = [0.5, -1.5, 2.0];
    let off = |joint: &str| {
        let mut scene = scene(PARABOLA, &table(&["x", "y"], &data), joint);
        minimize(&mut scene);
        let found = q(&scene, "p");
        (0..3)
            .map(|k| (found[k] - truth[k]).abs())
            .fold(0.0, f64::max)
    };
    let plain = off(ROW);
    let robust = off(&ROW.replace("\"for\"", "\"huber\": 0.03, \"for\""));
    assert!(plain > 0.5, "{plain}");
    assert!(robust < 0.02, "{robust}");
}

/// The loss of Huber, summed by hand, is what is made small.
#[test]
fn a_robust_fit_is_where_the_loss_of_huber_is_least() {
    let mut data = parabola(1.0, 0.1);
    data[17][1] = 9.0;
    let joint = ROW.replace("\"for\"", "\"huber\": 0.05, \"for\"");
    let mut scene = scene(PARABOLA, &table(&["x", "y"], &data), &joint);
    minimize(&mut scene);
    let loss = |p: &[f64]| {
        let one = |row: &Vec<f64>| {
            let r = (p[0] + p[1] * row[0] + p[2] * row[0] * row[0] - row[1]).abs();
            if r <= 0.05 {
                0.5 * r * r
            } else {
                0.05 * (r - 0.025)
            }
        };
        data.iter().map(one).sum::<f64>()
    };
    let found = q(&scene, "p");
    let least = loss(&found);
    assert!((scene.world.objectives().unwrap()[0].value - least).abs() < 1e-12);
    for k in 0..3 {
        for step in [-1e-3, 1e-3] {
            let mut other = found.clone();
            other[k] += step;
            assert!(loss(&other) > least);
        }
    }
}

#[test]
fn gaps_are_passed_over_and_are_no_zeros() {
    let mut data: Vec<String> = parabola(1.0, 0.1)
        .iter()
        .map(|row| format!("{row:?}"))
        .collect();
    let whole = parabola(1.0, 0.1);
    data[3] = "[0.5, null]".to_owned();
    data[200] = "[null, 7]".to_owned();
    let table = format!(
        "{{ \"name\": \"data\", \"columns\": [\"x\", \"y\"], \"rows\": [{}] }}",
        data.join(", ")
    );
    let mut scene = scene(PARABOLA, &table, ROW);
    minimize(&mut scene);
    let mut kept = whole.clone();
    kept.remove(200);
    kept.remove(3);
    near(&q(&scene, "p"), &least_squares(&kept), 1e-9);
    assert_eq!(errors(&scene, "fit").n_skipped, 2);
}

/// A circle by F/|∇F|, through points of it.
#[test]
fn an_implicit_curve_is_fitted_by_its_distance() {
    let mut random = Noise(3);
    let rows = (0..60).map(|k| {
        let (angle, r) = (0.05 * f64::from(k), 2.0 + 1e-3 * random.next());
        vec![0.3 + r * angle.cos(), -0.7 + r * angle.sin()]
    });
    let bodies =
        r#"{ "name": "c", "type": "numbers", "names": ["x", "y", "r"], "values": [0, 0, 1] }"#;
    let joint = r#"{ "name": "fit", "type": "formula", "for": "data",
        "is": "F = (x - c.x)^2 + (y - c.y)^2 - c.r^2; F/norm([der(F, x), der(F, y)]) ~ 0" }"#;
    let rows: Vec<Vec<f64>> = rows.collect();
    let mut scene = scene(bodies, &table(&["x", "y"], &rows), joint);
    minimize(&mut scene);
    near(&q(&scene, "c"), &[0.3, -0.7, 2.0], 2e-3);
}

/// A closed spline through its own points at known places, and at places that are free.
#[test]
fn a_spline_is_found_again() {
    let truth: Vec<[f64; 2]> = (0..8)
        .map(|k| {
            let (angle, r) = (
                f64::from(k) * std::f64::consts::TAU / 8.0,
                1.0 + 0.2 * f64::from(k % 3),
            );
            [r * angle.cos(), r * angle.sin()]
        })
        .collect();
    let spline = linkwork::shape::Spline::in_plane(&truth, 3, true);
    let numbers: Vec<f64> = truth.concat();
    let point = |u: f64| {
        use linkwork::shape::{Of, ShapeMap, ShapeMotion};
        let motion = ShapeMotion::at([u, 0.0, 0.0], &numbers, &numbers);
        spline.eval(Of::Point, &motion, &mut |_, _, _| {}).x
    };
    let rows = (0..64).map(|k| {
        let u = f64::from(k) / 64.0;
        let [x, y, _] = point(u);
        vec![u, x, y]
    });
    let rows: Vec<Vec<f64>> = rows.collect();
    let start: Vec<[f64; 2]> = (0..8)
        .map(|k| {
            let angle = f64::from(k) * std::f64::consts::TAU / 8.0;
            [1.2 * angle.cos(), 1.2 * angle.sin()]
        })
        .collect();
    let body = format!(
        "{{ \"name\": \"rope\", \"type\": \"spline\", \"closed\": true, \"points\": {start:?}, \"mass\": 1 }}"
    );
    let known = r#"{ "name": "fit", "type": "formula", "is": "rope(u) ~ [x, y]", "for": "data" }"#;
    let data = table(&["u", "x", "y"], &rows);
    let mut one = scene(&body, &data, known);
    minimize(&mut one);
    near(&q(&one, "rope"), &numbers, 1e-7);

    let free = r#"{ "name": "fit", "type": "formula", "is": "rope(w) ~ [x, y]", "for": "data", "free": ["w"] }"#;
    let mut other = scene(&body, &data, free);
    let mut simulator = Simulator::new();
    for _ in 0..20 {
        step(&mut other, &mut simulator);
    }
    let rms = errors(&other, "fit").rms();
    assert!(rms < 2e-3, "{rms}");
}
