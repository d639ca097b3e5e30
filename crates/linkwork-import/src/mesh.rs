//! Mesh files: STL (binary and text) and OBJ, to be weighed and to be seen.
//!
//! A file is read once. It is looked for in one folder only, by its path as the model gives it and by ever
//! shorter ends of that, so that `package://robot/meshes/arm.stl` is found as `robot/meshes/arm.stl`,
//! `meshes/arm.stl` or `arm.stl`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use linkwork::body::{MassProperties, Pose, TriangleMesh};
use linkwork::collide::Triangles;
use linkwork::math::{Vec3, add, cross, dot, norm, scale, sub};
use linkwork_scene::Fault;
use linkwork_scene::format::PartEntry;
use serde_json::json;

use crate::entries::entry;
use crate::files::Source;
use crate::place::point;
use crate::report::Notes;
use crate::shapes::Shape;
use crate::xml::MAX_BYTES;

/// So many triangles are drawn of a robot; meshes beyond are drawn as boxes.
const MAX_DRAWN: usize = 200_000;

/// The surface in a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surface {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

/// How a mesh is weighed: the words of MJCF.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Weighing {
    /// Pyramids from the middle count by their size, whichever way their triangles face.
    Legacy,
    /// What a closed surface encloses.
    Exact,
    /// The surface itself; the density is per area.
    Shell,
}

/// The mesh files of a model.
#[derive(Debug, Default)]
pub(crate) struct Meshes {
    source: Source,
    /// Where they are.
    folder: Option<PathBuf>,
    /// Whether they are drawn; those that are weighed are read in any case.
    pub(crate) drawn: bool,
    n_drawn: usize,
    files: BTreeMap<PathBuf, Result<Rc<Surface>, String>>,
    /// What was looked for and is not there.
    pub(crate) missing: BTreeSet<String>,
}

impl Meshes {
    pub(crate) fn of(source: Source, folder: Option<&Path>, drawn: bool) -> Self {
        Self {
            source,
            folder: folder.map(Path::to_owned),
            drawn,
            ..Self::default()
        }
    }

    /// The surface in a file, or why there is none.
    pub(crate) fn read(&mut self, name: &str) -> Result<Rc<Surface>, String> {
        let path = self.find(name)?;
        if let Some(known) = self.files.get(&path) {
            return known.clone();
        }
        let surface = from_file(&self.source, &path).map(Rc::new);
        let surface = surface.map_err(|why| format!("mesh \"{name}\" {why}"));
        self.files.insert(path, surface.clone());
        surface
    }

    fn find(&mut self, name: &str) -> Result<PathBuf, String> {
        let Some(folder) = &self.folder else {
            return Err(format!("mesh \"{name}\" is in no folder that was given"));
        };
        let plain = name.split_once("://").map_or(name, |(_, path)| path);
        let parts: Vec<Component<'_>> = Path::new(plain)
            .components()
            .filter(|part| matches!(part, Component::Normal(_)))
            .collect();
        let ends = || (0..parts.len()).map(|first| parts[first..].iter().collect::<PathBuf>());
        if let Ok(inside) = self.source.folder(folder) {
            for end in ends() {
                if let Ok(path) = self.source.file(&folder.join(end))
                    && path.starts_with(&inside)
                    && self.source.is_file(&path)
                {
                    return Ok(path);
                }
            }
        }
        if let Some(path) = ends().find_map(|end| self.source.ending(&end)) {
            return Ok(path);
        }
        self.missing.insert(name.to_owned());
        Err(match self.source {
            Source::Disk(_) => format!("mesh \"{name}\" is not in {}", folder.display()),
            Source::Given(_) => format!("mesh \"{name}\" is not there"),
        })
    }

    /// What is drawn of a surface; a box where too much is drawn already.
    pub(crate) fn draw(
        &mut self,
        surface: &Surface,
        pose: &Pose,
        color: Option<&str>,
        (body, notes): (&str, &mut Notes),
    ) -> Result<Vec<PartEntry>, Fault> {
        if self.n_drawn + surface.triangles.len() > MAX_DRAWN {
            notes.approximate("meshes of too many triangles: drawn as boxes", body);
            let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
            for vertex in &surface.vertices {
                for k in 0..3 {
                    (low[k], high[k]) = (low[k].min(vertex[k]), high[k].max(vertex[k]));
                }
            }
            let middle = Pose {
                position: point(pose, scale(0.5, add(low, high))),
                ..*pose
            };
            let size = sub(high, low).map(|edge| edge.max(1e-6));
            return Shape::Box(size).parts(&middle, color);
        }
        self.n_drawn += surface.triangles.len();
        let mut part = json!({
            "type": "mesh",
            "vertices": surface.vertices,
            "triangles": surface.triangles,
            "position": pose.position,
            "quaternion": pose.rotation,
        });
        if let Some(color) = color {
            part["color"] = json!(color);
        }
        Ok(vec![entry(part)?])
    }
}

/// So many triangles of one mesh collide as they are; others as their hull.
const MAX_TOUCHED: usize = 20_000;

