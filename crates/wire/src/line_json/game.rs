//! The description of a game, which is sent once.

use std::collections::BTreeMap;

use serde_json::Value;

use super::message::{
    BorderOut, CardOut, Game, GroupOut, Map, ParameterOut, StepOut, TerritoryOut, VerbOut,
};
use super::offers::Lexicon;
use risk_kernel::board::Datum;
use risk_kernel::borders::{BorderInfo, Holding};
use risk_kernel::declare::{CardInfo, VerbInfo};
use risk_kernel::groups::{BonusStep, GroupInfo};
use risk_kernel::id::{Group, Territory};
use risk_kernel::view::View;
use risk_kernel::words::kind_word;

/// Describes a game, except for its number and the bot's seed.
pub(super) fn game<'a>(lexicon: Lexicon<'a>, view: &View, players: &'a [String]) -> Game<'a> {
    let decl = lexicon.decl;
    let names = |all: &'a [risk_kernel::declare::CounterDecl]| {
        all.iter().map(|info| info.name.as_str()).collect()
    };
    Game {
        game: 0,
        resumed: false,
        seed: 0,
        stream: None,
        state: None,
        clock: None,
        ruleset: &decl.name,
        rules: &decl.sentences.rules,
        options: values(&decl.options),
        players,
        you: view.me().index(),
        map: lexicon.map(),
        verbs: decl.verbs.iter().map(verb).collect(),
        phases: decl
            .phases
            .iter()
            .filter(|phase| phase.asks)
            .map(|phase| phase.name.as_str())
            .collect(),
        units: &decl.units,
        counters: names(&decl.counters),
        marks: (decl.marks.iter()).map(|mark| mark.name.as_str()).collect(),
        piles: names(&decl.piles),
        cards: decl
            .cards
            .iter()
            .map(|card| lexicon.card_info(card))
            .collect(),
    }
}

fn verb(info: &VerbInfo) -> VerbOut<'_> {
    let parameters = info.slots.iter().map(|(name, kind)| ParameterOut {
        name,
        kind: kind_word(*kind),
    });
    VerbOut {
        name: &info.name,
        parameters: parameters.collect(),
    }
}

impl<'a> Lexicon<'a> {
    fn map(self) -> Map<'a> {
        let board = self.board;
        let count = board.continents().len();
        let all = board.groups().iter().enumerate();
        let mut continents: Vec<GroupOut<'_>> = all
            .map(|(index, info)| group(info, index >= count))
            .collect();
        let groups = continents.split_off(count);
        Map {
            name: board.name(),
            data: values(board.data()),
            territories: board.territories().map(|at| self.territory(at)).collect(),
            continents,
            groups,
        }
    }

    fn territory(self, at: Territory) -> TerritoryOut<'a> {
        let info = self.board.info(at);
        TerritoryOut {
            id: &info.id,
            name: &info.name,
            continent: info.continent.map(|continent| continent.index()),
            borders: self
                .board
                .neighbours(at)
                .iter()
                .map(|next| next.index())
                .collect(),
            special: (self.board.neighbours(at).iter())
                .filter_map(|&to| Some(border(to, self.board.border(at, to)?)))
                .collect(),
            each_turn: some(info.each_turn),
            deploys: info.deploys.map(Territory::index),
            strength: some(info.strength),
            neutral: some(info.neutral),
            resets: some(info.resets),
            data: values(&info.data),
        }
    }

    fn card_info(self, card: &'a CardInfo) -> CardOut<'a> {
        let kind = usize::try_from(card.kind).ok();
        CardOut {
            name: &card.name,
            title: card.title.as_deref(),
            tell: card.tell.as_deref(),
            kind: kind.and_then(|kind| Some(self.decl.card_kinds.get(kind)?.as_str())),
            territory: card.at.map(|at| at.index()),
            data: values(&card.data),
        }
    }
}

fn border(to: Territory, info: &BorderInfo) -> BorderOut<'_> {
    let (mut open_if_territory, mut open_if_group) = (None, None);
    match info.open_if {
        Some(Holding::Territory(at)) => open_if_territory = Some(at.index()),
        Some(Holding::Group(group)) => open_if_group = Some(group.index()),
        None => {}
    }
    BorderOut {
        to: to.index(),
        kind: info.is_bombard.then_some("bombard"),
        open_if_territory,
        open_if_group,
        strength: some(info.strength),
        data: values(&info.data),
    }
}

/// Describes a group. Only groups that are no continents list their territories.
fn group(info: &GroupInfo, lists_members: bool) -> GroupOut<'_> {
    let numbers = |list: &[Group]| list.iter().map(|it| it.index()).collect();
    let listed = info.territories.iter().filter(|_| lists_members);
    let step = |&BonusStep { needs, bonus }: &BonusStep| StepOut { needs, bonus };
    GroupOut {
        id: &info.id,
        name: &info.name,
        bonus: info.bonus,
        needs: info.needs,
        steps: info.steps.iter().map(step).collect(),
        territories: listed.map(|at| at.index()).collect(),
        groups: numbers(&info.groups),
        overrides: numbers(&info.overrides),
        each_turn: some(info.each_turn),
        deploys: info.deploys.map(Territory::index),
        strength: some(info.strength),
        data: values(&info.data),
    }
}

/// Returns a value unless it is the usual one.
fn some<T: Default + PartialEq>(value: T) -> Option<T> {
    (value != T::default()).then_some(value)
}

fn values(data: &BTreeMap<String, Datum>) -> BTreeMap<&str, Value> {
    let pair = |(key, datum)| (String::as_str(key), value(datum));
    data.iter().map(pair).collect()
}

fn value(datum: &Datum) -> Value {
    match datum {
        Datum::Bool(flag) => (*flag).into(),
        Datum::Number(number) => (*number).into(),
        Datum::Text(text) => text.as_str().into(),
        Datum::List(all) => all.iter().map(value).collect(),
        Datum::Map(all) => serde_json::json!(values(all)),
    }
}
