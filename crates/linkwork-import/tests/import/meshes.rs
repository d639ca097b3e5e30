//! Mesh files: what they weigh, how they are drawn, and files that lie.

use std::fmt::Write as _;
use std::path::Path;

use linkwork_import::{ImportOptions, Imported, import, import_text};
use linkwork_scene::Fault;

use super::bad_input::folder;
use super::{assert_close, body, build, says};

/// The corners and triangles of a block from `low` to `high`.
fn block(low: [f64; 3], high: [f64; 3]) -> (Vec<[f64; 3]>, Vec<[usize; 3]>) {
    let corner = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 1 { high[k] } else { low[k] });
    let sides = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let triangles = sides.map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    ((0..8).map(corner).collect(), triangles.concat())
}

pub(super) fn obj(low: [f64; 3], high: [f64; 3]) -> String {
    let (corners, triangles) = block(low, high);
    let mut text = String::from("# a block\nvn 0 0 1\n");
    for [x, y, z] in corners {
        writeln!(text, "v {x} {y} {z}").unwrap();
    }
    for [a, b, c] in triangles {
        writeln!(text, "f {}//1 {}//1 {}//1", a + 1, b + 1, c + 1).unwrap();
    }
    text
}

fn stl_text(low: [f64; 3], high: [f64; 3]) -> String {
    let (corners, triangles) = block(low, high);
    let mut text = String::from("solid block\n");
    for triangle in triangles {
        text += "facet normal 0 0 0\nouter loop\n";
        for [x, y, z] in triangle.map(|i| corners[i]) {
            writeln!(text, "vertex {x} {y} {z}").unwrap();
        }
        text += "endloop\nendfacet\n";
    }
    text + "endsolid block\n"
}

fn stl(low: [f64; 3], high: [f64; 3]) -> Vec<u8> {
    let (corners, triangles) = block(low, high);
    let mut bytes = vec![b' '; 80];
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for triangle in triangles {
        bytes.extend([0; 12]);
        for x in triangle.iter().flat_map(|&i| corners[i]) {
            bytes.extend((x as f32).to_le_bytes());
        }
        bytes.extend([0; 2]);
    }
    bytes
}

fn model(asset: &str, geom: &str) -> String {
    format!(
        r#"<mujoco><compiler meshdir="meshes"/><asset>{asset}</asset><worldbody>
           <body name="arm"><joint name="j"/>{geom}</body></worldbody></mujoco>"#
    )
}

pub(super) const LOW: [f64; 3] = [0.5, -0.25, 0.0];
pub(super) const HIGH: [f64; 3] = [1.0, 0.75, 0.25];

/// Center and moments of the block with a mass of 2.
pub(super) fn assert_is_the_block(imported: &Imported, mass: f64) {
    let arm = body(&imported.document, "arm");
    assert_close(&[arm.get("mass").unwrap()], &[mass], 1e-7);
    let com: [f64; 3] = arm.get("com").unwrap();
    assert_close(&com, &[0.75, 0.25, 0.125], 1e-7);
    let moments = arm.get::<&[f64]>("inertia").unwrap();
    let [x, y, z] = [0.25, 1.0, 0.0625];
    let block = [y + z, x + z, x + y].map(|sum| mass / 12.0 * sum);
    assert_close(&moments[..3], &block, 1e-7);
    assert_close(&moments[3..], &[0.0; 3], 1e-7);
    build(imported);
}

fn import_in(folder: &Path, meshes: bool) -> Result<Imported, Fault> {
    let options = ImportOptions {
        meshes: meshes.then(|| folder.join("meshes")),
        ..ImportOptions::default()
    };
    import(&folder.join("robot.xml"), &options)
}

