//! Text tables: the first column to the left, the others to the right.

/// Lays out rows under a heading; columns are two spaces apart.
pub(crate) fn table(heading: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let widths = cells.map(|cell| cell.chars().count());
        widths
            .chain([heading[column].chars().count()])
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heading.len()).map(width).collect();
    let heading: Vec<String> = heading.iter().map(|&cell| cell.to_owned()).collect();
    let mut out = String::new();
    for row in std::iter::once(&heading).chain(rows) {
        let mut text = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let padding = " ".repeat(width.saturating_sub(cell.chars().count()));
            match column {
                0 => text.extend([cell, padding.as_str()]),
                _ => text.extend(["  ", padding.as_str(), cell]),
            }
        }
        out.push_str(text.trim_end());
        out.push('\n');
    }
    out
}

/// Microseconds with about four digits.
pub(crate) fn us(value: f64) -> String {
    match value {
        v if v < 10.0 => format!("{v:.2}"),
        v if v < 100.0 => format!("{v:.1}"),
        v => format!("{v:.0}"),
    }
}
