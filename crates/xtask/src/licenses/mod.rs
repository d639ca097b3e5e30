//! The licenses of everything that is shipped: crates of others in the modules and in the command line, and packages of
//! others in the page.
//!
//! Only what is linked counts: normal dependencies, for the target, with the features that are built (`cargo tree`),
//! without what runs at build time. Of the page it is what its lock does not call a tool.

mod spdx;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::setup::TARGET;
use crate::tools::{at, cargo, root};

/// What is shipped, by its package, and for which target; none is this machine.
const SHIPPED: [(&str, &str, Option<&str>); 3] = [
    ("linkwork-wasm", "engine of the page", Some(TARGET)),
    ("linkwork-import-wasm", "importer of the page", Some(TARGET)),
    ("linkwork-cli", "command line", None),
];

const PAGE: &str = "page";

/// The file beside the page that has all of it.
const FILE: &str = "licenses.txt";

/// A crate or a package of others.
#[derive(Debug, PartialEq)]
struct Part {
    license: String,
    /// The licenses that we keep.
    kept: Vec<String>,
    /// Where its files are.
    folder: PathBuf,
    /// What has it.
    shipped_in: BTreeSet<&'static str>,
}

/// By name and version.
type Parts = BTreeMap<String, Part>;

/// Lists what is shipped, and refuses what may not be.
pub(crate) fn check() -> Result<(), String> {
    let parts = list(&root()?)?;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, part) in &parts {
        let shipped_in: Vec<_> = part.shipped_in.iter().copied().collect();
        println!("{name}: {} ({})", part.license, shipped_in.join(", "));
        for license in &part.kept {
            *counts.entry(license).or_default() += 1;
        }
    }
    let counts = counts.iter().map(|(license, n)| format!("{n} {license}"));
    let counts: Vec<_> = counts.collect();
    println!(
        "{} parts of others, kept under: {}",
        parts.len(),
        counts.join(", ")
    );
    Ok(())
}

/// Writes the list, with the texts of the licenses, beside the page, unless it is there already.
pub(crate) fn write(page: &Path) -> Result<(), String> {
    let text = text(&list(&root()?)?)?;
    let path = page.join(FILE);
    match fs::read_to_string(&path).is_ok_and(|old| old == text) {
        true => Ok(()),
        false => fs::write(&path, text).map_err(at(&path)),
    }
}

fn list(root: &Path) -> Result<Parts, String> {
    let mut parts = Parts::new();
    for (package, name, target) in SHIPPED {
        list_crates(root, &mut parts, (package, name), target)?;
    }
    let lock = root.join("web/package-lock.json");
    let text = fs::read_to_string(&lock).map_err(at(&lock))?;
    list_packages(&text, &root.join("web"), &mut parts)?;
    Ok(parts)
}

