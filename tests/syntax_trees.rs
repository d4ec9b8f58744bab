//! The shape of trees: what binds how tightly, what dangles where, and what a literal is worth.

use ndscript::syntax::ast::*;
use ndscript::syntax::parse;

fn tree(script: &str) -> String {
    match parse(script, 0) {
        Ok(tree) => tree
            .statements
            .iter()
            .map(statement)
            .collect::<Vec<_>>()
            .join(" "),
        Err(errors) => panic!("{script:?}: {}", errors[0].message),
    }
}

fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(" ")
}

fn function(function: &Function) -> String {
    let body = match &function.body {
        FunctionBody::Block(statements) => format!("{{{}}}", list(statements, statement)),
        FunctionBody::Expression(e) => expression(e),
    };
    let name = function.name.as_ref().map_or("", |name| &name.name);
    let word = if function.deterministic {
        "deterministic"
    } else {
        "function"
    };
    let parameter = |parameter: &Parameter| match &parameter.default {
        Some(default) => format!("{}={}", parameter.name.name, expression(default)),
        None => parameter.name.name.to_string(),
    };
    format!(
        "({word} {name}({}) {body})",
        list(&function.parameters, parameter)
    )
}

fn statement(s: &Statement) -> String {
    let optional = |e: Option<&Expression>| e.map_or("_".to_string(), expression);
    match &s.kind {
        StatementKind::Empty => ";".into(),
        StatementKind::Expression(e) => expression(e),
        StatementKind::Declare {
            keyword,
            declarators,
        } => {
            let one = |d: &Declarator| format!("{}={}", d.name.name, optional(d.value.as_ref()));
            format!("({keyword:?} {})", list(declarators, one))
        }
        StatementKind::Function(f) => function(f),
        StatementKind::Block(statements) => format!("{{{}}}", list(statements, statement)),
        StatementKind::If { arms, otherwise } => {
            let arms = list(arms, |(condition, body)| {
                format!("[{} {}]", expression(condition), statement(body))
            });
            let otherwise = otherwise
                .as_ref()
                .map_or(String::new(), |s| format!(" else {}", statement(s)));
            format!("(if {arms}{otherwise})")
        }
        StatementKind::While { condition, body } => {
            format!("(while {} {})", expression(condition), statement(body))
        }
        StatementKind::For {
            initial,
            condition,
            step,
            body,
        } => {
            let initial = initial.as_ref().map_or("_".to_string(), |s| statement(s));
            format!(
                "(for {initial} {} {} {})",
                optional(condition.as_deref()),
                optional(step.as_deref()),
                statement(body)
            )
        }
        StatementKind::Foreach {
            name,
            collection,
            body,
        } => {
            format!(
                "(foreach {} {} {})",
                name.name,
                expression(collection),
                statement(body)
            )
        }
        StatementKind::Break => "break".into(),
        StatementKind::Continue => "continue".into(),
        StatementKind::Return(e) => format!("(return {})", optional(e.as_ref())),
        StatementKind::Choose {
            first,
            alternatives,
        } => {
            format!(
                "(choose{} {})",
                if *first { "-first" } else { "" },
                list(alternatives, statement)
            )
        }
        StatementKind::Import { path, .. } => format!("(import {path:?})"),
    }
}

fn target(t: &Target) -> String {
    match t {
        Target::Name(name) => name.name.to_string(),
        Target::Field { object, field, .. } => format!("{}.{}", expression(object), field.name),
        Target::Index {
            object, indexes, ..
        } => format!("{}[{}]", expression(object), list(indexes, expression)),
    }
}

