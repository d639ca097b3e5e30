//! CSV: a line of names, then a line for each row.
//!
//! Between numbers stand commas, semicolons or tabs, whichever the first line has. A name may have a unit behind it,
//! `x [mm]`: numbers are then brought to meters, kilograms, seconds and radians. What is empty, `NA` or `NaN` is a gap.
//! Empty lines and those that begin with `#` are passed over.

use linkwork_formula::CONSTANTS;

use crate::fault::Fault;
use crate::format::Cell;

/// What a file of a table says.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// Names of columns.
    pub columns: Vec<String>,
    /// Rows, as long as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

/// Units that are as they are.
const PLAIN: [&str; 12] = [
    "m", "kg", "s", "rad", "N", "J", "W", "Hz", "m/s", "rad/s", "-", "1",
];
/// Words for a gap.
const GAPS: [&str; 4] = ["", "NA", "NaN", "nan"];

/// Reads a table. A mistake has its line and column.
pub fn read_csv(text: &str) -> Result<Sheet, Fault> {
    read_csv_named(text, &[])
}

/// The same of a text that may begin with numbers: then its columns have these names.
pub(crate) fn read_csv_named(text: &str, names: &[&str]) -> Result<Sheet, Fault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().enumerate().filter(|(_, line)| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    });
    let mut lines = lines.peekable();
    let Some(&(at, head)) = lines.peek() else {
        let hint = "write a line of names, such as x,y, and a line of numbers for each row";
        return Err(Fault::at("", "is empty").hint(hint));
    };
    let between = [b'\t', b';']
        .into_iter()
        .find(|own| head.as_bytes().contains(own));
    let between = char::from(between.unwrap_or(b','));
    let mut columns: Vec<(String, f64)> = Vec::new();
    let mut heads = cells(head, between);
    let is_number = |(_, cell): &(usize, String)| cell.parse::<f64>().is_ok();
    if heads.first().is_some_and(is_number) && !names.is_empty() {
        columns.extend(names.iter().map(|name| ((*name).to_owned(), 1.0)));
        heads.clear();
    } else {
        lines.next();
    }
    for (column, name) in heads {
        let place = (at + 1, column);
        let (name, factor) = named(&name, place)?;
        if columns.iter().any(|own| own.0 == name) {
            return Err(placed(place, format!("\"{name}\" is there twice")));
        }
        columns.push((name, factor));
    }
    let mut rows = Vec::new();
    for (at, line) in lines {
        let cells = cells(line, between);
        if cells.len() != columns.len() {
            let column = cells
                .get(columns.len())
                .map_or(line.chars().count() + 1, |own| own.0);
            let (n, wanted) = (cells.len(), columns.len());
            let fault = placed(
                (at + 1, column),
                format!("has {n} cells for {wanted} columns"),
            );
            return Err(fault.hint("leave a cell empty where there is no number"));
        }
        let row = cells
            .iter()
            .zip(&columns)
            .map(|((column, cell), (_, factor))| {
                number(cell, (at + 1, *column)).map(|own| Cell(own.map(|own| own * factor)))
            });
        rows.push(row.collect::<Result<Vec<Cell>, Fault>>()?);
    }
    if rows.is_empty() {
        return Err(placed((at + 1, 1), "has names, but no rows"));
    }
    let columns = columns.into_iter().map(|own| own.0).collect();
    Ok(Sheet { columns, rows })
}

pub(super) fn placed(place: (usize, usize), problem: impl Into<String>) -> Fault {
    Fault {
        place: Some(place),
        ..Fault::at("", problem)
    }
}

/// The cells of a line, trimmed, each with the column where it begins, from one.
pub(super) fn cells(line: &str, between: char) -> Vec<(usize, String)> {
    let mut cells = vec![(1, String::new())];
    let mut is_quoted = false;
    for (at, letter) in line.chars().enumerate() {
        if letter == between && !is_quoted {
            cells.push((at + 2, String::new()));
        } else if let Some((_, cell)) = cells.last_mut() {
            // Two within quotes are one of the cell.
            if letter == '"' {
                is_quoted = !is_quoted;
                if is_quoted && !cell.trim().is_empty() {
                    cell.push(letter);
                }
            } else {
                cell.push(letter);
            }
        }
    }
    for (_, cell) in &mut cells {
        *cell = cell.trim().to_owned();
    }
    cells
}

/// The name of a column, and what its unit is in ours.
fn named(head: &str, place: (usize, usize)) -> Result<(String, f64), Fault> {
    let unit_of = |open, close| {
        let (name, unit) = head.strip_suffix(close)?.rsplit_once(open)?;
        Some((name.trim(), unit.trim()))
    };
    let (name, unit) = unit_of('[', ']')
        .or_else(|| unit_of('(', ')'))
        .unwrap_or((head, "1"));
    if name.is_empty() {
        return Err(
            placed(place, "a column has no name").hint("name all columns in the first line")
        );
    }
    if name.parse::<f64>().is_ok() {
        let fault = placed(
            place,
            format!("{name} is a number, where a column must have a name"),
        );
        return Err(fault.hint("write a first line of names, such as x,y"));
    }
    let Some(factor) = factor_of(unit) else {
        let fault = placed(
            place,
            format!("the unit of \"{name}\", \"{unit}\", is not known"),
        );
        return Err(fault.hint(format!("known are {}", known_units().join(", "))));
    };
    Ok((name.to_owned(), factor))
}

