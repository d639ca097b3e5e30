//! A drawing as SVG.

use std::fmt::Write;

/// A drawing while it grows.
pub(super) struct Svg(String);

impl Svg {
    /// A white sheet.
    pub(super) fn new(width: f64, height: f64) -> Self {
        let mut svg = Self(String::new());
        svg.push(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" \
             font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" fill=\"#222222\">"
        ));
        svg.push(format_args!(
            "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
        ));
        svg
    }

    pub(super) fn finish(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.0, "{element}");
    }

    pub(super) fn line(&mut self, a: (f64, f64), b: (f64, f64), style: &str) {
        let ((x1, y1), (x2, y2)) = (a, b);
        self.push(format_args!(
            "<line x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\" {style}/>"
        ));
    }

    pub(super) fn frame(&mut self, (x, y): (f64, f64), (width, height): (f64, f64)) {
        self.push(format_args!(
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" \
             fill=\"none\" stroke=\"#444444\"/>"
        ));
    }

    /// Text that starts, has its middle or ends at a point, as `anchor` says.
    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: &str, size: u32, content: &str) {
        let content = escaped(content);
        self.push(format_args!(
            "<text x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"{anchor}\" \
             font-size=\"{size}\">{content}</text>"
        ));
    }

    /// Text that is read from below.
    pub(super) fn upward_text(&mut self, (x, y): (f64, f64), size: u32, content: &str) {
        let content = escaped(content);
        self.push(format_args!(
            "<text x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"middle\" font-size=\"{size}\" \
             transform=\"rotate(-90 {x:.2} {y:.2})\">{content}</text>"
        ));
    }

    /// A curve in pieces; a piece of one point is a dot.
    pub(super) fn curve(&mut self, pieces: &[Vec<(f64, f64)>], style: &str, name: &str) {
        let mut path = String::new();
        for piece in pieces {
            for (at, (x, y)) in piece.iter().enumerate() {
                let _ = write!(path, "{}{x:.2} {y:.2}", if at == 0 { 'M' } else { 'L' });
            }
            if piece.len() == 1 {
                path.push_str("h0");
            }
        }
        let name = escaped(name);
        self.push(format_args!(
            "<path d=\"{path}\" fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\" \
             {style}><title>{name}</title></path>"
        ));
    }
}

/// Text as XML allows it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            control if control < ' ' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}
