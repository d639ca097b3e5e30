//! The compiler as the tests of `cargo ci` call it: unit tests of large crates are not optimized.
//!
//! A crate with unit tests is compiled twice, once for whoever uses it and once for these tests, which run for some
//! seconds. Of the engine and the scenes that was half of the build; not optimized it takes less than half as long.
//! Profiles cannot tell the two apart, so cargo is given this program in front of rustc (`RUSTC_WORKSPACE_WRAPPER`).

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Crates whose unit tests are not optimized, by the names that rustc has for them.
const LARGE: [&str; 2] = ["linkwork", "linkwork_scene"];

/// Whether cargo has put this program in front of a compiler.
pub(crate) fn is_compiler(program: &str) -> bool {
    Path::new(program).file_stem() == Some(OsStr::new("rustc"))
}

/// Runs the compiler.
pub(crate) fn compile(rustc: &str, arguments: &[String]) -> ExitCode {
    match Command::new(rustc).args(changed(arguments)).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{rustc} did not start ({error})");
            ExitCode::FAILURE
        }
    }
}

/// The arguments of the compiler, without optimization where unit tests of a large crate are compiled.
fn changed(arguments: &[String]) -> Vec<String> {
    let mut names = arguments
        .windows(2)
        .filter(|pair| pair[0] == "--crate-name");
    let is_large = names.any(|pair| LARGE.contains(&pair[1].as_str()));
    let are_tests = arguments.iter().any(|argument| argument == "--test");
    let change = |argument: &String| match argument.strip_prefix("opt-level=") {
        Some(_) if is_large && are_tests => "opt-level=0".to_owned(),
        _ => argument.clone(),
    };
    arguments.iter().map(change).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(line: &str) -> String {
        let arguments: Vec<_> = line.split(' ').map(str::to_owned).collect();
        changed(&arguments).join(" ")
    }

    #[test]
    fn only_unit_tests_of_large_crates_are_changed() {
        let tests = "--crate-name linkwork src/lib.rs -C opt-level=2 --test -o a";
        assert_eq!(
            after(tests),
            "--crate-name linkwork src/lib.rs -C opt-level=0 --test -o a"
        );
        for same in [
            "--crate-name linkwork src/lib.rs -C opt-level=2",
            "--crate-name motion tests/motion/main.rs -C opt-level=2 --test",
            "-vV",
        ] {
            assert_eq!(after(same), same);
        }
    }

    #[test]
    fn a_compiler_is_known_by_its_name() {
        assert!(is_compiler("/usr/bin/rustc"));
        assert!(is_compiler("rustc"));
        assert!(!is_compiler("ci"));
    }
}
