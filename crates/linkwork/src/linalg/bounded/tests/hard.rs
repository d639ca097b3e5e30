//! Where centers creep: chains around a disc, balls in a hollow.

use super::*;
use crate::linalg::dense::{PANEL, cholesky, cholesky_solve};
use crate::math::{complete_basis, cross, norm, scale, sub};

/// The problem of rows on coordinates: `W = G·M⁻¹·Gᵀ`, `g = G·v`.
fn of_rows(rows: &[Vec<f64>], mass: &[f64], v: &[f64], set: Set) -> BoundedProblem {
    let (n, n_v) = (rows.len(), v.len());
    let (mut factor, mut panel) = (mass.to_vec(), vec![0.0; n_v * PANEL]);
    let reference: Vec<f64> = (0..n_v).map(|k| mass[k * n_v + k]).collect();
    cholesky(n_v, &mut factor, &reference, 1e-14, &mut panel);
    let mut out = BoundedProblem::default();
    out.size(n);
    for j in 0..n {
        let mut column = rows[j].clone();
        cholesky_solve(n_v, &factor, &mut column);
        for i in 0..n {
            out.response[i * n + j] = dot(&rows[i], &column);
        }
        out.rate[j] = dot(&rows[j], v);
    }
    let m = match set {
        Set::Cones(cones) => 1 + cones.n_across(),
        _ => 2,
    };
    for start in (0..n).step_by(m) {
        let own = (start..start + m).map(|row| out.response[row * n + row]);
        let mobility = own.sum::<f64>() / m as f64;
        out.groups.push(Group {
            set,
            start,
            n: m,
            mobility,
        });
    }
    out
}

/// Adds a mass that moves like this with the coordinates.
fn add(mass: &mut [f64], place: &[Vec<f64>; 2], m: f64) {
    let n_v = place[0].len();
    for i in 0..n_v {
        for j in 0..n_v {
            let square: f64 = place.iter().map(|row| row[i] * row[j]).sum();
            mass[i * n_v + j] += m * square;
        }
    }
}

/// A chain of thin links around a disc in the plane, each of which touches in its middle: 2·n rows on n + 2
/// coordinates, the place of its end and the angles. It falls, and is pulled at random.
fn chain(seed: u64, n: usize) -> BoundedProblem {
    let mut random = Random(seed);
    let (n_v, half, m) = (n + 2, 0.05, 0.1);
    let angle =
        |link: usize| (link as f64 + 0.5 - 0.5 * n as f64) * std::f64::consts::PI / n as f64;
    let mut mass = vec![0.0; n_v * n_v];
    let mut rows = Vec::new();
    for link in 0..n {
        // The links lie along (cos a, −sin a), the normal is (sin a, cos a).
        let mut place = [vec![0.0; n_v], vec![0.0; n_v]];
        (place[0][0], place[1][1]) = (1.0, 1.0);
        for before in 0..=link {
            let reach = if before < link { 2.0 * half } else { half };
            let (sin, cos) = angle(before).sin_cos();
            place[0][2 + before] = -reach * sin;
            place[1][2 + before] = -reach * cos;
        }
        add(&mut mass, &place, m);
        mass[(2 + link) * (n_v + 1)] += m * half * half / 3.0;
        // The rest of the chain hangs at both ends.
        if link == 0 {
            (0..2).for_each(|k| mass[k * (n_v + 1)] += 1.0);
        }
        let (sin, cos) = angle(link).sin_cos();
        if link + 1 == n {
            place[0][2 + link] *= 2.0;
            place[1][2 + link] *= 2.0;
            add(&mut mass, &place, 1.0);
            place[0][2 + link] *= 0.5;
            place[1][2 + link] *= 0.5;
        }
        for (a, b) in [(sin, cos), (cos, -sin)] {
            let along = place[0].iter().zip(&place[1]);
            rows.push(along.map(|(x, y)| a * x + b * y).collect());
        }
    }
    let mut v: Vec<f64> = (0..n_v).map(|_| 0.02 * random.next()).collect();
    v[1] -= 0.16;
    of_rows(&rows, &mass, &v, Set::Cone { friction: 0.5 })
}

