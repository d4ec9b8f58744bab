//! Messages of an editor on standard input, for both servers: each follows a header with its length.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use crate::exit::Stop;

/// The longest message that is taken. A text of such a length is no program that anybody edits.
const LONGEST: usize = 256 << 20;

/// The longest header of a message.
const LONGEST_HEADER: u64 = 8 << 10;

/// The messages as they come, to their end. After bytes that are no message, the start of the next one is unknown: the error is the
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

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn messages_are_read_one_by_one() {
        let mut input = &b"Content-Length: 2\r\n\r\n{}content-length:3\r\nX: y\r\n\r\n[1]"[..];
        assert_eq!(read(&mut input).unwrap().unwrap(), b"{}");
        assert_eq!(read(&mut input).unwrap().unwrap(), b"[1]");
        assert_eq!(read(&mut input).unwrap(), None);
    }

    #[test]
    fn what_is_no_message_is_an_error() {
        for input in [
            "{}\r\n\r\n",
            "Content-Length: x\r\n\r\n",
            "Content-Length: 999999999999\r\n\r\n",
            "Content",
        ] {
            assert!(read(&mut input.as_bytes()).is_err(), "{input}");
        }
        assert!(read(&mut "x".repeat(1 << 20).as_bytes()).is_err());
        // No reader is left for an answer.
        assert_eq!(read(&mut &b"Content-Length: 9\r\n\r\n{"[..]).unwrap(), None);
    }
}
