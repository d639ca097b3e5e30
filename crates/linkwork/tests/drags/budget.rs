//! A budget is kept, said, and can be replayed.

use linkwork::prelude::*;

fn chain() -> World {
    linkwork_scene::scene("ladder3:12,1").unwrap()
}

#[test]
fn a_deadline_is_recorded_and_replays_exactly() {
    let options = StepOptions::interactive(1.0 / 60.0);
    let (mut live, mut replay) = (chain(), chain());
    let (mut a, mut b) = (Simulator::new(), Simulator::new());
    for frame in 0..60 {
        let mut asked = 0;
        let allowed = 3 + frame % 7;
        let report = a
            .step_until(&mut live, &options, &mut || {
                asked += 1;
                asked > allowed
            })
            .unwrap();
        let budget = Budget {
            max_iterations: report.effort.iterations,
            ..options.budget
        };
        let budget = match report.ended {
            Ended::Deadline => budget,
            _ => options.budget,
        };
        b.step(&mut replay, &options.within(budget)).unwrap();
        assert_eq!(live.state_hash(), replay.state_hash(), "frame {frame}");
    }
}

#[test]
fn the_report_says_what_ended_the_step() {
    let mut world = chain();
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(1.0 / 60.0);
    for _ in 0..30 {
        let report = simulator.step(&mut world, &options).unwrap();
        assert_eq!(report.ended, Ended::Tolerance);
        assert!(report.require(1e-8).is_ok());
    }
    let tight = options.within(Budget {
        max_iterations: 2,
        tolerance: 1e-9,
    });
    let report = simulator.step(&mut world, &tight).unwrap();
    assert_eq!(report.ended, Ended::Iterations);
    assert!(report.position_error > 1e-9);
    let worst = world.constraint_record(report.worst.unwrap()).unwrap();
    assert!(!worst.label().is_empty());
    assert!(report.require(1e-9).is_err());
}
