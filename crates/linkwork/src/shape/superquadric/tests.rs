//! Superquadrics against differences, closed forms, and themselves undone.

use super::moments::{moments, octant, solid, weigh};
use super::*;
use crate::math::norm;
use crate::shape::VOLUME;

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn between(&mut self, from: f64, to: f64) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        from + (to - from) * (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn pair(&mut self, most: f64) -> [f64; 2] {
        [self.between(-most, most), self.between(-most, most)]
    }

    fn form(&mut self) -> SuperquadricForm {
        SuperquadricForm {
            a: [
                self.between(0.2, 2.0),
                self.between(0.2, 2.0),
                self.between(0.5, 3.0),
            ],
            e: [self.between(0.2, 1.8), self.between(0.2, 1.8)],
            taper: self.pair(0.8),
            shear: self.pair(0.5),
            twist: self.between(-1.0, 1.0),
            bend: self.pair(0.2),
        }
    }
}

const ALL: [usize; N_COORDINATES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

fn map(form: SuperquadricForm) -> Option<(Superquadric, Vec<f64>)> {
    let map = Superquadric::new(form, &ALL).ok()?;
    let mut q = vec![0.0; N_COORDINATES];
    map.start(&mut q);
    Some((map, q))
}

#[test]
fn derivatives_are_those_of_differences() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut n, mut worst_row, mut worst_ell) = (0, 0.0f64, 0.0f64);
    while n < 1000 {
        let Some((map, q)) = map(random.form()) else {
            continue;
        };
        n += 1;
        let u = [
            random.between(0.2, 1.0),
            random.between(-1.5, 1.5),
            random.between(-3.1, 3.1),
        ];
        let d = [0; 3].map(|_| random.between(-1.0, 1.0));
        let v: Vec<f64> = q.iter().map(|_| random.between(-1.0, 1.0)).collect();
        let at = |s: f64| -> Vec<f64> { q.iter().zip(&v).map(|(q, v)| q + s * v).collect() };
        for of in [Of::Point, Of::Along(d)] {
            let value = |q: &[f64]| map.eval(of, &ShapeMotion::at(u, q, &v), &mut |_, _, _| {});
            let mut rows = [[0.0; N_COORDINATES]; 3];
            let motion = ShapeMotion::at(u, &q, &v);
            let here = map.eval(of, &motion, &mut |axis, k, value| rows[axis][k] = value);
            let h = 1e-3;
            let differ = |far: [f64; 4]| (8.0 * (far[1] - far[2]) - (far[0] - far[3])) / (12.0 * h);
            for k in 0..N_COORDINATES {
                let moved = |s: f64| {
                    let mut q = q.clone();
                    q[k] += s * h;
                    value(&q).x
                };
                let far = [2.0, 1.0, -1.0, -2.0].map(moved);
                for axis in 0..3 {
                    let found = differ(far.map(|x| x[axis]));
                    let given = rows[axis][k];
                    worst_row = worst_row.max((found - given).abs() / (1.0 + given.abs()));
                }
            }
            let far = [2.0, 1.0, -1.0, -2.0].map(|s| value(&at(s * h)));
            for axis in 0..3 {
                let rate = differ(far.map(|x| x.x[axis]));
                let by_rows: f64 = rows[axis].iter().zip(&v).map(|(l, v)| l * v).sum();
                let scale = 1.0 + here.x_dot[axis].abs() + here.ell[axis].abs();
                worst_row = worst_row.max((rate - here.x_dot[axis]).abs() / scale);
                worst_row = worst_row.max((by_rows - here.x_dot[axis]).abs() / scale);
                let bend = differ(far.map(|x| x.x_dot[axis]));
                worst_ell = worst_ell.max((bend - here.ell[axis]).abs() / scale);
            }
        }
        // The lean ways give the same.
        let mut lean = [[0.0; N_COORDINATES]; 3];
        let mut x = [0.0; 3];
        let mut material = [0.0; 3];
        map.material(u, &mut material);
        map.each_row(&q, &material, &mut |own, rows| {
            x = own;
            for (lean, rows) in lean.iter_mut().zip(rows.chunks_exact(q.len())) {
                lean[..q.len()].copy_from_slice(rows);
            }
        });
        let (mut full, motion) = ([[0.0; N_COORDINATES]; 3], ShapeMotion::at(u, &q, &v));
        let value = map.eval(Of::Point, &motion, &mut |axis, k, v| full[axis][k] = v);
        assert_eq!((x, map.place(u, &q), lean), (value.x, value.x, full));
    }
    assert!(
        worst_row < 2e-8 && worst_ell < 2e-8,
        "{worst_row:e} {worst_ell:e}"
    );
}

