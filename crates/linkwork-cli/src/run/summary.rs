//! The account of a run.

use linkwork::output::ConstraintError;
use linkwork::prelude::*;
use linkwork::step::{Cause, Ended, Event, Rung};
use linkwork_scene::Scene;
use serde::{Serialize, Serializer};

use super::contacts::Begun;
use super::doubts::{beyond, damped, retaken, starved};
use super::measure::{self, Measured};
use super::requirement::allowed;
use crate::check::overlap::{Pair, never_collide};
use crate::check::warnings::Warning;
use crate::closing::gap;
use crate::failure::Failure;
use crate::numbers::{count, escaped, short, tabled, time};

/// What a run did, with the keys of `--report json`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Summary {
    scene: String,
    steps: u64,
    /// The length of a step, s; none where a log has steps of various lengths.
    dt: Option<f64>,
    preset: &'static str,
    method: &'static str,
    /// The scene's time at the end, s.
    time: f64,
    /// By how much it advanced, s.
    time_advanced: f64,
    /// Of the last state, sixteen hexadecimal digits: equal states have equal ones.
    state_hash: String,
    worst_closure: Closeness,
    energy: EnergyChange,
    effort: Work,
    substeps: u64,
    /// Tries that were refused by a guard or by error control.
    refused: u64,
    last_resorts: u64,
    /// Which rungs of the ladder steps took, why, and how often.
    rungs: Vec<Taken>,
    /// The spring, or the body of springs, that was too stiff for explicit steps.
    stiffest: Option<String>,
    /// How often something hit a stop.
    blows: u64,
    /// How often bodies began to touch, and joints came to stops and bounds, from step to step.
    pub(super) begun: Begun,
    /// What was left of the law of limits, motors and friction at worst, m/s.
    law_error: f64,
    /// How far something was beyond its limit at worst, m.
    overrun: f64,
    /// Steps that left more of that law than they may.
    steps_unlawful: u64,
    /// Steps that ended before their joints were closed to the tolerance.
    steps_open: u64,
    /// Steps that spent their budget.
    steps_spent: u64,
    /// Steps that were taken in parts, because they gained energy that nothing put in.
    steps_retaken: u64,
    /// Steps whose budget was too small to bring a lower priority nearer.
    steps_starved: u64,
    /// Joints of priority 0 that are open at the end, by more than 1e-6 and than the tolerance.
    open: Vec<Open>,
    events: Vec<Happened>,
    /// Joints of lower priorities that gave way at the last step.
    gave_way: Vec<String>,
    /// Columns that are written or measured, but are only shares of what several joints bear together: rows repeat
    /// each other.
    pub(crate) undetermined: Vec<String>,
    /// Bodies that overlap at the start, and never collide because of their groups.
    pub(crate) apart: Vec<Pair>,
    /// What makes the result doubtful.
    warnings: Vec<Warning>,
    wall_seconds: f64,
    /// What `--measure` asked for.
    pub(super) measures: Vec<Measured>,
    /// Whether control-C ended it.
    pub(super) interrupted: bool,
    /// What joints may be open by within a step, and at the end, m and rad.
    #[serde(skip)]
    tolerance: f64,
    #[serde(skip)]
    allowed: f64,
    /// Whether the last step left joints open that nothing would have brought nearer.
    #[serde(skip)]
    is_open: bool,
    /// By what the law was missed at worst, m/s or m, and when, s.
    #[serde(skip)]
    unlawful: (f64, f64),
}

/// A joint that is open.
#[derive(Clone, Debug, Serialize)]
struct Open {
    joint: String,
    position: f64,
    angle: f64,
}

/// How far joints were from holding, at the worst step.
#[derive(Clone, Debug, Default, Serialize)]
struct Closeness {
    /// Largest gap, m.
    position: f64,
    /// Largest angle, rad.
    angle: f64,
    /// The joint of the largest gap.
    joint: Option<String>,
    /// When, s.
    time: f64,
}

#[derive(Clone, Debug, Serialize)]
struct EnergyChange {
    start: f64,
    end: f64,
    change: f64,
}

#[derive(Clone, Debug, Default, Serialize)]
struct Work {
    fills: u64,
    factors: u64,
    solves: u64,
    iterations: u64,
}

