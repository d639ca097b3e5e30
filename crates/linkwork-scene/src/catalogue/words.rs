//! Closed sets of words: enums that are written as texts.

/// An enum whose variants have words. Where it is written, its word is: one way to write texts is enough, and
/// the browser's module is smaller by what others would take.
macro_rules! words {
    ($(#[$about:meta])* pub enum $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum $name {
            $($(#[$doc])* #[cfg_attr(feature = "schema", schemars(rename = $word))] $variant,)+
        }

        impl $name {
            /// The word.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }
    };
}
pub(crate) use words;
