//! Runs: searches that are resumed with fuel.

use std::ffi::c_char;
use std::sync::{Mutex, MutexGuard, TryLockError};

use ndscript::tiles::Tiles;
use ndscript::{CancelToken, Data, Outcome, PlacedPicture, Run, Solution};
use serde_json::{Value, json};

use crate::border::{emptied, give, give_text, given, guard, tell, text};
use crate::json::{Form, from_json, quoted, to_json};
use crate::message::{limit, message, place};

/// Why nds_run_resume or nds_run_resume_call returned.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NdsOutcome {
    /// The call itself was wrong: nds_last_error says how.
    Invalid = 0,
    /// A solution was found, or a result of a call; resuming looks for the next one.
    Solved = 1,
    /// The fuel is used up; resuming goes on.
    OutOfFuel = 2,
    /// The program asks a person; resuming goes on once the run has its answer.
    Asked = 3,
    /// There are no more solutions, or results of a call.
    Failed = 4,
    /// The script made an error: nds_run_error.
    Error = 5,
    /// A limit was reached, or the run was cancelled: nds_run_error.
    Limit = 6,
}

/// A search: resumed with fuel, it yields solutions one after another.
pub struct NdsRun {
    state: Mutex<State>,
    token: CancelToken,
}

/// A run, and what it has told last.
pub(crate) struct State {
    pub run: Run,
    pub tiles: Tiles,
    pub told: Told,
}

/// What a run has told last.
#[derive(Default)]
pub(crate) struct Told {
    pub value: Option<Data>,
    pub text: String,
    pub pictures: Vec<PlacedPicture>,
    pub question: Option<Value>,
    pub error: Option<Value>,
}

impl Told {
    /// Before a call tells something. Its pictures replace those from before; a call without any leaves them, so that a
    /// game can draw the map of its solution between calls.
    pub fn clear_but_pictures(&mut self) {
        let pictures = std::mem::take(&mut self.pictures);
        *self = Told {
            pictures,
            ..Told::default()
        };
    }

    pub fn show(&mut self, text: String, pictures: Vec<PlacedPicture>) {
        self.text = text;
        if !pictures.is_empty() {
            self.pictures = pictures;
        }
    }
}

impl NdsRun {
    pub(crate) fn new(run: Run, tiles: Tiles) -> NdsRun {
        let token = run.cancel_token();
        let told = Told::default();
        NdsRun {
            state: Mutex::new(State { run, tiles, told }),
            token,
        }
    }

    pub(crate) fn token(&self) -> &CancelToken {
        &self.token
    }

    /// The run, unless a host function of its own or another thread is in the middle of it.
    pub(crate) fn lock(&self) -> Result<MutexGuard<'_, State>, String> {
        match self.state.try_lock() {
            Ok(state) => Ok(state),
            // A run knows by itself that a panic has broken it.
            Err(TryLockError::Poisoned(state)) => Ok(state.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err("the run is busy: it is being resumed, here or in another thread".to_string())
            }
        }
    }
}

impl State {
    fn tell(&mut self, outcome: Outcome) -> NdsOutcome {
        self.told = Told::default();
        match outcome {
            Outcome::Solved(Solution {
                value,
                text,
                pictures,
                ..
            }) => {
                self.told.value = Some(value);
                self.told.show(text, pictures);
                NdsOutcome::Solved
            }
            // No function of C waits.
            Outcome::OutOfFuel | Outcome::Waiting(_) => NdsOutcome::OutOfFuel,
            Outcome::Asked(question) => self.tell_question(question),
            Outcome::Failed => NdsOutcome::Failed,
            Outcome::Error(error) => self.tell_error(&error),
            Outcome::Limit(reached) => self.tell_limit(reached),
        }
    }

    pub fn tell_question(&mut self, question: ndscript::Question) -> NdsOutcome {
        self.told.question = Some(json!({"prompt": question.prompt, "options": question.options}));
        self.told.show(question.text, question.pictures);
        NdsOutcome::Asked
    }

    pub fn tell_error(&mut self, error: &ndscript::ScriptError) -> NdsOutcome {
        self.told.error = Some(message(&error.diagnostic, self.run.program().sources()));
        NdsOutcome::Error
    }

    pub fn tell_limit(&mut self, reached: ndscript::LimitReached) -> NdsOutcome {
        self.told.error = Some(limit(reached));
        NdsOutcome::Limit
    }
}

