//! What is wrong with a file, where, and what to do.

use std::fmt;

use linkwork::prelude::Error;

/// A mistake in a scene, command or model file.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Fault {
    /// The file's name, if there is one.
    pub file: Option<String>,
    /// Line and column in the text, from one, where known.
    pub place: Option<(usize, usize)>,
    /// Where in the document, such as `joints[3].a.body`; empty for the document itself.
    pub path: String,
    /// What is wrong.
    pub problem: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Fault {
    /// A fault at a path of the document.
    pub fn at(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            problem: problem.into(),
            ..Self::default()
        }
    }

    /// The same with advice.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with the name among `known` that was probably meant, if something is near enough.
    pub fn meant<'a>(self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let hint = meant(name, known).or(self.hint);
        Self { hint, ..self }
    }

    /// The same in a file.
    pub fn in_file(mut self, file: &str) -> Self {
        self.file = Some(file.to_owned());
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}")?;
            if let Some((line, column)) = self.place {
                write!(f, ":{line}:{column}")?;
            }
            f.write_str(": ")?;
        } else if let Some((line, column)) = self.place {
            write!(f, "line {line}, column {column}: ")?;
        }
        if !self.path.is_empty() {
            write!(f, "{}: ", Plain(&self.path))?;
        }
        write!(f, "{}", Plain(&self.problem))?;
        if let Some(hint) = &self.hint {
            write!(f, "\n  hint: {}", Plain(hint))?;
        }
        Ok(())
    }
}

/// Text in which names may stand: what would drive a terminal is written out.
struct Plain<'t>(&'t str);

impl fmt::Display for Plain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter.is_control() {
                true => write!(f, "{}", letter.escape_default())?,
                false => write!(f, "{letter}")?,
            }
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}

/// The name among `known` that was probably meant.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(name, &mut known.into_iter())
}

fn nearest_of<'a>(name: &str, known: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_ascii_lowercase();
    let (likeness, best) = known
        .map(|known| {
            (
                strsim::jaro_winkler(&name, &known.to_ascii_lowercase()),
                known,
            )
        })
        .max_by(|a, b| a.0.total_cmp(&b.0))?;
    (likeness > 0.8).then_some(best)
}

/// "did you mean …?", if something is near enough.
pub(crate) fn meant<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(name, known).map(|best| format!("did you mean \"{best}\"?"))
}

impl Fault {
    /// The same, seen from further out: `a.body` under `joints[3]` is `joints[3].a.body`.
    pub fn under(mut self, prefix: &str) -> Self {
        self.path = match (prefix.is_empty(), self.path.is_empty()) {
            (true, _) => self.path,
            (_, true) => prefix.to_owned(),
            _ if self.path.starts_with('[') => format!("{prefix}{}", self.path),
            _ => format!("{prefix}.{}", self.path),
        };
        self
    }

    /// A field that must be there and is not.
    pub(crate) fn missing(field: &str, what: &str) -> Self {
        Self::at("", format!("has no \"{field}\"")).hint(format!("give \"{field}\": {what}"))
    }
}

/// Something that may have gone wrong within something larger.
pub(crate) trait Under<T> {
    /// The same, seen from further out.
    fn under(self, prefix: &str) -> Result<T, Fault>;
}

impl<T, E: Into<Fault>> Under<T> for Result<T, E> {
    fn under(self, prefix: &str) -> Result<T, Fault> {
        self.map_err(|error| error.into().under(prefix))
    }
}

/// The engine's names of fields, as files have them.
const FIELDS: &[(&str, &str)] = &[
    ("label", "name"),
    ("com_body", "com"),
    ("inertia_body", "inertia"),
    ("second_moments_body", "second_moments"),
    ("axis_world", "axis"),
    ("axis_a_world", "axis"),
    ("axis_b_world", "axis_b"),
    ("normal_world", "normal"),
    ("acceleration_world", "acceleration"),
    ("force_world", "force"),
    ("amplitude_world", "amplitude"),
    ("swing_world", "swing"),
    ("center_world", "center"),
    ("start_world", "start"),
    ("velocity_world", "velocity"),
    ("point_world", "point"),
    ("axis_world length", "axis"),
    ("direction length", "direction"),
    ("frame origin", "point"),
    ("frame axis", "axis"),
    ("frame angle", "angle"),
    ("c_start", "errors"),
    ("c_dot_start", "rates"),
    ("knots", "keyframes"),
    ("seconds", "close_over"),
    ("rotation", "quaternion"),
    ("shape", "collide"),
];

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error {
            Error::Field { field, mut problem } => {
                let known = FIELDS.iter().find(|(engine, _)| *engine == field);
                // Problems that name another field do so by the engine's name.
                for (engine, file) in FIELDS.iter().filter(|(engine, _)| engine.contains('_')) {
                    if problem.contains(engine) {
                        problem = problem.replace(engine, &format!("\"{file}\""));
                    }
                }
                Self::at(known.map_or(field, |(_, file)| file), problem)
            }
            Error::Invalid { source, .. } => (*source).into(),
            Error::DuplicateLabel { label, .. } => {
                Self::at("name", format!("\"{label}\" is taken"))
                    .hint("names are unique among bodies, among joints and among behaviors")
            }
            other => Self::at("", other.to_string()),
        }
    }
}
