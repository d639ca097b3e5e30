//! SCENE: a file, `-` for the standard input, or a name of the library such as `chain:100`.
//!
//! A path that exists wins over a name.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use linkwork_scene::format::Document;
use linkwork_scene::read::{self, Misfit, Setting, Variant, located};
use linkwork_scene::table::read_data;
use linkwork_scene::{Fault, Scene, SceneError, library, nearest};

use crate::closing::closed;
use crate::failure::Failure;
use crate::inputs::{self, Input};

/// Fields of the scene, set before anything else is done.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SetArguments {
    /// Set a field of the scene, as if it stood in the file: bodies.crank.length=0.1. Can be given
    /// several times.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    list: Vec<Setting>,
}

impl SetArguments {
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn list(&self) -> &[Setting] {
        &self.list
    }
}

/// Opens a scene. What is set may leave its joints open.
pub(crate) fn open(name: &str, set: &SetArguments) -> Result<Scene, Failure> {
    if !set.is_empty() {
        let draft = Draft::open(name)?;
        return draft.variant(set.list()).map(|variant| variant.scene);
    }
    match text(name)? {
        Some(text) => {
            read::load_beside(&text, &beside(name)).map_err(|fault| of(name, &text, fault))
        }
        None => from_library(name),
    }
}

/// Opens a scene with data in the place of a table; - is the standard input.
pub(crate) fn open_with(
    name: &str,
    set: &SetArguments,
    table: Option<&str>,
    data: &str,
) -> Result<Scene, Failure> {
    if name == "-" && data == "-" {
        return Err(Failure::usage(
            "the scene and the data are both standard input",
        ));
    }
    let refuse = |fault: Fault| Failure::Scene(fault.in_file(shown(data)));
    let bytes = match data {
        "-" => read::bytes_from(io::stdin().lock()),
        _ => {
            inputs::remember(Path::new(data), Input::Other);
            read::bytes_of(Path::new(data))
        }
    };
    let sheet = bytes
        .and_then(|bytes| read_data(data, bytes))
        .map_err(refuse)?;
    let mut draft = Draft::open(name)?;
    draft.draft.set_table(table, &sheet).map_err(refuse)?;
    draft.variant(set.list()).map(|variant| variant.scene)
}

/// Opens a scene to be run: joints that what is set leaves open are closed.
pub(crate) fn open_closed(name: &str, set: &SetArguments) -> Result<Scene, Failure> {
    match set.is_empty() {
        true => open(name, set),
        false => closed(Draft::open(name)?.variant(set.list())?),
    }
}

/// A picture of a scene that becomes a film: NAME=FOLDER.
#[derive(Clone, Debug)]
pub(crate) struct FilmSetting {
    picture: String,
    folder: String,
}

impl FromStr for FilmSetting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once('=');
        let (picture, folder) = parts.ok_or("write NAME=FOLDER, as in photo=frames")?;
        Ok(Self {
            picture: picture.to_owned(),
            folder: folder.to_owned(),
        })
    }
}

impl FilmSetting {
    /// The PNG files of the folder, in the order of their names.
    fn frames(&self) -> Result<Vec<Vec<u8>>, Fault> {
        let in_folder = |error: io::Error| Fault::at("", error.to_string());
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&self.folder).map_err(in_folder)? {
            let path = entry.map_err(in_folder)?.path();
            let ending = path.extension().map(OsStr::to_ascii_lowercase);
            if ending.is_some_and(|own| own == "png") {
                files.push(path);
            }
        }
        files.sort();
        if files.is_empty() {
            let fault = Fault::at("", "has no PNG files");
            return Err(fault.hint("name a folder of pictures, numbered in their order"));
        }
        let read = |path: &PathBuf| {
            inputs::remember(path, Input::Other);
            read::bytes_of(path)
        };
        files.iter().map(read).collect()
    }
}

