//! Lists the types of the catalogue: a file in one of its folders is a type, and the folder is the list.

use std::path::Path;
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
    Ok(())
}

/// The modules of a folder that have a type, and all of these types.
fn list(folder: &Path, sort: &str) -> io::Result<String> {
    let mut files: Vec<_> = fs::read_dir(folder)?
        .map(|file| Ok(file?.path()))
        .collect::<io::Result<_>>()?;
    files.sort();
    let (mut modules, mut types) = (String::new(), String::new());
    for file in files {
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
