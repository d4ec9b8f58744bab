//! A search tree as a web page of its own.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::SearchTree;
use super::json::quoted;
use super::node::{Node, Origin, State};
use crate::films::contents::Content;
use crate::films::maps::MapChange;
use crate::moments::change::Change;
use ndscript_base::markup;
use ndscript_base::source::Span;

/// The style and the script of the page.
const STYLE: &str = include_str!("page.css");
const SCRIPT: [&str; 3] = [
    include_str!("page_tree.js"),
    include_str!("page_map.js"),
    include_str!("page.js"),
];

/// The most bytes of the page for maps, and for texts of each kind. The rest is left out, as the page says.
const MAP_BYTES: usize = 4 << 20;
const TEXT_BYTES: usize = 3 << 19;

/// Texts are cut at the first of these lengths at which all of them fit; of changes at most this many are listed for
/// each node.
const LENGTHS: [usize; 6] = [400, 200, 100, 50, 25, 12];
const CHANGES: [usize; 5] = [12, 6, 3, 1, 0];

/// The picture of the values of a map: all of them, in the order of [`SearchTree::values`].
#[derive(Clone, Debug)]
pub struct MapLooks {
    /// The address of the picture, which begins with `data:`.
    pub url: String,
    /// The width and height of each, in pixels.
    pub cell: u32,
    /// The number of values in a row.
    pub across: u32,
}

impl SearchTree {
    /// The tree as one HTML file that needs nothing else: to be clicked and typed through, also with very many nodes. If
    /// it was made [with maps](SearchTree::with_maps), the page shows the map at each node, with values that look like
    /// that, or else as words.
    ///
    /// ```
    /// use ndscript::Engine;
    /// use ndscript_timeline::SearchTree;
    /// let text = "let g = makeGrid(2, 1, setOf(1, 2)); g[0, 0] = setOf(chooseElement(g[0, 0])); fail;";
    /// let program = Engine::new().compile(text)?;
    /// let mut tree = SearchTree::new(program.sources().clone(), 1000).with_maps(None);
    /// program.run(1).watch(1000, &mut tree);
    /// assert_eq!(tree.map_name(), Some("g"));
    /// assert_eq!(tree.map_change(1).unwrap().cells.len(), 1);
    /// assert!(tree.to_html("map.nds", None).contains("\"map\""));
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn to_html(&self, title: &str, looks: Option<&MapLooks>) -> String {
        let title = markup::text(title);
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}: search tree</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n<p id=\"summary\"></p>\n<form id=\"find\"><input id=\"words\" type=\"search\" placeholder=\"search\" aria-label=\"search in the tree\"> <button>next</button></form>\n<button id=\"deepest\" type=\"button\">deepest failure</button>\n<button id=\"solution\" type=\"button\">solution</button>\n<button id=\"parting\" type=\"button\" hidden>where they part</button>\n<button id=\"unfold\" type=\"button\">unfold all</button>\n<button id=\"fold\" type=\"button\">fold failures</button>\n<p id=\"keys\">Keys: arrows, Page Up and Page Down move, right and left unfold and fold, / searches, Esc goes back to the tree.</p>\n</header>\n<main>\n<div id=\"tree\" role=\"tree\" tabindex=\"0\" aria-label=\"search tree\"><div id=\"rows\"></div></div>\n<section id=\"details\" aria-live=\"polite\"></section>\n</main>\n<script type=\"application/json\" id=\"data\">\n"
        );
        Writer::new(self, looks).write(&mut out);
        out.push_str("\n</script>\n<script>\n\"use strict\";\n");
        SCRIPT.iter().for_each(|part| out.push_str(part));
        out.push_str("</script>\n</body>\n</html>\n");
        out
    }
}

/// Writes the data of a page: a row for each property of nodes, with texts by their numbers.
struct Writer<'a> {
    tree: &'a SearchTree,
    looks: Option<&'a MapLooks>,
    texts: Vec<String>,
    numbers: HashMap<String, usize>,
    /// The files that the page shows, by their beginnings.
    files: Vec<u32>,
}

