//! URDF: links and joints, by the names they have.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use linkwork::body::{MassProperties, Pose};
use linkwork::math::{quat_exp, quat_mul, sym_rotate, unit};
use linkwork_scene::Fault;
use linkwork_scene::format::PartEntry;

use crate::mass::given;
use crate::mesh::Meshes;
use crate::model::{
    Closure, ClosureKind, Follower, Freedom, FreedomKind, Link, Model, Spot, too_many,
};
use crate::place::{frame_along, matrix, then};
use crate::report::Notes;
use crate::shapes::{Shape, color};
use crate::touch::{Touch, hull};
use crate::xml::Element;

/// Reads the model of a `<robot>`.
pub(crate) fn read(
    robot: &Element,
    meshes: &mut Meshes,
    notes: &mut Notes,
) -> Result<Model, Fault> {
    let mut model = Model {
        name: robot.text("name").map(str::to_owned),
        gravity: [0.0, 0.0, -9.81],
        ..Model::default()
    };
    let links = index(robot, "link")?;
    let joints = index(robot, "joint")?;
    let colors = colors(robot)?;
    let tree = Tree::of(&links, &joints)?;
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, joint) in &tree.order {
        too_many(&model, robot)?;
        let element = links[name.as_str()];
        let mut link = Link {
            name: name.clone(),
            parent: None,
            place: Pose::at([0.0; 3]),
            freedoms: Vec::new(),
            joint: None,
            mass: inertial(element, notes)?,
            is_point: false,
            lifted: 0.0,
            draw: Vec::new(),
            touch: Touch::default(),
        };
        shapes(&mut link, element, &colors, meshes, notes)?;
        if let Some(joint) = joint {
            let parent = end(joint, "parent", &links)?;
            link.parent = places.get(parent).copied();
            link.place = origin(joint)?;
            link.joint = joint.text("name").map(str::to_owned);
            link.freedoms = freedoms(joint, &mut model, notes)?;
        }
        places.insert(name, model.links.len());
        model.links.push(link);
    }
    for joint in joints.values() {
        mimic(joint, &mut model, notes)?;
    }
    for closure in robot.all("loop_joint") {
        loop_joint(closure, &mut model, notes)?;
    }
    notes.count(model.links.len(), "link", "links");
    notes.count(joints.len(), "joint", "joints");
    notes.count(model.followers.len(), "mimic", "mimics");
    Ok(model)
}

/// Elements of one tag by name.
fn index<'a>(robot: &'a Element, tag: &'a str) -> Result<BTreeMap<&'a str, &'a Element>, Fault> {
    let mut by_name = BTreeMap::new();
    for element in robot.all(tag) {
        let name = element.need("name")?;
        if by_name.insert(name, element).is_some() {
            let problem = format!("there are two of this name, \"{name}\"");
            return Err(element
                .fault(problem)
                .hint("names must be unique: change one"));
        }
    }
    Ok(by_name)
}

/// The links from the roots on, each with the joint to its parent.
struct Tree<'a> {
    order: Vec<(String, Option<&'a Element>)>,
}

impl<'a> Tree<'a> {
    fn of(
        links: &BTreeMap<&str, &'a Element>,
        joints: &BTreeMap<&str, &'a Element>,
    ) -> Result<Self, Fault> {
        let mut above: BTreeMap<&str, &'a Element> = BTreeMap::new();
        let mut below: BTreeMap<&str, Vec<(&str, &'a Element)>> = BTreeMap::new();
        for joint in joints.values() {
            let (parent, child) = (end(joint, "parent", links)?, end(joint, "child", links)?);
            if above.insert(child, joint).is_some() {
                let problem = format!("link \"{child}\" has two parents");
                return Err(joint.fault(problem).hint(
                    "a URDF is a tree; what closes a loop goes into a file NAME.closures.json \
                     beside it",
                ));
            }
            below.entry(parent).or_default().push((child, joint));
        }
        let roots = links.keys().filter(|name| !above.contains_key(*name));
        let mut open: VecDeque<(&str, Option<&'a Element>)> =
            roots.map(|name| (*name, None)).collect();
        let mut order = Vec::new();
        while let Some((name, joint)) = open.pop_front() {
            order.push((name.to_owned(), joint));
            for (child, joint) in below.get(name).into_iter().flatten() {
                open.push_back((child, Some(joint)));
            }
        }
        let reached: BTreeSet<&str> = order.iter().map(|(name, _)| name.as_str()).collect();
        if let Some((name, joint)) = above.iter().find(|(name, _)| !reached.contains(*name)) {
            let problem = format!("link \"{name}\" is its own ancestor");
            return Err(joint.fault(problem));
        }
        Ok(Self { order })
    }
}

/// The link at one end of a joint.
fn end<'a>(
    joint: &'a Element,
    which: &'a str,
    links: &BTreeMap<&str, &Element>,
) -> Result<&'a str, Fault> {
    let Some(element) = joint.child(which) else {
        return Err(joint.fault(format!("has no <{which}>")));
    };
    let name = element.need("link")?;
    if links.contains_key(name) {
        return Ok(name);
    }
    let fault = element.fault(format!("no link is called \"{name}\""));
    Err(fault.meant(name, links.keys().copied()))
}

