//! The Clearance collision engine for C: see `include/clearance/clearance.h`, which `header` writes from the sources of this crate.
//!
//! | what | where |
//! | --- | --- |
//! | pointers, arrays, codes and errors: all that the compiler cannot check | `border.rs`, `handles.rs`, `callbacks.rs`, `dim/access.rs` |
//! | structs and calls that both dimensions share | `common.rs` |
//! | what differs between the dimensions | `plane/`, `space/` |
//! | all else, once for both: `dim` is compiled as a part of [`plane`] and again as one of [`space`], since functions with C names can have no type parameters | `dim/` |

pub mod abi;
pub mod border;
pub mod callbacks;
pub mod common;
pub mod handles;

/// The plane: the calls of C that begin with `clr2_`.
pub mod plane {
    /// The name of a call in C.
    macro_rules! symbol {
        ($name:ident) => {
            concat!("clr2_", stringify!($name))
        };
    }

    #[path = "../dim/mod.rs"]
    pub mod dim;
    pub mod only;
    pub mod shapes;
}

/// Space: the calls of C that begin with `clr3_`.
pub mod space {
    /// The name of a call in C.
    macro_rules! symbol {
        ($name:ident) => {
            concat!("clr3_", stringify!($name))
        };
    }

    // The same file as above, for the other dimension.
    #[allow(clippy::duplicate_mod)]
    #[path = "../dim/mod.rs"]
    pub mod dim;
    pub mod only;
    pub mod shapes;
}
