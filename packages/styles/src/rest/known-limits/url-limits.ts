// Values that google.api.http cannot write into a URL, by its specification: https://github.com/googleapis/googleapis (google/api/http.proto).
import { create, equals, toJson, type DescField, type Message } from "@bufbuild/protobuf";
import { isReflectMessage, reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { FeatureSet_FieldPresence as Presence, isWrapperDesc } from "@bufbuild/protobuf/wkt";
import type { PathVariable, PathSegment } from "@roundtrip/contract";
import type { CallMessages } from "../../basics/known-limits.ts";
import { ownValues } from "../../shared/values-in.ts";
import { opaqueMessages, queryFields, textMessages } from "../requests/url-field.ts";

function fits(parts: readonly string[], segments: readonly PathSegment[]): boolean {
  const takesRest = segments.at(-1)?.kind === "many";
  if (takesRest ? parts.length < segments.length : parts.length !== segments.length) return false;
  return parts.every((part, index) => {
    const segment = segments[Math.min(index, segments.length - 1)];
    return segment?.kind === "literal" ? segment.text === part : part !== "";
  });
}

/** The text of a path's value. Only its slashes, dots and emptiness matter. */
function textIn(message: ReflectMessage, field: DescField): string {
  const value: unknown = message.get(field);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (!isReflectMessage(value)) return String(value);
  const [inner] = value.desc.fields;
  if (inner === undefined || !isWrapperDesc(value.desc)) return toJson(value.desc, value.message) as string;
  return textIn(value, inner);
}

function refuses(
  message: ReflectMessage,
  [name, ...rest]: readonly string[],
  segments: readonly PathSegment[],
): boolean {
  const field = message.fields.find((candidate) => candidate.name === name);
  if (field === undefined) return false;
  if (rest.length > 0) return field.fieldKind === "message" && refuses(message.get(field), rest, segments);
  if (field.presence !== Presence.IMPLICIT && !message.isSet(field)) return true;
  const text = textIn(message, field);
  const [only] = segments;
  const isOne = segments.length === 1 && only?.kind === "one";
  return isOne ? text === "" : !fits(text.split("/"), segments);
}

export function pathRefuses({ operation: { input, bindings }, requests }: CallMessages): boolean {
  const { variables, segments } = bindings[0].path;
  // A stream without requests uses the URL of an empty one.
  const placed = requests.length === 0 ? [create(input)] : requests;
  return placed.some((request) =>
    variables.some(({ fieldPath, start, end }: PathVariable) =>
      refuses(reflect(input, request), fieldPath, segments.slice(start, end)),
    ),
  );
}

function loses(message: ReflectMessage, isInUrl: (field: DescField) => boolean): boolean {
  for (const { field, value } of ownValues(message)) {
    if (!isInUrl(field)) continue;
    if (field.fieldKind === "map") return true;
    const inner = field.message;
    if (inner === undefined || textMessages.has(inner.typeName) || isWrapperDesc(inner)) continue;
    if (field.fieldKind === "list" || opaqueMessages.has(inner.typeName)) return true;
    const reflected = value as ReflectMessage;
    if (!inner.fields.some((one) => reflected.isSet(one)) || loses(reflected, () => true)) return true;
  }
  return false;
}

/** Whether a message with a path variable is unset: reading the path sets it. */
export function pathImplies({ operation: { input, bindings }, requests }: CallMessages): boolean {
  return bindings[0].path.variables.some(({ fieldPath }) => {
    const parent = fieldPath.length > 1 ? input.fields.find(({ name }) => name === fieldPath[0]) : undefined;
    return parent !== undefined && requests.some((request) => !reflect(input, request).isSet(parent));
  });
}

export function queryLoses({ operation, requests }: CallMessages): boolean {
  const inQuery = new Set(queryFields(operation, operation.bindings[0]));
  return requests.some((request) => loses(reflect(operation.input, request), (field) => inQuery.has(field)));
}

export function needsSeveralUrls({ operation, requests }: CallMessages): boolean {
  const { input, bindings } = operation;
  const inUrl = new Set([
    ...queryFields(operation, operation.bindings[0]).map(({ name }) => name),
    ...bindings[0].path.variables.map(({ fieldPath }) => fieldPath[0]),
  ]);
  const urlPartOf = (request: Message): Message => {
    const copy = reflect(input, structuredClone(request));
    for (const field of input.fields) if (!inUrl.has(field.name)) copy.clear(field);
    return copy.message;
  };
  const [first, ...others] = requests.map(urlPartOf);
  return first !== undefined && others.some((other) => !equals(input, first, other));
}
