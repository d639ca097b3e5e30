//! Points that pull bodies: clouds and markers, still or frame by frame (Metaxas 1993, §7).
//!
//! ```text
//!     table  →  Sequence  →  PointPull, a joint  →  start, own, minimize  →  poses, shapes, errors
//!        columns        frames of points        one frame after the other
//! ```
//!
//! A table whose columns are `x`, `y` and `z` has a point in each row; with a column `frame` or `time` rows with the
//! same number are one frame. A table with columns `NAME.x`, `NAME.y` and `NAME.z` has a frame in each row and a point
//! for each name. See `docs/adr/0044-points.md`.

mod center;
mod given;
mod lines;
mod own;
mod place;
mod pull;
mod report;
mod scatter;
mod start;
mod track;

use linkwork::math::Vec3;

use crate::fault::Fault;
use crate::format::TableEntry;

pub use center::find_centers;
pub use given::given;
pub(crate) use lines::lines_of;
pub use lines::point_lines;
pub(crate) use own::as_pull as pull_of;
pub use own::{Owners, find_owners};
pub use pull::{PointLine, PointPull, PullText};
pub use report::{report_names, report_row};
pub use start::{Guess, find_start, search};
pub use track::{Fitted, TrackOptions, fit_frame, times};

pub(crate) use pull::pull;
pub(crate) use report::turn;

/// Columns that say when a row is, the first of which counts.
const CLOCKS: [&str; 3] = ["time", "t", "frame"];

/// Points of a table, frame by frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequence {
    /// Names of points; empty where points have none.
    pub labels: Vec<String>,
    /// Ascending in time.
    pub frames: Vec<PointFrame>,
    /// How many points are not there: gaps.
    pub n_gaps: usize,
}

/// The points of one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointFrame {
    /// Seconds.
    pub time: f64,
    /// Points, in the order of the table.
    pub points: Vec<Seen>,
}

/// A point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Its label, or its row in the table, from zero.
    pub id: usize,
    /// Where it is, meters.
    pub at: Vec3,
}

impl Sequence {
    /// The points of a table; lengths are multiplied by `scale`. Of points with names only those that one of `only`
    /// fits, in which `*` is anything; without any, all.
    pub fn of(table: &TableEntry, scale: f64, only: &[String]) -> Result<Self, Fault> {
        let column = |name: &str| table.columns.iter().position(|own| own == name);
        let at = |x: &str, y: &str, z: &str| Some([column(x)?, column(y)?, column(z)?]);
        let clock = CLOCKS.into_iter().find_map(column);
        let mut markers = Vec::new();
        for name in table
            .columns
            .iter()
            .filter_map(|own| own.strip_suffix(".x"))
        {
            let [x, y, z] = ["x", "y", "z"].map(|axis| format!("{name}.{axis}"));
            markers.extend(at(&x, &y, &z).map(|place| (name.to_owned(), place)));
        }
        if let Some(place) = at("x", "y", "z").filter(|_| markers.is_empty()) {
            if let Some(own) = only.first() {
                let fault = Fault::at(
                    "only",
                    format!(
                        "\"{own}\" is there, but points of \"{}\" have no names",
                        table.name
                    ),
                );
                return Err(fault.hint("leave \"only\" out"));
            }
            return Self::clouds(table, place, clock, scale);
        }
        if markers.is_empty() {
            let problem = format!("\"{}\" has no points", table.name);
            let hint = "give columns x, y and z, or NAME.x, NAME.y and NAME.z for each point";
            return Err(Fault::at("for", problem).hint(hint));
        }
        for own in only {
            if !markers.iter().any(|(name, _)| fits(own, name)) {
                let known = markers.iter().map(|(name, _)| name.as_str());
                let problem = format!("no point of \"{}\" is called \"{own}\"", table.name);
                return Err(Fault::at("only", problem).meant(own, known));
            }
        }
        markers.retain(|(name, _)| only.is_empty() || only.iter().any(|own| fits(own, name)));
        Self::markers(table, &markers, clock, scale)
    }

    /// A point in each row.
    fn clouds(
        table: &TableEntry,
        place: [usize; 3],
        clock: Option<usize>,
        scale: f64,
    ) -> Result<Self, Fault> {
        let mut seen: Vec<(f64, Seen)> = Vec::new();
        for (id, row) in table.rows.iter().enumerate() {
            let time = clock.map_or(Some(0.0), |clock| row[clock].0);
            let found = time.zip(point(row, place, scale));
            seen.extend(found.map(|(time, at)| (time, Seen { id, at })));
        }
        let n_gaps = table.rows.len() - seen.len();
        seen.sort_by(|a, b| a.0.total_cmp(&b.0));
        let frames = seen.chunk_by(|a, b| a.0 == b.0).map(|own| PointFrame {
            time: own[0].0,
            points: own.iter().map(|own| own.1).collect(),
        });
        let sequence = Self {
            labels: Vec::new(),
            frames: frames.collect(),
            n_gaps,
        };
        sequence.unless_empty(table)
    }

    /// A frame in each row.
    fn markers(
        table: &TableEntry,
        markers: &[(String, [usize; 3])],
        clock: Option<usize>,
        scale: f64,
    ) -> Result<Self, Fault> {
        let mut sequence = Self {
            labels: markers.iter().map(|own| own.0.clone()).collect(),
            ..Self::default()
        };
        for (at, row) in table.rows.iter().enumerate() {
            let Some(time) = clock.map_or(Some(at as f64), |clock| row[clock].0) else {
                sequence.n_gaps += markers.len();
                continue;
            };
            if sequence.frames.last().is_some_and(|own| own.time >= time) {
                let problem = format!(
                    "\"{}\" does not go on in time in row {}",
                    table.name,
                    at + 1
                );
                return Err(Fault::at("for", problem));
            }
            let seen = markers.iter().enumerate();
            let seen = seen.filter_map(|(id, own)| {
                Some(Seen {
                    id,
                    at: point(row, own.1, scale)?,
                })
            });
            let points: Vec<Seen> = seen.collect();
            sequence.n_gaps += markers.len() - points.len();
            sequence.frames.push(PointFrame { time, points });
        }
        sequence.unless_empty(table)
    }

