// REST: values that google.api.http and JSON cannot carry, by https://github.com/googleapis/googleapis (google/api/http.proto).
import { create, equals, toJson, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { isReflectMessage, reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { FeatureSet_FieldPresence as Presence, isWrapperDesc } from "@bufbuild/protobuf/wkt";
import type { PathSegment, PathVariable } from "@roundtrip/contract";
import {
  answerHttpBody,
  answerOctets,
  headerText,
  httpBodyIn,
  opaqueMessages,
  queryFields,
  requestHttpBody,
  requestOctets,
  textMessages,
  type HttpBodyPlace,
} from "@roundtrip/styles/fuzzing";
import {
  httpAnswerFaults,
  notFiniteInAnyJson,
  ownValues,
  type CallMessages,
  type FuzzedStyle,
  type KnownLimits,
} from "../fuzzed-style.ts";

function answerHasMore({ operation: { output, bindings }, reply }: CallMessages): boolean {
  const { responseBody } = bindings[0];
  if (responseBody === "") return false;
  const others = output.fields.filter(({ name }) => name !== responseBody);
  return reply.answers.some((answer) => others.some((field) => reflect(output, answer).isSet(field)));
}

/** Whether an answer to HEAD would have a body, which it cannot. */
function headHasBody({ operation: { output, bindings }, reply }: CallMessages): boolean {
  if (bindings[0].method !== "HEAD") return false;
  return reply.error !== undefined || reply.answers.some((answer) => !equals(output, answer, create(output)));
}

/** Whether the field is a `google.protobuf.Value` that is unset in one of the messages. */
function lacksValue(desc: DescMessage, fieldName: string, messages: readonly Message[]): boolean {
  const field = desc.fields.find(({ name }) => name === fieldName);
  if (field?.fieldKind !== "message" || field.message.typeName !== "google.protobuf.Value") return false;
  return messages.some((message) => !reflect(desc, message).isSet(field));
}

/** Whether a required body, in an answer or a line of a stream, stands for an unset value. */
function bodyIsNoValue({ operation: { input, output, bindings, kind }, requests, reply }: CallMessages): boolean {
  const [{ body, responseBody }] = bindings;
  const streams = kind === "client_streaming" || kind === "bidi_streaming";
  return lacksValue(output, responseBody, reply.answers) || (streams && lacksValue(input, body, requests));
}

/** Whether raw bytes with a content type do not carry these messages: extensions, an empty body of a field, or several messages. */
function rawLoses(place: HttpBodyPlace | undefined, messages: readonly Message[], isStream: boolean): boolean {
  if (place === undefined) return false;
  const bodies = messages.map((message) => httpBodyIn(message, place));
  const isLost = bodies.some((body) => {
    if (body === undefined) return false;
    const { contentType, data } = body;
    const others = place.body.fields.filter(({ name }) => name !== "content_type" && name !== "data");
    const reflected = reflect(place.body, body);
    const isEmpty = contentType === "" && data.length === 0;
    return isEmpty || !headerText.test(contentType) || others.some((field) => reflected.isSet(field));
  });
  return isLost || (isStream && (bodies.length !== 1 || bodies.some((body) => (body?.data.length ?? 0) === 0)));
}

function rawBodyLoses({ operation, requests, reply }: CallMessages): boolean {
  const [binding] = operation.bindings;
  const { kind } = operation;
  return (
    rawLoses(requestHttpBody(operation, binding), requests, kind === "client_streaming") ||
    rawLoses(answerHttpBody(operation, binding), reply.answers, kind === "server_streaming") ||
    (kind === "server_streaming" && answerHttpBody(operation, binding) !== undefined && reply.error !== undefined)
  );
}

/** Whether the messages have one piece of bytes. An empty stream sends nothing, and several pieces lose their boundaries. */
function isOnePiece(field: DescField, messages: readonly Message[]): boolean {
  return messages.length <= 1 && messages.every((message) => reflect(field.parent, message).isSet(field));
}

/** Whether a stream's body is raw bytes, which do not separate messages or a later error. */
function bytesAreJoined({ operation, requests, reply }: CallMessages): boolean {
  const [binding] = operation.bindings;
  const sent = requestOctets(operation, binding);
  if (sent !== undefined && !isOnePiece(sent, requests)) return true;
  const answered = answerOctets(operation, binding);
  if (answered === undefined) return false;
  return !isOnePiece(answered, reply.answers) || (reply.answers.length > 0 && reply.error !== undefined);
}

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

function refusesPath(
  message: ReflectMessage,
  [name, ...rest]: readonly string[],
  segments: readonly PathSegment[],
): boolean {
  const field = message.fields.find((candidate) => candidate.name === name);
  if (field === undefined) return false;
  if (rest.length > 0) return field.fieldKind === "message" && refusesPath(message.get(field), rest, segments);
  if (field.presence !== Presence.IMPLICIT && !message.isSet(field)) return true;
  const text = textIn(message, field);
  const [only] = segments;
  const isOne = segments.length === 1 && only?.kind === "one";
  return isOne ? text === "" : !fits(text.split("/"), segments);
}

function pathRefuses({ operation: { input, bindings }, requests }: CallMessages): boolean {
  const { variables, segments } = bindings[0].path;
  // A stream without requests uses the URL of an empty one.
  const placed = requests.length === 0 ? [create(input)] : requests;
  return placed.some((request) =>
    variables.some(({ fieldPath, start, end }: PathVariable) =>
      refusesPath(reflect(input, request), fieldPath, segments.slice(start, end)),
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
function pathImplies({ operation: { input, bindings }, requests }: CallMessages): boolean {
  return bindings[0].path.variables.some(({ fieldPath }) => {
    const parent = fieldPath.length > 1 ? input.fields.find(({ name }) => name === fieldPath[0]) : undefined;
    return parent !== undefined && requests.some((request) => !reflect(input, request).isSet(parent));
  });
}

function queryLoses({ operation, requests }: CallMessages): boolean {
  const inQuery = new Set(queryFields(operation, operation.bindings[0]));
  return requests.some((request) => loses(reflect(operation.input, request), (field) => inQuery.has(field)));
}

function needsSeveralUrls({ operation, requests }: CallMessages): boolean {
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

const compared = "nothing";

const knownLimits: KnownLimits = {
  calls: [
    notFiniteInAnyJson,
    {
      reason: "a path cannot carry empty text, or text that does not match its template",
      compared,
      appliesTo: pathRefuses,
    },
    { reason: "a path variable inside a message also sets the message", compared, appliesTo: pathImplies },
    {
      reason: "google.api.http cannot write maps, lists of messages and empty messages into a query",
      compared,
      appliesTo: queryLoses,
    },
    {
      reason: "the requests of a stream are the body of one HTTP request, which has one path",
      compared,
      appliesTo: needsSeveralUrls,
    },
    { reason: "in a body, JSON null also means an absent value", compared, appliesTo: bodyIsNoValue },
    { reason: "response_body sends one field of the answer only", compared, appliesTo: answerHasMore },
    {
      reason: "google.api.HttpBody is raw bytes with a content type: its extensions and its cut into messages are lost",
      compared,
      appliesTo: rawBodyLoses,
    },
    { reason: "an answer to HEAD has no body", compared, appliesTo: headHasBody },
    {
      reason: "a stream with a bytes body joins its messages: their boundaries and a late error are lost",
      compared,
      appliesTo: bytesAreJoined,
    },
  ],
  spellings: [],
};

export const fuzzed: FuzzedStyle = { attacks: [], answerFaults: httpAnswerFaults, knownLimits };
