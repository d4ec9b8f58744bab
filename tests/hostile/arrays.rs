//! Hostile arrays: shared, doubled, deep, wide, inside themselves.

use super::kinds::Kind;
use super::writer::Writer;

impl Writer {
    pub(super) fn array(&mut self) -> String {
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
                self.declare(
                    kind,
                    &format!("let # = map(range({size}), i => [{shared}, i]);"),
                )
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
                let statement = *self.random.pick(&[
                    "push(#, #);",
                    "#[0] = #;",
                    "push(#, [#, #]);",
                    "push(#, {a: #});",
                ]);
                self.declare(
                    kind,
                    &format!("let # = map(range({} + 1), i => i); {statement}", size / 3),
                )
            }
            13 => {
                let size = self.size(12);
                let end = self.aside("let # = [1];");
                self.declare(
                    kind,
                    &format!(
                        "let # = {end}; for (let i = 0; i < {size}; i++) # = [#]; push({end}, #);"
                    ),
                )
            }
            // Texts with one beginning.
            14 => {
                let length = self.random.between(1, 2_000);
                let size = self.size(length / 6 + 20);
                let start = self.aside(&format!("let # = repeat(\"ab\", {length});"));
                self.declare(
                    kind,
                    &format!("let # = map(range({size}), i => {start} + i);"),
                )
            }
            // Equal parts, and parts that differ in their last element.
            15 => {
                let length = self.random.between(1, 3_000);
                let size = self.size(length * 2 + 10);
                let part = *self.random.pick(&[
                    "map(range($), j => j)",
                    "map(range($), j => i)",
                    "slice(range($), 0, $)",
                ]);
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
                self.declare(
                    kind,
                    &format!(
                        "let # = map(range({size}), i => {});",
                        change.replace('$', &set)
                    ),
                )
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
                self.repeated(
                    kind,
                    &format!("[{start}, {start}]"),
                    turns,
                    "# = concat(#, #);",
                )
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
                self.declare(
                    kind,
                    &format!("let # = [{first}, {second}, [{first}, {second}]];"),
                )
            }
            22 => {
                let size = self.size(6);
                self.declare(
                    kind,
                    &format!("let # = toArray(range({size})); push(#, \"last\");"),
                )
            }
            _ => {
                let size = self.size(16);
                let kind_of_part = *self.random.pick(&[
                    "queue()",
                    "priorityQueue()",
                    "makeGrid(1, 1, i)",
                    "{}",
                    "relation([i, i])",
                ]);
                self.declare(
                    kind,
                    &format!("let # = map(range({size}), i => {{ let part = {kind_of_part}; return part; }});"),
                )
            }
        }
    }

    pub(super) fn numbers(&mut self) -> String {
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

    pub(super) fn pairs(&mut self) -> String {
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
                self.declare(
                    kind,
                    &format!("let # = map(range({size}), i => [{value}, i]);"),
                )
            }
            4 => {
                let value = self.value(Kind::Any);
                self.declare(
                    kind,
                    &format!("let # = map(range({size}), i => [{value}, {value}]);"),
                )
            }
            _ => {
                let value = self.value(Kind::Any);
                self.declare(
                    kind,
                    &format!(
                        "let pair = [{value}, {value}]; let # = map(range({size}), i => pair);"
                    )
                    .replace("pair", "pair_of_#"),
                )
            }
        }
    }

    pub(super) fn rows(&mut self) -> String {
        let kind = Kind::Rows;
        let (width, height) = self.sides(6);
        match self.random.below(3) {
            0 => self.declare(
                kind,
                &format!("let # = map(range({height}), i => range({width}));"),
            ),
            1 => self.declare(
                kind,
                &format!(
                    "let row_of_# = range({width}); let # = map(range({height}), i => row_of_#);"
                ),
            ),
            _ => {
                let value = self.value(Kind::Any);
                self.declare(
                    kind,
                    &format!(
                        "let # = map(range({height}), i => map(range({width}), j => {value}));"
                    ),
                )
            }
        }
    }
}