impl Surface {
    /// All of it as a part that collides as it is, hollows too; none if that is too much, or no surface.
    pub(crate) fn triangles(&self, pose: &Pose) -> Option<PartEntry> {
        let part = json!({
            "type": "mesh",
            "convex": false,
            "vertices": self.vertices,
            "triangles": self.triangles,
            "position": pose.position,
            "quaternion": pose.rotation,
        });
        let is_surface = self.triangles.len() <= MAX_TOUCHED
            && Triangles::new(&self.vertices, &self.triangles).is_ok();
        is_surface.then(|| entry(part).ok()).flatten()
    }

    /// From lists of numbers, as they may stand in a model.
    pub(crate) fn of(numbers: &[f64], triangles: &[f64]) -> Result<Self, String> {
        let vertices = numbers.chunks_exact(3).map(|p| [p[0], p[1], p[2]]);
        let corners = triangles.chunks_exact(3);
        let corners = corners.map(|t| [t[0] as u32, t[1] as u32, t[2] as u32]);
        Self {
            vertices: vertices.collect(),
            triangles: corners.collect(),
        }
        .checked()
    }

    /// Points of an ellipsoid about the origin: a hull of it, not a surface.
    pub(crate) fn ellipsoid(axes: Vec3) -> Self {
        let mut vertices = vec![[0.0, 0.0, axes[2]], [0.0, 0.0, -axes[2]]];
        for ring in 1..6 {
            let lean = std::f64::consts::PI * f64::from(ring) / 6.0;
            for k in 0..12 {
                let turn = std::f64::consts::TAU * f64::from(k) / 12.0;
                let across = libm::sin(lean);
                let way = [
                    across * libm::cos(turn),
                    across * libm::sin(turn),
                    libm::cos(lean),
                ];
                vertices.push([0, 1, 2].map(|k: usize| axes[k] * way[k]));
            }
        }
        Self {
            vertices,
            triangles: Vec::new(),
        }
    }

    /// Its corners.
    pub(crate) fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Scaled, and turned over where that mirrors it.
    pub(crate) fn scaled(&self, by: Vec3) -> Self {
        let mut own = self.clone();
        for vertex in &mut own.vertices {
            *vertex = [0, 1, 2].map(|k: usize| vertex[k] * by[k]);
        }
        if by[0] * by[1] * by[2] < 0.0 {
            own.triangles.iter_mut().for_each(|own| own.swap(1, 2));
        }
        own
    }

    /// Seen from a frame.
    pub(crate) fn seen_from(mut self, frame: &Pose) -> Self {
        let back = crate::place::back(frame);
        for vertex in &mut self.vertices {
            *vertex = point(&back, *vertex);
        }
        self
    }

    /// Leaves out triangles without area; says what is wrong.
    fn checked(mut self) -> Result<Self, String> {
        let n = self.vertices.len();
        if self.triangles.iter().flatten().any(|&i| i as usize >= n) {
            return Err("has triangles with corners that it does not have".to_owned());
        }
        if !self.vertices.as_flattened().iter().all(|x| x.is_finite()) {
            return Err("has numbers that are not finite".to_owned());
        }
        self.triangles
            .retain(|[i, j, k]| i != j && j != k && k != i);
        if self.triangles.is_empty() {
            return Err("has no triangles".to_owned());
        }
        Ok(self)
    }

    /// What it weighs, or why nothing.
    pub(crate) fn weigh(&self, how: Weighing, density: f64) -> Result<MassProperties, String> {
        if how == Weighing::Exact {
            let mesh = TriangleMesh {
                vertices: self.vertices.clone(),
                triangles: self.triangles.clone(),
                density,
            };
            return mesh.mass_properties().map_err(|error| error.to_string());
        }
        // Area and middle of the surface, then the middle of the pyramids from there, then their moments.
        let (_, middle, _) = self.sums([0.0; 3], true);
        let shell = how == Weighing::Shell;
        let (_, com, _) = self.sums(middle, shell);
        let (size, _, second) = self.sums(com, shell);
        if !(size > 0.0 && size.is_finite()) {
            return Err("encloses nothing".to_owned());
        }
        let [xx, yy, zz, xy, xz, yz] = second.map(|own| density * own);
        let mass = MassProperties {
            mass: density * size,
            com_body: com,
            inertia_body: [yy + zz, xx + zz, xx + yy, -xy, -xz, -yz],
        };
        mass.validate().map_err(|error| error.to_string())?;
        Ok(mass)
    }

