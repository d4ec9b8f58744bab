//! Statements.

use super::{Declared, Generator, Node, Type};

/// Statements that are errors, one of each kind of error and some more.
const ERRORS: &[&str] = &[
    "[1, 2][5];",
    "1 + null;",
    "missingName;",
    "({a: 1}).zz;",
    "1 / 0;",
    "pop([]);",
    "setOf([1])[0];",
    "toArray(setOf([1, 2]))[0][0] = 3;",
    "sizeOf();",
    "(x => x)(1, 2);",
    "9007199254740991 + 1;",
    "cost(-1);",
    "if (1) ;",
    "{ print(early); let early = 1; }",
    "missingName += 1;",
    "makeGrid(2, 2, 0)[2, 0];",
    "dequeue(queue());",
    "once(x => x);",
    "map([1], () => 1);",
    "filter([1], x => x);",
    "grid([[1], [1, 2]]);",
    "sqrt(-1);",
    "(5)();",
    "1 < \"a\";",
    "toNumber(\"x\");",
    "null.a;",
    "relation([1, 2])(1);",
];

impl Generator {
    /// A declaration of a new variable of a type.
    pub fn fresh_variable(&mut self, of: Type, block: bool) -> Node {
        let name = self.fresh_name("v");
        let (value, bits, writable) = match of {
            Type::Thunk => {
                let (text, bits) = self.measured_thunk();
                (text, bits, false)
            }
            Type::Function => {
                let (text, bits) = self.measured_function();
                (text, bits, false)
            }
            _ => {
                let depth = if self.random.percent(50) { 0 } else { 2 };
                (self.expression(of, depth), 0.0, true)
            }
        };
        let keyword = match self.random.below(if block { 8 } else { 4 }) {
            0 | 4 | 5 | 6 | 7 => "let",
            1 => "const",
            _ => "var",
        };
        self.bind(&name, of, writable && keyword != "const", bits);
        Node::line(format!("{keyword} {name} = {value};"))
    }

    pub fn function_declaration(&mut self) -> Node {
        let name = self.fresh_name("f");
        let recursive = self.random.percent(35);
        let deterministic = self.random.percent(35);
        let random = self.place.random
            && !deterministic
            && self.place.searches == 0
            && self.random.percent(50);
        let result = *self.random.pick(&[
            Type::Number,
            Type::Number,
            Type::Boolean,
            Type::Numbers,
            Type::Set,
        ]);
        let mut parameters = if recursive {
            vec![Type::Number]
        } else {
            Vec::new()
        };
        for _ in 0..self.random.below(3) {
            parameters.push(*self.random.pick(&[
                Type::Number,
                Type::Number,
                Type::Index,
                Type::Numbers,
                Type::Set,
                Type::Object,
            ]));
        }
        let names: Vec<String> = parameters.iter().map(|_| self.fresh_name("p")).collect();
        let mut spent = 0.0;
        let times = if recursive { 3.0 } else { 1.0 };
        let body = self.nested(
            |place| {
                place.bits = if deterministic { 2.6 } else { 1.6 };
                place.times = if recursive { 2.0 } else { 1.0 };
                place.in_loop = false;
                place.result = Some(result);
                place.random = random;
                place.searches += usize::from(deterministic);
            },
            |generator| {
                for (at, (name, of)) in names.iter().zip(&parameters).enumerate() {
                    generator.bind(name, *of, !(recursive && at == 0), 0.0);
                }
                let before = generator.place.bits;
                let mut body = Vec::new();
                if recursive {
                    let value = generator.expression(result, 1);
                    body.push(Node::line(format!(
                        "if ({} <= 0) return {value};",
                        names[0]
                    )));
                    for _ in 0..generator.random.between(0, 2) {
                        body.extend(generator.statement());
                    }
                    let mut call = vec![format!("{} - 1", names[0])];
                    for parameter in &parameters[1..] {
                        call.push(generator.expression(*parameter, 1));
                    }
                    let inner = generator.fresh_name("v");
                    body.push(Node::line(format!(
                        "var {inner} = {name}({});",
                        call.join(", ")
                    )));
                    generator.bind(&inner, result, true, 0.0);
                }
                body.extend(generator.body(result, 3));
                spent = before - generator.place.bits;
                generator.place.bits = before;
                body
            },
        );
        let bits = if deterministic {
            0.0
        } else {
            spent * times / if recursive { 2.0 } else { 1.0 }
        };
        // Arguments that are left out, with defaults that see the parameters before them.
        let optional = if self.random.percent(30) {
            self.random
                .below(parameters.len() - usize::from(recursive) + 1)
        } else {
            0
        };
        let least = parameters.len() - optional;
        let mut heads = names.clone();
        for at in least..parameters.len() {
            let earlier = (0..at)
                .rev()
                .find(|earlier| parameters[*earlier] == parameters[at]);
            let default = match earlier {
                Some(earlier) if self.random.percent(40) => names[earlier].clone(),
                _ => self.literal(parameters[at]),
            };
            heads[at] = format!("{} = {default}", names[at]);
        }
        self.functions.push(Declared {
            name: name.clone(),
            parameters,
            least,
            result,
            recursive,
            bits,
            random,
        });
        let keyword = if deterministic {
            "deterministic function"
        } else {
            "function"
        };
        Node::block(
            format!("{keyword} {name}({}) {{", heads.join(", ")),
            body,
            "}",
        )
    }

