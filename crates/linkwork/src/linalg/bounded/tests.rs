//! Random problems, solved to the law; and against methods of another kind.

mod hard;
mod pivoting;

use super::*;
use crate::linalg::dense::dot;

struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        let (a, c) = (6_364_136_223_846_793_005, 1_442_695_040_888_963_407);
        self.0 = self.0.wrapping_mul(a).wrapping_add(c);
        (self.0 >> 33) as f64 / f64::from(1u32 << 31) * 2.0 - 1.0
    }
}

const fn between(least: f64, most: f64) -> Set {
    Set::Between { least, most }
}

const BOUNDS: [Set; 5] = [
    Set::ONE_SIDED,
    between(-0.3, 0.2),
    Set::ONE_SIDED,
    between(-0.01, 0.01),
    between(0.0, 0.0),
];

/// `W = A·Aᵀ` of `rank` columns, so that rows may repeat each other; every other row moves `ratio` times as much.
/// Rates are such that impulses can answer them.
fn rows(seed: u64, n: usize, rank: usize, ratio: f64) -> BoundedProblem {
    let mut random = Random(seed);
    let mut a = vec![0.0; n * rank];
    for (at, a) in a.iter_mut().enumerate() {
        let scale = if at / rank % 2 == 1 { ratio } else { 1.0 };
        *a = scale * random.next();
    }
    let row = |i: usize| &a[i * rank..(i + 1) * rank];
    let load: Vec<f64> = (0..rank).map(|_| random.next()).collect();
    let mut out = BoundedProblem::default();
    out.size(n);
    for i in 0..n {
        out.rate[i] = dot(row(i), &load);
        for j in 0..n {
            out.response[i * n + j] = dot(row(i), row(j));
        }
        out.groups.push(Group {
            set: BOUNDS[i % BOUNDS.len()],
            start: i,
            n: 1,
            mobility: out.response[i * n + i],
        });
    }
    out
}

#[test]
fn bounds_are_obeyed_whatever_the_rank_and_the_masses() {
    for seed in 0..300 {
        for (n, rank) in [(1, 6), (2, 6), (4, 9), (10, 40), (10, 5), (16, 8), (40, 60)] {
            for ratio in [1.0, 10.0, 100.0] {
                let mut rows = rows(seed, n, rank, ratio);
                let answer = rows.solve(&mut |_| false);
                let case = format!("{seed} {n} {rank} {ratio}: {answer:?}");
                // Rows that repeat each other have impulses of any size, which cost digits.
                assert!(answer.residual <= 3e-9 * ratio, "{case}");
                for row in 0..n {
                    let (r, u) = (rows.impulse[row], rows.left[row]);
                    let Set::Between { least, most } = rows.groups[row].set else {
                        unreachable!()
                    };
                    assert!(r >= least && r <= most, "{case}");
                    // In words: what is inside rests, what is at a bound goes the way that keeps it there.
                    let near =
                        |bound: f64| (r - bound).abs() * rows.groups[row].mobility < 1e-9 * ratio;
                    let rests = u.abs() < 1e-8 * ratio;
                    let is_kept = near(least) && u > 0.0 || near(most) && u < 0.0;
                    assert!(rests || is_kept, "{case}: {r} {u}");
                }
            }
        }
    }
}

/// Projected Gauss–Seidel, slow and simple, finds the same rates, which are unique.
#[test]
fn gauss_seidel_finds_the_same_rates() {
    for seed in 0..20 {
        let n = 5;
        let mut rows = rows(seed, n, 9, 1.0);
        rows.solve(&mut |_| false);
        let mut r = vec![0.0; n];
        for _ in 0..20_000 {
            for i in 0..n {
                let u = rows.rate[i] + dot(&rows.response[i * n..(i + 1) * n], &r);
                r[i] -= u / rows.groups[i].mobility;
                rows.groups[i].set.project(&mut r[i..=i]);
            }
        }
        for i in 0..n {
            let u = rows.rate[i] + dot(&rows.response[i * n..(i + 1) * n], &r);
            assert!(
                (u - rows.left[i]).abs() < 1e-8,
                "{seed}: {u} {}",
                rows.left[i]
            );
        }
    }
}

#[test]
fn what_is_solved_needs_nothing_more() {
    for seed in 0..20 {
        let mut rows = rows(seed, 8, 12, 1.0);
        rows.solve(&mut |_| false);
        let before = rows.impulse.clone();
        assert!(rows.solve(&mut |_| false).steps <= 1, "{seed}");
        for (now, before) in rows.impulse.iter().zip(&before) {
            assert!((now - before).abs() < 1e-9, "{seed}");
        }
    }
}

