//! Messages of an editor on standard input, for both servers: each stands behind a header with its length.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use crate::exit::Stop;

/// The longest message that is taken. A text of such a length is no program that anybody edits.
const LONGEST: usize = 256 << 20;

/// The longest header of a message.
const LONGEST_HEADER: u64 = 8 << 10;

/// The messages as they come, to their end. Behind what is none, nothing that follows can be told apart: the error is the
/// last.
pub fn messages() -> Receiver<Result<Vec<u8>, Stop>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let message = match read(&mut input) {
                Ok(Some(bytes)) => Ok(bytes),
                Ok(None) => return,
                Err(why) => Err(Stop::error(format!(
                    "cannot read a message of the editor: {why}"
                ))),
            };
            let is_last = message.is_err();
            if sender.send(message).is_err() || is_last {
                return;
            }
        }
    });
    receiver
}

/// The bytes of the next message; `None` at the end of the input.
fn read(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let invalid = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why.to_string());
    let mut length = None;
    let mut is_first = true;
    loop {
        let mut line = String::new();
        let read = input.by_ref().take(LONGEST_HEADER).read_line(&mut line)?;
        if read == 0 && is_first {
            return Ok(None);
        }
        if !line.ends_with('\n') {
            return Err(invalid("its header does not end"));
        }
        is_first = false;
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let length = length.ok_or_else(|| invalid("its header has no Content-Length"))?;
    if length > LONGEST {
        return Err(invalid("it is too long"));
    }
    let mut bytes = Vec::new();
    input.by_ref().take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() < length {
        return Ok(None);
    }
    Ok(Some(bytes))
}
