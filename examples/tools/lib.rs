//! Programs that use the tools of Clearance: `backends`, `inspected_game` and `picture`.
