//! XML as the importers see it: an owned tree that remembers what was read of it.
//!
//! Whatever nobody asked for is found afterwards by [`Element::unread`], so that nothing of a model
//! is dropped in silence. A file cannot make this run away: its size, its depth and the number of
//! its nodes are bounded, document types (and with them entities) are refused, and `<include>`
//! stays inside the model's folder.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use linkwork_scene::Fault;
use roxmltree::{Document, Node, ParsingOptions};

use crate::files::Source;

/// Largest size of a model with everything it includes, bytes.
pub(crate) const MAX_BYTES: usize = 64 << 20;
/// Deepest nesting of elements, includes among them.
pub(crate) const MAX_DEPTH: usize = 256;
/// Elements, attributes and texts of one file.
const MAX_NODES: u32 = 4_000_000;

/// What to do with a xacro.
const XACRO: &str = "this is a xacro: expand it first (xacro robot.urdf.xacro > robot.urdf)";
/// Prefixes that nobody declared, in one file.
const MAX_PREFIXES: usize = 32;

/// An element.
#[derive(Debug)]
pub(crate) struct Element {
    /// Its tag, without a prefix.
    pub(crate) tag: String,
    /// The elements inside it.
    pub(crate) children: Vec<Element>,
    attributes: Vec<Attribute>,
    file: Rc<str>,
    place: (usize, usize),
    seen: Cell<bool>,
}

#[derive(Debug)]
struct Attribute {
    name: String,
    value: String,
    seen: Cell<bool>,
}

impl Element {
    /// The value of an attribute.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.see();
        let found = self.attributes.iter().find(|own| own.name == name)?;
        found.seen.set(true);
        Some(&found.value)
    }

    /// The value of an attribute; does not count as reading it.
    pub(crate) fn peek(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|own| own.name == name)?;
        Some(&found.value)
    }

    /// Whether it has the attribute; does not count as reading it.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.attributes.iter().any(|own| own.name == name)
    }

    /// The value of an attribute that must be there.
    pub(crate) fn need(&self, name: &str) -> Result<&str, Fault> {
        self.text(name)
            .ok_or_else(|| self.fault(format!("has no attribute \"{name}\"")))
    }

    /// The numbers of an attribute, all finite.
    pub(crate) fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>, Fault> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let mut numbers = Vec::new();
        for word in text.split_whitespace() {
            match word.parse::<f64>() {
                Ok(number) if number.is_finite() => numbers.push(number),
                _ => {
                    let problem = format!("attribute \"{name}\" has \"{word}\"");
                    let hint = match text.contains("${") || text.contains("$(") {
                        true => XACRO,
                        false => "give finite numbers and spaces",
                    };
                    return Err(self.fault(problem).hint(hint));
                }
            }
        }
        Ok(Some(numbers))
    }

    /// Exactly so many numbers.
    pub(crate) fn array<const N: usize>(&self, name: &str) -> Result<Option<[f64; N]>, Fault> {
        let Some(numbers) = self.numbers(name)? else {
            return Ok(None);
        };
        match <[f64; N]>::try_from(numbers.as_slice()) {
            Ok(numbers) => Ok(Some(numbers)),
            Err(_) => {
                let found = numbers.len();
                let problem = format!("attribute \"{name}\" has {found} numbers in place of {N}");
                Err(self.fault(problem))
            }
        }
    }

    /// One number.
    pub(crate) fn number(&self, name: &str) -> Result<Option<f64>, Fault> {
        Ok(self.array::<1>(name)?.map(|[number]| number))
    }

    /// The first child with this tag, counted as read.
    pub(crate) fn child(&self, tag: &str) -> Option<&Element> {
        let child = self.children.iter().find(|child| child.tag == tag)?;
        child.see();
        Some(child)
    }

    /// The children with this tag, counted as read.
    pub(crate) fn all<'a>(&'a self, tag: &'a str) -> impl Iterator<Item = &'a Element> {
        let children = self.children.iter().filter(move |child| child.tag == tag);
        children.inspect(|child| child.see())
    }

    /// Counts it as read.
    pub(crate) fn see(&self) {
        self.seen.set(true);
    }

    /// Counts an attribute as read: something was said about it already.
    pub(crate) fn skip(&self, name: &str) {
        let _ = self.text(name);
    }

    /// What to call it in a message: `<joint name="knee">`.
    pub(crate) fn title(&self) -> String {
        let name = self.attributes.iter().find(|own| own.name == "name");
        match name {
            Some(name) => format!("<{} name=\"{}\">", self.tag, name.value),
            None => format!("<{}>", self.tag),
        }
    }

    /// A fault here.
    pub(crate) fn fault(&self, problem: impl Into<String>) -> Fault {
        let mut fault = Fault::at(self.title(), problem);
        fault.file = (!self.file.is_empty()).then(|| self.file.to_string());
        fault.place = Some(self.place);
        fault
    }

    /// What was not read below this element: tags (with the names of those that have one) and
    /// attributes by tag.
    pub(crate) fn unread(&self, unread: &mut Unread) {
        for attribute in self.attributes.iter().filter(|own| !own.seen.get()) {
            let tag = unread.attributes.entry(self.tag.clone()).or_default();
            *tag.entry(attribute.name.clone()).or_default() += 1;
        }
        for child in &self.children {
            if child.seen.get() {
                child.unread(unread);
            } else {
                child.unread_in(&self.tag, unread);
            }
        }
    }

    /// An element that was not read itself: what it holds is, where it is a list.
    fn unread_in(&self, around: &str, unread: &mut Unread) {
        if self.attributes.is_empty() && !self.children.is_empty() {
            for child in &self.children {
                child.unread_in(&self.tag, unread);
            }
            return;
        }
        let key = format!("<{}> in <{around}>", self.tag);
        let names = unread.elements.entry(key).or_default();
        names.0 += 1;
        if let Some(name) = self.attributes.iter().find(|own| own.name == "name") {
            names.1.push(name.value.clone());
        }
    }
}

