//! Pictures: numbers over the plane that formulas read.

use crate::read::record::record;

record! {
    /// A picture that lies in the plane. Formulas read it by its name: "photo(p)" is how bright it is at p, from 0 to
    /// 1, "photo.edge(p)" how strong its edges are, the strongest being 1.
    #[derive(Default)]
    pub struct PictureEntry {
        /// Its name.
        pub name: String,
        /// The picture: "data:image/png;base64,…", at most 1,024 pixels wide and high.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        pub png: String,
        /// A PNG file beside the scene, in its place. It is read when the scene is; a scene that is saved has the
        /// picture.
        pub file: Option<String>,
        /// Where its middle is, m.
        #[serde(default)]
        pub position: [f64; 2],
        /// How wide it is, m.
        pub width: f64,
        /// How far it is blurred, pixels: edges are felt as far as that.
        #[serde(default, skip_serializing_if = "crate::format::is_default")]
        pub blur: f64,
        /// Pictures that follow each other, in place of one.
        pub film: Option<FilmEntry>,
    }
}

record! {
    /// Pictures of one size that follow each other while time passes. What formulas read is the one of the time that
    /// is; before the first and after the last it is that one.
    #[derive(Default)]
    pub struct FilmEntry {
        /// The pictures: "data:image/png;base64,…" each.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub png: Vec<String>,
        /// PNG files beside the scene, in their place: "cell-%03d.png" is cell-000.png or cell-001.png and so on, as
        /// far as they go. They are read when the scene is; a scene that is saved has the pictures.
        pub files: Option<String>,
        /// How many follow each other in a second, 1/s.
        pub rate: f64,
        /// When the first begins, s.
        #[serde(default, skip_serializing_if = "crate::format::is_default")]
        pub start: f64,
    }
}
