//! Packs the lab's page into the program, if the folder `page` has been built.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> Result<(), Box<dyn Error>> {
    let page = Path::new("page");
    println!("cargo::rerun-if-changed=build.rs");
    // A path that is not there counts as changed at every build; the folder around it says when it is.
    let seen = if page.exists() { "page" } else { "." };
    println!("cargo::rerun-if-changed={seen}");
    println!("cargo::rustc-check-cfg=cfg(has_page)");
    let mut files = Vec::new();
    if page.join("index.html").exists() {
        println!("cargo::rustc-cfg=has_page");
        list(page, &mut files)?;
    }
    files.sort();

    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    let mut table = "pub(crate) static PAGE: &[Asset] = &[\n".to_owned();
    for (index, file) in files.iter().enumerate() {
        let mut zip = GzEncoder::new(Vec::new(), Compression::best());
        zip.write_all(&fs::read(file)?)?;
        fs::write(out.join(format!("{index}.gz")), zip.finish()?)?;
        // As addresses have it.
        let path = file
            .strip_prefix(page)?
            .to_string_lossy()
            .replace('\\', "/");
        writeln!(
            table,
            "    Asset {{ path: {path:?}, gzip: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{index}.gz\")) }},"
        )?;
    }
    table += "];\n";
    fs::write(out.join("page.rs"), table)?;
    Ok(())
}

/// Every file of a folder and of those in it.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in folder.read_dir()? {
        let path = entry?.path();
        match path.is_dir() {
            true => list(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}
