//! NDScript for [Bevy](https://bevy.org): programs are assets, and a search is a component that gets a part of each
//! frame until it is solved.
//!
//! ```no_run
//! use bevy_app::prelude::*;
//! use bevy_asset::AssetServer;
//! use bevy_ecs::prelude::*;
//! use bevy_ndscript::{NdScriptPlugin, Search, Solved};
//!
//! fn begin(mut commands: Commands, assets: Res<AssetServer>) {
//!     let search = Search::new(assets.load("island.nds"), 7).with("size", 24);
//!     commands.spawn(search).observe(|solved: On<Solved>| {
//!         println!("{}", solved.solution.text);
//!     });
//! }
//!
//! # fn main() {
//! // In a game, `DefaultPlugins` come first.
//! App::new().add_plugins(NdScriptPlugin::default()).add_systems(Startup, begin).run();
//! # }
//! ```

mod program;
mod search;

use std::time::Duration;

use bevy_app::{App, Plugin, Update};
use bevy_asset::AssetApp;
use bevy_ecs::resource::Resource;
use ndscript::Engine;

pub use ndscript;
pub use program::{NdProgram, ProgramError, ProgramLoader};
pub use search::{Asked, Search, Solved, Stopped, Why};

/// Loads `.nds` files as [`NdProgram`] and gives every [`Search`] its share of each frame. It stands after Bevy's
/// `AssetPlugin`, which is one of the `DefaultPlugins`.
pub struct NdScriptPlugin {
    engine: Engine,
    time: SearchTime,
}

/// How long the searches of a frame may take together. The last one may pass it by one slice of its work, some tens of
/// microseconds.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchTime(pub Duration);

impl Default for NdScriptPlugin {
    /// A plain engine, and a millisecond of each frame.
    fn default() -> NdScriptPlugin {
        NdScriptPlugin {
            engine: Engine::new(),
            time: SearchTime(Duration::from_millis(1)),
        }
    }
}

impl NdScriptPlugin {
    /// With an engine that has functions, constants or limits of the game. Imports are read as assets, so its
    /// `with_imports` has no effect.
    pub fn with_engine(mut self, engine: Engine) -> NdScriptPlugin {
        self.engine = engine;
        self
    }

    /// How long the searches of a frame may take together; also [`SearchTime`], a resource.
    pub fn with_time(mut self, time: Duration) -> NdScriptPlugin {
        self.time = SearchTime(time);
        self
    }
}

impl Plugin for NdScriptPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<NdProgram>()
            .register_asset_loader(ProgramLoader::new(self.engine.clone()))
            .insert_resource(self.time)
            .add_systems(Update, search::search);
    }
}
