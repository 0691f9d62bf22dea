//! Input from people: a terminal with a line editor, or a pipe.

use std::io::{self, BufRead, IsTerminal, Read, Write as _};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};

use crate::cli::{Error, say};
use risk_people::{Console, Line, NextWords, TableError};
use risk_text::diag::LoadError;

/// The maximum length of a line, in bytes.
const LONGEST: u64 = 4_096;
pub(super) enum OwnConsole {
    Terminal(Box<Editor<Completions, MemHistory>>),
    /// Standard input, with the number of lines read so far.
    Pipe(u64),
}

/// Completes the word at the cursor.
#[derive(Default)]
pub(super) struct Completions {
    next: Option<NextWords>,
}

impl OwnConsole {
    /// Opens the terminal, or standard input if the program doesn't run in a terminal.
    pub(super) fn open() -> Result<Self, Error> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Ok(Self::Pipe(0));
        }
        let config = Config::builder().auto_add_history(true).build();
        let editor = Editor::with_history(config, MemHistory::new()).map_err(|error| {
            let text = format!("can't open the terminal: {error}");
            Error::input("cli::terminal", text, "pipe your answers to the program")
        })?;
        Ok(Self::Terminal(Box::new(editor)))
    }
}

pub(super) fn say_line(text: &str) -> Result<(), TableError> {
    say(text).map_err(table_error)
}

fn table_error(error: Error) -> TableError {
    match error {
        Error::Input(failure) | Error::Script(failure) => TableError::Input(failure),
        Error::Broken(finding) => TableError::Input(LoadError::one(finding)),
        Error::Write(what, error) => TableError::Write(what, error),
    }
}

impl Console for OwnConsole {
    fn say(&mut self, text: &str) -> Result<(), TableError> {
        say_line(text)
    }

    fn is_pipe(&self) -> bool {
        matches!(self, Self::Pipe(_))
    }

    fn height(&self) -> Option<usize> {
        match self {
            Self::Terminal(_) => terminal_size::terminal_size().map(|size| usize::from(size.1.0)),
            Self::Pipe(_) => None,
        }
    }

    fn line(&mut self, prompt: &str, next: Option<NextWords>) -> Result<Line, TableError> {
        match self {
            Self::Terminal(editor) => {
                editor.set_helper(Some(Completions { next }));
                match editor.readline(prompt) {
                    Ok(text) => Ok(Line::Text(text)),
                    Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(Line::End),
                    Err(error) => Err(TableError::input(
                        "cli::terminal",
                        format!("can't read the terminal: {error}"),
                        "use --resume to continue the game",
                    )),
                }
            }
            Self::Pipe(lines) => {
                *lines += 1;
                piped(prompt, *lines)
            }
        }
    }

    fn wipe(&mut self) -> Result<(), TableError> {
        if let Self::Terminal(editor) = self {
            // The scrollback holds what the person before typed.
            let wiped = editor
                .clear_screen()
                .map_err(io::Error::other)
                .and_then(|()| io::stdout().write_all(b"\x1b[3J"))
                .and_then(|()| io::stdout().flush());
            wiped.map_err(|error| TableError::Write("the terminal".to_owned(), error))?;
        }
        Ok(())
    }
}

/// Reads a line from a pipe and echoes it after the prompt.
fn piped(prompt: &str, number: u64) -> Result<Line, TableError> {
    let unread = |error: io::Error| {
        let text = format!("can't read the standard input: {error}");
        TableError::input("cli::input", text, "use --resume to continue the game")
    };
    let mut bytes = Vec::new();
    let mut input = io::stdin().lock().take(LONGEST + 1);
    input.read_until(b'\n', &mut bytes).map_err(unread)?;
    if bytes.is_empty() {
        return Ok(Line::End);
    }
    if bytes.len() as u64 > LONGEST {
        let text = format!("line {number} of the standard input exceeds {LONGEST} bytes");
        let help = "write one action per line, for example `attack alaska kamchatka`";
        return Err(TableError::input("cli::input", text, help));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let text = format!(
            "line {number} of the standard input is not valid UTF-8: byte {} is 0x{:02x}",
            at + 1,
            error.as_bytes()[at]
        );
        let help = "encode the input in UTF-8; use --resume to continue the game";
        TableError::input("cli::input", text, help)
    })?;
    let text = text.trim_end_matches(['\n', '\r']).to_owned();
    say_line(&format!("{prompt}{}", risk_text::escape_control(&text)))?;
    Ok(Line::Text(text))
}

impl Helper for Completions {}
impl Highlighter for Completions {}
impl Validator for Completions {}

impl Hinter for Completions {
    type Hint = String;
}

impl Completer for Completions {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        place: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..place).unwrap_or_default();
        let start = typed
            .rfind(char::is_whitespace)
            .map_or(0, |blank| blank + 1);
        let before: Vec<&str> = typed[..start].split_whitespace().collect();
        let begun = typed[start..].to_lowercase();
        let words = self
            .next
            .as_ref()
            .map_or_else(Vec::new, |next| next(&before));
        let fits = |word: &String| word.to_lowercase().starts_with(&begun);
        Ok((start, words.into_iter().filter(fits).collect()))
    }
}
