//! Control-C: work ends between two steps, so that nothing half-written stays behind.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;

static ASKED: AtomicBool = AtomicBool::new(false);

/// Begins to listen. A second control-C ends the program at once.
pub(crate) fn listen() {
    // Where nobody can be listened to, control-C does what it always does.
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}

/// Whether somebody pressed control-C.
pub(crate) fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// An error once somebody pressed control-C.
pub(crate) fn check() -> Result<(), Failure> {
    match is_asked() {
        true => Err(Failure::interrupted()),
        false => Ok(()),
    }
}
