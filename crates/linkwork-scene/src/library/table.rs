//! The table: name, use, reason, source and what holds, of every scene.

use linkwork::world::World;

use super::Holds;
use crate::{builders, characters, faure, mechanisms};

/// Builds a world of numbers.
pub(super) type Build = fn(&[usize]) -> Result<World, linkwork::Error>;

/// Where a scene comes from.
#[derive(Clone, Copy)]
pub(super) enum Source {
    /// The text of a file; none in a program without the feature `library-files`.
    File(Option<&'static str>),
    /// A builder.
    Builder(Build),
}

/// A scene.
pub(super) struct Entry {
    pub(super) name: &'static str,
    pub(super) usage: &'static str,
    pub(super) why: &'static str,
    /// Numbers to take when none are given.
    pub(super) defaults: &'static [usize],
    pub(super) source: Source,
    pub(super) holds: Holds,
    /// For how long that is tested, s.
    pub(super) seconds: f64,
    /// The name with numbers that make it small.
    pub(super) small: &'static str,
}

impl Entry {
    /// Tested for another time than ten seconds.
    const fn over(mut self, seconds: f64) -> Self {
        self.seconds = seconds;
        self
    }

    /// Built by numbers, of which these are taken when none are given.
    const fn or(mut self, defaults: &'static [usize]) -> Self {
        self.defaults = defaults;
        self
    }
}

/// A scene of a file.
const fn file(
    name: &'static str,
    text: Option<&'static str>,
    holds: Holds,
    why: &'static str,
) -> Entry {
    Entry {
        name,
        usage: name,
        why,
        defaults: &[],
        source: Source::File(text),
        holds,
        seconds: 10.0,
        small: name,
    }
}

/// A scene of numbers: its name, how it is written, and a small one.
const fn builder(
    (name, usage, small): (&'static str, &'static str, &'static str),
    build: Build,
    holds: Holds,
    why: &'static str,
) -> Entry {
    Entry {
        name,
        usage,
        why,
        defaults: &[],
        source: Source::Builder(build),
        holds,
        seconds: 10.0,
        small,
    }
}

/// The text of the file of a name.
#[cfg(feature = "library-files")]
macro_rules! text {
    ($name:literal) => {
        Some(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/scenes/",
            $name,
            ".json"
        )))
    };
}

#[cfg(not(feature = "library-files"))]
macro_rules! text {
    ($name:literal) => {
        None
    };
}

/// The file of a name.
macro_rules! file {
    ($name:literal, $holds:expr, $why:literal) => {
        file($name, text!($name), $holds, $why)
    };
}

