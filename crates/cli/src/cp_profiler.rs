//! Where the messages for CP-Profiler go: to the program itself, over a connection, or into a file.

use std::fmt::{self, Display, Formatter};
use std::io::{self, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use ndscript::counted::counted;

use super::exit::Stop;
use super::files::in_words;
use super::save::save;
use super::terminal::say;

/// So long is waited for somebody who does not answer, or does not read on.
const PATIENCE: Duration = Duration::from_secs(10);

/// So much is sent at once.
const PIECE: usize = 1 << 16;

/// Who gets the messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Receiver {
    Listening { host: String, port: u16 },
    File(PathBuf),
}

/// What was opened for them.
pub enum Connection {
    Open(TcpStream, Receiver),
    File(PathBuf),
}

/// A host and a port are meant by a name without a folder and a colon behind it; everything else is a file, but for what can
/// only be a host.
pub fn receiver(text: &str) -> Result<Receiver, String> {
    let Some((host, port)) = text
        .rsplit_once(':')
        .filter(|(host, _)| !host.contains(['/', '\\']))
    else {
        if text == "localhost" || text.parse::<std::net::IpAddr>().is_ok() {
            return Err(format!(
                "write HOST:PORT, as in `localhost:6565`, or ./{text} for a file of that name"
            ));
        }
        return Ok(Receiver::File(PathBuf::from(text)));
    };
    let host = host.trim_matches(['[', ']']);
    match port.parse() {
        Ok(port) if !host.is_empty() => Ok(Receiver::Listening { host: host.to_string(), port }),
        _ => Err("write HOST:PORT, as in `localhost:6565`, or ./NAME for a file with a colon in its name".to_string()),
    }
}

impl Display for Receiver {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Receiver::Listening { host, port } if host.contains(':') => {
                write!(f, "[{host}]:{port}")
            }
            Receiver::Listening { host, port } => write!(f, "{host}:{port}"),
            Receiver::File(path) => path.display().fmt(f),
        }
    }
}

impl Receiver {
    /// Opens a connection, if it is not a file.
    ///
    /// # Errors
    /// If nobody listens.
    pub fn connect(&self) -> Result<Connection, Stop> {
        match self {
            Receiver::File(path) => Ok(Connection::File(path.clone())),
            Receiver::Listening { host, port } => {
                let opened = open(host, *port).map_err(|why| {
                    Stop::error(format!(
                        "cannot reach CP-Profiler at {self}: {}\nstart it first; it says on which port it listens, mostly 6565",
                        in_words(&why)
                    ))
                })?;
                Ok(Connection::Open(opened, self.clone()))
            }
        }
    }
}

fn open(host: &str, port: u16) -> io::Result<TcpStream> {
    let mut failed = io::Error::other("the host has no address");
    // A name may have addresses of both kinds of networks, and a program often listens on one.
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => {
                stream.set_write_timeout(Some(PATIENCE))?;
                return Ok(stream);
            }
            Err(why) => failed = why,
        }
    }
    Err(failed)
}

impl Connection {
    /// Sends all messages, or writes them.
    ///
    /// # Errors
    /// If the other end does not take them, or the file cannot be written.
    pub fn send(self, messages: &[u8]) -> Result<(), Stop> {
        match self {
            Connection::File(path) => {
                save(&path, messages)?;
                say(&format!("wrote {}", path.display()));
            }
            Connection::Open(mut stream, to) => {
                let mut pieces = messages.chunks(PIECE);
                let sent = pieces
                    .try_for_each(|piece| stream.write_all(piece))
                    .and_then(|()| stream.flush());
                sent.map_err(|why| {
                    Stop::error(format!(
                        "CP-Profiler at {to} has not taken the whole tree: {}",
                        in_words(&why)
                    ))
                })?;
                say(&format!(
                    "sent {} to CP-Profiler at {to}",
                    counted(messages.len(), "byte")
                ));
            }
        }
        Ok(())
    }
}
