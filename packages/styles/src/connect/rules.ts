// How Connect expresses the rules that apply to every style.
import { canonicalCodes } from "@roundtrip/contract";
import type { StyleRules } from "../basics/rules.ts";
import { headerForms, httpLimitForms, httpServerLimits } from "../shared/http/http-rules.ts";
import { codeName } from "./errors.ts";

export const rules: StyleRules = {
  ending: {
    heading: "Connect `code`, HTTP status",
    form: (code) => (code === "OK" ? "200" : `${codeName(code)}, ${canonicalCodes[code].http}`),
  },
  forms: {
    Errors: {
      Code: "`code` of a JSON body, and the status line; of a stream, `error` at its end",
      Message: "`message`",
      Details: "`details`: messages of google.rpc, in base64",
    },
    Values: {
      Numbers: "binary; in JSON as the server's library reads them: 64-bit integers beyond 2^53 as text only",
      Bytes: "binary; in JSON as the server's library reads them",
      Times: "binary; in JSON as the server's library reads them",
      Durations: "binary; in JSON as the server's library reads them",
      "Any JSON": "binary",
      "Raw bodies": "a message",
      "Null and duplicates": "of equal names the last one counts; unknown fields are ignored",
      "Not expressible in JSON": "passed on unchecked in the binary form",
    },
    Limits: {
      ...httpLimitForms,
      Request: "the body, or each envelope of a stream: 429",
      Answer: "the body, or each envelope of a stream",
      "Concurrent calls": "one",
    },
    Deadlines: {
      "On the wire": "`connect-timeout-ms`",
      "When it passes": "504; of a stream, `error` at its end",
      "When the caller leaves": "the connection is closed",
    },
    Metadata: {
      ...headerForms,
      "Of an answer":
        "the headers of the answer; of a stream that fails before its first message, `metadata` at its end",
      Bytes: "base64 without padding",
    },
    Authentication: {
      Token: "header, 401",
      Permission: "403",
      "The contract itself": "not served",
      "Request id": "header",
    },
    Streams: {
      "Of answers": "envelopes of one body",
      "Of bytes": "bytes in messages",
      "Of requests": "envelopes of one body",
      "Both directions": "not supported: declared, with the reason",
      End: "the connection is closed",
    },
  },
  limits: {
    ...httpServerLimits,
    nextRequest: "DEADLINE_EXCEEDED",
    messageSize: "429, RESOURCE_EXHAUSTED",
  },
  ownLimits: [],
};
