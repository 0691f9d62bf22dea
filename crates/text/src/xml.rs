//! Text inside XML, SVG and HTML.

/// A text as it stands between tags, or in an attribute.
#[must_use]
pub fn xml(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