/// A text for C, or NULL.
fn give_if(text: Option<impl ToString>) -> *mut c_char {
    text.map_or(std::ptr::null_mut(), |text| give_text(&text.to_string()))
}

fn form(lossless: bool) -> Form {
    if lossless {
        Form::Lossless
    } else {
        Form::Plain
    }
}

/// Frees a run. NULL is nothing. A run that is being resumed is not freed: nds_last_error says so then.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_free(run: *mut NdsRun) {
    guard((), || {
        // SAFETY: it is null or a handle that was given out and not freed, as the header asks.
        let Some(busy_or_not) = (unsafe { run.as_ref() }) else {
            return Ok(());
        };
        drop(busy_or_not.lock()?);
        // SAFETY: it comes from a `Box` and is freed once; nobody is in the middle of it, here or elsewhere.
        drop(unsafe { Box::from_raw(run) });
        Ok(())
    });
}

/// Goes on for at most so many steps. A call that the run is in ends before. Long work of a built-in goes in pieces of some
/// 65,536 steps, so it may be two of them more, some 131,000; what is charged by nds_call_charge comes on top.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_resume(run: Option<&NdsRun>, fuel: u64) -> NdsOutcome {
    guard(NdsOutcome::Invalid, || {
        let mut state = given(run, "run")?.lock()?;
        let outcome = state.run.resume(fuel);
        Ok(state.tell(outcome))
    })
}

/// A run of its own that goes on from the same state.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_clone(run: Option<&NdsRun>) -> Option<Box<NdsRun>> {
    guard(None, || {
        let mut state = given(run, "run")?.lock()?;
        let clone = state.run.fork().map_err(|why| why.to_string())?;
        Ok(Some(Box::new(NdsRun::new(clone, state.tiles.clone()))))
    })
}

/// The value of the latest solution, or of the latest result of a call, as JSON: in the lossless form, or plainly. A part
/// that does not fit is `{"$":"elided"}` in the lossless form, and a failure in the plain one. That is a collection
/// inside itself or nested more than 128 deep, and what lies beyond two million parts (elements, cells, fields and
/// collections; a text counts as one for each 40 bytes; fewer where "memory" is less than 800 MB) or beyond 64 MB of
/// JSON.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_value(run: Option<&NdsRun>, lossless: bool) -> *mut c_char {
    guard(std::ptr::null_mut(), || {
        let state = given(run, "run")?.lock()?;
        let value = state
            .told
            .value
            .as_ref()
            .ok_or("the run is not at a solution")?;
        Ok(give_text(&to_json(value, form(lossless))?))
    })
}

/// What was printed for the latest solution, question or result of a call. `length` may be NULL; it gets the number of
/// bytes, for texts that hold zero bytes.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_text(run: Option<&NdsRun>, length: Option<&mut usize>) -> *mut c_char {
    let length = emptied(length, 0);
    guard(std::ptr::null_mut(), || {
        let state = given(run, "run")?.lock()?;
        tell(length, state.told.text.len());
        Ok(give(state.told.text.as_bytes()).cast())
    })
}

/// The latest question as JSON, with `prompt` and `options`, null for a free line; NULL, and no failure, if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_question(run: Option<&NdsRun>) -> *mut c_char {
    guard(std::ptr::null_mut(), || {
        let state = given(run, "run")?.lock()?;
        Ok(give_if(state.told.question.as_ref()))
    })
}

/// Answers a question with the number of an option, counted from 0. Goes for questions of a call, too.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_answer(run: Option<&NdsRun>, option: usize) -> bool {
    guard(false, || {
        let mut state = given(run, "run")?.lock()?;
        match state.run.answer_call(option) {
            true => Ok(true),
            false => Err(format!("there is no question with an option {option}")),
        }
    })
}

/// Answers a question that wants a line.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_answer_text(run: Option<&NdsRun>, line: *const c_char) -> bool {
    guard(false, || {
        let mut state = given(run, "run")?.lock()?;
        match state.run.answer_call_text(text(line, "line")?) {
            true => Ok(true),
            false => Err("there is no question that wants a line".to_string()),
        }
    })
}

