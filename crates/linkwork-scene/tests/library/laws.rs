//! Facts about single scenes of the library, beyond what the table says of all.

use std::f64::consts::PI;

use linkwork::body::Troid;
use linkwork::prelude::*;
use linkwork::world::BodyRecord;
use linkwork_scene::Scene;
use linkwork_scene::library::open;

/// Steps so many frames and shows each.
fn frames(scene: &mut Scene, n: usize, mut see: impl FnMut(&World)) {
    let mut simulator = Simulator::new();
    for _ in 0..n {
        simulator.step(&mut scene.world, &scene.options).unwrap();
        see(&scene.world);
    }
}

fn velocity(world: &World, body: &str) -> Vec<f64> {
    let body = world.find_body(body).unwrap();
    world.v(body).unwrap().to_vec()
}

/// x = r·cos θ + √(l² − r²·sin²θ).
#[test]
fn slider_crank() {
    let (r, l) = (0.25, 0.75f64);
    frames(&mut open("slider-crank").unwrap(), 60, |world| {
        let (sin, cos) = (2.0 * PI * world.state().t).sin_cos();
        let piston = world.find_body("piston").unwrap();
        let wanted = r * cos + (l * l - r * r * sin * sin).sqrt();
        let x = world.q(piston).unwrap()[0];
        assert!((x - wanted).abs() < 1e-8, "{x} for {wanted}");
    });
}

/// However the arms swing, the shade is upright and free to turn about that.
#[test]
fn swinging_lamp() {
    let (mut spin, mut swing) = (0.0f64, 0.0f64);
    frames(&mut open("swinging-lamp").unwrap(), 600, |world| {
        let shade = world.find_body("shade").unwrap();
        let up = world
            .connector_value(&shade.direction([0.0, 1.0, 0.0]))
            .unwrap()
            .x;
        assert!(up[0].hypot(up[2]) < 1e-8, "{up:?}");
        spin = spin.max(velocity(world, "shade")[4].abs());
        swing = swing.max(velocity(world, "lower arm")[5].abs());
    });
    assert!(spin > 0.5 && swing > 2.0, "{spin} {swing}");
}

/// m/3·ḧ = p·w − k·(h − h₀): the lid swings about h₀ + p·w/k with ω² = 3·k/m.
#[test]
fn gas_spring() {
    let (rest, k, omega) = (0.2 + 12.0 * 0.4 / 50.0, 50.0, (3.0 * 50.0 / 3.0f64).sqrt());
    let start = 0.2 - rest;
    frames(&mut open("gas-spring").unwrap(), 300, |world| {
        let wanted = rest + start * (omega * world.state().t).cos();
        let gas = world.find_body("gas").unwrap();
        let height = world.connector_value(&gas.at([0.0, 0.5])).unwrap().x[1];
        assert!((height - wanted).abs() < 5e-3, "{height} for {wanted}");
        let energy = world.energy().unwrap().total();
        // Spring and gas, from −p·w·h₀.
        assert!(
            (energy + 12.0 * 0.4 * 0.2).abs() < 2e-3 * k * start * start,
            "{energy}"
        );
    });
}

/// ω_left + ω_right = 2·ω_case.
#[test]
fn differential() {
    let mut most = 0.0f64;
    frames(&mut open("differential").unwrap(), 240, |world| {
        let spin = |body: &str| velocity(world, body)[3];
        let rest = spin("left") + spin("right") - 2.0 * spin("case");
        assert!(rest.abs() < 1e-8, "{rest:e}");
        most = most.max(spin("left").abs());
    });
    assert!(most > 1.0, "the left shaft swings: {most}");
}

/// The spins at 1, 5 and 10 s, as Jacobi's functions give them.
#[test]
fn newton_euler_top() {
    let mut scene = open("newton-euler-top").unwrap();
    for (n, wanted) in [
        (
            60,
            [0.274_908_606_148, 0.417_642_500_550, 0.970_493_816_181],
        ),
        (
            240,
            [0.087_928_378_920, -0.492_207_883_095, 0.958_772_027_095],
        ),
        (
            300,
            [-0.466_448_718_856, -0.180_071_076_739, 0.994_581_052_055],
        ),
    ] {
        frames(&mut scene, n, |_| {});
        let world = &scene.world;
        let top = world.find_body("top").unwrap();
        let v = velocity(world, "top");
        let origin = world.position_world(&top.at([0.0; 3])).unwrap();
        for (k, wanted) in wanted.into_iter().enumerate() {
            let mut at = [0.0; 3];
            at[k] = 1.0;
            let tip = world.position_world(&top.at(at)).unwrap();
            let spin: f64 = (0..3).map(|i| (tip[i] - origin[i]) * v[3 + i]).sum();
            assert!((spin - wanted).abs() < 1e-3, "{k}: {spin} for {wanted}");
        }
    }
}

