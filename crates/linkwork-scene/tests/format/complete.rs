//! The catalogue has everything the engine offers, and its files are laid out like all others.

use std::path::{Path, PathBuf};
use std::process::Command;

use linkwork_scene::catalogue::{FieldInfo, SORTS, export};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// What the engine offers beside laws, and laws for which a file has no words.
const OTHERS: [&str; 23] = [
    // Checks, traits and parts of laws.
    "Bound",
    "BodyViolation",
    "Comparison",
    "check_body",
    "nearest_turn",
    "RigidState",
    "Skin",
    "Strain",
    "MassPattern",
    "LinearStrain",
    "ConstraintViolation",
    "check_constraint",
    "check_constraint_at",
    "FrameMotion",
    "energy_rows",
    "Number",
    "ScalarDifference",
    "PairRows",
    "RotationRows",
    // Always there.
    "Ground",
    // Made of closures of a program, and one row that pushes elsewhere: files have "pushes" on every joint.
    "DriveClosure",
    "MotionFn",
    "PushedAlong",
];

/// The names of all `pub use` of a module.
fn offered(module: &str) -> Vec<String> {
    let text =
        std::fs::read_to_string(format!("{ROOT}/crates/linkwork/src/{module}/mod.rs")).unwrap();
    let uses = text.split("\npub use ").skip(1);
    let uses = uses.filter_map(|rest| rest.split(';').next()?.split_once("::"));
    let names = uses.flat_map(|(_, names)| {
        let names = names.trim_matches(['{', '}', '\n', ' ']).split(',');
        names.map(|name| name.trim().to_owned()).collect::<Vec<_>>()
    });
    names.filter(|name| !name.is_empty()).collect()
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, out),
            false => out.push(path),
        }
    }
}

fn catalogue() -> Vec<PathBuf> {
    let mut all = Vec::new();
    files(
        Path::new(&format!("{ROOT}/crates/linkwork-scene/src/catalogue")),
        &mut all,
    );
    all
}

#[test]
fn the_engine_offers_nothing_that_the_catalogue_lacks() {
    let texts = catalogue()
        .into_iter()
        .map(|file| std::fs::read_to_string(file).unwrap());
    let text: String = texts.collect();
    let has = |name: &str| {
        let around = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        text.match_indices(name).any(|(at, _)| {
            around(text[..at].chars().next_back()) && around(text[at + name.len()..].chars().next())
        })
    };
    for module in ["body", "constraint", "behavior"] {
        for name in offered(module) {
            assert!(
                has(&name) || OTHERS.contains(&name.as_str()),
                "{module}::{name} is in no file of crates/linkwork-scene/src/catalogue/"
            );
        }
    }
}

#[test]
fn words_are_unique_and_everything_has_help() {
    for sort in SORTS {
        let types = (sort.types)();
        for (at, kind) in types.iter().enumerate() {
            assert!(
                types[..at].iter().all(|own| own.word != kind.word),
                "{kind:?}"
            );
            assert!(
                kind.help.ends_with('.') && !kind.label.is_empty(),
                "{kind:?}"
            );
            for field in kind.own() {
                assert!(!field.help.is_empty(), "{kind:?} {}", field.name);
            }
        }
    }
    let export = export();
    let joints = export.sorts.iter().find(|sort| sort.word == "joint");
    let hinge = &joints.unwrap().types[1];
    assert_eq!(hinge.word, "hinge");
    assert_eq!(hinge.fields[3].name, "axis");
    assert_eq!(export.world[0].unit, "m/s²");
}

/// What the lab makes of a type without knowing it: a new one must say as much as the others.
#[test]
fn the_lab_can_make_what_it_offers() {
    let export = export();
    let sorts = || export.sorts.iter();
    let all = |word: &str| sorts().find(|own| own.word == word).unwrap().types.iter();
    let offers = ["body", "joint", "behavior"].map(|sort| all(sort).flat_map(|own| &own.offers));
    let mut names: Vec<_> = offers.into_iter().flatten().collect();
    for offer in &names {
        assert!(
            !offer.icon.is_empty() && !offer.help.is_empty(),
            "{offer:?}"
        );
    }
    names.sort_by_key(|offer| offer.name);
    assert!(names.windows(2).all(|pair| pair[0].name != pair[1].name));
    for kind in all("body") {
        let known = |word: &str| {
            let found = all("body").find(|own| own.word == word);
            found
                .unwrap_or_else(|| panic!("{} is {word} in the plane, which is no body", kind.word))
        };
        for offer in &kind.offers {
            let in_plane = offer.in_plane.map(known);
            assert!(
                in_plane.is_none_or(|own| own.body.unwrap().planar),
                "{}",
                kind.word
            );
            // What is blown up says how its shell is made.
            let blown = serde_json::to_value(offer.blown).unwrap();
            for made in [Some(kind), in_plane].into_iter().flatten() {
                let begins = |field: &FieldInfo| {
                    let is_given = field.measure.is_some() || field.start.is_some();
                    let is_made = field.name == "mass" || blown.get(field.name).is_some();
                    !field.required || is_given || is_made
                };
                let lacks = made.fields.iter().find(|field| !begins(field));
                assert!(lacks.is_none(), "{}: {lacks:?}", made.word);
            }
        }
    }
    for kind in all("joint") {
        let own = kind.joint.unwrap();
        let begins = |field: &&FieldInfo| !field.required || field.start.is_some();
        let is_side = |field: &&FieldInfo| ["a", "b"].contains(&field.name);
        let lacks = kind
            .fields
            .iter()
            .find(|field| !begins(field) && !is_side(field));
        assert!(
            own.joins.is_none() || lacks.is_none(),
            "{}: {lacks:?}",
            kind.word
        );
        let driver = own
            .driven_by
            .map(|word| all("joint").find(|other| other.word == word));
        let driver = driver.map(|found| found.unwrap().joint.unwrap());
        assert!(
            driver.is_none_or(|driver| driver.drives.is_some()),
            "{}",
            kind.word
        );
        assert!(kind.glyph.is_some(), "{} has no sign", kind.word);
    }
    assert!(all("behavior").all(|kind| kind.glyph.is_some()));
}

/// `cargo fmt` does not see files that `build.rs` lists.
#[test]
fn its_files_are_formatted() {
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--check", "--edition", "2024", "--config-path", ROOT]);
    let Ok(said) = rustfmt.args(catalogue()).output() else {
        return;
    };
    assert!(
        said.status.success(),
        "{}",
        String::from_utf8_lossy(&said.stdout)
    );
}