fn expression(e: &Expression) -> String {
    match &e.kind {
        ExpressionKind::Null => "null".into(),
        ExpressionKind::Boolean(value) => value.to_string(),
        ExpressionKind::Integer(value) => value.to_string(),
        ExpressionKind::Float(value) => format!("{value:?}f"),
        ExpressionKind::String(text) => format!("{text:?}"),
        ExpressionKind::Template(parts) => {
            let part = |part: &TemplatePart| match part {
                TemplatePart::Text(text) => format!("{text:?}"),
                TemplatePart::Expression(e) => expression(e),
            };
            format!("(template {})", list(parts, part))
        }
        ExpressionKind::Name(name) => name.name.to_string(),
        ExpressionKind::Array(items) => format!("[{}]", list(items, expression)),
        ExpressionKind::Object(fields) => {
            format!(
                "{{{}}}",
                list(fields, |f| format!("{:?}: {}", f.key, expression(&f.value)))
            )
        }
        ExpressionKind::Function(f) => function(f),
        ExpressionKind::Unary { operator, operand } => {
            format!("({operator:?} {})", expression(operand))
        }
        ExpressionKind::Chain { first, rest } => {
            let rest = list(rest, |link| {
                format!("{} {}", link.operator.text(), expression(&link.operand))
            });
            format!("({} {rest})", expression(first))
        }
        ExpressionKind::And(items) => format!("(and {})", list(items, expression)),
        ExpressionKind::Or(items) => format!("(or {})", list(items, expression)),
        ExpressionKind::Conditional {
            condition,
            then,
            otherwise,
        } => {
            format!(
                "({} ? {} : {})",
                expression(condition),
                expression(then),
                expression(otherwise)
            )
        }
        ExpressionKind::Postfix { base, operations } => {
            let one = |operation: &Postfix| match &operation.kind {
                PostfixKind::Call(arguments) => format!("({})", list(arguments, expression)),
                PostfixKind::Index(indexes) => format!("[{}]", list(indexes, expression)),
                PostfixKind::Field(name) => format!(".{}", name.name),
            };
            format!(
                "{}{}",
                expression(base),
                operations.iter().map(one).collect::<String>()
            )
        }
        ExpressionKind::Assign {
            target: t,
            operator,
            value,
        } => {
            let operator = operator.map_or("", |operator| operator.text());
            format!("({} {operator}= {})", target(t), expression(value))
        }
        ExpressionKind::Update {
            target: t,
            increment,
            prefix,
        } => {
            let sign = if *increment { "++" } else { "--" };
            if *prefix {
                format!("({sign}{})", target(t))
            } else {
                format!("({}{sign})", target(t))
            }
        }
        ExpressionKind::Choose(items) => format!("(choose {})", list(items, expression)),
        ExpressionKind::Fail(None) => "fail".into(),
        ExpressionKind::Fail(Some(message)) => format!("(fail {})", expression(message)),
        ExpressionKind::Error => "ERROR".into(),
    }
}

#[track_caller]
fn same(script: &str, expected: &str) {
    assert_eq!(tree(script), expected, "{script}");
}

#[test]
fn operators_bind_as_in_javascript() {
    same("a + b * -c - d;", "(a + (b * (Negate c)) - d)");
    same(
        "a || b && c == d < e + f;",
        "(or a (and b (c == (d < (e + f)))))",
    );
    same(
        "!a == b; !!a; - -a; +a;",
        "((Not a) == b) (Not (Not a)) (Negate (Negate a)) (Plus a)",
    );
    same("(a + b) * c;", "((a + b) * c)");
    same("a - (b - c) - d;", "(a - (b - c) - d)");
    same("a ? b : c ? d : e;", "(a ? b : (c ? d : e))");
    same("a ? b ? c : d : e;", "(a ? (b ? c : d) : e)");
    same("x = a ? b : c = d;", "(x = (a ? b : (c = d)))");
    same("x = y = z += 1;", "(x = (y = (z += 1)))");
    same(
        "-a.b[1]++; !f(2).c--;",
        "(Negate (a.b[1]++)) (Not (f(2).c--))",
    );
}

#[test]
fn else_and_or_belong_to_the_nearest() {
    same("if (a) if (b) c; else d;", "(if [a (if [b c] else d)])");
    same(
        "if (a) { if (b) c; } else d;",
        "(if [a {(if [b c])}] else d)",
    );
    same(
        "if (a) b; else if (c) d; else if (e) f;",
        "(if [a b] [c d] [e f])",
    );
    same(
        "if (a) b; else if (c) d; else e;",
        "(if [a b] [c d] else e)",
    );
    same(
        "if (a) while (b) if (c) d; else e;",
        "(if [a (while b (if [c d] else e))])",
    );
    same(
        "if (a) foreach (x in b) if (c) d; else e; else f;",
        "(if [a (foreach x b (if [c d] else e))] else f)",
    );
    same("choose a; or b; or c;", "(choose a b c)");
    same("choose choose a; or b; or c;", "(choose (choose a b c))");
    same("choose a; or choose b; or c;", "(choose a (choose b c))");
    same(
        "choose { choose a; or b; } or c;",
        "(choose {(choose a b)} c)",
    );
    same("choose if (a) b; or c;", "(choose (if [a b]) c)");
    same(
        "choose if (a) b; else c; or d;",
        "(choose (if [a b] else c) d)",
    );
    same(
        "if (a) choose b; or c; else d;",
        "(if [a (choose b c)] else d)",
    );
    same(
        "if (a) choose if (b) c; or d; else e;",
        "(if [a (choose (if [b c]) d)] else e)",
    );
    same(
        "choose if (a) choose b; or c; or d;",
        "(choose (if [a (choose b c d)]))",
    );
    same(
        "choose while (a) b; or for (;;) c;",
        "(choose (while a b) (for _ _ _ c))",
    );
}

#[test]
fn choose_knows_its_two_forms() {
    same("choose first a; or b;", "(choose-first a b)");
    same(
        "choose first first = 3; or b;",
        "(choose-first (first = 3) b)",
    );
    same("choose /* c */ first // d\n a; or b;", "(choose-first a b)");
    same("choose { first = 3; } or b;", "(choose {(first = 3)} b)");
    same("choose (a, b) + 1;", "((choose a b) + 1)");
    same("x = choose /* c */ (a, b,);", "(x = (choose a b))");
    same("x.choose(1); x.choose.first;", "x.choose(1) x.choose.first");
    same("first = choose(1);", "(first = (choose 1))");
}

