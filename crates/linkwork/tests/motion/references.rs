//! Published solutions, and closed forms.
//!
//! References: IFToMM/LIM library A01 to A04; IVP test set, "Andrews"; heavy top of Géradin and
//! Cardona; elliptic functions for tops and pendula. Where no data file is published, the tables were
//! computed by independent programs (DOP853 and Radau, relative tolerances to 3e-14).

use std::f64::consts::PI;

use linkwork::body::MassProperties;
use linkwork::math::{Quat, Vec3};
use linkwork::prelude::*;
use linkwork::step::PreciseOptions;

use crate::support::{
    G, Run, after, below, bob, body, close, free_top, from_to, omega_body, point, point_velocity,
    precise, scene, turned,
};

const TIGHT: Option<f64> = PreciseOptions::TIGHT.tolerance;

fn down_y() -> Vec3 {
    [0.0, -G, 0.0]
}

/// IFToMM A01: 1 kg on a massless bar of 1 m, released level.
#[test]
fn a01_simple_pendulum() {
    let table: [(f64, [f64; 4]); 7] = [
        (
            0.25,
            [-0.9536646122, -0.3008717458, 0.7310071259, -2.3170524885],
        ),
        (
            0.5,
            [-0.3910487916, -0.9203699488, 3.9110480040, -1.6617346075],
        ),
        (
            1.0,
            [0.9862917511, -0.1650108531, 0.2969055159, 1.7746436411],
        ),
        (
            2.0,
            [-0.7935661953, -0.6084839304, -2.1024378744, 2.7419353930],
        ),
        (
            5.0,
            [-0.9423054350, -0.3347543384, 0.8579042569, -2.4149286544],
        ),
        (
            9.99,
            [-0.3164364699, -0.9486137046, 4.0924519915, -1.3651511202],
        ),
        (
            10.0,
            [-0.2750874626, -0.9614192051, 4.1755981010, -1.1947490546],
        ),
    ];
    // Scheme, error of the table, energy. The benchmark asks for 5e-5 J.
    for (options, error, drift) in [
        (StepOptions::precise(0.01), 1e-7, 1e-7),
        (precise(0.01, TIGHT), 2e-9, 1e-10),
        (StepOptions::interactive(1e-3), 5e-4, 5e-5),
        (StepOptions::symplectic4(1e-3), 1e-8, 1e-9),
    ] {
        let mut run = Run::new(bob(down_y(), [-1.0, 0.0, 0.0], [0.0; 3]), options);
        let name = format!("A01 {:?}", options.scheme);
        for (t, expected) in table {
            run.until(t);
            let x = point(&run.world, "bob", [0.0; 3]);
            let v = point_velocity(&run.world, "bob", [0.0; 3]);
            close(&name, &[x[0], x[1], v[0], v[1]], &expected, error);
        }
        below(&name, run.drift(), drift);
        below(&name, run.gap, 1e-9);
    }
}

/// IFToMM A02, N = 2: through positions where mobility jumps from 1 to 3, on the branch of the
/// parallelogram.
#[test]
fn a02_double_four_bar() {
    let table: [(f64, [f64; 4]); 5] = [
        (
            1.0,
            [-0.1950203019, -0.9807992057, -6.6766780369, 1.3275783252],
        ),
        (
            2.0,
            [0.0578157958, 0.9983272679, 1.0172601366, -0.0589122487],
        ),
        (
            5.0,
            [-0.8113104610, -0.5846155454, -3.5691173972, 4.9531051713],
        ),
        (
            10.0,
            [0.3284581115, 0.9445185382, 1.4230514702, -0.4948688455],
        ),
        (
            20.0,
            [0.8397465743, 0.5429785364, 1.8382226442, -2.8429137892],
        ),
    ];
    for (options, least, drift) in [
        (StepOptions::precise(0.01), 1e-5, 1e-6),
        (StepOptions::precise(1e-3), 1e-5, 1e-6),
        (precise(0.01, TIGHT), 1e-5, 1e-6),
        (precise(1e-3, TIGHT), 1e-5, 1e-6),
        (StepOptions::interactive(1e-3), 1e-3, 1e-3),
        (StepOptions::interactive(2.5e-4), 1e-4, 1e-4),
    ] {
        let mut run = Run::new(scene("n-four-bar:2"), options);
        let name = format!("A02 {:?} {}", options.scheme, options.dt);
        for (t, expected) in table {
            run.until(t);
            let error = least * (t / 10.0f64).max(1.0).powi(2);
            let x = point(&run.world, "post 0", [0.5, 0.0]);
            let v = point_velocity(&run.world, "post 0", [0.5, 0.0]);
            close(&name, &[x[0], x[1], v[0], v[1]], &expected, error);
            // Three posts stay parallel.
            for post in ["post 1", "post 2"] {
                let foot = point(&run.world, post, [-0.5, 0.0]);
                let top = point(&run.world, post, [0.5, 0.0]);
                close(&name, &from_to(foot, top), &x, error);
            }
        }
        below(&name, run.drift(), drift);
    }
}

