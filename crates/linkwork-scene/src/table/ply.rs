//! PLY: points as the vertices of a mesh, as text or in binary, little end first. Only `x`, `y` and `z` of the vertices
//! are read; what is no number is a gap, as in pictures of depth.

use super::csv::Sheet;
use super::xyz::points;
use crate::fault::Fault;
use crate::format::Cell;

/// A header is no longer, and an element has no more properties.
const MOST_LINES: usize = 256;

/// Whether bytes begin as such a file does.
pub(super) fn is_ply(bytes: &[u8]) -> bool {
    bytes.starts_with(b"ply\n") || bytes.starts_with(b"ply\r")
}

/// A type of number: how many bytes it has, and what they are.
#[derive(Clone, Copy, PartialEq)]
enum Type {
    Signed(usize),
    Unsigned(usize),
    Float(usize),
}

impl Type {
    fn named(word: &str) -> Option<Self> {
        Some(match word {
            "char" | "int8" => Self::Signed(1),
            "short" | "int16" => Self::Signed(2),
            "int" | "int32" => Self::Signed(4),
            "uchar" | "uint8" => Self::Unsigned(1),
            "ushort" | "uint16" => Self::Unsigned(2),
            "uint" | "uint32" => Self::Unsigned(4),
            "float" | "float32" => Self::Float(4),
            "double" | "float64" => Self::Float(8),
            _ => return None,
        })
    }

    fn bytes(self) -> usize {
        let (Self::Signed(n) | Self::Unsigned(n) | Self::Float(n)) = self;
        n
    }

    fn number(self, bytes: &[u8]) -> f64 {
        // Little end first, filled up to eight bytes.
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let whole = u64::from_le_bytes(wide);
        match self {
            Self::Float(8) => f64::from_bits(whole),
            Self::Float(_) => f64::from(f32::from_bits(whole as u32)),
            Self::Unsigned(_) => whole as f64,
            Self::Signed(n) => {
                let shift = 64 - 8 * n as u32;
                (((whole << shift) as i64) >> shift) as f64
            }
        }
    }
}

/// A property: the type of a list's length, if it is a list, and of its numbers.
struct Property {
    name: String,
    length: Option<Type>,
    own: Type,
}

struct Element {
    name: String,
    count: usize,
    properties: Vec<Property>,
}

/// Numbers, one after the other.
enum Body<'b> {
    Text(std::str::SplitWhitespace<'b>),
    Binary(&'b [u8]),
}

impl Body<'_> {
    fn next(&mut self, own: Type) -> Result<f64, Fault> {
        let ends = || Fault::at("", "ends before its last vertex").hint("it may have been cut off");
        match self {
            Self::Text(words) => {
                let word = words.next().ok_or_else(ends)?;
                word.parse()
                    .map_err(|_| Fault::at("", format!("\"{word}\" is no number")))
            }
            Self::Binary(bytes) => {
                let (first, rest) = bytes.split_at_checked(own.bytes()).ok_or_else(ends)?;
                *bytes = rest;
                Ok(own.number(first))
            }
        }
    }

    /// A property: its number, of a list nothing.
    fn property(&mut self, property: &Property) -> Result<Option<f64>, Fault> {
        let Some(length) = property.length else {
            return self.next(property.own).map(Some);
        };
        let n = self.next(length)?;
        if !(n >= 0.0 && n.fract() == 0.0) {
            return Err(Fault::at("", format!("has a list of {n} numbers")));
        }
        for _ in 0..n as u64 {
            self.next(property.own)?;
        }
        Ok(None)
    }
}

/// Reads vertices.
pub(super) fn read_ply(bytes: &[u8]) -> Result<Sheet, Fault> {
    let (is_text, elements, rest) = header(bytes)?;
    let mut body = match is_text {
        true => {
            let text = std::str::from_utf8(rest);
            Body::Text(
                text.map_err(|_| Fault::at("", "is no text, as it says it is"))?
                    .split_whitespace(),
            )
        }
        false => Body::Binary(rest),
    };
    for element in &elements {
        let is_vertex = element.name == "vertex";
        let mut places = [0; 3];
        if is_vertex {
            super::check_count(element.count)?;
            for (place, axis) in places.iter_mut().zip(["x", "y", "z"]) {
                let is_axis = |own: &Property| own.name == axis && own.length.is_none();
                let found = element.properties.iter().position(is_axis);
                *place =
                    found.ok_or_else(|| Fault::at("", format!("its vertices have no {axis}")))?;
            }
        } else if element.properties.is_empty() {
            continue;
        }
        let mut rows = Vec::new();
        for _ in 0..element.count {
            let mut row = [None; 3];
            for (at, property) in element.properties.iter().enumerate() {
                let number = body.property(property)?.filter(|own| own.is_finite());
                for (own, place) in row.iter_mut().zip(places) {
                    if is_vertex && place == at {
                        *own = number;
                    }
                }
            }
            if is_vertex {
                rows.push(row.map(Cell).to_vec());
            }
        }
        if is_vertex {
            return points(rows);
        }
    }
    Err(Fault::at("", "has no element called vertex"))
}

