//! Random inputs.

use ndscript::Engine;

use super::session::{Allowance, Said, Session};

/// A session that has taken these inputs.
pub fn session(inputs: &[&str]) -> Session {
    let mut session = Session::new(&Engine::new(), 1, Vec::new(), Allowance::default()).unwrap();
    for input in inputs {
        session.input(input, None, &mut |_| Said::Nothing);
    }
    session
}
