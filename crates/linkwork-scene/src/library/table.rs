//! The table: how each scene is written, where it comes from and what holds of it.

use linkwork::world::World;

use super::Holds;
use crate::{builders, characters, faure, mechanisms, piles};

/// Builds a world of numbers.
pub(super) type Build = fn(&[usize]) -> Result<World, linkwork::Error>;

/// Where a scene comes from.
#[derive(Clone, Copy)]
pub(super) enum Source {
    /// A file, and whether its numbers were computed rather than written by hand.
    File { derived: bool },
    /// A builder, and one line on what its scenes are for.
    Builder(Build, &'static str),
}

/// A file of the library. `build.rs` lists them.
pub(super) struct File {
    pub(super) name: &'static str,
    /// What it says it is for.
    pub(super) why: &'static str,
    /// None in a program without the feature `library-files`.
    pub(super) text: Option<&'static str>,
}

include!(concat!(env!("OUT_DIR"), "/scenes.rs"));

/// A scene.
pub(super) struct Entry {
    /// Its name, and what numbers follow it.
    pub(super) usage: &'static str,
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

    /// What it is called.
    pub(super) fn name(&self) -> &'static str {
        self.usage.split(':').next().unwrap_or_default()
    }

    /// One line: what it is for. A file says that itself.
    pub(super) fn why(&self) -> &'static str {
        match self.source {
            Source::Builder(_, why) => why,
            Source::File { .. } => self.file().map_or("", |file| file.why),
        }
    }

    /// Its file, if it has one.
    pub(super) fn file(&self) -> Option<&'static File> {
        FILES.iter().find(|file| file.name == self.usage)
    }
}

/// A scene of a file that was written by hand.
const fn file(name: &'static str, holds: Holds) -> Entry {
    Entry {
        usage: name,
        defaults: &[],
        source: Source::File { derived: false },
        holds,
        seconds: 10.0,
        small: name,
    }
}

/// A scene of a file whose numbers were computed.
const fn derived(name: &'static str, holds: Holds) -> Entry {
    Entry {
        source: Source::File { derived: true },
        ..file(name, holds)
    }
}

/// A scene of numbers: how it is written, and a small one.
const fn builder(
    usage: &'static str,
    small: &'static str,
    build: Build,
    holds: Holds,
    why: &'static str,
) -> Entry {
    Entry {
        usage,
        small,
        source: Source::Builder(build, why),
        ..file("", holds)
    }
}

