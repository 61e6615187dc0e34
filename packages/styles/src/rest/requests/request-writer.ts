// Writes a request message as an HTTP request: distributes its ProtoJSON over path, query and body.
import {
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import {
  CallError,
  isOneJsonValue,
  memoize,
  type Contract,
  type HttpBinding,
  type Operation,
  type PathVariable,
} from "@roundtrip/contract";
import { jsonMediaType } from "../../shared/call-headers.ts";
import { badField, badRequest } from "../../shared/proto-json/json-errors.ts";
import { rawBodyOf, requestHttpBody, withoutRawBody, type HttpBodyPlace, type RawBody } from "../raw-bodies.ts";
import { messageToJson } from "../../shared/proto-json/message-to-json.ts";
import { dotted, fieldsAlong, urlKindOf } from "./url-field.ts";

export interface WrittenRequest {
  /** Path and query, percent-encoded. */
  readonly url: string;
  /** JSON, or the bytes of an HttpBody; undefined without a body. */
  readonly body: string | Uint8Array | undefined;
  /** The media type of the body; undefined without one. */
  readonly type: string | undefined;
}

/** Writes a request. Throws a CallError INVALID_ARGUMENT or UNIMPLEMENTED with the field that the URL cannot carry. */
export type WriteRequest = (request: Message) => WrittenRequest;

/** The text of a ProtoJSON value other than an object. */
function textOf(value: JsonValue): string {
  if (typeof value === "string") return value;
  return Object.is(value, -0) ? "-0" : JSON.stringify(value);
}

/** The text of an unset path field: its default value. */
function absentText(field: DescField): string {
  if (field.enum !== undefined) return field.enum.values[0]?.name ?? "";
  switch (field.scalar) {
    case undefined:
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return "";
    case ScalarType.BOOL:
      return "false";
    default:
      return "0";
  }
}

// Left unencoded: commas keep field masks readable, and none of these is special in a path segment or query.
const plain = /^[\w.,~-]*$/;

function encoded(text: string): string {
  if (plain.test(text)) return text;
  try {
    return encodeURIComponent(text);
  } catch (thrown) {
    throw badRequest("the request has text that is no Unicode", { cause: thrown });
  }
}

/** Removes and returns a field of the request's JSON, so that it is not sent twice. */
function taker(fields: readonly DescField[]): (json: JsonObject) => JsonValue | undefined {
  const parents = fields.slice(0, -1).map((field) => field.jsonName);
  const name = fields.at(-1)?.jsonName ?? "";
  return (json) => {
    let owner: JsonObject | undefined = json;
    for (const parent of parents) owner = Object.hasOwn(owner, parent) ? (owner[parent] as JsonObject) : {};
    if (!Object.hasOwn(owner, name)) return undefined;
    const value = owner[name];
    // Cheaper than deleting it: JSON.stringify and the query omit undefined.
    (owner as Record<string, JsonValue | undefined>)[name] = undefined;
    return value;
  };
}

function variableWriter(
  { input }: Operation,
  { path }: HttpBinding,
  { fieldPath, start, end }: PathVariable,
): (json: JsonObject) => string {
  const fields = fieldsAlong(input, fieldPath) ?? [];
  const take = taker(fields);
  const name = dotted(fields);
  const last = fields.at(-1) as DescField;
  // What a path sets is set, so an unset value of a field with presence cannot be written.
  const absent = last.presence === Presence.IMPLICIT ? absentText(last) : undefined;
  const segments = path.segments.slice(start, end);
  const rest = segments.findIndex(({ kind }) => kind === "many");
  const fits = (parts: readonly string[]): boolean =>
    (rest === -1 ? parts.length === segments.length : parts.length >= segments.length - 1) &&
    segments.every((segment, index) => {
      if (segment.kind === "many") return true;
      const part = parts[rest === -1 || index < rest ? index : index + parts.length - segments.length];
      return segment.kind === "one" ? part !== "" : part === segment.text;
    });
  return (json) => {
    const value = take(json);
    const text = value === undefined ? absent : textOf(value);
    if (text === undefined) throw badField(name, "must be set: it is part of the path");
    if (segments.length === 1 && segments[0]?.kind === "one") {
      if (text === "") throw badField(name, "cannot be empty: it is part of the path");
      return encoded(text);
    }
    const parts = text.split("/");
    if (!fits(parts)) throw badField(name, `must be like the path ${path.source}`);
    return parts.map(encoded).join("/");
  };
}

function pathWriter(operation: Operation, binding: HttpBinding): (json: JsonObject) => string {
  const { segments, variables, verb } = binding.path;
  const pieces: (string | ((json: JsonObject) => string))[] = [];
  for (let at = 0; at < segments.length; at += 1) {
    const variable = variables.find(({ start }) => start === at);
    const segment = segments[at];
    if (variable !== undefined) {
      pieces.push("/", variableWriter(operation, binding, variable));
      at = variable.end - 1;
    } else if (segment?.kind === "literal") pieces.push(`/${encodeURI(segment.text)}`);
    // A wildcard without a field may be any text.
    else if (segment?.kind === "one") pieces.push("/-");
  }
  if (verb !== "") pieces.push(`:${verb}`);
  return (json) => {
    let url = "";
    for (const piece of pieces) url += typeof piece === "string" ? piece : piece(json);
    return url;
  };
}

/** The fields of a message with their names and forms in a query. */
const queryFieldsOf = memoize(({ fields }: DescMessage) =>
  fields.map((field) => ({ field, name: encoded(field.jsonName), kind: urlKindOf(field) })),
);

/** Appends `name=value` pairs for the remaining JSON of a message. */
function appendQuery(url: string, message: DescMessage, json: JsonObject, prefix: string): string {
  let longer = url;
  const append = (name: string, value: JsonValue): void => {
    longer += `${longer.includes("?") ? "&" : "?"}${name}=${encoded(textOf(value))}`;
  };
  for (const { field, name: own, kind } of queryFieldsOf(message)) {
    if (!Object.hasOwn(json, field.jsonName)) continue;
    const value = json[field.jsonName];
    const name = prefix + own;
    if (value === undefined) continue;
    switch (kind) {
      case "text":
        append(name, value);
        break;
      case "texts":
        for (const item of value as JsonValue[]) append(name, item);
        break;
      case "nested":
        longer = appendQuery(longer, field.message as DescMessage, value as JsonObject, `${name}.`);
        break;
      case "none":
        throw new CallError("UNIMPLEMENTED", `${prefix}${field.name}: cannot travel in a URL`);
    }
  }
  return longer;
}

function rawBodyIn(request: Message, place: HttpBodyPlace): RawBody {
  try {
    return rawBodyOf(request, place);
  } catch (cause) {
    throw badRequest((cause as Error).message, { cause });
  }
}

export function requestWriter({ registry }: Contract, operation: Operation, binding: HttpBinding): WriteRequest {
  const { input } = operation;
  const raw = requestHttpBody(operation, binding);
  const pathOf = pathWriter(operation, binding);
  const bodyField = input.fields.find((field) => field.name === binding.body);
  const takeBody = bodyField === undefined ? undefined : taker([bodyField]);
  const write = messageToJson(input, { registry });
  const isOneValue = isOneJsonValue(input);
  const isBodyAlone = isOneValue && binding.body === "*" && binding.path.variables.length === 0;
  const jsonOf = (request: Message): JsonObject => {
    try {
      const json = write(request);
      // Only a wrapper has no fields in JSON here; its value is sent like a field of that name.
      return isOneValue && !isBodyAlone ? { value: json } : (json as JsonObject);
    } catch (thrown) {
      throw badRequest(thrown instanceof Error ? thrown.message : "the request cannot be written", { cause: thrown });
    }
  };
  if (binding.body === "*" && raw === undefined) {
    return (request) => {
      const json = jsonOf(request);
      return { url: pathOf(json), body: JSON.stringify(json), type: jsonMediaType };
    };
  }
  if (raw !== undefined) {
    return (request) => {
      const { type, bytes } = rawBodyIn(request, raw);
      const json = jsonOf(withoutRawBody(request, raw));
      const url = appendQuery(pathOf(json), input, json, "");
      return { url, body: bytes, type: type === "" ? undefined : type };
    };
  }
  return (request) => {
    const json = jsonOf(request);
    const path = pathOf(json);
    const value = takeBody?.(json);
    return {
      url: appendQuery(path, input, json, ""),
      body: value === undefined ? undefined : JSON.stringify(value),
      type: value === undefined ? undefined : jsonMediaType,
    };
  };
}
