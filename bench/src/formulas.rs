//! `formulas`: typed formulas against the same ones written by hand, in one run.
//!
//! Both give values, rates, biases and all rows. Sines are those of `libm` in both.

use std::hint::black_box;
use std::time::Instant;

use linkwork::simulator::{Simulator, SolveOptions};
use linkwork_formula::{JetMut, Kind, Motion, Named, Scope, Tape};

use crate::table::table;

/// Batches of each candidate, of which the fastest counts, and how long one is.
const ROUNDS: usize = 25;
const BATCH_MICROSECONDS: u128 = 2000;

/// A formula, and the same by hand.
struct Case {
    name: &'static str,
    text: String,
    inputs: Vec<(String, Kind)>,
    by_hand: fn(&[f64], &[f64], &mut Out),
}

/// What a formula gives: up to three outputs, and their rows over their patterns, one after the other.
#[derive(Clone, Copy, Debug, Default)]
struct Out {
    y: [f64; 3],
    y1: [f64; 3],
    y2: [f64; 3],
    rows: [f64; 22],
}

/// Nanoseconds for a fill of 1,000 equations over numbers, each a row of its own.
fn thousand_rows() -> Result<f64, String> {
    let bodies = (0..250).map(|k| {
        format!(r#"{{ "name": "n{k}", "type": "numbers", "names": ["a", "b", "c", "d"], "values": [0.6, 0.4, 1.1, 2.0] }}"#)
    });
    let joints = (0..1000).map(|k| {
        let (body, scale) = (k % 250, 1 + k / 250);
        format!(
            r#"{{ "name": "j{k}", "type": "formula", "is": "n{body}.a*cos({scale}*n{body}.b) + n{body}.c^2 == n{body}.d" }}"#
        )
    });
    let [bodies, joints] = [bodies.collect::<Vec<_>>(), joints.collect::<Vec<_>>()];
    let text = format!(
        r#"{{ "linkwork": 1, "world": {{ "dynamics": "first-order" }}, "bodies": [{}], "joints": [{}] }}"#,
        bodies.join(", "),
        joints.join(", ")
    );
    let scene = linkwork_scene::load(&text).map_err(|fault| fault.to_string())?;
    let mut simulator = Simulator::new();
    let options = SolveOptions::default();
    let [nanoseconds] = fastest([&mut || {
        simulator.fill(
            black_box(&scene.world),
            linkwork::system::Motion::Displacement,
            &options,
        );
    }]);
    Ok(nanoseconds)
}

/// Measures and lays out the result.
pub(crate) fn run() -> Result<String, String> {
    let mut lines = Vec::new();
    for case in cases() {
        let tape = case.compile()?;
        let x: Vec<f64> = (0..tape.n_inputs())
            .map(|k| 0.3 + 0.137 * k as f64 % 1.1)
            .collect();
        let v: Vec<f64> = (0..tape.n_inputs())
            .map(|k| 0.5 - 0.093 * k as f64 % 0.9)
            .collect();
        agree(&case, &tape, &x, &v)?;
        let [mut values, mut whole, mut own] = [Out::default(); 3];
        let [value, all, hand, compile] = fastest([
            &mut || {
                tape.value(black_box(&x), &mut values.y[..tape.n_outputs()]);
                black_box(&values);
            },
            &mut || {
                everything(&tape, black_box(&x), &v, &mut whole);
                black_box(&whole);
            },
            &mut || {
                (case.by_hand)(black_box(&x), &v, &mut own);
                black_box(&own);
            },
            &mut || drop(black_box(case.compile())),
        ]);
        let n_steps = tape.n_steps() as f64;
        lines.push(vec![
            case.name.to_owned(),
            tape.n_steps().to_string(),
            format!("{value:.0}"),
            format!("{all:.0}"),
            format!("{:.1}", all / n_steps),
            format!("{hand:.0}"),
            format!("{:.1}", all / hand),
            format!("{:.0}", compile / 1e3),
        ]);
    }
    let heading = [
        "formula",
        "steps",
        "value ns",
        "value, jet, rows ns",
        "a step",
        "by hand ns",
        "ratio",
        "text to tape µs",
    ];
    let fill = 1e-6 * thousand_rows()?;
    let table = table(&heading, &lines);
    Ok(format!(
        "{table}\n\n1,000 rows of formulas filled: {fill:.3} ms"
    ))
}

/// Nanoseconds of each candidate, in rounds: noise hits all alike.
fn fastest<const N: usize>(mut candidates: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut best = [f64::INFINITY; N];
    for _ in 0..ROUNDS {
        for (best, candidate) in best.iter_mut().zip(&mut candidates) {
            let (start, mut n) = (Instant::now(), 0_u32);
            while start.elapsed().as_micros() < BATCH_MICROSECONDS {
                (0..100).for_each(|_| candidate());
                n += 100;
            }
            *best = best.min(start.elapsed().as_nanos() as f64 / f64::from(n));
        }
    }
    best
}

impl Case {
    fn compile(&self) -> Result<Tape, String> {
        let mut first = 0;
        let mut names = Vec::new();
        for (name, kind) in &self.inputs {
            names.push((name.as_str(), Named::Input(*kind, first)));
            first += kind.n_inputs() as u16;
        }
        let mut scope = Scope::new(&mut names);
        let value = scope.expression(&self.text);
        let value = value.map_err(|problem| problem.show(&self.text))?;
        let tape = Tape::new(scope.graph(), value.parts(), first as usize);
        tape.map_err(|error| error.to_string())
    }
}

fn everything(tape: &Tape, x: &[f64], v: &[f64], out: &mut Out) {
    let motion = Motion { x, x1: v, x2: &[] };
    let n = tape.n_outputs();
    let out = JetMut {
        y: &mut out.y[..n],
        y1: &mut out.y1[..n],
        y2: &mut out.y2[..n],
        rows: &mut out.rows[..tape.n_entries()],
    };
    tape.jet(motion, out);
}

/// What is compared is the same.
fn agree(case: &Case, tape: &Tape, x: &[f64], v: &[f64]) -> Result<(), String> {
    let [mut typed, mut by_hand] = [Out::default(); 2];
    everything(tape, x, v, &mut typed);
    (case.by_hand)(x, v, &mut by_hand);
    let flat = |out: &Out| [out.y.as_slice(), &out.y1, &out.y2, &out.rows].concat();
    let pairs = flat(&typed).into_iter().zip(flat(&by_hand));
    let worst = pairs.fold(0.0_f64, |worst, (a, b)| worst.max((a - b).abs()));
    match worst < 1e-13 {
        true => Ok(()),
        false => Err(format!("{} by hand differs by {worst:e}", case.name)),
    }
}

fn cases() -> [Case; 4] {
    let scalars = |names: &str| -> Vec<(String, Kind)> {
        let names = names.split_whitespace();
        names.map(|name| (name.to_owned(), Kind::Scalar)).collect()
    };
    let waves: Vec<String> = (1..=8)
        .map(|k| format!("a{k}*sin({k}*x + b{k}*y)"))
        .collect();
    let numbers: Vec<String> = (1..=8).map(|k| format!("a{k} b{k}")).collect();
    [
        Case {
            name: "distance in space",
            text: "dist(a, b) - 1.2".into(),
            inputs: ["a", "b"]
                .map(|name| (name.to_owned(), Kind::Vector3))
                .to_vec(),
            by_hand: distance,
        },
        Case {
            name: "ellipse point",
            text: "[cx, cy] + turn([a*cos(0.8), b*sin(0.8)], phi)".into(),
            inputs: scalars("cx cy a b phi"),
            by_hand: ellipse,
        },
        Case {
            name: "four-bar loop and coupler",
            // The gap of the loop, and x of the coupler point.
            text: "[ox + a*cos(t) + b*cos(s) - px - c*cos(r), \
                    oy + a*sin(t) + b*sin(s) - py - c*sin(r), \
                    ox + a*cos(t) + m*cos(s) - n*sin(s)]"
                .into(),
            inputs: scalars("t s r ox oy px py a b c m n"),
            by_hand: four_bar,
        },
        Case {
            name: "eight waves",
            text: waves.join(" + "),
            inputs: scalars(&format!("x y {}", numbers.join(" "))),
            by_hand: eight_waves,
        },
    ]
}

fn distance(x: &[f64], v: &[f64], out: &mut Out) {
    let d: [f64; 3] = std::array::from_fn(|k| x[k] - x[k + 3]);
    let w: [f64; 3] = std::array::from_fn(|k| v[k] - v[k + 3]);
    let length = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
    let n = d.map(|d| d / length);
    let rate = n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
    let across: f64 = (0..3).map(|k| w[k] - rate * n[k]).map(|w| w * w).sum();
    (out.y[0], out.y1[0], out.y2[0]) = (length - 1.2, rate, across / length);
    for k in 0..3 {
        (out.rows[k], out.rows[k + 3]) = (n[k], -n[k]);
    }
}

fn ellipse(q: &[f64], v: &[f64], out: &mut Out) {
    let (sin, cos) = libm::sincos(q[4]);
    const U: [f64; 2] = [0.696_706_709_347_165_4, 0.717_356_090_899_522_8];
    let ([x, y], [dx, dy]) = ([q[2] * U[0], q[3] * U[1]], [v[2] * U[0], v[3] * U[1]]);
    let e = [cos * x - sin * y, sin * x + cos * y];
    let d = [cos * dx - sin * dy, sin * dx + cos * dy];
    let w = v[4];
    out.y = [q[0] + e[0], q[1] + e[1], 0.0];
    out.y1 = [v[0] + d[0] - w * e[1], v[1] + d[1] + w * e[0], 0.0];
    out.y2 = [
        -2.0 * w * d[1] - w * w * e[0],
        2.0 * w * d[0] - w * w * e[1],
        0.0,
    ];
    out.rows[..4].copy_from_slice(&[1.0, cos * U[0], -sin * U[1], -e[1]]);
    out.rows[4..8].copy_from_slice(&[1.0, sin * U[0], cos * U[1], e[0]]);
}

fn four_bar(x: &[f64], v: &[f64], out: &mut Out) {
    let [(st, ct), (ss, cs), (sr, cr)] = [x[0], x[1], x[2]].map(libm::sincos);
    let (a, b, c, m, n) = (x[7], x[8], x[9], x[10], x[11]);
    let (wt, ws, wr) = (v[0], v[1], v[2]);
    let crank = [a * ct, a * st];
    out.y = [
        x[3] + crank[0] + b * cs - x[5] - c * cr,
        x[4] + crank[1] + b * ss - x[6] - c * sr,
        x[3] + crank[0] + m * cs - n * ss,
    ];
    let turn = |length: f64, cos: f64, sin: f64, rate: f64, w: f64| {
        let along = [rate * cos - length * sin * w, rate * sin + length * cos * w];
        let bias = [
            -2.0 * rate * sin * w - length * cos * w * w,
            2.0 * rate * cos * w - length * sin * w * w,
        ];
        (along, bias)
    };
    let (a1, a2) = turn(a, ct, st, v[7], wt);
    let (b1, b2) = turn(b, cs, ss, v[8], ws);
    let (c1, c2) = turn(c, cr, sr, v[9], wr);
    let (m1, m2) = turn(m, cs, ss, v[10], ws);
    let (n1, n2) = turn(n, cs, ss, v[11], ws);
    out.y1 = [
        v[3] + a1[0] + b1[0] - v[5] - c1[0],
        v[4] + a1[1] + b1[1] - v[6] - c1[1],
        v[3] + a1[0] + m1[0] - n1[1],
    ];
    out.y2 = [
        a2[0] + b2[0] - c2[0],
        a2[1] + b2[1] - c2[1],
        a2[0] + m2[0] - n2[1],
    ];
    out.rows[..8].copy_from_slice(&[-a * st, -b * ss, c * sr, 1.0, -1.0, ct, cs, -cr]);
    out.rows[8..16].copy_from_slice(&[a * ct, b * cs, -c * cr, 1.0, -1.0, st, ss, -sr]);
    out.rows[16..].copy_from_slice(&[-a * st, -m * ss - n * cs, 1.0, ct, cs, -ss]);
}

fn eight_waves(x: &[f64], v: &[f64], out: &mut Out) {
    let [mut y, mut y1, mut y2] = [0.0; 3];
    let [mut by_x, mut by_y] = [0.0; 2];
    for k in 0..8 {
        let (a, b, n) = (x[2 + 2 * k], x[3 + 2 * k], (k + 1) as f64);
        let (da, db) = (v[2 + 2 * k], v[3 + 2 * k]);
        let (sin, cos) = libm::sincos(n * x[0] + b * x[1]);
        let rate = n * v[0] + db * x[1] + b * v[1];
        y += a * sin;
        y1 += da * sin + a * cos * rate;
        y2 += 2.0 * da * cos * rate - a * sin * rate * rate + 2.0 * a * cos * db * v[1];
        by_x += a * cos * n;
        by_y += a * cos * b;
        (out.rows[2 + 2 * k], out.rows[3 + 2 * k]) = (sin, a * cos * x[1]);
    }
    (out.y[0], out.y1[0], out.y2[0]) = (y, y1, y2);
    (out.rows[0], out.rows[1]) = (by_x, by_y);
}
