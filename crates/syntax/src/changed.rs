//! Reads a text again of which little has changed. Statements of the outermost level that have not changed, and stand away
//! from all errors, keep their trees; only what lies between them is read.

use std::ops::Range;

use super::ast::{Script, Statement};
use super::lexer::lex;
use super::parse::{MAX_SHOWN, fits, read};
use super::shift::Shift;
use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::source::Span;

/// A text that was read, with what [`read`] gave.
#[derive(Clone, Copy)]
pub struct TextRead<'a> {
    /// The text.
    pub text: &'a str,
    /// The place of its beginning.
    pub base: u32,
    /// Its tree.
    pub script: &'a Script,
    /// Its errors.
    pub errors: &'a [Diagnostic],
}

/// Gives what [`read`] does, and takes what has not changed from an earlier reading. Of a large text with errors it may find
/// better repairs: the work for them is bounded, and a part leaves more of it.
///
/// ```
/// use ndscript::syntax::{TextRead, read, read_changed};
/// let (old, new) = ("let a = 1; let b = 2; let c = 3;", "let a = 1; let bee = [2; let c = 3;");
/// let (script, errors) = read(old, 0);
/// let before = TextRead { text: old, base: 0, script: &script.unwrap(), errors: &errors };
/// assert_eq!(read_changed(before, new, 0), read(new, 0));
/// ```
pub fn read_changed(
    before: TextRead<'_>,
    text: &str,
    base: u32,
) -> (Option<Script>, Vec<Diagnostic>) {
    match reread(before, text, base) {
        Some((script, errors)) => (Some(script), errors),
        None => read(text, base),
    }
}

/// How many unchanged statements are read on either side of what changed, first and at last: a mistake can reach further than
/// its messages say.
const MARGINS: [usize; 2] = [1, 16];

fn reread(before: TextRead<'_>, text: &str, base: u32) -> Option<(Script, Vec<Diagnostic>)> {
    // Messages say when there are too many to show all.
    if before.errors.len() >= MAX_SHOWN || !fits(text, base) {
        return None;
    }
    let changed = touched(before, text)?;
    let mut margins = MARGINS.into_iter();
    margins.find_map(|margin| reread_part(before, &changed, margin, text, base))
}

/// Reads what changed with some more on either side: if the outermost of that comes out as before, so would all beyond it.
fn reread_part(
    before: TextRead<'_>,
    changed: &Range<usize>,
    margin: usize,
    text: &str,
    base: u32,
) -> Option<(Script, Vec<Diagnostic>)> {
    let olds = &before.script.statements;
    let local = |place: u32| (place - before.base) as usize;
    let first = olds.partition_point(|old| local(old.span.end) < changed.start);
    let first = first.saturating_sub(margin);
    let last = olds.partition_point(|old| local(old.span.start) <= changed.end) + margin - 1;
    let start = first
        .checked_sub(1)
        .map_or(0, |at| local(olds[at].span.end));
    let is_to_end = last >= olds.len();
    let end = olds
        .get(last)
        .map_or(before.text.len(), |old| local(old.span.end));
    let moved = (text.len() as u32).wrapping_sub(before.text.len() as u32);
    let new_end = (end as u32).wrapping_add(moved) as usize;
    let part = text.get(start..new_end)?;
    // Only at the beginning of a file these are no errors.
    if start > 0 && part.starts_with(['#', '\u{feff}']) {
        return None;
    }
    let (script, errors) = read(part, base + start as u32);
    let middle = script?.statements;
    // Of a text that breaks off inside a string, the reader looks for the missing quote everywhere before it.
    let breaks_off = || lex(part, 0).unfinished.is_some();
    if errors.len() >= MAX_SHOWN || !errors.is_empty() && breaks_off() {
        return None;
    }
    let to_base = base.wrapping_sub(before.base);
    let is_kept = |new: Option<&Statement>, at: usize, by: u32| {
        let mut old = [olds[at].clone()];
        Shift(by).statements(&mut old);
        new == old.first()
    };
    let by = to_base.wrapping_add(moved);
    let is_first_kept = start == 0 || is_kept(middle.first(), first, to_base);
    let is_last_kept = is_to_end || is_kept(middle.last(), last, by);
    if !is_first_kept || !is_last_kept {
        return None;
    }
    let mut statements = olds[..first].to_vec();
    Shift(to_base).statements(&mut statements);
    statements.extend(middle);
    if !is_to_end {
        let after = statements.len();
        statements.extend_from_slice(&olds[last + 1..]);
        Shift(by).statements(&mut statements[after..]);
    }
    Some((Script { statements }, errors))
}

