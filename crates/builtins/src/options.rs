//! Options: objects whose fields configure a built-in.

use super::args;
use ndscript_heap::Value;
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;

/// An option that is true or false; false where it is left out.
pub fn flag(
    context: &mut Context,
    function: &str,
    options: Value,
    name: &str,
) -> Result<bool, Fault> {
    let key = context.heap.text(name);
    match context.heap.objects[options.payload()].get(key) {
        Some(value) => args::boolean(context, function, value),
        None => Ok(false),
    }
}

/// An error unless these are options of such names.
pub fn known_options(
    context: &Context,
    function: &str,
    options: Value,
    known: &[&str],
) -> Result<(), Fault> {
    let options = args::object(context, function, options)?;
    let keys: Vec<Value> = context.heap.objects[options].keys().collect();
    match keys
        .into_iter()
        .find(|key| !known.contains(&context.heap.as_str(*key).unwrap_or("")))
    {
        Some(key) => Err(Fault::error(
            ErrorKind::Value,
            format!(
                "`{function}` has no option {}; it has: {}",
                context.brief(key),
                known.join(", ")
            ),
        )),
        None => Ok(()),
    }
}
