//! Real robots, where their files are: beside the checkout, in `../shared/models`.

use std::path::PathBuf;

use linkwork::assembly::AssemblyOutcome;
use linkwork::connector::{Connector, Site};
use linkwork::math::{Vec3, column, dot, mat_vec, quat_to_matrix, sub};
use linkwork::prelude::*;
use linkwork_import::{Base, ImportOptions, Imported, import};
use linkwork_scene::format::{ConnectorEntry, ConnectorRef};

use super::{build, says};

fn model(name: &str) -> Option<PathBuf> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/models");
    let path = PathBuf::from(root).join(name);
    if !path.is_file() {
        eprintln!("{} is not there: skipped", path.display());
        return None;
    }
    Some(path)
}

/// Their mesh files are not there, and with them the mass of pads and bases.
fn without_meshes() -> ImportOptions {
    ImportOptions {
        lossy: true,
        ..ImportOptions::default()
    }
}

fn assembled(imported: &Imported) -> World {
    let mut world = build(imported).world;
    let options = AssembleOptions::default();
    let report = Simulator::new().assemble(&mut world, &options).unwrap();
    assert_eq!(report.outcome, AssemblyOutcome::Assembled);
    let worst = world.worst_constraint_error().unwrap().unwrap();
    assert!(worst.size() < 1e-9, "{worst:?}");
    world
}

/// Two fingers, each a loop of five links, and an equality of their drivers.
#[test]
fn robotiq_gripper_closes() {
    let Some(path) = model("robotiq_2f85/2f85.xml") else {
        return;
    };
    let imported = import(&path, &without_meshes()).unwrap();
    let balls = imported
        .document
        .joints
        .iter()
        .filter(|own| own.name.starts_with("connect"));
    assert_eq!(balls.filter(|own| own.word() == "ball").count(), 2);
    assert!(says(
        &imported.report.refused,
        &["<geom> meshes", "\"right_pad\""]
    ));
    assert!(says(&imported.report.refused, &["<general>", "no joint"]));
    assert!(says(&imported.report.refused, &["tendons", "split"]));
    let mut world = assembled(&imported);
    // A five-bar has two freedoms (a spring holds one of them), and the drivers turn together.
    assert_eq!(diagnose(&world).mobility, 3);
    let mut simulator = Simulator::new();
    for _ in 0..60 {
        let report = simulator
            .step(&mut world, &StepOptions::interactive(1.0 / 60.0))
            .unwrap();
        assert!(report.position_error < 1e-9);
    }
}

/// Its file starts 30 degrees beyond four limits, in two loops. They are met by turning those alone.
#[test]
fn cassie_comes_within_its_limits() {
    let Some(path) = model("agility_cassie/cassie.xml") else {
        return;
    };
    let imported = import(&path, &without_meshes()).unwrap();
    assembled(&imported);
}

/// What was imported is a scene like any other: it is written and read again, to the last bit.
#[test]
fn an_imported_robot_is_saved_and_loaded() {
    let Some(path) = model("agility_cassie/cassie.xml") else {
        return;
    };
    let scene = build(&import(&path, &without_meshes()).unwrap());
    let text = linkwork_scene::save(&scene).unwrap();
    let again = linkwork_scene::load(&text).unwrap();
    assert_eq!(again.world.state_hash(), scene.world.state_hash());
    assert_eq!(linkwork_scene::save(&again).unwrap(), text);
}

