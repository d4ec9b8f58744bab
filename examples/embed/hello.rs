//! The smallest host: compile a program, call a function of Rust from it, and take its solutions one by one.
//!
//! `cargo run --example embed_hello`

use ndscript::{Engine, HostError};

const SCRIPT: &str = r#"
    var bag = [];
    foreach (item in ["rope", "lamp", "map", "bread"]) {
        choose push(bag, item); or {}
    }
    require(sum(map(bag, price)) == 10);
    return bag;
"#;

fn price(item: String) -> Result<i64, HostError> {
    match item.as_str() {
        "rope" => Ok(4),
        "lamp" => Ok(6),
        "map" => Ok(5),
        "bread" => Ok(1),
        other => Err(HostError::new(format!("nobody sells {other} here"))),
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new().with_function("price", price);
    let program = engine.compile(SCRIPT)?;
    let mut bags = Vec::new();
    for solution in program.run(7) {
        let bag = solution?.value;
        println!("for ten coins: {bag}");
        bags.push(bag.to_string());
    }
    bags.sort();
    assert_eq!(bags, [r#"["rope", "lamp"]"#, r#"["rope", "map", "bread"]"#]);
    Ok(())
}