    pub fn statement(&mut self) -> Vec<Node> {
        let deep = self.place.depth > 3;
        if self.random.below(1000) < 5 {
            let error = *self.random.pick(ERRORS);
            return vec![match self.random.below(3) {
                0 => Node::line(format!("{{ {error} }}")),
                _ => Node::line(format!(
                    "if ({}) {{ {error} }}",
                    self.expression(Type::Boolean, 1)
                )),
            }];
        }
        if self.place.minimizing && self.random.percent(35) {
            return vec![self.cost()];
        }
        match self.random.below(100) {
            0..=10 => vec![self.assignment()],
            11..=18 => self.element_write(),
            19..=24 => self.object_write(),
            25..=32 => self.grid_write(),
            33..=38 => self.queue_write(),
            39..=42 => vec![self.print()],
            43..=49 => self.test(),
            50..=62 if !deep => self.choose(),
            63..=68 if !deep => vec![self.branch()],
            69..=77 if !deep => self.repetition(),
            78..=84 if !deep => self.search_statement(),
            85..=88 => {
                let of = *self.random.pick(&[
                    Type::Number,
                    Type::Index,
                    Type::Numbers,
                    Type::Set,
                    Type::Grid,
                    Type::Thunk,
                    Type::Function,
                ]);
                vec![self.fresh_variable(of, self.place.depth > 0)]
            }
            89 if self.random.percent(50) => self.visit(),
            89 => vec![self.cost()],
            90 => self.snippet(),
            98 => {
                if self.random.percent(50) {
                    self.snippet()
                } else {
                    if self.random.percent(25) {
                        self.counted_board()
                    } else {
                        self.board()
                    }
                }
            }
            91..=93 if !deep => self.closures(),
            94..=95 if self.place.in_loop => vec![self.leave()],
            96 => self.global(),
            97 if !deep && self.place.depth > 0 => vec![self.function_declaration()],
            _ => {
                let expression = self.expression(Type::Number, 2);
                vec![Node::line(format!("print({expression}, \";\");"))]
            }
        }
    }

    /// A question whether this is met for the first time. What is met first goes by the order of choices, and which dear
    /// solutions are met at all is an engine's own affair.
    fn visit(&mut self) -> Vec<Node> {
        if self.place.random || self.place.minimizing {
            return vec![self.print()];
        }
        let of = *self
            .random
            .pick(&[Type::Number, Type::Text, Type::Set, Type::Numbers]);
        let value = self.expression(of, 1);
        vec![Node::line(
            match self.place.choosing && self.random.percent(50) {
                true => format!("require(firstVisit({value}));"),
                false => format!(
                    "print(firstVisit({value}), firstVisit({}));",
                    self.random.below(2)
                ),
            },
        )]
    }

    fn statements(&mut self, most: usize) -> Vec<Node> {
        let mut nodes = Vec::new();
        for _ in 0..self.random.between(1, most) {
            nodes.extend(self.statement());
        }
        nodes
    }

