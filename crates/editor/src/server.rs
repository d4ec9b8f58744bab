//! The language server: messages in, messages out. Its owner carries them, and says when there is time.

mod analysis;
mod colors;
mod completion;
mod diagnostics;
mod fixes;
mod folding;
mod formatting;
mod hover;
mod lenses;
mod navigation;
mod rename;
mod signature;
mod symbols;
mod syntax_tokens;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use gen_lsp_types as lsp;
use ndscript::Engine;
use ndscript::source::SourceFile;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::store::{Document, Files, Store, name_of};
use crate::text::{Encoding, Text};
use analysis::Analysis;

/// How deep answers nest. What reads JSON refuses what is nested very deeply: Rust's `serde_json`, and so Helix, more than
/// 128 levels.
const DEEPEST: usize = 40;

/// Why a request has no answer, by the protocol's numbers.
#[derive(Debug)]
pub(crate) struct Failure {
    code: i64,
    message: String,
}

const NOT_INITIALIZED: i64 = -32002;
const INVALID_REQUEST: i64 = -32600;
const UNKNOWN_METHOD: i64 = -32601;
const INVALID_PARAMETERS: i64 = -32602;
const CANCELLED: i64 = -32800;
const REFUSED: i64 = -32803;

impl Failure {
    /// A request that cannot be carried out; the message tells the person why.
    pub(crate) fn refused(message: impl Into<String>) -> Failure {
        Failure {
            code: REFUSED,
            message: message.into(),
        }
    }

    fn new(code: i64, message: impl Into<String>) -> Failure {
        Failure {
            code,
            message: message.into(),
        }
    }
}

/// How far a session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    New,
    Running,
    ShutDown,
    Ended,
}

/// What an editor can do with answers.
#[derive(Clone, Copy, Debug, Default)]
struct Abilities {
    snippets: bool,
    /// Whether it reports files that change on disk, if it is asked to.
    watches: bool,
}

/// A server of the Language Server Protocol for programs of an [`Engine`].
///
/// Messages, texts in JSON, are handed over with [`receive`](Server::receive) as they come, and worked on one at a time with
/// [`step`](Server::step). So requests that are cancelled while they wait are never worked on, and programs are checked only
/// when nothing else waits.
///
/// ```
/// use ndscript::Engine;
/// use ndscript_editor::{NoFiles, Server};
/// use serde_json::json;
///
/// let mut server = Server::new(Engine::new(), NoFiles, Vec::new());
/// let document = json!({"uri": "file:///a.nds", "languageId": "ndscript", "version": 1, "text": "print(1"});
/// for message in [
///     json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}),
///     json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}}),
/// ] {
///     server.receive(&message.to_string());
/// }
/// let mut told: Vec<serde_json::Value> = Vec::new();
/// while let Some(messages) = server.step() {
///     told.extend(messages.iter().map(|message| serde_json::from_str(message).unwrap()));
/// }
/// assert_eq!(told[0]["result"]["serverInfo"]["name"], "ndscript");
/// assert_eq!(told[1]["params"]["diagnostics"][0]["range"]["start"]["character"], 5);
/// ```
pub struct Server {
    engine: Engine,
    store: Store,
    phase: Phase,
    was_shut_down: bool,
    encoding: Encoding,
    abilities: Abilities,
    /// Folders that the person works in.
    folders: Vec<String>,
    inbox: VecDeque<Value>,
    /// Documents whose messages are out of date.
    unchecked: BTreeSet<String>,
    analyses: HashMap<String, Arc<Analysis>>,
    /// The latest analyses of earlier texts, for documents that have not been read since they changed.
    earlier: HashMap<String, Arc<Analysis>>,
    /// Other analyses of earlier texts. Freeing one takes long for a large program, so that waits until there is no request.
    outdated: Vec<Arc<Analysis>>,
}

impl Server {
    /// A server for programs of this engine, whose imports and tiles come from `files`. Imports are also looked for in the
    /// `folders`.
    pub fn new(engine: Engine, files: impl Files + 'static, folders: Vec<String>) -> Server {
        Server {
            engine,
            store: Store::new(Arc::new(files), folders),
            phase: Phase::New,
            was_shut_down: false,
            encoding: Encoding::default(),
            abilities: Abilities::default(),
            folders: Vec::new(),
            inbox: VecDeque::new(),
            unchecked: BTreeSet::new(),
            analyses: HashMap::new(),
            earlier: HashMap::new(),
            outdated: Vec::new(),
        }
    }

