//! `clearance view`: the page, and what it shows.

mod attach;
mod files;
mod guarded;
mod live;
mod served;
