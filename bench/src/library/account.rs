//! One run: where its energy went, how closed its joints were, and what its reports said.

use std::fmt;

use linkwork::output::ConstraintError;
use linkwork::prelude::*;
use linkwork::step::{Cause, Ended, Rung, Scheme};
use linkwork_scene::Scene;
use linkwork_scene::export::{EnergyAccount, EnergyDrift, energy_rate};
use linkwork_scene::library::Holds;

/// In so many parts a frame of `precise` is looked at where what was put together is shaken.
const LOOKS: f64 = 8.0;

/// Where a part turns further in a frame, radians, powers where frames end do not add up to work.
const MOST_TURN: f64 = 1.0;

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) seconds: f64,
    /// Most that a run may cost: unknowns that were solved for.
    pub(super) limit: u64,
}

/// What was found along a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Account {
    pub(super) asked: f64,
    pub(super) seconds: f64,
    /// `E(t) − E(0)` without the work of what drives and rubs.
    pub(super) drift: EnergyDrift,
    /// The part of it that came in frames of which the reports name nothing.
    pub(super) silent: EnergyDrift,
    /// What `linkwork run` finds of it, which warns.
    pub(super) found: Option<EnergyDrift>,
    /// From when on parts turned too far in a frame for their work to be known, s.
    unknown_from: Option<f64>,
    /// Whether something is promised of the energy.
    pub(super) judges_energy: bool,
    /// Fastest motion of a scene that should rest, m/s.
    pub(super) speed: Option<f64>,
    /// Largest gap of priority 0 after any frame: m, rad.
    pub(super) gap: f64,
    pub(super) angle: f64,
    /// The largest of those that the reports do not tell, m.
    pub(super) silent_gap: f64,
    frames: u64,
    substeps: u64,
    rungs: Vec<(Rung, Cause, u64)>,
    retaken: u64,
    open: u64,
    is_cut: bool,
    pub(super) refusal: Option<String>,
}

impl Account {
    /// Runs a scene to its end.
    pub(super) fn of(scene: &mut Scene, holds: Holds, span: Span) -> Result<Self, String> {
        let words = |error: Error| error.to_string();
        let (world, mut options) = (&mut scene.world, scene.options);
        let mut simulator = Simulator::new();
        if matches!(holds, Holds::Assembles | Holds::GivesWay) {
            let closing = AssembleOptions::default();
            simulator.assemble(world, &closing).map_err(words)?;
        }
        let mut account = Self {
            asked: span.seconds,
            judges_energy: !matches!(holds, Holds::GivesWay),
            ..Self::default()
        };
        if matches!(options.scheme, Scheme::Precise(_)) && holds == Holds::Assembles {
            // What it resolves within a frame works there too, which sums over frames do not see.
            options.dt /= LOOKS;
        }
        let options = &options;
        let n_frames = (span.seconds / options.dt).round() as u64;
        let mut ledger = Ledger::new(world, holds, options.dt, n_frames).map_err(words)?;
        // Rows of lower priorities need a response each.
        let lower = world.constraints().iter().filter(|own| own.priority() > 0);
        let n_responses = 1 + lower.map(|own| own.rows().len()).sum::<usize>();
        let unknowns =
            n_responses as u64 * (world.state().v.len() + world.state().lambda.len()) as u64;
        let mut cost = 0;
        let mut errors;
        while account.frames < n_frames {
            let report = match simulator.step(world, options) {
                Ok(report) => report,
                Err(error) => {
                    account.refusal = Some(error.to_string());
                    break;
                }
            };
            account.add(&report);
            errors = world.constraint_errors().map_err(words)?;
            account.see_gaps(&errors, &report, options.budget.tolerance);
            let is_named = report.last_resorts() > 0 || report.retaken > 0;
            ledger.look(world, &mut account, is_named).map_err(words)?;
            cost += report.effort.solves as u64 * unknowns;
            if cost > span.limit && account.frames < n_frames {
                account.is_cut = true;
                break;
            }
        }
        account.seconds = account.frames as f64 * options.dt;
        account.found = match &ledger.kind {
            Kind::Nothing { account, .. } | Kind::Work { account, .. } => account.drift(world),
            _ => None,
        };
        Ok(account)
    }

    fn add(&mut self, report: &StepReport) {
        self.frames += 1;
        self.substeps += report.substeps as u64;
        self.retaken += u64::from(report.retaken > 0);
        self.open += u64::from(report.ended != Ended::Tolerance);
        for (rung, cause, n) in report.rungs.iter() {
            let mut known = self.rungs.iter_mut();
            match known.find(|own| (own.0, own.1) == (rung, cause)) {
                Some(own) => own.2 += n as u64,
                None => self.rungs.push((rung, cause, n as u64)),
            }
        }
    }

