//! Functions as values, and the built-ins that search what a function gives.

use super::program::inline;
use super::{Generator, Node, Type};

impl Generator {
    /// The statements of a function body that gives a value, in one line.
    pub fn inline_body(&mut self, result: Type) -> String {
        let nodes = self.body(result, 2);
        inline(&nodes)
    }

    /// The statements of a function body that gives a value.
    pub fn body(&mut self, result: Type, most: usize) -> Vec<Node> {
        let mut nodes = Vec::new();
        for _ in 0..self.random.between(1, most) {
            nodes.extend(self.statement());
        }
        nodes.push(Node::line(format!(
            "return {};",
            self.expression(result, 2)
        )));
        nodes
    }

    /// What a call of the function last made spends.
    fn measured(&mut self, make: impl FnOnce(&mut Generator) -> String) -> (String, f64) {
        let ration = self.place.bits.min(1.6);
        let mut spent = 0.0;
        let text = self.nested(
            |place| {
                place.bits = ration;
                place.times = 1.0;
                place.in_loop = false;
                place.random = false;
            },
            |generator| {
                let before = generator.place.bits;
                let text = make(generator);
                spent = before - generator.place.bits;
                generator.place.bits = before;
                text
            },
        );
        (text, spent)
    }

    pub fn measured_thunk(&mut self) -> (String, f64) {
        self.measured(|generator| {
            generator.place.result = Some(Type::Number);
            if generator.random.percent(50) {
                format!("() => {}", generator.expression(Type::Number, 2))
            } else {
                format!("function () {{ {} }}", generator.inline_body(Type::Number))
            }
        })
    }

    pub fn measured_function(&mut self) -> (String, f64) {
        let name = self.parameter_name();
        self.measured(|generator| {
            generator.place.result = Some(Type::Number);
            generator.bind(&name, Type::Number, true, 0.0);
            if generator.random.percent(50) {
                format!("{name} => {}", generator.expression(Type::Number, 2))
            } else {
                format!("({name}) => {{ {} }}", generator.inline_body(Type::Number))
            }
        })
    }

    /// Makes what stands inside a search, with a ration of its own.
    pub fn searched<T>(
        &mut self,
        random: bool,
        minimizing: bool,
        make: impl FnOnce(&mut Generator) -> T,
    ) -> T {
        self.nested(
            |place| {
                place.bits = 2.6 / (1.0 + place.searches as f64);
                place.times = 1.0;
                place.in_loop = false;
                place.result = Some(Type::Number);
                place.random &= random;
                place.minimizing = minimizing;
                place.searches += 1;
            },
            |generator| {
                let before = generator.place.bits;
                let made = make(generator);
                generator.place.bits = before;
                made
            },
        )
    }

    /// A function to be searched, in one line.
    fn searched_function(&mut self, random: bool, minimizing: bool) -> String {
        self.searched(random, minimizing, |generator| {
            if generator.random.percent(30) {
                format!("() => {}", generator.expression(Type::Number, 2))
            } else {
                format!("() => {{ {} }}", generator.inline_body(Type::Number))
            }
        })
    }

    pub fn search_for_number(&mut self) -> String {
        if self.place.searches > 1 {
            return self.literal(Type::Number);
        }
        match self.random.below(4) {
            0 | 1 if self.spend(0.3) => format!("once({})", self.searched_function(false, false)),
            2 if self.spend(0.3) => format!("minimize({})", self.searched_function(false, true)),
            _ => format!("countSolutions({})", self.searched_function(true, false)),
        }
    }

    pub fn search_for_numbers(&mut self) -> String {
        if self.place.searches > 1 {
            return "[]".to_string();
        }
        let function = self.searched_function(false, false);
        match self.random.below(3) {
            0 => format!("solutions({function}, 2)"),
            _ => format!("solutions({function})"),
        }
    }

    /// A search that is given up after some failures. What it tries is simple, as each failure counts.
    fn within_failures(&mut self) -> Vec<Node> {
        let (r, x, y) = (
            self.fresh_name("r"),
            self.fresh_name("x"),
            self.fresh_name("y"),
        );
        let inner = match self.random.below(4) {
            0 => {
                format!("once(() => {{ choose first {y} += 1; or {y} += 2; require({y} > 2); }});")
            }
            1 => format!("choose first require({x} != {y}); or {y} = {x} + 1;"),
            2 => format!("choose first fail; or {{ choose first fail; or {x} += 1; }}"),
            _ => String::new(),
        };
        let operator = *self.random.pick(&["==", ">", "<", "!="]);
        let lines = [
            format!("let {x} = 0, {y} = 0;"),
            format!("choose first {x} = 1; or {x} = 2; or {x} = 3;"),
            format!("choose first {y} = 1; or {y} = 2;"),
            inner,
            format!(
                "require({x} * {y} {operator} {});",
                self.random.between(1, 7)
            ),
            format!("return [{x}, {y}];"),
        ];
        let body = lines
            .into_iter()
            .filter(|line| !line.is_empty())
            .map(Node::line)
            .collect();
        let failures = self.random.between(1, 8);
        let tail = *self.random.pick(&["", ", 1"]);
        let head = format!("let {r} = solutions(() => withinFailures(() => {{");
        let search = Node {
            parts: vec![(head, body)],
            end: format!("}}, {failures}){tail});"),
        };
        vec![search, Node::line(format!("print({r});"))]
    }

    /// A statement around a search, its body a line a statement.
    pub fn search_statement(&mut self) -> Vec<Node> {
        // The naive engine counts no failures of searches in any order.
        if !self.place.random && !self.place.minimizing && self.random.percent(5) {
            return self.within_failures();
        }
        let (head, random, minimizing) = *self.random.pick(&[
            ("once", false, false),
            ("minimize", false, true),
            ("minimize", false, true),
            ("not", true, false),
            ("solutions", false, false),
            ("countSolutions", true, false),
        ]);
        if self.place.searches > 1
            || (head != "solutions" && head != "countSolutions" && !self.spend(0.4))
        {
            return Vec::new();
        }
        let body = self.searched(random, minimizing, |generator| {
            generator.body(Type::Number, 4)
        });
        if head == "not" {
            let wrapped = Node::block("not(() => {", body, "});");
            let parts = vec![
                ("choose first {".to_string(), vec![wrapped]),
                ("} or {".to_string(), self.fallback()),
            ];
            return vec![Node {
                parts,
                end: "}".to_string(),
            }];
        }
        let name = self.fresh_name("r");
        let node = Node::block(format!("let {name} = {head}(() => {{"), body, "});");
        if head == "solutions" {
            let line = Node::line(format!("print({name}, \" \");"));
            return vec![node, line];
        }
        self.bind(&name, Type::Number, true, 0.0);
        vec![node]
    }

    fn fallback(&mut self) -> Vec<Node> {
        vec![Node::line(format!("print({});", self.literal(Type::Text)))]
    }
}