#[test]
fn tangents_are_those_of_differences_also_while_places_move() {
    let mut random = Random(77);
    for _ in 0..100 {
        let Some((map, q)) = map(random.form()) else {
            continue;
        };
        let u = [0.8, random.between(-1.4, 1.4), random.between(0.1, 1.4)];
        let u_dot = [0; 3].map(|_| random.between(-0.3, 0.3));
        let v: Vec<f64> = q.iter().map(|_| random.between(-0.5, 0.5)).collect();
        let at = |s: f64| -> (Parameters, Vec<f64>) {
            let u = std::array::from_fn(|k| u[k] + s * u_dot[k]);
            (u, q.iter().zip(&v).map(|(q, v)| q + s * v).collect())
        };
        for of in [Of::Point, Of::Tangent(0), Of::Tangent(1), Of::Tangent(2)] {
            let value = |s: f64| {
                let (u, q) = at(s);
                let motion = ShapeMotion {
                    u,
                    u_dot,
                    q: &q,
                    v: &v,
                };
                map.eval(of, &motion, &mut |_, _, _| {})
            };
            let (h, here) = (1e-3, value(0.0));
            let far = [2.0, 1.0, -1.0, -2.0].map(|s| value(s * h));
            for axis in 0..3 {
                let differ = |x: [f64; 4]| (8.0 * (x[1] - x[2]) - (x[0] - x[3])) / (12.0 * h);
                let rate = differ(far.map(|x| x.x[axis]));
                let bend = differ(far.map(|x| x.x_dot[axis]));
                let scale = 1.0 + norm(here.x_dot) + norm(here.ell);
                assert!((rate - here.x_dot[axis]).abs() < 1e-6 * scale);
                assert!((bend - here.ell[axis]).abs() < 1e-6 * scale);
            }
            if of == Of::Point {
                for k in 0..3 {
                    let motion = ShapeMotion::at(u, &q, &v);
                    let tangent = map.eval(Of::Tangent(k), &motion, &mut |_, _, _| {}).x;
                    assert!(norm(crate::math::sub(tangent, here.x_u[k])) < 1e-12);
                }
            }
        }
    }
}

#[test]
fn what_is_deformed_is_undone() {
    let mut random = Random(0xABCD_EF01);
    let (mut n, mut worst) = (0, 0.0f64);
    while n < 1000 {
        let mut form = random.form();
        if n % 3 == 0 {
            // Long and thin, bent far beyond a quarter.
            form = SuperquadricForm {
                a: [0.05, 0.04, 1.0],
                shear: [0.0; 2],
                bend: random.pair(1.9),
                ..form
            };
        }
        let Some((map, q)) = map(form) else { continue };
        n += 1;
        let u = [
            random.between(0.1, 1.0),
            random.between(-1.5, 1.5),
            random.between(-3.1, 3.1),
        ];
        let p = map.place(u, &q);
        let found = map.locate(p, &q).unwrap();
        let again = map.place(found, &q);
        for k in 0..3 {
            worst = worst.max((again[k] - p[k]).abs());
        }
        let (g, _) = map.gauge(&q, p);
        worst = worst.max((g - u[0]).abs());
    }
    assert!(worst < 1e-12, "{worst:e}");
}

/// On spheres the distance is exact on the surface and has the right slope there.
#[test]
fn the_gauge_is_a_distance_to_first_order() {
    let form = SuperquadricForm::new([0.5; 3], [1.0; 2]);
    let (map, q) = map(form).unwrap();
    for p in [[0.5, 0.0, 0.0], [0.3, 0.0, 0.4], [0.0, 0.0, -0.5]] {
        assert!(map.distance(&q, p).abs() < 1e-12);
        let out = p.map(|x| 1.01 * x);
        assert!((map.distance(&q, out) - 0.005).abs() < 1e-12);
    }
    assert!((map.distance(&q, [0.0, 0.1, 0.0]) + 0.4).abs() < 1e-12);
}

