//! Recordings, read back by a parser of others.

use ::gltf::animation::Property;
use ::gltf::animation::util::{ReadOutputs, Rotations};
use ::gltf::mesh::Mode;
use linkwork::body::{Sheet, Troid};
use linkwork::math::{mat_vec, quat_to_matrix};
use linkwork::prelude::*;
use linkwork::world::BodyRecord;
use linkwork_scene::export::{FrameRate, Recorder};
use linkwork_scene::format::{BodyView, CameraEntry, PartEntry};
use linkwork_scene::{Scene, Trace};

/// A recording of `n` steps, read back.
fn recorded(scene: &mut Scene, n: usize, rate: FrameRate) -> ::gltf::Gltf {
    let mut simulator = Simulator::new();
    let mut recorder = Recorder::new(scene, rate);
    for _ in 0..n {
        simulator.step(&mut scene.world, &scene.options).unwrap();
        recorder.record(scene);
    }
    finished(recorder, scene)
}

fn finished(recorder: Recorder, scene: &Scene) -> ::gltf::Gltf {
    let mut file = Vec::new();
    recorder.finish(scene, &mut file).unwrap();
    assert_eq!(file.len() % 4, 0);
    ::gltf::Gltf::from_slice(&file).unwrap()
}

fn times(file: &::gltf::Gltf) -> Vec<f32> {
    let animation = file.animations().next().unwrap();
    let channel = animation.channels().next().unwrap();
    let reader = channel.reader(|_| file.blob.as_deref());
    reader.read_inputs().unwrap().collect()
}

/// Rotations of a node: x, y, z, w.
fn rotations(file: &::gltf::Gltf, name: &str) -> Vec<[f32; 4]> {
    for channel in file.animations().flat_map(|animation| animation.channels()) {
        let target = channel.target();
        if target.node().name() == Some(name) && target.property() == Property::Rotation {
            let reader = channel.reader(|_| file.blob.as_deref());
            return match reader.read_outputs().unwrap() {
                ReadOutputs::Rotations(Rotations::F32(rotations)) => rotations.collect(),
                _ => panic!("not floats"),
            };
        }
    }
    Vec::new()
}

#[test]
fn a_mechanism_has_a_node_for_each_body() {
    let mut scene = Scene::from(linkwork_scene::scene("four-bar").unwrap());
    let n_bodies = scene.world.bodies().len();
    let file = recorded(&mut scene, 60, FrameRate::default());
    assert_eq!(file.nodes().count(), n_bodies + 1);
    let root = file.default_scene().or(file.scenes().next()).unwrap();
    let root = root.nodes().next().unwrap();
    let names: Vec<_> = root
        .children()
        .map(|node| node.name().unwrap().to_owned())
        .collect();
    let bodies = scene.world.bodies().iter();
    assert_eq!(names, bodies.map(BodyRecord::label).collect::<Vec<_>>());
    assert_eq!(times(&file).len(), 61);
    assert_eq!(times(&file)[0], 0.0);
    // Where the last keyframe puts a body is where it is.
    for record in scene.world.bodies() {
        let last = *rotations(&file, record.label()).last().unwrap();
        let pose = scene.world.pose(record.id()).unwrap().unwrap();
        let [x, y, z, w] = last.map(f64::from);
        let moved = |rotation| mat_vec(&quat_to_matrix(rotation), [1.0, 2.0, 3.0]);
        let (a, b) = (moved([w, x, y, z]), moved(pose.rotation));
        assert!((0..3).all(|k| (a[k] - b[k]).abs() < 1e-5), "{a:?} {b:?}");
    }
}

#[test]
fn frames_are_as_many_as_asked_for() {
    let slow = || {
        let mut scene = Scene::from(linkwork_scene::scene("double-pendulum").unwrap());
        scene.options = StepOptions::interactive(1e-3);
        scene
    };
    let file = recorded(&mut slow(), 500, FrameRate::default());
    let frames = times(&file);
    // Half a second: the first, 29 in between, and the last.
    assert_eq!(frames.len(), 31);
    assert!((frames[30] - 0.5).abs() < 1e-6);
    assert!(frames.windows(2).all(|pair| pair[1] - pair[0] < 0.0181));
    assert_eq!(
        times(&recorded(&mut slow(), 50, FrameRate::EveryStep)).len(),
        51
    );
    let few = FrameRate::PerSecond(10.0);
    assert_eq!(times(&recorded(&mut slow(), 500, few)).len(), 6);
}

