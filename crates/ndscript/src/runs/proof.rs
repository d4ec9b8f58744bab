//! Proving what solutions a board has.

use crate::values::view::View;
use ndscript_base::budget::{Budget, PieceSize};
use ndscript_solver::proof::{Found, Progress, Prover};

/// The progress of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofProgress {
    /// The fuel is spent.
    OutOfFuel,
    /// It is known: there is no solution.
    None,
    /// It is known: there is exactly one.
    One,
    /// It is known: there are two at least.
    Several,
    /// It takes more memory than it may.
    TooLarge,
}

/// A search of its own for what solutions a board has, whose result can be checked by others: see [`View::prove`].
pub struct BoardProof {
    prover: Prover,
    free: Vec<String>,
}

impl BoardProof {
    /// Continues for about `fuel` visits to places and rules.
    pub fn resume(&mut self, fuel: u32) -> ProofProgress {
        match self
            .prover
            .resume(&mut Budget::rest(PieceSize::default(), fuel.into()))
        {
            Progress::NotYet => ProofProgress::OutOfFuel,
            Progress::TooLarge => ProofProgress::TooLarge,
            Progress::Done(Found::None) => ProofProgress::None,
            Progress::Done(Found::One) => ProofProgress::One,
            Progress::Done(Found::Several) => ProofProgress::Several,
        }
    }

    /// Finds out without a log, which takes less: what it finds cannot be written then. Only before it has begun.
    pub fn without_log(mut self) -> BoardProof {
        self.prover.end_log();
        self
    }

    /// The board, in the lines with which the proof begins. Equal boards have equal heads.
    pub fn head(&self) -> &str {
        self.prover.head()
    }

    /// The places under no rule that could hold several values. They are no part of the proof: with any, there are
    /// several solutions if there is one.
    pub fn free_places(&self) -> &[String] {
        &self.free
    }

    /// How many guesses of the search were wrong so far.
    pub fn conflicts(&self) -> u64 {
        self.prover.conflicts()
    }

    /// The proof, once it is known what it shows: `ndscript verify` checks it.
    pub fn text(&self) -> String {
        self.prover.text()
    }
}

impl View<'_> {
    /// Begins to determine, from its constraints alone, whether a board has no solution, exactly one or several, and to
    /// prove it. The search depends on a seed and takes at most `most_bytes` of memory; it is independent of the run.
    ///
    /// ```
    /// use ndscript::{Engine, ProofProgress};
    /// let program = Engine::new().compile("let b = [setOf(1, 2), setOf(1, 2), setOf(2, 3)]; allDifferent(b);")?;
    /// let mut run = program.run(1);
    /// run.next();
    /// let board = run.global("b").unwrap();
    /// let mut proof = run.view(&board)?.prove(7, 1 << 24)?;
    /// assert_eq!(proof.resume(u32::MAX), ProofProgress::Several);
    /// assert!(proof.text().ends_with("end several\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If it is no board with constraints, or has a constraint that cannot be checked, such as a function: in words.
    pub fn prove(self, seed: u64, most_bytes: usize) -> Result<BoardProof, String> {
        let prover =
            ndscript_builtins::puzzles::proving::prover(self.context, self.word, seed, most_bytes)?;
        let free = ndscript_builtins::puzzles::proving::free_places(self.context, self.word);
        Ok(BoardProof { prover, free })
    }
}
