//! Soft bodies of nodes: laws of shells, bars and beams, joints and momenta at any stiffness, agreement of methods.

use linkwork::behavior::{OutputForce, PointForce};
use linkwork::body::{Body, SoftBody, SoftMaterial, SoftShape};
use linkwork::constraint::{FramePair, ScalarEquals};
use linkwork::math::{add, cross, dot, norm, scale, sub};
use linkwork::prelude::*;
use linkwork::shape::SuperquadricForm;

use crate::{momenta, open};

fn material(young: f64, poisson: f64) -> SoftMaterial {
    SoftMaterial {
        young,
        poisson,
        density: 1000.0,
        damping: 0.0,
    }
}

fn sphere(radius: f64, rings: [u32; 2]) -> SoftShape {
    let form = SuperquadricForm::new([radius; 3], [1.0; 2]);
    SoftShape::Rings { form, rings }
}

fn frame() -> StepOptions {
    StepOptions::interactive(1.0 / 60.0)
}

/// Steps until what is damped rests.
fn rest(world: &mut World, frames: usize) {
    let mut simulator = Simulator::new();
    for _ in 0..frames {
        simulator.step(world, &frame()).unwrap();
    }
}

/// A sphere that breathes, by Rayleigh's quotient: ω² = 2·E/((1 − ν)·ρ·R²).
#[test]
fn a_sphere_breathes_as_fast_as_theory_says() {
    let (young, poisson, radius) = (1e5, 0.3, 0.1);
    for (rings, within) in [([8, 12], 1e-4), ([12, 18], 1e-4)] {
        let own = material(young, poisson);
        let body = SoftBody::shell(sphere(radius, rings), 0.001, own).unwrap();
        let n = body.n_v();
        let (mut q, mut mass, mut force) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        body.initial_q(&mut q);
        body.mass(&q, &mut mass);
        let grown: Vec<f64> = q.iter().map(|x| 1.000_001 * x).collect();
        body.internal_force(&grown, &vec![0.0; n], &mut force);
        let work: f64 = force.iter().zip(&q).map(|(f, x)| -1e6 * f * x).sum();
        let inertia: f64 = mass.iter().zip(&q).map(|(m, x)| m * x * x).sum();
        let expected = 2.0 * young / ((1.0 - poisson) * own.density * radius * radius);
        let ratio = work / inertia / expected;
        println!("{rings:?}: {ratio}");
        assert!((ratio - 1.0).abs() < within, "{rings:?}: {ratio}");
    }
}

/// A pressure p blows it up by ΔR/R = p·R·(1 − ν)/(2·E·t), less the flat triangles' part of the area; so does a soft
/// row on the volume.
#[test]
fn a_pressure_blows_a_sphere_up() {
    let (young, poisson, radius, thickness, pressure) = (1e6, 0.3, 0.1, 0.001, 100.0);
    let expected = pressure * radius * (1.0 - poisson) / (2.0 * young * thickness);
    for is_row in [false, true] {
        let mut world = World::new();
        let own = SoftMaterial {
            damping: 0.05,
            ..material(young, poisson)
        };
        let body = SoftBody::shell(sphere(radius, [8, 12]), thickness, own).unwrap();
        let id = world.add_body("sphere", body).unwrap();
        let volume = id.scalar(SoftBody::VOLUME);
        let start = world.connector_value(&volume).unwrap().x[0];
        if is_row {
            // λ = −(V − V₀)/α is the same pressure where V is what it becomes.
            let grown = start * (1.0 + 3.0 * expected);
            let (compliance, aim) = (1e-7, grown + 1e-7 * pressure);
            let row = ScalarEquals::number(aim);
            let row = world.add_constraint("air", row, &[volume]).unwrap();
            world.set_compliance(row, &[compliance]).unwrap();
        } else {
            let push = OutputForce::on_scalar(pressure);
            world.add_behavior("pressure", push, &[volume]).unwrap();
        }
        rest(&mut world, 40);
        let end = world.connector_value(&volume).unwrap().x[0];
        let ratio = (libm::cbrt(end / start) - 1.0) / expected;
        println!("row {is_row}: {ratio}");
        assert!((0.96..1.0).contains(&ratio), "row {is_row}: {ratio}");
    }
}

