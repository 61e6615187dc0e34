// Losses when google.api.http makes one field of a message the whole body.
import { create, equals, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import type { CallMessages } from "../../basics/known-limits.ts";
import {
  answerHttpBody,
  headerText,
  httpBodyIn,
  requestHttpBody,
  type HttpBodyPlace,
  answerOctets,
  requestOctets,
} from "../raw-bodies.ts";

export function answerHasMore({ operation: { output, bindings }, reply }: CallMessages): boolean {
  const { responseBody } = bindings[0];
  if (responseBody === "") return false;
  const others = output.fields.filter(({ name }) => name !== responseBody);
  return reply.answers.some((answer) => others.some((field) => reflect(output, answer).isSet(field)));
}

/** Whether an answer to HEAD would have a body, which it cannot. */
export function headHasBody({ operation: { output, bindings }, reply }: CallMessages): boolean {
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
export function bodyIsNoValue({
  operation: { input, output, bindings, kind },
  requests,
  reply,
}: CallMessages): boolean {
  const [{ body, responseBody }] = bindings;
  const streams = kind === "client_streaming" || kind === "bidi_streaming";
  return lacksValue(output, responseBody, reply.answers) || (streams && lacksValue(input, body, requests));
}

/** Whether raw bytes with a content type do not carry these messages: extensions, an empty body of a field, or several messages. */
function rawLoses(place: HttpBodyPlace | undefined, messages: readonly Message[], isStream: boolean): boolean {
  if (place === undefined) return false;
  const bodies = messages.map((message) => httpBodyIn(message, place));
  const loses = bodies.some((body) => {
    if (body === undefined) return false;
    const { contentType, data } = body;
    const others = place.body.fields.filter(({ name }) => name !== "content_type" && name !== "data");
    const reflected = reflect(place.body, body);
    const isEmpty = contentType === "" && data.length === 0;
    return isEmpty || !headerText.test(contentType) || others.some((field) => reflected.isSet(field));
  });
  return loses || (isStream && (bodies.length !== 1 || bodies.some((body) => (body?.data.length ?? 0) === 0)));
}

export function rawBodyLoses({ operation, requests, reply }: CallMessages): boolean {
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
export function bytesAreJoined({ operation, requests, reply }: CallMessages): boolean {
  const [binding] = operation.bindings;
  const sent = requestOctets(operation, binding);
  if (sent !== undefined && !isOnePiece(sent, requests)) return true;
  const answered = answerOctets(operation, binding);
  if (answered === undefined) return false;
  return !isOnePiece(answered, reply.answers) || (reply.answers.length > 0 && reply.error !== undefined);
}