/// A rung that was taken for a cause, how often.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Taken {
    #[serde(serialize_with = "name_of_rung")]
    pub(super) rung: Rung,
    #[serde(serialize_with = "name_of_cause")]
    pub(super) cause: Cause,
    pub(super) count: u64,
}

fn name_of_rung<S: Serializer>(rung: &Rung, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(rung.name())
}

fn name_of_cause<S: Serializer>(cause: &Cause, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(cause.name())
}

#[derive(Clone, Debug, Serialize)]
struct Happened {
    time: f64,
    joint: String,
    what: &'static str,
}

impl Summary {
    pub(crate) fn begin(
        title: &str,
        scene: &Scene,
        options: &StepOptions,
    ) -> Result<Self, Failure> {
        let (preset, method) = (options.scheme.name(), options.method.name());
        let start = scene.world.energy()?.total();
        Ok(Self {
            scene: title.to_owned(),
            steps: 0,
            dt: Some(options.dt),
            preset,
            method,
            time: scene.world.state().t,
            time_advanced: 0.0,
            state_hash: String::new(),
            worst_closure: Closeness::default(),
            energy: EnergyChange {
                start,
                end: start,
                change: 0.0,
            },
            effort: Work::default(),
            substeps: 0,
            refused: 0,
            last_resorts: 0,
            rungs: Vec::new(),
            stiffest: None,
            blows: 0,
            begun: Begun::default(),
            law_error: 0.0,
            overrun: 0.0,
            steps_unlawful: 0,
            steps_open: 0,
            steps_spent: 0,
            tolerance: options.budget.tolerance,
            steps_retaken: 0,
            steps_starved: 0,
            open: Vec::new(),
            events: Vec::new(),
            gave_way: Vec::new(),
            undetermined: Vec::new(),
            apart: Vec::new(),
            warnings: Vec::new(),
            wall_seconds: 0.0,
            measures: Vec::new(),
            interrupted: false,
            allowed: allowed(options.budget.tolerance),
            is_open: false,
            unlawful: (0.0, 0.0),
        })
    }

    /// Notes a step that left more of the law of contacts, limits, motors and friction than it may.
    pub(super) fn miss_law(&mut self, world: &World, report: &StepReport) {
        self.steps_unlawful += 1;
        let missed = report.law_error.max(report.overrun);
        if missed > self.unlawful.0 {
            self.unlawful = (missed, world.state().t);
        }
    }

    /// Fails if a step left more of the law than it may.
    pub(super) fn unlawful(&self, whose: &str) -> Result<(), Failure> {
        if self.steps_unlawful == 0 {
            return Ok(());
        }
        let (_, t) = self.unlawful;
        let steps = count(self.steps_unlawful as usize, "step", "steps");
        let problem = format!(
            "{whose}: {steps} of {} missed the law of contacts, limits, motors and friction, by {} m/s and {} m at most, worst at {} s",
            self.steps,
            short(self.law_error),
            short(self.overrun),
            time(t)
        );
        let hint = "a shorter --dt may keep it; --require off accepts it";
        Err(Failure::simulation(problem).hint(hint))
    }

    /// Adds a step.
    pub(crate) fn step(&mut self, world: &World, report: &StepReport) {
        self.steps += 1;
        self.substeps += report.substeps as u64;
        self.refused += report.refused as u64;
        self.last_resorts += report.last_resorts() as u64;
        for (rung, cause, n) in report.rungs.iter() {
            self.take(rung, cause, n as u64);
        }
        if let Some(label) = report.stiffest.and_then(|own| own.label(world)) {
            self.stiffest = Some(label.to_owned());
        }
        self.blows += report.blows as u64;
        self.law_error = self.law_error.max(report.law_error);
        self.overrun = self.overrun.max(report.overrun);
        let gap = report.position_error.max(report.angle_error);
        let is_spent = matches!(report.ended, Ended::Iterations | Ended::Deadline);
        self.steps_spent += u64::from(is_spent);
        // With a budget, joints may be closed while lower priorities are still on their way.
        let is_open = report.ended == Ended::Open || (is_spent && gap > self.tolerance);
        self.steps_open += u64::from(is_open);
        self.steps_retaken += u64::from(report.retaken > 0);
        self.steps_starved += u64::from(report.is_starved);
        let effort = &report.effort;
        self.effort.fills += effort.fills as u64;
        self.effort.factors += effort.factors as u64;
        self.effort.solves += effort.solves as u64;
        self.effort.iterations += effort.iterations as u64;
        let worst = &mut self.worst_closure;
        self.is_open = report.ended == Ended::Open && gap.max(report.overrun) > self.allowed;
        if gap > worst.position.max(worst.angle) {
            let label = report.worst.and_then(|id| label(world, id));
            (worst.joint, worst.time) = (label, world.state().t);
        }
        worst.position = worst.position.max(report.position_error);
        worst.angle = worst.angle.max(report.angle_error);
        for event in &report.events {
            let (constraint, what) = match event {
                Event::Broke { constraint, .. } => (*constraint, "broke"),
                Event::Closed { constraint } => (*constraint, "closed"),
                _ => continue,
            };
            self.events.push(Happened {
                time: world.state().t,
                joint: label(world, constraint).unwrap_or_default(),
                what,
            });
        }
        if !report.gave_way.is_empty() || !self.gave_way.is_empty() {
            let labels = report
                .gave_way
                .iter()
                .filter_map(|own| label(world, own.constraint));
            self.gave_way = labels.collect();
        }
    }

