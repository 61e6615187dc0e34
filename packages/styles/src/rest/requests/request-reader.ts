// Reads a request message from an HTTP request. Its ProtoJSON has members in path, query and body: this module joins them for protobuf-es.
import {
  create,
  equals,
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type Message,
} from "@bufbuild/protobuf";
import { FieldMaskSchema, isWrapperDesc } from "@bufbuild/protobuf/wkt";
import {
  isOneJsonValue,
  type Contract,
  type HttpBinding,
  type Operation,
  type PathVariable,
  isObject,
} from "@roundtrip/contract";
import { badField, badJson, badRequest } from "../../shared/proto-json/bad-request.ts";
import { messageFromJson } from "../../shared/proto-json/message-from-json.ts";
import { plainRequestReader } from "./plain-request.ts";
import { lenient, strict, type Leniency } from "./leniency.ts";
import { gatewayQueryReader, goTextOf, jsonPaths } from "./go-values.ts";
import { decoded, dotted, fieldsAlong, fromTextOf, isInteger, urlKindOf, type FromText } from "./url-field.ts";

/**
 * Reads a request.
 * @param segments the path between its slashes, as received, without the verb
 * @param query what follows the question mark, as received; empty without one
 * @param body the parsed JSON; undefined without a body
 * @throws CallError INVALID_ARGUMENT that names the field
 */
export type ReadRequest = (segments: readonly string[], query: string, body: JsonValue | undefined) => Message;

const lenientAdvice = `to have it ignored: "Prefer: ${lenient}"`;

/** The key of a field in JSON: its name in the contract or in ProtoJSON. */
function keyIn(json: JsonObject, field: DescField): string {
  return Object.hasOwn(json, field.name) ? field.name : field.jsonName;
}

function isMask({ message }: DescField): boolean {
  return message?.typeName === FieldMaskSchema.typeName;
}

/** A URL field that can be inserted into the request's JSON. */
class UrlField {
  readonly path: string;
  readonly #parents: readonly DescField[];
  readonly #field: DescField;
  readonly #isList: boolean;
  readonly #isInteger: boolean;
  readonly #fromText: FromText;

