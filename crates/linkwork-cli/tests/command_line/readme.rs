//! The five minutes of README.md, taken.

use crate::folder::Folder;

const README: &str = include_str!("../../../../README.md");

/// What stands in the fenced blocks of a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    let starts = README.split(fence.as_str()).skip(1);
    starts.filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn five_minutes() {
    let folder = Folder::new("five-minutes");
    folder.write("four-bar.json", blocks("json")[0]);
    let commands = blocks("sh").concat();
    let commands: Vec<&str> = commands
        .lines()
        .filter_map(|line| line.strip_prefix("linkwork "))
        .collect();
    let said = folder.run(commands[0]).fine();
    assert_eq!(said, blocks("text")[0]);
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
