//! The reference of the built-in functions, from the same rows that run them.

use ndscript_builtins::row::{Called, RowAction};
use ndscript_machine::natives::effect::{Control, OutsideSource};

/// A built-in function as the reference shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// The domain that it belongs to, such as "Collections".
    pub domain: &'static str,
    /// Its parameters, optional ones in brackets: `collection[, weights]`.
    pub parameters: &'static str,
    /// How the steps of a call grow with n, the size of what it reads and makes (elements, and bytes of text): `1`,
    /// `log n`, `n`, `n log n`, `n calls of f` or `as f`.
    pub cost: &'static str,
    /// One line.
    pub doc: &'static str,
    /// Statements, if need be, and then an expression.
    pub example: &'static str,
    /// The text of the example's value.
    pub gives: &'static str,
    /// The part of its result that is not computed, if there is one.
    pub chance: Option<Chance>,
}

/// What determines a result that is not computed: the seed, the search or a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// Which value it is.
    Value,
    /// The order of a new array.
    Order,
}

/// All built-in functions, by domain.
///
/// ```
/// let names: Vec<&str> = ndscript::reference::entries().map(|entry| entry.name).collect();
/// assert!(names.contains(&"chooseElement"));
/// ```
pub fn entries() -> impl Iterator<Item = Entry> {
    let rows = ndscript_builtins::CALLED
        .iter()
        .zip(&ndscript_builtins::WORDS)
        .filter(|(row, _)| !row.is_hidden());
    rows.map(|(row, (domain, words))| Entry {
        name: row.name,
        domain,
        parameters: row.parameters,
        cost: words.cost.text(),
        doc: words.doc,
        example: words.example.0,
        gives: words.example.1,
        chance: chance(row),
    })
}

fn chance(row: &Called) -> Option<Chance> {
    match row.outside {
        Some(OutsideSource::Shuffled) => Some(Chance::Order),
        Some(OutsideSource::Drawn | OutsideSource::Asked) => Some(Chance::Value),
        None => matches!(row.action, RowAction::Control(Control::ChooseElement))
            .then_some(Chance::Value),
    }
}

/// The built-in function of a name.
///
/// ```
/// assert_eq!(ndscript::reference::find("isEmpty").unwrap().domain, "Collections");
/// assert!(ndscript::reference::find("frobnicate").is_none());
/// ```
pub fn find(name: &str) -> Option<Entry> {
    entries().find(|entry| entry.name == name)
}

impl Entry {
    /// A program that prints the value of the example.
    pub fn program(&self) -> String {
        let mut depth = 0;
        let mut last = None;
        for (at, character) in self.example.char_indices() {
            match character {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                ';' if depth == 0 => last = Some(at),
                _ => {}
            }
        }
        match last {
            Some(at) => format!(
                "{};\nprint({});\n",
                &self.example[..at],
                &self.example[at + 2..]
            ),
            None => format!("print({});\n", self.example),
        }
    }
}

/// A word of the language, documented. Some words share a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The words.
    pub names: &'static [&'static str],
    /// How they are written.
    pub forms: &'static [&'static str],
    /// What they do, in a few lines.
    pub doc: &'static str,
    /// Statements, and in its last line an expression; empty where an example would need a file.
    pub example: &'static str,
    /// The text of that expression's value.
    pub gives: &'static str,
}

/// The words of the language.
///
/// ```
/// assert!(ndscript::reference::words().iter().any(|word| word.names.contains(&"choose")));
/// ```
pub fn words() -> &'static [Word] {
    WORDS
}

/// The page of a word of the language.
///
/// ```
/// assert!(ndscript::reference::find_word("or").unwrap().forms[0].starts_with("choose"));
/// assert!(ndscript::reference::find_word("isEmpty").is_none());
/// ```
pub fn find_word(name: &str) -> Option<&'static Word> {
    WORDS.iter().find(|word| word.names.contains(&name))
}

impl Word {
    /// A program that prints the value of the example.
    pub fn program(&self) -> String {
        let (statements, value) = self.example.rsplit_once('\n').unwrap_or(("", self.example));
        format!("{statements}\nprint({value});\n")
    }
}

