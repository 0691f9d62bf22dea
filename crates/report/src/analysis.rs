//! The report of `analyse`: the luck of the dice and the winning chances over time.

use serde_json::{Value, json};

use super::decision::with_names;
use super::json::{FORMAT, round};
use risk_engine::Seed;
use risk_engine::record::Header;
use risk_kernel::board::Board;
use risk_kernel::id::{PlayerSet, Territory};
use risk_lab::analysis::chances::{RoundStart, WinChances};
use risk_lab::analysis::decisions::JudgedDecision;
use risk_lab::analysis::luck::{Battle, LossTotals, Luck};
use risk_text::columns;
use risk_text::names::name_column;
use risk_text::paint::{Paint, pad};
use risk_text::plural::counted;
use risk_text::signed;

/// The maximum number of fights listed as luckiest, and as unluckiest.
const TOLD: usize = 3;

/// The threshold below which luck, in armies, is only a rounding error.
const NONE: f64 = 1e-9;

/// The analysis of a game.
#[derive(Clone, Copy, Debug)]
pub struct Analysis<'a> {
    /// The header of the game's record.
    pub header: &'a Header,
    /// The map, for the names of territories.
    pub board: &'a Board,
    /// The winners, or `None` if the record ends before the game is over.
    pub winners: Option<PlayerSet>,
    /// The luck of the game's fights.
    pub luck: &'a Luck,
    /// The winning chances over time, if games were played on.
    pub course: Option<&'a ChanceHistory>,
}

/// Winning chances over time.
#[derive(Clone, Debug)]
pub struct ChanceHistory {
    /// The bot that played the rollouts in all seats, as the user specified it.
    pub bot: String,
    /// The name of that bot, without a path.
    pub name: String,
    /// The seed of the games that were played on.
    pub seed: Seed,
    /// The number of games played from each moment.
    pub games: u64,
    /// The moments in order, each with its winning chances.
    pub moments: Vec<(RoundStart, WinChances)>,
    /// The number of judged decisions and the costliest ones, if requested.
    pub costly: Option<(usize, Vec<JudgedDecision>)>,
}

impl Analysis<'_> {
    fn name(&self, seat: usize) -> &str {
        &self.header.players[seat].name
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.header
            .players
            .iter()
            .map(|player| player.name.as_str())
    }

    /// Returns a sentence of the ruleset with the names of players.
    fn sentence(&self, text: &str) -> String {
        let names: Vec<String> = self.names().map(str::to_owned).collect();
        with_names(text, &names)
    }

    fn territory(&self, at: Territory) -> &str {
        &self.board.info(at).name
    }
}

/// Formats the analysis for a terminal.
#[must_use]
pub fn text(analysis: &Analysis<'_>, paint: Paint) -> String {
    let header = analysis.header;
    let title = format!(
        "luck in {} on {}, seed {}",
        header.ruleset, header.map, header.seed
    );
    let mut lines = vec![paint.rule(&title)];
    let luck = analysis.luck;
    if luck.battles.is_empty() {
        lines.push("  no fights with known averages".to_owned());
    } else {
        lines.extend(players(analysis, paint));
        lines.extend(extremes(analysis, paint));
    }
    for (reason, &count) in &luck.unknown {
        let rounds = counted(count, "round");
        let text = format!("{rounds} of fighting omitted: {reason}");
        lines.push(String::new());
        lines.extend(paint.indented(&text));
    }
    if let Some(course) = analysis.course {
        lines.push(String::new());
        lines.extend(chances(analysis, course, paint));
        if let Some((looked_at, judged)) = &course.costly {
            lines.push(String::new());
            lines.push(paint.rule(&format!("costliest decisions, judged by {}", course.bot)));
            lines.extend(costly(analysis, course, *looked_at, judged, paint));
        }
    }
    lines.join("\n")
}

fn players(analysis: &Analysis<'_>, paint: Paint) -> Vec<String> {
    let room = paint.width.saturating_sub(48);
    let (heading, names) = name_column("player", analysis.names(), room);
    let heads = [
        format!(
            "  {}{:>23}{:>15}",
            pad("", columns(&heading)),
            "own armies",
            "enemy armies"
        ),
        format!("  {heading}  fights  lost expected  lost expected    luck"),
    ];
    let mut lines = heads.map(|head| paint.dim(&head)).to_vec();
    for (seat, player) in analysis.luck.players().iter().enumerate() {
        let losses = |losses: LossTotals| format!("{:>5} {:>8.1}", losses.real, losses.expected);
        let line = format!(
            "  {}  {:>6} {} {}{:>8}",
            names[seat],
            player.attacks + player.defences,
            losses(player.lost),
            losses(player.killed),
            signed(player.luck(), 1),
        );
        lines.push(paint.seat(seat, &line));
    }
    lines
}

