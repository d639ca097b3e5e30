//! From JSON Schema to TypeScript, as far as the schemas of our types go; what goes further is an error.
//!
//! | schema                                          | TypeScript             |
//! |-------------------------------------------------|------------------------|
//! | an object                                       | an interface           |
//! | strings, each with its meaning                  | a union of literals    |
//! | objects with a tag, or with one name each       | a discriminated union  |
//! | an object whose `type` says which fields it has | a discriminated union  |
//! | all of several                                  | an intersection        |
//! | a list of fixed length                          | a tuple                |
//!
//! A property that may be missing is never `null`: for the engine both mean the same.

use serde_json::{Map, Value};

type Object = Map<String, Value>;

/// Of entries whose type says which fields they have.
const OF: &str = "
/** An entry of one type: it must have the fields it needs, and may have those that it takes. */
type Of<Type, Fields, Takes extends keyof Fields, Needs extends keyof Fields = never> = { type: Type } & Pick<
  Fields,
  Takes
> &
  Required<Pick<Fields, Needs>>;
";

/// All types under their names, in the order of the map.
pub(super) fn declarations(types: &Object) -> Result<String, String> {
    let mut out = String::new();
    if types.values().any(|schema| !cases(schema).is_empty()) {
        out += OF;
    }
    for (name, schema) in types {
        let declared = declaration(name, schema);
        out += &declared.map_err(|problem| format!("{name}: {problem}"))?;
    }
    Ok(out)
}

fn declaration(name: &str, schema: &Value) -> Result<String, String> {
    let comment = comment(schema, "");
    let cases = cases(schema);
    if !cases.is_empty() {
        return by_type(name, schema, &cases);
    }
    if let Some(variants) = variants(schema) {
        let mut out = format!("\n{comment}export type {name} =");
        for variant in variants {
            let meaning = self::comment(variant, "  ");
            out += &format!("\n{meaning}  | {}", type_of(variant, "    ")?);
        }
        return Ok(out + ";\n");
    }
    if schema.get("properties").is_some() {
        let members = members(schema, "", |_| true)?;
        return Ok(format!("\n{comment}export interface {name} {members}\n"));
    }
    let own = type_of(schema, "")?;
    Ok(format!("\n{comment}export type {name} = {own};\n"))
}

/// The fields of all types as one interface, and the union of the types.
fn by_type(name: &str, schema: &Value, cases: &[Case<'_>]) -> Result<String, String> {
    let is_shared = |name: &&str| cases.iter().all(|case| case.takes.contains(name));
    let shared = cases
        .iter()
        .take(1)
        .flat_map(|case| case.takes.iter().copied());
    let shared = alternatives(shared.filter(is_shared));
    let (open, close) = match shared.as_str() {
        "never" => (String::new(), ""),
        _ => (format!(" Pick<{name}Fields, {shared}> & ("), "\n)"),
    };
    let fields = members(schema, "", |field| field != "type")?;
    let mut out = format!(
        "\n/** Every field that an entry of some type has. */\nexport interface {name}Fields {fields}\n\
         \n{}export type {name} ={open}",
        comment(schema, "")
    );
    for case in cases {
        let own = case.takes.iter().copied();
        let own = alternatives(own.filter(|name| !is_shared(name)));
        let needs = match case.needs.is_empty() {
            true => String::new(),
            false => format!(", {}", alternatives(case.needs.iter().copied())),
        };
        let meaning = comment(case.then, "  ");
        let kind = quoted(case.kind);
        out += &format!("\n{meaning}  | Of<{kind}, {name}Fields, {own}{needs}>");
    }
    Ok(format!("{out}{close};\n"))
}

/// A type of an entry: where a schema says "if the type is this, the fields are those".
struct Case<'a> {
    kind: &'a str,
    then: &'a Value,
    /// Fields that it may have; what every entry must have is among them.
    takes: Vec<&'a str>,
    /// Fields that it must have.
    needs: Vec<&'a str>,
}

fn cases(schema: &Value) -> Vec<Case<'_>> {
    let everybody = strings(list(schema, "required"));
    let mut out = Vec::new();
    for case in list(schema, "allOf") {
        let (Some(Value::String(kind)), Some(then)) =
            (case.pointer("/if/properties/type/const"), case.get("then"))
        else {
            continue;
        };
        let Some(Value::Array(names)) = then.pointer("/propertyNames/enum") else {
            continue;
        };
        let mut needs = strings(list(then, "required"));
        needs.retain(|name| !everybody.contains(name));
        let mut takes = strings(names);
        takes.extend(&everybody);
        takes.retain(|name| *name != "type" && !needs.contains(name));
        takes.sort_unstable();
        takes.dedup();
        out.push(Case {
            kind,
            then,
            takes,
            needs,
        });
    }
    out
}

