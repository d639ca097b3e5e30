//! Scenes of contact, by law and by what the mechanism must do.

#![allow(clippy::unwrap_used)] // A panic is how a test fails.

mod carried;
mod figures;
mod laws;
mod mechanisms;
mod restitution;

use linkwork::prelude::*;
use linkwork_scene::{Scene, library};

/// A scene of the library that runs.
pub(crate) struct Run {
    pub(crate) scene: Scene,
    simulator: Simulator,
    /// The largest penetration so far, m.
    pub(crate) overrun: f64,
    /// The most that was left of the law of impulses, m/s.
    pub(crate) law_error: f64,
    /// Blows so far.
    pub(crate) blows: usize,
}

impl Run {
    pub(crate) fn of(name: &str) -> Self {
        Self {
            scene: library::open(name).unwrap(),
            simulator: Simulator::new(),
            overrun: 0.0,
            law_error: 0.0,
            blows: 0,
        }
    }

    /// A scene of a text, in steps as `options` says.
    pub(crate) fn parse(text: &str, options: &StepOptions) -> Self {
        let mut scene = linkwork_scene::load(text).unwrap();
        scene.options = *options;
        Self {
            scene,
            simulator: Simulator::new(),
            overrun: 0.0,
            law_error: 0.0,
            blows: 0,
        }
    }

    /// Runs on for some seconds; shows the world after each frame.
    pub(crate) fn on(&mut self, seconds: f64, mut see: impl FnMut(&World)) {
        let n = (seconds / self.scene.options.dt).round() as usize;
        for _ in 0..n {
            let report = self
                .simulator
                .step(&mut self.scene.world, &self.scene.options)
                .unwrap();
            report.require(1e-6).unwrap();
            self.overrun = self.overrun.max(report.overrun);
            self.law_error = self.law_error.max(report.law_error);
            self.blows += report.blows;
            see(&self.scene.world);
        }
    }

    pub(crate) fn world(&self) -> &World {
        &self.scene.world
    }
}

/// Every preset, in steps of three lengths.
pub(crate) fn presets() -> impl Iterator<Item = StepOptions> {
    let presets = [
        StepOptions::interactive,
        StepOptions::precise,
        StepOptions::symplectic4,
    ];
    let lengths = [1.0 / 60.0, 1.0 / 240.0, 1e-3];
    presets
        .into_iter()
        .flat_map(move |preset| lengths.map(preset))
}

fn id(world: &World, body: &str) -> BodyId {
    world.find_body(body).unwrap()
}

/// Where a body is.
pub(crate) fn at(world: &World, body: &str) -> [f64; 3] {
    world.pose(id(world, body)).unwrap().unwrap().position
}

/// The angle of a body of the plane, with its full turns.
pub(crate) fn angle(world: &World, body: &str) -> f64 {
    world.q(id(world, body)).unwrap()[2]
}

pub(crate) fn velocity<'a>(world: &'a World, body: &str) -> &'a [f64] {
    world.v(id(world, body)).unwrap()
}

/// The largest of all velocities, m/s and rad/s.
pub(crate) fn fastest(world: &World) -> f64 {
    let v = world.state().v.iter();
    v.fold(0.0, |most, v| v.abs().max(most))
}
