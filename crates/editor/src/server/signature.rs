//! The parameters of the call that the cursor is in.

use std::ops::Range;

use gen_lsp_types as lsp;
use ndscript::syntax::highlight::TokenClass;

use super::analysis::Analysis;
use super::hover::{documentation, markdown};
use super::{Failure, Server};
use crate::store::Token;
use crate::text::Text;

/// A call that is not closed before the cursor.
struct OpenCall {
    /// The name of the function.
    name: Range<usize>,
    /// How many commas stand between its bracket and the cursor.
    commas: u32,
}

impl Server {
    /// The parameters of the call that the cursor is in.
    pub(super) fn signature(
        &mut self,
        parameters: lsp::SignatureHelpParams,
    ) -> Result<Option<lsp::SignatureHelp>, Failure> {
        let cursor = self.at(&parameters.text_document_position_params)?;
        let text = &cursor.document.text;
        let tokens = cursor.document.tokens_before(cursor.offset);
        let Some(call) = open_call(&text.text[..cursor.offset], tokens) else {
            return Ok(None);
        };
        let Some((label, words)) = described(&cursor.analysis, &text.text, &call.name) else {
            return Ok(None);
        };
        let label_text = Text::new(label.clone(), self.encoding_of_labels());
        let parameters: Vec<lsp::ParameterInformation> = parts(&label)
            .into_iter()
            .map(|bytes| {
                let start = label_text.units(0..bytes.start);
                let end = label_text.units(0..bytes.end);
                lsp::ParameterInformation {
                    label: (start, end).into(),
                    documentation: None,
                }
            })
            .collect();
        // The last parameter may take all that is left.
        let is_open = label.trim_end_matches([')', ']']).ends_with("...");
        let last = (parameters.len() as u32).saturating_sub(1);
        let active = if is_open {
            call.commas.min(last)
        } else {
            call.commas
        };
        Ok(Some(lsp::SignatureHelp {
            signatures: vec![lsp::SignatureInformation {
                label,
                documentation: Some(markdown(words).into()),
                parameters: Some(parameters),
                active_parameter: None,
            }],
            active_signature: Some(0),
            active_parameter: Some(active.into()),
        }))
    }

    /// Labels are always counted as the protocol does by itself.
    fn encoding_of_labels(&self) -> crate::text::Encoding {
        self.encoding
    }
}

/// How a function is called, and what it does.
fn described(analysis: &Analysis, text: &str, name: &Range<usize>) -> Option<(String, String)> {
    let word = &text[name.clone()];
    let is_method = text[..name.start].trim_end().ends_with('.');
    if is_method {
        let types = analysis.engine().types();
        let mut members = types.flat_map(|host_type| host_type.members);
        let member = members.find(|member| *member.name == *word && !member.is_field)?;
        return Some((
            format!("{word}({})", member.parameters),
            member.doc.to_string(),
        ));
    }
    let mention = analysis.mention(name.start);
    if let Some(declared) = mention.and_then(|(_, name)| analysis.declared(name.declared?)) {
        declared.parameters.as_ref()?;
        let head = analysis.head(declared);
        let head = head.strip_prefix("function ").unwrap_or(&head).to_string();
        return Some((head, analysis.comment(declared)));
    }
    let function = analysis.engine().doc(word)?;
    Some((function.call(), documentation(&function)))
}

/// A bracket that is open.
#[derive(Default)]
struct Open {
    /// The name of the function, if it is that of a call.
    call: Option<Range<usize>>,
    commas: u32,
    /// Whether statements stand in it.
    is_body: bool,
}

