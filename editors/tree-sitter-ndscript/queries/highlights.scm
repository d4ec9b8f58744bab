; What stands further down says more, and wins.

(identifier) @variable
(property_identifier) @variable.member
(parameter name: (identifier) @variable.parameter)
(arrow_function parameter: (identifier) @variable.parameter)

(function_declaration name: (identifier) @function)
(call function: (identifier) @function.call)
(call function: (member name: (property_identifier) @function.method.call))
(declarator name: (identifier) @function value: [(function) (arrow_function)])

(number) @constant.numeric
[(true) (false)] @constant.builtin.boolean
(null) @constant.builtin

(string ["\"" "'"] @string)
(template "`" @string)
(string_content) @string
(escape_sequence) @string.escape
(substitution ["${" "}"] @string.special)

(comment) @comment
(hash_bang) @comment

["var" "let" "const"] @keyword
["function" "deterministic"] @keyword.function
["if" "else"] @keyword.control.conditional
["while" "for" "foreach" "in" "break" "continue"] @keyword.control.repeat
["choose" "first" "or" "fail"] @keyword.control
"return" @keyword.control.return
"import" @keyword.control.import

["(" ")" "[" "]"] @punctuation.bracket
(block ["{" "}"] @punctuation.bracket)
(object ["{" "}"] @punctuation.bracket)
[";" ","] @punctuation.delimiter
(empty_statement) @punctuation.delimiter
(member "." @punctuation.delimiter)
(pair ":" @punctuation.delimiter)

["=>" "=" "+=" "-=" "*=" "/=" "%=" "||" "&&" "==" "!=" "<" "<=" ">" ">=" "+" "-" "*" "/" "%" "!" "++" "--"] @operator
(conditional ["?" ":"] @operator)
