//! `ndscript doc`: explains built-in functions and the words of the language.

use ndscript::diagnostics::wrap;
use ndscript::foreign;
use ndscript::library::{self, LibraryFile};
use ndscript::reference::{self, Entry, Word};
use ndscript::spelling::nearest;

use crate::arguments::options::DocOptions;
use crate::exit::{Exit, Stop};
use crate::terminal;
use crate::terminal::stdout;

/// Explains functions and words of the language, or lists all by domain.
pub fn doc(options: &DocOptions) -> Result<Exit, Stop> {
    let columns = terminal::output_columns();
    if options.names.is_empty() {
        stdout::write_text(&list(columns))?;
        return Ok(Exit::Success);
    }
    let pages: Vec<Option<String>> = options
        .names
        .iter()
        .map(|name| explain(name, columns))
        .collect();
    let known: Vec<&str> = pages.iter().flatten().map(String::as_str).collect();
    stdout::write_text(&known.join("\n"))?;
    // A word that has a page is explained, whatever other words there are.
    let extra = options
        .names
        .iter()
        .zip(&pages)
        .filter(|(_, page)| page.is_none());
    let extra: Vec<String> = extra
        .map(|(name, _)| unknown(name, "ndscript doc"))
        .collect();
    if extra.is_empty() {
        Ok(Exit::Success)
    } else {
        Err(Stop::error(extra.join("\n")))
    }
}

/// The page of a function or a word, also of those of other languages; `None` if there is none.
pub fn explain(name: &str, columns: usize) -> Option<String> {
    let name = name.strip_suffix("()").unwrap_or(name);
    let method = || {
        let (object, method) = name.rsplit_once('.')?;
        // `array.push`, `Math.floor`; but `console.log` is no logarithm.
        let own = if object == "console" {
            None
        } else {
            own_page(method, columns)
        };
        own.or_else(|| {
            Some(foreign_page(
                name,
                foreign::method(method).or_else(|| foreign::global(object))?,
                columns,
            ))
        })
    };
    own_page(name, columns)
        .or_else(|| foreign::explain(name).map(|advice| foreign_page(name, advice, columns)))
        .or_else(method)
}

fn own_page(name: &str, columns: usize) -> Option<String> {
    let word = reference::find_word(name).map(|word| word_page(word, columns));
    let function = || reference::find(name).map(|entry| function_page(&entry, columns));
    word.or_else(function)
        .or_else(|| library::find(name).map(|file| library_page(file, columns)))
}

/// The replacement for a word of another language, with the page of the first function or word that is named there.
fn foreign_page(name: &str, advice: &str, columns: usize) -> String {
    let mut text = advice.to_string();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let text = wrap(&format!("  {text}."), columns.min(100), 2);
    let named = advice.split('`').skip(1).step_by(2).filter_map(|code| {
        let end = code
            .find(|c: char| !c.is_alphanumeric())
            .unwrap_or(code.len());
        own_page(&code[..end], columns)
    });
    let page = named
        .map(|page| format!("\n{page}"))
        .next()
        .unwrap_or_default();
    format!("{name}    [Other languages]\n{text}\n{page}")
}

/// A message about a name that has no page; `list` is the command that lists those that have one.
pub fn unknown(name: &str, list: &str) -> String {
    let words = reference::words()
        .iter()
        .flat_map(|word| word.names)
        .copied();
    let words = words.chain(
        library::files()
            .iter()
            .filter_map(|file| file.path.strip_suffix(".nds")),
    );
    let defines = |file: &&LibraryFile| {
        file.functions()
            .iter()
            .any(|function| function.name == name)
    };
    if let Some(file) = library::files().iter().find(defines) {
        let page = file.path.trim_end_matches(".nds");
        return format!(
            "`{name}` is a function of the library: write `import \"{}\";` to use it\n`ndscript doc {page}` explains \
             it",
            file.path
        );
    }
    let hint = match nearest(
        name,
        reference::entries().map(|entry| entry.name).chain(words),
    ) {
        Some(close) => format!("did you mean `{close}`?"),
        None => format!("`{list}` lists them all"),
    };
    format!("`{name}` is neither a built-in function nor a word of the language\n{hint}")
}

/// A function with its example.
fn function_page(entry: &Entry, columns: usize) -> String {
    let Entry {
        name,
        parameters,
        doc,
        domain,
        cost,
        example,
        gives,
        ..
    } = entry;
    let head = wrap(&format!("{name}({parameters})    [{domain}]"), columns, 2);
    let cost = if *cost == "1" {
        String::new()
    } else {
        format!("  steps: {cost}\n")
    };
    let doc = wrap(&format!("  {doc}"), columns, 2);
    format!("{head}\n{doc}\n{cost}\n{}", shown_example(example, gives))
}

/// A word of the language with its example.
fn word_page(word: &Word, columns: usize) -> String {
    let example = if word.example.is_empty() {
        String::new()
    } else {
        format!("\n{}", shown_example(word.example, word.gives))
    };
    let doc = wrap(&format!("  {}", word.doc), columns.min(100), 2);
    let head = wrap(&format!("{}    [The language]", word.forms[0]), columns, 2);
    format!(
        "{}\n{doc}\n{example}",
        word.forms.join("\n").replacen(word.forms[0], &head, 1)
    )
}

/// A file of the library with its functions.
fn library_page(file: &LibraryFile, columns: usize) -> String {
    let columns = columns.min(100);
    let mut page = format!("import \"{}\";    [The library]\n", file.path);
    for paragraph in file.doc().lines() {
        page.push_str(&format!(
            "{}\n",
            wrap(&format!("  {paragraph}"), columns, 2)
        ));
    }
    for function in file.functions() {
        let head = wrap(
            &format!("{}({})", function.name, function.parameters),
            columns,
            2,
        );
        page.push_str(&format!(
            "\n{head}\n{}\n",
            wrap(&format!("  {}", function.doc), columns, 2)
        ));
    }
    page
}

fn shown_example(example: &str, gives: &str) -> String {
    let indented = |text: &str, by: &str| text.replace('\n', &format!("\n{by}"));
    format!(
        "  {}\n  => {}\n",
        indented(example, "  "),
        indented(gives, "     ")
    )
}

/// The words of the language, all functions by domain, and the files of the library.
pub fn list(columns: usize) -> String {
    let row = |what: &str, doc: &str| match columns {
        0..90 => format!("  {what}\n{}\n", wrap(&format!("      {doc}"), columns, 6)),
        _ => format!("{}\n", wrap(&format!("  {what:<44} {doc}"), columns, 47)),
    };
    let mut out = String::from("The language\n");
    for word in reference::words() {
        let first = word
            .doc
            .split_once(". ")
            .map_or(word.doc, |(first, _)| first);
        out.push_str(&row(
            &word.names.join(", "),
            &format!("{}.", first.trim_end_matches('.')),
        ));
    }
    let mut domain = "";
    for entry in reference::entries() {
        if entry.domain != domain {
            domain = entry.domain;
            out.push_str(&format!("\n{domain}\n"));
        }
        out.push_str(&row(
            &format!("{}({})", entry.name, entry.parameters),
            entry.doc,
        ));
    }
    out.push_str("\nThe library (`import \"std/...\";`)\n");
    for file in library::files() {
        let doc = file.doc();
        let first = doc.split_once(". ").map_or(&*doc, |(first, _)| first);
        let name = file.path.strip_suffix(".nds").unwrap_or(file.path);
        out.push_str(&row(name, &format!("{}.", first.trim_end_matches('.'))));
    }
    out
}
