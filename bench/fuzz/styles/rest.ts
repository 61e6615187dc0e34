// REST: values that google.api.http and JSON cannot carry, by https://github.com/googleapis/googleapis (google/api/http.proto).
import { equals, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import {
  answerHttpBody,
  answerOctets,
  opaqueMessages,
  queryFields,
  requestHttpBody,
  requestOctets,
  textMessages,
} from "@roundtrip/styles/fuzzing";
import {
  httpAnswerFaults,
  notFiniteInAnyJson,
  ownValues,
  type CallMessages,
  type FuzzedStyle,
  type KnownLimit,
} from "../fuzzed-style.ts";

function answerHasMore({ operation: { output, bindings }, reply }: CallMessages): boolean {
  const { responseBody } = bindings[0];
  if (responseBody === "") return false;
  const others = output.fields.filter(({ name }) => name !== responseBody);
  return reply.answers.some((answer) => others.some((field) => reflect(output, answer).isSet(field)));
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

/** Raw bytes lose extensions of google.api.HttpBody, boundaries of messages and a late error. */
function hasRawBody({ operation }: CallMessages): boolean {
  const [binding] = operation.bindings;
  return [requestHttpBody, answerHttpBody, requestOctets, answerOctets].some(
    (bodyOf) => bodyOf(operation, binding) !== undefined,
  );
}

/** A stream without requests uses the URL of an empty one. */
function hasEmptyPath({ operation: { bindings }, requests }: CallMessages): boolean {
  return requests.length === 0 && bindings[0].path.variables.length > 0;
}

function loses(message: ReflectMessage, isInUrl: (field: DescField) => boolean): boolean {
  for (const { field, value } of ownValues(message)) {
    if (!isInUrl(field)) continue;
    if (field.fieldKind === "map") return true;
    const inner = field.message;
    if (inner === undefined || textMessages.has(inner.typeName) || isWrapperDesc(inner)) continue;
    if (field.fieldKind === "list" || opaqueMessages.has(inner.typeName)) return true;
    const reflected = value as ReflectMessage;
    if (!inner.fields.some((innerField) => reflected.isSet(innerField)) || loses(reflected, () => true)) return true;
  }
  return false;
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

const knownLimits: readonly KnownLimit[] = [
  notFiniteInAnyJson,
  { reason: "a path cannot carry empty text", compared, appliesTo: hasEmptyPath },
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
    reason: "a body of raw bytes has no extensions, no boundaries of messages and no late error",
    compared,
    appliesTo: hasRawBody,
  },
  {
    reason: "an answer to HEAD has no body",
    compared,
    appliesTo: ({ operation: { bindings } }) => bindings[0].method === "HEAD",
  },
];

export const fuzzed: FuzzedStyle = { notation: "json", attacks: [], answerFaults: httpAnswerFaults, knownLimits };
