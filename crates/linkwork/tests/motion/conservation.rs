//! What isolated systems keep.
