//! The actions of a game, in a few bytes each.

use risk_engine::{Action, Verb};
use risk_kernel::action::MAX_SLOTS;

/// Actions in order. Each is stored as its verb, the number of its parameters, and the parameters
/// with seven bits per byte, because many games keep many actions.
#[derive(Clone, Default)]
pub(super) struct ActionLog {
    bytes: Vec<u8>,
    len: u32,
}

/// Marks a byte after which a parameter goes on.
const MORE: u8 = 1 << 7;

impl ActionLog {
    /// Returns the number of actions.
    pub(super) const fn len(&self) -> u32 {
        self.len
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.len = 0;
    }

    pub(super) fn push(&mut self, action: Action) {
        let args = action.args();
        self.bytes.push(action.verb.0);
        self.bytes.push(args.len() as u8);
        for &arg in args {
            // The sign is the lowest bit.
            let mut rest = ((arg << 1) ^ (arg >> 31)) as u32;
            while rest >= u32::from(MORE) {
                self.bytes.push(rest as u8 | MORE);
                rest >>= 7;
            }
            self.bytes.push(rest as u8);
        }
        self.len += 1;
    }

    /// Returns all actions, the first action first.
    pub(super) fn actions(&self) -> Vec<Action> {
        let mut bytes = self.bytes.iter().copied();
        let mut actions = Vec::with_capacity(self.len as usize);
        while let Some(verb) = bytes.next() {
            let len = usize::from(bytes.next().unwrap_or(0)).min(MAX_SLOTS);
            let mut args = [0; MAX_SLOTS];
            for arg in &mut args[..len] {
                let mut rest = 0_u32;
                for shift in (0..32).step_by(7) {
                    let byte = bytes.next().unwrap_or(0);
                    rest |= u32::from(byte & !MORE) << shift;
                    if byte & MORE == 0 {
                        break;
                    }
                }
                *arg = (rest >> 1) as i32 ^ -((rest & 1) as i32);
            }
            actions.push(Action::new(Verb(verb), &args[..len]));
        }
        actions
    }
}