    /// Statements in a block of their own.
    fn block(&mut self, most: usize) -> Vec<Node> {
        self.nested(|_| {}, |generator| generator.statements(most))
    }

    fn assignment(&mut self) -> Node {
        let of = *self.random.pick(&[
            Type::Number,
            Type::Number,
            Type::Number,
            Type::Text,
            Type::Boolean,
            Type::Index,
            Type::Numbers,
            Type::Set,
            Type::Object,
            Type::Position,
        ]);
        let Some(name) = self.writable(of) else {
            return self.print();
        };
        let value = self.expression(of, 2);
        let operator = match of {
            Type::Number => *self.random.pick(&["=", "+=", "-="]),
            Type::Text => *self.random.pick(&["=", "+="]),
            _ => "=",
        };
        Node::line(format!("{name} {operator} {value};"))
    }

    fn element_write(&mut self) -> Vec<Node> {
        let Some(array) = self.variable(Type::Numbers) else {
            return vec![self.print()];
        };
        let array = array.name;
        self.latest = Some(array.clone());
        let value = self.expression(Type::Number, 2);
        self.latest = Some(array.clone());
        let line = match self.random.below(9) {
            0 => format!("{array}[{}] = {value};", self.small_index(1)),
            1 => format!(
                "{array}[{}] {} {value};",
                self.small_index(1),
                self.random.pick(&["+=", "-="])
            ),
            2 => format!(
                "{array}[{}]{};",
                self.small_index(1),
                self.random.pick(&["++", "--"])
            ),
            3 | 4 => format!("if (sizeOf({array}) < 5) push({array}, {value});"),
            5 => format!("if (sizeOf({array}) > 2) pop({array});"),
            6 => format!(
                "if (sizeOf({array}) < 5) insert({array}, {}, {value});",
                self.random.below(3)
            ),
            7 => format!(
                "if (sizeOf({array}) > 2) removeAt({array}, {});",
                self.random.below(2)
            ),
            _ => format!("{array}[0] = {array}[1] = {value};"),
        };
        vec![Node::line(line)]
    }

    fn object_write(&mut self) -> Vec<Node> {
        let Some(object) = self.variable(Type::Object) else {
            return vec![self.assignment()];
        };
        let object = object.name;
        self.latest = Some(object.clone());
        let value = self.expression(Type::Number, 2);
        let line = match self.random.below(10) {
            8 => format!(
                "if (has({object}, \"c\") && typeOf({object}.c) == \"array\") {object}.c[1] = {value};"
            ),
            9 => {
                format!(
                    "foreach (key in {object}) if (typeOf({object}[key]) == \"number\") {object}[key] += {value};"
                )
            }
            0 | 1 => format!(
                "{object}.{} {} {value};",
                self.random.pick(&["a", "b"]),
                self.random.pick(&["=", "+="])
            ),
            2 => format!("{object}[\"a\"] -= {value};"),
            3 => format!("{object}.b++;"),
            4 | 5 => {
                let of = *self.random.pick(&[Type::Numbers, Type::Set, Type::Text]);
                let value = self.expression(of, 1);
                format!("{object}.{} = {value};", self.random.pick(&["c", "d"]))
            }
            6 => format!(
                "removeKey({object}, \"{}\");",
                self.random.pick(&["c", "d"])
            ),
            _ => format!("if (has({object}, \"c\")) print({object}.c, keysOf({object}));"),
        };
        vec![Node::line(line)]
    }

    fn grid_write(&mut self) -> Vec<Node> {
        let Some(grid) = self.variable(Type::Grid) else {
            return vec![self.assignment()];
        };
        let grid = grid.name;
        self.latest = Some(grid.clone());
        let place = if self.random.percent(50) {
            format!("{}, {}", self.small_index(1), self.small_index(1))
        } else {
            self.expression(Type::Position, 1)
        };
        match self.random.below(8) {
            0 | 1 => {
                let set = self.expression(Type::Set, 2);
                vec![Node::line(format!("{grid}[{place}] = {set};"))]
            }
            2 => {
                let value = self.expression(Type::Number, 1);
                vec![Node::line(format!("{grid}[{place}] = setOf({value});"))]
            }
            3 => vec![Node::line(format!(
                "print(toArray(nonsingletonPositionsOf({grid})));"
            ))],
            4 => {
                let set = self.expression(Type::Set, 1);
                vec![Node::line(format!(
                    "foreach (p in nonsingletonPositionsOf({grid})) {grid}[p] = {set};"
                ))]
            }
            5 => {
                let set = self.expression(Type::Set, 1);
                let line = format!(
                    "foreach (p in neighborsOf(position(0, 0), {grid})) {grid}[p] = intersection({grid}[p], {set});"
                );
                vec![Node::line(line)]
            }
            6 => {
                let name = *self.random.pick(&["rowOf", "columnOf"]);
                vec![Node::line(format!("print({name}({grid}, 1));"))]
            }
            _ => self.narrowing(&grid),
        }
    }

