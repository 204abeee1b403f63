// What may stand at a place of a document, by its JSON schema; texts for completion and for hovering.

import { yaml } from "./codemirror.js";

const PARSER = yaml().language.parser;
/** Longest text, in characters, of which the place of the cursor is looked up. */
const LONGEST = 200_000;
const PLACEHOLDER = "zz";

const unquoted = (text) => text.trim().replace(/^(["'])(.*)\1$/s, "$2");

/** The keys of a mapping in the syntax tree with the texts of their scalar values. */
function membersOf(mapping, text) {
  const members = {};
  for (const pair of mapping?.getChildren("Pair") ?? []) {
    const key = pair.getChild("Key");
    if (!key) continue;
    const value = pair.lastChild;
    members[unquoted(text.slice(key.from, key.to))] = value === key ? "" : unquoted(text.slice(value.from, value.to));
  }
  return members;
}

const isMapping = (node) => node.name === "BlockMapping" || node.name === "FlowMapping";

/** The place of a position in a text: its path of keys and turns, the members around it, and whether it is at a key. */
export function placeAt(text, position) {
  const tree = PARSER.parse(text);
  const path = [];
  let key = null;
  let mapping = null;
  for (let node = tree.resolveInner(position, 1); node; node = node.parent) {
    if (node.name === "Pair") {
      const name = node.getChild("Key");
      if (!name) continue;
      const word = unquoted(text.slice(name.from, name.to));
      if (mapping === null && path.length === 0 && position <= name.to) key = word;
      else path.unshift(word);
    } else if (node.name === "Item") {
      let turn = 0;
      for (let before = node.prevSibling; before; before = before.prevSibling) turn += before.name === "Item";
      path.unshift(turn);
    } else if (isMapping(node) && mapping === null) mapping = node;
  }
  return { path, key, members: membersOf(mapping, text) };
}

/** The schemas that a schema stands for: its reference followed, its alternatives listed. */
function alternatives(root, schema) {
  if (!schema || typeof schema !== "object") return [];
  const { $ref: reference, anyOf, ...own } = schema;
  const further = [...(anyOf ?? []), ...(reference ? [root.$defs[reference.split("/").at(-1)]] : [])];
  return [own, ...further.flatMap((one) => alternatives(root, one))];
}

/** One step further in. */
function inner(schema, step) {
  if (typeof step === "number") return schema.prefixItems?.[step] ?? schema.items;
  return schema.properties?.[step] ?? schema.additionalProperties;
}

/** The schemas that hold at a path, the nearest description first. */
export function schemasAt(root, path) {
  let found = alternatives(root, root);
  for (const step of path) found = found.flatMap((one) => alternatives(root, inner(one, step)));
  return found;
}

/** The names that the rule for the mapping's own type allows; null where there is none. */
function allowedNames(schema, members) {
  const rule = schema.allOf?.find((one) => one.if?.properties?.type?.const === members.type);
  return rule?.then?.propertyNames?.enum ?? null;
}

/** The type of a value in words, with its default. */
function typeOf(root, schema) {
  const names = alternatives(root, schema).map((one) => (one.enum ? "choice" : one.type === "null" ? null : one.type));
  const words = [...new Set(names.filter(Boolean))].join(" or ");
  const hasDefault = schema.default !== null && ["string", "number", "boolean"].includes(typeof schema.default);
  return hasDefault ? `${words}, default ${schema.default}` : words;
}

function describe(root, schema) {
  return schema.description ?? alternatives(root, schema).find((one) => one.description)?.description ?? "";
}

function keysOf(root, schemas, members) {
  return schemas.flatMap((schema) => {
    const allowed = allowedNames(schema, members);
    return Object.entries(schema.properties ?? {})
      .filter(([name]) => !(name in members) && (allowed === null || allowed.includes(name)))
      .map(([name, declared]) => ({
        label: name,
        type: "property",
        apply: `${name}: `,
        detail: typeOf(root, declared),
        info: describe(root, declared),
        boost: schema.required?.includes(name) ? 1 : 0,
      }));
  });
}

function valuesOf(schemas) {
  return schemas.flatMap((schema) => {
    const words = schema.enum ?? schema.examples ?? (schema.type === "boolean" ? [true, false] : []);
    return words.map((word, turn) => ({
      label: String(word),
      type: "enum",
      info: schema.enumDescriptions?.[turn],
      apply: schema.type !== "boolean" && /^[\d.]+$/.test(String(word)) ? `"${word}"` : String(word),
    }));
  });
}

/** The ids of a document's transformations, as they stand in its text. */
function idsIn(text) {
  const found = text.matchAll(/(?:^|[\s{,])"?id"?:\s*("[^"]*"|'[^']*'|[^\s,}]+)/g);
  return [...new Set([...found].map((match) => unquoted(match[1])))].map((label) => ({ label, type: "variable" }));
}

/** A completion source of CodeMirror for documents of a schema that `schemaOf()` returns. */
export function completeBy(schemaOf) {
  return (context) => {
    const root = schemaOf();
    const { state, pos } = context;
    if (!root || state.doc.length > LONGEST) return null;
    const line = state.doc.lineAt(pos);
    const before = line.text.slice(0, pos - line.from);
    const word = before.match(/[\w-]*$/)[0];
    if (!word && !context.explicit && !/[{[,:-]\s?$/.test(before)) return null;
    const isOwnLine = /^[\s-]*$/.test(before.slice(0, before.length - word.length)) && !line.text.slice(pos - line.from).trim();
    const from = pos - word.length;
    const text = state.doc.toString();
    const filler = `${PLACEHOLDER}${isOwnLine ? ": 0" : ""}`;
    const place = placeAt(text.slice(0, from) + filler + text.slice(pos), from + 1);
    delete place.members[PLACEHOLDER];
    const schemas = schemasAt(root, place.path);
    const isList = place.path.at(-2) === "inputs";
    const options =
      place.key !== null ? keysOf(root, schemas, place.members) : isList ? idsIn(text) : valuesOf(schemas);
    const isQuoted = /["']/.test(text[from - 1] ?? "");
    const applied = isQuoted ? options.map((one) => ({ ...one, apply: one.label })) : options;
    return options.length > 0 ? { from, options: applied, validFor: /^[\w-]*$/ } : null;
  };
}

/** What a position's key or value means: its name, type and description; null where nothing is known. */
export function meaningAt(root, text, position) {
  if (!root || text.length > LONGEST) return null;
  const place = placeAt(text, position);
  if (place.key === null) {
    const word = unquoted(text.slice(0, position).match(/[^\s,:{}[\]]*$/)[0] + text.slice(position).match(/^[^\s,:{}[\]]*/)[0]);
    const schema = schemasAt(root, place.path).find((one) => one.enumDescriptions?.[one.enum.indexOf(word)]);
    return schema ? { name: word, type: "", text: schema.enumDescriptions[schema.enum.indexOf(word)] } : null;
  }
  const schema = schemasAt(root, place.path).map((one) => one.properties?.[place.key]).find(Boolean);
  return schema ? { name: place.key, type: typeOf(root, schema), text: describe(root, schema) } : null;
}
