//! `matches`, `findAll` and `replaceAll`: texts and regular expressions, in time linear in the text. Each state of
//! the automaton stores where the earliest path to it began, so that nothing is read twice for one match.

use std::sync::Arc;

use super::regular::Expression;
use super::text_search::{BLOCK, BYTES_OF_VISIT};
use super::text_work::{Part, Text, TextBuilder, copy, make_by};
use crate::args;
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::{Heap, Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::{Tracer, Work};

/// The entry of a state that no path has reached.
const NEVER: u32 = u32::MAX;

/// Reads a text by an expression, character by character.
#[derive(Clone)]
struct Scan {
    expression: Arc<Expression>,
    /// The number of words in a row of states.
    width: usize,
    /// Where the earliest path to each state began, and the set of reached states.
    starts: Vec<u32>,
    active: Vec<u32>,
    /// These two for the next character.
    next_starts: Vec<u32>,
    next: Vec<u32>,
    /// For each class where it was tested last, as a number of bytes plus 1, and whether it matched.
    tested: Vec<(u32, bool)>,
    at: usize,
    /// Whether a match may begin later than the scan.
    is_free: bool,
    is_begun: bool,
    found: Option<(usize, usize)>,
}

impl Scan {
    fn new(expression: Arc<Expression>, is_free: bool) -> Scan {
        let states = expression.symbols.len() + 1;
        Scan {
            width: states.div_ceil(64),
            starts: vec![NEVER; states],
            active: Vec::new(),
            next_starts: vec![NEVER; states],
            next: Vec::new(),
            tested: vec![(0, false); expression.classes.len()],
            at: 0,
            is_free,
            is_begun: false,
            found: None,
            expression,
        }
    }

    /// Starts again at a byte.
    fn restart(&mut self, at: usize) {
        for state in self.active.drain(..) {
            self.starts[state as usize] = NEVER;
        }
        self.tested.fill((0, false));
        (self.at, self.is_begun, self.found) = (at, false, None);
    }

    fn is_end(&self, state: u32) -> bool {
        self.expression.ends[state as usize / 64] >> (state % 64) & 1 == 1
    }

    /// Adds a path that begins here.
    fn begin_path(&mut self) {
        if self.found.is_some() || self.is_begun && !self.is_free {
            return;
        }
        self.is_begun = true;
        self.starts[0] = self.at as u32;
        self.active.push(0);
        if self.is_end(0) {
            self.found = Some((self.at, self.at));
        }
    }

    /// Reads a character.
    fn step(&mut self, character: char, budget: &mut Budget) {
        let stamp = self.at as u32 + 1;
        let expression = Arc::clone(&self.expression);
        for state in self.active.drain(..) {
            let start = std::mem::replace(&mut self.starts[state as usize], NEVER);
            // A path that begins after the found match is not the first.
            if self
                .found
                .is_some_and(|(first, _)| self.is_free && start as usize > first)
            {
                continue;
            }
            let row = &expression.follows[state as usize * self.width..][..self.width];
            budget.spend(self.width + 2);
            for (at, word) in row.iter().enumerate() {
                let mut rest = *word;
                while rest != 0 {
                    let next = at * 64 + rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    budget.spend(1);
                    let class = expression.symbols[next - 1] as usize;
                    if self.tested[class].0 != stamp {
                        budget.spend(2);
                        self.tested[class] = (stamp, expression.classes[class].matches(character));
                    }
                    if !self.tested[class].1 {
                        continue;
                    }
                    let earliest = &mut self.next_starts[next];
                    if *earliest == NEVER {
                        self.next.push(next as u32);
                    }
                    *earliest = start.min(*earliest);
                }
            }
        }
        std::mem::swap(&mut self.active, &mut self.next);
        std::mem::swap(&mut self.starts, &mut self.next_starts);
        self.at += character.len_utf8();
        for at in 0..self.active.len() {
            let state = self.active[at];
            let start = self.starts[state as usize] as usize;
            if self.is_end(state) && self.found.is_none_or(|(first, _)| start <= first) {
                self.found = Some((start, self.at));
            }
        }
        budget.spend(self.active.len());
    }

    /// The first match, and of those that begin there the longest; `None` if the text must be read further.
    fn find(&mut self, text: &str, budget: &mut Budget) -> Option<Option<(usize, usize)>> {
        loop {
            if budget.is_spent() {
                return None;
            }
            self.begin_path();
            let Some(character) = text[self.at..].chars().next() else {
                return Some(self.found);
            };
            if self.active.is_empty() {
                return Some(self.found);
            }
            budget.spend(2);
            self.step(character, budget);
        }
    }

    /// Whether the whole text is a match.
    fn matches(&mut self, text: &str, budget: &mut Budget) -> Option<bool> {
        let found = self.find(text, budget)?;
        Some(found == Some((0, text.len())))
    }

    fn bytes(&self) -> usize {
        room::row(&self.starts)
            + room::row(&self.next_starts)
            + room::row(&self.active)
            + room::row(&self.next)
            + room::row(&self.tested)
            + room::row(&self.expression.follows)
    }
}

/// All matches of a text, one after the other.
#[derive(Clone)]
struct Finds {
    scan: Scan,
    is_over: bool,
}

impl Finds {
    /// The next match; `None` if the text must be read further.
    fn next(&mut self, text: &str, budget: &mut Budget) -> Option<Option<(usize, usize)>> {
        if self.is_over {
            return Some(None);
        }
        let found = self.scan.find(text, budget)?;
        let Some((from, to)) = found else {
            self.is_over = true;
            return Some(None);
        };
        // After an empty match it continues with the next character.
        let next = match text[to..].chars().next() {
            Some(character) if from == to => to + character.len_utf8(),
            None if from == to => {
                self.is_over = true;
                to
            }
            _ => to,
        };
        budget.spend(self.scan.tested.len() / 8);
        self.scan.restart(next);
        Some(found)
    }
}

/// Reads the expression of a built-in.
fn expression(
    context: &mut Context,
    function: &str,
    text: Value,
) -> Result<Arc<Expression>, Fault> {
    let text = context.heap.as_str(text).unwrap_or_default();
    let read = Expression::read(text).map_err(|wrong| {
        let message = format!("`{function}` cannot read its regular expression: {wrong}");
        Fault::error(ErrorKind::Value, message)
    })?;
    context.charge(read.visits / 4);
    let bytes = room::row(&read.follows) + 32 * read.symbols.len();
    context.reserve(bytes)?;
    Ok(Arc::new(read))
}

/// `matches`
#[derive(Clone)]
struct MatchesWork {
    text: Value,
    scan: Scan,
}

impl Work for MatchesWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        let text = context.heap.as_str(self.text).unwrap_or_default();
        Ok(self.scan.matches(text, budget).map(Value::boolean))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.text);
    }

    fn bytes(&self) -> usize {
        self.scan.bytes()
    }
}