/// The innermost call that is open at the end of a text. The last one of its tokens may go on after it.
fn open_call(before: &str, tokens: &[Token]) -> Option<OpenCall> {
    let mut open: Vec<Open> = Vec::new();
    let mut last: Option<&Token> = None;
    for token in tokens {
        let (class, range) = token;
        let part = &before[range.start..range.end.min(before.len())];
        match class {
            TokenClass::Comment => continue,
            TokenClass::Bracket if matches!(part, "(" | "[" | "{") => {
                let named = last.filter(|(class, name)| {
                    let is_function =
                        *class == TokenClass::Name || &before[name.clone()] == "choose";
                    part == "(" && is_function
                });
                let is_body = part == "{"
                    && last.is_none_or(|(class, range)| {
                        let word = &before[range.clone()];
                        let is_behind_head = *class == TokenClass::Keyword && word != "return";
                        is_behind_head || matches!(word, ")" | "=>" | ";" | "{" | "}")
                    });
                open.push(Open {
                    call: named.map(|(_, name)| name.clone()),
                    commas: 0,
                    is_body,
                });
            }
            TokenClass::Bracket => {
                open.pop();
            }
            TokenClass::String => {
                if part.starts_with('}') {
                    open.pop();
                }
                if part.ends_with("${") {
                    open.push(Open::default());
                }
            }
            TokenClass::Operator if part == "," => {
                if let Some(innermost) = open.last_mut() {
                    innermost.commas += 1;
                }
            }
            // Calls of this statement that do not end are over.
            TokenClass::Operator if part == ";" => {
                while open
                    .last()
                    .is_some_and(|innermost| innermost.call.is_some())
                {
                    open.pop();
                }
            }
            _ => {}
        }
        last = Some(token);
    }
    let mut outwards = open.into_iter().rev();
    let innermost = outwards.find(|open| open.call.is_some() || open.is_body)?;
    let name = innermost.call?;
    // In a declaration the names are no arguments.
    let is_declaration = before[..name.start].trim_end().ends_with("function");
    (!is_declaration).then_some(OpenCall {
        name,
        commas: innermost.commas,
    })
}

/// The parameters in a label such as `chooseElement(collection[, weights])`.
fn parts(label: &str) -> Vec<Range<usize>> {
    let Some(open) = label.find('(') else {
        return Vec::new();
    };
    let inner = open + 1..label.rfind(')').unwrap_or(label.len()).max(open + 1);
    let mut found = Vec::new();
    let mut start = inner.start;
    let mut depth = 0i32;
    let pieces = label[inner.clone()].char_indices();
    let ends = pieces.chain(std::iter::once((inner.len(), ',')));
    for (at, character) in ends {
        match character {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            ',' if depth == 0 || at == inner.len() => {
                let piece = &label[start..inner.start + at];
                let marks = |c: char| matches!(c, '[' | ']' | ' ');
                let begin = start + (piece.len() - piece.trim_start_matches(marks).len());
                let end = begin + piece.trim_matches(marks).len();
                if begin < end {
                    found.push(begin..end);
                }
                start = inner.start + at + 1;
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{open_call, parts};
    use ndscript::syntax::highlight::tokens;

    #[test]
    fn parameters_are_found_in_labels() {
        let words = |label: &'static str| {
            let found = parts(label).into_iter().map(|bytes| &label[bytes]);
            found.collect::<Vec<_>>()
        };
        assert_eq!(
            words("chooseElement(collection[, weights])"),
            ["collection", "weights"]
        );
        assert_eq!(words("f()"), [""; 0]);
        assert_eq!(words("choose(a, b, ...)"), ["a", "b", "..."]);
        assert_eq!(words("f(a = g(1, 2), b)"), ["a = g(1, 2)", "b"]);
    }

    #[test]
    fn the_innermost_open_call_is_found() {
        let call = |text: &'static str| {
            let all: Vec<_> = tokens(text).collect();
            open_call(text, &all).map(|call| (&text[call.name], call.commas))
        };
        assert_eq!(call("f(a, g(b, "), Some(("g", 1)));
        assert_eq!(call("f(a, g(b), [1, 2], "), Some(("f", 3)));
        assert_eq!(call("f(`${g(1, "), Some(("g", 1)));
        assert_eq!(call("f(x => { g(1); "), None);
        assert_eq!(call("f(x => { g(1); }, "), Some(("f", 1)));
        assert_eq!(call("f(function (a) { return {b: g(1, "), Some(("g", 1)));
        assert_eq!(call("f({a: 1, b: "), Some(("f", 0)));
        assert_eq!(call("f(1\n; g(2); "), None);
        assert_eq!(call("if (a) { f(1); } else { g("), Some(("g", 0)));
        assert_eq!(call("if (a"), None);
        assert_eq!(call("function f(a"), None);
        assert_eq!(call("f(\"a, b"), Some(("f", 0)));
    }
}
