//! Runs inputs and commands, and reports their results.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use ndscript::counted::counted;
use ndscript::source::Sources;
use ndscript::{Engine, Program};
use ndscript_timeline::SearchTree;

use super::looking::{EarlierMoment, Trace, reasons};
use super::reply::{Answer, Reply, brief, in_short, in_words};
use super::saving;
use super::session::open_choices;
use super::session::reach::Reach;
use super::session::script::Written;
use super::session::{AnswerQuestion, Session};
use super::show::Screen;
use super::typing::command::{self, Command, SaveHow};
use super::typing::pager::Pager;
use crate::commands::doc;
use crate::exit::Exit;
use crate::files;
use crate::files::save::{save, save_over};
use crate::runs::stats;
use crate::runs::unfinished::end_of;
use crate::terminal;
use crate::terminal::preview::Size;

/// At most this many open choices are searched for one of an earlier input.
const MOST_SEARCHED: usize = 1000;

/// The most nodes of a tree.
const MOST_NODES: usize = 10_000;

/// Does what is typed.
pub struct Actor {
    session: Rc<RefCell<Session>>,
    pub screen: Screen,
    reach: Reach,
    /// The file that was loaded last.
    loaded: Option<String>,
    /// The place in the latest input that `:back` has reached.
    looking: EarlierMoment,
    /// The programs that the session has written, by the names of their files.
    written: BTreeMap<String, String>,
    is_over: bool,
    /// How the first input that failed ended.
    exit: Exit,
}

impl Actor {
    pub fn new(session: Rc<RefCell<Session>>, screen: Screen, reach: Reach) -> Actor {
        Actor {
            session,
            screen,
            reach,
            loaded: None,
            looking: EarlierMoment::default(),
            written: BTreeMap::new(),
            is_over: false,
            exit: Exit::Success,
        }
    }

    /// Whether it is time to leave.
    pub fn is_over(&self) -> bool {
        self.is_over || self.screen.is_closed()
    }

    /// How the first input that failed ended.
    pub fn exit(&self) -> Exit {
        self.exit
    }

    fn record_exit(&mut self, exit: Exit) {
        if self.exit == Exit::Success {
            self.exit = exit;
        }
    }

    pub fn greet(&mut self) {
        let version = env!("CARGO_PKG_VERSION");
        self.screen
            .words(&format!("NDScript {version}. `:help` lists the commands."));
    }

    /// The number of the next input, and how many choices are open.
    pub fn prompt(&self) -> String {
        let session = self.session.borrow();
        let number = session.inputs().len() + 1;
        match session.run().open_choices() {
            0 => format!("{number}> "),
            open => format!("{number} ({open} open)> "),
        }
    }

    /// Says that something cannot be done.
    pub fn refuse(&mut self, message: &str) {
        self.screen.problem(message);
        self.record_exit(Exit::Error);
    }

    /// Takes an input or a command.
    pub fn take(&mut self, text: &str, ask: &mut AnswerQuestion) {
        // Ctrl-C may have come when there was nothing to stop.
        self.session.borrow().run().cancel_token().clear();
        if !command::is_command(text) {
            self.input(text, None, ask);
            return;
        }
        match command::parse(text) {
            Ok(command) => self.command(command, ask),
            Err(message) => self.refuse(&message),
        }
    }

    /// Runs an input; false if the session is as it was before.
    fn input(&mut self, text: &str, file: Option<&str>, ask: &mut AnswerQuestion) -> bool {
        let reply = {
            let screen = &mut self.screen;
            let mut shown = |question: &ndscript::Question| {
                screen.output(&question.text, &question.pictures);
                screen.end_line();
                ask(question)
            };
            self.session.borrow_mut().input(text, file, &mut shown)
        };
        let changed = matches!(reply, Reply::Solved { .. } | Reply::Back(_));
        self.answer(reply);
        if !changed && command::is_meant(text) {
            self.screen
                .remark("commands begin with a colon: `:help` lists them, `:quit` leaves");
        }
        changed
    }