    fn take(&mut self, rung: Rung, cause: Cause, n: u64) {
        let mut known = self.rungs.iter_mut();
        match known.find(|own| (own.rung, own.cause) == (rung, cause)) {
            Some(own) => own.count += n,
            None => self.rungs.push(Taken {
                rung,
                cause,
                count: n,
            }),
        }
    }

    /// How many steps were taken.
    pub(crate) fn n_steps(&self) -> u64 {
        self.steps
    }

    /// Has steps of this length too.
    pub(crate) fn add_length(&mut self, dt: f64) {
        match self.steps {
            0 => self.dt = Some(dt),
            _ => self.dt = self.dt.filter(|own| *own == dt),
        }
    }

    /// Joints that are open at the end, each with what it is open by.
    pub(crate) fn open(&self) -> Vec<String> {
        let open = self.open.iter();
        open.map(|own| gap(&own.joint, own.position, own.angle))
            .collect()
    }

    /// Looks at the last state.
    pub(crate) fn end(&mut self, world: &World, wall_seconds: f64) -> Result<(), Failure> {
        let start = self.time;
        // As tables have it; the state keeps its bits.
        let rounded = |t: f64| tabled(t, self.dt.unwrap_or_default());
        self.time = rounded(world.state().t);
        self.time_advanced = rounded(world.state().t - start);
        self.state_hash = format!("{:016x}", world.state_hash());
        self.energy.end = world.energy()?.total();
        self.energy.change = self.energy.end - self.energy.start;
        self.wall_seconds = wall_seconds;
        self.warnings = damped(self.substeps, &self.rungs).into_iter().collect();
        self.warnings
            .extend(retaken(self.steps_retaken, self.steps));
        self.warnings
            .extend(starved(self.steps_starved, self.steps));
        self.warnings.extend(beyond(self.law_error, self.overrun));
        if self.is_open {
            let errors = world.constraint_errors()?;
            let mut open: Vec<&ConstraintError> = errors
                .iter()
                .filter(|own| own.priority == 0 && own.size() > self.allowed)
                .collect();
            open.sort_by(|a, b| b.size().total_cmp(&a.size()));
            let open = open.into_iter().map(|own| Open {
                joint: own.label.clone(),
                position: own.position.max(own.other),
                angle: own.angle,
            });
            self.open = open.collect();
        }
        Ok(())
    }

    /// What makes the result doubtful.
    pub(crate) fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Adds what makes the result doubtful.
    pub(crate) fn doubt(&mut self, warning: Option<Warning>) {
        self.warnings.extend(warning);
    }