/// The dampers of a scene: coefficient, and the connectors between which each acts.
fn dampers(imported: &Imported, world: &World) -> Vec<(f64, Connector, Connector)> {
    let frame = |side: &ConnectorRef| {
        let ConnectorRef::Inline(entry) = side else {
            panic!("{side:?}");
        };
        let ConnectorEntry {
            body,
            point,
            quaternion,
            ..
        } = &**entry;
        let id = world.find_body(body).unwrap();
        let origin: Vec3 = point.as_ref().unwrap().0.clone().try_into().unwrap();
        id.frame(origin, quat_to_matrix(quaternion.unwrap()))
    };
    let mut dampers = Vec::new();
    for own in &imported.document.behaviors {
        let coefficient = match own.word() {
            "friction" => own.get::<f64>("angular"),
            "torsion-spring" => own.get::<f64>("damping"),
            _ => None,
        };
        let (a, b) = (own.get("a").unwrap(), own.get("b").unwrap());
        dampers.push((coefficient.unwrap(), frame(a), frame(b)));
    }
    // Fast ones are soft rows.
    for own in &imported.document.joints {
        match (
            own.word(),
            own.get::<f64>("compliance"),
            own.get::<f64>("damping"),
        ) {
            ("gear", Some(compliance), _) => {
                let [a, b] = own.get::<&[ConnectorRef]>("connectors").unwrap() else {
                    panic!("{own:?}");
                };
                dampers.push((1.0 / compliance, frame(a), frame(b)));
            }
            ("angle-drive", _, Some(damping)) => {
                let (a, b) = (own.get("a").unwrap(), own.get("b").unwrap());
                dampers.push((damping, frame(a), frame(b)));
            }
            _ => {}
        }
    }
    dampers
}

/// `Σ d·(x_a·(ω_b − ω_a))²`: what dampers take out per second.
fn dissipation(world: &World, dampers: &[(f64, Connector, Connector)]) -> f64 {
    let power = dampers.iter().map(|(coefficient, a, b)| {
        let omega = |body: BodyId| -> Vec3 { world.v(body).unwrap()[3..].try_into().unwrap() };
        let Some(Site::Frame { rotation, .. }) = a.site() else {
            panic!("{a:?}");
        };
        let [on_a, on_b] = [a, b].map(|own| own.body().unwrap());
        let pose = world.pose(on_a).unwrap().unwrap();
        let axis = mat_vec(&quat_to_matrix(pose.rotation), column(rotation, 0));
        let rate = dot(axis, sub(omega(on_b), omega(on_a)));
        coefficient * rate * rate
    });
    power.sum()
}

/// Cassie hangs from its pelvis for ten seconds. With what its dampers have taken out, the energy is
/// constant to 1e-3 of what was exchanged.
#[test]
fn cassie_hangs_from_its_pelvis() {
    let Some(path) = model("agility_cassie/cassie.xml") else {
        return;
    };
    let options = ImportOptions {
        base: Base::Fixed,
        keyframe: Some("home".to_owned()),
        limits: false,
        contacts: false,
        ..ImportOptions::default()
    };
    let imported = import(&path, &options).unwrap();
    let closures = imported
        .document
        .joints
        .iter()
        .filter(|own| own.name.starts_with("connect"));
    assert_eq!(
        closures
            .filter(|own| own.get("enabled") != Some(false))
            .count(),
        4
    );
    assert!(says(&imported.report.read, &["armature", "\"left-knee\""]));
    assert!(says(&imported.report.refused, &["limits", "\"left-knee\""]));
    let mut world = assembled(&imported);
    let dampers = dampers(&imported, &world);
    // Hips, knees, shins, tarsi, cranks and feet of two legs, and three axes of each rod.
    assert_eq!(dampers.len(), 2 * (8 + 3) + 2);

    // Simpson's rule over pairs of frames.
    let (frame, n_frames) = (2e-3, 1_500);
    let step = StepOptions::precise(frame);
    let mut simulator = Simulator::new();
    let energy = |world: &World| world.energy().unwrap().total();
    let start = energy(&world);
    let (mut taken, mut drift) = (0.0, 0.0_f64);
    let mut power = dissipation(&world, &dampers);
    for _ in 0..n_frames / 2 {
        let mut at = [power, 0.0, 0.0];
        for sample in &mut at[1..] {
            let report = simulator.step(&mut world, &step).unwrap();
            assert!(report.position_error < 1e-8, "{report:?}");
            *sample = dissipation(&world, &dampers);
        }
        taken += frame / 3.0 * (at[0] + 4.0 * at[1] + at[2]);
        power = at[2];
        drift = drift.max((energy(&world) + taken - start).abs());
    }
    eprintln!(
        "Cassie: {taken} J taken out, drift {drift:e} J, error {:e}",
        drift / taken
    );
    assert!(taken > 1.0, "{taken}");
    assert!(drift < 1e-3 * taken, "{drift} of {taken}");
}