/// The bytes of the earlier text that have changed, or that errors speak of.
fn touched(before: TextRead<'_>, text: &str) -> Option<Range<usize>> {
    let (old, new) = (before.text.as_bytes(), text.as_bytes());
    let least = old.len().min(new.len());
    let start = equal(least, |range| old[range.clone()] == new[range]);
    let end = equal(least - start, |range| {
        let from_end = |all: &[u8]| all.len() - range.end..all.len() - range.start;
        old[from_end(old)] == new[from_end(new)]
    });
    let mut touched = start..old.len() - end;
    let spans = before.errors.iter().map(|error| error.span);
    let related = before.errors.iter().flat_map(|error| &error.related);
    let all: Option<Vec<Span>> = spans.chain(related.map(|(span, _)| Some(*span))).collect();
    for span in all? {
        touched.start = touched.start.min((span.start - before.base) as usize);
        touched.end = touched.end.max((span.end - before.base) as usize);
    }
    Some(touched)
}

/// How many bytes are equal, of `most`: by stretches and then one by one.
fn equal(most: usize, is_equal: impl Fn(Range<usize>) -> bool) -> usize {
    const STRETCH: usize = 4096;
    let mut at = 0;
    while at + STRETCH <= most && is_equal(at..at + STRETCH) {
        at += STRETCH;
    }
    while at < most && is_equal(at..at + 1) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::{TextRead, read_changed, reread};
    use crate::read;
    use std::path::Path;

    /// Numbers that are the same each time.
    struct Draws(u64);

    impl Draws {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(99);
            (self.0 >> 33) as usize % end.max(1)
        }
    }

    fn programs(folder: &Path, found: &mut Vec<String>) {
        let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().collect();
        entries.sort_by_key(std::fs::DirEntry::path);
        for entry in entries {
            let path = entry.path();
            if path.is_dir() {
                programs(&path, found);
            } else if path.extension().is_some_and(|end| end == "nds") {
                found.push(std::fs::read_to_string(path).unwrap());
            }
        }
    }

    /// What people write, delete and paste, and what is worst for a reader of parts.
    const PIECES: &[&str] = &[
        "",
        "",
        "",
        ";",
        "}",
        "{",
        "(",
        ")",
        "\n",
        " ",
        "x",
        "1",
        "/*",
        "*/",
        "//",
        "\"",
        "`",
        "${",
        "else ",
        "or ",
        "let ",
        "#!",
        "\u{feff}",
        "import \"a.nds\";",
        "let y 5;",
        "if (a) {}",
        "function f() {",
        "break;",
        "fail",
        "1 +",
        "\u{1f600}",
        "for (x in c) {}",
        "choose {}",
        "print(1);\n",
        "x = = 3;\n",
        "}\n}\n",
    ];

    fn edited(text: &str, draws: &mut Draws) -> String {
        let boundary = |at: usize| {
            (0..=at.min(text.len()))
                .rev()
                .find(|at| text.is_char_boundary(*at))
                .unwrap()
        };
        let start = boundary(draws.below(text.len() + 1));
        let most = [1, 2, 8, 80][draws.below(4)];
        let end = boundary(start + draws.below(most)).max(start);
        format!(
            "{}{}{}",
            &text[..start],
            PIECES[draws.below(PIECES.len())],
            &text[end..]
        )
    }

    /// In texts so short that the bound on repairs is never met.
    #[test]
    fn reading_what_changed_gives_what_reading_all_gives() {
        let mut texts = Vec::new();
        programs(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"),
            &mut texts,
        );
        let mut draws = Draws(7);
        let (mut all, mut used, mut used_with_errors) = (0, 0, 0);
        for text in texts.iter().filter(|text| text.len() < 4000) {
            let (mut text, mut base) = (text.clone(), 0);
            let (mut script, mut errors) = read(&text, base);
            for _ in 0..12 {
                let new = edited(&text, &mut draws);
                let new_base = base + [0, 0, 17][draws.below(3)];
                let before = script.as_ref().map(|script| TextRead {
                    text: &text,
                    base,
                    script,
                    errors: &errors,
                });
                let fresh = read(&new, new_base);
                all += 1;
                if let Some(before) = before {
                    let part = reread(before, &new, new_base);
                    used += usize::from(part.is_some());
                    used_with_errors +=
                        usize::from(part.is_some_and(|(_, errors)| !errors.is_empty()));
                    assert_eq!(
                        read_changed(before, &new, new_base),
                        fresh,
                        "{text}\n=====\n{new}"
                    );
                }
                // Errors stay for a while, as they do when people write.
                let is_kept = fresh.1.len() < 4 || draws.below(3) > 0;
                if is_kept {
                    (text, base, (script, errors)) = (new, new_base, fresh);
                }
            }
        }
        assert!(texts.len() > 50);
        assert!(
            used * 2 > all && used_with_errors * 5 > all,
            "{used} and {used_with_errors} of {all}"
        );
    }
}
