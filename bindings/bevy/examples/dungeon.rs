//! A dungeon made while the game goes on: prints how many frames it took, and the map.

use std::path::PathBuf;

use bevy_app::ScheduleRunnerPlugin;
use bevy_app::prelude::*;
use bevy_asset::{AssetPlugin, AssetServer};
use bevy_ecs::prelude::*;
use bevy_ndscript::{NdScriptPlugin, Search, Solved, Stopped};

#[derive(Resource, Default)]
struct Frames(usize);

fn begin(mut commands: Commands, assets: Res<AssetServer>) {
    let seed = std::env::args().nth(1).and_then(|seed| seed.parse().ok());
    let search = Search::new(assets.load("dungeon.nds"), seed.unwrap_or(7)).with("size", 24);
    let mut search = commands.spawn(search);
    search.observe(
        |solved: On<Solved>, frames: Res<Frames>, mut exit: MessageWriter<AppExit>| {
            println!("{}after {} frames", solved.solution.text, frames.0);
            exit.write(AppExit::Success);
        },
    );
    search.observe(|stopped: On<Stopped>, mut exit: MessageWriter<AppExit>| {
        println!("{:?}", stopped.why);
        exit.write(AppExit::error());
    });
}

fn main() -> AppExit {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/assets");
    let assets = AssetPlugin {
        file_path: folder.to_string_lossy().into_owned(),
        ..AssetPlugin::default()
    };
    // With `DefaultPlugins` in place of these three, it has a window.
    App::new()
        .add_plugins((
            TaskPoolPlugin::default(),
            ScheduleRunnerPlugin::default(),
            assets,
        ))
        .add_plugins(NdScriptPlugin::default())
        .init_resource::<Frames>()
        .add_systems(Startup, begin)
        .add_systems(Update, |mut frames: ResMut<Frames>| frames.0 += 1)
        .run()
}
