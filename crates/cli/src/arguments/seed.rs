//! Seeds as a person gives them: any text. A whole number is that seed, any other text determines one.

use std::sync::OnceLock;

use ndscript::rng::seed_from_text;

/// The text that the seed of this command was given as, which is shown in place of its number.
static SEED_TEXT: OnceLock<(u64, String)> = OnceLock::new();

/// Reads `--seed`.
///
/// # Errors
/// If there is nothing to read.
pub fn read(text: &str) -> Result<u64, String> {
    if text.is_empty() {
        return Err("expected a whole number or any text".to_string());
    }
    let seed = seed_from_text(text);
    if text.parse() != Ok(seed) {
        let _ = SEED_TEXT.set((seed, text.to_string()));
    }
    Ok(seed)
}

/// The text that a seed was given as, if it was no number.
pub fn text_of(seed: u64) -> Option<&'static str> {
    SEED_TEXT
        .get()
        .filter(|(given, _)| *given == seed)
        .map(|(_, text)| &**text)
}

/// A seed in its original form.
pub fn shown(seed: u64) -> String {
    text_of(seed).map_or_else(|| seed.to_string(), str::to_string)
}
