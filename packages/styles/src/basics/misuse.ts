// Misuse of a protocol: bytes that no client sends. `misuse.ts` of each style sends them and states which answers are allowed.
import type { Message } from "@bufbuild/protobuf";
import type { CanonicalCode, Contract, Operation } from "@roundtrip/contract";

/** Every misuse, in words. The order gives the ids of the conformance cases: add a new one at the end. */
export const misuseTitles = {
  unknownMethod: "a method that is not in the contract",
  wrongVerb: "an HTTP verb that the method does not support",
  wrongContentType: "a body of an unsupported media type",
  wrongAccept: "a request for an answer in an unsupported media type",
  unknownEncoding: "a body with an unknown compression",
  malformedBody: "a body that is not a message",
  emptyBody: "a call without a body",
  invalidUtf8: "text that is not UTF-8",
  halfSurrogatePair: "half a surrogate pair in text, as an escape",
  numberOutOfRange: "a number outside the range of its type",
  unknownField: "a field that is not in the contract",
  oversizedBody: "a body above the limit",
  oversizedHeader: "a header above the limit",
  malformedDeadline: "a deadline that is not a number",
  truncatedBody: "a body that ends before its announced length",
  anotherProtocol: "bytes of another protocol",
  repeatedHeader: "a repeated header",
  upperCaseHeader: "a header in upper case",
} as const;

export type Misuse = keyof typeof misuseTitles;

/** The HTTP status of an answer and its canonical code; both undefined if the server closed the connection without an answer. */
export interface RawAnswer {
  readonly httpStatus: number | undefined;
  readonly code: CanonicalCode | "OK" | undefined;
}

export const noAnswer: RawAnswer = { httpStatus: undefined, code: undefined };

export function rawAnswer(httpStatus: number, code: RawAnswer["code"]): RawAnswer {
  return { httpStatus, code };
}

/** Longer than any answer to a misuse takes. */
export const misuseAnswerLimitMs = 10_000;

/** The headers that `repeatedHeader` and `upperCaseHeader` send: a name, and its values in order. */
export const oddHeaders = {
  repeated: { name: "x-repeated", values: ["one", "two, three", "four"] },
  upperCase: { name: "X-Upper-CASE", values: ["Value"] },
} as const;

/** Larger than the servers allow. */
export const oversizedHeader = "x".repeat(128 * 1024);

/** The HTTP library answers before the style sees the request, or closes the connection. */
export const tooLargeHeader = [noAnswer, rawAnswer(431, undefined), rawAnswer(431, "RESOURCE_EXHAUSTED")];

/** The server to misuse, and a valid call to start from. */
export interface MisuseTarget {
  readonly url: string;
  /** Certificate authority in PEM for https. */
  readonly ca: string | undefined;
  readonly contract: Contract;
  /** The operation to call; its request has a text and a number. */
  readonly operation: Operation;
  readonly request: Message;
  readonly maxRequestBytes: number;
}

export interface MisuseAttempt {
  /** Sends the bytes and resolves to the answer. Rejects only if the server neither answers nor closes the connection. */
  readonly send: (target: MisuseTarget) => Promise<RawAnswer>;
  readonly answers: readonly RawAnswer[];
}

/** A part of a valid request's text, and its replacement. */
export interface Respelling {
  readonly from: string;
  readonly to: string;
}

export interface SpellingAttempts {
  /** Sends the request once for each respelling, in order; undefined if its text does not contain the part. */
  readonly send: (
    target: MisuseTarget,
    respellings: readonly Respelling[],
  ) => Promise<readonly RawAnswer[] | undefined>;
  readonly refusals: readonly RawAnswer[];
}

export interface DocumentAnswer {
  readonly data?: unknown;
  readonly errors?: readonly {
    readonly path?: readonly (string | number)[];
    readonly extensions?: { readonly code?: unknown };
  }[];
}

/** Sends a document of the caller's own. Rejects if there is no such answer. */
export type ReadDocument = (target: Pick<MisuseTarget, "url" | "ca">, document: string) => Promise<DocumentAnswer>;

/** What `misuse.ts` of a style exports as `misuses`. */
export interface ProtocolMisuse {
  readonly attempts: Readonly<Partial<Record<Misuse, MisuseAttempt>>>;
  /** Undefined for a protocol with binary requests. */
  readonly spellings: SpellingAttempts | undefined;
  /** Undefined for a protocol without documents that select what is read. */
  readonly readDocument: ReadDocument | undefined;
  /** Whether a call of the operation has a body, which can be malformed. */
  readonly sendsBody: (operation: Operation) => boolean;
}