impl<'a> Writer<'a> {
    fn new(tree: &'a SearchTree, looks: Option<&'a MapLooks>) -> Writer<'a> {
        let numbers = HashMap::from_iter([(String::new(), 0)]);
        Writer {
            tree,
            looks,
            texts: vec![String::new()],
            numbers,
            files: Vec::new(),
        }
    }

    /// Writes the data of the page.
    fn write(mut self, out: &mut String) {
        let nodes = self.tree.nodes();
        out.push('{');
        // A parent is stored as its distance, and a step as its difference, which may be negative in another run.
        let above =
            |(at, node): (usize, &Node)| node.parent.map_or(0, |parent| (at - parent) as i64);
        row(out, "parent", nodes.iter().enumerate().map(above));
        row(
            out,
            "alternative",
            nodes.iter().map(|node| node.alternative as i64),
        );
        row(out, "of", nodes.iter().map(|node| node.of as i64));
        let states: String = nodes.iter().map(|node| letter(node.state)).collect();
        let _ = writeln!(out, "\"state\":\"{states}\",");
        let mut step = 0;
        let later = |node: &Node| node.step as i64 - std::mem::replace(&mut step, node.step as i64);
        row(out, "step", nodes.iter().map(later));
        row(
            out,
            "failures",
            nodes
                .iter()
                .map(|node| (node.failures + node.folded_failures) as i64),
        );
        row(out, "folded", nodes.iter().map(|node| node.folded as i64));
        let places: Vec<[i64; 2]> = nodes.iter().map(|node| self.place(node.span)).collect();
        row(out, "file", places.iter().map(|place| place[0]));
        row(out, "line", places.iter().map(|place| place[1]));
        let why: Vec<(&str, Option<Span>)> = nodes
            .iter()
            .map(|node| {
                node.why
                    .as_ref()
                    .map_or(("", None), |(why, span)| (&**why, *span))
            })
            .collect();
        let places: Vec<[i64; 2]> = why.iter().map(|why| self.place(why.1)).collect();
        row(out, "whyFile", places.iter().map(|place| place[0]));
        row(out, "whyLine", places.iter().map(|place| place[1]));
        for (name, texts) in [
            (
                "label",
                nodes.iter().map(|node| &*node.label).collect::<Vec<&str>>(),
            ),
            ("why", why.iter().map(|why| why.0).collect()),
            ("text", nodes.iter().map(|node| &*node.text).collect()),
        ] {
            let most = longest(&texts, 1);
            let numbers: Vec<i64> = texts.iter().map(|text| self.number(text, most)).collect();
            row(out, name, numbers.into_iter());
        }
        self.write_changes(out);
        self.write_stop(out);
        self.write_maps(out);
        self.write_runs(out);
        self.write_files(out);
        out.push_str("\"texts\":[");
        for (at, text) in self.texts.iter().enumerate() {
            out.push_str(if at > 0 { ",\n" } else { "" });
            out.push_str(&quoted(text));
        }
        out.push_str("]}");
    }

    /// Where the run was stopped, which is in few nodes.
    fn write_stop(&mut self, out: &mut String) {
        out.push_str("\"stop\":{");
        let nodes = self.tree.nodes().iter().enumerate();
        let stopped = nodes.filter_map(|(at, node)| Some((at, node.stop.as_ref()?)));
        for (number, (at, stop)) in stopped.enumerate() {
            let comma = if number > 0 { "," } else { "" };
            let [file, line] = self.place(stop.span);
            let _ = write!(
                out,
                "{comma}\"{at}\":[{},{file},{line}]",
                quoted(&stop.in_words())
            );
        }
        out.push_str("},\n");
    }

    /// Writes the changes of all nodes, with each text once.
    fn write_changes(&mut self, out: &mut String) {
        let nodes = self.tree.nodes();
        // Most changes are made again and again: each is put into words once.
        let (mut texts, mut numbers) = (Vec::new(), HashMap::default());
        let mut number = |change: &'a Change| {
            *numbers.entry(change).or_insert_with(|| {
                texts.push(change.to_string());
                texts.len() - 1
            })
        };
        // Those of all nodes, one after another, by their texts.
        let all: Vec<usize> = nodes
            .iter()
            .flat_map(|node| &node.writes)
            .map(&mut number)
            .collect();
        let rows = || {
            let mut rest = &all[..];
            nodes.iter().map(move |node| {
                let (row, others) = rest.split_at(node.writes.len());
                rest = others;
                row
            })
        };
        let listed_texts =
            |count: usize| rows().flat_map(move |row| row.iter().take(count)).copied();
        // How much of each text fits if this many are listed for each node.
        let length = |count: usize| {
            let mut is_listed = vec![false; texts.len()];
            listed_texts(count).for_each(|text| is_listed[text] = true);
            let texts: Vec<&str> = texts
                .iter()
                .zip(is_listed)
                .filter(|text| text.1)
                .map(|text| &**text.0)
                .collect();
            longest(&texts, 6)
        };
        let fits = |count: &usize| {
            let most = length(*count);
            let bytes: usize = listed_texts(*count)
                .map(|text| texts[text].len().min(most))
                .sum();
            let numbers = 6 * listed_texts(*count).count();
            most > LENGTHS[LENGTHS.len() - 1] && numbers <= TEXT_BYTES
                || bytes + numbers <= TEXT_BYTES
        };
        let count = CHANGES.into_iter().find(fits).unwrap_or(0);
        let most = length(count);
        out.push_str("\"writes\":[");
        let mut written: Vec<Option<i64>> = vec![None; texts.len()];
        for (at, row) in rows().enumerate() {
            out.push_str(if at > 0 { ",[" } else { "[" });
            let row = row.iter().take(count);
            numbers_in(
                out,
                row.map(|text| {
                    *written[*text].get_or_insert_with(|| self.number(&texts[*text], most))
                }),
            );
            out.push(']');
        }
        out.push_str("],\n");
        let more = |node: &Node| node.all_writes - node.map_writes - node.writes.len().min(count);
        row(out, "more", nodes.iter().map(|node| more(node) as i64));
    }

    /// Of a tree of two runs: in which of them each node is, where they part, and what became of it in each.
    fn write_runs(&mut self, out: &mut String) {
        let nodes = self.tree.nodes();
        if nodes[0].origin.is_none() {
            return;
        }
        let origins: String = nodes
            .iter()
            .map(|node| letter_of_origin(node.origin))
            .collect();
        let _ = writeln!(out, "\"origin\":\"{origins}\",");
        let parting: Vec<String> = (0..nodes.len())
            .filter(|at| nodes[*at].parts)
            .map(|at| at.to_string())
            .collect();
        let _ = writeln!(out, "\"partings\":[{}],\n\"ended\":{{", parting.join(","));
        let mut comma = "";
        for (at, node) in nodes.iter().enumerate() {
            let Some(ended) = &node.ended else { continue };
            let texts = ended.each_ref().map(|ended| {
                let (why, span) = match (&ended.stop, &ended.why) {
                    (Some(stop), _) => (stop.in_words(), stop.span),
                    (None, Some((why, span))) => (why.clone(), *span),
                    (None, None) => (String::new(), None),
                };
                let [file, line] = self.place(span);
                format!(
                    "[\"{}\",{},{file},{line}]",
                    letter(ended.state),
                    self.number(&why, LENGTHS[1])
                )
            });
            let _ = write!(out, "{comma}\"{at}\":[{}]", texts.join(","));
            comma = ",";
        }
        out.push_str("},\n");
    }

    /// The maps, as the changes of each node: if not all fit, those of most nodes, first from the beginning and along
    /// the paths to solutions and to the deepest failure.
    fn write_maps(&mut self, out: &mut String) {
        let Some(name) = self.tree.map_name() else {
            return;
        };
        let nodes = self.tree.nodes();
        let contents = self.tree.contents();
        let mut used: Vec<usize> = vec![0];
        let mut numbers: HashMap<u32, u32> = HashMap::from_iter([(0, 0)]);
        let mut maps: Vec<Option<String>> = vec![None; nodes.len()];
        let mut second: BTreeMap<usize, String> = BTreeMap::new();
        let mut bytes = 0;
        for at in self.in_order_of_weight() {
            if bytes > MAP_BYTES
                || nodes[at]
                    .parent
                    .is_some_and(|parent| maps[parent].is_none())
            {
                continue;
            }
            let Some(change) = self.tree.map_change(at) else {
                continue;
            };
            let mut packed = |change: &MapChange| {
                let mut map = String::new();
                change.each_number(|number, is_content| {
                    let number = match is_content {
                        false => number,
                        true => *numbers.entry(number).or_insert_with(|| {
                            used.push(number as usize);
                            bytes += 2 + size(&contents[number as usize]);
                            used.len() as u32 - 1
                        }),
                    };
                    put(&mut map, number);
                });
                bytes += map.len() + 3;
                map
            };
            maps[at] = Some(packed(&change));
            if let Some(change) = self.tree.second_map_change(at) {
                second.insert(at, packed(&change));
            }
        }
        let _ = write!(out, "\"mapName\":{},\n\"map\":[", quoted(name));
        for (at, map) in maps.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            let _ = match map {
                Some(map) => write!(out, "{comma}\"{map}\""),
                None => write!(out, "{comma}0"),
            };
        }
        let second: Vec<String> = second
            .iter()
            .map(|(at, map)| format!("\"{at}\":\"{map}\""))
            .collect();
        let _ = write!(
            out,
            "],\n\"secondMap\":{{{}}},\n\"contents\":[",
            second.join(",")
        );
        for (at, number) in used.iter().enumerate() {
            out.push_str(if at > 0 { "," } else { "" });
            match &contents[*number] {
                Content::Nothing => out.push('0'),
                Content::Candidates(candidates) => {
                    let candidates: Vec<String> = candidates.iter().map(u32::to_string).collect();
                    let _ = write!(out, "[{}]", candidates.join(","));
                }
            }
        }
        let values: Vec<String> = self
            .tree
            .values()
            .iter()
            .map(|value| quoted(value))
            .collect();
        let _ = writeln!(out, "],\n\"values\":[{}],", values.join(","));
        if let Some(MapLooks { url, cell, across }) = self.looks {
            let _ = writeln!(
                out,
                "\"looks\":{{\"url\":{},\"cell\":{cell},\"across\":{across}}},",
                quoted(url)
            );
        }
    }

    /// The nodes, parents first: those that lead to a solution or to the deepest failure before all others, then by depth.
    fn in_order_of_weight(&self) -> Vec<usize> {
        let nodes = self.tree.nodes();
        let mut depths = vec![0; nodes.len()];
        let mut is_heavy: Vec<bool> = nodes.iter().map(|node| node.leads_to_solution).collect();
        for (at, node) in nodes.iter().enumerate().skip(1) {
            depths[at] = node.parent.map_or(0, |parent| depths[parent] + 1);
        }
        let failed = (0..nodes.len()).filter(|at| nodes[*at].state == State::Failed);
        let mut path = failed.max_by_key(|at| (depths[*at], std::cmp::Reverse(*at)));
        while let Some(at) = path {
            is_heavy[at] = true;
            path = nodes[at].parent;
        }
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        order.sort_by_key(|at| (!is_heavy[*at], depths[*at]));
        order
    }

    /// Writes the names of files.
    fn write_files(&self, out: &mut String) {
        out.push_str("\"files\":[");
        for (at, base) in self.files.iter().enumerate() {
            let Some(file) = self
                .tree
                .sources()
                .files()
                .iter()
                .find(|file| file.base == *base)
            else {
                continue;
            };
            // The program itself needs no name.
            let is_first = self
                .tree
                .sources()
                .files()
                .first()
                .is_some_and(|first| first.base == *base);
            let name = if is_first {
                String::new()
            } else {
                file.name.to_string()
            };
            let lines: Vec<String> = file.text.lines().map(quoted).collect();
            let comma = if at > 0 { ",\n" } else { "" };
            let _ = write!(
                out,
                "{comma}{{\"name\":{},\"lines\":[{}]}}",
                quoted(&name),
                lines.join(",\n")
            );
        }
        out.push_str("],\n");
    }

    /// A file, by its number, and a line; 0 where there is none.
    fn place(&mut self, span: Option<Span>) -> [i64; 2] {
        let Some((file, line, _)) = span.and_then(|span| self.tree.sources().locate(span)) else {
            return [0, 0];
        };
        let known = self.files.iter().position(|base| *base == file.base);
        let number = known.unwrap_or_else(|| {
            self.files.push(file.base);
            self.files.len() - 1
        });
        [number as i64, line as i64]
    }

    /// The number of a text, of which at most `most` bytes are stored.
    fn number(&mut self, text: &str, most: usize) -> i64 {
        let cut = cut(text, most);
        if let Some(number) = self.numbers.get(cut) {
            return *number as i64;
        }
        let number = self.texts.len();
        self.texts
            .push(if cut.len() < text.len() && !cut.ends_with("...") {
                format!("{cut}...")
            } else {
                cut.to_string()
            });
        self.numbers.insert(cut.to_string(), number);
        number as i64
    }
}

