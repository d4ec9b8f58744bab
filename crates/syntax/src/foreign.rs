//! Words and forms of other languages that people try here, and their replacements. Messages of the parser and of runs,
//! and `ndscript doc`, all use these texts.

/// The replacement for a word that begins a statement, an operator or a type elsewhere.
///
/// ```
/// assert_eq!(ndscript::foreign::word("elif"), Some("write `else if`"));
/// ```
pub fn word(name: &str) -> Option<&'static str> {
    Some(match name {
        "elif" | "elseif" | "elsif" => "write `else if`",
        "def" | "fn" | "func" | "fun" | "sub" | "procedure" => "write `function`",
        "and" => "write `&&`",
        "not" => "write `!`",
        "is" => "write `==`",
        "of" => "write `in`",
        "then" => "leave it out",
        "new" => "leave it out; an object is written `{a: 1}`",
        "switch" | "match" | "case" | "default" => "use `if (...) ... else if (...) ...`",
        "do" | "repeat" | "loop" => "use `while (...) ...`",
        "until" | "unless" => "use `while (!...)` or `if (!...)`",
        "typeof" => "write `typeOf(value)`",
        "instanceof" => "write `typeOf(value) == \"array\"`, or the name of another kind",
        "void" => "write `null`",
        "delete" => "`removeKey(object, key)` removes a field",
        "async" | "await" => "leave it out: every call is finished before the program goes on",
        "throw" | "raise" => "to reject a guess, write `fail;`; to end the run, `error(\"...\");`",
        "try" | "catch" | "finally" | "except" => {
            "nothing catches an error; to reject a guess, write `fail;`"
        }
        "class" | "struct" | "enum" | "interface" | "extends" | "constructor" => {
            "an object is written `{a: 1}`, and a function that makes one takes the place of a class"
        }
        "export" => "leave it out: who imports a file shares all its global names",
        "yield" => {
            "a function gives one value: `choose` guesses one of several, an array holds them all"
        }
        "static" | "public" | "private" => "leave it out",
        "int" | "float" | "double" | "bool" | "auto" | "local" | "val" | "my" => {
            "write `let`: a variable has no declared type"
        }
        "type" | "typedef" => {
            "leave it out: types are not declared, and `typeOf(value)` asks for one"
        }
        "with" | "using" => "write the object before each field, such as `o.x`",
        "debugger" => {
            "leave it out: `ndscript debug FILE` stops at any line, and `debug(...)` writes one"
        }
        "goto" | "label" => "there are no labels: `return` ends all loops of a function",
        _ => return None,
    })
}

/// The replacement for an operator.
///
/// ```
/// assert_eq!(ndscript::foreign::operator("==="), Some("write `==`"));
/// ```
pub fn operator(written: &str) -> Option<&'static str> {
    Some(match written {
        "===" => "write `==`",
        "!==" => "write `!=`",
        "&" => "write `&&`",
        "|" => "write `||`",
        "=<" => "at most is written `<=`",
        "<>" => "unequal is written `!=`",
        "->" => "a function value is written `x => x + 1`",
        "**" => "a power is written `pow(x, y)`",
        "^" => "a power is written `pow(x, y)`; unequal is `!=`",
        "**=" => "a power is written `pow(x, y)`: `x = pow(x, 2);`",
        "<<" | ">>" | "<<=" | ">>=" | "~" => {
            "numbers have no bits here: multiply by `pow(2, n)`, divide with `floor(x, pow(2, n))`"
        }
        "??" => "compare with `null`: `x == null ? y : x`",
        "?." => "ask `has(object, key)` first",
        ":=" => "a variable is set with `=`",
        "||=" | "&&=" | "??=" => "write it in full, such as `if (x == null) x = 1;`",
        "..." => "`concat(a, b)` joins arrays, and `copy(v)` copies an array or an object",
        _ => return None,
    })
}

/// The meaning of this field for people who read it of a value that has no fields.
///
/// ```
/// assert_eq!(ndscript::foreign::method("length"), Some("`sizeOf(c)` is the number of elements"));
/// ```
pub fn method(name: &str) -> Option<&'static str> {
    Some(match name {
        "length" | "size" | "len" => "`sizeOf(c)` is the number of elements",
        "count" => {
            "write `sizeOf(c)` for the number of elements, or `count(c, f)` for that of some"
        }
        "push" | "append" => "`push(array, value)` appends",
        "forEach" | "each" => "write `foreach (x in c) ...`",
        "includes" | "has" => "write `contains(element, c)`",
        "some" => "write `any(c, f)`",
        "every" => "write `all(c, f)`",
        "find" | "findLast" => "write `filter(c, f)`, which gives all that it finds",
        "findIndex" | "lastIndexOf" => "write `indexOf(array, value)`",
        "flat" => "write `reduce(c, concat, [])`",
        "flatMap" => "write `reduce(map(c, f), concat, [])`",
        "entries" => "write `foreach (key in o) ...`, with `o[key]` for the value",
        "sort" => "write `sorted(c)`, which gives a new array",
        "reverse" => "write `reversed(c)`, which gives a new array",
        "shift" => "write `removeAt(array, 0)`",
        "unshift" => "write `insert(array, 0, value)`",
        "splice" => "write `removeAt(array, index)` or `insert(array, index, value)`",
        "at" | "charAt" | "get" => "an element is read with brackets, such as `a[3]`",
        "set" => "an element is written with brackets, such as `a[3] = 1;`",
        "first" => "write `a[0]`",
        "last" => "write `a[sizeOf(a) - 1]`",
        "delete" => {
            "write `remove(set, element)`, `removeKey(object, key)` or `removeAt(array, index)`"
        }
        "hasOwnProperty" => "write `has(object, key)`",
        "toUpperCase" => "write `upper(s)`",
        "toLowerCase" => "write `lower(s)`",
        "trimStart" | "trimEnd" | "strip" => "write `trim(s)`",
        "replaceAll" => "write `replace(s, from, to)`",
        "substr" => "write `substring(s, from, to)`",
        "padStart" => "write `padLeft(s, width)`",
        "padEnd" => "write `padRight(s, width)`",
        "toFixed" => "write `formatNumber(x, digits)`",
        "match" | "matchAll" => "write `findAll(s, pattern)`, with a regular expression as text",
        "test" => "write `matches(s, pattern)`, with a regular expression for the whole text",
        "charCodeAt" | "codePointAt" => "write `codeOf(s)`",
        "keys" => "write `keysOf(object)`",
        "values" => "write `valuesOf(object)`",
        _ => return None,
    })
}

