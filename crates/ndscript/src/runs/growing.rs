//! Runs that grow by inputs, and the choices that they leave open.

use super::run::{ExtendedProgram, Run};
use crate::programs::program::Program;
use ndscript_machine::host::inspect::OpenChoice;

/// Why a run cannot take up a program's next input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtendError {
    /// The run does not stand at a solution.
    NotSolved,
    /// The program is not the one that runs, extended by one input.
    OtherProgram,
}

impl std::fmt::Display for ExtendError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            ExtendError::NotSolved => "the run does not stand at a solution",
            ExtendError::OtherProgram => {
                "the program is not the one that runs, extended by one input"
            }
        })
    }
}

impl std::error::Error for ExtendError {}

impl Run {
    /// Begins the next input of a growing program, at a solution of the run: the input starts from the state of the
    /// solution, and the choices stay open, so that a failure can backtrack into earlier inputs. See
    /// [`Engine::compile_input`](crate::Engine::compile_input).
    ///
    /// # Errors
    /// If the run is not at a solution, or `program` is not its program, extended by one input.
    pub fn extend(&mut self, program: &Program) -> Result<(), ExtendError> {
        self.machine.end_host_call();
        if !self.machine.is_solved() {
            return Err(ExtendError::NotSolved);
        }
        if !program.extends(&self.machine.context.code) {
            return Err(ExtendError::OtherProgram);
        }
        self.extended.truncate(self.input());
        self.extended.push(ExtendedProgram::new(program.clone()));
        self.machine.extend(program.code().clone());
        self.drop_programs(self.extended.len().saturating_sub(2));
        Ok(())
    }

    /// The program that runs: of a growing one up to the present input, see [`Run::input`]. The next program must
    /// extend it.
    ///
    /// ```
    /// let mut run = ndscript::Engine::new().compile_input("input 1", "let x = choose(1, 2);")?.run(1);
    /// for (input, value) in [("input 2", "2"), ("input 3", "3")] {
    ///     run.next().unwrap().unwrap();
    ///     run.extend(&run.program().extend(input, &format!("x = x + {value};"))?)?;
    /// }
    /// run.next().unwrap().unwrap();
    /// assert_eq!(run.read::<i64>(&run.global("x").unwrap())?, 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn program(&self) -> &Program {
        let at = (self.input() - 1).min(self.extended.len() - 1);
        // The program of the input that runs is always there.
        self.extended[at].program.as_ref().unwrap_or(&self.first)
    }

    /// The number of the input that the run is in, or at whose end it stands; the first is 1. It goes down when a
    /// failure goes back into an earlier input.
    pub fn input(&self) -> usize {
        self.machine.input_number()
    }

    /// The open choice points, the latest first, at most `most`. Takes about as long as a clone of the run.
    ///
    /// ```
    /// use ndscript::{Alternative, Engine};
    /// let mut run = Engine::new().compile("let x = choose(1, 2, 3);")?.run(7);
    /// run.next().unwrap().unwrap();
    /// let open = run.open_choice_points(10);
    /// assert_eq!((open.len(), open[0].left), (1, 2));
    /// assert!(matches!(open[0].alternatives[0], Alternative::Code(span) if span.start == 18));
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn open_choice_points(&self, most: usize) -> Vec<OpenChoice> {
        self.machine.open_choice_points(most)
    }

    /// Undoes everything since the latest open choice point, and drops that: then the global variables are as they were
    /// when the choice was made. The run does not search on from there; so this is for a clone that is inspected.
    ///
    /// ```
    /// use ndscript::Engine;
    /// let script = "let n = 1; function f(a) { return choose(a, 2); } n = f(7); let m = choose(3, 4);";
    /// let mut run = Engine::new().compile(script)?.run(7);
    /// run.next().unwrap().unwrap();
    /// let mut looked_at = run.clone();
    /// assert_eq!(looked_at.take_back_choice().unwrap().call, None);
    /// assert_eq!(looked_at.take_back_choice().unwrap().call.as_deref(), Some("f(7)"));
    /// assert_eq!(looked_at.read::<i64>(&looked_at.global("n").unwrap())?, 1);
    /// assert!(looked_at.take_back_choice().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_back_choice(&mut self) -> Option<OpenChoice> {
        self.machine.end_host_call();
        self.machine.take_back()
    }

    /// Undoes everything since an open choice point, and continues with one of its other alternatives. Both are counted
    /// as in the result of [`Run::open_choice_points`]: choice points from the latest on, alternatives among those that
    /// it names. False if there is no such alternative; then the run must not be used any more. So this is for a clone.
    ///
    /// ```
    /// use ndscript::{Alternative, Engine};
    /// let mut run = Engine::new().compile("let word = chooseElement([\"a\", \"b\", \"c\", \"d\"]);")?.run(7);
    /// run.next().unwrap().unwrap();
    /// let wanted = run.open_choice_points(1)[0].alternatives[2].clone();
    /// let mut other = run.clone();
    /// assert!(other.take_alternative(0, 2));
    /// other.next().unwrap().unwrap();
    /// assert_eq!(wanted, Alternative::Element(format!("{:?}", other.view_global("word").unwrap().as_str().unwrap())));
    /// assert_eq!(other.count(), 2);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn take_alternative(&mut self, choice: usize, alternative: usize) -> bool {
        self.machine.end_host_call();
        self.has_given_last = false;
        self.machine.take_alternative(choice, alternative)
    }

    /// Drops all open choice points: what was guessed so far stays.
    ///
    /// ```
    /// let mut run = ndscript::Engine::new().compile("let x = choose(1, 2, 3);")?.run(7);
    /// run.next().unwrap().unwrap();
    /// run.commit();
    /// assert_eq!(run.open_choices(), 0);
    /// assert!(run.next().is_none());
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn commit(&mut self) {
        self.machine.end_host_call();
        self.machine.commit_all();
        self.drop_programs(0);
    }
}
