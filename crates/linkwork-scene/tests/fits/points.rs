//! Points that pull bodies: truths that are known, scatter, strays, several bodies, motions and units, markers of an
//! arm.

use linkwork::connector::Input;
use linkwork::constraint::Rows;
use linkwork::math::{Vec3, add, cross, mat_vec, norm, rotation_exp, scale, sub};
use linkwork::shape::{Superquadric, SuperquadricForm};
use linkwork_scene::command::{Command, Session};
use linkwork_scene::points::{
    PointPull, TrackOptions, find_centers, find_owners, find_start, fit_frame, report_names,
    report_row, search, times,
};
use linkwork_scene::table::read_data;
use linkwork_scene::{Fault, library, read, save};

use super::*;

/// Which numbers of a shape are free: sizes, exponents, tapers and bends.
const ALL: [usize; 9] = [0, 1, 2, 3, 4, 5, 6, 10, 11];
const FREE: &str = r#""free": { "size": {}, "exponents": {}, "taper": {}, "bend": {} }"#;

fn form() -> SuperquadricForm {
    let mut form = SuperquadricForm::new([0.3, 0.4, 1.0], [0.6, 0.9]);
    (form.taper, form.bend) = ([0.3, -0.2], [0.4, -0.5]);
    form
}

/// Points of a surface, evenly enough, with noise along each axis.
fn cloud(form: &SuperquadricForm, n: usize, noise: f64, seed: u64) -> Vec<Vec3> {
    let mut random = Noise(seed);
    let golden = 0.618_033_988_749_895;
    (0..n)
        .map(|k| {
            let u = libm::asin(2.0 * (k as f64 + 0.5) / n as f64 - 1.0);
            let v = std::f64::consts::TAU * (golden * k as f64).fract() - std::f64::consts::PI;
            let x = form.surface_point(u, v);
            std::array::from_fn(|axis| x[axis] + noise * random.next())
        })
        .collect()
}

fn moved(points: &[Vec3], turn: Vec3, shift: Vec3, factor: f64) -> Vec<Vec3> {
    let turn = rotation_exp(turn);
    let one = |z: &Vec3| scale(factor, add(mat_vec(&turn, *z), shift));
    points.iter().map(one).collect()
}

/// A solid may be found lying on another of its sides.
fn sorted(mut sizes: Vec3) -> Vec3 {
    sizes.sort_by(f64::total_cmp);
    sizes
}

fn rows(points: &[Vec3]) -> Vec<Vec<f64>> {
    points.iter().map(|own| own.to_vec()).collect()
}

/// How far the surface of a fit is from points of the truth, in the mean.
fn off(map: &Superquadric, q: &[f64], at: (Vec3, linkwork::math::Mat3), truth: &[Vec3]) -> f64 {
    let inward = |z: &Vec3| linkwork::math::mat_t_vec(&at.1, sub(*z, at.0));
    let sum: f64 = truth.iter().map(|z| map.distance(q, inward(z)).abs()).sum();
    sum / truth.len() as f64
}

/// A body that is to be found, and a joint by which points pull it.
fn one_body(points: &[Vec3]) -> Scene {
    let body = format!(
        r#"{{ "name": "egg", "type": "superquadric", "a": [1, 1, 1], "mass": 1, {FREE} }}"#
    );
    let joint = r#"{ "name": "pull", "type": "points", "body": "egg", "for": "data" }"#;
    scene(&body, &table(&["x", "y", "z"], &rows(points)), joint)
}