/// The reference values of the study, and those of points.
#[test]
fn moments_are_exact() {
    let form = SuperquadricForm::new([0.5, 0.7, 1.3], [0.3, 1.7]);
    let size: f64 = form.a.iter().product();
    let [volume, across, along] = moments(form.e).map(|m| m * size);
    let [x, y, z] = form.a.map(|a| a * a);
    let expected = [1.9922309168, 0.0901838441, 0.1767603343, 1.0265846954];
    let given = [volume, x * across, y * across, z * along];
    for (given, expected) in given.into_iter().zip(expected) {
        assert!((given - expected).abs() < 1e-9, "{given} {expected}");
    }
    assert!((form.volume() - expected[0]).abs() < 1e-9);
    let sphere = SuperquadricForm::new([0.7; 3], [1.0; 2]).volume();
    assert!((sphere - 4.0 / 3.0 * PI * 0.343).abs() < 1e-12);

    let exponents = [0.11, 0.2, 0.3, 0.6, 1.0, 1.4, 1.7, 1.85];
    for e1 in exponents {
        for e2 in exponents {
            let form = SuperquadricForm {
                e: [e1, e2],
                ..form
            };
            for (detail, most) in [
                (Detail::Exponents, 512),
                (Detail::Modes, 512),
                (Detail::Levels, 20),
            ] {
                let points = solid(&form.form(), detail).unwrap();
                assert!(points.len() <= most);
                assert!(points.iter().all(|(_, mass)| *mass > 0.0));
                let [volume, across, along] = moments(form.e).map(|m| m * size);
                let mut sums = [0.0; 4];
                for (u, mass) in &points {
                    let x = form.form().deform(unit(*u, form.e));
                    sums[0] += mass;
                    (0..3).for_each(|k| sums[1 + k] += mass * x[k] * x[k]);
                }
                let expected = [volume, x * across, y * across, z * along];
                for (sum, expected) in sums.into_iter().zip(expected) {
                    assert!(
                        (sum / expected - 1.0).abs() < 1e-12,
                        "{e1} {e2}: {sum} {expected}"
                    );
                }
            }
        }
    }
}

/// Twenty points have the mass matrix of seven thousand, bent, twisted and tapered.
#[test]
fn levels_have_the_mass_of_the_whole() {
    let (e, close) = ([1.0; 2], 2e-4);
    let form = SuperquadricForm {
        a: [0.2, 0.15, 0.6],
        e,
        taper: [0.4, -0.2],
        shear: [0.1, 0.05],
        twist: 0.7,
        bend: [0.9, -0.4],
    };
    let free = [0, 1, 2, 5, 6, 7, 8, 9, 10, 11];
    let map = Superquadric::new(form, &free).unwrap();
    let mut q = vec![0.0; free.len()];
    map.start(&mut q);
    let mass = |points: &[([f64; 3], f64)]| {
        let mut material = vec![[0.0; 3]; points.len()];
        for (out, (u, _)) in material.iter_mut().zip(points) {
            map.material(*u, out);
        }
        let (mut at, mut sum) = (points.iter(), vec![0.0; 100]);
        map.each_row(&q, material.as_flattened(), &mut |_, l| {
            let (_, own) = at.next().unwrap();
            for l in l.chunks_exact(10) {
                (0..100).for_each(|k| sum[k] += own * l[k / 10] * l[k % 10]);
            }
        });
        sum
    };
    let (few, many) = (
        mass(&solid(&form.form(), Detail::Levels).unwrap()),
        mass(&weigh(&form.form(), octant(e, 12, 6))),
    );
    let mut worst = 0.0f64;
    for k in 0..100 {
        let size = (many[11 * (k / 10)] * many[11 * (k % 10)]).sqrt();
        worst = worst.max((few[k] - many[k]).abs() / size);
    }
    assert!(worst < close, "{e:?}: {worst:e}");
}

/// Volume and mass of what is deformed: twist alone keeps it, taper and bend against shear do not.
#[test]
fn volumes_follow_deformations() {
    let mut random = Random(5);
    for _ in 0..50 {
        let form = random.form();
        if form.validate().is_err() {
            continue;
        }
        for detail in [Detail::Exponents, Detail::Levels] {
            let points = solid(&form.form(), detail).unwrap();
            let mass: f64 = points.iter().map(|own| own.1).sum();
            assert!((mass / form.volume() - 1.0).abs() < 1e-12);
        }
        // Against a fine sum of determinants of the deformation, by the tangents of the map.
        let (map, q) = map(form).unwrap();
        let v: Vec<f64> = q.iter().map(|_| random.between(-1.0, 1.0)).collect();
        let mut rows = [0.0; N_COORDINATES];
        let [volume, rate, second] = map.measure(VOLUME, &q, &v, &mut |k, value| rows[k] = value);
        assert!((volume / form.volume() - 1.0).abs() < 1e-12);
        let at = |s: f64| {
            let q: Vec<f64> = q.iter().zip(&v).map(|(q, v)| q + s * v).collect();
            map.measure(VOLUME, &q, &v, &mut |_, _| {})
        };
        let h = 1e-3;
        let far = [2.0, 1.0, -1.0, -2.0].map(|s| at(s * h));
        let differ =
            |k: usize| (8.0 * (far[1][k] - far[2][k]) - (far[0][k] - far[3][k])) / (12.0 * h);
        let scale = 1.0 + rate.abs() + second.abs();
        let by_rows: f64 = rows.iter().zip(&v).map(|(l, v)| l * v).sum();
        assert!((differ(0) - rate).abs() < 1e-8 * scale && (by_rows - rate).abs() < 1e-12 * scale);
        assert!((differ(1) - second).abs() < 1e-8 * scale);
    }
}

