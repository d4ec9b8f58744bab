//! How an engine gets functions with mutable state.

use super::{Changing, HostClosure};
use crate::programs::engine::Engine;
use std::sync::Mutex;

impl Engine {
    /// Adds a function of the host with mutable state, such as a counter or a cache. Programs and runs share the state:
    /// those of other threads wait for each other. Its changes are not undone when the script fails, and are no part of
    /// clones and saved runs; see [`Engine::with_function`].
    ///
    /// ```
    /// let mut asked = 0;
    /// let engine = ndscript::Engine::new().with_function_mut("count", move || { asked += 1; asked });
    /// let program = engine.compile("print(count(), count());")?;
    /// assert_eq!(program.run(1).next().unwrap().unwrap().text, "12");
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn with_function_mut<Arguments: 'static, Function>(
        self,
        name: &str,
        function: Function,
    ) -> Engine
    where
        Changing<Function>: HostClosure<Arguments>,
    {
        self.with_function(name, Changing(Mutex::new(function)))
    }
}
