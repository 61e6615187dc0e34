// How GraphQL expresses the rules that apply to every style.
import type { StyleRules } from "../basics/rules.ts";
import { headerForms, httpLimitForms, httpServerLimits } from "../shared/http/http-rules.ts";
import { maxAliases, maxDepth, maxRootFields, maxSelections, maxTokens } from "./documents/document-limits.ts";

const refusedDocument = "400 (200 as `application/json`), RESOURCE_EXHAUSTED";

function figure(value: number): string {
  return value.toLocaleString("en-US");
}

export const rules: StyleRules = {
  ending: { heading: "GraphQL `extensions.code`", form: (code) => (code === "OK" ? "–" : code) },
  forms: {
    Errors: {
      Code: "`extensions.code`",
      Message: "`message`",
      Details: "`extensions`",
    },
    Values: {
      Numbers: "`Int64`, `UInt64`, `UInt32` and `Double`; GraphQL's own `Int` is never a string",
      Bytes: "`Base64`",
      Times: "`DateTime`",
      Durations: "`Duration`",
      "Any JSON": "`JSON`",
      "Raw bodies": "a message, its bytes in base64",
      "Null and duplicates":
        "of equal names in variables the last one counts; in the document they are refused; null in a list of enums is the unspecified value",
      "Not expressible in JSON": "the same; mask paths are passed on",
    },
    Limits: {
      ...httpLimitForms,
      Request: "the body: 413",
      Answer: "the body, or each event of a stream",
      "Concurrent calls":
        "one document; with more than 100 fields at its root, 100 aliases, 20,000 fields or 30 levels it is RESOURCE_EXHAUSTED",
    },
    Deadlines: {
      "On the wire": "`x-request-timeout-ms`",
      "When it passes": "`extensions.code`",
      "When the caller leaves": "the connection is closed",
    },
    Metadata: {
      ...headerForms,
      "Of an answer":
        'the headers of the answer; for several fields, the different values of one name are joined with ", "',
    },
    Authentication: {
      Token: "header, `extensions.code`",
      Permission: "`extensions.code`",
      "The contract itself": "introspection and the page, also behind the interceptors",
      "Request id": "header, one for all fields of a document",
    },
    Streams: {
      "Of answers": "a subscription over server-sent events",
      "Of bytes": "Base64 in JSON, a third more, in answers only",
      "Of requests": "not supported: declared, with the reason",
      "Both directions": "not supported: declared, with the reason",
      End: "the connection is closed",
    },
  },
  limits: httpServerLimits,
  ownLimits: [
    { limit: "tokens of a document", most: figure(maxTokens), form: refusedDocument },
    { limit: "fields of a document, with fragments expanded", most: figure(maxSelections), form: refusedDocument },
    { limit: "fields at the root of a document", most: figure(maxRootFields), form: refusedDocument },
    { limit: "aliases in a document", most: figure(maxAliases), form: refusedDocument },
    { limit: "nesting of fields in a document", most: figure(maxDepth), form: refusedDocument },
    { limit: "requests in one body", most: "1", form: "400, RESOURCE_EXHAUSTED" },
  ],
};
