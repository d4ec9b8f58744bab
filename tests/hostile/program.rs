//! Hostile programs: values that are shared, deep, wide or long, and what is done with them.

use ndscript::Limits;
use serde::{Deserialize, Serialize};

use super::kinds::Kind;
use super::writer::{Scale, Writer};

/// A program in lines, each of which may be left out, and how it is run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Program {
    pub lines: Vec<String>,
    pub steps: u64,
    pub memory: usize,
    /// Whether solutions come with their global variables.
    pub keeps_globals: bool,
}

impl Program {
    pub fn of_seed(seed: u64, scale: Scale) -> Program {
        let mut writer = Writer::new(seed, scale);
        let memory = *writer
            .random
            .pick(&[64 << 20, 64 << 20, 64 << 20, 16 << 20, 128 << 20]);
        let keeps_globals = writer.random.percent(40);
        for _ in 0..writer.random.between(1, 4) {
            let statement = writer.statement();
            writer.lines.push(statement);
        }
        if writer.random.percent(30) {
            let value = writer.value(Kind::Any);
            writer.lines.push(format!("return {value};"));
        }
        let mut lines = writer.lines;
        if writer.random.percent(25) {
            lines.insert(0, "function main() {".to_string());
            lines.push("}".to_string());
            lines.push("main();".to_string());
        }
        Program {
            lines,
            steps: scale.steps,
            memory,
            keeps_globals,
        }
    }

    pub fn limits(&self) -> Limits {
        Limits {
            steps: self.steps,
            memory: self.memory,
            ..Limits::default()
        }
    }

    pub fn text(&self) -> String {
        self.lines.join("\n") + "\n"
    }

    /// Leaves lines out, the last ones first, as long as `keeps` says that it is still what is looked for.
    pub fn shrunk(mut self, keeps: &mut dyn FnMut(&Program) -> bool) -> Program {
        loop {
            let before = self.lines.len();
            for at in (0..before).rev() {
                if let Some(smaller) = self.without(at).filter(&mut *keeps) {
                    self = smaller;
                }
            }
            if self.lines.len() == before {
                return self;
            }
        }
    }

    fn without(&self, at: usize) -> Option<Program> {
        let mut lines = self.lines.clone();
        if at >= lines.len() {
            return None;
        }
        let line = lines.remove(at);
        if line == "function main() {" {
            // Together with its end and its call.
            lines.retain(|line| line != "}" && line != "main();");
        } else if line == "}" || line == "main();" {
            return None;
        }
        Some(Program {
            lines,
            ..self.clone()
        })
    }
}

impl Writer {
    /// Something that is done, once or often, with or without its being undone.
    fn statement(&mut self) -> String {
        let deed = if self.random.percent(70) {
            self.call()
        } else {
            self.operation()
        };
        match self.random.below(17) {
            0..6 => format!("{deed};"),
            6 | 7 => {
                let turns = self.log_uniform(2_000);
                format!("for (let i = 0; i < {turns}; i++) {deed};")
            }
            8 => format!("let {} = {deed};", self.fresh("r")),
            9 => format!("choose first {{ {deed}; fail; }} or {{}}"),
            10 => {
                let turns = self.log_uniform(300);
                format!("map(range({turns}), i => {deed});")
            }
            11 => format!(
                "let {} = solutions(() => {{ choose first {{}} or {{}} return {deed}; }});",
                self.fresh("r")
            ),
            12 => {
                let around = *self
                    .random
                    .pick(&["once", "not", "countSolutions", "minimize"]);
                format!("{around}(() => {{ cost(choose(2, 1)); return {deed}; }});")
            }
            13 => {
                let depth = self.log_uniform(30_000);
                let value = self.value(Kind::Any);
                let name = self.fresh("f");
                format!(
                    "function {name}(x, n) {{ if (n == 0) return {deed}; let r = {name}(x, n - 1); return r; }} {name}({value}, {depth});"
                )
            }
            14 => {
                let collection = self.value(Kind::Collection);
                format!(
                    "choose first {{ let x = chooseElement({collection}); {deed}; fail; }} or {{}}"
                )
            }
            15 => {
                let (collection, count) = (self.value(Kind::Collection), self.fresh("n"));
                let turns = self.log_uniform(3_000);
                format!(
                    "let {count} = 0; foreach (x in {collection}) {{ {deed}; {count}++; if ({count} > {turns}) break; }}"
                )
            }
            _ => {
                let turns = self.size(10);
                let array = self.value(Kind::Array);
                format!(
                    "choose first {{ for (let i = 0; i < {turns}; i++) push({array}, i); {deed}; fail; }} or {{ {deed}; }}"
                )
            }
        }
    }

    /// An operator, an index, an assignment or a template.
    fn operation(&mut self) -> String {
        match self.random.below(16) {
            0..3 => {
                let kind = *self.random.pick(&[
                    Kind::Array,
                    Kind::Array,
                    Kind::Set,
                    Kind::Text,
                    Kind::Any,
                ]);
                let operator = *self.random.pick(&["==", "!="]);
                format!("({} {operator} {})", self.value(kind), self.value(kind))
            }
            3 => {
                let operator = *self.random.pick(&["<", "<=", ">", ">="]);
                format!(
                    "({} {operator} {})",
                    self.value(Kind::Text),
                    self.value(Kind::Text)
                )
            }
            4 | 5 => format!("({} + {})", self.value(Kind::Text), self.value(Kind::Any)),
            6 => format!(
                "`${{{}}} ${{{}}}`",
                self.value(Kind::Any),
                self.value(Kind::Any)
            ),
            7 => {
                let (object, key, value) = (
                    self.value(Kind::Object),
                    self.value(Kind::Text),
                    self.value(Kind::Any),
                );
                format!("({object}[{key}] = {value})")
            }
            8 => format!("{}[{}]", self.value(Kind::Object), self.value(Kind::Text)),
            9 => format!("{}[{}]", self.value(Kind::Text), self.value(Kind::Count)),
            10 => format!(
                "({}[{}] = {})",
                self.value(Kind::Array),
                self.value(Kind::Count),
                self.value(Kind::Any)
            ),
            11 => format!(
                "({}[{}] = {})",
                self.value(Kind::Grid),
                self.value(Kind::Position),
                self.value(Kind::Any)
            ),
            12 => format!(
                "{}({}, {})",
                self.value(Kind::Relation),
                self.value(Kind::Any),
                self.value(Kind::Any)
            ),
            13 => {
                let operator = *self.random.pick(&["+", "-", "*", "/", "%", "&&", "<"]);
                format!(
                    "({} {operator} {})",
                    self.value(Kind::Any),
                    self.value(Kind::Any)
                )
            }
            14 => format!("{}.{}", self.value(Kind::Any), "field"),
            _ => {
                let values: Vec<String> = (0..3).map(|_| self.value(Kind::Any)).collect();
                format!("choose({})", values.join(", "))
            }
        }
    }
}
