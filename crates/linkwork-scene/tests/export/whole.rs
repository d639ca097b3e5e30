//! Files appear whole or not at all.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use linkwork_scene::export::WholeFile;

/// An empty folder of its own.
fn folder(name: &str) -> PathBuf {
    let name = format!("linkwork-export-{name}-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn n_files(folder: &PathBuf) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn a_file_is_there_only_when_it_is_finished() {
    let folder = folder("finished");
    let path = folder.join("run.csv");
    let mut file = WholeFile::create(&path).unwrap();
    file.write_all(b"new").unwrap();
    file.flush().unwrap();
    assert!(!path.exists());
    file.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(n_files(&folder), 1);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_dropped_leaves_the_old_file_and_nothing_else() {
    let folder = folder("dropped");
    let path = folder.join("run.csv");
    fs::write(&path, b"old").unwrap();
    let mut file = WholeFile::create(&path).unwrap();
    file.write_all(b"half").unwrap();
    assert_eq!(n_files(&folder), 2);
    drop(file);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(n_files(&folder), 1);
    // Two at once do not meet.
    let (mut a, b) = (
        WholeFile::create(&path).unwrap(),
        WholeFile::create(&path).unwrap(),
    );
    a.write_all(b"a").unwrap();
    drop(b);
    a.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"a");
    assert_eq!(n_files(&folder), 1);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn errors_name_the_file() {
    let folder = folder("errors");
    let problem = |path: PathBuf| WholeFile::create(path).unwrap_err().to_string();
    assert!(problem(folder.join("none/run.csv")).contains("none/run.csv: "));
    assert!(problem(folder.clone()).contains("is a folder"));
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn links_stay_links_and_devices_stay_devices() {
    let folder = folder("links");
    let (path, link) = (folder.join("run.csv"), folder.join("latest.csv"));
    fs::write(&path, b"old").unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let mut file = WholeFile::create(&link).unwrap();
    file.write_all(b"new").unwrap();
    file.finish().unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&path).unwrap(), b"new");
    fs::remove_dir_all(folder).unwrap();
    let mut null = WholeFile::create("/dev/null").unwrap();
    null.write_all(b"nothing").unwrap();
    null.finish().unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}
