//! What the description of a host's engine tells an editor.

use ndscript::{Data, Engine, HostType, HostValue};
use serde_json::{Value, json};

use crate::client::{Client, at_cursor};
use crate::offers::{complete, labels};

const A: &str = "/work/a.nds";

struct Door;

impl HostValue for Door {
    const NAME: &'static str = "door";
}

#[test]
fn functions_and_types_of_a_host_are_known() {
    let door = HostType::<Door>::new()
        .about("Leads from one room to another.")
        .getter("color", |_: &Door| "red".to_string())
        .with_doc("", "Its color.")
        .method("leadsTo", |_: &Door, room: i64| Ok(room == 1))
        .with_doc("room", "Whether it leads to a \"room\".");
    let host = Engine::new()
        .with_type(door)
        .with_function("price", |item: String, count: Option<i64>| {
            Ok(item.len() as i64 * count.unwrap_or(1))
        })
        .with_doc("item[, count]", "What so many \"items\" cost.");
    let engine = ndscript_editor::engine_of(&host.description()).unwrap();
    let mut client = Client::with(engine, &[]);
    let here = at_cursor(&mut client, A, "print(pric^");
    let items = complete(&mut client, here);
    assert_eq!(labels(&items), ["price"]);
    assert_eq!(
        items[0]["documentation"]["value"],
        "What so many \"items\" cost."
    );
    client.replace(A, "print(price());");
    assert_eq!(client.diagnostics(A).len(), 1);
    let here = at_cursor(&mut client, A, "let d = price(1);\nprint(d.lead^");
    let items = complete(&mut client, here);
    assert_eq!(labels(&items), ["leadsTo"]);
    assert_eq!(items[0]["detail"], "door.leadsTo(room)");
    let here = at_cursor(&mut client, A, "let d = price(1);\nprint(d.leads^To(1));");
    let shown = client.ask("textDocument/hover", here);
    let words = shown["contents"]["value"].as_str().unwrap();
    assert!(words.contains("Whether it leads to a \"room\"."), "{words}");
    assert!(ndscript_editor::engine_of("{}").is_err());
}

/// A host with everything that a description has.
fn game() -> Engine {
    let shop = Engine::new()
        .with_function("price", |item: String| Ok(item.len() as i64))
        .with_doc("item", "What an item costs.")
        .with_constant("discount", 0.5)
        .with_prelude("function cheap(item) { return price(item) * discount; }");
    let deep = Data::object([("at", Data::Position(2, 3)), ("deep", 7.into())]);
    Engine::new()
        .with_constant("TILE_SIZE", 16)
        .with_doc("", "Pixels of a \"tile\".")
        .with_constant(
            "tiles",
            Data::object([("grass", 1.into()), ("water", deep)]),
        )
        .with_module("shop", shop)
        .with_prelude(
            "// Twice as much.\nfunction twice(x) { return x * 2; }\nvar greeting = \"Hello\";",
        )
}

fn client() -> Client {
    let engine = ndscript_editor::engine_of(&game().description()).unwrap();
    // Nothing is lost on the way.
    assert_eq!(engine.description(), game().description());
    Client::with(engine, &[])
}

#[test]
fn constants_modules_and_preludes_of_a_host_are_known() {
    let mut client = client();
    let all = "import \"shop\";\nprint(TILE_SIZE, tiles.water.deep, price(\"a\"), cheap(\"b\"), twice(2), greeting);\n";
    client.open(A, all);
    assert_eq!(client.diagnostics(A), [Value::Null; 0]);
    // What is wrong about them is found as with the host itself.
    for (text, message) in [
        (
            "TILE_SIZE = 3;",
            "`TILE_SIZE` is a constant of the host and cannot be changed",
        ),
        ("print(price(\"a\"));", "write `import \"shop\";`"),
        ("print(tiles.gras);", "did you mean `grass`?"),
        (
            "import \"shop\";\nprint(price());",
            "`price` takes 1 argument",
        ),
    ] {
        client.replace(A, text);
        let told = client.diagnostics(A);
        assert!(
            told[0]["message"].as_str().unwrap().contains(message),
            "{told:?}"
        );
    }
}

#[test]
fn constants_modules_and_preludes_of_a_host_are_completed_and_explained() {
    let mut client = client();
    for (marked, expected) in [
        ("print(TILE^", json!(["TILE_SIZE"])),
        ("print(tiles.^", json!(["grass", "water", "x", "y"])),
        ("print(tiles.water.d^", json!(["deep"])),
        ("import \"shop\";\nprint(disc^", json!(["discount"])),
        ("print(disc^", json!([])),
        ("import \"shop\";\nprint(che^", json!(["cheap"])),
        ("print(twi^", json!(["twice"])),
        ("print(greet^", json!(["greeting"])),
    ] {
        let here = at_cursor(&mut client, A, marked);
        let items = complete(&mut client, here);
        assert_eq!(json!(labels(&items)), expected, "{marked}");
    }
    let here = at_cursor(&mut client, A, "print(TILE^");
    let items = complete(&mut client, here);
    assert_eq!(
        (&items[0]["kind"], &items[0]["textEdit"]["newText"]),
        (&json!(21), &json!("TILE_SIZE"))
    );
    for (marked, words) in [
        ("print(TILE_^SIZE);", "Pixels of a \"tile\"."),
        ("print(TILE_^SIZE);", "// => 16"),
        (
            "import \"shop\";\nprint(pri^ce(\"a\"));",
            "What an item costs.",
        ),
        ("print(twi^ce(1));", "Twice as much."),
    ] {
        let here = at_cursor(&mut client, A, marked);
        let shown = client.ask("textDocument/hover", here);
        let value = shown["contents"]["value"].as_str().unwrap_or_default();
        assert!(value.contains(words), "{marked}: {shown}");
    }
}

#[test]
fn texts_of_a_host_have_no_files() {
    let mut client = client();
    // Nothing leads into them, and nothing there gets another name.
    for marked in [
        "print(twi^ce(1));",
        "import \"sh^op\";\nprint(1);",
        "import \"shop\";\nprint(che^ap(\"a\"));",
        "print(TILE^_SIZE);",
    ] {
        let here = at_cursor(&mut client, A, marked);
        assert_eq!(
            client.ask("textDocument/definition", here.clone()),
            Value::Null,
            "{marked}"
        );
        let mut asked = here.clone();
        asked["newName"] = json!("other");
        let answer = client.answer("textDocument/rename", asked);
        assert!(answer["error"]["message"].is_string(), "{marked}: {answer}");
        let mut asked = here;
        asked["context"] = json!({"includeDeclaration": true});
        let found = client.ask("textDocument/references", asked);
        assert!(found.as_array().unwrap().len() < 2, "{marked}: {found}");
    }
    client.replace(A, "import \"shop\";\nprint(1);");
    let links = client.ask(
        "textDocument/documentLink",
        json!({"textDocument": {"uri": crate::client::uri(A)}}),
    );
    assert_eq!(links, json!([]));
}
