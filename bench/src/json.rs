//! JSON, as much as a list of flat objects needs.

/// One object a line.
pub(crate) fn array(objects: &[String]) -> String {
    format!("[\n  {}\n]", objects.join(",\n  "))
}

/// A flat object; values are JSON already.
pub(crate) fn object(fields: &[(&str, String)]) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("\"{name}\": {value}"))
        .collect();
    format!("{{{}}}", fields.join(", "))
}

/// A quoted string.
pub(crate) fn text(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Three digits; `null` for what is no number.
pub(crate) fn small(value: Option<f64>) -> String {
    match value {
        Some(value) if value.is_finite() => format!("{value:.2e}"),
        _ => "null".into(),
    }
}
