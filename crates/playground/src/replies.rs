//! Replies that several requests have.

use crate::messages::Reply;
use risk_report::findings;
use risk_text::diag::Finding;
use risk_text::paint::Paint;

/// The maximum number of games of a request.
pub(crate) const MOST_GAMES: u64 = 1_000;

/// The layout of texts.
pub(crate) const PAPER: Paint = Paint {
    colour: false,
    width: 80,
};

pub(crate) const fn text(text: String) -> Reply {
    Reply::Text { text, fine: true }
}

pub(crate) fn rendered(found: &[Finding]) -> String {
    findings::render(found, PAPER.colour, PAPER.width)
}
