//! Pictures are told as they come, each with its line.

use serde_json::json;

use super::client::Client;

const DRAWING: &str = r#"function draw(name) {
    printImage(name);
}
printLine("before");
draw("red");
let n = 1; choose first {} or n = 2;
printImage("lime");
if (n < 2) fail;
print("end");
for (let i = 0; i < 100000; i++) n += 0;
"#;

fn launched(stop_on_entry: bool, pictures: bool) -> Client {
    let mut client = Client::of(DRAWING);
    client.ask("initialize", json!({}));
    let launch =
        json!({"program": "a.nds", "seed": 1, "stopOnEntry": stop_on_entry, "pictures": pictures});
    client.ask("launch", launch);
    client.ask("configurationDone", json!({}));
    client
}

/// For each event how many pictures are kept, the lines of the new ones, and the text behind all.
fn told(client: &Client) -> Vec<(u64, Vec<u64>, String)> {
    let events = client.events("ndscriptPictures").into_iter();
    let told = events.map(|body| {
        let new = body["pictures"].as_array().unwrap().iter();
        (
            body["keep"].as_u64().unwrap(),
            new.map(|new| new["line"].as_u64().unwrap()).collect(),
            body["text"].as_str().unwrap().to_string(),
        )
    });
    told.collect()
}

#[test]
fn pictures_are_told_with_their_lines_where_a_run_stops() {
    let mut client = launched(true, true);
    assert_eq!(told(&client).last().unwrap(), &(0, vec![], String::new()));
    for _ in 0..2 {
        client.go("next");
    }
    let events = client.events("ndscriptPictures");
    let first = events
        .iter()
        .find(|body| body["pictures"][0].is_object())
        .unwrap();
    let picture = &first["pictures"][0];
    assert_eq!(
        (
            &picture["line"],
            &picture["before"],
            &picture["source"]["path"]
        ),
        (&json!(2), &json!("before\n"), &json!("/a.nds"))
    );
    assert!(
        picture["image"].as_str().unwrap().starts_with("image: "),
        "{picture}"
    );
    client.ask(
        "setExceptionBreakpoints",
        json!({"filters": ["failure", "solution"]}),
    );
    // The first branch draws and fails; the second draws once more, which is another picture.
    client.go("continue");
    let at_failure = told(&client).last().unwrap().clone();
    assert_eq!((at_failure.0, at_failure.2), (1, String::new()));
    client.go("continue");
    assert_eq!(
        told(&client).last().unwrap(),
        &(1, vec![7], "end".to_string())
    );
    // Who hears of a stop has heard of all that is shown there.
    let mut heard = client.heard.iter().rev();
    let last = heard.find(|told| told["event"] == "stopped" || told["event"] == "ndscriptPictures");
    assert_eq!(last.unwrap()["event"], "stopped");
    // Back before the first one, nothing is there.
    while client.go("reverseContinue")["reason"] != "entry" {}
    assert_eq!(told(&client).last().unwrap(), &(0, vec![], String::new()));
}

#[test]
fn pictures_are_told_while_a_run_goes_on() {
    let mut client = launched(false, true);
    for _ in 0..20 {
        client.work_a_little();
    }
    client.look_at_pictures();
    assert_eq!(
        told(&client).last().unwrap(),
        &(0, vec![2, 7], "end".to_string())
    );
    let heard = client.events("ndscriptPictures").len();
    client.look_at_pictures();
    client.look_at_pictures();
    assert_eq!(client.events("ndscriptPictures").len(), heard);
}

#[test]
fn pictures_are_told_to_those_alone_who_want_them() {
    let mut client = launched(true, false);
    client.go("next");
    client.go("continue");
    assert_eq!(client.events("ndscriptPictures").len(), 0);
}
