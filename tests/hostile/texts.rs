//! Hostile texts: long ones, of blanks, with one beginning, of characters of all sizes.

use super::kinds::Kind;
use super::writer::Writer;

impl Writer {
    pub(super) fn text(&mut self) -> String {
        let kind = Kind::Text;
        match self.random.below(16) {
            0..7 => {
                let part = *self.random.pick(&[
                    "a",
                    " ",
                    "\\t\\n",
                    "é",
                    "𝄞",
                    "\\u{7f}",
                    "ab\\n",
                    ",",
                    "ab,",
                    "1",
                    "ß",
                    "\\u{390}",
                    "\\r\\n",
                    "\\\\",
                    "\\\"",
                    "\\u{1b}[31m",
                    "!",
                ]);
                let size = self.size(1 + part.len() / 4);
                self.declare(kind, &format!("let # = repeat(\"{part}\", {size});"))
            }
            // One beginning in common.
            7 | 8 => {
                let start = self.value(kind);
                let end = *self.random.pick(&["\"x\"", "\"y\"", "\" \"", "\"é\""]);
                self.declare(kind, &format!("let # = {start} + {end};"))
            }
            9 => {
                let size = self.size(2);
                self.declare(
                    kind,
                    &format!("let # = repeat(\" \", {size}) + \"x\" + repeat(\"\\n \", {size});"),
                )
            }
            10 => {
                let size = self.size(1);
                self.declare(
                    kind,
                    &format!("let # = \"0.\" + repeat(\"0\", {size}) + \"1\";"),
                )
            }
            11 => {
                let turns = self.random.between(1, 18);
                let start = self.random.pick(&["ab", "é,", " \\n"]).to_string();
                self.declare(
                    kind,
                    &format!("let # = \"{start}\"; for (let i = 0; i < {turns}; i++) # += #;"),
                )
            }
            12 => {
                let size = self.size(20);
                self.declare(
                    kind,
                    &format!("let # = \"\"; for (let i = 0; i < {size}; i++) # += i % 10;"),
                )
            }
            13 => {
                let array = self.value(Kind::Numbers);
                self.declare(kind, &format!("let # = join({array}, \",\");"))
            }
            14 => {
                let value = self.value(Kind::Any);
                self.declare(kind, &format!("let # = `${{{value}}}`;"))
            }
            _ => self
                .random
                .pick(&[
                    "\"\"",
                    "\"a\"",
                    "\" \"",
                    "\"\\n\"",
                    "\"red\"",
                    "\"1e308\"",
                    "\"key 1\"",
                ])
                .to_string(),
        }
    }

    pub(super) fn picture(&mut self) -> String {
        let (width, height) = self.sides(2);
        self.declare(
            Kind::Picture,
            &format!("let # = repeat(repeat(\"ab\", {width}) + \"\\n\", {height});"),
        )
    }
}
