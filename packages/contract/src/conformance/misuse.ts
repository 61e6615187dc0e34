// Misuse of a protocol: malformed bytes that a stack's `misuse.ts` sends, and the answers that the rules allow.
import type { Message } from "@bufbuild/protobuf";
import type { CanonicalCode } from "../canonical-code.ts";
import type { Contract, Operation } from "../contract.ts";

/** The protocols of the rules. A stack is judged by its protocol's column. */
export type Protocol = "grpc" | "rest" | "graphql";

/** The HTTP status of an answer and its canonical code; both undefined if the server closed the connection without an answer. */
export interface RawAnswer {
  readonly httpStatus: number | undefined;
  readonly code: CanonicalCode | "OK" | undefined;
}

const noAnswer: RawAnswer = { httpStatus: undefined, code: undefined };

function answer(httpStatus: number, code: RawAnswer["code"]): RawAnswer {
  return { httpStatus, code };
}

/** A misuse in words, and the allowed answers on each protocol; an empty list if the misuse does not exist on a protocol. */
export interface MisuseRule {
  readonly title: string;
  readonly answers: Readonly<Record<Protocol, readonly RawAnswer[]>>;
}

const answered = [answer(200, "OK")];
const unreadable = [answer(400, "INVALID_ARGUMENT")];
const grpcUnreadable = [answer(200, "INVALID_ARGUMENT")];
/** GraphQL over HTTP may report an error in one field with status 200, beside the answers of other fields. */
const graphqlUnreadable = [...unreadable, answer(200, "INVALID_ARGUMENT")];
/** The server's HTTP library answers before the style sees the request, or closes the connection if the sender continues. */
const tooLargeHeader = [noAnswer, answer(431, undefined), answer(431, "RESOURCE_EXHAUSTED")];
const brokenOff = [noAnswer, answer(400, undefined), ...unreadable];
const wrongMediaType = [answer(415, "INVALID_ARGUMENT")];

/** The rules. HTTP's own statuses (405, 406, 413, 415, 431) take precedence over the status of the canonical code. */
export const misuseRules = {
  unknownMethod: {
    title: "a method that is not in the contract",
    answers: { grpc: [answer(200, "UNIMPLEMENTED")], rest: [answer(404, "UNIMPLEMENTED")], graphql: unreadable },
  },
  wrongVerb: {
    title: "an HTTP verb that the method does not support",
    answers: { grpc: [], rest: [answer(405, "UNIMPLEMENTED")], graphql: [answer(405, "INVALID_ARGUMENT")] },
  },
  wrongContentType: {
    title: "a body of an unsupported media type",
    answers: { grpc: [answer(415, undefined)], rest: wrongMediaType, graphql: [...wrongMediaType, ...unreadable] },
  },
  wrongAccept: {
    title: "a request for an answer in an unsupported media type",
    answers: { grpc: [], rest: [answer(406, "INVALID_ARGUMENT")], graphql: [answer(406, "INVALID_ARGUMENT")] },
  },
  unknownEncoding: {
    title: "a body with an unknown compression",
    answers: { grpc: [answer(200, "UNIMPLEMENTED")], rest: wrongMediaType, graphql: wrongMediaType },
  },
  malformedBody: {
    title: "a body that is not a message",
    answers: { grpc: grpcUnreadable, rest: unreadable, graphql: unreadable },
  },
  emptyBody: {
    title: "a call without a body",
    answers: { grpc: [answer(200, "UNIMPLEMENTED")], rest: [answer(200, "OK")], graphql: unreadable },
  },
  invalidUtf8: {
    title: "text that is not UTF-8",
    answers: { grpc: grpcUnreadable, rest: unreadable, graphql: graphqlUnreadable },
  },
  halfSurrogatePair: {
    title: "half a surrogate pair in text, as an escape",
    answers: { grpc: [], rest: unreadable, graphql: graphqlUnreadable },
  },
  numberOutOfRange: {
    title: "a number outside the range of its type",
    answers: { grpc: [], rest: unreadable, graphql: graphqlUnreadable },
  },
  unknownField: {
    title: "a field that is not in the contract",
    answers: { grpc: [answer(200, "OK")], rest: unreadable, graphql: unreadable },
  },
  oversizedBody: {
    title: "a body above the limit",
    answers: {
      grpc: [answer(200, "RESOURCE_EXHAUSTED")],
      rest: [answer(413, "RESOURCE_EXHAUSTED")],
      graphql: [answer(413, "RESOURCE_EXHAUSTED")],
    },
  },
  oversizedHeader: {
    title: "a header above the limit",
    answers: { grpc: tooLargeHeader, rest: tooLargeHeader, graphql: tooLargeHeader },
  },
  malformedDeadline: {
    title: "a deadline that is not a number",
    answers: { grpc: grpcUnreadable, rest: unreadable, graphql: graphqlUnreadable },
  },
  truncatedBody: {
    title: "a body that ends before its announced length",
    answers: { grpc: [noAnswer, answer(200, "UNIMPLEMENTED")], rest: brokenOff, graphql: brokenOff },
  },
  anotherProtocol: {
    title: "bytes of another protocol",
    answers: { grpc: [noAnswer], rest: brokenOff, graphql: brokenOff },
  },
  repeatedHeader: {
    title: "a repeated header",
    answers: { grpc: answered, rest: answered, graphql: answered },
  },
  upperCaseHeader: {
    title: "a header in upper case",
    // HTTP/2 allows lower case only.
    answers: { grpc: [], rest: answered, graphql: answered },
  },
} as const satisfies Record<string, MisuseRule>;

/** The name of a misuse. */
export type Misuse = keyof typeof misuseRules;

/** Longer than any answer to misuse takes that comes at all. */
export const misuseAnswerLimitMs = 10_000;

/** The headers of {@link misuseRules.repeatedHeader} and {@link misuseRules.upperCaseHeader}: a name, and its values in order. */
export const oddHeaders = {
  repeated: { name: "x-repeated", values: ["one", "two, three", "four"] },
  upperCase: { name: "X-Upper-CASE", values: ["Value"] },
} as const;

/** The server to misuse, and a valid call to start from. */
export interface MisuseTarget {
  readonly url: string;
  /** Certificate authority in PEM for https. */
  readonly ca: string | undefined;
  readonly contract: Contract;
  /** The operation to call; its request has a text and a number. */
  readonly operation: Operation;
  readonly request: Message;
  /** The server's limit. */
  readonly maxRequestBytes: number;
}

/** Sends the bytes and resolves to the answer. It does not reject, whatever the server does. */
export type RawExchange = (target: MisuseTarget) => Promise<RawAnswer>;

/** A part of a valid request's text, and its replacement. */
export interface Respelling {
  readonly from: string;
  readonly to: string;
}

/** Sends the request once for each respelling, in order; undefined if its text does not contain the part. */
export type RespelledExchange = (
  target: MisuseTarget,
  respellings: readonly Respelling[],
) => Promise<readonly RawAnswer[] | undefined>;

/** How to misuse a stack: its protocol, an exchange for each misuse of the protocol, and requests with other spellings. */
export interface ProtocolMisuse {
  readonly protocol: Protocol;
  readonly exchanges: Readonly<Partial<Record<Misuse, RawExchange>>>;
  /** Undefined for a protocol with binary requests. */
  readonly respelled: RespelledExchange | undefined;
}
