//! `risk-cli replay`: shows a recorded game again, verifies it, or draws it.

#[cfg(feature = "pictures")]
mod animation;
mod published;

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::UnknownArgumentValueParser;

use super::analyse;
use super::drawing::{StyleArgs, ThemeArg, draw};
use super::faults::rules_failed;
use super::recorded::{self, mismatch, rest, whole};
use super::spectator::{Spectator, WatchArgs};
use super::{
    CommandResult, Error, Exit, ForceArg, output, paint, position, print_findings, save, say,
};
use published::PublishedPage;
use risk_engine::Worker;
use risk_engine::acts::Eyes;
use risk_engine::record::{self, Playback, Record, VerifyError, VerifyReport};
use risk_kernel::event::Event;
use risk_kernel::{FinishedGame, Moment, NullSink, Sink, StopReason};
use risk_report::picture;
use risk_report::story::{self, ONE_LINE, Story};
use risk_report::viewer::{self, Frames, GamePageInfo, PageAddress};
use risk_text::diag::TextFile;
use risk_text::plural::counted;
use risk_wire::line_json::event_value;

#[derive(Args, Debug)]
pub(super) struct ReplayArgs {
    /// Record of a game, from `play --record`
    file: PathBuf,
    /// An option of `play` only.
    #[arg(long, hide = true, value_parser = UnknownArgumentValueParser::suggest("`replay` always shows the full story: remove `--story`"))]
    story: Option<String>,
    /// Stop after N decisions
    #[arg(long, value_name = "N")]
    to: Option<u64>,
    /// Play the game again and compare every line
    #[arg(long, conflicts_with_all = ["to", "watch"])]
    verify: bool,
    /// Print every event as a line of JSON, in the format of the protocol's `events`. It includes
    /// hidden information
    #[arg(long, conflicts_with_all = ["verify", "render", "html", "animation", "watch"])]
    events: bool,
    /// Draw the map at the end of the replay, and write it to FILE (.svg or .png)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["verify", "watch"])]
    render: Option<PathBuf>,
    /// With --render: colours of the picture (default: auto)
    #[arg(long, value_enum, value_name = "THEME", requires = "render")]
    theme: Option<ThemeArg>,
    /// With --render: width of the picture, in pixels
    #[arg(long, value_name = "PIXELS", requires = "render", value_parser = clap::value_parser!(u16).range(240..=4096))]
    width: Option<u16>,
    /// Write the game to FILE as an HTML page that works offline
    #[arg(long, value_name = "FILE", conflicts_with_all = ["verify", "render", "watch"])]
    html: Option<PathBuf>,
    /// With --html: draw the chances to win, estimated by BOT as `analyse --decisions 20` does, and
    /// mark costly decisions and lucky dice
    #[arg(long, value_name = "BOT", requires = "html", conflicts_with = "to")]
    analyse: Option<String>,
    /// With --html: address at which the page will be published. Also writes a picture beside the
    /// page (FILE with .png), which chats show with a link to the page
    #[arg(long, value_name = "URL", requires = "html")]
    url: Option<String>,
    /// Write the game to FILE as an animated picture (.gif). It has a frame for each turn, or for
    /// every few turns of a long game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["verify", "render", "html", "watch"])]
    animation: Option<PathBuf>,
    #[command(flatten)]
    watch: WatchArgs,
    #[command(flatten)]
    force: ForceArg,
    /// Show the view and the options of the player at decision N; with --bot, also show that bot's
    /// answer
    #[arg(long, value_name = "N", conflicts_with_all = ["to", "verify", "events", "render", "html", "animation", "watch"], value_parser = clap::value_parser!(u64).range(1..))]
    at: Option<u64>,
    /// With --at: write the position before the decision to FILE, for `play --from`. It includes
    /// hidden information
    #[arg(long, value_name = "FILE", requires = "at", conflicts_with = "bot")]
    position: Option<PathBuf>,
    /// With --at: bot to ask, a name or a path
    #[arg(long, short, value_name = "B", requires = "at")]
    bot: Option<String>,
    /// Ruleset of the record, if it has moved
    #[arg(long, short, value_name = "R")]
    ruleset: Option<String>,
    /// Map of the record, if it has moved
    #[arg(long, short, value_name = "M")]
    map: Option<String>,
}

