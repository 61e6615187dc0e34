// Fills texts of an answer with parts of the call: `{{request.customer.name}}` and `{{headers.x-user}}`.
import { hasOwnJson, isObject, CallError, type Metadata } from "@roundtrip/contract";
import {
  toJson,
  type DescField,
  type DescMessage,
  type JsonValue,
  type Message,
  type Registry,
} from "@bufbuild/protobuf";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { knownField } from "./read-message.ts";

export interface TemplateCall {
  /** In ProtoJSON, with all fields that have a value. */
  readonly request: JsonValue;
  readonly metadata: Metadata;
}

/** Reads a part of a call; undefined if it is not set. */
type Part = (call: TemplateCall) => JsonValue | undefined;

/** Fills a value. Throws RESOURCE_EXHAUSTED for an answer above the size limit. */
export type Template<T> = (call: TemplateCall) => T;

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g;
/** A few placeholders for a large field would otherwise make an answer of any size. */
const maxFilledCharacters = 4 * 1024 * 1024;

/** The field with this name. Throws a FakeError about the text with the placeholder. */
function fieldOf(type: DescMessage, name: string, path: ValuePath): DescField {
  try {
    return knownField(type, name, path);
  } catch (thrown) {
    if (!(thrown instanceof FakeError)) throw thrown;
    throw new FakeError(thrown.code, thrown.what, { path, cause: thrown });
  }
}

/** The part of a request below steps such as `tags`, `0`; names are checked as far as the contract defines them. */
function requestPart(input: DescMessage, steps: readonly string[], path: ValuePath): Part {
  const read: string[] = [];
  let type: DescMessage | undefined = input;
  let above: DescField | undefined;
  for (const step of steps) {
    if (above !== undefined && (above.fieldKind === "list" || above.fieldKind === "map")) {
      // An element of a list or map.
      type = above.message;
      above = undefined;
      read.push(step);
    } else if (type === undefined || hasOwnJson(type)) {
      if (type === undefined) {
        throw new FakeError("unknown-field", `${read.join(".")} has no field "${step}"`, { path });
      }
      read.push(step);
    } else {
      above = fieldOf(type, step, path);
      type = above.message;
      read.push(above.jsonName);
    }
  }
  return ({ request }) => {
    let json: JsonValue | undefined = request;
    for (const step of read) {
      if (Array.isArray(json)) json = json[Number(step)];
      else json = isObject(json) && Object.hasOwn(json, step) ? json[step] : undefined;
    }
    return json;
  };
}

function partOf(expression: string, input: DescMessage, path: ValuePath): Part {
  const [, header] = /^headers\.([\w.-]+)$/.exec(expression) ?? [];
  if (header !== undefined) {
    const name = header.toLowerCase();
    return ({ metadata }) => metadata.get(name);
  }
  const [, fields] = /^request((?:\.[\w@/-]+|\[\d+\])*)$/.exec(expression) ?? [];
  if (fields === undefined) {
    const text = `unknown placeholder {{${expression}}} (valid: {{request.FIELD}} and {{headers.NAME}})`;
    throw new FakeError("unknown-field", text, { path });
  }
  return requestPart(input, fields.match(/[\w@/-]+/g) ?? [], path);
}

function textOf(json: JsonValue | undefined): string {
  if (json === undefined || json === null) return "";
  return typeof json === "string" ? json : JSON.stringify(json);
}

function limited(text: string): string {
  if (text.length <= maxFilledCharacters) return text;
  throw new CallError("RESOURCE_EXHAUSTED", "the template of the stub makes an answer that is too large");
}

/** Compiles a text. Throws a FakeError for unknown fields. */
export function textTemplate(text: string, input: DescMessage, path: ValuePath): Template<string> {
  const parts = [...text.matchAll(placeholder)].map(({ 0: whole, 1: expression = "", index }) => ({
    index,
    end: index + whole.length,
    read: partOf(expression, input, path),
  }));
  if (parts.length === 0) return () => text;
  return (call) => {
    let filled = "";
    let at = 0;
    for (const { index, end, read } of parts) {
      filled = limited(`${filled}${text.slice(at, index)}${textOf(read(call))}`);
      at = end;
    }
    return `${filled}${text.slice(at)}`;
  };
}

/** Compiles a value: a text that is only one placeholder becomes the part itself, such as a number or a message; null if that is not set. */
export function jsonTemplate(json: JsonValue, input: DescMessage, path: ValuePath): Template<JsonValue> {
  if (typeof json === "string") {
    const [whole, expression] = /^\{\{\s*([^{}]*?)\s*\}\}$/.exec(json) ?? [];
    if (whole === undefined || expression === undefined) return textTemplate(json, input, path);
    const read = partOf(expression, input, path);
    return (call) => read(call) ?? null;
  }
  if (Array.isArray(json)) {
    const fills = json.map((part, index) => jsonTemplate(part, input, [...path, index]));
    // An element that is not set is left out: ProtoJSON has no null in lists.
    return (call) => fills.map((fill) => fill(call)).filter((part) => part !== null);
  }
  if (!isObject(json)) return () => json;
  const members = Object.entries(json).map(([key, part]) => [key, jsonTemplate(part, input, [...path, key])] as const);
  return (call) => Object.fromEntries(members.map(([key, fill]) => [key, fill(call)]));
}

/** The call that templates are filled from. A request without a ProtoJSON form counts as empty. */
export function templateCall(
  type: DescMessage,
  request: Message,
  metadata: Metadata,
  registry: Registry,
): TemplateCall {
  try {
    return { request: toJson(type, request, { registry, alwaysEmitImplicit: true }), metadata };
  } catch {
    return { request: {}, metadata };
  }
}
