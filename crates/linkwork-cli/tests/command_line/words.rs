//! Commands that answer with a text: the tour, help, names, schema, format.

use crate::folder::{FOUR_BAR, Folder};

#[test]
fn alone_it_shows_a_tour() {
    let folder = Folder::new("tour");
    let tour = folder.run("").fine();
    assert!(tour.contains("linkwork run four-bar --csv motion.csv"));
    assert!(tour.lines().count() < 20);
}

#[test]
fn every_command_teaches_by_example() {
    let folder = Folder::new("help");
    for command in [
        "",
        "scenes",
        "check",
        "run",
        "sweep",
        "assemble",
        "import",
        "format",
        "schema",
        "lab",
        "completions",
        "man",
    ] {
        let help = folder.run(&format!("{command} --help")).fine();
        assert!(help.contains("Examples:\n  linkwork "), "{command}");
    }
    assert!(folder.run("--version").fine().starts_with("linkwork "));
}

/// The tour's commands do what they say; so do those of the help.
#[test]
fn the_tour_can_be_taken() {
    let folder = Folder::new("taken");
    folder.run("scenes").fine();
    folder.run("check four-bar").fine();
    folder.run("run four-bar --csv motion.csv").fine();
    folder
        .run("run four-bar --plot forces.svg --plot-columns joint.*.force.magnitude")
        .fine();
    folder.write("mine.json", folder.run("format four-bar").fine());
    folder.run("assemble mine.json -o closed.json").fine();
    let files = ["closed.json", "forces.svg", "mine.json", "motion.csv"];
    assert_eq!(folder.files(), files);
}

#[test]
fn scenes_are_listed() {
    let folder = Folder::new("scenes");
    let list = folder.run("scenes").fine();
    assert!(list.lines().any(|line| line.starts_with("chain:N")));
    let json = folder.run("scenes --json").json();
    let named = |name: &str| {
        json.as_array()
            .unwrap()
            .iter()
            .any(|own| own["name"] == name)
    };
    assert!(named("four-bar") && named("chain"));
    assert_eq!(json.as_array().unwrap().len(), list.lines().count());
}

#[test]
fn the_schema_is_written() {
    let folder = Folder::new("schema");
    let schema = folder.run("schema").fine();
    assert_eq!(schema, linkwork_scene::schema());
    folder.run("schema -o linkwork.schema.json").fine();
    assert_eq!(folder.read("linkwork.schema.json"), schema);
}

#[test]
fn shells_get_completions() {
    let folder = Folder::new("completions");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.run(&format!("completions {shell}")).fine();
        assert!(
            script.contains("sweep") && script.contains("plot-x"),
            "{shell}"
        );
    }
    folder.run("completions tcsh").refuses(1, "bash");
}

#[test]
fn every_command_has_a_page() {
    let folder = Folder::new("man");
    folder.run("man pages").fine();
    for page in ["linkwork", "linkwork-run", "linkwork-sweep", "linkwork-man"] {
        let text = folder.read(&format!("pages/{page}.1"));
        assert!(text.contains(&format!(".TH {page} 1")), "{text}");
    }
    let run = folder.read("pages/linkwork-run.1");
    assert!(
        run.contains("Examples:") && run.contains("plot\\-x"),
        "{run}"
    );
    folder.write("taken", "");
    folder.run("man taken").refuses(1, "taken");
}

#[test]
fn scenes_are_formatted() {
    let folder = Folder::new("format");
    let text = folder.run_with("format -", FOUR_BAR).fine();
    // The author's words stay, and formatting twice changes nothing.
    assert!(text.contains(r#""at": [0.4, 0.0, 0.0]"#), "{text}");
    assert_eq!(folder.run_with("format -", &text).fine(), text);
    let computed = folder.run_with("format - --computed", FOUR_BAR).fine();
    assert!(computed.contains("\"rotation\"") && !computed.contains("\"at\""));
    folder.write("mine.json", FOUR_BAR);
    folder.run("format mine.json -o mine.json").fine();
    assert_eq!(folder.read("mine.json"), text);
}
