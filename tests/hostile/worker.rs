//! A process that measures programs, so that one that hangs or takes all memory does not end the search.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use super::allocator;
use super::measure::{Measured, measure};
use super::program::Program;

/// A program that does not come back for so long counts as one that hangs.
const PATIENCE: Duration = Duration::from_secs(40);
/// A program that takes so much memory is ended.
const MOST: isize = 3 << 30;
/// What stands before each answer.
const MARK: char = '@';

#[derive(Default)]
pub struct Worker {
    process: Option<(Child, Receiver<String>)>,
}

impl Worker {
    pub fn measure(&mut self, program: &Program) -> Measured {
        let (child, answers) = self.process.get_or_insert_with(start);
        let line = serde_json::to_string(program).unwrap() + "\n";
        let sent = child.stdin.as_mut().unwrap().write_all(line.as_bytes());
        let lost = match sent.map(|()| answers.recv_timeout(PATIENCE)) {
            Ok(Ok(answer)) => return serde_json::from_str(&answer).unwrap(),
            Ok(Err(RecvTimeoutError::Timeout)) => format!("no answer within {PATIENCE:?}"),
            Ok(Err(RecvTimeoutError::Disconnected)) | Err(_) => "the process died".to_string(),
        };
        self.stop();
        Measured {
            end: lost.clone(),
            panic: Some(lost),
            limit: program.memory,
            ..Measured::default()
        }
    }

    fn stop(&mut self) {
        if let Some((mut child, _)) = self.process.take() {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop();
    }
}

fn start() -> (Child, Receiver<String>) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "worker::serves", "--ignored", "--nocapture"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            if let Some((_, answer)) = line.split_once(MARK) {
                // Nobody waits any more once the search is over.
                let _ = sender.send(answer.to_string());
            }
        }
    });
    (child, receiver)
}

#[test]
#[ignore = "it is the other end of a search"]
fn serves() {
    allocator::refuse_beyond(MOST);
    for line in std::io::stdin().lines() {
        let program: Program = serde_json::from_str(&line.unwrap()).unwrap();
        let measured = measure(&program);
        println!("\n{MARK}{}", serde_json::to_string(&measured).unwrap());
    }
}