    /// Size, middle and second moments about `apex`: of its triangles, or of the pyramids from there to them.
    ///
    /// With corners a, b, c from the apex and s = a + b + c: a triangle has ∫x = A·s/3 and
    /// ∫x·xᵀ = A·(s·sᵀ + a·aᵀ + b·bᵀ + c·cᵀ)/12, a pyramid V·s/4 and V·(…)/20.
    fn sums(&self, apex: Vec3, shell: bool) -> (f64, Vec3, [f64; 6]) {
        let (mut size, mut first, mut second) = (0.0, [0.0; 3], [0.0; 6]);
        let (middle, spread) = if shell { (3.0, 12.0) } else { (4.0, 20.0) };
        for corners in &self.triangles {
            let [a, b, c] = corners.map(|i| sub(self.vertices[i as usize], apex));
            let s = add(a, add(b, c));
            let own = match shell {
                true => 0.5 * norm(cross(sub(b, a), sub(c, a))),
                false => dot(a, cross(b, c)).abs() / 6.0,
            };
            size += own;
            first = add(first, scale(own / middle, s));
            let pairs = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
            for (entry, (p, q)) in second.iter_mut().zip(pairs) {
                let outer = s[p] * s[q] + a[p] * a[q] + b[p] * b[q] + c[p] * c[q];
                *entry += own / spread * outer;
            }
        }
        (size, add(apex, scale(1.0 / size, first)), second)
    }
}

fn from_file(source: &Source, path: &Path) -> Result<Surface, String> {
    let cannot = |error: std::io::Error| format!("cannot be read: {error}");
    if source.size(path).map_err(cannot)? > Some(MAX_BYTES as u64) {
        return Err(format!("is larger than {} MiB", MAX_BYTES >> 20));
    }
    let kind = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
    let kind = kind.as_ref().and_then(|own| own.to_str()).unwrap_or("");
    if !matches!(kind, "stl" | "obj") {
        return Err("is no STL or OBJ file".to_owned());
    }
    let bytes = source.read(path).map_err(cannot)?;
    match kind {
        "stl" => stl(&bytes),
        _ => obj(&String::from_utf8_lossy(&bytes)),
    }?
    .checked()
}

/// The triangles of an STL, whose corners are written once for each.
fn stl(bytes: &[u8]) -> Result<Surface, String> {
    let count = bytes.get(80..84).and_then(|own| own.try_into().ok());
    let n = count.map_or(0, u32::from_le_bytes) as usize;
    let mut corners = Vec::new();
    if bytes.len() >= 84 && bytes.len() - 84 == n.saturating_mul(50) {
        for triangle in bytes[84..].chunks_exact(50) {
            let number = |at: &[u8]| f64::from(f32::from_le_bytes([at[0], at[1], at[2], at[3]]));
            for p in triangle[12..48].chunks_exact(12) {
                corners.push([number(p), number(&p[4..]), number(&p[8..])]);
            }
        }
    } else if bytes.starts_with(b"solid") {
        for (i, line) in String::from_utf8_lossy(bytes).lines().enumerate() {
            if let Some(rest) = line.trim_start().strip_prefix("vertex") {
                corners.push(three(rest, i)?);
            }
        }
        if corners.len() % 3 != 0 {
            return Err("ends within a triangle".to_owned());
        }
    } else {
        let Some(room) = bytes.len().checked_sub(84) else {
            return Err("is shorter than the head of an STL file".to_owned());
        };
        return Err(match room / 50 == n {
            true => format!("has {} bytes behind its {n} triangles", room % 50),
            false => format!(
                "says that it has {n} triangles, and has room for {}",
                room / 50
            ),
        });
    }
    let mut known = BTreeMap::new();
    let mut surface = Surface::default();
    let mut places = Vec::with_capacity(corners.len());
    for corner in corners {
        // Zeros of both signs are one.
        let key = corner.map(|x: f64| (x + 0.0).to_bits());
        places.push(*known.entry(key).or_insert_with(|| {
            surface.vertices.push(corner);
            surface.vertices.len() as u32 - 1
        }));
    }
    surface.triangles = places.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
    Ok(surface)
}

/// Corners and faces of an OBJ; what has more than three corners is a fan.
fn obj(text: &str) -> Result<Surface, String> {
    let mut surface = Surface::default();
    for (i, line) in text.lines().enumerate() {
        if let Some(rest) = line.strip_prefix("v ") {
            surface.vertices.push(three(rest, i)?);
        } else if let Some(rest) = line.strip_prefix("f ") {
            let mut face = Vec::new();
            for word in rest.split_whitespace() {
                let number = word.split('/').next().unwrap_or(word);
                // From one on; from the last one on backward if negative.
                let at = match number.parse::<i64>() {
                    Ok(at) if at > 0 => Some(at - 1),
                    Ok(at) if at < 0 => Some(surface.vertices.len() as i64 + at),
                    _ => None,
                };
                let at = at.and_then(|at| u32::try_from(at).ok());
                face.push(
                    at.ok_or_else(|| format!("has \"{word}\" as a corner in line {}", i + 1))?,
                );
            }
            for k in 2..face.len() {
                surface.triangles.push([face[0], face[k - 1], face[k]]);
            }
        }
    }
    Ok(surface)
}

/// The first three numbers of a line.
fn three(text: &str, line: usize) -> Result<Vec3, String> {
    let mut words = text.split_whitespace();
    let mut next = || words.next().and_then(|word| word.parse::<f64>().ok());
    match (next(), next(), next()) {
        (Some(x), Some(y), Some(z)) => Ok([x, y, z]),
        _ => Err(format!("has no point in line {}", line + 1)),
    }
}
