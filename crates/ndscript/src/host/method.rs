//! Closures of the host as methods of its types.

use super::function::{
    Argument, ArgumentCount, Arguments, HostFault, HostFunctionCall, HostOutput, HostReturned,
    arity, begin_call, end_call,
};
use super::hosted::HostValue;
use crate::values::convert::Maker;
use ndscript_heap::Value as Word;
use ndscript_heap::kinds::hosted::State;
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::natives::native::HostReturn;

/// Closures that can be methods of a type of the host which only look at the value: `&T`, and then up to eight
/// arguments as those of host functions. See [`HostType::method`](crate::HostType::method).
pub trait HostMethod<T, Arguments>: Send + Sync + 'static {
    /// The fewest and the most arguments that it takes apart from the value; `None` for any number.
    const ARITY: (u32, Option<u32>);

    #[doc(hidden)]
    const COUNTS: &'static [ArgumentCount];

    #[doc(hidden)]
    const DEPTHS: &'static [usize];

    #[doc(hidden)]
    fn call(&self, value: HostWord, call: HostFunctionCall<'_>) -> Result<HostReturned, HostFault>;
}

/// A method that changes the value: `&mut T`. See [`HostType::method_mut`](crate::HostType::method_mut).
pub trait HostMethodMut<T, Arguments>: Send + Sync + 'static {
    /// The fewest and the most arguments that it takes apart from the value; `None` for any number.
    const ARITY: (u32, Option<u32>);

    #[doc(hidden)]
    const COUNTS: &'static [ArgumentCount];

    #[doc(hidden)]
    const DEPTHS: &'static [usize];

    #[doc(hidden)]
    fn call(&self, value: HostWord, call: HostFunctionCall<'_>) -> Result<HostReturned, HostFault>;
}

/// A value whose method is called.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct HostWord(Word);

/// A state that is not in its place while a method changes it, so that the arguments can look into the run. It comes back
/// in any case, also when the method panics.
struct BorrowedState<'c> {
    context: &'c mut Context,
    value: Word,
    state: Option<State>,
}

impl<'c> BorrowedState<'c> {
    fn of(context: &'c mut Context, value: Word) -> Option<BorrowedState<'c>> {
        let state = Some(context.heap.take_state(value)?);
        Some(BorrowedState {
            context,
            value,
            state,
        })
    }
}

impl Drop for BorrowedState<'_> {
    fn drop(&mut self) {
        if let Some(state) = self.state.take() {
            self.context.heap.put_state(self.value, state);
        }
    }
}

