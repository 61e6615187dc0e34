// A call for every stack: an operation, its requests, and the reply of the handler, for any contract.
import { ScalarType, type Message } from "@bufbuild/protobuf";
import {
  CallError,
  canonicalCodes,
  type CanonicalCode,
  type Contract,
  type Metadata,
  type Operation,
} from "@roundtrip/contract";
import * as fc from "fast-check";
import { messageArbitrary } from "../arbitraries/message.ts";
import { metadataArbitrary } from "../arbitraries/metadata.ts";
import { scalarValue } from "../arbitraries/scalar-values.ts";
import { masked, maxDepth, requestOf } from "./request-of.ts";

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

const text = scalarValue(ScalarType.STRING) as fc.Arbitrary<string>;
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
  return streams ? fc.array(messages, { maxLength: 4 }) : messages.map((one) => [one]);
}

const perhaps = fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: callError });

function replyOf({ output, kind }: Operation, { registry }: Contract): fc.Arbitrary<Reply> {
  const message = messageArbitrary(output, { registry, maxDepth, valuesOf: () => undefined });
  const streams = kind === "server_streaming" || kind === "bidi_streaming";
  return fc
    .record({
      reads: fc.oneof(fc.constant(Infinity), fc.nat({ max: 3 })),
      answers: several(message, streams),
      error: perhaps,
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
