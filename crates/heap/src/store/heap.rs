//! Everything that a run owns beyond its registers: objects by kind, tables of interned ones, globals, and the
//! trail that undoes changes.

use std::cell::Cell;

use ndscript_base::budget::{Budget, VISITS_OF_STEP};
use ndscript_base::keyed::KeyedSet;

use super::arena::Arena;
use super::deep::BlockCache;
use super::handle_table::HandleTable;
use super::protected_ranges::ProtectedRanges;
use super::trail::{Entry, HANDLE_BITS, Trail};
use crate::board::{Board, DeadEnd};
use crate::kinds::array::Array;
use crate::kinds::function::{Closure, Variable};
use crate::kinds::grid::Grid;
use crate::kinds::growing::Buffer;
use crate::kinds::hosted::Hosts;
use crate::kinds::object::Object;
use crate::kinds::queue::Queue;
use crate::kinds::text::Text;
use crate::sets::memo::Memo;
use crate::sets::relation::Relation;
use crate::sets::set::Set;
use crate::sets::treap::Node;
use crate::value::{Handle, Kind, Value};

/// A change made by no instruction of its own, for observers.
#[derive(Clone, Copy, Debug)]
pub enum Changed {
    /// A place of a grid, an array or an object.
    Place(Value, usize),
    /// All of a collection, or a value of the host.
    Whole(Value),
    /// A global variable, by its slot.
    Global(u32),
    /// The variable in a box.
    Variable(Handle),
}

/// The objects of a run.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    pub texts: Arena<Text>,
    /// The buffers of growing texts.
    pub buffers: Arena<Buffer>,
    pub floats: Arena<f64>,
    pub arrays: Arena<Array>,
    pub sets: Arena<Set>,
    pub nodes: Arena<Node>,
    pub relations: Arena<Relation>,
    pub grids: Arena<Grid>,
    pub objects: Arena<Object>,
    pub queues: Arena<Queue>,
    pub functions: Arena<Closure>,
    pub variables: Arena<Variable>,
    /// The boards of containers with constraints.
    pub boards: Arena<Board>,
    /// Values of types of the host.
    pub hosts: Hosts,
    /// Global variables by slot.
    pub globals: Vec<Variable>,

    pub(crate) interned: InternTables,

    pub(crate) trail: Trail,
    pub(crate) protected: ProtectedRanges,
    /// Whether the growth of a text was ever logged.
    pub logs_texts: bool,
    /// Whether the host may hold texts of the branch that is undone.
    pub host_holds: bool,
    pub branch: BranchValues,
    pub serials: Serials,
    pub account: Account,
    /// Whether there ever was a view of a grid moment.
    pub has_views: bool,
    pub observed: Observed,
    /// The board that has reached its fixpoint and has functions due before the next instruction.
    pub board_with_due_functions: Option<Value>,
    /// Whether there ever was a board on which undoing a constraint takes long, because many places are constrained.
    pub has_large_boards: bool,
}

/// Values that a failure restores, with the serials under which they were last logged.
#[derive(Clone, Debug)]
pub struct BranchValues {
    /// The sum of `cost` on this branch.
    pub spent: Value,
    pub(crate) spent_stamp: u64,
    /// The name for constraints posted now: a string, or null.
    pub rule_name: Value,
    pub(crate) rule_name_stamp: u64,
}

impl Default for BranchValues {
    fn default() -> BranchValues {
        BranchValues {
            spent: Value::ZERO,
            spent_stamp: 0,
            rule_name: Value::NULL,
            rule_name_stamp: 0,
        }
    }
}

/// Where interned objects are found by their content.
#[derive(Clone, Debug, Default)]
pub(crate) struct InternTables {
    pub texts: HandleTable,
    pub floats: HandleTable,
    pub frozen: HandleTable,
    pub sets: HandleTable,
    pub nodes: HandleTable,
    /// Results of operations on sets.
    pub memo: Memo,
}

