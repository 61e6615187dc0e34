// What has to be equal on every style, and what each style calls it: the one table that documents show and cases check.
import { canonicalCodes, type CanonicalCode } from "./canonical-code.ts";
import { maxMetadataBytes } from "./metadata.ts";
import type { RuleTopic } from "./rule.ts";
import { ruleCostLimit } from "./rule-cost.ts";
import { valueRules } from "./value-rules.ts";

/** What each style says for one canonical code, or for success. */
export interface CodeRow {
  readonly code: CanonicalCode | "OK";
  readonly grpc: number;
  readonly http: number;
  /** What `extensions.code` of a GraphQL error holds; empty for success. */
  readonly graphql: string;
}

/** The canonical codes, success first, in the order of their gRPC numbers. */
export const codeRows: readonly CodeRow[] = [
  { code: "OK", grpc: 0, http: 200, graphql: "" },
  ...Object.entries(canonicalCodes).map(([name, { grpc, http }]) => ({
    code: name as CanonicalCode,
    grpc,
    http,
    graphql: name,
  })),
];

/** In which order a call is judged: the first that finds a fault answers, and none after it is asked. */
export const judgingOrder = [
  { judge: "the style", question: "Can the request be read?", codes: ["INVALID_ARGUMENT", "UNIMPLEMENTED"] },
  { judge: "the style", question: "Is it within the limits?", codes: ["RESOURCE_EXHAUSTED"] },
  { judge: "interceptors", question: "Who asks?", codes: ["UNAUTHENTICATED"] },
  { judge: "interceptors", question: "May they ask this?", codes: ["PERMISSION_DENIED"] },
  {
    judge: "the service",
    question: "Is there somebody to answer, and time?",
    codes: ["UNIMPLEMENTED", "DEADLINE_EXCEEDED"],
  },
  {
    judge: "the contract",
    question: "Does the request keep its rules?",
    codes: ["INVALID_ARGUMENT", "RESOURCE_EXHAUSTED"],
  },
  { judge: "handlers", question: "Does it exist, and all the rest?", codes: ["NOT_FOUND", "…"] },
] as const;

const requestMetadata = "the headers of the request";
const answerMetadata = "the headers of the answer";

