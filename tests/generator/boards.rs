//! Boards with constraints. Only what is left when a whole board is decided is printed: how much a constraint takes away
//! before is for the engine to know.

use super::{Generator, Node};

/// A board of a few places.
#[derive(Clone, Copy)]
enum Shape {
    Array,
    Object,
    /// Two wide and two high.
    Grid,
}

const PLACES: usize = 4;

impl Generator {
    fn place_name(&self, shape: Shape, place: usize) -> String {
        match shape {
            Shape::Array => place.to_string(),
            Shape::Object => format!("\"{}\"", ["p", "q", "r", "s"][place]),
            Shape::Grid => format!("position({}, {})", place % 2, place / 2),
        }
    }

    fn some_places(&mut self, shape: Shape) -> String {
        let first = self.random.below(PLACES);
        let count = self.random.between(1, 3);
        let places: Vec<String> = (0..count)
            .map(|at| self.place_name(shape, (first + at * (1 + first % 2)) % PLACES))
            .collect();
        format!("[{}]", places.join(", "))
    }

    fn some_values(&mut self) -> String {
        (*self.random.pick(&[
            "setOf(0)",
            "setOf(1)",
            "setOf(0, 1)",
            "setOf(1, 2)",
            "setOf(0, 2)",
            "2",
        ]))
        .to_string()
    }

    /// A constraint on the board `b`.
    fn constraint(&mut self, b: &str, shape: Shape) -> String {
        let places = self.some_places(shape);
        let (p, q) = (self.random.below(PLACES), self.random.below(PLACES));
        let (p, q) = (self.place_name(shape, p), self.place_name(shape, q));
        let values = self.some_values();
        let count = self.random.below(4);
        let function = *self.random.pick(&[
            "(x, y) => x != y",
            "(x, y) => x <= y",
            "(x, y) => x + y != 2",
        ]);
        let kinds = if matches!(shape, Shape::Grid) { 12 } else { 9 };
        match self.random.below(kinds) {
            0 => format!("allDifferent({b}, {places});"),
            1 => format!("allDifferent({b}, [{p}, {q}], [0, {count}]);"),
            2 => format!("related({b}, {p}, {q}, {function});"),
            3 => {
                let name = *self.random.pick(&["atLeast", "atMost", "exactly"]);
                format!("{name}({b}, {count}, {values}, {places});")
            }
            4 => format!(
                "sumOf({b}, {count}, {}, {places});",
                count + self.random.below(3)
            ),
            5 => format!(
                "tuples({b}, [{p}, {q}], [[0, 0], [1, {}], [2, 1], [0, 2]], {{missing: true}});",
                count % 3
            ),
            6 => format!(
                "constrain({b}, [{p}, {q}], () => {{ if (isSingleton({b}[{p}]) && isSingleton({b}[{q}])) require(singletonValue({b}[{p}]) + singletonValue({b}[{q}]) != {count}); }});"
            ),
            7 => format!(
                "constrain({b}, [{p}, {q}], () => {{ if (isSingleton({b}[{p}])) narrow({b}, {q}, setOf({}, singletonValue({b}[{p}]))); }});",
                count % 3
            ),
            8 => format!(
                "constrain({b}, [{p}, {q}], () => {{ let x = chooseElement({b}[{p}]), y = chooseElement({b}[{q}]); require(x * y != {count}); }});"
            ),
            9 => format!("adjacent({b}, {function});"),
            10 => format!("connected({b}, {values});"),
            _ => format!("reachable({b}, {values}, {p}, {q});"),
        }
    }

    /// A narrow grid whose solutions are counted, and decided by a draw of which only is shown that it is one.
    pub fn counted_board(&mut self) -> Vec<Node> {
        let (b, r) = (self.fresh_name("b"), self.fresh_name("r"));
        let (width, height) = *self.random.pick(&[(1, 3), (2, 2), (2, 3), (4, 1), (3, 2)]);
        let mut sets = || {
            *self.random.pick(&[
                "setOf(0, 1, 2)",
                "setOf(0, 1)",
                "setOf(1, 2)",
                "setOf(0, 2)",
            ])
        };
        let rows: Vec<String> = (0..height)
            .map(|_| {
                format!(
                    "[{}]",
                    (0..width).map(|_| sets()).collect::<Vec<&str>>().join(", ")
                )
            })
            .collect();
        let mut body = vec![Node::line(format!(
            "let {b} = grid([{}]);",
            rows.join(", ")
        ))];
        for _ in 0..self.random.between(0, 3) {
            let (count, values) = (self.random.below(4), self.some_values());
            let line = match self.random.below(3) {
                0 => {
                    let name = *self.random.pick(&["atLeast", "atMost", "exactly"]);
                    format!("{name}({b}, {count}, {values});")
                }
                1 => {
                    let name = *self.random.pick(&["atLeast", "atMost", "exactly"]);
                    format!(
                        "{name}({b}, {}, {values}, [position(0, 0), position({}, {})]);",
                        count % 3,
                        width - 1,
                        height - 1
                    )
                }
                _ => {
                    let function = *self.random.pick(&[
                        "(x, y) => x != y",
                        "(x, y) => x <= y",
                        "(x, y) => x + y != 2",
                    ]);
                    format!("adjacent({b}, {function});")
                }
            };
            body.push(Node::line(line));
        }
        if self.random.percent(40) {
            body.push(Node::line(format!(
                "choose first narrow({b}, position(0, 0), setOf(0, 1)); or ;"
            )));
        }
        // Without any, one engine may have failed already.
        body.push(Node::line(format!(
            "require(numberOfSolutions({b}) != \"0\");"
        )));
        body.push(Node::line(format!("let {r} = [numberOfSolutions({b})];")));
        if self.random.percent(60) {
            body.push(Node::line(format!("uniformSolution({b});")));
            body.push(Node::line(format!(
                "push({r}, isEmpty(undecided({b}))); push({r}, numberOfSolutions({b}));"
            )));
        }
        body.push(Node::line(format!("return {r};")));
        vec![Node::block("print(solutions(() => {", body, "}));")]
    }