/// What nobody asked for.
#[derive(Debug, Default)]
pub(crate) struct Unread {
    /// How many elements of each tag and place, and the names of those that have one.
    pub(crate) elements: BTreeMap<String, (usize, Vec<String>)>,
    /// How often each attribute, by tag.
    pub(crate) attributes: BTreeMap<String, BTreeMap<String, usize>>,
}

/// Reads a file, if it is not too large.
pub(crate) fn read(source: &Source, path: &Path) -> Result<String, Fault> {
    let file = path.display().to_string();
    let fault = |problem: String| Fault::at("", problem).in_file(&file);
    let size = source.size(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => fault("no such file".to_owned()),
        _ => fault(format!("cannot be read: {error}")),
    })?;
    match size {
        None => return Err(fault("is not a file".to_owned())),
        Some(size) if size > MAX_BYTES as u64 => return Err(too_large().in_file(&file)),
        Some(_) => {}
    }
    let bytes = source.read(path);
    let bytes = bytes.map_err(|error| fault(format!("cannot be read: {error}")))?;
    String::from_utf8(bytes).map_err(|_| {
        fault("is not text in UTF-8".to_owned()).hint("give the XML file of a model, not a mesh")
    })
}

fn too_large() -> Fault {
    Fault::at("", format!("is larger than {} MiB", MAX_BYTES >> 20))
}

/// Parses a model and everything it includes.
pub(crate) fn parse(
    source: &Source,
    text: &str,
    file: &str,
    folder: Option<&Path>,
) -> Result<Element, Fault> {
    // A text alone has no file that others could include.
    let own = Some(Path::new(file)).filter(|_| !file.is_empty());
    let own = own.and_then(|own| source.file(own).ok());
    let mut reader = Reader {
        source,
        folder,
        open: own.into_iter().collect(),
        n_bytes: 0,
    };
    reader.parse(text, file, 0)
}

struct Reader<'a> {
    source: &'a Source,
    folder: Option<&'a Path>,
    /// The files that are being read, from the model inwards.
    open: Vec<PathBuf>,
    n_bytes: usize,
}

