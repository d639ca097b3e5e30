//! The world's options: the engine's words, its help and its defaults, and what belongs to which word.

use linkwork::integrate::Integrator;
use linkwork::prelude::*;
use linkwork::solve::ContactSolver;
use linkwork::stabilize::Stabilization;
use linkwork::step::Scheme;
use linkwork_scene::catalogue::{Catalogue, FieldInfo, export};
use linkwork_scene::{Scene, load};
use serde_json::{Map, Value as Json, json};

fn loaded(world: &Map<String, Json>) -> Result<Scene, String> {
    let text = json!({ "linkwork": 1, "world": world }).to_string();
    load(&text).map_err(|fault| fault.to_string())
}

fn option<'c>(catalogue: &'c Catalogue, name: &str) -> &'c FieldInfo {
    let found = catalogue.world.iter().find(|field| field.name == name);
    found.unwrap_or_else(|| panic!("no {name}"))
}

/// What a field says when it says what it is when left out; none where that is not one value.
fn left_out(field: &FieldInfo) -> Option<Json> {
    match (field.form, field.default, field.otherwise) {
        ("count", Some(number), _) => Some(json!(number as u64)),
        ("number", Some(number), _) => Some(json!(number)),
        ("word", _, Some(word)) => Some(json!(word)),
        ("entry", _, Some(word)) => Some(json!({ "type": word })),
        _ => None,
    }
}

/// A world that says this, and what it belongs to.
fn world(field: &FieldInfo, value: Json) -> Map<String, Json> {
    let mut world = Map::new();
    if let (Some(other), Some(words)) = (field.after, field.with) {
        world.insert(other.to_owned(), json!(words[0]));
    }
    world.insert(field.name.to_owned(), value);
    world
}

#[test]
fn words_and_their_help_are_those_of_the_engine() {
    let catalogue = export();
    for (name, choices) in [
        ("dynamics", Dynamics::CHOICES),
        ("preset", Scheme::CHOICES),
        ("integrator", Integrator::CHOICES),
        ("method", Method::CHOICES),
        ("contact_solver", ContactSolver::CHOICES),
    ] {
        let field = option(&catalogue, name);
        assert_eq!(field.words, Some(choices.words));
        assert_eq!(field.meanings, Some(choices.help));
    }
    let mut sorts = catalogue.sorts.iter();
    let sort = sorts.find(|own| own.word == "stabilization").unwrap();
    let words: Vec<_> = sort.types.iter().map(|own| own.word).collect();
    let help: Vec<_> = sort.types.iter().map(|own| own.help).collect();
    assert_eq!(words, Stabilization::CHOICES.words);
    assert_eq!(help, Stabilization::CHOICES.help);
}

#[test]
fn a_stabilization_without_numbers_has_those_of_the_engine() {
    let catalogue = export();
    let field = option(&catalogue, "stabilization");
    for rule in Stabilization::all() {
        let scene = loaded(&world(field, json!({ "type": rule.name() }))).unwrap();
        let Scheme::Parts { stabilization, .. } = scene.options.scheme else {
            panic!("{:?}", scene.options.scheme);
        };
        assert_eq!(stabilization, rule);
    }
}

#[test]
fn what_is_left_out_is_what_the_catalogue_says() {
    let catalogue = export();
    let mut told = 0;
    for field in &catalogue.world {
        let Some(value) = left_out(field) else {
            continue;
        };
        let said = world(field, value);
        let mut silent = said.clone();
        silent.remove(field.name);
        let [said, silent] = [said, silent].map(|world| loaded(&world).unwrap());
        assert_eq!(said.options, silent.options, "{}", field.name);
        assert_eq!(said.world.dynamics(), silent.world.dynamics());
        told += 1;
    }
    assert!(told >= 12, "{told}");
}

#[test]
fn options_belong_to_words_of_others() {
    let catalogue = export();
    let mut refused = 0;
    for field in &catalogue.world {
        let Some(words) = field.with else {
            continue;
        };
        let other = option(&catalogue, field.after.unwrap());
        let value = left_out(field).unwrap_or(json!(true));
        for word in other.words.unwrap() {
            let mut world = world(field, value.clone());
            world.insert(other.name.to_owned(), json!(word));
            match loaded(&world) {
                Ok(_) => assert!(words.contains(word), "{} {word}", field.name),
                Err(told) => {
                    assert!(!words.contains(word), "{} {word}", field.name);
                    let problem = format!("{}: belongs to another {}", field.name, other.name);
                    let hint = format!("give \"{}\": \"{}\"", other.name, words.join("\" or \""));
                    assert!(told.contains(&problem) && told.contains(&hint), "{told}");
                    refused += 1;
                }
            }
        }
    }
    // Of four presets and of five methods, two of which iterate.
    assert!(refused >= 4 * 3 + 3 * 3, "{refused}");
}
