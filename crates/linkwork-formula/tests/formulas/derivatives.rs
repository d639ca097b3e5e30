//! Derivatives of random formulas: jets against differences, and jets, rows and symbolic gradients against each
//! other.

use linkwork_formula::{Hessian, Kind, Named, Scope, Tape};

use crate::run;

/// A small generator of numbers: what is random here is the same on every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides
    }

    /// From −1 to 1, never 0.
    pub(crate) fn number(&mut self) -> f64 {
        self.roll(1000) as f64 / 500.0 - 1.0 + 0.0005
    }
}

/// A formula over x, y, z whose derivatives are of the order of one.
fn formula(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 {
        return match dice.roll(5) {
            0 => "x".into(),
            1 => "y".into(),
            2 => "z".into(),
            3 => "v.x".into(),
            _ => format!("{:.2}", 0.3 + dice.roll(20) as f64 / 10.0),
        };
    }
    let p = formula(dice, depth - 1);
    let less = dice.roll(depth);
    let q = formula(dice, less);
    match dice.roll(27) {
        0..=2 => format!("({p} + {q})"),
        3..=4 => format!("({p} - {q})"),
        5..=7 => format!("({p})*({q})"),
        8 => format!("({p})/(2 + sin({q}))"),
        9 => format!("sin({p})"),
        10 => format!("cos({p})"),
        11 => format!("exp(-abs({p}))"),
        12 => format!("sqrt(1 + ({p})^2)"),
        13 => format!("atan2({p}, 2 + cos({q}))"),
        14 => format!("norm([{p}, 1 + ({q})^2])"),
        15 => format!("norm([{p}, {q}, 1.5])"),
        16 => format!("(1.5 + sin({p}))^cos({q})"),
        17 => format!("tanh({p})*log(2 + cos({q}))"),
        18 => format!("min({p}, {q})"),
        19 => format!("max({p}, {q}, 0.3)"),
        20 => format!("if({p} < {q}, {p}, sin({q}))"),
        // The other side is no number.
        21 => {
            format!("if({p} < 0, 1, sqrt(abs({p}) + 0.1)) + if({q} < 0, {q}, log(0.1 + abs({q})))")
        }
        22 => format!("asin(0.9*sin({p})) + acos(0.9*cos({q}))"),
        23 => format!("atan({p}) + sinh(tanh({q})) + cosh(tanh({p}))"),
        24 => format!("der(sin({p})*({q}), x)"),
        25 => format!("huber({p}, 0.4) + mod({q}, 3) + clamp({p}, -0.5, 0.5)"),
        _ => format!(
            "dot(turn([{p}, {q}], {p}), unit([1.2, {q}])) + (2 + cos({p}))^-3 + sum(k, 1, 3, {q}/k)"
        ),
    }
}

/// Names of the inputs.
fn names() -> Vec<(&'static str, Named)> {
    vec![
        ("x", Named::Input(Kind::Scalar, 0)),
        ("y", Named::Input(Kind::Scalar, 1)),
        ("z", Named::Input(Kind::Scalar, 2)),
        ("v", Named::Input(Kind::Vector2, 3)),
    ]
}

