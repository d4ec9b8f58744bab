//! The output of a run in progress, for its host and for observers.

use crate::runs::outcome::PlacedPicture;
use crate::runs::run::Run;
use ndscript_machine::host::record::Record;

impl Run {
    /// The text that the current branch has printed since the last question.
    pub fn pending_output(&self) -> (String, Vec<PlacedPicture>) {
        let output = &self.machine.context.output;
        output.output_after(output.handed_over)
    }

    /// The text of [`Run::pending_output`], without a copy of it.
    ///
    /// ```
    /// use ndscript::{Engine, Outcome};
    /// let mut run = Engine::new().compile("print('a way'); fail;")?.run(7);
    /// assert!(matches!(run.resume(1000), Outcome::Failed));
    /// assert_eq!(run.pending_text(), "a way");
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn pending_text(&self) -> &str {
        let output = &self.machine.context.output;
        output.text_after(output.handed_over)
    }

    /// The pictures of [`Run::pending_output`], with their places in its text.
    ///
    /// ```
    /// use ndscript::{Engine, Outcome};
    /// let mut run = Engine::new().compile("print('a way'); printImage('red'); fail;")?.run(7);
    /// assert!(matches!(run.resume(1000), Outcome::Failed));
    /// assert_eq!(run.pending_pictures()[0].0, run.pending_text().len());
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn pending_pictures(&self) -> Vec<PlacedPicture> {
        let output = &self.machine.context.output;
        output.pictures_after(output.handed_over)
    }

    /// Whether the values of `tally` and the pictures of `snapshot` are recorded from now on. By default they are not;
    /// [`Run::watch`] turns it on. No result depends on it.
    pub fn keep_record(&mut self, keep: bool) {
        self.machine.context.record.is_wanted = keep;
    }

    /// Whether the record contains the pictures of `snapshot`. It does by default; otherwise they are only counted:
    /// [`Record::left_out`].
    ///
    /// ```
    /// let program = ndscript::Engine::new().compile("snapshot(makeGrid(2, 2, \"red\"));")?;
    /// let mut run = program.run(1);
    /// run.keep_record(true);
    /// run.keep_recorded_pictures(false);
    /// while run.next().is_some() {}
    /// assert_eq!((run.record().snapshots().len(), run.record().left_out()), (0, 1));
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn keep_recorded_pictures(&mut self, keep: bool) {
        self.machine.context.record.only_counts = !keep;
    }

    /// The record of the program's `tally` and `snapshot`, and of its failures. It takes at most an eighth of the run's
    /// limit of memory, apart from that memory; the rest is left out.
    ///
    /// ```
    /// let program = ndscript::Engine::new().compile("let x = choose(1, 2); tally(\"tries\"); fail;")?;
    /// let mut run = program.run(1);
    /// run.keep_record(true);
    /// while run.next().is_some() {}
    /// assert_eq!(run.record().tallies().collect::<Vec<_>>(), [("tries", 2.0)]);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn record(&self) -> &Record {
        &self.machine.context.record
    }
}
