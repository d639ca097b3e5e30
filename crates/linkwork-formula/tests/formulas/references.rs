//! Cases whose results are known: §14 of the study of functions, as far as formulas alone carry them.

use linkwork_formula::{Item, Kind, Named, Scope, Tape};

use crate::run;

fn numbers(names: &'static [&'static str]) -> Vec<(&'static str, Named)> {
    let inputs = (0..).map(|k| Named::Input(Kind::Scalar, k));
    names.iter().copied().zip(inputs).collect()
}

/// A · x = b by elimination, for a few unknowns.
fn solve<const N: usize>(mut a: [[f64; N]; N], mut b: [f64; N]) -> [f64; N] {
    for k in 0..N {
        for i in k + 1..N {
            let factor = a[i][k] / a[k][k];
            for j in k..N {
                a[i][j] -= factor * a[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..N).rev() {
        b[k] = (b[k] - (k + 1..N).map(|j| a[k][j] * b[j]).sum::<f64>()) / a[k][k];
    }
    b
}

/// An ellipse of five numbers with equal masses at 32 points.
struct Ellipse(Tape);

impl Ellipse {
    fn new() -> Self {
        let mut names = numbers(&["cx", "cy", "a", "b", "phi"]);
        let mut scope = Scope::new(&mut names);
        scope.bind("u", 5);
        let value = scope
            .expression("[cx, cy] + turn([a*cos(u), b*sin(u)], phi)")
            .unwrap();
        Self(Tape::new(scope.graph(), value.parts(), 6).unwrap())
    }

    /// M = Σ w·LᵀL and f = −Σ w·Lᵀℓ.
    fn mass(&self, q: &[f64; 5], v: &[f64; 5]) -> ([[f64; 5]; 5], [f64; 5]) {
        let (mut mass, mut force) = ([[0.0; 5]; 5], [0.0; 5]);
        for k in 0..32 {
            let u = std::f64::consts::TAU * f64::from(k) / 32.0;
            let x = [q[0], q[1], q[2], q[3], q[4], u];
            let x1 = [v[0], v[1], v[2], v[3], v[4], 0.0];
            let point = run(&self.0, &x, &x1, &[]);
            for (row, bias) in point.rows.iter().zip(&point.y2) {
                for i in 0..5 {
                    for j in 0..5 {
                        mass[i][j] += row[i] * row[j] / 32.0;
                    }
                    force[i] -= row[i] * bias / 32.0;
                }
            }
        }
        (mass, force)
    }
}

#[test]
fn mass_of_an_ellipse() {
    let (mass, _) = Ellipse::new().mass(&[0.0, 0.0, 1.0, 0.5, 0.3], &[0.0; 5]);
    for (k, expected) in [1.0, 1.0, 0.5, 0.5, 0.625].into_iter().enumerate() {
        assert!((mass[k][k] - expected).abs() < 1e-15, "{k}: {}", mass[k][k]);
    }
}

#[test]
fn an_ellipse_flies() {
    let ellipse = Ellipse::new();
    let slope = |s: &[f64; 10]| {
        let (q, v): ([f64; 5], [f64; 5]) = (s[..5].try_into().unwrap(), s[5..].try_into().unwrap());
        let (mass, force) = ellipse.mass(&q, &v);
        let a = solve(mass, force);
        std::array::from_fn(|k| if k < 5 { v[k] } else { a[k - 5] })
    };
    let mut s = [0.0, 0.0, 1.0, 0.5, 0.3, 0.1, 0.2, 0.1, -0.1, 1.0];
    let h = 0.005;
    for _ in 0..200 {
        s = rk4(&s, h, &slope);
    }
    for (found, expected) in s.iter().zip([0.1, 0.2, 1.507941, 0.588315, 1.063885]) {
        assert!((found - expected).abs() < 1e-6, "{s:?}");
    }
}

fn rk4<const N: usize>(s: &[f64; N], h: f64, slope: &impl Fn(&[f64; N]) -> [f64; N]) -> [f64; N] {
    let moved = |k: &[f64; N], h: f64| std::array::from_fn(|i| s[i] + h * k[i]);
    let k1 = slope(s);
    let k2 = slope(&moved(&k1, h / 2.0));
    let k3 = slope(&moved(&k2, h / 2.0));
    let k4 = slope(&moved(&k3, h));
    std::array::from_fn(|i| s[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
}

/// A bead on a cycloid swings with the same period whatever its amplitude: 4π·√(r/g).
#[test]
fn the_tautochrone() {
    let mut names = numbers(&["w"]);
    let mut scope = Scope::new(&mut names);
    let value = scope.expression("0.25[w + sin(w), 1 - cos(w)]").unwrap();
    let wire = Tape::new(scope.graph(), value.parts(), 1).unwrap();
    // m·x_w·(x_w·ẅ + ℓ) = −m·g·y_w
    let slope = |s: &[f64; 2]| {
        let point = run(&wire, &s[..1], &s[1..], &[]);
        let [x_w, y_w] = [point.rows[0][0], point.rows[1][0]];
        let bias = x_w * point.y2[0] + y_w * point.y2[1];
        [s[1], -(9.81 * y_w + bias) / (x_w * x_w + y_w * y_w)]
    };
    for amplitude in [0.1, 1.0, 2.0, 3.0] {
        let (mut s, h, mut t) = ([amplitude, 0.0], 1e-4, 0.0);
        // A quarter, to where it passes the bottom.
        let passed = loop {
            let next = rk4(&s, h, &slope);
            if next[0] <= 0.0 {
                break t + h * s[0] / (s[0] - next[0]);
            }
            (s, t) = (next, t + h);
        };
        assert!(
            (4.0 * passed - 2.006067).abs() < 2e-6,
            "{amplitude}: {}",
            4.0 * passed
        );
    }
}

/// At a minimum of E where c = 0: c is zero, and ∇E is a sum of ∇c (Hock, Schittkowski 1981).
fn stationary<const N: usize>(names: &'static [&'static str], text: &str, at: [f64; N]) -> f64 {
    let mut names = numbers(names);
    let mut scope = Scope::new(&mut names);
    let lines = scope
        .compile(text)
        .unwrap_or_else(|problems| panic!("{}", problems[0].show(text)));
    let (mut outputs, mut constraints) = (Vec::new(), Vec::new());
    for line in &lines {
        match &line.item {
            Item::Minimize(at) => outputs.push(*at),
            Item::Equation(value) => constraints.extend_from_slice(value.parts()),
            _ => {}
        }
    }
    outputs.extend(constraints);
    let tape = Tape::new(scope.graph(), &outputs, N).unwrap();
    let found = run(&tape, &at, &[], &[]);
    let open = found.y[1..]
        .iter()
        .fold(0.0_f64, |most, c| most.max(c.abs()));
    assert!(open < 1e-9, "{text}: c = {open:e}");
    // Least squares of the gradient in the rows, by Gram and Schmidt.
    let (mut rest, mut basis) = (found.rows[0].clone(), Vec::<Vec<f64>>::new());
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    for row in &found.rows[1..] {
        let mut row = row.clone();
        for own in &basis {
            let part = dot(&row, own);
            row.iter_mut()
                .zip(own)
                .for_each(|(x, own)| *x -= part * own);
        }
        let norm = dot(&row, &row).sqrt();
        row.iter_mut().for_each(|x| *x /= norm);
        let part = dot(&rest, &row);
        rest.iter_mut()
            .zip(&row)
            .for_each(|(x, own)| *x -= part * own);
        basis.push(row);
    }
    dot(&rest, &rest).sqrt()
}

#[test]
fn known_minima() {
    let power = |p: f64| libm::pow(2.0, p);
    let slopes = [
        stationary(
            &["x", "y"],
            "minimize (1 - x)^2; 10(y - x^2) == 0",
            [1.0, 1.0],
        ),
        stationary(
            &["x", "y"],
            "minimize log(1 + x^2) - y; (1 + x^2)^2 + y^2 == 4",
            [0.0, 3.0_f64.sqrt()],
        ),
        stationary(
            &["x", "y", "z"],
            "minimize (x + y)^2 + (y + z)^2; x + 2y + 3z == 1",
            [0.5, -0.5, 0.5],
        ),
        stationary(
            &["a", "b", "c", "d"],
            "maximize a*b*c*d; a^3 + b^2 == 1; a^2*d == c; d^2 == b",
            [
                power(-1.0 / 3.0),
                power(-0.5),
                power(-11.0 / 12.0),
                power(-0.25),
            ],
        ),
        stationary(
            &["w", "h"],
            "maximize w*h^3; w² + h² == 1",
            [0.5, 0.75_f64.sqrt()],
        ),
        stationary(
            &["x", "y"],
            "minimize log(exp(x + 3y - 0.1) + exp(x - 3y - 0.1) + exp(-x - 0.1))",
            [-0.346_573_590_279_972_64, 0.0],
        ),
    ];
    assert!(slopes.iter().all(|slope| *slope < 1e-12), "{slopes:?}");
}

/// The largest polygon of twelve unit edges is the regular one, with 3/tan 15°.
#[test]
fn the_regular_polygon() {
    let corner = |k: usize| format!("[x{0}, y{0}]", k % 12);
    let mut text: String = (0..12)
        .map(|k| format!("dist({}, {}) == 1\n", corner(k), corner(k + 1)))
        .collect();
    let crosses: Vec<String> = (0..12)
        .map(|k| format!("cross({}, {})", corner(k), corner(k + 1)))
        .collect();
    text += &format!("area = ({})/2\nmaximize area\narea", crosses.join(" + "));
    let inputs: Vec<String> = (0..12)
        .flat_map(|k| [format!("x{k}"), format!("y{k}")])
        .collect();
    let mut names: Vec<(&str, Named)> = inputs
        .iter()
        .enumerate()
        .map(|(k, name)| (name.as_str(), Named::Input(Kind::Scalar, k as u16)))
        .collect();
    let mut scope = Scope::new(&mut names);
    let lines = scope.compile(&text).unwrap();
    let mut outputs = Vec::new();
    for line in &lines {
        match &line.item {
            Item::Value(value) | Item::Equation(value) => outputs.extend_from_slice(value.parts()),
            _ => {}
        }
    }
    let tape = Tape::new(scope.graph(), &outputs, 24).unwrap();
    // Each edge depends on four numbers, the area on all.
    assert!((0..12).all(|k| tape.pattern(k).len() == 4));
    assert_eq!(tape.pattern(12).len(), 24);
    let radius = 0.5 / libm::sin(std::f64::consts::PI / 12.0);
    let x: Vec<f64> = (0..24)
        .map(|k| {
            let angle = std::f64::consts::TAU * f64::from(k / 2) / 12.0;
            radius
                * if k % 2 == 0 {
                    libm::cos(angle)
                } else {
                    libm::sin(angle)
                }
        })
        .collect();
    let found = run(&tape, &x, &[], &[]);
    assert!(found.y[..12].iter().all(|c| c.abs() < 1e-14));
    assert!(
        (found.y[12] - 11.196_152_422_706_632).abs() < 1e-13,
        "{}",
        found.y[12]
    );
    // The slope of the area is a sum of the edges' rows: each pulls with the same force.
    let pull = found.rows[12][0] / (found.rows[0][0] + found.rows[11][0]);
    for k in 0..24 {
        let edges: f64 = found.rows[..12].iter().map(|row| row[k]).sum();
        assert!((found.rows[12][k] - pull * edges).abs() < 1e-13);
    }
}

/// The loop and the coupler point of a four-bar, closed: the gap and its rates are those of the mechanism.
#[test]
fn a_four_bar() {
    let mut names = numbers(&["t", "s", "r"]);
    let mut scope = Scope::new(&mut names);
    let text = "
        A = [0, 0] + 0.6[cos(t), sin(t)]
        B = A + 2.1[cos(s), sin(s)]
        D = [2, 0.2] + 1.5[cos(r), sin(r)]
        P = A + turn([1.1, 0.9], s)
        B == D
        P";
    let lines = scope.compile(text).unwrap();
    let mut outputs = Vec::new();
    for line in &lines {
        match &line.item {
            Item::Value(value) | Item::Equation(value) => outputs.extend_from_slice(value.parts()),
            _ => {}
        }
    }
    let tape = Tape::new(scope.graph(), &outputs, 3).unwrap();
    // Close s and r by Newton's method for a row of crank angles; P moves as its rows say.
    let (mut q, mut last) = ([0.4, 0.8, 1.4], None::<[f64; 2]>);
    let h = 1e-5;
    for k in 0..60 {
        q[0] = 0.4 + f64::from(k / 2) * 0.2 + f64::from(k % 2) * h;
        for _ in 0..20 {
            let gap = run(&tape, &q, &[], &[]);
            let step = solve(
                [
                    [gap.rows[0][1], gap.rows[0][2]],
                    [gap.rows[1][1], gap.rows[1][2]],
                ],
                [-gap.y[0], -gap.y[1]],
            );
            q = [q[0], q[1] + step[0], q[2] + step[1]];
        }
        let here = run(&tape, &q, &[], &[]);
        assert!(here.y[0].abs() < 1e-14 && here.y[1].abs() < 1e-14);
        let rates = solve(
            [
                [here.rows[0][1], here.rows[0][2]],
                [here.rows[1][1], here.rows[1][2]],
            ],
            [-here.rows[0][0], -here.rows[1][0]],
        );
        let v = [1.0, rates[0], rates[1]];
        let moving = run(&tape, &q, &v, &[]);
        assert!(moving.y1[0].abs() < 1e-13);
        if let Some(last) = last.filter(|_| k % 2 == 1) {
            let rate = (moving.y[2] - last[0]) / h;
            assert!(
                (rate - moving.y1[2]).abs() < 1e-4 * (1.0 + rate.abs()),
                "{rate} {}",
                moving.y1[2]
            );
        }
        last = Some([moving.y[2], moving.y[3]]);
    }
}
