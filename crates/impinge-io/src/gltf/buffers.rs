//! The buffers of a glTF document, fetched when first used.

use super::json::Value;
use super::tables::Tables;
use super::uri::{self, Folder};
use crate::budget::Budget;
use crate::error::{CUT_OFF, Fault};
use crate::regular_file::read_file;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

pub(super) struct Buffers<'a> {
    folder: Folder,
    /// The binary chunk of a GLB file.
    binary: Option<&'a [u8]>,
    /// For each buffer where in `contents` its data is, once fetched.
    fetched: Vec<Option<u32>>,
    contents: Vec<Cow<'a, [u8]>>,
    files: BTreeMap<PathBuf, u32>,
}

impl<'a> Buffers<'a> {
    /// Checks the URIs of all buffers, also of those that are never used.
    pub(super) fn new(
        tables: &Tables<'a>,
        binary: Option<&'a [u8]>,
        folder: Folder,
        budget: &mut Budget,
    ) -> Result<Buffers<'a>, Fault> {
        for at in &tables.buffers {
            let buffer = tables.json.value(*at);
            if let Some(uri) = buffer.get("uri")? {
                let text = uri.string()?;
                match uri::data(&text) {
                    Some(data) => data.map(drop).map_err(|fault| place(fault, uri))?,
                    None => uri::relative_path(&text).map(drop).map_err(|fault| place(fault, uri))?,
                }
            }
        }
        let mut fetched = budget.vec(tables.buffers.len())?;
        fetched.resize(tables.buffers.len(), None);
        Ok(Buffers { folder, binary, fetched, contents: Vec::new(), files: BTreeMap::new() })
    }

    /// Fetches the data of a buffer unless that was done before.
    pub(super) fn fetch(&mut self, tables: &Tables<'a>, index: u32, budget: &mut Budget) -> Result<(), Fault> {
        let Some(slot) = self.fetched.get(index as usize) else {
            return Err(Fault::new(format!("there is no buffer {index}"), crate::error::MALFORMED));
        };
        if slot.is_none() {
            let buffer = tables.json.value(tables.buffers[index as usize]);
            let content = self.load(buffer, index, budget).map_err(|fault| place(fault, buffer))?;
            self.fetched[index as usize] = Some(content);
        }
        Ok(())
    }

    /// The data of a buffer that has been fetched.
    pub(super) fn get(&self, index: u32) -> &[u8] {
        let content = self.fetched.get(index as usize).copied().flatten();
        content.and_then(|content| self.contents.get(content as usize)).map_or(&[], |content| content)
    }

    fn load(&mut self, buffer: Value<'a>, index: u32, budget: &mut Budget) -> Result<u32, Fault> {
        let len =
            buffer.get("byteLength")?.ok_or_else(|| Fault::new("\"byteLength\" is missing here", CUT_OFF))?.whole()?;
        let content = match buffer.get("uri")? {
            Some(uri) => {
                budget.take(uri.len())?;
                let text = uri.string()?;
                match uri::data(&text) {
                    Some(data) => {
                        let bytes = decode(data?, budget)?;
                        budget.give(uri.len());
                        Cow::Owned(bytes)
                    }
                    None => {
                        let path = self.folder.resolve(&uri::relative_path(&text)?)?;
                        if let Some(known) = self.files.get(&path) {
                            return self.check_len(*known, len);
                        }
                        let bytes = read_file(&path)?;
                        budget.extend(bytes.len());
                        self.files.insert(path, self.contents.len() as u32);
                        Cow::Owned(bytes)
                    }
                }
            }
            None => match self.binary {
                Some(binary) if index == 0 => Cow::Borrowed(binary),
                _ => return Err(Fault::new(format!("buffer {index} has no data"), "export the file again")),
            },
        };
        budget.push(&mut self.contents, content)?;
        self.check_len(self.contents.len() as u32 - 1, len)
    }

    fn check_len(&self, content: u32, claimed: u64) -> Result<u32, Fault> {
        let len = self.contents[content as usize].len();
        if claimed <= len as u64 {
            return Ok(content);
        }
        Err(Fault::new(format!("the buffer claims {claimed} bytes, but has {len}"), CUT_OFF))
    }
}

fn place(fault: Fault, value: Value<'_>) -> Fault {
    fault.at(value.place())
}

fn decode(text: &str, budget: &mut Budget) -> Result<Vec<u8>, Fault> {
    let mut bytes = budget.vec(text.len() / 4 * 3 + 3)?;
    uri::decode_base64(text, &mut bytes)
        .map(|()| bytes)
        .ok_or_else(|| Fault::new("the base64 data of the buffer is damaged", CUT_OFF))
}
