//! Built-ins that the main loop carries out itself when their arguments are of the usual types.

/// A built-in with one or two arguments that computes a value from them, changes nothing and is called often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Shortcut {
    /// `union(s, t)`
    Union,
    /// `intersection(s, t)`
    Intersection,
    /// `except(s, t)`
    Except,
    /// `leftImage(r, s)`
    LeftImage,
    /// `rightImage(r, s)`
    RightImage,
    /// `isEmpty(c)`
    IsEmpty,
    /// `isSingleton(c)`
    IsSingleton,
    /// `sizeOf(c)`
    SizeOf,
    /// `singletonValue(c)`
    SingletonValue,
    /// `contains(element, c)`
    Contains,
    /// `position(x, y)`
    Position,
    /// `floor(x)`
    Floor,
    /// `floor(x, y)`
    FloorOfQuotient,
    /// `abs(x)`
    Abs,
    /// `min(a, b)`
    Min,
    /// `max(a, b)`
    Max,
    /// `sqrt(x)`
    Sqrt,
    /// `sin(x)`
    Sin,
    /// `cos(x)`
    Cos,
    /// `push(a, v)`, which does change something
    Push,
}

impl Shortcut {
    /// With how many arguments the built-in is called.
    pub const fn arguments(self) -> u32 {
        use Shortcut::*;
        match self {
            IsEmpty | IsSingleton | SizeOf | SingletonValue | Floor | Abs | Sqrt | Sin | Cos => 1,
            Union | Intersection | Except | LeftImage | RightImage | Contains | Position
            | FloorOfQuotient | Min | Max | Push => 2,
        }
    }

    /// Whether its results are remembered, by its two arguments.
    pub const fn is_remembered(self) -> bool {
        self as u8 <= Shortcut::RightImage as u8
    }
}
