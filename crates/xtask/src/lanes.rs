//! Lanes: lists of steps that run side by side, each lane in its order.
//!
//! What a step prints is kept until it ends and then printed whole, so that the lanes can be told apart.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::io::Read;
use std::path::Path;
use std::process::Command;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use crate::setup::{ensure_component, npm};
use crate::tools::cargo;

/// Who runs a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Program {
    Cargo,
    /// This program.
    Xtask,
    /// In the folder `web`.
    Npm,
}

/// One check.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) program: Program,
    pub(crate) arguments: Vec<&'static str>,
    /// Set for this step only.
    pub(crate) environment: Option<(&'static str, &'static str)>,
    /// The component `rustup` would have to add for this step.
    pub(crate) component: Option<&'static str>,
    /// The step of another lane that must be done before.
    pub(crate) after: Option<&'static str>,
}

impl Step {
    pub(crate) fn new(name: &'static str, program: Program, arguments: &[&'static str]) -> Self {
        Self {
            name,
            program,
            arguments: arguments.to_vec(),
            environment: None,
            component: None,
            after: None,
        }
    }

    /// The command line that repeats this step by hand.
    pub(crate) fn command_line(&self) -> String {
        let program = match self.program {
            Program::Cargo => "cargo",
            Program::Xtask => "cargo xtask",
            Program::Npm => "cd web && npm",
        };
        let command = format!("{program} {}", self.arguments.join(" "));
        match self.environment {
            Some((name, value)) => format!("{name}=\"{value}\" {command}"),
            None => command,
        }
    }

    fn command(&self, root: &Path) -> Result<Command, String> {
        let mut command = match self.program {
            Program::Cargo => cargo(),
            // Not through cargo, which would wait for what the other lane builds.
            Program::Xtask => Command::new(std::env::current_exe().map_err(|e| e.to_string())?),
            Program::Npm => npm(),
        };
        let folder = match self.program {
            Program::Npm => root.join("web"),
            _ => root.to_owned(),
        };
        command.args(&self.arguments).current_dir(folder);
        // Everything is compiled once: what is kept for the next change takes time, and cuts crates into so many parts
        // that tests run half as fast.
        command.env("CARGO_INCREMENTAL", "0");
        // In one unit our crates and tests take three tenths less to compile: what units share is compiled once. Tests
        // run as fast.
        command.env("CARGO_PROFILE_DEV_CODEGEN_UNITS", "1");
        // A panic says where it was without tables of lines, which take an eighth of the compiling.
        command.env("CARGO_PROFILE_DEV_DEBUG", "0");
        command.envs(self.environment);
        Ok(command)
    }

    /// Runs it to its end: what it printed, and whether it ended well.
    fn perform(&self, root: &Path) -> Result<(String, Result<(), String>), String> {
        if let Some(component) = self.component {
            ensure_component(component, self.arguments[0])?;
        }
        let cannot_start = |error: std::io::Error| format!("did not start ({error})");
        let (mut reader, writer) = std::io::pipe().map_err(cannot_start)?;
        let mut command = self.command(root)?;
        command.stdout(writer.try_clone().map_err(cannot_start)?);
        command.stderr(writer);
        let mut child = command.spawn().map_err(cannot_start)?;
        // It holds the other end of the pipe.
        drop(command);
        let mut bytes = vec![];
        reader.read_to_end(&mut bytes).map_err(cannot_start)?;
        let status = child.wait().map_err(cannot_start)?;
        let printed = String::from_utf8_lossy(&bytes).into_owned();
        let result = match status.success() {
            true => Ok(()),
            false => Err(status.to_string()),
        };
        Ok((printed, result))
    }
}

/// Steps in their order, under a name.
pub(crate) struct Lane {
    pub(crate) name: &'static str,
    pub(crate) steps: Vec<Step>,
}

/// A step that ended well.
struct Timed {
    lane: &'static str,
    step: &'static str,
    seconds: f64,
}

/// What all lanes know.
#[derive(Default)]
struct Board {
    done: BTreeSet<&'static str>,
    times: Vec<Timed>,
    failures: Vec<String>,
}

struct Shared {
    board: Mutex<Board>,
    changed: Condvar,
}

impl Shared {
    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether to go on: waits for the step that must be done before, and says how long.
    fn may_begin(&self, lane: &str, step: &Step) -> bool {
        let start = Instant::now();
        let is_waiting = |board: &mut Board| {
            let is_ready = step.after.is_none_or(|before| board.done.contains(before));
            board.failures.is_empty() && !is_ready
        };
        let board = self.changed.wait_while(self.board(), is_waiting);
        let board = board.unwrap_or_else(PoisonError::into_inner);
        let seconds = start.elapsed().as_secs_f64();
        if let Some(before) = step.after
            && seconds > 0.1
        {
            println!("[{lane}] {}: waited {seconds:.1} s for {before}", step.name);
        }
        board.failures.is_empty()
    }
}

