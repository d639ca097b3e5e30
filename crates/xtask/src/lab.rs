//! `cargo lab`: builds the lab and serves it on this machine.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use tokio::net::TcpListener;
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::tools::{at, root, run};
use crate::wasm;

/// Tried first.
const PORT: u16 = 4780;

/// Any that is free.
const ANY: u16 = 0;

/// Nothing from elsewhere, no inline script or style; WebAssembly may be compiled.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
    style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const EMBEDDER_POLICY: HeaderName = HeaderName::from_static("cross-origin-embedder-policy");

/// Builds everything and serves it until it is stopped.
pub(crate) fn build_and_serve() -> Result<(), String> {
    build()?;
    serve(&[PORT, ANY])
}

/// Serves what was built on this port and no other.
pub(crate) fn serve_on(port: &str) -> Result<(), String> {
    let port = port.parse();
    serve(&[port.map_err(|_| "a port is a number up to 65535".to_owned())?])
}

fn serve(ports: &[u16]) -> Result<(), String> {
    let folder = root()?.join("web/dist");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build();
    let runtime = runtime.map_err(|error| format!("the server did not start: {error}"))?;
    runtime
        .block_on(listen(&folder, ports))
        .map_err(|error| format!("the server stopped: {error}"))
}

/// WebAssembly, packages, and the page, into `web/dist`.
pub(crate) fn build() -> Result<(), String> {
    wasm::build()?;
    let web = root()?.join("web");
    install(&web)?;
    run(npm().args(["run", "--silent", "build"]).current_dir(&web))
}

/// `npm ci`, if the lock file is not the one it was done for.
pub(crate) fn install(web: &Path) -> Result<(), String> {
    let lock = web.join("package-lock.json");
    let stamp = web.join("node_modules/.lock-of-this-install");
    let wanted = fs::read(&lock).map_err(at(&lock))?;
    if fs::read(&stamp).is_ok_and(|done| done == wanted) {
        return Ok(());
    }
    let mut install = npm();
    install
        .args(["ci", "--no-audit", "--no-fund"])
        .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
        .current_dir(web);
    run(&mut install).map_err(|error| format!("{error}; the lab needs node 20 or newer"))?;
    fs::write(&stamp, wanted).map_err(at(&stamp))
}

pub(crate) fn npm() -> Command {
    Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

async fn listen(folder: &Path, ports: &[u16]) -> std::io::Result<()> {
    // Of this machine alone, on the first port that is free.
    let addresses: Vec<_> = ports
        .iter()
        .map(|&port| SocketAddr::from(([127, 0, 0, 1], port)))
        .collect();
    let listener = TcpListener::bind(&addresses[..]).await?;
    println!("lab: http://{}/", listener.local_addr()?);
    axum::serve(listener, router(folder)).await
}

fn router(folder: &Path) -> Router {
    let header = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
    };
    Router::new()
        .fallback_service(ServeDir::new(folder))
        .layer(header(CONTENT_SECURITY_POLICY, POLICY))
        .layer(header(X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(REFERRER_POLICY, "no-referrer"))
        // Alone in its process: browsers then give it a finer clock to measure steps with.
        .layer(header(OPENER_POLICY, "same-origin"))
        .layer(header(EMBEDDER_POLICY, "require-corp"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpStream;

    #[test]
    fn pages_come_with_the_policy_and_modules_with_their_type() {
        let folder = std::env::temp_dir().join(format!("linkwork-lab-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("index.html"), "<!doctype html>").unwrap();
        fs::write(folder.join("a.wasm"), [0, 97, 115, 109]).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()
            .unwrap();
        let listener = runtime
            .block_on(TcpListener::bind(("127.0.0.1", 0)))
            .unwrap();
        let address = listener.local_addr().unwrap();
        let router = router(&folder);
        // It ends with the test: nobody waits for it.
        std::thread::spawn(move || {
            let _ = runtime.block_on(async { axum::serve(listener, router).await });
        });
        let get = |path: &str| {
            let mut stream = TcpStream::connect(address).unwrap();
            write!(
                stream,
                "GET {path} HTTP/1.1\r\nHost: lab\r\nConnection: close\r\n\r\n"
            )
            .unwrap();
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer).unwrap();
            String::from_utf8_lossy(&answer).to_lowercase()
        };
        let page = get("/");
        assert!(page.starts_with("http/1.1 200"), "{page}");
        assert!(
            page.contains("content-security-policy: default-src 'none'"),
            "{page}"
        );
        assert!(get("/a.wasm").contains("content-type: application/wasm"));
        assert!(get("/../Cargo.toml").starts_with("http/1.1 404"));
        fs::remove_dir_all(&folder).unwrap();
    }
}
