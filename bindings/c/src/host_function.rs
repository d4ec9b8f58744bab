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

/// A function of the host that makes alternatives one by one, when the search asks for them: gets the arguments as an
/// NdsFunction does, and the number of the alternative, from 0. It says by nds_call_return which one that is, or by
/// nds_call_fail what is wrong; without any of them there are no more. A search that goes back asks for the next number,
/// and clones and restored runs ask for themselves: so what it gives must follow from arguments and number alone. It is
/// called in the thread that resumes the run, from several at once if several runs go on.
pub type NdsAlternative = Option<
    extern "C" fn(user_data: *mut c_void, call: &NdsCall, arguments: *const c_char, number: u64),
>;

/// Frees what a host function was given as its user data.
pub type NdsFreeUserData = Option<extern "C" fn(user_data: *mut c_void)>;

/// A call of a host function, while it lasts.
pub struct NdsCall {
    answer: RefCell<Option<Result<HostAnswer<Data>, HostError>>>,
    steps: RefCell<u64>,
}

/// What a host function gets back at each call. It is freed with the last program that knows the function.
pub struct UserData {
    pub pointer: *mut c_void,
    pub free: NdsFreeUserData,
}

// SAFETY: nothing here looks at what the pointer points to; it is only handed to the host's function, whose contract says
// that it is called from every thread that resumes a run.
unsafe impl Send for UserData {}
// SAFETY: as above.
unsafe impl Sync for UserData {}

impl Drop for UserData {
    fn drop(&mut self) {
        if let Some(free) = self.free {
            free(self.pointer);
        }
    }
}

impl UserData {
    /// The answer of a function of the host, if it gave one.
    fn ask(
        &self,
        arguments: &[Data],
        function: impl FnOnce(*mut c_void, &NdsCall, *const c_char),
    ) -> Result<Charged<Option<HostAnswer<Data>>>, HostError> {
        let arguments: Vec<String> = arguments
            .iter()
            .map(|argument| to_json(argument, Form::Lossless))
            .collect::<Result<_, _>>()
            .map_err(HostError::new)?;
        let arguments = c_text(&format!("[{}]", arguments.join(",")));
        let call = NdsCall {
            answer: RefCell::new(None),
            steps: RefCell::new(0),
        };
        function(self.pointer, &call, arguments.as_ptr());
        let result = call.answer.into_inner().transpose()?;
        let steps = call.steps.into_inner();
        Ok(Charged { steps, result })
    }

    /// The result of a function.
    pub fn call(
        &self,
        function: extern "C" fn(*mut c_void, &NdsCall, *const c_char),
        arguments: &[Data],
    ) -> Result<Charged<HostAnswer<Data>>, HostError> {
        let Charged { steps, result } = self.ask(arguments, |pointer, call, text| {
            function(pointer, call, text)
        })?;
        let result = result.unwrap_or(HostAnswer::Value(Data::Null));
        Ok(Charged { steps, result })
    }

    /// The alternative of a number, if there are so many.
    pub fn alternative(
        &self,
        function: extern "C" fn(*mut c_void, &NdsCall, *const c_char, u64),
        arguments: &[Data],
        number: u64,
    ) -> Result<Charged<Option<Data>>, HostError> {
        let Charged { steps, result } = self.ask(arguments, |pointer, call, text| {
            function(pointer, call, text, number)
        })?;
        let result = match result {
            Some(HostAnswer::Value(value)) => Some(value),
            None => None,
            Some(_) => {
                return Err(HostError::new(
                    "a function of the host makes one alternative at a time: it returns a value, no choices",
                ));
            }
        };
        Ok(Charged { steps, result })
    }
}

/// Sets the result of a call of a host function, or the alternative that it was asked for, as JSON of either form. In the
/// thread of the call, as all functions with a call.
#[unsafe(no_mangle)]
pub extern "C" fn nds_call_return(call: Option<&NdsCall>, value: *const c_char) -> bool {
    answer(call, || {
        Ok(Ok(HostAnswer::Value(from_json(
            text(value, "JSON of the result")?,
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
        let alternatives = text(alternatives, "JSON of the alternatives")?;
        let alternatives = list_from_json(alternatives, "alternatives")?;
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

/// Charges steps for what the host function has worked: they count for fuel and limits. Several charges add up, to
/// UINT64_MAX at most.
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
        *call.answer.borrow_mut() = Some(make()?);
        Ok(true)
    })
}
