//! Operands that change something on the way: what stands to the left of them has been read before, what stands to the
//! right is read after.

use super::{Generator, Type};

const ASSIGNED: [Type; 9] = [
    Type::Number,
    Type::Number,
    Type::Index,
    Type::Numbers,
    Type::Text,
    Type::Set,
    Type::Object,
    Type::Grid,
    Type::Position,
];

impl Generator {
    /// An operand that is at times nothing but a variable, which a later operand may change.
    pub fn operand(&mut self, of: Type, depth: usize) -> String {
        if self.random.percent(60) {
            self.readable(of)
        } else {
            self.expression(of, depth)
        }
    }

    /// The value, after something has been changed.
    pub fn behind_an_effect(&mut self, value: &str) -> String {
        match self.effect() {
            Some(effect) => format!("[{effect}, {value}][1]"),
            None => value.to_string(),
        }
    }

    /// An expression that changes a variable, or what it holds.
    fn effect(&mut self) -> Option<String> {
        let (name, of) = match self.latest_writable() {
            Some(latest) if self.random.percent(60) => latest,
            _ => {
                let of = *self.random.pick(&ASSIGNED);
                (self.writable(of)?, of)
            }
        };
        Some(match of {
            Type::Number => match self.random.below(5) {
                0 => format!("{name}++"),
                1 => format!("--{name}"),
                2 => format!("{name} += {}", self.readable(Type::Number)),
                _ => format!("{name} = {}", self.readable(Type::Number)),
            },
            Type::Numbers if self.random.percent(30) => {
                format!(
                    "{name}[{}] = {}",
                    self.readable(Type::Index),
                    self.readable(Type::Number)
                )
            }
            Type::Index => format!("{name} = 1 - {name}"),
            // Another one, so that it makes a difference which of them is read.
            _ => format!(
                "{name} = {}",
                if self.random.percent(50) {
                    self.literal(of)
                } else {
                    self.readable(of)
                }
            ),
        })
    }

    /// The variable that was read last, if it can be assigned from here.
    fn latest_writable(&self) -> Option<(String, Type)> {
        let latest = self.latest.as_ref()?;
        let variable = self
            .visible()
            .into_iter()
            .find(|variable| variable.name == *latest)?;
        (variable.writable && ASSIGNED.contains(&variable.of))
            .then_some((variable.name, variable.of))
    }

    /// An index of every array and, twice, of every grid of the program.
    pub fn small_index(&mut self, depth: usize) -> String {
        let index = self.operand(Type::Index, depth);
        if self.random.percent(15) {
            self.behind_an_effect(&index)
        } else {
            index
        }
    }

    /// An index that is 0 or 1.
    pub fn index(&mut self, depth: usize) -> String {
        if depth > 0 && self.random.percent(25) && self.spend(1.0) {
            return "choose(0, 1)".to_string();
        }
        match self.writable(Type::Index) {
            Some(name) => match self.random.below(4) {
                0 => format!("({name} = 1 - {name})"),
                1 => format!("({name} = {})", self.literal(Type::Index)),
                2 => format!("1 - ({name} = {})", self.literal(Type::Index)),
                _ => format!("1 - {name}"),
            },
            None => self.literal(Type::Index),
        }
    }

    /// Places that count on while they are being named.
    pub fn counted_places(&mut self) -> Option<String> {
        let name = self.writable(Type::Index)?;
        if let Some(grid) = self.variable(Type::Grid)
            && self.random.percent(60)
        {
            let grid = grid.name;
            return Some(match self.random.below(4) {
                0 => format!("[{name} = 0, sizeOf({grid}[{name}, ++{name}])][1]"),
                1 => format!("[{name} = 1, sizeOf({grid}[{name}--, {name}])][1]"),
                2 => format!("sizeOf([{name} = 0, {grid}[{name}, {name}++] = setOf({name})][1])"),
                _ => {
                    format!("[{name} = 1, sizeOf({grid}[{name}, --{name}] = setOf(2, {name}))][1]")
                }
            });
        }
        let array = self.variable(Type::Numbers)?.name;
        Some(match self.random.below(6) {
            0 => format!("[{name} = 0, {array}[{name}] - {array}[++{name}]][1]"),
            1 => format!("[{name} = 1, {array}[{name}--] - {array}[{name}]][1]"),
            2 => format!("[{name} = 0, {array}[{name}++] = {name}][1]"),
            3 => format!("[{name} = 0, {array}[{name}] += ++{name}][1]"),
            4 => format!("[{name} = 1, {array}[{name}] = --{name}][1]"),
            _ => format!("[{name} = 0, [{array}, {array}][{name}++][{name}]++][1]"),
        })
    }
}
