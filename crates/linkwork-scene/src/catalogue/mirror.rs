//! Structs of the engine as fields: read and written member by member.

use std::sync::Arc;

use linkwork::constraint::{DriveFunction, Surface, Trajectory};

use super::{Field, Fields, Value, function, path, surface};
use crate::fault::Fault;

/// A struct whose members are fields.
pub(crate) trait Mirror: Sized + 'static {
    /// The fields, in the order of the members.
    const FIELDS: &'static [Field];

    /// The struct that fields describe.
    fn read(fields: &Fields) -> Result<Self, Fault>;

    /// The fields that describe it; none if a member is of a program's making.
    fn write(&self) -> Option<Fields>;
}

/// Says which member is which field.
macro_rules! mirror {
    ($type:ident { $($member:ident: $field:ident),* }) => {
        impl $crate::catalogue::mirror::Mirror for $type {
            const FIELDS: &'static [$crate::catalogue::Field] = &[$($field),*];

            #[allow(unused_variables)]
            fn read(fields: &$crate::catalogue::Fields) -> Result<Self, $crate::Fault> {
                Ok(Self { $($member: $crate::catalogue::mirror::Member::read(fields, &$field)?),* })
            }

            fn write(&self) -> Option<$crate::catalogue::Fields> {
                let fields = $crate::catalogue::Fields::default();
                $(let fields = fields.with(&$field, $crate::catalogue::mirror::Member::write(&self.$member)?);)*
                Some(fields)
            }
        }
    };
}
pub(crate) use mirror;

/// What a member can be.
pub(crate) trait Member: Sized {
    /// What a field says, or what it is when it is left out.
    fn read(fields: &Fields, field: &Field) -> Result<Self, Fault>;

    /// What its field says.
    fn write(&self) -> Option<Value>;
}

impl Member for f64 {
    fn read(fields: &Fields, field: &Field) -> Result<Self, Fault> {
        fields.own(field)
    }

    fn write(&self) -> Option<Value> {
        Some((*self).into())
    }
}

impl<const N: usize> Member for [f64; N] {
    fn read(fields: &Fields, field: &Field) -> Result<Self, Fault> {
        fields.own(field)
    }

    fn write(&self) -> Option<Value> {
        Some((*self).into())
    }
}

impl Member for Arc<dyn DriveFunction> {
    fn read(fields: &Fields, field: &Field) -> Result<Self, Fault> {
        function::make(fields, field)
    }

    fn write(&self) -> Option<Value> {
        function::describe(&**self).map(Value::from)
    }
}

impl Member for Arc<dyn Trajectory> {
    fn read(fields: &Fields, field: &Field) -> Result<Self, Fault> {
        path::make(fields, field)
    }

    fn write(&self) -> Option<Value> {
        path::describe(&**self).map(Value::from)
    }
}

impl Member for Arc<dyn Surface> {
    fn read(fields: &Fields, field: &Field) -> Result<Self, Fault> {
        surface::make(fields, field)
    }

    fn write(&self) -> Option<Value> {
        surface::describe(&**self).map(Value::from)
    }
}
