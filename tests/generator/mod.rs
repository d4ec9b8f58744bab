//! Random programs that end, seldom err, and have several solutions and many failures.
//!
//! Expressions are made for a wanted type. Loops have counters that nothing else writes, a function calls only what
//! was declared before it (or itself, counting down), and choices are rationed by the number of branches that they
//! make, so that all solutions can be enumerated.

mod boards;
mod effects;
mod expressions;
mod growing;
mod made;
mod program;
mod random;
mod searches;
mod snippets;
mod statements;

pub use growing::growing_texts;
pub use made::made_in_searches;
pub use program::{Node, minimised, shortened, text};

use random::Random;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Number,
    Text,
    Boolean,
    /// A number that is 0 or 1 wherever it is read.
    Index,
    /// An array of at least two numbers.
    Numbers,
    /// A set of numbers.
    Set,
    /// An object with the numbers `a` and `b`, and at times more.
    Object,
    /// A grid, two wide and two high, of sets of numbers.
    Grid,
    /// A queue of numbers.
    Queue,
    PriorityQueue,
    Position,
    /// A relation between numbers.
    Relation,
    /// A function without parameters that gives a number.
    Thunk,
    /// A function from number to number.
    Function,
}

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    of: Type,
    /// Whether statements may assign it.
    writable: bool,
    /// Branches that a call makes, as a power of two.
    bits: f64,
}

#[derive(Clone, Debug)]
struct Declared {
    name: String,
    parameters: Vec<Type>,
    /// How many of them have no default.
    least: usize,
    result: Type,
    /// The first argument counts the calls down.
    recursive: bool,
    bits: f64,
    /// Whether its choices come in a random order.
    random: bool,
}

/// Where the statement that is being made stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Branches that may still be made here, as a power of two.
    bits: f64,
    /// How often a choice made here is made.
    times: f64,
    in_loop: bool,
    /// What a `return` here has to give; none at the top level.
    result: Option<Type>,
    /// Whether choices may be random.
    random: bool,
    /// Whether costs are being compared.
    minimizing: bool,
    /// Searches around this place.
    searches: usize,
    depth: usize,
    /// Whether a failure here has an alternative to go back to.
    choosing: bool,
}

pub struct Generator {
    random: Random,
    scopes: Vec<Vec<Variable>>,
    functions: Vec<Declared>,
    names: usize,
    place: Place,
    /// The variable that was read last as it is: an operand behind it may change it.
    latest: Option<String>,
}

/// The program of a seed; `any_order` lets some of its choices be random ones.
pub fn program(seed: u64, any_order: bool) -> Vec<Node> {
    of(
        Random::new(seed.wrapping_mul(2).wrapping_add(u64::from(any_order))),
        any_order,
    )
}

/// The program that bytes decide.
#[allow(dead_code, reason = "only the fuzz target `engines` decides by bytes")]
pub fn program_of_bytes(bytes: &[u8], any_order: bool) -> Vec<Node> {
    of(Random::given(bytes), any_order)
}

fn of(random: Random, any_order: bool) -> Vec<Node> {
    let place = Place {
        bits: 6.5,
        times: 1.0,
        in_loop: false,
        result: None,
        random: any_order,
        minimizing: false,
        searches: 0,
        depth: 0,
        choosing: false,
    };
    let mut generator = Generator {
        random,
        scopes: vec![Vec::new()],
        functions: Vec::new(),
        names: 0,
        place,
        latest: None,
    };
    generator.whole_program()
}

impl Generator {
    fn whole_program(&mut self) -> Vec<Node> {
        // In a function variables live in registers, which operands are read from where they are.
        let is_inside = self.random.percent(35);
        let mut nodes = Vec::new();
        let mut types = vec![Type::Number, Type::Number, Type::Numbers, Type::Index];
        for _ in 0..self.random.between(2, 4) {
            types.push(*self.random.pick(&[
                Type::Text,
                Type::Boolean,
                Type::Numbers,
                Type::Set,
                Type::Object,
                Type::Object,
                Type::Grid,
                Type::Grid,
                Type::Queue,
                Type::PriorityQueue,
                Type::Position,
                Type::Relation,
            ]));
        }
        for of in types {
            nodes.push(self.fresh_variable(of, false));
        }
        // What inner functions assign does not live in registers.
        let fewest = usize::from(!is_inside);
        for _ in 0..self.random.between(fewest, if is_inside { 1 } else { 3 }) {
            nodes.push(self.function_declaration());
        }
        for _ in 0..self.random.between(5, 11) {
            nodes.extend(self.statement());
        }
        if self.random.percent(2) {
            nodes.push(self.wide_function());
        }
        nodes.extend(self.report());
        if is_inside {
            nodes = vec![
                Node::block("function program() {", nodes, "}"),
                Node::line("return program();"),
            ];
        }
        nodes
    }

