//! The value of land, as text and as JSON.

use serde_json::{Value, json};

use crate::json::round;
use risk_lab::tournament::holdings::{LandWorth, Worth};
use risk_stats::StatsError;
use risk_text::names::name_column;
use risk_text::paint::Paint;
use risk_text::plural::counted;

/// The maximum number of continents, and of territories, that the text lists.
const MOST: usize = 12;

pub(super) fn lines(land: &LandWorth, paint: Paint) -> Vec<String> {
    let text = format!(
        "value of territories held at the end of round {}, in the {} that reached it: factor on \
         the odds of winning, for equal numbers of territories, armies and bonuses; * significant, \
         simultaneous limits",
        land.round,
        counted(land.games, "game")
    );
    let text = paint.wrapped("  ", "  ", &text);
    let mut lines: Vec<String> = text.iter().map(|line| paint.dim(line)).collect();
    lines.extend(kind("continents", &land.continents, paint));
    lines.extend(kind("territories", &land.territories, paint));
    lines
}

fn kind(word: &str, found: &Result<Vec<Worth>, StatsError>, paint: Paint) -> Vec<String> {
    let all = match found {
        Ok(all) => all,
        // The map has no continents.
        Err(StatsError::NoData) => return Vec::new(),
        Err(why) => return paint.wrapped("  ", "  ", &format!("{word}: {why}")),
    };
    let names = all.iter().take(MOST).map(|worth| worth.name.as_str());
    let (_, names) = name_column("", names, paint.width / 3);
    let mut lines = vec![paint.dim(&format!("  {word}"))];
    for (worth, name) in all.iter().zip(names) {
        let head = format!("  {name}  ");
        lines.extend(paint.hang(&head, &effect(worth)));
    }
    if all.len() > MOST {
        let rest = format!("and {} more; --format json lists them", all.len() - MOST);
        lines.extend(paint.wrapped("  ", "  ", &rest));
    }
    lines
}

fn is_sure(worth: &Worth) -> bool {
    let effect = worth.effect.effect.as_ref();
    effect.is_ok_and(|effect| effect.interval.low > 0.0 || effect.interval.high < 0.0)
}

fn effect(worth: &Worth) -> String {
    let raw = worth.effect.raw.as_ref().map_or_else(
        |_| String::new(),
        |share| format!("; its owner wins {:.1}%", 100.0 * share.share),
    );
    match &worth.effect.effect {
        Ok(effect) => format!(
            "×{:.2}  ({:.2} to {:.2}){}{raw}",
            libm::exp(effect.nats),
            libm::exp(effect.interval.low),
            libm::exp(effect.interval.high),
            if is_sure(worth) { " *" } else { "" }
        ),
        Err(why) => format!("{why}{raw}"),
    }
}

pub(super) fn value(land: &LandWorth) -> Value {
    let one = |worth: &Worth| {
        let mut value = json!({ "name": worth.name, "held": worth.held });
        if let Ok(share) = &worth.effect.raw {
            value["holder_share"] = json!(round(share.share));
        }
        match &worth.effect.effect {
            Ok(effect) => {
                value["nats"] = json!(round(effect.nats));
                value["interval"] =
                    json!([round(effect.interval.low), round(effect.interval.high)]);
                value["p_value"] = json!(round(effect.p_value));
                value["adjusted_p"] = json!(worth.effect.adjusted_p.map(round));
                value["sure"] = json!(is_sure(worth));
            }
            Err(why) => value["missing"] = json!(why.to_string()),
        }
        value
    };
    let all = |found: &Result<Vec<Worth>, StatsError>| match found {
        Ok(found) => found.iter().map(one).collect(),
        Err(StatsError::NoData) => Value::Null,
        Err(why) => json!({ "missing": why.to_string() }),
    };
    json!({
        "round": land.round,
        "games": land.games,
        "territories": all(&land.territories),
        "continents": all(&land.continents),
    })
}
