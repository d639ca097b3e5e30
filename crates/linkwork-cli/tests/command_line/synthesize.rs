//! `linkwork synthesize`.

use crate::folder::Folder;

fn ellipse() -> String {
    let mut text = "x,y\n".to_owned();
    for k in 0..60 {
        let angle = std::f64::consts::TAU * f64::from(k) / 60.0;
        text += &format!("{},{}\n", 0.5 * angle.cos(), 0.2 * angle.sin());
    }
    text
}

#[test]
fn a_path_becomes_a_scene_that_runs() {
    let folder = Folder::new("synthesize");
    folder.write("path.csv", ellipse());
    let answer = folder.run("synthesize path.csv --found 2 -o linkage.json");
    assert!(answer.err.contains("crank-rocker"), "{}", answer.err);
    answer.fine();
    let found = folder.run("check linkage.json --json").json();
    assert_eq!(found["closure"], "closed");
    folder.run("run linkage.json --seconds 1").fine();
    let rows = folder
        .run("synthesize path.csv --found 2 --report json")
        .json();
    assert!(rows[0]["rms"].as_f64().unwrap() < 0.01);
    assert_eq!(rows[0]["in_order"], true);
}

#[test]
fn what_is_no_path_is_refused_by_line() {
    let folder = Folder::new("synthesize-refuses");
    folder.write("path.csv", "0,0\n1,one\n");
    let answer = folder.run("synthesize path.csv -o linkage.json");
    answer.refuses(2, "path.csv:2:3:");
    folder.write("path.csv", "0,0\n1,1\n");
    folder
        .run("synthesize path.csv")
        .refuses(2, "has 2 different points");
    folder
        .run("synthesize nowhere.csv")
        .refuses(2, "nowhere.csv");
    assert_eq!(folder.files(), ["path.csv"]);
}

/// Hoecken's linkage with other measures draws an ellipse it never drew, and is a scene with its names.
#[test]
fn the_linkage_of_a_scene_is_brought_to_a_path() {
    let folder = Folder::new("synthesize-scene");
    folder.write("path.csv", ellipse());
    let answer = folder.run("synthesize hoecken path.csv --anyway -o fitted.json");
    assert!(answer.err.contains("rocker length"), "{}", answer.err);
    answer.fine();
    let found = folder.run("check fitted.json --json").json();
    assert_eq!(found["closure"], "closed");
    folder.run("run fitted.json --seconds 1").fine();
    let told = folder
        .run("synthesize hoecken path.csv --anyway -o again.json --report json")
        .json();
    let number = |name: &str| told[name].as_f64().unwrap();
    assert!(number("rms") < number("rms_before"), "{told}");
    folder
        .run("synthesize path.csv --keep crank")
        .refuses(1, "name the scene before the path");
    folder
        .run("synthesize watt path.csv")
        .refuses(2, "neither a pin nor the drive");
}
