use super::*;
use crate::constraint::Evaluation;
use crate::constraint::contract::{InputMotion, Seeded, Spread, check_constraint_within, evaluate};
use crate::math::rotation_exp;

const JOINTS: [(&str, FramePair); 9] = [
    ("weld", FramePair::weld()),
    ("hinge", FramePair::hinge()),
    ("universal", FramePair::universal()),
    ("ball", FramePair::ball()),
    ("prismatic", FramePair::prismatic()),
    ("cylindrical", FramePair::cylindrical()),
    ("planar", FramePair::planar()),
    ("point in slot", FramePair::point_in_slot()),
    ("point on plane", FramePair::point_on_plane()),
];

const X: Vec3 = [1.0, 0.0, 0.0];
const Y: Vec3 = [0.0, 1.0, 0.0];

/// Contract at small and large distances from the constraint.
#[test]
fn every_joint_keeps_the_contract() {
    let spreads = [
        (1e-3, 1e-3),
        (0.1, 0.1),
        (1.0, 0.3),
        (1.0, 1.0),
        (1.0, 2.0),
        (2.0, 2.8),
    ];
    for (name, pair) in JOINTS {
        for (seed, (distance, turn)) in (0..).zip(spreads) {
            let spread = Spread { distance, turn };
            check_constraint_within(&pair, seed, spread)
                .unwrap_or_else(|violation| panic!("{name}, turn {turn}: {violation}"));
        }
    }
}

/// The rows with frame a somewhere in space and frame b at `offset`, `turn` in frame a.
fn rows_at(pair: &FramePair, offset: Vec3, turn: &Mat3) -> Evaluation {
    let kinds = pair.inputs();
    let mut a = InputMotion::at_rest(kinds[0], [0.3, -0.2, 0.7]);
    let mut b = InputMotion::at_rest(kinds[1], [0.0; 3]);
    if kinds[0] == ConnectorKind::Frame3 {
        a.rotation = rotation_exp([0.4, -1.1, 0.6]);
    }
    b.place = add(a.place, mat_vec(&a.rotation, offset));
    b.rotation = mat_mul(&a.rotation, turn);
    evaluate(pair, 0.0, &[a.at(0.0), b.at(0.0)])
}

/// The free motion of a joint at a stage of several full turns: offset and rotation of b in a.
fn free_motion(pair: &FramePair, angle: f64) -> (Vec3, Mat3) {
    let slide = |k: usize| {
        if pair.translation()[k] {
            0.0
        } else {
            libm::sin(0.3 * angle + k as f64)
        }
    };
    let about_x = rotation_exp(scale(angle, X));
    let about_y = rotation_exp(scale(1.7 * angle, Y));
    let turn = match pair.rotation() {
        RotationRows::Full => IDENTITY3,
        RotationRows::Axis => about_x,
        RotationRows::Universal => mat_mul(&about_x, &about_y),
        RotationRows::Free => mat_mul(&mat_mul(&about_x, &about_y), &about_x),
    };
    ([slide(0), slide(1), slide(2)], turn)
}

/// Determinant of `D·Dᵀ`, with `D` the rows' derivatives in input b.
fn gram_determinant(rows: &Evaluation, pair: &FramePair) -> f64 {
    let n = rows.c.len();
    let [kind_a, kind_b] = [pair.inputs()[0], pair.inputs()[1]];
    let (start, n_cols) = (n * kind_a.n_x_dot(), kind_b.n_x_dot());
    let d = |i: usize, k: usize| rows.dc_dx[start + i * n_cols + k];
    let mut gram = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..n {
            gram[i][j] = (0..n_cols).map(|k| d(i, k) * d(j, k)).sum();
        }
    }
    let mut determinant = 1.0;
    for k in 0..n {
        determinant *= gram[k][k];
        for i in k + 1..n {
            let factor = gram[i][k] / gram[k][k];
            for j in k..n {
                gram[i][j] -= factor * gram[k][j];
            }
        }
    }
    determinant
}

