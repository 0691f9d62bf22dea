//! Files of folders that somebody else may have filled: a link there may lead to any file, and a
//! named pipe keeps whoever opens it waiting for good.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

#[cfg(unix)]
use rustix::fs::OFlags;

const LINK: &str = "it is a symlink, and may lead anywhere: put what it leads to in its place";
const NO_FILE: &str = "it is not a regular file";

/// Opens a file that is read and added to. What is there must be a regular file, and no symlink:
/// else nothing is changed.
///
/// # Errors
/// When it is something else, or the system refuses.
pub fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    if let Ok(there) = fs::symlink_metadata(path) {
        if there.is_symlink() {
            return Err(io::Error::other(LINK));
        }
        if !there.is_file() {
            return Err(io::Error::other(NO_FILE));
        }
    }
    // Somebody may put a link or a pipe there at this moment.
    #[cfg(unix)]
    set(options, OFlags::NOFOLLOW | OFlags::NONBLOCK);
    regular(options.open(path)?)
}

/// Opens a file that is only read, through symlinks too: several folders may share one.
///
/// # Errors
/// When it is no regular file, or the system refuses.
pub fn open_to_read(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    set(&mut options, OFlags::NONBLOCK);
    regular(options.open(path)?)
}

/// Makes a folder that files are written into, where it is not there. It must not be a symlink.
///
/// # Errors
/// When it is one, or the system refuses.
pub fn make_folder(path: &Path) -> io::Result<()> {
    refuse_link(path)?;
    fs::create_dir_all(path)
}

/// Refuses a folder that files would be written into through a symlink.
///
/// # Errors
/// When it is one.
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
