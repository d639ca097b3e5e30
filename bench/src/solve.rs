//! `solve`: one assembly, factor and solve of accelerations, through the ordinary path of a world.

use std::hint::black_box;

use linkwork::simulator::{Simulator, SolveOptions};
use linkwork::solve::{Krylov, Method};
use linkwork::system::Motion;
use linkwork::world::World;

use crate::baseline::{self, FaerBaseline};
use crate::json;
use crate::table::{table, us};
use crate::timing::{Candidate, Times, measure};

/// The tolerance of iterative methods whose name gives none.
const TOLERANCE: f64 = 1e-9;

/// The baseline, beside the engine's methods.
const BASELINE: &str = "faer";

/// What `--method all` means.
fn all() -> impl Iterator<Item = &'static str> {
    let baseline = baseline::IS_THERE.then_some(BASELINE);
    Method::WORDS.into_iter().chain(baseline)
}

/// A method to measure: one of the engine's, or the baseline.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    /// As it was asked for, such as `forest-krylov:1e-3`.
    pub(crate) name: String,
    /// None is faer.
    pub(crate) method: Option<Method>,
}

/// One line of the result.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) scene: String,
    pub(crate) bodies: usize,
    pub(crate) rows: usize,
    pub(crate) loop_rows: usize,
    pub(crate) method: String,
    pub(crate) times: Times,
    pub(crate) iterations: usize,
    /// The larger relative residual of rows and forces; none if there is no answer.
    pub(crate) residual: Option<f64>,
    /// Block operations of one factor (`direct` only).
    pub(crate) n_operations: usize,
}

/// Measures and lays out the result.
pub(crate) fn run(
    scenes: &[String],
    methods: &str,
    velocities: Velocities,
    json: bool,
) -> Result<String, String> {
    let entries = parse_methods(methods)?;
    let worlds = scenes
        .iter()
        .map(|name| scene(name, velocities))
        .collect::<Result<Vec<_>, _>>()?;
    let mut rows = vec![];
    for (name, world) in scenes.iter().zip(&worlds) {
        rows.extend(solve(name, world, &entries)?);
    }
    Ok(if json {
        to_json(&rows)
    } else {
        to_table(&rows)
    })
}

/// How the bodies of a scene move when they are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Velocities {
    /// Small random velocities that the constraints allow: any moment of a motion.
    Allowed,
    /// Small random velocities, whatever the constraints say: no moment of any motion, and hard on
    /// accuracy, since the multipliers of long chains grow beyond those of gravity.
    Random,
    /// None: velocity terms are zero, and gravity pulls everything alike, so that most rows ask for
    /// nothing. Iterative methods profit.
    Rest,
}

/// A scene by name, in motion.
pub(crate) fn scene(name: &str, velocities: Velocities) -> Result<World, String> {
    let mut world = linkwork_scene::scene(name).map_err(|error| error.to_string())?;
    stir(&mut world, velocities)?;
    Ok(world)
}