fn strings(list: &[Value]) -> Vec<&str> {
    list.iter().filter_map(Value::as_str).collect()
}

fn alternatives<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(quoted).collect();
    match names.is_empty() {
        true => "never".to_owned(),
        false => names.join(" | "),
    }
}

fn variants(schema: &Value) -> Option<&Vec<Value>> {
    let all = schema.get("oneOf").or_else(|| schema.get("anyOf"))?;
    all.as_array()
}

/// A type as it stands inside another; lines that follow the first begin with `indent`.
fn type_of(schema: &Value, indent: &str) -> Result<String, String> {
    if let Some(path) = schema.get("$ref").and_then(Value::as_str) {
        let name = path.rsplit('/').next().unwrap_or_default();
        return Ok(name.to_owned());
    }
    if let Some(value) = schema.get("const") {
        return literal(value);
    }
    if let Some(Value::Array(values)) = schema.get("enum") {
        let values: Result<Vec<_>, _> = values.iter().map(literal).collect();
        return Ok(values?.join(" | "));
    }
    if let Some(variants) = variants(schema) {
        let types = variants.iter().map(|variant| type_of(variant, indent));
        return Ok(types.collect::<Result<Vec<_>, _>>()?.join(" | "));
    }
    if let parts @ [_, ..] = list(schema, "allOf") {
        let parts = parts.iter().map(|part| type_of(part, indent));
        return Ok(parts.collect::<Result<Vec<_>, _>>()?.join(" & "));
    }
    match schema.get("type") {
        Some(Value::String(word)) => of_word(word, schema, indent),
        Some(Value::Array(words)) => {
            // A number of a file may be a text over parameters; the page gets and gives numbers, and sets fields to
            // texts.
            let is_text = schema.get("pattern").is_some_and(|own| own == "^=");
            let words = words.iter().filter_map(Value::as_str);
            let words = words.filter(|word| !(is_text && *word == "string"));
            let types = words.map(|word| of_word(word, schema, indent));
            Ok(types.collect::<Result<Vec<_>, _>>()?.join(" | "))
        }
        _ => Err(format!("there is no TypeScript for the schema {schema}")),
    }
}

fn of_word(word: &str, schema: &Value, indent: &str) -> Result<String, String> {
    Ok(match word {
        "string" => "string".to_owned(),
        "number" | "integer" => "number".to_owned(),
        "boolean" => "boolean".to_owned(),
        "null" => "null".to_owned(),
        "array" => list_of(schema, indent)?,
        "object" if schema.get("properties").is_some() => members(schema, indent, |_| true)?,
        "object"
            if schema
                .get("additionalProperties")
                .is_some_and(Value::is_object) =>
        {
            let value = type_of(&schema["additionalProperties"], indent)?;
            format!("Record<string, {value}>")
        }
        _ => return Err(format!("there is no TypeScript for the schema {schema}")),
    })
}

fn list_of(schema: &Value, indent: &str) -> Result<String, String> {
    let items = schema.get("items").ok_or("a list does not say of what")?;
    let item = type_of(items, indent)?;
    let length = |key| schema.get(key).and_then(Value::as_u64);
    Ok(match (length("minItems"), length("maxItems")) {
        (Some(least), Some(most)) if least == most => {
            let items: Vec<_> = (0..most).map(|_| item.as_str()).collect();
            format!("[{}]", items.join(", "))
        }
        _ if item.contains(" | ") => format!("({item})[]"),
        _ => format!("{item}[]"),
    })
}

/// The properties of an object that pass `keeps`, in braces.
fn members(schema: &Value, indent: &str, keeps: impl Fn(&str) -> bool) -> Result<String, String> {
    let required = list(schema, "required");
    let empty = Object::new();
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut out = "{".to_owned();
    let inner = format!("{indent}  ");
    for (name, property) in properties.unwrap_or(&empty) {
        if !keeps(name) {
            continue;
        }
        let own = type_of(property, &inner)?;
        let is_required = required.iter().any(|own| own == name);
        let (mark, own) = match is_required {
            true => ("", own),
            false => ("?", own.trim_end_matches(" | null").to_owned()),
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = match name.chars().all(plain) {
            true => name.clone(),
            false => quoted(name),
        };
        let comment = comment(property, &inner);
        // A lone property without a word about it.
        if comment.is_empty() && properties.is_some_and(|all| all.len() == 1) {
            return Ok(format!("{{ {name}{mark}: {own} }}"));
        }
        out += &format!("\n{comment}{inner}{name}{mark}: {own};");
    }
    Ok(format!("{out}\n{indent}}}"))
}

/// The description of a schema as a comment with its line end; nothing if there is none.
fn comment(schema: &Value, indent: &str) -> String {
    let Some(text) = schema.get("description").and_then(Value::as_str) else {
        return String::new();
    };
    let text = without_links(text);
    let lines: Vec<&str> = text.lines().collect();
    match lines[..] {
        [line] => format!("{indent}/** {line} */\n"),
        _ => {
            let lines = lines.iter().map(|line| format!(" {line}"));
            let lines = lines.map(|line| format!("{indent} *{}\n", line.trim_end()));
            format!("{indent}/**\n{}{indent} */\n", lines.collect::<String>())
        }
    }
}

/// Links of rustdoc, such as `[Look](super::Look)`, as the words they show.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once("[`") {
        let Some((word, after)) = link.split_once("`]") else {
            break;
        };
        out += &format!("{before}`{word}`");
        rest = match after.strip_prefix('(').and_then(|to| to.split_once(')')) {
            Some((_, after)) => after,
            None => after,
        };
    }
    out + rest
}