    /// From the world itself: what a step says of its joints is compared with it.
    fn see_gaps(&mut self, errors: &[ConstraintError], report: &StepReport, tolerance: f64) {
        for error in errors.iter().filter(|error| error.priority == 0) {
            self.gap = self.gap.max(error.position);
            self.angle = self.angle.max(error.angle);
            let told = match report.ended {
                Ended::Tolerance => tolerance,
                _ => report.position_error.max(tolerance),
            };
            // Both are found at the same state, in another order of sums.
            if error.position > told * (1.0 + 1e-6) {
                self.silent_gap = self.silent_gap.max(error.position);
            }
        }
    }

    /// Of what was exchanged.
    pub(super) fn part(&self, energy: f64) -> f64 {
        match energy > 0.0 {
            true => energy / self.drift.exchanged,
            false => 0.0,
        }
    }

    /// Whether the reports name something that damps, or energy that was seen to.
    pub(super) fn warned(&self) -> bool {
        self.retaken > 0 || self.rungs.iter().any(|own| own.0.is_last_resort())
    }
}

/// For people and for recorded files: few digits, no times of clocks.
impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.seconds;
        write!(f, "{seconds:>4.1} s  ")?;
        match self.speed {
            Some(speed) => write!(f, "speed {speed:.0e} m/s            ")?,
            None => {
                let part = |energy| self.part(energy);
                let (drift, silent) = (&self.drift, &self.silent);
                write!(
                    f,
                    "energy +{:.1e} -{:.1e}",
                    part(drift.gain),
                    part(drift.loss)
                )?;
                if self.warned() {
                    let (gain, loss) = (part(silent.gain), part(silent.loss));
                    write!(f, " (silent +{gain:.1e} -{loss:.1e})")?;
                }
                write!(f, " of {:.1e} J", self.drift.exchanged)?;
            }
        }
        write!(f, "  gap {:.0e} m {:.0e} rad", self.gap, self.angle)?;
        let substeps = self.substeps as f64 / self.frames.max(1) as f64;
        write!(f, "  {substeps:.1} sub-steps")?;
        let more = |rung: Rung| !matches!(rung, Rung::Whole | Rung::Halved);
        for (rung, cause, n) in self.rungs.iter().filter(|own| more(own.0)) {
            write!(f, "; {n} {} ({})", rung.name(), cause.name())?;
        }
        for (n, what) in [(self.retaken, "taken in parts"), (self.open, "open")] {
            if n > 0 {
                write!(f, "; {n} {what}")?;
            }
        }
        if let Some(t) = self.unknown_from {
            write!(f, "; work is not known from {t:.1} s on")?;
        }
        if self.is_cut {
            write!(f, "; cut of {} s by the limit", self.asked)?;
        }
        match &self.refusal {
            Some(refusal) => write!(f, "; refused: {refusal}"),
            None => Ok(()),
        }
    }
}

/// Energies along a run.
struct Ledger {
    kind: Kind,
    dt: f64,
    /// Total and kinetic energy of the start.
    start: Option<(f64, f64)>,
    /// Of the last frame.
    before: f64,
    /// What changed so far, and what of it in frames of which the reports name nothing.
    drift: f64,
    silent: f64,
}

/// How it is known what was put in.
enum Kind {
    /// Nothing is. By what drift is measured: what moves, or the change of it.
    Nothing {
        by_whole: bool,
        account: Box<EnergyAccount>,
    },
    /// Nothing in a whole period: everything is driven, and is where it was. The energies of one.
    Period { n: usize, first: Vec<f64> },
    /// Nothing drives, and something takes: the least energy so far, above which nothing may come.
    Falls { least: f64 },
    /// By its power: that of the last two frames, the newest first, and a simulator to find it with. What passes
    /// through is exchanged too.
    Work {
        power: [Option<f64>; 2],
        through: f64,
        simulator: Box<Simulator>,
        account: Box<EnergyAccount>,
    },
    /// Nothing moves.
    Rest,
    /// Joints of lower priorities pull as hard as they can, and promise nothing of energy; what a blow at a stop takes
    /// is not known either.
    Pulled,
}

