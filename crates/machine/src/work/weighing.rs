//! Elements with the weights by which they are drawn.

use super::{Tracer, Work};
use crate::errors::error::{ErrorKind, Fault};
use crate::natives::context::Context;
use crate::natives::native::Control;
use crate::search::weighted::Weighted;
use ndscript_base::budget::Budget;
use ndscript_heap::kinds::text::StringSearch;
use ndscript_heap::walks::show::ShowWalk;
use ndscript_heap::{Heap, Kind, Value};

/// The visits charged for looking up the weight of an element.
const VISITS_OF_KEY: usize = 16;

/// The elements of an array with their weights, from an array or an object by element.
#[derive(Clone, Debug)]
pub struct WeighWork {
    elements: Value,
    weights: Value,
    /// Whether elements with weight 0 can be drawn, after all others.
    has_weightless: bool,
    count: usize,
    at: usize,
    /// How many keys of the weights were measured, and the bytes of the longest.
    measured: usize,
    longest: usize,
    /// How many keys of the weights were measured, and the bytes of the longest.
    showing: Option<ShowWalk>,
    text: String,
    /// The name is searched among the texts in use.
    finding: Option<StringSearch>,
    weighted: Weighted,
}

impl WeighWork {
    /// Checks the arguments, and begins to find the weight of each element.
    fn begin(
        context: &mut Context,
        control: Control,
        elements: Value,
        weights: Value,
    ) -> Result<WeighWork, Fault> {
        let (function, has_weightless) = match control {
            Control::DrawWeighted => ("randomElement", false),
            _ => ("chooseElement", true),
        };
        if !matches!(weights.kind(), Kind::Object | Kind::Array) {
            return Err(context.wrong_argument(
                function,
                "an object or a function as weights",
                weights,
            ));
        }
        let elements_of = elements
            .handle_of(Kind::Array)
            .ok_or_else(crate::op::forged)?;
        if let Some(view) = context.heap.arrays[elements_of].view() {
            context.reserve(view.length as usize * size_of::<Value>())?;
        }
        let count = context.heap.elements(elements_of).len();
        context.reserve(Weighted::bytes_for(count))?;
        Ok(WeighWork {
            elements,
            weights,
            has_weightless,
            count,
            at: 0,
            measured: 0,
            longest: 0,
            showing: None,
            finding: None,
            text: String::new(),
            weighted: Weighted::with_room_for(count),
        })
    }

    /// Measures the longest key: a longer text cannot be a key. True when that is done.
    fn measure(&mut self, heap: &Heap, budget: &mut Budget) -> bool {
        if !self.weights.is_kind(Kind::Object) {
            return true;
        }
        let keys = heap.slots_of(self.weights).iter().step_by(2);
        let portion = keys
            .len()
            .saturating_sub(self.measured)
            .min(budget.room_for(2));
        budget.spend(2 * portion);
        let lengths = keys
            .clone()
            .skip(self.measured)
            .take(portion)
            .filter_map(|key| heap.as_str(*key))
            .map(str::len);
        self.longest = self.longest.max(lengths.max().unwrap_or(0));
        self.measured += portion;
        self.measured >= keys.len()
    }

    /// The weight of an element; `None` if the budget does not last.
    fn weight(
        &mut self,
        context: &mut Context,
        element: Value,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if self.weights.is_kind(Kind::Array) {
            budget.spend(4);
            return Ok(Some(
                context
                    .heap
                    .element(self.weights.payload(), self.at)
                    .unwrap_or(Value::NULL),
            ));
        }
        budget.spend(VISITS_OF_KEY);
        let key = if element.is_kind(Kind::Text) && !element.may_equal_another() {
            Some(element)
        } else {
            if self.showing.is_none() && self.finding.is_none() {
                context.reserve(self.longest)?;
                self.text.clear();
                let showing = self.showing.insert(ShowWalk::default());
                showing.begin(
                    &context.heap,
                    element,
                    true,
                    context,
                    &mut self.text,
                    budget,
                );
            }
            if let Some(showing) = &mut self.showing {
                match showing.resume(&context.heap, context, &mut self.text, self.longest, budget) {
                    Ok(false) => return Ok(None),
                    Ok(true) => self.finding = Some(StringSearch::default()),
                    // It is longer than every key.
                    Err(_) => {}
                }
                self.showing = None;
            }
            match &mut self.finding {
                None => None,
                Some(finding) => {
                    let Some(found) = finding.resume(&context.heap, &self.text, budget) else {
                        return Ok(None);
                    };
                    self.finding = None;
                    found
                }
            }
        };
        match key.and_then(|key| context.heap.objects[self.weights.payload()].get(key)) {
            Some(weight) => Ok(Some(weight)),
            None => {
                let element = context.brief(element);
                Err(Fault::error(
                    ErrorKind::Value,
                    format!("there is no weight for {element}"),
                )
                .with_hint("give a weight to every element that can be chosen"))
            }
        }
    }
}

/// The error for an invalid weight.
fn wrong_weight(context: &Context, element: Value, weight: Value) -> Fault {
    let element = context.brief(element);
    if weight.is_number() {
        let weight = context.brief(weight);
        return Fault::error(
            ErrorKind::Value,
            format!("the weight of {element} is negative: {weight}"),
        )
        .with_hint("a weight is a number that is 0 or more");
    }
    let weight = context.describe(weight);
    Fault::error(
        ErrorKind::Type,
        format!("the weight of {element} must be a number, not {weight}"),
    )
}

impl Work for WeighWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if !self.measure(&context.heap, budget) {
            return Ok(None);
        }
        while self.at < self.count {
            if budget.is_spent() {
                return Ok(None);
            }
            let element = context
                .heap
                .element(self.elements.payload(), self.at)
                .unwrap_or(Value::NULL);
            let Some(weight) = self.weight(context, element, budget)? else {
                return Ok(None);
            };
            match context.heap.as_f64(weight) {
                Some(number) if number > 0.0 || number == 0.0 && self.has_weightless => {
                    self.weighted.add(element, number);
                }
                Some(0.0) => {}
                _ => return Err(wrong_weight(context, element, weight)),
            }
            budget.spend(4);
            self.at += 1;
        }
        Ok(Some(Value::NULL))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend([self.elements, self.weights]);
        self.showing
            .iter()
            .for_each(|showing| showing.values(&mut |value| tracer.values.push(value)));
    }

    fn bytes(&self) -> usize {
        let showing = self.showing.as_ref().map_or(0, ShowWalk::bytes);
        self.weighted.bytes() + showing + ndscript_base::room::block(self.text.capacity())
    }

    fn is_taken_whole(&self) -> bool {
        true
    }
}

impl Context {
    /// The elements of an array with their weights, for one of the built-ins that draw.
    ///
    /// # Errors
    /// If an element has no weight; [`Fault::Later`].
    pub fn perform_weighing(
        &mut self,
        control: Control,
        elements: Value,
        weights: Value,
    ) -> Result<Weighted, Fault> {
        let weighing =
            self.perform_whole(|context| WeighWork::begin(context, control, elements, weights))?;
        Ok(weighing.weighted)
    }
}
