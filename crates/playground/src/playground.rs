//! Handles requests.

use serde_json::Value;

use crate::files::OwnFiles;
use crate::game::OpenGame;
use crate::link::Link;
use crate::messages::{OptionEntry, Reply, Request, RulesetEntry};
use crate::replay;
use crate::replies::{PAPER, rendered, text};
use crate::work::{self, GamesWork, Work};
use risk_engine::script::manifest::{Level, OptionValue};
use risk_engine::script::{BoundRuleset, ScriptLimits};
use risk_engine::{Library, RuleSetup, VERSION, level_bots, load_ruleset};
use risk_kernel::odds::MOST_ARMIES;
use risk_maps::files::FileKind;
use risk_maps::lint::Levels;
use risk_report::viewer::timeline::Cursor;
use risk_report::{json, picture, rules};
use risk_text::diag::LoadError;

/// All that a page has opened: files of its user, a game, and work in pieces.
#[derive(Default)]
pub struct Playground {
    files: OwnFiles,
    game: Option<OpenGame>,
    work: Option<Box<dyn Work>>,
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
            | Request::CheckMap { .. }
            | Request::ImportMap { .. }
            | Request::Reference {}
            | Request::Page { .. }
            | Request::Gif { .. } => no_tools(),
            Request::Catalog {} => self.catalog(),
            Request::About { ruleset } => Ok(Reply::About {
                entry: entry(&self.files.library(), &ruleset)?,
            }),
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
            Request::Link { files } => self.game()?.link(files).map(text),
            Request::Record {} => Ok(text(self.game()?.record())),
            Request::Replay { record } => replay::show(&self.files.library(), &record),
            Request::Match { .. }
            | Request::Compare { .. }
            | Request::Rate { .. }
            | Request::Analyse { .. }
            | Request::Pieces { .. }
            | Request::Count { .. } => self.fulfil_work(request),
            Request::Split { link } => Link::read(&link).map(Link::split),
            Request::Join { link, files } => Link::read(&link)?.join(files).map(text),
            Request::Rules { ruleset } => {
                let bound = self.bound(&ruleset, None, &[])?;
                Ok(text(rules::text(&bound.decl, PAPER).join("\n")))
            }
            Request::Odds {
                link,
                attackers,
                defenders,
            } => self.odds(&Link::read(&link)?, attackers, defenders),
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
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
        let rulesets = library.names(FileKind::Ruleset).into_iter();
        Ok(Reply::Catalog {
            version: VERSION.to_owned(),
            rulesets: rulesets
                .filter_map(|name| entry(&library, name).ok())
                .collect(),
            maps: owned(library.names(FileKind::Map)),
            bots: owned(library.bots().collect()),
        })
    }

    /// Fulfils a request about work in pieces.
    fn fulfil_work(&mut self, request: Request) -> Result<Reply, LoadError> {
        let library = self.files.library();
        match request {
            Request::Match { link } => {
                let games = GamesWork::new(&library, &Link::read(&link)?)?;
                Ok(self.begin(games))
            }
            #[cfg(feature = "tools")]
            Request::Compare { link } => {
                let comparison = work::comparison(&library, &Link::read(&link)?)?;
                Ok(self.begin(comparison))
            }
            #[cfg(feature = "tools")]
            Request::Rate { bot, ruleset } => {
                let rating = work::rating(&library, &bot, &ruleset)?;
                Ok(self.begin(rating))
            }
            #[cfg(feature = "tools")]
            Request::Analyse { record } => {
                let analysis = work::AnalysisWork::new(&library, &record)?;
                Ok(self.begin(analysis))
            }
            Request::Pieces { from, count } => work::play(self.work()?, from, count),
            Request::Count { results } => work::count(self.work()?, &results),
            _ => no_tools(),
        }
    }

    fn begin(&mut self, work: impl Work + 'static) -> Reply {
        let pieces = work.pieces();
        self.work = Some(Box::new(work));
        Reply::Work { pieces }
    }

    fn work(&mut self) -> Result<&mut dyn Work, LoadError> {
        match &mut self.work {
            Some(work) => Ok(&mut **work),
            None => work::refuse("no work has begun", "begin with `match`, for example"),
        }
    }

    fn bound(
        &self,
        ruleset: &str,
        map: Option<&str>,
        options: &[(String, String)],
    ) -> Result<BoundRuleset, LoadError> {
        let rules = RuleSetup::load(&self.files.library(), ruleset, map, options)?;
        rules.bind(rules.ruleset.manifest.players.0, &ScriptLimits::default())
    }

    fn odds(&self, link: &Link, attackers: i32, defenders: i32) -> Result<Reply, LoadError> {
        let fail = |text: String| LoadError::new("odds::fault", text, "check the numbers");
        for (number, least) in [(attackers, 1), (defenders, 0)] {
            if !(least..=MOST_ARMIES).contains(&number) {
                let text = format!("expected {least} to {MOST_ARMIES} units, found {number}");
                return Err(fail(text));
            }
        }
        let ruleset = &link.ruleset;
        let bound = self.bound(ruleset, link.map.as_deref(), &link.options)?;
        let mut fight = bound.rules.fight().ok_or_else(|| {
            let text = format!("{ruleset} declares no dice for fights");
            LoadError::new("odds::fault", text, "play many games instead")
        })?;
        let odds = fight.odds(attackers, defenders);
        let odds = odds.map_err(|fault| fail(fault.text().to_owned()))?;
        let odds: Value = json::odds(ruleset, attackers, defenders, odds);
        Ok(Reply::Odds { odds })
    }
}

fn no_tools<T>() -> Result<T, LoadError> {
    let text = "this module has no tools: it only plays games";
    LoadError::refuse("playground::tools", text, "ask the module with the tools")
}

/// Returns the catalog's entry of a ruleset.
fn entry(library: &Library, name: &str) -> Result<RulesetEntry, LoadError> {
    let manifest = load_ruleset(library, name)?.manifest;
    let levels = Level::ALL.into_iter();
    let levels = levels.map(|level| (level.as_str().to_owned(), level_bots(&manifest, level)));
    let options = manifest.options.iter();
    let options = options.map(|(name, option)| OptionEntry {
        name: name.clone(),
        about: option.about.clone(),
        default: option.default.to_string(),
        values: match option.default {
            OptionValue::Flag(_) => vec!["false".to_owned(), "true".to_owned()],
            _ => option.words.clone(),
        },
        range: option.range,
    });
    Ok(RulesetEntry {
        options: options.collect(),
        levels: levels.collect(),
        name: name.to_owned(),
        about: manifest.about,
        players: manifest.players,
        map: manifest.map,
        bots: manifest.bots,
    })
}
