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
                const ALL: &[Kind] = &[
                    Array,
                    Array,
                    Array,
                    Set,
                    Set,
                    Text,
                    Object,
                    Queue,
                    PriorityQueue,
                    Grid,
                ];
                let kind = *self.random.pick(ALL);
                self.value(kind)
            }
            Elements => {
                let kind = *self
                    .random
                    .pick(&[Array, Array, Set, Set, Queue, PriorityQueue]);
                self.value(kind)
            }
            Layers => {
                let tiles = self.value(Tiles);
                format!("[{tiles}, {tiles}]")
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
                .pick(&[
                    "({})",
                    "({order: \"first\"})",
                    "({wrap: true, diagonal: true})",
                    "({order: \"random\"})",
                ])
                .to_string(),
            Queue => self.queue(),
            PriorityQueue => self.priority_queue(),
            Grid => self.grid(),
            Heights => self.grid_of(Number),
            Tiles => self.grid_of(Tile),
            Tileset => self.tileset(),
            Position => self
                .random
                .pick(&[
                    "position(0, 0)",
                    "position(1, 0)",
                    "position(100000, 100000)",
                    "position(-1, -1)",
                ])
                .to_string(),
            Tile => self.tile(),
            Function => self.function(),
            Predicate => self.predicate(),
            Measure => self.measure_function(),
            Folding => self.folding(),
            Thunk => self.thunk(),
            Board => self.tileset(),
            Ruled => {
                let board = self.tileset();
                let rule = *self.random.pick(&[
                    "allDifferent(#)",
                    "adjacent(#, (a, b) => a != b)",
                    "adjacent(#, (a, b) => true)",
                ]);
                rule.replace('#', &board)
            }
            Places => self
                .random
                .pick(&[
                    "[position(0, 0), position(1, 0)]",
                    "[0, 1]",
                    "setOf(position(0, 0))",
                ])
                .to_string(),
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

    /// Two sides of something wide, high or square.
    pub(super) fn sides(&mut self, weight: usize) -> (usize, usize) {
        let size = self.size(weight).max(1);
        let width = match self.random.below(3) {
            0 => size,
            1 => 1,
            _ => size.isqrt(),
        };
        (width, size / width)
    }

    /// Repeats a statement about a variable that begins with a value.
    pub(super) fn repeated(
        &mut self,
        kind: Kind,
        start: &str,
        turns: usize,
        statement: &str,
    ) -> String {
        self.declare(
            kind,
            &format!("let # = {start}; for (let i = 0; i < {turns}; i++) {statement}"),
        )
    }

    /// A copy may be as large as everything that there is.
    pub(super) fn budget_for_copy(&mut self) {
        self.size(4);
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
                self.declare(
                    kind,
                    &format!("let # = setOf({first}, [{second}, {first}], 1);"),
                )
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
                self.declare(
                    kind,
                    &format!("let # = toSet(map(range({size}), i => remove({set}, i)));"),
                )
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
                self.declare(
                    kind,
                    &format!("let # = toSet(map(range({size}), i => {part}));"),
                )
            }
            11 => {
                let (first, second) = (self.value(kind), self.value(kind));
                let name =
                    *self
                        .random
                        .pick(&["union", "symmetricDifference", "except", "intersection"]);
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
                    &format!(
                        "let # = relation(map(range({}), i => [floor(i, {side}), i % {side}]));",
                        side * side
                    ),
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
                self.declare(
                    kind,
                    &format!("let # = {{a: {value}, b: [{value}]}}; #.self = #;"),
                )
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
        let element = *self.random.pick(&[
            "i",
            "i",
            "[i]",
            "[$, i]",
            "$",
            "i % 10",
            "\"key \" + i",
            "setOf(i)",
        ]);
        self.repeated(
            kind,
            "queue()",
            size,
            &format!("enqueue({}, #);", element.replace('$', &value)),
        )
    }

    fn priority_queue(&mut self) -> String {
        let kind = Kind::PriorityQueue;
        let size = self.size(30);
        let value = self.value(Kind::Any);
        let element = *self
            .random
            .pick(&["i", "i", "[i]", "[$, i]", "$", "\"key \" + i"]);
        let priority = *self
            .random
            .pick(&["0", "i", "-i", "i % 7", "i * 7919 % 10007", "i / 3"]);
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
        self.declare(
            kind,
            &format!("let # = makeGrid({width}, {height}, {value});"),
        )
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
        let grid = self.declare(
            Kind::Tileset,
            &format!("let # = makeGrid({width}, {height}, {cell});"),
        );
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
            _ => self
                .random
                .pick(&["\"red\"", "\"up\"", "\"#ff0000\"", "\"nothing\""])
                .to_string(),
        }
    }
}
