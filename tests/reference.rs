//! `docs/reference.md` says what the rows say.

use std::fs;
use std::path::Path;

#[test]
fn the_reference_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference.md");
    let wanted = ndscript::reference::markdown();
    if std::env::var_os("NDSCRIPT_WRITE_REFERENCE").is_some() {
        fs::write(&path, &wanted).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    let differs = wanted
        .lines()
        .zip(found.lines())
        .position(|(wanted, found)| wanted != found);
    assert!(
        found == wanted,
        "docs/reference.md is not what the rows say, from line {} on: NDSCRIPT_WRITE_REFERENCE=1 cargo test --test reference",
        differs.unwrap_or(wanted.lines().count().min(found.lines().count())) + 1
    );
}
