//! Lists of elements, and operations on them.

use super::{Tracer, Work};
use crate::errors::error::{ErrorKind, Fault};
use crate::natives::context::Context;
use ndscript_base::budget::Budget;
use ndscript_heap::Value;
use ndscript_heap::walks::listing::ListWalk;

/// A list, and a short operation on it.
#[derive(Clone)]
struct ListOperation<F> {
    listing: ListWalk,
    then: F,
}

impl<F> Work for ListOperation<F>
where
    F: Fn(&mut Context, Vec<Value>) -> Result<Value, Fault> + Clone + Send + Sync + 'static,
{
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if !self.listing.resume(&mut context.heap, budget) {
            return Ok(None);
        }
        (self.then)(context, std::mem::take(&mut self.listing.elements)).map(Some)
    }

    fn trace(&self, tracer: &mut Tracer) {
        self.listing.values(&mut |value| tracer.values.push(value));
    }

    fn bytes(&self) -> usize {
        self.listing.bytes()
    }
}

impl Context {
    /// The beginning of a list of the elements of a collection, once it fits into memory.
    ///
    /// # Errors
    /// [`ErrorKind::Type`] if the value is no collection; as [`Context::reserve`].
    pub fn list(&mut self, collection: Value) -> Result<ListWalk, Fault> {
        match ListWalk::of(&mut self.heap, collection) {
            Some(listing) => {
                self.reserve(listing.bytes_needed())?;
                Ok(listing)
            }
            None => Err(Fault::error(
                ErrorKind::Type,
                format!("expected a collection, not {}", self.describe(collection)),
            )
            .with_hint("collections are arrays, sets, queues, objects, grids and strings")),
        }
    }

    /// Makes a value of a list; `then` is short.
    pub fn perform_listing(
        &mut self,
        listing: impl FnOnce(&mut Context) -> Result<ListWalk, Fault>,
        then: impl Fn(&mut Context, Vec<Value>) -> Result<Value, Fault> + Clone + Send + Sync + 'static,
    ) -> Result<Value, Fault> {
        self.perform(|context| {
            let listing = listing(context)?;
            context.reserve(listing.bytes_needed())?;
            Ok(ListOperation { listing, then })
        })
    }

    /// A new array of a list.
    pub fn perform_array(
        &mut self,
        listing: impl FnOnce(&mut Context) -> Result<ListWalk, Fault>,
    ) -> Result<Value, Fault> {
        self.perform_listing(listing, |context, elements| {
            Ok(context.heap.array(elements))
        })
    }
}
