//! Shared parts of the emitter: registers, constants, jumps, and the program as a whole.

mod assign;
mod call;
mod condition;
mod expression;
mod function;
mod host_constant;
pub mod literal;
mod statement;

use std::sync::Arc;

use ndscript_base::keyed::{KeyedMap, KeyedSet};

use super::resolve::meaning::VariableId;
use super::resolve::scope::Resolution;
use super::resolve::{optional, resolve};
use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::source::Span;
use ndscript_bytecode::op::Register;
use ndscript_bytecode::{
    Body, Code, Constant, Extent, FIRST_REGISTER, Function, Head, Home, InitialValue, Local, Op,
    Signatures,
};
use ndscript_syntax::ast::{Script, Statement, StatementKind};

/// Registers of one function.
const REGISTERS: u16 = 250;
/// Variables use registers up to here; the other variables are in an array.
pub(super) const VARIABLE_REGISTERS: u16 = 150;
/// Longer lists of arguments and elements are built in pieces of this size.
pub(super) const PIECE: usize = 40;

/// Straight-line code is free up to this weight; then a step is charged, so that a long text without calls and loops
/// does not run for long between two checks of the limits.
const FREE: usize = 64;

/// The weight of an instruction: one that allocates memory and charges no step takes as long as many others.
fn weight(op: &Op) -> usize {
    match op {
        Op::Closure { .. } => 32,
        Op::NewArray { .. } | Op::NewObject { .. } | Op::PutField { .. } => 16,
        _ => 1,
    }
}

/// The input of the compiler.
pub struct Unit<'a> {
    /// The files in the order in which their top levels run: a file comes after those that it imports. The last one
    /// is the program.
    pub files: Vec<&'a Script>,
    /// For each `import` statement, by place, the number of the file that it runs; a file that has run already is
    /// missing.
    pub imports: KeyedMap<u32, usize>,
    /// The numbers of the files that run before the first statement of the program.
    pub preludes: Vec<usize>,
    pub signatures: &'a Signatures,
    /// The code to add to: the prelude, or the earlier inputs of a growing program.
    pub base: Code,
    pub is_prelude: bool,
    /// Whether it is an input of a growing program. Later inputs may declare its names again, so that nothing is
    /// certain about a global variable.
    pub incremental: bool,
    /// Whether the value of the last statement, an expression, is the value of the program.
    pub gives_value: bool,
}

/// Where a variable of the current function lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Location {
    Register(Register),
    Box(Register),
    Spilled(u32),
    SpilledBox(u32),
}

/// A loop whose body is being emitted: jumps that wait for their targets.
#[derive(Default)]
pub(super) struct LoopJumps {
    pub breaks: Vec<usize>,
    pub continues: Vec<usize>,
}

/// A function that is being emitted.
pub(super) struct State {
    pub number: u32,
    pub function: Function,
    pub body: Body,
    /// The first register that is free.
    pub next: u16,
    /// Registers below this hold variables, those above intermediate results.
    pub variables_end: u16,
    pub locations: KeyedMap<VariableId, Location>,
    /// The live variables in registers, by their numbers in the function, the latest last.
    live: Vec<(u16, usize)>,
    /// The captured variables, by number.
    pub captured: KeyedMap<VariableId, u32>,
    pub loops: Vec<LoopJumps>,
    /// The register of the array of variables beyond the registers, and how many are in it so far.
    pub spill: Option<Register>,
    pub spilled: u32,
    /// The weight of the instructions that are not charged yet.
    uncharged: usize,
    /// The registers below it hold variables of the top level, which hosts see by name.
    pub top_level_end: u16,
}

impl State {
    pub fn new(number: u32) -> State {
        State {
            number,
            function: Function {
                registers: FIRST_REGISTER.into(),
                ..Function::default()
            },
            body: Body::default(),
            next: FIRST_REGISTER.into(),
            variables_end: FIRST_REGISTER.into(),
            locations: KeyedMap::default(),
            live: Vec::new(),
            captured: KeyedMap::default(),
            loops: Vec::new(),
            spill: None,
            spilled: 0,
            uncharged: 0,
            top_level_end: 0,
        }
    }
}

#[derive(PartialEq, Eq, Hash)]
enum ConstantKey {
    Text(Arc<str>),
    Float(u64),
    Integer(i64),
    Boolean(bool),
}

