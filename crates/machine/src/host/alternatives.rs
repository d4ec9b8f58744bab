//! Choices among alternatives that the host makes one by one.
//!
//! The function of the host is called again for each of them with the same arguments, which are values of the run. So
//! nothing of the host is kept between two of them: forks and restored runs go on where the choice is open.

use crate::errors::error::{ErrorKind, Fault};
use crate::machine::Machine;
use crate::natives::native::{Action, HostReturn, MakeAlternative};
use ndscript_heap::{Kind, Value};

impl Machine {
    /// Makes the first alternative and begins the choice: the call of a function of the host, whose arguments are behind a
    /// place of the stack, where the result goes, too.
    pub(crate) fn begin_alternatives(
        &mut self,
        at: usize,
        called: Value,
        count: usize,
        make: &MakeAlternative,
    ) -> Result<(), Fault> {
        let first = make.0(&mut self.context, 0);
        self.treat_roots_as_young();
        let first = first?.ok_or(Fault::Fail)?;
        self.context.charge(1 + count / 8);
        let code = &self.context.code;
        self.enter(code.heads[code.choice_of_host as usize].entry, at)?;
        let arguments = self.stack[at + 1..at + 1 + count].to_vec();
        let arguments = self.context.heap.array(arguments);
        self.stack[at + 1..at + 5].copy_from_slice(&[first, called, arguments, Value::integer(0)]);
        Ok(())
    }

    /// The alternative of a number.
    pub(crate) fn next_alternative(
        &mut self,
        called: Value,
        arguments: Value,
        number: Value,
    ) -> Result<Value, Fault> {
        let context = &mut self.context;
        let words = match arguments.handle_of(Kind::Array) {
            Some(list) => context.heap.elements(list).to_vec(),
            None => Vec::new(),
        };
        let returned = if called.is_kind(Kind::Method) {
            let value = Value::handle(Kind::Host, called.payload());
            let member = context
                .members_of(value)
                .get(called.method_number() as usize);
            let function = member.map(|member| member.function.clone());
            function.map(|function| function(context, value, &words))
        } else {
            match context.natives[called.payload() as usize].action {
                Action::Host(function) => {
                    let function = context.host[function as usize].clone();
                    Some(function(context, &words))
                }
                _ => None,
            }
        };
        let alternative = match returned.transpose()? {
            Some(HostReturn::Alternatives(make)) => make.0(
                context,
                u64::try_from(number.integer_unchecked()).unwrap_or(0),
            ),
            _ => Err(changed_its_mind()),
        };
        self.treat_roots_as_young();
        alternative?.ok_or(Fault::Fail)
    }
}

#[cold]
fn changed_its_mind() -> Fault {
    let message = "a function of the host makes its alternatives one by one, and has now given something else";
    Fault::error(ErrorKind::Host, message)
        .with_hint("it is called again for each alternative, and what it gives must follow from its arguments alone")
}
