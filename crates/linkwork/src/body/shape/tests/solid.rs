//! Solids keep the contract, and their laws.

use crate::body::{Body, Displacement, Freedom, Matter, ShapeBody, check_body};
use crate::connector::Site;
use crate::math::{dot, norm, rotation_exp, sub, transpose};
use crate::shape::{Of, ShapeMotion, Superquadric, SuperquadricForm};

const ALL: [Option<Freedom>; 6] = [Some(Freedom {
    stiffness: 2.0,
    damping: 0.1,
}); 6];

fn matter(free: [Option<Freedom>; 6]) -> Matter {
    Matter {
        density: 500.0,
        free,
        drag: 0.3,
        ..Matter::default()
    }
}

fn bent() -> SuperquadricForm {
    SuperquadricForm {
        a: [0.3, 0.2, 0.9],
        e: [0.8, 1.2],
        taper: [0.3, -0.2],
        shear: [0.1, 0.05],
        twist: 0.4,
        bend: [0.3, -0.2],
    }
}

#[test]
fn superquadrics_keep_the_contract() {
    let rotation = rotation_exp([0.3, -0.8, 0.5]);
    let sites = [
        Site::Point([0.05, 0.1, 0.3]),
        Site::Point([0.0; 3]),
        Site::Frame {
            origin: [0.1, -0.05, -0.2],
            rotation,
        },
        Site::Direction(rotation[1]),
        Site::Surface([0.4, 2.0]),
        Site::Surface([1.5, 0.3]),
        Site::SurfaceFrame([-0.4, 1.0]),
        Site::SurfaceFrame([std::f64::consts::FRAC_PI_2, 0.0]),
        Site::Interior([0.6, 0.2, -2.0]),
    ];
    let mut with_scalars = sites.to_vec();
    with_scalars.extend((0..12).map(Site::Scalar));
    with_scalars.push(Site::Scalar(ShapeBody::VOLUME));
    let check = |form, matter, sites: &[Site], seed| {
        let body = ShapeBody::superquadric(form, matter).unwrap();
        check_body(&body, sites, seed).unwrap_or_else(|violation| panic!("{seed}: {violation}"));
    };
    for seed in 0..4 {
        check(bent(), matter(ALL), &with_scalars, seed);
    }
    // Every group alone, with yield, and none.
    for group in 0..6 {
        let mut free = [None; 6];
        free[group] = ALL[group];
        let own = Matter {
            yield_at: Some(0.2),
            ..matter(free)
        };
        check(bent(), own, &sites, group as u64);
    }
    check(bent(), matter([None; 6]), &sites, 9);
    let ball = SuperquadricForm::new([0.2; 3], [1.0; 2]);
    check(ball, matter(ALL), &with_scalars, 10);
}

const RUBBER: Displacement = Displacement {
    modes: None,
    young: 2e5,
    poisson: 0.3,
};

/// Affine solids and those with modes beside their global shape: the same contract, sites, numbers and volume.
#[test]
fn displaced_solids_keep_the_contract() {
    let rotation = rotation_exp([0.3, -0.8, 0.5]);
    let mut sites = vec![
        Site::Point([0.05, 0.1, 0.3]),
        Site::Frame {
            origin: [0.1, -0.05, -0.2],
            rotation,
        },
        Site::Direction(rotation[1]),
        Site::Surface([0.4, 2.0]),
        Site::SurfaceFrame([-0.4, 1.0]),
        Site::Interior([0.6, 0.2, -2.0]),
        Site::Scalar(ShapeBody::VOLUME),
    ];
    sites.extend((12..16).map(Site::Scalar));
    let affine = Matter {
        displacement: Some(RUBBER),
        ..matter([None; 6])
    };
    let with_modes = Matter {
        displacement: Some(Displacement {
            modes: Some(4),
            ..RUBBER
        }),
        yield_at: Some(0.1),
        ..matter([ALL[0], None, None, None, None, ALL[5]])
    };
    for (seed, own) in [affine, with_modes].into_iter().enumerate() {
        let body = ShapeBody::superquadric(bent(), own).unwrap();
        check_body(&body, &sites, seed as u64).unwrap_or_else(|violation| panic!("{violation}"));
        let (mut q, ..) = state(&body);
        let n = body.map().n_numbers();
        // What is displaced is found again, and its normal is across its tangents.
        for (k, q) in q[7..7 + n].iter_mut().enumerate() {
            *q += 0.03 * (1.0 + k as f64).sin();
        }
        let (map, numbers) = (body.map().clone(), body.numbers(&q).to_vec());
        for u in [[1.0, 0.3, 1.0], [0.5, -1.2, -2.0]] {
            let x = map.place(u, &numbers);
            let found = map.locate(x, &numbers).unwrap();
            assert!(norm(sub(map.place(found, &numbers), x)) < 1e-12);
            let normal = map.normal([1.0, u[1], u[2]], &numbers).unwrap();
            for k in [1, 2] {
                let motion = ShapeMotion::at([1.0, u[1], u[2]], &numbers, &numbers);
                let tangent = map.eval(Of::Tangent(k), &motion, &mut |_, _, _| {}).x;
                assert!(dot(normal, tangent).abs() < 1e-10 * norm(tangent));
            }
        }
    }
}