impl Ledger {
    fn new(world: &World, holds: Holds, dt: f64, n_frames: u64) -> Result<Self, Error> {
        let account = || EnergyAccount::begin(world, n_frames).map(Box::new);
        let mut constraints = world.constraints().iter();
        let is_bounded = constraints.any(|record| record.constraint().bound().is_some());
        let mut bodies = world.bodies().iter();
        let collides = bodies.any(|record| {
            world
                .colliders(record.id())
                .is_ok_and(|own| !own.is_empty())
        });
        let kind = match holds {
            _ if is_bounded || collides => Kind::Pulled,
            Holds::Energy | Holds::Momentum | Holds::Flips(_) => Kind::Nothing {
                by_whole: matches!(holds, Holds::Momentum | Holds::Flips(_)),
                account: account()?,
            },
            Holds::Period(seconds) => Kind::Period {
                n: (seconds / dt).round() as usize,
                first: vec![],
            },
            Holds::Rest => Kind::Rest,
            Holds::GivesWay | Holds::Runs => Kind::Pulled,
            Holds::Loss => Kind::Falls {
                least: f64::INFINITY,
            },
            // What was put together may be driven.
            Holds::Assembles | Holds::Work | Holds::Settles(_) => Kind::Work {
                power: [None; 2],
                through: 0.0,
                simulator: Box::default(),
                account: account()?,
            },
        };
        let mut own = Self {
            kind,
            dt,
            start: None,
            before: 0.0,
            drift: 0.0,
            silent: 0.0,
        };
        // Where something drives, it takes hold in the first frame: energies count from its end.
        if let Kind::Nothing { .. } = own.kind {
            let energy = world.energy()?;
            own.start = Some((energy.total(), energy.kinetic));
            own.before = energy.total();
        }
        Ok(own)
    }

    /// Looks at a frame's end; `is_named` says whether the report names something that changes energy.
    fn look(&mut self, world: &World, found: &mut Account, is_named: bool) -> Result<(), Error> {
        let energy = world.energy()?;
        let now = energy.total();
        let start = *self.start.get_or_insert((now, energy.kinetic));
        let moved = (energy.kinetic - start.1).abs();
        let mut exchanged = energy.kinetic;
        let was = self.drift;
        match &mut self.kind {
            Kind::Nothing { by_whole, account } => {
                account.frame(world, self.dt)?;
                exchanged = if *by_whole { start.0.abs() } else { moved };
                self.drift = now - start.0;
            }
            Kind::Period { n, first } => match first.get((found.frames as usize - 1) % *n) {
                Some(of_first) => self.drift = now - of_first,
                None => first.push(now),
            },
            Kind::Work {
                power,
                through,
                simulator,
                account,
            } => {
                account.frame(world, self.dt)?;
                let rate = energy_rate(simulator, world, self.dt)?;
                if found.unknown_from.is_none() && most_turn(world, self.dt) > MOST_TURN {
                    found.unknown_from = Some(world.state().t);
                }
                if let (Some(before), None) = (power[0], found.unknown_from) {
                    // A parabola through three frames: what shakes at a few hertz is 1 % off in trapezia.
                    let mean = match power[1] {
                        Some(earlier) => (5.0 * rate + 8.0 * before - earlier) / 12.0,
                        None => 0.5 * (before + rate),
                    };
                    *through += (self.dt * mean).abs();
                    self.drift += now - self.before - self.dt * mean;
                }
                *power = [Some(rate), power[0]];
                exchanged = match found.unknown_from {
                    None => exchanged.max(*through),
                    Some(_) => 0.0,
                };
            }
            Kind::Falls { least } => {
                self.drift = (now - *least).max(0.0);
                *least = least.min(now);
            }
            Kind::Rest => {
                let v = world.state().v.iter();
                let fastest = v.fold(0.0f64, |most, v| most.max(v.abs()));
                found.speed = Some(found.speed.unwrap_or(0.0).max(fastest));
            }
            Kind::Pulled => {}
        }
        self.before = now;
        let most = &mut found.drift.exchanged;
        *most = most.max(exchanged);
        // What goes less than a millionth of a meter in a second is nothing.
        let mass = world.center_of_mass().map_or(0.0, |(mass, _)| mass);
        let nothing = 0.5e-12 * mass;
        if !is_named {
            self.silent += self.drift - was;
        }
        let size = |drift: f64| if drift.abs() < nothing { 0.0 } else { drift };
        found.drift.add(size(self.drift));
        found.silent.add(size(self.silent));
        Ok(())
    }
}

/// How far the part that turns fastest goes round in `dt` seconds, radians.
fn most_turn(world: &World, dt: f64) -> f64 {
    let bodies = world.bodies().iter().filter(|record| record.enabled());
    bodies.fold(0.0, |most, record| {
        let v = &world.state().v[record.v_range()];
        most.max(dt * record.body().turn_of(v))
    })
}