    /// Takes a message, which waits for [`step`](Server::step). Any text is taken; what is no message is answered with an
    /// error or passed over.
    pub fn receive(&mut self, message: &str) {
        let message: Value = serde_json::from_str(message).unwrap_or_default();
        if message["method"] == "$/cancelRequest" {
            let id = &message["params"]["id"];
            let waits =
                |request: &&mut Value| request.get("method").is_some() && request["id"] == *id;
            if !id.is_null()
                && let Some(request) = self.inbox.iter_mut().find(waits)
            {
                *request = json!({"id": id, "method": "$/cancelled"});
            }
            return;
        }
        self.inbox.push_back(message);
    }

    /// Works on the next message, or, if none waits, checks a program that was changed. Returns what is to be sent to the
    /// editor; `None` if there is nothing to do until the next message.
    pub fn step(&mut self) -> Option<Vec<String>> {
        if self.phase == Phase::Ended {
            return None;
        }
        if let Some(message) = self.inbox.pop_front() {
            return Some(self.message(message));
        }
        self.outdated.clear();
        let name = self.unchecked.first()?.clone();
        if let Some(document) = self.store.document(&name)
            && self.analysis(&name, &document).read()
        {
            self.outdated.extend(self.earlier.remove(&name));
            // Returns first, so that requests that have arrived meanwhile need not wait for the check.
            return Some(Vec::new());
        }
        self.unchecked.remove(&name);
        Some(self.diagnostics(&name).into_iter().collect())
    }

    /// Whether [`step`](Server::step) would check a program, as no message waits. What the editor sends then has to wait, so
    /// a host may give it a moment first.
    pub fn only_checks(&self) -> bool {
        self.inbox.is_empty() && !self.unchecked.is_empty()
    }

    /// The exit code, once the editor has ended the session: 0 if it was shut down before, as it should be.
    pub fn ended(&self) -> Option<u8> {
        (self.phase == Phase::Ended).then_some(u8::from(!self.was_shut_down))
    }

    fn message(&mut self, mut message: Value) -> Vec<String> {
        let id = message.get("id").cloned();
        let Some(method) = message["method"].as_str().map(str::to_string) else {
            // An answer to something that was never asked.
            let is_answer = message.get("result").is_some() || message.get("error").is_some();
            if is_answer && id.is_some() {
                return Vec::new();
            }
            let failure = Failure::new(INVALID_REQUEST, "this is no message of the protocol");
            return vec![answer(id.unwrap_or(Value::Null), Err(failure))];
        };
        let parameters = message["params"].take();
        match id {
            Some(id) => {
                let result = self.request(&method, parameters);
                vec![answer(id, result)]
            }
            None => self.notification(&method, parameters),
        }
    }

    /// The result, in JSON.
    fn request(&mut self, method: &str, parameters: Value) -> Result<String, Failure> {
        match (self.phase, method) {
            (_, "$/cancelled") => return Err(Failure::new(CANCELLED, "cancelled")),
            (Phase::New, "initialize") => return with(parameters, |it| Ok(self.initialize(it))),
            (Phase::New, _) => {
                return Err(Failure::new(NOT_INITIALIZED, "`initialize` comes first"));
            }
            (Phase::Running, "initialize") => {
                return Err(Failure::new(INVALID_REQUEST, "`initialize` comes once"));
            }
            (Phase::Running, "shutdown") => {
                self.phase = Phase::ShutDown;
                return Ok("null".to_string());
            }
            (Phase::Running, _) => {}
            (Phase::ShutDown | Phase::Ended, _) => {
                return Err(Failure::new(INVALID_REQUEST, "the server is shut down"));
            }
        }
        match method {
            "textDocument/completion" => with(parameters, |it| self.completion(it)),
            "textDocument/hover" => with(parameters, |it| self.hover(it)),
            "textDocument/signatureHelp" => with(parameters, |it| self.signature(it)),
            "textDocument/definition" => with(parameters, |it| self.definition(it)),
            "textDocument/references" => with(parameters, |it| self.references(it)),
            "textDocument/documentHighlight" => with(parameters, |it| self.highlights(it)),
            "textDocument/prepareRename" => with(parameters, |it| self.prepare_rename(it)),
            "textDocument/rename" => with(parameters, |it| self.rename(it)),
            "textDocument/documentSymbol" => with(parameters, |it| self.document_symbols(it)),
            "workspace/symbol" => with(parameters, |it| self.workspace_symbols(it)),
            "textDocument/foldingRange" => with(parameters, |it| self.folding(it)),
            "textDocument/selectionRange" => with(parameters, |it| self.selection(it)),
            "textDocument/semanticTokens/full" => with(parameters, |it| self.all_tokens(it)),
            "textDocument/semanticTokens/range" => with(parameters, |it| self.some_tokens(it)),
            "textDocument/documentLink" => with(parameters, |it| self.links(it)),
            "textDocument/documentColor" => with(parameters, |it| self.colors(it)),
            "textDocument/colorPresentation" => with(parameters, |it| self.presentations(it)),
            "textDocument/formatting" => with(parameters, |it| self.format_all(it)),
            "textDocument/rangeFormatting" => with(parameters, |it| self.format_range(it)),
            "textDocument/codeLens" => with(parameters, |it| self.lenses(it)),
            "textDocument/codeAction" => with(parameters, |it| self.fixes(it)),
            _ => Err(Failure::new(
                UNKNOWN_METHOD,
                format!("this server does not know `{method}`"),
            )),
        }
    }