/// Units that are brought to ours, and what they are in them.
fn units() -> impl Iterator<Item = (&'static str, f64)> {
    let units = CONSTANTS.iter().map(|own| (own.0, own.1));
    units.filter(|own| !matches!(own.0, "pi" | "π" | "tau" | "e"))
}

/// All units that are known.
pub(super) fn known_units() -> Vec<&'static str> {
    units().map(|own| own.0).chain(PLAIN).collect()
}

/// What a unit is in meters, kilograms, seconds and radians, if it is known.
pub(super) fn factor_of(unit: &str) -> Option<f64> {
    let found = units().find(|own| own.0 == unit).map(|own| own.1);
    found.or_else(|| PLAIN.contains(&unit).then_some(1.0))
}

/// A number, or nothing where there is a gap.
pub(super) fn number(cell: &str, place: (usize, usize)) -> Result<Option<f64>, Fault> {
    if GAPS.contains(&cell) {
        return Ok(None);
    }
    match cell.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(Some(number)),
        Ok(_) => Err(placed(place, format!("\"{cell}\" is not finite"))),
        Err(_) => {
            let fault = placed(place, format!("\"{cell}\" is no number"));
            let is_comma = cell.replacen(',', ".", 1).parse::<f64>().is_ok();
            let starts = cell.starts_with(|letter: char| letter.is_ascii_digit());
            Err(fault.hint(match (is_comma, starts) {
                (true, _) => "numbers have a point, not a comma: 9.81",
                (_, true) => "units stand behind the name of the column: x [mm]",
                _ => "leave the cell empty where there is no number",
            }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Vec<Option<f64>>> {
        let rows = read_csv(text).unwrap().rows;
        let row = |own: Vec<Cell>| own.into_iter().map(|own| own.0).collect();
        rows.into_iter().map(row).collect()
    }

    #[test]
    fn names_units_gaps_and_separators() {
        let text =
            "\u{feff}# made by hand\nx [mm],phi (deg),\"the, weight\"\n1,180,2\n\n,NA,\"3\"\r\n";
        let table = read_csv(text).unwrap();
        assert_eq!(table.columns, ["x", "phi", "the, weight"]);
        let gaps = vec![None, None, Some(3.0)];
        let turn = Some(180.0 * (std::f64::consts::PI / 180.0));
        assert_eq!(rows(text), [vec![Some(0.001), turn, Some(2.0)], gaps]);
        assert_eq!(rows("a;b\n1;2.5"), [[Some(1.0), Some(2.5)]]);
        assert_eq!(rows("a\tb\n1e-3\t "), [[Some(1e-3), None]]);
    }

    #[test]
    fn mistakes_have_their_place() {
        for (text, told) in [
            (
                "",
                "is empty\n  hint: write a line of names, such as x,y, and a line of numbers for each row",
            ),
            ("x,y\n", "line 1, column 1: has names, but no rows"),
            (
                "1,2\n3,4",
                "line 1, column 1: 1 is a number, where a column must have a name\n  hint: write a first line of names, such as x,y",
            ),
            (
                "x,,y\n1,2,3",
                "line 1, column 3: a column has no name\n  hint: name all columns in the first line",
            ),
            ("x,x\n1,2", "line 1, column 3: \"x\" is there twice"),
            (
                "x,y\n1,2\n\n1,2,3",
                "line 4, column 5: has 3 cells for 2 columns\n  hint: leave a cell empty where there is no number",
            ),
            (
                "x,y\n1",
                "line 2, column 2: has 1 cells for 2 columns\n  hint: leave a cell empty where there is no number",
            ),
            (
                "x,y\n1, abc",
                "line 2, column 3: \"abc\" is no number\n  hint: leave the cell empty where there is no number",
            ),
            (
                "x,y\n1,5mm",
                "line 2, column 3: \"5mm\" is no number\n  hint: units stand behind the name of the column: x [mm]",
            ),
            (
                "x;y\n1;5,2",
                "line 2, column 3: \"5,2\" is no number\n  hint: numbers have a point, not a comma: 9.81",
            ),
            ("x,y\n1,inf", "line 2, column 3: \"inf\" is not finite"),
            (
                "x [furlong]\n1",
                "line 1, column 1: the unit of \"x\", \"furlong\", is not known\n  hint: known are deg, mm, cm, rpm, percent, g0, m, kg, s, rad, N, J, W, Hz, m/s, rad/s, -, 1",
            ),
        ] {
            assert_eq!(read_csv(text).unwrap_err().to_string(), told, "{text:?}");
        }
    }
}
