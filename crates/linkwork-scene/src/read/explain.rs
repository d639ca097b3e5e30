//! The parser's words for what is wrong, in words for people.

use super::whereabouts::path_to;
use crate::fault::{Fault, meant};

/// Words of other programs, and ours for the same.
const SAME: &[(&str, &str)] = &[
    ("bar", "rod"),
    ("beam", "rod"),
    ("link", "rod"),
    ("block", "box"),
    ("cuboid", "box"),
    ("plate", "box"),
    ("point", "particle"),
    ("wheel", "disc"),
    ("disk", "disc"),
    ("revolute", "hinge"),
    ("pin", "hinge"),
    ("pivot", "hinge"),
    ("spherical", "ball"),
    ("slider", "prismatic"),
    ("slide", "prismatic"),
    ("fixed", "weld"),
    ("rope", "distance"),
    ("motor", "drive"),
    ("anchor", "at"),
    ("speed", "rate"),
    ("origin", "position"),
    ("rotation", "quaternion"),
    ("color", "colour"),
    ("timestep", "dt"),
    ("time_step", "dt"),
    ("points", "keyframes"),
    ("keys", "keyframes"),
    ("knots", "keyframes"),
];

/// Longer paths are cut: what is nested too deep would fill the screen.
const LONGEST_PATH: usize = 120;

/// What is wrong, and where in the document; `text` is what was read.
pub(super) fn explain(error: &serde_json::Error, text: &str) -> Fault {
    let mut fault = explain_json(error);
    let path = path_to(text, error);
    fault.path.clone_from(&path);
    let problem = std::mem::take(&mut fault.problem);
    fault.problem = match problem.strip_prefix("there is no type ") {
        // A preset, a method, the axes: what stands in another field is not a type.
        Some(word) => match path.rsplit(['.', ']']).next() {
            Some(field) if !field.is_empty() && field != "type" => {
                format!("there is no {field} {word}")
            }
            _ => problem,
        },
        None => problem,
    };
    match fault.problem.as_str() {
        // A list of three that goes on.
        "trailing characters" if !path.is_empty() => {
            fault.problem = "has too many numbers".into();
            fault.hint = Some("numbers have a point, not a comma: 9.81".into());
        }
        "recursion limit exceeded" => {
            fault.problem = "is nested too deep".into();
            fault.hint = None;
        }
        _ => {}
    }
    if fault.path.len() > LONGEST_PATH {
        let end = (0..=LONGEST_PATH)
            .rev()
            .find(|&end| fault.path.is_char_boundary(end));
        fault.path.truncate(end.unwrap_or(0));
        fault.path.push('…');
    }
    if let Some(advice) = advice_at(text, &fault) {
        fault.hint = Some(advice.to_owned());
    }
    fault
}

/// What to do about what stands at the place of a mistake in JSON itself.
fn advice_at(text: &str, fault: &Fault) -> Option<&'static str> {
    let about_json = [
        "key must be a string",
        "expected value",
        "expected ident",
        "trailing comma",
    ];
    if !about_json.contains(&fault.problem.as_str()) && !fault.problem.starts_with("expected `") {
        return None;
    }
    let (line, column) = fault.place?;
    let line = text.lines().nth(line - 1)?;
    let at = column.saturating_sub(1).min(line.len());
    let (before, after) = (line.get(..at)?, line.get(at..)?);
    // The parser may stand on the letter, or behind it.
    let here = |word: &str| {
        after.starts_with(word) || before.ends_with(word) || {
            let from = at.saturating_sub(word.len());
            line.get(from..).is_some_and(|rest| rest.starts_with(word))
        }
    };
    if here("//") || here("/*") || here("#") {
        return Some("JSON has no comments; \"why\" is the place for words");
    }
    if here("NaN") || here("Infinity") || here("-Infinity") || here("nan") || here("inf") {
        return Some("what is no number or infinite has no place here");
    }
    let last = before.trim_end().chars().next_back();
    let closes = |c: Option<char>| matches!(c, Some('}' | ']'));
    let comma_before = last == Some(',') && closes(after.trim_start().chars().next());
    let comma_then = closes(last)
        && before
            .trim_end()
            .trim_end_matches(['}', ']'])
            .trim_end()
            .ends_with(',');
    (comma_before || comma_then)
        .then_some("there is a comma too many: none stands after the last entry")
}

