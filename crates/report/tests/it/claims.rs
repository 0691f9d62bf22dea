//! The claims of a story's lines, held against the facts of the game's events.

use risk_kernel::action::Action;
use risk_kernel::declare::SlotKind;
use risk_kernel::id::{Player, Territory, Unit};
use risk_kernel::state::GameState;
use risk_kernel::words::Words;
use risk_text::paint::cut;

use crate::asides::Said;
use crate::ledger::{Fight, Roll, Round, noun};

/// The lines of one round, and the facts that they have not told yet.
#[derive(Clone)]
pub(crate) struct Claims<'a> {
    pub(crate) game: &'a GameState,
    pub(crate) names: &'a [String],
    pub(crate) facts: Round,
    /// The player whose name was written last.
    pub(crate) player: Option<Player>,
    /// Whether a line about the game came last, so that the name may be written again.
    after_remark: bool,
    next_fight: usize,
    /// The losses by kind that the line after a fight must tell.
    kinds: Option<String>,
}

/// Some rounds of a fight that one line may tell, and the moves that it includes.
struct Told {
    rounds: usize,
    moves: Vec<usize>,
    /// The forces, for example `5 v 3`.
    forces: String,
    losses: [i32; 2],
    by_kind: Option<String>,
    /// The losses by kind of the defender.
    hits: String,
    outcome: String,
    dice: Vec<Roll>,
}