    fn unless_empty(self, table: &TableEntry) -> Result<Self, Fault> {
        if self.frames.iter().all(|own| own.points.is_empty()) {
            let problem = format!("\"{}\" has a gap in every point", table.name);
            return Err(Fault::at("for", problem));
        }
        Ok(self)
    }

    /// The frame of a moment: the last that has begun, or the first.
    pub fn frame_at(&self, t: f64) -> &PointFrame {
        // Times that were computed may be a little early.
        let begun = self
            .frames
            .partition_point(|own| own.time <= t + 1e-9 * (1.0 + t.abs()));
        &self.frames[begun.max(1) - 1]
    }

    /// Whether points have names.
    pub fn has_labels(&self) -> bool {
        !self.labels.is_empty()
    }
}

fn point(row: &[crate::format::Cell], place: [usize; 3], scale: f64) -> Option<Vec3> {
    let [x, y, z] = place.map(|column| row[column].0);
    Some([scale * x?, scale * y?, scale * z?])
}

/// Whether a name fits a pattern, in which `*` is anything.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    let Some(mut name) = name
        .strip_prefix(first)
        .and_then(|own| own.strip_suffix(last))
    else {
        return false;
    };
    for part in middle.split('*') {
        match name.find(part) {
            Some(at) => name = &name[at + part.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(columns: &[&str], rows: &[&[Option<f64>]]) -> TableEntry {
        let cells =
            |row: &&[Option<f64>]| row.iter().map(|own| crate::format::Cell(*own)).collect();
        TableEntry {
            name: "data".to_owned(),
            columns: columns.iter().map(|own| (*own).to_owned()).collect(),
            rows: rows.iter().map(cells).collect(),
            file: None,
        }
    }

    #[test]
    fn clouds_fall_into_frames_and_gaps_are_skipped() {
        let rows: [&[Option<f64>]; 4] = [
            &[Some(1.0), Some(2.0), Some(3.0), Some(5.0)],
            &[None, Some(2.0), Some(3.0), Some(5.0)],
            &[Some(7.0), Some(2.0), Some(3.0), Some(4.0)],
            &[Some(8.0), Some(2.0), Some(3.0), Some(5.0)],
        ];
        let found = Sequence::of(&table(&["x", "y", "z", "frame"], &rows), 10.0, &[]).unwrap();
        let times: Vec<f64> = found.frames.iter().map(|own| own.time).collect();
        assert_eq!((times, found.n_gaps), (vec![4.0, 5.0], 1));
        let ids = |k: usize| {
            found.frames[k]
                .points
                .iter()
                .map(|own| own.id)
                .collect::<Vec<_>>()
        };
        assert_eq!((ids(0), ids(1)), (vec![2], vec![0, 3]));
        assert_eq!(found.frame_at(4.9).points[0].at, [70.0, 20.0, 30.0]);
        assert_eq!(found.frame_at(-1.0).time, 4.0);
        assert_eq!(found.frame_at(9.0).time, 5.0);
    }

    #[test]
    fn markers_are_chosen_by_name() {
        let columns = ["time", "LARMa.x", "LARMa.y", "LARMa.z", "B.x", "B.y", "B.z"];
        let rows: [&[Option<f64>]; 2] = [
            &[
                Some(0.0),
                Some(1.0),
                Some(1.0),
                Some(1.0),
                None,
                Some(0.0),
                Some(0.0),
            ],
            &[
                Some(0.1),
                Some(2.0),
                Some(1.0),
                Some(1.0),
                Some(3.0),
                Some(0.0),
                Some(0.0),
            ],
        ];
        let data = table(&columns, &rows);
        let all = Sequence::of(&data, 1.0, &[]).unwrap();
        assert_eq!(
            (all.labels.len(), all.n_gaps, all.frames[0].points.len()),
            (2, 1, 1)
        );
        let only = |own: &str| Sequence::of(&data, 1.0, &[own.to_owned()]);
        assert_eq!(only("L*M*").unwrap().labels, ["LARMa"]);
        assert_eq!(only("B").unwrap().labels, ["B"]);
        assert_eq!(
            only("LARMb").unwrap_err().to_string(),
            "only: no point of \"data\" is called \"LARMb\"\n  hint: did you mean \"LARMa\"?"
        );
    }

    #[test]
    fn what_is_no_sequence_is_told() {
        let told = |columns: &[&str], row: &[Option<f64>]| {
            let rows = [row, row];
            Sequence::of(&table(columns, &rows), 1.0, &[])
                .unwrap_err()
                .to_string()
        };
        assert!(told(&["x", "y"], &[Some(0.0); 2]).starts_with("for: \"data\" has no points"));
        assert_eq!(
            told(&["x", "y", "z"], &[None; 3]),
            "for: \"data\" has a gap in every point"
        );
        assert_eq!(
            told(&["time", "A.x", "A.y", "A.z"], &[Some(0.0); 4]),
            "for: \"data\" does not go on in time in row 2"
        );
        assert!(fits("*", "") && fits("a*b*c", "axxbc") && !fits("a*b", "abc"));
    }
}
