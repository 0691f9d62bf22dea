//! Conversion of input files from bytes to text.

/// The error for bytes that are not text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
#[non_exhaustive]
pub struct DecodeError {
    /// The cause and its position, for a message that starts with “can't read FILE: ”.
    pub text: String,
    /// The help shown to the user.
    pub help: &'static str,
    /// The bytes, if they may be in a single-byte encoding.
    pub bytes: Option<Vec<u8>>,
}

/// Decodes UTF-8. The decoded text has no byte-order mark, and its lines end with LF or CR LF.
///
/// # Errors
/// Returns an error if the bytes are in another encoding or are not text.
pub fn decode(bytes: Vec<u8>) -> Result<String, DecodeError> {
    let refuse = |text: &str, help| {
        Err(DecodeError {
            text: text.to_owned(),
            help,
            bytes: None,
        })
    };
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return refuse("the file is in UTF-16, expected UTF-8", "save it as UTF-8");
    }
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        let (line, column) = place(&bytes, at);
        let text = format!("the file is binary: zero byte in line {line}, column {column}");
        return refuse(&text, "save it as UTF-8 text");
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(lines(text.strip_prefix('\u{feff}').unwrap_or(&text))),
        Err(error) => {
            let (line, column) = place(error.as_bytes(), error.utf8_error().valid_up_to());
            let text =
                format!("the file is not UTF-8: invalid byte in line {line}, column {column}");
            Err(DecodeError {
                text,
                help: "save it as UTF-8",
                bytes: Some(error.into_bytes()),
            })
        }
    }
}

/// The characters of the bytes 0x80 to 0x9f in Windows-1252, as the Encoding Standard lists them
/// (<https://encoding.spec.whatwg.org/index-windows-1252.txt>).
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Decodes Windows-1252, which contains Latin-1 for all printable characters.
#[must_use]
pub fn decode_windows_1252(bytes: &[u8]) -> String {
    let letter = |&byte: &u8| match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    };
    bytes.iter().map(letter).collect()
}

/// Converts line endings of CR alone to LF, so that all tools count lines in the same way.
#[must_use]
pub fn lines(text: &str) -> String {
    if text.contains('\n') {
        text.to_owned()
    } else {
        text.replace('\r', "\n")
    }
}

/// Returns the line and the column of a byte, from 1. The preceding bytes may be in any encoding.
fn place(bytes: &[u8], at: usize) -> (usize, usize) {
    let before = &bytes[..at];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let start = before
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |end| end + 1);
    (
        line,
        String::from_utf8_lossy(&before[start..]).chars().count() + 1,
    )
}
