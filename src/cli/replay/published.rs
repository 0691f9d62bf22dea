//! The picture for previews of a page, and the address at which the page will be published.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::cli::{Error, exists};
use risk_report::viewer::PageAddress;

/// A page that will be published, with its picture.
pub(super) struct PublishedPage {
    pub(super) address: PageAddress,
    pub(super) picture: PathBuf,
}

impl PublishedPage {
    /// Returns the address and the picture of the page that `path` names. The picture has the same
    /// name, but ends with `.png`.
    pub(super) fn new(path: &Path, url: &str) -> Result<Self, Error> {
        if cfg!(not(feature = "pictures")) {
            return Err(Error::input(
                "cli::picture",
                "--url requires the feature `pictures`",
                "the program was built without it; write the page without --url",
            ));
        }
        if !is_address(url) {
            return Err(Error::input(
                "cli::url",
                format!("expected the address of a page, found `{url}`"),
                "write http:// or https:// with a host and a path but without `?` and `#`, for \
                 example https://example.org/game.html",
            ));
        }
        let picture = path.with_extension("png");
        let name = match picture.file_name() {
            Some(name) if picture != path => encoded(name),
            _ => {
                return Err(Error::input(
                    "cli::picture",
                    format!(
                        "the picture of the page would be {}, the page itself",
                        path.display()
                    ),
                    "give the page another name, for example game.html",
                ));
            }
        };
        let host = url.find("://").map_or(0, |at| at + 3);
        let folder = match url[host..].rfind('/') {
            Some(end) => url[..=host + end].to_owned(),
            None => format!("{url}/"),
        };
        Ok(Self {
            address: PageAddress {
                page: url.to_owned(),
                picture: format!("{folder}{name}"),
            },
            picture,
        })
    }

    /// Returns an error if the picture exists, unless `force` allows to overwrite it.
    pub(super) fn refuse_existing(&self, force: bool) -> Result<(), Error> {
        if !force && self.picture.exists() {
            return Err(exists(&self.picture.display().to_string()));
        }
        Ok(())
    }
}

/// Reports whether a text consists of `http://` or `https://`, a host and an optional path.
fn is_address(url: &str) -> bool {
    let place = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))
        .unwrap_or_default();
    let host = place.split('/').next().unwrap_or_default();
    !host.is_empty()
        && host
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-.:[]".contains(c))
        && !host.starts_with([':', '.', '-'])
        && place
            .chars()
            .all(|c| c.is_ascii_graphic() && !"?#\"<>\\^`{|}".contains(c))
}

/// Returns the name of a file as part of a URL.
fn encoded(name: &OsStr) -> String {
    let bytes = name.as_encoded_bytes().iter();
    let parts = bytes.map(|&byte| match byte {
        b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    });
    parts.collect()
}
