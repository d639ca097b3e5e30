//! Equation tags in the source and `docs/papers.md` agree, both ways.

use std::fs;

use crate::paths::{looks_like_path, quoted};
use crate::source::{engine, line, read, sources};

/// One paper of `docs/papers.md`.
pub(crate) struct Paper {
    /// Such as `Baraff 1996`.
    pub(crate) key: String,
    pub(crate) rows: Vec<Row>,
}

/// One row of a paper's table.
pub(crate) struct Row {
    /// The first column, with the paper's key before it.
    pub(crate) place: String,
    /// Equation numbers and sections it covers, such as `eq. 8` and `§7.3`.
    covers: Vec<String>,
    /// Files named in the third column.
    pub(crate) files: Vec<String>,
    status: String,
}

impl Row {
    pub(crate) fn implemented(&self) -> bool {
        self.status == "implemented"
    }
}

const STATUSES: [&str; 4] = ["implemented", "in progress", "planned", "context"];

/// The papers and their tables.
pub(crate) fn papers() -> Vec<Paper> {
    let mut papers: Vec<Paper> = vec![];
    for text in read("docs/papers.md").lines() {
        if let Some(heading) = text.strip_prefix("## ") {
            papers.push(Paper {
                key: heading.to_owned(),
                rows: vec![],
            });
        }
        let cells: Vec<_> = text.split('|').map(str::trim).collect();
        let [_, place, _, file, status, _] = cells[..] else {
            continue;
        };
        if let Some(paper) = papers.last_mut()
            && place != "where"
            && !place.starts_with('-')
        {
            paper.rows.push(Row {
                place: format!("{}, {place}", paper.key),
                covers: places(place),
                files: quoted(file)
                    .into_iter()
                    .filter(|f| looks_like_path(f))
                    .collect(),
                status: status.to_owned(),
            });
        }
    }
    papers.retain(|paper| !paper.rows.is_empty());
    papers
}

/// Unfolds `eq. 9–11, §3` to `eq. 9`, `eq. 10`, `eq. 11`, `§3`.
fn places(text: &str) -> Vec<String> {
    let mut places = vec![];
    for part in text.split(',').map(str::trim) {
        if let Some(numbers) = part.strip_prefix("eq. ") {
            let (first, last) = numbers.split_once('–').unwrap_or((numbers, numbers));
            let (first, last): (u32, u32) = match (first.parse(), last.parse()) {
                (Ok(first), Ok(last)) => (first, last),
                _ => panic!("docs/papers.md: cannot read the equation numbers of `{text}`"),
            };
            places.extend((first..=last).map(|n| format!("eq. {n}")));
        } else {
            places.push(part.to_owned());
        }
    }
    places
}

/// A tag found in a text: the key, the place and the byte offset.
///
/// A tag is `Name Year, eq. 8` or `Name Year, §7.3`; of `eq. 8 and 9` or `eq. 8–9` the first number
/// counts.
fn tags(text: &str) -> Vec<(String, String, usize)> {
    let mut tags = vec![];
    for (at, mark) in ["eq. ", "§"]
        .iter()
        .flat_map(|mark| text.match_indices(mark))
    {
        let number: String = text[at + mark.len()..]
            .chars()
            .take_while(|&c| c.is_ascii_digit() || c == '.')
            .collect();
        let Some(key) = text[..at].strip_suffix(", ").and_then(key_at_end) else {
            continue;
        };
        let number = number.trim_end_matches('.');
        tags.push((key.to_owned(), format!("{mark}{number}"), at));
    }
    tags
}

/// `Baraff 1996` if `text` ends so: a capitalised name, a space, four digits.
fn key_at_end(text: &str) -> Option<&str> {
    let start = text.len().checked_sub(5)?;
    let (name, year) = (text.get(..start)?, text.get(start..)?.strip_prefix(' ')?);
    let digits = year.chars().all(|c| c.is_ascii_digit());
    let name_start = name.rfind(|c: char| !c.is_alphabetic()).map_or(0, |at| {
        at + name[at..].chars().next().map_or(1, char::len_utf8)
    });
    let capital = name[name_start..].starts_with(char::is_uppercase);
    (digits && capital).then(|| &text[name_start..])
}

#[test]
fn every_tag_has_a_row() {
    let papers = papers();
    let mut wrong = vec![];
    for source in sources() {
        for (key, place, at) in tags(&source.text) {
            let paper = papers.iter().find(|paper| paper.key == key);
            let covered = |paper: &Paper| {
                let section = place.starts_with('§');
                let within = |whole: &String| {
                    *whole == place || (section && place.starts_with(&format!("{whole}.")))
                };
                paper.rows.iter().any(|row| row.covers.iter().any(within))
            };
            if !paper.is_some_and(covered) {
                let line = line(&source.text, at);
                wrong.push(format!(
                    "src/{}:{line}: `{key}, {place}` has no row in docs/papers.md",
                    source.path
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_implemented_row_is_named_in_its_file() {
    let mut wrong = vec![];
    for paper in papers() {
        for row in paper.rows.iter().filter(|row| row.implemented()) {
            if row.files.is_empty() {
                wrong.push(format!("{} is implemented, but names no file", row.place));
            }
            for file in &row.files {
                // A missing file is reported by `paths_in_the_documents_exist`.
                let text = fs::read_to_string(engine().join(file)).unwrap_or(paper.key.clone());
                if !text.contains(&paper.key) {
                    wrong.push(format!(
                        "{}: {file} does not mention {}",
                        row.place, paper.key
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn the_table_of_papers_is_well_formed() {
    let papers = papers();
    let keys: Vec<_> = papers.iter().map(|paper| paper.key.as_str()).collect();
    let expected = [
        "Witkin 1990",
        "Metaxas 1993",
        "Baraff 1996",
        "Faure 1998",
        "Faure 1999",
    ];
    assert_eq!(keys, expected);
    for row in papers.iter().flat_map(|paper| &paper.rows) {
        let status = row.status.as_str();
        assert!(
            STATUSES.contains(&status),
            "{}: status `{status}`",
            row.place
        );
    }
}

#[test]
fn tags_are_found_in_text() {
    let text =
        "(Witkin 1990, eq. 6). In Baraff 1996, §7.3. See Faure 1999, eq. 13–14; eq. 3; 1996, §8";
    let found: Vec<_> = tags(text)
        .into_iter()
        .map(|(key, place, _)| format!("{key}: {place}"))
        .collect();
    let expected = [
        "Witkin 1990: eq. 6",
        "Faure 1999: eq. 13",
        "Baraff 1996: §7.3",
    ];
    assert_eq!(found, expected);
    assert_eq!(places("eq. 9–11, §3"), ["eq. 9", "eq. 10", "eq. 11", "§3"]);
}
