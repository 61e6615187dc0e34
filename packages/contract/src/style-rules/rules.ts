// The rules that apply to every style. Documents show them with the form that each style gives them, and conformance cases check them.
import { canonicalCodes, type CanonicalCode } from "../basics/canonical-code.ts";
import { maxMetadataBytes } from "../calls/metadata.ts";
import type { RuleTopic } from "./rule.ts";
import { ruleCostLimit } from "../validation/rule-cost.ts";
import { valueRules } from "./value-rules.ts";

/** How a call ends: success, or one of the canonical codes, in the order of their gRPC numbers. */
export const endings: readonly (CanonicalCode | "OK")[] = ["OK", ...(Object.keys(canonicalCodes) as CanonicalCode[])];

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

/** The rules, topic by topic. */
export const ruleTopics = [
  {
    title: "Errors",
    areas: ["errors"],
    rules: [
      {
        about: "Code",
        rule: "one of sixteen; an error in the server is INTERNAL, and its text is not sent",
      },
      {
        about: "Message",
        rule: "messages of the service are the same text on every style, in any alphabet; a style words its own errors itself (request too large, unreadable)",
      },
      {
        about: "Details",
        rule: "reason, domain, metadata and one violation for each broken rule",
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
      },
      {
        about: "Answer",
        rule: "above the client's limit RESOURCE_EXHAUSTED at the client",
      },
      {
        about: "Metadata",
        rule: `above ${maxMetadataBytes} bytes (names, values and 32 for each pair) RESOURCE_EXHAUSTED from a caller, INTERNAL from a handler; nothing is sent`,
      },
      {
        about: "Concurrent calls",
        rule: "limited for each connection",
      },
      {
        about: "Rules",
        rule: `if the rules of one message visit more than ${ruleCostLimit.toLocaleString("en")} elements, RESOURCE_EXHAUSTED with the rule's name`,
      },
      {
        about: "Nesting",
        rule: "messages more than 100 levels deep are INVALID_ARGUMENT",
      },
      {
        about: "Text",
        rule: "half a surrogate pair or invalid UTF-8 is INVALID_ARGUMENT",
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
      },
      {
        about: "When it passes",
        rule: "the caller gets DEADLINE_EXCEEDED and the handler's signal aborts; after the deadline no handler starts",
      },
      {
        about: "When the caller leaves",
        rule: "the caller gets CANCELLED, the handler's signal aborts, and other calls on the connection continue",
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
      },
      {
        about: "Of an answer",
        rule: "sent with success and with an error; of a stream, entries that are set before its first message",
      },
      {
        about: "Names",
        rule: "lower case, digits, `_`, `.` and `-`; a client refuses other names as INVALID_ARGUMENT, and a handler never sees them",
      },
      {
        about: "Duplicates",
        rule: 'one value, joined with ", " in their order (RFC 9110, section 5.3)',
      },
      {
        about: "Values",
        rule: "printable ASCII without spaces at the ends; a client refuses other values as INVALID_ARGUMENT",
      },
      {
        about: "Bytes",
        rule: "base64, under names that end with `-bin`",
      },
      {
        about: "Reserved names",
        rule: "INVALID_ARGUMENT from a caller, INTERNAL from a handler",
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
      },
      {
        about: "Permission",
        rule: "PERMISSION_DENIED before the request is read, whether or not a resource exists",
      },
      {
        about: "The contract itself",
        rule: "what tools read of it needs the same token; the health check does not",
      },
      {
        about: "Request id",
        rule: "`x-request-id`: the caller's id or a new one, with every answer and error of the service; requests that the style refuses get none and are in no log",
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
      },
      {
        about: "Of bytes",
        rule: "complete and unchanged; every style can carry one message with a bytes field, which both ends keep in memory",
      },
      {
        about: "Of requests",
        rule: "each is checked as it is read; the answer may come before the last request",
      },
      {
        about: "Both directions",
        rule: "each end learns when the other has sent its last message",
      },
      {
        about: "End",
        rule: "if a reader stops, a deadline passes, a call is cancelled or a server stops, the stream ends on both sides",
      },
    ],
  },
] as const satisfies readonly RuleTopic[];

type Topic = (typeof ruleTopics)[number];

/** How one style expresses each rule, by its topic and what it is about. */
export type RuleForms = {
  readonly [T in Topic as T["title"]]: { readonly [R in T["rules"][number] as R["about"]]: string };
};
