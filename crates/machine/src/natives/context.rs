//! The part of the machine that built-ins can access.

use std::sync::Arc;
use std::time::Duration;

use super::native::{HostFunction, Members, Native};
use crate::errors::error::{ErrorKind, Fault, UnlocatedError, VALUE_OF_SET};
use crate::errors::shorten::{cut, shorten};
use crate::host::output::Output;
use crate::host::parameter::Parameter;
use crate::host::roots::Roots;
use crate::work::CurrentWork;
use ndscript_base::budget::PieceSize;
use ndscript_base::limits::{LimitReached, Limits};
use ndscript_base::rng::Rng;
use ndscript_bytecode::Code;
use ndscript_heap::walks::show::Names;
use ndscript_heap::{Heap, Kind, Value};

/// Access to tiles for built-ins. Errors say in words what is wrong with a name.
pub trait TileAccess: Send + Sync {
    /// The full name by which any renderer finds a tile. These folders of the program are searched as well.
    fn full_name(&self, name: &str, folders: &Arc<[Arc<str>]>) -> Result<Arc<str>, String>;

    /// The greatest number of bytes of a name; longer ones are not read.
    fn longest_name(&self) -> usize;

    /// The name of a label: its text, and the names of its color, background and frame as far as it has them.
    ///
    /// # Errors
    /// A message if there is no such tile.
    fn label_name(
        &self,
        text: &str,
        look: [Option<&str>; 3],
        folders: &Arc<[Arc<str>]>,
    ) -> Result<Arc<str>, String>;

    /// Its width and height in pixels.
    fn size(&self, name: &str) -> Result<(u32, u32), String>;

    /// Its pixels row by row, red, green, blue and opacity: width times height of them.
    fn pixels(&self, name: &str) -> Result<Vec<[u8; 4]>, String>;

    /// The number of squares of a size that it consists of, across and down.
    fn squares(&self, name: &str, size: u32) -> Result<(u32, u32), String>;

    /// The name of one of these squares, counted from 0.
    fn square_name(&self, name: &str, size: u32, column: u32, row: u32) -> String;
}

/// Takes a line of `debug`.
pub type DebugSink = dyn Fn(&str) + Send + Sync;

/// Says how much time has passed since some fixed moment.
pub type Clock = dyn Fn() -> Duration + Send + Sync;

/// The state of a run that built-ins work on.
#[derive(Clone)]
pub struct Context {
    pub heap: Heap,
    pub rng: Rng,
    pub output: Output,
    /// The fuel left; below zero the machine stops at its next check.
    pub fuel: i64,
    /// The fuel before the instruction that is carried out in full.
    pub fuel_before: i64,
    pub limits: Limits,
    pub code: Arc<Code>,
    pub natives: Arc<[Native]>,
    /// Whether the running built-in has posted a constraint on a board: its row must say so.
    #[cfg(debug_assertions)]
    pub has_constrained: bool,
    /// The functions of the host, by number.
    pub host: Arc<[Arc<HostFunction>]>,
    /// The members of the types of the host, by number.
    pub members: Arc<[Members]>,
    pub tiles: Arc<dyn TileAccess>,
    pub debug: Arc<DebugSink>,
    /// The host's clock, if it gave one.
    pub clock: Option<Arc<Clock>>,
    /// Parameters of the run by name.
    pub parameters: Arc<[(String, Parameter)]>,
    /// The latest failure message. Backtracking does not undo it.
    pub failure_message: Option<String>,
    /// Tallies and pictures for observers.
    pub record: crate::host::record::Record,
    /// The number of failure messages so far, for observers.
    pub failure_messages: u64,
    /// The latest change of a collection by a built-in, for observers.
    pub changed: Option<Value>,
    /// The board on which the latest constraint could not hold, for a proof of that.
    pub refused: RefusedBoard,
    /// The values that the host holds.
    pub roots: Roots,
    /// What `decide` has learned from failures.
    pub learning: crate::search::learning::Learning,
    /// Work that takes more than a piece.
    pub current_work: CurrentWork,
    /// The size of its pieces.
    pub piece: PieceSize,
}

/// A board with a constraint that could not hold when it was posted, as it was before the constraint was removed
/// again.
#[derive(Clone, Default)]
pub struct RefusedBoard {
    /// Whether it is recorded.
    pub is_wanted: bool,
    /// The board, as it was before its branch failed.
    pub latest: Option<Box<Refused>>,
}

