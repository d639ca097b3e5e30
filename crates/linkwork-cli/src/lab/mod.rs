//! `linkwork lab`: the lab in a browser, served to this machine only.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::thread;
use std::time::Duration;

use clap::Args;
use tiny_http::Server;

use crate::failure::Failure;
use crate::{interrupt, output, source};

mod browser;
mod page;
mod site;

use page::PAGE;
use site::{OPENED, Site};

const AFTER_HELP: &str = "\
Examples:
  linkwork lab                         open the default scene
  linkwork lab chain:12                open a scene of the library
  linkwork lab mine.json               open a file; it is checked first
  linkwork lab four-bar --set world.gravity.1=-1.62
                                       set a field of the scene first
  linkwork lab --no-browser --port 0   use any free port; the address is printed

Standard output has the address. Only programs on this machine can reach it, and nothing is fetched
from the network. Control-C ends it.";

/// How often control-C is looked for.
const MOMENT: Duration = Duration::from_millis(100);

/// Open the lab in a browser: run scenes, drag them, take them apart.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// A file, - for standard input, or a library name.
    scene: Option<String>,
    #[command(flatten)]
    set: source::SetArguments,
    /// The port to use if it is free; else, or with 0, any that is.
    #[arg(long, value_name = "NUMBER", default_value_t = 4780)]
    port: u16,
    /// Print the address and do not open a browser.
    #[arg(long)]
    no_browser: bool,
}

pub(crate) fn perform(arguments: &Arguments, quiet: bool) -> Result<(), Failure> {
    let (query, scene) = match &arguments.scene {
        None if !arguments.set.is_empty() => {
            let problem = "--set needs a scene whose fields it sets";
            return Err(Failure::usage(problem).hint("name a file or a scene of the library"));
        }
        None => (String::new(), None),
        Some(name) => match source::checked(name, &arguments.set)? {
            Some(text) => (format!("?file={OPENED}"), Some(text)),
            None => (format!("?scene={}", encoded(name)), None),
        },
    };
    if PAGE.is_empty() {
        let problem = "this linkwork was built without the page of the lab";
        let advice = "in a copy of the repository `cargo lab` builds and opens it; after it, \
                      `cargo install --path crates/linkwork-cli` installs both";
        return Err(Failure::usage(problem).hint(advice));
    }
    let site = Site { page: PAGE, scene };
    let listener = listen(arguments.port).map_err(unserved)?;
    let address = listener.local_addr().map_err(unserved)?;
    if !quiet && ![0, address.port()].contains(&arguments.port) {
        output::say(format!("port {} is in use; using another", arguments.port));
    }
    let server = Server::from_listener(listener, None).map_err(unserved)?;
    let url = format!("http://{address}/{query}");
    output::print(&format!("{url}\n"))?;
    if !quiet {
        output::say("the lab runs until control-C");
    }
    if !arguments.no_browser {
        browser::show(&url);
    }
    serve(&server, &site, interrupt::is_asked).map_err(unserved)
}

/// A port of this machine alone: the one that is wished for, or any that is free.
fn listen(wish: u16) -> io::Result<TcpListener> {
    let here = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    TcpListener::bind([here(wish), here(0)].as_slice())
}

/// Answers until it is over.
fn serve(server: &Server, site: &Site, is_over: impl Fn() -> bool) -> io::Result<()> {
    while !is_over() {
        if let Some(request) = server.recv_timeout(MOMENT)? {
            let answer = site.answer(&request);
            // One who reads slowly does not keep others waiting; one who has gone needs no answer.
            thread::spawn(move || request.respond(answer));
        }
    }
    Ok(())
}

fn unserved(error: impl std::fmt::Display) -> Failure {
    Failure::usage(format!("the lab cannot be served: {error}"))
}

/// A name as part of an address.
fn encoded(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        match byte.is_ascii_alphanumeric() || b"-_.:,".contains(&byte) {
            true => text.push(byte.into()),
            false => text += &format!("%{byte:02X}"),
        }
    }
    text
}

#[cfg(test)]
mod tests;
