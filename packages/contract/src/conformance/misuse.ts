// Uses of a protocol that no client of it would make: bytes that a stack's own room sends, and what has to come back by rule.
import type { Message } from "@bufbuild/protobuf";
import type { CanonicalCode } from "../canonical-code.ts";
import type { Contract, Operation } from "../contract.ts";

/** The protocols that rules speak of; a stack is judged by the column of its own. */
export type Protocol = "grpc" | "rest" | "graphql";

/** What came back: an HTTP status, and the code that the answer names. Neither when the connection was closed without an answer. */
export interface RawAnswer {
  readonly httpStatus: number | undefined;
  readonly code: CanonicalCode | "OK" | undefined;
}

const noAnswer: RawAnswer = { httpStatus: undefined, code: undefined };

function answer(httpStatus: number, code: RawAnswer["code"]): RawAnswer {
  return { httpStatus, code };
}

/** What is misused, in words, and what may come back on each protocol; none where the protocol has no such thing. */
export interface MisuseRule {
  readonly title: string;
  readonly answers: Readonly<Record<Protocol, readonly RawAnswer[]>>;
}

const answered = [answer(200, "OK")];
const unreadable = [answer(400, "INVALID_ARGUMENT")];
const grpcUnreadable = [answer(200, "INVALID_ARGUMENT")];
/** What is wrong with one field may be told beside the answers of others (GraphQL over HTTP). */
const graphqlUnreadable = [...unreadable, answer(200, "INVALID_ARGUMENT")];
/** The servers' HTTP library answers before the style has a say, or hangs up on a sender that goes on. */
const tooLargeHeader = [noAnswer, answer(431, undefined), answer(431, "RESOURCE_EXHAUSTED")];
const brokenOff = [noAnswer, answer(400, undefined), ...unreadable];
const wrongMediaType = [answer(415, "INVALID_ARGUMENT")];

/** The rules. A status of HTTP that is the protocol's own (405, 406, 413, 415, 431) goes before that of the canonical code. */
export const misuseRules = {
  unknownMethod: {
    title: "a method that the contract does not have",
    answers: { grpc: [answer(200, "UNIMPLEMENTED")], rest: [answer(404, "UNIMPLEMENTED")], graphql: unreadable },
  },
  wrongVerb: {
    title: "an HTTP verb that the method does not take",
    answers: { grpc: [], rest: [answer(405, "UNIMPLEMENTED")], graphql: [answer(405, "INVALID_ARGUMENT")] },
  },
  wrongContentType: {
    title: "a body of another media type",
    answers: { grpc: [answer(415, undefined)], rest: wrongMediaType, graphql: [...wrongMediaType, ...unreadable] },
  },
  wrongAccept: {
    title: "an answer asked for in another media type",
    answers: { grpc: [], rest: [answer(406, "INVALID_ARGUMENT")], graphql: [answer(406, "INVALID_ARGUMENT")] },
  },
  unknownEncoding: {
    title: "a body compressed in a way that nobody knows",
    answers: { grpc: [answer(200, "UNIMPLEMENTED")], rest: wrongMediaType, graphql: wrongMediaType },
  },
  malformedBody: {
    title: "a body that is no message",
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
    title: "a number that its type does not hold",
    answers: { grpc: [], rest: unreadable, graphql: graphqlUnreadable },
  },
  unknownField: {
    title: "a field that the contract does not have",
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
    title: "a deadline that is no number",
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
    title: "a header that comes several times",
    answers: { grpc: answered, rest: answered, graphql: answered },
  },
  upperCaseHeader: {
    title: "a header in upper case",
    // HTTP/2 knows lower case only.
    answers: { grpc: [], rest: answered, graphql: answered },
  },
} as const satisfies Record<string, MisuseRule>;

/** The name of a misuse. */
export type Misuse = keyof typeof misuseRules;

/** What {@link misuseRules.repeatedHeader} and {@link misuseRules.upperCaseHeader} send: a name, and its values in their order. */
export const oddHeaders = {
  repeated: { name: "x-repeated", values: ["one", "two, three", "four"] },
  upperCase: { name: "X-Upper-CASE", values: ["Value"] },
} as const;

/** Whom to misuse, and a good call to begin from. */
export interface MisuseTarget {
  readonly url: string;
  /** Certificate authority in PEM for https. */
  readonly ca: string | undefined;
  readonly contract: Contract;
  /** The operation that is called; its request holds a text and a number. */
  readonly operation: Operation;
  readonly request: Message;
  /** The server's limit. */
  readonly maxRequestBytes: number;
}

/** Sends the bytes, and resolves to what came back. Rejects for nothing that a server does. */
export type RawExchange = (target: MisuseTarget) => Promise<RawAnswer>;

/** A piece of a good request's text, and what is sent in its place. */
export interface Respelling {
  readonly from: string;
  readonly to: string;
}

/** Sends the request once for each respelling, in their order; undefined when its text has no such piece. */
export type RespelledExchange = (
  target: MisuseTarget,
  respellings: readonly Respelling[],
) => Promise<readonly RawAnswer[] | undefined>;

/** What a stack offers: its protocol, an exchange for each misuse that the protocol has, and requests whose text is spelled otherwise. */
export interface ProtocolMisuse {
  readonly protocol: Protocol;
  readonly exchanges: Readonly<Partial<Record<Misuse, RawExchange>>>;
  /** Undefined for a protocol whose requests are no text. */
  readonly respelled: RespelledExchange | undefined;
}
