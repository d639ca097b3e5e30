//! Log–log plots as SVG: panels side by side, one legend.

use std::fmt::Write;

/// One curve: a point for each panel's abscissa. What has no value is marked at the upper edge.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<Point>,
    /// Whether it is shown in each panel.
    pub(crate) in_panel: [bool; 2],
}

/// Abscissas by panel, and the common ordinate; none if there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: [f64; 2],
    pub(crate) y: Option<f64>,
}

/// What is written around the curves.
pub(crate) struct Labels {
    pub(crate) title: String,
    pub(crate) x: [&'static str; 2],
    pub(crate) y: &'static str,
    /// A level below which ordinates mean nothing, and its name.
    pub(crate) floor: (f64, &'static str),
    pub(crate) footnote: &'static str,
}

const PANEL: (f64, f64) = (430.0, 430.0);
const LEFT: f64 = 78.0;
const TOP: f64 = 52.0;
const GUTTER: f64 = 84.0;
const LEGEND: f64 = 205.0;
/// Ordinates above are drawn at the edge.
const HIGHEST: f64 = 1e2;
/// Paul Tol's "bright" and "muted" schemes, in an order that keeps neighbors apart.
const COLORS: [&str; 10] = [
    "#0077bb", "#cc3311", "#ee7733", "#009988", "#bbbbbb", "#aa4499", "#222222", "#999933",
    "#882255", "#ee3377",
];

/// Draws two panels with a common ordinate.
pub(crate) fn draw(labels: &Labels, series: &[Series]) -> String {
    let is_shown = |y: f64| y.is_finite() && y > 0.0 && y <= HIGHEST;
    let all = || series.iter().flat_map(|series| &series.points);
    let ordinates = all().filter_map(|point| point.y).filter(|y| is_shown(*y));
    let y = Axis::over(ordinates.chain([labels.floor.0]).filter(|y| is_shown(*y)));
    let x = [0, 1].map(|panel| {
        let shown = series.iter().filter(|series| series.in_panel[panel]);
        Axis::over(
            shown
                .flat_map(|series| &series.points)
                .map(|point| point.x[panel])
                .filter(|x| x.is_finite() && *x > 0.0),
        )
    });
    let width = LEFT + 2.0 * PANEL.0 + GUTTER + LEGEND;
    let height = TOP + PANEL.1 + 84.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" \
         font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    text(&mut svg, (LEFT, 26.0), "start", 15, &labels.title);
    for panel in 0..2 {
        let left = LEFT + panel as f64 * (PANEL.0 + GUTTER);
        let frame = Frame {
            left,
            x: x[panel],
            y,
        };
        frame.grid(&mut svg, labels, panel);
        for (at, series) in series.iter().enumerate() {
            if series.in_panel[panel] {
                frame.curve(&mut svg, at, series, panel);
            }
        }
    }
    let left = LEFT + 2.0 * PANEL.0 + GUTTER + 18.0;
    for (at, series) in series.iter().enumerate() {
        let y = TOP + 12.0 + 22.0 * at as f64;
        line(&mut svg, (left, y), (left + 26.0, y), &stroke(at));
        mark(&mut svg, (left + 13.0, y), at);
        text(&mut svg, (left + 34.0, y + 4.0), "start", 12, &series.name);
    }
    let y = TOP + 12.0 + 22.0 * series.len() as f64;
    cross(&mut svg, (left + 13.0, y), "#444444");
    text(
        &mut svg,
        (left + 34.0, y + 4.0),
        "start",
        12,
        "failed, or beyond",
    );
    text(
        &mut svg,
        (LEFT, height - 14.0),
        "start",
        11,
        labels.footnote,
    );
    svg.push_str("</svg>\n");
    svg
}

/// Whole decades.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            low = low.min(value.log10());
            high = high.max(value.log10());
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        let (low, high) = ((low + 1e-9).floor(), (high - 1e-9).ceil());
        Self {
            low,
            high: high.max(low + 1.0),
        }
    }

    fn part(&self, value: f64) -> f64 {
        ((value.log10() - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    fn decades(&self) -> impl Iterator<Item = i32> {
        self.low as i32..=self.high as i32
    }
}

struct Frame {
    left: f64,
    x: Axis,
    y: Axis,
}

impl Frame {
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (
            self.left + PANEL.0 * self.x.part(x),
            TOP + PANEL.1 * (1.0 - self.y.part(y)),
        )
    }

    fn grid(&self, svg: &mut String, labels: &Labels, panel: usize) {
        let (right, bottom) = (self.left + PANEL.0, TOP + PANEL.1);
        for k in self.x.decades() {
            let (x, _) = self.at(10f64.powi(k), 1.0);
            line(svg, (x, TOP), (x, bottom), "stroke=\"#dddddd\"");
            power(svg, (x, bottom + 18.0), "middle", k);
        }
        // Labels would touch where there are many decades.
        let every = if self.y.high - self.y.low > 10.0 {
            2
        } else {
            1
        };
        for k in self.y.decades() {
            let (_, y) = self.at(1.0, 10f64.powi(k));
            line(svg, (self.left, y), (right, y), "stroke=\"#dddddd\"");
            if k % every == 0 {
                power(svg, (self.left - 8.0, y + 4.0), "end", k);
            }
        }
        let (_, y) = self.at(1.0, labels.floor.0);
        line(
            svg,
            (self.left, y),
            (right, y),
            "stroke=\"#777777\" stroke-dasharray=\"2 3\"",
        );
        if panel == 0 {
            halo(svg, (self.left + 6.0, y - 5.0), labels.floor.1);
        }
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{TOP}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#444444\"/>",
            self.left, PANEL.0, PANEL.1
        );
        let middle = self.left + 0.5 * PANEL.0;
        text(svg, (middle, bottom + 42.0), "middle", 13, labels.x[panel]);
        if panel == 0 {
            let (x, y) = (22.0, TOP + 0.5 * PANEL.1);
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" font-size=\"13\" \
                 transform=\"rotate(-90 {x} {y})\">{}</text>",
                labels.y
            );
        }
    }

