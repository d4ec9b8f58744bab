//! The automaton of a `pattern`, in pieces.

use ndscript_base::keyed::{KeyedMap, KeyedSet};

use super::missing::MissingValues;
use crate::texts::regular::Expression;
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::board::Rule;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::Tracer;
use ndscript_machine::work::freezing::FreezeAllWork;
use ndscript_machine::work::posting::{ConstraintBuilder, Target};
use ndscript_solver::{Automaton, Constraint, Pattern, Wording};

/// Builds a constraint from a regular expression that places have to spell.
#[derive(Clone)]
pub struct PatternBuilder {
    text: Value,
    names: Option<Value>,
    at: usize,
    /// The frozen form of the values of the next name.
    freezing: Option<FreezeAllWork>,
    missing: MissingValues,
    /// The characters that are names, and the values of the names.
    named: KeyedSet<char>,
    names_of: KeyedMap<Value, Vec<char>>,
    expression: Option<Expression>,
    /// Whether any value is read as a character.
    reads_any: bool,
    /// For each class the values that it matches.
    masks: Vec<u64>,
    /// The next value, and the next class.
    value: usize,
    class: usize,
}

impl PatternBuilder {
    pub fn new(text: Value, names: Option<Value>, allows_missing: bool) -> PatternBuilder {
        PatternBuilder {
            missing: MissingValues::new(allows_missing),
            text,
            names,
            at: 0,
            freezing: None,
            named: KeyedSet::default(),
            names_of: KeyedMap::default(),
            expression: None,
            reads_any: false,
            masks: Vec::new(),
            value: 0,
            class: 0,
        }
    }

    /// Continues to read the names.
    fn read_names(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        let Some(names) = self.names else {
            return Ok(true);
        };
        loop {
            let slots = context.heap.objects[names.payload()].slots();
            let (Some(key), Some(value)) = (
                slots.get(2 * self.at).copied(),
                slots.get(2 * self.at + 1).copied(),
            ) else {
                return Ok(true);
            };
            if budget.is_spent() {
                return Ok(false);
            }
            let mut characters = context.heap.as_str(key).unwrap_or_default().chars();
            let (Some(character), None) = (characters.next(), characters.next()) else {
                let key = context.brief(key);
                let message = format!("`pattern` gives names to single characters, not to {key}");
                return Err(Fault::error(ErrorKind::Value, message));
            };
            let freezing = self
                .freezing
                .get_or_insert_with(|| FreezeAllWork::new(vec![value]));
            if !freezing
                .resume(context, budget)
                .map_err(|why| context.no_frozen(why, Context::not_frozen))?
            {
                return Ok(false);
            }
            let value = freezing.values[0];
            if !self
                .missing
                .refuse(context, target, "pattern", value, budget)?
            {
                return Ok(false);
            }
            let table = if self.named.len() == self.named.capacity() {
                64 * self.named.capacity()
            } else {
                0
            };
            if !target.asking.ask(context, table + 64)? {
                return Ok(false);
            }
            budget.spend(16 + table / 64);
            self.named.insert(character);
            self.names_of.entry(value).or_default().push(character);
            self.freezing = None;
            self.at += 1;
        }
    }

    /// The characters as which a value is read.
    fn read(&self, context: &mut Context, value: Value) -> Result<Vec<char>, Fault> {
        let mut characters = self.names_of.get(&value).cloned().unwrap_or_default();
        // No other value is printed as a single character.
        let own = match value.kind() {
            Kind::Text => single(context.heap.as_str(value).unwrap_or_default()),
            Kind::Integer | Kind::Host => single(&context.display(value)?),
            _ => None,
        };
        characters.extend(own.filter(|own| !self.named.contains(own)));
        Ok(characters)
    }

