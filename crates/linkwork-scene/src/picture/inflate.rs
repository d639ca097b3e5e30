//! Inflate (RFC 1951), as much as a picture needs and no more bytes than it says.

use crate::fault::Fault;

/// The longest code of a table.
const LONGEST: usize = 15;
/// Lengths and distances: the first of each code, and how many bits follow.
const LENGTHS: [(u16, u8); 29] = [
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (7, 0),
    (8, 0),
    (9, 0),
    (10, 0),
    (11, 1),
    (13, 1),
    (15, 1),
    (17, 1),
    (19, 2),
    (23, 2),
    (27, 2),
    (31, 2),
    (35, 3),
    (43, 3),
    (51, 3),
    (59, 3),
    (67, 4),
    (83, 4),
    (99, 4),
    (115, 4),
    (131, 5),
    (163, 5),
    (195, 5),
    (227, 5),
    (258, 0),
];
const DISTANCES: [(u16, u8); 30] = [
    (1, 0),
    (2, 0),
    (3, 0),
    (4, 0),
    (5, 1),
    (7, 1),
    (9, 2),
    (13, 2),
    (17, 3),
    (25, 3),
    (33, 4),
    (49, 4),
    (65, 5),
    (97, 5),
    (129, 6),
    (193, 6),
    (257, 7),
    (385, 7),
    (513, 8),
    (769, 8),
    (1025, 9),
    (1537, 9),
    (2049, 10),
    (3073, 10),
    (4097, 11),
    (6145, 11),
    (8193, 12),
    (12289, 12),
    (16385, 13),
    (24577, 13),
];
/// The order in which lengths of the codes of codes stand.
const ORDER: [usize; 19] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];

/// Bits of bytes, the lowest first.
struct Bits<'b> {
    bytes: &'b [u8],
    at: usize,
    held: u32,
    n: u32,
}

impl Bits<'_> {
    fn take(&mut self, n: u8) -> Option<u32> {
        let n = u32::from(n);
        while self.n < n {
            self.held |= u32::from(*self.bytes.get(self.at)?) << self.n;
            self.at += 1;
            self.n += 8;
        }
        let bits = self.held & ((1 << n) - 1);
        self.held >>= n;
        self.n -= n;
        Some(bits)
    }
}

/// Codes of Huffman, by length: how many there are, and what they stand for.
struct Codes {
    counts: [u16; LONGEST + 1],
    signs: Vec<u16>,
}

impl Codes {
    fn of(lengths: &[u8]) -> Self {
        let mut counts = [0; LONGEST + 1];
        for length in lengths.iter().filter(|own| **own > 0) {
            counts[usize::from(*length)] += 1;
        }
        let mut signs = Vec::new();
        for length in 1..=LONGEST {
            let own = lengths
                .iter()
                .enumerate()
                .filter(|own| usize::from(*own.1) == length);
            signs.extend(own.map(|(sign, _)| sign as u16));
        }
        Self { counts, signs }
    }

    fn next(&self, bits: &mut Bits<'_>) -> Option<u16> {
        let (mut code, mut first, mut index) = (0i32, 0i32, 0i32);
        for count in self.counts.iter().skip(1).map(|own| i32::from(*own)) {
            code |= bits.take(1)? as i32;
            if code - first < count {
                return self.signs.get((index + code - first) as usize).copied();
            }
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        None
    }
}

/// The bytes of a zlib stream, which must be exactly so many.
pub(super) fn inflated(bytes: &[u8], wanted: usize) -> Result<Vec<u8>, Fault> {
    let mut out = Vec::with_capacity(wanted);
    let broken = || Fault::at("", "is broken: its data cannot be unpacked");
    let is_zlib = bytes.len() > 2 && bytes[0] & 15 == 8;
    let mut bits = Bits {
        bytes: bytes.get(2..).filter(|_| is_zlib).ok_or_else(broken)?,
        at: 0,
        held: 0,
        n: 0,
    };
    loop {
        let is_last = block(&mut bits, &mut out, wanted).ok_or_else(broken)?;
        if is_last {
            break;
        }
    }
    match out.len() == wanted {
        true => Ok(out),
        false => Err(Fault::at("", "is broken: it has fewer pixels than it says")),
    }
}

/// One block; whether it is the last. None where it is broken, or longer than it may be.
fn block(bits: &mut Bits<'_>, out: &mut Vec<u8>, most: usize) -> Option<bool> {
    let is_last = bits.take(1)? == 1;
    match bits.take(2)? {
        0 => {
            (bits.held, bits.n) = (0, 0);
            let head = bits.bytes.get(bits.at..bits.at + 4)?;
            let n = usize::from(u16::from_le_bytes([head[0], head[1]]));
            let from = bits.at + 4;
            let own = bits.bytes.get(from..from + n)?;
            if out.len() + n > most {
                return None;
            }
            out.extend_from_slice(own);
            bits.at = from + n;
        }
        1 => {
            let mut lengths = [8; 288];
            lengths[144..256].fill(9);
            lengths[256..280].fill(7);
            packed(bits, &Codes::of(&lengths), &Codes::of(&[5; 30]), out, most)?;
        }
        2 => {
            let (codes, distances) = tables(bits)?;
            packed(bits, &codes, &distances, out, most)?;
        }
        _ => return None,
    }
    Some(is_last)
}

/// Tables that stand before a block.
fn tables(bits: &mut Bits<'_>) -> Option<(Codes, Codes)> {
    let n_codes = bits.take(5)? as usize + 257;
    let n_distances = bits.take(5)? as usize + 1;
    let mut lengths = [0; 19];
    for &place in ORDER.iter().take(bits.take(4)? as usize + 4) {
        lengths[place] = bits.take(3)? as u8;
    }
    let codes = Codes::of(&lengths);
    let mut lengths: Vec<u8> = Vec::new();
    while lengths.len() < n_codes + n_distances {
        let (value, n) = match codes.next(bits)? {
            16 => (*lengths.last()?, 3 + bits.take(2)?),
            17 => (0, 3 + bits.take(3)?),
            18 => (0, 11 + bits.take(7)?),
            length => (length as u8, 1),
        };
        lengths.extend(std::iter::repeat_n(value, n as usize));
    }
    let distances = lengths.get(n_codes..n_codes + n_distances)?;
    Some((Codes::of(&lengths[..n_codes]), Codes::of(distances)))
}

/// Bytes, and pieces of what came before.
fn packed(
    bits: &mut Bits<'_>,
    codes: &Codes,
    distances: &Codes,
    out: &mut Vec<u8>,
    most: usize,
) -> Option<()> {
    loop {
        let sign = codes.next(bits)?;
        match sign {
            0..=255 => out.push(sign as u8),
            256 => return Some(()),
            _ => {
                let &(length, more) = LENGTHS.get(usize::from(sign) - 257)?;
                let length = usize::from(length) + bits.take(more)? as usize;
                let &(distance, more) = DISTANCES.get(usize::from(distances.next(bits)?))?;
                let distance = usize::from(distance) + bits.take(more)? as usize;
                let from = out.len().checked_sub(distance)?;
                for k in 0..length {
                    out.push(out[from + k]);
                }
            }
        }
        if out.len() > most {
            return None;
        }
    }
}