/// Every scene, in the order in which to show them.
pub(super) static SCENES: &[Entry] = &[
    // Chains, trees, ladders: as large as you like.
    builder(
        "chain:N",
        "chain:10",
        |p| builders::chain(p[0]),
        Holds::Energy,
        "N bars on ball joints, held out level and let go: the plainest tree there is",
    ),
    builder(
        "chain-hinge:N",
        "chain-hinge:10",
        |p| builders::chain_hinge(p[0]),
        Holds::Energy,
        "N bars on hinges, held out level and let go: the same chain in one plane",
    ),
    builder(
        "tree:N",
        "tree:31",
        |p| builders::tree(p[0]),
        Holds::Energy,
        "A binary tree of N bars on ball joints: branches without a loop",
    ),
    builder(
        "ladder:P,M",
        "ladder:3,4",
        |p| builders::ladder(p[0], p[1], 1.0),
        Holds::Energy,
        "Faure's rope ladder (1999, fig. 3): M patterns of P bars a side and a rung, each rung a \
         loop",
    ),
    builder(
        "ladder3:P,M",
        "ladder3:3,4",
        |p| builders::ladder(p[0], p[1], 3.0),
        Holds::Energy,
        "The ladder with one string three times as heavy, so that rungs have something to hold",
    ),
    builder(
        "hub:N",
        "hub:12",
        |p| builders::hub(p[0]),
        Holds::Energy,
        "N bars on the rim of one disc: a body with many joints",
    ),
    builder(
        "grid:W,H",
        "grid:4,4",
        |p| builders::grid(p[0], p[1]),
        Holds::Energy,
        "A net of W by H square meshes of bars hung along one edge: loops everywhere",
    ),
    // Witkin 1990.
    derived("dumbbell", Holds::Momentum),
    file("bead-on-wire", Holds::Energy),
    file("tinkertoy", Holds::Energy),
    file("puppet", Holds::Settles(4.0)).over(20.0),
    file("puppet-show", Holds::Runs),
    file("paper-doll", Holds::Loss),
    file("swinging-lamp", Holds::Energy),
    file("gas-spring", Holds::Energy),
    // Baraff 1996.
    derived("baraff-fig2", Holds::Momentum),
    derived("baraff-127", Holds::Energy),
    derived("baraff-chains-108", Holds::Energy),
    derived("baraff-chains-96-12", Holds::Energy),
    file("drawbridge", Holds::Period(4.0)),
    file("sliding-block", Holds::Loss),
    // Faure 1998 and 1999.
    derived("bar-between-discs", Holds::Assembles),
    builder(
        "crowd:N",
        "crowd",
        |p| characters::crowd(p[0]),
        Holds::Assembles,
        "N people of all sizes who shall take each other's hands, and do not yet (Faure 1998, \
         fig. 3)",
    )
    .or(&[12]),
    file("particle-on-circle", Holds::Loss),
    derived("structure-56", Holds::Energy),
    derived("shaken-plate", Holds::Energy),
    derived("three-characters", Holds::GivesWay),
    derived("three-characters-torn", Holds::GivesWay),
    derived("sea-weeds", Holds::Loss),
    derived("string-pendulum", Holds::Energy),
    builder(
        "sheet:N",
        "sheet",
        |p| faure::sheet(p[0], 0.0),
        Holds::Energy,
        "A triangulated sheet of N by N meshes, flat and so in a singular pose, in free fall \
         (Faure 1999, fig. 6)",
    )
    .or(&[10]),
    derived("humanoid", Holds::Energy),
    builder(
        "humanoid-on-strings:PERCENT",
        "humanoid-on-strings",
        |p| characters::humanoid_on_strings(p[0]),
        Holds::Energy,
        "A person who swings on four strings, PERCENT longer than their way",
    )
    .or(&[0]),
    // Linkages that draw.
    derived("four-bar", Holds::Energy),
    file("slider-crank", Holds::Period(1.0)),
    file("bar-on-stop", Holds::Loss),
    file("weight-on-rope", Holds::Loss),
    file("bead-on-hills", Holds::Energy),
    file("bead-on-egg-box", Holds::Energy),
    file("cam-from-formula", Holds::Period(1.0)),
    // Formulas: quantities and objectives.
    file("block-graph", Holds::Runs),
    file("rosenbrock-valley", Holds::Runs),
    file("beam-from-log", Holds::Runs),
    file("least-tin", Holds::Runs),
    file("isoperimeter", Holds::Runs),
    // Curves.
    file("tautochrone", Holds::Energy),
    file("formula-curves", Holds::Assembles),
    file("curve-model", Holds::Assembles),
    file("fit-ellipse", Holds::Runs),
    file("fit-spline", Holds::Runs),
    file("fit-surface", Holds::Runs),
    file("snake-cell", Holds::Runs),
    file("snake-film", Holds::Runs).over(1.0),
    file("fit-cloud", Holds::Runs).over(0.5),
    file("arm", Holds::Runs).over(1.0),
    // Solids that deform.
    file("superquadrics", Holds::Runs),
    file("dragonfly", Holds::Assembles),
    file("dragonfly-swat", Holds::Runs),
    file("superquadrics-fall", Holds::Loss),
    file("zoo", Holds::Loss),
    file("balloon", Holds::Loss).over(1.0),
    file("balloons-2", Holds::Loss).over(0.3),
    file("balloons-3", Holds::Loss).over(0.3),
    file("soft-beam", Holds::Loss).over(0.25),
    derived("taut-strip", Holds::Energy).over(0.5),
    file("jelly", Holds::Loss),
    file("vibrating-bars", Holds::Runs),
    file("four-bar-design", Holds::Period(2.0)),
    file("slider-crank-design", Holds::Period(1.0)),
    derived("chebyshev", Holds::Period(2.0)),
    derived("hoecken", Holds::Period(2.0)),
    derived("chebyshev-crossed", Holds::Period(2.0)),
    derived("watt", Holds::Period(2.0)),
    derived("peaucellier", Holds::Energy),
    derived("peaucellier-driven", Holds::Period(2.0)),
    derived("jansen", Holds::Period(2.0)),
    derived("jansen-walker", Holds::Period(2.0)),
    builder(
        "pantograph:RATIO",
        "pantograph",
        |p| mechanisms::pantograph(p[0]),
        Holds::Period(2.0),
        "A pantograph: a pen goes round a circle and is copied RATIO times as large",
    )
    .or(&[3]),
    derived("scotch-yoke", Holds::Period(2.0)),
    builder(
        "scissor:N",
        "scissor",
        |p| mechanisms::scissor(p[0]),
        Holds::Energy,
        "A scissor lift of N cells with ten kilograms on top, let go",
    )
    .or(&[4]),
    builder(
        "scissor-driven:N",
        "scissor-driven",
        |p| mechanisms::scissor_driven(p[0]),
        Holds::Period(2.0),
        "A scissor lift of N cells whose foot is pushed to and fro",
    )
    .or(&[4]),
    builder(
        "n-four-bar:N",
        "n-four-bar",
        |p| mechanisms::n_four_bar(p[0]),
        Holds::Energy,
        "N squares side by side (IFToMM A02): lying level they could fold in N + 1 ways, and \
         must not",
    )
    .or(&[2]),
    // Mechanisms in space.
    derived("bricard", Holds::Energy),
    derived("bennett", Holds::Energy),
    derived("sarrus", Holds::Energy),
    builder(
        "umbrella:K",
        "umbrella",
        |p| mechanisms::umbrella(p[0]),
        Holds::Energy,
        "An umbrella of K ribs on one runner: all open alike",
    )
    .or(&[8]),
    derived("hooke", Holds::Period(2.0)),
    derived("double-hooke", Holds::Period(2.0)),
    file("differential", Holds::Period(4.0)),
    derived("stewart", Holds::Rest),
    derived("stewart-driven", Holds::Period(4.0)),
    derived("andrews", Holds::Work).over(0.05),
    derived("andrews-3d", Holds::Work).over(0.05),
    derived("plate-on-strings", Holds::Rest),
    // Contact.
    builder(
        "stack:N",
        "stack",
        |p| piles::stack(p[0]),
        Holds::Rest,
        "N blocks, one on the other: they rest, whatever carries what",
    )
    .or(&[10])
    .over(5.0),
    derived("incline", Holds::Loss).over(5.0),
    builder(
        "dominoes:N",
        "dominoes",
        |p| piles::dominoes(p[0]),
        Holds::Runs,
        "N dominoes in a row; the first one falls",
    )
    .or(&[6])
    // A frame at 1.08 s gains energy, and is taken again in parts.
    .over(1.0),
    builder(
        "cradle:N",
        "cradle",
        |p| piles::cradle(p[0]),
        Holds::Energy,
        "Newton's cradle of N balls: the blow of the first throws the last, and the others stand",
    )
    .or(&[5])
    .over(5.0),
    derived("rocking-block", Holds::Runs).over(5.0),
    derived("tippe-top", Holds::Loss).over(4.0),
    derived("rolling-ball", Holds::Loss).over(3.0),
    file("trampolines", Holds::Energy).over(5.0),
    derived("marble-run", Holds::Loss),
    file("hills", Holds::Loss).over(6.0),
    derived("spiral-slide", Holds::Loss).over(5.0),
    derived("arch", Holds::Rest).over(5.0),
    builder(
        "chain-over-pulley:N",
        "chain-over-pulley",
        |p| piles::chain_over_pulley(p[0]),
        Holds::Energy,
        "A chain of N links over a pulley that turns: the longer end pulls the rest after it",
    )
    .or(&[30])
    .over(1.0),
    derived("cam-follower", Holds::Runs),
    derived("geneva-drive", Holds::Runs).over(4.0),
    derived("ratchet", Holds::Runs).over(4.0),
    derived("gripper", Holds::Runs).over(4.0),
    derived("slider-crank-clearance", Holds::Runs).over(0.1),
    derived("escapement", Holds::Runs).over(4.0),
    derived("woodpecker", Holds::Loss).over(0.5),
    derived("walking-jansen", Holds::Runs).over(1.0),
    // A frame at 1.7 s gains energy, and is taken again in parts.
    derived("falling-humanoid", Holds::Loss).over(1.5),
    derived("baraff-on-floor", Holds::Loss).over(3.0),
    // Laws.
    derived("double-pendulum", Holds::Energy),
    file("newton-euler-top", Holds::Momentum),
    derived("heavy-top", Holds::Energy),
    file("dzhanibekov", Holds::Flips(2.07546097647)),
    builder(
        "catenary:N",
        "catenary",
        |p| mechanisms::catenary(p[0], 1.5, 1.0),
        Holds::Rest,
        "A chain of N links at rest between two hooks: the hanging curve",
    )
    .or(&[10]),
];
