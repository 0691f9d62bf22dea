//! One-line descriptions of the settings of standard phases, and of the tables that rulesets share.

/// Returns the description of a standard phase's setting, with its default.
#[must_use]
pub fn setting(name: &str) -> Option<&'static str> {
    Some(match name {
        "at_a_time" => "armies that a player places before it is the next player's turn (1)",
        "on_free" => "may free territories be taken, too? (false)",
        "least" => "the fewest armies, for territories and continents together (0)",
        "equal_once" => "do continents with the same bonus bring it once for all of them? (false)",
        "limit" => "with so many cards a player must trade (5)",
        "set_step" => {
            "armies more for each set beyond the table `set_value`; 0: no set is beyond it (0)"
        }
        "land_bonus" => "armies on the territory of a traded card that its player owns (2)",
        "once" => "is one set all that is traded? (false)",
        "move_in" => "armies that follow a conquest at once; 0 for as many as dice attacked (0)",
        "auto_end" => "does the phase end by itself when no attack is possible? (false)",
        "may_pass" => "may a player who could attack pass? (false)",
        "anywhere" => "may armies move to any territory of one's own? (false)",
        "through_partners" => {
            "may armies cross land of one's own and of partners, to any that is reached so? (false)"
        }
        "orders" => "what may be ordered: the verb, where `to`, and which counter it `spends`",
        "again" => "may armies that were ordered away be ordered again? (false)",
        "distinct" => "may armies be ordered from one territory to another only once? (false)",
        "guard" => "must one army stay behind? (true)",
        "old_guard" => "must the army that stays have stood there before? (false)",
        "fallen" => {
            "who falls first in defence: \"newcomers\", those who are \"ready\" to go, or \
             \"anyone\" (newcomers)"
        }
        "goes_on" => "does an order that can't be executed give way to the player's next? (false)",
        "classes" => "the verbs of each class of orders, which are executed class by class",
        "movers" => {
            "who goes first: \"fixed\", \"cycle\", \"random\", \"snake\" or \"shuffled\" (fixed)"
        }
        "card" => "does a player who took a territory in this turn draw a card? (false)",
        "exhausted" => {
            "is the hook on_exhausted called when nobody can attack, or all who can passed? (false)"
        }
        "recycle" => "are the discards shuffled when the deck is empty? (false)",
        _ => return None,
    })
}

/// Returns the description of a table that the standard phases or `odds` use.
#[must_use]
pub fn table(name: &str) -> Option<&'static str> {
    Some(match name {
        "income" => "armies for so many territories",
        "set_value" => "armies for a set of cards, after so many sets in this game",
        "is_set" => "1 if three cards of these kinds are a set",
        "attack_dice" => "the most dice for so many armies that may leave",
        "defend_dice" => "the most dice for so many armies that defend",
        "most_pairs" => "the most pairs of dice that count, for so many armies that may leave",
        "compares" => {
            "1 if a pair of dice, from 0, is compared, with so many armies left that may leave, \
             and that defend"
        }
        "pair_won" => "1 if the attacker's die beats the defender's",
        "kill_percent" => "chance in percent that an army kills: 0 attacking, 1 defending",
        "kill_luck" => "percent of a battle that is left to chance",
        "kill_weighted" => "1 if a part of a kill is rounded by chance, 0 if to the nearest",
        _ => return None,
    })
}
