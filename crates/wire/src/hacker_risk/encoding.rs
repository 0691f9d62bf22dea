//! Encodings of a state in the body of a request.

use crate::codec::Message;

risk_text::named! {
    /// The encoding of a state in the body of a request.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum BodyEncoding {
        /// A form with one field, `risk`, which contains JSON.
        #[default]
        Form = "form",
        /// The JSON without a wrapper.
        Raw = "raw",
        /// An object with one key, `risk`, which contains the JSON.
        Wrapped = "wrapped",
    }
}

impl BodyEncoding {
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