#[test]
fn what_is_no_superquadric_is_refused() {
    let good = SuperquadricForm::new([0.1, 0.1, 0.5], [1.0; 2]);
    let problem = |form: SuperquadricForm| Superquadric::new(form, &[]).unwrap_err().to_string();
    let with_size = |a| problem(SuperquadricForm { a, ..good });
    assert!(with_size([0.1, 0.0, 0.5]).contains("a "));
    assert!(with_size([0.1, -0.1, 0.5]).contains("a "));
    assert!(with_size([f64::NAN; 3]).contains("a "));
    assert!(
        problem(SuperquadricForm {
            e: [0.1, 1.0],
            ..good
        })
        .contains("more than 0.1 and less than 1.9")
    );
    assert!(
        problem(SuperquadricForm {
            e: [1.0, 1.9],
            ..good
        })
        .contains("more than 0.1 and less than 1.9")
    );
    assert!(
        problem(SuperquadricForm {
            taper: [1.0, 0.0],
            ..good
        })
        .contains("taper")
    );
    assert!(
        problem(SuperquadricForm {
            bend: [3.0, 1.0],
            ..good
        })
        .contains("less than π")
    );
    let wide = SuperquadricForm {
        a: [0.5, 0.1, 0.2],
        bend: [1.0, 0.0],
        ..good
    };
    assert!(problem(wide).contains("folds"));
    assert!(
        Superquadric::new(good, &[12])
            .unwrap_err()
            .to_string()
            .contains("12")
    );
}

/// Slopes of the distance against differences, by every number and by the point, on the surface and away from it.
#[test]
fn distances_have_their_slopes() {
    let mut form = SuperquadricForm::new([0.3, 0.4, 1.0], [0.6, 0.9]);
    (form.taper, form.bend, form.twist) = ([0.3, -0.2], [0.4, -0.5], 0.2);
    form.shear = [0.1, -0.1];
    let all: Vec<usize> = (0..N_COORDINATES).collect();
    let map = Superquadric::new(form, &all).unwrap();
    let mut q = [0.0; N_COORDINATES];
    map.start(&mut q);
    for (u, v, away) in [(0.4, 0.7, 0.0), (-0.8, 2.0, 0.1), (0.3, -1.1, -0.05)] {
        let (x, n) = (
            map.place([1.0, u, v], &q),
            map.normal([1.0, u, v], &q).unwrap(),
        );
        let p: Vec3 = std::array::from_fn(|k| x[k] + away * n[k]);
        let mut found = None;
        map.each_distance(&q, &mut [p].into_iter(), &mut |own| found = Some(*own));
        let found: Distance = found.unwrap();
        assert!((found.r - map.distance(&q, p)).abs() < 1e-14);
        map.each_flat_distance(&q, &mut [p].into_iter(), &mut |r, flat| {
            assert!((r - found.r).abs() < 1e-14);
            let differs = flat.iter().zip(found.flat).map(|(a, b)| (a - b).abs());
            assert!(differs.fold(0.0, f64::max) < 1e-12);
        });
        // A distance of first order: what it is off by falls with the square.
        let off = (found.r - away).abs();
        assert!(off < 2.0 * away * away + 1e-12, "{away}: {off:e}");
        for k in 0..N_COORDINATES + 3 {
            let at = |h: f64| {
                let (mut q, mut p) = (q, p);
                match k < N_COORDINATES {
                    true => q[k] += h,
                    false => p[k - N_COORDINATES] += h,
                }
                map.distance(&q, p)
            };
            let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!(
                (slope - found.slopes[k]).abs() < 1e-6,
                "{k} at {away}: {slope} {}",
                found.slopes[k]
            );
            if away == 0.0 {
                assert!((slope - found.flat[k]).abs() < 1e-6);
            }
        }
        let (number, rate) = map.number_from(5, form.taper[0]);
        assert!(
            (number - q[5]).abs() < 1e-12
                && (rate - 0.98 * (1.0 - (0.3f64 / 0.98).powi(2))).abs() < 1e-12
        );
    }
}
