//! Two priorities by iterations (Faure 1999, §3.4): whatever a frame may spend, joints stay closed, and what
//! cannot hold comes as near as it can.

use linkwork::body::Rod;
use linkwork::constraint::FramePair;
use linkwork::prelude::*;
use linkwork::solve::Krylov;
use linkwork::world::BodyRecord;

/// What is left of the bindings of three people torn between posts, each priority exact.
const LEAST: f64 = 1.392_400;

/// `Σ e²` of what gave way.
fn square(report: &StepReport) -> f64 {
    report
        .gave_way
        .iter()
        .map(|gave| gave.error * gave.error)
        .sum()
}

/// After so many frames of so many iterations.
fn torn(max_iterations: usize, frames: usize) -> f64 {
    let mut world = linkwork_scene::scene("three-characters-torn").unwrap();
    world.set_dynamics(Dynamics::Assembly);
    let options = StepOptions::interactive(1.0 / 60.0)
        .by(Method::ForestKrylov(Krylov::default()))
        .within(Budget::default().with_max_iterations(max_iterations));
    let mut simulator = Simulator::new();
    let mut last = f64::INFINITY;
    for frame in 0..frames {
        let report = simulator.step(&mut world, &options).unwrap();
        let what = format!("{max_iterations} iterations, frame {frame}");
        assert!(report.position_error <= 1e-6, "{what}: {report:?}");
        assert!(report.effort.iterations <= max_iterations, "{what}");
        let now = square(&report);
        assert!(now <= last * (1.0 + 1e-9), "{what}: {now} after {last}");
        last = now;
    }
    last
}

/// Every budget ends where exact solves do, and no more iterations end worse. (100 a frame stayed at 2.26 for ever,
/// and 50 at 3.26.)
#[test]
fn every_budget_ends_at_least_squares() {
    for max_iterations in [2, 3, 5, 10, 20, 50, 100, 300, usize::MAX] {
        let left = torn(max_iterations, 300);
        assert!(
            (left / LEAST - 1.0).abs() < 1e-4,
            "{max_iterations}: {left}"
        );
    }
    // One iteration a frame is on its way.
    let left = torn(1, 600);
    assert!(left < 1.002 * LEAST, "{left}");
}

/// The same with weight, with momentum as the scene is opened, and without: bodies wait, and all of a budget brings the
/// bindings down. (With momentum 2 to 20 iterations moved nothing; without, they ended at up to 970.)
#[test]
fn every_budget_ends_at_least_squares_with_weight() {
    let krylov = Krylov::default();
    let (forest, gradients) = (Method::ForestKrylov(krylov), Method::NormalCg(krylov));
    for dynamics in [Dynamics::SecondOrder, Dynamics::FirstOrder] {
        for (method, max_iterations, frames) in [
            (forest, 2, 300),
            (forest, 5, 100),
            (forest, 20, 100),
            (forest, 100, 20),
            (gradients, 5, 600),
            (gradients, 20, 100),
            (gradients, 100, 20),
        ] {
            let mut world = linkwork_scene::scene("three-characters-torn").unwrap();
            world.set_dynamics(dynamics);
            let options = StepOptions::interactive(1.0 / 60.0)
                .by(method)
                .within(Budget::default().with_max_iterations(max_iterations));
            let mut simulator = Simulator::new();
            let (mut most, mut last) = (0.0f64, 0.0);
            for _ in 0..frames {
                let report = simulator.step(&mut world, &options).unwrap();
                assert!(report.effort.iterations <= max_iterations);
                assert!(!report.is_starved);
                most = most.max(report.position_error);
                last = square(&report);
            }
            let what = format!("{dynamics:?}, {} {max_iterations}: {last}", method.name());
            assert!((last / LEAST - 1.0).abs() < 1e-4, "{what}");
            let open = if method == forest { 1e-6 } else { 0.02 };
            assert!(most <= open, "{what}, open by {most}");
        }
    }
}

