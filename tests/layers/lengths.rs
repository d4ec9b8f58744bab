//! How long functions and files may be.

use std::collections::BTreeSet;
use std::fs;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::names::{is_test, module_of, sources};

/// More lines of a function are more than one thought, unless they are a table.
const LONGEST_FUNCTION: usize = 180;

/// In a longer file there is a second noun.
const LONGEST_FILE: usize = 780;

/// What may be longer, and why.
const TABLES: &[(&str, &str)] = &[
    (
        "machine::execute::run_fast_forms",
        "the main loop: a dispatch over all instructions with what it needs for it",
    ),
    (
        "machine::step::carry_out",
        "the full form of every instruction, a line or two for each",
    ),
    (
        "machine::watch::origins::operands::look_at",
        "what every instruction reads, a line or two for each",
    ),
];

/// The functions of a file with their lengths in lines, unit tests left out.
#[derive(Default)]
struct Functions {
    found: Vec<(String, usize)>,
    of_tests: usize,
}

impl Functions {
    fn add(&mut self, signature: &syn::Signature, whole: proc_macro2::Span) {
        let lines = whole.end().line + 1 - signature.span().start().line;
        self.found.push((signature.ident.to_string(), lines));
    }
}

impl<'a> Visit<'a> for Functions {
    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if is_test(&item.attrs) {
            self.of_tests += item.span().end().line + 1 - item.span().start().line;
        } else {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.add(&item.sig, item.span());
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        self.add(&item.sig, item.span());
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'a syn::TraitItemFn) {
        self.add(&item.sig, item.span());
        visit::visit_trait_item_fn(self, item);
    }
}

fn functions_of(text: &str) -> Functions {
    let mut functions = Functions::default();
    functions.visit_file(&syn::parse_file(text).unwrap());
    functions
}

#[test]
fn functions_and_files_have_one_thought() {
    let (mut wrong, mut long) = (Vec::new(), BTreeSet::new());
    for file in sources() {
        let text = fs::read_to_string(&file).unwrap();
        let functions = functions_of(&text);
        let module = module_of(&file).join("::");
        for (name, lines) in functions.found {
            let name = format!("{module}::{name}");
            if lines > LONGEST_FUNCTION && !TABLES.iter().any(|table| table.0 == name) {
                wrong.push(format!(
                    "`{name}` has {lines} lines: split it, or say in TABLES which table it is"
                ));
            }
            if lines > LONGEST_FUNCTION {
                long.insert(name);
            }
        }
        let lines = text.lines().count() - functions.of_tests;
        if lines > LONGEST_FILE {
            wrong.push(format!(
                "{} has {lines} lines: which is its second noun?",
                file.display()
            ));
        }
    }
    let stale = TABLES.iter().filter(|table| !long.contains(table.0));
    wrong.extend(
        stale.map(|table| format!("`{}` is short enough now: take it out of TABLES", table.0)),
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn lengths_are_counted() {
    let text = "fn a() {\n\n}\nstruct S;\nimpl S {\n    /// Says.\n    fn b() {\n    }\n}\n#[cfg(test)]\nmod tests {\n    fn c() {}\n}";
    let functions = functions_of(text);
    assert_eq!(
        functions.found,
        [("a".to_string(), 3), ("b".to_string(), 2)]
    );
    assert_eq!(functions.of_tests, 4);
}
