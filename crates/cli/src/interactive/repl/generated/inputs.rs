//! Random inputs.

use ndscript::rng::Rng;

/// The beginning of every session: the names that inputs use.
pub const BEGINNING: &str = "var a = choose(1, 2, 3), b = 2, c = 0, d; let list = [1]; let table = {k: 1};
    let cells = makeGrid(2, 2, 0); function f(x) { return x; } function g(x) { return choose(x, 1); }
    function pick(x) { return choose(x, 2); }
    let board = makeGrid(2, 2, setOf(0, 1, 2, 3, 4)); let waiting = queue();";

/// Generates random inputs.
pub struct Generator {
    pub rng: Rng,
}

impl Generator {
    pub fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.rng.below(list.len() as u64) as usize]
    }

    pub fn variable(&mut self) -> &'static str {
        self.pick(&["a", "b", "c", "d"])
    }

    pub fn expression(&mut self, depth: u32) -> String {
        let small = self.rng.below(5);
        if depth == 0 || self.rng.below(3) == 0 {
            return match self.rng.below(4) {
                0 => small.to_string(),
                _ => self.variable().to_string(),
            };
        }
        let (x, y) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.rng.below(20) {
            16 => format!("chooseElement([{x}, {y}, {small}])"),
            17 => format!("chooseElement(setOf({x}, {y}, {small}, 8))"),
            18 => format!("randomInt(0, {small})"),
            19 => format!("shuffled([1, 2, {small}])[1]"),
            0 | 1 => format!("choose({x}, {y})"),
            2 => format!("choose({x}, {y}, {small})"),
            3 => format!("{x} + {y}"),
            4 => format!("f({x})"),
            5 => format!("g({x})"),
            6 => format!("pick({x})"),
            7 => format!("once(() => choose({x}, {y}))"),
            8 => format!("sizeOf(solutions(() => choose({x}, fail, {y})))"),
            9 => format!(
                "minimize(() => {{ let v = choose({x}, {y}); cost(v == {small} ? 1 : 2); return v; }})"
            ),
            10 => format!("({x} == {y} ? {small} : choose({y}, {x}))"),
            11 => "sizeOf(list)".to_string(),
            12 => format!("sum(map(list, v => v == {small} ? 1 : 0))"),
            13 => "table.k".to_string(),
            14 => format!("(v => choose(v, {y}))({x})"),
            _ => format!("cells[{}, 1]", small % 2),
        }
    }

    fn statement(&mut self) -> String {
        let variable = self.variable();
        let value = self.expression(2);
        let small = self.rng.below(4);
        match self.rng.below(44) {
            28 => format!("narrow(board, position({}, 0), setOf({value}, {small}));", small % 2),
            29 => format!("board[0, 1] = setOf({value}, {small});"),
            30 => "decide(board);".to_string(),
            31 => format!("atMost(board, 1, {small});"),
            32 => "allDifferent(board, [position(0, 0), position(1, 1)]);".to_string(),
            33 => format!("adjacent(board, (p, q) => p + {small} != q);"),
            34 => "printTilesetMap(board);".to_string(),
            35 => "printGrid(cells); printHeatmap(cells);".to_string(),
            36 => format!("printTilemap(makeGrid({}, 1, 'gold')); snapshot(board); tally('maps');", small + 1),
            37 => format!("enqueue({value}, waiting); {variable} = sizeOf(waiting);"),
            38 => format!("{variable} = dequeue(waiting);"),
            39 => format!(
                "{variable} = withRestarts(() => {{ let v = chooseElement(range(9)); require(v > {small}); return v; }}, 1);"
            ),
            40 => format!("require(firstVisit({value}));"),
            41 => format!("{variable} = `<${{{value}}}>`;"),
            42 => format!("constrain(board, null, () => {{ require(sizeOf(board[0, 0]) != {small}); }});"),
            43 => format!("board = makeGrid(2, 2, setOf({value}, {small}, 5, 6));"),
            27 => format!("choose {variable} = {value}; or {variable} = {small}; or push(list, {small});"),
            0 | 1 => format!("let {variable} = {value};"),
            2 => format!("var {variable} = {value};"),
            3 => format!("const {variable} = {value};"),
            4..=6 => format!("{variable} = {value};"),
            7 => format!("choose first {variable} = {value}; or {variable} = {small}; or fail;"),
            8 => format!("push(list, {value});"),
            9 => format!("table.k = {value};"),
            10 => format!("cells[{}, 1] = {value};", small % 2),
            11 => format!("require({value} != {small});"),
            12 => format!("printLine({value}, ' ', list);"),
            13 => format!("function f(x) {{ return x + {small}; }}"),
            14 => format!("function f(x) {{ let y = choose(x, {small}); return g(y); }}"),
            15 => format!("function g(x) {{ {variable} = x; return choose({small}, x); }}"),
            16 => format!("deterministic function g(x) {{ let y = choose(x, {small}, 7); return y; }}"),
            17 => {
                "function pick(x) { for (let i = 0; i < 3; i++) if (choose(i == x, true)) return i; fail; }".to_string()
            }
            18 => format!("for (let i = 0; i < {small}; i++) {{ if (choose(true, false)) push(list, i); }}"),
            19 => format!("let {variable} = x => choose(x, {variable});"),
            20 => format!("if ({value} == {small}) fail;"),
            21 => format!("let sizeOf = x => {small};"),
            22 => format!("add{variable} = setOf({value}, {small});"),
            23 => format!("let {variable} = ask('{small}?', [{value}, {small}]);"),
            24 => format!("cost({small});"),
            25 => format!("grid{small} = copy(cells); grid{small}[0, 0] = {value};"),
            _ => format!("once(() => {{ {variable} = choose({value}, {small}); }});"),
        }
    }

    /// An input that goes wrong, or does nothing.
    fn bad_input(&mut self) -> String {
        let statement = self.statement();
        let end = self.pick(&[
            "missing;",
            "1 / 0;",
            "let = 3;",
            "f(1, 2);",
            "while (true) ;",
            "choose first missing(); or ;",
            "import \"nothing.nds\";",
            "while (true) { choose first fail; or ; }",
            "let q = 1; let q = 2;",
            "function deep(n) { return deep(n + 1) + 1; } deep(0);",
            "{",
            "'",
            "solutions(() => { while (true) choose first ; or ; });",
            "narrow(board, position(9, 9), 1);",
            "board[0, 0] = 'stranger';",
            "printTilemap(makeGrid(2, 2, 'no such tile'));",
            "fail 'for a reason';",
            "if (a == 1) {",
            "f(a",
            "`${",
        ]);
        format!("{statement} {end}")
    }

    pub fn input(&mut self) -> String {
        match self.rng.below(12) {
            0 => self.bad_input(),
            1 => "fail;".to_string(),
            2 => format!("require({} == {});", self.variable(), self.rng.below(3)),
            3 => self.expression(2),
            4 => format!("{} return {};", self.statement(), self.variable()),
            5 => self
                .pick(&[
                    "",
                    ";",
                    "// nothing",
                    "#! line",
                    "var a",
                    "let b = 3",
                    "{ }",
                ])
                .to_string(),
            _ => (0..=self.rng.below(3))
                .map(|_| self.statement())
                .collect::<Vec<_>>()
                .join(" "),
        }
    }
}