    /// Says how an input has ended.
    fn answer(&mut self, reply: Reply) {
        self.looking = EarlierMoment::default();
        self.record_exit(reply.exit());
        let unfinished = self.session.borrow_mut().take_unfinished();
        if !unfinished.is_empty()
            && !matches!(
                reply,
                Reply::NoOther(_) | Reply::NoOtherAnywhere | Reply::Nothing
            )
        {
            let when = if matches!(reply, Reply::Error(..)) {
                "before the error"
            } else {
                "before it ended"
            };
            self.screen
                .remark_text(&format!("printed {when}:\n{}", end_of(&unfinished)));
        }
        match reply {
            Reply::Nothing => {}
            Reply::Solved { answer, .. } => self.screen.answer(&answer),
            Reply::Back(back) => {
                self.screen.words(&back.in_words());
                let room = (terminal::size().0 as usize).clamp(40, 120) / 2;
                for (number, answer) in &back.reruns {
                    let short = in_short(answer, room);
                    if !short.is_empty() {
                        self.screen.line(&format!("  input {number}: {short}"));
                    }
                }
                self.screen.answer(&back.answer);
            }
            Reply::NoSolution(reason) => {
                self.screen.remark(
                    "no solution: no open choice leads to one, so the input is dropped and everything stays as it was",
                );
                if let Some(reason) = reason {
                    self.screen.remark(&terminal::reason(&reason));
                }
            }
            Reply::NoOtherAnywhere => {
                self.screen
                    .remark("the inputs have no other solution, so everything stays as it was");
            }
            Reply::NoOther(0) => self.screen.remark("there is no input yet"),
            Reply::NoOther(input) => {
                let session = self.session.borrow();
                let open = session
                    .choices(MOST_SEARCHED)
                    .into_iter()
                    .map(|(open, _)| open)
                    .find(|open| *open < input);
                let back = match open {
                    Some(open) if session.is_exhausted(open) => {
                        ", and neither have those before it".to_string()
                    }
                    Some(open) => format!("; `fail;` goes back into input {open}"),
                    None => String::new(),
                };
                drop(session);
                self.screen
                    .remark(&format!("input {input} has no other solution{back}"));
            }
            Reply::Wrong(error) => {
                for diagnostic in &error.diagnostics {
                    self.screen.diagnostic(diagnostic, &error.sources);
                }
            }
            Reply::Error(error, program) => {
                let none = Sources::default();
                self.screen.diagnostic(
                    &error.diagnostic,
                    program.as_ref().map_or(&none, Program::sources),
                );
            }
            Reply::TooLong(message) => {
                let (first, hint) = message.split_once('\n').unwrap_or((&message, ""));
                self.screen
                    .remark(format!("{first}; everything is as it was before\n{hint}").trim_end());
            }
            Reply::Interrupted => self
                .screen
                .remark("interrupted; everything is as it was before"),
            Reply::Unanswered(prompt) => {
                self.screen
                    .problem(&format!("the input ended before {prompt:?} was answered"));
            }
            Reply::Refused(message) => self.screen.problem(&message),
        }
        // Clones of the cancelled run continue.
        self.session.borrow().run().cancel_token().clear();
    }