/// The pose of `<origin>`: turned about the fixed axes x, y, z by roll, pitch and yaw.
fn origin(element: &Element) -> Result<Pose, Fault> {
    match element.child("origin") {
        Some(origin) => pose_of(origin),
        None => Ok(Pose::at([0.0; 3])),
    }
}

fn pose_of(origin: &Element) -> Result<Pose, Fault> {
    let position = origin.array::<3>("xyz")?.unwrap_or([0.0; 3]);
    let [roll, pitch, yaw] = origin.array::<3>("rpy")?.unwrap_or([0.0; 3]);
    let (x, y) = (quat_exp([roll, 0.0, 0.0]), quat_exp([0.0, pitch, 0.0]));
    Ok(Pose {
        position,
        rotation: quat_mul(quat_exp([0.0, 0.0, yaw]), quat_mul(y, x)),
    })
}

fn inertial(link: &Element, notes: &mut Notes) -> Result<Option<MassProperties>, Fault> {
    let Some(inertial) = link.child("inertial") else {
        return Ok(None);
    };
    let pose = origin(inertial)?;
    let mass = match inertial.child("mass") {
        Some(mass) => mass.number("value")?.unwrap_or(0.0),
        None => 0.0,
    };
    let mut inertia = [0.0; 6];
    if let Some(element) = inertial.child("inertia") {
        for (k, name) in ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"]
            .iter()
            .enumerate()
        {
            inertia[k] = element.number(name)?.unwrap_or(0.0);
        }
    }
    let mass = MassProperties {
        mass,
        com_body: pose.position,
        inertia_body: sym_rotate(&matrix(&pose), &inertia),
    };
    Ok(given(mass, link.need("name")?, notes))
}

/// The colors of named materials.
fn colors(robot: &Element) -> Result<BTreeMap<String, String>, Fault> {
    let mut colors = BTreeMap::new();
    for material in robot.all("material") {
        if let (Some(name), Some(own)) = (material.text("name"), color_of(material)?) {
            colors.insert(name.to_owned(), own);
        }
    }
    Ok(colors)
}

fn color_of(material: &Element) -> Result<Option<String>, Fault> {
    let Some(element) = material.child("color") else {
        return Ok(None);
    };
    Ok(element.numbers("rgba")?.and_then(|rgba| color(&rgba)))
}

/// What is drawn of a link: its visual shapes, or those for collisions where it has no others; and what collides.
fn shapes(
    link: &mut Link,
    element: &Element,
    colors: &BTreeMap<String, String>,
    meshes: &mut Meshes,
    notes: &mut Notes,
) -> Result<(), Fault> {
    let name = link.name.clone();
    let own = |tag: &'static str| {
        element
            .children
            .iter()
            .filter(move |child| child.tag == tag)
    };
    for visual in own("visual") {
        visual.skip("name");
        link.draw
            .extend(drawn(visual, &name, colors, meshes, notes)?);
    }
    let is_drawn = !link.draw.is_empty();
    for collision in own("collision") {
        collision.skip("name");
        link.touch
            .solids
            .extend(solids(collision, &name, meshes, notes)?);
        if !is_drawn {
            link.draw
                .extend(drawn(collision, &name, colors, meshes, notes)?);
        }
    }
    // All of them meet.
    link.touch.masks = [1, 1];
    Ok(())
}

/// A simple shape of a `<geometry>`; none for a mesh.
fn simple(shape: &Element) -> Result<Option<Shape>, Fault> {
    let round = |make: fn(f64, f64) -> Shape| {
        let numbers = (shape.number("radius")?, shape.number("length")?);
        Ok::<_, Fault>(match numbers {
            (Some(radius), Some(length)) => Some(make(radius, length)),
            _ => None,
        })
    };
    match shape.tag.as_str() {
        "box" => Ok(shape.array("size")?.map(Shape::Box)),
        "sphere" => Ok(shape.number("radius")?.map(Shape::Sphere)),
        "cylinder" => round(Shape::Cylinder),
        "capsule" => round(Shape::Capsule),
        _ => Ok(None),
    }
}