pub(super) struct Emitter<'a> {
    pub signatures: &'a Signatures,
    pub resolution: Resolution,
    pub code: Code,
    pub states: Vec<State>,
    pub is_prelude: bool,
    incremental: bool,
    gives_value: bool,
    /// Functions of the program by the global that always holds them.
    pub known: KeyedMap<u32, u32>,
    /// The numbers of the functions that the top level declares, by their places.
    pub top_level: KeyedMap<u32, u32>,
    pub files: Vec<&'a Script>,
    pub imports: KeyedMap<u32, usize>,
    preludes: Vec<usize>,
    constants: KeyedMap<ConstantKey, u32>,
    pub errors: Vec<Diagnostic>,
    /// See [`Compiled::scripts`].
    pub scripts: Vec<u32>,
}

/// A compiled program and its warnings.
pub struct Compiled {
    /// Its calls, from instruction `linked` on, must be [linked](Code::link) once the functions of the base are
    /// there.
    pub code: Code,
    pub linked: usize,
    /// The functions of the base that it may call; all others are never read.
    pub scripts: Vec<u32>,
    pub warnings: Vec<Diagnostic>,
    /// The parameters of a run that it reads by name, each with the place of its default; `None` if it computes some
    /// of the names.
    pub parameters: Option<Vec<(Arc<str>, Option<Span>)>>,
}

/// Compiles a program whose files are parsed.
///
/// # Errors
/// Names that are declared twice, assigned constants, and expressions that need too many registers.
pub fn compile(unit: Unit<'_>) -> Result<Compiled, Vec<Diagnostic>> {
    let statements: Vec<&[Statement]> = unit.files.iter().map(|file| &*file.statements).collect();
    let earlier = unit.incremental.then_some(&*unit.base.globals);
    let resolution = resolve(&statements, unit.signatures, unit.is_prelude, earlier)?;
    let linked = unit.base.ops.len();
    let first = unit.base.functions.len();
    let before = unit.base.extent();
    let mut emitter = Emitter {
        signatures: unit.signatures,
        resolution,
        code: unit.base,
        states: Vec::new(),
        is_prelude: unit.is_prelude,
        incremental: unit.incremental,
        gives_value: unit.gives_value,
        known: KeyedMap::default(),
        top_level: KeyedMap::default(),
        files: unit.files,
        imports: unit.imports,
        preludes: unit.preludes,
        constants: KeyedMap::default(),
        errors: Vec::new(),
        scripts: Vec::new(),
    };
    emitter.program();
    if !emitter.errors.is_empty() && !emitter.resolution.top_level.is_empty() {
        // Variables in registers may leave too few for an expression of the top level.
        emitter.discard_code(&before);
        emitter.program();
    }
    if !emitter.errors.is_empty() {
        return Err(emitter.errors);
    }
    let mut code = emitter.code;
    super::commit::drop_needless(&mut code, first, emitter.signatures);
    // A name that an input of a growing program lacks may be declared by a later one.
    let warnings = if emitter.incremental {
        Vec::new()
    } else {
        super::check::warnings(&emitter.files, &emitter.resolution, emitter.signatures)
    };
    let mut notes = emitter.resolution.notes;
    let mut seen = KeyedSet::default();
    notes
        .parameters
        .retain(|(name, _)| seen.insert(name.clone()));
    let parameters = (!notes.computes_parameters).then_some(notes.parameters);
    code.globals = emitter.resolution.globals;
    code.top_level = emitter
        .resolution
        .top_level
        .into_iter()
        .map(|(slot, _)| slot)
        .collect();
    code.beginnings = emitter.resolution.beginnings;
    if !code.top_level.is_empty() {
        code.limit_saved_registers();
    }
    Ok(Compiled {
        code,
        linked,
        scripts: emitter.scripts,
        warnings,
        parameters,
    })
}

impl<'a> Emitter<'a> {
    fn index_constants(&mut self) {
        for (at, constant) in self.code.constants.iter().enumerate() {
            self.constants.insert(key_of(constant), at as u32);
        }
    }

    /// Discards the emitted code, and keeps all variables of the top level in the heap.
    fn discard_code(&mut self, before: &Extent) {
        self.resolution.displace_top_level();
        self.code.cut_back(before);
        self.states.clear();
        self.known.clear();
        self.top_level.clear();
        self.constants.clear();
        self.errors.clear();
        self.scripts.clear();
    }

