//! Equations and inequalities of bodies.

use super::{q, run, scene};
use linkwork::constraint::check_constraint;
use linkwork_scene::save;

const CONNECTED: &str = r#"{ "linkwork": 1, "world": { "gravity": [0, -9.81, 0] },
  "bodies": [
    { "name": "bar", "type": "rod", "from": [0, 0, 0], "to": [1, 0, 0], "radius": 0.02, "mass": 2 },
    { "name": "plate", "type": "box", "size": [0.4, 0.3, 0.2], "mass": 1, "position": [2, 0.1, 0.2], "euler_deg": [10, 20, 30] },
    { "name": "bob", "type": "particle", "mass": 1, "position": [1, 0, 1] },
    { "name": "wheel", "type": "planar-disc", "radius": 0.1, "mass": 1, "position": [0.3, 0.2], "angle": 0.4 },
    { "name": "design", "type": "numbers", "names": ["a", "b"], "values": [0.6, 2.1] } ],
  "connectors": [
    { "name": "tip", "body": "bar", "point": [0.5, 0, 0] },
    { "name": "corner", "body": "plate", "point": [0.2, 0.15, 0.1], "axis": [0, 0, 1] },
    { "name": "along", "body": "plate", "direction": [1, 0, 0] },
    { "name": "rim", "body": "wheel", "point": [0.1, 0] } ],
  "joints": [ { "name": "own", "type": "formula", "is": "FORMULA" } ] }"#;

/// Rates, second rates and rows of formulas agree with differences along a motion, for every kind of connector.
#[test]
fn relations_keep_the_contract() {
    for text in [
        "norm(tip - bob) == 1 + 0.1*sin(t)",
        "dot(tip, corner) ~ design.a*design.b weight 3",
        "cross(along, tip) == bob",
        "corner.ax + 0.5*corner.az == bob",
        "atan2(plate.ay.x, plate.ax.x) <= 0.3",
        "norm(rim)*cos(wheel.angle) == design.a^2",
        "wheel.x*wheel.angle == exp(design.b/4)",
        "[design.a, design.b] == 2*rim",
        "0 <= plate.z <= 1 + t^2",
    ] {
        let scene = scene(&CONNECTED.replace("FORMULA", text)).unwrap();
        let id = scene.world.find_constraint("own").unwrap();
        let record = scene.world.constraint_record(id).unwrap();
        check_constraint(record.constraint(), 7)
            .unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"));
    }
}

/// What is typed is what is saved, and what is loaded has the same bits.
#[test]
fn texts_are_kept_as_typed() {
    for text in [
        "norm(tip - bob)   == 1.5",
        "bob.y >= -2 + t",
        "tip ~ bob weight 2",
    ] {
        let first = scene(&CONNECTED.replace("FORMULA", text)).unwrap();
        let saved = save(&first).unwrap();
        assert!(saved.contains(text), "{saved}");
        let (mut first, mut second) = (first, scene(&saved).unwrap());
        run(&mut first, 30, |_, _| {});
        run(&mut second, 30, |_, _| {});
        assert_eq!(first.world.state(), second.world.state(), "{text}");
    }
}

/// A bead on a wire that is typed swings as on one that is built: a circle is a distance to its center.
#[test]
fn a_typed_circle_is_a_rod() {
    let text = |joint: &str| {
        format!(
            r#"{{ "linkwork": 1, "world": {{ "gravity": [0, -9.81, 0], "dt": 0.01 }},
            "bodies": [ {{ "name": "bob", "type": "particle", "mass": 1, "position": [0.6, -0.8, 0] }} ],
            "joints": [ {joint} ] }}"#
        )
    };
    let typed = r#"{ "name": "wire", "type": "formula", "is": "norm(bob) == 1" }"#;
    let built = r#"{ "name": "wire", "type": "distance", "a": "ground", "b": "bob", "length": 1 }"#;
    let mut scenes = [typed, built].map(|joint| scene(&text(joint)).unwrap());
    for scene in &mut scenes {
        run(scene, 300, |_, report| assert!(report.rate_error < 1e-9));
    }
    let [typed, built] = scenes.map(|scene| q(&scene, "bob"));
    for (a, b) in typed.iter().zip(&built) {
        assert!((a - b).abs() < 1e-9, "{typed:?} {built:?}");
    }
}

