use std::sync::Arc;

use super::*;
use crate::constraint::contract::{InputMotion, Seeded, check_constraint_at, evaluate};
use crate::constraint::{
    CylinderSurface, EllipsoidSurface, PlaneSurface, SphereSurface, TorusSurface,
};
use crate::math::{Vec3, column, mat_mul, mat_t_vec, mat_vec, norm, rotation_exp, scale};

/// A frame somewhere, turned any way, at rest.
fn frame(seeded: &mut Seeded, place: Vec3) -> InputMotion {
    let mut motion = InputMotion::at_rest(ConnectorKind::Frame3, place);
    motion.rotation = rotation_exp(scale(seeded.between(0.0, 3.0), seeded.direction()));
    motion
}

fn gap(tangency: &Tangency, a: &InputMotion, b: &InputMotion) -> f64 {
    evaluate(tangency, 0.0, &[a.at(0.0), b.at(0.0)]).c[0]
}

/// Support of an ellipsoid: how far it reaches along `n` from its center.
fn reach(semi_axes: Vec3, frame: &InputMotion, n: Vec3) -> f64 {
    let n = mat_t_vec(&frame.rotation, n);
    norm([
        semi_axes[0] * n[0],
        semi_axes[1] * n[1],
        semi_axes[2] * n[2],
    ])
}

/// Two ellipsoids with frames `away` times as far apart as they reach in some direction.
fn ellipsoids(seeded: &mut Seeded, away: f64) -> (Tangency, [Vec3; 2], InputMotion, InputMotion) {
    let mut axes = || [0, 1, 2].map(|_| seeded.between(0.15, 1.0));
    let (axes_a, axes_b) = (axes(), axes());
    let place_a = seeded.vector(1.0);
    let (a, mut b) = (frame(seeded, place_a), frame(seeded, place_a));
    let direction = seeded.direction();
    let touching = reach(axes_a, &a, direction) + reach(axes_b, &b, direction);
    b.place = add(place_a, scale(away * touching, direction));
    let [on_a, on_b] = [axes_a, axes_b].map(|semi_axes| EllipsoidSurface { semi_axes });
    (Tangency::new(on_a, on_b), [axes_a, axes_b], a, b)
}

/// The gap is the largest separation of parallel supporting planes. Any direction bounds it from
/// below; the normal of the row reaches it.
#[test]
fn ellipsoid_gap_is_the_largest_separation() {
    let mut seeded = Seeded::new(1);
    for case in 0..2000 {
        // From slight overlap to far apart.
        let away = seeded.between(0.98, 2.0);
        let (tangency, axes, a, b) = ellipsoids(&mut seeded, away);
        let rows = evaluate(&tangency, 0.0, &[a.at(0.0), b.at(0.0)]);
        let separation =
            |n: Vec3| dot(n, sub(b.place, a.place)) - reach(axes[0], &a, n) - reach(axes[1], &b, n);
        let n = [rows.dc_dx[6], rows.dc_dx[7], rows.dc_dx[8]];
        assert!((separation(n) - rows.c[0]).abs() < 1e-12, "case {case}");
        for _ in 0..100 {
            let other = separation(seeded.direction());
            assert!(other < rows.c[0] + 1e-12, "case {case}");
        }
    }
}

#[test]
fn known_gaps() {
    let mut seeded = Seeded::new(2);
    for _ in 0..200 {
        let (place_a, place_b) = (seeded.vector(2.0), seeded.vector(2.0));
        let (a, b) = (frame(&mut seeded, place_a), frame(&mut seeded, place_b));
        let d = sub(b.place, a.place);
        let normal = column(&a.rotation, 0);

        let ball = SphereSurface { radius: 0.2 };
        let balls = Tangency::new(SphereSurface { radius: 0.3 }, ball);
        assert!((gap(&balls, &a, &b) - (norm(d) - 0.5)).abs() < 1e-13);

        let on_plane = Tangency::new(PlaneSurface, ball);
        assert!((gap(&on_plane, &a, &b) - (dot(normal, d) - 0.2)).abs() < 1e-13);

        let semi_axes = [0.3, 0.6, 1.1];
        let egg = EllipsoidSurface { semi_axes };
        let expected = dot(normal, d) - reach(semi_axes, &b, normal);
        let egg_on_plane = Tangency::new(PlaneSurface, egg);
        assert!((gap(&egg_on_plane, &a, &b) - expected).abs() < 1e-12);
        // The same the other way round: the plane's origin says nothing of where to look.
        let plane_under_egg = Tangency::new(egg, PlaneSurface);
        assert!((gap(&plane_under_egg, &b, &a) - expected).abs() < 1e-12);
    }
}