#[test]
fn a_shape_is_found_from_its_points_alone_wherever_and_however_large() {
    let truth = form();
    let points = cloud(&truth, 400, 0.01, 5);
    let (turn, shift) = ([0.7, -1.1, 0.4], [3.0, -2.0, 5.0]);
    let map = Superquadric::new(SuperquadricForm::new([1.0; 3], [1.0; 2]), &ALL).unwrap();
    let clean = cloud(&truth, 300, 0.0, 1);
    let mut first = None;
    for (turn, shift, factor) in [
        ([0.0; 3], [0.0; 3], 1.0),
        (turn, shift, 1.0),
        (turn, shift, 1e3),
    ] {
        let found = search(&map, &moved(&points, turn, shift, factor), false).unwrap();
        assert!(found.frames <= 40, "{}", found.frames);
        let clean = moved(&clean, turn, shift, factor);
        let error = off(&map, &found.q[..9], (found.origin, found.rotation), &clean) / factor;
        assert!(error < 0.005, "{error} at {factor}");
        // The same in other units and elsewhere: but for round-off, which steps may make more of.
        let mut values = map.at(&found.q[..9]);
        values.a = sorted(values.a.map(|a| a / factor));
        let one = *first.get_or_insert((values, error));
        assert!((error - one.1).abs() < 1e-6, "{error} {}", one.1);
        near(&values.a, &one.0.a, 1e-4);
        near(&values.e, &one.0.e, 1e-4);
    }
    assert!(search(&map, &points[..10], false).is_none());
}

/// A search goes along the principal axes of its points: turned, they lead to the same, but for round-off.
#[test]
fn a_search_turns_with_its_points() {
    let map = Superquadric::new(SuperquadricForm::new([1.0; 3], [1.0; 2]), &ALL).unwrap();
    let mut random = Noise(17);
    for seed in 0..8 {
        let mut about = |mean: f64, by: f64| mean + by * random.next();
        let sizes = [about(0.3, 0.05), about(0.4, 0.05), about(1.0, 0.1)];
        let mut truth = SuperquadricForm::new(sizes, [about(0.7, 0.15), about(0.7, 0.15)]);
        truth.taper = [about(0.0, 0.2), about(0.0, 0.2)];
        truth.bend = [about(0.0, 0.3), about(0.0, 0.3)];
        let points = cloud(&truth, 400, 0.01, seed);
        for is_one_sided in [false, true] {
            let side = |z: &&Vec3| !is_one_sided || z[0] + 0.3 * z[1] > -0.05;
            let points: Vec<Vec3> = points.iter().filter(side).copied().collect();
            let mut first: Option<(Vec3, f64)> = None;
            for turn in [
                [0.0; 3],
                [0.7, -1.1, 0.4],
                [2.0, 1.0, -0.5],
                [0.1, -3.0, 0.3],
            ] {
                let points = moved(&points, turn, [3.0, -2.0, 5.0], 1.0);
                let found = search(&map, &points, is_one_sided).unwrap();
                let inward =
                    |z: &Vec3| linkwork::math::mat_t_vec(&found.rotation, sub(*z, found.origin));
                let off = points
                    .iter()
                    .map(|z| map.distance(&found.q[..9], inward(z)).abs());
                let off = off.sum::<f64>() / points.len() as f64;
                let sizes = map.at(&found.q[..9]).a;
                println!("{seed} {is_one_sided} {turn:?}: {sizes:?}, {off}");
                let one = *first.get_or_insert((sizes, off));
                near(&sizes, &one.0, 1e-5);
                assert!((off - one.1).abs() < 1e-7, "{off} {}", one.1);
            }
        }
    }
}

/// A fit is a minimum in any unit, exact or not, and the same one: what is left of the slope is round-off that
/// grows with their numbers, and may be more than 1e-9.
#[test]
fn fits_end_at_the_same_minimum_in_all_units() {
    for noise in [0.0, 0.01] {
        let points = cloud(&form(), 400, noise, 5);
        let mut first = None;
        for factor in [1.0, 1e-3, 1e3, 1e6] {
            let (turn, shift) = ([0.7, -1.1, 0.4], [3.0, -2.0, 5.0]);
            let mut scene = one_body(&moved(&points, turn, shift, factor));
            find_start(&mut scene, false).unwrap();
            let mut simulator = Simulator::new();
            let options = TrackOptions::default();
            let fitted = fit_frame(&mut scene, &mut simulator, 0.0, &options).unwrap();
            assert_eq!(fitted.found, Found::Minimum, "{factor:e}: {fitted:?}");
            let names = report_names(&scene);
            let row = report_row(&scene);
            let value = |name: &str| row[names.iter().position(|own| own == name).unwrap()];
            let sizes = ["egg.a1", "egg.a2", "egg.a3", "pull.rms"].map(|of| value(of) / factor);
            println!("noise {noise}, {factor:e}: {sizes:?}, {fitted:?}");
            let one = *first.get_or_insert(sizes);
            near(&sizes, &one, 1e-6);
        }
    }
}

