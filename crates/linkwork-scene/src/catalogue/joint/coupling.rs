//! One joint follows another: its coordinate is a polynomial of the other's.

use super::*;

const WORDS: [&str; 3] = ["angle", "length", "planar-angle"];
const KINDS: [JointCoordinate; 3] = [
    JointCoordinate::Angle,
    JointCoordinate::Length,
    JointCoordinate::PlanarAngle,
];
const FRAMES: Field =
    CONNECTORS.help("Two frames of the leading joint, then two of the following one.");
const POWERS: Field = COEFFICIENTS.help("The offset, the ratio, and those of higher powers.");
const COORDINATES: Field = Field::new(
    "coordinates",
    Form::Words(2, &WORDS),
    "The coordinates of the leading joint and of the following one.",
)
.default("[\"angle\", \"angle\"]");

pub(super) static TYPE: JointType = JointType {
    kind: Type::new(
        170,
        "coupling",
        "One joint follows another: its coordinate is a polynomial of the other's.",
        &[&[FRAMES, POWERS, COORDINATES]],
    ),
    build: |scene, entry| {
        let connectors = listed(scene, entry)?;
        let coefficients: &[f64] = entry.fields.need(&POWERS)?;
        if connectors.len() != 4 {
            let problem = format!("has {} entries in place of 4", connectors.len());
            let hint = "list two frames of the leading joint, then two of the one that follows";
            return Err(Fault::at("connectors", problem).hint(hint));
        }
        let words: &[String] = entry.fields.get(&COORDINATES)?.unwrap_or(&[]);
        let coordinate = |at: usize| {
            let known = WORDS.iter().zip(KINDS);
            let found = words
                .get(at)
                .and_then(|word| known.clone().find(|(own, _)| *own == word));
            found.map_or(KINDS[0], |(_, kind)| kind)
        };
        let law = Coupling::new(coordinate(0), coordinate(1), coefficients);
        for (at, (connector, kind)) in connectors.iter().zip(law.inputs()).enumerate() {
            let fits = match kind {
                ConnectorKind::Frame2 => matches!(connector.site(), Some(Site::Frame2 { .. })),
                _ => connector
                    .site()
                    .is_some_and(|own| own.is_frame() && !own.is_planar()),
            };
            if !fits {
                let hint = "give it an axis in space, an angle in the plane";
                let path = format!("connectors[{at}]");
                return Err(Fault::at(path, format!("is no {kind}")).hint(hint));
            }
        }
        Ok(scene.world.add_constraint(&entry.name, law, &connectors)?)
    },
    describe: |held| {
        let coupling: &Coupling = held.is()?;
        let word = |kind: JointCoordinate| {
            let known = WORDS.iter().zip(KINDS);
            known
                .clone()
                .find(|(_, own)| *own == kind)
                .map(|(word, _)| (*word).to_owned())
        };
        let words = vec![word(coupling.leading())?, word(coupling.following())?];
        let fields = Fields::default().with(&POWERS, coupling.coefficients());
        Some(fields.with(&COORDINATES, words))
    },
    planar: true,
    ..BLANK
};