/// Lists the luckiest and the unluckiest fights of attackers.
fn extremes(analysis: &Analysis<'_>, paint: Paint) -> Vec<String> {
    let mut lines = Vec::new();
    let groups: [(&str, f64); 2] = [("luckiest", 1.0), ("unluckiest", -1.0)];
    for (head, sign) in groups {
        let found = extreme(analysis.luck, sign, NONE, TOLD);
        if found.is_empty() {
            continue;
        }
        lines.push(String::new());
        lines.push(paint.dim(&format!("  {head} fights for the attacker")));
        for battle in found {
            let head = format!("  {:>6}  ", signed(battle.luck(), 1));
            lines.extend(paint.hang(&head, &battle_line(analysis, battle)));
        }
    }
    lines
}

/// Returns up to `most` fights with more luck than `least`, or bad luck if `sign` is −1. Equal
/// fights stay in the order of the game.
fn extreme(luck: &Luck, sign: f64, least: f64, most: usize) -> Vec<&Battle> {
    let battles = luck.battles.iter();
    let mut found: Vec<&Battle> = battles.filter(|it| sign * it.luck() >= least).collect();
    found.sort_by(|a, b| (sign * b.luck()).total_cmp(&(sign * a.luck())));
    found.truncate(most);
    found
}

fn battle_line(analysis: &Analysis<'_>, battle: &Battle) -> String {
    let against = battle.defender.map_or_else(
        || "no player".to_owned(),
        |it| analysis.name(it.index()).to_owned(),
    );
    format!(
        "decision {}, round {}: {} from {} against {} in {}; lost {} for {} in {}, expected {:.1} \
         for {:.1}",
        battle.decision,
        battle.round,
        analysis.name(battle.attacker.index()),
        analysis.territory(battle.from),
        against,
        analysis.territory(battle.to),
        battle.lost.real,
        battle.killed.real,
        counted(battle.rounds, "round"),
        battle.lost.expected,
        battle.killed.expected,
    )
}

/// The width of a column of winning chances.
const COLUMN: usize = 9;

fn chances(analysis: &Analysis<'_>, course: &ChanceHistory, paint: Paint) -> Vec<String> {
    let games = counted(course.games, "game");
    let title = format!(
        "chance of winning, from {games} by {} at each moment",
        course.bot
    );
    let mut lines = vec![paint.rule(&title)];
    let seats = analysis.header.players.len();
    let table = paint.width >= 9 + COLUMN * seats;
    if table {
        let (_, names) = name_column("", analysis.names(), COLUMN - 2);
        let right = |name: &String| {
            let name = name.trim_end();
            " ".repeat(COLUMN - columns(name)) + name
        };
        let heads: String = names.iter().map(right).collect();
        lines.push(paint.dim(&format!("  {:>7}{heads}", "round")));
    }
    for (moment, chances) in &course.moments {
        let percent = |share: &f64| format!("{:.1}%", 100.0 * share);
        if table {
            let shares = chances.shares.iter();
            let shares: String = shares
                .map(|it| format!("{:>COLUMN$}", percent(it)))
                .collect();
            lines.push(format!("  {:>7}{shares}", moment.round));
        } else {
            let shares = analysis.names().zip(&chances.shares);
            let shares = shares.map(|(name, share)| format!("{name} {}", percent(share)));
            let text = shares.collect::<Vec<_>>().join("  ");
            lines.extend(paint.hang(&format!("  {:>3}  ", moment.round), &text));
        }
    }
    lines
}

fn costly(
    analysis: &Analysis<'_>,
    course: &ChanceHistory,
    looked_at: usize,
    judged: &[JudgedDecision],
    paint: Paint,
) -> Vec<String> {
    let mut lines = Vec::new();
    let points = |share: f64| 100.0 * share;
    for decision in judged.iter().filter(|it| it.cost() > 0.0) {
        let text = format!(
            "points (± {:.1}): decision {}, round {}: {} {}, but {} {}; chance {:.1}% instead \
             of {:.1}%",
            points(decision.error),
            decision.decision,
            decision.round,
            analysis.name(decision.player.index()),
            analysis.sentence(&decision.taken_sentence),
            course.name,
            analysis.sentence(&decision.instead_sentence),
            points(decision.chance_taken),
            points(decision.chance_instead),
        );
        let head = format!("  {:>6.1}  ", points(decision.cost()));
        lines.extend(paint.hang(&head, &text));
    }
    let looked_at = counted(looked_at, "decision");
    let caption = if lines.is_empty() {
        format!("none of {looked_at} lowered the chance of winning")
    } else {
        format!("of {looked_at} judged; ± is the standard error")
    };
    lines.extend(paint.indented(&caption));
    lines
}

/// The maximum number of lucky fights, of unlucky fights and of costly decisions on a page.
const MARKED: usize = 3;
/// The minimum luck of a marked fight, in armies.
const NOTABLE: f64 = 1.5;

