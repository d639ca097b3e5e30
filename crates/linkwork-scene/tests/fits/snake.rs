//! A snake on a picture (Witkin 1990, §5.3): a closed spline that is drawn to edges, through blurs of 12, 6, 3 and 1.5
//! pixels.

use linkwork_scene::command::{Command, Session};
use linkwork_scene::save;

use super::packed::PACKED;
use super::*;

/// A PNG of gray bytes, packed as they are.
pub(super) fn png(width: u32, height: u32, gray: &[u8]) -> String {
    let mut rows = Vec::new();
    for row in gray.chunks(width as usize) {
        rows.push(0);
        rows.extend_from_slice(row);
    }
    let mut data = vec![0x78, 0x01];
    let n = rows.len().div_ceil(65535);
    for (k, part) in rows.chunks(65535).enumerate() {
        data.push(u8::from(k + 1 == n));
        let length = part.len() as u16;
        data.extend_from_slice(&length.to_le_bytes());
        data.extend_from_slice(&(!length).to_le_bytes());
        data.extend_from_slice(part);
    }
    data.extend_from_slice(&[0; 4]);
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |name: &[u8], own: &[u8]| {
        bytes.extend_from_slice(&(own.len() as u32).to_be_bytes());
        bytes.extend_from_slice(name);
        bytes.extend_from_slice(own);
        bytes.extend_from_slice(&checksum(&[name, own].concat()));
    };
    let head = [
        &width.to_be_bytes()[..],
        &height.to_be_bytes(),
        &[8, 0, 0, 0, 0],
    ]
    .concat();
    chunk(b"IHDR", &head);
    chunk(b"IDAT", &data);
    chunk(b"IEND", &[]);
    uri(&bytes)
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

/// Bytes as a text.
pub(super) fn uri(bytes: &[u8]) -> String {
    const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = "data:image/png;base64,".to_owned();
    for three in bytes.chunks(3) {
        let byte = |k: usize| u32::from(*three.get(k).unwrap_or(&0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for k in 0..=three.len() {
            text.push(char::from(SIGNS[(bits >> (18 - 6 * k)) as usize & 63]));
        }
    }
    text
}

/// A picture whose bytes were changed on the way says so: its pixels would be others.
#[test]
fn a_damaged_picture_is_refused() {
    let (_, bytes, _) = PACKED[0];
    for at in 8..bytes.len() {
        let mut damaged = bytes.to_vec();
        damaged[at] ^= 4;
        let text = uri(&damaged);
        let scene = format!(
            r#"{{ "linkwork": 1, "pictures": [ {{ "name": "p", "png": "{text}", "position": [0, 0], "width": 1 }} ] }}"#
        );
        let told = load(&scene).unwrap_err().to_string();
        assert!(told.contains("pictures[0].png: is broken"), "{at}: {told}");
    }
}

/// The radius of the cell in pixels.
fn radius(angle: f64) -> f64 {
    60.0 + 12.0 * (3.0 * angle).cos() + 6.0 * (5.0 * angle).sin()
}

/// A dark cell on a bright ground, contrast 0.6, noise ±0.15.
fn cell() -> String {
    let mut random = Noise(5);
    let mut gray = Vec::new();
    for y in 0..256 {
        for x in 0..256 {
            let (dx, dy) = (f64::from(x) - 127.5, 127.5 - f64::from(y));
            let inside = dx.hypot(dy) < radius(dy.atan2(dx));
            let value = if inside { 0.2 } else { 0.8 } + 0.15 * random.next();
            gray.push((255.0 * value).clamp(0.0, 255.0) as u8);
        }
    }
    png(256, 256, &gray)
}

/// Mean distance of the curve from the border of the cell, in pixels; a pixel is a centimeter.
fn distance(scene: &Scene) -> f64 {
    let body = scene.world.find_body("snake").unwrap();
    let mut sum = 0.0;
    for k in 0..256 {
        let p = scene
            .world
            .position_world(&body.curve2(f64::from(k) / 256.0))
            .unwrap();
        let (x, y) = (100.0 * p[0], 100.0 * p[1]);
        // The nearest of many points of the border.
        let near = (0..2000).map(|j| {
            let angle = f64::from(j) * std::f64::consts::TAU / 2000.0;
            let r = radius(angle);
            (r * angle.cos() - x).hypot(r * angle.sin() - y)
        });
        sum += near.fold(f64::INFINITY, f64::min);
    }
    sum / 256.0
}

fn snake(start: f64, png: &str) -> Session {
    let points: Vec<[f64; 2]> = (0..16)
        .map(|k| {
            let angle = f64::from(k) * std::f64::consts::TAU / 16.0;
            [0.01 * start * angle.cos(), 0.01 * start * angle.sin()]
        })
        .collect();
    let places: Vec<Vec<f64>> = (0..64).map(|k| vec![f64::from(k) / 64.0]).collect();
    let text = format!(
        r#"{{ "linkwork": 1, "world": {{ "dynamics": "first-order" }},
        "bodies": [ {{ "name": "snake", "type": "spline", "closed": true, "points": {points:?}, "mass": 1e-3, "plate": 0.002 }} ],
        "tables": [ {{ "name": "places", "columns": ["u"], "rows": {places:?} }} ],
        "pictures": [ {{ "name": "cell", "png": "{png}", "position": [0, 0], "width": 2.56, "blur": 12 }} ],
        "joints": [ {{ "name": "edges", "type": "formula", "is": "cell.edge(snake(u)) ~ 1", "for": "places" }} ] }}"#
    );
    Session::new(load(&text).unwrap_or_else(|fault| panic!("{fault}"))).unwrap()
}

#[test]
fn a_snake_finds_a_cell_in_48_frames() {
    let png = cell();
    for start in [85.0, 40.0] {
        let mut session = snake(start, &png);
        let mut told = format!("{start}: {:.2}", distance(session.scene()));
        for blur in [12.0, 6.0, 3.0, 1.5] {
            let mut entry = session.scene().pictures[0].entry.clone();
            entry.blur = blur;
            session
                .apply(&Command::SetPicture(Box::new(entry)))
                .unwrap();
            let step: Command = r#"{"step": {"count": 12}}"#.parse().unwrap();
            session.apply(&step).unwrap();
            told += &format!(" {:.2}", distance(session.scene()));
        }
        println!("{told}");
        assert!(distance(session.scene()) <= 1.0, "{told}");
    }
}

#[test]
fn pictures_are_saved_undone_and_refused() {
    let gray: Vec<u8> = (0..64).map(|k| (k * 4) as u8).collect();
    let mut session = snake(1.0, &png(8, 8, &gray));
    let text = save(session.scene()).unwrap();
    assert_eq!(save(&load(&text).unwrap()).unwrap(), text);
    // The first pixel is at the upper left, and dark.
    let pixels = session.scene().pictures[0].pixels();
    assert_eq!((pixels.width, pixels.height, pixels.values[0]), (8, 8, 0.0));
    let gone: Command = r#"{"remove_picture": "cell"}"#.parse().unwrap();
    let told = session.apply(&gone).unwrap_err().to_string();
    assert!(told.contains("joints.edges"), "{told}");
    let mut entry = session.scene().pictures[0].entry.clone();
    entry.blur = 1.0;
    session
        .apply(&Command::SetPicture(Box::new(entry.clone())))
        .unwrap();
    assert_ne!(save(session.scene()).unwrap(), text);
    session.apply(&Command::Undo).unwrap();
    assert_eq!(save(session.scene()).unwrap(), text);
    for (png, told) in [
        ("cell.png".to_owned(), "is no picture"),
        (uri(b"GIF89a"), "is no PNG"),
        (png(8, 9, &gray), "it has fewer pixels than it says"),
        (png(8, 7, &gray), "cannot be unpacked"),
        (png(5000, 1, &gray), "has 5000 × 1 pixels"),
    ] {
        entry.png = png;
        let fault = session
            .apply(&Command::SetPicture(Box::new(entry.clone())))
            .unwrap_err();
        assert!(fault.to_string().contains(told), "{fault}");
    }
}

/// What another program has packed: fixed and dynamic codes, filters, colors. A gradient and its negative.
#[test]
fn pictures_of_other_programs_are_read() {
    for (name, bytes, wanted) in PACKED {
        let text = uri(bytes);
        let scene = format!(
            r#"{{ "linkwork": 1, "pictures": [ {{ "name": "p", "png": "{text}", "position": [0, 0], "width": 1 }} ] }}"#
        );
        let scene = load(&scene).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let values = &scene.pictures[0].pixels().values;
        for (own, wanted) in values.iter().zip(wanted.iter()) {
            assert!(
                (own - f64::from(*wanted) / 255.0).abs() < 3e-3,
                "{name}: {own} {wanted}"
            );
        }
        assert_eq!(values.len(), wanted.len(), "{name}");
    }
}

/// The cell of the library has the radius 0.3 + 0.06·cos 3θ + 0.03·sin 5θ; a pixel is a centimeter.
#[test]
fn the_snake_of_the_library_finds_its_cell() {
    let mut scene = linkwork_scene::library::open("snake-cell").unwrap();
    let mut simulator = Simulator::new();
    for _ in 0..24 {
        step(&mut scene, &mut simulator);
    }
    let body = scene.world.find_body("snake").unwrap();
    let border = (0..720).map(|k| {
        let angle = f64::from(k).to_radians() / 2.0;
        let radius = 0.3 + 0.06 * (3.0 * angle).cos() + 0.03 * (5.0 * angle).sin();
        [radius * angle.cos(), radius * angle.sin()]
    });
    let border: Vec<[f64; 2]> = border.collect();
    let away = |k: u32| {
        let own = body.curve2(f64::from(k) / 64.0);
        let [x, y, _] = scene.world.position_world(&own).unwrap();
        let near = border.iter().map(|at| (at[0] - x).hypot(at[1] - y));
        near.fold(f64::INFINITY, f64::min)
    };
    let mean = (0..64).map(away).sum::<f64>() / 64.0;
    assert!(mean < 0.008, "{mean}");
}
