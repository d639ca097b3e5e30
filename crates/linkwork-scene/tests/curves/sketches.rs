//! Sketches as in a CAD program: points and circles that are formulas, held by equations, led by hand.

use linkwork::prelude::*;
use linkwork_scene::Scene;

use crate::{q, scene};

/// Two bars on the ground, their ends as far apart as they are, and a circle in the corner of one of them.
const RELATIONS: [&str; 8] = [
    "norm(B - A) == 2",
    "norm(C - B) == 1.2",
    "norm(D - A) == 1.1",
    "norm(D - C) == 1.9",
    "B.y == 0",
    "c.y == c.r",
    "(c.x*D.y - c.y*D.x)/1.1 == c.r",
    "c.r == 0.3",
];

fn sketch() -> Scene {
    let point = |name: &str, x: f64, y: f64| {
        format!(
            r#"{{ "name": "{name}", "type": "formula", "names": ["x", "y"], "values": [{x}, {y}], "curve": "[x, y]", "mass": 1 }}"#
        )
    };
    let joint = |(k, is): (usize, &&str)| {
        format!(r#"{{ "name": "r{k}", "type": "formula", "is": "{is}" }}"#)
    };
    let joints: Vec<String> = RELATIONS.iter().enumerate().map(joint).collect();
    let text = format!(
        r#"{{ "linkwork": 1, "world": {{ "dynamics": "first-order", "gravity": [0, 0, 0] }},
            "connectors": [ {{ "name": "A", "body": "ground", "point": [0, 0] }} ],
            "bodies": [ {}, {}, {},
                {{ "name": "c", "type": "formula", "names": ["x", "y", "r"], "values": [0.6, 0.3, 0.3],
                   "curve": "[x + r*cos(u), y + r*sin(u)]", "u": ["0", "tau"], "closed": true, "mass": 1 }} ],
            "joints": [ {} ] }}"#,
        point("B", 2.0, 0.0),
        point("C", 2.1, 1.2),
        point("D", 0.2, 1.1),
        joints.join(", ")
    );
    let mut scene = scene(&text).unwrap();
    Simulator::new()
        .assemble(&mut scene.world, &AssembleOptions::default())
        .unwrap();
    scene
}

fn places(scene: &Scene) -> Vec<f64> {
    let bodies = ["B", "C", "D", "c"];
    bodies.iter().flat_map(|own| q(scene, own)).collect()
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Out and back along the same goals, with rests on the way: nothing jumps, no side is left, and each rest finds the
/// place that it found on the way out, however the hand holds and however far it asks.
#[test]
fn a_sketch_is_led_without_kick_flip_or_hysteresis() {
    const FRAMES: i32 = 60;
    const BETWEEN_RESTS: i32 = 12;
    const REST: usize = 120;
    let force = Drag::Force {
        stiffness: 500.0,
        damping: 5.0,
    };
    for drag in [Drag::Follow, Drag::Pin, force] {
        // Out of reach the nearest place is flat: steps end where they gain nothing beside what is left.
        for ([dx, dy], known) in [
            ([0.4, -0.2], 1e-6),
            ([-0.7, -0.3], 1e-6),
            ([1.5, 0.6], 1e-4),
        ] {
            let mut scene = sketch();
            let body = scene.world.find_body("D").unwrap();
            let grip = scene.world.grab(body.curve2(0.0), drag).unwrap();
            let start = q(&scene, "D");
            let (mut before, mut rests) = (places(&scene), vec![places(&scene)]);
            let mut simulator = Simulator::new();
            let what = format!("{drag:?} by {dx}, {dy}");
            let step = f64::hypot(dx, dy) / f64::from(FRAMES);
            for frame in 1..=2 * FRAMES {
                let way = f64::from(FRAMES - (frame - FRAMES).abs()) / f64::from(FRAMES);
                let goal = [start[0] + way * dx, start[1] + way * dy, 0.0];
                scene.world.drag(grip, goal).unwrap();
                let is_rest = frame % BETWEEN_RESTS == 0;
                for _ in 0..if is_rest { REST } else { 1 } {
                    simulator.step(&mut scene.world, &scene.options).unwrap();
                    let now = places(&scene);
                    let kick = apart(&before, &now);
                    assert!(kick < 6.0 * step, "{what}: {kick} in a step of {step}");
                    let [_, _, cx, _, dx, _, _, above, _] = now[..] else {
                        panic!("{} numbers", now.len());
                    };
                    assert!(cx - dx > 0.5 && above > 0.0, "{what}: flipped: {now:?}");
                    before = now;
                }
                if is_rest {
                    rests.push(before.clone());
                }
            }
            for (out, back) in rests.iter().zip(rests.iter().rev()) {
                let off = apart(out, back);
                assert!(off < known, "{what}: {off:e}");
            }
        }
    }
}
