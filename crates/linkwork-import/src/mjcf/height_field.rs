//! Height fields: ground of the world.

use linkwork::body::Pose;
use linkwork_scene::format::PartEntry;
use serde_json::json;

use super::Reader;
use super::defaults::View;
use crate::entries::entry;
use crate::place::then;

/// Heights that are taken.
const MOST: usize = 250_000;

impl Reader<'_, '_> {
    /// The field that a shape names, as a part that is drawn and that collides, or why there is none. Its x and y go
    /// along columns and rows, its z is up; rows are written from the last to the first.
    pub(super) fn height_field(
        &self,
        view: &View<'_>,
        pose: &Pose,
        color: Option<&str>,
    ) -> Result<PartEntry, String> {
        let name = view.text("hfield").unwrap_or_default();
        let Some(&asset) = self.fields.get(name) else {
            return Err(format!("no height field is called \"{name}\""));
        };
        asset.see();
        asset.skip("name");
        if asset.has("file") {
            return Err(format!(
                "height field \"{name}\": files of heights are not read"
            ));
        }
        let said = |fault: linkwork_scene::Fault| fault.problem;
        let count =
            |of: &str| Ok::<_, String>(asset.number(of).map_err(said)?.unwrap_or(0.0) as usize);
        let (n_rows, n_columns) = (count("nrow")?, count("ncol")?);
        let [x, y, top, _] = asset.array("size").map_err(said)?.unwrap_or([0.0; 4]);
        let given = asset
            .numbers("elevation")
            .map_err(said)?
            .unwrap_or_default();
        if n_rows < 2 || n_columns < 2 || n_rows.saturating_mul(n_columns) > MOST {
            return Err(format!(
                "height field \"{name}\" has {n_rows} rows of {n_columns}; 2 by 2 to {MOST} heights are taken"
            ));
        }
        // What says no heights is flat.
        let flat = vec![0.0; n_rows * n_columns];
        let given = if given.is_empty() { &flat } else { &given };
        if given.len() != n_rows * n_columns {
            let n = given.len();
            return Err(format!(
                "height field \"{name}\" has {n} heights for {n_rows} × {n_columns}"
            ));
        }
        let low = given.iter().copied().fold(f64::INFINITY, f64::min);
        let high = given.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let by = if high > low { top / (high - low) } else { 0.0 };
        // Rows of ours go along x, and their heights along y.
        let height =
            |column: usize, row: usize| by * (given[(n_rows - 1 - row) * n_columns + column] - low);
        let column = |k: usize| {
            (0..n_rows)
                .map(move |row| height(k, row))
                .collect::<Vec<_>>()
        };
        let heights: Vec<_> = (0..n_columns).map(column).collect();
        // x ← z, y ← x, z ← y.
        let own = Pose {
            position: [-x, -y, 0.0],
            rotation: [0.5, -0.5, -0.5, -0.5],
        };
        let place = then(pose, &own);
        let mut part = json!({
            "type": "height-field",
            "heights": heights,
            "spacing": [2.0 * x / (n_columns - 1) as f64, 2.0 * y / (n_rows - 1) as f64],
            "position": place.position,
            "quaternion": place.rotation,
        });
        if let Some(color) = color {
            part["color"] = json!(color);
        }
        entry(part).map_err(|fault| format!("height field \"{name}\": {fault}"))
    }
}
