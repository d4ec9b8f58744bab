//! What an argument may have to be.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Any,
    Boolean,
    Number,
    /// A whole number that counts or is an index; not always a sensible one.
    Count,
    Text,
    /// A text that a grid can be made of.
    Picture,
    Array,
    Numbers,
    /// An array of pairs.
    Pairs,
    /// An array of equally long arrays.
    Rows,
    Set,
    Relation,
    Object,
    /// An object with a value for each character, or with a weight for each number.
    Legend,
    Weights,
    /// An object with options, for what takes some.
    Options,
    Queue,
    PriorityQueue,
    Grid,
    /// Grids of numbers, of tile names, and of sets of tile names.
    Heights,
    Tiles,
    Tileset,
    /// Grids of tile names over one another.
    Layers,
    Position,
    /// The name of a tile.
    Tile,
    /// A function of one value, of one value to a Boolean, of one value to a number, of two, and of none.
    Function,
    Predicate,
    Measure,
    Folding,
    Thunk,
    /// An array, set, queue, object, grid or text; the second without texts and objects.
    Collection,
    Elements,
    /// A collection of numbers.
    NumberCollection,
    /// A grid, an array or an object of sets.
    Board,
    /// A board with constraints.
    Ruled,
    /// Places of a board.
    Places,
}

impl Kind {
    /// Whether a value of another kind will do.
    pub fn takes(self, other: Kind) -> bool {
        use Kind::*;
        self == other
            || match self {
                Any => true,
                Collection => matches!(
                    other,
                    Text | Picture
                        | Array
                        | Numbers
                        | Pairs
                        | Rows
                        | Set
                        | Object
                        | Queue
                        | PriorityQueue
                        | Grid
                        | Heights
                        | Tiles
                        | Tileset
                ),
                Elements => matches!(
                    other,
                    Array | Numbers | Pairs | Rows | Set | Queue | PriorityQueue
                ),
                Array => matches!(other, Numbers | Pairs | Rows),
                NumberCollection => other == Numbers,
                Grid => matches!(other, Heights | Tiles | Tileset),
                Board => other == Tileset,
                Text => other == Picture,
                Object => matches!(other, Legend | Weights),
                _ => false,
            }
    }

    /// An expression for the smallest value of the kind.
    pub fn smallest(self) -> &'static str {
        use Kind::*;
        match self {
            Any | Number | Count => "1",
            Boolean => "true",
            Text => "\"a\"",
            Picture => "\"ab\\nba\"",
            Array | Numbers | NumberCollection | Collection | Elements | Places => "[1, 2]",
            Pairs | Rows => "[[1, 2]]",
            Set => "setOf(1, 2)",
            Relation => "relation([1, 2])",
            Object | Weights | Options => "({\"1\": 1})",
            Legend => "({a: 1, b: 2})",
            Queue => "queue()",
            PriorityQueue => "priorityQueue()",
            Grid | Heights => "makeGrid(2, 2, 0)",
            Layers => "[makeGrid(2, 2, \"red\")]",
            Tiles => "makeGrid(2, 2, \"red\")",
            Ruled => "allDifferent([setOf(1, 2), setOf(1, 2)])",
            Tileset | Board => "makeGrid(2, 2, setOf(\"red\", \"blue\"))",
            Position => "position(0, 0)",
            Tile => "\"red\"",
            Function => "(x => x)",
            Predicate => "(x => true)",
            Measure => "(x => 1)",
            Folding => "((x, y) => x)",
            Thunk => "(() => 1)",
        }
    }
}