/// Rᵀ·c is the slope of the energy, by differences, with and without a scatter.
#[test]
fn a_pull_has_the_slope_of_its_energy() {
    let points = moved(
        &cloud(&form(), 60, 0.05, 3),
        [0.2, 0.1, -0.3],
        [0.1, 0.2, 0.0],
        1.0,
    );
    for sigma in ["", r#", "sigma": 0.2"#] {
        let body = format!(
            r#"{{ "name": "egg", "type": "superquadric", "a": [0.4, 0.5, 0.9], "e": [0.8, 0.7], "mass": 1, {FREE} }}"#
        );
        let joint = format!(
            r#"{{ "name": "pull", "type": "points", "body": "egg", "for": "data", "stiffness": 3{sigma} }}"#
        );
        let scene = scene(&body, &table(&["x", "y", "z"], &rows(&points)), &joint);
        let id = scene.world.find_constraint("pull").unwrap();
        let record = scene.world.constraint_record(id).unwrap();
        let values: Vec<_> = record
            .connectors()
            .iter()
            .map(|own| scene.world.connector_value(own).unwrap())
            .collect();
        let mut x: Vec<Vec<f64>> = values.iter().map(|own| own.x.clone()).collect();
        let n = record.rows().len();
        let eval = |x: &[Vec<f64>]| {
            let still: Vec<Vec<f64>> = values
                .iter()
                .map(|own| vec![0.0; own.kind.n_x_dot()])
                .collect();
            let kinds: Vec<_> = values.iter().map(|own| own.kind).collect();
            let inputs: Vec<Input<'_>> = (0..x.len())
                .map(|k| Input {
                    kind: kinds[k],
                    x: &x[k],
                    x_dot: &still[k],
                })
                .collect();
            let (mut c, mut d, mut g, mut j) =
                (vec![0.0; n], vec![0.0; n], vec![0.0; n], vec![0.0; n * n]);
            let mut out = Rows::new(&kinds, &mut c, &mut d, &mut g, &mut j, &mut []);
            record.constraint().eval(0.0, &inputs, &mut out);
            let energy = out.energy.unwrap();
            (energy, c, j)
        };
        let (_, c, j) = eval(&x);
        // Columns of the frame come first, six for each row; then one number after the other.
        let slope = |input: usize, k: usize| -> f64 {
            let (start, width) = if input == 0 {
                (0, 6)
            } else {
                (6 * n + (input - 1) * n, 1)
            };
            (0..n).map(|row| c[row] * j[start + row * width + k]).sum()
        };
        for input in 0..x.len() {
            for k in 0..if input == 0 { 6 } else { 1 } {
                let mut at = |h: f64| {
                    let before = x[input].clone();
                    if k < 3 {
                        x[input][k] += h;
                    } else {
                        // Turned about an axis of the world.
                        let mut axis = [0.0; 3];
                        axis[k - 3] = h;
                        let columns: Vec<Vec3> = (0..3)
                            .map(|m| std::array::from_fn(|row| before[3 + 3 * row + m]))
                            .collect();
                        for (m, own) in columns.iter().enumerate() {
                            let turned = mat_vec(&rotation_exp(axis), *own);
                            (0..3).for_each(|row| x[input][3 + 3 * row + m] = turned[row]);
                        }
                    }
                    let energy = eval(&x).0;
                    x[input] = before;
                    energy
                };
                let by_differences = (at(1e-5) - at(-1e-5)) / 2e-5;
                let own = slope(input, k);
                assert!(
                    (own - by_differences).abs() < 1e-5 * (1.0 + own.abs()),
                    "{input} {k}: {own} {by_differences}"
                );
            }
        }
    }
}

