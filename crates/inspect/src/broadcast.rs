//! Frames encoded once for all viewers.

use core::any::Any;
use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use clearance_math::Vector;
use clearance_recording::{EncodeError, Encoder, EncoderOptions};
use clearance_world::{BodyId, World};

use crate::queue::{Need, Queue, QueueLimits};
use crate::{InspectError, InspectorOptions};

/// Who comes gets a keyframe of its own. The others are there so that shapes which no body has any more are
/// forgotten: once a minute will do, and each costs as much as many frames.
const OPTIONS: EncoderOptions = EncoderOptions {
    frames_between_keyframes: 3600,
};

/// Encodes the frames of a world once for all viewers.
///
/// An [`Inspector`](crate::Inspector) is a broadcaster and a server. A program that has a server of its own
/// makes only this, lets viewers in by its [`Door`], and sends each what its [`Viewer`] hands out.
///
/// ```
/// use clearance::dim3::{Options, World};
/// use clearance_inspect::{Broadcaster, InspectorOptions};
///
/// let mut broadcaster = Broadcaster::new(&InspectorOptions::default())?;
/// let viewer = broadcaster.door().enter(|| {}).expect("there is room for eight");
/// let mut world = World::new(Options::default())?;
/// world.step(0.02)?;
/// broadcaster.frame(&world)?;
/// assert!(viewer.take().is_some_and(|blocks| !blocks.is_empty()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Broadcaster {
    shared: Arc<Shared>,
    /// An `Encoder<Vec2>` or an `Encoder<Vec3>`, as the world is.
    encoder: Option<Box<dyn Any + Send>>,
}

struct Shared {
    /// How many viewers there are, to be read without locking.
    present: AtomicUsize,
    hall: Mutex<Hall>,
    limits: QueueLimits,
}

/// All viewers, and what each is told who comes.
struct Hall {
    queues: Vec<Arc<Queue>>,
    names: Arc<str>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Hall> {
        self.hall.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whom a frame goes to.
struct Audience {
    follow: Vec<Arc<Queue>>,
    start: Vec<Arc<Queue>>,
}

impl Broadcaster {
    /// A broadcaster without viewers. Of the options it takes those about viewers and what waits for them.
    ///
    /// # Errors
    /// If an option is out of range.
    pub fn new(options: &InspectorOptions) -> Result<Self, InspectError> {
        options.check()?;
        let shared = Shared {
            present: AtomicUsize::new(0),
            hall: Mutex::new(Hall {
                queues: Vec::new(),
                names: "".into(),
            }),
            limits: options.queue_limits(),
        };
        Ok(Self {
            shared: Arc::new(shared),
            encoder: None,
        })
    }

    /// Where viewers enter, from any thread.
    #[must_use]
    pub fn door(&self) -> Door {
        Door {
            shared: Arc::clone(&self.shared),
        }
    }

    /// How many viewers there are.
    #[must_use]
    pub fn viewers(&self) -> usize {
        self.shared.present.load(Ordering::Relaxed)
    }

    /// Hands the last step of the world, and what was changed since, to all viewers; to be called after each step. It
    /// does nothing if there are no viewers.
    ///
    /// # Errors
    /// If the world cannot be encoded. The next frame is then a fresh start for all viewers.
    #[inline]
    pub fn frame<V: Vector>(&mut self, world: &World<V>) -> Result<(), InspectError> {
        if self.viewers() == 0 {
            return Ok(());
        }
        self.send(world)
    }

    /// Tells all viewers, and those who come later, what bodies are called. Bodies that are not named lose the names that
    /// they had. Where the names are those of before, nothing is sent.
    ///
    /// ```
    /// use clearance::dim3::{Body, Options, Pose, Shape, World};
    /// use clearance_inspect::{Broadcaster, InspectorOptions};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let hero = world.insert(Body::moving(Shape::ball(0.5)?, Pose::IDENTITY))?;
    /// let broadcaster = Broadcaster::new(&InspectorOptions::default())?;
    /// let viewer = broadcaster.door().enter(|| {}).expect("there is room for eight");
    /// broadcaster.set_names([(hero, "hero")]);
    /// assert_eq!(viewer.take_names().as_deref(), Some(&*format!("{hero} hero\n")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_names<N: AsRef<str>>(&self, names: impl IntoIterator<Item = (BodyId, N)>) {
        let mut lines = String::new();
        for (body, name) in names {
            // A name with a line break would be two.
            let name = name.as_ref().replace(['\n', '\r'], " ");
            lines.extend([&body.to_string(), " ", &name, "\n"]);
        }
        let mut hall = self.shared.lock();
        if *hall.names != *lines {
            hall.names = lines.into();
            for queue in &hall.queues {
                queue.put_names(&hall.names);
            }
        }
    }

    fn send<V: Vector>(&mut self, world: &World<V>) -> Result<(), InspectError> {
        let audience = self.audience();
        if audience.follow.is_empty() && audience.start.is_empty() {
            return Ok(());
        }
        self.encode(&audience.follow, |encoder, blocks| {
            encoder.frame(world, blocks)
        })?;
        self.send_start::<V>(&audience.start)
    }

    /// Shows the world to those who came since the last frame, for a game that is paused. Nothing may have changed
    /// since that frame; call [`frame`](Self::frame) where it has.
    ///
    /// # Errors
    /// If the world cannot be encoded.
    pub fn greet<V: Vector>(&mut self, world: &World<V>) -> Result<(), InspectError> {
        if self.viewers() == 0 {
            return Ok(());
        }
        let audience = self.audience();
        if audience.start.is_empty() {
            return Ok(());
        }
        if audience.follow.is_empty() {
            // Frames that nobody looked at were not encoded.
            self.encode(&[], |encoder, blocks| encoder.frame(world, blocks))?;
        }
        self.send_start::<V>(&audience.start)
    }

    fn send_start<V: Vector>(&mut self, start: &[Arc<Queue>]) -> Result<(), InspectError> {
        if start.is_empty() {
            return Ok(());
        }
        self.encode(start, |encoder: &mut Encoder<V>, blocks| {
            encoder.join(blocks)
        })
    }

    fn audience(&self) -> Audience {
        let mut audience = Audience {
            follow: Vec::new(),
            start: Vec::new(),
        };
        for queue in &self.shared.lock().queues {
            match queue.need() {
                Need::Change => audience.follow.push(Arc::clone(queue)),
                Need::Start => audience.start.push(Arc::clone(queue)),
                Need::Nothing => {}
            }
        }
        audience
    }

    /// Encodes blocks and puts them into the queues. After an error the encoder begins anew, with a header.
    fn encode<V: Vector>(
        &mut self,
        queues: &[Arc<Queue>],
        write: impl FnOnce(&mut Encoder<V>, &mut Vec<u8>) -> Result<(), EncodeError>,
    ) -> Result<(), InspectError> {
        let encoder = self.encoder.take();
        let encoder = encoder.and_then(|encoder| encoder.downcast::<Encoder<V>>().ok());
        let mut encoder = encoder.unwrap_or_else(|| Box::new(Encoder::new(OPTIONS)));
        let mut blocks = Vec::new();
        let done = write(&mut encoder, &mut blocks);
        self.encoder = Some(encoder);
        done?;
        let blocks = Bytes::from(blocks);
        for queue in queues {
            queue.put(&blocks, self.shared.limits);
        }
        Ok(())
    }
}

impl fmt::Debug for Broadcaster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Broadcaster")
            .field("viewers", &self.viewers())
            .finish_non_exhaustive()
    }
}

