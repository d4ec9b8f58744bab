//! Which built-ins programs may use.

mod in_engine;

use ndscript_base::spelling::nearest;
use ndscript_syntax::KEYWORDS;

/// The built-ins that a host allows.
#[derive(Clone, Default)]
pub(crate) struct Allowed {
    /// If these are named, no others.
    only: Option<Vec<String>>,
    without: Vec<String>,
}

impl Allowed {
    /// Whether programs may use a built-in.
    pub fn allows(&self, name: &str) -> bool {
        let is_named = |names: &[String]| names.iter().any(|known| known == name);
        self.only.as_deref().is_none_or(is_named) && !is_named(&self.without)
    }

    /// Whether any built-in is denied.
    pub fn denies_any(&self) -> bool {
        self.only.is_some() || !self.without.is_empty()
    }

    /// An error about the first name that no built-in has.
    pub fn problem(&self) -> Option<String> {
        let named = self.only.iter().flatten().chain(&self.without);
        let known = || crate::tools::reference::entries().map(|entry| entry.name);
        let name = named
            .into_iter()
            .find(|name| !known().any(|known| known == **name))?;
        Some(if KEYWORDS.contains(&&**name) {
            format!("the host cannot take `{name}` away or allow it: it is a word of the language")
        } else {
            match nearest(name, known()) {
                Some(close) => {
                    format!("there is no built-in `{name}`: does the host mean `{close}`?")
                }
                None => {
                    format!("there is no built-in `{name}` that the host could take away or allow")
                }
            }
        })
    }
}