    /// Emits all functions of the files, and the program's own code as the function `main`.
    fn program(&mut self) {
        self.index_constants();
        let files = self.files.clone();
        for file in &files {
            self.reserve_functions(&file.statements);
        }
        let main = self.reserve_function();
        self.code.main = main;
        self.states.push(State::new(0));
        self.top_level_registers();
        self.prepare_spill(Span::default());
        for file in &files {
            self.global_functions(&file.statements);
        }
        // A function of the host may use it to iterate over lists.
        if self.signatures.may_call_back()
            && let Some(map) = self.signatures.built_in("map")
        {
            self.require_prelude_functions_of(map);
        }
        for number in self.preludes.clone() {
            self.statements(&files[number].statements);
        }
        if let Some(program) = files.last() {
            self.program_statements(&program.statements);
        }
        self.op(Op::ReturnNull {}, Span::default());
        self.finish_function(main);
    }

    /// Gives registers to the variables of the top level that can be in some; they have their values from the start.
    fn top_level_registers(&mut self) {
        for (slot, id) in self.resolution.top_level.clone() {
            let register = self.allocate(Span::default());
            self.resolution.globals[slot as usize].register = Some(register);
            self.state()
                .locations
                .insert(id, Location::Register(register));
        }
        let state = self.state();
        state.variables_end = state.next;
        state.top_level_end = state.next;
    }

    /// Emits the program's own statements; if the last one is an expression and the program gives a value, this is its
    /// value.
    fn program_statements(&mut self, statements: &[Statement]) {
        if self.gives_value
            && let Some((last, others)) = statements.split_last()
            && let StatementKind::Expression(expression) = &last.kind
        {
            self.statements(others);
            let from = self.operand(expression);
            self.op(Op::Return { from }, expression.span);
        } else {
            self.statements(statements);
        }
    }

    pub fn reserve_function(&mut self) -> u32 {
        self.code.functions.push(Arc::default());
        self.code.heads.push(Head::default());
        self.code.functions.len() as u32 - 1
    }

    /// Appends a complete function to the others.
    pub fn finish_function(&mut self, number: u32) {
        let Some(mut state) = self.states.pop() else {
            return;
        };
        state.function.prelude = self.is_prelude;
        self.code.append(number, state.function, state.body);
    }

    /// Numbers the functions of a top level, so that calls can refer to them anywhere.
    fn reserve_functions(&mut self, statements: &[Statement]) {
        for statement in statements {
            if let StatementKind::Function(function) = &statement.kind
                && let Some(name) = &function.name
                && let Some(super::resolve::meaning::Meaning::Global(slot)) =
                    self.resolution.meanings.get(&name.span.start).copied()
            {
                let number = self.reserve_function();
                let placeholder = Function {
                    name: Some(name.name.clone()),
                    parameters: function
                        .parameters
                        .iter()
                        .map(|parameter| parameter.name.name.clone())
                        .collect(),
                    optional: optional(&function.parameters),
                    span: function.span,
                    ..Function::default()
                };
                self.code.functions[number as usize] = Arc::new(placeholder);
                self.top_level.insert(function.span.start, number);
                if self.incremental {
                    self.resolution
                        .beginnings
                        .push((slot, InitialValue::Function(number)));
                    continue;
                }
                self.resolution.globals[slot as usize].function = Some(number);
                if !self.resolution.reassigned_globals[slot as usize] {
                    self.known.insert(slot, number);
                }
            }
        }
    }

    // Instructions.

    pub fn state(&mut self) -> &mut State {
        if self.states.is_empty() {
            self.states.push(State::new(0));
        }
        let last = self.states.len() - 1;
        &mut self.states[last]
    }

    /// Appends an instruction, and returns its number. Where too many would run without a charge, one that charges goes
    /// before it.
    pub fn op(&mut self, op: Op, span: Span) -> usize {
        let state = self.state();
        let body = &mut state.body;
        if state.uncharged >= FREE {
            state.uncharged = 0;
            body.ops.push(Op::Loop {
                target: body.ops.len() as u32 + 1,
            });
            body.spans.push(span);
        }
        state.uncharged += weight(&op);
        body.ops.push(op);
        body.spans.push(span);
        body.ops.len() - 1
    }

    pub fn here(&mut self) -> u32 {
        self.state().body.ops.len() as u32
    }

    /// Sets the target of a jump to the next instruction.
    pub fn patch(&mut self, at: usize) {
        let here = self.here();
        self.patch_to(at, here);
    }

    pub fn patch_all(&mut self, jumps: Vec<usize>) {
        for jump in jumps {
            self.patch(jump);
        }
    }

    pub fn patch_to(&mut self, at: usize, to: u32) {
        if let Some(target) = self.state().body.ops[at].target_mut() {
            *target = to;
        }
    }

