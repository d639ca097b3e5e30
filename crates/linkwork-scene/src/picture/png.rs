//! PNG as gray values. Pictures with interlacing, or with less than eight bits a number, are refused.

use super::inflate::inflated;
use crate::fault::Fault;

/// The most pixels of a side.
const MOST_PIXELS: usize = 1024;
const MARK: &[u8; 8] = b"\x89PNG\r\n\x1a\n";

/// Gray values from 0 to 1, row after row from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Gray {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Values.
    pub values: Vec<f64>,
}

/// What a picture says of its pixels.
struct Head {
    width: usize,
    height: usize,
    /// Bytes of a number: one or two.
    bytes: usize,
    /// Numbers of a pixel.
    n: usize,
    is_palette: bool,
}

/// Reads a picture.
pub(super) fn read(bytes: &[u8]) -> Result<Gray, Fault> {
    let broken = || Fault::at("", "is broken: it ends too early");
    let mut rest = bytes.strip_prefix(MARK).ok_or_else(|| {
        let fault = Fault::at("", "is no PNG");
        fault.hint("save the picture as PNG")
    })?;
    let (mut head, mut palette, mut data) = (None, Vec::new(), Vec::new());
    loop {
        let (length, after) = rest.split_first_chunk::<4>().ok_or_else(broken)?;
        let (name, after) = after.split_first_chunk::<4>().ok_or_else(broken)?;
        let length = u32::from_be_bytes(*length) as usize;
        let own = after.get(..length).ok_or_else(broken)?;
        let (check, next) = after[length..]
            .split_first_chunk::<4>()
            .ok_or_else(broken)?;
        if u32::from_be_bytes(*check) != checksum(&[&name[..], own]) {
            let fault = Fault::at("", "is broken: a checksum is wrong");
            return Err(fault.hint("save the picture again"));
        }
        rest = next;
        match name {
            b"IHDR" => head = Some(self::head(own)?),
            b"PLTE" => palette = own.to_vec(),
            b"IDAT" => data.extend_from_slice(own),
            b"IEND" => break,
            _ => {}
        }
    }
    let head = head.ok_or_else(broken)?;
    let row = head.width * head.n * head.bytes;
    let mut lines = inflated(&data, (row + 1) * head.height)?;
    unfilter(&mut lines, row, head.n * head.bytes)?;
    let mut values = Vec::with_capacity(head.width * head.height);
    for line in lines.chunks_exact(row + 1) {
        for pixel in line[1..].chunks_exact(head.n * head.bytes) {
            values.push(gray(&head, pixel, &palette).ok_or_else(broken)?);
        }
    }
    Ok(Gray {
        width: head.width,
        height: head.height,
        values,
    })
}

/// What checks a part of a PNG: CRC-32, bit by bit.
fn checksum(parts: &[&[u8]]) -> u32 {
    let of_bit = |sum: u32, _| (sum >> 1) ^ (0xedb8_8320 & 0u32.wrapping_sub(sum & 1));
    let bytes = parts.iter().copied().flatten();
    !bytes.fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), of_bit))
}

fn head(bytes: &[u8]) -> Result<Head, Fault> {
    let &[a, b, c, d, e, f, g, h, depth, color, 0, 0, interlaced] = bytes else {
        return Err(Fault::at("", "is broken: its head cannot be read"));
    };
    let [width, height] = [[a, b, c, d], [e, f, g, h]].map(|own| u32::from_be_bytes(own) as usize);
    let is_in_range = |n: usize| (2..=MOST_PIXELS).contains(&n);
    if !is_in_range(width) || !is_in_range(height) {
        let fault = Fault::at("", format!("has {width} × {height} pixels"));
        return Err(fault.hint(format!("give 2 to {MOST_PIXELS} each way")));
    }
    let n = match color {
        0 | 3 => 1,
        2 => 3,
        4 => 2,
        6 => 4,
        _ => {
            return Err(Fault::at(
                "",
                format!("has colors of an unknown kind, {color}"),
            ));
        }
    };
    let bytes = match depth {
        8 => 1,
        16 if color != 3 => 2,
        _ => {
            let fault = Fault::at("", format!("has {depth} bits a number"));
            return Err(fault.hint("save it with 8 bits"));
        }
    };
    if interlaced != 0 {
        return Err(Fault::at("", "is interlaced").hint("save it without interlacing"));
    }
    Ok(Head {
        width,
        height,
        bytes,
        n,
        is_palette: color == 3,
    })
}

/// Takes back what makes rows easier to pack: each byte is told from those to the left and above.
fn unfilter(lines: &mut [u8], row: usize, pixel: usize) -> Result<(), Fault> {
    let mut above = vec![0; row];
    for line in lines.chunks_exact_mut(row + 1) {
        let (filter, own) = (line[0], &mut line[1..]);
        for k in 0..row {
            let left = if k >= pixel { own[k - pixel] } else { 0 };
            let corner = if k >= pixel { above[k - pixel] } else { 0 };
            let guess = match filter {
                0 => 0,
                1 => left,
                2 => above[k],
                3 => ((u16::from(left) + u16::from(above[k])) / 2) as u8,
                4 => nearest(left, above[k], corner),
                _ => {
                    return Err(Fault::at(
                        "",
                        format!("is broken: it has a filter {filter}"),
                    ));
                }
            };
            own[k] = own[k].wrapping_add(guess);
        }
        above.copy_from_slice(own);
    }
    Ok(())
}

/// That of three which is nearest to left + above − corner.
fn nearest(left: u8, above: u8, corner: u8) -> u8 {
    let [a, b, c] = [left, above, corner].map(i16::from);
    let [by_a, by_b, by_c] = [b - c, a - c, a + b - 2 * c].map(i16::abs);
    match (by_a <= by_b && by_a <= by_c, by_b <= by_c) {
        (true, _) => left,
        (_, true) => above,
        _ => corner,
    }
}

/// How bright a pixel is; what can be seen through lies on white.
fn gray(head: &Head, pixel: &[u8], palette: &[u8]) -> Option<f64> {
    let mut numbers = [0.0; 4];
    let number = |own: &[u8]| match own {
        [high, low] => f64::from(u16::from_be_bytes([*high, *low])) / 65535.0,
        _ => f64::from(own[0]) / 255.0,
    };
    let n = match head.is_palette {
        true => {
            let color = palette.get(3 * usize::from(pixel[0])..)?.get(..3)?;
            for (number, own) in numbers.iter_mut().zip(color) {
                *number = f64::from(*own) / 255.0;
            }
            3
        }
        false => {
            for (to, own) in numbers.iter_mut().zip(pixel.chunks_exact(head.bytes)) {
                *to = number(own);
            }
            head.n
        }
    };
    // What the eye makes of red, green and blue (ITU-R BT.601).
    let light = match n {
        3 | 4 => 0.299 * numbers[0] + 0.587 * numbers[1] + 0.114 * numbers[2],
        _ => numbers[0],
    };
    let opaque = if n % 2 == 0 { numbers[n - 1] } else { 1.0 };
    Some(opaque * light + (1.0 - opaque))
}