    /// The loop that decides cell after cell.
    fn narrowing(&mut self, grid: &str) -> Vec<Node> {
        if !self.spend(3.0) {
            return Vec::new();
        }
        let (left, turns) = (self.fresh_name("w"), self.fresh_name("w"));
        let pick = if self.place.random {
            format!("chooseElement({left})")
        } else {
            format!("toArray({left})[0]")
        };
        let mut body = vec![
            Node::line(format!("{turns}++;")),
            Node::line(format!("let at = {pick};")),
            Node::line(format!("let options = toArray({grid}[at]);")),
            Node::line("require(!isEmpty(options));"),
            Node::line(format!(
                "{grid}[at] = setOf(choose(options[0], options[sizeOf(options) - 1]));"
            )),
        ];
        body.extend(self.nested(
            |place| place.times *= 2.0,
            |generator| generator.statements(1),
        ));
        body.push(Node::line(format!(
            "{left} = nonsingletonPositionsOf({grid});"
        )));
        vec![
            Node::line(format!("let {left} = nonsingletonPositionsOf({grid});")),
            Node::line(format!("let {turns} = 0;")),
            Node::block(
                format!("while (!isEmpty({left}) && {turns} < 3) {{"),
                body,
                "}",
            ),
        ]
    }

    fn queue_write(&mut self) -> Vec<Node> {
        let by_priority = self.random.percent(40);
        let of = if by_priority {
            Type::PriorityQueue
        } else {
            Type::Queue
        };
        let Some(queue) = self.variable(of) else {
            return vec![self.assignment()];
        };
        let queue = queue.name;
        let priority = if by_priority {
            format!(", {}", self.expression(Type::Number, 1))
        } else {
            String::new()
        };
        match self.random.below(6) {
            0..=2 => {
                let value = self.expression(Type::Number, 2);
                vec![Node::line(format!("enqueue({value}, {queue}{priority});"))]
            }
            3 => vec![Node::line(format!(
                "if (!isEmpty({queue})) print(dequeue({queue}), \",\");"
            ))],
            4 => vec![Node::line(format!(
                "if (!isEmpty({queue})) print(peek({queue}), sizeOf({queue}));"
            ))],
            _ => {
                let (turns, element) = (self.fresh_name("w"), self.fresh_name("v"));
                let mut body = vec![
                    Node::line(format!("{turns}++;")),
                    Node::line(format!("let {element} = dequeue({queue});")),
                    Node::line(format!(
                        "if ({element} < 9) enqueue({element} + 3, {queue}{priority});"
                    )),
                ];
                let turn = self.nested(
                    |place| {
                        place.times *= 3.0;
                        place.in_loop = true;
                    },
                    |generator| {
                        generator.bind(&element, Type::Number, true, 0.0);
                        generator.statements(2)
                    },
                );
                body.extend(turn);
                vec![
                    Node::line(format!("let {turns} = 0;")),
                    Node::block(
                        format!("while (!isEmpty({queue}) && {turns} < 3) {{"),
                        body,
                        "}",
                    ),
                ]
            }
        }
    }

    fn print(&mut self) -> Node {
        let of = *self.random.pick(&[
            Type::Number,
            Type::Number,
            Type::Text,
            Type::Boolean,
            Type::Numbers,
            Type::Set,
            Type::Object,
            Type::Queue,
            Type::Position,
        ]);
        let (one, other) = (self.expression(of, 2), self.expression(Type::Number, 1));
        match self.random.below(5) {
            0 | 1 => Node::line(format!("print({one});")),
            2 => Node::line(format!(
                "printLine(setOf([{other}, 2], \"b\", setOf({other}), position(1, 0), {one}, [2]));"
            )),
            3 => Node::line(format!("printLine({one});")),
            _ => Node::line(format!("print({one}, \" \", {other}, \"/\");")),
        }
    }

