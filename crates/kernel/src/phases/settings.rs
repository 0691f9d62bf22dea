//! One-line descriptions of standard phases' settings and of the tables that rulesets share.

/// Returns the description of a standard phase's setting, with its default.
#[must_use]
pub fn setting(name: &str) -> Option<&'static str> {
    Some(match name {
        "at_a_time" => "armies that a player places in one turn (1)",
        "on_free" => "whether armies can be placed on free territories too (false)",
        "least" => "minimum income from territories and continents together (0)",
        "equal_once" => "whether continents with the same bonus count only once (false)",
        "limit" => "hand size at which a trade is forced (5)",
        "set_step" => {
            "armies added for each set beyond the table `set_value`; 0 if it covers all sets (0)"
        }
        "land_bonus" => "armies on the territory of a traded card, if the player owns it (2)",
        "once" => "whether a player can trade only one set (false)",
        "move_in" => "armies that move in after a conquest; 0 for the number of dice rolled (0)",
        "auto_end" => "whether the phase ends when no attack is possible (false)",
        "always" => "whether players who have only one possible answer are asked too (false)",
        "defend" => "whether the phase `defend` asks defenders for their dice (false)",
        "may_pass" => "whether a player who can attack may pass (false)",
        "anywhere" => "whether armies can move to any own territory (false)",
        "through_partners" => {
            "whether armies can move through connected own and partners' territories (false)"
        }
        "orders" => "the orders: the verb, its target `to`, and the counter that it `spends`",
        "again" => "whether armies that were ordered away can be ordered again (false)",
        "distinct" => "whether a pair of territories can have only one order (false)",
        "guard" => "whether one army must stay (true)",
        "old_guard" => "whether the army left behind must not have arrived this turn (false)",
        "fallen" => {
            "defenders that die first: \"newcomers\", \"ready\" (still able to move) or \
             \"anyone\" (newcomers)"
        }
        "goes_on" => "whether a player's next order replaces one that can't be executed (false)",
        "classes" => "the verbs in each class of orders, in execution order",
        "movers" => {
            "order of the players: \"fixed\", \"cycle\", \"random\", \"snake\" or \"shuffled\" (fixed)"
        }
        "card" => "whether a player who conquered a territory in the turn draws a card (false)",
        "exhausted" => {
            "whether the hook on_exhausted is called when no player can attack, or every player \
             able to attack has passed (false)"
        }
        "targets" => "the table or the function that decides which territories can be targets",
        "verbs" => "the script's own verbs, which PHASE_options offers and PHASE_apply executes",
        "veto" => "the function that returns why an answer or an order has no effect, or ()",
        "after" => "the function with the effect after an answer or an order",
        "recycle" => "whether the discards are shuffled when the deck is empty (false)",
        _ => return None,
    })
}

/// Returns the description of a table that the standard phases or `odds` use.
#[must_use]
pub fn table(name: &str) -> Option<&'static str> {
    Some(match name {
        "income" => "income in armies, by the number of territories",
        "set_value" => "armies for a set of cards, by the number of sets traded before",
        "is_set" => "1 if three cards of these kinds are a set",
        "asks_set" => "1 if a player who holds cards of these kinds is asked for a set",
        "attack_dice" => "maximum number of attack dice, by the armies that may leave",
        "defend_dice" => "maximum number of defence dice, by the defending armies",
        "most_pairs" => "maximum number of dice pairs that count, by the armies that may leave",
        "compares" => {
            "1 if a pair of dice (numbered from 0) is compared, by the armies that may still leave \
             and those still defending"
        }
        "pair_won" => "1 if the attacker's die beats the defender's",
        "kill_percent" => "chance in percent that an army kills, by side: 0 attacking, 1 defending",
        "kill_luck" => "percentage of a battle that is decided by chance",
        "kill_weighted" => "1 to round a fraction of a kill by chance, 0 to round to the nearest",
        _ => return None,
    })
}