    fn initialize(&mut self, parameters: lsp::InitializeParams) -> lsp::InitializeResult {
        self.phase = Phase::Running;
        let capabilities = &parameters.capabilities;
        let encodings = capabilities
            .general
            .as_ref()
            .and_then(|general| general.position_encodings.clone())
            .unwrap_or_default();
        if encodings.contains(&lsp::PositionEncodingKind::UTF8) {
            self.encoding = Encoding::Utf8;
        }
        let completion = capabilities
            .text_document
            .as_ref()
            .and_then(|document| document.completion.as_ref());
        let item = completion.and_then(|completion| completion.completion_item.as_ref());
        self.abilities.snippets = item.is_some_and(|item| item.snippet_support == Some(true));
        let workspace = capabilities.workspace.as_ref();
        let watching = workspace.and_then(|it| it.did_change_watched_files.as_ref());
        self.abilities.watches = watching.is_some_and(|it| it.dynamic_registration == Some(true));
        #[expect(deprecated, reason = "some editors still say no more than this")]
        let root = parameters.root_uri.clone();
        let folders = serde_json::to_value(&parameters.workspace_folders_initialize_params);
        let folders = folders.unwrap_or_default()["workspaceFolders"].take();
        let folders: Vec<lsp::WorkspaceFolder> =
            serde_json::from_value(folders).unwrap_or_default();
        self.folders = folders.iter().map(|folder| name_of(&folder.uri)).collect();
        // Editors that know one folder alone.
        if let Some(root) = root.filter(|_| self.folders.is_empty()) {
            self.folders.push(name_of(&root));
        }
        lsp::InitializeResult {
            capabilities: self.capabilities(),
            server_info: Some(lsp::ServerInfo {
                name: "ndscript".to_string(),
                version: Some(env!("CARGO_PKG_VERSION").to_string()),
            }),
        }
    }

    fn capabilities(&self) -> lsp::ServerCapabilities {
        let texts =
            |characters: &[&str]| Some(characters.iter().map(|it| it.to_string()).collect());
        lsp::ServerCapabilities {
            position_encoding: Some(match self.encoding {
                Encoding::Utf8 => lsp::PositionEncodingKind::UTF8,
                Encoding::Utf16 => lsp::PositionEncodingKind::UTF16,
            }),
            text_document_sync: Some(lsp::TextDocumentSyncKind::Incremental.into()),
            completion_provider: Some(lsp::CompletionOptions {
                trigger_characters: texts(&[".", "/"]),
                ..lsp::CompletionOptions::default()
            }),
            signature_help_provider: Some(lsp::SignatureHelpOptions {
                trigger_characters: texts(&["(", ","]),
                ..lsp::SignatureHelpOptions::default()
            }),
            hover_provider: Some(true.into()),
            definition_provider: Some(true.into()),
            references_provider: Some(true.into()),
            document_highlight_provider: Some(true.into()),
            rename_provider: Some(
                lsp::RenameOptions {
                    prepare_provider: Some(true),
                    ..lsp::RenameOptions::default()
                }
                .into(),
            ),
            document_symbol_provider: Some(true.into()),
            workspace_symbol_provider: Some(true.into()),
            folding_range_provider: Some(true.into()),
            selection_range_provider: Some(true.into()),
            semantic_tokens_provider: Some(syntax_tokens::options().into()),
            document_link_provider: Some(lsp::DocumentLinkOptions::default()),
            color_provider: Some(true.into()),
            document_formatting_provider: Some(true.into()),
            document_range_formatting_provider: Some(true.into()),
            code_lens_provider: Some(lsp::CodeLensOptions::default()),
            code_action_provider: Some(
                lsp::CodeActionOptions {
                    code_action_kinds: Some(vec![lsp::CodeActionKind::QuickFix]),
                    ..lsp::CodeActionOptions::default()
                }
                .into(),
            ),
            ..lsp::ServerCapabilities::default()
        }
    }

