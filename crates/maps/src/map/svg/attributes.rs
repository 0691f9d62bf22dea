//! The document type of a drawing, and limits on its attributes. An XML parser compares each
//! attribute of an element with all others, and each namespace with all others in scope, so its
//! work grows quadratically.

use std::borrow::Cow;

use super::Extent;

const MOST_ATTRIBUTES: usize = 256;
const MOST_NAMESPACES: usize = 256;
const DOCTYPE: &str = "<!DOCTYPE";

/// A message that says which limit was exceeded, and the place in the file.
pub(super) type LimitError = (String, Extent);

/// Checks a drawing in one pass that only recognises where tags begin and end. Returns the text
/// with blanks instead of the document type, which no reader needs.
pub(super) fn check(text: &str) -> Result<Cow<'_, str>, LimitError> {
    let mut namespaces = 0;
    let mut checked = Cow::Borrowed(text);
    let mut at = 0;
    while let Some(begin) = text[at..].find('<') {
        let start = at + begin;
        let rest = &text[start..];
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        let skipped = skipped
            .into_iter()
            .find(|(opening, _)| rest.starts_with(opening));
        at = match skipped {
            Some((opening, closing)) => {
                let inside = &rest[opening.len()..];
                let end = inside.find(closing);
                end.map_or(text.len(), |end| {
                    start + opening.len() + end + closing.len()
                })
            }
            // A second one is left to the parser, which refuses it.
            None if rest.starts_with(DOCTYPE) && matches!(checked, Cow::Borrowed(_)) => {
                let end = start + doctype(rest);
                if text[start..end].contains("<!ENTITY") {
                    let text = "a document type (DTD) must not declare entities: remove the part \
                                in square brackets";
                    return Err((text.to_owned(), (start, DOCTYPE.len())));
                }
                checked
                    .to_mut()
                    .replace_range(start..end, &" ".repeat(end - start));
                end
            }
            None => start + tag(text, start, &mut namespaces)?,
        };
    }
    Ok(checked)
}

/// Returns the length of the document type at the start, including its declarations.
fn doctype(text: &str) -> usize {
    let mut quote = None;
    let mut depth = 0;
    for (index, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '<') => depth += 1,
            (None, '>') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    text.len()
}

/// Returns the length of the tag that begins at `start`. The number of its attributes is the number
/// of equals signs outside quotes.
fn tag(text: &str, start: usize, namespaces: &mut usize) -> Result<usize, LimitError> {
    let mut quote = None;
    let mut attributes = 0;
    let bytes = &text.as_bytes()[start..];
    for (index, &byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'>') => return Ok(index + 1),
            (None, b'=') => {
                attributes += 1;
                *namespaces += usize::from(declares_namespace(&bytes[..index]));
                let place = (start, 1);
                if attributes > MOST_ATTRIBUTES {
                    let text = format!("an element has more than {MOST_ATTRIBUTES} attributes");
                    return Err((text, place));
                }
                if *namespaces > MOST_NAMESPACES {
                    let most = MOST_NAMESPACES;
                    let text = format!("the drawing declares more than {most} namespaces");
                    return Err((text, place));
                }
            }
            _ => {}
        }
    }
    Ok(bytes.len())
}

/// Reports whether the attribute name at the end of `before` is `xmlns` or begins with `xmlns:`.
fn declares_namespace(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let name = before
        .rsplit(|byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'='))
        .next();
    name.is_some_and(|name| name.starts_with(b"xmlns"))
}
