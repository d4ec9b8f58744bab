//! Small pieces of program around one feature each, which random expressions seldom put together.

use super::{Generator, Node, Type};

impl Generator {
    /// A few statements around one feature.
    pub fn snippet(&mut self) -> Vec<Node> {
        let array = self.readable_variable(Type::Numbers);
        let number = self.expression(Type::Number, 1);
        let other = self.readable(Type::Number);
        let set = self.readable(Type::Set);
        let text = self.readable(Type::Text);
        let (a, b, c) = (
            self.fresh_name("s"),
            self.fresh_name("s"),
            self.fresh_name("s"),
        );
        let choice = if self.spend_choice(2) {
            "choose(0, 1)"
        } else {
            "1"
        };
        let lines: Vec<String> = match self.random.below(36) {
            0 => vec![
                format!("let {a} = setOf({array}, [1, 2]);"),
                format!("{array}[{choice}] += 1;"),
                format!("print({a}, contains({array}, {a}), contains([1, 2], {a}));"),
            ],
            1 => vec![format!("print(zip({array}, {set}), reversed(zip({array}, \"ab\")));")],
            2 => vec![
                format!("let {a} = [{array}, {array}];"),
                format!("{a}[{choice}][1] = {number};"),
                format!("{a}[1] = copy({array}); {a}[1][{choice}]++;"),
                format!("print({a}, {a}[0] == {array});"),
            ],
            3 => vec![
                format!("let {a} = deepCopy([{array}, {array}, {{o: {array}}}]);"),
                format!("{a}[{choice}][0] = {number};"),
                format!("print({a}, {array});"),
            ],
            4 => vec![format!(
                "print(solutions(() => {{ {array}[0] = choose({other}, 2, {other} + 1); return {{p: {array}, q: [{array}]}}; }}), {array});"
            )],
            5 => vec![format!("print(sorted([\"b\" + {other}, {text}, \"a\"], t => t + {choice}));")],
            6 => vec![format!("print(map(range(sizeOf({array})), i => {array}[i] + i * {choice}));")],
            7 => vec![
                format!("function {a}(n) {{ return () => {{ n += 1; return n; }}; }}"),
                format!("let {b} = {a}({other}), {c} = {a}({choice});"),
                format!("choose first {{ {b}(); {b}(); if ({c}() > {number}) fail; }} or {{ {c}(); }}"),
                format!("print({b}(), {c}());"),
            ],
            8 => vec![
                format!("let {a} = 0;"),
                format!("while (true) {{ {a} += 1; if ({a} > {choice} + 1) break; {array}[0] += {a}; }}"),
            ],
            9 => vec![
                format!("let {a} = 0;"),
                format!("for (;;) {{ if ({a}++ >= 2) break; if ({choice} == {a}) continue; print({a}); }}"),
            ],
            10 => vec![format!("print(({text} + \"xy\")[{choice}], chars({text}));")],
            11 => vec![
                format!("function {a}(yes) {{ if (yes) {{ var q = {number}; }} return [q]; }}"),
                format!("print({a}(true), {a}({choice} == 0));"),
            ],
            12 => vec![format!("if (sizeOf({array}) < 4) foreach (x in {array}) push({array}, x + {choice});")],
            13 => vec![
                format!("let {a} = queue(); enqueue({number}, {a}); enqueue({choice}, {a}); enqueue({other}, {a});"),
                format!("foreach (x in {a}) if (sizeOf({a}) < 5) enqueue(x + 1, {a});"),
                format!("while (sizeOf({a}) > {choice}) print(dequeue({a}), \".\");"),
            ],
            14 => vec![
                format!("let {a} = {{x: 1, y: {number}}};"),
                format!("foreach (k in {a}) {{ {a}[k] += {choice}; {a}[k + k] = 0; if ({choice} == 1) removeKey({a}, \"y\"); break; }}"),
                format!("print({a}, keysOf({a}), valuesOf({a}), nonsingletonFieldsOf({{p: {array}, q: {set}}}));"),
            ],
            15 => match self.variable(Type::Grid) {
                Some(grid) => vec![
                    format!("let {a} = nonsingletonPositionsOf({});", grid.name),
                    format!("fill({}, {set});", grid.name),
                    format!("print(toArray({a}), sizeOf(nonsingletonPositionsOf({})));", grid.name),
                ],
                None => vec![format!("let {a} = makeGrid(2, 1, {set}); {a}[{choice}, 0] = 5; print(nonsingletonPositionsOf({a}));")],
            },
            16 => vec![
                format!("let {a} = grid([[{set}, {number}], [{array}, {text}]]);"),
                format!("{a}[{choice}, 0] = {set}; {a}[0, {choice}] = setOf();"),
                format!("foreach (p in {a}) print({a}[p], \" \");"),
                format!("print(toArray(nonsingletonPositionsOf({a})));"),
            ],
            17 if self.place.random && self.spend(1.6) => {
                vec![format!("print(chooseElement([1, 2, 3], {{1: 2, 2: 0.5, 3: {}}}));", self.random.below(2))]
            }
            18 if self.place.random && self.spend(1.6) => {
                vec![format!("let {a} = [4, 5, 6]; foreach (x in {a}) {{ {a}[0] = chooseElement({a}); break; }} print({a});")]
            }
            19 => vec![
                format!("let {a} = x => x <= 0 ? {choice} : x + {a}(x - 1);"),
                format!("print({a}(2), map([1, 2], {a}));"),
            ],
            20 => vec![format!("print(`${{[{number}]}}${{`<${{{text}}}${{{choice}}}>`}}`);")],
            21 => vec![
                format!("let {a} = [() => {array}, o => o];"),
                format!("{a}[0]()[{choice}] -= {number}; print({a}[1]({array}) == {array}, {a}[1]({{k: [{other}]}}).k[0]);"),
            ],
            22 => vec![
                format!("let {a} = 1;"),
                format!("let {b} = once(() => {{ {a} = choose(1, 2, 3); require({a} > 1); return () => {a}++; }});"),
                format!("print({b}(), {b}(), {a});"),
            ],
            23 => vec![
                format!("let {a} = setOf(); foreach (x in {array}) {a} = add(add({a}, [x, {choice}]), setOf(x));"),
                format!("print({a}, sizeOf({a}));"),
            ],
            25 => vec![
                format!("let {a} = x => x + 1;"),
                format!("print({a}([{a} = x => x - {choice}, {number}][1]), {a}(1));"),
            ],
            26 => vec![
                format!("let {a} = {{f: x => x + 1, n: {number}}};"),
                format!("print({a}.f([{a} = {{f: x => x - 1, n: {choice}}}, {a}.n][1]), {a}.f({a}.n));"),
            ],
            27 => vec![
                format!("choose first {{ {{ {a} = [push({array}, 1), fail]; let {a} = 1; }} }} or {{ print(\"early\"); }}"),
                format!("print({array});"),
            ],
            24 => vec![format!("print(reduce({array}, (s, x) => {{ choose first return s + x; or {{ s -= x; }} return s; }}, {number}) % 7);")]
                .into_iter()
                .filter(|_| self.spend(3.0))
                .collect(),
            28 => vec![
                format!("let {a} = (() => {{ let n = {other}; let o = {{v: {choice}}}, f = () => o.v;"),
                format!("    return {{up: k => {{ n += k; o.v -= 1; return f(); }}, get: () => [n, o], s: setOf(o, [f, n], f)}}; }})();"),
                format!("let {b} = solutions(() => {{ {a}.up(choose(1, {other})); return {{a: {a}, r: relation([\"o\", {a}.s])}}; }});"),
                format!("{b}[0].a.up(5);"),
                format!("print(map({b}, x => x.a.get()), map({b}, x => x.a.s), map({b}, x => toString(pairsOf(x.r))), {a}.get());"),
                format!("print(contains({b}[0].a.get()[1], {b}[0].a.s), {b}[0].r(\"o\", {b}[0].a.s), {a}.s);"),
            ],
            29 => vec![
                format!("print(padLeft({text}, {choice} + 3), padRight({number}, 4, {text} + \".\"), padLeft({other} / 3, {other}));"),
                format!("print(formatNumber({number} / 8, {choice} + 1), \" \", formatNumber(-{other} / 3, {other}), formatNumber({number} + 0.5, 0));"),
            ],
            30 => vec![
                format!("let {a} = mapGrid(grid([[1, {number}], [{other}, 2]]), (v, p) => v + p.x * {choice});"),
                format!("foreach (p in {a}) print({a}[p], \" \");"),
                format!("print(count({array}, x => x > {choice}), groupBy({array}, x => x % 2 == {choice}));"),
            ],
            31 => vec![
                format!("let {a} = grid([[1, {choice}, 1], [{number}, {number}, 1], [1, 1, {other}]]);"),
                format!("print(floodFill({a}, position({choice}, 0), v => v == 1), floodFill({a}, position(2, 2), 1));"),
                format!("print(shortestPath({a}, position(0, 0), position({choice}, 2), v => v != {other}));"),
            ],
            32 => vec![
                format!("let {a} = relation([1, 2], [2, {number}], [{other}, {choice}], [3, 1]);"),
                format!("print(pairsOf(transitiveClosure({a})), reachableFrom({a}, setOf({choice}, {other})));"),
            ],
            33 if self.spend_choice(2) => vec![
                format!("let {a} = choose({choice}, 2); let {b} = map([{text}, {number}], t => padLeft(t, {a} + 2, \"-\"));"),
                format!("require({b}[0] != {b}[1]); print({b}, groupBy({b}, t => sizeOf(t)));"),
            ],
            34 => vec![
                format!("function {a}(x, more = {number}) {{ return x + more * {choice}; }}"),
                format!("print({a}({other}), {a}({other}, {choice}), mapGrid(makeGrid(2, 1, {other}), (v, p) => {a}(v, p.x))[1, 0]);"),
            ],
            _ => vec![
                format!("let {a} = [5, 6, 7, 8]; let {b} = {a};"),
                format!("insert({a}, {choice}, {number}); removeAt({b}, {choice} + 1); pop({a});"),
                format!("print({b}, slice({a}, {choice}, 3), concat({a}, {b}), indexOf({a}, 7));"),
            ],
        };
        lines.into_iter().map(Node::line).collect()
    }

    /// A variable of the type if there is one, else a new literal, which is then shared with nothing.
    fn readable_variable(&mut self, of: Type) -> String {
        self.variable(of)
            .map_or_else(|| self.literal(of), |variable| variable.name)
    }
}
