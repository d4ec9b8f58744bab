//! Questions about an instruction before it is carried out, and about the collections that it accesses.

use crate::machine::{Machine, State};
use crate::natives::native::{Action, Control};
use crate::search::choices::choice::{Choice, LargeAlternatives};
use ndscript_bytecode::Op;
use ndscript_heap::{Kind, Value};

/// An access of an instruction to a collection.
#[derive(Clone, Copy)]
pub(crate) enum CollectionAccess {
    /// It reads the value at a key.
    Read { container: Value, key: Value },
    /// It writes to where this lies, as of this number of garbage collections.
    Written {
        container: Value,
        key: Value,
        content: Value,
        collections: u64,
    },
}

impl Machine {
    /// The access that an instruction is about to make.
    pub(crate) fn access_of(&self, op: Op) -> Option<CollectionAccess> {
        if let Some((container, key)) = self.read_by(op) {
            return Some(CollectionAccess::Read { container, key });
        }
        let (container, key) = self.written_by(op)?;
        let old = self
            .context
            .heap
            .at_place(container, self.place_of_key(container, key)?);
        Some(CollectionAccess::Written {
            container,
            key,
            content: old,
            collections: self.statistics.collections,
        })
    }

    /// The collection and the key that an instruction is about to write to.
    pub(crate) fn written_by(&self, op: Op) -> Option<(Value, Value)> {
        match op {
            Op::SetCell { grid, x, y, .. } => {
                let (x, y) = (self.get(x).as_integer()?, self.get(y).as_integer()?);
                Some((self.get(grid), Value::position(x, y)?))
            }
            Op::SetIndex { base, index, .. } => Some((self.get(base), self.get(index))),
            Op::SetField { object, key, .. } => {
                Some((self.get(object), self.constants[key as usize]))
            }
            _ => None,
        }
    }

    /// The collection and the key that an instruction is about to read.
    pub(crate) fn read_by(&self, op: Op) -> Option<(Value, Value)> {
        match op {
            Op::GetCell { grid, x, y, .. } => {
                let (x, y) = (self.get(x).as_integer()?, self.get(y).as_integer()?);
                Some((self.get(grid), Value::position(x, y)?))
            }
            Op::GetIndex { base, index, .. } => Some((self.get(base), self.get(index))),
            Op::GetField { object, key, .. } | Op::GetCoordinate { object, key, .. }
                if self.get(object).is_kind(Kind::Object) =>
            {
                Some((self.get(object), self.constants[key as usize]))
            }
            _ => None,
        }
    }

    /// Whether a failure is still looking for an alternative.
    pub(crate) fn is_failing(&self) -> bool {
        self.state == State::Failing
    }

    /// Whether an instruction calls something that may make a choice: a built-in that chooses, or a host function, which may return
    /// `Choices`.
    pub(crate) fn calls_chooser(&self, op: Op) -> bool {
        match op {
            Op::CallNative { native, .. } => {
                let action = self.context.natives[native as usize].action;
                let is_choice = |control: Control| {
                    use Control::{ChooseElement, ChooseWeighted, Guess, GuessWeighted};
                    matches!(
                        control,
                        ChooseElement | ChooseWeighted | Guess | GuessWeighted
                    )
                };
                match action {
                    Action::Control(control) => is_choice(control),
                    other => matches!(other, Action::Host(_)),
                }
            }
            _ => false,
        }
    }

    pub(crate) fn size_of_choice(&self, choice: &Choice) -> usize {
        match self.choices.large_of(choice) {
            Some(LargeAlternatives::Branches(left)) => left.size(),
            Some(LargeAlternatives::Elements(left)) => left.order.size(),
            // The drawn one is not among them any more.
            Some(LargeAlternatives::Weighted(left)) => left.elements().len() + 1,
            None => self.alternatives(choice.from).unwrap_or(0),
        }
    }

    /// The name of a function of the program.
    pub fn function_name(&self, function: u32) -> &str {
        self.function_of(function).name.as_deref().unwrap_or("")
    }

    /// A value, or what the box of a variable holds.
    pub fn content(&self, value: Value) -> Value {
        value.handle_of(Kind::Variable).map_or(value, |variable| {
            self.context.heap.variables[variable].value
        })
    }

    /// The place of a key in a grid, an array or an object.
    pub fn place_of_key(&self, container: Value, key: Value) -> Option<usize> {
        let heap = &self.context.heap;
        match container.kind() {
            Kind::Grid => {
                let (x, y) = key.as_position()?;
                heap.grids[container.payload()].cell(x, y)
            }
            Kind::Array => {
                let place = usize::try_from(key.as_integer()?).ok();
                place.filter(|place| *place < heap.array_len(container.payload()))
            }
            Kind::Object => heap.objects[container.payload()]
                .keys()
                .position(|known| known == key),
            _ => None,
        }
    }

    /// The key of a place of a board in the language.
    pub(crate) fn key_of_place(&self, container: Value, place: usize) -> Option<Value> {
        let heap = &self.context.heap;
        match container.kind() {
            Kind::Grid => heap.grids[container.payload()].position_of(place),
            Kind::Array => Some(Value::size(place)),
            Kind::Object => heap.objects[container.payload()].key_at(place),
            _ => None,
        }
    }
}