#[test]
fn quaternions_do_not_jump() {
    let mut world = World::new();
    let size = [0.1, 0.2, 0.3];
    let spinner = world
        .add_body("spinner", Cuboid { size, mass: 1.0 })
        .unwrap();
    world
        .set_v(spinner, &[0.0, 0.0, 0.0, 0.1, 7.0, 0.1])
        .unwrap();
    let file = recorded(&mut Scene::from(world), 240, FrameRate::EveryStep);
    let rotations = rotations(&file, "spinner");
    assert_eq!(rotations.len(), 241);
    for pair in rotations.windows(2) {
        let cos: f32 = pair[0].iter().zip(&pair[1]).map(|(a, b)| a * b).sum();
        assert!(cos > 0.99, "{pair:?}");
    }
    // More than two turns: the sign did change on the way.
    assert!(rotations.iter().any(|r| r[3] < -0.5));
}

#[test]
fn equal_shapes_share_their_triangles() {
    let mut scene = Scene::from(linkwork_scene::scene("chain:40").unwrap());
    let file = recorded(&mut scene, 2, FrameRate::default());
    let positions = file
        .meshes()
        .flat_map(|mesh| mesh.primitives().collect::<Vec<_>>());
    let positions = positions.map(|p| p.get(&::gltf::Semantic::Positions).unwrap().index());
    let positions: std::collections::BTreeSet<_> = positions.collect();
    assert_eq!(positions.len(), 1);
    assert!(file.meshes().count() <= 7);
    assert_eq!(
        file.nodes().filter(|node| node.mesh().is_some()).count(),
        40
    );
}

/// A sheet, sheared and turned, is where its four corners are.
#[test]
fn sheets_deform_exactly() {
    let mut world = World::new();
    let troid = Troid {
        outline: None,
        sheet: Sheet::rectangle([0.4, 0.2], 1.0).unwrap(),
        stiffness: 50.0,
        area_stiffness: 20.0,
        damping: 0.1,
    };
    let sheet = world.add_body("sheet", troid).unwrap();
    let q = [0.3, -0.2, 1.2, 0.5, -0.4, 0.8];
    world.set_q(sheet, &q).unwrap();
    world
        .set_v(sheet, &[0.1, 0.0, 0.0, 1.0, -2.0, 0.0])
        .unwrap();
    let mut scene = Scene::from(world);
    let file = recorded(&mut scene, 30, FrameRate::EveryStep);
    let node = file
        .nodes()
        .find(|node| node.name() == Some("sheet"))
        .unwrap();
    let primitive = node.mesh().unwrap().primitives().next().unwrap();
    let reader = primitive.reader(|_| file.blob.as_deref());
    let corners: Vec<[f32; 3]> = reader.read_positions().unwrap().collect();
    let targets: Vec<Vec<[f32; 3]>> = reader
        .read_morph_targets()
        .map(|(positions, _, _)| positions.unwrap().collect())
        .collect();
    assert_eq!((corners.len(), targets.len()), (4, 4));
    let (mut weights, mut translations) = (vec![], vec![]);
    for channel in file.animations().flat_map(|animation| animation.channels()) {
        match channel
            .reader(|_| file.blob.as_deref())
            .read_outputs()
            .unwrap()
        {
            ReadOutputs::MorphTargetWeights(w) => weights.extend(w.into_f32()),
            ReadOutputs::Translations(t) => translations.extend(t),
            _ => panic!("a sheet does not turn by itself"),
        }
    }
    assert_eq!((weights.len(), translations.len()), (4 * 31, 31));
    let (w, t) = (&weights[4 * 30..], translations[30]);
    for (at, corner) in corners.iter().enumerate() {
        let material = [f64::from(corner[0]), f64::from(corner[1])];
        let x = scene.world.position_world(&sheet.at(material)).unwrap();
        for k in 0..3 {
            let moved: f32 = (0..4).map(|j| w[j] * targets[j][at][k]).sum();
            let shown = f64::from(t[k] + corner[k] + moved);
            assert!((shown - x[k]).abs() < 1e-6, "{shown} {x:?}");
        }
    }
}

