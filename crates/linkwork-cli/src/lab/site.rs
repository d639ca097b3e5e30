//! What the lab's server answers: the page from memory, and the scene that was opened with it.
//!
//! Addresses are looked up in a table, letter by letter: there is no folder that a path could leave.

use std::io::{Cursor, Read};

use flate2::read::GzDecoder;
use tiny_http::{Header, Method, Request, Response};

use super::page::Asset;

/// Where the scene of a file is, below the page's address.
pub(crate) const OPENED: &str = "opened/scene.json";

/// Nothing from elsewhere, no inline script or style; WebAssembly may be compiled.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
    style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// With every answer.
const ALWAYS: [(&str, &str); 6] = [
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    // Alone in its process: browsers then give it a finer clock to measure steps with.
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Embedder-Policy", "require-corp"),
    ("Vary", "Accept-Encoding"),
];

/// Names in `assets/` carry a hash of what is in them: what has one name never changes.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// May be kept, but not shown without asking.
const ASK: &str = "no-cache";

/// The names under which this machine knows itself.
const HOSTS: [&str; 2] = ["127.0.0.1", "localhost"];

type Answer = Response<Cursor<Vec<u8>>>;

/// What is served.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// The files of the page.
    pub(crate) page: &'static [Asset],
    /// The text of the scene that was asked for, if it is no scene of the library.
    pub(crate) scene: Option<String>,
}

impl Site {
    pub(crate) fn answer(&self, request: &Request) -> Answer {
        // A page of somebody else whose name leads here must not read the scene.
        if !HOSTS.contains(&host(request)) {
            return refusal(403, "the lab answers to 127.0.0.1 and localhost");
        }
        if !matches!(request.method(), Method::Get | Method::Head) {
            return refusal(405, "the lab can only be read");
        }
        let path = request.url().split(['?', '#']).next().unwrap_or_default();
        let path = match path.strip_prefix('/').unwrap_or(path) {
            "" => "index.html",
            path => path,
        };
        if let (OPENED, Some(scene)) = (path, &self.scene) {
            return answer(200, scene.as_bytes().to_vec(), kind(path), "no-store");
        }
        match self.page.iter().find(|asset| asset.path == path) {
            Some(asset) => asset_answer(asset, takes_gzip(request)),
            None => refusal(404, "there is nothing at this address"),
        }
    }
}

fn asset_answer(asset: &Asset, takes_gzip: bool) -> Answer {
    let keep = match asset.path.starts_with("assets/") {
        true => FOR_EVER,
        false => ASK,
    };
    if takes_gzip {
        let packed = answer(200, asset.gzip.to_vec(), kind(asset.path), keep);
        return with(packed, "Content-Encoding", "gzip");
    }
    let mut bytes = Vec::new();
    match GzDecoder::new(asset.gzip).read_to_end(&mut bytes) {
        Ok(_) => answer(200, bytes, kind(asset.path), keep),
        Err(error) => refusal(500, &error.to_string()),
    }
}

fn refusal(status: u16, words: &str) -> Answer {
    answer(status, format!("{words}\n").into_bytes(), kind(".txt"), ASK)
}

fn answer(status: u16, bytes: Vec<u8>, kind: &str, keep: &str) -> Answer {
    let answer = Response::from_data(bytes)
        .with_status_code(status)
        // The length is known: no need for pieces.
        .with_chunked_threshold(usize::MAX);
    let own = [("Content-Type", kind), ("Cache-Control", keep)];
    ALWAYS
        .into_iter()
        .chain(own)
        .fold(answer, |answer, (name, value)| with(answer, name, value))
}

fn with(mut answer: Answer, name: &str, value: &str) -> Answer {
    // All of ours are ASCII, and nothing else could fail.
    if let Ok(header) = Header::from_bytes(name, value) {
        answer.add_header(header);
    }
    answer
}

fn header<'r>(request: &'r Request, name: &'static str) -> &'r str {
    let mut headers = request.headers().iter();
    let found = headers.find(|header| header.field.equiv(name));
    found.map_or("", |header| header.value.as_str())
}

/// The name the server was asked by, without its port.
fn host(request: &Request) -> &str {
    let host = header(request, "Host");
    host.rsplit_once(':').map_or(host, |(name, _)| name)
}

/// Weights are not read: who gives some gets what is right for all.
fn takes_gzip(request: &Request) -> bool {
    let mut codings = header(request, "Accept-Encoding").split(',');
    codings.any(|coding| coding.trim() == "gzip")
}

/// The media type, by the end of the name.
fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("txt") => "text/plain; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        _ => "application/octet-stream",
    }
}
