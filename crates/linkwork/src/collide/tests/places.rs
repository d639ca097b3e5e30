//! Places known by hand: what is listed, and where.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
use std::sync::Arc;

use super::super::*;
use crate::body::Pose;
use crate::math::norm;

/// The plane y = 0, solid below: +x turned to +y.
fn floor() -> Pose {
    Pose::turned([0.0; 3], [0.0, 0.0, FRAC_PI_2])
}

pub(super) fn find(a: (&Shape, &Pose), b: (&Shape, &Pose), reach: f64) -> Vec<(Pair, Touch)> {
    let mut out = vec![];
    let places = [a.1, b.1].map(Place::new);
    let (a, b) = ((a.0, &places[0]), (b.0, &places[1]));
    Finder::default().find(a, b, reach, &mut out);
    let touch = |pair: Pair| (pair, pair.touch(a, b));
    out.into_iter().map(touch).collect()
}

#[test]
fn over_the_floor() {
    let sphere = Shape::Sphere { radius: 0.5 };
    let listed = find(
        (&Shape::Plane, &floor()),
        (&sphere, &Pose::at([3.0, 0.6, 1.0])),
        0.2,
    );
    let [(_, touch)] = listed[..] else { panic!() };
    assert!((touch.gap - 0.1).abs() < 1e-15);
    assert!(norm(sub(touch.normal, [0.0, 1.0, 0.0])) < 1e-15);
    assert!(norm(sub(touch.point_b, [3.0, 0.1, 1.0])) < 1e-15);
    assert!(norm(sub(touch.point_a, [3.0, 0.0, 1.0])) < 1e-15);

    let capsule = Shape::Capsule {
        half_length: 1.0,
        radius: 0.1,
    };
    let lying = Pose::at([0.0, 0.1, 0.0]);
    assert_eq!(
        find((&Shape::Plane, &floor()), (&capsule, &lying), 0.01).len(),
        2
    );
    let cuboid = Shape::Box {
        half: [1.0, 0.5, 2.0],
    };
    let resting = Pose::at([0.0, 0.5, 0.0]);
    assert_eq!(
        find((&cuboid, &resting), (&Shape::Plane, &floor()), 0.01).len(),
        4
    );

    // A cylinder on its side: both rims. On its cap: the rim, and four points of it.
    let cylinder = Shape::Cylinder {
        half_length: 1.0,
        radius: 0.5,
    };
    let side = find((&Shape::Plane, &floor()), (&cylinder, &resting), 0.01);
    assert_eq!(side.len(), 2);
    assert!(side.iter().all(|(_, touch)| touch.gap.abs() < 1e-15));
    let upright = Pose::turned([0.0, 1.0, 0.0], [0.0, 0.0, FRAC_PI_2]);
    assert_eq!(
        find((&Shape::Plane, &floor()), (&cylinder, &upright), 0.01).len(),
        5
    );
}

