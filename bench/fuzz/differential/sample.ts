// A call for every stack: an operation, its requests, and the reply of the handler, for any contract.
import * as fc from "fast-check";
import { type DescField, type Message, ScalarType, create } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import {
  CallError,
  type CanonicalCode,
  type Contract,
  type Metadata,
  type Operation,
  type PathSegment,
  canonicalCodes,
} from "@roundtrip/contract";
import { messageArbitrary } from "../arbitraries/message.ts";
import { metadataArbitrary } from "../arbitraries/metadata.ts";
import { ruleValues } from "../arbitraries/rule-values.ts";
import { scalarValue } from "../arbitraries/scalar-values.ts";

/** The nesting depth of recursive types. Every style supports it. */
const maxDepth = 3;

const text = scalarValue(ScalarType.STRING) as fc.Arbitrary<string>;
const part = text.filter((value) => value !== "" && !value.includes("/"));

/** Text that a variable of a path template accepts. */
function fittingText(segments: readonly PathSegment[]): fc.Arbitrary<string> {
  const [only] = segments;
  if (segments.length === 1 && only?.kind === "one") return text.filter((value) => value !== "");
  const parts = segments.map((segment): fc.Arbitrary<readonly string[]> => {
    if (segment.kind === "literal") return fc.constant([segment.text]);
    return segment.kind === "one" ? part.map((value) => [value]) : fc.array(part, { minLength: 1, maxLength: 3 });
  });
  return fc.tuple(...parts).map((all) => all.flat().join("/"));
}

function setAlong(message: ReflectMessage, [name, ...rest]: readonly string[], value: string): void {
  const field = message.fields.find((candidate) => candidate.name === name);
  if (field === undefined) return;
  if (rest.length === 0) {
    if (field.scalar === ScalarType.STRING) message.set(field, value);
    return;
  }
  const inner = message.get(field) as ReflectMessage;
  setAlong(inner, rest, value);
  message.set(field, inner);
}

/** Requests for an operation, which fit its path. */
function requestOf(operation: Operation, contract: Contract): fc.Arbitrary<Message> {
  const { input, output, readMask, bindings } = operation;
  const maskValues = readMask?.message === undefined ? undefined : maskOf(readMask, output.fields);
  const valuesOf = (field: DescField) => {
    if (field === readMask) return maskValues;
    return field.name === "update_mask" ? maskOf(field, output.fields) : ruleValues(field);
  };
  const messages = messageArbitrary(input, { registry: contract.registry, maxDepth, valuesOf });
  const { path } = bindings[0];
  if (path.variables.length === 0) return messages;
  const texts = path.variables.map(({ start, end }) => fittingText(path.segments.slice(start, end)));
  return fc.tuple(messages, fc.tuple(...texts)).map(([message, fitting]) => {
    // The drawn message stays unchanged, because shrinking uses it again.
    const copy = reflect(input, structuredClone(message));
    for (const [index, { fieldPath }] of path.variables.entries()) setAlong(copy, fieldPath, fitting[index] ?? "");
    return copy.message;
  });
}

function maskOf(readMask: DescField, fields: readonly DescField[]): fc.Arbitrary<unknown> {
  const { message } = readMask;
  if (message === undefined) throw new Error(`${readMask.name} is no message`);
  return fc
    .subarray(
      fields.map(({ name }) => name),
      { minLength: 1 },
    )
    .map((paths) => reflect(message, create(message, { paths })));
}

/** Applies a read mask as a service does: the answer has only the fields that it names. */
function masked({ readMask, input, output }: Operation, request: Message, answer: Message): Message {
  if (readMask === undefined) return answer;
  const reflected = reflect(input, request);
  if (!reflected.isSet(readMask)) return answer;
  const { paths } = (reflected.get(readMask) as ReflectMessage).message as FieldMask;
  const copy = reflect(output, structuredClone(answer));
  for (const field of output.fields) if (!paths.includes(field.name)) copy.clear(field);
  return copy.message;
}

export interface Reply {
  /** How many requests the handler reads before it replies, if there are as many. Without a stream of requests, it reads the only one. */
  readonly reads: number;
  /** One answer for an operation without a stream of answers, unless there is an error. */
  readonly answers: readonly Message[];
  /** Thrown after the answers. */
  readonly error: CallError | undefined;
  /** Sent with the answers, or with the error if there are none. */
  readonly metadata: Metadata;
}

export interface Sample {
  readonly operation: Operation;
  /** One request for an operation without a stream of requests. */
  readonly requests: readonly Message[];
  /** Sent with the requests. */
  readonly metadata: Metadata;
  readonly reply: Reply;
}

const codes = Object.keys(canonicalCodes) as CanonicalCode[];

const callError = fc
  .record({
    code: fc.constantFrom(...codes),
    message: text,
    reason: fc.constantFrom("", "OUT_OF_STOCK"),
    domain: fc.constantFrom("", "example.com"),
    metadata: fc.dictionary(fc.string({ maxLength: 5 }), text, { maxKeys: 2 }),
  })
  .map(({ code, message, ...details }) => new CallError(code, message, details));

/** Messages of one direction: one, or a few in a stream. */
function several(messages: fc.Arbitrary<Message>, streams: boolean): fc.Arbitrary<readonly Message[]> {
  return streams ? fc.array(messages, { maxLength: 4 }) : messages.map((message) => [message]);
}

const rareError = fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: callError });

function replyOf({ output, kind }: Operation, { registry }: Contract): fc.Arbitrary<Reply> {
  const message = messageArbitrary(output, { registry, maxDepth, valuesOf: () => undefined });
  const streams = kind === "server_streaming" || kind === "bidi_streaming";
  return fc
    .record({
      reads: fc.oneof(fc.constant(Infinity), fc.nat({ max: 3 })),
      answers: several(message, streams),
      error: rareError,
      metadata: metadataArbitrary,
    })
    .map((reply) => (reply.error === undefined || streams ? reply : { ...reply, answers: [] }));
}

function sampleOf(operation: Operation, contract: Contract): fc.Arbitrary<Sample> {
  const streams = operation.kind === "client_streaming" || operation.kind === "bidi_streaming";
  return fc
    .record({
      operation: fc.constant(operation),
      requests: several(requestOf(operation, contract), streams),
      metadata: metadataArbitrary,
      reply: replyOf(operation, contract),
    })
    .map((sample) => {
      const [request] = sample.requests;
      if (streams || request === undefined) return sample;
      const answers = sample.reply.answers.map((answer) => masked(operation, request, answer));
      return { ...sample, reply: { ...sample.reply, answers } };
    });
}

export function samplesOf(contract: Contract): fc.Arbitrary<Sample> {
  return fc.oneof(...contract.operations.map((operation) => sampleOf(operation, contract)));
}