    /// A test that may fail.
    fn test(&mut self) -> Vec<Node> {
        if !self.place.choosing && self.random.percent(97) {
            return vec![self.print()];
        }
        let condition = self.expression(Type::Boolean, 2);
        vec![Node::line(match self.random.below(6) {
            0 if self.random.percent(30) => {
                format!("require({condition}, {});", self.expression(Type::Text, 1))
            }
            0 => format!("require({condition});"),
            // Such a test is seldom false, so that most programs keep solutions.
            1 | 2 => format!(
                "if ({condition} && {}) fail;",
                self.expression(Type::Boolean, 1)
            ),
            _ => format!(
                "require({condition} || {});",
                self.expression(Type::Boolean, 1)
            ),
        })]
    }

    fn choose(&mut self) -> Vec<Node> {
        let alternatives = self.random.between(2, 3);
        if !self.spend_choice(alternatives) {
            return vec![self.assignment()];
        }
        let head = if self.place.random && self.random.percent(60) {
            "choose {"
        } else {
            "choose first {"
        };
        let mut parts = Vec::new();
        for at in 0..alternatives {
            let mut body = self.block(2);
            self.place.choosing = true;
            match self.random.below(12) {
                0 if self.place.in_loop => body.push(self.leave()),
                1 => body.extend(self.return_here()),
                2 if at > 0 => body.push(Node::line("fail;")),
                3 | 4 => body.extend(self.test()),
                _ => {}
            }
            parts.push((
                if at == 0 {
                    head.to_string()
                } else {
                    "} or {".to_string()
                },
                body,
            ));
        }
        vec![Node {
            parts,
            end: "}".to_string(),
        }]
    }

    fn leave(&mut self) -> Node {
        let word = *self.random.pick(&["break", "continue"]);
        if self.random.percent(40) {
            return Node::line(format!("{word};"));
        }
        Node::line(format!(
            "if ({}) {word};",
            self.expression(Type::Boolean, 1)
        ))
    }

    fn return_here(&mut self) -> Vec<Node> {
        match self.place.result {
            Some(of) => vec![Node::line(format!("return {};", self.expression(of, 1)))],
            None if self.random.percent(30) => {
                vec![Node::line(format!(
                    "return {};",
                    self.expression(Type::Numbers, 1)
                ))]
            }
            None => Vec::new(),
        }
    }

    fn branch(&mut self) -> Node {
        let condition = self.expression(Type::Boolean, 2);
        let mut parts = vec![(format!("if ({condition}) {{"), self.block(2))];
        if self.random.percent(20) {
            let condition = self.expression(Type::Boolean, 1);
            parts.push((format!("}} else if ({condition}) {{"), self.block(2)));
        }
        if self.random.percent(50) {
            parts.push(("} else {".to_string(), self.block(2)));
        }
        if self.random.percent(10)
            && let Some((_, body)) = parts.last_mut()
        {
            body.extend(self.return_here());
        }
        Node {
            parts,
            end: "}".to_string(),
        }
    }