/// `findAll`
#[derive(Clone)]
struct FindAllWork {
    text: Value,
    finds: Finds,
    /// A long match being copied.
    piece: Option<Text<Part>>,
    found: Vec<Value>,
}

impl FindAllWork {
    fn keep(&mut self, found: Value) {
        if self.found.len() == self.found.capacity() {
            room::grow(&mut self.found, 1);
        }
        self.found.push(found);
    }
}

impl Work for FindAllWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        loop {
            if let Some(piece) = &mut self.piece {
                let Some(piece) = piece.resume(context, budget)? else {
                    return Ok(None);
                };
                self.piece = None;
                self.keep(piece);
            }
            if budget.is_spent() {
                return Ok(None);
            }
            context.reserve(room::step(8 * self.found.capacity()))?;
            let text = context.heap.as_str(self.text).unwrap_or_default();
            match self.finds.next(text, budget) {
                None => return Ok(None),
                Some(None) => {
                    return Ok(Some(context.heap.array(std::mem::take(&mut self.found))));
                }
                Some(Some((from, to))) => {
                    budget.spend(16);
                    if to - from > BLOCK {
                        self.piece = Some(Text::new(Part::new(self.text, from, to)));
                        continue;
                    }
                    budget.spend((to - from) / BYTES_OF_VISIT);
                    let found = context.heap.part_of_text(self.text, from, to);
                    self.keep(found);
                }
            }
        }
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.text);
        tracer.values.extend_from_slice(&self.found);
    }

    fn bytes(&self) -> usize {
        self.finds.scan.bytes()
            + room::row(&self.found)
            + self.piece.as_ref().map_or(0, Work::bytes)
    }
}

/// `replaceAll`
#[derive(Clone)]
struct ReplaceAllWork {
    /// The text, and the replacement.
    texts: [Value; 2],
    finds: Finds,
    copied: usize,
    /// The current match, and how much of the replacement is written.
    found: Option<(usize, usize)>,
    inserted: usize,
    is_last: bool,
}

impl TextBuilder for ReplaceAllWork {
    fn resume(&mut self, heap: &Heap, out: &mut String, budget: &mut Budget) -> bool {
        let text = heap.as_str(self.texts[0]).unwrap_or_default();
        let replacement = heap.as_str(self.texts[1]).unwrap_or_default();
        loop {
            if budget.is_spent() {
                return false;
            }
            let Some((from, to)) = self.found else {
                match self.finds.next(text, budget) {
                    None => return false,
                    Some(found) => {
                        self.is_last = found.is_none();
                        self.found = Some(found.unwrap_or((text.len(), text.len())));
                    }
                }
                continue;
            };
            if self.copied < from {
                self.copied = copy(text, self.copied, from, out, budget);
            } else if self.is_last {
                return true;
            } else if self.inserted < replacement.len() {
                self.inserted = copy(replacement, self.inserted, replacement.len(), out, budget);
            } else {
                budget.spend(4);
                (self.copied, self.found, self.inserted) = (to, None, 0);
            }
        }
    }

