//! File paths as URI references.

use std::fmt::Write as _;

/// Converts a path to a URI reference, with the scheme `file:` if the path is absolute.
/// Percent-encodes all characters except unreserved characters and `/`. If `windows` is true, the
/// path may have backslashes and a drive letter.
#[must_use]
pub fn reference(path: &str, windows: bool) -> String {
    let path = if windows {
        path.replace('\\', "/")
    } else {
        path.to_owned()
    };
    let path = path.strip_prefix("./").unwrap_or(&path);
    let bytes = path.as_bytes();
    let has_drive =
        windows && bytes.len() > 1 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':';
    let mut uri = match (has_drive, path) {
        (true, _) => "file:///".to_owned(),
        // The path is a network share, and its machine becomes the URI's host.
        (_, path) if windows && path.starts_with("//") => "file:".to_owned(),
        (_, path) if path.starts_with('/') => "file://".to_owned(),
        _ => String::new(),
    };
    for (index, byte) in path.bytes().enumerate() {
        let plain = byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
        if plain || (has_drive && index == 1) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}
