//! `#[derive(NdType)]`

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Result};

use super::options::Options;

/// The implementation of a type of the host, with its fields as members.
pub fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let name = &input.ident;
    let shown = Options::of(&input.attrs, &["name"])?.name_of(name);
    let Data::Struct(data) = &input.data else {
        let message = "only a struct can be a type of the host by a derive";
        return Err(Error::new_spanned(name, message));
    };
    if !input.generics.params.is_empty() {
        let message = "a type of the host has one name in scripts, so it has no parameters";
        return Err(Error::new_spanned(&input.generics, message));
    }
    let mut members = Vec::new();
    if let Fields::Named(fields) = &data.fields {
        for field in &fields.named {
            let options = Options::of(&field.attrs, &["name", "get", "set"])?;
            let (Some(ident), kind) = (&field.ident, &field.ty) else {
                continue;
            };
            let shown = options.name_of(ident);
            if options.get {
                members.push(quote! {
                    .getter(#shown, |this: &Self| ::core::clone::Clone::clone(&this.#ident))
                });
            }
            if options.set {
                members.push(quote! {
                    .setter(#shown, |this: &mut Self, value: #kind| this.#ident = value)
                });
            }
        }
    }
    Ok(quote! {
        #[automatically_derived]
        impl ::ndscript::HostValue for #name {
            const NAME: &'static str = #shown;
        }

        #[automatically_derived]
        impl #name {
            /// The type for scripts, with the fields that they see.
            pub fn host_type() -> ::ndscript::HostType<Self> {
                ::ndscript::HostType::<Self>::new() #(#members)*
            }
        }
    })
}