/** The rules, topic by topic. */
export const ruleTopics: readonly RuleTopic[] = [
  {
    title: "Errors",
    areas: ["errors"],
    rules: [
      {
        about: "Code",
        rule: "one of sixteen; a fault of the server is INTERNAL, and its text stays there",
        grpc: "`grpc-status`",
        rest: "the status line, and `code` in the body: several codes share a status",
        graphql: "`extensions.code`",
      },
      {
        about: "Message",
        rule: "what the service says is the same text, of any alphabet; what a style refuses before it comes there (too large, unreadable) it says in words of its own",
        grpc: "`grpc-message`",
        rest: "`detail` of a problem (RFC 9457)",
        graphql: "`message`",
      },
      {
        about: "Details",
        rule: "reason, domain, metadata and one violation for each broken rule",
        grpc: "`grpc-status-details-bin`",
        rest: "members of the problem",
        graphql: "`extensions`",
      },
    ],
  },
  valueRules,
  {
    title: "Limits",
    areas: ["limits", "misuse"],
    rules: [
      {
        about: "Request",
        rule: "above the limit it is RESOURCE_EXHAUSTED, and the connection's other calls go on",
        grpc: "each message",
        rest: "the body, or each line of a stream: 413",
        graphql: "the body: 413",
      },
      {
        about: "Answer",
        rule: "above the client's limit it is RESOURCE_EXHAUSTED at the client",
        grpc: "each message",
        rest: "the body, or each line of a stream",
        graphql: "the body, or each event of a stream",
      },
      {
        about: "Metadata",
        rule: `above ${maxMetadataBytes} bytes (names, values and 32 for each pair) RESOURCE_EXHAUSTED from a caller, INTERNAL from a handler; nothing is sent`,
        grpc: "checked before it is sent; strangers' above 64 KB: the connection is closed",
        rest: "checked before it is sent; strangers' above 64 KB: 431",
        graphql: "checked before it is sent; strangers' above 64 KB: 431",
      },
      {
        about: "Calls at once",
        rule: "what one connection can make run at once is bounded",
        grpc: "1,000 streams, unless set otherwise; more wait",
        rest: "one",
        graphql:
          "one document: of more than 100 fields at its root, 100 aliases, 20,000 fields or 30 levels it is RESOURCE_EXHAUSTED",
      },
      {
        about: "Rules",
        rule: `rules of one message that cost more than ${ruleCostLimit.toLocaleString("en")} visited elements are RESOURCE_EXHAUSTED, with the rule's name`,
        grpc: "before the handler",
        rest: "before the handler",
        graphql: "before the handler",
      },
      {
        about: "Nesting",
        rule: "messages more than 100 levels deep are INVALID_ARGUMENT",
        grpc: "when decoded",
        rest: "when decoded",
        graphql: "when decoded",
      },
      {
        about: "Text",
        rule: "half a surrogate pair, or bytes that are no UTF-8, are INVALID_ARGUMENT",
        grpc: "both ends",
        rest: "both ends",
        graphql: "both ends",
      },
    ],
  },
  {
    title: "Deadlines",
    areas: ["deadlines", "streaming"],
    rules: [
      {
        about: "How it travels",
        rule: "as the time that is left, so that clocks need not agree",
        grpc: "`grpc-timeout`",
        rest: "`x-request-timeout-ms`",
        graphql: "`x-request-timeout-ms`",
      },
      {
        about: "When it passes",
        rule: "DEADLINE_EXCEEDED at the caller, the handler's signal is aborted; a deadline that has passed runs no handler",
        grpc: "status 4",
        rest: "504",
        graphql: "`extensions.code`",
      },
      {
        about: "When the caller leaves",
        rule: "CANCELLED at the caller, the handler's signal is aborted, the connection's other calls go on",
        grpc: "the stream is reset",
        rest: "the connection is closed",
        graphql: "the connection is closed",
      },
    ],
  },
  {
    title: "Metadata",
    areas: ["metadata"],
    rules: [
      {
        about: "Of a request",
        rule: "reaches interceptors and handlers",
        grpc: "the call's metadata",
        rest: requestMetadata,
        graphql: requestMetadata,
      },
      {
        about: "Of an answer",
        rule: "comes with a success and with an error; of a stream, what is set by its first message",
        grpc: "initial metadata; trailers of an error",
        rest: answerMetadata,
        graphql: `${answerMetadata}; of several fields, the different values of one name joined with ", "`,
      },
      {
        about: "Names",
        rule: "lower case, digits, `_`, `.` and `-`: a client refuses others as INVALID_ARGUMENT, a handler sees no others",
        grpc: "as they are",
        rest: "case means nothing to HTTP",
        graphql: "case means nothing to HTTP",
      },
      {
        about: "Duplicates",
        rule: 'one value, joined with ", " in their order (RFC 9110, section 5.3)',
        grpc: "joined when read",
        rest: "joined by HTTP's own rule",
        graphql: "joined by HTTP's own rule",
      },
      {
        about: "Values",
        rule: "printable ASCII without spaces at the ends: a client refuses others as INVALID_ARGUMENT",
        grpc: "as they are",
        rest: "as they are",
        graphql: "as they are",
      },
      {
        about: "Bytes",
        rule: "in names that end with `-bin`, as base64",
        grpc: "bytes to gRPC, which encodes them itself",
        rest: "base64",
        graphql: "base64",
      },
      {
        about: "Reserved names",
        rule: "INVALID_ARGUMENT from a caller, INTERNAL from a handler",
        grpc: "neither sent nor shown",
        rest: "neither sent nor shown",
        graphql: "neither sent nor shown",
      },
    ],
  },
  {
    title: "Who asks",
    areas: ["authentication"],
    rules: [
      {
        about: "Token",
        rule: "`authorization: Bearer …`; without one, or with an unknown one, UNAUTHENTICATED",
        grpc: "metadata, status 16",
        rest: "header, 401 with `www-authenticate: Bearer`",
        graphql: "header, `extensions.code`",
      },
      {
        about: "Permission",
        rule: "PERMISSION_DENIED before the request is looked at: what exists and what does not are told alike",
        grpc: "status 7",
        rest: "403",
        graphql: "`extensions.code`",
      },
      {
        about: "The contract itself",
        rule: "what tools read of it; whether the server serves is told to everybody",
        grpc: "reflection, behind the service's interceptors; health is open",
        rest: "the OpenAPI document and the API page, behind them too",
        graphql: "introspection and the explorer page, behind them too",
      },
      {
        about: "Request id",
        rule: "`x-request-id`: the caller's own or a new one, with whatever the service answers, its errors too; not with what the style refuses before, which reaches no handler and stands in no log",
        grpc: "metadata",
        rest: "header",
        graphql: "header, one for all fields of a document",
      },
    ],
  },
  {
    title: "Streams",
    areas: ["streaming", "payload"],
    rules: [
      {
        about: "Of answers",
        rule: "whole and in order; an error comes after what came before it; a reader that pauses makes the handler pause",
        grpc: "messages of one call",
        rest: "newline-delimited JSON, server-sent events, or bytes where the body is a field of bytes: a late error cuts them off",
        graphql: "a subscription over server-sent events",
      },
      {
        about: "Of bytes",
        rule: "whole and unchanged; what all styles carry alike is one message with a field of bytes, held whole at both ends",
        grpc: "bytes in messages",
        rest: "bytes as they are where the body is a field of bytes; Base64 in JSON, a third more",
        graphql: "Base64 in JSON, a third more, in answers alone",
      },
      {
        about: "Of requests",
        rule: "each is checked as it is read; the answer may come before the last of them",
        grpc: "messages of one call",
        rest: "newline-delimited JSON, or bytes where the body is a field of bytes",
        graphql: "none: declared, with the reason",
      },
      {
        about: "Both ways",
        rule: "each end hears when the other has no more to say",
        grpc: "messages of one call",
        rest: "none: declared, with the reason",
        graphql: "none: declared, with the reason",
      },
      {
        about: "End",
        rule: "a reader that stops, a deadline, a cancellation and a server that stops end both ends",
        grpc: "the stream is reset",
        rest: "the connection is closed",
        graphql: "the connection is closed",
      },
    ],
  },
];