/// The words of the parser, without its coordinates, and advice.
fn explain_json(error: &serde_json::Error) -> Fault {
    let said = error.to_string();
    let problem = match said.rfind(" at line ") {
        Some(end) => &said[..end],
        None => &said,
    };
    let mut fault = Fault::at("", problem);
    if error.line() > 0 {
        fault.place = Some((error.line(), error.column()));
    }
    if error.is_eof() {
        fault.problem = "the file ends too early".into();
        fault.hint = Some("a bracket or a quote is not closed, or the file was cut off".into());
        return fault;
    }
    let quoted: Vec<&str> = problem.split('`').skip(1).step_by(2).collect();
    match (problem.split_once(' '), quoted.as_slice()) {
        // "unknown field `lenght`, expected one of `name`, `length`", "unknown variant …"
        (Some(("unknown", what)), [unknown, known @ ..]) => {
            let what = match what.starts_with("field") {
                true => "field",
                false => "type",
            };
            fault.problem = format!("there is no {what} \"{unknown}\"");
            fault.hint = Some(hint(unknown, known));
        }
        (Some(("missing", _)), [field]) => fault.problem = format!("has no \"{field}\""),
        (Some(("duplicate", _)), [field]) => {
            fault.problem = format!("has \"{field}\" twice");
            fault.hint = Some("leave one of them out".into());
        }
        // "invalid type: string "z", expected an array of length 3"
        (Some(("invalid", rest)), _) => {
            if let Some((given, wanted)) = rest.split_once(", expected ") {
                let given = given.split_once(": ").map_or(given, |(_, given)| given);
                fault.problem = match given.strip_prefix("length ") {
                    Some(length) => format!("is a list of {length}, but must be {}", word(wanted)),
                    None => format!("is {}, but must be {}", given_word(given), word(wanted)),
                };
                if wanted == "f64" && given.starts_with("string") {
                    let hint = "give a bare number in SI units: 10 mm is 0.01, 1 kg is 1";
                    fault.hint = Some(hint.into());
                }
            }
        }
        _ if error.is_syntax() => fault.hint = Some(advice(problem).to_owned()),
        _ => {}
    }
    fault
}

/// What was probably meant, or all that there is.
fn hint(unknown: &str, known: &[&str]) -> String {
    let same = SAME.iter().find(|(theirs, _)| *theirs == unknown);
    if let Some((_, ours)) = same.filter(|(_, ours)| known.contains(ours)) {
        return format!("here it is called \"{ours}\"");
    }
    let near = meant(unknown, known.iter().copied());
    near.unwrap_or_else(|| format!("there is {}", known.join(", ")))
}

/// What was given: "string \"z\"" is "z", "floating point `1.5`" is 1.5.
fn given_word(given: &str) -> String {
    match given {
        "map" => "an object".into(),
        "sequence" => "a list".into(),
        "null" => "null".into(),
        _ => match given.split_once('`') {
            Some((_, number)) => number.trim_end_matches('`').to_owned(),
            None => given.strip_prefix("string ").unwrap_or(given).to_owned(),
        },
    }
}

/// What must be there: "f64" is a number.
fn word(wanted: &str) -> String {
    match wanted {
        "f64" => "a number".into(),
        "u8" | "u32" | "u64" | "usize" => "a whole number, not negative".into(),
        "a boolean" => "true or false".into(),
        "a sequence" => "a list".into(),
        _ if wanted.starts_with("struct ") => "an object, { … }".into(),
        _ => match wanted.strip_prefix("an array of length ") {
            Some(n) => format!("a list of {n}"),
            None => wanted.to_owned(),
        },
    }
}

/// What to look for where the text is not JSON.
fn advice(problem: &str) -> &'static str {
    match problem {
        "key must be a string" => "names are in double quotes: \"name\"",
        "trailing comma" => "the last entry has no comma after it",
        "expected value" => "look for a comma too many, or a value that was left out",
        "number out of range" => "numbers go up to 1e308",
        _ => "the text is not JSON here: look for a missing comma or quote",
    }
}
