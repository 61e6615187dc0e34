// Reads a request message from an HTTP request: the body first, then the fields of the path and of the query.
import { isDeepStrictEqual } from "node:util";
import { create, type DescField, type DescMessage, type JsonValue, type Message } from "@bufbuild/protobuf";
import { FieldMaskSchema, isWrapperDesc } from "@bufbuild/protobuf/wkt";
import {
  CallError,
  isOneJsonValue,
  type Contract,
  type HttpBinding,
  type Operation,
  type PathVariable,
  isObject,
} from "@roundtrip/contract";
import { badField, badJson, badRequest, JsonError } from "../../shared/proto-json/json-errors.ts";
import { maxNesting, messageFromJson, valueFromJson } from "../../shared/proto-json/message-from-json.ts";
import { type Members, setCheck, setOwn } from "../../shared/local-values.ts";
import { lenient, strict, type Leniency } from "./leniency.ts";
import { gatewayParameter, goJsonOf, jsonPaths, type Place } from "./go-values.ts";
import { dotted, fieldsAlong, jsonOfText, jsonPath, mayHaveCommas, urlKindOf, type JsonOfText } from "./url-field.ts";

/**
 * Reads a request.
 * @param segments the path between its slashes, as received, without the verb
 * @param query what follows the question mark, as received; empty without one
 * @param body the parsed JSON; undefined without a body
 * @throws CallError INVALID_ARGUMENT that names the field
 */
export type ReadRequest = (segments: readonly string[], query: string, body: JsonValue | undefined) => Message;

const lenientAdvice = `to have it ignored: "Prefer: ${lenient}"`;

/** Gets a field outside lists and maps; undefined if it is unset. */
function getterOf(field: DescField): (message: Members) => unknown {
  const { localName, oneof } = field;
  if (oneof === undefined) {
    const isSet = setCheck(field);
    return (message) => (isSet(message) ? message[localName] : undefined);
  }
  return (message) => {
    const { case: chosen, value } = message[oneof.localName] as { readonly case?: string; readonly value?: unknown };
    return chosen === localName ? value : undefined;
  };
}

interface UrlPlace {
  /** In errors. */
  readonly name: string;
  readonly place: Place;
  /** The key in a map, for a field that is one. */
  readonly key?: string | undefined;
}

/** A field that a URL sets, perhaps inside of others. */
class UrlField {
  readonly name: string;
  readonly isList: boolean;
  readonly #isGo: boolean;
  readonly #splits: boolean;
  readonly #key: string;
  readonly #parents: readonly (readonly [field: DescField, get: (message: Members) => unknown])[];
  readonly #field: DescField;
  readonly #get: (message: Members) => unknown;
  readonly #jsonOf: JsonOfText;
  readonly #read: (json: JsonValue) => unknown;

  constructor(
    fields: readonly DescField[],
    { name, place, key = "" }: UrlPlace,
    { registry }: Contract,
    leniency: Leniency,
  ) {
    const field = fields.at(-1) as DescField;
    this.name = name;
    this.isList = field.fieldKind === "list";
    this.#splits = this.isList && !leniency.readsGoValues && !mayHaveCommas(field);
    this.#key = key;
    this.#isGo = leniency.readsGoValues;
    this.#parents = fields.slice(0, -1).map((parent) => [parent, getterOf(parent)]);
    this.#field = field;
    this.#get = getterOf(field);
    const jsonOf = leniency.readsGoValues ? goJsonOf(fields, place) : jsonOfText(field);
    const readsPaths = leniency.readsContractPaths && field.message?.typeName === FieldMaskSchema.typeName;
    this.#jsonOf = readsPaths ? (text) => jsonOf(jsonPaths(text)) : jsonOf;
    this.#read = valueFromJson(field, registry);
  }

  /** Sets a field of the path. The body may have the same value, but no other. */
  put(message: Members, text: string): void {
    const owner = this.#ownerIn(message);
    const value = this.#valueOf(text, this.name);
    const before = this.#get(owner);
    if (before === undefined) this.#set(owner, value);
    else if (!isDeepStrictEqual(before, value)) {
      throw badField(this.name, `is ${JSON.stringify(text)} in the path and something else in the body`);
    }
  }

