//! Hostile input: texts that were broken at random, byte by byte and part by part.
//!
//! Nothing may panic, hang or eat memory; what is read must be written and read again as it was. A
//! few seconds by default; `LINKWORK_FUZZ_SECONDS=600 cargo test --release --test fuzz` is a long run.

#![allow(clippy::unwrap_used)]

mod harness;

use harness::fuzz;
use linkwork_scene::command::{Command, Session};
use linkwork_scene::export::Columns;
use linkwork_scene::format::TableEntry;
use linkwork_scene::points::Sequence;
use linkwork_scene::table::read_data;
use linkwork_scene::{Scene, load, save, scene};

fn seeds() -> Vec<String> {
    let names = [
        "four-bar",
        "jansen",
        "bricard",
        "scotch-yoke",
        "chain:3",
        "dumbbell",
        "hooke",
        "plate-on-strings",
        "bar-between-discs",
        "stewart",
        "heavy-top",
    ];
    let library = names.map(|name| save(&Scene::from(scene(name).unwrap())).unwrap());
    let mut seeds = library.to_vec();
    seeds.push(include_str!("everything.json").to_owned());
    seeds.push(include_str!("../../scenes/four-bar-design.json").to_owned());
    seeds
}

#[test]
fn scenes() {
    fuzz("scenes", &seeds(), |text| match load(text) {
        Err(fault) => {
            assert!(!fault.to_string().is_empty());
            false
        }
        Ok(scene) => {
            let kept = save(&scene).unwrap_or_else(|fault| panic!("{fault}: {text}"));
            let again = load(&kept).unwrap_or_else(|fault| panic!("{fault}: {text}\n{kept}"));
            assert_eq!(save(&again).unwrap(), kept, "{text}");
            true
        }
    });
}

#[test]
fn commands() {
    let seeds: Vec<String> = include_str!("commands.jsonl")
        .lines()
        .map(str::to_owned)
        .collect();
    let start = Scene::from(scene("chain:3").unwrap());
    let mut session = Session::new(start.clone()).unwrap();
    fuzz("commands", &seeds, |line| {
        let Ok(command) = line.parse::<Command>() else {
            return false;
        };
        if matches!(
            command,
            Command::Step(_) | Command::Pose(_) | Command::Assemble(_)
        ) {
            return true;
        }
        if session.log().len() > 100 {
            session = Session::new(start.clone()).unwrap();
        }
        let before = save(session.scene()).unwrap();
        match session.apply(&command) {
            Ok(_) => true,
            Err(_) => {
                assert_eq!(save(session.scene()).unwrap(), before, "{line}");
                false
            }
        }
    });
}

#[test]
fn columns() {
    let seeds = [
        "body.crank.position",
        "joint.*.force.x",
        "energy.total",
        "time",
        "body.\"a b\".q",
    ];
    let scene = Scene::from(scene("four-bar").unwrap());
    fuzz("columns", &seeds.map(str::to_owned), |name| {
        Columns::parse(&scene, &[name]).is_ok()
    });
}

#[test]
fn data() {
    let seeds = [
        "x [mm],y,z,frame\n1,2,3,0\n,NA,4,1\n",
        "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tUnits\n100\tmm\nFrame#\tTime\tA\t\t\tB\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n1\t0.0\t1\t2\t3\t4\t5\t6\n2\t0.1\t\t\t\t4\t5\t6\n",
        "# points\n1 2 3\n4 5 6 255\n",
        "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int ids\nelement vertex 2\nproperty float x\nproperty double y\nproperty short z\nend_header\n2 0 1\n1 2 3\n4 5 6\n",
        "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty uchar x\nproperty short y\nproperty int z\nend_header\nabcdefg",
    ];
    fuzz("data", &seeds.map(str::to_owned), |text| {
        let mut is_read = false;
        for name in ["a.csv", "a.trc", "a.xyz", "a.ply"] {
            match read_data(name, text.as_bytes().to_vec()) {
                Err(fault) => assert!(!fault.to_string().is_empty()),
                Ok(sheet) => {
                    let table = TableEntry {
                        name: "data".to_owned(),
                        columns: sheet.columns,
                        rows: sheet.rows,
                        file: None,
                    };
                    let _ = Sequence::of(&table, 1.0, &["*A*".to_owned()]);
                    let _ = Sequence::of(&table, 1.0, &[]);
                    is_read = true;
                }
            }
        }
        is_read
    });
}
