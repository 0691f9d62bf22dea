//! Handles requests.

use serde_json::Value;

use crate::files::OwnFiles;
use crate::game::{OpenGame, rules_failed};
use crate::link::Link;
use crate::messages::{Reply, Request, RulesetEntry};
use crate::replay;
use crate::replies::{MOST_GAMES, PAPER, rendered, text};
use risk_engine::script::manifest::Level;
use risk_engine::script::{BoundRuleset, ScriptLimits};
use risk_engine::{MatchFault, RuleSetup, Setup, Tally, VERSION, Worker, level_bots, load_ruleset};
use risk_kernel::NullSink;
use risk_kernel::odds::MOST_ARMIES;
use risk_maps::files::FileKind;
use risk_maps::lint::Levels;
use risk_report::viewer::timeline::Cursor;
use risk_report::{json, picture, rules, standings};
use risk_text::diag::{Finding, LoadError};

/// All that a page has opened: files of its user, a game, and a match.
#[derive(Default)]
pub struct Playground {
    files: OwnFiles,
    game: Option<OpenGame>,
    bots: Option<BotMatch>,
}

/// A match between bots.
struct BotMatch {
    setup: &'static Setup,
    worker: Worker<'static>,
    tally: Tally<'static>,
    next: u64,
}

impl Playground {
    /// Handles a [`Request`] as JSON, and returns the [`Reply`] as JSON.
    pub fn handle(&mut self, request: &str) -> String {
        let reply = match serde_json::from_str(request) {
            Ok(request) => self.reply(request),
            Err(error) => Reply::Error {
                code: "request::body".to_owned(),
                text: format!("can't read the request: {error}"),
            },
        };
        serde_json::to_string(&reply).expect("a reply always serializes")
    }

    /// Handles a request.
    pub fn reply(&mut self, request: Request) -> Reply {
        self.fulfil(request).unwrap_or_else(|failure| Reply::Error {
            code: failure
                .findings
                .first()
                .map_or_else(String::new, |it| it.code.clone()),
            text: rendered(&failure.findings),
        })
    }

    fn fulfil(&mut self, request: Request) -> Result<Reply, LoadError> {
        #[cfg(feature = "tools")]
        let request = match crate::tools::fulfil(&self.files.library(), request) {
            Ok(reply) => return reply,
            Err(request) => request,
        };
        match request {
            Request::CheckRuleset { .. }
            | Request::CheckBot { .. }
            | Request::Page { .. }
            | Request::Gif { .. } => {
                let text = "this module has no tools: it only plays games";
                LoadError::refuse("playground::tools", text, "ask the module with the tools")
            }
            Request::Catalog {} => self.catalog(),
            Request::Add(file) => self.files.add(file).map(|()| Reply::Done),
            Request::Open { link } => {
                let (game, opened) = OpenGame::new(Link::read(&link)?, self.files.clone())?;
                self.game = Some(game);
                Ok(opened)
            }
            Request::Look { seat, epoch, from } => {
                self.game()?.look(seat, Cursor::new(epoch, from))
            }
            Request::Say { seat, request } => self.game()?.say(seat, &request),
            Request::Link {} => self.game()?.link().map(text),
            Request::Record {} => Ok(text(self.game()?.record())),
            Request::Replay { record } => replay::show(&self.files.library(), &record),
            Request::Match { link } => self.begin(&Link::read(&link)?),
            Request::Play { games } => self.play(games),
            Request::CheckMap { name } => self.check_map(&name),
            Request::Rules { ruleset } => {
                let bound = self.bound(&ruleset)?;
                Ok(text(rules::text(&bound.decl, PAPER).join("\n")))
            }
            Request::Odds {
                ruleset,
                attackers,
                defenders,
            } => self.odds(&ruleset, attackers, defenders),
            Request::Picture { map } => {
                let board = risk_maps::load(&self.files.library(), &map, &Levels::default())?;
                Ok(text(picture::map(&board)))
            }
            Request::Text { kind, name } => {
                let file = risk_maps::text(&self.files.library(), kind.into(), &name)?;
                Ok(text(file.text.to_string()))
            }
        }
    }

    fn game(&mut self) -> Result<&mut OpenGame, LoadError> {
        self.game.as_mut().ok_or_else(|| {
            LoadError::new("playground::closed", "no game is open", "open a link first")
        })
    }

