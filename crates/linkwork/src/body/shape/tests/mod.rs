//! Shape bodies keep the contract, and their laws.

mod solid;

use super::*;
use crate::body::check_body;
use crate::shape::{Domain, ShapeValue, Spline};

/// The ellipse `[cx, cy] + turn([a·cos u, b·sin u], φ)`, differentiated by hand.
#[derive(Debug)]
struct Ellipse;

const ROUND: [Domain; 1] = [Domain {
    from: 0.0,
    to: std::f64::consts::TAU,
    closed: true,
}];

impl ShapeMap for Ellipse {
    fn n_numbers(&self) -> usize {
        5
    }
    fn dimension(&self) -> usize {
        2
    }
    fn domains(&self) -> &[Domain] {
        &ROUND
    }
    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }
    fn start(&self, q: &mut [f64]) {
        q.copy_from_slice(&[0.0, 0.0, 1.0, 0.5, 0.3]);
    }
    fn eval(
        &self,
        of: Of,
        motion: &ShapeMotion<'_>,
        entry: &mut dyn FnMut(usize, usize, f64),
    ) -> ShapeValue {
        let ([u, ..], q, v) = (motion.u, motion.q, motion.v);
        let (a, b) = match of {
            Of::Point => (libm::cos(u), libm::sin(u)),
            Of::Tangent(_) => (-libm::sin(u), libm::cos(u)),
            Of::Along(_) => return ShapeValue::default(),
        };
        let (sin, cos) = libm::sincos(q[4]);
        let (e, f) = ([cos, sin], [-sin, cos]);
        let own = if of == Of::Point { 1.0 } else { 0.0 };
        let mut out = ShapeValue::default();
        for k in 0..2 {
            out.x[k] = own * q[k] + a * q[2] * e[k] + b * q[3] * f[k];
            entry(k, k, own);
            entry(k, 2, a * e[k]);
            entry(k, 3, b * f[k]);
            let turned = a * q[2] * f[k] - b * q[3] * e[k];
            entry(k, 4, turned);
            out.x_dot[k] = own * v[k] + v[2] * a * e[k] + v[3] * b * f[k] + v[4] * turned;
            let growing = v[2] * a * f[k] - v[3] * b * e[k];
            let toward = -(a * q[2] * e[k] + b * q[3] * f[k]);
            out.ell[k] = v[4] * (2.0 * growing + v[4] * toward);
        }
        out
    }
}

fn ellipse() -> ShapeBody {
    let points = MaterialPoint::along(&Ellipse, 1.0, (32, 1), false).unwrap();
    ShapeBody::new(Arc::new(Ellipse), points).unwrap()
}

const ROUGH: [[f64; 2]; 9] = [
    [0.0, 0.0],
    [1.0, 0.2],
    [1.5, 1.0],
    [0.7, 1.6],
    [-0.4, 1.2],
    [-0.9, 0.7],
    [-0.6, -0.3],
    [-0.3, -0.4],
    [-0.1, -0.2],
];

#[test]
fn an_ellipse_keeps_the_contract_and_has_its_mass() {
    let body = ellipse();
    let sites = [
        Site::Curve2(0.7),
        Site::Tangent(2.0),
        Site::Scalar(3),
        Site::Scalar(ShapeBody::LENGTH),
        Site::Scalar(ShapeBody::AREA),
        Site::Coordinates,
    ];
    check_body(&body, &sites, 3).unwrap_or_else(|violation| panic!("{violation}"));
    let mut mass = [0.0; 25];
    let mut q = [0.0; 5];
    body.initial_q(&mut q);
    body.mass(&q, &mut mass);
    // The reference of the study: 1, 1, ½, ½, (a² + b²)/2.
    for (k, expected) in [1.0, 1.0, 0.5, 0.5, 0.625].into_iter().enumerate() {
        assert!(
            (mass[6 * k] - expected).abs() < 1e-9,
            "{k}: {}",
            mass[6 * k]
        );
    }
}

#[test]
fn splines_keep_the_contract() {
    let elasticity = Elasticity {
        membrane: 3.0,
        plate: 0.2,
        damping: 0.01,
        reach: 0.3,
    };
    for closed in [false, true] {
        for (degree, n) in [(1, 9), (2, 9), (3, 9), (5, 9), (3, 5)] {
            let spline = Spline::in_plane(&ROUGH[..n], degree, closed);
            let body = ShapeBody::spline(spline, 2.0, elasticity).unwrap();
            let mut sites = vec![
                Site::Curve2(0.0),
                Site::Curve2(0.31),
                Site::Curve2(0.97),
                Site::Tangent(0.95),
                Site::Scalar(ShapeBody::LENGTH),
                Site::Coordinates,
            ];
            if closed {
                sites.push(Site::Scalar(ShapeBody::AREA));
            }
            // Poses are random. In this one no curve nearly stops at a point of Gauss, where lengths have no slope for
            // differences.
            check_body(&body, &sites, 42 + degree as u64)
                .unwrap_or_else(|violation| panic!("{closed} {degree} {n}: {violation}"));
            let is_patterned = matches!(body.mass_kind(), MassKind::Patterned(_));
            assert_eq!(is_patterned, n > 6);
        }
    }
    let lifted: Vec<Vec3> = ROUGH.iter().map(|&[x, y]| [x, y, x * y - 0.2]).collect();
    let body = ShapeBody::spline(Spline::in_space(&lifted, 3, true), 1.0, elasticity).unwrap();
    let sites = [
        Site::Curve(0.4),
        Site::Tangent(0.4),
        Site::Scalar(ShapeBody::LENGTH),
    ];
    check_body(&body, &sites, 5).unwrap_or_else(|violation| panic!("{violation}"));
}

