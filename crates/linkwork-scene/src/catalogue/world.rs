//! World options: gravity, what forces do, and how steps are taken.

use linkwork::collide::Shape;
use linkwork::integrate::Integrator;
use linkwork::math::{Vec3, complete_basis, dot, quat_from_matrix, scale, transpose, unit};
use linkwork::prelude::*;
use linkwork::solve::{ContactSolver, Krylov};
use linkwork::step::{InteractiveOptions, PreciseOptions, Scheme};
use linkwork::world::Collider;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::body::DEFAULT_FRICTION;
use super::field::{Field, Form, InLab, With, fields_schema};
use super::{Fields, StabilizationType, stabilization};
use crate::fault::Fault;
use crate::read::record::define;
use crate::read::{Node, Record};
use crate::scene::FRAME;

pub(crate) const GRAVITY: Field = Field::vector(
    "gravity",
    "m/s²",
    "Acceleration of gravity; none when left out.",
);
const FLOOR: Field = Field::number(
    "floor",
    "m",
    "Height of the floor, measured against gravity, or along y without gravity. No floor when left out.",
)
.lab(&InLab {
    otherwise: "none",
    ..InLab::PLAIN
});
const FLOOR_FRICTION: Field = Field::number(
    "floor_friction",
    "",
    "Coefficient of friction of the floor.",
)
.not_negative()
.default("0.5")
.lab(&InLab {
    after: "floor",
    label: Some("floor friction"),
    ..InLab::PLAIN
});
const FLOOR_ROLLING_FRICTION: Field = Field::number(
    "floor_rolling_friction",
    "m",
    "The arm of the normal force that resists rolling on the floor.",
)
.not_negative()
.default("0")
.lab(&InLab {
    after: "floor",
    label: Some("floor rolling friction"),
    ..InLab::PLAIN
});
const FLOOR_SPINNING_FRICTION: Field = Field::number(
    "floor_spinning_friction",
    "m",
    "The arm of the normal force that resists spinning on a spot of the floor.",
)
.not_negative()
.default("0")
.lab(&InLab {
    after: "floor",
    label: Some("floor spinning friction"),
    ..InLab::PLAIN
});
const FLOOR_STIFFNESS: Field = Field::number(
    "floor_stiffness",
    "N/m",
    "Stiffness of the floor at each point of contact; hard when left out.",
)
.positive()
.lab(&InLab {
    after: "floor",
    label: Some("floor stiffness"),
    otherwise: "hard",
    ..InLab::PLAIN
});
const FLOOR_DAMPING: Field = Field::number(
    "floor_damping",
    "N·s/m",
    "Damping of a floor with stiffness at each point of contact. The floor never pulls.",
)
.not_negative()
.default("0")
.lab(&InLab {
    after: "floor_stiffness",
    label: Some("floor damping"),
    ..InLab::PLAIN
});
const FLOOR_RESTITUTION: Field = Field::number(
    "floor_restitution",
    "",
    "Coefficient of restitution of the floor, from 0 to 1.",
)
.not_negative()
.default("0")
.lab(&InLab {
    after: "floor",
    label: Some("floor restitution"),
    ..InLab::PLAIN
});
const DYNAMICS: Field = Field::new(
    "dynamics",
    Form::Word(&Dynamics::CHOICES),
    "What forces cause: accelerations, velocities, or nothing.",
)
.default("\"second-order\"");
const PRESET: Field = Field::new(
    "preset",
    Form::Word(&Scheme::CHOICES),
    "How a frame is integrated.",
)
.default("\"interactive\"");
const INTEGRATOR: Field = Field::new(
    "integrator",
    Form::Word(&Integrator::CHOICES),
    "The integrator of the preset \"parts\".",
)
.default("\"rk4\"")
.lab(&InLab::with(&PARTS));
const STABILIZATION: Field = Field::new(
    "stabilization",
    Form::Entry(&stabilization::SORT),
    "The stabilization of the preset \"parts\".",
)
.default("{\"type\": \"post\"}")
.lab(&InLab::with(&PARTS));
const STEP_TOLERANCE: Field = Field::number(
    "step_tolerance",
    "",
    "Largest error of a step of the preset \"precise\", m or rad.",
)
.positive_by_law()
.default_of(|| json!(PreciseOptions::default().tolerance))
.lab(&InLab {
    label: Some("step error"),
    hint: "m",
    ..InLab::with(&PRECISE)
});
const MAX_DEPTH: Field = Field::new(
    "max_depth",
    Form::Count(u8::MAX as u64),
    "The preset \"interactive\" splits a frame into at most 2^max_depth sub-steps, twice as many for fast rotors.",
)
.was("max_level")
.default_of(|| json!(InteractiveOptions::default().max_depth))
.lab(&InLab::with(&INTERACTIVE));
const METHOD: Field = Field::new(
    "method",
    Form::Word(&Method::CHOICES),
    "How multipliers are found.",
)
.default("\"direct\"");
const SOLVE_ITERATIONS: Field = Field::new(
    "solve_iterations",
    Form::Count(u64::MAX),
    "Largest number of iterations in one solve of an iterative method.",
)
.positive_by_law()
.default_of(|| json!(Krylov::default().max_iterations))
.lab(&InLab {
    label: Some("iterations"),
    hint: "a solve",
    ..InLab::with(&ITERATIVE)
});
const SOLVE_TOLERANCE: Field = Field::number(
    "solve_tolerance",
    "",
    "The largest error that one solve of an iterative method may leave in a joint, relative to the largest without joint forces.",
)
.positive_by_law()
.default_of(|| json!(Krylov::default().tolerance))
.lab(&InLab {
    label: Some("solved to"),
    hint: "each joint",
    ..InLab::with(&ITERATIVE)
});
const WARM_START: Field = Field::new(
    "warm_start",
    Form::Flag,
    "Whether an iterative method starts from the multipliers of the last step.",
)
.default("true")
.lab(&InLab::with(&ITERATIVE));
const CONTACT_SOLVER: Field = Field::new(
    "contact_solver",
    Form::Word(&ContactSolver::CHOICES),
    "The solver of contacts, limits and bounded motors.",
)
.default("\"newton\"");
const DT: Field = Field::number("dt", "s", "Length of a frame.")
    .positive_by_law()
    .default("1/60")
    .lab(&InLab::called("frame"));
