// How JSON-RPC expresses the rules that apply to every style.
import type { StyleRules } from "../basics/rules.ts";
import { maxCallsInBatch } from "./endpoint.ts";
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
      "Null and duplicates": "of equal names the last one counts",
      "Not expressible in JSON": "INVALID_ARGUMENT from a client, INTERNAL from a handler",
    },
    Limits: {
      Request: "the body, with all calls of a batch: 413",
      Answer: "the body, with all responses of a batch",
      Metadata: "checked before it is sent; above 64 KB from other clients: 431",
      "Concurrent calls": `a batch of at most ${maxCallsInBatch}; calls that may change something run in their order`,
      Rules: "before the handler",
      Nesting: "when decoded",
      Text: "both ends",
    },
    Deadlines: {
      "On the wire": "`x-request-timeout-ms`, one for all calls of a batch",
      "When it passes": "`error.data.code`",
      "When the caller leaves": "the connection is closed",
    },
    Metadata: {
      "Of a request": "the headers of the request",
      "Of an answer":
        'the headers of the answer; for several calls, the different values of one name are joined with ", "',
      Names: "HTTP ignores case",
      Duplicates: "joined as HTTP defines",
      Values: "unchanged",
      Bytes: "base64",
      "Reserved names": "neither sent nor shown",
    },
    Authentication: {
      Token: "header, `error.data.code`",
      Permission: "`error.data.code`",
      "The contract itself": "`rpc.discover` and the OpenRPC document, also behind the interceptors",
      "Request id": "header, one for all calls of a batch",
    },
    Streams: {
      "Of answers": "not supported: declared, with the reason",
      "Of bytes": "not supported: declared, with the reason",
      "Of requests": "not supported: declared, with the reason",
      "Both directions": "not supported: declared, with the reason",
      End: "–",
    },
  },
  limits: {
    connections: "the connection is closed",
    handshake: "the connection is closed",
    headers: "408, DEADLINE_EXCEEDED",
    wholeRequest: "408, DEADLINE_EXCEEDED",
    nextRequest: "–",
    idleConnection: "the connection is closed",
    callsAtOnce: "they wait; if more wait, the connection is closed",
    unreadAnswer: "the connection is closed",
    unreadBytes: "–",
    messageSize: "413, RESOURCE_EXHAUSTED",
    matrixQueue: "RESOURCE_EXHAUSTED",
  },
  ownLimits: [{ limit: "calls in a batch", most: String(maxCallsInBatch), form: "RESOURCE_EXHAUSTED for the batch" }],
};
