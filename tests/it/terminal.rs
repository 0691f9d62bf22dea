//! Games watched in a real terminal: `tmux` provides one of any size and reports its screen.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use unicode_width::UnicodeWidthStr;

use crate::programs::skip;
use crate::support::{run, run_in, words};
use risk_testing::watchdog::watch;

/// A terminal with a shell script in it, until the test ends.
struct Tmux {
    folder: tempfile::TempDir,
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = self.command(&["kill-server"]).output();
    }
}

impl Tmux {
    /// Starts a script in `folder`, whose files remain until the test ends. Returns `None` without
    /// tmux; fails then if `RISK_NEEDS_PROGRAMS` is set.
    fn start(folder: &Path, (wide, high): (usize, usize), script: &str) -> Option<Self> {
        watch();
        if Command::new("tmux").arg("-V").output().is_err() {
            skip("tmux");
            return None;
        }
        let tmux = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        let own = assert_cmd::cargo::cargo_bin!("risk-cli").parent().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        let script = format!(
            "export PATH={}:{path}; unset NO_COLOR COLUMNS LINES; cd {}; {script}; echo; echo DONE; cat",
            own.display(),
            folder.display()
        );
        let (wide, high) = (wide.to_string(), high.to_string());
        let size = ["-x", &wide, "-y", &high];
        let mut arguments = vec!["-f", "/dev/null", "new-session", "-d", "-s", "w"];
        arguments.extend(size);
        arguments.push(&script);
        let started = tmux.command(&arguments).output().unwrap();
        assert!(
            started.status.success(),
            "{}",
            String::from_utf8_lossy(&started.stderr)
        );
        Some(tmux)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("tmux");
        command
            .arg("-S")
            .arg(self.folder.path().join("socket"))
            .args(["-u"])
            .args(arguments)
            .env_remove("TMUX");
        command
    }

    fn say(&self, arguments: &[&str]) -> String {
        String::from_utf8(self.command(arguments).output().unwrap().stdout).unwrap()
    }

    fn keys(&self, keys: &[&str]) {
        let mut arguments = vec!["send-keys", "-t", "w"];
        arguments.extend(keys);
        self.say(&arguments);
    }

    /// Waits until the screen fits, and returns it.
    fn wait(&self, fits: impl Fn(&str) -> bool) -> String {
        let mut screen = String::new();
        for _ in 0..1_200 {
            screen = self.say(&["capture-pane", "-p", "-t", "w"]);
            if fits(&screen) {
                return screen;
            }
            std::thread::sleep(Duration::from_millis(25));
        }
        panic!("never: the screen is\n{screen}");
    }

    fn decision(&self, fits: impl Fn(u64) -> bool) -> u64 {
        let number = |screen: &str| -> Option<u64> {
            let line = screen.lines().next()?;
            line.rsplit_once("decision ")?.1.trim().parse().ok()
        };
        let screen = self.wait(|screen| number(screen).is_some_and(&fits));
        number(&screen).unwrap()
    }
}

fn recorded() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let line =
        "play -q --seed 7 -r codelab -o max_turns=12 --bot outnumber --bot holder --record g.jsonl";
    assert_eq!(run_in(folder.path(), &words(line)).code, 0);
    folder
}

/// Checks that the program has restored all modes of the terminal.
fn check_given_back(tmux: &Tmux, folder: &Path, after: &str) {
    tmux.wait(|screen| screen.contains("DONE"));
    let modes = "#{alternate_on} #{cursor_flag} #{wrap_flag}";
    let modes = tmux.say(&["display-message", "-p", "-t", "w", modes]);
    assert_eq!(modes.trim(), "0 1 1", "{after}");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("before"), read("after"), "{after}");
}

#[test]
fn a_game_is_watched_in_narrow_and_wide_terminals_and_by_keys() {
    let folder = recorded();
    for size in [(60, 24), (200, 50)] {
        let script = "stty -g >before; risk-cli replay g.jsonl --watch --speed 1; echo code $?; stty -g >after";
        let Some(tmux) = Tmux::start(folder.path(), size, script) else {
            return;
        };
        let screen = tmux.wait(|screen| screen.contains("q leave"));
        assert!(screen.starts_with("codelab on world, seed 7"), "{screen}");
        let lines: Vec<&str> = screen.trim_end().lines().collect();
        assert_eq!(lines.len(), size.1, "{screen}");
        for line in &lines {
            assert!(line.width() <= size.0, "{line}");
        }
        for text in [
            "outnumber",
            "holder",
            "land",
            "space pause",
            "+ - speed 1/s",
        ] {
            assert!(screen.contains(text), "{text}: {screen}");
        }
        if size.0 == 200 {
            for name in ["Brazil", "Alaska", "Indonesia", "t next turn"] {
                assert!(screen.contains(name), "{name}: {screen}");
            }
        }
        tmux.keys(&["Space"]);
        tmux.wait(|screen| screen.contains("space resume"));
        let before = tmux.decision(|_| true);
        tmux.keys(&["Right"]);
        let stepped = tmux.decision(|now| now > before);
        assert_eq!(stepped, before + 1);
        tmux.keys(&["n", "n"]);
        assert_eq!(tmux.decision(|now| now >= before + 3), before + 3);
        tmux.keys(&["+", "="]);
        tmux.wait(|screen| screen.contains("speed 5/s"));
        tmux.keys(&["-"]);
        tmux.wait(|screen| screen.contains("speed 2/s"));
        tmux.keys(&["t"]);
        tmux.wait(|screen| screen.contains("turn 2"));
        tmux.say(&["resize-window", "-t", "w", "-x", "90", "-y", "30"]);
        tmux.wait(|screen| screen.trim_end().lines().count() == 30);
        tmux.keys(&["q"]);
        let screen = tmux.wait(|screen| screen.contains("DONE"));
        assert!(screen.contains("code 0"), "{screen}");
        check_given_back(&tmux, folder.path(), "q");
    }
}

