//! `linkwork lab`: started, asked, and ended as people do.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use crate::folder::{FOUR_BAR, Folder};

/// The lab while it runs.
struct Lab {
    child: Child,
    /// Where it is, such as `http://127.0.0.1:4780/?scene=four-bar`.
    address: String,
}

impl Lab {
    fn start(folder: &Folder, arguments: &str) -> Self {
        let line = format!("--quiet lab --no-browser --port 0 {arguments}");
        let mut child = folder
            .command(&line)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut address = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut address).unwrap();
        Self {
            child,
            address: address.trim().to_owned(),
        }
    }

    fn get(&self, path: &str) -> String {
        let server = self.address.strip_prefix("http://").unwrap();
        let server = server.split('/').next().unwrap();
        let mut stream = TcpStream::connect(server).unwrap();
        let head = format!("GET /{path} HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(not(has_page))]
#[test]
fn without_a_page_it_says_how_to_build_one() {
    let folder = Folder::new("lab-without-page");
    let words = "hint: in a copy of the repository `cargo lab`";
    folder.run("lab").refuses(1, words);
}

#[cfg_attr(not(has_page), ignore = "needs the page: cargo xtask page")]
#[test]
fn the_page_and_its_engine_are_in_the_program() {
    let folder = Folder::new("lab-page");
    let lab = Lab::start(&folder, "chain:12");
    assert!(lab.address.ends_with("/?scene=chain:12"), "{}", lab.address);
    let page = lab.get("?scene=chain:12");
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    // From any web host and any folder of it: nothing is asked for at its root.
    assert!(
        !page.contains("src=\"/") && !page.contains("href=\"/"),
        "{page}"
    );
    let script = page
        .split("src=\"./")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let script = lab.get(script.unwrap());
    assert!(script.starts_with("HTTP/1.1 200") && script.contains("immutable"));
    assert!(folder.files().is_empty());
}

#[cfg_attr(not(has_page), ignore = "needs the page: cargo xtask page")]
#[test]
fn a_file_is_opened_with_the_page() {
    let folder = Folder::new("lab-file");
    folder.write("mine.json", FOUR_BAR);
    let lab = Lab::start(&folder, "mine.json");
    assert!(lab.address.ends_with("/?file=opened/scene.json"));
    let scene = lab.get("opened/scene.json");
    assert!(
        scene.starts_with("HTTP/1.1 200") && scene.ends_with(FOUR_BAR),
        "{scene}"
    );
    assert!(lab.get("mine.json").starts_with("HTTP/1.1 404"));
}

#[cfg_attr(not(has_page), ignore = "needs the page: cargo xtask page")]
#[test]
fn a_scene_of_the_library_is_opened_with_what_is_set() {
    let folder = Folder::new("lab-set");
    let lab = Lab::start(&folder, "four-bar --set world.gravity.1=-1.62");
    assert!(lab.address.ends_with("/?file=opened/scene.json"));
    let scene = lab.get("opened/scene.json");
    assert!(
        scene.contains("-1.62") && !scene.contains("-9.81"),
        "{scene}"
    );
}

#[test]
fn what_is_set_is_checked_first() {
    let folder = Folder::new("lab-set-wrong");
    let words = "did you mean \"crank\"?";
    folder
        .run("lab four-bar --set bodies.crnk.length=0.1")
        .refuses(1, words);
    folder
        .run("lab --set world.gravity.1=-1.62")
        .refuses(1, "--set needs a scene");
}

#[cfg(unix)]
#[cfg_attr(not(has_page), ignore = "needs the page: cargo xtask page")]
#[test]
fn control_c_ends_it_well() {
    let folder = Folder::new("lab-end");
    let mut lab = Lab::start(&folder, "");
    assert!(lab.address.ends_with('/'), "{}", lab.address);
    let mut end = std::process::Command::new("kill");
    assert!(
        end.args(["-INT", &lab.child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(lab.child.wait().unwrap().code(), Some(0));
}