/// Every scene, in the order in which to show them. Not `const`: the texts would be in a program once for
/// every use.
pub(super) static SCENES: &[Entry] = &[
    // Chains, trees, ladders: as large as you like.
    builder(
        ("chain", "chain:N", "chain:10"),
        |p| builders::chain(p[0]),
        Holds::Energy,
        "N bars on ball joints, held out level and let go: the plainest tree there is",
    ),
    builder(
        ("chain-hinge", "chain-hinge:N", "chain-hinge:10"),
        |p| builders::chain_hinge(p[0]),
        Holds::Energy,
        "N bars on hinges, held out level and let go: the same chain in one plane",
    ),
    builder(
        ("tree", "tree:N", "tree:31"),
        |p| builders::tree(p[0]),
        Holds::Energy,
        "A binary tree of N bars on ball joints: branches without a loop",
    ),
    builder(
        ("ladder", "ladder:P,M", "ladder:3,4"),
        |p| builders::ladder(p[0], p[1], 1.0),
        Holds::Energy,
        "Faure's rope ladder (1999, fig. 3): M patterns of P bars a side and a rung, each rung a \
         loop",
    ),
    builder(
        ("ladder3", "ladder3:P,M", "ladder3:3,4"),
        |p| builders::ladder(p[0], p[1], 3.0),
        Holds::Energy,
        "The ladder with one string three times as heavy, so that rungs have something to hold",
    ),
    builder(
        ("hub", "hub:N", "hub:12"),
        |p| builders::hub(p[0]),
        Holds::Energy,
        "N bars on the rim of one disc: a body with many joints",
    ),
    builder(
        ("grid", "grid:W,H", "grid:4,4"),
        |p| builders::grid(p[0], p[1]),
        Holds::Energy,
        "A net of W by H square meshes of bars hung along one edge: loops everywhere",
    ),
    // Witkin 1990.
    file!(
        "dumbbell",
        Holds::Momentum,
        "Witkin's first example (1990, §3): two particles a fixed distance apart, at rest until \
         something pulls"
    ),
    file!(
        "bead-on-wire",
        Holds::Energy,
        "Witkin's bead on a wire: a particle on two surfaces at once, and so on the bent ring \
         where they cross"
    ),
    file!(
        "tinkertoy",
        Holds::Energy,
        "A contraption of parts snapped together (Witkin 1990, §5.1): a weighted wheel rocks a \
         beam with a pendulum and a yo-yo"
    ),
    file!(
        "puppet",
        Holds::Settles(4.0),
        "A puppet of nailed elastic sheets led by two motion paths, one at the hand and one at \
         the shirt (Witkin 1990, §5.4)"
    )
    .over(20.0),
    // Baraff 1996.
    file!(
        "baraff-fig2",
        Holds::Momentum,
        "Baraff's example of a tree (1996, fig. 2): six bodies, five joints, afloat and turning"
    ),
    file!(
        "baraff-127",
        Holds::Energy,
        "Baraff's structure of 127 ball joints and 381 multipliers (1996, fig. 3), as a mobile \
         of seven generations"
    ),
    file!(
        "baraff-chains-108",
        Holds::Energy,
        "Baraff's first measurement (1996, §9): 54 pins of the plane, 108 primary multipliers, \
         no loop"
    ),
    file!(
        "baraff-chains-96-12",
        Holds::Energy,
        "The same pins with six chains hung by both ends (Baraff 1996, §9): 96 primary \
         multipliers and 12 auxiliary"
    ),
    // Faure 1998 and 1999.
    file!(
        "bar-between-discs",
        Holds::Assembles,
        "Three strewn solids find together (Faure 1998, fig. 2): both joints are open at the \
         start"
    ),
    builder(
        ("crowd", "crowd:N", "crowd"),
        |p| characters::crowd(p[0]),
        Holds::Assembles,
        "N people of all sizes who shall take each other's hands, and do not yet (Faure 1998, \
         fig. 3)",
    )
    .or(&[12]),
    file!(
        "structure-56",
        Holds::Energy,
        "An articulated structure of 56 solids and 261 rows in free fall (Faure 1998, fig. 5)"
    ),
    file!(
        "shaken-plate",
        Holds::Energy,
        "A plate on nine strings that was given a push (Faure 1998, fig. 6)"
    ),
    file!(
        "three-characters",
        Holds::GivesWay,
        "Three people between posts whose bindings cannot all hold; only those give way (Faure \
         1999, fig. 2)"
    ),
    file!(
        "three-characters-torn",
        Holds::GivesWay,
        "Three people torn between posts too far apart: bindings open, joints do not (Faure \
         1999, fig. 2.c)"
    ),
    file!(
        "sea-weeds",
        Holds::Loss,
        "Two sea weeds and two fishes under water (Faure 1999, fig. 4): drag one, or let a fish \
         bite"
    ),
    file!(
        "string-pendulum",
        Holds::Energy,
        "A beam, and two plates on strings below it (Faure 1999, fig. 5): 83 solids, 18 rows of \
         loops"
    ),
    builder(
        ("sheet", "sheet:N", "sheet"),
        |p| faure::sheet(p[0], 0.0),
        Holds::Energy,
        "A triangulated sheet of N by N meshes, flat and so in a singular pose, in free fall \
         (Faure 1999, fig. 6)",
    )
    .or(&[10]),
    file!(
        "humanoid",
        Holds::Energy,
        "A person of sixteen solids and 39 ways to move, in free fall: for posing and dragging"
    ),
    builder(
        (
            "humanoid-on-strings",
            "humanoid-on-strings:PERCENT",
            "humanoid-on-strings",
        ),
        |p| characters::humanoid_on_strings(p[0]),
        Holds::Energy,
        "A person who swings on four strings, PERCENT longer than their way",
    )
    .or(&[0]),
    // Linkages that draw.
    file!(
        "four-bar",
        Holds::Energy,
        "A crank-rocker let go: the smallest loop, with three rows more than it needs"
    ),
    file!(
        "slider-crank",
        Holds::Period(1.0),
        "A crank that drives a piston: every engine"
    ),
    file!(
        "chebyshev",
        Holds::Period(2.0),
        "Chebyshev's lambda: half a turn of the crank on a line straight to a quarter of a per \
         cent"
    ),
    file!(
        "hoecken",
        Holds::Period(2.0),
        "Hoecken's linkage, which is Chebyshev's lambda under another name"
    ),
    file!(
        "chebyshev-crossed",
        Holds::Period(2.0),
        "Chebyshev's crossed rockers: the middle of the coupler runs on the lambda's line"
    ),
    file!(
        "watt",
        Holds::Period(2.0),
        "Watt's linkage: nearly straight up and down, as in his engine"
    ),
    file!(
        "peaucellier",
        Holds::Energy,
        "Peaucellier's and Lipkin's inversor let go: D falls along an exact straight line"
    ),
    file!(
        "peaucellier-driven",
        Holds::Period(2.0),
        "Peaucellier's inversor with its crank swung: the exact straight line x = 4"
    ),
    file!(
        "jansen",
        Holds::Period(2.0),
        "Theo Jansen's leg: eleven bars turn a crank's circle into a step"
    ),
    file!(
        "jansen-walker",
        Holds::Period(2.0),
        "Six of Jansen's legs on one crankshaft; the chassis is fixed to a stand, since there is \
         no contact yet"
    ),
    builder(
        ("pantograph", "pantograph:RATIO", "pantograph"),
        |p| mechanisms::pantograph(p[0]),
        Holds::Period(2.0),
        "A pantograph: a pen goes round a circle and is copied RATIO times as large",
    )
    .or(&[3]),
    file!(
        "scotch-yoke",
        Holds::Period(2.0),
        "A Scotch yoke: a crank makes the purest sine"
    ),
    builder(
        ("scissor", "scissor:N", "scissor"),
        |p| mechanisms::scissor(p[0]),
        Holds::Energy,
        "A scissor lift of N cells with ten kilograms on top, let go",
    )
    .or(&[4]),
    builder(
        ("scissor-driven", "scissor-driven:N", "scissor-driven"),
        |p| mechanisms::scissor_driven(p[0]),
        Holds::Period(2.0),
        "A scissor lift of N cells whose foot is pushed to and fro",
    )
    .or(&[4]),
    builder(
        ("n-four-bar", "n-four-bar:N", "n-four-bar"),
        |p| mechanisms::n_four_bar(p[0]),
        Holds::Energy,
        "N squares side by side (IFToMM A02): lying level they could fold in N + 1 ways, and \
         must not",
    )
    .or(&[2]),
    // Mechanisms in space.
    file!(
        "bricard",
        Holds::Energy,
        "Bricard's loop of six hinges (IFToMM A04): by the count it is rigid, and yet it swings"
    ),
    file!(
        "bennett",
        Holds::Energy,
        "Bennett's loop of four hinges, the only one in space that moves"
    ),
    file!(
        "sarrus",
        Holds::Energy,
        "Sarrus's linkage: two folding chains at a right angle carry a table exactly straight"
    ),
    builder(
        ("umbrella", "umbrella:K", "umbrella"),
        |p| mechanisms::umbrella(p[0]),
        Holds::Energy,
        "An umbrella of K ribs on one runner: all open alike",
    )
    .or(&[8]),
    file!(
        "hooke",
        Holds::Period(2.0),
        "Hooke's joint between shafts at 30°: the output runs ahead and behind twice a turn"
    ),
    file!(
        "double-hooke",
        Holds::Period(2.0),
        "Two of Hooke's joints in phase: the unevenness of one undoes that of the other"
    ),
    file!(
        "differential",
        Holds::Period(4.0),
        "A differential: the case turns evenly, the left shaft swings, and the right one makes \
         up for it"
    ),
    file!(
        "stewart",
        Holds::Rest,
        "A Stewart platform: six legs hold a plate in all six ways; change their lengths and it \
         moves"
    ),
    file!(
        "stewart-driven",
        Holds::Period(4.0),
        "A Stewart platform whose six legs breathe, each by an amount of its own"
    ),
    file!(
        "andrews",
        Holds::Work,
        "Andrews' squeezer (IVP test set): seven bodies of the plane that whirl within \
         hundredths of a second"
    )
    .over(0.05),
    file!(
        "andrews-3d",
        Holds::Work,
        "Andrews' squeezer of bodies in space: its loops repeat rows, and the motion must be \
         that of the plane"
    )
    .over(0.05),
    file!(
        "plate-on-strings",
        Holds::Rest,
        "A plate on four strings, one too many: their forces are not unique, and the plate hangs \
         still"
    ),
    // Laws.
    file!(
        "double-pendulum",
        Holds::Energy,
        "Two rods held out level: chaos"
    ),
    file!(
        "newton-euler-top",
        Holds::Momentum,
        "A free body with moments 1, 2 and 3: its spins are Jacobi's elliptic functions"
    ),
    file!(
        "heavy-top",
        Holds::Energy,
        "The heavy top of Géradin and Cardona: it spins at 150 rad/s and does not fall"
    ),
    file!(
        "dzhanibekov",
        Holds::Flips(2.07546097647),
        "A spin about the middle axis turns over, again and again, as Dzhanibekov saw it in \
         orbit"
    ),
    builder(
        ("catenary", "catenary:N", "catenary"),
        |p| mechanisms::catenary(p[0], 1.5, 1.0),
        Holds::Rest,
        "A chain of N links at rest between two hooks: the hanging curve",
    )
    .or(&[10]),
];
