//! Expressions of a wanted type.

use super::{Generator, Type};

impl Generator {
    /// A variable of the type, else a literal: nothing that chooses or writes.
    pub fn readable(&mut self, of: Type) -> String {
        match self.variable(of) {
            Some(variable) => {
                self.latest = Some(variable.name.clone());
                variable.name
            }
            None => self.literal(of),
        }
    }

    pub fn literal(&mut self, of: Type) -> String {
        match of {
            Type::Number if self.random.percent(6) => "0.5".to_string(),
            Type::Number => self.random.below(6).to_string(),
            Type::Text => format!("\"{}\"", self.random.pick(&["", "a", "b", "ab", "é", "▒x"])),
            Type::Boolean => self.random.pick(&["true", "false"]).to_string(),
            Type::Index => self.random.below(2).to_string(),
            Type::Numbers => {
                let size = self.random.between(2, 4);
                format!("[{}]", self.several_literals(size))
            }
            Type::Set => {
                let size = self.random.below(4);
                format!("setOf({})", self.several_literals(size))
            }
            Type::Object => format!(
                "({{a: {}, b: {}}})",
                self.literal(Type::Number),
                self.literal(Type::Number)
            ),
            Type::Grid if self.random.percent(40) => {
                format!("makeGrid(2, 2, {})", self.literal(Type::Set))
            }
            Type::Grid => {
                let cells: Vec<String> = (0..4).map(|_| self.literal(Type::Set)).collect();
                format!(
                    "grid([[{}, {}], [{}, {}]])",
                    cells[0], cells[1], cells[2], cells[3]
                )
            }
            Type::Queue => "queue()".to_string(),
            Type::PriorityQueue => "priorityQueue()".to_string(),
            Type::Position => format!(
                "position({}, {})",
                self.random.below(2),
                self.random.below(2)
            ),
            Type::Relation => {
                let size = self.random.between(2, 4);
                let pairs: Vec<String> = (0..size)
                    .map(|_| format!("[{}]", self.several_literals(2)))
                    .collect();
                format!("relation({})", pairs.join(", "))
            }
            Type::Thunk => format!("() => {}", self.literal(Type::Number)),
            Type::Function => format!("x => x + {}", self.literal(Type::Number)),
        }
    }

    fn several_literals(&mut self, size: usize) -> String {
        (0..size)
            .map(|_| self.literal(Type::Number))
            .collect::<Vec<_>>()
            .join(", ")
    }

    pub fn several(&mut self, of: Type, size: usize, depth: usize) -> String {
        (0..size)
            .map(|_| self.expression(of, depth))
            .collect::<Vec<_>>()
            .join(", ")
    }