#[test]
fn up_is_y_and_hints_are_heeded() {
    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    let ball = world.add_body("ball", Particle { mass: 1.0 }).unwrap();
    let hidden = world.add_body("hidden", Particle { mass: 1.0 }).unwrap();
    world.set_pose(hidden, Pose::at([1.0, 0.0, 0.0])).unwrap();
    let mut scene = Scene::from(world);
    scene.name = Some("fall".into());
    scene.traces.push(Trace {
        name: "path".into(),
        of: ball.at([0.0; 3]),
        color: Some("#ff0000".into()),
    });
    scene.view.camera = Some(CameraEntry {
        eye: [3.0, -3.0, 1.0],
        target: [0.0; 3],
    });
    let parts = r##"[
        { "type": "box", "size": [0.1, 0.2, 0.3], "position": [0, 0, 1], "color": "#00ff00" },
        { "type": "disc", "radius": 0.1, "thickness": 0.02, "euler_deg": [0, 90, 0] }
    ]"##;
    let draw: Vec<PartEntry> = linkwork_scene::read::from_json(parts).unwrap();
    let view = |color: Option<&str>, hidden, draw| BodyView {
        color: color.map(str::to_owned),
        hidden,
        draw,
        ..BodyView::default()
    };
    let views = &mut scene.body_views;
    views.insert("ball".into(), view(Some("#0000ff"), false, draw.clone()));
    views.insert("hidden".into(), view(None, true, vec![]));
    views.insert("ground".into(), view(None, false, draw[..1].to_vec()));
    let file = recorded(&mut scene, 10, FrameRate::default());
    let node = |name: &str| file.nodes().find(|node| node.name() == Some(name)).unwrap();
    let (_, turn, _) = node("fall").transform().decomposed();
    let half = 0.5f32.sqrt();
    let expected = [-half, 0.0, 0.0, half];
    assert!(
        (0..4).all(|k| (turn[k] - expected[k]).abs() < 1e-6),
        "{turn:?}"
    );
    assert_eq!(node("ball").children().count(), 2);
    assert!(node("hidden").mesh().is_none() && node("hidden").children().count() == 0);
    assert_eq!(node("ground").children().count(), 1);
    let path = node("path").mesh().unwrap().primitives().next().unwrap();
    assert_eq!(path.mode(), Mode::LineStrip);
    assert_eq!(path.get(&::gltf::Semantic::Positions).unwrap().count(), 11);
    assert!(node("camera").camera().is_some());
    let color = |node: ::gltf::Node<'_>| {
        let mesh = node.mesh().unwrap().primitives().next().unwrap();
        mesh.material().pbr_metallic_roughness().base_color_factor()
    };
    let colors: Vec<_> = node("ball").children().map(color).collect();
    assert_eq!(colors, [[0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]]);
}

#[test]
fn hands_come_and_go() {
    let mut scene = Scene::from(linkwork_scene::scene("four-bar").unwrap());
    let mut simulator = Simulator::new();
    let mut recorder = Recorder::new(&scene, FrameRate::EveryStep);
    let held = scene.world.bodies()[0].id().at([0.0; 3]);
    let mut grip = None;
    for step in 0..30 {
        if step == 10 {
            grip = Some(scene.world.grab(held, Drag::Follow).unwrap());
        }
        if let Some(grip) = grip.take_if(|_| step == 20) {
            scene.world.release(grip).unwrap();
        }
        simulator.step(&mut scene.world, &scene.options).unwrap();
        recorder.record(&scene);
    }
    let file = finished(recorder, &scene);
    let channels = file.animations().flat_map(|animation| animation.channels());
    let mut scales = channels.filter(|channel| channel.target().property() == Property::Scale);
    let channel = scales.next().unwrap();
    assert_eq!(channel.target().node().name(), Some("hand 1"));
    let ReadOutputs::Scales(sizes) = channel
        .reader(|_| file.blob.as_deref())
        .read_outputs()
        .unwrap()
    else {
        panic!("not a size");
    };
    let sizes: Vec<f32> = sizes.map(|size| size[0]).collect();
    assert_eq!(sizes.len(), 31);
    assert_eq!(sizes.iter().position(|&size| size == 1.0), Some(11));
    assert_eq!(sizes.iter().filter(|&&size| size == 1.0).count(), 10);
    assert!(scales.next().is_none());
}

/// A picture of one moment: no animation, and nothing empty.
#[test]
fn one_frame_is_a_still() {
    let scene = Scene::from(linkwork_scene::scene("stewart").unwrap());
    let file = finished(Recorder::new(&scene, FrameRate::default()), &scene);
    assert_eq!(file.animations().count(), 0);
    let empty = Scene::from(World::new());
    let file = finished(Recorder::new(&empty, FrameRate::default()), &empty);
    assert_eq!((file.nodes().count(), file.meshes().count()), (1, 0));
}
