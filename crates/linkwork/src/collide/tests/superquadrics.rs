//! Superquadrics against planes, each other and convex shapes: references, certificates, and places known by hand.

use std::sync::Arc;

use super::super::convex::{Solid, nearest};
use super::super::*;
use super::places::find;
use super::surfaces::Dice;
use crate::body::Pose;
use crate::math::{add, norm, quat_exp, scale};
use crate::shape::SuperquadricForm;

fn superquadric(a: Vec3, e: [f64; 2]) -> Shape {
    Shape::Superquadric(SuperquadricForm::new(a, e))
}

fn gap(a: (&Shape, Pose), b: (&Shape, Pose)) -> Touch {
    let (at, to) = (Place::new(&a.1), Place::new(&b.1));
    nearest(&Solid::new(a.0, &at), &Solid::new(b.0, &to))
}

/// Gaps by another program.
#[test]
fn two_pairs_are_as_far_apart_as_they_should_be() {
    let a = superquadric([0.5, 0.4, 0.3], [1.0; 2]);
    let b = superquadric([0.3, 0.6, 0.4], [1.0; 2]);
    let own = gap(
        (&a, Pose::at([0.0; 3])),
        (&b, Pose::turned([1.2, 0.3, -0.2], [0.3, -0.5, 0.7])),
    );
    assert!((own.gap - 0.3736855494).abs() < 1e-10, "{own:?}");
    let normal = [0.89397898, 0.43472184, -0.10871298];
    assert!(norm(sub(own.normal, normal)) < 1e-8, "{own:?}");
    let a = superquadric([0.5, 0.4, 0.3], [0.4, 0.7]);
    let b = superquadric([0.3, 0.3, 0.6], [1.5, 0.6]);
    let own = gap(
        (&a, Pose::turned([0.0; 3], [0.2, 0.1, 0.4])),
        (&b, Pose::turned([0.9, 0.8, 0.5], [0.0, 0.6, -0.3])),
    );
    assert!((own.gap - 0.4112257323).abs() < 1e-10, "{own:?}");
}

/// A superquadric of random sizes and exponents, at a random place.
fn random(dice: &mut Dice, e: [f64; 2]) -> (Shape, Pose) {
    let mut from = |low: f64, high: f64| low + (high - low) * 0.5 * (1.0 + dice.roll());
    let a = [from(0.2, 1.0), from(0.2, 1.0), from(0.2, 1.0)];
    let e = [from(e[0], e[1]), from(e[0], e[1])];
    let position = dice.vector(1.5);
    let rotation = quat_exp(dice.vector(3.0));
    (superquadric(a, e), Pose { position, rotation })
}

/// Of two convex shapes that are apart: their points are on them, as far apart as the gap, which no other direction
/// makes larger. Of those that overlap: pushed apart by the gap along the normal they touch.
fn check(a: (&Shape, Pose), b: (&Shape, Pose)) -> f64 {
    let own = gap(a, b);
    let apart = norm(sub(own.point_b, own.point_a));
    assert!(apart - own.gap.abs() < 1e-9, "{own:?} {apart} {a:?} {b:?}");
    for (shape, pose, point) in [(a.0, a.1, own.point_a), (b.0, b.1, own.point_b)] {
        let off = query::distance(shape, &Place::new(&pose), point);
        // A gap that is certain to 2e-9 leaves points beside the nearest ones; deep in each other they are as good as
        // the normal.
        let most = if own.gap > -0.01 {
            1e-8 + (4e-9 * own.gap.max(0.0)).sqrt()
        } else {
            1e-5
        };
        assert!(off.abs() < most, "{off} {own:?} {shape:?} {pose:?}");
    }
    own.gap
}

fn all_have_answers(n: usize) {
    let mut dice = Dice(7);
    for range in [[0.8, 1.2], [0.3, 1.7], [0.11, 1.89]] {
        let mut n_apart = 0;
        for _ in 0..n {
            let (a, b) = (random(&mut dice, range), random(&mut dice, range));
            n_apart += usize::from(check((&a.0, a.1), (&b.0, b.1)) > 0.0);
        }
        println!("{range:?}: {n_apart} of {n} apart, none without an answer");
        assert!(n_apart > n / 3, "{n_apart}");
    }
}

/// One in a hundred of the pairs below.
#[test]
fn no_pair_is_without_an_answer() {
    all_have_answers(100);
}

#[test]
#[ignore = "long: 30,000 pairs"]
fn none_of_thirty_thousand_pairs_is_without_an_answer() {
    all_have_answers(10_000);
}

