//! What the world promises, a module a promise, each in the plane and in space.

mod cells_and_heights_can_be_changed;
mod compare;
mod crowd;
mod random;
mod wanted;

mod batches_equal_asking_one_by_one;
mod casts_that_graze_for_long;
mod contacts_are_those_of_all_pairs;
mod contacts_do_not_depend_on_insertion_order;
mod contacts_do_not_depend_on_rest;
mod contacts_of_a_body_are_found;
mod contacts_reach_as_far_as_the_margins;
mod cost_follows_what_moved;
mod edits_show_when_they_should;
mod events_tell_what_became_of_each_pair;
mod flat_floors_have_no_seams;
mod forms;
mod ghost_contacts_are_left_out;
mod groups_decide_which_pairs_exist;
mod half_spaces_make_contacts;
mod ids_of_other_worlds_are_refused;
mod manifolds_are_kept;
mod motion_is_by_velocity;
mod nothing_grows_under_churn;
mod one_way_tiles;
mod pairs_can_be_ignored_and_filtered;
mod part_contacts;
mod part_contacts_at_rest;
mod part_contacts_follow_edits;
mod points_of_manifolds_go_on;
mod push_out_is_the_least_translation;
mod questions_are_answered_as_every_body_alone;
mod refresh_changes_nothing_else;
mod refusals_change_nothing;
mod saved_games_lose_nothing;
mod shapes_of_your_own_are_bodies;
mod slide_answers;
mod slide_bodies;
mod slide_crowded;
mod slide_edges;
mod slide_everywhere;
mod slide_known_failures;
mod slide_levels;
mod slide_never_passes;
mod slide_obstacles;
mod slide_rides;
mod slide_slopes;
mod slide_squeezed;
mod slide_starts;
mod slide_stops;
mod slide_walk;
mod slots_can_be_seen_and_put;
mod snapshots_bring_everything_back;
mod snapshots_can_be_stored;
mod solids_are_one_body;
mod solids_have_an_inside;
#[path = "../../../../examples/stack.rs"]
mod stack;
mod state_hash_sees_every_difference;
mod steps_do_not_depend_on_backend_or_threads;
mod surface_contacts_hold_apart;
mod swept_bodies_in_a_step;
mod swept_bodies_pass_through_nothing;
mod tiles_have_no_seams;
mod user_data_is_carried;
mod values_can_be_stored;
mod voxels_without_cells;
mod what_does_not_count;
mod what_starts_inside_is_met;
mod worlds_behave_as_collections;
mod worlds_have_no_edge;

/// Makes a test in the plane and one in space of each function that is generic over the vector.
macro_rules! in_both_dimensions {
    ($($name:ident),+ $(,)?) => {
        mod plane {
            $(#[test]
            fn $name() {
                super::$name::<clearance_math::Vec2>();
            })+
        }
        mod space {
            $(#[test]
            fn $name() {
                super::$name::<clearance_math::Vec3>();
            })+
        }
    };
}
pub(crate) use in_both_dimensions;