    pub fn expression(&mut self, of: Type, depth: usize) -> String {
        if depth == 0 || self.random.percent(15) {
            return if self.random.percent(75) {
                self.readable(of)
            } else {
                self.literal(of)
            };
        }
        let below = depth - 1;
        if self.random.percent(9) {
            let size = self.random.between(2, 3);
            if self.spend_choice(size) {
                return format!("choose({})", self.several(of, size, below));
            }
        }
        if self.place.choosing && self.random.percent(3) {
            let (condition, value) = (
                self.expression(Type::Boolean, 1),
                self.expression(of, below),
            );
            return match self.random.below(3) {
                0 => format!("({condition} ? {value} : fail)"),
                1 => format!(
                    "({condition} ? {value} : fail {})",
                    self.expression(Type::Text, 1)
                ),
                _ => format!(
                    "({condition} && {} ? fail : {value})",
                    self.expression(Type::Boolean, 1)
                ),
            };
        }
        if self.random.percent(5) {
            let condition = self.expression(Type::Boolean, 1);
            let (value, other) = (self.expression(of, below), self.expression(of, below));
            return format!("({condition} ? {value} : {other})");
        }
        if self.random.percent(8)
            && let Some(call) = self.call_of(of, below)
        {
            return call;
        }
        if self.random.percent(5)
            && let Some(name) = self.writable(of)
        {
            let value = self.expression(of, below);
            return format!("({name} = {value})");
        }
        if self.random.percent(7) {
            let value = self.expression(of, below);
            return self.behind_an_effect(&value);
        }
        match of {
            Type::Number => self.number(below),
            Type::Index => self.index(below),
            Type::Text => self.text(below),
            Type::Boolean => self.boolean(below),
            Type::Numbers => self.numbers(below),
            Type::Set => self.set(below),
            Type::Position => self.position(below),
            Type::Object => match self.random.below(4) {
                0 => format!("copy({})", self.readable(Type::Object)),
                1 => format!("deepCopy({})", self.readable(Type::Object)),
                _ => {
                    let (a, b, c) = (
                        self.expression(Type::Number, below),
                        self.expression(Type::Number, below),
                        self.expression(Type::Numbers, below),
                    );
                    if self.random.percent(50) {
                        format!("{{a: {a}, b: {b}}}")
                    } else {
                        format!("{{b: {b}, a: {a}, \"c d\": {c}, 3: {c}}}")
                    }
                }
            },
            Type::Grid => match self.random.below(3) {
                0 => format!("copy({})", self.readable(Type::Grid)),
                1 => format!("makeGrid(2, 2, {})", self.expression(Type::Set, below)),
                _ => self.readable(Type::Grid),
            },
            Type::Queue | Type::PriorityQueue if self.random.percent(30) => {
                format!("copy({})", self.readable(of))
            }
            Type::Relation => match self.random.below(4) {
                0 => format!("inverse({})", self.readable(of)),
                1 => format!("symmetricClosure({})", self.readable(of)),
                2 => format!("compose({}, {})", self.readable(of), self.readable(of)),
                _ => self.literal(of),
            },
            Type::Queue | Type::PriorityQueue | Type::Thunk | Type::Function => self.readable(of),
        }
    }