#[test]
fn other_convex_shapes_have_gaps_with_superquadrics() {
    let mut dice = Dice(11);
    let corners: Vec<Vec3> = (0..12).map(|_| dice.vector(0.6)).collect();
    let others = [
        Shape::Sphere { radius: 0.3 },
        Shape::Capsule {
            half_length: 0.5,
            radius: 0.2,
        },
        Shape::Box {
            half: [0.3, 0.5, 0.7],
        },
        Shape::Cylinder {
            half_length: 0.5,
            radius: 0.3,
        },
        Shape::Hull(Arc::new(Polyhedron::new(&corners).unwrap())),
    ];
    for other in &others {
        for k in 0..120 {
            let (own, mut pose) = random(&mut dice, [0.3, 1.7]);
            let at = Pose::turned(dice.vector(1.0), dice.vector(3.0));
            let first = gap((other, at), (&own, pose));
            if first.gap > 0.0 {
                check((other, at), (&own, pose));
            }
            // Moved along the normal until they nearly touch or overlap: the gap is what was left, or there is a
            // shorter way out.
            let left = [1e-4, -1e-4, 0.0, -0.02][k % 4];
            pose.position = add(pose.position, scale(left - first.gap, first.normal));
            let then = gap((other, at), (&own, pose));
            let more = if left < 0.0 { -left } else { 1e-9 };
            let is_so = (left - 1e-9..left + more).contains(&then.gap);
            assert!(
                is_so || first.gap < 0.0,
                "{left} {then:?} {other:?} {own:?}"
            );
            let apart = norm(sub(then.point_b, then.point_a));
            assert!(apart - then.gap.abs() < 1e-9, "{then:?} {other:?} {own:?}");
        }
    }
}

/// A box is a superquadric with flat sides, a sphere one that is round: the same gaps within what they differ.
#[test]
fn known_places() {
    let ball = superquadric([0.5; 3], [1.0; 2]);
    let sphere = Shape::Sphere { radius: 0.5 };
    let mut dice = Dice(5);
    for _ in 0..50 {
        let (here, there) = (Pose::at(dice.vector(0.5)), Pose::at(dice.vector(2.0)));
        let own = gap((&ball, here), (&sphere, there)).gap;
        let true_gap = norm(sub(here.position, there.position)) - 1.0;
        assert!((own - true_gap).abs() < 1e-12);
    }
    // Over a plane that stands against x, with its own formula.
    let form = SuperquadricForm {
        shear: [0.3, -0.2],
        ..SuperquadricForm::new([0.5, 0.4, 0.3], [0.4, 0.7])
    };
    let shape = Shape::Superquadric(form);
    for _ in 0..50 {
        let pose = Pose::turned(dice.vector(0.5), dice.vector(3.0));
        let found = find(
            (&Shape::Plane, &Pose::at([-2.0, 0.0, 0.0])),
            (&shape, &pose),
            4.0,
        );
        let [(_, touch)] = found[..] else { panic!() };
        let low = bounds(&shape, &Place::new(&pose)).low[0];
        assert!((touch.gap - (low + 2.0)).abs() < 1e-12);
    }
}

/// A banana lies on its two tips, and the same pair is followed as it turns.
#[test]
fn what_is_bent_has_several_places() {
    let form = SuperquadricForm {
        bend: [1.0, 0.0],
        ..SuperquadricForm::new([0.05, 0.05, 0.5], [1.0; 2])
    };
    let shape = Shape::Superquadric(form);
    let pose = Pose::turned([0.0; 3], [0.0, 0.0, std::f64::consts::PI]);
    let floor = Pose::at([-0.3, 0.0, 0.0]);
    let found = find((&Shape::Plane, &floor), (&shape, &pose), 0.2);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!((found[0].1.gap - found[1].1.gap).abs() < 1e-9);
    let low = (0..200).flat_map(|i| {
        (0..200).map(move |j| {
            let (u, v) = (f64::from(i) / 63.7 - 1.57, f64::from(j) / 31.8 - 3.1);
            -form.surface_point(u, v)[0]
        })
    });
    let low = low.fold(f64::INFINITY, f64::min) + 0.3;
    assert!((found[0].1.gap - low).abs() < 1e-5, "{low} {found:?}");
    // A ball in its inner side, and one beside it.
    let ball = Shape::Sphere { radius: 0.02 };
    let at = Pose::at([0.1, 0.0, 0.0]);
    let found = find((&ball, &at), (&shape, &Pose::at([0.0; 3])), 0.1);
    let least = found
        .iter()
        .map(|own| own.1.gap)
        .fold(f64::INFINITY, f64::min);
    assert!((least - (0.1 - 0.05 - 0.02)).abs() < 1e-3, "{found:?}");
    // Two that cross.
    let other = Pose::turned([0.11, 0.0, 0.0], [std::f64::consts::FRAC_PI_2, 0.0, 0.0]);
    let found = find((&shape, &other), (&shape, &Pose::at([0.0; 3])), 0.05);
    let least = found
        .iter()
        .map(|own| own.1.gap)
        .fold(f64::INFINITY, f64::min);
    assert!((least - 0.01).abs() < 1e-3, "{found:?}");
    for (_, touch) in &found {
        let along = sub(touch.point_b, touch.point_a);
        assert!(norm(sub(along, scale(touch.gap, touch.normal))) < 1e-9);
    }
}