pub(crate) fn number(text: &str) -> Option<(i64, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// Formats dice as `65|4`, the highest first.
fn dice(roll: &Roll) -> String {
    let sorted = |dice: &[u8]| {
        let mut dice = dice.to_vec();
        dice.sort_unstable_by(|a, b| b.cmp(a));
        dice.iter().map(u8::to_string).collect::<String>()
    };
    format!("{}|{}", sorted(&roll.0), sorted(&roll.1))
}

/// Reports whether a text tells these rolls: all of them, or the first and the number of the rest.
fn tells_dice(text: &str, rolls: &[Roll]) -> bool {
    let (shown, more) = match text.split_once('…') {
        Some((shown, more)) => match more.trim().strip_prefix('+').map(str::parse) {
            Some(Ok(more)) => (shown, more),
            _ => return false,
        },
        None => (text, 0),
    };
    let shown: Vec<&str> = shown.split_whitespace().collect();
    let known: Vec<String> = rolls.iter().map(dice).collect();
    shown.len() + more == known.len() && shown.iter().zip(&known).all(|(a, b)| a == b)
}

/// Reports whether a shown name, which may be cut, is this name.
fn shows(shown: &str, name: &str) -> bool {
    match shown.strip_suffix('…') {
        Some(start) => name.starts_with(start),
        None => shown == name,
    }
}

impl<'a> Claims<'a> {
    pub(crate) fn new(game: &'a GameState, names: &'a [String], facts: Round) -> Self {
        Self {
            game,
            names,
            facts,
            player: None,
            after_remark: false,
            next_fight: 0,
            kinds: None,
        }
    }

    /// Holds a line of a round against the facts.
    pub(crate) fn hold(&mut self, line: &str) -> bool {
        if let Some(kinds) = self.kinds.take() {
            return line.trim_start() == kinds && line.starts_with("      ");
        }
        if let Some(name) = line.strip_prefix("● ") {
            let seat = self.names.iter().position(|known| known == name);
            let player = seat.map(Player::from_index);
            let changed = player != self.player || self.after_remark;
            self.player = player;
            self.after_remark = false;
            return player.is_some() && changed;
        }
        if let Some(text) = line.strip_prefix("    ") {
            self.after_remark = false;
            return self.player.is_some_and(|player| self.line_of(player, text));
        }
        self.after_remark = true;
        line.strip_prefix("  ")
            .is_some_and(|text| self.remark(text))
    }

    /// Lists what no line has told.
    pub(crate) fn left(&self) -> Vec<String> {
        let facts = &self.facts;
        let mut left = Vec::new();
        for fight in &facts.fights[self.next_fight..] {
            left.push(format!("{fight:?}"));
        }
        left.extend(
            facts
                .moves
                .iter()
                .filter(|it| !it.told)
                .map(|it| format!("{it:?}")),
        );
        left.extend(facts.captures.iter().map(|it| format!("{it:?}")));
        left.extend(facts.texts.iter().map(|it| format!("{it:?}")));
        // Changes that cancel each other need no line.
        for change in facts.changes.iter().filter(|it| !it.told) {
            let same = |other: &&crate::ledger::Change| {
                !other.told && (other.at, other.unit) == (change.at, change.unit)
            };
            let all = facts.changes.iter().filter(same);
            if all.map(|it| it.now - it.before).sum::<i32>() != 0 {
                left.push(format!("{change:?}"));
            }
        }
        for owner in facts.owners.iter().filter(|it| !it.told) {
            let mut all = facts
                .owners
                .iter()
                .filter(|it| !it.told && it.at == owner.at);
            let first = all.next().unwrap();
            let last = all.next_back().unwrap_or(first);
            // The line of a move says that its territory is left.
            if first.from != last.to && !facts.is_left(last) {
                left.push(format!("{owner:?}"));
            }
        }
        left.extend(self.kinds.clone());
        left
    }

    pub(crate) fn take_message(&mut self, player: Option<Player>, text: &str) -> bool {
        let texts = &mut self.facts.texts;
        let found = texts
            .iter()
            .position(|(of, known)| *of == player && known == text);
        found.map(|index| texts.remove(index)).is_some()
    }

    fn remark(&mut self, text: &str) -> bool {
        if self.take_text(None, text) || self.is_title(text) {
            return true;
        }
        if let Some(rest) = text.strip_prefix("set-up: ") {
            return self.set_up(rest);
        }
        self.attempt(|all| all.effects(text, None))
    }

    fn set_up(&self, text: &str) -> bool {
        let units = if self.game.decl().units.len() == 1 {
            [1, 2].map(|count| noun(self.game, Unit::FIRST, count))
        } else {
            ["unit", "units"].map(str::to_owned)
        };
        let counted = |count: i64, [one, many]: [&str; 2]| {
            format!("{count} {}", if count == 1 { one } else { many })
        };
        let mut rows = self.names.iter().zip(&self.facts.set_up);
        rows.any(|(name, &[claimed, placed])| {
            let mut parts = Vec::new();
            if claimed > 0 {
                let land = counted(claimed, ["territory", "territories"]);
                parts.push(format!("claims {land}"));
            }
            if placed > 0 {
                parts.push(format!(
                    "places {}",
                    counted(placed, units.each_ref().map(String::as_str))
                ));
            }
            text == format!("{name} {}", parts.join(" and "))
        })
    }

    /// Tries a reading, and forgets what it took if it fails.
    pub(crate) fn attempt(&mut self, read: impl FnOnce(&mut Self) -> bool) -> bool {
        let mut copy = self.clone();
        let holds = read(&mut copy);
        if holds {
            *self = copy;
        }
        holds
    }

    fn line_of(&mut self, player: Player, text: &str) -> bool {
        let heads = ["attack", "armies", "losses", "land"];
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.starts_with(&heads) {
            return words.len() == 4 || words[4..] == ["dice"];
        }
        self.take_text(Some(player), text)
            || text.starts_with('+') && self.attempt(|all| all.placed(player, &text[1..]))
            || self.attempt(|all| all.table(player, text))
            || self.attempt(|all| all.list(player, text))
            || self.attempt(|all| all.sentence(player, text))
            || self.attempt(|all| all.volley(player, text))
            || self.attempt(|all| all.plain(player, text))
            || self.attempt(|all| all.effects(text, Some(player)))
    }

    /// Splits the name of a territory off.
    pub(crate) fn place<'t>(&self, text: &'t str) -> Option<(Territory, &'t str)> {
        let board = self.game.board();
        let all = board.territories().filter_map(|at| {
            let name = cut(&board.info(at).name, 24);
            let rest = text.strip_prefix(&name)?;
            let ends = rest.chars().next().is_none_or(|c| !c.is_alphanumeric());
            ends.then_some((name.len(), at, rest))
        });
        let (_, at, rest) = all.max_by_key(|found| found.0)?;
        Some((at, rest))
    }

    pub(crate) fn name(&self, at: Territory) -> &str {
        &self.game.board().info(at).name
    }

    /// Splits a number of units and their noun off. Without a noun, the kind is the only one.
    pub(crate) fn units<'t>(&self, text: &'t str) -> Option<(i64, Unit, &'t str)> {
        let (count, rest) = number(text)?;
        let kinds = self.game.decl().units.len();
        if kinds == 1 {
            return Some((count, Unit::FIRST, rest));
        }
        (0..kinds).map(Unit::from_index).find_map(|unit| {
            let noun = format!(" {}", noun(self.game, unit, count));
            let rest = rest.strip_prefix(&noun)?;
            let ends = rest.chars().next().is_none_or(|c| !c.is_alphanumeric());
            ends.then_some((count, unit, rest))
        })
    }

    /// Reads `5 in A` or `5: 3 in A, 2 in B`.
    fn placed(&mut self, player: Player, text: &str) -> bool {
        let Some((sum, unit, rest)) = self.units(text) else {
            return false;
        };
        if let Some(rest) = rest.strip_prefix(" in ") {
            let at = self.place(rest).filter(|found| found.1.is_empty());
            return at.is_some_and(|(at, _)| self.gained(player, at, unit, sum));
        }
        let Some(mut rest) = rest.strip_prefix(": ") else {
            return false;
        };
        let mut left = sum;
        loop {
            let Some((count, behind)) = number(rest) else {
                return false;
            };
            let Some((at, behind)) = behind.strip_prefix(" in ").and_then(|it| self.place(it))
            else {
                return false;
            };
            left -= count;
            if !self.gained(player, at, unit, count) {
                return false;
            }
            match behind.strip_prefix(", ") {
                Some(next) => rest = next,
                None => return behind.is_empty() && left == 0,
            }
        }
    }

    fn gained(&mut self, player: Player, at: Territory, unit: Unit, sum: i64) -> bool {
        let mut left = sum;
        for change in &mut self.facts.changes {
            let gain = i64::from(change.now - change.before);
            let fits = (change.at, change.unit, change.owner) == (at, unit, Some(player));
            if fits && !change.told && gain > 0 && left >= gain {
                change.told = true;
                left -= gain;
            }
            if left == 0 {
                return true;
            }
        }
        false
    }

    /// Returns what a line about the next fight may tell.
    fn next_fights(&self, player: Player) -> Vec<Told> {
        let fights = &self.facts.fights[self.next_fight..];
        let Some(first) = fights.first().filter(|first| first.player == player) else {
            return Vec::new();
        };
        let lands = (first.round.from, first.round.to);
        let mut all = Vec::new();
        for rounds in 1..=fights.len() {
            let last = &fights[rounds - 1];
            let same = (last.round.from, last.round.to) == lands && last.player == player;
            if !same || (rounds > 1 && last.dice.is_empty()) {
                break;
            }
            all.extend(self.readings(&fights[..rounds]));
            if last.taken.is_some() {
                break;
            }
        }
        all
    }

    /// Returns how one line may tell these rounds: with the first of the moves that follow.
    fn readings(&self, fights: &[Fight]) -> Vec<Told> {
        let last = fights.last().unwrap();
        let lands = (last.round.from, last.round.to);
        let after = self.next_fight + fights.len();
        let moves = self.facts.moves.iter().enumerate();
        let moves: Vec<(usize, i32)> = moves
            .filter(|(_, it)| !it.told && it.fights == after && (it.from, it.to) == lands)
            .map(|(index, it)| (index, it.count))
            .collect();
        let most = if last.taken.is_some() { moves.len() } else { 0 };
        (0..=most)
            .map(|used| {
                let moved: i32 = moves[..used].iter().map(|it| it.1).sum();
                let mut told = self.told(fights);
                told.moves = moves[..used].iter().map(|it| it.0).collect();
                told.outcome = match last.taken {
                    Some(with) => format!("taken, {} in", with + moved),
                    None if last.emptied => "emptied".to_owned(),
                    None => "held".to_owned(),
                };
                told
            })
            .collect()
    }

    fn told(&self, fights: &[Fight]) -> Told {
        let dice: Vec<Roll> = fights.iter().flat_map(|it| it.dice.clone()).collect();
        let first = fights[0].round;
        let forces = if dice.is_empty() && first.attackers < first.standing {
            format!(
                "{} of {} v {}",
                first.attackers, first.standing, first.defenders
            )
        } else {
            format!("{} v {}", first.standing, first.defenders)
        };
        let sum = |of: fn(&Fight) -> i32| fights.iter().map(of).sum::<i32>();
        let losses = [
            sum(|fight| fight.round.attacker_lost),
            sum(|fight| fight.round.defender_lost),
        ];
        let kinds = [0, 1].map(|side| {
            let kinds = (0..self.game.decl().units.len()).map(Unit::from_index);
            let sums = kinds.map(|unit| {
                let all = fights.iter().flat_map(|fight| &fight.losses[side]);
                let of_kind = all.filter(|loss| loss.0 == unit);
                (unit, of_kind.map(|loss| loss.1).sum::<i32>())
            });
            sums.filter(|sum| sum.1 > 0).collect::<Vec<_>>()
        });
        let text = |kinds: &[(Unit, i32)]| {
            let parts: Vec<String> = kinds
                .iter()
                .map(|&(unit, count)| format!("{count} {}", noun(self.game, unit, count.into())))
                .collect();
            parts.join(", ")
        };
        let complete = [0, 1].map(|side| kinds[side].iter().map(|kind| kind.1).sum::<i32>());
        let others = kinds.iter().flatten().any(|kind| kind.0 != Unit::FIRST);
        let [lost, killed] = [0, 1].map(|side| match text(&kinds[side]) {
            none if none.is_empty() => "nothing".to_owned(),
            some => match some.rsplit_once(", ") {
                Some((first, last)) => format!("{first} and {last}"),
                None => some,
            },
        });
        Told {
            rounds: fights.len(),
            moves: Vec::new(),
            forces,
            losses,
            by_kind: (others && complete == losses).then(|| format!("loses {lost} for {killed}")),
            hits: text(&kinds[1]),
            outcome: String::new(),
            dice,
        }
    }

    /// Takes the first reading that holds.
    fn take_fight(&mut self, player: Player, holds: impl Fn(&Told) -> bool) -> Option<Told> {
        let told = self.next_fights(player).into_iter().find(|it| holds(it))?;
        self.next_fight += told.rounds;
        for &index in &told.moves {
            self.facts.moves[index].told = true;
        }
        Some(told)
    }

    /// Reads a fight in columns.
    fn table(&mut self, player: Player, text: &str) -> bool {
        let Some(fight) = self.facts.fights.get(self.next_fight) else {
            return false;
        };
        let [from, to] = [fight.round.from, fight.round.to].map(|at| self.name(at).to_owned());
        let Some((left, right)) = text.split_once(" → ") else {
            return false;
        };
        let cut = right
            .find('…')
            .map(|at| right.split_at(at + '…'.len_utf8()));
        let short = cut.filter(|cut| shows(cut.0, &to)).map(|cut| cut.1);
        let Some(rest) = right.strip_prefix(&to).or(short) else {
            return false;
        };
        let words: Vec<&str> = rest.split_whitespace().collect();
        let rest = words.join(" ");
        let found = self.take_fight(player, |told| {
            let [lost, killed] = told.losses;
            let head = format!("{} −{lost} −{killed} {}", told.forces, told.outcome);
            let dice = rest.strip_prefix(&head);
            dice.is_some_and(|dice| tells_dice(dice, &told.dice))
        });
        let Some(told) = found.filter(|_| shows(left, &from)) else {
            return false;
        };
        self.kinds = told.by_kind;
        true
    }

    /// Reads the outcome of a fight after the sentence of its action.
    fn outcome(&mut self, player: Player, text: &str) -> bool {
        let found = self.take_fight(player, |told| {
            let [lost, killed] = told.losses;
            let losses = told.by_kind.clone();
            let losses = losses.unwrap_or_else(|| match told.losses {
                [0, 0] => "no losses".to_owned(),
                _ => format!("loses {lost} for {killed}"),
            });
            let head = format!("{}, {losses}, {}", told.forces, told.outcome);
            match text.strip_prefix(&head) {
                Some("") => told.dice.is_empty(),
                Some(rest) => rest
                    .strip_prefix(", dice ")
                    .is_some_and(|dice| tells_dice(dice, &told.dice)),
                None => false,
            }
        });
        found.is_some()
    }

    /// Reads the dice and the hits of an attack that nobody answers.
    fn hits(&mut self, player: Player, text: &str) -> bool {
        let found = self.take_fight(player, |told| {
            let dice = told.dice.iter().flat_map(|roll| &roll.0);
            let dice: Vec<String> = dice.map(u8::to_string).collect();
            let alone = told.dice.iter().all(|roll| roll.1.is_empty());
            let killed = told.losses[1];
            let mut result = match (told.hits.as_str(), killed) {
                ("", 0) => "no hit".to_owned(),
                ("", 1) => "1 hit".to_owned(),
                ("", _) => format!("{killed} hits"),
                (hits, _) => format!("hits {hits}"),
            };
            if told.outcome != "held" {
                result = format!("{result}, {}", told.outcome);
            }
            let expected = format!("{}: {result}", dice.join(" "));
            alone && !dice.is_empty() && told.losses[0] == 0 && text == expected
        });
        found.is_some()
    }

    /// Reads `attacks B from A with 5 3: 1 hit`.
    fn volley(&mut self, player: Player, text: &str) -> bool {
        let Some(fight) = self.facts.fights.get(self.next_fight) else {
            return false;
        };
        let [from, to] = [fight.round.from, fight.round.to].map(|at| cut(self.name(at), 24));
        let rest = text.strip_prefix(&format!("attacks {to} from {from} with "));
        rest.is_some_and(|rest| self.hits(player, rest))
    }

    /// Returns the sentences of the player's actions that have not been told, the longest first,
    /// with the action as ordered and as executed: it may have moved fewer units.
    fn sentences(&self, player: Player) -> Vec<Said> {
        let words = Words::new(self.game.board(), self.game.decl());
        let name = |player: Player| self.names[player.index()].clone();
        let mut all = Vec::new();
        for &(of, order) in &self.facts.orders {
            if of != player {
                continue;
            }
            let mut add = |done: Action| {
                let text = words.sentence_by(done, &name);
                let said = Said::new(text, order, done);
                all.extend(said.with_kinds(self.game));
                all.push(said);
            };
            add(order);
            let slots = &self.game.decl().verbs[order.verb.index()].slots;
            let counts = slots.iter().filter(|slot| slot.1 == SlotKind::Count);
            if counts.count() != 1 {
                continue;
            }
            for moved in self.facts.moves.iter().filter(|moved| !moved.told) {
                let mut args = order.args().to_vec();
                let slot = slots.iter().position(|slot| slot.1 == SlotKind::Count);
                let armies = &mut args[slot.unwrap()];
                if moved.count < *armies {
                    *armies = moved.count;
                    add(Action::new(order.verb, &args));
                }
            }
        }
        all.sort_by_key(|said| (std::cmp::Reverse(said.text.len()), said.order != said.done));
        all
    }

    /// Reads secret answers: sentences with semicolons.
    fn list(&mut self, player: Player, text: &str) -> bool {
        text.contains("; ")
            && text.split("; ").all(|part| {
                let found = self.sentences(player).into_iter();
                let mut found = found.filter(|it| it.order == it.done && it.unit.is_none());
                let found = found.find(|it| it.text == part);
                found.is_some_and(|said| self.take_order(player, said.order))
            })
    }

    fn take_order(&mut self, player: Player, action: Action) -> bool {
        let orders = &mut self.facts.orders;
        let found = orders.iter().position(|order| *order == (player, action));
        found.map(|index| orders.remove(index)).is_some()
    }

    /// Reads the sentence of an action, and what came of it.
    fn sentence(&mut self, player: Player, text: &str) -> bool {
        for said in self.sentences(player) {
            let Some(rest) = text.strip_prefix(&said.text) else {
                continue;
            };
            let holds = self.attempt(|all| {
                if !all.moved_by(&said) || !all.take_order(player, said.order) {
                    return false;
                }
                let Some(rest) = all.asides(&said, rest) else {
                    return false;
                };
                if rest.is_empty() {
                    return true;
                }
                if let Some(rest) = rest.strip_prefix(" with ") {
                    return all.hits(player, rest);
                }
                let Some(rest) = rest.strip_prefix(": ") else {
                    return false;
                };
                all.attempt(|all| all.outcome(player, rest)) || all.effects(rest, Some(player))
            });
            if holds {
                return true;
            }
        }
        false
    }
}
