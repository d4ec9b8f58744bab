//! The chosen values of a program: found by running it with every choice recorded, and written beside its lines or in
//! place of the choices.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ndscript::Data;
use ndscript::reference::{self, Chance};
use ndscript::source::Span;
use ndscript::syntax::ast::{
    Expression, ExpressionKind, Function, FunctionBody, Postfix, PostfixKind, Statement,
    StatementKind,
};
use ndscript::syntax::highlight::{TokenClass, tokens};
use ndscript::syntax::parse;
use ndscript::syntax::parts::StatementPart;

use crate::interactive::repl::reply::brief;

/// The name of the function that records a choice, and of the record.
const RECORDER: &str = "noted__choice";
pub const NOTES: &str = "noted__choices";

/// At most this many values are written beside a line.
const MOST_NAMED: usize = 8;

/// A place of a program at which it chooses.
struct ChoiceSite {
    range: Range<usize>,
    /// The alternatives of a `choose` statement; an expression has none.
    alternatives: Vec<Range<usize>>,
    /// Whether its value is new, so that nothing else can be changed through it.
    is_new: bool,
    /// The variables of functions and loops in it.
    locals: Vec<String>,
}

/// The places of a program at which it chooses.
pub struct ChoiceSites(Vec<ChoiceSite>);

/// A choice in words.
pub struct ChoiceInWords {
    pub place: usize,
    pub chosen: String,
    pub locals: Vec<(String, String)>,
}

/// The chosen values at each place, in order; for a statement the number of the alternative.
pub type Chosen = BTreeMap<usize, Vec<Data>>;

impl ChoiceSites {
    pub fn find(text: &str) -> ChoiceSites {
        let Ok(script) = parse(text, 0) else {
            return ChoiceSites(Vec::new());
        };
        let mut walk = Walk::default();
        walk.statements(&script.statements);
        let Walk {
            found, declared, ..
        } = walk;
        // A program's own function of such a name may be anything.
        let found = found
            .into_iter()
            .filter(|(name, _)| name.is_none_or(|name| !declared.contains(name)));
        ChoiceSites(found.map(|(_, place)| place).collect())
    }

    /// The program, which records every choice in the global variable [`NOTES`].
    pub fn noting(&self, text: &str) -> String {
        let mut pieces: Vec<(usize, bool, String)> = Vec::new();
        for (number, place) in self.0.iter().enumerate() {
            if place.alternatives.is_empty() {
                pieces.push((place.range.start, false, format!("{RECORDER}({number}, ")));
                let locals: Vec<String> = place
                    .locals
                    .iter()
                    .map(|name| format!("[{name:?}, {name}]"))
                    .collect();
                pieces.push((place.range.end, true, format!(", [{}])", locals.join(", "))));
            }
            for (at, alternative) in place.alternatives.iter().enumerate() {
                pieces.push((
                    alternative.start,
                    false,
                    format!("{{ {RECORDER}({number}, {at}, []); "),
                ));
                pieces.push((alternative.end, true, " }".to_string()));
            }
        }
        // Where one place ends and another begins, the end comes first.
        pieces.sort_by_key(|(at, is_end, _)| (*at, !is_end));
        let mut out = format!(
            "var {NOTES} = []; function {RECORDER}(place, value, locals) {{\
                push({NOTES}, [place, typeOf(value) == \"array\" ? copy(value) : value, locals]); return value; }}\n"
        );
        let mut done = 0;
        for (at, _, piece) in pieces {
            out.push_str(&text[done..at]);
            out.push_str(&piece);
            done = at;
        }
        out.push_str(&text[done..]);
        out
    }

    /// The chosen values by place, from the list that the marked program has recorded: of each choice its place, its
    /// value and the local variables.
    pub fn chosen(records: &Data) -> Chosen {
        let mut chosen = Chosen::new();
        for record in records.elements() {
            if let [place, value, ..] = record.elements()
                && let Some(place) = place.as_i64().and_then(|place| usize::try_from(place).ok())
            {
                chosen.entry(place).or_default().push(value.clone());
            }
        }
        chosen
    }

