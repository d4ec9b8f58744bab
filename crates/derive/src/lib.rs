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
#[proc_macro_derive(NdType, attributes(nds))]
pub fn derive_type(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    types::derive(&input)
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}
