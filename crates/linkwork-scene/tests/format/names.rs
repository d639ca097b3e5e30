//! What is wrong is said in the words of files: no name of the engine's own comes out.

use std::collections::{BTreeMap, BTreeSet};

use linkwork_scene::catalogue::{Field, Form, SORTS};
use linkwork_scene::load;
use serde_json::{Value, json};

const EVERYTHING: &str = include_str!("../fuzz/everything.json");
const PLANE: &str = include_str!("../kept/plane.json");
/// One of each type that these scenes do not have, beside bodies that are there.
const REST: &str = include_str!("every_type.json");

/// Names that files have: keys of objects, and words of closed sets.
fn known() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let schema = include_str!("../../scenes/linkwork.schema.json");
    gather(&serde_json::from_str(schema).unwrap(), &mut names);
    for sort in SORTS {
        let types = (sort.types)();
        let fields = types.iter().flat_map(|kind| kind.own()).chain(sort.common);
        names.extend(fields.map(|field| field.was.to_owned()));
    }
    names
}

fn gather(of: &Value, names: &mut BTreeSet<String>) {
    if let Some(keys) = of.get("properties").and_then(Value::as_object) {
        names.extend(keys.keys().cloned());
    }
    let words = of.get("enum").and_then(Value::as_array);
    names.extend(
        words
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned),
    );
    match of {
        Value::Object(own) => own.values().for_each(|own| gather(own, names)),
        Value::Array(own) => own.iter().for_each(|own| gather(own, names)),
        _ => {}
    }
}

/// Values that hardly any field takes all of.
fn wrong() -> Vec<Value> {
    vec![
        json!(0),
        json!(-1),
        json!(1e300),
        json!([0, 0, 0]),
        json!([1e300, 1e300, 1e300]),
        json!([1, 0, 0]),
        json!([]),
        json!("nothing of this name"),
        Value::Null,
    ]
}

/// Every place of a document below `at`, but for what only viewers read.
fn places(of: &Value, at: &str, out: &mut Vec<String>) {
    let mut inside = |key: &str, own: &Value| {
        let here = format!("{at}/{key}");
        places(own, &here, out);
        out.push(here);
    };
    match of {
        Value::Object(own) => {
            let fields = own.iter().filter(|(key, _)| *key != "view");
            fields.for_each(|(key, own)| inside(key, own));
        }
        Value::Array(own) if own.iter().any(Value::is_object) => {
            own.iter()
                .enumerate()
                .for_each(|(k, own)| inside(&k.to_string(), own));
        }
        _ => {}
    }
}

/// Words of several parts, as names in programs are: quoted texts of the scene's own apart.
fn names_in(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let words = words.filter(|word| word.contains('_') || word.contains("::"));
    words.map(str::to_owned).collect()
}

/// Puts something wrong at every `of`-th place of a scene, from the `part`-th on.
fn check_faults(text: &str, part: usize, of: usize) {
    let known = known();
    let (mut n, mut foreign) = (0, BTreeMap::new());
    load(text).unwrap();
    let document: Value = serde_json::from_str(text).unwrap();
    let own: BTreeSet<String> = [
        "bodies",
        "joints",
        "behaviors",
        "connectors",
        "traces",
        "hands",
    ]
    .iter()
    .filter_map(|list| document.get(list)?.as_array())
    .flatten()
    .filter_map(|entry| entry.get("name")?.as_str().map(str::to_owned))
    .collect();
    let mut all = Vec::new();
    places(&document, "", &mut all);
    for place in all.iter().skip(part).step_by(of) {
        for value in wrong() {
            let mut document = document.clone();
            *document.pointer_mut(place).unwrap() = value.clone();
            let Err(fault) = load(&document.to_string()) else {
                continue;
            };
            n += 1;
            // Paths are made of names and places in lists.
            let path = fault
                .path
                .split(['.', '[', ']'])
                .filter(|part| !part.is_empty());
            for part in path.filter(|part| part.parse::<usize>().is_err()) {
                let is_own = own.iter().any(|name| name.contains(part));
                if !known.contains(part) && !is_own {
                    foreign.insert(part.to_owned(), format!("{place} {value}: {fault}"));
                }
            }
            let said = format!("{} {}", fault.problem, fault.hint.unwrap_or_default());
            for name in names_in(&said)
                .into_iter()
                .filter(|name| !known.contains(name))
            {
                foreign.insert(name, format!("{place} {value}: {said}"));
            }
            if has_many_digits(&said) {
                foreign.insert(format!("digits at {place}"), said);
            }
        }
    }
    assert!(foreign.is_empty(), "{foreign:#?}");
    assert!(n > 500, "{n}");
}

/// Whether a number in a text has more digits than anyone reads.
fn has_many_digits(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit())
        .any(|digits| digits.len() > 20)
}

#[test]
fn faults_of_everything_use_the_names_of_files() {
    check_faults(EVERYTHING, 0, 1);
}

#[test]
fn faults_in_the_plane_use_the_names_of_files() {
    check_faults(PLANE, 0, 1);
}

#[test]
fn faults_of_the_first_third_of_types_use_the_names_of_files() {
    check_faults(REST, 0, 3);
}

#[test]
fn faults_of_the_second_third_of_types_use_the_names_of_files() {
    check_faults(REST, 1, 3);
}

#[test]
fn faults_of_the_last_third_of_types_use_the_names_of_files() {
    check_faults(REST, 2, 3);
}

/// The tests above see every type, so that none can say another name.
#[test]
fn every_type_is_looked_at() {
    let mut seen = BTreeSet::new();
    for text in [EVERYTHING, PLANE, REST] {
        types(&serde_json::from_str(text).unwrap(), &mut seen);
    }
    let mut missing = Vec::new();
    // What stabilizations say is of the same form; one of them is there.
    let is_like = |word: &str| word == "part" || word == "stabilization";
    for sort in SORTS.iter().filter(|sort| !is_like(sort.word)) {
        for kind in (sort.types)() {
            if !seen.contains(kind.word) {
                missing.push(format!("{} {}", sort.word, kind.word));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

fn types(of: &Value, seen: &mut BTreeSet<String>) {
    if let Some(word) = of.get("type").and_then(Value::as_str) {
        seen.insert(word.to_owned());
    }
    match of {
        Value::Object(own) => own.values().for_each(|own| types(own, seen)),
        Value::Array(own) => own.iter().for_each(|own| types(own, seen)),
        _ => {}
    }
}

/// What a field must be, in words, has no name of the engine's either.
#[test]
fn missing_fields_are_said_in_the_names_of_files() {
    let known = known();
    let check = |field: &Field| {
        if let Form::Fields(inner) = field.form {
            for own in inner {
                assert!(
                    names_in(own.help).iter().all(|name| known.contains(name)),
                    "{}",
                    own.name
                );
            }
        }
        assert!(
            names_in(field.help).iter().all(|name| known.contains(name)),
            "{}",
            field.name
        );
    };
    for sort in SORTS {
        for kind in (sort.types)() {
            kind.own().for_each(check);
        }
        sort.common.iter().for_each(check);
    }
}
