//! Bot specifications: settings in any order, quotes, and messages about mistakes.

use std::collections::BTreeSet;

use crate::library;
use risk_engine::bot_spec::BotSpec;

#[test]
fn specifications_are_read() {
    for (spec, name, bot) in [
        ("greedy", "greedy", "greedy"),
        ("bot=greedy", "greedy", "greedy"),
        ("greedy,name=alice", "alice", "greedy"),
        ("name=alice,bot=greedy", "alice", "greedy"),
        ("name=\"Smith, Ann\",bot=greedy", "Smith, Ann", "greedy"),
        (
            "bot=\"greedy\",name=\"the \"\"best\"\"\"",
            "the \"best\"",
            "greedy",
        ),
        (
            "http://127.0.0.1:4444",
            "127.0.0.1:4444",
            "http://127.0.0.1:4444",
        ),
        (
            "http://127.0.0.1:4444/bots/a/,timeout=5",
            "127.0.0.1:4444/bots/a",
            "http://127.0.0.1:4444/bots/a,timeout=5",
        ),
        (
            "timeout=5,bot=http://127.0.0.1:1,name=x",
            "x",
            "http://127.0.0.1:1,timeout=5",
        ),
        (
            "\"http://127.0.0.1:1\",protocol=callback",
            "127.0.0.1:1",
            "http://127.0.0.1:1,protocol=callback",
        ),
    ] {
        let read =
            BotSpec::parse(library(), spec).unwrap_or_else(|failure| panic!("{spec}: {failure:?}"));
        assert_eq!(
            (read.name.as_str(), read.bot.as_str()),
            (name, bot),
            "{spec}"
        );
        // The stored specification parses to itself.
        assert_eq!(
            BotSpec::parse(library(), &read.bot).unwrap().bot,
            bot,
            "{spec}"
        );
    }
}

/// A specification, and what of it the message names.
const MISTAKES: [(&str, &str); 14] = [
    ("", "`bot`"),
    ("name=alice", "`name=alice`"),
    ("name=,bot=greedy", "`name`"),
    ("name=a,name=b,bot=greedy", "`name`"),
    ("greedy,bot=odds", "`bot`"),
    ("greedy,fast", "`fast`"),
    ("greedy,", "comma"),
    ("ws://127.0.0.1:1/bot", "ws://127.0.0.1:1/bot"),
    ("greedy,nme=a", "`nme`"),
    ("greedy,encoding=raw", "`encoding`"),
    ("name=\"a,bot=greedy", "quote"),
    ("name=\"a\"b,bot=greedy", "quote"),
    ("http://127.0.0.1:1,dialect=snow", "`dialect`"),
    ("http://127.0.0.1:1,timeout=601", "600"),
];

#[test]
fn mistakes_in_specifications_have_messages_of_their_own() {
    let long = format!("name={},bot=greedy", "a".repeat(5_000));
    let mut texts = BTreeSet::new();
    for (spec, name) in MISTAKES.into_iter().chain([(long.as_str(), "4096")]) {
        let error = BotSpec::parse(library(), spec).expect_err(spec);
        let [finding] = &error.findings[..] else {
            panic!("{spec}: {error:?}");
        };
        assert_eq!(finding.code, "bot::spec", "{spec}");
        let text = finding.text.replace("4,096", "4096");
        assert!(text.contains(name), "{spec}: {text}");
        assert!(finding.help.is_some(), "{spec}");
        assert!(texts.insert(text), "{spec}: {finding}");
    }
}
