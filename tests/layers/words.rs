//! What is known of a built-in stands in its row: neither the compiler nor the machine asks for one by its name.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

use super::names::{is_test, sources};

/// Texts that something is compared with, or that stand in a list.
#[derive(Default)]
struct Compared(Vec<(usize, String)>);

impl Compared {
    fn text(&mut self, text: &syn::LitStr) {
        self.0.push((text.span().start().line, text.value()));
    }

    fn expression(&mut self, expression: &syn::Expr) {
        if let syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(text),
            ..
        }) = expression
        {
            self.text(text);
        }
    }

    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Literal(literal) => {
                    if let syn::Lit::Str(text) = syn::Lit::new(literal) {
                        self.text(&text);
                    }
                }
                _ => {}
            }
        }
    }
}

impl<'a> Visit<'a> for Compared {
    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_pat(&mut self, pattern: &'a syn::Pat) {
        if let syn::Pat::Lit(syn::ExprLit {
            lit: syn::Lit::Str(text),
            ..
        }) = pattern
        {
            self.text(text);
        }
        visit::visit_pat(self, pattern);
    }

    fn visit_expr_binary(&mut self, binary: &'a syn::ExprBinary) {
        if matches!(binary.op, syn::BinOp::Eq(_) | syn::BinOp::Ne(_)) {
            self.expression(&binary.left);
            self.expression(&binary.right);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_array(&mut self, array: &'a syn::ExprArray) {
        array.elems.iter().for_each(|each| self.expression(each));
        visit::visit_expr_array(self, array);
    }

    fn visit_macro(&mut self, item: &'a syn::Macro) {
        if item.path.is_ident("matches") {
            self.tokens(item.tokens.clone());
        }
    }
}

fn compared(text: &str) -> Vec<(usize, String)> {
    let mut compared = Compared::default();
    compared.visit_file(&syn::parse_file(text).unwrap());
    compared.0
}

#[test]
fn what_is_known_of_a_built_in_stands_in_its_row() {
    let names: BTreeSet<&str> = ndscript_builtins::CALLED
        .iter()
        .map(|row| row.name)
        .collect();
    let mut wrong = Vec::new();
    for file in sources() {
        if !["crates/compiler", "crates/machine"]
            .iter()
            .any(|room| file.starts_with(room))
        {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        for (line, name) in compared(&text) {
            if names.contains(&*name) {
                wrong.push(format!("{}:{line}: \"{name}\"", file.display()));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "say it in the row of the built-in (crates/builtins/src/row.rs):\n{}",
        wrong.join("\n")
    );
}

#[test]
fn names_are_found_wherever_they_are_compared() {
    let found = |text: &str| {
        compared(text)
            .into_iter()
            .map(|found| found.1)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        found("fn f() { match n { \"map\" | \"any\" => 1, _ => 2 } }"),
        ["map", "any"]
    );
    assert_eq!(
        found("fn f() -> bool { \"map\" == n || n != \"any\" }"),
        ["map", "any"]
    );
    assert_eq!(found("const N: &[&str] = &[\"map\"];"), ["map"]);
    assert_eq!(
        found("fn f() -> bool { matches!(n, Some(\"map\")) }"),
        ["map"]
    );
    assert_eq!(found("fn f() { say(\"map\"); }"), [""; 0]);
    assert_eq!(
        found("#[cfg(test)] mod tests { const N: [&str; 1] = [\"map\"]; }"),
        [""; 0]
    );
}
