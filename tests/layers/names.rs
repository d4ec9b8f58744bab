//! What a file of the sources names, read as the compiler reads it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Attribute, UseTree};

/// What a file names.
#[derive(Default)]
pub struct Names {
    /// Paths in full, with the lines that they stand in: of the crate itself as `crate::its_name::module`.
    pub paths: BTreeSet<(usize, String)>,
    pub macros: BTreeSet<(usize, String)>,
    /// What the file hands on from elsewhere with `pub use`: names, and the paths that they stand for.
    pub handed_on: BTreeMap<String, String>,
}

/// Goes through a file, apart from its unit tests.
struct Reader {
    /// Where the module stands that is being read.
    module: Vec<String>,
    names: Names,
}

pub fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .meta
                .to_token_stream()
                .to_string()
                .replace(' ', "")
                == "cfg(test)"
    })
}

impl Reader {
    /// A path from the root: of this crate if it begins with `crate`, `self` or `super`.
    fn of_root(&self, parts: &[String]) -> String {
        let mut from: Vec<String> = self.module.clone();
        let mut rest = parts;
        match parts.first().map(String::as_str) {
            Some("crate") => {
                from.truncate(1);
                rest = &parts[1..];
            }
            Some("self" | "super") => {
                while let Some(first) = rest
                    .first()
                    .filter(|part| *part == "self" || *part == "super")
                {
                    if first == "super" {
                        from.pop();
                    }
                    rest = &rest[1..];
                }
            }
            _ => return parts.join("::"),
        }
        from.extend_from_slice(rest);
        from.insert(0, "crate".to_string());
        from.join("::")
    }

    fn add(&mut self, line: usize, parts: &[String]) {
        self.names.paths.insert((line, self.of_root(parts)));
    }

    /// Notes the names at the ends of a `pub use`.
    fn hand_on(&mut self, before: &mut Vec<String>, tree: &UseTree) {
        let (name, part) = match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.hand_on(before, &path.tree);
                before.pop();
                return;
            }
            UseTree::Group(group) => {
                group
                    .items
                    .iter()
                    .for_each(|item| self.hand_on(before, item));
                return;
            }
            UseTree::Glob(_) => return,
            UseTree::Name(name) => (&name.ident, &name.ident),
            UseTree::Rename(name) => (&name.rename, &name.ident),
        };
        let path = self.of_root(&[before.clone(), vec![part.to_string()]].concat());
        self.names.handed_on.insert(name.to_string(), path);
    }

    fn tree(&mut self, before: &mut Vec<String>, tree: &UseTree) {
        let line = syn::spanned::Spanned::span(tree).start().line;
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.tree(before, &path.tree);
                before.pop();
            }
            UseTree::Group(group) => group.items.iter().for_each(|item| self.tree(before, item)),
            UseTree::Name(name) if name.ident == "self" => self.add(line, before),
            UseTree::Rename(name) if name.ident == "self" => self.add(line, before),
            UseTree::Name(name) => self.add(
                line,
                &[before.clone(), vec![name.ident.to_string()]].concat(),
            ),
            UseTree::Rename(name) => self.add(
                line,
                &[before.clone(), vec![name.ident.to_string()]].concat(),
            ),
            UseTree::Glob(_) => self.add(line, before),
        }
    }

    /// The paths and macros among the words of a macro, which are no tree.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut line = 0;
        let mut joined = false;
        for token in tokens
            .into_iter()
            .chain([TokenTree::Punct(proc_macro2::Punct::new(
                ';',
                proc_macro2::Spacing::Alone,
            ))])
        {
            match token {
                TokenTree::Ident(word) => {
                    if !joined {
                        self.end(line, &mut path);
                        line = word.span().start().line;
                    }
                    path.push(word.to_string());
                    joined = false;
                }
                TokenTree::Punct(sign) if sign.as_char() == ':' => joined = !path.is_empty(),
                TokenTree::Punct(sign) => {
                    if sign.as_char() == '!' && path.len() == 1 {
                        self.names.macros.insert((line, path[0].clone()));
                    }
                    self.end(line, &mut path);
                    joined = false;
                }
                TokenTree::Group(group) => {
                    self.end(line, &mut path);
                    joined = false;
                    self.tokens(group.stream());
                }
                TokenTree::Literal(_) => self.end(line, &mut path),
            }
        }
    }

    fn end(&mut self, line: usize, path: &mut Vec<String>) {
        if path.len() > 1 {
            self.add(line, path);
        }
        path.clear();
    }
}

impl<'a> Visit<'a> for Reader {
    fn visit_item(&mut self, item: &'a syn::Item) {
        let attributes: &[Attribute] = match item {
            syn::Item::Mod(item) => &item.attrs,
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Use(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            syn::Item::Const(item) => &item.attrs,
            syn::Item::Struct(item) => &item.attrs,
            _ => &[],
        };
        if !is_test(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.tree(&mut Vec::new(), &item.tree);
        if !matches!(item.vis, syn::Visibility::Inherited) {
            self.hand_on(&mut Vec::new(), &item.tree);
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let parts: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        if parts.len() > 1 {
            self.add(syn::spanned::Spanned::span(path).start().line, &parts);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'a syn::Macro) {
        if let Some(name) = item.path.segments.last() {
            self.names
                .macros
                .insert((name.ident.span().start().line, name.ident.to_string()));
        }
        self.tokens(item.tokens.clone());
        visit::visit_macro(self, item);
    }
}

pub fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_path_buf()];
    }
    let mut found: Vec<PathBuf> = fs::read_dir(path)
        .unwrap()
        .flat_map(|entry| files(&entry.unwrap().path()))
        .collect();
    found.sort();
    found.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    found
}

/// Where a file's module stands, the crate first: `machine::op::guess` for `crates/machine/src/op/guess.rs`.
pub fn module_of(file: &Path) -> Vec<String> {
    let inside = file.strip_prefix("crates").unwrap().with_extension("");
    let mut parts: Vec<String> = inside
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    // `src`
    parts.remove(1);
    if parts
        .last()
        .is_some_and(|last| last == "mod" || last == "lib" || last == "main")
    {
        parts.pop();
    }
    parts
}

/// The sources of all crates; what LALRPOP has made is not ours.
pub fn sources() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir("crates")
        .unwrap()
        .flat_map(|entry| files(&entry.unwrap().path().join("src")))
        .filter(|file| !file.ends_with("crates/syntax/src/parser.rs"))
        .collect();
    found.sort();
    found
}

pub fn names_in(text: &str, module: Vec<String>) -> Names {
    let mut reader = Reader {
        module,
        names: Names::default(),
    };
    reader.visit_file(&syn::parse_file(text).unwrap());
    reader.names
}
