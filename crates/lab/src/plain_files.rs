//! Safe access to files in folders that other users can write to. In such a folder, a link may
//! point to any file, and opening a named pipe may block forever.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

#[cfg(unix)]
use rustix::fs::OFlags;

const LINK: &str = "symlinks are not followed; replace the link with the file or folder itself";
const NO_FILE: &str = "not a regular file";

/// Opens a file for reading and appending. An existing path must be a regular file and not a
/// symlink. No other file is changed.
///
/// # Errors
/// Returns an error if the path is neither free nor a regular file, or if the system fails.
pub fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    if let Ok(there) = fs::symlink_metadata(path) {
        if there.is_symlink() {
            return Err(io::Error::other(LINK));
        }
        if !there.is_file() {
            return Err(io::Error::other(NO_FILE));
        }
    }
    // A link or a pipe may be created between the check and this call.
    #[cfg(unix)]
    set(options, OFlags::NOFOLLOW | OFlags::NONBLOCK);
    regular(options.open(path)?)
}

/// Opens a file for reading and appending, or creates it if it is missing. The file remains locked
/// against other writers until it is closed. Returns `None` if another program is writing it.
///
/// # Errors
/// Returns the same errors as [`open`].
pub fn lock(path: &Path) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    let file = open(options.read(true).append(true).create(true), path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Opens a file for reading. Follows symlinks, because several folders may share a file.
///
/// # Errors
/// Returns an error if the path is not a regular file, or if the system fails.
pub fn open_to_read(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    set(&mut options, OFlags::NONBLOCK);
    regular(options.open(path)?)
}

/// Creates a folder for files if it is missing. The path must not be a symlink.
///
/// # Errors
/// Returns an error if the path is a symlink, or if the system fails.
pub fn make_folder(path: &Path) -> io::Result<()> {
    refuse_link(path)?;
    fs::create_dir_all(path)
}

/// Checks that the path is not a symlink, so that no files are written through a link.
///
/// # Errors
/// Returns an error if the path is a symlink.
pub fn refuse_link(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_symlink() => Err(io::Error::other(LINK)),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn set(options: &mut OpenOptions, flags: OFlags) {
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags(flags.bits().cast_signed());
}

fn regular(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::other(NO_FILE))
    }
}