#[test]
fn meshes_give_masses_and_are_drawn() {
    let here = folder("meshes-weigh", &[]);
    std::fs::create_dir_all(here.join("meshes")).unwrap();
    std::fs::write(here.join("meshes/a.obj"), obj(LOW, HIGH)).unwrap();
    std::fs::write(here.join("meshes/b.STL"), stl(LOW, HIGH)).unwrap();
    std::fs::write(here.join("meshes/c.stl"), stl_text(LOW, HIGH)).unwrap();
    for (file, how) in [("a.obj", "legacy"), ("b.STL", "exact"), ("c.stl", "legacy")] {
        let asset = format!(r#"<mesh name="m" file="{file}" inertia="{how}"/>"#);
        let geom = r#"<geom type="mesh" mesh="m" density="16"/>"#;
        std::fs::write(here.join("robot.xml"), model(&asset, geom)).unwrap();
        let plain = import_in(&here, false).unwrap();
        assert_is_the_block(&plain, 2.0);
        assert!(says(&plain.report.refused, &["not drawn", "\"arm\""]));
        let drawn = import_in(&here, true).unwrap();
        assert_is_the_block(&drawn, 2.0);
        let text = linkwork_scene::write::text(&drawn.document).unwrap();
        assert!(text.contains("\"triangles\""), "{text}");
    }
    // A mass that is given, a scale, and a name that is that of the file.
    let asset = r#"<mesh file="d.obj"/></asset>
        <default><mesh scale="0.5 1 -0.25"/></default><asset>"#;
    let geom = r#"<geom type="mesh" mesh="d" mass="3"/>"#;
    std::fs::write(
        here.join("meshes/d.obj"),
        obj([1.0, -0.25, -1.0], [2.0, 0.75, 0.0]),
    )
    .unwrap();
    std::fs::write(here.join("robot.xml"), model(asset, geom)).unwrap();
    assert_is_the_block(&import_in(&here, false).unwrap(), 3.0);
}

/// A surface of two blocks that face each other: what legacy and exact weighing make of it.
#[test]
fn shells_and_faces_that_look_inward_are_weighed_as_asked() {
    let geom = r#"<geom type="mesh" mesh="m" density="1"/>"#;
    let (corners, mut triangles) = block([-1.0; 3], [1.0; 3]);
    let list = |triangles: &[[usize; 3]], how: &str| {
        let words = |numbers: Vec<String>| numbers.join(" ");
        let vertex = words(corners.iter().flatten().map(f64::to_string).collect());
        let face = words(triangles.iter().flatten().map(usize::to_string).collect());
        let asset = format!(r#"<mesh name="m" vertex="{vertex}" face="{face}" inertia="{how}"/>"#);
        import_text(&model(&asset, geom), None, &ImportOptions::default())
    };
    let mass = |imported: Imported| body(&imported.document, "arm").get::<f64>("mass").unwrap();
    assert_close(&[mass(list(&triangles, "exact").unwrap())], &[8.0], 1e-12);
    let shell = list(&triangles, "shell").unwrap();
    // Six faces of mass 4 at distance 1: two of moment 4·(1 + 1)/3, four of 4·(1/3 + 1).
    let moments = body(&shell.document, "arm")
        .get::<&[f64]>("inertia")
        .unwrap();
    assert_close(&moments[..3], &[80.0 / 3.0; 3], 1e-12);
    assert_close(&[mass(shell)], &[24.0], 1e-12);
    triangles[0].swap(0, 1);
    assert_close(&[mass(list(&triangles, "legacy").unwrap())], &[8.0], 1e-12);
    let fault = list(&triangles, "exact").unwrap_err();
    assert!(fault.to_string().contains("not closed"), "{fault}");
}

#[test]
fn lost_mass_is_a_fault_unless_asked_for() {
    let here = folder("meshes-lost", &[]);
    std::fs::create_dir_all(here.join("meshes")).unwrap();
    let asset = r#"<mesh name="m" file="m.stl"/>"#;
    std::fs::write(
        here.join("robot.xml"),
        model(asset, r#"<geom type="mesh" mesh="m"/>"#),
    )
    .unwrap();
    let mut lies = stl(LOW, HIGH);
    lies[80] = 200;
    let mut cut = stl(LOW, HIGH);
    cut.truncate(300);
    let mut longer = stl(LOW, HIGH);
    longer.extend([0; 16]);
    let mut nan = stl(LOW, HIGH);
    nan[96..100].copy_from_slice(&f32::NAN.to_le_bytes());
    let far = b"solid x\nvertex 1 2\n".to_vec();
    for (bytes, words) in [
        (None, "is not in"),
        (
            Some(lies),
            "says that it has 200 triangles, and has room for 12",
        ),
        (Some(cut), "triangles, and has room for 4"),
        (Some(nan), "not finite"),
        (Some(far), "has no point in line 2"),
        (Some(longer), "has 16 bytes behind its 12 triangles"),
        (Some(Vec::new()), "is shorter than the head of an STL file"),
    ] {
        if let Some(bytes) = bytes {
            std::fs::write(here.join("meshes/m.stl"), bytes).unwrap();
        }
        let fault = import_in(&here, false).unwrap_err();
        assert!(fault.problem.contains("would lose its mass"), "{fault}");
        assert!(fault.problem.contains("\"arm\""), "{fault}");
        assert!(fault.problem.contains(words), "{fault}");
        assert!(fault.hint.unwrap().contains("--meshes"));
    }
    let file = std::fs::File::create(here.join("meshes/m.stl")).unwrap();
    file.set_len(500 << 20).unwrap();
    let fault = import_in(&here, true).unwrap_err();
    assert!(fault.problem.contains("larger than 64 MiB"), "{fault}");
    let options = ImportOptions {
        lossy: true,
        ..ImportOptions::default()
    };
    let imported = import(&here.join("robot.xml"), &options).unwrap();
    assert!(says(&imported.report.refused, &["64 MiB", "\"arm\""]));
    let line = imported.report.to_string();
    assert!(!line.contains("exactly"), "{line}");
}

/// A link has its mass, and a mesh that cannot be read is not drawn: nothing is lost.
#[test]
fn a_mesh_that_is_only_drawn_may_be_missing() {
    let here = folder("meshes-drawn", &[("meshes/a.obj", "")]);
    std::fs::create_dir_all(here.join("meshes/deep")).unwrap();
    std::fs::write(here.join("meshes/deep/b.obj"), obj(LOW, HIGH)).unwrap();
    let link = |name: &str, file: &str| {
        format!(
            r#"<link name="{name}"><inertial><mass value="1"/>
               <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
               <visual><geometry><mesh filename="{file}" scale="2 2 2"/></geometry></visual></link>"#
        )
    };
    let text = format!(
        "<robot name=\"r\">{}{}{}</robot>",
        link("a", "package://robot/deep/b.obj"),
        link("b", "../../etc/passwd.stl"),
        link("c", "file:///a.dae")
    );
    std::fs::write(here.join("robot.xml"), text).unwrap();
    let imported = import_in(&here, true).unwrap();
    let refused = &imported.report.refused;
    assert!(says(
        refused,
        &["not drawn", "passwd.stl", "is not in", "\"b\""]
    ));
    assert!(says(refused, &["not drawn", "a.dae", "\"c\""]));
    assert!(!says(refused, &["\"a\""]));
    build(&imported);
}

#[test]
fn a_robot_with_nothing_in_it_is_a_fault() {
    for text in [
        "<robot name=\"r\"><link name=\"a\"/></robot>",
        "<mujoco><worldbody/></mujoco>",
        "<mujoco/>",
    ] {
        let fault = import_text(text, None, &ImportOptions::default()).unwrap_err();
        assert!(fault.problem.contains("no body with a mass"), "{fault}");
        let options = ImportOptions {
            lossy: true,
            ..ImportOptions::default()
        };
        import_text(text, None, &options).unwrap();
    }
}

/// Shapes that are fitted to a mesh weigh what MuJoCo 4.0.0 says: mass, and moments in rising order.
#[test]
fn shapes_are_fitted_to_meshes() {
    let block = obj([0.0; 3], [1.0, 0.5, 0.25]);
    let asset = r#"<mesh name="m" file="m.obj"/>"#;
    let expected = [
        (
            "",
            [103.931_932_887_86, 3.536_572_72, 3.536_572_72, 3.536_572_72],
        ),
        (
            r#"type="sphere""#,
            [103.931_932_887_86, 3.536_572_72, 3.536_572_72, 3.536_572_72],
        ),
        (
            r#"type="box""#,
            [125.0, 3.255_208_33, 11.067_708_33, 13.020_833_33],
        ),
        (
            r#"type="capsule""#,
            [
                117.349_530_273_25,
                1.965_712_49,
                12.248_177_46,
                12.248_177_46,
            ],
        ),
        (
            r#"type="cylinder""#,
            [
                110.446_616_727_77,
                1.941_444_43,
                10.174_606_94,
                10.174_606_94,
            ],
        ),
        (
            r#"type="ellipsoid""#,
            [65.449_846_949_79, 1.022_653_86, 3.477_023_12, 4.090_615_43],
        ),
        (
            r#"type="box" fitscale="2""#,
            [1000.0, 104.166_666_67, 354.166_666_67, 416.666_666_67],
        ),
    ];
    for (kind, numbers) in expected {
        let geom = format!(r#"<geom {kind} mesh="m" pos="0.1 0.2 0.3" euler="0 0 90"/>"#);
        let at = folder(
            "fitted",
            &[
                ("robot.xml", &model(asset, &geom)),
                ("meshes/m.obj", &block),
            ],
        );
        let imported = import(&at.join("robot.xml"), &ImportOptions::default()).unwrap();
        let arm = body(&imported.document, "arm");
        let com: [f64; 3] = arm.get("com").unwrap();
        assert_close(&com, &[-0.15, 0.7, 0.425], 1e-12);
        let inertia: [f64; 6] = arm.get("inertia").unwrap();
        let (mut moments, _) = linkwork::math::sym_eigen(&inertia);
        moments.sort_by(f64::total_cmp);
        let mass: f64 = arm.get("mass").unwrap();
        let found = [mass, moments[0], moments[1], moments[2]];
        for (own, theirs) in found.iter().zip(numbers) {
            assert!((own / theirs - 1.0).abs() < 1e-8, "{kind}: {found:?}");
        }
    }
    let boxes = model(asset, r#"<geom type="box" mesh="m"/>"#);
    let boxes = boxes.replace("<compiler ", r#"<compiler fitaabb="true" "#);
    let at = folder(
        "fitted-boxes",
        &[("robot.xml", &boxes), ("meshes/m.obj", &block)],
    );
    let fault = import(&at.join("robot.xml"), &ImportOptions::default()).unwrap_err();
    assert!(fault.to_string().contains("fitaabb"), "{fault}");
}

/// Shapes that only collide are drawn where nothing else is.
#[test]
fn shapes_that_collide_are_not_drawn_over_meshes() {
    let block = obj(LOW, HIGH);
    let asset = r#"<mesh name="m" file="m.obj"/>"#;
    let solid = r#"<geom type="box" size="1 1 1" group="3"/>"#;
    let mesh = r#"<geom type="mesh" mesh="m" group="2"/>"#;
    for (geoms, kinds) in [
        (format!("{solid}{mesh}"), ["mesh"]),
        (solid.to_owned(), ["box"]),
    ] {
        let at = folder(
            "collide",
            &[
                ("robot.xml", &model(asset, &geoms)),
                ("meshes/m.obj", &block),
            ],
        );
        let options = ImportOptions {
            meshes: Some(at.clone()),
            ..ImportOptions::default()
        };
        let imported = import(&at.join("robot.xml"), &options).unwrap();
        let text = linkwork_scene::write::text(&imported.document).unwrap();
        let scene: serde_json::Value = serde_json::from_str(&text).unwrap();
        let drawn = scene["bodies"][0]["view"]["draw"].as_array().unwrap();
        let drawn: Vec<&str> = drawn
            .iter()
            .map(|own| own["type"].as_str().unwrap())
            .collect();
        assert_eq!(drawn, kinds);
    }
}
