//! Hostile values: shared, deep, wide, long, cyclic.

use super::kinds::Kind;
use super::writer::Writer;

impl Writer {
    /// A new value of a kind, as an expression.
    pub fn shape(&mut self, kind: Kind) -> String {
        use Kind::*;
        match kind {
            Any => {
                const ALL: &[Kind] = &[
                    Array,
                    Array,
                    Array,
                    Set,
                    Set,
                    Text,
                    Text,
                    Object,
                    Queue,
                    PriorityQueue,
                    Grid,
                    Relation,
                    Position,
                    Number,
                    Function,
                    Boolean,
                ];
                let kind = *self.random.pick(ALL);
                self.value(kind)
            }
            Collection => {
                const ALL: &[Kind] = &[Array, Array, Array, Set, Set, Text, Object, Queue, PriorityQueue, Grid];
                let kind = *self.random.pick(ALL);
                self.value(kind)
            }
            Elements => {
                let kind = *self.random.pick(&[Array, Array, Set, Set, Queue, PriorityQueue]);
                self.value(kind)
            }
            Boolean => self.random.pick(&["true", "false"]).to_string(),
            Number => self
                .random
                .pick(&[
                    "0",
                    "-1",
                    "1",
                    "2.5",
                    "7",
                    "100000",
                    "9007199254740991",
                    "-9007199254740991",
                    "0.000001",
                    "1000000000",
                ])
                .to_string(),
            Count => self.count(),
            Text => self.text(),
            Picture => self.picture(),
            Array => self.array(),
            Numbers | NumberCollection => self.numbers(),
            Pairs => self.pairs(),
            Rows => self.rows(),
            Set => self.set(),
            Relation => self.relation(),
            Object => self.object(),
            Legend => self.legend(),
            Weights => self.weights(),
            Options => self
                .random
                .pick(&["({})", "({order: \"first\"})", "({wrap: true, diagonal: true})", "({order: \"random\"})"])
                .to_string(),
            Queue => self.queue(),
            PriorityQueue => self.priority_queue(),
            Grid => self.grid(),
            Heights => self.grid_of(Number),
            Tiles => self.grid_of(Tile),
            Tileset => self.tileset(),
            Position => self
                .random
                .pick(&["position(0, 0)", "position(1, 0)", "position(100000, 100000)", "position(-1, -1)"])
                .to_string(),
            Tile => self.tile(),
            Function => self.function(),
            Predicate => self.predicate(),
            Measure => self.measure_function(),
            Folding => self.folding(),
            Thunk => self.thunk(),
            Board => self.tileset(),
            Places => {
                self.random.pick(&["[position(0, 0), position(1, 0)]", "[0, 1]", "setOf(position(0, 0))"]).to_string()
            }
        }
    }

    fn count(&mut self) -> String {
        match self.random.below(10) {
            0 => "-1".to_string(),
            1 | 2 => self.random.below(3).to_string(),
            3 => "9007199254740991".to_string(),
            _ => self.size(8).to_string(),
        }
    }

