//! Derives for hosts of NDScript. The crate `ndscript` has them with its feature `derive`.
#![deny(missing_docs)]

mod data;
mod names;
mod options;
mod types;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// A struct or an enum as data of scripts: [`FromValue`] and [`IntoValue`], so that functions of the host take and return
/// it, and globals are read and set as it.
///
/// | in Rust | in scripts |
/// | --- | --- |
/// | a struct with fields | an object; an `Option` may be missing |
/// | a struct around one value | that value |
/// | a struct of several values | an array |
/// | a variant without anything | a string: its name |
/// | a variant with fields | an object with these fields, and `kind`: the name |
/// | a variant of values | the same with `values`, an array |
///
/// Names are written as scripts write them: `move_cost` is `moveCost`, the variant `NorthWest` is `"northWest"`.
/// `#[nds(name = "...")]` on a field or variant gives another, and `#[nds(default)]` on a field takes
/// [`Default::default`] where it is missing.
///
/// ```
/// use ndscript::{Engine, NdData};
///
/// #[derive(Debug, PartialEq, NdData)]
/// enum Order { Wait, Walk { to: (i64, i64), max_cost: Option<i64> }, Say(String) }
///
/// #[derive(NdData)]
/// struct Unit { name: String, #[nds(default)] orders: Vec<Order> }
///
/// let engine = Engine::new().with_function("obey", |mut unit: Unit| {
///     unit.orders.push(Order::Say(format!("I am {}", unit.name)));
///     unit.orders
/// });
/// let program = engine.compile("return obey({name: \"Bo\", orders: [\"wait\", {kind: \"walk\", to: position(1, 2)}]});")?;
/// let mut run = program.run(1);
/// assert_eq!(run.next().unwrap().unwrap().value.to_string(),
///     "[\"wait\", {kind: \"walk\", to: (1,2), maxCost: null}, {kind: \"say\", values: [\"I am Bo\"]}]");
/// let error = engine.compile("obey({name: \"Bo\", orders: [\"sleep\"]});")?.run(1).next().unwrap().unwrap_err();
/// assert!(error.to_string().contains("at .orders[0]: expected \"wait\", or an object whose `kind` is \"walk\" or \"say\""));
/// # Ok::<(), ndscript::CompileError>(())
/// ```
///
/// [`FromValue`]: https://docs.rs/ndscript/latest/ndscript/trait.FromValue.html
/// [`IntoValue`]: https://docs.rs/ndscript/latest/ndscript/trait.IntoValue.html
#[proc_macro_derive(NdData, attributes(nds))]
pub fn derive_data(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    data::derive(&input)
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// A struct as a type of the host, whose values scripts hold and change in place: `HostValue`, and a function `host_type()`
/// with the `HostType` to register. Its name for scripts is that of the struct, with a small letter, unless
/// `#[nds(name = "...")]` gives another. Fields with `#[nds(get)]` can be read, those with `#[nds(set)]` assigned as well.
///
/// ```
/// use ndscript::{Engine, NdType};
///
/// #[derive(Clone, NdType)]
/// struct Hero { #[nds(get)] name: String, #[nds(set)] hit_points: i64, secret: u8 }
///
/// let kind = Hero::host_type().cloned().method("isAlive", |hero: &Hero| hero.hit_points > 0);
/// let engine = Engine::new()
///     .with_type(kind)
///     .with_function("hero", |name: String| Hero { name, hit_points: 10, secret: 7 });
/// let program = engine.compile(
///     "let h = hero(\"Bo\"); choose first { h.hitPoints -= 10; require(h.isAlive()); } or {} print(h.name, h.hitPoints);",
/// )?;
/// assert_eq!(program.run(1).next().unwrap().unwrap().text, "Bo10");
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[proc_macro_derive(NdType, attributes(nds))]
pub fn derive_type(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    types::derive(&input)
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}
