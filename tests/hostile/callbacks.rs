//! Hostile functions: what they give, and what they do besides.

use super::kinds::Kind;
use super::writer::Writer;

impl Writer {
    /// Part of what a callback does besides.
    pub(super) fn deed(&mut self) -> String {
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
            "let t = \"\" + [$];",
            "let same = [$] == [$];",
            "let s = setOf(1, [2]);",
        ]);
        deed.replace('$', &value)
    }

    pub(super) fn function(&mut self) -> String {
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
        format!(
            "(x => {{ {deed} return {}; }})",
            result.replace('$', &value)
        )
    }

    pub(super) fn predicate(&mut self) -> String {
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
        format!(
            "(x => {{ {deed} return {}; }})",
            result.replace('$', &value)
        )
    }

    pub(super) fn measure_function(&mut self) -> String {
        let (deed, value) = (self.deed(), self.value(Kind::Any));
        let result = *self
            .random
            .pick(&["1", "0", "sizeOf(toString(x))", "x == $ ? 1 : 2"]);
        format!(
            "(x => {{ {deed} return {}; }})",
            result.replace('$', &value)
        )
    }

    pub(super) fn folding(&mut self) -> String {
        let (deed, value) = (self.deed(), self.value(Kind::Any));
        let result = *self.random.pick(&[
            "x",
            "y",
            "[x, y]",
            "[x, x]",
            "$",
            "x == y",
            "[y, $]",
            "{a: x, b: y}",
            "setOf(x)",
        ]);
        format!(
            "((x, y) => {{ {deed} return {}; }})",
            result.replace('$', &value)
        )
    }

    pub(super) fn thunk(&mut self) -> String {
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
        format!(
            "(() => {{ {deed} return {}; }})",
            result.replace('$', &value).replace('@', &collection)
        )
    }
}
