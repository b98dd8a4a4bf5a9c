//! What the examples do beside playing: with `picture FILE` they draw their world as it is after the play, with `watch` they play
//! in real time, and the page of `clearance view` shows it.

use std::thread::sleep;
use std::time::Duration;

use bevy_app::{App, Last};
use bevy_clearance::{CollisionInspector, CollisionInspectorPlugin, CollisionWorld, Space};
use clearance::generic::World;

/// What is done with a game.
pub(crate) struct Show<V: Space> {
    /// The game before its first frame.
    pub(crate) app: App,
    /// Plays it.
    pub(crate) play: fn(&mut App),
    /// Draws its world, as the contents of a file.
    pub(crate) draw: fn(&World<V>) -> Vec<u8>,
}

impl<V: Space> Show<V> {
    /// Does what the arguments of the program ask for.
    pub(crate) fn run(mut self) {
        let mut arguments = std::env::args().skip(1);
        match arguments.next().as_deref() {
            Some("watch") => self.watch(),
            Some("picture") => {
                (self.play)(&mut self.app);
                let file = arguments.next().expect("picture FILE");
                let world = self.app.world().resource::<CollisionWorld<V>>();
                std::fs::write(file, (self.draw)(world.world())).expect("the file can be written");
            }
            _ => (self.play)(&mut self.app),
        }
    }

    fn watch(mut self) {
        let inspector = CollisionInspectorPlugin::<V>::at("127.0.0.1:0");
        self.app.add_plugins(inspector);
        let inspector = self.app.world().resource::<CollisionInspector<V>>();
        println!("clearance view --open --attach {}", inspector.address());
        self.app
            .add_systems(Last, || sleep(Duration::from_secs_f64(1.0 / 64.0)));
        (self.play)(&mut self.app);
        loop {
            self.app.update();
        }
    }
}
