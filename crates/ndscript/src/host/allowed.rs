//! Which built-ins programs may use.

use crate::programs::engine::Engine;
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

impl Engine {
    /// Forbids a built-in: programs that use it do not compile, and the message says so. For hosts in which nobody
    /// answers (`ask`, `input`), or whose programs shall not draw. Functions of the prelude and of the library that use
    /// it inside still work; a function of the host may take its name.
    ///
    /// A name that no built-in has is an error of every program, so that a typo allows nothing.
    ///
    /// ```
    /// let engine = ndscript::Engine::new().without("ask").without("input");
    /// let error = engine.compile("let name = input(\"Name? \");").unwrap_err();
    /// assert_eq!(error.diagnostics[0].message, "`input` is not allowed here");
    /// assert!(engine.compile("function input(x) { return x; } print(input(1));").is_ok());
    /// assert!(engine.complete("as", 2).words.iter().all(|word| &*word.word != "ask"));
    /// ```
    pub fn without(mut self, built_in: &str) -> Engine {
        self.allowed.without.push(built_in.to_string());
        self
    }

    /// Allows only these built-ins. A second call allows only what both name. Functions, constants and modules of the
    /// host are not affected, nor are the words and operators of the language.
    ///
    /// ```
    /// let engine = ndscript::Engine::new().only(["print", "chooseElement"]);
    /// assert!(engine.compile("print(chooseElement([1, 2]));").is_ok());
    /// assert!(engine.compile("print(range(9));").is_err());
    /// ```
    pub fn only<'n>(mut self, built_ins: impl IntoIterator<Item = &'n str>) -> Engine {
        let named: Vec<String> = built_ins.into_iter().map(str::to_string).collect();
        self.allowed.only = Some(match self.allowed.only.take() {
            Some(before) => before
                .into_iter()
                .filter(|name| named.contains(name))
                .collect(),
            None => named,
        });
        self
    }
}