/// The recorded state of a refused board.
#[derive(Clone)]
pub struct Refused {
    /// Its container, to be compared only.
    pub container: Value,
    /// With the constraint.
    pub solver: ndscript_solver::Solver,
    /// The places that the program had given, see `Heap::givens`.
    pub givens: Vec<(u32, Vec<u64>)>,
    /// Its values, in words.
    pub values: Vec<String>,
}

impl Names for Context {
    fn function(&self, function: u32) -> Option<&str> {
        self.code.functions.get(function as usize)?.name.as_deref()
    }

    fn native(&self, native: u32) -> &str {
        self.natives
            .get(native as usize)
            .map_or("", |native| &native.name)
    }

    fn method(&self, rules: u32, method: u32) -> &str {
        let member = self
            .members
            .get(rules as usize)
            .and_then(|members| members.get(method as usize));
        member.map_or("", |member| &member.name)
    }
}

/// From this size on the allocator is asked beforehand: the limit may exceed the memory of the machine.
const PROBED: usize = 1 << 30;

/// Whether the allocator can provide this number of bytes. They are freed at once, untouched.
#[cold]
fn can_be_had(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

/// At most this many characters of a script's message are shown.
const WORDS: usize = 4000;

/// The noun for values of a kind.
pub fn noun(kind: Kind) -> &'static str {
    match kind {
        Kind::Null | Kind::Unset | Kind::Variable => "null",
        Kind::Boolean => "a Boolean",
        Kind::Integer | Kind::Float | Kind::BoxedFloat => "a number",
        Kind::Text => "a string",
        Kind::Position => "a position",
        Kind::Array => "an array",
        Kind::Set => "a set",
        Kind::Relation => "a relation",
        Kind::Grid => "a grid",
        Kind::Object => "an object",
        Kind::Queue => "a queue",
        Kind::Function | Kind::Native | Kind::Method => "a function",
        Kind::Host => "a value of the host",
    }
}

impl Context {
    /// Charges work. The machine checks the account at its next check.
    #[inline(always)]
    pub fn charge(&mut self, work: usize) {
        self.fuel -= work as i64;
    }

    /// Refunds what the instruction was charged since it began, as it starts again.
    pub fn take_back_charges(&mut self) {
        self.fuel_before -= self.heap.take_lasting_work() as i64;
        self.fuel = self.fuel_before;
        self.heap.take_work();
    }

    /// Runs an operation whose result survives a restart of the instruction, so that it is charged only once.
    pub fn once_and_for_all<T>(
        &mut self,
        work: impl FnOnce(&mut Context) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.charge_comparisons();
        let before = self.fuel;
        let result = work(self)?;
        self.charge_comparisons();
        self.fuel_before -= before - self.fuel;
        Ok(result)
    }

    /// Charges for an operation of the machine that is not cut into pieces, and whose work grows with what the script
    /// did before.
    pub fn charge_operation(&mut self, work: usize) {
        self.heap.record_operation(work);
        self.charge(work);
    }

    /// Checks that `bytes` may be allocated.
    ///
    /// # Errors
    /// [`Fault::Memory`] if garbage has to be collected first: the built-in is then called again, and must have
    /// changed nothing yet.
    #[inline]
    pub fn reserve(&mut self, bytes: usize) -> Result<(), Fault> {
        if self.fits(bytes) {
            Ok(())
        } else {
            Err(Fault::Memory(bytes))
        }
    }

    /// Makes sure that logging a write into a container fits into memory. The few bytes of small containers are
    /// counted later.
    ///
    /// # Errors
    /// As [`Context::reserve`].
    #[inline]
    pub fn reserve_write(&mut self, container: Value) -> Result<(), Fault> {
        self.changed = Some(container);
        const BYTES_WITHOUT_ASKING: usize = 1 << 16;
        let bytes = self.heap.bytes_to_write(container);
        if bytes > BYTES_WITHOUT_ASKING {
            self.reserve(bytes)
        } else {
            Ok(())
        }
    }

    /// Whether `bytes` more stay within the limit.
    #[inline]
    pub fn fits(&mut self, bytes: usize) -> bool {
        Context::fits_in(&mut self.heap, self.limits.memory, bytes)
    }

    /// As [`Context::fits`], for a heap with a limit.
    #[inline]
    pub fn fits_in(heap: &mut Heap, limit: usize, bytes: usize) -> bool {
        #[cfg(debug_assertions)]
        if heap.refuses() {
            return false;
        }
        heap.account.bytes.saturating_add(bytes) <= limit && (bytes < PROBED || can_be_had(bytes))
    }