#[test]
fn strays_are_left_out_and_scatter_is_told() {
    let mut points = cloud(&form(), 300, 0.02, 8);
    let mut random = Noise(4);
    for own in points.iter_mut().step_by(10) {
        *own = std::array::from_fn(|_| 2.5 * random.next());
    }
    let mut scene = one_body(&points);
    assert_eq!(find_start(&mut scene, false).unwrap(), 1);
    let mut simulator = Simulator::new();
    let fitted = fit_frame(&mut scene, &mut simulator, 0.0, &TrackOptions::default()).unwrap();
    assert_eq!(fitted.found, Found::Minimum, "{fitted:?}");
    assert!((20..=40).contains(&fitted.strays), "{fitted:?}");
    let errors = errors(&scene, "pull");
    assert_eq!(errors.rows.len() + errors.n_skipped, 300);
    // Even noise of ±0.02 along the normal has an rms of 0.0115.
    assert!((0.008..0.016).contains(&errors.rms()), "{}", errors.rms());
    let text = save(&scene).unwrap();
    assert!(text.contains("\"sigma\":") && text.contains("\"own\":"));
    assert_eq!(save(&load(&text).unwrap()).unwrap(), text);
    let names = report_names(&scene);
    let row = report_row(&scene);
    let value = |name: &str| row[names.iter().position(|own| own == name).unwrap()];
    assert_eq!(value("pull.rms"), errors.rms());
    let sizes = ["egg.a1", "egg.a2", "egg.a3"].map(value);
    assert!((sizes[2] - 1.0).abs() < 0.05, "{sizes:?}");
}

