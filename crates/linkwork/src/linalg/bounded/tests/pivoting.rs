//! Pivoting against Newton's methods, and what it makes of friction.

use super::*;

/// The problem by pivoting.
fn pivoted(mut problem: BoundedProblem) -> (BoundedProblem, Outcome) {
    problem.pivots = true;
    let outcome = problem.solve(&mut |_| false);
    (problem, outcome)
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    let pairs = a.iter().zip(b);
    pairs.fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

/// Without friction rates are unique: pivoting finds those of Newton's method, from nothing. Rows that were driven keep
/// their law, so pivots are about as many as rows.
#[test]
fn pivoting_finds_the_same_rates() {
    let (mut most, mut pivots, mut n_rows) = (0.0f64, 0, 0);
    for seed in 0..300 {
        for (n, rank) in [(1, 6), (2, 6), (4, 9), (10, 40), (10, 5), (16, 8), (40, 60)] {
            for ratio in [1.0, 10.0, 100.0] {
                let mut newton = rows(seed, n, rank, ratio);
                newton.solve(&mut |_| false);
                let (pivoting, answer) = pivoted(rows(seed, n, rank, ratio));
                let case = format!("{seed} {n} {rank} {ratio}: {answer:?}");
                assert!(answer.residual <= 3e-9 * ratio, "{case}");
                let apart = largest_difference(&pivoting.left, &newton.left);
                assert!(apart <= 1e-8 * ratio, "{case}: {apart}");
                most = most.max(answer.steps as f64 / n as f64);
                pivots += answer.steps;
                n_rows += n;
            }
        }
    }
    let mean = pivots as f64 / n_rows as f64;
    assert!(most <= 6.0 && mean <= 1.5, "{most} {mean}");
}

/// Two rows that approach each other cannot both be stopped: that ends, and is said.
#[test]
fn what_cannot_be_stopped_is_told() {
    let mut problem = BoundedProblem::default();
    problem.size(2);
    problem.response.copy_from_slice(&[1.0, -1.0, -1.0, 1.0]);
    problem.rate.copy_from_slice(&[-0.5, -0.25]);
    for start in 0..2 {
        problem.groups.push(Group {
            set: Set::ONE_SIDED,
            start,
            n: 1,
            mobility: 1.0,
        });
    }
    let (problem, answer) = pivoted(problem);
    assert!(answer.residual > 0.1 && answer.residual.is_finite());
    assert!(problem.impulse.iter().all(|r| *r >= 0.0));
}

#[test]
fn what_is_not_a_number_is_told_by_pivoting_too() {
    let mut problem = rows(1, 4, 9, 1.0);
    problem.rate[2] = f64::NAN;
    assert_eq!(pivoted(problem).1.residual, f64::INFINITY);
}

/// The same heap in the plane: without the second direction across.
pub(super) fn in_plane(from: &BoundedProblem) -> BoundedProblem {
    let n = from.rate.len();
    let kept: Vec<usize> = (0..n).filter(|row| row % 3 != 2).collect();
    let mut out = BoundedProblem::default();
    out.size(kept.len());
    for (i, &a) in kept.iter().enumerate() {
        out.rate[i] = from.rate[a];
        for (j, &b) in kept.iter().enumerate() {
            out.response[i * kept.len() + j] = from.response[a * n + b];
        }
    }
    for (k, own) in from.groups.iter().enumerate() {
        let (start, n) = (2 * k, 2);
        out.groups.push(Group { start, n, ..*own });
    }
    out
}

/// What is left of the law if friction is bounded by a box.
fn left_of_box(problem: &BoundedProblem) -> f64 {
    let mut worst = 0.0f64;
    for group in &problem.groups {
        let Set::Cone { friction } = group.set else {
            unreachable!()
        };
        for row in group.rows() {
            let (r, u, w) = (problem.impulse[row], problem.left[row], group.mobility);
            let (least, most) = match row == group.start {
                true => (0.0, f64::INFINITY),
                false => {
                    let most = friction * problem.impulse[group.start];
                    (-most, most)
                }
            };
            worst = worst.max(w * (r - (r - u / w).max(least).min(most)).abs());
        }
    }
    worst
}

/// With friction pivoting always ends, and mostly where the law holds: in the plane the law itself, in space that of a
/// box, which is not that of a cone. So many of sixty heaps stay open, and say so.
#[test]
fn pivoting_with_friction_ends() {
    for (n_bodies, ratio, open_in_plane, open_in_space) in [
        (1, 1.0, 2, 1),
        (2, 1.0, 1, 4),
        (2, 100.0, 1, 6),
        (5, 1.0, 7, 21),
        (5, 100.0, 9, 17),
    ] {
        let mut open = [0, 0];
        for seed in 0..60 {
            let heap = heap(seed, n_bodies, ratio);
            for (open, problem) in open.iter_mut().zip([in_plane(&heap), heap]) {
                let is_flat = problem.groups[0].n == 2;
                let n = problem.rate.len();
                let (problem, answer) = pivoted(problem);
                let case = format!("{n_bodies} {ratio} {seed} {is_flat}: {answer:?}");
                let left = left_of_box(&problem);
                assert!(answer.steps < 50 * n, "{case}");
                assert_eq!(is_flat && left < 1e-9, is_flat && answer.residual < 1e-9);
                *open += usize::from(left >= 1e-9);
                for group in &problem.groups {
                    let Set::Cone { friction } = group.set else {
                        unreachable!()
                    };
                    let r = &problem.impulse[group.rows()];
                    let most = friction * r[0];
                    assert!(r[0] >= 0.0 && r[1..].iter().all(|r| r.abs() <= most));
                }
            }
        }
        let is_fine = open[0] <= open_in_plane && open[1] <= open_in_space;
        assert!(is_fine, "{n_bodies} {ratio}: {open:?}");
    }
}
