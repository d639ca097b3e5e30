//! Films: pictures that follow each other while time passes. What formulas read of them is a function of place and
//! time, so that steps, rewinds and replays see the same picture at the same time.

use std::sync::Arc;

use linkwork_formula::Field;

use super::field::PictureField;
use super::png::Gray;
use super::{Picture, data, text_of};
use crate::fault::{Fault, Under};
use crate::format::{FilmEntry, PictureEntry};
use crate::read::node::Tree;
use crate::read::{Beside, Node};

/// The most pixels of all pictures of a film, and the most pictures.
const MOST_PIXELS: usize = 1 << 22;
const MOST_FRAMES: usize = 1000;

/// A film, or a picture that stands.
pub(super) fn of(film: Option<&FilmEntry>, mut frames: Vec<PictureField>) -> Arc<dyn Field> {
    match film {
        None => Arc::new(frames.swap_remove(0)),
        Some(film) => Arc::new(Film {
            frames,
            rate: film.rate,
            start: film.start,
        }),
    }
}

/// The picture that is shown at a time: one of n.
pub(super) fn frame(film: &FilmEntry, t: f64) -> usize {
    shown(film.png.len(), film.rate, film.start, t)
}

/// From when to when the picture holds that is shown at a time: the first has always been there, the last stays.
pub(super) fn holds(film: &FilmEntry, t: f64) -> [Option<f64>; 2] {
    let k = frame(film, t);
    // The times at which `shown` begins to say k, and k + 1.
    let begins = |k: usize| film.start + (k as f64 - ROUND_OFF) / film.rate;
    let last = film.png.len() - 1;
    [
        (k > 0).then(|| begins(k)),
        (k < last).then(|| begins(k + 1)),
    ]
}

/// A sum of times is now and then a little less than it should be: this part of a picture's time counts as the whole.
const ROUND_OFF: f64 = 1e-6;

fn shown(n: usize, rate: f64, start: f64, t: f64) -> usize {
    let place = ((t - start) * rate + ROUND_OFF).floor();
    (place.max(0.0) as usize).min(n - 1)
}

#[derive(Debug)]
struct Film {
    frames: Vec<PictureField>,
    rate: f64,
    start: f64,
}

impl Field for Film {
    fn derivative(&self, x: f64, y: f64, nx: u32, ny: u32) -> f64 {
        self.frames[0].derivative(x, y, nx, ny)
    }

    fn at(&self, t: f64) -> Option<&dyn Field> {
        Some(&self.frames[shown(self.frames.len(), self.rate, self.start, t)])
    }
}

/// A film that may be one.
pub(super) struct Checked<'f>(&'f FilmEntry);

/// Refuses what is no film.
pub(super) fn check<'f>(entry: &PictureEntry, film: &'f FilmEntry) -> Result<Checked<'f>, Fault> {
    let refuse = |at: &str, problem: String| Err(Fault::at(at, problem));
    if !entry.png.is_empty() {
        let fault = Fault::at("", "stands beside \"png\"");
        return Err(fault.hint("give the picture, or the film"));
    }
    if film.files.is_some() {
        let hint = "open the scene from its folder, or give \"png\"";
        return Err(Fault::at("files", "are not at hand here").hint(hint));
    }
    if film.png.is_empty() || film.png.len() > MOST_FRAMES {
        let n = film.png.len();
        return refuse("png", format!("has {n} pictures; give 1 to {MOST_FRAMES}"));
    }
    if !(film.rate.is_finite() && film.rate > 0.0) {
        let problem = format!("is {}; give pictures a second, more than zero", film.rate);
        return refuse("rate", problem);
    }
    if !film.start.is_finite() {
        return refuse("start", format!("is {}; give seconds", film.start));
    }
    Ok(Checked(film))
}

impl Checked<'_> {
    /// The pixels of all its pictures.
    pub(super) fn frames(&self, before: Option<&Picture>) -> Result<Vec<Arc<Gray>>, Fault> {
        let mut frames: Vec<Arc<Gray>> = Vec::with_capacity(self.0.png.len());
        for (at, text) in self.0.png.iter().enumerate() {
            let place = format!("film.png[{at}]");
            let gray = Picture::gray(text, before).under(&place)?;
            let size = [gray.width, gray.height];
            let first = frames.first().unwrap_or(&gray);
            if size != [first.width, first.height] {
                let (wanted, [w, h]) = ([first.width, first.height], size);
                let problem = format!(
                    "is {w} × {h} pixels, the first {} × {}",
                    wanted[0], wanted[1]
                );
                return Err(Fault::at(place, problem).hint("make all of one size"));
            }
            if size[0] * size[1] * self.0.png.len() > MOST_PIXELS {
                let n = self.0.png.len();
                let problem = format!("has {n} pictures of {} × {} pixels", size[0], size[1]);
                let hint =
                    format!("{MOST_PIXELS} pixels in all are the most: 64 pictures of 256 × 256");
                return Err(Fault::at("film", problem).hint(hint));
            }
            frames.push(gray);
        }
        Ok(frames)
    }
}