/// Serial numbers: of choice points, and of what must be told apart by its age.
#[derive(Clone, Debug, Default)]
pub struct Serials {
    /// The serial of the latest choice point, 0 when there is none. An object logged under an older one is logged
    /// again before it changes.
    pub top: u64,
    /// The serial under which `minimize` stored its best solution. That solution may need everything made up to then:
    /// every change is logged from there on, also of objects that no choice point would restore. 0 where there is
    /// none.
    pub floor: u64,
    /// The largest serial given out so far.
    pub latest: u64,
    pub(crate) sequence: u64,
    /// The largest serial when the latest view of a grid moment was made.
    pub latest_view: u64,
    /// No container that the host holds was made under a later serial than this.
    pub youngest_rooted: u64,
    /// The serial of the latest failure of a board. The guesses of a call of `decide` are recorded from its first
    /// failure on: most maps are made without any.
    pub failed_at: u64,
}

/// The account of memory and work.
#[derive(Clone, Debug)]
pub struct Account {
    /// Bytes that the whole run has from the allocator, garbage included. Memory outside of the heap, such as
    /// registers, output and pictures, is entered here as well.
    pub bytes: usize,
    /// When `bytes` reaches this, garbage is collected at the next safe point.
    pub collect_at: usize,
    /// Work done inside comparing, freezing and writing out that is not charged yet.
    pub(crate) work: Cell<u64>,
    /// The part of it whose result lasts: an instruction that starts again does not repeat it.
    pub(crate) lasting_work: Cell<u64>,
    /// The most work recorded by one operation that is not cut into pieces.
    pub(crate) longest_operation: Cell<u64>,
    /// For tests: after how many requests for memory it refuses.
    #[cfg(debug_assertions)]
    pub refuse_at: Option<std::num::NonZeroU64>,
    /// For tests: whether it refuses only once.
    #[cfg(debug_assertions)]
    pub refuse_once: bool,
}

/// What the heap records about boards for the machine and its observers.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// With an observer: the writes of constraints to places of boards, and of `minimize` with its best result.
    pub written: Option<Vec<Changed>>,
    /// With an observer: whether the reasons for writes by constraints are computed.
    pub gives_reasons: bool,
    /// With an observer, the latest place that was left without candidates.
    pub dead_end: Option<Box<DeadEnd>>,
    /// The constraint that left the latest emptied place without candidates, if one did.
    pub wipeout_constraint: Option<&'static str>,
    /// The board at which a guess has just failed because of its constraints, for the machine.
    pub failed_board: Option<Value>,
}

/// No collection happens before this many bytes were allocated.
pub const SMALLEST_COLLECTION: usize = 8 << 20;

/// At most this much work may be uncharged.
const MOST_UNCHARGED: u64 = 4096;

impl Default for Account {
    fn default() -> Account {
        Account {
            bytes: 0,
            collect_at: SMALLEST_COLLECTION,
            work: Cell::new(0),
            lasting_work: Cell::new(0),
            longest_operation: Cell::new(0),
            #[cfg(debug_assertions)]
            refuse_at: None,
            #[cfg(debug_assertions)]
            refuse_once: false,
        }
    }
}

impl Heap {
    /// Counts allocated bytes.
    #[inline(always)]
    pub fn allocated(&mut self, bytes: usize) {
        self.account.bytes += bytes;
    }

    /// For tests: refuses memory at the n-th request, once or from then on.
    #[cfg(debug_assertions)]
    pub fn refuse(&mut self, at: u64, once: bool) {
        self.account.refuse_at = std::num::NonZeroU64::new(at);
        self.account.refuse_once = once;
        // Checks the account at every possible point.
        self.account.collect_at = 0;
    }

    /// For tests: whether memory must be refused now, as if the limit was reached.
    #[cfg(debug_assertions)]
    pub fn refuses(&mut self) -> bool {
        use std::num::NonZeroU64;
        match self.account.refuse_at.map(NonZeroU64::get) {
            None => false,
            Some(1) => {
                if self.account.refuse_once {
                    self.account.refuse_at = None;
                }
                true
            }
            Some(left) => {
                self.account.refuse_at = NonZeroU64::new(left - 1);
                false
            }
        }
    }