/// Opens a scene to be run in which pictures are films of so many pictures a second.
pub(crate) fn open_filmed(
    name: &str,
    set: &SetArguments,
    films: &[FilmSetting],
    rate: f64,
) -> Result<Scene, Failure> {
    let mut draft = Draft::open(name)?;
    for film in films {
        let frames = film.frames();
        let frames = frames.map_err(|fault| Failure::Scene(fault.in_file(&film.folder)))?;
        let set = draft.draft.set_film(&film.picture, rate, &frames);
        set.map_err(|mut fault| {
            fault.path = format!("--film {}", film.picture);
            Failure::Usage(fault)
        })?;
    }
    closed(draft.variant(set.list())?)
}

/// A scene whose fields can be set.
#[derive(Debug)]
pub(crate) struct Draft {
    name: String,
    /// As it is in the file, or as the library's scene is described.
    text: String,
    draft: read::Draft,
}

impl Draft {
    pub(crate) fn open(name: &str) -> Result<Self, Failure> {
        let text = match text(name)? {
            Some(text) => text,
            None => match library::text(name) {
                Ok(Some(text)) => text.to_owned(),
                _ => {
                    let saved = linkwork_scene::save(&from_library(name)?);
                    saved.map_err(|fault| Failure::Scene(fault.in_file(name)))?
                }
            },
        };
        Self::of(name, text)
    }

