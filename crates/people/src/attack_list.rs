//! The list of possible attacks, as text for a person.

use super::attacks::{self, AttackOption};
use super::scene::{Scene, percent};
use risk_bots::fight_odds::FightOdds;
use risk_kernel::id::Territory;
use risk_text::paint::pad;

impl Scene<'_> {
    /// Formats the possible attacks, likeliest first, with their chances if the ruleset provides
    /// them.
    pub(super) fn attacks(&self, chances: &mut FightOdds, most: usize) -> Vec<String> {
        let attacks = attacks::attacks(self.view, self.options, chances);
        self.listed(attacks, most)
    }

    /// Formats the possible attacks, or else those that would be possible if a phase for attacks
    /// came now.
    pub(super) fn attacks_or_coming(&self, chances: &mut FightOdds) -> Result<Vec<String>, String> {
        let lines = self.attacks(chances, usize::MAX);
        if !lines.is_empty() {
            return Ok(lines);
        }
        // Before the first round, territories are claimed.
        let is_set_up = self.view.round() > 0;
        let coming = is_set_up.then(|| attacks::coming(self.view, chances));
        let coming = coming.unwrap_or_default();
        if coming.is_empty() {
            return Err("no attack is possible now".to_owned());
        }
        let head = "  none now; with the present armies, a phase for attacks would offer:";
        let mut lines = vec![self.paint.dim(head)];
        lines.extend(self.listed(coming, usize::MAX));
        Ok(lines)
    }

    fn listed(&self, mut attacks: Vec<AttackOption>, most: usize) -> Vec<String> {
        attacks.sort_by(|one, other| {
            let chance = |it: &AttackOption| it.chance.unwrap_or(-1.0);
            let surplus = |it: &AttackOption| it.armies - it.defenders;
            chance(other)
                .total_cmp(&chance(one))
                .then(match one.chance.or(other.chance) {
                    None => surplus(other).cmp(&surplus(one)),
                    Some(_) => std::cmp::Ordering::Equal,
                })
                .then(one.from.cmp(&other.from))
                .then(one.to.cmp(&other.to))
        });
        let count = attacks.len();
        let named = self.are_named(&attacks);
        let info = |at: Territory| self.view.board().info(at).id.as_str();
        let width = (self.paint.width.saturating_sub(26) / 2).clamp(10, 22);
        let line = |attack: &AttackOption| {
            let chance = attack.chance.map_or_else(String::new, percent);
            let owner = self.view.owner(attack.to);
            let to = pad(info(attack.to), width);
            let to = owner.map_or_else(|| to.clone(), |it| self.paint.seat(it.index(), &to));
            let verb = attack.verb.filter(|_| named);
            let verb = verb.map(|verb| &self.view.decl().verbs[verb.index()].name);
            let verb = verb.map_or_else(String::new, |verb| format!("{} ", pad(verb, 9)));
            let line = format!(
                "  {verb}{} → {to} {:>4} v {:<4} {chance:>5}",
                pad(info(attack.from), width),
                attack.shown[0],
                attack.shown[1],
            );
            line.trim_end().to_owned()
        };
        let mut lines: Vec<String> = attacks.iter().take(most).map(line).collect();
        let mut shown = attacks.iter().take(most).flat_map(|attack| &attack.shown);
        if let Some(shown) = shown.find(|shown| shown.contains('+')) {
            let text = format!("  {shown}: units of several kinds, which `look` lists");
            lines.push(self.paint.dim(&text));
        }
        if count > most {
            let text = format!("  and {} more: type `attacks` to list all", count - most);
            lines.push(self.paint.dim(&text));
        }
        lines
    }

    /// Reports whether a list of attacks names their verbs, which a list of `attack` doesn't.
    fn are_named(&self, attacks: &[AttackOption]) -> bool {
        let decl = self.view.decl();
        attacks
            .iter()
            .filter_map(|attack| attack.verb)
            .any(|verb| decl.verbs[verb.index()].name != "attack")
    }
}