    /// The program with what was chosen as comments at the ends of the lines.
    pub fn commented(&self, text: &str, chosen: &Chosen) -> String {
        let inside: Vec<Range<usize>> = tokens(text).map(|(_, range)| range).collect();
        let mut ends: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (number, place) in self.0.iter().enumerate() {
            let Some(values) = chosen.get(&number) else {
                continue;
            };
            let named: Vec<String> = values
                .iter()
                .take(MOST_NAMED)
                .map(|value| self.named(text, place, value))
                .collect();
            let more = if values.len() > MOST_NAMED {
                format!(" and {} more", values.len() - MOST_NAMED)
            } else {
                String::new()
            };
            let head = place
                .alternatives
                .first()
                .map_or(place.range.end, |first| first.start);
            // A text or a comment may continue on the next line.
            let mut end = line_end(text, head);
            while let Some(token) = inside
                .iter()
                .find(|token| token.start < end && end < token.end)
            {
                end = line_end(text, token.end);
            }
            ends.entry(end)
                .or_default()
                .push(format!("{}{more}", named.join(", ")));
        }
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for (end, parts) in ends {
            out.push_str(&text[done..end]);
            out.push_str(&format!(" // chose {}", parts.join("; then ")));
            done = end;
        }
        out.push_str(&text[done..]);
        out
    }

    /// The place of a record in words: the chosen value, and the variables that it is for.
    pub fn in_words(&self, text: &str, record: &Data) -> Option<ChoiceInWords> {
        let [place, value, locals] = record.elements() else {
            return None;
        };
        let number = usize::try_from(place.as_i64()?).ok()?;
        let place = self.0.get(number)?;
        let locals = locals
            .elements()
            .iter()
            .filter_map(|local| match local.elements() {
                [name, value] => Some((
                    name.as_str()?.to_string(),
                    literal(value).unwrap_or_else(|| value.to_string()),
                )),
                _ => None,
            });
        Some(ChoiceInWords {
            place: number,
            chosen: self.named(text, place, value),
            locals: locals.collect(),
        })
    }

    /// The text of a place.
    pub fn text<'t>(&self, text: &'t str, place: usize) -> &'t str {
        self.0
            .get(place)
            .map_or("", |place| &text[place.range.clone()])
    }

    fn named(&self, text: &str, place: &ChoiceSite, value: &Data) -> String {
        let alternative = value
            .as_i64()
            .and_then(|at| place.alternatives.get(usize::try_from(at).ok()?));
        let shown = match alternative {
            Some(range) => text[range.clone()]
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" "),
            None => literal(value).unwrap_or_else(|| value.to_string()),
        };
        brief(&shown, 40)
    }

    /// The program with what was chosen in place of the choices; `None` if some of that cannot be written.
    pub fn fixed(&self, text: &str, chosen: &Chosen) -> Option<String> {
        let mut changes: Vec<(Range<usize>, String)> = Vec::new();
        let mut first = String::new();
        for (number, place) in self.0.iter().enumerate() {
            let Some(values) = chosen.get(&number) else {
                continue;
            };
            let literals: Vec<String> = values
                .iter()
                .map(|value| place.literal(value))
                .collect::<Option<_>>()?;
            let (start, end) = (place.range.start, place.range.end);
            let list = format!("chosenAt{}", number + 1);
            if literals.len() > 1 {
                first.push_str(&format!("let {list} = [{}];\n", literals.join(", ")));
            }
            match (literals.as_slice(), place.alternatives.as_slice()) {
                ([one], []) => changes.push((start..end, one.clone())),
                (_, []) => changes.push((start..end, format!("removeAt({list}, 0)"))),
                ([one], alternatives) => {
                    // The others go.
                    let Some(kept) = one.parse().ok().and_then(|at: usize| alternatives.get(at))
                    else {
                        continue;
                    };
                    changes.push((start..kept.start, String::new()));
                    changes.push((kept.end..end, String::new()));
                }
                (_, alternatives) => {
                    let mut done = start;
                    for (at, alternative) in alternatives.iter().enumerate() {
                        let head = if at == 0 {
                            format!("{{ let number = removeAt({list}, 0);")
                        } else {
                            " } else".into()
                        };
                        changes.push((
                            done..alternative.start,
                            format!("{head} if (number == {at}) {{ "),
                        ));
                        done = alternative.end;
                    }
                    changes.push((done..end, " } }".to_string()));
                }
            }
        }
        changes.sort_by_key(|(range, _)| range.start);
        let mut out = first;
        let mut done = 0;
        for (range, replacement) in changes {
            // An inner choice was replaced with the outer one.
            if range.start >= done {
                out.push_str(&text[done..range.start]);
                out.push_str(&replacement);
                done = range.end;
            }
        }
        out.push_str(&text[done..]);
        Some(out)
    }
}

