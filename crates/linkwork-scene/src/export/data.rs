//! What a page shows of data: tables by their points, and pictures by their place.

use serde::Serialize;

use crate::format::TableEntry;
use crate::picture::Picture;
use crate::points::{Sequence, pull_of};
use crate::scene::Scene;

/// The tables and pictures of a scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Data {
    /// In the order of the file.
    pub tables: Vec<TableLook>,
    /// In the order of the file.
    pub pictures: Vec<PictureLook>,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableLook {
    /// Its name.
    pub name: String,
    /// The names of its columns.
    pub columns: Vec<String>,
    /// How many rows it has.
    pub rows: usize,
    /// Where columns x and y, and z if there is one, say that points are; rows with gaps are left out. Those that pull
    /// bodies are drawn at their time, by [`point_lines`](crate::points::point_lines).
    pub points: Vec<[f64; 3]>,
    /// The joints by which its points pull bodies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pulls: Vec<String>,
    /// Whether it has points that may pull bodies, and whether these have names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<bool>,
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PictureLook {
    /// Its name.
    pub name: String,
    /// Where its middle is, m.
    pub position: [f64; 2],
    /// How wide it is, m.
    pub width: f64,
    /// How high it is, m.
    pub height: f64,
    /// How far it is blurred, pixels.
    pub blur: f64,
    /// Another one means other pixels.
    pub stamp: u32,
    /// Of a film: how long these pixels hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub film: Option<FilmLook>,
}

/// From when to when the picture of a film holds that is shown now.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FilmLook {
    /// From then on, s; the first has always been there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// Until then, s; the last stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
}

/// The tables and pictures of a scene.
pub fn data(scene: &Scene) -> Data {
    Data {
        tables: scene.tables.iter().map(|own| table(scene, own)).collect(),
        pictures: scene
            .pictures
            .iter()
            .map(|own| picture(own, scene.world.state().t))
            .collect(),
    }
}

/// The picture of this name, as a file has it: a data URI; of a film, the one that is shown now.
pub fn picture_text<'s>(scene: &'s Scene, name: &str) -> Option<&'s str> {
    let mut pictures = scene.pictures.iter();
    pictures
        .find(|own| own.entry.name == name)
        .map(|own| own.shown(scene.world.state().t))
}

fn table(scene: &Scene, of: &TableEntry) -> TableLook {
    let records = scene.world.constraints().iter();
    let pulls = records.filter_map(|own| Some((own, pull_of(own)?)));
    let pulls = pulls.filter(|(_, own)| own.said().table == of.name);
    let pulls: Vec<String> = pulls.map(|(own, _)| own.label().to_owned()).collect();
    let column = |name: &str| of.columns.iter().position(|own| own == name);
    let places = column("x").zip(column("y")).filter(|_| pulls.is_empty());
    let points = places.into_iter().flat_map(|(x, y)| {
        let z = column("z");
        of.rows.iter().filter_map(move |row| {
            let z = z.map_or(Some(0.0), |z| row[z].0)?;
            Some([row[x].0?, row[y].0?, z])
        })
    });
    TableLook {
        name: of.name.clone(),
        columns: of.columns.clone(),
        rows: of.rows.len(),
        points: points.collect(),
        pulls,
        labels: Sequence::of(of, 1.0, &[]).ok().map(|own| own.has_labels()),
    }
}

fn picture(of: &Picture, t: f64) -> PictureLook {
    let pixels = of.pixels();
    let entry = &of.entry;
    // FNV-1a.
    let stamp = of.shown(t).bytes().fold(0x811c_9dc5_u32, |stamp, byte| {
        (stamp ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    PictureLook {
        name: entry.name.clone(),
        position: entry.position,
        width: entry.width,
        height: entry.width * pixels.height as f64 / pixels.width as f64,
        blur: entry.blur,
        stamp,
        film: of.holds(t).map(|[from, until]| FilmLook { from, until }),
    }
}