const fn word(
    names: &'static [&'static str],
    forms: &'static [&'static str],
    doc: &'static str,
    example: (&'static str, &'static str),
) -> Word {
    Word {
        names,
        forms,
        doc,
        example: example.0,
        gives: example.1,
    }
}

const WORDS: &[Word] = &[
    word(
        &["choose", "or", "first"],
        &[
            "choose s1 or s2 or ...",
            "choose first s1 or s2 or ...",
            "choose(e1, e2, ...)",
        ],
        "Guesses one of several alternatives. When something fails later, everything since then is undone and another \
         alternative is tried: in a random order, or in the written one with `first` and in the form with parentheses.",
        (
            "var coin;\nchoose first coin = \"heads\"; or coin = \"tails\";\nrequire(coin != \"heads\");\ncoin",
            "tails",
        ),
    ),
    word(
        &["fail"],
        &["fail;", "fail message;"],
        "Says that an earlier guess was wrong: everything since the latest choice that has an alternative left is \
         undone, and that alternative is tried. If there is none, there is no solution; then the message of the last \
         failure \
         that had one is shown. A message begins on the line of `fail`. Inside an expression it reaches as far as it can.",
        ("let n = choose(1, 2, 3);\nif (n * n < 5) fail;\nn", "3"),
    ),
    word(
        &["deterministic"],
        &["deterministic function f(a, b) { ... }"],
        "A function whose calls keep their first result: choices inside are forgotten when it returns, so that no later \
         failure comes back into it. `once(f)` does the same for one call.",
        (
            "deterministic function pick() { return choose(1, 2); }\nfunction tries() { let n = pick(); require(n > 1); }\n\
             countSolutions(tries)",
            "0",
        ),
    ),
    word(
        &["function"],
        &[
            "function f(a, b) { ... }",
            "function f(a, b = 3) { ... }",
            "x => e",
            "(a, b) => e",
            "(a) => { ... }",
            "function (a) { ... }",
        ],
        "A function, which is a value. It exists from the start of its block, and closes over variables. Without `return` it \
         gives null. The last parameters may have defaults, for arguments that a call leaves out; they are found anew for each \
         such call, and can use the parameters before them.",
        (
            "function twice(f, x = 2) { return f(f(x)); }\n[twice(n => n * 3), twice(n => n * 3, 1)]",
            "[18, 9]",
        ),
    ),
    word(
        &["return"],
        &["return;", "return e;"],
        "Ends the function, with that value or null. At the top level it ends the program: a solution, with that value.",
        (
            "function sign3(n) { if (n < 0) return -3; return 3; }\nsign3(-5)",
            "-3",
        ),
    ),
    word(
        &["var"],
        &["var x;", "var x = e;"],
        "A variable of the function, or of the program. It is null until it is assigned; `var x;` keeps a value that \
         it already has.",
        ("if (true) { var x = 5; }\nx", "5"),
    ),
    word(
        &["let", "const"],
        &["let x;", "let x = e;", "const x = e;"],
        "A variable of the block that it stands in, from its line on. A `const` keeps its value.",
        ("let x = 1;\n{ let x = 2; }\nx", "1"),
    ),
    word(
        &["if", "else"],
        &["if (condition) s1", "if (condition) s1 else s2"],
        "Runs one of two statements. A condition is true or false and nothing else. For a value, write \
         `condition ? a : b`.",
        (
            "var size = 7;\nif (size > 5) size = 5; else size = 0;\nsize",
            "5",
        ),
    ),
    word(
        &["while"],
        &["while (condition) s"],
        "Runs a statement as long as the condition is true.",
        ("var n = 1;\nwhile (n < 100) n *= 2;\nn", "128"),
    ),
    word(
        &["for"],
        &["for (let i = 0; i < n; i++) s"],
        "A counting loop. Its parts may be left out. To loop over a collection, write `foreach`.",
        (
            "var total = 0;\nfor (let i = 1; i <= 4; i++) total += i;\ntotal",
            "10",
        ),
    ),
    word(
        &["foreach", "in"],
        &["foreach (x in collection) s"],
        "Runs a statement for every element of an array, a set, a queue or a string, every key of an object, every \
         position of a grid, as they were when it began.",
        (
            "var text = \"\";\nforeach (x in setOf(3, 1, 2)) text = text + x;\ntext",
            "123",
        ),
    ),
    word(
        &["break", "continue"],
        &["break;", "continue;"],
        "`break` leaves the loop around it; `continue` goes on with its next turn.",
        (
            "var odd = [];\nforeach (n in range(100)) { if (n > 6) break; if (n % 2 == 0) continue; push(odd, n); }\nodd",
            "[1, 3, 5]",
        ),
    ),
    word(
        &["true", "false"],
        &["true", "false"],
        "The two Booleans, which comparisons give and conditions need. Nothing else counts as true or false.",
        (
            "[1 < 2, !true, true && false, true || false]",
            "[true, false, false, true]",
        ),
    ),
    word(
        &["null"],
        &["null"],
        "The value of what has none yet: a `var` before it is assigned, a function without `return`.",
        ("var x;\nx == null", "true"),
    ),
    word(
        &["import"],
        &[
            "import \"file.nds\";",
            "import \"std/picks.nds\";",
            "import \"art/\";",
        ],
        "Runs another file in its place, once. Both share their global names. It stands at the top level only. The name \
         is a relative path without `..`, looked for beside this file, then in the folders that were given for imports, then in the library, whose files \
         are named `std/...`. A name that ends in `/` is a folder: its PNG files are tiles.",
        ("", ""),
    ),
    word(
        &[
            "operators",
            "+",
            "-",
            "*",
            "/",
            "%",
            "<",
            ">",
            "<=",
            ">=",
            "!",
            "&&",
            "||",
            "?",
            "++",
            "--",
            "+=",
            "-=",
        ],
        &[
            "a + b   a - b   a * b   a / b   a % b   -a",
            "a < b   a <= b   a > b   a >= b   a == b   a != b",
            "!a   a && b   a || b   condition ? a : b",
            "x = e   x += e   x -= e   x *= e   x /= e   x %= e   x++   x--",
        ],
        "Arithmetic is for numbers; `+` also joins texts, with any value on its other side, and adds positions, which `-` \
         subtracts. `7 / 2` is `3.5`; `%` keeps the sign of its left side; dividing by zero is an error. `<`, `<=`, \
         `>` and `>=` compare two numbers or two strings. `&&` and `||` look at their right side only if they must, \
         and take Booleans \
         alone. An assignment is an expression: its value is what was assigned.",
        (
            "var n = 7;\nn += 2;\n[n / 2, n % 4, -n % 4, n > 5 && n < 10, n == 9 ? \"nine\" : \"other\", 1 + \"st\"]",
            "[4.5, 1, -1, true, \"nine\", \"1st\"]",
        ),
    ),
    word(
        &["equality", "==", "!="],
        &["a == b", "a != b"],
        "Numbers, strings, positions, arrays and sets are equal if their content is; relations, grids, objects, queues and \
         functions only if they are the very same one. Values of different kinds are never equal: nothing is converted.",
        (
            "[[1, [2]] == [1, [2]], setOf(1, 2) == setOf(2, 1), {} == {}, 1 == \"1\", 1 == 1.0]",
            "[true, true, false, false, true]",
        ),
    ),
    word(
        &["templates", "template", "`", "strings", "string"],
        &["\"text\"", "'text'", "`text ${expression} text`"],
        "A string stands between quotes of either kind, and may span lines. Between backquotes `${...}` puts in the text of any \
         value. Special characters: \\n (line break), \\t, \\\", \\', \\\\, \\u{1F3F0}. A string is a row of characters: `s[0]` is the \
         first, and `sizeOf(s)` their number.",
        (
            "let n = 3;\n`${n} houses and ${n + 1} trees`",
            "3 houses and 4 trees",
        ),
    ),
    word(
        &["types", "type", "values"],
        &[
            "null   true   5   2.5   \"text\"   position(3, 4)",
            "[1, 2]   {a: 1}   setOf(1, 2)   relation([1, 2])   grid([[1]])   queue()   x => x",
        ],
        "`typeOf(v)` tells them: null, boolean, number, string, position, array, set, relation, grid, object, queue, function. \
         Arrays, objects, grids and queues change in place, and whoever holds one sees that; all else is a value that never \
         changes. What is put into a set is stored as it is then.",
        (
            "map([null, true, 2.5, \"a\", position(1, 2), [1], {a: 1}, setOf(1), x => x], typeOf)",
            "[\"null\", \"boolean\", \"number\", \"string\", \"position\", \"array\", \"object\", \"set\", \"function\"]",
        ),
    ),
    word(
        &["weights", "weight"],
        &[
            "chooseElement(c, {a: 1, b: 5})",
            "chooseElement(c, element => number)",
            "decide(board, {weights: {a: 1, b: 5}})",
        ],
        "How likely each element is to come next, compared with the others: 5 is five times as likely as 1. An object \
         gives the weight of each element by its text, and needs one for each; or a function returns it. What has \
         weight 0 comes after all \
         others in `chooseElement`, and never in `randomElement`.",
        (
            "randomElement([\"sword\", \"dust\"], {sword: 0, dust: 3})",
            "dust",
        ),
    ),
    word(
        &["tiles", "tile"],
        &[
            "\"#4080c0\"",
            "\"folder/oak\"",
            "\"gold\"",
            "\"house\"",
            "label(\"A\")",
            "\"oak@16:2,0\"",
        ],
        "A tile is named: by a color of six digits, else an image file (`.png` may be left out) beside the program or in a \
         folder given with --tiles, else a CSS color, else a built-in tile: left right up down wall floor door treasure monster \
         unknown, and for a land sea sand grass forest hill mountain road river bridge house tower. `label` makes one with words \
         on it; `name@SIZE:COLUMN,ROW` is a square cut out of one. All tiles of a map are drawn at one size.",
        (
            "printTilemap(grid([[\"sea\", \"house\", label(7)]]))",
            "grid 3x1",
        ),
    ),
];