impl ChoiceSite {
    /// The chosen value in the syntax of the language.
    fn literal(&self, value: &Data) -> Option<String> {
        match value {
            Data::Array(parts) if self.is_new => {
                let parts: Option<Vec<String>> = parts.iter().map(literal).collect();
                Some(format!("[{}]", parts?.join(", ")))
            }
            _ => literal(value),
        }
    }
}

fn line_end(text: &str, from: usize) -> usize {
    text[from..].find('\n').map_or(text.len(), |end| from + end)
}

/// A value in the syntax of the language. A mutable value has an identity, which a text has not.
fn literal(value: &Data) -> Option<String> {
    match value {
        Data::Position(x, y) => Some(format!("position({x}, {y})")),
        Data::Set(parts) if parts.is_empty() => Some("toSet([])".to_string()),
        Data::Set(parts) => {
            let parts: Option<Vec<String>> = parts.iter().map(literal).collect();
            Some(format!("setOf({})", parts?.join(", ")))
        }
        Data::Null | Data::Boolean(_) | Data::Integer(_) | Data::Float(_) => {
            Some(value.to_string())
        }
        // Inside a collection a text is shown in quotes.
        Data::Text(_) => {
            let list = Data::from(vec![value.clone()]).to_string();
            list.strip_prefix('[')
                .and_then(|text| text.strip_suffix(']'))
                .map(str::to_string)
        }
        _ => None,
    }
}