    /// Carries out a command.
    fn command(&mut self, command: Command, ask: &mut AnswerQuestion) {
        match command {
            Command::Help => {
                self.screen.line(&command::help(terminal::output_columns()));
            }
            Command::Next => self.next(ask),
            Command::All(most) => self.all(most.unwrap_or(u64::MAX)),
            Command::Undo => self.undo(),
            Command::Choices => self.choices(),
            Command::Commit => {
                let dropped = self.session.borrow_mut().commit();
                self.screen.line(&match dropped {
                    0 => "no choice is open".to_string(),
                    many => format!("{} dropped", counted(many, "choice")),
                });
            }
            Command::Trace => self.trace(),
            Command::Tree => self.tree(),
            Command::Why(place) => self.why(&place),
            Command::Back(lines) => self.back(lines.unwrap_or(1)),
            Command::Vars => self.vars(),
            Command::Doc(name) => self.doc(name.as_deref()),
            Command::Load(file) => self.load(&file, ask),
            Command::Reload => self.reload(ask),
            Command::Save(how, file) => self.save(how, &file),
            Command::Png(file) => self.png(&file),
            Command::Size(cells) => self.size(cells),
            Command::Seed(None) => {
                let seed = self.session.borrow().seed();
                self.screen.line(&format!("the seed is {seed}"));
            }
            Command::Seed(Some(seed)) => self.session.borrow_mut().reseed(seed),
            Command::Time(text) => self.time(text.as_deref(), ask),
            Command::Stats => self.stats(),
            Command::Clear => {
                self.session.borrow_mut().clear();
                self.screen
                    .words("all inputs are forgotten; `:undo` brings them back");
            }
            Command::Quit => self.is_over = true,
        }
    }

    fn trace(&mut self) {
        let mut trace = Trace::new(self.session.borrow().program_of_latest().sources().clone());
        let found = self.session.borrow().latest_once_more(&mut trace);
        self.show_of_latest(found.map(|_| trace.lines().join("\n")));
    }

    fn tree(&mut self) {
        let sources = self.session.borrow().program_of_latest().sources().clone();
        let mut tree = SearchTree::new(sources, MOST_NODES).without_changes();
        let found = self.session.borrow().latest_once_more(&mut tree);
        if let Some(what) = self.session.borrow().stopped_by() {
            tree.record_stop(what);
        }
        self.show_of_latest(found.map(|_| tree.to_text()));
    }

    fn why(&mut self, place: &str) {
        let found = place
            .parse()
            .and_then(|place| reasons(&self.session.borrow(), &place));
        self.show_of_latest(found);
    }

    fn back(&mut self, lines: u64) {
        let found = self.looking.back(&self.session.borrow(), lines);
        self.show_of_latest(found);
    }

    /// Shows a result about the latest input, which may be one that was dropped.
    fn show_of_latest(&mut self, found: Result<String, String>) {
        match found {
            Ok(text) => {
                if let Some(what) = self.session.borrow().attempt_in_words() {
                    self.screen.words(what);
                }
                if text.trim().is_empty() {
                    self.screen.words("it has chosen and written nothing");
                }
                text.trim_end()
                    .lines()
                    .for_each(|line| self.screen.line(line));
            }
            Err(why) => self.refuse(&why),
        }
    }

    /// Looks for the next solution.
    fn next(&mut self, ask: &mut AnswerQuestion) {
        if self.session.borrow().inputs().is_empty() {
            return self.answer(Reply::NoOther(0));
        }
        let reply = self.session.borrow_mut().next(ask);
        if let Reply::Solved {
            answer, changes, ..
        } = &reply
            && answer.text.is_empty()
            && answer.pictures.is_empty()
            && answer.value.is_none()
        {
            let words = in_words(changes);
            self.screen.words(if words.is_empty() {
                "another solution, with the same values"
            } else {
                &words
            });
        }
        self.answer(reply);
    }

    /// Shows all further solutions, a page at a time.
    fn all(&mut self, most: u64) {
        let mut shown = 0;
        let screen = &mut self.screen;
        let mut pager = Pager::new(screen.lines_written());
        let mut each = |answer: &Answer, changes: &[super::reply::Change]| {
            shown += 1;
            if shown > most {
                return false;
            }
            screen.answer(answer);
            if answer.text.is_empty() && answer.pictures.is_empty() && answer.value.is_none() {
                let words = in_words(changes);
                screen.words(if words.is_empty() {
                    "no variable changes"
                } else {
                    &words
                });
            }
            screen.line("---");
            !screen.is_closed() && pager.wants_more(screen.lines_written())
        };
        let reply = self.session.borrow_mut().all(&mut each);
        if shown > most {
            self.screen.remark(&format!("and more than these {most}"));
        }
        self.answer(match reply {
            Reply::Unanswered(prompt) => Reply::Refused(format!(
                "the program asks {prompt:?}, and what is answered in a list would be forgotten\nuse `:next`"
            )),
            other => other,
        });
    }