    /// Prints all that can be seen from here.
    fn report(&mut self) -> Vec<Node> {
        let mut nodes = Vec::new();
        for variable in self.visible() {
            let name = &variable.name;
            match variable.of {
                Type::Thunk => nodes.push(Node::line(format!("printLine(typeOf({name}));"))),
                Type::Function => {}
                Type::Relation => nodes.push(Node::line(format!("printLine(pairsOf({name}));"))),
                Type::Grid => {
                    nodes.push(Node::line(format!(
                        "foreach (p in {name}) print(p, {name}[p]);"
                    )));
                    nodes.push(Node::line(format!(
                        "printLine(toArray(nonsingletonPositionsOf({name})));"
                    )));
                }
                Type::Text => nodes.push(Node::line(format!("printLine([{name}], {name});"))),
                _ => nodes.push(Node::line(format!("printLine(\"{name} \", {name});"))),
            }
        }
        nodes.push(Node::line(format!(
            "return {};",
            self.readable(Type::Number)
        )));
        nodes
    }

    fn fresh_name(&mut self, start: &str) -> String {
        self.names += 1;
        format!("{start}{}", self.names)
    }

    /// The variables that can be seen from here, each name once.
    fn visible(&self) -> Vec<Variable> {
        let mut seen: Vec<Variable> = Vec::new();
        for variable in self
            .scopes
            .iter()
            .rev()
            .flat_map(|scope| scope.iter().rev())
        {
            if seen.iter().all(|other| other.name != variable.name) {
                seen.push(variable.clone());
            }
        }
        seen.reverse();
        seen
    }

    fn variables(&self, of: Type) -> Vec<Variable> {
        let mut variables = self.visible();
        variables.retain(|variable| variable.of == of);
        variables
    }

    fn variable(&mut self, of: Type) -> Option<Variable> {
        let variables = self.variables(of);
        if variables.is_empty() {
            None
        } else {
            Some(self.random.pick(&variables).clone())
        }
    }

    fn writable(&mut self, of: Type) -> Option<String> {
        let mut variables = self.variables(of);
        variables.retain(|variable| variable.writable);
        if variables.is_empty() {
            None
        } else {
            Some(self.random.pick(&variables).name.clone())
        }
    }

    fn bind(&mut self, name: &str, of: Type, writable: bool, bits: f64) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(Variable {
                name: name.to_string(),
                of,
                writable,
                bits,
            });
        }
    }

    /// Takes branches from the ration; false if there are not enough.
    fn spend(&mut self, bits: f64) -> bool {
        let bits = bits * self.place.times;
        let enough = bits <= self.place.bits;
        if enough {
            self.place.bits -= bits;
            self.place.choosing = true;
        }
        enough
    }

    fn spend_choice(&mut self, alternatives: usize) -> bool {
        self.spend((alternatives as f64).log2())
    }

    /// Makes something in a scope of its own, at a place that may differ; only what it spent is kept.
    fn nested<T>(
        &mut self,
        change: impl FnOnce(&mut Place),
        make: impl FnOnce(&mut Generator) -> T,
    ) -> T {
        let place = self.place;
        let functions = self.functions.len();
        self.scopes.push(Vec::new());
        self.place.depth += 1;
        change(&mut self.place);
        let before = self.place.bits;
        let made = make(self);
        let spent = before - self.place.bits;
        self.scopes.pop();
        self.functions.truncate(functions);
        self.place = Place {
            bits: place.bits - spent,
            choosing: place.choosing || spent > 0.0,
            ..place
        };
        made
    }
}
