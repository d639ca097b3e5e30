//! The person's browser, where there is one.

use std::process::{Command, Stdio};

/// Asks the desktop to show an address. Where there is no desktop nothing happens.
pub(crate) fn show(address: &str) {
    let Some(mut command) = opener() else { return };
    let quiet = command
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // The address has been printed: whoever has no browser can still read it.
    let _ = quiet.spawn();
}

fn opener() -> Option<Command> {
    if cfg!(windows) {
        let mut command = Command::new("cmd");
        // The empty text is the title of a window that is not opened.
        command.args(["/C", "start", ""]);
        return Some(command);
    }
    if cfg!(target_os = "macos") {
        return Some(Command::new("open"));
    }
    // Without a display `xdg-open` would take over the terminal.
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let has_display = is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
    has_display.then(|| Command::new("xdg-open"))
}