/// Five balls in a round hollow, that touch it and each other, roll with resistance and spin.
fn hollow(seed: u64) -> BoundedProblem {
    let mut random = Random(seed);
    let n_v = 30;
    let mut mass = vec![0.0; n_v * n_v];
    let mut centers = Vec::new();
    for ball in 0..5 {
        let m = 0.1 * (1.2 + random.next());
        for k in 0..6 {
            let own = if k < 3 { m } else { 0.4 * m * 0.01 };
            mass[(6 * ball + k) * (n_v + 1)] = own;
        }
        let turn = 0.4 * std::f64::consts::PI * ball as f64;
        centers.push([0.17 * turn.cos(), 0.17 * turn.sin(), 0.05 * random.next()]);
    }
    let mut rows = Vec::new();
    // A pair: who is pushed along the normal, who pushes, and the normal.
    let mut touch = |a: usize, b: Option<usize>, normal: [f64; 3]| {
        let (across, other) = complete_basis(normal);
        for (direction, turns) in [(normal, false), (across, false), (other, false)]
            .into_iter()
            .chain([(across, true), (other, true)])
        {
            let mut row = vec![0.0; n_v];
            for (ball, sign) in [(Some(a), 1.0), (b, -1.0)] {
                let Some(ball) = ball else { continue };
                let lever = cross(scale(-0.1 * sign, normal), direction);
                for k in 0..3 {
                    let (along, about) = match turns {
                        false => (direction[k], lever[k]),
                        true => (0.0, direction[k]),
                    };
                    row[6 * ball + k] = sign * along;
                    row[6 * ball + 3 + k] = sign * about;
                }
            }
            rows.push(row);
        }
    };
    for (ball, center) in centers.iter().enumerate() {
        let up = sub([0.0, 0.0, 0.4], *center);
        touch(ball, None, scale(1.0 / norm(up), up));
        for (other, from) in centers.iter().enumerate().take(ball) {
            let apart = sub(*center, *from);
            touch(ball, Some(other), scale(1.0 / norm(apart), apart));
        }
    }
    let mut v: Vec<f64> = (0..n_v).map(|_| 0.3 * random.next()).collect();
    (0..5).for_each(|ball| v[6 * ball + 2] -= 0.2);
    let cones = Cones::new([(2, 0.8), (2, 0.0096), (0, 0.0)]);
    of_rows(&rows, &mass, &v, Set::Cones(cones))
}

/// What a method makes of a problem by itself, from no impulses.
pub(super) fn alone(
    problem: &BoundedProblem,
    method: impl FnOnce(&mut Law<'_>, &[f64], &mut Answer<'_>),
) -> Outcome {
    let n = problem.rate.len();
    let (mut impulse, mut left) = (vec![0.0; n], vec![0.0; n]);
    let mut law = Law {
        groups: &problem.groups,
        response: Response::Dense(&problem.response),
        rate: &problem.rate,
    };
    let mut answer = Answer {
        impulse: &mut impulse,
        left: &mut left,
        residual: f64::INFINITY,
        enough: BOUNDED_ENOUGH,
        fair: BOUNDED_FAIR,
        round_off: 0.0,
        steps: 0,
        iterations: 0,
    };
    method(&mut law, &problem.response, &mut answer);
    answer.outcome()
}

/// Problems in the plane: chains, heaps, and heaps in which other rows are between bounds, or have none.
fn flat(seed: u64) -> [BoundedProblem; 4] {
    let heap = |ratio| super::pivoting::in_plane(&heap(seed, 5, ratio));
    let mut mixed = heap(1.0);
    let mut random = Random(seed);
    let groups = std::mem::take(&mut mixed.groups);
    for (at, group) in groups.into_iter().enumerate() {
        let least = 0.1 * (random.next() - 1.0);
        let most = 0.1 * (random.next() + 1.0);
        let sets = match at % 5 {
            0 => [Set::FREE, Set::Ball { most }],
            1 => [between(least, most), between(f64::NEG_INFINITY, most)],
            2 => [Set::ONE_SIDED, Set::Nothing],
            _ => {
                mixed.groups.push(group);
                continue;
            }
        };
        for (k, set) in sets.into_iter().enumerate() {
            let (start, n) = (group.start + k, 1);
            mixed.groups.push(Group {
                set,
                start,
                n,
                ..group
            });
        }
    }
    [
        chain(seed, 6 + (seed % 7) as usize),
        heap(100.0),
        heap(0.01),
        mixed,
    ]
}