/// Contract along random motions, at distances that overlap slightly, touch and are apart.
#[test]
fn every_pair_keeps_the_contract() {
    let egg = EllipsoidSurface {
        semi_axes: [0.4, 0.7, 1.0],
    };
    let ball = SphereSurface { radius: 0.5 };
    type Pair = (&'static str, Arc<dyn Surface>, Arc<dyn Surface>);
    let pairs: [Pair; 8] = [
        ("ball, ball", Arc::new(ball), Arc::new(ball)),
        ("ball, plane", Arc::new(ball), Arc::new(PlaneSurface)),
        ("plane, ball", Arc::new(PlaneSurface), Arc::new(ball)),
        ("egg, plane", Arc::new(egg), Arc::new(PlaneSurface)),
        ("plane, egg", Arc::new(PlaneSurface), Arc::new(egg)),
        ("egg, ball", Arc::new(egg), Arc::new(ball)),
        ("egg, egg", Arc::new(egg), Arc::new(egg)),
        (
            "egg, cylinder",
            Arc::new(egg),
            Arc::new(CylinderSurface { radius: 0.3 }),
        ),
    ];
    let mut seeded = Seeded::new(3);
    for (name, surface_a, surface_b) in pairs {
        let tangency = Tangency {
            surface_a,
            surface_b,
        };
        for gap_wanted in [-0.05, -0.01, 0.0, 1e-6, 0.1, 0.5, 1.0] {
            let place = seeded.vector(1.0);
            let a = frame(&mut seeded, place);
            let mut b = frame(&mut seeded, place);
            b.place = add(place, scale(2.0, seeded.direction()));
            // Along the normal until the gap is the one wanted.
            for _ in 0..60 {
                let rows = evaluate(&tangency, 0.0, &[a.at(0.0), b.at(0.0)]);
                let n = [rows.dc_dx[6], rows.dc_dx[7], rows.dc_dx[8]];
                b.place = add(b.place, scale(gap_wanted - rows.c[0], n));
            }
            assert!((gap(&tangency, &a, &b) - gap_wanted).abs() < 1e-6, "{name}");
            let motions = [seeded.moving(a), seeded.moving(b)];
            check_constraint_at(&tangency, 0.0, &motions)
                .unwrap_or_else(|violation| panic!("{name}, gap {gap_wanted}: {violation}"));
        }
    }
}

/// A ball in the groove of a torus, where the torus is not convex.
#[test]
fn a_ball_on_the_inside_of_a_ring() {
    let tangency = Tangency::new(
        TorusSurface {
            major: 1.0,
            minor: 0.2,
        },
        SphereSurface { radius: 0.3 },
    );
    let mut seeded = Seeded::new(4);
    let a = frame(&mut seeded, [0.0; 3]);
    let mut b = frame(&mut seeded, [0.0; 3]);
    b.place = mat_vec(&a.rotation, [0.1, 0.4, 0.1]);
    let expected = (1.0 - 0.4_f64.hypot(0.1)).hypot(0.1) - 0.5;
    assert!((gap(&tangency, &a, &b) - expected).abs() < 1e-13);
    let motions = [seeded.moving(a), seeded.moving(b)];
    check_constraint_at(&tangency, 0.0, &motions).unwrap();
}

/// Where no contact pair is defined the rows are finite all the same.
#[test]
fn degenerate_pairs_are_finite() {
    let ball: Arc<dyn Surface> = Arc::new(SphereSurface { radius: 0.5 });
    let plane: Arc<dyn Surface> = Arc::new(PlaneSurface);
    let egg: Arc<dyn Surface> = Arc::new(EllipsoidSurface {
        semi_axes: [0.2, 0.5, 0.9],
    });
    let mut seeded = Seeded::new(5);
    let here = frame(&mut seeded, [0.0; 3]);
    for (surface_a, surface_b) in [
        (ball.clone(), ball.clone()),
        (plane.clone(), plane.clone()),
        (egg.clone(), egg.clone()),
        (egg, plane),
    ] {
        let tangency = Tangency {
            surface_a,
            surface_b,
        };
        for other in [here, frame(&mut seeded, [0.0; 3])] {
            let samples = [seeded.moving(here).at(0.0), seeded.moving(other).at(0.0)];
            let rows = evaluate(&tangency, 0.0, &samples);
            for part in [&rows.c, &rows.c_dot, &rows.gamma, &rows.dc_dx] {
                assert!(part.iter().all(|value| value.is_finite()), "{tangency:?}");
            }
        }
    }
}

/// Parallel cylinders touch along a line, and so does a cylinder on a plane: the gap accelerates as closed forms say,
/// however both are turned in space and placed along the line.
#[test]
fn lines_of_contact_move_like_their_points() {
    let mut seeded = Seeded::new(6);
    for case in 0..200 {
        let turned = frame(&mut seeded, [0.0; 3]).rotation;
        let axis = column(&turned, 0);
        let across = |seeded: &mut Seeded, size: f64| {
            let v = seeded.vector(size);
            sub(v, scale(dot(v, axis), axis))
        };
        // Frames whose x is the axis of a cylinder, and one whose x is across it.
        let mut roll = |along: f64| {
            let mut own = InputMotion::at_rest(ConnectorKind::Frame3, scale(along, axis));
            own.place = add(own.place, across(&mut seeded, 1.0));
            own.velocity = add(
                across(&mut seeded, 2.0),
                scale(seeded.between(-1.0, 1.0), axis),
            );
            own.spin = scale(seeded.between(-4.0, 4.0), axis);
            own.rotation = turned;
            own
        };
        let (a, b) = (roll(0.3), roll(-0.7));
        let (d, v) = (sub(b.place, a.place), sub(b.velocity, a.velocity));
        let apart = |w: Vec3| sub(w, scale(dot(w, axis), axis));
        let (d, v) = (apart(d), apart(v));
        let (radius_a, radius_b) = (0.3 * norm(d), 0.5 * norm(d));
        let n = scale(1.0 / norm(d), d);

        let cylinders = Tangency::new(
            CylinderSurface { radius: radius_a },
            CylinderSurface { radius: radius_b },
        );
        let rows = evaluate(&cylinders, 0.0, &[a.at(0.0), b.at(0.0)]);
        assert!((rows.c[0] - 0.2 * norm(d)).abs() < 1e-13, "case {case}");
        let bend = (dot(v, v) - dot(n, v) * dot(n, v)) / norm(d);
        assert!(
            (rows.gamma[0] - bend).abs() < 1e-11 * (1.0 + bend),
            "case {case}: {} and {bend}",
            rows.gamma[0]
        );

        // The normal of the plane is across the axis: its x where the cylinder has y.
        let mut plane = a;
        plane.rotation = mat_mul(
            &turned,
            &[[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        );
        let normal = column(&plane.rotation, 0);
        if dot(normal, d) < 0.0 {
            plane.rotation = mat_mul(
                &rotation_exp(scale(std::f64::consts::PI, axis)),
                &plane.rotation,
            );
        }
        let normal = column(&plane.rotation, 0);
        let on_plane = Tangency::new(PlaneSurface, CylinderSurface { radius: radius_b });
        let rows = evaluate(&on_plane, 0.0, &[plane.at(0.0), b.at(0.0)]);
        assert!(
            (rows.c[0] - (dot(normal, d) - radius_b)).abs() < 1e-12,
            "case {case}"
        );
        // c = n·d − r:  c̈ = n̈·d + 2·ṅ·v.
        let turn = cross(plane.spin, normal);
        let bend = dot(cross(plane.spin, turn), d) + 2.0 * dot(turn, v);
        assert!(
            (rows.gamma[0] - bend).abs() < 1e-11 * (1.0 + bend.abs()),
            "case {case}: {} and {bend}",
            rows.gamma[0]
        );
    }
}