    fn repetition(&mut self) -> Vec<Node> {
        if self.place.times > 4.0 {
            return vec![self.assignment()];
        }
        let turns = self.random.between(2, 3);
        let name = self.fresh_name("i");
        let looped = |generator: &mut Generator, of: Option<Type>| {
            generator.nested(
                |place| {
                    place.times *= turns as f64;
                    place.in_loop = true;
                },
                |generator| {
                    if let Some(of) = of {
                        generator.bind(&name, of, false, 0.0);
                    }
                    generator.statements(3)
                },
            )
        };
        match self.random.below(6) {
            0 | 1 => {
                let body = looped(self, Some(Type::Number));
                let keyword = *self.random.pick(&["let", "var", "let"]);
                vec![Node::block(
                    format!("for ({keyword} {name} = 0; {name} < {turns}; {name}++) {{"),
                    body,
                    "}",
                )]
            }
            2 => {
                let mut body = looped(self, Some(Type::Number));
                body.insert(0, Node::line(format!("{name}++;")));
                vec![
                    Node::line(format!("let {name} = 0;")),
                    Node::block(format!("while ({name} < {turns}) {{"), body, "}"),
                ]
            }
            _ => {
                let (collection, of) = match self.random.below(8) {
                    7 => (self.readable(Type::Grid), Type::Position),
                    0 | 1 => (self.expression(Type::Numbers, 1), Type::Number),
                    2 => (self.expression(Type::Set, 1), Type::Number),
                    3 => (self.readable(Type::Queue), Type::Number),
                    4 => (self.readable(Type::Object), Type::Text),
                    5 => ("makeGrid(2, 1, 0)".to_string(), Type::Position),
                    _ => (self.expression(Type::Text, 1), Type::Text),
                };
                let body = looped(self, Some(of));
                let word = *self.random.pick(&["", "var "]);
                vec![Node::block(
                    format!("foreach ({word}{name} in {collection}) {{"),
                    body,
                    "}",
                )]
            }
        }
    }

    /// A function with more variables and elements than a window of registers has places.
    pub fn wide_function(&mut self) -> Node {
        let count = self.random.between(200, 300);
        let mut body = Vec::new();
        for at in 0..count {
            body.push(Node::line(format!(
                "let x{at} = {at} + {};",
                self.readable(Type::Number)
            )));
        }
        body.push(Node::line("choose first x3 = 1; or x7 += x2;"));
        let last = count - 1;
        body.push(Node::line(format!("let f = () => x3 + x{last}++;")));
        let list = (0..count)
            .map(|at| format!("x{at}"))
            .collect::<Vec<_>>()
            .join(", ");
        body.push(Node::line(format!(
            "print(f(), x7, x{last}, sum([{list}]), sizeOf(setOf({list})));"
        )));
        Node::block("(() => {", body, "})();")
    }

    fn cost(&mut self) -> Node {
        let price = match self.random.below(4) {
            0 => self.random.below(4).to_string(),
            1 if self.spend(1.0) => {
                format!("choose({}, {})", self.random.below(4), self.random.below(4))
            }
            2 => format!("abs({})", self.expression(Type::Number, 1)),
            _ => format!("abs({}) % 5", self.readable(Type::Number)),
        };
        if self.random.percent(30) {
            return Node::line(format!("print(cost({price}), \"$\");"));
        }
        Node::line(format!("cost({price});"))
    }

    /// Closures over a variable of a loop, called afterwards.
    fn closures(&mut self) -> Vec<Node> {
        let (list, turn) = (self.fresh_name("c"), self.fresh_name("i"));
        let mut shared = self.writable(Type::Number).unwrap_or_default();
        if shared.is_empty() {
            shared = turn.clone();
        }
        let head = match self.random.below(3) {
            0 => format!("for (let {turn} = 0; {turn} < 3; {turn}++) {{"),
            1 => format!("for (var {turn} = 0; {turn} < 3; {turn}++) {{"),
            _ => format!("foreach ({turn} in [3, 4, 5]) {{"),
        };
        let count = self.fresh_name("v");
        let body = vec![
            Node::line(format!("let {count} = {turn};")),
            Node::line(format!(
                "push({list}, () => {{ {count} += 1; {shared} += {count}; return {count} + {turn}; }});"
            )),
        ];
        let mut nodes = vec![
            Node::line(format!("let {list} = [];")),
            Node::block(head, body, "}"),
        ];
        if self.spend_choice(2) {
            nodes.push(Node::line(format!(
                "print({list}[choose(0, 2)](), {list}[0](), \"|\");"
            )));
        }
        nodes.push(Node::line(format!(
            "print({list}[0](), {list}[1](), {list}[0](), \"|\");"
        )));
        nodes
    }

    /// An assignment to a name that nothing declares.
    fn global(&mut self) -> Vec<Node> {
        let name = self.fresh_name("g");
        let value = self.expression(Type::Number, 1);
        vec![
            Node::line(format!("{name} = {value};")),
            Node::line(format!("{name} += 1; print({name});")),
        ]
    }
}
