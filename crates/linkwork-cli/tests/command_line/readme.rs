//! The five minutes of README.md, taken; the commands of the crate's own.

use crate::folder::Folder;

const README: &str = include_str!("../../../../README.md");
const SCRIPTS: &str = include_str!("../../../../docs/command-line.md");
const OWN: &str = include_str!("../../README.md");

/// What stands in the fenced blocks of a language.
fn blocks<'a>(document: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("```{language}\n");
    let starts = document.split(fence.as_str()).skip(1);
    starts.filter_map(|rest| rest.split("```").next()).collect()
}

/// The arguments of every call of `linkwork`.
fn commands(document: &str) -> Vec<&str> {
    let lines = blocks(document, "sh").into_iter().flat_map(str::lines);
    lines
        .filter_map(|line| line.strip_prefix("linkwork "))
        .collect()
}

#[test]
fn five_minutes() {
    let folder = Folder::new("five-minutes");
    folder.write("four-bar.json", blocks(README, "json")[0]);
    let commands = commands(README);
    let said = folder.run(commands[0]).fine();
    assert_eq!(said, blocks(README, "text")[0]);
    folder.run(commands[1]).fine();
    assert_eq!(
        folder.files(),
        ["forces.svg", "four-bar.json", "motion.csv"]
    );
    // The picture is the one that comes out, but for the last digits of its curves.
    let picture = include_str!("../../../../docs/pictures/four-bar-forces.svg");
    let drawn = |svg: &str| svg.replace(|c: char| c.is_ascii_digit() || c == '-', "");
    assert_eq!(drawn(&folder.read("forces.svg")), drawn(picture));
    assert!(picture.len() < 60_000);
}

/// What the page for scripts shows works as it stands there.
#[test]
fn commands_of_scripts() {
    let folder = Folder::new("scripts");
    let commands = commands(SCRIPTS);
    assert_eq!(commands.len(), 6);
    for command in commands {
        // The shell takes what stands after >.
        let command = command.split(" > ").next().unwrap_or_default();
        folder.run(command).fine();
    }
    assert_eq!(folder.files(), ["events.csv", "pages", "sweep.csv"]);
    assert_eq!(folder.read("sweep.csv").lines().count(), 1 + 5 * 2);
}

#[test]
fn commands_of_the_package() {
    let folder = Folder::new("package-readme");
    let commands = commands(OWN);
    assert_eq!(commands[0], "lab", "tested elsewhere");
    for command in &commands[1..] {
        folder.run(command).fine();
    }
    assert_eq!(folder.files(), ["energy.svg", "motion.csv"]);
}
