//! Actions that only the machine can carry out, and the effects of built-ins that observers need to know.

/// Actions of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// `chooseElement(collection)`
    ChooseElement,
    /// Chooses an element of an array by an array of weights, or an object of them.
    ChooseWeighted,
    /// `randomElement(collection)`
    RandomElement,
    /// Draws an element of an array by an array of weights, or an object of them.
    DrawWeighted,
    /// `firstVisit(v)`
    FirstVisit,
    /// `cost(n)`
    Cost,
    /// `ask(prompt, options)`
    Ask,
    /// `input(prompt)`
    Input,
    /// Begins a search whose effects are undone at its end.
    OpenSearch,
    /// Ends the search: it found nothing more.
    EndSearch,
    /// Discards the choices of the search, its own included, and ends it.
    DropSearch,
    /// Begins to gather results.
    Gather,
    /// Stores a copy of a result; stops the search after a given number of them.
    Collect,
    /// Counts a result.
    Count,
    /// The results gathered.
    Gathered,
    /// The number of results counted.
    Counted,
    /// Begins a search for the cheapest result, with an array for the sums of boards that belong to its price; with
    /// null for the least sum.
    OpenMinimize,
    /// Begins a search that restarts after some failures.
    OpenRestarts,
    /// As `OpenRestarts`, but counts attempts instead of failures.
    OpenRetries,
    /// Ends it with a result.
    EndRestarts,
    /// At the end of an attempt without result: prepares the next, or fails if it has searched everything.
    NextAttempt,
    /// Ends a search whose only attempt has no result; returns whether it was broken off, null if the best so far is to do.
    EndRound,
    /// Begins a call of `decide` whose guesses may be skipped; returns its number.
    BeginDeciding,
    /// Ends it.
    EndDeciding,
    /// Chooses an element as a guess at a board; and by weights.
    Guess,
    GuessWeighted,
    /// The next alternative of a function of the host that makes them one by one.
    NextAlternative,
    /// Begins the next function of a board that waits to run; null if none does.
    NextFunction,
    /// Ends it, and discards the choices inside.
    EndFunction,
    /// Stores a result with its effects if it is the cheapest so far.
    Offer,
    /// Stores a copy of a result whose sum is less than any before.
    OfferLeast,
    /// The sum of the stored result; null if there is none.
    LeastSoFar,
    /// The stored result; null if there is none.
    BestSoFar,
    /// The array of sums that belong to the price; null where nothing is minimized.
    Owed,
    /// What the branch may still add to such a sum, given the most that it can.
    BoundOwed,
    /// Whether the search has ended; another attempt is due if not.
    HasEnded,
    /// Ends the search with the cheapest result and its effects; fails if there is none.
    Best,
}

/// What a built-in does with collections, beyond looking at all of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NativeEffect {
    Computes,
    /// It looks at the shape of its arguments, not at their contents.
    LooksAtShape,
    /// Which places of a board are open, and which is next, does not depend on the values that they will hold.
    Names,
    FindsPlaces,
    /// It asks how many places there are, or which.
    Counts,
    HasKey,
    ListsKeys,
    /// The elements of an array, the keys of an object, the positions of a grid.
    Lists,
    /// The values that it writes come from its last arguments.
    Pushes,
    Inserts,
    RemovesAt,
    Pops,
    RemovesKey,
    Fills,
    Enqueues,
    Dequeues,
    Peeks,
    /// The candidates left for a place of a board come from the third argument.
    Narrows,
    /// The candidates that its constraint removes come from its arguments.
    Constrains,
    /// The new collection has the elements of old ones.
    Copies,
    CopiesDeeply,
    Slices,
    Concatenates,
    Reverses,
    /// Rows become a grid.
    LaysOut,
    Row,
    Column,
    /// As many elements, in an order that comes from all of them.
    Rearranges,
    Zips,
    /// One of the elements.
    Picks,
    Requires,
    Controls(Control),
}

/// The source of a result that the program does not compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutsideSource {
    Drawn,
    Shuffled,
    Asked,
}

/// How a built-in that searches describes its choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchWords {
    /// While it takes its first alternative.
    pub first: &'static str,
    /// When it takes the other one.
    pub then: &'static str,
    /// The reason shown when it has a result and fails on purpose to find more, if it does.
    pub continues: Option<&'static str>,
}