/// Sets a world's velocities, always to the same numbers.
pub(crate) fn stir(world: &mut World, velocities: Velocities) -> Result<(), String> {
    let mut state = world.state().clone();
    let mut seed = 1u64;
    for v in &mut state.v {
        // Knuth's 64-bit linear congruential generator; its upper bits are good enough here.
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let unit = (seed >> 11) as f64 / (1u64 << 53) as f64;
        *v = 0.2 * (unit - 0.5);
    }
    if velocities == Velocities::Rest {
        state.v.fill(0.0);
    }
    world
        .set_state(state.clone())
        .map_err(|error| error.to_string())?;
    if velocities == Velocities::Allowed {
        let mut simulator = Simulator::new();
        let correction = simulator.velocity_correction(world, Method::Direct);
        for (v, dv) in state.v.iter_mut().zip(&correction.motion) {
            *v += dv;
        }
        world.set_state(state).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Reads `all`, or names between commas.
pub(crate) fn parse_methods(list: &str) -> Result<Vec<Entry>, String> {
    if list == "all" {
        return all().map(parse_method).collect();
    }
    list.split(',')
        .map(|name| parse_method(name.trim()))
        .collect()
}

fn parse_method(name: &str) -> Result<Entry, String> {
    let (kind, tolerance) = match name.split_once(':') {
        None => (name, None),
        Some((kind, text)) => {
            let valid = |t: &f64| t.is_finite() && *t > 0.0;
            let tolerance = text.parse().ok().filter(valid).ok_or_else(|| {
                format!("method \"{name}\": \"{text}\" is no tolerance; write {kind}:1e-3")
            })?;
            (kind, Some(tolerance))
        }
    };
    let krylov = Krylov::default()
        .with_tolerance(tolerance.unwrap_or(TOLERANCE))
        .with_max_iterations(100_000);
    let method = match kind {
        BASELINE => None,
        _ => match kind.parse::<Method>() {
            Ok(method) => Some(method.stopping(krylov)),
            Err(_) => {
                let known: Vec<_> = all().collect();
                let known = known.join(", ");
                return Err(format!(
                    "no method is called \"{kind}\"; there are {known}, or all"
                ));
            }
        },
    };
    let iterates = method.is_some_and(|method| method.krylov().is_some());
    if tolerance.is_some() && !iterates {
        return Err(format!(
            "method \"{name}\": {kind} does not iterate; write {kind}"
        ));
    }
    let name = name.to_owned();
    Ok(Entry { name, method })
}

/// Measures one world by several methods, in one interleaved run.
pub(crate) fn solve(name: &str, world: &World, entries: &[Entry]) -> Result<Vec<Row>, String> {
    let mut simulator = Simulator::new();
    simulator.fill(world, Motion::Acceleration, &SolveOptions::default());
    let system = simulator.system();
    let mut contestants = vec![];
    for entry in entries {
        contestants.push(Contestant::new(entry, world)?);
    }
    let mut candidates: Vec<&mut dyn Candidate> =
        contestants.iter_mut().map(Contestant::candidate).collect();
    let times = measure(&mut candidates);
    let rows = system.active_rows().iter().flatten().count();
    let row = |((entry, contestant), times): ((&Entry, &Contestant<'_>), Times)| {
        let (iterations, residual, n_operations) = contestant.report();
        Row {
            scene: name.to_owned(),
            bodies: world.bodies().len(),
            rows,
            loop_rows: simulator.topology().n_loop_rows(),
            method: entry.name.clone(),
            times,
            iterations,
            residual,
            n_operations,
        }
    };
    Ok(entries
        .iter()
        .zip(&contestants)
        .zip(times)
        .map(row)
        .collect())
}

/// A method at work on a world.
pub(crate) enum Contestant<'a> {
    Engine(Box<Engine<'a>>),
    Faer(Box<FaerBaseline>),
}

impl<'a> Contestant<'a> {
    pub(crate) fn new(entry: &Entry, world: &'a World) -> Result<Self, String> {
        let mut simulator = Simulator::new();
        let Some(method) = entry.method else {
            simulator.fill(world, Motion::Acceleration, &SolveOptions::default());
            let baseline = FaerBaseline::new(simulator.system())?;
            return Ok(Self::Faer(Box::new(baseline)));
        };
        Ok(Self::Engine(Box::new(Engine {
            world,
            simulator,
            options: method.into(),
        })))
    }

    /// What the tables show: all phases, but of faer its own numeric work alone.
    pub(crate) fn answer(&mut self) {
        match self {
            Self::Engine(engine) => engine.run(),
            Self::Faer(faer) => {
                faer.factor();
                faer.solve();
            }
        }
    }

    pub(crate) fn candidate(&mut self) -> &mut dyn Candidate {
        match self {
            Self::Engine(engine) => &mut **engine,
            Self::Faer(faer) => &mut **faer,
        }
    }

    /// Iterations, residual and operations of the last run.
    fn report(&self) -> (usize, Option<f64>, usize) {
        match self {
            Self::Engine(engine) => {
                let solution = engine.simulator.solution();
                let residual = &solution.residual;
                let residual = residual.rows_relative.max(residual.force_relative);
                let finite = solution.motion.iter().all(|y| y.is_finite());
                (
                    solution.iterations,
                    (finite && residual.is_finite()).then_some(residual),
                    engine.simulator.n_operations(),
                )
            }
            Self::Faer(faer) => (1, faer.residual(), 0),
        }
    }
}

/// The engine as its users run it.
pub(crate) struct Engine<'a> {
    world: &'a World,
    simulator: Simulator,
    options: SolveOptions,
}

impl Candidate for Engine<'_> {
    fn assemble(&mut self) {
        let world = black_box(self.world);
        self.simulator
            .fill(world, Motion::Acceleration, &self.options);
    }

    fn factor(&mut self) {
        self.simulator.factor(&self.options.method);
    }

    fn solve(&mut self) {
        black_box(self.simulator.solve_prepared());
    }
}

fn to_json(rows: &[Row]) -> String {
    let objects: Vec<String> = rows.iter().map(json_row).collect();
    json::array(&objects)
}

fn json_row(row: &Row) -> String {
    json::object(&[
        ("scene", json::text(&row.scene)),
        ("bodies", row.bodies.to_string()),
        ("rows", row.rows.to_string()),
        ("loop_rows", row.loop_rows.to_string()),
        ("method", json::text(&row.method)),
        ("us_total", format!("{:.3}", row.times.us_total)),
        ("us_assemble", format!("{:.3}", row.times.us_assemble)),
        ("us_factor", format!("{:.3}", row.times.us_factor)),
        ("us_solve", format!("{:.3}", row.times.us_solve)),
        ("iterations", row.iterations.to_string()),
        ("residual", json::small(row.residual)),
        ("allocations", row.times.allocations.to_string()),
    ])
}

fn to_table(rows: &[Row]) -> String {
    let heading = [
        "scene",
        "bodies",
        "rows",
        "loop rows",
        "method",
        "µs total",
        "assemble",
        "factor",
        "solve",
        "iterations",
        "residual",
        "allocations",
    ];
    let mut failed = false;
    let mut line = |row: &Row| {
        failed |= row.residual.is_none();
        vec![
            row.scene.clone(),
            row.bodies.to_string(),
            row.rows.to_string(),
            row.loop_rows.to_string(),
            row.method.clone(),
            us(row.times.us_total),
            us(row.times.us_assemble),
            us(row.times.us_factor),
            us(row.times.us_solve),
            row.iterations.to_string(),
            row.residual
                .map_or("failed*".to_owned(), |r| format!("{r:.1e}")),
            row.times.allocations.to_string(),
        ]
    };
    let lines: Vec<_> = rows.iter().map(&mut line).collect();
    let mut out = table(&heading, &lines);
    if failed {
        out.push_str(
            "* no answer: the matrix is not positive definite; times are of the attempt\n",
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(residual: Option<f64>) -> Row {
        Row {
            scene: "ladder:6,96".into(),
            bodies: 1248,
            rows: 4032,
            loop_rows: 288,
            method: "forest-krylov:1e-3".into(),
            times: Times {
                us_total: 6.0,
                us_assemble: 1.0,
                us_factor: 2.0,
                us_solve: 3.25,
                allocations: 0,
            },
            iterations: 7,
            residual,
            n_operations: 0,
        }
    }

    #[test]
    fn json_is_one_array_of_flat_objects() {
        let expected = r#"[
  {"scene": "ladder:6,96", "bodies": 1248, "rows": 4032, "loop_rows": 288, "method": "forest-krylov:1e-3", "us_total": 6.000, "us_assemble": 1.000, "us_factor": 2.000, "us_solve": 3.250, "iterations": 7, "residual": 1.50e-14, "allocations": 0},
  {"scene": "ladder:6,96", "bodies": 1248, "rows": 4032, "loop_rows": 288, "method": "forest-krylov:1e-3", "us_total": 6.000, "us_assemble": 1.000, "us_factor": 2.000, "us_solve": 3.250, "iterations": 7, "residual": null, "allocations": 0}
]"#;
        assert_eq!(to_json(&[row(Some(1.5e-14)), row(None)]), expected);
    }

    #[test]
    fn a_failure_is_explained_below_the_table() {
        assert!(to_table(&[row(None)]).contains("failed*"));
        assert!(to_table(&[row(None)]).contains("* no answer"));
        assert!(!to_table(&[row(Some(1e-15))]).contains('*'));
    }

    #[test]
    fn all_means_every_method() {
        let names: Vec<_> = parse_methods("all")
            .unwrap()
            .into_iter()
            .map(|e| e.name)
            .collect();
        assert_eq!(names, all().collect::<Vec<_>>());
    }

    #[test]
    fn a_tolerance_follows_the_name() {
        let entries = parse_methods("direct, forest-krylov:1e-3").unwrap();
        assert_eq!(entries[1].name, "forest-krylov:1e-3");
        let Some(Method::ForestKrylov(krylov)) = entries[1].method else {
            panic!("{entries:?}");
        };
        assert_eq!(krylov.tolerance, 1e-3);
    }

    #[test]
    fn what_is_not_understood_is_named() {
        let error = |methods| parse_methods(methods).unwrap_err();
        assert!(error("direct,fast").contains("\"fast\""));
        assert!(error("forest-krylov:x").contains("\"x\" is no tolerance"));
        assert!(error("normal-cg:0").contains("is no tolerance"));
        assert!(error("direct:1e-3").contains("does not iterate"));
        let error = |name| scene(name, Velocities::Rest).unwrap_err();
        assert!(error("castle:3").contains("\"castle:3\""));
        assert!(error("ladder:6").contains("ladder:P,M"));
    }

    #[test]
    fn allowed_velocities_keep_the_constraints() {
        let world = scene("ladder3:3,2", Velocities::Allowed).unwrap();
        let mut simulator = Simulator::new();
        simulator.fill(&world, Motion::Velocity, &SolveOptions::default());
        let worst = |c: &[f64]| c.iter().fold(0.0f64, |worst, c| worst.max(c.abs()));
        assert!(worst(simulator.system().c_dot()) < 1e-14);
        assert!(worst(&world.state().v) > 0.01);
    }
}
