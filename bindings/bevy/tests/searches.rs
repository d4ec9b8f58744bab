//! Searches in an app without a window.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bevy_app::prelude::*;
use bevy_asset::{AssetPlugin, AssetServer, Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_ndscript::ndscript::{Data, Engine};
use bevy_ndscript::{Asked, NdProgram, NdScriptPlugin, Search, Solved, Stopped, Why};

type Log = Arc<Mutex<Vec<String>>>;

fn app(plugin: NdScriptPlugin) -> App {
    let mut app = App::new();
    let assets = AssetPlugin {
        file_path: concat!(env!("CARGO_MANIFEST_DIR"), "/tests/assets").to_string(),
        ..AssetPlugin::default()
    };
    app.add_plugins((TaskPoolPlugin::default(), assets, plugin));
    app
}

/// Spawns a search that writes down what comes of it.
fn spawn(app: &mut App, search: impl FnOnce(&AssetServer) -> Search) -> (Entity, Log) {
    let search = search(app.world().resource::<AssetServer>());
    let log = Log::default();
    let [solved, asked, stopped] = [(); 3].map(|_| log.clone());
    let mut entity = app.world_mut().spawn(search);
    entity.observe(move |event: On<Solved>| {
        solved
            .lock()
            .unwrap()
            .push(format!("solved: {}", event.solution.text));
    });
    entity.observe(move |event: On<Asked>| {
        asked
            .lock()
            .unwrap()
            .push(format!("asked: {}", event.question.prompt));
    });
    entity.observe(move |event: On<Stopped>| {
        stopped.lock().unwrap().push(match &event.why {
            Why::Failed(why) => format!("failed: {why:?}"),
            Why::Error(error) => format!("error: {error}"),
        });
    });
    (entity.id(), log)
}

/// Updates the app until the log has so many lines.
fn until(app: &mut App, log: &Log, lines: usize) -> Vec<String> {
    let end = Instant::now() + Duration::from_secs(60);
    while log.lock().unwrap().len() < lines && Instant::now() < end {
        app.update();
    }
    log.lock().unwrap().clone()
}

fn program(server: &AssetServer, name: &'static str) -> Handle<NdProgram> {
    server.load(name)
}

#[test]
fn a_search_takes_frames_and_is_solved() {
    let mut app = app(NdScriptPlugin::default());
    let (entity, log) = spawn(&mut app, |server| {
        Search::new(program(server, "numbers.nds"), 1).with("most", 3)
    });
    assert_eq!(until(&mut app, &log, 1), ["solved: 1"]);
    // It rests until it is told to go on.
    (0..5).for_each(|_| app.update());
    assert_eq!(log.lock().unwrap().len(), 1);
    for _ in 0..3 {
        app.world_mut().get_mut::<Search>(entity).unwrap().next();
        let lines = log.lock().unwrap().len() + 1;
        until(&mut app, &log, lines);
    }
    let lines = log.lock().unwrap().clone();
    assert_eq!(
        lines,
        ["solved: 1", "solved: 2", "solved: 3", "failed: None"]
    );
}

#[test]
fn a_parameter_that_the_program_does_not_read_is_an_error() {
    let mut app = app(NdScriptPlugin::default());
    let (_, log) = spawn(&mut app, |server| {
        Search::new(program(server, "numbers.nds"), 1).with("mots", 3)
    });
    assert_eq!(
        until(&mut app, &log, 1),
        ["error: the program has no parameter \"mots\"\ndid you mean `most`?"]
    );
}

#[test]
fn a_changed_program_begins_anew() {
    let mut app = app(NdScriptPlugin::default());
    let (entity, log) = spawn(&mut app, |server| {
        Search::new(program(server, "endless.nds"), 1)
    });
    let loaded = |app: &mut App| {
        app.world_mut()
            .get_mut::<Search>(entity)
            .unwrap()
            .run()
            .is_some()
    };
    while !loaded(&mut app) {
        app.update();
    }
    let changed = Engine::new().compile("print('changed');").unwrap();
    let mut programs = app.world_mut().resource_mut::<Assets<NdProgram>>();
    let id = programs.ids().next().unwrap();
    programs.get_mut(id).unwrap().0 = changed;
    assert_eq!(until(&mut app, &log, 1), ["solved: changed"]);
}

#[test]
fn questions_wait_for_answers() {
    let mut app = app(NdScriptPlugin::default());
    let (entity, log) = spawn(&mut app, |server| {
        Search::new(program(server, "question.nds"), 1)
    });
    assert_eq!(until(&mut app, &log, 1), ["asked: Which way?"]);
    let mut search = app.world_mut().get_mut::<Search>(entity).unwrap();
    assert!(!search.answer(7));
    assert!(search.answer(1));
    assert_eq!(until(&mut app, &log, 2)[1], "solved: right");
}

#[test]
fn several_searches_share_the_time() {
    let mut app = app(NdScriptPlugin::default().with_time(Duration::from_micros(200)));
    let (endless, _) = spawn(&mut app, |server| {
        Search::new(program(server, "endless.nds"), 1)
    });
    let (_, log) = spawn(&mut app, |server| {
        Search::new(program(server, "numbers.nds"), 1)
    });
    assert_eq!(until(&mut app, &log, 1), ["solved: 1"]);
    assert!(app.world().get::<Search>(endless).unwrap().is_searching());
}

#[test]
fn imports_are_assets_and_errors_have_their_place() {
    let mut app = app(NdScriptPlugin::default());
    let (_, log) = spawn(&mut app, |server| {
        Search::new(program(server, "importing.nds"), 1)
    });
    assert_eq!(until(&mut app, &log, 1), ["solved: 42"]);
    for (file, words) in [
        ("wrong.nds", "wrong.nds:2"),
        ("lost.nds", "lost.nds"),
        ("no_import.nds", "there is no such asset"),
    ] {
        let (_, log) = spawn(&mut app, |server| Search::new(program(server, file), 1));
        let lines = until(&mut app, &log, 1);
        assert!(
            lines[0].starts_with("error: ") && lines[0].contains(words),
            "{lines:?}"
        );
    }
}

#[test]
fn functions_of_the_game_are_called() {
    let engine = Engine::new().with_function("hero", || Data::from("Kim"));
    let mut app = app(NdScriptPlugin::default().with_engine(engine));
    let (_, log) = spawn(&mut app, |server| {
        Search::new(program(server, "hero.nds"), 1)
    });
    assert_eq!(until(&mut app, &log, 1), ["solved: Kim"]);
}