  /** Sets a field of the query, or adds to its list or map. The items of a list may be joined by commas, except texts, which may have commas. */
  add(message: Members, text: string): void {
    if (!this.#splits || !text.includes(",")) this.#add(message, text);
    else for (const part of text.split(",")) this.#add(message, part);
  }

  #add(message: Members, text: string): void {
    const owner = this.#ownerIn(message);
    const { localName, fieldKind } = this.#field;
    const value = this.#valueOf(text, fieldKind === "list" ? this.#itemName(owner[localName] as object[]) : this.name);
    if (fieldKind === "list") (owner[localName] as unknown[]).push(value);
    else if (fieldKind === "map") setOwn(owner[localName] as object, this.#key, value);
    else this.#set(owner, value);
  }

  #valueOf(text: string, name: string): unknown {
    let cause: unknown;
    try {
      const json = this.#jsonOf(text);
      if (json !== undefined) return this.#read(json);
    } catch (thrown) {
      cause = thrown;
    }
    throw badField(name, `cannot be ${JSON.stringify(text)}`, { cause });
  }

  /** The next item of a list, in errors. */
  #itemName({ length }: readonly unknown[]): string {
    return this.#isGo ? this.name : `${this.name}[${length}]`;
  }

  #ownerIn(message: Members): Members {
    let owner = message;
    for (const [parent, get] of this.#parents) {
      let inner = get(owner);
      if (inner === undefined) this.#set(owner, (inner = create(parent.message as never)), parent);
      owner = inner as Members;
    }
    return owner;
  }

  #set(owner: Members, value: unknown, { localName, oneof }: DescField = this.#field): void {
    if (oneof === undefined) {
      owner[localName] = value;
      return;
    }
    const { case: other } = owner[oneof.localName] as { readonly case?: string };
    if (other !== undefined) throw badField(this.name, `${other} of the oneof ${oneof.name} is given already`);
    owner[oneof.localName] = { case: localName, value };
  }
}

/** Percent-decoded text. Throws INVALID_ARGUMENT for a broken encoding. */
function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch (thrown) {
    throw badRequest(`the URL has a broken percent-encoding: ${text}`, { cause: thrown });
  }
}

/** A variable over one segment is decoded. Over several segments, an encoded slash stays encoded (google/api/http.proto). */
export function textReader(
  binding: HttpBinding,
  { start, end }: PathVariable,
): (segments: readonly string[]) => string {
  const template = binding.path.segments;
  const rest = template.findIndex(({ kind }) => kind === "many");
  // Segments after ** are counted from the end of the path.
  const placeIn = (segments: readonly string[], at: number): number =>
    rest === -1 || at <= rest ? at : at + segments.length - template.length;
  if (end - start === 1 && rest !== start) return (segments) => decoded(segments[placeIn(segments, start)] ?? "");
  return (segments) =>
    segments
      .slice(placeIn(segments, start), placeIn(segments, end))
      .map((segment) => segment.split(/(%2f)/i).map((part) => (/^%2f$/i.test(part) ? part : decoded(part))))
      .map((parts) => parts.join(""))
      .join("/");
}

const maxKnownNames = 1_000;
const maxKnownNameLength = 200;

type ReadQuery = (message: Message, query: string) => void;

/** The field of a parameter, and in the dialect of grpc-gateway the key in its map. */
interface Parameter {
  readonly fields: readonly DescField[];
  readonly key?: string | undefined;
}

/** Finds the fields of parameters by name; undefined if there is none. Throws INVALID_ARGUMENT for a field that cannot be a parameter. */
type FindParameter = (name: string) => Parameter | undefined;

function parameterFinder({ input }: Operation, { readsGoValues }: Leniency): FindParameter {
  if (readsGoValues) return (name) => gatewayParameter(input, name);
  return (name) => {
    const fields = fieldsAlong(input, name.split("."));
    return fields === undefined ? undefined : { fields };
  };
}

function isNestedTooDeep(name: string): boolean {
  let levels = 0;
  for (let at = name.indexOf("."); at !== -1 && levels < maxNesting; at = name.indexOf(".", at + 1)) levels += 1;
  return levels >= maxNesting;
}

function noSuchParameter(input: DescMessage, name: string): CallError {
  const reason = "there is no such query parameter";
  const owner = name.slice(0, name.lastIndexOf(".") + 1);
  const known = (): readonly string[] => {
    const type = owner === "" ? input : fieldsAlong(input, owner.slice(0, -1).split("."))?.at(-1)?.message;
    return type?.fields.flatMap((field) => [`${owner}${field.jsonName}`, `${owner}${field.name}`]) ?? [];
  };
  return badField(name, reason, { cause: new JsonError(reason, "", { typed: name, known }) });
}