    /// A board, and a search for what its places can be.
    pub fn board(&mut self) -> Vec<Node> {
        let shape = *self
            .random
            .pick(&[Shape::Array, Shape::Object, Shape::Grid]);
        let (b, r) = (self.fresh_name("b"), self.fresh_name("r"));
        let sets = (0..PLACES).map(|_| {
            *self
                .random
                .pick(&["setOf(0, 1, 2)", "setOf(0, 1)", "setOf(1, 2)", "setOf(2)"])
        });
        let sets: Vec<&str> = sets.collect();
        let made = match shape {
            Shape::Array => format!("[{}]", sets.join(", ")),
            Shape::Object => format!(
                "{{p: {}, q: {}, r: {}, s: {}}}",
                sets[0], sets[1], sets[2], sets[3]
            ),
            Shape::Grid => format!(
                "grid([[{}, {}], [{}, {}]])",
                sets[0], sets[1], sets[2], sets[3]
            ),
        };
        let mut body: Vec<Node> = (0..self.random.between(1, 3))
            .map(|_| Node::line(self.constraint(&b, shape)))
            .collect();
        let at = self.random.below(PLACES);
        let place = self.place_name(shape, at);
        match self.random.below(5) {
            // Of what was no candidate an engine complains that has not failed before.
            0 if sets[at].contains("1, 2") => body.push(Node::line(format!(
                "choose first {b}[{place}] = setOf(2, 1); or narrow({b}, {place}, setOf(0, 2));"
            ))),
            1 => body.push(Node::line(format!(
                "narrow({b}, {place}, chooseElement({b}[{place}]));"
            ))),
            2 => {
                let more = self.constraint(&b, shape);
                body.push(Node::line(format!("choose {{ }} or {{ {more} }}")));
            }
            _ => {}
        }
        let order = *self.random.pick(&[
            "",
            ", {order: \"first\"}",
            ", {order: \"conflicts\"}",
            ", {order: \"random\"}",
            ", {fair: true}",
        ]);
        body.push(Node::line(format!("decide({b}{order});")));
        if self.random.percent(30) {
            let more = self.constraint(&b, shape);
            body.push(Node::line(more));
        }
        let places: Vec<String> = (0..PLACES)
            .map(|at| format!("singletonValue({b}[{}])", self.place_name(shape, at)))
            .collect();
        let declared = Node::line(format!("let {b} = {made};"));
        let (head, result, print) = match self.random.below(6) {
            0 => (
                "countSolutions(() => {".to_string(),
                "1".to_string(),
                format!("print({r});"),
            ),
            1 => {
                if self.random.percent(50) {
                    let place = self.place_name(shape, at);
                    body.insert(0, Node::line(format!("costOf({b}, [{place}], null);")));
                } else {
                    body.push(Node::line(format!("cost({});", places[at])));
                }
                (
                    "solutions(() => minimize(() => {".to_string(),
                    places[at].clone(),
                    format!("print({r});"),
                )
            }
            2 => (
                "solutions(() => withRestarts(() => {".to_string(),
                "1".to_string(),
                format!("print({r});"),
            ),
            3 => (
                "solutions(() => once(() => {".to_string(),
                "1".to_string(),
                format!("print({r});"),
            ),
            _ => (
                "solutions(() => {".to_string(),
                format!("[{}]", places.join(", ")),
                format!("print(sorted({r}, x => toString(x)));"),
            ),
        };
        let end = if head.matches("(() =>").count() == 2 {
            "}));"
        } else {
            "});"
        };
        body.push(Node::line(format!("return {result};")));
        vec![
            declared,
            Node::block(format!("let {r} = {head}"), body, end),
            Node::line(print),
        ]
    }
}
