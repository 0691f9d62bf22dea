//! The values that the hook `aim` of a bot returns.

use rhai::{Array, Dynamic, INT, Map};

use super::api;
use risk_kernel::Aim;
use risk_kernel::id::{Player, Territory};
use risk_kernel::view::View;
use risk_text::suggest;

/// The keys of the map that the hook returns.
const KEYS: [&str; 5] = ["take", "hold", "target", "chance", "left"];

/// Reads what a script's bot is after. `()` means nothing.
pub(super) fn read(returned: Dynamic, view: &View) -> Result<Option<Aim>, String> {
    if returned.is_unit() {
        return Ok(None);
    }
    let kind = api::kind(&returned);
    let map = returned
        .try_cast::<Map>()
        .ok_or_else(|| format!("`aim` must return a map or (), found {kind}"))?;
    let mut aim = Aim::default();
    for (key, value) in map {
        match key.as_str() {
            "take" => aim.take = territories(&key, value, view)?,
            "hold" => aim.hold = territories(&key, value, view)?,
            "target" => aim.target = player(&value, view)?,
            "chance" => aim.chance = number(&key, &value, 1.0)?,
            "left" => aim.left = number(&key, &value, f64::from(i32::MAX))?,
            other => {
                return Err(format!(
                    "`aim` returned the unknown key `{other}`: {}",
                    suggest::help(other, KEYS)
                ));
            }
        }
    }
    Ok((!aim.is_empty()).then_some(aim))
}

fn territories(key: &str, value: Dynamic, view: &View) -> Result<Vec<Territory>, String> {
    let most = view.board().len();
    let wrong = || format!("`{key}` of `aim` must be an array of territories");
    let values = value.try_cast::<Array>().ok_or_else(wrong)?;
    let territory = |value: Dynamic| {
        let index = value.as_int().ok().and_then(|it| usize::try_from(it).ok());
        let index = index.filter(|&index| index < most).ok_or_else(wrong)?;
        Ok(Territory::from_index(index))
    };
    values.into_iter().map(territory).collect()
}

/// Reads a player. `()` and `NOBODY` mean no player.
fn player(value: &Dynamic, view: &View) -> Result<Option<Player>, String> {
    let number: Option<INT> = value.as_int().ok();
    if value.is_unit() || number == Some(-1) {
        return Ok(None);
    }
    let index = number.and_then(|number| usize::try_from(number).ok());
    index
        .filter(|&index| index < view.players())
        .map(|index| Some(Player::from_index(index)))
        .ok_or_else(|| "`target` of `aim` must be a player".to_owned())
}

/// Reads a number. `()` means an unknown number.
fn number(key: &str, value: &Dynamic, most: f64) -> Result<Option<f64>, String> {
    if value.is_unit() {
        return Ok(None);
    }
    let whole = || value.as_int().map(|number| number as f64);
    let number = value.as_float().or_else(|_| whole());
    number
        .ok()
        .filter(|number| (0.0..=most).contains(number))
        .map(Some)
        .ok_or_else(|| format!("`{key}` of `aim` must be a number from 0 to {most}"))
}
