use super::*;
use crate::constraint::RowUnit;
use crate::constraint::Rows;
use crate::error::Error;

/// `c = |p|² − 1` of one point, with a mistake on request.
#[derive(Debug)]
struct OnUnitSphere {
    mistake: Option<Quantity>,
}

impl Constraint for OnUnitSphere {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Point3]
    }
    fn rows(&self) -> &[RowUnit] {
        &[RowUnit::SquareMeter]
    }
    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }
    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let (p, v) = (inputs[0].position(), inputs[0].velocity());
        let dot = crate::math::dot;
        let wrong = |quantity| f64::from(u8::from(self.mistake == Some(quantity)));
        out.c[0] = dot(p, p) - 1.0 + wrong(Quantity::Value) * v[0];
        out.c_dot[0] = 2.0 * dot(p, v) + 1e-3 * wrong(Quantity::Rate);
        out.gamma[0] = (2.0 + 1e-3 * wrong(Quantity::Acceleration)) * dot(v, v);
        let at = Quantity::Jacobian {
            input: 0,
            component: 0,
        };
        let row = [2.0 * p[0] + 1e-3 * wrong(at), 2.0 * p[1], 2.0 * p[2]];
        out.dc_dx(0).set3(0, 0, row);
        if self.mistake == Some(Quantity::Finite) {
            out.gamma[0] = f64::NAN;
        }
    }
}

#[test]
fn accepts_what_is_right() {
    check_constraint(&OnUnitSphere { mistake: None }, 1).unwrap();
}

#[test]
fn names_each_mistake() {
    let jacobian = Quantity::Jacobian {
        input: 0,
        component: 0,
    };
    for mistake in [
        Quantity::Value,
        Quantity::Rate,
        Quantity::Acceleration,
        Quantity::Finite,
        jacobian,
    ] {
        let constraint = OnUnitSphere {
            mistake: Some(mistake),
        };
        let violation = check_constraint(&constraint, 2).unwrap_err();
        let ConstraintViolation::Mismatch { row, quantity, .. } = violation.clone() else {
            panic!("{violation}");
        };
        assert_eq!((row, quantity), (0, mistake), "{violation}");
        assert!(violation.to_string().starts_with("row 0: "), "{violation}");
    }
}

#[test]
fn refuses_motions_of_other_kinds() {
    let motions = [InputMotion::at_rest(ConnectorKind::Point2, [0.0; 3])];
    let violation =
        check_constraint_at(&OnUnitSphere { mistake: None }, 0.0, &motions).unwrap_err();
    assert_eq!(
        violation.to_string(),
        "the motions are of kinds (point in the plane), but the constraint takes (point in space)"
    );
}

#[test]
fn motions_have_the_derivatives_they_claim() {
    let mut seeded = Seeded::new(3);
    let kinds = [
        ConnectorKind::Point3,
        ConnectorKind::Frame3,
        ConnectorKind::Direction3,
        ConnectorKind::Frame2,
    ];
    let slopes = |f: &dyn Fn(f64) -> Vec<f64>| -> Vec<f64> {
        difference(f).iter().map(|slope| slope.value).collect()
    };
    for motion in seeded.motions(&kinds, Spread::default()) {
        let close = |found: &[f64], expected: &[f64]| {
            for (a, b) in found.iter().zip(expected) {
                assert!((a - b).abs() < 1e-9, "{:?}: {a} {b}", motion.kind);
            }
        };
        let n = motion.kind.n_x_dot();
        for s in [0.0, 0.3] {
            let at = motion.at(s);
            let rate = slopes(&|h| motion.at(s + h).x.to_vec());
            let acceleration = slopes(&|h| motion.at(s + h).x_dot.to_vec());
            close(&acceleration[..n], &at.x_ddot[..n]);
            close(&rate[..3], &at.x_dot[..3]);
            if motion.kind == ConnectorKind::Frame3 {
                // Ṙ = [ω]×·R, by columns.
                for j in 0..3 {
                    let column = |x: &[f64]| [x[3 + j], x[6 + j], x[9 + j]];
                    let omega = [at.x_dot[3], at.x_dot[4], at.x_dot[5]];
                    close(&column(&rate), &crate::math::cross(omega, column(&at.x)));
                }
            }
        }
    }
}

/// Two directions at a right angle: `c = d_a·d_b`.
#[derive(Debug)]
struct Perpendicular;

impl Constraint for Perpendicular {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Direction3, ConnectorKind::Direction3]
    }
    fn rows(&self) -> &[RowUnit] {
        &[RowUnit::Number]
    }
    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }
    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let (a, b) = (inputs[0].position(), inputs[1].position());
        let (a_dot, b_dot) = (inputs[0].velocity(), inputs[1].velocity());
        let dot = crate::math::dot;
        out.c[0] = dot(a, b);
        out.c_dot[0] = dot(a_dot, b) + dot(a, b_dot);
        out.gamma[0] = 2.0 * dot(a_dot, b_dot);
        out.dc_dx(0).set3(0, 0, b);
        out.dc_dx(1).set3(0, 0, a);
    }
}

#[test]
fn directions_stay_on_the_unit_sphere() {
    check_constraint(&Perpendicular, 7).unwrap();
}

/// `c = x` rounded to millimeters.
#[derive(Debug)]
struct Steps;

impl Constraint for Steps {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Scalar]
    }
    fn rows(&self) -> &[RowUnit] {
        &[RowUnit::Meter]
    }
    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }
    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        out.c[0] = (inputs[0].x[0] * 1e3).round() * 1e-3;
        out.c_dot[0] = inputs[0].x_dot[0];
        out.dc_dx(0).set(0, 0, 1.0);
    }
}

#[test]
fn a_row_full_of_jumps_is_not_accepted() {
    assert!(check_constraint(&Steps, 8).is_err());
}
