//! What leaves a scene: numbers by name as tables and plots, motion as glTF, files in one piece.
//!
//! [`Columns`] is the heart of it: every quantity of a scene has a name, such as
//! `body.crank.position.x`, and a unit. [`CsvWriter`], [`JsonLinesWriter`] and [`Plot`] take rows of
//! such columns; [`Recorder`] takes the scene itself and makes a binary glTF file of its motion. [`look()`]
//! and [`affine_poses`] are for viewers that draw while a scene runs.
//! [`EnergyAccount`] looks after the energy of a run.
//! Everything streams to any [`std::io::Write`]; [`WholeFile`] is one that puts a file in place whole
//! or not at all.
//!
//! Nothing here writes to the scene: a run that is exported has the bits of one that is not.

pub(crate) mod columns;
mod csv;
mod data;
mod energy;
mod findings;
mod formulas;
mod gltf;
mod graph;
mod json_lines;
mod look;
pub(crate) mod outline;
mod places;
mod plot;
mod shade;
mod whole;

pub use columns::{Column, ColumnInfo, Columns, ColumnsChoice, Reactions, Trouble};
pub(crate) use csv::number_text;
pub use csv::{CsvWriter, push_number, push_quoted};
pub use data::{Data, FilmLook, PictureLook, TableLook, data, picture_text};
pub use energy::{EnergyAccount, EnergyDrift, EnergyPromise, energy_rate};
pub use findings::{ClosureFound, Contradictory, GapUnit, Held, undetermined};
pub use formulas::{
    BoundLook, Checked, Formulas, FoundWord, Minimum, Mistake, NumberLook, ParameterLook,
    QuantityLook, RelationLook, SenseWord, TextLook, check_number, check_relation, formulas,
    minimum,
};
pub use gltf::{FrameRate, Recorder};
pub use graph::{GraphKind, GraphNode};
pub use json_lines::JsonLinesWriter;
pub use look::{
    BehaviorLook, BodyLook, EndLook, FloorLook, JointLook, Look, MeshLook, PartLook, RangeLook,
    ShapeLook, SheetPictureLook, SkinLook, StrokeLook, SurfaceLook, TraceLook, affine_poses, look,
};
pub use places::{Place, places};
pub use plot::Plot;
pub use shade::{Shade, ShadeLook, shades};
pub use whole::WholeFile;

pub(crate) use look::Proportions;