/// Returns the chances and turning points for the page of the game: at each moment the number of
/// answers and the players' chances in percent, and marks with their decisions.
#[must_use]
pub fn for_page(analysis: &Analysis<'_>, course: &ChanceHistory) -> Value {
    let at = course.moments.iter().map(|(moment, chances)| {
        let shares = chances.shares.iter().map(|share| round(100.0 * share));
        let answers = json!(moment.answers);
        Value::Array(
            [answers]
                .into_iter()
                .chain(shares.map(Value::from))
                .collect(),
        )
    });
    let judged = course.costly.iter().flat_map(|(_, judged)| judged);
    let choices = judged.filter(|it| it.cost() > 0.0).take(MARKED).map(|it| {
        let name = analysis.name(it.player.index());
        let text = format!(
            "{name} {}, but {} {}: {:.0}% instead of {:.0}% to win",
            analysis.sentence(&it.taken_sentence),
            course.name,
            analysis.sentence(&it.instead_sentence),
            100.0 * it.chance_taken,
            100.0 * it.chance_instead,
        );
        json!({ "answers": it.decision, "seat": it.player.index(), "kind": "choice", "text": text })
    });
    let signs = [1.0, -1.0].into_iter();
    let dice = signs.flat_map(|sign| extreme(analysis.luck, sign, NOTABLE, MARKED));
    let dice = dice.map(|battle| {
        let text = format!(
            "dice of {} from {} in {}: {} armies against the average",
            analysis.name(battle.attacker.index()),
            analysis.territory(battle.from),
            analysis.territory(battle.to),
            signed(battle.luck(), 1),
        );
        let seat = battle.attacker.index();
        json!({ "answers": battle.decision, "seat": seat, "kind": "dice", "text": text })
    });
    json!({
        "games": course.games,
        "at": at.collect::<Vec<_>>(),
        "marks": choices.chain(dice).collect::<Vec<_>>(),
    })
}

fn losses(losses: LossTotals) -> Value {
    json!({ "real": losses.real, "expected": round(losses.expected) })
}

/// Returns the analysis as one JSON document.
#[must_use]
pub fn document(analysis: &Analysis<'_>) -> Value {
    let header = analysis.header;
    let luck = analysis.luck;
    let players = luck.players();
    let players = header.players.iter().zip(&players).map(|(seat, player)| {
        json!({
            "seat": seat.seat,
            "name": seat.name,
            "bot": seat.bot,
            "attacks": player.attacks,
            "defences": player.defences,
            "lost": losses(player.lost),
            "killed": losses(player.killed),
            "luck": round(player.luck()),
        })
    });
    let fights = luck.battles.iter().map(|battle| {
        json!({
            "decision": battle.decision,
            "round": battle.round,
            "turn": battle.turn,
            "attacker": battle.attacker.index() + 1,
            "defender": battle.defender.map(|it| it.index() + 1),
            "from": analysis.board.info(battle.from).id,
            "to": analysis.board.info(battle.to).id,
            "rounds": battle.rounds,
            "lost": losses(battle.lost),
            "killed": losses(battle.killed),
            "luck": round(battle.luck()),
        })
    });
    let unknown = luck.unknown.iter();
    let unknown = unknown.map(|(reason, count)| json!({ "reason": reason, "rounds": count }));
    let winners = analysis.winners.map(|it| {
        let seats = it.iter().map(|winner| winner.index() + 1);
        seats.collect::<Vec<_>>()
    });
    json!({
        "type": "analysis",
        "format": FORMAT,
        "ruleset": header.ruleset,
        "map": header.map,
        "seed": header.seed,
        "game": header.game,
        "winners": winners,
        "players": players.collect::<Vec<_>>(),
        "fights": fights.collect::<Vec<_>>(),
        "left_out": unknown.collect::<Vec<_>>(),
        "chances": analysis.course.map(course),
    })
}

fn course(course: &ChanceHistory) -> Value {
    let moments = course.moments.iter().map(|(moment, chances)| {
        json!({
            "decision": moment.answers + 1,
            "round": moment.round,
            "turn": moment.turn,
            "shares": chances.shares.iter().map(|&share| round(share)).collect::<Vec<_>>(),
            "nobody": round(chances.nobody),
        })
    });
    json!({
        "bot": course.bot,
        "seed": course.seed,
        "games": course.games,
        "moments": moments.collect::<Vec<_>>(),
        "decisions": course.costly.as_ref().map(|(looked_at, judged)| {
            let judged = judged.iter().map(decision);
            json!({ "judged": looked_at, "costliest": judged.collect::<Vec<_>>() })
        }),
    })
}

fn decision(decision: &JudgedDecision) -> Value {
    json!({
        "decision": decision.decision,
        "round": decision.round,
        "seat": decision.player.index() + 1,
        "taken": decision.taken,
        "instead": decision.instead,
        "chance_taken": round(decision.chance_taken),
        "chance_instead": round(decision.chance_instead),
        "cost": round(decision.cost()),
        "error": round(decision.error),
        "games": decision.games,
    })
}