    /// For people.
    pub(crate) fn in_words(&self, wrote: &[&str]) -> String {
        let mut lines = vec![format!(
            "{}: {} of {}, {} s advanced",
            escaped(&self.scene),
            count(self.steps as usize, "step", "steps"),
            match self.dt {
                Some(dt) => format!("{} s", time(dt)),
                None => "various lengths".to_owned(),
            },
            time(self.time_advanced)
        )];
        let mut line = |head: &str, words: String| lines.push(format!("  {head:<10} {words}"));
        let worst = &self.worst_closure;
        line(
            "closed to",
            match &worst.joint {
                Some(joint) => format!(
                    "{} m, {} rad at worst: \"{}\" at {} s",
                    short(worst.position),
                    short(worst.angle),
                    escaped(joint),
                    time(worst.time)
                ),
                None => format!("{} m, {} rad", short(worst.position), short(worst.angle)),
            },
        );
        let energy = &self.energy;
        line(
            "energy",
            format!(
                "{} J, from {} J: changed by {} J",
                short(energy.end),
                short(energy.start),
                short(energy.change)
            ),
        );
        let effort = &self.effort;
        let mut work = format!(
            "{}, {} factors, {} solves",
            count(self.substeps as usize, "sub-step", "sub-steps"),
            effort.factors,
            effort.solves
        );
        if self.refused > 0 {
            work += &format!(", {} refused tries", self.refused);
        }
        work += &format!(
            ", {}",
            count(self.last_resorts as usize, "last resort", "last resorts")
        );
        line("work", work);
        let taken = self.rungs.iter().map(|own| {
            let (count, rung, cause) = (own.count, own.rung.name(), own.cause.name());
            match own.rung.is_last_resort() {
                true => format!("{count} {rung} (last resort: {cause})"),
                false => format!("{count} {rung} ({cause})"),
            }
        });
        let taken: Vec<String> = taken.collect();
        if !taken.is_empty() {
            line("rungs", taken.join(", "));
        }
        if self.blows > 0 || self.law_error > 0.0 || self.overrun > 0.0 {
            line(
                "stops",
                format!(
                    "{}, kept to {:.1e} m/s, beyond by {:.1e} m at most",
                    count(self.blows as usize, "blow", "blows"),
                    self.law_error,
                    self.overrun
                ),
            );
        }
        let Begun {
            touches,
            stops,
            bounds,
            entries,
        } = self.begun;
        if self.begun != Begun::default() {
            let touches = count(touches as usize, "touch", "touches");
            let mut words = format!("{touches}, {stops} at stops, {bounds} at bounds");
            if entries > 0 {
                words += &format!(", {entries} in sensors");
            }
            line("began", words);
        }
        if let Some(label) = &self.stiffest {
            line(
                "stiff",
                format!(
                    "\"{}\" is too stiff for explicit steps; vibration faster than the frames dies out",
                    escaped(label)
                ),
            );
        }
        if self.steps_open > 0 {
            line(
                "open",
                format!(
                    "{} ended before the joints were closed to the tolerance",
                    count(self.steps_open as usize, "step", "steps")
                ),
            );
        }
        if self.steps_spent > 0 {
            let spent = count(self.steps_spent as usize, "step", "steps");
            line("budget", format!("spent by {spent}"));
        }
        if !self.open.is_empty() {
            const SHOWN: usize = 6;
            let open = self.open();
            let mut words = open[..open.len().min(SHOWN)].join(", ");
            if open.len() > SHOWN {
                words += &format!(" and {} more", open.len() - SHOWN);
            }
            line("at the end", format!("open: {words}"));
        }
        for event in self.events.iter().take(10) {
            line(
                event.what,
                format!("\"{}\" at {} s", escaped(&event.joint), time(event.time)),
            );
        }
        if !self.gave_way.is_empty() {
            line("gave way", crate::numbers::names(&self.gave_way));
        }
        if !self.apart.is_empty() {
            line("apart", never_collide(&self.apart));
        }
        for words in measure::in_words(&self.measures) {
            line("measured", words);
        }
        line(
            "state",
            format!("{} at {} s", self.state_hash, time(self.time)),
        );
        line("took", format!("{} s", short(self.wall_seconds)));
        if !wrote.is_empty() {
            line("wrote", wrote.join(", "));
        }
        if !self.undetermined.is_empty() {
            lines.push(format!("undetermined: {}", shares(&self.undetermined)));
        }
        let warnings = self.warnings.iter();
        lines.extend(warnings.map(|own| format!("warning: {}\n  hint: {}", own.text, own.hint)));
        lines.join("\n")
    }
}

/// What it means that columns are undetermined.
pub(crate) fn shares(columns: &[String]) -> String {
    const SHOWN: usize = 6;
    let shown: Vec<String> = columns.iter().take(SHOWN).map(|own| escaped(own)).collect();
    let more = match columns.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "{}{more}: several joints share this load; only sums of their forces are determined",
        shown.join(", ")
    )
}

pub(crate) fn label(world: &World, id: ConstraintId) -> Option<String> {
    let record = world.constraint_record(id).ok()?;
    Some(record.label().to_owned())
}
