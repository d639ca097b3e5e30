//! The server, asked as browsers and others ask.

use std::io::{Read, Write};
use std::net::TcpStream;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::page::Asset;
use super::*;

const SCRIPT: &str = "console.log('a script that is long enough to be worth packing')";

fn asset(path: &'static str, text: &str) -> Asset {
    let mut zip = GzEncoder::new(Vec::new(), Compression::best());
    zip.write_all(text.as_bytes()).unwrap();
    Asset {
        path,
        gzip: zip.finish().unwrap().leak(),
    }
}

/// A server with a page of three files; it ends with the test.
fn served(scene: Option<&str>) -> SocketAddr {
    let page = vec![
        asset("index.html", "<!doctype html>"),
        asset("assets/main-1a2b.js", SCRIPT),
        asset("assets/engine-3c4d.wasm", "\0asm"),
    ];
    let site = Site {
        page: page.leak(),
        scene: scene.map(str::to_owned),
    };
    let listener = listen(0).unwrap();
    let address = listener.local_addr().unwrap();
    let server = Server::from_listener(listener, None).unwrap();
    thread::spawn(move || serve(&server, &site, || false));
    address
}

/// What is answered to a request, head and body.
fn ask(address: SocketAddr, head: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "{head}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    (head, answer[end + 4..].to_vec())
}

fn get(address: SocketAddr, path: &str) -> (String, Vec<u8>) {
    ask(address, &format!("GET {path} HTTP/1.1\r\nHost: {address}"))
}

#[test]
fn the_page_comes_with_the_policy() {
    let address = served(None);
    for path in ["/", "/index.html", "/?scene=four-bar"] {
        let (head, body) = get(address, path);
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        for header in [
            "Content-Type: text/html; charset=utf-8",
            "Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval';",
            "X-Content-Type-Options: nosniff",
            "Cross-Origin-Opener-Policy: same-origin",
            "Cache-Control: no-cache",
        ] {
            assert!(head.contains(header), "{header}: {head}");
        }
        assert_eq!(body, b"<!doctype html>");
    }
}

#[test]
fn what_has_a_hash_in_its_name_is_kept_and_what_can_be_packed_is() {
    let address = served(None);
    let (head, body) = get(address, "/assets/main-1a2b.js");
    assert!(head.contains("Content-Type: text/javascript"), "{head}");
    assert!(head.contains("immutable") && !head.contains("Content-Encoding"));
    assert_eq!(body, SCRIPT.as_bytes());
    let packed = format!(
        "GET /assets/main-1a2b.js HTTP/1.1\r\nHost: {address}\r\nAccept-Encoding: br, gzip"
    );
    let (head, body) = ask(address, &packed);
    assert!(head.contains("Content-Encoding: gzip"), "{head}");
    assert!(head.contains(&format!("Content-Length: {}", body.len())));
    let mut text = String::new();
    let mut unpacked = flate2::read::GzDecoder::new(body.as_slice());
    unpacked.read_to_string(&mut text).unwrap();
    assert_eq!(text, SCRIPT);
    let (head, _) = get(address, "/assets/engine-3c4d.wasm");
    assert!(head.contains("Content-Type: application/wasm"), "{head}");
}

#[test]
fn nothing_else_is_there() {
    let address = served(None);
    for path in [
        "/nothing",
        "/opened/scene.json",
        "/assets/",
        "/../Cargo.toml",
        "/assets/../../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/assets/..%2f..%2fCargo.toml",
        "//etc/passwd",
        "/..\\Cargo.toml",
    ] {
        let (head, _) = get(address, path);
        assert!(head.starts_with("HTTP/1.1 404"), "{path}: {head}");
        assert!(head.contains("Content-Security-Policy"), "{path}: {head}");
    }
}

#[test]
fn a_file_is_served_as_it_was_read() {
    let text = "{ \"linkwork\": 1, \"name\": \"Höhe\" }";
    let (head, body) = get(served(Some(text)), "/opened/scene.json");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(head.contains("Content-Type: application/json"), "{head}");
    assert!(head.contains("Cache-Control: no-store"), "{head}");
    assert_eq!(body, text.as_bytes());
}

#[test]
fn only_this_machine_by_its_own_name_may_read_and_nobody_write() {
    let address = served(Some("{}"));
    let asked =
        |line: &str, host: &str| ask(address, &format!("{line} HTTP/1.1\r\nHost: {host}")).0;
    let scene = "GET /opened/scene.json";
    assert!(asked(scene, "localhost").starts_with("HTTP/1.1 200"));
    assert!(asked(scene, "elsewhere.example:80").starts_with("HTTP/1.1 403"));
    assert!(asked(scene, "").starts_with("HTTP/1.1 403"));
    assert!(asked("POST /", "localhost").starts_with("HTTP/1.1 405"));
    assert!(asked("HEAD /", "localhost").starts_with("HTTP/1.1 200"));
}

#[test]
fn a_port_that_is_taken_gives_another() {
    let first = listen(0).unwrap().local_addr().unwrap();
    let taken = TcpListener::bind(first).unwrap();
    let other = listen(taken.local_addr().unwrap().port()).unwrap();
    let other = other.local_addr().unwrap();
    assert!(other.ip().is_loopback());
    assert_ne!(other.port(), first.port());
}

#[test]
fn names_with_numbers_are_read_in_an_address() {
    assert_eq!(encoded("ladder3:6,96"), "ladder3:6,96");
    assert_eq!(encoded("a b&c"), "a%20b%26c");
}
