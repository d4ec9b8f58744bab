//! The instruction table. `R` are the registers of the current frame, `K` the constants of the program, `G` its
//! global variables, `C` the captures of the current function. `R[0]` is the running closure, and the place of its
//! result; the parameters follow. Jumps go to instruction numbers; all functions of a program share one row of
//! instructions.

use super::shortcut::Shortcut;

/// A register of the current frame.
pub type Register = u8;

/// The first register of a frame that holds parameters or variables.
pub const FIRST_REGISTER: Register = 1;

/// Where the machine continues after an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// To the next one; calls come back to it.
    Next,
    /// To another one, always.
    Jump(u32),
    /// To the next one or to another.
    MayJump(u32),
    /// To an alternative of a table.
    Branch(u32),
    /// Nowhere in this function.
    End,
}

/// Where an instruction stores its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Not in a register.
    Elsewhere,
    /// In a register.
    Register(Register),
    /// In some of the three registers of a `foreach` that begin at this one.
    Foreach(Register),
}

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    Register(u8),
    /// In the box that the register holds.
    Box(u8),
    /// In the array that the register holds.
    Spilled {
        register: u8,
        index: u32,
    },
    /// In a box in it.
    SpilledBox {
        register: u8,
        index: u32,
    },
}

/// A change by an instruction that a program can see, other than the register of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Nothing,
    /// A variable of the running function, which may live there.
    Variable(Home),
    /// A global variable, by its slot.
    Global(u32),
    /// A variable that the function closes over, by its number; its value is in the register.
    Captured {
        index: u32,
        from: Register,
    },
    Field {
        object: Register,
        key: u32,
        from: Register,
    },
    Element {
        base: Register,
        index: Register,
        from: Register,
    },
    Cell {
        grid: Register,
        x: Register,
        y: Register,
        from: Register,
    },
    /// An array has one more element.
    End {
        array: Register,
        value: Register,
    },
    /// The change that the built-in has reported.
    ByBuiltIn,
}

