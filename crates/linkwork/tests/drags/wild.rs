//! Hands that leap about, far out of reach: goals give way, joints do not, whatever a frame may spend.

use linkwork::prelude::*;
use linkwork::step::{Ended, StepReport};
use linkwork::world::GripId;

use super::loops::DYNAMICS;
use super::random::Random;
use super::reach::DRAGS;

/// What is led by a wild hand, and how far it leaps, meters.
const LED: [(&str, &str, f64); 4] = [
    ("bricard", "rod 3", 5.0),
    ("four-bar", "coupler", 5.0),
    ("ladder:2,3", "right 2.1", 3.0),
    ("structure-56", "along 0.0", 2.0),
];

/// A hand that leaps.
struct Wild {
    world: World,
    grip: GripId,
    start: [f64; 3],
    leap: f64,
    random: Random,
    simulator: Simulator,
}

impl Wild {
    fn new((scene, body, leap): (&str, &str, f64), drag: Drag, dynamics: Dynamics) -> Self {
        let mut world = linkwork_scene::scene(scene).unwrap();
        world.set_dynamics(dynamics);
        let held = world.find_body(body).unwrap().at([0.1, 0.0, 0.0]);
        let start = world.position_world(&held).unwrap();
        let grip = world.grab(held, drag).unwrap();
        Self {
            world,
            grip,
            start,
            leap,
            random: Random::new(7),
            simulator: Simulator::new(),
        }
    }

    /// To anywhere, as far as it leaps.
    fn leap(&mut self) {
        let by = self.random.vector(self.leap);
        self.leap_by(by);
    }

    fn leap_by(&mut self, by: [f64; 3]) {
        let goal = [0, 1, 2].map(|k| self.start[k] + by[k]);
        self.world.drag(self.grip, goal).unwrap();
    }

    fn step(&mut self, options: &StepOptions) -> StepReport {
        self.simulator.step(&mut self.world, options).unwrap()
    }

    /// How far what is held is from the goal.
    fn miss(&self) -> f64 {
        let grip = &self.world.grips()[0];
        let held = self.world.position_world(grip.held()).unwrap();
        let hand = self.world.body_record(grip.hand()).unwrap();
        let goal = &self.world.state().q[hand.q_range()][7..10];
        (0..3).fold(0.0f64, |sum, k| sum.hypot(held[k] - goal[k]))
    }
}

fn within(max_iterations: usize) -> StepOptions {
    let budget = Budget::default().with_max_iterations(max_iterations);
    StepOptions::interactive(1.0 / 60.0).within(budget)
}

/// Any budget affords a factor in a frame, and with it joints of priority 0 stay closed; so does the joint
/// to the hand that pins.
#[test]
fn within_any_budget_joints_stay_closed() {
    for led in LED {
        let (n_frames, budgets) = match led.0 {
            "bricard" => (300, &[1, 10, 100, 300, usize::MAX][..]),
            "structure-56" => (40, &[1, 300][..]),
            _ => (90, &[1, 100, usize::MAX][..]),
        };
        for (drag, dynamics) in DRAGS.into_iter().flat_map(|d| DYNAMICS.map(|k| (d, k))) {
            for &max_iterations in budgets {
                let mut wild = Wild::new(led, drag, dynamics);
                for frame in 0..n_frames {
                    if frame % 30 == 0 {
                        wild.leap();
                    }
                    let gap = wild.step(&within(max_iterations)).position_error;
                    let what = format!("{led:?} {drag:?} {dynamics:?} {max_iterations}");
                    assert!(gap <= 1e-6, "{what}, frame {frame}: {gap:e}");
                }
            }
        }
    }
}

/// A deadline is a budget too, and so the frames it ends can be replayed.
#[test]
fn within_any_deadline_joints_stay_closed() {
    for (drag, dynamics) in DRAGS.into_iter().flat_map(|d| DYNAMICS.map(|k| (d, k))) {
        let mut wild = Wild::new(LED[0], drag, dynamics);
        let (mut replay, options) = (wild.world.clone(), within(usize::MAX));
        for frame in 0..120 {
            if frame % 30 == 0 {
                wild.leap();
                let hand = wild.world.grips()[0].hand();
                let q = wild.world.body_record(hand).unwrap().q_range();
                let goal = &wild.world.state().q[q.start + 7..q.start + 10];
                replay.drag(wild.grip, [goal[0], goal[1], goal[2]]).unwrap();
            }
            let mut asked = 0;
            let mut is_over = || {
                asked += 1;
                asked > frame % 17
            };
            let world = &mut wild.world;
            let report = wild.simulator.step_until(world, &options, &mut is_over);
            let report = report.unwrap();
            let what = format!("{drag:?} {dynamics:?}, frame {frame}");
            let gap = report.position_error;
            assert!(gap <= 1e-6, "{what}: {gap:e}");
            let max_iterations = match report.ended {
                Ended::Deadline => report.effort.iterations,
                _ => usize::MAX,
            };
            let again = Simulator::new().step(&mut replay, &within(max_iterations));
            again.unwrap();
            assert_eq!(world.state_hash(), replay.state_hash(), "{what}");
        }
    }
}

/// Where the hand rests, what lagged behind arrives within a second.
#[test]
fn within_any_budget_pins_arrive() {
    for led in LED {
        for dynamics in DYNAMICS {
            for max_iterations in [1, 10, 100, 300] {
                let mut wild = Wild::new(led, Drag::Pin, dynamics);
                wild.leap_by([-2.0, 1.0, 1.0]);
                for _ in 0..60 {
                    wild.step(&within(max_iterations));
                }
                let (what, miss) = (format!("{led:?} {dynamics:?}"), wild.miss());
                assert!(miss < 1e-6, "{what} {max_iterations}: {miss:e} away");
            }
        }
    }
}

/// A goal out of reach is followed as near as it can be, and settling there costs little: in the mean of 60
/// frames after a leap; with momentum in all but the first ten of them, in which bodies fly there.
#[test]
fn out_of_reach_goals_cost_little() {
    for dynamics in DYNAMICS {
        let from = match dynamics {
            Dynamics::SecondOrder => 10,
            _ => 0,
        };
        let mut wild = Wild::new(LED[0], Drag::Follow, dynamics);
        let options = StepOptions::interactive(1.0 / 60.0);
        let mut sum = 0;
        for leap in 0..8 {
            wild.leap();
            for frame in 0..60 {
                let iterations = wild.step(&options).effort.iterations;
                sum += if frame < from { 0 } else { iterations };
            }
            let what = format!("{dynamics:?}, leap {leap}");
            let miss = wild.miss();
            let mut later = Wild {
                world: wild.world.clone(),
                ..Wild::new(LED[0], Drag::Follow, dynamics)
            };
            (0..120).for_each(|_| drop(later.step(&options)));
            let least = later.miss();
            assert!(miss < least + 1e-3, "{what}: {miss}, {least} can be had");
        }
        let n = 8 * (60 - from);
        assert!(sum <= 100 * n, "{dynamics:?}: {} a frame", sum / n);
    }
}