/// A plane angle of a part of Andrews' mechanism, wherever it lives.
fn angle(world: &World, label: &str) -> f64 {
    let id = body(world, label);
    let across = world.position_world(&id.at([1.0, 0.0, 0.0]));
    let (from, to) = match across {
        Ok(to) => (world.position_world(&id.at([0.0; 3])).unwrap(), to),
        Err(_) => (
            point(world, label, [0.0; 2]),
            point(world, label, [1.0, 0.0]),
        ),
    };
    (to[1] - from[1]).atan2(to[0] - from[0])
}

/// IFToMM A03 and the IVP test set: Andrews' squeezer, of the plane and of hinges in space.
#[test]
fn a03_andrews() {
    // t, β, β', γ, γ'
    let table = [
        (0.005, 0.2110763859, 151.0107013, 0.4491151900, -6.682659881),
        (0.010, 2.1601131315, 711.9231528, 0.1585167580, -136.4381914),
        (0.015, -0.6277555572, 441.7019932, 0.4258919258, 46.63421226),
        (0.020, 1.9017205824, 726.5583426, 0.2095369134, -145.7392376),
        (
            0.030,
            15.81077119629904,
            1139.920302151208,
            0.04082224013073101,
            11.03291221937134,
        ),
    ];
    for name in ["andrews", "andrews-3d"] {
        for (options, error) in [
            (StepOptions::precise(5e-4), 1e-4),
            (precise(5e-4, TIGHT), 1e-7),
        ] {
            let mut run = Run::new(scene(name), options);
            for (t, beta, beta_dot, gamma, gamma_dot) in table {
                run.until(t);
                let what = format!("{name} {:?} at {t}", options.scheme);
                let off = turned(angle(&run.world, "K1"), beta);
                below(&what, off.abs(), error);
                let off = turned(angle(&run.world, "K3"), gamma);
                below(&what, off.abs(), error);
                let spin = |label| {
                    *run.world
                        .v(body(&run.world, label))
                        .unwrap()
                        .last()
                        .unwrap()
                };
                below(&what, (spin("K1") - beta_dot).abs() / beta_dot, error);
                below(&what, (spin("K3") - gamma_dot).abs() / 100.0, 10.0 * error);
                if t == 0.030 {
                    let f = match name {
                        "andrews" => point(&run.world, "K1", [0.007, 0.0]),
                        _ => point(&run.world, "K1", [0.007, 0.0, 0.0]),
                    };
                    let expected = [-0.006963039426, -0.000718388439];
                    close(&what, &f[..2], &expected, 0.007 * error);
                }
            }
        }
    }
}

