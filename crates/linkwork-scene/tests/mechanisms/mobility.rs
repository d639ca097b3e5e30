//! What the count of joints says and what is true.

use linkwork::prelude::*;

use crate::build;

/// Name, motions by Kutzbach's count without the drive, and true motions without it.
const MECHANISMS: [(&str, i64, usize); 12] = [
    ("jansen", 1, 1),
    ("chebyshev", 1, 1),
    ("hoecken", 1, 1),
    ("chebyshev-crossed", 1, 1),
    ("watt", 1, 1),
    ("peaucellier-driven", 1, 1),
    ("pantograph", 1, 1),
    ("scissor-driven:1", 1, 1),
    ("scissor-driven:4", 1, 1),
    ("scotch-yoke", 1, 1),
    ("hooke", -2, 1),
    ("double-hooke", 0, 1),
];

#[test]
fn each_moves_in_one_way_and_the_drive_takes_it() {
    for (name, count, mobility) in MECHANISMS {
        let mut world = build(name);
        assert_eq!(diagnose(&world).mobility, 0, "{name} with its drive");
        let drive = world.find_constraint("drive").unwrap();
        world.set_constraint_enabled(drive, false).unwrap();
        let diagnosis = diagnose(&world);
        assert_eq!(diagnosis.mobility, mobility, "{name}");
        let counted = diagnosis.n_v as i64 - diagnosis.n_rows as i64;
        assert_eq!(counted, count, "{name} by the count");
        assert!(diagnosis.contradictory.is_empty(), "{name}");
    }
}
