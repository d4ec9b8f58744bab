//! A search tree as a drawing.

use std::fmt::Write as _;

use super::SearchTree;
use super::dot::color;
use super::node::State;
use super::shape::{Shape, outcome};
use crate::moments::words;
use ndscript_base::markup;

/// Pixels from one row to the next.
const ROW: usize = 70;
const MARGIN: usize = 40;

/// At most this many characters of a label fit beside an edge.
const LABEL: usize = 24;

/// A node with its place.
struct PlacedNode {
    node: usize,
    parent: Option<usize>,
    x: usize,
    row: usize,
    /// The text at the edge that leads to it.
    label: String,
}

impl SearchTree {
    /// The tree as SVG: green leads to a solution, red has failed, gray was left open; subtrees that failed are one
    /// node, and so are chains of single alternatives. Pointing at a node shows its title.
    pub fn to_svg(&self) -> String {
        let shape = Shape::of(self);
        let placed = self.place(&shape);
        let width =
            placed.iter().map(|placed| placed.x).max().unwrap_or(0) + 2 * MARGIN + 7 * LABEL;
        let height = placed
            .iter()
            .map(|placed| placed.row * ROW)
            .max()
            .unwrap_or(0)
            + 2 * MARGIN;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n<title>search tree</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        let spot = |placed: &PlacedNode| (placed.x + MARGIN, placed.row * ROW + MARGIN);
        for one in &placed {
            let Some(parent) = one.parent else { continue };
            let ((x, y), (above, top)) = (spot(one), spot(&placed[parent]));
            let _ = writeln!(
                out,
                "<line x1=\"{above}\" y1=\"{top}\" x2=\"{x}\" y2=\"{y}\" stroke=\"#888\"/>"
            );
        }
        for one in &placed {
            let (x, y) = spot(one);
            let node = &self.nodes()[one.node];
            let fill = color(node.leads_to_solution, shape.is_dead[one.node], node.state);
            let ended = match outcome(self, &shape, one.node) {
                ended if one.node == 0 && node.stop.is_some() => format!("start: {ended}"),
                _ if one.node == 0 => "start".to_string(),
                ended => ended,
            };
            let line = self.line_in_words(node, ": ");
            let title = format!("{line}{} {ended}", node.label);
            let part = if node.parts { ", here they part" } else { "" };
            let title = format!("{title}{part}");
            let (stroke, wide) = match node.origin {
                None => ("#555", 1),
                Some(origin) => (origin.color(), if node.parts { 5 } else { 2 }),
            };
            let radius = if shape.failures[one.node] > 1 && shape.is_dead[one.node] {
                13
            } else {
                9
            };
            let _ = writeln!(
                out,
                "<g><title>{}</title><circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{wide}\"/>",
                markup::text(&title)
            );
            if radius > 9 {
                let _ = writeln!(
                    out,
                    "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" font-size=\"9\">{}</text>",
                    y + 3,
                    short_number(shape.failures[one.node])
                );
            }
            if one.parent.is_some() {
                let _ = writeln!(
                    out,
                    "<text x=\"{}\" y=\"{}\">{}</text>",
                    x + 15,
                    y + 4,
                    markup::text(&one.label)
                );
                if let Some(failed) = self.line_of_failure(&shape, one.node) {
                    let _ = writeln!(
                        out,
                        "<text x=\"{}\" y=\"{}\" font-size=\"9\" fill=\"#b03020\">{}</text>",
                        x + 15,
                        y + 15,
                        markup::text(&failed)
                    );
                }
            }
            out.push_str("</g>\n");
        }
        out.push_str("</svg>\n");
        out
    }

    /// The line at which a folded subtree failed, if all of it failed in one place.
    fn line_of_failure(&self, shape: &Shape, at: usize) -> Option<String> {
        if !shape.is_folded(at) {
            return None;
        }
        let mut open = vec![at];
        let mut place = None;
        while let Some(at) = open.pop() {
            let node = &self.nodes()[at];
            if node.folded > 0 {
                return None;
            }
            if node.state == State::Failed {
                let span = node.why.as_ref()?.1?;
                let line = self.sources().line_in_words(span)?;
                if place.get_or_insert_with(|| line.clone()) != &line {
                    return None;
                }
            }
            open.extend(&shape.children[at]);
        }
        place
    }

    /// Leaves stand side by side, and every other node in the middle above its children.
    fn place(&self, shape: &Shape) -> Vec<PlacedNode> {
        let mut placed = vec![PlacedNode {
            node: 0,
            parent: None,
            x: 0,
            row: 0,
            label: String::new(),
        }];
        let mut children: Vec<Vec<usize>> = Vec::new();
        let mut at = 0;
        while at < placed.len() {
            let mut below = Vec::new();
            for child in shape.shown(placed[at].node) {
                let (end, between) = shape.chain(*child);
                let mut label = words::beginning(&self.nodes()[*child].label, LABEL);
                let node = if between > 1 {
                    label = format!("{label} +{between}");
                    end
                } else {
                    *child
                };
                below.push(placed.len());
                placed.push(PlacedNode {
                    node,
                    parent: Some(at),
                    x: 0,
                    row: placed[at].row + 1,
                    label,
                });
            }
            children.push(below);
            at += 1;
        }
        // From the leaves up, in the order in which they stand.
        let mut order = Vec::new();
        let mut todo = vec![0];
        while let Some(at) = todo.pop() {
            order.push(at);
            todo.extend(children[at].iter().rev());
        }
        // From one leaf to the next, as the labels need it.
        let longest = placed
            .iter()
            .map(|placed| placed.label.chars().count())
            .max()
            .unwrap_or(0);
        let column = 40 + 7 * longest;
        let mut leaf = 0;
        for at in &order {
            if children[*at].is_empty() {
                placed[*at].x = leaf * column;
                leaf += 1;
            }
        }
        for at in order.iter().rev() {
            if let (Some(first), Some(last)) = (children[*at].first(), children[*at].last()) {
                placed[*at].x = (placed[*first].x + placed[*last].x) / 2;
            }
        }
        placed
    }
}

fn short_number(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        1000..1_000_000 => format!("{}k", number / 1000),
        _ => format!("{}M", number / 1_000_000),
    }
}
