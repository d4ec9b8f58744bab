//! The outline of a program that a saved run contains apart from the fingerprint, so that a message can name what has
//! changed.

use super::program::Program;
use ndscript_base::codec::{Reader, Saved, Unsound, Writer};
use ndscript_machine::natives::native::Action;
use ndscript_syntax::highlight::{TokenClass, tokens};

/// The functions of a program and of its host.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Outline {
    /// The functions with names, in the order of the text, each with a number for its words.
    functions: Vec<(String, u64)>,
    /// How the functions of the host are called, in their order: the program knows them by number.
    host: Vec<String>,
}

/// A number for the words of a text, whatever blanks and comments stand between them.
fn digest(text: &str) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for (class, range) in tokens(text) {
        if class != TokenClass::Comment {
            let word = text.get(range).unwrap_or_default();
            hasher.update(&(word.len() as u64).to_le_bytes());
            hasher.update(word.as_bytes());
        }
    }
    let bytes = *hasher.finalize().as_bytes();
    bytes[..8]
        .iter()
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}

impl Outline {
    pub fn of(program: &Program) -> Outline {
        let functions = program.code().functions.iter();
        let named = functions.filter(|function| !function.prelude);
        let named = named.filter_map(|function| Some((function.name.as_deref()?, function.span)));
        let natives = program.0.natives.iter();
        let of_host = natives.filter(|native| matches!(native.action, Action::Host(_)));
        Outline {
            functions: named
                .map(|(name, span)| (name.to_string(), digest(program.sources().text(span))))
                .collect(),
            host: of_host
                .map(|native| format!("{} {} {:?}", native.name, native.least, native.most))
                .collect(),
        }
    }

    pub fn save(&self, out: &mut Writer) {
        self.functions.save(out);
        self.host.save(out);
    }

    pub fn load(from: &mut Reader<'_>) -> Result<Outline, Unsound> {
        Ok(Outline {
            functions: Saved::load(from)?,
            host: Saved::load(from)?,
        })
    }

    /// The part of the host that a run with this outline needs and another outline lacks, in words.
    pub fn missing_of_host(&self, now: &Outline) -> Option<String> {
        let pairs = self.host.iter().enumerate();
        let mut missing = pairs.filter(|(at, function)| now.host.get(*at) != Some(*function));
        let (_, function) = missing.next()?;
        let name = function.split(' ').next().unwrap_or(function);
        Some(format!(
            "the host's function `{name}`: it takes other arguments, stands behind others than it did, or is not there"
        ))
    }

    /// The part of the program that has changed, in words. An inner function is named rather than the one around it.
    pub fn changed(&self, now: &Outline) -> String {
        let has = |all: &[(String, u64)], one: &(String, u64)| all.contains(one);
        let has_name = |all: &[(String, u64)], name: &str| all.iter().any(|one| one.0 == name);
        let changed = now.functions.iter().rfind(|one| !has(&self.functions, one));
        if let Some((name, _)) = changed {
            return if has_name(&self.functions, name) {
                format!("the function `{name}`")
            } else {
                format!("the function `{name}`, which is new")
            };
        }
        let removed = self
            .functions
            .iter()
            .find(|one| !has_name(&now.functions, &one.0));
        match removed {
            Some((name, _)) => format!("the function `{name}`, which is gone"),
            None => "what stands outside of its functions, or their order".to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::digest;

    #[test]
    fn blanks_and_comments_are_no_words() {
        let plain = digest("function f(x) { return x + 1; }");
        assert_eq!(
            plain,
            digest("function f( x ){ // adds\n return x+1; /* one */ }")
        );
        assert_ne!(plain, digest("function f(x) { return x + 2; }"));
        assert_ne!(digest("'a b'"), digest("'ab'"));
        assert_ne!(digest("a b"), digest("ab"));
    }
}
