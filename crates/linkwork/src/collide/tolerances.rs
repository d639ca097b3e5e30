//! Every tolerance of this layer, with its unit and reason.

/// Two shapes pass through each other if they overlap by more than this part of the thickness of the thicker one.
pub(super) const DEEP: f64 = 0.25;

/// A step that is cut ends so much before they touch, as a part of that depth: a pair that touches when a step begins
/// does not hit.
pub(super) const BEFORE: f64 = 0.05;

/// Two axes with a smaller sine are parallel, as far as round-off lets one tell: they are nearest all along.
pub(super) const LEANS: f64 = 1e-6;

/// A part of a surface whose free directions are within this sine of a direction may be touched from there within a
/// step.
pub(super) const NEARLY_FREE: f64 = 0.1;

/// Two lines with a smaller sine turn too easily about each other for the place where they are nearest to be used: a
/// point of one line takes its place.
pub(super) const NEARLY_PARALLEL: f64 = 0.1;

/// Points that are lower by less than this count as touching, m: the resolution of penetration.
pub(super) const DEPTH: f64 = 1e-6;

/// The first tilt at which a patch is measured, rad.
pub(super) const TILT: f64 = 1e-4;

/// A surface is flat if its radius of curvature is so many times its size.
pub(super) const FLAT_PATCH: f64 = 20.0;

/// If more triangles are in reach than are looked at, the reach is halved, but not below this, m.
pub(super) const LEAST_REACH: f64 = 1e-3;

/// A circle with a smaller sine to a plane is flat on it: all its points are equally low.
pub(super) const FLAT_FEATURE: f64 = 1e-12;

/// Two lines with a smaller sine are parallel.
pub(super) const PARALLEL_FEATURES: f64 = 1e-12;

/// The first trust radius of Newton's method on directions, rad.
pub(super) const TRUST: f64 = 0.5;

/// A step of that method below this ends it, rad: the next would be its square.
pub(super) const ENOUGH: f64 = 1e-8;

/// A change of height below this part of the height is round-off.
pub(super) const CLIMB_ROUND_OFF: f64 = 1e-15;

/// Where a shape meets one that is not convex, the edges of its flat sides are rounded by this part of its thickness.
pub(super) const ROUNDED: f64 = 0.02;

/// Corners of two triangles are in one plane within this part of the longest edge of the first.
pub(super) const FLAT_TRIANGLE: f64 = 1e-9;

/// A direction within this sine of the free directions of a part is free: round-off of normals.
pub(super) const FREE: f64 = 1e-9;

/// The least height of a triangle, as a part of its longest edge.
pub(super) const LEAST_HEIGHT: f64 = 1e-9;

/// Two normals are the same if the cosine between them exceeds this.
pub(super) const PARALLEL: f64 = 1.0 - 1e-6;

/// A rim stands out of the sides of a prism of 16 by at most this part of its radius: 1 − cos(π/16).
pub(super) const PRISM_BULGE: f64 = 0.0193;

/// The distance of the support points may exceed the gap by this, m.
pub(super) const CERTAIN: f64 = 1e-9;

/// Two shapes are held apart by this part of their size while their nearest points are sought. A smaller one finds
/// fewer other maxima and leaves fewer digits of the normal before Newton's method.
pub(super) const APART: f64 = 0.01;

/// The tilt of a normal by which the curvature of a shape is measured, rad.
pub(super) const TILTED: f64 = 1e-5;

/// Normals that differ by less are the same.
pub(super) const SAME: f64 = 1e-7;

/// A side within this sine of a normal may be flat on it.
pub(super) const FLAT_CORE: f64 = 1e-3;

/// Heights that differ by less are equal, m: then the normal of a side is taken.
pub(super) const CORE_ROUND_OFF: f64 = 1e-13;

/// A cylinder within this sine of its cap is nearly flat on it.
pub(super) const NEARLY_FLAT: f64 = 0.1;

/// A corner of a surface counts as low if none of its edges descends by more than this sine.
pub(super) const STEEP: f64 = 0.5;
