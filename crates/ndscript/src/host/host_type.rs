//! Types of the host: what scripts can do with their values, and what runs can.

use std::any::TypeId;
use std::cmp::Ordering;
use std::fmt::Display;
use std::marker::PhantomData;
use std::sync::Arc;

use super::function::{HostError, HostOutput, unnamed_parameters};
use super::hosted::{HostValue, noun};
use super::method::{HostMethod, HostMethodMut, changing, looking};
use ndscript_base::room::block;
use ndscript_heap::kinds::hosted::SavedStates;
use ndscript_heap::kinds::hosted::{HostState, State, StateOf, StateUndo, TypeRules};
use ndscript_heap::outside::data::Data;
use ndscript_machine::host::hosted::{Member, Members, MethodFunction};

/// A type of the host with its methods, and the operations that runs can do with its values.
/// [`Engine::with_type`](crate::Engine::with_type) registers it.
///
/// By default, values can be held and passed around, are equal only to themselves, show as the name of the type, and
/// their methods can be called. Anything else has to be enabled here:
///
/// | | with | without |
/// | --- | --- | --- |
/// | going back to an earlier guess undoes changes | [`cloned`] or [`undone_by`] | changes stay: the state is outside of the search |
/// | a clone of the run ([`Run::fork`]) | [`cloned`] | `fork` is an error; in a plain clone, using the value is one |
/// | `copy`, `deepCopy`, results of `solutions` | [`cloned`], or no method that changes | an error of the script |
/// | elements of sets, pairs of relations, `sorted`, `==` by content | [`ordered`] | an error of the script; `==` by identity |
/// | [`Run::save`] | [`saved`] or [`saved_by`] | an error that names the type |
/// | text and [`Data`] outside of the run | [`shown`], [`data_by`] | the name of the type |
/// | memory that a value owns | [`sized_by`] | counted as `size_of::<T>()` |
///
/// A set holds values as they were when they were inserted: copies that no method changes. So an ordered type with
/// changing methods has to be cloned as well.
///
/// Values hold nothing of the run: no handles, no other values of scripts. A value that no script can reach any more is
/// dropped when garbage is collected.
///
/// ```
/// use ndscript::{Engine, HostType, HostValue};
///
/// #[derive(Clone, Default)]
/// struct Inventory { items: Vec<String> }
///
/// impl HostValue for Inventory {
///     const NAME: &'static str = "inventory";
/// }
///
/// let inventory = HostType::<Inventory>::new()
///     .about("What somebody carries.")
///     .method_mut("add", |this: &mut Inventory, item: String| {
///         this.items.push(item);
///         Ok(())
///     })
///     .with_doc("item", "Puts an item in.")
///     .method("has", |this: &Inventory, item: &str| Ok(this.items.iter().any(|held| held == item)))
///     .getter("count", |this: &Inventory| Ok(this.items.len()))
///     .cloned()
///     .sized_by(|this| this.items.iter().map(|item| item.capacity() + 32).sum());
/// let engine = Engine::new().with_type(inventory).with_function("inventory", || Ok(Inventory::default()));
/// let program = engine.compile(
///     "var bag = inventory();
///      foreach (item in [\"rope\", \"lamp\", \"map\"]) { choose first bag.add(item); or {} }
///      require(bag.count == 2 && !bag.has(\"lamp\"));
///      print(bag.count, bag.has(\"map\"));",
/// )?;
/// assert_eq!(program.run(1).next().unwrap().unwrap().text, "2true");
/// # Ok::<(), ndscript::CompileError>(())
/// ```
///
/// [`cloned`]: HostType::cloned
/// [`undone_by`]: HostType::undone_by
/// [`ordered`]: HostType::ordered
#[cfg_attr(feature = "serde", doc = "[`saved`]: HostType::saved")]
#[cfg_attr(not(feature = "serde"), doc = "[`saved`]: HostType")]
/// [`saved_by`]: HostType::saved_by
/// [`Run::save`]: crate::Run::save
/// [`Run::fork`]: crate::Run::fork
/// [`shown`]: HostType::shown
/// [`data_by`]: HostType::data_by
/// [`sized_by`]: HostType::sized_by
#[must_use = "a type does nothing until an engine has it: `Engine::with_type`"]
pub struct HostType<T> {
    rules: TypeRules,
    undo: Option<StateUndo>,
    members: Vec<Member>,
    docs: Vec<MemberDoc>,
    about: Arc<str>,
    of: PhantomData<fn() -> T>,
}