    fn undo(&mut self) {
        let before = self.session.borrow().inputs().len();
        if !self.session.borrow_mut().undo() {
            return self.refuse("there is nothing to take back");
        }
        let inputs = self.session.borrow().inputs().len();
        self.screen.line(&match inputs {
            _ if inputs == before => "undone: the previous solution is here again".to_string(),
            0 => "taken back: no input is left".to_string(),
            _ => format!("undone: the latest input is {inputs} again"),
        });
    }

    fn choices(&mut self) {
        let lines = open_choices::lines(&self.session.borrow(), terminal::size().0 as usize);
        lines.iter().for_each(|line| self.screen.line(line));
    }

    fn vars(&mut self) {
        let columns = (terminal::size().0 as usize).clamp(30, 160);
        let globals = self.session.borrow().run().show_globals(4 * columns);
        if globals.is_empty() {
            self.screen.line("no variable has a value yet");
        }
        for (name, value) in globals {
            let room = columns.saturating_sub(name.chars().count() + 4).max(16);
            self.screen
                .line(&format!("{name} = {}", brief(&value, room)));
        }
    }

    /// Explains a built-in or a declared name, or lists all built-ins.
    fn doc(&mut self, name: Option<&str>) {
        let columns = terminal::output_columns();
        let Some(name) = name else {
            return self.screen.line(&doc::list(columns));
        };
        let name = name.trim_end_matches("()");
        let Some(page) = doc::explain(name, columns) else {
            if let Some(text) = self.declaration(name) {
                return self.screen.line(&text);
            }
            return self.refuse(&doc::unknown(name, ":doc"));
        };
        self.screen.line(&page);
        // The drawings of an example belong to it.
        if let Some(entry) = ndscript::reference::find(name)
            && let Ok(program) = Engine::new().compile(&entry.program())
            && let Some(Ok(solution)) = program.run(1).next_solution()
            && !solution.pictures.is_empty()
        {
            self.screen.output("", &solution.pictures);
        }
    }

    /// The latest declaration of a function of the session.
    fn declaration(&self, name: &str) -> Option<String> {
        let session = self.session.borrow();
        let inputs = session.inputs();
        inputs
            .iter()
            .rev()
            .find_map(|input| declaration_in(&input.text, name))
    }

    /// Takes a file as an input.
    pub fn load(&mut self, file: &str, ask: &mut AnswerQuestion) {
        let text = match files::read_program(Path::new(file), self.reach.bounds) {
            Ok(text) => text,
            Err(stop) => return self.refuse(&stop.message),
        };
        self.reach.add(&files::folder_of(Path::new(file)));
        self.loaded = Some(file.to_string());
        self.input(&text, Some(file), ask);
    }

    /// Loads the latest file in place of what it was.
    fn reload(&mut self, ask: &mut AnswerQuestion) {
        let Some(file) = self.loaded.clone() else {
            return self.refuse("no file was loaded yet\n`:load FILE` loads one");
        };
        let text = match files::read_program(Path::new(&file), self.reach.bounds) {
            Ok(text) => text,
            Err(stop) => return self.refuse(&stop.message),
        };
        let is_back = self.session.borrow_mut().undo_load(&file);
        if !self.input(&text, Some(&file), ask) && is_back {
            // The earlier session is better than none.
            self.session.borrow_mut().undo();
        }
    }

