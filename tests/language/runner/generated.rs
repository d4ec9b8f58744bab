//! Programs that are too large to keep as files: each is made here, with its expectations.

/// The programs with their names.
pub fn programs() -> Vec<(String, String)> {
    let numbers = |count: usize| {
        (0..count)
            .map(|n| n.to_string())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let repeated = |piece: &str, count: usize| piece.repeat(count);
    let named = |prefix: &str, count: usize| {
        (0..count)
            .map(|n| format!("{prefix}{n}"))
            .collect::<Vec<_>>()
    };
    let programs: Vec<(&str, String)> = vec![
        ("empty", "// expect no text\n".into()),
        (
            "empty_lines",
            format!("{}// expect no text\n", repeated("\n", 100_000)),
        ),
        (
            "long_comment",
            format!("/*{}*/ // expect no text\n", repeated(" * ", 300_000)),
        ),
        (
            "thousand_arguments",
            format!("printLine(max({})); // expect: 999\n", numbers(1000)),
        ),
        (
            "five_thousand_arguments",
            format!(
                "printLine(sizeOf(setOf({}))); // expect: 5000\n",
                numbers(5000)
            ),
        ),
        (
            "thousand_parameters",
            format!(
                "function f({}) {{ return p0 + p999; }}\nprintLine(f({})); // expect: 999\n",
                named("p", 1000).join(", "),
                numbers(1000)
            ),
        ),
        (
            "array_literal",
            format!(
                "var a = [{}];\nprintLine(sizeOf(a), a[4999], sum(a)); // expect: 5000499912497500\n",
                numbers(5000)
            ),
        ),
        (
            "array_literal_with_choices",
            format!(
                "// solutions: all\nvar a = [{}, choose(\"x\", \"y\"), {}];\nprintLine(sizeOf(a), a[700], a[1400]);\n\
                 // expect solution: 1401x699\n// expect solution: 1401y699\n",
                numbers(700),
                numbers(700)
            ),
        ),
        (
            "object_literal",
            format!(
                "var o = {{{}}};\nprintLine(sizeOf(o), o.k4999); // expect: 50001\n",
                named("k", 5000)
                    .iter()
                    .map(|key| format!("{key}: 1"))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        ),
        (
            "relation_of_a_thousand_pairs",
            format!(
                "var r = relation({});\nprintLine(r(7, 8), r(7, 9), sizeOf(pairsOf(r))); // expect: truefalse1000\n",
                (0..1000)
                    .map(|n| format!("[{n}, {}]", n + 1))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        ),
        ("three_hundred_globals", variables("", "", 300)),
        (
            "three_hundred_locals",
            variables("function f() {\n", "\n}\nf();", 300),
        ),
        (
            "three_hundred_captured",
            format!(
                "function f() {{\n{}\nreturn () => {};\n}}\nprintLine(f()()); // expect: 44850\n",
                named("v", 300)
                    .iter()
                    .enumerate()
                    .map(|(n, v)| format!("let {v} = {n};"))
                    .collect::<Vec<_>>()
                    .join("\n"),
                named("v", 300).join(" + ")
            ),
        ),
        (
            "three_hundred_locals_undone",
            format!(
                "function f() {{\n{}\nchoose first {{ {} fail; }} or {{ }}\nreturn {};\n}}\nprintLine(f()); // expect: 300\n",
                named("v", 300)
                    .iter()
                    .map(|v| format!("let {v} = 1;"))
                    .collect::<Vec<_>>()
                    .join("\n"),
                named("v", 300)
                    .iter()
                    .map(|v| format!("{v} = 2;"))
                    .collect::<Vec<_>>()
                    .join(" "),
                named("v", 300).join(" + ")
            ),
        ),
        (
            "thousand_alternatives",
            format!(
                "choose first {}; \nif (x != 999) fail;\nprintLine(x); // expect: 999\n",
                (0..1000)
                    .map(|n| format!("x = {n}"))
                    .collect::<Vec<_>>()
                    .join("; or ")
            ),
        ),
        (
            "choose_of_two_thousand",
            format!(
                "var x = choose({});\nrequire(x == 1999);\nprintLine(x); // expect: 1999\n",
                numbers(2000)
            ),
        ),
        ("two_thousand_functions", functions(2000)),
        (
            "long_program",
            format!(
                "var n = 0;\n{}printLine(n); // expect: 50000\n",
                repeated("n = n + 1;\n", 50_000)
            ),
        ),
        (
            "long_string",
            format!(
                "printLine(sizeOf(\"{}\")); // expect: 1000000\n",
                repeated("x", 1_000_000)
            ),
        ),
        (
            "long_template",
            format!(
                "var a = 1;\nprintLine(sizeOf(`{}`)); // expect: 10000\n",
                repeated("${a}-", 5000)
            ),
        ),
        (
            "two_hundred_thousand_plus",
            format!(
                "printLine(1{}); // expect: 200001\n",
                repeated(" + 1", 200_000)
            ),
        ),
        (
            "twenty_thousand_and",
            format!(
                "printLine(true{}); // expect: true\n",
                repeated(" && true", 20_000)
            ),
        ),
        (
            "twenty_thousand_or",
            format!(
                "printLine(false{}); // expect: false\n",
                repeated(" || false", 20_000)
            ),
        ),
        (
            "fifty_thousand_else_if",
            format!(
                "var n = 49999;\nif (n == -1) printLine(\"no\");\n{}else printLine(\"end\");\n// expect: found\n",
                (0..50_000)
                    .map(|n| format!(
                        "else if (n == {n}) printLine(\"{}\");\n",
                        if n == 49_999 { "found" } else { "no" }
                    ))
                    .collect::<String>()
            ),
        ),
        (
            "long_postfix_chain",
            format!(
                "let f = () => f;\nprintLine(f{} == f); // expect: true\n",
                repeated("()", 20_000)
            ),
        ),
        (
            "deep_brackets_allowed",
            format!(
                "printLine({}1{}); // expect: 1\n",
                repeated("(", 40),
                repeated(")", 40)
            ),
        ),
        ("megabyte_of_parentheses", deep(&repeated("(", 1_000_000))),
        ("megabyte_of_brackets", deep(&repeated("[", 1_000_000))),
        ("megabyte_of_braces", deep(&repeated("{", 1_000_000))),
        (
            "closed_parentheses",
            deep(&format!(
                "{}1{};",
                repeated("(", 100_000),
                repeated(")", 100_000)
            )),
        ),
        (
            "deep_not",
            deep(&format!("x = {}true;", repeated("!", 300_000))),
        ),
        (
            "deep_minus",
            deep(&format!("x = {}1;", repeated("- ", 300_000))),
        ),
        (
            "deep_conditional",
            deep(&format!(
                "x = {}1{};",
                repeated("true ? ", 100_000),
                repeated(" : 2", 100_000)
            )),
        ),
        (
            "deep_arrows",
            deep(&format!("x = {}1;", repeated("a => ", 100_000))),
        ),
        (
            "deep_if",
            deep(&format!("{};", repeated("if (true) ", 100_000))),
        ),
        (
            "deep_while",
            deep(&format!("{};", repeated("while (false) ", 100_000))),
        ),
        (
            "deep_foreach",
            deep(&format!("{};", repeated("foreach (x in []) ", 50_000))),
        ),
        (
            "deep_choose",
            deep(&format!("{};", repeated("choose first ", 50_000))),
        ),
        (
            "deep_assignment",
            deep(&format!("{}1;", repeated("x = ", 100_000))),
        ),
        (
            "deep_templates",
            deep(&format!(
                "x = {}1{};",
                repeated("`${", 50_000),
                repeated("}`", 50_000)
            )),
        ),
    ];
    programs
        .into_iter()
        .map(|(name, text)| (format!("generated/{name}"), text))
        .collect()
}

/// A program that is nested too deeply: one clear error, whatever else is wrong with it.
fn deep(code: &str) -> String {
    format!("// expect syntax error anywhere: deep\n{code}\n")
}

fn variables(before: &str, after: &str, count: usize) -> String {
    let mut text = String::from(before);
    for n in 0..count {
        text += &format!("var v{n} = {n};\n");
    }
    text += &format!(
        "choose first {{ v0 = 1000; v{} = 1000; fail; }} or v1 += 1;\n",
        count - 1
    );
    let sum: Vec<String> = (0..count).map(|n| format!("v{n}")).collect();
    format!(
        "{text}printLine({});{after}\n// expect: {}\n",
        sum.join(" + "),
        count * (count - 1) / 2 + 1
    )
}

fn functions(count: usize) -> String {
    let mut text = String::new();
    for n in 0..count {
        let next = if n + 1 < count {
            format!("f{}(x) + 1", n + 1)
        } else {
            "x".to_string()
        };
        text += &format!("function f{n}(x) {{ return {next}; }}\n");
    }
    format!("{text}printLine(f0(1)); // expect: {count}\n")
}
