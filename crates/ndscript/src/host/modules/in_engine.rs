//! How an engine gets modules and a prelude.

use super::{FIRST_BASE, HostText, ModuleEntry};
use crate::programs::engine::Engine;
use std::sync::Arc;

impl Engine {
    /// Adds a module: the functions, constants and [prelude](Engine::with_prelude) of an engine, for programs that
    /// import it by its name, and for no others. So large hosts keep names apart, and a program says at its top what it
    /// uses. Texts are parsed once, whichever programs import them.
    ///
    /// Types, and the modules of the module itself, are available to all programs. Everything else of the module's
    /// engine is ignored.
    ///
    /// ```
    /// use ndscript::Engine;
    /// let game = Engine::new()
    ///     .with_function("distanceTo", |x: i64, y: i64| Ok(x.abs() + y.abs()))
    ///     .with_doc("x, y", "How many steps it is from the player.")
    ///     .with_constant("reach", 5)
    ///     .with_prelude("function near(x, y) { return distanceTo(x, y) <= reach; }");
    /// let engine = Engine::new().with_module("game", game);
    /// let program = engine.compile("import \"game\"; print(near(2, -3), near(4, 4));")?;
    /// assert_eq!(program.run(1).next().unwrap().unwrap().text, "truefalse");
    /// let check = engine.check("print(near(2, -3), reach);");
    /// assert_eq!(check.diagnostics[1].hints, ["the module \"game\" has it: write `import \"game\";`"]);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn with_module(mut self, name: &str, module: Engine) -> Engine {
        self.types.extend(module.types.iter().cloned());
        for inner in &module.modules {
            let text = self.host_text(&inner.text.name, inner.text.text.clone());
            self.modules.push(ModuleEntry {
                text,
                engine: inner.engine.clone(),
            });
        }
        let texts: Vec<&str> = module.preludes.iter().map(|text| &*text.text).collect();
        let text = self.host_text(name, texts.join("\n").into());
        self.modules.push(ModuleEntry {
            text,
            engine: Arc::new(module),
        });
        self
    }

    /// Adds a text in the language that runs before every program and can use all that the program declares: helpers of
    /// the host that need no Rust. Messages call it `prelude`. A second one runs after the first. Parsed once.
    ///
    /// Like an imported file it shares its names with the program: declaring one in both is an error.
    ///
    /// ```
    /// let engine = ndscript::Engine::new().with_prelude("function twice(x) { return x * 2; } var greeting = 'Hello';");
    /// let program = engine.compile("print(greeting, twice(4));")?;
    /// assert_eq!(program.run(1).next().unwrap().unwrap().text, "Hello8");
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn with_prelude(mut self, text: &str) -> Engine {
        let text = self.host_text("prelude", text.into());
        self.preludes.push(text);
        self
    }

    fn host_text(&self, name: &str, text: Arc<str>) -> HostText {
        let texts = self
            .modules
            .iter()
            .map(|module| &module.text)
            .chain(&self.preludes);
        let base = texts
            .map(|text| text.next_offset().unwrap_or(u32::MAX))
            .max()
            .unwrap_or(FIRST_BASE);
        HostText::new(name, text, base)
    }

    /// The module that an import names.
    pub(crate) fn module(&self, name: &str) -> Option<&ModuleEntry> {
        self.modules
            .iter()
            .rev()
            .find(|module| &*module.text.name == name)
    }
}
