//! Witkin 1990, figs. 1, 3 and 4, as scripts: a log of commands each, and what its figure shows.
//! `linkwork run SCENE --replay LOG` plays them.

use linkwork::output::ConstraintError;
use linkwork::prelude::*;
use linkwork_scene::command::{Command, Line, Session, lines};
use linkwork_scene::{Scene, build, library};

const FIG_1: &str = include_str!("witkin-1990-fig-1.jsonl");
const FIG_3: &str = include_str!("witkin-1990-fig-3.jsonl");
const FIG_4: &str = include_str!("witkin-1990-fig-4.jsonl");

/// Plays a script and looks after each command.
fn play(scene: Option<Scene>, script: &str, mut look: impl FnMut(&Command, &Scene)) -> Session {
    let mut session = scene.map(|scene| Session::new(scene).unwrap());
    for line in lines(script) {
        let (number, line) = line.unwrap_or_else(|fault| panic!("{fault}"));
        match (line, &mut session) {
            (Line::Scene(document), own) => {
                *own = Some(Session::new(build(&document).unwrap()).unwrap());
            }
            (Line::Command(command), Some(own)) => {
                own.apply(&command)
                    .unwrap_or_else(|fault| panic!("line {number}: {fault}"));
                look(&command, own.scene());
            }
            _ => panic!("line {number}: no command"),
        }
    }
    session.unwrap()
}

/// The largest gap of a joint that shall hold exactly.
fn gap(world: &World) -> f64 {
    let errors = world.constraint_errors().unwrap();
    let exact = errors.iter().filter(|own| own.priority == 0);
    exact.map(ConstraintError::size).fold(0.0, f64::max)
}

fn point(scene: &Scene, body: &str, u: f64) -> [f64; 3] {
    let body = scene.world.find_body(body).unwrap();
    scene.world.position_world(&body.curve2(u)).unwrap()
}

fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// Fig. 1: the state vectors of three objects are one behind the other, and so are the outputs of two constraints. A
/// constraint's block of the Jacobian is zero where it depends on no connector of the object.
#[test]
fn a_schematized_model() {
    let session = play(None, FIG_1, |_, _| {});
    let world = &session.scene().world;
    let ids = ["plate", "wire", "design"].map(|name| world.find_body(name).unwrap());
    let whole: Vec<f64> = ids
        .iter()
        .flat_map(|id| world.q(*id).unwrap().to_vec())
        .collect();
    assert_eq!(world.state().q, whole);
    assert_eq!(
        world
            .constraints()
            .iter()
            .map(|own| own.row_range().len())
            .collect::<Vec<_>>(),
        [2, 1]
    );
    assert!(gap(world) < 1e-6, "{}", gap(world));
    // c is left where a coordinate moves: which objects each constraint depends on, block by block.
    let mut depends = [[false; 3]; 2];
    for (object, id) in ids.into_iter().enumerate() {
        for k in 0..world.q(id).unwrap().len() {
            let mut moved = world.clone();
            let mut q = moved.q(id).unwrap().to_vec();
            q[k] += 1e-3;
            moved.set_q(id, &q).unwrap();
            for (constraint, error) in moved.constraint_errors().unwrap().iter().enumerate() {
                depends[constraint][object] |= error.size() > 1e-5;
            }
        }
    }
    assert_eq!(depends, [[true, true, false], [false, true, true]]);
}

/// Fig. 3: grabbed at any point, curves move and reshape as far as the constraints allow, and rest where they are let
/// go.
#[test]
fn a_model_of_curves() {
    let scene = library::open("curve-model").unwrap();
    let start = [point(&scene, "bow", 0.37), point(&scene, "ring", 0.1)];
    let far_end = point(&scene, "bow", 0.05);
    let grabbed = [("bow", 0.37), ("ring", 0.1)];
    let (mut goal, mut n_grabs, mut is_held) = ([0.0; 3], 0, false);
    let mut left: Vec<f64> = Vec::new();
    let session = play(Some(scene), FIG_3, |command, scene| match command {
        Command::Grab(_) => (n_grabs, is_held) = (n_grabs + 1, true),
        Command::Drag(drag) => goal = [drag.goal.0[0], drag.goal.0[1], 0.0],
        Command::Release(_) => (left, is_held) = (scene.world.state().q.clone(), false),
        Command::Step(_) if is_held => {
            assert!(gap(&scene.world) < 1e-6, "{}", gap(&scene.world));
            let (body, u) = grabbed[n_grabs - 1];
            let now = point(scene, body, u);
            assert!(
                apart(now, goal) < 0.05,
                "{body} is {} off",
                apart(now, goal)
            );
            assert!(apart(now, start[n_grabs - 1]) > 0.2, "{body}");
        }
        Command::Step(_) => {
            // Nothing goes on by itself. The hand's numbers are gone.
            let q = &scene.world.state().q;
            let most = left
                .iter()
                .zip(q)
                .fold(0.0f64, |most, (a, b)| most.max((a - b).abs()));
            assert!(gap(&scene.world) < 1e-6 && most < 1e-6, "{most}");
        }
        _ => {}
    });
    // Reshaped, not moved as a whole: where the bow is nailed it hardly went along.
    let scene = session.scene();
    assert!(
        apart(point(scene, "bow", 0.05), far_end)
            < 0.3 * apart(point(scene, "bow", 0.37), start[0])
    );
}

/// Fig. 4: troids with polygons on them, held together by constraints and rubber bands, driven by two motion paths, one
/// on the arm and one on the shirt. Two stills.
#[test]
fn a_puppet_of_troids() {
    let scene = library::open("puppet-show").unwrap();
    let mut stills: Vec<(Vec<f64>, f64)> = Vec::new();
    play(Some(scene), FIG_4, |command, scene| {
        if !matches!(command, Command::Step(_)) {
            return;
        }
        let world = &scene.world;
        assert!(gap(world) < 1e-5, "{}", gap(world));
        // The paths' key frames of this moment, and where the led points are.
        let t = world.state().t;
        let at = |name: &str| {
            world
                .position_world(scene.connector(name).unwrap())
                .unwrap()
        };
        let wanted = if t < 2.0 {
            [0.5, 2.12, 0.0]
        } else {
            [0.6, 2.2, 0.0]
        };
        assert!(
            apart(at("fingers"), wanted) < 0.02,
            "{:?} at {t}",
            at("fingers")
        );
        let driven = ["walk", "wave, take 1"].map(|name| world.find_constraint(name).unwrap());
        for id in driven {
            assert!(world.constraint_record(id).unwrap().enabled());
        }
        // Sheets are sheared and stretched, so that what is drawn on them is.
        let mut strain = 0.0f64;
        let mut angle = 0.0;
        for record in world.bodies().iter().filter(|own| own.v_range().len() == 6) {
            let q = world.q(record.id()).unwrap();
            let [a, b, c, d] = [q[2], q[3], q[4], q[5]];
            let off = [a * a + c * c - 1.0, b * b + d * d - 1.0, a * b + c * d];
            strain = off.iter().fold(strain, |most, own| most.max(own.abs()));
            if record.label() == "left hand" {
                angle = (c - b).atan2(a + d);
            }
        }
        assert!(strain > 0.02, "{strain}");
        stills.push((world.state().q.clone(), angle));
    });
    let [(first, from), (second, to)] = &stills[..] else {
        panic!("two stills");
    };
    let moved = first
        .iter()
        .zip(second)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max);
    assert!(
        moved > 0.1 && (from - to).abs() > 0.05,
        "{moved} {from} {to}"
    );
}