/// A strip 0.5 m long behind two rows of nodes that are held, loaded at its end.
fn loaded(cells: [u32; 2], load: [f64; 3]) -> f64 {
    let (length, width, thickness) = (0.5, 0.05, 0.002);
    let [n, m] = cells;
    let step = length / f64::from(n);
    let mut world = World::new();
    let own = SoftMaterial {
        damping: 0.02,
        ..material(2e9, 0.0)
    };
    let shape = SoftShape::Sheet {
        size: [length + step, width],
        cells: [n + 1, m],
    };
    let body = SoftBody::shell(shape, thickness, own).unwrap();
    let born = body.vertices().to_vec();
    let id = world.add_body("strip", body).unwrap();
    for node in 0..2 * (m + 1) {
        let ends = [id.node(node), GROUND.at(born[node as usize])];
        let label = format!("clamp {node}");
        world
            .add_constraint(&label, FramePair::ball(), &ends)
            .unwrap();
    }
    let mut ends = Vec::new();
    for j in 0..=m {
        let node = (n + 1) * (m + 1) + j;
        let share = if j == 0 || j == m { 0.5 } else { 1.0 } / f64::from(m);
        let force_world = scale(share, load);
        let label = format!("load {j}");
        let push = PointForce { force_world };
        world.add_behavior(&label, push, &[id.node(node)]).unwrap();
        ends.push(node);
    }
    rest(&mut world, 300);
    let moved = ends.iter().map(|&node| {
        let x = world.position_world(&id.node(node)).unwrap();
        norm(sub(x, born[node as usize]))
    });
    moved.sum::<f64>() / ends.len() as f64
}

/// A bar: F·L/(E·A). A cantilever: P·L³/(3·E·I), longer by half a cell, which the clamp leaves free.
#[test]
fn strips_are_bars_and_plates() {
    let (length, width, thickness, young): (f64, f64, f64, f64) = (0.5, 0.05, 0.002, 2e9);
    let bar = loaded([10, 1], [young * width * thickness * 1e-4, 0.0, 0.0]) / (1e-4 * length);
    println!("bar {bar}");
    assert!((bar - 1.0).abs() < 2e-3, "{bar}");
    let moment = width * thickness * thickness * thickness / 12.0;
    let bend = 0.002;
    let load = 3.0 * young * moment * bend / (length * length * length);
    let found = loaded([10, 1], [0.0, 0.0, load]) / bend;
    let longer = 1.0 + 0.5 / 10.0;
    println!("plate {found}, {}", longer * longer * longer);
    assert!(
        (found / (longer * longer * longer) - 1.0).abs() < 1e-2,
        "{found}"
    );
}

/// Stretched by 1.1 and plucked: 5.124 Hz, less the trapezoid's own 2.4 % at 1/60 s.
#[test]
fn a_taut_strip_swings_as_theory_says() {
    let mut world = World::new();
    let shape = SoftShape::Sheet {
        size: [1.0, 0.02],
        cells: [20, 1],
    };
    let body = SoftBody::shell(shape, 0.0005, material(1e6, 0.0)).unwrap();
    let born = body.vertices().to_vec();
    let id = world.add_body("strip", body).unwrap();
    let (mut q, mut v) = (Vec::new(), Vec::new());
    for (node, x) in born.iter().enumerate() {
        let at = [1.1 * x[0], x[1], x[2]];
        q.extend(at);
        let is_end = x[0].abs() > 0.499;
        let pluck = 0.05 * libm::cos(std::f64::consts::PI * x[0]);
        v.extend([0.0, 0.0, if is_end { 0.0 } else { pluck }]);
        if is_end {
            let ends = [id.node(node as u32), GROUND.at(at)];
            let label = format!("end {node}");
            world
                .add_constraint(&label, FramePair::ball(), &ends)
                .unwrap();
        }
    }
    world.set_q(id, &q).unwrap();
    world.set_v(id, &v).unwrap();
    let start = world.energy().unwrap().total();
    let mut simulator = Simulator::new();
    let (mut last, mut passed, mut gained) = (0.0, Vec::new(), f64::NEG_INFINITY);
    for step in 1..=120 {
        simulator.step(&mut world, &frame()).unwrap();
        let z = world.position_world(&id.node(20)).unwrap()[2];
        if last < 0.0 && z >= 0.0 {
            passed.push((f64::from(step) - z / (z - last)) / 60.0);
        }
        last = z;
        gained = gained.max(world.energy().unwrap().total() - start);
    }
    let n = passed.len() - 1;
    let frequency = n as f64 / (passed[n] - passed[0]);
    // tan(h·ω/2) = h·ω₀/2.
    let angle = std::f64::consts::PI * 5.124 / 60.0;
    let expected = 5.124 * libm::atan(angle) / angle;
    println!("{frequency} Hz, {expected}; gained {gained:e}");
    assert!((frequency / expected - 1.0).abs() < 6e-3, "{frequency} Hz");
    assert!(gained < 1e-3 * 0.5 * 0.01 * 0.05 * 0.05, "{gained:e}");
}