/// The replacement for a name that nothing defines.
///
/// ```
/// assert_eq!(ndscript::foreign::global("undefined"), Some("write `null`"));
/// ```
pub fn global(name: &str) -> Option<&'static str> {
    Some(match name {
        "console" => {
            "write `printLine(...)`, or `debug(...)` for a line that no failure takes back"
        }
        "println" | "printf" | "puts" | "echo" | "alert" => "write `printLine(...)`",
        "prompt" | "confirm" => "write `input(prompt)`, or `ask(prompt, options)`",
        "Math" => {
            "its functions are called by their names alone, such as `floor(x)` and `random()`"
        }
        "undefined" | "None" | "nil" => "write `null`",
        "True" => "write `true`",
        "False" => "write `false`",
        "NaN" | "Infinity" => "there is no such number: a result that is not a number is an error",
        "isNaN" | "isFinite" => "leave it out: a result that is not a number is an error",
        "parseInt" | "parseFloat" | "Number" | "int" | "float" => "write `toNumber(s)`",
        "String" | "str" => "write `toString(v)`",
        "Boolean" => "a condition is a comparison, such as `x != 0`",
        "Set" => "write `setOf(...)`, or `toSet(c)` of a collection",
        "Map" | "dict" => "an object is written `{a: 1}`",
        "Object" => {
            "an object is written `{a: 1}`; `keysOf(o)`, `valuesOf(o)` and `has(o, key)` ask it"
        }
        "Array" | "list" => {
            "an array is written `[1, 2]`; `toArray(c)` makes one of a collection, `range(n)` one of numbers"
        }
        "Error" => "write `error(message)`, which ends the run",
        "RegExp" => {
            "a regular expression is a text: `matches(s, \"\\\\d+\")`, `findAll(s, pattern)`, `replaceAll(s, pattern, to)`"
        }
        "Promise" => "leave it out: every call is finished before the program goes on",
        "setTimeout" | "setInterval" => "leave it out: nothing runs later than it is called",
        "len" | "length" | "size" => "write `sizeOf(c)`",
        "sort" => "write `sorted(c)`, which gives a new array",
        "reverse" => "write `reversed(c)`, which gives a new array",
        "ord" => "write `codeOf(s)`",
        "chr" => "write `textFromCodes([n])`",
        "printGridLines" => "lines between cells are a layer: see `std/lines`",
        "elif" | "elseif" => "write `else if (...)`",
        "JSON" => "write `writeJson(v)` and `readJson(s)`",
        "Date" | "time" => "there is no clock: the same seed gives the same run",
        "rand" | "randint" | "Random" => "write `randomInt(low, high)` or `random()`",
        "window" | "document" | "process" | "fetch" | "module" | "exports" | "open" => {
            "a program sees no pages and no files: `param(name, default)` brings in what it needs"
        }
        "arguments" => "name the parameters; many values come as one array",
        "makeArray" | "fillArray" => "write `map(range(n), i => value)`",
        "makeSet" => "write `setOf(...)`, or `toSet(c)` of a collection",
        "capitalize" => "write `upper(s[0]) + substring(s, 1, sizeOf(s))`",
        "append" => "write `push(array, value)`",
        "includes" => "write `contains(element, c)`",
        "forEach" => "write `foreach (x in c) ...`",
        "assert" => "write `require(condition)`, which fails, or `error(message)`",
        "this" | "self" | "super" => {
            "functions have no object of their own: hand it over as an argument"
        }
        "debugger" => return word(name),
        _ => return None,
    })
}

/// The replacement for a word, an operator, a method or a name of other languages.
///
/// ```
/// assert_eq!(ndscript::foreign::explain("switch"), Some("use `if (...) ... else if (...) ...`"));
/// assert_eq!(ndscript::foreign::explain("village"), None);
/// ```
pub fn explain(written: &str) -> Option<&'static str> {
    word(written)
        .or_else(|| operator(written))
        .or_else(|| method(written))
        .or_else(|| global(written))
}
