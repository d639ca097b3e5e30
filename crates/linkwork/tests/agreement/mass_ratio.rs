//! Masses 1 : 10⁶ along a chain of 100, against a solve in double-double arithmetic.
//!
//! A change of `J` in its last bit moves the alternating chains by 1.5e-9, the others by 3e-15.

use std::ops::{Add, Div, Mul, Neg, Sub};

use linkwork::prelude::*;
use linkwork::simulator::SolveOptions;
use linkwork::solve::Outcome;
use linkwork::system::Motion;

use crate::dense::{Matrix, difference, largest};
use crate::random_world::Random;

/// A number of about 32 digits: the sum of two that do not overlap.
#[derive(Clone, Copy, Debug, Default)]
struct Double {
    high: f64,
    low: f64,
}

impl Double {
    /// `a + b` exactly (Knuth).
    fn two_sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let part = high - a;
        let low = (a - (high - part)) + (b - part);
        Self { high, low }
    }

    /// `a·b` exactly.
    fn two_product(a: f64, b: f64) -> Self {
        let high = a * b;
        Self {
            high,
            low: a.mul_add(b, -high),
        }
    }

    fn to_f64(self) -> f64 {
        self.high + self.low
    }
}

impl From<f64> for Double {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl Add for Double {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let high = Self::two_sum(self.high, other.high);
        let low = Self::two_sum(self.low, other.low);
        let part = Self::two_sum(high.high, high.low + low.high);
        Self::two_sum(part.high, part.low + low.low)
    }
}

impl Neg for Double {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            high: -self.high,
            low: -self.low,
        }
    }
}

impl Sub for Double {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Double {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let product = Self::two_product(self.high, other.high);
        let low = product.low + (self.high * other.low + self.low * other.high);
        Self::two_sum(product.high, low)
    }
}

impl Div for Double {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * Self::from(first);
        let second = rest.high / other.high;
        let rest = rest - other * Self::from(second);
        let third = rest.high / other.high;
        Self::two_sum(first, second) + Self::from(third)
    }
}

/// Solves the dense symmetric positive definite `a·x = b` of half bandwidth `band` in place.
fn solve_banded(a: &mut [Vec<Double>], b: &mut [Double], band: usize) {
    let n = b.len();
    for k in 0..n {
        for i in k + 1..(k + band + 1).min(n) {
            let factor = a[i][k] / a[k][k];
            for j in k..(k + band + 1).min(n) {
                a[i][j] = a[i][j] - factor * a[k][j];
            }
            b[i] = b[i] - factor * b[k];
        }
    }
    for i in (0..n).rev() {
        for j in i + 1..(i + band + 1).min(n) {
            b[i] = b[i] - a[i][j] * b[j];
        }
        b[i] = b[i] / a[i][i];
    }
}

/// Accelerations by `λ = (J·M⁻¹·Jᵀ)⁻¹·(b − J·M⁻¹·f)` in double-double; bodies of six coordinates.
fn reference(mass: &Matrix, jacobian: &Matrix, force: &[f64], b: &[f64]) -> Vec<f64> {
    let n_bodies = mass.rows / 6;
    // M⁻¹·x, body by body.
    let inverse = |x: &[Double]| -> Vec<Double> {
        let mut out = x.to_vec();
        for body in 0..n_bodies {
            let mut block: Vec<Vec<Double>> = (0..6)
                .map(|i| {
                    (0..6)
                        .map(|j| Double::from(mass.at(6 * body + i, 6 * body + j)))
                        .collect()
                })
                .collect();
            solve_banded(&mut block, &mut out[6 * body..6 * body + 6], 5);
        }
        out
    };
    let row_times = |row: usize, x: &[Double]| {
        let mut sum = Double::default();
        for (j, x) in jacobian.row(row).iter().zip(x) {
            if *j != 0.0 {
                sum = sum + Double::from(*j) * *x;
            }
        }
        sum
    };
    let free = inverse(&force.iter().map(|&f| Double::from(f)).collect::<Vec<_>>());
    let m = jacobian.rows;
    let mut a = vec![vec![Double::default(); m]; m];
    for column in 0..m {
        let part: Vec<Double> = jacobian
            .row(column)
            .iter()
            .map(|&j| Double::from(j))
            .collect();
        let part = inverse(&part);
        // Ball joints of neighbors only share a body.
        for row in column.saturating_sub(6)..(column + 7).min(m) {
            a[row][column] = row_times(row, &part);
        }
    }
    let mut lambda: Vec<Double> = (0..m)
        .map(|row| Double::from(b[row]) - row_times(row, &free))
        .collect();
    solve_banded(&mut a, &mut lambda, 6);
    let mut total: Vec<Double> = force.iter().map(|&f| Double::from(f)).collect();
    for (row, lambda) in lambda.iter().enumerate() {
        for (f, j) in total.iter_mut().zip(jacobian.row(row)) {
            if *j != 0.0 {
                *f = *f + Double::from(*j) * *lambda;
            }
        }
    }
    inverse(&total).into_iter().map(Double::to_f64).collect()
}

