//! What mechanisms of contact must do.

use std::f64::consts::{FRAC_PI_2, TAU};

use super::{Run, angle, at};

#[test]
fn a_geneva_wheel_turns_a_quarter_per_turn() {
    let mut run = Run::of("geneva-drive");
    let mut last = angle(run.world(), "wheel");
    for turn in 1..=2 {
        // Locked for three eighths of the turn, then moved, then locked again.
        let start = last;
        run.on(0.7, |world| {
            let moved = (angle(world, "wheel") - start).abs();
            assert!(moved < 0.03, "unlocked: {moved}");
        });
        run.on(1.3, |_| ());
        last = angle(run.world(), "wheel");
        let turned = (last - start).abs();
        assert!((turned - FRAC_PI_2).abs() < 0.03, "turn {turn}: {turned}");
    }
    assert!(run.overrun < 1e-6, "{}", run.overrun);
}

/// A tooth for each swing of the lever, and never back by more than the play of the pawl.
#[test]
fn a_ratchet_turns_one_way_only() {
    let mut run = Run::of("ratchet");
    let (mut most, mut back) = (angle(run.world(), "wheel"), 0.0f64);
    let start = most;
    run.on(8.0, |world| {
        let now = angle(world, "wheel");
        most = most.max(now);
        back = back.max(most - now);
    });
    let teeth = (angle(run.world(), "wheel") - start) / (TAU / 12.0);
    assert!((teeth - 4.0).abs() < 0.3, "{teeth} teeth in 4 swings");
    assert!(back < 0.3 * TAU / 12.0, "went back by {back} rad");
}

#[test]
fn a_gripper_lifts_its_block() {
    let mut run = Run::of("gripper");
    run.on(4.0, |_| ());
    let [_, y, _] = at(run.world(), "block");
    assert!((y - 0.6).abs() < 1e-3, "{y}");
    // And it does not slip.
    let held = |run: &Run| at(run.world(), "carriage")[1] - at(run.world(), "block")[1];
    let before = held(&run);
    run.on(2.0, |_| ());
    let slipped = held(&run) - before;
    assert!(slipped.abs() < 1e-6, "{slipped}");
}

/// Flores, Leine and Glocker 2010: it hits both guides, several times a turn, and enters neither.
#[test]
fn a_slider_with_play_clatters_between_its_guides() {
    let mut run = Run::of("slider-crank-clearance");
    let mut reach = [0.0f64; 2];
    run.on(3.0 * TAU / 150.0, |world| {
        let y = at(world, "slider")[1];
        reach = [reach[0].min(y), reach[1].max(y)];
    });
    assert!(reach[0] < -0.0009 && reach[1] > 0.0009, "{reach:?}");
    assert!(
        reach[0] > -0.001 - 1e-6 && reach[1] < 0.001 + 1e-6,
        "{reach:?}"
    );
    assert!(run.blows >= 6, "{}", run.blows);
    assert!(run.overrun < 1e-6, "{}", run.overrun);
}

/// A tooth for each swing to and fro, and the pendulum keeps swinging.
#[test]
fn an_escape_wheel_advances_a_tooth_a_swing() {
    let mut run = Run::of("escapement");
    let start = angle(run.world(), "escape wheel");
    let (mut before, mut swings, mut reach) = (angle(run.world(), "pendulum"), 0, 0.0f64);
    run.on(10.0, |world| {
        let now = angle(world, "pendulum");
        swings += usize::from(before > 0.0 && now <= 0.0);
        before = now;
        if world.state().t > 8.0 {
            reach = reach.max(now.abs());
        }
    });
    let teeth = (start - angle(run.world(), "escape wheel")) / (TAU / 12.0);
    assert!(
        (teeth - swings as f64).abs() < 1.0,
        "{teeth} teeth in {swings} swings"
    );
    assert!(
        swings >= 6 && reach > 0.1,
        "{swings} swings, the last of {reach} rad"
    );
    assert!(run.overrun < 1e-6, "{}", run.overrun);
}

/// Glocker's toy (1995) with exact geometry: 0.1322 s and 15.3 mm a cycle, by a run of three coordinates with Moreau's
/// rule at 2e-5 s. Linearized in its angles, as it was published, the same program gives 0.1460 s and 19.5 mm.
#[test]
fn a_woodpecker_pecks_its_way_down() {
    let mut run = Run::of("woodpecker");
    let (mut before, mut cycles) = (angle(run.world(), "woodpecker"), vec![]);
    run.on(1.5, |world| {
        let now = angle(world, "woodpecker");
        if before < -0.1 && now >= -0.1 {
            cycles.push((world.state().t, at(world, "sleeve")[1]));
        }
        before = now;
    });
    let (n, ((t, y), (u, v))) = (cycles.len(), (cycles[2], cycles[cycles.len() - 1]));
    let (period, fall) = ((u - t) / (n - 3) as f64, (y - v) / (n - 3) as f64);
    assert!(
        (period / 0.1322 - 1.0).abs() < 0.01,
        "{period} s, {n} cycles"
    );
    assert!((fall / 0.0153 - 1.0).abs() < 0.02, "{fall} m");
}
