// The rules that apply to every style. Documents show them with the form that each style gives them, and conformance cases check them.
import { canonicalCodes, type CanonicalCode } from "../basics/canonical-code.ts";
import { maxMetadataBytes } from "../calls/metadata.ts";
import { ruleCostLimit } from "../validation/rule-cost.ts";

interface RuleTopic {
  readonly title: string;
  /** What applies to every style, by its subject in a few words. */
  readonly rules: Readonly<Record<string, string>>;
  /** The areas of the conformance cases that check them. */
  readonly areas: readonly string[];
}

const valueRules = {
  title: "Values",
  areas: ["values"],
  rules: {
    Numbers:
      'a JSON number, or a string with one: `1e3` and `"1000.0"` are the integer 1000; `"0x10"`, `" 5"`, `"+1"`, `"01"` and values outside the type, such as `1.00000000000000000001` for an integer, are INVALID_ARGUMENT',
    Bytes: "base64 in either alphabet, with full padding or none, without other characters",
    Times:
      "RFC 3339 with `T`, and `Z` or an offset, from the year 1 to 9999, with at most nine fractional digits, an existing day and hour",
    Durations: "seconds, such as `-1.5s`, with at most nine fractional digits, within ±315,576,000,000",
    "Any JSON":
      "`Struct`, `Value` and `ListValue` have numbers with the precision of a double, and no half of a surrogate pair",
    "Raw bodies": "`google.api.HttpBody` has bytes and their content type",
    "Null and duplicates":
      "null means absent, except for a `Value`; null in lists and maps, two names of one field, two members of a oneof and unknown fields are refused",
    "Not expressible in JSON":
      "a time or duration outside these bounds; a mask path that is empty, has a comma or no lowerCamelCase spelling; an `Any` of an unknown type, or with bytes and no type; a `Value` with a number that JSON does not have",
  },
} as const satisfies RuleTopic;

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
    question: "Has the request its required fields, and does it follow the contract's rules?",
    codes: ["INVALID_ARGUMENT", "RESOURCE_EXHAUSTED"],
  },
  { judge: "handlers", question: "Does the resource exist, and everything else?", codes: ["NOT_FOUND", "…"] },
] as const;

export const ruleTopics = [
  {
    title: "Errors",
    areas: ["errors"],
    rules: {
      Code: "one of sixteen; an error in the server is INTERNAL, and its text is not sent",
      Message:
        "messages of the service are the same text on every style, in any alphabet; a style words its own errors itself (request too large, unreadable)",
      Details: "reason, domain, metadata and one violation for each broken rule",
    },
  },
  valueRules,
  {
    title: "Limits",
    areas: ["limits", "misuse"],
    rules: {
      Request: "above the limit RESOURCE_EXHAUSTED; other calls on the connection continue",
      Answer: "above the client's limit RESOURCE_EXHAUSTED at the client",
      Metadata: `above ${maxMetadataBytes} bytes (names, values and 32 for each pair) RESOURCE_EXHAUSTED from a caller, INTERNAL from a handler; nothing is sent`,
      "Concurrent calls": "limited for each connection",
      Rules: `if the rules of one message visit more than ${ruleCostLimit.toLocaleString("en")} elements, RESOURCE_EXHAUSTED with the rule's name`,
      Nesting: "messages more than 100 levels deep are INVALID_ARGUMENT",
      Text: "half a surrogate pair or invalid UTF-8 is INVALID_ARGUMENT",
    },
  },
  {
    title: "Deadlines",
    areas: ["deadlines", "streaming"],
    rules: {
      "On the wire": "sent as the remaining time, so that clocks need not agree",
      "When it passes":
        "the caller gets DEADLINE_EXCEEDED and the handler's signal aborts; after the deadline no handler starts",
      "When the caller leaves":
        "the caller gets CANCELLED, the handler's signal aborts, and other calls on the connection continue",
    },
  },
  {
    title: "Metadata",
    areas: ["metadata"],
    rules: {
      "Of a request": "reaches interceptors and handlers",
      "Of an answer": "sent with success and with an error; of a stream, entries that are set before its first message",
      Names:
        "lower case, digits, `_`, `.` and `-`; a client refuses other names as INVALID_ARGUMENT, and a handler never sees them",
      Duplicates: 'one value, joined with ", " in their order (RFC 9110, section 5.3)',
      Values: "printable ASCII without spaces at the ends; a client refuses other values as INVALID_ARGUMENT",
      Bytes: "base64, under names that end with `-bin`",
      "Reserved names": "INVALID_ARGUMENT from a caller, INTERNAL from a handler",
    },
  },
  {
    title: "Authentication",
    areas: ["authentication"],
    rules: {
      Token: "`authorization: Bearer …`; with a missing or unknown token UNAUTHENTICATED",
      Permission: "PERMISSION_DENIED before the request is read, whether or not a resource exists",
      "The contract itself": "what tools read of it needs the same token; the health check does not",
      "Request id":
        "`x-request-id`: the caller's id or a new one, with every answer and error of the service; requests that the style refuses get none and are in no log",
    },
  },
  {
    title: "Streams",
    areas: ["streaming", "payload"],
    rules: {
      "Of answers":
        "complete and in order; an error follows the messages before it; a reader that pauses makes the handler pause",
      "Of bytes":
        "complete and unchanged; every style can carry one message with a bytes field, which both ends keep in memory",
      "Of requests": "each is checked as it is read; the answer may come before the last request",
      "Both directions": "each end learns when the other has sent its last message",
      End: "if a reader stops, a deadline passes, a call is cancelled or a server stops, the stream ends on both sides",
    },
  },
] as const satisfies readonly RuleTopic[];

type Topic = (typeof ruleTopics)[number];

/** How one style expresses each rule, by its topic and what it is about. */
export type RuleForms = {
  readonly [T in Topic as T["title"]]: Readonly<Record<keyof T["rules"], string>>;
};