/// Finds the places, outer ones before those inside them.
#[derive(Default)]
struct Walk<'a> {
    found: Vec<(Option<&'a str>, ChoiceSite)>,
    declared: BTreeSet<&'a str>,
    /// The variables of the functions and loops around, which have their values where they are used.
    enclosing_variables: Vec<&'a str>,
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

impl<'a> Walk<'a> {
    fn statements(&mut self, statements: &'a [Statement]) {
        statements
            .iter()
            .for_each(|statement| self.statement(statement));
    }

    /// Walks through a statement and collects the places of choices.
    fn statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Declare { declarators, .. } => {
                for declarator in declarators {
                    self.declared.insert(&declarator.name.name);
                    self.expressions(&declarator.value);
                }
            }
            StatementKind::Function(function) => self.function(function),
            StatementKind::Block(statements) => self.block(statements),
            StatementKind::For {
                initial,
                condition,
                step,
                body,
            } => {
                let height = self.enclosing_variables.len();
                initial.iter().for_each(|initial| self.statement(initial));
                if let Some(StatementKind::Declare { declarators, .. }) =
                    initial.as_ref().map(|initial| &initial.kind)
                {
                    self.enclosing_variables
                        .extend(declarators.iter().map(|declarator| &*declarator.name.name));
                }
                condition
                    .iter()
                    .chain(step)
                    .for_each(|each| self.expression(each));
                self.statement(body);
                self.enclosing_variables.truncate(height);
            }
            StatementKind::Foreach {
                name,
                collection,
                body,
            } => {
                self.declared.insert(&name.name);
                self.expression(collection);
                self.enclosing_variables.push(&name.name);
                self.statement(body);
                self.enclosing_variables.pop();
            }
            StatementKind::Choose { alternatives, .. } => {
                let ranges = alternatives
                    .iter()
                    .map(|alternative| range(alternative.span))
                    .collect();
                self.found.push((
                    None,
                    ChoiceSite {
                        range: range(statement.span),
                        alternatives: ranges,
                        is_new: false,
                        locals: Vec::new(),
                    },
                ));
                self.statements(alternatives);
            }
            _ => statement.each_part(&mut |part| match part {
                StatementPart::Expression(part) => self.expression(part),
                StatementPart::Statement(part) => self.statement(part),
            }),
        }
    }

    fn function(&mut self, function: &'a Function) {
        self.declared
            .extend(function.name.iter().map(|name| &*name.name));
        // Its own are known from the call; those around it may have changed since.
        let around = std::mem::take(&mut self.enclosing_variables);
        for parameter in &function.parameters {
            self.declared.insert(&parameter.name.name);
            self.expressions(&parameter.default);
        }
        match &function.body {
            FunctionBody::Block(statements) => self.block(statements),
            FunctionBody::Expression(expression) => self.expression(expression),
        }
        self.enclosing_variables = around;
    }

    fn block(&mut self, statements: &'a [Statement]) {
        let height = self.enclosing_variables.len();
        for statement in statements {
            self.statement(statement);
            // A variable has a value after its line.
            if let StatementKind::Declare { declarators, .. } = &statement.kind {
                self.enclosing_variables
                    .extend(declarators.iter().map(|declarator| &*declarator.name.name));
            }
        }
        self.enclosing_variables.truncate(height);
    }

    /// The variables around in these expressions, not counting functions in them.
    fn locals(&self, expressions: &[Expression]) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut todo: Vec<&Expression> = expressions.iter().collect();
        while let Some(expression) = todo.pop() {
            if let ExpressionKind::Name(name) = &expression.kind
                && self.enclosing_variables.contains(&&*name.name)
                && !found.iter().any(|other| **other == *name.name)
            {
                found.push(name.name.to_string());
            }
            expression.each_part(&mut |part| todo.push(part));
        }
        found
    }

    fn expressions(&mut self, expressions: impl IntoIterator<Item = &'a Expression>) {
        expressions
            .into_iter()
            .for_each(|expression| self.expression(expression));
    }

    /// Walks through an expression and collects the places of choices.
    fn expression(&mut self, expression: &'a Expression) {
        match &expression.kind {
            ExpressionKind::Function(function) => self.function(function),
            ExpressionKind::Postfix { base, operations } => {
                if let ExpressionKind::Name(name) = &base.kind
                    && let Some(Postfix {
                        kind: PostfixKind::Call(arguments),
                        span,
                    }) = operations.first()
                    && let Some(chance) = reference::find(&name.name).and_then(|known| known.chance)
                {
                    let is_new = chance == Chance::Order;
                    let locals = self.locals(arguments);
                    let place = ChoiceSite {
                        range: range(*span),
                        alternatives: Vec::new(),
                        is_new,
                        locals,
                    };
                    self.found.push((Some(&name.name), place));
                }
            }
            ExpressionKind::Choose(parts) => {
                let range = range(expression.span);
                let locals = self.locals(parts);
                self.found.push((
                    None,
                    ChoiceSite {
                        range,
                        alternatives: Vec::new(),
                        is_new: false,
                        locals,
                    },
                ));
            }
            _ => {}
        }
        expression.each_part(&mut |part| self.expression(part));
    }
}