/// Momentum and angular momentum of a spinning, growing ellipse stay over long flights.
#[test]
fn flight_keeps_momenta() {
    let body = ellipse();
    let mut q = [0.0; 5];
    body.initial_q(&mut q);
    let mut v = [0.1, 0.2, 0.1, -0.1, 3.0];
    let before = body.momentum(&q, &v);
    let mut dq = [0.0; 5];
    for _ in 0..600 {
        body.free_flight(&mut q, &mut v, 1.0 / 60.0, &mut dq);
    }
    let after = body.momentum(&q, &v);
    for k in 0..3 {
        assert!((after.linear[k] - before.linear[k]).abs() < 1e-11);
        assert!((after.angular[k] - before.angular[k]).abs() < 1e-9);
    }
}

#[test]
fn lengths_and_areas_are_those_of_circles() {
    let body = ellipse();
    let q = [0.3, -0.2, 0.8, 0.8, 0.4];
    let at = |scalar: u32| {
        let (mut x, mut x_dot, mut l, mut ell) = ([0.0], [0.0], [0.0; 5], [0.0]);
        let mut out = ConnectorMut {
            x: &mut x,
            x_dot: &mut x_dot,
            L: crate::linalg::MatMut::new(&mut l, 5),
            ell: &mut ell,
        };
        body.connector(&Site::Scalar(scalar), 0.0, &q, &[0.0; 5], &mut out);
        x[0]
    };
    let pi = std::f64::consts::PI;
    assert!((at(ShapeBody::LENGTH) - 1.6 * pi).abs() < 1e-12);
    assert!((at(ShapeBody::AREA) - 0.64 * pi).abs() < 1e-12);
}

/// A quarter of a circle by weights, and cubic Bézier curves, which are one part each: the second's length is by sums
/// over 4,000 points.
#[test]
fn lengths_of_curves_of_one_part() {
    let length = |map: Spline| {
        let mut q = vec![0.0; map.n_numbers()];
        map.start(&mut q);
        let points = MaterialPoint::along(&map, 1.0, (4, 4), true).unwrap();
        let body = ShapeBody::new(Arc::new(map), points).unwrap();
        let (mut x, mut x_dot, mut l, mut ell) = ([0.0], [0.0], vec![0.0; q.len()], [0.0]);
        let mut out = ConnectorMut {
            x: &mut x,
            x_dot: &mut x_dot,
            L: crate::linalg::MatMut::new(&mut l, q.len()),
            ell: &mut ell,
        };
        let none = vec![0.0; q.len()];
        body.connector(&Site::Scalar(ShapeBody::LENGTH), 0.0, &q, &none, &mut out);
        x[0]
    };
    let quarter = Spline::in_plane(&[[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], 2, false)
        .with_weights(vec![1.0, 0.5f64.sqrt(), 1.0]);
    assert!((length(quarter) - std::f64::consts::FRAC_PI_2).abs() < 1e-14);
    let points = [[0.0, 0.0], [1.0, 2.0], [3.0, 2.0], [4.0, -1.0]];
    let map = Spline::in_plane(&points, 3, false);
    let n = 4000;
    let at = |u: f64| {
        let w = 1.0 - u;
        let parts = [w * w * w, 3.0 * w * w * u, 3.0 * w * u * u, u * u * u];
        [0, 1].map(|k| (0..4).map(|i| parts[i] * points[i][k]).sum::<f64>())
    };
    // Chords, and half as many: Richardson's sum has an error of the fourth order.
    let chords = |n: usize| -> f64 {
        let each = (0..n).map(|i| [i, i + 1].map(|i| at(i as f64 / n as f64)));
        each.map(|[a, b]| (b[0] - a[0]).hypot(b[1] - a[1])).sum()
    };
    let sum = (4.0 * chords(n) - chords(n / 2)) / 3.0;
    let error = (length(map) / sum - 1.0).abs();
    assert!(error < 1e-9, "{error:e}");
}

#[test]
fn what_is_no_shape_is_refused() {
    let open = Spline::in_plane(&ROUGH, 3, false);
    let body = ShapeBody::spline(open.clone(), 1.0, Elasticity::default()).unwrap();
    let problem = body.connector_kind(&Site::Curve2(1.5)).unwrap_err();
    assert!(problem.to_string().contains("from 0 to 1"), "{problem}");
    assert_eq!(
        body.connector_kind(&Site::Scalar(ShapeBody::AREA)),
        Ok(None)
    );
    assert_eq!(body.connector_kind(&Site::Point2([0.0; 2])), Ok(None));
    let problem = ShapeBody::spline(open.clone(), -1.0, Elasticity::default()).unwrap_err();
    assert!(problem.to_string().contains("mass"), "{problem}");
    let stiff = Elasticity {
        plate: f64::NAN,
        ..Elasticity::default()
    };
    assert!(ShapeBody::spline(open, 1.0, stiff).is_err());
    assert!(ShapeBody::new(Arc::new(Ellipse), Vec::new()).is_err());
}