/// The documentation of a member.
#[derive(Clone)]
pub(crate) struct MemberDoc {
    pub changes: bool,
    /// Whether it is no name that scripts call, but what happens at a sign of the language.
    pub is_sign: bool,
    pub parameters: Arc<str>,
    pub doc: Arc<str>,
}

/// A type of the host as an engine has it.
#[derive(Clone)]
pub(crate) struct TypeEntry {
    pub rules: Arc<TypeRules>,
    pub members: Members,
    pub docs: Arc<[MemberDoc]>,
    pub about: Arc<str>,
}

/// The state as this type, if it is one.
fn state_as<T: 'static>(state: &HostState) -> Option<&T> {
    state.downcast_ref()
}

fn boxed<T: Send + 'static>(state: T) -> State {
    Box::new(state)
}

/// The operators that a type can have.
const OPERATORS: [&str; 5] = ["+", "-", "*", "/", "%"];

fn no_operator(operator: &str) -> String {
    format!("{operator:?} is no operator that a type of the host can have: these are + - * / %")
}

/// How the state of a type is cloned.
fn cloning<T: Clone + Send + 'static>() -> StateOf {
    Box::new(|state: &HostState| state_as::<T>(state).cloned().map(boxed))
}

impl<T: HostValue> Default for HostType<T> {
    fn default() -> HostType<T> {
        HostType::new()
    }
}

impl<T: HostValue> HostType<T> {
    /// A type without methods.
    pub fn new() -> HostType<T> {
        // So that the compiler checks the name of every type that is registered.
        const { assert!(!noun::<T>().is_empty()) };
        let rules = TypeRules {
            id: TypeId::of::<T>(),
            name: T::NAME,
            changes: false,
            clone: None,
            undo: StateUndo::Outside,
            order: None,
            equality: None,
            show: None,
            size: Box::new(|_: &HostState| block(size_of::<T>())),
            data: None,
            save: None,
        };
        let about = "A type of the host.".into();
        HostType {
            rules,
            undo: None,
            members: Vec::new(),
            docs: Vec::new(),
            about,
            of: PhantomData,
        }
    }

    /// Adds a member, in place of one with the same name.
    pub(crate) fn member(
        mut self,
        name: &str,
        arity: (u32, Option<u32>),
        is_field: bool,
        function: Arc<MethodFunction>,
        doc: MemberDoc,
    ) -> HostType<T> {
        let member = Member {
            name: name.into(),
            least: arity.0,
            most: arity.1,
            is_field,
            function,
        };
        if let Some(at) = self.members.iter().position(|known| *known.name == *name) {
            self.members.remove(at);
            self.docs.remove(at);
        }
        self.members.push(member);
        self.docs.push(doc);
        self
    }

