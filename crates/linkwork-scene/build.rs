//! Lists the types of the catalogue and the scenes of the library: a file in one of their folders is a type
//! or a scene, and the folder is the list.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let catalogue = Path::new(&root).join("src/catalogue");
    let out = env::var("OUT_DIR").unwrap_or_default();
    for folder in fs::read_dir(&catalogue)? {
        let folder = folder?.path();
        if folder.is_dir() {
            println!("cargo:rerun-if-changed={}", folder.display());
            let sort = name(&folder);
            fs::write(
                Path::new(&out).join(format!("{sort}.rs")),
                list(&folder, &sort)?,
            )?;
        }
    }
    let files = scenes(&Path::new(&root).join("scenes"))?;
    fs::write(Path::new(&out).join("scenes.rs"), files)
}

/// The files of the library: of each its name, what it is for, and its text if programs are to have it.
fn scenes(folder: &Path) -> io::Result<String> {
    println!("cargo:rerun-if-changed={}", folder.display());
    let embeds = env::var_os("CARGO_FEATURE_LIBRARY_FILES").is_some();
    let mut files = String::new();
    for path in sorted(folder)? {
        let file = path.display().to_string();
        if !file.ends_with(".json") || file.ends_with(".schema.json") {
            continue;
        }
        println!("cargo:rerun-if-changed={file}");
        let text = fs::read_to_string(&path)?;
        let why = text.split("\"why\": \"").nth(1).unwrap_or_default();
        let why = why.split('"').next().unwrap_or_default();
        let (name, text) = (name(&path), format!("Some(include_str!({file:?}))"));
        let text = if embeds { &text } else { "None" };
        files += &format!("File {{ name: {name:?}, why: {why:?}, text: {text} }},\n");
    }
    Ok(format!("static FILES: &[File] = &[\n{files}];\n"))
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let files = fs::read_dir(folder)?.map(|file| Ok(file?.path()));
    let mut files = files.collect::<io::Result<Vec<_>>>()?;
    files.sort();
    Ok(files)
}

/// The modules of a folder that have a type, and all of these types.
fn list(folder: &Path, sort: &str) -> io::Result<String> {
    let (mut modules, mut types) = (String::new(), String::new());
    for file in sorted(folder)? {
        println!("cargo:rerun-if-changed={}", file.display());
        if fs::read_to_string(&file)?.contains("static TYPE") {
            let word = name(&file);
            modules += &format!(
                "#[path = {:?}]\nmod r#{word};\n",
                file.display().to_string()
            );
            types += &format!("&r#{word}::TYPE, ");
        }
    }
    let law = format!("{}{}Type", sort[..1].to_uppercase(), &sort[1..]);
    Ok(format!("{modules}static FILES: &[&{law}] = &[{types}];\n"))
}

fn name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}
