//! Scripts that tests of several crates run.

/// A bot whose answer depends on all that it can learn from imagined games.
pub const CURIOUS: &str = r#"
fn answer(view, ask) {
    let sum = 0;
    for n in 0..2 {
        let game = view.imagine();
        for turn in 0..2 {
            for who in view.players {
                let seen = game.view_of(who);
                for armies in seen.all_armies { sum = (sum * 31 + armies + 1) % 1000003; }
                for owner in seen.all_owners { sum = (sum * 31 + owner + 1) % 1000003; }
                if view.ruleset == "hasbro" {
                    for card in seen.cards(who, "hand") { sum = (sum * 31 + card) % 1000003; }
                }
                sum = (sum * 31 + game.score(who)) % 1000003;
            }
            if game.is_over { break; }
            game.apply(game.ask.random());
            game.play_out("random", 1);
        }
    }
    ask.nth((sum + 1000003) % 1000003 % ask.len)
}
"#;

/// Returns a ruleset with the tables of codelab whose script fights: the attacker loses an army.
#[must_use]
pub fn fighting_ruleset(phase: &str, functions: &str) -> String {
    format!(
        "fn ruleset() {{ #{{
    extends: \"codelab\",
    name: \"mine\",
    phases: #{{ attack: {phase} }},
}} }}

fn attack_options(g, me, out) {{
    for from in g.owned(me) {{
        if g.armies(from) > 1 {{ out.offer(ATTACK, from, g.foes(me, from), 1); }}
    }}
    out.offer(DONE);
}}
fn attack_apply(g, me, said) {{
    if said.verb == DONE {{ g.done(me); return; }}
    fight(g, me, said);
}}
{functions}
"
    )
}

/// The attacker loses an army.
pub const LOSES: &str = "fn fight(g, me, said) { g.add_armies(said.from, -1); }";

/// One army conquers the territory with a chance of one half, or falls.
pub const TOSSES: &str = "fn fight(g, me, said) {
    if g.random(2) == 0 { g.add_armies(said.from, -1); return; }
    g.capture(said.from, said.to, 1);
}";