/// IFToMM A04: Bricard's loop, 30 rows of rank 29 on 30 velocities, must swing and not lock.
#[test]
fn a04_bricard() {
    let table: [(f64, Vec3); 10] = [
        (0.5, [0.774717808, -0.979815048, -0.199906159]),
        (1.0, [0.274481319, -0.886707939, -0.462330003]),
        (1.5, [-0.279017575, -0.887361379, -0.461074596]),
        (2.0, [-0.778135373, -0.980352683, -0.197252671]),
        (2.5, [-0.999983185, -1.000000000, -0.000016815]),
        (3.0, [-0.771281359, -0.979269330, -0.202562533]),
        (4.0, [0.283551079, -0.888022814, -0.459799393]),
        (5.0, [0.999932742, -0.999999998, -0.000067255]),
        (7.5, [-0.999848674, -0.999999989, -0.000151314]),
        (10.0, [0.999730987, -0.999999964, -0.000268977]),
    ];
    for (options, error, drift) in [
        (StepOptions::precise(0.01), 1e-6, 1e-6),
        (precise(0.01, TIGHT), 3e-9, 1e-9),
        (StepOptions::interactive(1e-3), 2e-5, 2e-5),
        (StepOptions::interactive(1.0 / 60.0), 1e-3, 2e-3),
    ] {
        let mut run = Run::new(scene("bricard"), options);
        let name = format!("A04 {:?} {}", options.scheme, options.dt);
        for (t, expected) in table {
            run.until(t);
            let x = point(&run.world, "rod 2", [0.5, 0.0, 0.0]);
            close(&format!("{name} at {t}"), &x, &expected, error);
        }
        below(&name, run.drift(), drift);
        below(&name, run.gap.max(run.angle), 1e-8);
    }
}

/// The heavy top: 150 rad/s about its axis.
#[test]
fn heavy_top() {
    let table: [(f64, Vec3, Quat, Vec3); 5] = [
        (
            0.1,
            [0.4212966589, 0.8945719743, -0.1491647006],
            [0.3318229126, 0.1773380567, 0.9149751591, -0.1458260144],
            [4.80894133, 150.0, 1.02830076],
        ),
        (
            0.2,
            [0.6055505614, 0.5989576818, -0.5239830274],
            [-0.7082791530, 0.4387810881, 0.5457283961, 0.0893997528],
            [-2.69159091, 150.0, 4.91726099],
        ),
        (
            0.5,
            [-0.7024682971, -0.0211651847, -0.7114002577],
            [0.5845606241, -0.7006628954, 0.3843257530, 0.1401930788],
            [-0.4710531, 150.0, 5.90108305],
        ),
        (
            1.0,
            [0.1733439641, 0.6400885921, -0.7484907911],
            [0.7329439807, -0.2782857193, 0.5318246113, -0.3201761427],
            [-0.8220781, 150.0, -5.92329135],
        ),
        (
            2.0,
            [-0.1504168227, -0.7241655916, -0.6730222696],
            [0.1229471350, -0.4910798926, 0.3504300303, -0.7879868876],
            [0.122233219, 150.0, -5.85562459],
        ),
    ];
    for (options, error, rates) in [
        (StepOptions::precise(0.01), 1e-6, 1e-5),
        (precise(0.01, TIGHT), 2e-9, 5e-8),
        (StepOptions::interactive(1e-4), 1e-4, 1e-3),
    ] {
        let mut run = Run::new(scene("heavy-top"), options);
        let name = format!("heavy top {:?}", options.scheme);
        for (t, com, quaternion, omega) in table {
            run.until(t);
            let name = format!("{name} at {t}");
            let world = &run.world;
            close(&name, &point(world, "top", [0.0, 1.0, 0.0]), &com, error);
            let found = world.pose(body(world, "top")).unwrap().unwrap().rotation;
            let same: f64 = (0..4).map(|k| found[k] * quaternion[k]).sum();
            let found = found.map(|w| w * same.signum());
            close(&name, &found, &quaternion, error);
            close(&name, &omega_body(world, "top"), &omega, rates);
        }
    }
}

/// I = (1, 2, 3): ω = ½·(cn, sn, 2·dn)(t | 1/12).
#[test]
fn euler_top() {
    let table: [(f64, Vec3); 3] = [
        (1.0, [0.274908606148, 0.417642500550, 0.970493816181]),
        (5.0, [0.087928378920, -0.492207883095, 0.958772027095]),
        (10.0, [-0.466448718856, -0.180071076739, 0.994581052055]),
    ];
    for (options, error) in [
        (StepOptions::precise(0.01), 1e-9),
        (precise(0.1, TIGHT), 1e-10),
        (StepOptions::interactive(1e-3), 1e-6),
        (StepOptions::interactive(1.0 / 60.0), 2e-4),
        (StepOptions::symplectic4(0.01), 1e-9),
    ] {
        let mut run = Run::new(free_top([1.0, 2.0, 3.0], [0.5, 0.0, 1.0]), options);
        for (t, omega) in table {
            run.until(t);
            let name = format!("Euler top {:?} at {t}", options.scheme);
            close(&name, &omega_body(&run.world, "top"), &omega, error);
        }
    }
}