/// A curved, moving chain whose bars weigh `mass(i)`.
fn chain(n: usize, mass: impl Fn(usize) -> f64) -> World {
    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    let mut random = Random::new(41);
    let (mut at, mut end) = ([0.0; 3], GROUND.at([0.0; 3]));
    for i in 0..n {
        let turn = [0.0, random.between(-0.3, 0.3), random.between(-0.4, 0.4)];
        let half = linkwork::math::mat_vec(&linkwork::math::rotation_exp(turn), [0.5, 0.0, 0.0]);
        let center = linkwork::math::add(at, half);
        let rod = Rod {
            length: 1.0,
            radius: 0.05,
            mass: mass(i),
        };
        let label = format!("bar {i}");
        let body = world
            .add_body_at(&label, rod, Pose::turned(center, turn))
            .unwrap();
        world.set_v(body, &random.numbers(6, 0.3)).unwrap();
        world
            .join(&label, Ball, end, body.at([-0.5, 0.0, 0.0]))
            .unwrap();
        at = linkwork::math::add(center, half);
        end = body.at([0.5, 0.0, 0.0]);
    }
    world
}

fn check(name: &str, world: &World) {
    let mut simulator = Simulator::new();
    simulator.fill(world, Motion::Acceleration, &SolveOptions::default());
    let system = simulator.system();
    let (n, m) = (system.n_v(), system.n_rows());
    let mut b = vec![0.0; m];
    system.right_hand_side(Motion::Acceleration, &mut b);
    let expected = reference(
        &Matrix::new(n, n, system.mass_matrix()),
        &Matrix::new(m, n, system.jacobian_matrix()),
        system.force(),
        &b,
    );
    for method in Method::ALL {
        let solution = Simulator::new().accelerations(world, method).clone();
        let off = largest(&difference(&solution.motion, &expected)) / largest(&expected);
        assert!(off <= 1e-9, "{name}, {}: off by {off:.1e}", method.name());
        assert_eq!(
            solution.outcome,
            Outcome::Exact,
            "{name}, {}",
            method.name()
        );
    }
}

#[test]
fn double_double_keeps_thirty_digits() {
    let third = Double::from(1.0) / Double::from(3.0);
    let rest = Double::from(1.0) - third * Double::from(3.0);
    assert!(rest.to_f64().abs() < 1e-31);
    let tiny = (Double::from(1.0) + Double::from(1e-25)) - Double::from(1.0);
    assert!((tiny.to_f64() - 1e-25).abs() < 1e-31);
}

/// One to a million in 99 equal factors; no powers, so that the bits are the same everywhere.
fn grown(i: usize) -> f64 {
    (0..i).fold(1.0, |mass, _| mass * 1.149_756_995_397_74)
}

#[test]
fn alternating_masses() {
    check(
        "light first",
        &chain(100, |i| if i % 2 == 0 { 1.0 } else { 1e6 }),
    );
    check(
        "heavy first",
        &chain(100, |i| if i % 2 == 0 { 1e6 } else { 1.0 }),
    );
}

#[test]
fn growing_and_shrinking_masses() {
    check("growing", &chain(100, grown));
    check("shrinking", &chain(100, |i| grown(99 - i)));
    check(
        "a heavy end",
        &chain(100, |i| if i == 99 { 1e6 } else { 1.0 }),
    );
}
