//! Costs that grow, as a picture: lines over a logarithmic axis, in SVG.

use std::fmt::Write;

/// A line: what it is of, and its points.
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 46.0;
/// Told apart by people who see colours otherwise, too.
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];

/// A picture with a title, what the axis below counts, and the unit of the axis at the side. Both axes are
/// logarithmic; the one at the side covers a power of ten at least, so that what is flat looks flat.
pub(crate) fn svg(title: &str, counted: &str, unit: &str, lines: &[Line]) -> String {
    let points = || lines.iter().flat_map(|line| &line.points);
    let (x_low, x_high) = powers(points().map(|point| point.0));
    let (y_low, y_high) = powers(points().map(|point| point.1));
    let x = |value: f64| LEFT + (value.log10() - x_low) / (x_high - x_low) * (WIDTH - LEFT - RIGHT);
    let y =
        |value: f64| HEIGHT - BOTTOM - (value.log10() - y_low) / (y_high - y_low) * (HEIGHT - TOP - BOTTOM);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"{LEFT}\" y=\"22\" font-size=\"15\" fill=\"#222222\">{}</text>\n",
        escaped(title)
    );
    let mut text = |at: (f64, f64), anchor: &str, fill: &str, text: &str| {
        let (left, top) = at;
        let _ = writeln!(
            out,
            "<text x=\"{left:.1}\" y=\"{top:.1}\" text-anchor=\"{anchor}\" fill=\"{fill}\">{}</text>",
            escaped(text)
        );
    };
    text((WIDTH - RIGHT, HEIGHT - 8.0), "end", "#444444", counted);
    text((LEFT - 6.0, TOP - 10.0), "end", "#444444", unit);
    let mut legend = LEFT;
    for (line, colour) in lines.iter().zip(COLOURS) {
        text((legend, 44.0), "start", colour, &line.name);
        legend += 30.0 + 6.6 * line.name.chars().count() as f64;
    }
    for power in steps(x_low, x_high) {
        // The last would reach beyond the edge.
        let anchor = if x(power) < WIDTH - RIGHT - 1.0 { "middle" } else { "end" };
        text((x(power), HEIGHT - BOTTOM + 18.0), anchor, "#444444", &number(power));
    }
    for power in steps(y_low, y_high) {
        text((LEFT - 6.0, y(power) + 4.0), "end", "#444444", &number(power));
    }
    for power in steps(y_low, y_high) {
        let (at, end) = (y(power), WIDTH - RIGHT);
        let _ = writeln!(out, "<path d=\"M{LEFT} {at:.1}H{end}\" stroke=\"#dddddd\"/>");
    }
    for (line, colour) in lines.iter().zip(COLOURS) {
        let places: Vec<String> =
            line.points.iter().map(|&(a, b)| format!("{:.1},{:.1}", x(a), y(b))).collect();
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            places.join(" ")
        );
        for &(a, b) in &line.points {
            let _ =
                writeln!(out, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>", x(a), y(b));
        }
    }
    out + "</svg>\n"
}

/// The powers of ten around all values, one apart at least.
fn powers(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) =
        values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    let (low, high) = (low.max(1e-3).log10().floor(), high.max(1e-3).log10().ceil());
    (low, if high > low { high } else { low + 1.0 })
}

fn steps(low: f64, high: f64) -> impl Iterator<Item = f64> {
    (low as i32..=high as i32).map(|power| 10f64.powi(power))
}

/// `1000000` as `1,000,000`, and small ones as they are.
fn number(value: f64) -> String {
    if value < 1.0 {
        return value.to_string();
    }
    let digits = format!("{value:.0}");
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap_or("")).collect();
    groups.join(",")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_where_their_values_are() {
        let line = |points: &[(f64, f64)]| Line { name: "ours & theirs".into(), points: points.to_vec() };
        let picture = svg("A title", "windows", "ns", &[line(&[(100.0, 10.0), (10_000.0, 100.0)])]);
        assert!(picture.contains("<circle cx=\"70.0\" cy=\"254.0\""), "{picture}");
        assert!(picture.contains("<circle cx=\"620.0\" cy=\"64.0\""), "{picture}");
        assert!(picture.contains("ours &amp; theirs") && picture.contains(">10,000<"), "{picture}");
    }

    #[test]
    fn what_is_flat_looks_flat() {
        assert_eq!(powers([480.0, 513.0].into_iter()), (2.0, 3.0));
        assert_eq!(powers([100.0, 100.0].into_iter()), (2.0, 3.0));
    }
}