  constructor(fields: readonly DescField[], leniency: Leniency) {
    this.path = dotted(fields);
    this.#parents = fields.slice(0, -1);
    this.#field = fields.at(-1) as DescField;
    this.#isList = urlKindOf(this.#field) === "texts";
    this.#isInteger = isInteger(this.#field);
    const fromText = leniency.readsGoValues ? goTextOf(fields) : fromTextOf(this.#field);
    this.#fromText =
      leniency.readsContractPaths && isMask(this.#field) ? (text) => fromText(jsonPaths(text)) : fromText;
  }

  /** Sets a path field. The body may repeat it, but not with another value. */
  put(json: JsonObject, text: string): void {
    const owner = this.#ownerIn(json);
    const key = keyIn(owner, this.#field);
    // A value that the body omits or sets to null is that of the path.
    const said = Object.hasOwn(owner, key) ? (owner[key] ?? null) : null;
    const value = this.#valueOf(text);
    owner[key] = value;
    if (said === null || this.#isSame(said, value)) return;
    throw badField(this.path, `is ${JSON.stringify(text)} in the path and something else in the body`);
  }

  /** Adds a query value. Only lists may repeat. */
  add(json: JsonObject, text: string): void {
    const owner = this.#ownerIn(json);
    const key = keyIn(owner, this.#field);
    const value = this.#valueOf(text);
    if (!this.#isList) {
      if (Object.hasOwn(owner, key)) throw badField(this.path, "given more than once");
      owner[key] = value;
    } else if (Object.hasOwn(owner, key)) (owner[key] as JsonValue[]).push(value);
    else owner[key] = [value];
  }

  /** Whether both are the same value: the number 1 equals the text "1" as int32. */
  #isSame(said: JsonValue, value: JsonValue): boolean {
    if (said === value || (this.#isInteger && typeof said === "number" && String(said) === value)) return true;
    const { parent, jsonName } = this.#field;
    const readParent = messageFromJson(parent, {});
    const read = (one: JsonValue): Message => readParent({ [jsonName]: one });
    try {
      return equals(parent, read(said), read(value));
    } catch (thrown) {
      throw badJson(thrown);
    }
  }

  #valueOf(text: string): JsonValue {
    const value = this.#fromText(text);
    if (value === undefined) throw badField(this.path, `cannot be ${JSON.stringify(text)}`);
    return value;
  }

  #ownerIn(json: JsonObject): JsonObject {
    let owner = json;
    for (const parent of this.#parents) {
      const key = keyIn(owner, parent);
      const next = Object.hasOwn(owner, key) ? (owner[key] ?? undefined) : undefined;
      if (next !== undefined && !isObject(next)) throw badField(parent.name, "must be a JSON object");
      owner = next ?? (owner[key] = {});
    }
    return owner;
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

/** Finds query fields by name. Caches valid names only. */
function queryReader(
  { input }: Operation,
  binding: HttpBinding,
  leniency: Leniency,
): (json: JsonObject, query: string) => void {
  const elsewhere = new Set(binding.path.variables.map((variable) => variable.fieldPath.join(".")));
  const known = new Map<string, UrlField>();
  const find = (name: string): UrlField | undefined => {
    const fields = binding.body === "*" ? undefined : fieldsAlong(input, name.split("."));
    const last = fields?.at(-1);
    if (
      fields === undefined ||
      last === undefined ||
      fields[0]?.name === binding.body ||
      elsewhere.has(dotted(fields))
    ) {
      if (leniency.ignoresParameters || (fields === undefined && leniency.parameters.has(name))) return undefined;
      throw badField(name, "there is no such query parameter");
    }
    const kind = urlKindOf(last);
    if (kind !== "text" && kind !== "texts") throw badField(name, "cannot be a query parameter");
    const field = new UrlField(fields, leniency);
    // Recursive messages have infinitely many names.
    if (known.size < maxKnownNames && name.length <= maxKnownNameLength) known.set(name, field);
    return field;
  };
  return (json, query) => {
    for (const pair of query.split("&")) {
      if (pair === "") continue;
      const mark = pair.indexOf("=");
      const name = mark === -1 ? pair : pair.slice(0, mark);
      const field = known.get(name) ?? find(decoded(name));
      field?.add(json, mark === -1 ? "" : decoded(pair.slice(mark + 1).replaceAll("+", " ")));
    }
  };
}

function bodyReader({ input }: Operation, binding: HttpBinding): (body: JsonValue | undefined) => JsonObject {
  if (binding.body === "") return () => ({});
  if (binding.body === "*") {
    return (body) => {
      if (body === undefined) return {};
      if (!isObject(body)) throw badRequest("the body must be a JSON object");
      return body;
    };
  }
  const field = input.fields.find(({ name }) => name === binding.body);
  const name = field?.jsonName ?? binding.body;
  // Null means unset, also in a oneof, except for google.protobuf.Value.
  const nullIsValue = field?.message?.typeName === "google.protobuf.Value";
  return (body) => (body === undefined || (body === null && !nullIsValue) ? {} : { [name]: body });
}

type ReadOptions = Parameters<typeof messageFromJson>[1];

/** Reads an object of fields. For a wrapper, passes on only its value. */
function readerOfFields(input: DescMessage, options: ReadOptions): (json: JsonObject) => Message {
  const read: (json: JsonValue) => Message = messageFromJson(input, options);
  if (!isWrapperDesc(input)) return read;
  return (json) => read(json["value"] ?? null);
}

/** Reads a request whose JSON is not an object: it is the whole body. A missing body is an empty message. */
function bodyAlone(
  input: DescMessage,
  options: ReadOptions,
  readQuery: (json: JsonObject, query: string) => void,
): ReadRequest {
  const read: (json: JsonValue) => Message = messageFromJson(input, options);
  return (_segments, query, body) => {
    if (query !== "") readQuery({}, query);
    try {
      return body === undefined ? create(input) : read(body);
    } catch (thrown) {
      throw badJson(thrown, lenientAdvice);
    }
  };
}

/** Compiles the general reader, which reads every request through ProtoJSON. */
export function carefulRequestReader(
  { registry }: Contract,
  operation: Operation,
  binding: HttpBinding,
  leniency: Leniency = strict,
): ReadRequest {
  const { input } = operation;
  const readBody = bodyReader(operation, binding);
  const readQuery = queryReader(operation, binding, leniency);
  const readGatewayQuery = leniency.readsGoValues ? gatewayQueryReader(operation, binding, leniency) : undefined;
  const variables = binding.path.variables.map((variable) => ({
    textFrom: textReader(binding, variable),
    field: new UrlField(fieldsAlong(input, variable.fieldPath) ?? [], leniency),
  }));
  const options = { registry, ignoreUnknownFields: leniency.ignoresUnknown };
  const read = readerOfFields(input, options);
  if (binding.body === "*" && variables.length === 0 && isOneJsonValue(input))
    return bodyAlone(input, options, readQuery);
  return (segments, query, body) => {
    const json = readBody(body);
    for (const { textFrom, field } of variables) field.put(json, textFrom(segments));
    if (query !== "" && readGatewayQuery === undefined) readQuery(json, query);
    let message: Message;
    try {
      message = read(json);
    } catch (thrown) {
      throw badJson(thrown, lenientAdvice);
    }
    if (query !== "") readGatewayQuery?.(message, query);
    return message;
  };
}

export function requestReader(
  contract: Contract,
  operation: Operation,
  binding: HttpBinding,
  leniency: Leniency = strict,
): ReadRequest {
  const readPlain = plainRequestReader(operation, binding);
  const readCarefully = carefulRequestReader(contract, operation, binding, leniency);
  if (readPlain === undefined) return readCarefully;
  return (segments, query, body) => readPlain(segments, query) ?? readCarefully(segments, query, body);
}
