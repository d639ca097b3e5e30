//! Every mistake there is, in words. `#` stands for what is named, in order.

/// Writes the mistakes and their texts: what is wrong, and what to do.
macro_rules! messages {
    ($($say:ident: $message:literal, $hint:literal;)*) => {
        /// What is wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum Say {
            $($say,)*
        }

        /// Message and advice of each.
        pub(crate) const TEXTS: &[[&str; 2]] = &[$([$message, $hint],)*];
    };
}

messages! {
    // Words and signs.
    TooLong: "has # bytes, more than #", "make several formulas of it";
    NoMeaning: "# means nothing here", "#";
    OpenQuote: "the quote is not closed", "'bar 2' is a name; der(y, x) is a derivative";
    TooLarge: "# is too large", "numbers go up to 1e308";
    // Expressions.
    Unexpected: "# is not expected here", "";
    NoBracketIsOpen: "# is not expected here", "no bracket is open";
    NoLimit: "# is not expected here", "write <= or >= for a limit, if(a < b, …) for a choice";
    NoDefinition: "# is not expected here", "write == for a constraint";
    NeedsQuotes: "# is not expected here", "as a name it needs quotes: '#'";
    TooDeep: "is nested deeper than #", "name a part of it: part = …";
    NoOperator: "an operator is missing before #", "write * to multiply";
    TwoWays: "can be read in two ways", "write # or #";
    NoValue: "a value is missing before #", "";
    NoName: "a name is missing before #", "";
    NotClosed: "\"#\" is not closed", "write # before #";
    // Statements.
    NotAName: "only a name can be defined with =", "write == for a constraint";
    NotAParameter: "a parameter is a name, not \"#\"", "";
    NoParameter: "has no parameter", "leave the brackets out: # = …";
    ParameterTwice: "\"#\" is a parameter twice", "";
    NoRange: "\"..\" is missing before #", "a range is low..high: in 0..2";
    ShapeNoRange: "\"#\" has no range", "write #";
    ShapeNoSign: "\"#\" is missing before #", "write #";
    ShapeCount: "takes # parameters, not #", "write #";
    // Names.
    NotKnown: "\"#\" is not known", "";
    DidYouMean: "\"#\" is not known", "did you mean #?";
    MakeANumber: "\"#\" is not known", "write # = 1: a slider";
    HasParts: "\"#\" is no number or point by itself", "it has #";
    BaseUnit: "\"#\" is not known", "numbers are in meters, kilograms, seconds and radians: leave the unit out; or write # = 1: a slider";
    Elsewhere: "\"#\" is not known", "write #";
    CallIt: "\"#\" is not known", "call it: #";
    DefineIt: "\"#\" is not known", "write #(x) = … to define it";
    IsAFunction: "\"#\" is a function", "call it: #(…)";
    NotAFunction: "\"#\" is not a function", "write #*(…) to multiply";
    TwoMeanings: "\"#\" is a constant, and the name of something else too", "write '#' for what has that name";
    OfLanguage: "\"#\" is #", "choose another name";
    Twice: "\"#\" is defined twice", "leave one of them out, or choose another name";
    Taken: "\"#\" is the name of something else", "choose another name";
    OnItself: "\"#\" depends on itself: #", "a definition cannot use itself";
    NoComponent: "there is no \".#\"", "#";
    NoOneAngle: "a frame in space has no one angle", "take atan2 of components of its axes .ax, .ay, .az";
    // Numbers and vectors.
    NotANumber: "is a vector, but must be a number", "take .x or .y of it, or norm(…)";
    NotAVector: "is a number, but must be a vector", "write [x, y] or [x, y, z]: #";
    NotConstant: "changes, but must be a constant", "write a number, or names of constants";
    NotWhole: "must be a whole number", "";
    Components: "has # components", "a vector has two or three: [x, y], [x, y, z]";
    PlaneAndSpace: "a vector of the plane and one of space do not go together", "";
    NumberAndVector: "a number and a vector do not add up", "take a component of the vector, or write [a, b] + v";
    Sides: "one side is a number, the other a vector", "take norm(…), or .x of the vector";
    VectorTimesVector: "two vectors are multiplied", "write dot(a, b) or cross(a, b)";
    DividesByVector: "divides by a vector", "divide by its length: norm(v)";
    OnlySquared: "a vector can only be squared: v^2", "";
    NoOrder: "vectors have no order", "";
    // Calls.
    Takes: "# takes #, not #", "";
    DoesNotTake: "# does not take #", "write #";
    DerivesBy: "der cannot derive by #", "write der(expression, name) with a number, an input or a parameter";
    IndexIsAName: "must be a name", "write sum(k, 1, n, expression)";
    NotACurve: "# takes the name of a curve", "such as that of curve egg(u in 0..tau) = [2cos(u), sin(u)]";
    NoArea: "is a curve in space: it has no area", "";
    NoPlace: "a picture has a value at a point of the plane", "give a vector of the plane, or x and y";
    // Definitions.
    Outside: "\"#\" starts outside of its range", "";
    EmptyRange: "the range is empty", "write low..high";
    NoPoint: "is no point of a curve or surface", "#";
    Weight: "a weight is a positive number", "";
    // Too much.
    TooNested: "is nested deeper than # through the functions it calls", "";
    TooMany: "makes more than # operations", "make several formulas of it";
    TooSlow: "takes too long to work out", "";
    TooOften: "calls functions and adds terms more than # times", "";
    Trouble: "#", "";
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every text is told by some test, by a mistake that somebody makes.
    #[test]
    fn every_message_has_a_test() {
        let tests = [
            include_str!("lexer.rs"),
            include_str!("parser/tests.rs"),
            include_str!("../tests/formulas/mistakes.rs"),
            include_str!("../tests/formulas/meaning.rs"),
        ];
        for part in TEXTS.iter().flatten().flat_map(|text| text.split('#')) {
            let part = part.replace('"', "\\\"");
            let is_told = tests.iter().any(|test| test.contains(part.trim()));
            assert!(is_told, "no test has {part:?}");
        }
    }
}