/// Dzhanibekov's body turns over after 20.7546097647 s, and again.
#[test]
fn dzhanibekov() {
    let half = 20.754_609_764_7;
    for (options, error) in [
        (StepOptions::precise(0.02), 1e-6),
        (precise(0.02, TIGHT), 1e-7),
        (StepOptions::interactive(1e-2), 1e-4),
        (StepOptions::interactive(1.0 / 60.0), 2e-4),
    ] {
        let mut run = Run::new(free_top([1.0, 2.0, 3.0], [0.01, 1.0, 0.0]), options);
        let name = format!("Dzhanibekov {:?}", options.scheme);
        // ω₂ crosses zero at a quarter and at three quarters of the period.
        let mut crossings = vec![];
        let sample = |world: &World| {
            let [x, y, z] = omega_body(world, "top");
            // I₂·ω̇₂ = (I₃ − I₁)·ω₃·ω₁
            [world.state().t, y, z * x]
        };
        let mut last = sample(&run.world);
        while run.world.state().t < 50.0 {
            run.step();
            let now = sample(&run.world);
            if now[1] * last[1] < 0.0 {
                crossings.push(zero_between(last, now));
            }
            last = now;
        }
        let expected = [0.5 * half, 1.5 * half];
        close(&name, &crossings, &expected, error);
    }
}

