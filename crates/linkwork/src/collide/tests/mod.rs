//! The geometry of contact against an independent distance, its own rates, and places known by hand.

mod places;
mod superquadrics;
mod surfaces;