/// A hollow sphere, spun and squeezed, or hung by a node and thrown. What it gained of the energy that it has, or that
/// falling gives it (what is as soft as 100 Pa falls by seven radii); how much of its angular momentum it lost; how far
/// its joint opened. The last number is what it gained of the energy that it has, or of that of a fall by its radius.
fn shaken(young: f64, is_hung: bool, rings: [u32; 2], frames: usize) -> [f64; 4] {
    let radius = 0.1;
    let body = SoftBody::shell(sphere(radius, rings), 0.002, material(young, 0.3)).unwrap();
    let (born, mass) = (body.vertices().to_vec(), body.total_mass());
    let mut world = match is_hung {
        true => World::with_gravity([0.0, 0.0, -9.81]).unwrap(),
        false => World::new(),
    };
    let id = world.add_body("sphere", body).unwrap();
    let (mut q, mut v) = (Vec::new(), Vec::new());
    for x in &born {
        match is_hung {
            true => v.extend([0.5 * (radius - x[2]) / (2.0 * radius), 0.0, 0.0]),
            false => v.extend(cross([0.0, 3.0, 5.0], *x)),
        }
        let squeezed = if is_hung { 1.0 } else { 0.8 };
        q.extend([x[0], x[1], squeezed * x[2]]);
    }
    world.set_q(id, &q).unwrap();
    world.set_v(id, &v).unwrap();
    if is_hung {
        let top = id.surface(std::f64::consts::FRAC_PI_2, 0.0);
        let ends = [top, GROUND.at([0.0, 0.0, radius])];
        world
            .add_constraint("hook", FramePair::ball(), &ends)
            .unwrap();
    }
    let (start, spin) = (world.energy().unwrap(), momenta(&world).1);
    let size = match is_hung {
        true => mass * 9.81 * radius,
        false => start.total(),
    };
    let mut exchanged = size;
    let mut worst = [f64::NEG_INFINITY, 0.0, 0.0];
    let (mut substeps, mut last_resorts) = (0, 0);
    let mut simulator = Simulator::new();
    for at in 0..frames {
        let report = match simulator.step(&mut world, &frame()) {
            Ok(report) => report,
            Err(error) => panic!("{young:e}, hung {is_hung}, frame {at}: {error}"),
        };
        substeps += report.substeps;
        last_resorts += report.last_resorts();
        let now = world.energy().unwrap();
        exchanged = exchanged.max(start.potential - now.potential);
        let gained = now.total() - start.total();
        let lost = norm(sub(momenta(&world).1, spin)) / norm(spin);
        worst = [
            worst[0].max(gained),
            worst[1].max(lost),
            worst[2].max(open(&world)),
        ];
    }
    let of_size = worst[0] / size;
    worst[0] /= exchanged;
    eprintln!(
        "{young:.0e} Pa {}: gained {:.4}, angular momentum {:.1e}, gap {:.1e} m, {:.1} sub-steps a frame, {last_resorts} last resorts",
        if is_hung { "hung" } else { "free" },
        worst[0],
        worst[1],
        worst[2],
        substeps as f64 / frames as f64
    );
    let [gained, lost, gap] = worst;
    [gained, lost, gap, of_size]
}

/// What of a case of the table does not hold: of energy no more gained than what `docs/presets.md` lets, momenta, gaps.
fn complaint(young: f64, is_hung: bool, rings: [u32; 2], frames: usize) -> Option<String> {
    let [gained, lost, gap, _] = shaken(young, is_hung, rings, frames);
    let holds = gained < 5e-3 && gap < 1e-9 && (is_hung || lost < 1e-6);
    (!holds).then(|| format!("{young:e} Pa, hung {is_hung}: {gained:e} {lost:e} {gap:e}\n"))
}