/// The whole reference as one Markdown document: what `docs/reference.md` holds.
///
/// ```
/// let text = ndscript::reference::markdown();
/// assert!(text.contains("### `chooseElement(collection[, weights])`"));
/// ```
pub fn markdown() -> String {
    let mut out = String::from(
        "# Reference\n\n\
         All words of the language and all built-in functions, as `ndscript doc NAME` explains them. Made from the rows that \
         run them by `NDSCRIPT_WRITE_REFERENCE=1 cargo test --test reference`; a test holds it to that. \
         [language.md](language.md) describes the language as a whole.\n\n\
         Optional parameters stand in brackets. *Steps* says how the work of a call grows with n, the size of what it reads \
         and makes; where nothing is said it is always the same.\n\n",
    );
    let anchor = |title: &str| title.to_lowercase().replace(' ', "-");
    out += "- [The language](#the-language)\n";
    let mut domains: Vec<&str> = entries().map(|entry| entry.domain).collect();
    domains.dedup();
    for domain in domains {
        out += &format!("- [{domain}](#{})\n", anchor(domain));
    }
    out += "\n## The language\n";
    for word in words() {
        let names: Vec<String> = word.names.iter().map(|name| code(name)).collect();
        out += &format!(
            "\n### {}\n\n```\n{}\n```\n\n{}\n",
            names.join(", "),
            word.forms.join("\n"),
            word.doc
        );
        out += &example(word.example, word.gives);
    }
    let mut domain = "";
    for entry in entries() {
        if entry.domain != domain {
            domain = entry.domain;
            out += &format!("\n## {domain}\n");
        }
        let steps = if entry.cost == "1" {
            String::new()
        } else {
            format!(" *Steps: {}.*", entry.cost)
        };
        out += &format!(
            "\n### `{}({})`\n\n{}{steps}\n",
            entry.name, entry.parameters, entry.doc
        );
        out += &example(entry.example, entry.gives);
    }
    out
}

fn code(text: &str) -> String {
    if text.contains('`') {
        format!("`` {text} ``")
    } else {
        format!("`{text}`")
    }
}

fn example(example: &str, gives: &str) -> String {
    match example {
        "" => String::new(),
        _ => format!(
            "\n```js\n{example}\n// => {}\n```\n",
            gives.replace('\n', "\n//    ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::find_word;
    use ndscript_base::tiles::BuiltInTile;

    #[test]
    fn the_page_on_tiles_names_all_of_them() {
        let page = find_word("tiles").map_or("", |word| word.doc);
        let missing: Vec<&str> = BuiltInTile::ALL
            .iter()
            .map(|tile| tile.0)
            .filter(|name| !page.contains(name))
            .collect();
        assert_eq!(missing, [""; 0]);
    }
}