/// A record with its file and what it needs to be played again.
pub(super) struct LoadedRecord<'r, 's> {
    pub(super) file: &'r TextFile,
    pub(super) record: &'r Record,
    pub(super) worker: &'r mut Worker<'s>,
    pub(super) playback: Playback,
}

pub(super) fn run(args: &ReplayArgs) -> CommandResult {
    let (file, record) = recorded::read(&args.file)?;
    let ruleset = args.ruleset.as_deref();
    let setup = recorded::setup(ruleset, args.map.as_deref(), &file, &record.header)?;
    if let (Some(at), Some(path)) = (args.at, &args.position) {
        let text = position::before(&file, &record, &setup, at)?;
        save(path, text.as_bytes(), args.force.force)?;
        return Ok(Exit::Fine);
    }
    if let Some(at) = args.at {
        return super::decision::run(&record, &setup, at, args.bot.as_deref());
    }
    let mut worker = Worker::new(&setup)?;
    let mut replay = LoadedRecord::new(&file, &record, &mut worker, args.to);
    if args.events {
        replay.print_events()
    } else if args.verify {
        replay.verify()
    } else if let Some(path) = &args.render {
        replay.render(path, args)
    } else if let Some(path) = &args.html {
        replay.html(path, args)
    } else if let Some(path) = &args.animation {
        replay.animate(path, args.force.force)
    } else if let Some(spectator) = args.watch.begin(&replay.title(), &replay.names())? {
        replay.watch(spectator)
    } else {
        replay.print_story()
    }
}

impl<'r, 's> LoadedRecord<'r, 's> {
    pub(super) fn new(
        file: &'r TextFile,
        record: &'r Record,
        worker: &'r mut Worker<'s>,
        to: Option<u64>,
    ) -> Self {
        let playback = Playback::new(record, to);
        Self {
            file,
            record,
            worker,
            playback,
        }
    }

    fn names(&self) -> Vec<String> {
        let players = self.record.header.players.iter();
        players.map(|player| player.name.clone()).collect()
    }

    fn title(&self) -> String {
        let setup = self.worker.setup();
        format!("{}, seed {}", setup.rules.title(), setup.seed)
    }

    /// Plays the game again, up to its end or to the decision where the replay stops.
    fn play(&mut self, sink: &mut dyn Sink) -> Result<FinishedGame, Error> {
        let number = self.record.header.game;
        let finished = self
            .worker
            .play_with(number, &mut self.playback.seats, sink);
        self.check(finished)
    }

    /// Returns an error if the ruleset has failed.
    fn check(&self, finished: FinishedGame) -> Result<FinishedGame, Error> {
        let Err(StopReason::Rules(fault)) = &finished.outcome else {
            return Ok(finished);
        };
        let (game, number) = (Some(&finished.game), self.record.header.game);
        Err(rules_failed(fault, game, number, None, self.worker.setup()))
    }

    /// Checks that the replay has reached the end of the game.
    fn whole(&self) -> CommandResult {
        whole(self.file, self.record, &self.playback)
    }

    fn verify(&mut self) -> CommandResult {
        let (file, record) = (self.file, self.record);
        match record::verify(record, self.worker) {
            Ok(verified) => {
                if !verified.whole {
                    print_findings(&[rest(file, record)]);
                }
                say(&praise(&file.name, &verified))?;
                print_taken_back(record)?;
                Ok(if verified.whole { Exit::Fine } else { Exit::No })
            }
            Err(VerifyError::Differs(found)) => {
                print_findings(&[mismatch(file, found)]);
                Ok(Exit::No)
            }
            Err(VerifyError::Rules(finished)) => self.check(*finished).map(|_| Exit::No),
        }
    }