    /// Continues to compute which class matches which value.
    fn match_values(
        &mut self,
        context: &mut Context,
        expression: &Expression,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        let width = context.heap.boards[target.board].solver.width();
        if self.masks.is_empty() {
            let words = expression.classes.len() * width;
            if !target.asking.ask(context, 8 * words)? {
                return Ok(false);
            }
            budget.spend(words / 16);
            self.masks = vec![0; words];
        }
        while let Some(value) = context.heap.boards[target.board]
            .universe()
            .get(self.value)
            .copied()
        {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(16);
            let characters = self.read(context, value)?;
            self.reads_any |= !characters.is_empty();
            while let Some(class) = expression.classes.get(self.class) {
                if budget.is_spent() {
                    return Ok(false);
                }
                budget.spend(6 + 6 * characters.len());
                // `.` and classes with `^` match values that have no characters, too.
                let fits = match characters.is_empty() {
                    true => class.matches('\u{fffd}'),
                    // A value that reads as several characters is none of those that a class excludes.
                    false if class.is_negated() => {
                        characters.iter().all(|character| class.matches(*character))
                    }
                    false => characters.iter().any(|character| class.matches(*character)),
                };
                if fits {
                    self.masks[self.class * width + self.value / 64] |= 1 << (self.value % 64);
                }
                self.class += 1;
            }
            (self.value, self.class) = (self.value + 1, 0);
        }
        // No value can be read, and the expression leaves none open, as `.` does. Arrays fail, and the message says why.
        let universe = context.heap.boards[target.board].universe();
        let is_doubted =
            !self.reads_any && !self.missing.are_allowed() && !target.places.is_empty();
        match universe.first() {
            Some(value) if is_doubted && !self.masks.is_empty() && !value.is_kind(Kind::Array) => {
                match self.masks.iter().all(|words| *words == 0) {
                    true => Err(matches_no_value(context, *value, universe.len())),
                    false => Ok(true),
                }
            }
            _ => Ok(true),
        }
    }
}

/// The error for an expression none of whose characters stands for a value of the board, of which one is shown.
fn matches_no_value(context: &Context, value: Value, count: usize) -> Fault {
    let shown = context.brief(value);
    let message = format!(
        "`pattern` reads characters, and none stands for a value of the board, such as {shown}"
    );
    let fault = Fault::error(ErrorKind::Value, message);
    if value.is_kind(Kind::Text) && count == 1 {
        return fault.with_hint("`toSet(s)` is the set of the characters of a text");
    }
    fault.with_hint(format!(
        "give the values names: `pattern(b, places, text, {{x: {shown}}})`; where that is meant, `{{missing: true}}` as \
         the last argument"
    ))
}

/// The only character of a text.
fn single(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

/// Longer expressions are not quoted in a sentence.
const MOST_QUOTED: usize = 120;

impl ConstraintBuilder for PatternBuilder {
    fn resume(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<Option<Rule>, Fault> {
        if !self.read_names(context, target, budget)? {
            return Ok(None);
        }
        let expression = match self.expression.take() {
            Some(expression) => expression,
            None => {
                let read = Expression::read(context.heap.as_str(self.text).unwrap_or_default());
                let expression = read.map_err(|wrong| {
                    Fault::error(
                        ErrorKind::Value,
                        format!("`pattern` cannot read its regular expression: {wrong}"),
                    )
                })?;
                budget.spend(expression.visits);
                expression
            }
        };
        if !self.match_values(context, &expression, target, budget)? {
            self.expression = Some(expression);
            return Ok(None);
        }
        let Expression {
            symbols,
            follows,
            ends,
            ..
        } = expression;
        let states = symbols.len() as u32 + 1;
        // No edge leads to the start state, so its class is arbitrary.
        let classes = std::iter::once(0).chain(symbols).collect();
        let words = context.heap.boards[target.board].solver.width() as u32;
        let masks = std::mem::take(&mut self.masks);
        let automaton = Automaton {
            states,
            follows,
            classes,
            masks,
            words,
            ends,
        };
        // The text that `element` builds of numbers is not readable.
        let text = context.heap.as_str(self.text).unwrap_or_default();
        let is_readable = text.len() <= MOST_QUOTED && text.chars().all(|char| char < '\u{F0000}');
        let wording = match is_readable {
            true => Wording::Expression(text.to_string()),
            false => Wording::Unknown,
        };
        let pattern = Pattern::new(std::mem::take(&mut target.places), automaton, wording);
        Ok(Some(
            Constraint::from(pattern)
                .prepared(&context.heap.boards[target.board].solver)
                .into(),
        ))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.text);
        tracer.values.extend(self.names);
        self.freezing
            .iter()
            .for_each(|freezing| freezing.trace(tracer));
        tracer.values.extend(self.names_of.keys());
    }

    fn bytes(&self) -> usize {
        room::hash_map(self.named.capacity(), 4)
            + room::hash_map(self.names_of.capacity(), 32)
            + 32 * self.named.len()
            + room::row(&self.masks)
            + self
                .expression
                .as_ref()
                .map_or(0, |expression| room::row(&expression.follows))
    }
}