    fn text(&mut self) -> String {
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
                self.declare(kind, &format!("let # = repeat(\" \", {size}) + \"x\" + repeat(\"\\n \", {size});"))
            }
            10 => {
                let size = self.size(1);
                self.declare(kind, &format!("let # = \"0.\" + repeat(\"0\", {size}) + \"1\";"))
            }
            11 => {
                let turns = self.random.between(1, 18);
                let start = self.random.pick(&["ab", "é,", " \\n"]).to_string();
                self.declare(kind, &format!("let # = \"{start}\"; for (let i = 0; i < {turns}; i++) # += #;"))
            }
            12 => {
                let size = self.size(20);
                self.declare(kind, &format!("let # = \"\"; for (let i = 0; i < {size}; i++) # += i % 10;"))
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
                .pick(&["\"\"", "\"a\"", "\" \"", "\"\\n\"", "\"red\"", "\"1e308\"", "\"key 1\""])
                .to_string(),
        }
    }

    fn picture(&mut self) -> String {
        let (width, height) = self.sides(2);
        self.declare(Kind::Picture, &format!("let # = repeat(repeat(\"ab\", {width}) + \"\\n\", {height});"))
    }

    /// Two sides of something wide, high or square.
    fn sides(&mut self, weight: usize) -> (usize, usize) {
        let size = self.size(weight).max(1);
        let width = match self.random.below(3) {
            0 => size,
            1 => 1,
            _ => size.isqrt(),
        };
        (width, size / width)
    }

    /// Repeats a statement about a variable that begins with a value.
    fn repeated(&mut self, kind: Kind, start: &str, turns: usize, statement: &str) -> String {
        self.declare(kind, &format!("let # = {start}; for (let i = 0; i < {turns}; i++) {statement}"))
    }

    fn array(&mut self) -> String {
        let kind = Kind::Array;
        match self.random.below(24) {
            0 => self.numbers(),
            1 => self.pairs(),
            2 => self.rows(),
            // Many references to one value.
            3 | 4 => {
                let shared = self.value(Kind::Any);
                let size = self.size(4);
                self.declare(kind, &format!("let # = map(range({size}), i => {shared});"))
            }
            5 => {
                let shared = self.value(Kind::Array);
                let size = self.size(10);
                self.declare(kind, &format!("let # = map(range({size}), i => [{shared}, i]);"))
            }
            // Doubled trees: as many ways through them as two to the power of their depth.
            6 | 7 => {
                let start = self.value(Kind::Any);
                let depth = self.random.between(18, 60);
                let statement = *self.random.pick(&[
                    "# = [#, #];",
                    "# = [#, #];",
                    "# = [[#], #];",
                    "{ let b = [#, #]; # = [b, #]; }",
                    "# = {a: #, b: #};",
                    "# = [setOf(1), #, {a: #}];",
                    "# = setOf([#, #]);",
                    "# = [[#, i], [#, i]];",
                    "{ let q = queue(); enqueue(#, q); # = [q, q, #]; }",
                    "# = makeGrid(2, 1, #);",
                ]);
                self.repeated(kind, &start, depth, statement)
            }
            // Deep.
            8..11 => {
                let start = self.value(Kind::Any);
                let size = self.size(12);
                let statement = *self.random.pick(&[
                    "# = [#];",
                    "# = [#];",
                    "# = [#, i];",
                    "# = [i, #];",
                    "# = [[#], i];",
                    "# = [log, #];",
                    "# = {a: #};",
                    "# = [setOf(i), #];",
                ]);
                self.repeated(kind, &start, size, statement)
            }
            11 => {
                let start = self.value(Kind::Any);
                let inner = self.value(Kind::Array);
                let size = self.size(14);
                self.repeated(kind, &start, size, &format!("# = [{inner}, #];"))
            }
            // Inside itself.
            12 => {
                let size = self.size(2);
                let statement =
                    *self.random.pick(&["push(#, #);", "#[0] = #;", "push(#, [#, #]);", "push(#, {a: #});"]);
                self.declare(kind, &format!("let # = map(range({} + 1), i => i); {statement}", size / 3))
            }
            13 => {
                let size = self.size(12);
                let end = self.aside("let # = [1];");
                self.declare(kind, &format!("let # = {end}; for (let i = 0; i < {size}; i++) # = [#]; push({end}, #);"))
            }
            // Texts with one beginning.
            14 => {
                let length = self.random.between(1, 2_000);
                let size = self.size(length / 6 + 20);
                let start = self.aside(&format!("let # = repeat(\"ab\", {length});"));
                self.declare(kind, &format!("let # = map(range({size}), i => {start} + i);"))
            }
            // Equal parts, and parts that differ in their last element.
            15 => {
                let length = self.random.between(1, 3_000);
                let size = self.size(length * 2 + 10);
                let part =
                    *self.random.pick(&["map(range($), j => j)", "map(range($), j => i)", "slice(range($), 0, $)"]);
                let part = part.replace('$', &length.to_string());
                self.declare(
                    kind,
                    &format!(
                        "let # = map(range({size}), i => {{ let part = {part}; push(part, i % 3); return part; }});"
                    ),
                )
            }
            16 => {
                let set = self.value(Kind::Set);
                let size = self.size(40);
                let change = *self.random.pick(&[
                    "remove($, i)",
                    "add($, i)",
                    "setOf(i, i + 1)",
                    "setOf($, i)",
                    "union($, setOf(i))",
                ]);
                self.declare(kind, &format!("let # = map(range({size}), i => {});", change.replace('$', &set)))
            }
            17 => {
                let value = self.value(Kind::Any);
                let size = self.size(20);
                self.declare(
                    kind,
                    &format!("let # = map(range({size}), i => {{ let o = {{a: i, b: {value}}}; return o; }});"),
                )
            }
            18 => {
                let start = self.value(Kind::Array);
                let turns = self.random.between(1, 12);
                self.repeated(kind, &format!("[{start}, {start}]"), turns, "# = concat(#, #);")
            }
            19 => {
                let array = self.value(Kind::Array);
                self.budget_for_copy();
                self.declare(kind, &format!("let # = deepCopy({array});"))
            }
            20 => {
                let size = self.size(10);
                let part = *self.random.pick(&[
                    "position(i % 100, i)",
                    "i / 2",
                    "i % 2 == 0",
                    "null",
                    "() => i",
                    "[i]",
                    "\"key \" + i",
                ]);
                self.declare(kind, &format!("let # = map(range({size}), i => {part});"))
            }
            21 => {
                let first = self.value(Kind::Array);
                let second = self.value(Kind::Collection);
                self.declare(kind, &format!("let # = [{first}, {second}, [{first}, {second}]];"))
            }
            22 => {
                let size = self.size(6);
                self.declare(kind, &format!("let # = toArray(range({size})); push(#, \"last\");"))
            }
            _ => {
                let size = self.size(16);
                let kind_of_part =
                    *self.random.pick(&["queue()", "priorityQueue()", "makeGrid(1, 1, i)", "{}", "relation([i, i])"]);
                self.declare(
                    kind,
                    &format!("let # = map(range({size}), i => {{ let part = {kind_of_part}; return part; }});"),
                )
            }
        }
    }

    fn numbers(&mut self) -> String {
        let kind = Kind::Numbers;
        match self.random.below(6) {
            0..3 => {
                let size = self.size(1);
                self.declare(kind, &format!("let # = range({size});"))
            }
            3 | 4 => {
                let size = self.size(5);
                let part = *self.random.pick(&[
                    "i * 7919 % 10007",
                    "i / 3",
                    "-i",
                    "i % 2",
                    "1",
                    "randomInt(0, 1000000000)",
                    "i * 0.1",
                ]);
                self.declare(kind, &format!("let # = map(range({size}), i => {part});"))
            }
            _ => {
                let size = self.size(2);
                self.declare(kind, &format!("let # = reversed(range({size}));"))
            }
        }
    }

    fn pairs(&mut self) -> String {
        let kind = Kind::Pairs;
        let size = self.size(14);
        match self.random.below(6) {
            0..3 => {
                let part = *self.random.pick(&[
                    "[i, i]",
                    "[i, i % 7]",
                    "[0, i]",
                    "[i % 1000, i * 7919 % 1000]",
                    "[[i], [i, i]]",
                    "[\"key \" + i, i]",
                    "[setOf(i), i]",
                ]);
                self.declare(kind, &format!("let # = map(range({size}), i => {part});"))
            }
            3 => {
                let value = self.value(Kind::Any);
                self.declare(kind, &format!("let # = map(range({size}), i => [{value}, i]);"))
            }
            4 => {
                let value = self.value(Kind::Any);
                self.declare(kind, &format!("let # = map(range({size}), i => [{value}, {value}]);"))
            }
            _ => {
                let value = self.value(Kind::Any);
                self.declare(
                    kind,
                    &format!("let pair = [{value}, {value}]; let # = map(range({size}), i => pair);")
                        .replace("pair", "pair_of_#"),
                )
            }
        }
    }

    fn rows(&mut self) -> String {
        let kind = Kind::Rows;
        let (width, height) = self.sides(6);
        match self.random.below(3) {
            0 => self.declare(kind, &format!("let # = map(range({height}), i => range({width}));")),
            1 => self
                .declare(kind, &format!("let row_of_# = range({width}); let # = map(range({height}), i => row_of_#);")),
            _ => {
                let value = self.value(Kind::Any);
                self.declare(kind, &format!("let # = map(range({height}), i => map(range({width}), j => {value}));"))
            }
        }
    }

    fn set(&mut self) -> String {
        let kind = Kind::Set;
        match self.random.below(14) {
            0..3 => {
                let size = self.size(4);
                self.declare(kind, &format!("let # = toSet(range({size}));"))
            }
            3..6 => {
                let elements = self.value(Kind::Elements);
                self.declare(kind, &format!("let # = toSet({elements});"))
            }
            6 => {
                let (first, second) = (self.value(Kind::Any), self.value(Kind::Any));
                self.declare(kind, &format!("let # = setOf({first}, [{second}, {first}], 1);"))
            }
            7 => {
                let start = self.value(kind);
                let size = self.size(30);
                let statement = *self.random.pick(&[
                    "# = setOf(#);",
                    "# = setOf(#, i);",
                    "# = add(#, i);",
                    "# = add(#, [#]);",
                    "# = setOf([#, i]);",
                    "# = remove(#, i);",
                ]);
                self.repeated(kind, &start, size.min(100_000), statement)
            }
            8 => {
                let start = self.value(kind);
                let depth = self.random.between(18, 50);
                self.repeated(kind, &start, depth, "# = setOf([#, #], [#]);")
            }
            9 => {
                let set = self.value(kind);
                let size = self.size(60);
                self.declare(kind, &format!("let # = toSet(map(range({size}), i => remove({set}, i)));"))
            }
            10 => {
                let size = self.size(24);
                let part = *self.random.pick(&[
                    "[i]",
                    "[i, [i]]",
                    "setOf(i)",
                    "\"key \" + i",
                    "position(i, 0)",
                    "i / 2",
                    "() => i",
                    "[0, 0, 0, 0, i]",
                ]);
                self.declare(kind, &format!("let # = toSet(map(range({size}), i => {part}));"))
            }
            11 => {
                let (first, second) = (self.value(kind), self.value(kind));
                let name = *self.random.pick(&["union", "symmetricDifference", "except", "intersection"]);
                self.declare(kind, &format!("let # = {name}({first}, {second});"))
            }
            12 => {
                let array = self.value(Kind::Array);
                self.declare(kind, &format!("let # = setOf({array});"))
            }
            _ => "setOf()".to_string(),
        }
    }

    fn relation(&mut self) -> String {
        let kind = Kind::Relation;
        match self.random.below(6) {
            0..4 => {
                let pairs = self.value(Kind::Pairs);
                self.declare(kind, &format!("let # = relation({pairs});"))
            }
            4 => {
                let side = self.size(40).isqrt().max(1);
                self.declare(
                    kind,
                    &format!("let # = relation(map(range({}), i => [floor(i, {side}), i % {side}]));", side * side),
                )
            }
            _ => {
                let other = self.value(kind);
                self.declare(kind, &format!("let # = inverse({other});"))
            }
        }
    }

    fn object(&mut self) -> String {
        let kind = Kind::Object;
        match self.random.below(9) {
            0..2 => {
                let size = self.size(30);
                self.repeated(kind, "{}", size, "#[\"k\" + i] = i;")
            }
            2 => {
                let text = self.value(Kind::Text);
                let size = self.random.between(1, 12);
                self.repeated(kind, "{}", size, &format!("#[{text} + i] = i;"))
            }
            3 => {
                let value = self.value(Kind::Any);
                let size = self.size(30);
                self.repeated(kind, "{}", size, &format!("#[i + \"\"] = {value};"))
            }
            4 => {
                let start = self.value(Kind::Any);
                let size = self.size(24);
                self.repeated(kind, &format!("{{a: {start}}}"), size, "# = {next: #};")
            }
            5 => {
                let value = self.value(Kind::Any);
                self.declare(kind, &format!("let # = {{a: {value}, b: [{value}]}}; #.self = #;"))
            }
            6 => {
                let start = self.value(Kind::Any);
                let depth = self.random.between(18, 50);
                self.repeated(kind, &format!("{{a: {start}}}"), depth, "# = {a: #, b: #};")
            }
            7 => {
                let size = self.size(40);
                self.repeated(kind, "{}", size, "#[\"k\" + i] = setOf(i, i + 1);")
            }
            _ => {
                let text = self.value(Kind::Text);
                self.declare(kind, &format!("let # = {{}}; #[{text}] = {text};"))
            }
        }
    }

    fn legend(&mut self) -> String {
        let (first, second) = (self.value(Kind::Any), self.value(Kind::Any));
        format!("({{a: {first}, b: {second}}})")
    }

    fn weights(&mut self) -> String {
        let size = self.size(30);
        self.repeated(Kind::Weights, "{}", size, "#[i + \"\"] = i % 5;")
    }

    fn queue(&mut self) -> String {
        let kind = Kind::Queue;
        let size = self.size(30);
        let value = self.value(Kind::Any);
        let element = *self.random.pick(&["i", "i", "[i]", "[$, i]", "$", "i % 10", "\"key \" + i", "setOf(i)"]);
        self.repeated(kind, "queue()", size, &format!("enqueue({}, #);", element.replace('$', &value)))
    }

    fn priority_queue(&mut self) -> String {
        let kind = Kind::PriorityQueue;
        let size = self.size(30);
        let value = self.value(Kind::Any);
        let element = *self.random.pick(&["i", "i", "[i]", "[$, i]", "$", "\"key \" + i"]);
        let priority = *self.random.pick(&["0", "i", "-i", "i % 7", "i * 7919 % 10007", "i / 3"]);
        self.repeated(
            kind,
            "priorityQueue()",
            size,
            &format!("enqueue({}, #, {priority});", element.replace('$', &value)),
        )
    }

    fn grid(&mut self) -> String {
        match self.random.below(6) {
            0 => self.grid_of(Kind::Any),
            1 => self.grid_of(Kind::Number),
            2 => self.tileset(),
            3 => {
                let rows = self.value(Kind::Rows);
                self.declare(Kind::Grid, &format!("let # = grid({rows});"))
            }
            4 => {
                let text = self.value(Kind::Picture);
                self.declare(Kind::Grid, &format!("let # = gridFromText({text});"))
            }
            _ => self.grid_of(Kind::Text),
        }
    }

    fn grid_of(&mut self, cells: Kind) -> String {
        let value = self.value(cells);
        let (width, height) = self.sides(4);
        let kind = match cells {
            Kind::Number => Kind::Heights,
            Kind::Tile => Kind::Tiles,
            _ => Kind::Grid,
        };
        self.declare(kind, &format!("let # = makeGrid({width}, {height}, {value});"))
    }

    fn tileset(&mut self) -> String {
        let (width, height) = self.sides(12);
        let cell = *self.random.pick(&[
            "setOf(\"red\", \"blue\")",
            "setOf(\"red\")",
            "setOf()",
            "toSet(map(range(300), i => \"key \" + i))",
            "setOf(1, 2, 3)",
        ]);
        let grid = self.declare(Kind::Tileset, &format!("let # = makeGrid({width}, {height}, {cell});"));
        if self.random.percent(40) {
            let turns = self.size(30).min(width * height);
            self.lines.push(format!("for (let i = 0; i < {turns}; i++) {grid}[i % {width}, floor(i, {width})] = setOf(\"#\" + (100000 + i % 100000), \"red\");"));
        }
        grid
    }

    fn tile(&mut self) -> String {
        match self.random.below(8) {
            0 => self.value(Kind::Text),
            1 => "\"noise\"".to_string(),
            2 => "\"noise.png\"".to_string(),
            3 => "\"#12345678\"".to_string(),
            _ => self.random.pick(&["\"red\"", "\"up\"", "\"#ff0000\"", "\"nothing\""]).to_string(),
        }
    }

    /// Part of what a callback does besides.
    fn deed(&mut self) -> String {
        let value = self.value(Kind::Any);
        let deed = *self.random.pick(&[
            "",
            "",
            "",
            "push(log, $);",
            "push(log, [$]);",
            "if (choose(true, false)) fail;",
            "choose first {} or {}",
            "let copied = [$, $];",
            "let t = `${typeOf($)}`;",
            "let same = [$] == [$];",
            "let s = setOf(1, [2]);",
        ]);
        deed.replace('$', &value)
    }

    fn function(&mut self) -> String {
        let (deed, value) = (self.deed(), self.value(Kind::Any));
        let result = *self.random.pick(&[
            "x",
            "x",
            "[x]",
            "[x, x]",
            "$",
            "[x, $]",
            "x == $",
            "toString(x)",
            "setOf(x)",
            "() => x",
        ]);
        format!("(x => {{ {deed} return {}; }})", result.replace('$', &value))
    }

    fn predicate(&mut self) -> String {
        let (deed, value) = (self.deed(), self.value(Kind::Any));
        let result = *self.random.pick(&[
            "true",
            "false",
            "x == $",
            "x != $",
            "[x] == [$]",
            "typeOf(x) == \"array\"",
            "[[x], $] == [[$], x]",
        ]);
        format!("(x => {{ {deed} return {}; }})", result.replace('$', &value))
    }

    fn measure_function(&mut self) -> String {
        let (deed, value) = (self.deed(), self.value(Kind::Any));
        let result = *self.random.pick(&["1", "0", "sizeOf(toString(x))", "x == $ ? 1 : 2"]);
        format!("(x => {{ {deed} return {}; }})", result.replace('$', &value))
    }

    fn folding(&mut self) -> String {
        let (deed, value) = (self.deed(), self.value(Kind::Any));
        let result =
            *self.random.pick(&["x", "y", "[x, y]", "[x, x]", "$", "x == y", "[y, $]", "{a: x, b: y}", "setOf(x)"]);
        format!("((x, y) => {{ {deed} return {}; }})", result.replace('$', &value))
    }

    fn thunk(&mut self) -> String {
        let (deed, value) = (self.deed(), self.value(Kind::Any));
        let collection = self.value(Kind::Collection);
        let result = *self.random.pick(&[
            "$",
            "[$, $]",
            "choose($, 1)",
            "chooseElement(@)",
            "[chooseElement(@), $]",
            "cost(1)",
            "cost(choose(3, 2, 1))",
            "{a: $}",
            "() => $",
            "log",
        ]);
        format!("(() => {{ {deed} return {}; }})", result.replace('$', &value).replace('@', &collection))
    }

    /// A copy may be as large as everything that there is.
    fn budget_for_copy(&mut self) {
        self.size(4);
    }
}