/// Each foot walks the path of the single leg, thirds of a turn apart; mirrored feet are mirrored.
#[test]
fn walker() {
    let mut single = open("jansen").unwrap();
    let foot = *single.connector("foot").unwrap();
    let mut path = vec![single.world.position_world(&foot).unwrap()];
    frames(&mut single, 120, |world| {
        path.push(world.position_world(&foot).unwrap());
    });
    let mut walker = open("jansen-walker").unwrap();
    assert_eq!(diagnose(&walker.world).mobility, 0);
    let feet: Vec<_> = walker
        .traces
        .iter()
        .map(|trace| (trace.name.clone(), trace.of))
        .collect();
    assert_eq!(feet.len(), 6);
    let mut frame = 0;
    frames(&mut walker, 120, |world| {
        frame += 1;
        for (name, foot) in &feet {
            let throw: usize = name.split(' ').nth(1).unwrap().parse().unwrap();
            let [x, y, _] = world.position_world(foot).unwrap();
            // Mirrored at x = 0, a crank at φ is one at π − φ that turns the other way.
            let phase = frame + 40 * throw;
            let (mirror, phase) = match name.starts_with("left") {
                true => (1.0, phase),
                false => (-1.0, 60 + 240 - phase),
            };
            let wanted = path[phase % 120];
            let miss = (mirror * x - wanted[0]).hypot(y - wanted[1]);
            assert!(miss < 1e-7, "{name}, frame {frame}: {miss:e}");
        }
    });
}

/// The bead stays on both surfaces, and goes from side to side of the ring's lowest point.
#[test]
fn bead_on_wire() {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    frames(&mut open("bead-on-wire").unwrap(), 600, |world| {
        let [x, y, z] = world.q(world.bodies()[0].id()).unwrap() else {
            panic!("a bead has three coordinates");
        };
        assert!((x.hypot(*y).hypot(*z) - 1.0).abs() < 1e-8);
        assert!(((x - 0.2).hypot(*z) - 0.6).abs() < 1e-8);
        (low, high) = (low.min(*z), high.max(*z));
    });
    assert!(low < -0.35 && high > 0.35, "{low} {high}");
}

/// Sheets keep their areas to a fifth, and led points are where they are led.
#[test]
fn puppet() {
    let mut scene = open("puppet").unwrap();
    let areas = |world: &World| -> Vec<f64> {
        let sheets = world.bodies().iter();
        let area = |record: &BodyRecord| {
            let area = record.id().scalar(Troid::AREA);
            world.connector_value(&area).unwrap().x[0]
        };
        sheets.map(area).collect()
    };
    let start = areas(&scene.world);
    frames(&mut scene, 600, |world| {
        for (record, (now, start)) in world.bodies().iter().zip(areas(world).iter().zip(&start)) {
            let part = now / start;
            let label = record.label();
            assert!((0.8..1.25).contains(&part), "{label}: {part}");
        }
    });
}

/// The points of the puppet are where they are led, of two takes by the one that acts, and rest after the show.
#[test]
fn puppet_show() {
    let mut scene = open("puppet-show").unwrap();
    let point = |scene: &Scene, name: &str| {
        let connector = scene.connector(name).unwrap();
        scene.world.position_world(connector).unwrap()
    };
    let near = |scene: &Scene, name: &str, [x, y]: [f64; 2]| {
        let at = point(scene, name);
        let away = (at[0] - x).hypot(at[1] - y);
        assert!(
            away < 1e-3,
            "{name} is {away} m away at {}",
            scene.world.state().t
        );
    };
    for frame in 1..=480 {
        frames(&mut scene, 1, |_| {});
        match frame {
            60 => near(&scene, "collar", [-0.24, 1.55]),
            180 => near(&scene, "fingers", [0.6, 2.2]),
            192 => near(&scene, "foot", [0.32, 0.44]),
            480 => {
                near(&scene, "collar", [0.0, 1.55]);
                near(&scene, "fingers", [0.9, 1.6]);
            }
            _ => {}
        }
    }
}

/// The bar rebounds to cos φ = 1 − e², and comes to rest on its limit.
#[test]
fn bar_on_stop() {
    let mut scene = open("bar-on-stop").unwrap();
    let (mut highest, mut has_hit) = (f64::NEG_INFINITY, false);
    frames(&mut scene, 600, |world| {
        let limits = world.find_constraint("hinge limits").unwrap();
        let [angle, spin] = world.joint_angles(limits).unwrap()[0];
        assert!(angle > -0.5 * PI - 1e-9, "{angle}");
        has_hit |= spin > 0.0;
        if has_hit {
            highest = highest.max(angle);
        }
    });
    let wanted = 41.4096f64.to_radians() - 0.5 * PI;
    // Seen once a frame: the top is missed by less than g·dt².
    assert!((highest - wanted).abs() < 5e-3, "{highest} for {wanted}");
    // Nothing presses it against the limit there: each blow leaves half.
    assert!(velocity(&scene.world, "bar")[5].abs() < 0.05);
}

/// The weight never goes beyond its rope, and the rope never pushes.
#[test]
fn weight_on_rope() {
    let mut farthest = 0.0f64;
    frames(&mut open("weight-on-rope").unwrap(), 600, |world| {
        let weight = world.find_body("weight").unwrap();
        let q = world.q(weight).unwrap();
        farthest = farthest.max(q[0].hypot(q[1]));
        assert!(world.state().lambda[0] >= 0.0);
    });
    assert!((farthest - 1.0).abs() < 1e-8, "{farthest}");
}