const BUDGET: Field = Field::new(
    "iterations",
    Form::Count(u64::MAX),
    "Largest number of iterations in a step.",
)
.positive_by_law()
.lab(&InLab {
    hint: "a frame",
    otherwise: "enough",
    ..InLab::PLAIN
});
const TOLERANCE: Field = Field::number("tolerance", "m", "How well constraints must be closed.")
    .positive_by_law()
    .default_of(|| json!(Budget::default().tolerance))
    .lab(&InLab::called("closed to"));

// What options belong to.
const INTERACTIVE: With = With {
    field: &PRESET,
    words: &["interactive"],
};
const PRECISE: With = With {
    field: &PRESET,
    words: &["precise"],
};
const PARTS: With = With {
    field: &PRESET,
    words: &["parts"],
};
const ITERATIVE: With = With {
    field: &METHOD,
    words: &Method::ITERATIVE,
};

/// All options, in the order in which they are written.
pub(crate) const FIELDS: &[Field] = &[
    GRAVITY,
    FLOOR,
    FLOOR_FRICTION,
    FLOOR_ROLLING_FRICTION,
    FLOOR_SPINNING_FRICTION,
    FLOOR_STIFFNESS,
    FLOOR_DAMPING,
    FLOOR_RESTITUTION,
    DYNAMICS,
    PRESET,
    INTEGRATOR,
    STABILIZATION,
    STEP_TOLERANCE,
    MAX_DEPTH,
    METHOD,
    SOLVE_ITERATIONS,
    SOLVE_TOLERANCE,
    WARM_START,
    CONTACT_SOLVER,
    DT,
    BUDGET,
    TOLERANCE,
];

/// World options.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WorldEntry(pub Fields);

impl Record for WorldEntry {
    fn read(node: &Node) -> Result<Self, Fault> {
        Fields::read(node, &[FIELDS], &[]).map(Self)
    }

    fn schema(definitions: &mut Map<String, Json>) -> Json {
        define(definitions, "WorldEntry", &|definitions| {
            fields_schema("World options.", FIELDS, definitions)
        })
    }
}

