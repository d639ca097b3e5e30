//! The curves that joints follow.

use linkwork::shape::ShapeMap;

use super::*;

/// The map of the body that a connector is all of.
pub(super) fn shape_of(
    scene: &Scene,
    connector: &Connector,
    path: &str,
) -> Result<Arc<dyn ShapeMap>, Fault> {
    let body = connector.body();
    let own = body.and_then(|body| scene.world.body_record(body).ok());
    let shape = own.and_then(|record| record.body().shape());
    let is_whole = connector.site() == Some(&Site::Coordinates);
    shape.filter(|_| is_whole).cloned().ok_or_else(|| {
        let fault = Fault::at(path, "is no curve");
        fault.hint("give the name of a body of type \"spline\" or \"formula\"")
    })
}