    /// Adds a method that reads the value and does not change it: `value.name(...)`. Its arguments and results are
    /// those of a host function ([`Engine::with_function`](crate::Engine::with_function)), alternatives included. It
    /// hides an earlier method of that name.
    ///
    /// In a script `value.name` is a function: it can be passed on like any other.
    pub fn method<Arguments: 'static>(
        self,
        name: &str,
        method: impl HostMethod<T, Arguments>,
    ) -> HostType<T> {
        fn parts<T, A, M: HostMethod<T, A>>(_: &M) -> ((u32, Option<u32>), String) {
            (M::ARITY, unnamed_parameters(M::COUNTS, M::ARITY.0))
        }
        let (arity, parameters) = parts(&method);
        let doc = MemberDoc {
            changes: false,
            is_sign: false,
            parameters: parameters.into(),
            doc: "A method of the host.".into(),
        };
        self.member(
            name,
            arity,
            false,
            Arc::new(looking(format!("{}.{name}", T::NAME), method)),
            doc,
        )
    }

    /// Adds a method that changes the value. Before it runs, the run stores what it needs to undo the change: at most
    /// once for each choice point, and only if the type has an undo ([`HostType::cloned`], [`HostType::undone_by`]).
    ///
    /// While it runs, the value is nowhere else: a call like `a.merge(a)` is an error.
    pub fn method_mut<Arguments: 'static>(
        mut self,
        name: &str,
        method: impl HostMethodMut<T, Arguments>,
    ) -> HostType<T> {
        fn parts<T, A, M: HostMethodMut<T, A>>(_: &M) -> ((u32, Option<u32>), String) {
            (M::ARITY, unnamed_parameters(M::COUNTS, M::ARITY.0))
        }
        self.rules.changes = true;
        let (arity, parameters) = parts(&method);
        let doc = MemberDoc {
            changes: true,
            is_sign: false,
            parameters: parameters.into(),
            doc: "A method of the host.".into(),
        };
        self.member(
            name,
            arity,
            false,
            Arc::new(changing(format!("{}.{name}", T::NAME), method)),
            doc,
        )
    }

    /// Adds a field that is read without being called: `value.name`. It cannot be assigned.
    pub fn getter<Way: 'static, Output: HostOutput<Way>>(
        self,
        name: &str,
        getter: impl Fn(&T) -> Output + Send + Sync + 'static,
    ) -> HostType<T> {
        let doc = MemberDoc {
            changes: false,
            is_sign: false,
            parameters: "".into(),
            doc: "A field of the host.".into(),
        };
        let function = looking::<T, (Way,), _>(format!("{}.{name}", T::NAME), getter);
        self.member(name, (0, Some(0)), true, Arc::new(function), doc)
    }

    fn sign(
        self,
        sign: &str,
        count: u32,
        changes: bool,
        function: Arc<MethodFunction>,
    ) -> HostType<T> {
        let doc = MemberDoc {
            changes,
            is_sign: true,
            parameters: "".into(),
            doc: "".into(),
        };
        self.member(sign, (count, Some(count)), false, function, doc)
    }

    /// Adds a field that scripts assign: `value.name = x`, `value.name += x`. Its result is ignored, unless it is an
    /// error. To be read the field needs its [`getter`](HostType::getter), too.
    ///
    /// ```
    /// use ndscript::{Engine, HostError, HostType, HostValue};
    /// #[derive(Clone)]
    /// struct Lamp(i64);
    /// impl HostValue for Lamp { const NAME: &'static str = "lamp"; }
    /// let lamp = HostType::<Lamp>::new().cloned().getter("light", |lamp: &Lamp| lamp.0).setter(
    ///     "light",
    ///     |lamp: &mut Lamp, light: i64| -> Result<(), HostError> {
    ///         if light > 9 { return Err(HostError::new("that is too bright")); }
    ///         lamp.0 = light;
    ///         Ok(())
    ///     },
    /// );
    /// let engine = Engine::new().with_type(lamp).with_function("lamp", || Lamp(3));
    /// let program = engine.compile("let l = lamp(); choose first { l.light += 4; fail; } or { l.light = 5; } print(l.light);")?;
    /// assert_eq!(program.run(1).next().unwrap().unwrap().text, "5");
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn setter<Arguments: 'static>(
        self,
        name: &str,
        setter: impl HostMethodMut<T, Arguments>,
    ) -> HostType<T> {
        let function = changing(format!("{}.{name} =", T::NAME), setter);
        self.sign(&format!("{name}="), 1, true, Arc::new(function))
    }

    /// Adds elements that scripts read: `value[index]`, with an index of any type that an argument can have.
    ///
    /// ```
    /// use ndscript::{Engine, HostError, HostType, HostValue};
    /// #[derive(Clone, PartialEq)]
    /// struct Scores(Vec<i64>);
    /// impl HostValue for Scores { const NAME: &'static str = "scores"; }
    /// let scores = HostType::<Scores>::new()
    ///     .cloned()
    ///     .index(|scores: &Scores, at: usize| -> Result<i64, HostError> {
    ///         scores.0.get(at).copied().ok_or_else(|| HostError::new(format!("there is no score {at}")))
    ///     })
    ///     .index_mut(|scores: &mut Scores, at: usize, score: i64| scores.0[at] = score)
    ///     .elements(|scores: &Scores| scores.0.clone())
    ///     .operator("+", |scores: &Scores, more: i64| Scores(scores.0.iter().map(|score| score + more).collect()))
    ///     .equal();
    /// let engine = Engine::new().with_type(scores).with_function("scores", |all: Vec<i64>| Scores(all));
    /// let program = engine.compile(
    ///     "let a = scores([1, 2]), total = 0; a[1] = 7;
    ///      foreach (score in a + 10) total += score;
    ///      print(a[1], ' ', total, ' ', a == scores([1, 7]));",
    /// )?;
    /// assert_eq!(program.run(1).next().unwrap().unwrap().text, "7 28 true");
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn index<Arguments: 'static>(self, index: impl HostMethod<T, Arguments>) -> HostType<T> {
        let function = looking(format!("{}[]", T::NAME), index);
        self.sign("[]", 1, false, Arc::new(function))
    }

    /// Adds elements that scripts assign: `value[index] = x`. See [`HostType::index`].
    pub fn index_mut<Arguments: 'static>(
        self,
        index: impl HostMethodMut<T, Arguments>,
    ) -> HostType<T> {
        let function = changing(format!("{}[] =", T::NAME), index);
        self.sign("[]=", 2, true, Arc::new(function))
    }

    /// Adds the elements for `foreach`: a list or a set of values. See [`HostType::index`].
    pub fn elements<Arguments: 'static>(
        self,
        elements: impl HostMethod<T, Arguments>,
    ) -> HostType<T> {
        let function = looking(format!("foreach of {}", T::NAME), elements);
        self.sign("foreach", 0, false, Arc::new(function))
    }

    /// Adds an operator, `+`, `-`, `*`, `/` or `%`, whose left operand is a value of the type. It gets the right one,
    /// which may be of any type that an argument can have. See [`HostType::index`].
    ///
    /// # Panics
    /// If there is no such operator.
    pub fn operator<Arguments: 'static>(
        self,
        operator: &str,
        operate: impl HostMethod<T, Arguments>,
    ) -> HostType<T> {
        assert!(OPERATORS.contains(&operator), "{}", no_operator(operator));
        let function = looking(format!("{} {operator}", T::NAME), operate);
        self.sign(operator, 1, false, Arc::new(function))
    }

    /// Adds an operator whose right operand is a value of the type, for left operands that do not define it: in `2 * v`
    /// it gets the 2.
    ///
    /// ```
    /// use ndscript::{Engine, HostType, HostValue};
    /// #[derive(Clone)]
    /// struct Metres(f64);
    /// impl HostValue for Metres { const NAME: &'static str = "metres"; }
    /// let metres = HostType::<Metres>::new()
    ///     .cloned()
    ///     .getter("number", |metres: &Metres| metres.0)
    ///     .operator("+", |a: &Metres, b: &Metres| Metres(a.0 + b.0))
    ///     .operator_of_trait("*", |metres: &Metres, times: f64| Metres(metres.0 * times));
    /// let engine = Engine::new().with_type(metres).with_function("metres", |number: f64| Metres(number));
    /// let program = engine.compile("print((metres(3) + 2 * metres(1.5)).number);")?;
    /// assert_eq!(program.run(1).next().unwrap().unwrap().text, "6");
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such operator.
    pub fn operator_of_trait<Arguments: 'static>(
        self,
        operator: &str,
        operate: impl HostMethod<T, Arguments>,
    ) -> HostType<T> {
        assert!(OPERATORS.contains(&operator), "{}", no_operator(operator));
        let function = looking(format!("{operator} {}", T::NAME), operate);
        self.sign(&format!("{operator} behind"), 1, false, Arc::new(function))
    }

    /// Adds an equality for `==`, for a type without an [order](HostType::ordered): two values with equal states are
    /// equal. Without either, a value is equal only to itself.
    pub fn equal(self) -> HostType<T>
    where
        T: PartialEq,
    {
        self.equal_by(T::eq)
    }

    /// Adds an equality that the host defines.
    pub fn equal_by(
        mut self,
        equality: impl Fn(&T, &T) -> bool + Send + Sync + 'static,
    ) -> HostType<T> {
        let of_states = move |a: &HostState, b: &HostState| match (state_as(a), state_as(b)) {
            (Some(a), Some(b)) => equality(a, b),
            _ => false,
        };
        self.rules.equality = Some(Box::new(of_states));
        self
    }

    /// Documents the method or field that was added last, for completion and documentation: its parameters, optional
    /// ones in brackets, and one line on what it does.
    pub fn with_doc(mut self, parameters: &str, doc: &str) -> HostType<T> {
        if let Some(last) = self.docs.last_mut() {
            last.parameters = parameters.into();
            last.doc = doc.into();
        }
        self
    }

    /// Gives the type another name than [`HostValue::NAME`], for tools that know types by their description alone.
    ///
    /// ```
    /// use ndscript::{Engine, HostType, HostValue};
    /// struct Described;
    /// impl HostValue for Described { const NAME: &'static str = "described"; }
    /// let engine = Engine::new().with_type(HostType::<Described>::new().named("door"));
    /// assert_eq!(engine.types().next().unwrap().name, "door");
    /// ```
    pub fn named(mut self, name: &'static str) -> HostType<T> {
        self.rules.name = name;
        self
    }

    /// Documents the type in one line.
    pub fn about(mut self, doc: &str) -> HostType<T> {
        self.about = doc.into();
        self
    }

    /// Enables clones. A change is undone by a clone from before it (unless [`HostType::undone_by`] or
    /// [`HostType::never_undone`] say otherwise), a clone of the run has clones of its values, and scripts can copy
    /// them.
    ///
    /// Without it, a clone of a run has no state for the value: each use of it there is an error of the script.
    /// [`Run::fork`](crate::Run::fork) reports that beforehand.
    pub fn cloned(mut self) -> HostType<T>
    where
        T: Clone,
    {
        self.rules.clone = Some(cloning::<T>());
        self
    }

    /// Undoes changes by mementos: `take` makes one before a change, and `put_back` restores the state that a value had
    /// then, whatever has happened to it since. That can be an earlier state, and for `minimize`, which repeats its
    /// best attempt, also one that was undone.
    ///
    /// A memento counts as much memory as the value.
    ///
    /// ```
    /// use ndscript::{Engine, HostType, HostValue};
    ///
    /// /// A large board, of which only the position of the pawn changes.
    /// struct Board { squares: Vec<u8>, pawn: usize }
    /// impl HostValue for Board { const NAME: &'static str = "board"; }
    ///
    /// let board = HostType::<Board>::new()
    ///     .method_mut("walk", |board: &mut Board, by: usize| {
    ///         board.pawn = (board.pawn + by) % board.squares.len();
    ///         Ok(board.pawn)
    ///     })
    ///     .getter("pawn", |board: &Board| Ok(board.pawn))
    ///     .undone_by(|board| board.pawn, |board, pawn| board.pawn = pawn);
    /// let engine = Engine::new()
    ///     .with_type(board)
    ///     .with_function("board", |size: usize| Ok(Board { squares: vec![0; size], pawn: 0 }));
    /// let program = engine.compile(
    ///     "var b = board(1000); foreach (i in range(3)) b.walk(choose(1, 10)); require(b.pawn == 21); print(b.pawn);",
    /// )?;
    /// assert_eq!(program.run(1).count(), 3);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn undone_by<Memento: Clone + Send + 'static>(
        mut self,
        take: impl Fn(&T) -> Memento + Send + Sync + 'static,
        put_back: impl Fn(&mut T, Memento) + Send + Sync + 'static,
    ) -> HostType<T> {
        self.undo = Some(StateUndo::Memento {
            take: Box::new(move |state: &HostState| {
                state_as::<T>(state).map(|value| boxed(take(value)))
            }),
            put_back: Box::new(move |state: &mut HostState, memento: State| {
                if let (Some(value), Ok(memento)) =
                    (state.downcast_mut::<T>(), memento.downcast::<Memento>())
                {
                    put_back(value, *memento);
                }
            }),
            clone: cloning::<Memento>(),
        });
        self
    }

    /// Keeps changes when the search backtracks, although the values can be cloned: for counters and logs of the search
    /// itself.
    pub fn never_undone(mut self) -> HostType<T> {
        self.undo = Some(StateUndo::Outside);
        self
    }

    /// Orders values by `Ord`: values that it finds equal are `==`, and they can be elements of sets, in this order,
    /// after all other elements.
    pub fn ordered(self) -> HostType<T>
    where
        T: Ord,
    {
        self.ordered_by(T::cmp)
    }

    /// Orders values by a function of the host. It has to be a total order that never changes.
    pub fn ordered_by(
        mut self,
        order: impl Fn(&T, &T) -> Ordering + Send + Sync + 'static,
    ) -> HostType<T> {
        self.rules.order = Some(Box::new(move |a: &HostState, b: &HostState| {
            match (state_as(a), state_as(b)) {
                (Some(a), Some(b)) => order(a, b),
                _ => Ordering::Equal,
            }
        }));
        self
    }

    /// Shows values by `Display`, as `print` does.
    pub fn shown(self) -> HostType<T>
    where
        T: Display,
    {
        self.shown_by(T::to_string)
    }

    /// Shows values by a function of the host, as `print` does.
    pub fn shown_by(mut self, show: impl Fn(&T) -> String + Send + Sync + 'static) -> HostType<T> {
        self.rules.show = Some(Box::new(move |state: &HostState| {
            state_as(state).map(&show).unwrap_or_default()
        }));
        self
    }

    /// Reports the memory of a value: the bytes that it owns beyond `size_of::<T>()`, such as those of its `Vec`s. They
    /// count for [`Limits::memory`](crate::Limits::memory), and are computed when a value enters the run and after each
    /// method that changes it.
    pub fn sized_by(mut self, size: impl Fn(&T) -> usize + Send + Sync + 'static) -> HostType<T> {
        self.rules.size = Box::new(move |state: &HostState| {
            block(size_of::<T>()).saturating_add(state_as(state).map_or(0, &size))
        });
        self
    }

    /// Converts values to data: their form in [`Solution`](crate::Solution)s and wherever else values leave the run.
    /// Without it, that is [`Data::Host`].
    ///
    /// ```
    /// # use ndscript::{Data, Engine, HostType, HostValue};
    /// # #[derive(Default)]
    /// # struct Score { points: i64 }
    /// # impl HostValue for Score { const NAME: &'static str = "score"; }
    /// let kind = HostType::<Score>::new().data_by(|score| Data::object([("points", score.points.into())]));
    /// let engine = Engine::new().with_type(kind).with_function("score", || Ok(Score::default()));
    /// let solution = engine.compile("return [score()];")?.run(1).next().unwrap()?;
    /// assert_eq!(solution.value.to_string(), "[{points: 0}]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn data_by(mut self, data: impl Fn(&T) -> Data + Send + Sync + 'static) -> HostType<T> {
        self.rules.data = Some(Box::new(move |state: &HostState| {
            state_as(state).map(&data).unwrap_or_default()
        }));
        self
    }

    /// Saves values as bytes, in any form that the host likes. Saved runs from others may contain any bytes: reading
    /// them must end in an error, not in a panic. (A key rules that out:
    /// [`Engine::with_save_key`](crate::Engine::with_save_key).)
    ///
    /// ```
    /// # use ndscript::{Engine, HostError, HostType, HostValue};
    /// # struct Seed(u64);
    /// # impl HostValue for Seed { const NAME: &'static str = "seed"; }
    /// let kind = HostType::<Seed>::new().saved_by(
    ///     |seed| Ok(seed.0.to_le_bytes().to_vec()),
    ///     |bytes| Ok(Seed(u64::from_le_bytes(bytes.try_into().map_err(|_| HostError::new("not eight bytes"))?))),
    /// );
    /// let engine = Engine::new().with_type(kind).with_function("seed", || Ok(Seed(7)));
    /// let program = engine.compile("var s = seed(); print(typeOf(s));")?;
    /// let mut run = program.run(1);
    /// run.next().unwrap()?;
    /// let restored = engine.restore(&program, &run.save()?)?;
    /// assert_eq!(restored.host_value::<Seed>(&restored.global("s").unwrap())?.0, 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn saved_by(
        mut self,
        save: impl Fn(&T) -> Result<Vec<u8>, HostError> + Send + Sync + 'static,
        load: impl Fn(&[u8]) -> Result<T, HostError> + Send + Sync + 'static,
    ) -> HostType<T> {
        self.rules.save = Some(SavedStates {
            save: Box::new(move |state: &HostState| {
                let value = state_as(state).ok_or("this is a value of another type")?;
                save(value).map_err(|error| error.to_string())
            }),
            load: Box::new(move |bytes: &[u8], _| {
                load(bytes).map(boxed).map_err(|error| error.to_string())
            }),
        });
        self
    }

    /// Saves values by serde, as [`Data`]: numbers beyond those of the language, floats that are not finite, and maps
    /// with keys that are neither strings, numbers nor truth values are errors of [`Run::save`](crate::Run::save). For
    /// those, and for smaller saves, see [`HostType::saved_by`].
    #[cfg(feature = "serde")]
    pub fn saved(mut self) -> HostType<T>
    where
        T: serde::Serialize + serde::de::DeserializeOwned,
    {
        use ndscript_base::codec::{Reader, Saved, Unsound, Writer};
        self.rules.save = Some(SavedStates {
            save: Box::new(|state: &HostState| {
                let value = state_as::<T>(state).ok_or("this is a value of another type")?;
                let mut out = Writer::default();
                Data::of(value)
                    .map_err(|error| error.to_string())?
                    .save(&mut out);
                Ok(out.into_bytes())
            }),
            load: Box::new(|bytes: &[u8], room: usize| {
                let mut from = Reader::new(bytes, room);
                let data = match Data::load(&mut from) {
                    Ok(data) if from.is_at_end() => data,
                    Ok(_) => return Err("it goes on behind its end".to_string()),
                    Err(Unsound::Wrong(what)) => return Err(what.to_string()),
                    Err(Unsound::TooLarge) => {
                        return Err("it needs more memory than the limit allows".to_string());
                    }
                };
                data.to::<T>().map(boxed).map_err(|error| error.to_string())
            }),
        });
        self
    }

    pub(crate) fn entry(mut self) -> TypeEntry {
        self.rules.undo = match self.undo {
            Some(undo) => undo,
            None if self.rules.clone.is_some() => StateUndo::Clone,
            None => StateUndo::Outside,
        };
        TypeEntry {
            rules: Arc::new(self.rules),
            members: self.members.into(),
            docs: self.docs.into(),
            about: self.about,
        }
    }
}

impl TypeEntry {
    /// The description that a saved run compares: how values are treated, and which method has which number.
    pub fn description(rules: &TypeRules, members: &Members) -> String {
        use std::fmt::Write;
        let undo = match rules.undo {
            StateUndo::Outside => "outside",
            StateUndo::Clone => "clone",
            StateUndo::Memento { .. } => "memento",
        };
        let mut out = format!(
            "{undo} {} {} {};",
            rules.order.is_some(),
            rules.equality.is_some(),
            rules.changes
        );
        for Member {
            name,
            least,
            most,
            is_field,
            ..
        } in members.iter()
        {
            // Writing to a string cannot fail.
            let _ = write!(out, "{name} {least} {most:?} {is_field};");
        }
        out
    }
}
