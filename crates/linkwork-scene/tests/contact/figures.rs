//! What stands, walks, rolls down or falls.

use super::{Run, at, fastest};

#[test]
fn an_arch_stands() {
    let mut run = Run::of("arch");
    let before = at(run.world(), "stone 4")[1];
    let mut speed = 0.0f64;
    run.on(5.0, |world| speed = speed.max(fastest(world)));
    assert!(speed < 1e-6, "{speed}");
    assert!((at(run.world(), "stone 4")[1] - before).abs() < 1e-6);
}

#[test]
fn marbles_reach_the_end() {
    let mut run = Run::of("marble-run");
    run.on(10.0, |_| ());
    for k in 0..3 {
        let [x, y, _] = at(run.world(), &format!("marble {k}"));
        assert!(y < 0.3 && x > 0.7, "marble {k} is at {x} {y}");
    }
    assert!(run.overrun < 1e-6, "{}", run.overrun);
}

/// The ground is 0.25·r² + 0.05·sin 4x·sin 4z, which is level to a third at x = z = ±0.345 along the one diagonal.
#[test]
fn marbles_rest_in_the_hollows_of_hills() {
    let mut run = Run::of("hills");
    run.on(20.0, |world| {
        for k in 0..5 {
            let [x, y, z] = at(world, &format!("marble {k}"));
            let ground = 0.25 * (x * x + z * z) + 0.05 * (4.0 * x).sin() * (4.0 * z).sin();
            assert!(y > ground + 0.05, "marble {k} is at {x} {y} {z}");
        }
    });
    assert!(run.overrun < 1e-6, "{}", run.overrun);
    for k in 0..5 {
        let [x, y, z] = at(run.world(), &format!("marble {k}"));
        assert!(y < 0.2 && x.hypot(z) < 0.7, "marble {k} is at {x} {y} {z}");
    }
    let speed = fastest(run.world());
    assert!(speed < 1e-3, "{speed}");
}

/// All the way down they are in the pipe, which is a tenth of a meter wide and no hull; then on the floor.
#[test]
fn balls_leave_a_spiral_slide_at_its_end() {
    let mut run = Run::of("spiral-slide");
    let mut least = [f64::INFINITY; 3];
    run.on(8.0, |world| {
        for (k, least) in least.iter_mut().enumerate() {
            let [x, y, z] = at(world, &format!("ball {k}"));
            if y > 0.3 {
                let off = (x.hypot(z) - 0.6).abs();
                assert!(off < 0.14, "ball {k} is {off} from the middle at {y}");
            }
            *least = least.min(y);
        }
    });
    assert!(run.overrun < 1e-6, "{}", run.overrun);
    assert!(least.iter().all(|y| (y - 0.07).abs() < 1e-6), "{least:?}");
}

#[test]
fn a_walker_walks() {
    let mut run = Run::of("walking-jansen");
    let before = at(run.world(), "chassis");
    run.on(5.0, |_| ());
    let after = at(run.world(), "chassis");
    assert!((after[0] - before[0]).abs() > 0.5, "{before:?} {after:?}");
    assert!((after[1] - before[1]).abs() < 0.2, "{before:?} {after:?}");
}

/// Everything lies still in the end, and no joint is beyond its limits.
fn lies_still(name: &str, seconds: f64) {
    let mut run = Run::of(name);
    run.on(seconds, |_| ());
    let speed = fastest(run.world());
    assert!(speed < 1e-3, "{name} moves at {speed}");
    assert!(run.overrun < 1e-6, "{name}: {}", run.overrun);
}

#[test]
fn a_person_falls_and_lies() {
    lies_still("falling-humanoid", 10.0);
}

#[test]
fn the_tree_of_baraff_falls_and_lies() {
    lies_still("baraff-on-floor", 10.0);
}