    fn html(&mut self, path: &Path, args: &ReplayArgs) -> CommandResult {
        let force = args.force.force;
        let url = args.url.as_deref();
        let published = url.map(|url| PublishedPage::new(path, url)).transpose()?;
        let chances = match &args.analyse {
            Some(bot) => analyse::for_page(self.worker, self.file, self.record, bot)?,
            None => None,
        };
        let extras = PageExtras {
            chances,
            address: published.as_ref().map(|page| page.address.clone()),
        };
        let page = self.page(extras)?;
        if let Some(published) = &published {
            published.refuse_existing(force)?;
        }
        save(path, page.html.as_bytes(), force)?;
        if let Some(published) = &published {
            let width = Some(picture::PREVIEW_WIDTH);
            draw(
                &published.picture,
                &page.preview,
                &self.names(),
                width,
                force,
            )?;
        }
        self.whole()
    }

    /// Returns the page of a recorded game.
    pub(super) fn page(&mut self, extras: PageExtras) -> Result<GamePage, Error> {
        let names = self.names();
        let mut frames = Frames::new(names.clone(), Eyes::All);
        let finished = self.play(&mut frames)?;
        let about = GamePageInfo {
            game: self.worker.setup().rules.title(),
            seed: self.record.header.seed.to_string(),
            command: Some(play_on(&self.file.name)),
            chances: extras.chances,
            address: extras.address,
            names,
        };
        let outcome = finished.outcome.as_ref().ok();
        let preview = match about.address {
            Some(_) => viewer::preview(&about, &finished.game, outcome),
            None => String::new(),
        };
        let html = viewer::page(frames, &about, &finished.game, outcome).map_err(|length| {
            Error::input(
                "replay::page",
                format!(
                    "a page must have at most {} bytes, found {length}",
                    viewer::LARGEST_PAGE
                ),
                "end the page after N decisions with `--to N`",
            )
        })?;
        Ok(GamePage { html, preview })
    }

    #[cfg(feature = "pictures")]
    fn animate(&mut self, path: &Path, force: bool) -> CommandResult {
        animation::write(self, path, force)
    }

    #[cfg(not(feature = "pictures"))]
    fn animate(&mut self, path: &Path, _: bool) -> CommandResult {
        let text = format!("can't write {}", path.display());
        let help = "the program was built without the feature `pictures`, which .gif requires";
        Error::refuse("cli::picture", text, help)
    }

    /// Draws the state at which the replay ends.
    fn render(&mut self, path: &Path, args: &ReplayArgs) -> CommandResult {
        let finished = self.play(&mut NullSink)?;
        let style = StyleArgs {
            theme: args.theme,
            width: args.width,
        };
        let style = style.style(path);
        let names = self.names();
        let svg = picture::game_with(&finished.game, &names, style);
        draw(path, &svg, &names, style.width, args.force.force)?;
        self.whole()
    }

    fn print_events(&mut self) -> CommandResult {
        let mut printer = EventPrinter {
            out: Box::new(output()),
            failed: None,
        };
        let played = self.play(&mut printer);
        if let Some(error) = printer.failed {
            return Err(error.into());
        }
        printer.out.flush()?;
        played?;
        self.whole()
    }

    fn print_story(&mut self) -> CommandResult {
        let mut story = self.story();
        let finished = self.play(&mut story)?;
        end_story(story, &finished)?;
        self.whole()
    }

    /// Begins the story of the game.
    fn story(&self) -> Story<impl Write + use<>> {
        let mut story = Story::new(output(), paint(&io::stdout()), self.names());
        story.begin(&self.title());
        story
    }

