//! The types of the host that an engine has, for scripts and for tools.

use std::sync::Arc;

use super::host_type::HostType;
use super::hosted::HostValue;
use crate::programs::engine::Engine;
use crate::tools::functions::EngineFunction;

/// A type of the host that scripts of an engine can meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineType {
    /// Its name, as `typeOf` gives it.
    pub name: &'static str,
    /// What it is, in one line.
    pub doc: Arc<str>,
    /// Its methods and fields, in the order in which they were added.
    pub members: Vec<EngineMember>,
}

/// A method or a field of a type of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineMember {
    /// Its name.
    pub name: Arc<str>,
    /// Whether it is a field, read without being called.
    pub is_field: bool,
    /// Whether it changes the value.
    pub changes: bool,
    /// Its parameters, optional ones in brackets; empty for a field.
    pub parameters: Arc<str>,
    /// What it does, in one line.
    pub doc: Arc<str>,
}

impl EngineMember {
    /// The method in the form in which functions are listed, for a type of this name.
    pub(crate) fn function(&self, type_name: &'static str) -> EngineFunction {
        EngineFunction {
            name: self.name.clone(),
            domain: type_name,
            parameters: self.parameters.clone(),
            is_field: self.is_field,
            doc: self.doc.clone(),
            example: "".into(),
            gives: "".into(),
        }
    }
}

impl Engine {
    /// Adds a type of the host: its values can be in runs of the engine's programs. It hides an earlier one of that
    /// name. Scripts get values from host functions, or find them in globals that the host has set.
    ///
    /// See [`HostType`] for an example.
    pub fn with_type<T: HostValue>(mut self, host_type: HostType<T>) -> Engine {
        let entry = host_type.entry();
        match self
            .types
            .iter_mut()
            .find(|known| known.rules.name == entry.rules.name)
        {
            Some(known) => *known = entry,
            None => self.types.push(entry),
        }
        self
    }

    /// The types of the host with their methods, for completion and documentation.
    ///
    /// ```
    /// use ndscript::{Engine, HostType, HostValue};
    /// struct Door;
    /// impl HostValue for Door { const NAME: &'static str = "door"; }
    /// let door = HostType::<Door>::new()
    ///     .about("Leads from one room to another.")
    ///     .method("leadsTo", |_: &Door, room: i64, _far: Option<bool>| Ok(room == 1))
    ///     .with_doc("room[, far]", "Whether it leads to a room.");
    /// let engine = Engine::new().with_type(door);
    /// let door = engine.types().next().unwrap();
    /// assert_eq!((door.name, &*door.doc), ("door", "Leads from one room to another."));
    /// assert_eq!((&*door.members[0].name, &*door.members[0].parameters), ("leadsTo", "room[, far]"));
    /// ```
    pub fn types(&self) -> impl Iterator<Item = EngineType> {
        self.types.iter().map(|entry| {
            let members = entry.members.iter().zip(entry.docs.iter());
            // Fields that can be set, operators and the like have no names of their own.
            let members = members.filter(|(_, doc)| !doc.is_sign);
            let members = members.map(|(member, doc)| EngineMember {
                name: member.name.clone(),
                is_field: member.is_field,
                changes: doc.changes,
                parameters: doc.parameters.clone(),
                doc: doc.doc.clone(),
            });
            EngineType {
                name: entry.rules.name,
                doc: entry.about.clone(),
                members: members.collect(),
            }
        })
    }
}
