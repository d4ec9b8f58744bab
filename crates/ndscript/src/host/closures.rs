//! Closures of the host as functions of scripts.

use std::sync::{Mutex, PoisonError};

use super::function::{
    Argument, ArgumentCount, Arguments, HostFault, HostFunctionCall, HostOutput, HostReturned,
    arity, begin_call, end_call,
};
use crate::programs::engine::Engine;
use crate::values::convert::Maker;
use ndscript_heap::Value as Word;
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;
use ndscript_machine::natives::native::HostReturn;

/// Closures that can be host functions: up to sixteen arguments, each an [`Argument`], and as its result a
/// [`HostResult`](super::function::HostResult), or a `Result` of one and a [`HostError`](crate::HostError).
#[diagnostic::on_unimplemented(
    message = "this cannot be a function of the host",
    label = "its arguments or its result are no values of the language, or what it keeps is not `Send + Sync + 'static`",
    note = "say the types of its arguments, `|name: String, count: i64| ...`; a closure that changes what it keeps goes to \
            `with_function_mut`",
    note = "it returns a value (number, text, tuple, list, map, `Data`, `Choices`, ...), or a `Result` of one and a `HostError`"
)]
pub trait HostClosure<Arguments>: Send + Sync + 'static {
    /// The fewest and the most arguments that it takes; `None` for any number.
    const ARITY: (u32, Option<u32>);

    #[doc(hidden)]
    const COUNTS: &'static [ArgumentCount];

    #[doc(hidden)]
    const DEPTHS: &'static [usize];

    /// Whether it may call functions of the script.
    #[doc(hidden)]
    const CALLS_BACK: bool;

    #[doc(hidden)]
    fn call(&self, call: HostFunctionCall<'_>) -> Result<HostReturned, HostFault>;
}

/// A closure with mutable state.
#[doc(hidden)]
pub struct Changing<Function>(Mutex<Function>);

impl Engine {
    /// Adds a function of the host with mutable state, such as a counter or a cache. Programs and runs share the state:
    /// those of other threads wait for each other. Its changes are not undone when the script fails, and are no part of
    /// clones and saved runs; see [`Engine::with_function`].
    ///
    /// ```
    /// let mut asked = 0;
    /// let engine = ndscript::Engine::new().with_function_mut("count", move || { asked += 1; asked });
    /// let program = engine.compile("print(count(), count());")?;
    /// assert_eq!(program.run(1).next().unwrap().unwrap().text, "12");
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn with_function_mut<Arguments: 'static, Function>(
        self,
        name: &str,
        function: Function,
    ) -> Engine
    where
        Changing<Function>: HostClosure<Arguments>,
    {
        self.with_function(name, Changing(Mutex::new(function)))
    }
}

/// The function of the machine that calls a closure of the host.
pub(crate) fn host_function<Arguments: 'static, Closure: HostClosure<Arguments>>(
    name: String,
    closure: Closure,
) -> impl Fn(&mut Context, &[Word]) -> Result<HostReturn, Fault> + Send + Sync {
    move |context: &mut Context, words: &[Word]| {
        begin_call(context, words, Closure::DEPTHS)?;
        let outcome = closure.call(HostFunctionCall {
            context: &mut *context,
            words,
        });
        end_call(context, &name, words, outcome, None)
    }
}

