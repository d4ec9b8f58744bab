//! `ndscript check`: reports errors in programs without running them.

use std::collections::HashSet;
use std::path::Path;

use ndscript::Engine;
use ndscript::diagnostics::Diagnostic;
use ndscript::source::Sources;
use ndscript::tiles::Tiles;

use crate::arguments::options::CheckOptions;
use crate::exit::{Exit, Stop};
use crate::files::imports::FileImports;
use crate::files::save;
use crate::files::{self, Bounds, FolderTiles};
use crate::results::finding::Finding;
use crate::results::sarif;
use crate::terminal;
use crate::terminal::stdout;

/// Checks all files, also those after one that has errors.
pub fn check(options: &CheckOptions) -> Result<Exit, Stop> {
    let mut exit = Exit::Success;
    let mut report = Report {
        options,
        color: terminal::colors_messages(options.color),
        seen: HashSet::new(),
        findings: Vec::new(),
    };
    for path in &options.files {
        if let Exit::Error = file(path, &mut report)? {
            exit = Exit::Error;
        }
    }
    if let Some(path) = &options.sarif {
        let log = format!("{:#}\n", sarif::log(&report.findings));
        save::save(path, log.as_bytes())?;
    }
    Ok(exit)
}

/// Checks one file and what it imports.
fn file(path: &Path, report: &mut Report) -> Result<Exit, Stop> {
    let shown = files::shown_name(path);
    let text = files::read_program(path, Bounds::new(None, None));
    let imports = FileImports::new(
        files::folder_of(path),
        &report.options.imports.import_path,
        None,
    );
    let tiles = FolderTiles::new([files::folder_of(path)]);
    let (text, imports, tiles) = match text.and_then(|text| Ok((text, imports?, tiles?))) {
        Ok(all) => all,
        Err(stop) => {
            report.stop(&shown, &stop)?;
            return Ok(Exit::Error);
        }
    };
    let engine = Engine::new()
        .with_imports(imports)
        .with_tiles(Tiles::new(tiles));
    match engine.compile_named(&shown, &text) {
        Ok(program) => {
            report.diagnostics(&shown, program.warnings(), program.sources())?;
            Ok(Exit::Success)
        }
        Err(error) => {
            report.diagnostics(&shown, &error.diagnostics, &error.sources)?;
            Ok(Exit::Error)
        }
    }
}

/// Where findings go.
struct Report<'o> {
    options: &'o CheckOptions,
    color: bool,
    /// Findings so far: two programs may import one file.
    seen: HashSet<String>,
    /// Each with the file that was checked, as long as they are to be written to a file.
    findings: Vec<(String, Finding)>,
}

impl Report<'_> {
    fn diagnostics(
        &mut self,
        file: &str,
        diagnostics: &[Diagnostic],
        sources: &Sources,
    ) -> Result<(), Stop> {
        for each in diagnostics {
            if !self.options.json {
                terminal::show(each, sources, self.color);
            }
            self.add(file, Finding::of(each, sources))?;
        }
        Ok(())
    }

    fn stop(&mut self, file: &str, stop: &Stop) -> Result<(), Stop> {
        if !self.options.json {
            crate::report(stop);
        }
        self.add(file, Finding::of_file(&stop.message))
    }

    fn add(&mut self, file: &str, finding: Finding) -> Result<(), Stop> {
        let json = finding.to_json(file).to_string();
        if !self.seen.insert(json.clone()) {
            return Ok(());
        }
        if self.options.json {
            stdout::write_json(&(json + "\n"))?;
        }
        if self.options.sarif.is_some() {
            self.findings.push((file.to_string(), finding));
        }
        Ok(())
    }
}
