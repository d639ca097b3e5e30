//! Faure 1998, fig. 4: a particle on a fixed circle, without forces.

use linkwork::math::{Vec3, add, norm, scale, sub};
use linkwork::prelude::*;

use crate::{build, point};

/// The printed step by hand: the particle goes on by its last displacement, which goes with the step, and
/// is put back radially; the whole is the next displacement. Steps are as a clock would make them.
#[test]
fn a_particle_goes_on_and_is_put_back_onto_its_circle() {
    let mut scene = linkwork_scene::library::open("particle-on-circle").unwrap();
    let world = &mut scene.world;
    let particle = point(world, "particle", [0.0; 3]);
    let mut simulator = Simulator::new();
    let mut x = world.position_world(&particle).unwrap();
    let mut v: Vec3 = [0.0, 2.0, 0.0];
    let mut slower = norm(v);
    for step in 0..200 {
        let dt = [0.05, 0.05, 0.016, 0.1, 0.031][step % 5];
        simulator.step(world, &scene.options.with_dt(dt)).unwrap();
        let predicted = add(x, scale(dt, v));
        let expected = scale(1.0 / norm(predicted), predicted);
        let displacement = sub(expected, x);
        (x, v) = (expected, scale(1.0 / dt, displacement));
        let found = world.position_world(&particle).unwrap();
        assert!(norm(sub(found, x)) < 1e-12, "step {step}: {found:?} {x:?}");
        let carried = world.v(particle.body().unwrap()).unwrap();
        assert!(norm(sub([carried[0], carried[1], carried[2]], v)) < 1e-10);
        // Few velocity is left along the constraint, and a chord is shorter than the way along the tangent.
        let speed = norm(v);
        assert!(speed <= slower, "step {step}: {speed} after {slower}");
        slower = speed;
        (x, v) = (found, [carried[0], carried[1], carried[2]]);
    }
}

/// "Much more robust to large time steps": where a step leads over half the circle, Baumgarte's rule throws the
/// particle off, and the printed step only slows it down.
#[test]
fn long_steps_slow_the_particle_down_and_never_throw_it_off() {
    use linkwork::integrate::Integrator;
    use linkwork::stabilize::Stabilization;
    let far = |rule: Stabilization| {
        let mut world = build("particle-on-circle");
        let particle = point(&world, "particle", [0.0; 3]);
        let options = StepOptions::parts(0.5, Integrator::Stoermer, rule);
        let mut simulator = Simulator::new();
        let mut farthest = 0.0f64;
        for _ in 0..60 {
            if simulator.step(&mut world, &options).is_err() {
                return f64::INFINITY;
            }
            let x = world.position_world(&particle).unwrap();
            farthest = farthest.max((norm(x) - 1.0).abs());
        }
        farthest
    };
    let printed = far(Stabilization::Displacement { iterations: 1 });
    assert!(printed < 1e-9, "{printed:e}");
    let (alpha, beta) = (12.0, 12.0);
    let baumgarte = far(Stabilization::Baumgarte { alpha, beta });
    assert!(baumgarte > 1.0, "{baumgarte:e}");
}
