//! Methods of values of the host's own types.

use crate::errors::error::{ErrorKind, Fault};
use crate::errors::trace::arguments_in_words;
use crate::machine::Machine;
use crate::natives::context::Context;
use crate::natives::native::{HostReturn, Member, Members};
use crate::op::access::article;
use crate::op::call::NativeOutcome;
use ndscript_base::spelling::nearest;
use ndscript_heap::kinds::hosted::NoCopy;
use ndscript_heap::{Kind, Value};

/// Whether scripts call a member by its name: all others are operators of the language.
fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_alphabetic() || first == '_') && name != AT_FOREACH
}

/// The member that `foreach` iterates over. No real member has this name, as it is a keyword.
pub(crate) const AT_FOREACH: &str = "foreach";

/// The error for a field or an operator for which the host gives no value.
#[cold]
fn no_call(what: &str) -> Fault {
    let message =
        format!("{what} of the host can only give a value: no choice, no call and no wait");
    Fault::error(ErrorKind::Type, message).with_hint("the host can make it a method")
}

impl Context {
    /// The type of a value of the host with its article: `an inventory`.
    pub fn host_noun(&self, value: Value) -> String {
        let name = self.heap.rules_of(value).name;
        format!("{} {name}", article(name))
    }

    /// The members of a value of the host.
    pub fn members_of(&self, value: Value) -> &Members {
        &self.members[self.heap.type_number(value) as usize]
    }

    /// `value.key` of a value of the host: what a field reads, or a method.
    #[cold]
    pub(crate) fn member(&mut self, value: Value, key: Value) -> Result<Value, Fault> {
        let name = self.heap.as_str(key).unwrap_or("");
        let members = self.members_of(value);
        let Some(number) = members.iter().position(|member| &*member.name == name) else {
            return Err(self.no_member(value, name));
        };
        if !members[number].is_field {
            return Ok(Value::method(value.payload(), number as u32));
        }
        let function = members[number].function.clone();
        match function(self, value, &[])? {
            HostReturn::Value(field) => Ok(field),
            HostReturn::Choices { .. }
            | HostReturn::Alternatives(_)
            | HostReturn::Call { .. }
            | HostReturn::Wait(_) => Err(no_call("a field")),
        }
    }

    /// What the host computes where a value of its own type meets an operator of the language, such as `+` or `[]`:
    /// `None` if it does not support it.
    #[cold]
    pub(crate) fn at_sign(
        &mut self,
        value: Value,
        sign: &str,
        arguments: &[Value],
    ) -> Option<Result<Value, Fault>> {
        if !value.is_kind(Kind::Host) {
            return None;
        }
        let member = self
            .members_of(value)
            .iter()
            .find(|member| &*member.name == sign)?;
        let function = member.function.clone();
        Some(match function(self, value, arguments) {
            Ok(HostReturn::Value(result)) => Ok(result),
            Ok(
                HostReturn::Choices { .. }
                | HostReturn::Alternatives(_)
                | HostReturn::Call { .. }
                | HostReturn::Wait(_),
            ) => Err(no_call(&format!("`{sign}`"))),
            Err(fault) => Err(fault),
        })
    }

    /// The error of a method that a value of the host does not have, with what it has instead.
    fn no_member(&self, value: Value, name: &str) -> Fault {
        let members: Vec<&Member> = self
            .members_of(value)
            .iter()
            .filter(|member| is_name(&member.name))
            .collect();
        let message = format!(
            "{} has no method `{}`",
            self.host_noun(value),
            crate::errors::shorten::name(name)
        );
        let fault = Fault::error(ErrorKind::Field, message);
        if let Some(close) = nearest(name, members.iter().map(|member| &*member.name)) {
            return fault.with_hint(format!("did you mean `{close}`?"));
        }
        let shown: Vec<&str> = members.iter().map(|member| &*member.name).take(8).collect();
        let more = if members.len() > shown.len() {
            ", ..."
        } else {
            ""
        };
        match shown.is_empty() {
            true => fault.with_hint("it has none at all"),
            false => fault.with_hint(format!("it has: {}{more}", shown.join(", "))),
        }
    }

    /// The error for a host value whose state does not exist.
    #[cold]
    pub fn gone(&self, value: Value) -> Fault {
        let name = self.heap.rules_of(value).name;
        Fault::error(ErrorKind::Value, format!("this {name} is not in this run"))
            .with_hint("the run was cloned, and the host's type has no clone; it can be given one with `cloned`")
    }

    /// The error for a value of the host that cannot be copied, and the operation that needed a copy.
    #[cold]
    pub fn no_copy(&self, no_copy: NoCopy, purpose: &str) -> Fault {
        match no_copy {
            NoCopy::Gone(value) => self.gone(value),
            NoCopy::NoOrder(value) => Fault::error(
                ErrorKind::Type,
                format!("{} {purpose}: its type has no order", self.host_noun(value)),
            )
            .with_hint(
                "use something instead that stands for it, such as its name; the host can give the type an order",
            ),
            NoCopy::NoClone(value) => {
                Fault::error(ErrorKind::Type, format!("{} {purpose}: its type has no clone", self.host_noun(value)))
                    .with_hint("the host can give the type a clone")
            }
        }
    }

    /// Checks that no element of a set is changed.
    pub fn changeable(&self, value: Value) -> Result<(), Fault> {
        if !self.heap.is_frozen_host(value) {
            return Ok(());
        }
        let message = format!(
            "the {} is frozen: it is an element of a set or relation",
            self.brief(value)
        );
        Err(Fault::error(ErrorKind::Frozen, message)
            .with_hint("`copy` it first and change the copy"))
    }
}

impl Machine {
    /// Calls a method with the arguments after `base`.
    #[cold]
    #[inline(never)]
    pub(crate) fn call_method(
        &mut self,
        method: Value,
        base: u8,
        count: usize,
    ) -> Result<NativeOutcome, Fault> {
        let value = Value::handle(Kind::Host, method.payload());
        let context = &mut self.context;
        let Some(member) = context
            .members_of(value)
            .get(method.method_number() as usize)
        else {
            return Err(Fault::error(ErrorKind::Type, "this method is not there"));
        };
        if (count as u32) < member.least || member.most.is_some_and(|most| count as u32 > most) {
            let name = format!("{}.{}", context.heap.rules_of(value).name, member.name);
            let message = format!(
                "`{name}` takes {}, but got {count}",
                arguments_in_words(member.least, member.most)
            );
            return Err(Fault::error(ErrorKind::Arity, message));
        }
        let function = member.function.clone();
        let at = self.base as usize + base as usize;
        match function(context, value, &self.stack[at + 1..at + 1 + count])? {
            HostReturn::Value(value) => Ok(NativeOutcome::Value(value)),
            HostReturn::Choices {
                alternatives,
                ordered,
            } => self
                .choose_among(alternatives, ordered, base)
                .map(NativeOutcome::Value),
            HostReturn::Alternatives(make) => {
                self.begin_alternatives(at, method, count, &make)?;
                Ok(NativeOutcome::Elsewhere)
            }
            HostReturn::Call {
                function,
                arguments,
                then,
            } => {
                self.begin_continued_call(at, [then, function], arguments)?;
                Ok(NativeOutcome::Elsewhere)
            }
            HostReturn::Wait(ticket) => {
                self.wait_for_host(ticket, base);
                Ok(NativeOutcome::Elsewhere)
            }
        }
    }
}