#[test]
fn the_terminal_is_left_as_it_was_found() {
    let folder = recorded();
    let run = "stty -g >before; risk-cli replay g.jsonl --watch --speed 1000; echo code $?; stty -g >after";
    let Some(tmux) = Tmux::start(folder.path(), (80, 24), run) else {
        return;
    };
    // A replay that runs to its end.
    tmux.wait(|screen| screen.contains("the end"));
    tmux.keys(&["q"]);
    let screen = tmux.wait(|screen| screen.contains("code 0"));
    assert!(screen.contains("The end, after"), "{screen}");
    check_given_back(&tmux, folder.path(), "the end");
    // Ctrl-C in a running game, and a signal.
    let played = "stty -g >before; sh -c 'echo $$ >pid; exec risk-cli play -r codelab --seed 3 --watch --record w.jsonl --force'; echo code $?; stty -g >after";
    for ends in ["C-c", "TERM"] {
        let tmux = Tmux::start(folder.path(), (80, 24), played).unwrap();
        let shown = tmux.decision(|now| now > 3);
        let code = if ends == "TERM" {
            let pid = std::fs::read_to_string(folder.path().join("pid")).unwrap();
            let killed = Command::new("kill").args(["-TERM", pid.trim()]).status();
            assert!(killed.unwrap().success());
            "code 143"
        } else {
            tmux.keys(&[ends]);
            "code 0"
        };
        tmux.wait(|screen| screen.contains(code));
        check_given_back(&tmux, folder.path(), ends);
        let kept = std::fs::read_to_string(folder.path().join("w.jsonl")).unwrap();
        let answers = kept.matches("\"line\":\"answer\"").count() as u64;
        assert!(answers >= shown, "{ends}: {shown} were shown: {kept}");
    }
}

#[test]
fn without_a_terminal_it_is_said_what_to_use_instead() {
    for line in ["play --watch", "play --watch --bot random --bot random"] {
        let ran = run(&words(line));
        ran.refuses(2, "cli::terminal");
        assert_eq!(ran.out, "");
        assert!(ran.err.contains("--html"), "{}", ran.err);
    }
    let folder = recorded();
    let ran = run_in(folder.path(), &words("replay g.jsonl --watch"));
    ran.refuses(2, "cli::terminal");
    assert_eq!(ran.out, "");
    let ran = run_in(folder.path(), &words("replay g.jsonl --watch --seat 3"));
    ran.refuses(2, "cli::seat");
    for more in ["--games 2", "--format json", "--quiet", "--story full"] {
        let ran = run(&words(&format!("play --watch {more}")));
        ran.refuses(2, "cli::watch");
    }
    let ran = run(&words("play --watch --bot human"));
    ran.refuses(2, "cli::human");
    assert!(ran.err.contains("--watch"), "{}", ran.err);
}

/// A line that is typed where the screen waits is either the next line, or refused with its reason.
#[test]
fn lines_are_not_lost_where_the_screen_waits() {
    let folder = tempfile::tempdir().unwrap();
    let script = "risk-cli play -r warzone --bot name=ann,bot=human --bot name=bob,bot=human \
                  --seats fixed --seed 3 --record g.jsonl";
    let Some(tmux) = Tmux::start(folder.path(), (80, 24), script) else {
        return;
    };
    tmux.wait(|screen| screen.contains("Pass to ann"));
    tmux.keys(&["players", "Enter"]);
    let screen = tmux.wait(|screen| screen.contains("is not taken here"));
    // Nothing secret was shown before.
    assert!(screen.contains("g.jsonl"), "{screen}");
    tmux.keys(&["Enter"]);
    tmux.wait(|screen| screen.contains("ann (orders)>"));
    tmux.keys(&["rules", "Enter"]);
    tmux.wait(|screen| screen.contains("-- Enter: more, q: stop --"));
    tmux.keys(&["look alaska", "Enter"]);
    let screen = tmux.wait(|screen| screen.contains("Alaska (alaska): "));
    assert!(screen.contains("ann (orders)> look alaska"), "{screen}");
    // The latest events stand at the end of one screen.
    tmux.keys(&["log", "Enter"]);
    tmux.wait(|screen| {
        let (_, reply) = screen.split_once("ann (orders)> log").unwrap_or_default();
        reply.trim_end().ends_with("ann (orders)>")
    });
}

/// The question stands before the game, and what is no answer asks again.
#[test]
fn a_person_chooses_the_opponents() {
    let folder = tempfile::tempdir().unwrap();
    let script = "risk-cli play -r codelab --bot human --seed 7";
    let Some(tmux) = Tmux::start(folder.path(), (100, 30), script) else {
        return;
    };
    let screen = tmux.wait(|screen| screen.contains("Enter for 2"));
    for row in [
        "1 easy    outnumber",
        "2 normal  general",
        "3 hard    oracle",
    ] {
        assert!(screen.contains(row), "{row}:\n{screen}");
    }
    tmux.keys(&["4", "Enter"]);
    tmux.wait(|screen| screen.matches("Enter for 2").count() == 2);
    tmux.keys(&["1", "Enter"]);
    let screen = tmux.wait(|screen| screen.contains("(deploy)>"));
    assert!(
        screen.contains("level easy: the other seats have outnumber"),
        "{screen}"
    );
}