    fn catalog(&self) -> Result<Reply, LoadError> {
        let library = self.files.library();
        let entry = |name: &str| -> Result<RulesetEntry, LoadError> {
            let manifest = load_ruleset(&library, name)?.manifest;
            let levels = Level::ALL.into_iter();
            let levels =
                levels.map(|level| (level.as_str().to_owned(), level_bots(&manifest, level)));
            Ok(RulesetEntry {
                levels: levels.collect(),
                name: name.to_owned(),
                about: manifest.about,
                players: manifest.players,
                map: manifest.map,
                bots: manifest.bots,
            })
        };
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
        let rulesets = library.names(FileKind::Ruleset).into_iter();
        Ok(Reply::Catalog {
            version: VERSION.to_owned(),
            rulesets: rulesets.filter_map(|name| entry(name).ok()).collect(),
            maps: owned(library.names(FileKind::Map)),
            bots: owned(library.bots().collect()),
        })
    }

    fn check_map(&self, name: &str) -> Result<Reply, LoadError> {
        let map = risk_maps::check(&self.files.library(), name, &Levels::default())?;
        let verdict = match &map.board {
            Some(board) => format!("valid: {}", risk_report::counts::counts(board)),
            None => "invalid".to_owned(),
        };
        let text = format!("{}{name}: {verdict}\n", rendered(&map.findings));
        Ok(Reply::Text {
            text,
            fine: map.board.is_some(),
        })
    }

    fn begin(&mut self, link: &Link) -> Result<Reply, LoadError> {
        let setup = link.spec()?.load(&self.files.library())?;
        if setup.is_timed() || setup.bots.iter().any(|bot| bot.source.is_person()) {
            let text = "a match in a page is between bots without clocks";
            return LoadError::refuse("playground::match", text, "name a bot for each seat");
        }
        // A worker borrows its set-up. Both live until the page renews the instance.
        let setup: &'static Setup = Box::leak(Box::new(setup));
        self.bots = Some(BotMatch {
            setup,
            worker: Worker::new(setup)?,
            tally: Tally::new(setup),
            next: link.game,
        });
        Ok(Reply::Done)
    }

    fn play(&mut self, games: u64) -> Result<Reply, LoadError> {
        let Some(bots) = &mut self.bots else {
            return LoadError::refuse("playground::match", "no match has begun", "begin one first");
        };
        if !(1..=MOST_GAMES).contains(&games) {
            let text = format!("expected 1 to {MOST_GAMES} games, found {games}");
            return LoadError::refuse("playground::match", text, "play fewer games, several times");
        }
        if bots.next.checked_add(games).is_none() {
            let text = format!("the numbers of games end at {}", u64::MAX);
            let help = "begin a match with a smaller `game`";
            return LoadError::refuse("playground::match", text, help);
        }
        for _ in 0..games {
            let seating = bots.setup.seating(bots.next);
            let result = bots.worker.result(bots.next, &seating, &mut NullSink);
            match result {
                Ok(result) => bots.tally.add(&result),
                Err(MatchFault::Rules(_, fault)) => {
                    return Err(LoadError::one(rules_failed(&fault)));
                }
                Err(fault) => {
                    let finding = Finding::error("playground::match", fault.to_string());
                    return Err(LoadError::one(finding));
                }
            }
            bots.next += 1;
        }
        let found = bots.tally.clone().finish();
        Ok(Reply::Standings {
            games: found.games,
            standings: json::standings(bots.setup, &found),
            text: standings::text(&found, PAPER),
        })
    }

    /// Returns a ruleset on its own map, with the values of its options.
    fn bound(&self, ruleset: &str) -> Result<BoundRuleset, LoadError> {
        let rules = RuleSetup::load(&self.files.library(), ruleset, None, &[])?;
        rules.bind(rules.ruleset.manifest.players.0, &ScriptLimits::default())
    }

    fn odds(&self, ruleset: &str, attackers: i32, defenders: i32) -> Result<Reply, LoadError> {
        let fail = |text: String| LoadError::new("odds::fault", text, "check the numbers");
        for (number, least) in [(attackers, 1), (defenders, 0)] {
            if !(least..=MOST_ARMIES).contains(&number) {
                let text = format!("expected {least} to {MOST_ARMIES} units, found {number}");
                return Err(fail(text));
            }
        }
        let fight = self.bound(ruleset)?.rules.fight();
        let mut fight = fight.ok_or_else(|| fail(format!("{ruleset} declares no dice")))?;
        let odds = fight.odds(attackers, defenders);
        let odds = odds.map_err(|fault| fail(fault.text().to_owned()))?;
        let odds: Value = json::odds(ruleset, attackers, defenders, odds);
        Ok(Reply::Odds { odds })
    }
}