impl Reader<'_> {
    fn parse(&mut self, text: &str, file: &str, depth: usize) -> Result<Element, Fault> {
        let in_file = |fault: Fault| {
            if file.is_empty() {
                fault
            } else {
                fault.in_file(file)
            }
        };
        self.n_bytes += text.len();
        if self.n_bytes > MAX_BYTES {
            return Err(in_file(too_large()));
        }
        check_depth(text).map_err(in_file)?;
        let owned;
        let mut text = text;
        let mut document = Document::parse_with_options(text, options());
        if matches!(document, Err(roxmltree::Error::UnknownNamespace(..))) {
            owned = declared(text);
            text = &owned;
            document = Document::parse_with_options(text, options());
        }
        let document = document.map_err(|error| {
            let place = error.pos();
            let mut fault = Fault::at("", format!("is not well-formed XML: {error}"));
            fault.place = Some((place.row as usize, place.col as usize));
            in_file(if matches!(error, roxmltree::Error::DtdDetected) {
                fault.problem = "has a document type; entities are not expanded".to_owned();
                fault.hint("take the <!DOCTYPE …> out")
            } else {
                fault
            })
        })?;
        let lines = Lines::of(text);
        let file: Rc<str> = file.into();
        self.element(document.root_element(), &lines, &file, depth)
    }

    fn element(
        &mut self,
        node: Node<'_, '_>,
        lines: &Lines,
        file: &Rc<str>,
        depth: usize,
    ) -> Result<Element, Fault> {
        let attributes = node.attributes().map(|attribute| Attribute {
            name: attribute.name().to_owned(),
            value: attribute.value().to_owned(),
            seen: Cell::new(false),
        });
        let mut element = Element {
            tag: node.tag_name().name().to_owned(),
            children: Vec::new(),
            attributes: attributes.collect(),
            file: Rc::clone(file),
            place: lines.place(node.range().start),
            seen: Cell::new(false),
        };
        // A namespace says little; that of xacro says that this is no robot yet.
        if let Some(fault) = macro_fault(node, &element) {
            return Err(*fault);
        }
        if depth > MAX_DEPTH {
            let problem = format!("is nested more than {MAX_DEPTH} deep");
            return Err(element.fault(problem));
        }
        for child in node.children().filter(Node::is_element) {
            let child = self.element(child, lines, file, depth + 1)?;
            if child.tag == "include" && child.has("file") {
                element.children.extend(self.include(&child, depth + 1)?);
            } else {
                element.children.push(child);
            }
        }
        Ok(element)
    }

    /// What is inside the root of an included file.
    fn include(&mut self, include: &Element, depth: usize) -> Result<Vec<Element>, Fault> {
        let name = include.need("file")?;
        let path = self.inside(include, name)?;
        if let Some(at) = self.open.iter().position(|own| *own == path) {
            let circle = self.open[at..].iter().chain([&path]);
            let names = circle.filter_map(|own| own.file_name()?.to_str());
            let names: Vec<&str> = names.collect();
            let problem = format!("\"{name}\" includes itself: {}", names.join(" → "));
            return Err(include.fault(problem));
        }
        let text = read(self.source, &path).map_err(|fault| {
            let problem = format!("\"{name}\" {}", fault.problem);
            include.fault(problem)
        })?;
        let file = path.display().to_string();
        self.open.push(path);
        let root = self.parse(&text, &file, depth)?;
        self.open.pop();
        Ok(root.children)
    }

    /// The path of an included file, if it is in the model's folder or below.
    fn inside(&self, include: &Element, name: &str) -> Result<PathBuf, Fault> {
        let Some(folder) = self.folder else {
            let problem = format!("\"{name}\" cannot be included: this model has no folder");
            return Err(include.fault(problem).hint("import it from a file"));
        };
        let outside = || {
            let problem = format!("\"{name}\" is not in the model's folder");
            include
                .fault(problem)
                .hint("include files of the model's folder, without \"..\" or a leading \"/\"")
        };
        let name_path = Path::new(name);
        let plain = |part| !matches!(part, Component::Prefix(_) | Component::RootDir);
        if !name_path.components().all(plain) || name.contains('\\') {
            return Err(outside());
        }
        // Nobody learns what is or is not outside.
        let missing = |error| match name_path
            .components()
            .any(|part| part == Component::ParentDir)
        {
            true => outside(),
            false => include.fault(format!("\"{name}\" cannot be read: {error}")),
        };
        let source = self.source;
        let inside = source.folder(folder).map_err(missing)?;
        // In the model's folder first, then beside the file that includes it: the order of MuJoCo.
        let mut path = source.file(&folder.join(name_path));
        let beside = self.open.last().and_then(|own| own.parent());
        if let Some(beside) = beside
            && !matches!(&path, Ok(path) if path.starts_with(&inside))
        {
            let second = source.file(&beside.join(name_path));
            path = if second.is_ok() { second } else { path };
        }
        // Files that are given one by one have lost their folders.
        let loose = || source.ending(name_path.file_name()?.as_ref());
        let path = path
            .or_else(|error| loose().ok_or(error))
            .map_err(missing)?;
        if path.starts_with(inside) {
            Ok(path)
        } else {
            Err(outside())
        }
    }
}

