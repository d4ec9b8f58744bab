//! Random programs in which searches make collections, hand them on, and write into them: in choices, loops, callbacks and
//! searches of every kind, one inside another.

use super::random::Random;

/// The program with a number.
pub fn made_in_searches(seed: u64) -> String {
    let mut writer = Writer {
        random: Random::new(seed),
        text: String::new(),
        depth: 0,
        choices: 0,
        names: 0,
        minimizing: 0,
    };
    writer.line("function counter(n) { return () => { n++; return n; }; }");
    writer.line("function made(n) { return {list: [n, 0], inner: {n: n, none: []}, cells: makeGrid(2, 2, n), waiting: queue(), text: \"\" + n, next: counter(n)}; }");
    writer.line("function shown(v) { return v.list + \" \" + v.inner + \" \" + v.cells + map(valuesOf(v.cells), toString) + \" \" + v.waiting + \" \" + v.text + \" \" + v.next(); }");
    writer
        .line("function pick(n) { choose first { return n; } or { return n + 1; } or { fail; } }");
    writer.line("deterministic function sure(n) { choose first { require(n > 1); return n; } or { return 3 - n; } }");
    writer.line("var all = [made(1), made(2)];");
    for _ in 0..writer.random.between(3, 8) {
        writer.statement();
    }
    writer.line("foreach (v in all) printLine(shown(v));");
    writer.text
}

struct Writer {
    random: Random,
    text: String,
    depth: usize,
    /// How many choices there are: all solutions are to be found.
    choices: usize,
    names: usize,
    /// How many `minimize` there are around. What is too dear visits nothing, which depends on the attempt.
    minimizing: usize,
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

    /// A thing that was made.
    fn thing(&mut self) -> &'static str {
        self.pick(&[
            "all[0]",
            "all[1]",
            "all[sizeOf(all) - 1]",
            "all[sizeOf(all) - 1]",
        ])
    }

    fn number(&mut self) -> String {
        let thing = self.thing();
        match self.random.below(9) {
            0 => format!("sizeOf({thing}.list)"),
            1 => format!("{thing}.inner.n"),
            2 => format!("{thing}.cells[1, 0]"),
            3 => format!("{thing}.next()"),
            4 => format!("sure({})", self.random.below(4)),
            5 if self.choices < 5 => {
                self.choices += 1;
                format!("pick({})", self.random.below(4))
            }
            6 if self.choices < 5 => {
                self.choices += 1;
                "chooseElement(setOf(5))".to_string()
            }
            _ => self.random.below(9).to_string(),
        }
    }

    fn block(&mut self) {
        self.depth += 1;
        for _ in 0..self.random.between(1, 3) {
            self.statement();
        }
        self.depth -= 1;
    }

    /// A call with what is in a block, and what becomes of its result.
    fn search(&mut self, before: &str, inside: &str, result: &str, after: &str) {
        self.line(&format!("{before}(() => {{"));
        self.depth += 1;
        if self.random.percent(60) {
            self.line("all = concat(all, [made(7)]);");
        }
        self.depth -= 1;
        self.block();
        self.depth += 1;
        if !inside.is_empty() {
            self.line(inside);
        }
        self.line(&format!("return {result};"));
        self.depth -= 1;
        self.line(after);
    }

    fn statement(&mut self) {
        let is_deep = self.depth > 2;
        let (thing, number) = (self.thing(), self.number());
        match self.random.below(27) {
            0 => self.line(&format!("push({thing}.list, {number});")),
            1 => self.line(&format!("if (sizeOf({thing}.list) > 1) pop({thing}.list);")),
            2 => self.line(&format!("{thing}.list[0] = {number};")),
            3 => self.line(&format!("insert({thing}.list, 0, {number});")),
            4 => self.line(&format!("{thing}.inner.n = {number};")),
            5 => self.line(&format!("{thing}.inner[\"k\" + {number}] = 1;")),
            6 => self.line(&format!("push({thing}.inner.none, {number});")),
            7 => {
                let (x, y) = (self.random.below(2), self.random.below(2));
                self.line(&format!("{thing}.cells[{x}, {y}] = {number};"));
            }
            8 => self.line(&format!("fill({thing}.cells, {number});")),
            9 => self.line(&format!("enqueue({number}, {thing}.waiting);")),
            10 => self.line(&format!(
                "if (!isEmpty({thing}.waiting)) dequeue({thing}.waiting);"
            )),
            11 => self.line(&format!("{thing}.text += {number};")),
            12 => self.line(&format!("{thing}.next();")),
            13 => self.line(&format!("push(all, made({number}));")),
            14 => self.line(&format!("push(all, deepCopy({thing}));")),
            15 => self.line(&format!("if ({number} % 3 == 0) fail;")),
            16 if self.minimizing == 0 => self.line(&format!("require(firstVisit({thing}.list));")),
            17..=19 if !is_deep && self.choices < 5 => {
                self.choices += 1;
                self.line("choose first {");
                self.block();
                self.line("} or {");
                self.block();
                self.line("}");
            }
            20 if !is_deep => {
                self.names += 1;
                let name = format!("i{}", self.names);
                self.line(&format!("for (let {name} = 0; {name} < 2; {name}++) {{"));
                self.block();
                self.line("}");
            }
            21 | 22 if !is_deep => {
                let price = self.pick(&[
                    "cost(1);",
                    "cost(sizeOf(all[0].list));",
                    "cost(sizeOf(all));",
                    "cost(sizeOf(all[sizeOf(all) - 1].list));",
                    "",
                ]);
                self.minimizing += 1;
                self.search("push(all, minimize", price, thing, "}));");
                self.minimizing -= 1;
            }
            23 if !is_deep => self.search("push(all, once", "", thing, "}));"),
            24 if !is_deep => self.search("all = concat(all, solutions", "", thing, "}));"),
            25 if !is_deep => {
                self.search("all[0].inner.n = countSolutions", "", thing, "});");
            }
            26 if !is_deep => self.search(
                "all = concat(all, map([1, 2], x => once",
                "",
                thing,
                "})));",
            ),
            _ => self.line(&format!("{thing}.list = [{number}];")),
        }
    }
}
