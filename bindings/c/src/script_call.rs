//! Calls of functions of the script, in pieces.

use std::ffi::c_char;

use ndscript::{CallOutcome, Data};

use crate::border::{emptied, given, guard, items, some_text, text};
use crate::json::list_from_json;
use crate::run::{NdsOutcome, NdsRun, State};

/// Begins a call of a global function, or of a built-in, by its name. `arguments` is a JSON array of either form, or NULL
/// for none. Nothing runs before nds_run_resume_call. A call before ends.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_begin_call(
    run: Option<&NdsRun>,
    function: *const c_char,
    arguments: *const c_char,
) -> bool {
    guard(false, || {
        let mut state = given(run, "run")?.lock()?;
        let arguments = match some_text(arguments, "JSON of the arguments")? {
            Some(arguments) => list_from_json(arguments, "arguments")?,
            None => Vec::new(),
        };
        let begun = state
            .run
            .begin_call(text(function, "name of the function")?, arguments);
        begun.map(|()| true).map_err(|why| why.to_string())
    })
}

/// Goes on with the call for at most so many steps: to its first result, or to the next one. Its value, text and
/// pictures are those of the run then; if it printed no picture, the pictures before stay. The call may choose and fail; it
/// never goes back into choices of the run. At NDS_OUTCOME_LIMIT it stands still, and can go on as a run can. Without a call
/// it is NDS_OUTCOME_FAILED, as there are no more results.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_resume_call(run: Option<&NdsRun>, fuel: u64) -> NdsOutcome {
    guard(NdsOutcome::Invalid, || {
        let mut state = given(run, "run")?.lock()?;
        let outcome = state.run.resume_call(fuel);
        state.tell_call(outcome)
    })
}

impl State {
    fn tell_call(&mut self, outcome: CallOutcome) -> Result<NdsOutcome, String> {
        self.told.clear_but_pictures();
        Ok(match outcome {
            CallOutcome::Returned(value) => {
                let value = self.run.data(&value).map_err(|why| why.to_string())?;
                self.tell_result(value)
            }
            CallOutcome::OutOfFuel | CallOutcome::Waiting(_) => NdsOutcome::OutOfFuel,
            CallOutcome::Asked(question) => self.tell_question(question),
            CallOutcome::Failed => NdsOutcome::Failed,
            CallOutcome::Error(error) => self.tell_error(&error),
            CallOutcome::Limit(reached) => self.tell_limit(reached),
        })
    }

    fn tell_result(&mut self, value: Data) -> NdsOutcome {
        let (text, pictures) = self.run.pending_output();
        self.told.value = Some(value);
        self.told.show(text, pictures);
        NdsOutcome::Solved
    }
}

/// Calls a function of numbers whose result is a number, without JSON: for calls by the thousand. It goes on to its first
/// result, which `result` gets (it is 0 before), and the call ends; its effects stay. After any other outcome the call is there as after
/// nds_run_resume_call, which goes on with it. A result that is no number is an error, and the call is undone.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_call_numbers(
    run: Option<&NdsRun>,
    function: *const c_char,
    numbers: *const f64,
    count: usize,
    fuel: u64,
    result: Option<&mut f64>,
) -> NdsOutcome {
    let result = emptied(result, 0.0);
    guard(NdsOutcome::Invalid, || {
        let mut state = given(run, "run")?.lock()?;
        let name = text(function, "name of the function")?;
        let result = result.ok_or("the result is NULL")?;
        let numbers = items(numbers, count, "numbers")?;
        let begun = state.run.begin_call(name, numbers.to_vec());
        begun.map_err(|why| why.to_string())?;
        let value = match state.run.resume_call(fuel) {
            CallOutcome::Returned(value) => value,
            outcome => return state.tell_call(outcome),
        };
        let Ok(number) = state.run.read::<f64>(&value) else {
            state.run.undo_call();
            return Err(format!(
                "`{name}` has a result that is no number, and this call is for numbers alone"
            ));
        };
        *result = number;
        state.told.clear_but_pictures();
        let told = state.tell_result(number.into());
        state.run.end_call();
        Ok(told)
    })
}

/// Ends the call. At a result its effects stay, unless `undo`; elsewhere they are undone.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_end_call(run: Option<&NdsRun>, undo: bool) -> bool {
    guard(false, || {
        let mut state = given(run, "run")?.lock()?;
        if undo {
            state.run.undo_call();
        } else {
            state.run.end_call();
        }
        Ok(true)
    })
}