/// What is wrong with an element of xacro; on the heap, because elements are deep in each other.
fn macro_fault(node: Node<'_, '_>, element: &Element) -> Option<Box<Fault>> {
    let namespace = node.tag_name().namespace()?;
    let fault = || Box::new(element.fault("is a macro").hint(XACRO));
    namespace.contains("xacro").then(fault)
}

fn options<'input>() -> ParsingOptions<'input> {
    ParsingOptions {
        allow_dtd: false,
        nodes_limit: MAX_NODES,
        ..ParsingOptions::default()
    }
}

/// The text with declarations of prefixes that it uses without one: a namespace is no reason to refuse a robot.
fn declared(text: &str) -> String {
    let mut declared = text.to_owned();
    for _ in 0..MAX_PREFIXES {
        let prefix = match Document::parse_with_options(&declared, options()) {
            Err(roxmltree::Error::UnknownNamespace(prefix, _)) => prefix,
            _ => break,
        };
        let Some(end) = root_name_end(&declared) else {
            break;
        };
        // On the line of the root, columns are off by this.
        declared.insert_str(end, &format!(" xmlns:{prefix}=\"{prefix}\""));
    }
    declared
}

/// Where the name of the root ends.
fn root_name_end(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text[at..].find('<')?;
        let rest = &text[at..];
        let skipped = match rest.as_bytes().get(1)? {
            b'!' if rest.starts_with("<!--") => rest.find("-->")?,
            b'!' | b'?' => rest.find('>')?,
            _ => return Some(at + rest.find([' ', '\t', '\r', '\n', '>', '/'])?),
        };
        at += skipped;
    }
}

/// Refuses deep nesting before a parser walks it: a cheap count of tags that open and close.
///
/// It may count what is inside comments and texts too, so it allows far more than [`MAX_DEPTH`].
fn check_depth(text: &str) -> Result<(), Fault> {
    const FAR_TOO_DEEP: usize = 4096;
    let bytes = text.as_bytes();
    let (mut depth, mut i) = (0_usize, 0);
    while let Some(next) = bytes[i..].iter().position(|&byte| byte == b'<') {
        let open = i + next;
        let rest = &bytes[open..];
        if rest.starts_with(b"<!--") {
            let end = text[open..].find("-->");
            i = end.map_or(bytes.len(), |end| open + end + 3);
            continue;
        }
        let length = rest.iter().position(|&byte| byte == b'>');
        let end = length.map_or(bytes.len(), |length| open + length + 1);
        match rest.get(1) {
            Some(b'/') => depth = depth.saturating_sub(1),
            Some(b'?' | b'!') | None => {}
            Some(_) if end >= 2 && bytes[end - 2] == b'/' => {}
            Some(_) => depth += 1,
        }
        if depth > FAR_TOO_DEEP {
            let problem = format!("is nested more than {MAX_DEPTH} deep");
            let mut fault = Fault::at("", problem);
            fault.place = Some(Lines::of(text).place(open));
            return Err(fault);
        }
        i = end;
    }
    Ok(())
}

/// Where each line starts.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        let starts = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = starts.map(|(i, _)| i + 1);
        Self(std::iter::once(0).chain(starts).collect())
    }

    /// Line and column of a byte, from one.
    fn place(&self, byte: usize) -> (usize, usize) {
        let line = self.0.partition_point(|&start| start <= byte);
        (line, byte - self.0[line - 1] + 1)
    }
}
