// The rules that apply to every style, and how each style expresses them. Documents show this table, and conformance cases check it.
import { canonicalCodes, type CanonicalCode } from "./canonical-code.ts";
import { maxMetadataBytes } from "./metadata.ts";
import type { RuleTopic } from "./rule.ts";
import { ruleCostLimit } from "./rule-cost.ts";
import { valueRules } from "./value-rules.ts";

/** How each style expresses one canonical code, or success. */
export interface CodeRow {
  readonly code: CanonicalCode | "OK";
  readonly grpc: number;
  readonly http: number;
  /** `extensions.code` of a GraphQL error; empty for success. */
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

/** The order of the checks of a call. The first check that fails answers, and no later one runs. */
export const judgingOrder = [
  { judge: "the style", question: "Can the request be read?", codes: ["INVALID_ARGUMENT", "UNIMPLEMENTED"] },
  { judge: "the style", question: "Is it within the limits?", codes: ["RESOURCE_EXHAUSTED"] },
  { judge: "interceptors", question: "Who is the caller?", codes: ["UNAUTHENTICATED"] },
  { judge: "interceptors", question: "May the caller call this operation?", codes: ["PERMISSION_DENIED"] },
  {
    judge: "the service",
    question: "Is the operation implemented, and is there time left?",
    codes: ["UNIMPLEMENTED", "DEADLINE_EXCEEDED"],
  },
  {
    judge: "the contract",
    question: "Does the request follow the contract's rules?",
    codes: ["INVALID_ARGUMENT", "RESOURCE_EXHAUSTED"],
  },
  { judge: "handlers", question: "Does the resource exist, and everything else?", codes: ["NOT_FOUND", "…"] },
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
        rule: "one of sixteen; an error in the server is INTERNAL, and its text is not sent",
        grpc: "`grpc-status`",
        rest: "the status line, and `code` in the body: several codes share a status",
        graphql: "`extensions.code`",
      },
      {
        about: "Message",
        rule: "messages of the service are the same text on every style, in any alphabet; a style words its own errors itself (request too large, unreadable)",
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
        rule: "above the limit RESOURCE_EXHAUSTED; other calls on the connection continue",
        grpc: "each message",
        rest: "the body, or each line of a stream: 413",
        graphql: "the body: 413",
      },
      {
        about: "Answer",
        rule: "above the client's limit RESOURCE_EXHAUSTED at the client",
        grpc: "each message",
        rest: "the body, or each line of a stream",
        graphql: "the body, or each event of a stream",
      },
      {
        about: "Metadata",
        rule: `above ${maxMetadataBytes} bytes (names, values and 32 for each pair) RESOURCE_EXHAUSTED from a caller, INTERNAL from a handler; nothing is sent`,
        grpc: "checked before it is sent; above 64 KB from other clients, the server closes the connection",
        rest: "checked before it is sent; above 64 KB from other clients: 431",
        graphql: "checked before it is sent; above 64 KB from other clients: 431",
      },
      {
        about: "Concurrent calls",
        rule: "limited for each connection",
        grpc: "1,000 streams by default; further calls wait",
        rest: "one",
        graphql:
          "one document; with more than 100 fields at its root, 100 aliases, 20,000 fields or 30 levels it is RESOURCE_EXHAUSTED",
      },
      {
        about: "Rules",
        rule: `if the rules of one message visit more than ${ruleCostLimit.toLocaleString("en")} elements, RESOURCE_EXHAUSTED with the rule's name`,
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
        rule: "half a surrogate pair or invalid UTF-8 is INVALID_ARGUMENT",
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
        about: "On the wire",
        rule: "sent as the remaining time, so that clocks need not agree",
        grpc: "`grpc-timeout`",
        rest: "`x-request-timeout-ms`",
        graphql: "`x-request-timeout-ms`",
      },
      {
        about: "When it passes",
        rule: "the caller gets DEADLINE_EXCEEDED and the handler's signal aborts; after the deadline no handler starts",
        grpc: "status 4",
        rest: "504",
        graphql: "`extensions.code`",
      },
      {
        about: "When the caller leaves",
        rule: "the caller gets CANCELLED, the handler's signal aborts, and other calls on the connection continue",
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
        rule: "sent with success and with an error; of a stream, entries that are set before its first message",
        grpc: "initial metadata; trailers of an error",
        rest: answerMetadata,
        graphql: `${answerMetadata}; for several fields, the different values of one name are joined with ", "`,
      },
      {
        about: "Names",
        rule: "lower case, digits, `_`, `.` and `-`; a client refuses other names as INVALID_ARGUMENT, and a handler never sees them",
        grpc: "unchanged",
        rest: "HTTP ignores case",
        graphql: "HTTP ignores case",
      },
      {
        about: "Duplicates",
        rule: 'one value, joined with ", " in their order (RFC 9110, section 5.3)',
        grpc: "joined when read",
        rest: "joined as HTTP defines",
        graphql: "joined as HTTP defines",
      },
      {
        about: "Values",
        rule: "printable ASCII without spaces at the ends; a client refuses other values as INVALID_ARGUMENT",
        grpc: "unchanged",
        rest: "unchanged",
        graphql: "unchanged",
      },
      {
        about: "Bytes",
        rule: "base64, under names that end with `-bin`",
        grpc: "bytes, which gRPC encodes itself",
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
    title: "Authentication",
    areas: ["authentication"],
    rules: [
      {
        about: "Token",
        rule: "`authorization: Bearer …`; with a missing or unknown token UNAUTHENTICATED",
        grpc: "metadata, status 16",
        rest: "header, 401 with `www-authenticate: Bearer`",
        graphql: "header, `extensions.code`",
      },
      {
        about: "Permission",
        rule: "PERMISSION_DENIED before the request is read, whether or not a resource exists",
        grpc: "status 7",
        rest: "403",
        graphql: "`extensions.code`",
      },
      {
        about: "The contract itself",
        rule: "what tools read of it needs the same token; the health check does not",
        grpc: "reflection, behind the service's interceptors; health is open",
        rest: "the OpenAPI document and the API page, also behind the interceptors",
        graphql: "introspection and the explorer page, also behind the interceptors",
      },
      {
        about: "Request id",
        rule: "`x-request-id`: the caller's id or a new one, with every answer and error of the service; requests that the style refuses get none and are in no log",
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
        rule: "complete and in order; an error follows the messages before it; a reader that pauses makes the handler pause",
        grpc: "messages of one call",
        rest: "newline-delimited JSON, server-sent events, or bytes if the body is a bytes field; a late error cuts bytes off",
        graphql: "a subscription over server-sent events",
      },
      {
        about: "Of bytes",
        rule: "complete and unchanged; every style can carry one message with a bytes field, which both ends keep in memory",
        grpc: "bytes in messages",
        rest: "raw bytes if the body is a bytes field; otherwise Base64 in JSON, a third more",
        graphql: "Base64 in JSON, a third more, in answers only",
      },
      {
        about: "Of requests",
        rule: "each is checked as it is read; the answer may come before the last request",
        grpc: "messages of one call",
        rest: "newline-delimited JSON, or bytes if the body is a bytes field",
        graphql: "not supported: declared, with the reason",
      },
      {
        about: "Both directions",
        rule: "each end learns when the other has sent its last message",
        grpc: "messages of one call",
        rest: "not supported: declared, with the reason",
        graphql: "not supported: declared, with the reason",
      },
      {
        about: "End",
        rule: "if a reader stops, a deadline passes, a call is cancelled or a server stops, the stream ends on both sides",
        grpc: "the stream is reset",
        rest: "the connection is closed",
        graphql: "the connection is closed",
      },
    ],
  },
];