impl WorldEntry {
    /// Gravity.
    pub(crate) fn gravity(&self) -> Result<Option<[f64; 3]>, Fault> {
        self.0.get(&GRAVITY)
    }

    /// What of the ground collides.
    pub(crate) fn ground(&self) -> Result<Vec<Collider>, Fault> {
        let Some(height) = self.0.get::<f64>(&FLOOR)? else {
            return Ok(Vec::new());
        };
        let up = up(self.gravity()?);
        let mut floor = floor(up, height);
        floor.friction = self.0.or(&FLOOR_FRICTION, DEFAULT_FRICTION)?;
        floor.rolling_friction = self.0.or(&FLOOR_ROLLING_FRICTION, 0.0)?;
        floor.spinning_friction = self.0.or(&FLOOR_SPINNING_FRICTION, 0.0)?;
        floor.stiffness = self.0.or(&FLOOR_STIFFNESS, f64::INFINITY)?;
        floor.damping = self.0.or(&FLOOR_DAMPING, 0.0)?;
        floor.restitution = self.0.or(&FLOOR_RESTITUTION, 0.0)?;
        floor.validate().map_err(|error| {
            let fault = Fault::from(error);
            let path = format!("floor_{}", fault.path);
            Fault { path, ..fault }
        })?;
        Ok(vec![floor])
    }

    /// A word of the engine's; reading has checked that it is one.
    fn word<T: std::str::FromStr<Err = Error>>(&self, field: &Field) -> Result<Option<T>, Fault> {
        let word = self.0.get::<&str>(field)?;
        Ok(word.map(str::parse).transpose()?)
    }

    /// What forces cause: accelerations, velocities, or nothing.
    pub(crate) fn dynamics(&self) -> Result<Dynamics, Fault> {
        Ok(self.word(&DYNAMICS)?.unwrap_or_default())
    }

    /// How steps are taken.
    pub(crate) fn options(&self) -> Result<StepOptions, Fault> {
        let fields = &self.0;
        self.check_choices()?;
        let mut scheme = self
            .word(&PRESET)?
            .unwrap_or(Scheme::Interactive(InteractiveOptions::default()));
        let dt = fields.or(&DT, FRAME)?;
        if dt <= 0.0 {
            return Err(Fault::at("dt", format!("is {dt}")).hint("give seconds, such as 0.001"));
        }
        match &mut scheme {
            Scheme::Interactive(guards) => {
                let depth = fields.get::<u64>(&MAX_DEPTH)?;
                guards.max_depth = depth.map_or(guards.max_depth, |depth| depth as u8);
            }
            Scheme::Precise(control) => {
                control.tolerance = fields.get(&STEP_TOLERANCE)?.or(control.tolerance);
            }
            Scheme::Parts {
                integrator,
                stabilization,
            } => {
                *integrator = self.word(&INTEGRATOR)?.unwrap_or(*integrator);
                if fields.has(&STABILIZATION) {
                    let build = |law: &StabilizationType, own: &Fields| (law.build)(own);
                    *stabilization = fields.need_made(&STABILIZATION, build)?;
                }
            }
            _ => {}
        }
        let mut options = StepOptions::interactive(dt)
            .with_scheme(scheme)
            .by(self.method()?)
            .with_contact_solver(self.word(&CONTACT_SOLVER)?.unwrap_or_default());
        let budget = &mut options.budget;
        budget.max_iterations = fields.or(&BUDGET, budget.max_iterations)?;
        budget.tolerance = fields.or(&TOLERANCE, budget.tolerance)?;
        Ok(options)
    }

    /// Refuses fields that belong to other words than those chosen.
    fn check_choices(&self) -> Result<(), Fault> {
        for field in FIELDS.iter().filter(|field| self.0.has(field)) {
            let Some(with) = field.lab.with else {
                continue;
            };
            let chosen = self.0.or(with.field, with.field.default_word())?;
            if !with.words.contains(&chosen) {
                let (other, words) = (with.field.name, with.words.join("\" or \""));
                let problem = format!("belongs to another {other}");
                let hint = format!("give \"{other}\": \"{words}\"");
                return Err(Fault::at(field.name, problem).hint(hint));
            }
        }
        Ok(())
    }

