//! Programs that a file names run only with the user's consent, for every command that reads the
//! file.

use crate::support::{run_in, words};

/// Commands that read a file, its name and its text. The program would leave a file.
const FILES: &[(&str, &str, &str)] = &[
    (
        "tournament plan",
        "tournament.yaml",
        "ruleset: codelab\nblocks: 1\nseed: 1\nbots:\n  - cmd:touch ran\n  - random\n",
    ),
    (
        "tournament run",
        "tournament.yaml",
        "ruleset: codelab\nblocks: 1\nseed: 1\nbots:\n  - 'cmd:touch ran,sandbox=open'\n  - random\n",
    ),
    (
        "bot test",
        "bot.yaml",
        "bot: 'cmd:touch ran,sandbox=open'\ntests:\n  - name: one\n    from: game.jsonl@1\n    says: done\n",
    ),
    (
        "serve --port 0 --config",
        "arena.yaml",
        "protocol: hacker-risk\nbot: ['cmd:touch ran,sandbox=open']\n",
    ),
];

#[test]
fn programs_of_files_run_only_if_wanted() {
    for (reads, name, text) in FILES {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), text).unwrap();
        let game = "play -r codelab -m duel --seed 1 -o max_turns=4 --quiet --bot random --bot random --record game.jsonl";
        assert_eq!(run_in(folder.path(), &words(game)).code, 0);
        let line = format!("{reads} {name}");
        let ran = run_in(folder.path(), &words(&line));
        assert_eq!(ran.code, 2, "{line}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("cli::programs"), "{line}: {}", ran.err);
        assert!(!folder.path().join("ran").exists(), "{line}");
        // With consent it is started, and its output is no valid answer.
        let wanted = run_in(folder.path(), &words(&format!("{line} --programs")));
        assert!(
            !wanted.err.contains("cli::programs"),
            "{line}: {}",
            wanted.err
        );
        assert_ne!(wanted.code, 0, "{line}: {}", wanted.err);
    }
}
