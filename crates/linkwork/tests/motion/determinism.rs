//! The same world and the same commands give the same bits, whatever was cached on the way.

use linkwork::integrate::Integrator;
use linkwork::prelude::*;
use linkwork::solve::Krylov;
use linkwork::stabilize::Stabilization;
use linkwork::step::Scheme;

use crate::random_world;
use crate::support::{precise, scene, unguarded};

/// Every number of a state.
fn bits(world: &World) -> Vec<u64> {
    let state = world.state();
    let rows = state.lambda.iter().chain(state.unfinished.rows());
    let numbers = state.q.iter().chain(&state.v).chain(rows);
    let bits = numbers.map(|x| x.to_bits());
    bits.chain([state.t.to_bits(), state.substep.to_bits()])
        .collect()
}

fn schemes(dt: f64) -> Vec<StepOptions> {
    let post = Stabilization::Post { iterations: 3 };
    let displacement = Stabilization::Displacement { iterations: 2 };
    let baumgarte = Stabilization::Baumgarte {
        alpha: 10.0,
        beta: 10.0,
    };
    vec![
        StepOptions::interactive(dt),
        unguarded(0.3 * dt),
        StepOptions::precise(dt),
        precise(dt, None),
        StepOptions::symplectic4(0.3 * dt),
        StepOptions::parts(dt, Integrator::Stoermer, post),
        StepOptions::parts(dt, Integrator::Rk4, post),
        StepOptions::parts(dt, Integrator::SymplecticEuler, baumgarte),
        StepOptions::parts(dt, Integrator::Stoermer, displacement),
    ]
}

/// A chain that whips, one that must be split; a loop; rows that repeat each other; springs, levels.
fn worlds() -> Vec<(&'static str, World)> {
    let mut soft = scene("chain:4");
    let joint = soft.find_constraint("joint 2").unwrap();
    soft.set_compliance(joint, &[1e-4; 3]).unwrap();
    soft.set_damping(joint, &[0.5; 3]).unwrap();
    let mut heavy = scene("chain:4");
    let rod = Rod {
        length: 1.0,
        radius: 0.05,
        mass: 1e4,
    };
    let last = heavy.find_body("bar 3").unwrap();
    heavy.replace_body(last, rod).unwrap();
    let mut held = scene("ladder3:3,2");
    held.set_dynamics(Dynamics::FirstOrder);
    let rung = held.find_body("rung 0").unwrap();
    let grip = held.grab(rung.at([0.1, 0.0, 0.0]), Drag::Follow).unwrap();
    held.drag(grip, [0.3, 0.5, 0.2]).unwrap();
    vec![
        ("held", held),
        ("ladder", scene("ladder3:3,2")),
        ("bricard", scene("bricard")),
        ("tree", scene("tree:7")),
        ("andrews", scene("andrews")),
        ("soft", soft),
        ("heavy", heavy),
        ("top", scene("heavy-top")),
        ("sheets", scene("puppet")),
        ("mixed", random_world::world(75, 6, 2)),
    ]
}

fn dt_of(name: &str) -> f64 {
    match name {
        "andrews" => 1e-5,
        "top" | "mixed" => 1e-3,
        _ => 1.0 / 60.0,
    }
}

/// Steps and calls `between` after each; the bits at the end, or none where the step is refused.
fn run(
    world: &World,
    options: StepOptions,
    mut between: impl FnMut(&mut World, &mut Simulator, usize),
) -> Vec<u64> {
    let mut world = world.clone();
    let mut simulator = Simulator::new();
    for step in 0..N {
        if simulator.step(&mut world, &options).is_err() {
            return vec![step as u64];
        }
        between(&mut world, &mut simulator, step);
    }
    bits(&world)
}

/// Enough for everything that is put in between.
const N: usize = 12;

/// By `Direct`; the schemes most used also by other methods.
fn methods(options: StepOptions) -> Vec<StepOptions> {
    if let Scheme::Symplectic4 | Scheme::Parts { .. } = options.scheme {
        return vec![options];
    }
    let cut = Krylov::default()
        .with_tolerance(1e-12)
        .with_max_iterations(5)
        .with_warm_start(true);
    let short = options.within(
        Budget::default()
            .with_max_iterations(10)
            .with_tolerance(1e-9),
    );
    vec![
        options,
        options.by(Method::ForestDense),
        options.by(Method::ForestKrylov(Krylov::TIGHT)),
        options.by(Method::NormalCg(Krylov::default())),
        short.by(Method::ForestKrylov(cut)),
        short.by(Method::NormalCg(cut)),
    ]
}