#[test]
fn free_motions_pass_through_full_turns() {
    for (name, pair) in JOINTS {
        let mut before: Option<Vec<f64>> = None;
        let n_steps = 4000;
        for step in 0..=n_steps {
            let angle = 8.0 * PI * (f64::from(step) / f64::from(n_steps)) - 4.0 * PI;
            let (offset, turn) = free_motion(&pair, angle);
            let rows = rows_at(&pair, offset, &turn);
            for c in &rows.c {
                assert!(c.abs() < 1e-14, "{name} at {angle}: c = {c:e}");
            }
            let determinant = gram_determinant(&rows, &pair);
            assert!(determinant > 0.99, "{name} at {angle}: {determinant}");
            if let Some(before) = before {
                for (now, then) in rows.dc_dx.iter().zip(&before) {
                    // A step is 6.3 mrad, 17 mrad with both turns of the universal joint.
                    assert!((now - then).abs() < 0.05, "{name} jumps at {angle}");
                }
            }
            before = Some(rows.dc_dx);
        }
    }
}

/// The rotation rows of a joint bent by `angle` in a held direction have that length, so nothing
/// but the joint itself is a root.
#[test]
fn orientation_error_is_the_angle() {
    let length = |c: &[f64]| c.iter().map(|c| c * c).sum::<f64>().sqrt();
    let mut seeded = Seeded::new(5);
    for angle in [1e-9, 1e-4, 0.1, 0.3, 1.0, 2.0, 3.0, 3.1, PI - 1e-6, PI] {
        for free in [0.0, 1.0, 3.0, 5.0] {
            let about_x = rotation_exp(scale(free, X));
            // Axes of bending: across x for the axis joints, any for the full ones.
            let across = seeded.between(0.0, 6.0);
            let across = [0.0, libm::cos(across), libm::sin(across)];
            let bent = mat_mul(&rotation_exp(scale(angle, across)), &about_x);
            for pair in [
                FramePair::hinge(),
                FramePair::cylindrical(),
                FramePair::planar(),
            ] {
                let rows = rows_at(&pair, [0.0; 3], &bent);
                let found = length(&rows.c[pair.n_translation_rows()..]);
                assert!((found - angle).abs() < 1e-8, "{angle}: {found}");
                assert!(rows.dc_dx.iter().all(|d| d.is_finite()));
            }
            let any = rotation_exp(scale(angle, seeded.direction()));
            for pair in [FramePair::weld(), FramePair::prismatic()] {
                let rows = rows_at(&pair, [0.0; 3], &any);
                let found = length(&rows.c[pair.n_translation_rows()..]);
                assert!((found - angle).abs() < 1e-8, "{angle}: {found}");
            }
        }
    }
    // A universal joint is off by at most a right angle: x of a tilted in the plane of y of b.
    for angle in [-FRAC_PI_2, -1.0, -1e-6, 0.0, 0.3, 1.0, 1.5, FRAC_PI_2] {
        let tilted = rotation_exp([0.0, 0.0, -angle]);
        let rows = rows_at(&FramePair::universal(), [0.0; 3], &tilted);
        assert!((rows.c[3] - angle).abs() < 1e-8, "{angle}: {}", rows.c[3]);
        assert!(gram_determinant(&rows, &FramePair::universal()) > 0.99);
    }
}

/// Exactly half a turn: rows of full rank point out of it.
#[test]
fn half_a_turn_is_no_root() {
    for axis in [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
        // Exact matrices, so that the sine is exactly zero.
        let mut turn = [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]];
        for k in 0..3 {
            if axis[k] > 0.0 {
                turn[k][k] = 1.0;
            }
        }
        let pair = FramePair::hinge();
        let a = InputMotion::at_rest(ConnectorKind::Frame3, [0.0; 3]);
        let b = InputMotion {
            rotation: turn,
            ..a
        };
        let rows = evaluate(&pair, 0.0, &[a.at(0.0), b.at(0.0)]);
        assert!(
            (rows.c[3].hypot(rows.c[4]) - PI).abs() < 1e-12,
            "{:?}",
            rows.c
        );
        assert!(gram_determinant(&rows, &pair) > 0.99);
    }
}

#[test]
fn a_pair_that_holds_nothing_is_refused() {
    let nothing = FramePair::new([false; 3], RotationRows::Free);
    assert_eq!(
        nothing.validate().unwrap_err().field_name(),
        Some("translation")
    );
}
