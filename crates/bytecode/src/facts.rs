//! Facts about a built-in that are known before a program runs.

/// Facts about a built-in for the compiler and the checker, beyond how it is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub gives: ResultKind,
    /// The built-in that the compiler has instructions of its own for.
    pub form: Option<Form>,
    /// Whether its result lists the places of a board that are undecided.
    pub lists_undecided: bool,
    /// Whether its result has elements of its first argument.
    pub passes_elements: bool,
    /// Whether it puts a constraint on its first argument.
    pub constrains: bool,
    /// Whether it looks for a solution of its first argument.
    pub decides: bool,
    /// For one that lists what a row or column of a grid holds: what holds for the positions `p` of the first one.
    pub lists_line: Option<&'static str>,
    /// Whether it calls a function of the script with one element each.
    pub calls_with_elements: bool,
    /// What it looks for and where, as numbers of its arguments: elements that equal a value.
    pub searches: Option<(u8, u8)>,
    /// Why a statement that is only a call of it does nothing. `None` where such a statement may be meant.
    pub unchanging: Option<&'static str>,
    /// Whether it looks for a solution of the least price.
    pub minimizes: bool,
    /// Whether it adds to the price.
    pub adds_price: bool,
    /// Whether it runs a function for what that does, not for its result.
    pub drops_result: bool,
    /// What it makes text of.
    pub shows: Option<Shows>,
}

/// What a built-in makes text of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// Its only argument.
    Text,
    /// All of its arguments, one after another.
    Arguments,
    /// The elements of its first argument, or the cells of a grid.
    Elements,
    /// The results of its function, as keys.
    Keys,
}

/// The kind of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResultKind {
    /// Any kind, null, or one that depends on the arguments.
    #[default]
    Anything,
    Set,
    /// A set, if it has this many arguments.
    SetOf(u32),
    Array,
    Grid,
    Queue,
    Position,
    Number,
    String,
}

impl ResultKind {
    /// Whether the result of a call with this many arguments is certainly a set.
    pub fn is_set(self, arguments: usize) -> bool {
        match self {
            ResultKind::Set => true,
            ResultKind::SetOf(count) => count as usize == arguments,
            _ => false,
        }
    }

    /// Whether a result is certainly neither a set nor null.
    pub fn is_no_set(self) -> bool {
        !matches!(
            self,
            ResultKind::Anything | ResultKind::Set | ResultKind::SetOf(_)
        )
    }

    /// Whether a result can certainly not be called.
    pub fn is_no_function(self) -> bool {
        self != ResultKind::Anything
    }
}

/// A built-in that the compiler has instructions of its own for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `range`, as the collection of a loop.
    Range,
    /// `neighborsOf`, as the collection of a loop.
    Neighbors,
    /// `neighbors8Of`, as the collection of a loop.
    Neighbors8,
    /// `chooseElement` of one argument.
    ChooseElement,
    /// `setOf`
    SetOf,
    /// `makeGrid`
    MakeGrid,
    /// `map` and `mapGrid`
    Map,
    /// `param`
    Parameter,
}
