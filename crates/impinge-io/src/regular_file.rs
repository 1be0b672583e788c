//! Reads regular files as a whole; any other kind of file is refused.

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;

use crate::error::Fault;

/// The bytes of a regular file.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, Fault> {
    RegularFile::open(path)?.read_rest(Vec::new())
}

/// A file that is open, and its length.
pub(crate) struct RegularFile {
    pub(crate) file: File,
    pub(crate) len: u64,
}

impl RegularFile {
    /// Anything but a regular file (a folder, a pipe, a device) is refused before it is opened, since opening a pipe
    /// may wait for ever.
    pub(crate) fn open(path: &Path) -> Result<RegularFile, Fault> {
        check_regular(&std::fs::metadata(path).map_err(unreadable)?)?;
        let file = File::open(path).map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        check_regular(&metadata)?;
        Ok(RegularFile { file, len: metadata.len() })
    }

    /// Appends up to `most` bytes.
    pub(crate) fn read_into(&mut self, bytes: &mut Vec<u8>, most: u64) -> Result<(), Fault> {
        (&mut self.file).take(most).read_to_end(bytes).map(drop).map_err(unreadable)
    }

    /// Appends what follows after `bytes`, which have been read already.
    pub(crate) fn read_rest(mut self, mut bytes: Vec<u8>) -> Result<Vec<u8>, Fault> {
        let too_large = || Fault::new(format!("{} bytes do not fit into memory", self.len), "split the file");
        let rest = self.len.saturating_sub(bytes.len() as u64);
        let room = usize::try_from(rest).map_err(|_| too_large())?;
        bytes.try_reserve_exact(room).map_err(|_| too_large())?;
        self.read_into(&mut bytes, rest)?;
        Ok(bytes)
    }
}

fn unreadable(error: std::io::Error) -> Fault {
    let help = match error.kind() {
        std::io::ErrorKind::NotFound => "check the path",
        std::io::ErrorKind::PermissionDenied => "check the permissions",
        _ => "check that the file can be read",
    };
    Fault::new(format!("cannot be read: {error}"), help)
}

fn check_regular(metadata: &Metadata) -> Result<(), Fault> {
    if metadata.is_file() {
        return Ok(());
    }
    let kind = if metadata.is_dir() { "a folder" } else { "a pipe, a socket or a device" };
    Err(Fault::new(format!("is {kind}, not a file"), "give a mesh file: STL, OBJ, PLY, OFF, glTF or GLB, plain or .gz"))
}
