//! Errors of requests to a ladder, as JSON for programs and as pages for browsers.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use serde_json::{Value, json};

use super::{LadderService, pages};
use crate::joining::value;
use risk_lab::ladder::LadderFault;

pub(super) type SharedLadder = State<Arc<LadderService>>;

pub(super) struct RequestError {
    pub(super) status: StatusCode,
    /// The machine-readable reason, such as `ladder::too-large`.
    pub(super) code: &'static str,
    pub(super) text: String,
    /// The findings of a check.
    pub(super) report: Option<Value>,
    /// The message to the operator, or `None` if the server works.
    pub(super) broken: Option<String>,
}

impl RequestError {
    /// Reports the message to the operator, if there is one.
    pub(super) fn reported_by(self, served: &LadderService) -> Self {
        if let Some(text) = &self.broken {
            served
                .tell
                .print(&format!("failed to process a request: {text}"));
        }
        self
    }
}

pub(super) fn refused(
    status: StatusCode,
    code: &'static str,
    text: impl Into<String>,
) -> RequestError {
    RequestError {
        status,
        code,
        text: text.into(),
        report: None,
        broken: None,
    }
}

impl From<LadderFault> for RequestError {
    fn from(fault: LadderFault) -> Self {
        let (status, code, text) = match fault {
            LadderFault::Bad(text) => (StatusCode::BAD_REQUEST, "ladder::name", text),
            LadderFault::Taken(text) => (StatusCode::CONFLICT, "ladder::name-taken", text),
            LadderFault::Unknown(text) => (StatusCode::NOT_FOUND, "ladder::unknown", text),
            LadderFault::Full(text) => (StatusCode::TOO_MANY_REQUESTS, "ladder::full", text),
            LadderFault::Broken(why) => {
                let text = "the ladder can't write to its disk: contact its operator";
                return Self {
                    broken: Some(why),
                    ..refused(StatusCode::INSUFFICIENT_STORAGE, "ladder::disk", text)
                };
            }
        };
        refused(status, code, text)
    }
}

impl IntoResponse for RequestError {
    fn into_response(self) -> Response {
        let mut document = json!({ "error": self.text, "code": self.code });
        if let Some(report) = self.report {
            document["findings"] = report["findings"].clone();
            document["trial"] = report["trial"].clone();
        }
        let response = (self.status, Json(document)).into_response();
        if self.status == StatusCode::UNAUTHORIZED {
            return ([(header::WWW_AUTHENTICATE, "Bearer")], response).into_response();
        }
        response
    }
}

pub(super) fn by_token(served: &LadderService, word: &str) -> Result<String, RequestError> {
    served.ladder.person_of(word).ok_or_else(|| {
        let text = "missing or unknown token: send it as `Authorization: Bearer TOKEN`";
        refused(StatusCode::UNAUTHORIZED, "ladder::token", text)
    })
}

/// Reports whether the client is a browser that opens a page.
pub(super) fn wants_page(headers: &HeaderMap) -> bool {
    value(headers, header::ACCEPT).contains("text/html")
}

/// Converts an error to a page if the client wants one.
pub(super) fn for_client(
    served: &LadderService,
    headers: &HeaderMap,
    answer: Result<Response, RequestError>,
) -> Response {
    answer.unwrap_or_else(|error| {
        if wants_page(headers) {
            let text = if error.code == "ladder::token" {
                "The token is missing or unknown: copy it from the page that welcomed you when \
                 you registered."
            } else {
                &error.text
            };
            let page = pages::refused(served, error.status, text);
            return (error.status, Html(page)).into_response();
        }
        error.into_response()
    })
}
