//! Slopes where there is none, or an infinite one.

use linkwork_formula::{Hessian, Scope, Tape};

use crate::{N_INPUTS, run, tape, world};

/// At points where a slope would be infinite or no number: value, rate, second rate, row of x and y.
fn check(text: &str, at: [f64; 2], expected: [f64; 5]) {
    let tape = tape(text).unwrap();
    let mut x = [0.0; N_INPUTS];
    x[..2].copy_from_slice(&at);
    let mut v = [0.0; N_INPUTS];
    v[..2].copy_from_slice(&[2.0, 3.0]);
    let run = run(&tape, &x, &v, &[]);
    let found = [
        run.y[0],
        run.y1[0],
        run.y2[0],
        run.rows[0][0],
        run.rows[0][1],
    ];
    assert_eq!(found, expected, "{text} at {at:?}");
    // The symbolic gradient has the same guards.
    let mut around = world();
    let mut scope = Scope::new(&mut around);
    let value = scope.expression(text).unwrap();
    let mut graph = scope.into_graph();
    let gradient = graph.gradient(value.parts()[0], &[0, 1]);
    let symbolic = Tape::new(&graph, &gradient, N_INPUTS).unwrap();
    let mut exact = [0.0; 2];
    symbolic.value(&x, &mut exact);
    assert_eq!(exact, expected[3..], "{text} at {at:?}");
    let hessian = Hessian::new(&graph, value.parts()[0], N_INPUTS).unwrap();
    let mut y = vec![0.0; hessian.inputs().len() + 1];
    let mut entries = vec![0.0; hessian.n_entries()];
    hessian.eval(&x, &mut y, &mut entries);
    assert!(
        entries.iter().all(|entry| entry.is_finite()),
        "{text} at {at:?}: {entries:?}"
    );
}

#[test]
fn infinite_slopes_are_zero() {
    check("sqrt(x)", [0.0, 0.0], [0.0; 5]);
    check("norm([x, y])", [0.0, 0.0], [0.0; 5]);
    check("atan2(y, x)", [0.0, 0.0], [0.0; 5]);
    check(
        "asin(x)",
        [1.0, 0.0],
        [std::f64::consts::FRAC_PI_2, 0.0, 0.0, 0.0, 0.0],
    );
    check(
        "acos(x)",
        [-1.0, 0.0],
        [std::f64::consts::PI, 0.0, 0.0, 0.0, 0.0],
    );
    check("x^0.3", [0.0, 0.0], [0.0; 5]);
    check("x^2.5", [0.0, 0.0], [0.0; 5]);
    check("abs(x)", [0.0, 0.0], [0.0; 5]);
    check("sqrt(x^2 + y^2)", [0.0, 0.0], [0.0; 5]);
    check("norm([x, y])^2", [0.0, 0.0], [0.0; 5]);
}

#[test]
fn the_side_taken_has_the_slope() {
    check("min(x, 2y)", [1.0, 2.0], [1.0, 2.0, 0.0, 1.0, 0.0]);
    check("min(x, 2y)", [1.0, 0.25], [0.5, 6.0, 0.0, 0.0, 2.0]);
    check("max(x, 2y)", [1.0, 2.0], [4.0, 6.0, 0.0, 0.0, 2.0]);
    // Of equal ones the first.
    check("min(x, 2y)", [1.0, 0.5], [1.0, 2.0, 0.0, 1.0, 0.0]);
    check("max(x, 2y)", [1.0, 0.5], [1.0, 2.0, 0.0, 1.0, 0.0]);
    check("abs(x)", [-3.0, 0.0], [3.0, -2.0, 0.0, -1.0, 0.0]);
    // The other side is not even a number.
    check(
        "if(x < 0, 3y, sqrt(x))",
        [-1.0, 2.0],
        [6.0, 9.0, 0.0, 0.0, 3.0],
    );
    check(
        "if(x < 0, 3y, log(x)/x)",
        [-1.0, 2.0],
        [6.0, 9.0, 0.0, 0.0, 3.0],
    );
    check(
        "max(y, if(x < 0, -1, log(x)))",
        [-1.0, 2.0],
        [2.0, 3.0, 0.0, 0.0, 1.0],
    );
    check("if(x <= 0, y, 1/x)", [0.0, 2.0], [2.0, 3.0, 0.0, 0.0, 1.0]);
    check("floor(x) + sign(y)", [1.5, -2.0], [0.0; 5]);
}

/// A negative base with a whole exponent that is no literal.
#[test]
fn negative_numbers_have_whole_powers() {
    check("x^(y*0 + 3)", [-2.0, 5.0], [-8.0, 24.0, -48.0, 12.0, 0.0]);
    check(
        "x^65",
        [-1.0, 0.0],
        [-1.0, 130.0, -65.0 * 64.0 * 4.0, 65.0, 0.0],
    );
    check("x^-2", [2.0, 0.0], [0.25, -0.5, 1.5, -0.25, 0.0]);
}

/// A norm in space has its curvature also where two components are zero.
#[test]
fn norms_bend_across() {
    let tape = tape("norm([x, y, 2])").unwrap();
    let mut v = [0.0; N_INPUTS];
    v[0] = 3.0;
    let run = run(&tape, &[0.0; N_INPUTS], &v, &[]);
    // d²/dt² √(9t² + 4) = 9/2
    assert_eq!([run.y[0], run.y1[0], run.y2[0]], [2.0, 0.0, 4.5]);
}
