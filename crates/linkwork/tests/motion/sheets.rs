//! Sheets that deform: elastic forces inside bodies, from soft to stiffer than any frame can follow.

use linkwork::body::{Sheet, Troid};
use linkwork::integrate::Integrator;
use linkwork::prelude::*;
use linkwork::stabilize::Stabilization;

use crate::support::{Run, after, below, difference, precise};

const FRAME: f64 = 1.0 / 60.0;
const STIFFNESSES: [f64; 6] = [5e2, 5e3, 5e4, 5e5, 5e6, 5e9];

fn sheet(stiffness: f64, damping: f64) -> Troid {
    Troid {
        outline: None,
        sheet: Sheet::rectangle([0.4, 0.2], 0.5).unwrap(),
        stiffness,
        area_stiffness: 0.5 * stiffness,
        damping,
    }
}

/// One sheet that flies and spins through nothing, stretched as far as it likes.
fn free(stiffness: f64, damping: f64) -> World {
    let mut world = World::new();
    let body = world.add_body("sheet", sheet(stiffness, damping)).unwrap();
    // As strained as a joule makes it, and turning at 3 rad/s.
    let stretch = (2.0 / (0.08 * stiffness)).sqrt().min(0.2);
    let a = [1.0 + stretch, 0.3 * stretch, 0.0, 1.0 - 0.5 * stretch];
    world
        .set_q(body, &[0.0, 0.0, a[0], a[1], a[2], a[3]])
        .unwrap();
    let spin = [-3.0 * a[2], -3.0 * a[3], 3.0 * a[0], 3.0 * a[1]];
    world
        .set_v(body, &[0.7, -0.4, spin[0], spin[1], spin[2], spin[3]])
        .unwrap();
    world
}

/// Three of them in a row on pins, let go.
fn chain(stiffness: f64, damping: f64) -> World {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let mut end = GROUND.at([0.0, 0.0]);
    for k in 0..3 {
        let pose = Pose::in_plane([0.2 + 0.4 * f64::from(k), 0.0], 0.0);
        let label = format!("sheet {k}");
        let own = world
            .add_body_at(&label, sheet(stiffness, damping), pose)
            .unwrap();
        world
            .join(&format!("pin {k}"), Ball, end, own.at([-0.2, 0.0]))
            .unwrap();
        end = own.at([0.2, 0.0]);
    }
    world
}

/// No force from outside: no energy from nowhere, and momenta stay.
#[test]
fn free_sheets_keep_their_momenta_and_gain_nothing() {
    for stiffness in STIFFNESSES {
        for damping in [0.0, 5.0, 5e4] {
            let what = format!("{stiffness:e} N/m, {damping} N·s/m");
            let mut run = Run::new(free(stiffness, damping), StepOptions::interactive(FRAME));
            let start = run.world.momentum();
            run.until(10.0);
            let end = run.world.momentum();
            below(&what, run.gain, 5e-3 * run.start.total());
            below(&what, difference(&end.linear, &start.linear), 1e-12);
            below(&what, difference(&end.angular, &start.angular), 1e-9);
        }
    }
}

#[test]
fn falling_sheets_gain_nothing() {
    for stiffness in STIFFNESSES {
        let mut run = Run::new(chain(stiffness, 0.0), StepOptions::interactive(FRAME));
        run.until(20.0);
        let what = format!("{stiffness:e} N/m");
        below(&what, run.gain, 5e-3 * run.fall);
        below(&what, run.gap, 1e-6);
    }
}

/// A sheet that swings on a rod: closing the rod after each step keeps the strains with which the step ended. (They
/// were brought back to where it began, and 1e-3 of the energy was lost in two seconds.)
#[test]
fn closing_takes_no_strain_back() {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let pose = Pose::in_plane([0.7, 0.0], 0.0);
    let own = world.add_body_at("sheet", sheet(5e2, 0.0), pose).unwrap();
    let rod = Distance { length: 0.5 };
    let ends = [GROUND.at([0.0, 0.0]), own.at([-0.2, 0.0])];
    world.add_constraint("rod", rod, &ends).unwrap();
    let mut run = Run::new(world, StepOptions::precise(FRAME));
    run.until(2.0);
    below("drift", run.relative_drift(), 1e-6);
}

/// Soft sheets move as small steps say, with the order of each scheme.
#[test]
fn soft_sheets_agree_with_small_steps() {
    let rule = Stabilization::Post { iterations: 5 };
    for damping in [0.0, 2.0] {
        let world = chain(200.0, damping);
        let exact = after(&world, precise(0.01, Some(1e-10)), 0.5, 50);
        let check = |options: StepOptions, most: f64, ratio: f64| {
            let [coarse, fine] = [200, 400].map(|n| {
                let end = after(&world, options, 0.5, n);
                difference(&end.state().q, &exact.state().q)
            });
            let what = format!("{:?}, {damping} N·s/m", options.scheme);
            below(&what, fine, most);
            assert!(coarse > ratio * fine, "{what}: {coarse:e}, then {fine:e}");
        };
        check(StepOptions::interactive(1.0), 2e-4, 3.5);
        check(StepOptions::symplectic4(1.0), 1e-5, 3.5);
        let parts = |integrator| StepOptions::parts(1.0, integrator, rule);
        check(parts(Integrator::Rk4), 2e-7, 14.0);
        check(parts(Integrator::Euler), 2e-2, 1.9);
        check(parts(Integrator::SymplecticEuler), 1e-2, 1.9);
        check(parts(Integrator::Stoermer), 5e-3, 1.9);
    }
}