/// A property of all nodes.
fn row(out: &mut String, name: &str, numbers: impl Iterator<Item = i64>) {
    let _ = write!(out, "\"{name}\":[");
    numbers_in(out, numbers);
    out.push_str("],\n");
}

/// Numbers with commas between them. A page has a dozen for each node, so they do without the formatter.
fn numbers_in(out: &mut String, numbers: impl Iterator<Item = i64>) {
    for (at, number) in numbers.enumerate() {
        if at > 0 {
            out.push(',');
        }
        if number < 0 {
            out.push('-');
        }
        let mut digits = [0; 20];
        let (mut begin, mut rest) = (digits.len(), number.unsigned_abs());
        loop {
            begin -= 1;
            digits[begin] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        digits[begin..]
            .iter()
            .for_each(|digit| out.push(char::from(*digit)));
    }
}

/// The beginning of a text, of about `most` bytes.
fn cut(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len()))
        .rev()
        .find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

/// How much of each text fits, if equal ones are stored once, with `more` bytes for each.
fn longest(texts: &[&str], more: usize) -> usize {
    let fits = |most: &usize| {
        let mut seen = HashSet::default();
        let mut bytes = 0;
        texts.iter().map(|text| cut(text, *most)).all(|text| {
            bytes += if seen.insert(text) {
                text.len() + more
            } else {
                0
            };
            bytes <= TEXT_BYTES
        })
    };
    LENGTHS
        .into_iter()
        .find(fits)
        .unwrap_or(LENGTHS[LENGTHS.len() - 1])
}

fn letter(state: State) -> char {
    match state {
        State::Solution => 's',
        State::Failed => 'f',
        State::Open => 'o',
        State::Inner => 'i',
    }
}

fn letter_of_origin(origin: Option<Origin>) -> char {
    match origin {
        None | Some(Origin::Both) => '=',
        Some(Origin::First) => '<',
        Some(Origin::Second) => '>',
    }
}

/// A number as digits of five bits, lowest first; all but the last have a bit more.
fn put(out: &mut String, mut number: u32) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    while number >= 32 {
        out.push(char::from(DIGITS[(number % 32 + 32) as usize]));
        number /= 32;
    }
    out.push(char::from(DIGITS[number as usize]));
}

/// About how many bytes a content takes on the page.
fn size(content: &Content) -> usize {
    match content {
        Content::Nothing => 1,
        Content::Candidates(candidates) => 3 * candidates.len(),
    }
}
