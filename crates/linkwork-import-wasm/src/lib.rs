//! Robots in a browser: files that a person gave become the text of a scene.
//!
//! A module of its own, so that a page that imports nothing does not wait for it.

use std::rc::Rc;

use linkwork_import::{Files, ImportOptions, import_files};
use linkwork_scene::{build, write};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The files of a page: an object with these functions. Files are read when they are needed.
    #[derive(Debug)]
    pub type Given;

    #[wasm_bindgen(method)]
    fn paths(this: &Given) -> Vec<String>;

    #[wasm_bindgen(method)]
    fn size(this: &Given, path: &str) -> f64;

    #[wasm_bindgen(method, catch)]
    fn read(this: &Given, path: &str) -> Result<Vec<u8>, JsValue>;
}

/// The same with its paths, which are asked for often.
struct Known {
    given: Given,
    paths: Vec<String>,
}

impl Files for Known {
    fn paths(&self) -> Vec<String> {
        self.paths.clone()
    }

    fn size(&self, path: &str) -> u64 {
        self.given.size(path) as u64
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let words = |error: JsValue| error.as_string().unwrap_or_else(|| "failed".to_owned());
        self.given.read(path).map_err(words)
    }
}

/// A robot that was read.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug)]
pub struct Robot {
    /// The text of a scene.
    pub scene: String,
    /// Mesh files that are not among those that were given.
    pub missing: Vec<String>,
    /// What was read, approximated and refused.
    pub report: String,
}

/// Reads the file `model`, a URDF or MJCF, of those that are given.
#[wasm_bindgen]
pub fn robot(files: Given, model: &str) -> Result<Robot, JsError> {
    let paths = files.paths();
    let files = Rc::new(Known {
        given: files,
        paths,
    });
    let imported = import_files(files, model, &ImportOptions::default());
    let imported = imported.map_err(|fault| JsError::new(&fault.to_string()))?;
    // A scene that cannot be built is no scene.
    let fault = |fault: linkwork_scene::Fault| JsError::new(&fault.in_file(model).to_string());
    build(&imported.document).map_err(fault)?;
    Ok(Robot {
        scene: write::text(&imported.document).map_err(fault)?,
        missing: imported.report.missing.clone(),
        report: imported.report.brief().to_string(),
    })
}