#[test]
fn derivatives_of_random_formulas_agree() {
    const N: usize = 5;
    let mut dice = Dice(5);
    let (mut n_good, mut n_formulas) = (0, 0);
    let mut worst = [0.0_f64; 4];
    while n_formulas < 10_000 {
        let depth = 2 + dice.roll(3);
        let text = formula(&mut dice, depth);
        let mut around = names();
        let mut scope = Scope::new(&mut around);
        let value = scope
            .expression(&text)
            .unwrap_or_else(|problem| panic!("{}", problem.show(&text)));
        let mut graph = scope.into_graph();
        let at = value.parts()[0];
        let gradient = graph.gradient(at, &[0, 1, 2, 3, 4]);
        let (Ok(tape), Ok(symbolic)) =
            (Tape::new(&graph, &[at], N), Tape::new(&graph, &gradient, N))
        else {
            continue;
        };
        let hessian = Hessian::new(&graph, at, N);
        n_formulas += 1;
        let x: [f64; N] = std::array::from_fn(|_| dice.number());
        let v: [f64; N] = std::array::from_fn(|_| dice.number());
        let a: [f64; N] = std::array::from_fn(|_| dice.number());
        let here = run(&tape, &x, &v, &a);
        let (y, y1, y2) = (here.y[0], here.y1[0], here.y2[0]);
        assert!(y.is_finite(), "{text} at {x:?}: {:?}", tape.blame(&x));

        // Rows and rates, without differences.
        let row = &here.rows[0];
        let along: f64 = (0..N).map(|k| row[k] * v[k]).sum();
        let size = 1.0 + y.abs() + y1.abs() + row.iter().map(|d| d.abs()).sum::<f64>();
        worst[0] = worst[0].max((along - y1).abs() / size);
        let mut exact = [0.0; N];
        symbolic.value(&x, &mut exact);
        for k in 0..N {
            worst[1] = worst[1].max((row[k] - exact[k]).abs() / size);
        }
        // y₂ = vᵀ·H·v + row·a
        let second =
            symbolic_second(&symbolic, &x, &v) + (0..N).map(|k| row[k] * a[k]).sum::<f64>();
        let size = size + y2.abs();
        worst[2] = worst[2].max((second - y2).abs() / size.powi(2));
        if let Ok(hessian) = hessian {
            symmetric(&hessian, &x, &exact, size, &text);
        }

        // Against differences along x + s·v + ½s²·a, away from kinks.
        let h = 1e-4;
        let at = |s: f64| {
            let place: [f64; N] = std::array::from_fn(|k| x[k] + s * v[k] + 0.5 * s * s * a[k]);
            let speed: [f64; N] = std::array::from_fn(|k| v[k] + s * a[k]);
            let run = run(&tape, &place, &speed, &a);
            (run.y[0], run.y1[0], run.y2[0])
        };
        let (low, high) = (at(-h), at(h));
        // A kink between shows in y₂ or y₁.
        let is_smooth =
            (high.2 - low.2).abs() < 0.05 * size && (high.1 - low.1).abs() < 0.05 * size;
        if is_smooth {
            n_good += 1;
            let first = ((high.0 - low.0) / (2.0 * h) - y1).abs() / size.powi(2);
            let second = ((high.1 - low.1) / (2.0 * h) - y2).abs() / size.powi(2);
            assert!(
                first < 1e-5 && second < 1e-5,
                "{text} at {x:?}, {v:?}: {first:e}, {second:e}"
            );
            worst[3] = worst[3].max(first.max(second));
        }
    }
    println!(
        "rows against jets {:.1e}, against symbolic {:.1e}; second {:.1e}; against differences {:.1e} of {n_good}",
        worst[0], worst[1], worst[2], worst[3]
    );
    assert!(
        n_good > 9_000,
        "only {n_good} are smooth where they were tried"
    );
    assert!(
        worst[0] < 1e-14 && worst[1] < 1e-14 && worst[2] < 1e-13,
        "{worst:?}"
    );
}

/// vᵀ·H·v by the rows of the symbolic gradient.
fn symbolic_second(symbolic: &Tape, x: &[f64], v: &[f64]) -> f64 {
    let rows = run(symbolic, x, &[], &[]).rows;
    let n = x.len();
    (0..n)
        .map(|i| (0..n).map(|j| v[i] * rows[i][j] * v[j]).sum::<f64>())
        .sum()
}

/// A Hessian is symmetric, and its gradient is that of the rows.
fn symmetric(hessian: &Hessian, x: &[f64], gradient: &[f64], size: f64, text: &str) {
    let n = hessian.inputs().len();
    let (mut y, mut entries) = (vec![0.0; n + 1], vec![0.0; hessian.n_entries()]);
    hessian.eval(x, &mut y, &mut entries);
    let mut h = [[0.0; 5]; 5];
    let mut entries = entries.into_iter();
    for k in hessian.inputs() {
        let entry = entries.next().unwrap();
        assert!(
            (entry - gradient[*k as usize]).abs() < 1e-13 * size,
            "{text}"
        );
    }
    for (k, input) in hessian.inputs().iter().enumerate() {
        for column in hessian.pattern(k) {
            h[*input as usize][usize::from(*column)] = entries.next().unwrap();
        }
    }
    for i in 0..5 {
        for j in 0..i {
            let gap = (h[i][j] - h[j][i]).abs();
            assert!(gap < 1e-12 * size.powi(2), "{text}: {gap:e}");
        }
    }
}
