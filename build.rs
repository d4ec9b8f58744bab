//! Generates the parser from `grammar/ndscript.lalrpop`, and the tables of the characters that names are made of.

use std::fmt::Write;
use std::path::PathBuf;

use regex_syntax::hir::{Class, HirKind};

fn main() {
    println!("cargo:rerun-if-changed=grammar");
    println!("cargo:rerun-if-changed=build.rs");
    load_at_a_fixed_place();
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets OUT_DIR"));
    lalrpop::Configuration::new()
        .set_in_dir("grammar")
        .set_out_dir(&out)
        .process()
        .expect("the grammar is without conflicts");
    let tables = table("LETTERS", r"\p{L}") + &table("DIGITS", r"\p{Nd}");
    std::fs::write(out.join("letters.rs"), tables).expect("the folder of the build can be written");
}

/// A program that may be loaded anywhere has thousands of addresses put right at every start, which writes to sixty pages
/// before `main`. The library is as it was: this is said of the command line alone, whose code is all safe.
fn load_at_a_fixed_place() {
    let target = |what: &str| std::env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    let is_static = target("FEATURE")
        .split(',')
        .any(|feature| feature == "crt-static");
    if target("OS") == "linux" && target("ENV") == "gnu" && !is_static {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}

/// The characters of a class beyond ASCII, as ranges in order.
fn table(name: &str, class: &str) -> String {
    let parsed = regex_syntax::parse(class)
        .expect("the class is known")
        .into_kind();
    let HirKind::Class(Class::Unicode(class)) = parsed else {
        panic!("{class} is no class of characters")
    };
    let mut text = format!("const {name}: &[(char, char)] = &[\n");
    for range in class
        .ranges()
        .iter()
        .filter(|range| !range.end().is_ascii())
    {
        let (first, last) = (u32::from(range.start()), u32::from(range.end()));
        writeln!(text, "    ('\\u{{{first:x}}}', '\\u{{{last:x}}}'),").expect("a text takes more");
    }
    text + "];\n"
}
