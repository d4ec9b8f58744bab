//! How an engine takes built-ins away.

use crate::programs::engine::Engine;

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