    /// Records work to be charged: visits of elements, at any depth.
    #[inline]
    pub fn record_work(&self, visits: usize) {
        self.account
            .work
            .set(self.account.work.get() + visits as u64);
    }

    /// As `record_work`, for work whose result lasts.
    pub(crate) fn record_lasting_work(&self, visits: usize) {
        self.record_work(visits);
        self.account
            .lasting_work
            .set(self.account.lasting_work.get() + visits as u64);
    }

    /// Records an operation that is not cut into pieces, and that is charged elsewhere.
    pub fn record_operation(&self, visits: usize) {
        self.account
            .longest_operation
            .set(self.account.longest_operation.get().max(visits as u64));
    }

    /// The visits of the longest of these.
    pub fn longest_operation(&self) -> u64 {
        self.account.longest_operation.get()
    }

    /// The work with a lasting result since an earlier value of it.
    #[inline]
    pub fn take_lasting_work(&self) -> u64 {
        self.account.lasting_work.take()
    }

    /// The recorded work that is not charged yet.
    #[inline]
    pub fn recorded_work(&self) -> u64 {
        self.account.work.get()
    }

    /// Runs a function that records its work here, and charges that work to the budget instead.
    #[inline]
    pub fn charging_recorded<T>(&self, budget: &mut Budget, work: impl FnOnce(&Heap) -> T) -> T {
        let before = self.recorded_work();
        let result = work(self);
        self.charge_recorded_since(budget, before);
        result
    }

    /// Charges to the budget the work recorded since an earlier value of [`Heap::recorded_work`].
    #[inline]
    pub fn charge_recorded_since(&self, budget: &mut Budget, before: u64) {
        let recorded = self.recorded_work() - before;
        if recorded > 0 {
            self.withdraw_work(recorded);
            budget.spend(recorded as usize * VISITS_OF_STEP);
        }
    }

    /// Subtracts work that is charged elsewhere.
    #[inline]
    pub(crate) fn withdraw_work(&self, work: u64) {
        self.account
            .work
            .set(self.account.work.get().saturating_sub(work));
    }

    /// Takes the work that is not charged yet.
    #[inline]
    pub fn take_work(&self) -> u64 {
        self.account.work.take()
    }

    /// Whether the machine should check its limits, because garbage should be collected or much work was done.
    #[inline(always)]
    pub fn wants_check(&self) -> bool {
        self.account.bytes >= self.account.collect_at || self.account.work.get() > MOST_UNCHARGED
    }

    /// Whether garbage should be collected at the next safe point.
    #[inline]
    pub fn wants_collection(&self) -> bool {
        self.account.bytes >= self.account.collect_at
    }

    pub(crate) fn next_sequence(&mut self) -> u64 {
        self.serials.sequence += 1;
        self.serials.sequence
    }

    /// Whether going back to the choice point with this serial may leave the host with views of versions that no
    /// longer exist.
    #[inline(always)]
    pub fn must_settle(&self, serial: u64) -> bool {
        serial <= self.serials.youngest_rooted && self.has_views
    }

    /// A new serial number for a choice point that is made or resumed.
    #[inline]
    pub fn next_serial(&mut self) -> u64 {
        self.serials.latest += 1;
        self.serials.latest
    }

    /// Sets the latest choice point, by its serial (0: none).
    #[inline]
    pub fn set_top(&mut self, serial: u64) {
        self.serials.top = serial.max(self.serials.floor);
    }

    /// The height of the trail.
    #[inline]
    pub fn trail_mark(&self) -> usize {
        self.trail.len()
    }

    /// An entry of the trail, for callers that read the next one, too.
    pub fn trail_entry(&self, at: usize, look: &mut BlockCache<Entry>) -> Option<Entry> {
        self.trail.look(at, look)
    }

