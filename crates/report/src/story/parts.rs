//! The order of the parts of a story: what may go on waits, and everything else follows it.

use std::io::Write;
use std::rc::Rc;

use super::changes::{Changes, now_text, owner_text};
use super::items::{Form, Item, Note, Rank, capture_text, items};
use super::wording::Wording;
use super::{NarratedFight, Pending, Story, fights};
use risk_engine::acts::{Act, Cause, Effect};
use risk_kernel::Moment;
use risk_kernel::action::Action;
use risk_kernel::id::{Phase, Player, Territory};
use risk_kernel::view::is_open;
use risk_text::names::name_column;

impl<W: Write> Story<W> {
    /// Returns the words of the game.
    ///
    /// # Panics
    /// Panics before the first event, when there is nothing to describe.
    pub(super) fn wording(&self) -> Rc<Wording> {
        Rc::clone(self.wording.as_ref().expect("acts come from events"))
    }

    /// Adds a complete act. An attack waits for its defender's answer, and the fight that follows
    /// reports the attack, too.
    pub(super) fn add(&mut self, act: Act) {
        let decl = &self.wording().decl;
        if !matches!(act.cause, Cause::Phase(_)) {
            let ends = act.effects.iter().filter_map(|effect| match effect {
                Effect::Fight(fight) => Some([fight.from, fight.to]),
                _ => None,
            });
            let fights: Vec<[Territory; 2]> = ends.collect();
            self.add_attack(|attack| {
                let mut fights = fights.iter();
                fights.any(|ends| ends.iter().all(|&at| attack.names(decl, at)))
            });
            let [attack, defend] = ["attack", "defend"].map(|verb| decl.verb(verb));
            let verb = act.action().map(|(_, action)| action.verb);
            let phase = act.phase.map(|phase| &decl.phases[phase.index()]);
            // Verbs of a script may have the same names.
            let is_standard = phase.is_some_and(|it| !it.scripted && !it.secret);
            if is_standard && defend.and(verb).is_some() && verb == attack && fights.is_empty() {
                self.attack = Some(act);
                return;
            }
        }
        self.add_told(act, false);
    }

    /// Adds the attack whose defender has answered, or didn't.
    pub(super) fn add_attack(&mut self, is_told: impl FnOnce(&Act) -> bool) {
        if let Some(attack) = self.attack.take() {
            let is_told = is_told(&attack);
            self.add_told(attack, is_told);
        }
    }

    /// Adds an act, which another act reports if `is_told`.
    fn add_told(&mut self, mut act: Act, is_told: bool) {
        let wording = self.wording();
        let is_covered = match act.cause {
            Cause::Turn { .. } => return,
            Cause::Phase(seat) => return self.phase_begins(&wording, act.phase, seat),
            Cause::Rules => false,
            Cause::Answer(player, action) => {
                let phase = act.phase.map(|phase| &wording.decl.phases[phase.index()]);
                if phase.is_some_and(|phase| phase.secret) {
                    self.give(&wording, act.phase, player, action);
                    true
                } else {
                    self.print_given();
                    self.begin_act(player, action);
                    self.follow(&mut act) || is_told
                }
            }
            Cause::Order(player, action) => {
                self.print_given();
                self.orders.execute(player, action);
                // An order is not part of the fight before it.
                if matches!(self.pending, Pending::Fight(_)) {
                    self.flush();
                }
                self.begin_act(player, action);
                false
            }
        };
        for effect in &act.effects {
            self.orders.take(&wording, effect, self.phase);
        }
        let player = act.action().map(|(player, _)| player);
        // In fog, the reason why another player's order came to nothing is hidden.
        let may_hide = matches!(act.cause, Cause::Order(..))
            && self.viewer().is_some()
            && !player.is_some_and(|player| self.is_in_full(player))
            && !is_open(&wording.decl);
        let form = Form {
            in_set_up: self.round == 0,
            is_covered,
            is_brief: player.is_some_and(|player| self.is_brief(player)),
            may_hide,
        };
        let is_of_rules = player.is_none();
        for item in items(&wording, act, form) {
            if is_of_rules && self.has_pending() {
                self.flush();
            }
            self.add_item(item);
        }
        if !is_of_rules && matches!(self.pending, Pending::Nothing) {
            self.flush();
        }
    }

    fn give(&mut self, wording: &Wording, phase: Option<Phase>, player: Player, action: Action) {
        self.flush();
        if self.orders.giving != phase {
            self.print_given();
            self.orders.giving = phase;
        }
        let sentence = wording.decl.sentences.of_verb(action.verb);
        if !(action.args().is_empty() && sentence.is_none()) {
            self.orders.give(player, action);
        }
    }

    /// Ends the pending part unless an answer may go on with it.
    fn begin_act(&mut self, player: Player, action: Action) {
        let goes_on = match &mut self.pending {
            Pending::Nothing => false,
            Pending::Placed(placing) => placing.player == player,
            // One answer after a capture may move more armies in. Later answers are moves.
            Pending::Fight(fight) => {
                let goes_on = !(fight.is_taken() && fight.followed);
                fight.followed = fight.is_taken();
                goes_on
            }
        };
        if !goes_on || action.args().is_empty() {
            self.flush();
        }
    }