/// Whether numbers are text, what there is, and the bytes behind the header.
fn header(bytes: &[u8]) -> Result<(bool, Vec<Element>, &[u8]), Fault> {
    let (mut rest, mut is_text) = (bytes, None);
    let mut elements: Vec<Element> = Vec::new();
    for line_number in 1..=MOST_LINES {
        let Some(end) = rest.iter().position(|own| *own == b'\n') else {
            break;
        };
        let wrong = |what: &str| {
            let fault = Fault::at("", format!("line {line_number} of its header {what}"));
            Err(fault.hint("a PLY file begins with ply, its format, and what elements it has"))
        };
        let Ok(line) = std::str::from_utf8(&rest[..end]) else {
            return wrong("is no text");
        };
        rest = &rest[end + 1..];
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["ply"] if line_number == 1 => {}
            _ if line_number == 1 => return wrong("is not \"ply\""),
            ["format", "ascii", _] => is_text = Some(true),
            ["format", "binary_little_endian", _] => is_text = Some(false),
            ["format", other, ..] => {
                let fault = Fault::at("", format!("has the format {other}"));
                return Err(fault.hint("known are ascii and binary_little_endian"));
            }
            ["comment" | "obj_info", ..] | [] => {}
            ["element", name, count] => match count.parse() {
                Ok(count) => elements.push(Element {
                    name: name.to_owned(),
                    count,
                    properties: Vec::new(),
                }),
                Err(_) => return wrong("says no count of elements"),
            },
            ["property", ref of @ .., name] => {
                let types: Option<Vec<Type>> = match of {
                    ["list", length, own] => [length, own]
                        .map(|own| Type::named(own))
                        .into_iter()
                        .collect(),
                    [own] => [Type::named(own)].into_iter().collect(),
                    _ => None,
                };
                let (Some(types), Some(element)) = (types, elements.last_mut()) else {
                    return wrong("is no property");
                };
                element.properties.push(Property {
                    name: name.to_owned(),
                    length: (types.len() == 2).then(|| types[0]),
                    own: types[types.len() - 1],
                });
            }
            ["end_header"] => {
                let Some(is_text) = is_text else {
                    return wrong("comes before the format");
                };
                return Ok((is_text, elements, rest));
            }
            _ => return wrong("is not known"),
        }
    }
    Err(Fault::at("", "its header has no end"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "ply\nformat ascii 1.0\ncomment made\nelement camera 1\nproperty list uchar int ids\nelement vertex 2\nproperty uchar red\nproperty float x\nproperty double y\nproperty short z\nend_header\n";

    fn told(bytes: &[u8]) -> String {
        read_ply(bytes).unwrap_err().to_string()
    }

    #[test]
    fn text_and_binary_say_the_same() {
        let text = format!("{HEAD}2 7 8\n255 1.5 2 -3\n0 nan 0 300\n");
        let mut binary = HEAD.replace("ascii", "binary_little_endian").into_bytes();
        binary.extend([2, 7, 0, 0, 0, 8, 0, 0, 0]);
        for (x, y, z) in [(1.5f32, 2.0f64, -3i16), (f32::NAN, 0.0, 300)] {
            binary.push(255);
            binary.extend(x.to_le_bytes());
            binary.extend(y.to_le_bytes());
            binary.extend(z.to_le_bytes());
        }
        for bytes in [text.as_bytes(), &binary] {
            let sheet = read_ply(bytes).unwrap();
            assert_eq!(sheet.columns, ["x", "y", "z"]);
            let row = |at: usize| sheet.rows[at].iter().map(|own| own.0);
            assert!(row(0).eq([Some(1.5), Some(2.0), Some(-3.0)]));
            assert!(row(1).eq([None, Some(0.0), Some(300.0)]));
            let cut = &bytes[..bytes.len() - 12];
            assert!(told(cut).starts_with("ends before its last vertex"));
        }
    }

    #[test]
    fn mistakes_are_told() {
        let changed =
            |from: &str, to: &str| told((HEAD.replace(from, to) + "0 1 1 1 1 2 2 2 2").as_bytes());
        assert!(
            changed("ascii", "binary_big_endian").starts_with("has the format binary_big_endian")
        );
        assert_eq!(changed("float x", "float xx"), "its vertices have no x");
        assert_eq!(changed("vertex", "face"), "has no element called vertex");
        assert_eq!(changed("end_header\n", ""), "its header has no end");
        assert!(
            changed("element vertex 2", "element vertex many").starts_with("line 6 of its header")
        );
        assert!(changed("property float x", "property real x").starts_with("line 8 of its header"));
        assert!(
            changed("element vertex 2", "element vertex 1000000").starts_with("has 1000000 rows")
        );
        assert_eq!(
            told((HEAD.to_owned() + "0 1 one 1 1").as_bytes()),
            "\"one\" is no number"
        );
        assert!(told(b"play\n").starts_with("line 1 of its header is not"));
    }
}