/// Springs of 1500 N·m/rad and dampers that stop a rod in less than a millisecond do not bother a frame
/// of a sixtieth of a second: the same energy goes, within a few per cent.
#[test]
fn cassie_hangs_at_sixty_frames_a_second() {
    let Some(path) = model("agility_cassie/cassie.xml") else {
        return;
    };
    let options = ImportOptions {
        base: Base::Fixed,
        keyframe: Some("home".to_owned()),
        limits: false,
        contacts: false,
        ..ImportOptions::default()
    };
    let mut world = assembled(&import(&path, &options).unwrap());
    let start = world.energy().unwrap().total();
    let mut simulator = Simulator::new();
    let mut n_substeps = 0;
    for _ in 0..600 {
        let step = StepOptions::interactive(1.0 / 60.0);
        let report = simulator.step(&mut world, &step).unwrap();
        assert!(report.position_error < 1e-8, "{report:?}");
        n_substeps += report.substeps;
    }
    let taken = start - world.energy().unwrap().total();
    eprintln!("Cassie: {n_substeps} sub-steps in 600 frames, {taken} J taken out");
    assert!(n_substeps < 1200, "{n_substeps}");
    assert!((taken - 4.45).abs() < 0.2, "{taken}");
}

/// Six joints of one body on small masses, armatures and springs; and five chains of links of 2e-7 kg·m² with
/// armatures of 1e-3, two hinges each, closed by connects: at sixty frames a second without a split.
#[test]
fn armatures_hold_up_small_links() {
    for name in ["umi_gripper/umi_gripper.xml", "iit_softfoot/softfoot.xml"] {
        let Some(path) = model(name) else {
            return;
        };
        let options = ImportOptions {
            limits: false,
            motors: false,
            contacts: false,
            ..without_meshes()
        };
        let mut world = build(&import(&path, &options).unwrap()).world;
        let start = world.energy().unwrap().total();
        let mut simulator = Simulator::new();
        for _ in 0..30 {
            let step = StepOptions::interactive(1.0 / 60.0);
            let report = simulator.step(&mut world, &step).unwrap();
            assert!(report.position_error < 1e-8, "{name}: {report:?}");
            assert_eq!(report.substeps, 1, "{name}: {report:?}");
        }
        // Dampers take energy out, and nothing puts it in.
        let lost = start - world.energy().unwrap().total();
        assert!(lost > 0.0 && lost < 1.0, "{name}: {lost}");
    }
}

/// Robots fall on a floor: joints stay within their limits, and nothing that is not taken is left unsaid.
#[test]
fn robots_fall_on_a_floor() {
    for (name, keyframe) in [
        ("robotiq_2f85/2f85.xml", None),
        ("agility_cassie/cassie.xml", Some("home".to_owned())),
    ] {
        let Some(path) = model(name) else {
            return;
        };
        let options = ImportOptions {
            keyframe,
            floor: Some(linkwork_import::FloorAt::Height(0.0)),
            ..without_meshes()
        };
        let imported = import(&path, &options).unwrap();
        assert!(says(&imported.report.read, &["limits of joints"]), "{name}");
        assert!(says(&imported.report.read, &["floor at 0"]), "{name}");
        let mut world = build(&imported).world;
        let mut simulator = Simulator::new();
        for frame in 0..120 {
            let step = StepOptions::interactive(1.0 / 60.0);
            let report = simulator.step(&mut world, &step).unwrap();
            assert!(report.overrun < 1e-6, "{name} {frame}: {report:?}");
            assert!(report.position_error < 1e-6, "{name} {frame}: {report:?}");
        }
    }
}
