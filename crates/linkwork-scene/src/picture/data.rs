//! Bytes as text: `data:image/png;base64,…`.

use crate::fault::Fault;

const HEAD: &str = "data:image/png;base64,";
const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// The most bytes of a picture.
const MOST_BYTES: usize = 1 << 20;

/// Bytes of a text.
pub(super) fn decoded(text: &str) -> Result<Vec<u8>, Fault> {
    let Some(body) = text.strip_prefix(HEAD) else {
        let hint = format!("give \"{HEAD}…\", or the name of a \"file\"");
        return Err(Fault::at("", "is no picture").hint(hint));
    };
    if body.len() / 4 * 3 > MOST_BYTES + 2 {
        let problem = format!("has more than {MOST_BYTES} bytes");
        return Err(Fault::at("", problem).hint("reduce it: 256 pixels are enough"));
    }
    let (mut bytes, mut bits, mut n) = (Vec::with_capacity(body.len() / 4 * 3), 0u32, 0);
    for (at, sign) in body.trim_end_matches('=').bytes().enumerate() {
        let Some(value) = SIGNS.iter().position(|own| *own == sign) else {
            let place = HEAD.len() + at + 1;
            return Err(Fault::at("", format!("letter {place} is not base64")));
        };
        bits = bits << 6 | value as u32;
        n += 6;
        if n >= 8 {
            n -= 8;
            bytes.push((bits >> n) as u8);
            bits &= (1 << n) - 1;
        }
    }
    Ok(bytes)
}

/// A text of bytes.
pub(crate) fn encoded(bytes: &[u8]) -> String {
    let mut text = HEAD.to_owned();
    for three in bytes.chunks(3) {
        let mut bits = 0u32;
        for k in 0..3 {
            bits = bits << 8 | u32::from(*three.get(k).unwrap_or(&0));
        }
        for k in 0..4 {
            let sign = SIGNS[(bits >> (18 - 6 * k)) as usize & 63];
            text.push(if k <= three.len() {
                char::from(sign)
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        for n in 0..20u8 {
            let bytes: Vec<u8> = (0..n).map(|k| k.wrapping_mul(73).wrapping_add(n)).collect();
            assert_eq!(decoded(&encoded(&bytes)).unwrap(), bytes);
        }
        assert_eq!(encoded(b"Man"), "data:image/png;base64,TWFu");
        assert_eq!(encoded(b"Ma"), "data:image/png;base64,TWE=");
        assert!(
            decoded("data:image/png;base64,T?Fu")
                .unwrap_err()
                .problem
                .contains("letter 24")
        );
    }
}