/// What collides of a `<collision>`: shapes, and convex hulls of meshes.
fn solids(
    element: &Element,
    link: &str,
    meshes: &mut Meshes,
    notes: &mut Notes,
) -> Result<Vec<PartEntry>, Fault> {
    element.see();
    let pose = origin(element)?;
    let mut solids = Vec::new();
    let Some(geometry) = element.child("geometry") else {
        return Ok(solids);
    };
    for shape in &geometry.children {
        if shape.tag == "mesh" {
            let by = shape.array("scale")?.unwrap_or([1.0; 3]);
            let surface = meshes.read(shape.need("filename")?);
            match surface.and_then(|own| hull(&own.scaled(by), &pose)) {
                Ok((part, is_reduced)) => {
                    if is_reduced {
                        let kind = "meshes that collide: hulls of 64 corners at the most";
                        notes.approximate(kind, link);
                    }
                    solids.push(part);
                }
                Err(why) => notes.refuse(&format!("does not collide: {why}"), link),
            }
        } else if let Some(shape) = simple(shape)? {
            solids.extend(shape.solids(&pose)?);
        }
    }
    Ok(solids)
}

/// Counts an element and everything in it as read: something was said about it already.
fn skip_all(element: &Element) {
    element.see();
    for name in [
        "name", "xyz", "rpy", "size", "radius", "length", "filename", "scale", "rgba",
    ] {
        element.skip(name);
    }
    element.children.iter().for_each(skip_all);
}

fn drawn(
    element: &Element,
    link: &str,
    colors: &BTreeMap<String, String>,
    meshes: &mut Meshes,
    notes: &mut Notes,
) -> Result<Vec<PartEntry>, Fault> {
    element.see();
    let pose = origin(element)?;
    let mut own_color = None;
    if let Some(material) = element.child("material") {
        let named = material.text("name").and_then(|name| colors.get(name));
        own_color = color_of(material)?.or(named.cloned());
    }
    let Some(geometry) = element.child("geometry") else {
        return Ok(Vec::new());
    };
    let mut parts = Vec::new();
    for shape in &geometry.children {
        if shape.tag == "mesh" {
            if !meshes.drawn {
                notes.refuse("<mesh>: meshes are not drawn (--meshes draws them)", link);
                skip_all(shape);
                continue;
            }
            let by = shape.array("scale")?.unwrap_or([1.0; 3]);
            match meshes.read(shape.need("filename")?) {
                Ok(surface) => {
                    let (surface, own) = (surface.scaled(by), own_color.as_deref());
                    parts.extend(meshes.draw(&surface, &pose, own, (link, notes))?);
                }
                Err(why) => notes.refuse(&format!("not drawn: {why}"), link),
            }
            continue;
        }
        if let Some(shape) = simple(shape)? {
            parts.extend(shape.parts(&pose, own_color.as_deref())?);
        }
    }
    Ok(parts)
}

/// The freedoms of a joint. The link's frame is the joint's.
fn freedoms(joint: &Element, model: &mut Model, notes: &mut Notes) -> Result<Vec<usize>, Fault> {
    let name = joint.need("name")?;
    let word = joint.need("type")?;
    let kinds: &[FreedomKind] = match word {
        "revolute" | "continuous" => &[FreedomKind::Hinge],
        "prismatic" => &[FreedomKind::Slide],
        "floating" => &[FreedomKind::Free],
        "planar" => &[FreedomKind::Slide, FreedomKind::Slide, FreedomKind::Hinge],
        "ball" | "spherical" => &[FreedomKind::Ball],
        "fixed" => &[],
        _ => {
            let problem = format!("has the type \"{word}\"");
            return Err(joint.fault(problem).hint(
                "types are revolute, continuous, prismatic, fixed, floating, planar, spherical",
            ));
        }
    };
    let axis = match joint.child("axis") {
        Some(axis) => axis.array::<3>("xyz")?.unwrap_or([1.0, 0.0, 0.0]),
        None => [1.0, 0.0, 0.0],
    };
    let needs_axis = kinds
        .iter()
        .any(|kind| matches!(kind, FreedomKind::Hinge | FreedomKind::Slide));
    let axis = match unit(axis) {
        Some(axis) => axis,
        None if needs_axis => return Err(joint.fault("has an axis of no length")),
        None => [1.0, 0.0, 0.0],
    };
    let (damping, friction) = dynamics(joint, notes)?;
    let mut limits = [f64::NEG_INFINITY, f64::INFINITY];
    if let Some(limit) = joint.child("limit") {
        let lower = limit.number("lower")?.unwrap_or(0.0);
        let upper = limit.number("upper")?.unwrap_or(0.0);
        match word {
            "revolute" | "prismatic" if lower <= upper => limits = [lower, upper],
            "revolute" | "prismatic" => {
                notes.refuse("limits of joints, lower above upper", name);
            }
            _ => {}
        }
        ["effort", "velocity"]
            .iter()
            .for_each(|own| limit.skip(own));
        if !kinds.is_empty() && (limit.has("effort") || limit.has("velocity")) {
            notes.refuse("effort and velocity of limits: a URDF has no motors", name);
        }
    }
    let frame = matrix(&frame_along([0.0; 3], axis));
    let column = |k: usize| [frame[0][k], frame[1][k], frame[2][k]];
    let mut freedoms = Vec::new();
    for (k, &kind) in kinds.iter().enumerate() {
        let mut freedom = Freedom::new(
            match k {
                0 => name.to_owned(),
                _ => format!("{name} {}", k + 1),
            },
            kind,
        );
        // A plane's axis is its normal: slides across it, then the turn about it.
        freedom.axis = match (word, k) {
            ("planar", 0) => column(1),
            ("planar", 1) => column(2),
            _ => axis,
        };
        freedom.damping = damping;
        freedom.friction = friction;
        if kinds.len() == 1 {
            freedom.limits = limits;
        }
        freedoms.push(model.freedoms.len());
        model.freedoms.push(freedom);
    }
    Ok(freedoms)
}