/// Lemke's method needs nothing else in the plane: whatever the masses and the rank, in a few pivots for each row.
#[test]
fn complementary_pivots_solve_the_law_in_the_plane() {
    for seed in 0..100 {
        for (case, problem) in flat(seed).iter().enumerate() {
            let answer = alone(problem, |law, response, answer| {
                complementarity::Complementarity::default().solve(law, response, answer);
            });
            let n = problem.rate.len();
            assert!(answer.residual <= 1e-9, "{seed} {case}: {answer:?}");
            // Five for each row in each of two tries.
            assert!(answer.steps <= 10 * n, "{seed} {case}: {answer:?} {n}");
        }
    }
}

/// No problem of the plane stays open, nor comes to sweeps.
#[test]
fn in_the_plane_the_law_is_obeyed() {
    for seed in 0..100 {
        for (case, mut problem) in flat(seed).into_iter().enumerate() {
            let answer = problem.solve(&mut |_| false);
            let is_solved = answer.residual <= 1e-9 && answer.iterations == 0;
            assert!(is_solved, "{seed} {case}: {answer:?}");
        }
    }
}

/// A path leads from no impulses to nearly all of the answers, by itself.
#[test]
fn paths_lead_to_the_law_in_space() {
    let problem = |case: &str, seed: u64| match case {
        "hollow" => hollow(seed),
        "heavy" => heap(seed, 5, 100.0),
        _ => heap(seed, 5, 0.01),
    };
    for (case, n, open) in [("hollow", 100, 6), ("heavy", 60, 0), ("light", 60, 1)] {
        let found = |seed: &u64| {
            let answer = alone(&problem(case, *seed), |law, response, answer| {
                path::Path::default().solve(law, response, answer, &mut |_| false);
            });
            answer.residual <= 1e-9
        };
        let failed = n as usize - (0..n).filter(found).count();
        assert!(failed <= open, "{case}: {failed} of {n}");
    }
}

/// Cold heaps whose masses are ten thousandfold apart in turn: so many stay open, by what is said.
#[test]
fn very_different_masses_mostly_obey_the_law() {
    for (ratio, open) in [(1e4, 5), (1e-4, 10)] {
        let mut failed = 0;
        for seed in 0..60 {
            let mut problem = heap(seed, 5, ratio);
            let answer = problem.solve(&mut |_| false);
            let speed = problem
                .rate
                .iter()
                .fold(0.0f64, |most, g| most.max(g.abs()));
            assert!(answer.residual < 0.1 * speed, "{ratio} {seed}: {answer:?}");
            failed += usize::from(answer.residual > BOUNDED_ENOUGH * (0.1 * speed).max(1.0));
        }
        assert!(failed <= open, "{ratio}: {failed}");
    }
}

/// A body between a stop and a floor that come together: no impulses obey the law. It is soon given up, and said.
#[test]
fn what_jams_is_given_up() {
    // Up and down, along and across, about an axis along; the floor touches beside the middle.
    let mass: Vec<f64> = (0..16)
        .map(|k| if k % 5 == 0 { 1.0 } else { 0.0 })
        .collect();
    let rows = [
        vec![-1.0, 0.0, 0.0, 0.0],
        vec![1.0, 0.0, 0.0, 0.0],
        vec![0.0, 1.0, 0.0, 0.0],
        vec![0.0, 0.0, 1.0, 0.5],
    ];
    let mut problem = of_rows(&rows, &mass, &[0.0, 0.1, 0.2, 0.0], Set::Nothing);
    problem.groups.clear();
    let floor = Set::Cone { friction: 0.5 };
    for (set, start, n) in [(Set::ONE_SIDED, 0, 1), (floor, 1, 3)] {
        problem.groups.push(Group {
            set,
            start,
            n,
            mobility: 1.0,
        });
    }
    problem.rate[0] = -0.1;
    problem.rate[1] = -0.2;
    let by_path = alone(&problem, |law, response, answer| {
        path::Path::default().solve(law, response, answer, &mut |_| false);
    });
    for answer in [by_path, problem.solve(&mut |_| false)] {
        assert!((0.1..0.2).contains(&answer.residual), "{answer:?}");
    }
    assert!(by_path.steps < 150, "{by_path:?}");
}

/// Five balls in a hollow: so many stay open.
#[test]
fn balls_in_a_hollow_obey_the_law() {
    let mut open = 0;
    for seed in 0..100 {
        let answer = hollow(seed).solve(&mut |_| false);
        assert!(answer.residual < 1e-2, "{seed}: {answer:?}");
        open += usize::from(answer.residual > 1e-9);
    }
    assert!(open <= 2, "{open}");
}
