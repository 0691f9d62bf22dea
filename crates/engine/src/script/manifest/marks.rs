//! Reads `marks`: the numbers of territories that rules set.

use rhai::Map;

use super::reader::{DeclarationReader, range_of};
use super::sentences::map_of;
use risk_kernel::declare::{MarkDecl, Visibility};
use risk_kernel::fight_class::MOST_CLASS;
use risk_kernel::state::MOST;

/// The maximum number of marks. Each is a number for each territory.
const MOST_MARKS: usize = 16;

impl DeclarationReader<'_> {
    pub(super) fn marks(&mut self, map: &Map) -> Vec<MarkDecl> {
        let section = self.section(map, "marks");
        if section.len() > MOST_MARKS {
            self.wrong("marks", "a map with at most 16 entries");
            return Vec::new();
        }
        let names = section.keys().map(ToString::to_string);
        names.filter_map(|name| self.mark(&section, name)).collect()
    }

    fn mark(&mut self, section: &Map, name: String) -> Option<MarkDecl> {
        let known = ["seen", "range", "title", "strength"];
        let seen = self.seen_of(&name, &section[name.as_str()], &known);
        let (seen, in_sight) = match seen.into_string().as_deref() {
            Ok("all") => (Visibility::All, false),
            Ok("sight") => (Visibility::All, true),
            Ok("owner") => (Visibility::Owner, false),
            Ok("nobody") => (Visibility::Nobody, false),
            _ => {
                let expected =
                    "\"all\", \"sight\", \"owner\" or \"nobody\": the players who see it";
                self.wrong(&name, expected);
                return None;
            }
        };
        let entry = map_of(section, &name);
        let most = MOST as i32;
        let range = entry.get("range").map_or(Some((0, most)), range_of);
        let fits =
            |&(low, high): &(i32, i32)| low >= -most && low <= 0 && (0..=most).contains(&high);
        let Some(range) = range.filter(fits) else {
            let expected = "a range that contains 0, which territories begin with, for example \
                            0..=9, within -1,000,000,000..=1,000,000,000";
            self.wrong("range", expected);
            return None;
        };
        let strength = entry.get("strength").map_or(Ok(0), |value| value.as_int());
        let strength = strength.ok().filter(|it| {
            let adds = i64::from(range.1).checked_mul(*it);
            *it == 0
                || (range.0 == 0
                    && adds.is_some_and(|adds| (1..=MOST_CLASS.into()).contains(&adds)))
        });
        let Some(strength) = strength else {
            let expected = "an integer from 0 that is at most 15 times the highest value of `range`, \
                            and 0 if values can be negative";
            self.wrong("strength", expected);
            return None;
        };
        let title = if entry.contains_key("title") {
            self.title(&entry, "title", &name)?
        } else {
            name.replace('_', " ")
        };
        Some(MarkDecl {
            name,
            seen,
            in_sight,
            range,
            title,
            strength: strength as u8,
        })
    }
}
