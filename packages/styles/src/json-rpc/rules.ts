// How JSON-RPC expresses the rules that apply to every style.
import type { StyleRules } from "../basics/rules.ts";
import { headerForms, httpLimitForms, httpServerLimits, noStreams } from "../shared/http/http-rules.ts";
import { maxCallsInBatch } from "./messages.ts";
import { rpcCodeOf } from "./errors.ts";

export const rules: StyleRules = {
  ending: { heading: "JSON-RPC `error.code`", form: (code) => (code === "OK" ? "–" : String(rpcCodeOf(code))) },
  forms: {
    Errors: {
      Code: "`error.code`, a number, and `error.data.code`",
      Message: "`error.message`",
      Details: "`error.data.details`, ProtoJSON of `google.rpc` messages",
    },
    Values: {
      Numbers: "64-bit integers are exact as numbers too",
      Bytes: "text",
      Times: "text",
      Durations: "text",
      "Any JSON": "unchanged",
      "Raw bodies": "a message, its bytes in base64",
      "Null and duplicates": "of equal names the last one counts",
      "Not expressible in JSON": "INVALID_ARGUMENT from a client, INTERNAL from a handler",
    },
    Limits: {
      ...httpLimitForms,
      Request: "the body, with all calls of a batch: 413",
      Answer: "the body, with all responses of a batch",
      "Concurrent calls": `a batch of at most ${maxCallsInBatch}; calls that may change something run in their order`,
    },
    Deadlines: {
      "On the wire": "`x-request-timeout-ms`, one for all calls of a batch",
      "When it passes": "`error.data.code`",
      "When the caller leaves": "the connection is closed",
    },
    Metadata: {
      ...headerForms,
      "Of an answer":
        'the headers of the answer; for several calls, the different values of one name are joined with ", "',
    },
    Authentication: {
      Token: "header, `error.data.code`",
      Permission: "`error.data.code`",
      "The contract itself": "`rpc.discover` and the OpenRPC document, also behind the interceptors",
      "Request id": "header, one for all calls of a batch",
    },
    Streams: noStreams,
  },
  limits: httpServerLimits,
  ownLimits: [{ limit: "calls in a batch", most: String(maxCallsInBatch), form: "RESOURCE_EXHAUSTED for the batch" }],
};
