//! Random programs in which texts grow beside failures: in choices, loops, calls of every kind of search, in collections and
//! closures. Each line that is printed at the end is a text that some branch has made.

use super::random::Random;

/// Texts grow in place from 128 bytes on.
const LONG: &str = "repeat(\"0123456789abcdef\", 8)";

/// The program with a number.
pub fn growing_texts(seed: u64) -> String {
    let mut writer = Writer {
        random: Random::new(seed),
        text: String::new(),
        depth: 0,
        choices: 0,
        loops: 0,
        functions: 0,
    };
    writer.line(&format!("var a = {LONG};"));
    writer.line("var b = a;");
    writer.line("var own = a;");
    writer.line("var kept = [];");
    writer.line("var cells = {one: a, two: [b]};");
    writer.line(
        "function grow(text, times) { for (var i = 0; i < times; i++) text += i; return text; }",
    );
    for _ in 0..writer.random.between(3, 9) {
        writer.statement();
    }
    writer.line(
        "function tail(text) { return sizeOf(text) + \":\" + substring(text, min(sizeOf(text), 126), sizeOf(text)); }",
    );
    writer.line(
        "function show(value) { if (typeOf(value) == \"string\") printLine(tail(value)); else map(value, show); }",
    );
    writer.line("show([a, b, kept, cells.one, cells.two, own]);");
    writer.text
}

struct Writer {
    random: Random,
    text: String,
    depth: usize,
    /// How many choices there are: all solutions are to be found.
    choices: usize,
    loops: usize,
    /// How many functions there are around: `own` is a variable that no function mentions.
    functions: usize,
}

impl Writer {
    fn line(&mut self, line: &str) {
        self.text += &"    ".repeat(self.depth);
        self.text += line;
        self.text.push('\n');
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.random.below(of.len())]
    }

    fn place(&mut self) -> &'static str {
        let places = [
            "own",
            "own",
            "a",
            "a",
            "a",
            "b",
            "b",
            "cells.one",
            "cells.two[0]",
        ];
        self.pick(if self.functions == 0 {
            &places
        } else {
            &places[2..]
        })
    }

    fn end(&mut self) -> &'static str {
        self.pick(&[
            "\"x\"",
            "\"yz\"",
            "\"\u{e9}\"",
            "\"a longer end that is put behind it\"",
            "sizeOf(a)",
            "\"\"",
            "kept",
        ])
    }

    fn block(&mut self) {
        self.depth += 1;
        for _ in 0..self.random.between(1, 3) {
            self.statement();
        }
        self.depth -= 1;
    }

    /// A call that runs a function with what is in a block, and what becomes of its result.
    fn search(&mut self, before: &str, inside: &str, after: &str) {
        self.line(&format!("{before}(() => {{"));
        self.functions += 1;
        self.block();
        self.functions -= 1;
        self.depth += 1;
        if !inside.is_empty() {
            self.line(inside);
        }
        let result = self.pick(&["a", "b", "[a, b]", "{c: a}.c", "grow(b, 3)", "cells.two"]);
        self.line(&format!("return {result};"));
        self.depth -= 1;
        self.line(after);
    }

    fn statement(&mut self) {
        let is_deep = self.depth > 2;
        match self.random.below(18) {
            0..=4 => {
                let (place, end) = (self.place(), self.end());
                self.line(&format!("{place} += {end};"));
            }
            5 => {
                let (place, from) = (self.place(), self.place());
                self.line(&format!("{place} = {from};"));
            }
            6 => {
                let (place, from, times) = (self.place(), self.place(), self.random.below(41));
                self.line(&format!("{place} = grow({from}, {times});"));
            }
            7 => {
                let place = self.place();
                self.line(&format!("push(kept, {place});"));
            }
            8 => {
                let (place, by) = (self.place(), self.random.between(2, 5));
                self.line(&format!("if (sizeOf({place}) % {by} == 0) fail;"));
            }
            9..=11 if !is_deep && self.choices < 5 => {
                self.choices += 1;
                self.line("choose first {");
                self.block();
                self.line("} or {");
                self.block();
                self.line("}");
            }
            12 if !is_deep && self.choices < 5 => {
                self.choices += 1;
                let place = self.place();
                self.line(&format!("{place} += choose(\"one\", \"\u{fc}\", 3);"));
            }
            13 if !is_deep && self.loops < 2 => {
                self.loops += 1;
                let (name, turns) = (format!("i{}", self.loops), self.random.between(2, 5));
                self.line(&format!(
                    "for (var {name} = 0; {name} < {turns}; {name}++) {{"
                ));
                self.block();
                self.line("}");
            }
            14 if !is_deep => self.search("kept = concat(kept, solutions", "", "}));"),
            15 if !is_deep => {
                self.search("push(kept, minimize", "cost(sizeOf(a) % 3);", "}));");
            }
            16 if !is_deep => self.search("push(kept, once", "", "}));"),
            17 if !is_deep => self.search("countSolutions", "", "});"),
            _ => {
                let place = self.place();
                self.line(&format!("if (contains({place}, setOf(a, b))) b += \"s\";"));
            }
        }
    }
}