    /// Of a text that has this name.
    pub(crate) fn of(name: &str, text: String) -> Result<Self, Failure> {
        let draft = read::Draft::parse_beside(&text, &beside(name));
        let draft = draft.map_err(|fault| of(name, &text, fault))?;
        let name = name.to_owned();
        Ok(Self { name, text, draft })
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Where in the scene a setting goes, however its path is written; none if nowhere.
    pub(crate) fn place(&self, setting: &Setting) -> Option<String> {
        self.draft.place(setting)
    }

    /// The scene with these settings, joints as they leave them.
    pub(crate) fn variant(&self, settings: &[Setting]) -> Result<Variant, Failure> {
        let built = self.draft.build(settings);
        built.map_err(|misfit| match misfit {
            Misfit::Setting(mut fault) => {
                fault.path = format!("--set {}", fault.path);
                Failure::Usage(fault)
            }
            Misfit::Scene(fault) => of(&self.name, &self.text, located(fault, &self.text)),
        })
    }
}

/// The document a scene is written in, if it is not one of the library; it was built to see if it
/// can be.
pub(crate) fn document(name: &str) -> Result<Document, Failure> {
    let Some(text) = text(name)? else {
        let described = linkwork_scene::describe(&from_library(name)?);
        return described.map_err(|fault| Failure::Scene(fault.in_file(name)));
    };
    let document = read::parse_beside(&text, &beside(name));
    let document = document.map_err(|fault| of(name, &text, fault))?;
    let built = linkwork_scene::build(&document);
    built.map_err(|fault| of(name, &text, located(fault, &text)))?;
    Ok(document)
}

/// The text of a scene that builds; none if it is one of the library, as it is there.
pub(crate) fn checked(name: &str, set: &SetArguments) -> Result<Option<String>, Failure> {
    if !set.is_empty() {
        let saved = linkwork_scene::save(&open_closed(name, set)?);
        let saved = saved.map_err(|fault| Failure::Scene(fault.in_file(shown(name))));
        return saved.map(Some);
    }
    let text = text(name)?;
    let Some(text) = text else {
        return from_library(name).map(|_| None);
    };
    let scene = read::load_beside(&text, &beside(name)).map_err(|fault| of(name, &text, fault))?;
    let document = linkwork_scene::parse(&text).map_err(|fault| of(name, &text, fault))?;
    let tables = document.tables.iter().map(|own| &own.file);
    let films = document.pictures.iter().filter_map(|own| own.film.as_ref());
    let pictures = document.pictures.iter().map(|own| &own.file);
    let mut files = tables.chain(pictures).chain(films.map(|own| &own.files));
    if files.all(Option::is_none) {
        return Ok(Some(text));
    }
    // What lies beside it is not where the text goes.
    let saved = linkwork_scene::save(&scene);
    saved.map(Some).map_err(|fault| of(name, &text, fault))
}

/// What to call a scene that has no name of its own.
pub(crate) fn title(scene: &Scene, source: &str) -> String {
    let stem = || Path::new(source).file_stem()?.to_str().map(str::to_owned);
    let own = scene.name.clone().filter(|name| !name.is_empty());
    match source {
        "-" => own.unwrap_or_else(|| "scene".to_owned()),
        _ => own.or_else(stem).unwrap_or_else(|| source.to_owned()),
    }
}

/// The text of a file or of the standard input; none if the name can only be one of the library.
fn text(name: &str) -> Result<Option<String>, Failure> {
    let refuse = |fault: Fault| Failure::Scene(fault.in_file(shown(name)));
    if name == "-" {
        return read::read_from(io::stdin().lock())
            .map(Some)
            .map_err(refuse);
    }
    let path = Path::new(name);
    if path.is_dir() {
        let hint = "name a scene file in the folder";
        return Err(refuse(Fault::at("", "is a folder").hint(hint)));
    }
    if path.exists() {
        inputs::remember(path, Input::Scene);
        return read::read_text(path).map(Some).map_err(Failure::Scene);
    }
    if looks_like_path(name) {
        let mut fault = Fault::at("", "no such file");
        fault.hint = neighbor(path).map(|near| format!("did you mean {near}?"));
        return Err(refuse(fault));
    }
    Ok(None)
}

/// Files of the folder in which a scene lies; of standard input, the present one.
fn beside(name: &str) -> impl Fn(&str) -> Result<Vec<u8>, Fault> {
    let folder = Path::new(name).parent().filter(|_| name != "-");
    let folder = folder.map(Path::to_path_buf).unwrap_or_default();
    move |file: &str| {
        inputs::remember(&folder.join(file), Input::Other);
        read::in_folder(&folder, file)
    }
}

fn shown(name: &str) -> &str {
    match name {
        "-" => "standard input",
        _ => name,
    }
}

/// A fault of a text, with advice where the text is of another kind altogether.
fn of(name: &str, text: &str, fault: Fault) -> Failure {
    let mut fault = fault.in_file(shown(name));
    if text.trim_start().starts_with('<') {
        fault.problem = "is XML, not a scene".to_owned();
        let advice = format!("for URDF and MJCF: linkwork import {name} -o scene.json");
        fault.hint = Some(advice);
    } else if name == "-" && text.trim().is_empty() {
        fault.problem = "is empty".to_owned();
    }
    Failure::Scene(fault)
}

fn looks_like_path(name: &str) -> bool {
    name.is_empty() || name.contains(['/', '\\']) || Path::new(name).extension().is_some()
}

/// The file beside the one that is not there which was probably meant.
fn neighbor(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let files = folder.read_dir().ok()?;
    let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort();
    let near = nearest(wanted, names.iter().map(String::as_str))?;
    Some(path.with_file_name(near).display().to_string())
}

/// A scene of the library.
fn from_library(name: &str) -> Result<Scene, Failure> {
    let fault = match library::open(name) {
        Ok(scene) => return Ok(scene),
        Err(SceneError::UnknownName { .. }) => {
            let kind = name.split(':').next().unwrap_or(name);
            let near = nearest(kind, library::list().map(|known| known.name));
            let problem = "no such file, and no scene of the library has this name";
            Fault::at("", problem).hint(match near {
                Some(near) => format!("did you mean {near}? `linkwork scenes` lists all"),
                None => "`linkwork scenes` lists the library".to_owned(),
            })
        }
        Err(SceneError::BadParameters { usage, .. }) => numbers(usage, name),
        Err(other) => Fault::at("", other.to_string()),
    };
    Err(Failure::Scene(fault.in_file(name)))
}

/// A name of the library with other numbers than it takes.
fn numbers(usage: &str, name: &str) -> Fault {
    if !usage.contains(':') {
        return Fault::at("", "takes no numbers").hint(format!("write {usage}"));
    }
    let problem = match name.split_once(':') {
        None => "needs numbers",
        Some(_) => "the numbers after the name do not fit",
    };
    let kind = name.split(':').next().unwrap_or(name);
    let known = library::list().find(|known| known.name == kind);
    let example = known.map_or(String::new(), |known| format!(", such as {}", known.small));
    let range = "each is a whole number from 1 to 1000000";
    Fault::at("", problem).hint(format!("write {usage}{example}; {range}"))
}