macro_rules! host_closure {
    ($($type:ident $way:ident)*) => {
        impl<Function, Output, Way, $($type, $way),*> HostClosure<(Way, $(($type, $way),)*)> for Function
        where
            Function: Fn($($type),*) -> Output + Send + Sync + 'static,
            Function: for<'a> Fn($(<$type as Argument<$way>>::Of<'a>),*) -> Output,
            Output: HostOutput<Way>,
            $($type: Argument<$way>,)*
        {
            const COUNTS: &'static [ArgumentCount] = &[$($type::COUNT),*];
            const DEPTHS: &'static [usize] = &[$($type::DEPTH),*];
            const ARITY: (u32, Option<u32>) = arity(Self::COUNTS);
            const CALLS_BACK: bool = Output::CALLS_BACK;

            #[allow(non_snake_case, reason = "the names of the type parameters name the arguments, too")]
            #[allow(unused_variables, unused_mut, reason = "a closure without arguments takes none")]
            fn call(&self, call: HostFunctionCall<'_>) -> Result<HostReturned, HostFault> {
                /// Calls the closure with arguments of one lifetime; on its own the compiler wants another.
                #[allow(clippy::too_many_arguments, reason = "as many as the closure has")]
                fn apply<Output, $($type),*>(function: impl Fn($($type),*) -> Output, $($type: $type),*) -> Output {
                    function($($type),*)
                }
                let mut arguments = Arguments::new(&*call.context, call.words);
                $(let $type = <$type as Argument<$way>>::take(&mut arguments).map_err(HostFault::Argument)?;)*
                let output = apply(self, $($type),*);
                output.give_output(Maker::new(call.context)).map_err(HostFault::Error)
            }
        }

        impl<Function, Output, Way, $($type, $way),*> HostClosure<(Way, $(($type, $way),)*)> for Changing<Function>
        where
            Function: FnMut($($type),*) -> Output + Send + 'static,
            Function: for<'a> FnMut($(<$type as Argument<$way>>::Of<'a>),*) -> Output,
            Output: HostOutput<Way>,
            $($type: Argument<$way>,)*
        {
            const COUNTS: &'static [ArgumentCount] = &[$($type::COUNT),*];
            const DEPTHS: &'static [usize] = &[$($type::DEPTH),*];
            const ARITY: (u32, Option<u32>) = arity(Self::COUNTS);
            const CALLS_BACK: bool = Output::CALLS_BACK;

            #[allow(non_snake_case, reason = "the names of the type parameters name the arguments, too")]
            #[allow(unused_variables, unused_mut, reason = "a closure without arguments takes none")]
            fn call(&self, call: HostFunctionCall<'_>) -> Result<HostReturned, HostFault> {
                /// Calls the closure with arguments of one lifetime.
                #[allow(clippy::too_many_arguments, reason = "as many as the closure has")]
                fn apply<Output, $($type),*>(
                    mut function: impl FnMut($($type),*) -> Output,
                    $($type: $type),*
                ) -> Output {
                    function($($type),*)
                }
                let mut arguments = Arguments::new(&*call.context, call.words);
                $(let $type = <$type as Argument<$way>>::take(&mut arguments).map_err(HostFault::Argument)?;)*
                let output = {
                    // A panic in an earlier call was already reported to its host; the state is as that call left it.
                    let mut function = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                    apply(&mut *function, $($type),*)
                };
                output.give_output(Maker::new(call.context)).map_err(HostFault::Error)
            }
        }
    };
}

host_closure!();
host_closure!(A WA);
host_closure!(A WA B WB);
host_closure!(A WA B WB C WC);
host_closure!(A WA B WB C WC D WD);
host_closure!(A WA B WB C WC D WD E WE);
host_closure!(A WA B WB C WC D WD E WE F WF);
host_closure!(A WA B WB C WC D WD E WE F WF G WG);
host_closure!(A WA B WB C WC D WD E WE F WF G WG H WH);
host_closure!(A WA B WB C WC D WD E WE F WF G WG H WH I WI);
host_closure!(A WA B WB C WC D WD E WE F WF G WG H WH I WI J WJ);
host_closure!(A WA B WB C WC D WD E WE F WF G WG H WH I WI J WJ K WK);
host_closure!(A WA B WB C WC D WD E WE F WF G WG H WH I WI J WJ K WK L WL);
host_closure!(A WA B WB C WC D WD E WE F WF G WG H WH I WI J WJ K WK L WL M WM);
host_closure!(A WA B WB C WC D WD E WE F WF G WG H WH I WI J WJ K WK L WL M WM N WN);
host_closure!(A WA B WB C WC D WD E WE F WF G WG H WH I WI J WJ K WK L WL M WM N WN O WO);
host_closure!(A WA B WB C WC D WD E WE F WF G WG H WH I WI J WJ K WK L WL M WM N WN O WO P WP);