/// Where viewers of a [`Broadcaster`] enter, from any thread.
#[derive(Clone)]
pub struct Door {
    shared: Arc<Shared>,
}

impl Door {
    /// Lets a viewer in, unless there are as many as the options allow. `wake` is called, in the thread of
    /// the game, when there is something to [`take`](Viewer::take), and should do no more than wake a thread.
    #[must_use]
    pub fn enter(&self, wake: impl Fn() + Send + Sync + 'static) -> Option<Viewer> {
        let mut hall = self.shared.lock();
        if hall.queues.len() >= self.shared.limits.viewers {
            return None;
        }
        let queue = Arc::new(Queue::new(wake));
        if !hall.names.is_empty() {
            queue.put_names(&hall.names);
        }
        hall.queues.push(Arc::clone(&queue));
        let present = hall.queues.len();
        self.shared.present.store(present, Ordering::Relaxed);
        Some(Viewer {
            queue,
            shared: Arc::clone(&self.shared),
        })
    }

    /// Whether there are as many viewers as the options allow.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.shared.present.load(Ordering::Relaxed) >= self.shared.limits.viewers
    }
}

impl fmt::Debug for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Door").finish_non_exhaustive()
    }
}

/// One who looks, until it is dropped.
pub struct Viewer {
    queue: Arc<Queue>,
    shared: Arc<Shared>,
}

impl Viewer {
    /// The blocks to send next, or nothing until the viewer is woken again.
    ///
    /// Each is one or more whole blocks of a recording. The first begin with a header, and so do those after
    /// frames that were dropped because too much waited.
    #[must_use]
    pub fn take(&self) -> Option<Bytes> {
        self.queue.take()
    }

    /// The names of bodies, if they changed since the last call: a line for each, with its id, a space and its name. They
    /// are a message of text, to be sent before the blocks.
    #[must_use]
    pub fn take_names(&self) -> Option<Arc<str>> {
        self.queue.take_names()
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        let mut hall = self.shared.lock();
        hall.queues.retain(|queue| !Arc::ptr_eq(queue, &self.queue));
        let present = hall.queues.len();
        self.shared.present.store(present, Ordering::Relaxed);
    }
}

impl fmt::Debug for Viewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Viewer").finish_non_exhaustive()
    }
}