/// Where the cubic with these values and slopes at two times is zero.
fn zero_between(a: [f64; 3], b: [f64; 3]) -> f64 {
    let h = b[0] - a[0];
    let value = |s: f64| {
        let r = 1.0 - s;
        let ends = r * r * (1.0 + 2.0 * s) * a[1] + s * s * (1.0 + 2.0 * r) * b[1];
        ends + h * s * r * (r * a[2] - s * b[2])
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if value(middle) * a[1] > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    a[0] + h * low
}

/// Masses on massless bars, by distances, in a row along x.
fn beads(points: &[Vec3]) -> World {
    let mut world = World::with_gravity(down_y()).unwrap();
    let mut held = GROUND.at([0.0; 3]);
    for (k, &at) in points.iter().enumerate() {
        let label = format!("bead {k}");
        let bead = world.add_body_at(&label, Particle { mass: 1.0 }, Pose::at(at));
        let bead = bead.unwrap().at([0.0; 3]);
        let ends = [held, bead];
        world
            .add_constraint(&format!("bar {k}"), Distance { length: 1.0 }, &ends)
            .unwrap();
        held = bead;
    }
    world
}

/// Angle of a bar from hanging, and its rate.
fn hanging(from: Vec3, to: Vec3, from_dot: &[f64], to_dot: &[f64]) -> (f64, f64) {
    let (x, y) = (to[0] - from[0], to[1] - from[1]);
    let (x_dot, y_dot) = (to_dot[0] - from_dot[0], to_dot[1] - from_dot[1]);
    (x.atan2(-y), (y * -x_dot + x * y_dot) / (x * x + y * y))
}

#[test]
fn double_pendulum_of_beads() {
    // t, angles, rates
    let table: [(f64, [f64; 2], [f64; 2]); 5] = [
        (
            0.5,
            [0.570472051, 1.203875111],
            [-2.789645766, -3.188062747],
        ),
        (
            1.0,
            [-0.625087700, -1.034585086],
            [-3.922279573, -1.303099249],
        ),
        (
            2.0,
            [-0.482971534, -1.324048712],
            [3.065288192, 2.949271548],
        ),
        (3.0, [1.785795522, 1.118107461], [0.327980620, -0.504455104]),
        (
            5.0,
            [-0.627186705, -1.301315550],
            [2.125408674, 3.881888727],
        ),
    ];
    for (options, error) in [
        (StepOptions::precise(0.01), 1e-6),
        (precise(0.01, TIGHT), 5e-9),
        (StepOptions::interactive(2.5e-4), 1e-4),
        (StepOptions::symplectic4(1e-3), 1e-6),
    ] {
        let mut run = Run::new(beads(&[[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]), options);
        for (t, angles, rates) in table {
            run.until(t);
            let at = |label| point(&run.world, label, [0.0; 3]);
            let v = |label| point_velocity(&run.world, label, [0.0; 3]);
            let upper = hanging([0.0; 3], at("bead 0"), &[0.0; 3], &v("bead 0"));
            let lower = hanging(at("bead 0"), at("bead 1"), &v("bead 0"), &v("bead 1"));
            let name = format!("beads {:?} at {t}", options.scheme);
            close(&name, &[upper.0, lower.0], &angles, error);
            close(&name, &[upper.1, lower.1], &rates, 10.0 * error);
        }
    }
}

/// Two rods as bodies of the plane, and as bodies in space that hang on hinges.
#[test]
fn double_pendulum_of_rods() {
    let table = [
        (0.5, [0.448142626, 1.041962887]),
        (1.0, [-1.207716238, -0.814391023]),
        (2.0, [-0.082758307, 0.407362075]),
        (3.0, [1.025086012, 0.495734648]),
        (5.0, [1.138543797, 1.244379928]),
    ];
    for (options, error) in [
        (StepOptions::precise(0.01), 1e-6),
        (precise(0.01, TIGHT), 5e-9),
        (StepOptions::interactive(2.5e-4), 2e-4),
        (StepOptions::symplectic4(1e-3), 1e-6),
    ] {
        for (space, world) in [(false, scene("double-pendulum")), (true, rods(2))] {
            let mut run = Run::new(world, options);
            for (t, angles) in table {
                run.until(t);
                let found = ["upper", "lower"].map(|label| {
                    let ends = [-0.5, 0.5].map(|x| match space {
                        true => point(&run.world, label, [x, 0.0, 0.0]),
                        false => point(&run.world, label, [x, 0.0]),
                    });
                    hanging(ends[0], ends[1], &[0.0; 3], &[0.0; 3]).0
                });
                let name = format!("rods {:?} in space: {space}, at {t}", options.scheme);
                close(&name, &found, &angles, error);
            }
        }
    }
}

/// `n` thin rods of 1 m, level along x, on hinges about z; y is up.
fn rods(n: usize) -> World {
    let mut world = World::with_gravity(down_y()).unwrap();
    let mut held = GROUND.at([0.0; 3]);
    for k in 0..n {
        let i = 1.0 / 12.0;
        let rod = RigidBody::new(MassProperties::centered(1.0, [1e-3, i, i]));
        let label = match (n, k) {
            (2, 0) => "upper".to_owned(),
            (2, 1) => "lower".to_owned(),
            _ => format!("rod {k}"),
        };
        let pose = Pose::at([k as f64 + 0.5, 0.0, 0.0]);
        let rod = world.add_body_at(&label, rod, pose).unwrap();
        let hinge = Hinge {
            axis_world: [0.0, 0.0, 1.0],
        };
        let end = rod.at([-0.5, 0.0, 0.0]);
        world.join(&format!("hinge {k}"), hinge, held, end).unwrap();
        held = rod.at([0.5, 0.0, 0.0]);
    }
    world
}

#[test]
fn spherical_pendulum() {
    let table: [(f64, Vec3); 3] = [
        (1.0, [-0.738316660, -0.431492044, -0.518365823]),
        (2.0, [0.409209801, 0.711903748, -0.570736710]),
        (5.0, [0.417759486, -0.392265615, -0.819514917]),
    ];
    for (options, error) in [
        (StepOptions::precise(0.01), 1e-7),
        (precise(0.01, TIGHT), 2e-9),
        (StepOptions::interactive(1e-3), 1e-4),
        (StepOptions::symplectic4(1e-3), 1e-8),
    ] {
        let (sin, cos) = (PI / 3.0).sin_cos();
        let world = bob([0.0, 0.0, -G], [sin, 0.0, -cos], [0.0, 2.0 * sin, 0.0]);
        let mut run = Run::new(world, options);
        let name = format!("spherical pendulum {:?}", options.scheme);
        let (mut low, mut high) = (0.0f64, -1.0f64);
        for (t, expected) in table {
            while run.world.state().t < t - 1e-9 {
                run.step();
                let z = point(&run.world, "bob", [0.0; 3])[2];
                (low, high) = (low.min(z), high.max(z));
            }
            close(&name, &point(&run.world, "bob", [0.0; 3]), &expected, error);
        }
        // Turning heights; a frame may miss the turn by half a step: z̈·h²/8.
        let missed = 10.0 * options.dt * options.dt / 8.0 * 4.0;
        close(&name, &[low, high], &[-0.8875974, -0.5], error + missed);
    }
}

/// ω² = g/(l·cos θ) keeps its height.
#[test]
fn conical_pendulum() {
    let omega: f64 = 4.429_446_918_1;
    let (sin, cos) = (PI / 3.0).sin_cos();
    for (options, error) in [
        (StepOptions::precise(0.01), 1e-8),
        (StepOptions::interactive(1e-3), 5e-6),
        (StepOptions::interactive(1.0 / 60.0), 1e-3),
    ] {
        let world = bob([0.0, 0.0, -G], [sin, 0.0, -cos], [0.0, omega * sin, 0.0]);
        let mut run = Run::new(world, options);
        for _ in 0..(10.0 / options.dt).round() as usize {
            run.step();
            let x = point(&run.world, "bob", [0.0; 3]);
            let name = format!("conical {:?}", options.scheme);
            close(&name, &[x[2]], &[-cos], error);
        }
        let (sin_t, cos_t) = (omega * 10.0).sin_cos();
        let x = point(&run.world, "bob", [0.0; 3]);
        let name = format!("conical {:?}, where", options.scheme);
        close(&name, &x[..2], &[sin * cos_t, sin * sin_t], 50.0 * error);
    }
}

/// Where a swing's rate is zero again, half a period after it was let go: how late it is there, in
/// periods.
fn lateness(rate: f64, acceleration: f64, period: f64) -> f64 {
    (rate / acceleration / period).abs()
}

/// A uniform rod from its end: T = T₀·2K/π, T₀ = 1.6379465859 s.
#[test]
fn rod_pendulum_periods() {
    for (degrees, ratio) in [
        (10.0f64, 1.0019071881),
        (30.0, 1.0174087976),
        (60.0, 1.0731820071),
        (90.0, 1.1803405990),
        (120.0, 1.3728805006),
        (170.0, 2.4393627197),
    ] {
        let (amplitude, period) = (degrees.to_radians(), 1.6379465859 * ratio);
        let (sin, cos) = amplitude.sin_cos();
        let mut world = World::with_gravity(down_y()).unwrap();
        let i = 1.0 / 12.0;
        let rod = RigidBody::new(MassProperties::centered(1.0, [1e-3, i, i]));
        let pose = Pose::turned(
            [0.5 * sin, -0.5 * cos, 0.0],
            [0.0, 0.0, amplitude - 0.5 * PI],
        );
        let rod = world.add_body_at("rod", rod, pose).unwrap();
        let hinge = Hinge {
            axis_world: [0.0, 0.0, 1.0],
        };
        world
            .join(
                "pivot",
                hinge,
                GROUND.at([0.0; 3]),
                rod.at([-0.5, 0.0, 0.0]),
            )
            .unwrap();
        for (options, n, error) in [
            (StepOptions::precise(1.0), 50, 1e-8),
            (precise(1.0, TIGHT), 50, 2e-10),
            (StepOptions::interactive(1.0), 1000, 1e-5),
        ] {
            let end = after(&world, options, 0.5 * period, n);
            let tip = point(&end, "rod", [0.5, 0.0, 0.0]);
            let rate = end.v(rod).unwrap()[5];
            let name = format!("rod from {degrees}° {:?}", options.scheme);
            below(&name, lateness(rate, 1.5 * G * sin, period), error);
            close(&name, &tip[..2], &[-sin, -cos], 10.0 * error);
        }
    }
}

/// Small oscillations of `n` masses on massless links: ω² = (g/l)·x with x a zero of the Laguerre
/// polynomial; and of `n` rods.
#[test]
fn small_oscillations() {
    let beads_table: [&[f64]; 3] = [
        &[0.585_786_437_627, 3.414_213_562_373],
        &[0.41577456, 2.29428036, 6.28994508],
        &[0.26356032, 1.41340306, 3.59642577, 7.08581001, 12.64080084],
    ];
    let rods_table: [&[f64]; 3] = [
        &[0.73221316, 5.26778684],
        &[0.48492795, 3.0, 10.70737974],
        &[0.28984107, 1.63258258, 4.70242027, 11.13112619, 25.61143320],
    ];
    for (is_rods, table) in [(false, beads_table), (true, rods_table)] {
        for values in table {
            for &x in values {
                mode(values.len(), is_rods, x);
            }
        }
    }
}

/// Lets a mode go and checks that it is back after half its period, on the other side, at rest.
fn mode(n: usize, is_rods: bool, x: f64) {
    let name = format!("{n} {}, mode {x}", if is_rods { "rods" } else { "beads" });
    let amplitude = 1e-4;
    let shape = mode_shape(n, is_rods, x);
    let size = shape.iter().fold(0.0f64, |m, u| m.max(u.abs()));
    let mut points = vec![[0.0; 3]];
    for k in 1..=n {
        let u = amplitude * shape[k] / size;
        let aside = u - points[k - 1][0];
        let y = points[k - 1][1] - (1.0 - aside * aside).sqrt();
        points.push([u, y, 0.0]);
    }
    let world = if is_rods {
        let mut world = rods(n);
        for k in 0..n {
            let label = match (n, k) {
                (2, 0) => "upper".to_owned(),
                (2, 1) => "lower".to_owned(),
                _ => format!("rod {k}"),
            };
            let (a, b) = (points[k], points[k + 1]);
            let middle = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.0];
            let turn = (b[1] - a[1]).atan2(b[0] - a[0]);
            let pose = Pose::turned(middle, [0.0, 0.0, turn]);
            world.set_pose(body(&world, &label), pose).unwrap();
        }
        world
    } else {
        beads(&points[1..])
    };
    let period = 2.0 * PI / (G * x).sqrt();
    for (options, steps, error) in [
        (precise(1.0, TIGHT), 20, 1e-6),
        (StepOptions::interactive(1.0), 500, 2e-5),
    ] {
        let end = after(&world, options, 0.5 * period, steps);
        let ends: Vec<(f64, f64)> = (0..n)
            .map(|k| {
                let (label, site) = match (is_rods, n, k) {
                    (true, 2, 0) => ("upper".to_owned(), [0.5, 0.0, 0.0]),
                    (true, 2, _) => ("lower".to_owned(), [0.5, 0.0, 0.0]),
                    (true, _, _) => (format!("rod {k}"), [0.5, 0.0, 0.0]),
                    _ => (format!("bead {k}"), [0.0; 3]),
                };
                (
                    point(&end, &label, site)[0],
                    point_velocity(&end, &label, site)[0],
                )
            })
            .collect();
        // How late: the rate along the mode over ω² times the amplitude.
        let (mut along, mut square) = (0.0, 0.0);
        for k in 0..n {
            along += ends[k].1 * points[k + 1][0];
            square += points[k + 1][0] * points[k + 1][0];
            let back = (ends[k].0 + points[k + 1][0]).abs() / amplitude;
            below(&name, back, 1e-3);
        }
        below(&name, lateness(along / square, G * x, period), error);
    }
}

/// How far the joints stand aside in the mode of ω² = x·g/l, from the tip upwards; the first, at
/// the support, comes out as zero.
fn mode_shape(n: usize, is_rods: bool, x: f64) -> Vec<f64> {
    // Tension of link j (1 above): what hangs below its middle.
    let tension = |j: usize| {
        if j > n {
            0.0
        } else if is_rods {
            (n - j) as f64 + 0.5
        } else {
            (n - j + 1) as f64
        }
    };
    // Mass of a joint's motion, with the consistent mass matrix of rods.
    let (own, next) = if is_rods {
        (1.0 / 3.0, 1.0 / 6.0)
    } else {
        (1.0, 0.0)
    };
    let mut u = vec![0.0; n + 2];
    u[n] = 1.0;
    for j in (1..=n).rev() {
        let below = if j < n { u[j + 1] } else { 0.0 };
        let own = if is_rods && j < n { 2.0 * own } else { own };
        // x·(next·u₋ + own·u + next·u₊) = T·(u − u₋) − T₊·(u₊ − u)
        let right = tension(j) * u[j] - tension(j + 1) * (below - u[j]);
        let left = x * (own * u[j] + next * below);
        u[j - 1] = (right - left) / (tension(j) + x * next);
    }
    assert!(u[0].abs() < 1e-5, "no mode: {u:?}");
    u
}
