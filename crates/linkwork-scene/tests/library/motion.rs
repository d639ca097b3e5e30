//! Every scene, run for as long as the table says at its own frames: finite, closed, and what the
//! table says holds.

use linkwork::math::{Vec3, dot, norm, sub};
use linkwork::output::{ConstraintError, Energy};
use linkwork::prelude::*;
use linkwork_scene::library::{self, Holds, Listing};

/// Gaps of joints at every frame, m.
const CLOSED: f64 = 1e-6;
/// What energy may grow, as a part of what is exchanged.
const GAIN: f64 = 0.005;
/// What energy may shrink, as a part of what is exchanged.
const LOSS: f64 = 0.1;

/// A scene runs as it should.
pub(crate) fn check(listing: &Listing) {
    match run(listing) {
        Ok(found) => eprintln!("{found}"),
        Err(problem) => panic!("{}: {problem}", listing.small),
    }
}

/// What was found, or what is wrong.
fn run(listing: &Listing) -> Result<String, String> {
    match listing.holds {
        Holds::Assembles => assembles(listing, true),
        Holds::GivesWay => assembles(listing, false),
        Holds::Energy => energy(listing, GAIN, LOSS),
        Holds::Loss => energy(listing, 1e-9, f64::INFINITY),
        Holds::Work => work(listing),
        Holds::Momentum => momentum(listing),
        Holds::Period(seconds) => period(listing, seconds, 1e-6),
        Holds::Settles(seconds) => period(listing, seconds, 1e-2),
        Holds::Flips(seconds) => flips(listing, seconds),
        Holds::Rest => rest(listing),
        Holds::Runs => step_through(listing, |_| ()).map(|()| "runs".to_owned()),
    }
}

/// Steps a scene to its end and shows each state, the first included.
fn step_through(listing: &Listing, mut see: impl FnMut(&World)) -> Result<(), String> {
    let mut scene = library::open(listing.small).unwrap();
    let mut simulator = Simulator::new();
    see(&scene.world);
    let n = (listing.seconds / scene.options.dt).round() as usize;
    for frame in 1..=n {
        let report = simulator
            .step(&mut scene.world, &scene.options)
            .map_err(|error| format!("frame {frame}: {error}"))?;
        report
            .require(CLOSED)
            .map_err(|error| format!("frame {frame}: {error}"))?;
        if report.retaken > 0 {
            return Err(format!("frame {frame}: gained energy that nobody put in"));
        }
        let state = scene.world.state();
        let finite = state.q.iter().chain(&state.v).all(|x| x.is_finite());
        if !finite || state.q.iter().any(|x| x.abs() > 1e4) {
            return Err(format!("frame {frame}: has flown away"));
        }
        see(&scene.world);
    }
    Ok(())
}

/// The largest gain, loss and exchange of energy.
#[derive(Default)]
struct Ledger {
    start: Option<Energy>,
    gain: f64,
    loss: f64,
    exchanged: f64,
}

impl Ledger {
    /// Takes an energy down; `work` is what was brought in from outside.
    fn add(&mut self, energy: Energy, work: f64) {
        let start = *self.start.get_or_insert(energy);
        let more = energy.total() - work - start.total();
        self.gain = self.gain.max(more);
        self.loss = self.loss.max(-more);
        let moved = (energy.kinetic - start.kinetic).abs();
        self.exchanged = self.exchanged.max(moved);
    }

    fn check(&self, gain: f64, loss: f64) -> Result<String, String> {
        let exchanged = self.exchanged;
        let part = |energy: f64| {
            if energy > 0.0 {
                energy / exchanged
            } else {
                0.0
            }
        };
        let parts = (part(self.gain), part(self.loss));
        let found = format!(
            "energy +{:.4} −{:.4} of {exchanged:.3e} J",
            parts.0, parts.1
        );
        // Where nothing is exchanged, nothing may change either.
        let ok = self.gain <= gain * exchanged && self.loss <= loss * exchanged;
        if ok { Ok(found) } else { Err(found) }
    }
}

fn energy(listing: &Listing, gain: f64, loss: f64) -> Result<String, String> {
    let mut ledger = Ledger::default();
    step_through(listing, |world| ledger.add(world.energy().unwrap(), 0.0))?;
    ledger.check(gain, loss)
}

/// The motor of Andrews' squeezer turns K1; its work is summed by trapezia.
fn work(listing: &Listing) -> Result<String, String> {
    const TORQUE: f64 = 0.033;
    let (mut ledger, mut before, mut done) = (Ledger::default(), None, 0.0);
    step_through(listing, |world| {
        let crank = world.find_body("K1").unwrap();
        let spin = *world.v(crank).unwrap().last().unwrap();
        let t = world.state().t;
        if let Some((t_before, spin_before)) = before {
            done += TORQUE * 0.5 * (spin + spin_before) * (t - t_before);
        }
        before = Some((t, spin));
        ledger.add(world.energy().unwrap(), done);
    })?;
    ledger.check(GAIN, GAIN)
}

