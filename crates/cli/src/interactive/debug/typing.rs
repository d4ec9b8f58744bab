//! Completion and history for commands of the debugger.

use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::{Hinter, HistoryHinter};
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

use super::command::WORDS;

pub struct Assistant {
    history: HistoryHinter,
    /// The variables of the program.
    variables: Vec<String>,
}

impl Assistant {
    pub fn new(variables: Vec<String>) -> Assistant {
        Assistant {
            history: HistoryHinter::new(),
            variables,
        }
    }

    /// Where the word before the cursor begins, and what it can become.
    fn words(&self, line: &str, cursor: usize) -> (usize, Vec<String>) {
        let before = &line[..cursor];
        let begin = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let (others, word) = before.split_at(begin);
        let is_command =
            others.trim().is_empty() || matches!(others.trim(), "back" | "b" | "reverse");
        let variables = self.variables.iter().map(String::as_str);
        let all: Vec<&str> = if is_command {
            WORDS.to_vec()
        } else {
            variables.collect()
        };
        let mut found: Vec<String> = all
            .into_iter()
            .filter(|known| known.starts_with(word))
            .map(str::to_string)
            .collect();
        found.sort();
        (begin, found)
    }
}

impl Helper for Assistant {}

impl Validator for Assistant {}

impl Highlighter for Assistant {}

impl Hinter for Assistant {
    type Hint = String;

    fn hint(&self, line: &str, cursor: usize, context: &Context<'_>) -> Option<String> {
        self.history.hint(line, cursor, context)
    }
}

impl Completer for Assistant {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        cursor: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.words(line, cursor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_commands_and_then_variables() {
        let assistant = Assistant::new(vec![
            "map".to_string(),
            "count".to_string(),
            "cost".to_string(),
        ]);
        let words = |line: &str| assistant.words(line, line.len());
        assert_eq!(
            words("cho"),
            (0, vec!["choice".to_string(), "choices".to_string()])
        );
        assert_eq!(words("back ou").1, ["out"]);
        assert_eq!(
            words("change co"),
            (7, vec!["cost".to_string(), "count".to_string()])
        );
        assert_eq!(words("show ").1.len(), 3);
        assert!(words("zzz").1.is_empty());
        assert!(WORDS.iter().all(|word| {
            !super::super::command::parse(word).is_err_and(|why| why.contains("no command"))
        }));
    }
}
