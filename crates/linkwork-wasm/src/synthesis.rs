//! Linkages that follow a drawn path, as the page offers them.

use linkwork_scene::synthesis::{Found, Path, Wish, four_bars};
use serde::Serialize;

/// A four-bar that follows a drawn path.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Linkage {
    /// Root of the mean square distance from the path, relative to its size.
    pub rms: f64,
    /// The largest distance from the path, relative to its size; none if it does not turn fully.
    pub worst: Option<f64>,
    /// Whether the crank passes the path's points in order.
    pub in_order: bool,
    /// Whether it turns without being taken apart.
    pub one_branch: bool,
    /// What turns fully.
    pub grashof: &'static str,
    /// How far the angle between coupler and rocker gets from a right one, degrees.
    pub transmission_deg: Option<f64>,
    /// The scene in which a motor draws the path.
    pub scene: String,
}

/// The best four-bars for a path: x and y of its points in turn.
pub fn linkages(points: &[f64], name: &str) -> Result<Vec<Linkage>, String> {
    let (points, _) = points.as_chunks();
    let path = Path::new(points, None).map_err(super::laboratory::text)?;
    let found = four_bars(&path, &Wish::default()).map_err(super::laboratory::text)?;
    let offer = |own: &Found| {
        let scene = own.scene(name).map_err(super::laboratory::text)?;
        Ok(Linkage {
            rms: own.rms / path.size(),
            worst: own.worst.map(|worst| worst / path.size()),
            in_order: own.is_in_order,
            one_branch: own.is_one_branch,
            grashof: own.grashof().name(),
            transmission_deg: own.bar.worst_transmission_deg(),
            scene,
        })
    };
    found.iter().map(offer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of the best fits to this path has a coupler of no length, which is no body.
    #[test]
    fn what_is_offered_can_be_opened() {
        let angle = |k: i32| std::f64::consts::TAU * f64::from(k) / 59.0;
        let points: Vec<f64> = (0..60)
            .flat_map(|k| {
                let t = angle(k);
                [150.0 * t.cos(), 90.0 * t.sin() + 15.0 * (3.0 * t).sin()]
            })
            .collect();
        let found = linkages(&points, "drawn").unwrap();
        assert!(!found.is_empty());
        for own in &found {
            super::super::Laboratory::open(&own.scene).unwrap();
        }
    }

    #[test]
    fn a_drawing_becomes_scenes() {
        let angle = |k: i32| std::f64::consts::TAU * f64::from(k) / 60.0;
        let points: Vec<f64> = (0..60)
            .flat_map(|k| [0.5 * angle(k).cos(), 0.2 * angle(k).sin()])
            .collect();
        let found = linkages(&points, "drawn").unwrap();
        assert!(found[0].rms < 0.01 && found[0].in_order && found[0].one_branch);
        super::super::Laboratory::open(&found[0].scene).unwrap();
        assert!(
            linkages(&points[..6], "drawn")
                .unwrap_err()
                .contains("longer")
        );
    }
}