/// Each row has: name and operands; where the machine continues; whether the instruction can choose, and if so below
/// which register it saves them; where its result goes, or what it changes instead. A row without one of these does
/// not compile.
macro_rules! instructions {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident { $($field:ident : $type:ty),* } =>
            $flow:ident $(($flow_field:ident))?, $choice:ident $(($choice_field:ident))?, $result:ident $(($($result_field:ident),+))?;
    )*) => {
        /// One instruction: eight bytes.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Op {
            $($(#[doc = $doc])+ $name { $($field: $type),* },)*
        }

        #[allow(unused_variables, reason = "each property names the operands that it needs")]
        impl Op {
            /// The instruction's name, its description, and its operands as numbers.
            pub fn describe(&self) -> (&'static str, &'static str, Vec<(&'static str, i64)>) {
                match self {
                    $(Op::$name { $($field),* } => {
                        (stringify!($name), concat!($($doc),+), vec![$((stringify!($field), *$field as i64)),*])
                    })*
                }
            }

            /// Where the machine continues.
            pub fn flow(&self) -> Flow {
                match self {
                    $(Op::$name { $($field),* } => instructions!(@flow $flow $(*$flow_field)?),)*
                }
            }

            /// The target of a jump.
            pub fn target_mut(&mut self) -> Option<&mut u32> {
                match self {
                    $(Op::$name { $($field),* } => instructions!(@target $flow $($flow_field)?),)*
                }
            }

            /// The table of an instruction that jumps to one of its alternatives.
            pub fn table_mut(&mut self) -> Option<&mut u32> {
                match self {
                    $(Op::$name { $($field),* } => instructions!(@table $flow $($flow_field)?),)*
                }
            }

            /// The register below which the choice point of an instruction saves them; `None` if it makes none.
            #[inline]
            pub fn live_registers(&self) -> Option<Register> {
                match self {
                    $(Op::$name { $($field),* } => instructions!(@live $choice $(*$choice_field)?),)*
                }
            }

            /// Where the result goes.
            #[inline]
            pub fn destination(&self) -> Destination {
                match self {
                    $(Op::$name { $($field),* } => instructions!(@destination $result $($(*$result_field),+)?),)*
                }
            }

            /// The change apart from its result.
            #[inline]
            pub fn change(&self) -> Change {
                match self {
                    $(Op::$name { $($field),* } => instructions!(@change $result $($(*$result_field),+)?),)*
                }
            }
        }
    };
    (@flow goes_on) => { Flow::Next };
    (@flow leaps $target:expr) => { Flow::Jump($target) };
    (@flow may_jump $target:expr) => { Flow::MayJump($target) };
    (@flow branches $table:expr) => { Flow::Branch($table) };
    (@flow ends) => { Flow::End };
    (@target leaps $target:expr) => { Some($target) };
    (@target may_jump $target:expr) => { Some($target) };
    (@target $other:ident $($table:expr)?) => { None };
    (@table branches $table:expr) => { Some($table) };
    (@table $other:ident $($target:expr)?) => { None };
    (@live certain) => { None };
    (@live keeps $live_registers:expr) => { Some($live_registers) };
    (@destination into $register:expr) => { Destination::Register($register) };
    (@destination in_row $register:expr) => { Destination::Foreach($register) };
    (@destination appends $to:expr, $array:expr, $value:expr) => { Destination::Register($to) };
    (@destination may_change $to:expr) => { Destination::Register($to) };
    (@destination $other:ident $($operand:expr),*) => { Destination::Elsewhere };
    (@change into $register:expr) => { Change::Nothing };
    (@change in_row $register:expr) => { Change::Nothing };
    (@change nothing) => { Change::Nothing };
    (@change unseen $collection:expr) => { Change::Nothing };
    (@change global $slot:expr) => { Change::Global($slot) };
    (@change captured $index:expr, $from:expr) => { Change::Captured { index: $index, from: $from } };
    (@change boxed $at:expr) => { Change::Variable(Home::Box($at)) };
    (@change spilled $at:expr, $index:expr) => { Change::Variable(Home::Spilled { register: $at, index: $index }) };
    (@change field $object:expr, $key:expr, $from:expr) => { Change::Field { object: $object, key: $key, from: $from } };
    (@change element $base:expr, $index:expr, $from:expr) => {
        Change::Element { base: $base, index: $index, from: $from }
    };
    (@change cell $grid:expr, $x:expr, $y:expr, $from:expr) => { Change::Cell { grid: $grid, x: $x, y: $y, from: $from } };
    (@change appends $to:expr, $array:expr, $value:expr) => { Change::End { array: $array, value: $value } };
    (@change may_change $to:expr) => { Change::ByBuiltIn };
}

instructions! {
    /// `R[to] := R[from]`
    Move { to: Register, from: Register } => goes_on, certain, into(to);
    /// `R[to] := value`
    Integer { to: Register, value: i32 } => goes_on, certain, into(to);
    /// `R[to] := K[index]`
    Constant { to: Register, index: u32 } => goes_on, certain, into(to);
    /// `R[to] := null`
    Null { to: Register } => goes_on, certain, into(to);
    /// `R[to] :=` no value: the argument that a call leaves out
    LeaveOut { to: Register } => goes_on, certain, into(to);
    /// `R[to] :=` the built-in
    Native { to: Register, native: u32 } => goes_on, certain, into(to);
    /// `R[to] := G[slot]`
    GetGlobal { to: Register, slot: u32 } => goes_on, certain, into(to);
    /// `R[to] := G[slot]`, or the built-in of that name, or an error
    GetGlobalChecked { to: Register, slot: u32 } => goes_on, certain, into(to);
    /// `G[slot] := R[from]`
    SetGlobal { from: Register, slot: u32 } => goes_on, certain, global(slot);
    /// `G[slot] := R[from]`, an error if it has no value yet
    SetGlobalChecked { from: Register, slot: u32 } => goes_on, certain, global(slot);
    /// `G[slot] := G[slot] + R[from]`
    AddToGlobal { from: Register, slot: u32 } => goes_on, certain, global(slot);
    /// `G[slot] := G[slot] + value`
    AddIntegerToGlobal { value: i16, slot: u32 } => goes_on, certain, global(slot);
    /// `R[to] := C[index]`
    GetCaptured { to: Register, index: u32 } => goes_on, certain, into(to);
    /// `R[to] :=` what the box `C[index]` holds
    GetCapturedBox { to: Register, index: u32 } => goes_on, certain, into(to);
    /// `R[to] :=` what the box `C[index]` holds, an error if it has no value yet
    GetCapturedBoxChecked { to: Register, index: u32 } => goes_on, certain, into(to);
    /// The box `C[index]` holds `R[from]` from now on
    SetCapturedBox { from: Register, index: u32 } => goes_on, certain, captured(index, from);
    /// The box `C[index]` holds `R[from]` from now on, an error if it has no value yet
    SetCapturedBoxChecked { from: Register, index: u32 } => goes_on, certain, captured(index, from);
    /// `R[at] :=` a new box that holds `R[at]`
    NewBox { at: Register } => goes_on, certain, into(at);
    /// `R[at] :=` a new box that holds nothing yet
    NewUnsetBox { at: Register } => goes_on, certain, into(at);
    /// `R[to] :=` what the box `R[from]` holds
    GetBox { to: Register, from: Register } => goes_on, certain, into(to);
    /// `R[to] :=` what the box `R[from]` holds, an error if it has no value yet
    GetBoxChecked { to: Register, from: Register, name: u32 } => goes_on, certain, into(to);
    /// The box `R[at]` holds `R[from]` from now on
    SetBox { at: Register, from: Register } => goes_on, certain, boxed(at);
    /// The box `R[at]` holds `R[from]` from now on, an error if it has no value yet
    SetBoxChecked { at: Register, from: Register, name: u32 } => goes_on, certain, boxed(at);
    /// `R[to] := R[from][index]`, an array of the frame's own variables
    GetSpilled { to: Register, from: Register, index: u32 } => goes_on, certain, into(to);
    /// `R[at][index] := R[from]`, an array of the frame's own variables
    SetSpilled { at: Register, from: Register, index: u32 } => goes_on, certain, spilled(at, index);
    /// `R[to] :=` a new array of `count` nulls
    NewSpill { to: Register, count: u32 } => goes_on, certain, into(to);

    /// `R[to] := R[a] + R[b]`
    Add { to: Register, a: Register, b: Register } => goes_on, certain, into(to);
    /// `R[to] := R[a] - R[b]`
    Subtract { to: Register, a: Register, b: Register } => goes_on, certain, into(to);
    /// `R[to] := R[a] * R[b]`
    Multiply { to: Register, a: Register, b: Register } => goes_on, certain, into(to);
    /// `R[to] := R[a] / R[b]`
    Divide { to: Register, a: Register, b: Register } => goes_on, certain, into(to);
    /// `R[to] := R[a] % R[b]`
    Remainder { to: Register, a: Register, b: Register } => goes_on, certain, into(to);
    /// `R[to] := R[a] + value`
    AddInteger { to: Register, a: Register, value: i32 } => goes_on, certain, into(to);
    /// `R[to] := R[a] - value`
    SubtractInteger { to: Register, a: Register, value: i32 } => goes_on, certain, into(to);
    /// `R[to] := R[a] * value`
    MultiplyInteger { to: Register, a: Register, value: i32 } => goes_on, certain, into(to);
    /// `R[to] := R[a] / value`, which is not 0
    DivideInteger { to: Register, a: Register, value: i32 } => goes_on, certain, into(to);
    /// `R[to] := R[a] % value`, which is not 0
    RemainderInteger { to: Register, a: Register, value: i32 } => goes_on, certain, into(to);
    /// `R[to] := value - R[b]`
    IntegerMinus { to: Register, b: Register, value: i32 } => goes_on, certain, into(to);
    /// `R[to] := value * R[b]`
    IntegerTimes { to: Register, b: Register, value: i32 } => goes_on, certain, into(to);
    /// `R[to] := R[a] + K[index]`
    AddConstant { to: Register, a: Register, index: u32 } => goes_on, certain, into(to);
    /// `R[to] := R[a] - K[index]`
    SubtractConstant { to: Register, a: Register, index: u32 } => goes_on, certain, into(to);
    /// `R[to] := R[a] * K[index]`
    MultiplyConstant { to: Register, a: Register, index: u32 } => goes_on, certain, into(to);
    /// `R[to] := K[index] * R[b]`
    ConstantTimes { to: Register, b: Register, index: u32 } => goes_on, certain, into(to);
    /// `R[to] := R[a] + 1`, of a number: `++`
    Increment { to: Register, a: Register } => goes_on, certain, into(to);
    /// `R[to] := -R[from]`
    Negate { to: Register, from: Register } => goes_on, certain, into(to);
    /// `R[to] := +R[from]`
    Plus { to: Register, from: Register } => goes_on, certain, into(to);
    /// `R[to] := !R[from]`
    Not { to: Register, from: Register } => goes_on, certain, into(to);
    /// `R[to] := R[a] == R[b]`
    Equal { to: Register, a: Register, b: Register } => goes_on, certain, into(to);
    /// `R[to] := R[a] != R[b]`
    NotEqual { to: Register, a: Register, b: Register } => goes_on, certain, into(to);
    /// `R[to] := R[a] < R[b]`
    Less { to: Register, a: Register, b: Register } => goes_on, certain, into(to);
    /// `R[to] := R[a] <= R[b]`
    LessEqual { to: Register, a: Register, b: Register } => goes_on, certain, into(to);
    /// `R[to] :=` the text of `count` registers from `first`, joined
    Concatenate { to: Register, first: Register, count: u32 } => goes_on, certain, into(to);

    /// Go to `target`
    Jump { target: u32 } => leaps(target), certain, nothing;
    /// Go to `target`, against fuel
    Loop { target: u32 } => leaps(target), certain, nothing;
    /// Go to `target` if `R[a]` is true
    JumpIf { a: Register, target: u32 } => may_jump(target), certain, nothing;
    /// Go to `target` if `R[a]` is false
    JumpUnless { a: Register, target: u32 } => may_jump(target), certain, nothing;
    /// Go to `target` if the call has given a value to `R[a]`
    JumpIfGiven { a: Register, target: u32 } => may_jump(target), certain, nothing;
    /// Go to `target` if `R[a] == R[b]`
    JumpEqual { a: Register, b: Register, target: u32 } => may_jump(target), certain, nothing;
    /// Go to `target` if `R[a] != R[b]`
    JumpNotEqual { a: Register, b: Register, target: u32 } => may_jump(target), certain, nothing;
    /// Go to `target` if `R[a] < R[b]`
    JumpLess { a: Register, b: Register, target: u32 } => may_jump(target), certain, nothing;
    /// Go to `target` if `R[a] <= R[b]`
    JumpLessEqual { a: Register, b: Register, target: u32 } => may_jump(target), certain, nothing;
    /// Go to `target` if `R[a] == value`
    JumpEqualInteger { a: Register, value: i16, target: u32 } => may_jump(target), certain, nothing;
    /// Go to `target` if `R[a] != value`
    JumpNotEqualInteger { a: Register, value: i16, target: u32 } => may_jump(target), certain, nothing;
    /// Go to `target` if `R[a] < value`
    JumpLessInteger { a: Register, value: i16, target: u32 } => may_jump(target), certain, nothing;
    /// Go to `target` if `R[a] <= value`
    JumpLessEqualInteger { a: Register, value: i16, target: u32 } => may_jump(target), certain, nothing;
    /// Go to `target` if `R[a] > value`
    JumpGreaterInteger { a: Register, value: i16, target: u32 } => may_jump(target), certain, nothing;
    /// Go to `target` if `R[a] >= value`
    JumpGreaterEqualInteger { a: Register, value: i16, target: u32 } => may_jump(target), certain, nothing;
    /// Go to `target`, against fuel, if `R[a] < R[b]`
    LoopLess { a: Register, b: Register, target: u32 } => may_jump(target), certain, nothing;
    /// Go to `target`, against fuel, if `R[a] <= R[b]`
    LoopLessEqual { a: Register, b: Register, target: u32 } => may_jump(target), certain, nothing;
    /// Go to `target`, against fuel, if `R[a] < value`
    LoopLessInteger { a: Register, value: i16, target: u32 } => may_jump(target), certain, nothing;
    /// Go to `target`, against fuel, if `R[a] <= value`
    LoopLessEqualInteger { a: Register, value: i16, target: u32 } => may_jump(target), certain, nothing;
    /// Go to `target`, against fuel, if `R[a] > value`
    LoopGreaterInteger { a: Register, value: i16, target: u32 } => may_jump(target), certain, nothing;
    /// Go to `target`, against fuel, if `R[a] >= value`
    LoopGreaterEqualInteger { a: Register, value: i16, target: u32 } => may_jump(target), certain, nothing;
    /// Go to `target`, against fuel, if `R[a] < K[index]`
    LoopLessConstant { a: Register, index: u16, target: u32 } => may_jump(target), certain, nothing;
    /// Go to `target`, against fuel, if `R[a] <= K[index]`
    LoopLessEqualConstant { a: Register, index: u16, target: u32 } => may_jump(target), certain, nothing;

    /// `R[to] := R[object].K[key]`
    GetField { to: Register, object: Register, key: u32 } => goes_on, certain, into(to);
    /// `R[to] := R[object].K[key]`, where the key is `x`, or `y` if `vertical` is 1
    GetCoordinate { to: Register, object: Register, vertical: u8, key: u32 } => goes_on, certain, into(to);
    /// `R[object].K[key] := R[from]`
    SetField { object: Register, from: Register, key: u32 } => goes_on, certain, field(object, key, from);
    /// `R[to] := R[base][R[index]]`
    GetIndex { to: Register, base: Register, index: Register } => goes_on, certain, into(to);
    /// `R[base][R[index]] := R[from]`
    SetIndex { base: Register, index: Register, from: Register } => goes_on, certain, element(base, index, from);
    /// `R[to] := R[grid][R[x], R[y]]`
    GetCell { to: Register, grid: Register, x: Register, y: Register } => goes_on, certain, into(to);
    /// `R[grid][R[x], R[y]] := R[from]`
    SetCell { grid: Register, x: Register, y: Register, from: Register } => goes_on, certain, cell(grid, x, y, from);
    /// `R[to] :=` a new array of `count` registers from `first`
    NewArray { to: Register, first: Register, count: u32 } => goes_on, certain, into(to);
    /// Append `count` registers from `first` to the new array `R[array]`
    Append { array: Register, first: Register, count: u32 } => goes_on, certain, unseen(array);
    /// `R[to] :=` a new object without fields, with room for this many
    NewObject { to: Register, fields: u32 } => goes_on, certain, into(to);
    /// The new object `R[object]` gets the field `K[key]`, `R[from]`
    PutField { object: Register, from: Register, key: u32 } => goes_on, certain, unseen(object);
    /// `R[to] :=` the function with what it closes over
    Closure { to: Register, function: u32 } => goes_on, certain, into(to);

    /// `R[base] := R[base](R[base + 1], ...)`
    Call { base: Register, arguments: u8 } => goes_on, keeps(base), into(base);
    /// `R[base] :=` the function of the program that begins at `entry` called with `R[base + 1], ...`
    CallKnown { base: Register, arguments: u8, entry: u32 } => goes_on, certain, into(base);
    /// `R[to] :=` the built-in called with `R[base + 1], ...`; choices keep the registers below `base`
    CallNative { base: Register, to: Register, arguments: u8, native: u32 } => goes_on, keeps(base), may_change(to);
    /// `R[to] :=` what the built-in, an operation on sets, gave before for `R[a]` and `R[b]`, or the built-in called
    SetOperation { call: Shortcut, to: Register, a: Register, b: Register, native: u16 } => goes_on, certain, into(to);
    /// `R[to] :=` the built-in of `R[a]` and, if it takes two arguments, `R[b]`
    Shortcut { call: Shortcut, to: Register, a: Register, b: Register, native: u16 } => goes_on, certain, into(to);
    /// Append `R[b]` to the array `R[a]`; `R[to] := R[a]`
    Push { to: Register, a: Register, b: Register, native: u16 } => goes_on, certain, appends(to, a, b);
    /// `R[base] := R[base]` called with the elements of the array `R[base + 1]`
    CallWithList { base: Register } => goes_on, keeps(base), into(base);
    /// Return `R[from]` to the caller
    Return { from: Register } => ends, certain, nothing;
    /// Stop with `R[from]`: a call of the host has a result
    Leave { from: Register } => ends, certain, nothing;
    /// Return null to the caller
    ReturnNull {  } => ends, certain, nothing;
    /// Begin a function that keeps only its first result
    OpenCommit {  } => goes_on, certain, nothing;
    /// Return `R[from]` and discard the choices made since the call
    ReturnAndCommit { from: Register } => ends, certain, nothing;

    /// `R[at] :=` the collection `R[at]` as it is now, `R[at + 1] := 0`
    ForeachBegin { at: Register, fresh: u8 } => goes_on, certain, in_row(at);
    /// `R[at + 2] :=` the next element of `R[at]`, or go to `target`
    ForeachNext { at: Register, target: u32 } => may_jump(target), certain, in_row(at);
    /// `R[at] := 0`, `R[at + 1] :=` the bound of a range
    RangeBegin { at: Register } => goes_on, certain, in_row(at);
    /// `R[at + 2] := R[at]`, `R[at] += 1`; or go to `target` once `R[at]` reaches `R[at + 1]`
    RangeNext { at: Register, target: u32 } => may_jump(target), certain, in_row(at);
    /// `R[at + 1] :=` which neighbors of the position `R[at]` lie inside the grid `R[at + 1]`, of eight or of four
    NeighborsBegin { at: Register, eight: u8 } => goes_on, certain, in_row(at);
    /// `R[at + 2] :=` the next of these neighbors of `R[at]`, which `R[at + 1]` then lacks; or go to `target`
    NeighborsNext { at: Register, target: u32 } => may_jump(target), certain, in_row(at);

    /// Go to one alternative of a table at random; keep the others, and the registers below `live_registers`
    Choose { live_registers: u8, table: u32 } => branches(table), keeps(live_registers), nothing;
    /// Go to the first alternative of a table; keep the others, and the registers below `live_registers`
    ChooseFirst { live_registers: u8, table: u32 } => branches(table), keeps(live_registers), nothing;
    /// `R[to] :=` an element of the collection `R[base + 1]` at random; keep the others, and the registers below `base`
    ChooseElement { base: Register, to: Register } => goes_on, keeps(base), into(to);
    /// `R[to] :=` one of the numbers from `R[base + 1]` up to below `R[base + 2]`, in the same way
    ChooseRange { base: Register, to: Register } => goes_on, keeps(base), into(to);
    /// `R[from]` says in words why the failure that comes now came about
    NoteMessage { from: Register } => goes_on, certain, nothing;
    /// Go back to the latest choice that has an alternative left
    Fail {  } => ends, certain, nothing;
    /// Report complaint number `complaint` of the function
    Throw { complaint: u32 } => ends, certain, nothing;
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_instruction_is_eight_bytes() {
        assert_eq!(size_of::<super::Op>(), 8);
    }
}