    /// Adds the units that follow a capture to its fight. Reports whether there were any.
    fn follow(&mut self, act: &mut Act) -> bool {
        let Pending::Fight(pending) = &mut self.pending else {
            return false;
        };
        let fight = &mut pending.fight;
        let before = fight.moved;
        if pending.followed {
            act.effects.retain(|effect| match effect {
                Effect::Moved(it) if (it.from, it.to) == (fight.from, fight.to) => {
                    fight.moved += it.count;
                    false
                }
                _ => true,
            });
        }
        fight.moved > before
    }

    fn phase_begins(&mut self, wording: &Wording, phase: Option<Phase>, seat: Option<Player>) {
        let Some(phase) = phase else { return };
        if self.orders.giving != Some(phase) {
            self.print_given();
        }
        if self.orders.has_unbooked() {
            self.print_orders();
        }
        let is_secret = wording.decl.phases[phase.index()].secret;
        let title = wording.heading(phase).filter(|_| !is_secret);
        if title.is_some() {
            // What happened before is no part of the new phase.
            self.flush();
        }
        self.phase = Some(phase);
        if let Some(title) = title.filter(|_| self.brief.is_none()) {
            self.heading = Some((seat, title));
        } else if !self.has_pending() && self.changes.is_empty() {
            self.heading = None;
        }
    }

    pub(super) fn turn(&mut self, moment: Moment<'_>, round: u32) {
        self.print_orders();
        self.pause();
        self.heading = None;
        self.print_set_up();
        if std::mem::take(&mut self.begins_part) {
            self.caption = None;
        }
        if round != self.round {
            self.round = round;
            self.shown = None;
            if self.bare {
                return;
            }
            self.line("");
            self.line(&self.paint.rule(&format!("Round {round}")));
            self.standings(moment.facts(), moment.before());
            self.line("");
        }
    }

    fn has_pending(&self) -> bool {
        !matches!(self.pending, Pending::Nothing) || !self.notes.is_empty()
    }

    fn add_item(&mut self, item: Item) {
        match (item, &mut self.pending) {
            (Item::Claimed(player, at), _) => self.set_up_of(player).claim(at),
            (Item::SetUp(placing), _) => self.set_up_of(placing.player).place(placing),
            (Item::Placed(placing), Pending::Placed(known))
                if (known.player, known.unit) == (placing.player, placing.unit) =>
            {
                known.append(placing);
            }
            (Item::Placed(placing), _) => {
                self.flush();
                self.pending = Pending::Placed(placing);
            }
            (Item::Fight(fight), Pending::Fight(known)) if known.goes_on(&fight) => {
                known.fight.append(fight.fight);
            }
            (Item::Fight(fight), _) => {
                self.flush();
                self.pending = Pending::Fight(fight);
            }
            (Item::Captured(capture), _) => {
                self.flush();
                match self.summary(capture.by) {
                    Some(summary) => summary.take(capture.to, None),
                    None => {
                        let text = capture_text(&self.wording(), &capture);
                        self.say(capture.by, &text, Rank::Must);
                    }
                }
            }
            (Item::Took(player, at), _) => {
                if let Some(summary) = self.summary(player) {
                    summary.take(at, None);
                }
            }
            (Item::Line(note), _) => {
                self.flush();
                self.print_note(&note);
            }
            (Item::Note(note), _) => self.notes.push(note),
            (Item::Changes(teller, changes), _) => {
                match self.changes.iter_mut().find(|known| known.0 == teller) {
                    Some(known) => known.1.append(changes),
                    None => self.changes.push((teller, changes)),
                }
            }
        }
    }

    fn print_note(&mut self, note: &Note) {
        match note.player {
            Some(player) => self.say(player, &note.text, note.rank),
            None => self.remark(&note.text),
        }
    }

    /// Writes everything pending: placed armies or a fight, notes, and changes without explanation.
    pub(super) fn flush(&mut self) {
        match std::mem::take(&mut self.pending) {
            Pending::Nothing => {}
            Pending::Placed(placing) => match self.summary(placing.player) {
                Some(summary) => summary.place(&placing),
                None => {
                    let text = placing.text(&self.wording());
                    self.say(placing.player, &text, Rank::Act);
                }
            },
            Pending::Fight(fight) => {
                let is_short = !fight.is_volley() || !fight.is_held();
                match self.summary(fight.player) {
                    Some(summary) if is_short => summary.fight(&fight),
                    _ => self.print_fight(&fight),
                }
            }
        }
        for mut note in std::mem::take(&mut self.notes) {
            // The number after a change that a message covers has no line of its own.
            let wording = self.wording();
            let mut all = self.changes.iter_mut();
            if note.rank == Rank::Said
                && let Some(it) = all.find_map(|(_, it)| it.take_covered(&wording, &note.text))
            {
                note.text += &format!(" ({})", now_text(&it));
            }
            self.print_note(&note);
        }
        for (teller, changes) in std::mem::take(&mut self.changes) {
            self.print_changes(teller, changes);
        }
    }

