//! Escapes for characters that could control a terminal or be invisible.

use std::borrow::Cow;

/// Reports whether a character could control a terminal, change the direction of text or be
/// invisible.
///
/// These characters are Unicode's control and format characters, line and paragraph separators,
/// invisible fillers and noncharacters. Variation selectors for emoji (U+FE00 to U+FE0F) are not
/// included.
#[must_use]
pub fn is_control(c: char) -> bool {
    c.is_control() || is_invisible(c) || is_noncharacter(c)
}

fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
        | '\u{890}'..='\u{891}' | '\u{8e2}' | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}'
        | '\u{13430}'..='\u{1343f}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Reports whether a character looks like a space but is another, or can't be seen at all.
#[must_use]
pub fn is_unseen(c: char) -> bool {
    is_odd_space(c) || is_control(c) && !is_layout(c) && c != '\r'
}

const fn is_odd_space(c: char) -> bool {
    matches!(
        c,
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

/// Names the first [character that can't be seen](is_unseen), and says what to do.
#[must_use]
pub fn unseen(text: &str) -> Option<String> {
    let c = text.chars().find(|&c| is_unseen(c))?;
    let name = match c {
        '\u{a0}' | '\u{202f}' | '\u{2007}' => "a no-break space",
        c if is_odd_space(c) => "a special space",
        '\u{ad}' => "a soft hyphen",
        '\u{200b}' => "a zero-width space",
        '\u{200c}' | '\u{200d}' | '\u{2060}' => "a zero-width joiner",
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            "a mark for the direction of text"
        }
        '\u{feff}' => "a byte-order mark",
        c if c.is_control() => "a control character",
        _ => "an invisible character",
    };
    let advice = if is_odd_space(c) {
        "write a normal space"
    } else {
        "delete it"
    };
    Some(format!("`{}` is {name}: {advice}", c.escape_default()))
}

fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{fdd0}'..='\u{fdef}') || c as u32 & 0xfffe == 0xfffe
}

/// Escapes every [control character](is_control), including line endings, as in `\u{202e}` and
/// `\n`.
#[must_use]
pub fn escape_control(text: &str) -> Cow<'_, str> {
    escape(text, |_| false)
}

/// Escapes characters as [`escape_control`] does, but keeps tabs and line endings. CR LF becomes
/// LF.
#[must_use]
pub fn escape_lines(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") {
        return Cow::Owned(escape(&text.replace("\r\n", "\n"), is_layout).into_owned());
    }
    escape(text, is_layout)
}

/// Escapes characters as [`escape_lines`] does, and spaces other than the normal one.
#[must_use]
pub fn escape_unseen(text: &str) -> Cow<'_, str> {
    if !text.contains(is_odd_space) {
        return escape_lines(text);
    }
    let shown = text.chars().map(|c| {
        if is_odd_space(c) {
            c.escape_default().to_string()
        } else {
            c.to_string()
        }
    });
    Cow::Owned(escape_lines(&shown.collect::<String>()).into_owned())
}

/// Replaces every [control character](is_control) in a JSON document with its JSON escape, which
/// preserves the document's meaning. Line endings and tabs stay unchanged.
#[must_use]
pub fn escape_json(document: &str) -> Cow<'_, str> {
    escape_by(document, is_layout, |c, escaped| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            escaped.push_str(&format!("\\u{unit:04x}"));
        }
    })
}

pub(super) fn is_layout(c: char) -> bool {
    matches!(c, '\n' | '\t')
}

fn escape(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    escape_by(text, stays, |c, escaped| escaped.extend(c.escape_default()))
}

fn escape_by(
    text: &str,
    stays: impl Fn(char) -> bool,
    write: impl Fn(char, &mut String),
) -> Cow<'_, str> {
    let bad = |c: char| is_control(c) && !stays(c);
    if !text.chars().any(bad) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if bad(c) {
            write(c, &mut escaped);
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}
