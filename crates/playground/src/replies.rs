//! Replies that several requests have.

use crate::messages::Reply;
use risk_report::findings;
use risk_text::diag::Finding;
use risk_text::escape_lines;
use risk_text::paint::Paint;

/// The maximum number of games of a request.
pub(crate) const MOST_GAMES: u64 = 1_000;

/// The layout of texts.
pub(crate) const PAPER: Paint = Paint {
    colour: false,
    width: 80,
};

pub(crate) const fn text(text: String) -> Reply {
    Reply::Text { text }
}

/// Returns findings as the program shows them, or in a sentence if none has a place in a file.
pub(crate) fn rendered(found: &[Finding]) -> String {
    if found.iter().any(|finding| finding.place.is_some()) {
        return findings::render(found, PAPER.colour, PAPER.width);
    }
    let sentence = |finding: &Finding| {
        let help = finding.help.as_ref();
        let help = help.map_or_else(String::new, |help| format!("\n{help}"));
        format!("{}{help}\n", finding.text)
    };
    escape_lines(&found.iter().map(sentence).collect::<String>()).into_owned()
}
