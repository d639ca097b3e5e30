//! The reference case of the ellipse (Witkin 1990, §5.3: models fitted to scatter data): center (1, 0.5), half axes 2
//! and 0.8, turned by 0.5 rad, noise of ±0.05.

use super::*;

pub(super) const EGG: &str = r#"{ "name": "egg", "type": "formula", "names": ["cx", "cy", "a", "b", "phi"],
    "values": [0, 0, 1.2, 1, 0], "curve": "[cx, cy] + turn([a*cos(u), b*sin(u)], phi)", "u": ["0", "tau"],
    "closed": true, "mass": 1e-4 }"#;
pub(super) const FIT: &str = r#"{ "name": "fit", "type": "formula", "is": "egg(u) ~ [x, y]", "for": "data", "free": ["u"] }"#;

pub(super) fn points(n: u32, noise: f64) -> Vec<Vec<f64>> {
    let mut random = Noise(11);
    let one = |k| {
        let u = f64::from(k) * std::f64::consts::TAU / f64::from(n);
        let (x, y) = (2.0 * u.cos(), 0.8 * u.sin());
        let (c, s) = (0.5f64.cos(), 0.5f64.sin());
        vec![
            1.0 + c * x - s * y + noise * random.next(),
            0.5 + s * x + c * y + noise * random.next(),
        ]
    };
    (0..n).map(one).collect()
}

/// a, b exchanged with φ + π/2, and φ + π, are the same.
fn distance(found: &[f64]) -> f64 {
    let [cx, cy, a, b, phi] = found.try_into().unwrap();
    let half = std::f64::consts::FRAC_PI_2;
    let (a, b, phi) = if a.abs() < b.abs() {
        (b, a, phi + half)
    } else {
        (a, b, phi)
    };
    let phi = phi - (phi / (2.0 * half)).floor() * 2.0 * half;
    let own = [cx, cy, a.abs(), b.abs(), phi];
    let truth = [1.0, 0.5, 2.0, 0.8, 0.5];
    (0..5)
        .map(|k| (own[k] - truth[k]).abs())
        .fold(0.0, f64::max)
}

#[test]
fn an_ellipse_is_found_in_eight_frames() {
    for n in [50, 100, 400] {
        let mut scene = scene(EGG, &table(&["x", "y"], &points(n, 0.05)), FIT);
        let mut simulator = Simulator::new();
        let mut reached = None;
        for frame in 1..=8 {
            step(&mut scene, &mut simulator);
            let distance = distance(&q(&scene, "egg"));
            println!("{n} points, frame {frame}: {distance}");
            if distance <= 0.02 {
                reached = reached.or(Some(frame));
            }
        }
        assert!(reached.is_some(), "{n}: {:?}", q(&scene, "egg"));
        assert!(distance(&q(&scene, "egg")) <= 0.02);
    }
}

/// Without noise it is found to the last digits, and places on it are told.
#[test]
fn an_ellipse_without_noise_is_exact() {
    let mut scene = scene(EGG, &table(&["x", "y"], &points(50, 0.0)), FIT);
    minimize(&mut scene);
    assert!(distance(&q(&scene, "egg")) < 1e-8, "{:?}", q(&scene, "egg"));
    let errors = errors(&scene, "fit");
    assert!(errors.rms() < 1e-9);
    assert!(errors.rows.iter().all(|own| own.at[0].is_some()));
}