/// Puts pictures in the place of their files.
pub(super) fn fill_in(film: &mut Node, beside: Beside<'_>) -> Result<(), Fault> {
    let Some(pattern) = film.get("files").and_then(Node::text).map(str::to_owned) else {
        return Ok(());
    };
    let name = |k: usize| {
        let name = numbered(&pattern, k);
        name.ok_or_else(|| {
            let fault = Fault::at("files", format!("\"{pattern}\" has no place for a number"));
            fault.hint("write \"cell-%03d.png\" for cell-000.png, cell-001.png and so on")
        })
    };
    // From zero or from one, as far as they go.
    let first = usize::from(beside(&name(0)?).is_err());
    let mut texts = vec![text_of(&name(first)?, beside).under("files")?];
    while texts.len() <= MOST_FRAMES {
        match text_of(&name(first + texts.len())?, beside) {
            Ok(text) => texts.push(text),
            Err(_) => break,
        }
    }
    film.set("files", None);
    film.set("png", Some(Node::made(Tree::List(texts.into()))));
    Ok(())
}

/// The name with a number: `%d`, or `%03d` with zeros in front.
fn numbered(pattern: &str, k: usize) -> Option<String> {
    let (head, tail) = pattern.split_once('%')?;
    let (wide, tail) = tail.split_once('d')?;
    let wide = match wide {
        "" => 0,
        _ => wide.strip_prefix('0')?.parse::<usize>().ok()?,
    };
    (wide <= 12).then(|| format!("{head}{k:0wide$}{tail}"))
}

/// Makes a picture of the tree of a scene a film of these bytes.
pub(crate) fn set(tree: &mut Node, name: &str, rate: f64, frames: &[Vec<u8>]) -> Result<(), Fault> {
    let lists = tree.fields_mut().filter(|(key, _)| **key == *"pictures");
    let entries = lists.flat_map(|own| match &mut own.1.tree {
        Tree::List(entries) => &mut entries[..],
        _ => &mut [],
    });
    let mut known = Vec::new();
    for entry in entries {
        if entry.name() != Some(name) {
            known.extend(entry.name().map(str::to_owned));
            continue;
        }
        let texts = frames
            .iter()
            .map(|own| Node::made(Tree::Text(data::encoded(own).into())));
        let film = vec![
            ("png", Node::made(Tree::List(texts.collect()))),
            ("rate", Node::made(Tree::Number(rate))),
        ];
        entry.set("png", None);
        entry.set("file", None);
        entry.set("film", Some(Node::object(film)));
        return Ok(());
    }
    let fault = Fault::at("", format!("no picture is called \"{name}\""));
    Err(fault.meant(name, known.iter().map(String::as_str)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_numbers() {
        assert_eq!(numbered("a/cell-%03d.png", 7).unwrap(), "a/cell-007.png");
        assert_eq!(numbered("%d.png", 12).unwrap(), "12.png");
        for none in ["cell.png", "cell-%3d.png", "cell-%x.png", "cell-%099d.png"] {
            assert_eq!(numbered(none, 1), None, "{none}");
        }
    }

    #[test]
    fn a_picture_holds_until_the_next_one_is_shown() {
        let film = FilmEntry {
            png: vec![String::new(); 4],
            files: None,
            rate: 8.0,
            start: 1.0,
        };
        assert_eq!(holds(&film, 0.0)[0], None);
        assert_eq!(holds(&film, 99.0)[1], None);
        // Every picture begins when the one before it ends, and the times say so.
        let mut t = 0.0;
        for k in 0..3 {
            assert_eq!(frame(&film, t), k);
            let [_, until] = holds(&film, t);
            t = until.unwrap() + 1e-9;
            assert_eq!(frame(&film, t - 2e-9), k);
            assert_eq!(holds(&film, t)[0], until);
        }
        assert_eq!(frame(&film, t), 3);
    }

    #[test]
    fn pictures_change_when_their_time_comes() {
        let at = |t: f64| shown(3, 10.0, 0.5, t);
        let times = [-1.0, 0.5, 0.599, 0.6, 0.5 + 0.1 + 0.1, 9.0, f64::NAN];
        assert_eq!(times.map(at), [0, 0, 0, 1, 2, 2, 0]);
    }
}
