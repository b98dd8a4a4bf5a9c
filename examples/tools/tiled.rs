//! A level of the map editor Tiled, read by the crate `tiled`: the shapes of its collision editor become tiles, slopes and
//! planks among them, and a hero walks and jumps through it to the goal.
//!
//! Give each tile at most one rectangle or convex polygon in the collision editor; one without is air. A tile with the property
//! `one_way` counts from above only. All tiles of a map are one body, whose parts have the numbers of their tiles.

#![allow(clippy::print_stdout, reason = "an example prints what happens")]

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use clearance::dim2::*;
use tiled::{LayerTile, LayerType, Loader, ObjectShape, PropertyValue, TileLayer};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const FRAME: f32 = 1.0 / 60.0;
const FALL: f32 = 20.0 * FRAME;
/// The number of the plank in its tileset.
const PLANK: u64 = 4;

/// A tile as it stands in the map: its tileset, its number there, and how it is flipped.
type Key = (usize, u32, [bool; 3]);

/// The whole cell, or a shape within it; `None` for air. The cell is 1 wide and high, and y points up in it.
fn shape_of(tile: &LayerTile<'_>) -> Outcome<Option<Shape>> {
    let (Some(data), set) = (tile.get_tile(), tile.get_tileset()) else {
        return Ok(None);
    };
    let objects = data
        .collision
        .as_ref()
        .map_or(&[][..], |layer| layer.object_data());
    let [object] = objects else {
        return match objects.len() {
            0 => Ok(None),
            count => Err(format!("tile {} has {count} shapes, must have one", tile.id()).into()),
        };
    };
    let corners = match &object.shape {
        ObjectShape::Rect { width, height } => {
            vec![(0.0, 0.0), (*width, 0.0), (0.0, *height), (*width, *height)]
        }
        ObjectShape::Polygon { points } => points.clone(),
        _ => return Err(format!("tile {} has no rectangle or polygon", tile.id()).into()),
    };
    let size = Vec2::new(set.tile_width as f32, set.tile_height as f32);
    let corner = |(x, y): (f32, f32)| {
        let mut at = (Vec2::new(object.x, object.y) + Vec2::new(x, y)) / size;
        // Tiled exchanges the axes first.
        if tile.flip_d {
            at = Vec2::new(at.y, at.x);
        }
        let flipped = |is_flipped: bool, at: f32| if is_flipped { 1.0 - at } else { at };
        Vec2::new(flipped(tile.flip_h, at.x), 1.0 - flipped(tile.flip_v, at.y))
    };
    Ok(Some(Shape::hull(
        corners.into_iter().map(corner).collect::<Vec<_>>(),
    )?))
}

/// The level, and the places that have a name.
struct Level {
    ground: Shape,
    places: HashMap<String, Vec2>,
}

impl Level {
    fn read(path: &str) -> Outcome<Self> {
        let map = Loader::new().load_tmx_map(path)?;
        let (mut cells, mut palette, mut entries) = (Cells::new(), Vec::new(), HashMap::new());
        let mut places = HashMap::new();
        for layer in map.layers() {
            match layer.layer_type() {
                LayerType::Tiles(TileLayer::Finite(tiles)) => {
                    for index in 0..tiles.width() * tiles.height() {
                        let [x, y] =
                            [index % tiles.width(), index / tiles.width()].map(|at| at as i32);
                        let Some(tile) = tiles.get_tile(x, y) else {
                            continue;
                        };
                        let flips = [tile.flip_h, tile.flip_v, tile.flip_d];
                        let key: Key = (tile.tileset_index(), tile.id(), flips);
                        let entry = match entries.entry(key) {
                            Entry::Occupied(known) => *known.get(),
                            Entry::Vacant(new) => *new.insert(add_tile(&mut palette, &tile)?),
                        };
                        if let Some(entry) = entry {
                            cells.set_tile(IVec2::new(x, map.height as i32 - 1 - y), entry)?;
                        }
                    }
                }
                LayerType::Tiles(_) => return Err("an infinite map has no size".into()),
                LayerType::Objects(layer) => places.extend(layer.objects().map(|object| {
                    let size = Vec2::new(map.tile_width as f32, map.tile_height as f32);
                    let at = Vec2::new(object.x, object.y) / size;
                    (
                        object.name.clone(),
                        Vec2::new(at.x, map.height as f32 - at.y),
                    )
                })),
                _ => {}
            }
        }
        let ground = Shape::tiles_of(Vec2::ONE, cells, palette)?;
        Ok(Self { ground, places })
    }
}

/// The entry of a tile in the palette, which is made longer by it; `None` for air.
fn add_tile(palette: &mut Vec<Tile>, tile: &LayerTile<'_>) -> Outcome<Option<u8>> {
    let Some(shape) = shape_of(tile)? else {
        return Ok(None);
    };
    let properties = tile
        .get_tile()
        .map(|data| data.properties.clone())
        .unwrap_or_default();
    let is_one_way = properties.get("one_way") == Some(&PropertyValue::BoolValue(true));
    let up = OneWay {
        normal: Vec2::Y,
        depth: 0.0,
    };
    palette.push(Tile {
        shape,
        user: tile.id().into(),
        one_way: is_one_way.then_some(up),
    });
    Ok(Some(u8::try_from(palette.len())?))
}

fn main() -> Outcome<()> {
    let level = Level::read(concat!(env!("CARGO_MANIFEST_DIR"), "/platforms.tmx"))?;
    let (start, goal) = (level.places["hero"], level.places["goal"]);
    let mut world = World::new(Options::default())?;
    world.insert(Body::fixed(level.ground.clone(), Pose::IDENTITY))?;
    let hero = Shape::capsule(0.3, 0.3)?;
    let hero = world.insert(Body::moving(hero, Pose::from_translation(start)))?;

    // How fast the hero rises by itself, what it stands on, and the tiles that it stood on.
    let (mut rise, mut ground, mut tiles) = (0.0, None, Vec::new());
    for frame in 0..900 {
        let at = world.body(hero)?.pose().translation();
        let is_below = (at.x - goal.x).abs() < 0.2;
        rise = match ground {
            Some(_) if is_below => 12.0,
            Some(_) => -FALL,
            None => rise - FALL,
        };
        let motion = Vec2::new(if is_below { 0.0 } else { 4.0 }, rise) * FRAME;
        let walk = SlidingBody::new(hero, motion).standing_on(ground);
        let options = SlideOptions::default();
        let slide = world.query().slide_body(walk, options)?;
        world.body_mut(hero)?.set_pose(slide.pose)?;
        ground = slide.ground;
        let Some(below) = ground else { continue };
        let tile = level.ground.part_user_data(below.part);
        if tiles.last() != Some(&tile) {
            println!(
                "after {frame:>3} frames on tile {tile} at {}",
                slide.pose.translation()
            );
            tiles.push(tile);
        }
        if (slide.pose.translation() - goal).length() < 1.0 {
            break;
        }
    }
    // Over a hill of 45 degrees and one of 27, and from below through the planks, on which it stands.
    let hills = [0, 1, 0, 1, 0, 2, 3, 0, 3, 2, 0];
    assert!(tiles.starts_with(&hills), "{tiles:?}");
    assert!(tiles.ends_with(&[0, PLANK]), "{tiles:?}");
    let at = world.body(hero)?.pose().translation();
    assert!(
        (at - goal).length() < 1.0 && at.y > goal.y,
        "{at} for {goal}"
    );
    Ok(())
}

#[test]
fn holds_what_it_says() -> Outcome<()> {
    main()
}
