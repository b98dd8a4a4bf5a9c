//! Programs that use the tools of Clearance: `backends`, `inspected_game`, `level`, `picture` and `tiled`.