/// In the plane: discs, boxes, rods; normals without z.
#[test]
fn in_the_plane() {
    let square = vec![[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let square = Shape::Polygon(Arc::new(Polygon::new(square, 0.0).unwrap()));
    let disc = Shape::Disc { radius: 0.5 };
    let rod = Polygon::new(vec![[-1.0, 0.0], [1.0, 0.0]], 0.1).unwrap();
    let rod = Shape::Polygon(Arc::new(rod));
    let [low, high] = [[0.3, 0.0], [0.0, 2.0]].map(|at| Pose::in_plane(at, 0.0));
    let stacked = find((&square, &low), (&square, &high), 0.01);
    assert_eq!(stacked.len(), 2);
    for (_, touch) in &stacked {
        assert_eq!(touch.normal, [0.0, 1.0, 0.0]);
        assert!(touch.gap.abs() < 1e-15);
    }
    let mut xs = stacked.iter().map(|(_, touch)| touch.point_a[0]);
    assert!(xs.clone().any(|x| (x + 0.7).abs() < 1e-15) && xs.any(|x| (x - 1.0).abs() < 1e-15));
    let on = Pose::in_plane([0.3, 1.6], 0.4);
    let [(_, touch)] = find((&disc, &on), (&square, &low), 0.2)[..] else {
        panic!()
    };
    assert!((touch.gap - 0.1).abs() < 1e-15);
    assert_eq!(touch.normal, [0.0, -1.0, 0.0]);
    let rods = find((&rod, &low), (&rod, &Pose::in_plane([1.0, 0.2], 0.0)), 0.01);
    assert_eq!(rods.len(), 2);
    let floor = find(
        (&rod, &Pose::in_plane([1.0, 0.1], 0.0)),
        (&Shape::Plane, &floor()),
        0.01,
    );
    assert_eq!(floor.len(), 2);
    assert!(floor.iter().all(|(_, touch)| touch.normal[2] == 0.0));
    // A shape of the plane and one of space are no pair.
    let sphere = Shape::Sphere { radius: 9.0 };
    assert!(find((&disc, &low), (&sphere, &low), 1.0).is_empty());
}

/// Boxes on boxes: aligned, shifted, turned by 45°, crossed, one on its corner.
#[test]
fn stacked_boxes() {
    let cube = Shape::Box { half: [0.5; 3] };
    let low = Pose::at([0.0; 3]);
    let on = |pose: Pose| find((&cube, &low), (&cube, &pose), 0.01);
    let aligned = on(Pose::at([0.0, 1.0, 0.0]));
    assert_eq!(aligned.len(), 4);
    let shifted = on(Pose::at([0.3, 1.0, 0.2]));
    assert_eq!(shifted.len(), 4);
    let turned = on(Pose::turned([0.0, 1.0, 0.0], [0.0, FRAC_PI_4, 0.0]));
    assert_eq!(turned.len(), 8);
    let bar = Shape::Box {
        half: [2.0, 0.5, 0.2],
    };
    let across = Pose::turned([0.0, 1.0, 0.0], [0.0, FRAC_PI_2, 0.0]);
    let crossed = find((&bar, &low), (&bar, &across), 0.01);
    assert_eq!(crossed.len(), 4);
    for (pair, touch) in aligned
        .iter()
        .chain(&shifted)
        .chain(&turned)
        .chain(&crossed)
    {
        assert!(touch.gap.abs() < 1e-14, "{pair:?} {touch:?}");
        assert!(norm(sub(touch.normal, [0.0, 1.0, 0.0])) < 1e-14);
        assert!((touch.point_a[1] - 0.5).abs() < 1e-14);
    }
    // On its edge: two corners.
    let height = 0.5 + 0.5f64.sqrt();
    let edge = on(Pose::turned([0.0, height, 0.0], [FRAC_PI_4, 0.0, 0.0]));
    assert_eq!(edge.len(), 2);
}

/// Cylinders on boxes and beside each other, at any angle of roll: as far as their radii say.
#[test]
fn cylinders_are_round() {
    let cylinder = Shape::Cylinder {
        half_length: 0.4,
        radius: 0.1,
    };
    let slab = Shape::Box {
        half: [2.0, 0.5, 2.0],
    };
    let low = Pose::at([0.0, -0.5, 0.0]);
    for roll in [0.0, 0.05, 0.1, 0.19635, 0.3, 1.0] {
        let rolled = |at: Vec3| Pose::turned(at, [roll, 0.0, 0.0]);
        // On a face: both rims, and nothing else.
        let on = find(
            (&slab, &low),
            (&cylinder, &rolled([0.0, 0.1 + 1e-4, 0.0])),
            0.01,
        );
        assert_eq!(on.len(), 2, "{roll}");
        for (pair, touch) in &on {
            assert!(
                (touch.gap - 1e-4).abs() < 1e-13,
                "{roll}: {pair:?} {touch:?}"
            );
            assert!(norm(sub(touch.normal, [0.0, 1.0, 0.0])) < 1e-13);
            assert!((touch.point_b[0].abs() - 0.4).abs() < 1e-13 && touch.point_b[2].abs() < 1e-13);
        }
        // Beyond the ends of a narrow slab: where its edges cross the side.
        let bar = Shape::Box {
            half: [0.2, 0.5, 2.0],
        };
        let over = find((&bar, &low), (&cylinder, &rolled([0.0, 0.1, 0.0])), 0.01);
        assert!(over.len() >= 2, "{roll}");
        for (pair, touch) in &over {
            assert!(touch.gap.abs() < 1e-13, "{roll}: {pair:?} {touch:?}");
            assert!(norm(sub(touch.normal, [0.0, 1.0, 0.0])) < 1e-13);
        }
        // Parallel and crossed.
        let beside = find(
            (&cylinder, &rolled([0.0; 3])),
            (&cylinder, &Pose::at([0.1, 0.16, 0.12 + 1e-4])),
            0.01,
        );
        assert!(beside.len() >= 2, "{roll}");
        let apart = (0.16f64 * 0.16 + (0.12 + 1e-4) * (0.12 + 1e-4)).sqrt() - 0.2;
        // Both ends of what lies beside both; chords of rims are within them.
        assert!(
            beside.iter().all(|(_, touch)| touch.gap > apart - 1e-13),
            "{roll}"
        );
        let is_side = |own: &&(Pair, Touch)| (own.1.gap - apart).abs() < 1e-13;
        let mut ends = beside.iter().filter(is_side).map(|own| own.1.point_b[0]);
        let (low, high) = ends.clone().fold((1.0f64, -1.0f64), |(low, high), x| {
            (low.min(x), high.max(x))
        });
        assert!(
            ends.next().is_some() && high - low > 0.6,
            "{roll}: {beside:?}"
        );
        let across = Pose::turned([0.05, 0.2, 0.02], [0.0, 1.1, 0.0]);
        let crossed = find((&cylinder, &rolled([0.0; 3])), (&cylinder, &across), 0.01);
        let least = crossed
            .iter()
            .map(|(_, touch)| touch.gap)
            .fold(1.0, f64::min);
        assert!(least.abs() < 1e-13, "{roll}: {crossed:?}");
        // An edge along the side.
        let turned = Pose::turned([0.0, 0.1 + 0.5 * 2f64.sqrt(), 0.0], [FRAC_PI_4, 0.0, 0.0]);
        let cube = Shape::Box { half: [0.5; 3] };
        let edge = find((&cube, &turned), (&cylinder, &rolled([0.0; 3])), 0.01);
        let least = edge.iter().map(|(_, touch)| touch.gap).fold(1.0, f64::min);
        assert!(least.abs() < 1e-12 && edge.len() >= 2, "{roll}: {edge:?}");
    }
}