/// A ball that is free: its slowest modes are those of Lamb 1882, ω·R/c = 2.501 (it twists, five of them) and 2.640 at
/// ν = 0.3.
#[test]
fn a_ball_has_its_frequencies() {
    let (radius, density) = (0.5, 1000.0);
    let form = SuperquadricForm::new([radius; 3], [1.0; 2]);
    let map = Superquadric::new(form, &[]).unwrap();
    let mu = 1e6;
    let lambda = 2.0 * mu * 0.3 / 0.4;
    let (_, squares) = map.with_modes(10, density, [lambda, mu]).unwrap();
    let scale = radius / (mu / density).sqrt();
    let found: Vec<f64> = squares.iter().map(|own| own.sqrt() * scale).collect();
    println!("{found:?}");
    for own in &found[..5] {
        assert!((own / 2.501 - 1.0).abs() < 0.01, "{found:?}");
    }
    for own in &found[5..] {
        assert!((own / 2.640 - 1.0).abs() < 0.01, "{found:?}");
    }
}

/// Beside seven global coordinates and the frame, twelve modes say nothing twice: M, scaled, is as good as that of the
/// study.
#[test]
fn modes_are_orthogonal_to_all_else() {
    let own = Matter {
        displacement: Some(Displacement {
            modes: Some(12),
            ..RUBBER
        }),
        ..matter([ALL[0], None, ALL[2], None, None, ALL[5]])
    };
    let form = SuperquadricForm::new([0.1, 0.15, 0.4], [1.0, 1.0]);
    let body = ShapeBody::superquadric(form, own).unwrap();
    let (mut q, ..) = state(&body);
    let n = body.n_v();
    let condition = |q: &[f64]| {
        let mut mass = vec![0.0; n * n];
        body.mass(q, &mut mass);
        let diagonal: Vec<f64> = (0..n).map(|k| mass[k * (n + 1)].sqrt()).collect();
        (0..n * n).for_each(|k| mass[k] /= diagonal[k / n] * diagonal[k % n]);
        let scaled = mass.clone();
        let mut vectors = vec![0.0; n * n];
        crate::linalg::eigen::diagonalize(n, &mut mass, &mut vectors);
        let values = || (0..n).map(|k| mass[k * (n + 1)]);
        (
            values().fold(0.0, f64::max) / values().fold(f64::INFINITY, f64::min),
            scaled,
        )
    };
    let (at_rest, mass) = condition(&q);
    let others = (6 + 7)..n;
    for i in others.clone() {
        for j in (0..n).filter(|j| *j != i) {
            assert!(
                mass[i * n + j].abs() < 1e-9,
                "{i} {j}: {:e}",
                mass[i * n + j]
            );
        }
    }
    let bend = 7 + body.map().n_numbers() - 12 - 2;
    q[bend] = 1.5;
    let (bent, _) = condition(&q);
    println!("condition {at_rest} at rest, {bent} bent");
    assert!(at_rest < 10.0 && bent < 30.0, "{at_rest} {bent}");
}

fn state(body: &ShapeBody) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let mut q = vec![0.0; body.n_q()];
    body.initial_q(&mut q);
    (q, vec![0.0; body.n_v()], vec![0.0; body.n_v()])
}

/// Spun, pulsing and bending, without any force: momenta stay.
#[test]
fn flight_keeps_momenta_of_solids() {
    let body = ShapeBody::superquadric(bent(), matter(ALL)).unwrap();
    let (mut q, mut v, mut dq) = state(&body);
    v[..6].copy_from_slice(&[1.0, 0.0, -0.5, 1.5, 3.0, 0.9]);
    for (k, v) in v[6..].iter_mut().enumerate() {
        *v = 0.02 * (k as f64 - 5.0);
    }
    let before = body.momentum(&q, &v);
    for _ in 0..600 {
        body.free_flight(&mut q, &mut v, 1.0 / 600.0, &mut dq);
    }
    let after = body.momentum(&q, &v);
    let linear = norm(sub(after.linear, before.linear)) / norm(before.linear);
    let angular = norm(sub(after.angular, before.angular)) / norm(before.angular);
    assert!(linear < 1e-11 && angular < 1e-10, "{linear:e} {angular:e}");
}