/// Damping and dry friction.
fn dynamics(joint: &Element, notes: &mut Notes) -> Result<(f64, f64), Fault> {
    let Some(dynamics) = joint.child("dynamics") else {
        return Ok((0.0, 0.0));
    };
    let damping = dynamics.number("damping")?.unwrap_or(0.0);
    let friction = dynamics.number("friction")?.unwrap_or(0.0);
    let name = joint.need("name")?;
    if friction < 0.0 {
        notes.refuse("dry friction of joints that is negative", name);
    }
    if damping < 0.0 {
        notes.refuse("damping of joints that is negative", name);
    }
    Ok((damping.max(0.0), friction.max(0.0)))
}

/// `<mimic>`: the joint's coordinate is `multiplier·x + offset` of another's.
fn mimic(joint: &Element, model: &mut Model, notes: &mut Notes) -> Result<(), Fault> {
    let Some(mimic) = joint.child("mimic") else {
        return Ok(());
    };
    let name = joint.need("name")?;
    let other = mimic.need("joint")?;
    let multiplier = mimic.number("multiplier")?.unwrap_or(1.0);
    let offset = mimic.number("offset")?.unwrap_or(0.0);
    let Some(following) = model.freedom(name) else {
        notes.refuse("<mimic> of a joint that is fixed", name);
        return Ok(());
    };
    let Some(leading) = model.freedom(other) else {
        let kind = format!("<mimic> of \"{other}\", which is not a joint that moves");
        notes.refuse(&kind, name);
        return Ok(());
    };
    // A joint that leads itself, however far around, would be held where it is.
    let mut way = Some(leading);
    while let Some(at) = way.filter(|at| *at != following) {
        let own = model.followers.iter().find(|own| own.following == at);
        way = own.and_then(|own| own.leading);
    }
    if way.is_some() {
        let kind = match leading == following {
            true => "<mimic> of itself",
            false => "<mimic> that closes a circle",
        };
        notes.refuse(kind, format!("{name} mimics {other}"));
        return Ok(());
    }
    model.followers.push(Follower {
        name: format!("{name} mimics {other}"),
        leading: Some(leading),
        following,
        coefficients: vec![offset, multiplier],
        enabled: true,
    });
    Ok(())
}

/// `<loop_joint>`, as some simulators write it: two links with a frame on each.
fn loop_joint(element: &Element, model: &mut Model, notes: &mut Notes) -> Result<(), Fault> {
    let name = element.need("name")?;
    let word = element.need("type")?;
    let kind = match word {
        "ball" | "spherical" => ClosureKind::Ball,
        "continuous" | "revolute" | "hinge" => ClosureKind::Hinge,
        "fixed" | "weld" => ClosureKind::Weld,
        _ => {
            notes.refuse(&format!("<loop_joint> of type {word}"), name);
            return Ok(());
        }
    };
    let axis = match element.child("axis") {
        Some(axis) => axis.array::<3>("xyz")?.and_then(unit),
        None => None,
    };
    let along = frame_along([0.0; 3], axis.unwrap_or([1.0, 0.0, 0.0]));
    let side = |tag: &str| -> Result<Spot, Fault> {
        let Some(end) = element.child(tag) else {
            return Err(element.fault(format!("has no <{tag}>")));
        };
        let link = end.need("link")?;
        let Some(link) = model.link(link) else {
            return Err(end.fault(format!("no link is called \"{link}\"")));
        };
        let pose = pose_of(end)?;
        let turned = kind == ClosureKind::Hinge;
        Ok((Some(link), if turned { then(&pose, &along) } else { pose }))
    };
    let sides = [side("link1")?, side("link2")?];
    notes.read("<loop_joint>", name);
    model.closures.push(Closure {
        name: name.to_owned(),
        kind,
        sides,
        enabled: true,
    });
    Ok(())
}