    fn print_fight(&mut self, fight: &NarratedFight) {
        let wording = self.wording();
        let room = fight.room(&wording, self.caption);
        let lines = fight.lines(&wording, room);
        if fight.has_sentence() {
            for line in lines {
                self.say(fight.player, &line, Rank::Act);
            }
        } else {
            self.named(fight.player);
            if self.paint.width >= fights::NARROW && self.caption != Some(room) {
                let caption = NarratedFight::caption(room, self.paint);
                self.line(&self.paint.dim(&caption));
                self.caption = Some(room);
            }
            for line in lines {
                self.line(&format!("    {line}"));
            }
        }
        if !fight.is_taken() && fight.fight.moved > 0 {
            // Units have gone there although the territory did not change hands.
            let [from, to] = [fight.fight.from, fight.fight.to].map(|at| wording.place(at));
            let text = format!("moves {} from {from} to {to}", fight.fight.moved);
            self.say(fight.player, &text, Rank::Aside);
        }
    }

    /// Writes changes that no action explains.
    fn print_changes(&mut self, teller: Option<Player>, mut changes: Changes) {
        let wording = self.wording();
        if let Some(player) = teller.filter(|&player| self.is_brief(player)) {
            for change in changes.take_owners() {
                if change.to == Some(player) {
                    self.add_item(Item::Took(player, change.at));
                } else {
                    self.say(player, &owner_text(&wording, change, teller), Rank::Must);
                }
            }
        }
        let parts = changes.parts(&wording, teller).join(", ");
        match teller {
            _ if parts.is_empty() => {}
            Some(player) => self.say(player, &parts, Rank::Act),
            None => self.remark(&parts),
        }
    }

    /// Writes the secret answers in the order in which they were given.
    fn print_given(&mut self) {
        let (given, phase) = self.orders.take_given();
        if !given.is_empty() {
            self.print_list(given, phase, Rank::Aside);
        }
    }

    /// Writes the secret answers, and the orders that left the book without effect.
    pub(super) fn print_orders(&mut self) {
        self.print_given();
        let unbooked = self.orders.take_unbooked();
        if !unbooked.is_empty() {
            // They are only what was ordered, so they are under the heading of that phase.
            self.print_list(unbooked, self.orders.stored_in, Rank::Act);
        }
    }

    /// Writes a line of orders for each player.
    fn print_list(&mut self, orders: Vec<(Player, Action)>, phase: Option<Phase>, rank: Rank) {
        self.flush();
        let wording = self.wording();
        let kept = self.heading.take();
        if self.brief.is_none() {
            let title = phase.and_then(|phase| wording.heading(phase));
            let title = title.unwrap_or_else(|| "orders, as they are given".to_owned());
            self.heading = Some((None, title));
        }
        let mut lists: Vec<(Player, Vec<String>)> = Vec::new();
        for (player, action) in orders {
            let text = wording.sentence(action);
            match lists.iter_mut().find(|list| list.0 == player) {
                Some(list) => list.1.push(text),
                None => lists.push((player, vec![text])),
            }
        }
        for (player, list) in lists {
            self.say(player, &list.join("; "), rank);
        }
        self.heading = kept;
    }

    /// Writes a line for each player after its name.
    fn print_each(&mut self, texts: Vec<(Player, String)>) {
        let (_, names) = name_column("", self.names.iter(), self.paint.width / 3);
        for (player, text) in texts.into_iter().filter(|it| !it.1.is_empty()) {
            let name = &names[player.index()];
            let head = self.paint.seat(player.index(), &format!("● {name}"));
            for line in self.paint.hang(&format!("{head}  "), &text) {
                self.line(&line);
            }
            // A later line in full needs its player's name again.
            self.shown = None;
        }
    }

    /// Writes what players did since the last lines, in the short form.
    pub(super) fn print_brief(&mut self) {
        let Some(all) = self.brief.as_mut().map(std::mem::take) else {
            return;
        };
        let texts = all
            .iter()
            .map(|(player, it)| (*player, it.text(&self.wording())));
        self.print_each(texts.collect());
    }

    /// Writes what players claimed and placed since the last lines, for a player at the table.
    pub(super) fn print_claims(&mut self) {
        if self.viewer().is_none() {
            return;
        }
        let all = std::mem::take(&mut self.set_up);
        let texts = all
            .iter()
            .map(|(player, it)| (*player, it.text(&self.wording())));
        self.print_each(texts.collect());
    }

    /// Writes the numbers of what players claimed and placed before the first round.
    pub(super) fn print_set_up(&mut self) {
        for (player, set_up) in std::mem::take(&mut self.set_up) {
            let name = &self.names[player.index()];
            let text = format!("set-up: {name} {}", set_up.counts(&self.wording()));
            self.write_remark(&self.paint.dim(&text));
        }
    }
}
