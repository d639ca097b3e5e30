//! Files, builders, the table and the list for people agree.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use linkwork_scene::library::{self, Kind, Listing};
use linkwork_scene::{describe, load, save, scene, write};

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/scenes"))
}

/// Whether files are to be written anew.
fn blesses() -> bool {
    std::env::var_os("LINKWORK_BLESS").is_some()
}

/// A file in the tree is this text, or becomes it.
fn check_file(name: &str, text: &str) {
    let path = folder().join(name);
    if blesses() {
        // In one go: other tests read these files at the same time.
        let beside = folder().join(format!("{name}.new"));
        fs::write(&beside, text).unwrap();
        fs::rename(&beside, &path).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    // Not `assert_eq`: these texts are long.
    assert!(
        kept == text,
        "scenes/{name} is not what it should be; run the test once with LINKWORK_BLESS=1"
    );
}

/// A scene opens with what the table says, and a derived file is written as this program writes it.
pub(crate) fn check(listing: &Listing) {
    if listing.kind == Kind::DerivedFile {
        check_derived(listing);
    }
    check_hints(listing);
}

fn check_derived(listing: &Listing) {
    let name = listing.name;
    let mut document = describe(&library::open(name).unwrap()).unwrap();
    document.schema = Some("linkwork.schema.json".into());
    check_file(&format!("{name}.json"), &write::text(&document).unwrap());
}

/// Whoever opens a scene gets a name, a reason and a camera; whoever builds it, the same state.
fn check_hints(listing: &Listing) {
    let opened = library::open(listing.small).unwrap();
    assert_eq!(opened.name.as_deref(), Some(listing.small));
    assert_eq!(opened.why.as_deref(), Some(listing.why));
    // Nothing begins in anything that pushes it out again.
    let overlaps = opened.world.overlaps();
    let in_it = overlaps.iter().find(|own| own.collide && own.depth > 1e-8);
    assert!(in_it.is_none(), "{in_it:?}");
    let camera = opened.view.camera.as_ref().unwrap();
    assert!(camera.eye != camera.target);
    let built = scene(listing.small).unwrap();
    assert_eq!(built.state_hash(), opened.world.state_hash());
    for trace in &opened.traces {
        opened.world.position_world(&trace.of).unwrap();
    }
    let text = save(&opened).unwrap();
    assert_eq!(save(&load(&text).unwrap()).unwrap(), text);
}

#[test]
fn every_file_is_in_the_table_and_says_the_same() {
    let mut names = BTreeSet::new();
    for listing in library::list().filter(|listing| listing.kind != Kind::Builder) {
        let file = format!("{}.json", listing.name);
        let text = fs::read_to_string(folder().join(&file)).unwrap();
        let document = linkwork_scene::parse(&text).unwrap();
        assert_eq!(document.name.as_deref(), Some(listing.name), "{file}");
        assert_eq!(document.why.as_deref(), Some(listing.why), "{file}");
        let schema = document.schema.as_deref();
        assert_eq!(schema, Some("linkwork.schema.json"), "{file}");
        names.insert(file);
    }
    for entry in fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_scene = name.ends_with(".json") && !name.ends_with(".schema.json");
        assert!(!is_scene || names.contains(&name), "{name} has no entry");
    }
}

#[test]
fn the_list_for_people_is_that_of_the_table() {
    let path = folder().join("README.md");
    let kept = fs::read_to_string(&path).unwrap_or_default();
    let (head, foot) = ("| name | why | source |\n|---|---|---|\n", "\n\n## ");
    let mut table = String::from(head);
    for listing in library::list() {
        let source = match listing.kind {
            Kind::File => format!("[file]({}.json), by hand", listing.name),
            Kind::DerivedFile => format!("[file]({}.json), derived", listing.name),
            Kind::Builder => "builder".to_owned(),
        };
        writeln!(
            table,
            "| `{}` | {} | {source} |",
            listing.usage, listing.why
        )
        .unwrap();
    }
    let table = table.trim_end();
    let start = kept.find(head).unwrap_or(kept.len());
    let end = kept[start..].find(foot).map_or(kept.len(), |at| start + at);
    check_file(
        "README.md",
        &format!("{}{table}{}", &kept[..start], &kept[end..]),
    );
}
