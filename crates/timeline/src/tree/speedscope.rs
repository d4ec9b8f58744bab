//! A search tree in the format of speedscope: nested choices.

use ndscript_base::keyed::KeyedMap;
use std::fmt::Write as _;

use super::SearchTree;
use super::json::quoted;
use super::node::State;

impl SearchTree {
    /// The tree in speedscope's evented form (<https://www.speedscope.app>): an alternative is open from the step at
    /// which it was taken to the one at which it was left.
    ///
    /// ```
    /// use ndscript::Engine;
    /// use ndscript_timeline::SearchTree;
    /// let program = Engine::new().compile("let x = choose(1, 2); require(x == 3);")?;
    /// let mut tree = SearchTree::new(program.sources().clone(), 1000);
    /// program.run(1).watch(1000, &mut tree);
    /// assert_eq!(tree.to_speedscope("x").matches("\"type\":\"O\"").count(), 3);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn to_speedscope(&self, title: &str) -> String {
        let nodes = self.nodes();
        let mut names: Vec<String> = Vec::new();
        let mut numbers: KeyedMap<String, usize> = KeyedMap::default();
        let mut events: Vec<String> = Vec::new();
        // The open nodes, with the numbers of their names.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let end = nodes
            .iter()
            .map(|node| node.step.max(node.until.step))
            .max()
            .unwrap_or(0)
            + 1;
        let close = |open: &mut Vec<(usize, usize)>,
                     until: Option<usize>,
                     step: u64,
                     events: &mut Vec<String>| {
            while let Some((_, name)) = open.pop_if(|(node, _)| Some(*node) != until) {
                events.push(format!("{{\"type\":\"C\",\"frame\":{name},\"at\":{step}}}"));
            }
        };
        for (at, node) in nodes.iter().enumerate() {
            close(&mut open, node.parent, node.step, &mut events);
            let line = self.line_in_words(node, ": ");
            let failed = if node.state == State::Failed {
                ", failed"
            } else {
                ""
            };
            let name = if at == 0 {
                "the search".to_string()
            } else {
                format!("{line}{}{failed}", node.label)
            };
            let number = *numbers.entry(name.clone()).or_insert_with(|| {
                names.push(name);
                names.len() - 1
            });
            events.push(format!(
                "{{\"type\":\"O\",\"frame\":{number},\"at\":{}}}",
                node.step
            ));
            open.push((at, number));
        }
        close(&mut open, None, end, &mut events);
        let mut out = format!(
            "{{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"ndscript\",\"name\":{0},\n\
             \"shared\":{{\"frames\":[",
            quoted(title)
        );
        for (at, name) in names.iter().enumerate() {
            let _ = write!(
                out,
                "{}{{\"name\":{}}}",
                if at > 0 { "," } else { "" },
                quoted(name)
            );
        }
        let _ = write!(
            out,
            "]}},\n\"profiles\":[{{\"type\":\"evented\",\"name\":{},\"unit\":\"none\",\"startValue\":0,\"endValue\":{end},\"events\":[\n{}\n]}}]}}\n",
            quoted(title),
            events.join(",\n")
        );
        out
    }
}
