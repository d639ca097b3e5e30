//! A scene without the tree of its text: bodies and joints are read and built one by one.
//!
//! The tree and the document of a large scene are larger than its world. What they leave behind when they go is room in
//! between, which other things do not fit into, so that it is best if they are never there.

use std::borrow::Cow;

use super::node::{Key, Node, Parser, Tree};
use super::record::Record;
use super::{Beside, UPGRADES};
use crate::build;
use crate::fault::Fault;
use crate::format::{Document, VERSION};
use crate::parameter::has_texts;
use crate::scene::Scene;

/// The scene of a text, as [`super::load_beside`] has it; none where something is wrong, or where numbers are texts and
/// the scene keeps what it was written as.
pub(super) fn scene(text: &str, beside: Option<Beside<'_>>) -> Option<Scene> {
    let mut parser = Parser::new(text);
    let (mut rest, [bodies, joints]) = outline(&mut parser)?;
    if let Some(beside) = beside {
        crate::table::fill_in(&mut rest, beside).ok()?;
        crate::picture::fill_in(&mut rest, beside).ok()?;
    }
    let document = Document::read(&rest).ok()?;
    drop(rest);
    let mut other = parser.clone();
    let mut bodies = bodies.into_iter().map(|at| entry(&mut parser, at));
    let mut joints = joints.into_iter().map(|at| entry(&mut other, at));
    build::with(&document, &mut bodies, &mut joints).ok()
}

/// The lists that are left out of the outline.
const LISTS: [&str; 2] = ["bodies", "joints"];

/// A document without bodies and joints, and where each of them begins.
fn outline(parser: &mut Parser<'_>) -> Option<(Node, [Vec<u32>; 2])> {
    let mut fields: Vec<(Key, Node)> = Vec::new();
    let mut lists = [Vec::new(), Vec::new()];
    parser.skip_space();
    if !parser.take("{") {
        return None;
    }
    while parser.goes_on("}", fields.is_empty()).ok()? {
        if parser.peek()? != b'"' {
            return None;
        }
        let key = parser.key().ok()?;
        parser.skip_space();
        let is_new = fields.iter().all(|(own, _)| *own != key);
        if !is_new || *key == *"parameters" || !parser.take(":") {
            return None;
        }
        parser.skip_space();
        let list = LISTS.iter().position(|own| **own == *key);
        let value = match list.filter(|_| parser.take("[")) {
            Some(list) => {
                lists[list] = places(parser)?;
                Node::made(Tree::List(Box::default()))
            }
            None => parser.value(1).ok()?,
        };
        if *key != *"state" && has_texts(&value) {
            return None;
        }
        fields.push((key, value));
    }
    parser.skip_space();
    let rest = Node::made(Tree::Object(fields.into()));
    let newest = UPGRADES.len() as u32 + VERSION;
    let is_newest = rest.get("linkwork")?.tree == Tree::Number(newest.into());
    (parser.is_at_end() && is_newest).then_some((rest, lists))
}

/// Where the entries of a list begin, whose bracket was passed.
fn places(parser: &mut Parser<'_>) -> Option<Vec<u32>> {
    let mut places = Vec::new();
    while parser.goes_on("]", places.is_empty()).ok()? {
        places.push(parser.at as u32);
        if has_texts(&parser.value(2).ok()?) {
            return None;
        }
    }
    Some(places)
}

/// The entry that begins at a place.
fn entry<T: Record + Clone>(parser: &mut Parser<'_>, at: u32) -> Result<Cow<'static, T>, Fault> {
    parser.at = at as usize;
    T::read(&parser.value(2)?).map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    /// Both ways lead to the same scene, wherever the short one leads anywhere.
    #[test]
    fn scenes_are_the_same_as_of_the_whole_document() {
        let (mut n_read, mut n_left) = (0, 0);
        for known in library::list() {
            let Ok(Some(text)) = library::text(known.small) else {
                continue;
            };
            let whole = crate::build(&super::super::parse(text).unwrap()).unwrap();
            let Some(own) = scene(text, None) else {
                n_left += 1;
                assert!(text.contains("\"="), "{} is not read", known.name);
                continue;
            };
            n_read += 1;
            assert_eq!(own.world.state(), whole.world.state(), "{}", known.name);
            let saved = [&own, &whole].map(|scene| crate::save(scene).unwrap());
            assert_eq!(saved[0], saved[1], "{}", known.name);
        }
        assert!(n_read > 20 && n_left > 0, "{n_read} read, {n_left} left");
    }

    #[test]
    fn what_is_wrong_or_written_with_texts_is_left() {
        let body = r#"{ "name": "bob", "type": "particle", "mass": 1 }"#;
        let of = |inner: &str| scene(&format!("{{ \"linkwork\": 1, {inner} }}"), None);
        assert!(of(&format!("\"bodies\": [{body}]")).is_some());
        assert!(of(&format!("\"bodies\": [ {body} , ]")).is_none());
        assert!(of(&format!("\"bodies\": [{body}, {body}]")).is_none());
        assert!(of(&format!("\"bodies\": [{body}], \"bodies\": []")).is_none());
        assert!(of(&format!("\"bodies\": [{}]", body.replace('1', "\"=1\""))).is_none());
        assert!(of(&format!("\"parameters\": {{}}, \"bodies\": [{body}]")).is_none());
        assert!(of("\"bodies\": 1").is_none());
        assert!(scene("{ \"bodies\": [] }", None).is_none());
        assert!(scene("{ \"linkwork\": 1 } x", None).is_none());
    }
}
