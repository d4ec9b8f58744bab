//! Findings as a log of SARIF 2.1.0, which code hosts and editors show beside the lines that it names.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::finding::{Finding, Region};

/// The log of a check: each finding with the file that was being checked.
pub fn log(findings: &[(String, Finding)]) -> Value {
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "ndscript",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": [
                    {"id": "error", "shortDescription": {"text": "The program cannot run"}},
                    {"id": "warning", "shortDescription": {"text": "The program may not do what is meant"}},
                ],
            }},
            "columnKind": "unicodeCodePoints",
            "results": findings.iter().map(|(file, finding)| result(file, finding)).collect::<Vec<_>>(),
        }],
    })
}

/// A finding as a result of SARIF.
fn result(file: &str, finding: &Finding) -> Value {
    let main = match &finding.region {
        Some(region) => location(region),
        None => json!({"physicalLocation": {"artifactLocation": {"uri": uri(file)}}}),
    };
    let mut json = json!({
        "ruleId": finding.level(),
        "level": finding.level(),
        "message": {"text": finding.words()},
        "locations": [main],
    });
    if !finding.related.is_empty() {
        let related = finding.related.iter().map(|(region, text)| {
            let mut json = location(region);
            json["message"] = json!({"text": text});
            json
        });
        json["relatedLocations"] = related.collect();
    }
    json
}

fn location(region: &Region) -> Value {
    json!({"physicalLocation": {
        "artifactLocation": {"uri": uri(&region.file)},
        "region": {
            "startLine": region.line,
            "startColumn": region.column,
            "endLine": region.end_line,
            "endColumn": region.end_column,
        },
    }})
}

/// A path as a reference, relative if the path is.
fn uri(path: &str) -> String {
    let path = if cfg!(windows) {
        path.replace('\\', "/")
    } else {
        path.to_string()
    };
    let mut uri = String::new();
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("maps/a b.nds"), "maps/a%20b.nds");
        assert_eq!(uri("/maps/\u{e9}.nds"), "file:///maps/%C3%A9.nds");
        assert_eq!(uri("a:b%.nds"), "a%3Ab%25.nds");
    }
}
