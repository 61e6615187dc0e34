// How REST expresses the rules that apply to every style.
import { canonicalCodes } from "@roundtrip/contract";
import type { StyleRules } from "../basics/rules.ts";
import { headerForms, httpLimitForms, httpServerLimits } from "../shared/http/http-rules.ts";

export const rules: StyleRules = {
  ending: { heading: "HTTP status", form: (code) => String(code === "OK" ? 200 : canonicalCodes[code].http) },
  forms: {
    Errors: {
      Code: "the status line, and `code` in the body: several codes share a status",
      Message: "`detail` of a problem (RFC 9457)",
      Details: "members of the problem",
    },
    Values: {
      Numbers:
        "in body, path and query; 64-bit integers are exact as numbers too; in a body type without 64-bit integers, numbers have the precision of a double",
      Bytes: "text",
      Times: "text",
      Durations: "text",
      "Any JSON": "unchanged",
      "Raw bodies":
        "the body itself with `content-type`, where it is the body of a request or answer; its extensions and the borders of messages in a stream are lost",
      "Null and duplicates": "of equal names the last one counts",
      "Not expressible in JSON": "INVALID_ARGUMENT from a client, INTERNAL from a handler",
    },
    Limits: {
      ...httpLimitForms,
      Request: "the body, or each line of a stream: 413",
      Answer: "the body, or each line of a stream",
      "Concurrent calls": "one",
    },
    Deadlines: {
      "On the wire": "`x-request-timeout-ms`",
      "When it passes": "504",
      "When the caller leaves": "the connection is closed",
    },
    Metadata: headerForms,
    Authentication: {
      Token: "header, 401 with `www-authenticate: Bearer`",
      Permission: "403",
      "The contract itself": "the OpenAPI document and the API page, also behind the interceptors",
      "Request id": "header",
    },
    Streams: {
      "Of answers":
        "newline-delimited JSON, server-sent events, or bytes if the body is a bytes field; a late error cuts bytes off",
      "Of bytes": "raw bytes if the body is a bytes field; otherwise Base64 in JSON, a third more",
      "Of requests": "newline-delimited JSON, or bytes if the body is a bytes field",
      "Both directions": "not supported: declared, with the reason",
      End: "the connection is closed",
    },
  },
  limits: {
    ...httpServerLimits,
    nextRequest: "408, DEADLINE_EXCEEDED",
    matrixQueue: "429, RESOURCE_EXHAUSTED",
  },
  ownLimits: [],
};