/// A chain that a post out of reach pulls taut, without momentum, under weight: by a closed form it is straight, and a
/// meter is missing. (Weight moves it aside in every frame, and 0.0027 of the square too much was left: by 6 cm it
/// sagged.)
#[test]
fn what_is_pulled_taut_does_not_sag() {
    for led in [false, true] {
        let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
        world.set_dynamics(Dynamics::FirstOrder);
        let rod = Rod {
            length: 1.0,
            radius: 0.02,
            mass: 1.0,
        };
        let mut end = GROUND.at([0.0; 3]);
        for i in 0..6 {
            let body = world.add_body(&format!("rod {i}"), rod).unwrap();
            let x = f64::from(i) + 0.5;
            world
                .set_q(body, &[x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
                .unwrap();
            let ends = [end, body.at([-0.5, 0.0, 0.0])];
            let name = format!("pin {i}");
            world
                .add_constraint(&name, FramePair::ball(), &ends)
                .unwrap();
            end = body.at([0.5, 0.0, 0.0]);
        }
        if led {
            let grip = world.grab(end, Drag::Follow).unwrap();
            world.drag(grip, [7.0, 0.0, 0.0]).unwrap();
        } else {
            let ends = [GROUND.at([7.0, 0.0, 0.0]), end];
            let post = world
                .add_constraint("post", FramePair::ball(), &ends)
                .unwrap();
            world.set_priority(post, 1).unwrap();
        }
        let mut simulator = Simulator::new();
        let mut left = 0.0;
        for _ in 0..60 {
            let report = simulator
                .step(&mut world, &StepOptions::interactive(1.0 / 60.0))
                .unwrap();
            assert!(report.position_error <= 1e-6);
            left = square(&report);
        }
        let lowest = (world.bodies().iter())
            .filter(|record| !record.v_range().is_empty())
            .map(|record| world.state().q[record.q_range().start + 1])
            .fold(0.0, f64::min);
        assert!(
            (left - 1.0).abs() < 1e-6 && lowest > -1e-3,
            "{left} {lowest}"
        );
    }
}

/// The same of three people torn between posts by a method that factors, led and not. (They rested at 4.25 and 1.73,
/// the longer the more.)
#[test]
fn torn_people_do_not_sag() {
    let options = StepOptions::interactive(1.0 / 60.0);
    let (last, most) = torn_by_hand(Drag::Follow, Dynamics::FirstOrder, &options, 100);
    assert!(
        (last / 1.453_897 - 1.0).abs() < 1e-5 && most <= 1e-6,
        "{last}, {most:e}"
    );
    let mut world = linkwork_scene::scene("three-characters-torn").unwrap();
    world.set_dynamics(Dynamics::FirstOrder);
    let mut simulator = Simulator::new();
    let mut last = 0.0;
    for _ in 0..60 {
        last = square(&simulator.step(&mut world, &options).unwrap());
    }
    assert!((last / LEAST - 1.0).abs() < 1e-5, "{last}");
}

/// Three people torn between posts, one of whom a hand leads aside by a hand for twenty frames and then holds. `Σ e²`
/// of all that gave way in the end, and how far joints were open at worst.
fn torn_by_hand(
    drag: Drag,
    dynamics: Dynamics,
    options: &StepOptions,
    frames: usize,
) -> (f64, f64) {
    let mut world = linkwork_scene::scene("three-characters-torn").unwrap();
    world.set_dynamics(dynamics);
    let hand = world.find_body("1 left hand").unwrap().at([0.0; 3]);
    let start = world.position_world(&hand).unwrap();
    let grip = world.grab(hand, drag).unwrap();
    let mut simulator = Simulator::new();
    let (mut most, mut last) = (0.0f64, 0.0);
    for frame in 0..20 + frames {
        if frame < 20 {
            let s = (frame + 1) as f64 / 20.0;
            let goal = [start[0] + 0.3 * s, start[1] + 0.3 * s, start[2] + 0.1 * s];
            world.drag(grip, goal).unwrap();
        }
        let report = simulator.step(&mut world, options).unwrap();
        assert!(report.effort.iterations <= options.budget.max_iterations);
        most = most.max(report.position_error);
        last = square(&report);
    }
    (last, most)
}

/// The same in a hand that leads or pulls: joints stay closed while it moves too, and when it rests all comes down to
/// least squares. (A hand that led opened joints by up to 0.4 m, and with one that pulled bindings ended at up to
/// 33,000.)
#[test]
fn joints_stay_closed_in_a_hand_within_every_budget() {
    let pull = Drag::Force {
        stiffness: 2000.0,
        damping: 50.0,
    };
    // What the hand lacks is a part of the sum; one that pulls is no priority.
    for (drag, least) in [(Drag::Follow, 1.453_897), (pull, LEAST)] {
        for dynamics in [Dynamics::Assembly, Dynamics::FirstOrder] {
            for (max_iterations, frames) in [(3, 250), (20, 60), (100, 20)] {
                let options = StepOptions::interactive(1.0 / 60.0)
                    .by(Method::ForestKrylov(Krylov::default()))
                    .within(Budget::default().with_max_iterations(max_iterations));
                let (last, most) = torn_by_hand(drag, dynamics, &options, frames);
                let what = format!("{drag:?} {dynamics:?} {max_iterations}: {last} {most:e}");
                assert!((last / least - 1.0).abs() < 1e-4, "{what}");
                assert!(most <= 1e-6, "{what}");
            }
        }
    }
}

/// Gradients in a hand: joints open by centimeters at most while it moves, and all comes down to least squares when it
/// rests. (They opened by up to 15 m, and bindings ended at up to 46,000.)
#[test]
fn gradients_in_a_hand_end_at_least_squares() {
    let pull = Drag::Force {
        stiffness: 2000.0,
        damping: 50.0,
    };
    for (drag, least) in [(Drag::Follow, 1.453_897), (pull, LEAST)] {
        for dynamics in [Dynamics::Assembly, Dynamics::FirstOrder] {
            for (max_iterations, frames, near) in [(3, 300, 2e-2), (20, 200, 1e-4), (100, 60, 1e-4)]
            {
                let options = StepOptions::interactive(1.0 / 60.0)
                    .by(Method::NormalCg(Krylov::default()))
                    .within(Budget::default().with_max_iterations(max_iterations));
                let (last, most) = torn_by_hand(drag, dynamics, &options, frames);
                let what = format!("{drag:?} {dynamics:?} {max_iterations}: {last} {most:e}");
                assert!((last / least - 1.0).abs() < near, "{what}");
                assert!(most <= 0.03, "{what}");
            }
        }
    }
}

/// Mechanisms on the ground in a hand that pulls them out of their reach, by gradients: whatever a frame may spend,
/// joints open by centimeters at most. (They opened by up to 15 m.)
#[test]
fn no_budget_of_gradients_lets_a_hand_pull_joints_apart() {
    let drag = Drag::Force {
        stiffness: 2000.0,
        damping: 50.0,
    };
    for (scene, body, at) in [
        ("four-bar", "crank", [0.5, 0.0, 0.0]),
        ("ladder3:6,2", "rung 1", [0.1, 0.0, 0.0]),
    ] {
        for dynamics in [Dynamics::Assembly, Dynamics::FirstOrder] {
            for max_iterations in [1, 3, 10, 100] {
                let mut world = linkwork_scene::scene(scene).unwrap();
                world.set_dynamics(dynamics);
                let hand = world.find_body(body).unwrap().at(at);
                let start = world.position_world(&hand).unwrap();
                let grip = world.grab(hand, drag).unwrap();
                let options = StepOptions::interactive(1.0 / 60.0)
                    .by(Method::NormalCg(Krylov::default()))
                    .within(Budget::default().with_max_iterations(max_iterations));
                let mut simulator = Simulator::new();
                let mut most = 0.0f64;
                for frame in 1..=120 {
                    let s = f64::from(frame.min(20)) / 20.0;
                    let goal = [start[0] + 0.3 * s, start[1] + 0.3 * s, start[2] + 0.1 * s];
                    world.drag(grip, goal).unwrap();
                    let report = simulator.step(&mut world, &options).unwrap();
                    assert!(report.effort.iterations <= max_iterations);
                    most = most.max(report.position_error);
                }
                let what = format!("{scene} {drag:?} {dynamics:?} {max_iterations}");
                assert!(most <= 0.05, "{what}: {most}");
            }
        }
    }
}

/// With momentum too: what a pin that moves opens is closed where the frame ends, since that takes no iterations over a
/// forest. (Joints opened by 5e-6 m.)
#[test]
fn a_pin_that_moves_opens_no_joint_of_a_forest() {
    for max_iterations in [1, 3, 100] {
        let options = StepOptions::interactive(1.0 / 60.0)
            .by(Method::ForestKrylov(Krylov::default()))
            .within(Budget::default().with_max_iterations(max_iterations));
        let (_, most) = torn_by_hand(Drag::Pin, Dynamics::SecondOrder, &options, 20);
        assert!(most <= 1e-6, "{max_iterations}: {most:e}");
    }
}

/// A pin makes two lower priorities: what holds people to the ground is the last. Over a forest their responses take no
/// iterations, so that every budget ends where exact solves do. (One iteration a frame ended at 3.84, 10 at 1.79, where
/// all priorities were met alike, and joints opened by 0.5 m.)
#[test]
fn several_priorities_over_a_forest_take_no_iterations() {
    let options = StepOptions::interactive(1.0 / 60.0);
    let (exact, _) = torn_by_hand(Drag::Pin, Dynamics::Assembly, &options, 5);
    for max_iterations in [1, 10] {
        let options = options
            .by(Method::ForestKrylov(Krylov::default()))
            .within(Budget::default().with_max_iterations(max_iterations));
        let (last, most) = torn_by_hand(Drag::Pin, Dynamics::Assembly, &options, 5);
        let what = format!("{max_iterations}: {last} for {exact}, {most:e}");
        assert!((last / exact - 1.0).abs() < 1e-6 && most <= 1e-6, "{what}");
    }
}

/// Gradients over free bodies have to hold priority 0 too. Whatever a frame may spend, some 2,000 of them come down to
/// least squares; joints open by no more than 2 cm on the way, where bindings are torn by a meter, and close again.
#[test]
fn every_budget_of_gradients_ends_at_least_squares() {
    for (max_iterations, frames, near) in [
        (2, 2000, 1e-3),
        (5, 600, 1e-4),
        (10, 300, 1e-4),
        (20, 100, 1e-4),
        (50, 40, 1e-4),
        (100, 20, 1e-4),
    ] {
        let mut world = linkwork_scene::scene("three-characters-torn").unwrap();
        world.set_dynamics(Dynamics::Assembly);
        let options = StepOptions::interactive(1.0 / 60.0)
            .by(Method::NormalCg(Krylov::default()))
            .within(Budget::default().with_max_iterations(max_iterations));
        let mut simulator = Simulator::new();
        let (mut least, mut open, mut last) = (f64::INFINITY, 0.0, 0.0);
        for frame in 0..frames {
            let report = simulator.step(&mut world, &options).unwrap();
            let what = format!("{max_iterations} iterations, frame {frame}");
            open = report.position_error;
            assert!(open <= 0.02, "{what}: {open}");
            assert!(report.effort.iterations <= max_iterations, "{what}");
            assert!(!report.is_starved, "{what}");
            // What joints gave in to at first comes back when they close: less than a tenth of it all.
            let now = square(&report);
            let most = if frame > frames / 2 { 1.002 } else { 1.1 };
            assert!(now <= most * least, "{what}: {now} after {least}");
            least = least.min(now);
            last = now;
        }
        let what = format!("{max_iterations} iterations: {last}, open by {open}");
        assert!((last / LEAST - 1.0).abs() < near && open < 2e-5, "{what}");
    }
}

/// Bodies without momentum whose weight joints hold: what holds them is found over several frames, and they wait for
/// it. So joints open by no more than 2 cm, where they opened by meters, and all come to where exact solves put them;
/// with few gradients too slowly to see the end of it.
#[test]
fn weight_waits_for_what_holds_it() {
    let sink = |method: Method, max_iterations: usize| {
        let mut world = linkwork_scene::scene("four-bar").unwrap();
        world.set_dynamics(Dynamics::FirstOrder);
        let options = StepOptions::interactive(1.0 / 60.0)
            .by(method)
            .within(Budget::default().with_max_iterations(max_iterations));
        let mut simulator = Simulator::new();
        let mut most = 0.0f64;
        for _ in 0..1000 {
            let report = simulator.step(&mut world, &options).unwrap();
            assert!(report.effort.iterations <= max_iterations);
            most = most.max(report.position_error);
        }
        (world, most)
    };
    let (lowest, _) = sink(Method::Direct, usize::MAX);
    let krylov = Krylov::default();
    for (method, max_iterations, arrives) in [
        (Method::NormalCg(krylov), 2, false),
        (Method::NormalCg(krylov), 5, false),
        (Method::NormalCg(krylov), 20, true),
        (Method::ForestKrylov(krylov), 2, true),
        (Method::ForestKrylov(krylov), 5, true),
        (Method::ForestKrylov(krylov), 20, true),
    ] {
        let (world, most) = sink(method, max_iterations);
        let coordinates = world.state().q.iter().zip(&lowest.state().q);
        let off = coordinates.fold(0.0f64, |off, (q, exact)| off.max((q - exact).abs()));
        let what = format!("{} {max_iterations}: {off:e} {most:e}", method.name());
        assert!(most < 0.02, "{what}");
        assert!(off < 1e-6 || !arrives, "{what}");
    }
}

/// Where several priorities give way, gradients settle by whole solves: with too few of them nothing comes nearer, and
/// every frame says so.
#[test]
fn budgets_that_are_too_small_say_so() {
    let mut world = linkwork_scene::scene("three-characters-torn").unwrap();
    world.set_dynamics(Dynamics::Assembly);
    let post = world.find_constraint("left post").unwrap();
    world.set_priority(post, 2).unwrap();
    let options = StepOptions::interactive(1.0 / 60.0)
        .by(Method::NormalCg(Krylov::default()))
        .within(Budget::default().with_max_iterations(100));
    let mut simulator = Simulator::new();
    let mut said = 0;
    let mut left = Vec::new();
    for _ in 0..20 {
        let report = simulator.step(&mut world, &options).unwrap();
        said += usize::from(report.is_starved);
        left.push(square(&report));
    }
    let (first, last) = (left[0], left[19]);
    assert!(
        (last / first - 1.0).abs() < 1e-6 && said >= 19,
        "{left:?} {said}"
    );
}

/// A scene whose last body a post out of reach holds, of a lower priority: priority 0 has loops.
fn torn_loops(scene: &str) -> World {
    let mut world = linkwork_scene::scene(scene).unwrap();
    world.set_dynamics(Dynamics::Assembly);
    let moves = |record: &&BodyRecord| !record.v_range().is_empty();
    let last = world.bodies().iter().rfind(moves).unwrap().id();
    let [x, y, z] = world.position_world(&last.at([0.0; 3])).unwrap();
    let ends = [GROUND.at([x + 0.9, y + 0.4, z + 0.2]), last.at([0.0; 3])];
    let post = world
        .add_constraint("post", FramePair::ball(), &ends)
        .unwrap();
    world.set_priority(post, 1).unwrap();
    world
}

/// Loops of priority 0 take iterations with a forest too. Every budget ends where exact solves do, and joints close.
/// (With up to 50 iterations a frame nothing moved, in any number of frames; with 300 the four-bar was at 0.882718
/// after 300.)
#[test]
fn every_budget_over_a_forest_with_loops_ends_at_least_squares() {
    for (scene, least, most_open) in [
        ("four-bar", 0.882_695, 0.01),
        ("ladder3:6,2", 0.824_009, 0.05),
    ] {
        for (max_iterations, frames) in [(20, 600), (100, 200), (300, 100)] {
            let mut world = torn_loops(scene);
            let options = StepOptions::interactive(1.0 / 60.0)
                .by(Method::ForestKrylov(Krylov::default()))
                .within(Budget::default().with_max_iterations(max_iterations));
            let mut simulator = Simulator::new();
            let (mut most, mut open, mut last) = (0.0f64, 0.0, 0.0);
            for _ in 0..frames {
                let report = simulator.step(&mut world, &options).unwrap();
                assert!(report.effort.iterations <= max_iterations);
                assert!(!report.is_starved);
                open = report.position_error;
                most = most.max(open);
                last = square(&report);
            }
            let what = format!("{scene} {max_iterations}: {last}, open by {open:e}, {most}");
            assert!((last / least - 1.0).abs() < 1e-4, "{what}");
            assert!(open < 1e-6 && most <= most_open, "{what}");
        }
    }
}

/// A four-bar in a hand that leads it out of its plane, by gradients: it ends where exact solves put it. Few iterations
/// stretch it meanwhile, and the report says so. (It ended at 0.206 with 20 iterations; with 50 it did not move at
/// all.)
#[test]
fn gradients_after_a_hand_end_at_least_squares() {
    for (max_iterations, near) in [
        (3, 2e-2),
        (13, 2e-2),
        (20, 2e-2),
        (50, 1e-4),
        (100, 1e-4),
        (200, 1e-4),
        (300, 1e-4),
    ] {
        let mut world = linkwork_scene::scene("four-bar").unwrap();
        world.set_dynamics(Dynamics::Assembly);
        let hand = world.find_body("crank").unwrap().at([0.5, 0.0, 0.0]);
        let start = world.position_world(&hand).unwrap();
        let grip = world.grab(hand, Drag::Follow).unwrap();
        let options = StepOptions::interactive(1.0 / 60.0)
            .by(Method::NormalCg(Krylov::default()))
            .within(Budget::default().with_max_iterations(max_iterations));
        let mut simulator = Simulator::new();
        let (mut open, mut last) = (0.0, 0.0);
        for frame in 1..=300 {
            let s = f64::from(frame.min(20)) / 20.0;
            let goal = [start[0] + 0.3 * s, start[1] + 0.3 * s, start[2] + 0.1 * s];
            world.drag(grip, goal).unwrap();
            let report = simulator.step(&mut world, &options).unwrap();
            assert!(report.effort.iterations <= max_iterations);
            open = report.position_error;
            last = square(&report);
            let what = format!("{max_iterations}, {frame}: open by {open}");
            assert!(max_iterations < 50 || open < 1e-3, "{what}");
            assert!(frame > 20 || open < 0.03 || report.is_starved, "{what}");
        }
        let what = format!("{max_iterations}: {last}, open by {open:e}");
        assert!(
            (last / 0.181_460 - 1.0).abs() < near && open < 1e-6,
            "{what}"
        );
    }
}

/// The same of a ladder: more iterations never end worse, and as many as tell priorities apart end where exact solves
/// do. (13 and 20 ended at 0.1072 and 0.1180, after 0.0975 with 8: the forces of joints were replaced by rough ones.)
#[test]
fn more_iterations_after_a_hand_never_end_worse() {
    let ends = [3, 8, 13, 20, 50, 100, 200].map(|max_iterations| {
        let mut world = linkwork_scene::scene("ladder3:6,2").unwrap();
        world.set_dynamics(Dynamics::Assembly);
        let hand = world.find_body("rung 1").unwrap().at([0.1, 0.0, 0.0]);
        let start = world.position_world(&hand).unwrap();
        let grip = world.grab(hand, Drag::Follow).unwrap();
        let options = StepOptions::interactive(1.0 / 60.0)
            .by(Method::NormalCg(Krylov::default()))
            .within(Budget::default().with_max_iterations(max_iterations));
        let mut simulator = Simulator::new();
        let (mut open, mut last) = (0.0, 0.0);
        for frame in 1..=300 {
            let s = f64::from(frame.min(20)) / 20.0;
            let goal = [start[0] + 0.3 * s, start[1] + 0.3 * s, start[2] + 0.1 * s];
            world.drag(grip, goal).unwrap();
            let report = simulator.step(&mut world, &options).unwrap();
            (open, last) = (report.position_error, square(&report));
        }
        assert!(open < 1e-6, "{max_iterations}: open by {open:e}");
        last
    });
    assert!(
        ends.windows(2).all(|pair| pair[1] <= 1.001 * pair[0]),
        "{ends:?}"
    );
    assert!((ends[6] / 0.092_455 - 1.0).abs() < 1e-3, "{ends:?}");
}

/// At the same frame more iterations are nearer.
#[test]
fn more_iterations_are_nearer() {
    let after: Vec<f64> = [1, 5, 20, 100, 300].map(|n| torn(n, 10)).to_vec();
    for pair in after.windows(2) {
        assert!(pair[1] < pair[0], "{after:?}");
    }
}
