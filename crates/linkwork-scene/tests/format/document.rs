//! The document for people speaks of everything, and its examples run.

use linkwork_scene::catalogue::tables;
use linkwork_scene::command::replay;
use linkwork_scene::load;

const PAGE: &str = include_str!("../../../../docs/scenes.md");

/// Tables stand between `<!-- catalogue: joint -->` and `<!-- end -->`.
#[test]
fn its_tables_are_those_of_the_catalogue() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scenes.md");
    let mut page = PAGE.to_owned();
    for (word, table) in tables() {
        let mark = format!("<!-- catalogue: {word} -->\n");
        let start = page.find(&mark).unwrap_or_else(|| panic!("no {mark}")) + mark.len();
        let end = start + page[start..].find("<!-- end -->").unwrap();
        page.replace_range(start..end, &table);
    }
    if std::env::var_os("LINKWORK_BLESS").is_some() {
        std::fs::write(path, &page).unwrap();
        return;
    }
    assert!(
        page == PAGE,
        "run the test once with LINKWORK_BLESS=1 to write the new tables"
    );
}

#[test]
fn its_examples_run() {
    let examples: Vec<&str> = PAGE.split("```json\n").skip(1).collect();
    let examples: Vec<&str> = examples
        .iter()
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    let [scene, bead, log] = examples.as_slice() else {
        panic!("{} examples", examples.len());
    };
    let bead = load(bead).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(bead.world.find_constraint("slide").is_some());
    let scene = load(scene).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(scene.world.bodies().len(), 2);
    for error in scene.world.constraint_errors().unwrap() {
        assert!(error.size() < 1e-15, "{error:?}");
    }
    let session = replay(log).unwrap_or_else(|fault| panic!("{fault}"));
    assert!((session.scene().world.state().t - 1.0).abs() < 1e-12);
}
