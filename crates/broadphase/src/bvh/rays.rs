//! The search for what a ray meets.

use clearance_math::{Real, Vector};
use clearance_tree::internal::leaves_on_ray_by;
use clearance_tree::ray_box::{self, RayLine};

use super::dynamic_tree::DynamicTree;
use crate::key::Key;
use crate::table::Table;

impl<V: Vector> DynamicTree<V> {
    /// Visits the keys whose boxes in the table the ray enters before the parameter `max`, which is what `visit`
    /// returns from then on; returns the last one.
    ///
    /// It visits a key only if the ray enters its box, and not whenever it enters the predicted bounds: what is
    /// visited must not depend on earlier motion.
    pub(super) fn query_ray(
        &self,
        table: &Table<V>,
        line: &RayLine<V>,
        max: Real,
        visit: &mut dyn FnMut(Key, Real) -> Real,
    ) -> Real {
        let wide = self.wide_view.nodes(&self.tree, table, line);
        if let Some(wide) = wide
            && let Some(max) = leaves_on_ray_by(wide, line, max, visit)
        {
            return max;
        }
        let mut limit = max;
        self.tree.query_ray(line, max, &mut |key, _| {
            let bounds = &table.entries[key as usize].bounds;
            if let Some(entry) = ray_box::entry(line, bounds, limit) {
                limit = limit.min(visit(key, entry));
            }
            limit
        })
    }
}