/** Compiles a reader of queries. Caches valid names only. */
function queryReader(contract: Contract, operation: Operation, binding: HttpBinding, leniency: Leniency): ReadQuery {
  const elsewhere = new Set(binding.path.variables.map((variable) => variable.fieldPath.join(".")));
  const { ignoresParameters, parameters, readsGoValues } = leniency;
  const known = new Map<string, UrlField>();
  const parameterOf = parameterFinder(operation, leniency);
  const find = (name: string): UrlField | undefined => {
    if (isNestedTooDeep(name)) throw badField(name, `there are more than ${maxNesting} messages inside each other`);
    const found = readsGoValues && binding.body === "*" ? undefined : parameterOf(name);
    const isInPath = found !== undefined && elsewhere.has(dotted(found.fields));
    const isInBody = found !== undefined && (binding.body === "*" || found.fields[0]?.name === binding.body);
    if (found === undefined || isInPath || isInBody) {
      const isKnown = found !== undefined && binding.body !== "*";
      if (ignoresParameters || (!isKnown && parameters.has(name))) return undefined;
      if (found === undefined) throw noSuchParameter(operation.input, name);
      throw badField(name, `belongs in the ${isInPath ? "path" : "body"}`);
    }
    const { fields, key } = found;
    const kind = urlKindOf(fields.at(-1) as DescField);
    if (!readsGoValues && kind !== "text" && kind !== "texts") throw badField(name, "cannot be a query parameter");
    const place: UrlPlace = { name: readsGoValues ? name : jsonPath(fields), place: "query", key };
    return new UrlField(fields, place, contract, leniency);
  };
  return (message, query) => {
    // As url.ParseQuery: https://go.dev/doc/go1.17#semicolons
    if (readsGoValues && query.includes(";")) throw badRequest("invalid semicolon separator in query");
    const given = new Set<string>();
    for (const pair of query.split("&")) {
      if (pair === "") continue;
      const mark = pair.indexOf("=");
      const name = mark === -1 ? pair : pair.slice(0, mark);
      const field = known.get(name) ?? find(textIn(name));
      if (field === undefined) continue;
      // Recursive messages have infinitely many names.
      if (known.size < maxKnownNames && name.length <= maxKnownNameLength) known.set(name, field);
      if (!field.isList && given.has(field.name)) throw badField(field.name, "given more than once");
      given.add(field.name);
      field.add(message, mark === -1 ? "" : textIn(pair.slice(mark + 1)));
    }
  };
}

function textIn(part: string): string {
  return decoded(part.replaceAll("+", " "));
}

function bodyReader(
  { registry }: Contract,
  { input }: Operation,
  { body: name, path }: HttpBinding,
  { ignoresUnknown }: Leniency,
): (body: JsonValue | undefined) => Message {
  if (name === "") return () => create(input);
  const read = messageFromJson(input, { registry, ignoreUnknownFields: ignoresUnknown });
  const jsonOf = wholeJson(input, name, path.variables.length > 0);
  return (body) => {
    if (body === undefined) return create(input);
    try {
      return read(jsonOf(body));
    } catch (thrown) {
      throw thrown instanceof CallError ? thrown : badJson(thrown, lenientAdvice);
    }
  };
}

/** The JSON of a message by its body: all of it, or one field. */
function wholeJson(input: DescMessage, name: string, isInPathToo: boolean): (body: JsonValue) => JsonValue {
  if (name !== "*") {
    const { jsonName } = input.fields.find((field) => field.name === name) ?? { jsonName: name };
    return (body) => ({ [jsonName]: body });
  }
  if (isOneJsonValue(input) && !isInPathToo) return (body) => body;
  return (body) => {
    if (!isObject(body)) throw badRequest("the body must be a JSON object");
    // A wrapper whose value is also in the path is an object here.
    return isWrapperDesc(input) ? (body["value"] ?? null) : body;
  };
}

export function requestReader(
  contract: Contract,
  operation: Operation,
  binding: HttpBinding,
  leniency: Leniency = strict,
): ReadRequest {
  const readBody = bodyReader(contract, operation, binding, leniency);
  const readQuery = queryReader(contract, operation, binding, leniency);
  const variables = binding.path.variables.map((variable) => {
    const fields = fieldsAlong(operation.input, variable.fieldPath) ?? [];
    const place: UrlPlace = { name: dotted(fields), place: "path" };
    return { textFrom: textReader(binding, variable), field: new UrlField(fields, place, contract, leniency) };
  });
  return (segments, query, body) => {
    const message = readBody(body);
    for (const { textFrom, field } of variables) field.put(message, textFrom(segments));
    if (query !== "") readQuery(message, query);
    return message;
  };
}