/// What is here now is found again where its matter was at birth.
#[test]
fn sites_are_told_by_where_their_matter_was() {
    let body = ShapeBody::superquadric(bent(), matter(ALL)).unwrap();
    let (mut q, v, _) = state(&body);
    for (k, q) in q[7..].iter_mut().enumerate() {
        *q += 0.1 * ((k * k) as f64).sin();
    }
    let rotation = transpose(&rotation_exp([0.2, 0.5, -0.3]));
    let now = Site::Frame {
        origin: [0.05, 0.03, 0.4],
        rotation,
    };
    let born = body.material_site(&q, now).unwrap();
    assert_ne!(born, now);
    let (mut x, mut x_dot, mut ell) = ([0.0; 12], [0.0; 6], [0.0; 6]);
    let mut l = vec![0.0; 6 * body.n_v()];
    let mut out = crate::connector::ConnectorMut {
        x: &mut x,
        x_dot: &mut x_dot,
        L: crate::linalg::MatMut::new(&mut l, body.n_v()),
        ell: &mut ell,
    };
    body.connector(&born, 0.0, &q, &v, &mut out);
    let expected = [0.05, 0.03, 0.4].iter().chain(rotation.as_flattened());
    for (found, expected) in x.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
    let far = body.material_site(&q, Site::Point([50.0, 0.0, 0.0]));
    assert!(far.is_ok() || far.unwrap_err().to_string().contains("matter"));
}

/// Beyond the yield rest follows, once.
#[test]
fn what_yields_stays() {
    let own = Matter {
        yield_at: Some(0.1),
        ..matter([None, None, None, None, None, ALL[5]])
    };
    let body = ShapeBody::superquadric(bent(), own).unwrap();
    let (mut q, ..) = state(&body);
    assert_eq!(q.len(), 7 + 2 + 2);
    q[7] += 0.5;
    let energy = body.internal_energy(&q);
    body.begin_step(&mut q, 1.0 / 60.0);
    assert!((q[9] - (bent().bend[0] + 0.4)).abs() < 1e-15);
    assert!(body.internal_energy(&q) < energy);
    let once = q.clone();
    body.begin_step(&mut q, 1.0 / 60.0);
    assert_eq!(once, q);
    q[7] -= 0.05;
    body.begin_step(&mut q, 1.0 / 60.0);
    assert_eq!(once[9..], q[9..]);
}

#[test]
fn what_is_no_solid_is_refused() {
    let problem = |matter| {
        let body = ShapeBody::superquadric(bent(), matter);
        body.unwrap_err().to_string()
    };
    let good = matter(ALL);
    assert!(
        problem(Matter {
            density: 0.0,
            ..good
        })
        .contains("density")
    );
    assert!(problem(Matter { drag: -1.0, ..good }).contains("drag"));
    assert!(
        problem(Matter {
            yield_at: Some(0.0),
            ..good
        })
        .contains("yield")
    );
    let body = ShapeBody::superquadric(bent(), matter([None; 6])).unwrap();
    let held = body
        .connector_kind(&Site::Scalar(5))
        .unwrap_err()
        .to_string();
    assert!(held.contains("taper1") && held.contains("held"), "{held}");
    let outside = |site| body.connector_kind(&site).unwrap_err().to_string();
    assert!(outside(Site::Interior([1.5, 0.0, 0.0])).contains("r = 1.5"));
    assert!(outside(Site::Surface([2.0, 0.0])).contains("latitude"));
    assert!(outside(Site::Surface([0.0, f64::NAN])).contains("surface"));
    assert_eq!(body.connector_kind(&Site::Curve(0.5)), Ok(None));
    // Nothing is born folded over. Steps may bend it further, and that is a pose which can be given back.
    let mut folded = bent();
    folded.bend[0] = 3.2;
    let told = folded.validate().unwrap_err().to_string();
    assert!(told.contains("bend"), "{told}");
    let free = ShapeBody::superquadric(bent(), matter(ALL)).unwrap();
    let (mut q, ..) = state(&free);
    q[7 + 10] = 3.2;
    let before = q.clone();
    free.check_q(&mut q).unwrap();
    assert_eq!(q, before);
    assert!(!free.is_smooth_at(&q));
}