#[test]
fn what_is_not_a_number_is_told() {
    let mut rows = rows(1, 4, 9, 1.0);
    rows.rate[2] = f64::NAN;
    assert_eq!(rows.solve(&mut |_| false).residual, f64::INFINITY);
}

/// Boxes that lie on a floor in a row, each on the last one's side too: some can be lifted off, so there is an
/// answer. Random points, random loads.
fn heap(seed: u64, n_bodies: usize, ratio: f64) -> BoundedProblem {
    let mut random = Random(seed);
    let n_v = 6 * n_bodies;
    let mass = |body: usize| if body % 2 == 1 { ratio } else { 1.0 };
    let mut rows: Vec<Vec<f64>> = Vec::new();
    let mut out = BoundedProblem::default();
    for body in 0..n_bodies {
        for _ in 0..4 {
            let at = [random.next(), random.next(), -0.5 + 0.1 * random.next()];
            for axis in [2, 0, 1] {
                let mut row = vec![0.0; n_v];
                // A pair: what holds this body pushes back on the one below.
                for (of, sign) in [(Some(body), 1.0), (body.checked_sub(1), -1.0)] {
                    let Some(of) = of else { continue };
                    let lever = if sign > 0.0 {
                        at
                    } else {
                        [at[0], at[1], -at[2]]
                    };
                    let mut direction = [0.0; 3];
                    direction[axis] = 1.0;
                    let turn = crate::math::cross(lever, direction);
                    for k in 0..3 {
                        row[6 * of + k] = sign * direction[k] / mass(of).sqrt();
                        row[6 * of + 3 + k] = sign * turn[k] / (0.3 * mass(of)).sqrt();
                    }
                }
                rows.push(row);
            }
            let friction = 0.2 + 0.3 * (1.0 + random.next());
            out.groups.push(Group {
                set: Set::Cone { friction },
                start: rows.len() - 3,
                n: 3,
                mobility: 0.0,
            });
        }
    }
    let mut load: Vec<f64> = (0..n_v).map(|_| 0.3 * random.next()).collect();
    for body in 0..n_bodies {
        load[6 * body + 2] -= mass(body).sqrt();
    }
    let n = rows.len();
    let groups = std::mem::take(&mut out.groups);
    out.size(n);
    out.groups = groups;
    out.rate = rows.iter().map(|row| dot(row, &load)).collect();
    for i in 0..n {
        for j in 0..n {
            out.response[i * n + j] = dot(&rows[i], &rows[j]);
        }
    }
    for group in &mut out.groups {
        let rows = group.start..group.start + 3;
        group.mobility = rows.map(|row| out.response[row * n + row]).sum::<f64>() / 3.0;
    }
    out
}

/// Cold heaps, also with masses a hundredfold apart in turn.
#[test]
fn friction_is_obeyed() {
    for (n_bodies, ratio, open) in [
        (1, 1.0, 0),
        (2, 1.0, 0),
        (2, 100.0, 0),
        (2, 0.01, 0),
        (5, 1.0, 0),
        (5, 100.0, 0),
        (5, 0.01, 0),
    ] {
        let mut failed = 0;
        for seed in 0..60 {
            let mut problem = heap(seed, n_bodies, ratio);
            let answer = problem.solve(&mut |_| false);
            assert!(answer.residual < 1e-2, "{n_bodies} {ratio} {seed}");
            failed += usize::from(answer.residual > 1e-9);
            // In words: nothing pulls, friction is within its cone and against the motion.
            for group in &problem.groups {
                let Set::Cone { friction } = group.set else {
                    unreachable!()
                };
                let (r, u) = (&problem.impulse[group.rows()], &problem.left[group.rows()]);
                let (across, slides) = (r[1].hypot(r[2]), u[1].hypot(u[2]));
                assert!(r[0] >= 0.0 && across <= friction * r[0] * (1.0 + 1e-12));
                if answer.residual <= 1e-9 && r[0] > 1e-6 {
                    assert!(u[0].abs() < 1e-8, "it is lifted: {u:?}");
                    let against = -(r[1] * u[1] + r[2] * u[2]);
                    assert!(
                        (against - friction * r[0] * slides).abs() < 1e-6,
                        "{r:?} {u:?}"
                    );
                }
            }
        }
        assert!(failed <= open, "{n_bodies} {ratio}: {failed}");
    }
}
