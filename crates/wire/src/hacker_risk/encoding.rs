//! Encodings of a state in the body of a request.

use crate::codec::Message;

/// The encoding of a state in the body of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyEncoding {
    /// A form with one field, `risk`, which contains JSON.
    #[default]
    Form,
    /// The JSON without a wrapper.
    Raw,
    /// An object with one key, `risk`, which contains the JSON.
    Wrapped,
}

impl BodyEncoding {
    /// All encodings, in the order of the protocol's setting.
    pub const ALL: [Self; 3] = [Self::Form, Self::Raw, Self::Wrapped];

    /// Returns the name on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Form => "form",
            Self::Raw => "raw",
            Self::Wrapped => "wrapped",
        }
    }

    /// Creates a message with a state as its body.
    #[must_use]
    pub fn message(self, path: &'static str, state: String) -> Message {
        let (body, content_type) = match self {
            Self::Form => {
                let mut form = form_urlencoded::Serializer::new(String::new());
                let body = form.append_pair("risk", &state).finish();
                (body, "application/x-www-form-urlencoded")
            }
            Self::Raw => (state, "application/json"),
            Self::Wrapped => (format!("{{\"risk\":{state}}}"), "application/json"),
        };
        Message {
            path,
            body,
            content_type,
        }
    }
}
