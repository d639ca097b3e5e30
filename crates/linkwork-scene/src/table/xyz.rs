//! XYZ: a point on each line, `x y z`, with spaces, tabs or commas between. What stands behind z, such as a color, is
//! passed over; so are empty lines and those that begin with `#`.

use super::csv::{Sheet, number, placed};
use crate::fault::Fault;
use crate::format::Cell;

/// Reads points.
pub(super) fn read_xyz(text: &str) -> Result<Sheet, Fault> {
    let mut rows = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let between = |letter: char| letter.is_whitespace() || matches!(letter, ',' | ';');
        let cells: Vec<&str> = line.split(between).filter(|own| !own.is_empty()).collect();
        let [x, y, z, ..] = cells[..] else {
            let problem = format!("has {} numbers; a point has x, y and z", cells.len());
            return Err(placed((at + 1, 1), problem));
        };
        let mut row = Vec::with_capacity(3);
        for (column, cell) in [x, y, z].into_iter().enumerate() {
            row.push(Cell(number(cell, (at + 1, column + 1))?));
        }
        rows.push(row);
        super::check_count(rows.len())?;
    }
    points(rows)
}

/// A sheet of points, if there are some.
pub(super) fn points(rows: Vec<Vec<Cell>>) -> Result<Sheet, Fault> {
    if rows.is_empty() {
        return Err(Fault::at("", "has no points"));
    }
    Ok(Sheet {
        columns: ["x", "y", "z"].map(str::to_owned).to_vec(),
        rows,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_comments_and_mistakes() {
        let sheet = read_xyz("# a cloud\n1 2 3 255 0 0\n\n4,5,nan\n").unwrap();
        assert_eq!(sheet.columns, ["x", "y", "z"]);
        let numbers = |row: usize| sheet.rows[row].iter().map(|own| own.0);
        assert!(numbers(0).eq([Some(1.0), Some(2.0), Some(3.0)]));
        assert!(numbers(1).eq([Some(4.0), Some(5.0), None]));
        for (text, told) in [
            ("", "has no points"),
            (
                "1 2 3\n1 2",
                "line 2, column 1: has 2 numbers; a point has x, y and z",
            ),
            (
                "C 1 2 3",
                "line 1, column 1: \"C\" is no number\n  hint: leave the cell empty where there is no number",
            ),
            ("1 2 inf", "line 1, column 3: \"inf\" is not finite"),
        ] {
            assert_eq!(read_xyz(text).unwrap_err().to_string(), told, "{text:?}");
        }
        let many = "0 0 0\n".repeat(100_001);
        let told = read_xyz(&many).unwrap_err().to_string();
        assert!(
            told.starts_with("has 100001 rows, more than the 100000"),
            "{told}"
        );
    }
}