    /// Shows the game on the terminal, then prints its end.
    fn watch(&mut self, mut spectator: Spectator) -> CommandResult {
        let names = self.names();
        let number = self.record.header.game;
        let seats = &mut self.playback.seats;
        let finished = self.worker.play_with(number, seats, &mut spectator);
        let game = &finished.game;
        let has_left = match &finished.outcome {
            Ok(outcome) => spectator.end(game, &story::ended(game, outcome, &names, ONE_LINE)),
            Err(StopReason::Halted) if !spectator.has_left() => {
                let made = counted(game.answers(), "decision");
                spectator.end(game, &format!("stopped after {made}"))
            }
            Err(_) => spectator.has_left(),
        };
        let story = self.story();
        end_story(story, &self.check(finished)?)?;
        if has_left {
            return Ok(Exit::Fine);
        }
        self.whole()
    }
}

/// Prints the end of a story.
fn end_story(story: Story<impl Write>, finished: &FinishedGame) -> Result<(), Error> {
    match &finished.outcome {
        Ok(outcome) => story.finish(&finished.game, outcome)?,
        Err(_) => story.stop(&finished.game)?,
    }
    Ok(())
}

/// Prints how often people undid decisions after dice or cards.
fn print_taken_back(record: &Record) -> Result<(), Error> {
    if record.taken_back == 0 {
        return Ok(());
    }
    let times = counted(record.taken_back, "time");
    say(&format!(
        "  undone            decisions after dice or cards, {times}: see the `undo` lines"
    ))
}

/// Describes what was verified and what could not be.
fn praise(name: &str, verified: &VerifyReport) -> String {
    let VerifyReport {
        commitment,
        lines,
        answers,
        digests,
        whole,
        last_sum,
        ..
    } = verified;
    let lines = counted(lines, "line");
    let answers = counted(answers, "decision");
    let digests = counted(digests, "digest");
    let far = if *whole { "" } else { " as far as it goes" };
    let end = if *whole { " and the end" } else { "" };
    let held = commitment.as_ref().map_or_else(String::new, |commitment| {
        format!(
            "\n  commitment        {commitment}: fits the seed and the salt; if it was published \
             before the match, the dice were fixed then"
        )
    });
    format!(
        "{name} replays exactly{far}: {lines}, {answers}, {digests}\n  \
         replayed          answers, turns, notes, digests{end}\n  \
         sums only         names, bots, versions, kinds and texts of faults: an editor can \
         recompute the sums\n  \
         last sum          {last_sum}: publish it, so that any later edit shows{held}"
    )
}

/// The parts of a page that do not come from the record.
#[derive(Default)]
pub(super) struct PageExtras {
    /// The chances to win, if the game was analysed.
    chances: Option<serde_json::Value>,
    address: Option<PageAddress>,
}

/// The page of a recorded game.
pub(super) struct GamePage {
    pub(super) html: String,
    /// The picture for previews, as SVG. Empty for a page without an address.
    preview: String,
}

/// Returns the command that plays on from a decision of a record. The page is sent to others, so
/// the command leaves out the record's folder.
fn play_on(file: &str) -> String {
    let file = Path::new(file)
        .file_name()
        .map_or_else(|| file.into(), OsStr::to_string_lossy);
    let is_plain = |c: char| c.is_alphanumeric() || "./_-".contains(c);
    let at = format!("{file}@{{decision}}");
    match file.chars().all(is_plain) {
        true => format!("risk-cli play --bot human --from {at}"),
        false => format!(
            "risk-cli play --bot human --from '{}'",
            at.replace('\'', "'\\''")
        ),
    }
}

/// A sink that prints events, until the output can't be written.
struct EventPrinter {
    out: Box<dyn Write>,
    failed: Option<io::Error>,
}

impl Sink for EventPrinter {
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        let value = event_value(game.board(), game.decl(), event);
        if self.failed.is_none() {
            self.failed = writeln!(self.out, "{value}").err();
        }
    }
}