/// Whether a text does not use the names for recording.
pub fn has_room_for_notes(text: &str) -> bool {
    let is_taken = |name: &str| name == RECORDER || name == NOTES || name.starts_with("chosenAt");
    !tokens(text).any(|(class, range)| class == TokenClass::Name && is_taken(&text[range]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndscript::{Engine, Solution};

    fn run(text: &str, seed: u64) -> Solution {
        let program = Engine::new()
            .compile(text)
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        program
            .run(seed)
            .next()
            .unwrap_or_else(|| panic!("{text}"))
            .unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    const PROGRAM: &str = "function pick(c) { return chooseElement(c); }
let a = choose(1, choose(2, 3)), b = pick(['x', 'y\\n']), c;
choose c = `${pick(setOf(4, 5))}
of them`; or c = 'none'; or { c = 'all'; }
for (let i = 0; i < 3; i++) { choose push(a2, i); or push(a2, -randomInt(0, 9)); }
require(a > 1);
let p = chooseElement([position(1, 2), position(3, 4)]);
print(a, b, c, a2, p);";

    #[test]
    fn notes_change_nothing() {
        let text = format!("let a2 = [];\n{PROGRAM}");
        for seed in 0..20 {
            let places = ChoiceSites::find(&text);
            let noted = run(&places.noting(&text), seed);
            assert_eq!(noted.text, run(&text, seed).text);
            let chosen = ChoiceSites::chosen(noted.globals.get(NOTES).unwrap());
            assert_eq!(chosen[&1].len(), 1);
            // Comments do not change the program, and a fixed one has no choices left.
            assert_eq!(
                run(&places.commented(&text, &chosen), seed).text,
                noted.text
            );
            let fixed = places.fixed(&text, &chosen).unwrap();
            for other in 0..3 {
                assert_eq!(run(&fixed, other).text, noted.text, "{fixed}");
            }
        }
    }

    #[test]
    fn what_has_no_text_cannot_be_fixed() {
        let text = "let rooms = [{name: 'hall'}, {name: 'cave'}]; let room = chooseElement(rooms); room.lit = choose(true, false);";
        let places = ChoiceSites::find(text);
        let chosen = ChoiceSites::chosen(run(&places.noting(text), 1).globals.get(NOTES).unwrap());
        assert_eq!(places.fixed(text, &chosen), None);
    }

    #[test]
    fn comments_say_what_was_chosen() {
        let comment = |text: &str| {
            let places = ChoiceSites::find(text);
            let chosen =
                ChoiceSites::chosen(run(&places.noting(text), 1).globals.get(NOTES).unwrap());
            places.commented(text, &chosen)
        };
        assert_eq!(
            comment("let a = choose(1, 2);\n"),
            "let a = choose(1, 2); // chose 1\n"
        );
        assert_eq!(
            comment("let a = choose('a\nb', 2); // so"),
            "let a = choose('a\nb', 2); // so // chose \"a\\nb\""
        );
        assert_eq!(
            comment("var a; choose first a = 1; or\na = 2;"),
            "var a; choose first a = 1; or // chose a = 1;\na = 2;"
        );
        assert_eq!(
            comment("var a = choose(1, 2) + choose(3, 4), s = `\n`;"),
            "var a = choose(1, 2) + choose(3, 4), s = `\n`; // chose 1; then 3"
        );
        assert_eq!(
            comment("for (let i = 0; i < 10; i++) choose(i);"),
            "for (let i = 0; i < 10; i++) choose(i); // chose 0, 1, 2, 3, 4, 5, 6, 7 and 2 more"
        );
        // Results of a search that was discarded are not shown, nor those of functions of the program.
        assert_eq!(
            comment("not(() => require(choose(1, 2) > 2));"),
            "not(() => require(choose(1, 2) > 2));"
        );
        assert_eq!(
            comment("let random = () => 4; random();"),
            "let random = () => 4; random();"
        );
    }
}
