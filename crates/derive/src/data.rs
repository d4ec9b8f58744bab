//! `#[derive(NdData)]`

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Error, Fields, FieldsNamed, FieldsUnnamed, Ident, Result, Variant};

use super::options::Options;

/// How a type is read and made.
struct Conversions {
    /// What is expected, for messages.
    expected: String,
    /// An expression of `Result<Self, ValueError>` that reads `view`.
    read: TokenStream,
    /// An expression of `Result<Made, ValueError>` that makes `self` with `maker`.
    make: TokenStream,
}

/// The implementation of both conversions for a type.
pub fn derive(input: &DeriveInput) -> Result<TokenStream> {
    Options::of(&input.attrs, &[])?;
    let Conversions {
        expected,
        read,
        make,
    } = match &input.data {
        Data::Struct(data) => of_struct(&data.fields, &input.ident)?,
        Data::Enum(data) => {
            let variants: Vec<&Variant> = data.variants.iter().collect();
            of_enum(&variants, &input.ident)?
        }
        Data::Union(_) => {
            let message = "a union cannot be data of scripts: make it an enum";
            return Err(Error::new_spanned(&input.ident, message));
        }
    };
    let name = &input.ident;
    let mut reading = input.generics.clone();
    let mut making = input.generics.clone();
    for parameter in input.generics.type_params() {
        let parameter = &parameter.ident;
        let wanted: syn::WherePredicate = syn::parse_quote!(#parameter: ::ndscript::FromValue);
        reading.make_where_clause().predicates.push(wanted);
        let wanted: syn::WherePredicate = syn::parse_quote!(#parameter: ::ndscript::IntoValue);
        making.make_where_clause().predicates.push(wanted);
    }
    let (head, own, reads) = reading.split_for_impl();
    let (_, _, makes) = making.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #head ::ndscript::FromValue for #name #own #reads {
            const EXPECTED: &'static str = #expected;

            fn from_value(view: ::ndscript::View<'_>) -> ::core::option::Option<Self> {
                <Self as ::ndscript::FromValue>::try_from_value(view).ok()
            }

            fn try_from_value(view: ::ndscript::View<'_>) -> ::core::result::Result<Self, ::ndscript::ValueError> {
                #read
            }
        }

        #[automatically_derived]
        impl #head ::ndscript::IntoValue for #name #own #makes {
            fn into_value<'nds>(
                self,
                maker: &mut ::ndscript::Maker<'nds>,
            ) -> ::core::result::Result<::ndscript::Made<'nds>, ::ndscript::ValueError> {
                #make
            }
        }
    })
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[String], word: &str) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [before @ .., last] => format!("{} {word} {last}", before.join(", ")),
    }
}

fn names_of(fields: &FieldsNamed) -> Result<Vec<(Ident, String, Options)>> {
    let mut names: Vec<(Ident, String, Options)> = Vec::new();
    for field in &fields.named {
        let options = Options::of(&field.attrs, &["name", "default"])?;
        let ident = field.ident.clone().unwrap_or_else(|| format_ident!("_0"));
        let name = options.name_of(&ident);
        if names.iter().any(|(_, known, _)| *known == name) {
            let message = format!("two fields are called `{name}` in scripts");
            return Err(Error::new_spanned(field, message));
        }
        names.push((ident, name, options));
    }
    Ok(names)
}

