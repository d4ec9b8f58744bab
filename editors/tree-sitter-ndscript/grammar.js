/// <reference types="tree-sitter-cli/dsl" />
// The grammar of NDScript for editors. The real one is `crates/syntax/grammar/ndscript.lalrpop`; this one takes somewhat more
// programs (an object may begin a statement), and none that the real one takes is an error here.

const PREC = {
    message: -1,
    assign: 1,
    conditional: 2,
    or: 3,
    and: 4,
    equal: 5,
    compare: 6,
    add: 7,
    multiply: 8,
    unary: 9,
    update: 10,
    postfix: 11,
    // `{}` at the beginning of a statement is a block, `choose (` an expression.
    block: 12,
    choose: 12,
};

const list = (item) => seq(item, repeat(seq(",", item)));

const listOrNone = (item) => optional(seq(list(item), optional(",")));

module.exports = grammar({
    name: "ndscript",

    extras: ($) => [/\s/, "\u{feff}", $.comment],

    word: ($) => $.identifier,

    supertypes: ($) => [$.statement, $.expression],

    conflicts: ($) => [
        // `(a` may be a parameter of an arrow, and `(a = 1` one with a value.
        [$.expression, $.parameter],
    ],

    rules: {
        program: ($) => seq(optional($.hash_bang), repeat($.statement)),

        hash_bang: () => /#!.*/,

        comment: () => token(choice(/\/\/[^\n]*/, seq("/*", /[^*]*\*+([^/*][^*]*\*+)*/, "/"))),

        // ---- Statements ----

        statement: ($) =>
            choice(
                $.empty_statement,
                $.block,
                $.expression_statement,
                $.declaration,
                $.function_declaration,
                $.if_statement,
                $.while_statement,
                $.for_statement,
                $.foreach_statement,
                $.choose_statement,
                $.break_statement,
                $.continue_statement,
                $.return_statement,
                $.import_statement,
            ),

        empty_statement: () => ";",

        block: ($) => prec(PREC.block, seq("{", repeat($.statement), "}")),

        expression_statement: ($) => seq($.expression, ";"),

        declaration: ($) => seq(choice("var", "let", "const"), list($.declarator), ";"),

        declarator: ($) => seq(field("name", $.identifier), optional(seq("=", field("value", $.expression)))),

        function_declaration: ($) =>
            seq(
                optional("deterministic"),
                "function",
                field("name", $.identifier),
                field("parameters", $.parameters),
                field("body", $.block),
            ),

        parameters: ($) => seq("(", listOrNone($.parameter), ")"),

        parameter: ($) => seq(field("name", $.identifier), optional(seq("=", field("default", $.expression)))),

        if_statement: ($) =>
            prec.right(
                seq(
                    "if",
                    "(",
                    field("condition", $.expression),
                    ")",
                    field("then", $.statement),
                    optional(seq("else", field("else", $.statement))),
                ),
            ),

        while_statement: ($) =>
            seq("while", "(", field("condition", $.expression), ")", field("body", $.statement)),

        for_statement: ($) =>
            seq(
                "for",
                "(",
                field("initial", choice($.declaration, $.expression_statement, $.empty_statement)),
                optional(field("condition", $.expression)),
                ";",
                optional(field("step", $.expression)),
                ")",
                field("body", $.statement),
            ),

        foreach_statement: ($) =>
            seq(
                "foreach",
                "(",
                optional(choice("var", "let")),
                field("name", $.identifier),
                "in",
                field("collection", $.expression),
                ")",
                field("body", $.statement),
            ),

        // `or` belongs to the nearest open `choose`.
        choose_statement: ($) =>
            prec.right(
                seq("choose", optional("first"), field("alternative", $.statement), repeat(seq("or", field("alternative", $.statement)))),
            ),

        break_statement: () => seq("break", ";"),

        continue_statement: () => seq("continue", ";"),

        return_statement: ($) => seq("return", optional($.expression), ";"),

        // `as` is an ordinary name elsewhere, and the lexer says so here, too.
        import_statement: ($) =>
            seq("import", field("path", $.string), optional(seq(alias("as", $.identifier), field("name", $.identifier))), ";"),

        // ---- Expressions ----

        expression: ($) =>
            choice(
                $.assignment,
                $.arrow_function,
                $.fail,
                $.conditional,
                $.binary,
                $.unary,
                $.update,
                $.call,
                $.index,
                $.member,
                $.identifier,
                $.number,
                $.string,
                $.template,
                $.true,
                $.false,
                $.null,
                $.parenthesized,
                $.array,
                $.object,
                $.function,
                $.choose,
            ),

        assignment: ($) =>
            prec.right(
                PREC.assign,
                seq(
                    field("target", $.expression),
                    field("operator", choice("=", "+=", "-=", "*=", "/=", "%=")),
                    field("value", $.expression),
                ),
            ),

        arrow_function: ($) =>
            prec.right(
                PREC.assign,
                seq(
                    choice(field("parameter", $.identifier), field("parameters", $.parameters)),
                    "=>",
                    field("body", choice($.block, $.expression)),
                ),
            ),

        // What stands behind it on its line is its message.
        fail: ($) => prec.right(PREC.message, seq("fail", optional(field("message", $.expression)))),

        conditional: ($) =>
            prec.right(
                PREC.conditional,
                seq(
                    field("condition", $.expression),
                    "?",
                    field("then", $.expression),
                    ":",
                    field("else", $.expression),
                ),
            ),

        binary: ($) =>
            choice(
                ...[
                    [PREC.or, ["||"]],
                    [PREC.and, ["&&"]],
                    [PREC.equal, ["==", "!="]],
                    [PREC.compare, ["<", "<=", ">", ">="]],
                    [PREC.add, ["+", "-"]],
                    [PREC.multiply, ["*", "/", "%"]],
                ].map(([rank, operators]) =>
                    prec.left(
                        rank,
                        seq(
                            field("left", $.expression),
                            field("operator", choice(...operators)),
                            field("right", $.expression),
                        ),
                    ),
                ),
            ),

        unary: ($) =>
            prec.right(PREC.unary, seq(field("operator", choice("-", "+", "!")), field("operand", $.expression))),

        update: ($) =>
            choice(
                prec.right(PREC.unary, seq(field("operator", choice("++", "--")), field("target", $.expression))),
                prec.left(PREC.update, seq(field("target", $.expression), field("operator", choice("++", "--")))),
            ),

        call: ($) => prec(PREC.postfix, seq(field("function", $.expression), field("arguments", $.arguments))),

        arguments: ($) => seq("(", listOrNone($.expression), ")"),

        index: ($) =>
            prec(
                PREC.postfix,
                seq(
                    field("base", $.expression),
                    "[",
                    field("index", $.expression),
                    optional(seq(",", field("index", $.expression))),
                    "]",
                ),
            ),

        member: ($) =>
            prec(
                PREC.postfix,
                seq(field("base", $.expression), ".", field("name", alias($.identifier, $.property_identifier))),
            ),

        parenthesized: ($) => seq("(", $.expression, ")"),

        array: ($) => seq("[", listOrNone($.expression), "]"),

        object: ($) => seq("{", listOrNone($.pair), "}"),

        pair: ($) =>
            seq(
                field(
                    "key",
                    choice(alias($.identifier, $.property_identifier), $.string, $.number, $.computed_key),
                ),
                ":",
                field("value", $.expression),
            ),

        computed_key: ($) => seq("[", $.expression, "]"),

        function: ($) => seq("function", field("parameters", $.parameters), field("body", $.block)),

        choose: ($) => prec(PREC.choose, seq("choose", "(", list($.expression), optional(","), ")")),

        // ---- Tokens ----

        identifier: () => /[\p{XID_Start}_]\p{XID_Continue}*/,

        number: () => /[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/,

        true: () => "true",

        false: () => "false",

        null: () => "null",

        string: ($) =>
            choice(
                seq('"', repeat(choice(alias($._double_content, $.string_content), $.escape_sequence)), '"'),
                seq("'", repeat(choice(alias($._single_content, $.string_content), $.escape_sequence)), "'"),
            ),

        // Before comments, which may seem to begin in a string.
        _double_content: () => token.immediate(prec(1, /[^"\\]+/)),

        _single_content: () => token.immediate(prec(1, /[^'\\]+/)),

        escape_sequence: () => token.immediate(seq("\\", choice(/[ntr0"'\\]/, /u\{[0-9a-fA-F]{1,8}\}/))),

        template: ($) =>
            seq(
                "`",
                repeat(
                    choice(
                        alias($._template_content, $.string_content),
                        alias($._dollar, $.string_content),
                        alias($._template_escape, $.escape_sequence),
                        $.substitution,
                    ),
                ),
                "`",
            ),

        _template_content: () => token.immediate(prec(1, /[^`\\$]+/)),

        _dollar: () => token.immediate("$"),

        _template_escape: () => token.immediate(seq("\\", choice(/[ntr0"'\\`$]/, /u\{[0-9a-fA-F]{1,8}\}/))),

        substitution: ($) => seq(alias(token.immediate("${"), "${"), $.expression, "}"),
    },
});
