//! Names of other languages that people try here, and what stands for them.

/// What somebody meant who reads this field of a value that has no fields.
pub fn method(name: &str) -> Option<&'static str> {
    Some(match name {
        "length" | "size" | "len" => "`sizeOf(c)` is the number of elements",
        "count" => "write `sizeOf(c)` for the number of elements, or `count(c, f)` for that of some",
        "push" | "append" => "`push(array, value)` appends",
        "forEach" | "each" => "write `foreach (x in c) ...`",
        "includes" | "has" => "write `contains(element, c)`",
        "some" => "write `any(c, f)`",
        "every" => "write `all(c, f)`",
        "find" => "write `filter(c, f)`, which gives all that it finds",
        "sort" => "write `sorted(c)`, which gives a new array",
        "reverse" => "write `reversed(c)`, which gives a new array",
        "shift" => "write `removeAt(array, 0)`",
        "unshift" => "write `insert(array, 0, value)`",
        "splice" => "write `removeAt(array, index)` or `insert(array, index, value)`",
        "at" | "charAt" | "get" => "an element is read with brackets, such as `a[3]`",
        "toUpperCase" => "write `upper(s)`",
        "toLowerCase" => "write `lower(s)`",
        "replaceAll" => "write `replace(s, from, to)`",
        "substr" => "write `substring(s, from, to)`",
        "padStart" => "write `padLeft(s, width)`",
        "padEnd" => "write `padRight(s, width)`",
        "toFixed" => "write `formatNumber(x, digits)`",
        "keys" => "write `keysOf(object)`",
        "values" => "write `valuesOf(object)`",
        _ => return None,
    })
}

/// What stands for a name that nothing defines.
pub fn global(name: &str) -> Option<&'static str> {
    Some(match name {
        "console" => "write `printLine(...)`, or `debug(...)` for a line that no failure takes back",
        "Math" => "its functions are called by their names alone, such as `floor(x)` and `random()`",
        "undefined" | "None" | "nil" => "write `null`",
        "True" => "write `true`",
        "False" => "write `false`",
        "NaN" | "Infinity" => "there is no such number: a result that is not a number is an error",
        "parseInt" | "parseFloat" | "Number" => "write `toNumber(s)`",
        "String" | "str" => "write `toString(v)`",
        "Set" => "write `setOf(...)`",
        "Map" => "an object is written `{a: 1}`",
        "Object" => "an object is written `{a: 1}`; `keysOf(o)`, `valuesOf(o)` and `has(o, key)` ask it",
        "Array" => "an array is written `[1, 2]`; `toArray(c)` makes one of a collection, `range(n)` one of numbers",
        "len" | "length" | "size" => "write `sizeOf(c)`",
        "JSON" => "`toString(v)` is the text of a value; texts come in by `param`, from files with `name=@FILE`",
        "Date" | "time" => "there is no clock: the same seed gives the same run",
        "append" => "write `push(array, value)`",
        "includes" => "write `contains(element, c)`",
        "forEach" => "write `foreach (x in c) ...`",
        "assert" => "write `require(condition)`, which fails, or `error(message)`",
        "alert" => "write `printLine(...)`",
        "this" | "self" => "functions have no object of their own: hand it over as an argument",
        _ => return None,
    })
}