fn momentum(listing: &Listing) -> Result<String, String> {
    let (mut ledger, mut start, mut moved) = (Ledger::default(), None, 0.0f64);
    step_through(listing, |world| {
        let now = world.momentum();
        let start = *start.get_or_insert(now);
        let apart = |a: Vec3, b: Vec3| norm(sub(a, b));
        let size = norm(start.linear) + norm(start.angular);
        let change = apart(now.linear, start.linear) + apart(now.angular, start.angular);
        moved = moved.max(if size > 0.0 { change / size } else { change });
        ledger.add(world.energy().unwrap(), 0.0);
    })?;
    // Energy that is only kept is none that is exchanged: it is compared with itself.
    ledger.exchanged = ledger.start.map_or(0.0, |start| start.total().abs());
    let found = ledger.check(GAIN, GAIN)?;
    if moved > 1e-6 {
        return Err(format!("momentum changed by {moved:e} of itself"));
    }
    Ok(format!("momentum {moved:.1e}, {found}"))
}

/// Compares the end with what was one period before.
fn period(listing: &Listing, seconds: f64, tolerance: f64) -> Result<String, String> {
    let mut worlds = Vec::new();
    step_through(listing, |world| worlds.push(world.clone()))?;
    let dt = worlds[1].state().t - worlds[0].state().t;
    let n = (seconds / dt).round() as usize;
    let (last, before) = (&worlds[worlds.len() - 1], &worlds[worlds.len() - 1 - n]);
    let quarter = &worlds[worlds.len() - 1 - n / 4];
    let (apart, aside) = (distance(last, before), distance(last, quarter));
    let found = format!("{apart:.1e} m from a period ago, {aside:.1e} m from a quarter of one");
    if apart > tolerance || aside < 0.05 {
        return Err(found);
    }
    Ok(found)
}

/// The largest distance between the same points of bodies in two states of a world: of their
/// origins, and of points 1 m from there.
fn distance(a: &World, b: &World) -> f64 {
    let mut most = 0.0f64;
    for record in a.bodies() {
        let id = record.id();
        for at in [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]] {
            let space = [at[0], at[1], 0.0];
            let points = [id.at(space), id.at(at)];
            let place = |world: &World| {
                let mut places = points.iter().map(|point| world.position_world(point));
                places.find_map(Result::ok)
            };
            if let (Some(here), Some(there)) = (place(a), place(b)) {
                most = most.max(norm(sub(here, there)));
            }
        }
    }
    most
}

/// The spin about the body's y is a Jacobi function: it passes zero at odd halves of the time.
fn flips(listing: &Listing, seconds: f64) -> Result<String, String> {
    let mut crossings: Vec<f64> = Vec::new();
    let mut before: Option<(f64, f64)> = None;
    let mut start = None;
    let mut moved = 0.0f64;
    step_through(listing, |world| {
        let body = world.bodies()[0].id();
        let v = world.v(body).unwrap();
        let point = |at: Vec3| world.position_world(&body.at(at)).unwrap();
        let y = sub(point([0.0, 1.0, 0.0]), point([0.0; 3]));
        let (t, spin) = (world.state().t, dot([v[3], v[4], v[5]], y));
        if let Some((t_before, spin_before)) = before
            && (spin_before < 0.0) != (spin < 0.0)
        {
            crossings.push(t - (t - t_before) * spin / (spin - spin_before));
        }
        before = Some((t, spin));
        let now = world.momentum().angular;
        let start = *start.get_or_insert(now);
        moved = moved.max(norm(sub(now, start)) / norm(start));
    })?;
    let n = (listing.seconds / seconds + 0.5).floor() as usize;
    let late = |(k, at): (usize, &f64)| (at - (k as f64 + 0.5) * seconds).abs();
    let late = crossings.iter().enumerate().map(late).fold(0.0, f64::max);
    let found = format!(
        "{} flips, at most {late:.1e} s off, momentum {moved:.1e}",
        crossings.len()
    );
    if crossings.len() != n || late > 0.05 || moved > 1e-9 {
        return Err(found);
    }
    Ok(found)
}

fn rest(listing: &Listing) -> Result<String, String> {
    let mut speed = 0.0f64;
    step_through(listing, |world| {
        let v = &world.state().v;
        speed = v.iter().fold(speed, |most, v| most.max(v.abs()));
    })?;
    let found = format!("moves at {speed:.1e} m/s at most");
    if speed > 1e-6 { Err(found) } else { Ok(found) }
}

/// Closes what is open: all of it, or all of level 0.
fn assembles(listing: &Listing, all: bool) -> Result<String, String> {
    let mut scene = library::open(listing.small).unwrap();
    let open = |world: &World, most: u8| {
        let errors = world.constraint_errors().unwrap();
        let level = errors.iter().filter(|error| error.priority <= most);
        level.map(ConstraintError::size).fold(0.0, f64::max)
    };
    let start = open(&scene.world, u8::MAX);
    scene.world.set_dynamics(Dynamics::Assembly);
    let mut simulator = Simulator::new();
    for frame in 1..=20 {
        let report = simulator
            .step(&mut scene.world, &scene.options)
            .map_err(|error| format!("frame {frame}: {error}"))?;
        if all && frame < 5 {
            continue;
        }
        report
            .require(CLOSED)
            .map_err(|error| format!("frame {frame}: {error}"))?;
    }
    let (exact, rest) = (open(&scene.world, 0), open(&scene.world, u8::MAX));
    let found = format!("from {start:.1e} m to {exact:.1e} m, lower levels {rest:.1e} m");
    let ok = start > 0.01 && exact < CLOSED && (rest < CLOSED) == all;
    if ok { Ok(found) } else { Err(found) }
}