    /// The entries of the trail from one on.
    pub fn trail_from(&self, at: usize) -> impl Iterator<Item = Entry> + '_ {
        self.trail.iter_from(at)
    }

    /// All slots of an array, an object, a queue or a grid, as they are.
    pub fn slots_of(&self, container: Value) -> &[Value] {
        let handle = container.payload();
        match container.kind() {
            Kind::Array => self.arrays[handle].slots.values(),
            Kind::Object => self.objects[handle].slots(),
            Kind::Grid => self.grids[handle].slots.values(),
            _ => self.queues[handle].values(),
        }
    }

    /// The bytes that logging a write into an array, an object, a queue or a grid takes.
    #[inline]
    pub fn bytes_to_write(&self, container: Value) -> usize {
        let handle = container.payload();
        match container.kind() {
            Kind::Array => self.arrays[handle].slots.bytes_to_log(self.serials.top),
            Kind::Grid => self.grids[handle].slots.bytes_to_log(self.serials.top),
            Kind::Object => self.objects[handle].bytes_to_log(self.serials.top),
            Kind::Queue => self.queues[handle].bytes_to_log(self.serials.top),
            _ => 0,
        }
    }

    /// Writes all slots of an array, an object or a queue.
    pub fn set_slots(&mut self, container: Value, values: &[Value]) {
        let handle = container.payload();
        match container.kind() {
            Kind::Array => {
                while self.elements(handle).len() > values.len() {
                    self.pop_element(handle);
                }
                for (at, value) in values.iter().enumerate() {
                    if at < self.array_len(handle) {
                        self.set_element(handle, at, *value);
                    } else {
                        self.push_element(handle, *value);
                    }
                }
            }
            Kind::Object => self.set_object_slots(handle, values),
            _ => self.set_queue_slots(handle, values),
        }
    }

    /// Writes out every view of a grid moment that values reach. Returns the largest serial under which a container
    /// on the path was made.
    pub fn write_out_reachable(&mut self, mut work: Vec<Value>) -> u64 {
        let mut seen: KeyedSet<Value> = KeyedSet::default();
        let mut youngest = 0;
        while let Some(value) = work.pop() {
            let handle = value.payload();
            let has_parts = matches!(
                value.kind(),
                Kind::Array
                    | Kind::Set
                    | Kind::Relation
                    | Kind::Grid
                    | Kind::Object
                    | Kind::Queue
                    | Kind::Function
                    | Kind::Variable
            );
            if !has_parts || !seen.insert(value) {
                continue;
            }
            if value.is_kind(Kind::Array) {
                self.write_out(handle);
            }
            let (born, parts): (u64, &[Value]) = match value.kind() {
                Kind::Array => (
                    self.arrays[handle].slots.born(),
                    self.arrays[handle].slots.values(),
                ),
                Kind::Object => (self.objects[handle].born(), self.objects[handle].slots()),
                Kind::Queue => (self.queues[handle].born(), self.queues[handle].values()),
                Kind::Grid => (
                    self.grids[handle].slots.born(),
                    self.grids[handle].slots.values(),
                ),
                Kind::Function => (0, &self.functions[handle].captured),
                Kind::Variable => (
                    self.variables[handle].stamp,
                    &[self.variables[handle].value][..],
                ),
                Kind::Set => {
                    work.extend(self.set_elements(value));
                    continue;
                }
                _ => {
                    work.extend(
                        self.relations[handle]
                            .pairs
                            .iter()
                            .flat_map(|(left, right)| [*left, *right]),
                    );
                    continue;
                }
            };
            youngest = youngest.max(born);
            work.extend_from_slice(parts);
        }
        youngest
    }

    /// Whether handles or heights of the trail are nearly used up, which few limits of memory allow.
    pub fn is_full(&self) -> bool {
        const ALMOST_ALL: usize = (1 << HANDLE_BITS) - (1 << 20);
        [
            self.arrays.places(),
            self.grids.places(),
            self.objects.places(),
            self.queues.places(),
            self.variables.places(),
            self.nodes.places(),
            self.texts.places(),
            self.buffers.places(),
            self.hosts.places.places(),
        ]
        .into_iter()
        .any(|places| places > ALMOST_ALL)
            || self.trail.is_full()
    }
}
