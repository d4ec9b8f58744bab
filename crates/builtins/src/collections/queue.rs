//! Queues and priority queues.

use super::list_work::FindInList;
use super::shift_work::{CloseGap, IndexQueue};
use crate::{Cost, Row, args};
use ndscript_bytecode::ResultKind;
use ndscript_heap::value::Handle;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::natives::effect::NativeEffect;

fn handle(context: &Context, function: &str, value: Value) -> Result<Handle, Fault> {
    args::handle(context, function, "a queue", Kind::Queue, value)
}

fn queue(context: &mut Context, _: &[Value]) -> Result<Value, Fault> {
    Ok(context.heap.queue(false))
}

fn priority_queue(context: &mut Context, _: &[Value]) -> Result<Value, Fault> {
    Ok(context.heap.queue(true))
}

fn enqueue(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let Some(queue) = arguments[1].handle_of(Kind::Queue) else {
        let fault =
            context.wrong_argument("enqueue", "a queue as its second argument", arguments[1]);
        return Err(fault.with_hint("write `enqueue(element, queue)`"));
    };
    // The row of places doubles when it is full.
    let places = context.heap.queues[queue].values().len();
    if places >= 1 << 12 && places.is_power_of_two() {
        context.reserve(places * 16)?;
    }
    let index = context.heap.queues[queue].bytes_to_index();
    if index > 0 {
        context.reserve(index)?;
    }
    context.reserve_write(arguments[1])?;
    match (arguments.get(2), context.heap.queues[queue].has_priorities) {
        (None, false) => {
            if !is_waiting(context, arguments[1], arguments[0])? {
                context.heap.enqueue(queue, arguments[0]);
            }
        }
        (Some(priority), true) => {
            if !priority.is_number() {
                return Err(context.wrong_argument(
                    "enqueue",
                    "a number as the priority",
                    *priority,
                ));
            }
            context.charge(places.ilog2() as usize);
            context
                .heap
                .enqueue_by_priority(queue, arguments[0], *priority);
        }
        (None, true) => {
            return Err(Fault::error(
                ErrorKind::Arity,
                "`enqueue` into a priority queue needs a priority",
            )
            .with_hint("write `enqueue(element, queue, priority)`"));
        }
        (Some(_), false) => {
            return Err(Fault::error(
                ErrorKind::Arity,
                "`enqueue` into a plain queue takes no priority",
            )
            .with_hint("make the queue with `priorityQueue()`"));
        }
    }
    Ok(arguments[0])
}

fn dequeue(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let queue = handle(context, "dequeue", arguments[0])?;
    context.reserve_write(arguments[0])?;
    if !context.heap.queues[queue].has_priorities {
        let value = arguments[0];
        return context
            .perform(|context| CloseGap::begin(context, value).ok_or_else(|| empty("dequeue")));
    }
    let places = context.heap.queues[queue].values().len();
    context.charge(places.ilog2() as usize);
    context.heap.dequeue(queue).ok_or_else(|| empty("dequeue"))
}

/// Whether an equal value waits.
pub(crate) fn is_waiting(context: &mut Context, queue: Value, value: Value) -> Result<bool, Fault> {
    let handle = queue.payload();
    let waiting = &context.heap.queues[handle];
    let (first, step) = if waiting.has_priorities {
        (3, 3)
    } else {
        (waiting.first(), 1)
    };
    if !value.may_equal_another() {
        if let Some(found) = context.heap.is_waiting(handle, value) {
            return Ok(found);
        }
        if waiting.wants_index() {
            let found = context.perform(|_| Ok(IndexQueue::new(queue, value)))?;
            return Ok(found == Value::TRUE);
        }
    }
    let found = context.perform(|_| Ok(FindInList::new(queue, value, first, step)))?;
    Ok(found.as_integer().is_some_and(|at| at >= 0))
}

fn peek(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let queue = handle(context, "peek", arguments[0])?;
    context.heap.peek(queue).ok_or_else(|| empty("peek"))
}

fn empty(function: &str) -> Fault {
    Fault::error(ErrorKind::Empty, format!("`{function}` of an empty queue"))
        .with_hint("check `isEmpty(q)` first")
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain("queue", "", 0, Some(0), queue, "A new, empty queue.", ("queue()", "queue []")).giving(ResultKind::Queue),
    Row::plain(
        "enqueue",
        "element, queue[, priority]",
        2,
        Some(3),
        enqueue,
        "Adds an element unless an equal one is waiting; a priority queue wants a priority and keeps equal ones. Returns the element.",
        ("var q = queue(); enqueue(1, q); enqueue(2, q); enqueue(1, q); q", "queue [1, 2]"),
    ).with_effect(NativeEffect::Enqueues).costing(Cost::Logarithmic),
    Row::plain(
        "dequeue",
        "queue",
        1,
        Some(1),
        dequeue,
        "Removes the next element and returns it; of a priority queue, the oldest of those with the lowest priority.",
        ("var q = priorityQueue(); enqueue(\"b\", q, 2); enqueue(\"a\", q, 1); dequeue(q)", "a"),
    ).with_effect(NativeEffect::Dequeues).costing(Cost::Logarithmic),
    Row::plain(
        "peek",
        "queue",
        1,
        Some(1),
        peek,
        "The next element, which stays in the queue.",
        ("var q = queue(); enqueue(5, q); peek(q)", "5"),
    ).with_effect(NativeEffect::Peeks),
    Row::plain(
        "priorityQueue",
        "",
        0,
        Some(0),
        priority_queue,
        "A new, empty queue whose elements come by priority.",
        ("var q = priorityQueue(); enqueue(\"b\", q, 2); enqueue(\"a\", q, 1); q", "queue [\"a\", \"b\"]"),
    ).giving(ResultKind::Queue),
];