/// The table of stabilities: 100 Pa to 1 GPa, free and hung.
fn check_table(rings: [u32; 2], frames: usize) {
    let mut complaints = String::new();
    for exponent in 2..=9 {
        for is_hung in [false, true] {
            let young = libm::pow(10.0, f64::from(exponent));
            complaints.extend(complaint(young, is_hung, rings, frames));
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
}

#[test]
fn shells_are_stable_at_every_stiffness() {
    check_table([4, 6], 20);
}

/// At the ends and in the middle of the table energy is kept better than that.
#[test]
fn soft_and_stiff_shells_gain_nothing() {
    for young in [1e2, 1e5, 1e9] {
        for is_hung in [false, true] {
            let [.., gained] = shaken(young, is_hung, [4, 6], 20);
            assert!(gained < 2e-3, "{young:e} Pa, hung {is_hung}: {gained}");
        }
    }
}

/// The filter of steps along their middle resists turning, but a taut shell that flies keeps its spin: without what is
/// given back, this one loses 5.6e-6 of it.
#[test]
fn a_taut_shell_that_flies_keeps_its_spin() {
    let [_, lost, ..] = shaken(1e4, false, [8, 16], 13);
    assert!(lost < 1e-9, "{lost:e}");
}

/// Thrown about so wildly that single sub-steps are left to the implicit step: without what is given back, the first
/// loses 1.4e-4 of its spin in one of them, and what nothing holds must not be slowed down as a whole.
#[test]
fn what_the_implicit_step_damps_keeps_its_momenta() {
    let mut last_resorts = 0;
    for (young, wild) in [(1e2, 5.0), (1e4, 3.0)] {
        let body = SoftBody::shell(sphere(0.1, [6, 8]), 0.002, material(young, 0.3)).unwrap();
        let born = body.vertices().to_vec();
        let mut world = World::new();
        let id = world.add_body("sphere", body).unwrap();
        let mut seed = 7u64;
        let mut random = || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as f64 / f64::from(1 << 30) - 1.0
        };
        let (mut q, mut v) = (Vec::new(), Vec::new());
        for x in &born {
            let x = [x[0], x[1], 0.8 * x[2]];
            let thrown = [random(), random(), random()].map(|each| wild * each);
            let turned = cross([0.0, 3.0, 5.0], x);
            v.extend(add([0.3, -0.2, 1.0], add(turned, thrown)));
            q.extend(x);
        }
        world.set_q(id, &q).unwrap();
        world.set_v(id, &v).unwrap();
        let (linear, angular) = momenta(&world);
        let mut simulator = Simulator::new();
        for _ in 0..60 {
            last_resorts += simulator.step(&mut world, &frame()).unwrap().last_resorts();
        }
        let now = momenta(&world);
        let lost = [
            norm(sub(now.0, linear)) / norm(linear),
            norm(sub(now.1, angular)) / norm(angular),
        ];
        println!("{young:e} Pa: {lost:?}, {last_resorts} last resorts");
        assert!(lost.iter().all(|lost| *lost < 1e-10), "{young:e}: {lost:?}");
    }
    assert!(last_resorts > 0, "nothing was left to the implicit step");
}

/// The whole table: `bench/recorded/stability.txt` has what it says.
#[test]
#[ignore = "takes minutes; run with --release"]
fn shells_are_stable_at_every_stiffness_for_seconds() {
    check_table([8, 16], 240);
}

/// A shell and a rubber block on a rod, by a ball, a hinge and a weld.
fn linked() -> World {
    let mut world = World::new();
    let ball = SoftBody::shell(sphere(0.2, [4, 6]), 0.004, material(1e6, 0.3)).unwrap();
    let block = SoftShape::Block {
        size: [0.2, 0.2, 0.2],
        cells: [1, 1, 1],
    };
    let block = SoftBody::solid(block, material(1e6, 0.3)).unwrap();
    let ball = world
        .add_body_at("ball", ball, Pose::at([-0.3, 0.0, 0.2]))
        .unwrap();
    let block = world
        .add_body_at("block", block, Pose::at([0.3, 0.0, 0.1]))
        .unwrap();
    let rod = world
        .add_body(
            "rod",
            Rod {
                length: 0.6,
                radius: 0.02,
                mass: 1.0,
            },
        )
        .unwrap();
    let lid = world
        .add_body_at(
            "lid",
            Rod {
                length: 0.2,
                radius: 0.02,
                mass: 0.2,
            },
            Pose::at([0.3, 0.0, 0.2]),
        )
        .unwrap();
    let at = |world: &World, id, x| world.point_of(id, x).unwrap();
    let (left, right, top) = ([-0.3, 0.0, 0.0], [0.3, 0.0, 0.0], [0.3, 0.0, 0.2]);
    let (a, b, c) = (
        at(&world, ball, left),
        at(&world, block, right),
        at(&world, block, top),
    );
    world.join("ball joint", Ball, rod.at(left), a).unwrap();
    let hinge = Hinge {
        axis_world: [0.0, 1.0, 0.0],
    };
    world.join("hinge", hinge, rod.at(right), b).unwrap();
    world.join("weld", Weld, lid.at([0.0; 3]), c).unwrap();
    let spin = [0.5, 1.0, 0.3];
    for id in [ball, block] {
        let nodes = world.q(id).unwrap().chunks_exact(3);
        let v: Vec<f64> = nodes
            .flat_map(|x| cross(spin, [x[0], x[1], x[2]]))
            .collect();
        world.set_v(id, &v).unwrap();
    }
    for id in [rod, lid] {
        let x = world.pose(id).unwrap().unwrap().position;
        let v = cross(spin, x);
        world
            .set_v(id, &[v[0], v[1], v[2], spin[0], spin[1], spin[2]])
            .unwrap();
    }
    world
}

#[test]
fn joints_hold_on_soft_matter_and_momenta_stay() {
    let mut world = linked();
    assert!(open(&world) < 1e-12, "{:e}", open(&world));
    let mut simulator = Simulator::new();
    simulator.step(&mut world, &frame()).unwrap();
    let (linear, angular) = momenta(&world);
    let mut worst = [0.0f64; 3];
    for _ in 0..60 {
        simulator.step(&mut world, &frame()).unwrap();
        let now = momenta(&world);
        worst[0] = worst[0].max(norm(sub(now.0, linear)) / norm(linear));
        worst[1] = worst[1].max(norm(sub(now.1, angular)) / norm(angular));
        worst[2] = worst[2].max(open(&world));
    }
    println!("linear, angular, gap: {worst:?}");
    assert!(worst[0] < 1e-6 && worst[1] < 1e-6, "{worst:?}");
    assert!(worst[2] < 1e-9, "{worst:?}");
}

#[test]
fn all_methods_agree_on_soft_bodies() {
    let mut world = linked();
    let ball = world.find_body("ball").unwrap();
    let volume = ball.scalar(SoftBody::VOLUME);
    let value = world.connector_value(&volume).unwrap().x[0];
    let hold = ScalarEquals::number(value);
    world.add_constraint("air", hold, &[volume]).unwrap();
    crate::check_that_methods_agree(&world);
}

/// What is pushed inside out, or turned over, comes back.
#[test]
fn a_tetrahedron_that_is_inside_out_turns_back() {
    let mut world = World::new();
    let shape = SoftShape::Tetrahedra {
        vertices: vec![[0.0; 3], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]],
        tetrahedra: vec![[0, 1, 2, 3]],
    };
    let own = SoftMaterial {
        damping: 0.01,
        ..material(1e5, 0.3)
    };
    let id = world
        .add_body("tetrahedron", SoftBody::solid(shape, own).unwrap())
        .unwrap();
    let volume = id.scalar(SoftBody::VOLUME);
    let born = world.connector_value(&volume).unwrap().x[0];
    let mut q = world.q(id).unwrap().to_vec();
    q[11] = -0.02;
    world.set_q(id, &q).unwrap();
    assert!(world.connector_value(&volume).unwrap().x[0] < 0.0);
    rest(&mut world, 120);
    let ratio = world.connector_value(&volume).unwrap().x[0] / born;
    println!("{ratio}");
    assert!((ratio - 1.0).abs() < 1e-3, "{ratio}");
}

