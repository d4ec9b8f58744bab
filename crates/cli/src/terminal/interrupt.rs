//! Ctrl-C: ends a run soon, and in order if possible.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ndscript::{CancelToken, Run};

use super::raw_mode::restore_terminal;
use super::say;
use crate::exit::Exit;
use crate::files::save;

/// Whether Ctrl-C was pressed.
static PRESSED: AtomicBool = AtomicBool::new(false);
/// Whether the program waits for a person, so that nothing needs to be finished.
static WAITING: AtomicBool = AtomicBool::new(false);
/// Whether the state or the result of the run is being written.
static SAVING: AtomicBool = AtomicBool::new(false);

/// Whether the state of the run is wanted, which is lost if the process ends at once.
static WANTED: AtomicBool = AtomicBool::new(false);

/// The time that a run may take to end properly.
const TIME_TO_END: Duration = Duration::from_secs(1);

/// From now on Ctrl-C cancels this run. If it does not end soon, the process does, unless the state of the run is
/// wanted: then the process waits for it, until the next Ctrl-C.
pub fn watch(run: CancelToken) {
    // Without a handler Ctrl-C still ends the process, only less tidily.
    let _ = ctrlc::set_handler(move || {
        if PRESSED.swap(true, Ordering::SeqCst) {
            let saved = "interrupted: the run could not be stopped in time, so it is not saved";
            end_at_once(if WANTED.load(Ordering::SeqCst) {
                saved
            } else {
                "interrupted"
            });
        }
        run.cancel();
        // On another thread, so that this one receives the next Ctrl-C.
        std::thread::spawn(end_soon);
    });
}

/// From now on Ctrl-C waits for the state of the run.
pub fn wants_state() {
    WANTED.store(true, Ordering::SeqCst);
}

/// Ends the process after Ctrl-C: at once while it waits for a person, else after some time.
fn end_soon() {
    let pressed = Instant::now();
    let mut has_reported = false;
    loop {
        std::thread::sleep(Duration::from_millis(5));
        if WAITING.load(Ordering::SeqCst) {
            restore_terminal();
            save_waiting();
            end();
        }
        if has_reported || pressed.elapsed() < TIME_TO_END || SAVING.load(Ordering::SeqCst) {
            continue;
        }
        if !WANTED.load(Ordering::SeqCst) {
            end_at_once("interrupted");
        }
        has_reported = true;
        say("still stopping, so that the run can be saved; Ctrl-C once more ends it without that");
    }
}

/// Ends the process with a word about it, if anybody reads that.
fn end_at_once(word: &'static str) -> ! {
    restore_terminal();
    let printer = std::thread::spawn(move || say(word));
    let started = Instant::now();
    // The reader of messages may be the one that blocks the run.
    while !printer.is_finished() && started.elapsed() < TIME_TO_END / 4 {
        std::thread::sleep(Duration::from_millis(1));
    }
    end()
}

fn end() -> ! {
    save::abandon();
    std::process::exit(i32::from(Exit::Interrupted.code()))
}

/// The number of Ctrl-C since the latest input of a session began.
static TIMES: AtomicU32 = AtomicU32::new(0);

/// After this many Ctrl-C the process ends even if the run does not.
const MOST_PRESSES: u32 = 3;

/// A clone that Ctrl-C stops like the run itself.
pub fn fork(run: &Run) -> Run {
    let mut fork = run.clone();
    fork.set_cancel_token(&run.cancel_token());
    fork
}

/// From now on Ctrl-C stops what this run is doing, and nothing else; unless it does not help.
pub fn watch_session(run: CancelToken) {
    let _ = ctrlc::set_handler(move || {
        run.cancel();
        let times = TIMES.fetch_add(1, Ordering::SeqCst) + 1;
        if times + 1 == MOST_PRESSES {
            say("still stopping; Ctrl-C once more ends the session");
        }
        if times >= MOST_PRESSES {
            save::abandon();
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
    });
}

/// An input of a session begins.
pub fn begin() {
    TIMES.store(0, Ordering::SeqCst);
}

/// Runs `work`, which writes the state of a run; Ctrl-C lets it finish.
pub fn while_saving<T>(work: impl FnOnce() -> T) -> T {
    SAVING.store(true, Ordering::SeqCst);
    let result = work();
    SAVING.store(false, Ordering::SeqCst);
    result
}

/// An interrupted run has ended properly: results are shown, for as long as that takes, or until the next Ctrl-C.
pub fn has_ended_in_order() {
    SAVING.store(true, Ordering::SeqCst);
}

/// The state that Ctrl-C writes while the run waits for a person.
static TO_SAVE: Mutex<Option<(PathBuf, Vec<u8>, String)>> = Mutex::new(None);

/// From now on Ctrl-C writes these bytes to a file while the run waits for a person; the command resumes from them.
pub fn save_on_end(path: PathBuf, bytes: Vec<u8>, command: String) {
    *TO_SAVE.lock().unwrap_or_else(PoisonError::into_inner) = Some((path, bytes, command));
}

fn save_waiting() {
    let waiting = TO_SAVE
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    let Some((path, bytes, command)) = waiting else {
        return;
    };
    match save::save(&path, &bytes) {
        Ok(()) => say(&format!("interrupted\n`{command}` goes on from here")),
        Err(stop) => say(&stop.message),
    }
}

/// Whether Ctrl-C was pressed.
pub fn pressed() -> bool {
    PRESSED.load(Ordering::SeqCst)
}

/// Runs code that waits for a person; meanwhile Ctrl-C ends the process at once.
pub fn while_waiting<T>(wait: impl FnOnce() -> T) -> T {
    WAITING.store(true, Ordering::SeqCst);
    let result = wait();
    WAITING.store(false, Ordering::SeqCst);
    result
}
