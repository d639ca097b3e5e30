//! The published schema is that of the types.

use linkwork_scene::schema;

#[test]
fn the_schema_in_the_tree_is_that_of_the_types() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/linkwork.schema.json");
    let text = schema();
    if std::env::var_os("LINKWORK_BLESS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(
        kept, text,
        "run the test once with LINKWORK_BLESS=1 to write the new schema"
    );
}