/// Matter is where it was at birth, wherever the body is now.
#[test]
fn points_are_told_by_where_they_were_at_birth() {
    let mut world = World::new();
    let body = SoftBody::shell(sphere(0.2, [6, 8]), 0.004, material(1e6, 0.3)).unwrap();
    let id = world
        .add_body_at(
            "ball",
            body,
            Pose::turned([1.0, 2.0, 3.0], [0.3, -0.2, 0.9]),
        )
        .unwrap();
    let mut q = world.q(id).unwrap().to_vec();
    q.chunks_exact_mut(3)
        .for_each(|x| x[2] = 3.0 + 1.3 * (x[2] - 3.0));
    world.set_q(id, &q).unwrap();
    let middle = |k: usize| world.position_world(&id.node(k as u32)).unwrap();
    let x = scale(1.0 / 3.0, add(middle(0), add(middle(1), middle(2))));
    let point = world.point_of(id, x).unwrap();
    let again = world.position_world(&point).unwrap();
    assert!(norm(sub(again, x)) < 1e-12, "{again:?} {x:?}");
    let frame = world.frame_on(point, &linkwork::math::IDENTITY3).unwrap();
    let value = world.connector_value(&frame).unwrap().x;
    let along = dot([value[3], value[6], value[9]], [1.0, 0.0, 0.0]);
    assert!((along - 1.0).abs() < 1e-9, "{value:?}");
    assert!(world.point_of(id, [9.0, 9.0, 9.0]).is_err());
}
