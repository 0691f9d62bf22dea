//! What others did to a player: lost and held territories.

use risk_engine::acts::{Act, Acts, Effect, Eyes, FightResult};
use risk_kernel::Moment;
use risk_kernel::event::Event;
use risk_kernel::id::{Player, Territory};
use risk_kernel::view::View;

/// The actions of others against a player.
#[derive(Debug, Default)]
pub(super) struct AttackReport {
    acts: Acts,
    /// The lost territories with their new owners.
    lost: Vec<(Territory, Option<Player>)>,
    attacked: Vec<Territory>,
}

impl AttackReport {
    pub(super) fn new(eyes: Eyes) -> Self {
        Self {
            acts: Acts::seen_by(eyes),
            ..Self::default()
        }
    }

    pub(super) fn event(&mut self, moment: Moment<'_>, event: &Event) {
        self.acts.take(moment, event);
        while let Some(act) = self.acts.next_complete() {
            self.take(&act);
        }
    }

    /// Drops what has been noted so far.
    pub(super) fn forget(&mut self) {
        if let Some(act) = self.acts.rest() {
            self.take(&act);
        }
        self.lost.clear();
        self.attacked.clear();
    }

    /// Notes losses to others, and attacks of others. What a player does to the own territories is
    /// no loss.
    fn take(&mut self, act: &Act) {
        let Eyes::Player(me) = self.acts.eyes() else {
            return;
        };
        let is_own = act.action().is_some_and(|(player, _)| player == me);
        for effect in &act.effects {
            match effect {
                Effect::Fight(fight) if fight.against == Some(me) && fight.by != Some(me) => {
                    match fight.result {
                        FightResult::Taken => self.lose(fight.to, fight.by),
                        FightResult::Emptied => self.lose(fight.to, None),
                        FightResult::Held if self.attacked.contains(&fight.to) => {}
                        FightResult::Held => self.attacked.push(fight.to),
                    }
                }
                Effect::Event(Event::Captured(capture)) if capture.loser == Some(me) => {
                    self.lose(capture.to, Some(capture.by));
                }
                // A ruleset may give territories over without a capture.
                &Effect::Event(Event::Owner { at, from, to }) if from == Some(me) && to != from => {
                    match is_own {
                        true => self.attacked.retain(|&attacked| attacked != at),
                        false => self.lose(at, to),
                    }
                }
                _ => {}
            }
        }
    }

    fn lose(&mut self, at: Territory, by: Option<Player>) {
        self.lost.retain(|&(lost, _)| lost != at);
        self.lost.push((at, by));
        self.attacked.retain(|&attacked| attacked != at);
    }

    /// Formats the losses and the defences since the last call as a sentence, if there are any.
    pub(super) fn sentence(&mut self, view: &View, names: &[String]) -> Option<String> {
        if let Some(act) = self.acts.rest() {
            self.take(&act);
        }
        let title = |at: Territory| view.board().info(at).name.clone();
        // Territories may have been retaken, and others may have moved into one that was left
        // without an owner.
        let lost = self.lost.iter().filter(|&&(at, _)| !view.mine(at));
        let lost = lost.map(|&(at, by)| (at, by.or_else(|| view.owner(at))));
        let lost: Vec<(Territory, Option<Player>)> = lost.collect();
        let mut captors: Vec<Option<Player>> = Vec::new();
        for &(_, by) in &lost {
            if !captors.contains(&by) {
                captors.push(by);
            }
        }
        let of = |by: &Option<Player>| {
            let lost = lost.iter().filter(|lost| lost.1 == *by);
            let titles: Vec<String> = lost.map(|lost| title(lost.0)).collect();
            let titles = titles.join(", ");
            by.map_or_else(
                || format!("{titles}, now without an owner"),
                |by| format!("{titles} to {}", names[by.index()]),
            )
        };
        let mut list = String::new();
        for (index, by) in captors.iter().enumerate() {
            let between = match index.checked_sub(1).map(|before| captors[before]) {
                None => "",
                Some(None) => ", and ",
                Some(Some(_)) => " and ",
            };
            list += between;
            list += &of(by);
        }
        let held = self.attacked.iter().filter(|&&at| view.mine(at));
        let held: Vec<String> = held.map(|&at| title(at)).collect();
        let lost = (!list.is_empty()).then(|| format!("you have lost {list}"));
        let held = (!held.is_empty()).then(|| format!("you have held {}", held.join(", ")));
        let parts: Vec<String> = lost.into_iter().chain(held).collect();
        self.forget();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}