    fn number(&mut self, depth: usize) -> String {
        let n = Type::Number;
        match self.random.below(32) {
            0..=3 => {
                let operator = *self.random.pick(&["+", "-", "+"]);
                format!(
                    "({} {operator} {})",
                    self.operand(n, depth),
                    self.expression(n, depth)
                )
            }
            4 => format!(
                "({} * {}) % 97",
                self.expression(n, depth),
                self.expression(n, depth)
            ),
            5 => format!("{} % 7", self.readable(n)),
            6 => format!("({} / 4)", self.expression(n, depth)),
            7 => format!("(-{})", self.readable(n)),
            8 | 9 => format!(
                "{}[{}]",
                self.operand(Type::Numbers, depth),
                self.small_index(depth)
            ),
            10 => format!("{}.a", self.object_with_fields(depth)),
            11 => {
                let (object, key) = (
                    self.object_with_fields(depth),
                    *self.random.pick(&["\"a\"", "\"b\""]),
                );
                format!(
                    "{object}[{}]",
                    if self.random.percent(25) {
                        self.behind_an_effect(key)
                    } else {
                        key.into()
                    }
                )
            }
            12 => {
                let of = *self.random.pick(&[
                    Type::Numbers,
                    Type::Set,
                    Type::Queue,
                    Type::Text,
                    Type::Object,
                ]);
                format!("sizeOf({})", self.expression(of, depth))
            }
            13 => format!("sum({})", self.expression(Type::Numbers, depth)),
            14 => {
                let of = *self.random.pick(&["min", "max", "minBy", "maxBy"]);
                let list = self.expression(Type::Numbers, depth);
                if of.ends_with("By") {
                    format!("{of}({list}, {})", self.number_function(depth))
                } else {
                    format!("{of}({list})")
                }
            }
            15 => format!("floor({})", self.expression(n, depth)),
            16 => {
                let (list, f) = (
                    self.expression(Type::Numbers, depth),
                    self.two_argument_function(depth),
                );
                format!("reduce({list}, {f}, {})", self.expression(n, depth))
            }
            17 => format!(
                "indexOf({}, {})",
                self.readable(Type::Numbers),
                self.expression(n, depth)
            ),
            18 => match self.writable(n) {
                Some(name) => self.random.pick(&["++", "--"]).to_string() + &name,
                None => self.literal(n),
            },
            19 => match self.writable(n) {
                Some(name) => name + *self.random.pick(&["++", "--"]),
                None => self.literal(n),
            },
            20 => match self.writable(n) {
                Some(name) => {
                    let operator = *self.random.pick(&["+=", "-="]);
                    format!("({name} {operator} {})", self.expression(n, depth))
                }
                None => self.literal(n),
            },
            21 => format!("{}.x", self.expression(Type::Position, depth)),
            22 => format!(
                "sizeOf({}[{}])",
                self.operand(Type::Grid, depth),
                self.expression(Type::Position, depth)
            ),
            23 => {
                let set = self.expression(Type::Set, depth);
                if self.place.random && self.spend(1.5) {
                    format!("chooseElement({set})")
                } else if self.place.choosing && self.random.percent(10) {
                    format!("singletonValue({set})")
                } else {
                    format!("sizeOf({set})")
                }
            }
            24 => format!("pow({} % 5, 2)", self.readable(n)),
            25 => match self.variable(Type::Thunk) {
                Some(thunk) if self.spend(thunk.bits) => format!("{}()", thunk.name),
                _ => self.search_for_number(),
            },
            26 => match self.variable(Type::Function) {
                Some(function) if self.spend(function.bits) => {
                    format!("{}({})", function.name, self.expression(n, depth))
                }
                _ => self.search_for_number(),
            },
            27 => self.search_for_number(),
            29 | 30 => match self.counted_places() {
                Some(places) => places,
                None => self.literal(n),
            },
            28 => format!(
                "distance({}, {})",
                self.readable(Type::Position),
                self.expression(Type::Position, depth)
            ),
            _ => {
                let list = self.expression(Type::Numbers, depth);
                format!("sizeOf(filter({list}, {}))", self.predicate(depth))
            }
        }
    }

    /// An object, with parentheses where its brace would begin the body of a function.
    fn object_with_fields(&mut self, depth: usize) -> String {
        let object = self.operand(Type::Object, depth);
        if object.starts_with('{') {
            format!("({object})")
        } else {
            object
        }
    }

    fn text(&mut self, depth: usize) -> String {
        match self.random.below(9) {
            0 | 1 => {
                let of = *self.random.pick(&[
                    Type::Number,
                    Type::Numbers,
                    Type::Text,
                    Type::Set,
                    Type::Position,
                ]);
                format!(
                    "({} + {})",
                    self.readable(Type::Text),
                    self.expression(of, depth)
                )
            }
            2 | 3 => {
                let of = *self.random.pick(&[
                    Type::Number,
                    Type::Numbers,
                    Type::Object,
                    Type::Boolean,
                    Type::Text,
                ]);
                let (one, other) = (
                    self.expression(of, depth),
                    self.expression(Type::Number, depth),
                );
                format!("`<${{{one}}} ${{{other}}}>`")
            }
            4 => format!("toString({})", self.expression(Type::Numbers, depth)),
            5 => format!("typeOf({})", self.expression(Type::Number, depth)),
            6 => format!("join({}, \"-\")", self.expression(Type::Numbers, depth)),
            7 => format!("upper({})", self.expression(Type::Text, depth)),
            _ => format!(
                "substring({} + \"xy\", 0, 2)",
                self.expression(Type::Text, depth)
            ),
        }
    }