/// A run with something in between that must not show: its name, and its bits.
type Disturbed = (&'static str, fn(&World, StepOptions) -> Vec<u64>);

const DISTURBED: [Disturbed; 7] = [
    ("nothing", |world, options| {
        run(world, options, |_, _, _| {})
    }),
    ("a new simulator", with_a_new_simulator_every_step),
    ("a snapshot", with_a_snapshot_in_the_middle),
    ("a state that was set", with_a_state_that_was_set),
    ("edits and their undoing", with_edits_and_their_undoing),
    ("other work", with_other_work_for_the_simulator),
    ("solves", with_solves_in_between),
];

/// Asserts that whatever is in between, a run has the bits of an undisturbed one, by all schemes and methods.
fn has_the_same_bits(name: &str) {
    let (_, world) = worlds().into_iter().find(|own| own.0 == name).unwrap();
    let mut wrong = vec![];
    for options in schemes(dt_of(name)).into_iter().flat_map(methods) {
        let expected = run(&world, options, |_, _, _| {});
        for (between, again) in DISTURBED {
            if again(&world, options) != expected {
                let (scheme, method) = (options.scheme, options.method.name());
                wrong.push(format!("{between}: {scheme:?} {method}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{name} has other bits with\n{}",
        wrong.join("\n")
    );
}

/// A test for each of the worlds, so that they run side by side.
macro_rules! same_bits {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            has_the_same_bits(stringify!($name));
        })*

        #[test]
        fn no_world_is_left_out() {
            let names: Vec<_> = worlds().into_iter().map(|own| own.0).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
        }
    };
}

same_bits!(held ladder bricard tree andrews soft heavy top sheets mixed);

fn with_a_new_simulator_every_step(world: &World, options: StepOptions) -> Vec<u64> {
    run(world, options, |_, simulator, _| {
        *simulator = Simulator::new();
    })
}

fn with_a_snapshot_in_the_middle(world: &World, options: StepOptions) -> Vec<u64> {
    run(world, options, |world, simulator, step| {
        if step == N / 2 {
            let snapshot = world.snapshot();
            for _ in 0..3 {
                let _ = simulator.step(world, &options);
            }
            world.restore(&snapshot).unwrap();
        }
    })
}

fn with_a_state_that_was_set(world: &World, options: StepOptions) -> Vec<u64> {
    run(world, options, |world, simulator, step| {
        if step % 7 == 3 {
            let state = world.state().clone();
            let _ = simulator.step(world, &options);
            world.set_state(state).unwrap();
        }
    })
}

fn with_edits_and_their_undoing(world: &World, options: StepOptions) -> Vec<u64> {
    run(world, options, |world, _, step| {
        if step % 10 == 4 {
            let id = world.constraints()[step % world.constraints().len()].id();
            let removed = world.remove_constraint(id).unwrap();
            world.restore_removed(&removed).unwrap();
        }
        if step % 10 == 7 {
            let rod = Rod {
                length: 1.0,
                radius: 0.1,
                mass: 3.0,
            };
            let extra = world.add_body("extra", rod).unwrap();
            let hook = GROUND.at([0.0; 3]);
            world
                .join("extra", Ball, hook, extra.at([0.5, 0.0, 0.0]))
                .unwrap();
            world.remove_body(extra).unwrap();
        }
    })
}

/// A step of another world, and of another scheme, in between.
fn with_other_work_for_the_simulator(world: &World, options: StepOptions) -> Vec<u64> {
    let mut other = scene("four-bar");
    run(world, options, |world, simulator, step| {
        if step % 5 == 2 {
            let step = StepOptions::interactive(0.01);
            simulator.step(&mut other, &step).unwrap();
        }
        if step % 5 == 4 {
            let mut aside = world.clone();
            let _ = simulator.step(&mut aside, &StepOptions::interactive(1e-3));
            simulator.accelerations(world, Method::Direct);
        }
    })
}

/// What one instant was solved by, and where, does not show in the step that follows.
fn with_solves_in_between(world: &World, options: StepOptions) -> Vec<u64> {
    run(world, options, |world, simulator, step| {
        let loose = Krylov::default().with_tolerance(0.5).with_max_iterations(1);
        if step % 2 == 0 {
            simulator.accelerations(world, Method::NormalCg(loose));
        } else {
            let body = world.bodies()[0].id();
            let mut aside = world.clone();
            let q = aside.q(body).unwrap().iter();
            let q: Vec<f64> = q.map(|x| 0.9 * x).collect();
            let _ = aside.set_q(body, &q);
            simulator.displacement(&aside, Method::Direct);
        }
    })
}

/// First-order worlds and assembly too.
#[test]
fn of_every_order() {
    for (name, mut world) in worlds() {
        for dynamics in [Dynamics::FirstOrder, Dynamics::Assembly] {
            world.set_dynamics(dynamics);
            let options = StepOptions::interactive(dt_of(name));
            let expected = run(&world, options, |_, _, _| {});
            let found = run(&world, options, |_, simulator, _| {
                *simulator = Simulator::new();
            });
            assert_eq!(found, expected, "{name} {dynamics:?}");
        }
    }
}

/// Switching dynamics, and looking at accelerations in between, leave no trace in a simulator.
#[test]
fn with_other_questions_in_between() {
    let build = || {
        let mut world = scene("ladder3:3,2");
        let last = world.constraints().last().unwrap().id();
        world.set_priority(last, 1).unwrap();
        world
    };
    let options = StepOptions::interactive(1.0 / 60.0);
    let turns = [
        Dynamics::SecondOrder,
        Dynamics::Assembly,
        Dynamics::FirstOrder,
        Dynamics::SecondOrder,
    ];
    let (mut plain, mut asked) = (build(), build());
    let mut kept = Simulator::new();
    for dynamics in turns {
        plain.set_dynamics(dynamics);
        asked.set_dynamics(dynamics);
        for _ in 0..3 {
            Simulator::new().step(&mut plain, &options).unwrap();
            kept.accelerations(&asked, Method::Direct);
            kept.step(&mut asked, &options).unwrap();
            kept.displacement(&asked, Method::Direct);
            assert_eq!(plain.state_hash(), asked.state_hash(), "{dynamics:?}");
        }
    }
}
