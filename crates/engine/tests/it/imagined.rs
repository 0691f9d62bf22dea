//! Games that scripts imagine: they reveal nothing hidden, follow the rules, and have a cost.

use risk_engine::script::bot::ScriptBot;
use risk_engine::script::{Budget, Exceeded, Script, ScriptFault, ScriptLimits};
use risk_engine::{Purpose, Setup, Stream, script_bot};
use risk_kernel::action::Action;
use risk_kernel::fault::{BotFault, FaultKind};
use risk_kernel::stepper::{Decision, Stepper};
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot};
use risk_maps::files::FileKind;
use risk_testing::by_case::each;
use risk_testing::facts::has_words;
use risk_testing::games as support;
use risk_testing::games::library;
use risk_testing::scripts::CURIOUS;
use risk_testing::stepped::begin;

fn bot(text: &str, setup: &Setup, stepper: &Stepper) -> ScriptBot {
    let source = setup.rules_source(setup.bots.len());
    let script = Script::alone("dreamer", text);
    script_bot(&script, stepper.game().decl(), None, &source).unwrap()
}

fn said(bot: &mut ScriptBot, view: &View, decision: &Decision) -> Result<(Action, u64), BotFault> {
    bot.start(view, Stream::new(7, 7, Purpose::Player(0)));
    match bot.answer(view, &decision.options) {
        Ok(Answer::One(action)) => Ok((action, bot.spent())),
        Ok(Answer::Steps(_)) => unreachable!("it says one action"),
        Err(fault) => Err(fault),
    }
}

/// The answer is the same in the real game and in games that the player could take for it.
#[test]
fn nothing_hidden_can_be_learnt() {
    each(library().names(FileKind::Ruleset), |ruleset| {
        let manifest = risk_engine::load_ruleset(library(), ruleset)
            .unwrap()
            .manifest;
        let bots = vec!["random"; manifest.players.0.max(2)];
        let mut setup = support::setup(ruleset, None, &bots, 5, &[("max_turns", "20")]);
        setup.limits.budget = Budget(20_000_000);
        let (mut rules, mut stepper, mut table) = begin(&setup, 0);
        let mut curious = bot(CURIOUS, &setup, &stepper);
        let mut looked = 0;
        let mut decided = 0;
        while let Some(decision) = stepper.decisions().first().cloned() {
            if decided % 19 == 18 && looked < 3 {
                looked += 1;
                let me = decision.player;
                let real = said(&mut curious, &stepper.view(me), &decision).unwrap();
                let other = stepper.imagine(&mut rules, me, decided).unwrap();
                let other = said(&mut curious, &other.view(me), &decision).unwrap();
                assert_eq!(real, other, "{ruleset}, decision {decided}");
            }
            decided += 1;
            let action = table.answer(&stepper, &decision);
            stepper.apply(&mut rules, decision.player, action).unwrap();
        }
        assert!(looked > 0, "{ruleset}: {decided}");
    });
}

/// Guarantees for scripts; each line fails the game if it does not hold.
const LAWS: &str = r#"
fn hold(is_true, what) { if !is_true { throw what; } }
fn first(view, ask) { ask.nth(0) }
fn picture(game, me) { let seen = game.view_of(me); [seen.all_armies, seen.all_owners, seen.round] }
fn answer(view, ask) {
    let me = view.me;
    let game = view.imagine();
    hold(game.player == me && !game.is_over && game.winners == [], "it is my decision");
    hold(game.ask.len == ask.len && game.options().len == ask.len, "the same options");
    hold(picture(game, me) == [view.all_armies, view.all_owners, view.round], "what I see");
    let copy = game.copy();
    copy.apply(copy.ask.nth(0));
    hold(picture(game, me) == [view.all_armies, view.all_owners, view.round], "a copy is another");
    let again = game.copy();
    again.apply(again.options()[0]);
    hold(picture(copy, me) == picture(again, me), "the same dice");
    copy.play_out("outnumber", 1);
    hold(copy.is_over || copy.view.round == view.round + 1, "one round");
    again.play_out(|view, ask| ask.nth(ask.len - 1), 1);
    hold(again.is_over || again.view.round == view.round + 1, "one round by a function");
    let same = game;
    same.reseed();
    same.play_out(Fn("first"), 1);
    hold(game.is_over || game.view.round == view.round + 1, "a name is no copy");
    let end = view.imagine();
    end.play_out("outnumber", 1000);
    hold(end.is_over && end.player == NOBODY && end.view.me == me, "to the end");
    let scores = view.players.map(|who| who).len;
    hold(scores == view.players.len && end.score(me) >= 0, "scores");
    ask.random()
}
"#;

#[test]
fn imagined_games_go_by_the_rules() {
    for ruleset in ["hasbro", "codelab", "simplified", "warzone"] {
        let bots = ["random"; 3];
        let mut setup = support::setup(
            ruleset,
            None,
            &bots[..2 + usize::from(ruleset == "hasbro")],
            5,
            &[("max_turns", "8")],
        );
        setup.limits.budget = Budget(20_000_000);
        let (mut rules, mut stepper, mut table) = begin(&setup, 0);
        let mut lawyer = bot(LAWS, &setup, &stepper);
        let mut decided = 0;
        while let Some(decision) = stepper.decisions().first().cloned() {
            if decided % 67 == 0 {
                let seen = stepper.view(decision.player);
                let heard = said(&mut lawyer, &seen, &decision);
                assert!(heard.is_ok(), "{ruleset}, decision {decided}: {heard:?}");
            }
            decided += 1;
            let action = table.answer(&stepper, &decision);
            stepper.apply(&mut rules, decision.player, action).unwrap();
        }
    }
}

