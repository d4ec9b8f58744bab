//! Names of Rust as scripts write them.

/// `move_cost` and `MoveCost` become `moveCost`.
pub fn camel(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let mut out = String::with_capacity(name.len());
    let mut raise = false;
    for character in name.chars() {
        match character {
            '_' if !out.is_empty() => raise = true,
            _ if out.is_empty() => out.extend(character.to_lowercase()),
            _ if raise => {
                out.extend(character.to_uppercase());
                raise = false;
            }
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::camel;

    #[test]
    fn names_are_those_of_scripts() {
        for (given, wanted) in [
            ("move_cost", "moveCost"),
            ("NorthWest", "northWest"),
            ("x", "x"),
            ("r#type", "type"),
            ("_hidden", "_hidden"),
            ("item_2", "item2"),
        ] {
            assert_eq!(camel(given), wanted);
        }
    }
}
