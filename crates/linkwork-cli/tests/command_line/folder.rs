//! A folder of one's own, and the program run in it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A folder that goes away with its test.
pub(crate) struct Folder(PathBuf);

/// What the program answered.
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    pub(crate) fn write(&self, file: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(file), text).unwrap();
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    /// The names of its files, in order.
    pub(crate) fn files(&self) -> Vec<String> {
        let files = fs::read_dir(&self.0).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// The program with arguments between spaces.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_linkwork"));
        command
            .args(line.split_whitespace())
            .current_dir(&self.0)
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, line: &str) -> Answer {
        self.command(line).output().unwrap().into()
    }

    /// The same with something on the standard input.
    pub(crate) fn run_with(&self, line: &str, input: impl AsRef<[u8]>) -> Answer {
        let mut command = self.command(line);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Whoever refuses the arguments does not read.
        let _ = child.stdin.take().unwrap().write_all(input.as_ref());
        child.wait_with_output().unwrap().into()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl From<Output> for Answer {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Answer {
    /// What it wrote, if it went well.
    pub(crate) fn fine(self) -> String {
        assert_eq!(self.code, 0, "{}", self.err);
        self.out
    }

    pub(crate) fn code_is(self, code: i32) {
        assert_eq!(self.code, code, "{}", self.err);
    }

    pub(crate) fn json(self) -> serde_json::Value {
        serde_json::from_str(&self.fine()).unwrap()
    }

    /// It ended with this code and said this, and wrote nothing.
    pub(crate) fn refuses(self, code: i32, words: &str) {
        assert_eq!(self.code, code, "{}", self.err);
        assert!(
            self.err.contains(words),
            "said: {}\nwanted: {words}",
            self.err
        );
        assert_eq!(self.out, "");
    }
}

pub(crate) const FOUR_BAR: &str = r#"{
  "linkwork": 1,
  "name": "my four-bar",
  "world": { "gravity": [0, -9.81, 0] },
  "bodies": [
    { "name": "crank", "type": "rod", "from": [0, 0, 0], "to": [0, 0.1, 0], "radius": 0.01, "density": 7850 },
    { "name": "coupler", "type": "rod", "from": [0, 0.1, 0], "to": [0.4, 0.3, 0], "radius": 0.01, "density": 7850 },
    { "name": "rocker", "type": "rod", "from": [0.4, 0.3, 0], "to": [0.4, 0, 0], "radius": 0.01, "density": 7850 }
  ],
  "joints": [
    { "name": "A", "type": "hinge", "a": "ground", "b": "crank", "at": [0, 0, 0], "axis": [0, 0, 1] },
    { "name": "B", "type": "hinge", "a": "crank", "b": "coupler", "at": [0, 0.1, 0], "axis": [0, 0, 1] },
    { "name": "C", "type": "hinge", "a": "coupler", "b": "rocker", "at": [0.4, 0.3, 0], "axis": [0, 0, 1] },
    { "name": "D", "type": "hinge", "a": "ground", "b": "rocker", "at": [0.4, 0, 0], "axis": [0, 0, 1] }
  ]
}
"#;

/// A four-bar whose rocker does not reach its pivot, by a gap along x.
pub(crate) fn torn(gap: &str) -> String {
    let ends = r#""a": { "body": "ground", "point": [GAP, 0, 0] }, "b": { "body": "rocker", "point": [0.15, 0, 0] }"#;
    let open = FOUR_BAR.replace(
        r#""a": "ground", "b": "rocker", "at": [0.4, 0, 0]"#,
        &ends.replace("GAP", gap),
    );
    assert_ne!(open, FOUR_BAR);
    open
}
