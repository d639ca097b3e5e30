//! Columns against time, or against another column, as a picture (SVG).
//!
//! Columns with the same unit share a panel; errors have one of their own, by powers of ten. Where
//! there are more rows than the picture is wide, each of its columns shows the least and the greatest.

mod axis;
mod svg;

use std::io::{self, Write};

use self::axis::Axis;
use self::svg::Svg;
use super::columns::Column;

/// Gathers rows of columns, and draws them.
///
/// ```
/// use linkwork_scene::{Scene, export::{Columns, Plot}};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let scene = Scene::from(linkwork_scene::scene("four-bar")?);
/// let mut columns = Columns::parse(&scene, &["time", "joint.*.force"])?;
/// let mut plot = Plot::new("four-bar", columns.columns());
/// let mut row = Vec::new();
/// columns.sample(&scene, None, &mut row);
/// plot.row(&row);
/// assert!(plot.svg().ends_with("</svg>\n"));
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Plot {
    title: String,
    columns: Vec<Column>,
    /// The column that the others are drawn against.
    abscissa: String,
    /// Row by row.
    values: Vec<f64>,
}

/// What is drawn against where nothing else is said.
const TIME: &str = "time";

const LEFT: f64 = 84.0;
const WIDTH: f64 = 640.0;
const TOP: f64 = 44.0;
const GAP: f64 = 34.0;
/// About so many numbers are below a plot.
const X_TICKS: usize = 8;
const BOTTOM: f64 = 52.0;
/// Of a panel, unless its legend is longer.
const HEIGHT: f64 = 190.0;
const LEGEND_LINE: f64 = 18.0;
/// Legends that are longer have several columns.
const LEGEND_LINES: usize = 24;

/// Okabe and Ito's colors, which can be told apart without red or green; yellow and pink, too light
/// for lines on white, are darker. Dashes tell curves of one color apart.
const COLORS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#aa3377", "#b58900", "#222222", "#56b4e9",
];
const DASHES: [&str; 4] = ["", "7 4", "2 4", "9 3 2 3"];

/// Columns in one frame.
struct Panel {
    /// Which columns.
    columns: Vec<usize>,
    label: String,
    axis: Axis,
    height: f64,
}

impl Plot {
    /// An empty plot of these columns. The abscissa is the column `time`; without one, rows are
    /// counted.
    pub fn new(title: &str, columns: &[Column]) -> Self {
        Self {
            title: title.to_owned(),
            columns: columns.to_vec(),
            abscissa: TIME.to_owned(),
            values: Vec::new(),
        }
    }

    /// The same against another column.
    pub fn against(mut self, column: &str) -> Self {
        column.clone_into(&mut self.abscissa);
        self
    }

    /// Adds a row: as many numbers as there are columns, those missing are not drawn.
    pub fn row(&mut self, values: &[f64]) {
        let n = self.columns.len();
        let missing = std::iter::repeat(f64::NAN);
        self.values
            .extend(values.iter().copied().chain(missing).take(n));
    }

