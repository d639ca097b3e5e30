//! Names of enum variants, shared by files, command line and page.

use crate::error::Error;

/// The words of a closed set, as people choose from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choices {
    /// The words.
    pub words: &'static [&'static str],
    /// What each is, in one line.
    pub help: &'static [&'static str],
}

/// Gives an enum its words: one row for each variant, with the value its word stands for and one line
/// of help. Numbers that a variant carries are those most people want.
macro_rules! words {
    ($type:ident, $what:literal: $($pattern:pat = $value:expr, $word:literal, $about:literal;)*) => {
        impl $type {
            /// The words of all variants, in the order in which people are told of them.
            pub const WORDS: [&'static str; [$($word),*].len()] = [$($word),*];

            /// The same, each with what it is.
            pub const CHOICES: $crate::Choices = $crate::Choices {
                words: &Self::WORDS,
                help: &[$($about),*],
            };

            /// What its word stands for, for every word.
            pub fn all() -> [Self; Self::WORDS.len()] {
                [$($value),*]
            }

            /// Its word in files and on the command line.
            pub const fn name(&self) -> &'static str {
                match self {
                    $($pattern => $word,)*
                }
            }

            /// What it is, in one line.
            pub const fn about(&self) -> &'static str {
                match self {
                    $($pattern => $about,)*
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = crate::error::Error;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                match word {
                    $($word => Ok($value),)*
                    _ => Err(crate::words::unknown($what, word, &Self::WORDS)),
                }
            }
        }
    };
}
pub(crate) use words;

/// The answer to a word that nobody knows.
pub(crate) fn unknown(what: &'static str, word: &str, known: &[&str]) -> Error {
    let nearest = known.iter().min_by_key(|own| distance(own, word));
    let hint = match nearest.filter(|own| distance(own, word) <= 1 + own.len() / 4) {
        Some(own) => format!("did you mean \"{own}\"? There is {}", known.join(", ")),
        None => format!("there is {}", known.join(", ")),
    };
    Error::Field {
        field: what,
        problem: format!("\"{word}\" is not known; {hint}"),
    }
}

/// How many letters differ, at least: Levenshtein's distance.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.chars().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use crate::integrate::Integrator;
    use crate::solve::{ContactSolver, Method};
    use crate::stabilize::Stabilization;
    use crate::step::Scheme;
    use crate::world::Dynamics;

    #[test]
    fn every_word_is_read_back() {
        macro_rules! check {
            ($($type:ty)*) => {$(
                assert_eq!(<$type>::CHOICES.words, <$type>::WORDS);
                assert_eq!(<$type>::CHOICES.help, <$type>::all().map(|own| own.about()));
                for (word, value) in <$type>::WORDS.into_iter().zip(<$type>::all()) {
                    assert_eq!(value.name(), word);
                    assert_eq!(value.to_string().parse::<$type>(), Ok(value));
                    assert!(value.about().ends_with('.'), "{word}");
                }
            )*};
        }
        check!(Method ContactSolver Integrator Stabilization Dynamics Scheme);
    }

    #[test]
    fn methods_that_iterate_are_known_by_their_words() {
        let all = Method::all();
        let iterates = all.iter().filter(|method| method.is_iterative());
        let words: Vec<_> = iterates.map(Method::name).collect();
        assert_eq!(words, Method::ITERATIVE);
    }

    #[test]
    fn a_word_that_is_not_known_is_answered_with_those_that_are() {
        let error = "symplectic".parse::<Integrator>().unwrap_err().to_string();
        let known = Integrator::WORDS.join(", ");
        assert_eq!(
            error,
            format!("integrator \"symplectic\" is not known; there is {known}")
        );
        let error = "Direct".parse::<Method>().unwrap_err().to_string();
        assert!(error.contains("did you mean \"direct\"?"), "{error}");
    }
}