    /// Writes the session as a program.
    fn save(&mut self, how: SaveHow, file: &str) {
        let path = Path::new(file);
        let is_own = fs::read_to_string(path)
            .map_or(!path.exists(), |text| self.written.get(file) == Some(&text));
        if !is_own && !how.over {
            return self.refuse(&format!(
                "\"{file}\" is there already, and this session has not written it\n`:save! {file}` writes over it"
            ));
        }
        let Written { text, notes } = saving::program(&self.session.borrow(), path, how.fixed);
        match save_over(path, text.as_bytes()) {
            Ok(()) => {
                self.screen.line(&format!("wrote {file}"));
                notes
                    .iter()
                    .for_each(|note| self.screen.remark(&format!("note: {note}")));
                self.written.insert(file.to_string(), text);
            }
            Err(stop) => self.refuse(&stop.message),
        }
    }

    fn png(&mut self, file: &str) {
        let Some(picture) = self.session.borrow().last_picture().cloned() else {
            return self.refuse("there is no picture yet");
        };
        let saved = self
            .screen
            .draw(&picture)
            .and_then(|canvas| save(Path::new(file), &canvas.to_png()));
        match saved {
            Ok(()) => self.screen.line(&format!("wrote {file}")),
            Err(stop) => self.refuse(&stop.message),
        }
    }

    /// Sets how large pictures are, and shows the latest.
    fn size(&mut self, cells: Option<u64>) {
        match cells {
            None => {}
            Some(0) => self.screen.size = Size::Window,
            Some(wide) => self.screen.size = Size::Cells(u32::try_from(wide).unwrap_or(u32::MAX)),
        }
        let picture = self.session.borrow().last_picture().cloned();
        if let Some(picture) = picture {
            self.screen.output("", &[(0, picture)]);
        } else if cells.is_none() {
            self.screen.line(&match self.screen.size {
                Size::Window => "pictures are as large as the window allows".to_string(),
                Size::Cells(wide) => format!("{} for a cell", counted(wide, "character")),
            });
        }
    }

    /// Shows what the latest input cost, or runs an input first.
    fn time(&mut self, text: Option<&str>, ask: &mut AnswerQuestion) {
        if let Some(text) = text {
            if command::is_command(text) {
                return self
                    .refuse("`:time` wants an input, not a command\nit is used as `:time [CODE]`");
            }
            self.input(text, None, ask);
        }
        let cost = self.session.borrow().cost();
        self.screen.line(&format!(
            "{:.3} s, {}, {}, {}",
            cost.time.as_secs_f64(),
            counted(cost.steps, "step"),
            counted(cost.choice_points, "choice point"),
            counted(cost.failures, "failure")
        ));
    }

    /// Shows the figures of the run.
    fn stats(&mut self) {
        let session = self.session.borrow();
        let run = session.run();
        let figures = run.statistics();
        let rows = [
            ("seed", session.seed().to_string()),
            ("inputs", session.inputs().len().to_string()),
            ("open choices", run.open_choices().to_string()),
            ("steps", figures.steps.to_string()),
            ("choice points", figures.choice_points.to_string()),
            ("failures", figures.failures.to_string()),
            ("depth", figures.depth.to_string()),
            ("memory", stats::size_in_words(run.memory())),
            ("most memory", stats::size_in_words(figures.memory)),
        ];
        drop(session);
        rows.iter()
            .for_each(|(name, value)| self.screen.line(&format!("{name:<14} {value}")));
    }
}

/// The text of a function that an input declares.
fn declaration_in(text: &str, name: &str) -> Option<String> {
    use ndscript::syntax::ast::StatementKind;
    let parsed = ndscript::syntax::parse(text, 0)
        .or_else(|_| ndscript::syntax::parse(&format!("{text}\n;"), 0))
        .ok()?;
    parsed
        .statements
        .iter()
        .find_map(|statement| match &statement.kind {
            StatementKind::Function(function)
                if function
                    .name
                    .as_ref()
                    .is_some_and(|found| &*found.name == name) =>
            {
                text.get(statement.span.start as usize..statement.span.end as usize)
                    .map(str::to_string)
            }
            _ => None,
        })
}