    fn notification(&mut self, method: &str, parameters: Value) -> Vec<String> {
        if method == "exit" {
            self.was_shut_down = self.phase == Phase::ShutDown;
            self.phase = Phase::Ended;
        }
        if self.phase != Phase::Running {
            return Vec::new();
        }
        // An invalid notification is ignored: nobody waits for a response.
        match method {
            "initialized" if self.abilities.watches => return vec![watch_files()],
            "textDocument/didOpen" => {
                if let Ok(it) = serde_json::from_value(parameters) {
                    self.open(it);
                }
            }
            "textDocument/didChange" => {
                let parameters = with_version(parameters);
                if has_ranges(&parameters)
                    && let Ok(it) = serde_json::from_value(parameters)
                {
                    self.change(it);
                }
            }
            "textDocument/didClose" => {
                if let Ok(it) = serde_json::from_value(parameters) {
                    return self.close(it);
                }
            }
            "workspace/didChangeWatchedFiles" | "textDocument/didSave" => self.drop_all_analyses(),
            _ => {}
        }
        Vec::new()
    }

    fn open(&mut self, parameters: lsp::DidOpenTextDocumentParams) {
        let document = parameters.text_document;
        let name = name_of(&document.uri);
        let text = Text::new(document.text, self.encoding);
        let opened = Document::new(document.uri, document.version, text);
        self.store.put(name, opened);
        self.drop_all_analyses();
    }

    fn change(&mut self, parameters: lsp::DidChangeTextDocumentParams) {
        let uri = &parameters.text_document.text_document_identifier.uri;
        let name = name_of(uri);
        let Some(document) = self.store.document(&name) else {
            return;
        };
        let changes = parameters.content_changes.into_iter();
        let changes = changes.map(|change| match change {
            lsp::TextDocumentContentChangeEvent::TextDocumentContentChangePartial(change) => {
                (Some(change.range), change.text)
            }
            lsp::TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(change) => {
                (None, change.text)
            }
        });
        let text = document.text.clone().changed(changes);
        let version = parameters.text_document.version;
        let changed = Document::new(document.uri.clone(), version, text);
        self.store.put(name.clone(), changed);
        self.drop_analyses_of(&name);
    }

    fn close(&mut self, parameters: lsp::DidCloseTextDocumentParams) -> Vec<String> {
        let uri = parameters.text_document.uri;
        let name = name_of(&uri);
        self.store.close(&name);
        self.drop_all_analyses();
        self.unchecked.remove(&name);
        self.analyses.remove(&name);
        self.earlier.remove(&name);
        let no_messages = lsp::PublishDiagnosticsParams {
            uri,
            version: None,
            diagnostics: Vec::new(),
        };
        vec![notification("textDocument/publishDiagnostics", no_messages)]
    }

    /// A document is another: so is what uses it.
    fn drop_analyses_of(&mut self, name: &str) {
        let mut stale: Vec<String> = Vec::new();
        for (program, analysis) in &self.analyses {
            if program == name || analysis.uses(name) {
                stale.push(program.clone());
            }
        }
        for program in stale {
            if let Some(analysis) = self.analyses.remove(&program) {
                self.set_aside(&program, analysis);
            }
            self.unchecked.insert(program);
        }
        self.unchecked.insert(name.to_string());
    }

    /// Files may have come or gone.
    fn drop_all_analyses(&mut self) {
        for (program, analysis) in std::mem::take(&mut self.analyses) {
            self.set_aside(&program, analysis);
        }
        self.unchecked.extend(self.store.open_names());
    }

    /// Keeps the analysis of an earlier text for the next one.
    fn set_aside(&mut self, program: &str, analysis: Arc<Analysis>) {
        let unused = if analysis.is_read() {
            self.earlier.insert(program.to_string(), analysis)
        } else {
            Some(analysis)
        };
        self.outdated.extend(unused);
    }

