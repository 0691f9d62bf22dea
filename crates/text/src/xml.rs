//! Escapes for XML, SVG and HTML.

/// Escapes a text for use between tags or in a double-quoted attribute.
#[must_use]
pub fn xml(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