fn list<'a>(schema: &'a Value, key: &str) -> &'a [Value] {
    let list = schema.get(key).and_then(Value::as_array);
    list.map_or(&[], Vec::as_slice)
}

fn literal(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(quoted(text)),
        Value::Number(_) | Value::Bool(_) | Value::Null => Ok(value.to_string()),
        _ => Err(format!("{value} is no literal")),
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What one type is declared as, without the empty line before it.
    fn declared(schema: &Value) -> String {
        declaration("Own", schema).unwrap().trim_start().to_owned()
    }

    #[test]
    fn an_object_is_an_interface_and_what_may_be_missing_is_never_null() {
        let schema = json!({
            "type": "object", "description": "What it is.",
            "properties": {
                "at": { "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3 },
                "color": { "type": ["string", "null"], "description": "See [`Color`](super::Color)." },
                "gone": { "type": ["number", "null"] },
                "$schema": { "type": "string" },
                "all": { "type": "array", "items": { "anyOf": [{ "$ref": "#/$defs/A" }, { "type": "null" }] } },
            },
            "required": ["at", "color", "all"],
        });
        let wanted = "/** What it is. */\nexport interface Own {\n  '$schema'?: string;\n  all: (A | null)[];\n  \
                      at: [number, number, number];\n  /** See `Color`. */\n  color: string | null;\n  \
                      gone?: number;\n}\n";
        assert_eq!(declared(&schema), wanted);
    }

    #[test]
    fn closed_sets_are_unions_of_literals_with_their_meanings() {
        let schema = json!({ "oneOf": [
            { "type": "string", "const": "rod", "description": "A bar\nalong x." },
            { "type": "string", "enum": ["box", "don't"] },
        ] });
        let wanted = "export type Own =\n  /**\n   * A bar\n   * along x.\n   */\n  | 'rod'\n  | 'box' | 'don\\'t';\n";
        assert_eq!(declared(&schema), wanted);
    }

    #[test]
    fn variants_with_a_tag_are_a_discriminated_union() {
        let schema = json!({ "oneOf": [
            { "type": "object", "properties": { "type": { "const": "sphere" }, "radius": { "type": "number" } },
              "required": ["type", "radius"] },
            { "type": "object", "properties": { "detach": { "type": "string" } }, "required": ["detach"] },
        ] });
        let wanted = "export type Own =\n  | {\n      radius: number;\n      type: 'sphere';\n    }\n  | { detach: \
                      string };\n";
        assert_eq!(declared(&schema), wanted);
    }

    #[test]
    fn a_type_that_says_which_fields_there_are_makes_a_union_too() {
        let case = |kind: &str, names: Value, needs: Value| {
            json!({ "if": { "properties": { "type": { "const": kind } } },
                "then": { "propertyNames": { "enum": names }, "required": needs } })
        };
        let schema = json!({
            "type": "object",
            "properties": { "name": { "type": "string" }, "radius": { "type": "number" },
                "color": { "type": "string" }, "type": { "$ref": "#/$defs/Kind" } },
            "required": ["name", "type"],
            "allOf": [
                case("plane", json!(["type"]), json!([])),
                case("sphere", json!(["type", "radius", "color"]), json!(["type", "radius"])),
            ],
        });
        let declared = declared(&schema);
        let union = "export type Own = Pick<OwnFields, 'name'> & (\n  | Of<'plane', OwnFields, never>\n  | \
                     Of<'sphere', OwnFields, 'color', 'radius'>\n);\n";
        assert!(declared.ends_with(union), "{declared}");
        assert!(!declared.contains("Kind"), "{declared}");
    }

    #[test]
    fn what_cannot_be_said_is_refused_by_name() {
        let types = json!({ "Odd": { "type": "array" } });
        let refused = declarations(types.as_object().unwrap()).unwrap_err();
        assert_eq!(refused, "Odd: a list does not say of what");
        let types = json!({ "Odder": { "not": {} } });
        assert!(
            declarations(types.as_object().unwrap())
                .unwrap_err()
                .starts_with("Odder: ")
        );
    }
}
