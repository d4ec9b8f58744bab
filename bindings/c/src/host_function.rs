//! Functions of the host that scripts call.

use std::cell::RefCell;
use std::ffi::{c_char, c_void};

use ndscript::{Charged, Choices, Data, HostAnswer, HostError};

use crate::border::{c_text, given, guard, text};
use crate::json::{Form, from_json, list_from_json, to_json};

/// A function of the host: gets its arguments as a JSON array in the lossless form, and says by nds_call_return,
/// nds_call_choices or nds_call_fail what its result is; without any it is null. It is called in the thread that
/// resumes the run, from several at once if several runs go on. `call` and `arguments` are gone when it returns.
pub type NdsFunction =
    Option<extern "C" fn(user_data: *mut c_void, call: &NdsCall, arguments: *const c_char)>;

/// Frees what a host function was given as its user data.
pub type NdsFreeUserData = Option<extern "C" fn(user_data: *mut c_void)>;

/// A call of a host function, while it lasts.
pub struct NdsCall {
    answer: RefCell<Result<HostAnswer<Data>, HostError>>,
    steps: RefCell<u64>,
}

/// A function pointer with its user data, which is freed with the last program that knows it.
pub struct Callback {
    pub function: NdsFunction,
    pub user_data: *mut c_void,
    pub free: NdsFreeUserData,
}

// SAFETY: nothing here looks at what the pointer points to; it is only handed to the host's function, whose contract says
// that it is called from every thread that resumes a run.
unsafe impl Send for Callback {}
// SAFETY: as above.
unsafe impl Sync for Callback {}

impl Drop for Callback {
    fn drop(&mut self) {
        if let Some(free) = self.free {
            free(self.user_data);
        }
    }
}

impl Callback {
    pub fn call(&self, arguments: &[Data]) -> Result<Charged<HostAnswer<Data>>, HostError> {
        let arguments: Vec<String> = arguments
            .iter()
            .map(|argument| to_json(argument, Form::Lossless))
            .collect();
        let arguments = c_text(&format!("[{}]", arguments.join(",")));
        let call = NdsCall {
            answer: RefCell::new(Ok(HostAnswer::Value(Data::Null))),
            steps: RefCell::new(0),
        };
        if let Some(function) = self.function {
            function(self.user_data, &call, arguments.as_ptr());
        }
        let result = call.answer.into_inner()?;
        let steps = call.steps.into_inner();
        Ok(Charged { steps, result })
    }
}

/// Sets the result of a call of a host function, as JSON of either form.
#[unsafe(no_mangle)]
pub extern "C" fn nds_call_return(call: Option<&NdsCall>, value: *const c_char) -> bool {
    answer(call, || {
        Ok(Ok(HostAnswer::Value(from_json(
            text(value, "result")?,
            "result",
        )?)))
    })
}

/// Makes the result of a call of a host function a choice of the script: a JSON array of alternatives, which are tried in
/// this order if `ordered`, and otherwise in an order that the run draws. Without any the call fails.
#[unsafe(no_mangle)]
pub extern "C" fn nds_call_choices(
    call: Option<&NdsCall>,
    alternatives: *const c_char,
    ordered: bool,
) -> bool {
    answer(call, || {
        let alternatives = list_from_json(text(alternatives, "alternatives")?, "alternatives")?;
        Ok(Ok(HostAnswer::Choices(match ordered {
            true => Choices::in_order(alternatives),
            false => Choices::shuffled(alternatives),
        })))
    })
}

/// Makes a call of a host function an error of the script, with a message: lower case, no full stop. It is an error, too,
/// if there is something wrong with the message.
#[unsafe(no_mangle)]
pub extern "C" fn nds_call_fail(call: Option<&NdsCall>, message: *const c_char) -> bool {
    answer(call, || {
        let words = text(message, "message of the error");
        Ok(Err(words.map_or_else(HostError::new, HostError::new)))
    })
}

/// Charges steps for what the host function has worked: they count for fuel and limits.
#[unsafe(no_mangle)]
pub extern "C" fn nds_call_charge(call: Option<&NdsCall>, steps: u64) -> bool {
    guard(false, || {
        let mut sum = given(call, "call")?.steps.borrow_mut();
        *sum = sum.saturating_add(steps);
        Ok(true)
    })
}

fn answer(
    call: Option<&NdsCall>,
    make: impl FnOnce() -> Result<Result<HostAnswer<Data>, HostError>, String>,
) -> bool {
    guard(false, || {
        let call = given(call, "call")?;
        *call.answer.borrow_mut() = make()?;
        Ok(true)
    })
}