/// A ball that may not pass a typed floor stays on it: the force is its weight.
#[test]
fn an_inequality_is_a_floor() {
    let mut scene = scene(
        r#"{ "linkwork": 1, "world": { "gravity": [0, -9.81, 0] },
        "bodies": [ { "name": "bob", "type": "particle", "mass": 2, "position": [0, 1, 0], "velocity": [1, 0, 0] } ],
        "joints": [ { "name": "hill", "type": "formula", "is": "bob.y >= 0.1*bob.x" } ] }"#,
    )
    .unwrap();
    let mut last = 0.0;
    run(&mut scene, 120, |world, report| {
        assert!(
            report.overrun < 1e-8 && report.law_error < 1e-8,
            "{report:?}"
        );
        last = world.state().lambda[0];
    });
    let bob = q(&scene, "bob");
    assert!((bob[1] - 0.1 * bob[0]).abs() < 1e-8, "{bob:?}");
    // λ·|∇(y − 0.1·x)| balances the weight across the slope.
    let across = 2.0 * 9.81 / (1.0 + 0.01);
    assert!((last - across).abs() < 1e-6 * across, "{last} {across}");
}

/// A drive that is typed is the drive that is built.
#[test]
fn a_typed_drive_is_a_sine() {
    let text = |drive: &str| {
        format!(
            r#"{{ "linkwork": 1, "world": {{ "gravity": [0, -9.81, 0] }},
            "bodies": [ {{ "name": "arm", "type": "rod", "from": [0, 0, 0], "to": [1, 0, 0], "radius": 0.02, "mass": 1 }} ],
            "joints": [ {{ "name": "A", "type": "hinge", "a": "ground", "b": "arm", "at": [0, 0, 0], "axis": [0, 0, 1],
                "drive": {drive} }} ] }}"#
        )
    };
    let typed = r#"{ "type": "formula", "is": "30deg*sin(tau*t)" }"#;
    let built = r#"{ "type": "sine", "amplitude_deg": 30, "frequency": 1 }"#;
    let mut scenes = [typed, built].map(|drive| scene(&text(drive)).unwrap());
    for scene in &mut scenes {
        run(scene, 50, |_, _| {});
    }
    let [typed, built] = scenes.map(|scene| scene.world.state().clone());
    for (a, b) in typed
        .q
        .iter()
        .chain(&typed.lambda)
        .zip(built.q.iter().chain(&built.lambda))
    {
        assert!((a - b).abs() < 1e-9 * (1.0 + b.abs()), "{a} {b}");
    }
}

/// A typed potential keeps energy and is the spring that it says; a typed force and a typed path do what they say.
#[test]
fn typed_energies_and_forces_push() {
    let text = r#"{ "linkwork": 1, "world": { "preset": "precise", "dt": 0.01 },
        "bodies": [ { "name": "bob", "type": "particle", "mass": 2, "position": [0.3, 0, 0] },
                    { "name": "led", "type": "particle", "mass": 1, "position": [1, 0, 0] },
                    { "name": "n", "type": "numbers", "names": ["a"], "values": [1], "mass": 4 } ],
        "joints": [ { "name": "on", "type": "trajectory", "a": "led", "path": { "type": "formula", "is": "[cos(t), sin(t), 0]" } } ],
        "behaviors": [ { "name": "well", "type": "potential", "is": "0.5*8*bob.x^2" },
                       { "name": "pull", "type": "force-law", "on": { "body": "n", "scalar": "a" }, "is": "-4*n.a" } ] }"#;
    let text = text.replace(
        r#"{ "body": "n", "scalar": "a" }, "is": "-4*n.a""#,
        r#""number", "is": "-4*n.a""#,
    );
    let text = text.replace(
        r#""joints": ["#,
        r#""quantities": [ { "name": "number", "is": "n.a" } ], "joints": ["#,
    );
    let mut scene = scene(&text).unwrap();
    let start = scene.world.energy().unwrap().total();
    run(&mut scene, 100, |_, _| {});
    let t = scene.world.state().t;
    // ω² = 8/2 and 4/4.
    let (bob, led, n) = (q(&scene, "bob"), q(&scene, "led"), q(&scene, "n"));
    assert!((bob[0] - 0.3 * (2.0 * t).cos()).abs() < 1e-8, "{bob:?}");
    assert!(
        (led[0] - t.cos()).abs() < 1e-8 && (led[1] - t.sin()).abs() < 1e-8,
        "{led:?}"
    );
    assert!((n[0] - t.cos()).abs() < 1e-8, "{n:?}");
    // The energy of the number is no potential's: it is given by a force.
    let own = scene.world.energy().unwrap();
    let number = 0.5 * 4.0 * (t.sin() * t.sin());
    assert!((own.total() - number - start).abs() < 1e-7, "{own:?}");
}
