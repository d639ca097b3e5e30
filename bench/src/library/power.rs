//! What the equations of motion put into a world, or take out of it, at an instant.
//!
//! ```text
//!     P = dE/dt  along  q̇ = v,  v̇ = a(t, q, v)
//! ```
//!
//! with a the accelerations under all forces and constraints. Where nothing drives and nothing rubs, P is
//! zero; motors, drives and dampers have P ≠ 0. Central differences are exact for what is quadratic in q and
//! v, as kinetic and elastic energies are.

use linkwork::prelude::*;

/// Over this part of a frame the world moves on and back.
const GLIMPSE: f64 = 1e-4;

/// The power at the present state, W; `dt` is the length of a frame.
pub(super) fn power(simulator: &mut Simulator, world: &World, dt: f64) -> Result<f64, String> {
    let motion = &simulator.accelerations(world, Method::Direct).motion;
    let e = GLIMPSE * dt;
    let mut copy = world.clone();
    let mut energy_after = |e: f64| -> Result<f64, Error> {
        let mut state = world.state().clone();
        state.t += e;
        for record in world.bodies().iter().filter(|record| record.enabled()) {
            let v = &world.state().v[record.v_range()];
            let dq: Vec<f64> = v.iter().map(|v| e * v).collect();
            record.body().displace(&mut state.q[record.q_range()], &dq);
        }
        state
            .v
            .iter_mut()
            .zip(motion)
            .for_each(|(v, a)| *v += e * a);
        copy.set_state(state)?;
        Ok(copy.energy()?.total())
    };
    let difference = energy_after(e).and_then(|after| Ok(after - energy_after(-e)?));
    Ok(difference.map_err(|error| error.to_string())? / (2.0 * e))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A swinging rod with a motor: its torque times its spin; without, nothing.
    #[test]
    fn it_is_what_a_drive_puts_in() {
        let mut scene = linkwork_scene::library::open("andrews").unwrap();
        let mut simulator = Simulator::new();
        for _ in 0..100 {
            simulator.step(&mut scene.world, &scene.options).unwrap();
        }
        let crank = scene.world.find_body("K1").unwrap();
        let spin = *scene.world.v(crank).unwrap().last().unwrap();
        let found = power(&mut simulator, &scene.world, 1e-4).unwrap();
        assert!((found - 0.033 * spin).abs() < 1e-5 * found.abs(), "{found}");
        let mut free = linkwork_scene::library::open("double-pendulum").unwrap();
        for _ in 0..100 {
            simulator.step(&mut free.world, &free.options).unwrap();
        }
        let found = power(&mut simulator, &free.world, 1.0 / 60.0).unwrap();
        assert!(found.abs() < 1e-6, "{found}");
    }
}
