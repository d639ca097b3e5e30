//! Solids and rows, as the papers count them.

use std::collections::BTreeMap;

use linkwork::prelude::*;

use crate::{build, point};

/// Name, solids, rows, and rows of joints that close loops.
const NUMBERS: [(&str, usize, usize, usize); 16] = [
    ("baraff-fig2", 6, 15, 0),
    ("baraff-127", 127, 381, 0),
    ("baraff-chains-108", 54, 108, 0),
    ("baraff-chains-96-12", 48, 108, 12),
    ("bar-between-discs", 3, 6, 0),
    ("crowd", 192, 758, 39),
    ("structure-56", 56, 261, 96),
    ("shaken-plate", 28, 108, 24),
    ("sea-weeds", 74, 216, 0),
    ("string-pendulum", 83, 269, 18),
    ("sheet", 320, 1557, 600),
    ("humanoid", 16, 57, 0),
    ("humanoid-on-strings", 40, 141, 9),
    ("humanoid-on-strings:25", 40, 141, 9),
    ("three-characters", 48, 195, 15),
    ("three-characters-torn", 48, 189, 9),
];

#[test]
fn solids_and_rows() {
    for (name, n_bodies, n_rows, n_loop_rows) in NUMBERS {
        let world = build(name);
        assert_eq!(world.bodies().len(), n_bodies, "solids of {name}");
        assert_eq!(world.state().lambda.len(), n_rows, "rows of {name}");
        assert_eq!(loop_rows(&world), n_loop_rows, "rows in loops of {name}");
    }
}

/// Rows of the constraints whose bodies were already joined by earlier ones.
fn loop_rows(world: &World) -> usize {
    let mut leader: BTreeMap<BodyId, BodyId> = BTreeMap::new();
    let find = |leader: &BTreeMap<BodyId, BodyId>, mut body: BodyId| {
        while let Some(&next) = leader.get(&body) {
            body = next;
        }
        body
    };
    let mut n_rows = 0;
    for record in world.constraints() {
        let ends = record.connectors();
        let (a, b) = (
            find(&leader, ends[0].body().unwrap()),
            find(&leader, ends[1].body().unwrap()),
        );
        if a == b {
            n_rows += record.row_range().len();
        } else {
            leader.insert(a, b);
        }
    }
    n_rows
}

/// All that is meant to be assembled is.
#[test]
fn assembled_to_round_off() {
    for (name, ..) in NUMBERS {
        let strewn = ["bar-between-discs", "crowd"].contains(&name);
        let errors = build(name).constraint_errors().unwrap();
        let ends = ["hands", "feet", "first", "last"];
        let is_open = |label: &str| ends.iter().any(|end| label.starts_with(end));
        for error in errors.iter().filter(|error| error.priority == 0) {
            if strewn && (name != "crowd" || is_open(&error.label)) {
                assert!(error.size() > 0.01, "{name}: {error:?}");
            } else {
                assert!(error.size() < 1e-14, "{name}: {error:?}");
            }
        }
    }
}

/// 75 kg, 1.8 m, symmetric, and free to move in 39 ways.
#[test]
fn humanoid() {
    let world = build("humanoid");
    assert_eq!(diagnose(&world).mobility, 39);
    let (mass, center) = world.center_of_mass().unwrap();
    assert!((mass - 75.0).abs() < 0.1, "{mass}");
    assert!(center[0].abs() < 1e-12 && (0.9..1.2).contains(&center[1]));
    let top = world.position_world(&point(&world, "head", [0.0, 0.14, 0.0]));
    assert!((top.unwrap()[1] - 1.8).abs() < 1e-12);
    for (part, foot) in [("left foot", 0.1), ("right foot", -0.1)] {
        let sole = world.position_world(&point(&world, part, [0.0, -0.045, 0.0]));
        let sole = sole.unwrap();
        assert!(sole[1].abs() < 1e-12 && (sole[0] - foot).abs() < 1e-12);
    }
}