/// The fields in braces, read from an object.
fn read_fields(names: &[(Ident, String, Options)]) -> TokenStream {
    let fields = names.iter().map(|(ident, name, options)| {
        if options.default {
            quote! { #ident: view.read_field_or_default(#name)? }
        } else {
            quote! { #ident: view.read_field(#name)? }
        }
    });
    quote! { { #(#fields),* } }
}

/// The conversions of a struct: an object, an array or a single value.
fn of_struct(fields: &Fields, name: &Ident) -> Result<Conversions> {
    match fields {
        Fields::Named(fields) => {
            let names = names_of(fields)?;
            let shown: Vec<String> = names.iter().map(|(_, name, _)| name.clone()).collect();
            let expected = if shown.is_empty() {
                "an object".to_string()
            } else {
                format!("an object with {}", listed(&shown, "and"))
            };
            let read = read_fields(&names);
            let idents: Vec<&Ident> = names.iter().map(|(ident, ..)| ident).collect();
            Ok(Conversions {
                read: quote! {
                    if view.kind() != ::ndscript::Kind::Object {
                        return ::core::result::Result::Err(view.not(#expected));
                    }
                    ::core::result::Result::Ok(Self #read)
                },
                make: quote! {
                    let Self { #(#idents),* } = self;
                    let fields = [#((#shown, ::ndscript::IntoValue::into_value(#idents, maker)?)),*];
                    ::core::result::Result::Ok(maker.object(fields))
                },
                expected,
            })
        }
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            let inner = &fields.unnamed[0].ty;
            Ok(Conversions {
                expected: "a value of the right kind".to_string(),
                read: quote! {
                    <#inner as ::ndscript::FromValue>::try_from_value(view).map(Self)
                },
                make: quote! { ::ndscript::IntoValue::into_value(self.0, maker) },
            })
        }
        Fields::Unnamed(fields) => {
            let count = fields.unnamed.len();
            let expected = format!("an array of {count} elements");
            let idents = idents(fields);
            let at = 0..count;
            Ok(Conversions {
                read: quote! {
                    if view.kind() != ::ndscript::Kind::Array || view.len() != #count {
                        return ::core::result::Result::Err(view.not(#expected));
                    }
                    ::core::result::Result::Ok(Self(#(view.read_element(#at)?),*))
                },
                make: quote! {
                    let Self(#(#idents),*) = self;
                    let parts = [#(::ndscript::IntoValue::into_value(#idents, maker)?),*];
                    ::core::result::Result::Ok(maker.array(parts))
                },
                expected,
            })
        }
        Fields::Unit => {
            let message =
                "a struct without anything says nothing: make it an enum, or give it a field";
            Err(Error::new_spanned(name, message))
        }
    }
}

fn idents(fields: &FieldsUnnamed) -> Vec<Ident> {
    (0..fields.unnamed.len())
        .map(|at| format_ident!("part{at}"))
        .collect()
}

/// The conversions of an enum: variants without fields are texts, others are objects.
fn of_enum(variants: &[&Variant], name: &Ident) -> Result<Conversions> {
    if variants.is_empty() {
        let message = "an enum without variants has no values";
        return Err(Error::new_spanned(name, message));
    }
    let (mut words, mut kinds) = (Vec::new(), Vec::new());
    let (mut plain, mut tagged, mut make) = (Vec::new(), Vec::new(), Vec::new());
    for variant in variants {
        let ident = &variant.ident;
        let shown = Options::of(&variant.attrs, &["name"])?.name_of(ident);
        let quoted = format!("{shown:?}");
        if words.contains(&quoted) || kinds.contains(&quoted) {
            let message = format!("two variants are called {quoted} in scripts");
            return Err(Error::new_spanned(variant, message));
        }
        match &variant.fields {
            Fields::Unit => {
                words.push(quoted);
                plain.push(quote! { ::core::option::Option::Some(#shown) => ::core::result::Result::Ok(Self::#ident) });
                make.push(
                    quote! { Self::#ident => ::ndscript::IntoValue::into_value(#shown, maker) },
                );
            }
            Fields::Named(fields) => {
                kinds.push(quoted);
                let names = names_of(fields)?;
                if let Some((at, ..)) = names.iter().find(|(_, name, _)| name == "kind") {
                    let message =
                        "in scripts `kind` is the name of the variant: give the field another name";
                    return Err(Error::new_spanned(at, message));
                }
                let read = read_fields(&names);
                tagged.push(quote! { ::core::option::Option::Some(#shown) => ::core::result::Result::Ok(Self::#ident #read) });
                let (idents, shown_fields): (Vec<_>, Vec<_>) =
                    names.iter().map(|(ident, name, _)| (ident, name)).unzip();
                make.push(quote! {
                    Self::#ident { #(#idents),* } => {
                        let fields = [
                            ("kind", ::ndscript::IntoValue::into_value(#shown, maker)?),
                            #((#shown_fields, ::ndscript::IntoValue::into_value(#idents, maker)?)),*
                        ];
                        ::core::result::Result::Ok(maker.object(fields))
                    }
                });
            }
            Fields::Unnamed(fields) => {
                kinds.push(quoted);
                let idents = idents(fields);
                let count = idents.len();
                let at = 0..count;
                tagged.push(quote! {
                    ::core::option::Option::Some(#shown) => {
                        let values = view.field_of_size("values", #count)?;
                        let read = || ::core::result::Result::Ok(Self::#ident(#(values.read_element(#at)?),*));
                        read().map_err(|error: ::ndscript::ValueError| error.at_field("values"))
                    }
                });
                make.push(quote! {
                    Self::#ident(#(#idents),*) => {
                        let parts = [#(::ndscript::IntoValue::into_value(#idents, maker)?),*];
                        let values = maker.array(parts);
                        let kind = ::ndscript::IntoValue::into_value(#shown, maker)?;
                        ::core::result::Result::Ok(maker.object([("kind", kind), ("values", values)]))
                    }
                });
            }
        }
    }
    let kinds = listed(&kinds, "or");
    let expected = match (words.is_empty(), kinds.is_empty()) {
        (false, true) => listed(&words, "or"),
        (true, _) => format!("an object whose `kind` is {kinds}"),
        (false, false) => format!("{}, or an object whose `kind` is {kinds}", words.join(", ")),
    };
    Ok(Conversions {
        read: quote! {
            match view.as_str() {
                #(#plain,)*
                _ => match view.field("kind").and_then(|kind| kind.as_str()) {
                    #(#tagged,)*
                    _ => ::core::result::Result::Err(view.not(#expected)),
                },
            }
        },
        make: quote! { match self { #(#make),* } },
        expected,
    })
}
