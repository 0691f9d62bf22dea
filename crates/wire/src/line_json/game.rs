//! The description of a game, which is sent once.

use std::collections::BTreeMap;

use serde_json::Value;

use super::message::{CardOut, ContinentOut, Game, Map, ParameterOut, TerritoryOut, VerbOut};
use super::offers::Lexicon;
use risk_kernel::board::Datum;
use risk_kernel::declare::{CardInfo, VerbInfo};
use risk_kernel::id::Territory;
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
        let continents = board.continents().iter().map(|info| ContinentOut {
            id: &info.id,
            name: &info.name,
            bonus: info.bonus,
        });
        Map {
            name: board.name(),
            territories: board.territories().map(|at| self.territory(at)).collect(),
            continents: continents.collect(),
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
    }
}
