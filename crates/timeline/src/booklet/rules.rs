//! The rules of a puzzle in few lines: a rule that holds for every row is written once.

use crate::puzzle::{Puzzle, PuzzleRule};

/// At most this many lines are written; more would be no help on paper.
const MOST_LINES: usize = 24;
/// From this number on, rules that differ only in their places share a line.
const ALIKE: usize = 3;

/// The topic of a rule, as far as rules may share a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RuleTopic {
    Row,
    Column,
    Block,
    Group,
}

/// A rule without its places: the texts before and after them.
type Form<'r> = (RuleTopic, &'r str, &'r str);

/// Rules that differ in their places only.
pub struct Family<'r> {
    form: Option<Form<'r>>,
    pub rules: Vec<&'r PuzzleRule>,
}

/// The rules of a puzzle by what they say, in the order of the first of each.
pub fn families(rules: &[PuzzleRule]) -> Vec<Family<'_>> {
    let mut families: Vec<Family<'_>> = Vec::new();
    // A count of values that no place can have is left out.
    let says_something = |rule: &&PuzzleRule| !rule.text.ends_with(" with nothing");
    for rule in rules.iter().filter(says_something) {
        let form = form(&rule.text);
        let same = |family: &&mut Family<'_>| form.is_some() && family.form == form;
        match families.iter_mut().find(same) {
            Some(family) => family.rules.push(rule),
            None => families.push(Family {
                form,
                rules: vec![rule],
            }),
        }
    }
    families
}

/// The rules as lines.
pub fn lines(puzzle: &Puzzle) -> Vec<String> {
    let mut lines = Vec::new();
    for family in families(&puzzle.rules) {
        match family.form {
            Some(form) if family.rules.len() >= ALIKE => {
                lines.push(together(form, family.rules.len(), puzzle));
            }
            _ => lines.extend(family.rules.iter().map(|rule| rule.text.clone())),
        }
    }
    if lines.len() > MOST_LINES {
        let more = lines.len() - MOST_LINES;
        lines.truncate(MOST_LINES);
        lines.push(format!("and {more} more rules"));
    }
    lines
}

/// A rule that holds for several groups, as one sentence.
fn together((about, before, after): Form<'_>, count: usize, puzzle: &Puzzle) -> String {
    let all = match about {
        RuleTopic::Row if count == puzzle.height => Some("every row"),
        RuleTopic::Column if count == puzzle.width => Some("every column"),
        _ => None,
    };
    if let Some(all) = all {
        return format!("{before}{all}{after}");
    }
    let what = match about {
        RuleTopic::Row => "rows",
        RuleTopic::Column => "columns",
        RuleTopic::Block => "blocks",
        RuleTopic::Group => "groups of places",
    };
    if before.is_empty() {
        let after = after
            .strip_prefix(" has ")
            .map_or_else(|| after.to_string(), |after| format!(" have {after}"));
        format!("{count} {what} each{after}")
    } else {
        format!("{before}each of {count} {what}{after}")
    }
}

/// Splits a rule at its places, if it names any as rules of boards do: see `rule_words.rs` of the built-ins.
fn form(text: &str) -> Option<Form<'_>> {
    for (about, word) in [(RuleTopic::Row, "row "), (RuleTopic::Column, "column ")] {
        let Some(at) = text.find(word) else { continue };
        let number = text[at + word.len()..].bytes();
        let digits = number.take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            return Some((about, &text[..at], &text[at + word.len() + digits..]));
        }
    }
    let last = text.rfind(')')? + 1;
    let block = text.find("the block from (");
    let at = block.or_else(|| text.find('('))?;
    let before = &text[..at];
    // `5 cells between (0,0) and (2,2)`
    let before = before
        .strip_suffix(" cells between ")
        .map_or(before, |before| {
            before.trim_end_matches(|character: char| character.is_ascii_digit())
        });
    let about = block.map_or(RuleTopic::Group, |_| RuleTopic::Block);
    Some((about, before, &text[last..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_split_at_their_places() {
        let split = |text| form(text).map(|(_, before, after)| (before, after));
        assert_eq!(
            split("row 12 has no value twice"),
            Some(("", " has no value twice"))
        );
        assert_eq!(
            split("the sum of column 3 is 45"),
            Some(("the sum of ", " is 45"))
        );
        assert_eq!(
            split("the block from (0,0) to (2,2) have no value twice"),
            Some(("", " have no value twice"))
        );
        assert_eq!(
            split("the sum of 12 cells between (0,0) and (3,7) is 9"),
            Some(("the sum of ", " is 9"))
        );
        assert_eq!(
            split("(0,1), (0,2) and (1,1) fit together"),
            Some(("", " fit together"))
        );
        assert_eq!(split("neighbours fit together"), None);
    }
}
