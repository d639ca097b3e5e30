//! The crates that are published, packed as a registry gets them and compiled as their users have them.
//!
//! `cargo package` refuses a dependency without a version. Here is refused a package that lacks a file it
//! should have (a scene, the page, a license), or that reaches for a file it has not: what was packed is
//! unpacked and checked with nothing of the repository around it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::page;
use crate::tools::{at, cargo, is_built, root, run, target};

/// What is published, each after those it needs.
const PACKAGES: [&str; 5] = [
    "linkwork",
    "linkwork-formula",
    "linkwork-scene",
    "linkwork-import",
    "linkwork-cli",
];

/// Folders that must be in a package, and a file that is in them.
const FOLDERS: [(&str, &str, &str); 2] = [
    ("linkwork-scene", "scenes", "four-bar.json"),
    ("linkwork-cli", "page", "index.html"),
];

/// Files of the root that must be in every package.
const LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Packs all and checks what was packed.
pub(crate) fn run_all() -> Result<(), String> {
    if !is_built() {
        page::build()?;
    }
    let (root, target) = (root()?, target()?);
    pack(&root)?;
    let packed = unpack(&target)?;
    for name in PACKAGES {
        for license in LICENSES {
            is_same(&root.join(license), &folder(&packed, name).join(license))?;
        }
    }
    for (name, inside, file) in FOLDERS {
        let own = root.join("crates").join(name).join(inside);
        let n_files = compare(&own, &folder(&packed, name).join(inside), file)?;
        println!("{name}: {n_files} files of {inside}/ are in the package");
    }
    check(&root, &packed, &target)
}

/// One call for all: cargo then finds those that are not published yet beside each other.
fn pack(root: &Path) -> Result<(), String> {
    let mut command = cargo();
    command.args(["package", "--quiet", "--no-verify"]);
    // The page is not in git, and a change is checked before it is.
    command.arg("--allow-dirty").current_dir(root);
    if is_built() {
        // What is built was fetched: there is nothing to ask a registry for.
        command.arg("--offline");
    }
    for name in PACKAGES {
        command.args(["--package", name]);
    }
    run(&mut command)
}

/// A folder with what was packed.
fn unpack(target: &Path) -> Result<PathBuf, String> {
    let packed = target.join("packed");
    if packed.exists() {
        fs::remove_dir_all(&packed).map_err(at(&packed))?;
    }
    fs::create_dir_all(&packed).map_err(at(&packed))?;
    for name in PACKAGES {
        let archive = target.join("package").join(format!("{}.crate", full(name)));
        // Files are as old as this moment (m). All in a package have the same date, which never changes: cargo
        // would take those of the next time for those of the last.
        let mut tar = Command::new("tar");
        run(tar.arg("-xmzf").arg(archive).arg("-C").arg(&packed))?;
    }
    Ok(packed)
}

/// Compiles what was unpacked, in a workspace of its own.
fn check(root: &Path, packed: &Path, target: &Path) -> Result<(), String> {
    let manifest = root.join("Cargo.toml");
    let manifest = fs::read_to_string(&manifest).map_err(at(&manifest))?;
    // With the same lock and the same profiles others' crates are those that the lints have checked before.
    let own = packed.join("Cargo.toml");
    fs::write(&own, workspace(&manifest)).map_err(at(&own))?;
    let lock = root.join("Cargo.lock");
    fs::copy(&lock, packed.join("Cargo.lock")).map_err(at(&lock))?;
    let mut command = cargo();
    command.args(["check", "--quiet", "--workspace", "--target-dir"]);
    run(command.arg(target).current_dir(packed))
}

/// The manifest around what was unpacked.
fn workspace(manifest: &str) -> String {
    let members = PACKAGES.map(|name| format!("{:?}", full(name))).join(", ");
    let mut text = format!("[workspace]\nresolver = \"3\"\nmembers = [{members}]\n\n");
    text += "[patch.crates-io]\n";
    for name in PACKAGES {
        text += &format!("{name} = {{ path = {:?} }}\n", full(name));
    }
    let profiles = manifest
        .find("\n[profile.")
        .map_or("", |at| &manifest[at..]);
    text + profiles
}

/// Name and version.
fn full(name: &str) -> String {
    format!("{name}-{}", env!("CARGO_PKG_VERSION"))
}

fn folder(packed: &Path, name: &str) -> PathBuf {
    packed.join(full(name))
}

/// Two folders have the same files, one of them this; how many.
fn compare(own: &Path, packed: &Path, file: &str) -> Result<usize, String> {
    is_same(&own.join(file), &packed.join(file))?;
    let (own_files, packed_files) = (files(own)?, files(packed)?);
    for name in own_files.union(&packed_files) {
        is_same(&own.join(name), &packed.join(name))?;
    }
    Ok(own_files.len())
}

fn is_same(own: &Path, packed: &Path) -> Result<(), String> {
    let own = fs::read(own).map_err(at(own))?;
    match fs::read(packed).map_err(at(packed))? == own {
        true => Ok(()),
        false => Err(format!(
            "{} is not what the repository has",
            packed.display()
        )),
    }
}

/// Paths of all files below a folder.
fn files(folder: &Path) -> Result<BTreeSet<PathBuf>, String> {
    let (mut found, mut folders) = (BTreeSet::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in next.read_dir().map_err(at(&next))? {
            let path = entry.map_err(at(&next))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(below) = path.strip_prefix(folder) {
                found.insert(below.to_owned());
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_or_other_file_is_named() {
        let base = std::env::temp_dir().join(format!("linkwork-package-{}", std::process::id()));
        let (own, packed) = (base.join("own"), base.join("packed"));
        for folder in [&own, &packed] {
            fs::create_dir_all(folder.join("inner")).unwrap();
            fs::write(folder.join("first"), "1").unwrap();
            fs::write(folder.join("inner/second"), "2").unwrap();
        }
        assert_eq!(compare(&own, &packed, "first"), Ok(2));
        assert!(compare(&own, &packed, "third").is_err());

        fs::write(packed.join("inner/second"), "3").unwrap();
        let message = compare(&own, &packed, "first").unwrap_err();
        assert!(message.contains("second is not what"), "{message}");
        fs::remove_file(packed.join("inner/second")).unwrap();
        let message = compare(&own, &packed, "first").unwrap_err();
        assert!(message.contains("second"), "{message}");
        fs::remove_dir_all(&base).unwrap();
    }

    #[test]
    fn the_workspace_around_packages_has_the_profiles() {
        let text = workspace("[workspace]\n\n[profile.dev]\nopt-level = 1\n");
        assert!(text.ends_with("\n[profile.dev]\nopt-level = 1\n"), "{text}");
        assert_eq!(text.matches("linkwork-cli-").count(), 2, "{text}");
    }
}