    fn boolean(&mut self, depth: usize) -> String {
        let n = Type::Number;
        match self.random.below(12) {
            0..=3 => {
                let operator = *self.random.pick(&["<", "<=", ">", ">=", "==", "!=", "!="]);
                format!(
                    "{} {operator} {}",
                    self.operand(n, depth),
                    self.expression(n, depth)
                )
            }
            4 => {
                let operator = *self.random.pick(&["&&", "||"]);
                format!(
                    "({} {operator} {})",
                    self.expression(Type::Boolean, depth),
                    self.expression(Type::Boolean, depth)
                )
            }
            5 => format!("!({})", self.expression(Type::Boolean, depth)),
            6 => {
                let of = *self.random.pick(&[Type::Numbers, Type::Set, Type::Queue]);
                format!(
                    "contains({}, {})",
                    self.expression(n, depth),
                    self.expression(of, depth)
                )
            }
            7 => {
                let of = *self.random.pick(&[
                    Type::Numbers,
                    Type::Set,
                    Type::Text,
                    Type::Position,
                    Type::Object,
                ]);
                format!(
                    "{} == {}",
                    self.operand(of, depth),
                    self.expression(of, depth)
                )
            }
            8 => {
                let of = *self.random.pick(&["any", "all"]);
                format!(
                    "{of}({}, {})",
                    self.expression(Type::Numbers, depth),
                    self.predicate(depth)
                )
            }
            9 => format!(
                "{}({}, {})",
                self.readable_relation(),
                self.expression(n, depth),
                self.operand(n, depth)
            ),
            10 => format!(
                "isSubset({}, {})",
                self.operand(Type::Set, depth),
                self.operand(Type::Set, depth)
            ),
            _ => {
                let of = *self.random.pick(&[Type::Set, Type::Queue, Type::Text]);
                format!("isEmpty({})", self.expression(of, depth))
            }
        }
    }

    fn readable_relation(&mut self) -> String {
        self.readable(Type::Relation)
    }

    fn numbers(&mut self, depth: usize) -> String {
        match self.random.below(13) {
            0..=2 => {
                let size = self.random.between(2, 3);
                format!("[{}]", self.several(Type::Number, size, depth))
            }
            3 | 4 => format!(
                "map({}, {})",
                self.expression(Type::Numbers, depth),
                self.number_function(depth)
            ),
            5 => format!("sorted({})", self.expression(Type::Numbers, depth)),
            6 => format!(
                "sorted({}, {})",
                self.expression(Type::Numbers, depth),
                self.number_function(depth)
            ),
            7 => format!("reversed({})", self.expression(Type::Numbers, depth)),
            8 => {
                let list = self.expression(Type::Numbers, depth);
                format!(
                    "concat([{}], filter({list}, {}))",
                    self.several(Type::Number, 2, depth),
                    self.predicate(depth)
                )
            }
            9 => format!("slice({}, 0, 2)", self.expression(Type::Numbers, depth)),
            10 => format!("copy({})", self.readable(Type::Numbers)),
            11 => format!("concat([7, 8], {})", self.search_for_numbers()),
            _ => {
                let of = *self.random.pick(&[Type::Set, Type::Queue]);
                format!("concat([1, 0], toArray({}))", self.expression(of, depth))
            }
        }
    }

    fn set(&mut self, depth: usize) -> String {
        let s = Type::Set;
        match self.random.below(12) {
            0 | 1 => {
                let size = self.random.below(4);
                format!("setOf({})", self.several(Type::Number, size, depth))
            }
            2 => format!(
                "union({}, {})",
                self.operand(s, depth),
                self.operand(s, depth)
            ),
            3 | 4 => format!(
                "intersection({}, {})",
                self.operand(s, depth),
                self.operand(s, depth)
            ),
            5 => {
                let name = *self.random.pick(&["except", "symmetricDifference"]);
                format!(
                    "{name}({}, {})",
                    self.operand(s, depth),
                    self.operand(s, depth)
                )
            }
            6 => {
                let name = *self.random.pick(&["add", "remove"]);
                format!(
                    "{name}({}, {})",
                    self.expression(s, depth),
                    self.expression(Type::Number, depth)
                )
            }
            7 => format!("toSet({})", self.expression(Type::Numbers, depth)),
            8 => {
                let name = *self.random.pick(&["leftImage", "rightImage"]);
                format!(
                    "{name}({}, {})",
                    self.readable_relation(),
                    self.expression(s, depth)
                )
            }
            9 => {
                let name = *self.random.pick(&["domainOf", "rangeOf"]);
                format!("{name}({})", self.readable_relation())
            }
            _ => match self.variable(Type::Grid) {
                Some(_) => format!(
                    "{}[{}]",
                    self.readable(Type::Grid),
                    self.expression(Type::Position, depth)
                ),
                None => self.readable(s),
            },
        }
    }