    /// All bytes of the run.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.heap.account.bytes
    }

    /// The text of a value, as `print` shows it.
    ///
    /// # Errors
    /// A limit, if it would be longer than what may be printed.
    pub fn display(&mut self, value: Value) -> Result<String, Fault> {
        let mut out = String::new();
        self.display_to(value, &mut out)?;
        Ok(out)
    }

    /// Appends the text of a value.
    pub fn display_to(&mut self, value: Value, out: &mut String) -> Result<(), Fault> {
        self.reserve(0)?;
        let before = out.len();
        let room = self.limits.memory.saturating_sub(self.bytes());
        let shown = self
            .heap
            .show(value, self, out, self.limits.output.min(room));
        self.charge((out.len() - before) / 8 + 1);
        match shown {
            Ok(()) => Ok(()),
            // After a collection it may fit. More bytes than there are now must be requested, or a collection that
            // frees nothing would lead here again.
            Err(_) if room < self.limits.output => Err(Fault::Memory(room + 1)),
            Err(_) => Err(Fault::Limit(LimitReached::Output(self.limits.output))),
        }
    }

    /// The text of a value for messages: quoted, and cut if it is long.
    pub fn brief(&self, value: Value) -> String {
        const LENGTH: usize = 50;
        shorten(&self.heap.show_beginning(value, self, LENGTH), LENGTH)
    }

    /// A value as a message for people: as `print` shows it, cut if it is long.
    pub fn words(&self, value: Value) -> String {
        match self.heap.as_str(value) {
            Some(text) => cut(text, WORDS),
            None => shorten(&self.heap.show_beginning(value, self, WORDS), WORDS),
        }
    }

    /// A value and its type: `"abc" (a string)`.
    pub fn describe(&self, value: Value) -> String {
        match value.kind() {
            Kind::Null | Kind::Unset => "null".to_string(),
            // The text of some values begins with their type.
            Kind::Relation
            | Kind::Grid
            | Kind::Queue
            | Kind::Function
            | Kind::Native
            | Kind::Method => {
                format!("the {}", self.brief(value))
            }
            Kind::Host => match self.brief(value) {
                text if text.starts_with(self.heap.rules_of(value).name) => format!("the {text}"),
                text => format!("{text} ({})", self.host_noun(value)),
            },
            kind => format!("{} ({})", self.brief(value), noun(kind)),
        }
    }

    /// Whether a value is a set with one element, as a decided place holds it.
    pub fn is_singleton(&self, value: Value) -> bool {
        value.is_kind(Kind::Set) && self.heap.set_len(value) == 1
    }

    /// The error for an argument of the wrong kind.
    pub fn wrong_argument(&self, function: &str, wanted: &str, found: Value) -> Fault {
        let complaint = UnlocatedError::new(
            ErrorKind::Type,
            format!("`{function}` wants {wanted}, not {}", self.describe(found)),
        );
        let wants_value = ["number", "string", "true or false", "tile", "a position"]
            .iter()
            .any(|kind| wanted.contains(kind));
        let complaint = match found.kind() {
            Kind::Set if wants_value && !wanted.contains("set") => {
                complaint.with_hint(VALUE_OF_SET)
            }
            _ => complaint,
        };
        Fault::Error(Box::new(UnlocatedError {
            argument: Some(found),
            ..complaint
        }))
    }

    /// Prints a picture.
    ///
    /// # Errors
    /// The limit of pictures.
    pub fn draw(&mut self, picture: ndscript_base::picture::Picture) -> Result<(), Fault> {
        if self.output.pictures.len() >= self.limits.pictures {
            return Err(Fault::Limit(LimitReached::Pictures(self.limits.pictures)));
        }
        let added = self.output.draw(picture);
        self.heap.allocated(added);
        Ok(())
    }

    /// Records the cost of comparing and freezing.
    #[inline]
    pub fn charge_comparisons(&mut self) {
        let work = self.heap.take_work();
        self.charge(work as usize);
    }

    /// A float or integer as a value.
    pub fn number(&mut self, value: f64) -> Result<Value, Fault> {
        self.heap
            .float(value)
            .map_err(|fault| number_fault(fault, "the result"))
    }
}

/// The error for a number that does not exist.
pub fn number_fault(fault: ndscript_heap::number::NumberFault, what: &str) -> Fault {
    match fault {
        ndscript_heap::number::NumberFault::Overflow => Fault::error(
            ErrorKind::Overflow,
            format!("integer overflow: {what} is beyond 9007199254740991"),
        ),
        ndscript_heap::number::NumberFault::NotFinite => Fault::error(
            ErrorKind::Arithmetic,
            format!("{what} is not a finite number"),
        ),
    }
}