    /// How multipliers are found.
    fn method(&self) -> Result<Method, Fault> {
        let fields = &self.0;
        let method = self.word(&METHOD)?.unwrap_or(Method::Direct);
        let defaults = Krylov::default();
        Ok(method.stopping(
            Krylov::default()
                .with_tolerance(fields.or(&SOLVE_TOLERANCE, defaults.tolerance)?)
                .with_max_iterations(fields.or(&SOLVE_ITERATIONS, defaults.max_iterations)?)
                .with_warm_start(fields.or(&WARM_START, true)?),
        ))
    }

    /// What is said of a world's options: what is as when left out is not said.
    pub(crate) fn describe(
        gravity: Option<[f64; 3]>,
        ground: &[Collider],
        dynamics: Dynamics,
        options: &StepOptions,
    ) -> Self {
        let mut fields = Fields::default().with_some(&GRAVITY, gravity);
        if let [floor] = ground {
            let height = dot(floor.pose_body.position, up(gravity));
            fields = (fields.with(&FLOOR, height))
                .unless(&FLOOR_FRICTION, floor.friction, DEFAULT_FRICTION)
                .unless(&FLOOR_ROLLING_FRICTION, floor.rolling_friction, 0.0)
                .unless(&FLOOR_SPINNING_FRICTION, floor.spinning_friction, 0.0)
                .unless(&FLOOR_STIFFNESS, floor.stiffness, f64::INFINITY)
                .unless(&FLOOR_DAMPING, floor.damping, 0.0)
                .unless(&FLOOR_RESTITUTION, floor.restitution, 0.0);
        }
        fields = fields
            .unless(&DYNAMICS, dynamics.name(), Dynamics::default().name())
            .unless(&PRESET, options.scheme.name(), Scheme::WORDS[0]);
        match options.scheme {
            Scheme::Interactive(guards) => {
                let left_out = InteractiveOptions::default().max_depth;
                fields = fields.unless(&MAX_DEPTH, guards.max_depth, left_out);
            }
            Scheme::Precise(control) if control != PreciseOptions::default() => {
                fields = fields.with_some(&STEP_TOLERANCE, control.tolerance);
            }
            Scheme::Parts {
                integrator,
                stabilization,
            } => {
                fields = fields
                    .with(&INTEGRATOR, integrator.name())
                    .with_some(&STABILIZATION, stabilization::describe(stabilization));
            }
            _ => {}
        }
        fields = fields.unless(&METHOD, options.method.name(), Method::Direct.name());
        if let Some(krylov) = options.method.krylov() {
            let left_out = Krylov::default();
            fields = fields
                .unless(
                    &SOLVE_ITERATIONS,
                    krylov.max_iterations,
                    left_out.max_iterations,
                )
                .unless(&SOLVE_TOLERANCE, krylov.tolerance, left_out.tolerance)
                .unless(&WARM_START, krylov.warm_start, true);
        }
        let (budget, left_out) = (options.budget, Budget::default());
        let contact_solver = options.contact_solver.name();
        Self(
            fields
                .unless(&CONTACT_SOLVER, contact_solver, ContactSolver::WORDS[0])
                .unless(&DT, options.dt, FRAME)
                .unless(&BUDGET, budget.max_iterations, left_out.max_iterations)
                .unless(&TOLERANCE, budget.tolerance, left_out.tolerance),
        )
    }
}

/// Against gravity; along y where there is none.
fn up(gravity: Option<Vec3>) -> Vec3 {
    let down = gravity.and_then(unit);
    down.map_or([0.0, 1.0, 0.0], |down| scale(-1.0, down))
}

/// A plane at a height, whose normal, its own x, is `up`.
/// A floor across a direction, as friction is when nothing is said.
pub(crate) fn floor(up: Vec3, height: f64) -> Collider {
    Collider::new(Shape::Plane).placed(standing_on(up, height))
}

fn standing_on(up: Vec3, height: f64) -> Pose {
    let (y, z) = complete_basis(up);
    Pose {
        position: scale(height, up),
        rotation: quat_from_matrix(&transpose(&[up, y, z])),
    }
}