    /// Writes the picture.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.svg().as_bytes())
    }

    /// The picture.
    pub fn svg(&self) -> String {
        let columns = &self.columns;
        let abscissa = columns.iter().position(|own| own.name == self.abscissa);
        let times: Vec<f64> = match abscissa {
            Some(at) => self.column(at).collect(),
            None => (0..self.n_rows()).map(|row| row as f64).collect(),
        };
        let x = match self.abscissa.as_str() {
            TIME => Axis::exact(times.iter().copied()),
            _ => Axis::roomy(times.iter().copied()),
        };
        let panels = self.panels(abscissa);
        let legend = |panel: &Panel| {
            let columns = panel.columns.len().div_ceil(LEGEND_LINES);
            columns as f64 * self.legend_width(panel)
        };
        let legend = panels.iter().map(legend).fold(0.0, f64::max);
        let width = LEFT + WIDTH + 14.0 + legend;
        let height =
            TOP + panels.iter().map(|panel| panel.height + GAP).sum::<f64>() - GAP + BOTTOM;
        let mut svg = Svg::new(width, height.max(TOP + BOTTOM));
        svg.text((LEFT, 24.0), "start", 15, &self.title);
        let mut top = TOP;
        for (at, panel) in panels.iter().enumerate() {
            let is_last = at + 1 == panels.len();
            self.draw_frame(&mut svg, panel, &x, top, is_last);
            for (order, &column) in panel.columns.iter().enumerate() {
                let place = |row: usize, value: f64| {
                    let x = LEFT + WIDTH * x.part(times[row]);
                    (x, top + panel.height * (1.0 - panel.axis.part(value)))
                };
                let values = self.column(column).enumerate();
                let values = values.filter(|(row, _)| times[*row].is_finite());
                let pieces =
                    pieces(values.map(|(row, value)| value.is_finite().then(|| place(row, value))));
                svg.curve(&pieces, &style(order), &self.columns[column].name);
            }
            self.draw_legend(&mut svg, panel, top);
            top += panel.height + GAP;
        }
        let label = match abscissa.map(|at| &columns[at]) {
            Some(own) if matches!(own.unit, "" | "1") => own.name.clone(),
            Some(own) => format!("{} ({})", own.name, own.unit),
            None => "row".to_owned(),
        };
        let note = x.ticks(X_TICKS).note.filter(|_| self.abscissa != TIME);
        let label = note.map_or(label.clone(), |note| format!("{label} {note}"));
        let middle = (LEFT + 0.5 * WIDTH, height - 12.0);
        svg.text(middle, "middle", 13, &label);
        svg.finish()
    }

    fn n_rows(&self) -> usize {
        self.values.len() / self.columns.len().max(1)
    }

    fn column(&self, at: usize) -> impl Iterator<Item = f64> + '_ {
        let rows = self.values.chunks_exact(self.columns.len().max(1));
        rows.map(move |row| row[at])
    }

    /// Of one column of the legend: 6.7 for a letter of size 11 is a little more than they need.
    fn legend_width(&self, panel: &Panel) -> f64 {
        let letters = panel
            .columns
            .iter()
            .map(|&at| self.columns[at].name.chars().count());
        44.0 + 6.7 * letters.max().unwrap_or(0) as f64
    }

    fn draw_legend(&self, svg: &mut Svg, panel: &Panel, top: f64) {
        for (order, &column) in panel.columns.iter().enumerate() {
            let (at, line) = (order / LEGEND_LINES, order % LEGEND_LINES);
            let left = LEFT + WIDTH + 14.0 + at as f64 * self.legend_width(panel);
            let y = top + 10.0 + LEGEND_LINE * line as f64;
            svg.line((left, y), (left + 26.0, y), &style(order));
            let name = &self.columns[column].name;
            svg.text((left + 33.0, y + 4.0), "start", 11, name);
        }
    }

    /// Columns by unit, errors apart, in the order they were given.
    fn panels(&self, abscissa: Option<usize>) -> Vec<Panel> {
        let mut groups: Vec<((&str, bool), Vec<usize>)> = Vec::new();
        for (at, column) in self.columns.iter().enumerate() {
            if Some(at) == abscissa {
                continue;
            }
            let key = (column.unit, property(&column.name).ends_with("error"));
            match groups.iter_mut().find(|(own, _)| *own == key) {
                Some((_, columns)) => columns.push(at),
                None => groups.push((key, vec![at])),
            }
        }
        let panel = |((unit, is_error), columns): ((&str, bool), Vec<usize>)| {
            let values = || columns.iter().flat_map(|&at| self.column(at));
            let axis = if is_error && values().any(|value| value > 0.0) {
                Axis::powers(values())
            } else {
                Axis::roomy(values())
            };
            let lines = columns.len().min(LEGEND_LINES);
            let legend = LEGEND_LINE * lines as f64 + 4.0;
            Panel {
                label: self.label(&columns, unit, is_error),
                axis,
                height: HEIGHT.max(legend),
                columns,
            }
        };
        groups.into_iter().map(panel).collect()
    }

    /// What all columns of a panel are, if they are the same, and the unit.
    fn label(&self, columns: &[usize], unit: &str, is_error: bool) -> String {
        let mut kinds = columns.iter().map(|&at| kind(&self.columns[at].name));
        let first = kinds.next().unwrap_or_default();
        let common = match kinds.all(|kind| kind == first) {
            true => first.as_str(),
            false if is_error => "error",
            false => "",
        };
        match (common, unit) {
            (common, "" | "1") => common.to_owned(),
            ("", unit) => unit.to_owned(),
            (common, unit) => format!("{common} ({unit})"),
        }
    }

    fn draw_frame(&self, svg: &mut Svg, panel: &Panel, x: &Axis, top: f64, is_last: bool) {
        let bottom = top + panel.height;
        let grid = "stroke=\"#e2e2e2\"";
        for (value, label) in x.ticks(X_TICKS).marks {
            let at = LEFT + WIDTH * x.part(value);
            svg.line((at, top), (at, bottom), grid);
            svg.line((at, bottom), (at, bottom + 4.0), "stroke=\"#444444\"");
            if is_last {
                svg.text((at, bottom + 18.0), "middle", 11, &label);
            }
        }
        let ticks = panel.axis.ticks((panel.height / 34.0) as usize);
        for (value, label) in &ticks.marks {
            let at = top + panel.height * (1.0 - panel.axis.part(*value));
            svg.line((LEFT, at), (LEFT + WIDTH, at), grid);
            svg.line((LEFT - 4.0, at), (LEFT, at), "stroke=\"#444444\"");
            svg.text((LEFT - 8.0, at + 4.0), "end", 11, label);
        }
        if let Some(note) = &ticks.note {
            svg.text((LEFT, top - 6.0), "start", 11, note);
        }
        svg.frame((LEFT, top), (WIDTH, panel.height));
        svg.upward_text((22.0, top + 0.5 * panel.height), 13, &panel.label);
    }
}