    /// The document that a request is about.
    fn document(&self, uri: &lsp::Uri) -> Result<(String, Arc<Document>), Failure> {
        let name = name_of(uri);
        match self.store.document(&name) {
            Some(document) => Ok((name, document)),
            None => Err(Failure::new(
                INVALID_PARAMETERS,
                format!("{} is not open", uri.0),
            )),
        }
    }

    /// An engine with the imports and tiles of a program.
    fn engine_for(&self, program: &str) -> Engine {
        let engine = self.engine.clone().with_imports(self.store.clone());
        engine.with_tiles(self.store.files.tiles(program))
    }

    /// What is known of a document.
    fn analysis(&mut self, name: &str, document: &Document) -> Arc<Analysis> {
        if let Some(analysis) = self.analyses.get(name) {
            return analysis.clone();
        }
        let engine = self.engine_for(name);
        let before = self.earlier.get(name).cloned();
        let analysis = Arc::new(Analysis::new(engine, name, &document.text, before));
        self.analyses.insert(name.to_string(), analysis.clone());
        analysis
    }

    /// The document at a place in it, what is known of it, and the byte.
    fn at(&mut self, place: &lsp::TextDocumentPositionParams) -> Result<Cursor, Failure> {
        let (name, document) = self.document(&place.text_document.uri)?;
        let analysis = self.analysis(&name, &document);
        let offset = document.text.offset(place.position);
        Ok(Cursor {
            name,
            document,
            analysis,
            offset,
        })
    }

    /// As [`Server::analysis`], with imported files as they are on disk now. Not all editors report files that change on disk.
    fn at_now(&mut self, place: &lsp::TextDocumentPositionParams) -> Result<Cursor, Failure> {
        let cursor = self.at(place)?;
        let files = cursor.analysis.names().sources().files();
        let has_changed = |file: &SourceFile| {
            let now = self.text_of(&file.name);
            now.is_some_and(|now| *now.text != *file.text)
        };
        if !files.iter().any(has_changed) {
            return Ok(cursor);
        }
        self.drop_all_analyses();
        self.at(place)
    }
}

/// A place in a document.
struct Cursor {
    name: String,
    document: Arc<Document>,
    analysis: Arc<Analysis>,
    offset: usize,
}

/// Reads the parameters of a request, and writes its result.
fn with<P: DeserializeOwned, R: Serialize>(
    parameters: Value,
    work: impl FnOnce(P) -> Result<R, Failure>,
) -> Result<String, Failure> {
    let parameters = serde_json::from_value(parameters)
        .map_err(|why| Failure::new(INVALID_PARAMETERS, why.to_string()))?;
    let result = work(parameters)?;
    // Writes it directly, not as a `Value`: for long answers that would take most of the time.
    serde_json::to_string(&result).map_err(|why| Failure::refused(why.to_string()))
}

fn answer(id: Value, result: Result<String, Failure>) -> String {
    match result {
        Ok(result) => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
        Err(failure) => {
            let error = json!({"code": failure.code, "message": failure.message});
            json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string()
        }
    }
}

/// A change with a version: older editors may leave it open, and a change that is passed over would let the texts differ.
fn with_version(mut change: Value) -> Value {
    let document = change
        .get_mut("textDocument")
        .and_then(Value::as_object_mut);
    if let Some(document) = document
        && document.get("version").is_none_or(Value::is_null)
    {
        document.insert("version".to_string(), json!(0));
    }
    change
}

/// Whether the ranges of all changes are valid. A change with an invalid range would be taken for the whole text.
fn has_ranges(change: &Value) -> bool {
    let is_one = |range: &Value| {
        range.is_null() || serde_json::from_value::<lsp::Range>(range.clone()).is_ok()
    };
    let changes = change["contentChanges"].as_array();
    changes.is_some_and(|changes| changes.iter().all(|change| is_one(&change["range"])))
}

/// Asks the client to report programs and data that change, appear or disappear on disk.
fn watch_files() -> String {
    let options =
        json!({"watchers": [{"globPattern": "**/*.{nds,json,tmx,tsx,tmj,tsj,ldtk,xml,csv}"}]});
    let wanted = json!({"id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": options});
    let parameters = json!({"registrations": [wanted]});
    json!({"jsonrpc": "2.0", "id": "files", "method": "client/registerCapability", "params": parameters}).to_string()
}

fn notification(method: &str, parameters: impl Serialize) -> String {
    let parameters = serde_json::to_value(parameters).unwrap_or_default();
    json!({"jsonrpc": "2.0", "method": method, "params": parameters}).to_string()
}