/// The latest error as JSON: `message`, `place` with `file`, `line` and `column`, `hints`, `calls`, and `rendered` for a
/// terminal; for a limit `limit`, its name as in nds_engine_set_limit or "cancelled", and `message`. NULL, and no failure,
/// if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_error(run: Option<&NdsRun>) -> *mut c_char {
    guard(std::ptr::null_mut(), || {
        let state = given(run, "run")?.lock()?;
        Ok(give_if(state.told.error.as_ref()))
    })
}

/// What the latest failure said that said anything; NULL, and no failure, if none did.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_failure_message(run: Option<&NdsRun>) -> *mut c_char {
    guard(std::ptr::null_mut(), || {
        let state = given(run, "run")?.lock()?;
        Ok(give_if(state.run.failure_message()))
    })
}

/// A global variable as it is now, as JSON, as nds_run_value gives it; a failure if there is none, or it has no value yet.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_global(
    run: Option<&NdsRun>,
    name: *const c_char,
    lossless: bool,
) -> *mut c_char {
    guard(std::ptr::null_mut(), || {
        let state = given(run, "run")?.lock()?;
        let name = text(name, "name of the variable")?;
        let view = state
            .run
            .view_global(name)
            .ok_or_else(|| format!("there is no variable `{name}` with a value"))?;
        Ok(give_text(&to_json(&view.data(), form(lossless))?))
    })
}

/// All global variables that have a value as a JSON object, each as nds_run_value gives it.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_globals(run: Option<&NdsRun>, lossless: bool) -> *mut c_char {
    guard(std::ptr::null_mut(), || {
        let state = given(run, "run")?.lock()?;
        let fields: Result<Vec<String>, String> = state
            .run
            .view_globals()
            .map(|(name, view)| {
                let json = to_json(&view.data(), form(lossless));
                let json = json.map_err(|why| format!("`{name}`: {why}"))?;
                Ok(format!("{}:{json}", quoted(name)))
            })
            .collect();
        Ok(give_text(&format!("{{{}}}", fields?.join(","))))
    })
}

/// Sets a global variable, as JSON of either form. It is undone when the run goes back to an earlier guess.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_set_global(
    run: Option<&NdsRun>,
    name: *const c_char,
    value: *const c_char,
) -> bool {
    guard(false, || {
        let mut state = given(run, "run")?.lock()?;
        let value = from_json(text(value, "JSON of the value")?, "value")?;
        let set = state
            .run
            .set_global(text(name, "name of the variable")?, value);
        set.map(|()| true).map_err(|why| why.to_string())
    })
}

/// The calls that the run is in, innermost first, at most so many, as a JSON array with `function` (null for the program
/// itself), `place` and `variables` as text.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_calls(run: Option<&NdsRun>, most: usize) -> *mut c_char {
    guard(std::ptr::null_mut(), || {
        let state = given(run, "run")?.lock()?;
        let sources = state.run.program().sources();
        let call = |call: &ndscript::CallView<'_>| {
            let variables: serde_json::Map<String, Value> = call
                .variables
                .iter()
                .map(|(name, value)| (name.to_string(), value.beginning(80).into()))
                .collect();
            let place = call.span.and_then(|span| place(span, sources));
            json!({"function": call.function, "place": place, "variables": variables})
        };
        let calls: Value = state.run.calls(most).iter().map(call).collect();
        Ok(give_text(&calls.to_string()))
    })
}

/// What the run has done so far, as JSON: `steps`, `failures`, `choicePoints`, `openChoices` and `memory` (bytes).
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_statistics(run: Option<&NdsRun>) -> *mut c_char {
    guard(std::ptr::null_mut(), || {
        let state = given(run, "run")?.lock()?;
        let done = state.run.statistics();
        let told = json!({
            "steps": done.steps,
            "failures": done.failures,
            "choicePoints": done.choice_points,
            "openChoices": state.run.open_choices(),
            "memory": state.run.memory(),
        });
        Ok(give_text(&told.to_string()))
    })
}

/// The state of the run as bytes, for nds_engine_restore. A call that the run is in ends before. `length` gets their number,
/// and may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_save(run: Option<&NdsRun>, length: Option<&mut usize>) -> *mut u8 {
    let length = emptied(length, 0);
    guard(std::ptr::null_mut(), || {
        let mut state = given(run, "run")?.lock()?;
        let saved = state.run.save().map_err(|why| why.to_string())?;
        tell(length, saved.len());
        Ok(give(&saved))
    })
}