macro_rules! host_method {
    ($($type:ident $way:ident)*) => {
        impl<Function, This, Output, Way, $($type, $way),*> HostMethod<This, (Way, $(($type, $way),)*)> for Function
        where
            This: HostValue,
            Function: Fn(&This, $($type),*) -> Output + Send + Sync + 'static,
            Function: for<'a> Fn(&This, $(<$type as Argument<$way>>::Of<'a>),*) -> Output,
            Output: HostOutput<Way>,
            $($type: Argument<$way>,)*
        {
            const COUNTS: &'static [ArgumentCount] = &[$($type::COUNT),*];
            const DEPTHS: &'static [usize] = &[$($type::DEPTH),*];
            const ARITY: (u32, Option<u32>) = arity(Self::COUNTS);

            #[allow(non_snake_case, reason = "the names of the type parameters name the arguments, too")]
            #[allow(unused_variables, unused_mut, reason = "a method without arguments takes none")]
            fn call(&self, value: HostWord, call: HostFunctionCall<'_>) -> Result<HostReturned, HostFault> {
                /// Calls the closure with arguments of one lifetime; on its own the compiler wants another.
                #[allow(clippy::too_many_arguments, reason = "as many as the method has")]
                fn apply<This, Output, $($type),*>(
                    function: impl Fn(&This, $($type),*) -> Output,
                    this: &This,
                    $($type: $type),*
                ) -> Output {
                    function(this, $($type),*)
                }
                let this = call.context.heap.host_state(value.0).and_then(|state| state.downcast_ref::<This>());
                let this = this.ok_or(HostFault::Gone)?;
                let mut arguments = Arguments::new(&*call.context, call.words);
                $(let $type = <$type as Argument<$way>>::take(&mut arguments).map_err(HostFault::Argument)?;)*
                let output = apply(self, this, $($type),*);
                output.give_output(Maker::new(call.context)).map_err(HostFault::Error)
            }
        }

        impl<Function, This, Output, Way, $($type, $way),*> HostMethodMut<This, (Way, $(($type, $way),)*)> for Function
        where
            This: HostValue,
            Function: Fn(&mut This, $($type),*) -> Output + Send + Sync + 'static,
            Function: for<'a> Fn(&mut This, $(<$type as Argument<$way>>::Of<'a>),*) -> Output,
            Output: HostOutput<Way>,
            $($type: Argument<$way>,)*
        {
            const COUNTS: &'static [ArgumentCount] = &[$($type::COUNT),*];
            const DEPTHS: &'static [usize] = &[$($type::DEPTH),*];
            const ARITY: (u32, Option<u32>) = arity(Self::COUNTS);

            #[allow(non_snake_case, reason = "the names of the type parameters name the arguments, too")]
            #[allow(unused_variables, unused_mut, reason = "a method without arguments takes none")]
            fn call(&self, value: HostWord, call: HostFunctionCall<'_>) -> Result<HostReturned, HostFault> {
                /// Calls the closure with arguments of one lifetime.
                #[allow(clippy::too_many_arguments, reason = "as many as the method has")]
                fn apply<This, Output, $($type),*>(
                    function: impl Fn(&mut This, $($type),*) -> Output,
                    this: &mut This,
                    $($type: $type),*
                ) -> Output {
                    function(this, $($type),*)
                }
                let mut borrowed = BorrowedState::of(call.context, value.0).ok_or(HostFault::Gone)?;
                let this = borrowed.state.as_mut().and_then(|state| state.downcast_mut::<This>());
                let this = this.ok_or(HostFault::Gone)?;
                let mut arguments = Arguments::new(&*borrowed.context, call.words);
                $(let $type = <$type as Argument<$way>>::take(&mut arguments).map_err(HostFault::Argument)?;)*
                let output = apply(self, this, $($type),*);
                drop(borrowed);
                output.give_output(Maker::new(call.context)).map_err(HostFault::Error)
            }
        }
    };
}

host_method!();
host_method!(A WA);
host_method!(A WA B WB);
host_method!(A WA B WB C WC);
host_method!(A WA B WB C WC D WD);
host_method!(A WA B WB C WC D WD E WE);
host_method!(A WA B WB C WC D WD E WE F WF);
host_method!(A WA B WB C WC D WD E WE F WF G WG);
host_method!(A WA B WB C WC D WD E WE F WF G WG H WH);

/// The function of the machine that calls a method which reads the value.
pub(crate) fn looking<T: 'static, Arguments: 'static, Method: HostMethod<T, Arguments>>(
    name: String,
    method: Method,
) -> impl Fn(&mut Context, Word, &[Word]) -> Result<HostReturn, Fault> + Send + Sync {
    move |context: &mut Context, value: Word, words: &[Word]| {
        begin_call(context, words, Method::DEPTHS)?;
        let outcome = method.call(
            HostWord(value),
            HostFunctionCall {
                context: &mut *context,
                words,
            },
        );
        end_call(context, &name, words, outcome, Some(value))
    }
}

/// The function of the machine that calls a method which changes the value.
pub(crate) fn changing<T: 'static, Arguments: 'static, Method: HostMethodMut<T, Arguments>>(
    name: String,
    method: Method,
) -> impl Fn(&mut Context, Word, &[Word]) -> Result<HostReturn, Fault> + Send + Sync {
    move |context: &mut Context, value: Word, words: &[Word]| {
        context.changeable(value)?;
        let logged = context.heap.bytes_of_log(value);
        context.reserve(logged)?;
        context.charge(logged / 32);
        begin_call(context, words, Method::DEPTHS)?;
        let outcome = method.call(
            HostWord(value),
            HostFunctionCall {
                context: &mut *context,
                words,
            },
        );
        match end_call(context, &name, words, outcome, Some(value))? {
            // It would be changed once more for each of them.
            HostReturn::Alternatives(_) => {
                let message = format!(
                    "`{name}` changes its value, so it cannot make its alternatives one by one"
                );
                Err(Fault::error(ErrorKind::Host, message)
                    .with_hint("a method that only looks can, and so can `Choices::in_order`"))
            }
            returned => Ok(returned),
        }
    }
}
