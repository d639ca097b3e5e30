//! `library`: every scene of the library for a minute under each preset, and whether energy and joints were
//! kept, as `docs/presets.md` promises, or the reports say otherwise.

mod account;
mod verdict;

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use linkwork::prelude::*;
use linkwork::step::Scheme;
use linkwork_scene::library::{self, Listing};

use account::{Account, Span};
use verdict::Verdict;

/// The presets that promise something, in the order of `docs/presets.md`.
pub(crate) const PRESETS: [&str; 3] = ["interactive", "precise", "symplectic4"];

/// A run that costs more is cut: unknowns that were solved for, which take about twenty seconds.
pub(crate) const LIMIT: u64 = 500_000_000;

/// What is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) seconds: f64,
    /// Most that a run may cost: unknowns that were solved for.
    pub(crate) limit: u64,
    /// Names of presets; none for all.
    pub(crate) presets: &'a [String],
    /// Names of scenes; none for all.
    pub(crate) scenes: &'a [String],
    pub(crate) record: Option<&'a Path>,
    pub(crate) against: Option<&'a Path>,
}

/// Runs and judges; an error where a promise was broken and nothing said so, or where lines differ from
/// those that were recorded.
pub(crate) fn run(asked: &Asked<'_>) -> Result<String, String> {
    let recorded = asked.against.map(read).transpose()?;
    let mut lines = vec![];
    let mut failed = vec![];
    for listing in chosen(asked.scenes)? {
        for preset in chosen_presets(asked.presets)? {
            let span = Span {
                seconds: asked.seconds,
                limit: asked.limit,
            };
            let start = Instant::now();
            let (line, verdict) = line(&listing, preset, span)?;
            // Times are for whoever waits; what is recorded has none.
            let each = 1e3 * start.elapsed().as_secs_f64() / asked.seconds;
            println!("{line}  # {each:.1} ms of work a simulated second");
            if verdict == Verdict::Failed {
                failed.push(line.clone());
            }
            lines.push(line);
        }
    }
    if let Some(path) = asked.record {
        let mut text = heading(asked.seconds);
        lines.iter().for_each(|line| text += &format!("{line}\n"));
        std::fs::write(path, text)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    let mut wrong = String::new();
    if !failed.is_empty() {
        let n = failed.len();
        let _ = write!(wrong, "{n} runs broke a promise, and nothing said so:");
        failed
            .iter()
            .for_each(|line| wrong.extend(["\n", line.as_str()]));
    }
    if let Some(recorded) = recorded {
        let message = crate::bits::compare(&recorded, &lines, 2);
        wrong += &message.err().map_or(String::new(), |m| format!("\n{m}"));
    }
    match wrong.is_empty() {
        true => Ok(format!(
            "{} runs kept what is promised, or said otherwise",
            lines.len()
        )),
        false => Err(wrong),
    }
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn chosen(scenes: &[String]) -> Result<Vec<Listing>, String> {
    let is_asked =
        |own: &Listing| scenes.is_empty() || scenes.iter().any(|s| s == own.name || s == own.small);
    let listings: Vec<Listing> = library::list().filter(is_asked).collect();
    match listings.len() < scenes.len() {
        true => Err(format!("not all of these are in the library: {scenes:?}")),
        false => Ok(listings),
    }
}

fn chosen_presets(presets: &[String]) -> Result<Vec<&str>, String> {
    if presets.is_empty() {
        return Ok(PRESETS.to_vec());
    }
    let unknown = presets.iter().find(|own| !PRESETS.contains(&own.as_str()));
    match unknown {
        Some(unknown) => Err(format!("\"{unknown}\" promises nothing; {PRESETS:?} do")),
        None => Ok(presets.iter().map(String::as_str).collect()),
    }
}

fn heading(seconds: f64) -> String {
    format!(
        "# Every scene of the library for {seconds} s under each preset: what was kept of what docs/presets.md promises.\n\
         # Columns: bench/README.md. Check: cargo run --release -q -p linkwork-bench -- library --against bench/recorded/library.txt\n"
    )
}

/// Runs a scene and says how it went.
fn line(listing: &Listing, preset: &str, span: Span) -> Result<(String, Verdict), String> {
    let account = account(listing, preset, span)?;
    let verdict = verdict::judge(&account, preset)?;
    let name = listing.small;
    let text = format!("{name:<20} {preset:<11} {verdict:<6} {account}");
    Ok((text, verdict))
}

fn account(listing: &Listing, preset: &str, span: Span) -> Result<Account, String> {
    let mut scene = library::open(listing.small).map_err(|error| error.to_string())?;
    let scheme: Scheme = preset.parse().map_err(|error: Error| error.to_string())?;
    // A scene's own numbers for a preset stay, as on the command line.
    if scheme.name() != scene.options.scheme.name() {
        scene.options.scheme = scheme;
    }
    Account::of(&mut scene, listing.holds, span)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hundredth of the recorded minute, and of what it may cost. Bodies that deform cost more than their unknowns
    /// tell, as their forces are sums over hundreds of points: a dozen of their scenes took two thirds of the time.
    fn span(listing: &Listing) -> Span {
        let world = library::open(listing.small).unwrap().world;
        let mut sizes = world.bodies().iter().map(|own| own.v_range().len());
        let limit = match sizes.any(|n_v| n_v > 6) {
            true => LIMIT / 2500,
            false => LIMIT / 100,
        };
        Span {
            seconds: 0.6,
            limit,
        }
    }

    /// What is recorded as FAILED is a known defect; nothing else may fail.
    const RECORDED: &str = include_str!("../../recorded/library.txt");

    fn is_known(name: &str, preset: &str) -> bool {
        let mut lines = RECORDED.lines().map(str::split_whitespace);
        let known = [name, preset, "FAILED"];
        lines.any(|words| words.take(3).eq(known))
    }

    fn keep_or_say(preset: &str) {
        let mut failed = vec![];
        for listing in library::list() {
            let (line, verdict) = line(&listing, preset, span(&listing)).unwrap();
            if verdict == Verdict::Failed && !is_known(listing.small, preset) {
                failed.push(line);
            }
        }
        assert!(failed.is_empty(), "{}", failed.join("\n"));
    }

    #[test]
    fn scenes_under_interactive_keep_what_is_promised_or_say_otherwise() {
        keep_or_say("interactive");
    }

    #[test]
    fn scenes_under_precise_keep_what_is_promised_or_say_otherwise() {
        keep_or_say("precise");
    }

    #[test]
    fn scenes_under_symplectic4_keep_what_is_promised_or_say_otherwise() {
        keep_or_say("symplectic4");
    }

    #[test]
    fn what_promises_nothing_is_refused() {
        assert!(chosen_presets(&["rk4".to_owned()]).is_err());
        assert!(chosen(&["no-such-scene".to_owned()]).is_err());
        assert_eq!(chosen(&["four-bar".to_owned()]).unwrap().len(), 1);
    }
}