/// Faure 1998's scheme has strains in its assembly: sheets of any stiffness lose energy and stay whole.
#[test]
fn stiff_sheets_in_faure_1998() {
    let rule = Stabilization::Displacement { iterations: 3 };
    for stiffness in STIFFNESSES {
        let options = StepOptions::parts(FRAME, Integrator::Stoermer, rule);
        let mut run = Run::new(chain(stiffness, 5.0), options);
        run.until(10.0);
        below(&format!("{stiffness:e} N/m"), run.gain, 5e-3 * run.fall);
    }
}

/// The stiffer the sheets, the nearer the rigid chain.
#[test]
fn the_rigid_chain_is_the_limit() {
    let mut rigid = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let mut end = GROUND.at([0.0, 0.0]);
    for k in 0..3 {
        let pose = Pose::in_plane([0.2 + 0.4 * f64::from(k), 0.0], 0.0);
        let size = [0.4, 0.2];
        let own = rigid
            .add_body_at(&format!("sheet {k}"), PlanarBox { size, mass: 0.5 }, pose)
            .unwrap();
        rigid
            .join(&format!("pin {k}"), Ball, end, own.at([-0.2, 0.0]))
            .unwrap();
        end = own.at([0.2, 0.0]);
    }
    let place = |world: &World| {
        let last = world.find_body("sheet 2").unwrap();
        world.position_world(&last.at([0.2, 0.0])).unwrap()
    };
    let options = StepOptions::interactive(1.0);
    let expected = place(&after(&rigid, options, 0.5, 500));
    let off = |stiffness| {
        let end = after(&chain(stiffness, 5.0), options, 0.5, 500);
        difference(&place(&end), &expected)
    };
    below("1e4 N/m", off(1e4), 5e-2);
    below("1e6 N/m", off(1e6), 5e-4);
    // Planar bodies turn in their flight and sheets fly straight on: that is left, of second order.
    below("1e9 N/m", off(1e9), 1e-5);
    below("1e12 N/m", off(1e12), 1e-5);
}

/// Moments of a polygon by closed forms: a rectangle anywhere, a triangle (`S = m/12·Σ (xₖ − x̄)(xₖ − x̄)ᵀ`), and an L
/// of two rectangles, whichever way corners go round.
#[test]
fn polygons_have_the_moments_of_what_they_cut_out() {
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{a} {b}");
    let same = |a: &Sheet, b: &Sheet| {
        near(a.area, b.area);
        (0..2).for_each(|k| near(a.com_body[k], b.com_body[k]));
        (0..3).for_each(|k| near(a.second_moments_body[k], b.second_moments_body[k]));
    };
    let both = |corners: &[[f64; 2]], mass: f64| {
        let sheet = Sheet::polygon(corners, mass).unwrap();
        let backward: Vec<[f64; 2]> = corners.iter().rev().copied().collect();
        same(&Sheet::polygon(&backward, mass).unwrap(), &sheet);
        sheet
    };
    let [w, h] = [0.4, 0.25];
    let rectangle = both(
        &[[-0.2, -0.125], [0.2, -0.125], [0.2, 0.125], [-0.2, 0.125]],
        3.0,
    );
    same(&rectangle, &Sheet::rectangle([w, h], 3.0).unwrap());
    let away = both(
        &[[9.8, 4.875], [10.2, 4.875], [10.2, 5.125], [9.8, 5.125]],
        3.0,
    );
    near(away.com_body[0], 10.0);
    near(away.second_moments_body[0], 3.0 * w * w / 12.0);
    let corners = [[0.3, 0.1], [1.7, 0.4], [0.9, 1.3]];
    let triangle = both(&corners, 2.0);
    let mean = [0, 1].map(|k| corners.iter().map(|own| own[k]).sum::<f64>() / 3.0);
    let moment = |j: usize, k: usize| {
        let each = corners
            .iter()
            .map(|own| (own[j] - mean[j]) * (own[k] - mean[k]));
        2.0 / 12.0 * each.sum::<f64>()
    };
    let wanted = Sheet {
        mass: 2.0,
        com_body: mean,
        second_moments_body: [moment(0, 0), moment(1, 1), moment(0, 1)],
        area: 0.5 * (1.4 * 1.2 - 0.6 * 0.3),
    };
    same(&triangle, &wanted);
    // An L: 2 × 1 below, 1 × 2 above its left end.
    let l = both(
        &[
            [0.0, 0.0],
            [2.0, 0.0],
            [2.0, 1.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [0.0, 3.0],
        ],
        4.0,
    );
    let parts = [([1.0, 0.5], [2.0, 1.0]), ([0.5, 2.0], [1.0, 2.0])];
    let com = [0, 1].map(|k| parts.iter().map(|own| 2.0 * own.0[k]).sum::<f64>() / 4.0);
    let own = |k: usize| {
        let each = parts.iter().map(|(at, size)| {
            let far = at[k] - com[k];
            2.0 * (size[k] * size[k] / 12.0 + far * far)
        });
        each.sum::<f64>()
    };
    near(l.area, 4.0);
    (0..2).for_each(|k| near(l.com_body[k], com[k]));
    (0..2).for_each(|k| near(l.second_moments_body[k], own(k)));
    let mixed = parts
        .iter()
        .map(|(at, _)| 2.0 * (at[0] - com[0]) * (at[1] - com[1]));
    near(l.second_moments_body[2], mixed.sum());
    for (corners, told) in [
        (vec![[0.0, 0.0], [1.0, 0.0]], "at least three"),
        (
            vec![[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]],
            "crosses itself",
        ),
        (vec![[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], "no area"),
        (vec![[0.0, 0.0], [1.0, f64::NAN], [2.0, 0.0]], "outline"),
    ] {
        let error = Sheet::polygon(&corners, 1.0).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}