#[test]
fn functions_have_many_faces() {
    same("x => y => x + y;", "(function (x) (function (y) (x + y)))");
    same("() => {};", "(function () {})");
    same("() => ({a: 1});", "(function () {\"a\": 1})");
    same("(a, b,) => { return a; };", "(function (a b) {(return a)})");
    same("f = function (a) { };", "(f = (function (a) {}))");
    same(
        "f(x => x, (y) => y, 3);",
        "f((function (x) x) (function (y) y) 3)",
    );
    same(
        "a ? x => 1 : (y) => 2;",
        "(a ? (function (x) 1) : (function (y) 2))",
    );
    same("x => y = 3;", "(function (x) (y = 3))");
    same(
        "deterministic function f(a, b) { g(); }",
        "(deterministic f(a b) {g()})",
    );
    same("(x => x)(1);", "(function (x) x)(1)");
}

#[test]
fn literals_have_their_values() {
    same(
        "1; 1.0; 1e3; 1.5; 2.5e-1; 0; 0.0;",
        "1 1 1000 1.5f 0.25f 0 0",
    );
    same(
        "9007199254740991; 9007199254740992.0; 1e300;",
        "9007199254740991 9007199254740992.0f 1e300f",
    );
    same(
        r#""a\n\t\r\0\"\'\\\u{1F600}"; 'it"s';"#,
        r#""a\n\t\r\0\"'\\😀" "it\"s""#,
    );
    same("\"two\nlines\";", "\"two\\nlines\"");
    same(
        "``; `a`; `a${b}c${d}`; `${`x${{a: 1}.a}`}`;",
        concat!(
            "(template ) (template \"a\") (template \"a\" b \"c\" d) ",
            "(template (template \"x\" {\"a\": 1}.a))"
        ),
    );
    same(r"`\`\${$}$`;", r#"(template "`${$}$")"#);
    same("[1, 2,]; []; [[],];", "[1 2] [] [[]]");
    same(
        "x = {a: 1, \"b c\": 2, 3: 4, 1.0: 5, 1.5: 6, if: 7, null: 8, choose: 9,};",
        "(x = {\"a\": 1 \"b c\": 2 \"3\": 4 \"1\": 5 \"1.5\": 6 \"if\": 7 \"null\": 8 \"choose\": 9})",
    );
    same("x = {}; {}", "(x = {}) {}");
    same("null; true; false; fail;", "null true false fail");
}

#[test]
fn targets_are_names_fields_and_elements() {
    same(
        "o.a = 1; o.if.in = 2; a[1] = 3; g[x, y] -= 4;",
        "(o.a = 1) (o.if.in = 2) (a[1] = 3) (g[x y] -= 4)",
    );
    same("a.b[1].c = f(1)[2];", "(a.b[1].c = f(1)[2])");
    same(
        "x++; --o.a; g[p]--; ++a[1];",
        "(x++) (--o.a) (g[p]--) (++a[1])",
    );
}

#[test]
fn statements_of_every_kind() {
    same(
        "var a, b = 1; let c = 2; const d = 3;",
        "(Var a=_ b=1) (Let c=2) (Const d=3)",
    );
    same(
        "for (var i = 0, n = 3; i < n; i++) ;",
        "(for (Var i=0 n=3) (i < n) (i++) ;)",
    );
    same("for (i = 0; ; ) break;", "(for (i = 0) _ _ break)");
    same("foreach (var x in y) continue;", "(foreach x y continue)");
    same("while (a) { break; }", "(while a {break})");
    same("return; return 1;", "(return _) (return 1)");
    same("import \"a.nds\";", "(import \"a.nds\")");
    same("#! a line for the shell\nx;", "x");
    same("/* a */ x /* b\n */ ; // c", "x");
    same("", "");
    same("\u{feff}x\u{a0};", "x");
    same("été_1 = ñ;", "(été_1 = ñ)");
    same(
        "new(set, old, first, left, size, done, relation, position);",
        "new(set old first left size done relation position)",
    );
}

#[test]
fn places_are_exact() {
    let script = parse("x = é.b + (1 + 2).c;", 100).expect("it is right");
    let StatementKind::Expression(assign) = &script.statements[0].kind else {
        panic!("an expression")
    };
    assert_eq!((assign.span.start, assign.span.end), (100, 120));
    let ExpressionKind::Assign { value, .. } = &assign.kind else {
        panic!("an assignment")
    };
    let ExpressionKind::Chain { first, rest } = &value.kind else {
        panic!("a chain")
    };
    assert_eq!((first.span.start, first.span.end), (104, 108));
    assert_eq!(
        (rest[0].operator_span.start, rest[0].operator_span.end),
        (109, 110)
    );
    assert_eq!(
        (rest[0].operand.span.start, rest[0].operand.span.end),
        (111, 120)
    );
}