    fn sources(&self) -> &[Value] {
        &self.texts
    }
}

fn strings(context: &Context, function: &str, arguments: &[Value]) -> Result<(), Fault> {
    for argument in arguments {
        args::handle(context, function, "a string", Kind::Text, *argument)?;
    }
    Ok(())
}

/// `matches(s, pattern)`
pub fn matches(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    strings(context, "matches", arguments)?;
    let (text, pattern) = (arguments[0], arguments[1]);
    context.perform(move |context| {
        let scan = Scan::new(expression(context, "matches", pattern)?, false);
        Ok(MatchesWork { text, scan })
    })
}

/// `findAll(s, pattern)`
pub fn find_all(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    strings(context, "findAll", arguments)?;
    let (text, pattern) = (arguments[0], arguments[1]);
    context.perform(move |context| {
        let scan = Scan::new(expression(context, "findAll", pattern)?, true);
        Ok(FindAllWork {
            text,
            finds: Finds {
                scan,
                is_over: false,
            },
            piece: None,
            found: Vec::new(),
        })
    })
}

/// `replaceAll(s, pattern, to)`
pub fn replace_all(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    strings(context, "replaceAll", arguments)?;
    let (source, pattern, replacement) = (arguments[0], arguments[1], arguments[2]);
    make_by(context, 0, move |context| {
        let scan = Scan::new(expression(context, "replaceAll", pattern)?, true);
        Ok(Text::new(ReplaceAllWork {
            texts: [source, replacement],
            finds: Finds {
                scan,
                is_over: false,
            },
            copied: 0,
            found: None,
            inserted: 0,
            is_last: false,
        }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndscript_base::budget::PieceSize;

    /// All matches, found in pieces that are as small as can be.
    fn found(text: &str, pattern: &str) -> Vec<(usize, usize)> {
        let expression = Arc::new(Expression::read(pattern).unwrap());
        let mut finds = Finds {
            scan: Scan::new(expression, true),
            is_over: false,
        };
        let mut all = Vec::new();
        loop {
            let mut budget = Budget::piece(PieceSize::of(1));
            match finds.next(text, &mut budget) {
                None => {}
                Some(None) => return all,
                Some(Some(found)) => all.push(found),
            }
        }
    }

    fn matches(text: &str, pattern: &str) -> bool {
        let mut scan = Scan::new(Arc::new(Expression::read(pattern).unwrap()), false);
        scan.matches(text, &mut Budget::unlimited()).unwrap()
    }

    /// By trying every part of the text.
    fn found_slowly(text: &str, pattern: &str) -> Vec<(usize, usize)> {
        let bounds: Vec<usize> = (0..=text.len())
            .filter(|at| text.is_char_boundary(*at))
            .collect();
        let (mut all, mut at) = (Vec::new(), 0);
        while at < bounds.len() {
            let first = bounds[at..].iter().find_map(|from| {
                let ends = bounds.iter().rev().filter(|to| *to >= from);
                let mut ends = ends.filter(|to| matches(&text[*from..**to], pattern));
                ends.next().map(|to| (*from, *to))
            });
            let Some((from, to)) = first else { break };
            all.push((from, to));
            let next = if from == to { to + 1 } else { to };
            at = bounds.partition_point(|bound| *bound < next);
        }
        all
    }

    #[test]
    fn matches_are_those_that_trying_every_part_finds() {
        let patterns = [
            "a",
            "a*",
            "a+b",
            "(a|ab)(c|bcd)?",
            "[^b]+",
            "b?a{2,3}",
            "",
            ".",
            "é|ab",
            "(ab)*",
            "a*b|c",
        ];
        let texts = [
            "",
            "a",
            "aab",
            "abcd",
            "aaaaabab",
            "éab é",
            "xaxbab",
            "caab",
            "bbbbaaaaaac",
        ];
        for pattern in patterns {
            for text in texts {
                assert_eq!(
                    found(text, pattern),
                    found_slowly(text, pattern),
                    "{pattern:?} in {text:?}"
                );
            }
        }
    }

    #[test]
    fn a_search_takes_as_long_as_its_text() {
        let steps = |length: usize| {
            let text = "a".repeat(length);
            let mut scan = Scan::new(Arc::new(Expression::read("(a|aa)*b").unwrap()), true);
            let mut budget = Budget::unlimited();
            assert_eq!(scan.find(&text, &mut budget), Some(None));
            i64::MAX - budget.left()
        };
        assert!(
            steps(2000) < 3 * steps(1000),
            "{} {}",
            steps(1000),
            steps(2000)
        );
    }
}