fn style(order: usize) -> String {
    let color = COLORS[order % COLORS.len()];
    let dashes = DASHES[order / COLORS.len() % DASHES.len()];
    let dashes = if dashes.is_empty() {
        String::new()
    } else {
        format!(" stroke-dasharray=\"{dashes}\"")
    };
    format!("stroke=\"{color}\" stroke-width=\"1.6\"{dashes}")
}

/// The last part of a name that is not a component.
fn property(name: &str) -> &str {
    let (rest, last) = name.rsplit_once('.').unwrap_or(("", name));
    let is_component = matches!(last, "w" | "x" | "y" | "z" | "magnitude")
        || last.bytes().all(|byte| byte.is_ascii_digit());
    if is_component && !rest.is_empty() {
        rest.rsplit_once('.').map_or(rest, |(_, property)| property)
    } else {
        last
    }
}

/// What a column is of, in words: "position", "energy", "position error".
fn kind(name: &str) -> String {
    let property = match name.split_once('.') {
        Some((head @ ("energy" | "momentum"), _)) => head,
        _ => property(name),
    };
    property.replace('_', " ")
}

/// Points in the order of rows, broken where there is none, thinned to the least and the greatest of
/// each column of the picture.
fn pieces(points: impl Iterator<Item = Option<(f64, f64)>>) -> Vec<Vec<(f64, f64)>> {
    let mut pieces = Vec::new();
    let mut piece: Vec<(f64, f64)> = Vec::new();
    // Where in the piece the points of the present column begin.
    let mut start = 0;
    for point in points.chain([None]) {
        let Some((x, y)) = point else {
            if !piece.is_empty() {
                pieces.push(std::mem::take(&mut piece));
            }
            start = 0;
            continue;
        };
        let is_same = piece
            .get(start)
            .is_some_and(|first| first.0.floor() == x.floor());
        if !is_same {
            start = piece.len();
        }
        piece.push((x, y));
        // First, least, greatest and last of a column: of five, one is none of these.
        if piece.len() - start == 5 {
            let inner = &piece[start..start + 4];
            let by_y = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
            let least = inner.iter().min_by(by_y).copied();
            let greatest = inner.iter().max_by(by_y).copied();
            let is_spare = |at: &usize| {
                let point = Some(inner[*at]);
                *at > 0 && point != least && point != greatest
            };
            let spare = (0..4).find(is_spare).unwrap_or(3);
            piece.remove(start + spare);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_rows_keep_their_peaks() {
        let n = 100_000;
        let point = |k: usize| {
            (
                600.0 * k as f64 / n as f64,
                if k == 7777 { 9.0 } else { (k % 2) as f64 },
            )
        };
        let pieces = pieces((0..n).map(|k| Some(point(k))));
        assert_eq!(pieces.len(), 1);
        assert!(pieces[0].len() <= 4 * 601, "{}", pieces[0].len());
        assert!(pieces[0].iter().any(|point| point.1 == 9.0));
        assert!(pieces[0].windows(2).all(|pair| pair[0].0 <= pair[1].0));
        assert_eq!(pieces[0].last().map(|point| point.0), Some(point(n - 1).0));
    }

    #[test]
    fn gaps_break_curves() {
        let points = [
            Some((0.0, 1.0)),
            None,
            None,
            Some((2.0, 1.0)),
            Some((3.0, 1.0)),
        ];
        let lengths: Vec<usize> = pieces(points.into_iter()).iter().map(Vec::len).collect();
        assert_eq!(lengths, [1, 2]);
    }

    #[test]
    fn kinds_are_read_off_names() {
        assert_eq!(kind("body.crank.position.x"), "position");
        assert_eq!(kind("joint.\"a.b\".force.magnitude"), "force");
        assert_eq!(kind("energy.total"), "energy");
        assert_eq!(kind("step.position_error"), "position error");
        assert_eq!(kind("time"), "time");
        assert_eq!(kind("joint.A.multipliers.3"), "multipliers");
    }
}
