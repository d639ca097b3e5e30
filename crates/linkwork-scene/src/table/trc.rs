//! TRC: markers of a motion capture, with tabs or commas between cells.
//!
//! ```text
//!     PathFileType  4  (X/Y/Z)  name
//!     DataRate  CameraRate  NumFrames  NumMarkers  Units  …
//!     100       100         93         2           mm     …
//!     Frame#  Time  SHOULDER          ELBOW
//!                   X1  Y1  Z1        X2  Y2  Z2
//!     1       0.00  …
//! ```
//!
//! Columns become `frame`, `time`, `SHOULDER.x` and so on, in meters. An empty cell is a gap. How many frames there are
//! the rows say: headers are often those of a longer recording.

use super::csv::{Sheet, cells, factor_of, known_units, number, placed};
use crate::fault::Fault;
use crate::format::Cell;

/// Whether a text begins as such a file does.
pub(super) fn is_trc(text: &str) -> bool {
    text.starts_with("PathFileType")
}

/// Reads markers.
pub(super) fn read_trc(text: &str) -> Result<Sheet, Fault> {
    let lines: Vec<&str> = text.lines().collect();
    let short = || {
        let fault = Fault::at("", "ends before its first frame");
        fault.hint(
            "a TRC file has five lines before its frames, the fourth with the names of markers",
        )
    };
    let [_, fields, values, names, _, ..] = lines[..] else {
        return Err(short());
    };
    let between = if names.contains('\t') { '\t' } else { ',' };
    let factor = unit(fields, values, between)?;
    let markers = markers(names, between)?;
    let mut rows = Vec::new();
    for (at, line) in lines.iter().enumerate().skip(5) {
        let cells = cells(line, between);
        if cells.iter().all(|own| own.1.is_empty()) {
            continue;
        }
        let n = 2 + 3 * markers.len();
        if let Some((column, cell)) = cells.iter().skip(n).find(|own| !own.1.is_empty()) {
            let problem = format!("\"{cell}\" follows the last marker");
            return Err(placed((at + 1, *column), problem));
        }
        let mut row = Vec::with_capacity(n);
        for k in 0..n {
            // What a line ends before is a gap.
            let cell = match cells.get(k) {
                Some((column, cell)) => number(cell, (at + 1, *column))?,
                None => None,
            };
            let factor = if k < 2 { 1.0 } else { factor };
            row.push(Cell(cell.map(|own| own * factor)));
        }
        rows.push(row);
        super::check_count(rows.len())?;
    }
    if rows.is_empty() {
        return Err(short());
    }
    let named = markers
        .iter()
        .flat_map(|name| ["x", "y", "z"].map(|axis| format!("{name}.{axis}")));
    let columns = ["frame", "time"].map(str::to_owned).into_iter();
    Ok(Sheet {
        columns: columns.chain(named).collect(),
        rows,
    })
}

/// What lengths are in meters.
fn unit(fields: &str, values: &str, between: char) -> Result<f64, Fault> {
    let (fields, values) = (cells(fields, between), cells(values, between));
    let Some(at) = fields.iter().position(|own| own.1 == "Units") else {
        let fault = placed((2, 1), "does not say what Units are");
        return Err(fault.hint("the second line of a TRC file names Units, the third gives them"));
    };
    let (column, unit) = values.get(at).cloned().unwrap_or((1, String::new()));
    factor_of(&unit).ok_or_else(|| {
        let fault = placed((3, column), format!("the unit \"{unit}\" is not known"));
        fault.hint(format!("known are {}", known_units().join(", ")))
    })
}

/// The names of markers: one above each three columns.
fn markers(names: &str, between: char) -> Result<Vec<String>, Fault> {
    let cells = cells(names, between);
    let mut markers: Vec<String> = Vec::new();
    for (k, (column, name)) in cells.into_iter().enumerate().skip(2) {
        let place = (4, column);
        if name.is_empty() {
            continue;
        }
        if k != 2 + 3 * markers.len() {
            let problem = format!("\"{name}\" does not stand above the x of a marker");
            return Err(placed(place, problem));
        }
        if markers.contains(&name) {
            return Err(placed(place, format!("\"{name}\" is there twice")));
        }
        markers.push(name);
    }
    match markers.is_empty() {
        true => Err(placed((4, 1), "names no markers")),
        false => Ok(markers),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "PathFileType,4,(X/Y/Z),a.trc\nDataRate,Units\n100,mm\nFrame#,Time,A,,,B,,\n,,X1,Y1,Z1,X2,Y2,Z2\n";

    #[test]
    fn tabs_commas_gaps_and_units() {
        let text = format!("{HEAD}\n1,0.00,1,2,3,4,5,6,,\n2,0.01,,,,4,5\n");
        for text in [text.replace(',', "\t"), text] {
            let sheet = read_trc(&text).unwrap();
            assert_eq!(sheet.columns[..3], ["frame", "time", "A.x"]);
            assert_eq!(sheet.columns[7], "B.z");
            let row = |at: usize| sheet.rows[at].iter().map(|own| own.0).collect::<Vec<_>>();
            let mm = |x: f64| Some(x * 0.001);
            let first = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0].map(mm);
            assert_eq!(row(0), [&[Some(1.0), Some(0.0)], &first[..]].concat());
            assert_eq!(row(1)[2..], [None, None, None, mm(4.0), mm(5.0), None]);
        }
    }

    #[test]
    fn mistakes_have_their_place() {
        let told = |text: String| read_trc(&text).unwrap_err().to_string();
        assert!(told("PathFileType".into()).starts_with("ends before its first frame"));
        assert!(told(HEAD.into()).starts_with("ends before its first frame"));
        let row = "1,0,1,2,3,4,5,6\n";
        let changed = |from: &str, to: &str| told(HEAD.replace(from, to) + row);
        let line = |from, to| changed(from, to).lines().next().map(str::to_owned);
        assert_eq!(
            line("100,mm", "100,inch").unwrap(),
            "line 3, column 5: the unit \"inch\" is not known"
        );
        assert_eq!(
            line("Units", "Unit").unwrap(),
            "line 2, column 1: does not say what Units are"
        );
        assert_eq!(
            line("A,,,B", "A,,,A").unwrap(),
            "line 4, column 17: \"A\" is there twice"
        );
        assert_eq!(
            line("A,,,B", "A,,B,").unwrap(),
            "line 4, column 16: \"B\" does not stand above the x of a marker"
        );
        assert_eq!(
            line("A,,,B,,", ",,,,,").unwrap(),
            "line 4, column 1: names no markers"
        );
        assert_eq!(
            told(format!("{HEAD}1,0,1,2,3,4,5,6,7\n")),
            "line 6, column 17: \"7\" follows the last marker"
        );
        assert!(
            told(format!("{HEAD}1,0,left,2,3\n"))
                .contains("line 6, column 5: \"left\" is no number")
        );
    }
}
