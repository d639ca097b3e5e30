//! `linkwork run --film`: the pictures of a folder, one after the other.

use std::fs;

use crate::folder::Folder;

/// A PNG of 4 × 4 pixels of one gray, packed as they are.
fn png(gray: u8) -> Vec<u8> {
    let mut rows = Vec::new();
    for _ in 0..4 {
        rows.extend([0, gray, gray, gray, gray]);
    }
    let n = rows.len() as u16;
    let data = [
        &[0x78, 0x01, 1][..],
        &n.to_le_bytes(),
        &(!n).to_le_bytes(),
        &rows,
        &[0; 4],
    ]
    .concat();
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    let head = [0, 0, 0, 4, 0, 0, 0, 4, 8, 0, 0, 0, 0];
    for (name, own) in [(b"IHDR", &head[..]), (b"IDAT", &data), (b"IEND", &[])] {
        bytes.extend_from_slice(&(own.len() as u32).to_be_bytes());
        bytes.extend_from_slice(name);
        bytes.extend_from_slice(own);
        bytes.extend_from_slice(&checksum(&[&name[..], own].concat()));
    }
    bytes
}

/// CRC-32 of a part of a PNG.
fn checksum(bytes: &[u8]) -> [u8; 4] {
    let of_bit = |sum: u32, _| match sum & 1 {
        1 => sum >> 1 ^ 0xedb8_8320,
        _ => sum >> 1,
    };
    let of_byte = |sum: u32, byte: &u8| (0..8).fold(sum ^ u32::from(*byte), of_bit);
    (!bytes.iter().fold(!0, of_byte)).to_be_bytes()
}

#[test]
fn pictures_of_a_folder_follow_each_other() {
    let folder = Folder::new("film");
    let frames = folder.path("frames");
    fs::create_dir(&frames).unwrap();
    for (k, gray) in [51, 102, 153].into_iter().enumerate() {
        fs::write(frames.join(format!("{k}.png")), png(gray)).unwrap();
    }
    let scene = |film: &str| {
        format!(
            r#"{{ "linkwork": 1, "world": {{ "dt": 0.1, "dynamics": "first-order" }},
            "bodies": [ {{ "name": "p", "type": "numbers", "names": ["a"], "values": [0] }} ],
            "pictures": [ {{ "name": "photo", {film}, "width": 1 }} ],
            "joints": [ {{ "name": "read", "type": "formula", "is": "p.a == photo([0, 0])" }} ] }}"#
        )
    };
    folder.write("still.json", scene(r#""file": "frames/0.png""#));
    let columns = "--seconds 0.4 --csv - --columns =p.a";
    let told = folder.run(&format!(
        "run still.json --film photo=frames --film-rate 10 {columns}"
    ));
    let values = |text: &str| {
        let rows = text
            .lines()
            .skip(1)
            .map(|line| line.rsplit(',').next().unwrap().parse::<f64>().unwrap());
        rows.collect::<Vec<_>>()
    };
    let wanted = [0.2, 0.4, 0.6, 0.6, 0.6];
    let own = values(&told.out);
    assert_eq!(own.len(), 5, "{}", told.out);
    // The first row is before the first step.
    for (own, wanted) in own.iter().zip(wanted).skip(1) {
        assert!((own - wanted).abs() < 1e-6, "{}", told.out);
    }
    // The same as a field of the scene.
    folder.write(
        "film.json",
        scene(r#""film": { "files": "frames/%d.png", "rate": 10 }"#),
    );
    let again = folder.run(&format!("run film.json {columns}"));
    assert_eq!(values(&again.out)[1..], own[1..]);
    folder
        .run("run still.json --film foto=frames")
        .refuses(1, "no picture is called \"foto\"");
    folder
        .run("run still.json --film photo=nowhere")
        .refuses(2, "nowhere");
}
