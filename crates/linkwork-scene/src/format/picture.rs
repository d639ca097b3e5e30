//! Pictures: numbers over the plane that formulas read.

use crate::read::record::record;

record! {
    /// A picture that lies in the plane. Formulas read it by its name: "photo(p)" is how bright it is at p, from 0 to 1,
    /// "photo.edge(p)" how strong its edges are, the strongest being 1.
    #[derive(Default)]
    pub struct PictureEntry {
        /// Its name.
        pub name: String,
        /// The picture: "data:image/png;base64,…", at most 1,024 pixels wide and high.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        pub png: String,
        /// A PNG file beside the scene, in its place. It is read when the scene is; a scene that is saved has the picture.
        pub file: Option<String>,
        /// Where its middle is, m.
        #[serde(default)]
        pub position: [f64; 2],
        /// How wide it is, m.
        pub width: f64,
        /// How far it is blurred, pixels: edges are felt as far as that.
        #[serde(default, skip_serializing_if = "crate::format::is_default")]
        pub blur: f64,
    }
}