    // Registers.

    /// The next free register.
    pub fn allocate(&mut self, span: Span) -> Register {
        let state = self.state();
        if state.next >= REGISTERS {
            let nested = "this expression is too deeply nested";
            if self.errors.iter().all(|error| error.message != nested) {
                self.errors.push(
                    Diagnostic::error(nested, span)
                        .with_hint("give a part of it a name with `let` and use that"),
                );
            }
            return (REGISTERS - 1) as Register;
        }
        state.next += 1;
        state.function.registers = state.function.registers.max(state.next);
        (state.next - 1) as Register
    }

    /// Frees all registers from a mark on.
    pub fn release(&mut self, mark: u16) {
        let state = self.state();
        state.next = mark;
        state.variables_end = state.variables_end.min(mark);
        self.end_variables(mark);
    }

    /// Sets the location of a variable, from the next instruction on.
    pub fn set_location(&mut self, id: VariableId, location: Location) {
        let name = self.resolution.variables[id as usize].name.clone();
        let state = self.state();
        state.locations.insert(id, location);
        let spill = state.spill.unwrap_or(0);
        let (register, home) = match location {
            Location::Register(at) => (Some(at), Home::Register(at)),
            Location::Box(at) => (Some(at), Home::Box(at)),
            Location::Spilled(index) => (
                None,
                Home::Spilled {
                    register: spill,
                    index,
                },
            ),
            Location::SpilledBox(index) => (
                None,
                Home::SpilledBox {
                    register: spill,
                    index,
                },
            ),
        };
        let here = state.body.ops.len() as u32;
        let number = state.function.variables.len();
        // A value for the array is stored by the next instruction.
        let born = here + u32::from(register.is_none());
        if let Some(register) = register.map(u16::from) {
            match state.live.iter_mut().find(|(live, _)| *live == register) {
                // It moves into a box.
                Some((_, variable)) => {
                    state.function.variables[*variable].gone = here;
                    *variable = number;
                }
                None => state.live.push((register, number)),
            }
        }
        state.function.variables.push(Local {
            name,
            home,
            born,
            gone: u32::MAX,
        });
    }

    /// The variables in registers from a mark on end before the next instruction.
    fn end_variables(&mut self, mark: u16) {
        let state = self.state();
        let here = state.body.ops.len() as u32;
        while let Some((_, variable)) = state.live.pop_if(|(register, _)| *register >= mark) {
            state.function.variables[variable].gone = here;
        }
    }

    pub fn mark(&mut self) -> u16 {
        self.state().next
    }

    /// Whether a register is a variable of the top level. Choices and questions write it by a separate instruction,
    /// so observers see the write.
    pub fn is_top_level(&mut self, register: Register) -> bool {
        (register as u16) < self.state().top_level_end
    }

    /// Whether few registers are left, so that lists are better built on the heap.
    pub fn is_crowded(&mut self) -> bool {
        self.state().next > 190
    }

    /// Whether a register is an intermediate result at the very top.
    pub fn is_top_temporary(&mut self, register: Register) -> bool {
        let state = self.state();
        let register = register as u16;
        register + 1 == state.next && register >= state.variables_end
    }

    // Functions of the base.

    /// Records that a function of the base may be called.
    pub fn require_prelude_function(&mut self, function: u32) {
        if !self.scripts.contains(&function) {
            self.scripts.push(function);
        }
    }

    /// Records that a built-in may be called with any number of arguments.
    pub fn require_prelude_functions_of(&mut self, native: u32) {
        let signatures = self.signatures;
        for script in &signatures.get(native).scripts {
            self.require_prelude_function(script.1);
        }
    }

    // Constants.

    pub fn constant(&mut self, constant: Constant) -> u32 {
        let constants = &mut self.code.constants;
        *self.constants.entry(key_of(&constant)).or_insert_with(|| {
            constants.push(constant);
            constants.len() as u32 - 1
        })
    }

    pub fn text(&mut self, text: &Arc<str>) -> u32 {
        self.constant(Constant::Text(text.clone()))
    }
}

fn key_of(constant: &Constant) -> ConstantKey {
    match constant {
        Constant::Text(text) => ConstantKey::Text(text.clone()),
        Constant::Float(float) => ConstantKey::Float(float.to_bits()),
        Constant::Integer(integer) => ConstantKey::Integer(*integer),
        Constant::Boolean(boolean) => ConstantKey::Boolean(*boolean),
    }
}