/// Runs all lanes. After a failure each ends the step it is in and begins no other.
pub(crate) fn run(lanes: &[Lane], root: &Path) -> Result<(), String> {
    let start = Instant::now();
    let shared = Shared {
        board: Mutex::default(),
        changed: Condvar::new(),
    };
    thread::scope(|scope| {
        for lane in lanes {
            scope.spawn(|| {
                for step in &lane.steps {
                    if !shared.may_begin(lane.name, step) {
                        break;
                    }
                    run_step(lane.name, step, root, &shared);
                }
            });
        }
    });
    let board = shared.board();
    println!("\n{}", summary(&board.times, start.elapsed().as_secs_f64()));
    match board.failures.is_empty() {
        true => Ok(()),
        false => Err(board.failures.join("\n\n")),
    }
}

fn run_step(lane: &'static str, step: &Step, root: &Path, shared: &Shared) {
    println!("[{lane}] {}: {}", step.name, step.command_line());
    let start = Instant::now();
    let (printed, result) = match step.perform(root) {
        Ok(performed) => performed,
        Err(problem) => (String::new(), Err(problem)),
    };
    let seconds = start.elapsed().as_secs_f64();
    // Under the lock: what lanes print does not mix.
    let mut board = shared.board();
    let word = if result.is_ok() { "done" } else { "FAILED" };
    let mut said = String::new();
    for line in printed.trim_end().lines() {
        let _ = writeln!(said, "      {line}");
    }
    print!("{said}");
    println!("[{lane}] {}: {word}, {seconds:.1} s", step.name);
    match result {
        Ok(()) => {
            board.done.insert(step.name);
            board.times.push(Timed {
                lane,
                step: step.name,
                seconds,
            });
        }
        Err(cause) => board.failures.push(format!(
            "{} failed: {cause}\nrepeat it with: {}",
            step.name,
            step.command_line()
        )),
    }
    drop(board);
    shared.changed.notify_all();
}

/// The time of each step by lane, and of all.
fn summary(times: &[Timed], total: f64) -> String {
    let mut text = String::new();
    let lanes: BTreeSet<_> = times.iter().map(|timed| timed.lane).collect();
    for lane in lanes {
        let own = || times.iter().filter(|timed| timed.lane == lane);
        let sum: f64 = own().map(|timed| timed.seconds).sum();
        let _ = writeln!(text, "{lane:<32}{sum:7.1} s");
        for timed in own() {
            let _ = writeln!(text, "  {:<30}{:7.1} s", timed.step, timed.seconds);
        }
    }
    let _ = write!(text, "{:<32}{total:7.1} s", "all");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(name: &'static str, steps: Vec<Step>) -> Lane {
        Lane { name, steps }
    }

    fn version(name: &'static str) -> Step {
        Step::new(name, Program::Cargo, &["--version"])
    }

    #[test]
    fn a_step_waits_for_one_of_another_lane() {
        let mut late = version("late");
        late.after = Some("early");
        let lanes = [
            lane("a", vec![late]),
            lane("b", vec![version("early"), version("last")]),
        ];
        run(&lanes, Path::new(".")).unwrap();
    }

    #[test]
    fn a_failure_ends_all_lanes_and_says_how_to_repeat_it() {
        let wrong = Step::new("wrong", Program::Cargo, &["no-such-command"]);
        let mut never = version("never");
        never.after = Some("wrong");
        let lanes = [lane("a", vec![wrong]), lane("b", vec![never])];
        let message = run(&lanes, Path::new(".")).unwrap_err();
        assert!(
            message.contains("repeat it with: cargo no-such-command"),
            "{message}"
        );
    }

    #[test]
    fn times_are_summed_by_lane() {
        let timed = |lane, step, seconds| Timed {
            lane,
            step,
            seconds,
        };
        let times = [
            timed("b", "x", 1.0),
            timed("a", "y", 2.0),
            timed("b", "z", 3.5),
        ];
        let text = summary(&times, 4.5);
        let lines: Vec<_> = text.lines().map(str::trim_end).collect();
        assert_eq!(lines.len(), 6);
        assert!(
            lines[2].starts_with('b') && lines[2].ends_with("4.5 s"),
            "{text}"
        );
    }
}
