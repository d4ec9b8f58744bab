//! What `test` and `check` tell editors and servers: JSON, JUnit's XML, SARIF.

use serde_json::Value;

use super::*;

const TESTS: &str = "let n = 5;
function testHolds() { require(n == 5); }
function testFails() { require(n < 5, `n is <${n}>`); }
function testWrong(times = 1) {
    missing();
}
";

fn tests() -> Folder {
    script(TESTS).with("broken & sad.nds", "let = 1;")
}

fn lines(out: &str) -> Vec<Value> {
    out.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn tests_tell_json() {
    let ended = tests().run(&["test", "a.nds", "broken & sad.nds", "none.nds", "--json"]);
    assert_eq!((ended.code, &*ended.err), (2, ""));
    let lines = lines(&ended.out);
    assert_eq!(lines.len(), 6, "{}", ended.out);
    let fields = |at: usize, names: &[&str]| -> Vec<Value> {
        names.iter().map(|name| lines[at][name].clone()).collect()
    };
    let names = ["event", "file", "name", "line", "column", "result"];
    assert_eq!(
        Value::from(fields(0, &names)),
        serde_json::json!(["test", "a.nds", "testHolds", 2, 10, "passed"])
    );
    assert_eq!(lines[0]["seeds"], 10);
    assert!(lines[0]["seconds"].is_f64());
    assert_eq!(
        Value::from(fields(1, &names)),
        serde_json::json!(["test", "a.nds", "testFails", 3, 10, "failed"])
    );
    assert_eq!(lines[1]["seed"], 1);
    assert_eq!(lines[1]["message"], "it fails: n is <5>");
    assert_eq!(lines[1]["error"], Value::Null);
    // Where an error is stands in numbers.
    let error = &lines[2]["error"];
    assert_eq!(
        (&error["line"], &error["column"], &error["endColumn"]),
        (&5.into(), &5.into(), &12.into()),
        "{error}"
    );
    assert_eq!(
        (&lines[3]["file"], &lines[3]["result"]),
        (&"broken & sad.nds".into(), &"error".into())
    );
    assert_eq!(lines[3]["errors"][0]["line"], 1);
    assert_eq!(lines[4]["file"], "none.nds");
    assert_eq!(lines[4]["errors"][0]["line"], Value::Null);
    assert_eq!(
        lines[5],
        serde_json::json!({"event": "end", "passed": 1, "failed": 2, "brokenFiles": 2})
    );
}

#[test]
fn tests_tell_junit() {
    let folder = tests();
    let ended = folder.run(&[
        "test",
        "a.nds",
        "broken & sad.nds",
        "--junit",
        "out/report.xml",
    ]);
    assert_eq!(ended.code, 2);
    // People still read what they did.
    assert!(ended.out.contains("1 of 3 tests passed, 1 file could not"));
    let written = fs::read_to_string(folder.path("out/report.xml")).unwrap();
    let tree = resvg::usvg::roxmltree::Document::parse(&written).unwrap();
    let all = |tag: &str| -> Vec<_> {
        let all = tree.descendants();
        all.filter(|node| node.has_tag_name(tag)).collect()
    };
    let suites = all("testsuite");
    assert_eq!(suites.len(), 2);
    let numbers = |at: usize| {
        ["name", "tests", "failures", "errors"].map(|name| suites[at].attribute(name).unwrap())
    };
    assert_eq!(numbers(0), ["a.nds", "3", "2", "0"]);
    assert_eq!(numbers(1), ["broken & sad.nds", "1", "0", "1"]);
    let cases: Vec<_> = all("testcase")
        .iter()
        .map(|case| {
            let child = case.children().find(|child| child.is_element());
            (
                case.attribute("name").unwrap(),
                case.attribute("line").unwrap_or_default(),
                child.map_or("", |child| child.tag_name().name()),
            )
        })
        .collect();
    assert_eq!(
        cases,
        [
            ("testHolds", "2", ""),
            ("testFails", "3", "failure"),
            ("testWrong", "4", "failure"),
            ("(the file)", "", "error"),
        ]
    );
    let failures = all("failure");
    assert_eq!(
        failures[0].attribute("message"),
        Some("seed 1: it fails: n is <5>")
    );
    assert!(failures[1].text().unwrap().contains("a.nds:5:5"));
    // The schemas of readers ask for these.
    for (tag, attribute) in [
        ("testsuite", "time"),
        ("testcase", "time"),
        ("testcase", "classname"),
        ("failure", "type"),
        ("error", "type"),
    ] {
        assert!(all(tag).iter().all(|node| node.has_attribute(attribute)));
    }
    let error = all("error")[0].text().unwrap();
    assert!(error.starts_with("broken & sad.nds:1:5: "), "{error}");
}

#[test]
fn only_the_named_tests_run() {
    let folder = tests().with("b.nds", "function testOther() {}");
    let ended = folder.run(&["test", "a.nds", "b.nds", "--only", "testHolds"]);
    assert_eq!((ended.code, &*ended.err), (0, ""));
    assert!(ended.out.starts_with("a.nds\n  ok    testHolds "));
    assert!(
        ended.out.ends_with("s\n1 of 1 test passed\n"),
        "{}",
        ended.out
    );
    let named = ["--only", "testHolds", "--only", "testWrong"];
    let report = ["test", "a.nds", "--json", "--junit", "report.xml"];
    let ended = folder.run(&[&report[..], &named].concat());
    assert_eq!((ended.code, &*ended.err), (1, ""));
    let names: Vec<Value> = lines(&ended.out)
        .iter()
        .map(|it| it["name"].clone())
        .collect();
    assert_eq!(
        Value::from(names),
        serde_json::json!(["testHolds", "testWrong", null])
    );
    let written = fs::read_to_string(folder.path("report.xml")).unwrap();
    assert!(written.contains(" tests=\"2\" failures=\"1\" ") && !written.contains("testFails"));
}

#[test]
fn an_unknown_test_is_an_error_that_names_the_near_ones() {
    let folder = tests().with("none.nds", "function tester(n) {}");
    let said = |names: &[&str], file: &str| {
        let named = names.iter().flat_map(|name| ["--only", name]);
        let ended = folder.run(&["test", file].into_iter().chain(named).collect::<Vec<_>>());
        assert_eq!(ended.code, 2, "{}", ended.out);
        (ended.err, ended.out)
    };
    let told = |names: &[&str], file: &str| {
        let (err, out) = said(names, file);
        assert!(!out.contains("0 of 0"), "{out}");
        err
    };
    let near = told(&["testHolds", "testFail"], "a.nds");
    assert!(
        near.contains("no test is called `testFail`") && near.contains("did you mean `testFails`?"),
        "{near}"
    );
    let all = told(&["testX"], "a.nds");
    assert!(
        all.contains("there are `testFails`, `testHolds`, `testWrong`"),
        "{all}"
    );
    let none = told(&["tester"], "none.nds");
    assert!(
        none.contains("a function that needs no arguments"),
        "{none}"
    );
    // What is wrong is that the file cannot be read.
    let (broken, _) = said(&["testHolds"], "broken & sad.nds");
    assert!(!broken.contains("no test is called"), "{broken}");
}

const MISTAKES: &str = "import \"part.nds\";\n\nprint(\"\u{e9}\u{1f600}\", ma(1));\n";

fn mistakes() -> Folder {
    script(MISTAKES)
        .with("b.nds", "import \"part.nds\";")
        .with("bad one.nds", "print(1;\nprint(2];")
        .with("part.nds", "function f() { let hidden = 1; }")
}

#[test]
fn check_tells_json() {
    let files = ["a.nds", "b.nds", "bad one.nds", "none.nds"];
    let ended = mistakes().run(&[&["check", "--json"], &files[..]].concat());
    assert_eq!((ended.code, &*ended.err), (2, ""));
    let lines = lines(&ended.out);
    let brief: Vec<String> = lines
        .iter()
        .map(|line| {
            format!(
                "{} {} {}",
                line["severity"].as_str().unwrap(),
                line["file"].as_str().unwrap(),
                line["line"]
            )
        })
        .collect();
    // What is in the file that two programs import is said once.
    let about_part = brief.iter().filter(|brief| brief.contains("part.nds"));
    assert_eq!(about_part.count(), 1, "{brief:?}");
    for expected in [
        "warning part.nds 1",
        "warning a.nds 3",
        "error bad one.nds 1",
        "error none.nds null",
    ] {
        assert!(brief.iter().any(|brief| brief == expected), "{brief:?}");
    }
    // Columns count characters.
    let about_call = lines.iter().find(|line| line["line"] == 3).unwrap();
    assert_eq!(
        (&about_call["column"], &about_call["endColumn"]),
        (&13.into(), &15.into()),
        "{about_call}"
    );
    assert!(about_call["hints"].is_array(), "{about_call}");
}

#[test]
fn check_tells_sarif() {
    let folder = mistakes();
    let files = ["a.nds", "b.nds", "bad one.nds", "none.nds"];
    let ended = folder.run(&[&["check", "--sarif", "out.sarif"], &files[..]].concat());
    assert_eq!((ended.code, &*ended.out), (2, ""));
    ended.says("a.nds:3");
    let log: Value = serde_json::from_slice(&fs::read(folder.path("out.sarif")).unwrap()).unwrap();
    assert_eq!(against_schema(&log), [""; 0]);
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "ndscript");
    let known: Vec<&Value> = run["tool"]["driver"]["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| &rule["id"])
        .collect();
    let results = run["results"].as_array().unwrap();
    for result in results {
        assert!(known.contains(&&result["ruleId"]), "{result}");
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
    }
    let place = |result: &Value| {
        let place = &result["locations"][0]["physicalLocation"];
        let region = &place["region"];
        (
            result["level"].as_str().unwrap().to_string(),
            place["artifactLocation"]["uri"]
                .as_str()
                .unwrap()
                .to_string(),
            region["startLine"].as_u64(),
            region["startColumn"].as_u64(),
            region["endColumn"].as_u64(),
        )
    };
    let places: Vec<_> = results.iter().map(place).collect();
    for (level, uri, line, from, to) in [
        ("warning", "a.nds", Some(3), Some(13), Some(15)),
        ("error", "bad%20one.nds", Some(1), Some(6), Some(7)),
        ("error", "none.nds", None, None, None),
    ] {
        let expected = (level.to_string(), uri.to_string(), line, from, to);
        assert!(places.contains(&expected), "{expected:?} in {places:?}");
    }
    // Where the other bracket belongs is told as well.
    let related = results
        .iter()
        .find(|result| place(result).1 == "bad%20one.nds")
        .map(|result| &result["relatedLocations"][0]["physicalLocation"]["region"]);
    assert_eq!(related.unwrap()["startColumn"], 7);
    // Nothing found is a log without results, so that a server takes back what it has shown.
    folder
        .run(&["check", "part.nds", "--sarif", "none.sarif"])
        .expect_code(0);
    let empty = Folder::new().with("good.nds", "print(1);");
    empty
        .run(&["check", "good.nds", "--sarif", "none.sarif"])
        .expect(0, "");
    let log: Value = serde_json::from_slice(&fs::read(empty.path("none.sarif")).unwrap()).unwrap();
    assert_eq!(against_schema(&log), [""; 0]);
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
}

/// Of the schema of SARIF 2.1.0 the objects that are written here, each with its properties: their kinds, and `!` for those
/// that must be there. The schema allows no others but those that are left out here.
const SARIF: &[(&str, &[(&str, &str)])] = &[
    (
        "log",
        &[
            ("$schema", "uri"),
            ("version!", "2.1.0"),
            ("runs!", "[run]"),
        ],
    ),
    (
        "run",
        &[
            ("tool!", "tool"),
            ("columnKind", "utf16CodeUnits|unicodeCodePoints"),
            ("results", "[result]"),
        ],
    ),
    ("tool", &[("driver!", "toolComponent")]),
    (
        "toolComponent",
        &[
            ("name!", "text"),
            ("version", "text"),
            ("rules", "{reportingDescriptor}"),
        ],
    ),
    (
        "reportingDescriptor",
        &[("id!", "text"), ("shortDescription", "message")],
    ),
    ("message", &[("text!", "text")]),
    (
        "result",
        &[
            ("ruleId", "text"),
            ("level", "none|note|warning|error"),
            ("message!", "message"),
            ("locations", "[location]"),
            ("relatedLocations", "{location}"),
        ],
    ),
    (
        "location",
        &[
            ("physicalLocation", "physicalLocation"),
            ("message", "message"),
        ],
    ),
    (
        "physicalLocation",
        &[
            ("artifactLocation!", "artifactLocation"),
            ("region", "region"),
        ],
    ),
    ("artifactLocation", &[("uri", "uri")]),
    (
        "region",
        &[
            ("startLine", "count"),
            ("startColumn", "count"),
            ("endLine", "count"),
            ("endColumn", "count"),
        ],
    ),
];

/// What the schema forbids in a log.
fn against_schema(log: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    against("log", log, "log", &mut problems);
    problems
}

/// A kind is the name of an object, `[...]` for a list, `{...}` for one without equal elements, `a|b` for words, or one of those
/// below.
fn against(kind: &str, value: &Value, path: &str, problems: &mut Vec<String>) {
    let brackets = [('[', ']'), ('{', '}')];
    let inside = brackets
        .iter()
        .find_map(|(open, close)| kind.strip_prefix(*open)?.strip_suffix(*close));
    let object = SARIF.iter().find(|(name, _)| *name == kind);
    let is_right = match (inside, object) {
        (Some(inside), _) => {
            let elements = value.as_array();
            let all = elements.map_or(&[][..], |all| all);
            for (at, element) in all.iter().enumerate() {
                against(inside, element, &format!("{path}[{at}]"), problems);
            }
            let repeats = |at: usize| all[..at].contains(&all[at]);
            elements.is_some() && !(kind.starts_with('{') && (0..all.len()).any(repeats))
        }
        (None, Some((_, properties))) => {
            let fields = value.as_object();
            for (name, field) in fields.into_iter().flatten() {
                match properties
                    .iter()
                    .find(|(known, _)| known.trim_end_matches('!') == name)
                {
                    Some((_, kind)) => against(kind, field, &format!("{path}.{name}"), problems),
                    None => problems.push(format!("{path}.{name} is not in the schema")),
                }
            }
            let needed = properties
                .iter()
                .filter_map(|(name, _)| name.strip_suffix('!'));
            fields.is_some_and(|fields| needed.into_iter().all(|name| fields.contains_key(name)))
        }
        (None, None) => match kind {
            "text" => value.is_string(),
            "count" => value.as_u64().is_some_and(|count| count > 0),
            "uri" => value.as_str().is_some_and(|uri| {
                uri.bytes()
                    .all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte))
            }),
            words => value
                .as_str()
                .is_some_and(|word| words.split('|').any(|known| known == word)),
        },
    };
    if !is_right {
        problems.push(format!("{path} is no {kind}: {value}"));
    }
}

#[test]
fn the_schema_of_sarif_is_held_to() {
    let good = serde_json::json!({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [
        {"message": {"text": "a"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "a%20b"}, "region": {"startLine": 1}}}]},
    ]}]});
    assert_eq!(against_schema(&good), [""; 0]);
    let text = good.to_string();
    for (part, wrong) in [
        (r#""2.1.0""#, r#""2.0""#),
        (r#""name":"x""#, r#""version":"x""#),
        (r#""text":"a""#, r#""text":1"#),
        (r#""startLine":1"#, r#""startLine":0"#),
        (r#""startLine":1"#, r#""line":1"#),
        ("a%20b", "a b"),
        (r#""locations":[{"#, r#""level":"fatal","locations":[{"#),
        (
            r#""locations":[{"#,
            r#""relatedLocations":[{},{}],"locations":[{"#,
        ),
    ] {
        assert!(text.contains(part), "{part} in {text}");
        let log: Value = serde_json::from_str(&text.replace(part, wrong)).unwrap();
        assert_ne!(against_schema(&log), [""; 0], "{wrong}");
    }
}