/// What cargo says.
fn ask(command: &mut Command) -> Result<String, String> {
    let output = command.output();
    let output = output.map_err(|error| format!("cargo did not start ({error})"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

fn list_crates(
    root: &Path,
    parts: &mut Parts,
    (package, shipped_in): (&str, &'static str),
    target: Option<&str>,
) -> Result<(), String> {
    let mut tree = cargo();
    tree.args(["tree", "--locked", "--package", package, "--prefix", "none"]);
    tree.args(["--edges", "normal,no-proc-macro", "--format", "{p}"]);
    tree.args(target.map(|target| format!("--target={target}")));
    let linked = ask(tree.current_dir(root))?;
    let mut metadata = cargo();
    metadata.args(["metadata", "--locked", "--format-version=1"]);
    let platform = target.map_or_else(|| host(root), |target| Ok(target.to_owned()))?;
    metadata.arg(format!("--filter-platform={platform}"));
    let known = ask(metadata.current_dir(root))?;
    let known = serde_json::from_str(&known).map_err(|error| format!("cargo metadata: {error}"))?;
    add_crates(&linked, &known, shipped_in, parts)
}

/// The platform that this machine is.
fn host(root: &Path) -> Result<String, String> {
    let mut rustc = Command::new("rustc");
    let about = ask(rustc.arg("-vV").current_dir(root))?;
    let line = about.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned)
        .ok_or_else(|| "`rustc -vV` does not name a host".to_owned())
}

/// Adds the crates of others that `cargo tree` lists, as `cargo metadata` knows them.
fn add_crates(
    linked: &str,
    metadata: &Value,
    shipped_in: &'static str,
    parts: &mut Parts,
) -> Result<(), String> {
    let text = |own: &Value, key: &str| own[key].as_str().unwrap_or_default().to_owned();
    let mut known = BTreeMap::new();
    for own in metadata["packages"].as_array().into_iter().flatten() {
        known.insert(
            format!("{} v{}", text(own, "name"), text(own, "version")),
            own,
        );
    }
    for line in linked.lines() {
        let words: Vec<_> = line.split_whitespace().take(2).collect();
        let name = words.join(" ");
        let Some(own) = known.get(&name) else {
            return Err(format!("`cargo metadata` does not know \"{name}\""));
        };
        // Of this repository.
        if own["source"].is_null() {
            continue;
        }
        let manifest = PathBuf::from(text(own, "manifest_path"));
        let folder = manifest.parent().unwrap_or(&manifest).to_owned();
        add(parts, (name, text(own, "license")), folder, shipped_in)?;
    }
    Ok(())
}

/// Adds the packages of a lock of npm that are no tools.
fn list_packages(lock: &str, web: &Path, parts: &mut Parts) -> Result<(), String> {
    let lock: Value =
        serde_json::from_str(lock).map_err(|error| format!("package-lock.json: {error}"))?;
    let packages = lock["packages"].as_object().into_iter().flatten();
    let shipped = packages.filter(|(path, own)| !path.is_empty() && own["dev"] != true);
    for (path, own) in shipped {
        let name = path.rsplit("node_modules/").next().unwrap_or(path);
        let text = |key: &str| own[key].as_str().unwrap_or_default();
        let name = format!("{name} v{}", text("version"));
        add(
            parts,
            (name, text("license").to_owned()),
            web.join(path),
            PAGE,
        )?;
    }
    Ok(())
}

fn add(
    parts: &mut Parts,
    (name, license): (String, String),
    folder: PathBuf,
    shipped_in: &'static str,
) -> Result<(), String> {
    let Some(kept) = spdx::choose(&license) else {
        return Err(format!(
            "{name}, in the {shipped_in}, has the license \"{license}\", which is not one of those that may be shipped; \
             do without it, or allow the license in crates/xtask/src/licenses/spdx.rs"
        ));
    };
    let part = parts.entry(name).or_insert(Part {
        license,
        kept,
        folder,
        shipped_in: BTreeSet::new(),
    });
    part.shipped_in.insert(shipped_in);
    Ok(())
}

/// The whole file: what there is, then every text once, with the names it is of.
fn text(parts: &Parts) -> Result<String, String> {
    let mut out = "Linkwork is under MIT or Apache-2.0, at your option. Its page and its command line contain\n\
        parts of others, under the licenses below, and the standard library of Rust\n\
        (MIT OR Apache-2.0, The Rust Project Contributors).\n\n"
        .to_owned();
    let mut texts: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (name, part) in parts {
        let shipped_in: Vec<_> = part.shipped_in.iter().copied().collect();
        let _ = writeln!(out, "{name}: {} ({})", part.license, shipped_in.join(", "));
        for text in texts_of(part)? {
            texts.entry(text).or_default().push(name);
        }
    }
    // In the order of the list.
    let mut texts: Vec<_> = texts.into_iter().map(|(text, of)| (of, text)).collect();
    texts.sort();
    for (of, text) in texts {
        let _ = write!(out, "\n{}\n{}\n\n{text}\n", "-".repeat(72), of.join(", "));
    }
    Ok(out)
}

/// The texts that a part has of the licenses we keep: files that are named after them, or else all there are.
fn texts_of(part: &Part) -> Result<Vec<String>, String> {
    let folder = &part.folder;
    let mut files = vec![];
    for entry in folder.read_dir().map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.to_uppercase();
        let is_license = ["LICENSE", "LICENCE", "COPYING"]
            .iter()
            .any(|start| name.starts_with(start));
        if is_license && path.is_file() {
            files.push((name, path));
        }
    }
    files.sort();
    let is_named = |name: &str| {
        let mut words = part
            .kept
            .iter()
            .filter_map(|license| license.split('-').next());
        words.any(|word| name.contains(&word.to_uppercase()))
    };
    if files.iter().any(|(name, _)| is_named(name)) {
        files.retain(|(name, _)| is_named(name));
    }
    let read = |(_, path): &(String, PathBuf)| {
        let text = fs::read_to_string(path).map_err(at(path))?;
        let lines: Vec<_> = text.trim().lines().map(str::trim_end).collect();
        Ok(lines.join("\n"))
    };
    files.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_linked_is_listed_once_and_ours_is_not() {
        let linked =
            "linkwork-wasm v0.1.0 (/here)\nlibm v0.2.16\nserde v1.0.0 (*)\nlibm v0.2.16 (*)\n";
        let package = |name: &str, version: &str, source: Value| {
            json!({ "name": name, "version": version, "source": source, "license": "MIT",
                    "manifest_path": "/there/Cargo.toml" })
        };
        let metadata = json!({ "packages": [
            package("linkwork-wasm", "0.1.0", Value::Null),
            package("libm", "0.2.16", json!("registry")),
            package("libm", "0.1.0", json!("registry")),
            package("serde", "1.0.0", json!("registry")),
        ]});
        let mut parts = Parts::new();
        add_crates(linked, &metadata, "engine of the page", &mut parts).unwrap();
        add_crates("libm v0.2.16", &metadata, "command line", &mut parts).unwrap();
        let names: Vec<_> = parts.keys().map(String::as_str).collect();
        assert_eq!(names, ["libm v0.2.16", "serde v1.0.0"]);
        assert_eq!(parts["libm v0.2.16"].shipped_in.len(), 2);
        assert_eq!(parts["libm v0.2.16"].folder, Path::new("/there"));
        let unknown = add_crates("other v1.0.0", &metadata, PAGE, &mut parts);
        assert!(unknown.unwrap_err().contains("other v1.0.0"));
    }

    #[test]
    fn tools_of_the_page_are_not_shipped() {
        let lock = r#"{ "packages": {
            "": { "version": "0.1.0" },
            "node_modules/@preact/signals": { "version": "2.0.0", "license": "MIT" },
            "node_modules/a/node_modules/b": { "version": "1.0.0", "license": "ISC" },
            "node_modules/vite": { "version": "8.0.0", "license": "GPL-3.0-only", "dev": true }
        } }"#;
        let mut parts = Parts::new();
        list_packages(lock, Path::new("web"), &mut parts).unwrap();
        let names: Vec<_> = parts.keys().map(String::as_str).collect();
        assert_eq!(names, ["@preact/signals v2.0.0", "b v1.0.0"]);
        let refused = list_packages(
            &lock.replace("ISC", "MPL-2.0"),
            Path::new("web"),
            &mut parts,
        );
        let message = refused.unwrap_err();
        assert!(message.contains("b v1.0.0, in the page, has the license \"MPL-2.0\""));
    }

    #[test]
    fn texts_are_those_of_the_licenses_that_are_kept_each_once() {
        let base = std::env::temp_dir().join(format!("linkwork-licenses-{}", std::process::id()));
        let mut parts = Parts::new();
        for (name, files) in [
            (
                "a v1",
                &[("LICENSE-MIT", "first \n"), ("LICENSE-APACHE", "second")][..],
            ),
            ("b v1", &[("license.md", "first"), ("README", "third")][..]),
        ] {
            let folder = base.join(name);
            fs::create_dir_all(&folder).unwrap();
            for (file, text) in files {
                fs::write(folder.join(file), text).unwrap();
            }
            let license = "MIT OR Apache-2.0".to_owned();
            add(&mut parts, (name.to_owned(), license), folder, PAGE).unwrap();
        }
        let text = text(&parts).unwrap();
        assert!(text.contains("a v1: MIT OR Apache-2.0 (page)\n"), "{text}");
        assert!(text.ends_with("\na v1, b v1\n\nfirst\n"), "{text}");
        assert!(
            !text.contains("second") && !text.contains("third"),
            "{text}"
        );
        fs::remove_dir_all(&base).unwrap();
    }
}