/// Two eggs side by side, one cloud: each finds its own points, and changes of sides end.
#[test]
fn points_of_two_bodies_are_told_apart() {
    let egg = SuperquadricForm::new([0.3, 0.3, 0.6], [1.0; 2]);
    let mut points = cloud(&egg, 150, 0.01, 2);
    points.extend(moved(
        &cloud(&egg, 150, 0.01, 3),
        [1.2, 0.0, 0.0],
        [0.9, 0.0, 0.2],
        1.0,
    ));
    let body = |name: &str, x: f64| {
        format!(
            r#"{{ "name": "{name}", "type": "superquadric", "a": [0.35, 0.35, 0.5], "mass": 1, "position": [{x}, 0, 0], "free": {{ "size": {{}} }} }}"#
        )
    };
    let joint = |name: &str| {
        format!(r#"{{ "name": "to {name}", "type": "points", "body": "{name}", "for": "data" }}"#)
    };
    let mut scene = scene(
        &format!("{}, {}", body("left", -0.1), body("right", 1.0)),
        &table(&["x", "y", "z"], &rows(&points)),
        &format!("{}, {}", joint("left"), joint("right")),
    );
    let fitted = fit_frame(
        &mut scene,
        &mut Simulator::new(),
        0.0,
        &TrackOptions::default(),
    )
    .unwrap();
    assert_eq!(fitted.found, Found::Minimum, "{fitted:?}");
    for (name, first) in [("left", 0), ("right", 150)] {
        let own = errors(&scene, &format!("to {name}"));
        let wrong = own
            .rows
            .iter()
            .filter(|own| !(first..first + 150).contains(&own.row))
            .count();
        assert!(
            wrong <= 2 && own.rows.len() > 140,
            "{name}: {wrong} of {}",
            own.rows.len()
        );
        assert!(own.rms() < 0.01, "{}", own.rms());
        let numbers = q(&scene, name);
        let sizes = [7, 8, 9].map(|k: usize| libm::exp(numbers[k]));
        near(&sorted(sizes), &[0.3, 0.3, 0.6], 0.02);
    }
    let again = find_owners(&mut scene).unwrap();
    assert_eq!(again.changed, 0);
}

fn file(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fits/data/");
    std::fs::read(format!("{folder}{name}")).unwrap()
}

/// A cloud of others', whose sizes and exponents others found too: a {1.15, 1.39, 2.19}, ε {0.64, 1.20}.
#[test]
fn a_cloud_of_others_is_found() {
    let sheet = read_data("noisy-cloud.ply", file("noisy-cloud.ply")).unwrap();
    let point =
        |row: &Vec<linkwork_scene::format::Cell>| [0, 1, 2].map(|k: usize| row[k].0.unwrap());
    let points: Vec<Vec3> = sheet.rows.iter().map(point).collect();
    let map =
        Superquadric::new(SuperquadricForm::new([1.0; 3], [1.0; 2]), &[0, 1, 2, 3, 4]).unwrap();
    let found = search(&map, &points, true).unwrap();
    let form = map.at(&found.q[..5]);
    near(&sorted(form.a), &[1.15, 1.39, 2.19], 0.05);
    near(&form.e, &[0.64, 1.20], 0.1);
    assert!(found.frames <= 40);
}

const SEGMENTS: [(&str, &str, &[&str]); 4] = [
    (
        "thorax",
        r#""STER", "STERl", "T1", "T10", "XIPH""#,
        &["STER", "STERl", "T1", "T10", "XIPH"],
    ),
    (
        "upper arm",
        r#""DELT", "ARM*", "EPIC*""#,
        &[
            "DELT", "ARMl", "ARMm", "ARMp_up", "ARMp_do", "EPICl", "EPICm",
        ],
    ),
    (
        "forearm",
        r#""LARM*", "STYL*""#,
        &[
            "LARMm", "LARMl", "LARM_elb", "LARM_ant", "STYLr", "STYLr_up", "STYLu",
        ],
    ),
    (
        "hand",
        r#""WRIST", "INDEX", "LASTC", "MEDH", "LATH""#,
        &["WRIST", "INDEX", "LASTC", "MEDH", "LATH"],
    ),
];

/// Trunk and arm: four bodies where their markers are at first, three ball joints where an anatomist would put them.
fn arm() -> Scene {
    let sheet = read_data("arm-markers.trc", file("arm-markers.trc")).unwrap();
    let first = |marker: &str| -> Vec3 {
        ["x", "y", "z"].map(|axis| {
            let at = sheet
                .columns
                .iter()
                .position(|own| *own == format!("{marker}.{axis}"));
            sheet.rows[0][at.unwrap()].0.unwrap()
        })
    };
    let middle = |markers: &[&str]| {
        let sum = markers
            .iter()
            .fold([0.0; 3], |sum, own| add(sum, first(own)));
        scale(1.0 / markers.len() as f64, sum)
    };
    let bodies = SEGMENTS.map(|(name, _, markers)| {
        format!(r#"{{ "name": "{name}", "type": "box", "size": [0.1, 0.1, 0.2], "mass": 1, "position": {:?} }}"#, middle(markers))
    });
    let pulls = SEGMENTS.map(|(name, only, _)| {
        format!(r#"{{ "name": "markers of {name}", "type": "points", "body": "{name}", "for": "markers", "only": [{only}] }}"#)
    });
    let joints = [
        ("shoulder", "thorax", "upper arm", first("ACRO_tip")),
        ("elbow", "upper arm", "forearm", middle(&["EPICl", "EPICm"])),
        ("wrist", "forearm", "hand", middle(&["STYLr", "STYLu"])),
    ];
    let joints = joints.map(|(name, a, b, at)| {
        format!(r#"{{ "name": "{name}", "type": "ball", "a": "{a}", "b": "{b}", "at": {at:?} }}"#)
    });
    let text = format!(
        r#"{{ "linkwork": 1, "world": {{ "dynamics": "first-order" }}, "bodies": [{}],
            "tables": [{{ "name": "markers", "file": "arm-markers.trc" }}], "joints": [{}, {}] }}"#,
        bodies.join(", "),
        joints.join(", "),
        pulls.join(", ")
    );
    let beside = |name: &str| -> Result<Vec<u8>, Fault> { Ok(file(name)) };
    read::load_beside(&text, &beside).unwrap_or_else(|fault| panic!("{fault}\n{text}"))
}

/// Metaxas 1993, fig. 5: an arm follows its markers, joints hold exactly, and where they are is found.
#[test]
fn an_arm_follows_its_markers() {
    let mut scene = arm();
    let options = TrackOptions::default();
    let all = times(&scene);
    assert_eq!(all.len(), 93);
    let joints = ["shoulder", "elbow", "wrist"].map(str::to_owned);
    let moved = find_centers(&mut scene, &joints, &options).unwrap();
    assert!(
        moved.iter().all(|own| (1e-4..0.08).contains(own)),
        "{moved:?}"
    );
    let names = report_names(&scene);
    let at = |name: &str| names.iter().position(|own| own == name).unwrap();
    let mut simulator = Simulator::new();
    let mut squares = [0.0; 4];
    let mut n = 0.0;
    for (frame, time) in all.iter().enumerate().step_by(6) {
        let fitted = fit_frame(&mut scene, &mut simulator, *time, &options).unwrap();
        assert_eq!(fitted.found, Found::Minimum, "{frame}: {fitted:?}");
        assert!(fitted.position_error < 1e-12, "{fitted:?}");
        let row = report_row(&scene);
        n += 1.0;
        for (sum, (name, ..)) in squares.iter_mut().zip(SEGMENTS) {
            *sum += row[at(&format!("markers of {name}.rms"))];
        }
        if frame == 30 {
            let degrees = |name: &str| row[at(name)].to_degrees();
            assert!(
                (degrees("elbow.turn") - 6.13).abs() < 0.15,
                "{}",
                degrees("elbow.turn")
            );
            assert!(
                (degrees("shoulder.turn") - 12.15).abs() < 0.15,
                "{}",
                degrees("shoulder.turn")
            );
        }
    }
    for (sum, (name, ..)) in squares.iter().zip(SEGMENTS) {
        assert!(sum / n < 2.2e-3, "{name}: {}", sum / n);
    }
    // What is saved keeps where markers are on bodies.
    let text = save(&scene).unwrap();
    let other = load(&text).unwrap();
    assert_eq!(save(&other).unwrap(), text);
    assert_eq!(other.world.state_hash(), scene.world.state_hash());
}

/// Run as it is, the arm of the library follows its markers while time goes on.
#[test]
fn the_arm_of_the_library_plays_its_recording() {
    let mut scene = library::open("arm").unwrap();
    let mut simulator = Simulator::new();
    for _ in 0..55 {
        step(&mut scene, &mut simulator);
    }
    for (name, ..) in SEGMENTS {
        let rms = errors(&scene, &format!("markers of {name}")).rms();
        assert!(rms < 4e-3, "{name}: {rms}");
    }
    for own in scene.world.constraint_errors().unwrap() {
        let record = scene.world.constraint_record(own.id).unwrap();
        if !record.constraint().is_objective() {
            assert!(own.size() < 1e-9, "{}: {}", record.label(), own.size());
        }
    }
}

#[test]
fn the_cloud_of_the_library_is_fitted() {
    let mut scene = library::open("fit-cloud").unwrap();
    find_start(&mut scene, false).unwrap();
    let fitted = fit_frame(
        &mut scene,
        &mut Simulator::new(),
        0.0,
        &TrackOptions::default(),
    )
    .unwrap();
    assert_eq!(fitted.found, Found::Minimum, "{fitted:?}");
    assert!((10..=25).contains(&fitted.strays), "{fitted:?}");
    let rms = errors(&scene, "pull").rms();
    assert!((0.005..0.011).contains(&rms), "{rms}");
}

#[test]
fn a_marker_that_is_not_seen_pulls_nothing() {
    let columns = ["time", "A.x", "A.y", "A.z", "B.x", "B.y", "B.z"];
    let rows = "[[0, 0, 0, 0, 1, 0, 0], [1, 0.5, 0, 0, null, null, null]]";
    let table = format!(r#"{{ "name": "data", "columns": {columns:?}, "rows": {rows} }}"#);
    let body = r#"{ "name": "box", "type": "box", "size": [1, 1, 1], "mass": 1 }"#;
    let joint = r#"{ "name": "pull", "type": "points", "body": "box", "for": "data" }"#;
    let mut scene = scene(body, &table, joint);
    let mut simulator = Simulator::new();
    fit_frame(&mut scene, &mut simulator, 1.0, &TrackOptions::default()).unwrap();
    let errors = errors(&scene, "pull");
    assert_eq!((errors.rows.len(), errors.n_skipped), (1, 1));
    let position = &q(&scene, "box")[..3];
    assert!(errors.rms() < 1e-8, "{position:?}");
    assert!(
        norm(cross(
            [1.0, 0.0, 0.0],
            [position[0], position[1], position[2]]
        )) < 1e-6
    );
}

#[test]
fn tables_of_points_are_set_removed_and_undone() {
    let points = cloud(&form(), 20, 0.0, 1);
    let mut session = Session::new(one_body(&points)).unwrap();
    let before = save(session.scene()).unwrap();
    let set = format!(
        r#"{{ "set_table": {} }}"#,
        table(&["x", "y", "z"], &rows(&points[..18]))
    );
    let commands = [set.as_str(), r#"{ "remove_table": "data" }"#];
    for line in commands {
        let command: Command = line.parse().unwrap();
        session
            .apply(&command)
            .unwrap_or_else(|fault| panic!("{fault}"));
    }
    assert!(session.scene().world.constraints().is_empty());
    session.apply(&"\"undo\"".parse().unwrap()).unwrap();
    assert_eq!(errors(session.scene(), "pull").rows.len(), 18);
    session.apply(&"\"undo\"".parse().unwrap()).unwrap();
    assert_eq!(save(session.scene()).unwrap(), before);
    let id = session.scene().world.find_constraint("pull").unwrap();
    let law: &dyn std::any::Any = session
        .scene()
        .world
        .constraint_record(id)
        .unwrap()
        .constraint();
    assert!(law.is::<PointPull>());
}

/// A body that is made larger takes its surface along, and its markers.
#[test]
fn a_pull_follows_another_shape_of_its_body() {
    let text = r#"{ "linkwork": 1, "world": { "dynamics": "first-order" },
        "bodies": [ { "name": "egg", "type": "superquadric", "a": [1, 1, 1], "mass": 1 } ],
        "tables": [ { "name": "data", "columns": ["x", "y", "z"], "rows": [[2, 0, 0]] } ],
        "joints": [ { "name": "pull", "type": "points", "body": "egg", "for": "data" } ] }"#;
    let mut session = Session::new(load(text).unwrap()).unwrap();
    assert!((errors(session.scene(), "pull").rms() - 1.0).abs() < 1e-12);
    let larger =
        r#"{ "set_body": { "name": "egg", "type": "superquadric", "a": [1.5, 1, 1], "mass": 1 } }"#;
    session.apply(&larger.parse().unwrap()).unwrap();
    assert!((errors(session.scene(), "pull").rms() - 0.5).abs() < 1e-12);
}

#[test]
fn mistakes_name_the_entry() {
    let markers = r#"{ "name": "data", "columns": ["A.x", "A.y", "A.z"], "rows": [[0, 0, 0]] }"#;
    let points = r#"{ "name": "data", "columns": ["x", "y", "z"], "rows": [[0, 0, 0]] }"#;
    let bodies = r#"{ "name": "box", "type": "box", "size": [1, 1, 1], "mass": 1 },
        { "name": "egg", "type": "superquadric", "a": [1, 1, 1], "mass": 1 }"#;
    for (table, joint, told) in [
        (
            points,
            r#""body": "box", "for": "data""#,
            "joints[0].body: \"box\" has no surface that points could pull",
        ),
        (
            points,
            r#""body": "bx", "for": "data""#,
            "joints[0].body: no body is called \"bx\"",
        ),
        (
            points,
            r#""body": "ground", "for": "data""#,
            "joints[0].body: is the ground",
        ),
        (
            points,
            r#""body": "egg", "for": "date""#,
            "joints[0].for: no table is called \"date\"",
        ),
        (
            points,
            r#""body": "egg", "for": "data", "labels": true"#,
            "joints[0].labels: points of \"data\" have no names",
        ),
        (
            points,
            r#""body": "egg", "for": "data", "only": ["A"]"#,
            "joints[0].only: \"A\" is there",
        ),
        (
            points,
            r#""body": "egg", "for": "data", "own": [1, 0]"#,
            "joints[0].own[1]: is 0",
        ),
        (
            points,
            r#""body": "egg", "for": "data", "sigma": 0"#,
            "sigma",
        ),
        (
            markers,
            r#""body": "box", "for": "data", "only": ["B*"]"#,
            "joints[0].only: no point of \"data\" is called \"B*\"",
        ),
        (
            markers,
            r#""body": "box", "for": "data", "places": [[0, 0, 0], [1, 0, 0]]"#,
            "joints[0].places: are 2 for 1 points",
        ),
    ] {
        let text = format!(
            r#"{{ "linkwork": 1, "bodies": [{bodies}], "tables": [{table}], "joints": [{{ "name": "pull", "type": "points", {joint} }}] }}"#
        );
        let fault = load(&text).unwrap_err().to_string();
        assert!(fault.contains(told), "{joint}: {fault}");
    }
}