    fn position(&mut self, depth: usize) -> String {
        match self.random.below(6) {
            0 => format!(
                "position({}, {})",
                self.small_index(depth),
                self.small_index(depth)
            ),
            1 => "(position(1, 1) - position(0, 1))".to_string(),
            2 => "(position(1, 0) + position(0, 1))".to_string(),
            3 => match self.variable(Type::Grid) {
                Some(grid) if self.place.random && self.spend(2.0) => {
                    format!("chooseElement({})", grid.name)
                }
                _ => self.literal(Type::Position),
            },
            _ => self.readable(Type::Position),
        }
    }

    /// A call of a declared function.
    pub fn call_of(&mut self, of: Type, depth: usize) -> Option<String> {
        let mut functions = self.functions.clone();
        functions
            .retain(|function| function.result == of && (self.place.random || !function.random));
        if functions.is_empty() {
            return None;
        }
        let function = self.random.pick(&functions).clone();
        if !self.spend(function.bits) {
            return None;
        }
        let mut arguments = Vec::new();
        let given = self
            .random
            .between(function.least, function.parameters.len());
        for (at, parameter) in function.parameters[..given].iter().enumerate() {
            arguments.push(if at == 0 && function.recursive {
                self.random.between(0, 2).to_string()
            } else {
                self.expression(*parameter, depth.min(1))
            });
        }
        Some(format!("{}({})", function.name, arguments.join(", ")))
    }

    /// A callback from number to number.
    pub fn number_function(&mut self, depth: usize) -> String {
        if self.random.percent(20)
            && let Some(function) = self.variable(Type::Function)
            && self.spend(function.bits * 3.0)
        {
            return function.name;
        }
        self.callback(Type::Number, depth)
    }

    fn predicate(&mut self, depth: usize) -> String {
        self.callback(Type::Boolean, depth)
    }

    /// A callback of one number, called a few times.
    fn callback(&mut self, result: Type, depth: usize) -> String {
        let name = self.parameter_name();
        self.nested(
            |place| {
                place.times *= 3.0;
                place.in_loop = false;
                place.result = Some(result);
            },
            |generator| {
                generator.bind(&name, Type::Number, true, 0.0);
                let head = if generator.random.percent(50) {
                    name.clone()
                } else {
                    format!("({name})")
                };
                if generator.random.percent(70) {
                    format!("{head} => {}", generator.expression(result, depth.max(1)))
                } else {
                    format!("({name}) => {{ {} }}", generator.inline_body(result))
                }
            },
        )
    }

    fn two_argument_function(&mut self, depth: usize) -> String {
        let (one, other) = (self.fresh_name("p"), self.fresh_name("p"));
        self.nested(
            |place| {
                place.times *= 3.0;
                place.in_loop = false;
                place.result = Some(Type::Number);
            },
            |generator| {
                generator.bind(&one, Type::Number, true, 0.0);
                generator.bind(&other, Type::Number, true, 0.0);
                let value = generator.expression(Type::Number, depth.max(1));
                format!("({one}, {other}) => ({one} + {value}) % 97")
            },
        )
    }

    /// A new name, or at times one that hides another variable.
    pub fn parameter_name(&mut self) -> String {
        match self.variable(Type::Number) {
            Some(variable) if self.random.percent(15) => variable.name,
            _ => self.fresh_name("p"),
        }
    }
}