/// Returns the kind of a fault, and the script's own report.
fn parts(fault: &BotFault) -> (FaultKind, &ScriptFault) {
    let BotFault::Strike { kind, source, .. } = fault else {
        panic!("{fault}");
    };
    let report = source.as_deref().and_then(|it| it.downcast_ref());
    (*kind, report.unwrap_or_else(|| panic!("{fault}")))
}

/// Calls that fail; the fault's kind, and the names and numbers in its text.
const REFUSED: [(&str, FaultKind, &str); 13] = [
    (
        "view.imagine().play_out(\"general\", 1)",
        FaultKind::Script,
        "general",
    ),
    (
        "view.imagine().play_out(\"random\", 0)",
        FaultKind::Script,
        "rounds 1",
    ),
    ("view.imagine().apply(7)", FaultKind::Script, "action"),
    ("view.imagine().apply([])", FaultKind::Script, "action"),
    (
        "view.imagine().apply(ask.act(\"done\"))",
        FaultKind::Script,
        "done claim",
    ),
    ("view.imagine().score(9)", FaultKind::Script, "9"),
    ("view.imagine().view_of(-1)", FaultKind::Script, "-1"),
    (
        "let game = view.imagine(); game.play_out(|view, ask| { view.imagine(); ask.nth(0) }, 1)",
        FaultKind::Script,
        "policy",
    ),
    (
        "view.imagine().play_out(|view, ask| 7, 1)",
        FaultKind::Script,
        "action",
    ),
    (
        "let game = view.imagine(); game.play_out(\"random\", 100000); game.ask",
        FaultKind::Script,
        "game over",
    ),
    ("loop { view.imagine(); }", FaultKind::Budget, "300000"),
    (
        "let game = view.imagine(); loop { game.copy().play_out(\"random\", 100000); }",
        FaultKind::Budget,
        "300000",
    ),
    (
        "let game = view.imagine(); loop { game.copy().play_out(|view, ask| ask.nth(0), 9); }",
        FaultKind::Budget,
        "300000",
    ),
];

#[test]
fn what_can_not_be_imagined_is_a_fault() {
    let setup = support::setup("hasbro", None, &["random"; 3], 5, &[("max_turns", "30")]);
    let (_, stepper, _) = begin(&setup, 0);
    let decision = stepper.decisions()[0].clone();
    let view = stepper.view(decision.player);
    for (call, wanted, facts) in REFUSED {
        let text = format!("fn answer(view, ask) {{ {call}; ask.random() }}");
        let mut tried = bot(&text, &setup, &stepper);
        let fault = said(&mut tried, &view, &decision).unwrap_err();
        let (kind, script) = parts(&fault);
        let expected = match wanted {
            FaultKind::Budget => "script::budget",
            _ => "script::failed",
        };
        assert_eq!(
            (kind, &*script.code),
            (wanted, expected),
            "{call}: {script}"
        );
        assert!(has_words(&script.text, facts), "{call}: {script}");
    }
}

/// Before the game there is none to imagine; the fault comes with the first answer.
#[test]
fn games_are_imagined_while_the_bot_decides() {
    let setup = support::setup("hasbro", None, &["random"; 3], 5, &[]);
    let (_, stepper, _) = begin(&setup, 0);
    let decision = stepper.decisions()[0].clone();
    let text = "fn new_game(view) { view.imagine(); } fn answer(view, ask) { ask.random() }";
    let mut early = bot(text, &setup, &stepper);
    let fault = said(&mut early, &stepper.view(decision.player), &decision).unwrap_err();
    let (kind, script) = parts(&fault);
    assert_eq!(
        (kind, &*script.code),
        (FaultKind::Script, "script::failed"),
        "{script}"
    );
    assert_eq!(script.hook.as_deref(), Some("new_game"), "{script}");
}

/// Copies count as the script's own memory, in any form.
#[test]
fn what_is_imagined_is_held_to_the_memory_of_a_script() {
    let setup = support::setup("hasbro", Some("grid:40x40"), &["random"; 3], 5, &[]);
    let (_, stepper, _) = begin(&setup, 0);
    let decision = stepper.decisions()[0].clone();
    let source = setup.rules_source(3);
    let limits = ScriptLimits {
        budget: Budget(u64::MAX),
        ..setup.limits.clone()
    };
    let endless = setup.rules.rules_source(source.players(), &limits);
    for keep in [
        "game.copy()",
        "{ let it = game.copy(); it.apply(ask.nth(0)); it.view }",
    ] {
        let text = format!(
            "fn answer(view, ask) {{ let game = view.imagine(); let all = []; loop {{ all.push({keep}); }} }}"
        );
        let script = Script::alone("hoarder", &text);
        let mut hoarder = script_bot(&script, stepper.game().decl(), None, &endless).unwrap();
        let fault = said(&mut hoarder, &stepper.view(decision.player), &decision).unwrap_err();
        let (_, script) = parts(&fault);
        let limits = [Exceeded::Memory, Exceeded::Copies, Exceeded::Size];
        let is_limit = script.exceeded.is_some_and(|it| limits.contains(&it));
        assert!(is_limit, "{keep}: {script}");
    }
}
