//! The search for what a ray meets.

use clearance_math::{Ray, Real, Vector};
use clearance_tree::{leaves_on_ray_by, ray_box};

use super::dynamic_tree::DynamicTree;
use super::hierarchy::Bvh;
use crate::broad_phase::check_fresh;
use crate::key::Key;
use crate::table::Table;

impl<V: Vector> DynamicTree<V> {
    /// Visits the keys whose boxes in the table the ray enters before the parameter `max`, which is what `visit`
    /// returns from then on; returns the last one.
    ///
    /// It visits a key only if the ray enters its box, and not whenever it enters the predicted bounds: what is
    /// visited must not depend on earlier motion.
    #[inline]
    fn query_ray(
        &self,
        table: &Table<V>,
        ray: &Ray<V>,
        max: Real,
        visit: &mut impl FnMut(Key, Real) -> Real,
    ) -> Real {
        let wide = self.wide_view.nodes(&self.tree, table, ray);
        if let Some(wide) = wide
            && let Some(max) = leaves_on_ray_by(wide, ray, max, visit)
        {
            return max;
        }
        let mut limit = max;
        self.tree.leaves_on_ray(ray, max, &mut |key, _| {
            let bounds = &table.entries[key as usize].bounds;
            if let Some(entry) = ray_box::entry(ray, bounds, limit) {
                limit = limit.min(visit(key, entry));
            }
            limit
        })
    }
}

impl<V: Vector> Bvh<V> {
    /// [`crate::BroadPhase::query_ray`], compiled into the caller.
    #[doc(hidden)] // for the world
    #[inline]
    pub fn query_ray_with(
        &self,
        ray: &Ray<V>,
        max: Real,
        visit: &mut impl FnMut(Key, Real) -> Real,
    ) {
        check_fresh(self.stale);
        let mut max = self.table.query_ray(ray, max, visit);
        for tree in &self.trees {
            max = tree.query_ray(&self.table, ray, max, visit);
        }
    }
}
