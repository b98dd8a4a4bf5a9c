//! A function of the caller that decides which pairs exist.

use std::sync::Arc;

use clearance_math::Vector;

use crate::BodyRef;

/// The caller's function: whether two bodies can make a contact.
type Decide<V> = dyn Fn(BodyRef<'_, V>, BodyRef<'_, V>) -> bool + Send + Sync;

/// A filter, or none.
///
/// Each setting is an allocation of its own, by which a restored world sees whether the contacts of
/// the snapshot were made with the filter that it has now.
#[derive(Clone)]
pub(crate) struct PairFilter<V: Vector>(Option<Arc<Setting<V>>>);

struct Setting<V: Vector> {
    decide: Arc<Decide<V>>,
}

impl<V: Vector> PairFilter<V> {
    pub(crate) const NONE: Self = Self(None);

    pub(crate) fn new(
        decide: impl Fn(BodyRef<'_, V>, BodyRef<'_, V>) -> bool + Send + Sync + 'static,
    ) -> Self {
        let decide = Arc::new(decide);
        Self(Some(Arc::new(Setting { decide })))
    }

    /// The same function, set anew.
    pub(crate) fn renewed(&self) -> Self {
        let renew = |setting: &Arc<Setting<V>>| {
            let decide = Arc::clone(&setting.decide);
            Arc::new(Setting { decide })
        };
        Self(self.0.as_ref().map(renew))
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.is_some()
    }

    /// The function, if there is one.
    pub(crate) fn decide(&self) -> Option<&Decide<V>> {
        self.0.as_ref().map(|setting| &*setting.decide)
    }

    /// Whether both come from one setting, or both are none.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        }
    }
}

impl<V: Vector> core::fmt::Debug for PairFilter<V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(if self.is_set() { "set" } else { "none" })
    }
}
