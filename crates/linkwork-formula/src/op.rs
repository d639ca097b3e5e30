//! The operations, and their values. Derivatives are in `tape/jet.rs` as numbers, in `graph/gradient.rs` as nodes.

/// What a node or a step computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Op {
    /// A number.
    Constant,
    /// A number that changes.
    Input,
    /// −a
    Negate,
    /// a²
    Square,
    /// √a
    Sqrt,
    /// sin a; its cosine is the next node.
    Sin,
    /// cos a; its sine is the node before.
    Cos,
    /// eᵃ
    Exp,
    /// log a
    Log,
    /// asin a
    Asin,
    /// acos a
    Acos,
    /// atan a
    Atan,
    /// tanh a
    Tanh,
    /// |a|
    Abs,
    /// −1, 0 or 1
    Sign,
    /// The next whole number below.
    Floor,
    /// a + b
    Add,
    /// a − b
    Subtract,
    /// a·b
    Multiply,
    /// a/b
    Divide,
    /// aᵇ
    Power,
    /// The angle of [b, a].
    Atan2,
    /// 1 if a < b, else 0
    Less,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// a/b, but 0 where b is: slopes that would be infinite.
    Ratio,
    /// a·b, but 0 where a is, whatever b: slopes of what was not chosen.
    Gate,
    /// A field of the world at (a, b), or one of its derivatives.
    Field,
    /// √(a² + b² + c²)
    Norm,
    /// a where c is not 0, else b.
    Choose,
}

impl Op {
    /// How many operands it has.
    pub(crate) fn n_operands(self) -> usize {
        match self {
            Self::Constant | Self::Input => 0,
            _ if self < Self::Add => 1,
            _ if self < Self::Norm => 2,
            _ => 3,
        }
    }

    /// a + b = b + a, to the bit.
    pub(crate) fn commutes(self) -> bool {
        matches!(self, Self::Add | Self::Multiply)
    }
}

/// The value of an operation: here and nowhere else, so that constants that were folded have the bits of a run.
/// Constants, inputs and fields have values of their own.
#[inline(always)]
pub(crate) fn apply(op: Op, a: f64, b: f64, c: f64) -> f64 {
    match op {
        Op::Negate => -a,
        Op::Square => a * a,
        Op::Sqrt => a.sqrt(),
        Op::Sin => libm::sincos(a).0,
        Op::Cos => libm::sincos(a).1,
        Op::Exp => libm::exp(a),
        Op::Log => libm::log(a),
        Op::Asin => libm::asin(a),
        Op::Acos => libm::acos(a),
        Op::Atan => libm::atan(a),
        Op::Tanh => libm::tanh(a),
        Op::Abs => a.abs(),
        Op::Sign => sign(a),
        Op::Floor => libm::floor(a),
        Op::Add => a + b,
        Op::Subtract => a - b,
        Op::Multiply => a * b,
        Op::Divide => a / b,
        Op::Power => libm::pow(a, b),
        Op::Atan2 => libm::atan2(a, b),
        Op::Less => f64::from(a < b),
        Op::Min | Op::Max => {
            if is_second(op, a, b) {
                b
            } else {
                a
            }
        }
        Op::Ratio => ratio(a, b),
        Op::Gate => gate(a, b),
        Op::Norm => (a * a + b * b + c * c).sqrt(),
        Op::Choose => {
            if c != 0.0 {
                a
            } else {
                b
            }
        }
        Op::Constant | Op::Input | Op::Field => f64::NAN,
    }
}

/// Whether the smaller or larger of two is the second. What is no number wins: nothing is hidden.
#[inline(always)]
pub(crate) fn is_second(op: Op, a: f64, b: f64) -> bool {
    b.is_nan() || if op == Op::Min { b < a } else { b > a }
}

/// −1, 0 or 1; what is no number stays so.
pub(crate) fn sign(a: f64) -> f64 {
    if a > 0.0 {
        1.0
    } else if a < 0.0 {
        -1.0
    } else {
        a
    }
}

/// a/b, but 0 where b is.
#[inline(always)]
pub(crate) fn ratio(a: f64, b: f64) -> f64 {
    if b == 0.0 { 0.0 } else { a / b }
}

/// a·b, but 0 where a is.
#[inline(always)]
pub(crate) fn gate(a: f64, b: f64) -> f64 {
    if a == 0.0 { 0.0 } else { a * b }
}
