//! The odds of a fight as text, with a small chart.

use risk_kernel::odds::Odds;
use risk_text::paint::{Paint, bar};

/// Formats the odds and their change with the number of attackers.
#[must_use]
pub fn text(
    attackers: i32,
    defenders: i32,
    odds: Odds,
    around: &[(i32, f64)],
    paint: Paint,
) -> String {
    // The columns get extra space if the page is wide enough.
    let column = paint.width.saturating_sub(14).clamp(24, 28);
    let mut lines = vec![
        paint.rule(&format!(
            "{attackers} attackers, apart from armies that must stay behind, against {defenders}"
        )),
        format!(
            "  {:<column$}{:>10.6} %",
            "chance of capture",
            odds.capture * 100.0
        ),
        format!(
            "  {:<column$}{:>10.6}",
            "attackers left", odds.attackers_left
        ),
        format!(
            "  {:<column$}{:>10.6}",
            "attackers left if captured", odds.attackers_left_given_capture
        ),
        format!(
            "  {:<column$}{:>10.6}",
            "defenders left", odds.defenders_left
        ),
        String::new(),
        paint.dim(&format!("  attackers against {defenders}: chance")),
    ];
    let width = paint.width.saturating_sub(20).clamp(10, 50);
    for &(count, chance) in around {
        let line = format!(
            "  {count:>5}  {} {:>5.1}%",
            bar(chance, width),
            chance * 100.0
        );
        lines.push(if count == attackers {
            paint.bold(&line)
        } else {
            line
        });
    }
    lines.join("\n")
}