    fn curve(&self, svg: &mut String, at: usize, series: &Series, panel: usize) {
        let place = |point: &Point| {
            let y = point.y.filter(|y| y.is_finite() && *y <= HIGHEST)?;
            Some(self.at(point.x[panel], y.max(1e-300)))
        };
        let mut last: Option<(f64, f64)> = None;
        for point in &series.points {
            let here = place(point);
            if let (Some(a), Some(b)) = (last, here) {
                line(svg, a, b, &stroke(at));
            }
            last = here;
        }
        for point in &series.points {
            match place(point) {
                Some(here) => mark(svg, here, at),
                None if point.x[panel] > 0.0 => {
                    let (x, _) = self.at(point.x[panel], 1.0);
                    cross(svg, (x, TOP), COLORS[at % COLORS.len()]);
                }
                None => {}
            }
        }
    }
}

fn stroke(at: usize) -> String {
    let dashes = match at / 4 % 3 {
        0 => "",
        1 => " stroke-dasharray=\"6 3\"",
        _ => " stroke-dasharray=\"2 2\"",
    };
    let color = COLORS[at % COLORS.len()];
    format!("stroke=\"{color}\" stroke-width=\"1.8\"{dashes}")
}

fn line(svg: &mut String, a: (f64, f64), b: (f64, f64), style: &str) {
    let _ = writeln!(
        svg,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" {style}/>",
        a.0, a.1, b.0, b.1
    );
}

/// A circle, a square, a triangle or a diamond.
fn mark(svg: &mut String, (x, y): (f64, f64), at: usize) {
    let corners: &[(f64, f64)] = match at % 4 {
        0 => &[],
        1 => &[(-3.6, -3.6), (3.6, -3.6), (3.6, 3.6), (-3.6, 3.6)],
        2 => &[(0.0, -5.0), (4.6, 3.4), (-4.6, 3.4)],
        _ => &[(0.0, -5.0), (5.0, 0.0), (0.0, 5.0), (-5.0, 0.0)],
    };
    let style = format!(
        "fill=\"{}\" stroke=\"white\" stroke-width=\"0.8\"",
        COLORS[at % COLORS.len()]
    );
    if corners.is_empty() {
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.2\" {style}/>"
        );
        return;
    }
    let corners: Vec<String> = corners
        .iter()
        .map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy))
        .collect();
    let _ = writeln!(svg, "<polygon points=\"{}\" {style}/>", corners.join(" "));
}

fn cross(svg: &mut String, (x, y): (f64, f64), color: &str) {
    let style = format!("stroke=\"{color}\" stroke-width=\"2.2\"");
    line(svg, (x - 4.0, y - 4.0), (x + 4.0, y + 4.0), &style);
    line(svg, (x - 4.0, y + 4.0), (x + 4.0, y - 4.0), &style);
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, size: u32, content: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\">{content}</text>"
    );
}

/// Text that can be read on top of curves.
fn halo(svg: &mut String, (x, y): (f64, f64), content: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"10\" fill=\"#555555\" stroke=\"white\" \
         stroke-width=\"3\" paint-order=\"stroke\">{content}</text>"
    );
}

fn power(svg: &mut String, at: (f64, f64), anchor: &str, exponent: i32) {
    let content = format!("10<tspan dy=\"-5\" font-size=\"9\">{exponent}</tspan>");
    text(svg, at, anchor, 12, &content);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_whole_decades() {
        let axis = Axis::over([2e-5, 3e-2].into_iter());
        assert_eq!((axis.low, axis.high), (-5.0, -1.0));
        assert_eq!(axis.part(1e-3), 0.5);
        let exact = Axis::over([1e-3, 1e-1].into_iter());
        assert_eq!((exact.low, exact.high), (-3.0, -1.0));
        let none = Axis::over(std::iter::empty());
        assert_eq!((none.low, none.high), (0.0, 1.0));
    }

    #[test]
    fn failures_are_crosses_at_the_edge() {
        let point = |x, y| Point { x: [x, x], y };
        let draw = |points| {
            let labels = Labels {
                title: "chain:2".into(),
                x: ["cost", "step"],
                y: "error",
                floor: (1e-12, "reference"),
                footnote: "",
            };
            let name = "interactive".into();
            let in_panel = [true, false];
            super::draw(
                &labels,
                &[Series {
                    name,
                    points,
                    in_panel,
                }],
            )
        };
        let good = draw(vec![point(1.0, Some(1e-3)), point(2.0, Some(1e-4))]);
        let bad = draw(vec![point(1.0, None), point(2.0, Some(1e-4))]);
        let far = draw(vec![point(1.0, Some(1e9)), point(2.0, Some(1e-4))]);
        let crosses = |svg: &str| svg.matches("stroke-width=\"2.2\"").count() / 2;
        assert_eq!((crosses(&good), crosses(&bad), crosses(&far)), (1, 2, 2));
        assert!(good.contains(">interactive</text>") && good.ends_with("</svg>\n"));
    }
}
